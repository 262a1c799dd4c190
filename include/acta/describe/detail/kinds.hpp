// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/boxed.hpp"
#include "acta/describe/describe.hpp"

namespace acta::inline ACTA_ABI {

/// A map with text keys that keeps their order. Look-up by key is linear. Like `JsonObject`, this is nlohmann's map
/// with an assignment that compiles.
template <class Value>
class OrderedMap : public nlohmann::ordered_map<std::string, Value> {
public:
    using Base = nlohmann::ordered_map<std::string, Value>;
    using Base::Base;

    OrderedMap() = default;
    OrderedMap(const OrderedMap&) = default;
    OrderedMap(OrderedMap&&) noexcept = default;
    ~OrderedMap() = default;
    /// Copies or moves, whichever made `other`. Strong guarantee.
    OrderedMap& operator=(OrderedMap other) noexcept {
        this->swap(other);
        return *this;
    }
};

namespace describe_detail {

template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
template <class T>
inline constexpr bool is_optional<Boxed<T>> = true;

template <class T>
inline constexpr bool is_vector = false;
template <class T, class A>
inline constexpr bool is_vector<std::vector<T, A>> = true;

template <class T>
inline constexpr bool is_array = false;
template <class T, std::size_t N>
inline constexpr bool is_array<std::array<T, N>> = true;

template <class T>
inline constexpr bool is_tuple = false;
template <class... T>
inline constexpr bool is_tuple<std::tuple<T...>> = true;
template <class A, class B>
inline constexpr bool is_tuple<std::pair<A, B>> = true;

template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

template <class T>
inline constexpr bool is_ordered_map = false;
template <class V>
inline constexpr bool is_ordered_map<OrderedMap<V>> = true;

template <class T>
inline constexpr bool is_keyed_map = false;
template <class V, class C, class A>
inline constexpr bool is_keyed_map<std::map<std::string, V, C, A>> = true;
template <class V, class H, class E, class A>
inline constexpr bool is_keyed_map<std::unordered_map<std::string, V, H, E, A>> = true;

template <class T>
concept CharacterType = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
                        std::same_as<T, char16_t> || std::same_as<T, char32_t>;

template <class T>
concept JsonInteger = std::integral<T> && !std::same_as<T, bool> && !CharacterType<T>;

/// How a type is represented in JSON. Every template that walks over types uses this.
enum class Kind {
    boolean,
    integer,
    real,
    text,
    any,
    object,
    optional,
    sequence,
    ordered_map,
    keyed_map,
    fixed_array,
    tuple,
    variant,
    enumeration,
    record,
    represented,
    custom_codec,
    unsupported
};

template <class T>
consteval Kind kind_of() {
    if constexpr (CustomCodec<T>)
        return Kind::custom_codec;
    else if constexpr (Represented<T>)
        return Kind::represented;
    else if constexpr (DescribedRecord<T>)
        return Kind::record;
    else if constexpr (DescribedEnum<T>)
        return Kind::enumeration;
    else if constexpr (std::same_as<T, bool>)
        return Kind::boolean;
    else if constexpr (JsonInteger<T>)
        return Kind::integer;
    else if constexpr (std::floating_point<T>)
        return Kind::real;
    else if constexpr (std::same_as<T, std::string>)
        return Kind::text;
    else if constexpr (std::same_as<T, Json>)
        return Kind::any;
    else if constexpr (std::same_as<T, JsonObject>)
        return Kind::object;
    else if constexpr (is_optional<T>)
        return Kind::optional;
    else if constexpr (is_vector<T>)
        return Kind::sequence;
    else if constexpr (is_ordered_map<T>)
        return Kind::ordered_map;
    else if constexpr (is_keyed_map<T>)
        return Kind::keyed_map;
    else if constexpr (is_array<T>)
        return Kind::fixed_array;
    else if constexpr (is_tuple<T>)
        return Kind::tuple;
    else if constexpr (is_variant<T>)
        return Kind::variant;
    else
        return Kind::unsupported;
}

template <class T>
consteval void require_supported();

template <class Item>
struct MemberOf {
    using type = bool;  // what is no member has nothing to require
};
template <class Owner, class Member, class... Options>
struct MemberOf<Field<Owner, Member, Options...>> {
    using type = Member;
};
template <class... Items>
consteval void require_members(const FieldList<Items...>&) {
    (require_supported<typename MemberOf<Items>::type>(), ...);
}

/// Ends the compilation with advice if a type cannot be represented in JSON. Those of a struct's members are looked at
/// with it: what the compiler says then is shorter than where they are read or written.
template <class T>
consteval void require_supported() {
    // One name for each condition, since the compiler repeats the condition.
    constexpr bool is_value = !std::is_pointer_v<T> && !std::is_reference_v<T> && !std::same_as<T, std::string_view>;
    static_assert(is_value,
                  "acta: a described member must hold its value: use std::string, std::optional or std::vector "
                  "instead of a pointer, reference or view");
    if constexpr (is_value) {
        constexpr bool is_defined = requires { sizeof(T); };
        static_assert(is_defined,
                      "acta: this type is only declared: include the header that defines it. Declarations of acta's "
                      "types, in acta/fwd.hpp, name their headers");
        if constexpr (is_defined) {
            constexpr Kind kind = kind_of<T>();
            constexpr bool is_character = CharacterType<T>;
            static_assert(!is_character,
                          "acta: a single character is not a JSON type: use std::string, or an integer type");
            constexpr bool sorts_keys = std::same_as<T, nlohmann::json>;
            static_assert(!sorts_keys,
                          "acta: nlohmann::json sorts its keys: use acta::Json (any value) or acta::JsonObject as the "
                          "member");
            constexpr bool is_other = kind != Kind::unsupported || is_character || sorts_keys;
            constexpr bool is_described_enum = is_other || !std::is_enum_v<T>;
            static_assert(is_described_enum,
                          "acta: this enum is not described: add  template <> struct acta::Describe<YourEnum> { static "
                          "constexpr auto values = acta::values<YourEnum>({{\"text\", YourEnum::value}}); };  outside "
                          "your namespace, before its first use");
            constexpr bool is_described_type = is_other || std::is_enum_v<T>;
            static_assert(is_described_type,
                          "acta: this type is not described: add  template <> struct acta::Describe<YourType> { static "
                          "constexpr auto fields = acta::fields(acta::required(\"name\", &YourType::name, \"What it "
                          "is.\")); };  outside your namespace, before its first use");
            if constexpr (kind == Kind::record) require_members(Describe<T>::fields);
        }
    }
}

}  // namespace describe_detail

/// A type that acta can read and write: a described one, a scalar, or a standard container of these.
template <class T>
concept Readable = describe_detail::kind_of<T>() != describe_detail::Kind::unsupported;

}  // namespace acta::inline ACTA_ABI
