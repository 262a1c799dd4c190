// SPDX-License-Identifier: MIT
#include "acta/skill/execute.hpp"

#include <algorithm>
#include <optional>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/skill/arguments_action.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

struct Place {
    std::string name{};
};
enum class Tide { low, high };

acta::SkillsDeclaration declare(const std::string& skills) {
    return acta::parse<acta::SkillsDeclaration>(R"({"skillapi": "1", "entities": {"A": {"skills": [)" + skills +
                                                "]}}}");
}

std::string skill(const std::string& name, const std::string& parameters, const std::string& answer = {}) {
    const std::string example =
        answer.empty() ? "" : R"({"ask": "it", "answer": )" + acta::dump(acta::Json(answer)) + "}";
    return R"({"name": ")" + name + R"(", "parameters": )" + parameters + R"(, "examples": [)" + example +
           R"(], "returns": {"type": "string"}})";
}

std::vector<std::string> findings(const std::string& skills, const acta::SkillRegistry& registry) {
    std::vector<std::string> out;
    for (const acta::SkillFinding& one : acta::check(declare(skills), registry)) {
        std::ostringstream text;
        text << one;
        out.push_back(text.str());
    }
    return out;
}

using Found = std::vector<std::string>;

}  // namespace

template <>
struct acta::Describe<Place> {
    static constexpr auto fields = acta::fields(acta::required("name", &Place::name));
};

template <>
struct acta::Describe<Tide> {
    static constexpr auto values = acta::values<Tide>({{"low", Tide::low}, {"high", Tide::high}});
};

TEST_CASE("each type that is declared is compared with each type that functions take") {
    acta::SkillRegistry skills;
    skills.add(
        "all", "",
        [](const std::string&, std::int64_t, double, bool, const acta::JsonArray&, const Place&, std::optional<int>,
           const std::variant<int, std::string>&, const std::optional<Place>&, Tide) {},
        "string", "integer", "number", "boolean", "array", "object", "integer or null", "integer or string",
        "object or null", "string of two");
    const std::vector<std::string> declared{"string", "integer", "number", "boolean", "array", "object"};
    for (const std::string& parameter : skills.at("all").parameter_names()) {
        for (const std::string& type : declared) {
            INFO(parameter << " declared as " << type);
            const bool fits = parameter.find(type) != std::string::npos || (parameter == "number" && type == "integer");
            const std::string first = parameter.substr(0, parameter.find(' '));
            const Found found =
                findings(skill("all", R"({")" + parameter + R"(": {"type": ")" + type + R"("}})"), skills);
            const std::string other =
                "A.all: '" + parameter + "' is declared as " + type + ", and the function takes " + first;
            CHECK(std::ranges::count(found, other) == (fits ? 0 : 1));
            // The others that are needed are not declared.
            const std::size_t needed = parameter.find("null") == std::string::npos ? 7 : 8;
            CHECK(found.size() == needed + (fits ? 0 : 1));
        }
    }
    acta::SkillRegistry none;
    none.add("nothing", "", [] {});
    CHECK(findings(skill("nothing", "{}"), none).empty());
}

TEST_CASE("a declaration is checked against the functions") {
    acta::SkillRegistry skills;
    skills.add(
        "search", "", [](std::string, int, std::optional<double>, acta::Json, Place) {}, "query",
        acta::param("limit", "", 1), "score", acta::param("any", "", acta::Json(1)), acta::param("place", "", Place{}));
    const std::string good = R"({"query": {"type": "str"}, "limit": {"type": "int"}, "score": {"type": "integer"},
        "any": {"type": "string"}, "place": {"type": "dict"}})";
    CHECK(findings(skill("search", good, "search('x', limit=2)"), skills).empty());
    CHECK(
        findings(skill("search", R"({"query": {"type": ""}, "limit": {"type": ""}, "place": {"type": "odd"}})"), skills)
            .empty());
    CHECK(findings(skill("serch", "{}"), skills) ==
          Found{"A.serch: there is no function of this name; did you mean 'search'?"});
    CHECK(findings(skill("search", R"({"query": {"type": "string"}, "page": {"type": "int"}})"), skills) ==
          Found{"A.search: the function has no parameter 'page'"});
    CHECK(findings(
              skill("search", R"({"limit": {"type": "string"}, "score": {"type": "array"}, "place": {"type": "int"}})"),
              skills) == Found{"A.search: 'limit' is declared as string, and the function takes integer",
                               "A.search: 'score' is declared as array, and the function takes number",
                               "A.search: 'place' is declared as integer, and the function takes object",
                               "A.search: the function needs the parameter 'query', which is not declared"});
}

TEST_CASE("examples of a declaration must be read and fit") {
    acta::SkillRegistry skills;
    skills.add(
        "search", "", [](std::string, int) {}, "query", acta::param("limit", "", 1));
    const std::string parameters = R"({"query": {"type": "string"}, "limit": {"type": "int"}})";
    const auto of = [&](const std::string& answer) { return findings(skill("search", parameters, answer), skills); };
    CHECK(of("search('x')").empty());
    CHECK(of("look('x')") == Found{"A.search: the example 'it' does not call the skill"});
    REQUIRE(of("search(x)").size() == 1);
    CHECK_THAT(of("search(x)")[0], starts_with_text("A.search: the example 'it' does not fit: 'x' is a name"));
    CHECK(of("search('x', 'many', 3)").size() == 1);
    CHECK_THAT(of("search('x', 'many')")[0], contains_text("limit: Input should be a valid integer"));
    CHECK_THAT(of("search('x', page=1)")[0], contains_text("page: there is no such parameter"));
    // Without a function they are read all the same.
    CHECK(findings(skill("other", "{}", "other(x)"), skills).size() == 2);
}

// A model may be cut off, or be asked to write something by somebody hostile.
TEST_CASE("hostile replies are errors, however long they are") {
    const std::size_t size = test_size(100'000, 1'000'000);
    const auto many = [size](const std::string& text) {
        std::string out;
        while (out.size() < size) out += text;
        return out;
    };
    acta::Skill search;
    search.name = "search";
    std::vector<std::string> replies{"search(query='cut",
                                     "{\"query\": \"cut",
                                     "search(query={\"a\": [",
                                     "```json\n{",
                                     std::string("search(\0)", 9),
                                     "search(query='\xff')",
                                     "\xff\xfe",
                                     "{\"\xff\": 1}"};
    for (const char* const text : {"(", "'", "\"", "\\", "9", "{", "}", "{}", "{x}", "{\"", "search(", "search('",
                                   "search({", "other(a=1) ", "search (a) ", "{\"a\":", "[{", "\n", "```"})
        replies.push_back(many(text));
    for (const std::string begin : {"search(query=", "{\"query\": ", "search(query='"}) {
        for (const char* const text : {"(", "[", "{", "'", "\\", "9", "-", "{\"a\":"})
            replies.push_back(begin + many(text));
    }
    for (const std::string& reply : replies) {
        INFO(reply.substr(0, 20));
        acta::AssistantChatMessage message;
        message.content = reply;
        for (const auto mode :
             {acta::ArgumentsMode::any, acta::ArgumentsMode::json, acta::ArgumentsMode::call_syntax}) {
            try {
                static_cast<void>(acta::read_reply(search, message, mode));
            } catch (const acta::Error& error) {
                CHECK(std::string_view(error.what()).size() < 2'000);
            }
        }
    }
}
