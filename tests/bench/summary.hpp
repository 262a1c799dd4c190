// SPDX-License-Identifier: MIT
#pragma once

namespace bench {

/// Measures every work in turn, `rounds` times over, and prints medians, ratios and memory next to what is wanted, as a
/// table. False where a demand is not met.
bool print_summary(int rounds);

/// For `--benchmark_...`: Google Benchmark's own figures of the same.
void register_works();

}  // namespace bench
