// SPDX-License-Identifier: MIT
#pragma once

namespace bench {

/// Measures every work in turn, `rounds` times over, and prints medians, ratios and memory next to
/// what is wanted. False where a demand is not met.
bool print_summary(int rounds);

/// Time and memory per byte of inputs of growing size, next to one another. False where reading such an
/// input fails to end as it should, or is not linear beyond all doubt that caches leave.
bool print_growth(int rounds);

}  // namespace bench
