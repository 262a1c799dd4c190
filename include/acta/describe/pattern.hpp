// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "acta/describe/describe.hpp"
#include "acta/version.hpp"

// Not part of acta.hpp: few fields need it.
namespace acta::inline ACTA_ABI {

namespace describe_detail {

inline constexpr std::size_t max_pattern_text = std::size_t{1} << 20U;

/// Throws `SchemaError` if the pattern cannot be used.
void check_pattern(std::string_view pattern);
/// Returns whether the text contains a match. Calls `check` from time to time unless it is null.
[[nodiscard]] bool contains_match(std::string_view text, std::string_view pattern, const std::function<void()>* check);

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
        } else if (!describe_detail::contains_match(value, text, d.options.check)) {
            d.issue("string_pattern_mismatch", "String should match pattern '" + std::string(text) + "'", where);
        }
    }
    /// Sets `pattern`. Throws `SchemaError` if the pattern cannot be used.
    void annotate(Json& schema) const {
        describe_detail::check_pattern(text);
        schema["pattern"] = std::string(text);
    }
};

/// Requires a text with a match of `text`, an ECMAScript regular expression over code points (the `u` flag of
/// JavaScript) without look-around, back-references and `\p`. Matching takes time linear in the text, with a factor
/// that is at most the size of the pattern; texts longer than 1 MiB are refused. A pattern that cannot be used throws
/// `SchemaError` when a schema is made and at the first check.
constexpr Pattern pattern(std::string_view text) {
    Pattern option;
    option.text = text;
    return option;
}

}  // namespace acta::inline ACTA_ABI

#if !defined(ACTA_COMPILED)
#include "acta/describe/detail/pattern.inl.hpp"  // IWYU pragma: export
#endif
