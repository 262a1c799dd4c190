// SPDX-License-Identifier: MIT
#include "example.hpp"
#include "support/catch.hpp"

TEST_CASE("A fork whose result was changed continues otherwise, and the run stays as it is") {
    const example::Run run = example::run("what_if");
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(run.out ==
          "It was 4 m deep: Done: open for the Marie.\n"
          "Had it been 2 m: Done: a tug for the Marie.\n"
          "The first difference: step 1: /results/0/outputs: expected 4, found 2\n");
}
