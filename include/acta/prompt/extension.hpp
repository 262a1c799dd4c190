// SPDX-License-Identifier: MIT
#pragma once

#include "acta/prompt/detail/step_source.hpp"

// The parts of this room that others use beyond its public API: the steps of a history without the type of its
// proposals, and a step as the filters of `PromptOptions` see it.
namespace acta::inline ACTA_ABI::prompt_extension {

using prompt_detail::steps_of;
using prompt_detail::StepSource;

}  // namespace acta::inline ACTA_ABI::prompt_extension
