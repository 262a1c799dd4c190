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
