// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/base/workers.hpp"
#include "acta/chat/extension.hpp"
#include "acta/schema/schema.hpp"
#include "acta/skill/declaration.hpp"
#include "acta/skill/detail/declaration.inl.hpp"
#include "acta/skill/detail/registry.inl.hpp"
#include "acta/skill/execute.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string to_string(const SkillFinding& finding) {
    return finding.entity + "." + finding.skill + ": " + finding.message;
}

namespace skill_detail {

/// Collects the faults of one skill.
class SkillChecker {
public:
    SkillChecker(std::string_view entity, const Skill& skill, std::vector<SkillFinding>& findings)
        : entity_(entity), skill_(skill), findings_(findings) {}

    void check(const SkillRegistry& registry) {
        const RegisteredSkill* const function = registry.find(skill_.name);
        if (function == nullptr) {
            add(SkillFinding::Kind::no_function, {},
                "there is no function of this name" + base::did_you_mean(registry.closest_names(skill_.name)));
        } else {
            check_parameters(*function);
        }
        for (const Skill::Example& example : skill_.examples) check_example(example, function);
    }

private:
    void add(SkillFinding::Kind kind, std::string parameter, std::string message) {
        findings_.push_back({kind, std::string(entity_), skill_.name, std::move(parameter), std::move(message)});
    }

    void check_parameters(const RegisteredSkill& function) {
        const Json schema = function.schema();
        const Json* const properties = base::find_key(schema, "properties");
        const auto declared = skill_.parameters.value_or(OrderedMap<Skill::Parameter>());
        for (const auto& [name, parameter] : declared) {
            if (!function.takes(name))
                add(SkillFinding::Kind::missing_parameter, name, "the function has no parameter '" + name + "'");
            else if (const Json* property = properties == nullptr ? nullptr : base::find_key(*properties, name))
                check_type(name, schema_type(parameter.type), schema, *property);
        }
        for (const std::string& name : required_names(schema)) {
            if (declared.find(name) == declared.end())
                add(SkillFinding::Kind::undeclared_parameter, name,
                    "the function needs the parameter '" + name + "', which is not declared");
        }
    }
    void check_type(const std::string& name, std::string_view declared, const Json& schema, const Json& property) {
        std::set<const Json*> seen;
        std::vector<std::string> taken;
        if (declared.empty() || !add_types(schema, property, 0, seen, taken) || taken.empty()) return;  // any
        for (const std::string& type : taken) {
            if (type == declared || (type == "number" && declared == "integer")) return;
        }
        add(SkillFinding::Kind::other_type, name,
            "'" + name + "' is declared as " + std::string(declared) + ", and the function takes " + taken.front());
    }
    /// Adds the types that a property allows, those of each definition once. Returns false if it allows any.
    static bool add_types(const Json& schema, const Json& property, int depth, std::set<const Json*>& seen,
                          std::vector<std::string>& out) {
        constexpr int deepest = 8;
        const Json* const found = schema_introspection::find_target(schema, property);
        if (depth > deepest || found == nullptr) return false;
        if (!seen.insert(found).second) return true;
        const Json* const choices = base::find_key(*found, "anyOf");
        if (choices != nullptr && choices->is_array()) {
            return std::ranges::all_of(base::array_of(*choices), [&](const Json& choice) {
                return add_types(schema, choice, depth + 1, seen, out);
            });
        }
        const Json* const type = base::find_key(*found, "type");
        if (type == nullptr) return false;
        const JsonArray types = type->is_array() ? base::array_of(*type) : JsonArray{*type};
        for (const Json& one : types) {
            if (one.is_string()) out.push_back(base::text_of(one));
        }
        return true;
    }
    void check_example(const Skill::Example& example, const RegisteredSkill* function) {
        const std::string which = "the example '" + example.ask + "' ";
        try {
            const auto arguments = parse_arguments(skill_, example.answer);
            if (!arguments) {
                add(SkillFinding::Kind::bad_example, {}, which + "does not call the skill");
            } else if (function != nullptr) {
                static_cast<void>(read_arguments(*function, *arguments, UnknownKeys::forbid));
            }
        } catch (const Error& error) {
            add(SkillFinding::Kind::bad_example, {}, which + "does not fit: " + error.what());
        }
    }

    std::string_view entity_;
    const Skill& skill_;
    std::vector<SkillFinding>& findings_;
};

}  // namespace skill_detail

ACTA_INLINE std::vector<SkillFinding> check(const SkillsDeclaration& declaration, const SkillRegistry& registry) {
    std::vector<SkillFinding> findings;
    for (const auto& [name, entity] : declaration.entities) {
        for (const Skill& skill : entity.skills) skill_detail::SkillChecker(name, skill, findings).check(registry);
    }
    return findings;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::skill_detail {

ACTA_INLINE bool may_overlap(const SkillRegistry& registry, std::string_view name, CallOverlap parallel) {
    if (parallel != CallOverlap::hinted) return parallel == CallOverlap::all;
    const RegisteredSkill* const skill = registry.find(name);
    return skill != nullptr && skill->hints().read_only == true;
}

ACTA_INLINE std::size_t group_end(std::size_t begin, std::size_t count,
                                  const std::function<bool(std::size_t)>& overlaps) {
    std::size_t end = begin + 1;
    if (overlaps(begin)) {
        while (end < count && overlaps(end)) ++end;
    }
    return end;
}

ACTA_INLINE void run_calls(base::Workers& workers, std::size_t count, std::size_t max_parallel,
                           const std::function<bool(std::size_t)>& overlaps,
                           const std::function<void(std::size_t)>& work) {
    for (std::size_t begin = 0, end = 0; begin < count; begin = end) {
        end = group_end(begin, count, overlaps);
        workers.run(end - begin, max_parallel, [&](std::size_t i) { work(begin + i); });
    }
}

ACTA_INLINE std::vector<ToolResult> execute_calls(std::span<const AssistantFunctionCall> calls,
                                                  std::vector<std::string> ids, const SkillRegistry& registry,
                                                  const ExecuteOptions& options) {
    std::vector<ToolResult> done(calls.size());
    for (std::size_t i = 0; i < calls.size(); ++i) done[i].tool_call_id = std::move(ids[i]);
    const auto overlaps = [&](std::size_t i) { return may_overlap(registry, calls[i].name, options.parallel); };
    base::Workers workers;
    run_calls(workers, calls.size(), options.max_parallel, overlaps, [&](std::size_t i) {
        SkillRunOptions own = options.run;
        own.call.tool_call_id = done[i].tool_call_id;
        done[i].result = registry.call(calls[i], own);
    });
    return done;
}

ACTA_INLINE bool may_run(const OpenCall& open, const SkillRegistry& registry,
                         const std::function<bool(const AssistantToolCall&)>& rerun) {
    if (open.begun == false) return true;
    if (const RegisteredSkill* const skill = registry.find(open.call.function.name)) {
        const SkillHints& hints = skill->hints();
        if (hints.read_only == true || hints.idempotent == true) return true;
        if (hints.uses_idempotency_key && !open.idempotency_key.empty()) return true;
    }
    return rerun ? rerun(open.call) : !open.begun;
}

// No result is converted to the variant: nlohmann_json would look for its own conversion of it.
ACTA_INLINE ActionResult outcome_unknown(const ErrorOptions& options) {
    ActionResult out(std::in_place_type<ActionErrorResult>);
    auto& error = std::get<ActionErrorResult>(out);
    error.reason = "The run was interrupted while this call was open. Its outcome is unknown.";
    error.error = ErrorInfo::make("OutcomeUnknown", error.reason, options);
    return out;
}

ACTA_INLINE ActionResult succeeded(std::string text) { return success_of(Json(std::move(text))); }

ACTA_INLINE ActionResult failed(const std::string& type, std::string_view message, const ErrorOptions& options) {
    return failure(type, message, options);
}

ACTA_INLINE std::optional<ActionResult> cut_off(std::string_view finish_reason, const ErrorOptions& options) {
    if (has_whole_calls(finish_reason_of(finish_reason))) return std::nullopt;
    return failure(
        "NotRun",
        "The call did not run: the answer with it was cut off or refused (" + std::string(finish_reason) + ").",
        options);
}

ACTA_INLINE ActionResult cancelled(const ErrorOptions& options) {
    return failure("Cancelled", "the call was cancelled", options);
}

ACTA_INLINE ActionResult refused(std::string feedback) {
    ActionResult out(std::in_place_type<ActionInterruptedByHuman>);
    std::get<ActionInterruptedByHuman>(out).feedback = std::move(feedback);
    return out;
}

}  // namespace acta::inline ACTA_ABI::skill_detail

namespace acta::inline ACTA_ABI {

namespace skill_detail {

/// Returns the schema of a strict tool; nothing if the tool is not strict.
ACTA_INLINE std::optional<Json> strict_parameters(const RegisteredSkill& skill, const ToolDefinitionOptions& options) {
    if (options.strictness == ToolStrictness::never) return std::nullopt;
    SchemaOptions strict;
    strict.dialect = SchemaDialect::openai_strict;
    strict.maps = options.maps;
    strict.null_for_missing = false;  // the parameters are read into the types of the function
    try {
        return convert_schema(skill.schema(), strict);
    } catch (const SchemaError& error) {
        if (options.strictness == ToolStrictness::where_possible) return std::nullopt;
        throw SchemaError("skill '" + skill.name() + "': " + error.what(), error.path());
    }
}

/// Returns a schema with `type: object` at the root, which all of these APIs require, and otherwise as pydantic's.
ACTA_INLINE Json plain_parameters(const RegisteredSkill& skill, SchemaDialect dialect = SchemaDialect::mcp) {
    if (skill.function().given_schema) return skill.schema();
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
    Json function =
        named_tool(name, chat_extension::cut_description(skill.description(), chat_extension::max_openai_description));
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

/// Adds a line if OpenAI's APIs get less than the description of a skill.
ACTA_INLINE void report_cut(const RegisteredSkill& skill, std::vector<std::string>& report) {
    constexpr std::size_t most = chat_extension::max_openai_description;
    const std::size_t size = skill.description().size();
    if (size > most)
        report.push_back("the description of '" + skill.name() + "' has " + std::to_string(size) +
                         " bytes and was cut to " + std::to_string(most));
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
                skill_detail::report_cut(skill, out.report);
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
