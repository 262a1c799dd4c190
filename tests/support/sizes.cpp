// SPDX-License-Identifier: MIT
#include "support/sizes.hpp"

#include <cstdlib>

std::size_t test_size(std::size_t usual, std::size_t large) {
    return std::getenv("ACTA_TEST_LONG") != nullptr ? large : usual;
}
