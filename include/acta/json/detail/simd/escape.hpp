// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "acta/json/detail/simd/scan.hpp"

// The escapes of JSON strings (RFC 8259, section 7), and how they are written.
namespace acta::inline ACTA_ABI::json_detail {

/// How much text is escaped at once, and the room that its escaped form may need: six bytes for each byte, plus the
/// bytes that whole-group stores write past the end.
inline constexpr std::size_t escaped_at_once = 1024;
constexpr std::size_t room_for_escaped(std::size_t size) noexcept { return 6 * size + Group::size; }

struct ShortEscape {
    char byte;
    char letter;
};
/// The two-character escapes that are written. `\/` is also accepted when reading.
inline constexpr ShortEscape short_escapes[] = {{'"', '"'},  {'\\', '\\'}, {'\b', 'b'}, {'\f', 'f'},
                                                {'\n', 'n'}, {'\r', 'r'},  {'\t', 't'}};

/// The letter of the short escape of a byte, or 0.
inline constexpr std::array<char, 256> escape_letters = [] {
    std::array<char, 256> table{};
    for (const ShortEscape& escape : short_escapes) table[static_cast<unsigned char>(escape.byte)] = escape.letter;
    return table;
}();

/// The byte that a letter after a backslash stands for, or 0 for none: `u`, or an error.
inline constexpr std::array<char, 256> escaped_characters = [] {
    std::array<char, 256> table{};
    for (const ShortEscape& escape : short_escapes) table[static_cast<unsigned char>(escape.letter)] = escape.byte;
    table['/'] = '/';
    return table;
}();

/// Writes the escape of `c` (at most 6 bytes); returns the place after it.
inline char* write_escape(char c, char* d) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    *d++ = '\\';
    if (escape_letters[byte] != 0) {
        *d++ = escape_letters[byte];
        return d;
    }
    constexpr std::string_view hex = "0123456789abcdef";
    std::memcpy(d, "u00", 3);
    d[3] = hex[byte >> 4U];
    d[4] = hex[byte & 15U];
    return d + 5;
}

/// Writes the `size` bytes at `p` with their escapes a byte at a time; returns the place after them.
inline char* write_escaped_bytes(const char* p, std::size_t size, char* d) noexcept {
    for (const char* const end = p + size; p != end; ++p) {
        if (escape_growth(static_cast<unsigned char>(*p)) != 0)
            d = write_escape(*p, d);
        else
            *d++ = *p;
    }
    return d;
}

/// The same for the first `size` bytes of a group. Two groups must be readable at `p`; up to one group is written past
/// the end of the result.
inline char* write_escaped_group(const char* p, std::size_t size, char* d) noexcept {
    std::uint64_t stops = Group::stops(p);
    if (size != Group::size) stops &= (std::uint64_t{1} << size) - 1;
    std::size_t done = 0;
    for (; stops != 0; stops &= stops - 1) {
        const auto i = static_cast<std::size_t>(std::countr_zero(stops));
        Group::copy(d, p + done);
        d = write_escape(p[i], d + (i - done));
        done = i + 1;
    }
    Group::copy(d, p + done);
    return d + (size - done);
}

/// The same for text of any size, group by group.
inline char* write_escaped_groups(const char* p, std::size_t size, char* d) noexcept {
    for (; size >= 2 * Group::size; size -= Group::size, p += Group::size) d = write_escaped_group(p, Group::size, d);
    // Copy the rest to where whole groups can be read.
    char rest[3 * Group::size] = {};
    if (size != 0) std::memcpy(rest, p, size);
    for (const char* from = rest; size != 0; from += Group::size) {
        const std::size_t now = size < Group::size ? size : Group::size;
        d = write_escaped_group(from, now, d);
        size -= now;
    }
    return d;
}

}  // namespace acta::inline ACTA_ABI::json_detail
