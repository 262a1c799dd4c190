// SPDX-License-Identifier: MIT
#pragma once

#include "acta/provider/http/curl.hpp"
#include "acta/provider/http_chat_model.hpp"
#include "acta/provider/openai/codec.hpp"

// Needs libcurl: link acta::client.

// Models behind OpenAI's APIs, which many other servers also understand, over libcurl.
namespace acta::inline ACTA_ABI::openai {

/// A model behind the chat completions API, of OpenAI or of any compatible server. Over libcurl, each thread keeps its
/// connections open between calls; they are not shared with forked processes.
///
/// @code{.cpp no-run}
/// acta::openai::ChatModel model({.base_url = "http://localhost:8080/v1", .model = "qwen3"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
class ChatModel : public HttpChatModel {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ChatModel(const Options& options = {}) : HttpChatModel(ChatCodec(options), &http::send) {}
};

/// A model behind OpenAI's Responses API (`ResponsesCodec`), otherwise as `ChatModel`.
///
/// @code{.cpp no-run}
/// acta::openai::ResponsesModel model({.model = "gpt-5"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
class ResponsesModel : public HttpChatModel {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ResponsesModel(const Options& options = {}) : HttpChatModel(ResponsesCodec(options), &http::send) {}
};

}  // namespace acta::inline ACTA_ABI::openai
