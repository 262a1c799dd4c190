// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

/// Returns the size of a test's input: `usual` in most builds, where no test takes more than two seconds, and `large`
/// in those with the CMake option ACTA_TEST_LONG.
[[nodiscard]] std::size_t test_size(std::size_t usual, std::size_t large);
