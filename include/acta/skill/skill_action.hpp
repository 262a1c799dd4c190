// SPDX-License-Identifier: MIT
#pragma once

#include "acta/skill/declaration.hpp"
#include "acta/skill/registry.hpp"

namespace acta::inline ACTA_ABI {

/// A call of a skill, ready to be run. Only the name of the skill matters.
///
/// @code{.cpp}
/// acta::SkillRegistry skills;
/// skills.add("double", "Doubles a number.", [](int n) { return 2 * n; }, "n");
/// acta::SkillAction action;
/// action.skill.name = "double";
/// action.arguments = {{"n", 21}};
/// acta::ActionResult result = action.run(skills);   // 42
/// @endcode
struct SkillAction {
    /// The skill; its name is enough.
    Skill skill{};
    /// The arguments of the call.
    JsonObject arguments{};

    /// Calls the function of this name. Every failure is returned as a result; see `SkillRegistry::call`.
    [[nodiscard]] ActionResult run(const SkillRegistry& registry, const SkillRunOptions& options = {}) const noexcept;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/skill/detail/skill_action.inl.hpp"
#endif
