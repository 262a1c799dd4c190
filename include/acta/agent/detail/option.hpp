// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "acta/version.hpp"

// The types of members of `RunOptions`. Each is the type of the standard library that it is derived from, and says what is
// wrong with a value that it cannot be made of.
namespace acta::inline ACTA_ABI {
struct Approval;
}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::agent_detail {

template <class T, class Base>
concept NotDerivedFrom = !std::derived_from<std::remove_cvref_t<T>, Base>;

/// False, once it is known of which type.
template <class>
inline constexpr bool never = false;

/// What is wrong with a function.
enum class Slip { none, takes_string, returns_bool, other };

template <class F, class Result, class... Args>
[[nodiscard]] consteval Slip slip_of() {
    if constexpr (std::convertible_to<F, std::function<Result(Args...)>>)
        return Slip::none;
    else if constexpr (std::is_same_v<void(Args...), void(std::string_view)> &&
                       std::is_invocable_v<std::decay_t<F>&, std::string>)
        return Slip::takes_string;
    else if constexpr (std::is_same_v<Result, Approval> && std::is_invocable_r_v<bool, std::decay_t<F>&, Args...>)
        return Slip::returns_bool;
    else
        return Slip::other;
}

template <class Signature>
class OptionFunction;

/// A `std::function`. If it is empty it may be called too, and returns `Result()`: a `std::function` that is made of it
/// is never empty.
template <class Result, class... Args>
class OptionFunction<Result(Args...)> : public std::function<Result(Args...)> {
    using Base = std::function<Result(Args...)>;
    template <class F>
    static constexpr Slip slip = slip_of<F, Result, Args...>();

public:
    OptionFunction() = default;
    OptionFunction(Base value) : Base(std::move(value)) {}  // NOLINT(google-explicit-constructor)
    template <NotDerivedFrom<Base> F>
        requires(slip<F> == Slip::none)
    OptionFunction(F&& value) : Base(std::forward<F>(value)) {}  // NOLINT(google-explicit-constructor)
    template <NotDerivedFrom<Base> F>
        requires(slip<F> == Slip::takes_string)
    OptionFunction(F&& value)  // NOLINT(google-explicit-constructor)
        : Base([own = std::forward<F>(value)](std::string_view text) mutable { own(std::string(text)); }) {}
    template <NotDerivedFrom<Base> F>
        requires(slip<F> == Slip::returns_bool)
    OptionFunction(F&&) {  // NOLINT(google-explicit-constructor)
        static_assert(never<F>, "acta: return acta::Approval::yes() or acta::Approval::no(\"why\"), not bool");
    }
    template <NotDerivedFrom<Base> F>
        requires(slip<F> == Slip::other)
    OptionFunction(F&&) {  // NOLINT(google-explicit-constructor)
        static_assert(never<F>, "acta: RunOptions says what this function takes and returns");
    }

    Result operator()(Args... args) const { return *this ? Base::operator()(std::forward<Args>(args)...) : Result(); }
};

/// An optional duration or time point of the steady clock.
template <class Value>
class OptionalTime : public std::optional<Value> {
    using Base = std::optional<Value>;
    static constexpr bool is_duration = std::is_same_v<Value, std::chrono::steady_clock::duration>;

public:
    OptionalTime() = default;
    template <NotDerivedFrom<OptionalTime> T>
        requires std::convertible_to<T, Base>
    OptionalTime(T&& value) : Base(std::forward<T>(value)) {}  // NOLINT(google-explicit-constructor)
    template <class Count, class Period>
        requires(is_duration && std::is_floating_point_v<Count>)
    OptionalTime(std::chrono::duration<Count, Period> value)  // NOLINT(google-explicit-constructor)
        : Base(std::chrono::duration_cast<Value>(value)) {}
    template <class T>
        requires(!std::convertible_to<T, Base>)
    OptionalTime(const T&) {  // NOLINT(google-explicit-constructor)
        static_assert(!is_duration || never<T>, "acta: a time needs a unit, as in std::chrono::seconds(5)");
        static_assert(is_duration || never<T>,
                      "acta: a deadline is a point in time, as in acta::deadline_in(std::chrono::seconds(5))");
    }

    // Without these, the comparisons of std::optional take the one side for a value of the other.
    template <class T>
    friend bool operator==(const OptionalTime& a, const T& b) {
        return static_cast<const Base&>(a) == b;
    }
    friend bool operator==(const OptionalTime& a, const Base& b) { return static_cast<const Base&>(a) == b; }
};
using OptionalDuration = OptionalTime<std::chrono::steady_clock::duration>;
using OptionalTimePoint = OptionalTime<std::chrono::steady_clock::time_point>;

}  // namespace acta::inline ACTA_ABI::agent_detail
