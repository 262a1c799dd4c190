// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <initializer_list>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/chat/chat_model_error.hpp"
#include "acta/chat/message.hpp"

namespace acta::inline v0 {

/// A conversation in the form of the chat completions API: built from one question, from messages, or from a finished
/// list, such as that of a history with its tool calls and their results (`to_openai_messages`).
///
/// @code{.cpp}
/// acta::OpenAIMessages one("When is high tide?");
/// acta::OpenAIMessages two{acta::ChatMessage::system("Answer in one word."),
///                          acta::ChatMessage::user("When is high tide?")};
/// @endcode
class OpenAIMessages {
public:
    // Implicit, so that any of these can be passed where a conversation is expected.

    /// One message of the user.
    OpenAIMessages(const char* question) : OpenAIMessages(std::string_view(question)) {}  // NOLINT
    /// One message of the user.
    OpenAIMessages(const std::string& question) : OpenAIMessages(std::string_view(question)) {}  // NOLINT
    /// One message of the user.
    OpenAIMessages(std::string_view question) {  // NOLINT
        add("user", std::string(question));
    }
    /// Messages without tool calls.
    OpenAIMessages(std::span<const ChatMessage> messages) {  // NOLINT
        for (const ChatMessage& one : messages) add(role_name(one.role), one.content);
    }
    /// Messages without tool calls.
    OpenAIMessages(const std::vector<ChatMessage>& messages)  // NOLINT
        : OpenAIMessages(std::span<const ChatMessage>(messages)) {}
    /// Messages without tool calls.
    OpenAIMessages(std::initializer_list<ChatMessage> messages)
        : OpenAIMessages(std::span<const ChatMessage>(messages.begin(), messages.size())) {}
    /// A list as the API documents it, sent as it is.
    OpenAIMessages(JsonArray list) : list_(std::move(list)) {}  // NOLINT
    /// The same as a JSON value. Throws `ChatModelError` (`configuration`) where it is not a list.
    template <std::same_as<Json> J>
    OpenAIMessages(J list) {  // NOLINT
        if (!list.is_array()) throw ChatModelError::configuration("the messages must be a JSON list");
        list_ = std::move(list.template get_ref<JsonArray&>());
    }

    /// Returns the list that is sent.
    [[nodiscard]] const JsonArray& list() const& noexcept { return list_; }
    /// Moves the list out.
    [[nodiscard]] JsonArray list() && noexcept { return std::move(list_); }

private:
    static std::string role_name(ChatRole role) {
        for (const auto& [name, value] : Describe<ChatRole>::values) {
            if (value == role) return std::string(name);
        }
        return "user";
    }
    void add(std::string role, std::string content) {
        JsonObject message;
        message.emplace("role", std::move(role));
        message.emplace("content", std::move(content));
        list_.emplace_back(std::move(message));
    }

    JsonArray list_{};
};

}  // namespace acta::inline v0
