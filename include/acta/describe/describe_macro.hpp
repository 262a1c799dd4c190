// SPDX-License-Identifier: MIT
#pragma once

#include "acta/describe/describe.hpp"

// A shorthand without documentation and constraints. Not part of acta.hpp, since its macros stay defined. Needs a
// standard preprocessor (with MSVC /Zc:preprocessor).

/// Describes a struct by the names of its members, first the required ones, then those with a default:
///
///     ACTA_DESCRIBE(app::WebSearch, (query), (limit));
///
/// Use it where a specialisation of `acta::Describe` would be: outside your own namespace. Either list may be empty; up
/// to 64 members.
#define ACTA_DESCRIBE(type, required_members, defaulted_members)                                             \
    template <>                                                                                              \
    struct acta::Describe<type> {                                                                            \
        using ActaDescribed = type;                                                                          \
        static constexpr auto fields =                                                                       \
            acta::fields(acta::fields(ACTA_DESCRIBE_ALL(required, ACTA_DESCRIBE_STRIP required_members)),    \
                         acta::fields(ACTA_DESCRIBE_ALL(defaulted, ACTA_DESCRIBE_STRIP defaulted_members))); \
    }

#define ACTA_DESCRIBE_STRIP(...) __VA_ARGS__
#define ACTA_DESCRIBE_PARENS ()
#define ACTA_DESCRIBE_EXPAND(...) \
    ACTA_DESCRIBE_EXPAND4(ACTA_DESCRIBE_EXPAND4(ACTA_DESCRIBE_EXPAND4(ACTA_DESCRIBE_EXPAND4(__VA_ARGS__))))
#define ACTA_DESCRIBE_EXPAND4(...) \
    ACTA_DESCRIBE_EXPAND3(ACTA_DESCRIBE_EXPAND3(ACTA_DESCRIBE_EXPAND3(ACTA_DESCRIBE_EXPAND3(__VA_ARGS__))))
#define ACTA_DESCRIBE_EXPAND3(...) \
    ACTA_DESCRIBE_EXPAND2(ACTA_DESCRIBE_EXPAND2(ACTA_DESCRIBE_EXPAND2(ACTA_DESCRIBE_EXPAND2(__VA_ARGS__))))
#define ACTA_DESCRIBE_EXPAND2(...) __VA_ARGS__
#define ACTA_DESCRIBE_ALL(kind, ...) __VA_OPT__(ACTA_DESCRIBE_EXPAND(ACTA_DESCRIBE_NEXT(kind, __VA_ARGS__)))
#define ACTA_DESCRIBE_NEXT(kind, member, ...)   \
    acta::kind(#member, &ActaDescribed::member) \
        __VA_OPT__(, ACTA_DESCRIBE_AGAIN ACTA_DESCRIBE_PARENS(kind, __VA_ARGS__))
#define ACTA_DESCRIBE_AGAIN() ACTA_DESCRIBE_NEXT
