// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/base/unicode.hpp"
#include "acta/compress/detail/extractive/text.hpp"

// The facts of a text: paths, URLs, numbers, identifiers. Found by their looks alone, in one pass.
namespace acta::inline ACTA_ABI::compress_detail {

enum class FactKind : std::uint8_t { none, line_number, identifier, number, path, url };

struct Fact {
    std::string_view text{};
    FactKind kind = FactKind::none;
};

/// What a token is made of.
struct TokenLooks {
    std::size_t letters = 0;
    std::size_t digits = 0;
    std::size_t slashes = 0;
    std::size_t backslashes = 0;
    std::size_t dots = 0;
    std::size_t underscores = 0;
    bool camel = false;  // a capital after a small letter

    explicit TokenLooks(std::string_view token) noexcept {
        for (std::size_t i = 0; i < token.size(); ++i) {
            const char c = token[i];
            if (ascii::is_digit(c))
                ++digits;
            else if (ascii::is_alpha(c) || static_cast<unsigned char>(c) >= 0x80)
                ++letters;
            else if (c == '/')
                ++slashes;
            else if (c == '\\')
                ++backslashes;
            else if (c == '.')
                ++dots;
            else if (c == '_')
                ++underscores;
            camel = camel || (i > 0 && ascii::is_upper(c) && token[i - 1] >= 'a' && token[i - 1] <= 'z');
        }
    }
};

/// `name.ext`, where the extension has at most four characters, one of them a letter, all of one case.
[[nodiscard]] inline bool has_extension(std::string_view token) noexcept {
    const std::size_t dot = token.rfind('.');
    if (dot == std::string_view::npos || dot + 1 == token.size() || token.size() - dot > 5) return false;
    if (dot == 1 && token.size() == 3) return false;  // e.g, i.e, U.S
    std::size_t lower = 0;
    std::size_t upper = 0;
    for (const char c : token.substr(dot + 1)) {
        if (!ascii::is_digit(c) && !ascii::is_alpha(c)) return false;
        if (ascii::is_upper(c))
            ++upper;
        else if (!ascii::is_digit(c))
            ++lower;
    }
    return (lower == 0) != (upper == 0);
}

/// A member of an object in code: `self.name`.
[[nodiscard]] inline bool is_member(std::string_view token) noexcept {
    return token.starts_with("self.") || token.starts_with("this.") || token.starts_with("cls.");
}

/// `call`: a bracket follows, as after the name of a function.
[[nodiscard]] inline FactKind kind_of(std::string_view token, bool call) noexcept {
    const TokenLooks looks(token);
    if (looks.letters + looks.digits == 0) return FactKind::none;
    if (looks.letters == 0) return FactKind::number;
    const char first = token.front() == '-' && token.size() > 1 ? token[1] : token.front();
    if (looks.slashes > 0) {
        const bool rooted = token.front() == '/' || token.front() == '.' || token.front() == '~';
        const bool path = rooted || looks.slashes > 1 || looks.dots + looks.underscores > 0 || token.back() == '/';
        if (!path && token.size() <= 3) return FactKind::none;  // n/a
        return path ? FactKind::path : FactKind::identifier;
    }
    if (looks.backslashes > 0) return FactKind::path;
    if (ascii::is_digit(first) && looks.letters <= 4) return FactKind::number;  // 10ms, 3.10rc1
    if (token.front() == '.' && call) return FactKind::none;                    // "".join(
    if (looks.dots > 0 && !call && !is_member(token) && has_extension(token)) return FactKind::path;
    if (looks.dots > 0 && token.front() != '.') return token.size() > 4 ? FactKind::identifier : FactKind::none;
    if (looks.underscores > 0 || looks.camel || looks.digits > 0) return FactKind::identifier;
    return FactKind::none;
}

/// Whether a sentence is a line of a listing that numbers its lines: `7: text`, `7| text`, `7<tab>text`.
[[nodiscard]] inline bool is_listed_line(std::string_view sentence) noexcept {
    std::size_t at = 0;
    while (at < sentence.size() && ascii::is_digit(sentence[at])) ++at;
    return at > 0 && at < 10 && at < sentence.size() &&
           (sentence[at] == ':' || sentence[at] == '|' || sentence[at] == '\t');
}

/// Finds the facts of a text, one after another.
class FactScanner {
public:
    /// `escapes`: whether a backslash begins an escape, as in Python's spelling of a text, and is not part of a path.
    FactScanner(std::string_view text, bool escapes) : text_(text), escapes_(escapes) {}

    /// The next fact; `none` at the end.
    [[nodiscard]] Fact next() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (escapes_ && c == '\\') {
                at_ += 2;
            } else if (const std::size_t end = control_sequence_end(text_, at_); end != at_) {
                at_ = end;
            } else if (const std::size_t length = token_char(at_); length != 0) {
                if (const Fact fact = token(); fact.kind != FactKind::none) return fact;
            } else {
                if (c == '\n' || c == '\r')
                    line_start_ = true;
                else if (c != ' ' && c != '\t')
                    line_start_ = false;
                ++at_;
            }
        }
        return {};
    }

private:
    // The length of the character at `at` if it can be part of a token, else 0.
    [[nodiscard]] std::size_t token_char(std::size_t at) const noexcept {
        const char c = text_[at];
        if (ascii::is_alpha(c) || ascii::is_digit(c) || c == '_' || c == '.' || c == '/' || c == '-') return 1;
        if (c == '\\') return escapes_ ? 0 : 1;
        if (c == '~') return at + 1 < text_.size() && text_[at + 1] == '/' ? 1 : 0;
        if (c == '%') return at > 0 && ascii::is_digit(text_[at - 1]) ? 1 : 0;
        if (c == '@') return 1;
        if (static_cast<unsigned char>(c) < 0x80) return 0;
        const unicode::Char wide = unicode::char_at(text_, at);
        return unicode::is_letter(wide.cls) && !is_ideographic(wide.code) ? wide.length : 0;
    }

    [[nodiscard]] bool digit_at(std::size_t at) const noexcept {
        return at < text_.size() && ascii::is_digit(text_[at]);
    }

    // A colon is part of `12:30` and `main.cpp:7`, and not of `key:7`.
    [[nodiscard]] bool colon_joins(std::size_t begin, std::size_t at) const noexcept {
        if (text_[at] != ':' || !digit_at(at + 1) || at == begin) return false;
        const std::string_view before = text_.substr(begin, at - begin);
        return ascii::is_digit(before.back()) || before.find('.') != std::string_view::npos;
    }

    [[nodiscard]] Fact token() {
        const std::size_t begin = at_;
        const bool line_start = std::exchange(line_start_, false);
        std::size_t end = begin;
        while (end < text_.size()) {
            if (const std::size_t length = token_char(end); length != 0)
                end += length;
            else if (colon_joins(begin, end))
                ++end;
            else
                break;
        }
        if (text_.substr(end, 3) == "://" || (text_.substr(end, 2) == ":\\" && !escapes_ && end == begin + 1)) {
            const bool url = text_[end + 1] == '/';
            at_ = address_end(end);
            return {trimmed(text_.substr(begin, at_ - begin)), url ? FactKind::url : FactKind::path};
        }
        at_ = end;
        const std::string_view found = trimmed(text_.substr(begin, end - begin));
        if (found.empty() || found.size() > 256) return {};
        FactKind kind = kind_of(found, end < text_.size() && text_[end] == '(');
        const bool marked = end < text_.size() && (text_[end] == ':' || text_[end] == '|' || text_[end] == '\t');
        if (kind == FactKind::number && line_start && marked && found.size() <= 9 &&
            std::all_of(found.begin(), found.end(), ascii::is_digit)) {
            kind = FactKind::line_number;
        }
        return {found, kind};
    }

    [[nodiscard]] std::size_t address_end(std::size_t at) const noexcept {
        constexpr std::string_view ends = " \t\r\n\"'`<>(){}[]|,;";
        while (at < text_.size() && ends.find(text_[at]) == std::string_view::npos) {
            if (escapes_ && text_[at] == '\\') break;
            if (static_cast<unsigned char>(text_[at]) < 0x80) {
                ++at;
                continue;
            }
            const unicode::Char wide = unicode::char_at(text_, at);
            if (!unicode::is_letter(wide.cls) || is_ideographic(wide.code)) break;
            at += wide.length;
        }
        return at;
    }

    // Without the punctuation of prose around it; a minus before a digit stays.
    [[nodiscard]] static std::string_view trimmed(std::string_view token) noexcept {
        constexpr std::string_view at_end = ".-@:!?\\";
        while (!token.empty() && at_end.find(token.back()) != std::string_view::npos) token.remove_suffix(1);
        while (token.size() > 1 && (token.front() == '-' || token.front() == '@') && !ascii::is_digit(token[1])) {
            token.remove_prefix(1);
        }
        return token;
    }

    std::string_view text_;
    bool escapes_;
    std::size_t at_ = 0;
    bool line_start_ = true;
};

/// Where a fact was found. What a step found out counts more than why it was taken.
enum class Origin : std::uint8_t { reasoning, call, body };

/// The distinct facts of a text, a bounded number of each kind whatever its length. Views into the text.
class FactTable {
public:
    struct Entry {
        Fact fact{};
        std::size_t count = 0;
        Origin origin = Origin::body;
        bool topical = false;  // found in more than one place: the call, the reasoning, the body
    };

    /// Adds the facts of `text`, without its numbers if `skip_numbers`; returns how many facts there were, line numbers
    /// not counted.
    std::size_t add(std::string_view text, Origin origin, bool skip_numbers = false) {
        std::size_t found = 0;
        FactScanner scanner(text, origin == Origin::call);
        for (Fact fact = scanner.next(); fact.kind != FactKind::none; fact = scanner.next()) {
            if (fact.kind == FactKind::line_number) {
                add_line(fact.text);
            } else {
                ++found;
                if (!skip_numbers || fact.kind != FactKind::number) add(fact, origin);
            }
        }
        return found;
    }

    [[nodiscard]] const std::vector<Entry>& entries() const noexcept { return entries_; }

    /// The listings of numbered lines in it, as `lines 7-42`.
    [[nodiscard]] std::vector<std::string> listings() const {
        std::vector<std::string> out;
        for (const auto& [first, last] : runs_) {
            if (last > first) out.push_back("lines " + std::to_string(first) + "-" + std::to_string(last));
        }
        return out;
    }

private:
    static constexpr std::size_t max_of_kind = 384;
    static constexpr std::size_t max_runs = 8;

    void add(const Fact& fact, Origin origin) {
        if (const auto known = index_.find(fact.text); known != index_.end()) {
            Entry& entry = entries_[known->second];
            ++entry.count;
            entry.topical = entry.topical || entry.origin != origin;
            entry.origin = std::max(entry.origin, origin);
            return;
        }
        if (std::size_t& of_kind = counts_[static_cast<std::size_t>(fact.kind)]; of_kind < max_of_kind) {
            ++of_kind;
            index_.emplace(fact.text, entries_.size());
            entries_.push_back({fact, 1, origin, false});
        }
    }

    void add_line(std::string_view digits) {
        std::uint32_t line = 0;
        for (const char c : digits) line = line * 10 + static_cast<std::uint32_t>(c - '0');
        if (!runs_.empty() && line == runs_.back().second + 1)
            runs_.back().second = line;
        else if (runs_.size() < max_runs)
            runs_.emplace_back(line, line);
    }

    std::vector<Entry> entries_;
    std::unordered_map<std::string_view, std::size_t> index_;
    std::array<std::size_t, 6> counts_{};
    std::vector<std::pair<std::uint32_t, std::uint32_t>> runs_;
};

}  // namespace acta::inline ACTA_ABI::compress_detail
