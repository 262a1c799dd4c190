// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/fwd.hpp"
#include "acta/version.hpp"

// Names of types and members, taken from the compiler's name of a function that has them as template arguments.
namespace acta::inline ACTA_ABI::introspection {

/// Returns the name of a type as the compiler spells it.
template <class T>
constexpr std::string_view pretty_type() {
#if defined(_MSC_VER) && !defined(__clang__)
    constexpr std::string_view text = __FUNCSIG__;
    constexpr std::size_t first = text.find("pretty_type<") + 12;
    constexpr std::string_view name = text.substr(first, text.rfind(">(void)") - first);
    constexpr std::size_t blank = name.find(' ');  // "struct X", "class X", "enum X"
    return name.starts_with("struct ") || name.starts_with("class ") || name.starts_with("enum ")
               ? name.substr(blank + 1)
               : name;
#else
    constexpr std::string_view text = __PRETTY_FUNCTION__;
    constexpr std::size_t first = text.find("T = ") + 4;
    constexpr std::size_t last = text.find_first_of(";]", text.rfind("T = "));
    return text.substr(first, last - first);
#endif
}

/// Returns a name by `pretty_type` without namespaces and with parameters as Python writes them:
/// `Episode[ActionProposal]` for `app::Episode<acta::v0::ActionProposal>`.
[[gnu::cold]] inline std::string short_type_name(std::string_view pretty) {
    std::string plain(pretty);
    for (const std::string_view unnamed : {"(anonymous namespace)::", "{anonymous}::", "<unnamed>::"}) {
        for (std::size_t at = plain.find(unnamed); at != std::string::npos; at = plain.find(unnamed))
            plain.erase(at, unnamed.size());
    }
    pretty = plain;
    std::string out;
    std::vector<std::size_t> names = {0};  // where the name begins in out, and those around it
    for (std::size_t i = 0; i < pretty.size(); ++i) {
        const char c = pretty[i];
        if (pretty.substr(i).starts_with("::")) {
            out.resize(names.back());
            ++i;
        } else if (c == '<') {
            out += '[';
            names.push_back(out.size());
        } else if (c == '>') {
            out += ']';
            if (names.size() > 1) names.pop_back();
        } else if (c == ',' || c == ' ') {
            if (c == ' ' && !out.empty() && out.back() == ' ') continue;
            out += c;
            names.back() = out.size();
        } else {
            out += c;
        }
    }
    return out;
}

/// Returns the name of a template without namespaces and parameters: `Page` for the `pretty_type` of `app::Page<int>`.
[[gnu::cold]] inline std::string template_name(std::string_view pretty) {
    std::size_t end = pretty.size();
    std::size_t depth = 0;
    while (end > 0) {  // to where the last parameters begin
        const char c = pretty[--end];
        if (c == '>') ++depth;
        if (c == '<' && --depth == 0) break;
    }
    std::size_t begin = end;
    while (begin > 0 && pretty[begin - 1] != ':' && pretty[begin - 1] != ' ') --begin;
    return std::string(pretty.substr(begin, end - begin));
}

}  // namespace acta::inline ACTA_ABI::introspection

namespace acta::inline ACTA_ABI::describe_detail {

template <auto Member>
constexpr std::string_view pretty_member() {
#if defined(_MSC_VER) && !defined(__clang__)
    return __FUNCSIG__;
#else
    return __PRETTY_FUNCTION__;
#endif
}

// The length of what follows a member in such a text, found once: a search in each would take long to compile.
struct Probe {
    bool member;
};
inline constexpr std::size_t after_member = [] {
    constexpr std::string_view text = pretty_member<&Probe::member>();
    return text.size() - text.rfind("Probe::member") - std::string_view("Probe::member").size();
}();

/// `query` for `&WebSearch::query`.
template <auto Member>
constexpr std::string_view member_name() {
    std::string_view path = pretty_member<Member>();
    path.remove_suffix(after_member);
    path = path.substr(0, path.find_last_not_of(") ") + 1);
    return path.substr(path.rfind(':') + 1);
}

}  // namespace acta::inline ACTA_ABI::describe_detail

// A struct is described once, next to its definition; reading, writing, checking and schema follow from that
// (docs/reference/describe.md, "Fields").
namespace acta::inline ACTA_ABI {

/// Whether a field must be there, and what its schema shows.
enum class Presence {
    required,      ///< The key must be there.
    defaulted,     ///< `T{}`'s value if the key is missing; the schema shows it as `default`.
    optional,      ///< Like `defaulted`, but the schema shows no default (pydantic's `default_factory`).
    omit_if_empty  ///< Written only when not empty, and in no schema.
};

namespace describe_detail {
struct OptionBase {};
}  // namespace describe_detail

namespace introspection {

/// An option that may follow the documentation of a field.
template <class T>
concept FieldOption = std::derived_from<T, describe_detail::OptionBase>;

/// Calls `function` with each option of a field. std::apply would do, but takes longer to compile for each.
template <class... Options, class Function>
constexpr void for_each_option([[maybe_unused]] const std::tuple<Options...>& options,
                               [[maybe_unused]] const Function& function) {
    if constexpr (sizeof...(Options) != 0) {
        const auto each = [&]<std::size_t... I>(std::index_sequence<I...>) { (function(std::get<I>(options)), ...); };
        each(std::index_sequence_for<Options...>{});
    }
}

}  // namespace introspection

/// A field of a description, made by `required`, `defaulted`, `optional_field` or `omit_if_empty`.
template <class Owner, class Member, class... Options>
struct Field {
    using owner_type = Owner;        ///< The struct.
    using member_type = Member;      ///< The type of the data member.
    std::string_view name;           ///< The key in JSON, unless an `alias` among the options has another.
    Member Owner::*member;           ///< Where the value is.
    Presence presence;               ///< What happens if the key is missing.
    std::string_view doc;            ///< The schema's `description`; empty for none.
    std::tuple<Options...> options;  ///< Constraints, `alias` and the like, in the order given.
};

/// A key with one fixed value that is not a data member, made by `literal` or `required_literal`.
template <class Value>
struct LiteralField {
    std::string_view name;  ///< The key in JSON.
    Value value;            ///< A `std::string_view`, or a value of a described enum.
    bool required;          ///< Whether a missing key is an issue. A different value always is.
    std::string_view doc;   ///< The schema's `description`; empty for none.
};

/// A member that keeps every key the description does not name, made by `unknown_keys` or `kept_keys`.
template <class Owner>
struct ExtraField {
    JsonObject Owner::*member;  ///< Where the keys are kept, in the order they were read in.
    bool always = true;         ///< Whether they are, or only if `ParseOptions::unknown_keys` says so.
};

namespace describe_detail {

// A tuple of items. std::tuple would do, but a library has many descriptions, and its constructors and std::tuple_cat
// cost several times as much to compile.
template <std::size_t I, class Item>
struct ItemSlot {
    Item item;
};
template <class Indices, class... Items>
struct ItemSlots;
template <std::size_t... I, class... Items>
struct ItemSlots<std::index_sequence<I...>, Items...> : ItemSlot<I, Items>... {};

template <std::size_t I, class Item>
constexpr const Item& item_at(const ItemSlot<I, Item>& slot) noexcept {
    return slot.item;
}

}  // namespace describe_detail

/// The fields of a struct in JSON order, made by `fields`.
template <class... Items>
struct FieldList {
    /// The number of items, literals and `unknown_keys` included.
    static constexpr std::size_t size = sizeof...(Items);
    /// The items. Their type is an implementation detail: use `for_each`.
    describe_detail::ItemSlots<std::index_sequence_for<Items...>, Items...> slots;

    /// Calls `function` with each field in order.
    template <class Function>
    constexpr void for_each(Function&& function) const {
        each(function, std::index_sequence_for<Items...>{});
    }

private:
    template <class Function, std::size_t... I>
    constexpr void each(Function& function, std::index_sequence<I...>) const {
        (function(describe_detail::item_at<I>(slots)), ...);
    }
};

/// One value of an enum and its text.
template <class Enum>
struct EnumValue {
    std::string_view name;  ///< The text in JSON.
    Enum value;             ///< The enumerator that it stands for.
};

namespace describe_detail {

template <class T>
inline constexpr bool is_field_list = false;
template <class... Items>
inline constexpr bool is_field_list<FieldList<Items...>> = true;

// The items of two lists in one.
template <class... A, std::size_t... I, class... B, std::size_t... J>
constexpr FieldList<A..., B...> joined([[maybe_unused]] const FieldList<A...>& a, std::index_sequence<I...>,
                                       [[maybe_unused]] const FieldList<B...>& b, std::index_sequence<J...>) {
    return {{{item_at<I>(a.slots)}..., {item_at<J>(b.slots)}...}};
}
template <class... Done>
constexpr FieldList<Done...> flat(const FieldList<Done...>& done) {
    return done;
}
template <class... Done, class Item, class... Rest>
constexpr auto flat(const FieldList<Done...>& done, const Item& item, const Rest&... rest) {
    constexpr auto indices = std::index_sequence_for<Done...>{};
    if constexpr (is_field_list<Item> && sizeof...(Done) == 0)
        return flat(item, rest...);
    else if constexpr (is_field_list<Item>)
        return flat(joined(done, indices, item, std::make_index_sequence<Item::size>{}), rest...);
    else
        return flat(joined(done, indices, FieldList<Item>{{{item}}}, std::index_sequence<0>{}), rest...);
}

template <class Owner, class Member, class... Options>
constexpr auto make_field(std::string_view name, Member Owner::*member, Presence presence, std::string_view doc,
                          const Options&... options) {
    constexpr bool is_data = !std::is_function_v<Member>;
    static_assert(is_data, "acta: a field is a data member, and this is a function");
    static_assert(!std::is_const_v<Member>, "acta: a const member cannot be read: make the member non-const");
    constexpr bool are_options = (introspection::FieldOption<Options> && ...);
    static_assert(are_options,
                  "acta: after name, member and documentation a field takes options only, such as acta::range(1, 50); "
                  "its default is the initialiser of the member");
    // After an error, a field with which the rest compiles: further messages of the compiler would not help.
    if constexpr (!is_data)
        return Field<Owner, bool>{name, nullptr, presence, doc, {}};
    else if constexpr (!are_options)
        return Field<Owner, Member>{name, member, presence, doc, {}};
    else
        return Field<Owner, Member, Options...>{name, member, presence, doc, std::tuple<Options...>(options...)};
}

template <class T>
struct MemberPointer;
template <class Owner, class Member>
struct MemberPointer<Member Owner::*> {
    using owner_type = Owner;
};

}  // namespace describe_detail

/// Returns the fields of a struct in JSON order. A list made by `fields` elsewhere may be among them, so that several
/// structs can share the description of what they have in common.
///
/// @code{.cpp}
/// #include <optional>
/// #include <string>
/// struct WebSearch {
///     std::string query{};
///     int limit = 10;
///     std::optional<std::string> region{};
/// };
/// template <>
/// struct acta::Describe<WebSearch> {
///     static constexpr std::string_view doc = "Searches the web.";
///     static constexpr auto fields =
///         acta::fields(acta::required("query", &WebSearch::query, "What to look for."),
///                      acta::defaulted("limit", &WebSearch::limit, "How many results."),
///                      acta::omit_if_empty("region", &WebSearch::region));
/// };
/// @endcode
template <class... Items>
constexpr auto fields(const Items&... items) {
    if constexpr ((describe_detail::is_field_list<Items> || ...))
        return describe_detail::flat(FieldList<>{}, items...);
    else
        return FieldList<Items...>{{{items}...}};
}

/// Does not compile: the function is `fields`.
template <class... Items>
constexpr auto field(const Items&... items) {
    constexpr bool is_fields = sizeof...(Items) == static_cast<std::size_t>(-1);
    static_assert(is_fields, "acta: a list of fields is made by acta::fields");
    return fields(items...);
}

/// Describes a field that must be there. `name` is its key in JSON, `doc` its description in the schema, and `options`
/// are constraints and other options, such as `range(1, 50)` and `alias("x-limit")`.
template <class Owner, class Member, class... Options>
constexpr auto required(std::string_view name, Member Owner::*member, std::string_view doc = {},
                        const Options&... options) {
    return describe_detail::make_field(name, member, Presence::required, doc, options...);
}
/// Describes a field that keeps its value in `T{}` if its key is missing; the schema shows that value.
template <class Owner, class Member, class... Options>
constexpr auto defaulted(std::string_view name, Member Owner::*member, std::string_view doc = {},
                         const Options&... options) {
    return describe_detail::make_field(name, member, Presence::defaulted, doc, options...);
}
/// Does the same as `defaulted`, but the schema does not show the default.
template <class Owner, class Member, class... Options>
constexpr auto optional_field(std::string_view name, Member Owner::*member, std::string_view doc = {},
                              const Options&... options) {
    return describe_detail::make_field(name, member, Presence::optional, doc, options...);
}
/// Describes a field that is written only when it is not empty (null, false, or without elements), and is in no schema.
/// A list or map of this kind also reads null as empty.
template <class Owner, class Member, class... Options>
constexpr auto omit_if_empty(std::string_view name, Member Owner::*member, std::string_view doc = {},
                             const Options&... options) {
    return describe_detail::make_field(name, member, Presence::omit_if_empty, doc, options...);
}

/// The same with the name deduced from the member: `required<&WebSearch::query>("What to look for.")`.
template <auto Member, class... Options>
    requires std::is_member_object_pointer_v<decltype(Member)>
constexpr auto required(std::string_view doc = {}, const Options&... options) {
    return describe_detail::make_field(describe_detail::member_name<Member>(), Member, Presence::required, doc,
                                       options...);
}
/// As `defaulted` above, with the name deduced from the member.
template <auto Member, class... Options>
    requires std::is_member_object_pointer_v<decltype(Member)>
constexpr auto defaulted(std::string_view doc = {}, const Options&... options) {
    return describe_detail::make_field(describe_detail::member_name<Member>(), Member, Presence::defaulted, doc,
                                       options...);
}
/// As `optional_field` above, with the name deduced from the member.
template <auto Member, class... Options>
    requires std::is_member_object_pointer_v<decltype(Member)>
constexpr auto optional_field(std::string_view doc = {}, const Options&... options) {
    return describe_detail::make_field(describe_detail::member_name<Member>(), Member, Presence::optional, doc,
                                       options...);
}
/// As `omit_if_empty` above, with the name deduced from the member.
template <auto Member, class... Options>
    requires std::is_member_object_pointer_v<decltype(Member)>
constexpr auto omit_if_empty(std::string_view doc = {}, const Options&... options) {
    return describe_detail::make_field(describe_detail::member_name<Member>(), Member, Presence::omit_if_empty, doc,
                                       options...);
}

/// Describes a key that always has this text, and may be missing when read. The members of a variant are distinguished
/// by it.
constexpr auto literal(std::string_view name, std::string_view value, std::string_view doc = {}) {
    return LiteralField<std::string_view>{name, value, false, doc};
}
/// The same with a value of a described enum.
template <class Enum>
    requires std::is_enum_v<Enum>
constexpr auto literal(std::string_view name, Enum value, std::string_view doc = {}) {
    return LiteralField<Enum>{name, value, false, doc};
}
/// Describes a key that always has this text and must be there.
constexpr auto required_literal(std::string_view name, std::string_view value, std::string_view doc = {}) {
    return LiteralField<std::string_view>{name, value, true, doc};
}

/// Keeps the keys that the description does not name in a `JsonObject` member, and writes them after the declared
/// fields. They are in no schema.
template <class Owner>
constexpr auto unknown_keys(JsonObject Owner::*member) {
    return ExtraField<Owner>{member};
}
/// The same, but only if the document is read with `UnknownKeys::keep`.
template <class Owner>
constexpr auto kept_keys(JsonObject Owner::*member) {
    return ExtraField<Owner>{member, false};
}

/// Returns the values of an enum with their texts, in the order of the schema.
///
/// @code{.cpp}
/// enum class Tide { high, low };
/// template <>
/// struct acta::Describe<Tide> {
///     static constexpr auto values = acta::values<Tide>({{"high", Tide::high}, {"low", Tide::low}});
/// };
/// @endcode
template <class Enum, std::size_t N>
constexpr std::array<EnumValue<Enum>, N> values(const EnumValue<Enum> (&items)[N]) {
    return std::to_array(items);
}

/// A struct with described fields.
template <class T>
concept DescribedRecord = requires { Describe<T>::fields; };
/// An enum with described values.
template <class T>
concept DescribedEnum = std::is_enum_v<T> && requires { Describe<T>::values; };
/// A type that is written as another type: a scalar of its own, or a class with invariants.
template <class T>
concept Represented = requires { typename Describe<T>::representation; };
/// A type whose description reads and writes it (acta/json/codec.hpp), such as `Timestamp`.
template <class T>
concept CustomCodec = requires { Describe<T>::custom_codec; };
/// A type with a description.
template <class T>
concept Described = DescribedRecord<T> || DescribedEnum<T> || Represented<T> || CustomCodec<T>;

// Options of a field, in any order after its documentation.

/// Another key for the field in JSON; made by `alias`.
struct Alias : describe_detail::OptionBase {
    constexpr Alias() = default;
    /// Uses `text` as the key. It is not copied, so it should be a literal.
    constexpr explicit Alias(std::string_view text) : key(text) {}
    std::string_view key{};  ///< Read and, with `DumpOptions::by_alias`, written in place of the field's name.
};
/// Uses `key` for the field in JSON, such as `x-prerequisite`.
constexpr Alias alias(std::string_view key) { return Alias(key); }

/// The type of `hidden`.
struct Hidden : describe_detail::OptionBase {};
/// Read and written, but in no schema.
inline constexpr Hidden hidden{};

/// The type of `deprecated`.
struct Deprecated : describe_detail::OptionBase {};
/// Marked `deprecated` in the schema.
inline constexpr Deprecated deprecated{};

/// The option `as_tuple`: a struct is a JSON array, not an object.
struct AsTuple : describe_detail::OptionBase {};
/// A list that Python holds as a tuple: the code of its issue is `tuple_type`.
inline constexpr AsTuple as_tuple{};

}  // namespace acta::inline ACTA_ABI

// A shorthand without documentation and constraints. Not part of acta.hpp, since its macros stay defined. Needs a
// standard preprocessor (with MSVC /Zc:preprocessor).

/// Describes a struct by the names of its members, first the required ones, then those with a default:
///
///     ACTA_DESCRIBE(app::WebSearch, (query), (limit));
///
/// Use it where a specialisation of `acta::Describe` would be: outside your own namespace. Either list may be empty; up
/// to 64 members.
#define ACTA_DESCRIBE(type, required_members, defaulted_members)                                             \
    template <>                                                                                              \
    struct acta::Describe<type> {                                                                            \
        using ActaDescribed = type;                                                                          \
        static constexpr auto fields =                                                                       \
            acta::fields(acta::fields(ACTA_DESCRIBE_ALL(required, ACTA_DESCRIBE_STRIP required_members)),    \
                         acta::fields(ACTA_DESCRIBE_ALL(defaulted, ACTA_DESCRIBE_STRIP defaulted_members))); \
    }

#define ACTA_DESCRIBE_STRIP(...) __VA_ARGS__
#define ACTA_DESCRIBE_PARENS ()
#define ACTA_DESCRIBE_EXPAND(...) \
    ACTA_DESCRIBE_EXPAND4(ACTA_DESCRIBE_EXPAND4(ACTA_DESCRIBE_EXPAND4(ACTA_DESCRIBE_EXPAND4(__VA_ARGS__))))
#define ACTA_DESCRIBE_EXPAND4(...) \
    ACTA_DESCRIBE_EXPAND3(ACTA_DESCRIBE_EXPAND3(ACTA_DESCRIBE_EXPAND3(ACTA_DESCRIBE_EXPAND3(__VA_ARGS__))))
#define ACTA_DESCRIBE_EXPAND3(...) \
    ACTA_DESCRIBE_EXPAND2(ACTA_DESCRIBE_EXPAND2(ACTA_DESCRIBE_EXPAND2(ACTA_DESCRIBE_EXPAND2(__VA_ARGS__))))
#define ACTA_DESCRIBE_EXPAND2(...) __VA_ARGS__
#define ACTA_DESCRIBE_ALL(kind, ...) __VA_OPT__(ACTA_DESCRIBE_EXPAND(ACTA_DESCRIBE_NEXT(kind, __VA_ARGS__)))
#define ACTA_DESCRIBE_NEXT(kind, member, ...)   \
    acta::kind(#member, &ActaDescribed::member) \
        __VA_OPT__(, ACTA_DESCRIBE_AGAIN ACTA_DESCRIBE_PARENS(kind, __VA_ARGS__))
#define ACTA_DESCRIBE_AGAIN() ACTA_DESCRIBE_NEXT
