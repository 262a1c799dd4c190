// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "acta/action/error_info.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/compress/compression.hpp"
#include "acta/observe/redactor.hpp"
#include "acta/prompt/options.hpp"
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
/// bullets, quotation marks and Markdown's emphasis may stand before the word.
[[nodiscard]] bool is_marked_sentence(std::string_view sentence);

/// Options of `update_rolling_summary`.
struct RollingSummaryOptions {
    /// The prompt whose budget decides which steps leave it. Steps that its `keep` refuses leave without a trace.
    PromptOptions prompt{};
    std::size_t max_tokens = 300;       ///< The longest text, by `count_tokens`.
    std::size_t max_fact_tokens = 500;  ///< The most tokens of the facts that are shown.
    std::size_t max_candidates = 256;   ///< Facts that came up once so far, and are remembered in case they come again.
    std::size_t batch_steps = 32;       ///< The most steps that one call of the summarizer condenses, at least 1.
    std::string instruction{rolling_instruction};  ///< For summarizers that ask a model.
    /// Accepts the sentences that are kept word for word. Called with sentences of at most 400 bytes.
    std::function<bool(std::string_view sentence)> is_marked = is_marked_sentence;
    AnyTokenCounter count_tokens{};                                   ///< An estimate by default.
    stop_token stop{};                                                ///< Cancels the work.
    std::optional<std::chrono::steady_clock::time_point> deadline{};  ///< Also cancels it.
    Redactor redactor{};      ///< Sees everything that is read of a step, and the text before it is stored.
    CompletionPrice price{};  ///< As in `CompressionOptions`.
};

/// The outcome of `update_rolling_summary`.
struct RollingSummaryReport {
    std::size_t steps = 0;             ///< Steps that were condensed into the summary by this call.
    std::optional<ErrorInfo> error{};  ///< Why the work ended early, if it did.
    bool skipped = false;              ///< Whether the steps changed meanwhile, so that a text was not stored.
    SummaryCost cost{};                ///< Of all calls, those that failed included.
    std::chrono::nanoseconds time{0};  ///< How long it took.

    friend bool operator==(const RollingSummaryReport&, const RollingSummaryReport&) = default;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/compress/detail/rolling_facts.inl.hpp"
#endif
