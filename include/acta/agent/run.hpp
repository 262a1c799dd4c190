// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <type_traits>

#include "acta/agent/detail/loop.hpp"
#include "acta/agent/detail/run_record.hpp"
#include "acta/agent/run_options.hpp"
#include "acta/skill/registry.hpp"

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
/// #include <acta/agent/run.hpp>
/// #include <acta/chat/scripted_model.hpp>
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
                    const RunOptions& options = {}) {
    agent_detail::RecordOf<EpisodicActionHistory<P>, P> record(history);
    return agent_detail::run(ChatModelRef(model), skills, record, options);
}

/// As above, while other threads keep using the history: it is only locked to read and to change it. Feedback that they
/// append reaches the model with the next request. Throws also `HistoryError` if they take back the step that is open.
template <ChatModel Model, ProposalWithParallelCalls P>
    requires std::constructible_from<std::remove_cvref_t<decltype(P::thoughts)>, const std::string&>
RunResult run_agent(Model&& model, const SkillRegistry& skills, SharedHistory<P>& history,
                    const RunOptions& options = {}) {
    agent_detail::RecordOf<SharedHistory<P>, P> record(history);
    return agent_detail::run(ChatModelRef(model), skills, record, options);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/agent/detail/loop.inl.hpp"
#include "acta/agent/detail/text_calls.inl.hpp"
#endif

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI::agent_detail {
extern template class RecordOf<EpisodicActionHistory<>, ActionProposal<>>;
extern template class RecordOf<SharedHistory<>, ActionProposal<>>;
}  // namespace acta::inline ACTA_ABI::agent_detail
#endif
