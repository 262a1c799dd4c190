// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cmath>
#include <exception>
#include <limits>
#include <new>
#include <string>
#include <utility>

#include "acta/describe/introspection.hpp"
#include "acta/json/detail/read/decode_containers.hpp"
#include "acta/json/detail/read/decode_member.hpp"
#include "acta/json/detail/read/record.hpp"
#include "acta/json/detail/read/union.hpp"

// The part of reading that depends on types: it picks the shared functions that a type needs.
namespace acta::inline ACTA_ABI::json_detail {

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
        d.issue("value_error", base::concat({"Value error, ", e.what()}), where);
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
    return kind == introspection::Kind::sequence || kind == introspection::Kind::object ||
           kind == introspection::Kind::ordered_map || kind == introspection::Kind::keyed_map;
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
            using Item = std::remove_cvref_t<decltype(introspection::item_of<T, K>)>;
            if constexpr (!introspection::ItemTraits<Item>::member && !introspection::ItemTraits<Item>::literal)
                record.extra = &extra_of<T, K>;
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
    } else if constexpr (kind == introspection::Kind::sequence || kind == introspection::Kind::fixed_array ||
                         kind == introspection::Kind::tuple) {
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
        d.read_json(out);
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

}  // namespace acta::inline ACTA_ABI::json_detail
