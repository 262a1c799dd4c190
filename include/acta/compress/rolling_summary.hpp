// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/chat/message.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
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

// The work of `update_rolling_summary`. What depends on the type of the history is in `take_batch` and `store_batch`.
namespace acta::inline ACTA_ABI::compress_detail {

/// A step that leaves the prompt.
struct LeavingStep {
    std::size_t index = 0;
    SummaryStep values{};
    std::optional<std::string> summary{};
};

/// What was said between those steps.
struct LeavingMessage {
    std::size_t before = 0;  ///< The step that it stands before.
    ChatRole role = ChatRole::user;
    std::string text{};
};

/// Steps to condense at once, what was said before each of them, and the summary so far.
struct RollingBatch {
    std::optional<RollingSummary> before{};
    std::size_t first = 0;  ///< Of all that the new summary stands for.
    std::size_t last = 0;
    EpisodeId first_id{};
    EpisodeId last_id{};
    std::size_t count = 0;  ///< Steps that leave, those included that a filter refuses.
    std::vector<LeavingStep> steps{};
    std::vector<LeavingMessage> said{};
};

/// The next steps that leave the prompt and are not condensed yet; nothing if there are none.
template <class P>
[[nodiscard]] std::optional<RollingBatch> take_batch(const EpisodicActionHistory<P>& history,
                                                     const RollingSummaryOptions& options) {
    PromptOptions prompt = options.prompt;
    prompt.show_rolling_summary = true;
    prompt.max_rolling_tokens = no_limit;  // a summary that is cut still stands for its steps
    prompt.measure_omitted = 0;
    const Prompt shown(std::move(prompt));
    PromptReport report = shown.text(history).report;
    // Full steps have another length as messages, so that another step may not fit.
    if (report.hidden_steps == 0) report = shown.messages(history).report;
    if (report.hidden_steps == 0) report = prompt_extension::native_prompt(history, shown.options()).report;
    if (report.hidden_steps == 0) return std::nullopt;
    RollingBatch batch;
    batch.count = std::min(report.hidden_steps, std::max<std::size_t>(options.batch_steps, 1));
    batch.first = report.first_hidden;
    batch.last = report.first_hidden + batch.count - 1;
    const prompt_extension::StepSource source = prompt_extension::steps_of(history);
    for (std::size_t i = batch.first; i <= batch.last; ++i) {
        if (options.prompt.keep && !options.prompt.keep(source.prompt_step(i))) continue;
        batch.steps.push_back({i, summary_step(history[i]), history[i].summary});
    }
    const auto first_said = std::ranges::lower_bound(source.said, batch.first, {}, &ConversationMessage::before);
    for (auto said = first_said; said != source.said.end() && said->before <= batch.last; ++said) {
        // Prompts always show the instructions at the beginning.
        if (said->before == 0 && said->message.role == ChatRole::system) continue;
        batch.said.push_back({said->before, said->message.role, hide_binary(said->message.content)});
    }
    // The steps follow those of the summary so far, unless that is of other ones.
    if (const RollingSummary* const before = history.rolling_summary();
        before != nullptr && static_cast<std::size_t>(before->last) + 1 == batch.first) {
        batch.before = *before;
        batch.first = static_cast<std::size_t>(before->first);
    }
    batch.first_id = history.id(batch.first);
    batch.last_id = history.id(batch.last);
    return batch;
}

/// Stores the new summary, unless the history changed where it matters.
template <class P>
[[nodiscard]] bool store_batch(EpisodicActionHistory<P>& history, const RollingBatch& batch, RollingSummary summary) {
    if (batch.last >= history.size() || history.id(batch.first) != batch.first_id ||
        history.id(batch.last) != batch.last_id) {
        return false;
    }
    const RollingSummary* const now = history.rolling_summary();
    if (batch.before && (now == nullptr || *now != *batch.before)) return false;
    history.set_rolling_summary(std::move(summary));
    return true;
}

/// Condenses one batch after another.
class RollingRun {
public:
    RollingRun(const AnySummarizer& summarizer, const RollingSummaryOptions& options)
        : summarizer_(summarizer), options_(options) {}

    [[nodiscard]] RollingSummary condense(RollingBatch& batch);
    [[nodiscard]] bool is_over() const;
    /// Describes the exception that is being handled.
    [[nodiscard]] ErrorInfo error() const;

    RollingSummaryReport report{};

private:
    [[nodiscard]] std::string text_of(const RollingBatch& batch) const;
    [[nodiscard]] std::string line_of(const LeavingStep& step) const;
    [[nodiscard]] std::string line_of(const LeavingMessage& said) const;
    [[nodiscard]] std::string ask(const std::string& text);

    const AnySummarizer& summarizer_;
    const RollingSummaryOptions& options_;
};

/// Updates the rolling summary of the history that `with_lock` protects.
template <class WithLock>
[[nodiscard]] RollingSummaryReport roll_with(WithLock with_lock, const AnySummarizer& summarizer,
                                             const RollingSummaryOptions& options) {
    const auto start = std::chrono::steady_clock::now();
    RollingRun run(summarizer, options);
    while (!run.is_over()) {
        std::optional<RollingBatch> batch = with_lock([&](auto& history) { return take_batch(history, options); });
        if (!batch) break;
        std::optional<RollingSummary> summary;
        try {
            summary = run.condense(*batch);
        } catch (const std::exception&) {
            run.report.error = run.error();
            break;
        }
        const bool stored = with_lock([&](auto& history) { return store_batch(history, *batch, *std::move(summary)); });
        if (!stored) {
            run.report.skipped = true;
            break;
        }
        run.report.steps += batch->count;
    }
    run.report.time = std::chrono::steady_clock::now() - start;
    return std::move(run.report);
}

template <class P>
[[nodiscard]] RollingSummaryReport roll(EpisodicActionHistory<P>& history, const AnySummarizer& summarizer,
                                        const RollingSummaryOptions& options) {
    return roll_with([&](const auto& function) { return function(history); }, summarizer, options);
}
template <class P>
[[nodiscard]] RollingSummaryReport roll(SharedHistory<P>& history, const AnySummarizer& summarizer,
                                        const RollingSummaryOptions& options) {
    return roll_with([&history](const auto& function) { return history.with_lock(function); }, summarizer, options);
}

#if defined(ACTA_COMPILED)  // which has these instances
extern template RollingSummaryReport roll(EpisodicActionHistory<>& history, const AnySummarizer& summarizer,
                                          const RollingSummaryOptions& options);
extern template RollingSummaryReport roll(SharedHistory<>& history, const AnySummarizer& summarizer,
                                          const RollingSummaryOptions& options);
#endif

}  // namespace acta::inline ACTA_ABI::compress_detail

namespace acta::inline ACTA_ABI {

/// Brings the rolling summary of a history up to date: the steps that no longer fit the budget of `options.prompt` are
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

#ifndef ACTA_COMPILED
#include "acta/compress/detail/rolling_summary.inl.hpp"
#endif
