// SPDX-License-Identifier: MIT
#include "acta/skill/execute.hpp"

#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/describe/constraints.hpp"
#include "schema/schema_checks.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

namespace {

struct Query {
    std::string text{};
    std::vector<Query> parts{};
};
struct Ping {};
struct Square {
    double side = 1;
};
struct Circle {
    double radius = 1;
};
using Shape = std::variant<Square, Circle>;

}  // namespace

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
struct acta::Describe<Query> {
    static constexpr auto fields = acta::fields(acta::required("text", &Query::text, "What to look for."),
                                                acta::optional_field("parts", &Query::parts));
};
template <>
struct acta::Describe<Ping> {
    static constexpr auto fields = acta::fields();
};

namespace {

using acta::Json;
using acta::ToolDialect;

acta::SkillRegistry registry() {
    acta::SkillRegistry skills;
    skills.add(
        "web.search", "Looks for pages.",
        [](const std::string& query, int limit, std::optional<std::string> site) {
            return query + " " + std::to_string(limit) + " " + site.value_or("-");
        },
        acta::param("query", "What to look for.", acta::length(1, 80)),
        acta::param("limit", "How many.", 10, acta::range(1, 50)), "site");
    skills.add("ask", "", [](const Query& query) { return query.text; });
    skills.add(
        "tally", "Counts.", [](const std::map<std::string, int>& counts) { return counts.size(); }, "counts");
    skills.add("ping", "Answers.", [](const Ping&) { return "pong"; });
    skills.add("now", "The time.", [] { return 0; });
    return skills;
}

std::vector<std::string> keys_of(const Json& object) {
    std::vector<std::string> out;
    for (const auto& [key, value] : object.items()) out.push_back(key);
    return out;
}

using Keys = std::vector<std::string>;

}  // namespace

TEST_CASE("tools for OpenAI's chat completions") {
    const auto made = acta::tools(registry(), ToolDialect::openai_chat);
    REQUIRE(made.tools.size() == 5);
    for (const Json& tool : made.tools) {
        INFO(tool.dump());
        CHECK(keys_of(tool) == Keys{"type", "function"});
        CHECK(tool["type"] == "function");
        CHECK(acta::ToolNames::is_legal(tool["function"]["name"].get<std::string>()));
        CHECK(tool["function"]["parameters"]["type"] == "object");
    }
    const Json& search = made.tools[0]["function"];
    CHECK(keys_of(search) == Keys{"name", "description", "parameters", "strict"});
    CHECK(search["name"] == "web_search");
    CHECK(search["description"] == "Looks for pages.");
    CHECK(search["strict"] == true);
    CHECK(schema_checks::openai_problems(search["parameters"]) == schema_checks::Problems());
    const Json& properties = search["parameters"]["properties"];
    CHECK(search["parameters"]["required"].dump() == R"(["query","limit","site"])");
    CHECK(properties["limit"]["description"] == "How many. (default: 10)");
    CHECK(properties["limit"]["maximum"] == 50);
    CHECK(properties["query"]["description"] == "What to look for. (maxLength: 80, minLength: 1)");
    CHECK(properties["site"]["anyOf"][1]["type"] == "null");
    // Without a description there is none, and a recursive struct stands at the root.
    CHECK(keys_of(made.tools[1]["function"]) == Keys{"name", "parameters", "strict"});
    CHECK(made.tools[1]["function"]["parameters"]["properties"]["parts"]["items"]["$ref"] == "#/$defs/Query");
    // A map has no strict form: the tool is not strict, and its schema is plain.
    CHECK(keys_of(made.tools[2]["function"]) == Keys{"name", "description", "parameters"});
    CHECK(made.tools[2]["function"]["parameters"]["properties"]["counts"]["additionalProperties"]["type"] == "integer");
    CHECK(made.tools[4]["function"]["parameters"]["properties"].empty());
    CHECK(made.tools[4]["function"]["strict"] == true);
}

TEST_CASE("tools for OpenAI's responses") {
    const auto made = acta::tools(registry(), ToolDialect::openai_responses);
    for (const Json& tool : made.tools) {
        INFO(tool.dump());
        CHECK(tool["type"] == "function");
        CHECK(tool["strict"].is_boolean());  // it would be true if it were missing
        if (tool["strict"] == true)
            CHECK(schema_checks::openai_problems(tool["parameters"]) == schema_checks::Problems());
    }
    CHECK(keys_of(made.tools[0]) == Keys{"type", "name", "description", "parameters", "strict"});
    CHECK(made.tools[2]["strict"] == false);
}

TEST_CASE("how strict OpenAI's tools are can be chosen") {
    acta::ToolDefinitionOptions options;
    options.strictness = acta::ToolStrictness::never;
    const auto loose = acta::tools(registry(), ToolDialect::openai_chat, options);
    CHECK_FALSE(loose.tools[0]["function"].contains("strict"));
    CHECK(loose.tools[0]["function"]["parameters"]["required"].dump() == R"(["query"])");
    CHECK(loose.tools[0]["function"]["parameters"]["properties"]["limit"]["default"] == 10);
    CHECK(loose.tools[1]["function"]["parameters"]["type"] == "object");

    options.strictness = acta::ToolStrictness::always;
    try {
        static_cast<void>(acta::tools(registry(), ToolDialect::openai_chat, options));
        FAIL("a map was taken");
    } catch (const acta::SchemaError& error) {
        CHECK_THAT(error.what(), starts_with_text("skill 'tally': "));
        CHECK(error.path() == "/counts");
    }

    options.maps = acta::SchemaMaps::key_value_lists;
    const auto strict = acta::tools(registry(), ToolDialect::openai_chat, options);
    for (const Json& tool : strict.tools) CHECK(tool["function"]["strict"] == true);
    CHECK(schema_checks::openai_problems(strict.tools[2]["function"]["parameters"]) == schema_checks::Problems());
    const acta::SkillRegistry skills = registry();
    const acta::JsonObject answer =
        Json::parse(R"({"counts":[{"key":"a","value":1},{"key":"b","value":2}]})").get<acta::JsonObject>();
    const acta::JsonObject arguments = acta::restore_arguments(skills.at("tally"), answer);
    CHECK(Json(arguments).dump() == R"({"counts":{"a":1,"b":2}})");
    const acta::ActionResult result = skills.call("tally", arguments);
    REQUIRE(std::holds_alternative<acta::ActionSuccessResult>(result));
    CHECK(std::get<acta::ActionSuccessResult>(result).outputs == 2);
}

TEST_CASE("tools for Anthropic's messages") {
    const auto made = acta::tools(registry(), ToolDialect::anthropic);
    for (const Json& tool : made.tools) {
        INFO(tool.dump());
        CHECK(schema_checks::anthropic_problems(tool["input_schema"]) == schema_checks::Problems());
    }
    CHECK(keys_of(made.tools[0]) == Keys{"name", "description", "input_schema"});
    CHECK(keys_of(made.tools[1]) == Keys{"name", "input_schema"});
    CHECK(made.tools[0]["input_schema"]["required"].dump() == R"(["query"])");
    CHECK(made.tools[0]["input_schema"]["properties"]["limit"]["description"] == "How many. (maximum: 50, minimum: 1)");
}

TEST_CASE("tools for MCP") {
    const auto made = acta::tools(registry(), ToolDialect::mcp);
    for (const Json& tool : made.tools) {
        INFO(tool.dump());
        CHECK(schema_checks::mcp_problems(tool["inputSchema"]) == schema_checks::Problems());
    }
    CHECK(keys_of(made.tools[0]) == Keys{"name", "description", "title", "inputSchema"});
    CHECK(made.tools[0]["title"] == "web.search");
    CHECK(keys_of(made.tools[3]) == Keys{"name", "description", "inputSchema"});
    CHECK(made.tools[0]["inputSchema"]["properties"]["limit"]["maximum"] == 50);
    CHECK(made.tools[3]["inputSchema"]["additionalProperties"] == false);
    CHECK(made.tools[4]["inputSchema"]["additionalProperties"] == false);
}

TEST_CASE("what is known of a skill's effects is said to MCP") {
    acta::SkillRegistry skills;
    skills.add("look", "Looks.", {.read_only = true, .open_world = false}, [] { return 1; });
    acta::SkillHints hints{.idempotent = true, .destructive = true};
    skills.add(
        "erase", "Erases.", hints, [](int n) { return n; }, "n");
    skills.add("pay", "Pays.", acta::SkillHints{.uses_idempotency_key = true}, [] {});
    CHECK(skills.at("look").hints() == acta::SkillHints{.read_only = true, .open_world = false});
    CHECK(skills.at("erase").hints() == hints);
    CHECK(skills.call("erase", {{"n", 2}}) == acta::ActionResult(acta::ActionSuccessResult{.outputs = 2}));
    const Json made = acta::tools(skills, ToolDialect::mcp).tools;
    CHECK(made[0]["annotations"].dump() == R"({"readOnlyHint":true,"openWorldHint":false})");
    CHECK(made[1]["annotations"].dump() == R"({"destructiveHint":true,"idempotentHint":true})");
    CHECK_FALSE(made[2].contains("annotations"));
    CHECK_FALSE(acta::tools(skills, ToolDialect::anthropic).tools[0].contains("annotations"));
}

TEST_CASE("the members of a tagged union keep their tags in every dialect") {
    acta::SkillRegistry skills;
    skills.add(
        "draw", "Draws.", [](const Shape& shape) { return shape.index(); }, "shape");
    const auto parameters = [&](ToolDialect dialect) -> Json {
        const Json tool = acta::tools(skills, dialect).tools[0];
        if (dialect == ToolDialect::openai_chat) return tool["function"]["parameters"];
        return tool[dialect == ToolDialect::mcp ? "inputSchema" : "input_schema"];
    };
    for (const ToolDialect dialect : {ToolDialect::openai_chat, ToolDialect::anthropic, ToolDialect::mcp}) {
        const Json schema = parameters(dialect);
        INFO(schema.dump());
        const char* const choice = dialect == ToolDialect::mcp ? "oneOf" : "anyOf";
        CHECK(schema["properties"]["shape"][choice][0]["$ref"] == "#/$defs/Square");
        const Json& square = schema["$defs"]["Square"];
        CHECK(square["properties"]["kind"]["const"] == "square");
        CHECK(square["required"][0] == "kind");
        CHECK(square["required"].size() == (dialect == ToolDialect::openai_chat ? 2 : 1));
    }
}

TEST_CASE("a model's call finds its way to the skill") {
    const acta::SkillRegistry skills = registry();
    const auto made = acta::tools(skills, ToolDialect::openai_chat);
    acta::AssistantFunctionCall call;
    call.name = "web_search";
    call.arguments = acta::JsonObject{{"query", "tides"}, {"limit", 3}, {"site", nullptr}};
    const acta::AssistantFunctionCall own = made.names.to_skill(call);
    CHECK(own.name == "web.search");
    CHECK(made.names.to_tool(own) == call);
    const acta::ActionResult result = skills.call(own);
    REQUIRE(std::holds_alternative<acta::ActionSuccessResult>(result));
    CHECK(std::get<acta::ActionSuccessResult>(result).outputs == "tides 3 -");
    call.name = "web_serch";
    CHECK(made.names.to_skill(call).name == "web_serch");
    CHECK(made.names.find_skill("web.search") == nullptr);
}

TEST_CASE("a description that OpenAI's APIs do not take is cut, and the report says so") {
    acta::SkillRegistry skills;
    skills.add("search", std::string(1500, 'd'), [] { return 1; });
    skills.add("exact", std::string(1024, 'd'), [] { return 1; });
    skills.add("wide", std::string(1020, 'd') + "\xE2\x82\xAC\xE2\x82\xAC", [] { return 1; });
    for (const ToolDialect dialect : {ToolDialect::openai_chat, ToolDialect::openai_responses}) {
        const acta::ApiTools made = acta::tools(skills, dialect);
        const auto description = [&](std::size_t i) {
            const Json& tool = made.tools[i];
            return (dialect == ToolDialect::openai_chat ? tool["function"] : tool)["description"].get<std::string>();
        };
        CHECK(description(0) == std::string(1021, 'd') + "...");
        CHECK(description(1) == std::string(1024, 'd'));
        CHECK(description(2) == std::string(1020, 'd') + "...");
        CHECK(made.report == std::vector<std::string>{"the description of 'search' has 1500 bytes and was cut to 1024",
                                                      "the description of 'wide' has 1026 bytes and was cut to 1024"});
    }
    below_at_above("description of a tool in a request to OpenAI or Azure, which is cut", 1024, [](std::size_t bytes) {
        acta::SkillRegistry one;
        one.add("search", std::string(bytes, 'd'), [] { return 1; });
        return acta::tools(one, ToolDialect::openai_chat).report.empty();
    });
    CHECK(acta::tools(skills, ToolDialect::anthropic).report.empty());
    CHECK(acta::tools(skills, ToolDialect::mcp).tools[0]["description"] == std::string(1500, 'd'));
}

TEST_CASE("tools for a chat model's options") {
    const acta::ChatOptions options{.tools = acta::tools(registry())};
    REQUIRE(options.tools.size() == 5);
    CHECK(options.tools[0].name == "web.search");
    CHECK(options.tools[0].description == "Looks for pages.");
    CHECK(options.tools[0].parameters["properties"]["limit"]["default"] == 10);
    CHECK(options.tools[1].parameters["type"] == "object");
}

TEST_CASE("an empty registry has no tools") {
    const auto made = acta::tools(acta::SkillRegistry(), ToolDialect::mcp);
    CHECK(made.tools.dump() == "[]");
    CHECK(made.names.size() == 0);
}
