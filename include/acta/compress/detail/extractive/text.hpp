// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string_view>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/base/unicode.hpp"
#include "acta/compress/detail/summary_text.hpp"

// What `ExtractiveSummarizer` judges a text by: its words, and whether it reports an error. All linear, and the same on
// every machine.
namespace acta::inline ACTA_ABI::compress_detail {

/// Scripts written without blanks between words: Han, kana and their neighbours (U+2E80 to U+9FFF, and beyond).
[[nodiscard]] constexpr bool is_ideographic(char32_t c) noexcept {
    return (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFF00 && c <= 0xFFEF) ||
           (c >= 0x20000 && c <= 0x3FFFF);
}

/// FNV-1a, 64 bits.
struct Hash {
    std::uint64_t value = 0xCBF29CE484222325U;
    constexpr void add(std::uint32_t unit) noexcept { value = (value ^ unit) * 0x100000001B3U; }
};

/// The words of a text as sorted hashes, each once, the first `max_words` of them. ASCII case is folded. Scripts
/// without blanks contribute pairs of neighbouring characters instead.
[[nodiscard]] inline std::vector<std::uint64_t> words_of(std::string_view text, std::size_t max_words) {
    std::vector<std::uint64_t> words;
    Hash word;
    std::size_t length = 0;
    char32_t before = 0;  // the ideograph before
    const auto end_word = [&] {
        if (length > 1 || (length == 1 && before == 0)) words.push_back(word.value);
        word = {};
        length = 0;
    };
    for (std::size_t at = 0; at < text.size() && words.size() < max_words;) {
        if (const std::size_t end = control_sequence_end(text, at); end != at) {
            at = end;
            continue;
        }
        const unicode::Char c = unicode::char_at(text, at);
        at += c.length;
        const bool part = unicode::is_letter(c.cls) || c.cls == unicode::CharClass::number ||
                          c.cls == unicode::CharClass::mark || c.code == '_';
        if (part && is_ideographic(c.code)) {
            if (before == 0) end_word();
            if (before != 0) {
                Hash pair;
                pair.add(before);
                pair.add(c.code);
                words.push_back(pair.value);
            }
            before = c.code;
        } else {
            before = 0;
            if (part) {
                word.add(c.code < 0x80 ? static_cast<std::uint32_t>(ascii::to_lower(static_cast<char>(c.code)))
                                       : c.code);
                ++length;
            } else {
                end_word();
            }
        }
    }
    if (words.size() < max_words) end_word();
    std::sort(words.begin(), words.end());
    words.erase(std::unique(words.begin(), words.end()), words.end());
    return words;
}

/// How many hashes two sorted lists share.
[[nodiscard]] inline std::size_t shared_words(const std::vector<std::uint64_t>& a,
                                              const std::vector<std::uint64_t>& b) {
    std::size_t shared = 0;
    for (std::size_t i = 0, j = 0; i < a.size() && j < b.size();) {
        if (a[i] == b[j])
            ++shared, ++i, ++j;
        else if (a[i] < b[j])
            ++i;
        else
            ++j;
    }
    return shared;
}

/// How plainly a sentence reports an error.
enum class ErrorSign : std::uint8_t {
    none,
    mention,  ///< It has a word of failure in it.
    report,   ///< It begins with one, or names an error and says which: `KeyError: 'x'`.
};

// Sorted; lower case.
inline constexpr std::array<std::string_view, 27> error_words = {
    "abort",  "aborted",   "assertion", "cannot",   "conflict", "crash",     "crashed", "denied",    "error",
    "errors", "exception", "fail",      "failed",   "failing",  "failure",   "fatal",   "invalid",   "killed",
    "panic",  "panicked",  "refused",   "segfault", "timeout",  "traceback", "unable",  "undefined", "unexpected"};

inline constexpr std::array<std::string_view, 12> error_stems = {
    "\xE9\x94\x99\xE8\xAF\xAF",
    "\xE5\xA4\xB1\xE8\xB4\xA5",
    "\xE5\xBC\x82\xE5\xB8\xB8",  // Chinese: error, fail, exception
    "\xE9\x8C\xAF\xE8\xAA\xA4",
    "\xE3\x82\xA8\xE3\x83\xA9\xE3\x83\xBC",
    "\xE5\xA4\xB1\xE6\x95\x97",
    "\xE4\xBE\x8B\xE5\xA4\x96",  // Japanese: error, failure, exception
    "\xEC\x98\xA4\xEB\xA5\x98",
    "\xEC\x8B\xA4\xED\x8C\xA8",  // Korean: error, failure
    "\xD1\x88\xD0\xB8\xD0\xB1\xD0\xBA",
    "\xD1\x81\xD0\xBA\xD0\xBB\xD1\x8E\xD1\x87\xD0\xB5\xD0\xBD",
    "\xD0\xB5 \xD1\x83\xD0\xB4\xD0\xB0\xD0\xBB\xD0\xBE\xD1\x81\xD1\x8C"};  // Russian: error, exception, did not succeed

[[nodiscard]] inline bool names_error(std::string_view word) noexcept {
    return word.ends_with("Error") || word.ends_with("Exception");
}

[[nodiscard]] inline bool is_error_word(std::string_view word) noexcept {
    if (names_error(word)) return true;
    std::array<char, 12> lower{};
    if (word.size() > lower.size() || word.size() < 4) return false;
    std::transform(word.begin(), word.end(), lower.begin(), ascii::to_lower);
    return std::binary_search(error_words.begin(), error_words.end(), std::string_view(lower.data(), word.size()));
}

/// Looks for words of failure in English, Chinese, Japanese, Korean and Russian.
[[nodiscard]] inline ErrorSign error_sign(std::string_view sentence) noexcept {
    ErrorSign sign = ErrorSign::none;
    bool first = true;
    bool ascii = true;
    for (std::size_t at = 0; at < sentence.size();) {
        if (const std::size_t end = control_sequence_end(sentence, at); end != at) {
            at = end;
            continue;
        }
        if (!ascii::is_alpha(sentence[at])) {
            ascii = ascii && static_cast<unsigned char>(sentence[at]) < 0x80;
            ++at;
            continue;
        }
        std::size_t end = at;
        while (end < sentence.size() && ascii::is_alpha(sentence[end])) ++end;
        const std::string_view word = sentence.substr(at, end - at);
        if (is_error_word(word)) {
            const bool tells = end < sentence.size() && sentence[end] == ':';
            if ((first || tells) && word != "Exception") return ErrorSign::report;
            sign = ErrorSign::mention;
        }
        first = false;
        at = end;
    }
    if (ascii) return sign;
    const bool stem = std::any_of(error_stems.begin(), error_stems.end(), [sentence](std::string_view s) {
        return sentence.find(s) != std::string_view::npos;
    });
    return stem ? ErrorSign::report : sign;
}

}  // namespace acta::inline ACTA_ABI::compress_detail
