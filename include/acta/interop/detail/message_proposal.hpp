// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <utility>
#include <vector>

#include "acta/action/proposal.hpp"
#include "acta/interop/anthropic/thoughts.hpp"
#include "acta/interop/detail/message_parts.hpp"
#include "acta/interop/detail/message_reading.hpp"

namespace acta::inline v0::interop_detail {

/// An assistant's message that was read.
struct ReadAssistant {
    AssistantChatMessage message{};
    std::vector<JsonObject> blocks{};  ///< For `AnthropicThoughts`; empty for a message that is its text alone.
};

template <AnthropicProposal P>
[[nodiscard]] P message_proposal(ReadAssistant said) {
    P proposal;
    if constexpr (std::same_as<P, ActionProposal<AnthropicThoughts>>) {
        if (said.blocks.empty() && !said.message.content.empty())
            said.blocks.push_back(text_block(said.message.content));
        proposal.thoughts.content = std::move(said.blocks);
    } else {
        proposal.thoughts = said.message.content;
    }
    std::vector<AssistantFunctionCall> calls;
    if (said.message.tool_calls) {
        for (const AssistantToolCall& call : *said.message.tool_calls) calls.push_back(call.function);
    }
    set_calls(proposal, std::move(calls));
    proposal.raw_message = std::move(said.message);
    return proposal;
}

}  // namespace acta::inline v0::interop_detail
