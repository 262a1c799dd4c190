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

// Models behind OpenAI's chat completions, which many other servers also understand.
namespace acta::inline ACTA_ABI::openai {

/// A model behind the chat completions API, of OpenAI or of any compatible server.
///
/// @code{.cpp no-run}
/// acta::openai::ChatModel model({.base_url = "http://localhost:8080/v1", .model = "qwen3"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
///
/// Models the concept `ChatModel`. Immutable: threads may share one, and copies share its state. Each thread keeps its
/// connections open between calls; they are not shared with forked processes. Every call throws `ChatModelError` if the
/// model does not answer, `Timeout` when its time is over, `Cancelled` once `ChatOptions::stop` is requested, at any
/// stage, and `EncodeError` if a message is not valid UTF-8. No error contains a key.
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

}  // namespace acta::inline ACTA_ABI::openai

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/chat_model.inl.hpp"
#endif
