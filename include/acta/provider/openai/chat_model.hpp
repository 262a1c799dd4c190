// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <chrono>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/json/parse.hpp"
#include "acta/provider/openai/messages.hpp"
#include "acta/provider/openai/options.hpp"
#include "acta/provider/openai/reply.hpp"
#include "acta/schema/schema.hpp"

// Models behind OpenAI's chat completions, which many other servers understand, too.
namespace acta::inline v0::openai {

/// A model behind the chat completions API, of OpenAI or of any compatible server.
///
/// @code{.cpp no-run}
/// acta::openai::ChatModel model({.base_url = "http://localhost:8080/v1", .model = "qwen3"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
///
/// Models the concept `ChatModel`. Immutable: threads may share one, and copies share its state. Each thread keeps its
/// connections open between calls; they are not shared with forked processes. Every call throws `ChatModelError` where
/// the model does not answer, `Timeout` where its time is over, `Cancelled` once `ChatOptions::stop` is requested, at
/// whatever stage, and `EncodeError` where a message is not valid UTF-8. No error contains a key.
class ChatModel {
public:
    /// Called with each part of a streamed answer, by the calling thread. An exception that it throws ends the call.
    using OnDelta = std::function<void(const Delta&)>;

    /// Throws `ChatModelError` (`configuration`) where the options cannot be used.
    explicit ChatModel(Options options = {});

    /// Asks the model: what makes it a `ChatModel`.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const {
        return complete(messages, options).completion;
    }
    /// Asks the model and returns everything that came back.
    [[nodiscard]] Reply complete(OpenAIMessages messages, const ChatOptions& options = {}) const {
        return ask_server(std::move(messages).list(), options, nullptr);
    }
    /// Asks the model and passes the answer on as it arrives. A request is not repeated once a part was passed on.
    Reply stream(OpenAIMessages messages, const OnDelta& on_delta, const ChatOptions& options = {}) const {
        return ask_server(std::move(messages).list(), options, &on_delta);
    }
    /// Asks for an answer of a described type, whose schema is sent unless `options` has one. Throws `ValidationError`
    /// where the answer does not fit, and `ChatModelError` (`reply`) where it was truncated or refused. `reply`
    /// receives everything, also then.
    template <class T>
    [[nodiscard]] T ask(OpenAIMessages messages, ChatOptions options = {}, Reply* reply = nullptr) const {
        if (!options.response_schema) options.response_schema = answer_schema<T>();
        Reply own;
        Reply& received = reply == nullptr ? own : *reply;
        received = complete(std::move(messages), options);
        return parse<T>(answer_text(received));
    }

    /// Returns the name of the model, as in the options.
    [[nodiscard]] const std::string& model() const noexcept;
    /// Returns the address of requests, without its query.
    [[nodiscard]] const std::string& url() const noexcept;

private:
    struct State;
    class Attempt;

    [[nodiscard]] Reply ask_server(JsonArray messages, const ChatOptions& options, const OnDelta* on_delta) const;
    void wait_to_retry(const ChatModelError& error, int attempt, bool has_shown,
                       std::chrono::steady_clock::time_point deadline, const ChatOptions& options) const;
    [[nodiscard]] static std::string_view answer_text(const Reply& reply);
    /// Returns a strict schema where the type allows it, else one that the server does not enforce.
    template <class T>
    [[nodiscard]] static Json answer_schema() {
        try {
            return schema<T>({.dialect = SchemaDialect::openai_strict});
        } catch (const SchemaError&) {
            return schema<T>();
        }
    }

    std::shared_ptr<const State> state_;
};

}  // namespace acta::inline v0::openai

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/chat_model.inl.hpp"
#endif
