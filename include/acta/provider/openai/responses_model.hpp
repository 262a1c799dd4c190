// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include "acta/provider/http_chat_model.hpp"
#include "acta/provider/openai/options.hpp"

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
#include "acta/provider/openai/detail/responses_model.inl.hpp"
#endif
