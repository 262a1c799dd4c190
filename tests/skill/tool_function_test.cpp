// SPDX-License-Identifier: MIT
#include <string>
#include <utility>

#include "acta/json/json.hpp"
#include "acta/skill/execute.hpp"
#include "acta/skill/registry.hpp"
#include "support/catch.hpp"

// Tools whose parameters are only known at run time.
namespace {

acta::ActionResult echo_arguments(const acta::JsonObject& arguments, acta::SkillContext& context) {
    context.check();
    return acta::ActionSuccessResult{.outputs = acta::dump(acta::Json(arguments))};
}

acta::SkillRegistry run_time_tools(const std::string& schema) {
    acta::SkillRegistry skills;
    skills.add({"tides", "The tides.", acta::parse<acta::Json>(schema)}, echo_arguments, {.read_only = true});
    return skills;
}

std::string call_tides(const acta::SkillRegistry& skills, acta::JsonObject arguments) {
    return acta::to_string(skills.call("tides", std::move(arguments)));
}

}  // namespace

TEST_CASE("a tool whose parameters are known at run time is offered with its schema and gets its arguments") {
    const acta::SkillRegistry skills =
        run_time_tools(R"({"type": "object", "properties": {"port": {"type": "string"}, "days": {"type": "integer"}},
                           "required": ["port"], "x-own": true})");
    const acta::ToolDefinition tool = acta::tools(skills).front();
    CHECK(tool.name == "tides");
    CHECK(tool.description == "The tides.");
    CHECK(tool.parameters["x-own"] == acta::Json(true));
    CHECK(skills.at("tides").hints().read_only == true);
    CHECK(skills.at("tides").takes("days"));
    CHECK(skills.at("tides").parameter_names().size() == 2);
    CHECK(call_tides(skills, {{"port", "Brest"}, {"days", 2.0}, {"more", acta::JsonArray{1}}}) ==
          R"({"port":"Brest","days":2.0,"more":[1]})");
    for (const auto dialect : {acta::ToolDialect::openai_chat, acta::ToolDialect::openai_responses,
                               acta::ToolDialect::anthropic, acta::ToolDialect::mcp})
        CHECK_THAT(acta::dump(acta::tools(skills, dialect).tools), contains_text("port"));
}

TEST_CASE("arguments of a tool that is known at run time are checked with its schema") {
    const acta::SkillRegistry skills = run_time_tools(
        R"({"properties": {"port": {"type": "string", "minLength": 1}, "days": {"type": ["integer", "null"]},
                           "any": {"enum": [1]}}, "required": ["port"], "additionalProperties": false})");
    CHECK(call_tides(skills, {{"port", "Brest"}, {"days", nullptr}, {"any", 1.0}}) ==
          R"({"port":"Brest","days":null,"any":1.0})");
    CHECK_THAT(call_tides(skills, {}), contains_text("port: Field required"));
    CHECK_THAT(call_tides(skills, {{"port", 1}}), contains_text("port: Input should be of the type \"string\""));
    CHECK_THAT(call_tides(skills, {{"port", ""}}), contains_text("port: String should have at least 1 character"));
    CHECK_THAT(call_tides(skills, {{"port", "a"}, {"any", 2}}), contains_text("any: Input should be 1"));
    CHECK_THAT(call_tides(skills, {{"port", "a"}, {"days", 1.5}}), contains_text("days: Input should be"));
    CHECK_THAT(call_tides(skills, {{"port", "a"}, {"harbour", 1}}), contains_text("there is no such parameter"));
    CHECK_THROWS_AS(skills.check_arguments("tides", {}), acta::InvalidArguments);
}

TEST_CASE("null is left out of arguments that need not be given and may not be null") {
    const acta::SkillRegistry skills = run_time_tools(
        R"({"properties": {"port": {"type": "string"}, "days": {"type": "integer"}, "at": {"type": ["string", "null"]}},
            "required": ["port"], "additionalProperties": {"type": "boolean"}})");
    CHECK(call_tides(skills, {{"port", "Brest"}, {"days", nullptr}, {"at", nullptr}}) ==
          R"({"port":"Brest","at":null})");
    CHECK(call_tides(skills, {{"port", "Brest"}, {"at", nullptr}, {"more", nullptr}}) ==
          R"({"port":"Brest","at":null})");
    CHECK_THAT(call_tides(skills, {{"port", nullptr}, {"days", nullptr}}),
               contains_text("port: Input should be of the type \"string\""));
    CHECK_THAT(call_tides(skills, {{"port", 1}, {"days", nullptr}}), !contains_text("days"));
}

TEST_CASE("arguments that no JSON can have are refused before the schema is asked") {
    const acta::SkillRegistry skills = run_time_tools(R"({"properties": {"port": {"type": "array"}}})");
    acta::Json deep = 1;
    for (int i = 0; i < 1000; ++i) deep = acta::Json::array({std::move(deep)});
    try {
        skills.check_arguments("tides", {{"port", deep}});
        FAIL("taken");
    } catch (const acta::InvalidArguments& error) {
        REQUIRE(error.issues().size() == 1);
        CHECK_THAT(std::string(error.what()), ends_with_text("Input should be nested at most 100 levels deep"));
    }
}

TEST_CASE("the faults of arguments that a schema does not accept are bounded") {
    const acta::SkillRegistry skills = run_time_tools(R"({"properties": {"a": {"items": {"type": "null"}}}})");
    const auto faults = [&](std::size_t items) {
        try {
            skills.check_arguments("tides", {{"a", acta::JsonArray(items, acta::Json(1))}});
        } catch (const acta::InvalidArguments& error) {
            return std::pair(error.issues().size(), std::string(error.what()).ends_with("; ..."));
        }
        return std::pair(std::size_t{0}, false);
    };
    CHECK(faults(0) == std::pair(std::size_t{0}, false));
    CHECK(faults(99) == std::pair(std::size_t{99}, false));
    CHECK(faults(101) == std::pair(std::size_t{100}, true));
}

TEST_CASE("only a schema that forbids further arguments does so") {
    const auto with = [](const std::string& more) {
        return run_time_tools(R"({"properties": {}, "additionalProperties": )" + more + "}");
    };
    for (const std::string more : {"true", "{}", R"({"type": "integer"})", "null"})
        CHECK(call_tides(with(more), {{"a", 1}}) == R"({"a":1})");
    CHECK_THAT(call_tides(with(R"({"type": "string"})"), {{"a", 1}}), contains_text("a: Input should be of the type"));
}

TEST_CASE("schemas of tools that are known at run time may be odd") {
    for (const std::string schema : {"null", "{}", R"({"type": "object", "properties": [], "required": {}})",
                                     R"({"properties": {"a": true, "b": {"type": 1}, "c": {"type": []}}})"}) {
        INFO(schema);
        CHECK(call_tides(run_time_tools(schema), {{"a", 1}, {"b", 2}, {"c", 3}}) == R"({"a":1,"b":2,"c":3})");
    }
    acta::SkillRegistry skills;
    CHECK_THROWS_AS(skills.add({"a", "", acta::Json("x")}, echo_arguments), acta::SkillError);
    CHECK_THROWS_AS(skills.add({"a", "", nullptr}, acta::ToolFunction()), acta::SkillError);
    CHECK_THROWS_AS(skills.add({"", "", nullptr}, echo_arguments), acta::SkillError);
}

namespace {

acta::SkillsDeclaration declared(const acta::SkillRegistry& skills) {
    acta::SkillsDeclaration out;
    acta::SkillsDeclaration::Entity entity;
    entity.skills.push_back(skills.at("tides").declaration());
    out.entities.emplace("Harbour", std::move(entity));
    return out;
}

}  // namespace

TEST_CASE("a tool that is known at run time is declared as its schema says") {
    const acta::SkillRegistry skills = run_time_tools(
        R"({"properties": {"port": {"type": "string", "description": "Where.", "title": "Port", "minLength": 1},
                           "days": {"type": ["integer", "null"], "default": 1},
                           "place": {"type": "object", "properties": {"name": {}}, "required": ["name"]},
                           "area": {"type": "object", "required": ["name"]},
                           "of": {"$ref": "#/$defs/of"}, "via": {"$ref": "#/$defs/a~1b"}, "list": {"items": {"$ref": "#/$defs/of"}}},
            "required": ["port", "place"], "$defs": {"of": {"type": "string", "enum": ["a"]}, "a/b": {"$ref": "#/$defs/of"}}})");
    CHECK(acta::dump(*skills.at("tides").declaration().parameters) ==
          R"({"port":{"type":"string","description":"Where.","required":true,"minLength":1},)"
          R"("days":{"type":"any","description":null,"anyOf":[{"type":"integer"},{"type":"null"}],"default":1},)"
          R"("place":{"type":"object","description":null,"required":true,"properties":{"name":{}}},)"
          R"("area":{"type":"object","description":null,"required":["name"]},)"
          R"("of":{"type":"string","description":null,"enum":["a"]},)"
          R"("via":{"type":"string","description":null,"enum":["a"]},"list":{"type":"any","description":null}})");
    // As schemas before 2019-09 name them.
    const acta::SkillRegistry older = run_time_tools(
        R"({"properties": {"of": {"$ref": "#/definitions/of"}}, "definitions": {"of": {"type": "integer"}}})");
    CHECK(acta::dump(*older.at("tides").declaration().parameters) == R"({"of":{"type":"integer","description":null}})");
}

TEST_CASE("a declaration is checked against a tool that is known at run time") {
    const acta::SkillRegistry skills = run_time_tools(
        R"({"properties": {"days": {"type": ["integer", "null"]}, "of": {"$ref": "#/$defs/of"},
                           "again": {"$ref": "#/$defs/again"}, "none": {"$ref": "#/$defs/none"},
                           "either": {"anyOf": [{"$ref": "#/$defs/of"}, {"type": "boolean"}]}, "any": {"type": 1}},
            "required": ["days", 1],
            "$defs": {"of": {"type": "string"}, "again": {"anyOf": [{"$ref": "#/$defs/again"}, {"type": "array"}]}}})");
    const auto findings = [&](const std::string& parameter, const std::string& type) {
        acta::SkillsDeclaration declaration = declared(skills);
        auto& parameters = *declaration.entities.begin()->second.skills.front().parameters;
        parameters.clear();
        parameters.emplace("days", acta::Skill::Parameter{.type = "integer"});
        parameters[parameter] = {.type = type};
        std::string out;
        for (const acta::SkillFinding& one : acta::check(declaration, skills)) out += one.message + "\n";
        return out;
    };
    CHECK(findings("days", "null") == "");
    CHECK(findings("days", "string") == "'days' is declared as string, and the function takes integer\n");
    CHECK(findings("of", "string") == "");
    CHECK(findings("of", "object") == "'of' is declared as object, and the function takes string\n");
    CHECK(findings("again", "array") == "");
    CHECK(findings("again", "string") == "'again' is declared as string, and the function takes array\n");
    CHECK(findings("either", "string") + findings("either", "boolean") == "");
    CHECK(findings("either", "integer") == "'either' is declared as integer, and the function takes string\n");
    for (const std::string parameter : {"none", "any"}) CHECK(findings(parameter, "string") == "");
    CHECK(findings("port", "string") == "the function has no parameter 'port'\n");
    const acta::SkillRegistry needing = run_time_tools(R"({"properties": {"a": {}}, "required": ["a", "b"]})");
    const std::vector<acta::SkillFinding> found = acta::check(declared(needing), needing);
    REQUIRE(found.size() == 1);
    CHECK(found[0].parameter == "b");
    CHECK(found[0].message == "the function needs the parameter 'b', which is not declared");
}

TEST_CASE("whatever the schema of a tool that is known at run time says, it is offered, declared and checked") {
    const acta::Json good = acta::parse<acta::Json>(
        R"({"type": "object", "properties": {"a": {"type": "string", "description": "A.", "$ref": "#/$defs/b",
            "anyOf": [{"type": "string"}], "enum": ["x"], "items": {}, "required": ["c"], "properties": {"c": {}}}},
            "required": ["a"], "$defs": {"b": {"type": "string"}}, "additionalProperties": false})");
    const acta::Json values =
        acta::parse<acta::Json>(R"([null, true, 1, "x", "", [], [1], [null], {}, {"a": 1}, {"b": []}])");
    const auto play = [](const acta::Json& schema) {
        INFO(schema.dump());
        const bool is_needed = schema["required"] == acta::Json::array({"a"});
        const acta::SkillRegistry skills = run_time_tools(schema.dump());
        const acta::SkillsDeclaration declaration = declared(skills);
        CHECK(acta::parse<acta::SkillsDeclaration>(acta::dump(declaration)) == declaration);
        CHECK(acta::check(declaration, skills).size() == (schema["properties"].contains("a") || !is_needed ? 0 : 1));
        CHECK(skills.at("tides").parameter_names().size() ==
              declaration.entities.begin()->second.skills.front().parameters->size());
        for (const auto dialect : {acta::ToolDialect::openai_chat, acta::ToolDialect::openai_responses,
                                   acta::ToolDialect::anthropic, acta::ToolDialect::mcp})
            CHECK(acta::tools(skills, dialect).tools.size() == 1);
        static_cast<void>(acta::to_string(skills.call("tides", {{"a", "x"}})));
    };
    play(good);
    acta::Json without = good;
    without["properties"]["a"].erase("$ref");
    for (const char* const key : {"type", "anyOf"}) {
        for (const acta::Json& value : values) {
            acta::Json schema = without;
            schema["properties"]["a"].erase(key);
            schema["properties"]["a"][key == std::string("type") ? "anyOf" : "type"] = value;
            play(schema);
        }
    }
    for (const char* const place : {"", "/properties/a", "/properties/a/anyOf/0", "/$defs/b"}) {
        const acta::Json::json_pointer at(place);
        if (*place != '\0') {
            for (const acta::Json& value : values) {
                acta::Json schema = good;
                schema[at] = value;
                play(schema);
            }
        }
        for (const auto& [key, before] : good.at(at).get_ref<const acta::Json::object_t&>()) {
            for (const acta::Json& value : values) {
                acta::Json schema = good;
                schema[at][key] = value;
                play(schema);
            }
        }
    }
}
