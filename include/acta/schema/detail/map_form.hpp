// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <map>
#include <string>
#include <utility>

#include "acta/base/json_value.hpp"
#include "acta/schema/detail/shape.hpp"

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
        const Json* const properties = find_keyword(node, "properties");
        if (properties == nullptr || !value.is_object()) return;
        for (auto& [key, member] : value.get_ref<Json::object_t&>()) {
            const Json* const property = find_keyword(*properties, key);
            if (property != nullptr) member = convert(*property, std::move(member), depth + 1);
        }
    }
    void convert_list(const Json& node, Json& value, std::size_t depth) {
        const Json* const items = find_keyword(node, "items");
        if (!value.is_array()) return;
        for (Json& one : value) one = convert(items != nullptr ? *items : anything(), std::move(one), depth + 1);
    }
    Json convert_map(const Json& node, Json value, std::size_t depth) {
        const Json* const extra = find_keyword(node, "additionalProperties");
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
        } else if (const Json* const entries = find_keyword(value, "entries")) {
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
            const Json* const key = find_keyword(entry, "key");
            if (key == nullptr || !key->is_string() || entry.size() != 2 || find_keyword(entry, "value") == nullptr)
                return false;
        }
        return true;
    }
    static bool fits_tuple(const Json& items, const Json& value) {
        if (!value.is_object() || value.size() != items.size()) return false;
        for (std::size_t i = 0; i < items.size(); ++i) {
            if (find_keyword(value, std::to_string(i)) == nullptr) return false;
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
                const Json* const items = find_keyword(*node, "items");
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
        const Json* const values = find_keyword(node, "additionalProperties");
        if (value.empty() || values == nullptr) return true;
        return fits(*values, to_lists_ ? value.front() : value[0]["value"], depth + 1);
    }
    static bool fits_scalar(const Json& node, const Json& value) {
        const auto is = [&](const char* type) { return has_type(node, type); };
        if (const Json* const constant = find_keyword(node, "const"); constant != nullptr && *constant != value)
            return false;
        if (find_keyword(node, "type") == nullptr) return true;
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
        const Json* const properties = find_keyword(node, "properties");
        if (properties == nullptr || !value.is_object()) return value.is_object() && value.empty();
        if (const Json* const required = find_keyword(node, "required")) {
            for (const Json& key : *required) {
                if (key.is_string() && find_keyword(value, key.get_ref<const std::string&>()) == nullptr) return false;
            }
        }
        for (const auto& [key, member] : value.get_ref<const Json::object_t&>()) {
            const Json* const property = find_keyword(*properties, key);
            if (property == nullptr) return false;
            const Json* const constant = find_keyword(*property, "const");
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
