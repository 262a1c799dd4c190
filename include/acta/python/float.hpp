// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>
#include <system_error>

#include "acta/model/json.hpp"

// Floating-point numbers to and from text, as CPython spells them and whatever the locale.
//
// Standard libraries without the floating-point <charconv> (libc++) take a slower way; define
// ACTA_NO_FLOAT_CHARCONV to take it everywhere.
#if !defined(__cpp_lib_to_chars) || defined(ACTA_NO_FLOAT_CHARCONV)
#define ACTA_PYTHON_SLOW_FLOATS
#include <cstdio>
#endif

namespace acta::inline v0::python_detail {

/// The digits of a positive finite number and the decimal exponent of the first one: 0.0125 is {"125", -2}.
struct ShortestDigits {
    std::string digits{};
    int exponent = 0;
};

/// Takes `d.ddde±xx` apart. Whatever is no digit before the `e` is the locale's decimal point.
[[nodiscard]] inline ShortestDigits split_scientific(std::string_view text) {
    ShortestDigits out;
    const std::size_t e = text.find('e');
    for (const char c : text.substr(0, e)) {
        if (c >= '0' && c <= '9') out.digits += c;
    }
    std::string_view exponent = text.substr(e + 1);
    if (exponent.front() == '+') exponent.remove_prefix(1);
    std::from_chars(exponent.data(), exponent.data() + exponent.size(), out.exponent);
    while (out.digits.size() > 1 && out.digits.back() == '0') out.digits.pop_back();
    return out;
}

#if defined(ACTA_PYTHON_SLOW_FLOATS)
/// Adds one to the last digit of `d.ddde±xx`; false where there is a carry out of the first one.
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
#endif

/// The shortest digits that read back as `value`, which is positive and finite.
[[nodiscard]] inline ShortestDigits shortest_digits(double value) {
    char buffer[64];
#if defined(ACTA_PYTHON_SLOW_FLOATS)
    std::string text;
    for (int precision = 0; precision < std::numeric_limits<double>::max_digits10; ++precision) {
        text.assign(buffer, static_cast<std::size_t>(std::snprintf(buffer, sizeof buffer, "%.*e", precision, value)));
        if (std::strtod(buffer, nullptr) == value) break;
        // Above a power of two doubles lie further apart than below it, so that rounding up may do what rounding
        // to the nearest does not.
        std::string above = text;
        if (increment_digits(above) && std::strtod(above.c_str(), nullptr) == value) return split_scientific(above);
    }
    return split_scientific(text);
#else
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, value, std::chars_format::scientific).ptr;
    return split_scientific({buffer, static_cast<std::size_t>(end - buffer)});
#endif
}

/// Appends `repr(value)`. The source of the rule is CPython's `float_repr_style`: the shortest digits that read
/// back, with an exponent where it is below -4 or at least 16, and `.0` where nothing else shows a float.
inline void append_float(std::string& out, double value) {
    if (std::isnan(value)) {
        out += "nan";
        return;
    }
    if (std::signbit(value)) out += '-';
    if (std::isinf(value)) {
        out += "inf";
        return;
    }
    if (value == 0) {
        out += "0.0";
        return;
    }
    const auto [digits, exponent] = shortest_digits(std::fabs(value));
    if (exponent < -4 || exponent >= 16) {
        out += digits[0];
        if (digits.size() > 1) out.append(".").append(digits, 1);
        const std::string power = std::to_string(std::abs(exponent));
        out.append(exponent < 0 ? "e-" : "e+").append(power.size() < 2 ? "0" : "").append(power);
    } else if (exponent < 0) {
        out.append("0.").append(static_cast<std::size_t>(-exponent - 1), '0').append(digits);
    } else {
        const auto whole = static_cast<std::size_t>(exponent) + 1;
        out.append(digits, 0, whole);
        if (digits.size() > whole) {
            out.append(".").append(digits, whole);
        } else {
            out.append(whole - digits.size(), '0').append(".0");
        }
    }
}

/// A decimal float as it is written, in its parts; underscores are already taken out.
struct FloatText {
    std::string whole{};     ///< digits before the point, may be empty
    std::string fraction{};  ///< digits behind it, may be empty
    std::string exponent{};  ///< digits of the exponent, may be empty
    bool negative_exponent = false;
};

/// Whether the number is too large rather than too small for a double, once it is known to be one of the two.
[[nodiscard]] inline bool is_huge(const FloatText& text) {
    // No text that fits into memory has more than 2^62 digits, so a saturated exponent decides alone.
    std::int64_t exponent = 0;
    for (const char c : text.exponent) {
        if (exponent > std::numeric_limits<std::int64_t>::max() / 32) break;
        exponent = exponent * 10 + (c - '0');
    }
    if (text.negative_exponent) exponent = -exponent;
    const std::size_t first = text.whole.find_first_not_of('0');
    if (first != std::string::npos) return exponent + static_cast<std::int64_t>(text.whole.size() - first) > 0;
    return exponent - static_cast<std::int64_t>(text.fraction.find_first_not_of('0')) > 0;
}

/// The double nearest to the text; an infinity or zero beyond its range, as in Python.
[[nodiscard]] inline double read_float(const FloatText& text) {
    if (text.whole.find_first_not_of('0') == std::string::npos &&
        text.fraction.find_first_not_of('0') == std::string::npos) {
        return 0.0;
    }
    std::string number = text.whole.empty() ? "0" : text.whole;
    number.erase(0, std::min(number.find_first_not_of('0'), number.size() - 1));
    number.append(".").append(text.fraction.empty() ? "0" : text.fraction);
    if (!text.exponent.empty()) number.append(text.negative_exponent ? "e-" : "e+").append(text.exponent);
    double value = 0;
#if defined(ACTA_PYTHON_SLOW_FLOATS)
    const Json json = Json::parse(number, nullptr, false);  // discarded where it overflows
    const bool in_range = json.is_number();
    if (in_range) value = json.get<double>();
#else
    const bool in_range = std::from_chars(number.data(), number.data() + number.size(), value).ec == std::errc{};
#endif
    if (in_range) return value;
    return is_huge(text) ? std::numeric_limits<double>::infinity() : 0.0;
}

}  // namespace acta::inline v0::python_detail

#undef ACTA_PYTHON_SLOW_FLOATS
