// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/pysyntax/detail/literal_reader.hpp"

namespace acta::inline ACTA_ABI {

namespace pysyntax_detail {

/// A place in a text: byte offset, and line and column (in code points) from 1.
struct TextPlace {
    std::size_t offset = 0;
    std::size_t line = 1;
    std::size_t column = 1;
    std::size_t line_begin = 0;
};

/// Returns the start of the code point, or of the invalid byte, after the one at `p`.
[[nodiscard]] ACTA_INLINE const char* next_code_point(const char* p, const char* end) noexcept {
    const std::size_t length = utf8::sequence_length(p, end);
    return p + (length == 0 ? 1 : length);
}

/// Lines end with `\n`, `\r\n` or `\r`; a byte that is not valid UTF-8 counts as a column. O(offset).
[[nodiscard]] ACTA_INLINE TextPlace locate(std::string_view text, std::size_t offset) {
    TextPlace place;
    place.offset = offset < text.size() ? offset : text.size();
    for (std::size_t i = 0; i < place.offset; ++i) {
        const bool ends_line = text[i] == '\n' || (text[i] == '\r' && text.substr(i + 1, 1) != "\n");
        if (!ends_line) continue;
        ++place.line;
        place.line_begin = i + 1;
    }
    const char* const stop = text.data() + place.offset;
    for (const char* p = text.data() + place.line_begin; p < stop; ++place.column) {
        p = next_code_point(p, text.data() + text.size());
    }
    return place;
}

/// Appends up to `limit` code points of a line, each as one column. Characters that do not print are replaced, as they
/// would put the caret in the wrong place. Stops at the end of the line and returns whether it was reached.
ACTA_INLINE bool append_excerpt(std::string& out, std::string_view text, std::size_t limit) {
    const char* const end = text.data() + text.size();
    for (const char* p = text.data(); p != end; --limit) {
        if (*p == '\n' || *p == '\r') return true;
        if (limit == 0) return false;
        const std::size_t length = utf8::sequence_length(p, end);
        if (*p == '\t') {
            out += ' ';
        } else if (length == 0 || !unicode::is_python_printable(utf8::code_point(p, length))) {
            out += utf8::replacement;
        } else {
            out.append(p, length);
        }
        p += length == 0 ? 1 : length;
    }
    return true;
}

/// Returns the line of `place` and below it a caret, both cut to 60 code points on either side.
[[nodiscard]] ACTA_INLINE std::string line_with_caret(std::string_view text, const TextPlace& place) {
    constexpr std::size_t width = 60;
    std::size_t shown = place.column - 1;  // code points before the caret
    std::size_t begin = place.line_begin;
    std::string out = "  ";
    std::size_t indent = 2;
    if (shown > width) {
        const char* p = text.data() + begin;
        for (; shown > width; --shown) p = next_code_point(p, text.data() + text.size());
        begin = static_cast<std::size_t>(p - text.data());
        out += "...";
        indent += 3;
    }
    append_excerpt(out, text.substr(begin, place.offset - begin), shown);
    if (!append_excerpt(out, text.substr(place.offset), width)) out += "...";
    return out.append("\n").append(indent + shown, ' ').append("^");
}

}  // namespace pysyntax_detail

ACTA_INLINE CallSyntaxError::CallSyntaxError(std::string_view reason, std::string_view text, std::size_t offset)
    : CallSyntaxError(reason, text, pysyntax_detail::locate(text, offset)) {}

ACTA_INLINE CallSyntaxError::CallSyntaxError(std::string_view reason, std::string_view text,
                                             const pysyntax_detail::TextPlace& place)
    : Error(std::string(reason)
                .append(" at line ")
                .append(std::to_string(place.line))
                .append(", column ")
                .append(std::to_string(place.column))
                .append("\n")
                .append(pysyntax_detail::line_with_caret(text, place))),
      offset_(place.offset),
      line_(place.line),
      column_(place.column) {}

namespace pysyntax_detail {

ACTA_INLINE bool read_whole_literal(Scanner& in, const CallOptions& options, Json& out) {
    LiteralReader reader(in, options, 0);
    bool ignored = false;
    if (!in.skip_blanks(true) || !reader.value(out, ignored) || !reader.skip_blanks()) return false;
    if (in.peek() == ',') {  // a tuple needs no parentheses here
        JsonArray items;
        items.push_back(std::move(out));
        while (in.peek() == ',') {
            in.advance(1);
            if (!reader.skip_blanks()) return false;
            if (in.at_end() || in.peek() == '\n' || in.peek() == '\r' || in.peek() == '#') break;
            if (!reader.value(items.emplace_back(), ignored) || !reader.skip_blanks()) return false;
        }
        out = std::move(items);
    }
    if (!in.skip_blanks(true)) return false;
    return in.at_end() || reader.fail_after_literal();
}

}  // namespace pysyntax_detail

ACTA_INLINE Json parse_literal(std::string_view text, const CallOptions& options) {
    pysyntax_detail::Scanner in(text, options);
    Json out;
    if (!pysyntax_detail::read_whole_literal(in, options, out)) {
        throw CallSyntaxError(in.failure().reason, text, in.failure().offset);
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::pysyntax_detail {

/// Where the arguments of a call go, and their places, for errors that are found later.
struct LocatedArguments {
    JsonArray& positional;
    JsonObject& keywords;
    std::size_t& end;  ///< after the closing parenthesis
    std::vector<std::size_t>& positional_at;
    std::vector<std::size_t>& keyword_at;
};

/// Reads the arguments between the parentheses of a call.
class ArgumentsReader {
public:
    ArgumentsReader(Scanner& in, const CallOptions& options, const LocatedArguments& out) noexcept
        : in_(in), values_(in, options, 1), out_(out), keywords_(out.keywords) {}

    /// Reads from the opening parenthesis to the closing one.
    bool read() {
        const std::size_t opener = in_.position();
        in_.advance(1);
        while (true) {
            if (!values_.skip_blanks()) return false;
            if (in_.at_end()) return values_.fail_unclosed(opener);
            if (in_.peek() == ')') break;
            if (!argument() || !values_.skip_blanks()) return false;
            if (in_.peek() == ')') break;
            if (in_.peek() != ',') return values_.fail_after_value(opener, ')');
            in_.advance(1);
        }
        in_.advance(1);
        out_.end = in_.position();
        return true;
    }

private:
    bool argument() {
        const std::size_t begin = in_.position();
        const std::string_view key = in_.identifier();
        if (key.empty()) return positional(begin);
        if (!values_.skip_blanks()) return false;
        if (in_.peek() == '=' && in_.peek(1) != '=') return keyword(key, begin);
        const std::size_t reached = in_.position();
        in_.move_to(begin);
        if (positional(begin)) return true;
        // Not back to before a comment, or each of many calls in one would read it.
        in_.move_to(std::max(in_.position(), reached));
        return false;
    }

    bool keyword(std::string_view key, std::size_t begin) {
        in_.advance(1);
        if (keywords_.contains(key)) return in_.fail("the argument " + excerpt(key) + " is given twice", begin);
        Json value;
        bool ignored = true;
        if (!values_.skip_blanks() || !values_.value(value, ignored)) return false;
        keywords_.insert(std::string(key), std::move(value));
        out_.keyword_at.push_back(begin);
        return true;
    }

    bool positional(std::size_t begin) {
        bool ignored = true;
        if (!values_.value(out_.positional.emplace_back(), ignored)) return false;
        if (!out_.keywords.empty()) {
            return in_.fail("a positional argument follows a keyword argument", begin);
        }
        out_.positional_at.push_back(begin);
        return true;
    }

    Scanner& in_;
    LiteralReader values_;
    LocatedArguments out_;
    ObjectBuilder keywords_;
};

/// Goes through the arguments of a call that is not read, string by string.
class UnreadArguments {
public:
    explicit UnreadArguments(Scanner& in) noexcept : in_(in) {}

    /// Returns the offset after the string, the comment, the escape or the other byte at `i`. A quote opens a string if
    /// it is closed on its line or, where a value may begin, on a later one as in lenient reading; a text in triple
    /// quotes that is not closed takes the rest. Any other quote is an apostrophe.
    [[nodiscard]] std::size_t skip(std::size_t i) noexcept {
        const std::string_view text = in_.text();
        const char c = text[i];
        in_.charge(1);
        std::size_t next = i + 1;
        if (is_one_of(c, " \t\f\r\n")) return next;
        if (c == '#') {
            next = std::min(text.find_first_of("\r\n", i), text.size());
            in_.charge(next - i);
            return next;
        }
        if (c == '\\')
            next = i + 2;  // a quote after it opens nothing
        else if (c == '\'' || c == '"')
            next = string_end(i);
        const bool is_prefix = is_one_of(c, "rRbBuUfF") && prefix_ < 2;
        prefix_ = is_prefix ? prefix_ + 1 : 0;
        may_open_ = is_one_of(c, "=([{,:") || (may_open_ && is_prefix);
        return std::min(next, text.size());
    }

private:
    [[nodiscard]] std::size_t string_end(std::size_t i) noexcept {
        const std::string_view quote = quote_at(in_.text(), i);
        StringEnd end = find_string_end(in_, i + quote.size(), quote);
        if (!end.closed && quote.size() == 3) return in_.text().size();
        if (!end.closed && may_open_) end = find_end_on_later_line(in_, end.at, quote[0]);
        return end.closed ? end.at + quote.size() : i + 1;
    }

    Scanner& in_;
    bool may_open_ = true;  // a value may begin
    int prefix_ = 0;        // the letters before a quote
};

/// Returns the offset after the parenthesis that closes the one at `opener`, or npos. Strings and comments are skipped;
/// other brackets do not matter, as in the interval [0, 1). `read_inside(i)` is asked at each parenthesis inside and
/// returns where to continue: `i` unless it read a call there.
template <class ReadInside>
[[nodiscard]] std::size_t find_call_end(Scanner& in, std::size_t opener, ReadInside read_inside) {
    const std::string_view text = in.text();
    UnreadArguments arguments(in);
    std::size_t depth = 1;
    for (std::size_t i = opener + 1; i < text.size();) {
        if (text[i] == ')' && --depth == 0) return i + 1;
        std::size_t next = i;
        if (text[i] == '(') {
            next = read_inside(i);
            if (next == i) ++depth;
        }
        i = next == i ? arguments.skip(i) : next;
    }
    return std::string_view::npos;
}

// Where calls may begin in a text. All of these search backward from an opening parenthesis and never past the one
// before it, so that searching a whole text is linear.

/// A name, perhaps blanks, and a parenthesis.
struct Candidate {
    std::size_t name_begin = 0;
    std::size_t name_end = 0;
    std::size_t parenthesis = 0;
    /// The name belongs to an expression before it, as in `x.get(a=1).json(` or `-f(`, or to a definition. Nothing is
    /// called by it, but its arguments also belong to the expression.
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
    explicit CallFinder(std::string_view text) noexcept : text_(text) {}

    /// Returns the first place whose parenthesis is at `from` or later.
    [[nodiscard]] std::optional<Candidate> next(std::size_t from) const noexcept {
        std::size_t seen = from;
        for (std::size_t at = text_.find('(', from); at != std::string_view::npos; at = text_.find('(', at + 1)) {
            scanned_bytes += 2 * (at + 1 - seen);  // once forward and at most once back
            seen = at + 1;
            const std::size_t end = skip_blanks_back(text_, at);
            const FoundName name = name_before(text_, end);
            if (name.begin == end) continue;
            return Candidate{name.begin, end, at, name.attached || is_definition(text_, name.begin)};
        }
        scanned_bytes += text_.size() - seen;
        return std::nullopt;
    }

private:
    std::string_view text_;
};

/// A known name in a text.
struct KnownName {
    std::size_t begin = 0;    // a namespace of tools included
    std::string_view name{};  // empty if there is none
    std::size_t scanned = 0;  // bytes that were searched for it
};

/// The names that may be called.
class KnownNames {
public:
    explicit KnownNames(std::vector<std::string> names) : names_(std::move(names)) {
        std::sort(names_.begin(), names_.end());
        for (const std::string& name : names_) {
            if (has_length_.size() <= name.size()) has_length_.resize(name.size() + 1);
            has_length_[name.size()] = true;
        }
    }

    /// Returns the longest known name that ends at `end` and is not a part of a longer one. Never looks past a
    /// parenthesis, nor further than the longest name.
    [[nodiscard]] KnownName before(std::string_view text, std::size_t end) const {
        KnownName found;
        for (std::size_t begin = end; begin != 0 && end - begin + 1 < has_length_.size();) {
            --begin;
            ++found.scanned;
            if (text[begin] == '(') break;
            if (!has_length_[end - begin]) continue;
            const std::string_view name = text.substr(begin, end - begin);
            if (!std::binary_search(names_.begin(), names_.end(), name, std::less<>())) continue;
            const std::size_t start = call_begin(text, begin, name);
            if (start != std::string_view::npos) found = {start, name, found.scanned};
        }
        return found;
    }

private:
    std::vector<std::string> names_;
    std::vector<bool> has_length_{};  // whether any name has that many bytes
};

}  // namespace acta::inline ACTA_ABI::pysyntax_detail

// The inside of a call that cannot be read is not read either: text in an argument is not meant to run, nor is `g(1)`
// in `f(a=g(1))`. That also bounds the work: nothing is read again, so it is linear in the text however many of its
// calls fail. Keys are looked up in O(log n).
namespace acta::inline ACTA_ABI {

namespace pysyntax_detail {

[[noreturn]] ACTA_INLINE void throw_failure(const ReadFailure& failure, std::string_view text) {
    throw CallSyntaxError(failure.reason, text, failure.offset);
}

/// The failures of several attempts. The first is thrown; one at `name (`, which may be prose, only if all are. Lenient
/// reading reports all of them.
class Failures {
public:
    Failures() = default;
    explicit Failures(const CallOptions& options)
        : report_(options.lenient ? options.report : nullptr), max_(std::max<std::size_t>(options.max_issues, 1)) {}

    void add(const ReadFailure& failure, bool spaced) {
        auto& slot = spaced ? spaced_ : first_;
        if (!slot) slot = failure;
    }
    /// The same, of the call whose text is from `begin` to `end`.
    void add(const ReadFailure& failure, bool spaced, std::size_t begin, std::size_t end) {
        add(failure, spaced);
        if (report_ == nullptr) return;
        if (count_++ < max_) return report_->push_back({failure.reason, failure.offset, begin, end});
        const std::size_t more = count_ - max_;
        if (more == 1) report_->push_back({{}, failure.offset, begin, end});
        report_->back().reason = std::to_string(more) + (more == 1 ? " more call" : " more calls");
        report_->back().end = end;
    }

    /// Throws the first failure if no call was read and there is no report.
    void throw_if_none(std::size_t calls, std::string_view text) const {
        if (calls == 0 && report_ == nullptr && first_) throw_failure(*first_, text);
    }

    [[nodiscard]] const std::optional<ReadFailure>& any() const noexcept { return first_ ? first_ : spaced_; }

private:
    std::optional<ReadFailure> first_{};
    std::optional<ReadFailure> spaced_{};
    std::vector<UnreadCall>* report_ = nullptr;
    std::size_t max_ = 0;
    std::size_t count_ = 0;
};

/// Returns whether the text has only blanks before `begin`. Never searches past the last parenthesis.
[[nodiscard]] ACTA_INLINE bool is_first(std::string_view text, std::size_t begin) noexcept {
    return skip_back(text, begin, " \t\f\r\n") == 0;
}

/// Returns whether `name (…)` is worth reading: it opens like keyword arguments, or it begins the text. Anything else
/// is prose, and a call may be inside it.
[[nodiscard]] ACTA_INLINE bool may_be_call(std::string_view text, const Candidate& found) {
    return !found.is_spaced() || opens_with_keyword(text, found.parenthesis) || is_first(text, found.name_begin);
}

/// Returns whether the text read at `found` is a call: `name (1)` is one only if it is the whole text.
[[nodiscard]] ACTA_INLINE bool is_meant(std::string_view text, const Candidate& found, const ParsedCall& call) {
    if (found.attached) return false;
    return !found.is_spaced() || opens_with_keyword(text, found.parenthesis) ||
           text.substr(call.end).find_first_not_of(" \t\f\r\n") == std::string_view::npos;
}

/// Returns the beginning of the list whose first item may be the call at `name_begin`: its `[` is the first character
/// of its line, apart from back-quotes. npos if there is none.
[[nodiscard]] ACTA_INLINE std::size_t list_begin(std::string_view text, std::size_t name_begin) noexcept {
    std::size_t at = skip_back(text, name_begin, " \t\r\n");
    if (at == 0 || text[at - 1] != '[') return std::string_view::npos;
    const std::size_t bracket = at - 1;
    at = skip_back(text, skip_blanks_back(text, bracket), "`");
    at = skip_blanks_back(text, at);
    return at == 0 || text[at - 1] == '\n' || text[at - 1] == '\r' ? bracket : std::string_view::npos;
}

/// A call and the places of its arguments, for errors that are found later.
struct LocatedCall {
    ParsedCall parsed{};
    std::vector<std::size_t> positional_at{};
    std::vector<std::size_t> keyword_at{};
};

/// Reads the arguments of a call whose name is known.
ACTA_INLINE bool read_call(Scanner& in, const CallOptions& options, std::size_t name_begin, std::string_view name,
                           LocatedCall& out) {
    ParsedCall& parsed = out.parsed;
    const LocatedArguments arguments{parsed.positional, parsed.call.arguments, parsed.end, out.positional_at,
                                     out.keyword_at};
    if (!ArgumentsReader(in, options, arguments).read()) return false;
    parsed.call.name = name;
    parsed.begin = name_begin;
    return true;
}

/// Reads the call at `found`.
ACTA_INLINE bool read_candidate(Scanner& in, const CallOptions& options, const Candidate& found, LocatedCall& out) {
    const std::string_view name = in.text().substr(found.name_begin, found.name_end - found.name_begin);
    in.move_to(found.parenthesis);
    return read_call(in, options, found.name_begin, name, out);
}

/// Moves past the call at `found`, which could not be read. One that is never closed, as in a reply that was cut,
/// takes the rest of the text.
ACTA_INLINE void skip_call(Scanner& in, const Candidate& found) {
    const std::size_t end = find_call_end(in, found.parenthesis, [](std::size_t at) { return at; });
    in.move_to(std::min(end, in.text().size()));
}

/// Returns the call at `found`, if it can be read and is not prose. Moves on in either case.
ACTA_INLINE std::optional<LocatedCall> try_candidate(Scanner& in, const CallOptions& options, const Candidate& found,
                                                     Failures& failures) {
    LocatedCall located;
    if (may_be_call(in.text(), found)) {
        if (!read_candidate(in, options, found, located)) {
            const ReadFailure failure = in.failure();
            skip_call(in, found);
            if (!found.attached) failures.add(failure, found.is_spaced(), found.name_begin, in.position());
            return std::nullopt;
        }
        if (is_meant(in.text(), found, located.parsed)) return located;
        if (found.attached && (!found.is_spaced() || opens_with_keyword(in.text(), found.parenthesis)))
            return std::nullopt;
    }
    // Text is read again at most once here, at the beginning of the text.
    in.move_to(found.parenthesis + 1);
    return std::nullopt;
}

/// Returns the name of a call in a list, read forward; empty if there is none.
ACTA_INLINE std::string_view listed_name(Scanner& in) {
    const std::size_t begin = in.position();
    if (in.identifier().empty()) return {};
    while (in.peek() == '.' || in.peek() == '-') {
        const bool dot = in.peek() == '.';
        in.advance(1);
        const std::size_t part = in.position();
        dot ? static_cast<void>(in.identifier()) : in.skip_identifier_parts();
        if (in.position() == part) return {};
    }
    return in.text().substr(begin, in.position() - begin);
}

/// Returns the known name of a call in a list; empty, with a failure, if there is none.
ACTA_INLINE std::string_view listed_name(Scanner& in, const KnownNames& names) {
    const std::string_view text = in.text();
    const std::size_t begin = in.position();
    const std::size_t parenthesis = std::min(text.find('(', begin), text.size());
    in.charge(parenthesis - begin);
    const std::size_t end = std::max(begin, skip_blanks_back(text, parenthesis));
    const KnownName found = names.before(text, end);
    if (!found.name.empty() && found.begin == begin) {
        in.move_to(end);
        return found.name;
    }
    if (!listed_name(in).empty() && in.position() == end && parenthesis != text.size()) {
        in.fail(excerpt(text.substr(begin, end - begin)) + " is not a known name", begin);
    } else {
        in.fail("a call is expected in the list", begin);
    }
    return {};
}

/// Returns whether a call in a list may begin at `begin`, or after the blanks there.
[[nodiscard]] ACTA_INLINE bool begins_listed_call(std::string_view text, std::size_t begin) {
    Scanner in(text);
    in.move_to(begin);
    return in.skip_blanks(true) && !listed_name(in).empty() && in.peek() == '(';
}

/// Reads an item of a list of calls. Lenient reading also takes one that is followed by another without a comma, and
/// fails at that.
ACTA_INLINE bool read_listed_call(Scanner& in, const CallOptions& options, const KnownNames* names,
                                  std::vector<ParsedCall>& out) {
    const std::size_t begin = in.position();
    const std::string_view name = names != nullptr ? listed_name(in, *names) : listed_name(in);
    if (names != nullptr && name.empty()) return false;
    if (!in.skip_blanks(true)) return false;
    if (name.empty() || in.peek() != '(') return in.fail("a call is expected in the list", begin);
    LocatedCall located;
    if (!read_call(in, options, begin, name, located) || !in.skip_blanks(true)) return false;
    const bool ends = in.at_end() || in.peek() == ']' || in.peek() == ',';
    if (ends || (options.lenient && begins_listed_call(in.text(), in.position())))
        out.push_back(std::move(located.parsed));
    return ends || in.fail("a comma is missing", in.position());
}

/// Returns whether a string from the quote at `begin` to `end` only lacks its own closing quote: the next item of the
/// list begins in it, and its last quote opens a text there, as in `f(a='x), g(b='y')`.
[[nodiscard]] ACTA_INLINE bool has_next_item(std::string_view text, std::size_t begin, std::size_t end) {
    constexpr std::string_view blanks = " \t\r\n";
    const std::size_t after = text.find_first_not_of(blanks, end);
    if (after == std::string_view::npos || is_one_of(text[after], ",:)]}#")) return false;
    const std::string_view inside = text.substr(begin + 1, end - begin - 2);
    const std::size_t opener = inside.rfind('(');
    if (opener == std::string_view::npos || inside.find(')', opener) != std::string_view::npos) return false;
    const std::size_t last = skip_back(inside, inside.size(), blanks);
    const std::size_t comma = skip_back(inside, name_before(inside, opener).begin, blanks);
    if (!is_one_of(inside[last - 1], "=([{,:") || comma == 0 || inside[comma - 1] != ',') return false;
    const std::size_t closer = skip_back(inside, comma - 1, blanks);
    return closer != 0 && inside[closer - 1] == ')';
}

/// How many calls of one list may be never closed: what follows each is read twice.
inline constexpr std::size_t max_unclosed_calls = 8;

/// Moves from the beginning of an item of a list that cannot be read to the comma or bracket that ends it, or to the
/// end of the text. If one of its brackets is never closed, to the comma or line break before the next call.
ACTA_INLINE void skip_listed(Scanner& in, std::size_t& unclosed) {
    UnreadArguments item(in);
    std::string open;  // its brackets
    std::size_t next_call = std::string_view::npos;
    while (!in.at_end()) {
        const char c = in.peek();
        const std::size_t at = in.position();
        if (open.empty() && (c == ',' || c == ']')) return;
        if (is_one_of(c, "([{")) {
            open += c;
        } else if (is_one_of(c, ")]}")) {
            const std::size_t opener = open.rfind(c == ')' ? '(' : c == ']' ? '[' : '{');
            if (opener == std::string::npos && c == ']') break;  // of the list
            if (opener != std::string::npos) open.resize(opener);
        } else if (is_one_of(c, ",\n") && next_call == std::string_view::npos &&
                   begins_listed_call(in.text(), at + 1)) {
            next_call = at;
        }
        const std::size_t next = item.skip(at);
        const bool is_string = next > at + 1 && is_one_of(c, "'\"");
        in.move_to(is_string && has_next_item(in.text(), at, next) ? at + 1 : next);
    }
    if (next_call != std::string_view::npos && unclosed++ < max_unclosed_calls) in.move_to(next_call);
}

/// Reads `[f(a=1), g(b=2)]` from the bracket. A list is meant to be called as a whole, so one call that cannot be read
/// is thrown; lenient reading reports it and continues. `names` may be null.
ACTA_INLINE void read_call_list(Scanner& in, const CallOptions& options, const KnownNames* names, Failures& failures,
                                std::vector<ParsedCall>& out) {
    const std::size_t opener = in.position();
    std::size_t unclosed = 0;
    in.advance(1);
    while (true) {
        const std::size_t count = out.size();
        const bool blanks = in.skip_blanks(true);
        if (blanks && in.peek() == ']') break;
        const std::size_t begin = in.position();
        bool good = blanks &&
                    (in.at_end() ? in.fail("'[' is never closed", opener) : read_listed_call(in, options, names, out));
        if (good && in.at_end()) good = in.fail("'[' is never closed", opener);
        if (!good) {
            const ReadFailure failure = in.failure();
            if (!options.lenient) throw_failure(failure, in.text());
            if (out.size() != count && !in.at_end()) {  // the comma after a call is missing
                failures.add(failure, false, in.position(), in.position());
                continue;
            }
            if (failure.offset != opener) {
                in.move_to(begin);
                skip_listed(in, unclosed);
            }
            failures.add(failure, false, failure.offset == opener ? opener : begin, in.position());
        }
        if (in.at_end()) return;
        if (in.peek() == ']') break;
        in.advance(1);
    }
    in.advance(1);
}

/// Binds the positional arguments to the names of the parameters and puts them before the keyword arguments. Without
/// `names` there is nothing to bind them to.
ACTA_INLINE bool bind_positional(Scanner& in, std::optional<std::span<const std::string>> names, LocatedCall& located) {
    AssistantFunctionCall& call = located.parsed.call;
    JsonArray& positional = located.parsed.positional;
    if (positional.empty()) return true;
    if (!names) return in.fail("a positional argument needs the skill's parameters", located.positional_at.front());
    if (positional.size() > names->size()) {
        return in.fail(
            "the skill takes only " + std::to_string(names->size()) + (names->size() == 1 ? " argument" : " arguments"),
            located.positional_at[names->size()]);
    }
    JsonObject bound;
    ObjectBuilder builder(bound);
    for (std::size_t i = 0; i < positional.size(); ++i) {
        if (!builder.insert((*names)[i], std::move(positional[i]))) {
            return in.fail("two parameters of the skill are called " + excerpt((*names)[i]), located.positional_at[i]);
        }
    }
    std::size_t index = 0;
    for (auto& [key, value] : call.arguments) {
        if (!builder.insert(key, std::move(value))) {
            return in.fail("the argument " + excerpt(key) + " is given by position and by keyword",
                           located.keyword_at[index]);
        }
        ++index;
    }
    positional.clear();
    call.arguments = std::move(bound);
    return true;
}

/// Reads the calls of known names.
class KnownCallsReader {
public:
    /// `finite` as for `Scanner`.
    KnownCallsReader(std::string_view text, std::vector<std::string> names, const CallOptions& options, bool finite)
        : names_(std::move(names)), options_(options), in_(text, options, finite) {}

    /// Returns all calls, and their failures to the options' report.
    [[nodiscard]] std::vector<ParsedCall> read() {
        failures_ = Failures(options_);
        may_begin_list_ = true;
        read_until([] { return false; });
        failures_.throw_if_none(calls_.size(), in_.text());
        return std::move(calls_);
    }

    /// Returns the first call that can be read and whose positional arguments can be bound to these parameters.
    [[nodiscard]] std::optional<ParsedCall> read_first(std::optional<std::span<const std::string>> parameters) {
        binding_ = Binding{parameters};
        read_until([this] { return !calls_.empty(); });
        failures_.throw_if_none(calls_.size(), in_.text());
        return calls_.empty() ? std::nullopt : std::optional(std::move(calls_.front()));
    }

private:
    struct Binding {
        std::optional<std::span<const std::string>> parameters{};
    };

    template <class Done>
    void read_until(Done done) {
        const std::string_view text = in_.text();
        for (std::size_t at = find(); at != std::string_view::npos && !done(); at = find()) {
            if (read_call_at(at, may_begin_list_)) continue;
            const std::size_t end = skip_blanks_back(text, at);
            const FoundName other = name_before(text, end);
            in_.charge(at - other.begin);
            if (other.begin == end || (end != at && !opens_with_keyword(text, at)))
                in_.move_to(at + 1);  // prose
            else
                read_inside(at);
        }
    }

    /// Returns the next parenthesis.
    [[nodiscard]] std::size_t find() {
        const std::size_t at = in_.text().find('(', in_.position());
        in_.charge(std::min(at, in_.text().size()) - in_.position());
        return at;
    }

    /// `print(default_api.f(a=1))`: a call of something else is code, so calls are searched only between its strings.
    void read_inside(std::size_t opener) {
        const std::size_t end = find_call_end(in_, opener, [this](std::size_t at) {
            return read_call_at(at, false) && in_.position() > at + 1 ? in_.position() : at;
        });
        in_.move_to(std::max(in_.position(), std::min(end, in_.text().size())));
    }

    /// Reads the call of a known name whose parenthesis is at `at`, or the list that it begins. Returns whether there
    /// is one, and has moved on then.
    bool read_call_at(std::size_t at, bool may_begin_list) {
        const std::string_view text = in_.text();
        Candidate found;
        found.parenthesis = at;
        found.name_end = skip_blanks_back(text, at);
        const KnownName known = names_.before(text, found.name_end);
        in_.charge(at - found.name_end + known.scanned);
        if (known.name.empty() || is_definition(text, known.begin)) return false;
        found.name_begin = known.begin;
        const std::size_t bracket = may_begin_list ? list_begin(text, known.begin) : std::string_view::npos;
        if (bracket != std::string_view::npos && bracket >= in_.position()) {
            in_.move_to(bracket);
            read_call_list(in_, options_, &names_, failures_, calls_);
        } else if (auto call = try_candidate(in_, options_, found, failures_)) {
            if (binding_ && !bind_positional(in_, binding_->parameters, *call)) {
                failures_.add(in_.failure(), found.is_spaced());
                return true;
            }
            call->parsed.call.name = known.name;
            calls_.push_back(std::move(call->parsed));
        }
        return true;
    }

    KnownNames names_;
    const CallOptions& options_;
    Scanner in_;
    std::vector<ParsedCall> calls_{};
    Failures failures_{};
    std::optional<Binding> binding_{};
    bool may_begin_list_ = false;
};

ACTA_INLINE std::vector<ParsedCall> read_known_calls(std::string_view text, std::vector<std::string> names,
                                                     const CallOptions& options) {
    return KnownCallsReader(text, std::move(names), options, true).read();
}

ACTA_INLINE std::optional<JsonObject> find_arguments(std::string_view skill_name,
                                                     std::optional<std::span<const std::string>> names,
                                                     std::string_view text, const CallOptions& options) {
    if (skill_name.empty()) return std::nullopt;
    auto call = KnownCallsReader(text, {std::string(skill_name)}, options, false).read_first(names);
    return call ? std::optional(std::move(call->call.arguments)) : std::nullopt;
}

}  // namespace pysyntax_detail

ACTA_INLINE ParsedCall parse_call(std::string_view text, const CallOptions& options) {
    const pysyntax_detail::CallFinder finder(text);
    pysyntax_detail::Scanner in(text, options);
    pysyntax_detail::Failures failures;
    for (auto found = finder.next(0); found; found = finder.next(in.position())) {
        if (auto call = pysyntax_detail::try_candidate(in, options, *found, failures)) return std::move(call->parsed);
    }
    if (failures.any()) pysyntax_detail::throw_failure(*failures.any(), text);
    throw CallSyntaxError("there is no call in the text", text, 0);
}

ACTA_INLINE std::vector<ParsedCall> parse_calls(std::string_view text, const CallOptions& options) {
    const pysyntax_detail::CallFinder finder(text);
    pysyntax_detail::Scanner in(text, options, true);
    pysyntax_detail::Failures failures(options);
    std::vector<ParsedCall> calls;
    for (auto found = finder.next(0); found; found = finder.next(in.position())) {
        const std::size_t bracket = pysyntax_detail::list_begin(text, found->name_begin);
        if (bracket != std::string_view::npos && bracket >= in.position()) {
            in.move_to(bracket);
            pysyntax_detail::read_call_list(in, options, nullptr, failures, calls);
            continue;
        }
        if (auto call = pysyntax_detail::try_candidate(in, options, *found, failures))
            calls.push_back(std::move(call->parsed));
    }
    failures.throw_if_none(calls.size(), text);
    return calls;
}

ACTA_INLINE std::optional<JsonObject> parse_arguments(std::string_view skill_name, std::string_view text,
                                                      const CallOptions& options) {
    return pysyntax_detail::find_arguments(skill_name, std::nullopt, text, options);
}

ACTA_INLINE std::optional<JsonObject> parse_arguments(std::string_view skill_name,
                                                      std::span<const std::string> parameter_names,
                                                      std::string_view text, const CallOptions& options) {
    return pysyntax_detail::find_arguments(skill_name, parameter_names, text, options);
}

}  // namespace acta::inline ACTA_ABI
