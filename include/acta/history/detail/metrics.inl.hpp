// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "acta/base/saturated_sum.hpp"
#include "acta/history/metrics.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE double TokenPrices::cost(const TokenUsage& usage) const noexcept {
    constexpr double million = 1e6;
    const auto read = static_cast<double>(usage.cached_tokens.value_or(0));
    const auto written = static_cast<double>(usage.cache_write_tokens.value_or(0));
    const double others = static_cast<double>(usage.prompt_tokens) - read - written;
    return (others * prompt + read * cached.value_or(prompt) + written * cache_write.value_or(prompt) +
            static_cast<double>(usage.completion_tokens) * completion) /
           million;
}

ACTA_INLINE void StepMetrics::add(const ChatCompletion& completion) {
    if (!completion.model.empty()) model = completion.model;
    if (!completion.usage) return;
    const TokenUsage& usage = *completion.usage;
    prompt_tokens = base::saturated_sum(prompt_tokens, usage.prompt_tokens);
    completion_tokens = base::saturated_sum(completion_tokens, usage.completion_tokens);
    cached_tokens = base::saturated_sum(cached_tokens, usage.cached_tokens);
    cache_write_tokens = base::saturated_sum(cache_write_tokens, usage.cache_write_tokens);
    reasoning_tokens = base::saturated_sum(reasoning_tokens, usage.reasoning_tokens);
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

ACTA_INLINE void MetricsTotals::add(const Boxed<StepMetrics>& metrics) {
    if (metrics)
        add(*metrics);
    else
        ++steps;
}

ACTA_INLINE void MetricsTotals::add(const StepMetrics& metrics) {
    ++steps;
    if (metrics.prompt_tokens || metrics.completion_tokens) ++steps_with_tokens;
    if (metrics.cost_usd) ++steps_with_cost;
    const auto more_of = [](std::int64_t& sum, std::optional<std::int64_t> more) {
        sum = base::saturated_sum(sum, more.value_or(0));
    };
    more_of(prompt_tokens, metrics.prompt_tokens);
    more_of(completion_tokens, metrics.completion_tokens);
    more_of(cached_tokens, metrics.cached_tokens);
    more_of(cache_write_tokens, metrics.cache_write_tokens);
    more_of(reasoning_tokens, metrics.reasoning_tokens);
    cost_usd += metrics.cost_usd.value_or(0);
    using std::chrono::microseconds;
    time = microseconds(base::saturated_sum(time.count(), metrics.duration().value_or(microseconds(0)).count()));
}

ACTA_INLINE std::string to_string(const MetricsTotals& totals) {
    // Without the locale's decimal comma.
    const auto fixed = [](std::int64_t value, std::int64_t unit, std::size_t digits) {
        std::string fraction = std::to_string(value % unit);
        return std::to_string(value / unit) + "." + fraction.insert(0, digits - fraction.size(), '0');
    };
    const auto part = [](std::int64_t tokens, const char* of) {
        return tokens == 0 ? std::string() : " (" + std::to_string(tokens) + of + ")";
    };
    std::string out = std::to_string(totals.steps) + (totals.steps == 1 ? " step" : " steps");
    if (totals.time.count() > 0) out += " in " + fixed(totals.time.count() / 100'000, 10, 1) + " s";
    if (totals.steps_with_tokens != 0) {
        out += ", " + std::to_string(totals.prompt_tokens) + " tokens to the model" +
               part(totals.cached_tokens, " cached") + ", " + std::to_string(totals.completion_tokens) + " from it" +
               part(totals.reasoning_tokens, " reasoning");
    }
    if (totals.steps_with_cost != 0 && totals.cost_usd >= 0 && totals.cost_usd < 1e14)
        out += ", " + fixed(std::llround(totals.cost_usd * 1e4), 10'000, 4) + " USD";
    return out;
}

}  // namespace acta::inline ACTA_ABI
