// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// Whose rules a schema follows (docs/reference/schema.md, "Dialects").
enum class SchemaDialect {
    pydantic,       ///< as pydantic 2 makes it of the same model
    openai_strict,  ///< OpenAI's structured outputs: `response_format` and tools with `strict: true`
    anthropic,      ///< Anthropic's tools (`input_schema`)
    mcp             ///< Model Context Protocol: `inputSchema` and `outputSchema` of a tool
};

/// What `openai_strict`, which has no objects with arbitrary keys, makes of a type that has them.
enum class SchemaMaps {
    refuse,          ///< throw `SchemaError` with the path
    key_value_lists  ///< write them as lists of `{key, value}`; `maps_from_lists` converts answers back
};

/// How a schema is made.
struct SchemaOptions {
    SchemaDialect dialect = SchemaDialect::pydantic;  ///< whose rules to follow
    bool by_alias = true;                             ///< whether properties are named by alias rather than by name
    /// Where definitions are found; `{model}` stands for the name of one. `openai_strict` and `anthropic` accept only
    /// this, as their APIs look nowhere else.
    std::string ref_template = "#/$defs/{model}";
    /// What `openai_strict` makes of maps, of `Json`, and of tuples of several types.
    SchemaMaps maps = SchemaMaps::refuse;
    /// Whether `convert_schema` lets a key that was not required be null for `openai_strict`, where all keys are
    /// required, unless it has a default or a constant. Set it to false for schemas of described types, most of whose
    /// fields cannot be read from null; `schema<T>()` needs no such setting.
    bool null_for_missing = true;
};

/// Returns a schema of JSON Schema 2020-12, handwritten or from elsewhere, in a dialect:
///
/// - `openai_strict`: an object at the root, every object closed, every key required (an optional type also allows
///   `null`, and so does a key that was not required and has neither a default nor a constant), neither `default` nor
///   `oneOf`, nothing beside `$ref`; keywords that the API does not accept are moved to the description. Maps, values
///   of any type and tuples of several types are refused, or written as `options.maps` says. Objects in one union must
///   not begin with the same key, unless its constants distinguish them; a key that does is moved to the front. Limits
///   of size are checked.
/// - `anthropic`: an object at the root, objects without free keys closed, keywords that the API does not accept moved
///   to the description. Maps, values of any type and recursion stay as they are, which tools accept, but not with
///   `strict: true`.
/// - `mcp`: an object at the root; another type is wrapped in one with the key `result`.
/// - `pydantic`: the schema itself.
///
/// Throws `SchemaError` with the path (keys, `*` for elements) of the part that cannot be expressed. Linear in the size
/// of the result.
///
/// @code{.cpp}
/// acta::Json schema = acta::Json::parse(R"({"type": "object", "properties": {"city": {"type": "string"}}})");
/// acta::Json strict = acta::convert_schema(schema, {.dialect = acta::SchemaDialect::openai_strict});
/// // {"type": "object", "properties": {…}, "required": ["city"], "additionalProperties": false}
/// @endcode
[[nodiscard]] Json convert_schema(const Json& schema, const SchemaOptions& options);

}  // namespace acta::inline ACTA_ABI

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

/// Returns the part of a schema to which this part of it refers (`$ref`), through at most 64 references; the part if it
/// does not refer to another one, and null if the schema has no such definition. Either may be any JSON.
[[nodiscard]] const Json* find_target(const Json& schema, const Json& part);
const Json* find_target(Json&&, const Json&) = delete;  // it would dangle

}  // namespace acta::inline ACTA_ABI::schema_introspection

namespace acta::inline ACTA_ABI::schema_detail {

using schema_introspection::FieldInfo;
using schema_introspection::TypeInfo;
using schema_introspection::TypeRef;

template <class T>
constexpr std::string_view type_doc() {
    if constexpr (requires { std::string_view(Describe<T>::doc); })
        return Describe<T>::doc;
    else
        return {};
}

template <class Option>
concept SchemaOption = requires(const Option& option, Json& schema) { option.annotate(schema); };

template <class T, std::size_t I>
void annotate_item(Json& schema) {
    schema_introspection::annotate_all(introspection::item_of<T, I>.options, schema);
}

template <class T, std::size_t I>
Json item_default() {
    const T object{};
    return codec::write_json<Json>({&codec::encode_item<T, I>, &object}, {});
}

template <class T, std::size_t I, std::size_t N>
constexpr void add_field_info(std::array<FieldInfo, N>& table, std::size_t& next) {
    constexpr const auto& item = introspection::item_of<T, I>;
    using Item = std::remove_cvref_t<decltype(item)>;
    if constexpr (introspection::ItemTraits<Item>::member) {
        using Options = std::remove_cvref_t<decltype(item.options)>;
        FieldInfo info{item.name,
                       introspection::item_key(item),
                       item.doc,
                       item.presence,
                       schema_introspection::has_option<Hidden, Options>,
                       schema_introspection::has_option<Deprecated, Options>,
                       &schema_introspection::type_info<typename Item::member_type>,
                       {},
                       false};
        if (item.presence == Presence::defaulted) info.default_value = &item_default<T, I>;
        info.annotate = &annotate_item<T, I>;
        table[next++] = info;
    } else if constexpr (introspection::ItemTraits<Item>::literal) {
        FieldInfo info{item.name, item.name, item.doc, item.required ? Presence::required : Presence::defaulted};
        info.literal = introspection::literal_text(item);
        info.is_literal = true;
        if constexpr (std::is_enum_v<decltype(item.value)>)
            info.type = &schema_introspection::type_info<decltype(item.value)>;
        table[next++] = info;
    }
}

template <class T>
inline constexpr auto field_infos = [] {
    std::array<FieldInfo, introspection::keyed_count<T>()> table{};
    std::size_t next = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add_field_info<T, I>(table, next), ...);
    }(std::make_index_sequence<introspection::item_count<T>>{});
    return table;
}();

template <class T>
struct MemberRefs;
template <template <class...> class List, class... T>
struct MemberRefs<List<T...>> {
    static constexpr std::array<TypeRef, sizeof...(T)> refs{&schema_introspection::type_info<T>...};
};

template <class T>
constexpr TypeInfo make_type_info() {
    constexpr introspection::Kind kind = introspection::kind_of<T>();
    TypeInfo info{kind, &introspection::type_title<T>};
    if constexpr (kind == introspection::Kind::optional || kind == introspection::Kind::sequence ||
                  kind == introspection::Kind::set || kind == introspection::Kind::fixed_array) {
        info.element = &schema_introspection::type_info<typename T::value_type>;
        if constexpr (kind == introspection::Kind::fixed_array) info.count = std::tuple_size_v<T>;
    } else if constexpr (kind == introspection::Kind::ordered_map || kind == introspection::Kind::keyed_map) {
        info.element = &schema_introspection::type_info<typename T::mapped_type>;
    } else if constexpr (kind == introspection::Kind::tuple || kind == introspection::Kind::variant) {
        info.members = MemberRefs<T>::refs;
        if constexpr (requires { std::string_view(Describe<T>::tag); }) info.tag = Describe<T>::tag;
    } else if constexpr (kind == introspection::Kind::record) {
        info.doc = type_doc<T>();
        info.fields = field_infos<T>;
        info.keeps_unknown_keys = introspection::keyed_count<T>() != introspection::item_count<T>;
    } else if constexpr (kind == introspection::Kind::enumeration) {
        info.doc = type_doc<T>();
        info.values = introspection::enum_names<T>;
    } else if constexpr (kind == introspection::Kind::represented) {
        info.element = &schema_introspection::type_info<typename Describe<T>::representation>;
    }
    if constexpr (requires { Describe<T>::schema(); }) info.own_schema = &Describe<T>::schema;
    return info;
}

}  // namespace acta::inline ACTA_ABI::schema_detail

namespace acta::inline ACTA_ABI::schema_introspection {

template <class T>
const TypeInfo& type_info() {
    introspection::require_supported<T>();
    static constexpr TypeInfo info = schema_detail::make_type_info<T>();
    return info;
}

template <class... Options>
void annotate_all(const std::tuple<Options...>& options, [[maybe_unused]] Json& schema) {
    introspection::for_each_option(options, [&schema]<class Option>([[maybe_unused]] const Option& option) {
        if constexpr (schema_detail::SchemaOption<Option>) option.annotate(schema);
    });
}

}  // namespace acta::inline ACTA_ABI::schema_introspection

namespace acta::inline ACTA_ABI {

/// Returns the JSON Schema of a type in a dialect. In the default one it equals pydantic 2's schema of the same model,
/// except for the order of keys (docs/reference/schema.md, "pydantic's schema"). `convert_schema` says how the other
/// dialects differ.
///
/// Throws `SchemaError` with the path (keys, `*` for elements) if the dialect cannot express the type. Linear in the
/// size of the result.
///
/// @code{.cpp}
/// struct Search {
///     std::string query{};
///     int limit = 10;
/// };
/// template <>
/// struct acta::Describe<Search> {
///     static constexpr auto fields = acta::fields(acta::required("query", &Search::query, "What to look for."),
///                                                 acta::defaulted("limit", &Search::limit));
/// };
/// acta::Json plain = acta::schema<Search>();
/// acta::Json strict = acta::schema<Search>({.dialect = acta::SchemaDialect::openai_strict});
/// @endcode
template <class T>
[[nodiscard]] Json schema(const SchemaOptions& options = {}) {
    introspection::require_supported<T>();
    return schema_introspection::make_schema(schema_introspection::type_info<T>(), options);
}

// Converts values to and from the form of a schema with `SchemaMaps::key_value_lists`.

/// Returns an answer to a schema with `SchemaMaps::key_value_lists` with its lists as maps and its positions as tuples
/// again, so that it can be validated. `schema` is the schema of the same type in pydantic's dialect. Parts that do not
/// have this form stay as they are, so that validation reports them. Linear in the size of the value, times the members
/// of the unions in it.
///
/// @code{.cpp}
/// using Counts = std::map<std::string, int>;
/// acta::Json answer = acta::Json::parse(R"([{"key": "tides", "value": 3}])");
/// acta::Json value = acta::maps_from_lists(acta::schema<Counts>(), answer);  // {"tides": 3}
/// @endcode
[[nodiscard]] Json maps_from_lists(const Json& schema, Json value);

/// The same for the schema of a type.
template <class T>
[[nodiscard]] Json maps_from_lists(Json value) {
    return maps_from_lists(schema<T>(), std::move(value));
}

/// Returns a value in the form of an answer to a schema with `SchemaMaps::key_value_lists`, to show a model an example.
/// `schema` is the schema of the value's type in pydantic's dialect.
[[nodiscard]] Json lists_from_maps(const Json& schema, Json value);

/// The same for the schema of a type.
template <class T>
[[nodiscard]] Json lists_from_maps(Json value) {
    return lists_from_maps(schema<T>(), std::move(value));
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/schema/detail/schema.inl.hpp"
#endif
