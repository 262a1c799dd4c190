// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "acta/tool_response/detail/texts.hpp"
#include "acta/tool_response/response_type.hpp"

// Long-running calls. Two replies have the type `operation_started`: in one the platform itself continues in the
// background, in the other another service took over; tool_response.hpp says how they are distinguished, and
// operation_tracker.hpp follows a call from start to end. response_type.hpp explains the ids.
namespace acta::inline ACTA_ABI {

/// The call continues in the background, on the platform itself.
struct OperationStartedResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string operation_id{};               ///< The long-running call.
    std::string tool_name{};                  ///< The tool that was called.
    std::optional<std::string> task_id{};     ///< Its event stream, if there is one.

    friend bool operator==(const OperationStartedResponse&, const OperationStartedResponse&) = default;
};

template <>
struct Describe<OperationStartedResponse> {
    using T = OperationStartedResponse;
    static constexpr std::string_view doc =
        "Response when a long-running operation has been started in the background.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::operation_started), required("operation_id", &T::operation_id),
                     required("tool_name", &T::tool_name), defaulted("task_id", &T::task_id));
};

/// Placeholder for the call's result in the chat's history until the result arrives.
struct OperationPendingResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string operation_id{};               ///< The long-running call.
    std::string tool_name{};                  ///< The tool that was called.

    friend bool operator==(const OperationPendingResponse&, const OperationPendingResponse&) = default;
};

template <>
struct Describe<OperationPendingResponse> {
    using T = OperationPendingResponse;
    static constexpr std::string_view doc =
        "Response stored in chat history while a long-running operation is executing.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::operation_pending), required("operation_id", &T::operation_id),
                     required("tool_name", &T::tool_name));
};

/// The same call was made again while the first one was still running: nothing new was started.
struct OperationInProgressResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::string tool_call_id{};               ///< The call that is running.

    friend bool operator==(const OperationInProgressResponse&, const OperationInProgressResponse&) = default;
};

template <>
struct Describe<OperationInProgressResponse> {
    using T = OperationInProgressResponse;
    static constexpr std::string_view doc = "Response when an operation is already in progress.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::operation_in_progress),
                                                required("tool_call_id", &T::tool_call_id));
};

/// Another service took over and will report when it is done. Its type is also `operation_started`.
struct AsyncProcessingResponse {
    std::string message{};                          ///< What happened, in words for people.
    std::optional<std::string> session_id{};        ///< The chat session.
    std::string status{texts::operation_accepted};  ///< `accepted`.
    std::optional<std::string> operation_id{};      ///< The long-running call, if it has an id.
    std::optional<std::string> task_id{};           ///< Its event stream, if there is one.

    friend bool operator==(const AsyncProcessingResponse&, const AsyncProcessingResponse&) = default;
};

template <>
struct Describe<AsyncProcessingResponse> {
    using T = AsyncProcessingResponse;
    static constexpr std::string_view doc = "Response when an operation has been delegated to async processing.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::operation_started), defaulted("status", &T::status),
                     defaulted("operation_id", &T::operation_id), defaulted("task_id", &T::task_id));
};

}  // namespace acta::inline ACTA_ABI
