// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>

#include "acta/skill/declaration.hpp"

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

}  // namespace acta::inline ACTA_ABI
