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
struct MendedText {
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
    /// Returns the code unit of the escape at `at` that begins with `slash`; nothing if there is none.
    [[nodiscard]] std::optional<unsigned> unit_at(std::size_t at, std::string_view slash) const {
        if (at > text_.size() || !text_.substr(at).starts_with(slash)) return std::nullopt;
        const std::string_view rest = text_.substr(at + slash.size());
        if (rest.size() < 5 || rest.front() != 'u') return std::nullopt;
        unsigned value = 0;
        for (const char c : rest.substr(1, 4)) {
            const bool is_letter = (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
            if (!is_letter && !ascii::is_digit(c)) return std::nullopt;
            value = value * 16 + static_cast<unsigned>(is_letter ? (c | 0x20) - 'a' + 10 : c - '0');
        }
        return value;
    }

    /// Returns the offset after the escape at `at`, or after both of a pair.
    std::size_t after_escape(std::size_t at, std::string_view slash) {
        const std::optional<unsigned> unit = unit_at(at, slash);
        if (!unit) {
            at += slash.size();
            return at + (slash.size() == 2 && text_.substr(at, 1) == "\\" ? 2 : 1);
        }
        const std::size_t size = slash.size() + 5;
        if (*unit < 0xD800 || *unit > 0xDFFF) return at + size;
        const std::optional<unsigned> low = unit_at(at + size, slash);
        if (*unit < 0xDC00 && low && *low >= 0xDC00 && *low <= 0xDFFF) return at + 2 * size;
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
[[nodiscard]] inline std::optional<MendedText> mend_half_pairs(std::string_view text) {
    const std::vector<std::size_t> found = HalfPairFinder(text).find();
    if (found.empty()) return std::nullopt;
    MendedText out{std::string(text)};
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
