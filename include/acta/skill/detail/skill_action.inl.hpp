// SPDX-License-Identifier: MIT
#pragma once

#include "acta/skill/detail/run_skill.hpp"
#include "acta/skill/skill_action.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE ActionResult SkillAction::run(const SkillRegistry& registry,
                                          const SkillRunOptions& options) const noexcept {
    try {
        return registry.call(skill.name, arguments, options);
    } catch (...) {  // no memory for a copy of the arguments
        return skill_detail::failure_of_current_exception(options.errors);
    }
}

}  // namespace acta::inline ACTA_ABI
