// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <map>
#include <set>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/pysyntax/detail/float_text.hpp"

namespace acta::inline ACTA_ABI::pysyntax_detail {

/// Why reading stopped. It becomes a `CallSyntaxError` only when it is thrown, because finding the line costs as much
/// as the text before it and a text may have many calls that cannot be read.
struct ReadFailure {
    std::string reason{};
    std::size_t offset = 0;
};

/// Returns a piece of text as an error quotes it: short whatever its size.
[[nodiscard]] inline std::string excerpt(std::string_view text) {
    constexpr std::size_t limit = 40;
    const std::string_view kept = utf8::prefix(text, limit);
    return std::string("'").append(kept).append(kept.size() < text.size() ? "...'" : "'");
}

/// Returns whether `c` is one of a few characters: inline, whereas `find` would call `memchr` for each.
[[nodiscard]] inline bool is_one_of(char c, std::string_view what) noexcept {
    for (const char one : what) {
        if (c == one) return true;
    }
    return false;
}

/// The bytes that this thread has scanned, each as often as it was, so that a test can check that the work grows with
/// the size of a text and no faster.
inline thread_local std::size_t scanned_bytes = 0;

/// Reads one text from left to right. Functions that read return false if they fail, and leave the position where the
/// search for another call may continue: past all strings that were read.
class Scanner {
public:
    explicit Scanner(std::string_view text) noexcept : text_(text) {}
    /// With `finite`, numbers beyond a double are refused instead of read as infinities.
    Scanner(std::string_view text, const CallOptions& options, bool finite = false) noexcept
        : text_(text), lenient_(options.lenient), finite_(finite) {}

    [[nodiscard]] bool is_lenient() const noexcept { return lenient_; }
    [[nodiscard]] bool is_finite() const noexcept { return finite_; }
    /// Whether no string of several lines with this quote is closed after the position, so that many unclosed strings
    /// do not each search the rest of the text.
    [[nodiscard]] bool& never_closed(char quote) noexcept { return never_closed_[quote == '"' ? 1 : 0]; }

    [[nodiscard]] std::string_view text() const noexcept { return text_; }
    [[nodiscard]] std::size_t position() const noexcept { return position_; }
    [[nodiscard]] bool at_end() const noexcept { return position_ == text_.size(); }
    [[nodiscard]] const ReadFailure& failure() const noexcept { return failure_; }

    /// Returns the byte `ahead` of the position; NUL beyond the end (Python's syntax has no use for NUL).
    [[nodiscard]] char peek(std::size_t ahead = 0) const noexcept {
        return ahead < text_.size() - position_ ? text_[position_ + ahead] : '\0';
    }

    void move_to(std::size_t position) noexcept { position_ = position; }

    void advance(std::size_t bytes) noexcept {
        charge(bytes);
        position_ += bytes;
    }

    void charge(std::size_t bytes) noexcept { scanned_ += bytes; }

    bool fail(std::string reason, std::size_t offset) {
        failure_ = {std::move(reason), offset};
        return false;
    }

    /// Skips spaces, joined lines, comments and, inside brackets, line ends.
    bool skip_blanks(bool inside_brackets) {
        while (!at_end()) {
            const char c = peek();
            const bool line_end = c == '\n' || c == '\r';
            if (c == ' ' || c == '\t' || c == '\f' || (line_end && inside_brackets)) {
                advance(1);
            } else if (const std::size_t joint = joint_length(); joint != 0) {
                advance(joint);
            } else if (c == '#') {
                if (!skip_comment()) return false;
            } else {
                break;
            }
        }
        return true;
    }

    /// Reads the identifier at the position; empty if there is none.
    std::string_view identifier() noexcept {
        if (ascii::is_digit(peek())) return {};
        const std::size_t begin = position_;
        skip_identifier_parts();
        return text_.substr(begin, position_ - begin);
    }

    /// Skips characters that may be in an identifier, digits first or not.
    void skip_identifier_parts() noexcept {
        while (const std::size_t length = identifier_part_length()) advance(length);
    }

    /// Returns the length in bytes of the character at the position if it may be in an identifier, else 0.
    [[nodiscard]] std::size_t identifier_part_length() const noexcept {
        if (at_end()) return 0;
        const char* const p = text_.data() + position_;
        const auto byte = static_cast<unsigned char>(*p);
        if (byte < 0x80) return unicode::is_python_identifier_part(byte) ? 1 : 0;
        const std::size_t length = utf8::sequence_length(p, text_.data() + text_.size());
        return length != 0 && unicode::is_python_identifier_part(utf8::code_point(p, length)) ? length : 0;
    }

private:
    /// Returns the length of a backslash and the line end after it; 0 if there are none, or no line to join.
    [[nodiscard]] std::size_t joint_length() const noexcept {
        if (peek() != '\\' || (peek(1) != '\n' && peek(1) != '\r')) return 0;
        const std::size_t length = peek(1) == '\r' && peek(2) == '\n' ? 3 : 2;
        return position_ + length < text_.size() ? length : 0;
    }

    bool skip_comment() {
        const std::size_t end = std::min(text_.find_first_of("\r\n", position_), text_.size());
        const std::string_view comment = text_.substr(position_, end - position_);
        const std::size_t bad = std::min(utf8::find_invalid(comment), comment.find('\0'));
        const std::size_t begin = position_;
        advance(comment.size());
        if (bad >= comment.size()) return true;
        return fail(comment[bad] == '\0' ? "a NUL byte" : "a byte that is not UTF-8", begin + bad);
    }

    std::string_view text_;
    std::size_t& scanned_ = scanned_bytes;
    bool lenient_ = false;
    bool finite_ = false;
    bool never_closed_[2] = {false, false};
    std::size_t position_ = 0;
    ReadFailure failure_{};
};

/// Fills an object as Python fills a dict: a repeated key keeps its place and takes the last value. O(log n) each,
/// whatever the keys are; the look-up of `JsonObject` itself is linear.
class ObjectBuilder {
public:
    explicit ObjectBuilder(Json::object_t& object) noexcept : object_(object) {}

    /// Returns false and changes nothing if the key exists.
    bool insert(const std::string& key, Json&& value) {
        const auto [place, is_new] = places_.try_emplace(key, object_.size());
        if (is_new) static_cast<JsonObject::Container&>(object_).emplace_back(key, std::move(value));
        return is_new;
    }

    void insert_or_replace(const std::string& key, Json&& value) {
        const auto [place, is_new] = places_.try_emplace(key, object_.size());
        if (is_new) {
            static_cast<JsonObject::Container&>(object_).emplace_back(key, std::move(value));
        } else {
            (object_.begin() + static_cast<std::ptrdiff_t>(place->second))->second = std::move(value);
        }
    }

    [[nodiscard]] bool contains(std::string_view key) const { return places_.find(key) != places_.end(); }

private:
    Json::object_t& object_;
    std::map<std::string, std::size_t, std::less<>> places_{};
};

/// Appends a text that is the same for all numbers that compare equal in Python: 1, 1.0 and True.
inline void append_number_identity(std::string& out, const Json& value) {
    char buffer[24];
    const auto integer = [&](auto number) {
        out.append(buffer, std::to_chars(buffer, buffer + sizeof buffer, number).ptr).append(";");
    };
    if (value.is_boolean()) return integer(base::boolean_of(value) ? 1 : 0);
    if (value.is_number_unsigned()) return integer(value.get<std::uint64_t>());
    if (value.is_number_integer()) return integer(value.get<std::int64_t>());
    const double real = value.get<double>();
    if (std::floor(real) == real && real >= -0x1p63 && real < 0x1p64) {
        return real < 0 ? integer(static_cast<std::int64_t>(real)) : integer(static_cast<std::uint64_t>(real));
    }
    char bytes[sizeof real];
    std::memcpy(bytes, &real, sizeof real);
    out.append("f").append(bytes, sizeof bytes);
}

/// Appends a text that is the same for all values that compare equal in Python, for the values that a set may have:
/// numbers, strings, None and tuples of these. Recurses as deep as `value`, whose depth is bounded.
inline void append_identity(std::string& out, const Json& value) {
    if (value.is_array()) {
        out += '(';
        for (const Json& item : value) append_identity(out, item);
        out += ')';
    } else if (value.is_string()) {
        const auto& text = value.get_ref<const std::string&>();
        out.append("s").append(std::to_string(text.size())).append(":").append(text);
    } else if (value.is_null()) {
        out += 'n';
    } else {
        append_number_identity(out, value);
    }
}

/// Fills an array as Python fills a set, but in the order of the source.
class SetBuilder {
public:
    explicit SetBuilder(JsonArray& items) noexcept : items_(items) {}

    void insert(Json&& value) {
        std::string identity;
        append_identity(identity, value);
        if (seen_.insert(std::move(identity)).second) items_.push_back(std::move(value));
    }

private:
    JsonArray& items_;
    std::set<std::string> seen_{};
};

// Number literals as CPython 3.11 reads them (The Python Language Reference, 2.4.4 to 2.4.7).

struct Number {
    bool is_float = false;
    bool is_large = false;  // an integer beyond 64 bits
    double real = 0;        // of a large integer too: the nearest
    std::uint64_t magnitude = 0;
};

/// Returns the value of a digit in any base up to 16; 16 for anything else.
[[nodiscard]] inline unsigned digit_value(char c) noexcept {
    const int value = ascii::hex_value(c);
    return value < 0 ? 16U : static_cast<unsigned>(value);
}

inline constexpr const char* integer_range = "the integer is outside the range -2^63 to 2^64-1";

/// Adds a digit. Returns false if the value no longer fits.
[[nodiscard]] inline bool append_digit(std::uint64_t& value, unsigned base, unsigned digit) noexcept {
    if (value > (std::numeric_limits<std::uint64_t>::max() - digit) / base) return false;
    value = value * base + digit;
    return true;
}

/// Reads `0x1F`, `0o17` or `0b101`, of which the `0` was read already.
inline bool read_radix_integer(Scanner& in, Number& out) {
    const std::size_t begin = in.position() - 1;
    const char letter = ascii::to_lower(in.peek());
    const unsigned base = letter == 'x' ? 16 : letter == 'o' ? 8 : 2;
    in.advance(1);
    const int bits = base == 16 ? 4 : base == 8 ? 3 : 1;
    bool any = false;
    int dropped = 0;  // bits below those that fit, which round to the nearest with one that says whether any is set
    bool sticky = false;
    while (true) {
        const std::size_t underscore = in.peek() == '_' ? 1 : 0;
        const unsigned digit = digit_value(in.peek(underscore));
        if (digit >= base) break;
        if (dropped != 0 || !append_digit(out.magnitude, base, digit)) {
            sticky = sticky || digit != 0;
            dropped = std::min(dropped + bits, std::numeric_limits<double>::max_exponent);
        }
        any = true;
        in.advance(underscore + 1);
    }
    if (!any) return in.fail("the number has no digits", begin);
    if (in.identifier_part_length() != 0) return in.fail("this does not belong in a number", in.position());
    out.is_large = dropped != 0;
    if (out.is_large) out.real = std::ldexp(static_cast<double>(out.magnitude | (sticky ? 1U : 0U)), dropped);
    return true;
}

/// Appends `digit (["_"] digit)*` without the underscores, if it is there.
inline void read_digits(Scanner& in, std::string& out) {
    if (!ascii::is_digit(in.peek())) return;
    while (true) {
        out += in.peek();
        const bool underscore = in.peek(1) == '_' && ascii::is_digit(in.peek(2));
        if (!underscore && !ascii::is_digit(in.peek(1))) break;
        in.advance(underscore ? 2 : 1);
    }
    in.advance(1);
}

inline bool finish_decimal_integer(Scanner& in, const std::string& digits, std::size_t begin, Number& out) {
    const std::size_t first = digits.find_first_not_of('0');
    if (first == std::string::npos) return true;
    if (first != 0 && !in.is_lenient())
        return in.fail("an integer cannot begin with 0 (an octal one begins with 0o)", begin);
    for (const char c : digits) {
        if (append_digit(out.magnitude, 10, digit_value(c))) continue;
        out.is_large = true;
        FloatText text;
        text.whole = digits;
        out.real = read_float(text);
        break;
    }
    return true;
}

/// Reads the number, which has no sign, at the position. Integers beyond 2^64-1 are marked as large.
inline bool read_number(Scanner& in, Number& out) {
    const std::size_t begin = in.position();
    const char letter = ascii::to_lower(in.peek(1));
    if (in.peek() == '0' && (letter == 'x' || letter == 'o' || letter == 'b')) {
        in.advance(1);
        return read_radix_integer(in, out);
    }
    FloatText text;
    read_digits(in, text.whole);
    if (in.peek() == '.') {
        out.is_float = true;
        in.advance(1);
        read_digits(in, text.fraction);
    }
    const bool sign = in.peek(1) == '+' || in.peek(1) == '-';
    if ((in.peek() == 'e' || in.peek() == 'E') && ascii::is_digit(in.peek(sign ? 2 : 1))) {
        out.is_float = true;
        text.negative_exponent = in.peek(1) == '-';
        in.advance(sign ? 2 : 1);
        read_digits(in, text.exponent);
    }
    if (in.peek() == 'j' || in.peek() == 'J') return in.fail("complex numbers have no counterpart in JSON", begin);
    if (in.identifier_part_length() != 0) return in.fail("this does not belong in a number", in.position());
    if (!out.is_float) return finish_decimal_integer(in, text.whole, begin, out);
    out.real = read_float(text);
    if (in.is_finite() && std::isinf(out.real))
        return in.fail("the number is beyond a double, and JSON has no infinity", begin);
    return true;
}

// String literals as CPython 3.11 reads them (The Python Language Reference, 2.4.1).

enum class StringKind { none, text, bytes, formatted };

/// The prefix and the opening quote before a string's content.
struct StringStart {
    StringKind kind = StringKind::none;
    bool raw = false;
    std::size_t prefix = 0;  ///< letters before the quote
};

/// Returns whether a string begins at the position, and how. Looks at three bytes.
[[nodiscard]] inline StringStart string_start(const Scanner& in) noexcept {
    StringStart start;
    char letter = '\0';  // the one that is not r
    for (; start.prefix < 3; ++start.prefix) {
        const char c = in.peek(start.prefix);
        if (c == '\'' || c == '"') break;
        if ((c == 'r' || c == 'R') && !start.raw) {
            start.raw = true;
        } else if (c != '\0' && is_one_of(c, "uUbBfF") && letter == '\0') {
            letter = c;
        } else {
            return {};
        }
    }
    if (start.prefix == 3) return {};
    switch (letter) {
        case 'b':
        case 'B': start.kind = StringKind::bytes; break;
        case 'f':
        case 'F': start.kind = StringKind::formatted; break;
        case 'u':
        case 'U': start.kind = start.raw ? StringKind::none : StringKind::text; break;
        default: start.kind = StringKind::text;
    }
    return start;
}

/// Where a string ends.
struct StringEnd {
    bool closed = false;
    std::size_t at = 0;  ///< the closing quote; if there is none, the end of the line or of the text
};

/// Looks for the end of the string whose content begins at `begin`.
[[nodiscard]] inline StringEnd find_string_end(Scanner& in, std::size_t begin, std::string_view quote) {
    const std::string_view text = in.text();
    StringEnd end;
    std::size_t i = begin;
    while (i < text.size() && !end.closed) {
        const char c = text[i];
        if (c == '\\') {
            // A joined line may end with two bytes; a backslash also keeps a quote from closing in a raw string.
            i += text.substr(i + 1, 2) == "\r\n" ? 3U : 2U;
        } else if (c == quote[0] && text.substr(i, quote.size()) == quote) {
            end.closed = true;
        } else if (quote.size() == 1 && (c == '\n' || c == '\r')) {
            break;
        } else {
            ++i;
        }
    }
    end.at = std::min(i, text.size());
    in.charge(end.at - begin);
    return end;
}

/// Returns whether a line before its first quote begins like a call, and the quote begins a value: `  f(a=`. Linear.
[[nodiscard]] inline bool opens_text_of_call(std::string_view line) noexcept {
    const std::size_t begin = line.find_first_not_of(" \t");
    const std::size_t opener = line.find('(');
    if (opener == std::string_view::npos || opener == begin) return false;
    return line.find_first_of(" \t", begin) > opener && is_one_of(line[line.find_last_not_of(" \t")], "=([{,:");
}

/// Looks further for the end of a string in single quotes whose line ended at `line_end`, which models write for a text
/// of several lines. Only a quote before `,`, `:` or a closing bracket ends it, so that an apostrophe does not. A later
/// line that begins like a call whose first quote opens a text shows that the string was never closed.
[[nodiscard]] inline StringEnd find_end_on_later_line(Scanner& in, std::size_t line_end, char quote) {
    if (in.never_closed(quote)) return {false, line_end};
    const std::string_view text = in.text();
    std::size_t i = line_end;
    std::size_t line = std::string_view::npos;  // of which no quote was seen yet
    for (; i < text.size(); ++i) {
        if (text[i] == '\\') ++i;
        if (i < text.size() && is_one_of(text[i], "\r\n")) line = i + 1;
        if (i >= text.size() || text[i] != quote || text[i - 1] == '\\') continue;
        const std::size_t next = std::min(text.find_first_not_of(" \t\r\n", i + 1), text.size());
        in.charge(next - i);
        if (next < text.size() && is_one_of(text[next], ",:)]}")) break;
        if (line != std::string_view::npos && opens_text_of_call(text.substr(line, i - line))) {
            in.charge(i - line_end);
            return {false, line_end};
        }
        line = std::string_view::npos;
    }
    in.charge(std::min(i, text.size()) - line_end);
    if (i < text.size()) return {true, i};
    in.never_closed(quote) = true;
    return {false, line_end};
}

/// Returns the quote at `at`: one or three characters.
[[nodiscard]] inline std::string_view quote_at(std::string_view text, std::size_t at) noexcept {
    const bool triple = text.size() - at >= 3 && text[at + 1] == text[at] && text[at + 2] == text[at];
    return text.substr(at, triple ? 3 : 1);
}

/// The content of one string, decoded piece by piece.
class StringDecoder {
public:
    StringDecoder(Scanner& in, std::size_t begin, std::size_t end, std::string& out) noexcept
        : in_(in), text_(in.text().substr(0, end)), at_(begin), out_(out) {}

    bool decode(bool raw) {
        while (true) {
            std::size_t next = at_;
            while (next != text_.size() && text_[next] != '\r' && (raw || text_[next] != '\\')) ++next;
            in_.charge(next - at_);
            out_.append(text_.substr(at_, next - at_));
            at_ = next;
            if (at_ == text_.size()) return true;
            if (text_[at_] == '\r') {
                newline();
                out_ += '\n';
            } else if (!escape()) {
                return false;
            }
        }
    }

private:
    /// Python reads `\r\n` and `\r` in a source as `\n`.
    void newline() noexcept { at_ += text_.substr(at_, 2) == "\r\n" ? 2U : 1U; }

    bool escape() {
        const char c = text_[at_ + 1];  // a closing quote follows the content, so a backslash is never its last byte
        constexpr std::string_view names = "\\'\"abfnrtv";
        constexpr std::string_view values = "\\'\"\a\b\f\n\r\t\v";
        if (const std::size_t i = names.find(c); i != std::string_view::npos) {
            out_ += values[i];
            at_ += 2;
            return true;
        }
        switch (c) {
            case '\n':
            case '\r':
                ++at_;
                newline();
                return true;
            case 'x': return hex(2);
            case 'u': return hex(4);
            case 'U': return hex(8);
            case 'N': return in_.fail("\\N{...} escapes are not supported", at_);
            default: break;
        }
        if (c >= '0' && c <= '7') {
            octal();
        } else {
            out_ += '\\';  // Python keeps escapes that it does not know
            ++at_;
        }
        return true;
    }

    void octal() {
        char32_t value = 0;
        ++at_;
        for (int i = 0; i < 3 && at_ < text_.size() && text_[at_] >= '0' && text_[at_] <= '7'; ++i, ++at_) {
            value = value * 8 + static_cast<char32_t>(text_[at_] - '0');
        }
        utf8::append(out_, value);
    }

    /// Reads the value of the hexadecimal digits at `begin`; returns false if one is missing.
    [[nodiscard]] bool read_hex(std::size_t begin, std::size_t digits, char32_t& value) const noexcept {
        value = 0;
        for (std::size_t i = begin; i < begin + digits; ++i) {
            const unsigned digit = i < text_.size() ? digit_value(text_[i]) : 16;
            if (digit >= 16) return false;
            value = value * 16 + digit;
        }
        return true;
    }

    /// Reads an escape of `digits` hexadecimal digits.
    bool hex(std::size_t digits) {
        char32_t value = 0;
        if (!read_hex(at_ + 2, digits, value)) {
            return in_.fail("the escape needs " + std::to_string(digits) + " hexadecimal digits", at_);
        }
        std::size_t length = 2 + digits;
        // Python keeps a pair as two characters, which JSON cannot hold; a pair is meant as in JSON.
        if (char32_t low = 0; digits == 4 && value >= 0xD800 && value < 0xDC00 &&
                              text_.substr(std::min(at_ + length, text_.size()), 2) == "\\u" &&
                              read_hex(at_ + length + 2, 4, low) && low >= 0xDC00 && low < 0xE000) {
            value = 0x10000 + ((value - 0xD800) << 10) + (low - 0xDC00);
            length *= 2;
        }
        if (value >= 0xD800 && value < 0xE000) {
            return in_.fail("half of a surrogate pair is not a character", at_);
        }
        if (value > 0x10FFFF) return in_.fail("the escape is beyond the last character, \\U0010ffff", at_);
        utf8::append(out_, value);
        at_ += length;
        return true;
    }

    Scanner& in_;
    std::string_view text_;
    std::size_t at_;
    std::string& out_;
};

/// Reads the string at the position and appends its value. Moves past the string, whatever is wrong inside it; if it is
/// never closed, past everything that may have been meant to be inside.
inline bool read_string(Scanner& in, const StringStart& start, std::string& out) {
    const std::size_t begin = in.position();
    const std::string_view quote = quote_at(in.text(), begin + start.prefix);
    const std::size_t content = begin + start.prefix + quote.size();
    in.advance(content - begin);
    StringEnd end = find_string_end(in, content, quote);
    if (!end.closed && quote.size() == 1 && in.is_lenient()) end = find_end_on_later_line(in, end.at, quote[0]);
    in.move_to(end.at);
    if (!end.closed) {
        const bool one_line = quote.size() == 1;
        return in.fail(one_line ? "the string is not closed before the line ends" : "the string is never closed",
                       begin);
    }
    in.move_to(end.at + quote.size());
    if (start.kind == StringKind::bytes) return in.fail("bytes have no counterpart in JSON", begin);
    if (start.kind == StringKind::formatted) return in.fail("an f-string is not a literal", begin);
    const std::string_view inside = in.text().substr(content, end.at - content);
    if (const std::size_t nul = inside.find('\0'); nul != std::string_view::npos) {
        return in.fail("a NUL byte", content + nul);
    }
    if (const std::size_t bad = utf8::find_invalid(inside); bad != inside.size()) {
        return in.fail("a byte that is not UTF-8", content + bad);
    }
    return StringDecoder(in, content, end.at, out).decode(start.raw);
}

/// Reads values. Nothing is evaluated: anything but a literal is refused where it begins.
class LiteralReader {
public:
    /// `open` brackets are around the values already and do not count towards the depth: those of a call, in which
    /// integers beyond 64 bits are read as the nearest double, for parameters that are one.
    LiteralReader(Scanner& in, const CallOptions& options, std::size_t open) noexcept
        : in_(in), open_(open), limit_(std::min<std::size_t>(options.max_depth, 500)), around_(open) {}

    bool skip_blanks() { return in_.skip_blanks(open_ != 0); }

    /// Reads the value at the position, which is not blank. Sets `hashable` to whether Python's set could hold it.
    bool value(Json& out, bool& hashable) {
        hashable = true;
        if (string_start(in_).kind != StringKind::none) return strings(out);
        const char c = in_.peek();
        if (ascii::is_digit(c) || (c == '.' && ascii::is_digit(in_.peek(1)))) return number(out, false);
        switch (c) {
            case '+':
            case '-': return signed_number(out);
            case '(': return parenthesis(out, hashable);
            case '[': return list(out, hashable);
            case '{': return braces(out, hashable);
            default: break;
        }
        if (in_.identifier_part_length() != 0) return word(out, hashable);
        return unexpected();
    }

    /// Explains why `closer` or a comma does not follow a value; `opener` is the offset of the bracket.
    bool fail_after_value(std::size_t opener, char closer) {
        if (in_.at_end()) return fail_unclosed(opener);
        const char c = in_.peek();
        if (c == ')' || c == ']' || c == '}') {
            return in_.fail(excerpt({&closer, 1}) + " is expected, not " + excerpt({&c, 1}), in_.position());
        }
        if (is_operator()) return fail_operator();
        const bool value_follows =
            string_start(in_).kind != StringKind::none || in_.identifier_part_length() != 0 || is_one_of(c, "([{");
        if (value_follows) return in_.fail("a comma is missing", in_.position());
        return unexpected();
    }

    /// Explains the text after a literal that should be alone.
    bool fail_after_literal() {
        return is_operator() ? fail_operator() : in_.fail("nothing may follow the literal", in_.position());
    }

    bool fail_unclosed(std::size_t opener) {
        return in_.fail(excerpt(in_.text().substr(opener, 1)) + " is never closed", opener);
    }

    /// Fails at a character that does not begin a value.
    bool unexpected() {
        const std::size_t at = in_.position();
        if (in_.at_end()) return in_.fail("a value is missing", at);
        const char c = in_.peek();
        if (is_one_of(c, ",)]}:=")) {
            return in_.fail("a value is missing before " + excerpt({&c, 1}), at);
        }
        if (c == '*') return in_.fail("unpacking with * or ** is not supported", at);
        if (c == '.') return in_.fail("'.' does not begin a literal", at);
        if (c == '\0') return in_.fail("a NUL byte", at);
        const char* const p = in_.text().data() + at;
        const std::size_t length = utf8::sequence_length(p, in_.text().data() + in_.text().size());
        if (length == 0) return in_.fail("a byte that is not UTF-8", at);
        if (!unicode::is_python_printable(utf8::code_point(p, length))) return in_.fail("an invisible character", at);
        return in_.fail(excerpt({p, length}) + " does not begin a literal", at);
    }

private:
    bool enter() {
        if (open_ - around_ == limit_) {
            return in_.fail("brackets nest deeper than " + std::to_string(limit_), in_.position());
        }
        ++open_;
        in_.advance(1);
        return true;
    }

    bool leave() noexcept {
        --open_;
        in_.advance(1);
        return true;
    }

    bool fail_operator() { return in_.fail("only literals are read, nothing is evaluated", in_.position()); }

    [[nodiscard]] bool is_operator() const {
        if (is_one_of(in_.peek(), "+-*/%|&^<>@=!.:")) return true;
        Scanner ahead = in_;
        const std::string_view word = ahead.identifier();
        for (const std::string_view known : {"if", "else", "and", "or", "not", "in", "is", "for", "async"}) {
            if (word == known) return true;
        }
        return false;
    }

    /// Reads one string, or several adjacent ones, which are one value.
    bool strings(Json& out) {
        std::string text;
        for (StringStart start = string_start(in_); start.kind != StringKind::none; start = string_start(in_)) {
            if (!read_string(in_, start, text) || !skip_blanks()) return false;
        }
        out = std::move(text);
        return true;
    }

    bool number(Json& out, bool negative) {
        constexpr std::uint64_t lowest = std::uint64_t{1} << 63U;  // the magnitude of -2^63
        const std::size_t begin = in_.position();
        Number number;
        if (!read_number(in_, number)) return false;
        if (!number.is_float && negative && !number.is_large && number.magnitude > lowest) {
            number.is_large = true;
            number.real = static_cast<double>(number.magnitude);
        }
        if (number.is_large && (around_ == 0 || std::isinf(number.real))) return in_.fail(integer_range, begin);
        if (number.is_float || number.is_large)
            out = negative ? -number.real : number.real;
        else if (!negative)
            out = number.magnitude;
        else
            out = static_cast<std::int64_t>(std::uint64_t{0} - number.magnitude);
        return true;
    }

    /// A sign may precede only a number, but the number may be in parentheses: `-(1)`, not `--1`.
    bool signed_number(Json& out) {
        const bool negative = in_.peek() == '-';
        in_.advance(1);
        const std::size_t outside = open_;
        std::size_t opener = in_.position();
        if (!skip_blanks()) return false;
        while (in_.peek() == '(') {
            opener = in_.position();
            if (!enter() || !skip_blanks()) return false;
        }
        if (!ascii::is_digit(in_.peek()) && !(in_.peek() == '.' && ascii::is_digit(in_.peek(1)))) {
            return in_.fail("a sign may precede only a number", in_.position());
        }
        if (!number(out, negative)) return false;
        while (open_ != outside) {
            if (!skip_blanks()) return false;
            if (in_.peek() != ')') return fail_after_value(opener, ')');
            leave();
        }
        return true;
    }

    /// Reads up to the closing bracket. Sets `comma` to whether there was one, and `hashable` to whether all items are.
    bool sequence(char closer, JsonArray& items, bool& comma, bool& hashable) {
        const std::size_t opener = in_.position();
        if (!enter()) return false;
        while (true) {
            if (!skip_blanks()) return false;
            if (in_.at_end()) return fail_unclosed(opener);
            if (in_.peek() == closer) return leave();
            bool item_hashable = true;
            if (!value(items.emplace_back(), item_hashable) || !skip_blanks()) return false;
            hashable = hashable && item_hashable;
            if (in_.peek() == closer) return leave();
            if (in_.peek() != ',') return fail_after_value(opener, closer);
            comma = true;
            in_.advance(1);
        }
    }

    bool list(Json& out, bool& hashable) {
        bool ignored = false;
        out = Json::array();
        if (!sequence(']', out.get_ref<JsonArray&>(), ignored, ignored)) return false;
        hashable = false;
        return true;
    }

    /// Reads a tuple, or one value in parentheses.
    bool parenthesis(Json& out, bool& hashable) {
        bool comma = false;
        JsonArray items;
        if (!sequence(')', items, comma, hashable)) return false;
        if (items.size() == 1 && !comma) {
            out = std::move(items.front());
        } else {
            out = std::move(items);
        }
        return true;
    }

    /// Reads a dict or a set, depending on what follows the first item.
    bool braces(Json& out, bool& hashable) {
        const std::size_t opener = in_.position();
        if (!enter() || !skip_blanks()) return false;
        if (in_.peek() == '}') {
            out = Json::object();
            hashable = false;
            return leave();
        }
        if (in_.at_end()) return fail_unclosed(opener);
        std::size_t begin = in_.position();
        Json first;
        bool first_hashable = true;
        if (!value(first, first_hashable) || !skip_blanks()) return false;
        hashable = false;
        return in_.peek() == ':' ? dict(out, std::move(first), begin, opener)
                                 : set(out, std::move(first), first_hashable, begin, opener);
    }

    /// Continues at the colon after the first key.
    bool dict(Json& out, Json key, std::size_t begin, std::size_t opener) {
        out = Json::object();
        ObjectBuilder builder(out.get_ref<Json::object_t&>());
        bool ignored = true;
        while (true) {
            if (!key.is_string()) return in_.fail("a key must be a string", begin);
            if (in_.peek() != ':') return fail_missing_colon(opener);
            in_.advance(1);
            Json item;
            if (!skip_blanks() || !value(item, ignored) || !skip_blanks()) return false;
            builder.insert_or_replace(key.get_ref<const std::string&>(), std::move(item));
            if (in_.peek() == ',') {
                in_.advance(1);
                if (!skip_blanks()) return false;
            } else if (in_.peek() != '}') {
                return fail_after_value(opener, '}');
            }
            if (in_.peek() == '}') return leave();
            if (in_.at_end()) return fail_unclosed(opener);
            begin = in_.position();
            if (!value(key, ignored) || !skip_blanks()) return false;
        }
    }

    bool fail_missing_colon(std::size_t opener) {
        return in_.at_end() ? fail_unclosed(opener) : in_.fail("a colon is missing after the key", in_.position());
    }

    /// Continues after the first item.
    bool set(Json& out, Json item, bool hashable, std::size_t begin, std::size_t opener) {
        out = Json::array();
        SetBuilder builder(out.get_ref<JsonArray&>());
        while (true) {
            if (!hashable) return in_.fail("a set cannot hold a list, dict or set", begin);
            builder.insert(std::move(item));
            if (in_.peek() == ',') {
                in_.advance(1);
                if (!skip_blanks()) return false;
            } else if (in_.peek() != '}') {
                return fail_after_value(opener, '}');
            }
            if (in_.peek() == '}') return leave();
            if (in_.at_end()) return fail_unclosed(opener);
            begin = in_.position();
            item = nullptr;
            if (!value(item, hashable) || !skip_blanks()) return false;
        }
    }

    bool word(Json& out, bool& hashable) {
        const std::size_t begin = in_.position();
        const std::string_view name = in_.identifier();
        if (name == "None" || name == "null") {
            out = nullptr;
        } else if (name == "True" || name == "true") {
            out = true;
        } else if (name == "False" || name == "false") {
            out = false;
        } else {
            return name == "set" ? empty_set(out, hashable, begin) : fail_word(name, begin);
        }
        return true;
    }

    bool empty_set(Json& out, bool& hashable, std::size_t begin) {
        hashable = false;
        out = Json::array();
        if (!skip_blanks()) return false;
        if (in_.peek() != '(') return fail_word("set", begin);
        in_.advance(1);
        ++open_;
        const bool blanks = skip_blanks();
        --open_;
        if (!blanks) return false;
        if (in_.peek() != ')') return in_.fail("set() must be empty; write the items as {1, 2}", begin);
        in_.advance(1);
        return true;
    }

    bool fail_word(std::string_view name, std::size_t begin) {
        const bool prefix = in_.peek() == '\'' || in_.peek() == '"';
        if (prefix) return in_.fail(excerpt(name) + " is not a string prefix", begin);
        return in_.fail(excerpt(name) + " is a name, not a literal", begin);
    }

    Scanner& in_;
    std::size_t open_;
    std::size_t limit_;
    std::size_t around_;
};

}  // namespace acta::inline ACTA_ABI::pysyntax_detail
