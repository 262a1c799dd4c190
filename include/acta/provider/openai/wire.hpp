// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/chat/message.hpp"
#include "acta/provider/openai/server_traits.hpp"

// Messages in the form of OpenAI's chat completions (API reference, "Chat"), which many other servers also use.
namespace acta::inline ACTA_ABI::openai {

/// Returns the messages as the `messages` of a request. `extra["openai"]` is written back, that of other providers is
/// not. A part without a form in the API becomes text that describes it (`to_string`), and so does the failure of a
/// call (`Action failed: '...'`). Images, audio and files in the result of a call, which the API refuses there, follow
/// in a message of the user after the results of the step, from which `from_wire` takes them back. Several results of
/// one call are joined, and each call has an id of its own. Throws `EncodeError` if a text is not valid UTF-8.
///
/// @code{.cpp}
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("Find the tides."),
///                                               acta::ChatMessage::assistant("", {{"c1", {"search", {}}}}),
///                                               acta::ChatMessage::tool("c1", "3 results")};
/// const acta::JsonArray wire = acta::openai::to_wire(messages);
/// assert(acta::openai::from_wire(acta::Json(wire)) == messages);
/// @endcode
[[nodiscard]] JsonArray to_wire(std::span<const ChatMessage> messages,
                                SendReasoning reasoning = SendReasoning::with_calls);

/// Returns the messages of a request or a log, as `validate<std::vector<ChatMessage>>` does, with the parts that
/// `to_wire` put after the results of calls in their places. Throws `ValidationError`.
[[nodiscard]] std::vector<ChatMessage> from_wire(const Json& messages);

}  // namespace acta::inline ACTA_ABI::openai

/// Messages as the items of OpenAI's Responses API (API reference, "Responses"; guide "Function calling").
namespace acta::inline ACTA_ABI::openai::responses {

/// Returns the messages as the `input` of a request. Reasoning, built-in tools and everything else in the model's
/// answers is in `extra["openai_responses"]` and is written back in its place, so that encrypted reasoning comes back
/// unchanged, unless the item that must follow it is missing, as in an answer that was cut. Each call has an id of its
/// own. A part without a form in the API becomes text that describes it (`to_string`), and so does the failure of a
/// call (`Action failed: '...'`). Throws `EncodeError` if a text is not valid UTF-8.
///
/// @code{.cpp}
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("Find the tides."),
///                                               acta::ChatMessage::assistant("", {{"c1", {"search", {}}}}),
///                                               acta::ChatMessage::tool("c1", "3 results")};
/// const acta::JsonArray input = acta::openai::responses::to_wire(messages);   // message, function_call, its output
/// assert(acta::openai::responses::from_wire(acta::Json(input)) == messages);
/// @endcode
[[nodiscard]] JsonArray to_wire(std::span<const ChatMessage> messages);

/// Returns the messages of a list of items, of a request (an object with `input` and perhaps `instructions`), or of a
/// response (an object with `output`). Consecutive items of the model are one message of the assistant, until it says a
/// second text without having called anything. Calls of custom tools have the argument `input`. Items that are neither
/// messages nor calls become messages of the user whose part is the item. Throws `ValidationError`.
[[nodiscard]] std::vector<ChatMessage> from_wire(const Json& request);

}  // namespace acta::inline ACTA_ABI::openai::responses

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/wire.inl.hpp"
#endif
