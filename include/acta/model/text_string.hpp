// SPDX-License-Identifier: MIT
#pragma once

#include "acta/model/text_reader.hpp"

// Strings of a JSON text: found a block at a time, checked to be UTF-8, copied once.
namespace acta::inline v0::detail {

/// The end of the run of non-ASCII text that starts at `p`.
inline const char* TextReader::checked_utf8(const char* p) const {
    do {
        const std::size_t length = utf8::sequence_length(p, end_);
        if (length == 0) fail("invalid unicode code point", p);
        p += length;
    } while (p != end_ && static_cast<unsigned char>(*p) >= 0x80);
    return p;
}

/// The first quote or backslash at or after `p`; everything before it can be taken as it is.
inline const char* TextReader::plain_run(const char* p) const {
    for (;;) {
        p = find_special(p, end_);
        if (p == end_) fail("EOF while parsing a string", p);
        if (*p == '"' || *p == '\\') return p;
        if (static_cast<unsigned char>(*p) < 0x20) fail("control character (\\u0000-\\u001F) found while parsing a string", p);
        p = checked_utf8(p);
    }
}

inline std::string_view TextReader::read_text() {
    const char* const start = p_ + 1;
    const char* const stop = plain_run(start);
    if (*stop == '"') {
        p_ = stop + 1;
        return {start, static_cast<std::size_t>(stop - start)};
    }
    text_.clear();
    unescape(text_, start, stop);
    return text_;
}

inline void TextReader::read_text_into(std::string& out) {
    const char* const start = p_ + 1;
    const char* const stop = plain_run(start);
    if (*stop == '"') {
        p_ = stop + 1;
        out.assign(start, static_cast<std::size_t>(stop - start));
        return;
    }
    out.clear();
    unescape(out, start, stop);
}

inline char32_t TextReader::hex4(const char* p) const {
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

/// Writes what the escape at `p` stands for (at most 4 bytes) and gives the place after it.
inline const char* TextReader::unescape_one(const char* p, char*& d) const {
    if (end_ - p < 2) fail("EOF while parsing a string", end_);
    char plain = 0;
    switch (p[1]) {
        case '"': plain = '"'; break;
        case '\\': plain = '\\'; break;
        case '/': plain = '/'; break;
        case 'b': plain = '\b'; break;
        case 'f': plain = '\f'; break;
        case 'n': plain = '\n'; break;
        case 'r': plain = '\r'; break;
        case 't': plain = '\t'; break;
        case 'u': break;
        default: fail("invalid escape", p);
    }
    if (p[1] != 'u') {
        *d++ = plain;
        return p + 2;
    }
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

/// How many bytes the rest of the string takes at most: the way to its closing quote.
inline std::size_t TextReader::raw_length(const char* p) const {
    const char* const start = p;
    for (;;) {
        while (p != end_ && *p != '"' && *p != '\\') ++p;
        if (end_ - p < 2 || *p == '"') return static_cast<std::size_t>(p - start);
        p += 2;
    }
}

inline void TextReader::flush(std::string& out, char*& d, const char* p) {
    const auto ready = static_cast<std::size_t>(d - scratch_.get());
    // A string larger than the buffer: one reservation, so that it never holds twice its size.
    if (out.empty()) out.reserve(ready + raw_length(p));
    out.append(scratch_.get(), ready);
    d = scratch_.get();
}

/// The whole string whose text starts at `start` and whose first escape is at `p`. It is put
/// together in a small buffer, so that `out` gets its exact size and is not filled twice.
inline void TextReader::unescape(std::string& out, const char* start, const char* p) {
    if (!scratch_) scratch_.reset(new char[scratch_size]);  // make_unique would fill it
    char* d = scratch_.get();
    char* const limit = d + scratch_size - 2 * Block::size;
    const auto before = static_cast<std::size_t>(p - start);
    if (before <= scratch_size / 2) {
        std::memcpy(d, start, before);
        d += before;
    } else {
        out.reserve(before + raw_length(p));
        out.append(start, before);
    }
    for (;;) {
        if (d > limit) flush(out, d, p);
        if (static_cast<std::size_t>(end_ - p) >= Block::size) {
            const Block block(p);
            block.store(d);
            const Block::Mask mask = block.special();
            if (mask == 0) {
                p += Block::size;
                d += Block::size;
                continue;
            }
            p += Block::first(mask);
            d += Block::first(mask);
        } else if (p == end_) {
            fail("EOF while parsing a string", p);
        } else if (!is_special(*p)) {
            *d++ = *p++;
            continue;
        }
        if (*p == '\\') {
            p = unescape_one(p, d);
        } else if (*p == '"') {
            break;
        } else if (static_cast<unsigned char>(*p) < 0x20) {
            fail("control character (\\u0000-\\u001F) found while parsing a string", p);
        } else {
            do {
                const std::size_t length = utf8::sequence_length(p, end_);
                if (length == 0) fail("invalid unicode code point", p);
                for (std::size_t i = 0; i < length; ++i) *d++ = *p++;
            } while (p != end_ && d <= limit && static_cast<unsigned char>(*p) >= 0x80);
        }
    }
    out.append(scratch_.get(), static_cast<std::size_t>(d - scratch_.get()));
    p_ = p + 1;
}

}  // namespace acta::inline v0::detail
