// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string_view>

#include "acta/base/unicode.hpp"

// Finds the bytes of a JSON string that need attention, a block at a time. Define ACTA_NO_SIMD in all sources of a
// program to use the portable code, which is also tested.
#if !defined(ACTA_NO_SIMD) && defined(__GNUC__) && defined(__SSE2__)
#define ACTA_DETAIL_SSE2 1
#elif !defined(ACTA_NO_SIMD) && defined(__ARM_NEON) && defined(__aarch64__)
#define ACTA_DETAIL_NEON 1
#include <arm_neon.h>
#endif
// On x86 processors what SSSE3 and AVX2 add is detected at run time.
#if defined(ACTA_DETAIL_SSE2)
#define ACTA_DETAIL_X86 1
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
    if (p != end) std::memcpy(rest, p, static_cast<std::size_t>(end - p));
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

// UTF-8 ---------------------------------------------------------------------------------------------

// On x86 processors with AVX2 (most since about 2013), detected at run time, UTF-8 is validated by table look-ups on
// thirty-two bytes at once: the method of Keiser and Lemire, "Validating UTF-8 in less than one instruction per byte"
// (2021). Every pair of neighbouring bytes is classed by three half bytes; each class is a bit that says what may be
// wrong with the pair, and a pair is wrong if all three agree.

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

// Escapes -------------------------------------------------------------------------------------------

// The escapes of JSON strings (RFC 8259, section 7), and how they are written.

/// The bytes of text that are escaped at once, and the capacity that their escaped form may need: six bytes for each
/// byte, plus the bytes that whole-group stores write past the end.
inline constexpr std::size_t escaped_at_once = 1024;
constexpr std::size_t escaped_capacity(std::size_t size) noexcept { return 6 * size + Group::size; }

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

// The escapes of JSON strings on x86 processors with SSSE3 or AVX2, detected at run time. Text has an escape every few
// words at unpredictable places, so a branch for each is expensive. Here one table look-up expands or compacts eight
// bytes at a time, whether or not there are escapes among them.

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
    /// two-character ones (`\f` is not handled either), valid or not. `out` must have space for a group.
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

/// Writes a text with its escapes, which needs at most `escaped_capacity` bytes; returns the place after it.
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

#undef ACTA_DETAIL_SSE2
#undef ACTA_DETAIL_NEON
#undef ACTA_DETAIL_INLINE
#undef ACTA_DETAIL_X86
