// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "acta/json/detail/simd/escape.hpp"
#include "acta/json/detail/simd/utf8_simd.hpp"

// The escapes of JSON strings on x86 processors with SSSE3 or AVX2, detected at run time. Text has an escape every few
// words at unpredictable places, so a branch for each is expensive. Here one table look-up expands or compacts eight
// bytes at a time, whether or not there are escapes among them.
#if !defined(ACTA_NO_SIMD) && defined(__GNUC__) && defined(__SSE2__)
#define ACTA_DETAIL_X86 1
#endif

namespace acta::inline ACTA_ABI::json_detail {

/// Where reading a group of a string stopped. `escape` is one that the caller must handle itself.
enum class GroupEnd : std::uint8_t { open, string_end, escape, not_taken };

#if defined(ACTA_DETAIL_X86)

/// Writes escapes.
class EscapeSsse3 : Sse2 {
public:
    /// `write_escaped` for texts of at least sixteen bytes.
    __attribute__((target("ssse3,popcnt"))) static char* write(const char* p, std::size_t size, char* d) noexcept {
        const char* const end = p + size;
        // If escapes are rare, a branch for each is cheaper.
        constexpr std::size_t many = 6;
        std::size_t density = many;  // four times the recent average of escapes in a group
        for (; end - p >= 64; p += 64) {
            const char* const start = d;
            if (density < many && end - p >= 128)
                d = write_escaped_group(p, 64, d);
            else
                for (std::size_t i = 0; i < 64; i += 16) d = write_block(load(p + i), 16, d);
            density = density - density / 4 + static_cast<std::size_t>(d - start - 64);
        }
        for (; end - p >= 16; p += 16) d = write_block(load(p), 16, d);
        if (p == end) return d;
        // The last sixteen bytes, shifted past those that are already written.
        const auto left = static_cast<std::size_t>(end - p);
        return write_block(look_up(load(end - 16), load(moved_down.data() + 16 - left)), left, d);
    }

private:
    /// For each subset of eight positions: the shuffle that inserts a ninth byte before each position of the subset.
    struct Spread {
        std::uint64_t orders[256][2];
    };
    static constexpr Spread spread = [] {
        constexpr std::uint64_t ninths = 0x0808080808080808U;
        Spread table{};
        table.orders[0][0] = table.orders[0][1] = ninths;
        // Each position doubles the number of subsets: those without it and those with it.
        for (unsigned place = 0, sets = 1; place < 8; ++place, sets *= 2) {
            for (unsigned set = 0; set < sets; ++set) {
                const unsigned at = place + static_cast<unsigned>(__builtin_popcount(set));
                auto& without = table.orders[set];
                auto& with = table.orders[set + sets];
                with[0] = without[0];
                with[1] = without[1];
                without[at / 8] ^= std::uint64_t{place ^ 8U} << at % 8 * 8;
                with[(at + 1) / 8] ^= std::uint64_t{place ^ 8U} << (at + 1) % 8 * 8;
            }
        }
        return table;
    }();
    /// The escape letters of the first sixteen control characters; 0 if there is none.
    alignas(16) static constexpr std::array<unsigned char, 16> letters{0,   0,   0,   0, 0,   0,   0, 0,
                                                                       'b', 't', 'n', 0, 'f', 'r', 0, 0};
    /// The sixteen bytes from index i on are the shuffle that moves sixteen bytes down by i and fills with zeros.
    static constexpr std::array<unsigned char, 32> moved_down{
        0,    1,    2,    3,    4,    5,    6,    7,    8,    9,    10,   11,   12,   13,   14,   15,
        0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80};

    __attribute__((target("ssse3"))) static Bytes look_up(Bytes table, Bytes at) noexcept {
        return reinterpret_cast<Bytes>(
            __builtin_ia32_pshufb128(reinterpret_cast<Signed>(table), reinterpret_cast<Signed>(at)));
    }
    /// Writes the first `size` of sixteen bytes.
    __attribute__((target("ssse3,popcnt"))) static char* write_block(Bytes bytes, std::size_t size, char* d) noexcept {
        const unsigned taken = (1U << size) - 1;
        const Bytes control = is_control(bytes);
        const unsigned stops = mask(control | is_quoted(bytes)) & taken;
        // An index byte above 7F yields 0.
        const Bytes letter = look_up(load(letters.data()), bytes | reinterpret_cast<Bytes>(bytes > 0x0F));
        if ((mask(control & is(letter, 0)) & taken) != 0) {
            char text[16];
            store(text, bytes);
            return write_escaped_bytes(text, size, d);
        }
        const auto named = reinterpret_cast<Quads>((bytes & ~control) | letter);
        const Quads backslashes = Quads{} + 0x5C5C5C5C5C5C5C5C;
        const auto low = reinterpret_cast<Bytes>(__builtin_shufflevector(named, backslashes, 0, 2));
        const auto top = reinterpret_cast<Bytes>(__builtin_shufflevector(named, backslashes, 1, 3));
        const unsigned low_stops = stops & 0xFFU;
        store(d, look_up(low, load(spread.orders[low_stops])));
        store(d + 8 + __builtin_popcount(low_stops), look_up(top, load(spread.orders[stops >> 8U])));
        return d + size + __builtin_popcount(stops);
    }
};

/// Reads escapes.
class UnescapeAvx2 : Avx2 {
public:
    /// Decodes a group of 64 bytes of a string, up to the end of the string or to an escape other than the
    /// two-character ones (`\f` is not handled either), valid or not. `out` must have room for a group.
    __attribute__((target("avx2,popcnt"))) static GroupEnd take(const char*& text, char*& out, bool& high) noexcept {
        const Bytes low = load(text);
        const Bytes top = load(text + 32);
        high = high || mask(low | top) != 0;
        const std::uint64_t backslashes = both(is(low, '\\'), is(top, '\\'));
        const std::uint64_t stops = both(ends_string(low), ends_string(top));
        if ((backslashes | stops) == 0) {
            std::memcpy(out, &low, sizeof low);
            std::memcpy(out + 32, &top, sizeof top);
            text += 64;
            out += 64;
            return GroupEnd::open;
        }
        const std::uint64_t starts = escape_starts(backslashes);
        const std::uint64_t letters = starts << 1U;
        Bytes low_meant;
        Bytes top_meant;
        const Bytes low_strange = find_meant(low, static_cast<std::uint32_t>(letters), low_meant);
        const Bytes top_strange = find_meant(top, static_cast<std::uint32_t>(letters >> 32U), top_meant);
        const std::uint64_t ends = stops & ~letters;
        const std::uint64_t strange = both(low_strange, top_strange) >> 1U;
        // A backslash whose letter is in the next group is left for it.
        const auto whole = 64U - static_cast<unsigned>(starts >> 63U);
        const unsigned size = std::min(static_cast<unsigned>(std::countr_zero(ends | strange)), whole);
        const std::uint64_t beyond = size == 64 ? 0 : ~std::uint64_t{0} << size;
        const std::uint64_t gone = starts | beyond;
        out = put_kept(low_meant, static_cast<std::uint32_t>(gone), out);
        out = put_kept(top_meant, static_cast<std::uint32_t>(gone >> 32U), out);
        text += size;
        if (size == whole) return GroupEnd::open;
        return *text == '\\' ? GroupEnd::escape : GroupEnd::string_end;
    }

private:
    using Table = utf8_pairs::Table;

    // The letters of escapes and the characters that they stand for, indexed by the two halves of the letter combined
    // with exclusive or.
    alignas(32) static constexpr Table names = utf8_pairs::table({'"', 0, 0, 't', 'b', 'r', 0, 0, 'n', '\\', 0, 0, 0,
                                                                  '/'});
    alignas(32) static constexpr Table meanings = utf8_pairs::table({'"', 0, 0, '\t', '\b', '\r', 0, 0, '\n', '\\', 0,
                                                                     0, 0, '/'});
    /// For each subset of eight positions: the shuffle that moves the other positions together.
    struct Kept {
        std::uint64_t orders[256];
    };
    static constexpr Kept kept = [] {
        Kept table{};
        // Each position doubles the number of subsets. If it is not in the subset, it is the last one kept.
        for (unsigned place = 0, sets = 1; place < 8; ++place, sets *= 2) {
            for (unsigned set = 0; set < sets; ++set) {
                table.orders[set + sets] = table.orders[set];
                table.orders[set] |= std::uint64_t{place}
                                     << (place - static_cast<unsigned>(__builtin_popcount(set))) * 8;
            }
        }
        return table;
    }();

    __attribute__((target("avx2"))) static Bytes is(Bytes bytes, char c) noexcept {
        return reinterpret_cast<Bytes>(bytes == static_cast<unsigned char>(c));
    }
    __attribute__((target("avx2"))) static Bytes is_control(Bytes bytes) noexcept {
        return reinterpret_cast<Bytes>(bytes <= 0x1F);
    }
    __attribute__((target("avx2"))) static Bytes ends_string(Bytes bytes) noexcept {
        return is(bytes, '"') | is_control(bytes);
    }
    __attribute__((target("avx2"))) static std::uint64_t both(Bytes low, Bytes top) noexcept {
        return mask(low) | std::uint64_t{mask(top)} << 32U;
    }

    /// Returns the backslashes that begin an escape: the first, third and so on of every run.
    static std::uint64_t escape_starts(std::uint64_t backslashes) noexcept {
        constexpr std::uint64_t even = 0x5555555555555555U;
        const std::uint64_t run_starts = backslashes & ~(backslashes << 1U);
        // Adding its first bit to a run carries that bit to just after the run.
        const std::uint64_t even_runs = backslashes & ~(backslashes + (run_starts & even));
        return (even_runs & even) | (backslashes & ~even_runs & ~even);
    }
    /// Expands each bit to a byte of ones or zeros.
    __attribute__((target("avx2"))) static Bytes bytes_of(std::uint32_t bits) noexcept {
        constexpr Bytes byte_of_bit{0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1,
                                    2, 2, 2, 2, 2, 2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3};
        constexpr Quads bit_of_byte = Quads{} + static_cast<long long>(0x8040201008040201U);
        const auto all = reinterpret_cast<Signed>(Ints{} + bits);
        const auto bytes = __builtin_ia32_pshufb256(all, reinterpret_cast<Signed>(byte_of_bit));
        const auto bit = reinterpret_cast<Bytes>(bit_of_byte);
        return reinterpret_cast<Bytes>((reinterpret_cast<Bytes>(bytes) & bit) == bit);
    }
    /// Replaces the letters of escapes by the characters that they stand for; returns the letters that are unknown.
    __attribute__((target("avx2"))) static Bytes find_meant(Bytes bytes, std::uint32_t letters, Bytes& meant) noexcept {
        const Bytes letter = bytes_of(letters);
        const Bytes index = bytes ^ high_half(bytes);
        meant = (bytes & ~letter) | (look_up(meanings, index) & letter);
        return letter & reinterpret_cast<Bytes>(look_up(names, index) != bytes);
    }
    using Eights = long long __attribute__((vector_size(16)));
    using Chars = char __attribute__((vector_size(16)));

    /// Writes the bytes that are not in `gone`.
    __attribute__((target("avx2,popcnt"))) static char* put_kept(Bytes bytes, std::uint32_t gone, char* d) noexcept {
        const auto all = reinterpret_cast<Quads>(bytes);
        put_kept(__builtin_shufflevector(all, all, 0, 1), gone & 0xFFFFU, d);
        put_kept(__builtin_shufflevector(all, all, 2, 3), gone >> 16U, d + 16 - __builtin_popcount(gone & 0xFFFFU));
        return d + 32 - __builtin_popcount(gone);
    }
    __attribute__((target("avx2,popcnt"))) static void put_kept(Eights bytes, unsigned gone, char* d) noexcept {
        const unsigned low = gone & 0xFFU;
        put_eight(bytes, low, d);
        put_eight(__builtin_shufflevector(bytes, bytes, 1, 1), gone >> 8U, d + 8 - __builtin_popcount(low));
    }
    __attribute__((target("avx2"))) static void put_eight(Eights bytes, unsigned gone, char* d) noexcept {
        const Eights order{static_cast<long long>(kept.orders[gone]), 0};
        const auto drawn = __builtin_ia32_pshufb128(reinterpret_cast<Chars>(bytes), reinterpret_cast<Chars>(order));
        std::memcpy(d, &drawn, 8);
    }
};

#endif

/// Writes a text with its escapes, which needs at most `room_for_escaped` bytes; returns the place after it.
inline char* write_escaped(const char* p, std::size_t size, char* d) noexcept {
#if defined(ACTA_DETAIL_X86)
    if (size >= 16 && __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt"))
        return EscapeSsse3::write(p, size, d);
#endif
    return write_escaped_groups(p, size, d);
}

/// Decodes a group of 64 bytes of a string as `UnescapeAvx2` does; `not_taken` if the processor has no AVX2.
inline GroupEnd take_escaped_group(const char*& text, char*& out, bool& high) noexcept {
#if defined(ACTA_DETAIL_X86)
    if (__builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt")) return UnescapeAvx2::take(text, out, high);
#endif
    static_cast<void>(text);
    static_cast<void>(out);
    static_cast<void>(high);
    return GroupEnd::not_taken;
}

}  // namespace acta::inline ACTA_ABI::json_detail

#undef ACTA_DETAIL_X86
