// SPDX-License-Identifier: MIT
#pragma once

#include "acta/json/detail/read/json_text_reader.hpp"
#include "acta/json/detail/simd/escape_simd.hpp"

// Strings of a JSON text: found a block at a time, checked to be UTF-8, copied once.
namespace acta::inline ACTA_ABI::json_detail {

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
/// must be readable behind it, and two must be writable.
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
        const auto size = std::min<std::ptrdiff_t>(stop - p, Group::size);  // the part that surely has room
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

}  // namespace acta::inline ACTA_ABI::json_detail
