// SPDX-License-Identifier: MIT
#pragma once

#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/http/curl.hpp"
#include "acta/provider/http_chat_model.hpp"

// Needs libcurl: link acta::client.

namespace acta::inline ACTA_ABI::anthropic {

/// A model behind Anthropic's Messages API (`ChatCodec`), over libcurl. Each thread keeps its connections open between
/// calls; they are not shared with forked processes.
///
/// @code{.cpp no-run}
/// acta::anthropic::ChatModel model({.model = "claude-opus-4-5"});
/// std::string answer = model.complete("When is high tide?").completion.message.content;
/// @endcode
class ChatModel : public HttpChatModel {
public:
    /// Throws `ChatModelError` (`configuration`) if the options cannot be used.
    explicit ChatModel(const Options& options = {}) : HttpChatModel(ChatCodec(options), &http::send) {}
};

}  // namespace acta::inline ACTA_ABI::anthropic
