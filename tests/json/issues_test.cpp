// SPDX-License-Identifier: MIT
#include <map>
#include <string>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/json/detail/text_reader.hpp"
#include "acta/json/json.hpp"
#include "support/bounds.hpp"
#include "support/issues.hpp"

namespace {

struct Agent {
    std::string name{};
    int age = 0;
    std::vector<double> scores{};
};

}  // namespace

template <>
struct acta::Describe<Agent> {
    static constexpr auto fields =
        acta::fields(acta::required("name", &Agent::name), acta::required("age", &Agent::age),
                     acta::defaulted("scores", &Agent::scores));
};

TEST_CASE("an error reads like pydantic's") {
    const std::string text = "{\n  \"age\": \"old\",\n  \"scores\": [1, null]\n}";
    try {
        static_cast<void>(acta::parse<Agent>(text));
        FAIL("was read");
    } catch (const acta::ValidationError& error) {
        CHECK(error.title() == "Agent");
        CHECK_FALSE(error.truncated());
        CHECK(std::string(error.what()) ==
              "3 validation errors for Agent\n"
              "name\n"
              "  Field required [type=missing, input={ \"age\": \"old\", \"scores\": [1, null] }, line 1 column 1]\n"
              "age\n"
              "  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, "
              "input=\"old\", line 2 column 10]\n"
              "scores.1\n"
              "  Input should be a valid number [type=float_type, input=null, line 3 column 17]");
    }
    try {
        static_cast<void>(acta::validate<Agent>(acta::Json::parse(R"({"name": 1, "age": 2})")));
        FAIL("was read");
    } catch (const acta::Error& error) {
        CHECK(std::string(error.what()) ==
              "1 validation error for Agent\nname\n  Input should be a valid string [type=string_type, input=1]");
    }
}

TEST_CASE("an error has two lines for each issue, whatever the document contains") {
    using Map = std::map<std::string, Agent>;
    const auto text_of = [](const std::string& text) -> std::string {
        try {
            static_cast<void>(acta::parse<Map>(text));
            return "was read";
        } catch (const acta::ValidationError& error) {
            return error.what();
        }
    };
    CHECK(text_of("{\"a\\nb\": {\"name\": [\r\n\t1,\n\n  2], \"age\": \"1\\n2\"}, \"c\\u2028\": 1}") ==
          "3 validation errors for dict[str, Agent]\n"
          "a b.name\n"
          "  Input should be a valid string [type=string_type, input=[ 1, 2], line 1 column 19]\n"
          "a b.age\n"
          "  Input should be a valid integer, unable to parse string as an integer [type=int_parsing, "
          "input=\"1\\n2\", line 4 column 14]\n"
          "c \n"
          "  Input should be an object [type=model_type, input=1, line 4 column 34]");
    const acta::ValidationError own("A\nB", {{{}, "value_error", "Value error, one\r\ntwo", "[1,\n"}});
    CHECK(std::string(own.what()) ==
          "1 validation error for A B\n  Value error, one  two [type=value_error, input=[1, ]");
    CHECK(own.issues()[0].message == "Value error, one\r\ntwo");
}

TEST_CASE("places count lines and code points") {
    const std::string text = "{\"name\": \"\u4eac\U0001F680\u00e9\", \"age\": [],\r\n\t\"scores\": [\"x\"]}";
    const auto issues = issues_of<Agent>(text);
    REQUIRE(issues.size() == 2);
    CHECK(issues[0].line == 1);
    CHECK(issues[0].column == 24);
    CHECK(issues[1].line == 2);
    CHECK(issues[1].column == 13);
}

TEST_CASE("a pointer escapes what pointers escape") {
    using Maps = std::map<std::string, std::map<std::string, int>>;
    const auto issues = issues_of<Maps>(R"({"a/b~c":{"":"x"}, "\n":{"0":"y"}})");
    REQUIRE(issues.size() == 2);
    CHECK(issues[0].pointer() == "/a~1b~0c/");
    CHECK(issues[1].pointer() == "/\n/0");
    CHECK(issues[0].loc == std::vector<acta::LocElement>{std::string("a/b~c"), std::string()});
    CHECK(acta::Issue{}.pointer().empty());
}

TEST_CASE("an excerpt is the start of the value, cut on a code point") {
    std::string text = "{\"name\":[";
    for (int i = 0; i < 50; ++i) text += "\"\u4eac\",";
    text += "1],\"age\":1}";
    const auto long_one = issues_of<Agent>(text);
    REQUIRE(long_one.size() == 1);
    CHECK(long_one[0].input.size() <= 103);
    CHECK(long_one[0].input.size() > 90);
    CHECK_THAT(long_one[0].input, starts_with_text("[\"\u4eac\","));
    CHECK_THAT(long_one[0].input, ends_with_text("..."));
    CHECK(acta::utf8::is_valid(long_one[0].input));
    below_at_above("excerpt of a refused value", 100, [](std::size_t bytes) {
        const std::string value = '"' + std::string(bytes - 2, 'x') + '"';
        return issues_of<int>(value)[0].input == value;
    });
    CHECK(issues_of<Agent>(R"({"name":{"a":[1, 2]},"age":1})")[0].input == R"({"a":[1, 2]})");
    CHECK(issues_of<Agent>(R"({"name":1.50,"age":1})")[0].input == "1.50");
    try {
        static_cast<void>(acta::validate<Agent>(acta::Json::parse(text)));
        FAIL("was read");
    } catch (const acta::ValidationError& error) {
        CHECK(error.issues()[0].input.size() <= 103);
        CHECK(acta::utf8::is_valid(error.issues()[0].input));
        CHECK(error.issues()[0].line == 0);
    }
    // Of a value the excerpt is written until it is long enough, wherever in the value that is.
    const auto excerpt = [](std::size_t bytes) {
        const acta::Json value{std::string(bytes, 'x'), 1, {{"k", {2, "y"}}}, "z"};
        try {
            static_cast<void>(acta::validate<int>(value));
        } catch (const acta::ValidationError& error) {
            return error.issues()[0].input;
        }
        return std::string();
    };
    const std::string shortest = excerpt(0);
    for (std::size_t bytes = 0; bytes < 120; ++bytes) {
        const std::string whole = "[\"" + std::string(bytes, 'x') + shortest.substr(2);
        CHECK(excerpt(bytes) == (whole.size() <= 100 ? whole : whole.substr(0, 100) + "..."));
    }
}

TEST_CASE("the warnings of one reading are bounded") {
    below_at_above("warnings of one reading", 100, [](std::size_t count) {
        std::string text;
        for (std::size_t i = 0; i < count; ++i) text += (i == 0 ? "" : ",") + std::string(R"({"cursor":5})");
        std::vector<acta::Issue> warnings;
        static_cast<void>(
            acta::parse<std::vector<acta::EpisodicActionHistory<>>>("[" + text + "]", {.warnings = &warnings}));
        return warnings.size() == count;  // each cursor is repaired
    });
}

TEST_CASE("reading stops at the limit of issues and says so") {
    std::string text = "[0";
    for (int i = 0; i < 300; ++i) text += ",\"x\"";
    text += "]";
    for (const std::size_t limit : {1U, 7U, 100U}) {
        try {
            static_cast<void>(acta::parse<std::vector<int>>(text, {.max_issues = limit}));
            FAIL("was read");
        } catch (const acta::ValidationError& error) {
            CHECK(error.issues().size() == limit);
            CHECK(error.truncated());
            CHECK(error.issues().back().pointer() == "/" + std::to_string(limit));
            CHECK_THAT(error.what(), ends_with_text("(reading stopped here: the limit of issues was reached)"));
        }
    }
    below_at_above("issues of one reading", 100, [](std::size_t count) {
        std::string wrong = "[0";
        for (std::size_t i = 0; i < count; ++i) wrong += ",\"x\"";
        return issues_of<std::vector<int>>(wrong + "]").size() == count;
    });
    CHECK(issues_of<std::vector<int>>(text).size() == 100);
    CHECK(issues_of<std::vector<int>>(text, {.max_issues = 1000}).size() == 300);
    CHECK(issues_of<std::vector<int>>(text, {.max_issues = 0}).size() == 1);
    CHECK(issues_of<std::map<std::string, Agent>>(R"({"a":{},"b":{},"c":{}})", {.max_issues = 3}).size() == 3);
}

TEST_CASE("of the numbers that no value can hold as many are kept as are reported") {
    std::string text = "[";
    for (int i = 0; i < 300; ++i) text += (i == 0 ? "" : ",") + std::string("99999999999999999999");
    text += "]";

    acta::json_detail::JsonTextReader reader(text, 128);
    acta::Json value;
    acta::json_detail::ValueFaults faults{.limit = 3};
    reader.read_json(value, faults);
    CHECK(faults.issues.size() == 3);
    CHECK(faults.places.size() == 3);
    CHECK(value.size() == 300);

    for (const std::size_t limit : {0U, 1U}) CHECK(issues_of<acta::Json>(text, {.max_issues = limit}).size() == 1);
    const auto issues = issues_of<acta::Json>(text, {.max_issues = 7});
    REQUIRE(issues.size() == 7);
    CHECK(issues[6].pointer() == "/6");
    CHECK(issues[6].type == "int_parsing_size");
    CHECK(issues[6].column == 2 + 6 * 21);
}

TEST_CASE("a document that breaks off after issues is not JSON, whatever else") {
    const auto issues = issues_of<std::vector<int>>("[\"x\", \"y\"");
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].type == "json_invalid");
}

TEST_CASE("the title of an error is the name of the type") {
    const auto title = [](const auto& read) -> std::string {
        try {
            read();
        } catch (const acta::ValidationError& error) {
            return error.title();
        }
        return "was read";
    };
    CHECK(title([] { static_cast<void>(acta::parse<std::vector<int>>("1")); }) == "list[int]");
    CHECK(title([] { static_cast<void>(acta::parse<std::map<std::string, Agent>>("1")); }) == "dict[str, Agent]");
    CHECK(title([] { static_cast<void>(acta::parse<std::optional<Agent>>("1")); }) == "Optional[Agent]");
    CHECK(title([] { static_cast<void>(acta::parse<std::string>("1")); }) == "str");
}
