// SPDX-License-Identifier: MIT
#include "example.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

TEST_CASE("The quickstart prints what the README shows") {
    const example::Run run = example::run("quickstart");
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(run.out == example::read_file(paths::source("tests/data/examples/quickstart.txt")));
}

// A README that shows something else would be worse than none.
TEST_CASE("The README shows the quickstart and its output") {
    const std::string readme = example::read_file(paths::source("README.md"));
    if (readme.empty()) ACTA_SKIP("no README.md yet");
    const std::string source = example::read_file(paths::source("examples/quickstart.cpp"));
    CHECK(readme.find(source.substr(source.find("#include"))) != std::string::npos);
    const std::string output = example::read_file(paths::source("tests/data/examples/quickstart.txt"));
    CHECK(readme.find(output.substr(0, output.find("\n{"))) != std::string::npos);
}
