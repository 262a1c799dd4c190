// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>

#include "acta/base/callback.hpp"
#include "acta/base/stop_token.hpp"

namespace acta::inline ACTA_ABI {

/// An attempt that failed and will be repeated.
struct RetryEvent {
    const std::exception& error;       ///< Of this attempt; valid during the call.
    int attempt = 0;                   ///< The number of the attempt that failed, from 1 on.
    std::chrono::nanoseconds delay{};  ///< Until the next one.
};

/// When a call that failed is repeated: exponential back-off with jitter, so that clients that failed together do not
/// come back together. The wait before the n-th repetition is between a half and the whole of `first_delay` doubled n-1
/// times, at most `max_delay`; if a server says when to ask again, it is at least that.
struct RetryOptions {
    int max_attempts = 3;  ///< In all, the first included. Below 1 is taken as 1.
    /// Time for one attempt; 0 for no limit. Without a value, the default of the caller that retries: 60 s for a
    /// `ChatSummarizer`, no limit for a model client.
    std::optional<std::chrono::milliseconds> call_timeout{};
    std::chrono::milliseconds first_delay{500};   ///< Longest wait before the first repetition. Below 0 is taken as 0.
    std::chrono::milliseconds max_delay{20'000};  ///< Limit of the doubled delays, not of a wait asked for by a server.
    std::chrono::milliseconds max_retry_after{60'000};  ///< A server that wants a longer wait is not asked again.
    /// Returns whether a failure may be temporary. Without it the caller of the call decides.
    Callback<bool(const std::exception&)> retry_if{};
    Callback<void(const RetryEvent&)> on_retry{};  ///< Called before each wait, by the calling thread.
};

namespace base {

/// Time and chance as repetitions see them; acta's own tests replace them. Not to be changed while something is
/// repeated.
struct RetryClock {
    std::function<std::chrono::steady_clock::time_point()> now{};             ///< Empty for the real clock.
    std::function<void(std::chrono::nanoseconds, const stop_token&)> wait{};  ///< Empty for a real wait.
    std::function<double()> jitter{};  ///< Returns a number from 0 up to, but not including, 1; empty for a random one.
};

/// Returns the clock of all repetitions in the process.
[[nodiscard]] RetryClock& retry_clock() noexcept;

/// Returns the time by the clock of repetitions.
[[nodiscard]] std::chrono::steady_clock::time_point retry_now();

/// Returns a number from 0 up to 1, by the clock of repetitions.
[[nodiscard]] double jitter();

/// Waits for `time`, or until a stop is requested, by the clock of repetitions.
void retry_wait(std::chrono::nanoseconds time, const stop_token& stop);

/// Returns how many attempts the options allow, at least 1.
[[nodiscard]] inline int max_attempts(const RetryOptions& options) noexcept {
    return std::max(options.max_attempts, 1);
}

/// Returns the wait before a repetition, which is counted from 1 on.
[[nodiscard]] std::chrono::nanoseconds back_off(const RetryOptions& options, int repetition);

/// Returns the wait after the failed attempt of this number (from 1 on), or nothing if there must be no further one.
/// The wait is the larger of our own back-off and the server's request, with jitter on top.
[[nodiscard]] std::optional<std::chrono::nanoseconds> retry_delay(
    const RetryOptions& options, int attempt, std::optional<std::chrono::milliseconds> retry_after = std::nullopt);

}  // namespace base
}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/base/detail/base.inl.hpp"
#endif
