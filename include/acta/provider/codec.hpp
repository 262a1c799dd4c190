// SPDX-License-Identifier: MIT
#pragma once

#include <exception>
#include <memory>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/json_value.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/provider/http/http.hpp"

namespace acta::inline ACTA_ABI {

namespace provider_detail {
class Api;
struct CodecState;
struct RequestTools;
}  // namespace provider_detail

namespace http {
class CurlMulti;
}  // namespace http

/// The answer of a provider, with everything that came with it.
struct ChatReply {
    ChatCompletion completion{};  ///< The answer as acta's other parts take it.
    Json body{};                  ///< The answer as received, unknown fields included; a streamed one assembled.
    std::string request_id{};     ///< The `x-request-id` or `request-id` header.
    int attempts = 1;             ///< How often the model was asked.
};

/// Reads the response to one request, whose body is fed to it as it arrives, streamed or not. Made by
/// `HttpChatCodec::reader`. Every member that reads throws `ChatModelError`, whose text is one line and contains no
/// key, and the exceptions of the callbacks; the reader cannot be used afterwards.
class ChatReplyReader {
public:
    /// Moves what has been read.
    ChatReplyReader(ChatReplyReader&&) noexcept;
    /// @overload
    ChatReplyReader& operator=(ChatReplyReader&&) noexcept;
    ~ChatReplyReader();

    /// Sets the status and the headers, whose names are in lower case, before any body. Without it, the status is 200.
    void begin(int status, std::span<const std::pair<std::string, std::string>> headers = {});
    /// Adds bytes of the body, already decoded, and passes the new parts of the answer to the callbacks of the options.
    /// Returns how much of the rest is needed. Linear in all.
    http::Demand feed(std::string_view bytes);
    /// Returns the answer, at the end of the body. To be called once.
    [[nodiscard]] ChatReply finish();

    /// Returns whether the callbacks have got a part of the answer.
    [[nodiscard]] bool has_shown() const noexcept;
    /// Returns whether a callback is being called, or has thrown.
    [[nodiscard]] bool in_callback() const noexcept;

private:
    friend class HttpChatCodec;
    friend class HttpChatModel;
    friend class http::CurlMulti;
    struct State;
    /// The sink of a transport.
    http::Demand take(http::Reply& reply);
    /// Returns the answer, once the transport has returned `reply` or thrown `failure`. Throws what callbacks throw,
    /// and otherwise nothing with a secret.
    [[nodiscard]] ChatReply finish(const std::exception_ptr& failure, http::Reply reply);
    /// Throws what a callback threw, if one did.
    void rethrow_callback() const;
    explicit ChatReplyReader(std::unique_ptr<State> state) noexcept;

    std::unique_ptr<State> state_;
};

/// Writes the requests of an API and reads its responses, without I/O: `openai::ChatCodec`, `openai::ResponsesCodec`
/// and `anthropic::ChatCodec`. Needs no HTTP library. Immutable: threads may share one, and copies share its state.
///
/// @code{.cpp no-run}
/// const acta::openai::ChatCodec codec({.model = "gpt-5"});
/// const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("When is high tide?")};
/// const acta::http::Request request = codec.request(messages);   // url, headers and body, for any HTTP library
/// acta::ChatReplyReader reader = codec.reader(messages);
/// reader.begin(200);
/// reader.feed(R"({"choices": [{"message": {"content": "At noon."}, "finish_reason": "stop"}]})");
/// std::string answer = reader.finish().completion.message.content;
/// @endcode
class HttpChatCodec {
public:
    /// Returns the request for an answer to these messages. Throws `ChatModelError` (`configuration`) if there are none
    /// or the options name an unknown tool, and `EncodeError` if a text is not valid UTF-8.
    [[nodiscard]] http::Request request(std::span<const ChatMessage> messages, const ChatOptions& options = {}) const;
    /// Returns a reader of the response to that request. Copies what it needs.
    [[nodiscard]] ChatReplyReader reader(std::span<const ChatMessage> messages, const ChatOptions& options = {}) const;

    /// Returns the name of the model, as in the options.
    [[nodiscard]] const std::string& model() const noexcept;
    /// Returns the address of requests, without its query.
    [[nodiscard]] const std::string& url() const noexcept;

protected:
    /// Made by the codec of an API.
    explicit HttpChatCodec(std::shared_ptr<const provider_detail::CodecState> state) noexcept;

private:
    friend class HttpChatModel;
    [[nodiscard]] http::Request request(std::span<const ChatMessage> messages, const ChatOptions& options,
                                        const std::shared_ptr<const provider_detail::RequestTools>& tools) const;
    [[nodiscard]] ChatReplyReader reader(std::shared_ptr<const provider_detail::RequestTools> tools,
                                         const ChatOptions& options) const;

    std::shared_ptr<const provider_detail::CodecState> state_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/provider/detail/codec.inl.hpp"
#endif
