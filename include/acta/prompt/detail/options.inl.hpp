// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

#include "acta/prompt/options.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE PromptFilter calls_tool(std::vector<std::string> names) {
    return [names = std::move(names)](const PromptStep& step) {
        return std::ranges::any_of(step.calls, [&names](const AssistantFunctionCall& call) {
            return std::ranges::find(names, call.name) != names.end();
        });
    };
}
ACTA_INLINE PromptFilter calls_other_tool(std::vector<std::string> names) {
    return [calls = calls_tool(std::move(names))](const PromptStep& step) { return !calls(step); };
}

}  // namespace acta::inline ACTA_ABI
