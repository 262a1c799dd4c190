// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/duration.hpp"
#include "acta/base/gathering.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/workers.hpp"
#include "acta/history/episode.hpp"
#include "acta/json/json.hpp"
#include "acta/store/history_store.hpp"
#include "acta/store/stored_history.hpp"

namespace acta::inline ACTA_ABI::store_detail {

ACTA_INLINE void CallLog::add(Update update, std::uint64_t seq) noexcept {
    if (update.entry_ != nullptr) *update.entry_ = std::move(update.value_);
    if (!update.opens_step_) return;
    action_ = seq;
    may_have_begun_ = false;
    calls_.clear();
}

ACTA_INLINE void CallLog::begin_at_snapshot(std::uint64_t seq) noexcept {
    action_ = seq;
    may_have_begun_ = true;
    calls_.clear();
}

ACTA_INLINE CallLog::Update CallLog::of(std::string_view id) {
    Update out;
    out.entry_ = &calls_.try_emplace(std::string(id)).first->second;
    out.value_ = *out.entry_;
    return out;
}

ACTA_INLINE CallLog::Update CallLog::prepare(const ArgumentsSet& change) {
    Update out = of(change.tool_call_id);
    out.value_.decision.reset();
    return out;
}

ACTA_INLINE CallLog::Update CallLog::prepare(const CallDecided& change) {
    Update out = of(change.tool_call_id);
    out.value_.decision = CallDecision{change.approved, change.by, change.feedback};
    out.value_.digest = change.digest;
    return out;
}

ACTA_INLINE CallLog::Update CallLog::prepare(const CallBegun& change) {
    Update out = of(change.tool_call_id);
    out.value_.key = change.idempotency_key;
    return out;
}

ACTA_INLINE std::string CallLog::key(std::string_view history, std::string_view id, std::size_t index) const {
    const auto found = calls_.find(id);
    if (found != calls_.end() && !found->second.key.empty()) return found->second.key;
    return key(history, action_, index);
}

ACTA_INLINE std::string CallLog::key(std::string_view history, std::uint64_t action, std::size_t index) {
    return std::string(history) + '/' + std::to_string(action) + '/' + std::to_string(index);
}

ACTA_INLINE void CallLog::look_up(OpenCall& call) const {
    call.begun = may_have_begun_;
    const auto found = calls_.find(call.call.id);
    if (found == calls_.end()) return;
    const Entry& entry = found->second;
    call.begun = may_have_begun_ || !entry.key.empty();
    call.idempotency_key = entry.key;
    if (entry.decision && entry.digest == arguments_digest(call.call.function.arguments))
        call.decision = entry.decision;
}

ACTA_INLINE CallResultsRegistered read_call_result(const Record& record) {
    auto body = parse<ResultRegistered>(record.body);
    CallResultsRegistered out;
    out.results.push_back({record.call_id, std::move(body.result)});
    out.finished_at = body.finished_at;
    return out;
}

ACTA_INLINE ResultRegistered read_result(const Record& record) {
    auto out = parse<ResultRegistered>(record.body);
    if (!out.step) throw std::out_of_range("a result without a step");
    return out;
}

ACTA_INLINE HistoryInfo require_history(HistoryStore& store, std::string_view id) {
    if (std::optional<HistoryInfo> info = store.find(id)) return *std::move(info);
    constexpr std::size_t compared = 1000;
    std::vector<std::string> others;
    for (HistoryInfo& one : store.list({.limit = compared})) others.push_back(std::move(one.id));
    throw StoreNotFound("there is no history " + quoted_id(id) + base::did_you_mean(base::closest_names(id, others)));
}

ACTA_INLINE HistoryInfo find_or_create(HistoryStore& store, std::string_view id, std::string_view type,
                                       const JsonObject& labels) {
    if (std::optional<HistoryInfo> info = store.find(id)) return *std::move(info);
    try {
        return store.create(id, type, labels);
    } catch (const StoreExists&) {
        return require_history(store, id);  // another program was faster
    }
}

ACTA_INLINE LeaseKeeper::LeaseKeeper(HistoryStore& store, std::string_view id, std::string_view holder,
                                     std::chrono::milliseconds time)
    : store_(store),
      id_(id),
      time_(std::max(base::saturated_cast<std::chrono::milliseconds>(
                         lease_time(base::saturated_cast<std::chrono::microseconds>(time))),
                     std::chrono::milliseconds(3))),
      lease_(store.acquire(id, holder, time_)) {
    try {
        thread_ = jthread([this](const stop_token& stop) { keep(stop); });
    } catch (...) {  // the system has no more threads
        store_.release(id_, lease_);
        throw;
    }
}

ACTA_INLINE LeaseKeeper::~LeaseKeeper() {
    thread_.request_stop();
    thread_.join();
    try {
        store_.release(id_, lease_);
    } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): it expires
    }
}

ACTA_INLINE void LeaseKeeper::keep(const stop_token& stop) {
    std::unique_lock lock(mutex_);
    const auto is_over = [&stop] { return stop.stop_requested(); };
    while (!base::wait_until(stopped_, lock, stop, deadline_in(time_ / 3), is_over)) {
        try {
            static_cast<void>(store_.renew(id_, lease_, time_));
        } catch (const LeaseLost&) {
            return;  // the next append says so
        } catch (const StoreGone&) {
            return;
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the store may be there next time
        }
    }
}

ACTA_INLINE void require_not_begun(const std::vector<OpenCall>& open) {
    for (const OpenCall& one : open) {
        if (one.begun.value_or(false))
            throw HistoryError(HistoryErrorCode::call_begun,
                               "The call '" + one.call.id + "' has begun before: resume decides about it");
    }
}

/// Returns the result of a call that may not run.
ACTA_INLINE std::optional<ActionResult> result_without(const OpenCall& open, std::string_view finish_reason,
                                                       const ExecuteOptions& options,
                                                       const std::function<bool(const OpenCall&)>& may_run) {
    if (auto cut_off = skill_extension::cut_off(finish_reason, options.run.errors)) return cut_off;
    if (!may_run(open)) return skill_extension::outcome_unknown(options.run.errors);
    if (open.decision && !open.decision->approved) return skill_extension::refused(open.decision->feedback);
    return std::nullopt;
}

/// Begins the calls, of those that run at the same time, that may run again, if there are several calls.
ACTA_INLINE void begin_together(const std::vector<OpenCall>& open, const std::vector<std::size_t>& calls,
                                const SkillRegistry& skills, const CallSite& site,
                                std::vector<std::optional<CallIdentity>>& begun) {
    if (calls.size() < 2) return;
    std::vector<std::string> ids;
    std::vector<std::size_t> places;
    for (std::size_t n = 0; n < calls.size(); ++n) {
        OpenCall later{.call = open[calls[n]].call, .begun = true, .idempotency_key = "its key"};
        if (!skill_extension::may_run(later, skills, {})) continue;
        ids.push_back(later.call.id);
        places.push_back(n);
    }
    std::vector<CallIdentity> identities = site.begin(ids);
    for (std::size_t i = 0; i < identities.size(); ++i) begun[places[i]] = std::move(identities[i]);
}

ACTA_INLINE std::vector<ToolResult> run_open_calls(const OpenStep& step, const SkillRegistry& skills,
                                                   const ExecuteOptions& options,
                                                   const std::function<bool(const OpenCall&)>& may_run,
                                                   const CallSite& site) {
    const std::vector<OpenCall>& open = step.calls;
    std::vector<ToolResult> done(open.size());
    std::vector<std::size_t> to_run;
    for (std::size_t i = 0; i < open.size(); ++i) {
        done[i].tool_call_id = open[i].call.id;
        if (std::optional<ActionResult> result = result_without(open[i], step.finish_reason, options, may_run)) {
            done[i].result = *std::move(result);
            site.end({done[i]});
        } else {
            to_run.push_back(i);
        }
    }
    std::mutex mutex;
    std::exception_ptr thrown;
    const auto guarded = [&](const auto& function) {
        try {
            function();
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!thrown) thrown = std::current_exception();
        }
    };
    const auto overlaps = [&](std::size_t n) {
        return skill_extension::may_overlap(skills, open[to_run[n]].call.function.name, options.parallel);
    };
    const auto end_together = [&](const std::vector<std::size_t>& calls) {
        guarded([&] {
            std::vector<ToolResult> results;
            for (const std::size_t i : calls) results.push_back(done[i]);
            try {
                site.end(results);
            } catch (const HistoryError&) {  // because of one of them
                for (const ToolResult& one : results) guarded([&] { site.end({one}); });
            }
        });
    };
    base::Gathering<std::size_t> returned;
    base::Workers workers;
    for (std::size_t begin = 0, end = 0; begin < to_run.size(); begin = end) {
        end = skill_extension::group_end(begin, to_run.size(), overlaps);
        const std::vector<std::size_t> calls(to_run.data() + begin, to_run.data() + end);
        // Those that may run again begin together, so that the store is asked once.
        std::vector<std::optional<CallIdentity>> begun(calls.size());
        guarded([&] { begin_together(open, calls, skills, site, begun); });
        if (thrown) break;
        returned.expect(options.max_parallel > 1 && calls.size() > 1 ? calls.size() : 0);
        workers.run(calls.size(), options.max_parallel, [&](std::size_t n) {
            bool has_result = false;
            guarded([&] {
                if (const std::lock_guard lock(mutex); thrown) return;
                const OpenCall& one = open[calls[n]];
                SkillRunOptions run = options.run;
                run.call = begun[n] ? *std::move(begun[n]) : site.begin({one.call.id}).front();
                done[calls[n]].result = skills.call(one.call.function, run);
                has_result = true;
            });
            returned.arrived();
            if (has_result) returned.add(calls[n], end_together);
        });
        if (thrown) break;
    }
    if (thrown) std::rethrow_exception(thrown);
    return done;
}

}  // namespace acta::inline ACTA_ABI::store_detail

#if defined(ACTA_COMPILED)
namespace acta::inline ACTA_ABI {
template EpisodicActionHistory<> read_history(HistoryStore& store, std::string_view id);
template class store_detail::StoreJournal<ActionProposal<>>;
template class StoredHistory<ActionProposal<>>;
}  // namespace acta::inline ACTA_ABI
#endif
