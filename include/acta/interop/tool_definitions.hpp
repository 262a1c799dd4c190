// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/interop/tool_names.hpp"
#include "acta/schema/options.hpp"
#include "acta/skill/registry.hpp"

// The skills of a registry as tools in the form of a model's API.
namespace acta::inline v0 {

/// The API that tools are written for.
enum class ToolDialect {
    openai_chat,       ///< Chat completions: `tools` of the request.
    openai_responses,  ///< Responses: `tools` of the request.
    anthropic,         ///< Messages: `tools` of the request.
    mcp                ///< Model Context Protocol: `tools` of the result of `tools/list`.
};

/// Whether OpenAI holds a model to the schema (`strict: true`).
enum class ToolStrictness {
    never,
    /// Where the schema can be expressed, else the tool is not strict and has its plain schema. In a strict tool every
    /// parameter is required: a model sends a value for those that have a default, too.
    where_possible,
    always  ///< `SchemaError` where it cannot be expressed.
};

/// How tools are defined.
struct ToolDefinitionOptions {
    /// For OpenAI's APIs. The others have no such thing, or one that supports less than these schemas need (Anthropic's
    /// `strict` has neither maps nor recursion).
    ToolStrictness strictness = ToolStrictness::where_possible;
    /// With `key_value_lists` strict tools may have maps; `restore_arguments` turns a model's arguments back.
    SchemaMaps maps = SchemaMaps::refuse;
};

/// The tools of a registry, and the skill that each stands for.
struct ToolDefinitions {
    Json tools = JsonArray();  ///< As the request has it.
    ToolNames names{};         ///< Between the skills' names and those of `tools`.
};

/// The same for `ChatOptions::tools`.
struct ChatTools {
    std::vector<ToolDefinition> tools{};  ///< For `ChatOptions::tools`, in the order of the registry.
    ToolNames names{};                    ///< Between the skills' names and those of `tools`.
};

/// The skills of a registry in the form of an API, in the order in which they were added, under names that it accepts.
/// Throws `SchemaError` with the skill's name where a tool must be strict and cannot be.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("add", "Adds two numbers.", [](int a, int b) { return a + b; }, acta::param("a"), acta::param("b"));
/// const acta::ToolDefinitions tools = acta::tool_definitions(skills, acta::ToolDialect::openai_chat);
/// const acta::JsonObject request{{"model", "gpt-4o"}, {"tools", tools.tools}};
/// // The model's answer calls a tool; its name leads back to the skill.
/// const acta::AssistantFunctionCall call{"add", {{"a", 1}, {"b", 2}}};
/// assert(acta::to_string(skills.call(tools.names.to_skill(call))) == "3");
/// @endcode
[[nodiscard]] ToolDefinitions tool_definitions(const SkillRegistry& registry, ToolDialect dialect,
                                               const ToolDefinitionOptions& options = {});

/// The skills of a registry for `ChatOptions::tools`, which a client such as `openai::ChatModel` writes in its API's
/// form. Their schemas are those of tools that are not strict, unless another dialect is chosen.
[[nodiscard]] ChatTools chat_tools(const SkillRegistry& registry, SchemaDialect dialect = SchemaDialect::mcp);

/// The arguments of a strict tool that was defined with `SchemaMaps::key_value_lists`, in the form that the skill
/// takes.
[[nodiscard]] JsonObject restore_arguments(const RegisteredSkill& skill, JsonObject arguments);

}  // namespace acta::inline v0

#ifndef ACTA_COMPILED
#include "acta/interop/detail/tool_definitions.inl.hpp"
#endif
