// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/compress/compress.hpp"
#include "acta/history/history_view.hpp"
#include "acta/observe/observer.hpp"
#include "acta/prompt/prompt.hpp"
#include "acta/text/tokens.hpp"

namespace acta::inline ACTA_ABI {

/// The instruction for a rolling summary.
inline constexpr std::string_view rolling_instruction =
    "The text is a summary of the earlier steps of an agent, followed by a line for each of the steps after them and "
    "for what was said between those. "
    "Update the summary: condense all of it into one paragraph that says what was done, decided and found out. Keep "
    "what later steps may need, and keep names, numbers and paths word for word.";

/// Whether a sentence is marked as one to remember: it begins with a word such as `IMPORTANT`, `NOTE`, `REMEMBER`,
/// `DECISION`, `FACT`, `RULE` or `TODO`, in any case, and a colon, or with such a word in Chinese or Japanese. List
/// bullets, quotation marks and Markdown's emphasis may precede the word.
[[nodiscard]] bool is_marked_sentence(std::string_view sentence);

/// Options of `update_rolling_summary`.
struct RollingSummaryOptions {
    /// The prompt whose budget decides which steps leave it. Steps that its `keep` refuses leave without a trace.
    PromptOptions prompt{};
    std::size_t max_tokens = 300;                  ///< The longest text, by `count_tokens`.
    std::string instruction{rolling_instruction};  ///< For summarizers that ask a model.
    /// Accepts the sentences that are kept word for word. Called with sentences of at most 400 bytes.
    std::function<bool(std::string_view sentence)> is_marked = is_marked_sentence;
    AnyTokenCounter count_tokens{};  ///< An estimate by default.
    Until until{};                   ///< Cancels the work.
    Redactor redactor{};             ///< Sees everything that is read of a step, and the text before it is stored.
    CompletionPrice price{};         ///< As in `CompressionOptions`.
    Callback<void(const SummaryCost&)> on_cost{};  ///< As in `CompressionOptions`.
};

/// The outcome of `update_rolling_summary`.
struct RollingSummaryReport {
    std::size_t steps = 0;             ///< Steps that were condensed into the summary by this call.
    std::optional<ErrorInfo> error{};  ///< Why the work ended early, if it did.
    bool skipped = false;              ///< Whether the steps changed in the meantime, so that a text was not stored.
    SummaryCost cost{};                ///< Of all calls, those that failed included.
    std::chrono::nanoseconds time{0};  ///< How long it took.

    friend bool operator==(const RollingSummaryReport&, const RollingSummaryReport&) = default;
};

/// The overload that does the work of those below, for a history of any type.
RollingSummaryReport update_rolling_summary(const LockableHistory& history, const AnySummarizer& summarizer,
                                            const RollingSummaryOptions& options = {});

}  // namespace acta::inline ACTA_ABI

// What a run uses: its prompts have shown most steps already.
namespace acta::inline ACTA_ABI::compress_extension {

/// The same with prompts of the same history and options, which are not made again.
RollingSummaryReport update_rolling_summary(const LockableHistory& history, const AnySummarizer& summarizer,
                                            const RollingSummaryOptions& options,
                                            prompt_extension::PromptSeries& prompts);

}  // namespace acta::inline ACTA_ABI::compress_extension

namespace acta::inline ACTA_ABI {

/// Brings the rolling summary of a history up to date: the steps that no longer fit the budget of `options.prompt` are
/// condensed into it, in calls of the summarizer for at most 32 steps each. A call gets the summary so far and a line
/// for each new step and each message of the conversation between them. The summary stays in the history
/// (`EpisodicActionHistory::rolling_summary`), and `Prompt` shows it instead of the steps that it summarises; the
/// steps and messages themselves stay as they are.
///
/// Beside the summarizer's text it keeps facts word for word, found without a model: marked sentences, what a person
/// said to the agent, and paths, URLs, names and numbers that came up in several steps.
///
/// Call it before a prompt is built. If every step has its line in the prompt, nothing is done. Otherwise it takes time
/// for the steps that left since the last call, not for the length of the history. A failure of the summarizer is in
/// the report; what was condensed before it stays. Throws what `options.count_tokens` throws. No other thread may use
/// the history during the call; for a `SharedHistory` there is an overload.
///
/// @code{.cpp}
/// #include <acta/compress/extractive.hpp>
/// acta::EpisodicActionHistory<> history;   // of many steps
/// acta::RollingSummaryOptions options;
/// options.prompt.max_tokens = 2000;
/// acta::RollingSummaryReport report = acta::update_rolling_summary(history, acta::ExtractiveSummarizer{}, options);
/// std::string text = acta::Prompt(options.prompt).text(history).text;
/// @endcode
template <class P, class S>
RollingSummaryReport update_rolling_summary(EpisodicActionHistory<P>& history, S&& summarizer,
                                            const RollingSummaryOptions& options = {}) {
    return update_rolling_summary(LockableHistory(history), compress_detail::summarizer_ref(summarizer), options);
}

/// As above, while other threads keep using the history: it is locked to take steps and to store the summary, never
/// while the summarizer runs. If steps that it stands for are rewound away in the meantime, the summary is not stored.
/// Throws `Error` when called from within `with_lock`.
template <class P, class S>
RollingSummaryReport update_rolling_summary(SharedHistory<P>& history, S&& summarizer,
                                            const RollingSummaryOptions& options = {}) {
    return update_rolling_summary(LockableHistory(history), compress_detail::summarizer_ref(summarizer), options);
}

/// Does not compile, and says what the arguments are.
template <compress_detail::NotCompressible H, class S>
RollingSummaryReport update_rolling_summary(H&&, S&&, const RollingSummaryOptions& = {}) {
    compress_detail::require_history<H>();
    return {};
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/compress/detail/rolling_summary.inl.hpp"
#endif
