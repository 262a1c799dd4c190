// SPDX-License-Identifier: MIT
#pragma once

#include <type_traits>
#include <variant>

#include "acta/describe/introspection.hpp"
#include "acta/json/detail/value_reader.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"

// `nlohmann::json j = value;` and `j.get<T>()` for described types, with acta's rules and errors.
namespace acta::inline ACTA_ABI {

namespace json_detail {
template <class T>
inline constexpr bool is_described_variant = false;
template <class... T>
inline constexpr bool is_described_variant<std::variant<T...>> = (Described<T> || ...) && (Readable<T> && ...);
}  // namespace json_detail

/// A type that converts to and from `nlohmann::json` and `acta::Json`: a described one, or a variant
/// with described types. (nlohmann_json has conversions of its own for the rest.)
template <class T>
concept JsonConvertible = Described<T> || json_detail::is_described_variant<T>;

}  // namespace acta::inline ACTA_ABI

template <class T>
    requires acta::JsonConvertible<T>
struct nlohmann::adl_serializer<T, void> {
    template <class AnyJson>
    static void to_json(AnyJson& json, const T& value) {
        if constexpr (std::is_same_v<AnyJson, acta::Json>)
            json = acta::to_json_value(value);
        else
            json = AnyJson(acta::to_json_value(value));
    }
    template <class AnyJson>
    static T from_json(const AnyJson& json) {
        if constexpr (std::is_same_v<AnyJson, acta::Json>) {
            return acta::validate<T>(json);
        } else {
            constexpr std::size_t max_depth = acta::ParseOptions{}.max_depth;
            // Conversion between the two kinds of value recurses, so values nested too deeply must not get there.
            if (acta::json_detail::deeper_than(json, max_depth)) {
                acta::Issue issue{{}, "json_invalid", "Invalid JSON: recursion limit exceeded", {}};
                throw acta::ValidationError(acta::introspection::type_title<T>(), {issue});
            }
            return acta::validate<T>(acta::Json(json));
        }
    }
    /// For `get_to`, and containers that fill existing values.
    template <class AnyJson>
    static void from_json(const AnyJson& json, T& out) {
        out = from_json(json);
    }
};
