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

#include "acta/describe/introspection.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/dump.hpp"
#include "acta/schema/introspection.hpp"

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
                  kind == introspection::Kind::fixed_array) {
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
