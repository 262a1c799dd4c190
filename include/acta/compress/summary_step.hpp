// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "acta/action/proposal.hpp"
#include "acta/action/result.hpp"
#include "acta/chat/tool_call.hpp"
#include "acta/history/episode.hpp"

namespace acta::inline ACTA_ABI {

/// A step as a summarizer sees it: values instead of the text that `Episode::format()` makes of them, in which an
/// output could pass for a status.
struct SummaryStep {
    std::vector<AssistantFunctionCall> calls{};  ///< In the order of the proposal.
    std::string thoughts{};                      ///< As text; the summary of structured thoughts.
    std::optional<ActionResult> result{};        ///< Empty while the step has not finished.
    std::vector<ToolResult> tool_results{};      ///< Of parallel calls.

    friend bool operator==(const SummaryStep&, const SummaryStep&) = default;
};

/// Copies what a summarizer needs of a step, whatever the type of its proposal.
///
/// @code{.cpp}
/// acta::Episode<> episode;
/// episode.action.use_tool = {"read_file", {{"path", "a.txt"}}};
/// episode.result = acta::ActionSuccessResult{.outputs = "one line"};
///
/// acta::SummaryStep step = acta::summary_step(episode);
/// std::string tool = step.calls.front().name;   // read_file
/// @endcode
template <class P>
[[nodiscard]] SummaryStep summary_step(const Episode<P>& episode) {
    const auto calls = get_tools(episode.action);
    return {{calls.begin(), calls.end()}, thoughts_text(episode.action.thoughts), episode.result, episode.tool_results};
}

}  // namespace acta::inline ACTA_ABI
