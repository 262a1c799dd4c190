// SPDX-License-Identifier: MIT
#pragma once

#include "acta/prompt/detail/step_source.hpp"

// The parts of this room that others use beyond its public API: the steps of a history without the type of its
// proposals, a step as the filters of `PromptOptions` see it, and the report on the messages of `to_messages`.
namespace acta::inline ACTA_ABI::prompt_extension {

using prompt_detail::steps_of;
using prompt_detail::StepSource;

/// Returns the messages of `to_messages` with a budget, and what they show and omit.
template <class P>
[[nodiscard]] PromptMessages native_prompt(const EpisodicActionHistory<P>& history, const PromptOptions& budget) {
    return prompt_detail::build_messages(budget, steps_of(history), prompt_detail::PromptForm::native);
}

}  // namespace acta::inline ACTA_ABI::prompt_extension
