// SPDX-License-Identifier: MIT
#include "example.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

TEST_CASE("describe prints values, errors and a schema as docs/describing.md shows them") {
    const example::Run run = example::run("describe");
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    const std::string expected = example::read_file(paths::source("tests/data/examples/describe.txt"));
    CHECK(run.out == expected);
    // The document shows the struct, its description and the errors.
    const std::string document = example::read_file(paths::source("docs/describing.md"));
    const std::string source = example::read_file(paths::source("examples/describe.cpp"));
    const std::size_t first = source.find("namespace shop");
    const std::size_t last = source.rfind("};", source.find("int main")) + 2;
    CHECK(document.find(source.substr(first, last - first)) != std::string::npos);
    const std::size_t errors = expected.find("4 validation errors");
    CHECK(document.find(expected.substr(errors, expected.find("\n\n/article") - errors)) != std::string::npos);
}
