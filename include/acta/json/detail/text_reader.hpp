// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <functional>
#include <limits>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/real.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/json/detail/decoder.hpp"
#include "acta/json/detail/simd.hpp"

namespace acta::inline ACTA_ABI::json_detail {

/// Reads JSON (RFC 8259) from a text that stays alive and unchanged while it is read.
// Virtual functions are already declared inline here: otherwise the first is the key function, and g++ compiles the
// whole class in every header-only source that sees it.
class JsonTextReader final : public JsonReader {
public:
    JsonTextReader(std::string_view text, std::size_t max_depth)
        : begin_(text.data()), p_(begin_), end_(begin_ + text.size()), max_depth_(max_depth) {}

    inline Token peek() override;
    void read_null() override { literal("null"); }
    inline bool read_boolean() override;
    inline Number read_number() override;
    inline std::string_view read_text() override;
    inline void read_text_into(std::string& out) override;
    inline void read_json(Json& out, ValueFaults& faults) override;
    inline void skip() override;

    void enter(Container& container) override {
        container.node = p_;
        open();
    }
    bool next_element(Container& container) override { return step_element(container.first); }
    bool next_key(Container& container, std::string_view& key) override { return step_key(container.first, key); }

    inline bool take_key(Container& container, std::string_view key) override;
    [[nodiscard]] inline std::size_t expected_elements(const Container& container, std::size_t count) const override;

    [[nodiscard]] Mark mark() const override { return {p_, depth_}; }
    void rewind(const Mark& mark) override {
        steps_ += static_cast<std::size_t>(p_ - static_cast<const char*>(mark.at));
        p_ = static_cast<const char*>(mark.at);
        depth_ = mark.depth;
    }
    [[nodiscard]] inline std::string excerpt(const void* where) const override;
    inline void locate(std::vector<Issue>& issues, const std::vector<const void*>& where) const override;

    /// Throws unless only white space is left.
    void finish();
    /// Bytes looked at so far, including rereading, as the growth tests count them.
    [[nodiscard]] std::size_t steps() const noexcept { return steps_ + static_cast<std::size_t>(p_ - begin_); }

private:
    struct Frame {
        bool object;
        bool first;
        std::size_t values;
        std::size_t keys;
    };

    [[noreturn]] [[gnu::cold]] static void fail(const char* message, const char* at) {
        throw SyntaxFailure{message, at};
    }
    void skip_space() noexcept {
        while (p_ != end_ && (*p_ == ' ' || *p_ == '\n' || *p_ == '\r' || *p_ == '\t')) ++p_;
    }
    void literal(std::string_view word);
    void open();
    void close() noexcept {
        ++p_;
        --depth_;
    }
    bool step_element(bool& first);
    bool step_key(bool& first, std::string_view& key);

    const char* find_stop(const char* p, bool& high) const;
    void check_string(const char* start, const char* stop, bool high) const;
    void skip_text();
    [[noreturn]] void fail_string(const char* start) const;
    void unescape(std::string& out, const char* start, const char* p, bool high);
    const char* unescape_one(const char* p, char*& d) const;
    bool unescape_group(const char*& text, char*& out, bool& high) const;
    bool unescape_group_by_stops(const char*& text, char*& out, bool& high) const;
    const char* unescape_unicode(const char* p, char*& d) const;
    char32_t hex4(const char* p) const;
    std::size_t raw_length(const char* p) const;
    char* flush(std::string& out, const char* d, const char* p);

    const char* scan_number(const char* p, bool& real) const;
    void read_scalar(Token token, Json& out, ValueFaults& faults);
    void keep_number(const Number& number, Json& out) const;
    Json close_container(const Frame& frame);
    [[nodiscard]] std::vector<LocElement> inner_loc(std::size_t first_frame) const;

    static constexpr std::size_t scratch_size = std::size_t{16} * 1024;

    const char* begin_;
    const char* p_;
    const char* end_;
    std::size_t depth_ = 0;
    std::size_t max_depth_;
    std::size_t steps_ = 0;
    std::unique_ptr<char[]> scratch_{};
    std::string text_{};  // where escaped keys and scalars are put together
    std::vector<Frame> frames_{};
    std::vector<Json> values_{};
    std::vector<std::string> keys_{};
    std::string open_{};  // the containers that `skip` is in
};

inline Token JsonTextReader::peek() {
    skip_space();
    where_ = p_;
    if (p_ == end_) fail("EOF while parsing a value", p_);
    switch (*p_) {
        case '"': return Token::string;
        case '{': return Token::object;
        case '[': return Token::array;
        case 'n': return Token::null;
        case 't':
        case 'f': return Token::boolean;
        case '-':
        case '0':
        case '1':
        case '2':
        case '3':
        case '4':
        case '5':
        case '6':
        case '7':
        case '8':
        case '9': return Token::number;
        default: fail("expected value", p_);
    }
}

inline void JsonTextReader::literal(std::string_view word) {
    if (std::string_view(p_, std::min(word.size(), static_cast<std::size_t>(end_ - p_))) != word) {
        fail("expected ident", p_);
    }
    p_ += word.size();
}

inline bool JsonTextReader::read_boolean() {
    const bool value = *p_ == 't';
    literal(value ? "true" : "false");
    return value;
}

inline void JsonTextReader::open() {
    if (depth_ >= max_depth_) fail("recursion limit exceeded", p_);
    ++depth_;
    ++p_;
}

inline bool JsonTextReader::step_element(bool& first) {
    skip_space();
    if (p_ == end_) fail("EOF while parsing a list", p_);
    if (*p_ == ']') {
        close();
        return false;
    }
    if (first) {
        first = false;
        return true;
    }
    if (*p_ != ',') fail("expected `,` or `]`", p_);
    ++p_;
    skip_space();
    if (p_ != end_ && *p_ == ']') fail("trailing comma", p_);
    return true;
}

inline bool JsonTextReader::step_key(bool& first, std::string_view& key) {
    skip_space();
    if (p_ == end_) fail("EOF while parsing an object", p_);
    if (*p_ == '}') {
        close();
        return false;
    }
    if (first) {
        first = false;
    } else {
        if (*p_ != ',') fail("expected `,` or `}`", p_);
        ++p_;
        skip_space();
        if (p_ == end_) fail("EOF while parsing an object", p_);
        if (*p_ == '}') fail("trailing comma", p_);
    }
    if (*p_ != '"') fail("key must be a string", p_);
    key = read_text();
    skip_space();
    if (p_ == end_) fail("EOF while parsing an object", p_);
    if (*p_ != ':') fail("expected `:`", p_);
    ++p_;
    return true;
}

inline bool JsonTextReader::take_key(Container& container, std::string_view key) {
    const char* p = p_;
    const auto space = [this, &p] {
        while (p != end_ && (*p == ' ' || *p == '\n' || *p == '\r' || *p == '\t')) ++p;
    };
    space();
    if (!container.first) {
        if (p == end_ || *p != ',') return false;
        ++p;
        space();
    }
    if (static_cast<std::size_t>(end_ - p) < key.size() + 3 || *p != '"' || p[key.size() + 1] != '"' ||
        std::memcmp(p + 1, key.data(), key.size()) != 0)
        return false;
    p += key.size() + 2;
    space();
    if (p == end_ || *p != ':') return false;
    p_ = p + 1;
    container.first = false;
    return true;
}

/// Estimates the number of elements of a list, from the size of its first `count` and of the remaining text.
inline std::size_t JsonTextReader::expected_elements(const Container& container, std::size_t count) const {
    const auto taken = static_cast<double>(p_ - static_cast<const char*>(container.node));
    const double more = static_cast<double>(count) * static_cast<double>(end_ - p_) / std::max(taken, 1.0);
    return count + static_cast<std::size_t>(more * 1.03) + 1;
}

inline void JsonTextReader::finish() {
    skip_space();
    if (p_ != end_) fail("trailing characters", p_);
}

[[gnu::cold]] inline std::string JsonTextReader::excerpt(const void* where) const {
    const char* const p = static_cast<const char*>(where);
    if (p == end_) return {};
    const std::string_view rest(p, static_cast<std::size_t>(end_ - p));
    // To the end of the value if that is near; the text was read once already, so it is JSON.
    std::size_t size = 0;
    try {
        JsonTextReader value(rest.substr(0, max_excerpt_bytes), max_depth_);
        value.peek();
        value.skip();
        size = static_cast<std::size_t>(value.p_ - value.begin_);
    } catch (const SyntaxFailure&) {
        const std::string_view beginning(utf8::prefix(rest, std::min(rest.size(), max_excerpt_bytes)));
        return utf8::replace_invalid(beginning) + "...";
    }
    return std::string(rest.substr(0, size));
}

[[gnu::cold]] inline void JsonTextReader::locate(std::vector<Issue>& issues,
                                                 const std::vector<const void*>& where) const {
    std::vector<std::size_t> order(issues.size());
    base::sort_indices(order, &where, [](const void* places, std::size_t a, std::size_t b) {
        const auto& place = *static_cast<const std::vector<const void*>*>(places);
        return std::less<>()(place[a], place[b]);
    });
    const char* p = begin_;
    std::size_t line = 1;
    std::size_t column = 1;
    for (const std::size_t i : order) {
        for (const char* const at = static_cast<const char*>(where[i]); p < at; ++p) {
            if (*p == '\n') {
                ++line;
                column = 1;
            } else if (!utf8::is_continuation(*p)) {
                ++column;
            }
        }
        issues[i].line = line;
        issues[i].column = column;
    }
}

// Strings -------------------------------------------------------------------------------------------

/// Reports the error in the text of a string, which begins at `start`.
[[gnu::cold]] inline void JsonTextReader::fail_string(const char* start) const {
    for (const char* p = start; p != end_ && *p != '"';) {
        if (*p == '\\' && end_ - p >= 2) {
            p += 2;
            continue;
        }
        if (static_cast<unsigned char>(*p) < 0x20)
            fail("control character (\\u0000-\\u001F) found while parsing a string", p);
        const std::size_t length = utf8::sequence_length(p, end_);
        if (length == 0) fail("invalid unicode code point", p);
        p += length;
    }
    fail("EOF while parsing a string", end_);
}

/// Returns the first quote, backslash or control character at or after `p`. `high` becomes true if a byte before it is
/// not ASCII.
inline const char* JsonTextReader::find_stop(const char* p, bool& high) const {
    while (static_cast<std::size_t>(end_ - p) >= Block::size) {
        const Block block(p);
        const std::size_t n = first_of(block.stops());
        high = high || block.high() != 0;
        p += n;
        if (n != Block::size) return p;
    }
    for (; p != end_; ++p) {
        const auto byte = static_cast<unsigned char>(*p);
        if (byte < 0x20 || byte == '"' || byte == '\\') return p;
        high = high || byte >= 0x80;
    }
    return p;
}

/// Checks the text of a string that is about to be taken, from `start` to its end at `stop`.
inline void JsonTextReader::check_string(const char* start, const char* stop, bool high) const {
    if (stop == end_ || static_cast<unsigned char>(*stop) < 0x20 || (high && !is_utf8(start, stop))) fail_string(start);
}

inline std::string_view JsonTextReader::read_text() {
    const char* const start = p_ + 1;
    bool high = false;
    const char* const stop = find_stop(start, high);
    if (stop != end_ && *stop == '\\') {
        text_.clear();
        unescape(text_, start, stop, high);
        return text_;
    }
    check_string(start, stop, high);
    p_ = stop + 1;
    return {start, static_cast<std::size_t>(stop - start)};
}

inline void JsonTextReader::read_text_into(std::string& out) {
    const char* const start = p_ + 1;
    bool high = false;
    const char* const stop = find_stop(start, high);
    if (stop != end_ && *stop == '\\') {
        out.clear();
        unescape(out, start, stop, high);
        return;
    }
    check_string(start, stop, high);
    p_ = stop + 1;
    out.assign(start, static_cast<std::size_t>(stop - start));
}

/// Skips a string, checking it.
inline void JsonTextReader::skip_text() {
    const char* const start = p_ + 1;
    bool high = false;
    const char* stop = find_stop(start, high);
    while (stop != end_ && *stop == '\\') {
        char bytes[4];
        char* d = bytes;
        stop = find_stop(unescape_one(stop, d), high);
    }
    check_string(start, stop, high);
    p_ = stop + 1;
}

inline char32_t JsonTextReader::hex4(const char* p) const {
    char32_t value = 0;
    for (int i = 0; i < 4; ++i, ++p) {
        if (p == end_) fail("EOF while parsing a string", p);
        const char c = *p;
        char32_t digit = 0;
        if (c >= '0' && c <= '9')
            digit = static_cast<char32_t>(c - '0');
        else if (c >= 'a' && c <= 'f')
            digit = static_cast<char32_t>(c - 'a' + 10);
        else if (c >= 'A' && c <= 'F')
            digit = static_cast<char32_t>(c - 'A' + 10);
        else
            fail("invalid escape", p);
        value = value * 16 + digit;
    }
    return value;
}

/// Writes the character that the escape at `p` stands for (at most 4 bytes) and returns the place after it.
inline const char* JsonTextReader::unescape_one(const char* p, char*& d) const {
    if (end_ - p < 2) fail("EOF while parsing a string", end_);
    const char plain = escaped_characters[static_cast<unsigned char>(p[1])];
    if (plain != 0) {
        *d++ = plain;
        return p + 2;
    }
    if (p[1] != 'u') fail("invalid escape", p);
    return unescape_unicode(p, d);
}

inline const char* JsonTextReader::unescape_unicode(const char* p, char*& d) const {
    char32_t c = hex4(p + 2);
    const char* const at = p;
    p += 6;
    if (c >= 0xDC00 && c <= 0xDFFF) fail("lone trailing surrogate in hex escape", at);
    if (c >= 0xD800 && c <= 0xDBFF) {
        if (end_ - p < 2 || p[0] != '\\' || p[1] != 'u') fail("lone leading surrogate in hex escape", at);
        const char32_t low = hex4(p + 2);
        if (low < 0xDC00 || low > 0xDFFF) fail("lone leading surrogate in hex escape", at);
        c = 0x10000 + ((c - 0xD800) << 10) + (low - 0xDC00);
        p += 6;
    }
    d += utf8::encode(c, d);
    return p;
}

/// Returns the number of bytes up to the closing quote: an upper bound for the rest of the string.
inline std::size_t JsonTextReader::raw_length(const char* p) const {
    const char* const start = p;
    for (;;) {
        while (p != end_ && *p != '"' && *p != '\\') ++p;
        if (end_ - p < 2 || *p == '"') return static_cast<std::size_t>(p - start);
        p += 2;
    }
}

/// Empties the buffer, which is filled up to `d`; returns its start.
inline char* JsonTextReader::flush(std::string& out, const char* d, const char* p) {
    const auto ready = static_cast<std::size_t>(d - scratch_.get());
    // A string larger than the buffer: one reservation, so that it never holds twice its size.
    if (out.empty()) out.reserve(ready + raw_length(p));
    out.append(scratch_.get(), ready);
    return scratch_.get();
}

/// Takes the next group of a string, or as much of it as possible: false at the character that ends it. Another group
/// must be readable after it, and two must be writable.
inline bool JsonTextReader::unescape_group(const char*& text, char*& out, bool& high) const {
    const char* const group_end = text + Group::size;
    const GroupEnd end = take_escaped_group(text, out, high);
    if (end == GroupEnd::not_taken) return unescape_group_by_stops(text, out, high);
    if (end != GroupEnd::escape) return end == GroupEnd::open;
    do {  // letters that are not ASCII often come in runs
        text = unescape_one(text, out);
    } while (text < group_end && text[0] == '\\' && text[1] == 'u');
    return true;
}

/// The same with a step for each character that stops it.
inline bool JsonTextReader::unescape_group_by_stops(const char*& text, char*& out, bool& high) const {
    const char* const p = text;
    char* d = out;
    std::uint64_t stops = Group::stops(p);
    high = high || Group::high(p);
    std::size_t done = 0;  // of the group
    bool more = true;
    while (stops != 0) {
        const auto i = static_cast<std::size_t>(std::countr_zero(stops));
        Group::copy(d, p + done);
        d += i - done;
        done = i;
        const char plain = p[i] == '\\' ? escaped_characters[static_cast<unsigned char>(p[i + 1])] : '\0';
        if (plain == 0) {
            more = p[i] == '\\';
            if (more) done = static_cast<std::size_t>(unescape_one(p + i, d) - p);
            text = p + done;
            out = d;
            return more;
        }
        *d++ = plain;
        done = i + 2;
        stops &= ~(std::uint64_t{3} << i);
    }
    Group::copy(d, p + done);
    if (done < Group::size) {
        d += Group::size - done;
        done = Group::size;
    }
    text = p + done;
    out = d;
    return true;
}

/// Unescapes the whole string whose text starts at `start` and whose first escape is at `p`. It is put together in a
/// small buffer, so that `out` gets its exact size and is not filled twice.
inline void JsonTextReader::unescape(std::string& out, const char* start, const char* p, bool high) {
    if (!scratch_) scratch_.reset(new char[scratch_size]);  // make_unique would fill it
    char* d = scratch_.get();
    const char* const end = end_;
    char* const limit = d + scratch_size - 3 * Group::size;
    const auto before = static_cast<std::size_t>(p - start);
    if (before <= scratch_size / 2) {
        std::memcpy(d, start, before);
        d += before;
    } else {
        out.reserve(before + raw_length(p));
        out.append(start, before);
    }
    for (;;) {
        if (d > limit) d = flush(out, d, p);
        if (end - p >= std::ptrdiff_t{2 * Group::size + 2}) {
            if (!unescape_group(p, d, high)) break;
            continue;
        }
        const char* const stop = find_stop(p, high);
        const auto size = std::min<std::ptrdiff_t>(stop - p, Group::size);  // the part that is certain to fit
        std::memcpy(d, p, static_cast<std::size_t>(size));
        d += size;
        p += size;
        if (p != stop) continue;
        if (p == end || *p != '\\') break;
        p = unescape_one(p, d);
    }
    check_string(start, p, high);
    out.append(scratch_.get(), static_cast<std::size_t>(d - scratch_.get()));
    p_ = p + 1;
}

// Numbers -------------------------------------------------------------------------------------------

/// Returns the end of the number at `p`, by the grammar of RFC 8259.
inline const char* JsonTextReader::scan_number(const char* p, bool& real) const {
    const auto digit = [this](const char* q) { return q != end_ && *q >= '0' && *q <= '9'; };
    const auto digits = [&digit, this](const char* q) {
        if (!digit(q)) fail(q == end_ ? "EOF while parsing a value" : "invalid number", q);
        while (digit(q)) ++q;
        return q;
    };
    if (*p == '-') ++p;
    if (p != end_ && *p == '0') {
        ++p;
        if (digit(p)) fail("invalid number", p);
    } else {
        p = digits(p);
    }
    if (p != end_ && *p == '.') {
        real = true;
        p = digits(p + 1);
    }
    if (p != end_ && (*p == 'e' || *p == 'E')) {
        real = true;
        ++p;
        if (p != end_ && (*p == '+' || *p == '-')) ++p;
        p = digits(p);
    }
    return p;
}

inline Number JsonTextReader::read_number() {
    bool real = false;
    const char* const start = p_;
    p_ = scan_number(start, real);
    if (real) {
        double value = 0;
        if (!base::text_to_double({start, static_cast<std::size_t>(p_ - start)}, value))
            return Number::fault(Number::Kind::real_too_large);
        return Number::of(value);
    }
    if (*start == '-') {
        std::int64_t value = 0;
        if (std::from_chars(start, p_, value).ec == std::errc{}) return Number::of(value);
    } else {
        std::uint64_t value = 0;
        if (std::from_chars(start, p_, value).ec == std::errc{}) return Number::of(value);
    }
    Number large = Number::fault(Number::Kind::integer_too_large);
    if (!base::text_to_double({start, static_cast<std::size_t>(p_ - start)}, large.real))
        large.real = std::numeric_limits<double>::infinity();
    return large;
}

// Whole values, without recursion: those of `any` fields, and skipped ones ------------------------------

inline void put_number(const Number& number, Json& out) {
    switch (number.kind) {
        case Number::Kind::integer:
            // As nlohmann's own parser distinguishes them.
            if (number.integer < 0)
                base::set(out, number.integer);
            else
                base::set(out, static_cast<std::uint64_t>(number.integer));
            break;
        case Number::Kind::unsigned_integer: base::set(out, number.unsigned_integer); break;
        case Number::Kind::real: base::set(out, number.real); break;
        default: out = nullptr; break;
    }
}

inline void JsonTextReader::read_scalar(Token token, Json& out, ValueFaults& faults) {
    switch (token) {
        case Token::string: read_text_into(base::set_text(out)); break;
        case Token::number: {
            const Number number = read_number();
            put_number(number, out);
            if (number.kind < Number::Kind::integer_too_large) break;
            if (faults.keep)
                keep_number(number, out);
            else if (!faults.full())
                faults.add(inner_loc(0), number.kind, where_);
            break;
        }
        case Token::boolean: base::set(out, read_boolean()); break;
        default:
            read_null();
            out = nullptr;
            break;
    }
}

/// Keeps a number that fits nowhere and begins at `where_`: as the nearest double, or as its text if that is infinite.
[[gnu::cold]] inline void JsonTextReader::keep_number(const Number& number, Json& out) const {
    const char* const start = static_cast<const char*>(where_);
    if (number.kind == Number::Kind::integer_too_large && std::isfinite(number.real))
        base::set(out, number.real);
    else
        base::set_text(out).assign(start, static_cast<std::size_t>(p_ - start));
}

/// Returns the path from the outermost open container to the value being read.
[[gnu::cold]] inline std::vector<LocElement> JsonTextReader::inner_loc(std::size_t first_frame) const {
    std::vector<LocElement> loc;
    for (std::size_t i = first_frame; i < frames_.size(); ++i) {
        const Frame& frame = frames_[i];
        const std::size_t values_end = i + 1 < frames_.size() ? frames_[i + 1].values : values_.size();
        if (frame.object) {
            const std::size_t keys_end = i + 1 < frames_.size() ? frames_[i + 1].keys : keys_.size();
            loc.push_back(LocElement(keys_[keys_end - 1]));
        } else {
            // A scalar is already counted in values_, an open container is not.
            const bool innermost = i + 1 == frames_.size();
            loc.push_back(LocElement(values_end - frame.values - (innermost ? 1 : 0)));
        }
    }
    return loc;
}

inline Json JsonTextReader::close_container(const Frame& frame) {
    const auto first = values_.begin() + static_cast<std::ptrdiff_t>(frame.values);
    Json out;
    if (frame.object) {
        out = base::new_object();
        auto& object = *out.get_ptr<Json::object_t*>();
        object.reserve(values_.size() - frame.values);
        auto key = keys_.begin() + static_cast<std::ptrdiff_t>(frame.keys);
        for (auto value = first; value != values_.end(); ++value, ++key) {
            object.emplace_back(std::move(*key), std::move(*value));
        }
        base::drop_repeated_keys(object);
        truncate(keys_, frame.keys);
    } else {
        out = Json(Json::value_t::array);
        auto& array = *out.get_ptr<JsonArray*>();
        array.reserve(values_.size() - frame.values);
        for (auto value = first; value != values_.end(); ++value) array.push_back(std::move(*value));
    }
    truncate(values_, frame.values);
    return out;
}

inline void JsonTextReader::read_json(Json& out, ValueFaults& faults) {
    Token token = peek();
    if (token != Token::array && token != Token::object) return read_scalar(token, out, faults);
    for (;;) {
        if (token == Token::array || token == Token::object) {
            open();
            frames_.push_back({token == Token::object, true, values_.size(), keys_.size()});
        } else {
            values_.push_back(Json());
            read_scalar(token, values_.back(), faults);
        }
        for (;;) {
            Frame& frame = frames_.back();
            std::string_view key;
            const bool more = frame.object ? step_key(frame.first, key) : step_element(frame.first);
            if (more) {
                if (frame.object) keys_.emplace_back(key);
                break;
            }
            Json done = close_container(frame);
            frames_.pop_back();
            if (frames_.empty()) {
                out = std::move(done);
                return;
            }
            values_.push_back(std::move(done));
        }
        token = peek();
    }
}

/// Skips the next value, checking it as if it were kept.
inline void JsonTextReader::skip() {
    const std::size_t base = open_.size();
    Token token = peek();
    bool first = true;
    for (;;) {
        switch (token) {
            case Token::array:
            case Token::object:
                open();
                open_.push_back(token == Token::object ? '{' : '[');
                first = true;
                break;
            case Token::string: skip_text(); break;
            case Token::number: {
                bool real = false;
                p_ = scan_number(p_, real);
                break;
            }
            case Token::boolean: read_boolean(); break;
            default: read_null(); break;
        }
        for (;;) {
            if (open_.size() == base) return;
            std::string_view key;
            if (open_.back() == '{' ? step_key(first, key) : step_element(first)) break;
            open_.pop_back();
            first = false;
        }
        token = peek();
    }
}

}  // namespace acta::inline ACTA_ABI::json_detail
