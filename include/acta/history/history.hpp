// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/utility.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/history/change.hpp"
#include "acta/history/detail/location.hpp"
#include "acta/history/episode.hpp"
#include "acta/json/issue.hpp"
#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI::history_detail {

/// Returns the first of `count` new numbers in a row, each greater than all before: of steps and of revisions.
[[nodiscard]] inline std::uint64_t new_episode_ids(std::uint64_t count) noexcept {
    static std::atomic<std::uint64_t> next{1};
    return next.fetch_add(count, std::memory_order_relaxed);
}

}  // namespace acta::inline ACTA_ABI::history_detail

namespace acta::inline ACTA_ABI {

namespace history_detail {
template <class P>
class EditorOf;  // acta/history/history_view.hpp
}  // namespace history_detail

class LockableHistory;
template <class P>
class SharedHistory;

/// A history as it is in JSON. The pieces that a history is built from, or taken apart into (`record()`).
template <class P>
struct HistoryRecord {
    /// The steps, oldest first.
    std::vector<Episode<P>> episodes{};
    /// The index of the open step, or the number of steps.
    std::int64_t cursor = 0;
    /// The user's feedback that the agent has not taken yet, oldest first.
    std::vector<std::string> pending_user_feedback{};
    /// What is remembered of the steps that left the prompts.
    std::optional<RollingSummary> rolling_summary{};
    /// The messages between the steps, in order.
    std::vector<ConversationMessage> conversation{};
    /// How the runs on the history ended, in order; written when set.
    std::vector<RunRecord> runs{};
    /// The runs of the agents that steps called as tools; written when set.
    std::vector<SubRun> sub_runs{};

    /// Whether all members are equal.
    friend bool operator==(const HistoryRecord& a, const HistoryRecord& b)
        requires std::equality_comparable<Episode<P>>
    {
        return a.episodes == b.episodes && a.cursor == b.cursor && a.pending_user_feedback == b.pending_user_feedback &&
               base::equal(a.rolling_summary, b.rolling_summary) && a.conversation == b.conversation &&
               a.runs == b.runs && a.sub_runs == b.sub_runs;
    }
};

/// What an agent did, step by step. A regular value: copy it, compare it, save it. Not for several threads at once;
/// `SharedHistory` is.
///
/// At most one step is open at a time: `register_action` opens it, `register_result` closes it. Every change has the
/// strong guarantee: if it throws, even for lack of memory, the history is unchanged. Members that change a history are
/// in `ChangeMembers`.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// history.register_action({.thoughts = "Find the figures.", .use_tool = {"web_search", {{"query", "tides"}}}});
/// history.register_result(acta::ActionSuccessResult{.outputs = "3 results"});
/// std::string text = history.fmt_list();   // 1. Executed `web_search(query='tides')`: 3 results
///
/// acta::EpisodicActionHistory<> copy = history;
/// copy.rewind(1);   // acta::dump and acta::parse write and read a history as JSON
/// @endcode
template <class P>
class EpisodicActionHistory : public ChangeMembers<EpisodicActionHistory<P>, P> {
public:
    /// The type of a step.
    using value_type = Episode<P>;

    EpisodicActionHistory();
    /// Makes a history from its parts. A cursor outside of it is moved to the first unfinished step, or the end; a
    /// message beyond the end is moved to it. Throws `HistoryError` (`not_conversation`) if the
    /// conversation has a tool's message or calls.
    explicit EpisodicActionHistory(HistoryRecord<P> record);

    /// A copy has the same identities, but neither observer nor journal.
    EpisodicActionHistory(const EpisodicActionHistory& other);
    /// Leaves the other one empty. A run or a compression that uses it continues with this one.
    EpisodicActionHistory(EpisodicActionHistory&& other) noexcept;
    /// Takes over steps and identities of the other one, but not its observer. A run or a compression that uses this
    /// one fails.
    EpisodicActionHistory& operator=(const EpisodicActionHistory& other);
    /// Takes over steps and identities of the other one, which becomes empty, but not its observer. A run or a
    /// compression that uses the other one continues with this one; one that uses this one fails.
    EpisodicActionHistory& operator=(EpisodicActionHistory&& other) noexcept;
    ~EpisodicActionHistory();

    // Access ------------------------------------------------------------------------------------------

    /// Returns all steps, oldest first; `first`, `last` and `subspan` make slices. Valid until the next change.
    [[nodiscard]] std::span<const Episode<P>> episodes() const& noexcept {
        return {record().episodes.data(), record().episodes.size()};
    }
    void episodes() const&& = delete;  // acta: keep the history in a variable
    /// Returns the number of steps.
    [[nodiscard]] std::size_t size() const noexcept { return record_.episodes.size(); }
    /// Returns whether there are no steps; there may still be messages.
    [[nodiscard]] bool empty() const noexcept { return record_.episodes.empty(); }
    /// Returns an iterator to the first step.
    [[nodiscard]] auto begin() const noexcept { return record().episodes.begin(); }
    /// Returns the iterator past the last step.
    [[nodiscard]] auto end() const noexcept { return record_.episodes.end(); }
    /// Returns the step at `i`, which must be less than `size()`.
    [[nodiscard]] const Episode<P>& operator[](std::size_t i) const& noexcept { return record().episodes[i]; }
    void operator[](std::size_t) const&& = delete;  // acta: keep the history in a variable
    /// Returns the step at `i`. Throws `std::out_of_range`.
    [[nodiscard]] const Episode<P>& at(std::size_t i) const& {
        history_detail::require_step(i, size());
        return record().episodes[i];
    }
    void at(std::size_t) const&& = delete;  // acta: keep the history in a variable
    /// Returns the step at the cursor, as a rule the open one; null at the end.
    [[nodiscard]] const Episode<P>* current_episode() const& noexcept {
        return at_end() ? nullptr : &record().episodes[cursor()];
    }
    void current_episode() const&& = delete;  // acta: keep the history in a variable
    /// Returns the index of the open step, or `size()`, where the next one will be.
    [[nodiscard]] std::size_t cursor() const noexcept { return static_cast<std::size_t>(record_.cursor); }
    /// Returns the history as it is in JSON.
    [[nodiscard]] const HistoryRecord<P>& record() const& noexcept {
        calls_.settle();
        return record_;
    }
    void record() const&& = delete;  // acta: keep the history in a variable

    /// Returns the calls of all steps, or those that the filter wants, in order, each with its own result. Valid until
    /// the next change of the history. Linear.
    ///
    /// @code{.cpp}
    /// acta::EpisodicActionHistory<> history;
    /// history.register_action({.use_tool = {"add", {{"a", 1}, {"b", 2}}}});
    /// history.register_result(acta::ActionSuccessResult{.outputs = 3});
    /// std::string text;
    /// for (const auto& [call, id, result, step] : history.calls())
    ///     text += call.name + (result != nullptr ? " = " + to_string(*result) : " is open");
    /// assert(text == "add = 3");
    /// assert(history.calls({.tool = "add", .status = acta::ResultStatus::error}).empty());
    /// @endcode
    [[nodiscard]] std::vector<RecordedCall> calls(const CallFilter& filter = {}) const&;
    void calls(const CallFilter& = {}) const&& = delete;  // acta: keep the history in a variable

    /// Returns the steps of this status, as a lazy range. The status of a step with parallel calls is that of its first
    /// call that did not succeed: for single calls there is `calls`. Valid until the next change of the history.
    ///
    /// @code{.cpp}
    /// acta::EpisodicActionHistory<> history;
    /// std::size_t failures = 0;
    /// for (const auto& episode : history.with_status(acta::ResultStatus::error)) failures += episode.result ? 1 : 0;
    /// @endcode
    [[nodiscard]] auto with_status(ResultStatus wanted) const& {
        return episodes() |
               std::views::filter([wanted](const Episode<P>& episode) { return episode.status() == wanted; });
    }
    void with_status(ResultStatus) const&& = delete;  // acta: the range would dangle: keep the history in a variable
    /// Returns the steps that call this tool, alone or beside others, as a lazy range that keeps the name: for the
    /// calls themselves there is `calls`. Valid until the next change of the history.
    [[nodiscard]] auto with_tool(std::string name) const& {
        return episodes() | std::views::filter([name = std::move(name)](const Episode<P>& episode) {
                   return std::ranges::any_of(get_tools(episode.action),
                                              [&](const AssistantFunctionCall& call) { return call.name == name; });
               });
    }
    void with_tool(std::string) const&& = delete;  // acta: the range would dangle: keep the history in a variable
    /// Returns the steps that began at this moment or later by their metrics, as a lazy range; without those whose time
    /// is not known. Valid until the next change of the history.
    [[nodiscard]] auto since(std::chrono::system_clock::time_point moment) const& {
        return episodes() | std::views::filter([moment](const Episode<P>& episode) {
                   const auto began = episode.metrics && episode.metrics->started_at
                                          ? episode.metrics->started_at->instant()
                                          : std::nullopt;
                   return began && *began >= moment;
               });
    }
    void since(std::chrono::system_clock::time_point) const&& = delete;  // acta: keep the history in a variable

    /// Returns `1. <step>` on a line for each step; empty without steps.
    [[nodiscard]] std::string fmt_list() const;
    /// Returns `### Step 1: <the step in full>` for each step, with blank lines between. Messages are at their places,
    /// under `### System`, `### User` or `### Assistant`.
    [[nodiscard]] std::string fmt_paragraph() const;

    // Changes -----------------------------------------------------------------------------------------

    /// Makes a change, which the members of `ChangeMembers` and those below do as well. What it does not say is added
    /// to it before the journal gets it: which step has the result and when it ended, the place of a message, the step
    /// of a sub run, the digest of a decision, the key of a call that begins. Throws `HistoryError` for a change that
    /// does not fit, and `std::out_of_range` for one of a step that does not exist.
    void apply(HistoryChange<P> change);
    /// Makes several changes, all or none, which a journal gets together: a store appends them at once. They are a step
    /// that is opened and, in the order of its calls, those that begin with it (`CallBegun`), or calls of the open step
    /// that begin and summaries of steps (`SummarySet`). Throws as `apply` does, and `Error` for other changes.
    ///
    /// @code{.cpp}
    /// acta::EpisodicActionHistory<> history;
    /// acta::ActionProposal<> proposal{.thoughts = "Look.", .use_tool = {"list_folder", {}}};
    /// history.apply_together({acta::ActionRegistered<acta::ActionProposal<>>{proposal}, acta::CallBegun{"call_0"}});
    /// @endcode
    void apply_together(std::vector<HistoryChange<P>> changes);

    /// Closes the step of an agent that stopped before a result, whatever the cursor says: the newest unfinished one.
    /// Throws `HistoryError` (`no_action`) if every step is finished.
    void close_open_episode(ActionResult result);
    template <AnyJsonValue J>
    void close_open_episode(const J&) = delete;  // acta: use acta::validate<acta::ActionResult>(json)

    /// Ends a turn with the model's answer, and what it took if that is known. An answer is not a step. Throws
    /// `HistoryError` (`step_open`) while a step is open, or (`not_conversation`) if the message calls anything.
    void register_answer(AssistantChatMessage answer, std::optional<StepMetrics> metrics = std::nullopt);
    /// The same for a text.
    void register_answer(std::string text) {
        AssistantChatMessage answer;
        answer.content = std::move(text);
        register_answer(std::move(answer));
    }

    /// Notes that one of the open step's calls is about to run, and returns what identifies it. In a store
    /// (`StoredHistory`) that lasts when this returns. Throws `HistoryError`, as `set_arguments` does.
    CallIdentity begin_call(std::string_view tool_call_id);
    /// The same for a call of a certain step, as with `set_arguments`.
    CallIdentity begin_call(const CallIdentity& call);
    /// Returns the pending feedback, oldest first. From then on it is part of the conversation, as messages of the
    /// user.
    std::vector<std::string> take_pending_feedback();
    /// Sets the summary of the step of this identity, whatever its position is now. Returns false if the history no
    /// longer has such a step, or if the step has received another result since. Logarithmic.
    bool set_summary(EpisodeId id, std::string summary);

    // Calls and identities ----------------------------------------------------------------------------

    /// Returns the calls of the open step that have no result; none if no step is open.
    [[nodiscard]] std::vector<OpenCall> open_calls() const;
    /// Returns the ids of the calls of the step at `i`, in the order of `get_tools`: `call_ids(at(i))`. Throws
    /// `std::out_of_range`.
    [[nodiscard]] std::vector<std::string> tool_call_ids(std::size_t i) const { return call_ids(at(i)); }
    /// Returns the identity of the step at `i` as it is now; a new result changes it. Throws `std::out_of_range`.
    [[nodiscard]] EpisodeId id(std::size_t i) const {
        history_detail::require_step(i, size());
        return steps_[i].id;
    }

    // Conversation, runs and summaries ----------------------------------------------------------------

    /// Returns the messages, in order, each with the step that it precedes. Valid until the next change.
    [[nodiscard]] std::span<const ConversationMessage> messages() const& noexcept {
        return {record_.conversation.data(), record_.conversation.size()};
    }
    void messages() const&& = delete;  // acta: keep the history in a variable
    /// Returns the last answer if nothing came after it, no step, message or feedback; else null. Valid until the next
    /// change.
    [[nodiscard]] const ChatMessage* answer() const& noexcept {
        return history_detail::find_answer(messages(), pending_feedback(), size());
    }
    void answer() const&& = delete;  // acta: keep the history in a variable
    /// Returns the pending feedback, oldest first.
    [[nodiscard]] std::span<const std::string> pending_feedback() const& noexcept {
        return {record_.pending_user_feedback.data(), record_.pending_user_feedback.size()};
    }
    void pending_feedback() const&& = delete;  // acta: keep the history in a variable
    /// Returns the runs of the agents that steps called as tools. Rewinding forgets those of steps that are gone. Valid
    /// until the next change.
    [[nodiscard]] std::span<const SubRun> sub_runs() const& noexcept {
        return {record_.sub_runs.data(), record_.sub_runs.size()};
    }
    void sub_runs() const&& = delete;  // acta: keep the history in a variable
    /// Returns how the runs on the history ended, in order. Rewinding forgets those that ended after steps that are
    /// gone. Valid until the next change.
    [[nodiscard]] std::span<const RunRecord> runs() const& noexcept {
        return {record_.runs.data(), record_.runs.size()};
    }
    void runs() const&& = delete;  // acta: keep the history in a variable
    /// Returns the summary of the steps that left the prompts; null without one.
    [[nodiscard]] const RollingSummary* rolling_summary() const& noexcept {
        return record_.rolling_summary ? &*record_.rolling_summary : nullptr;
    }
    void rolling_summary() const&& = delete;  // acta: keep the history in a variable

    // Events ------------------------------------------------------------------------------------------

    /// Sends each action, result and rewind to `observer` from now on; null ends that. The observer must outlive the
    /// history. It belongs to this object, not to its value: it is neither written nor compared, a copy has none, an
    /// assignment leaves each side its own, and a history that is made by moving takes it along.
    void set_observer(Observer* observer) noexcept { observer_.set(observer); }
    /// Returns the observer, or null.
    [[nodiscard]] Observer* observer() const noexcept { return observer_.get(); }

    /// Sends each change to `journal` before it takes effect, from now on; null ends that. The journal must outlive the
    /// history, and belongs to this object like the observer, but no other object takes it along.
    void set_journal(HistoryJournal<P>* journal) noexcept { journal_.set(journal); }
    /// Returns the journal, or null.
    [[nodiscard]] HistoryJournal<P>* journal() const noexcept { return journal_.get(); }

    /// Whether the JSON of both is equal.
    friend bool operator==(const EpisodicActionHistory& a, const EpisodicActionHistory& b) {
        return a.record() == b.record();
    }
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const EpisodicActionHistory& history) {
        return out << history.fmt_list();
    }

private:
    friend class history_detail::EditorOf<P>;
    friend class HistoryView;
    friend class LockableHistory;
    friend class SharedHistory<P>;

    using Location = history_detail::LocationSlot<EpisodicActionHistory>;
    EpisodicActionHistory(EpisodicActionHistory&& other, const typename Location::Lock& lock) noexcept;

    [[nodiscard]] bool at_end() const noexcept { return cursor() == size(); }
    [[nodiscard]] bool has_open_step() const noexcept { return !at_end() && !record_.episodes[cursor()].result; }
    [[nodiscard]] std::size_t message_place() const noexcept { return has_open_step() ? cursor() + 1 : size(); }
    void go_to_end() noexcept { record_.cursor = static_cast<std::int64_t>(size()); }
    [[nodiscard]] std::int64_t first_unfinished() const noexcept;
    [[nodiscard]] bool waits(std::size_t i) const noexcept {
        return record_.episodes[i].result && !record_.episodes[i].summary;
    }
    [[nodiscard]] bool stands_for_steps(const RollingSummary& summary) const noexcept {
        return summary.first >= 0 && summary.first <= summary.last && static_cast<std::uint64_t>(summary.last) < size();
    }
    void forget_rolling_summary_of(std::size_t i) noexcept;
    void forget() noexcept;
    Episode<P>& open_step();
    void require_finished() const;
    void index_calls();
    std::size_t find_call(std::string_view tool_call_id, const StepOfCall& step);
    std::size_t require_open_call(std::string_view tool_call_id, const StepOfCall& step);
    [[nodiscard]] EpisodeId revised(std::size_t i) const noexcept {
        return {steps_[i].id.step, history_detail::new_episode_ids(1)};
    }
    void revise(std::size_t i, EpisodeId id) noexcept;
    [[nodiscard]] std::optional<Timestamp> finish_time(std::size_t i) const;

    // Each checks the change, completes it, does whatever may fail, passes it to the journal, and makes it.
    void make(HistoryChange<P>& change);
    void make(ActionRegistered<P>& one, HistoryChange<P>& change);
    void open(ActionRegistered<P>& one, std::span<HistoryChange<P>> changes);
    void begin_with_step(std::span<HistoryChange<P>> begun, const std::vector<std::string>& ids) const;
    void make(ResultRegistered& one, const HistoryChange<P>& change);
    void make(CallResultsRegistered& one, const HistoryChange<P>& change);
    void make(ArgumentsSet& one, const HistoryChange<P>& change);
    void make(CallDecided& one, const HistoryChange<P>& change);
    void make(CallBegun& one, const HistoryChange<P>& change);
    void complete(CallBegun& one);
    void make(Rewound& one, const HistoryChange<P>& change);
    void make(MessageAdded& one, const HistoryChange<P>& change);
    void make(FeedbackAdded& one, const HistoryChange<P>& change);
    void make(FeedbackTaken& one, const HistoryChange<P>& change);
    void make(SummarySet& one, const HistoryChange<P>& change);
    void take(SummarySet& one) noexcept;
    void make(RollingSummarySet& one, const HistoryChange<P>& change);
    void make(MetricsSet& one, const HistoryChange<P>& change);
    void make(RunEnded& one, const HistoryChange<P>& change);
    void make(SubRunRegistered& one, const HistoryChange<P>& change);
    void keep(const HistoryChange<P>& change) const {
        if (journal_) journal_->on_change(change);
    }
    void keep(std::span<const HistoryChange<P>> changes) const {
        if (!journal_) return;
        if (changes.size() == 1) return journal_->on_change(changes.front());
        journal_->on_changes(changes);
    }

    [[nodiscard]] Boxed<StepMetrics> new_metrics(std::size_t i, const std::optional<Timestamp>& finished_at) const;
    void finish(std::size_t i, ActionResult result, Boxed<StepMetrics> made,
                const std::optional<Timestamp>& finished_at) noexcept;
    void drop_open_step();
    void drop_newest(std::size_t count);

    history_detail::CallOrder calls_{};  // of the step that results of calls come for; first: see its copy constructor
    HistoryRecord<P> record_{};
    std::vector<history_detail::StepState> steps_{};  // by ascending identity
    std::size_t first_waiting_ = 0;                   // no step before waits for a summary, but for those given up
    std::uint32_t fewest_failures_ = 0;               // of these; 0 if there is none
    std::size_t unsummarised_ = 0;                    // all that wait
    ObserverSlot observer_{};
    history_detail::JournalSlot<P> journal_{};
    Location location_{};  // last: nothing may use the history when its members end
};

/// Returns the sums over the steps of a history and its answers. Linear.
template <class P>
[[nodiscard]] MetricsTotals totals(const EpisodicActionHistory<P>& history) {
    MetricsTotals out = totals(history.episodes());
    for (const ConversationMessage& said : history.messages()) out.add(said.metrics);
    out.steps = history.size();
    return out;
}

/// Returns `fmt_list()`.
template <class P>
[[nodiscard]] std::string to_string(const EpisodicActionHistory<P>& history) {
    return history.fmt_list();
}

template <class P>
struct Describe<HistoryRecord<P>> {
    using Self = HistoryRecord<P>;
    static std::string name() { return "EpisodicActionHistory[" + introspection::parameter_title<P>() + "]"; }
    static constexpr auto fields = acta::fields(
        optional_field("episodes", &Self::episodes), defaulted("cursor", &Self::cursor),
        omit_if_empty("pending_user_feedback", &Self::pending_user_feedback),
        omit_if_empty("rolling_summary", &Self::rolling_summary), omit_if_empty("conversation", &Self::conversation),
        omit_if_empty("runs", &Self::runs), omit_if_empty("sub_runs", &Self::sub_runs));
};

template <class P>
struct Describe<EpisodicActionHistory<P>> {
    using representation = HistoryRecord<P>;
    static std::string name() { return Describe<HistoryRecord<P>>::name(); }
    template <class Notes>
    static EpisodicActionHistory<P> from_representation(HistoryRecord<P> record, const Notes& notes) {
        const std::int64_t cursor = record.cursor;
        if (history_detail::arrange(record.conversation, record.episodes.size()))
            notes.warn("conversation_repaired", "A message beyond the last step was moved to the end");
        EpisodicActionHistory<P> history(std::move(record));
        if (history.record().cursor != cursor) {
            notes.warn("cursor_repaired", "Cursor " + std::to_string(cursor) +
                                              " is outside of the history and was set to " +
                                              std::to_string(history.cursor()));
        }
        return history;
    }
    static const HistoryRecord<P>& to_representation(const EpisodicActionHistory<P>& history) {
        return history.record();
    }
};

}  // namespace acta::inline ACTA_ABI

#include "acta/history/detail/history_members.hpp"

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template struct codec::Document<EpisodicActionHistory<>>;
extern template struct codec::Document<Episode<ActionProposal<>>>;
extern template class ChangeMembers<EpisodicActionHistory<>, ActionProposal<>>;
extern template class EpisodicActionHistory<ActionProposal<>>;
}  // namespace acta::inline ACTA_ABI
#endif
