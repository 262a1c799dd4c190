// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>

#include "acta/base/ascii.hpp"
#include "acta/base/unicode.hpp"
#include "acta/text/token_encoding.hpp"

// How a text is split into pieces before byte pairs are merged; merges never cross from one piece into the next. The
// rules are the regular expressions of OpenAI's tiktoken (`tiktoken_ext/openai_public.py`, version 0.14), written by
// hand: no backtracking over more than one run of characters, no recursion, linear time.
namespace acta::inline ACTA_ABI::text_detail {

/// Returns the end of the longest run from `at` of characters for which `fits(Char)` holds.
template <class Fits>
[[nodiscard]] constexpr std::size_t run_end(std::string_view text, std::size_t at, Fits fits) {
    while (at < text.size()) {
        const unicode::Char c = unicode::char_at(text, at);
        if (!fits(c)) break;
        at += c.length;
    }
    return at;
}

/// Returns the length of `(?i:'s|'t|'re|'ve|'m|'ll|'d)` at `at`, or 0. Ignoring case, U+017F is also an s.
[[nodiscard]] constexpr std::size_t contraction_length(std::string_view text, std::size_t at) noexcept {
    if (at >= text.size() || text[at] != '\'') return 0;
    const auto lower = [text, at](std::size_t i) {
        return at + i < text.size() ? ascii::to_lower(text[at + i]) : '\0';
    };
    const char a = lower(1);
    const char b = lower(2);
    if (a == 's' || a == 't' || a == 'm' || a == 'd') return 2;
    if ((a == 'r' && b == 'e') || (a == 'v' && b == 'e') || (a == 'l' && b == 'l')) return 3;
    return a == '\xC5' && b == '\xBF' ? 3 : 0;
}

/// `\p{N}{1,3}`, of which the first character is known to be there.
[[nodiscard]] constexpr std::size_t number_end(std::string_view text, std::size_t at) {
    int left = 3;
    return run_end(text, at,
                   [&left](const unicode::Char& c) { return c.cls == unicode::CharClass::number && left-- > 0; });
}

/// `\s*[\r\n]+|\s+(?!\S)|\s+`, of which the first character is known to be there; if `whole_tail`, all white space that
/// ends the text is one piece (`\s++$` before the others).
[[nodiscard]] constexpr std::size_t space_end(std::string_view text, std::size_t at, bool whole_tail) {
    std::size_t after_newline = at;
    std::size_t last = at;
    std::size_t end = at;
    while (end < text.size()) {
        const unicode::Char c = unicode::char_at(text, end);
        if (c.cls != unicode::CharClass::space) break;
        last = end;
        end += c.length;
        if (c.code == '\r' || c.code == '\n') after_newline = end;
    }
    if (whole_tail && end == text.size()) return end;
    if (after_newline != at) return after_newline;
    return end == text.size() || last == at ? end : last;
}

/// ` ?[^\s\p{L}\p{N}]+[\r\n]*` (with `/` in the tail if `slash`), or `at` if that does not match.
[[nodiscard]] constexpr std::size_t symbols_end(std::string_view text, std::size_t at, bool slash) {
    const std::size_t start = text[at] == ' ' ? at + 1 : at;
    const std::size_t end = run_end(text, start, [](const unicode::Char& c) {
        return c.cls == unicode::CharClass::other || c.cls == unicode::CharClass::mark;
    });
    if (end == start) return at;
    return run_end(text, end, [slash](const unicode::Char& c) {
        return c.code == '\r' || c.code == '\n' || (slash && c.code == '/');
    });
}

/// Returns whether the character can be the `[^\r\n\p{L}\p{N}]?` before a word.
[[nodiscard]] constexpr bool may_lead(const unicode::Char& c) noexcept {
    return c.code != '\r' && c.code != '\n' && c.cls != unicode::CharClass::number && !unicode::is_letter(c.cls);
}

[[nodiscard]] constexpr std::size_t cl100k_end(std::string_view text, std::size_t at) {
    if (const std::size_t n = contraction_length(text, at); n != 0) return at + n;
    const unicode::Char first = unicode::char_at(text, at);
    if (first.cls == unicode::CharClass::number) return number_end(text, at);
    if (unicode::is_letter(first.cls) || may_lead(first)) {
        const std::size_t after = at + first.length;
        const std::size_t end = run_end(text, after, [](const unicode::Char& c) { return unicode::is_letter(c.cls); });
        if (end != after || unicode::is_letter(first.cls)) return end;
    }
    const std::size_t end = symbols_end(text, at, false);
    return end != at ? end : space_end(text, at, true);
}

/// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]*[\p{Ll}\p{Lm}\p{Lo}\p{M}]+`, or `at`. If no lower-case letter follows the first
/// run, a backtracking engine gives back characters until one is in both sets: the last such one ends the word.
[[nodiscard]] constexpr std::size_t lower_word_end(std::string_view text, std::size_t at) {
    std::size_t end = at;
    std::size_t after_common = at;
    while (end < text.size()) {
        const unicode::Char c = unicode::char_at(text, end);
        if (c.cls == unicode::CharClass::lower) {
            return run_end(text, end, [](const unicode::Char& d) {
                return d.cls == unicode::CharClass::lower || d.cls == unicode::CharClass::letter ||
                       d.cls == unicode::CharClass::mark;
            });
        }
        if (c.cls != unicode::CharClass::upper && c.cls != unicode::CharClass::letter &&
            c.cls != unicode::CharClass::mark)
            break;
        end += c.length;
        if (c.cls != unicode::CharClass::upper) after_common = end;
    }
    return after_common;
}

[[nodiscard]] constexpr std::size_t o200k_word_end(std::string_view text, std::size_t at, const unicode::Char& first) {
    const std::size_t after = at + first.length;
    const bool lead = may_lead(first);
    std::size_t end = lead ? lower_word_end(text, after) : at;
    if (end == after || !lead) end = lower_word_end(text, at);
    if (end == at) {
        // Only capitals can be left: a word that has any other letter has matched above.
        const std::size_t start = lead ? after : at;
        end = run_end(text, start, [](const unicode::Char& c) { return c.cls == unicode::CharClass::upper; });
        if (end == start) return at;
    }
    return end + contraction_length(text, end);
}

[[nodiscard]] constexpr std::size_t o200k_end(std::string_view text, std::size_t at) {
    const unicode::Char first = unicode::char_at(text, at);
    if (first.cls == unicode::CharClass::number) return number_end(text, at);
    std::size_t end = o200k_word_end(text, at, first);
    if (end == at) end = symbols_end(text, at, true);
    return end != at ? end : space_end(text, at, false);
}

/// Returns the end of the piece that starts at `at`, which must be before the end of the text; always beyond `at`.
[[nodiscard]] constexpr std::size_t pre_token_end(std::string_view text, std::size_t at, TokenEncoding encoding) {
    return encoding == TokenEncoding::cl100k_base ? cl100k_end(text, at) : o200k_end(text, at);
}

}  // namespace acta::inline ACTA_ABI::text_detail
