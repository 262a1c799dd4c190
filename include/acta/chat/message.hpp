// SPDX-License-Identifier: MIT
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/chat/content_part.hpp"
#include "acta/chat/tool_call.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/document.hpp"

namespace acta::inline ACTA_ABI {

/// The role of the speaker of a chat message.
enum class ChatRole { system, user, assistant, tool };

/// Returns `system`, `user`, `assistant` or `tool`.
[[nodiscard]] std::string_view to_string(ChatRole role);

/// A message of a conversation with a model: what providers, histories and loops exchange. The wire formats of the
/// providers are converted to and from it (`openai::to_wire`, `anthropic::to_wire`).
///
/// Its JSON is that of OpenAI's chat completions, so that `parse<std::vector<ChatMessage>>` reads what most files and
/// servers contain: `content` as text, parts or null, arguments as text or as an object, the role `developer`, the
/// deprecated `function_call`, calls without ids. Members that acta does not know go to `extra["openai"]` and are
/// written back.
///
/// @code{.cpp}
/// std::vector<acta::ChatMessage> messages{acta::ChatMessage::system("You are an agent."),
///                                         acta::ChatMessage::user("Find out about tides.")};
/// messages.push_back(acta::ChatMessage::assistant("I look.", {{"c1", {"search", {{"query", "tides"}}}}}));
/// messages.push_back(acta::ChatMessage::tool("c1", "3 results"));
/// @endcode
struct ChatMessage {
    ChatRole role = ChatRole::user;  ///< Who speaks.
    /// The text; of a message with parts their text, with placeholders for binary ones (`parts_text`).
    std::string content{};
    std::vector<ContentPart> parts{};  ///< The content, if it is more than one text. Sent instead of `content`.
    std::vector<AssistantToolCall> tool_calls{};     ///< Of the assistant: what it calls.
    std::string tool_call_id{};                      ///< Of a tool: the id of the call that this is the result of.
    bool is_error = false;                           ///< Of a tool: whether the call failed.
    std::optional<std::string> reasoning_content{};  ///< Of the assistant: what the model thought before it answered.
    /// Data that a provider wants back unchanged, by provider: `{"anthropic": {...}}`.
    JsonObject extra{};

    /// Returns a message of the user.
    [[nodiscard]] static ChatMessage user(std::string text) { return of(ChatRole::user, std::move(text)); }
    /// Returns an instruction.
    [[nodiscard]] static ChatMessage system(std::string text) { return of(ChatRole::system, std::move(text)); }
    /// Returns a message of the model.
    [[nodiscard]] static ChatMessage assistant(std::string text, std::vector<AssistantToolCall> calls = {});
    /// Returns a message with the result of the call with this id.
    [[nodiscard]] static ChatMessage tool(std::string id, std::string text, bool is_error = false);

    friend bool operator==(const ChatMessage&, const ChatMessage&) = default;

private:
    static ChatMessage of(ChatRole role, std::string text);
};

/// The answer of a model: text, tool calls, or both. A `ChatMessage` is made from it implicitly.
struct AssistantChatMessage {
    /// The text; may be empty.
    std::string content{};
    /// The calls that the model asks for.
    std::optional<std::vector<AssistantToolCall>> tool_calls{};
    /// What the model thought before it answered, if its server says so; written when set, in no schema.
    std::optional<std::string> reasoning_content{};
    /// As in `ChatMessage`; written when set, in no schema.
    JsonObject extra{};

    /// Converts to a message of the assistant.
    operator ChatMessage() const;  // NOLINT(google-explicit-constructor): the same message with a role

    friend bool operator==(const AssistantChatMessage&, const AssistantChatMessage&) = default;
};

/// Returns a message of the model as its answer: the inverse of the conversion above. Parts are kept in `extra`.
[[nodiscard]] AssistantChatMessage to_assistant_message(ChatMessage message);

/// `developer` reads as `system`, `function` as `tool`.
template <>
struct Describe<ChatRole> {
    static constexpr auto values = acta::values<ChatRole>({{"system", ChatRole::system},
                                                           {"user", ChatRole::user},
                                                           {"assistant", ChatRole::assistant},
                                                           {"tool", ChatRole::tool},
                                                           {"developer", ChatRole::system},
                                                           {"function", ChatRole::tool}});
};

template <>
struct Describe<ChatMessage> {
    static constexpr std::string_view name = "ChatMessage";
    static constexpr bool custom_codec = true;
    static void decode(codec::Decoder& d, ChatMessage& out);
    static void encode(codec::Encoder& e, const ChatMessage& message);
    static Json schema();
};

template <>
struct Describe<AssistantChatMessage> {
    using Self = AssistantChatMessage;
    static constexpr auto fields = acta::fields(
        literal("role", "assistant"), defaulted("content", &Self::content), defaulted("tool_calls", &Self::tool_calls),
        omit_if_empty("reasoning_content", &Self::reasoning_content), omit_if_empty("extra", &Self::extra));
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/chat/detail/message.inl.hpp"
#endif

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template struct codec::Document<ChatMessage>;
}  // namespace acta::inline ACTA_ABI
extern template class std::vector<acta::AssistantToolCall>;
extern template class std::vector<acta::ContentPart>;
#endif
