// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <string>
#include <tuple>
#include <type_traits>
#include <utility>

#include "acta/describe/describe.hpp"
#include "acta/describe/introspection.hpp"

namespace acta::inline ACTA_ABI {

/// Marks a parameter without a default: a call must have it, unless it is a `std::optional`.
struct NoDefault {};

/// The name, documentation, default and constraints of a parameter; made by `param`.
template <class Default, class... Options>
struct Param {
    /// The name.
    std::string name{};
    /// The documentation, for a model.
    std::string doc{};
    /// The default, or `NoDefault`.
    Default default_value{};
    /// The constraints.
    std::tuple<Options...> options{};
};

/// Makes a required parameter: `acta::param("query", "What to look for.")`.
[[nodiscard]] inline Param<NoDefault> param(std::string name, std::string doc = {}) {
    return {std::move(name), std::move(doc), {}, {}};
}

/// Makes a required parameter with constraints: `acta::param("limit", "How many.", acta::range(1, 50))`.
template <introspection::FieldOption Option, introspection::FieldOption... Options>
[[nodiscard]] Param<NoDefault, Option, Options...> param(std::string name, std::string doc, const Option& option,
                                                         const Options&... options) {
    return {std::move(name), std::move(doc), {}, std::tuple<Option, Options...>(option, options...)};
}

/// Makes a parameter with a default, and constraints if wanted:
/// `acta::param("limit", "How many.", 10, acta::range(1, 50))`.
template <class Default, introspection::FieldOption... Options>
    requires(!introspection::FieldOption<Default>)
[[nodiscard]] auto param(std::string name, std::string doc, Default default_value, const Options&... options) {
    if constexpr (std::convertible_to<Default, const char*>) {
        return Param<std::string, Options...>{std::move(name), std::move(doc), std::string(default_value),
                                              std::tuple<Options...>(options...)};
    } else {
        return Param<Default, Options...>{std::move(name), std::move(doc), std::move(default_value),
                                          std::tuple<Options...>(options...)};
    }
}

namespace skill_detail {

template <class T>
inline constexpr bool is_param = false;
template <class Default, class... Options>
inline constexpr bool is_param<Param<Default, Options...>> = true;

/// A text is the name of a parameter without documentation.
template <class P>
auto as_param(P&& spec) {
    using Plain = std::remove_cvref_t<P>;
    static_assert(is_param<Plain> || std::is_convertible_v<P, std::string>,
                  "acta: after the function come its parameters, each as acta::param(\"name\", \"What it is.\") or as "
                  "a name alone");
    if constexpr (is_param<Plain>)
        return Plain(std::forward<P>(spec));
    else
        return param(std::string(std::forward<P>(spec)));
}

}  // namespace skill_detail

}  // namespace acta::inline ACTA_ABI
