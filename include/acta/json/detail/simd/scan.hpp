// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>

#include "acta/base/utf8.hpp"

// Finds the bytes of a JSON string that need attention, a block at a time. Define ACTA_NO_SIMD in all sources of a
// program to use the portable code, which is also tested.
#if !defined(ACTA_NO_SIMD) && defined(__GNUC__) && defined(__SSE2__)
#define ACTA_DETAIL_SSE2 1
#elif !defined(ACTA_NO_SIMD) && defined(__ARM_NEON) && defined(__aarch64__)
#define ACTA_DETAIL_NEON 1
#include <arm_neon.h>
#endif

namespace acta::inline ACTA_ABI::json_detail {

// Without it the state of a loop of a few instructions is spilled to memory (measured: a fifth of the time to encode).
#if defined(__GNUC__)
#define ACTA_DETAIL_INLINE [[gnu::always_inline]]
#else
#define ACTA_DETAIL_INLINE
#endif

// A block of text. A mask has `stride` bits for each byte, the first byte lowest; `width` is the number of significant
// bits.
//   stops()   quotes, backslashes and control characters
//   high()    bytes outside ASCII
//   tails()   10xxxxxx; leads2(), leads3(), leads4(): bytes from C0, E0, F0 on
//   doubtful() leads that are invalid, or valid only before some bytes: C0, C1, E0, ED, F0, F4 and above
#if defined(ACTA_DETAIL_SSE2)

/// Sixteen bytes at a time. Uses the compiler's vector extensions, because <emmintrin.h> would add five thousand lines
/// to every source that includes acta.
class Sse2 {
protected:
    using Bytes = unsigned char __attribute__((vector_size(16)));
    using Signed = char __attribute__((vector_size(16)));
    using Numbers = signed char __attribute__((vector_size(16)));
    using Quads = long long __attribute__((vector_size(16)));

    static Bytes load(const void* p) noexcept {
        Bytes bytes;
        std::memcpy(&bytes, p, sizeof bytes);
        return bytes;
    }
    static void store(char* p, Bytes bytes) noexcept { std::memcpy(p, &bytes, sizeof bytes); }
    static std::uint32_t mask(Bytes set) noexcept {
        return static_cast<std::uint32_t>(__builtin_ia32_pmovmskb128(reinterpret_cast<Signed>(set)));
    }
    static Bytes is(Bytes bytes, unsigned char c) noexcept { return reinterpret_cast<Bytes>(bytes == c); }
    static Bytes is_control(Bytes bytes) noexcept { return reinterpret_cast<Bytes>(bytes <= 0x1F); }
    static Bytes is_quoted(Bytes bytes) noexcept { return is(bytes, '"') | is(bytes, '\\'); }
    /// Returns the sum of sixteen counts.
    static std::size_t sum(Bytes counts) noexcept {
        const Quads halves = __builtin_ia32_psadbw128(reinterpret_cast<Signed>(counts), Signed{});
        return static_cast<std::size_t>(halves[0]) + static_cast<std::size_t>(halves[1]);
    }
};

class Block : Sse2 {
public:
    static constexpr std::size_t size = 16;
    using Mask = std::uint32_t;
    static constexpr unsigned stride = 1;
    static constexpr unsigned width = 16;

    explicit Block(const char* p) noexcept : bytes_(load(p)) {}
    void store(char* p) const noexcept { Sse2::store(p, bytes_); }

    [[nodiscard]] Mask stops() const noexcept { return mask(is_control(bytes_) | is_quoted(bytes_)); }
    [[nodiscard]] Mask high() const noexcept { return mask(bytes_); }
    /// Returns a block whose bytes are outside ASCII where those of either block are.
    [[nodiscard]] Block joined(const Block& other) const noexcept { return Block(bytes_ | other.bytes_); }
    [[nodiscard]] Mask tails() const noexcept {
        return mask(reinterpret_cast<Bytes>(reinterpret_cast<Numbers>(bytes_) < -0x40));
    }
    [[nodiscard]] Mask leads2() const noexcept { return from(0xC0); }
    [[nodiscard]] Mask leads3() const noexcept { return from(0xE0); }
    [[nodiscard]] Mask leads4() const noexcept { return from(0xF0); }
    [[nodiscard]] Mask doubtful() const noexcept {
        return mask(is(bytes_ & 0xFE, 0xC0) | is(bytes_, 0xE0) | is(bytes_, 0xED) | is(bytes_, 0xF0) |
                    reinterpret_cast<Bytes>(bytes_ >= 0xF4));
    }

private:
    explicit Block(Bytes bytes) noexcept : bytes_(bytes) {}
    [[nodiscard]] Mask from(unsigned char least) const noexcept {
        return mask(reinterpret_cast<Bytes>(bytes_ >= least));
    }
    Bytes bytes_;
};

#elif defined(ACTA_DETAIL_NEON)

class Block {
public:
    static constexpr std::size_t size = 16;
    using Mask = std::uint64_t;
    static constexpr unsigned stride = 4;  // NEON has no movemask; narrowing gives four bits a byte
    static constexpr unsigned width = 64;

    explicit Block(const char* p) noexcept : bytes_(vld1q_u8(reinterpret_cast<const std::uint8_t*>(p))) {}
    void store(char* p) const noexcept { vst1q_u8(reinterpret_cast<std::uint8_t*>(p), bytes_); }

    [[nodiscard]] Mask stops() const noexcept {
        return mask(vorrq_u8(vcltq_u8(bytes_, vdupq_n_u8(0x20)), vorrq_u8(equal('"'), equal('\\'))));
    }
    [[nodiscard]] Mask high() const noexcept { return from(0x80); }
    [[nodiscard]] Block joined(const Block& other) const noexcept { return Block(vorrq_u8(bytes_, other.bytes_)); }
    [[nodiscard]] Mask tails() const noexcept { return from(0x80) & ~from(0xC0); }
    [[nodiscard]] Mask leads2() const noexcept { return from(0xC0); }
    [[nodiscard]] Mask leads3() const noexcept { return from(0xE0); }
    [[nodiscard]] Mask leads4() const noexcept { return from(0xF0); }
    [[nodiscard]] Mask doubtful() const noexcept {
        const uint8x16_t c0 = vceqq_u8(vandq_u8(bytes_, vdupq_n_u8(0xFE)), vdupq_n_u8(0xC0));
        const uint8x16_t three = vorrq_u8(equal(0xE0), equal(0xED));
        const uint8x16_t four = vorrq_u8(equal(0xF0), vcgeq_u8(bytes_, vdupq_n_u8(0xF4)));
        return mask(vorrq_u8(c0, vorrq_u8(three, four)));
    }

private:
    explicit Block(uint8x16_t bytes) noexcept : bytes_(bytes) {}
    static Mask mask(uint8x16_t set) noexcept {
        return vget_lane_u64(vreinterpret_u64_u8(vshrn_n_u16(vreinterpretq_u16_u8(set), 4)), 0);
    }
    [[nodiscard]] uint8x16_t equal(std::uint8_t c) const noexcept { return vceqq_u8(bytes_, vdupq_n_u8(c)); }
    [[nodiscard]] Mask from(std::uint8_t least) const noexcept { return mask(vcgeq_u8(bytes_, vdupq_n_u8(least))); }
    uint8x16_t bytes_;
};

#else

class Block {
public:
    static constexpr std::size_t size = 8;
    using Mask = std::uint64_t;
    static constexpr unsigned stride = 8;  // the top bit of each byte
    static constexpr unsigned width = 64;

    explicit Block(const char* p) noexcept {
        std::memcpy(&bytes_, p, sizeof bytes_);
        bytes_ = first_lowest(bytes_);
    }
    void store(char* p) const noexcept {
        const Mask word = first_lowest(bytes_);
        std::memcpy(p, &word, sizeof word);
    }

    [[nodiscard]] Mask stops() const noexcept {
        const Mask at_least_20 = ((bytes_ & low7) + ones * 0x60) | bytes_;  // no carry between bytes
        return (~at_least_20 | equal('"') | equal('\\')) & tops;
    }
    [[nodiscard]] Mask high() const noexcept { return bytes_ & tops; }
    [[nodiscard]] Block joined(const Block& other) const noexcept {
        Block both(*this);
        both.bytes_ |= other.bytes_;
        return both;
    }
    [[nodiscard]] Mask tails() const noexcept { return bytes_ & ~(bytes_ << 1U) & tops; }
    [[nodiscard]] Mask leads2() const noexcept { return bytes_ & (bytes_ << 1U) & tops; }
    [[nodiscard]] Mask leads3() const noexcept { return leads2() & (bytes_ << 2U); }
    [[nodiscard]] Mask leads4() const noexcept { return leads3() & (bytes_ << 3U); }
    [[nodiscard]] Mask doubtful() const noexcept {
        const Mask c0 = zero_bytes((bytes_ & (ones * 0xFE)) ^ (ones * 0xC0));
        return c0 | equal(0xE0) | equal(0xED) | leads4();
    }

private:
    static constexpr Mask ones = 0x0101010101010101U;
    static constexpr Mask tops = 0x8080808080808080U;
    static constexpr Mask low7 = 0x7F7F7F7F7F7F7F7FU;
    static constexpr Mask zero_bytes(Mask word) noexcept { return ~(((word & low7) + low7) | word) & tops; }
    [[nodiscard]] Mask equal(unsigned c) const noexcept { return zero_bytes(bytes_ ^ (ones * c)); }
    static constexpr Mask first_lowest(Mask word) noexcept {
        if constexpr (std::endian::native == std::endian::little) return word;
        Mask out = 0;
        for (unsigned i = 0; i < size; ++i) out |= ((word >> (8 * i)) & 0xFF) << (8 * (size - 1 - i));
        return out;
    }
    Mask bytes_ = 0;
};

#endif

/// Returns the index of the first byte in a mask, or `Block::size` for none.
inline std::size_t first_of(Block::Mask mask) noexcept {
    if (mask == 0) return Block::size;
    return static_cast<std::size_t>(std::countr_zero(mask)) / Block::stride;
}
/// Sixty-four bytes of text, whose stops are found all at once: one unpredictable branch for the group instead of one
/// for each stop.
class Group {
public:
    static constexpr std::size_t size = 64;

    // The functions recurse over the blocks, because g++ does not unroll a loop over them at -O2.

    /// A bit for each byte of the group at `p` that is a quote, a backslash or a control character.
    template <std::size_t At = 0>
    ACTA_DETAIL_INLINE static std::uint64_t stops(const char* p) noexcept {
        if constexpr (At == size)
            return 0;
        else
            return (one_bit_a_byte(Block(p + At).stops()) << At) | stops<At + Block::size>(p);
    }
    ACTA_DETAIL_INLINE static bool high(const char* p) noexcept { return all_of<Block::size>(Block(p), p).high() != 0; }
    template <std::size_t At = 0>
    ACTA_DETAIL_INLINE static void copy(char* to, const char* from) noexcept {
        Block(from + At).store(to + At);
        if constexpr (At + Block::size != size) copy<At + Block::size>(to, from);
    }

private:
    template <std::size_t At>
    ACTA_DETAIL_INLINE static Block all_of(const Block& before, const char* p) noexcept {
        if constexpr (At == size)
            return before;
        else
            return all_of<At + Block::size>(before.joined(Block(p + At)), p);
    }
    static std::uint64_t one_bit_a_byte(Block::Mask mask) noexcept {
        if constexpr (Block::stride == 1) {
            return mask;
        } else {
            std::uint64_t out = 0;
            for (std::size_t i = 0; i < Block::size; ++i)
                out |= ((std::uint64_t{mask} >> (i * Block::stride + Block::stride - 1)) & 1U) << i;
            return out;
        }
    }
};

/// Checks that text is UTF-8, a block at a time. The leads of a block determine at once where tails must be, which is
/// compared with where they are. Only the few doubtful leads are checked one by one.
class Utf8Check {
public:
    /// Checks the block at `p`; may read on up to `end`.
    ACTA_DETAIL_INLINE void take(const Block block, const char* p, const char* end) noexcept {
        constexpr unsigned s = Block::stride;
        constexpr unsigned w = Block::width;
        constexpr Mask all = w == sizeof(Mask) * 8 ? ~Mask{0} : (Mask{1} << (w % (sizeof(Mask) * 8))) - 1;
        const Mask two = block.leads2();
        const Mask three = block.leads3();
        const Mask four = block.leads4();
        const Mask wanted = ((two << s) | (three << (2 * s)) | (four << (3 * s)) | awaited_) & all;
        wrong_ |= wanted ^ block.tails();
        awaited_ = (two >> (w - s)) | (three >> (w - 2 * s)) | (four >> (w - 3 * s));
        for (Mask doubts = block.doubtful(); doubts != 0;) {
            const std::size_t i = first_of(doubts);
            if (utf8::sequence_length(p + i, end) == 0) wrong_ = all;
            doubts &= i + 1 == Block::size ? 0 : ~((Mask{1} << ((i + 1) * s)) - 1);
        }
    }
    [[nodiscard]] bool between_sequences() const noexcept { return awaited_ == 0; }
    [[nodiscard]] bool good() const noexcept { return (wrong_ | awaited_) == 0; }

private:
    using Mask = Block::Mask;
    Mask awaited_ = 0;  // tails that must begin the next block
    Mask wrong_ = 0;
};

/// Returns whether the whole text is UTF-8. `is_utf8` is faster if the processor supports it.
inline bool is_utf8_by_blocks(const char* p, const char* const end) noexcept {
    constexpr std::size_t group = 4 * Block::size;
    Utf8Check check;
    while (static_cast<std::size_t>(end - p) >= Block::size) {
        std::size_t blocks = 1;
        if (static_cast<std::size_t>(end - p) >= group) {
            // Four at a time: a branch on whether one block is all ASCII is unpredictable.
            const Block ab = Block(p).joined(Block(p + Block::size));
            const Block cd = Block(p + 2 * Block::size).joined(Block(p + 3 * Block::size));
            if (ab.joined(cd).high() == 0 && check.between_sequences()) {
                p += group;
                continue;
            }
            blocks = 4;
        }
        for (; blocks != 0; --blocks, p += Block::size) check.take(Block(p), p, end);
    }
    char rest[Block::size] = {};
    std::memcpy(rest, p, static_cast<std::size_t>(end - p));
    check.take(Block(rest), rest, rest + Block::size);
    return check.good();
}

/// Returns the number of bytes that escaping adds to a byte: 0 if it needs no escape, 1 for the two-character escapes,
/// 5 for `\u00XX`.
constexpr std::size_t escape_growth(unsigned char byte) noexcept {
    if (byte == '"' || byte == '\\') return 1;
    if (byte >= 0x20) return 0;
    return byte == '\b' || byte == '\t' || byte == '\n' || byte == '\f' || byte == '\r' ? 1 : 5;
}

#if defined(ACTA_DETAIL_SSE2)
/// `count_escapes` for sixteen bytes at a time.
class EscapeCount : Sse2 {
public:
    /// Counts in whole blocks of sixteen, and moves `p` past them.
    static std::size_t take(const char*& p, const char* const end) noexcept {
        std::size_t extra = 0;
        while (end - p >= 16) {
            constexpr std::ptrdiff_t most = 255;  // the highest count that a byte can hold
            const std::ptrdiff_t blocks = std::min<std::ptrdiff_t>((end - p) / 16, most);
            Bytes stops{};
            Bytes rare{};
            for (std::ptrdiff_t i = 0; i < blocks; ++i, p += 16) {
                const Bytes bytes = load(p);
                const Bytes control = is_control(bytes);
                // \b to \r, except \v, have a two-character escape.
                const Bytes named = reinterpret_cast<Bytes>(bytes - '\b' <= 5) & ~is(bytes, '\v');
                stops -= control | is_quoted(bytes);
                rare -= control & ~named;
            }
            extra += sum(stops) + 4 * sum(rare);
        }
        return extra;
    }
};
#endif

/// Returns the number of bytes that escaping adds to a text.
inline std::size_t count_escapes(const char* p, const char* const end) noexcept {
    std::size_t extra = 0;
#if defined(ACTA_DETAIL_SSE2)
    extra = EscapeCount::take(p, end);
#endif
    for (; static_cast<std::size_t>(end - p) >= Block::size; p += Block::size) {
        if (Block(p).stops() == 0) continue;
        for (std::size_t i = 0; i < Block::size; ++i) extra += escape_growth(static_cast<unsigned char>(p[i]));
    }
    for (; p != end; ++p) extra += escape_growth(static_cast<unsigned char>(*p));
    return extra;
}

}  // namespace acta::inline ACTA_ABI::json_detail

#undef ACTA_DETAIL_SSE2
#undef ACTA_DETAIL_NEON
#undef ACTA_DETAIL_INLINE
