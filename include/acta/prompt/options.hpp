// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/chat/message.hpp"
#include "acta/chat/tool_call.hpp"
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
    /// How many steps leave the full part at a time; up to `full_stride - 1` more stay in it meanwhile. Above 1, the
    /// messages of most prompts begin with all messages of the one before; see `Prompt`.
    std::size_t full_stride = 1;
    /// How many of the first steps are always shown as lines, before all others. They take at most half of
    /// `max_tokens`.
    std::size_t keep_first = 0;
    /// From 0 to 0.9: the share of `max_tokens` that may stay unused, so that old lines are dropped many at a time and
    /// the prompts in between begin alike. With 0, the oldest line is dropped as soon as a new one needs its place.
    double slack = 0.25;
    /// Whether a rolling summary of the history is shown instead of the lines of the steps it stands for.
    bool show_rolling_summary = true;
    std::size_t max_rolling_tokens = 1024;      ///< Tokens for the rolling summary; a longer one is cut.
    std::optional<OutputLimit> older_output{};  ///< For older steps without a summary.
    /// For steps in full; in the messages of `to_messages` also for the texts in the arguments of their calls.
    std::optional<OutputLimit> full_output{};
    PromptFilter keep{};         ///< Older steps that it refuses are omitted. The newest and `keep_first` are shown.
    PromptFilter keep_output{};  ///< Outputs of steps that it accepts are not cut by the two limits above.
    /// The number of omitted steps, newest first, whose characters and tokens are counted. The others are only counted
    /// as steps, so that building takes no longer as the history grows.
    std::size_t measure_omitted = 256;
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
    std::size_t unmeasured_steps = 0;  ///< Omitted steps whose characters and tokens are not counted.
    std::size_t cut_texts = 0;         ///< Outputs and steps that were cut.
    std::size_t first_step = 0;        ///< Index of the oldest step shown; the history's length if there is none.
    std::size_t first_hidden = 0;      ///< Index of the first of the `hidden_steps`.
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

#ifndef ACTA_COMPILED
#include "acta/prompt/detail/options.inl.hpp"
#endif
