// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/retry.hpp"
#include "acta/provider/codec.hpp"
#include "acta/provider/openai/server_traits.hpp"
#include "acta/provider/openai/wire.hpp"

namespace acta::inline ACTA_ABI::openai {

/// The address of a model, and the content of every request to it. A plain value without a description, so that its key
/// cannot be written to JSON by accident.
struct Options {
    /// `http` or `https`; requests go to `<base_url>/chat/completions`. A query is kept (Azure's `api-version`).
    std::string base_url = "https://api.openai.com/v1";
    std::string model{};  ///< Left out of requests when empty: some servers have only one.
    /// Without a value, `OPENAI_API_KEY` of the environment is used if it is set; with `""` no key is ever sent. A key
    /// from the environment is sent over `https` or to this machine only, as it may not be meant for this server.
    std::optional<std::string> api_key{};
    std::string organization{};  ///< `OpenAI-Organization`
    std::string project{};       ///< `OpenAI-Project`
    std::vector<std::pair<std::string, std::string>>
        headers{};  ///< Further headers; `Authorization` replaces that of the key.

    std::optional<double> temperature{};       ///< Used if `ChatOptions` has none.
    std::optional<std::int64_t> max_tokens{};  ///< Limit of the answer, if `ChatOptions` has none.
    /// What the server takes. Without a value, what is known of the host of `base_url` (`server_traits`); to be set for
    /// a gateway to such a server.
    std::optional<ServerTraits> server{};
    /// The name of the field with that limit. Empty for that of the server: `max_completion_tokens` at api.openai.com,
    /// whose newer models refuse the older name, and `max_tokens` elsewhere.
    std::string max_tokens_key{};
    /// When the model's reasoning is sent back to it. Without a value, as the server wants it: never to api.openai.com
    /// and Mistral, of turns with calls to DeepSeek and Kimi, with calls to other servers.
    std::optional<SendReasoning> send_reasoning{};
    JsonObject extra{};        ///< Further fields of a request (`seed`, `top_p`); they replace acta's of the same name.
    bool stream_usage = true;  ///< Ask for the usage of streamed answers; switch off for servers that refuse it.

    /// Whether the Responses API is asked for the model's reasoning in encrypted form, which goes back to it in the
    /// next request. Without a value, of all models but those that are known to refuse it (gpt-4o and older); where a
    /// server refuses it nevertheless, the request is made once more without it.
    std::optional<bool> encrypted_reasoning{};

    std::chrono::milliseconds connect_timeout{10000};  ///< For each attempt.
    std::chrono::milliseconds timeout{600000};         ///< In all: attempts, answers and waits between them.
    std::size_t max_response_bytes = std::size_t{16} * 1024 * 1024;  ///< Limit of an answer, streamed or not.
    /// When a failed request is repeated: on 408, 409, 429, 5xx and broken connections, unless `retry_if` decides.
    /// Once a part of a streamed answer has been shown, it is requested again only with `ChatOptions::on_event`, after
    /// an `AnswerRestarted`.
    RetryOptions retry{};
    std::string ca_file{};  ///< PEM file of trusted certificates, in place of the system's.
    /// The URL of a proxy; empty for none. If not set, that of the environment (`https_proxy` and the like), but none
    /// for this machine, nor for a key that would go over plain http.
    std::optional<std::string> proxy{};
    /// Sends the requests. Empty for libcurl, or, of an `HttpChatModel`, for nothing.
    http::Transport transport{};
    /// Recognises further errors that mean that the context is too long (`ChatModelFault::context_too_long`), besides
    /// those that the client knows. Called with the server's error as it would be thrown.
    std::function<bool(const ChatModelError&)> is_context_too_long{};
};

/// Requests and responses of the chat completions API, of OpenAI or of any compatible server.
class ChatCodec : public HttpChatCodec {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ChatCodec(const Options& options = {});
};

/// Requests and responses of OpenAI's Responses API. Requests go to `<base_url>/responses`; the server keeps nothing
/// (`store` is false), and the model's reasoning comes back encrypted in the next request. `Options::extra` may say
/// otherwise. `max_tokens_key`, `send_reasoning` and `stream_usage` of the options have no meaning here, and of
/// `server` only `max_description` has one.
class ResponsesCodec : public HttpChatCodec {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ResponsesCodec(const Options& options = {});
};

}  // namespace acta::inline ACTA_ABI::openai

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/codec.inl.hpp"
#endif
