// SPDX-License-Identifier: MIT
#include "example.hpp"
#include "support/catch.hpp"

TEST_CASE("The team answers with a typed report, after its agents were asked") {
    const example::Run run = example::run("team");
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK_THAT(run.out, contains_text("High water in Brest is at 12:15."));
    CHECK_THAT(run.out, contains_text("answered after 4 requests"));
    CHECK_THAT(run.out, contains_text("Brest, 12:15: Leave by 12:15, before the lock closes."));
}
