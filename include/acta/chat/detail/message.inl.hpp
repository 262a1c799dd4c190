// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/base/utf8.hpp"
#include "acta/chat/detail/content_part.inl.hpp"
#include "acta/chat/message.hpp"
#include "acta/describe/constraints.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"

// JSON of messages: OpenAI's chat completions (API reference, "Chat", objects `messages` and `choices[].message`).
namespace acta::inline ACTA_ABI {

namespace chat_detail {

/// The roles as they are written; those after `tool` are read as one of the others.
enum class WrittenRole { system, user, assistant, tool, developer, function };

/// A text or a list of parts. A codec of its own, since a union of the two costs every source that includes this.
struct WrittenContent {
    bool is_given = false;
    std::string text{};
    std::vector<ContentPart> parts{};
};
struct WrittenFunction {
    std::string name{};
    /// OpenAI sends text; some servers send the object, or nothing for a function without parameters.
    Json arguments{};
};
struct WrittenCall {
    std::optional<std::string> id{};
    WrittenFunction function{};
    JsonObject other{};
};
struct WrittenMessage {
    WrittenRole role = WrittenRole::user;
    WrittenContent content{};
    std::optional<std::vector<WrittenCall>> tool_calls{};
    std::optional<WrittenFunction> function_call{};
    std::optional<std::string> tool_call_id{};
    std::optional<bool> is_error{};
    std::optional<std::string> reasoning_content{};
    std::optional<JsonObject> extra{};
    JsonObject other{};
};

}  // namespace chat_detail

template <>
struct Describe<chat_detail::WrittenRole> {
    using Role = chat_detail::WrittenRole;
    static constexpr auto values = acta::values<Role>({{"system", Role::system},
                                                       {"user", Role::user},
                                                       {"assistant", Role::assistant},
                                                       {"tool", Role::tool},
                                                       {"developer", Role::developer},
                                                       {"function", Role::function}});
};
template <>
struct Describe<chat_detail::WrittenContent> {
    static constexpr bool custom_codec = true;
    static void decode(codec::Decoder& d, chat_detail::WrittenContent& out) {
        out = {};
        const codec::Token token = d.in.peek();
        if (token == codec::Token::null) return d.in.read_null();
        out.is_given = true;
        if (token == codec::Token::array) return codec::decode_value(d, out.parts);
        if (token == codec::Token::string) return codec::decode_value(d, out.text);
        d.refuse("content_type", "Input should be a string or a list of content parts");
    }
};
template <>
struct Describe<chat_detail::WrittenFunction> {
    using T = chat_detail::WrittenFunction;
    static constexpr auto fields =
        acta::fields(required("name", &T::name, "", non_empty), defaulted("arguments", &T::arguments));
};
template <>
struct Describe<chat_detail::WrittenCall> {
    using T = chat_detail::WrittenCall;
    static constexpr auto fields = acta::fields(defaulted("id", &T::id), literal("type", "function"),
                                                required("function", &T::function), unknown_keys(&T::other));
};
template <>
struct Describe<chat_detail::WrittenMessage> {
    using T = chat_detail::WrittenMessage;
    static constexpr auto fields = acta::fields(
        required("role", &T::role), defaulted("content", &T::content), defaulted("tool_calls", &T::tool_calls),
        defaulted("function_call", &T::function_call), defaulted("tool_call_id", &T::tool_call_id),
        defaulted("is_error", &T::is_error), defaulted("reasoning_content", &T::reasoning_content),
        defaulted("extra", &T::extra), unknown_keys(&T::other));
};

namespace chat_detail {

// Reading ------------------------------------------------------------------------------------------------------

/// Adds the issues of JSON in a text to those of the document around it.
ACTA_INLINE void add_issues(codec::Decoder& d, std::span<const Issue> issues, std::string_view text,
                            const std::string& what, const void* where) {
    for (const Issue& issue : issues) {
        d.issue(issue.type, issue.message + what, where);
        Issue& added = d.issues.back();
        for (const LocElement& element : issue.loc) added.loc.push_back(element);
        added.input = issue.input.empty() ? std::string(utf8::prefix(text, 100)) : issue.input;
    }
}

[[nodiscard]] ACTA_INLINE AssistantToolCall read_call(codec::Decoder& d, WrittenFunction function, std::string id,
                                                      const void* where) {
    AssistantToolCall call{std::move(id), {std::move(function.name), {}}};
    if (function.arguments.is_null()) return call;
    const codec::PathScope scope(d, "arguments");
    if (function.arguments.is_object()) {
        call.function.arguments = std::move(function.arguments.get_ref<Json::object_t&>());
        return call;
    }
    if (!function.arguments.is_string()) {
        d.issue("arguments_type", "Input should be a string or an object", where);
        return call;
    }
    const std::string& text = base::text_of(function.arguments);
    // Some servers write blank text for a call without arguments.
    if (ascii::is_blank(text)) return call;
    try {
        call.function.arguments = parse<JsonObject>(text);
    } catch (const ValidationError& error) {
        add_issues(
            d, error.issues(), text,
            " (the arguments of '" + call.function.name + (call.id.empty() ? "'" : "', call '" + call.id + "'") + ")",
            where);
    }
    return call;
}

ACTA_INLINE void read_calls(codec::Decoder& d, WrittenMessage& in, ChatMessage& out, const void* where) {
    JsonArray others;
    bool any = false;
    if (in.tool_calls) {
        const codec::PathScope list(d, "tool_calls");
        codec::PathScope element(d);
        for (WrittenCall& one : *in.tool_calls) {
            element.set_index(out.tool_calls.size());
            const codec::PathScope function(d, "function");
            out.tool_calls.push_back(
                read_call(d, std::move(one.function), std::move(one.id).value_or(std::string()), where));
            any = any || !one.other.empty();
            others.emplace_back(std::move(one.other));
        }
    }
    if (any) base::put(in.other, "tool_calls", Json(std::move(others)));
    if (!in.function_call || !out.tool_calls.empty()) return;
    const codec::PathScope function(d, "function_call");
    out.tool_calls.push_back(read_call(d, *std::move(in.function_call), {}, where));
    Json mark(Json::value_t::boolean);
    base::set(mark, true);
    base::put(in.other, "function_call", std::move(mark));
}

ACTA_INLINE void read_content(WrittenMessage& in, ChatMessage& out) {
    out.parts = std::move(in.content.parts);
    out.content = out.parts.empty() ? std::move(in.content.text) : parts_text(out.parts);
}

[[nodiscard]] ACTA_INLINE ChatRole read_role(WrittenRole role, JsonObject& other) {
    switch (role) {
        case WrittenRole::developer: base::put(other, "role", base::text_json("developer")); return ChatRole::system;
        case WrittenRole::function: base::put(other, "role", base::text_json("function")); return ChatRole::tool;
        default: return static_cast<ChatRole>(role);
    }
}

/// Moves members that acta does not have to `extra["openai"]`.
ACTA_INLINE void read_other(WrittenMessage& in, ChatMessage& out) {
    // Servers write many members as null when there is nothing of the kind.
    auto& other = static_cast<Json::object_t&>(in.other);
    for (std::size_t i = other.size(); i-- > 0;) {
        if ((other.begin() + static_cast<std::ptrdiff_t>(i))->second.is_null())
            other.erase(other.begin() + static_cast<std::ptrdiff_t>(i));
    }
    if (in.extra) out.extra = *std::move(in.extra);
    if (other.empty()) return;
    if (Json::object_t* const old = find_object(out.extra, part_openai))
        add_missing(*old, other);
    else
        base::put(out.extra, part_openai, Json(std::move(other)));
}

ACTA_INLINE void decode_message(codec::Decoder& d, ChatMessage& out) {
    out = ChatMessage();
    d.in.peek();
    const void* const where = d.in.where();
    const std::size_t before = d.issues.size();
    WrittenMessage in;
    codec::decode_value(d, in);
    if (d.issues.size() != before) return;
    const bool needs_content = in.role == WrittenRole::system || in.role == WrittenRole::user;
    if (needs_content && !in.content.is_given) {
        const codec::PathScope scope(d, "content");
        d.issue("missing", "Field required", where);
        return;
    }
    out.role = read_role(in.role, in.other);
    read_content(in, out);
    read_calls(d, in, out, where);
    if (in.tool_call_id) out.tool_call_id = *std::move(in.tool_call_id);
    out.is_error = in.is_error.value_or(false);
    out.reasoning_content = std::move(in.reasoning_content);
    // The name used by OpenRouter and vLLM.
    if (const std::string* const reasoning = find_text(in.other, "reasoning"); !out.reasoning_content && reasoning)
        out.reasoning_content = *reasoning;
    // A refusal is not content for OpenAI, but it is what the model said.
    if (const std::string* const refusal = find_text(in.other, "refusal"); out.content.empty() && refusal)
        out.content = *refusal;
    read_other(in, out);
}

// Writing ------------------------------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE const Json::object_t* openai_extra(const ChatMessage& message) noexcept {
    const Json* const found = base::find_key(message.extra, part_openai);
    return found == nullptr ? nullptr : found->get_ptr<const Json::object_t*>();
}

/// Writes one message; the members of a type.
class MessageWriter {
public:
    MessageWriter(codec::Encoder& e, const ChatMessage& message)
        : e_(e), message_(message), openai_(openai_extra(message)) {}

    void write() {
        e_.out.begin_object();
        text("role", role());
        content();
        if (message_.reasoning_content && !is_extra("reasoning", *message_.reasoning_content))
            text("reasoning_content", *message_.reasoning_content);
        calls();
        if (!message_.tool_call_id.empty()) text("tool_call_id", message_.tool_call_id);
        if (message_.is_error) {
            e_.out.field("is_error");
            e_.out.boolean(true);
        }
        others();
        e_.out.end_object();
    }

private:
    void text(std::string_view key, std::string_view value) {
        const codec::Encoder::Step step(e_, key);
        e_.out.field(key);
        e_.text(value);
    }
    [[nodiscard]] const std::string* extra_text(std::string_view key) const noexcept {
        return openai_ == nullptr ? nullptr : find_text(*openai_, key);
    }
    [[nodiscard]] bool is_extra(std::string_view key, std::string_view value) const noexcept {
        const std::string* const found = extra_text(key);
        return found != nullptr && *found == value;
    }
    [[nodiscard]] std::string_view role() const {
        if (message_.role == ChatRole::system && is_extra("role", "developer")) return "developer";
        if (message_.role == ChatRole::tool && message_.tool_call_id.empty() && is_extra("role", "function"))
            return "function";
        return Describe<WrittenRole>::values[static_cast<std::size_t>(message_.role)].name;
    }
    [[nodiscard]] bool is_function_call() const {
        return message_.tool_calls.size() == 1 && message_.tool_calls.front().id.empty() && openai_ != nullptr &&
               base::find_key(*openai_, "function_call") != nullptr;
    }

    void content() {
        if (!message_.parts.empty()) {
            const codec::Encoder::Step step(e_, "content");
            e_.out.field("content");
            codec::encode_value(e_, message_.parts);
            return;
        }
        const bool is_refusal = is_extra("refusal", message_.content);
        if (message_.role != ChatRole::assistant ||
            !(message_.content.empty() ? !message_.tool_calls.empty() : is_refusal))
            return text("content", message_.content);
        e_.out.field("content");
        e_.out.null();
    }

    void function(const AssistantFunctionCall& call) {
        e_.out.begin_object();
        text("name", call.name);
        text("arguments", dump(call.arguments));
        e_.out.end_object();
    }
    void calls() {
        if (message_.tool_calls.empty()) return;
        const bool deprecated = is_function_call();
        const std::string_view key = deprecated ? "function_call" : "tool_calls";
        const codec::Encoder::Step step(e_, key);
        e_.out.field(key);
        if (deprecated) return function(message_.tool_calls.front().function);
        e_.out.begin_array();
        for (std::size_t i = 0; i < message_.tool_calls.size(); ++i) {
            const codec::Encoder::Step element(e_, i);
            call(message_.tool_calls[i], i);
        }
        e_.out.end_array();
    }
    void call(const AssistantToolCall& call, std::size_t i) {
        e_.out.begin_object();
        if (!call.id.empty()) text("id", call.id);
        text("type", "function");
        {
            const codec::Encoder::Step step(e_, "function");
            e_.out.field("function");
            function(call.function);
        }
        const Json* const all = openai_ == nullptr ? nullptr : base::find_key(*openai_, "tool_calls");
        const JsonArray* const more = all == nullptr ? nullptr : all->get_ptr<const JsonArray*>();
        if (more != nullptr && more->size() == message_.tool_calls.size() && (*more)[i].is_object())
            members(base::object_of((*more)[i]), std::array<std::string_view, 3>{"id", "type", "function"});
        e_.out.end_object();
    }

    template <std::size_t N>
    void members(const Json::object_t& object, const std::array<std::string_view, N>& taken) {
        for (const auto& [key, value] : object) {
            if (std::find(taken.begin(), taken.end(), key) != taken.end()) continue;
            const codec::Encoder::Step step(e_, key);
            e_.key(key);
            e_.json(value);
        }
    }
    void others() {
        if (openai_ != nullptr)
            members(*openai_, std::array<std::string_view, 8>{"role", "content", "reasoning_content", "tool_calls",
                                                              "function_call", "tool_call_id", "is_error", "extra"});
        const std::size_t count = message_.extra.size() - (openai_ == nullptr ? 0U : 1U);
        if (count == 0) return;
        const codec::Encoder::Step step(e_, "extra");
        e_.out.field("extra");
        e_.out.begin_object();
        if (openai_ == nullptr)
            members(message_.extra, std::array<std::string_view, 0>{});
        else
            members(message_.extra, std::array<std::string_view, 1>{part_openai});
        e_.out.end_object();
    }

    codec::Encoder& e_;
    const ChatMessage& message_;
    const Json::object_t* openai_;
};

inline constexpr std::string_view kept_parts = "parts";

}  // namespace chat_detail

ACTA_INLINE std::string_view to_string(ChatRole role) {
    return Describe<ChatRole>::values[static_cast<std::size_t>(role)].name;
}

ACTA_INLINE void Describe<ChatMessage>::decode(codec::Decoder& d, ChatMessage& out) {
    chat_detail::decode_message(d, out);
}

ACTA_INLINE void Describe<ChatMessage>::encode(codec::Encoder& e, const ChatMessage& message) {
    chat_detail::MessageWriter(e, message).write();
}

ACTA_INLINE Json Describe<ChatMessage>::schema() {
    return parse<Json>(R"({"description": "A message in the form of OpenAI's chat completions.", "properties": {
        "role": {"enum": ["system", "user", "assistant", "tool", "developer", "function"], "type": "string"},
        "content": {"anyOf": [{"type": "string"}, {"items": {"type": "object"}, "type": "array"}, {"type": "null"}]},
        "tool_calls": {"items": {"type": "object"}, "type": "array"}, "tool_call_id": {"type": "string"}},
        "required": ["role"], "title": "ChatMessage", "type": "object"})");
}

ACTA_INLINE AssistantChatMessage::operator ChatMessage() const {
    ChatMessage out = ChatMessage::assistant(content, tool_calls.value_or(std::vector<AssistantToolCall>()));
    out.reasoning_content = reasoning_content;
    out.extra = extra;
    if (const Json* const parts = base::find_key(extra, chat_detail::kept_parts)) {
        out.parts = validate<std::vector<ContentPart>>(*parts);
        chat_detail::erase_member(out.extra, chat_detail::kept_parts);
    }
    return out;
}

ACTA_INLINE AssistantChatMessage to_assistant_message(ChatMessage message) {
    AssistantChatMessage out;
    out.content = std::move(message.content);
    if (!message.tool_calls.empty()) out.tool_calls = std::move(message.tool_calls);
    out.reasoning_content = std::move(message.reasoning_content);
    out.extra = std::move(message.extra);
    if (!message.parts.empty()) base::put(out.extra, chat_detail::kept_parts, to_json_value(message.parts));
    return out;
}

ACTA_INLINE ChatMessage ChatMessage::assistant(std::string text, std::vector<AssistantToolCall> calls) {
    ChatMessage out = of(ChatRole::assistant, std::move(text));
    out.tool_calls = std::move(calls);
    return out;
}

ACTA_INLINE ChatMessage ChatMessage::tool(std::string id, std::string text, bool is_error) {
    ChatMessage out = of(ChatRole::tool, std::move(text));
    out.tool_call_id = std::move(id);
    out.is_error = is_error;
    return out;
}

ACTA_INLINE ChatMessage ChatMessage::of(ChatRole role, std::string text) {
    ChatMessage out;
    out.role = role;
    out.content = std::move(text);
    return out;
}

}  // namespace acta::inline ACTA_ABI
