// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string_view>

#include "acta/base/ascii.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utf8.hpp"
#include "acta/pysyntax/detail/scanner.hpp"

// Where calls may begin in a text. All of these search backward from an opening parenthesis and never past the one
// before it, so that searching a whole text is linear.
namespace acta::inline ACTA_ABI::pysyntax_detail {

/// A name, perhaps blanks, and a parenthesis.
struct Candidate {
    std::size_t name_begin = 0;
    std::size_t name_end = 0;
    std::size_t parenthesis = 0;
    /// The name belongs to an expression before it, as in `x.get(a=1).json(` or `-f(`. Nothing is called by it, but its
    /// arguments also belong to the expression.
    bool attached = false;

    /// Python allows `name (`, but prose also has it.
    [[nodiscard]] bool is_spaced() const noexcept { return name_end != parenthesis; }
};

/// Returns the code point that ends before `end`, or 0 if there is none (or a byte that is not valid UTF-8).
[[nodiscard]] inline char32_t code_point_before(std::string_view text, std::size_t end) noexcept {
    if (end != 0 && static_cast<unsigned char>(text[end - 1]) < 0x80) return static_cast<unsigned char>(text[end - 1]);
    for (std::size_t length = 1; length <= 4 && length <= end; ++length) {
        const char* const p = text.data() + end - length;
        if (utf8::is_continuation(*p)) continue;
        return utf8::sequence_length(p, text.data() + end) == length ? utf8::code_point(p, length) : 0;
    }
    return 0;
}

[[nodiscard]] inline std::size_t encoded_size(char32_t c) noexcept {
    return c < 0x80 ? 1U : c < 0x800 ? 2U : c < 0x10000 ? 3U : 4U;
}

[[nodiscard]] inline std::size_t skip_back(std::string_view text, std::size_t end, std::string_view what) noexcept {
    while (end != 0 && is_one_of(text[end - 1], what)) --end;
    return end;
}

[[nodiscard]] inline std::size_t skip_blanks_back(std::string_view text, std::size_t end) noexcept {
    while (end != 0 && (text[end - 1] == ' ' || text[end - 1] == '\t')) --end;
    return end;
}

/// A name that ends at a known place.
struct FoundName {
    std::size_t begin = 0;
    bool attached = false;  // see `Candidate`
};

/// Returns whether the `.` at `dot` selects from a value that is not a name: `f().`, `x[0].`, `'a'.`.
[[nodiscard]] inline bool follows_value(std::string_view text, std::size_t dot) noexcept {
    const std::size_t end = skip_back(text, dot, " \t\f\r\n\\");
    return end != 0 && is_one_of(text[end - 1], ")]}'\"");
}

/// Chinese and Japanese put no space between their words and a name in Latin letters.
[[nodiscard]] inline bool is_other_script(char32_t before, char first) noexcept {
    constexpr char32_t first_cjk = 0x2E80;
    return before >= first_cjk && static_cast<unsigned char>(first) < 0x80;
}

/// Characters that join a name to a word before it: `github/search`, `server:tool`, `get‑weather` (U+2010 to U+2013).
[[nodiscard]] inline bool is_joiner(char32_t c) noexcept {
    return c == '/' || c == ':' || (c >= 0x2010 && c <= 0x2013);
}

/// Returns whether joiners before `begin` make the name there a part of something longer. A number before them does
/// not: it counts the items of a list.
[[nodiscard]] inline bool is_joined(std::string_view text, std::size_t begin) noexcept {
    std::size_t at = begin;
    for (char32_t c = code_point_before(text, at); is_joiner(c); c = code_point_before(text, at)) at -= encoded_size(c);
    const char32_t before = code_point_before(text, at);
    if (at == begin || !unicode::is_python_identifier_part(before) || is_other_script(before, text[begin]))
        return false;
    const std::size_t number = skip_back(text, at, "0123456789");
    return number == at || unicode::is_python_identifier_part(code_point_before(text, number));
}

/// Returns the identifier that ends at `end`, with dots and hyphens inside, as tools' names have them; it begins at
/// `end` if there is none. A part that begins with a digit does not belong to the name: `1.search(` is an item of a
/// list.
[[nodiscard]] inline FoundName name_before(std::string_view text, std::size_t end) noexcept {
    FoundName name{end};
    for (std::size_t part = end;;) {
        std::size_t first = part;
        bool hyphens = false;
        for (char32_t c = code_point_before(text, first); c == '-' || unicode::is_python_identifier_part(c);
             c = code_point_before(text, first)) {
            hyphens = hyphens || c == '-';
            first -= encoded_size(c);
        }
        if (first == part) break;
        const bool digit_first = ascii::is_digit(text[first]);
        if (text[part - 1] == '-' && part == end) return {end};
        if (hyphens && (digit_first || text[first] == '-' || text[part - 1] == '-')) {
            return {part == end ? first : name.begin, true};
        }
        if (digit_first) break;
        name.begin = first;
        if (first == 0 || text[first - 1] != '.') {
            name.attached = is_joined(text, first);
            return name;
        }
        part = first - 1;
    }
    if (name.begin != end) name.attached = follows_value(text, name.begin - 1);
    return name;
}

/// Returns whether a word precedes `begin`, with blanks between.
[[nodiscard]] inline bool follows_word(std::string_view text, std::size_t begin, std::string_view word) noexcept {
    const std::size_t end = skip_blanks_back(text, begin);
    if (end == begin || !text.substr(0, end).ends_with(word)) return false;
    return !unicode::is_python_identifier_part(code_point_before(text, end - word.size()));
}

/// `def f(a=1):` and `class C():` define a name and call nothing.
[[nodiscard]] inline bool is_definition(std::string_view text, std::size_t name_begin) noexcept {
    return follows_word(text, name_begin, "def") || follows_word(text, name_begin, "class");
}

/// Returns whether nothing before `begin` makes `name`, which begins there, a part of a longer name or expression.
[[nodiscard]] inline bool is_name_boundary(std::string_view text, std::size_t begin, std::string_view name) noexcept {
    if (begin == 0) return true;
    const std::size_t dot = begin - 1;
    if (text[dot] == '-') return false;
    if (text[dot] == '.') {
        const bool ends_expression = dot != 0 && text[dot - 1] == '-';
        return !ends_expression && name_before(text, dot).begin == dot && !follows_value(text, dot);
    }
    const char32_t before = code_point_before(text, begin);
    if (is_joiner(before)) return !is_joined(text, begin);
    return is_other_script(before, name.front()) || !unicode::is_python_identifier_part(before);
}

/// Models write these before a tool's name: OpenAI's and Google's show their tools in such a namespace.
inline constexpr std::string_view tool_namespaces[] = {"functions.", "default_api."};

/// Returns the beginning of the call whose `name` begins at `begin`, a namespace of tools included; npos if `name` is
/// part of something else.
[[nodiscard]] inline std::size_t call_begin(std::string_view text, std::size_t begin, std::string_view name) noexcept {
    if (is_name_boundary(text, begin, name)) return begin;
    for (const std::string_view space : tool_namespaces) {
        if (!text.substr(0, begin).ends_with(space)) continue;
        return is_name_boundary(text, begin - space.size(), space) ? begin - space.size() : std::string_view::npos;
    }
    return std::string_view::npos;
}

/// Returns whether `key =` follows the parenthesis, or the closing one does. Looks no further than the next
/// parenthesis.
[[nodiscard]] inline bool opens_with_keyword(std::string_view text, std::size_t parenthesis) noexcept {
    Scanner in(text);
    in.move_to(parenthesis + 1);
    const auto skip_blanks = [&in] {
        while (!in.at_end() && is_one_of(in.peek(), " \t\f\r\n")) in.advance(1);
    };
    skip_blanks();
    if (in.peek() == ')') return true;
    if (in.identifier().empty()) return false;
    skip_blanks();
    return in.peek() == '=' && in.peek(1) != '=';
}

/// Goes through the places of a text where a call may begin.
class CallFinder {
public:
    /// With a `name`, only calls of that name are found.
    CallFinder(std::string_view text, std::string_view name, ScanStats* stats) noexcept
        : text_(text), name_(name), stats_(stats) {}

    /// Returns the first place whose parenthesis is at `from` or later.
    [[nodiscard]] std::optional<Candidate> next(std::size_t from) const noexcept {
        std::size_t seen = from;
        for (std::size_t at = text_.find('(', from); at != std::string_view::npos; at = text_.find('(', at + 1)) {
            charge(2 * (at + 1 - seen));  // once forward and at most once back
            seen = at + 1;
            const std::size_t end = skip_blanks_back(text_, at);
            const FoundName name = find_name(end);
            if (name.begin == end || is_definition(text_, name.begin)) continue;
            return Candidate{name.begin, end, at, name.attached};
        }
        charge(text_.size() - seen);
        return std::nullopt;
    }

private:
    [[nodiscard]] FoundName find_name(std::size_t end) const noexcept {
        if (name_.empty()) return name_before(text_, end);
        if (end == 0 || text_[end - 1] != name_.back() || !text_.substr(0, end).ends_with(name_)) return {end};
        const std::size_t begin = end - name_.size();
        return {call_begin(text_, begin, name_) != std::string_view::npos ? begin : end};
    }

    void charge(std::size_t bytes) const noexcept {
        if (stats_ != nullptr) stats_->bytes += bytes;
    }

    std::string_view text_;
    std::string_view name_;
    ScanStats* stats_;
};

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
