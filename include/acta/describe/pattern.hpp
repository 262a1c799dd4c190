// SPDX-License-Identifier: MIT
#pragma once

#include <map>
#include <mutex>
#include <regex>
#include <string>
#include <string_view>

#include "acta/base/error.hpp"
#include "acta/describe/describe.hpp"

// Not part of acta.hpp: <regex> takes long to compile, and few fields need it.
namespace acta::inline ACTA_ABI {

namespace describe_detail {

/// Returns whether the text contains a match. False if the standard library gives up because of the number of ways to
/// match it (libc++).
inline bool contains_match(const std::string& text, const std::regex& pattern) {
    try {
        return std::regex_search(text, pattern);
    } catch (const std::regex_error&) {
        return false;
    }
}

/// Returns the compiled form of a pattern, made once per program. Thread-safe.
inline const std::regex& compiled_pattern(std::string_view pattern) {
    static std::mutex mutex;
    static std::map<std::string, std::regex, std::less<>> compiled;
    const std::lock_guard lock(mutex);
    const auto found = compiled.find(pattern);
    if (found != compiled.end()) return found->second;
    auto flags = std::regex::ECMAScript;
#if defined(__GLIBCXX__)
    // Breadth first: the default executor recurses for every byte of the text, and needs exponential time for some
    // patterns.
    flags |= std::regex_constants::__polynomial;
#endif
    try {
        return compiled.emplace(std::string(pattern), std::regex(std::string(pattern), flags)).first->second;
    } catch (const std::regex_error& error) {
        throw SchemaError("'" + std::string(pattern) + "' is not a regular expression: " + error.what(), {});
    }
}

#if defined(__GLIBCXX__)
inline constexpr std::size_t max_pattern_text = std::size_t{1} << 20U;
#else
inline constexpr std::size_t max_pattern_text = std::size_t{1} << 12U;  // recursion for every byte
#endif

}  // namespace describe_detail

/// A regular expression that a text must contain a match of; `^` and `$` anchor it. Made by `pattern`.
struct Pattern : describe_detail::OptionBase {
    static constexpr bool checks_values = true;  ///< Marks an option whose `check` is called for each value read.
    std::string_view text{};                     ///< The regular expression, in ECMAScript's syntax.

    /// Reports `string_pattern_mismatch` at `where`, or `string_too_long` for a text too long to be matched.
    template <class Decoder>
    void check(Decoder& d, const std::string& value, const void* where) const {
        if (value.size() > describe_detail::max_pattern_text) {
            d.issue("string_too_long",
                    "String should have at most " + std::to_string(describe_detail::max_pattern_text) +
                        " bytes, as it is matched with a pattern",
                    where);
        } else if (!describe_detail::contains_match(value, describe_detail::compiled_pattern(text))) {
            d.issue("string_pattern_mismatch", "String should match pattern '" + std::string(text) + "'", where);
        }
    }
    /// Sets `pattern`.
    void annotate(Json& schema) const { schema["pattern"] = std::string(text); }
};

/// Requires a text with a match of `text`, an ECMAScript regular expression without look-behind. Matching takes time in
/// proportion to the product of both lengths; texts longer than 1 MiB (4 KiB without libstdc++) are refused. If `text`
/// is not a regular expression, the first check throws `SchemaError`.
constexpr Pattern pattern(std::string_view text) {
    Pattern option;
    option.text = text;
    return option;
}

}  // namespace acta::inline ACTA_ABI
