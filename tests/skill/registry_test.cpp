// SPDX-License-Identifier: MIT
#include "acta/skill/registry.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/json/timestamp.hpp"

#include <future>
#include <map>
#include <memory>
#include <optional>
#include <set>
#include <string>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "acta/skill/arguments_action.hpp"
#include "acta/skill/execute.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

namespace skill_test {

struct Search {
    std::string query{};
    int limit = 3;
};
enum class Color { red, green };

}  // namespace skill_test

template <>
struct acta::Describe<skill_test::Search> {
    static constexpr auto fields =
        acta::fields(acta::required("query", &skill_test::Search::query, "What to look for."),
                     acta::defaulted("limit", &skill_test::Search::limit, "How many.", acta::range(1, 5)));
};
template <>
struct acta::Describe<skill_test::Color> {
    static constexpr auto values =
        acta::values<skill_test::Color>({{"red", skill_test::Color::red}, {"green", skill_test::Color::green}});
};

namespace {

using acta::JsonObject;
using acta::param;
using acta::SkillRegistry;
using skill_test::Color;
using skill_test::Search;

std::string search(const std::string& query, int limit) { return query + " " + std::to_string(limit); }
int twice(int n) noexcept { return 2 * n; }

struct Counter {
    int n = 0;
    int add(int by) { return n += by; }
    [[nodiscard]] int get() const noexcept { return n; }
};

/// A callable that cannot be copied.
struct Owner {
    std::unique_ptr<int> value = std::make_unique<int>(7);
    int operator()(int by) const { return *value * by; }
};

std::string run(const SkillRegistry& registry, std::string_view name, JsonObject arguments = {}) {
    return to_string(registry.call(name, std::move(arguments)));
}

std::string refused(const SkillRegistry& registry, std::string_view name, JsonObject arguments) {
    const acta::ActionResult result = registry.call(name, std::move(arguments));
    const auto& error = std::get<acta::ActionErrorResult>(result);
    CHECK(error.error->exception_type == "InvalidArguments");
    const std::string start = "the arguments of " + std::string(name) + " do not fit: ";
    CHECK_THAT(error.reason, starts_with_text(start));
    return error.reason.substr(std::min(start.size(), error.reason.size()));
}

}  // namespace

TEST_CASE("functions of every kind are called") {
    SkillRegistry skills;
    Counter counter;
    skills.add("search", "", search, "query", param("limit", "", 10));
    skills.add("twice", "", &twice, "n");
    skills.add("owner", "", Owner(), "by");
    skills.add("record", "", [](const Search& s) { return s.query + std::to_string(s.limit); });
    skills.add("record_moved", "", [](Search&& s) { return std::move(s.query); });
    skills.add(
        "named_record", "", [](Search s, int n) { return s.limit + n; }, "what", "n");
    skills.add(
        "add", "", [&counter](int by) { return counter.add(by); }, "by");
    skills.add("kept", "", [kept = std::make_shared<Counter>(Counter{5})] { return kept->get(); });
    skills.add("function", "", std::function<int(int)>(&twice), "n");
    CHECK(run(skills, "search", {{"query", "tides"}}) == "tides 10");
    CHECK(run(skills, "search", {{"limit", 2}, {"query", "tides"}}) == "tides 2");
    CHECK(run(skills, "twice", {{"n", 4}}) == "8");
    CHECK(run(skills, "owner", {{"by", 3}}) == "21");
    CHECK(run(skills, "record", {{"query", "tides"}}) == "tides3");
    CHECK(run(skills, "record_moved", {{"query", "tides"}}) == "tides");
    CHECK(run(skills, "named_record", {{"what", {{"query", "x"}}}, {"n", 1}}) == "4");
    CHECK(run(skills, "add", {{"by", 3}}) == "3");
    CHECK(run(skills, "kept") == "5");
    CHECK(run(skills, "function", {{"n", 1}}) == "2");
    CHECK(counter.n == 3);
}

TEST_CASE("arguments of every type reach the function") {
    SkillRegistry skills;
    skills.add(
        "all", "",
        [](std::string_view text, std::span<const int> list, std::optional<double> maybe, Color color,
           const std::vector<bool>& flags, acta::Json any, JsonObject object) {
            return std::tuple<std::string, std::size_t, bool, Color, std::size_t, acta::Json, JsonObject>(
                std::string(text), list.size(), maybe.has_value(), color, flags.size(), std::move(any),
                std::move(object));
        },
        "text", "list", "maybe", param("color", "", Color::green), param("flags", "", std::vector<bool>{true}),
        param("any", "", acta::Json(1)), param("object", "", JsonObject{}));
    CHECK(run(skills, "all", {{"text", "a"}, {"list", {1, "2"}}}) == "['a', 2, False, 'green', 1, 1, {}]");
    CHECK(run(skills, "all",
              {{"text", "a"},
               {"list", acta::JsonArray()},
               {"maybe", "0.5"},
               {"color", "red"},
               {"flags", {1, 0}},
               {"any", "x"},
               {"object", {{"k", 1}}}}) == "['a', 0, True, 'red', 2, 'x', {'k': 1}]");
}

TEST_CASE("results of every type come back") {
    SkillRegistry skills;
    skills.add("nothing", "", [] {});
    skills.add("text", "", [] { return "x"; });
    skills.add("view", "", [] { return std::string_view("x"); });
    skills.add("json", "", [] { return acta::Json(1.5); });
    skills.add("list", "", [] { return std::vector<int>{1, 2}; });
    skills.add("enum", "", [] { return Color::red; });
    skills.add("empty", "", []() -> std::optional<int> { return std::nullopt; });
    skills.add("record", "", [] { return Search{"q", 1}; });
    skills.add("success", "", [] { return acta::ActionSuccessResult{.outputs = 3}; });
    skills.add("error", "", [] { return acta::ActionErrorResult{.reason = "no"}; });
    skills.add("result", "", []() -> acta::ActionResult { return acta::ActionInterruptedByHuman{"stop"}; });
    skills.add(
        "future", "", [](int n) { return std::async(std::launch::deferred, [n] { return n + 1; }); }, "n");
    skills.add("no_future", "", [] { return std::async(std::launch::async, [] {}); });
    skills.add("bad_future", "",
               [] { return std::async(std::launch::async, []() -> int { throw std::out_of_range("later"); }); });
    const std::vector<std::string> names = skills.names();
    std::vector<std::string> results;
    for (const std::string& name : names) {
        if (name != "future") results.push_back(run(skills, name));
    }
    CHECK(results == std::vector<std::string>{"None", "x", "x", "1.5", "[1, 2]", "red", "None",
                                              "{'query': 'q', 'limit': 1}", "3", "Action failed: 'no'",
                                              "The user interrupted the action with the following feedback: \"stop\"",
                                              "None", "Action failed: 'later'"});
    CHECK(run(skills, "future", {{"n", 1}}) == "2");
}

TEST_CASE("the schema of the outputs follows from the type that a function returns") {
    const auto schema_of = [](auto function) {
        SkillRegistry skills;
        skills.add("f", "", std::move(function));
        const std::optional<acta::Json> schema = skills.at("f").result_schema();
        return schema ? acta::dump(*schema) : std::string("none");
    };
    CHECK(schema_of([] { return 7; }) == R"({"type":"integer"})");
    CHECK(schema_of([] { return true; }) == R"({"type":"boolean"})");
    CHECK(schema_of([] { return 1.5; }) == R"({"type":"number"})");
    CHECK(schema_of([] { return std::vector<std::string>{}; }) == R"({"items":{"type":"string"},"type":"array"})");
    CHECK(schema_of([] { return std::map<std::string, int>{}; }) ==
          R"({"additionalProperties":{"type":"integer"},"type":"object"})");
    CHECK(schema_of([] { return JsonObject{}; }) == R"({"additionalProperties":true,"type":"object"})");
    CHECK(schema_of([] { return std::make_pair(1, 2.5); }).find(R"("prefixItems")") != std::string::npos);
    CHECK(schema_of([] { return Search{}; }) == acta::dump(acta::schema<Search>()));
    CHECK(schema_of([](acta::SkillContext&) { return std::async(std::launch::deferred, [] { return 7; }); }) ==
          R"({"type":"integer"})");
    // What may be a text, null or anything has none, and neither has a result.
    CHECK(schema_of([] { return std::string(); }) == "none");
    CHECK(schema_of([] { return "text"; }) == "none");
    CHECK(schema_of([] { return Color{}; }) == "none");
    CHECK(schema_of([] { return std::optional<int>(); }) == "none");
    CHECK(schema_of([] { return std::variant<int, bool>(); }) == "none");
    CHECK(schema_of([] { return acta::Json(); }) == "none");
    CHECK(schema_of([] {}) == "none");
    CHECK(schema_of([] { return acta::ActionErrorResult{}; }) == "none");
    CHECK(schema_of([] { return acta::ActionResult{}; }) == "none");
    SkillRegistry at_run_time;
    at_run_time.add({"f"}, [](const JsonObject&, acta::SkillContext&) { return acta::ActionResult(); });
    CHECK_FALSE(at_run_time.at("f").result_schema());
}

TEST_CASE("results can always be kept") {
    SkillRegistry skills;
    skills.add("bytes", "", [] {
        return std::string(
            "a\xff"
            "b");
    });
    skills.add("keys", "", [] { return std::map<std::string, std::string>{{"k\xff", "v\xfe"}}; });
    skills.add("error", "", [] { return acta::ActionErrorResult{.reason = "\xff"}; });
    skills.add("throws", "", []() -> int { throw std::runtime_error("\xff"); });
    for (const std::string& name : skills.names()) {
        const std::string text = acta::dump(skills.call(name, {}));
        CHECK_THAT(text, contains_text("\xEF\xBF\xBD"));
    }
}

TEST_CASE("the schema of the parameters follows from the registration") {
    SkillRegistry skills;
    skills.add("search", "Looks.", search, param("query", "What to look for.", acta::non_empty),
               param("limit", "How many.", 10, acta::range(1, 50)));
    skills.add("record", "", [](const Search&, acta::SkillContext&) {});
    skills.add(
        "odd", "", [](std::optional<int>, Color) {}, param("a", "", acta::at_least(1)),
        param("b", "", Color::red, acta::deprecated));
    skills.add("none", "", [](const acta::SkillContext&) {});
    const std::vector<acta::ToolDefinition> tools = acta::tools(skills);
    REQUIRE(tools.size() == 4);
    CHECK(tools[0].description == "Looks.");
    CHECK(tools[0].parameters == acta::Json::parse(R"({"properties":
        {"query": {"type": "string", "description": "What to look for.", "title": "Query", "minLength": 1},
         "limit": {"type": "integer", "description": "How many.", "title": "Limit", "maximum": 50, "minimum": 1,
                   "default": 10}}, "required": ["query"], "title": "search", "type": "object"})"));
    CHECK(tools[1].parameters == acta::schema<Search>());
    CHECK(tools[2].parameters["properties"]["a"]["anyOf"][0].dump() == R"({"type":"integer","minimum":1})");
    CHECK(tools[2].parameters["properties"]["a"]["default"].is_null());
    CHECK(tools[2].parameters["properties"]["b"].dump() ==
          R"({"$ref":"#/$defs/Color","deprecated":true,"default":"red"})");
    CHECK(tools[2].parameters["$defs"].contains("Color"));
    CHECK(!tools[2].parameters.contains("required"));
    CHECK(tools[3].parameters.dump() == R"({"properties":{},"title":"none","type":"object"})");
}

TEST_CASE("a hidden parameter is not offered, and may be given") {
    SkillRegistry skills;
    skills.add("search", "", search, "query", param("limit", "How many.", 10, acta::hidden));
    CHECK(acta::tools(skills)[0].parameters["properties"].size() == 1);
    CHECK(run(skills, "search", {{"query", "tides"}, {"limit", 3}}) == "tides 3");
}

TEST_CASE("what a parameter has without an argument is not null in a strict schema") {
    SkillRegistry skills;
    skills.add(
        "search", "", [](const std::string&, std::optional<int>) {}, "query", param("limit", "How many.", 10));
    CHECK(skills.at("search").schema({.dialect = acta::SchemaDialect::openai_strict})["properties"].dump() ==
          R"~({"query":{"type":"string","title":"Query"},"limit":{"anyOf":[{"type":"integer"},{"type":"null"}],)~"
          R"~("title":"Limit","description":"How many. (default: 10)"}})~");
}

TEST_CASE("arguments that do not fit are said, all at once, by parameter") {
    SkillRegistry skills;
    skills.add("search", "", search, "query", param("limit", "", 10, acta::range(1, 50)));
    skills.add("record", "", [](const Search&) {});
    CHECK(refused(skills, "search", {}) == "query: Field required");
    CHECK(refused(skills, "search", {{"qeury", "x"}, {"limit", "many"}}) ==
          "query: Field required; limit: Input should be a valid integer, unable to parse string as an integer (it is "
          "\"many\"); qeury: there is no such parameter; did you mean 'query'?");
    CHECK(refused(skills, "search", {{"query", "x"}, {"limit", 51}}) ==
          "limit: Input should be less than or equal to 50 (it is 51)");
    CHECK(refused(skills, "record", {{"query", "x"}, {"limit", 0}}) ==
          "limit: Input should be greater than or equal to 1 (it is 0)");
    CHECK(run(skills, "search", {{"query", "x"}, {"limit", "3.0"}}) == "x 3");
    skills.add(
        "list", "", [](int, int) {}, "limit", "limits");
    CHECK(refused(skills, "list", {{"limit", 1}, {"limits", 1}, {"limitt", 1}}) ==
          "limitt: there is no such parameter; did you mean 'limit'?");
    try {
        skills.check_arguments("search", {{"query", 1}});
        FAIL("taken");
    } catch (const acta::InvalidArguments& error) {
        REQUIRE(error.issues().size() == 1);
        CHECK(error.issues()[0].pointer() == "/query");
        CHECK(error.issues()[0].type == "string_type");
    }
    const JsonObject invented{{"query", "x"}, {"invented", 1}};
    CHECK(is_success(skills.call("search", invented, {.unknown_arguments = acta::UnknownKeys::ignore})));
    acta::Json deep = 1;
    for (int i = 0; i < 1000; ++i) deep = acta::Json::array({std::move(deep)});
    CHECK_THAT(refused(skills, "search", {{"query", deep}}), contains_text("nested at most 100 levels deep"));
}

TEST_CASE("unknown names are errors that name near ones") {
    SkillRegistry skills;
    for (const char* name : {"web_search", "search", "read_file", "list_files"}) skills.add(name, "", [] {});
    const auto reason = [&](const std::string& name) {
        const acta::ActionResult result = skills.call(name, {});
        const auto& error = std::get<acta::ActionErrorResult>(result);
        CHECK(error.error->exception_type == "SkillNotFound");
        return error.reason;
    };
    CHECK(reason("serach") == "serach not found; did you mean 'search'?");
    CHECK(reason("readFile") == "readFile not found; did you mean 'read_file'?");
    CHECK(reason("functions.search") == "functions.search not found; did you mean 'search'?");
    CHECK(reason("dance") == "dance not found");
    CHECK(reason("") == " not found");
    below_at_above("unknown name in the error of a call", 200, [&](std::size_t size) {
        const std::string name(size, 's');
        return reason(name) == name + " not found";
    });
    CHECK(skills.closest_names("WEB-SEARCH").front() == "web_search");
    CHECK_THROWS_AS(skills.at("dance"), acta::SkillNotFound);
    CHECK(skills.find("dance") == nullptr);
    CHECK(skills.at("search").name() == "search");
}

TEST_CASE("names are listed in the order added, and none is taken twice") {
    SkillRegistry skills;
    CHECK(skills.empty());
    skills.add("b", "", [] {})
        .add("a", "", [] {})
        .add(
            "c", "", [](int) {}, "n");
    CHECK(skills.names() == std::vector<std::string>{"b", "a", "c"});
    CHECK_THROWS_AS(skills.add("a", "", [] {}), acta::SkillError);
    CHECK_THROWS_AS(skills.add("", "", [] {}), acta::SkillError);
    CHECK_THROWS_AS(skills.add(
                        "d", "", [](int) {}, ""),
                    acta::SkillError);
    CHECK_THROWS_AS(skills.add(
                        "d", "", [](int, int) {}, "n", "n"),
                    acta::SkillError);
    CHECK(skills.size() == 3);
    // Copies share the functions and are apart otherwise.
    SkillRegistry copy = skills;
    copy.add("d", "", [] {});
    skills = SkillRegistry();
    CHECK(copy.names() == std::vector<std::string>{"b", "a", "c", "d"});
    CHECK(copy.contains("c"));
    CHECK(is_success(copy.call("c", {{"n", 1}})));
}

TEST_CASE("extra options are merged, arguments win, and what the function does not take is ignored") {
    SkillRegistry skills;
    skills.add("search", "", search, "query", param("limit", "", 10));
    acta::SkillRunOptions options;
    options.extra = {{"query", "other"}, {"limit", 2}, {"llm", "ignored"}};
    const acta::SkillAction action{{.name = "search"}, {{"query", "tides"}}};
    CHECK(to_string(action.run(skills, options)) == "tides 2");
    CHECK(to_string(acta::SkillAction{{.name = "search"}, {}}.run(skills, options)) == "other 2");
}

TEST_CASE("a registered function is declared to a model in plain words") {
    SkillRegistry skills;
    skills.add("search", "Looks.", search, param("query", "What."), param("limit", "How many.", 10));
    const acta::Skill skill = skills.at("search").declaration({{"Look for tides", "search('tides')"}});
    CHECK(acta::dump(skill) ==
          R"({"name":"search","description":"Looks.","id":null,"x-prerequisite":null,"parameters":)"
          R"({"query":{"type":"string","description":"What.","required":true},)"
          R"("limit":{"type":"integer","description":"How many.","default":10}},)"
          R"json("examples":[{"ask":"Look for tides","answer":"search('tides')"}],)json"
          R"("returns":{"type":"any","format":null}})");
    const auto arguments = acta::parse_arguments(skills.at("search"), "I'd say search('tides', limit=2).");
    REQUIRE(arguments);
    CHECK(run(skills, "search", *arguments) == "tides 2");
}

TEST_CASE("a parameter of an enumeration is declared with its values, and one of a record as an object") {
    SkillRegistry skills;
    skills.add(
        "search", "", [](acta::ChatRole, const Search&) {}, param("role", "Whose."), "search");
    acta::SkillsDeclaration declaration;
    declaration.entities["A"].skills.push_back(skills.at("search").declaration());
    CHECK_THAT(acta::dump(declaration),
               contains_text(R"("role":{"type":"string","description":"Whose.","required":true,)"
                             R"("enum":["system",)"));
    CHECK_THAT(acta::dump(declaration),
               contains_text(R"("search":{"type":"object","description":null,"required":true})"));
    CHECK(acta::check(declaration, skills).empty());
}

TEST_CASE("threads share a registry that nobody adds to") {
    SkillRegistry made;
    made.add("search", "", search, "query", param("limit", "", 10));
    made.add("fails", "", []() -> int { throw std::runtime_error("no"); });
    const SkillRegistry& skills = made;
    std::atomic<int> good = 0;
    {
        std::vector<acta::jthread> threads;
        for (int t = 0; t < 8; ++t) {
            threads.emplace_back([&] {
                for (int i = 0; i < 50; ++i) {
                    good += run(skills, "search", {{"query", std::to_string(i)}}) == std::to_string(i) + " 10" ? 1 : 0;
                    good += run(skills, "fails") == "Action failed: 'no'" ? 1 : 0;
                    good += run(skills, "serch") == "Action failed: 'serch not found; did you mean 'search'?'" ? 1 : 0;
                    good += skills.at("search").schema().size() == 4 ? 1 : 0;
                }
            });
        }
    }
    CHECK(good == 8 * 50 * 4);
}

TEST_CASE("sets and nlohmann::json may be parameters and results of a skill") {
    SkillRegistry skills;
    skills.add(
        "sorted", "Sorts words.", [](const std::set<std::string>& words) { return words; }, "words");
    skills.add(
        "wrap", "Wraps a value.",
        [](const nlohmann::json& value) {
            return nlohmann::json{{"b", value}, {"a", 1}};
        },
        "value");
    skills.add("deep", "Returns a deep value.",
               [] { return nlohmann::json::parse(std::string(100'000, '[') + std::string(100'000, ']')); });
    CHECK(skills.at("sorted").schema().at("properties").at("words").dump() ==
          R"({"items":{"type":"string"},"type":"array","uniqueItems":true,"title":"Words"})");
    CHECK(to_string(skills.call({"sorted", {{"words", {"b", "a", "b"}}}})) == "['a', 'b']");
    const acta::ActionResult wrapped = skills.call({"wrap", {{"value", {{"x", 2}}}}});
    CHECK(std::get<acta::ActionSuccessResult>(wrapped).outputs.dump() == R"({"a":1,"b":{"x":2}})");
    CHECK(std::get<acta::ActionErrorResult>(skills.call({"deep", {}})).reason.find("nested deeper") !=
          std::string::npos);
}

TEST_CASE("a date that cannot be read is refused with the form that is right") {
    acta::SkillRegistry skills;
    skills.add(
        "tides", "The tides.", [](const acta::Timestamp& at) { return to_string(at); }, "at");
    const std::string refused = acta::to_string(skills.call("tides", {{"at", "noon"}}));
    CHECK_THAT(refused, contains_text(", as in 2026-11-27T12:15:00Z (it is "));
    CHECK(acta::is_success(skills.call("tides", {{"at", "2026-11-27T12:15:00Z"}})));
}
