// SPDX-License-Identifier: MIT
#include "support/sizes.hpp"

std::size_t test_size(std::size_t usual, std::size_t large) { return ACTA_TEST_LONG ? large : usual; }
