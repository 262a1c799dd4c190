// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_set>
#include <utility>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/history_view.hpp"

// What a history says of the task that a run works on, and what an answer says of its end.
namespace acta::inline ACTA_ABI::agent_detail {

/// Returns whether an answer with this finish reason is complete, as far as is known: some servers give no reason, or
/// one in words of their own.
[[nodiscard]] constexpr bool is_complete(FinishReason finish) noexcept {
    return finish == FinishReason::stop || finish == FinishReason::tool_calls || finish == FinishReason::unknown;
}
/// Returns how an answer ends the run.
[[nodiscard]] constexpr RunEnd end_of(FinishReason finish) noexcept {
    if (finish == FinishReason::length) return RunEnd::truncated;
    return finish == FinishReason::content_filter ? RunEnd::refused : RunEnd::answered;
}

/// Returns whether there is anything to work on.
[[nodiscard]] ACTA_INLINE bool has_task(HistoryEditor& editor) {
    const HistoryView history = editor.view();
    const auto is_task = [](const ConversationMessage& said) { return said.message.role != ChatRole::system; };
    return history.size() != 0 || !history.pending_feedback().empty() ||
           std::ranges::any_of(history.messages(), is_task);
}
/// An answer, and why it is incomplete.
struct FinalAnswer {
    AssistantChatMessage message{};
    std::string finish_reason{};
};

/// Returns the answer with which the history ends; none if the model has to continue.
[[nodiscard]] ACTA_INLINE std::optional<FinalAnswer> answer_of(HistoryEditor& history) {
    const ChatMessage* const answer = history.view().answer();
    if (answer == nullptr) return std::nullopt;
    FinalAnswer out{to_assistant_message(*answer)};
    const auto& metrics = history.view().messages().back().metrics;
    if (metrics) out.finish_reason = metrics->finish_reason;
    const FinishReason finish = finish_reason_of(out.finish_reason);
    if (finish == FinishReason::paused || finish == FinishReason::error) return std::nullopt;
    return out;
}
/// Returns whether a person said this message. What a run tells the model about an answer follows that answer, with
/// which no run has ended. `answered` has the numbers of steps at which runs have, sorted.
[[nodiscard]] ACTA_INLINE bool is_of_person(const HistoryView& history, std::size_t i,
                                            const std::vector<std::size_t>& answered) {
    const ConversationMessage& said = history.messages()[i];
    if (said.message.role != ChatRole::user) return false;
    if (i == 0 || history.messages()[i - 1].message.role != ChatRole::assistant ||
        history.messages()[i - 1].before != said.before)
        return true;
    return std::ranges::binary_search(answered, said.before);
}
/// Returns what the steps and answers since a person last said something have used; `steps` counts their requests.
[[nodiscard]] ACTA_INLINE MetricsTotals used_for_task(HistoryEditor& editor) {
    const HistoryView history = editor.view();
    MetricsTotals out;
    const auto add = [&out](const Boxed<StepMetrics>& metrics) {
        if (metrics) out.add(*metrics);
    };
    std::vector<std::size_t> answered;
    for (const RunRecord& run : history.runs()) {
        if (run.end == to_string(RunEnd::answered)) answered.push_back(run.after);
    }
    std::ranges::sort(answered);
    std::size_t first_step = 0;
    for (std::size_t i = history.messages().size(); i-- > 0;) {
        if (is_of_person(history, i, answered)) {
            first_step = history.messages()[i].before;
            break;
        }
        add(history.messages()[i].metrics);
    }
    for (std::size_t i = first_step; i < history.size(); ++i) add(*history.step(i).metrics);
    return out;
}
/// Makes ids of calls that no other call of a history has. Many servers, and acta for those that send none, begin at
/// `call_0` in each answer.
class CallIds {
public:
    /// Returns these ids of the calls of a new step, with others for those that the history has; nothing if all are
    /// new. Linear in the steps since the last time.
    [[nodiscard]] std::vector<std::string> renew(const HistoryView& history, std::vector<std::string> ids) {
        seen_steps_ = std::min(seen_steps_, history.size());  // ids of steps that were taken back are not used again
        for (; seen_steps_ < history.size(); ++seen_steps_) {
            for (const std::string& id : history.call_ids(seen_steps_)) add(id);
        }
        std::vector<std::string*> known;
        for (std::string& id : ids) {
            if (!add(id)) known.push_back(&id);
        }
        if (known.empty()) return {};
        for (std::string* const id : known) {
            do {
                *id = "call_" + std::to_string(next_++);
            } while (!add(*id));
        }
        return ids;
    }

private:
    /// Returns whether it is new.
    bool add(std::string_view id) { return used_.insert(std::hash<std::string_view>()(id)).second; }

    std::unordered_set<std::size_t> used_{};  // hashes: two ids of one hash cost a new id
    std::size_t next_ = 0;
    std::size_t seen_steps_ = 0;
};

/// Why an answer is refused, and what the model reads about it.
struct AnswerRefusal {
    std::string why{};
    std::string letter{};
};
using AnswerCheck = std::function<std::optional<AnswerRefusal>(const AssistantChatMessage&)>;

/// Returns what a model said of the failure of a request.
[[nodiscard]] ACTA_INLINE std::optional<ChatModelFailure> failure_of(const std::exception_ptr& exception) {
    try {
        if (exception) std::rethrow_exception(exception);
    } catch (const ChatModelError& error) {
        return error.failure();
    } catch (const Timeout&) {
        return ChatModelFailure{.fault = ChatModelFault::connection, .is_transient = true};
    } catch (...) {
        return std::nullopt;
    }
    return std::nullopt;
}

/// Calls a function, and returns the `HistoryError` that it throws.
template <class Function>
[[nodiscard]] std::optional<HistoryError> refusal_of(const Function& function) {
    try {
        function();
    } catch (const HistoryError& error) {
        return error;
    }
    return std::nullopt;
}

/// Makes messages of the feedback that waits. Returns whether there was any.
[[nodiscard]] ACTA_INLINE bool take_feedback(HistoryEditor& history) {
    if (history.view().pending_feedback().empty()) return false;
    history.apply(FeedbackTaken{});
    return true;
}
/// A step that a run before left open.
struct FoundStep {
    std::vector<OpenCall> calls{};      // those that have no result
    std::vector<std::size_t> places{};  // of these among the calls of the step
    std::string finish_reason{};        // why the answer with them is incomplete
};
/// Returns the open step, if there is one.
[[nodiscard]] ACTA_INLINE std::optional<FoundStep> open_step_of(HistoryEditor& editor) {
    const HistoryView history = editor.view();
    const std::size_t at = history.cursor();
    if (at == history.size() || *history.step(at).result) return std::nullopt;
    FoundStep out{editor.open_calls()};
    const std::vector<std::string> ids = history.call_ids(at);
    for (std::size_t i = 0; i < ids.size(); ++i) {
        const std::size_t next = out.places.size();
        if (next < out.calls.size() && out.calls[next].call.id == ids[i]) out.places.push_back(i);
    }
    if (const Boxed<StepMetrics>& metrics = *history.step(at).metrics) out.finish_reason = metrics->finish_reason;
    return out;
}

}  // namespace acta::inline ACTA_ABI::agent_detail
