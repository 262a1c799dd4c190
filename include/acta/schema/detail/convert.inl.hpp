// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/schema/convert.hpp"
#include "acta/schema/detail/dialect_writer.hpp"
#include "acta/schema/detail/rules.hpp"
#include "acta/schema/detail/shape.hpp"

namespace acta::inline ACTA_ABI {

namespace schema_detail {

/// Returns whether a value has at most `levels` levels. Copying one recurses as deep as it is.
ACTA_INLINE bool has_levels(const Json& value, std::size_t levels) {
    if (!value.is_structured() || value.empty()) return true;
    return levels != 0 &&
           std::all_of(value.begin(), value.end(), [levels](const Json& one) { return has_levels(one, levels - 1); });
}

/// Model Context Protocol, "Tools" and "JSON Schema Usage" of 2025-11-25: schemas are of 2020-12 unless `$schema` says
/// otherwise, as pydantic's are. The protocol's schema of 2025-06-18 and 2025-11-25 (schema.ts, `Tool`) has `type:
/// "object"` at the root of `inputSchema` and of `outputSchema`, and `structuredContent` is an object. Anything else
/// becomes `{"result": value}`, as in the protocol's Python client.
ACTA_INLINE Json mcp_schema(const Json& schema, const SchemaOptions& options) {
    const SchemaDefinitions definitions(schema, options.ref_template);
    Json top = root_of(schema, definitions);
    const SchemaShape shape = shape_of(top);
    if (shape == SchemaShape::nothing) throw SchemaError("a tool cannot have a schema that accepts no value", {});
    if (shape == SchemaShape::record || shape == SchemaShape::map) {
        top["type"] = base::text_json("object");
        return top;
    }
    Json value = base::new_object();
    Json defs;
    if (top.is_object()) {
        for (auto& [key, one] : top.get_ref<Json::object_t&>()) {
            if (key == "$defs")
                defs = std::move(one);
            else
                base::put(value, key, std::move(one));
        }
    }
    Json properties = base::new_object();
    base::put(properties, "result", std::move(value));
    Json wrapped = typed("object");
    base::put(wrapped, "properties", std::move(properties));
    base::put(wrapped, "required", Json(JsonArray(1, base::text_json("result"))));
    if (!defs.is_null()) base::put(wrapped, "$defs", std::move(defs));
    return wrapped;
}

}  // namespace schema_detail

ACTA_INLINE Json convert_schema(const Json& schema, const SchemaOptions& options) {
    if (options.dialect == SchemaDialect::pydantic) return schema;
    constexpr std::size_t max_levels = 400;
    if (!schema_detail::has_levels(schema, max_levels)) throw SchemaError("the schema is nested too deep", {});
    if (options.dialect == SchemaDialect::mcp) return schema_detail::mcp_schema(schema, options);
    const bool strict = options.dialect == SchemaDialect::openai_strict;
    const schema_detail::DialectRules& rules = strict ? schema_detail::openai_rules : schema_detail::anthropic_rules;
    if (options.ref_template != SchemaOptions().ref_template)
        throw SchemaError("ref_template must be #/$defs/{model} for " + std::string(rules.name) +
                              ", which looks for definitions nowhere else",
                          {});
    return schema_detail::DialectWriter(schema, options, rules).write();
}

}  // namespace acta::inline ACTA_ABI
