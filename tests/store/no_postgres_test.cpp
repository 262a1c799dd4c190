// SPDX-License-Identifier: MIT
// Built instead of the tests of the store in PostgreSQL.
#include "support/catch.hpp"

TEST_CASE("the store in PostgreSQL keeps the promises of a store") { ACTA_SKIP("libpq is not there"); }
