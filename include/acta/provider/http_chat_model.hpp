// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <span>
#include <string>
#include <string_view>

#include "acta/chat/chat_model.hpp"
#include "acta/provider/codec.hpp"

namespace acta::inline ACTA_ABI {

/// A model behind an HTTP API: what `openai::ChatModel`, `openai::ResponsesModel` and `anthropic::ChatModel` have in
/// common, and these models over any other HTTP library. Needs no libcurl:
///
/// @code{.cpp no-run}
/// acta::openai::Options options{.model = "gpt-5"};
/// options.transport = [](const acta::http::Request& request, const acta::http::Sink& sink) {
///     acta::http::Reply reply;   // send it with your library, and pass parts of the body to `sink`
///     return reply;
/// };
/// const acta::HttpChatModel model{acta::openai::ChatCodec(options)};
/// @endcode
///
/// Models the concept `ChatModel`. Immutable: threads may share one, and copies share its state. Every call throws
/// `ChatModelError` if the model does not answer, `Timeout` when its time is over, `Cancelled` once `ChatOptions::stop`
/// is requested, at any stage, and `EncodeError` if a message is not valid UTF-8. No error contains a key.
class HttpChatModel {
public:
    /// A model that sends what the codec writes by the transport of its options. Throws `ChatModelError`
    /// (`configuration`) if they have none.
    explicit HttpChatModel(HttpChatCodec codec);

    /// Asks the model, as the concept `ChatModel` requires.
    ChatCompletion operator()(std::span<const ChatMessage> messages, const ChatOptions& options) const;
    /// Asks the model and returns its whole answer.
    ChatReply complete(std::span<const ChatMessage> messages, const ChatOptions& options = {}) const;
    /// The same for one question.
    ChatReply complete(std::string_view question, const ChatOptions& options = {}) const;

    /// Returns the codec.
    [[nodiscard]] const HttpChatCodec& codec() const noexcept { return codec_; }
    /// Returns the name of the model, as in the options.
    [[nodiscard]] const std::string& model() const noexcept { return codec_.model(); }
    /// Returns the address of requests, without its query.
    [[nodiscard]] const std::string& url() const noexcept { return codec_.url(); }

protected:
    /// As above, with a transport for options that have none.
    HttpChatModel(HttpChatCodec codec, http::Reply (*otherwise)(const http::Request& request, const http::Sink& sink));

private:
    [[nodiscard]] ChatReply ask(const http::Request& request, ChatReplyReader& reader,
                                std::chrono::steady_clock::time_point deadline) const;
    void wait_to_retry(const ChatModelError& error, int attempt, bool has_shown,
                       std::chrono::steady_clock::time_point deadline, const ChatOptions& options) const;

    HttpChatCodec codec_;
    http::Transport transport_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/provider/detail/http_chat_model.inl.hpp"
#endif
