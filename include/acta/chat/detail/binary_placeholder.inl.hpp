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

namespace acta::inline v0 {

namespace chat_detail {

/// A character of base64 or base64url, padding and line breaks left out.
constexpr bool is_base64_char(char c) noexcept {
    return (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || (c >= '0' && c <= '9') || c == '+' || c == '/' ||
           c == '-' || c == '_';
}

/// The length of the base64 at the start of a text, with its padding.
ACTA_INLINE std::size_t base64_length(std::string_view text) noexcept {
    std::size_t at = 0;
    while (at < text.size() && is_base64_char(text[at])) ++at;
    for (int padding = 0; padding < 2 && at < text.size() && text[at] == '='; ++padding) ++at;
    return at;
}

/// Whether all of a text is base64, in lines or in one.
ACTA_INLINE bool is_base64(std::string_view text) noexcept {
    if (text.empty()) return false;
    while (!text.empty()) {
        const std::size_t line = base64_length(text);
        if (line == 0) return false;
        text.remove_prefix(line);
        while (!text.empty() && (text.front() == '\n' || text.front() == '\r')) text.remove_prefix(1);
    }
    return true;
}

template <std::size_t N>
constexpr bool is_one_of(std::string_view text, const std::array<std::string_view, N>& names) noexcept {
    return std::find(names.begin(), names.end(), text) != names.end();
}

ACTA_INLINE const std::string* text_member(const Json& object, const char* name) {
    const auto found = object.find(name);
    return found == object.end() ? nullptr : found->get_ptr<const std::string*>();
}

/// The type of the binary content that an object says it has; empty where it does not say so. Text is binary content
/// where it is known to be in base64.
ACTA_INLINE std::string binary_type(const Json& object, bool known_base64) {
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

/// The member of an object that is base64, and what it is.
struct BinaryMember {
    const char* name = nullptr;
    std::string type{};
};
ACTA_INLINE std::optional<BinaryMember> binary_member(const Json& object) {
    for (const char* const name : {"data", "blob", "b64_json"}) {
        const std::string* const text = text_member(object, name);
        if (text == nullptr || !is_base64(*text)) continue;
        // MCP's `blob` and OpenAI's `b64_json` are base64 whatever stands beside them.
        const bool is_blob = std::string_view(name) == "blob";
        std::string type = binary_type(object, is_blob);
        if (type.empty() && is_blob && object.contains("uri")) type = "blob";
        if (type.empty() && std::string_view(name) == "b64_json") type = "image";
        if (!type.empty()) return BinaryMember{name, std::move(type)};
    }
    return std::nullopt;
}

/// Where a `data:` URL stands in a text.
struct DataUrl {
    std::size_t begin = std::string_view::npos;
    std::size_t end = 0;
    std::string_view type{};
    std::string_view data{};
};

/// The first `data:` URL with enough base64 from `from` on; `begin` is `npos` without one.
ACTA_INLINE DataUrl find_data_url(std::string_view text, std::size_t from) noexcept {
    constexpr std::string_view mark = ";base64,";
    constexpr std::string_view scheme = "data:";
    constexpr std::size_t longest_type = 128;
    constexpr std::size_t least_data = 32;
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

ACTA_INLINE std::optional<std::string> without_data_urls(std::string_view text) {
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

/// Whether there is anything to replace. Without recursion, since a value may be nested deeply.
ACTA_INLINE bool has_binary(const Json& value) {
    std::vector<const Json*> left{&value};
    while (!left.empty()) {
        const Json& one = *left.back();
        left.pop_back();
        if (const auto* const text = one.get_ptr<const std::string*>()) {
            if (find_data_url(*text, 0).begin != std::string_view::npos) return true;
        } else if (one.is_object() && binary_member(one)) {
            return true;
        } else if (one.is_structured()) {
            for (const Json& inner : one) left.push_back(&inner);
        }
    }
    return false;
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
    std::vector<Json*> left{&out};
    while (!left.empty()) {
        Json& one = *left.back();
        left.pop_back();
        if (auto* const text = one.get_ptr<std::string*>()) {
            if (auto shown = chat_detail::without_data_urls(*text)) *text = *std::move(shown);
            continue;
        }
        if (!one.is_structured()) continue;
        if (const auto binary = one.is_object() ? chat_detail::binary_member(one) : std::nullopt) {
            std::string& data = one[binary->name].get_ref<std::string&>();
            data = binary_placeholder(binary->type, data);
        }
        for (Json& inner : one) left.push_back(&inner);
    }
    return out;
}

ACTA_INLINE std::string hide_binary(std::string_view text) {
    std::optional<std::string> shown = chat_detail::without_data_urls(text);
    return shown ? *std::move(shown) : std::string(text);
}

ACTA_INLINE std::string shown_text(const Json& value) {
    if (const auto* const text = value.get_ptr<const std::string*>()) return hide_binary(*text);
    const std::optional<Json> shown = without_binary(value);
    return python_str(shown ? *shown : value);
}

}  // namespace acta::inline v0
