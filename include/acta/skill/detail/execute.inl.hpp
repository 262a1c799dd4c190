// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>

#include "acta/base/stop_token.hpp"
#include "acta/skill/execute.hpp"

namespace acta::inline ACTA_ABI::skill_detail {

ACTA_INLINE void run_parallel(std::size_t count, std::size_t max_parallel,
                              const std::function<void(std::size_t)>& work) {
    std::atomic<std::size_t> next{0};
    const auto run = [&] {
        for (std::size_t i = next++; i < count; i = next++) work(i);
    };
    std::vector<jthread> workers;
    try {
        const std::size_t wanted = std::min(std::max<std::size_t>(max_parallel, 1), count);
        for (std::size_t i = 1; i < wanted; ++i) workers.emplace_back(run);
    } catch (const std::exception&) {
        // The system has no more threads: the existing ones do all of the work.
    }
    run();
    workers.clear();  // waits for them
}

ACTA_INLINE std::vector<ToolResult> execute_calls(std::span<const AssistantFunctionCall> calls,
                                                  std::vector<std::string> ids, const SkillRegistry& registry,
                                                  const SkillRunOptions& options, std::size_t max_parallel) {
    std::vector<ToolResult> done(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) done[i].tool_call_id = std::move(ids[i]);
    run_parallel(calls.size(), max_parallel, [&](std::size_t i) {
        SkillRunOptions own = options;
        own.call.tool_call_id = done[i].tool_call_id;
        done[i].result = registry.call(calls[i], own);
    });
    return done;
}

ACTA_INLINE bool may_run(const OpenCall& open, const SkillRegistry& registry,
                         const std::function<bool(const AssistantToolCall&)>& rerun) {
    if (open.begun == false) return true;
    if (const RegisteredSkill* const skill = registry.find(open.call.function.name)) {
        const SkillHints& hints = skill->hints();
        if (hints.read_only == true || hints.idempotent == true) return true;
        if (hints.uses_idempotency_key && !open.idempotency_key.empty()) return true;
    }
    return rerun ? rerun(open.call) : !open.begun;
}

// No result is converted to the variant: nlohmann_json would look for its own conversion of it.
ACTA_INLINE ActionResult outcome_unknown(const ErrorOptions& options) {
    ActionResult out(std::in_place_type<ActionErrorResult>);
    auto& error = std::get<ActionErrorResult>(out);
    error.reason = "The run was interrupted while this call was open. Its outcome is unknown.";
    error.error = ErrorInfo::make("OutcomeUnknown", error.reason, options);
    return out;
}

ACTA_INLINE ActionResult refused(std::string feedback) {
    ActionResult out(std::in_place_type<ActionInterruptedByHuman>);
    std::get<ActionInterruptedByHuman>(out).feedback = std::move(feedback);
    return out;
}

}  // namespace acta::inline ACTA_ABI::skill_detail
