// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/chat/binary_placeholder.hpp"
#include "acta/pysyntax/repr.hpp"

namespace acta::inline ACTA_ABI {

namespace chat_detail {

/// Returns whether `c` is a character of base64 or base64url, other than padding and line breaks.
constexpr bool is_base64_char(char c) noexcept {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
           c == '-' || c == '_';
}

/// How many characters of base64 count as binary content if nothing else says so.
inline constexpr std::size_t least_data = 32;

/// Returns the length of the base64 at the start of a text, with its padding.
ACTA_INLINE std::size_t base64_length(std::string_view text) noexcept {
    std::size_t at = 0;
    while (at < text.size() && is_base64_char(text[at])) ++at;
    for (int padding = 0; padding < 2 && at < text.size() && text[at] == '='; ++padding) ++at;
    return at;
}

ACTA_INLINE bool is_base64(std::string_view text) noexcept {
    std::size_t digits = 0;
    std::size_t padding = 0;
    bool is_plain = false;
    bool is_for_urls = false;
    for (const char c : text) {
        if (c == '\n' || c == '\r') continue;
        if (c == '=') {
            ++padding;
            continue;
        }
        if (!is_base64_char(c) || padding != 0) return false;
        ++digits;
        is_plain = is_plain || c == '+' || c == '/';
        is_for_urls = is_for_urls || c == '-' || c == '_';
    }
    if (digits == 0 || padding > 2 || (is_plain && is_for_urls)) return false;
    if ((digits + padding) % 4 == 0) return true;
    return padding == 0 && digits % 4 != 1 && digits >= least_data;
}

template <std::size_t N>
constexpr bool is_one_of(std::string_view text, const std::array<std::string_view, N>& names) noexcept {
    return std::find(names.begin(), names.end(), text) != names.end();
}

ACTA_INLINE const std::string* text_member(const Json::object_t& object, std::string_view name) {
    const Json* const found = base::find_key(object, name);
    return found == nullptr ? nullptr : found->get_ptr<const std::string*>();
}

/// Returns the type of the binary content that an object says it has; empty if it does not say so. Text is binary
/// content if it is known to be in base64.
ACTA_INLINE std::string binary_type(const Json::object_t& object, bool known_base64) {
    for (const char* const name : {"mimeType", "mime_type", "media_type", "mediaType"}) {
        const std::string* const type = text_member(object, name);
        if (type == nullptr || type->empty()) continue;
        return type->starts_with("text/") && !known_base64 ? std::string() : *type;
    }
    constexpr std::array<std::string_view, 10> formats = {"wav", "mp3",  "flac", "opus", "aac",
                                                          "ogg", "webm", "png",  "jpeg", "webp"};
    if (const auto* const format = text_member(object, "format"); format != nullptr && is_one_of(*format, formats))
        return *format;
    constexpr std::array<std::string_view, 5> types = {"image", "audio", "video", "file", "input_audio"};
    if (const auto* const type = text_member(object, "type"); type != nullptr && is_one_of(*type, types)) return *type;
    return {};
}

/// Returns whether the name of a member says that it is base64.
ACTA_INLINE bool is_base64_name(std::string_view name) noexcept {
    return name.ends_with("base64") || name.ends_with("b64") || name.ends_with("Base64");
}

/// Returns the type of the member `name` of an object if it is binary content; empty if it is not.
ACTA_INLINE std::string binary_member_type(const Json::object_t& object, std::string_view name, std::string_view text) {
    const bool is_blob = name == "blob";
    const bool is_b64_json = name == "b64_json";
    const bool is_named = text.size() >= least_data && is_base64_name(name);
    if ((name != "data" && !is_blob && !is_b64_json && !is_named) || !is_base64(text)) return {};
    // MCP's `blob` and OpenAI's `b64_json` are base64 whatever is beside them.
    std::string type = binary_type(object, is_blob || is_named);
    if (!type.empty()) return type;
    if (is_blob && base::find_key(object, "uri") != nullptr) return "blob";
    if (is_b64_json) return "image";
    return is_named ? "base64" : "";
}

/// Where a text has a `data:` URL.
struct DataUrl {
    std::size_t begin = std::string_view::npos;
    std::size_t end = 0;
    std::string_view type{};
    std::string_view data{};
};

/// Returns the first `data:` URL with enough base64 from `from` on; `begin` is `npos` without one.
ACTA_INLINE DataUrl find_data_url(std::string_view text, std::size_t from) noexcept {
    constexpr std::string_view mark = ";base64,";
    constexpr std::string_view scheme = "data:";
    constexpr std::size_t longest_type = 128;
    if (text.size() < scheme.size() + mark.size() + least_data) return {};
    for (std::size_t at = text.find(mark, from); at != std::string_view::npos; at = text.find(mark, at + 1)) {
        const std::size_t first = at > from + longest_type ? at - longest_type : from;
        const std::size_t begin = text.substr(first, at - first).rfind(scheme);
        if (begin == std::string_view::npos) continue;
        const std::string_view head = text.substr(first + begin + scheme.size(), at - first - begin - scheme.size());
        if (head.find_first_of(" \t\r\n\"'<>()") != std::string_view::npos) continue;
        const std::size_t data = at + mark.size();
        const std::size_t length = base64_length(text.substr(data));
        if (length < least_data) continue;
        return {first + begin, data + length, head.substr(0, head.find(';')), text.substr(data, length)};
    }
    return {};
}

/// Returns the media type of a file that a text is in base64; empty if it is anything else.
ACTA_INLINE std::string_view file_type(std::string_view text) noexcept {
    constexpr std::size_t least_file = 256;
    constexpr std::array<std::array<std::string_view, 2>, 4> types = {{{"iVBORw0KGgo", "image/png"},
                                                                       {"/9j/", "image/jpeg"},
                                                                       {"R0lGOD", "image/gif"},
                                                                       {"JVBERi0", "application/pdf"}}};
    if (text.size() < least_file) return {};
    for (const auto& [beginning, type] : types) {
        if (text.starts_with(beginning)) return is_base64(text) ? type : std::string_view();
    }
    return {};
}

ACTA_INLINE std::optional<std::string> without_binary_text(std::string_view text) {
    if (const std::string_view type = file_type(text); !type.empty()) return binary_placeholder(type, text);
    DataUrl url = find_data_url(text, 0);
    if (url.begin == std::string_view::npos) return std::nullopt;
    std::string out;
    std::size_t at = 0;
    for (; url.begin != std::string_view::npos; url = find_data_url(text, at)) {
        out.append(text.substr(at, url.begin - at));
        out.append(binary_placeholder(url.type.empty() ? std::string_view("data") : url.type, url.data));
        at = url.end;
    }
    return out.append(text.substr(at));
}

/// Returns the text shown for a text, which is the member `name` of `object` if that is not null; nothing if it stays
/// as it is.
ACTA_INLINE std::optional<std::string> shown_member(const Json::object_t* object, std::string_view name,
                                                    std::string_view text) {
    const std::string type = object == nullptr ? std::string() : binary_member_type(*object, name, text);
    return type.empty() ? without_binary_text(text) : binary_placeholder(type, text);
}

/// Calls `f(object, name, text)` for the texts in a value, as for `shown_member`, until it returns true, and returns
/// whether it did. Without recursion, since a value may be nested deeply.
template <class Value, class F>
bool any_text(Value& value, const F& f) {
    if (!value.is_structured()) return value.is_string() && f(nullptr, {}, value);
    std::vector<Value*> left;  // most values are flat, and need none
    const auto visit = [&](const Json::object_t* object, std::string_view name, Value& one) {
        if (one.is_string()) return static_cast<bool>(f(object, name, one));
        if (one.is_structured()) left.push_back(&one);
        return false;
    };
    for (Value* one = &value;;) {
        const Json::object_t* const object = one->template get_ptr<const Json::object_t*>();
        for (auto inner = one->begin(); inner != one->end(); ++inner) {
            if (object == nullptr ? visit(nullptr, {}, *inner) : visit(object, inner.key(), *inner)) return true;
        }
        if (left.empty()) return false;
        one = left.back();
        left.pop_back();
    }
}

ACTA_INLINE bool has_binary(const Json& value) {
    return any_text(value, [](const Json::object_t* object, std::string_view name, const Json& text) {
        return shown_member(object, name, text.get_ref<const std::string&>()).has_value();
    });
}

}  // namespace chat_detail

ACTA_INLINE std::string binary_placeholder(std::string_view type, std::string_view base64) {
    const auto digits =
        static_cast<std::size_t>(std::count_if(base64.begin(), base64.end(), chat_detail::is_base64_char));
    return "<" + std::string(type) + ", " + std::to_string(digits / 4 * 3 + (digits % 4 * 3) / 4) + " bytes>";
}

ACTA_INLINE std::optional<Json> without_binary(const Json& value) {
    if (!chat_detail::has_binary(value)) return std::nullopt;
    Json out = value;
    chat_detail::any_text(out, [](const Json::object_t* object, std::string_view name, Json& text) {
        auto& shown = text.get_ref<std::string&>();
        if (auto other = chat_detail::shown_member(object, name, shown)) shown = *std::move(other);
        return false;
    });
    return out;
}

ACTA_INLINE std::optional<JsonObject> without_binary(const JsonObject& object) {
    const bool has_any = std::any_of(object.begin(), object.end(), [&](const auto& member) {
        const auto* const text = member.second.template get_ptr<const std::string*>();
        return text == nullptr ? chat_detail::has_binary(member.second)
                               : chat_detail::shown_member(&object, member.first, *text).has_value();
    });
    if (!has_any) return std::nullopt;
    std::optional<Json> shown = without_binary(Json(static_cast<const Json::object_t&>(object)));
    return JsonObject(std::move(shown->get_ref<Json::object_t&>()));
}

ACTA_INLINE std::string hide_binary(std::string text) {
    std::optional<std::string> shown = chat_detail::without_binary_text(text);
    return shown ? *std::move(shown) : std::move(text);
}

ACTA_INLINE void append_shown_text(std::string& out, std::string_view text) {
    const std::optional<std::string> shown = chat_detail::without_binary_text(text);
    out += shown ? std::string_view(*shown) : text;
}

ACTA_INLINE std::string shown_text(const Json& value) {
    if (const auto* const text = value.get_ptr<const std::string*>()) return hide_binary(*text);
    const std::optional<Json> shown = without_binary(value);
    return python_str(shown ? *shown : value);
}

ACTA_INLINE void append_shown_call(std::string& out, std::string_view name, const JsonObject& arguments) {
    const std::optional<JsonObject> shown = without_binary(arguments);
    append_call(out, name, shown ? *shown : arguments);
}

}  // namespace acta::inline ACTA_ABI
