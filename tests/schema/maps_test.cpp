// SPDX-License-Identifier: MIT
#include "acta/schema/schema.hpp"

#include <map>
#include <optional>
#include <set>
#include <string>
#include <tuple>
#include <variant>
#include <vector>

#include "acta/describe/constraints.hpp"
#include "acta/json/json.hpp"
#include "pysyntax/python3.hpp"
#include "schema/schema_checks.hpp"
#include "support/catch.hpp"

namespace maps_test {
struct Sets {
    std::set<int> years{};
    std::set<std::string> tags{};
};
struct Depth {
    std::optional<int> metres{};
};
}  // namespace maps_test

template <>
struct acta::Describe<maps_test::Sets> {
    using Self = maps_test::Sets;
    static constexpr auto fields = acta::fields(acta::required("years", &Self::years, "", acta::length(2, 3)),
                                                acta::defaulted("tags", &Self::tags));
};
template <>
struct acta::Describe<maps_test::Depth> {
    static constexpr auto fields =
        acta::fields(acta::defaulted("metres", &maps_test::Depth::metres, "", acta::range(1, 50)));
};

namespace {

struct Named {
    std::string kind{};
    std::map<std::string, int> counts{};
};
struct Plan {
    acta::JsonObject notes{};
    acta::OrderedMap<Named> parts{};
    std::optional<acta::Json> anything{};
    std::tuple<int, std::string> pair{};
    std::variant<std::vector<int>, std::map<std::string, std::string>, Named> either{};
    std::vector<Plan> inner{};

    friend bool operator==(const Plan& a, const Plan& b) { return acta::to_json_value(a) == acta::to_json_value(b); }
};

}  // namespace

template <>
struct acta::Describe<Named> {
    static constexpr auto fields =
        acta::fields(acta::required("kind", &Named::kind), acta::required("counts", &Named::counts));
};
template <>
struct acta::Describe<Plan> {
    static constexpr auto fields =
        acta::fields(acta::required("notes", &Plan::notes), acta::required("parts", &Plan::parts),
                     acta::defaulted("anything", &Plan::anything), acta::required("pair", &Plan::pair),
                     acta::required("either", &Plan::either), acta::optional_field("inner", &Plan::inner));
};

namespace {

using acta::Json;

Plan plan() {
    Plan out;
    out.notes = acta::JsonObject{{"b", 1}, {"a", acta::JsonObject{{"deep", acta::JsonArray{Json(1), Json("x")}}}}};
    out.parts["second"] = Named{"k", {{"x", 1}}};
    out.parts["first"] = Named{};
    out.anything = Json::parse(R"([{"entries": 3}, {}, [], {"entries": [{"key": "k", "value": 1}]}])");
    out.pair = {7, "seven"};
    out.either = std::map<std::string, std::string>{{"key", "value"}};
    Plan inner;
    inner.either = Named{"n", {{"y", 2}}};
    out.inner.push_back(inner);
    return out;
}

}  // namespace

TEST_CASE("maps, any values and tuples go into the form of lists and back") {
    const Json value = acta::to_json_value(plan());
    const Json lists = acta::lists_from_maps<Plan>(value);
    CHECK(lists["notes"][0].dump() == R"({"key":"b","value":1})");
    CHECK(lists["parts"][0]["key"] == "second");
    CHECK(lists["parts"][0]["value"]["counts"].dump() == R"([{"key":"x","value":1}])");
    CHECK(lists["pair"].dump() == R"({"0":7,"1":"seven"})");
    CHECK(lists["either"].dump() == R"([{"key":"key","value":"value"}])");
    CHECK(lists["anything"][1].dump() == R"({"entries":[]})");
    CHECK(lists["inner"][0]["either"]["counts"].dump() == R"([{"key":"y","value":2}])");
    CHECK(acta::maps_from_lists<Plan>(lists) == value);
    CHECK(acta::validate<Plan>(acta::maps_from_lists<Plan>(lists)) == plan());
}

TEST_CASE("values in the form of lists are valid for the strict schema, and others are not") {
    const Json schema =
        acta::schema<Plan>({.dialect = acta::SchemaDialect::openai_strict, .maps = acta::SchemaMaps::key_value_lists});
    CHECK(schema_checks::openai_problems(schema) == schema_checks::Problems());
    Json given = acta::JsonArray();
    const Json value = acta::to_json_value(plan());
    for (const Json& one : {schema, acta::lists_from_maps<Plan>(value), value}) given.push_back(one);
    const auto answer = python3::run(R"python(
import json, sys
try:
    import jsonschema
    Validator = getattr(jsonschema, "Draft202012Validator", None) or jsonschema.Draft7Validator
    schema, good, bad = json.load(open(sys.argv[1], encoding="utf-8"))
    Validator.check_schema(schema)
    print(Validator(schema).is_valid(good), Validator(schema).is_valid(bad))
except ImportError:
    print("no jsonschema")
)python",
                                     given.dump());
    if (!answer) ACTA_SKIP("no python3 here");
    if (answer->starts_with("no jsonschema")) ACTA_SKIP("python3 has no jsonschema here");
    CHECK(*answer == "True False\n");
}

TEST_CASE("what a strict answer has of a recursive type is read") {
    const std::string answer =
        R"({"notes":[],"parts":[],"anything":null,"pair":{"0":1,"1":""},"either":[1,2],"inner":[]})";
    const auto read = acta::validate<Plan>(acta::maps_from_lists<Plan>(acta::parse<Json>(answer)));
    CHECK(std::get<0>(read.either) == std::vector<int>{1, 2});
    CHECK(std::get<0>(read.pair) == 1);
}

TEST_CASE("of a key that comes twice the last value counts") {
    const Json lists = Json::parse(R"({"kind":"k","counts":[{"key":"a","value":1},{"key":"b","value":2},
                                       {"key":"a","value":3}]})");
    CHECK(acta::maps_from_lists<Named>(lists)["counts"].dump() == R"({"a":3,"b":2})");
}

TEST_CASE("what is not in the form stays, so that reading says what is wrong") {
    const auto issue_of = [](const char* text) {
        try {
            static_cast<void>(acta::validate<Named>(acta::maps_from_lists<Named>(Json::parse(text))));
        } catch (const acta::ValidationError& error) {
            return error.issues().front().pointer() + " " + error.issues().front().type;
        }
        return std::string("none");
    };
    CHECK(issue_of(R"({"kind":"k","counts":[{"key":"a","value":"many"}]})") == "/counts/a int_parsing");
    CHECK(issue_of(R"({"kind":"k","counts":[{"key":1,"value":2}]})") == "/counts dict_type");
    CHECK(issue_of(R"({"kind":"k","counts":[{"key":"a"}]})") == "/counts dict_type");
    CHECK(issue_of(R"({"kind":"k","counts":[{"key":"a","value":1,"more":2}]})") == "/counts dict_type");
    CHECK(issue_of(R"({"kind":"k","counts":[{"key":"a","more":1}]})") == "/counts dict_type");
    CHECK(issue_of(R"({"kind":"k","counts":[{"value":1,"more":1}]})") == "/counts dict_type");
    CHECK(issue_of(R"({"kind":"k","counts":{"a":1}})") == "none");
    CHECK(issue_of(R"([])") == " model_type");
    CHECK(acta::maps_from_lists<Plan>(Json(7)) == Json(7));
    const Json no_list = Json::parse(R"({"a":[{"key":"b","value":1}]})");
    CHECK(acta::maps_from_lists<std::vector<std::map<std::string, int>>>(no_list) == no_list);
    const Json a_list = Json::parse(R"([[{"key":"b","value":1}]])");
    CHECK(acta::maps_from_lists<std::vector<std::map<std::string, int>>>(a_list) == Json::parse(R"([{"b":1}])"));
    const Json odd = Json::parse(R"({"pair":{"0":1,"2":2},"either":true,"notes":null})");
    CHECK(acta::maps_from_lists<Plan>(odd) == odd);
}

TEST_CASE("deep values and unions that hold themselves end") {
    Json deep = Json(1);
    for (int i = 0; i < 400; ++i) {
        Json outer = acta::JsonArray();
        outer.push_back(std::move(deep));
        deep = std::move(outer);
    }
    const Json restored = acta::maps_from_lists(Json(true), deep);
    CHECK(restored == deep);
    const Json schema =
        Json::parse(R"({"$ref":"#/$defs/A","$defs":{"A":{"anyOf":[{"$ref":"#/$defs/A"},{"$ref":"#/$defs/A"},
                                        {"type":"object","additionalProperties":{"type":"integer"}}]}}})");
    const Json value = Json::parse(R"([{"key":"a","value":1}])");
    CHECK_NOTHROW(acta::maps_from_lists(schema, value));
    CHECK(acta::maps_from_lists(Json::parse(R"({"$ref":"#/$defs/no"})"), value) == value);
}

TEST_CASE("values are converted up to the depth at which documents are read, and further down stay as they are") {
    const Json list_of_lists = Json::parse(R"({"$ref":"#/$defs/A","$defs":{"A":{"type":"array","items":{"anyOf":[
        {"$ref":"#/$defs/A"},{"type":"object","additionalProperties":true}]}}}})");
    const Json object = {{"a", 1}};
    const auto is_converted = [&](const Json& schema, std::size_t levels) {
        Json value = object;
        for (std::size_t i = 0; i < levels; ++i) value = Json::array({std::move(value)});
        Json lists = acta::lists_from_maps(schema, value);
        for (std::size_t i = 0; i < levels; ++i) lists = Json(lists.at(0));
        return lists != object;
    };
    CHECK(is_converted(Json(true), 128));
    CHECK_FALSE(is_converted(Json(true), 129));
    CHECK(is_converted(list_of_lists, 64));
    CHECK_FALSE(is_converted(list_of_lists, 65));
}

TEST_CASE("the member of a union that is meant is looked for among ten thousand schemas") {
    const auto is_converted = [](int others) {
        Json inner = Json::array();
        for (int i = 0; i < others; ++i) inner.push_back({{"const", i}});
        inner.push_back({{"type", "object"}, {"additionalProperties", true}});
        const Json schema{{"anyOf", {{{"anyOf", std::move(inner)}}, {{"type", "null"}}}}};
        return acta::lists_from_maps(schema, {{"a", 1}}).is_array();
    };
    CHECK(is_converted(9'997));  // besides the union within the union, the map and its values
    CHECK_FALSE(is_converted(9'998));
}

TEST_CASE("of a union the member is meant whose tuple or constant fits the value") {
    const Json schema = Json::parse(R"({"type":"object","properties":{"either":{"anyOf":[
        {"type":"array","prefixItems":[{"type":"integer"},{"type":"string"}],"minItems":2,"maxItems":2},
        {"type":"array","items":{"type":"object","additionalProperties":{"type":"integer"}}},
        {"const":"none"}]}},"required":["either"]})");
    const auto there_and_back = [&schema](const char* text, const char* lists) {
        const Json value = Json::parse(text);
        const Json written = acta::lists_from_maps(schema, value);
        CHECK(written["either"].dump() == lists);
        CHECK(acta::maps_from_lists(schema, written) == value);
    };
    there_and_back(R"({"either":[7,"seven"]})", R"({"0":7,"1":"seven"})");
    there_and_back(R"({"either":[{"a":1}]})", R"([[{"key":"a","value":1}]])");
    there_and_back(R"({"either":"none"})", R"("none")");
}

// Written by pydantic 2.13 for `set[int]` with `min_length=2, max_length=3`, and `set[str] = set()`.
TEST_CASE("the schema of a set is a list of unique items, which strict dialects say in words") {
    CHECK(nlohmann::json(acta::schema<maps_test::Sets>()) ==
          nlohmann::json::parse(
              R"({"properties":{"years":{"items":{"type":"integer"},"maxItems":3,"minItems":2,"title":"Years",
              "type":"array","uniqueItems":true},"tags":{"default":[],"items":{"type":"string"},"title":"Tags",
              "type":"array","uniqueItems":true}},"required":["years"],"title":"Sets","type":"object"})"));
    acta::SchemaOptions strict;
    strict.dialect = acta::SchemaDialect::openai_strict;
    const Json years = acta::schema<maps_test::Sets>(strict).at("properties").at("years");
    CHECK_FALSE(years.contains("uniqueItems"));
    CHECK_THAT(years.at("description").get<std::string>(), contains_text("uniqueItems"));
}

TEST_CASE("the bounds of a value that may be null are those of the value") {
    const Json metres = acta::schema<maps_test::Depth>()["properties"]["metres"];
    CHECK(metres["anyOf"] == Json::parse(R"([{"type":"integer","maximum":50,"minimum":1},{"type":"null"}])"));
}
