// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/json/json.hpp"
#include "acta/version.hpp"

// The messages of JSON-RPC 2.0 (https://www.jsonrpc.org/specification) as the Model Context Protocol has them.
namespace acta::inline ACTA_ABI::mcp {

/// The codes of errors: those of JSON-RPC, and what the Model Context Protocol adds.
namespace error_code {
inline constexpr int parse_error = -32700;       ///< What was received is not JSON.
inline constexpr int invalid_request = -32600;   ///< It is JSON, but not a message.
inline constexpr int method_not_found = -32601;  ///< The receiver does not have the method.
inline constexpr int invalid_params = -32602;    ///< The parameters do not fit; from 2026 on also: an unknown resource.
inline constexpr int internal_error = -32603;    ///< The receiver failed.
inline constexpr int resource_not_found = -32002;        ///< Before 2026: an unknown resource.
inline constexpr int header_mismatch = -32020;           ///< The headers of a request say something else than its body.
inline constexpr int missing_capability = -32021;        ///< The client does not have what the request needs.
inline constexpr int unsupported_version = -32022;       ///< The server does not speak this version.
inline constexpr int url_elicitation_required = -32042;  ///< 2025-11-25: the user has to visit a URL first.
}  // namespace error_code

/// What a response refers to its request by: an integer or a text, where `1` is not `"1"`.
using RequestId = std::variant<std::int64_t, std::string>;

/// Returns the identifier as JSON has it: `7` or `"seven"`.
[[nodiscard]] std::string to_string(const RequestId& id);

/// A call of a method, which is answered by a `Response`.
struct Request {
    RequestId id{};        ///< Different from those of all other requests that wait for an answer.
    std::string method{};  ///< Such as `tools/call`.
    JsonObject params{};   ///< Omitted if empty.

    friend bool operator==(const Request&, const Request&) = default;
};

/// A message that is not answered.
struct Notification {
    std::string method{};  ///< Such as `notifications/progress`.
    JsonObject params{};   ///< Omitted if empty.

    friend bool operator==(const Notification&, const Notification&) = default;
};

/// Why a request failed.
struct ErrorObject {
    int code = error_code::internal_error;  ///< Such as `error_code::invalid_params`.
    std::string message{};                  ///< For people, in one sentence.
    std::optional<Json> data{};             ///< More about it.

    friend bool operator==(const ErrorObject&, const ErrorObject&) = default;
};

/// The answer to a request: a result, or an error.
struct Response {
    std::optional<RequestId> id{};              ///< That of the request; nothing in an error for no known request.
    std::variant<Json, ErrorObject> outcome{};  ///< The result, or why there is none.

    friend bool operator==(const Response&, const Response&) = default;
};

/// Any message.
using Message = std::variant<Request, Notification, Response>;

/// What was received is not a message. `answer()` is what a server sends back.
class MessageError : public Error {
public:
    /// An error with this code, about the message of this id, if it has one.
    MessageError(int code, const std::string& message, std::optional<RequestId> id = std::nullopt)
        : Error(message), code_(code), id_(std::move(id)) {}

    /// Returns `error_code::parse_error` or `error_code::invalid_request`.
    [[nodiscard]] int code() const noexcept { return code_; }
    /// Returns the error as a response to the message.
    [[nodiscard]] Response answer() const { return {id_, ErrorObject{code_, what(), std::nullopt}}; }

private:
    int code_;
    std::optional<RequestId> id_;
};

/// Reads a message; what it has besides the members of its kind is ignored, and an id `null` of an error is none.
/// Throws `MessageError`, also for a batch.
[[nodiscard]] Message message_of(Json value);
/// The same for a JSON text of at most `max_bytes`. Numbers that a `Json` cannot hold are kept as the nearest ones that
/// it can (`ParseOptions::keep_large_numbers`).
///
/// @code{.cpp}
/// #include <acta/mcp/json_rpc.hpp>
/// #include <cassert>
/// const acta::mcp::Message ping = acta::mcp::parse_message(R"({"jsonrpc": "2.0", "id": 7, "method": "ping"})");
/// assert(std::get<acta::mcp::Request>(ping).method == "ping");
/// @endcode
[[nodiscard]] Message parse_message(std::string_view text, std::size_t max_bytes = ParseOptions().max_bytes);

/// Returns a message as JSON, without line breaks. Bytes that are not UTF-8 are replaced.
[[nodiscard]] std::string to_text(const Message& message);

}  // namespace acta::inline ACTA_ABI::mcp

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/json_rpc.inl.hpp"
#endif
