// SPDX-License-Identifier: MIT
#pragma once

#include "acta/compress/detail/rolling_run.hpp"
#include "acta/compress/rolling_options.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/history/history.hpp"
#include "acta/history/rolling_summary.hpp"
#include "acta/history/shared_history.hpp"

namespace acta::inline ACTA_ABI {

/// Brings the rolling summary of a history up to date: the steps for which `options.prompt` has no room any more are
/// condensed into it, as many calls of the summarizer as `batch_steps` takes. A call gets the summary so far and a line
/// for each new step and each message of the conversation between them. The summary stays in the history
/// (`EpisodicActionHistory::rolling_summary`), and `Prompt` shows it instead of the steps for which it stands; the
/// steps and messages themselves stay as they are.
///
/// Beside the summarizer's text it keeps facts word for word, found without a model: marked sentences, what a person
/// said to the agent, and paths, URLs, names and numbers that came up in several steps.
///
/// Call it before a prompt is built. If every step has its line in the prompt, nothing is done. Otherwise it takes time
/// for the steps that left since the last call, not for the length of the history. A failure of the summarizer is in
/// the report; what was condensed before it stays. Throws what `options.count_tokens` throws. No other thread may use
/// the history meanwhile; a `SharedHistory` has an overload of its own.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;   // of many steps
/// acta::RollingSummaryOptions options;
/// options.prompt.max_tokens = 2000;
/// acta::RollingSummaryReport report = acta::update_rolling_summary(history, acta::ExtractiveSummarizer{}, options);
/// std::string text = acta::Prompt(options.prompt).text(history).text;
/// @endcode
template <class P, class S>
RollingSummaryReport update_rolling_summary(EpisodicActionHistory<P>& history, S&& summarizer,
                                            const RollingSummaryOptions& options = {}) {
    return compress_detail::roll(history, compress_detail::summarizer_ref(summarizer), options);
}

/// As above, while other threads keep using the history: it is locked to take steps and to store the summary, never
/// while the summarizer runs. If steps that it stands for are rewound away meanwhile, the summary is not stored. Throws
/// `Error` when called from within `with_lock`.
template <class P, class S>
RollingSummaryReport update_rolling_summary(SharedHistory<P>& history, S&& summarizer,
                                            const RollingSummaryOptions& options = {}) {
    return compress_detail::roll(history, compress_detail::summarizer_ref(summarizer), options);
}

}  // namespace acta::inline ACTA_ABI
