// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>
#include <vector>

#include "acta/history/episode.hpp"
#include "acta/json/json.hpp"
#include "acta/store/history_store.hpp"
#include "acta/store/stored_history.hpp"

namespace acta::inline ACTA_ABI::store_detail {

ACTA_INLINE std::string digest(const JsonObject& arguments) {
    std::uint64_t hash = fnv1a(dump(arguments));
    std::string out(16, '0');
    for (auto digit = out.rbegin(); digit != out.rend(); ++digit, hash >>= 4U) *digit = "0123456789abcdef"[hash & 15U];
    return out;
}

ACTA_INLINE void CallLog::open(std::uint64_t seq, bool with_snapshot) noexcept {
    action_ = seq;
    may_have_begun_ = with_snapshot;
    calls_.clear();
}

ACTA_INLINE std::string CallLog::key(std::string_view history, std::string_view id, std::size_t index) const {
    const auto found = calls_.find(id);
    if (found != calls_.end() && !found->second.key.empty()) return found->second.key;
    return std::string(history) + '/' + std::to_string(action_) + '/' + std::to_string(index);
}

ACTA_INLINE void CallLog::look_up(OpenCall& call) const {
    call.begun = may_have_begun_;
    const auto found = calls_.find(call.call.id);
    if (found == calls_.end()) return;
    call.begun = may_have_begun_ || !found->second.key.empty();
    call.idempotency_key = found->second.key;
    call.decision = found->second.decision;
}

ACTA_INLINE CallLog::Entry& CallLog::at(std::string_view id) {
    const auto found = calls_.find(id);
    return found != calls_.end() ? found->second : calls_.try_emplace(std::string(id)).first->second;
}

}  // namespace acta::inline ACTA_ABI::store_detail

namespace acta::inline ACTA_ABI::store_detail {

ACTA_INLINE LeaseKeeper::LeaseKeeper(HistoryStore& store, std::string_view id, std::string_view holder,
                                     std::chrono::milliseconds time)
    : store_(store),
      id_(id),
      time_(std::max(time, std::chrono::milliseconds(3))),
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
    while (!stopped_.wait_for(lock, stop, time_ / 3, [&stop] { return stop.stop_requested(); })) {
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

}  // namespace acta::inline ACTA_ABI::store_detail

namespace acta::inline ACTA_ABI::store_detail {

ACTA_INLINE void require_not_begun(const std::vector<OpenCall>& open) {
    for (const OpenCall& one : open) {
        if (one.begun.value_or(false))
            throw HistoryError(HistoryErrorCode::call_begun,
                               "The call '" + one.call.id + "' has begun before: resume decides about it");
    }
}

/// Returns the result of a call that may not run.
ACTA_INLINE std::optional<ActionResult> result_without(const OpenCall& open, const ExecuteOptions& options,
                                                       const std::function<bool(const OpenCall&)>& may_run) {
    if (!may_run(open)) return skill_extension::outcome_unknown(options.run.errors);
    if (open.decision && !open.decision->approved) return skill_extension::refused(open.decision->feedback);
    return std::nullopt;
}

ACTA_INLINE std::vector<ToolResult> run_open_calls(const std::vector<OpenCall>& open, const SkillRegistry& skills,
                                                   const ExecuteOptions& options,
                                                   const std::function<bool(const OpenCall&)>& may_run,
                                                   const CallSite& site) {
    std::vector<ToolResult> done(open.size());
    std::vector<std::size_t> to_run;
    for (std::size_t i = 0; i < open.size(); ++i) {
        done[i].tool_call_id = open[i].call.id;
        if (std::optional<ActionResult> result = result_without(open[i], options, may_run)) {
            site.end(open[i].call.id, *result);
            done[i].result = *std::move(result);
        } else {
            to_run.push_back(i);
        }
    }
    std::mutex mutex;
    std::exception_ptr thrown;
    skill_extension::run_parallel(to_run.size(), options.max_parallel, [&](std::size_t n) {
        const OpenCall& one = open[to_run[n]];
        try {
            if (const std::lock_guard lock(mutex); thrown) return;
            SkillRunOptions run = options.run;
            run.call = site.begin(one.call.id);
            ActionResult& result = done[to_run[n]].result;
            result = skills.call(one.call.function, run);
            site.end(one.call.id, result);
        } catch (...) {
            const std::lock_guard lock(mutex);
            if (!thrown) thrown = std::current_exception();
        }
    });
    if (thrown) std::rethrow_exception(thrown);
    return done;
}

}  // namespace acta::inline ACTA_ABI::store_detail

#if defined(ACTA_COMPILED)
#include "acta/json/json.hpp"
#include "acta/store/stored_history.hpp"
#endif

namespace acta::inline ACTA_ABI {

#if defined(ACTA_COMPILED)
template class store_detail::StoreJournal<ActionProposal<>>;
template class StoredHistory<ActionProposal<>>;
#endif

}  // namespace acta::inline ACTA_ABI
