// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/history_view.hpp"

// What a history says of the task that a run works on.
namespace acta::inline ACTA_ABI::agent_detail {

/// Returns whether there is anything to work on.
[[nodiscard]] ACTA_INLINE bool has_task(HistoryEditor& editor) {
    const HistoryView history = editor.view();
    const auto is_task = [](const ConversationMessage& said) { return said.message.role != ChatRole::system; };
    return history.size() != 0 || !history.pending_feedback().empty() ||
           std::ranges::any_of(history.messages(), is_task);
}
/// An answer, and why it is incomplete.
struct FoundAnswer {
    AssistantChatMessage message{};
    std::string finish_reason{};
};

/// Returns the answer with which the history ends; none if the model has to continue.
[[nodiscard]] ACTA_INLINE std::optional<FoundAnswer> answer_of(HistoryEditor& history) {
    const ChatMessage* const answer = history.view().answer();
    if (answer == nullptr) return std::nullopt;
    FoundAnswer out{to_assistant_message(*answer)};
    const auto& metrics = history.view().messages().back().metrics;
    if (metrics) out.finish_reason = metrics->finish_reason;
    const FinishReason finish = finish_reason_of(out.finish_reason);
    if (finish == FinishReason::paused || finish == FinishReason::error) return std::nullopt;
    return out;
}
/// Returns whether a person said this message. What a run tells the model about an answer follows that answer, with
/// which no run has ended.
[[nodiscard]] ACTA_INLINE bool is_of_person(const HistoryView& history, std::size_t i) {
    const ConversationMessage& said = history.messages()[i];
    if (said.message.role != ChatRole::user) return false;
    if (i == 0 || history.messages()[i - 1].message.role != ChatRole::assistant ||
        history.messages()[i - 1].before != said.before)
        return true;
    return std::ranges::any_of(history.runs(), [&said](const RunRecord& run) {
        return run.after == said.before && run.end == to_string(RunEnd::answered);
    });
}
/// Returns what the steps and answers since a person last said something have used; `steps` counts their requests.
[[nodiscard]] ACTA_INLINE MetricsTotals used_for_task(HistoryEditor& editor) {
    const HistoryView history = editor.view();
    MetricsTotals out;
    const auto add = [&out](const Boxed<StepMetrics>& metrics) {
        if (metrics) out.add(*metrics);
    };
    std::size_t first_step = 0;
    for (std::size_t i = history.messages().size(); i-- > 0;) {
        if (is_of_person(history, i)) {
            first_step = history.messages()[i].before;
            break;
        }
        add(history.messages()[i].metrics);
    }
    for (std::size_t i = first_step; i < history.size(); ++i) add(*history.step(i).metrics);
    return out;
}
/// Makes messages of the feedback that waits. Returns whether there was any.
[[nodiscard]] ACTA_INLINE bool take_feedback(HistoryEditor& history) {
    if (history.view().pending_feedback().empty()) return false;
    history.apply(FeedbackTaken{});
    return true;
}
/// Returns the calls of the open step that have no result; nothing if no step is open.
[[nodiscard]] ACTA_INLINE std::optional<std::vector<OpenCall>> open_calls_of(HistoryEditor& editor) {
    const HistoryView history = editor.view();
    if (history.cursor() == history.size() || *history.step(history.cursor()).result) return std::nullopt;
    return editor.open_calls();
}

}  // namespace acta::inline ACTA_ABI::agent_detail
