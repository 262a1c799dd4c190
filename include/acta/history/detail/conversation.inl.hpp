// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
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

ACTA_INLINE void add_messages(Conversation& conversation, Conversation said) {
    if (said.empty()) return;
    const auto place = std::ranges::upper_bound(conversation, said.front().before, {}, &ConversationMessage::before);
    conversation.insert(place, std::make_move_iterator(said.begin()), std::make_move_iterator(said.end()));
}

ACTA_INLINE void drop_messages_behind(Conversation& conversation, std::size_t step) {
    std::erase_if(conversation, [step](const ConversationMessage& one) { return one.before == step + 1; });
    for (ConversationMessage& one : conversation) {
        if (one.before > step) --one.before;
    }
}

ACTA_INLINE void drop_messages_after(Conversation& conversation, std::size_t steps) {
    const auto first = std::ranges::upper_bound(conversation, steps, {}, &ConversationMessage::before);
    conversation.erase(first, conversation.end());
}

ACTA_INLINE bool arrange(Conversation& conversation, std::size_t steps) {
    bool moved = false;
    for (ConversationMessage& one : conversation) {
        require_said(one.message);
        moved = moved || one.before > steps;
        one.before = std::min(one.before, steps);
    }
    if (!std::ranges::is_sorted(conversation, {}, &ConversationMessage::before))
        std::ranges::stable_sort(conversation, {}, &ConversationMessage::before);
    return moved;
}

}  // namespace acta::inline ACTA_ABI::history_detail
