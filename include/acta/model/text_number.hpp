// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>
#include <string_view>

#include "acta/model/text_reader.hpp"

namespace acta::inline v0::detail {

/// Whether a decimal number of the JSON grammar that fits no double is too large, rather than too
/// near to zero: its first digit that counts stands before the point or after it.
inline bool is_huge(std::string_view number) noexcept {
    long long exponent = 0;
    const std::size_t e = number.find_first_of("eE");
    if (e != std::string_view::npos) {
        std::size_t i = e + 1;
        const bool negative = number[i] == '-';
        if (number[i] == '-' || number[i] == '+') ++i;
        for (; i < number.size() && exponent < 1'000'000'000; ++i) exponent = exponent * 10 + (number[i] - '0');
        if (negative) exponent = -exponent;
    }
    const std::string_view digits = number.substr(0, e);
    const std::size_t point = std::min(digits.find('.'), digits.size());
    const std::size_t lead = digits.find_first_of("123456789");
    if (lead == std::string_view::npos) return false;
    return static_cast<long long>(point) - static_cast<long long>(lead) + exponent > 0;
}

/// The double nearest to a decimal number; false where it is too large. What is too near to zero
/// is a zero of its sign (SPEC section 1).
inline bool text_to_double(std::string_view number, double& out) {
#if defined(__cpp_lib_to_chars)
    const auto result = std::from_chars(number.data(), number.data() + number.size(), out);
    if (result.ec != std::errc::result_out_of_range) return true;
    if (is_huge(number)) return false;
    out = number.front() == '-' ? -0.0 : 0.0;
    return true;
#else
    // Standard libraries without floating-point from_chars: nlohmann's reader, which knows no locale.
    const Json value = Json::parse(number, nullptr, false);
    if (value.is_discarded()) return !is_huge(number) && ((out = number.front() == '-' ? -0.0 : 0.0), true);
    out = value.get<double>();
    return true;
#endif
}

/// The end of the number at `p`, by the grammar of RFC 8259.
inline const char* TextReader::scan_number(const char* p, bool& real) const {
    const auto digit = [this](const char* q) { return q != end_ && *q >= '0' && *q <= '9'; };
    const auto digits = [&digit, this](const char* q) {
        if (!digit(q)) fail(q == end_ ? "EOF while parsing a value" : "invalid number", q);
        while (digit(q)) ++q;
        return q;
    };
    if (*p == '-') ++p;
    if (p != end_ && *p == '0') {
        ++p;
        if (digit(p)) fail("invalid number", p);
    } else {
        p = digits(p);
    }
    if (p != end_ && *p == '.') {
        real = true;
        p = digits(p + 1);
    }
    if (p != end_ && (*p == 'e' || *p == 'E')) {
        real = true;
        ++p;
        if (p != end_ && (*p == '+' || *p == '-')) ++p;
        p = digits(p);
    }
    return p;
}

inline Number TextReader::read_number() {
    bool real = false;
    const char* const start = p_;
    p_ = scan_number(start, real);
    if (real) {
        double value = 0;
        if (!text_to_double({start, static_cast<std::size_t>(p_ - start)}, value))
            return Number::fault(Number::Kind::real_too_large);
        return Number::of(value);
    }
    if (*start == '-') {
        std::int64_t value = 0;
        if (std::from_chars(start, p_, value).ec == std::errc{}) return Number::of(value);
    } else {
        std::uint64_t value = 0;
        if (std::from_chars(start, p_, value).ec == std::errc{}) return Number::of(value);
    }
    Number large = Number::fault(Number::Kind::integer_too_large);
    if (!text_to_double({start, static_cast<std::size_t>(p_ - start)}, large.real))
        large.real = std::numeric_limits<double>::infinity();
    return large;
}

}  // namespace acta::inline v0::detail
