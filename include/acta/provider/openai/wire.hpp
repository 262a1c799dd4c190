// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <vector>

#include "acta/chat/message.hpp"

// Messages in the form of OpenAI's chat completions (API reference, "Chat"), which many other servers also use.
namespace acta::inline ACTA_ABI::openai {

/// When `ChatMessage::reasoning_content` is sent back, which DeepSeek's, Kimi's, Qwen's and llama.cpp's servers
/// understand.
enum class SendReasoning {
    never,       ///< For servers that refuse it, such as OpenAI's own.
    with_calls,  ///< With tool calls, where DeepSeek and Kimi insist on it; they refuse or ignore it elsewhere.
    always
};

/// Returns the messages as the `messages` of a request. `extra["openai"]` is written back, that of other providers is
/// not. A part without a form in the API becomes text that describes it (`to_string`), and so does the failure of a
/// call (`Action failed: '...'`). Throws `EncodeError` if a text is not valid UTF-8.
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

/// Returns the messages of a request or a log, as `validate<std::vector<ChatMessage>>` does. Throws `ValidationError`.
[[nodiscard]] std::vector<ChatMessage> from_wire(const Json& messages);

}  // namespace acta::inline ACTA_ABI::openai

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/wire.inl.hpp"
#endif
