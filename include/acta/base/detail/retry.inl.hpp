// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <mutex>
#include <optional>

#include "acta/base/retry.hpp"

namespace acta::inline ACTA_ABI {
namespace base {

ACTA_INLINE double jitter() {
    static std::atomic<std::uint64_t> state{
        static_cast<std::uint64_t>(std::chrono::steady_clock::now().time_since_epoch().count())};
    std::uint64_t z = state.fetch_add(0x9E3779B97F4A7C15U, std::memory_order_relaxed);
    z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9U;
    z = (z ^ (z >> 27)) * 0x94D049BB133111EBU;
    return static_cast<double>((z ^ (z >> 31)) >> 11) * 0x1p-53;
}

ACTA_INLINE void wait(std::chrono::nanoseconds time, const stop_token& stop) {
    std::mutex mutex;
    condition_variable_any condition;
    std::unique_lock lock(mutex);
    condition.wait_for(lock, stop, time, [] { return false; });
}

ACTA_INLINE void wait(const RetryOptions& options, std::chrono::nanoseconds time, const stop_token& stop) {
    if (options.sleep)
        options.sleep(time, stop);
    else
        wait(time, stop);
}

ACTA_INLINE std::chrono::nanoseconds back_off(const RetryOptions& options, int repetition) {
    using std::chrono::nanoseconds;
    nanoseconds delay = std::max<nanoseconds>(options.first_delay, nanoseconds(0));
    for (int i = 1; i < repetition && delay < options.max_delay; ++i) delay *= 2;
    delay = std::max(std::min<nanoseconds>(delay, options.max_delay), nanoseconds(0));
    const double part = 0.5 + 0.5 * (options.jitter ? options.jitter() : jitter());
    return nanoseconds(static_cast<std::int64_t>(static_cast<double>(delay.count()) * part));
}

ACTA_INLINE std::optional<std::chrono::nanoseconds> retry_delay(const RetryOptions& options, int attempt,
                                                                std::optional<std::chrono::milliseconds> retry_after) {
    if (attempt >= options.max_attempts) return std::nullopt;
    const std::chrono::nanoseconds own = back_off(options, attempt);
    if (!retry_after) return own;
    if (*retry_after > options.max_retry_after) return std::nullopt;
    const double chance = 0.5 * (options.jitter ? options.jitter() : jitter());
    const auto least = std::min<std::chrono::nanoseconds>(own, *retry_after);
    const auto extra = static_cast<std::int64_t>(static_cast<double>(least.count()) * chance);
    return std::max<std::chrono::nanoseconds>(own, *retry_after + std::chrono::nanoseconds(extra));
}

}  // namespace base
}  // namespace acta::inline ACTA_ABI
