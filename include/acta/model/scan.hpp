// SPDX-License-Identifier: MIT
#pragma once

#include <bit>
#include <cstdint>
#include <cstring>

// The bytes of a JSON string that need attention, found a block at a time. `ACTA_NO_SIMD` chooses
// the portable path, which the tests run too.
#if !defined(ACTA_NO_SIMD) && (defined(__SSE2__) || defined(_M_X64))
#define ACTA_DETAIL_SSE2 1
#include <emmintrin.h>
#elif !defined(ACTA_NO_SIMD) && defined(__ARM_NEON) && defined(__aarch64__)
#define ACTA_DETAIL_NEON 1
#include <arm_neon.h>
#endif

namespace acta::inline v0::detail {

#if defined(ACTA_DETAIL_SSE2)

/// Sixteen bytes of text. `special()` has a bit for each byte that is a quote, a backslash, a
/// control character or outside ASCII; `plain_end()` the same without the last kind.
class Block {
public:
    static constexpr std::size_t size = 16;
    using Mask = std::uint32_t;

    explicit Block(const char* p) noexcept : bytes_(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))) {}
    void store(char* p) const noexcept { _mm_storeu_si128(reinterpret_cast<__m128i*>(p), bytes_); }

    [[nodiscard]] Mask special() const noexcept {
        // As signed bytes, everything outside ASCII is below 0x20 as well: one comparison for both.
        const __m128i low = _mm_cmplt_epi8(bytes_, _mm_set1_epi8(0x20));
        return static_cast<Mask>(_mm_movemask_epi8(_mm_or_si128(low, quotes())));
    }
    [[nodiscard]] Mask high() const noexcept { return static_cast<Mask>(_mm_movemask_epi8(bytes_)); }
    static std::size_t first(Mask mask) noexcept { return static_cast<std::size_t>(std::countr_zero(mask)); }
    static std::size_t count(Mask mask) noexcept { return static_cast<std::size_t>(std::popcount(mask)); }

private:
    [[nodiscard]] __m128i quotes() const noexcept {
        return _mm_or_si128(_mm_cmpeq_epi8(bytes_, _mm_set1_epi8('"')), _mm_cmpeq_epi8(bytes_, _mm_set1_epi8('\\')));
    }
    __m128i bytes_;
};

#elif defined(ACTA_DETAIL_NEON)

class Block {
public:
    static constexpr std::size_t size = 16;
    using Mask = std::uint64_t;  // four bits a byte: NEON has no movemask

    explicit Block(const char* p) noexcept : bytes_(vld1q_u8(reinterpret_cast<const std::uint8_t*>(p))) {}
    void store(char* p) const noexcept { vst1q_u8(reinterpret_cast<std::uint8_t*>(p), bytes_); }

    [[nodiscard]] Mask special() const noexcept {
        const uint8x16_t quotes = vorrq_u8(vceqq_u8(bytes_, vdupq_n_u8('"')), vceqq_u8(bytes_, vdupq_n_u8('\\')));
        const uint8x16_t low = vcltq_s8(vreinterpretq_s8_u8(bytes_), vdupq_n_s8(0x20));
        return mask(vorrq_u8(quotes, low));
    }
    [[nodiscard]] Mask high() const noexcept { return mask(vcgeq_u8(bytes_, vdupq_n_u8(0x80))); }
    static std::size_t first(Mask m) noexcept { return static_cast<std::size_t>(std::countr_zero(m)) / 4; }
    static std::size_t count(Mask m) noexcept { return static_cast<std::size_t>(std::popcount(m)) / 4; }

private:
    static Mask mask(uint8x16_t set) noexcept {
        return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(set), 4)), 0);
    }
    uint8x16_t bytes_;
};

#else

/// The word-wise path. The mask has the top bit of each byte that is meant.
class Block {
public:
    static constexpr std::size_t size = 8;
    using Mask = std::uint64_t;

    explicit Block(const char* p) noexcept { std::memcpy(&bytes_, p, sizeof bytes_); }
    void store(char* p) const noexcept { std::memcpy(p, &bytes_, sizeof bytes_); }

    [[nodiscard]] Mask special() const noexcept {
        // Borrow-free per-byte tests: each works on the low seven bits of every byte.
        const Mask quote = zero_bytes(bytes_ ^ (ones * 0x22));
        const Mask backslash = zero_bytes(bytes_ ^ (ones * 0x5C));
        const Mask control = ~((bytes_ & low7) + ones * 0x60) & tops;
        return (quote | backslash | control | bytes_) & tops;
    }
    [[nodiscard]] Mask high() const noexcept { return bytes_ & tops; }
    static std::size_t first(Mask mask) noexcept {
        if constexpr (std::endian::native == std::endian::little)
            return static_cast<std::size_t>(std::countr_zero(mask)) / 8;
        else
            return static_cast<std::size_t>(std::countl_zero(mask)) / 8;
    }
    static std::size_t count(Mask mask) noexcept { return static_cast<std::size_t>(std::popcount(mask)); }

private:
    static constexpr Mask ones = 0x0101010101010101U;
    static constexpr Mask tops = 0x8080808080808080U;
    static constexpr Mask low7 = 0x7F7F7F7F7F7F7F7FU;
    static constexpr Mask zero_bytes(Mask word) noexcept { return ~(((word & low7) + low7) | word) & tops; }
    Mask bytes_ = 0;
};

#endif

/// Whether `c` ends a run of text that can be copied as it is.
constexpr bool is_special(char c) noexcept {
    const auto byte = static_cast<unsigned char>(c);
    return byte < 0x20 || byte >= 0x80 || c == '"' || c == '\\';
}

/// The first byte at or after `p` that is special, or `end`.
inline const char* find_special(const char* p, const char* end) noexcept {
    while (static_cast<std::size_t>(end - p) >= Block::size) {
        const Block::Mask mask = Block(p).special();
        if (mask != 0) return p + Block::first(mask);
        p += Block::size;
    }
    while (p != end && !is_special(*p)) ++p;
    return p;
}

}  // namespace acta::inline v0::detail

#undef ACTA_DETAIL_SSE2
#undef ACTA_DETAIL_NEON
