// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>

#include "acta/base/json_value.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/schema/options.hpp"

/// The JSON form of a type, as data, for making schemas of types that are put together at run time, such as the
/// parameters of a function. `schema<T>()` is made from this, so that no template walks over types to make one.
namespace acta::inline ACTA_ABI::schema_introspection {

struct TypeInfo;
/// The description of a type, which is made on request: types may contain themselves.
using TypeRef = const TypeInfo& (*)();

/// A field of a struct.
struct FieldInfo {
    std::string_view name;                     ///< the name of the member
    std::string_view key;                      ///< the key in JSON
    std::string_view doc;                      ///< the documentation; empty if there is none
    Presence presence = Presence::required;    ///< whether the key must be there
    bool hidden = false;                       ///< whether it is omitted from schemas
    bool deprecated = false;                   ///< whether the schema says `deprecated`
    TypeRef type = nullptr;                    ///< null for a fixed text
    std::string_view literal{};                ///< the text of a fixed field
    bool is_literal = false;                   ///< whether it is one
    Json (*default_value)() = nullptr;         ///< of `Presence::defaulted` fields
    void (*annotate)(Json& schema) = nullptr;  ///< adds what the field's options say, if any
};

/// A type that acta can read and write.
struct TypeInfo {
    introspection::Kind kind;                    ///< which of the members below are set
    std::string (*title)();                      ///< the title of a struct or enum
    std::string_view doc{};                      ///< its documentation
    TypeRef element = nullptr;                   ///< of optionals, lists, maps, and represented types
    std::size_t count = 0;                       ///< the size of a fixed array
    std::span<const TypeRef> members{};          ///< of tuples and variants
    std::span<const FieldInfo> fields{};         ///< of structs
    std::string_view tag{};                      ///< the fixed field that distinguishes a variant's members, if any
    std::span<const std::string_view> values{};  ///< of enums
    bool keeps_unknown_keys = false;             ///< of structs
    Json (*own_schema)() = nullptr;              ///< of types whose description has a function `schema()`
};

/// Returns the description of a type. Constant time.
template <class T>
const TypeInfo& type_info();

/// Whether a tuple of field options has one of this type.
template <class Option, class Options>
inline constexpr bool has_option = false;
template <class Option, class... Options>
inline constexpr bool has_option<Option, std::tuple<Options...>> = (std::is_same_v<Option, Options> || ...);

/// Adds to the schema of a field what its options say: bounds, patterns, formats.
template <class... Options>
void annotate_all(const std::tuple<Options...>& options, Json& schema);

/// Returns the JSON Schema of a type; `schema<T>()` for types that are known only at run time. Throws `SchemaError` if
/// the dialect cannot express the type.
[[nodiscard]] Json make_schema(const TypeInfo& info, const SchemaOptions& options);

}  // namespace acta::inline ACTA_ABI::schema_introspection

#include "acta/schema/detail/type_info.hpp"

#ifndef ACTA_COMPILED
#include "acta/schema/detail/schema.inl.hpp"
#endif
