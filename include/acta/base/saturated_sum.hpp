// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <limits>
#include <optional>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::base {

/// Adds tokens or microseconds. A sum out of range is the largest or smallest number.
[[nodiscard]] constexpr std::int64_t saturated_sum(std::int64_t a, std::int64_t b) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    if (b > 0 && a > Limits::max() - b) return Limits::max();
    if (b < 0 && a < Limits::min() - b) return Limits::min();
    return a + b;
}
/// The same for amounts that may be unknown; nothing if both are.
[[nodiscard]] constexpr std::optional<std::int64_t> saturated_sum(std::optional<std::int64_t> a,
                                                                  std::optional<std::int64_t> b) noexcept {
    if (!a || !b) return a ? a : b;
    return saturated_sum(*a, *b);
}

}  // namespace acta::inline ACTA_ABI::base
