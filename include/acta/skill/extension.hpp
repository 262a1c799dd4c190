// SPDX-License-Identifier: MIT
#pragma once

#include "acta/skill/execute.hpp"

// What other rooms use of this one beyond its public API: running the calls of a step in parallel, and what becomes of
// those that do not run.
namespace acta::inline ACTA_ABI::skill_extension {

using skill_detail::may_run;
using skill_detail::outcome_unknown;
using skill_detail::refused;
using skill_detail::run_parallel;

}  // namespace acta::inline ACTA_ABI::skill_extension
