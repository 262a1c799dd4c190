// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/history/history.hpp"

// A history as the messages of a conversation, and back: what the formats of all APIs have in common. The functions are
// in a header for each API, such as acta/interop/openai/history.hpp.
namespace acta::inline v0 {

/// A message that belongs to no step of the agent: instructions, the task, what the user said between steps, and
/// answers of the assistant that called no tool.
///
/// @code{.cpp}
/// const acta::ContextMessage task{.step = 0, .message = acta::ChatMessage::user("Find the tides.")};
/// @endcode
struct ContextMessage {
    std::size_t step = 0;   ///< It stands before this step, counted from 0; at the end from the number of steps on.
    ChatMessage message{};  ///< Who says what.
    /// The content as typed parts (text, images, files, ...), each as OpenAI's or Anthropic's API has it; empty where
    /// the content is one text. `message.content` says the same as text, with placeholders for binary content.
    std::vector<JsonObject> parts{};
    std::optional<std::string> reasoning_content{};  ///< What the assistant thought before this answer.

    friend bool operator==(const ContextMessage&, const ContextMessage&) = default;
};

/// When `raw_message.reasoning_content` is sent back as `reasoning_content`, which DeepSeek's, Kimi's, Qwen's and
/// llama.cpp's servers understand. Messages for Anthropic never have it: see `AnthropicThoughts`.
enum class SendReasoning {
    never,       ///< For servers that refuse it, such as OpenAI's own.
    with_calls,  ///< With tool calls: there DeepSeek and Kimi insist on it; with other answers they refuse or ignore
                 ///< it.
    always
};

/// How a history becomes messages.
struct HistoryMessagesOptions {
    /// Instructions, the task and what else is not a step; messages of the same step stay in this order. The roles
    /// `system`, `user` and `assistant` stay what they are, all others become the user's.
    std::vector<ContextMessage> context{};
    /// Older steps that have a summary are written with it instead of their thoughts and results. Their calls stay.
    bool use_summaries = false;
    std::size_t full_steps = 4;  ///< So many of the newest steps are never replaced by summaries.
    /// The name of a tool in the API, from its own: an API may not allow all names. Without a function they are equal.
    std::function<std::string(std::string_view)> tool_name{};
    /// What the user says first where there is nothing else: Anthropic's API requires a user's message first.
    std::string opening{"Go on with your task."};
    /// Whether the model's reasoning is sent back. Without effect for Anthropic.
    SendReasoning reasoning = SendReasoning::with_calls;
};

/// How messages become a history.
struct ReadMessagesOptions {
    /// The own name of a tool, from its name in the API. Without a function they are equal.
    std::function<std::string(std::string_view)> tool_name{};
};

/// What was read from a list of messages.
template <class P = ActionProposal<>>
struct MessageHistory {
    EpisodicActionHistory<P> history{};     ///< The steps: answers of the assistant that call tools, and their results.
    std::vector<ContextMessage> context{};  ///< Messages that belong to no step, in order.

    friend bool operator==(const MessageHistory&, const MessageHistory&) = default;
};

namespace interop_detail {

/// The context in the order of the steps that it belongs to.
[[nodiscard]] std::vector<const ContextMessage*> ordered_context(const std::vector<ContextMessage>& context);

}  // namespace interop_detail

}  // namespace acta::inline v0

#ifndef ACTA_COMPILED
#include "acta/interop/detail/history_messages.inl.hpp"
#endif
