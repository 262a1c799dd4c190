// SPDX-License-Identifier: MIT
#pragma once

#include <array>

#include "acta/json/detail/simd/scan.hpp"

// On x86 processors with AVX2 (most since about 2013), detected at run time, UTF-8 is validated by table look-ups on
// thirty-two bytes at once: the method of Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte"
// (2021). Every pair of neighbouring bytes is classed by three half bytes; each class is a bit that says what may be
// wrong with the pair, and a pair is wrong if all three agree.
#if !defined(ACTA_NO_SIMD) && defined(__GNUC__) && defined(__SSE2__)
#define ACTA_DETAIL_X86 1
#endif

namespace acta::inline ACTA_ABI::json_detail {

#if defined(ACTA_DETAIL_X86)

/// The errors that a pair of bytes may have, and the tables that classify pairs.
namespace utf8_pairs {

inline constexpr int too_short = 1 << 0;                          // a lead, then no tail
inline constexpr int too_long = 1 << 1;                           // ASCII, then a tail
inline constexpr int overlong_3 = 1 << 2;                         // E0 80..9F
inline constexpr int too_large = 1 << 3;                          // F4 90..., F5...
inline constexpr int surrogate = 1 << 4;                          // ED A0..BF
inline constexpr int overlong_2 = 1 << 5;                         // C0, C1
inline constexpr int large_or_over_4 = 1 << 6;                    // F5 80..8F, and F0 80..8F
inline constexpr int two_tails = 1 << 7;                          // valid only as the end of a longer sequence
inline constexpr int any_low = too_short | too_long | two_tails;  // whatever the low half of the first byte is
inline constexpr int large = any_low | too_large | large_or_over_4;
inline constexpr int tail = too_long | overlong_2 | two_tails;

using Table = std::array<unsigned char, 32>;  // twice the same sixteen: look-ups stay within sixteen bytes
constexpr Table table(std::array<int, 16> classes) {
    Table out{};
    for (std::size_t i = 0; i < out.size(); ++i) out[i] = static_cast<unsigned char>(classes[i % 16]);
    return out;
}
// By the high half of the first byte, by its low half, and by the high half of the second byte.
alignas(32) inline constexpr Table first_high = table({too_long, too_long, too_long, too_long, too_long, too_long,
                                                       too_long, too_long, two_tails, two_tails, two_tails, two_tails,
                                                       too_short | overlong_2, too_short,
                                                       too_short | overlong_3 | surrogate,
                                                       too_short | too_large | large_or_over_4});
alignas(32) inline constexpr Table first_low = table({any_low | overlong_2 | overlong_3 | large_or_over_4,
                                                      any_low | overlong_2, any_low, any_low, any_low | too_large,
                                                      large, large, large, large, large, large, large, large,
                                                      large | surrogate, large, large});
alignas(32) inline constexpr Table second_high =
    table({too_short, too_short, too_short, too_short, too_short, too_short, too_short, too_short,
           tail | overlong_3 | large_or_over_4, tail | overlong_3 | too_large, tail | surrogate | too_large,
           tail | surrogate | too_large, too_short, too_short, too_short, too_short});
}  // namespace utf8_pairs

/// Thirty-two bytes at a time, as `Sse2` does with sixteen.
class Avx2 {
protected:
    using Bytes = unsigned char __attribute__((vector_size(32)));
    using Signed = char __attribute__((vector_size(32)));
    using Words = unsigned short __attribute__((vector_size(32)));
    using Ints = unsigned __attribute__((vector_size(32)));
    using Quads = long long __attribute__((vector_size(32)));

    __attribute__((target("avx2"))) static Bytes load(const void* p) noexcept {
        Bytes bytes;
        std::memcpy(&bytes, p, sizeof bytes);
        return bytes;
    }
    __attribute__((target("avx2"))) static bool none(Bytes error) noexcept {
        return __builtin_ia32_ptestz256(reinterpret_cast<Quads>(error), reinterpret_cast<Quads>(error)) != 0;
    }
    __attribute__((target("avx2"))) static Bytes look_up(const utf8_pairs::Table& table, Bytes at) noexcept {
        return reinterpret_cast<Bytes>(__builtin_ia32_pshufb256(reinterpret_cast<Signed>(load(table.data())),
                                                                reinterpret_cast<Signed>(at & 0x0F)));
    }
    /// Moves the high half of each byte to its low half; `look_up` ignores the other bits.
    __attribute__((target("avx2"))) static Bytes high_half(Bytes bytes) noexcept {
        return reinterpret_cast<Bytes>(reinterpret_cast<Words>(bytes) >> 4);
    }
    __attribute__((target("avx2"))) static std::uint32_t mask(Bytes bytes) noexcept {
        return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb256(reinterpret_cast<Signed>(bytes)));
    }
};

class Utf8Avx2 : Avx2 {
public:
    __attribute__((target("avx2"))) static bool good(const char* p, const char* end) noexcept {
        if (end - p < 3 + 32) return short_good(p, static_cast<std::size_t>(end - p));
        if (open_before(end)) return false;
        // A block needs the three bytes before it.
        Bytes error{};
        std::uint32_t start = 0;
        std::memcpy(&start, p, sizeof start);
        if ((start & 0x80808080U) == 0) {
            p += 3;
        } else {
            char first[3 + 32] = {};
            std::memcpy(first + 3, p, 32);
            error = wrong(first + 3);
            p += 32;
        }
        const char* const last = end - 32;
        for (auto left = static_cast<std::size_t>(end - p); left != 0;) {
            // Most texts are ASCII for long stretches, and finding that out takes a quarter of the time that checking
            // does (measured: a sixth of the time to write). The first block still shows whether a sequence is open.
            const std::size_t size = std::min<std::size_t>(left, 128);
            const std::size_t checked = size == 128 && is_plain(p) ? 32 : size;
            for (std::size_t i = 0; i < checked; i += 32) error |= wrong(std::min(p + i, last));
            p += size;
            left -= size;
        }
        return none(error);
    }

private:
    __attribute__((target("avx2"))) static bool short_good(const char* p, std::size_t size) noexcept {
        char text[3 + 64] = {};
        std::memcpy(text + 3, p, size);
        Bytes error{};
        for (const char* at = text + 3; at < text + sizeof text; at += 32) error |= wrong(at);
        return none(error);
    }
    /// Returns whether 128 bytes are ASCII.
    __attribute__((target("avx2"))) static bool is_plain(const char* p) noexcept {
        return none((load(p) | load(p + 32) | load(p + 64) | load(p + 96)) & 0x80);
    }
    /// Returns whether the text before `end` ends in the middle of a sequence.
    static bool open_before(const char* end) noexcept {
        const auto byte = [end](int i) { return static_cast<unsigned char>(end[i]); };
        return byte(-1) >= 0xC0 || byte(-2) >= 0xE0 || byte(-3) >= 0xF0;
    }
    __attribute__((target("avx2"), always_inline)) static Bytes wrong(const char* p) noexcept {
        const Bytes first = load(p - 1);
        const Bytes pair = look_up(utf8_pairs::first_high, high_half(first)) & look_up(utf8_pairs::first_low, first) &
                           look_up(utf8_pairs::second_high, high_half(load(p)));
        const auto tail_due = reinterpret_cast<Bytes>((load(p - 2) >= 0xE0) | (load(p - 3) >= 0xF0));
        return (tail_due & 0x80) ^ pair;
    }
};

/// Returns whether a text of at most four blocks is ASCII.
inline bool is_short_ascii(const char* p, std::size_t size) noexcept {
    std::uint64_t a = 0;
    std::uint64_t b = 0;
    if (size > 2 * sizeof a) {
        constexpr std::size_t block = Block::size;
        const char* const end = p + size;
        const Block ends = Block(p).joined(Block(end - block));
        return (size <= 2 * block ? ends : ends.joined(Block(p + block)).joined(Block(end - 2 * block))).high() == 0;
    }
    if (size >= 8) {
        std::memcpy(&a, p, 8);
        std::memcpy(&b, p + size - 8, 8);
    } else {
        std::memcpy(&a, p, size);
    }
    return ((a | b) & 0x8080808080808080U) == 0;
}

#endif

/// Returns whether the whole text is UTF-8.
inline bool is_utf8(const char* p, const char* const end) noexcept {
    if (p == end) return true;
#if defined(ACTA_DETAIL_X86)
    if (end - p <= std::ptrdiff_t{4 * Block::size} && is_short_ascii(p, static_cast<std::size_t>(end - p))) return true;
    if (__builtin_cpu_supports("avx2")) return Utf8Avx2::good(p, end);
#endif
    return is_utf8_by_blocks(p, end);
}

}  // namespace acta::inline ACTA_ABI::json_detail

#undef ACTA_DETAIL_X86
