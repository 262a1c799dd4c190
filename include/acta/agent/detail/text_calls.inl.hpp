// SPDX-License-Identifier: MIT
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "acta/agent/detail/loop.hpp"
#include "acta/json/dump.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/skill/tools.hpp"

// Tools for models without native calls.
namespace acta::inline ACTA_ABI::agent_detail {

ACTA_INLINE std::string tools_in_words(const SkillRegistry& skills) {
    std::string out =
        "You have tools. To use one, write its call in Python's syntax with literal values as keyword arguments, such "
        "as `search(query='tides', limit=3)`, and nothing after it; calls of several tools stand in a list. You are "
        "then "
        "told the results. Once you need no tool, answer in plain text without a call. The tools, with the JSON Schema "
        "of their arguments:";
    for (const ToolDefinition& tool : tools(skills))
        out += "\n\n- `" + tool.name + "`: " + tool.description + "\n  " + dump(tool.parameters);
    return out;
}

ACTA_INLINE std::vector<AssistantFunctionCall> calls_in_text(const std::string& text, const SkillRegistry& skills) {
    std::vector<AssistantFunctionCall> out;
    for (ParsedCall& found : parse_calls(text, skills)) {
        if (!found.positional.empty()) {
            const std::string_view written = std::string_view(text).substr(found.begin, found.end - found.begin);
            if (auto bound = parse_arguments(skills.at(found.call.name), written))
                found.call.arguments = *std::move(bound);
        }
        out.push_back(std::move(found.call));
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::agent_detail
