// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include "acta/provider/http_chat_model.hpp"
#include "acta/provider/openai/options.hpp"

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

#ifndef ACTA_COMPILED
#include "acta/provider/openai/detail/chat_model.inl.hpp"
#endif
