// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/base/error.hpp"

namespace acta::inline ACTA_ABI::http {

/// The reason why a request got no response.
enum class Fault {
    configuration,  ///< The request cannot be sent as it is.
    connection,     ///< No connection, or one that broke.
    security,       ///< The server's certificate is not trusted, or the server refused the TLS handshake.
    not_http,       ///< The server does not speak HTTP.
    too_large,      ///< The body or the headers exceed their limit.
    other
};

/// A request without a complete response.
class Error : public acta::Error {
public:
    /// Makes an error of this kind whose `what()` is `message`.
    Error(Fault fault, const std::string& message) : acta::Error(message), fault_(fault) {}

    /// Returns why there is no response.
    [[nodiscard]] Fault fault() const noexcept { return fault_; }

private:
    Fault fault_;
};

}  // namespace acta::inline ACTA_ABI::http
