// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "acta/action/proposal.hpp"
#include "acta/action/result.hpp"
#include "acta/history/open_call.hpp"
#include "acta/skill/registry.hpp"

// Runs whole proposals: one call, or several in parallel.
namespace acta::inline ACTA_ABI {

/// Options of `execute`.
struct ExecuteOptions {
    SkillRunOptions run{};         ///< Of each call.
    std::size_t max_parallel = 8;  ///< Calls at the same time; 0 is taken as 1.
    /// Ids for the calls, in their order. Only needed for a step that was imported with ids other than those of its
    /// proposal (`EpisodicActionHistory::tool_call_ids`); unless there is one for each call, `call_ids(proposal)` is
    /// used.
    std::vector<std::string> call_ids{};
};

namespace skill_detail {
/// Calls `work` with each index below `count`, on this thread and others, and waits for the end. `work` must not throw.
void run_parallel(std::size_t count, std::size_t max_parallel, const std::function<void(std::size_t)>& work);
[[nodiscard]] std::vector<ToolResult> execute_calls(std::span<const AssistantFunctionCall> calls,
                                                    std::vector<std::string> ids, const SkillRegistry& registry,
                                                    const SkillRunOptions& options, std::size_t max_parallel);

/// Whether a call of an open step may run, given that it may have begun before: if it has not, or if that is harmless,
/// or else if `rerun` says so. Without `rerun`, a call of which no store knows may run.
[[nodiscard]] bool may_run(const OpenCall& open, const SkillRegistry& registry,
                           const std::function<bool(const AssistantToolCall&)>& rerun);
/// The result of a call that may not run again.
[[nodiscard]] ActionResult outcome_unknown(const ErrorOptions& options);
/// The result of a call that was refused.
[[nodiscard]] ActionResult refused(std::string feedback);
}  // namespace skill_detail

/// Runs the calls of a proposal, several of them in parallel, and returns one result for each, in their order; none if
/// the proposal calls nothing (`has_tool_call`). A call that fails has an error as its result. The ids are those under
/// which a history takes the results.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("add", "Adds two numbers.", [](int a, int b) { return a + b; }, "a", "b");
///
/// acta::ActionProposal<> proposal;
/// proposal.use_tool = {"add", {{"a", 1}, {"b", 2}}};
/// for (auto& [id, result] : acta::execute(proposal, skills)) {
///     std::string text = acta::to_string(result);   // 3; history.register_result(id, result) takes it
/// }
/// @endcode
template <Proposal P>
[[nodiscard]] std::vector<ToolResult> execute(const P& proposal, const SkillRegistry& registry,
                                              const ExecuteOptions& options = {}) {
    if (!has_tool_call(proposal)) return {};
    const std::span<const AssistantFunctionCall> calls = get_tools(proposal);
    std::vector<std::string> ids = options.call_ids.size() == calls.size() ? options.call_ids : call_ids(proposal);
    return skill_detail::execute_calls(calls, std::move(ids), registry, options.run, options.max_parallel);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/execute.inl.hpp"
#endif
