// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <type_traits>
#include <utility>

#include "acta/agent/agent_run.hpp"

namespace acta::inline ACTA_ABI::agent_detail {

/// Drives a run to its end, or until it waits for a decision.
[[nodiscard]] RunResult drive(ChatModelRef model, AgentRun run);

}  // namespace acta::inline ACTA_ABI::agent_detail

namespace acta::inline ACTA_ABI {

/// Lets a model work with the tools of a registry until it answers (docs/reference/agent.md, "The loop"): it is shown
/// the history, its calls become a step and run in parallel, each result is registered as it comes, and older steps are
/// summarised. Pending feedback is taken before each request.
///
/// What a model or a tool does is never thrown: a call that fails has an error as its result, which the model sees, and
/// a model that fails ends the run. The history is right at every moment, so that a run that ended for whatever reason,
/// a crash included, is continued by another `run_agent`: calls of the last step without results are run first. If the
/// history ends with an answer, that is returned and the model is not asked.
///
/// Throws `Error` if there is nothing to work on, and what the functions of `options` throw. No other thread may use
/// the history meanwhile; a `SharedHistory` has an overload of its own.
///
/// @code{.cpp}
/// #include <acta/chat/chat_model.hpp>
/// acta::SkillRegistry skills;
/// skills.add("high_water", "When high water is.", [](const std::string& port) { return port + " 12:15"; },
///            acta::param("port", "The name of the port."));
/// acta::ScriptedChatModel model;   // or acta::openai::ChatModel
/// model.reply_call("high_water", {{"port", "Brest"}}).reply("At 12:15.");
///
/// acta::EpisodicActionHistory<> history;
/// history.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// const acta::RunResult run = acta::run_agent(model, skills, history);
/// assert(run.end == acta::RunEnd::answered);
/// assert(run.answer == "At 12:15.");
/// @endcode
template <ChatModel Model, ProposalWithParallelCalls P>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
RunResult run_agent(Model&& model, const SkillRegistry& skills, EpisodicActionHistory<P>& history,
                    const RunOptions& options = RunOptions()) {
    return agent_detail::drive(ChatModelRef(model), AgentRun(skills, LockableHistory(history), options));
}

/// As above, while other threads keep using the history: it is only locked to read and to change it. Feedback that they
/// append reaches the model with the next request. Throws also `HistoryError` if they take back the step that is open.
template <ChatModel Model, ProposalWithParallelCalls P>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
RunResult run_agent(Model&& model, const SkillRegistry& skills, SharedHistory<P>& history,
                    const RunOptions& options = RunOptions()) {
    return agent_detail::drive(ChatModelRef(model), AgentRun(skills, LockableHistory(history), options));
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/agent/detail/run.inl.hpp"
#endif
