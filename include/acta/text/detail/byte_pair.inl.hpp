// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <memory>
#include <queue>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/file.hpp"
#include "acta/base/unicode.hpp"
#include "acta/text/byte_pair.hpp"
#include "acta/text/tokens.hpp"

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

namespace acta::inline ACTA_ABI {

namespace text_detail {

inline constexpr std::uint32_t no_rank = std::numeric_limits<std::uint32_t>::max();

/// Reads a rank: digits alone, below `no_rank`. Returns `no_rank` for anything else.
[[nodiscard]] ACTA_INLINE std::uint32_t read_rank(std::string_view text) noexcept {
    if (text.empty() || text.size() > 10) return no_rank;
    std::uint64_t value = 0;
    for (const char c : text) {
        if (!ascii::is_digit(c)) return no_rank;
        value = value * 10 + static_cast<std::uint64_t>(c - '0');
    }
    return value < no_rank ? static_cast<std::uint32_t>(value) : no_rank;
}

/// The tokens of one encoding. The views point into `bytes`, so it is neither copied nor moved once filled.
class Ranks {
public:
    explicit Ranks(std::string_view file) {
        bytes_.reserve(file.size());  // Decoded tokens are shorter than the file: views into `bytes_` stay valid.
        std::size_t line = 0;
        for (std::size_t at = 0; at < file.size();) {
            const std::size_t end = std::min(file.find('\n', at), file.size());
            std::string_view text = file.substr(at, end - at);
            if (!text.empty() && text.back() == '\r') text.remove_suffix(1);
            if (++line; !text.empty()) add(text, line);
            at = end + 1;
        }
        check_bytes();
    }
    Ranks(const Ranks&) = delete;
    Ranks& operator=(const Ranks&) = delete;

    [[nodiscard]] std::uint32_t rank(std::string_view token) const {
        if (token.size() > longest_) return no_rank;
        const auto found = ranks_.find(token);
        return found == ranks_.end() ? no_rank : found->second;
    }

    [[nodiscard]] std::string_view token(std::uint32_t rank) const {
        const auto found = tokens_.find(rank);
        if (found == tokens_.end()) throw Error("no token has the rank " + std::to_string(rank));
        return found->second;
    }

    [[nodiscard]] std::size_t size() const noexcept { return ranks_.size(); }

private:
    void add(std::string_view text, std::size_t line) {
        const std::size_t space = text.find(' ');
        if (space == std::string_view::npos) throw RanksError("expected a token in base64, a space and a rank", line);
        const std::size_t start = bytes_.size();
        if (!base::append_base64(text.substr(0, space), bytes_)) throw RanksError("the token is not base64", line);
        const std::uint32_t rank = read_rank(text.substr(space + 1));
        if (rank == no_rank) throw RanksError("the rank is not a number from 0 to 4294967294", line);
        const std::string_view token = std::string_view(bytes_).substr(start);
        if (!ranks_.emplace(token, rank).second) throw RanksError("the token is repeated", line);
        if (!tokens_.emplace(rank, token).second) throw RanksError("the rank is repeated", line);
        longest_ = std::max(longest_, token.size());
    }

    // Any text can be written only if every single byte is a token.
    void check_bytes() const {
        for (int i = 0; i < 256; ++i) {
            const char byte = static_cast<char>(static_cast<unsigned char>(i));
            if (rank(std::string_view(&byte, 1)) == no_rank) {
                throw RanksError("the ranks have no token for the byte " + std::to_string(i), 0);
            }
        }
    }

    std::string bytes_;
    std::unordered_map<std::string_view, std::uint32_t> ranks_;
    std::unordered_map<std::uint32_t, std::string_view> tokens_;
    std::size_t longest_ = 0;
};

/// Merges the bytes of one piece: always the pair of lowest rank, the leftmost among equals. A heap of candidates over
/// a linked list, so that n bytes cost n log n; a candidate whose parts have been merged since is dropped when it
/// is reached. Reuses its memory from piece to piece.
class PairMerger {
public:
    explicit PairMerger(const Ranks& ranks) : ranks_(ranks) {}

    /// Calls `sink` with the rank of every token of the piece, in order.
    template <class Sink>
    void run(std::string_view piece, Sink&& sink) {
        if (const std::uint32_t whole = ranks_.rank(piece); whole != no_rank) {
            sink(whole);
            return;
        }
        start(piece);
        while (!heap_.empty()) {
            const Candidate best = heap_.top();
            heap_.pop();
            if (alive(best)) merge(piece, best);
        }
        for (std::size_t at = 0; at < piece.size(); at = end_[at]) sink(ranks_.rank(piece.substr(at, end_[at] - at)));
    }

private:
    struct Candidate {
        std::uint32_t rank;
        std::size_t begin;
        std::size_t end;

        friend bool operator>(const Candidate& a, const Candidate& b) noexcept {
            return a.rank != b.rank ? a.rank > b.rank : a.begin > b.begin;
        }
    };

    void start(std::string_view piece) {
        end_.resize(piece.size());
        previous_.resize(piece.size());
        for (std::size_t i = 0; i < piece.size(); ++i) {
            end_[i] = i + 1;
            previous_[i] = i == 0 ? 0 : i - 1;
        }
        for (std::size_t i = 0; i + 1 < piece.size(); ++i) offer(piece, i, i + 2);
    }

    void offer(std::string_view piece, std::size_t begin, std::size_t end) {
        const std::uint32_t rank = ranks_.rank(piece.substr(begin, end - begin));
        if (rank != no_rank) heap_.push({rank, begin, end});
    }

    // `end_` is 0 for a part that was merged into the one before it.
    [[nodiscard]] bool alive(const Candidate& c) const {
        const std::size_t middle = end_[c.begin];
        return middle != 0 && middle < c.end && end_[middle] == c.end;
    }

    void merge(std::string_view piece, const Candidate& c) {
        end_[end_[c.begin]] = 0;
        end_[c.begin] = c.end;
        if (c.begin != 0) offer(piece, previous_[c.begin], c.end);
        if (c.end < piece.size()) {
            previous_[c.end] = c.begin;
            offer(piece, c.begin, end_[c.end]);
        }
    }

    const Ranks& ranks_;
    std::vector<std::size_t> end_;
    std::vector<std::size_t> previous_;
    std::priority_queue<Candidate, std::vector<Candidate>, std::greater<>> heap_;
};

/// Calls `sink` with the rank of every token of `text`, in order.
template <class Sink>
void each_token(std::string_view text, const Ranks& ranks, TokenEncoding encoding, Sink&& sink) {
    PairMerger merger(ranks);
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = pre_token_end(text, at, encoding);
        merger.run(text.substr(at, end - at), sink);
        at = end;
    }
}

}  // namespace text_detail

ACTA_INLINE BytePairTokenizer::BytePairTokenizer(std::string_view ranks, TokenEncoding encoding)
    : ranks_(std::make_shared<const text_detail::Ranks>(ranks)), encoding_(encoding) {}

ACTA_INLINE BytePairTokenizer BytePairTokenizer::from_file(const std::filesystem::path& path, TokenEncoding encoding) {
    return BytePairTokenizer(base::read_file(path), encoding);
}

ACTA_INLINE std::vector<std::uint32_t> BytePairTokenizer::encode(std::string_view text) const {
    std::vector<std::uint32_t> out;
    out.reserve(text.size() / 4);
    text_detail::each_token(text, *ranks_, encoding_, [&out](std::uint32_t rank) { out.push_back(rank); });
    return out;
}

ACTA_INLINE std::string BytePairTokenizer::decode(const std::vector<std::uint32_t>& tokens) const {
    std::string out;
    for (const std::uint32_t rank : tokens) out += ranks_->token(rank);
    return out;
}

ACTA_INLINE std::size_t BytePairTokenizer::operator()(std::string_view text) const {
    std::size_t count = 0;
    text_detail::each_token(text, *ranks_, encoding_, [&count](std::uint32_t) { ++count; });
    return count;
}

ACTA_INLINE std::size_t BytePairTokenizer::vocabulary_size() const noexcept { return ranks_->size(); }

}  // namespace acta::inline ACTA_ABI
