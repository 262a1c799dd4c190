// SPDX-License-Identifier: MIT
#pragma once

#include "acta/base/json_value.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/schema/convert.hpp"
#include "acta/schema/introspection.hpp"
#include "acta/schema/options.hpp"

namespace acta::inline ACTA_ABI {

/// Returns the JSON Schema of a type in a dialect. In the default one it equals pydantic 2's schema of the same model,
/// except for the order of keys (docs/reference/schema.md, "pydantic's schema"). `convert_schema` says how the other
/// dialects differ.
///
/// Throws `SchemaError` with the path (keys, `*` for elements) if the dialect cannot express the type. Linear in the
/// size of the result.
///
/// @code{.cpp}
/// struct Search {
///     std::string query{};
///     int limit = 10;
/// };
/// template <>
/// struct acta::Describe<Search> {
///     static constexpr auto fields = acta::fields(acta::required("query", &Search::query, "What to look for."),
///                                                 acta::defaulted("limit", &Search::limit));
/// };
/// acta::Json plain = acta::schema<Search>();
/// acta::Json strict = acta::schema<Search>({.dialect = acta::SchemaDialect::openai_strict});
/// @endcode
template <class T>
[[nodiscard]] Json schema(const SchemaOptions& options = {}) {
    introspection::require_supported<T>();
    return schema_introspection::make_schema(schema_introspection::type_info<T>(), options);
}

}  // namespace acta::inline ACTA_ABI
