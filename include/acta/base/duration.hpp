// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstdint>
#include <limits>
#include <ratio>
#include <type_traits>
#include <utility>

#include "acta/base/utility.hpp"
#include "acta/version.hpp"

// Arithmetic on durations that programs choose, up to the largest and down to the smallest of their types. Conversions,
// comparisons and sums of <chrono> overflow there: `std::chrono::milliseconds::max()` in nanoseconds is -1 ms.
namespace acta::inline ACTA_ABI::base {

/// Returns a duration in another unit, rounded towards zero. One that is out of range is the largest or smallest of
/// `To`. Both are counted by integers of at most 64 bits.
template <class To, class Rep, class Period>
[[nodiscard]] constexpr To saturated_cast(std::chrono::duration<Rep, Period> time) noexcept {
    static_assert(std::is_integral_v<Rep> && std::is_integral_v<typename To::rep>);
    using Ratio = std::ratio_divide<Period, typename To::period>;
    using Limits = std::numeric_limits<std::int64_t>;
    if (std::cmp_greater(time.count(), Limits::max())) return To::max();
    auto count = static_cast<std::int64_t>(time.count());
    if (count > Limits::max() / Ratio::num) return To::max();
    if (count < Limits::min() / Ratio::num) return To::min();
    count = count * Ratio::num / Ratio::den;
    if (count > std::int64_t{To::max().count()}) return To::max();
    if (count < std::int64_t{To::min().count()}) return To::min();
    return To(static_cast<typename To::rep>(count));
}

/// Returns the sum of two durations in nanoseconds. One that is out of range is the largest or smallest duration.
[[nodiscard]] constexpr std::chrono::nanoseconds saturated_sum(std::chrono::nanoseconds a,
                                                               std::chrono::nanoseconds b) noexcept {
    return std::chrono::nanoseconds(saturated_sum(std::int64_t{a.count()}, std::int64_t{b.count()}));
}

/// Returns the moment that is `time` after `moment`. One that is out of range is the last or the first moment.
template <class Rep, class Period>
[[nodiscard]] constexpr std::chrono::steady_clock::time_point saturated_sum(
    std::chrono::steady_clock::time_point moment, std::chrono::duration<Rep, Period> time) noexcept {
    using Clock = std::chrono::steady_clock;
    const auto since = saturated_cast<std::chrono::nanoseconds>(moment.time_since_epoch());
    const auto sum = saturated_sum(since, saturated_cast<std::chrono::nanoseconds>(time));
    return Clock::time_point(saturated_cast<Clock::duration>(sum));
}

}  // namespace acta::inline ACTA_ABI::base

namespace acta::inline ACTA_ABI {

/// A time limit in options, which any duration of a whole number converts to. One that is out of range in nanoseconds,
/// such as `std::chrono::milliseconds::max()`, is the longest or shortest that there is, where `<chrono>` alone would
/// overflow.
class TimeLimit {
public:
    constexpr TimeLimit() = default;
    /// The limit of this duration.
    template <class Rep, class Period>
        requires std::is_integral_v<Rep>
    constexpr TimeLimit(std::chrono::duration<Rep, Period> time) noexcept  // NOLINT(google-explicit-constructor)
        : time_(base::saturated_cast<std::chrono::nanoseconds>(time)) {}

    /// Returns the duration.
    // NOLINTNEXTLINE(google-explicit-constructor)
    constexpr operator std::chrono::nanoseconds() const noexcept { return time_; }

    friend constexpr bool operator==(TimeLimit, TimeLimit) = default;

private:
    std::chrono::nanoseconds time_{0};
};

}  // namespace acta::inline ACTA_ABI
