// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <unordered_map>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/utility.hpp"
#include "acta/describe/describe.hpp"

namespace acta::inline ACTA_ABI {

/// A map with text keys that keeps their order. Look-up by key is linear. Like `JsonObject`, this is nlohmann's map
/// with an assignment that compiles.
template <class Value>
class OrderedMap : public nlohmann::ordered_map<std::string, Value> {
public:
    /// The container of nlohmann.
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
inline constexpr bool is_keyed_map = false;
template <class V, class C, class A>
inline constexpr bool is_keyed_map<std::map<std::string, V, C, A>> = true;
template <class V, class H, class E, class A>
inline constexpr bool is_keyed_map<std::unordered_map<std::string, V, H, E, A>> = true;

/// `std::set`, `std::unordered_set` and the like, whose headers a description does not need.
template <class T>
concept SetType =
    std::same_as<typename T::key_type, typename T::value_type> && requires(T& set, typename T::value_type value) {
        { set.insert(std::move(value)).second } -> std::convertible_to<bool>;
    };
template <class T>
concept CharacterType = std::same_as<T, char> || std::same_as<T, wchar_t> || std::same_as<T, char8_t> ||
                        std::same_as<T, char16_t> || std::same_as<T, char32_t>;

template <class T>
concept JsonInteger = std::integral<T> && !std::same_as<T, bool> && !CharacterType<T>;

template <class Item>
struct MemberOf {  // anything but a field has no requirements
    using owner = void;
    using type = bool;
};
template <class Owner, class Member, class... Options>
struct MemberOf<Field<Owner, Member, Options...>> {
    using owner = Owner;
    using type = Member;
};
template <class Owner>
struct MemberOf<ExtraField<Owner>> {
    using owner = Owner;
    using type = bool;
};
template <class T, class List>
inline constexpr bool are_members_of = true;
template <class T, class... Items>
inline constexpr bool are_members_of<T, const FieldList<Items...>> =
    ((std::is_void_v<typename MemberOf<Items>::owner> || std::is_base_of_v<typename MemberOf<Items>::owner, T>)&&...);
/// Whether a description has a field that is a member of another struct.
template <class T>
inline constexpr bool has_foreign_member = false;
template <DescribedRecord T>
inline constexpr bool has_foreign_member<T> = !are_members_of<T, decltype(Describe<T>::fields)>;

/// Whether the description of a type has a title.
template <class T>
concept Titled = requires { std::string(Describe<T>::name()); } || requires { std::string(Describe<T>::name); };

template <class T>
concept MisnamedDescription = requires { Describe<T>::field; } || requires { Describe<T>::value; };

}  // namespace describe_detail

/// For code that walks over descriptions: readers, writers, schemas. Everything here is known at compile time, apart
/// from titles, which are made on request.
///
/// @code{.cpp}
/// #include <string>
/// #include <vector>
/// static_assert(acta::introspection::kind_of<std::vector<int>>() == acta::introspection::Kind::sequence);
/// const std::string title = acta::introspection::type_title<std::vector<std::string>>();  // list[str]
/// @endcode
namespace introspection {

/// Whether a type is an `std::optional`.
template <class T>
inline constexpr bool is_optional = false;
template <class T>
inline constexpr bool is_optional<std::optional<T>> = true;
/// So is a `Boxed`, which may be empty.
template <class T>
inline constexpr bool is_optional<Boxed<T>> = true;

/// Whether a type is an `std::variant`.
template <class T>
inline constexpr bool is_variant = false;
template <class... T>
inline constexpr bool is_variant<std::variant<T...>> = true;

/// Whether a type is an `OrderedMap`.
template <class T>
inline constexpr bool is_ordered_map = false;
/// The only one.
template <class V>
inline constexpr bool is_ordered_map<OrderedMap<V>> = true;

/// `std::unique_ptr`, `std::shared_ptr` and the like.
template <class T>
concept SmartPointer = requires(const T& pointer) {
    typename T::element_type;
    pointer.get();
    *pointer;
};

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
    set,
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

/// Returns how a type is represented in JSON.
template <class T>
consteval Kind kind_of() {
    if constexpr (CustomCodec<T>)
        return Kind::custom_codec;
    else if constexpr (Represented<T>)
        return Kind::represented;
    else if constexpr (DescribedRecord<T>)
        return describe_detail::has_foreign_member<T> ? Kind::unsupported : Kind::record;
    else if constexpr (DescribedEnum<T>)
        return Kind::enumeration;
    else if constexpr (std::same_as<T, bool>)
        return Kind::boolean;
    else if constexpr (describe_detail::JsonInteger<T>)
        return Kind::integer;
    else if constexpr (std::floating_point<T>)
        return Kind::real;
    else if constexpr (std::same_as<T, std::string>)
        return Kind::text;
    else if constexpr (std::same_as<T, Json> || std::same_as<T, nlohmann::json>)
        return Kind::any;
    else if constexpr (std::same_as<T, JsonObject>)
        return Kind::object;
    else if constexpr (is_optional<T>)
        return Kind::optional;
    else if constexpr (describe_detail::is_vector<T>)
        return Kind::sequence;
    else if constexpr (is_ordered_map<T>)
        return Kind::ordered_map;
    else if constexpr (describe_detail::is_keyed_map<T>)
        return Kind::keyed_map;
    else if constexpr (describe_detail::is_array<T>)
        return Kind::fixed_array;
    else if constexpr (describe_detail::is_tuple<T>)
        return Kind::tuple;
    else if constexpr (is_variant<T>)
        return Kind::variant;
    else if constexpr (describe_detail::SetType<T>)
        return Kind::set;
    else
        return Kind::unsupported;
}

template <class T>
std::string type_title();
template <class T>
std::string parameter_title();

}  // namespace introspection

namespace describe_detail {

template <class... T>
struct TypeList {};

/// Appends the names of a union's members as Python's `Union` has them: flat, and each once.
template <class T>
void add_union_names(std::vector<std::string>& names) {
    const auto add = [&names](std::string name) {
        for (const std::string& known : names) {
            if (known == name) return;
        }
        names.push_back(std::move(name));
    };
    constexpr introspection::Kind kind = introspection::kind_of<T>();
    if constexpr (kind == introspection::Kind::optional && !Titled<T>) {
        add_union_names<typename T::value_type>(names);
        add("NoneType");
    } else if constexpr (kind == introspection::Kind::variant && !Titled<T>) {
        []<class... Member>(TypeList<std::variant<Member...>>, std::vector<std::string>& out) {
            (add_union_names<Member>(out), ...);
        }(TypeList<T>{}, names);
    } else {
        add(introspection::parameter_title<T>());
    }
}

[[nodiscard]] inline std::string bracketed(std::string_view name, const std::vector<std::string>& parameters) {
    std::string out = base::concat({name, "["});
    for (std::size_t i = 0; i < parameters.size(); ++i) base::append(out, {i == 0 ? "" : ", ", parameters[i]});
    return out + "]";
}

/// The title of a user's type: its name, and that of its parameters if it is a template of types.
template <class T>
struct NamedTitle {
    [[nodiscard]] static std::string get() { return introspection::short_type_name(introspection::pretty_type<T>()); }
};
template <template <class...> class Template, class... T>
struct NamedTitle<Template<T...>> {
    [[nodiscard]] static std::string get() {
        return bracketed(introspection::template_name(introspection::pretty_type<Template<T...>>()),
                         {introspection::parameter_title<T>()...});
    }
};

/// Returns the title of a type whose description has none.
template <class T>
std::string plain_title() {
    using introspection::Kind;
    constexpr Kind kind = introspection::kind_of<T>();
    if constexpr (kind == Kind::boolean) {
        return "bool";
    } else if constexpr (kind == Kind::integer) {
        return "int";
    } else if constexpr (kind == Kind::real) {
        return "float";
    } else if constexpr (kind == Kind::text) {
        return "str";
    } else if constexpr (kind == Kind::any) {
        return "Any";
    } else if constexpr (kind == Kind::object) {
        return "dict[str, Any]";
    } else if constexpr (kind == Kind::sequence) {
        return bracketed("list", {introspection::parameter_title<typename T::value_type>()});
    } else if constexpr (kind == Kind::set) {
        return bracketed("set", {introspection::parameter_title<typename T::value_type>()});
    } else if constexpr (kind == Kind::ordered_map || kind == Kind::keyed_map) {
        return bracketed("dict", {"str", introspection::parameter_title<typename T::mapped_type>()});
    } else if constexpr (kind == Kind::fixed_array) {
        return bracketed("tuple", std::vector<std::string>(std::tuple_size_v<T>,
                                                           introspection::parameter_title<typename T::value_type>()));
    } else if constexpr (kind == Kind::tuple) {
        return []<template <class...> class Tuple, class... Member>(TypeList<Tuple<Member...>>) {
            return bracketed("tuple", {introspection::parameter_title<Member>()...});
        }(TypeList<T>{});
    } else if constexpr (kind == Kind::variant || kind == Kind::optional) {
        std::vector<std::string> names;
        add_union_names<T>(names);
        return names.size() == 1 ? names.front() : bracketed("Union", names);
    } else {
        return NamedTitle<T>::get();
    }
}

}  // namespace describe_detail

namespace introspection {

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
            constexpr bool is_character = describe_detail::CharacterType<T>;
            static_assert(!is_character,
                          "acta: a single character is not a JSON type: use std::string, or an integer type");
            constexpr bool is_foreign = describe_detail::has_foreign_member<T>;
            static_assert(!is_foreign,
                          "acta: this description has a member of another struct: a field is a member of the described "
                          "struct or of its base");
            constexpr bool is_smart_pointer = kind == Kind::unsupported && SmartPointer<T>;
            static_assert(!is_smart_pointer,
                          "acta: a described member must hold its value: use the value itself, std::optional or "
                          "acta::Boxed instead of a smart pointer");
            constexpr bool is_locked = requires { typename T::locked_value; };
            static_assert(!is_locked,
                          "acta: this history may be in use by other threads: pass the history inside, as in "
                          "acta::save(*stored.lock(), \"run.json\")");
            constexpr bool is_other =
                kind != Kind::unsupported || is_character || is_foreign || is_smart_pointer || is_locked;
            constexpr bool is_misnamed = !is_other && describe_detail::MisnamedDescription<T>;
            static_assert(!is_misnamed,
                          "acta: the member of acta::Describe<YourType> is named `fields`, for an enum `values`");
            constexpr bool is_described_enum = is_other || is_misnamed || !std::is_enum_v<T>;
            static_assert(is_described_enum,
                          "acta: this enum is not described: add  template <> struct acta::Describe<YourEnum> { static "
                          "constexpr auto values = acta::values<YourEnum>({{\"text\", YourEnum::value}}); };  outside "
                          "your namespace, before its first use");
            constexpr bool is_described_type = is_other || is_misnamed || std::is_enum_v<T>;
            static_assert(is_described_type,
                          "acta: this type is not described: add  template <> struct acta::Describe<YourType> { static "
                          "constexpr auto fields = acta::fields(acta::required(\"name\", &YourType::name, \"What it "
                          "is.\")); };  outside your namespace, before its first use");
            if constexpr (kind == Kind::record) {
                []<class... Items>(const FieldList<Items...>&) {
                    (require_supported<typename describe_detail::MemberOf<Items>::type>(), ...);
                }(Describe<T>::fields);
            }
        }
    }
}

/// Returns the title of a type in schemas and error messages: that of its description, else its own name, with
/// parameters as pydantic writes those of a generic model (`Page[Union[str, Plan]]`). It is the same with every
/// compiler and standard library.
template <class T>
std::string type_title() {
    if constexpr (kind_of<T>() == Kind::any && !describe_detail::Titled<T>)
        return "Json";
    else if constexpr (kind_of<T>() == Kind::object && !describe_detail::Titled<T>)
        return "JsonObject";
    else if constexpr (kind_of<T>() == Kind::optional && !describe_detail::Titled<T>)
        return base::concat({"Optional[", parameter_title<typename T::value_type>(), "]"});
    else
        return parameter_title<T>();
}

/// Returns the title of a type as a parameter of another one: as `type_title`, but `Union[int, NoneType]` for an
/// optional, and `Any` for a `Json`.
template <class T>
std::string parameter_title() {
    if constexpr (requires { std::string(Describe<T>::name()); })
        return std::string(Describe<T>::name());
    else if constexpr (describe_detail::Titled<T>)
        return std::string(Describe<T>::name);
    else
        return describe_detail::plain_title<T>();
}

/// The texts of an enum in the order of its description.
template <class Enum>
inline constexpr auto enum_names = [] {
    std::array<std::string_view, Describe<Enum>::values.size()> names{};
    for (std::size_t i = 0; i < names.size(); ++i) names[i] = Describe<Enum>::values[i].name;
    return names;
}();

/// Returns the text of a value of an enum, or a view with null data if the description does not have the value.
template <class Enum>
constexpr std::string_view enum_name(Enum value) {
    for (const auto& item : Describe<Enum>::values) {
        if (item.value == value) return item.name;
    }
    return {};
}

/// What kind of item of a description `T` is; the member for unknown keys is neither.
template <class T>
struct ItemTraits {
    static constexpr bool member = requires { typename T::member_type; };     ///< A field.
    static constexpr bool literal = requires(const T& item) { item.value; };  ///< A literal.
};
/// Whether an item of a description is the member for unknown keys.
template <class T>
inline constexpr bool keeps_unknown_keys = !ItemTraits<T>::member && !ItemTraits<T>::literal;

/// Returns the key of an item in JSON: the alias if there is one.
template <class Owner, class Member, class... Options>
constexpr std::string_view item_key(const Field<Owner, Member, Options...>& field) {
    std::string_view key = field.name;
    if constexpr ((std::same_as<Options, Alias> || ...))
        for_each_option(field.options, [&key]([[maybe_unused]] const auto& option) {
            if constexpr (std::same_as<std::remove_cvref_t<decltype(option)>, Alias>) key = option.key;
        });
    return key;
}
/// Returns the key of a literal field.
template <class Value>
constexpr std::string_view item_key(const LiteralField<Value>& field) {
    return field.name;
}

/// Returns the text of a literal field.
template <class Value>
constexpr std::string_view literal_text(const LiteralField<Value>& field) {
    if constexpr (std::is_enum_v<Value>)
        return enum_name(field.value);
    else
        return field.value;
}

/// The item with an index.
template <class T, std::size_t I>
inline constexpr const auto& item_of = describe_detail::item_at<I>(Describe<T>::fields.slots);

/// The number of items of a description.
template <class T>
inline constexpr std::size_t item_count = decltype(Describe<T>::fields)::size;

/// Returns how many of the items have a key of their own.
template <class T>
consteval std::size_t keyed_count() {
    return []<std::size_t... I>(std::index_sequence<I...>) {
        return (std::size_t{0} + ... + (requires { item_key(item_of<T, I>); } ? 1U : 0U));
    }(std::make_index_sequence<item_count<T>>{});
}

}  // namespace introspection

/// A type that acta can read and write: a described one, a scalar, or a standard container of these.
template <class T>
concept Readable = introspection::kind_of<T>() != introspection::Kind::unsupported;

}  // namespace acta::inline ACTA_ABI
