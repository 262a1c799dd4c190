// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/chat/message.hpp"

// The reasoning of a model that thinks before it answers. Servers of open models (DeepSeek, Kimi, Qwen, llama.cpp,
// vLLM) return it as `reasoning_content` or `reasoning` beside `content`, or leave it at the start of `content`,
// between `<think>` and `</think>`. Chat templates that open the block in the prompt leave only the closing tag in the
// answer.
namespace acta::inline ACTA_ABI {

/// A text taken apart by `split_reasoning`. The views point into the text that was split.
struct SplitReasoning {
    std::string_view reasoning{};  ///< The text between the tags, without the white space around it.
    std::string_view answer{};     ///< The rest, without the white space before it; the whole text without tags.
};

/// Splits `<think>...</think>` off the start of `text`; white space may stand before it, and the opening tag may be
/// missing. The text is all answer if the closing tag is missing, if an opening tag follows anything else, or if a
/// closing tag without an opening one stands in quotes: then the answer is about it. Linear.
///
/// @code{.cpp}
/// const std::string reply = "<think>\nThe user wants tides.\n</think>\n\nHigh water is at noon.";
/// const acta::SplitReasoning parts = acta::split_reasoning(reply);
/// assert(parts.reasoning == "The user wants tides.");
/// assert(parts.answer == "High water is at noon.");
/// @endcode
[[nodiscard]] SplitReasoning split_reasoning(std::string_view text) noexcept;

/// Collects a message's reasoning in `message.reasoning_content`: `field`, which the server sent beside the content,
/// and a `<think>` block, which is removed from the start of `message.content`. If there are both, the block follows
/// the field on a line of its own, and must have its opening tag; empty reasoning leaves the member unset.
void take_reasoning(AssistantChatMessage& message, std::optional<std::string> field = {});

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/chat/detail/reasoning.inl.hpp"
#endif
