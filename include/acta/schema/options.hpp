// SPDX-License-Identifier: MIT
#pragma once

#include <string>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// Whose rules a schema follows (docs/reference/schema.md, "Dialects").
enum class SchemaDialect {
    pydantic,       ///< as pydantic 2 makes it of the same model
    openai_strict,  ///< OpenAI's structured outputs: `response_format` and tools with `strict: true`
    anthropic,      ///< Anthropic's tools (`input_schema`)
    mcp             ///< Model Context Protocol: `inputSchema` and `outputSchema` of a tool
};

/// What `openai_strict`, which has no objects with arbitrary keys, makes of a type that has them.
enum class SchemaMaps {
    refuse,          ///< throw `SchemaError` with the path
    key_value_lists  ///< write them as lists of `{key, value}`; `maps_from_lists` converts answers back
};

/// How a schema is made.
struct SchemaOptions {
    SchemaDialect dialect = SchemaDialect::pydantic;  ///< whose rules to follow
    bool by_alias = true;                             ///< whether properties are named by alias rather than by name
    /// Where definitions are found; `{model}` stands for the name of one. `openai_strict` and `anthropic` accept only
    /// this, as their APIs look nowhere else.
    std::string ref_template = "#/$defs/{model}";
    /// What `openai_strict` makes of maps, of `Json`, and of tuples of several types.
    SchemaMaps maps = SchemaMaps::refuse;
};

}  // namespace acta::inline ACTA_ABI
