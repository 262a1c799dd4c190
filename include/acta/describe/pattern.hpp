// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <memory>
#include <string>
#include <string_view>

#include "acta/describe/describe.hpp"
#include "acta/version.hpp"

// Not part of acta.hpp: few fields need it.
namespace acta::inline ACTA_ABI {

namespace describe_detail {
struct CompiledPattern;
}

// What other components use beyond the public API.
namespace describe_extension {

/// How long a text may be that is matched with a pattern, in bytes.
inline constexpr std::size_t max_pattern_text = std::size_t{1} << 20U;

/// A regular expression as `pattern` takes it, prepared to be matched often.
class PatternMatcher {
public:
    /// Throws `SchemaError` if the pattern cannot be used.
    explicit PatternMatcher(std::string_view pattern);
    /// Returns whether the text contains a match. Calls `check` each 1 000 steps unless it is null.
    [[nodiscard]] bool matches(std::string_view text, const std::function<void()>* check) const;

private:
    std::shared_ptr<const describe_detail::CompiledPattern> compiled_;
};

}  // namespace describe_extension

namespace describe_detail {

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
        if (value.size() > describe_extension::max_pattern_text) {
            d.issue("string_too_long",
                    "String should have at most " + std::to_string(describe_extension::max_pattern_text) +
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
