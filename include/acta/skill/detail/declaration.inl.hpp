// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

#include "acta/skill/declaration.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::skill_detail {

/// Returns the JSON Schema type for a declaration's word for a type; empty for any type and for unknown words.
inline std::string_view schema_type(std::string_view word) noexcept {
    constexpr std::array<std::pair<std::string_view, std::string_view>, 17> words{{{"string", "string"},
                                                                                   {"str", "string"},
                                                                                   {"number", "number"},
                                                                                   {"float", "number"},
                                                                                   {"double", "number"},
                                                                                   {"integer", "integer"},
                                                                                   {"int", "integer"},
                                                                                   {"boolean", "boolean"},
                                                                                   {"bool", "boolean"},
                                                                                   {"array", "array"},
                                                                                   {"list", "array"},
                                                                                   {"tuple", "array"},
                                                                                   {"set", "array"},
                                                                                   {"object", "object"},
                                                                                   {"dict", "object"},
                                                                                   {"null", "null"},
                                                                                   {"None", "null"}}};
    for (const auto& [known, type] : words) {
        if (word == known) return type;
    }
    return {};
}

}  // namespace acta::inline ACTA_ABI::skill_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE OrderedMap<std::string> Skill::arguments() const {
    OrderedMap<std::string> out;
    if (!parameters) return out;
    for (const auto& [key, parameter] : *parameters) out.emplace(key, parameter.description.value_or(""));
    return out;
}

ACTA_INLINE const Skill* SkillsDeclaration::get_skill(std::string_view name, std::string_view entity) const& {
    const Entity* const found = find_entity(entity);
    if (found == nullptr) return nullptr;
    const auto skill =
        std::find_if(found->skills.begin(), found->skills.end(), [&](const Skill& one) { return one.name == name; });
    return skill == found->skills.end() ? nullptr : &*skill;
}

ACTA_INLINE OrderedMap<std::string> SkillsDeclaration::get_skill_list(std::span<const std::string> active,
                                                                      std::string_view entity) const {
    OrderedMap<std::string> out;
    const Entity* const found = find_entity(entity);
    if (found == nullptr) return out;
    for (const Skill& skill : found->skills) {
        const bool wanted = active.empty() || std::find(active.begin(), active.end(), skill.name) != active.end();
        if (wanted) out[skill.description.value_or("")] = skill.name;
    }
    return out;
}

ACTA_INLINE const SkillsDeclaration::Entity* SkillsDeclaration::find_entity(std::string_view name) const {
    for (const auto& [key, entity] : entities) {
        if (key == name) return &entity;
    }
    return nullptr;
}

namespace skill_detail {

/// Returns whether a parameter is declared as `required: true`; the texts `true` and `yes` also count.
ACTA_INLINE bool is_declared_required(const Skill::Parameter& parameter) {
    for (const auto& [key, value] : parameter.extra) {
        if (key == "required") {
            return value.is_boolean() ? base::boolean_of(value)
                                      : base::is_text(value, "true") || base::is_text(value, "yes");
        }
    }
    return false;
}

ACTA_INLINE JsonObject parameter_schema(const Skill::Parameter& parameter) {
    JsonObject out;
    const std::string_view type = schema_type(parameter.type);
    if (!type.empty()) out.emplace("type", std::string(type));
    if (parameter.description && !parameter.description->empty()) out.emplace("description", *parameter.description);
    for (const auto& [key, value] : parameter.extra) {
        // In a schema `required` is a list, which a parameter that is an object may have.
        if (key != "required" || value.is_array()) out.emplace(key, Json(value));
    }
    return out;
}

}  // namespace skill_detail

ACTA_INLINE std::vector<std::string> parameter_names(const Skill& skill) {
    std::vector<std::string> names;
    if (!skill.parameters) return names;
    for (const auto& [name, parameter] : *skill.parameters) names.push_back(name);
    return names;
}

ACTA_INLINE JsonObject call_schema(const Skill& skill) {
    JsonObject properties;
    JsonArray required;
    if (skill.parameters) {
        for (const auto& [name, parameter] : *skill.parameters) {
            properties.emplace(name, skill_detail::parameter_schema(parameter));
            if (skill_detail::is_declared_required(parameter)) required.emplace_back(name);
        }
    }
    JsonObject out;
    out.emplace("properties", std::move(properties));
    if (!required.empty()) out.emplace("required", std::move(required));
    out.emplace("title", skill.name);
    out.emplace("type", "object");
    return out;
}

ACTA_INLINE ToolDefinition tool_definition(const Skill& skill) {
    return {skill.name, skill.description.value_or(""), call_schema(skill)};
}

ACTA_INLINE std::optional<JsonObject> parse_arguments(const Skill& skill, std::string_view text,
                                                      const CallOptions& options) {
    const std::vector<std::string> names = parameter_names(skill);
    return parse_arguments(skill.name, names, text, options);
}

ACTA_INLINE std::string arguments_prompt(const Skill& skill, std::string_view ask) {
    std::string out = skill.name + " function parameters description:\n";
    for (const auto& [name, description] : skill.arguments()) {
        out.append("parameter `").append(name).append("`: ").append(description).append("\n");
    }
    out += "\n---\nExamples:\n";
    for (const Skill::Example& example : skill.examples) {
        out.append("If want you to do `").append(example.ask).append("`, return `");
        out.append(example.answer).append("` brief and clear.\n");
    }
    out.append("\n---\n\nRefer to the `").append(skill.name);
    out +=
        "` function description, and fill in the function parameters according to the example \"I want you to do xx\" "
        "in the Examples section.\nNow I want you to do `";
    out.append(ask);
    out += "`, return function parameters in Examples format above, brief and clear.";
    return out;
}

}  // namespace acta::inline ACTA_ABI
