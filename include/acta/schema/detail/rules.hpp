// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"

// Which keywords of JSON Schema the APIs accept. The others are moved to the description, where a model still reads
// them; acta checks them when it reads the answer.
namespace acta::inline ACTA_ABI::schema_detail {

/// What a dialect accepts.
struct DialectRules {
    std::string_view name;
    /// Every key is required, there are no defaults, no object has free keys, and there are limits.
    bool strict = false;
    std::span<const std::string_view> keywords{};  // accepted as they are
    std::span<const std::string_view> formats{};   // of texts
    /// Constructs of regular expressions that are refused.
    std::span<const std::string_view> refused_patterns{};
    bool only_non_empty = false;  // `minItems` may be 0 or 1, and there is no `maxItems`
};

/// OpenAI, "Structured model outputs", section "Supported schemas"
/// (https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas): types string, number, boolean,
/// integer, object, array, enum, anyOf; of strings `pattern` and `format`, of numbers `multipleOf` and bounds, of
/// arrays `minItems` and `maxItems`. `const` is named under "Limitations on total string size". `minLength`,
/// `maxLength`, `default`, `uniqueItems`, `deprecated`, `prefixItems` and `oneOf` are not on the page; `default` is
/// refused ("'default' is not permitted"), `prefixItems` and `uniqueItems` by OpenAI's own client (openai-node,
/// src/lib/transform.ts). `title` is not on the page either, but OpenAI's Python client sends it (lib/_pydantic.py).
inline constexpr std::string_view openai_keywords[] = {
    "type",       "enum",    "const",   "pattern",          "format",
    "multipleOf", "minimum", "maximum", "exclusiveMinimum", "exclusiveMaximum",
    "minItems",   "maxItems"};
inline constexpr std::string_view openai_formats[] = {"date-time", "time", "date", "duration", "email",
                                                      "hostname",  "ipv4", "ipv6", "uuid"};
/// "Invalid JSON schema: regex lookaround is not supported" (https://github.com/vercel/ai/pull/21037).
inline constexpr std::string_view openai_patterns[] = {"(?=", "(?!", "(?<"};

/// Anthropic, "Structured outputs", section "JSON Schema limitations"
/// (https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations): basic types,
/// `enum`, `const`, `anyOf`, local `$ref`, `default`, `required`, `additionalProperties: false`, formats, `minItems` of
/// 0 or 1, simple `pattern`s; no bounds of numbers, lengths or lists. Its Python client moves the others into the
/// description and writes `oneOf` as `anyOf` (anthropic-sdk-python, lib/_parse/_transform.py).
inline constexpr std::string_view anthropic_keywords[] = {"type", "enum", "const", "default", "pattern", "format"};
inline constexpr std::string_view anthropic_formats[] = {"date-time", "time", "date", "duration", "email",
                                                         "hostname",  "uri",  "ipv4", "ipv6",     "uuid"};
/// The same page, "Pattern support": no lookaround, backreferences and word boundaries.
inline constexpr std::string_view anthropic_patterns[] = {"(?=", "(?!", "(?<", "\\b", "\\B", "\\1", "\\2", "\\3"};

inline constexpr DialectRules openai_rules{"OpenAI's strict mode", true, openai_keywords, openai_formats,
                                           openai_patterns,        false};
inline constexpr DialectRules anthropic_rules{"Anthropic's API",  false, anthropic_keywords, anthropic_formats,
                                              anthropic_patterns, true};

inline bool is_among(std::span<const std::string_view> list, std::string_view text) {
    return std::find(list.begin(), list.end(), text) != list.end();
}

/// Returns whether the dialect accepts this keyword with this value.
inline bool takes_keyword(const DialectRules& rules, std::string_view key, const Json& value) {
    if (key == "minItems" && rules.only_non_empty)
        return value.is_number_integer() && (base::integer_of(value) == 0 || base::integer_of(value) == 1);
    if (!is_among(rules.keywords, key)) return false;
    if (key == "format") return value.is_string() && is_among(rules.formats, value.get_ref<const std::string&>());
    if (key == "pattern" && value.is_string()) {
        const std::string& pattern = value.get_ref<const std::string&>();
        return std::none_of(rules.refused_patterns.begin(), rules.refused_patterns.end(),
                            [&](std::string_view one) { return pattern.find(one) != std::string::npos; });
    }
    return true;
}

/// Keywords that say nothing about values, so they may be omitted.
inline constexpr std::string_view ignored_keywords[] = {"$schema", "$id",         "$anchor",  "$comment",
                                                        "$defs",   "definitions", "readOnly", "writeOnly"};

}  // namespace acta::inline ACTA_ABI::schema_detail
