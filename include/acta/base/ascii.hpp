// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

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
