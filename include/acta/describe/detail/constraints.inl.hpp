// SPDX-License-Identifier: MIT
#pragma once

#include <cmath>
#include <cstddef>
#include <cstdint>
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

[[gnu::cold]] ACTA_INLINE std::string number_text(double value) {
    const Json number = number_json(value);
    if (number.is_number_integer()) return std::to_string(base::integer_of(number));
    if (!std::isfinite(value)) return "null";
    char digits[base::ShortestDigits::longest];
    return {digits, base::write_real(value, digits, base::json_reals)};
}

[[gnu::cold]] ACTA_INLINE std::string bound_message(std::string_view relation, double bound) {
    return base::concat({"Input should be ", relation, " ", number_text(bound)});
}

ACTA_INLINE std::string counted(std::size_t count, const char* one, const char* many) {
    return base::concat({std::to_string(count), " ", count == 1 ? one : many});
}

[[gnu::cold]] ACTA_INLINE std::string size_message(std::string_view what, std::string_view relation, std::size_t bound,
                                                   std::optional<std::size_t> size) {
    return base::concat({what, " should have at ", relation, " ", counted(bound, "item", "items"),
                         " after validation, not ", size ? std::to_string(*size) : "more"});
}

[[gnu::cold]] ACTA_INLINE std::string text_size_message(std::string_view relation, std::size_t bound) {
    return base::concat({"String should have at ", relation, " ", counted(bound, "character", "characters")});
}

}  // namespace describe_detail

ACTA_INLINE void Range::annotate(Json& schema) const {
    if (max) base::assign(schema, "maximum", describe_detail::number_json(*max));
    if (min) base::assign(schema, "minimum", describe_detail::number_json(*min));
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

namespace describe_detail {

ACTA_INLINE Json number_json(double value) {
    constexpr double exact = 9007199254740992;  // 2^53
    const bool integer =
        value >= -exact && value <= exact && value == static_cast<double>(static_cast<std::int64_t>(value));
    Json number;
    if (integer)
        base::set(number, static_cast<std::int64_t>(value));
    else
        base::set(number, value);
    return number;
}

}  // namespace describe_detail
}  // namespace acta::inline ACTA_ABI
