// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/ascii.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utf8.hpp"
#include "acta/schema/convert.hpp"
#include "acta/schema/detail/names.hpp"
#include "acta/schema/introspection.hpp"

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
            const bool is_tag = field.is_literal && !tag.empty() && field.key == tag;
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
            case introspection::Kind::fixed_array: return list(info);
            case introspection::Kind::tuple: return tuple(info);
            case introspection::Kind::ordered_map:
            case introspection::Kind::keyed_map: return map(info);
            case introspection::Kind::record:
            case introspection::Kind::enumeration: return definition(info);
            default: return {};
        }
    }
    void add_choices(const TypeInfo& type, JsonArray& out) {
        const TypeInfo& info = resolve(type);
        if (info.kind == introspection::Kind::optional) {
            add_choices(info.element(), out);
            out.push_back(typed("null"));
        } else if (info.kind == introspection::Kind::variant && info.own_schema == nullptr) {
            for (const TypeRef member : info.members) {
                if (info.tag.empty())
                    add_choices(member(), out);
                else if (member().kind ==
                         introspection::Kind::record)  // others take unknown values, of which there is nothing to say
                    out.push_back(definition(member(), info.tag));
            }
        } else {
            out.push_back(any(info));
        }
    }
    JsonObject choice(const TypeInfo& info) {
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
    if (options.dialect != SchemaDialect::pydantic) return convert_schema(made, options);
    return made;
}

}  // namespace acta::inline ACTA_ABI::schema_introspection
