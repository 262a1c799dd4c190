// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/action/action.hpp"

// What the tests of histories register.

/// A proposal that calls this tool without arguments.
inline acta::ActionProposal<> act(const std::string& tool) {
    acta::ActionProposal<> proposal;
    proposal.thoughts = "because";
    proposal.use_tool.name = tool;
    return proposal;
}

inline acta::ActionResult done(const acta::Json& outputs = "ok") {
    acta::ActionSuccessResult result;
    result.outputs = outputs;
    return result;
}

inline acta::ActionResult failed(const std::string& reason) {
    acta::ActionErrorResult result;
    result.reason = reason;
    return result;
}
