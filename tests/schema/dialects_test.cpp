// SPDX-License-Identifier: MIT
#include <array>
#include <iterator>
#include <map>
#include <optional>
#include <random>
#include <string>
#include <tuple>
#include <utility>
#include <variant>
#include <vector>

#include "acta/describe/constraints.hpp"
#include "acta/json/json.hpp"
#include "acta/json/timestamp.hpp"
#include "acta/schema/detail/shape.hpp"
#include "acta/schema/schema.hpp"
#include "pysyntax/python3.hpp"
#include "schema/schema_checks.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

enum class Unit { metric, imperial };
struct Nothing {};
struct Place {
    std::string city{};
    std::optional<std::string> country{};
};
struct Folder {
    std::string name{};
    std::vector<Folder> folders{};
};
struct Square {
    double side = 1;
};
struct Circle {
    double radius = 1;
};
using Shape = std::variant<Square, Circle>;
struct Search {
    std::string query{};
    int limit = 10;
    Unit unit = Unit::metric;
    std::optional<Place> near{};
    Place home{};
    std::vector<Shape> shapes{};
    std::variant<std::string, std::vector<int>> filter{};
    std::array<double, 2> span{};
    std::vector<std::string> words{};
    acta::Timestamp since{};
};
struct Switches {
    bool on = true;
    bool off = false;
    bool old = true;
};
struct WithMap {
    std::map<std::string, int> counts{};
};
struct WithAny {
    std::vector<WithMap> maps{};
};
struct AnyInside {
    std::optional<acta::Json> value{};
};
struct WithTuple {
    std::tuple<int, std::string, Place> mixed{};
    std::pair<int, int> alike{};
};

/// A text that says of itself how it must look.
struct Code {
    std::string text{};
};

}  // namespace

template <>
struct acta::Describe<Unit> {
    static constexpr auto values = acta::values<Unit>({{"metric", Unit::metric}, {"imperial", Unit::imperial}});
};
template <>
struct acta::Describe<Nothing> {
    static constexpr auto fields = acta::fields();
};
template <>
struct acta::Describe<Place> {
    static constexpr std::string_view doc = "A place on earth.";
    static constexpr auto fields =
        acta::fields(acta::required("city", &Place::city), acta::defaulted("country", &Place::country));
};
template <>
struct acta::Describe<Folder> {
    static constexpr auto fields =
        acta::fields(acta::required("name", &Folder::name), acta::optional_field("folders", &Folder::folders));
};
template <>
struct acta::Describe<Square> {
    static constexpr auto fields =
        acta::fields(acta::literal("kind", "square"), acta::defaulted("side", &Square::side));
};
template <>
struct acta::Describe<Circle> {
    static constexpr auto fields =
        acta::fields(acta::literal("kind", "circle"), acta::defaulted("radius", &Circle::radius));
};
template <>
struct acta::Describe<Shape> {
    static constexpr std::string_view tag = "kind";
};
template <>
struct acta::Describe<Search> {
    static constexpr auto fields = acta::fields(
        acta::required("query", &Search::query, "What to look for.", acta::length(1, 80)),
        acta::defaulted("limit", &Search::limit, "How many.", acta::range(1, 50)),
        acta::defaulted("unit", &Search::unit, "Of lengths.", acta::deprecated), acta::defaulted("near", &Search::near),
        acta::required("home", &Search::home, "Where to start."), acta::required("shapes", &Search::shapes),
        acta::required("filter", &Search::filter), acta::required("span", &Search::span),
        acta::required("words", &Search::words, "", acta::length(2, 9)), acta::required("since", &Search::since));
};
template <>
struct acta::Describe<Switches> {
    static constexpr auto fields =
        acta::fields(acta::defaulted("on", &Switches::on), acta::defaulted("off", &Switches::off),
                     acta::defaulted("old", &Switches::old, "", acta::deprecated));
};
template <>
struct acta::Describe<WithMap> {
    static constexpr auto fields = acta::fields(acta::required("counts", &WithMap::counts, "How often."));
};
template <>
struct acta::Describe<WithAny> {
    static constexpr auto fields = acta::fields(acta::required("maps", &WithAny::maps));
};
template <>
struct acta::Describe<AnyInside> {
    static constexpr auto fields = acta::fields(acta::defaulted("value", &AnyInside::value, "Anything."));
};
template <>
struct acta::Describe<WithTuple> {
    static constexpr auto fields = acta::fields(acta::required("mixed", &WithTuple::mixed, "Three."),
                                                acta::required("alike", &WithTuple::alike, "Two."));
};
template <>
struct acta::Describe<Code> {
    using representation = std::string;
    static Code from_representation(std::string text) { return {std::move(text)}; }
    static const std::string& to_representation(const Code& code) { return code.text; }
    static Json schema() {
        return Json::parse(R"x({"oneOf": [{"type": "string", "pattern": "^(?=x)", "format": "iban"},
                                          {"type": "string", "pattern": "^[A-Z]+$", "format": "uuid"}]})x");
    }
};

namespace {

using acta::Json;
using acta::SchemaDialect;
using schema_checks::error_of;
using schema_checks::Problems;

template <class T>
Json openai(acta::SchemaMaps maps = acta::SchemaMaps::refuse) {
    return acta::schema<T>({.dialect = SchemaDialect::openai_strict, .maps = maps});
}
template <class T>
Json anthropic() {
    return acta::schema<T>({.dialect = SchemaDialect::anthropic});
}

}  // namespace

TEST_CASE("OpenAI's dialect closes objects and requires every key") {
    const Json schema = openai<Search>();
    CHECK(schema_checks::openai_problems(schema) == Problems());
    CHECK(schema["required"].size() == 10);
    const Json& properties = schema["properties"];
    CHECK(properties["near"]["anyOf"].dump() == R"([{"$ref":"#/$defs/Place"},{"type":"null"}])");
    CHECK(schema["$defs"]["Place"]["required"].dump() == R"(["city","country"])");
    CHECK(properties["shapes"]["items"]["anyOf"].dump() == R"([{"$ref":"#/$defs/Square"},{"$ref":"#/$defs/Circle"}])");
    CHECK(schema["$defs"]["Square"]["properties"]["kind"]["const"] == "square");
    CHECK(properties["since"]["format"] == "date-time");
}

TEST_CASE("what OpenAI does not accept is in the description") {
    const Json properties = openai<Search>()["properties"];
    CHECK(properties["query"]["description"] == "What to look for. (maxLength: 80, minLength: 1)");
    CHECK(properties["limit"]["description"] == "How many. (default: 10)");
    CHECK(properties["limit"]["maximum"] == 50);
    CHECK(properties["words"]["minItems"] == 2);
    CHECK(properties["span"]["maxItems"] == 2);
    // A reference with something beside it is written out.
    CHECK(properties["home"]["description"] == "Where to start.");
    CHECK(properties["home"]["properties"].size() == 2);
    CHECK(properties["unit"]["enum"].dump() == R"(["metric","imperial"])");
    CHECK(properties["unit"]["description"] == "Of lengths. (default: \"metric\", deprecated)");
}

TEST_CASE("Anthropic's dialect keeps defaults and moves bounds to the description") {
    const Json schema = anthropic<Search>();
    CHECK(schema_checks::anthropic_problems(schema) == Problems());
    const Json& properties = schema["properties"];
    CHECK(schema["required"].size() == 7);
    CHECK(properties["limit"]["default"] == 10);
    CHECK(properties["limit"]["description"] == "How many. (maximum: 50, minimum: 1)");
    CHECK(properties["words"]["description"] == "(maxItems: 9, minItems: 2)");
    CHECK(properties["unit"]["default"] == "metric");
}

TEST_CASE("maps and any values are refused with the path for OpenAI, and stay for the others") {
    const auto [path, text] = error_of([] { return openai<WithAny>(); });
    CHECK(path == "/maps/*/counts");
    CHECK_THAT(text, starts_with_text("WithAny/maps/*/counts: an object with keys of any name"));
    CHECK_THAT(text, contains_text("SchemaMaps::key_value_lists"));
    CHECK(error_of([] { return openai<AnyInside>(); }).first == "/value");
    CHECK(error_of([] { return openai<acta::JsonObject>(); }).second ==
          "the root of the schema is not an object with named keys; OpenAI's strict mode accepts only an object with "
          "named keys there, so make it a field of a struct");
    CHECK(anthropic<WithMap>()["properties"]["counts"]["additionalProperties"]["type"] == "integer");
    CHECK(anthropic<acta::JsonObject>()["additionalProperties"] == true);
    CHECK(acta::schema<std::map<std::string, Json>>().dump() == R"({"additionalProperties":true,"type":"object"})");
}

TEST_CASE("titles are what pydantic makes of a key by Python's str.title") {
    for (const auto& [key, title] : {std::pair{"session_id", "Session Id"},
                                     {"maxURL", "Maxurl"},
                                     {"x2y", "X2Y"},
                                     {"__a__b", "A  B"},
                                     {"it's", "It'S"},
                                     {"gr\u00f6\u00dfe", "Gr\u00f6\u00dfe"},
                                     {"\u00e9tat_civil", "\u00c9tat Civil"},
                                     {"\u043a\u043b\u044e\u0447_\u0410\u0411", "\u041a\u043b\u044e\u0447 \u0410\u0431"},
                                     {"\u5317\u4eac", "\u5317\u4eac"},
                                     {"\u3000\x1c a\u2028_", "A"},
                                     {"_", ""}}) {
        CHECK(acta::schema_detail::title_of(key) == title);
    }
}

TEST_CASE("titles of random keys are pydantic's") {
    std::mt19937 random(31);
    static constexpr char32_t often[] = {U'_', U'_',  U'a',  U'B',  U' ', U'\'', U'3', 0xDF,
                                         0xE9, 0x3A3, 0x3C3, 0x301, 0x1C, 0xA0,  0x1C6};
    Json keys = acta::JsonArray();
    Json titles = acta::JsonArray();
    const std::size_t count = test_size(1000, 3000);
    for (std::size_t i = 0; i < count; ++i) {
        std::string key = "k" + std::to_string(i);  // no key twice
        for (std::size_t n = random() % 8; n != 0; --n) {
            char32_t c = often[random() % std::size(often)];
            if (random() % 3 == 0) c = static_cast<char32_t>(0x20 + random() % 0x2F00);
            acta::utf8::append(key, c);
        }
        keys.push_back(key);
        titles.push_back(acta::schema_detail::title_of(key));
    }
    const auto answer = python3::run(R"(
import json, sys, unicodedata
try:
    from pydantic import Field, create_model
except ImportError:
    sys.exit(3)
if unicodedata.unidata_version != "14.0.0": sys.exit(3)
keys = json.load(open(sys.argv[1], encoding="utf-8"))
model = create_model("M", **{"f%d" % i: (int, Field(alias=key)) for i, key in enumerate(keys)})
properties = model.model_json_schema()["properties"]
print(json.dumps([properties[key]["title"] for key in keys]))
)",
                                     keys.dump());
    if (!answer) ACTA_SKIP("there is no python3 with pydantic and Unicode 14.0");
    const Json expected = Json::parse(*answer);
    REQUIRE(expected.size() == keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i) {
        INFO(keys[i].get<std::string>());
        CHECK(titles[i] == expected[i]);
    }
}

TEST_CASE("a definition's name replaces each character that a reference cannot have") {
    CHECK(acta::schema_detail::safe_name("Gr\u00f6\u00dfe<int, 3>.a-b_c") == "Gr__e_int__3_.a-b_c");
}

TEST_CASE("a default of true stays in the description for OpenAI") {
    const Json schema = openai<Switches>();
    CHECK(schema_checks::openai_problems(schema) == Problems());
    CHECK(schema["properties"]["on"]["description"] == "(default: true)");
    CHECK(schema["properties"]["off"]["description"] == "(default: false)");
    CHECK(schema["properties"]["old"]["description"] == "(default: true, deprecated)");
}

TEST_CASE("bounds of a map are those of the list that it becomes") {
    const Json schema = Json::parse(R"({"type": "object", "properties": {"counts": {"type": "object",
        "additionalProperties": {"type": "integer"}, "minProperties": 1, "maxProperties": 9}}, "required": ["counts"]})");
    const Json lists = acta::convert_schema(
        schema, {.dialect = SchemaDialect::openai_strict, .maps = acta::SchemaMaps::key_value_lists});
    CHECK(lists["properties"]["counts"]["minItems"] == 1);
    CHECK(lists["properties"]["counts"]["maxItems"] == 9);
    CHECK_FALSE(lists["properties"]["counts"].contains("description"));
    const Json anthropic = acta::convert_schema(schema, {.dialect = SchemaDialect::anthropic});
    CHECK(anthropic["properties"]["counts"]["description"] == "(minProperties: 1, maxProperties: 9)");
}

TEST_CASE("objects of a union that begin with the same key have distinct constants there, or are refused, for OpenAI") {
    const auto convert = [](const char* text) {
        return acta::convert_schema(Json::parse(text), {.dialect = SchemaDialect::openai_strict});
    };
    const auto keys = [](const Json& object) {
        std::string out;
        for (const auto& [key, property] : object["properties"].items()) out += key + " ";
        return out;
    };
    const auto [path, text] = error_of([&] {
        return convert(R"({"title": "T", "type": "object", "properties": {"a": {"type": "array", "items": {"anyOf": [
            {"type": "object", "properties": {"name": {"type": "string"}, "x": {"type": "string"}}},
            {"type": "null"},
            {"type": "object", "properties": {"name": {"type": "string"}, "y": {"type": "string"}}}]}}}})");
    });
    CHECK(path == "/a/*");
    CHECK_THAT(text, starts_with_text("T/a/*: a union of objects that begin with the same key 'name' cannot be"));
    // First keys that differ stay, and so do constants that differ.
    const Json apart = convert(R"({"type": "object", "properties": {"a": {"anyOf": [
        {"type": "object", "properties": {"x": {"type": "string"}, "kind": {"const": "x"}}},
        {"type": "object", "properties": {"kind": {"const": "y"}, "name": {"type": "string"}}},
        {"type": "object", "properties": {"kind": {"enum": ["z", "v"]}, "x": {"type": "string"}}}]}}})");
    CHECK(keys(apart["properties"]["a"]["anyOf"][0]) == "x kind ");
    // A key whose constants differ comes first, in definitions too, and the others keep their order.
    const Json moved = convert(R"({"type": "object", "properties": {"a": {"anyOf": [{"$ref": "#/$defs/A"},
            {"anyOf": [{"$ref": "#/$defs/B"}, {"type": "null"}]}]}, "only": {"$ref": "#/$defs/B"}}, "$defs": {
        "A": {"type": "object", "properties": {"name": {"type": "string"}, "x": {"$ref": "#/$defs/A"}, "kind": {"const": "a"}}},
        "B": {"type": "object", "properties": {"name": {"type": "string"}, "kind": {"enum": ["b"]}, "a": {"$ref": "#/$defs/A"}}}}})");
    CHECK(keys(moved["$defs"]["A"]) == "kind name x ");
    CHECK(keys(moved["$defs"]["B"]) == "kind name a ");
    CHECK(schema_checks::openai_problems(moved) == Problems());
    // Constants that overlap tell nothing apart.
    CHECK(error_of([&] {
              return convert(R"({"type": "object", "properties": {"a": {"anyOf": [
                {"type": "object", "properties": {"kind": {"enum": ["x", "y"]}, "b": {"type": "string"}}},
                {"type": "object", "properties": {"kind": {"const": "y"}}}]}}})");
          }).first == "/a");
    // The definition of a recursive union is reached once.
    CHECK(error_of([&] {
              return convert(R"({"type": "object", "properties": {"tree": {"$ref": "#/$defs/Tree"}}, "$defs": {"Tree": {
                "type": "object", "properties": {"next": {"anyOf": [{"$ref": "#/$defs/Tree"},
                {"type": "object", "properties": {"next": {"type": "null"}}}]}}}}})");
          }).first == "/tree/next");
}

TEST_CASE("maps become lists of keys and values where that is asked for") {
    const Json schema = openai<WithAny>(acta::SchemaMaps::key_value_lists);
    CHECK(schema_checks::openai_problems(schema) == Problems());
    const Json counts = schema["$defs"]["WithMap"]["properties"]["counts"];
    CHECK(counts["type"] == "array");
    CHECK(counts["description"] == "How often.");
    CHECK(counts["items"]["properties"]["key"]["type"] == "string");
    CHECK(counts["items"]["properties"]["value"]["type"] == "integer");
    const Json any = openai<AnyInside>(acta::SchemaMaps::key_value_lists);
    CHECK(schema_checks::openai_problems(any) == Problems());
    CHECK(any["$defs"]["AnyValue"]["anyOf"].size() == 6);
}

TEST_CASE("tuples") {
    const auto [path, text] = error_of([] { return openai<WithTuple>(); });
    CHECK(path == "/mixed");
    CHECK_THAT(text, contains_text("a tuple of several types"));
    const Json schema = openai<WithTuple>(acta::SchemaMaps::key_value_lists);
    CHECK(schema_checks::openai_problems(schema) == Problems());
    CHECK(schema["properties"]["mixed"]["required"].dump() == R"(["0","1","2"])");
    CHECK(schema["properties"]["mixed"]["description"] == "Three.");
    CHECK(schema["properties"]["alike"]["items"]["type"] == "integer");
    CHECK(schema["properties"]["alike"]["minItems"] == 2);
    const Json other = anthropic<WithTuple>();
    CHECK(schema_checks::anthropic_problems(other) == Problems());
    CHECK_THAT(other["properties"]["mixed"]["description"].get<std::string>(),
               starts_with_text("Three. (in this order: integer, string, Place, "));
    CHECK(other["properties"]["mixed"]["items"]["anyOf"].size() == 3);
}

TEST_CASE("recursive types refer to themselves, and the root is written out") {
    for (const Json& schema : {openai<Folder>(), anthropic<Folder>()}) {
        CHECK(schema["type"] == "object");
        CHECK_FALSE(schema.contains("$ref"));
        CHECK(schema["properties"]["folders"]["items"].dump() == R"({"$ref":"#/$defs/Folder"})");
        CHECK(schema["$defs"]["Folder"]["properties"]["folders"]["items"]["$ref"] == "#/$defs/Folder");
    }
    CHECK(schema_checks::openai_problems(openai<Folder>()) == Problems());
    const Json mcp = acta::schema<Folder>({.dialect = SchemaDialect::mcp});
    CHECK(schema_checks::mcp_problems(mcp) == Problems());
    CHECK(mcp["properties"]["name"]["type"] == "string");
}

TEST_CASE("an empty struct is an object without keys") {
    const Json schema = openai<Nothing>();
    CHECK(schema_checks::openai_problems(schema) == Problems());
    CHECK(schema["properties"].empty());
    CHECK(schema["required"].dump() == "[]");
    CHECK(anthropic<Nothing>()["additionalProperties"] == false);
    CHECK(acta::schema<Nothing>({.dialect = SchemaDialect::mcp})["type"] == "object");
}

TEST_CASE("the root is neither a union nor a list, but wrapped for MCP") {
    CHECK_THAT(error_of([] { return openai<Shape>(); }).second, contains_text("the root of the schema is a union"));
    CHECK_THAT(error_of([] { return anthropic<Shape>(); }).second, contains_text("the root of the schema is a union"));
    CHECK_THROWS_AS(openai<std::vector<Place>>(), acta::SchemaError);
    CHECK_THROWS_AS(anthropic<int>(), acta::SchemaError);
    CHECK_THROWS_AS(openai<std::optional<Place>>(), acta::SchemaError);
    const Json shape = acta::schema<Shape>({.dialect = SchemaDialect::mcp});
    CHECK(schema_checks::mcp_problems(shape) == Problems());
    CHECK(shape["properties"]["result"]["oneOf"].size() == 2);
    CHECK(shape["required"].dump() == R"(["result"])");
    CHECK(shape["$defs"].size() == 2);
    CHECK(acta::schema<int>({.dialect = SchemaDialect::mcp})["properties"]["result"]["type"] == "integer");
    CHECK(acta::schema<Json>({.dialect = SchemaDialect::mcp})["properties"]["result"].empty());
    CHECK(acta::schema<std::map<std::string, int>>({.dialect = SchemaDialect::mcp})["additionalProperties"]["type"] ==
          "integer");
}

TEST_CASE("a type's own schema goes through the rules, too") {
    struct {
        const char* dialect;
        Json schema;
    } const cases[] = {
        {"openai", acta::convert_schema(Json::parse(R"({"type":"object","properties":{"code":)" +
                                                    acta::schema<Code>().dump() + R"(},"required":["code"]})"),
                                        {.dialect = SchemaDialect::openai_strict})},
        {"anthropic", acta::convert_schema(Json::parse(R"({"type":"object","properties":{"code":)" +
                                                       acta::schema<Code>().dump() + R"(},"required":["code"]})"),
                                           {.dialect = SchemaDialect::anthropic})}};
    for (const auto& [dialect, schema] : cases) {
        INFO(dialect);
        const Json& choices = schema["properties"]["code"]["anyOf"];
        REQUIRE(choices.size() == 2);
        CHECK(choices[0]["description"] == "(pattern: \"^(?=x)\", format: \"iban\")");
        CHECK_FALSE(choices[0].contains("pattern"));
        CHECK(choices[1]["pattern"] == "^[A-Z]+$");
        CHECK(choices[1]["format"] == "uuid");
    }
}

TEST_CASE("options: aliases, and where definitions are found") {
    const acta::SchemaOptions elsewhere{.dialect = SchemaDialect::mcp, .ref_template = "#/components/{model}"};
    const Json mcp = acta::schema<Folder>(elsewhere);
    CHECK(mcp["type"] == "object");
    CHECK(mcp["properties"]["folders"]["items"]["$ref"] == "#/components/Folder");
    for (const SchemaDialect dialect : {SchemaDialect::openai_strict, SchemaDialect::anthropic}) {
        const acta::SchemaOptions options{.dialect = dialect, .ref_template = "#/components/{model}"};
        CHECK_THROWS_AS(acta::schema<Place>(options), acta::SchemaError);
    }
}

namespace {

struct Sail {
    std::string to{};
};
struct Anchor {
    int depth = 0;
};
using Order = std::variant<Sail, Anchor>;

struct Orders {
    std::vector<Order> all{};
    std::optional<Order> next{};
};

}  // namespace

template <>
struct acta::Describe<Sail> {
    static constexpr auto fields =
        acta::fields(acta::literal("kind", "sail", "Whither."), acta::required("to", &Sail::to));
};
template <>
struct acta::Describe<Anchor> {
    static constexpr auto fields =
        acta::fields(acta::literal("kind", "anchor"), acta::required("depth", &Anchor::depth));
};
template <>
struct acta::Describe<Order> {
    static constexpr std::string_view name = "Order";
    static constexpr std::string_view tag = "kind";
};
template <>
struct acta::Describe<Orders> {
    static constexpr auto fields =
        acta::fields(acta::required("all", &Orders::all), acta::defaulted("next", &Orders::next));
};

TEST_CASE("a tagged variant is a oneOf with a discriminator, as pydantic writes it, and an anyOf in other dialects") {
    const Json schema = acta::schema<Orders>();
    const Json choice = Json::parse(R"({"discriminator": {"mapping": {"sail": "#/$defs/Sail",
        "anchor": "#/$defs/Anchor"}, "propertyName": "kind"}, "oneOf": [{"$ref": "#/$defs/Sail"},
        {"$ref": "#/$defs/Anchor"}]})");
    CHECK(schema["properties"]["all"]["items"] == choice);
    CHECK(schema["$defs"]["Sail"]["properties"]["kind"].dump() ==
          R"({"const":"sail","title":"Kind","type":"string","description":"Whither."})");
    CHECK(schema["$defs"]["Anchor"]["properties"]["kind"].dump() ==
          R"({"const":"anchor","title":"Kind","type":"string"})");
    CHECK(schema["properties"]["next"]["anyOf"] == Json(acta::JsonArray{choice, Json::parse(R"({"type": "null"})")}));
    for (const SchemaDialect dialect : {SchemaDialect::openai_strict, SchemaDialect::anthropic}) {
        const Json other = acta::schema<Orders>({.dialect = dialect});
        CHECK(other.dump().find("discriminator") == std::string::npos);
        CHECK(other["properties"]["all"]["items"]["anyOf"].size() == 2);
    }
}
