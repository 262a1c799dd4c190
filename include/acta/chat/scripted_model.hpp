// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <initializer_list>
#include <memory>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/chat/chat_model.hpp"

namespace acta::inline ACTA_ABI {

/// A scripted model was asked more often than its script has replies.
class ScriptEnded : public Error {
public:
    using Error::Error;
};

/// A request that a scripted model received.
struct ChatRequest {
    /// The conversation.
    std::vector<ChatMessage> messages{};
    /// The options.
    ChatOptions options{};
};

/// A chat model for tests and examples: it returns the replies of a script, one after another, and keeps its requests.
/// Copies share script and requests, so that one can be handed on and another asked what happened. Several threads may
/// call it at once.
///
/// @code{.cpp}
/// acta::ScriptedChatModel model{"High water is at noon."};
/// model.reply_call("search", {{"query", "tides"}}).fail(std::runtime_error("no connection"));
///
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("When is high water?")};
/// std::string answer = model(messages, {}).message.content;   // High water is at noon.
/// std::size_t asked = model.requests().size();                // 1
/// @endcode
class ScriptedChatModel {
public:
    ScriptedChatModel();
    /// A model that answers these texts.
    ScriptedChatModel(std::initializer_list<std::string> replies);

    /// Appends a text to the script.
    ScriptedChatModel& reply(std::string text);
    /// Appends a text to the script.
    ScriptedChatModel& reply(const char* text) { return reply(std::string(text)); }
    /// Appends a whole completion.
    ScriptedChatModel& reply(ChatCompletion completion);
    /// Appends a native tool call.
    ScriptedChatModel& reply_call(std::string name, JsonObject arguments);
    /// Appends what a function returns for the request.
    ScriptedChatModel& reply_by(AnyChatModel function);
    /// Appends an exception, which the model throws.
    template <class Exception>
    ScriptedChatModel& fail(Exception exception) {
        return reply_by([exception = std::move(exception)](std::span<const ChatMessage>,
                                                           const ChatOptions&) -> ChatCompletion { throw exception; });
    }

    /// Returns the next reply. Throws `ScriptEnded` if there is none.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const;

    /// Returns the requests so far.
    [[nodiscard]] std::vector<ChatRequest> requests() const;
    /// Returns the number of replies that are left.
    [[nodiscard]] std::size_t remaining() const;

private:
    struct State;
    std::shared_ptr<State> state_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/chat/detail/scripted_model.inl.hpp"
#endif
