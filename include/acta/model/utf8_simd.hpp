// SPDX-License-Identifier: MIT
#pragma once

#include "acta/model/scan.hpp"

// On x86 processors with SSSE3 (all since about 2008), found out at run time, UTF-8 is checked by table
// look-ups on sixteen bytes at once: the method of Keiser and Lemire, "Validating UTF-8 in less than one
// instruction per byte" (2021). Every pair of neighbouring bytes is classed by three half bytes; each
// class is a bit that says what may be wrong with the pair, and a pair is wrong where all three agree.
#if !defined(ACTA_NO_SIMD) && defined(__GNUC__) && (defined(__x86_64__) || defined(__i386__))
#define ACTA_DETAIL_SSSE3 1
#include <tmmintrin.h>
#endif

namespace acta::inline v0::detail {

#if defined(ACTA_DETAIL_SSSE3)

class Utf8Lookup {
public:
    __attribute__((target("ssse3"))) static bool good(const char* p, const char* end) noexcept {
        // Blocks look back three bytes, so the first stands in a buffer of its own, and so does the last.
        char first[3 + 16] = {};
        std::memcpy(first + 3, p, static_cast<std::size_t>(std::min<std::ptrdiff_t>(end - p, 16)));
        __m128i error = wrong(first + 3);
        if (end - p <= 16) return none(_mm_or_si128(error, open_at_end(first + 3)));
        p += 16;
        bool open = true;  // whether a sequence may reach into the next block
        while (end - p >= 64) {
            // By fours: whether a single block is all ASCII is hard to foresee.
            const __m128i last = load(p + 48);
            const __m128i any = _mm_or_si128(_mm_or_si128(load(p), load(p + 16)), _mm_or_si128(load(p + 32), last));
            if (_mm_movemask_epi8(any) != 0 || open) {
                const __m128i half = _mm_or_si128(wrong(p), wrong(p + 16));
                error = _mm_or_si128(error, _mm_or_si128(half, _mm_or_si128(wrong(p + 32), wrong(p + 48))));
                open = _mm_movemask_epi8(last) >= 0x2000;  // one of the last three bytes is high
            }
            p += 64;
        }
        for (; end - p >= 16; p += 16) error = _mm_or_si128(error, wrong(p));
        char rest[3 + 16] = {};
        std::memcpy(rest, p - 3, static_cast<std::size_t>(end - p) + 3);
        error = _mm_or_si128(error, wrong(rest + 3));
        return none(_mm_or_si128(error, open_at_end(rest + 3)));
    }

private:
    // What may be wrong with a pair of bytes.
    static constexpr int too_short = 1 << 0;                          // a lead, then no tail
    static constexpr int too_long = 1 << 1;                           // ASCII, then a tail
    static constexpr int overlong_3 = 1 << 2;                         // E0 80..9F
    static constexpr int too_large = 1 << 3;                          // F4 90..., F5...
    static constexpr int surrogate = 1 << 4;                          // ED A0..BF
    static constexpr int overlong_2 = 1 << 5;                         // C0, C1
    static constexpr int large_or_over_4 = 1 << 6;                    // F5 80..8F, and F0 80..8F
    static constexpr int two_tails = 1 << 7;                          // right only as the end of a longer sequence
    static constexpr int any_low = too_short | too_long | two_tails;  // whatever the low half of the first byte is

    static __m128i load(const char* p) noexcept { return _mm_loadu_si128(reinterpret_cast<const __m128i*>(p)); }
    static __m128i fill(int byte) noexcept { return _mm_set1_epi8(static_cast<char>(byte)); }
    template <class... Byte>
    static __m128i table(Byte... byte) noexcept {
        static_assert(sizeof...(byte) == 16);
        return _mm_setr_epi8(static_cast<char>(byte)...);
    }

    static bool none(__m128i error) noexcept {
        return _mm_movemask_epi8(_mm_cmpeq_epi8(error, _mm_setzero_si128())) == 0xFFFF;
    }
    /// Whether a sequence is open after the sixteen bytes at `p`: it would be with zeros behind.
    __attribute__((target("ssse3"))) static __m128i open_at_end(const char* p) noexcept {
        char after[3 + 16] = {};
        std::memcpy(after, p + 13, 3);
        return wrong(after + 3);
    }
    __attribute__((target("ssse3"))) static __m128i wrong(const char* p) noexcept {
        const __m128i block = load(p);
        const __m128i first_high = table(too_long, too_long, too_long, too_long, too_long, too_long, too_long, too_long,
                                         two_tails, two_tails, two_tails, two_tails, too_short | overlong_2, too_short,
                                         too_short | overlong_3 | surrogate, too_short | too_large | large_or_over_4);
        constexpr int large = any_low | too_large | large_or_over_4;
        const __m128i first_low = table(any_low | overlong_2 | overlong_3 | large_or_over_4, any_low | overlong_2,
                                        any_low, any_low, any_low | too_large, large, large, large, large, large, large,
                                        large, large, large | surrogate, large, large);
        constexpr int tail = too_long | overlong_2 | two_tails;
        const __m128i second_high =
            table(too_short, too_short, too_short, too_short, too_short, too_short, too_short, too_short,
                  tail | overlong_3 | large_or_over_4, tail | overlong_3 | too_large, tail | surrogate | too_large,
                  tail | surrogate | too_large, too_short, too_short, too_short, too_short);
        const __m128i low4 = fill(0x0F);
        const __m128i back1 = load(p - 1);
        const __m128i pair =
            _mm_and_si128(_mm_and_si128(_mm_shuffle_epi8(first_high, _mm_and_si128(_mm_srli_epi16(back1, 4), low4)),
                                        _mm_shuffle_epi8(first_low, _mm_and_si128(back1, low4))),
                          _mm_shuffle_epi8(second_high, _mm_and_si128(_mm_srli_epi16(block, 4), low4)));
        // Two tails in a row are right exactly two after E0.. and three after F0..
        const __m128i third = _mm_subs_epu8(load(p - 2), fill(0xE0 - 0x80));
        const __m128i fourth = _mm_subs_epu8(load(p - 3), fill(0xF0 - 0x80));
        return _mm_xor_si128(_mm_and_si128(_mm_or_si128(third, fourth), fill(0x80)), pair);
    }
};

#endif

/// Whether the whole text is UTF-8.
inline bool is_utf8(const char* p, const char* const end) noexcept {
#if defined(ACTA_DETAIL_SSSE3)
    if (__builtin_cpu_supports("ssse3")) return Utf8Lookup::good(p, end);
#endif
    return is_utf8_by_blocks(p, end);
}

}  // namespace acta::inline v0::detail

#undef ACTA_DETAIL_SSSE3
