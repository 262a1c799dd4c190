// SPDX-License-Identifier: MIT
#include <fstream>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <vector>

#include "acta/describe/constraints.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/issues.hpp"
#include "support/paths.hpp"

// Scalars by pydantic's rules, lax and strict: data/json/scalars.json holds what pydantic 2.13 says of each text.
namespace {

template <class T>
struct Holder {
    T value{};
};

struct Color {
    std::string name{};
};

}  // namespace

template <class T>
struct acta::Describe<Holder<T>> {
    static std::string name() { return "Holder"; }
    static constexpr auto fields = acta::fields(acta::required("value", &Holder<T>::value));
};
template <>
struct acta::Describe<Color> {
    static constexpr auto fields =
        acta::fields(acta::required("value", &Color::name, "", acta::one_of("red", "green", "blue")));
};

namespace {

using acta::Json;

/// 1e22 and 1e+22 alike: older releases of pydantic write the one, newer ones the other.
std::string plain(const Json& value) {
    std::string text = value.dump();
    for (std::size_t at = text.find("e+"); at != std::string::npos; at = text.find("e+", at)) text.erase(at + 1, 1);
    return text;
}

/// What is written, or each issue as `pointer code`, like the rows of the table.
template <class Read>
Json outcome(const Json& messages, const Read& read) {
    try {
        return acta::dump(read());
    } catch (const acta::ValidationError& error) {
        Json issues = acta::JsonArray();
        for (const acta::Issue& issue : error.issues()) {
            issues.push_back(issue.pointer() + " " + issue.type);
            if (messages.contains(issue.type)) CHECK(issue.message == messages[issue.type].get<std::string>());
        }
        return issues;
    }
}

using Outcome = std::vector<Json> (*)(const Json& messages, const std::string& text, acta::Strictness strictness);

/// Through text, through a `Json`, and with white space.
template <class T>
std::vector<Json> all_roads(const Json& messages, const std::string& text, acta::Strictness strictness) {
    const std::string document = "{\"value\": " + text + "}";
    const acta::ParseOptions options{.strictness = strictness};
    std::vector<Json> out{outcome(messages, [&] { return acta::parse<T>(document, options); }),
                          outcome(messages, [&] { return acta::parse<T>("\n{\"value\":\t" + text + " } ", options); })};
    const Json value = Json::parse(document, nullptr, false);
    if (!value.is_discarded()) out.push_back(outcome(messages, [&] { return acta::validate<T>(value, options); }));
    return out;
}

const std::map<std::string, Outcome>& types() {
    static const std::map<std::string, Outcome> all{
        {"bool", &all_roads<Holder<bool>>},
        {"int", &all_roads<Holder<std::int64_t>>},
        {"float", &all_roads<Holder<double>>},
        {"str", &all_roads<Holder<std::string>>},
        {"list[int]", &all_roads<Holder<std::vector<int>>>},
        {"dict[str, int]", &all_roads<Holder<std::map<std::string, int>>>},
        {"tuple[int, str]", &all_roads<Holder<std::tuple<int, std::string>>>},
        {"optional[int]", &all_roads<Holder<std::optional<std::int64_t>>>},
        {"literal", &all_roads<Color>},
    };
    return all;
}

Json table() {
    std::ifstream file(paths::source("tests/data/json/scalars.json"), std::ios::binary);
    return Json::parse(file);
}

}  // namespace

TEST_CASE("scalars are read, refused and written as pydantic does") {
    const Json data = table();
    // A float that large is not an integer for acta, as neighbouring integers cannot be distinguished
    // (docs/reference/base.md, "Numbers").
    const std::string beyond = "123456789012345680.0";
    CHECK(data["rows"].size() > 1300);
    for (const Json& row : data["rows"]) {
        const auto type = row[0].get<std::string>();
        const auto text = row[1].get<std::string>();
        INFO(type << " of " << text);
        if (text == beyond && type.find("int") != std::string::npos) continue;
        for (const Json& out : types().at(type)(data["messages"], text, acta::Strictness::lax))
            CHECK(plain(out) == plain(row[2]));
        for (const Json& out : types().at(type)(data["messages"], text, acta::Strictness::strict))
            CHECK(plain(out) == plain(row[3]));
    }
}

TEST_CASE("underscores of a float follow pydantic, which then takes no white space around it") {
    CHECK(acta::parse<double>("\"1_0.5\"") == 10.5);
    CHECK(acta::parse<double>("\"1_.5\"") == 1.5);
    CHECK(acta::parse<double>("\"1e_5\"") == 1e5);
    CHECK(acta::parse<double>("\" 1.5\\n\"") == 1.5);
    for (const char* text : {"\" 1_0\"", "\"1_0\\n\"", "\"1__0\"", "\"_1\"", "\"1_\"", "\"_\""}) {
        INFO(text);
        CHECK(faults<double>(text) == Faults{" float_parsing"});
    }
    CHECK(acta::parse<int>("\" 1_0\\n\"") == 10);
    CHECK(acta::parse<int>("\"-1_2_3.0\"") == -123);
    for (const char* text : {"\"1_\"", "\"_1\"", "\"1__0\"", "\"+_1\"", "\"1_.0\"", "\"1_a\"", "\"a_1\"", "\"1.\"",
                             "\"1.01\"", "\"\"", "\"+\""}) {
        INFO(text);
        CHECK(faults<int>(text) == Faults{" int_parsing"});
    }
}
