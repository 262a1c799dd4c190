// SPDX-License-Identifier: MIT
#include <cstdint>
#include <numeric>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/detail/simd.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

using acta::json_detail::is_utf8;

/// The rule itself (RFC 3629), a sequence at a time.
bool is_utf8_by_sequences(std::string_view text) {
    const char* p = text.data();
    const char* const end = p + text.size();
    while (p != end) {
        const std::size_t length = acta::utf8::sequence_length(p, end);
        if (length == 0) return false;
        p += length;
    }
    return true;
}

using Check = bool (*)(const char*, const char*) noexcept;

/// Every way to check that this processor can run, not only the one that is chosen here.
std::vector<Check> all_ways() {
    std::vector<Check> ways{&is_utf8, &acta::json_detail::is_utf8_by_blocks};
#if !defined(ACTA_NO_SIMD) && defined(__GNUC__) && defined(__x86_64__)
    if (__builtin_cpu_supports("avx2")) ways.push_back(&acta::json_detail::Utf8Avx2::good);
#endif
    return ways;
}

/// Where all ways agree with the rule: a text is copied to the heap at its exact size, so that a sanitizer sees a read
/// beyond it.
bool all_agree(std::string_view text) {
    static const std::vector<Check> ways = all_ways();
    const std::vector<char> bytes(text.begin(), text.end());
    const bool good = is_utf8_by_sequences(text);
    for (const Check way : ways) {
        if (way(bytes.data(), bytes.data() + bytes.size()) != good) return false;
    }
    return true;
}

}  // namespace

TEST_CASE("Two bytes, and a lead with two tails, are judged alike in every place of a block", "[utf8]") {
    // What the rule tells apart: the first and the last byte of each range. All second bytes are tried at one place,
    // and in long builds at every one.
    const std::vector<int> edges{0x00, 'a',  0x7F, 0x80, 0x8F, 0x90, 0x9F, 0xA0, 0xBF, 0xC0, 0xC1, 0xC2,
                                 0xDF, 0xE0, 0xE1, 0xEC, 0xED, 0xEE, 0xEF, 0xF0, 0xF1, 0xF4, 0xF5, 0xFF};
    std::vector<int> all(256);
    std::iota(all.begin(), all.end(), 0);
    const std::size_t places_of_all = test_size(1, 12);
    std::size_t places = 0;
    std::size_t wrong = 0;
    for (const std::size_t before : {0U, 1U, 13U, 14U, 15U, 29U, 30U, 31U, 32U, 47U, 62U, 63U}) {
        const std::string start(before, 'a');
        for (int first = 0; first < 256; ++first) {
            for (const int second : places < places_of_all ? all : edges) {
                std::string text = start;
                text += static_cast<char>(first);
                text += static_cast<char>(second);
                wrong += all_agree(text) ? 0U : 1U;
                text += '\x80';
                wrong += all_agree(text) ? 0U : 1U;
                text += "\xBF";
                wrong += all_agree(text) ? 0U : 1U;
            }
        }
        ++places;
    }
    CHECK(wrong == 0);
}

TEST_CASE("Texts of all lengths with one byte changed are judged alike", "[utf8]") {
    const std::string_view sample =
        "ab\xC3\xA9\xE4\xB8\xAD\xF0\x9F\x98\x80 plain text between \xE2\x82\xAC\xED\x9F\xBF\xF4\x8F\xBF\xBF and more "
        "plain text, long enough for a few blocks, \xD0\x94\xD0\xB0.";
    std::size_t wrong = 0;
    for (std::size_t size = 1; size <= sample.size(); ++size) {
        const std::string whole(sample.substr(0, size));
        wrong += all_agree(whole) ? 0U : 1U;
        for (std::size_t at = 0; at < size; ++at) {
            for (const int byte : {0x00, 0x7F, 0x80, 0xBF, 0xC1, 0xC2, 0xE0, 0xED, 0xEF, 0xF0, 0xF4, 0xF5, 0xFF}) {
                std::string changed = whole;
                changed[at] = static_cast<char>(byte);
                wrong += all_agree(changed) ? 0U : 1U;
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("In long plain text a sequence, whole or broken, is judged alike in every place", "[utf8]") {
    std::size_t wrong = 0;
    for (const std::size_t size : {190U, 320U, 455U}) {
        for (std::size_t at = 0; at < size; ++at) {
            for (const std::string_view sequence :
                 {"\xC3\xA9", "\xE4\xB8\xAD", "\xF0\x9F\x98\x80", "\xC3", "\xE4\xB8", "\xE4", "\xF0\x9F\x98",
                  "\xF0\x9F", "\xF0", "\x80", "\xED\xA0\x80", "\xC3\xA9\xA9"}) {
                std::string text(size, 'a');
                text.replace(at, sequence.size(), sequence);
                wrong += all_agree(text) ? 0U : 1U;
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("The empty text is UTF-8, also without a place", "[utf8]") { CHECK(is_utf8(nullptr, nullptr)); }
