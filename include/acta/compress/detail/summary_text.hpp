// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "acta/base/ascii.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utf8.hpp"

// How a text is prepared for a summary.
namespace acta::inline ACTA_ABI::compress_detail {

inline constexpr std::string_view ellipsis = "\xE2\x80\xA6";

/// Whether a text has several lines: whether a line feed, a carriage return, U+0085, U+2028 or U+2029 is in it.
[[nodiscard]] inline bool has_line_break(std::string_view text) noexcept {
    return text.find_first_of("\n\r") != std::string_view::npos || text.find("\xC2\x85") != std::string_view::npos ||
           text.find("\xE2\x80\xA8") != std::string_view::npos || text.find("\xE2\x80\xA9") != std::string_view::npos;
}

/// The end of the terminal control sequence that starts at `at` (ECMA-48 5.4, `ESC [ … final`), or `at` if there is
/// none.
[[nodiscard]] constexpr std::size_t control_sequence_end(std::string_view text, std::size_t at) noexcept {
    if (text[at] != '\x1B' || at + 1 >= text.size() || text[at + 1] != '[') return at;
    std::size_t i = at + 2;
    while (i < text.size() && text[i] >= 0x20 && text[i] < 0x40) ++i;
    return i < text.size() && text[i] >= 0x40 && text[i] < 0x7F ? i + 1 : at;
}

/// The text in one printable line: each run of white space and control characters becomes one blank, none at the ends;
/// terminal colours are removed, and invalid UTF-8 becomes U+FFFD.
[[nodiscard]] inline std::string one_line(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    bool blank = false;
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = control_sequence_end(text, at); end != at) {
            at = end;
            continue;
        }
        const unicode::Char c = unicode::char_at(text, at);
        if (c.cls == unicode::CharClass::space || c.code < 0x20 || (c.code >= 0x7F && c.code < 0xA0)) {
            blank = true;
        } else {
            if (blank && !out.empty()) out += ' ';
            blank = false;
            utf8::append(out, c.code);
        }
        at += c.length;
    }
    return out;
}

/// At most `max_bytes` bytes of a text, then an ellipsis; cut between words if that costs little, and never inside a
/// UTF-8 sequence.
[[nodiscard]] inline std::string shorten(std::string_view text, std::size_t max_bytes) {
    if (text.size() <= max_bytes) return std::string(text);
    std::string_view kept = utf8::prefix(text, max_bytes);
    const std::size_t blank = kept.rfind(' ');
    if (blank != std::string_view::npos && blank >= kept.size() - kept.size() / 3) kept = kept.substr(0, blank);
    return std::string(kept) + std::string(ellipsis);
}

/// Whether a text has a letter or a number.
[[nodiscard]] inline bool has_word(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        if (const std::size_t end = control_sequence_end(text, at); end != at) {
            at = end;
            continue;
        }
        const unicode::Char c = unicode::char_at(text, at);
        if (unicode::is_letter(c.cls) || c.cls == unicode::CharClass::number) return true;
        at += c.length;
    }
    return false;
}

}  // namespace acta::inline ACTA_ABI::compress_detail
