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
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/codec.hpp"

namespace acta::inline ACTA_ABI::anthropic {

/// The address of a model, and the content of every request to it. A plain value without a description, so that its key
/// cannot be written to JSON by accident.
struct Options {
    /// `http` or `https`; requests go to `<base_url>/messages`. A query is kept.
    std::string base_url = "https://api.anthropic.com/v1";
    std::string model{};  ///< Such as `claude-opus-4-5`.
    /// Without a value, `ANTHROPIC_API_KEY` of the environment is used if it is set; with `""` no key is ever sent. A
    /// key from the environment is sent over `https` or to this machine only, as it may not be meant for this server.
    std::optional<std::string> api_key{};
    std::string version = "2023-06-01";  ///< `anthropic-version`
    std::string beta{};                  ///< `anthropic-beta`, separated by commas
    std::vector<std::pair<std::string, std::string>>
        headers{};  ///< Further headers; `x-api-key` and `Authorization` replace that of the key.

    std::optional<double> temperature{};  ///< Used if `ChatOptions` has none.
    std::int64_t max_tokens = 8192;       ///< Limit of the answer, if `ChatOptions` has none: the API wants one.
    /// Whether the tools, the instructions and the conversation so far are marked for the prompt cache, which makes the
    /// next request of an agent cheaper and quicker. Marks of the messages' own (`cache_control`) are kept as well.
    bool cache = true;
    JsonObject extra{};  ///< Further fields of a request (`thinking`, `top_p`); they replace acta's of the same name.

    std::chrono::milliseconds connect_timeout{10000};  ///< For each attempt.
    std::chrono::milliseconds timeout{600000};         ///< In all: attempts, answers and waits between them.
    std::size_t max_response_bytes = std::size_t{16} * 1024 * 1024;  ///< Limit of an answer, streamed or not.
    /// When a failed request is repeated: on 408, 409, 429, 5xx (529 is "overloaded") and broken connections, unless
    /// `retry_if` decides. Once a part of a streamed answer has been shown, it is requested again only with
    /// `ChatOptions::on_event`, after an `AnswerRestarted`.
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

/// Requests and responses of Anthropic's Messages API.
///
/// Thinking (`Options::extra`, `{"thinking": {"type": "enabled", "budget_tokens": 2048}}`) is kept in the message with
/// its signature and written back. The reasons to finish are named as OpenAI's are: `stop`, `tool_calls`, `length`,
/// `refusal`; others stay as they are.
class ChatCodec : public HttpChatCodec {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ChatCodec(const Options& options = {});
};

}  // namespace acta::inline ACTA_ABI::anthropic

#ifndef ACTA_COMPILED
#include "acta/provider/anthropic/detail/codec.inl.hpp"
#endif
