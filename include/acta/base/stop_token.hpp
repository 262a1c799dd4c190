// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <optional>
#include <version>

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

/// Returns the time point that is `time` from now, for `Until::deadline`.
[[nodiscard]] inline std::chrono::steady_clock::time_point deadline_in(std::chrono::steady_clock::duration time) {
    return std::chrono::steady_clock::now() + time;
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

}  // namespace acta::inline ACTA_ABI
