// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdlib>
#include <limits>
#include <string_view>
#include <system_error>

#include "acta/base/json_value.hpp"

// Floating-point numbers as text, whatever the locale.
//
// Standard libraries without the floating-point <charconv> (libc++) take a slower way; define
// ACTA_NO_FLOAT_CHARCONV to take it everywhere.
#if !defined(__cpp_lib_to_chars) || defined(ACTA_NO_FLOAT_CHARCONV)
#define ACTA_SLOW_FLOATS
#include <cstdio>
#include <string>
#endif

namespace acta::inline ACTA_ABI::base {

#if defined(ACTA_SLOW_FLOATS)
/// Adds one to the last digit of `d.ddde±xx`; returns false if there is a carry out of the first one.
inline bool increment_digits(std::string& text) {
    for (std::size_t i = text.find('e'); i-- != 0;) {
        if (text[i] < '0' || text[i] > '9') continue;
        if (text[i] != '9') {
            ++text[i];
            return true;
        }
        text[i] = '0';
    }
    return false;
}

/// Returns the shortest `d.ddde±xx` that reads back as `value`, which is finite. The decimal point is the locale's.
inline std::string shortest_printed(double value) {
    char buffer[64];
    std::string text;
    for (int precision = 0; precision < std::numeric_limits<double>::max_digits10; ++precision) {
        text.assign(buffer, static_cast<std::size_t>(std::snprintf(buffer, sizeof buffer, "%.*e", precision, value)));
        if (std::strtod(buffer, nullptr) == value) break;
        // Above a power of two doubles lie further apart than below it, so rounding up may read back as `value` when
        // rounding to nearest does not.
        std::string above = text;
        if (increment_digits(above) && std::strtod(above.c_str(), nullptr) == value) return above;
    }
    return text;
}
#endif

/// The sign, digits and exponent of a finite number: -0.0125 is {true, "125", -2}.
struct ShortestDigits {
    /// Enough bytes for the digits, and for anything that `write_real` writes.
    static constexpr std::size_t longest = 32;
    bool negative = false;      ///< Also for -0.0.
    char digits[longest] = {};  ///< `0` to `9`, the most significant first, without zeros at either end; `0` for zero.
    std::size_t count = 0;      ///< Of the digits: 1 to 17.
    int exponent = 0;           ///< Of ten, for the first digit; 0 for zero.
};

/// Returns the fewest digits that read back as `value`, which is finite.
[[nodiscard]] inline ShortestDigits shortest_digits(double value) {
#if defined(ACTA_SLOW_FLOATS)
    const std::string text = shortest_printed(value);
#else
    char buffer[ShortestDigits::longest];
    const char* const end =
        std::to_chars(buffer, buffer + ShortestDigits::longest, value, std::chars_format::scientific).ptr;
    const std::string_view text(buffer, static_cast<std::size_t>(end - buffer));
#endif
    ShortestDigits out;
    out.negative = text.front() == '-';
    const char* p = text.data();
    // A character before the `e` that is not a digit is the decimal point, which the slower way takes from the locale.
    for (; *p != 'e'; ++p) {
        if (*p >= '0' && *p <= '9') out.digits[out.count++] = *p;
    }
    ++p;
    std::from_chars(p + (*p == '+' ? 1 : 0), text.data() + text.size(), out.exponent);
    while (out.count > 1 && out.digits[out.count - 1] == '0') --out.count;
    return out;
}

/// When a style of writing numbers switches to an exponent, and how that looks.
struct RealStyle {
    int least_exponent;  ///< the least that is written without `e`
    bool padded;         ///< `e-07` instead of `e-7`
};

/// As pydantic writes numbers to JSON: 0.00001, but 1e-6 and 1e+16.
inline constexpr RealStyle json_reals{-5, false};

/// Writes a finite number: its shortest digits, `.0` if nothing else shows that it is not an integer, an exponent from
/// 1e16 on and below the style's least. Returns the size, at most 32.
inline std::size_t write_real(double value, char* out, const RealStyle& style) {
    const ShortestDigits number = shortest_digits(value);
    const char* const digits = number.digits;
    const char* const end = digits + number.count;
    const int exponent = number.exponent;
    char* p = out;
    const auto put = [&p](const char* from, const char* to) { p = std::copy(from, to, p); };
    const auto zeros = [&p](std::size_t count) { p = std::fill_n(p, count, '0'); };
    if (number.negative) *p++ = '-';
    if (exponent >= 16 || exponent < style.least_exponent) {
        *p++ = *digits;
        if (number.count > 1) *p++ = '.';
        put(digits + 1, end);
        *p++ = 'e';
        *p++ = exponent < 0 ? '-' : '+';
        if (style.padded && exponent > -10 && exponent < 10) *p++ = '0';
        p = std::to_chars(p, p + 8, std::abs(exponent)).ptr;
    } else if (exponent < 0) {
        *p++ = '0';
        *p++ = '.';
        zeros(static_cast<std::size_t>(-exponent - 1));
        put(digits, end);
    } else {
        const auto before_point = static_cast<std::size_t>(exponent) + 1;
        const std::size_t whole = std::min(before_point, number.count);
        put(digits, digits + whole);
        zeros(before_point - whole);
        *p++ = '.';
        if (whole == number.count)
            *p++ = '0';
        else
            put(digits + whole, end);
    }
    return static_cast<std::size_t>(p - out);
}

/// Returns whether a decimal number of the JSON grammar that fits no double is too large rather than too near to zero:
/// its first significant digit is before the decimal point.
inline bool is_huge(std::string_view number) noexcept {
    // No text that fits into memory has that many digits, so an exponent this large alone decides.
    constexpr long long saturated = std::numeric_limits<long long>::max() / 32;
    long long exponent = 0;
    const std::size_t e = number.find_first_of("eE");
    if (e != std::string_view::npos) {
        std::size_t i = e + 1;
        const bool negative = number[i] == '-';
        if (number[i] == '-' || number[i] == '+') ++i;
        for (; i < number.size() && exponent < saturated; ++i) exponent = exponent * 10 + (number[i] - '0');
        if (negative) exponent = -exponent;
    }
    const std::string_view digits = number.substr(0, e);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t lead = digits.find_first_of("123456789");
    if (lead == std::string_view::npos) return false;
    return static_cast<long long>(point) - static_cast<long long>(lead) + exponent > 0;
}

/// Reads the double nearest to a decimal number of the JSON grammar; returns false if it is too large. A number too
/// near to zero becomes a zero of its sign (docs/reference/base.md, "Numbers").
inline bool text_to_double(std::string_view number, double& out) {
#if defined(ACTA_SLOW_FLOATS)
    const Json value = Json::parse(number, nullptr, false);  // nlohmann's reader, which ignores the locale
    if (!value.is_discarded()) {
        out = value.get<double>();
        return true;
    }
#else
    const auto result = std::from_chars(number.data(), number.data() + number.size(), out);
    if (result.ec != std::errc::result_out_of_range) return true;
#endif
    if (is_huge(number)) return false;
    out = number.front() == '-' ? -0.0 : 0.0;
    return true;
}

}  // namespace acta::inline ACTA_ABI::base

#undef ACTA_SLOW_FLOATS
