// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/tool_response/response_type.hpp"

// Obstacles to a call: a missing login, an error, inputs that do not fit. response_type.hpp explains the ids.
namespace acta::inline ACTA_ABI {

/// The user must log in first.
struct NeedLoginResponse {
    std::string message{};                    ///< What happened, in words for people.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::optional<JsonObject>
        agent_info{};  ///< The agent that was to run, so that the run can be resumed after the login.

    friend bool operator==(const NeedLoginResponse&, const NeedLoginResponse&) = default;
};

template <>
struct Describe<NeedLoginResponse> {
    using T = NeedLoginResponse;
    static constexpr std::string_view doc = "Response when login is needed.";
    static constexpr auto fields =
        acta::fields(response_fields<T>(ResponseType::need_login), defaulted("agent_info", &T::agent_info));
    static bool failed(const T&) { return true; }
};

/// The tool failed.
struct ErrorResponse {
    std::string message{};                    ///< For the user.
    std::optional<std::string> session_id{};  ///< The chat session.
    std::optional<std::string> error{};   ///< What failed, for programs and logs: a code, or the text of an exception.
    std::optional<JsonObject> details{};  ///< Details; see `error_details_view`.

    friend bool operator==(const ErrorResponse&, const ErrorResponse&) = default;
};

template <>
struct Describe<ErrorResponse> {
    using T = ErrorResponse;
    static constexpr std::string_view doc = "Response for errors.";
    static constexpr auto fields = acta::fields(response_fields<T>(ResponseType::error), defaulted("error", &T::error),
                                                defaulted("details", &T::details));
    static bool failed(const T&) { return true; }
};

/// The given inputs do not fit the agent; nothing was run.
struct InputValidationErrorResponse {
    std::string message{};                           ///< What happened, in words for people.
    std::optional<std::string> session_id{};         ///< The chat session.
    std::vector<std::string> unrecognized_fields{};  ///< The given inputs that the agent does not have.
    JsonObject inputs{};                             ///< Its inputs, as JSON Schema; see `inputs_view`.
    std::optional<std::string> graph_id{};           ///< The graph that was to run.
    std::optional<std::int64_t> graph_version{};     ///< The version of the graph whose inputs these are.

    friend bool operator==(const InputValidationErrorResponse&, const InputValidationErrorResponse&) = default;
};

template <>
struct Describe<InputValidationErrorResponse> {
    using T = InputValidationErrorResponse;
    static constexpr std::string_view doc = "Response when run_agent receives unknown input fields.";
    static constexpr auto fields = acta::fields(
        response_fields<T>(ResponseType::input_validation_error),
        required("unrecognized_fields", &T::unrecognized_fields, "List of input field names that were not recognized"),
        required("inputs", &T::inputs, "The agent's valid input schema for reference"),
        defaulted("graph_id", &T::graph_id), defaulted("graph_version", &T::graph_version));
    static bool failed(const T&) { return true; }
};

}  // namespace acta::inline ACTA_ABI
