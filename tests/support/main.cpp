// SPDX-License-Identifier: MIT
// Only for a Catch2 2 that comes without its ready-made main.
#define CATCH_CONFIG_MAIN
#include <catch2/catch.hpp>
