// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <map>
#include <optional>
#include <ostream>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/describe/constraints.hpp"
#include "acta/describe/describe.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/issue.hpp"
#include "acta/pysyntax/repr.hpp"

namespace acta::inline ACTA_ABI {

/// A function call with the id under which its result is returned.
struct AssistantToolCall {
    /// The id under which the result is returned.
    std::string id{};
    /// The call.
    AssistantFunctionCall function{};

    friend bool operator==(const AssistantToolCall&, const AssistantToolCall&) = default;
    /// Prints `to_string`.
    friend std::ostream& operator<<(std::ostream& out, const AssistantToolCall& call) { return out << call.function; }
};

/// Returns the text of its function call.
[[nodiscard]] inline std::string to_string(const AssistantToolCall& call) { return to_string(call.function); }

template <>
struct Describe<AssistantFunctionCall> {
    static constexpr auto fields =
        acta::fields(required("name", &AssistantFunctionCall::name),
                     required("arguments", &AssistantFunctionCall::arguments, "", keep_large_numbers));
};

template <>
struct Describe<AssistantToolCall> {
    static constexpr auto fields =
        acta::fields(required("id", &AssistantToolCall::id), required_literal("type", "function"),
                     required("function", &AssistantToolCall::function));
};

/// A part of a message's content, if that is more than one text: a text, an image, a recording, a file, or a part of a
/// type that only one API has.
///
/// @code{.cpp}
/// acta::ChatMessage message;
/// message.parts = {{.text = "What is this?"}, {.type = "image", .media_type = "image/png", .data = "iVBORw0KGgo="}};
/// message.content = acta::parts_text(message.parts);   // What is this?\n<image/png, 8 bytes>
/// @endcode
struct ContentPart {
    std::string type{"text"};  ///< `text`, `image`, `audio`, `file`, `refusal`, or the provider's own word.
    std::string text{};        ///< Of a text or a refusal, or of a file that is plain text.
    std::string media_type{};  ///< Of the data, such as `image/png`.
    std::string data{};        ///< In base64.
    std::string url{};         ///< Where the content is, if it is not in `data`: an address, or the path of a file.
    std::string name{};        ///< Of a file.
    /// Everything else that the part had, by provider, such as `{"openai": {"image_url": {"detail": "low"}}}`; that
    /// provider gets it back unchanged.
    JsonObject extra{};

    friend bool operator==(const ContentPart&, const ContentPart&) = default;
};

/// Returns the part as text, for people and for APIs that have no such part: its text, a placeholder such as
/// `<image/png, 8 bytes>` or `<image, https://example.org/tide.png>`, or the JSON of a part of another type, with
/// placeholders for binary content.
[[nodiscard]] std::string to_string(const ContentPart& part);

/// Returns the text of all parts: texts in a row are joined, everything else is on a separate line.
[[nodiscard]] std::string parts_text(std::span<const ContentPart> parts);

/// Reads a part in the form of any API: OpenAI's (`image_url`, `input_audio`, `file`), Anthropic's (`image` and
/// `document` with a `source`), that of an MCP tool's result (`data` beside `mimeType`), or the members of
/// `ContentPart` themselves. Everything else goes to `extra[provider]`. Throws `Error` if it has no `type`.
[[nodiscard]] ContentPart read_content_part(JsonObject part, std::string_view provider);

/// Reads any API's form. Writes OpenAI's if OpenAI has such a part, else the members by name. The members of
/// `extra["openai"]` are written with them, the rest under `extra`.
template <>
struct Describe<ContentPart> {
    using representation = JsonObject;
    static constexpr std::string_view name = "ContentPart";
    static JsonObject to_representation(const ContentPart& part);
    static ContentPart from_representation(JsonObject part);
};

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

/// Returns `user: <the text>`, with the calls of a message of the assistant after the text, and the id of the call
/// that a message of a tool belongs to before it.
[[nodiscard]] std::string to_string(const ChatMessage& message);
/// Prints `to_string`.
inline std::ostream& operator<<(std::ostream& out, const ChatMessage& message) { return out << to_string(message); }

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
    static constexpr auto fields = acta::fields(literal("role", "assistant"), defaulted("content", &Self::content),
                                                defaulted("tool_calls", &Self::tool_calls),
                                                omit_if_empty("reasoning_content", &Self::reasoning_content),
                                                omit_if_empty("extra", &Self::extra, "", wrap_other_values("extra")));
};

// The reasoning of a model that thinks before it answers. Servers of open models (DeepSeek, Kimi, Qwen, llama.cpp,
// vLLM) return it as `reasoning_content` or `reasoning` beside `content`, or leave it at the start of `content`,
// between `<think>` and `</think>`. Chat templates that open the block in the prompt leave only the closing tag in the
// answer.

/// A text taken apart by `split_reasoning`. The views point into the text that was split.
struct SplitReasoning {
    std::string_view reasoning{};  ///< The text between the tags, without the white space around it.
    std::string_view answer{};     ///< The rest, without the white space before it; the whole text without tags.
};

/// Splits `<think>...</think>` off the start of `text`; white space may precede it, and the opening tag may be
/// missing. The text is all answer if the closing tag is missing, if an opening tag follows anything else, or if a
/// closing tag without an opening one is in quotes: then the answer is about it. Linear.
///
/// @code{.cpp}
/// const std::string reply = "<think>\nThe user wants tides.\n</think>\n\nHigh water is at noon.";
/// const acta::SplitReasoning parts = acta::split_reasoning(reply);
/// assert(parts.reasoning == "The user wants tides.");
/// assert(parts.answer == "High water is at noon.");
/// @endcode
[[nodiscard]] SplitReasoning split_reasoning(std::string_view text) noexcept;

/// Collects a message's reasoning in `message.reasoning_content`: `field`, which the server sent beside the content,
/// and a `<think>` block, which is removed from the start of `message.content`. If there are both, the block follows
/// the field on a line of its own, and must have its opening tag; empty reasoning leaves the member unset.
void take_reasoning(AssistantChatMessage& message, std::optional<std::string> field = {});

/// Names that every API accepts for tools, and the names of the skills behind them: `^[a-zA-Z_][a-zA-Z0-9_-]{0,63}$`.
/// Anthropic's rule ("Define tools") and OpenAI's ("a-z, A-Z, 0-9, or contain underscores and dashes, with a maximum
/// length of 64") allow more only at the beginning, where Gemini and Kimi refuse digits and dashes. The Model Context
/// Protocol allows more, but its clients pass names on to such APIs.
///
/// A legal name stays as it is. In any other each character that is not allowed becomes `_`, `tool_` is put before a
/// digit or a dash at the beginning, and a name that is too long is truncated; if the result is another tool's name, a
/// number is appended. The same names in the same order always have the same results.
///
/// @code{.cpp}
/// const std::vector<std::string> skills{"web.search", "web_search"};
/// const acta::ToolNames names(skills);
/// assert(*names.find_tool("web.search") == "web_search_2");
/// assert(names.to_skill({"web_search_2", {}}).name == "web.search");
/// @endcode
class ToolNames {
public:
    static constexpr std::size_t max_length = 64;  ///< Of a name, in bytes.

    ToolNames() = default;
    /// Makes the names of these skills. Throws nothing but `std::bad_alloc`.
    explicit ToolNames(std::span<const std::string> skills);

    /// Returns whether every API accepts a tool of this name.
    [[nodiscard]] static bool is_legal(std::string_view name) noexcept;

    /// Returns the tool that stands for this skill, or null if there is no such skill. Logarithmic.
    [[nodiscard]] const std::string* find_tool(std::string_view skill) const;
    /// Returns the skill that this tool stands for, or null if there is no such tool. Logarithmic.
    [[nodiscard]] const std::string* find_skill(std::string_view tool) const;

    /// Returns a model's call of a tool as the call of the skill behind it. A name that no tool has is unchanged, so
    /// that `SkillRegistry::call` reports it.
    [[nodiscard]] AssistantFunctionCall to_skill(AssistantFunctionCall call) const;
    /// Does the opposite, for the messages of a conversation.
    [[nodiscard]] AssistantFunctionCall to_tool(AssistantFunctionCall call) const;

    /// Returns the number of skills. Constant.
    [[nodiscard]] std::size_t size() const noexcept { return tools_.size(); }

    friend bool operator==(const ToolNames&, const ToolNames&) = default;

private:
    using Names = std::map<std::string, std::string, std::less<>>;

    void add(const std::string& skill, const std::string& tool);

    Names tools_{};   // by skill
    Names skills_{};  // by tool
};

}  // namespace acta::inline ACTA_ABI

// What a model says, as a record can have it.
namespace acta::inline ACTA_ABI::chat_extension {

/// Replaces what is not UTF-8 in a model's message, and U+0000 in the ids of its calls, which not every store takes.
/// Arguments that cannot be recorded (`content_fault`) become unreadable ones, with the reason. Members of `extra` that
/// cannot be are omitted, and `not_recorded` says which.
void make_recordable(AssistantChatMessage& message);
/// Does so with any message and its parts.
void make_recordable(ChatMessage& message);
/// Does so with the name and the arguments of a call.
void make_recordable(AssistantFunctionCall& call);
/// Returns whether `make_recordable` would omit or replace nothing but bytes that are not UTF-8. Linear.
[[nodiscard]] bool is_recordable(const AssistantChatMessage& message);
/// @overload
[[nodiscard]] bool is_recordable(const ChatMessage& message);
/// Returns what `make_recordable` omitted from the `extra` of a message: a line for each member, with its place and the
/// reason. They are kept in `extra["acta"]`, which no provider gets.
[[nodiscard]] std::vector<std::string> not_recorded(const JsonObject& extra);

}  // namespace acta::inline ACTA_ABI::chat_extension

#ifndef ACTA_COMPILED
#include "acta/chat/detail/message.inl.hpp"
#include "acta/chat/detail/recordable.inl.hpp"
#endif

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template struct codec::Document<ChatMessage>;
}  // namespace acta::inline ACTA_ABI
#endif
