// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <exception>
#include <mutex>
#include <optional>
#include <utility>

#include "acta/history/history_error.hpp"
#include "acta/store/detail/open_calls.hpp"

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
