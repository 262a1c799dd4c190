// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <concepts>
#include <cstddef>
#include <exception>
#include <limits>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/utility.hpp"
#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"
#include "acta/json/detail/decoder.hpp"
#include "acta/json/issue.hpp"

// The part of reading that depends on types: it picks the shared functions that a type needs.
namespace acta::inline ACTA_ABI::json_detail {

// A member of a described struct: how its options take part in reading it -------------------------

template <class T>
void decode_value(Decoder& d, T& out);
template <class T>
void decode_sequence(Decoder& d, T& out, std::string_view type);

template <class Option>
concept ValueCheck = requires { requires Option::checks_values; };

template <class Option, class T>
void check_option(Decoder& d, const Option& option, const T& value, const void* where) {
    if constexpr (introspection::is_optional<T>) {
        if (value) check_option(d, option, *value, where);
    } else {
        option.check(d, value, where);
    }
}

/// Returns whether the issue of a check replaces those of the elements.
template <class Option, class T>
bool overrides_issues(const Option& option, const T& value) {
    if constexpr (introspection::is_optional<T>)
        return value && overrides_issues(option, *value);
    else if constexpr (requires { option.overrides(value); })
        return option.overrides(value);
    else
        return false;
}

/// Reads an object; a value of another kind becomes its member `key`. For the option `wrap_other_values`.
inline void decode_wrapped(Decoder& d, std::string_view key, JsonObject& out) {
    if (d.in.peek() == Token::object) return decode_value(d, out);
    out.clear();
    decode_value(d, out[std::string(key)]);
}

/// Reads any JSON value or object with numbers of any size. For the option `keep_large_numbers`.
template <class T>
void decode_large_numbers(Decoder& d, T& out) {
    struct Scope {
        explicit Scope(bool& flag) : value(flag), before(std::exchange(flag, true)) {}
        Scope(const Scope&) = delete;
        Scope& operator=(const Scope&) = delete;
        ~Scope() { value = before; }
        bool& value;
        bool before;
    };
    const Scope scope(d.keep_large_numbers);
    decode_value(d, out);
}

/// An option that reads the value in place of the member's own reading.
template <class Option, class T>
concept ReadingOption = requires(const Option& option, Decoder& d, T& out) { option.decode(d, out); };

template <class Option, class T>
void decode_by_option(Decoder& d, const Option& option, T& out) {
    if constexpr (ReadingOption<Option, T>) {
        option.decode(d, out);
    } else if (d.in.peek() == Token::null) {
        d.in.read_null();
        out.reset();
    } else {
        option.decode(d, out.emplace());
    }
}

template <class T>
struct ValueOf {
    using type = T;
};
template <class T>
struct ValueOf<std::optional<T>> {
    using type = T;
};

template <class T, class... Options>
void decode_member(Decoder& d, T& member, const std::tuple<Options...>& options) {
    constexpr bool checked = (ValueCheck<Options> || ...);
    const void* where = nullptr;
    std::size_t before = 0;
    if constexpr (checked) {
        d.in.peek();
        where = d.in.where();
        before = d.issues.size();
    }
    if constexpr ((std::same_as<Options, AsTuple> || ...))
        decode_sequence(d, member, "tuple_type");
    else if constexpr ((ReadingOption<Options, typename ValueOf<T>::type> || ...))
        introspection::for_each_option(options, [&]<class Option>([[maybe_unused]] const Option& option) {
            if constexpr (ReadingOption<Option, typename ValueOf<T>::type>) decode_by_option(d, option, member);
        });
    else
        decode_value(d, member);
    if constexpr (checked) {
        const bool good = d.issues.size() == before;
        introspection::for_each_option(options, [&]<class Option>([[maybe_unused]] const Option& option) {
            if constexpr (ValueCheck<Option>) {
                if (!good && !overrides_issues(option, member)) return;
                if (!good) d.drop_issues_from(before);
                check_option(d, option, member, where);
            }
        });
    }
}

// Lists, maps and tuples ---------------------------------------------------------------------------

/// Grows a full list to the size that it probably needs in total, but at most to twice its size.
template <class T>
[[gnu::cold]] void grow(Decoder& d, const Container& container, T& out) {
    constexpr std::size_t few = 16;
    const std::size_t size = out.size();
    std::size_t capacity = std::max<std::size_t>(2 * size, 1);
    if (size >= few) capacity = std::clamp(d.in.expected_elements(container, size), size + size / 8, capacity);
    out.reserve(capacity);
}

template <class T>
void decode_sequence(Decoder& d, T& out, std::string_view type) {
    out.clear();
    if (d.in.peek() != Token::array) {
        d.refuse(type, "Input should be a valid array");
        return;
    }
    Container container;
    d.in.enter(container);
    PathScope scope(d);
    for (std::size_t i = 0; d.in.next_element(container); ++i) {
        scope.set_index(i);
        if constexpr (std::same_as<typename T::value_type, bool>) {
            bool element = false;
            decode_value(d, element);
            out.push_back(element);
        } else {
            if (out.size() == out.capacity()) grow(d, container, out);
#if defined(__GNUC__)
            if (out.size() == out.capacity()) __builtin_unreachable();  // so that growing is compiled only once
#endif
            decode_value(d, out.emplace_back());
        }
    }
}

template <class T>
void decode_set(Decoder& d, T& out) {
    out.clear();
    if (d.in.peek() != Token::array) {
        d.refuse("set_type", "Input should be a valid array");
        return;
    }
    Container container;
    d.in.enter(container);
    PathScope scope(d);
    for (std::size_t i = 0; d.in.next_element(container); ++i) {
        scope.set_index(i);
        const std::size_t before = d.issues.size();
        typename T::value_type element{};
        decode_value(d, element);
        if (d.issues.size() == before) out.insert(std::move(element));
    }
}

/// Maps issues to the values of a map, so that the last value of a repeated key replaces the issues of the first one
/// with its own, as the map replaces the value. A template, so that a source without maps does not compile it.
template <class Key>
class IssuesByKey {
public:
    /// Notes that the value of the key that was read as number `key` has the issues from `first` to `end`.
    void note(std::size_t key, std::size_t first, std::size_t end) {
        if (first != end) runs_.push_back({key, first, end});
    }
    [[nodiscard]] bool empty() const noexcept { return runs_.empty(); }
    /// Needs all keys as they were read, and sorts them.
    [[gnu::cold]] void finish(Decoder& d, const std::vector<Key>& keys) {
        const std::vector<Place> places = places_of(keys);
        std::vector<Run> kept;
        bool moved = false;
        for (const Run& run : runs_) {
            const Place& place = places[run.key];
            if (place.last == run.key) kept.push_back({place.first, run.first, run.end});
            moved = moved || place.last != run.key || place.first != run.key;
        }
        if (!moved) return;
        std::vector<std::size_t> order(kept.size());
        base::sort_indices(order, &kept, [](const void* runs, std::size_t x, std::size_t y) {
            const auto& all = *static_cast<const std::vector<Run>*>(runs);
            return all[x].key < all[y].key;
        });
        std::vector<Issue> issues;
        std::vector<const void*> where;
        for (const std::size_t one : order) {
            for (std::size_t i = kept[one].first; i < kept[one].end; ++i) {
                issues.push_back(std::move(d.issues[i]));
                where.push_back(d.places[i]);
            }
        }
        d.drop_issues_from(runs_.front().first);
        for (Issue& issue : issues) d.issues.push_back(std::move(issue));
        for (const void* const place : where) d.places.push_back(place);
    }

private:
    struct Run {
        std::size_t key;
        std::size_t first;
        std::size_t end;
    };
    /// The numbers under which a key was read first and last.
    struct Place {
        std::size_t first;
        std::size_t last;
    };
    [[gnu::cold]] static std::vector<Place> places_of(const std::vector<Key>& keys) {
        std::vector<std::size_t> order(keys.size());
        base::sort_indices(order, &keys, [](const void* context, std::size_t x, std::size_t y) {
            const auto& all = *static_cast<const std::vector<Key>*>(context);
            const int difference = all[x].compare(all[y]);
            return difference != 0 ? difference < 0 : x < y;
        });
        std::vector<Place> places(keys.size());
        for (std::size_t begin = 0; begin < order.size();) {
            std::size_t end = begin + 1;
            while (end < order.size() && keys[order[end]] == keys[order[begin]]) ++end;
            for (std::size_t i = begin; i < end; ++i) places[order[i]] = {order[begin], order[end - 1]};
            begin = end;
        }
        return places;
    }
    std::vector<Run> runs_{};
};

/// `entry(key)` returns the place for the value of a key; `keys()` all keys read, in their order.
template <class Value, class Entry, class Keys>
void decode_map(Decoder& d, const Entry& entry, const Keys& keys) {
    if (d.in.peek() != Token::object) {
        d.refuse("dict_type", "Input should be an object");
        return;
    }
    Container container;
    d.in.enter(container);
    PathScope scope(d);
    IssuesByKey<std::string_view> issues;
    std::string_view key;
    for (std::size_t number = 0; d.in.next_key(container, key); ++number) {
        const std::pair<std::string_view, Value*> place = entry(std::string(key));
        scope.set_key(place.first);
        const std::size_t first = d.issues.size();
        decode_value(d, *place.second);
        issues.note(number, first, d.issues.size());
    }
    if (!issues.empty()) issues.finish(d, keys());
}

template <class T>
void decode_entries(Decoder& d, T& out) {
    using Value = typename T::mapped_type;
    out.clear();
    std::vector<std::string_view> keys;
    if constexpr (introspection::is_ordered_map<T>) {
        decode_map<Value>(
            d,
            [&out](std::string key) {
                out.emplace_back(std::move(key), Value{});
                return std::pair<std::string_view, Value*>(out.back().first, &out.back().second);
            },
            [&out, &keys]() -> const auto& {
                for (const auto& [key, value] : base::entries(out)) keys.push_back(key);
                return keys;
            });
        base::drop_repeated_keys(out);
    } else {
        decode_map<Value>(
            d,
            [&out, &keys](std::string key) {
                auto& entry = *out.insert_or_assign(std::move(key), Value{}).first;
                keys.push_back(entry.first);
                return std::pair<std::string_view, Value*>(entry.first, &entry.second);
            },
            [&keys]() -> const auto& { return keys; });
    }
}

/// Reads an array of a known number of values. `elements(i)` reads the one at index i.
template <class Elements>
void decode_fixed(Decoder& d, std::size_t count, const Elements& elements) {
    if (d.in.peek() != Token::array) {
        d.refuse("tuple_type", "Input should be a valid array");
        return;
    }
    const void* const where = d.in.where();
    const std::size_t before = d.issues.size();
    Container container;
    d.in.enter(container);
    std::size_t found = 0;
    {
        PathScope scope(d);
        for (; d.in.next_element(container); ++found) {
            scope.set_index(found);
            if (found < count) {
                elements(found);
            } else {
                d.in.peek();
                d.in.skip();
            }
        }
        for (std::size_t i = found; i < count; ++i) {
            scope.set_index(i);
            d.issue("missing", "Field required", where);
        }
    }
    if (found > count) {
        d.drop_issues_from(before);  // as pydantic, which then ignores the elements
        d.issue("too_long",
                base::concat({"Tuple should have at most ", std::to_string(count), count == 1 ? " item" : " items",
                              " after validation, not ", std::to_string(found)}),
                where);
    }
}

template <class T>
void decode_tuple(Decoder& d, T& out) {
    constexpr std::size_t count = std::tuple_size_v<T>;
    decode_fixed(d, count, [&]<std::size_t... I>(std::index_sequence<I...>) {
        return [&](std::size_t i) { ((i == I ? decode_value(d, std::get<I>(out)) : void()), ...); };
    }(std::make_index_sequence<count>{}));
}

// Single values -------------------------------------------------------------------------------------

template <class Enum>
void decode_enum(Decoder& d, Enum& out) {
    const std::size_t i = decode_choice(d, introspection::enum_names<Enum>, "enum");
    if (i < introspection::enum_names<Enum>.size()) out = Describe<Enum>::values[i].value;
}

/// Runs a user's conversion. An exception becomes an issue, except for a lack of memory.
template <class Convert>
void decode_converted(Decoder& d, const void* where, const Convert& convert) {
    try {
        convert();
    } catch (const std::bad_alloc&) {
        throw;  // not the document's fault
    } catch (const std::exception& e) {
        d.issue("value_error", base::concat({"Value error, ", base::what_of(e)}), where);
    }
}

/// Lets a conversion report what it repaired.
class DecodeNotes {
public:
    DecodeNotes(const Decoder& d, const void* where) : d_(d), where_(where) {}
    void warn(std::string_view type, std::string_view message) const { d_.warn(type, message, where_); }

private:
    const Decoder& d_;
    const void* where_;
};

template <class T>
void decode_represented(Decoder& d, T& out) {
    using D = Describe<T>;
    typename D::representation value{};
    d.in.peek();
    const void* const where = d.in.where();
    const std::size_t before = d.issues.size();
    decode_value(d, value);
    if (d.issues.size() != before) return;
    decode_converted(d, where, [&] {
        if constexpr (requires(const DecodeNotes& notes) { D::from_representation(std::move(value), notes); })
            out = D::from_representation(std::move(value), DecodeNotes(d, where));
        else
            out = D::from_representation(std::move(value));
    });
}

// Described structs ------------------------------------------------------------------------------

/// A union whose description reads it.
template <class Variant>
concept ReadsItself = requires(Decoder& d, Variant& out) { Describe<Variant>::decode(d, out); };

/// Returns whether reading a value replaces the old one entirely. Then the member of a repeated key need not be reset
/// first, which saves an assignment for each type.
template <class T>
constexpr bool is_replaced_by_reading() {
    constexpr introspection::Kind kind = introspection::kind_of<T>();
    if constexpr (kind == introspection::Kind::variant)
        return !ReadsItself<T>;
    else
        return kind != introspection::Kind::record && kind != introspection::Kind::tuple &&
               kind != introspection::Kind::fixed_array && kind != introspection::Kind::custom_codec;
}

/// Returns whether a type is a list or a map.
template <class T>
constexpr bool is_clearable() {
    constexpr introspection::Kind kind = introspection::kind_of<T>();
    return kind == introspection::Kind::sequence || kind == introspection::Kind::set ||
           kind == introspection::Kind::object || kind == introspection::Kind::ordered_map ||
           kind == introspection::Kind::keyed_map;
}

template <class T, std::size_t I>
void decode_item(Decoder& d, [[maybe_unused]] void* object, [[maybe_unused]] bool again) {
    constexpr const auto& item = introspection::item_of<T, I>;
    using Item = std::remove_cvref_t<decltype(item)>;
    if constexpr (introspection::ItemTraits<Item>::member) {
        introspection::require_supported<typename Item::member_type>();
        using Member = typename Item::member_type;
        auto& member = static_cast<T*>(object)->*item.member;
        // Other programs write null for an empty list that acta omits.
        if constexpr (item.presence == Presence::omit_if_empty && is_clearable<Member>()) {
            if (d.in.peek() == Token::null) {
                d.in.read_null();
                member.clear();
                return;
            }
        }
        if constexpr (!is_replaced_by_reading<Member>() || !std::same_as<decltype(item.options), std::tuple<>>) {
            if (again) member = Member{};
        }
        decode_member(d, member, item.options);
    } else if constexpr (std::is_enum_v<decltype(item.value)>) {
        d.in.peek();
        const void* const where = d.in.where();
        const std::size_t before = d.issues.size();
        auto value = item.value;
        decode_enum(d, value);
        if (d.issues.size() == before && value == item.value) return;
        d.literal_mismatch = true;
        if (d.issues.size() == before) refuse_literal(d, introspection::literal_text(item), where);
    } else {
        decode_literal(d, item.value);
    }
}

template <class T, std::size_t I, std::size_t N>
constexpr void add_decoder(std::array<FieldDecoder, N>& table, std::size_t& next) {
    constexpr const auto& item = introspection::item_of<T, I>;
    using Item = std::remove_cvref_t<decltype(item)>;
    if constexpr (introspection::ItemTraits<Item>::member)
        table[next++] = {introspection::item_key(item), &decode_item<T, I>, item.presence == Presence::required, {}};
    else if constexpr (introspection::ItemTraits<Item>::literal)
        table[next++] = {introspection::item_key(item), &decode_item<T, I>, item.required,
                         introspection::literal_text(item)};
}

template <class T>
inline constexpr auto field_decoders = [] {
    std::array<FieldDecoder, introspection::keyed_count<T>()> table{};
    std::size_t next = 0;
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (add_decoder<T, I>(table, next), ...);
    }(std::make_index_sequence<introspection::item_count<T>>{});
    return table;
}();

template <class T>
consteval bool keys_are_distinct() {
    for (std::size_t i = 0; i < field_decoders<T>.size(); ++i) {
        for (std::size_t j = 0; j < i; ++j) {
            if (field_decoders<T>[i].key == field_decoders<T>[j].key) return false;
        }
    }
    return true;
}

template <class T, std::size_t I>
JsonObject& extra_of(void* object) {
    return static_cast<T*>(object)->*introspection::item_of<T, I>.member;
}

template <class T>
inline constexpr RecordDecoder record_decoder = [] {
    static_assert(field_decoders<T>.size() <= max_fields, "acta: a struct may have at most 256 described fields");
    static_assert(keys_are_distinct<T>(),
                  "acta: two fields of this description have the same name: give every field a name of its own");
    RecordDecoder record{{field_decoders<T>.data(), field_decoders<T>.size()}, {}, nullptr};
    for (std::size_t i = 0; i < field_decoders<T>.size(); ++i) {
        if (field_decoders<T>[i].required) insert(record.required, i);
    }
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        [[maybe_unused]] const auto find = [&]<std::size_t K>(std::integral_constant<std::size_t, K>) {
            if constexpr (introspection::keeps_unknown_keys<
                              std::remove_cvref_t<decltype(introspection::item_of<T, K>)>>) {
                record.extra = &extra_of<T, K>;
                record.keeps_always = introspection::item_of<T, K>.always;
            }
        };
        (find(std::integral_constant<std::size_t, I>{}), ...);
    }(std::make_index_sequence<introspection::item_count<T>>{});
    return record;
}();

// Unions -----------------------------------------------------------------------------------------

template <class T>
constexpr unsigned fits(Token token, bool whole);
template <class Variant, std::size_t I>
void* emplace_alternative(void* variant) {
    return &static_cast<Variant*>(variant)->template emplace<I>();
}
template <class Variant, std::size_t I>
void decode_alternative(Decoder& d, void* value) {
    decode_value(d, *static_cast<std::variant_alternative_t<I, Variant>*>(value));
}

template <class T>
constexpr const RecordDecoder* record_of() {
    if constexpr (introspection::kind_of<T>() == introspection::Kind::record)
        return &record_decoder<T>;
    else
        return nullptr;
}

template <class Variant>
inline constexpr auto alternatives = []<std::size_t... I>(std::index_sequence<I...>) {
    return std::array<Alternative, sizeof...(I)>{
        Alternative{introspection::kind_of<std::variant_alternative_t<I, Variant>>() == introspection::Kind::record,
                    record_of<std::variant_alternative_t<I, Variant>>(), &fits<std::variant_alternative_t<I, Variant>>,
                    &emplace_alternative<Variant, I>, &decode_alternative<Variant, I>}...};
}(std::make_index_sequence<std::variant_size_v<Variant>>{});

template <class Variant>
inline constexpr std::string_view union_tag = find_union_tag(alternatives<Variant>);

template <class Variant>
void decode_variant(Decoder& d, Variant& out) {
    [&]<std::size_t... I>(std::index_sequence<I...>) {
        (introspection::require_supported<std::variant_alternative_t<I, Variant>>(), ...);
    }(std::make_index_sequence<std::variant_size_v<Variant>>{});
    if constexpr (ReadsItself<Variant>)
        Describe<Variant>::decode(d, out);
    else if constexpr (union_tag<Variant>.empty())
        decode_untagged(d, alternatives<Variant>, &out);
    else
        decode_tagged(d, union_tag<Variant>, alternatives<Variant>, &out);
}

/// Returns how well a value fits a type: 3 exactly, 2 nearly, 1 by conversion, 0 not at all. `whole`: the number is
/// written as an integer.
template <class T>
constexpr unsigned fits(Token token, bool whole) {
    constexpr introspection::Kind kind = introspection::kind_of<T>();
    const auto exact = [token](Token wanted) { return token == wanted ? 3U : 0U; };
    if constexpr (kind == introspection::Kind::optional) {
        return token == Token::null ? 3U : fits<typename T::value_type>(token, whole);
    } else if constexpr (kind == introspection::Kind::represented) {
        return fits<typename Describe<T>::representation>(token, whole);
    } else if constexpr (kind == introspection::Kind::any) {
        return 1;
    } else if constexpr (kind == introspection::Kind::text) {
        return exact(Token::string);
    } else if constexpr (kind == introspection::Kind::enumeration || kind == introspection::Kind::custom_codec) {
        return token == Token::string ? 2 : 0;
    } else if constexpr (kind == introspection::Kind::boolean) {
        return token == Token::boolean ? 3 : token == Token::string || token == Token::number ? 1 : 0;
    } else if constexpr (kind == introspection::Kind::integer) {
        return token == Token::number ? (whole ? 3 : 1) : token == Token::string || token == Token::boolean ? 1 : 0;
    } else if constexpr (kind == introspection::Kind::real) {
        return token == Token::number ? (whole ? 2 : 3) : token == Token::string || token == Token::boolean ? 1 : 0;
    } else if constexpr (kind == introspection::Kind::sequence || kind == introspection::Kind::set ||
                         kind == introspection::Kind::fixed_array || kind == introspection::Kind::tuple) {
        return exact(Token::array);
    } else if constexpr (kind == introspection::Kind::variant) {
        unsigned best = 0;
        for (const Alternative& alternative : alternatives<T>) best = std::max(best, alternative.fits(token, whole));
        return best;
    } else {
        return exact(Token::object);
    }
}

template <class Real>
void decode_real(Decoder& d, Real& out) {
    d.in.peek();
    const void* const where = d.in.where();
    double value = 0;
    if (!decode_float(d, value)) return;
    if (!d.options.allow_inf_nan && !std::isfinite(value)) {
        d.issue("finite_number", "Input should be a finite number", where);
        return;
    }
    if constexpr (sizeof(Real) < sizeof(double)) {
        if (std::isfinite(value) && std::fabs(value) > static_cast<double>(std::numeric_limits<Real>::max())) {
            d.issue("finite_number", "Input should be a finite number", where);
            return;
        }
    }
    out = static_cast<Real>(value);
}

// The one place that knows every kind ---------------------------------------------------------------

template <class T>
void decode_value(Decoder& d, T& out) {
    constexpr introspection::Kind kind = introspection::kind_of<T>();
    introspection::require_supported<T>();
    if constexpr (kind == introspection::Kind::boolean) {
        decode_bool(d, out);
    } else if constexpr (kind == introspection::Kind::integer) {
        std::uint64_t bits = 0;
        if (decode_integer(d, static_cast<std::int64_t>(std::numeric_limits<T>::min()),
                           static_cast<std::uint64_t>(std::numeric_limits<T>::max()), bits))
            out = static_cast<T>(bits);
    } else if constexpr (kind == introspection::Kind::real) {
        decode_real(d, out);
    } else if constexpr (kind == introspection::Kind::text) {
        decode_string(d, out);
    } else if constexpr (kind == introspection::Kind::any) {
        if constexpr (std::same_as<T, Json>) {
            d.read_json(out);
        } else {
            Json value;
            d.read_json(value);
            out = T(value);
        }
    } else if constexpr (kind == introspection::Kind::object) {
        decode_object(d, out);
    } else if constexpr (kind == introspection::Kind::optional) {
        if (d.in.peek() == Token::null) {
            d.in.read_null();
            out.reset();
        } else {
            decode_value(d, out.emplace());
        }
    } else if constexpr (kind == introspection::Kind::sequence) {
        decode_sequence(d, out, "list_type");
    } else if constexpr (kind == introspection::Kind::set) {
        decode_set(d, out);
    } else if constexpr (kind == introspection::Kind::ordered_map || kind == introspection::Kind::keyed_map) {
        decode_entries(d, out);
    } else if constexpr (kind == introspection::Kind::fixed_array) {
        decode_fixed(d, out.size(), [&](std::size_t i) { decode_value(d, out[i]); });
    } else if constexpr (kind == introspection::Kind::tuple) {
        decode_tuple(d, out);
    } else if constexpr (kind == introspection::Kind::variant) {
        decode_variant(d, out);
    } else if constexpr (kind == introspection::Kind::enumeration) {
        decode_enum(d, out);
    } else if constexpr (kind == introspection::Kind::record) {
        decode_record(d, record_decoder<T>, &out);
    } else if constexpr (kind == introspection::Kind::represented) {
        decode_represented(d, out);
    } else if constexpr (kind == introspection::Kind::custom_codec) {
        Describe<T>::decode(d, out);
    }
}

// Whole documents ---------------------------------------------------------------------------------

/// Reads one value of a type that only `decode` knows.
struct Reading {
    void (*decode)(Decoder& d, void* out);
    std::string (*title)();
    void* out;
};

/// Reads a document. Throws `ValidationError`.
void read_text_document(std::string_view text, const ParseOptions& options, const Reading& reading);
/// The type of the warning about an object without a known member.
inline constexpr std::string_view foreign_document = "no_known_member";
/// As `read_text_document`. A template, always on `Json`, so that header-only sources which read only text do not
/// compile it.
template <class AnyJson>
void read_json_document(const AnyJson& json, const ParseOptions& options, const Reading& reading);

template <class T>
Reading reading_of(T& out) {
    return codec::Document<T>::reading(out);
}

}  // namespace acta::inline ACTA_ABI::json_detail

template <class T>
acta::json_detail::Reading acta::codec::Document<T>::reading(T& out) {
    return {[](json_detail::Decoder& d, void* value) { json_detail::decode_value(d, *static_cast<T*>(value)); },
            &introspection::type_title<T>, &out};
}

#ifndef ACTA_COMPILED
#include "acta/json/detail/decode.inl.hpp"
#endif
