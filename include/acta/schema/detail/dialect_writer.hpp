// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/issue.hpp"
#include "acta/schema/detail/shape.hpp"
#include "acta/schema/schema.hpp"

namespace acta::inline ACTA_ABI::schema_detail {

/// Returns a keyword that may be changed; null if there is none.
inline Json* find_own(Json& node, std::string_view key) {
    auto* const object = node.get_ptr<Json::object_t*>();
    if (object == nullptr) return nullptr;
    for (auto& [name, value] : *object) {
        if (name == key) return &value;
    }
    return nullptr;
}

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
        if (const Json* const ref = base::find_key(node, "$ref")) {
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

    Json& definition(const std::string& name) { return schema_["$defs"][name]; }

    /// Adds the objects that a value of the node may be, through references and unions.
    void add_objects(Json& node, std::vector<Object>& out, std::set<std::string>& seen) {
        if (const Json* const ref = base::find_key(node, "$ref")) {
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

    /// Returns the values that a property can have besides null, if the schema lists them.
    static JsonArray constants_of(const Json& property) {
        if (const Json* const constant = base::find_key(property, "const")) return {*constant};
        JsonArray out;
        if (const Json* const values = base::find_key(property, "enum"); values != nullptr && values->is_array()) {
            for (const Json& value : *values) {
                if (!value.is_null()) out.push_back(value);
            }
        }
        return out;
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

// Schemas in other dialects, made from pydantic's.

/// Returns a schema, as converted, that also allows null.
inline Json with_null(Json schema) {
    const Json null = base::text_json("null");
    if (Json* const choices = find_own(schema, "anyOf")) {
        const auto is_null = [&null](const Json& one) {
            const Json* const type = base::find_key(one, "type");
            return type != nullptr && *type == null;
        };
        if (std::none_of(choices->begin(), choices->end(), is_null)) choices->push_back(typed("null"));
        return schema;
    }
    Json* const type = find_own(schema, "type");
    const bool is_scalar = type != nullptr && !has_type(schema, "object") && !has_type(schema, "array");
    if (!is_scalar) {
        Json out = base::new_object();
        Json* const title = find_own(schema, "title");
        Json* const description = find_own(schema, "description");
        const Json said[] = {title == nullptr ? Json() : *title, description == nullptr ? Json() : *description};
        JsonArray choices(1, std::move(schema));
        choices.push_back(typed("null"));
        base::put(out, "anyOf", Json(std::move(choices)));
        if (!said[0].is_null()) base::put(out, "title", said[0]);
        if (!said[1].is_null()) base::put(out, "description", said[1]);
        return out;
    }
    if (!has_type(schema, "null")) {
        JsonArray types = type->is_array() ? type->get_ref<const JsonArray&>() : JsonArray(1, *type);
        types.push_back(null);
        *type = Json(std::move(types));
    }
    Json* const values = find_own(schema, "enum");
    if (values != nullptr && std::find(values->begin(), values->end(), Json()) == values->end())
        values->push_back(Json());
    return schema;
}

/// Writes a schema by the rules of OpenAI's strict mode, or of Anthropic.
class DialectWriter {
public:
    DialectWriter(const Json& schema, const SchemaOptions& options, const DialectRules& rules)
        : schema_(schema), options_(options), rules_(rules), definitions_(schema) {}

    /// Both APIs require an object at the root, and no union: OpenAI's guide ("Root objects must not be anyOf and must
    /// be an object"); Anthropic answers "input_schema does not support oneOf, allOf, or anyOf at the top level". A
    /// reference at the root is written out, as it would be beside `$defs`.
    [[nodiscard]] Json write() {
        const Json top = root_of(schema_, definitions_);
        if (const Json* const title = base::find_key(top, "title"); title != nullptr && title->is_string())
            title_ = title->get_ref<const std::string&>();
        const SchemaShape shape = shape_of(top);
        const bool object = shape == SchemaShape::record || (shape == SchemaShape::map && !rules_.strict);
        if (!object) fail_root(shape);
        Json out = convert(top);
        if (!written_.empty()) {
            Json defs = base::new_object();
            for (auto& [name, definition] : written_) base::put(defs, name, std::move(definition));
            base::put(out, "$defs", std::move(defs));
        }
        if (rules_.strict) {
            if (has_unions_) FirstKeys(out, title_).arrange();
            OpenAiLimits(out).check();
        }
        return out;
    }

private:
    static constexpr std::size_t max_depth = 200;  // of the given schema; acta's own are far from it
    /// Beyond this number of nodes no more definitions are written out, so that types which use one another many times
    /// over do not make a schema that grows without bound.
    static constexpr std::size_t max_written_out = 20'000;

    /// Converts a node one step further down the path, which `SchemaError` has: keys, `*` for elements.
    Json convert_at(const std::string& key, const Json& node) {
        const std::size_t size = path_.size();
        path_ += '/';
        codec::append_pointer_key(path_, key);
        Json out = convert(node);
        path_.resize(size);
        return out;
    }

    Json convert(const Json& node) {
        if (depth_ >= max_depth) fail("nested too deep");
        ++depth_;
        ++nodes_;
        Json out = convert_shape(node);
        --depth_;
        return out;
    }
    Json convert_shape(const Json& node) {
        switch (shape_of(node)) {
            case SchemaShape::reference: return reference(node);
            case SchemaShape::intersection: return intersection(node);
            case SchemaShape::choice: return choice(node);
            case SchemaShape::record: return record(node);
            case SchemaShape::map: return map(node);
            case SchemaShape::list: return list(node);
            case SchemaShape::tuple: return tuple(node);
            case SchemaShape::scalar: return complete(scalar_type(node), node);
            case SchemaShape::any: return any(node);
            case SchemaShape::nothing: break;
        }
        fail("a schema that accepts no value");
    }

    /// Neither API is known to accept anything beside `$ref` ("$ref cannot have keywords"), so the definition is
    /// written out if there is something.
    Json reference(const Json& node) {
        const std::string name = definitions_.name_of(*base::find_key(node, "$ref"));
        if (definitions_.resolve(node) == nullptr)
            fail("a reference that leads nowhere, or through more than " +
                 std::to_string(SchemaDefinitions::max_references) + " in a row");
        const Json beside = complete(base::new_object(), node);
        if (beside.empty()) return refer_to(name);
        const bool endless = inside_.contains(name) || nodes_ > max_written_out;
        if (endless || !definitions_.at(name).is_object()) {
            Json out = base::new_object();
            base::put(out, "anyOf", Json(JsonArray(1, refer_to(name))));
            for (const auto& [key, value] : entries_of(beside)) base::put(out, key, value);
            return out;
        }
        inside_.insert(name);
        Json out = convert(merged(definitions_.at(name), node));
        inside_.erase(name);
        return out;
    }
    static Json reference_to(const std::string& name) {
        Json out = base::new_object();
        base::put(out, "$ref", base::text_json("#/$defs/" + escaped(name)));
        return out;
    }
    static std::string escaped(const std::string& name) {
        std::string out;
        codec::append_pointer_key(out, name);
        return out;
    }
    Json refer_to(const std::string& name) {
        if (!written_.contains(name)) {
            written_.try_emplace(name);
            const bool fresh = inside_.insert(name).second;
            Json made = convert(definitions_.at(name));
            if (fresh) inside_.erase(name);
            written_[name] = std::move(made);
        }
        return reference_to(name);
    }
    /// Not in OpenAI's subset, and closed objects could not be combined.
    Json intersection(const Json& node) {
        const Json& parts = *base::find_key(node, "allOf");
        if (!parts.is_array() || parts.size() != 1 || !parts[0].is_object()) fail("an intersection (allOf)");
        return convert(merged(parts[0], node));
    }
    /// `oneOf` becomes `anyOf`: the one is in neither subset, the other in both.
    Json choice(const Json& node) {
        if (base::find_key(node, "anyOf") != nullptr || base::find_key(node, "oneOf") != nullptr) {
            for (const char* const key : {"properties", "items", "prefixItems"}) {
                if (base::find_key(node, key) != nullptr) fail("a union with '" + std::string(key) + "' beside it");
            }
        }
        JsonArray choices;
        for (const Json& one : choices_of(node)) add_new(choices, convert(one));
        if (choices.empty()) fail("a union of nothing");
        if (choices.size() > 1) has_unions_ = true;
        Json out = base::new_object();
        base::put(out, "anyOf", Json(std::move(choices)));
        return complete(std::move(out), said_of_whole(node));
    }
    static constexpr std::string_view whole_keywords[] = {"title", "description", "default", "deprecated", "examples"};
    /// Returns the keywords that describe a union as a whole, and not its members.
    static Json said_of_whole(const Json& node) {
        Json out = base::new_object();
        if (!node.is_object()) return out;  // `true`
        for (const auto& [key, value] : entries_of(node)) {
            if (is_among(whole_keywords, key)) base::put(out, key, value);
        }
        return out;
    }
    static void add_new(JsonArray& list, Json value) {
        for (const Json& other : list) {
            if (other == value) return;
        }
        list.push_back(std::move(value));
    }

    /// Every object is closed. OpenAI: "All fields must be required", "additionalProperties: false must always be set
    /// in objects"; a key with a default is also required, since a `null` could not be read into it.
    Json record(const Json& node) {
        Json properties = base::new_object();
        JsonArray required;
        const Json* const wanted = base::find_key(node, "required");
        if (const Json* const all = base::find_key(node, "properties")) {
            for (const auto& [key, property] : entries_of(*all)) {
                Json made = convert_at(key, property);
                if (rules_.strict && becomes_nullable(property, key, wanted)) made = with_null(std::move(made));
                base::put(properties, key, std::move(made));
                required.push_back(base::text_json(key));
                if (rules_.strict && ++properties_ > OpenAiLimits::max_properties)
                    fail("more than " + std::to_string(OpenAiLimits::max_properties) + " properties");
            }
        }
        const Json* const extra = base::find_key(node, "additionalProperties");
        const bool open = extra != nullptr && (!extra->is_boolean() || base::boolean_of(*extra));
        if (open && rules_.strict) fail("an object with keys of any name beside named ones");
        Json out = typed("object");
        base::put(out, "properties", std::move(properties));
        if (rules_.strict)
            base::put(out, "required", Json(std::move(required)));
        else if (wanted != nullptr && wanted->is_array())
            base::put(out, "required", *wanted);
        if (open && extra->is_object())
            base::put(out, "additionalProperties", convert_at("*", *extra));
        else
            base::put(out, "additionalProperties", Json(open));
        return complete(std::move(out), node);
    }
    [[nodiscard]] bool becomes_nullable(const Json& property, const std::string& key, const Json* required) const {
        if (!options_.null_for_missing || !property.is_object()) return false;
        const Json* const value = base::find_key(property, "default");
        if (base::find_key(property, "const") != nullptr || (value != nullptr && !value->is_null())) return false;
        return required == nullptr || !required->is_array() ||
               std::find(required->begin(), required->end(), base::text_json(key)) == required->end();
    }
    Json map(const Json& node) {
        const Json* const found = base::find_key(node, "additionalProperties");
        const Json values = found != nullptr ? *found : Json(true);
        if (rules_.strict) {
            if (options_.maps == SchemaMaps::refuse)
                fail("an object with keys of any name", "; SchemaMaps::key_value_lists writes it as a list");
            return complete(entry_list(convert_at("*", values)), with_list_bounds(node));
        }
        Json out = typed("object");
        if (values.is_boolean())
            base::put(out, "additionalProperties", values);
        else
            base::put(out, "additionalProperties", convert_at("*", values));
        return complete(std::move(out), node);
    }
    /// Returns the bounds of a map's size as those of the list that it becomes.
    static Json with_list_bounds(const Json& node) {
        Json out = base::new_object();
        for (const auto& [key, value] : entries_of(node)) {
            const std::string_view name = key == "minProperties"   ? "minItems"
                                          : key == "maxProperties" ? "maxItems"
                                                                   : std::string_view(key);
            base::put(out, name, value);
        }
        return out;
    }
    Json list(const Json& node) {
        const Json* const items = base::find_key(node, "items");
        Json out = typed("array");
        if (items != nullptr || rules_.strict) base::put(out, "items", convert_at("*", items ? *items : Json(true)));
        return complete(std::move(out), node);
    }
    /// A tuple of one type is a list of fixed length. One of several types is an object with the positions as keys for
    /// OpenAI, if asked for, and a list of a union with the order in its description for Anthropic.
    Json tuple(const Json& node) {
        const Json& items = *base::find_key(node, "prefixItems");
        const bool uniform = is_uniform(items);
        if (rules_.strict && !uniform) {
            if (options_.maps == SchemaMaps::refuse)
                fail("a tuple of several types", "; SchemaMaps::key_value_lists writes it as an object");
            Json fields = base::new_object();
            for (std::size_t i = 0; i < items.size(); ++i) base::put(fields, std::to_string(i), items[i]);
            Json as_record = said_of_whole(node);
            JsonArray all;
            for (const auto& [position, item] : entries_of(fields)) all.push_back(base::text_json(position));
            base::put(as_record, "properties", std::move(fields));
            base::put(as_record, "required", Json(std::move(all)));
            return record(as_record);
        }
        Json out = typed("array");
        if (uniform) {
            base::put(out, "items", convert_at("*", items[0]));
            return complete(std::move(out), node);
        }
        Json either = base::new_object();
        base::put(either, "anyOf", items);
        std::string order;
        for (const Json& one : items) order += (order.empty() ? "" : ", ") + short_name(one);
        base::put(out, "items", convert_at("*", either));
        return complete(std::move(out), node, "in this order: " + order);
    }
    Json any(const Json& node) {
        if (!rules_.strict) return complete(base::new_object(), node);
        if (options_.maps == SchemaMaps::refuse)
            fail("a value of any type", "; SchemaMaps::key_value_lists writes it as a union of all types");
        const Json& definition = any_value();
        Json said = complete(base::new_object(), said_of_whole(node));
        if (said.empty()) return reference_to(any_name_);
        for (const auto& [key, value] : entries_of(definition)) put_new(said, key, value);
        return said;
    }

    /// Any JSON value: a definition that contains itself, which strict mode allows ("Recursive schemas are supported").
    /// Its objects are `{"entries": [{key, value}]}`, so that they differ from lists of entries.
    const Json& any_value() {
        if (any_name_.empty()) {
            any_name_ = "AnyValue";
            for (int n = 2; definitions_.contains(any_name_); ++n) any_name_ = "AnyValue_" + std::to_string(n);
            const Json itself = reference_to(any_name_);
            JsonArray choices;
            for (const char* const type : {"string", "number", "boolean", "null"}) choices.push_back(typed(type));
            choices.push_back(typed("array"));
            base::put(choices.back(), "items", itself);
            Json object = base::new_object();
            base::put(object, "entries", entry_list(itself));
            choices.push_back(closed(std::move(object)));
            Json definition = base::new_object();
            base::put(definition, "anyOf", Json(std::move(choices)));
            written_[any_name_] = std::move(definition);
        }
        return written_[any_name_];
    }

    /// Returns the type if there are only values of it: OpenAI requires one ("schema must have a 'type' key").
    Json scalar_type(const Json& node) const {
        Json out = base::new_object();
        if (base::find_key(node, "type") != nullptr) return out;
        JsonArray types;
        const auto add = [&types](const Json& value) {
            add_new(types, base::text_json(value.is_number_integer() ? "integer" : value.type_name()));
        };
        if (const Json* const all = base::find_key(node, "enum"); all != nullptr && all->is_array())
            for (const Json& value : *all) add(value);
        if (const Json* const one = base::find_key(node, "const")) add(*one);
        if (types.empty()) fail("an enum without values");
        if (types.size() == 1) base::put(out, "type", types.front());
        if (types.size() > 1) base::put(out, "type", Json(std::move(types)));
        return out;
    }
    static std::string short_name(const Json& node) {
        if (const Json* const ref = base::find_key(node, "$ref"); ref != nullptr && ref->is_string()) {
            const std::string& text = ref->get_ref<const std::string&>();
            return text.substr(text.rfind('/') + 1);
        }
        if (const Json* const type = base::find_key(node, "type"); type != nullptr && type->is_string())
            return type->get_ref<const std::string&>();
        std::string out;
        if (const Json* const choices = base::find_key(node, "anyOf")) {
            for (const Json& one : *choices) out += (out.empty() ? "" : " or ") + short_name(one);
        }
        return out.empty() ? "any value" : out;
    }

    /// Adds to a node the keywords about its values: those that the dialect accepts as they are, the others in the
    /// description.
    Json complete(Json out, const Json& node, std::string note = {}) {
        if (!node.is_object()) return out;
        std::string text;
        for (const auto& [key, value] : entries_of(node)) {
            if (key == "description" && value.is_string())
                text = value.get_ref<const std::string&>();
            else if (is_among(written_keywords, key) || is_among(ignored_keywords, key) || key == "title")
                continue;
            else if (takes_keyword(rules_, key, value))
                put_new(out, key, value);
            else if (!says_nothing(key, value, node))
                add_note(note, key, value);
        }
        if (const Json* const title = base::find_key(node, "title");
            title != nullptr && base::find_key(node, "$ref") == nullptr)
            put_new(out, "title", *title);
        if (!note.empty()) text += (text.empty() ? "(" : " (") + note + ")";
        if (!text.empty()) put_new(out, "description", base::text_json(text));
        return out;
    }
    static constexpr std::string_view written_keywords[] = {"$ref",         "anyOf",       "oneOf",
                                                            "allOf",        "properties",  "required",
                                                            "items",        "prefixItems", "additionalProperties",
                                                            "discriminator"};

    /// A default of null adds nothing to a type that may be null, nor does the only value of a constant.
    static bool says_nothing(const std::string& key, const Json& value, const Json& node) {
        if (key != "default") return false;
        const Json* const constant = base::find_key(node, "const");
        return value.is_null() || (constant != nullptr && *constant == value);
    }
    static void add_note(std::string& note, const std::string& key, const Json& value) {
        if (!note.empty()) note += ", ";
        note += key;
        const bool flag = key == "deprecated" || key == "uniqueItems";  // they say all without a value
        if (flag && value.is_boolean() && base::boolean_of(value)) return;
        note += ": " + value.dump(-1, ' ', false, Json::error_handler_t::replace);
    }

    [[noreturn]] void fail_root(SchemaShape shape) const {
        const char* const what = shape == SchemaShape::choice ? "a union" : "not an object with named keys";
        throw SchemaError((title_.empty() ? std::string() : title_ + ": ") + "the root of the schema is " + what +
                              "; " + std::string(rules_.name) +
                              " accepts only an object with named keys there, so make it a field of a struct",
                          {});
    }
    [[noreturn]] void fail(const std::string& what, const char* advice = "") const {
        std::string where = title_ + path_;
        if (where.empty()) where = "the root";
        throw SchemaError(where + ": " + what + " cannot be expressed for " + std::string(rules_.name) + advice, path_);
    }

    const Json& schema_;
    const SchemaOptions& options_;
    const DialectRules& rules_;
    SchemaDefinitions definitions_;
    std::string title_{};
    std::string path_{};
    std::size_t depth_ = 0;
    std::size_t nodes_ = 0;
    std::size_t properties_ = 0;
    bool has_unions_ = false;
    std::set<std::string> inside_{};  // definitions around the present node
    std::map<std::string, Json> written_{};
    std::string any_name_{};
};

}  // namespace acta::inline ACTA_ABI::schema_detail
