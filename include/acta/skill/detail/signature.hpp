// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <concepts>
#include <cstddef>
#include <future>
#include <span>
#include <string>
#include <string_view>
#include <tuple>
#include <type_traits>
#include <vector>

#include "acta/skill/context.hpp"

// The signature of a function: its parameters, which of them a call has, and its result.
namespace acta::inline ACTA_ABI::skill_detail {

/// `result` and `parameters` (a tuple of them) of a callable; neither if it has several or none.
template <class F>
struct Signature {};
template <class R, class... P>
struct Signature<R(P...)> {
    using result = R;
    using parameters = std::tuple<P...>;
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
template <class... P>
struct GivenList {
    using type = std::tuple<>;
};
template <class First, class... Rest>
struct GivenList<First, Rest...> {
    using rest = typename GivenList<Rest...>::type;
    using type = std::conditional_t<is_context<First>, rest,
                                    decltype(std::tuple_cat(std::declval<std::tuple<std::type_identity<First>>>(),
                                                            std::declval<rest>()))>;
};
template <class Parameters>
struct Given;
template <class... P>
struct Given<std::tuple<P...>> {
    using type = typename GivenList<P...>::type;  // of std::type_identity<P>
    static constexpr bool has_context = (is_context<P> || ...);

    /// The position of parameter `i` among the arguments of a call.
    static constexpr std::size_t slot(std::size_t i) {
        constexpr std::array<bool, sizeof...(P) + 1> contexts{is_context<P>..., false};
        std::size_t n = 0;
        for (std::size_t j = 0; j < i; ++j) n += contexts[j] ? 0U : 1U;
        return n;
    }
};

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
