// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/schema/detail/dialect_writer.hpp"
#include "acta/schema/detail/shape.hpp"
#include "acta/schema/schema.hpp"

namespace acta::inline ACTA_ABI {

namespace schema_detail {

/// Returns whether a value has at most `levels` levels. Copying one recurses as deep as it is.
ACTA_INLINE bool has_levels(const Json& value, std::size_t levels) {
    if (!value.is_structured() || value.empty()) return true;
    return levels != 0 &&
           std::all_of(value.begin(), value.end(), [levels](const Json& one) { return has_levels(one, levels - 1); });
}

/// Model Context Protocol, "Tools" and "JSON Schema Usage" of 2025-11-25: schemas follow draft 2020-12 unless `$schema`
/// says otherwise, as pydantic's are. The protocol's schema of 2025-06-18 and 2025-11-25 (schema.ts, `Tool`) has `type:
/// "object"` at the root of `inputSchema` and of `outputSchema`, and `structuredContent` is an object. Anything else
/// becomes `{"result": value}`, as in the protocol's Python client.
ACTA_INLINE Json mcp_schema(const Json& schema, const SchemaOptions& options) {
    const SchemaDefinitions definitions(schema, options.ref_template);
    Json top = root_of(schema, definitions);
    const SchemaShape shape = shape_of(top);
    if (shape == SchemaShape::nothing) throw SchemaError("a tool cannot have a schema that accepts no value", {});
    // An object that must also fit one of several schemas is an object all the same.
    const Json* const type = base::find_key(top, "type");
    const bool is_object = type != nullptr && base::is_text(*type, "object");
    if (is_object || shape == SchemaShape::record || shape == SchemaShape::map) {
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

namespace acta::inline ACTA_ABI::schema_detail {

/// Walks a value along the schema it was made for (pydantic's dialect), in either direction.
class MapForm {
public:
    MapForm(const Json& schema, bool to_lists) : schema_(schema), definitions_(schema), to_lists_(to_lists) {}

    [[nodiscard]] Json convert(Json value) { return convert(schema_, std::move(value), 0); }

private:
    /// Deeper values stay as they are: `ParseOptions` reads no deeper by default.
    static constexpr std::size_t max_depth = 128;
    /// How far to look to decide whether a member of a union is meant: unions may contain themselves.
    static constexpr std::size_t max_steps = 10'000;

    Json convert(const Json& schema, Json value, std::size_t depth) {
        const Json* const node = definitions_.resolve(schema);
        if (node == nullptr || depth > max_depth) return value;
        switch (shape_of(*node)) {
            case SchemaShape::any: return convert_any(std::move(value), depth);
            case SchemaShape::choice: return convert_choice(*node, std::move(value), depth);
            case SchemaShape::record: convert_record(*node, value, depth); return value;
            case SchemaShape::map: return convert_map(*node, std::move(value), depth);
            case SchemaShape::list: convert_list(*node, value, depth); return value;
            case SchemaShape::tuple: return convert_tuple(*node, std::move(value), depth);
            default: return value;
        }
    }

    void convert_record(const Json& node, Json& value, std::size_t depth) {
        const Json* const properties = base::find_key(node, "properties");
        if (properties == nullptr || !value.is_object()) return;
        for (auto& [key, member] : value.get_ref<Json::object_t&>()) {
            const Json* const property = base::find_key(*properties, key);
            if (property != nullptr) member = convert(*property, std::move(member), depth + 1);
        }
    }
    void convert_list(const Json& node, Json& value, std::size_t depth) {
        const Json* const items = base::find_key(node, "items");
        if (!value.is_array()) return;
        for (Json& one : value) one = convert(items != nullptr ? *items : anything(), std::move(one), depth + 1);
    }
    Json convert_map(const Json& node, Json value, std::size_t depth) {
        const Json* const extra = base::find_key(node, "additionalProperties");
        const Json& values = extra != nullptr ? *extra : anything();
        if (to_lists_) return value.is_object() ? to_list(values, std::move(value), depth) : value;
        return is_entry_list(value) ? to_object(values, std::move(value), depth) : value;
    }
    /// A tuple of several types has its positions as keys.
    Json convert_tuple(const Json& node, Json value, std::size_t depth) {
        const Json& items = node.at("prefixItems");
        const bool uniform = is_uniform(items);
        if (to_lists_ || uniform) {
            if (!value.is_array() || value.size() != items.size()) return value;
            JsonObject fields;
            for (std::size_t i = 0; i < items.size(); ++i) {
                value[i] = convert(items[i], std::move(value[i]), depth + 1);
                if (!uniform) fields.emplace_back(std::to_string(i), std::move(value[i]));
            }
            return uniform ? std::move(value) : Json(std::move(fields));
        }
        if (!fits_tuple(items, value)) return value;
        JsonArray out;
        for (std::size_t i = 0; i < items.size(); ++i)
            out.push_back(convert(items[i], std::move(value[std::to_string(i)]), depth + 1));
        return out;
    }
    Json convert_any(Json value, std::size_t depth) {
        if (depth > max_depth) return value;
        if (value.is_array()) {
            for (Json& one : value) one = convert_any(std::move(one), depth + 1);
        } else if (value.is_object() && to_lists_) {
            JsonObject out;
            out.emplace_back("entries", to_list(anything(), std::move(value), depth));
            return Json(std::move(out));
        } else if (const Json* const entries = base::find_key(value, "entries")) {
            if (value.size() == 1 && is_entry_list(*entries))
                return to_object(anything(), std::move(value["entries"]), depth);
        }
        return value;
    }
    Json convert_choice(const Json& node, Json value, std::size_t depth) {
        const JsonArray choices = choices_of(node);
        for (const bool maps : {false, true}) {  // a struct whose keys the object has comes before a map
            for (const Json& one : choices) {
                steps_ = 0;
                if (is_map(one) == maps && fits(one, value, 0)) return convert(one, std::move(value), depth + 1);
            }
        }
        return value;
    }

    Json to_list(const Json& values, Json value, std::size_t depth) {
        JsonArray out;
        for (auto& [key, one] : value.get_ref<Json::object_t&>()) {
            JsonObject entry;
            entry.emplace_back("key", key);
            entry.emplace_back("value", convert(values, std::move(one), depth + 1));
            out.emplace_back(std::move(entry));
        }
        return out;
    }
    /// The last value of a repeated key counts, as in JSON text.
    Json to_object(const Json& values, Json value, std::size_t depth) {
        JsonObject out;
        std::map<std::string, std::size_t> places;
        for (Json& entry : value) {
            std::string& key = entry["key"].get_ref<std::string&>();
            Json one = convert(values, std::move(entry["value"]), depth + 1);
            const auto [place, fresh] = places.try_emplace(key, out.size());
            if (fresh)
                out.emplace_back(std::move(key), std::move(one));
            else
                (out.begin() + static_cast<std::ptrdiff_t>(place->second))->second = std::move(one);
        }
        return Json(std::move(out));
    }
    static bool is_entry_list(const Json& value) {
        if (!value.is_array()) return false;
        for (const Json& entry : value) {
            const Json* const key = base::find_key(entry, "key");
            if (key == nullptr || !key->is_string() || entry.size() != 2 || base::find_key(entry, "value") == nullptr)
                return false;
        }
        return true;
    }
    static bool fits_tuple(const Json& items, const Json& value) {
        if (!value.is_object() || value.size() != items.size()) return false;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (base::find_key(value, std::to_string(i)) == nullptr) return false;
        }
        return true;
    }

    /// Returns whether a value is meant for this member of a union, judging by its type, its constants and its keys.
    bool fits(const Json& schema, const Json& value, std::size_t depth) {
        const Json* const node = definitions_.resolve(schema);
        if (node == nullptr || depth > max_depth || ++steps_ > max_steps) return false;
        switch (shape_of(*node)) {
            case SchemaShape::any: return true;
            case SchemaShape::scalar: return fits_scalar(*node, value);
            case SchemaShape::record: return fits_record(*node, value, depth);
            case SchemaShape::map: return fits_map(*node, value, depth);
            case SchemaShape::list: {
                const Json* const items = base::find_key(*node, "items");
                return value.is_array() && (value.empty() || items == nullptr || fits(*items, value[0], depth + 1));
            }
            case SchemaShape::tuple: {
                const Json& items = node->at("prefixItems");
                const bool list = to_lists_ || is_uniform(items);
                return list ? value.is_array() && value.size() == items.size() : fits_tuple(items, value);
            }
            case SchemaShape::choice: {
                for (const Json& one : choices_of(*node)) {
                    if (fits(one, value, depth + 1)) return true;
                }
                return false;
            }
            default: return false;
        }
    }
    bool is_map(const Json& schema) const {
        const Json* const node = definitions_.resolve(schema);
        return node != nullptr && shape_of(*node) == SchemaShape::map;
    }
    /// As with lists, one value stands for all.
    bool fits_map(const Json& node, const Json& value, std::size_t depth) {
        if (to_lists_ ? !value.is_object() : !is_entry_list(value)) return false;
        const Json* const values = base::find_key(node, "additionalProperties");
        if (value.empty() || values == nullptr) return true;
        return fits(*values, to_lists_ ? value.front() : value[0]["value"], depth + 1);
    }
    static bool fits_scalar(const Json& node, const Json& value) {
        const auto is = [&](const char* type) { return has_type(node, type); };
        if (const Json* const constant = base::find_key(node, "const"); constant != nullptr && *constant != value)
            return false;
        if (base::find_key(node, "type") == nullptr) return true;
        switch (value.type()) {
            case Json::value_t::null: return is("null");
            case Json::value_t::boolean: return is("boolean");
            case Json::value_t::string: return is("string");
            case Json::value_t::number_integer:
            case Json::value_t::number_unsigned: return is("integer") || is("number");
            case Json::value_t::number_float: return is("number");
            default: return false;
        }
    }
    /// Not if it has keys that the struct does not have, or lacks ones that it must have.
    bool fits_record(const Json& node, const Json& value, std::size_t depth) {
        const Json* const properties = base::find_key(node, "properties");
        if (properties == nullptr || !value.is_object()) return value.is_object() && value.empty();
        if (const Json* const required = base::find_key(node, "required")) {
            for (const Json& key : *required) {
                if (key.is_string() && base::find_key(value, key.get_ref<const std::string&>()) == nullptr)
                    return false;
            }
        }
        for (const auto& [key, member] : value.get_ref<const Json::object_t&>()) {
            const Json* const property = base::find_key(*properties, key);
            if (property == nullptr) return false;
            const Json* const constant = base::find_key(*property, "const");
            if (constant != nullptr && !fits(*property, member, depth + 1)) return false;
        }
        return true;
    }
    static const Json& anything() {
        static const Json schema = true;
        return schema;
    }

    const Json& schema_;
    SchemaDefinitions definitions_;
    bool to_lists_;
    std::size_t steps_ = 0;
};

}  // namespace acta::inline ACTA_ABI::schema_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE Json maps_from_lists(const Json& schema, Json value) {
    return schema_detail::MapForm(schema, false).convert(std::move(value));
}

ACTA_INLINE Json lists_from_maps(const Json& schema, Json value) {
    return schema_detail::MapForm(schema, true).convert(std::move(value));
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::schema_detail {

using schema_introspection::FieldInfo;
using schema_introspection::TypeInfo;
using schema_introspection::TypeRef;

ACTA_INLINE std::string title_of(std::string_view key) {
    std::string title = unicode::python_title(key);
    for (char& c : title) {
        if (c == '_') c = ' ';
    }
    if (!title.empty() && ascii::is_alnum(title.front()) && ascii::is_alnum(title.back())) return title;
    // What `str.strip` removes: white space, and four control characters that Python counts as such.
    std::string_view text = title;
    const auto is_separator = [](char c) { return c >= '\x1c' && c <= '\x1f'; };
    for (std::size_t size = text.size() + 1; size != text.size();) {
        size = text.size();
        text = unicode::trim(text);
        while (!text.empty() && is_separator(text.front())) text.remove_prefix(1);
        while (!text.empty() && is_separator(text.back())) text.remove_suffix(1);
    }
    return std::string(text);
}

ACTA_INLINE std::string safe_name(std::string_view title) {
    std::string name;
    for (const char c : title) {
        if (utf8::is_continuation(c)) continue;
        name += ascii::is_alnum(c) || c == '.' || c == '-' ? c : '_';
    }
    return name;
}

/// Makes schemas as pydantic 2 does (`model_json_schema`, validation mode).
class SchemaBuilder {
public:
    explicit SchemaBuilder(const SchemaOptions& options) : options_(options) {}

    [[nodiscard]] JsonObject root(const TypeInfo& type) {
        const TypeInfo& info = resolve(type);
        JsonObject out;
        if (info.kind == introspection::Kind::record && info.own_schema == nullptr) {
            const std::string& name = names_[{&info, {}}] = def_name(info);
            out = record(info);
            // A type that contains itself is a definition like any other, and the root refers to it.
            if (recursive_.contains(&info)) {
                defs_[name] = std::move(out);
                out = reference(name);
            }
        } else {
            out = any(info);
        }
        if (defs_.empty()) return out;
        JsonObject whole;
        JsonObject defs;
        for (auto& [name, definition] : defs_) base::put(defs, name, std::move(definition));
        base::put(whole, "$defs", std::move(defs));
        for (auto& [key, value] : out) base::put(whole, key, std::move(value));
        return whole;
    }

private:
    static const TypeInfo& resolve(const TypeInfo& type) {
        const TypeInfo* info = &type;
        while (info->kind == introspection::Kind::represented && info->own_schema == nullptr) info = &info->element();
        return *info;
    }
    /// Structs and enums are referred to, and have no title where they are used.
    static bool is_definition(const TypeInfo& info) {
        return info.own_schema == nullptr &&
               (info.kind == introspection::Kind::record || info.kind == introspection::Kind::enumeration);
    }
    static bool takes_title(const TypeInfo& type) {
        const TypeInfo& info = resolve(type);
        if (info.kind == introspection::Kind::optional) return takes_title(info.element());
        return !is_definition(info);
    }
    [[nodiscard]] std::string ref(const std::string& name) const {
        std::string out = options_.ref_template;
        const std::size_t at = out.find("{model}");
        if (at != std::string::npos) out.replace(at, 7, name);
        return out;
    }
    /// Returns the name of a definition, which no other has.
    std::string def_name(const TypeInfo& info) {
        std::string name = safe_name(info.title());
        const std::string plain = name;
        for (int n = 2; !taken_.insert(name).second; ++n) name = plain + "_" + std::to_string(n);
        return name;
    }
    /// With `tag`, the definition of a member of a variant: its fixed field of that name is a constant and required.
    JsonObject definition(const TypeInfo& info, std::string_view tag = {}) {
        const auto known = names_.find({&info, tag});
        if (known != names_.end()) {
            if (defs_.find(known->second) == defs_.end()) recursive_.insert(&info);
            return reference(known->second);
        }
        const std::string name = def_name(info);
        names_[{&info, tag}] = name;
        JsonObject made = info.kind == introspection::Kind::record ? record(info, tag) : enumeration(info);
        defs_[name] = std::move(made);
        return reference(name);
    }

    // Each text becomes a value in one place, which keeps compiled code small.
    static JsonObject with_text(std::string_view key, std::string text) {
        JsonObject out;
        base::put(out, key, std::move(text));
        return out;
    }
    static JsonObject any_object() {
        JsonObject out;
        base::put(out, "additionalProperties", true);
        base::put(out, "type", base::text_json("object"));
        return out;
    }
    static JsonObject typed(std::string_view type) { return with_text("type", std::string(type)); }
    JsonObject reference(const std::string& name) const { return with_text("$ref", ref(name)); }

    static JsonObject enumeration(const TypeInfo& info) {
        JsonObject out;
        if (!info.doc.empty()) base::put(out, "description", base::text_json(info.doc));
        JsonArray values;
        for (const std::string_view value : info.values) values.push_back(base::text_json(value));
        base::put(out, "enum", std::move(values));
        base::put(out, "title", info.title());
        base::put(out, "type", base::text_json("string"));
        return out;
    }
    JsonObject record(const TypeInfo& info, std::string_view tag = {}) {
        JsonObject out;
        JsonObject properties;
        JsonArray required;
        if (!info.doc.empty()) base::put(out, "description", base::text_json(info.doc));
        for (const FieldInfo& field : info.fields) {
            if (field.hidden || field.presence == Presence::omit_if_empty) continue;
            const std::string key(options_.by_alias ? field.key : field.name);
            const bool is_tag = !tag.empty() && field.key == tag;
            base::put(properties, key, is_tag ? tag_property(field) : property(field, key));
            if (is_tag || field.presence == Presence::required) required.push_back(base::text_json(key));
        }
        base::put(out, "properties", std::move(properties));
        if (!required.empty()) base::put(out, "required", std::move(required));
        base::put(out, "title", info.title());
        base::put(out, "type", base::text_json("object"));
        return out;
    }
    static JsonObject tag_property(const FieldInfo& field) {
        JsonObject out{{"const", std::string(field.literal)}, {"title", title_of(field.key)}, {"type", "string"}};
        if (!field.doc.empty()) base::put(out, "description", base::text_json(field.doc));
        return out;
    }
    JsonObject property(const FieldInfo& field, const std::string& key) {
        JsonObject out;
        bool title = true;
        if (field.is_literal && field.type == nullptr) {
            out = with_text("const", std::string(field.literal));
            base::put(out, "type", base::text_json("string"));
            if (field.presence == Presence::defaulted) base::put(out, "default", base::text_json(field.literal));
        } else if (field.is_literal) {
            out = any(field.type());
            title = false;
            if (field.presence == Presence::defaulted) base::put(out, "default", base::text_json(field.literal));
        } else {
            out = any(field.type());
            title = takes_title(field.type());
            if (field.annotate != nullptr) annotate(field, out);
            if (field.default_value != nullptr) base::put(out, "default", field.default_value());
        }
        if (field.deprecated) base::put(out, "deprecated", true);
        if (!field.doc.empty()) base::put(out, "description", base::text_json(field.doc));
        if (title) base::put(out, "title", title_of(key));
        return out;
    }
    /// Options apply to the value itself, not to the choice between it and null.
    static void annotate(const FieldInfo& field, JsonObject& out) {
        Json schema = std::move(out);
        Json* target = &schema;
        if (resolve(field.type()).kind == introspection::Kind::optional) target = &schema["anyOf"][0];
        field.annotate(*target);
        out = std::move(schema.get_ref<Json::object_t&>());
    }
    JsonObject any(const TypeInfo& type) {
        const TypeInfo& info = resolve(type);
        if (info.own_schema != nullptr) {
            Json made = info.own_schema();
            return std::move(made.get_ref<Json::object_t&>());
        }
        switch (info.kind) {
            case introspection::Kind::boolean: return typed("boolean");
            case introspection::Kind::integer: return typed("integer");
            case introspection::Kind::real: return typed("number");
            case introspection::Kind::text: return typed("string");
            case introspection::Kind::object: return any_object();
            case introspection::Kind::optional:
            case introspection::Kind::variant: return choice(info);
            case introspection::Kind::sequence:
            case introspection::Kind::set:
            case introspection::Kind::fixed_array: return list(info);
            case introspection::Kind::tuple: return tuple(info);
            case introspection::Kind::ordered_map:
            case introspection::Kind::keyed_map: return map(info);
            case introspection::Kind::record:
            case introspection::Kind::enumeration: return definition(info);
            default: return {};
        }
    }
    /// Returns the fixed text of a member's field; empty if it has none.
    static std::string_view tag_of(const TypeInfo& member, std::string_view tag) {
        for (const FieldInfo& field : member.fields) {
            if (field.key == tag) return field.literal;
        }
        return {};
    }
    static bool has_distinct_tags(const TypeInfo& info) {
        std::set<std::string_view> tags;
        for (const TypeRef member : info.members) {
            if (info.tag.empty()) return false;
            if (member().kind == introspection::Kind::record && !tags.insert(tag_of(member(), info.tag)).second)
                return false;
        }
        return !tags.empty() && !tags.contains({});
    }
    /// Returns a union as pydantic writes one with a discriminator.
    JsonObject tagged_choice(const TypeInfo& info) {
        JsonArray choices;
        JsonObject mapping;
        for (const TypeRef member : info.members) {
            if (member().kind != introspection::Kind::record) continue;  // it takes unknown values
            JsonObject one = definition(member(), info.tag);
            base::put(mapping, std::string(tag_of(member(), info.tag)), Json(*base::find_key(one, "$ref")));
            choices.push_back(std::move(one));
        }
        JsonObject discriminator;
        base::put(discriminator, "mapping", std::move(mapping));
        base::put(discriminator, "propertyName", base::text_json(info.tag));
        JsonObject out;
        base::put(out, "discriminator", std::move(discriminator));
        base::put(out, "oneOf", std::move(choices));
        return out;
    }
    void add_choices(const TypeInfo& type, JsonArray& out) {
        const TypeInfo& info = resolve(type);
        if (info.kind == introspection::Kind::optional) {
            add_choices(info.element(), out);
            out.push_back(typed("null"));
        } else if (info.kind == introspection::Kind::variant && info.own_schema == nullptr &&
                   !has_distinct_tags(info)) {
            for (const TypeRef member : info.members) {
                if (info.tag.empty())
                    add_choices(member(), out);
                else if (member().kind ==
                         introspection::Kind::record)  // others take unknown values, which have no schema
                    out.push_back(definition(member(), info.tag));
            }
        } else {
            out.push_back(any(info));
        }
    }
    JsonObject choice(const TypeInfo& info) {
        if (info.kind == introspection::Kind::variant && has_distinct_tags(info)) return tagged_choice(info);
        JsonArray choices;
        add_choices(info, choices);
        JsonObject out;
        base::put(out, "anyOf", std::move(choices));
        return out;
    }
    JsonObject list(const TypeInfo& info) {
        JsonObject out;
        base::put(out, "items", any(info.element()));
        if (info.kind == introspection::Kind::fixed_array) {
            base::put(out, "maxItems", info.count);
            base::put(out, "minItems", info.count);
        }
        base::put(out, "type", base::text_json("array"));
        if (info.kind == introspection::Kind::set) base::put(out, "uniqueItems", true);
        return out;
    }
    JsonObject tuple(const TypeInfo& info) {
        JsonArray items;
        for (const TypeRef member : info.members) items.push_back(any(member()));
        JsonObject out;
        base::put(out, "maxItems", info.members.size());
        base::put(out, "minItems", info.members.size());
        base::put(out, "prefixItems", std::move(items));
        base::put(out, "type", base::text_json("array"));
        return out;
    }
    JsonObject map(const TypeInfo& info) {
        JsonObject value = any(info.element());
        JsonObject out;
        if (value.empty())
            base::put(out, "additionalProperties", true);
        else
            base::put(out, "additionalProperties", std::move(value));
        base::put(out, "type", base::text_json("object"));
        return out;
    }

    const SchemaOptions& options_;
    std::map<std::pair<const TypeInfo*, std::string_view>, std::string> names_{};
    std::set<const TypeInfo*> recursive_{};
    std::set<std::string> taken_{};
    std::map<std::string, JsonObject> defs_{};
};

}  // namespace acta::inline ACTA_ABI::schema_detail

namespace acta::inline ACTA_ABI::schema_introspection {

ACTA_INLINE Json make_schema(const TypeInfo& info, const SchemaOptions& options) {
    Json made = schema_detail::SchemaBuilder(options).root(info);
    if (options.dialect == SchemaDialect::pydantic) return made;
    SchemaOptions own = options;
    own.null_for_missing = false;
    return convert_schema(made, own);
}

ACTA_INLINE const Json* find_target(const Json& schema, const Json& part) {
    return schema_detail::SchemaDefinitions(schema).resolve(part);
}

}  // namespace acta::inline ACTA_ABI::schema_introspection
