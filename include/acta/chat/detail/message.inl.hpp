// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/unused_names.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/describe/constraints.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"

namespace acta::inline ACTA_ABI {

namespace chat_detail {

inline constexpr std::string_view part_openai = "openai";

// Reading. Values that members of ContentPart take over are removed from the object; the rest is for `extra`.

[[nodiscard]] ACTA_INLINE Json* find_member(Json::object_t& object, std::string_view key) noexcept {
    return const_cast<Json*>(base::find_key(object, key));
}
[[nodiscard]] ACTA_INLINE Json::object_t* find_object(Json::object_t& object, std::string_view key) noexcept {
    Json* const found = find_member(object, key);
    return found == nullptr ? nullptr : found->get_ptr<Json::object_t*>();
}
[[nodiscard]] ACTA_INLINE const std::string* find_text(const Json::object_t& object, std::string_view key) noexcept {
    const Json* const found = base::find_key(object, key);
    return found == nullptr ? nullptr : found->get_ptr<const std::string*>();
}
ACTA_INLINE void erase_member(Json::object_t& object, std::string_view key) { object.erase(std::string(key)); }

/// Moves a text out of an object; changes nothing if there is no such text.
ACTA_INLINE bool take_text(Json::object_t& object, std::string_view key, std::string& out) {
    Json* const found = find_member(object, key);
    if (found == nullptr || !found->is_string()) return false;
    out = std::move(*found->get_ptr<std::string*>());
    erase_member(object, key);
    return true;
}
ACTA_INLINE void erase_if_empty(Json::object_t& object, std::string_view key) {
    const Json::object_t* const inner = find_object(object, key);
    if (inner != nullptr && inner->empty()) erase_member(object, key);
}

[[nodiscard]] ACTA_INLINE bool is_simple_media_type(std::string_view type) noexcept {
    return !type.empty() && type.find_first_of(";,") == std::string_view::npos;
}

/// The media type and the data of `data:<media type>;base64,<data>`; any other address is not split.
struct SplitDataUrl {
    std::string_view media_type{};
    std::string_view data{};
};
[[nodiscard]] ACTA_INLINE std::optional<SplitDataUrl> split_data_url(std::string_view url) noexcept {
    constexpr std::string_view scheme = "data:";
    constexpr std::string_view mark = ";base64,";
    if (!url.starts_with(scheme)) return std::nullopt;
    url.remove_prefix(scheme.size());
    const std::size_t at = url.find(mark);
    if (at == std::string_view::npos || !is_simple_media_type(url.substr(0, at))) return std::nullopt;
    return SplitDataUrl{url.substr(0, at), url.substr(at + mark.size())};
}

ACTA_INLINE void set_url(ContentPart& part, std::string url) {
    if (const std::optional<SplitDataUrl> split = split_data_url(url)) {
        part.media_type = split->media_type;
        part.data = split->data;
    } else {
        part.url = std::move(url);
    }
}

// OpenAI calls MP3 by its name, other formats by their media type's second half.
[[nodiscard]] ACTA_INLINE std::string audio_media_type(std::string_view format) {
    return "audio/" + std::string(format == "mp3" ? std::string_view("mpeg") : format);
}
[[nodiscard]] ACTA_INLINE std::string audio_format(std::string_view media_type) {
    constexpr std::string_view prefix = "audio/";
    if (!media_type.starts_with(prefix)) return {};
    media_type.remove_prefix(prefix.size());
    return std::string(media_type == "mpeg" ? std::string_view("mp3") : media_type);
}

ACTA_INLINE void read_image_url(ContentPart& out, Json::object_t& part) {
    out.type = "image";
    std::string url;
    Json::object_t* const image = find_object(part, "image_url");
    if (take_text(image == nullptr ? part : *image, image == nullptr ? "image_url" : "url", url))
        set_url(out, std::move(url));
    erase_if_empty(part, "image_url");
}

ACTA_INLINE void read_audio(ContentPart& out, Json::object_t& part) {
    out.type = "audio";
    Json::object_t* const audio = find_object(part, "input_audio");
    std::string format;
    if (audio == nullptr || find_text(*audio, "data") == nullptr || !take_text(*audio, "format", format)) return;
    out.media_type = audio_media_type(format);
    take_text(*audio, "data", out.data);
    erase_if_empty(part, "input_audio");
}

ACTA_INLINE void read_file(ContentPart& out, Json::object_t& part) {
    Json::object_t& file = *find_object(part, "file");
    take_text(file, "filename", out.name);
    const std::string* const data = find_text(file, "file_data");
    if (data != nullptr && split_data_url(*data)) {
        set_url(out, *data);
        erase_member(file, "file_data");
    }
    erase_if_empty(part, "file");
}

/// Anthropic's images and documents, and ATIF's, whose source is a path.
ACTA_INLINE void read_source(ContentPart& out, Json::object_t& part) {
    Json::object_t& source = *find_object(part, "source");
    if (out.type == "document") {
        out.type = "file";
        take_text(part, "title", out.name);
    }
    const std::string* const kind = find_text(source, "type");
    const std::string of = kind == nullptr ? std::string() : *kind;
    bool taken = false;
    if (of == "base64")
        taken = take_text(source, "data", out.data);
    else if (of == "text")
        taken = take_text(source, "data", out.text);
    else if (of == "url" || of.empty())
        taken = take_text(source, of.empty() ? "path" : "url", out.url);
    if (!taken) return;
    erase_member(source, "type");
    take_text(source, "media_type", out.media_type);
    erase_if_empty(part, "source");
}

ACTA_INLINE void read_members(ContentPart& out, Json::object_t& part) {
    if (out.type != "text" && out.type != "image" && out.type != "audio" && out.type != "file" && out.type != "refusal")
        return;
    if (out.type != "refusal" || !take_text(part, "refusal", out.text)) take_text(part, "text", out.text);
    if (!take_text(part, "media_type", out.media_type) && find_text(part, "data") != nullptr)
        take_text(part, "mimeType", out.media_type);
    take_text(part, "data", out.data);
    take_text(part, "url", out.url);
    take_text(part, "name", out.name);
}

// Writing.

[[nodiscard]] ACTA_INLINE std::string data_url(const ContentPart& part) {
    return "data:" + part.media_type + ";base64," + part.data;
}
[[nodiscard]] ACTA_INLINE JsonObject
object_of_texts(std::initializer_list<std::pair<std::string_view, std::string_view>> members) {
    JsonObject out;
    for (const auto& [key, text] : members) {
        if (!text.empty()) base::put(out, key, base::text_json(text));
    }
    return out;
}
[[nodiscard]] ACTA_INLINE JsonObject part_of_type(std::string_view type, std::string_view key = {}, Json value = {}) {
    JsonObject out;
    base::put(out, "type", base::text_json(type));
    if (!key.empty()) base::put(out, key, std::move(value));
    return out;
}

/// Returns the part as OpenAI has it, or nothing if that form cannot say everything that the members do.
[[nodiscard]] ACTA_INLINE std::optional<JsonObject> openai_form(const ContentPart& part, const Json* extra) {
    const bool has_data = !part.data.empty() && is_simple_media_type(part.media_type);
    const bool no_data = part.data.empty() && part.media_type.empty();
    const bool only_text = no_data && part.url.empty() && part.name.empty();
    const auto has_extra = [extra](std::string_view key) {
        return extra != nullptr && base::find_key(base::object_of(*extra), key) != nullptr;
    };
    if (part.type == "text" || part.type == "refusal")
        return only_text ? std::optional(part_of_type(part.type, part.type, base::text_json(part.text))) : std::nullopt;
    if (!part.text.empty()) return std::nullopt;
    if (part.type == "image" && part.name.empty()) {
        const bool has_url = no_data && !part.url.empty() && !split_data_url(part.url);
        if (!has_url && !(has_data && part.url.empty()) && !(only_text && has_extra("image_url"))) return std::nullopt;
        const std::string url = has_data ? data_url(part) : part.url;
        return part_of_type("image_url", "image_url", Json(object_of_texts({{"url", url}})));
    }
    if (part.type == "audio" && has_data && part.name.empty() && part.url.empty()) {
        const std::string format = audio_format(part.media_type);
        if (format.empty() || audio_media_type(format) != part.media_type) return std::nullopt;
        return part_of_type("input_audio", "input_audio",
                            Json(object_of_texts({{"data", part.data}, {"format", format}})));
    }
    if (part.type == "file" && part.url.empty() && (has_data || (no_data && has_extra("file")))) {
        const std::string data = has_data ? data_url(part) : std::string();
        return part_of_type("file", "file", Json(object_of_texts({{"filename", part.name}, {"file_data", data}})));
    }
    return std::nullopt;
}

/// Adds the members of `more` that `out` lacks, also inside objects that both have.
ACTA_INLINE void add_missing(Json::object_t& out, const Json::object_t& more) {
    for (const auto& [key, value] : more) {
        Json* const old = find_member(out, key);
        if (old == nullptr) {
            base::put(out, key, value);
        } else if (old->is_object() && value.is_object()) {
            for (const auto& [inner, one] : base::object_of(value)) {
                if (base::find_key(*old->get_ptr<Json::object_t*>(), inner) == nullptr) base::put(*old, inner, one);
            }
        }
    }
}

/// Joins texts: adjacent ones are concatenated; after an interruption the next one begins a new line.
class JoinedText {
public:
    void add(std::string_view text) {
        if (text.empty()) return;
        if (interrupted_ && !out_.empty()) out_ += '\n';
        interrupted_ = false;
        out_ += text;
    }
    void interrupt() noexcept { interrupted_ = true; }
    [[nodiscard]] std::string take() { return std::move(out_); }

private:
    std::string out_{};
    bool interrupted_ = false;
};

}  // namespace chat_detail

ACTA_INLINE ContentPart read_content_part(JsonObject part, std::string_view provider) {
    ContentPart out;
    if (!chat_detail::take_text(part, "type", out.type) || out.type.empty())
        throw Error("a part of a message's content needs a `type`, which is a text");
    if (out.type == "image_url")
        chat_detail::read_image_url(out, part);
    else if (out.type == "input_audio")
        chat_detail::read_audio(out, part);
    else if (out.type == "file" && chat_detail::find_object(part, "file") != nullptr)
        chat_detail::read_file(out, part);
    else if ((out.type == "image" || out.type == "document" || out.type == "audio") &&
             chat_detail::find_object(part, "source") != nullptr)
        chat_detail::read_source(out, part);
    else
        chat_detail::read_members(out, part);
    if (!part.empty()) base::put(out.extra, provider, Json(std::move(part)));
    return out;
}

ACTA_INLINE JsonObject Describe<ContentPart>::to_representation(const ContentPart& part) {
    const Json* openai = base::find_key(part.extra, chat_detail::part_openai);
    if (openai != nullptr && !openai->is_object()) openai = nullptr;
    std::optional<JsonObject> known = chat_detail::openai_form(part, openai);
    JsonObject out = known ? *std::move(known)
                           : chat_detail::object_of_texts({{"type", part.type},
                                                           {"text", part.text},
                                                           {"media_type", part.media_type},
                                                           {"data", part.data},
                                                           {"url", part.url},
                                                           {"name", part.name}});
    if (openai != nullptr) {
        // A member of another type than the form has it, such as `"text": []`, replaces the form's, which is empty.
        for (auto& [key, value] : static_cast<Json::object_t&>(out)) {
            const Json* const own = base::find_key(base::object_of(*openai), key);
            const bool is_empty = value.is_string() ? base::text_of(value).empty() : value.empty();
            if (own != nullptr && is_empty && own->type() != value.type()) value = *own;
        }
        chat_detail::add_missing(out, base::object_of(*openai));
    }
    JsonObject others;
    for (const auto& [provider, rest] : part.extra) {
        if (&rest != openai) base::put(others, provider, rest);
    }
    if (!others.empty()) base::put(out, "extra", Json(std::move(others)));
    return out;
}

ACTA_INLINE ContentPart Describe<ContentPart>::from_representation(JsonObject part) {
    JsonObject extra;
    if (Json::object_t* const others = chat_detail::find_object(part, "extra")) {
        static_cast<Json::object_t&>(extra) = std::move(*others);
        chat_detail::erase_member(part, "extra");
    }
    ContentPart out = read_content_part(std::move(part), chat_detail::part_openai);
    chat_detail::add_missing(out.extra, extra);
    return out;
}

ACTA_INLINE std::string to_string(const ContentPart& part) {
    if (!part.text.empty() || part.type == "text" || part.type == "refusal") return part.text;
    const std::string& type = part.media_type.empty() ? part.type : part.media_type;
    if (chat_detail::is_base64(part.data)) return binary_placeholder(type, part.data);
    if (part.data.empty() && !part.url.empty()) return "<" + type + ", " + hide_binary(part.url) + ">";
    const Json whole(Describe<ContentPart>::to_representation(part));
    const std::optional<Json> shown = without_binary(whole);
    return dump(shown ? *shown : whole, {.invalid_utf8 = InvalidUtf8::replace});
}

ACTA_INLINE std::string parts_text(std::span<const ContentPart> parts) {
    chat_detail::JoinedText joined;
    for (const ContentPart& part : parts) {
        const bool is_text = part.type == "text" || part.type == "refusal";
        if (!is_text) joined.interrupt();
        joined.add(to_string(part));
        if (!is_text) joined.interrupt();
    }
    return joined.take();
}

// JSON of messages: OpenAI's chat completions (API reference, "Chat", objects `messages` and `choices[].message`).

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
    static constexpr auto fields = acta::fields(required("name", &T::name, "", non_empty),
                                                defaulted("arguments", &T::arguments, "", keep_large_numbers));
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
        defaulted("extra", &T::extra, "", wrap_other_values("extra")), unknown_keys(&T::other));
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
        call.function.arguments = parse<JsonObject>(text, {.keep_large_numbers = true});
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

/// Moves Anthropic's parts `tool_use`, which gateways leave in the content, to the calls, unless their calls are there
/// too.
ACTA_INLINE void take_call_parts(ChatMessage& out) {
    std::optional<std::set<std::string>> ids;  // of the calls, once there is such a part
    const auto take = [&out, &ids](ContentPart& part) {
        if (part.type != "tool_use") return false;
        Json::object_t* const rest = find_object(part.extra, part_openai);
        const std::string* const id = rest == nullptr ? nullptr : find_text(*rest, "id");
        const std::string* const name = rest == nullptr ? nullptr : find_text(*rest, "name");
        Json::object_t* const input = rest == nullptr ? nullptr : find_object(*rest, "input");
        if (id == nullptr || name == nullptr || name->empty() || input == nullptr) return false;
        if (!ids) {
            ids.emplace();
            for (const AssistantToolCall& call : out.tool_calls) ids->insert(call.id);
        }
        if (ids->insert(*id).second) out.tool_calls.push_back({*id, {*name, JsonObject(std::move(*input))}});
        return true;
    };
    if (std::erase_if(out.parts, take) != 0) out.content = parts_text(out.parts);
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
    if (out.role == ChatRole::assistant) take_call_parts(out);
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
    MessageWriter(codec::Encoder& e, const ChatMessage& message, MessageHooks* hooks = nullptr)
        : e_(e), message_(message), openai_(openai_extra(message)), hooks_(hooks) {}

    void write() {
        e_.out.begin_object();
        text("role", role());
        content();
        if (message_.reasoning_content && sends_reasoning() && !is_extra("reasoning", *message_.reasoning_content))
            text("reasoning_content", *message_.reasoning_content);
        calls();
        if (!message_.tool_call_id.empty()) text("tool_call_id", id(message_.tool_call_id));
        if (message_.is_error && hooks_ == nullptr) {
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
    [[nodiscard]] bool sends_reasoning() const { return hooks_ == nullptr || hooks_->sends_reasoning(message_); }
    [[nodiscard]] std::string_view id(const std::string& of) const { return hooks_ == nullptr ? of : hooks_->id(of); }
    /// Returns whether a result says in its text that its call failed, since an API has no flag for it.
    [[nodiscard]] bool tells_failure(std::string_view text) const {
        return hooks_ != nullptr && message_.is_error && !has_answer_words(text);
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
            if (hooks_ == nullptr) return codec::encode_value(e_, message_.parts);
            parts();
            return;
        }
        if (tells_failure(message_.content))
            return text("content", std::string(answer_words::failed) + message_.content + "'");
        const bool is_refusal = is_extra("refusal", message_.content);
        if (message_.role != ChatRole::assistant ||
            !(message_.content.empty() ? !message_.tool_calls.empty() : is_refusal))
            return text("content", message_.content);
        e_.out.field("content");
        e_.out.null();
    }

    void parts() {
        e_.out.begin_array();
        std::size_t i = 0;
        if (tells_failure(message_.parts.front().text)) {
            hooks_->part(e_, {.text = "Action failed: "}, message_);
            ++i;
        }
        for (const ContentPart& part : message_.parts) {
            const codec::Encoder::Step element(e_, i++);
            hooks_->part(e_, part, message_);
        }
        e_.out.end_array();
    }

    void function(const AssistantFunctionCall& call) {
        e_.out.begin_object();
        text("name", hooks_ == nullptr ? call.name : hooks_->name(call.name));
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
        if (!call.id.empty()) text("id", id(call.id));
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
            if (hooks_ != nullptr && key == "reasoning" && !sends_reasoning()) continue;
            const codec::Encoder::Step step(e_, key);
            e_.key(key);
            e_.json(value);
        }
    }
    void others() {
        if (openai_ != nullptr)
            members(*openai_, std::array<std::string_view, 8>{"role", "content", "reasoning_content", "tool_calls",
                                                              "function_call", "tool_call_id", "is_error", "extra"});
        if (hooks_ != nullptr) return;
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
    MessageHooks* hooks_;
};

ACTA_INLINE void prepend_text(ChatMessage& message, std::string_view text) {
    message.content.insert(0, text);
    if (!message.parts.empty()) message.parts.insert(message.parts.begin(), {.text = std::string(text)});
}

ACTA_INLINE void write_message(codec::Encoder& e, const ChatMessage& message, MessageHooks& hooks) {
    MessageWriter(e, message, &hooks).write();
}

inline constexpr std::string_view kept_parts = "parts";

}  // namespace chat_detail

ACTA_INLINE std::string to_string(const ChatMessage& message) {
    std::string out(to_string(message.role));
    if (!message.tool_call_id.empty()) out += " (" + message.tool_call_id + ")";
    out += message.is_error ? ", error: " : ": ";
    out += message.content;
    const char* separator = message.content.empty() ? "" : " ";
    for (const AssistantToolCall& call : message.tool_calls) {
        out.append(separator).append("`").append(to_string(call)).append("`");
        separator = ", ";
    }
    return out;
}

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

namespace chat_detail {

inline constexpr std::string_view think_tag = "<think>";
inline constexpr std::string_view white_space = " \t\r\n\f\v";

[[nodiscard]] ACTA_INLINE std::string_view strip_white_space(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(white_space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

/// Returns whether the text between two others is in quotes.
[[nodiscard]] ACTA_INLINE bool is_quoted(std::string_view before, std::string_view behind) noexcept {
    return !before.empty() && !behind.empty() && before.back() == behind.front() &&
           std::string_view("`'\"").find(before.back()) != std::string_view::npos;
}

}  // namespace chat_detail

ACTA_INLINE SplitReasoning split_reasoning(std::string_view text) noexcept {
    constexpr std::string_view closing = "</think>";
    const std::size_t end = text.find(closing);
    if (end == std::string_view::npos) return {{}, text};
    std::string_view reasoning = chat_detail::strip_white_space(text.substr(0, end));
    const std::string_view rest = text.substr(end + closing.size());
    if (reasoning.starts_with(chat_detail::think_tag))
        reasoning = chat_detail::strip_white_space(reasoning.substr(chat_detail::think_tag.size()));
    else if (reasoning.find(chat_detail::think_tag) != std::string_view::npos ||
             chat_detail::is_quoted(reasoning, rest))
        return {{}, text};
    const std::size_t answer = rest.find_first_not_of(chat_detail::white_space);
    return {reasoning, answer == std::string_view::npos ? std::string_view() : rest.substr(answer)};
}

ACTA_INLINE void take_reasoning(AssistantChatMessage& message, std::optional<std::string> field) {
    std::string reasoning = field ? *std::move(field) : std::string();
    const bool has_opening = chat_detail::strip_white_space(message.content).starts_with(chat_detail::think_tag);
    const SplitReasoning parts = split_reasoning(message.content);
    if (parts.answer.size() != message.content.size() && (reasoning.empty() || has_opening)) {
        if (!reasoning.empty() && !parts.reasoning.empty()) reasoning += '\n';
        reasoning += parts.reasoning;
        message.content = std::string(parts.answer);
    }
    if (!reasoning.empty()) message.reasoning_content = std::move(reasoning);
}

namespace chat_detail {

[[nodiscard]] ACTA_INLINE bool is_legal_in_tool_name(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

/// Gemini's API wants a letter or an underscore.
[[nodiscard]] ACTA_INLINE bool can_begin_tool_name(char c) noexcept {
    return is_legal_in_tool_name(c) && c != '-' && !(c >= '0' && c <= '9');
}

[[nodiscard]] ACTA_INLINE std::string legal_tool_name(std::string_view name) {
    std::string out;
    if (!name.empty() && is_legal_in_tool_name(name.front()) && !can_begin_tool_name(name.front())) out = "tool_";
    for (const char c : name) {
        if (out.size() == ToolNames::max_length) break;
        const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // one `_` for each character
        if (!continues) out += is_legal_in_tool_name(c) ? c : '_';
    }
    return out.empty() ? "_" : out;
}

}  // namespace chat_detail

ACTA_INLINE ToolNames::ToolNames(std::span<const std::string> skills) {
    for (const std::string& skill : skills) {
        if (is_legal(skill)) add(skill, skill);
    }
    base::UnusedNames unused(max_length);
    const auto is_used = [this](const std::string& name) { return skills_.contains(name); };
    for (const std::string& skill : skills) {
        if (!tools_.contains(skill)) add(skill, unused.make(chat_detail::legal_tool_name(skill), is_used));
    }
}

ACTA_INLINE bool ToolNames::is_legal(std::string_view name) noexcept {
    return !name.empty() && name.size() <= max_length && chat_detail::can_begin_tool_name(name.front()) &&
           std::all_of(name.begin(), name.end(), chat_detail::is_legal_in_tool_name);
}

ACTA_INLINE const std::string* ToolNames::find_tool(std::string_view skill) const {
    const auto found = tools_.find(skill);
    return found == tools_.end() ? nullptr : &found->second;
}

ACTA_INLINE const std::string* ToolNames::find_skill(std::string_view tool) const {
    const auto found = skills_.find(tool);
    return found == skills_.end() ? nullptr : &found->second;
}

ACTA_INLINE AssistantFunctionCall ToolNames::to_skill(AssistantFunctionCall call) const {
    if (const std::string* const skill = find_skill(call.name)) call.name = *skill;
    return call;
}

ACTA_INLINE AssistantFunctionCall ToolNames::to_tool(AssistantFunctionCall call) const {
    if (const std::string* const tool = find_tool(call.name)) call.name = *tool;
    return call;
}

ACTA_INLINE void ToolNames::add(const std::string& skill, const std::string& tool) {
    tools_.emplace(skill, tool);
    skills_.emplace(tool, skill);
}

}  // namespace acta::inline ACTA_ABI

#if defined(ACTA_COMPILED)  // the instances for the default types
namespace acta::inline ACTA_ABI {
template struct codec::Document<ChatMessage>;
}  // namespace acta::inline ACTA_ABI
#endif
