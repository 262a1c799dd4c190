// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/json/codec.hpp"
#include "acta/schema/detail/shape.hpp"

namespace acta::inline ACTA_ABI::schema_detail {

/// OpenAI's strict mode refuses a union of objects that cannot be distinguished by their beginnings: "Objects provided
/// via 'anyOf' must not share identical first keys. Consider adding a discriminator key or rearranging the properties
/// to ensure the first key is unique" (https://github.com/openai/openai-python/issues/2193).
///
/// If the objects of a union share a first key, a key that has a different constant in each of them is moved to the
/// front; without one there is a `SchemaError`. The order of other keys is kept, as a model writes them in that order.
class FirstKeys {
public:
    FirstKeys(Json& schema, std::string_view title) : schema_(schema), definitions_(schema), title_(title) {}

    void arrange() {
        walk(schema_, &FirstKeys::plan);
        if (!found_alike_) return;
        for (auto& [object, key] : moves_) move_to_front(*object, key);
        entered_.clear();
        path_.clear();
        walk(schema_, &FirstKeys::check);
    }

private:
    /// The entries of an object's schema, which stay where they are when the schema itself is moved.
    using Object = Json::object_t*;
    using Visit = void (FirstKeys::*)(const std::vector<Object>& objects);

    /// Visits every union, each definition once, from where it is first referred to.
    void walk(Json& node, Visit visit) {
        if (!node.is_object()) return;
        if (const Json* const ref = find_keyword(node, "$ref")) {
            const std::string name = definitions_.name_of(*ref);
            if (!name.empty() && entered_.insert(name).second) walk(definition(name), visit);
            return;
        }
        if (Json* const choices = find_own(node, "anyOf")) {
            std::vector<Object> objects;
            std::set<std::string> seen;
            add_objects(node, objects, seen);
            (this->*visit)(objects);
            for (Json& one : *choices) walk(one, visit);
        }
        if (Json* const items = find_own(node, "items")) walk_at("*", *items, visit);
        if (Json* const properties = find_own(node, "properties")) {
            for (auto& [key, property] : properties->get_ref<Json::object_t&>()) walk_at(key, property, visit);
        }
    }
    void walk_at(const std::string& key, Json& node, Visit visit) {
        const std::size_t size = path_.size();
        path_ += '/';
        codec::append_pointer_key(path_, key);
        walk(node, visit);
        path_.resize(size);
    }
    static Json* find_own(Json& node, std::string_view key) {
        auto* const object = node.get_ptr<Json::object_t*>();
        if (object == nullptr) return nullptr;
        for (auto& [name, value] : *object) {
            if (name == key) return &value;
        }
        return nullptr;
    }
    Json& definition(const std::string& name) { return schema_["$defs"][name]; }

    /// Adds the objects that a value of the node may be, through references and unions.
    void add_objects(Json& node, std::vector<Object>& out, std::set<std::string>& seen) {
        if (const Json* const ref = find_keyword(node, "$ref")) {
            const std::string name = definitions_.name_of(*ref);
            if (!name.empty() && seen.insert(name).second) add_objects(definition(name), out, seen);
        } else if (Json* const choices = find_own(node, "anyOf")) {
            for (Json& one : *choices) add_objects(one, out, seen);
        } else if (const Json* const properties = find_own(node, "properties");
                   properties != nullptr && !properties->empty()) {
            out.push_back(node.get_ptr<Json::object_t*>());
        }
    }

    static Json::object_t& properties_of(Json::object_t& object) {
        return std::find_if(object.begin(), object.end(), [](const auto& entry) { return entry.first == "properties"; })
            ->second.template get_ref<Json::object_t&>();
    }

    /// Returns the values that a property can have, if the schema lists them.
    static JsonArray constants_of(const Json& property) {
        if (const Json* const constant = find_keyword(property, "const")) return {*constant};
        if (const Json* const values = find_keyword(property, "enum"); values != nullptr && values->is_array())
            return values->get_ref<const JsonArray&>();
        return {};
    }
    static bool are_distinct(const Json* a, const Json* b) {
        if (a == nullptr || b == nullptr) return false;
        const JsonArray of_a = constants_of(*a);
        const JsonArray of_b = constants_of(*b);
        return !of_a.empty() && !of_b.empty() &&
               std::find_first_of(of_a.begin(), of_a.end(), of_b.begin(), of_b.end()) == of_a.end();
    }
    static bool begin_alike(const Json::object_t& a, const Json::object_t& b) {
        return a.front().first == b.front().first && !are_distinct(&a.front().second, &b.front().second);
    }
    /// Calls `fits` with all pairs until it returns false; returns whether it did not.
    template <class Fits>
    static bool all_pairs(const std::vector<Object>& objects, Fits fits) {
        for (std::size_t i = 0; i < objects.size(); ++i) {
            for (std::size_t j = 0; j < i; ++j) {
                if (!fits(properties_of(*objects[j]), properties_of(*objects[i]))) return false;
            }
        }
        return true;
    }

    void plan(const std::vector<Object>& objects) {
        if (all_pairs(objects, [](const auto& a, const auto& b) { return !begin_alike(a, b); })) return;
        found_alike_ = true;
        for (const auto& [key, property] : properties_of(*objects.front())) {
            const bool discriminates = all_pairs(objects, [&name = key](const auto& a, const auto& b) {
                return are_distinct(base::find_key(a, name), base::find_key(b, name));
            });
            if (!discriminates) continue;
            for (const auto& one : objects) moves_.emplace_back(one, key);
            return;
        }
    }
    static void move_to_front(Json::object_t& object, const std::string& key) {
        Json::object_t& properties = properties_of(object);
        Json::object_t moved;
        moved.reserve(properties.size());
        for (auto& [name, property] : properties) {
            if (name == key) base::put(moved, name, std::move(property));
        }
        for (auto& [name, property] : properties) {
            if (name != key) base::put(moved, name, std::move(property));
        }
        properties.swap(moved);
        JsonArray required;  // all of them, in strict mode
        required.reserve(properties.size());
        for (const auto& [name, property] : properties) required.push_back(base::text_json(name));
        for (auto& [keyword, value] : object) {
            if (keyword != "required") continue;
            value = std::move(required);
            break;
        }
    }
    void check(const std::vector<Object>& objects) {
        all_pairs(objects, [this](const auto& a, const auto& b) {
            if (begin_alike(a, b)) fail(a.front().first);
            return true;
        });
    }
    [[noreturn]] void fail(const std::string& key) const {
        std::string where = title_ + path_;
        if (where.empty()) where = "the root";
        throw SchemaError(where + ": a union of objects that begin with the same key '" + key +
                              "' cannot be expressed for OpenAI's strict mode; let another field come first in one of "
                              "them, or give each a constant that the others do not have",
                          path_);
    }

    Json& schema_;
    SchemaDefinitions definitions_;
    std::string title_;
    std::string path_{};
    bool found_alike_ = false;
    std::set<std::string> entered_{};
    std::vector<std::pair<Object, std::string>> moves_{};
};

}  // namespace acta::inline ACTA_ABI::schema_detail
