// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include "acta/provider/anthropic/options.hpp"
#include "acta/provider/http_chat_model.hpp"

namespace acta::inline ACTA_ABI::anthropic {

/// A model behind Anthropic's Messages API.
///
/// @code{.cpp no-run}
/// acta::anthropic::ChatModel model({.model = "claude-opus-4-5"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
///
/// Thinking (`Options::extra`, `{"thinking": {"type": "enabled", "budget_tokens": 2048}}`) is kept in the message with
/// its signature and written back. The reasons to finish are named as OpenAI's are: `stop`, `tool_calls`, `length`,
/// `refusal`; others stay as they are.
class ChatModel : public HttpChatModel {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ChatModel(const Options& options = {});
};

}  // namespace acta::inline ACTA_ABI::anthropic

#ifndef ACTA_COMPILED
#include "acta/provider/anthropic/detail/chat_model.inl.hpp"
#endif
