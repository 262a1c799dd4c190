// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/utility.hpp"
#include "acta/history/change.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"

// A history whatever the type of its proposals. Prompts, pages, compression and the loop take one, so that they are
// compiled once.
namespace acta::inline ACTA_ABI {

/// The members of a step that do not depend on the type of its proposal. Valid until the next change of the history.
struct StepView {
    std::span<const AssistantFunctionCall> calls{};       ///< At least one, in the order of the proposal.
    const std::optional<ActionResult>* result = nullptr;  ///< Never null; empty while the step is open.
    std::span<const ToolResult> results{};                ///< Of parallel calls.
    const std::string* summary = nullptr;                 ///< Null without one.
    const AssistantChatMessage* raw_message = nullptr;    ///< Null without one.
    const Boxed<StepMetrics>* metrics = nullptr;          ///< Never null; empty if nothing is known.
};

namespace history_detail {

/// The functions that need the type of the proposals.
struct StepFunctions {
    StepView (*view)(const void* first, std::size_t i);
    std::string (*thoughts)(const void* first, std::size_t i);
    std::string (*words)(const void* first, std::size_t i);
    std::string (*text)(const void* first, std::size_t i);
    std::vector<std::string> (*call_ids)(const void* first, std::size_t i);
    Json (*json)(const void* first, std::size_t i);
};

template <class P>
std::string words_of(const P& proposal) {
    if constexpr (std::same_as<std::remove_cvref_t<decltype(proposal.thoughts)>, std::string>) {
        return proposal.thoughts;
    } else {
        const AssistantChatMessage* const raw = find_raw_message(proposal);
        return raw != nullptr ? raw->content : thoughts_text(proposal.thoughts);
    }
}

template <class P>
inline constexpr StepFunctions step_functions{
    [](const void* first, std::size_t i) {
        const Episode<P>& step = static_cast<const Episode<P>*>(first)[i];
        return StepView{
            get_tools(step.action),        &step.result, step.tool_results, step.summary ? &*step.summary : nullptr,
            find_raw_message(step.action), &step.metrics};
    },
    [](const void* first, std::size_t i) {
        return thoughts_text(static_cast<const Episode<P>*>(first)[i].action.thoughts);
    },
    [](const void* first, std::size_t i) { return words_of(static_cast<const Episode<P>*>(first)[i].action); },
    [](const void* first, std::size_t i) {
        const Episode<P>& step = static_cast<const Episode<P>*>(first)[i];
        return format_step(get_tools(step.action), thoughts_text(step.action.thoughts), step.result, step.tool_results,
                           true);
    },
    [](const void* first, std::size_t i) { return acta::call_ids(static_cast<const Episode<P>*>(first)[i]); },
    [](const void* first, std::size_t i) { return to_json_value(static_cast<const Episode<P>*>(first)[i]); }};

}  // namespace history_detail

/// A history of any type, for reading: a plain one, a shared or stored one. It refers to the history and is valid until
/// its next change.
///
/// @code{.cpp}
/// std::size_t failed_calls(const acta::HistoryView& history) {   // takes an EpisodicActionHistory<P> for any P
///     std::size_t failed = 0;
///     for (std::size_t i = 0; i < history.size(); ++i) {
///         if (status(*history.step(i).result) == acta::ResultStatus::error) failed += history.step(i).calls.size();
///     }
///     return failed;
/// }
/// @endcode
class HistoryView {
public:
    /// A view of the history, with its conversation.
    template <class P>
    HistoryView(const EpisodicActionHistory<P>& history);
    /// A view of a history that other threads use, which holds its lock as long as it lives. Throws `Error` if this
    /// thread has the lock.
    template <class P>
    HistoryView(const SharedHistory<P>& shared) : HistoryView(std::make_shared<HeldLock<P>>(shared)) {}
    /// A view of some steps alone.
    template <class P>
    HistoryView(std::span<const Episode<P>> steps);

    /// Returns the number of steps.
    [[nodiscard]] std::size_t size() const noexcept { return size_; }
    /// Returns the index of the open step, or `size()`; see `EpisodicActionHistory::cursor`.
    [[nodiscard]] std::size_t cursor() const noexcept { return cursor_; }
    /// Returns the rolling summary; null without one.
    [[nodiscard]] const RollingSummary* rolling_summary() const noexcept { return rolling_summary_; }
    /// Returns the messages, in order, each with the step that it precedes.
    [[nodiscard]] std::span<const ConversationMessage> messages() const noexcept { return messages_; }
    /// Returns the runs of the agents that steps called as tools.
    [[nodiscard]] std::span<const SubRun> sub_runs() const noexcept { return sub_runs_; }
    /// Returns the feedback that the agent has not taken yet, oldest first.
    [[nodiscard]] std::span<const std::string> pending_feedback() const noexcept { return pending_feedback_; }

    /// Returns the answer with which the history ends (`EpisodicActionHistory::answer`); null if it does not.
    [[nodiscard]] const ChatMessage* answer() const noexcept {
        return history_detail::find_answer(messages_, pending_feedback_, size_);
    }

    /// Returns how the runs on the history ended, in order.
    [[nodiscard]] std::span<const RunRecord> runs() const noexcept { return runs_; }

    /// Returns the step at `i`, which must be less than `size()`, as for all functions below.
    [[nodiscard]] StepView step(std::size_t i) const { return functions_->view(first_, i); }
    /// Returns its identity (`EpisodicActionHistory::id`); `{}` in a view of some steps alone.
    [[nodiscard]] EpisodeId id(std::size_t i) const noexcept {
        return states_ == nullptr ? EpisodeId() : states_[i].id;
    }
    /// Returns the index of the step of this identity; nothing if it has received another result or is gone.
    /// Logarithmic.
    [[nodiscard]] std::optional<std::size_t> find(EpisodeId id) const noexcept {
        return history_detail::find_step(states_, states_ == nullptr ? 0 : size_, id);
    }
    /// Returns its thoughts as text (`thoughts_text`).
    [[nodiscard]] std::string thoughts(std::size_t i) const { return functions_->thoughts(first_, i); }
    /// Returns the model's words as in its message: thoughts that are text, else the words that they were read from.
    [[nodiscard]] std::string words(std::size_t i) const { return functions_->words(first_, i); }
    /// Returns `format_step` of the step, with its texts contained.
    [[nodiscard]] std::string text(std::size_t i) const { return functions_->text(first_, i); }
    /// Returns the ids of its calls, in the order of `StepView::calls`.
    [[nodiscard]] std::vector<std::string> call_ids(std::size_t i) const { return functions_->call_ids(first_, i); }
    /// Returns the whole step, as in JSON.
    [[nodiscard]] Json json(std::size_t i) const { return functions_->json(first_, i); }

private:
    template <class P>
    struct HeldLock {
        explicit HeldLock(const SharedHistory<P>& shared) : lock(shared.lock()) {}
        typename SharedHistory<P>::ReadLock lock;
    };
    template <class P>
    explicit HistoryView(std::shared_ptr<HeldLock<P>> held) : HistoryView(*held->lock) {
        held_ = std::move(held);
    }

    std::shared_ptr<const void> held_{};
    const void* first_;  // the first Episode<P>
    std::size_t size_;
    std::size_t cursor_;
    const history_detail::StepFunctions* functions_;
    const RollingSummary* rolling_summary_ = nullptr;
    std::span<const SubRun> sub_runs_{};
    std::span<const ConversationMessage> messages_{};
    std::span<const std::string> pending_feedback_{};
    std::span<const RunRecord> runs_{};
    const history_detail::StepState* states_ = nullptr;
};

/// Calls `message(const ConversationMessage&)` or `step(i)` for each message and step, in order.
template <class Message, class Step>
void visit_in_order(const HistoryView& history, Message message, Step step) {
    auto next = history.messages().begin();
    for (std::size_t i = 0; i <= history.size(); ++i) {
        for (; next != history.messages().end() && (next->before <= i || i == history.size()); ++next) message(*next);
        if (i < history.size()) step(i);
    }
}

/// Returns the sums over the steps of a history and its answers. Linear.
[[nodiscard]] MetricsTotals totals(const HistoryView& history);

/// Returns how the last run ended, if nothing came after it and it has no answer; null otherwise.
[[nodiscard]] const RunRecord* unanswered_run(const HistoryView& history) noexcept;

/// A history of any type, for changes: a view and `apply`, and its short forms. Functions that take one are compiled
/// once.
class HistoryEditor : public ChangeMembers<HistoryEditor, ActionProposal<>> {
public:
    HistoryEditor() = default;
    HistoryEditor(const HistoryEditor&) = delete;
    HistoryEditor& operator=(const HistoryEditor&) = delete;
    virtual ~HistoryEditor() = default;

    /// Returns the history for reading, as it is until the next change.
    [[nodiscard]] virtual HistoryView view() const = 0;
    /// Returns the number of steps, as `view` does.
    [[nodiscard]] virtual std::size_t size() const { return view().size(); }
    /// Returns the identity of the step at `i`, as `view` does.
    [[nodiscard]] virtual EpisodeId id(std::size_t i) const { return view().id(i); }
    /// See `EpisodicActionHistory::open_calls`.
    [[nodiscard]] virtual std::vector<OpenCall> open_calls() const = 0;
    /// See `EpisodicActionHistory::apply`. A proposal becomes one of the history's type: of its message
    /// (`proposal_from`) and its calls. Throws `Error` if that type cannot be made from a message.
    void apply(HistoryChange<> change);
    /// See `EpisodicActionHistory::apply_together`. Throws as `apply` does.
    void apply_together(std::vector<HistoryChange<>> changes);
    /// See `EpisodicActionHistory::begin_call`.
    virtual CallIdentity begin_call(std::string_view tool_call_id) = 0;

    /// Sets the summary of a step; false if it has changed or is gone. See `EpisodicActionHistory::set_summary`.
    bool set_summary(EpisodeId id, std::string summary);

    /// What a history keeps about a step besides its record.
    using StepState = history_detail::StepState;
    /// What compressions note about the steps of the history, by ascending identity.
    struct SummaryState {
        std::vector<StepState>& steps;  ///< Only the members that compressions set may be changed.
        /// No step before it waits for a summary, but for those given up. A step that is finished later resets it.
        std::size_t& first_waiting;
        std::uint32_t& fewest_failures;  ///< Of the steps before it that were given up; 0 if there is none.
        std::size_t unsummarised;        ///< Finished steps without a summary.
    };
    /// Returns it, for `handle_compression`.
    [[nodiscard]] virtual SummaryState summary_state() = 0;

private:
    // They take references, so that a variant of many types is not instantiated wherever this is included.
    virtual void make(HistoryChange<>&& change) = 0;
    virtual void make_together(std::vector<HistoryChange<>>&& changes) = 0;
};

namespace history_detail {

template <class P>
class EditorOf final : public HistoryEditor {
public:
    explicit EditorOf(EpisodicActionHistory<P>& history) : history_(history) {}

    [[nodiscard]] HistoryView view() const override { return history_; }
    [[nodiscard]] std::size_t size() const override { return history_.size(); }
    [[nodiscard]] EpisodeId id(std::size_t i) const override { return history_.id(i); }
    [[nodiscard]] std::vector<OpenCall> open_calls() const override { return history_.open_calls(); }
    CallIdentity begin_call(std::string_view id) override { return history_.begin_call(id); }
    [[nodiscard]] SummaryState summary_state() override {
        return {history_.steps_, history_.first_waiting_, history_.fewest_failures_, history_.unsummarised_};
    }

private:
    void make(HistoryChange<>&& change) override {
        if constexpr (std::same_as<P, ActionProposal<>>)
            history_.apply(std::move(change));
        else
            history_.apply(own(change));
    }
    void make_together(std::vector<HistoryChange<>>&& changes) override { together(changes); }

    // Templates, so that they are not instantiated before they are used.
    template <class Changes>
    void together(Changes& changes) {
        if constexpr (std::same_as<P, ActionProposal<>>) {
            history_.apply_together(std::move(changes));
        } else {
            std::vector<HistoryChange<P>> converted;
            converted.reserve(changes.size());
            for (auto& change : changes) converted.push_back(own(change));
            history_.apply_together(std::move(converted));
        }
    }
    template <class Change>
    static HistoryChange<P> own(Change& change) {
        return std::visit([](auto& one) { return HistoryChange<P>(converted(std::move(one))); }, change);
    }
    template <class Change>
    static HistoryChange<P> converted(Change change) {
        if constexpr (!std::same_as<Change, ActionRegistered<ActionProposal<>>>) {
            return change;
        } else if constexpr (ProposalWithParallelCalls<P>) {
            AssistantChatMessage message;
            if (change.action.raw_message) message = *std::move(change.action.raw_message);
            P proposal = proposal_from<P>(std::move(message));
            const auto calls = get_tools(change.action);
            set_calls(proposal, {calls.begin(), calls.end()});
            return ActionRegistered<P>{std::move(proposal), std::move(change.metrics), std::move(change.tool_call_ids)};
        } else {
            throw Error("the proposals of this history cannot be made from a message");
        }
    }

    EpisodicActionHistory<P>& history_;
};

}  // namespace history_detail

/// A history of any type that is changed under its lock: a `SharedHistory`, or a plain history with a lock of its own
/// for the threads of one call, such as a compression. It refers to the history.
class LockableHistory {
public:
    /// No other thread may use the history while this object exists.
    template <class P>
    explicit LockableHistory(EpisodicActionHistory<P>& history);
    /// Other threads may use the history.
    template <class P>
    explicit LockableHistory(SharedHistory<P>& history);

    /// Returns whether it is a `SharedHistory`, which other threads may use.
    [[nodiscard]] bool is_shared() const noexcept { return claim_ != nullptr; }

    /// Makes this the only run that uses the history, until what it returns is gone. Throws `HistoryError`
    /// (`run_active`) if another one uses it. Does nothing for a plain history, which only one thread may use.
    [[nodiscard]] std::shared_ptr<void> claim_run() const { return claim_ ? claim_() : nullptr; }

    /// Calls `function` with the history, a `HistoryEditor&`, under the lock, and returns what it returns.
    template <class Function>
    auto with_lock(Function&& function) const {
        using Result = std::invoke_result_t<Function&, HistoryEditor&>;
        if constexpr (std::is_void_v<Result>) {
            run_(std::ref(function));
        } else {
            std::optional<Result> result;
            run_([&](HistoryEditor& history) { result.emplace(function(history)); });
            return *std::move(result);
        }
    }

private:
    using Change = std::function<void(HistoryEditor&)>;

    std::function<void(const Change&)> run_;
    std::function<std::shared_ptr<void>()> claim_{};
};

// Defined outside of their classes: compilers instantiate what is defined inside also where the library has it.

template <class P>
HistoryView::HistoryView(const EpisodicActionHistory<P>& history) : HistoryView(history.episodes()) {
    cursor_ = history.cursor();
    sub_runs_ = history.sub_runs();
    rolling_summary_ = history.rolling_summary();
    messages_ = history.messages();
    pending_feedback_ = history.pending_feedback();
    runs_ = history.runs();
    states_ = history.steps_.data();
}

template <class P>
HistoryView::HistoryView(std::span<const Episode<P>> steps)
    : first_(steps.data()), size_(steps.size()), cursor_(size_), functions_(&history_detail::step_functions<P>) {}

template <class P>
LockableHistory::LockableHistory(EpisodicActionHistory<P>& history)
    : run_([location = history.location_.of(history)](const Change& change) {
          const std::lock_guard lock(location->mutex);
          history_detail::EditorOf<P> editor(location->get());
          change(editor);
      }) {}

template <class P>
LockableHistory::LockableHistory(SharedHistory<P>& history)
    : run_([location = history.location_](const Change& change) {
          location->get().with_lock([&change](EpisodicActionHistory<P>& inside) {
              history_detail::EditorOf<P> editor(inside);
              change(editor);
          });
      }),
      claim_([location = history.location_]() -> std::shared_ptr<void> {
          if (location->has_run.exchange(true))
              throw HistoryError(HistoryErrorCode::run_active, "another run uses the shared history");
          return {location.get(), [location](void*) { location->has_run = false; }};
      }) {}

}  // namespace acta::inline ACTA_ABI

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template class ChangeMembers<HistoryEditor, ActionProposal<>>;
extern template HistoryView::HistoryView(std::span<const Episode<ActionProposal<>>> steps);
extern template HistoryView::HistoryView(const EpisodicActionHistory<>& history);
extern template LockableHistory::LockableHistory(EpisodicActionHistory<>& history);
extern template LockableHistory::LockableHistory(SharedHistory<>& history);
}  // namespace acta::inline ACTA_ABI
#endif

#ifndef ACTA_COMPILED
#include "acta/history/detail/history_view.inl.hpp"
#endif
