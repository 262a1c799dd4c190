// SPDX-License-Identifier: MIT
#pragma once

#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/tool_names.hpp"
#include "acta/schema/options.hpp"
#include "acta/skill/registry.hpp"

// The skills of a registry as tools in the form of a model's API.
namespace acta::inline ACTA_ABI {

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
    /// If the schema can be expressed; otherwise the tool is not strict and has its plain schema. In a strict tool
    /// every parameter is required: a model also sends a value for those that have a default.
    where_possible,
    always  ///< `SchemaError` if it cannot be expressed.
};

/// How tools are defined.
struct ToolDefinitionOptions {
    /// For OpenAI's APIs. The others have no equivalent, or one that supports less than these schemas need (Anthropic's
    /// `strict` has neither maps nor recursion).
    ToolStrictness strictness = ToolStrictness::where_possible;
    /// With `key_value_lists` strict tools may have maps; `restore_arguments` turns a model's arguments back.
    SchemaMaps maps = SchemaMaps::refuse;
};

/// The tools of a registry in the form of an API, and the skill behind each.
struct ApiTools {
    Json tools = JsonArray();  ///< As the request has it.
    ToolNames names{};         ///< Between the skills' names and those of `tools`.
};

/// Returns the skills of a registry for `ChatOptions::tools`, in the order in which they were added, under their own
/// names: a client writes them in the form of its API and under names that it accepts, and calls come back with the
/// original names.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("math.add", "Adds two numbers.", [](int a, int b) { return a + b; }, acta::param("a"), acta::param("b"));
/// const acta::ChatOptions options{.tools = acta::tools(skills)};
/// assert(options.tools.front().name == "math.add");
/// @endcode
[[nodiscard]] std::vector<ToolDefinition> tools(const SkillRegistry& registry);

/// Returns the same in the form of an API, under names that it accepts, for a request that is put together without a
/// client. Throws `SchemaError` with the skill's name if a tool must be strict but cannot be.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("math.add", "Adds two numbers.", [](int a, int b) { return a + b; }, acta::param("a"), acta::param("b"));
/// const acta::ApiTools made = acta::tools(skills, acta::ToolDialect::openai_chat);
/// const acta::JsonObject request{{"model", "gpt-4o"}, {"tools", made.tools}};
/// // The model's answer calls a tool; its name leads back to the skill.
/// const acta::AssistantFunctionCall call{"math_add", {{"a", 1}, {"b", 2}}};
/// assert(acta::to_string(skills.call(made.names.to_skill(call))) == "3");
/// @endcode
[[nodiscard]] ApiTools tools(const SkillRegistry& registry, ToolDialect dialect,
                             const ToolDefinitionOptions& options = {});

/// Returns the arguments of a strict tool that was defined with `SchemaMaps::key_value_lists` in the form that the
/// skill takes.
[[nodiscard]] JsonObject restore_arguments(const RegisteredSkill& skill, JsonObject arguments);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/tools.inl.hpp"
#endif
