// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/unicode.hpp"

// Halves of surrogate pairs in JSON. Programs that cut texts in UTF-16 leave one at the end of a text, as the escape
// `\ud83d`, which is not a character.
namespace acta::inline ACTA_ABI::interop_detail {

/// A text of JSON without halves of surrogate pairs.
struct WholeText {
    std::string text{};  ///< With the escape `\ufffd` for each, so that all places are the same.
    std::map<std::size_t, std::size_t> lines{};  ///< How many there were, by line from 1.

    /// Returns how many there were.
    [[nodiscard]] std::size_t count() const {
        std::size_t out = 0;
        for (const auto& [line, halves] : lines) out += halves;
        return out;
    }
};

/// Finds the halves in a text of JSON, and in the JSON of the arguments of calls, which is a text within it.
class HalfPairFinder {
public:
    explicit HalfPairFinder(std::string_view text) : text_(text) {}

    /// Returns the offsets of their four digits, in order. Linear.
    [[nodiscard]] std::vector<std::size_t> find() {
        for (std::size_t at = text_.find('\\'); at != std::string_view::npos; at = text_.find('\\', at))
            at = after_escape(at, "\\");
        const std::size_t plain = found_.size();
        constexpr std::string_view key = "\"arguments\"";
        for (std::size_t at = text_.find(key); at != std::string_view::npos; at = text_.find(key, at))
            at = after_arguments(at + key.size());
        std::inplace_merge(found_.begin(), found_.begin() + static_cast<std::ptrdiff_t>(plain), found_.end());
        return std::move(found_);
    }

private:
    [[nodiscard]] std::string_view from(std::size_t at) const { return text_.substr(std::min(at, text_.size())); }

    /// Returns the offset after the escape at `at`, or after both of a pair.
    std::size_t after_escape(std::size_t at, std::string_view slash) {
        const unsigned unit = unicode::escaped_unit(from(at), slash);
        if (unit == 0) {
            at += slash.size();
            return at + (slash.size() == 2 && from(at).starts_with('\\') ? 2 : 1);
        }
        const std::size_t size = slash.size() + 5;
        const bool is_high = unicode::is_high_surrogate(unit);
        if (!is_high && !unicode::is_low_surrogate(unit)) return at + size;
        if (is_high && unicode::is_low_surrogate(unicode::escaped_unit(from(at + size), slash))) return at + 2 * size;
        found_.push_back(at + slash.size() + 1);
        return at + size;
    }

    /// Returns the offset after the arguments whose key ends at `at`, if they are a text.
    std::size_t after_arguments(std::size_t at) {
        constexpr std::string_view blanks = " \t\r\n";
        const auto skip = [&](char c) {
            at = std::min(text_.find_first_not_of(blanks, at), text_.size());
            return at < text_.size() && text_[at] == c && ++at != 0;
        };
        if (!skip(':') || !skip('"')) return at;
        while (at < text_.size() && text_[at] != '"') {
            if (text_[at] != '\\')
                ++at;
            else if (text_.substr(at, 2) == "\\\\")
                at = after_escape(at, "\\\\");
            else
                at += 2;
        }
        return at;
    }

    std::string_view text_;
    std::vector<std::size_t> found_{};
};

/// Returns the text with U+FFFD for each half of a pair; nothing if there is none.
[[nodiscard]] inline std::optional<WholeText> replace_half_pairs(std::string_view text) {
    const std::vector<std::size_t> found = HalfPairFinder(text).find();
    if (found.empty()) return std::nullopt;
    WholeText out{std::string(text)};
    std::size_t line = 1;
    std::size_t seen = 0;
    for (const std::size_t at : found) {
        out.text.replace(at, 4, "fffd");
        line += static_cast<std::size_t>(std::count(text.begin() + static_cast<std::ptrdiff_t>(seen),
                                                    text.begin() + static_cast<std::ptrdiff_t>(at), '\n'));
        seen = at;
        ++out.lines[line];
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
