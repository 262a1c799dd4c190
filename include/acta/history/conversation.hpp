// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "acta/base/boxed.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/metrics.hpp"

namespace acta::inline ACTA_ABI {

/// A message between the steps of a history: an instruction, a message of the user, or an answer of the model.
struct ConversationMessage {
    std::size_t before = 0;  ///< The message stands before this step, counted from 0; the number of steps at the end.
    ChatMessage message{};   ///< Who said what: the system, the user, or the assistant without a call.
    Boxed<StepMetrics> metrics{};  ///< What an answer took, if that is known; written when set.

    friend bool operator==(const ConversationMessage&, const ConversationMessage&) = default;
};

template <>
struct Describe<ConversationMessage> {
    static constexpr auto fields = acta::fields(required("before", &ConversationMessage::before),
                                                required("message", &ConversationMessage::message),
                                                omit_if_empty("metrics", &ConversationMessage::metrics));
};

namespace history_detail {

using Conversation = std::vector<ConversationMessage>;

/// Appends a message as a paragraph: `### User`, and below it its text.
void append_said(std::string& out, const ChatMessage& message);
/// Throws `HistoryError` (`not_said`) for a tool's message and one with calls: those belong to steps.
void require_said(const ChatMessage& message);
/// Reserves memory for so many more messages.
void make_room(Conversation& conversation, std::size_t count);
/// Puts messages, which stand before one step, behind all others that do. If it throws, nothing was changed; with
/// enough room it does not throw.
void add_messages(Conversation& conversation, Conversation said);
/// Drops the messages right after the step at `step`, which is about to be removed. Messages of later steps stay with
/// those steps, whose index is then one less.
void drop_messages_behind(Conversation& conversation, std::size_t step);
/// Drops the messages after the step at `steps`, since only the first `steps` steps are kept. Messages before that step
/// stay.
void drop_messages_after(Conversation& conversation, std::size_t steps);
/// Brings a conversation that was read into order. Returns whether a message stood beyond the end.
bool arrange(Conversation& conversation, std::size_t steps);

}  // namespace history_detail

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/history/detail/conversation.inl.hpp"
#endif
