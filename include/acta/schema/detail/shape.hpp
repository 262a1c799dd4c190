// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/schema/options.hpp"

// What a node of a JSON Schema (2020-12) is, for the dialects and the form of maps.
namespace acta::inline ACTA_ABI::schema_detail {

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

/// Returns the value of a key, or null.
inline const Json* find_keyword(const Json& schema, std::string_view key) {
    return schema.is_object() ? base::find_key(schema.get_ref<const Json::object_t&>(), key) : nullptr;
}

inline void put_new(Json& object, std::string_view key, const Json& value) {
    if (find_keyword(object, key) == nullptr) base::put(object, key, value);
}
/// Returns the keys and values of a node that must be an object. Throws `SchemaError` if a schema from elsewhere has
/// none.
inline const Json::object_t& entries_of(const Json& object) {
    if (!object.is_object()) throw SchemaError("the schema has a value where it must have an object", {});
    return object.get_ref<const Json::object_t&>();
}

inline bool has_type(const Json& schema, std::string_view type) {
    const Json* const types = find_keyword(schema, "type");
    if (types == nullptr) return false;
    if (types->is_array())
        return std::any_of(types->begin(), types->end(), [&](const Json& one) { return base::is_text(one, type); });
    return base::is_text(*types, type);
}

inline SchemaShape object_shape(const Json& schema) {
    const Json* const extra = find_keyword(schema, "additionalProperties");
    const bool closed = extra != nullptr && extra->is_boolean() && !base::boolean_of(*extra);
    return closed || find_keyword(schema, "properties") != nullptr ? SchemaShape::record : SchemaShape::map;
}
inline SchemaShape array_shape(const Json& schema) {
    const Json* const items = find_keyword(schema, "prefixItems");
    return items != nullptr && items->is_array() && !items->empty() ? SchemaShape::tuple : SchemaShape::list;
}

inline SchemaShape shape_of(const Json& schema) {
    const auto has = [&schema](const char* key) { return find_keyword(schema, key) != nullptr; };
    if (schema.is_boolean()) return base::boolean_of(schema) ? SchemaShape::any : SchemaShape::nothing;
    if (!schema.is_object()) return SchemaShape::nothing;
    if (has("$ref")) return SchemaShape::reference;
    if (has("allOf")) return SchemaShape::intersection;
    if (has("anyOf") || has("oneOf")) return SchemaShape::choice;
    if (const Json* const type = find_keyword(schema, "type")) {
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
        const Json* const found = find_keyword(schema, key);
        if (found != nullptr) return found->is_array() ? found->get_ref<const JsonArray&>() : JsonArray();
    }
    JsonArray out;
    for (const Json& type : *find_keyword(schema, "type")) {
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
        : defs_(find_keyword(schema, "$defs")) {
        const std::size_t at = ref_template.find("{model}");
        prefix_ = ref_template.substr(0, at);
        if (at != std::string_view::npos) suffix_ = ref_template.substr(at + 7);
        if (defs_ == nullptr) {
            defs_ = find_keyword(schema, "definitions");  // as before 2019-09
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
        std::string name;
        for (std::size_t i = 0; i < text.size(); ++i) {  // RFC 6901: ~1 is /, ~0 is ~
            const bool escape = text[i] == '~' && i + 1 < text.size() && (text[i + 1] == '0' || text[i + 1] == '1');
            name += escape ? (text[++i] == '0' ? '~' : '/') : text[i];
        }
        return find_keyword(*defs_, name) != nullptr ? name : std::string();
    }
    [[nodiscard]] const Json& at(const std::string& name) const { return defs_->at(name); }
    [[nodiscard]] bool contains(const std::string& name) const {
        return defs_ != nullptr && find_keyword(*defs_, name) != nullptr;
    }
    /// Returns the definitions as they stand, or null.
    [[nodiscard]] const Json* all() const noexcept { return defs_; }

    /// How many references may refer to one another in a row. Bounds the work if each of many definitions does so.
    static constexpr std::size_t max_references = 64;

    /// Returns the target of `schema`, through at most `max_references` references; null if they lead nowhere.
    [[nodiscard]] const Json* resolve(const Json& schema) const {
        const Json* node = &schema;
        for (std::size_t steps = 0; steps <= max_references; ++steps) {
            const Json* const ref = find_keyword(*node, "$ref");
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
        if (find_keyword(beside, key) == nullptr) base::put(out, key, value);
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
    while (const Json* const ref = find_keyword(top, "$ref")) {
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

}  // namespace acta::inline ACTA_ABI::schema_detail
