// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/detail/unicode_table.hpp"
#include "acta/version.hpp"

/// Character classes of ASCII alone. Unlike those of `<cctype>` they ignore the locale, accept any `char`, and
/// are constant expressions; no byte of a longer UTF-8 sequence belongs to any class.
namespace acta::inline ACTA_ABI::ascii {

/// The white space of `std::isspace` in the C locale.
inline constexpr std::string_view spaces = " \t\n\v\f\r";

/// Returns whether `c` is a space, tab, line feed, vertical tab, form feed or carriage return.
[[nodiscard]] constexpr bool is_space(char c) noexcept { return c == ' ' || (c >= '\t' && c <= '\r'); }
/// Returns whether `c` is one of `0` to `9`.
[[nodiscard]] constexpr bool is_digit(char c) noexcept { return c >= '0' && c <= '9'; }
/// Returns whether `c` is one of `a` to `z`.
[[nodiscard]] constexpr bool is_lower(char c) noexcept { return c >= 'a' && c <= 'z'; }
/// Returns whether `c` is one of `A` to `Z`.
[[nodiscard]] constexpr bool is_upper(char c) noexcept { return c >= 'A' && c <= 'Z'; }
/// Returns whether `c` is an ASCII letter.
[[nodiscard]] constexpr bool is_alpha(char c) noexcept { return is_lower(c) || is_upper(c); }
/// Returns whether `c` is an ASCII letter or digit.
[[nodiscard]] constexpr bool is_alnum(char c) noexcept { return is_alpha(c) || is_digit(c); }

/// Returns the lower-case letter of an upper-case one; any other `char` as it is.
[[nodiscard]] constexpr char to_lower(char c) noexcept { return is_upper(c) ? static_cast<char>(c + ('a' - 'A')) : c; }
/// Returns the upper-case letter of a lower-case one; any other `char` as it is.
[[nodiscard]] constexpr char to_upper(char c) noexcept { return is_lower(c) ? static_cast<char>(c - ('a' - 'A')) : c; }

/// Returns the value of a hexadecimal digit of either case, or -1.
[[nodiscard]] constexpr int hex_value(char c) noexcept {
    if (is_digit(c)) return c - '0';
    const char lower = to_lower(c);
    return lower >= 'a' && lower <= 'f' ? lower - 'a' + 10 : -1;
}

/// Returns `text` without the ASCII white space at both ends.
[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(spaces);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(spaces) - first + 1);
}
/// Returns the bytes that `%41` and the like mean (RFC 3986, section 2.1); other percent signs stay.
[[nodiscard]] inline std::string percent_decoded(std::string_view text) {
    std::string out;
    for (std::size_t i = 0; i < text.size(); ++i) {
        const bool is_escape =
            text[i] == '%' && i + 2 < text.size() && hex_value(text[i + 1]) >= 0 && hex_value(text[i + 2]) >= 0;
        out += is_escape ? static_cast<char>(16 * hex_value(text[i + 1]) + hex_value(text[i + 2])) : text[i];
        if (is_escape) i += 2;
    }
    return out;
}

/// Returns whether `text` is empty or consists of ASCII white space. `unicode::is_blank` covers the rest of Unicode.
[[nodiscard]] constexpr bool is_blank(std::string_view text) noexcept {
    return text.find_first_not_of(spaces) == std::string_view::npos;
}

/// Returns whether two texts are equal apart from the case of ASCII letters.
[[nodiscard]] constexpr bool equals_ignoring_case(std::string_view a, std::string_view b) noexcept {
    if (a.size() != b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (to_lower(a[i]) != to_lower(b[i])) return false;
    }
    return true;
}

}  // namespace acta::inline ACTA_ABI::ascii

// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
namespace acta::inline ACTA_ABI::utf8 {

/// U+FFFD, the replacement character, in UTF-8.
inline constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Returns whether `byte` is a continuation byte (0x80 to 0xBF), which never begins a sequence.
[[nodiscard]] constexpr bool is_continuation(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Returns the length in bytes (1 to 4) of the valid sequence that starts at `p`, or 0 if there is none. `p` must be
/// before `end`.
[[nodiscard]] constexpr std::size_t sequence_length(const char* p, const char* end) noexcept {
    const auto byte = [p](std::size_t i) { return static_cast<unsigned char>(p[i]); };
    const auto tail = [p](std::size_t i) { return is_continuation(p[i]); };
    const unsigned char lead = byte(0);
    const auto left = end - p;
    if (lead < 0x80) return 1;
    if (lead < 0xC2) return 0;
    if (lead < 0xE0) return left >= 2 && tail(1) ? 2 : 0;
    if (lead < 0xF0) {
        if (left < 3 || !tail(1) || !tail(2)) return 0;
        if (lead == 0xE0 && byte(1) < 0xA0) return 0;
        if (lead == 0xED && byte(1) >= 0xA0) return 0;
        return 3;
    }
    if (lead > 0xF4 || left < 4 || !tail(1) || !tail(2) || !tail(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) >= 0x90) return 0;
    return 4;
}

/// Returns the code point of the valid sequence of `length` bytes at `p`.
[[nodiscard]] constexpr char32_t code_point(const char* p, std::size_t length) noexcept {
    const auto byte = [p](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(p[i])); };
    switch (length) {
        case 1: return byte(0);
        case 2: return ((byte(0) & 0x1F) << 6) | (byte(1) & 0x3F);
        case 3: return ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
        default:
            return ((byte(0) & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F);
    }
}

/// Writes `c` at `out`, which must have space for 4 bytes; returns the number of bytes written.
/// `c` must be a scalar value (no surrogate, at most U+10FFFF).
constexpr std::size_t encode(char32_t c, char* out) noexcept {
    const auto put = [out](std::size_t i, char32_t value) {
        out[i] = static_cast<char>(static_cast<unsigned char>(value));
    };
    if (c < 0x80) {
        put(0, c);
        return 1;
    }
    if (c < 0x800) {
        put(0, 0xC0 | (c >> 6));
        put(1, 0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        put(0, 0xE0 | (c >> 12));
        put(1, 0x80 | ((c >> 6) & 0x3F));
        put(2, 0x80 | (c & 0x3F));
        return 3;
    }
    put(0, 0xF0 | (c >> 18));
    put(1, 0x80 | ((c >> 12) & 0x3F));
    put(2, 0x80 | ((c >> 6) & 0x3F));
    put(3, 0x80 | (c & 0x3F));
    return 4;
}

/// Appends the code point `c` to `out`.
void append(std::string& out, char32_t c);

/// Returns the offset of the first byte outside of any valid sequence, or `text.size()`.
[[nodiscard]] constexpr std::size_t find_invalid(std::string_view text) noexcept {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    for (const char* p = begin; p != end;) {
        const std::size_t length = sequence_length(p, end);
        if (length == 0) return static_cast<std::size_t>(p - begin);
        p += length;
    }
    return text.size();
}

/// Returns whether all of `text` is valid UTF-8, as an empty text is. Linear.
[[nodiscard]] constexpr bool is_valid(std::string_view text) noexcept { return find_invalid(text) == text.size(); }

/// Returns `text` with every byte that belongs to no valid sequence replaced by U+FFFD.
[[nodiscard]] std::string replace_invalid(std::string_view text);

/// Returns the number of code points of valid UTF-8: of bytes that are not continuation bytes. Linear.
[[nodiscard]] constexpr std::size_t count_code_points(std::string_view text) noexcept {
    std::size_t count = 0;
    for (const char c : text) count += is_continuation(c) ? 0U : 1U;
    return count;
}

/// Returns whether a text may be cut before byte `at`: not between the bytes of a valid sequence. Also true at both
/// ends and beyond. Constant time.
[[nodiscard]] constexpr bool is_boundary(std::string_view text, std::size_t at) noexcept {
    if (at == 0 || at >= text.size() || !is_continuation(text[at])) return true;
    std::size_t start = at;
    while (start > 0 && at - start < 3 && is_continuation(text[start])) --start;
    const std::size_t length = sequence_length(text.data() + start, text.data() + text.size());
    return start + length <= at;
}

/// Returns the longest prefix of `text` of at most `max_bytes` bytes that does not cut a sequence in two.
[[nodiscard]] constexpr std::string_view prefix(std::string_view text, std::size_t max_bytes) noexcept {
    if (text.size() <= max_bytes) return text;
    std::size_t cut = max_bytes;
    while (cut > 0 && is_continuation(text[cut])) --cut;
    return text.substr(0, cut);
}

}  // namespace acta::inline ACTA_ABI::utf8

/// Properties of code points. They are the same on every machine: nothing here depends on the locale or the system.
///
/// Two versions of Unicode are used, for two purposes: the classes of characters are those of Unicode 16.0, as
/// tokenizers use them, and functions with `python` in their names behave as in CPython 3.11, which has Unicode 14.0.
/// Both are in one generated table.
namespace acta::inline ACTA_ABI::unicode {

/// General categories, as far as sentences and tokens need them, and the property White_Space.
enum class CharClass : std::uint8_t {
    other,
    upper,   ///< Lu, Lt
    lower,   ///< Ll
    letter,  ///< Lm, Lo
    mark,    ///< M
    number,  ///< N
    space    ///< White_Space
};

}  // namespace acta::inline ACTA_ABI::unicode

namespace acta::inline ACTA_ABI::base_detail {

/// Returns the run of `unicode_runs` that contains `c`. Logarithmic in their number (about 2 500).
[[nodiscard]] constexpr std::uint32_t unicode_run(char32_t c) noexcept {
    const std::uint32_t key = (static_cast<std::uint32_t>(c) << 8) | 0xFFU;
    return *(std::upper_bound(std::begin(unicode_runs), std::end(unicode_runs), key) - 1);
}

[[nodiscard]] constexpr bool has_unicode_fact(char32_t c, std::uint32_t fact) noexcept {
    return c < 0x110000 && (unicode_run(c) & fact) != 0;
}

/// `unicode::is_hidden` of a character from U+A0 on.
[[nodiscard]] bool is_hidden_beyond_ascii(char32_t c, char32_t before, char32_t after) noexcept;

}  // namespace acta::inline ACTA_ABI::base_detail

namespace acta::inline ACTA_ABI::unicode {

/// Returns the class of a code point in Unicode 16.0. O(log n) in the size of the table, constant for ASCII.
[[nodiscard]] constexpr CharClass char_class(char32_t c) noexcept {
    if (c < 0x80) {
        const char byte = static_cast<char>(c);
        if (ascii::is_lower(byte)) return CharClass::lower;
        if (ascii::is_upper(byte)) return CharClass::upper;
        if (ascii::is_digit(byte)) return CharClass::number;
        return ascii::is_space(byte) ? CharClass::space : CharClass::other;
    }
    if (c >= 0x110000) return CharClass::other;
    const std::uint32_t id = base_detail::unicode_run(c) & 0xFU;
    if (id < 7) return static_cast<CharClass>(id);
    return ((c & 1U) == 0) == (id == 7) ? CharClass::upper : CharClass::lower;
}

/// Returns whether a class is one of letters.
[[nodiscard]] constexpr bool is_letter(CharClass c) noexcept {
    return c == CharClass::upper || c == CharClass::lower || c == CharClass::letter;
}

/// One code point of a text. A byte that belongs to no valid UTF-8 sequence is a U+FFFD of length 1.
struct Char {
    char32_t code = 0xFFFD;            ///< the code point
    std::size_t length = 1;            ///< in bytes
    CharClass cls = CharClass::other;  ///< its class
};

/// Returns the code point at byte `at`, which must be before the end of `text`.
[[nodiscard]] constexpr Char char_at(std::string_view text, std::size_t at) noexcept {
    const char* const p = text.data() + at;
    const std::size_t length = utf8::sequence_length(p, text.data() + text.size());
    if (length == 0) return {};
    const char32_t code = utf8::code_point(p, length);
    return {code, length, char_class(code)};
}

using utf8::is_boundary;

/// Returns whether `text` is empty or has only white space (the property White_Space of Unicode 16.0).
/// `ascii::is_blank` covers ASCII only.
[[nodiscard]] constexpr bool is_blank(std::string_view text) noexcept {
    for (std::size_t at = 0; at < text.size();) {
        const Char c = char_at(text, at);
        if (c.cls != CharClass::space) return false;
        at += c.length;
    }
    return true;
}

/// Returns `text` without the white space at both ends. Linear time.
[[nodiscard]] constexpr std::string_view trim(std::string_view text) noexcept {
    std::size_t first = text.size();
    std::size_t last = text.size();
    for (std::size_t at = 0; at < text.size();) {
        const Char c = char_at(text, at);
        at += c.length;
        if (c.cls == CharClass::space) continue;
        first = std::min(first, at - c.length);
        last = at;
    }
    return text.substr(first, last - first);
}

/// Returns whether `c` can begin an emoji, or is one: a symbol after which U+FE0F is a form and U+200D a joint.
[[nodiscard]] bool is_pictograph(char32_t c) noexcept;

/// Returns whether a reader does not see `c`, or sees the text around it in another order: controls (but not line feed
/// and tab), U+2028 and U+2029, what directs bidirectional text, fillers, selectors of variants and tags. Joiners and
/// selectors between `before` and `after` (0 at the ends of a text) are not hidden where emoji or a script need them.
[[nodiscard]] inline bool is_hidden(char32_t c, char32_t before, char32_t after) noexcept {
    if (c < 0x20) return c != U'\n' && c != U'\t';
    if (c < 0xA0) return c >= 0x7F;
    return base_detail::is_hidden_beyond_ascii(c, before, after);
}

/// Divides a text into what a reader sees and the rest: calls `plain(piece)` and, for each character that is hidden
/// (`is_hidden`) or byte that is not UTF-8, `hidden(bytes, code)`, whose code is U+FFFD for such a byte. Linear.
template <class Plain, class Hidden>
void split_hidden(std::string_view text, const Plain& plain, const Hidden& hidden) {
    std::size_t begin = 0;
    char32_t before = 0;
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t valid = utf8::sequence_length(text.data() + at, text.data() + text.size());
        const std::size_t next = at + std::max<std::size_t>(valid, 1);
        const char32_t c = valid == 0 ? 0xFFFD : utf8::code_point(text.data() + at, valid);
        const char32_t after = c >= 0x200C && next < text.size() ? char_at(text, next).code : 0;
        const bool is_seen = valid != 0 && !is_hidden(c, before, after);
        if (!is_seen) {
            plain(text.substr(begin, at - begin));
            hidden(text.substr(at, next - at), c);
            begin = next;
        }
        before = is_seen ? c : 0;
        at = next;
    }
    plain(text.substr(begin));
}

/// Returns the length of the line end at byte `at`, whatever program would take it for one: LF, CR, both, VT, FF, the
/// separators U+001C to U+001E, NEL (U+0085), U+2028 and U+2029. 0 if there is none.
[[nodiscard]] constexpr std::size_t line_end_length(std::string_view text, std::size_t at) noexcept {
    const std::string_view rest = text.substr(at);
    if (rest.empty()) return 0;
    const char c = rest.front();
    if (c == '\r') return rest.starts_with("\r\n") ? 2 : 1;
    if ((c >= '\n' && c <= '\f') || (c >= '\x1C' && c <= '\x1E')) return 1;
    if (rest.starts_with("\xC2\x85")) return 2;
    return rest.starts_with("\xE2\x80\xA8") || rest.starts_with("\xE2\x80\xA9") ? 3 : 0;
}

/// Returns the offset after the first line end at or after `at`; `npos` if none follows. Linear.
[[nodiscard]] constexpr std::size_t next_line(std::string_view text, std::size_t at = 0) noexcept {
    for (; at < text.size(); ++at) {
        const auto byte = static_cast<unsigned char>(text[at]);
        if (byte >= 0x20 && byte < 0xC2) continue;  // no line end begins with it
        if (const std::size_t length = line_end_length(text, at)) return at + length;
    }
    return std::string_view::npos;
}

/// Returns `text` in one line, with a blank for each line end, tab, hidden character (`is_hidden`) and byte that is not
/// UTF-8. Linear.
[[nodiscard]] std::string one_line(std::string_view text);

/// Returns whether CPython 3.11 prints `c` as it is in a `repr` (`str.isprintable`). Surrogates and values beyond the
/// last code point are not printable. O(log n) in the size of the table beyond ASCII.
[[nodiscard]] constexpr bool is_python_printable(char32_t c) noexcept {
    if (c < 0x7F) return c >= 0x20;
    return base_detail::has_unicode_fact(c, base_detail::fact_printable);
}

/// Returns whether `c` may appear in a Python identifier after its first character (`("a" + c).isidentifier()` in
/// CPython 3.11). O(log n) in the size of the table beyond ASCII.
[[nodiscard]] constexpr bool is_python_identifier_part(char32_t c) noexcept {
    if (c < 0x80) return ascii::is_alnum(static_cast<char>(c)) || c == '_';
    return base_detail::has_unicode_fact(c, base_detail::fact_identifier_part);
}

/// Returns `str.title` of CPython 3.11: `größe des weins` becomes `Größe Des Weins`. A byte that belongs to no
/// valid UTF-8 sequence stays as it is. Linear in the size of `text`.
///
/// @code{.cpp}
/// std::string title = acta::unicode::python_title("they're ok");  // "They'Re Ok"
/// @endcode
[[nodiscard]] std::string python_title(std::string_view text);

// Escapes of UTF-16 in JSON, for readers of texts that have halves of surrogate pairs.

/// Returns whether a code unit is the first of a surrogate pair.
[[nodiscard]] constexpr bool is_high_surrogate(unsigned unit) noexcept { return unit >= 0xD800 && unit <= 0xDBFF; }
/// Returns whether a code unit is the second of a surrogate pair.
[[nodiscard]] constexpr bool is_low_surrogate(unsigned unit) noexcept { return unit >= 0xDC00 && unit <= 0xDFFF; }
/// Returns the code unit of the escape at the beginning of a text: `slash`, the letter `u` and four hexadecimal digits.
/// 0 if there is none.
[[nodiscard]] unsigned escaped_unit(std::string_view text, std::string_view slash = "\\") noexcept;

}  // namespace acta::inline ACTA_ABI::unicode

namespace acta::inline ACTA_ABI::ascii {

/// Returns whether one word becomes the other by at most two insertions, removals or replacements of a letter. Words of
/// less than 4 or more than 64 bytes never do.
[[nodiscard]] bool is_misspelling(std::string_view a, std::string_view b);

}  // namespace acta::inline ACTA_ABI::ascii

#ifndef ACTA_COMPILED
#include "acta/base/detail/unicode.inl.hpp"
#endif
