// SPDX-License-Identifier: MIT
#include "example.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

TEST_CASE("The example of skills prints what it is to show") {
    const example::Run run = example::run("skills");
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(run.out == example::read_file(paths::source("tests/data/examples/skills.txt")));
}
