// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <span>
#include <string>
#include <string_view>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/provider/anthropic/options.hpp"
#include "acta/provider/chat_reply.hpp"
#include "acta/provider/detail/http_model.hpp"

namespace acta::inline ACTA_ABI::anthropic {

/// A model behind Anthropic's Messages API.
///
/// @code{.cpp no-run}
/// acta::anthropic::ChatModel model({.model = "claude-opus-4-5"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
///
/// Thinking (`Options::extra`, `{"thinking": {"type": "enabled", "budget_tokens": 2048}}`) is kept in the message with
/// its signature and written back. The reasons to finish are named as OpenAI's are: `stop`, `tool_calls`, `length`,
/// `refusal`; others stay as they are.
///
/// Models the concept `ChatModel`, with the guarantees of `openai::ChatModel`.
class ChatModel {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ChatModel(const Options& options = {});

    /// Asks the model, as the concept `ChatModel` requires.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const {
        return complete(messages, options).completion;
    }
    /// Asks the model and returns its whole answer.
    ChatReply complete(std::span<const ChatMessage> messages, const ChatOptions& options = {}) const {
        return http_.complete(messages, options);
    }
    /// The same for one question.
    ChatReply complete(std::string_view question, const ChatOptions& options = {}) const {
        const ChatMessage message = ChatMessage::user(std::string(question));
        return complete(std::span(&message, 1), options);
    }

    /// Returns the name of the model, as in the options.
    [[nodiscard]] const std::string& model() const noexcept { return http_.model(); }
    /// Returns the address of requests, without its query.
    [[nodiscard]] const std::string& url() const noexcept { return http_.url(); }

private:
    provider_detail::HttpModel http_;
};

}  // namespace acta::inline ACTA_ABI::anthropic

#ifndef ACTA_COMPILED
#include "acta/provider/anthropic/detail/chat_model.inl.hpp"
#endif
