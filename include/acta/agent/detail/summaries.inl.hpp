// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/detail/request_messages.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "acta/history/history_view.hpp"
#include "acta/history/stuck.hpp"
#include "acta/prompt/prompt.hpp"

// How a run keeps its requests short: by summaries of steps, and with a smaller budget after a request was too long.
namespace acta::inline ACTA_ABI::agent_detail {

/// Calls `work(options)`, which may ask a model for summaries: what they cost counts at once, and once a limit of the
/// run is reached it asks for no more.
template <class Options, class Work>
auto RunState::summarise(Options options, const Work& work) {
    stop_source limit;
    const stop_callback stopped(options_.until.stop, [&limit] { limit.request_stop(); });
    options.until = {limit.get_token(), options_.until.deadline};
    options.price = options_.price;
    const auto check = [this, &limit] {
        if (spent_limit()) limit.request_stop();
    };
    check();
    options.on_cost = [this, &check, own = options.on_cost](const SummaryCost& cost) {  // threads of `work` call it
        account(cost.usage, cost.cost_usd.value_or(0));
        check();
        if (own) own(cost);
    };
    return work(options);
}

/// Returns the options by which a history of this many steps is compressed. Steps that prompts still show in full wait,
/// so that those that leave them together are summarised together.
ACTA_INLINE CompressionOptions RunState::compression_after(std::size_t steps) const {
    CompressionOptions out = options_.compression;
    out.observer = options_.observer;
    const auto full = [this](std::size_t count) {  // `PromptOptions::full_stride`
        const std::size_t least = std::min(count, budget_.keep_recent);
        return least + (count - least) % std::max<std::size_t>(budget_.full_stride, 1);
    };
    const bool has_place = steps > 0 && shown_in_full_ >= full(steps - 1);
    if (has_place && budget_.keep_recent > 0 && out.trigger.episodes == 0 && out.trigger.tokens == 0)
        out.keep_recent = std::max(out.keep_recent, full(steps));
    return out;
}

/// Ends the run if the agent is stuck; otherwise compresses the history.
ACTA_INLINE void RunState::check_and_compress() {
    result_.stuck = edit([this](HistoryEditor& history) { return stuck(history.view(), options_.stuck); });
    if (result_.stuck) return end(RunEnd::stuck);
    const std::size_t steps = edit([](HistoryEditor& history) { return history.view().size(); });
    const CompressionReport compressed = summarise(compression_after(steps), [this](const CompressionOptions& options) {
        return handle_compression(history_, options_.summarizer, options);
    });
    RollingSummaryReport rolled;
    // The next request would not show all steps: what it hides is condensed.
    PromptOptions all = budget_;
    all.show_rolling_summary = true;
    all.max_rolling_tokens = no_limit;
    if (edit([&](HistoryEditor& history) { return messages_.series().count_hidden(history.view(), all) != 0; })) {
        RollingSummaryOptions rolling;
        rolling.prompt = budget_;
        rolling.count_tokens = budget_.count_tokens;
        rolling.redactor = options_.compression.redactor;
        rolled = summarise(std::move(rolling), [this](const RollingSummaryOptions& options) {
            return compress_extension::update_rolling_summary(history_, options_.summarizer, options,
                                                              messages_.series());
        });
    }
    if (!compressed.summarised.empty() || rolled.steps != 0) changed();
    report(compressed);
    if (rolled.steps != 0 || rolled.error) report(SummaryExtended{rolled});
}

/// Reduces the budget, after a request was too long.
ACTA_INLINE void RunState::reduce_budget(std::size_t asked_tokens) {
    CompressionOptions all = options_.compression;
    all.observer = options_.observer;
    all.keep_recent = 1;
    all.trigger = {};
    const CompressionReport compressed = summarise(std::move(all), [this](const CompressionOptions& options) {
        return handle_compression(history_, options_.summarizer, options);
    });
    if (!compressed.summarised.empty()) changed();
    report(compressed);
    messages_.reset();
    budget_.max_tokens = std::min(budget_.max_tokens, asked_tokens / 8);
    budget_.max_rolling_tokens = std::min(budget_.max_rolling_tokens, asked_tokens / 8);
    budget_.max_full_tokens = std::min(budget_.max_full_tokens, asked_tokens / 4);
}

}  // namespace acta::inline ACTA_ABI::agent_detail
