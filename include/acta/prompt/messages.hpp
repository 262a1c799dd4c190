// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <concepts>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/history/history.hpp"
#include "acta/prompt/prompt.hpp"

// From messages to a history.
namespace acta::inline ACTA_ABI::prompt_detail {

/// A step, as read.
struct ReadStep {
    AssistantChatMessage said{};
    std::vector<std::string> call_ids{};  ///< Of parallel calls.
    std::optional<ActionResult> result{};
    std::vector<ToolResult> tool_results{};
};

/// The content of a list of messages.
struct ReadMessages {
    std::vector<ReadStep> steps{};
    std::vector<ConversationMessage> conversation{};
};

[[nodiscard]] ReadMessages read_messages(std::span<const ChatMessage> messages);

template <class P>
[[nodiscard]] EpisodicActionHistory<P> history_of(ReadMessages read) {
    HistoryRecord<P> record;
    for (ReadStep& step : read.steps) {
        Episode<P> episode;
        episode.action = proposal_from<P>(std::move(step.said));
        // A history stores the ids of parallel calls, unless they are those of the message.
        const AssistantChatMessage* const raw = find_raw_message(episode.action);
        const auto is_id_of = [](const std::string& id, const AssistantToolCall& call) { return id == call.id; };
        if (raw == nullptr || step.call_ids.empty() ||
            !std::equal(step.call_ids.begin(), step.call_ids.end(), raw->tool_calls->begin(), raw->tool_calls->end(),
                        is_id_of))
            episode.tool_call_ids = std::move(step.call_ids);
        episode.result = std::move(step.result);
        episode.tool_results = std::move(step.tool_results);
        record.episodes.push_back(std::move(episode));
    }
    const bool is_open = !record.episodes.empty() && !record.episodes.back().result;
    record.cursor = static_cast<std::int64_t>(record.episodes.size()) - (is_open ? 1 : 0);
    record.conversation = std::move(read.conversation);
    return EpisodicActionHistory<P>(std::move(record));
}

}  // namespace acta::inline ACTA_ABI::prompt_detail

namespace acta::inline ACTA_ABI {

/// How a history becomes messages.
struct MessageOptions {
    /// Without a value, everything is shown in full.
    std::optional<PromptOptions> budget{};
};

/// Returns the messages that show a history to a model: the conversation, and for each step the assistant's message
/// followed by exactly one `tool` message for each of its calls, whether or not their results are known. Ids are unique
/// within the list. Feedback of interruptions and pending feedback are user messages, the latter at the end.
/// `history_from_messages` reads the same calls and results (docs/reference/prompt.md, "A history as messages").
///
/// With a budget, only the newest steps are shown in this form and older ones as lines of text in a user message, as in
/// `Prompt`; see `PromptOptions`. Outputs and the texts in arguments are cut by `full_output`; the newest step is cut
/// to fit. A part that is not text counts as 1000 tokens.
///
/// Linear up to a logarithm; with a budget as `Prompt`. Throws `EncodeError` if outputs or arguments are not UTF-8.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("Find the tides."));
/// history.register_action({.thoughts = "Look.", .use_tool = {"search", {{"query", "tides"}}}});
/// history.register_result(acta::ActionSuccessResult{.outputs = "3 results"});
/// const std::vector<acta::ChatMessage> messages = acta::to_messages(history);
/// assert(messages.size() == 3);   // user, assistant, tool
/// const auto short_ones = acta::to_messages(history, {.budget = acta::PromptOptions{.max_full_tokens = 8000}});
/// @endcode
[[nodiscard]] std::vector<ChatMessage> to_messages(const HistoryView& history, const MessageOptions& options = {});

/// Returns the history in a list of messages. Each message of the assistant that calls tools is a step
/// (`proposal_from`); the results of its calls come from the messages after it, and a call without one leaves its step
/// unfinished. All other messages become its conversation. Throws `ValidationError`, with the location of each issue,
/// if a result belongs to no call (`tool_call_unknown`) or is its second one (`tool_call_answered`). Linear up to a
/// logarithm.
///
/// @code{.cpp}
/// #include <acta/json/json.hpp>
/// const auto messages = acta::parse<std::vector<acta::ChatMessage>>(R"([
///     {"role": "user", "content": "Find the tides."},
///     {"role": "assistant", "tool_calls": [{"id": "c1", "function": {"name": "search", "arguments": "{}"}}]},
///     {"role": "tool", "tool_call_id": "c1", "content": "3 results"}])");
/// const auto history = acta::history_from_messages(messages);
/// assert(history.size() == 1);
/// assert(history.messages().front().message.content == "Find the tides.");
/// @endcode
template <ProposalWithParallelCalls P = ActionProposal<>>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
[[nodiscard]] EpisodicActionHistory<P> history_from_messages(std::span<const ChatMessage> messages) {
    return prompt_detail::history_of<P>(prompt_detail::read_messages(messages));
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/prompt/detail/messages.inl.hpp"
#endif

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI::prompt_detail {
extern template EpisodicActionHistory<> history_of<ActionProposal<>>(ReadMessages read);
}  // namespace acta::inline ACTA_ABI::prompt_detail
#endif
