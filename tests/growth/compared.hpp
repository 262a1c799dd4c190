// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

namespace growth {

/// Returns how many comparisons of texts the process has made: calls of `memcmp` and `bcmp` by acta and this program.
std::size_t compared() noexcept;

}  // namespace growth
