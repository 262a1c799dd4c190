// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string_view>

#include "acta/action/proposal.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::vector<std::string> call_ids(std::size_t calls, const AssistantChatMessage* message) {
    std::vector<std::string> ids;
    ids.reserve(calls);
    if (message != nullptr && message->tool_calls && message->tool_calls->size() == calls) {
        for (const AssistantToolCall& call : *message->tool_calls) ids.push_back(call.id);
        std::vector<std::string_view> sorted(ids.begin(), ids.end());
        std::sort(sorted.begin(), sorted.end());
        const bool different = std::adjacent_find(sorted.begin(), sorted.end()) == sorted.end();
        if (different && (sorted.empty() || !sorted.front().empty())) return ids;
        ids.clear();
    }
    for (std::size_t i = 0; i < calls; ++i) ids.push_back("call_" + std::to_string(i));
    return ids;
}

}  // namespace acta::inline ACTA_ABI
