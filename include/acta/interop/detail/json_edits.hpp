// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>

#include "acta/base/json_value.hpp"
#include "acta/json/json.hpp"

// Small edits of JSON values.
namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a member is a list.
[[nodiscard]] inline bool has_list(const Json& object, const char* key) {
    const Json* const found = base::find_key(object, key);
    return found != nullptr && found->is_array();
}

/// Returns whether a value is nested deeper than `depth`. Recursive to that depth.
[[nodiscard]] inline bool is_deeper(const Json& value, std::size_t depth) {
    return value.is_structured() && (depth == 0 || std::ranges::any_of(value, [depth](const Json& inner) {
                                         return is_deeper(inner, depth - 1);
                                     }));
}

/// Removes a member and returns it.
[[nodiscard]] inline Json json_take(Json& object, const char* key) {
    Json value = std::move(object[key]);
    object.erase(key);
    return value;
}

/// Returns the object whose JSON a text is; for blank text an empty one.
[[nodiscard]] inline std::optional<Json> json_object_of_text(const Json& value) {
    const auto* const text = value.get_ptr<const std::string*>();
    if (text == nullptr) return std::nullopt;
    if (text->find_first_not_of(" \t\r\n") == std::string::npos) return Json::object();
    try {
        Json object = parse<Json>(*text);
        if (object.is_object()) return object;
    } catch (const ValidationError&) {
    }
    return std::nullopt;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
