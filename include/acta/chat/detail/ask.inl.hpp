// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/utf8.hpp"
#include "acta/chat/ask.hpp"

namespace acta::inline ACTA_ABI::chat_detail {

ACTA_INLINE std::string_view answer_json(const ChatCompletion& completion) {
    const auto refuse = [](const std::string& why) {
        throw ChatModelError("the answer cannot be read: " + why, {.fault = ChatModelFault::reply});
    };
    const std::string& reason = completion.finish_reason;
    if (reason == "length" || reason == "max_tokens") refuse("it was truncated at the token limit");
    if (reason == "content_filter") refuse("a content filter of the server truncated it");
    std::string_view text = completion.message.content;
    if (reason == "refusal") refuse("the model refuses, \"" + utf8::replace_invalid(text.substr(0, 1000)) + "\"");
    // Servers that do not enforce the schema let models wrap the JSON as they would in a chat.
    constexpr const char* blanks = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    if (text.starts_with("```")) {
        text.remove_prefix(std::min(text.find('\n'), text.size()));
        text = text.substr(0, text.rfind("```"));
    }
    return text;
}

ACTA_INLINE void ask_again(std::vector<ChatMessage>& messages, const ChatCompletion& completion,
                           const ValidationError& error) {
    messages.push_back(completion.message);
    messages.push_back(ChatMessage::user("That answer cannot be used: " + std::string(error.what()) +
                                         "\nAnswer again, with the JSON alone."));
}

}  // namespace acta::inline ACTA_ABI::chat_detail
