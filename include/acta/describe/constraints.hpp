// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"

// A constraint of text fields, in a header of its own that is cheap to include.
namespace acta::inline ACTA_ABI {

/// One of several texts (pydantic's `Literal`); made by `one_of`.
template <std::size_t N>
struct OneOf : describe_detail::OptionBase {
    std::array<std::string_view, N> names{};  ///< The texts allowed, in the order of the schema.

    /// Reads the text in place of the member's own reading: any other value is a `literal_error`.
    template <class Decoder>
    void decode(Decoder& d, std::string& out) const {
        const std::size_t i = decode_choice(d, names, "literal_error");  // of the component json, found by ADL
        if (i < N) out = names[i];
    }
    /// Sets `enum`, or `const` for a single text.
    void annotate(Json& schema) const {
        JsonArray all;
        for (const std::string_view name : names) all.push_back(base::text_json(name));
        if (N == 1)
            base::assign(schema, "const", std::move(all.front()));
        else
            base::assign(schema, "enum", std::move(all));
    }
};
/// Requires a text that is one of `names`.
template <class... Names>
constexpr OneOf<sizeof...(Names)> one_of(const Names&... names) {
    OneOf<sizeof...(Names)> option;
    option.names = {std::string_view(names)...};
    return option;
}

/// A member for which other programs may have another use; made by `wrap_other_values`.
struct WrapOtherValues : describe_detail::OptionBase {
    std::string_view key{};  ///< The member of the object that another value becomes.

    /// Reads an object, or wraps another value.
    template <class Decoder>
    void decode(Decoder& d, JsonObject& out) const {
        decode_wrapped(d, key, out);  // of the component json, found by ADL
    }
};
/// Lets a `JsonObject` member be read from any value: a value that is not an object becomes the object's member `key`.
constexpr WrapOtherValues wrap_other_values(std::string_view key) {
    WrapOtherValues option;
    option.key = key;
    return option;
}

/// A member with numbers of any size; made by `keep_large_numbers`.
struct KeepLargeNumbers : describe_detail::OptionBase {
    /// Reads any JSON, or an object.
    template <class Decoder, class T>
        requires std::is_same_v<T, Json> || std::is_same_v<T, JsonObject>
    void decode(Decoder& d, T& out) const {
        decode_large_numbers(d, out);  // of the component json, found by ADL
    }
};
/// Lets a `Json` or `JsonObject` member have numbers that neither can hold, as `ParseOptions::keep_large_numbers` does
/// for a whole document: integers beyond 64 bits become the nearest double, numbers beyond a double their text.
inline constexpr KeepLargeNumbers keep_large_numbers{};

// Constraints of a field. They are checked when a value is read, and published in its schema; on an optional field they
// apply to the value if there is one. Messages are those of pydantic 2.
//
// Their `check` functions are templates over the reader, of which they only need `issue(type, message, where)`, so that
// a description does not depend on the component that reads it.

/// A bound of a number: any integer of 64 bits, exactly, or a floating-point number. Made of either implicitly; a whole
/// floating-point number of 64 bits is taken as that integer.
class NumberBound {
public:
    /// Converts a number.
    template <class Number>
        requires std::is_arithmetic_v<Number>
    constexpr NumberBound(Number value) noexcept : real_(static_cast<double>(value)) {
        if constexpr (std::is_floating_point_v<Number>) {
            if (!(real_ >= -0x1p63 && real_ < 0x1p64)) return;
            negative_ = real_ < 0;
            bits_ = negative_ ? static_cast<std::uint64_t>(static_cast<std::int64_t>(real_))
                              : static_cast<std::uint64_t>(real_);
            is_integer_ = real_ == (negative_ ? static_cast<double>(static_cast<std::int64_t>(bits_))
                                              : static_cast<double>(bits_));
        } else {
            if constexpr (std::is_signed_v<Number>) negative_ = value < 0;
            bits_ = static_cast<std::uint64_t>(value);
            is_integer_ = true;
        }
    }

    /// Compares a number with the bound. Integers are compared exactly, and a floating-point number with the double
    /// that is nearest to the bound, as pydantic does.
    template <class Number>
        requires std::is_arithmetic_v<Number>
    [[nodiscard]] constexpr std::partial_ordering compare(Number value) const noexcept {
        if constexpr (std::is_floating_point_v<Number>) {
            return static_cast<double>(value) <=> real_;
        } else {
            const NumberBound other(value);
            if (is_integer_ && negative_ == other.negative_) return other.bits_ <=> bits_;
            if (is_integer_) return other.negative_ ? std::partial_ordering::less : std::partial_ordering::greater;
            // Converting the value to a double may round it up to 2^64.
            return real_ >= 0x1p64 ? std::partial_ordering::less : other.real_ <=> real_;
        }
    }

    /// Returns the bound as JSON: an integer if it is one.
    [[nodiscard]] Json json() const;
    /// Returns the bound as pydantic's messages spell it: all digits, without an exponent. For a field of
    /// floating-point numbers, the double that is nearest.
    [[nodiscard]] std::string text(bool as_double) const;

private:
    double real_;
    std::uint64_t bits_ = 0;  // of an integer, in two's complement
    bool is_integer_ = false;
    bool negative_ = false;
};

// What other components use beyond the public API.
namespace describe_extension {

/// Returns pydantic's words for a number beyond a bound, such as `Input should be greater than or equal to 3`.
[[nodiscard]] std::string bound_message(std::string_view relation, const NumberBound& bound, bool as_double);
/// The same for the size of a list or map; without a size the value has more elements than the bound.
[[nodiscard]] std::string size_message(std::string_view what, std::string_view relation, std::size_t bound,
                                       std::optional<std::size_t> size);
/// The same for the length of a text.
[[nodiscard]] std::string text_size_message(std::string_view relation, std::size_t bound);

}  // namespace describe_extension

namespace describe_detail {

Json unsigned_json(std::uint64_t value);

std::string counted(std::size_t count, const char* one, const char* many);

template <class T>
concept MapLike = introspection::kind_of<T>() == introspection::Kind::object ||
                  introspection::kind_of<T>() == introspection::Kind::ordered_map ||
                  introspection::kind_of<T>() == introspection::Kind::keyed_map;

}  // namespace describe_detail

/// Bounds of a number, both included; made by `range`, `at_least` and `at_most`.
struct Range : describe_detail::OptionBase {
    static constexpr bool checks_values = true;  ///< Marks an option whose `check` is called for each value read.
    std::optional<NumberBound> min{};            ///< The least value allowed; empty for no lower bound.
    std::optional<NumberBound> max{};            ///< The greatest value allowed; empty for no upper bound.

    /// Reports `greater_than_equal` or `less_than_equal` at `where`; for NaN, every bound.
    template <class Decoder, class Number>
    void check(Decoder& d, const Number& value, const void* where) const {
        static_assert(std::is_arithmetic_v<Number>, "acta: acta::range is a constraint of numbers");
        constexpr bool real = std::is_floating_point_v<Number>;
        if (min && !std::is_gteq(min->compare(value)))
            d.issue("greater_than_equal", describe_extension::bound_message("greater than or equal to", *min, real),
                    where);
        if (max && !std::is_lteq(max->compare(value)))
            d.issue("less_than_equal", describe_extension::bound_message("less than or equal to", *max, real), where);
    }
    /// Sets `maximum` and `minimum`.
    void annotate(Json& schema) const;
};

/// Requires a number from `min` to `max`, both included. Bounds are exact, also those of 64-bit integers:
/// `range(0, 18446744073709551615U)`.
///
/// @code{.cpp}
/// #include <string>
/// #include <vector>
/// struct Search {
///     int limit = 10;
///     std::string query{};
///     std::vector<std::string> sites{};
/// };
/// template <>
/// struct acta::Describe<Search> {
///     static constexpr auto fields =
///         acta::fields(acta::defaulted("limit", &Search::limit, "How many results.", acta::range(1, 50)),
///                      acta::required("query", &Search::query, "What to look for.", acta::non_empty),
///                      acta::defaulted("sites", &Search::sites, "Where to look.", acta::length(0, 10)));
/// };
/// @endcode
constexpr Range range(NumberBound min, NumberBound max) {
    Range option;
    option.min = min;
    option.max = max;
    return option;
}
/// Requires a number not less than `min`.
constexpr Range at_least(NumberBound min) {
    Range option;
    option.min = min;
    return option;
}
/// Requires a number not greater than `max`.
constexpr Range at_most(NumberBound max) {
    Range option;
    option.max = max;
    return option;
}

/// Bounds of a length, both included: of a text in code points, of a list or map in elements. Made by `length` and
/// `non_empty`.
struct Length : describe_detail::OptionBase {
    static constexpr bool checks_values = true;  ///< Marks an option whose `check` is called for each value read.
    std::size_t min = 0;                         ///< The least length allowed.
    std::optional<std::size_t> max{};            ///< The greatest length allowed; empty for no upper bound.

    /// Reports `string_too_short` or `string_too_long` at `where`.
    template <class Decoder>
    void check(Decoder& d, const std::string& value, const void* where) const {
        const std::size_t size = utf8::count_code_points(value);
        if (size < min) d.issue("string_too_short", describe_extension::text_size_message("least", min), where);
        if (max && size > *max) d.issue("string_too_long", describe_extension::text_size_message("most", *max), where);
    }
    /// Reports `too_short` or `too_long` at `where`.
    template <class Decoder, class List>
        requires requires(const List& list) { list.size(); }
    void check(Decoder& d, const List& value, const void* where) const {
        constexpr bool is_set = introspection::kind_of<List>() == introspection::Kind::set;
        constexpr std::string_view what = describe_detail::MapLike<List> ? "Dictionary" : is_set ? "Set" : "List";
        const std::size_t size = value.size();
        const auto excess = is_set ? std::nullopt : std::optional(size);
        if (size < min) d.issue("too_short", describe_extension::size_message(what, "least", min, size), where);
        if (max && size > *max)
            d.issue("too_long", describe_extension::size_message(what, "most", *max, excess), where);
    }
    /// Returns whether an issue of the length replaces those of the elements: pydantic stops at the first excess
    /// element of a list, but reads all of a map.
    template <class List>
    [[nodiscard]] bool overrides(const List& value) const noexcept {
        constexpr introspection::Kind kind = introspection::kind_of<List>();
        if constexpr (kind == introspection::Kind::sequence || kind == introspection::Kind::set)
            return max && value.size() > *max;
        else
            return false;
    }
    /// Sets `maxLength`, `maxItems` or `maxProperties`, whichever fits the schema's `type`, and its counterpart.
    void annotate(Json& schema) const;
};

/// Requires a text of `min` to `max` code points, or a list or map of that many elements. Without `max` there is no
/// upper bound.
constexpr Length length(std::size_t min, std::optional<std::size_t> max = std::nullopt) {
    Length option;
    option.min = min;
    option.max = max;
    return option;
}
/// A text, list or map that is not empty.
inline constexpr Length non_empty = length(1);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/describe/detail/constraints.inl.hpp"
#endif
