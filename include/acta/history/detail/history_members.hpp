// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"

// The member functions of EpisodicActionHistory about calls that have no result yet.
namespace acta::inline ACTA_ABI {

/// Returns the place of an open call among the calls of the open step.
template <class P>
std::size_t EpisodicActionHistory<P>::require_open_call(std::string_view tool_call_id) {
    Episode<P>& step = open_step();
    index_calls();
    static_cast<void>(history_detail::place_of_result(step.tool_results, calls_, tool_call_id));
    return calls_.find(tool_call_id);
}

template <class P>
void EpisodicActionHistory<P>::set_arguments(std::string_view tool_call_id, JsonObject arguments) {
    const std::size_t i = require_open_call(tool_call_id);
    std::optional<JsonObject> copy;
    if (i == 0) copy = arguments;
    if (journal_) journal_->arguments(tool_call_id, arguments);
    P& action = open_step().action;
    if (copy) action.use_tool.arguments = *std::move(copy);
    if constexpr (ProposalWithParallelCalls<P>) {
        if (!action.use_tools.empty()) action.use_tools[i].arguments = std::move(arguments);
    }
}

template <class P>
std::vector<OpenCall> EpisodicActionHistory<P>::open_calls() const {
    std::vector<OpenCall> out;
    if (!has_open_step()) return out;
    const Episode<P>& step = record_.episodes[cursor()];
    std::vector<std::string> ids = call_ids(step);
    const auto calls = get_tools(step.action);
    for (std::size_t i = 0; i < calls.size(); ++i) {
        const auto is_its = [&](const ToolResult& one) { return one.tool_call_id == ids[i]; };
        if (std::ranges::any_of(step.tool_results, is_its)) continue;
        out.push_back({.call = {std::move(ids[i]), calls[i]}});
        if (journal_) journal_->look_up(out.back());
    }
    return out;
}

template <class P>
void EpisodicActionHistory<P>::decide(std::string_view tool_call_id, const CallDecision& decision) {
    const std::size_t i = require_open_call(tool_call_id);
    if (journal_) journal_->decision({std::string(tool_call_id), get_tools(open_step().action)[i]}, decision);
}

template <class P>
CallIdentity EpisodicActionHistory<P>::begin_call(std::string_view tool_call_id) {
    const std::size_t i = require_open_call(tool_call_id);
    CallIdentity out{std::string(tool_call_id), cursor(), {}};
    if (journal_) out.idempotency_key = journal_->call(tool_call_id, i);
    return out;
}

}  // namespace acta::inline ACTA_ABI

// The member functions of EpisodicActionHistory.
namespace acta::inline ACTA_ABI {

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
EpisodicActionHistory<P>::EpisodicActionHistory(EpisodicActionHistory&& other) noexcept
    : record_(std::move(other.record_)),
      steps_(std::move(other.steps_)),
      first_waiting_(other.first_waiting_),
      unsummarised_(other.unsummarised_),
      calls_(std::move(other.calls_)),
      observer_(std::move(other.observer_)) {
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
    record_ = std::move(other.record_);
    steps_ = std::move(other.steps_);
    first_waiting_ = other.first_waiting_;
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
        const Episode<P>& step = record_.episodes[i];
        out.append(format_step(get_tools(step.action), thoughts_text(step.action.thoughts), step.result,
                               step.tool_results, true)) += '\n';
    }
    return out;
}

template <class P>
void EpisodicActionHistory<P>::register_action(P action, std::optional<StepMetrics> metrics) {
    ScopedEvent watch(observer(), event_names::register_action);
    if (watch) watch.add({{"tool", get_tools(action).front().name}, {"calls", get_tools(action).size()}});
    if (has_open_step())
        throw HistoryError(HistoryErrorCode::action_already_set, "Action for current cycle already set");
    if (!has_tool_call(action))
        throw HistoryError(HistoryErrorCode::no_call, "A proposal without a call is no step: use register_answer");
    if constexpr (ProposalWithParallelCalls<P>) {
        if (!action.use_tools.empty()) action.use_tool = AssistantFunctionCall(action.use_tools.front());
    }
    if (steps_.size() == steps_.capacity())
        steps_.reserve(2 * steps_.size() + 1);  // one more at a time would be quadratic
    std::vector<std::string> ids;
    if (get_tools(action).size() > 1) {
        ids = call_ids(action);
        if (history_detail::are_of_message(ids, find_raw_message(action))) ids.clear();
    }
    record_.episodes.emplace_back(std::move(action), std::nullopt, std::nullopt, std::move(ids),
                                  std::vector<ToolResult>{}, std::move(metrics));
    try {
        if (journal_) journal_->action(record_.episodes.back());
    } catch (...) {
        record_.episodes.pop_back();
        throw;
    }
    steps_.push_back({.id = {history_detail::new_episode_ids(1), 0}});
    record_.cursor = static_cast<std::int64_t>(size()) - 1;
    if (watch) watch.add({{"length", size()}});
}

template <class P>
void EpisodicActionHistory<P>::register_result(ActionResult result) {
    ScopedEvent watch(observer(), event_names::register_result);
    if (watch) watch.add({{"status", to_string(status(result))}, {"length", size()}});
    static_cast<void>(open_step());
    close(cursor(), std::move(result));
}

template <class P>
void EpisodicActionHistory<P>::register_result(std::string_view tool_call_id, ActionResult result) {
    ScopedEvent watch(observer(), event_names::register_result);
    if (watch) watch.add({{"tool_call_id", tool_call_id}, {"status", to_string(status(result))}, {"length", size()}});
    std::vector<ToolResult>& results = open_step().tool_results;
    index_calls();
    const auto place = history_detail::place_of_result(results, calls_, tool_call_id);
    ToolResult one{std::string(tool_call_id), std::move(result)};
    if (calls_.size() == 1) return record_results({&one, 1}, {&one, 1});
    const auto added = results.insert(place, std::move(one));
    try {
        record_results({&*added, 1}, results);
    } catch (...) {
        results.erase(added);
        throw;
    }
}

template <class P>
void EpisodicActionHistory<P>::register_results(std::vector<ToolResult> executed) {
    if (executed.empty()) return;
    std::vector<ToolResult> results;
    bool first = true;
    for (ToolResult& one : executed) {
        ScopedEvent watch(observer(), event_names::register_result);
        if (watch)
            watch.add(
                {{"tool_call_id", one.tool_call_id}, {"status", to_string(status(one.result))}, {"length", size()}});
        if (std::exchange(first, false)) {
            results = open_step().tool_results;
            index_calls();
        }
        const auto place = history_detail::place_of_result(results, calls_, one.tool_call_id);
        results.insert(place, journal_ ? ToolResult(one) : std::move(one));
    }
    const std::size_t i = cursor();
    record_results(executed, results);
    if (calls_.size() > 1) record_.episodes[i].tool_results = std::move(results);
}

// Passes the new results of the open step to the journal, and finishes the step if all of its calls have results.
template <class P>
void EpisodicActionHistory<P>::record_results(std::span<const ToolResult> added, std::span<ToolResult> results) {
    const std::size_t i = cursor();
    const bool is_last = results.size() == calls_.size();
    std::optional<ActionResult> joined;
    if (is_last && calls_.size() > 1) joined = joined_result(results);
    const std::optional<Timestamp> finished_at = is_last ? finish_time(i) : std::nullopt;
    if (journal_) journal_->call_results(added, finished_at);
    if (joined)
        finish(i, *std::move(joined), finished_at);
    else if (is_last)
        finish(i, std::move(results.front().result), finished_at);
    else
        revise(i, revised(i));
}

template <class P>
void EpisodicActionHistory<P>::close_open_episode(ActionResult result) {
    ScopedEvent watch(observer(), event_names::register_result);
    if (watch) watch.add({{"status", to_string(status(result))}, {"length", size()}});
    for (std::size_t i = size(); i-- > 0;) {
        if (!record_.episodes[i].result) return close(i, std::move(result));
    }
    throw HistoryError(HistoryErrorCode::no_action, "Cannot register result for cycle without action");
}

template <class P>
void EpisodicActionHistory<P>::rewind(std::int64_t steps) {
    ScopedEvent watch(observer(), event_names::rewind);
    if (watch) watch.add({{"steps", steps}});
    if (steps < 0) throw HistoryError(HistoryErrorCode::negative_rewind, "Cannot rewind a negative number of steps");
    if (journal_) journal_->rewind(steps);
    const std::size_t before = size();
    if (has_open_step()) drop_open_step();
    drop_newest(std::min(size(), static_cast<std::size_t>(steps)));
    go_to_end();
    if (watch) watch.add({{"dropped", before - size()}, {"length", size()}});
}

template <class P>
void EpisodicActionHistory<P>::register_message(ChatMessage message) {
    add_message(std::move(message), std::nullopt);
}

template <class P>
void EpisodicActionHistory<P>::add_message(ChatMessage message, std::optional<StepMetrics> metrics) {
    ScopedEvent watch(observer(), event_names::register_message);
    if (watch) watch.add({{"role", to_string(message.role)}, {"length", size()}});
    history_detail::require_said(message);
    history_detail::Conversation said(1);
    said.front() = {message_place(), std::move(message), std::move(metrics)};
    history_detail::reserve_messages(record_.conversation, 1);
    if (journal_) journal_->message(said.front());
    history_detail::add_messages(record_.conversation, std::move(said));
}

template <class P>
void EpisodicActionHistory<P>::register_answer(AssistantChatMessage answer, std::optional<StepMetrics> metrics) {
    if (has_open_step())
        throw HistoryError(HistoryErrorCode::step_open, "The step has no result yet, so that there is no answer");
    add_message(std::move(answer), std::move(metrics));
}

template <class P>
const ChatMessage* EpisodicActionHistory<P>::answer() const& noexcept {
    if (record_.conversation.empty() || !record_.pending_user_feedback.empty()) return nullptr;
    const ConversationMessage& last = record_.conversation.back();
    return last.before == size() && last.message.role == ChatRole::assistant ? &last.message : nullptr;
}

template <class P>
std::vector<std::string> EpisodicActionHistory<P>::take_pending_feedback() {
    history_detail::Conversation said;
    for (const std::string& feedback : record_.pending_user_feedback)
        said.push_back({message_place(), ChatMessage::user(feedback), std::nullopt});
    if (said.empty()) return {};
    history_detail::reserve_messages(record_.conversation, said.size());
    if (journal_) journal_->feedback_taken();
    history_detail::add_messages(record_.conversation, std::move(said));
    return std::exchange(record_.pending_user_feedback, {});
}

template <class P>
bool EpisodicActionHistory<P>::set_summary(EpisodeId id, std::string summary) {
    const auto found =
        std::ranges::lower_bound(steps_, id.step, {}, [](const auto& step) { return step.id.step; });  // all differ
    if (found == steps_.end() || found->id != id) return false;
    const auto i = static_cast<std::size_t>(found - steps_.begin());
    if (journal_) journal_->summary(i, summary);
    if (waits(i)) --unsummarised_;
    record_.episodes[i].summary = std::move(summary);
    return true;
}

template <class P>
void EpisodicActionHistory<P>::set_rolling_summary(RollingSummary summary) {
    if (!stands_for_steps(summary)) throw std::out_of_range("the rolling summary is of steps that are not there");
    if (journal_) journal_->rolling_summary(&summary);
    record_.rolling_summary = std::move(summary);
}

template <class P>
void EpisodicActionHistory<P>::clear_rolling_summary() {
    if (!record_.rolling_summary) return;
    if (journal_) journal_->rolling_summary(nullptr);
    record_.rolling_summary.reset();
}

template <class P>
void EpisodicActionHistory<P>::register_sub_run(std::string_view tool_call_id, Json history) {
    static_cast<void>(require_open_call(tool_call_id));
    SubRun run{cursor(), std::string(tool_call_id), std::move(history)};
    std::vector<SubRun>& runs = record_.sub_runs;
    runs.reserve(runs.size() + 1);
    if (journal_) journal_->sub_run(run);
    std::erase_if(runs,
                  [&run](const SubRun& one) { return one.step == run.step && one.tool_call_id == run.tool_call_id; });
    runs.push_back(std::move(run));
}

template <class P>
void EpisodicActionHistory<P>::register_run(RunRecordEntry run) {
    record_.runs.push_back(std::move(run));
    try {
        if (journal_) journal_->run(record_.runs.back());
    } catch (...) {
        record_.runs.pop_back();
        throw;
    }
}

template <class P>
void EpisodicActionHistory<P>::append_user_feedback(std::string feedback) {
    std::vector<std::string>& pending = record_.pending_user_feedback;
    pending.push_back(std::move(feedback));
    try {
        if (journal_) journal_->feedback(pending.back());
    } catch (...) {
        pending.pop_back();
        throw;
    }
}

template <class P>
void EpisodicActionHistory<P>::set_metrics(std::size_t i, StepMetrics metrics) {
    history_detail::require_step(i, size());
    Episode<P>& step = record_.episodes[i];
    Boxed<StepMetrics> boxed(std::move(metrics));  // before the journal has them, since it may fail
    if (journal_) journal_->metrics(i, *boxed);
    step.metrics = std::move(boxed);
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
    unsummarised_ = 0;
    calls_ = {};
}

template <class P>
Episode<P>& EpisodicActionHistory<P>::open_step() {
    if (at_end()) throw HistoryError(HistoryErrorCode::no_action, "Cannot register result for cycle without action");
    Episode<P>& episode = record_.episodes[cursor()];
    if (episode.result)
        throw HistoryError(HistoryErrorCode::result_already_set, "Result for current cycle already set");
    return episode;
}

template <class P>
void EpisodicActionHistory<P>::index_calls() {
    const EpisodeId id = steps_[cursor()].id;
    if (!calls_.is_of(id)) calls_.set(id, call_ids(record_.episodes[cursor()]));
}

// The step is no longer the one that a summary of it knows.
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
    return Timestamp::now();
}

template <class P>
void EpisodicActionHistory<P>::close(std::size_t i, ActionResult result) {
    const std::optional<Timestamp> finished_at = finish_time(i);
    if (journal_) journal_->result(i, result, finished_at);
    finish(i, std::move(result), finished_at);
}

template <class P>
void EpisodicActionHistory<P>::finish(std::size_t i, ActionResult result, const std::optional<Timestamp>& finished_at) {
    Episode<P>& episode = record_.episodes[i];
    revise(i, revised(i));
    episode.result = std::move(result);
    if (finished_at) episode.metrics->finished_at = finished_at;
    ++unsummarised_;
    go_to_end();
}

template <class P>
void EpisodicActionHistory<P>::drop_open_step() {
    const auto at = static_cast<std::ptrdiff_t>(cursor());
    history_detail::drop_messages_behind(record_.conversation, cursor());
    forget_rolling_summary_of(cursor());
    if (cursor() < first_waiting_) --first_waiting_;
    record_.episodes.erase(record_.episodes.begin() + at);
    steps_.erase(steps_.begin() + at);
    std::erase_if(record_.runs, [this](const RunRecordEntry& run) { return run.after > size(); });
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
    std::erase_if(record_.runs, [this](const RunRecordEntry& run) { return run.after > size(); });
    std::erase_if(record_.sub_runs, [this](const SubRun& run) { return run.step >= size(); });
}

}  // namespace acta::inline ACTA_ABI
