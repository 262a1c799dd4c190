// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"
#include "acta/chat/chat_model.hpp"

namespace acta::inline ACTA_ABI {

/// The answer of a provider, with everything that came with it.
struct ChatReply {
    ChatCompletion completion{};  ///< The answer as acta's other parts take it.
    Json body{};                  ///< The answer as received, unknown fields included; a streamed one assembled.
    std::string request_id{};     ///< The `x-request-id` or `request-id` header.
    int attempts = 1;             ///< How often the model was asked.
};

}  // namespace acta::inline ACTA_ABI

// Needs libcurl: link acta::client.

namespace acta::inline ACTA_ABI {

namespace provider_detail {
class Api;
struct Settings;
}  // namespace provider_detail

/// A model behind an HTTP API: what `openai::ChatModel`, `openai::ResponsesModel` and `anthropic::ChatModel` have in
/// common.
///
/// Models the concept `ChatModel`. Immutable: threads may share one, and copies share its state. Each thread keeps its
/// connections open between calls; they are not shared with forked processes. Every call throws `ChatModelError` if the
/// model does not answer, `Timeout` when its time is over, `Cancelled` once `ChatOptions::stop` is requested, at any
/// stage, and `EncodeError` if a message is not valid UTF-8. No error contains a key.
class HttpChatModel {
public:
    /// Asks the model, as the concept `ChatModel` requires.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const {
        return complete(messages, options).completion;
    }
    /// Asks the model and returns its whole answer.
    ChatReply complete(std::span<const ChatMessage> messages, const ChatOptions& options = {}) const;
    /// The same for one question.
    ChatReply complete(std::string_view question, const ChatOptions& options = {}) const {
        const ChatMessage message = ChatMessage::user(std::string(question));
        return complete(std::span(&message, 1), options);
    }

    /// Returns the name of the model, as in the options.
    [[nodiscard]] const std::string& model() const noexcept;
    /// Returns the address of requests, without its query.
    [[nodiscard]] const std::string& url() const noexcept;

protected:
    /// Throws `ChatModelError` (`configuration`) if the settings cannot be used.
    HttpChatModel(provider_detail::Settings settings, std::shared_ptr<const provider_detail::Api> api);

private:
    struct State;
    class Attempt;

    void wait_to_retry(const ChatModelError& error, int attempt, bool has_shown,
                       std::chrono::steady_clock::time_point deadline, const ChatOptions& options) const;

    std::shared_ptr<const State> state_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/provider/detail/http_chat_model.inl.hpp"
#endif
