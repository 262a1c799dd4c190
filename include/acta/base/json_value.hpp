// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// A JSON value of any kind. Objects keep the order of their keys, because the order of a call's arguments is part of
/// the printed text (docs/reference/base.md, "JSON values"). `acta/json/json.hpp` also includes this.
///
/// @code{.cpp}
/// const acta::Json call = {{"name", "search"}, {"limit", 3}};
/// const int limit = call.at("limit").get<int>();
/// acta::JsonObject arguments{{"query", "tides"}};
/// arguments["limit"] = limit;
/// @endcode
using Json = nlohmann::ordered_json;

/// A JSON object and nothing else: the type of every `dict[str, Any]` field. It cannot be null, and `{}` is the empty
/// object with every compiler. Look-up by key is linear, as in `Json`.
///
/// This is `Json::object_t` with an assignment that compiles: nlohmann's is a vector of pairs with const keys, which
/// claims to be assignable and is not. Converts to and from `Json`, in constant time when moved.
class JsonObject : public Json::object_t {
public:
    using Base = Json::object_t;  ///< nlohmann's type of objects.
    using Base::Base;

    JsonObject() = default;
    /// Converts from nlohmann's type; in constant time when moved.
    JsonObject(Base object) noexcept : Base(std::move(object)) {}
    JsonObject(const JsonObject&) = default;
    JsonObject(JsonObject&&) noexcept = default;
    ~JsonObject() = default;
    /// Copies or moves, whichever made `other`. Strong guarantee.
    JsonObject& operator=(JsonObject other) noexcept;
};

/// A JSON array and nothing else.
using JsonArray = Json::array_t;

namespace base {

// Making and inspecting values. nlohmann's constructors and comparisons are templates, and each new type that they are
// instantiated for costs compile time in every source that includes this.

/// Makes `out` an empty text, whatever it was, and returns a reference to that text.
std::string& set_text(Json& out);
/// Makes `out` a boolean, whatever it was.
void set(Json& out, bool value);
/// Makes `out` a signed integer, whatever it was.
void set(Json& out, std::int64_t value);
/// Makes `out` an unsigned integer, whatever it was.
void set(Json& out, std::uint64_t value);
/// Makes `out` a floating-point number, whatever it was.
void set(Json& out, double value);
/// Returns a JSON text with a copy of `text`.
Json text_json(std::string_view text);

// Access to a value that is known to be of the given kind; otherwise the behaviour is undefined.

/// Returns the value of a JSON boolean; `value` must be one.
inline bool boolean_of(const Json& value) noexcept { return *value.get_ptr<const bool*>(); }
/// Returns the value of a JSON integer, which must be in the range of `std::int64_t`.
inline std::int64_t integer_of(const Json& value) noexcept { return *value.get_ptr<const std::int64_t*>(); }
/// Returns the value of an integer that is held as an unsigned one (`is_number_unsigned()`).
inline std::uint64_t unsigned_of(const Json& value) noexcept { return *value.get_ptr<const std::uint64_t*>(); }
/// Returns the value of a floating-point number (`is_number_float()`); integers are not converted.
inline double real_of(const Json& value) noexcept { return *value.get_ptr<const double*>(); }
/// Returns the text of a JSON text, valid as long as the value is; `value` must be one.
inline const std::string& text_of(const Json& value) noexcept { return *value.get_ptr<const std::string*>(); }
/// Returns the elements of a JSON array, valid as long as the value is; `value` must be one.
inline const JsonArray& array_of(const Json& value) noexcept { return *value.get_ptr<const JsonArray*>(); }
/// Returns the entries of a JSON object, valid as long as the value is; `value` must be one.
inline const Json::object_t& object_of(const Json& value) noexcept { return *value.get_ptr<const Json::object_t*>(); }
/// Returns an empty JSON object.
inline Json new_object() { return Json(Json::value_t::object); }

/// Adds a key, which must not exist yet; this is not checked, so that adding takes constant time.
inline void put(Json::object_t& object, std::string_view key, Json value) {
    object.emplace_back(std::string(key), std::move(value));
}
/// The same for a value; throws nlohmann's `type_error` if it is not an object.
inline void put(Json& object, std::string_view key, Json value) {
    put(object.get_ref<Json::object_t&>(), key, std::move(value));
}
/// Returns the value of a key, or null if there is none. Linear in the number of keys.
const Json* find_key(const Json::object_t& object, std::string_view key) noexcept;
/// The same for any value: null also if it is not an object.
const Json* find_key(const Json& value, std::string_view key) noexcept;
/// The same, to change what the key has.
Json* find_key(Json& value, std::string_view key) noexcept;
const Json* find_key(Json::object_t&&, std::string_view) = delete;  // it would dangle
const Json* find_key(Json&&, std::string_view) = delete;
/// Returns the value at a path of keys with a slash between them, such as `details/cached`; null if there is none.
const Json* find_path(const Json& value, std::string_view path) noexcept;
const Json* find_path(Json&&, std::string_view) = delete;
/// Returns a copy of the text that a key has; empty if it has none.
std::string text_member(const Json::object_t& object, std::string_view key);
/// The same for any value: empty also if it is not an object.
std::string text_member(const Json& value, std::string_view key);
/// Returns a whole number, which other programs also write as `5.0` or as text; nothing if the value is none, or is
/// beyond 64 bits, or as a floating-point number beyond 2 to the power of 53.
std::optional<std::int64_t> whole_number(const Json& value);
/// Returns whether two values are equal, as `==` does, but faster if both are texts, as most values of a record are.
bool equal(const Json& a, const Json& b);
/// Returns whether two objects have equal keys and values in the same order.
bool equal(const Json::object_t& a, const Json::object_t& b);
/// Returns whether a value has more than `levels` levels of lists and objects. Recursive to that depth.
bool is_deeper(const Json& value, std::size_t levels);
/// Sets the value of a key, which may exist already. Linear in the number of keys. Throws nlohmann's `type_error` if
/// `object` is not an object.
void assign(Json& object, std::string_view key, Json value);

/// Replaces each byte of the text that is not UTF-8 by U+FFFD, so that it can be written as JSON.
void clean(std::string& text);
/// Does so in all texts and keys of a value. Without recursion.
void clean(Json& value);

/// One level of a walk over a value without recursion. All walks share this type, so that its stack is compiled once.
struct JsonFrame {
    const Json* value;       ///< The value being walked; never null.
    std::size_t next;        ///< Index of the next child; the number of children at the end.
    std::size_t length = 0;  ///< Size in bytes of the walk's text, such as a JSON pointer, up to this value.
};

/// Returns whether `value` is a JSON text and equal to `text`.
inline bool is_text(const Json& value, std::string_view text) { return value.is_string() && text_of(value) == text; }

}  // namespace base

}  // namespace acta::inline ACTA_ABI

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
    /// Throws nlohmann's `type_error` if the value is not an object.
    template <class AnyJson>
    static void from_json(const AnyJson& json, acta::JsonObject& object) {
        if constexpr (std::is_same_v<AnyJson, acta::Json>)
            object = acta::JsonObject(json.template get_ref<const acta::Json::object_t&>());
        else
            from_json(acta::Json(json), object);
    }
};

#ifndef ACTA_COMPILED
#include "acta/base/detail/base.inl.hpp"
#endif
