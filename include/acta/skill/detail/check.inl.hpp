// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>
#include <utility>

#include "acta/skill/arguments.hpp"
#include "acta/skill/check.hpp"
#include "acta/skill/detail/closest_names.hpp"
#include "acta/skill/detail/run_skill.hpp"
#include "acta/skill/detail/schema_type.hpp"

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
                "there is no function of this name" + did_you_mean(registry.closest_names(skill_.name)));
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
        const Json properties = schema.value("properties", Json(JsonObject()));
        const auto declared = skill_.parameters.value_or(OrderedMap<Skill::Parameter>());
        for (const auto& [name, parameter] : declared) {
            if (!function.takes(name))
                add(SkillFinding::Kind::missing_parameter, name, "the function has no parameter '" + name + "'");
            else if (properties.contains(name))
                check_type(name, schema_type(parameter.type), schema, properties[name]);
        }
        if (!schema.contains("required")) return;
        for (const Json& one : schema["required"]) {
            const auto& name = one.get_ref<const std::string&>();
            if (declared.find(name) == declared.end())
                add(SkillFinding::Kind::undeclared_parameter, name,
                    "the function needs the parameter '" + name + "', which is not declared");
        }
    }
    void check_type(const std::string& name, std::string_view declared, const Json& schema, const Json& property) {
        const std::vector<std::string> taken = types_of(schema, property, 0);
        if (declared.empty() || taken.empty()) return;  // any
        for (const std::string& type : taken) {
            if (type == declared || (type == "number" && declared == "integer")) return;
        }
        add(SkillFinding::Kind::other_type, name,
            "'" + name + "' is declared as " + std::string(declared) + ", and the function takes " + taken.front());
    }
    /// Returns the types that a property allows; empty if it allows any.
    static std::vector<std::string> types_of(const Json& schema, const Json& property, int depth) {
        constexpr int deepest = 8;
        std::vector<std::string> out;
        if (depth > deepest) return out;
        if (property.contains("$ref")) {
            const auto& ref = property["$ref"].get_ref<const std::string&>();
            const std::string name = ref.substr(ref.rfind('/') + 1);
            const auto defs = schema.find("$defs");
            if (defs == schema.end() || !defs->contains(name)) return out;
            return types_of(schema, (*defs)[name], depth + 1);
        }
        if (property.contains("type")) out.push_back(property["type"].get<std::string>());
        if (!property.contains("anyOf")) return out;
        for (const Json& choice : property["anyOf"]) {
            const std::vector<std::string> types = types_of(schema, choice, depth + 1);
            if (types.empty()) return {};
            out.insert(out.end(), types.begin(), types.end());
        }
        return out;
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
