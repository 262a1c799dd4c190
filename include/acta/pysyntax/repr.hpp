// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <ostream>
#include <string>
#include <string_view>

#include "acta/base/json_value.hpp"

/// Values as CPython 3.11 prints them: null, booleans, numbers, strings, arrays and objects are None, bool, int or
/// float, str, list and dict.
namespace acta::inline ACTA_ABI {

namespace pysyntax_detail {

/// Text that is not a `Json`: literals and strings would otherwise convert to either.
template <class T>
concept Text = std::convertible_to<const T&, std::string_view> && !std::same_as<T, Json>;

void append_text(std::string& out, std::string_view text);

}  // namespace pysyntax_detail

/// Appends Python's `repr` of `value`. Nesting costs heap, not stack, so that no depth overflows. Linear in the
/// size of `value`.
void append_python_repr(std::string& out, const Json& value);

/// Appends Python's `repr` of the string `text`. Bytes that are not valid UTF-8 are written as Python shows them after
/// decoding with `surrogateescape` (`\udcNN`). Linear in the size of `text`.
template <pysyntax_detail::Text T>
void append_python_repr(std::string& out, const T& text) {
    pysyntax_detail::append_text(out, text);
}

/// Appends Python's `str` of `value`: a string as it is, everything else as its `repr`.
void append_python_str(std::string& out, const Json& value);

/// Appends the string `text` itself, which is its `str`.
template <pysyntax_detail::Text T>
void append_python_str(std::string& out, const T& text) {
    out += std::string_view(text);
}

/// Returns Python's `repr` of `value`; see `append_python_repr`.
///
/// @code{.cpp}
/// acta::Json value = {{"name", "it's"}, {"sizes", {1, 2.0}}, {"last", nullptr}};
/// std::string text = acta::python_repr(value);  // {'name': "it's", 'sizes': [1, 2.0], 'last': None}
/// @endcode
[[nodiscard]] std::string python_repr(const Json& value);

/// Returns Python's `repr` of the string `text`; see `append_python_repr`.
template <pysyntax_detail::Text T>
[[nodiscard]] std::string python_repr(const T& text) {
    std::string out;
    pysyntax_detail::append_text(out, text);
    return out;
}

/// Returns Python's `str` of `value`; see `append_python_str`.
[[nodiscard]] std::string python_str(const Json& value);

/// Returns Python's `str` of the string `text`, which is the text itself.
template <pysyntax_detail::Text T>
[[nodiscard]] std::string python_str(const T& text) {
    return std::string(std::string_view(text));
}

/// Appends `name(key=<repr>, …)`; see `print_call`.
void append_call(std::string& out, std::string_view name, const JsonObject& arguments);

/// Returns the call in Python's syntax, `name(key=<repr>, …)`. Name and keys are written as they are. If the name is
/// an identifier, perhaps with dots and hyphens inside, the keys are distinct identifiers and the numbers finite,
/// `parse_call` returns the same call. Linear in the size of the arguments.
///
/// @code{.cpp}
/// std::string text = acta::print_call("search", {{"query", "it's low tide"}, {"limit", 3}});
/// // search(query="it's low tide", limit=3)
/// @endcode
[[nodiscard]] std::string print_call(std::string_view name, const JsonObject& arguments);

namespace pysyntax_detail {
/// The same, with escapes in the names.
[[nodiscard]] std::string visible_call(std::string_view name, const JsonObject& arguments);
}  // namespace pysyntax_detail

/// A call of a function that a model asks for: its name, and its arguments in the order of the model.
struct AssistantFunctionCall {
    /// The name of the function.
    std::string name{};
    /// The arguments by name, in the order of the model.
    JsonObject arguments{};

    /// Returns whether the names and the arguments are equal; the order of the arguments counts.
    friend bool operator==(const AssistantFunctionCall& a, const AssistantFunctionCall& b) {
        return a.name == b.name && base::equal(a.arguments, b.arguments);
    }
    /// Prints `to_string` in one line: names that a model wrote have escapes for what Python would not print.
    friend std::ostream& operator<<(std::ostream& out, const AssistantFunctionCall& call) {
        return out << pysyntax_detail::visible_call(call.name, call.arguments);
    }
};

/// Returns `name(key=<python repr>, ...)`, which `parse_call` reads back.
[[nodiscard]] inline std::string to_string(const AssistantFunctionCall& call) {
    return print_call(call.name, call.arguments);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/pysyntax/detail/repr.inl.hpp"
#endif
