// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <cstddef>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>

#include "acta/describe/describe.hpp"

// The items of a description, one at a time, as reading, writing and schemas see them.
namespace acta::inline ACTA_ABI::describe_detail {

template <class Enum>
inline constexpr auto enum_names = [] {
    std::array<std::string_view, Describe<Enum>::values.size()> names{};
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = Describe<Enum>::values[i].name;
    return names;
}();

/// Returns a view with null data if the description does not have the value.
template <class Enum>
constexpr std::string_view enum_name(Enum value) {
    for (const auto& item : Describe<Enum>::values) {
        if (item.value == value) return item.name;
    }
    return {};
}

template <class T>
struct ItemTraits;
template <class Owner, class Member, class... Options>
struct ItemTraits<Field<Owner, Member, Options...>> {
    static constexpr bool member = true;
    static constexpr bool literal = false;
};
template <class Value>
struct ItemTraits<LiteralField<Value>> {
    static constexpr bool member = false;
    static constexpr bool literal = true;
};
template <class Owner>
struct ItemTraits<ExtraField<Owner>> {
    static constexpr bool member = false;
    static constexpr bool literal = false;
};

template <class Owner, class Member, class... Options>
constexpr std::string_view item_key(const Field<Owner, Member, Options...>& field) {
    std::string_view key = field.name;
    if constexpr ((std::same_as<Options, Alias> || ...))
        for_each_option(field.options, [&key]([[maybe_unused]] const auto& option) {
            if constexpr (std::same_as<std::remove_cvref_t<decltype(option)>, Alias>) key = option.key;
        });
    return key;
}
template <class Value>
constexpr std::string_view item_key(const LiteralField<Value>& field) {
    return field.name;
}

template <class Value>
constexpr std::string_view literal_text(const LiteralField<Value>& field) {
    if constexpr (std::is_enum_v<Value>)
        return enum_name(field.value);
    else
        return field.value;
}

template <class T, std::size_t I>
inline constexpr const auto& item_of = item_at<I>(Describe<T>::fields.slots);

template <class T>
inline constexpr std::size_t item_count = decltype(Describe<T>::fields)::size;

/// Returns how many of the items have a key of their own.
template <class T>
consteval std::size_t keyed_count() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return (std::size_t{0} + ... + (requires { item_key(item_of<T, I>); } ? 1U : 0U));
    }(std::make_index_sequence<item_count<T>>{});
}

}  // namespace acta::inline ACTA_ABI::describe_detail
