// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/schema/schema.hpp"

// The rules of the schema dialects as checks, written from the documents and not from the library: each returns what
// is wrong with a schema.
namespace schema_checks {

using acta::Json;
using Problems = std::vector<std::string>;

inline const Json* get(const Json& node, const char* key) {
    if (!node.is_object()) return nullptr;
    const auto found = node.find(key);
    return found == node.end() ? nullptr : &*found;
}

/// Walks the nodes of a schema, each once, with its JSON pointer.
template <class Visit>
void each_node(const Json& node, const std::string& where, const Visit& visit) {
    visit(node, where);
    for (const char* const key : {"items", "additionalProperties"}) {
        const Json* const child = get(node, key);
        if (child != nullptr && child->is_object()) each_node(*child, where + "/" + key, visit);
    }
    for (const char* const key : {"anyOf", "oneOf", "allOf", "prefixItems"}) {
        const Json* const list = get(node, key);
        for (std::size_t i = 0; list != nullptr && i < list->size(); ++i)
            each_node((*list)[i], where + "/" + key + "/" + std::to_string(i), visit);
    }
    for (const char* const key : {"properties", "$defs"}) {
        const Json* const map = get(node, key);
        if (map == nullptr) continue;
        for (const auto& [name, child] : map->items()) each_node(child, where + "/" + key + "/" + name, visit);
    }
}

/// References lead somewhere, nothing is beside them, and no definition is unused.
inline void check_references(const Json& schema, bool alone, Problems& out) {
    std::set<std::string> unused;
    if (const Json* const defs = get(schema, "$defs")) {
        for (const auto& [name, definition] : defs->items()) unused.insert(name);
    }
    const std::set<std::string> known = unused;
    each_node(schema, "", [&](const Json& node, const std::string& where) {
        const Json* const ref = get(node, "$ref");
        if (ref == nullptr) return;
        const std::string text = ref->get<std::string>();
        const std::string name = text.starts_with("#/$defs/") ? text.substr(8) : std::string();
        if (known.count(name) == 0) out.push_back(where + ": " + text + " leads nowhere");
        if (alone && node.size() != 1) out.push_back(where + ": something is beside $ref");
        unused.erase(name);
    });
    for (const std::string& name : unused) out.push_back("$defs/" + name + " is not used");
}

inline void check_keys(const Json& schema, const std::set<std::string>& allowed, Problems& out) {
    each_node(schema, "", [&](const Json& node, const std::string& where) {
        if (!node.is_object()) {
            out.push_back(where + ": is not an object");
            return;
        }
        for (const auto& [key, value] : node.items()) {
            const bool root_only = key == "$defs" && where.empty();
            if (!root_only && allowed.count(key) == 0) out.push_back(where + ": has " + key);
        }
    });
}

/// Objects and lists on the longest way down, each definition entered once on a way.
inline int levels(const Json& schema, const Json& node, std::vector<std::string> inside = {}) {
    if (const Json* const ref = get(node, "$ref")) {
        const std::string name = ref->get<std::string>().substr(8);
        if (std::find(inside.begin(), inside.end(), name) != inside.end()) return 0;
        inside.push_back(name);
        return levels(schema, schema["$defs"][name], inside);
    }
    int most = 0;
    if (const Json* const list = get(node, "anyOf")) {
        for (const Json& one : *list) most = std::max(most, levels(schema, one, inside));
    }
    if (const Json* const items = get(node, "items")) most = std::max(most, 1 + levels(schema, *items, inside));
    if (const Json* const properties = get(node, "properties")) {
        most = std::max(most, 1);
        for (const Json& one : *properties) most = std::max(most, 1 + levels(schema, one, inside));
    }
    return most;
}

/// Objects of one union begin with different keys, or with different constants.
inline void check_first_keys(const Json& schema, Problems& out) {
    const auto objects_of = [&schema](const Json& choices, const auto& self) -> std::vector<const Json*> {
        std::vector<const Json*> found;
        for (const Json& choice : choices) {
            const Json* const ref = get(choice, "$ref");
            const Json& one = ref != nullptr ? schema["$defs"][ref->get<std::string>().substr(8)] : choice;
            if (const Json* const properties = get(one, "properties"); properties != nullptr && !properties->empty())
                found.push_back(properties);
            if (const Json* const inner = get(one, "anyOf")) {
                for (const Json* const other : self(*inner, self)) found.push_back(other);
            }
        }
        return found;
    };
    each_node(schema, "", [&](const Json& node, const std::string& where) {
        const Json* const choices = get(node, "anyOf");
        if (choices == nullptr || where.ends_with("AnyValue")) return;  // a union that contains itself
        std::set<std::string> beginnings;
        for (const Json* const properties : objects_of(*choices, objects_of)) {
            const Json& first = properties->front();
            const std::string constant = first.contains("const") ? first["const"].dump() : std::string();
            if (!beginnings.insert(properties->begin().key() + constant).second)
                out.push_back(where + ": two objects begin alike");
        }
    });
}

/// https://developers.openai.com/api/docs/guides/structured-outputs#supported-schemas
inline Problems openai_problems(const Json& schema) {
    Problems out;
    if (schema.value("type", "") != "object" || schema.contains("anyOf") || schema.contains("$ref"))
        out.emplace_back("the root is not an object");
    check_first_keys(schema, out);
    check_keys(schema,
               {"type",
                "enum",
                "const",
                "pattern",
                "format",
                "multipleOf",
                "minimum",
                "maximum",
                "exclusiveMinimum",
                "exclusiveMaximum",
                "minItems",
                "maxItems",
                "properties",
                "required",
                "additionalProperties",
                "items",
                "anyOf",
                "$ref",
                "title",
                "description"},
               out);
    check_references(schema, true, out);
    static const std::set<std::string> formats{"date-time", "time", "date", "duration", "email",
                                               "hostname",  "ipv4", "ipv6", "uuid"};
    std::size_t properties = 0;
    std::size_t values = 0;
    std::size_t characters = 0;
    each_node(schema, "", [&](const Json& node, const std::string& where) {
        if (!node.contains("type") && !node.contains("anyOf") && !node.contains("$ref"))
            out.push_back(where + ": has no type");
        if (node.value("type", Json()) == "object") {
            Json keys = Json::array();
            const Json all = node.value("properties", Json::object());
            for (const auto& [key, property] : all.items()) {
                keys.push_back(key);
                characters += key.size();
            }
            properties += keys.size();
            if (!node.contains("properties") || node.value("required", Json()) != keys)
                out.push_back(where + ": not every key is required");
            if (node.value("additionalProperties", Json()) != false) out.push_back(where + ": is not closed");
        }
        if (node.value("type", Json()) == "array" && !node.contains("items")) out.push_back(where + ": has no items");
        if (node.contains("format") && formats.count(node["format"].get<std::string>()) == 0)
            out.push_back(where + ": has a format that is not taken");
        if (node.contains("enum")) values += node["enum"].size();
        for (const Json& value : node.value("enum", Json::array()))
            characters += value.is_null() ? 0 : value.get<std::string>().size();
        if (node.contains("const")) characters += node["const"].get<std::string>().size();
    });
    if (properties > 5000 || values > 1000 || characters > 120000) out.emplace_back("is too large");
    if (levels(schema, schema) > 10) out.emplace_back("is too deep");
    return out;
}

/// https://platform.claude.com/docs/en/build-with-claude/structured-outputs#json-schema-limitations, but for maps, any
/// values and recursion, which tools may have.
inline Problems anthropic_problems(const Json& schema) {
    Problems out;
    if (schema.value("type", "") != "object") out.emplace_back("the root is not an object");
    for (const char* const key : {"anyOf", "oneOf", "allOf"}) {
        if (schema.contains(key)) out.push_back(std::string("the root has ") + key);
    }
    check_keys(schema,
               {"type", "enum", "const", "default", "pattern", "format", "minItems", "properties", "required",
                "additionalProperties", "items", "anyOf", "$ref", "title", "description"},
               out);
    check_references(schema, true, out);
    each_node(schema, "", [&](const Json& node, const std::string& where) {
        if (node.contains("properties") && node.value("additionalProperties", Json()) != false)
            out.push_back(where + ": is not closed");
        if (node.contains("minItems") && node["minItems"] != 0 && node["minItems"] != 1)
            out.push_back(where + ": has minItems");
    });
    return out;
}

/// schema.ts of 2025-11-25, `Tool`: `type: "object"` at the root of both schemas.
inline Problems mcp_problems(const Json& schema) {
    Problems out;
    if (schema.value("type", "") != "object") out.emplace_back("the root is not an object");
    check_references(schema, false, out);
    return out;
}

/// The path and the text of the error that `make` ends in.
template <class Make>
std::pair<std::string, std::string> error_of(const Make& make) {
    try {
        static_cast<void>(make());
    } catch (const acta::SchemaError& error) {
        return {error.path(), error.what()};
    }
    return {"", "no error"};
}

}  // namespace schema_checks
