// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <version>

#include "acta/base/duration.hpp"
#include "acta/version.hpp"

// libc++ has <stop_token> only behind a flag, and Apple's clang not at all. Define ACTA_NO_STD_STOP_TOKEN to use the
// replacement everywhere, in all sources of a program alike.
#if defined(__cpp_lib_jthread) && !defined(ACTA_NO_STD_STOP_TOKEN)

#include <condition_variable>
#include <stop_token>
#include <thread>

namespace acta::inline ACTA_ABI {

/// Tells work to stop: `std::stop_token`, or a replacement with the same interface if the standard library has none.
/// Likewise the other names in this header.
using std::stop_token;

/// Requests a stop from every `stop_token` that it made.
using std::stop_source;

/// Calls a function once stop is requested, at once if it already was.
using std::stop_callback;

/// A thread that is stopped and joined when it is destroyed.
using std::jthread;

/// A condition variable whose waits end when a stop is requested.
using std::condition_variable_any;

}  // namespace acta::inline ACTA_ABI

#else
#include "acta/base/detail/stop_token.hpp"  // IWYU pragma: export
#endif

namespace acta::inline ACTA_ABI {

/// Returns the time point that is `time` from now, for `Until::deadline`; the last one that there is if that is out of
/// range, as with `std::chrono::milliseconds::max()`.
template <class Rep, class Period>
[[nodiscard]] std::chrono::steady_clock::time_point deadline_in(std::chrono::duration<Rep, Period> time) {
    return base::saturated_sum(std::chrono::steady_clock::now(), time);
}

/// What ends work before it is done: a stop, a deadline, or nothing. A member `until` of options.
///
/// @code{.cpp}
/// #include <acta/agent/run.hpp>
/// acta::stop_source stop;
/// acta::RunOptions options;
/// options.until = {.stop = stop.get_token(), .deadline = acta::deadline_in(std::chrono::minutes(5))};
/// @endcode
struct Until {
    acta::stop_token stop{};                                          ///< Ends it when a stop is requested.
    std::optional<std::chrono::steady_clock::time_point> deadline{};  ///< Ends it at this moment (`deadline_in`).

    /// Returns whether a stop was requested.
    [[nodiscard]] bool is_cancelled() const noexcept { return stop.stop_requested(); }
    /// Returns whether the deadline has passed; false without a deadline.
    [[nodiscard]] bool is_late() const noexcept { return deadline && std::chrono::steady_clock::now() >= *deadline; }
    /// Returns whether either is the case.
    [[nodiscard]] bool is_over() const noexcept { return is_cancelled() || is_late(); }
    /// Returns the same with a deadline that is not after `latest`.
    [[nodiscard]] Until not_after(std::chrono::steady_clock::time_point latest) const {
        return {stop, std::min(deadline.value_or(latest), latest)};
    }
};

namespace base {

/// Waits until `is_done` returns true, a stop is requested or it is `end`, and returns what `is_done` returns then. A
/// day at a time, since standard libraries may convert `end` to another clock, in which it may be out of range.
template <class Lock, class Predicate>
bool wait_until(condition_variable_any& condition, Lock& lock, const stop_token& stop,
                std::chrono::steady_clock::time_point end, Predicate is_done) {
    constexpr std::chrono::hours day(24);
    for (;;) {
        const auto now = std::chrono::steady_clock::now();
        const auto next = std::clamp(end, now, now + day);
        if (condition.wait_until(lock, stop, next, is_done)) return true;
        if (end <= next || stop.stop_requested()) return is_done();
    }
}

}  // namespace base

}  // namespace acta::inline ACTA_ABI
