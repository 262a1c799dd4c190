// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "acta/chat/message.hpp"

// Messages in the form of Anthropic's Messages API (API reference, "Messages"; guides "Tool use" and "Extended
// thinking").
namespace acta::inline ACTA_ABI::anthropic {

/// Returns the messages as the members `system` and `messages` of a request. Instructions become `system`, wherever
/// they are. Roles alternate, the user first; results come first in the user's message after their calls, and those of
/// failed calls have `is_error`. Thinking and other blocks of the model's answers are in `extra["anthropic"]` and are
/// written back in their places. A part without a form in the API becomes text that describes it (`to_string`). Ids
/// have the characters that the API allows, and each call has one of its own. Blank texts and thinking at the end of an
/// answer, which the API refuses, are omitted; an answer that is nothing else becomes `(no text)`. One that is the last
/// message does not end in white space. Throws `EncodeError` if a text is not valid UTF-8.
///
/// @code{.cpp}
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::system("You are an agent."),
///                                               acta::ChatMessage::user("Find the tides."),
///                                               acta::ChatMessage::assistant("", {{"c1", {"search", {}}}}),
///                                               acta::ChatMessage::tool("c1", "3 results")};
/// const acta::JsonObject request = acta::anthropic::to_wire(messages);   // {"system": ..., "messages": [...]}
/// assert(acta::anthropic::from_wire(acta::Json(request)) == messages);
/// @endcode
[[nodiscard]] JsonObject to_wire(std::span<const ChatMessage> messages);

/// Returns the messages of a request (an object with `messages` and perhaps `system`), of a list of messages, or of one
/// message, such as a response. A message of the user with results of calls becomes one message for each result, and
/// one for everything else in it. Throws `ValidationError`.
[[nodiscard]] std::vector<ChatMessage> from_wire(const Json& request);

}  // namespace acta::inline ACTA_ABI::anthropic

#ifndef ACTA_COMPILED
#include "acta/provider/anthropic/detail/wire.inl.hpp"
#endif
