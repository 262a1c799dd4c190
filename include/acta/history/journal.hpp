// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "acta/fwd.hpp"
#include "acta/history/conversation.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/open_call.hpp"
#include "acta/history/rolling_summary.hpp"
#include "acta/json/timestamp.hpp"

namespace acta::inline ACTA_ABI {

/// Receives each change of a history just before it takes effect, so that it can be kept (acta/store/). What it throws
/// leaves the history as it was, and reaches whoever wanted the change.
///
/// It is called by the thread that changes the history, for a `SharedHistory` under its lock. What it is given is valid
/// during the call.
template <class P>
class HistoryJournal {
public:
    HistoryJournal() = default;
    HistoryJournal(const HistoryJournal&) = delete;
    HistoryJournal& operator=(const HistoryJournal&) = delete;
    virtual ~HistoryJournal() = default;

    /// A step is opened: `register_action`.
    virtual void action(const Episode<P>& step) = 0;
    /// The step at `step` has its result: `register_result`, `close_open_episode`. `finished_at` is what its metrics
    /// then say, if they have a start.
    virtual void result(std::size_t step, const ActionResult& result, const std::optional<Timestamp>& finished_at) = 0;
    /// Calls of the open step have their results, and the step with the last of them.
    virtual void call_results(std::span<const ToolResult> results, const std::optional<Timestamp>& finished_at) = 0;
    /// A call of the open step has other arguments: `set_arguments`.
    virtual void arguments(std::string_view tool_call_id, const JsonObject& arguments) = 0;
    /// It was decided about a call of the open step with these arguments: `decide`.
    virtual void decision(const AssistantToolCall& call, const CallDecision& decision) = 0;
    /// The call of the open step at `index` is about to run: `begin_call`. Returns its idempotency key.
    virtual std::string call(std::string_view tool_call_id, std::size_t index) = 0;
    /// Adds to a call of the open step what decisions and beginnings have been noted of it: `open_calls`.
    virtual void look_up(OpenCall& call) const = 0;
    /// See `rewind`.
    virtual void rewind(std::int64_t steps) = 0;
    /// A message or an answer is added.
    virtual void message(const ConversationMessage& message) = 0;
    /// Feedback waits.
    virtual void feedback(std::string_view feedback) = 0;
    /// All feedback that waits becomes messages.
    virtual void feedback_taken() = 0;
    /// The step at `step` has a summary.
    virtual void summary(std::size_t step, std::string_view summary) = 0;
    /// The rolling summary is set, or forgotten if it is null. Forgetting it because its steps changed is no change of
    /// its own.
    virtual void rolling_summary(const RollingSummary* summary) = 0;
    /// The step at `step` has other metrics.
    virtual void metrics(std::size_t step, const StepMetrics& metrics) = 0;
    /// The changes of one lock of a `SharedHistory` are done, and the history is as given: the moment to keep it as a
    /// whole.
    virtual void settled(const EpisodicActionHistory<P>& history) noexcept = 0;
    /// The history was assigned to, or moved from: it is no longer what the changes have made it.
    virtual void replaced() noexcept = 0;
};

namespace history_detail {

/// The journal of a history, which copies and other histories do not have.
template <class P>
class JournalSlot {
public:
    JournalSlot() = default;
    JournalSlot(const JournalSlot&) noexcept {}
    // NOLINTNEXTLINE(bugprone-unhandled-self-assignment): nothing is assigned
    JournalSlot& operator=(const JournalSlot&) noexcept { return *this; }
    ~JournalSlot() = default;

    void set(HistoryJournal<P>* journal) noexcept { journal_ = journal; }
    explicit operator bool() const noexcept { return journal_ != nullptr; }
    HistoryJournal<P>* operator->() const noexcept { return journal_; }
    [[nodiscard]] HistoryJournal<P>* get() const noexcept { return journal_; }

private:
    HistoryJournal<P>* journal_ = nullptr;
};

}  // namespace history_detail

}  // namespace acta::inline ACTA_ABI
