// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>

#include "acta/history/history.hpp"
#include "acta/prompt/detail/step_source.hpp"
#include "acta/prompt/options.hpp"

namespace acta::inline ACTA_ABI {

/// The heading before the lines of the steps.
inline constexpr std::string_view progress_heading =
    "## Progress on your Task so far\n"
    "Here is a summary of the steps that you have executed so far, use this as your consideration for determining the "
    "next action!\n";
/// The heading before feedback, in text.
inline constexpr std::string_view feedback_heading = "## Feedback of the user\n";

/// Shows a history to a model without native tool calls, within budgets: the newest steps in full, older ones by their
/// summaries (AutoGPT's ActionHistoryComponent; docs/reference/prompt.md, "The prompt"), and the conversation between
/// them. Steps are in order, oldest first. Those that do not fit are omitted, starting with the oldest: a line states
/// their number, the history's rolling summary their content, and the report counts them. Binary content of steps is
/// shown as a placeholder. Pending feedback comes last. Building changes nothing; the same history and options result
/// in the same prompt. For models with native tool calls see `to_messages`.
///
/// A provider's prompt cache recognises a prompt by its beginning. Therefore:
/// - Lines of older steps are only appended, as long as the budget suffices and none of these steps gets a new summary.
///   When lines must go, several go at once (`PromptOptions::slack`).
/// - As text, a step without a summary reads the same in full and as an older line, unless an output limit or a budget
///   cuts it: adding a step leaves everything before it unchanged.
/// - As messages, a step that leaves the full part becomes a line of a message before it; everything after that line is
///   new. With `PromptOptions::full_stride` this happens once in so many steps; in between, messages are only appended.
///
/// Time depends on the content shown, the one step that did not fit, steps that `PromptOptions::keep` refuses and
/// `PromptOptions::measure_omitted` others, but not on the length of the history.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("Find out about tides."));
/// history.register_action({.thoughts = "Find the figures.", .use_tool = {"web_search", {{"query", "tides"}}}});
/// history.register_result(acta::ActionSuccessResult{.outputs = "3 results"});
///
/// const acta::Prompt prompt({.max_tokens = 2000, .keep_first = 1});
/// std::string text = prompt.text(history).text;
/// std::vector<acta::ChatMessage> messages = prompt.messages(history).messages;
/// @endcode
class Prompt {
public:
    /// Makes a prompt with these options.
    explicit Prompt(PromptOptions options = {}) : options_(std::move(options)) {}

    /// Returns all steps as `* Step n: ...` lines below a heading, with `* User: ...` between them, then the feedback;
    /// empty for an empty history.
    template <class P>
    [[nodiscard]] PromptText text(const EpisodicActionHistory<P>& history) const {
        return prompt_detail::build_text(options_, prompt_detail::steps_of(history));
    }

    /// Returns the conversation unchanged, the lines of older steps in system messages in between, and for each full
    /// step the model's words and the outcome (an assistant and a user message).
    template <class P>
    [[nodiscard]] PromptMessages messages(const EpisodicActionHistory<P>& history) const {
        return prompt_detail::build_messages(options_, prompt_detail::steps_of(history),
                                             prompt_detail::PromptForm::messages);
    }

    /// Returns the options that it was made with.
    [[nodiscard]] const PromptOptions& options() const noexcept { return options_; }

private:
    PromptOptions options_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/prompt/detail/prompt.inl.hpp"
#endif
