// SPDX-License-Identifier: MIT
#pragma once

#include <concepts>
#include <cstddef>
#include <optional>
#include <ranges>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/pysyntax/repr.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

namespace pysyntax_detail {
struct TextPlace;
}  // namespace pysyntax_detail

/// A call, or a literal, in Python's syntax that cannot be read. `what()` has the reason, line and column, the
/// line itself (cut to 60 code points on either side) and a caret below the place. It is valid UTF-8 whatever
/// the text was, and its size is bounded whatever the size of the text.
class CallSyntaxError : public Error {
public:
    /// `reason` says what is wrong at byte `offset` of `text`. Linear in `offset`.
    CallSyntaxError(std::string_view reason, std::string_view text, std::size_t offset);

    /// Returns the place in the text, in bytes from 0; the size of the text if it ends too early.
    [[nodiscard]] std::size_t offset() const noexcept { return offset_; }
    /// Returns the line, from 1. Lines end with `\n`, `\r\n` or `\r`.
    [[nodiscard]] std::size_t line() const noexcept { return line_; }
    /// Returns the column in code points, from 1. A byte that is not valid UTF-8 counts as one.
    [[nodiscard]] std::size_t column() const noexcept { return column_; }

private:
    CallSyntaxError(std::string_view reason, std::string_view text, const pysyntax_detail::TextPlace& place);

    std::size_t offset_;
    std::size_t line_;
    std::size_t column_;
};

/// A call that lenient reading could not read, or the place between two calls of a list that lacks a comma, where
/// `begin` and `end` are equal.
struct UnreadCall {
    std::string reason{};    ///< what is wrong, as in `CallSyntaxError::what`
    std::size_t offset = 0;  ///< where, in bytes from the beginning of the text
    std::size_t begin = 0;   ///< where the call begins
    std::size_t end = 0;     ///< where the search for the next one continued

    friend bool operator==(const UnreadCall&, const UnreadCall&) = default;
};

/// How `parse_call`, `parse_calls`, `parse_arguments` and `parse_literal` read.
struct CallOptions {
    /// How deep brackets of any kind may nest in a value. Reading recurses, so more than 500 is taken as 500; CPython
    /// stops at 200.
    std::size_t max_depth = 128;
    /// Reads what models write and Python refuses: line breaks in a text in single or double quotes, and leading zeros
    /// (`07`). `parse_calls` keeps the calls that it can read, in lists as well, and puts the others in `report`.
    bool lenient = false;
    /// Receives the calls that `parse_calls` could not read leniently, in order, if set. Must outlive the call.
    std::vector<UnreadCall>* report = nullptr;
    /// Calls in `report`; 0 counts as 1. One more, the last, counts the others: its range spans them.
    std::size_t max_issues = 100;
};

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

// Calls in Python's syntax, wherever a model writes them: alone, in prose, in code fences, in lists.
//
// Arguments are literals (`parse_literal`), in which integers beyond 64 bits are read as the nearest double, for
// parameters that are one; nothing is evaluated. A call that has other arguments cannot be read, and
// calls inside it are not searched for: text in an argument is not meant to run. Unless one of the functions below
// says otherwise, a call's name may have dots and hyphens inside (`fs.read_file`, `get-weather`), the end of a longer
// expression is not a call (`json` in `x.get(city='P').json()`), and neither is a definition (`def f():`).

/// A call that was found in a text: `fs.read_file("a.txt", limit=10)`.
struct ParsedCall {
    AssistantFunctionCall call{};  ///< its name, as written or the known one that is meant, and the keyword arguments
    JsonArray positional{};        ///< arguments without a keyword, in order
    std::size_t begin = 0;         ///< offset of the name in the text, in bytes
    std::size_t end = 0;           ///< offset after the closing parenthesis
};

/// The names that may be called: a range of texts.
template <class T>
concept NameRange =
    std::ranges::input_range<const T> && std::convertible_to<std::ranges::range_reference_t<const T>, std::string_view>;

/// A source of the names that may be called: a range of them, or an object with such a range as `names()`, like a
/// `SkillRegistry`.
template <class T>
concept CallNames = NameRange<T> || requires(const T& registry) {
    { registry.names() } -> NameRange;
};

/// Reads the first call in `text` whose arguments are literals, wherever it is, but not one inside a call that cannot
/// be read: `print(f(a=1))` is an error. If blanks follow the name, it must have keyword arguments (or none at all), or
/// be the whole text.
///
/// Throws `CallSyntaxError`: the failure of the first call that could not be read, or that there is no call.
/// O(n log n) in the size of `text`.
///
/// @code{.cpp}
/// acta::ParsedCall found = acta::parse_call("Sure! ```python\nweb.search('tides', limit=3)\n```");
/// // found.call.name is "web.search", found.call.arguments {"limit": 3}, found.positional ["tides"]
/// @endcode
[[nodiscard]] ParsedCall parse_call(std::string_view text, const CallOptions& options = {});

/// Reads all calls in `text`, in order; none if it has none. Text that only looks like a call (`print(x)` in prose) is
/// skipped, with everything inside it, if any other call can be read; else the first failure is thrown. A list of calls
/// (`[f(a=1), g(b=2)]` with its bracket at the start of a line) is read as a whole: a call in it that cannot be read is
/// always thrown, since part of a list is never what was meant. Prefer the overload that knows the names. Lenient
/// reading (`CallOptions::lenient`) keeps all that can be read, and throws only if that is nothing and there is no
/// report. A number beyond a double cannot be read, since a history could not keep it.
///
/// Throws `CallSyntaxError`. O(n log n) in the size of `text`.
///
/// @code{.cpp}
/// for (const acta::ParsedCall& found : acta::parse_calls("[search(q='tides'), read_file(path='a.txt')]")) {
///     std::string name = found.call.name;  // "search", then "read_file"
/// }
/// @endcode
[[nodiscard]] std::vector<ParsedCall> parse_calls(std::string_view text, const CallOptions& options = {});

/// Reads all calls of known names in `text`, in order; none if it has none. `names` is a range of names, or an object
/// with `names()`, like a `SkillRegistry`.
///
/// - A name is found as a whole (`weather` is not called in `get-weather()` or `server:weather()`) and may have any
///   characters but `(`. It may follow `functions.` or `default_api.`, as models write it; `call.name` of the result is
///   the known name.
/// - Calls of other names are not calls, but code around them: `print(default_api.f(a=1))` calls `f`, and
///   `print("f(a=1)")` calls nothing. They are never an error, except in a list of calls that begins with a known one.
///
/// Throws `CallSyntaxError` if calls of known names were found, but none could be read, or one in a list could not.
/// O(n log n) in the size of `text`, for names of bounded length.
///
/// @code{.cpp}
/// std::vector<std::string> tools{"get-weather", "search"};
/// std::vector<acta::ParsedCall> calls = acta::parse_calls("print(default_api.get-weather(city='Paris'))", tools);
/// // calls[0].call.name is "get-weather"
/// @endcode
template <CallNames Names>
[[nodiscard]] std::vector<ParsedCall> parse_calls(std::string_view text, const Names& names,
                                                  const CallOptions& options = {});

/// Reads the arguments of the first call of the skill in `text` whose arguments are literals with keywords. Empty if
/// the text does not call the skill.
///
/// The name is found at its boundaries: `the_search(`, `web.search(`, `web-search(` and `web/search(` do not call
/// `search`; `functions.search(`, `default_api.search(` and `说search(` do. Calls inside calls of other names are also
/// found, but not in their strings and comments, and not inside a call of the skill that cannot be read.
/// `search (see above)` is prose, unless it is the whole text. A positional argument is an error; see the overload with
/// parameters.
///
/// Throws `CallSyntaxError`, the failure of the first call of the skill, if none of them could be read. O(n log n) in
/// the size of `text`.
///
/// @code{.cpp}
/// auto arguments = acta::parse_arguments("search", "I will search(query='tides', limit=3).");
/// if (arguments) std::string query = (*arguments)["query"];
/// @endcode
[[nodiscard]] std::optional<JsonObject> parse_arguments(std::string_view skill_name, std::string_view text,
                                                        const CallOptions& options = {});

/// The same, with positional arguments bound to `parameter_names` in order; they come first in the result. Too
/// many of them, or one that is also given by keyword, is a `CallSyntaxError`. Keywords are not checked against
/// the names.
///
/// @code{.cpp}
/// std::vector<std::string> parameters{"query", "limit"};
/// auto arguments = acta::parse_arguments("search", parameters, "search('tides', limit=3)");
/// @endcode
[[nodiscard]] std::optional<JsonObject> parse_arguments(std::string_view skill_name,
                                                        std::span<const std::string> parameter_names,
                                                        std::string_view text, const CallOptions& options = {});

namespace pysyntax_detail {
std::vector<ParsedCall> read_known_calls(std::string_view text, std::vector<std::string> names,
                                         const CallOptions& options);
}  // namespace pysyntax_detail

template <CallNames Names>
std::vector<ParsedCall> parse_calls(std::string_view text, const Names& names, const CallOptions& options) {
    std::vector<std::string> known;
    const auto add = [&known](const auto& all) {
        for (const auto& name : all) known.emplace_back(std::string_view(name));
    };
    if constexpr (NameRange<Names>)
        add(names);
    else
        add(names.names());
    return pysyntax_detail::read_known_calls(text, std::move(known), options);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/pysyntax/detail/call.inl.hpp"
#endif
