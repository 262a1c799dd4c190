// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "acta/chat/message.hpp"

// Messages as OpenAI's chat completions have them (API reference, "Chat"), the language of many other servers as well.
namespace acta::inline v0::openai {

/// When `ChatMessage::reasoning_content` is sent back, which DeepSeek's, Kimi's, Qwen's and llama.cpp's servers
/// understand.
enum class SendReasoning {
    never,       ///< For servers that refuse it, such as OpenAI's own.
    with_calls,  ///< With tool calls: there DeepSeek and Kimi insist on it; with other answers they refuse or ignore
                 ///< it.
    always
};

/// The messages as the `messages` of a request. `extra["openai"]` is written back, that of other providers is not.
/// A part that the API has no form for becomes text that says what it is (`to_string`), and so does the failure of a
/// call
/// (`Action failed: '...'`). Throws `EncodeError` if a text is not valid UTF-8.
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

/// The messages of a request or a log: what `validate<std::vector<ChatMessage>>` reads. Throws `ValidationError`.
[[nodiscard]] std::vector<ChatMessage> from_wire(const Json& messages);

}  // namespace acta::inline v0::openai

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/wire.inl.hpp"
#endif
