// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// Returns the size of a test's input: `large` if the environment has ACTA_TEST_LONG, else `usual`, with which no test
/// takes more than two seconds.
[[nodiscard]] std::size_t test_size(std::size_t usual, std::size_t large);
