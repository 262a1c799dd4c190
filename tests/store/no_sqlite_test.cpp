// SPDX-License-Identifier: MIT
// Built instead of the tests of the store in SQLite.
#include "support/catch.hpp"

TEST_CASE("the store in SQLite keeps the promises of a store") { ACTA_SKIP("SQLite 3.37 is not there"); }
