// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <variant>

#include "acta/action/action.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/json.hpp"
#include "acta/tool_response/reply.hpp"

// The reply of a platform's tool as the result of the action that called it.
namespace acta::inline ACTA_ABI {

/// Returns a reply as the result of an action. An error (`is_error(reply)`) becomes an error: the reason is the message
/// and, in brackets, other helpful members (the error, unknown inputs and the known ones, a status, details),
/// `exception_type` is the reply's type, such as `ErrorResponse`, and `args` holds the reply. Any other reply becomes a
/// success whose outputs are the reply as JSON, including its `type` and `message`.
///
/// @code{.cpp}
/// #include "acta/tool_response/models.hpp"
///
/// acta::ErrorResponse reply;
/// reply.message = "No such city.";
/// reply.error = "not_found";
/// const acta::ActionResult result = acta::result_from_tool_response(reply);
/// assert(acta::to_string(result) == "Action failed: 'No such city. (error: not_found)'");
/// @endcode
template <ToolReply T>
[[nodiscard]] ActionResult result_from_tool_response(const T& reply);
/// Returns a reply of an unknown type as a success.
[[nodiscard]] ActionResult result_from_tool_response(const UnknownResponse& reply);
/// The same for `ToolResponse`, or another variant of replies.
template <ToolResponseVariant R>
[[nodiscard]] ActionResult result_from_tool_response(const R& reply);

namespace interop_detail {

/// Returns the result of a reply, given as JSON; `title` is the name of its type.
[[nodiscard]] ActionResult reply_result(Json reply, bool failed, const std::string& title);

}  // namespace interop_detail

template <ToolReply T>
ActionResult result_from_tool_response(const T& reply) {
    return interop_detail::reply_result(to_json_value(reply), acta::is_error(reply), introspection::type_title<T>());
}

template <ToolResponseVariant R>
ActionResult result_from_tool_response(const R& reply) {
    return std::visit([](const auto& one) { return result_from_tool_response(one); }, reply);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/interop/detail/tool_response_result.inl.hpp"
#endif
