// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <future>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <vector>

#include "acta/skill/context.hpp"

// The signature of a function: its parameters, which of them a call has, and its result.
namespace acta::inline ACTA_ABI::skill_detail {

template <class... T>
struct TypeList {
    static constexpr std::size_t size = sizeof...(T);
};

/// `result` and `parameters` (a list of them) of a callable; neither if it has several or none.
template <class F>
struct Signature {};
template <class R, class... P>
struct Signature<R(P...)> {
    using result = R;
    using parameters = TypeList<P...>;
};
template <class R, class... P>
struct Signature<R(P...) noexcept> : Signature<R(P...)> {};
template <class F>
    requires std::is_function_v<F>
struct Signature<F*> : Signature<F> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...)> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...)&> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const&> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) noexcept> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const noexcept> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) & noexcept> : Signature<R(P...)> {};
template <class C, class R, class... P>
struct Signature<R (C::*)(P...) const & noexcept> : Signature<R(P...)> {};
template <class F>
    requires requires { &F::operator(); }
struct Signature<F> : Signature<decltype(&F::operator())> {};

template <class F>
concept HasSignature = requires { typename Signature<F>::result; };

template <class P>
inline constexpr bool is_context = std::same_as<std::remove_cvref_t<P>, SkillContext>;

/// The type that holds an argument between reading and call.
template <class P>
struct Stored {
    using type = P;
};
template <>
struct Stored<std::string_view> {
    using type = std::string;
};
template <class T>
struct Stored<std::span<const T>> {
    using type = std::vector<T>;
};
template <class P>
using stored_t = typename Stored<std::remove_cvref_t<P>>::type;

/// The parameters that are arguments of a call: all but the context.
template <class List, class... P>
struct GivenList {
    using type = List;
};
template <class... Given, class First, class... Rest>
struct GivenList<TypeList<Given...>, First, Rest...> {
    using type =
        typename GivenList<std::conditional_t<is_context<First>, TypeList<Given...>, TypeList<Given..., First>>,
                           Rest...>::type;
};

template <class Parameters>
struct Given;
template <class... P>
struct Given<TypeList<P...>> {
    using type = typename GivenList<TypeList<>, P...>::type;
};
template <class Parameters>
using given_t = typename Given<Parameters>::type;

/// The position of parameter `i` among the arguments of a call.
template <class... P>
constexpr std::size_t slot_of(TypeList<P...>, std::size_t i) {
    constexpr std::array<bool, sizeof...(P) + 1> contexts{is_context<P>..., false};
    std::size_t n = 0;
    for (std::size_t j = 0; j < i; ++j) n += contexts[j] ? 0U : 1U;
    return n;
}

template <class P>
inline constexpr bool is_read_only = !std::is_lvalue_reference_v<P> || std::is_const_v<std::remove_reference_t<P>>;

template <class P>
consteval void require_parameter() {
    static_assert(
        is_read_only<P>,
        "acta: a skill takes its arguments by value or by const reference: nobody would see what it writes to "
        "them");
}

template <class T>
inline constexpr bool is_future = false;
template <class T>
inline constexpr bool is_future<std::future<T>> = true;
template <class T>
inline constexpr bool is_future<std::shared_future<T>> = true;

}  // namespace acta::inline ACTA_ABI::skill_detail
