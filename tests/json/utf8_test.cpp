// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/detail/simd.hpp"
#include "support/catch.hpp"

// UTF-8 and escapes are found by several ways, depending on the processor; all do as the rule says.
namespace {

/// The rule (Unicode, table 3-7), a sequence at a time.
bool is_utf8_by_rule(std::string_view text) {
    const auto byte = [text](std::size_t i) { return i < text.size() ? static_cast<unsigned char>(text[i]) : 0U; };
    for (std::size_t i = 0; i < text.size();) {
        const unsigned lead = byte(i);
        const unsigned next = byte(i + 1);
        const std::size_t size = lead < 0x80   ? 1
                                 : lead < 0xC2 ? 0
                                 : lead < 0xE0 ? 2
                                 : lead < 0xF0 ? 3
                                 : lead < 0xF5 ? 4
                                               : 0;
        if (size == 0) return false;
        for (std::size_t tail = 1; tail < size; ++tail) {
            if (byte(i + tail) < 0x80 || byte(i + tail) > 0xBF) return false;
        }
        if ((lead == 0xE0 && next < 0xA0) || (lead == 0xED && next > 0x9F) || (lead == 0xF0 && next < 0x90) ||
            (lead == 0xF4 && next > 0x8F))
            return false;
        i += size;
    }
    return true;
}

/// How many ways judge otherwise than the rule a text, which lies on the heap at its exact size.
std::size_t wrong_judgements(const std::string& text) {
    const std::vector<char> bytes(text.begin(), text.end());
    const char* const end = bytes.data() + bytes.size();
    const bool good = is_utf8_by_rule(text);
    return (acta::json_detail::is_utf8(bytes.data(), end) == good ? 0U : 1U) +
           (acta::json_detail::is_utf8_by_blocks(bytes.data(), end) == good ? 0U : 1U);
}

std::size_t growth_by_rule(std::string_view text) {
    std::size_t out = 0;
    for (const char c : text) {
        if (c == '"' || c == '\\' || std::string_view("\b\f\n\r\t").find(c) != std::string_view::npos)
            out += 1;
        else if (static_cast<unsigned char>(c) < 0x20)
            out += 5;
    }
    return out;
}

}  // namespace

TEST_CASE("each pair of bytes, with each kind of tail, is UTF-8 by the rule or not, by all ways") {
    std::size_t wrong = 0;
    std::string sequence(4, 'a');
    for (unsigned first = 0x7F; first < 0x100; ++first) {
        for (unsigned second = 0; second < 0x100; ++second) {
            sequence[0] = static_cast<char>(first);
            sequence[1] = static_cast<char>(second);
            for (const char* const tails : {"aa", "\x80\x61", "\x80\x80", "\xBF\xBF", "\x80\xC0"}) {
                sequence.replace(2, 2, tails, 2);
                const std::size_t before = (first + second) % 2 == 0 ? 20 : 30;  // within a block, or over its end
                wrong += wrong_judgements(std::string(before, 'a') + sequence + std::string(30, 'a'));
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("a sequence, whole or cut, is found at each place of texts of each size") {
    std::size_t wrong = 0;
    for (const std::string& sequence :
         {std::string("\xC3\xA9"), std::string("\xC2"), std::string("\xE0\xA0\x80"), std::string("\xE0\xA0"),
          std::string("\xE0"), std::string("\xEF\xBF\xBF"), std::string("\xED\xA0\x80"),
          std::string("\xF0\x90\x80\x80"), std::string("\xF0\x90\x80"), std::string("\xF0\x90"), std::string("\xF0"),
          std::string("\xF4\x90\x80\x80"), std::string("\x80"), std::string("\xBF\x80")}) {
        for (std::size_t size = 0; size < 300; size += size < 140 ? 1 : 7) {
            for (const std::size_t from_end : {0U, 1U, 2U, 3U, 5U, 16U, 31U, 32U, 33U, 64U, 128U, 129U, 200U}) {
                if (from_end > size) continue;
                std::string text(size, 'a');
                wrong += wrong_judgements(text.insert(size - from_end, sequence));
                wrong += wrong_judgements(sequence + text);
                // Where a sequence is due, ASCII or another one is not.
                wrong += wrong_judgements("\u00e9" + text);
            }
        }
    }
    for (std::size_t size = 0; size < 300; ++size) {
        for (const char* const unit : {"\u00e9", "\u4eac", "\U0001F680"}) {
            std::string text(size % 5, 'a');
            while (text.size() < size) text += unit;
            wrong += wrong_judgements(text);
            if (!text.empty()) text.pop_back();
            wrong += wrong_judgements(text);
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("what escaping adds is counted by the rule, for texts of each size") {
    std::size_t wrong = 0;
    const auto check = [&wrong](const std::string& text) {
        const std::vector<char> bytes(text.begin(), text.end());
        wrong += acta::json_detail::count_escapes(bytes.data(), bytes.data() + bytes.size()) == growth_by_rule(text)
                     ? 0U
                     : 1U;
    };
    for (int byte = 0; byte < 256; ++byte) {
        for (const std::size_t size : {1U, 8U, 15U, 16U, 17U, 40U}) {
            check(std::string(size, static_cast<char>(byte)));
            check(std::string(size, 'a') + static_cast<char>(byte) + std::string(size / 2, 'b'));
        }
    }
    for (const std::size_t size : {4079U, 4080U, 4081U, 4096U, 9000U}) {  // more than a byte can count
        check(std::string(size, '\n'));
        check(std::string(size, '\x01'));
    }
    CHECK(wrong == 0);
}
