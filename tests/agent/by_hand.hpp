// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/chat/chat_model.hpp"
#include "support/catch.hpp"

// What the tests of runs that are driven by hand give and expect.
namespace by_hand {

inline acta::SkillRegistry echo_skills() {
    acta::SkillRegistry skills;
    skills.add(
        "echo", "Repeats.", [](const std::string& text) { return text; }, acta::param("text", "What."));
    return skills;
}

/// A completion that echoes a text for each id.
inline acta::ChatCompletion echoing(const std::vector<std::string>& ids) {
    acta::ChatCompletion out;
    out.message.tool_calls.emplace();
    for (const std::string& id : ids) out.message.tool_calls->push_back({id, {"echo", {{"text", "of " + id}}}});
    return out;
}

inline acta::ActionResult success(std::string text) { return acta::ActionSuccessResult{.outputs = std::move(text)}; }

/// Requires that a run needs this next; valid until it needs something else.
template <class Step>
const Step& next(acta::AgentRun& run) {
    const acta::AgentStep& step = run.next();
    REQUIRE(std::holds_alternative<Step>(step));
    return std::get<Step>(step);
}

}  // namespace by_hand
