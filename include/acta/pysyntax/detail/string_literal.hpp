// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>

#include "acta/base/utf8.hpp"
#include "acta/pysyntax/detail/number_literal.hpp"
#include "acta/pysyntax/detail/scanner.hpp"

// String literals as CPython 3.11 reads them (The Python Language Reference, 2.4.1).
namespace acta::inline ACTA_ABI::pysyntax_detail {

enum class StringKind { none, text, bytes, formatted };

/// The prefix and the opening quote before a string's content.
struct StringStart {
    StringKind kind = StringKind::none;
    bool raw = false;
    std::size_t prefix = 0;  ///< letters before the quote
};

/// Returns whether a string begins at the position, and how. Looks at three bytes.
[[nodiscard]] inline StringStart string_start(const Scanner& in) noexcept {
    StringStart start;
    char letter = '\0';  // the one that is not r
    for (; start.prefix < 3; ++start.prefix) {
        const char c = in.peek(start.prefix);
        if (c == '\'' || c == '"') break;
        if ((c == 'r' || c == 'R') && !start.raw) {
            start.raw = true;
        } else if (c != '\0' && is_one_of(c, "uUbBfF") && letter == '\0') {
            letter = c;
        } else {
            return {};
        }
    }
    if (start.prefix == 3) return {};
    switch (letter) {
        case 'b':
        case 'B': start.kind = StringKind::bytes; break;
        case 'f':
        case 'F': start.kind = StringKind::formatted; break;
        case 'u':
        case 'U': start.kind = start.raw ? StringKind::none : StringKind::text; break;
        default: start.kind = StringKind::text;
    }
    return start;
}

/// Where a string ends.
struct StringEnd {
    bool closed = false;
    std::size_t at = 0;  ///< the closing quote; if there is none, the end of the line or of the text
};

/// Looks for the end of the string whose content begins at `begin`.
[[nodiscard]] inline StringEnd find_string_end(Scanner& in, std::size_t begin, std::string_view quote) {
    const std::string_view text = in.text();
    StringEnd end;
    std::size_t i = begin;
    while (i < text.size() && !end.closed) {
        const char c = text[i];
        if (c == '\\') {
            // A joined line may end with two bytes; a backslash also keeps a quote from closing in a raw string.
            i += text.substr(i + 1, 2) == "\r\n" ? 3U : 2U;
        } else if (c == quote[0] && text.substr(i, quote.size()) == quote) {
            end.closed = true;
        } else if (quote.size() == 1 && (c == '\n' || c == '\r')) {
            break;
        } else {
            ++i;
        }
    }
    end.at = std::min(i, text.size());
    in.charge(end.at - begin);
    return end;
}

/// Returns the quote at `at`: one or three characters.
[[nodiscard]] inline std::string_view quote_at(std::string_view text, std::size_t at) noexcept {
    const bool triple = text.size() - at >= 3 && text[at + 1] == text[at] && text[at + 2] == text[at];
    return text.substr(at, triple ? 3 : 1);
}

/// The content of one string, decoded piece by piece.
class StringDecoder {
public:
    StringDecoder(Scanner& in, std::size_t begin, std::size_t end, std::string& out) noexcept
        : in_(in), text_(in.text().substr(0, end)), at_(begin), out_(out) {}

    bool decode(bool raw) {
        while (true) {
            std::size_t next = at_;
            while (next != text_.size() && text_[next] != '\r' && (raw || text_[next] != '\\')) ++next;
            in_.charge(next - at_);
            out_.append(text_.substr(at_, next - at_));
            at_ = next;
            if (at_ == text_.size()) return true;
            if (text_[at_] == '\r') {
                newline();
                out_ += '\n';
            } else if (!escape()) {
                return false;
            }
        }
    }

private:
    /// Python reads `\r\n` and `\r` in a source as `\n`.
    void newline() noexcept { at_ += text_.substr(at_, 2) == "\r\n" ? 2U : 1U; }

    bool escape() {
        const char c = text_[at_ + 1];  // a closing quote follows the content, so a backslash is never its last byte
        constexpr std::string_view names = "\\'\"abfnrtv";
        constexpr std::string_view values = "\\'\"\a\b\f\n\r\t\v";
        if (const std::size_t i = names.find(c); i != std::string_view::npos) {
            out_ += values[i];
            at_ += 2;
            return true;
        }
        switch (c) {
            case '\n':
            case '\r':
                ++at_;
                newline();
                return true;
            case 'x': return hex(2);
            case 'u': return hex(4);
            case 'U': return hex(8);
            case 'N': return in_.fail("\\N{...} escapes are not supported", at_);
            default: break;
        }
        if (c >= '0' && c <= '7') {
            octal();
        } else {
            out_ += '\\';  // Python keeps escapes that it does not know
            ++at_;
        }
        return true;
    }

    void octal() {
        char32_t value = 0;
        ++at_;
        for (int i = 0; i < 3 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++i, ++at_) {
            value = value * 8 + static_cast<char32_t>(text_[at_] - '0');
        }
        utf8::append(out_, value);
    }

    /// Reads the value of the hexadecimal digits at `begin`; returns false if one is missing.
    [[nodiscard]] bool read_hex(std::size_t begin, std::size_t digits, char32_t& value) const noexcept {
        value = 0;
        for (std::size_t i = begin; i < begin + digits; ++i) {
            const unsigned digit = i < text_.size() ? digit_value(text_[i]) : 16;
            if (digit >= 16) return false;
            value = value * 16 + digit;
        }
        return true;
    }

    /// Reads an escape of so many hexadecimal digits.
    bool hex(std::size_t digits) {
        char32_t value = 0;
        if (!read_hex(at_ + 2, digits, value)) {
            return in_.fail("the escape needs " + std::to_string(digits) + " hexadecimal digits", at_);
        }
        std::size_t length = 2 + digits;
        // Python keeps a pair as two characters, which JSON cannot hold; a pair is meant as in JSON.
        if (char32_t low = 0; digits == 4 && value >= 0xD800 && value < 0xDC00 &&
                              text_.substr(std::min(at_ + length, text_.size()), 2) == "\\u" &&
                              read_hex(at_ + length + 2, 4, low) && low >= 0xDC00 && low < 0xE000) {
            value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
            length *= 2;
        }
        if (value >= 0xD800 && value < 0xE000) {
            return in_.fail("half of a surrogate pair is not a character", at_);
        }
        if (value > 0x10FFFF) return in_.fail("the escape is beyond the last character, \\U0010ffff", at_);
        utf8::append(out_, value);
        at_ += length;
        return true;
    }

    Scanner& in_;
    std::string_view text_;
    std::size_t at_;
    std::string& out_;
};

/// Reads the string at the position and appends its value. Moves past the string, whatever is wrong inside it; if it is
/// never closed, past everything that may have been meant to be inside.
inline bool read_string(Scanner& in, const StringStart& start, std::string& out) {
    const std::size_t begin = in.position();
    const std::string_view quote = quote_at(in.text(), begin + start.prefix);
    const std::size_t content = begin + start.prefix + quote.size();
    in.advance(content - begin);
    const StringEnd end = find_string_end(in, content, quote);
    in.move_to(end.at);
    if (!end.closed) {
        const bool one_line = quote.size() == 1;
        return in.fail(one_line ? "the string is not closed before the line ends" : "the string is never closed",
                       begin);
    }
    in.move_to(end.at + quote.size());
    if (start.kind == StringKind::bytes) return in.fail("bytes have no counterpart in JSON", begin);
    if (start.kind == StringKind::formatted) return in.fail("an f-string is not a literal", begin);
    const std::string_view inside = in.text().substr(content, end.at - content);
    if (const std::size_t nul = inside.find('\0'); nul != std::string_view::npos) {
        return in.fail("a NUL byte", content + nul);
    }
    if (const std::size_t bad = utf8::find_invalid(inside); bad != inside.size()) {
        return in.fail("a byte that is not UTF-8", content + bad);
    }
    return StringDecoder(in, content, end.at, out).decode(start.raw);
}

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
