// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <system_error>

#include "acta/base/real.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"

// Texts that pydantic's lax mode takes for a number or a bool.
namespace acta::inline ACTA_ABI::json_detail {

/// Removes underscores with something before and a digit behind; returns false if there is any other underscore.
[[gnu::cold]] inline bool remove_underscores(std::string_view text, std::string& out) {
    out.reserve(text.size());
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != '_') {
            out += text[i];
        } else if (i == 0 || i + 1 == text.size() || !ascii::is_digit(text[i + 1])) {
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

}  // namespace acta::inline ACTA_ABI::json_detail
