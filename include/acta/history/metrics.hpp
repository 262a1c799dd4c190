// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <ostream>
#include <string>

#include "acta/base/boxed.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/describe/describe.hpp"
#include "acta/json/timestamp.hpp"

namespace acta::inline ACTA_ABI {

/// The price of a model's tokens, in US dollars per million.
struct TokenPrices {
    double prompt = 0;                    ///< Tokens of the request.
    double completion = 0;                ///< Tokens of the answer.
    std::optional<double> cached{};       ///< Tokens of the request from the prompt cache; `prompt` by default.
    std::optional<double> cache_write{};  ///< Tokens of the request written to the prompt cache; `prompt` by default.

    /// Returns the price of one completion in US dollars.
    [[nodiscard]] double cost(const TokenUsage& usage) const noexcept;

    friend bool operator==(const TokenPrices&, const TokenPrices&) = default;
};

/// What a step took: time, tokens of the model, and money. Each may be unknown.
///
/// @code{.cpp}
/// acta::StepMetrics metrics = acta::StepMetrics::start();   // the clock runs
/// acta::ChatCompletion completion;                          // = model(messages, options)
/// completion.usage = {.prompt_tokens = 1200, .completion_tokens = 80};
/// metrics.add(completion, {.prompt = 0.15, .completion = 0.6});
/// // history.register_action(proposal, metrics);
/// // history.register_result(result);                       // notes the end of the step
/// // acta::MetricsTotals total = acta::totals(history);
/// @endcode
struct StepMetrics {
    /// When the step began.
    std::optional<Timestamp> started_at{};
    /// When it had its result.
    std::optional<Timestamp> finished_at{};
    /// Tokens of requests.
    std::optional<std::int64_t> prompt_tokens{};
    /// Tokens of answers.
    std::optional<std::int64_t> completion_tokens{};
    /// Tokens of requests from the prompt cache.
    std::optional<std::int64_t> cached_tokens{};
    /// Tokens of requests written to the prompt cache.
    std::optional<std::int64_t> cache_write_tokens{};
    /// Tokens of answers that were reasoning.
    std::optional<std::int64_t> reasoning_tokens{};
    std::optional<double> cost_usd{};  ///< US dollars.
    std::string model{};               ///< The model that answered last; may be empty.

    /// Returns the metrics of a step that starts now by the system's clock.
    [[nodiscard]] static StepMetrics start() { return {.started_at = Timestamp::now()}; }

    /// Adds the tokens of a completion, if the model stated them, and notes the model. A step that took several completions has their sum.
    void add(const ChatCompletion& completion);
    /// Adds the tokens of a completion and what they cost.
    void add(const ChatCompletion& completion, const TokenPrices& prices);

    /// Returns the time from start to finish; nothing if one of the two is unknown or has no time zone.
    [[nodiscard]] std::optional<std::chrono::microseconds> duration() const;

    friend bool operator==(const StepMetrics&, const StepMetrics&) = default;
};

/// The sums of the metrics of several steps. Unknown values count as zero; a sum out of range stays at the largest
/// number.
struct MetricsTotals {
    std::size_t steps = 0;              ///< All steps.
    std::size_t steps_with_tokens = 0;  ///< Steps and answers whose tokens are known.
    std::size_t steps_with_cost = 0;    ///< Steps and answers whose cost is known.
    /// Tokens of requests.
    std::int64_t prompt_tokens = 0;
    /// Tokens of answers.
    std::int64_t completion_tokens = 0;
    /// Tokens of requests from the prompt cache.
    std::int64_t cached_tokens = 0;
    /// Tokens of requests written to the prompt cache.
    std::int64_t cache_write_tokens = 0;
    /// Tokens of answers that were reasoning.
    std::int64_t reasoning_tokens = 0;
    double cost_usd = 0;                ///< US dollars.
    std::chrono::microseconds time{0};  ///< From start to finish of each step that knows both.

    /// Adds a step.
    void add(const StepMetrics& metrics);
    /// Adds a step whose metrics may be unknown.
    void add(const Boxed<StepMetrics>& metrics);

    friend bool operator==(const MetricsTotals&, const MetricsTotals&) = default;
};

/// Returns `6 steps in 12.5 s, 1200 tokens to the model (800 cached), 90 from it (20 reasoning), 0.0150 USD`, without
/// what is zero.
[[nodiscard]] std::string to_string(const MetricsTotals& totals);

/// Prints `to_string(totals)`.
inline std::ostream& operator<<(std::ostream& out, const MetricsTotals& totals) { return out << to_string(totals); }

/// Returns the sums over a slice of a history's steps (`history.episodes().last(10)`). Linear.
template <class Episodes>
    requires requires(const Episodes& episodes) { episodes.begin(); }
[[nodiscard]] MetricsTotals totals(const Episodes& episodes) {
    MetricsTotals out;
    for (const auto& episode : episodes) out.add(episode.metrics);
    return out;
}

template <>
struct Describe<StepMetrics> {
    static constexpr auto fields = acta::fields(
        defaulted("started_at", &StepMetrics::started_at), defaulted("finished_at", &StepMetrics::finished_at),
        defaulted("prompt_tokens", &StepMetrics::prompt_tokens),
        defaulted("completion_tokens", &StepMetrics::completion_tokens), defaulted("cost_usd", &StepMetrics::cost_usd),
        omit_if_empty("cached_tokens", &StepMetrics::cached_tokens),
        omit_if_empty("cache_write_tokens", &StepMetrics::cache_write_tokens),
        omit_if_empty("reasoning_tokens", &StepMetrics::reasoning_tokens), omit_if_empty("model", &StepMetrics::model));
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/history/detail/metrics.inl.hpp"
#endif
