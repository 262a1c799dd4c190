// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/version.hpp"

// Functions that several components use.
namespace acta::inline ACTA_ABI::base {

/// Returns the FNV-1a hash of a text, 64 bits. It distinguishes texts, but is not secure against deliberate collisions.
[[nodiscard]] constexpr std::uint64_t fnv1a(std::string_view text) noexcept {
    std::uint64_t hash = 0xCBF29CE484222325U;
    for (const char byte : text) hash = (hash ^ static_cast<unsigned char>(byte)) * 0x100000001B3U;
    return hash;
}

/// Several functions as one overloaded function, for `std::visit`.
template <class... F>
struct Overloaded : F... {
    using F::operator()...;
};

/// Compares optional values as `==` does. Clang 16 finds no `==` of std in a template that a program instantiates which
/// imports acta.
template <class T>
[[nodiscard]] constexpr bool equal(const std::optional<T>& a, const std::optional<T>& b) {
    return a.has_value() == b.has_value() && (!a || *a == *b);
}

/// Adds tokens or microseconds. A sum out of range is the largest or smallest number.
[[nodiscard]] constexpr std::int64_t saturated_sum(std::int64_t a, std::int64_t b) noexcept {
    using Limits = std::numeric_limits<std::int64_t>;
    if (b > 0 && a > Limits::max() - b) return Limits::max();
    if (b < 0 && a < Limits::min() - b) return Limits::min();
    return a + b;
}
/// The same for amounts that may be unknown; nothing if both are.
[[nodiscard]] constexpr std::optional<std::int64_t> saturated_sum(std::optional<std::int64_t> a,
                                                                  std::optional<std::int64_t> b) noexcept {
    if (!a || !b) return a ? a : b;
    return saturated_sum(*a, *b);
}

// Messages made of parts. Chains of + would do, but each is compiled into every source that parses.

/// Appends each part to `out`. No part may refer to `out` itself.
inline void append(std::string& out, std::initializer_list<std::string_view> parts) {
    for (const std::string_view part : parts) out += part;
}
/// Returns the concatenation of the parts.
inline std::string concat(std::initializer_list<std::string_view> parts) {
    std::string out;
    append(out, parts);
    return out;
}

/// A type that is not known to convert to a class: a number or text, or a function object of one signature. Of other
/// classes, whether they convert cannot be asked while the constructors of the target are looked through.
template <class T>
concept WithoutConversions = (!std::is_class_v<T> && !std::is_null_pointer_v<T>) || requires { &T::operator(); };

}  // namespace acta::inline ACTA_ABI::base

namespace acta::inline ACTA_ABI {

/// An optional value on the heap: used as a `std::optional`, it takes the size of a pointer while it is empty. For
/// large members that few objects have. Copies copy the value; a constant one gives constant access.
///
/// @code{.cpp}
/// #include <cassert>
/// #include <string>
/// const acta::Boxed<std::string> name = std::string("tides");
/// assert(name && name->size() == 5);
/// const std::optional<std::string> copy = name;
/// @endcode
template <class T>
class Boxed {
public:
    /// As in `std::optional`.
    using value_type = T;

    /// Holds no value. Allocates nothing.
    Boxed() noexcept = default;
    /// Holds no value. Allocates nothing.
    Boxed(std::nullopt_t) noexcept {}  // NOLINT(google-explicit-constructor)
    /// Holds `value` on the heap.
    Boxed(T value) : value_(std::make_unique<T>(std::move(value))) {}  // NOLINT(google-explicit-constructor)
    /// Holds the value of `value`, if it has one.
    Boxed(std::optional<T> value) {  // NOLINT(google-explicit-constructor)
        if (value) emplace(*std::move(value));
    }
    /// Copies the value.
    Boxed(const Boxed& other) {
        if (other) emplace(*other);
    }
    /// Takes the value; `other` is empty then.
    Boxed(Boxed&& other) noexcept = default;
    /// Copies the value. If that throws, the old one is kept.
    Boxed& operator=(const Boxed& other) {
        if (this != &other) *this = Boxed(other);
        return *this;
    }
    /// Takes the value; `other` is empty then.
    Boxed& operator=(Boxed&& other) noexcept = default;
    ~Boxed() = default;

    /// Returns whether there is a value.
    [[nodiscard]] bool has_value() const noexcept { return value_ != nullptr; }
    /// Returns whether there is a value.
    explicit operator bool() const noexcept { return has_value(); }

    /// Returns the value, which must be there.
    [[nodiscard]] T& operator*() & noexcept { return *value_; }
    /// Returns the value, which must be there.
    [[nodiscard]] const T& operator*() const& noexcept { return *value_; }
    /// Returns the value, which must be there.
    [[nodiscard]] T&& operator*() && noexcept { return std::move(*value_); }
    /// Returns the value, which must be there.
    [[nodiscard]] T* operator->() noexcept { return value_.get(); }
    /// Returns the value, which must be there.
    [[nodiscard]] const T* operator->() const noexcept { return value_.get(); }
    /// Returns the value. Throws `std::bad_optional_access` if there is none.
    [[nodiscard]] T& value() {
        if (!has_value()) throw std::bad_optional_access();
        return *value_;
    }
    /// Returns the value. Throws `std::bad_optional_access` if there is none.
    [[nodiscard]] const T& value() const {
        if (!has_value()) throw std::bad_optional_access();
        return *value_;
    }
    /// Returns a copy of the value, or `other` if there is none.
    template <class U>
    [[nodiscard]] T value_or(U&& other) const {
        return has_value() ? *value_ : static_cast<T>(std::forward<U>(other));
    }
    /// Returns a copy as a `std::optional`.
    operator std::optional<T>() const {  // NOLINT(google-explicit-constructor)
        return has_value() ? std::optional<T>(*value_) : std::nullopt;
    }

    /// Replaces the value by a new one and returns it. If that cannot be made, the old one is kept.
    template <class... Args>
    T& emplace(Args&&... args) {
        value_ = std::make_unique<T>(std::forward<Args>(args)...);
        return *value_;
    }
    /// Removes the value.
    void reset() noexcept { value_.reset(); }

    /// Compares the values; an empty one equals another empty one.
    friend bool operator==(const Boxed& a, const Boxed& b) {
        return a.has_value() == b.has_value() && (!a.has_value() || *a == *b);
    }
    /// Returns whether there is a value and it equals `b`.
    friend bool operator==(const Boxed& a, const T& b) { return a.has_value() && *a == b; }
    /// Returns whether there is no value.
    friend bool operator==(const Boxed& a, std::nullopt_t) noexcept { return !a.has_value(); }

private:
    std::unique_ptr<T> value_{};
};

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::base {

/// Returns the entries of an ordered map by index; the map itself looks keys up one by one.
template <class Map>
auto& entries(Map& map) {
    if constexpr (std::is_const_v<Map>)
        return static_cast<const typename Map::Container&>(map);
    else
        return static_cast<typename Map::Container&>(map);
}

/// Sets `order` to the indices from 0 on, sorted by `less`. Not a template, since `std::sort` takes long to compile.
void sort_indices(std::vector<std::size_t>& order, const void* context,
                  bool (*less)(const void* context, std::size_t a, std::size_t b));

/// Keeps the first place and the last value of each repeated key, as Python does. `last[i]` is the entry whose value
/// entry i takes, or the number of entries if i is dropped.
template <class Map>
[[gnu::cold]] void keep_last_values(Map& map, const std::vector<std::size_t>& last) {
    auto& all = entries(map);
    Map kept;
    kept.reserve(all.size());
    for (std::size_t i = 0; i < all.size(); ++i) {
        if (last[i] != all.size()) entries(kept).emplace_back(all[i].first, std::move(all[last[i]].second));
    }
    map = std::move(kept);
}

/// Removes repeated keys from a map that was filled by appending. A few keys are compared with one another; more are
/// sorted, which no input can make quadratic, unlike hashing.
template <class Map>
void drop_repeated_keys(Map& map) {
    const auto& all = entries(map);
    const std::size_t n = all.size();
    constexpr std::size_t few = 12;
    const auto same = [&all](std::size_t a, std::size_t b) {
        return all[a].first.size() == all[b].first.size() && all[a].first == all[b].first;
    };
    if (n <= few) {
        bool repeated = false;
        for (std::size_t i = 1; i < n && !repeated; ++i) {
            for (std::size_t j = 0; j < i && !repeated; ++j) repeated = same(i, j);
        }
        if (!repeated) return;
    }
    std::vector<std::size_t> order(n);
    sort_indices(order, &all, [](const void* context, std::size_t a, std::size_t b) {
        const auto& of = *static_cast<decltype(&all)>(context);
        const int c = of[a].first.compare(of[b].first);
        return c != 0 ? c < 0 : a < b;
    });
    bool repeated = false;
    for (std::size_t i = 1; i < n && !repeated; ++i) repeated = same(order[i - 1], order[i]);
    if (!repeated) return;
    std::vector<std::size_t> last(n, n);
    for (std::size_t i = 0; i < n;) {
        const std::size_t first = i;
        while (++i < n && same(order[first], order[i])) continue;
        last[order[first]] = order[i - 1];
    }
    keep_last_values(map, last);
}

/// Returns bytes in base64 (RFC 4648, section 4), with padding.
[[nodiscard]] std::string base64(std::string_view bytes);
/// Appends the bytes that a text in base64 has to `out`. Returns false, and may have appended some, if the text is not
/// base64 with padding and without unused bits, or is empty.
[[nodiscard]] bool append_base64(std::string_view text, std::string& out);

/// Returns the names that may be meant by `wanted`, closest first, at most `limit`. Linear in the number of names.
[[nodiscard]] std::vector<std::string> closest_names(std::string_view wanted, const std::vector<std::string>& names,
                                                     std::size_t limit = 3);
/// Returns `; did you mean 'a' or 'b'?`, or an empty text if there are no names.
[[nodiscard]] std::string did_you_mean(const std::vector<std::string>& names);

}  // namespace acta::inline ACTA_ABI::base
