// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/json_value.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE JsonObject& JsonObject::operator=(JsonObject other) noexcept {
    this->swap(other);
    return *this;
}

namespace base {

ACTA_INLINE std::string& set_text(Json& out) {
    out = Json(Json::value_t::string);
    return *out.get_ptr<std::string*>();
}

ACTA_INLINE void set(Json& out, bool value) {
    out = Json(Json::value_t::boolean);
    *out.get_ptr<bool*>() = value;
}

ACTA_INLINE void set(Json& out, std::int64_t value) {
    out = Json(Json::value_t::number_integer);
    *out.get_ptr<std::int64_t*>() = value;
}

ACTA_INLINE void set(Json& out, std::uint64_t value) {
    out = Json(Json::value_t::number_unsigned);
    *out.get_ptr<std::uint64_t*>() = value;
}

ACTA_INLINE void set(Json& out, double value) {
    out = Json(Json::value_t::number_float);
    *out.get_ptr<double*>() = value;
}

ACTA_INLINE Json text_json(std::string_view text) {
    Json out;
    set_text(out) = text;
    return out;
}

ACTA_INLINE const Json* find_key(const Json::object_t& object, std::string_view key) noexcept {
    for (const auto& entry : object) {
        if (entry.first == key) return &entry.second;
    }
    return nullptr;
}

ACTA_INLINE bool equal(const Json& a, const Json& b) {
    const auto* const text = a.get_ptr<const std::string*>();
    const auto* const other = b.get_ptr<const std::string*>();
    return text != nullptr && other != nullptr ? *text == *other : a == b;
}

ACTA_INLINE bool equal(const Json::object_t& a, const Json::object_t& b) {
    return std::equal(a.begin(), a.end(), b.begin(), b.end(), [](const auto& one, const auto& other) {
        return one.first == other.first && equal(one.second, other.second);
    });
}

ACTA_INLINE void assign(Json& object, std::string_view key, Json value) {
    auto& entries = object.get_ref<Json::object_t&>();
    for (auto& entry : entries) {
        if (entry.first == key) {
            entry.second = std::move(value);
            return;
        }
    }
    put(entries, key, std::move(value));
}

}  // namespace base
}  // namespace acta::inline ACTA_ABI
