// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/base/unicode.hpp"
#include "acta/text/detail/sentence_rules.hpp"
#include "acta/text/sentences.hpp"

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

}  // namespace acta::inline ACTA_ABI
