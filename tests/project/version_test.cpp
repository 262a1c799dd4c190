// SPDX-License-Identifier: MIT
#include <acta/version.hpp>
#include <filesystem>
#include <stdexcept>
#include <string>
#include <string_view>

#include "support/catch.hpp"
#include "support/paths.hpp"

TEST_CASE("The version is the same as text and as macros") {
    const std::string macros = std::to_string(ACTA_VERSION_MAJOR) + "." + std::to_string(ACTA_VERSION_MINOR) + "." +
                               std::to_string(ACTA_VERSION_PATCH);
    CHECK(acta::version == macros);
}

TEST_CASE("The test support works with this Catch2") {
    CHECK(std::filesystem::exists(paths::source("include/acta/version.hpp")));
    CHECK(1.0 / 3 == Approx(0.333333333));
    CHECK_THAT(std::string("one two"), contains_text("e t") && starts_with_text("one") && ends_with_text("two"));
    CHECK_THROWS_AS(throw std::runtime_error("x"), std::exception);
    const int n = GENERATE(1, 2, 3);
    CHECK(n > 0);
}

TEST_CASE("A test that needs pydantic, is skipped without it (a, [b])") {
    if (paths::python().empty()) ACTA_SKIP("no python3 here");
    SUCCEED();
}
