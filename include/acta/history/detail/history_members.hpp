// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"

// The member functions of EpisodicActionHistory.
namespace acta::inline ACTA_ABI {

// Not in the class, so that a program with acta::compiled does not compile them for the default type.
template <class P>
EpisodicActionHistory<P>::EpisodicActionHistory() = default;

template <class P>
EpisodicActionHistory<P>::EpisodicActionHistory(const EpisodicActionHistory& other) = default;

template <class P>
EpisodicActionHistory<P>::EpisodicActionHistory(EpisodicActionHistory&& other) noexcept
    : EpisodicActionHistory(std::move(other), other.location_.lock()) {}

template <class P>
EpisodicActionHistory<P>::~EpisodicActionHistory() = default;

template <class P>
EpisodicActionHistory<P>::EpisodicActionHistory(HistoryRecord<P> record) : record_(std::move(record)) {
    history_detail::arrange(record_.conversation, size());
    const bool inside = record_.cursor >= 0 && static_cast<std::uint64_t>(record_.cursor) <= record_.episodes.size();
    if (!inside) record_.cursor = first_unfinished();
    if (record_.rolling_summary && !stands_for_steps(*record_.rolling_summary)) record_.rolling_summary.reset();
    steps_.reserve(size());
    const std::uint64_t first = history_detail::new_episode_ids(size());
    for (std::size_t i = 0; i < size(); ++i) {
        steps_.push_back({.id = {first + i, 0}});
        if (waits(i)) ++unsummarised_;
    }
}

template <class P>
EpisodicActionHistory<P>::EpisodicActionHistory(EpisodicActionHistory&& other,
                                                const typename Location::Lock& /*lock*/) noexcept
    : calls_(std::move(other.calls_)),
      record_(std::move(other.record_)),
      steps_(std::move(other.steps_)),
      first_waiting_(other.first_waiting_),
      fewest_failures_(other.fewest_failures_),
      unsummarised_(other.unsummarised_),
      observer_(std::move(other.observer_)) {
    location_.take(other.location_, *this);
    other.forget();
    if (other.journal_) other.journal_->replaced();
}

// Via a copy: nlohmann's ordered objects can be copied, but not assigned.
template <class P>
EpisodicActionHistory<P>& EpisodicActionHistory<P>::operator=(const EpisodicActionHistory& other) {
    if (this != &other) *this = EpisodicActionHistory(other);
    return *this;
}

template <class P>
EpisodicActionHistory<P>& EpisodicActionHistory<P>::operator=(EpisodicActionHistory&& other) noexcept {
    if (this == &other) return *this;
    location_.end();
    const auto lock = other.location_.lock();
    location_.take(other.location_, *this);
    record_ = std::move(other.record_);
    steps_ = std::move(other.steps_);
    first_waiting_ = other.first_waiting_;
    fewest_failures_ = other.fewest_failures_;
    unsummarised_ = other.unsummarised_;
    calls_ = std::move(other.calls_);
    other.forget();
    if (other.journal_) other.journal_->replaced();
    if (journal_) journal_->replaced();
    return *this;
}

template <class P>
std::string EpisodicActionHistory<P>::fmt_list() const {
    std::string out;
    for (std::size_t i = 0; i < size(); ++i) {
        if (i != 0) out += '\n';
        out.append(std::to_string(i + 1)).append(". ");
        history_detail::append_line(out, get_tools(record_.episodes[i].action), record_.episodes[i].result);
    }
    return out;
}

template <class P>
std::string EpisodicActionHistory<P>::fmt_paragraph() const {
    std::string out;
    auto said = messages().begin();
    for (std::size_t i = 0; i <= size(); ++i) {
        for (; said != messages().end() && said->before == i; ++said) history_detail::append_said(out, said->message);
        if (i == size()) break;
        if (!out.empty()) out += "\n\n";
        out.append("### Step ").append(std::to_string(i + 1)).append(": ");
        const Episode<P>& step = (*this)[i];
        out.append(format_step(get_tools(step.action), thoughts_text(step.action.thoughts), step.result,
                               step.tool_results, true)) += '\n';
    }
    return out;
}

// The short forms of changes ------------------------------------------------------------------------------

template <class Self, class P>
void ChangeMembers<Self, P>::register_action(P action, std::optional<StepMetrics> metrics) {
    this->change(ActionRegistered<P>{std::move(action), std::move(metrics)});
}

template <class Self, class P>
void ChangeMembers<Self, P>::register_result(ActionResult result) {
    this->change(ResultRegistered{std::move(result)});
}

template <class Self, class P>
void ChangeMembers<Self, P>::register_result(std::string_view tool_call_id, ActionResult result) {
    this->change(history_detail::results_of(tool_call_id, std::move(result)));
}

template <class Self, class P>
void ChangeMembers<Self, P>::register_result(const CallIdentity& call, ActionResult result) {
    CallResultsRegistered one = history_detail::results_of(call.tool_call_id, std::move(result));
    one.step = call.step;
    one.idempotency_key = call.idempotency_key;
    this->change(std::move(one));
}

template <class Self, class P>
void ChangeMembers<Self, P>::register_results(std::vector<ToolResult> executed) {
    this->change(CallResultsRegistered{std::move(executed)});
}

template <class Self, class P>
void ChangeMembers<Self, P>::set_arguments(std::string_view tool_call_id, JsonObject arguments) {
    this->change(ArgumentsSet{std::string(tool_call_id), std::move(arguments)});
}

template <class Self, class P>
void ChangeMembers<Self, P>::set_arguments(const CallIdentity& call, JsonObject arguments) {
    this->change(ArgumentsSet{call.tool_call_id, std::move(arguments), {call.step, call.idempotency_key}});
}

template <class Self, class P>
void ChangeMembers<Self, P>::decide(std::string_view tool_call_id, const CallDecision& decision) {
    this->change(CallDecided{std::string(tool_call_id), decision.approved, decision.by, decision.feedback, {}});
}

template <class Self, class P>
void ChangeMembers<Self, P>::decide(const CallIdentity& call, const CallDecision& decision) {
    this->change(CallDecided{
        call.tool_call_id, decision.approved, decision.by, decision.feedback, {}, {call.step, call.idempotency_key}});
}

template <class Self, class P>
void ChangeMembers<Self, P>::rewind(std::int64_t steps) {
    this->change(Rewound{steps});
}

template <class Self, class P>
void ChangeMembers<Self, P>::set_metrics(std::size_t i, StepMetrics metrics) {
    this->change(MetricsSet{i, std::move(metrics)});
}

template <class Self, class P>
void ChangeMembers<Self, P>::register_message(ChatMessage message) {
    this->change(MessageAdded{{.message = std::move(message)}});
}

template <class Self, class P>
void ChangeMembers<Self, P>::register_sub_run(std::string_view tool_call_id, Json history) {
    this->change(SubRunRegistered{{.tool_call_id = std::string(tool_call_id), .history = std::move(history)}});
}

template <class Self, class P>
void ChangeMembers<Self, P>::register_sub_run(const CallIdentity& call, Json history) {
    this->change(SubRunRegistered{{.tool_call_id = call.tool_call_id, .history = std::move(history)},
                                  {call.step, call.idempotency_key}});
}

template <class Self, class P>
void ChangeMembers<Self, P>::register_run(RunRecord run) {
    this->change(RunEnded{std::move(run)});
}

template <class Self, class P>
void ChangeMembers<Self, P>::append_user_feedback(std::string feedback) {
    this->change(FeedbackAdded{std::move(feedback)});
}

template <class Self, class P>
void ChangeMembers<Self, P>::set_rolling_summary(RollingSummary summary) {
    this->change(RollingSummarySet{std::move(summary)});
}

template <class Self, class P>
void ChangeMembers<Self, P>::clear_rolling_summary() {
    this->change(RollingSummarySet{});
}

template <class P>
void EpisodicActionHistory<P>::apply(HistoryChange<P> change) {
    make(change);
}

template <class P>
void EpisodicActionHistory<P>::make(HistoryChange<P>& change) {
    std::visit([this, &change](auto& one) { this->make(one, change); }, change);
}

template <class P>
void EpisodicActionHistory<P>::apply_together(std::vector<HistoryChange<P>> changes) {
    if (changes.empty()) return;
    if (auto* const action = std::get_if<ActionRegistered<P>>(&changes.front())) return open(*action, changes);
    for (HistoryChange<P>& change : changes) {
        if (auto* const begun = std::get_if<CallBegun>(&change))
            complete(*begun);
        else if (const auto* const summary = std::get_if<SummarySet>(&change))
            history_detail::require_step(summary->step, size());
        else
            throw Error("only a step, calls that begin, and summaries can be set together");
    }
    keep(std::span<const HistoryChange<P>>(changes));
    for (HistoryChange<P>& change : changes) {
        if (auto* const summary = std::get_if<SummarySet>(&change)) take(*summary);
    }
}

// The changes ------------------------------------------------------------------------------------------

template <class P>
void EpisodicActionHistory<P>::make(ActionRegistered<P>& one, HistoryChange<P>& change) {
    open(one, std::span(&change, 1));
}

/// Opens the step of the first change. The others say which of its calls begin with it.
template <class P>
void EpisodicActionHistory<P>::open(ActionRegistered<P>& one, std::span<HistoryChange<P>> changes) {
    ScopedEvent watch(observer(), event_names::register_action);
    if (watch) watch.add({{"tool", get_tools(one.action).front().name}, {"calls", get_tools(one.action).size()}});
    if (has_open_step())
        throw HistoryError(HistoryErrorCode::action_already_set, "Action for current cycle already set");
    if (!has_tool_call(one.action))
        throw HistoryError(HistoryErrorCode::no_call, "A proposal without a call is not a step: use register_answer");
    if constexpr (ProposalWithParallelCalls<P>) {
        if (!one.action.use_tools.empty()) one.action.use_tool = AssistantFunctionCall(one.action.use_tools.front());
    }
    history_detail::reserve_one(steps_);
    history_detail::reserve_one(record_.episodes);
    std::vector<std::string> ids = one.tool_call_ids;
    const std::size_t calls = get_tools(one.action).size();
    if (!ids.empty())
        history_detail::require_call_ids(ids, calls);
    else if (calls > 1)
        ids = call_ids(one.action);
    if (changes.size() > 1) begin_with_step(changes.subspan(1), ids.empty() ? call_ids(one.action) : ids);
    if (history_detail::are_of_message(ids, find_raw_message(one.action))) ids.clear();
    keep(changes);
    record_.episodes.emplace_back(std::move(one.action), std::nullopt, std::nullopt, std::move(ids),
                                  std::vector<ToolResult>{}, std::move(one.metrics));
    steps_.push_back({.id = {history_detail::new_episode_ids(1), 0}});
    record_.cursor = static_cast<std::int64_t>(size()) - 1;
    if (watch) watch.add({{"length", size()}});
}

/// Checks and completes the beginnings of calls of a step that is about to be opened and has calls with these ids.
template <class P>
void EpisodicActionHistory<P>::begin_with_step(std::span<HistoryChange<P>> begun,
                                               const std::vector<std::string>& ids) const {
    auto next = ids.begin();
    for (HistoryChange<P>& change : begun) {
        auto* const one = std::get_if<CallBegun>(&change);
        if (one == nullptr) throw Error("with a step, only calls of it can begin");
        next = std::find(next, ids.end(), one->tool_call_id);
        if (next == ids.end())
            throw HistoryError(HistoryErrorCode::unknown_tool_call,
                               "The step has no call '" + one->tool_call_id + "' that could begin here");
        const auto index = static_cast<std::size_t>(next++ - ids.begin());
        if (journal_ && one->idempotency_key.empty())
            one->idempotency_key = journal_->next_idempotency_key(one->tool_call_id, index);
    }
}

template <class P>
void EpisodicActionHistory<P>::make(ResultRegistered& one, const HistoryChange<P>& change) {
    ScopedEvent watch(observer(), event_names::register_result);
    if (watch) watch.add({{"status", to_string(status(one.result))}, {"length", size()}});
    if (one.step) {
        history_detail::require_step(*one.step, size());
        if (record_.episodes[*one.step].result) history_detail::throw_result_set();
    } else {
        static_cast<void>(open_step());
        one.step = cursor();
    }
    const std::size_t i = *one.step;
    if (!one.finished_at) one.finished_at = finish_time(i);
    Boxed<StepMetrics> made = new_metrics(i, one.finished_at);
    keep(change);
    finish(i, std::move(one.result), std::move(made), one.finished_at);
}

template <class P>
void EpisodicActionHistory<P>::make(CallResultsRegistered& one, const HistoryChange<P>& change) {
    if (one.results.empty()) return;
    std::vector<ToolResult>& results = open_step().tool_results;
    static_cast<void>(find_call(one.results.front().tool_call_id, {one.step, one.idempotency_key}));
    for (const ToolResult& result : one.results) {
        ScopedEvent watch(observer(), event_names::register_result);
        if (watch)
            watch.add({{"tool_call_id", result.tool_call_id},
                       {"status", to_string(status(result.result))},
                       {"length", size()}});
        history_detail::require_no_result(calls_, result.tool_call_id);
    }
    history_detail::require_distinct(one.results, calls_);
    const std::size_t i = cursor();
    const bool is_parallel = calls_.size() > 1;
    std::optional<ActionResult> joined;
    Boxed<StepMetrics> made;
    if (results.size() + calls_.late() + one.results.size() != calls_.size()) {
        one.finished_at.reset();
    } else {
        calls_.settle();
        if (is_parallel) joined = history_detail::joined_result(results, one.results, calls_);
        if (!one.finished_at) one.finished_at = finish_time(i);
        made = new_metrics(i, one.finished_at);
    }
    if (is_parallel) calls_.reserve(results, one.results.size());
    keep(change);
    if (!is_parallel) return finish(i, std::move(one.results.front().result), std::move(made), one.finished_at);
    for (ToolResult& result : one.results) calls_.put(results, std::move(result));
    if (joined)
        finish(i, *std::move(joined), std::move(made), one.finished_at);
    else
        revise(i, revised(i));
}

template <class P>
void EpisodicActionHistory<P>::make(ArgumentsSet& one, const HistoryChange<P>& change) {
    const std::size_t i = require_open_call(one.tool_call_id, one.step);
    std::optional<JsonObject> copy;
    if (i == 0) copy = one.arguments;
    keep(change);
    P& action = record_.episodes[cursor()].action;
    if (copy) action.use_tool.arguments = *std::move(copy);
    if constexpr (ProposalWithParallelCalls<P>) {
        if (!action.use_tools.empty()) action.use_tools[i].arguments = std::move(one.arguments);
    }
}

template <class P>
void EpisodicActionHistory<P>::make(CallDecided& one, const HistoryChange<P>& change) {
    const std::size_t i = require_open_call(one.tool_call_id, one.step);
    if (!journal_) return;
    if (one.digest.empty()) one.digest = arguments_digest(get_tools(open_step().action)[i].arguments);
    keep(change);
}

template <class P>
void EpisodicActionHistory<P>::make(CallBegun& one, const HistoryChange<P>& change) {
    complete(one);
    keep(change);
}

template <class P>
void EpisodicActionHistory<P>::complete(CallBegun& one) {
    const std::size_t i = require_open_call(one.tool_call_id, {});
    if (journal_ && one.idempotency_key.empty()) one.idempotency_key = journal_->idempotency_key(one.tool_call_id, i);
}

template <class P>
void EpisodicActionHistory<P>::make(Rewound& one, const HistoryChange<P>& change) {
    ScopedEvent watch(observer(), event_names::rewind);
    if (watch) watch.add({{"steps", one.steps}});
    if (one.steps < 0)
        throw HistoryError(HistoryErrorCode::negative_rewind, "Cannot rewind a negative number of steps");
    keep(change);
    calls_.settle();
    const std::size_t before = size();
    if (has_open_step()) drop_open_step();
    drop_newest(std::min(size(), static_cast<std::size_t>(one.steps)));
    go_to_end();
    if (watch) watch.add({{"dropped", before - size()}, {"length", size()}});
}

template <class P>
void EpisodicActionHistory<P>::make(MessageAdded& one, const HistoryChange<P>& change) {
    const ChatMessage& message = one.message.message;
    ScopedEvent watch(observer(), event_names::register_message);
    if (watch) watch.add({{"role", to_string(message.role)}, {"length", size()}});
    history_detail::require_conversation(message);
    if (one.message.metrics && message.role != ChatRole::assistant)
        throw HistoryError(HistoryErrorCode::not_conversation, "Only an answer has metrics");
    if (one.message.metrics) require_finished();
    one.message.before = message_place();
    history_detail::Conversation said(1);
    history_detail::reserve_messages(record_.conversation, 1);
    keep(change);
    said.front() = std::move(one.message);
    history_detail::add_messages(record_.conversation, std::move(said));
}

template <class P>
void EpisodicActionHistory<P>::make(FeedbackAdded& one, const HistoryChange<P>& change) {
    history_detail::reserve_one(record_.pending_user_feedback);
    keep(change);
    record_.pending_user_feedback.push_back(std::move(one.text));
}

template <class P>
void EpisodicActionHistory<P>::make(FeedbackTaken& /*one*/, const HistoryChange<P>& change) {
    history_detail::Conversation said =
        history_detail::messages_of_feedback(record_.pending_user_feedback, message_place());
    if (said.empty()) return;
    history_detail::reserve_messages(record_.conversation, said.size());
    keep(change);
    history_detail::add_messages(record_.conversation, std::move(said));
    record_.pending_user_feedback.clear();
}

template <class P>
void EpisodicActionHistory<P>::make(SummarySet& one, const HistoryChange<P>& change) {
    history_detail::require_step(one.step, size());
    keep(change);
    take(one);
}

template <class P>
void EpisodicActionHistory<P>::take(SummarySet& one) noexcept {
    if (waits(one.step)) --unsummarised_;
    record_.episodes[one.step].summary = std::move(one.summary);
}

template <class P>
void EpisodicActionHistory<P>::make(RollingSummarySet& one, const HistoryChange<P>& change) {
    if (one.rolling_summary && !stands_for_steps(*one.rolling_summary))
        throw std::out_of_range("the rolling summary covers steps that do not exist");
    if (!one.rolling_summary && !record_.rolling_summary) return;
    keep(change);
    record_.rolling_summary = std::move(one.rolling_summary);
}

template <class P>
void EpisodicActionHistory<P>::make(MetricsSet& one, const HistoryChange<P>& change) {
    history_detail::require_step(one.step, size());
    Boxed<StepMetrics> metrics(one.metrics);
    keep(change);
    record_.episodes[one.step].metrics = std::move(metrics);
}

template <class P>
void EpisodicActionHistory<P>::make(RunEnded& one, const HistoryChange<P>& change) {
    history_detail::reserve_one(record_.runs);
    keep(change);
    record_.runs.push_back(std::move(one.run));
}

template <class P>
void EpisodicActionHistory<P>::make(SubRunRegistered& one, const HistoryChange<P>& change) {
    const std::size_t call = require_open_call(one.sub_run.tool_call_id, one.step);
    one.sub_run.step = cursor();
    std::vector<SubRun>& runs = record_.sub_runs;
    history_detail::reserve_one(runs);
    keep(change);
    history_detail::put_sub_run(runs, std::move(one.sub_run), calls_.has_sub_run(call));
    calls_.note_sub_run(call);
}

// Calls ----------------------------------------------------------------------------------------------------

template <class P>
std::vector<RecordedCall> EpisodicActionHistory<P>::calls(const CallFilter& filter) const& {
    std::vector<RecordedCall> out;
    for (std::size_t i = 0; i < size(); ++i) {
        const Episode<P>& step = record().episodes[i];
        history_detail::append_calls(out, get_tools(step.action), call_ids(step), step.tool_results, step.result, i,
                                     filter);
    }
    return out;
}

// Changes that depend on what the history is -------------------------------------------------------------

template <class P>
void EpisodicActionHistory<P>::close_open_episode(ActionResult result) {
    for (std::size_t i = size(); i-- > 0;) {
        if (!record_.episodes[i].result) return apply(ResultRegistered{std::move(result), i});
    }
    throw HistoryError(HistoryErrorCode::no_action, "Cannot register result for cycle without action");
}

template <class P>
void EpisodicActionHistory<P>::require_finished() const {
    if (has_open_step())
        throw HistoryError(HistoryErrorCode::step_open, "The open step needs its result before an answer");
}

template <class P>
void EpisodicActionHistory<P>::register_answer(AssistantChatMessage answer, std::optional<StepMetrics> metrics) {
    require_finished();
    apply(MessageAdded{{.message = std::move(answer), .metrics = std::move(metrics)}});
}

template <class P>
CallIdentity EpisodicActionHistory<P>::begin_call(std::string_view tool_call_id) {
    HistoryChange<P> change = CallBegun{std::string(tool_call_id), {}};
    make(change);
    auto& begun = std::get<CallBegun>(change);
    return {std::move(begun.tool_call_id), cursor(), std::move(begun.idempotency_key)};
}

template <class P>
CallIdentity EpisodicActionHistory<P>::begin_call(const CallIdentity& call) {
    static_cast<void>(require_open_call(call.tool_call_id, {call.step, call.idempotency_key}));
    return begin_call(call.tool_call_id);
}

template <class P>
std::vector<std::string> EpisodicActionHistory<P>::take_pending_feedback() {
    std::vector<std::string> taken = record_.pending_user_feedback;
    apply(FeedbackTaken{});
    return taken;
}

template <class P>
bool EpisodicActionHistory<P>::set_summary(EpisodeId id, std::string summary) {
    const std::optional<std::size_t> step = history_detail::find_step(steps_.data(), steps_.size(), id);
    if (step) apply(SummarySet{*step, std::move(summary)});
    return step.has_value();
}

template <class P>
std::vector<OpenCall> EpisodicActionHistory<P>::open_calls() const {
    if (!has_open_step()) return {};
    const Episode<P>& step = (*this)[cursor()];
    std::vector<OpenCall> open =
        history_detail::calls_without_result(get_tools(step.action), call_ids(step), step.tool_results);
    if (journal_) {
        for (OpenCall& one : open) journal_->look_up(one);
    }
    return open;
}

// What they have in common ---------------------------------------------------------------------------------

/// Returns the place of a call among the calls of the open step, which must be this one.
template <class P>
std::size_t EpisodicActionHistory<P>::find_call(std::string_view tool_call_id, const StepOfCall& step) {
    static_cast<void>(open_step());
    history_detail::require_step_of_call(!step.index || *step.index == cursor(), tool_call_id);
    index_calls();
    const std::size_t place = calls_.find(tool_call_id);
    const bool is_known = journal_ && !step.idempotency_key.empty() && place != calls_.size();
    history_detail::require_step_of_call(
        !is_known || journal_->idempotency_key(tool_call_id, place) == step.idempotency_key, tool_call_id);
    return place;
}

/// The same for a call that has no result.
template <class P>
std::size_t EpisodicActionHistory<P>::require_open_call(std::string_view tool_call_id, const StepOfCall& step) {
    const std::size_t place = find_call(tool_call_id, step);
    history_detail::require_no_result(calls_, tool_call_id);
    return place;
}

/// Returns metrics for a step that has none and ended at a known time; nothing otherwise.
template <class P>
Boxed<StepMetrics> EpisodicActionHistory<P>::new_metrics(std::size_t i,
                                                         const std::optional<Timestamp>& finished_at) const {
    if (!finished_at || record_.episodes[i].metrics) return {};
    return StepMetrics{.finished_at = finished_at};
}

template <class P>
void EpisodicActionHistory<P>::finish(std::size_t i, ActionResult result, Boxed<StepMetrics> made,
                                      const std::optional<Timestamp>& finished_at) noexcept {
    calls_.settle();
    Episode<P>& episode = record_.episodes[i];
    revise(i, revised(i));
    episode.result = std::move(result);
    if (made) episode.metrics = std::move(made);
    if (finished_at) episode.metrics->finished_at = finished_at;
    ++unsummarised_;
    go_to_end();
}

// The step at `i` is about to change or to go.
template <class P>
void EpisodicActionHistory<P>::forget_rolling_summary_of(std::size_t i) noexcept {
    if (record_.rolling_summary && static_cast<std::uint64_t>(record_.rolling_summary->last) >= i)
        record_.rolling_summary.reset();
}

template <class P>
std::int64_t EpisodicActionHistory<P>::first_unfinished() const noexcept {
    std::size_t i = 0;
    while (i < size() && record_.episodes[i].result) ++i;
    return static_cast<std::int64_t>(i);
}

template <class P>
void EpisodicActionHistory<P>::forget() noexcept {
    record_ = {};
    steps_.clear();
    first_waiting_ = 0;
    fewest_failures_ = 0;
    unsummarised_ = 0;
    calls_ = {};
}

template <class P>
Episode<P>& EpisodicActionHistory<P>::open_step() {
    if (at_end()) throw HistoryError(HistoryErrorCode::no_action, "Cannot register result for cycle without action");
    Episode<P>& episode = record_.episodes[cursor()];
    if (episode.result) history_detail::throw_result_set();
    return episode;
}

template <class P>
void EpisodicActionHistory<P>::index_calls() {
    const EpisodeId id = steps_[cursor()].id;
    if (calls_.is_of(id)) return;
    const Episode<P>& step = (*this)[cursor()];
    calls_.set(id, call_ids(step));
    for (const ToolResult& one : step.tool_results) calls_.note_result(calls_.find(one.tool_call_id));
    const std::vector<SubRun>& runs = record_.sub_runs;  // those of the newest step are the last ones
    for (std::size_t i = runs.size(); i-- > 0 && runs[i].step >= cursor();)
        if (runs[i].step == cursor()) calls_.note_sub_run(calls_.find(runs[i].tool_call_id));
}

// The step has changed, so that a summary of it is out of date.
template <class P>
void EpisodicActionHistory<P>::revise(std::size_t i, EpisodeId id) noexcept {
    steps_[i] = {.id = id};
    record_.episodes[i].summary.reset();
    forget_rolling_summary_of(i);
    first_waiting_ = std::min(first_waiting_, i);
}

// What the metrics of the step say of its end if it ends now; nothing if they say it already, or have no start.
template <class P>
std::optional<Timestamp> EpisodicActionHistory<P>::finish_time(std::size_t i) const {
    const Boxed<StepMetrics>& metrics = record_.episodes[i].metrics;
    if (!metrics || !metrics->started_at || metrics->finished_at) return std::nullopt;
    return metrics->end_time();
}

template <class P>
void EpisodicActionHistory<P>::drop_open_step() {
    const auto at = static_cast<std::ptrdiff_t>(cursor());
    history_detail::drop_messages_behind(record_.conversation, cursor());
    forget_rolling_summary_of(cursor());
    if (cursor() < first_waiting_) --first_waiting_;
    record_.episodes.erase(record_.episodes.begin() + at);
    steps_.erase(steps_.begin() + at);
    std::erase_if(record_.runs, [this](const RunRecord& run) { return run.after > size(); });
    std::erase_if(record_.sub_runs, [this](const SubRun& run) { return run.step >= size(); });
}

template <class P>
void EpisodicActionHistory<P>::drop_newest(std::size_t count) {
    if (count == 0) return;
    const std::size_t left = size() - count;
    history_detail::drop_messages_after(record_.conversation, left);
    forget_rolling_summary_of(left);
    for (std::size_t i = left; i < size(); ++i) unsummarised_ -= waits(i) ? 1U : 0U;
    first_waiting_ = std::min(first_waiting_, left);
    record_.episodes.resize(left);
    steps_.resize(left);
    std::erase_if(record_.runs, [this](const RunRecord& run) { return run.after > size(); });
    std::erase_if(record_.sub_runs, [this](const SubRun& run) { return run.step >= size(); });
}

}  // namespace acta::inline ACTA_ABI
