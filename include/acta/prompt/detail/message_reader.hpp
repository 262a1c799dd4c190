// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "acta/action/proposal.hpp"
#include "acta/history/history.hpp"

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

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI::prompt_detail {
extern template EpisodicActionHistory<> history_of<ActionProposal<>>(ReadMessages read);
}  // namespace acta::inline ACTA_ABI::prompt_detail
#endif
