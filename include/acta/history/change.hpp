// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/describe/describe.hpp"
#include "acta/fwd.hpp"
#include "acta/history/episode.hpp"
#include "acta/json/json.hpp"
#include "acta/json/timestamp.hpp"
#include "acta/version.hpp"

// The changes of a history (docs/reference/history.md, "Changes"). What a change does not say, `apply` adds to it
// before a journal gets it, so that the change that is kept does the same wherever it is applied. The JSON of each is
// the body of its record in a store, and does not change: histories of earlier versions are read.
namespace acta::inline ACTA_ABI {

namespace history_detail {

/// A text or a number, from which neither a message nor a result is made: only its user knows what to make of it.
template <class T>
concept PlainValue = std::is_arithmetic_v<T> || std::same_as<T, std::string> || std::same_as<T, std::string_view> ||
                     std::is_convertible_v<T, const char*>;
template <class>
inline constexpr bool never = false;

}  // namespace history_detail

/// A step is opened: `register_action`.
template <class P>
struct ActionRegistered {
    P action{};                    ///< What the agent proposes. It calls something.
    Boxed<StepMetrics> metrics{};  ///< What is known of the step so far.
    /// The ids of its calls, all different, in the order of `get_tools`; by default those of the proposal (`call_ids`).
    std::vector<std::string> tool_call_ids{};

    friend bool operator==(const ActionRegistered&, const ActionRegistered&) = default;
};

/// A step has its result: `register_result`, `close_open_episode`.
struct ResultRegistered {
    ActionResult result{};              ///< The result.
    std::optional<std::size_t> step{};  ///< The index of the step; by default that of the open one.
    /// When it ended; by default now, if the metrics of the step have a start.
    std::optional<Timestamp> finished_at{};

    friend bool operator==(const ResultRegistered&, const ResultRegistered&) = default;
};

/// Calls of the open step have their results, and the step with the last of them: `register_result` with an id,
/// `register_results`.
struct CallResultsRegistered {
    std::vector<ToolResult> results{};       ///< All are taken, or none.
    std::optional<Timestamp> finished_at{};  ///< As in `ResultRegistered`, of the last call of the step.
    std::optional<std::size_t> step{};       ///< The index of the step, which is open; by default that of the open one.
    std::string idempotency_key{};           ///< That of the first call, as in `StepOfCall`. Not in JSON.

    friend bool operator==(const CallResultsRegistered&, const CallResultsRegistered&) = default;
};

/// The step that the call of a change must be in, as a `CallIdentity` has it; any that is open by default. Not in JSON.
struct StepOfCall {
    std::optional<std::size_t> index{};  ///< Its index.
    /// The key of the call, which tells the step from one of its index that was taken back; empty if it is not known.
    std::string idempotency_key{};

    friend bool operator==(const StepOfCall&, const StepOfCall&) = default;
};

/// A call of the open step has other arguments: `set_arguments`.
struct ArgumentsSet {
    std::string tool_call_id{};  ///< The call (`call_ids`).
    JsonObject arguments{};      ///< The arguments that it has from now on.
    StepOfCall step{};           ///< The step of the call.

    friend bool operator==(const ArgumentsSet&, const ArgumentsSet&) = default;
};

/// It was decided about a call of the open step: `decide`. Only a store keeps it.
struct CallDecided {
    std::string tool_call_id{};  ///< The call (`call_ids`).
    bool approved = true;        ///< As in `CallDecision`.
    std::string by{};            ///< As in `CallDecision`.
    std::string feedback{};      ///< As in `CallDecision`.
    /// Of the arguments for which that holds (`arguments_digest`); by default those that the call has.
    std::string digest{};
    StepOfCall step{};  ///< The step of the call.

    friend bool operator==(const CallDecided&, const CallDecided&) = default;
};

/// A call of the open step is about to run: `begin_call`. Only a store keeps it.
struct CallBegun {
    std::string tool_call_id{};     ///< The call (`call_ids`).
    std::string idempotency_key{};  ///< As in `CallIdentity`; by default the journal's.

    friend bool operator==(const CallBegun&, const CallBegun&) = default;
};

/// Steps are dropped: `rewind`.
struct Rewound {
    std::int64_t steps = 0;  ///< The finished ones, in addition to the open one.

    friend bool operator==(const Rewound&, const Rewound&) = default;
};

/// A message is added, an answer if it has metrics: `register_message`, `register_answer`. Its place is the history's.
struct MessageAdded {
    ConversationMessage message{};  ///< The message.

    friend bool operator==(const MessageAdded&, const MessageAdded&) = default;
};

/// Feedback waits: `append_user_feedback`.
struct FeedbackAdded {
    std::string text{};  ///< The feedback.

    friend bool operator==(const FeedbackAdded&, const FeedbackAdded&) = default;
};

/// All feedback that waits becomes messages: `take_pending_feedback`.
struct FeedbackTaken {
    friend bool operator==(const FeedbackTaken&, const FeedbackTaken&) = default;
};

/// A step has a summary: `set_summary`.
struct SummarySet {
    std::size_t step = 0;   ///< The index of the step.
    std::string summary{};  ///< The step in a line.

    friend bool operator==(const SummarySet&, const SummarySet&) = default;
};

/// The rolling summary is set or forgotten: `set_rolling_summary`, `clear_rolling_summary`. That it is forgotten
/// because one of its steps changed is not a change of its own.
struct RollingSummarySet {
    std::optional<RollingSummary> rolling_summary{};  ///< Empty if it is forgotten.

    friend bool operator==(const RollingSummarySet&, const RollingSummarySet&) = default;
};

/// A step has other metrics: `set_metrics`.
struct MetricsSet {
    std::size_t step = 0;   ///< The index of the step.
    StepMetrics metrics{};  ///< Its metrics.

    friend bool operator==(const MetricsSet&, const MetricsSet&) = default;
};

/// A run on the history has ended: `register_run`.
struct RunEnded {
    RunRecord run{};  ///< How.

    friend bool operator==(const RunEnded&, const RunEnded&) = default;
};

/// A call of the open step was the run of another agent: `register_sub_run`. The step is the open one.
struct SubRunRegistered {
    SubRun sub_run{};   ///< Its history.
    StepOfCall step{};  ///< The step of the call.

    friend bool operator==(const SubRunRegistered&, const SubRunRegistered&) = default;
};

/// A change of a history: what `EpisodicActionHistory::apply` does, and what a journal gets. Its members that change it
/// are short forms. A described type, so that changes can be written, sent and applied elsewhere:
/// `{"kind": ..., "call_id": ..., "body": {...}}`, the body being the JSON of the alternative, `call_id` in changes of
/// calls.
///
/// @code{.cpp}
/// #include "acta/history/history.hpp"
/// acta::EpisodicActionHistory<> history;
/// history.apply(acta::MessageAdded{{.message = acta::ChatMessage::user("When is high water?")}});
/// const acta::HistoryChange<> change = acta::FeedbackAdded{"In Brest."};
/// std::string json = acta::dump(change);   // {"kind":"feedback","body":{"text":"In Brest."}}
/// history.apply(acta::parse<acta::HistoryChange<>>(json));
/// assert(history.pending_feedback().size() == 1);
/// @endcode
template <class P = ActionProposal<>>
using HistoryChange = std::variant<ActionRegistered<P>, ResultRegistered, CallResultsRegistered, ArgumentsSet,
                                   CallDecided, CallBegun, Rewound, MessageAdded, FeedbackAdded, FeedbackTaken,
                                   SummarySet, RollingSummarySet, MetricsSet, RunEnded, SubRunRegistered>;

template <class P>
struct Describe<ActionRegistered<P>> {
    using T = ActionRegistered<P>;
    static constexpr auto fields = acta::fields(required("action", &T::action), omit_if_empty("metrics", &T::metrics),
                                                omit_if_empty("tool_call_ids", &T::tool_call_ids));
};
template <>
struct Describe<ResultRegistered> {
    using T = ResultRegistered;
    static constexpr auto fields = acta::fields(required("result", &T::result), omit_if_empty("step", &T::step),
                                                omit_if_empty("finished_at", &T::finished_at));
};
template <>
struct Describe<CallResultsRegistered> {
    using T = CallResultsRegistered;
    static constexpr auto fields =
        acta::fields(required("results", &T::results), omit_if_empty("finished_at", &T::finished_at),
                     omit_if_empty("step", &T::step));
};
template <>
struct Describe<ArgumentsSet> {
    static constexpr auto fields = acta::fields(required("arguments", &ArgumentsSet::arguments));
};
template <>
struct Describe<CallDecided> {
    using T = CallDecided;
    static constexpr auto fields =
        acta::fields(required("approved", &T::approved), omit_if_empty("by", &T::by),
                     omit_if_empty("feedback", &T::feedback), omit_if_empty("digest", &T::digest));
};
template <>
struct Describe<CallBegun> {
    static constexpr auto fields = acta::fields(required("idempotency_key", &CallBegun::idempotency_key));
};
template <>
struct Describe<Rewound> {
    static constexpr auto fields = acta::fields(required("steps", &Rewound::steps));
};
template <>
struct Describe<MessageAdded> {
    using representation = ConversationMessage;
    static MessageAdded from_representation(ConversationMessage message) { return {std::move(message)}; }
    static const ConversationMessage& to_representation(const MessageAdded& change) { return change.message; }
};
template <>
struct Describe<FeedbackAdded> {
    static constexpr auto fields = acta::fields(required("text", &FeedbackAdded::text));
};
template <>
struct Describe<FeedbackTaken> {
    static constexpr auto fields = acta::fields();
};
template <>
struct Describe<SummarySet> {
    static constexpr auto fields =
        acta::fields(required("step", &SummarySet::step), defaulted("summary", &SummarySet::summary));
};
template <>
struct Describe<RollingSummarySet> {
    static constexpr auto fields = acta::fields(omit_if_empty("rolling_summary", &RollingSummarySet::rolling_summary));
};
template <>
struct Describe<MetricsSet> {
    static constexpr auto fields =
        acta::fields(required("step", &MetricsSet::step), required("metrics", &MetricsSet::metrics));
};
template <>
struct Describe<RunEnded> {
    static constexpr auto fields = acta::fields(required("run", &RunEnded::run));
};
template <>
struct Describe<SubRunRegistered> {
    static constexpr auto fields = acta::fields(required("sub_run", &SubRunRegistered::sub_run));
};

namespace history_detail {

/// The kinds of changes in JSON, in the order of the alternatives.
inline constexpr std::array<std::string_view, 15> change_kinds = {
    "action",   "result",         "call_results", "arguments",       "decision", "call", "rewind", "message",
    "feedback", "feedback_taken", "summary",      "rolling_summary", "metrics",  "run",  "sub_run"};
static_assert(change_kinds.size() == std::variant_size_v<HistoryChange<>>);

/// A change as in JSON.
struct ChangeDocument {
    std::string kind{};
    std::string call_id{};
    Json body{};
};

/// Throws `ValidationError`, of a change whose kind is unknown.
[[noreturn]] void throw_unknown_change(const std::string& kind);
/// Returns the change that is the result of one call.
[[nodiscard]] CallResultsRegistered results_of(std::string_view tool_call_id, ActionResult&& result);

template <class Change>
concept ChangeOfCall = requires(const Change& change) { change.tool_call_id; };

/// Reads the alternative of the document's kind. Throws `ValidationError`, also if no alternative has it.
template <class Changes, std::size_t I = 0>
Changes read_change(const ChangeDocument& document) {
    if constexpr (I == std::variant_size_v<Changes>) {
        throw_unknown_change(document.kind);
    } else {
        if (document.kind != change_kinds[I]) return read_change<Changes, I + 1>(document);
        auto change = validate<std::variant_alternative_t<I, Changes>>(document.body);
        if constexpr (ChangeOfCall<decltype(change)>) change.tool_call_id = document.call_id;
        return change;
    }
}

}  // namespace history_detail

template <>
struct Describe<history_detail::ChangeDocument> {
    using T = history_detail::ChangeDocument;
    static constexpr auto fields =
        acta::fields(required("kind", &T::kind), omit_if_empty("call_id", &T::call_id), required("body", &T::body));
};

template <class P, class... Others>
    requires std::same_as<std::variant<ActionRegistered<P>, Others...>, HistoryChange<P>>
struct Describe<std::variant<ActionRegistered<P>, Others...>> {
    using representation = history_detail::ChangeDocument;
    static std::string name() { return "HistoryChange[" + introspection::parameter_title<P>() + "]"; }
    static HistoryChange<P> from_representation(const representation& document) {
        return history_detail::read_change<HistoryChange<P>>(document);
    }
    static representation to_representation(const HistoryChange<P>& change) {
        return std::visit(
            [&change]<class Change>(const Change& one) {
                representation out{std::string(history_detail::change_kinds[change.index()]), {}, to_json_value(one)};
                if constexpr (history_detail::ChangeOfCall<Change>) out.call_id = one.tool_call_id;
                return out;
            },
            change);
    }
};

/// Receives each change of a history just before it takes effect, so that it can be kept or sent. What it throws leaves
/// the history as it was, and is rethrown to the caller.
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

    /// The history is about to change. Nothing that the history does after it fails.
    virtual void on_change(const HistoryChange<P>& change) = 0;
    /// Several changes are about to be made together (`EpisodicActionHistory::apply_together`): the journal keeps all
    /// of them, or none. Calls `on_change` with each by default, which is right only if it does not throw after the
    /// first.
    virtual void on_changes(std::span<const HistoryChange<P>> changes) {
        for (const HistoryChange<P>& one : changes) on_change(one);
    }
    /// Returns the idempotency key of the call of the open step at `index`, which is about to begin. Empty by default.
    [[nodiscard]] virtual std::string idempotency_key(std::string_view /*tool_call_id*/, std::size_t /*index*/) const {
        return {};
    }
    /// Returns the key of a call that begins together with its step, which is about to be opened. That of
    /// `idempotency_key` by default.
    [[nodiscard]] virtual std::string next_idempotency_key(std::string_view tool_call_id, std::size_t index) const {
        return idempotency_key(tool_call_id, index);
    }
    /// Adds to a call of the open step what decisions and beginnings have been noted of it: `open_calls`. Does nothing
    /// by default.
    virtual void look_up(OpenCall& /*call*/) const {}
    /// The changes under one lock of a `SharedHistory` are complete, and `history` is their result: the moment to store
    /// a snapshot. Does nothing by default.
    virtual void changes_complete(const EpisodicActionHistory<P>& /*history*/) noexcept {}
    /// The history was assigned to, or moved from: it is no longer what the changes have made it. Does nothing by
    /// default.
    virtual void replaced() noexcept {}
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

/// The members that change a history, each a short form of `apply` with the change that it names. `Self` is the
/// history, or one for several threads, which locks.
template <class Self, class P>
class ChangeMembers {
public:
    /// Opens a step, with its metrics so far if known. Of a proposal with `use_tools`, the first of them becomes
    /// `use_tool`. If a restored cursor points at a finished step, the new step is appended. Throws `HistoryError`
    /// while a step is open (`action_already_set`), and if the proposal calls nothing (`no_call`): then it is an
    /// answer, see `register_answer`.
    ///
    /// @code{.cpp}
    /// #include "acta/history/history.hpp"
    /// acta::EpisodicActionHistory<> history;
    /// history.register_action({.thoughts = "Look at the folder.", .use_tool = {"list_folder", {}}});
    /// history.register_result(acta::ActionSuccessResult{.outputs = "a.txt"});
    /// @endcode
    void register_action(P action, std::optional<StepMetrics> metrics = std::nullopt);

    /// Closes the open step. A summary that was made before is dropped, since it does not know the result; if the
    /// step's metrics have a start, its finish is noted. Throws `HistoryError` (`no_action`, `result_already_set`).
    void register_result(ActionResult result);
    /// Takes the result of one of the open step's calls, by its id (`call_ids`, `execute`). With the last one the step
    /// is finished: its result is the first that is not a success, else a success with the outputs of all in order. Of
    /// a step with one call, that call's result is the step's. Throws `HistoryError` (also `unknown_tool_call`).
    ///
    /// @code{.cpp}
    /// #include "acta/history/history.hpp"
    /// acta::EpisodicActionHistory<> history;
    /// acta::ActionProposal<> proposal;
    /// acta::set_calls(proposal, {{"double", {{"n", 1}}}, {"double", {{"n", 2}}}});
    /// history.register_action(proposal);
    /// history.register_result("call_0", acta::ActionSuccessResult{.outputs = 2});
    /// history.register_result("call_1", acta::ActionSuccessResult{.outputs = 4});
    /// std::string outputs = acta::to_string(*history[0].result);   // [2, 4]
    /// @endcode
    void register_result(std::string_view tool_call_id, ActionResult result);
    /// The same for a call of a certain step (`begin_call`). Throws `HistoryError` (`unknown_tool_call`) if another
    /// step is open, although it has a call of the same id. A store also knows a step of the same index from one that
    /// was taken back, by the key of the call.
    void register_result(const CallIdentity& call, ActionResult result);
    /// Takes the results of several calls of the open step at once, all or none: `register_results(execute(...))`.
    ///
    /// @code{.cpp}
    /// #include "acta/history/history.hpp"
    /// acta::EpisodicActionHistory<> history;
    /// history.register_action({.thoughts = "What time is it?", .use_tool = {"now", {}}});
    /// history.register_results({{"call_0", acta::ActionSuccessResult{.outputs = "12:00"}}});
    /// @endcode
    void register_results(std::vector<ToolResult> executed);
    template <AnyJsonValue J>
    void register_result(const J&) = delete;  // acta: read JSON first: use acta::validate<acta::ActionResult>(json)
    template <AnyJsonValue J>
    void register_result(std::string_view, const J&) = delete;  // acta: use acta::validate<acta::ActionResult>(json)
    /// Does not compile: a value alone does not say how the call ended.
    template <history_detail::PlainValue T>
    void register_result(const T&) {
        static_assert(history_detail::never<T>, "acta: say how it ended: acta::ActionSuccessResult{.outputs = value}");
    }
    /// Does not compile: a value alone does not say how the call ended.
    template <history_detail::PlainValue T>
    void register_result(std::string_view, const T&) {
        static_assert(history_detail::never<T>, "acta: say how it ended: acta::ActionSuccessResult{.outputs = value}");
    }

    /// Changes the arguments of one of the open step's calls, by its id, before it runs: a person decided so. The
    /// model's message (`raw_message`) stays as it is. Throws `HistoryError` (`no_action`, `result_already_set`,
    /// `unknown_tool_call`).
    ///
    /// @code{.cpp}
    /// #include "acta/history/history.hpp"
    /// acta::EpisodicActionHistory<> history;
    /// history.register_action({.thoughts = "Remove it.", .use_tool = {"remove", {{"path", "/"}}}});
    /// history.set_arguments("call_0", {{"path", "/tmp/a.txt"}});
    /// std::string call = acta::to_string(history[0].action.use_tool);   // remove(path='/tmp/a.txt')
    /// @endcode
    void set_arguments(std::string_view tool_call_id, JsonObject arguments);
    /// The same for a call of a certain step; `{id, cursor()}` is that of the open one. Throws `HistoryError`
    /// (`unknown_tool_call`) if another step is open, although it has a call of the same id.
    void set_arguments(const CallIdentity& call, JsonObject arguments);
    /// Registers a decision about one of the open step's calls, as it is now: other arguments (`set_arguments`)
    /// void it. Only a store keeps it (`StoredHistory`). Throws `HistoryError`, as `set_arguments` does.
    void decide(std::string_view tool_call_id, const CallDecision& decision);
    /// The same for a call of a certain step, as with `set_arguments`.
    void decide(const CallIdentity& call, const CallDecision& decision);

    /// Drops the open step, and `steps` finished ones before it, or all if there are fewer, with the messages after
    /// them. Throws `HistoryError` (`negative_rewind`) below 0.
    void rewind(std::int64_t steps = 0);
    /// Sets the metrics of the step at `i`. Throws `std::out_of_range`.
    void set_metrics(std::size_t i, StepMetrics metrics);

    /// Appends a message of the system, the user or the assistant; while a step is open, after that step. Throws
    /// `HistoryError` (`not_conversation`) for a tool's message and one with calls.
    ///
    /// @code{.cpp}
    /// #include "acta/history/history.hpp"
    /// acta::EpisodicActionHistory<> history;
    /// history.register_message(acta::ChatMessage::user("When is high tide?"));
    /// history.register_action({.thoughts = "Look.", .use_tool = {"search", {{"query", "tides"}}}});
    /// history.register_result(acta::ActionSuccessResult{.outputs = "at noon"});
    /// history.register_answer("At noon.");
    /// assert(history.answer()->content == "At noon.");
    /// assert(history.messages()[1].before == 1);
    /// @endcode
    void register_message(ChatMessage message);
    /// Does not compile: a text alone does not say whose message it is.
    template <history_detail::PlainValue T>
    void register_message(const T&) {
        static_assert(history_detail::never<T>, "acta: say whose message it is: acta::ChatMessage::user(text)");
    }

    /// Keeps the run of an agent that one of the open step's calls is, by its id; it replaces one that was kept before.
    /// Throws `HistoryError`, as `set_arguments` does.
    void register_sub_run(std::string_view tool_call_id, Json history);
    /// The same for a call of a certain step, as with `set_arguments`.
    void register_sub_run(const CallIdentity& call, Json history);
    /// Notes how a run ended. The loop does so by itself.
    void register_run(RunRecord run);
    /// Keeps the user's feedback until the agent takes it.
    void append_user_feedback(std::string feedback);

    /// Sets the summary of the steps from `first` to `last`. Forgotten when one of them is rewound away or receives
    /// another result. Throws `std::out_of_range` if the history has no such steps.
    void set_rolling_summary(RollingSummary summary);
    /// Forgets the rolling summary. The steps stay.
    void clear_rolling_summary();

private:
    friend Self;
    ChangeMembers() = default;
    ChangeMembers(const ChangeMembers&) = default;
    ChangeMembers(ChangeMembers&&) noexcept = default;
    ChangeMembers& operator=(const ChangeMembers&) = default;
    ChangeMembers& operator=(ChangeMembers&&) noexcept = default;
    ~ChangeMembers() = default;

    template <class Change>
    void change(Change one) {
        static_cast<Self&>(*this).apply(HistoryChange<P>(std::in_place_type<Change>, std::move(one)));
    }
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/history/detail/change.inl.hpp"
#endif
