// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>

#include "acta/json/issue.hpp"
#include "acta/tool_response/models.hpp"

// The issues of an input, as the reply of a platform's tool.
namespace acta::inline ACTA_ABI {

/// Returns the reply of a tool whose input could not be read: the message states every issue in words, `error` is
/// `validation_error`, and `details` holds the issues as pydantic lists them (`loc`, `type`, `msg`, `input`).
///
/// @code{.cpp}
/// #include "acta/action/action.hpp"
/// #include "acta/json/json.hpp"
///
/// try {
///     static_cast<void>(acta::parse<acta::AssistantFunctionCall>(R"({"name": 1, "arguments": {}})"));
/// } catch (const acta::ValidationError& error) {
///     const acta::ErrorResponse reply = acta::to_error_response(error);
///     assert(reply.message == "Invalid input: name: Input should be a valid string (it is 1)");
/// }
/// @endcode
[[nodiscard]] ErrorResponse to_error_response(const ValidationError& error, std::optional<std::string> session_id = {});

/// Returns the reply of a tool that runs an agent and was sent inputs that do not fit it: besides the message it names
/// the fields that the agent does not have (issues `extra_forbidden`, so read the inputs with `UnknownKeys::forbid`)
/// and the inputs that it takes: `inputs` is its JSON Schema. The graph's id and version are left to the caller.
[[nodiscard]] InputValidationErrorResponse to_input_validation_error_response(
    const ValidationError& error, JsonObject inputs, std::optional<std::string> session_id = {});

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/interop/detail/tool_response_result.inl.hpp"
#endif
