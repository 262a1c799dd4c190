// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <system_error>
#include <utility>
#include <vector>

#include "acta/base/detail/unicode_table.hpp"
#include "acta/base/unicode.hpp"

namespace acta::inline ACTA_ABI::utf8 {

ACTA_INLINE void append(std::string& out, char32_t c) {
    char bytes[4];
    out.append(bytes, encode(c, bytes));
}

[[gnu::cold]] ACTA_INLINE std::string replace_invalid(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p != end;) {
        const std::size_t length = sequence_length(p, end);
        if (length == 0) {
            out += replacement;
            ++p;
        } else {
            out.append(p, length);
            p += length;
        }
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::utf8

namespace acta::inline ACTA_ABI::base_detail {

/// Appends the form of `c` that the tables of one case have, or `c` itself.
template <std::size_t Runs, std::size_t Specials>
void append_case(std::string& out, char32_t c, const CaseRun (&runs)[Runs], const SpecialCase (&specials)[Specials]) {
    const auto code = static_cast<std::uint32_t>(c);
    for (const SpecialCase& special : specials) {
        if (special.from != code) continue;
        for (const std::uint32_t part : special.to) {
            if (part != 0) utf8::append(out, part);
        }
        return;
    }
    const CaseRun* const run = std::upper_bound(std::begin(runs), std::end(runs), code,
                                                [](std::uint32_t a, const CaseRun& b) { return a < b.first; });
    if (run != std::begin(runs)) {
        const CaseRun& found = *(run - 1);
        if (code <= found.last && (code - found.first) % found.step == 0) {
            utf8::append(out, static_cast<char32_t>(static_cast<std::int32_t>(code) + found.distance));
            return;
        }
    }
    utf8::append(out, c);
}

/// Returns whether a capital sigma is the last letter of its word: a cased character precedes it and none follows,
/// case-ignorable characters aside. `Sigma` in CPython's `handle_capital_sigma`.
[[nodiscard]] ACTA_INLINE bool is_final_sigma(const std::vector<unicode::Char>& text, std::size_t at) noexcept {
    const auto ignorable = [&](std::size_t i) { return has_unicode_fact(text[i].code, fact_case_ignorable); };
    const auto cased = [&](std::size_t i) { return has_unicode_fact(text[i].code, fact_cased); };
    std::size_t before = at;
    while (before > 0 && ignorable(before - 1)) --before;
    if (before == 0 || !cased(before - 1)) return false;
    std::size_t behind = at + 1;
    while (behind < text.size() && ignorable(behind)) ++behind;
    return behind == text.size() || !cased(behind);
}

[[nodiscard]] ACTA_INLINE std::string ascii_title(std::string_view text) {
    std::string out(text);
    bool inside_word = false;
    for (char& c : out) {
        c = inside_word ? ascii::to_lower(c) : ascii::to_upper(c);
        inside_word = ascii::is_alpha(c);
    }
    return out;
}

ACTA_INLINE bool is_hidden_beyond_ascii(char32_t c, char32_t before, char32_t after) noexcept {
    constexpr std::pair<char32_t, char32_t> ranges[] = {
        {0xAD, 0xAD},       {0x34F, 0x34F},     {0x61C, 0x61C},    {0x115F, 0x1160}, {0x17B4, 0x17B5},
        {0x180B, 0x180F},   {0x200B, 0x200F},   {0x2028, 0x202E},  {0x2060, 0x206F}, {0x2800, 0x2800},
        {0x3164, 0x3164},   {0xFE00, 0xFE0F},   {0xFEFF, 0xFEFF},  {0xFFA0, 0xFFA0}, {0xFFF0, 0xFFFB},
        {0x1BCA0, 0x1BCA3}, {0x1D173, 0x1D17A}, {0xE0000, 0xE0FFF}};
    constexpr std::pair<char32_t, char32_t> joined[] = {// Arabic, Syriac, N'Ko; India, Tibet, Myanmar; Khmer, Mongolia
                                                        {0x620, 0x8FF},
                                                        {0x900, 0x109F},
                                                        {0x1780, 0x17B3},
                                                        {0x17B6, 0x180A},
                                                        {0x1820, 0x18AF}};
    const auto within = [](char32_t one, const auto& list) {
        return std::ranges::any_of(list,
                                   [one](const auto& range) { return one >= range.first && one <= range.second; });
    };
    if (c == 0xFE0E || c == 0xFE0F) return !unicode::is_pictograph(before) && after != 0x20E3;  // the frame of a key
    if ((c == 0x200C || c == 0x200D) && within(before, joined)) return false;
    if (c == 0x200D) return !((unicode::is_pictograph(before) || before == 0xFE0F) && unicode::is_pictograph(after));
    return within(c, ranges);
}

}  // namespace acta::inline ACTA_ABI::base_detail

namespace acta::inline ACTA_ABI::unicode {

ACTA_INLINE bool is_pictograph(char32_t c) noexcept {
    constexpr std::pair<char32_t, char32_t> ranges[] = {
        {0xA9, 0xA9},     {0xAE, 0xAE},     {0x203C, 0x203C}, {0x2049, 0x2049}, {0x2122, 0x2122},  {0x2139, 0x2139},
        {0x2190, 0x21FF}, {0x2300, 0x23FF}, {0x24C2, 0x24C2}, {0x25A0, 0x27BF}, {0x2900, 0x297F},  {0x2B00, 0x2BFF},
        {0x3030, 0x3030}, {0x303D, 0x303D}, {0x3297, 0x3297}, {0x3299, 0x3299}, {0x1F000, 0x1FAFF}};
    return std::ranges::any_of(ranges, [c](const auto& range) { return c >= range.first && c <= range.second; });
}

ACTA_INLINE std::string python_title(std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return static_cast<unsigned char>(c) < 0x80; }))
        return base_detail::ascii_title(text);
    std::vector<Char> chars;
    for (std::size_t at = 0; at < text.size(); at += chars.back().length) chars.push_back(char_at(text, at));
    std::string out;
    bool inside_word = false;
    std::size_t at = 0;
    for (std::size_t i = 0; i < chars.size(); at += chars[i++].length) {
        const Char& c = chars[i];
        constexpr char32_t capital_sigma = 0x3A3;
        if (c.length == 1 && static_cast<unsigned char>(text[at]) >= 0x80) {
            out += text[at];
        } else if (!inside_word) {
            base_detail::append_case(out, c.code, base_detail::title_runs, base_detail::title_specials);
        } else if (c.code == capital_sigma) {
            utf8::append(out, base_detail::is_final_sigma(chars, i) ? U'\u03C2' : U'\u03C3');
        } else {
            base_detail::append_case(out, c.code, base_detail::lower_runs, base_detail::lower_specials);
        }
        inside_word = base_detail::has_unicode_fact(c.code, base_detail::fact_cased);
    }
    return out;
}

ACTA_INLINE std::string one_line(std::string_view text) {
    if (std::ranges::all_of(text, [](char c) { return c >= ' ' && c < '\x7F'; })) return std::string(text);
    std::string out;
    split_hidden(
        text, [&out](std::string_view piece) { out += piece; }, [&out](std::string_view, char32_t) { out += ' '; });
    std::replace_if(
        out.begin(), out.end(), [](char c) { return c == '\n' || c == '\t'; }, ' ');
    return out;
}

ACTA_INLINE unsigned escaped_unit(std::string_view text, std::string_view slash) noexcept {
    constexpr std::size_t digits = 4;
    if (!text.starts_with(slash)) return 0;
    text.remove_prefix(slash.size());
    if (text.size() <= digits || text.front() != 'u') return 0;
    unsigned out = 0;
    const auto [end, error] = std::from_chars(text.data() + 1, text.data() + 1 + digits, out, 16);
    return error == std::errc() && end == text.data() + 1 + digits ? out : 0;
}

}  // namespace acta::inline ACTA_ABI::unicode

namespace acta::inline ACTA_ABI::ascii {

[[gnu::cold]] ACTA_INLINE bool is_misspelling(std::string_view a, std::string_view b) {
    constexpr std::size_t shortest = 4;
    constexpr std::size_t longest = 64;
    if (a.size() < shortest || b.size() < shortest || a.size() > longest || b.size() > longest) return false;
    std::array<std::size_t, longest + 1> row{};
    for (std::size_t j = 0; j <= b.size(); ++j) row[j] = j;
    for (std::size_t i = 1; i <= a.size(); ++i) {
        std::size_t before = std::exchange(row[0], i);
        for (std::size_t j = 1; j <= b.size(); ++j) {
            const std::size_t replaced = before + (a[i - 1] == b[j - 1] ? 0 : 1);
            before = std::exchange(row[j], std::min({row[j] + 1, row[j - 1] + 1, replaced}));
        }
    }
    return row[b.size()] <= 2;
}

}  // namespace acta::inline ACTA_ABI::ascii
