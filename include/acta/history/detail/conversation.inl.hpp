// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <utility>

#include "acta/chat/binary_placeholder.hpp"
#include "acta/history/conversation.hpp"
#include "acta/history/history_error.hpp"

namespace acta::inline ACTA_ABI::history_detail {

ACTA_INLINE void append_said(std::string& out, const ChatMessage& message) {
    if (!out.empty()) out += "\n\n";
    out += message.role == ChatRole::system ? "### System\n"
           : message.role == ChatRole::user ? "### User\n"
                                            : "### Assistant\n";
    out.append(hide_binary(message.content)) += '\n';
}

ACTA_INLINE void require_said(const ChatMessage& message) {
    if (message.role == ChatRole::tool)
        throw HistoryError(HistoryErrorCode::not_said, "The result of a tool belongs to a step: use register_result");
    if (!message.tool_calls.empty())
        throw HistoryError(HistoryErrorCode::not_said, "A message with calls is a step: use register_action");
}

[[nodiscard]] inline bool is_earlier(const ConversationMessage& a, const ConversationMessage& b) noexcept {
    return a.before < b.before;
}

ACTA_INLINE void make_room(Conversation& conversation, std::size_t count) {
    if (conversation.capacity() - conversation.size() < count)
        conversation.reserve(std::max(2 * conversation.size(), conversation.size() + count));
}

ACTA_INLINE void add_messages(Conversation& conversation, Conversation said) {
    if (said.empty()) return;
    const bool sorted = conversation.empty() || conversation.back().before <= said.front().before;
    for (ConversationMessage& one : said) conversation.push_back(std::move(one));
    if (!sorted) std::stable_sort(conversation.begin(), conversation.end(), is_earlier);
}

ACTA_INLINE void drop_messages_behind(Conversation& conversation, std::size_t step) {
    std::erase_if(conversation, [step](const ConversationMessage& one) { return one.before == step + 1; });
    for (ConversationMessage& one : conversation) {
        if (one.before > step) --one.before;
    }
}

ACTA_INLINE void drop_messages_after(Conversation& conversation, std::size_t steps) {
    while (!conversation.empty() && conversation.back().before > steps) conversation.pop_back();
}

ACTA_INLINE bool arrange(Conversation& conversation, std::size_t steps) {
    bool moved = false;
    for (ConversationMessage& one : conversation) {
        require_said(one.message);
        moved = moved || one.before > steps;
        one.before = std::min(one.before, steps);
    }
    if (!std::is_sorted(conversation.begin(), conversation.end(), is_earlier))
        std::stable_sort(conversation.begin(), conversation.end(), is_earlier);
    return moved;
}

}  // namespace acta::inline ACTA_ABI::history_detail
