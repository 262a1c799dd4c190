// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <deque>
#include <limits>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/utility.hpp"
#include "acta/describe/pattern.hpp"
#include "acta/json/codec.hpp"
#include "acta/schema/detail/uri.hpp"
#include "acta/schema/validator.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::schema_detail {

struct SchemaNode;

/// A regular expression of a schema.
struct SchemaPattern {
    std::string text{};
    std::optional<describe_extension::PatternMatcher> matcher{};  // nothing if it cannot be used
    std::string fault{};                                          // why not
};

/// A schema that applies to what a pattern or name selects.
template <class Selector>
using Selected = std::pair<Selector, const SchemaNode*>;

/// One schema, prepared: its keywords, and the schemas that it applies. Those that are absent are null or empty.
struct SchemaNode {
    static constexpr std::size_t unbounded = std::numeric_limits<std::size_t>::max();
    bool is_false = false;               // the schema `false`
    std::string fault{};                 // why no value can be checked with it
    JsonArray types{};                   // names
    std::optional<JsonArray> allowed{};  // `enum`, or `const` as one value
    std::optional<Json> minimum{}, above{}, maximum{}, below{}, multiple_of{};
    std::size_t min_length = 0, max_length = unbounded;
    std::size_t min_items = 0, max_items = unbounded;
    std::size_t min_contains = 1, max_contains = unbounded;
    std::size_t min_properties = 0, max_properties = unbounded;
    bool unique = false;
    std::optional<SchemaPattern> pattern{};
    std::vector<const SchemaNode*> prefix{}, any_of{}, one_of{};
    std::vector<const SchemaNode*> all_of{};  // also what `$ref` means
    const SchemaNode* items = nullptr;        // of those after `prefix`
    const SchemaNode* contains = nullptr;
    const SchemaNode* additional = nullptr;
    const SchemaNode* names = nullptr;
    const SchemaNode* unevaluated_items = nullptr;
    const SchemaNode* unevaluated_properties = nullptr;
    const SchemaNode* negated = nullptr;
    const SchemaNode *condition = nullptr, *then = nullptr, *otherwise = nullptr;
    std::vector<Selected<std::string>> properties{};  // sorted by name
    std::vector<Selected<SchemaPattern>> patterns{};
    std::vector<Selected<std::string>> dependent{};
    std::vector<std::string> required{};
    std::vector<std::pair<std::string, std::vector<std::string>>> dependent_required{};

    /// Whether it asks which elements other schemas have been applied to.
    [[nodiscard]] bool asks_evaluated() const noexcept {
        return unevaluated_items != nullptr || unevaluated_properties != nullptr;
    }
    /// Whether it asks anything of each key of an object.
    [[nodiscard]] bool asks_keys() const noexcept {
        return !properties.empty() || !patterns.empty() || additional != nullptr || names != nullptr;
    }
};

struct CompiledSchema {
    Json document{};
    std::deque<SchemaNode> nodes{};
    const SchemaNode* root = nullptr;
};

/// The keywords with schemas: in an object by name, or one, or a list of them.
inline constexpr std::string_view keywords_of_named_schemas[] = {
    "$defs", "definitions", "properties", "patternProperties", "dependentSchemas", "dependencies"};
inline constexpr std::string_view keywords_of_schemas[] = {"allOf",
                                                           "anyOf",
                                                           "oneOf",
                                                           "prefixItems",
                                                           "items",
                                                           "additionalItems",
                                                           "contains",
                                                           "additionalProperties",
                                                           "propertyNames",
                                                           "unevaluatedItems",
                                                           "unevaluatedProperties",
                                                           "not",
                                                           "if",
                                                           "then",
                                                           "else"};

/// Prepares a schema (https://json-schema.org/draft/2020-12/json-schema-core,
/// https://json-schema.org/draft-07/json-schema-core). The keywords are in the order of the specification.
class SchemaCompiler {
public:
    SchemaCompiler(CompiledSchema& out, MalformedKeywords malformed) : out_(out), malformed_(malformed) {}

    void compile() {
        read_draft();
        resources_[""] = &out_.document;
        index(out_.document, "", "", 0);
        out_.root = node_of(out_.document, base_at(out_.document, ""), "");
        while (!waiting_.empty()) {
            const Waiting next = std::move(waiting_.back());
            waiting_.pop_back();
            fill(*next.node, *next.schema, next.base, next.pointer);
        }
        out_.nodes.front().fault += other_draft_;
    }

private:
    struct Waiting {
        SchemaNode* node;
        const Json* schema;
        std::string base;
        std::string pointer;
    };

    [[noreturn]] static void fail(const std::string& pointer, std::string_view what) {
        throw SchemaError(base::concat({"JSON schema: '", pointer.empty() ? "/" : pointer, "' ", what}), pointer);
    }
    /// Returns false, for a keyword that is ignored.
    bool malformed(const std::string& pointer, std::string_view what) const {
        if (malformed_ == MalformedKeywords::refuse) fail(pointer, what);
        return false;
    }

    /// Reads which draft a schema says that it follows. Of others, no value can be checked.
    void read_draft() {
        const Json* const named = base::find_key(out_.document, "$schema");
        if (named == nullptr) return;
        if (!named->is_string()) {
            malformed("/$schema", "should be a text");
            return;
        }
        std::string_view name = base::text_of(*named);
        if (name.ends_with('#')) name.remove_suffix(1);
        const std::size_t scheme = name.starts_with("https://") ? 8 : name.starts_with("http://") ? 7 : 0;
        name.remove_prefix(scheme);
        is_draft_07_ = name == "json-schema.org/draft-07/schema";
        if (!is_draft_07_ && name != "json-schema.org/draft/2020-12/schema")
            other_draft_ = base::concat({"it is of '", base::text_of(*named), "', not of draft 2020-12 or draft-07"});
    }

    [[nodiscard]] static std::string at(const std::string& pointer, std::string_view key) {
        std::string out = pointer + '/';
        codec::append_pointer_key(out, key);
        return out;
    }

    // Names -----------------------------------------------------------------------------------------------------------

    [[nodiscard]] const std::string& base_at(const Json& schema, const std::string& around) const {
        const auto found = bases_.find(&schema);
        return found == bases_.end() ? around : found->second;
    }

    /// Notes the identifiers and anchors of a schema and of those in it.
    void index(const Json& schema, std::string around, const std::string& pointer, std::size_t depth) {
        if (depth > max_nesting) fail(pointer, "is nested too deep");
        if (!schema.is_object()) return;
        const bool is_reference = is_draft_07_ && base::find_key(schema, "$ref") != nullptr;
        const Json* const id = base::find_key(schema, "$id");
        if (id != nullptr && id->is_string() && !is_reference) {
            const std::string uri = resolved_uri(around, base::text_of(*id));
            const std::size_t hash = uri.find('#');
            if (hash != std::string::npos && hash + 1 < uri.size())
                anchors_.emplace(uri, &schema);  // draft-07's anchor
            if (hash != 0 && !base::text_of(*id).starts_with('#')) {
                around = uri.substr(0, hash);
                bases_[&schema] = around;
                resources_.emplace(around, &schema);
            }
        }
        for (const char* const keyword : {"$anchor", "$dynamicAnchor"}) {
            const Json* const name = is_draft_07_ ? nullptr : base::find_key(schema, keyword);
            if (name != nullptr && name->is_string())
                anchors_.emplace(base::concat({around, "#", base::text_of(*name)}), &schema);
        }
        for (const std::string_view keyword : keywords_of_named_schemas) {
            const Json* const all = base::find_key(schema, keyword);
            if (all == nullptr || !all->is_object()) continue;
            for (const auto& [name, one] : base::object_of(*all))
                index(one, around, at(at(pointer, keyword), name), depth + 1);
        }
        for (const std::string_view keyword : keywords_of_schemas) {
            const Json* const value = base::find_key(schema, keyword);
            if (value == nullptr) continue;
            if (!value->is_array()) index(*value, around, at(pointer, keyword), depth + 1);
            for (std::size_t i = 0; value->is_array() && i < value->size(); ++i)
                index((*value)[i], around, at(at(pointer, keyword), std::to_string(i)), depth + 1);
        }
    }

    /// Takes the next step of a JSON pointer out of it.
    [[nodiscard]] static std::string next_step(std::string_view& pointer) {
        pointer.remove_prefix(1);
        const std::size_t end = std::min(pointer.find('/'), pointer.size());
        const std::string_view step = pointer.substr(0, end);
        pointer.remove_prefix(end);
        return unescaped_key(step);
    }

    /// Sets the schema that `$ref` means, or why there is none.
    void refer(SchemaNode& node, const std::string& reference, const std::string& around) {
        const std::string uri = resolved_uri(around, reference);
        const std::size_t hash = std::min(uri.find('#'), uri.size());
        std::string base = uri.substr(0, hash);
        const std::string fragment =
            ascii::percent_decoded(std::string_view(uri).substr(std::min(hash + 1, uri.size())));
        const auto resource = resources_.find(base);
        if (resource == resources_.end()) {
            node.fault = base::concat({"its \"$ref\" '", reference, "' is another document, which is not fetched"});
            return;
        }
        const Json* target = resource->second;
        if (fragment.starts_with('/') || fragment.empty()) {
            std::string_view rest = fragment;
            while (target != nullptr && !rest.empty()) {
                const std::string step = next_step(rest);
                target = child(*target, step);
                if (target != nullptr) base = base_at(*target, base);
            }
        } else {
            const auto anchor = anchors_.find(base::concat({base, "#", fragment}));
            target = anchor == anchors_.end() ? nullptr : anchor->second;
        }
        if (target == nullptr)
            node.fault = base::concat({"its \"$ref\" '", reference, "' is not in the schema"});
        else
            node.all_of.push_back(node_of(*target, base, reference));
    }

    [[nodiscard]] static const Json* child(const Json& value, const std::string& step) {
        if (!value.is_array()) return base::find_key(value, step);
        std::size_t index = 0;
        for (const char c : step) {
            if (c < '0' || c > '9' || index > value.size()) return nullptr;
            index = 10 * index + static_cast<std::size_t>(c - '0');
        }
        return step.empty() || index >= value.size() ? nullptr : &value[index];
    }

    // Keywords --------------------------------------------------------------------------------------------------------

    /// Returns the prepared form of a schema, which is filled later.
    [[nodiscard]] const SchemaNode* node_of(const Json& schema, const std::string& around, const std::string& pointer) {
        SchemaNode*& node = made_[&schema];
        if (node == nullptr) {
            node = &out_.nodes.emplace_back();
            waiting_.push_back({node, &schema, base_at(schema, around), pointer});
        }
        return node;
    }

    struct Reader;  // of the keywords of one schema

    void fill(SchemaNode& node, const Json& schema, const std::string& base, const std::string& pointer);

    static constexpr std::size_t max_nesting = 400;

    CompiledSchema& out_;
    MalformedKeywords malformed_;
    bool is_draft_07_ = false;
    std::string other_draft_{};
    std::map<std::string, const Json*> resources_{};
    std::map<std::string, const Json*> anchors_{};
    std::map<const Json*, std::string> bases_{};
    std::map<const Json*, SchemaNode*> made_{};
    std::vector<Waiting> waiting_{};
};

/// Reads the keywords of one schema.
struct SchemaCompiler::Reader {
    SchemaCompiler& compiler;
    const Json& schema;
    const std::string& base;
    const std::string& pointer;

    [[nodiscard]] const Json* find(std::string_view key) const { return base::find_key(schema, key); }
    [[nodiscard]] std::string place(std::string_view key) const { return at(pointer, key); }

    /// Returns the value of a keyword; null if there is none, or it is not of the kind that it should be.
    [[nodiscard]] const Json* find(std::string_view key, bool (Json::*is_kind)() const noexcept,
                                   std::string_view what) const {
        const Json* const value = find(key);
        return value == nullptr || (value->*is_kind)() || compiler.malformed(place(key), what) ? value : nullptr;
    }

    void one(std::string_view key, const SchemaNode*& out) const {
        if (const Json* const value = find(key)) out = compiler.node_of(*value, base, place(key));
    }
    void list(std::string_view key, std::vector<const SchemaNode*>& out) const {
        const Json* const value = find(key, &Json::is_array, "should be a list of schemas");
        for (std::size_t i = 0; value != nullptr && i < value->size(); ++i)
            out.push_back(compiler.node_of((*value)[i], base, at(place(key), std::to_string(i))));
    }
    /// Returns the entries of an object; none if the keyword is absent or malformed.
    [[nodiscard]] const Json::object_t& object(std::string_view key) const {
        static const Json::object_t none;
        const Json* const value = find(key, &Json::is_object, "should be an object");
        return value == nullptr ? none : base::object_of(*value);
    }
    void named(std::string_view key, std::vector<Selected<std::string>>& out) const {
        for (const auto& [name, value] : object(key))
            out.emplace_back(name, compiler.node_of(value, base, at(place(key), name)));
    }
    void size(std::string_view key, std::size_t& out) const {
        const Json* const value = find(key);
        if (value == nullptr) return;
        const double number = value->is_number() ? real(*value) : -1;
        if (number >= 0 && std::trunc(number) == number)
            out = number < 0x1p63 ? static_cast<std::size_t>(number) : SchemaNode::unbounded;
        else
            compiler.malformed(place(key), "should be an integer from 0 on");
    }
    void number(std::string_view key, std::optional<Json>& out) const {
        if (const Json* const value = find(key, &Json::is_number, "should be a number")) out = *value;
    }
    [[nodiscard]] std::vector<std::string> texts(const Json& value, const std::string& where) const {
        std::vector<std::string> out;
        const bool is_right = value.is_array() &&
                              std::all_of(value.begin(), value.end(), [](const Json& one) { return one.is_string(); });
        if (is_right || compiler.malformed(where, "should be a list of texts"))
            for (const Json& one : value) out.push_back(base::text_of(one));
        return out;
    }
    [[nodiscard]] static SchemaPattern pattern(const std::string& text) {
        SchemaPattern out;
        out.text = text;
        try {
            out.matcher.emplace(text);
        } catch (const SchemaError& error) {
            out.fault = error.what();
        }
        return out;
    }

    void types(SchemaNode& node) const {
        static constexpr std::string_view names[] = {"null",   "boolean", "object", "array",
                                                     "number", "string",  "integer"};
        const Json* const value = find("type");
        if (value == nullptr) return;
        const JsonArray all = value->is_array() ? base::array_of(*value) : JsonArray{*value};
        const auto is_name = [](const Json& one) {
            return one.is_string() &&
                   std::find(std::begin(names), std::end(names), base::text_of(one)) != std::end(names);
        };
        if ((!all.empty() && std::all_of(all.begin(), all.end(), is_name)) ||
            compiler.malformed(place("type"), "should be the name of a type, or a list of them"))
            node.types = all;
    }

    void values(SchemaNode& node) const {
        types(node);
        if (const Json* const value = find("enum", &Json::is_array, "should be a list of values"))
            node.allowed = base::array_of(*value);
        if (const Json* const value = find("const")) {
            SchemaNode& constant = compiler.out_.nodes.emplace_back();  // of its own, as there may be an `enum` too
            constant.allowed = JsonArray{*value};
            node.all_of.push_back(&constant);
        }
        number("multipleOf", node.multiple_of);
        if (node.multiple_of && !(real(*node.multiple_of) > 0) &&
            !compiler.malformed(place("multipleOf"), "should be greater than 0"))
            node.multiple_of.reset();
        number("maximum", node.maximum);
        number("exclusiveMaximum", node.below);
        number("minimum", node.minimum);
        number("exclusiveMinimum", node.above);
        size("maxLength", node.max_length);
        size("minLength", node.min_length);
        if (const Json* const value = find("pattern", &Json::is_string, "should be a text"))
            node.pattern = pattern(base::text_of(*value));
    }
    [[nodiscard]] static double real(const Json& value) {
        return value.is_number_float()      ? base::real_of(value)
               : value.is_number_unsigned() ? static_cast<double>(base::unsigned_of(value))
                                            : static_cast<double>(base::integer_of(value));
    }

    void lists(SchemaNode& node) const {
        size("maxItems", node.max_items);
        size("minItems", node.min_items);
        if (const Json* const value = find("uniqueItems", &Json::is_boolean, "should be true or false"))
            node.unique = base::boolean_of(*value);
        one("contains", node.contains);
        const Json* const items = find("items");
        if (!compiler.is_draft_07_) {
            list("prefixItems", node.prefix);
            one("items", node.items);
            size("maxContains", node.max_contains);
            size("minContains", node.min_contains);
            one("unevaluatedItems", node.unevaluated_items);
        } else if (items != nullptr && items->is_array()) {
            list("items", node.prefix);
            one("additionalItems", node.items);
        } else {
            one("items", node.items);
        }
    }

    void objects(SchemaNode& node) const {
        size("maxProperties", node.max_properties);
        size("minProperties", node.min_properties);
        if (const Json* const value = find("required")) node.required = texts(*value, place("required"));
        named("properties", node.properties);
        std::sort(node.properties.begin(), node.properties.end());
        for (const auto& [text, value] : object("patternProperties")) {
            node.patterns.emplace_back(pattern(text),
                                       compiler.node_of(value, base, at(place("patternProperties"), text)));
        }
        one("additionalProperties", node.additional);
        one("propertyNames", node.names);
        if (!compiler.is_draft_07_) {
            named("dependentSchemas", node.dependent);
            dependencies("dependentRequired", node);
            one("unevaluatedProperties", node.unevaluated_properties);
        } else {
            dependencies("dependencies", node);
        }
    }
    void dependencies(std::string_view key, SchemaNode& node) const {
        for (const auto& [name, value] : object(key)) {
            const std::string where = at(place(key), name);
            if (value.is_array() || key != "dependencies")
                node.dependent_required.emplace_back(name, texts(value, where));
            else
                node.dependent.emplace_back(name, compiler.node_of(value, base, where));
        }
    }

    void combinations(SchemaNode& node) const {
        list("allOf", node.all_of);
        list("anyOf", node.any_of);
        list("oneOf", node.one_of);
        one("not", node.negated);
        one("if", node.condition);
        one("then", node.then);
        one("else", node.otherwise);
    }
};

inline void SchemaCompiler::fill(SchemaNode& node, const Json& schema, const std::string& base,
                                 const std::string& pointer) {
    if (schema.is_boolean()) {
        node.is_false = !base::boolean_of(schema);
        return;
    }
    if (!schema.is_object()) {
        malformed(pointer, "should be a schema: an object, or true or false");
        return;
    }
    const Reader reader{*this, schema, base, pointer};
    for (const char* const keyword : {"$ref", "$dynamicRef"}) {
        if (is_draft_07_ && keyword != std::string_view("$ref")) continue;
        const Json* const reference = reader.find(keyword, &Json::is_string, "should be a text");
        if (reference == nullptr) continue;
        refer(node, base::text_of(*reference), base);
        if (is_draft_07_) return;  // whose other keywords do not count then
    }
    reader.values(node);
    reader.lists(node);
    reader.objects(node);
    reader.combinations(node);
}

}  // namespace acta::inline ACTA_ABI::schema_detail
