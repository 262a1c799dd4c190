// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>

#include "acta/base/ascii.hpp"
#include "acta/base/detail/unicode_table.hpp"
#include "acta/base/utf8.hpp"

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

}  // namespace acta::inline ACTA_ABI::unicode

#ifndef ACTA_COMPILED
#include "acta/base/detail/unicode.inl.hpp"
#endif
