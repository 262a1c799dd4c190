// SPDX-License-Identifier: MIT

// Included in the body of a function of each source.
acta::EpisodicActionHistory<> history = acta::parse<acta::EpisodicActionHistory<>>(json);
history.register_action({.thoughts = "Look.", .use_tool = acta::AssistantFunctionCall{"look", {{"at", "sea"}}}});
history.register_result(acta::ActionSuccessResult{.outputs = "blue"});
history.register_action({.thoughts = "Up.", .use_tool = acta::parse_call("look(at='sky')").call});
history.register_result(acta::ActionErrorResult{.reason = "clouds"});
return acta::dump(history) + "\n" + history.fmt_paragraph() + acta::schema<acta::ActionResult>().dump() +
       acta::dump(acta::parse_trajectory(acta::dump(history)).history);
