// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cstdint>
#include <limits>

#include "acta/base/real.hpp"
#include "acta/json/detail/read/json_text_reader.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// Returns the end of the number at `p`, by the grammar of RFC 8259.
inline const char* JsonTextReader::scan_number(const char* p, bool& real) const {
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

inline Number JsonTextReader::read_number() {
    bool real = false;
    const char* const start = p_;
    p_ = scan_number(start, real);
    if (real) {
        double value = 0;
        if (!base::text_to_double({start, static_cast<std::size_t>(p_ - start)}, value))
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
    if (!base::text_to_double({start, static_cast<std::size_t>(p_ - start)}, large.real))
        large.real = std::numeric_limits<double>::infinity();
    return large;
}

}  // namespace acta::inline ACTA_ABI::json_detail
