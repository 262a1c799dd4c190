// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "acta/base/unicode.hpp"
#include "acta/base/utf8.hpp"
#include "acta/pysyntax/call_error.hpp"

namespace acta::inline ACTA_ABI {

namespace pysyntax_detail {

/// A place in a text: byte offset, and line and column (in code points) from 1.
struct TextPlace {
    std::size_t offset = 0;
    std::size_t line = 1;
    std::size_t column = 1;
    std::size_t line_begin = 0;
};

/// Returns the start of the code point, or of the invalid byte, after the one at `p`.
[[nodiscard]] ACTA_INLINE const char* next_code_point(const char* p, const char* end) noexcept {
    const std::size_t length = utf8::sequence_length(p, end);
    return p + (length == 0 ? 1 : length);
}

/// Lines end with `\n`, `\r\n` or `\r`; a byte that is not valid UTF-8 counts as a column. O(offset).
[[nodiscard]] ACTA_INLINE TextPlace locate(std::string_view text, std::size_t offset) {
    TextPlace place;
    place.offset = offset < text.size() ? offset : text.size();
    for (std::size_t i = 0; i < place.offset; ++i) {
        const bool ends_line = text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n");
        if (!ends_line) continue;
        ++place.line;
        place.line_begin = i + 1;
    }
    const char* const stop = text.data() + place.offset;
    for (const char* p = text.data() + place.line_begin; p < stop; ++place.column) {
        p = next_code_point(p, text.data() + text.size());
    }
    return place;
}

/// Appends up to `limit` code points of a line, each as one column. Characters that do not print are replaced, as they
/// would put the caret in the wrong place. Stops at the end of the line and returns whether it was reached.
ACTA_INLINE bool append_excerpt(std::string& out, std::string_view text, std::size_t limit) {
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p != end; --limit) {
        if (*p == '\n' || *p == '\r') return true;
        if (limit == 0) return false;
        const std::size_t length = utf8::sequence_length(p, end);
        if (*p == '\t') {
            out += ' ';
        } else if (length == 0 || !unicode::is_python_printable(utf8::code_point(p, length))) {
            out += utf8::replacement;
        } else {
            out.append(p, length);
        }
        p += length == 0 ? 1 : length;
    }
    return true;
}

/// Returns the line of `place` and below it a caret, both cut to 60 code points on either side.
[[nodiscard]] ACTA_INLINE std::string line_with_caret(std::string_view text, const TextPlace& place) {
    constexpr std::size_t width = 60;
    std::size_t shown = place.column - 1;  // code points before the caret
    std::size_t begin = place.line_begin;
    std::string out = "  ";
    std::size_t indent = 2;
    if (shown > width) {
        const char* p = text.data() + begin;
        for (; shown > width; --shown) p = next_code_point(p, text.data() + text.size());
        begin = static_cast<std::size_t>(p - text.data());
        out += "...";
        indent += 3;
    }
    append_excerpt(out, text.substr(begin, place.offset - begin), shown);
    if (!append_excerpt(out, text.substr(place.offset), width)) out += "...";
    return out.append("\n").append(indent + shown, ' ').append("^");
}

}  // namespace pysyntax_detail

ACTA_INLINE CallSyntaxError::CallSyntaxError(std::string_view reason, std::string_view text, std::size_t offset)
    : CallSyntaxError(reason, text, pysyntax_detail::locate(text, offset)) {}

ACTA_INLINE CallSyntaxError::CallSyntaxError(std::string_view reason, std::string_view text,
                                             const pysyntax_detail::TextPlace& place)
    : Error(std::string(reason)
                .append(" at line ")
                .append(std::to_string(place.line))
                .append(", column ")
                .append(std::to_string(place.column))
                .append("\n")
                .append(pysyntax_detail::line_with_caret(text, place))),
      offset_(place.offset),
      line_(place.line),
      column_(place.column) {}

}  // namespace acta::inline ACTA_ABI
