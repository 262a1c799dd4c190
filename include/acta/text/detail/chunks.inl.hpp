// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/unicode.hpp"
#include "acta/text/chunks.hpp"

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

namespace acta::inline ACTA_ABI {

namespace text_detail {

/// A line without and with its end: CR LF, CR, LF, U+0085, U+2028, U+2029 (UAX #29 SB3, SB4).
struct Line {
    std::size_t begin = 0;
    std::size_t end = 0;
    std::size_t next = 0;
};

[[nodiscard]] constexpr Line line_at(std::string_view text, std::size_t at) noexcept {
    for (std::size_t i = at; i < text.size(); ++i) {
        const char c = text[i];
        if (c == '\n') return {at, i, i + 1};
        if (c == '\r') return {at, i, i + 1 < text.size() && text[i + 1] == '\n' ? i + 2 : i + 1};
        if (c == '\xC2' && text.substr(i, 2) == "\xC2\x85") return {at, i, i + 2};
        if (c == '\xE2' && (text.substr(i, 3) == "\xE2\x80\xA8" || text.substr(i, 3) == "\xE2\x80\xA9")) {
            return {at, i, i + 3};
        }
    }
    return {at, text.size(), text.size()};
}

/// Cuts one text; see `RuleSentenceSplitter` for the rules.
class SentenceScanner {
public:
    SentenceScanner(std::string_view text, CodeBlocks code_blocks, bool lines_end_sentences)
        : text_(text), code_blocks_(code_blocks), lines_end_sentences_(lines_end_sentences) {}

    [[nodiscard]] std::vector<std::string_view> run() {
        for (std::size_t at = 0; at < text_.size();) {
            line_ = line_at(text_, at);
            at = line_.next;
            first_ = skip_spaces(line_.begin);
            if (first_ == line_.end) {
                cut_next_ = cut_next_ || fence_length_ == 0;  // a blank line belongs to what precedes it
            } else if (fence_length_ != 0) {
                inside_fence();
            } else if (!opens_fence()) {
                prose();
            }
        }
        if (start_ < text_.size()) pieces_.push_back(text_.substr(start_));
        return std::move(pieces_);
    }

private:
    [[nodiscard]] std::size_t skip_spaces(std::size_t at) const {
        while (at < line_.end) {
            const unicode::Char c = unicode::char_at(text_, at);
            if (c.cls != unicode::CharClass::space) break;
            at += c.length;
        }
        return at;
    }

    // White space alone is not a piece: at the start of the text it belongs to what follows.
    void cut(std::size_t at) {
        if (content_ && at > start_) {
            pieces_.push_back(text_.substr(start_, at - start_));
            start_ = at;
        }
        content_ = true;
        cut_next_ = false;
    }

    [[nodiscard]] std::size_t marks_end(std::size_t at, char mark) const {
        while (at < line_.end && text_[at] == mark) ++at;
        return at;
    }

    // CommonMark 4.5, at any indentation: fences also occur in lists.
    bool opens_fence() {
        const char mark = text_[first_];
        if (mark != '`' && mark != '~') return false;
        const std::size_t end = marks_end(first_, mark);
        if (end - first_ < 3) return false;
        if (mark == '`' && text_.substr(end, line_.end - end).find('`') != std::string_view::npos) return false;
        fence_ = mark;
        fence_length_ = end - first_;
        cut(line_.begin);
        return true;
    }

    void inside_fence() {
        if (code_blocks_ == CodeBlocks::lines) cut(line_.begin);
        const std::size_t end = marks_end(first_, fence_);
        if (end - first_ < fence_length_ || skip_spaces(end) != line_.end) return;
        fence_length_ = 0;
        cut_next_ = true;
    }

    void prose() {
        std::size_t at = marker_end();
        const bool block = at != first_ || text_[first_] == '#' || text_[first_] == '>' || text_[first_] == '|';
        if (lines_end_sentences_ || cut_next_ || block || !content_) cut(line_.begin);
        code_spans_ = true;
        while (at < line_.end) {
            const char c = text_[at];
            if (c == '`') {
                at = code_span_end(at);
            } else if (c == '.' || c == '!' || c == '?') {
                at = stop(at);
            } else if (static_cast<unsigned char>(c) < 0x80) {
                ++at;
            } else {
                const unicode::Char d = unicode::char_at(text_, at);
                at = stop_of(d.code) == Stop::none ? at + d.length : stop(at);
            }
        }
    }

    // The end of `- `, `* `, `+ `, `3. `, `3.2. `, `3) ` or `a) ` at the start of the line, or where the line starts.
    [[nodiscard]] std::size_t marker_end() const {
        std::size_t at = first_;
        const auto digit = [this](std::size_t i) { return i < line_.end && ascii::is_digit(text_[i]); };
        const auto letter = [this](std::size_t i) { return unicode::is_letter(unicode::char_at(text_, i).cls); };
        const char c = text_[at];
        if (c == '-' || c == '*' || c == '+') {
            ++at;
        } else if (digit(at)) {
            while (digit(at) || (at < line_.end && text_[at] == '.' && digit(at + 1))) ++at;
            if (at == line_.end || (text_[at] != '.' && text_[at] != ')')) return first_;
            ++at;
        } else if (letter(at) && at + 1 < line_.end && text_[at + 1] == ')') {
            at += 2;
        } else {
            return first_;
        }
        const std::size_t rest = skip_spaces(at);
        return rest == at || rest == line_.end ? first_ : rest;
    }

    // The end of the code span at `at`, or of its opening marks if none close it. One failure turns spans off for the
    // line, so that a line is searched in vain at most once.
    [[nodiscard]] std::size_t code_span_end(std::size_t at) {
        const std::size_t end = marks_end(at, '`');
        if (!code_spans_) return end;
        for (std::size_t i = end; i < line_.end;) {
            if (text_[i] != '`') {
                ++i;
                continue;
            }
            const std::size_t close = marks_end(i, '`');
            if (close - i == end - at) return close;
            i = close;
        }
        code_spans_ = false;
        return end;
    }

    struct Stops {
        std::size_t end = 0;  // after the stops
        std::size_t count = 0;
        bool hard = false;
        bool wide = false;
    };

    [[nodiscard]] Stops stops_at(std::size_t at) const {
        Stops stops{.end = at};
        while (stops.end < line_.end) {
            const unicode::Char c = unicode::char_at(text_, stops.end);
            const Stop kind = stop_of(c.code);
            if (kind == Stop::none) break;
            stops.end += c.length;
            stops.count += c.code == 0x2026 ? 3 : 1;
            stops.hard = stops.hard || kind == Stop::hard;
            stops.wide = stops.wide || kind == Stop::wide;
        }
        return stops;
    }

    // SATerm Close* Sp* at `at`; cuts where a sentence ends, and returns where to continue.
    std::size_t stop(std::size_t at) {
        const Stops stops = stops_at(at);
        std::size_t closed = stops.end;
        while (closed < line_.end) {
            const unicode::Char c = unicode::char_at(text_, closed);
            if (!is_closer(c.code)) break;
            closed += c.length;
        }
        const std::size_t next = skip_spaces(closed);
        if (ends_sentence(at, stops, closed, next)) {
            if (next == line_.end) {
                cut_next_ = true;
            } else {
                cut(next);
            }
            return next;
        }
        return stops.end;
    }

    [[nodiscard]] bool ends_sentence(std::size_t at, const Stops& stops, std::size_t closed, std::size_t next) const {
        const bool at_line_end = next == line_.end;
        if (at_line_end && lines_end_sentences_) return true;
        const std::size_t follower = at_line_end ? first_of_next_line() : next;
        if (follower == text_.size()) return true;
        const unicode::Char after = unicode::char_at(text_, follower);
        if (!at_line_end && (is_continuation(after.code) || stop_of(after.code) != Stop::none)) return false;  // SB8a
        if (stops.wide) return !(stops.count == 1 && after.cls == unicode::CharClass::number && next == closed);  // SB6
        if (next == closed && !at_line_end) return false;
        const bool lower = starts_lower(follower);
        if (stops.hard) return !(lower && closed != stops.end);
        if (lower) return false;  // SB8
        if (stops.count != 1 || closed != stops.end) return true;
        switch (abbreviation_before(at)) {
            case Abbreviation::never_ends: return false;
            case Abbreviation::before_number: return after.cls != unicode::CharClass::number;
            case Abbreviation::before_starter: return starts_sentence(follower);
            case Abbreviation::none: break;
        }
        return true;
    }

    [[nodiscard]] std::size_t first_of_next_line() const {
        std::size_t at = line_.next;
        while (at < text_.size() && (text_[at] == ' ' || text_[at] == '\t')) ++at;
        return at;
    }

    [[nodiscard]] bool starts_lower(std::size_t at) const {
        for (int openers = 0; at < text_.size() && openers < 8; ++openers) {
            const unicode::Char c = unicode::char_at(text_, at);
            if (!is_opener(c.code)) return c.cls == unicode::CharClass::lower;
            at += c.length;
        }
        return false;
    }

    // A word of `starter_words` in capitalised form, but not `A.` before more initials.
    [[nodiscard]] bool starts_sentence(std::size_t at) const {
        if (at < text_.size() && is_opener(unicode::char_at(text_, at).code)) return true;
        std::size_t end = at;
        while (end < text_.size() && end - at < 32) {
            const unicode::Char c = unicode::char_at(text_, end);
            if (!unicode::is_letter(c.cls)) break;
            end += c.length;
        }
        return !(end < text_.size() && text_[end] == '.') && has_word(starter_words, text_.substr(at, end - at));
    }

    // The letters and dots before the dot at `at`, at most 24 bytes back, so that the work is bounded.
    [[nodiscard]] Abbreviation abbreviation_before(std::size_t at) const {
        constexpr std::size_t longest = 24;
        const auto part_of_word = [](char c) {
            return ascii::is_alpha(c) || c == '.' || static_cast<unsigned char>(c) >= 0x80;
        };
        std::size_t begin = at;
        while (begin > line_.begin && at - begin < longest && part_of_word(text_[begin - 1])) --begin;
        if (at - begin == longest) return Abbreviation::none;
        while (begin < at) {  // quotation marks and the like are also beyond ASCII
            const unicode::Char c = unicode::char_at(text_, begin);
            if (unicode::is_letter(c.cls)) break;
            begin += c.length;
        }
        if (begin >= at) return Abbreviation::none;
        if (begin > line_.begin && ascii::is_digit(text_[begin - 1])) return Abbreviation::none;
        const bool after_digit =
            begin >= line_.begin + 2 && text_[begin - 1] == ' ' && ascii::is_digit(text_[begin - 2]);
        return abbreviation_of(text_.substr(begin, at - begin), after_digit);
    }

    std::string_view text_;
    CodeBlocks code_blocks_;
    bool lines_end_sentences_;
    std::vector<std::string_view> pieces_;
    Line line_;
    std::size_t first_ = 0;  // the first character of the line that is not white space
    std::size_t start_ = 0;  // where the current piece begins
    std::size_t fence_length_ = 0;
    char fence_ = '`';
    bool content_ = false;  // whether the current piece has more than white space
    bool cut_next_ = false;
    bool code_spans_ = true;
};

}  // namespace text_detail

ACTA_INLINE std::vector<std::string_view> RuleSentenceSplitter::operator()(std::string_view text) const {
    return text_detail::SentenceScanner(text, code_blocks, lines_end_sentences).run();
}

ACTA_INLINE AnySentenceSplitter::AnySentenceSplitter() : split_(RuleSentenceSplitter{}) {}

#if defined(ACTA_COMPILED)
template AnySentenceSplitter::AnySentenceSplitter(RuleSentenceSplitter splitter);
#endif

namespace text_detail {

/// Splits one text; see `split_into_chunks`.
class Chunker {
public:
    Chunker(std::string_view text, const ChunkOptions& options)
        : text_(text), options_(options), overlap_(std::min(options.overlap_tokens, options.max_tokens / 2)) {
        if (options.max_tokens == 0) throw Error("a chunk of at most 0 tokens cannot hold anything");
    }

    [[nodiscard]] std::vector<TextChunk> run() {
        if (text_.empty()) return {};
        if (const std::size_t all = options_.count_tokens(text_); all <= options_.max_tokens)
            return {{text_, all, 0, 0}};
        make_pieces();
        pack();
        return std::move(chunks_);
    }

private:
    struct Piece {
        std::size_t begin;
        std::size_t end;
        std::size_t tokens;
    };

    [[nodiscard]] std::size_t count(std::size_t begin, std::size_t end) const {
        return options_.count_tokens(text_.substr(begin, end - begin));
    }

    /// Returns the number of tokens that a chunk can hold besides its overlap.
    [[nodiscard]] std::size_t chunk_budget() const noexcept { return options_.max_tokens - overlap_; }

    void make_pieces() {
        std::size_t at = 0;
        for (const std::string_view sentence : options_.splitter(text_)) {
            if (sentence.empty()) continue;
            if (sentence.data() != text_.data() + at || sentence.size() > text_.size() - at ||
                !utf8::is_boundary(text_, at)) {
                throw Error("the sentence splitter did not return the text in order, at byte " + std::to_string(at));
            }
            const std::size_t end = at + sentence.size();
            add_sentence({at, end, count(at, end)});
            at = end;
        }
        if (at != text_.size()) throw Error("the sentence splitter left out the text from byte " + std::to_string(at));
    }

    // A sentence that fits is one piece. A longer one becomes pieces of about an eighth of a chunk, so that they still
    // pack well; they are first cut by their number of bytes, which takes one more count of each instead of a search.
    void add_sentence(const Piece& sentence) {
        if (sentence.tokens <= chunk_budget()) {
            pieces_.push_back(sentence);
            return;
        }
        const std::size_t want = std::max<std::size_t>(chunk_budget() / 8, 1);
        const std::size_t parts = (sentence.tokens + want - 1) / want;
        const std::size_t stride = std::max<std::size_t>((sentence.end - sentence.begin) / parts, 1);
        for (std::size_t at = sentence.begin; at < sentence.end;) {
            const std::size_t aim = sentence.end - at > stride ? at + stride : sentence.end;
            const std::size_t end = aim == sentence.end ? aim : cut_near(at, aim, sentence.end);
            add_part(at, end);
            at = end;
        }
    }

    // Halves a part until it fits. Depth is bounded by the logarithm of its size.
    void add_part(std::size_t begin, std::size_t end) {
        const std::size_t tokens = count(begin, end);
        if (tokens <= chunk_budget()) {
            pieces_.push_back({begin, end, tokens});
            return;
        }
        const std::size_t middle = cut_near(begin, begin + (end - begin) / 2, end);
        if (middle == end) {  // one character, which may have to do without overlap
            if (tokens > options_.max_tokens) {
                throw Error("the character at byte " + std::to_string(begin) + " has " + std::to_string(tokens) +
                            " tokens, more than the " + std::to_string(options_.max_tokens) + " of a chunk");
            }
            pieces_.push_back({begin, end, tokens});
            return;
        }
        add_part(begin, middle);
        add_part(middle, end);
    }

    // A place to cut after `begin` near `aim`: after white space in the last half before it, else the end of the code
    // point there. `end` only where one code point is all there is.
    [[nodiscard]] std::size_t cut_near(std::size_t begin, std::size_t aim, std::size_t end) const {
        const auto space = [this](std::size_t i) { return ascii::is_space(text_[i]); };
        for (std::size_t at = aim; at > begin + (aim - begin) / 2; --at) {
            if (space(at - 1) && !space(at)) return at;
        }
        std::size_t at = std::max(aim, begin + 1);
        while (at < end && !utf8::is_boundary(text_, at)) ++at;
        if (at < end) return at;
        for (at = end - 1; at > begin && !utf8::is_boundary(text_, at);) --at;
        return at > begin ? at : end;
    }

    // The fewest chunks that hold the pieces from each one on: `needed_[i]`.
    void plan() {
        needed_.assign(pieces_.size() + 1, 0);
        std::size_t end = pieces_.size();
        std::size_t sum = 0;
        for (std::size_t i = pieces_.size(); i-- > 0;) {
            sum += pieces_[i].tokens;
            while (sum > chunk_budget() && end > i + 1) sum -= pieces_[--end].tokens;
            needed_[i] = needed_[end] + 1;
        }
    }

    // As few chunks as possible, each ending where it is nearest to an equal share of the rest.
    void pack() {
        plan();
        std::size_t left = 0;
        for (const Piece& piece : pieces_) left += piece.tokens;
        for (std::size_t i = 0; i < pieces_.size();) {
            const std::size_t chunks = needed_[i];
            const std::size_t share = (left + chunks - 1) / chunks;
            std::size_t sum = pieces_[i].tokens;
            std::size_t next = i + 1;
            while (next < pieces_.size() && sum + pieces_[next].tokens <= chunk_budget() &&
                   (needed_[next] >= chunks || sum + pieces_[next].tokens / 2 < share)) {
                sum += pieces_[next++].tokens;
            }
            emit(i, next);
            left -= sum;
            i = next;
        }
    }

    // The counter may count more for a whole than for its parts: then the overlap is dropped first, and then the chunk
    // is halved.
    void emit(std::size_t first, std::size_t last) {
        const std::size_t begin = pieces_[first].begin;
        const std::size_t end = pieces_[last - 1].end;
        const std::size_t start = overlap_ == 0 || begin == 0 ? begin : overlap_start(first);
        std::size_t tokens = count(start, end);
        if (tokens <= options_.max_tokens) {
            chunks_.push_back({text_.substr(start, end - start), tokens, start, begin - start});
            return;
        }
        if (start != begin) tokens = count(begin, end);
        if (tokens <= options_.max_tokens) {
            chunks_.push_back({text_.substr(begin, end - begin), tokens, begin, 0});
            return;
        }
        const std::size_t middle = first + (last - first) / 2;  // a single piece fits: it was counted as it is
        emit(first, middle);
        emit(middle, last);
    }

    // Whole pieces before `first` as far as they fit; if not even one does, its last words.
    [[nodiscard]] std::size_t overlap_start(std::size_t first) const {
        const std::size_t floor = chunks_.back().offset + chunks_.back().overlap;
        std::size_t sum = 0;
        std::size_t i = first;
        while (i > 0 && pieces_[i - 1].begin >= floor && sum + pieces_[i - 1].tokens <= overlap_) {
            sum += pieces_[--i].tokens;
        }
        const std::size_t begin = pieces_[first].begin;
        if (i != first) return pieces_[i].begin;
        const Piece& before = pieces_[first - 1];
        std::size_t length = (before.end - before.begin) * overlap_ / std::max<std::size_t>(before.tokens, 1);
        for (int tries = 0; tries < 4 && length > 0; ++tries, length /= 2) {
            const std::size_t start = word_start(begin - length, begin);
            if (start == begin || count(start, begin) <= overlap_) return start;
        }
        return begin;
    }

    // The first start of a word from `at` on, else of a code point.
    [[nodiscard]] std::size_t word_start(std::size_t at, std::size_t end) const {
        for (std::size_t i = at; i < end; ++i) {
            if (i > 0 && text_[i - 1] == ' ' && text_[i] != ' ') return i;
        }
        while (at < end && !utf8::is_boundary(text_, at)) ++at;
        return at;
    }

    std::string_view text_;
    const ChunkOptions& options_;
    std::size_t overlap_;
    std::vector<Piece> pieces_;
    std::vector<std::size_t> needed_;
    std::vector<TextChunk> chunks_;
};

}  // namespace text_detail

ACTA_INLINE std::vector<TextChunk> split_into_chunks(std::string_view text, const ChunkOptions& options) {
    return text_detail::Chunker(text, options).run();
}

}  // namespace acta::inline ACTA_ABI
