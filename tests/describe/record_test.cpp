// SPDX-License-Identifier: MIT
#include <array>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "support/issues.hpp"

namespace {

enum class Level { low, high };

struct Tool {
    std::string name{};
    int limit = 10;
    std::optional<std::string> note{};
    std::vector<int> sizes{1, 2};
    Level level = Level::low;
    std::vector<std::string> tags{};
    std::optional<int> extra{};

    friend bool operator==(const Tool&, const Tool&) = default;
};

struct Open {
    int a = 0;
    acta::JsonObject rest{};
};

struct Outer {
    Tool first{};
    Tool second{};
};

struct Deduced {
    std::string query{};
    int max_results = 3;
};

template <class T>
struct Box {
    T content{};
};

}  // namespace

template <>
struct acta::Describe<Level> {
    static constexpr auto values = acta::values<Level>({{"low", Level::low}, {"high", Level::high}});
};
template <>
struct acta::Describe<Tool> {
    static constexpr auto fields = acta::fields(
        acta::required("name", &Tool::name), acta::literal("kind", "tool"), acta::defaulted("limit", &Tool::limit),
        acta::defaulted("note", &Tool::note, "A word.", acta::alias("x-note")),
        acta::optional_field("sizes", &Tool::sizes), acta::defaulted("level", &Tool::level),
        acta::omit_if_empty("tags", &Tool::tags), acta::omit_if_empty("extra", &Tool::extra));
};
template <>
struct acta::Describe<Open> {
    static constexpr auto fields = acta::fields(acta::required("a", &Open::a), acta::unknown_keys(&Open::rest));
};
template <>
struct acta::Describe<Outer> {
    static constexpr auto fields =
        acta::fields(acta::required("first", &Outer::first), acta::required("second", &Outer::second));
};
template <>
struct acta::Describe<Deduced> {
    static constexpr auto fields =
        acta::fields(acta::required<&Deduced::query>("What to look for."), acta::defaulted<&Deduced::max_results>());
};
template <class T>
struct acta::Describe<Box<T>> {
    static constexpr auto fields = acta::fields(acta::required("content", &Box<T>::content));
};

TEST_CASE("a struct is written field by field in the order of its description") {
    Tool tool{.name = "grep"};
    CHECK(acta::dump(tool) == R"({"name":"grep","kind":"tool","limit":10,"x-note":null,"sizes":[1,2],"level":"low"})");
    tool.tags = {"a"};
    tool.extra = 0;
    tool.note = "n";
    CHECK(
        acta::dump(tool) ==
        R"({"name":"grep","kind":"tool","limit":10,"x-note":"n","sizes":[1,2],"level":"low","tags":["a"],"extra":0})");
    CHECK(acta::dump(tool, {.by_alias = false}).find("\"note\":\"n\"") != std::string::npos);
    CHECK(acta::parse<Tool>(acta::dump(tool)) == tool);
}

TEST_CASE("null fields can be left out") {
    CHECK(acta::dump(Tool{.name = "x"}, {.exclude_none = true}) ==
          R"({"name":"x","kind":"tool","limit":10,"sizes":[1,2],"level":"low"})");
    const Box<acta::Json> box{acta::Json::parse(R"({"a": null})")};
    CHECK(acta::dump(box, {.exclude_none = true}) == R"({"content":{"a":null}})");
    CHECK(acta::dump(Box<acta::Json>{}, {.exclude_none = true}) == "{}");
}

TEST_CASE("missing fields keep what they have in a new value") {
    CHECK(acta::parse<Tool>(R"({"name": "x"})") == Tool{.name = "x"});
    CHECK(acta::parse<Tool>(R"({"name": "x", "sizes": [], "x-note": null})") == Tool{.name = "x", .sizes = {}});
    CHECK(acta::parse<Box<Tool>>(R"({"content": {"name": "x"}})").content == Tool{.name = "x"});
}

TEST_CASE("a field with an alias goes by the alias alone") {
    CHECK(acta::parse<Tool>(R"({"name": "x", "x-note": "y"})").note == "y");
    CHECK_FALSE(acta::parse<Tool>(R"({"name": "x", "note": "y"})").note);
    CHECK(faults<Tool>(R"({"name": "x", "x-note": 1})") == Faults{"/x-note string_type"});
    CHECK(faults<Tool>(R"({"name": "x", "note": "y"})", {.unknown_keys = acta::UnknownKeys::forbid}) ==
          Faults{"/note extra_forbidden"});
}

TEST_CASE("issues come in the order of the fields, missing ones in their place, whatever the order in the text") {
    const Faults expected{"/name missing", "/kind literal_error", "/limit int_parsing", "/sizes/1 int_parsing",
                          "/level enum"};
    CHECK(faults<Tool>(R"({"kind":"x","limit":"a","sizes":[1,"b"],"level":"mid"})") == expected);
    CHECK(faults<Tool>(R"({"level":"mid","sizes":[1,"b"],"limit":"a","kind":"x"})") == expected);
    CHECK(faults<Tool>(R"({"sizes":[1,"b"],"level":"mid","unknown":[],"kind":"x","limit":"a"})") == expected);
}

TEST_CASE("objects inside objects keep that order at every level") {
    CHECK(faults<Outer>(R"({"second":{"limit":"a","level":1},"first":{"sizes":[[]],"name":1}})") ==
          Faults{"/first/name string_type", "/first/sizes/0 int_type", "/second/name missing",
                 "/second/limit int_parsing", "/second/level enum"});
    CHECK(faults<Outer>(R"({"second":[]})") == Faults{"/first missing", "/second model_type"});
    CHECK(faults<Outer>("[]") == Faults{" model_type"});
    CHECK(faults<Outer>("{}") == Faults{"/first missing", "/second missing"});
}

TEST_CASE("a repeated key replaces the value and its issues") {
    CHECK(acta::parse<Tool>(R"({"name":"a","limit":"x","name":"b","limit":2})") == Tool{.name = "b", .limit = 2});
    CHECK(faults<Tool>(R"({"limit":"x","name":1,"limit":"y","name":"b"})") == Faults{"/limit int_parsing"});
    CHECK(issues_of<Tool>(R"({"name":"b","limit":"x","limit":"y"})")[0].input == "\"y\"");
    CHECK(acta::parse<Tool>(R"({"name":"a","sizes":[7,8,9],"sizes":[5]})").sizes == std::vector<int>{5});
    // A struct given twice is the second one, not a mixture of both.
    CHECK(acta::parse<Box<Tool>>(R"({"content":{"name":"a","limit":5,"x-note":"n"},"content":{"name":"b"}})").content ==
          Tool{.name = "b"});
    CHECK(acta::parse<Tool>(R"({"name":"a","kind":"x","kind":"tool"})") == Tool{.name = "a"});
    CHECK(faults<Tool>(R"({"name":"a","kind":"tool","kind":"x"})") == Faults{"/kind literal_error"});
}

TEST_CASE("a repeated key that is unknown is one issue, of its last value at the place of the first") {
    const acta::ParseOptions forbid{.unknown_keys = acta::UnknownKeys::forbid};
    const std::string text = R"({"x":1,"name":"a","y":[2],"x":{"z":3},"y":4,"\u0078":5})";
    CHECK(faults<Tool>(text, forbid) == Faults{"/x extra_forbidden", "/y extra_forbidden"});
    CHECK(issues_of<Tool>(text, forbid)[0].input == "5");
    CHECK(issues_of<Tool>(text, forbid)[0].column == 54);
    CHECK(faults<Tool>(R"({"x":1,"limit":"a","x":2,"name":[]})", forbid) ==
          Faults{"/name string_type", "/limit int_parsing", "/x extra_forbidden"});
    CHECK(faults<Box<Tool>>(R"({"x":1,"content":{"name":"a","x":1,"y":1,"x":2},"content":{"name":"a","x":3},"x":4})",
                            forbid) == Faults{"/content/x extra_forbidden", "/x extra_forbidden"});
    std::string many = R"({"name":"a")";
    for (int i = 0; i < 300; ++i) many += R"(,"x)" + std::to_string(i % 3) + R"(":1)";
    CHECK(faults<Tool>(many + "}", forbid) ==
          Faults{"/x0 extra_forbidden", "/x1 extra_forbidden", "/x2 extra_forbidden"});
    // Kept ones likewise.
    CHECK(faults<Open>(R"({"a":1,"b":1e999,"b":2})").empty());
    CHECK(issues_of<Open>(R"({"a":1,"b":1e999,"c":[],"b":[1e999,1e998]})").size() == 2);
    CHECK(issues_of<Open>(R"({"a":1,"b":1e999,"b":1e998,"b":1e997})").size() == 1);
}

TEST_CASE("a repeated key leaves nothing of its first value, whatever it holds") {
    // Each reads its first value, and then another that would not overwrite all of it.
    CHECK(acta::parse<Box<acta::Json>>(R"({"content":{"a":[1]},"content":null})").content.is_null());
    CHECK(acta::parse<Box<acta::Json>>(R"({"content":"long","content":{"b":2}})").content.dump() == R"({"b":2})");
    CHECK(acta::parse<Box<acta::JsonObject>>(R"({"content":{"a":1},"content":{"b":2}})").content ==
          acta::JsonObject{{"b", 2}});
    CHECK(acta::parse<Box<std::string>>(R"({"content":"long","content":"\u0061"})").content == "a");
    CHECK(acta::parse<Box<std::optional<int>>>(R"({"content":1,"content":null})").content == std::nullopt);
    const std::string tools =
        R"({"content":[{"name":"a","limit":5},{"name":"b","limit":6}],"content":[{"name":"c"},{"name":"d"}]})";
    const std::vector<Tool> last{{.name = "c"}, {.name = "d"}};
    CHECK(acta::parse<Box<std::vector<Tool>>>(tools).content == last);
    CHECK(acta::parse<Box<std::optional<std::vector<Tool>>>>(tools).content == last);
    CHECK(acta::parse<Box<std::array<Tool, 2>>>(tools).content == std::array<Tool, 2>{last[0], last[1]});
    CHECK(acta::parse<Box<std::tuple<Tool, Tool>>>(tools).content == std::tuple(last[0], last[1]));
    const std::string named =
        R"({"content":{"x":{"name":"a","limit":5},"y":{"name":"b"}},"content":{"x":{"name":"c"}}})";
    CHECK(acta::parse<Box<std::map<std::string, Tool>>>(named).content ==
          std::map<std::string, Tool>{{"x", {.name = "c"}}});
    CHECK(acta::parse<Box<std::variant<int, Tool>>>(R"({"content":{"name":"a","limit":5},"content":{"name":"b"}})")
              .content == std::variant<int, Tool>(Tool{.name = "b"}));
}

TEST_CASE("keys may be written with escapes") {
    CHECK(acta::parse<Tool>(R"({"n\u0061me":"a","\u006cimit":2})") == Tool{.name = "a", .limit = 2});
}

TEST_CASE("unknown keys are ignored, forbidden or kept") {
    const std::string text = R"({"z":{"deep":[1,{}]},"name":"a","y":null})";
    CHECK(acta::parse<Tool>(text) == Tool{.name = "a"});
    CHECK(faults<Tool>(text, {.unknown_keys = acta::UnknownKeys::forbid}) ==
          Faults{"/z extra_forbidden", "/y extra_forbidden"});
    const std::string open = R"({"z":{"deep":[1,{}]},"a":1,"y":null,"z":2})";
    CHECK(acta::dump(acta::parse<Open>(open)) == R"({"a":1,"z":2,"y":null})");
    CHECK(acta::dump(acta::parse<Open>(open, {.unknown_keys = acta::UnknownKeys::forbid})) ==
          R"({"a":1,"z":2,"y":null})");
    CHECK(faults<Open>(R"({"b":1e999})") == Faults{"/a missing", "/b finite_number"});
    CHECK_THROWS_AS(acta::parse<Tool>(R"({"name":"a","z":[1,}})"), acta::ValidationError);
}

TEST_CASE("declared fields come before forbidden keys in the issues") {
    CHECK(faults<Tool>(R"({"x":1,"limit":"a"})", {.unknown_keys = acta::UnknownKeys::forbid}) ==
          Faults{"/name missing", "/limit int_parsing", "/x extra_forbidden"});
}

TEST_CASE("enums are recognised by their text, with pydantic's message") {
    const std::vector<acta::Issue> issues = issues_of<Tool>(R"({"name":"a","level":"LOW"})");
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].message == "Input should be 'low' or 'high'");
    CHECK(acta::parse<Level>("\"high\"") == Level::high);
    CHECK(acta::dump(Level::high) == "\"high\"");
    CHECK(faults<Level>("1") == Faults{" enum"});
    CHECK(faults<Level>("null") == Faults{" enum"});
}

TEST_CASE("names of fields can be deduced") {
    const auto read = acta::parse<Deduced>(R"({"query":"tides","max_results":"7"})");
    CHECK(read.query == "tides");
    CHECK(read.max_results == 7);
    CHECK(acta::dump(read) == R"({"query":"tides","max_results":7})");
}
