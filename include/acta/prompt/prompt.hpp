// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <functional>
#include <limits>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history_view.hpp"
#include "acta/text/tokens.hpp"

namespace acta::inline ACTA_ABI {

/// An unlimited budget.
inline constexpr std::size_t no_limit = std::numeric_limits<std::size_t>::max();

/// How much of a tool's output a prompt shows. Characters are code points, which are never split.
struct OutputLimit {
    std::size_t characters = 2000;  ///< The most that are kept; a note says how many more there were.
    std::size_t tail = 0;           ///< How many of them are taken from the end of the output.
};

/// A step, as the filters of `PromptOptions` see it. Its views point into the history, and are valid during the call.
struct PromptStep {
    std::size_t index = 0;                           ///< In the history, from 0.
    std::span<const AssistantFunctionCall> calls{};  ///< The calls that it proposed.
    std::string_view status{};             ///< `success`, `error`, `interrupted_by_human` or `did_not_finish`.
    const std::string* summary = nullptr;  ///< Null without one.
};

/// Accepts or refuses a step.
using PromptFilter = std::function<bool(const PromptStep&)>;

/// Returns a filter that accepts the steps that call one of these tools.
[[nodiscard]] PromptFilter calls_tool(std::vector<std::string> names);
/// Returns a filter that accepts the steps that call none of these tools.
[[nodiscard]] PromptFilter calls_other_tool(std::vector<std::string> names);

/// Which parts of a history a prompt shows (docs/reference/prompt.md, "The prompt"). Older steps and full steps have
/// separate budgets, so that full steps never crowd out the older ones. The instructions at the beginning of the
/// conversation and the user's message that began the newest turn are always shown, complete and outside of the
/// budgets.
struct PromptOptions {
    /// Tokens for the lines of older steps and the messages between them, without the heading, the rolling summary and
    /// the line that says how much is not shown; 0 shows no older step. No line and no message takes more than half.
    std::size_t max_tokens = 1024;
    /// Tokens for the newest steps, in full, and for the messages between and after them. The newest item is cut to
    /// fit, but never omitted; nor is the newest step, unless the messages after it take more than half.
    std::size_t max_full_tokens = 4096;
    std::size_t keep_recent = 4;  ///< How many of the newest steps are shown in full, if they fit.
    /// How many steps leave the full part at a time; up to `full_stride - 1` more stay in it until then. Above 1, the
    /// messages of most prompts begin with all messages of the one before; see `Prompt`.
    std::size_t full_stride = 1;
    /// From 0 to 0.9: the share of `max_tokens` that may stay unused, so that old lines are dropped many at a time and
    /// the prompts in between begin alike. With 0, the oldest line is dropped as soon as a new one needs its place.
    double slack = 0.25;
    /// Whether a rolling summary of the history is shown instead of the lines of the steps it stands for.
    bool show_rolling_summary = true;
    std::size_t max_rolling_tokens = 1024;      ///< Tokens for the rolling summary; a longer one is cut.
    std::optional<OutputLimit> older_output{};  ///< For older steps without a summary.
    /// For steps in full; in the messages of `to_messages` also for the texts in the arguments of their calls.
    std::optional<OutputLimit> full_output{};
    PromptFilter keep{};             ///< Older steps that it refuses are omitted.
    PromptFilter keep_output{};      ///< Outputs of steps that it accepts are not cut by the two limits above.
    AnyTokenCounter count_tokens{};  ///< Counts tokens for all budgets; an estimate by default.
};

/// An amount of a history's content.
struct PromptCount {
    std::size_t steps = 0;       ///< Whole steps.
    std::size_t characters = 0;  ///< Code points.
    std::size_t tokens = 0;      ///< By `PromptOptions::count_tokens`.

    friend bool operator==(const PromptCount&, const PromptCount&) = default;
};

/// Which parts of a history a prompt shows, and which it omits.
struct PromptReport {
    PromptCount full{};     ///< The newest steps, in full.
    PromptCount older{};    ///< The lines of older steps.
    PromptCount rolling{};  ///< The steps that the rolling summary stands for, and its own length.
    /// Steps that are neither shown nor in the rolling summary, and the text that was cut from others.
    PromptCount omitted{};
    /// Omitted steps whose characters and tokens are not counted: all but the newest 256, so that building takes no
    /// longer as the history grows.
    std::size_t unmeasured_steps = 0;
    std::size_t cut_texts = 0;     ///< Outputs and steps that were cut.
    std::size_t first_step = 0;    ///< Index of the oldest step shown; the history's length if there is none.
    std::size_t first_hidden = 0;  ///< Index of the first of the `hidden_steps`.
    /// Steps that did not fit, which the line `44 earlier steps are not shown` counts. They are consecutive; steps that
    /// `PromptOptions::keep` refuses may be among them.
    std::size_t hidden_steps = 0;
    std::size_t shown_messages = 0;    ///< Messages of the conversation that are shown; `tokens` has theirs.
    std::size_t hidden_messages = 0;   ///< Messages that are neither shown nor in the rolling summary.
    std::size_t rolling_messages = 0;  ///< Messages that are only in the rolling summary.
    std::size_t pending_feedback = 0;  ///< Feedback that waits in the history and is shown at the end.
    std::size_t tokens = 0;            ///< Of the whole prompt, with headings and feedback.

    friend bool operator==(const PromptReport&, const PromptReport&) = default;
};

/// A prompt as text.
struct PromptText {
    std::string text{};     ///< The prompt itself.
    PromptReport report{};  ///< What it shows and omits.

    friend bool operator==(const PromptText&, const PromptText&) = default;
};

/// A prompt as messages for a chat model.
struct PromptMessages {
    std::vector<ChatMessage> messages{};  ///< Oldest first.
    PromptReport report{};                ///< What they show and omit.

    friend bool operator==(const PromptMessages&, const PromptMessages&) = default;
};

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::prompt_detail {

/// Returns a step as a filter sees it.
[[nodiscard]] inline PromptStep prompt_step(const HistoryView& history, std::size_t i) {
    const StepView step = history.step(i);
    return {i, step.calls, to_string(status(*step.result)), step.summary};
}

enum class PromptForm {
    text,
    messages,  ///< For models without native tool calls.
    native     ///< Calls and results as messages have them.
};

/// Finished steps as an earlier prompt showed them; see `PromptSeries`.
class PromptCache;

[[nodiscard]] PromptText build_text(const PromptOptions& options, const HistoryView& history);
[[nodiscard]] PromptMessages build_messages(const PromptOptions& options, const HistoryView& history, PromptForm form,
                                            std::size_t max_measured);
/// How many of the omitted steps a `Prompt` measures.
inline constexpr std::size_t max_measured_steps = 256;
/// Returns all steps and messages in full, in native form.
[[nodiscard]] std::vector<ChatMessage> whole_messages(const HistoryView& history);

}  // namespace acta::inline ACTA_ABI::prompt_detail

// What other components use beyond the public API: a step as the filters of `PromptOptions` see it, the messages of
// `to_messages` with a report, and the prompts of a run.
namespace acta::inline ACTA_ABI::prompt_extension {

using prompt_detail::prompt_step;

// None of these measures omitted steps: in their reports all are unmeasured.

/// Returns the messages of `to_messages` with a budget, and what they show and omit.
[[nodiscard]] inline PromptMessages native_prompt(const HistoryView& history, const PromptOptions& budget) {
    return prompt_detail::build_messages(budget, history, prompt_detail::PromptForm::native, 0);
}

/// What an update of a prompt's messages did.
struct PromptUpdate {
    PromptReport report{};  ///< What they show and omit.
    std::size_t same = 0;   ///< How many of the messages at the beginning are as they were before.
};

/// Builds prompts of a history with the same options again and again: what a finished step looks like is kept from one
/// to the next, so that only new steps are written and counted. Keeps about as much memory as one prompt, and three
/// times as much if it also reports.
class PromptSeries {
public:
    /// The messages of `to_messages` with a budget if `native`, else those of `Prompt`.
    explicit PromptSeries(bool native = true);

    /// Makes `messages`, which are as the last update left them, those of the next prompt. `instruction` is put before
    /// them, in one message of the system with what the prompt begins with. Messages that stay the same stay in place:
    /// copies only the others.
    [[nodiscard]] PromptUpdate update(std::vector<ChatMessage>& messages, const HistoryView& history,
                                      const PromptOptions& budget, std::string_view instruction = {});
    /// Returns how many steps the next prompt would hide (`PromptReport::hidden_steps`).
    [[nodiscard]] std::size_t count_hidden(const HistoryView& history, const PromptOptions& budget);
    /// Returns the report on the prompt as text if it hides steps, else on that as messages if this one does, else on
    /// that of `native_prompt`: full steps have another length in each, so that another step may not fit.
    [[nodiscard]] PromptReport report_hidden(const HistoryView& history, const PromptOptions& budget);

private:
    [[nodiscard]] PromptReport report(prompt_detail::PromptForm form, const HistoryView& history,
                                      const PromptOptions& budget);

    prompt_detail::PromptForm form_;
    std::shared_ptr<prompt_detail::PromptCache> cache_;
};

}  // namespace acta::inline ACTA_ABI::prompt_extension

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
///   new. With `PromptOptions::full_stride` this happens once in `full_stride` steps; in between, messages are only
///   appended.
///
/// Time depends on the content shown, the one step that did not fit, steps that `PromptOptions::keep` refuses and 256
/// others, but not on the length of the history.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("Find out about tides."));
/// history.register_action({.thoughts = "Find the figures.", .use_tool = {"web_search", {{"query", "tides"}}}});
/// history.register_result(acta::ActionSuccessResult{.outputs = "3 results"});
///
/// const acta::Prompt prompt({.max_tokens = 2000});
/// std::string text = prompt.text(history).text;
/// std::vector<acta::ChatMessage> messages = prompt.messages(history).messages;
/// @endcode
class Prompt {
public:
    /// Makes a prompt with these options.
    explicit Prompt(PromptOptions options = {}) : options_(std::move(options)) {}

    /// Returns all steps as `* Step n: ...` lines below a heading, with `* User: ...` between them, then the feedback;
    /// empty for an empty history.
    [[nodiscard]] PromptText text(const HistoryView& history) const {
        return prompt_detail::build_text(options_, history);
    }

    /// Returns the conversation, the lines of older steps in messages of the user in between, and for each full step
    /// the model's words and the outcome (an assistant and a user message). Messages of the system are at the beginning
    /// only, since the templates of many models refuse later ones: those are messages of the user, and lines with which
    /// the prompt begins are one of the system.
    [[nodiscard]] PromptMessages messages(const HistoryView& history) const {
        return prompt_detail::build_messages(options_, history, prompt_detail::PromptForm::messages,
                                             prompt_detail::max_measured_steps);
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
