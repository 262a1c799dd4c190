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
#include "acta/base/utf8.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/issue.hpp"
#include "acta/schema/detail/shape.hpp"

namespace acta::inline ACTA_ABI::schema_detail {

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
        if (const Json* const values = find_keyword(node, "enum")) count_enum(*values);
        if (const Json* const value = find_keyword(node, "const")) count_value(*value);
        if (const Json* const items = find_keyword(node, "items")) count(*items);
        if (const Json* const choices = find_keyword(node, "anyOf")) {
            for (const Json& one : *choices) count(one);
        }
        const Json* const properties = find_keyword(node, "properties");
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
        if (const Json* const ref = find_keyword(node, "$ref")) {
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
        if (const Json* const choices = find_keyword(node, "anyOf")) {
            for (const Json& one : *choices) descend(one, level);
        }
        const Json* const items = find_keyword(node, "items");
        const Json* const properties = find_keyword(node, "properties");
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
