// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/action/proposal.hpp"
#include "acta/history/history.hpp"
#include "acta/history/rolling_summary.hpp"
#include "acta/prompt/options.hpp"

// A history without the type of its proposals, so that all but two functions are compiled once.
namespace acta::inline v0::prompt_detail {

/// What all steps have, whatever the type of their proposals is.
struct StepView {
    std::span<const AssistantFunctionCall> calls{};
    const std::optional<ActionResult>* result = nullptr;
    std::span<const ToolResult> results{};
    const std::string* summary = nullptr;
    const AssistantChatMessage* raw_message = nullptr;
};

template <class P>
StepView view_of(const Episode<P>& episode) {
    StepView view{get_tools(episode.action), &episode.result, episode.tool_results, nullptr, nullptr};
    if (episode.summary) view.summary = &*episode.summary;
    view.raw_message = find_raw_message(episode.action);
    return view;
}

/// The steps of a history of any type.
struct StepSource {
    const void* first = nullptr;  // the first Episode<P>
    std::size_t size = 0;
    const RollingSummary* rolling = nullptr;
    StepView (*view_at)(const void* first, std::size_t i) = nullptr;
    std::string (*thoughts_at)(const void* first, std::size_t i) = nullptr;
    std::vector<std::string> (*call_ids_at)(const void* first, std::size_t i) = nullptr;

    [[nodiscard]] StepView view(std::size_t i) const { return view_at(first, i); }
    [[nodiscard]] std::string thoughts(std::size_t i) const { return thoughts_at(first, i); }
    [[nodiscard]] std::vector<std::string> call_ids(std::size_t i) const { return call_ids_at(first, i); }
    /// The step as a filter sees it.
    [[nodiscard]] PromptStep prompt_step(std::size_t i) const {
        const StepView step = view(i);
        return {i, step.calls, to_string(status(*step.result)), step.summary};
    }
};

template <class P>
StepSource steps_of(const EpisodicActionHistory<P>& history) {
    return {history.episodes().data(),
            history.size(),
            history.rolling_summary(),
            [](const void* first, std::size_t i) { return view_of(static_cast<const Episode<P>*>(first)[i]); },
            [](const void* first, std::size_t i) {
                return thoughts_text(static_cast<const Episode<P>*>(first)[i].action.thoughts);
            },
            [](const void* first, std::size_t i) { return call_ids(static_cast<const Episode<P>*>(first)[i]); }};
}

[[nodiscard]] PromptText build_prompt_text(const PromptOptions& options, const StepSource& steps,
                                           std::span<const std::string> feedback);
[[nodiscard]] PromptMessages build_prompt_messages(const PromptOptions& options, const StepSource& steps,
                                                   std::span<const std::string> feedback);

}  // namespace acta::inline v0::prompt_detail
