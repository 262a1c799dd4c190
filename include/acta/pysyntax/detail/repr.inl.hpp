// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/pysyntax/detail/float_text.hpp"
#include "acta/pysyntax/repr.hpp"

namespace acta::inline ACTA_ABI {

namespace pysyntax_detail {

/// Appends `\x`, `\u` or `\U` and `c` in hexadecimal, whichever is wide enough.
ACTA_INLINE void append_hex_escape(std::string& out, char32_t c) {
    const int width = c < 0x100 ? 2 : c < 0x10000 ? 4 : 8;
    char text[10] = {'\\', width == 2 ? 'x' : width == 4 ? 'u' : 'U'};
    char* p = text + 2;
    for (int shift = 4 * (width - 1); shift >= 0; shift -= 4) *p++ = "0123456789abcdef"[(c >> shift) & 0xF];
    out.append(text, p);
}

ACTA_INLINE void append_ascii_escape(std::string& out, char c) {
    switch (c) {
        case '\n': out += "\\n"; break;
        case '\r': out += "\\r"; break;
        case '\t': out += "\\t"; break;
        case '\\':
        case '\'':
        case '"': (out += '\\') += c; break;
        default: append_hex_escape(out, static_cast<unsigned char>(c));
    }
}

/// Returns the quote that CPython picks: a single one, unless `text` has single and no double ones.
[[nodiscard]] ACTA_INLINE char quote_for(std::string_view text) noexcept {
    const bool swap = text.find('\'') != std::string_view::npos && text.find('"') == std::string_view::npos;
    return swap ? '"' : '\'';
}

/// Returns whether CPython prints the ASCII character as it is between quotes of this kind.
[[nodiscard]] inline bool is_plain_ascii(char c, char quote) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte - 0x20U < 0x7FU - 0x20U && c != quote && c != '\\';
}

ACTA_INLINE void append_text(std::string& out, std::string_view text) {
    const char quote = quote_for(text);
    out += quote;
    const char* const end = text.data() + text.size();
    const char* run = text.data();  // printable text is appended in one piece
    for (const char* p = run;;) {
        while (p != end && is_plain_ascii(*p, quote)) ++p;
        if (p == end) break;
        const auto byte = static_cast<unsigned char>(*p);
        const std::size_t length = byte < 0x80 ? 1 : utf8::sequence_length(p, end);
        if (byte >= 0x80 && length != 0 && unicode::is_python_printable(utf8::code_point(p, length))) {
            p += length;
            continue;
        }
        out.append(run, p);
        if (byte < 0x80) {
            append_ascii_escape(out, *p);
        } else {
            append_hex_escape(out, length == 0 ? 0xDC00 + char32_t{byte} : utf8::code_point(p, length));
        }
        p += length == 0 ? 1 : length;
        run = p;
    }
    out.append(run, end);
    out += quote;
}

template <class Integer>
void append_integer(std::string& out, Integer value) {
    char buffer[24];
    out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, value).ptr);
}

/// nlohmann's binary values, which JSON text cannot have, print as Python's `bytes`.
[[gnu::cold]] ACTA_INLINE void append_bytes(std::string& out, const Json::binary_t& bytes) {
    const char quote = quote_for({reinterpret_cast<const char*>(bytes.data()), bytes.size()});
    (out += 'b') += quote;
    for (const std::uint8_t byte : bytes) {
        const char c = static_cast<char>(byte);
        if (byte < 0x20 || byte >= 0x7F || c == quote || c == '\\') {
            append_ascii_escape(out, c);
        } else {
            out += c;
        }
    }
    out += quote;
}

/// Appends a value that is neither an array nor an object.
ACTA_INLINE void append_scalar(std::string& out, const Json& value) {
    switch (value.type()) {
        case Json::value_t::boolean: out += base::boolean_of(value) ? "True" : "False"; break;
        case Json::value_t::string: append_text(out, base::text_of(value)); break;
        case Json::value_t::number_integer: append_integer(out, base::integer_of(value)); break;
        case Json::value_t::number_unsigned: append_integer(out, base::unsigned_of(value)); break;
        case Json::value_t::number_float: append_float(out, base::real_of(value)); break;
        case Json::value_t::binary: append_bytes(out, value.get_binary()); break;
        default: out += "None"; break;
    }
}

}  // namespace pysyntax_detail

ACTA_INLINE void append_python_repr(std::string& out, const Json& value) {
    std::vector<base::JsonFrame> open;
    const Json* current = &value;
    while (true) {
        if (current->is_structured()) {
            out += current->is_array() ? '[' : '{';
            open.push_back({current, 0});
        } else {
            pysyntax_detail::append_scalar(out, *current);
        }
        while (!open.empty() && open.back().next == open.back().value->size()) {
            out += open.back().value->is_array() ? ']' : '}';
            open.pop_back();
        }
        if (open.empty()) return;
        const Json* const container = open.back().value;
        const std::size_t next = open.back().next++;
        if (next != 0) out += ", ";
        if (container->is_array()) {
            current = &base::array_of(*container)[next];
        } else {
            const auto& [key, member] = *(base::object_of(*container).begin() + static_cast<std::ptrdiff_t>(next));
            pysyntax_detail::append_text(out, key);
            out += ": ";
            current = &member;
        }
    }
}

ACTA_INLINE void append_python_str(std::string& out, const Json& value) {
    if (value.is_string()) {
        out += base::text_of(value);
    } else {
        append_python_repr(out, value);
    }
}

ACTA_INLINE std::string python_repr(const Json& value) {
    std::string out;
    append_python_repr(out, value);
    return out;
}

ACTA_INLINE std::string python_str(const Json& value) {
    std::string out;
    append_python_str(out, value);
    return out;
}

ACTA_INLINE void append_call(std::string& out, std::string_view name, const JsonObject& arguments) {
    out.append(name).append("(");
    bool first = true;
    for (const auto& [key, value] : arguments) {
        if (!first) out += ", ";
        first = false;
        out.append(key).append("=");
        append_python_repr(out, value);
    }
    out += ')';
}

ACTA_INLINE std::string print_call(std::string_view name, const JsonObject& arguments) {
    std::string out;
    append_call(out, name, arguments);
    return out;
}

namespace pysyntax_detail {

/// Returns a name with escapes, as in a text, for what Python would not print of it.
[[nodiscard]] ACTA_INLINE std::string printable_name(std::string_view name) {
    std::string out;
    while (!name.empty()) {
        const unicode::Char c = unicode::char_at(name, 0);
        const std::string_view bytes = name.substr(0, c.length);
        name.remove_prefix(c.length);
        if (unicode::is_python_printable(c.code) && !(c.code == 0xFFFD && c.length == 1)) {
            out += bytes;
            continue;
        }
        std::string quoted;
        append_text(quoted, bytes);
        out += std::string_view(quoted).substr(1, quoted.size() - 2);
    }
    return out;
}

ACTA_INLINE std::string visible_call(std::string_view name, const JsonObject& arguments) {
    JsonObject visible;
    for (const auto& [key, value] : arguments) base::entries(visible).emplace_back(printable_name(key), value);
    return print_call(printable_name(name), visible);
}

}  // namespace pysyntax_detail

}  // namespace acta::inline ACTA_ABI
