// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/issue.hpp"
#include "acta/schema/detail/uri.hpp"
#include "acta/schema/schema.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::schema_detail {

/// Returns the title that pydantic makes of a key: `Session Id` for `session_id` (`str.title`, underscores as blanks,
/// trimmed).
[[nodiscard]] std::string title_of(std::string_view key);

/// Returns a title with every character but ASCII letters, digits, `.`, `-` and `_` replaced by `_`, as pydantic names
/// its definitions.
[[nodiscard]] std::string safe_name(std::string_view title);

// What a node of a JSON Schema (2020-12) is, for the dialects and the form of maps.

enum class SchemaShape {
    any,           // says nothing about the value
    nothing,       // not a schema, or `false`
    reference,     // $ref
    intersection,  // allOf
    choice,        // anyOf, oneOf, or several types of which one is object or array
    record,        // an object with named keys
    map,           // an object with keys of any name
    list,
    tuple,  // prefixItems
    scalar
};

/// Adds a key if it is not there.
inline void put_new(Json& object, std::string_view key, const Json& value) {
    if (base::find_key(object, key) == nullptr) base::put(object, key, value);
}
/// Returns the keys and values of a node that must be an object. Throws `SchemaError` if a schema from elsewhere has
/// none.
inline const Json::object_t& entries_of(const Json& object) {
    if (!object.is_object()) throw SchemaError("the schema has a value where it must have an object", {});
    return object.get_ref<const Json::object_t&>();
}

inline bool has_type(const Json& schema, std::string_view type) {
    const Json* const types = base::find_key(schema, "type");
    if (types == nullptr) return false;
    if (types->is_array())
        return std::any_of(types->begin(), types->end(), [&](const Json& one) { return base::is_text(one, type); });
    return base::is_text(*types, type);
}

inline SchemaShape object_shape(const Json& schema) {
    const Json* const extra = base::find_key(schema, "additionalProperties");
    const bool closed = extra != nullptr && extra->is_boolean() && !base::boolean_of(*extra);
    return closed || base::find_key(schema, "properties") != nullptr ? SchemaShape::record : SchemaShape::map;
}
inline SchemaShape array_shape(const Json& schema) {
    const Json* const items = base::find_key(schema, "prefixItems");
    return items != nullptr && items->is_array() && !items->empty() ? SchemaShape::tuple : SchemaShape::list;
}

inline SchemaShape shape_of(const Json& schema) {
    const auto has = [&schema](const char* key) { return base::find_key(schema, key) != nullptr; };
    if (schema.is_boolean()) return base::boolean_of(schema) ? SchemaShape::any : SchemaShape::nothing;
    if (!schema.is_object()) return SchemaShape::nothing;
    if (has("$ref")) return SchemaShape::reference;
    if (has("allOf")) return SchemaShape::intersection;
    if (has("anyOf") || has("oneOf")) return SchemaShape::choice;
    if (const Json* const type = base::find_key(schema, "type")) {
        const bool object = has_type(schema, "object");
        const bool array = has_type(schema, "array");
        if (!object && !array) return SchemaShape::scalar;
        if (type->is_array() && type->size() > 1) return SchemaShape::choice;
        return object ? object_shape(schema) : array_shape(schema);
    }
    if (has("enum") || has("const")) return SchemaShape::scalar;
    if (has("properties") || has("additionalProperties") || has("patternProperties")) return object_shape(schema);
    if (has("items") || has("prefixItems")) return array_shape(schema);
    return SchemaShape::any;
}

/// Returns the schemas of a choice; if it is one of several types, a schema for each.
inline JsonArray choices_of(const Json& schema) {
    for (const char* const key : {"anyOf", "oneOf"}) {
        const Json* const found = base::find_key(schema, key);
        if (found != nullptr) return found->is_array() ? found->get_ref<const JsonArray&>() : JsonArray();
    }
    JsonArray out;
    for (const Json& type : *base::find_key(schema, "type")) {
        Json one = base::new_object();
        for (const auto& [key, value] : entries_of(schema)) {
            if (key == "type")
                base::put(one, key, type);
            else if (key != "description" && key != "title" && key != "default")
                base::put(one, key, value);
        }
        out.push_back(std::move(one));
    }
    return out;
}

/// Returns whether all elements of a tuple have one schema, so that it is a list of fixed length.
inline bool is_uniform(const Json& prefix_items) {
    return std::all_of(prefix_items.begin(), prefix_items.end(),
                       [&](const Json& one) { return one == prefix_items.front(); });
}

/// The definitions of a schema and how they are referred to.
class SchemaDefinitions {
public:
    explicit SchemaDefinitions(const Json& schema, std::string_view ref_template = "#/$defs/{model}")
        : defs_(base::find_key(schema, "$defs")) {
        const std::size_t at = ref_template.find("{model}");
        prefix_ = ref_template.substr(0, at);
        if (at != std::string_view::npos) suffix_ = ref_template.substr(at + 7);
        if (defs_ == nullptr) {
            defs_ = base::find_key(schema, "definitions");  // as before 2019-09
            if (defs_ != nullptr) prefix_ = "#/definitions/";
        }
    }

    /// Returns the name of the definition that `ref` refers to; empty if there is none.
    [[nodiscard]] std::string name_of(const Json& ref) const {
        if (!ref.is_string() || defs_ == nullptr) return {};
        std::string_view text = ref.get_ref<const std::string&>();
        if (!text.starts_with(prefix_) || !text.ends_with(suffix_) || text.size() <= prefix_.size() + suffix_.size())
            return {};
        text.remove_prefix(prefix_.size());
        text.remove_suffix(suffix_.size());
        std::string name = unescaped_key(text);
        return base::find_key(*defs_, name) != nullptr ? name : std::string();
    }
    [[nodiscard]] const Json& at(const std::string& name) const { return defs_->at(name); }
    [[nodiscard]] bool contains(const std::string& name) const {
        return defs_ != nullptr && base::find_key(*defs_, name) != nullptr;
    }
    /// Returns the definitions unchanged, or null.
    [[nodiscard]] const Json* all() const noexcept { return defs_; }

    /// How many references may refer to one another in a row. Bounds the work if each of many definitions does so.
    static constexpr std::size_t max_references = 64;

    /// Returns the target of `schema`, through at most `max_references` references; null if they lead nowhere.
    [[nodiscard]] const Json* resolve(const Json& schema) const {
        const Json* node = &schema;
        for (std::size_t steps = 0; steps <= max_references; ++steps) {
            const Json* const ref = base::find_key(*node, "$ref");
            if (ref == nullptr) return node;
            const std::string name = name_of(*ref);
            if (name.empty()) return nullptr;
            node = &at(name);
        }
        return nullptr;
    }

private:
    const Json* defs_ = nullptr;
    std::string_view prefix_{};
    std::string_view suffix_{};
};

/// Returns a definition with the keywords beside the reference to it, which win, as in OpenAI's own client.
inline Json merged(const Json& target, const Json& beside) {
    Json out = base::new_object();
    for (const auto& [key, value] : entries_of(target)) {
        if (base::find_key(beside, key) == nullptr) base::put(out, key, value);
    }
    for (const auto& [key, value] : entries_of(beside)) {
        if (key != "$ref" && key != "allOf") base::put(out, key, value);
    }
    return out;
}

/// Returns a schema with the reference at its root written out; definitions stay where they are. Throws `SchemaError`.
inline Json root_of(const Json& schema, const SchemaDefinitions& definitions) {
    Json top = schema;
    std::set<std::string> seen;
    while (const Json* const ref = base::find_key(top, "$ref")) {
        const std::string name = definitions.name_of(*ref);
        if (name.empty() || !definitions.at(name).is_object() || !seen.insert(name).second)
            throw SchemaError("the reference at the root of the schema leads nowhere", {});
        top = merged(definitions.at(name), top);
    }
    return top;
}

inline Json typed(std::string_view type) {
    Json out = base::new_object();
    base::put(out, "type", base::text_json(type));
    return out;
}
/// Returns an object with these properties and no others.
inline Json closed(Json properties) {
    JsonArray keys;
    for (const auto& [key, value] : entries_of(properties)) keys.push_back(base::text_json(key));
    Json out = typed("object");
    base::put(out, "properties", std::move(properties));
    base::put(out, "required", Json(std::move(keys)));
    base::put(out, "additionalProperties", Json(false));
    return out;
}
/// Returns a list of `{key, value}`, for a map of such values.
inline Json entry_list(Json value) {
    Json entry = base::new_object();
    base::put(entry, "key", typed("string"));
    base::put(entry, "value", std::move(value));
    Json out = typed("array");
    base::put(out, "items", closed(std::move(entry)));
    return out;
}

// Which keywords of JSON Schema the APIs accept. The others are moved to the description, where a model still reads
// them; acta checks them when it reads the answer.

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

/// Returns whether a schema of the dialect may have this keyword with this value.
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

/// Returns the number of code points.
inline std::size_t text_length(std::string_view text) noexcept {
    return static_cast<std::size_t>(
        std::count_if(text.begin(), text.end(), [](char c) { return !utf8::is_continuation(c); }));
}

/// The limits of a schema for OpenAI's strict mode, as its guide "Structured model outputs" states them under
/// "Supported schemas": objects' nesting depth and size, total string size, enum size.
///
/// The guide does not say what a level is. Its error counts objects and arrays on the way down, and no `anyOf`
/// ("11 levels of nesting exceeds limit of 10"); of a definition that refers to itself, each is counted once.
class OpenAiLimits {
public:
    static constexpr std::size_t max_levels = 10;
    static constexpr std::size_t max_properties = 5000;
    static constexpr std::size_t max_enum_values = 1000;
    static constexpr std::size_t max_characters = 120'000;
    static constexpr std::size_t many_enum_values = 250;  // of one enum; with more, its texts have a limit of their own
    static constexpr std::size_t max_many_characters = 15'000;

    explicit OpenAiLimits(const Json& schema) : schema_(schema), definitions_(schema) {}

    /// Throws `SchemaError` for the first limit that is exceeded.
    void check() {
        count(schema_);
        if (definitions_.all() != nullptr) {
            for (const auto& [name, definition] : entries_of(*definitions_.all())) {
                characters_ += text_length(name);
                count(definition);
            }
        }
        require(properties_, max_properties, "properties");
        require(enum_values_, max_enum_values, "enum values");
        require(characters_, max_characters, "characters in names of properties and definitions and in values");
        descend(schema_, 0);
    }

private:
    [[noreturn]] void fail(const std::string& what) const {
        throw SchemaError("the schema has " + what + " in OpenAI's strict mode" +
                              (path_.empty() ? std::string() : " (at " + path_ + ")"),
                          path_);
    }
    void require(std::size_t found, std::size_t limit, const char* what) const {
        if (found > limit)
            fail(std::to_string(found) + " " + what + ", more than the " + std::to_string(limit) + " allowed");
    }
    void count_value(const Json& value) {
        if (value.is_string()) characters_ += text_length(value.get_ref<const std::string&>());
    }
    void count_enum(const Json& values) {
        enum_values_ += values.size();
        const std::size_t before = characters_;
        for (const Json& value : values) count_value(value);
        if (values.size() > many_enum_values)
            require(characters_ - before, max_many_characters, "characters in an enum of more than 250 values");
    }
    /// Adds up what a node has, without following references.
    void count(const Json& node) {
        if (const Json* const values = base::find_key(node, "enum")) count_enum(*values);
        if (const Json* const value = base::find_key(node, "const")) count_value(*value);
        if (const Json* const items = base::find_key(node, "items")) count(*items);
        if (const Json* const choices = base::find_key(node, "anyOf")) {
            for (const Json& one : *choices) count(one);
        }
        const Json* const properties = base::find_key(node, "properties");
        if (properties == nullptr) return;
        for (const auto& [key, property] : entries_of(*properties)) {
            ++properties_;
            characters_ += text_length(key);
            count(property);
        }
    }
    /// Descends with `level` containers above the node. A definition is entered again only from deeper down, so the
    /// work is at most ten times the schema.
    void descend(const Json& node, std::size_t level) {
        if (const Json* const ref = base::find_key(node, "$ref")) {
            const std::string name = definitions_.name_of(*ref);
            if (name.empty() || inside_.contains(name)) return;
            const auto [known, fresh] = deepest_.try_emplace(name, level);
            if (!fresh && known->second >= level) return;
            known->second = level;
            inside_.insert(name);
            descend(definitions_.at(name), level);
            inside_.erase(name);
            return;
        }
        if (const Json* const choices = base::find_key(node, "anyOf")) {
            for (const Json& one : *choices) descend(one, level);
        }
        const Json* const items = base::find_key(node, "items");
        const Json* const properties = base::find_key(node, "properties");
        if (items == nullptr && properties == nullptr) return;
        if (level >= max_levels)
            fail("more than " + std::to_string(max_levels) + " levels of objects and lists, which is not allowed");
        if (items != nullptr) enter("*", *items, level);
        if (properties == nullptr) return;
        for (const auto& [key, property] : entries_of(*properties)) enter(key, property, level);
    }
    void enter(const std::string& key, const Json& node, std::size_t level) {
        const std::size_t size = path_.size();
        path_ += '/';
        codec::append_pointer_key(path_, key);
        descend(node, level + 1);
        path_.resize(size);
    }

    const Json& schema_;
    SchemaDefinitions definitions_;
    std::size_t properties_ = 0;
    std::size_t enum_values_ = 0;
    std::size_t characters_ = 0;
    std::string path_{};
    std::set<std::string> inside_{};
    std::map<std::string, std::size_t> deepest_{};
};

}  // namespace acta::inline ACTA_ABI::schema_detail
