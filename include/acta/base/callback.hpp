// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <functional>
#include <type_traits>
#include <utility>

#include "acta/base/utility.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// A function among options, or none: a `std::function` for which a function of another signature is an error that
/// names the wanted one. Where it is called although it is empty, as through a copy in a plain `std::function`, which
/// would not be empty, it does nothing and returns a default value.
template <class Signature>
class Callback;

/// As above, for a signature with this result and these arguments.
template <class Result, class... Arguments>
class Callback<Result(Arguments...)> : public std::function<Result(Arguments...)> {
public:
    using Function = std::function<Result(Arguments...)>;  ///< What it is.
    using Function::Function;
    Callback() = default;
    /// Implicit, as from any other function.
    Callback(Function other) : Function(std::move(other)) {}  // NOLINT(google-explicit-constructor)
    template <class T>
        requires(!std::derived_from<std::decay_t<T>, Function> && base::WithoutConversions<std::decay_t<T>> &&
                 !std::constructible_from<Function, T>)
    Callback(T&&) = delete;  // acta: the wanted function takes these Arguments and returns this Result

    /// Calls the function.
    Result operator()(Arguments... arguments) const {
        if (!*this) return Result();
        return Function::operator()(std::forward<Arguments>(arguments)...);
    }
};

}  // namespace acta::inline ACTA_ABI
