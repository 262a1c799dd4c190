// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/schema/convert.hpp"
#include "acta/schema/maps.hpp"
#include "acta/skill/tools.hpp"

namespace acta::inline ACTA_ABI {

namespace skill_detail {

/// Returns the schema of a strict tool; nothing if the tool is not strict.
ACTA_INLINE std::optional<Json> strict_parameters(const RegisteredSkill& skill, const ToolDefinitionOptions& options) {
    if (options.strictness == ToolStrictness::never) return std::nullopt;
    SchemaOptions strict;
    strict.dialect = SchemaDialect::openai_strict;
    strict.maps = options.maps;
    try {
        return convert_schema(skill.schema(), strict);
    } catch (const SchemaError& error) {
        if (options.strictness == ToolStrictness::where_possible) return std::nullopt;
        throw SchemaError("skill '" + skill.name() + "': " + error.what(), error.path());
    }
}

/// Returns a schema with `type: object` at the root, which all of these APIs require, and otherwise as pydantic's.
ACTA_INLINE Json plain_parameters(const RegisteredSkill& skill, SchemaDialect dialect = SchemaDialect::mcp) {
    SchemaOptions plain;
    plain.dialect = dialect;
    return convert_schema(skill.schema(), plain);
}

ACTA_INLINE Json named_tool(const std::string& name, const std::string& description) {
    Json out = base::new_object();
    base::put(out, "name", base::text_json(name));
    if (!description.empty()) base::put(out, "description", base::text_json(description));
    return out;
}

/// OpenAI's API reference, "Create chat completion", `tools`: {type, function: {name, description, parameters,
/// strict}}; "Create a model response", `tools`: {type, name, description, parameters, strict}, where a missing
/// `strict` means true.
ACTA_INLINE Json openai_tool(const RegisteredSkill& skill, const std::string& name,
                             const ToolDefinitionOptions& options, bool responses) {
    std::optional<Json> strict = strict_parameters(skill, options);
    const bool is_strict = strict.has_value();
    Json function = named_tool(name, skill.description());
    base::put(function, "parameters", is_strict ? std::move(*strict) : plain_parameters(skill));
    if (is_strict || responses) base::put(function, "strict", Json(is_strict));
    Json out = base::new_object();
    base::put(out, "type", base::text_json("function"));
    if (!responses) {
        base::put(out, "function", std::move(function));
    } else {
        for (auto& [key, value] : function.get_ref<Json::object_t&>()) base::put(out, key, std::move(value));
    }
    return out;
}

/// Anthropic's API reference, "Create a Message", `tools`: {name, description, input_schema}.
ACTA_INLINE Json anthropic_tool(const RegisteredSkill& skill, const std::string& name) {
    Json out = named_tool(name, skill.description());
    base::put(out, "input_schema", plain_parameters(skill, SchemaDialect::anthropic));
    return out;
}

/// Model Context Protocol 2025-11-25, "Schema Reference", `ToolAnnotations`.
ACTA_INLINE void put_annotations(Json& tool, const SkillHints& hints) {
    Json out = base::new_object();
    const auto put = [&out](const char* key, const std::optional<bool>& hint) {
        if (hint) base::put(out, key, Json(*hint));
    };
    put("readOnlyHint", hints.read_only);
    put("destructiveHint", hints.destructive);
    put("idempotentHint", hints.idempotent);
    put("openWorldHint", hints.open_world);
    if (!out.empty()) base::put(tool, "annotations", std::move(out));
}

/// Model Context Protocol 2025-11-25, "Tools", "Data Types": {name, title, description, inputSchema, annotations}. For
/// a tool without parameters the protocol recommends a closed object.
ACTA_INLINE Json mcp_tool(const RegisteredSkill& skill, const std::string& name) {
    Json out = named_tool(name, skill.description());
    if (name != skill.name()) base::put(out, "title", base::text_json(skill.name()));
    Json schema = plain_parameters(skill);
    const auto properties = schema.find("properties");
    const bool bare = properties != schema.end() && properties->empty() && skill.function().record.extra == nullptr;
    if (bare && !schema.contains("additionalProperties")) base::put(schema, "additionalProperties", Json(false));
    base::put(out, "inputSchema", std::move(schema));
    put_annotations(out, skill.hints());
    return out;
}

}  // namespace skill_detail

ACTA_INLINE std::vector<ToolDefinition> tools(const SkillRegistry& registry) {
    std::vector<ToolDefinition> out;
    for (const std::string& name : registry.names()) {
        const RegisteredSkill& skill = registry.at(name);
        out.push_back({name, skill.description(), skill_detail::plain_parameters(skill)});
    }
    return out;
}

ACTA_INLINE ApiTools tools(const SkillRegistry& registry, ToolDialect dialect, const ToolDefinitionOptions& options) {
    const std::vector<std::string> skills = registry.names();
    ApiTools out;
    out.names = ToolNames(skills);
    JsonArray tools;
    for (const std::string& one : skills) {
        const RegisteredSkill& skill = registry.at(one);
        const std::string& name = *out.names.find_tool(one);
        switch (dialect) {
            case ToolDialect::openai_chat:
            case ToolDialect::openai_responses:
                tools.push_back(
                    skill_detail::openai_tool(skill, name, options, dialect == ToolDialect::openai_responses));
                break;
            case ToolDialect::anthropic: tools.push_back(skill_detail::anthropic_tool(skill, name)); break;
            case ToolDialect::mcp: tools.push_back(skill_detail::mcp_tool(skill, name)); break;
        }
    }
    out.tools = std::move(tools);
    return out;
}

ACTA_INLINE JsonObject restore_arguments(const RegisteredSkill& skill, JsonObject arguments) {
    Json restored = maps_from_lists(skill.schema(), Json(std::move(arguments)));
    return JsonObject(std::move(restored.get_ref<Json::object_t&>()));
}

}  // namespace acta::inline ACTA_ABI
