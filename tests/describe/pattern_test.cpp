// SPDX-License-Identifier: MIT
#include "acta/describe/pattern.hpp"

#include <algorithm>
#include <string>

#include "acta/acta.hpp"
#include "acta/describe/describe.hpp"
#include "support/catch.hpp"
#include "support/issues.hpp"

namespace {

struct Code {
    std::string code{};
};
struct Evil {
    std::string text{};
};
struct Broken {
    std::string text{};
};
struct Sugar {
    std::string query{};
    int limit = 10;
    bool deep = false;
};
struct OnlyDefaults {
    int a = 1;
};

}  // namespace

template <>
struct acta::Describe<Code> {
    static constexpr auto fields =
        acta::fields(acta::required("code", &Code::code, "A code.", acta::pattern("^[A-Z]{2}-[0-9]+$")));
};
template <>
struct acta::Describe<Evil> {
    static constexpr auto fields = acta::fields(acta::required("text", &Evil::text, "", acta::pattern("^(a+)+$")));
};
template <>
struct acta::Describe<Broken> {
    static constexpr auto fields = acta::fields(acta::required("text", &Broken::text, "", acta::pattern("(")));
};
ACTA_DESCRIBE(Sugar, (query), (limit, deep));
ACTA_DESCRIBE(OnlyDefaults, (), (a));

TEST_CASE("a pattern is checked on reading and shown in the schema") {
    CHECK(acta::parse<Code>(R"({"code":"AB-17"})").code == "AB-17");
    try {
        static_cast<void>(acta::parse<Code>(R"({"code":"AB-17x"})"));
        FAIL("accepted");
    } catch (const acta::ValidationError& error) {
        REQUIRE(error.issues().size() == 1);
        CHECK(error.issues()[0].type == "string_pattern_mismatch");
        CHECK(error.issues()[0].message == "String should match pattern '^[A-Z]{2}-[0-9]+$'");
    }
    CHECK(acta::schema<Code>()["properties"]["code"]["pattern"] == "^[A-Z]{2}-[0-9]+$");
}

TEST_CASE("a pattern with exponentially many ways and a long text neither hangs nor overflows the stack") {
    const std::string text(std::min<std::size_t>(20'000, acta::describe_detail::max_pattern_text - 1), 'a');
    CHECK(acta::parse<Evil>("{\"text\":\"" + text + "\"}").text == text);
    CHECK_THROWS_AS(acta::parse<Evil>("{\"text\":\"" + text + "b\"}"), acta::ValidationError);
    const auto issues =
        issues_of<Evil>("{\"text\":\"" + std::string(acta::describe_detail::max_pattern_text + 1, 'a') + "\"}");
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].type == "string_too_long");
    CHECK_THAT(issues[0].message,
               contains_text("at most " + std::to_string(acta::describe_detail::max_pattern_text) + " bytes"));
}

TEST_CASE("a pattern that is not a regular expression is reported") {
    CHECK_THROWS_AS(acta::parse<Broken>(R"({"text":"x"})"), acta::SchemaError);
}

TEST_CASE("the macro describes required and defaulted members by their names") {
    CHECK(acta::dump(acta::parse<Sugar>(R"({"query":"x","deep":true})")) == R"({"query":"x","limit":10,"deep":true})");
    CHECK_THROWS_AS(acta::parse<Sugar>("{}"), acta::ValidationError);
    CHECK(acta::dump(acta::parse<OnlyDefaults>("{}")) == R"({"a":1})");
}
