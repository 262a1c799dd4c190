// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <exception>

#include "acta/base/stop_token.hpp"
#include "acta/skill/execute.hpp"

namespace acta::inline ACTA_ABI::skill_detail {

/// Runs all calls, on this thread and others.
ACTA_INLINE std::vector<ToolResult> execute_calls(std::span<const AssistantFunctionCall> calls,
                                                  std::vector<std::string> ids, const SkillRegistry& registry,
                                                  const SkillRunOptions& options, std::size_t max_parallel) {
    std::vector<ToolResult> done(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) done[i].tool_call_id = std::move(ids[i]);
    std::atomic<std::size_t> next{0};
    const auto work = [&] {
        for (std::size_t i = next++; i < calls.size(); i = next++) done[i].result = registry.call(calls[i], options);
    };
    std::vector<jthread> workers;
    try {
        const std::size_t wanted = std::min(std::max<std::size_t>(max_parallel, 1), calls.size());
        for (std::size_t i = 1; i < wanted; ++i) workers.emplace_back(work);
    } catch (const std::exception&) {
        // The system has no more threads: the existing ones do all of the work.
    }
    work();
    workers.clear();  // waits for them
    return done;
}

}  // namespace acta::inline ACTA_ABI::skill_detail
