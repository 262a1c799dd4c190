// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>

#include "acta/base/ascii.hpp"
#include "acta/base/concat.hpp"
#include "acta/base/unicode.hpp"
#include "acta/json/detail/read/decoder.hpp"
#include "acta/json/detail/read/text_number.hpp"
#include "acta/pysyntax/repr.hpp"

// Scalars by pydantic 2's rules for JSON input, lax and strict (pydantic's conversion table).
namespace acta::inline ACTA_ABI::json_detail {

/// Removes single underscores between digits; returns false if there is any other underscore.
[[gnu::cold]] inline bool remove_underscores(std::string_view text, std::string& out) {
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            out += text[i];
        } else if (i == 0 || i + 1 == text.size() || !ascii::is_digit(text[i - 1]) || !ascii::is_digit(text[i + 1])) {
            return false;
        }
    }
    return true;
}

/// An integer of either sign, covering both 64-bit ranges.
struct WideInteger {
    bool negative = false;
    std::uint64_t magnitude = 0;
};

enum class IntegerText { good, bad, too_large };

/// Reads a text that pydantic's lax mode takes for an int: white space around it, a sign, underscores, `.0`.
[[gnu::cold]] inline IntegerText text_to_integer(std::string_view text, WideInteger& out) {
    text = unicode::trim(text);
    if (!text.empty() && (text.front() == '+' || text.front() == '-')) {
        out.negative = text.front() == '-';
        text.remove_prefix(1);
    }
    if (const std::size_t point = text.find('.'); point != std::string_view::npos) {
        if (point + 1 == text.size() || text.find_first_not_of('0', point + 1) != std::string_view::npos)
            return IntegerText::bad;
        text = text.substr(0, point);
    }
    std::string digits;
    if (!remove_underscores(text, digits) || digits.empty() ||
        digits.find_first_not_of("0123456789") != std::string::npos)
        return IntegerText::bad;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), out.magnitude);
    return result.ec == std::errc{} ? IntegerText::good : IntegerText::too_large;
}

[[gnu::cold]] inline void refuse_size(Decoder& d, const void* where) {
    d.issue("int_parsing_size", "Unable to parse input string as an integer, exceeded maximum size", where);
}

/// Reads the next value as an integer; returns false (and adds an issue) if it is not one.
inline bool decode_wide_integer(Decoder& d, WideInteger& out) {
    constexpr double exact = 9007199254740992.0;  // 2^53: beyond, neighbouring integers are one double
    const Token token = d.in.peek();
    const void* const at = d.in.where();
    if (token == Token::number) {
        const Number n = d.in.read_number();
        switch (n.kind) {
            case Number::Kind::integer:
                out.negative = n.integer < 0;
                out.magnitude = static_cast<std::uint64_t>(n.integer);
                if (out.negative) out.magnitude = ~out.magnitude + 1;
                return true;
            case Number::Kind::unsigned_integer: out.magnitude = n.unsigned_integer; return true;
            case Number::Kind::integer_too_large: refuse_size(d, at); return false;
            case Number::Kind::real_too_large:
                d.issue("finite_number", "Input should be a finite number", at);
                return false;
            case Number::Kind::real: break;
        }
        if (d.strict()) {
            d.issue("int_type", "Input should be a valid integer", at);
        } else if (!std::isfinite(n.real)) {
            d.issue("finite_number", "Input should be a finite number", at);
        } else if (n.real != std::trunc(n.real)) {
            d.issue("int_from_float", "Input should be a valid integer, got a number with a fractional part", at);
        } else if (std::fabs(n.real) > exact) {
            refuse_size(d, at);
        } else {
            out = {n.real < 0, static_cast<std::uint64_t>(std::fabs(n.real))};
            return true;
        }
        return false;
    }
    if (!d.strict() && token == Token::boolean) {
        out.magnitude = d.in.read_boolean() ? 1U : 0U;
        return true;
    }
    if (!d.strict() && token == Token::string) {
        switch (text_to_integer(d.in.read_text(), out)) {
            case IntegerText::good: return true;
            case IntegerText::too_large: refuse_size(d, at); break;
            case IntegerText::bad:
                d.issue("int_parsing", "Input should be a valid integer, unable to parse string as an integer", at);
                break;
        }
        return false;
    }
    d.refuse("int_type", "Input should be a valid integer");
    return false;
}

/// Reads an integer between `min` and `max` as its 64 bits; returns false (and adds an issue) otherwise.
inline bool decode_integer(Decoder& d, std::int64_t min, std::uint64_t max, std::uint64_t& bits) {
    d.in.peek();
    const void* const at = d.in.where();
    WideInteger wide;
    if (!decode_wide_integer(d, wide)) return false;
    const std::uint64_t lowest = ~static_cast<std::uint64_t>(min) + 1;  // the magnitude of min
    const bool fits =
        wide.negative ? wide.magnitude == 0 || (min < 0 && wide.magnitude <= lowest) : wide.magnitude <= max;
    if (!fits) {
        refuse_size(d, at);
        return false;
    }
    bits = wide.negative ? ~wide.magnitude + 1 : wide.magnitude;
    return true;
}

/// Reads a text that pydantic's lax mode takes for a float: white space around it, a sign, single underscores inside
/// (but not both white space and underscores), inf and nan.
[[gnu::cold]] inline bool text_to_float(std::string_view text, double& out) {
    const bool underscores = text.find('_') != std::string_view::npos;
    if (underscores && (text.front() == '_' || text.back() == '_' || text.find("__") != std::string_view::npos))
        return false;
    std::string clean;
    for (const char c : underscores ? text : unicode::trim(text)) {
        if (c != '_') clean += c;
    }
    if (clean.empty()) return false;
    std::string_view rest = clean;
    const bool negative = rest.front() == '-';
    if (negative || rest.front() == '+') rest.remove_prefix(1);
    std::string lower;
    for (const char c : rest) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    if (lower == "inf" || lower == "infinity") {
        out = std::numeric_limits<double>::infinity();
    } else if (lower == "nan") {
        out = std::numeric_limits<double>::quiet_NaN();
    } else {
        const std::size_t e = lower.find('e');
        const std::string_view mantissa = std::string_view(lower).substr(0, e);
        std::string_view exponent = e == std::string::npos ? "0" : std::string_view(lower).substr(e + 1);
        if (!exponent.empty() && (exponent.front() == '+' || exponent.front() == '-')) exponent.remove_prefix(1);
        const auto only = [](std::string_view s, std::string_view set) {
            return !s.empty() && s.find_first_not_of(set) == std::string_view::npos;
        };
        const bool number = only(mantissa, "0123456789.") && mantissa != "." && only(exponent, "0123456789") &&
                            mantissa.find('.') == mantissa.rfind('.');
        if (!number) return false;
        // Converts to JSON's grammar, the only one that `text_to_double` guarantees to read.
        lower.erase(0, std::min(lower.find_first_not_of('0'), lower.size() - 1));
        if (lower.front() < '0' || lower.front() > '9') lower.insert(0, "0");
        if (const std::size_t point = lower.find('.');
            point != std::string::npos && (point + 1 == lower.size() || lower[point + 1] == 'e'))
            lower.insert(point + 1, "0");
        if (!base::text_to_double(lower, out)) out = std::numeric_limits<double>::infinity();
    }
    if (negative) out = -out;
    return true;
}

/// Reads the next value as a float; returns false (and adds an issue) if it is not one.
inline bool decode_float(Decoder& d, double& out) {
    const Token token = d.in.peek();
    const void* const at = d.in.where();
    if (token == Token::number) {
        const Number n = d.in.read_number();
        switch (n.kind) {
            case Number::Kind::integer: out = static_cast<double>(n.integer); return true;
            case Number::Kind::unsigned_integer: out = static_cast<double>(n.unsigned_integer); return true;
            case Number::Kind::real: out = n.real; return true;
            case Number::Kind::integer_too_large:  // too large for 64 bits, which a double may hold
                out = n.real;
                if (std::isfinite(out)) return true;
                [[fallthrough]];
            case Number::Kind::real_too_large:
                d.issue("finite_number", "Input should be a finite number", at);
                return false;
        }
    }
    if (!d.strict() && token == Token::boolean) {
        out = d.in.read_boolean() ? 1.0 : 0.0;
        return true;
    }
    if (!d.strict() && token == Token::string) {
        if (text_to_float(d.in.read_text(), out)) return true;
        d.issue("float_parsing", "Input should be a valid number, unable to parse string as a number", at);
        return false;
    }
    d.refuse("float_type", "Input should be a valid number");
    return false;
}

/// Reads a word that pydantic takes for a bool, in any case.
[[gnu::cold]] inline std::optional<bool> text_to_bool(std::string_view text) {
    constexpr std::size_t longest = 5;
    if (text.size() > longest) return std::nullopt;
    std::string lower;
    for (const char c : text) lower += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    for (const char* word : {"1", "t", "y", "on", "yes", "true"}) {
        if (lower == word) return true;
    }
    for (const char* word : {"0", "f", "n", "no", "off", "false"}) {
        if (lower == word) return false;
    }
    return std::nullopt;
}

/// Returns whether pydantic treats a number as an integer when it expects a bool: up to 18 digits, or whole and of 64
/// bits.
inline bool is_small(std::int64_t value) noexcept {
    constexpr std::int64_t limit = 1'000'000'000'000'000'000;
    return -limit < value && value < limit;
}
inline bool is_small_whole(double value) noexcept {
    constexpr double limit = 9223372036854775808.0;  // 2^63
    return -limit < value && value < limit && value == std::trunc(value);
}

inline void decode_bool(Decoder& d, bool& out) {
    const Token token = d.in.peek();
    const void* const at = d.in.where();
    std::optional<bool> value;
    if (token == Token::boolean) {
        out = d.in.read_boolean();
        return;
    }
    if (d.strict() || (token != Token::string && token != Token::number)) {
        d.refuse("bool_type", "Input should be a valid boolean");
        return;
    }
    if (token == Token::string) {
        value = text_to_bool(d.in.read_text());
    } else {
        const Number n = d.in.read_number();
        const bool real = n.kind == Number::Kind::real;
        if (real ? !is_small_whole(n.real) : n.kind != Number::Kind::integer || !is_small(n.integer)) {
            d.issue("bool_type", "Input should be a valid boolean", at);
            return;
        }
        if (real ? n.real == 0 || n.real == 1 : n.integer == 0 || n.integer == 1)
            value = real ? n.real == 1 : n.integer == 1;
    }
    if (value)
        out = *value;
    else
        d.issue("bool_parsing", "Input should be a valid boolean, unable to interpret input", at);
}

inline void decode_string(Decoder& d, std::string& out) {
    if (d.in.peek() == Token::string)
        d.in.read_text_into(out);
    else
        d.refuse("string_type", "Input should be a valid string");
}

inline void decode_object(Decoder& d, JsonObject& out) {
    if (d.in.peek() != Token::object) {
        d.refuse("dict_type", "Input should be an object");
        return;
    }
    Json value;
    d.read_json(value);
    out = std::move(*value.get_ptr<Json::object_t*>());
}

/// `'a', 'b' or "it's"`, as pydantic lists what it expected: in Python's quotes.
template <class Names>
[[gnu::cold]] std::string expected_text(const Names& names) {
    std::string out;
    std::size_t left = std::size(names);
    for (const std::string_view name : names) {
        --left;
        base::append(out, {python_repr(name), left == 0 ? "" : left == 1 ? " or " : ", "});
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::json_detail
