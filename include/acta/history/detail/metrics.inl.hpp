// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>

#include "acta/history/metrics.hpp"

namespace acta::inline ACTA_ABI {

namespace history_detail {

/// Adds tokens or microseconds. A sum out of range is the largest or smallest number.
[[nodiscard]] constexpr std::int64_t saturated_sum(std::int64_t a, std::int64_t b) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    if (b > 0 && a > Limits::max() - b) return Limits::max();
    if (b < 0 && a < Limits::min() - b) return Limits::min();
    return a + b;
}

}  // namespace history_detail

ACTA_INLINE double TokenPrices::cost(const TokenUsage& usage) const noexcept {
    constexpr double million = 1e6;
    return (static_cast<double>(usage.prompt_tokens) * prompt +
            static_cast<double>(usage.completion_tokens) * completion) /
           million;
}

ACTA_INLINE void StepMetrics::add(const ChatCompletion& completion) {
    if (!completion.usage) return;
    using history_detail::saturated_sum;
    prompt_tokens = saturated_sum(prompt_tokens.value_or(0), completion.usage->prompt_tokens);
    completion_tokens = saturated_sum(completion_tokens.value_or(0), completion.usage->completion_tokens);
}

ACTA_INLINE void StepMetrics::add(const ChatCompletion& completion, const TokenPrices& prices) {
    add(completion);
    if (completion.usage) cost_usd = cost_usd.value_or(0) + prices.cost(*completion.usage);
}

ACTA_INLINE std::optional<std::chrono::microseconds> StepMetrics::duration() const {
    if (!started_at || !finished_at) return std::nullopt;
    const auto start = started_at->instant();
    const auto finish = finished_at->instant();
    if (!start || !finish) return std::nullopt;
    return *finish - *start;
}

ACTA_INLINE void MetricsTotals::add(const std::optional<StepMetrics>& metrics) {
    ++steps;
    if (!metrics) return;
    if (metrics->prompt_tokens || metrics->completion_tokens) ++steps_with_tokens;
    if (metrics->cost_usd) ++steps_with_cost;
    using history_detail::saturated_sum;
    prompt_tokens = saturated_sum(prompt_tokens, metrics->prompt_tokens.value_or(0));
    completion_tokens = saturated_sum(completion_tokens, metrics->completion_tokens.value_or(0));
    cost_usd += metrics->cost_usd.value_or(0);
    using std::chrono::microseconds;
    time = microseconds(saturated_sum(time.count(), metrics->duration().value_or(microseconds(0)).count()));
}

}  // namespace acta::inline ACTA_ABI
