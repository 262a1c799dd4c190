// SPDX-License-Identifier: MIT
#pragma once

#include <string_view>

#include "acta/base/json_value.hpp"
#include "acta/pysyntax/call_error.hpp"
#include "acta/pysyntax/call_options.hpp"

namespace acta::inline ACTA_ABI {

/// Reads one Python literal as `ast.literal_eval` of CPython 3.11 does, and JSON's `true`, `false` and `null`. Nothing
/// is evaluated.
///
/// Tuples become arrays, and sets become arrays in source order without duplicates; a repeated key keeps its place and
/// takes the last value. A pair of surrogates (`\ud83d\ude00`) is one character, as in JSON. Unlike in Python,
/// blank lines and indentation around the literal do not matter.
///
/// Throws `CallSyntaxError` for anything but a literal, keys that are not strings, integers outside the range -2^63 to
/// 2^64-1, bytes, complex numbers, `\N{…}`, and half of a surrogate pair. O(n log n) in the size of `text`.
///
/// @code{.cpp}
/// acta::Json value = acta::parse_literal("{'name': 'tides', 'years': (2023, 2024,), 'ok': True}");
/// std::string json = value.dump();  // {"name":"tides","years":[2023,2024],"ok":true}
/// @endcode
[[nodiscard]] Json parse_literal(std::string_view text, const CallOptions& options = {});

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/pysyntax/detail/literal.inl.hpp"
#endif
