// SPDX-License-Identifier: MIT
#pragma once

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/schema/options.hpp"

namespace acta::inline ACTA_ABI {

/// Returns a schema of JSON Schema 2020-12, handwritten or from elsewhere, in a dialect:
///
/// - `openai_strict`: an object at the root, every object closed, every key required (an optional type also allows
///   `null`), neither `default` nor `oneOf`, nothing beside `$ref`; keywords that the API does not accept are moved to
///   the description. Maps, values of any type and tuples of several types are refused, or written as `options.maps`
///   says. Objects in one union must not begin with the same key, unless its constants distinguish them; a key that
///   does is moved to the front. Limits of size are checked.
/// - `anthropic`: an object at the root, objects without free keys closed, keywords that the API does not accept moved
///   to the description. Maps, values of any type and recursion stay as they are, which tools accept, but not with
///   `strict: true`.
/// - `mcp`: an object at the root; another type is wrapped in one with the key `result`.
/// - `pydantic`: the schema itself.
///
/// Throws `SchemaError` with the path (keys, `*` for elements) of the part that cannot be expressed. Linear in the size
/// of the result.
///
/// @code{.cpp}
/// acta::Json schema = acta::Json::parse(R"({"type": "object", "properties": {"city": {"type": "string"}}})");
/// acta::Json strict = acta::convert_schema(schema, {.dialect = acta::SchemaDialect::openai_strict});
/// // {"type": "object", "properties": {…}, "required": ["city"], "additionalProperties": false}
/// @endcode
[[nodiscard]] Json convert_schema(const Json& schema, const SchemaOptions& options);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/schema/detail/convert.inl.hpp"
#endif
