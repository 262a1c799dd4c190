// SPDX-License-Identifier: MIT
#include "acta/schema/schema.hpp"

#include <string>
#include <utility>

#include "schema/schema_checks.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

using acta::Json;
using acta::SchemaDialect;
using schema_checks::error_of;
using schema_checks::Problems;

Json convert(const char* schema, SchemaDialect dialect) {
    return acta::convert_schema(Json::parse(schema), {.dialect = dialect});
}

}  // namespace

TEST_CASE("schemas from elsewhere: what cannot be expressed is refused with its path") {
    const auto refuse = [](const char* schema) {
        return error_of([&] { return convert(schema, SchemaDialect::openai_strict); });
    };
    CHECK(refuse(R"({"type":"object","properties":{"a":{"allOf":[{"type":"string"},{"minLength":1}]}}})").first ==
          "/a");
    CHECK(refuse(R"({"type":"object","properties":{"a":{"items":false}}})").first == "/a/*");
    CHECK(refuse(R"({"type":"object","properties":{"a":{"$ref":"https://example.org/a.json"}}})").first == "/a");
    CHECK(refuse(R"({"type":"object","properties":{"a/b":{"anyOf":[]}}})").first == "/a~1b");
    CHECK(refuse(R"({"type":"object","properties":{"x":{}},"additionalProperties":{"type":"string"}})").second !=
          "no error");
    CHECK(
        refuse(
            R"({"type":"object","properties":{"o":{"properties":{"p":{"type":"string"}},"additionalProperties":true}}})")
            .first == "/o");
    CHECK(refuse(R"({"type":"object","properties":7})") ==
          std::pair(std::string(), std::string("the schema has a value where it must have an object")));
    CHECK(refuse(R"({"$ref":"#/$defs/A","$defs":{"A":{"$ref":"#/$defs/A"}}})").second != "no error");
    CHECK(refuse(R"({"$ref":"#/$defs/A","$defs":7})").second != "no error");
    CHECK(refuse(R"({"type":"object","properties":{"e":{"enum":[]}}})").first == "/e");
    for (const char* const union_key : {"anyOf", "oneOf"}) {
        for (const char* const beside : {R"("properties":{"p":{"type":"string"}})", R"("items":{"type":"string"})",
                                         R"("prefixItems":[{"type":"string"}])"}) {
            const std::string schema = R"({"type":"object","properties":{"u":{")" + std::string(union_key) +
                                       R"(":[{"type":"string"}],)" + beside + "}}}";
            const auto [path, text] = refuse(schema.c_str());
            CHECK(path == "/u");
            CHECK_THAT(text, contains_text("a union with '"));
        }
    }
    for (const char* const root : {"[1,2]", "false"})
        CHECK_THAT(refuse(root).second, starts_with_text("the root of the schema is not an object with named keys; "));
    for (const auto& [schema, message] :
         {std::pair("false", "a tool cannot have a schema that accepts no value"),
          {R"({"$ref":"#/nowhere"})", "the reference at the root of the schema leads nowhere"}}) {
        const auto [path, text] = error_of([&, tool = schema] { return convert(tool, SchemaDialect::mcp); });
        CHECK(path.empty());
        CHECK(text == message);
    }
    const auto [path, text] = error_of([] {
        return acta::convert_schema(Json::object(),
                                    {.dialect = SchemaDialect::anthropic, .ref_template = "#/x/{model}"});
    });
    CHECK(path.empty());
    CHECK_THAT(text, starts_with_text("ref_template must be #/$defs/{model} for ") &&
                         ends_with_text(", which looks for definitions nowhere else"));
}

TEST_CASE("schemas from elsewhere: what can be said another way is") {
    const Json schema = convert(
        R"({"type":"object","properties":{
            "mixed":{"type":["object","null"],"properties":{"x":{"type":"number"}},"description":"A point."},
            "name":{"allOf":[{"$ref":"#/definitions/N"}],"description":"Its name."},
            "kind":{"enum":["a","b"]},"flag":{"const":true},
            "set":{"type":"array","items":{"type":"string"},"uniqueItems":true},
            "again":{"oneOf":[{"type":"string"},{"type":"string"}]}},
            "required":["mixed","name","kind","flag","set","again"],"$schema":"https://json-schema.org/draft/2020-12/schema",
            "definitions":{"N":{"type":"string","$comment":"x"}}})",
        SchemaDialect::openai_strict);
    INFO(schema.dump(1));
    const Json& properties = schema["properties"];
    CHECK(properties["mixed"]["anyOf"][0]["additionalProperties"] == false);
    CHECK(properties["mixed"]["anyOf"][1]["type"] == "null");
    CHECK(properties["mixed"]["description"] == "A point.");
    CHECK(properties["name"].dump() == R"({"type":"string","description":"Its name."})");
    CHECK(properties["kind"]["type"] == "string");
    CHECK(properties["flag"]["type"] == "boolean");
    CHECK(properties["set"]["description"] == "(uniqueItems)");
    CHECK(properties["again"]["anyOf"].size() == 1);
    CHECK_FALSE(schema.contains("$schema"));
}

TEST_CASE("a property that may be missing is required and may be null, for OpenAI alone") {
    const char* const text = R"({"type":"object","required":["id"],"properties":{
        "id":{"type":"string"}, "state":{"type":"string","enum":["open","shut"]}, "kind":{"const":"k"},
        "count":{"type":"integer","description":"How many."}, "limit":{"type":"integer","default":3},
        "either":{"type":["string","null"]}, "some":{"anyOf":[{"type":"string"},{"type":"integer"}]},
        "port":{"$ref":"#/$defs/Port"}, "list":{"type":"array","items":{"type":"string"},"description":"All."}},
        "$defs":{"Port":{"type":"object","properties":{"name":{"type":"string"}}}}})";
    const Json schema = convert(text, SchemaDialect::openai_strict);
    INFO(schema.dump(1));
    const Json& properties = schema["properties"];
    CHECK(schema["required"].size() == properties.size());
    CHECK(properties["id"].dump() == R"({"type":"string"})");
    CHECK(properties["state"].dump() == R"({"type":["string","null"],"enum":["open","shut",null]})");
    CHECK(properties["kind"].dump() == R"({"type":"string","const":"k"})");
    CHECK(properties["count"].dump() == R"({"type":["integer","null"],"description":"How many."})");
    CHECK(properties["limit"]["type"] == "integer");  // a model writes the default, as it does a constant
    CHECK(properties["either"]["type"].size() == 2);
    CHECK(properties["some"]["anyOf"].size() == 3);
    CHECK(properties["port"].dump() == R"({"anyOf":[{"$ref":"#/$defs/Port"},{"type":"null"}]})");
    CHECK(properties["list"]["anyOf"][1]["type"] == "null");
    CHECK(properties["list"]["description"] == "All.");
    CHECK(schema["$defs"]["Port"]["properties"]["name"]["type"].size() == 2);
    CHECK(convert(text, SchemaDialect::anthropic)["properties"]["state"]["type"] == "string");
}

TEST_CASE("OpenAI's limits are checked") {
    const auto object = [](Json properties) {
        Json out = Json::parse(R"({"type":"object"})");
        out["properties"] = std::move(properties);
        return out;
    };
    const auto check = [](const Json& schema) {
        return error_of([&] { return acta::convert_schema(schema, {.dialect = SchemaDialect::openai_strict}); });
    };
    const auto text = Json::parse(R"({"type":"string"})");

    SECTION("ten levels of objects and lists") {
        Json schema = text;
        for (int i = 0; i < 10; ++i) {
            Json properties = acta::JsonObject();
            properties["a"] = schema;
            schema = object(std::move(properties));
        }
        CHECK(check(schema).second == "no error");
        CHECK(schema_checks::levels(schema, schema) == 10);
        Json properties = acta::JsonObject();
        properties["deep"] = schema;
        const auto [path, what] = check(object(std::move(properties)));
        CHECK(path == "/deep/a/a/a/a/a/a/a/a/a");
        CHECK_THAT(what, contains_text("more than 10 levels"));
    }
    SECTION("five thousand properties") {
        Json properties = acta::JsonObject();
        for (int i = 0; i < 5000; ++i)
            properties.get_ref<Json::object_t&>().emplace_back("p" + std::to_string(i), text);
        CHECK(check(object(properties)).second == "no error");
        properties.get_ref<Json::object_t&>().emplace_back("q", text);
        CHECK_THAT(check(object(properties)).second, contains_text("5000 properties"));
    }
    SECTION("a thousand enum values, and less text where there are many") {
        const auto of_values = [&](int count, std::size_t length) {
            Json values = acta::JsonArray();
            for (int i = 0; i < count; ++i) {
                std::string value = std::to_string(i);
                value.resize(length, 'x');
                values.push_back(value);
            }
            Json properties = acta::JsonObject();
            properties["e"]["enum"] = std::move(values);
            Json out = object(std::move(properties));
            out["required"].push_back("e");
            return out;
        };
        CHECK(check(of_values(1000, 15)).second == "no error");
        CHECK_THAT(check(of_values(1001, 4)).second, contains_text("1001 enum values"));
        CHECK_THAT(check(of_values(251, 60)).second, contains_text("more than 250 values"));
        for (const std::size_t characters : {15'000U, 15'001U}) {
            Json schema = of_values(251, 59);
            schema["properties"]["e"]["enum"].back() = std::string(characters - 250 * 59, 'y');
            CHECK((check(schema).second == "no error") == (characters == 15'000));
        }
        CHECK(check(of_values(250, 61)).second == "no error");
    }
    SECTION("120 000 characters in names and values, counted as characters") {
        std::string name;
        for (int i = 0; i < 119'999; ++i) name += "\xC3\xA9";
        Json properties = acta::JsonObject();
        properties[name] = text;
        CHECK(check(object(properties)).second == "no error");
        properties["ab"] = text;
        CHECK_THAT(check(object(properties)).second, contains_text("120001 characters"));
    }
    SECTION("a schema nested without end is an error, not a crash") {
        std::string schema;
        for (int i = 0; i < 5000; ++i) schema += R"({"type":"array","items":)";
        schema += "{}" + std::string(5000, '}');
        CHECK_THAT(check(Json::parse(R"({"type":"object","properties":{"a":)" + schema + "}}")).second,
                   contains_text("nested too deep"));
        const auto is_taken = [](std::size_t lists, SchemaDialect dialect) {  // besides the object and its properties
            Json inner = Json::object({{"type", "string"}});
            for (std::size_t i = 0; i < lists; ++i) inner = {{"type", "array"}, {"items", std::move(inner)}};
            const Json nested{{"type", "object"}, {"properties", {{"a", std::move(inner)}}}};
            return error_of([&] { return acta::convert_schema(nested, {.dialect = dialect}); }).second == "no error";
        };
        CHECK(is_taken(400 - 3, SchemaDialect::mcp));
        CHECK_FALSE(is_taken(400 - 2, SchemaDialect::mcp));
        CHECK(is_taken(200 - 2, SchemaDialect::anthropic));
        CHECK_FALSE(is_taken(200 - 1, SchemaDialect::anthropic));
    }
}

TEST_CASE("types that use one another many times make no endless schema") {
    // 4^8 objects would be more than three times what is written out; a deeper schema takes longer.
    const std::size_t types = test_size(8, 40);
    const std::size_t uses = test_size(4, 2);
    std::string defs = R"("T0":{"type":"object","properties":{"x":{"type":"string"}}})";
    for (std::size_t i = 1; i <= types; ++i) {
        const std::string ref = R"({"$ref":"#/$defs/T)" + std::to_string(i - 1) + R"(","description":"d"})";
        defs += R"(,"T)" + std::to_string(i) + R"(":{"type":"object","properties":{)";
        for (std::size_t use = 0; use < uses; ++use)
            defs += (use == 0 ? "\"p" : ",\"p") + std::to_string(use) + "\":" + ref;
        defs += "}}";
    }
    const std::string schema = R"({"$ref":"#/$defs/T)" + std::to_string(types) + R"(","$defs":{)" + defs + "}}";
    const Json made = convert(schema.c_str(), SchemaDialect::anthropic);
    CHECK(schema_checks::anthropic_problems(made) == Problems());
    std::size_t nodes = 0;
    schema_checks::each_node(made, "", [&](const Json&, const std::string&) { ++nodes; });
    CHECK(nodes < 40'000);
    CHECK_THROWS_AS(convert(schema.c_str(), SchemaDialect::openai_strict), acta::SchemaError);
}

TEST_CASE("a definition is written out where something stands beside its reference, until 20 000 schemas are") {
    const auto object = [](std::size_t schemas) {
        acta::JsonObject properties;
        for (std::size_t i = 1; i < schemas; ++i) properties.emplace_back("p" + std::to_string(i), true);
        return Json{{"type", "object"}, {"properties", std::move(properties)}};
    };
    const auto is_written_out = [&](std::size_t others) {
        Json properties = Json::object();
        for (int i = 0; i < 199; ++i) properties["p" + std::to_string(i)] = object(100);
        properties["q"] = object(others);
        properties["r"] = {{"$ref", "#/$defs/D"}, {"description", "Beside."}};
        const Json schema{{"type", "object"},
                          {"properties", std::move(properties)},
                          {"required", {"r"}},
                          {"$defs", {{"D", {{"type", "string"}}}}}};
        const Json made = acta::convert_schema(schema, {.dialect = SchemaDialect::anthropic});
        return made["properties"]["r"].contains("type");
    };
    CHECK(is_written_out(98));  // with the root and the reference itself 20 000
    CHECK_FALSE(is_written_out(99));
}

TEST_CASE("an object with named keys and free ones beside them keeps both where the dialect can") {
    const Json schema = Json::parse(
        R"({"type":"object","properties":{"a":{"type":"string"}},"additionalProperties":{"type":"integer","minimum":0}})");
    const Json written = acta::convert_schema(schema, {.dialect = acta::SchemaDialect::anthropic});
    CHECK(written["properties"]["a"]["type"] == "string");
    CHECK(written["additionalProperties"]["type"] == "integer");
    CHECK_THROWS_AS(acta::convert_schema(schema, {.dialect = acta::SchemaDialect::openai_strict}), acta::SchemaError);
}

TEST_CASE("the order of a tuple is described with the type at each place") {
    const Json schema = Json::parse(R"({"type":"object","properties":{"t":{"type":"array","prefixItems":[
        {"type":"integer"},{"anyOf":[{"type":"string"},{"type":"null"}]},{}]}}})");
    const Json written = acta::convert_schema(schema, {.dialect = acta::SchemaDialect::anthropic});
    CHECK_THAT(written["properties"]["t"]["description"].get<std::string>(),
               contains_text("(in this order: integer, string or null, any value"));
}

TEST_CASE("references may lead to references, 64 in a row") {
    const auto chain = [](std::size_t links) {
        Json schema =
            Json::parse(R"({"type":"object","properties":{"a":{"$ref":"#/$defs/D0"}},"required":["a"],"$defs":{}})");
        for (std::size_t i = 0; i < links; ++i)
            schema["$defs"]["D" + std::to_string(i)]["$ref"] = "#/$defs/D" + std::to_string(i + 1);
        schema["$defs"]["D" + std::to_string(links)]["type"] = "string";
        return schema;
    };
    const acta::SchemaOptions options{.dialect = acta::SchemaDialect::openai_strict};
    below_at_above("references of a JSON Schema that lead to other references", 64, [&](std::size_t references) {
        try {  // with the one of the property
            return acta::convert_schema(chain(references - 1), options)["properties"]["a"]["$ref"] == "#/$defs/D0";
        } catch (const acta::SchemaError&) {
            return false;
        }
    });
    CHECK_THROWS_WITH(acta::convert_schema(chain(64), options), contains_text("through more than 64 in a row"));
}

TEST_CASE("references that end nowhere are errors") {
    for (const char* const ref : {"#/$defs/None", "#/elsewhere/X", "3", "#/$defs/Itself", "#/$defs/There"}) {
        INFO(ref);
        const Json schema = Json::parse(std::string(R"({"type":"object","properties":{"a":{"$ref":)") +
                                        (ref[0] == '3' ? "3" : '"' + std::string(ref) + '"') +
                                        R"(}},"$defs":{"Other":{"type":"string"},
            "Itself":{"$ref":"#/$defs/Itself"},"There":{"$ref":"#/$defs/Back"},"Back":{"$ref":"#/$defs/There"}}})");
        CHECK_THROWS_AS(acta::convert_schema(schema, {.dialect = acta::SchemaDialect::openai_strict}),
                        acta::SchemaError);
    }
}
