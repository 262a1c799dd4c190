// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <limits>
#include <string>
#include <string_view>

#include "acta/base/real.hpp"
#include "acta/base/utility.hpp"
#include "acta/describe/constraints.hpp"

namespace acta::inline ACTA_ABI {
namespace describe_detail {

ACTA_INLINE Json unsigned_json(std::uint64_t value) {
    Json number;
    base::set(number, value);
    return number;
}

/// Writes a finite number without an exponent.
[[gnu::cold]] ACTA_INLINE std::string plain_number(double value) {
    const base::ShortestDigits number = base::shortest_digits(value);
    std::string text(number.digits, number.count);
    const auto places = static_cast<std::size_t>(std::abs(number.exponent));
    if (number.exponent < 0)
        text.insert(0, "0." + std::string(places - 1, '0'));
    else if (places + 1 < text.size())
        text.insert(places + 1, ".");
    else
        text.append(places + 1 - text.size(), '0');
    return value < 0 ? "-" + text : text;
}

ACTA_INLINE std::string counted(std::size_t count, const char* one, const char* many) {
    return base::concat({std::to_string(count), " ", count == 1 ? one : many});
}

}  // namespace describe_detail

namespace describe_extension {

[[gnu::cold]] ACTA_INLINE std::string bound_message(std::string_view relation, const NumberBound& bound,
                                                    bool as_double) {
    return base::concat({"Input should be ", relation, " ", bound.text(as_double)});
}

[[gnu::cold]] ACTA_INLINE std::string size_message(std::string_view what, std::string_view relation, std::size_t bound,
                                                   std::optional<std::size_t> size) {
    return base::concat({what, " should have at ", relation, " ", describe_detail::counted(bound, "item", "items"),
                         " after validation, not ", size ? std::to_string(*size) : "more"});
}

[[gnu::cold]] ACTA_INLINE std::string text_size_message(std::string_view relation, std::size_t bound) {
    return base::concat(
        {"String should have at ", relation, " ", describe_detail::counted(bound, "character", "characters")});
}

}  // namespace describe_extension

ACTA_INLINE void Range::annotate(Json& schema) const {
    if (max) base::assign(schema, "maximum", max->json());
    if (min) base::assign(schema, "minimum", min->json());
}

ACTA_INLINE void Length::annotate(Json& schema) const {
    const Json* const type = base::find_key(schema.get_ref<const Json::object_t&>(), "type");
    const bool is_text = type != nullptr && base::is_text(*type, "string");
    const bool is_map = type != nullptr && base::is_text(*type, "object");
    const auto set = [&schema](const char* key, std::size_t bound) {
        base::assign(schema, key, describe_detail::unsigned_json(bound));
    };
    if (max) set(is_text ? "maxLength" : is_map ? "maxProperties" : "maxItems", *max);
    if (min > 0) set(is_text ? "minLength" : is_map ? "minProperties" : "minItems", min);
}

ACTA_INLINE Json NumberBound::json() const {
    Json number;
    if (!is_integer_)
        base::set(number, real_);
    else if (negative_ || bits_ <= static_cast<std::uint64_t>(std::numeric_limits<std::int64_t>::max()))
        base::set(number, static_cast<std::int64_t>(bits_));
    else
        base::set(number, bits_);
    return number;
}

[[gnu::cold]] ACTA_INLINE std::string NumberBound::text(bool as_double) const {
    if (!std::isfinite(real_)) return std::isnan(real_) ? "nan" : real_ < 0 ? "-inf" : "inf";
    if (as_double || !is_integer_) return describe_detail::plain_number(real_);
    return negative_ ? std::to_string(static_cast<std::int64_t>(bits_)) : std::to_string(bits_);
}

}  // namespace acta::inline ACTA_ABI
