// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <utility>

#include "acta/base/error.hpp"

namespace acta::inline ACTA_ABI {

/// Why a model did not answer.
enum class ChatModelFault {
    configuration,    ///< The options cannot be used; nothing was sent.
    connection,       ///< There was no connection, or it broke.
    security,         ///< The identity of the server could not be verified (TLS).
    status,           ///< The server answered with an error status.
    reply,            ///< The answer of the server is not a completion.
    too_large,        ///< The answer is larger than the limit.
    context_too_long  ///< The server refused the request because the model cannot read so many tokens.
};

/// The details of a failed request.
struct ChatModelFailure {
    /// The kind of failure.
    ChatModelFault fault = ChatModelFault::connection;
    int status = 0;             ///< Of HTTP; 0 if there was no answer.
    std::string code{};         ///< The server's `error.code`, as text if it was a number.
    std::string type{};         ///< The server's `error.type`.
    std::string request_id{};   ///< The `x-request-id` of the answer, for the server's operators.
    bool is_transient = false;  ///< The same request may succeed later.
    /// How long the server asks to wait before the next request.
    std::optional<std::chrono::milliseconds> retry_after{};
    int attempts = 0;  ///< The number of requests.
};

/// A model did not answer. `what()` says why, in the server's words if it has any; no text contains a key. A request
/// whose deadline passes or that is stopped throws `Timeout` or `Cancelled` instead.
class ChatModelError : public Error {
public:
    /// `message` is `what()`.
    ChatModelError(const std::string& message, ChatModelFailure failure)
        : Error(message), failure_(std::move(failure)) {}

    /// Returns why the model did not answer.
    [[nodiscard]] ChatModelFault fault() const noexcept { return failure_.fault; }
    /// Returns the HTTP status; 0 if there was no answer.
    [[nodiscard]] int status() const noexcept { return failure_.status; }
    /// Returns the server's `error.code`.
    [[nodiscard]] const std::string& code() const noexcept { return failure_.code; }
    /// Returns the server's `error.type`.
    [[nodiscard]] const std::string& type() const noexcept { return failure_.type; }
    /// Returns the server's id of the request.
    [[nodiscard]] const std::string& request_id() const noexcept { return failure_.request_id; }
    /// Returns whether the same request may succeed later.
    [[nodiscard]] bool is_transient() const noexcept { return failure_.is_transient; }
    /// Returns how long the server asks to wait.
    [[nodiscard]] std::optional<std::chrono::milliseconds> retry_after() const noexcept { return failure_.retry_after; }
    /// Returns the number of requests.
    [[nodiscard]] int attempts() const noexcept { return failure_.attempts; }
    /// Returns all details.
    [[nodiscard]] const ChatModelFailure& failure() const noexcept { return failure_; }

    /// Returns an error of the fault `configuration`, for clients to throw before they send anything.
    [[nodiscard]] static ChatModelError configuration(const std::string& message) {
        return {message, {.fault = ChatModelFault::configuration}};
    }

private:
    ChatModelFailure failure_;
};

}  // namespace acta::inline ACTA_ABI
