// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "acta/base/unicode.hpp"
#include "acta/json/issue.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/http/http.hpp"

// Texts of servers.
namespace acta::inline ACTA_ABI::provider_detail {

inline constexpr std::string_view half_mark = "\xEF\xB7\x90";  // U+FDD0
inline constexpr std::size_t half_size = 7;                    // with a character from U+100000 on

ACTA_INLINE std::string mark_surrogates(std::string_view json) {
    std::string out;
    for (std::size_t i = 0;;) {
        const std::size_t next = std::min(json.find('\\', i), json.size());
        out.append(json.substr(i, next - i));
        i = next;
        if (i == json.size()) return out;
        const unsigned unit = unicode::escaped_unit(json.substr(i));
        const bool is_pair =
            unicode::is_high_surrogate(unit) &&
            unicode::is_low_surrogate(unicode::escaped_unit(json.substr(std::min(i + 6, json.size()))));
        if (!is_pair && (unicode::is_high_surrogate(unit) || unicode::is_low_surrogate(unit))) {
            out += half_mark;
            utf8::append(out, static_cast<char32_t>(0x100000 + (unit - 0xD800)));
            i += 6;
            continue;
        }
        const std::size_t length = is_pair ? 12 : 2;
        out.append(json.substr(i, length));
        i = std::min(i + length, json.size());
    }
}

/// Returns the half of a character that the mark at the beginning of the text is for; 0 if there is no mark.
[[nodiscard]] ACTA_INLINE unsigned marked_half(std::string_view text) noexcept {
    if (text.size() < half_size || !text.starts_with(half_mark)) return 0;
    const auto byte = [&](std::size_t i) { return static_cast<unsigned>(static_cast<unsigned char>(text[i])); };
    if (byte(3) != 0xF4 || byte(4) != 0x80) return 0;  // U+100000 to U+100FFF
    const unsigned unit = 0xD800 + ((byte(5) & 0x3FU) << 6U) + (byte(6) & 0x3FU);
    return unicode::is_high_surrogate(unit) || unicode::is_low_surrogate(unit) ? unit : 0;
}

ACTA_INLINE std::string join_surrogates(std::string_view text) {
    std::string out;
    for (std::size_t i = 0;;) {
        const std::size_t next = std::min(text.find(half_mark, i), text.size());
        out.append(text.substr(i, next - i));
        i = next;
        if (i == text.size()) return out;
        const unsigned first = marked_half(text.substr(i));
        if (first == 0) {
            out += text[i++];
            continue;
        }
        i += half_size;
        const unsigned second = marked_half(text.substr(i));
        if (unicode::is_high_surrogate(first) && unicode::is_low_surrogate(second)) {
            utf8::append(out, static_cast<char32_t>(0x10000 + ((first - 0xD800) << 10U) + (second - 0xDC00)));
            i += half_size;
        } else {
            out += utf8::replacement;
        }
    }
}

ACTA_INLINE void join_surrogates_in(Json& value) {
    if (value.is_string()) {
        auto& text = value.get_ref<std::string&>();
        if (text.find(half_mark) != std::string::npos) text = join_surrogates(text);
    } else if (value.is_structured()) {
        for (Json& one : value) join_surrogates_in(one);
    }
}

ACTA_INLINE std::size_t open_surrogate(std::string_view text) noexcept {
    if (text.size() < half_size) return 0;
    return unicode::is_high_surrogate(marked_half(text.substr(text.size() - half_size))) ? half_size : 0;
}

ACTA_INLINE std::string beginning(std::string_view text, const http::Secrets& secrets) {
    constexpr std::size_t longest = 200;
    return quoted_text(secrets.hide(std::string(text)).substr(0, longest));
}

/// Returns whether a token stands for a value that is not a number, as Python, JavaScript and others write it.
[[nodiscard]] ACTA_INLINE bool is_not_a_number(std::string_view token) noexcept {
    if (token.starts_with('-') || token.starts_with('+')) token.remove_prefix(1);
    return ascii::equals_ignoring_case(token, "nan") || ascii::equals_ignoring_case(token, "inf") ||
           ascii::equals_ignoring_case(token, "infinity");
}

/// Returns JSON with null in place of values that are not numbers. What is in texts stays as it is.
[[nodiscard]] ACTA_INLINE std::string without_not_a_number(std::string_view json) {
    constexpr std::string_view parts = "+-.0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    std::string out;
    for (std::size_t i = 0; i < json.size();) {
        std::size_t end = i + 1;
        if (json[i] == '"') {
            while (end < json.size() && json[end] != '"') end += json[end] == '\\' ? 2 : 1;
            end = std::min(end + 1, json.size());
            out += json.substr(i, end - i);
        } else if (parts.find(json[i]) != std::string_view::npos) {
            end = std::min(json.find_first_not_of(parts, i), json.size());
            const std::string_view token = json.substr(i, end - i);
            out += is_not_a_number(token) ? "null" : token;
        } else {
            out += json[i];
        }
        i = end;
    }
    return out;
}

/// Returns JSON without the faults that cost a reply nothing: halves of characters, and values that are not numbers,
/// which are in members that are not used.
[[nodiscard]] ACTA_INLINE std::string repaired(std::string_view json) {
    const std::string marked = mark_surrogates(json);
    return without_not_a_number(marked.find(half_mark) == std::string::npos ? json : marked);
}

ACTA_INLINE Json read_json(std::string_view text, const ParseOptions& options) {
    try {
        return parse<Json>(text, options);
    } catch (const ValidationError&) {
        const std::string other = repaired(text);
        if (other == text) throw;
        return parse<Json>(other, options);
    }
}

ACTA_INLINE Json read_body(std::string_view text, const ParseOptions& options, const http::Secrets& secrets) {
    try {
        return read_json(text, options);
    } catch (const ValidationError& error) {
        const std::string why = error.issues().empty() ? std::string() : error.issues().front().message;
        throw_reply(why + "; it begins with \"" + beginning(text, secrets) + "\"");
    }
}

}  // namespace acta::inline ACTA_ABI::provider_detail
