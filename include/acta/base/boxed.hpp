// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <optional>
#include <type_traits>
#include <utility>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// An optional value on the heap: used as a `std::optional`, it takes the size of a pointer while it is empty. For large
/// members that few objects have. Copies copy the value; a constant one gives constant access.
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
    /// The type of the value.
    using value_type = T;

    /// Makes an empty one.
    Boxed() noexcept = default;
    /// Makes an empty one.
    Boxed(std::nullopt_t) noexcept {}  // NOLINT(google-explicit-constructor)
    /// Holds `value`.
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
