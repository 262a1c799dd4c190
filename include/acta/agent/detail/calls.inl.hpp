// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/agent/agent_run.hpp"
#include "acta/agent/detail/task.hpp"
#include "acta/base/error.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/history_view.hpp"
#include "acta/skill/execute.hpp"

// The calls of a step: how they begin, run and get their results. Each append to a store may wait for a disk, so that
// calls begin with their step where possible, and results that come together are registered together.
namespace acta::inline ACTA_ABI::agent_detail {

/// Returns which calls of a new step begin with it, so that the store gets all of that at once: calls that run first,
/// about which no one decides, and that nothing can keep from running, or that may also run later.
ACTA_INLINE std::vector<std::size_t> RunState::first_calls(const std::vector<AssistantFunctionCall>& calls,
                                                           const InStep& step) const {
    std::vector<std::size_t> out;
    const bool is_whole = skill_extension::has_whole_calls(step.finish);
    if (!begins_with_steps_ || !is_whole || options_.approve || is_stopped()) return out;
    const std::size_t count = std::min(calls.size(), options_.limits.calls_per_step);
    bool overlaps = true;
    for (std::size_t i = 0; i < count && overlaps; ++i) {
        const std::string& name = calls[i].name;
        overlaps = skill_extension::may_overlap(skills_, name, options_.parallel);
        if (i != 0 && !overlaps) break;
        // As `reason_not_to_run`, which counts the calls.
        const auto limits = options_.limits.tools.find(name);
        if (limits != options_.limits.tools.end() && limits->second.max_calls) continue;
        if (options_.native_calls && step.offered && !step.offered->contains(name)) continue;
        // A function that gets the events may stop the run before the call.
        const bool runs_at_once = i < std::max<std::size_t>(options_.max_parallel, 1) && !options_.on_event;
        if (runs_at_once || may_be_left({{}, calls[i]})) out.push_back(i);
    }
    return out;
}

/// Returns whether a call may run later, although it has begun for the store.
ACTA_INLINE bool RunState::may_be_left(const AssistantToolCall& call) const {
    return skill_extension::may_run({.call = call, .begun = true, .idempotency_key = "its key"}, skills_, {});
}

/// Returns whether the call may run: it has begun now.
ACTA_INLINE bool RunState::begin(Call& call) {
    if (call.state == CallState::begun) throw Error("the call '" + call.open.call.id + "' has begun");
    if (call.state != CallState::ready && call.state != CallState::left)
        throw Error("the call '" + call.open.call.id + "' is not one that runs");
    std::optional<HistoryError> refusal;
    const bool stops = is_stopped() && (!call.begins_with_step || may_be_left(call.open.call));
    const bool may_run = call.state == CallState::ready && !is_over() && !stops && notify([&] {
                             if (options_.on_event) options_.on_event(CallStarted{call.open.call});
                             if (call.begins_with_step) return;
                             refusal = edit_step([&](HistoryEditor& history) {
                                 return refusal_of([&] {
                                     CallIdentity identity = history.begin_call(call.open.call.id);
                                     call.step = identity.step;
                                     call.open.idempotency_key = std::move(identity.idempotency_key);
                                 });
                             });
                         });
    call.state = refusal ? CallState::done : may_run ? CallState::begun : CallState::left;
    if (call.state != CallState::begun) show_again();
    if (refusal) throw *std::move(refusal);
    return may_run;
}

ACTA_INLINE CallIdentity RunState::begin(std::string_view id) {
    const std::lock_guard lock(mutex_);
    Call& call = find(id);
    if (!begin(call)) throw Cancelled();
    return {call.open.call.id, call.step, call.open.idempotency_key};
}

ACTA_INLINE ActionResult RunState::call(const PendingCall& pending) {
    AssistantToolCall one;
    SkillRunOptions options = options_.call;
    {
        const std::lock_guard lock(mutex_);
        Call& call = find(pending.call.id);
        if (!begin(call)) return skill_extension::cancelled(options.errors);
        one = call.open.call;
        options.call = {one.id, call.step, call.open.idempotency_key};
    }
    options.until = options_.until;
    options.observer = options_.observer;
    options.outer = this;
    if (options_.call_timeout)
        options.until = options.until.not_after(deadline_in(std::chrono::nanoseconds(*options_.call_timeout)));
    if (options_.on_event)
        options.on_progress = [this, &one](const SkillProgress& progress) { report(CallProgressed{one, progress}); };
    const auto timeout = options_.call_timeout ? *options.until.deadline : steady_clock::time_point::max();
    ActionResult result = call_until_done(one, options);
    const auto* const success = std::get_if<ActionSuccessResult>(&result);
    if (success == nullptr || steady_clock::now() < timeout || is_stopped()) return result;
    return skill_extension::failed(
        "Timeout", "the deadline has passed; the call returned after it: " + to_string(result), options.errors);
}

/// Makes a call, repeats it as the limits of its tool say, and returns its last result.
ACTA_INLINE ActionResult RunState::call_until_done(const AssistantToolCall& one, const SkillRunOptions& options) {
    const auto found = options_.limits.tools.find(one.function.name);
    const SkillLimits limits = found == options_.limits.tools.end() ? SkillLimits() : found->second;
    RetryOptions retry{
        .first_delay = limits.first_delay, .max_delay = limits.max_delay, .max_retry_after = limits.max_retry_after};
    retry.max_attempts = static_cast<int>(std::min<std::size_t>(limits.max_retries, 1'000'000)) + 1;
    for (int attempt = 1;; ++attempt) {
        SkillOutcome outcome = skills_.attempt(one.function, options);
        if (!outcome.retry || is_stopped()) return std::move(outcome.result);
        const auto delay = base::retry_delay(retry, attempt, outcome.retry->after);
        if (!delay || (options.until.deadline && deadline_in(*delay) >= *options.until.deadline))
            return std::move(outcome.result);
        report(CallRetried{one, outcome.result, attempt, *delay});
        base::retry_wait(*delay, options.until.stop);
        if (is_stopped()) return std::move(outcome.result);
    }
}

ACTA_INLINE void RunState::run_call(const PendingCall& pending) {
    std::shared_ptr<GivenResult> given;
    bool began_with_step = false;
    try {
        {
            const std::lock_guard lock(mutex_);
            began_with_step = find(pending.call.id).begins_with_step;
        }
        given = std::make_shared<GivenResult>(GivenResult{.value = {pending.call.id, call(pending)}});
    } catch (const Error&) {
        // Another run has given the result, which `next` sees, or the step was taken back, which it throws.
    }
    if (began_with_step) returned_.arrived();
    if (given) returned_.add(std::move(given), [this](const GivenResults& results) { keep(results); });
}

/// Takes the calls that have got their results out of those that are shown, which costs little for the last ones.
ACTA_INLINE void RunState::hide_given(InStep& step) {
    auto* const shown = std::get_if<RunCalls>(&step_);
    const std::vector<std::size_t> given = std::exchange(step.given, {});
    if (given.empty() || !step.is_shown || shown == nullptr) return;
    std::vector<PendingCall>& calls = shown->calls;
    const auto place = [&step](const PendingCall& one) { return step.places.find(one.call.id)->second; };
    const auto is_done = [&](const PendingCall& one) { return step.calls[place(one)].state == CallState::done; };
    constexpr std::size_t few = 8;
    std::size_t left = given.size();
    for (; !calls.empty() && is_done(calls.back()); --left) calls.pop_back();
    if (left > few) {
        std::erase_if(calls, is_done);
    } else if (left != 0) {
        for (const std::size_t one : given) {
            const auto found = std::ranges::lower_bound(calls, one, {}, place);
            if (found != calls.end() && place(*found) == one) calls.erase(found);
        }
    }
    if (calls.empty()) step.is_shown = false;
}

ACTA_INLINE RunState::GivenResults RunState::take_given() {
    const std::lock_guard lock(given_mutex_);
    return std::exchange(given_, {});
}

ACTA_INLINE void RunState::give(std::string_view id, ActionResult result) {
    skill_extension::clean_result(result, options_.call.errors);  // a registry has cleaned those of its calls
    const auto own = std::make_shared<GivenResult>(GivenResult{.value = {std::string(id), std::move(result)}});
    {
        const std::lock_guard lock(given_mutex_);
        given_.push_back(own);
    }
    const std::lock_guard lock(mutex_);  // a thread that has it takes the result along
    if (!own->is_over) keep(take_given());
    if (own->fault) std::rethrow_exception(own->fault);
}

/// Returns whether a result should be registered. Throws `Error` if it cannot be. Under the lock.
ACTA_INLINE bool RunState::accept(GivenResult& given) {
    Call& call = find(given.value.tool_call_id);
    const std::string& id = call.open.call.id;
    if (call.state == CallState::done) throw Error("the call '" + id + "' has its result");
    if (call.state == CallState::waiting) throw Error("a decision on the call '" + id + "' is awaited");
    if (call.state == CallState::undecided)
        throw Error("the call '" + id + "' cannot run before next() has returned it");
    if (call.state == CallState::left) return false;
    if (auto* const step = std::get_if<InStep>(&state_)) step->given.push_back(step->places.find(id)->second);
    given.call = &call;
    given.before = std::exchange(call.state, CallState::done);
    return true;
}

/// Registers results, all at once if the history takes all of them. Throws what the store throws; those that are
/// registered or refused by then are over.
ACTA_INLINE void RunState::put(std::span<GivenResult* const> given) {
    std::vector<ToolResult> all;
    for (const GivenResult* const one : given) all.push_back(one->value);
    const std::optional<HistoryError> refusal = edit_step(
        [&](HistoryEditor& history) { return refusal_of([&] { history.register_results(std::move(all)); }); });
    for (GivenResult* const one : given) {
        if (refusal) {  // of one of them, which others need not suffer for
            const std::optional<HistoryError> its = edit_step([&](HistoryEditor& history) {
                return refusal_of([&] { history.register_result(one->value.tool_call_id, one->value.result); });
            });
            if (its) one->fault = std::make_exception_ptr(*its);
        }
        one->is_over = true;
    }
}

/// Registers results, and reports them. That also happens after a function has thrown: the calls have happened.
ACTA_INLINE void RunState::keep(const GivenResults& given) {
    std::vector<GivenResult*> accepted;
    {
        const std::lock_guard lock(mutex_);
        for (const auto& one : given) {
            try {
                if (accept(*one)) accepted.push_back(one.get());
            } catch (const Error&) {
                one->fault = std::current_exception();
            }
            one->is_over = one->call == nullptr;
        }
    }
    if (accepted.empty()) return;
    std::exception_ptr thrown;
    try {
        put(accepted);
    } catch (...) {
        thrown = std::current_exception();
    }
    const std::lock_guard lock(mutex_);
    for (GivenResult* const one : accepted) {
        if (one->fault) continue;
        const bool is_kept = guarded([&] {
            if (!one->is_over) std::rethrow_exception(thrown);
            changed();
            report(CallCompleted{one->call->open.call, one->value.result});
        });
        if (!one->is_over) one->call->state = one->before;
        one->is_over = true;
        if (!is_kept && is_over()) one->fault = thrown_;
    }
}

}  // namespace acta::inline ACTA_ABI::agent_detail
