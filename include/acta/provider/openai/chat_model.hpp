// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/retry.hpp"
#include "acta/provider/http_chat_model.hpp"
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
    /// The name of that field. Empty for `max_completion_tokens` at api.openai.com, whose newer models refuse the older
    /// name, and `max_tokens` elsewhere.
    std::string max_tokens_key{};
    /// When the model's reasoning is sent back to it. Without a value, never to api.openai.com, to other servers with
    /// calls.
    std::optional<SendReasoning> send_reasoning{};
    JsonObject extra{};        ///< Further fields of a request (`seed`, `top_p`); they replace acta's of the same name.
    bool stream_usage = true;  ///< Ask for the usage of streamed answers; switch off for servers that refuse it.

    std::chrono::milliseconds connect_timeout{10000};  ///< For each attempt.
    std::chrono::milliseconds timeout{600000};         ///< In all: attempts, answers and waits between them.
    std::size_t max_response_bytes = std::size_t{16} * 1024 * 1024;  ///< Limit of an answer, streamed or not.
    /// When a failed request is repeated: on 408, 409, 429, 5xx and broken connections, unless `retry_if` decides.
    /// Streamed answers are not requested again once a part of them has been shown.
    RetryOptions retry{};
    std::string ca_file{};  ///< PEM file of trusted certificates, in place of the system's.
};

}  // namespace acta::inline ACTA_ABI::openai

// Needs libcurl: link acta::client.

// Models behind OpenAI's chat completions, which many other servers also understand.
namespace acta::inline ACTA_ABI::openai {

/// A model behind the chat completions API, of OpenAI or of any compatible server.
///
/// @code{.cpp no-run}
/// acta::openai::ChatModel model({.base_url = "http://localhost:8080/v1", .model = "qwen3"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
class ChatModel : public HttpChatModel {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ChatModel(const Options& options = {});
};

}  // namespace acta::inline ACTA_ABI::openai

// Needs libcurl: link acta::client.

namespace acta::inline ACTA_ABI::openai {

/// A model behind OpenAI's Responses API. Requests go to `<base_url>/responses`; the server keeps nothing (`store` is
/// false), and the model's reasoning comes back encrypted in the next request. `Options::extra` may say otherwise.
/// `max_tokens_key`, `send_reasoning` and `stream_usage` of the options have no meaning here.
///
/// @code{.cpp no-run}
/// acta::openai::ResponsesModel model({.model = "gpt-5"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
class ResponsesModel : public HttpChatModel {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ResponsesModel(const Options& options = {});
};

}  // namespace acta::inline ACTA_ABI::openai

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/chat_model.inl.hpp"
#endif
