// SPDX-License-Identifier: MIT
#include <array>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <unordered_map>
#include <unordered_set>
#include <variant>
#include <vector>

#include "acta/describe/constraints.hpp"
#include "acta/json/json.hpp"
#include "support/issues.hpp"

namespace containers_test {
struct Query {
    std::set<int> years{};
    std::unordered_set<std::string> tags{};
    nlohmann::json other{};
};
/// Each member has a value before it is read.
struct Filled {
    std::vector<int> list{1, 2};
    std::vector<bool> bits{true};
    std::set<int> set{1, 2};
    std::map<std::string, int> map{{"a", 1}};
    std::vector<std::pair<std::string, int>> pairs{{"a", 1}};
    std::optional<std::vector<int>> some{{1, 2}};
    std::variant<std::string, std::vector<int>> either{std::vector<int>{1, 2}};
    std::pair<std::vector<int>, std::string> both{{1}, "a"};
    std::array<std::vector<int>, 1> lists{{{1, 2}}};
    acta::JsonObject object{{"a", 1}};
    acta::Json any = acta::Json::array({1, 2});
    std::string text = "abc";

    bool operator==(const Filled&) const = default;
};
}  // namespace containers_test

template <>
struct acta::Describe<containers_test::Query> {
    using Self = containers_test::Query;
    static constexpr auto fields =
        acta::fields(acta::required("years", &Self::years, "", acta::length(2, 3)),
                     acta::omit_if_empty("tags", &Self::tags), acta::omit_if_empty("other", &Self::other));
};
template <>
struct acta::Describe<containers_test::Filled> {
    using Self = containers_test::Filled;
    static constexpr auto fields =
        acta::fields(acta::defaulted("list", &Self::list), acta::defaulted("bits", &Self::bits),
                     acta::defaulted("set", &Self::set), acta::defaulted("map", &Self::map),
                     acta::defaulted("pairs", &Self::pairs), acta::defaulted("some", &Self::some),
                     acta::defaulted("either", &Self::either), acta::defaulted("both", &Self::both),
                     acta::defaulted("lists", &Self::lists), acta::defaulted("object", &Self::object),
                     acta::defaulted("any", &Self::any), acta::defaulted("text", &Self::text));
};

namespace {

/// Reads `text`, writes it again and reads that: the same value, and the same text but for white space.
template <class T>
void check_round_trip(const T& value, const std::string& text) {
    INFO(text);
    CHECK(acta::dump(value) == text);
    CHECK(acta::parse<T>(text) == value);
    CHECK(acta::validate<T>(acta::Json::parse(text)) == value);
    CHECK(acta::to_json_value(value) == acta::Json::parse(text));
    CHECK(acta::parse<T>(acta::dump(value, {.indent = 2})) == value);
}

}  // namespace

TEST_CASE("lists are read and written") {
    check_round_trip(std::vector<int>{}, "[]");
    check_round_trip(std::vector<int>{1, -2, 3}, "[1,-2,3]");
    check_round_trip(std::vector<bool>{true, false, true}, "[true,false,true]");
    check_round_trip(std::vector<std::vector<std::string>>{{}, {"a"}, {"b", ""}}, R"([[],["a"],["b",""]])");
    check_round_trip(std::vector<std::optional<double>>{1.5, std::nullopt}, "[1.5,null]");
    check_round_trip(std::vector<acta::Json>{1, "a", nullptr}, R"([1,"a",null])");
}

TEST_CASE("what is read takes the place of a default, whole") {
    const std::string text =
        R"({"list":[3],"bits":[false],"set":[3],"map":{"b":2},"pairs":[["b",2]],"some":[3],"either":[3],)"
        R"("both":[[3],"b"],"lists":[[3]],"object":{"b":2},"any":{"b":2},"text":"d"})";
    containers_test::Filled expected;
    expected.list = {3};
    expected.bits = {false};
    expected.set = {3};
    expected.map = {{"b", 2}};
    expected.pairs = {{"b", 2}};
    expected.some = {3};
    expected.either = std::vector<int>{3};
    expected.both = {{3}, "b"};
    expected.lists = {{{3}}};
    expected.object = {{"b", 2}};
    expected.any = {{"b", 2}};
    expected.text = "d";
    check_round_trip(expected, text);
    CHECK(acta::parse<containers_test::Filled>("{}") == containers_test::Filled());
    // Of a repeated key the last value counts, also after one that is longer.
    const std::string twice =
        R"({"list":[4,5,6],"set":[4,5],"map":{"c":3},"either":"e","some":null,"text":"longer",)" + text.substr(1);
    CHECK(acta::parse<containers_test::Filled>(twice) == expected);
}

TEST_CASE("every element of a list that does not fit is an issue with its index") {
    CHECK(faults<std::vector<int>>(R"([1, "x", 2, null, [3]])") ==
          Faults{"/1 int_parsing", "/3 int_type", "/4 int_type"});
    CHECK(faults<std::vector<bool>>(R"([1, "x", 2])") == Faults{"/1 bool_parsing", "/2 bool_parsing"});
    CHECK(faults<std::vector<int>>(R"({"0": 1})") == Faults{" list_type"});
    CHECK(faults<std::vector<std::vector<int>>>("[[1], [[]], 2]") == Faults{"/1/0 int_type", "/2 list_type"});
}

TEST_CASE("sets are read and written as lists, and an element that is repeated is there once") {
    check_round_trip(std::set<int>{}, "[]");
    check_round_trip(std::set<std::string>{"a", "b"}, R"(["a","b"])");
    check_round_trip(std::set<std::vector<bool>>{{}, {true}}, "[[],[true]]");
    check_round_trip(std::unordered_set<int>{7}, "[7]");
    CHECK(acta::parse<std::set<int>>("[2, 1, 2, 1.0]") == std::set<int>{1, 2});
    CHECK(acta::introspection::type_title<std::set<int>>() == "set[int]");
    std::variant<std::string, std::set<int>> either;
    either = acta::parse<decltype(either)>("[1, 1]");
    CHECK(std::get<1>(either) == std::set<int>{1});
}

// The issues are those of pydantic 2.13 for `set[int]` with `min_length=2, max_length=3`.
TEST_CASE("what does not fit a set is an issue as in pydantic, and its length is that without repetitions") {
    using containers_test::Query;
    CHECK(faults<Query>(R"({"years": [1, "a", 3]})") == Faults{"/years/1 int_parsing"});
    CHECK(faults<Query>(R"({"years": 3})") == Faults{"/years set_type"});
    CHECK(issues_of<Query>(R"({"years": 3})")[0].message == "Input should be a valid array");
    CHECK(faults<Query>(R"({"years": [1, 1, 2]})").empty());
    CHECK(issues_of<Query>(R"({"years": [1, 1]})")[0].message ==
          "Set should have at least 2 items after validation, not 1");
    CHECK(issues_of<Query>(R"({"years": [1, 2, 3, 4, 5]})")[0].message ==
          "Set should have at most 3 items after validation, not more");
    CHECK(faults<Query>(R"({"years": [1, 2, 3, "b", 3, 5]})") == Faults{"/years too_long"});
    CHECK(faults<Query>(R"({"years": [1, 2], "tags": ["a", 1]})") == Faults{"/tags/1 string_type"});
    CHECK(acta::parse<Query>(R"({"years": [1, 2], "tags": null})").tags.empty());
    CHECK(acta::dump(acta::parse<Query>(R"({"years": [2, 1, 2]})")) == R"({"years":[1,2]})");
    CHECK(acta::parse<Query>(R"({"years": [1, 2], "tags": ["a"], "years": [3, 4]})").years == std::set<int>{3, 4});
}

TEST_CASE("nlohmann::json may be a member, and one that is nested too deeply is refused") {
    containers_test::Query query{.years = {1, 2}};
    query.other = nlohmann::json::parse(R"({"b": [1, null], "a": "x"})");
    const std::string text = R"({"years":[1,2],"other":{"a":"x","b":[1,null]}})";
    CHECK(acta::dump(query) == text);
    CHECK(acta::parse<containers_test::Query>(text).other == query.other);
    CHECK(acta::to_json_value(query).dump() == text);
    CHECK(acta::validate<containers_test::Query>(acta::Json::parse(text)).other == query.other);
    query.other = nlohmann::json::parse(std::string(200'000, '[') + std::string(200'000, ']'));
    CHECK_THROWS_AS(acta::dump(query), acta::EncodeError);
    CHECK_THROWS_WITH(acta::to_json_value(query),
                      "Value at '/other' is nested deeper than is read back and cannot be written as JSON");
}

TEST_CASE("maps are read and written") {
    check_round_trip(std::map<std::string, int>{{"a", 1}, {"b", 2}}, R"({"a":1,"b":2})");
    check_round_trip(std::map<std::string, std::vector<bool>>{{"", {}}, {"\n", {true}}}, R"({"":[],"\n":[true]})");
    check_round_trip(std::unordered_map<std::string, std::string>{{"k", "v"}}, R"({"k":"v"})");
    acta::OrderedMap<int> ordered;
    ordered.emplace("z", 1);
    ordered.emplace("a", 2);
    check_round_trip(ordered, R"({"z":1,"a":2})");
    acta::JsonObject object{{"z", 1}, {"a", acta::Json(acta::JsonArray{})}};
    check_round_trip(object, R"({"z":1,"a":[]})");
    CHECK(faults<std::map<std::string, int>>(R"({"a/b": "x", "c~d": 1, "e": null})") ==
          Faults{"/a~1b int_parsing", "/e int_type"});
    CHECK(faults<acta::JsonObject>("[]") == Faults{" dict_type"});
    CHECK(faults<acta::JsonObject>("null") == Faults{" dict_type"});
}

TEST_CASE("of a repeated key the last value counts, at the place of the first") {
    const std::string text = R"({"a":1,"b":2,"a":3,"c":4,"b":5})";
    CHECK(acta::dump(acta::parse<acta::OrderedMap<int>>(text)) == R"({"a":3,"b":5,"c":4})");
    CHECK(acta::dump(acta::parse<acta::JsonObject>(text)) == R"({"a":3,"b":5,"c":4})");
    CHECK(acta::dump(acta::parse<acta::Json>("[" + text + "]")) == R"([{"a":3,"b":5,"c":4}])");
    CHECK((acta::parse<std::map<std::string, int>>(text)) == std::map<std::string, int>{{"a", 3}, {"b", 5}, {"c", 4}});
    CHECK(acta::dump(acta::parse<acta::Json>(R"({"\u0061":1,"a":2})")) == R"({"a":2})");
    std::string many = "{";
    for (int i = 0; i < 40; ++i) many += "\"k" + std::to_string(i % 15) + "\":" + std::to_string(i) + ",";
    many.back() = '}';
    const acta::Json value = acta::parse<acta::Json>(many);
    CHECK(value == acta::Json::parse(many));
    CHECK(acta::dump(acta::parse<acta::OrderedMap<int>>(many)) == acta::dump(value));
}

TEST_CASE("a repeated key of a map takes its first value's issues along") {
    CHECK(faults<std::map<std::string, int>>(R"({"a":"x","b":"y","a":1})") == Faults{"/b int_parsing"});
    CHECK(faults<acta::OrderedMap<int>>(R"({"a":"x","b":"y","a":1})") == Faults{"/b int_parsing"});
    CHECK(faults<acta::OrderedMap<int>>(R"({"a":1,"b":2,"a":"z"})") == Faults{"/a int_parsing"});
}

TEST_CASE("the issues of a repeated key of a map stand where its value does, as when they are read from a value") {
    const auto check = []<class Map>(std::in_place_type_t<Map>) {  // `faults` also reads the value
        CHECK(faults<Map>(R"({"a":1,"b":"x","a":"y"})") == Faults{"/a int_parsing", "/b int_parsing"});
        CHECK(faults<Map>(R"({"a":1,"b":1,"b":"x","a":"y"})") == Faults{"/a int_parsing", "/b int_parsing"});
        CHECK(faults<Map>(R"({"a":"w","b":"x","c":"z","a":"y"})") ==
              Faults{"/a int_parsing", "/b int_parsing", "/c int_parsing"});
        CHECK(faults<Map>(R"({"b":"x","a":2,"c":"z","a":"y","b":"y","d":"v","d":4,"a":[]})") ==
              Faults{"/b int_parsing", "/a int_type", "/c int_parsing"});
        CHECK(faults<Map>(R"({"e":"x","d":"x","e":1,"d":2,"d":"3","e":{}})") == Faults{"/e int_type"});
    };
    check(std::in_place_type<std::map<std::string, int>>);
    check(std::in_place_type<acta::OrderedMap<int>>);
    using Nested = std::map<std::string, std::map<std::string, int>>;
    CHECK(faults<Nested>(R"({"m":{"a":1,"b":"x","a":"y"},"n":{},"m":{"c":1,"d":"x","c":"z"},"n":{"a":"x"}})") ==
          Faults{"/m/c int_parsing", "/m/d int_parsing", "/n/a int_parsing"});
}

TEST_CASE("a repeated key of a map makes no mixture of its values") {
    using Lists = acta::OrderedMap<std::vector<int>>;
    CHECK(acta::dump(acta::parse<Lists>(R"({"a":[1,2],"a":[3]})")) == R"({"a":[3]})");
    using Sorted = std::map<std::string, std::vector<int>>;
    CHECK(acta::dump(acta::parse<Sorted>(R"({"a":[1,2],"a":[3]})")) == R"({"a":[3]})");
}

TEST_CASE("arrays of fixed size, pairs and tuples are read and written") {
    check_round_trip(std::array<int, 3>{1, 2, 3}, "[1,2,3]");
    check_round_trip(std::array<std::string, 0>{}, "[]");
    check_round_trip(std::pair<int, std::string>{1, "a"}, R"([1,"a"])");
    check_round_trip(std::tuple<int, std::string, std::optional<bool>>{1, "a", std::nullopt}, R"([1,"a",null])");
    check_round_trip(std::tuple<>{}, "[]");
    CHECK(faults<std::array<int, 3>>("[1, 2]") == Faults{"/2 missing"});
    CHECK(faults<std::array<int, 3>>("[]") == Faults{"/0 missing", "/1 missing", "/2 missing"});
    CHECK(faults<std::array<int, 1>>("[1, 2, 3]") == Faults{" too_long"});
    CHECK(faults<std::pair<int, std::string>>(R"(["x", 2])") == Faults{"/0 int_parsing", "/1 string_type"});
    CHECK(faults<std::pair<int, int>>(R"(["x", 2, 3])") == Faults{" too_long"});  // and nothing of its elements
    CHECK(faults<std::pair<int, std::string>>("{}") == Faults{" tuple_type"});
    CHECK(issues_of<std::tuple<int>>("[1, 2]")[0].message ==
          "Tuple should have at most 1 item after validation, not 2");
}

TEST_CASE("an optional is a value or null") {
    check_round_trip(std::optional<int>{}, "null");
    check_round_trip(std::optional<int>{7}, "7");
    check_round_trip(std::optional<std::vector<int>>{{1}}, "[1]");
    CHECK(faults<std::optional<int>>("\"x\"") == Faults{" int_parsing"});
    CHECK(faults<std::vector<std::optional<int>>>("[null, {}]") == Faults{"/1 int_type"});
}
