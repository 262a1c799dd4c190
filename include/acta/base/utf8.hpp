// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "acta/version.hpp"

// UTF-8 as RFC 3629 defines it: no overlong forms, no surrogates, nothing above U+10FFFF.
namespace acta::inline ACTA_ABI::utf8 {

/// U+FFFD, the replacement character, in UTF-8.
inline constexpr std::string_view replacement = "\xEF\xBF\xBD";

/// Returns whether `byte` is a continuation byte (0x80 to 0xBF), which never begins a sequence.
[[nodiscard]] constexpr bool is_continuation(char byte) noexcept {
    return (static_cast<unsigned char>(byte) & 0xC0U) == 0x80U;
}

/// Returns the length in bytes (1 to 4) of the valid sequence that starts at `p`, or 0 if there is none. `p` must be
/// before `end`.
[[nodiscard]] constexpr std::size_t sequence_length(const char* p, const char* end) noexcept {
    const auto byte = [p](std::size_t i) { return static_cast<unsigned char>(p[i]); };
    const auto tail = [p](std::size_t i) { return is_continuation(p[i]); };
    const unsigned char lead = byte(0);
    const auto left = end - p;
    if (lead < 0x80) return 1;
    if (lead < 0xC2) return 0;
    if (lead < 0xE0) return left >= 2 && tail(1) ? 2 : 0;
    if (lead < 0xF0) {
        if (left < 3 || !tail(1) || !tail(2)) return 0;
        if (lead == 0xE0 && byte(1) < 0xA0) return 0;
        if (lead == 0xED && byte(1) >= 0xA0) return 0;
        return 3;
    }
    if (lead > 0xF4 || left < 4 || !tail(1) || !tail(2) || !tail(3)) return 0;
    if (lead == 0xF0 && byte(1) < 0x90) return 0;
    if (lead == 0xF4 && byte(1) >= 0x90) return 0;
    return 4;
}

/// Returns the code point of the valid sequence of `length` bytes at `p`.
[[nodiscard]] constexpr char32_t code_point(const char* p, std::size_t length) noexcept {
    const auto byte = [p](std::size_t i) { return static_cast<char32_t>(static_cast<unsigned char>(p[i])); };
    switch (length) {
        case 1: return byte(0);
        case 2: return ((byte(0) & 0x1F) << 6) | (byte(1) & 0x3F);
        case 3: return ((byte(0) & 0x0F) << 12) | ((byte(1) & 0x3F) << 6) | (byte(2) & 0x3F);
        default:
            return ((byte(0) & 0x07) << 18) | ((byte(1) & 0x3F) << 12) | ((byte(2) & 0x3F) << 6) | (byte(3) & 0x3F);
    }
}

/// Writes `c` at `out`, which has room for 4 bytes; returns the number of bytes written.
/// `c` must be a scalar value (no surrogate, at most U+10FFFF).
constexpr std::size_t encode(char32_t c, char* out) noexcept {
    const auto put = [out](std::size_t i, char32_t value) {
        out[i] = static_cast<char>(static_cast<unsigned char>(value));
    };
    if (c < 0x80) {
        put(0, c);
        return 1;
    }
    if (c < 0x800) {
        put(0, 0xC0 | (c >> 6));
        put(1, 0x80 | (c & 0x3F));
        return 2;
    }
    if (c < 0x10000) {
        put(0, 0xE0 | (c >> 12));
        put(1, 0x80 | ((c >> 6) & 0x3F));
        put(2, 0x80 | (c & 0x3F));
        return 3;
    }
    put(0, 0xF0 | (c >> 18));
    put(1, 0x80 | ((c >> 12) & 0x3F));
    put(2, 0x80 | ((c >> 6) & 0x3F));
    put(3, 0x80 | (c & 0x3F));
    return 4;
}

/// Appends the code point `c` to `out`.
void append(std::string& out, char32_t c);

/// Returns the offset of the first byte outside of any valid sequence, or `text.size()`.
[[nodiscard]] constexpr std::size_t find_invalid(std::string_view text) noexcept {
    const char* const begin = text.data();
    const char* const end = begin + text.size();
    for (const char* p = begin; p != end;) {
        const std::size_t length = sequence_length(p, end);
        if (length == 0) return static_cast<std::size_t>(p - begin);
        p += length;
    }
    return text.size();
}

/// Returns whether all of `text` is valid UTF-8, as an empty text is. Linear.
[[nodiscard]] constexpr bool is_valid(std::string_view text) noexcept { return find_invalid(text) == text.size(); }

/// Returns `text` with every byte that belongs to no valid sequence replaced by U+FFFD.
[[nodiscard]] std::string replace_invalid(std::string_view text);

/// Returns the number of code points of valid UTF-8: of bytes that are not continuation bytes. Linear.
[[nodiscard]] constexpr std::size_t count_code_points(std::string_view text) noexcept {
    std::size_t count = 0;
    for (const char c : text) count += is_continuation(c) ? 0U : 1U;
    return count;
}

/// Returns whether a text may be cut before byte `at`: not between the bytes of a valid sequence. Also true at both
/// ends and beyond. Constant time.
[[nodiscard]] constexpr bool is_boundary(std::string_view text, std::size_t at) noexcept {
    if (at == 0 || at >= text.size() || !is_continuation(text[at])) return true;
    std::size_t start = at;
    while (start > 0 && at - start < 3 && is_continuation(text[start])) --start;
    const std::size_t length = sequence_length(text.data() + start, text.data() + text.size());
    return start + length <= at;
}

/// Returns the longest prefix of `text` of at most `max_bytes` bytes that does not cut a sequence in two.
[[nodiscard]] constexpr std::string_view prefix(std::string_view text, std::size_t max_bytes) noexcept {
    if (text.size() <= max_bytes) return text;
    std::size_t cut = max_bytes;
    while (cut > 0 && is_continuation(text[cut])) --cut;
    return text.substr(0, cut);
}

}  // namespace acta::inline ACTA_ABI::utf8

#ifndef ACTA_COMPILED
#include "acta/base/detail/utf8.inl.hpp"
#endif
