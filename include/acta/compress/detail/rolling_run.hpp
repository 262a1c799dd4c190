// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/chat/binary_placeholder.hpp"
#include "acta/chat/message.hpp"
#include "acta/compress/compression.hpp"
#include "acta/compress/detail/history_access.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/compress/rolling_options.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/compress/summary_step.hpp"
#include "acta/history/conversation.hpp"
#include "acta/history/episode_id.hpp"
#include "acta/history/history.hpp"
#include "acta/history/rolling_summary.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/prompt/extension.hpp"
#include "acta/prompt/prompt.hpp"

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
    return roll_with([&](const auto& use) { return use(history); }, summarizer, options);
}
template <class P>
[[nodiscard]] RollingSummaryReport roll(SharedHistory<P>& history, const AnySummarizer& summarizer,
                                        const RollingSummaryOptions& options) {
    return roll_with([&history](const auto& use) { return history.with_lock(use); }, summarizer, options);
}

#if defined(ACTA_COMPILED)  // which has these instances
extern template RollingSummaryReport roll(EpisodicActionHistory<>& history, const AnySummarizer& summarizer,
                                          const RollingSummaryOptions& options);
extern template RollingSummaryReport roll(SharedHistory<>& history, const AnySummarizer& summarizer,
                                          const RollingSummaryOptions& options);
#endif

}  // namespace acta::inline ACTA_ABI::compress_detail

#ifndef ACTA_COMPILED
#include "acta/compress/detail/rolling_run.inl.hpp"
#endif
