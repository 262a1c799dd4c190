// SPDX-License-Identifier: MIT
#pragma once

#include <nlohmann/json.hpp>
#include <type_traits>
#include <utility>

#include "acta/version.hpp"

namespace acta::inline v0 {

/// A JSON value of any kind. Objects keep the order of their keys, because the order of a call's
/// arguments is part of what is printed (SPEC section 1).
using Json = nlohmann::ordered_json;

/// A JSON object and nothing else: the type of every `dict[str, Any]` field. It can hold no null,
/// and `{}` is the empty object with every compiler. Look-up by key is linear, as in `Json`.
///
/// It is `Json::object_t`, with an assignment that compiles: nlohmann's is a vector of pairs with const
/// keys, which says that it can be copied into another, and cannot. Converts to and from `Json`, in
/// constant time when moved.
class JsonObject : public Json::object_t {
public:
    using Base = Json::object_t;
    using Base::Base;

    JsonObject() = default;
    JsonObject(Base object) noexcept : Base(std::move(object)) {}
    JsonObject(const JsonObject&) = default;
    JsonObject(JsonObject&&) noexcept = default;
    ~JsonObject() = default;
    /// Copies or moves, whichever made `other`. Strong guarantee.
    JsonObject& operator=(JsonObject other) noexcept {
        this->swap(other);
        return *this;
    }
};

/// A JSON array and nothing else.
using JsonArray = Json::array_t;

}  // namespace acta::inline v0

template <>
struct nlohmann::adl_serializer<acta::JsonObject, void> {
    template <class AnyJson>
    static void to_json(AnyJson& json, const acta::JsonObject& object) {
        to_json(json, acta::JsonObject(object));
    }
    template <class AnyJson>
    static void to_json(AnyJson& json, acta::JsonObject&& object) {
        acta::Json made(static_cast<acta::Json::object_t&&>(object));
        if constexpr (std::is_same_v<AnyJson, acta::Json>)
            json = std::move(made);
        else
            json = AnyJson(made);
    }
    /// Throws nlohmann's `type_error` where the value is no object.
    template <class AnyJson>
    static void from_json(const AnyJson& json, acta::JsonObject& object) {
        if constexpr (std::is_same_v<AnyJson, acta::Json>)
            object = acta::JsonObject(json.template get_ref<const acta::Json::object_t&>());
        else
            from_json(acta::Json(json), object);
    }
};
