// SPDX-License-Identifier: MIT
#pragma once

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
        Json object = parse<Json>(*text, {.keep_large_numbers = true});
        if (object.is_object()) return object;
    } catch (const ValidationError&) {
    }
    return std::nullopt;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
