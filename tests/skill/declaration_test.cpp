// SPDX-License-Identifier: MIT
#include "acta/skill/declaration.hpp"

#include <fstream>

#include "acta/json/json.hpp"
#include "acta/pysyntax/call.hpp"
#include "support/catch.hpp"
#include "support/golden.hpp"
#include "support/paths.hpp"

namespace {

using acta::Skill;

/// JSON as the vectors have it: an infinity is `{"$float": "inf"}`.
acta::Json plain(acta::Json value) {
    if (value.is_object() && value.contains("$float")) {
        const double infinity = std::numeric_limits<double>::infinity();
        return {value["$float"] == acta::Json("inf") ? infinity : -infinity};
    }
    if (value.is_structured()) {
        for (acta::Json& one : value) one = plain(one);
    }
    return value;
}

Skill skill_of(const std::string& name, const std::vector<std::string>& parameters) {
    Skill skill;
    skill.name = name;
    skill.parameters.emplace();
    for (const std::string& parameter : parameters)
        skill.parameters->emplace(parameter, Skill::Parameter{"any", {}, {}});
    return skill;
}

const char* const declaration_text = R"json({
  "skillapi": "0.1.0",
  "info": {"title": "left out"},
  "entities": {
    "Assistant": {"summary": "left out", "skills": [
      {"name": "search", "description": "Looks.", "x-prerequisite": {"key": {"type": "string"}},
       "parameters": {"query": {"type": "string", "description": "What.", "required": true},
                      "limit": {"type": "int", "default": 6, "minimum": 1, "required": false},
                      "kind": {"type": "str", "enum": ["a", "b"]}, "odd": {"type": "thing"}},
       "examples": [{"ask": "Look for tides", "answer": "search(query=\"tides\")"}], "returns": {"type": "string"}},
      {"name": "draw", "description": "Draws.", "examples": [], "returns": {"type": "string", "format": "base64"}},
      {"name": "sing", "examples": [], "returns": {"type": "string"}}
    ]},
    "Other": {"skills": []}
  }
})json";

}  // namespace

TEST_CASE("prompts for arguments are those of the golden vectors") {
    const acta::Json rows = golden::rows("skill_prompts.json");
    CHECK(rows.size() > 5);
    for (const acta::Json& row : rows) {
        const auto skill = acta::validate<Skill>(row["skill"]);
        CHECK(acta::arguments_prompt(skill, row["ask"].get<std::string>()) == row["prompt"].get<std::string>());
    }
}

TEST_CASE("positional arguments are bound as in the golden vectors") {
    const acta::Json rows = golden::rows("calls.json")["positional"];
    CHECK(rows.size() > 10);
    for (const acta::Json& row : rows) {
        INFO(row["text"]);
        const Skill skill = skill_of(row["skill"], row["parameters"].get<std::vector<std::string>>());
        const auto arguments = acta::parse_arguments(skill, row["text"].get<std::string>());
        REQUIRE(arguments);
        CHECK(acta::Json(*arguments).dump() == plain(row["arguments"]).dump());
    }
}

TEST_CASE("a declaration is looked into by name") {
    const auto declaration = acta::parse<acta::SkillsDeclaration>(declaration_text);
    const Skill* const search = declaration.get_skill("search");
    REQUIRE(search != nullptr);
    CHECK(declaration.get_skill("search", "Other") == nullptr);
    CHECK(declaration.get_skill("search", "Nobody") == nullptr);
    CHECK(declaration.get_skill("dance") == nullptr);
    CHECK(acta::dump(search->arguments()) == R"({"query":"What.","limit":"","kind":"","odd":""})");

    CHECK(acta::dump(declaration.get_skill_list()) == R"({"Looks.":"search","Draws.":"draw","":"sing"})");
    const std::vector<std::string> active{"draw", "unknown"};
    CHECK(acta::dump(declaration.get_skill_list(active)) == R"({"Draws.":"draw"})");
    CHECK(declaration.get_skill_list({}, "Nobody").empty());
}

TEST_CASE("what a declaration says of parameters is kept, written back and in the schema of the call") {
    const auto declaration = acta::parse<acta::SkillsDeclaration>(declaration_text);
    const Skill& search = *declaration.get_skill("search");
    CHECK(acta::Json(search.parameters->at("query").extra).dump() == R"({"required":true})");
    CHECK_THAT(acta::dump(search), contains_text(R"("limit":{"type":"int","description":null,"default":6,"minimum":1,)"
                                                 R"("required":false})"));
    CHECK(acta::parse<acta::SkillsDeclaration>(acta::dump(declaration)) == declaration);

    const acta::Json schema = acta::call_schema(search);
    CHECK(schema.dump() ==
          R"({"properties":{"query":{"type":"string","description":"What."},)"
          R"("limit":{"type":"integer","default":6,"minimum":1},"kind":{"type":"string","enum":["a","b"]},"odd":{}},)"
          R"("required":["query"],"title":"search","type":"object"})");
    const acta::ToolDefinition tool = acta::tool_definition(search);
    CHECK(tool.name == "search");
    CHECK(tool.description == "Looks.");
    CHECK(acta::call_schema(*declaration.get_skill("sing")).size() == 3);
    Skill undescribed = search;
    undescribed.parameters->at("query").description = "";
    CHECK(acta::call_schema(undescribed)["properties"]["query"].dump() == R"({"type":"string"})");
}

TEST_CASE("all calls of the Berkeley file system bind through its declarations") {
    std::ifstream tools(paths::shared_data("bfcl/gorilla_file_system.jsonl"));
    std::ifstream calls(paths::shared_data("bfcl/multi_turn_base.jsonl"));
    if (!tools || !calls) ACTA_SKIP("bfcl is not there");
    std::map<std::string, Skill> skills;
    for (std::string line; std::getline(tools, line);) {
        const acta::Json tool = acta::Json::parse(line);
        Skill skill = skill_of(tool["name"], {});
        for (const auto& [name, property] : tool["parameters"]["properties"].items())
            skill.parameters->emplace(name, acta::validate<Skill::Parameter>(property));
        skills.emplace(skill.name, std::move(skill));
    }
    std::size_t all = 0;
    std::vector<std::string> positional;
    for (std::string line; std::getline(calls, line);) {
        const acta::Json row = acta::Json::parse(line);
        for (const acta::Json& turn : row["ground_truth"]) {
            for (const acta::Json& text : turn) {
                ++all;
                const auto [call, unnamed, begin, end] = acta::parse_call(text.get<std::string>());
                const auto skill = skills.find(call.name);
                if (skill == skills.end()) continue;
                const auto arguments = acta::parse_arguments(skill->second, text.get<std::string>());
                REQUIRE(arguments);
                for (const auto& [key, value] : *arguments) CHECK(skill->second.parameters->count(key) == 1);
                if (!unnamed.empty()) positional.push_back(acta::print_call(call.name, *arguments));
            }
        }
    }
    CHECK(all == 1142);
    CHECK(positional == std::vector<std::string>{"sort(file_name='final_report.pdf')", "cd(folder='archives')",
                                                 "cd(folder='Reports')", "touch(file_name='result.txt')"});
}
