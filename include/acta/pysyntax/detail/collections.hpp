// SPDX-License-Identifier: MIT
#pragma once

#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/json_value.hpp"

namespace acta::inline ACTA_ABI::pysyntax_detail {

/// Fills an object as Python fills a dict: a repeated key keeps its place and takes the last value. O(log n) each,
/// whatever the keys are; the look-up of `JsonObject` itself is linear.
class ObjectBuilder {
public:
    explicit ObjectBuilder(Json::object_t& object) noexcept : object_(object) {}

    /// Returns false and changes nothing if the key exists.
    bool insert(const std::string& key, Json&& value) {
        const auto [place, is_new] = places_.try_emplace(key, object_.size());
        if (is_new) static_cast<JsonObject::Container&>(object_).emplace_back(key, std::move(value));
        return is_new;
    }

    void insert_or_replace(const std::string& key, Json&& value) {
        const auto [place, is_new] = places_.try_emplace(key, object_.size());
        if (is_new) {
            static_cast<JsonObject::Container&>(object_).emplace_back(key, std::move(value));
        } else {
            (object_.begin() + static_cast<std::ptrdiff_t>(place->second))->second = std::move(value);
        }
    }

    [[nodiscard]] bool contains(std::string_view key) const { return places_.find(key) != places_.end(); }

private:
    Json::object_t& object_;
    std::map<std::string, std::size_t, std::less<>> places_{};
};

/// Appends a text that is the same for all numbers that compare equal in Python: 1, 1.0 and True.
inline void append_number_identity(std::string& out, const Json& value) {
    char buffer[24];
    const auto integer = [&](auto number) {
        out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr).append(";");
    };
    if (value.is_boolean()) return integer(base::boolean_of(value) ? 1 : 0);
    if (value.is_number_unsigned()) return integer(value.get<std::uint64_t>());
    if (value.is_number_integer()) return integer(value.get<std::int64_t>());
    const double real = value.get<double>();
    if (std::floor(real) == real && real >= -0x1p63 && real < 0x1p64) {
        return real < 0 ? integer(static_cast<std::int64_t>(real)) : integer(static_cast<std::uint64_t>(real));
    }
    char bytes[sizeof real];
    std::memcpy(bytes, &real, sizeof real);
    out.append("f").append(bytes, sizeof bytes);
}

/// Appends a text that is the same for all values that compare equal in Python, for the values that a set may have:
/// numbers, strings, None and tuples of these. Recurses as deep as `value`, whose depth is bounded.
inline void append_identity(std::string& out, const Json& value) {
    if (value.is_array()) {
        out += '(';
        for (const Json& item : value) append_identity(out, item);
        out += ')';
    } else if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        out.append("s").append(std::to_string(text.size())).append(":").append(text);
    } else if (value.is_null()) {
        out += 'n';
    } else {
        append_number_identity(out, value);
    }
}

/// Fills an array as Python fills a set, but in the order of the source.
class SetBuilder {
public:
    explicit SetBuilder(JsonArray& items) noexcept : items_(items) {}

    void insert(Json&& value) {
        std::string identity;
        append_identity(identity, value);
        if (seen_.insert(std::move(identity)).second) items_.push_back(std::move(value));
    }

private:
    JsonArray& items_;
    std::set<std::string> seen_{};
};

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
