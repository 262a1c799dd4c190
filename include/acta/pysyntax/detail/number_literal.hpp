// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <limits>
#include <string>

#include "acta/base/ascii.hpp"
#include "acta/pysyntax/detail/float_text.hpp"
#include "acta/pysyntax/detail/scanner.hpp"

// Number literals as CPython 3.11 reads them (The Python Language Reference, 2.4.4 to 2.4.7).
namespace acta::inline ACTA_ABI::pysyntax_detail {

struct Number {
    bool is_float = false;
    double real = 0;
    std::uint64_t magnitude = 0;
};

/// Returns the value of a digit in any base up to 16; 16 for anything else.
[[nodiscard]] inline unsigned digit_value(char c) noexcept {
    const int value = ascii::hex_value(c);
    return value < 0 ? 16U : static_cast<unsigned>(value);
}

inline constexpr const char* integer_range = "the integer is outside the range -2^63 to 2^64-1";

/// Adds a digit. Returns false if the value no longer fits.
[[nodiscard]] inline bool append_digit(std::uint64_t& value, unsigned base, unsigned digit) noexcept {
    if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) return false;
    value = value * base + digit;
    return true;
}

/// Reads `0x1F`, `0o17` or `0b101`, of which the `0` was read already.
inline bool read_radix_integer(Scanner& in, Number& out) {
    const std::size_t begin = in.position() - 1;
    const char letter = ascii::to_lower(in.peek());
    const unsigned base = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
    in.advance(1);
    bool any = false;
    bool fits = true;
    while (true) {
        const std::size_t underscore = in.peek() == '_' ? 1 : 0;
        const unsigned digit = digit_value(in.peek(underscore));
        if (digit >= base) break;
        fits = fits && append_digit(out.magnitude, base, digit);
        any = true;
        in.advance(underscore + 1);
    }
    if (!any) return in.fail("the number has no digits", begin);
    if (in.identifier_part_length() != 0) return in.fail("this does not belong in a number", in.position());
    return fits || in.fail(integer_range, begin);
}

/// Appends `digit (["_"] digit)*` without the underscores, if it is there.
inline void read_digits(Scanner& in, std::string& out) {
    if (!ascii::is_digit(in.peek())) return;
    while (true) {
        out += in.peek();
        const bool underscore = in.peek(1) == '_' && ascii::is_digit(in.peek(2));
        if (!underscore && !ascii::is_digit(in.peek(1))) break;
        in.advance(underscore ? 2 : 1);
    }
    in.advance(1);
}

inline bool finish_decimal_integer(Scanner& in, const std::string& digits, std::size_t begin, Number& out) {
    const std::size_t first = digits.find_first_not_of('0');
    if (first == std::string::npos) return true;
    if (first != 0) return in.fail("an integer cannot begin with 0 (an octal one begins with 0o)", begin);
    for (const char c : digits) {
        if (!append_digit(out.magnitude, 10, digit_value(c))) return in.fail(integer_range, begin);
    }
    return true;
}

/// Reads the number, which has no sign, at the position. Integers are checked against 2^64-1 only.
inline bool read_number(Scanner& in, Number& out) {
    const std::size_t begin = in.position();
    const char letter = ascii::to_lower(in.peek(1));
    if (in.peek() == '0' && (letter == 'x' || letter == 'o' || letter == 'b')) {
        in.advance(1);
        return read_radix_integer(in, out);
    }
    FloatText text;
    read_digits(in, text.whole);
    if (in.peek() == '.') {
        out.is_float = true;
        in.advance(1);
        read_digits(in, text.fraction);
    }
    const bool sign = in.peek(1) == '+' || in.peek(1) == '-';
    if ((in.peek() == 'e' || in.peek() == 'E') && ascii::is_digit(in.peek(sign ? 2 : 1))) {
        out.is_float = true;
        text.negative_exponent = in.peek(1) == '-';
        in.advance(sign ? 2 : 1);
        read_digits(in, text.exponent);
    }
    if (in.peek() == 'j' || in.peek() == 'J') return in.fail("complex numbers have no counterpart in JSON", begin);
    if (in.identifier_part_length() != 0) return in.fail("this does not belong in a number", in.position());
    if (!out.is_float) return finish_decimal_integer(in, text.whole, begin, out);
    out.real = read_float(text);
    return true;
}

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
