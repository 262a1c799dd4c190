// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <span>
#include <string>
#include <string_view>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/provider/chat_reply.hpp"
#include "acta/provider/detail/http_model.hpp"
#include "acta/provider/openai/options.hpp"

namespace acta::inline ACTA_ABI::openai {

/// A model behind OpenAI's Responses API. Requests go to `<base_url>/responses`; the server keeps nothing (`store` is
/// false), and the model's reasoning comes back encrypted in the next request. `Options::extra` may say otherwise.
/// `max_tokens_key`, `send_reasoning` and `stream_usage` of the options have no meaning here.
///
/// @code{.cpp no-run}
/// acta::openai::ResponsesModel model({.model = "gpt-5"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
///
/// Models the concept `ChatModel`, with the guarantees of `ChatModel`.
class ResponsesModel {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ResponsesModel(const Options& options = {});

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

}  // namespace acta::inline ACTA_ABI::openai

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/responses_model.inl.hpp"
#endif
