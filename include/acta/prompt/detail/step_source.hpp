// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "acta/action/proposal.hpp"
#include "acta/history/history.hpp"
#include "acta/history/rolling_summary.hpp"
#include "acta/prompt/options.hpp"

// A history without the type of its proposals, so that all but a few functions are compiled once.
namespace acta::inline ACTA_ABI::prompt_detail {

/// The common members of all steps, whatever the type of their proposals.
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
    std::span<const ConversationMessage> said{};
    std::span<const std::string> pending{};  // feedback
    StepView (*view_at)(const void* first, std::size_t i) = nullptr;
    std::string (*thoughts_at)(const void* first, std::size_t i) = nullptr;
    std::string (*words_at)(const void* first, std::size_t i) = nullptr;
    std::vector<std::string> (*call_ids_at)(const void* first, std::size_t i) = nullptr;

    [[nodiscard]] StepView view(std::size_t i) const { return view_at(first, i); }
    [[nodiscard]] std::string thoughts(std::size_t i) const { return thoughts_at(first, i); }
    /// Returns the model's words as in its message: thoughts that are text, else the words that they were read from.
    [[nodiscard]] std::string words(std::size_t i) const { return words_at(first, i); }
    [[nodiscard]] std::vector<std::string> call_ids(std::size_t i) const { return call_ids_at(first, i); }
    /// Returns the step as a filter sees it.
    [[nodiscard]] PromptStep prompt_step(std::size_t i) const {
        const StepView step = view(i);
        return {i, step.calls, to_string(status(*step.result)), step.summary};
    }
};

template <class P>
std::string words_of(const P& proposal) {
    if constexpr (std::same_as<std::remove_cvref_t<decltype(proposal.thoughts)>, std::string>) {
        return proposal.thoughts;
    } else {
        const AssistantChatMessage* const raw = find_raw_message(proposal);
        return raw != nullptr ? raw->content : thoughts_text(proposal.thoughts);
    }
}

template <class P>
StepSource steps_of(const EpisodicActionHistory<P>& history) {
    return {history.episodes().data(),
            history.size(),
            history.rolling_summary(),
            history.messages(),
            history.pending_feedback(),
            [](const void* first, std::size_t i) { return view_of(static_cast<const Episode<P>*>(first)[i]); },
            [](const void* first, std::size_t i) {
                return thoughts_text(static_cast<const Episode<P>*>(first)[i].action.thoughts);
            },
            [](const void* first, std::size_t i) { return words_of(static_cast<const Episode<P>*>(first)[i].action); },
            [](const void* first, std::size_t i) { return call_ids(static_cast<const Episode<P>*>(first)[i]); }};
}

enum class PromptForm {
    text,
    messages,  ///< For models without native tool calls.
    native     ///< Calls and results as messages have them.
};

[[nodiscard]] PromptText build_text(const PromptOptions& options, const StepSource& steps);
[[nodiscard]] PromptMessages build_messages(const PromptOptions& options, const StepSource& steps, PromptForm form);
/// Returns all steps and messages in full, in native form.
[[nodiscard]] std::vector<ChatMessage> whole_messages(const StepSource& steps);

}  // namespace acta::inline ACTA_ABI::prompt_detail

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI::prompt_detail {
extern template StepSource steps_of(const EpisodicActionHistory<>& history);
}  // namespace acta::inline ACTA_ABI::prompt_detail
#endif
