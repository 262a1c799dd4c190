// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/action/action.hpp"
#include "acta/history/history.hpp"

// What the tests of histories register.

/// A history in which a person has asked for this.
inline acta::EpisodicActionHistory<> asked_to(const std::string& task) {
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user(task));
    return history;
}

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
