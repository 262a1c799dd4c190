// SPDX-License-Identifier: MIT
#pragma once

#include <utility>

#include "acta/base/json_value.hpp"
#include "acta/schema/schema.hpp"

/// Converts values to and from the form of a schema with `SchemaMaps::key_value_lists`.
namespace acta::inline ACTA_ABI {

/// Returns an answer to a schema with `SchemaMaps::key_value_lists` with its lists as maps and its positions as tuples
/// again, so that it can be validated. `schema` is the schema of the same type in pydantic's dialect. Parts that do not
/// have this form stay as they are, so that validation reports them. Linear in the size of the value, times the members
/// of the unions in it.
///
/// @code{.cpp}
/// using Counts = std::map<std::string, int>;
/// acta::Json answer = acta::Json::parse(R"([{"key": "tides", "value": 3}])");
/// acta::Json value = acta::maps_from_lists(acta::schema<Counts>(), answer);  // {"tides": 3}
/// @endcode
[[nodiscard]] Json maps_from_lists(const Json& schema, Json value);

/// The same for the schema of a type.
template <class T>
[[nodiscard]] Json maps_from_lists(Json value) {
    return maps_from_lists(schema<T>(), std::move(value));
}

/// Returns a value in the form of an answer to a schema with `SchemaMaps::key_value_lists`, to show a model an example.
/// `schema` is the schema of the value's type in pydantic's dialect.
[[nodiscard]] Json lists_from_maps(const Json& schema, Json value);

/// The same for the schema of a type.
template <class T>
[[nodiscard]] Json lists_from_maps(Json value) {
    return lists_from_maps(schema<T>(), std::move(value));
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/schema/detail/maps.inl.hpp"
#endif
