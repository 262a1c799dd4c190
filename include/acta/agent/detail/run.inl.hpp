// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/skill/execute.hpp"

namespace acta::inline ACTA_ABI::agent_detail {

ACTA_INLINE RunResult drive(ChatModelRef model, AgentRun run) {
    const auto observed_model = observed(model, run.options().observer);
    while (true) {
        const AgentStep& step = run.next();
        if (const auto* const request = std::get_if<AskModel>(&step)) {
            std::optional<ChatCompletion> completion;
            try {
                completion = observed_model(request->messages, request->options);
            } catch (...) {
                run.fail(std::current_exception());
            }
            if (completion) run.give(*std::move(completion));
        } else if (const auto* const calls = std::get_if<RunCalls>(&step)) {
            skill_extension::run_parallel(calls->calls.size(), run.options().max_parallel, [&](std::size_t i) {
                run.give(calls->calls[i].call.id, run.call(calls->calls[i]));
            });
        } else {
            return run.leave();
        }
    }
}

}  // namespace acta::inline ACTA_ABI::agent_detail

// The instances for the default types that acta::compiled has. Where they are declared, `extern template` keeps them out
// of the sources of a program.
#if defined(ACTA_COMPILED)
namespace acta::inline ACTA_ABI {

template struct codec::Document<ChatMessage>;
template struct codec::Document<AssistantFunctionCall>;
template struct codec::Document<ActionProposal<>>;
template struct codec::Document<ActionResult>;
template struct codec::Document<Episode<ActionProposal<>>>;
template struct codec::Document<EpisodicActionHistory<>>;

template class EpisodicActionHistory<ActionProposal<>>;
template class SharedHistory<ActionProposal<>>;
template HistoryView::HistoryView(std::span<const Episode<ActionProposal<>>> steps);
template HistoryView::HistoryView(const EpisodicActionHistory<>& history);
template LockableHistory::LockableHistory(EpisodicActionHistory<>& history);
template LockableHistory::LockableHistory(SharedHistory<>& history);

}  // namespace acta::inline ACTA_ABI

template class std::vector<acta::AssistantToolCall>;
template class std::vector<acta::ContentPart>;
template class std::vector<acta::ToolDefinition>;
#endif
