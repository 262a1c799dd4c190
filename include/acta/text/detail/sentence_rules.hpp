// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string_view>

#include "acta/base/ascii.hpp"
#include "acta/base/unicode.hpp"

// The characters and words that the sentence rules know, after the Sentence_Break classes of UAX #29.
namespace acta::inline ACTA_ABI::text_detail {

/// What may end a sentence.
enum class Stop : std::uint8_t {
    none,
    dot,   ///< ATerm: also decimals, abbreviations, file names; and U+2026, which means three dots
    hard,  ///< STerm of scripts that write a space after it
    wide,  ///< STerm of scripts that write none
};

[[nodiscard]] constexpr Stop stop_of(char32_t c) noexcept {
    switch (c) {
        case U'.':
        case 0x2024:  // one dot leader
        case 0x2026: return Stop::dot;
        case U'!':
        case U'?':
        case 0x0589:  // Armenian
        case 0x061F:  // Arabic
        case 0x06D4:  // Urdu
        case 0x0964:  // danda
        case 0x0965:
        case 0x1362:  // Ethiopic
        case 0x17D4:  // Khmer
        case 0x104B:  // Myanmar
        case 0x203C:  // !!
        case 0x203D:  // interrobang
        case 0x2047:
        case 0x2048:
        case 0x2049: return Stop::hard;
        case 0x3002:  // ideographic full stop
        case 0xFF01:
        case 0xFF0E:
        case 0xFF1F:
        case 0xFF61: return Stop::wide;
        default: return Stop::none;
    }
}

/// Close that ends something, and marks of emphasis in Markdown; quotation marks may be on both sides.
[[nodiscard]] constexpr bool is_closer(char32_t c) noexcept {
    constexpr std::u32string_view closers =
        U"\"')]}*_`\u00BB\u2019\u201D\u201C\u203A\u300B\u3009\u300D\u300F\u3011\u3015"
        U"\u3017\uFF09\uFF3D\uFF5D\uFF63\uFE0F\u200D";
    return closers.find(c) != std::u32string_view::npos;
}

/// Close that begins something; what a sentence can have before its first letter.
[[nodiscard]] constexpr bool is_opener(char32_t c) noexcept {
    constexpr std::u32string_view openers =
        U"\"'([{*_`\u00A1\u00AB\u00BF\u2018\u201C\u201E\u2039\u300A\u3008\u300C\u300E"
        U"\u3010\u3014\u3016\uFF08\uFF3B\uFF5B\uFF62";
    return openers.find(c) != std::u32string_view::npos;
}

/// SContinue: continues a sentence although a stop precedes it.
[[nodiscard]] constexpr bool is_continuation(char32_t c) noexcept {
    constexpr std::u32string_view marks =
        U",-:;\u055D\u060C\u060D\u07F8\u1802\u1808\u2013\u2014\u3001\uFF0C\uFF0D\uFF1A"
        U"\uFF1B\uFF64";
    return marks.find(c) != std::u32string_view::npos;
}

/// How a word before a single dot changes what the dot means.
enum class Abbreviation : std::uint8_t {
    none,
    never_ends,      ///< `Dr.`: no sentence ends here
    before_number,   ///< `No.`: none ends if a digit follows
    before_starter,  ///< `Inc.`, `U.S.`, `J.`: one ends only if a word follows that often begins sentences
};

/// Returns whether the sorted `list` has the ASCII-lower-case form of `word`.
template <std::size_t N>
[[nodiscard]] constexpr bool has_word(const std::string_view (&list)[N], std::string_view word) noexcept {
    const auto byte = [](char c) { return static_cast<unsigned char>(ascii::to_lower(c)); };
    const auto less = [&](std::string_view a, std::string_view b) {
        return std::lexicographical_compare(a.begin(), a.end(), b.begin(), b.end(),
                                            [&](char x, char y) { return byte(x) < byte(y); });
    };
    const auto* const found = std::lower_bound(std::begin(list), std::end(list), word, less);
    return found != std::end(list) && !less(word, *found);
}

// Each list in byte order: the compiler checks it below.
// clang-format off
inline constexpr std::string_view never_ending_words[] = {
    "adm", "approx", "bzw", "capt", "cf", "cmdr", "col", "d.h", "dept", "dr", "e.g", "eg", "esp", "excl", "fr",
    "gen", "gov", "hon", "i.e", "ie", "incl", "lt", "maj", "messrs", "mlle", "mme", "mr", "mrs", "ms", "mt", "mx",
    "pres", "prof", "rep", "resp", "rev", "sen", "sgt", "sra", "st", "u.a", "univ", "viz", "vs", "z.b", "акад",
    "доц", "им", "напр", "проф", "см", "ср", "т", "т.е", "т.к", "т.н", "ул",
};
inline constexpr std::string_view numbered_words[] = {
    "apr", "art", "aug", "c", "ca", "ch", "chap", "dec", "ed", "eq", "eqs", "feb", "fig", "figs", "jan", "jul",
    "jun", "mar", "no", "nos", "nov", "nr", "oct", "p", "par", "para", "pp", "pt", "sec", "sect", "sep", "sept",
    "tab", "v", "ver", "vol", "vols", "гл", "кн", "п", "рис", "с", "ст", "стр", "табл", "ч",
};
inline constexpr std::string_view company_words[] = {
    "a.m", "bros", "co", "corp", "inc", "jr", "ltd", "m.d", "p.m", "ph.d", "plc", "sr",
};
inline constexpr std::string_view starter_words[] = {
    "a", "after", "all", "also", "although", "an", "and", "are", "as", "at", "because", "before", "but", "by",
    "can", "did", "do", "does", "each", "every", "first", "for", "from", "had", "has", "have", "he", "her", "here",
    "his", "how", "however", "i", "if", "in", "is", "it", "its", "let", "many", "more", "most", "my", "next", "no",
    "not", "now", "on", "once", "one", "our", "please", "see", "she", "since", "so", "some", "such", "that", "the",
    "their", "then", "there", "these", "they", "this", "those", "thus", "to", "two", "was", "we", "what", "when",
    "where", "which", "while", "who", "why", "with", "yes", "you", "your", "В", "Вы", "Его", "Ее", "Еще", "Ещё",
    "Её", "И", "К", "Как", "Когда", "Мы", "На", "Не", "Но", "Он", "Она", "Они", "Оно", "По", "После", "С", "Там",
    "То", "У", "Это",
};

// clang-format on

template <std::size_t N>
constexpr bool sorted_words(const std::string_view (&list)[N]) {
    for (std::size_t i = 1; i < N; ++i) {
        if (!has_word(list, list[i]) || !(list[i - 1] < list[i])) return false;
    }
    return true;
}
static_assert(sorted_words(never_ending_words) && sorted_words(numbered_words) && sorted_words(company_words));
static_assert(sorted_words(starter_words));

/// Classifies the word before a dot. `word` may have dots inside; `after_digit` is whether a digit and a space precede
/// it (`1912 г.` is a year, `г. Москва` a town).
[[nodiscard]] constexpr Abbreviation abbreviation_of(std::string_view word, bool after_digit) noexcept {
    if (word.empty()) return Abbreviation::none;
    if (has_word(never_ending_words, word)) return Abbreviation::never_ends;
    if (word == "г") return after_digit ? Abbreviation::none : Abbreviation::never_ends;
    const unicode::Char first = unicode::char_at(word, 0);
    // Initials and acronyms: capitals with dots between them.
    bool initials = true;
    for (std::size_t at = 0; at < word.size() && initials;) {
        const unicode::Char c = unicode::char_at(word, at);
        at += c.length;
        initials = c.cls == unicode::CharClass::upper && (at == word.size() || (word[at] == '.' && ++at < word.size()));
    }
    if (initials && first.cls == unicode::CharClass::upper) return Abbreviation::before_starter;
    if (has_word(numbered_words, word)) return Abbreviation::before_number;
    return has_word(company_words, word) ? Abbreviation::before_starter : Abbreviation::none;
}

}  // namespace acta::inline ACTA_ABI::text_detail
