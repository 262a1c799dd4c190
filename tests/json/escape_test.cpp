// SPDX-License-Identifier: MIT
#include <algorithm>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/detail/simd.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

using acta::json_detail::GroupEnd;

/// The rule itself (RFC 8259, section 7, with the short escapes where there are any), a byte at a time.
std::string escaped(std::string_view text) {
    constexpr std::string_view named = "\"\\\b\f\n\r\t";
    constexpr std::string_view names = "\"\\bfnrt";
    constexpr std::string_view hex = "0123456789abcdef";
    std::string out;
    for (const char c : text) {
        const auto byte = static_cast<unsigned char>(c);
        if (const std::size_t i = named.find(c); i != std::string_view::npos)
            out += {'\\', names[i]};
        else if (byte < 0x20)
            out += {'\\', 'u', '0', '0', hex[byte >> 4U], hex[byte & 15U]};
        else
            out += c;
    }
    return out;
}

using Write = char* (*)(const char*, std::size_t, char*) noexcept;

/// Every way to write that this processor can run, not only the one that is chosen here.
std::vector<Write> all_ways(std::size_t size) {
    std::vector<Write> ways{&acta::json_detail::write_escaped, &acta::json_detail::write_escaped_groups,
                            &acta::json_detail::write_escaped_bytes};
#if !defined(ACTA_NO_SIMD) && defined(__GNUC__) && defined(__SSE2__)
    if (size >= 16 && __builtin_cpu_supports("ssse3") && __builtin_cpu_supports("popcnt"))
        ways.push_back(&acta::json_detail::EscapeSsse3::write);
#endif
    static_cast<void>(size);
    return ways;
}

/// How many ways write `text` otherwise than the rule. What is read and written lies on the heap at its exact size, so
/// that a sanitizer sees what is beyond.
std::size_t wrong_ways(std::string_view text) {
    const std::string expected = escaped(text);
    const std::vector<char> bytes(text.begin(), text.end());
    std::size_t wrong = 0;
    for (const Write way : all_ways(text.size())) {
        std::vector<char> out(acta::json_detail::escaped_capacity(text.size()));
        const char* const end = way(bytes.data(), bytes.size(), out.data());
        wrong += std::string_view(out.data(), static_cast<std::size_t>(end - out.data())) == expected ? 0U : 1U;
    }
    return wrong;
}

/// Whether this processor has what it takes to take groups.
bool takes_groups() {
#if !defined(ACTA_NO_SIMD) && defined(__GNUC__) && defined(__SSE2__)
    return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("popcnt");
#else
    return false;
#endif
}

/// What is to come of a group: its end, how many bytes are taken, and what they stand for.
struct Taken {
    GroupEnd end;
    std::size_t size;
    std::string text;
    friend bool operator==(const Taken&, const Taken&) = default;
};

constexpr std::size_t group_size = 64;

/// The rule, a byte at a time. Other escapes than those of one letter are left, and so is `\f`.
Taken taken_by_rule(std::string_view group) {
    constexpr std::string_view letters = "\"\\/bnrt";
    constexpr std::string_view meanings = "\"\\/\b\n\r\t";
    Taken out{GroupEnd::open, 0, {}};
    while (out.size < group.size()) {
        const char c = group[out.size];
        if (c == '"' || static_cast<unsigned char>(c) < 0x20) {
            out.end = GroupEnd::string_end;
            break;
        }
        if (c != '\\') {
            out.text += c;
            ++out.size;
            continue;
        }
        if (out.size + 1 == group.size()) break;
        const std::size_t i = letters.find(group[out.size + 1]);
        if (i == std::string_view::npos) {
            out.end = GroupEnd::escape;
            break;
        }
        out.text += meanings[i];
        out.size += 2;
    }
    return out;
}

/// Whether `take_escaped_group` does as the rule says, or leaves the group alone where this processor knows no way.
bool taken_well(std::string_view group) {
    const std::vector<char> bytes(group.begin(), group.end());
    std::vector<char> out(group_size);
    const char* text = bytes.data();
    char* to = out.data();
    bool high = false;
    const GroupEnd end = acta::json_detail::take_escaped_group(text, to, high);
    const Taken taken{end, static_cast<std::size_t>(text - bytes.data()), std::string(out.data(), to)};
    if (!takes_groups()) return taken == Taken{GroupEnd::not_taken, 0, {}} && !high;
    const auto is_high = [](char c) { return static_cast<unsigned char>(c) >= 0x80; };
    return taken == taken_by_rule(group) && high == std::any_of(group.begin(), group.end(), is_high);
}

std::string random_text(std::mt19937& random, std::string_view letters, std::size_t size) {
    std::string text;
    while (text.size() < size) text += letters[random() % letters.size()];
    return text;
}

}  // namespace

TEST_CASE("every byte at every place is escaped by the rule, by all ways") {
    std::size_t wrong = 0;
    for (const std::size_t size : {1U, 15U, 16U, 17U, 31U, 33U, 63U, 64U, 65U, 100U, 128U, 129U, 191U}) {
        // Each fifth place of the longer ones, up to their last: of 191 these are all the places of a block of 32.
        const std::size_t step = size < 64 ? 1 : test_size(5, 1);
        for (std::size_t at = (size - 1) % step; at < size; at += step) {
            for (int byte = 0; byte < 256; ++byte) {
                std::string text(size, 'a');
                text[at] = static_cast<char>(byte);
                wrong += wrong_ways(text);
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("texts with many escapes are escaped by the rule, by all ways") {
    std::mt19937 random(20261122);
    const std::size_t rounds = test_size(8, 20);
    std::size_t wrong = 0;
    for (std::size_t size = 0; size < 400; ++size) {
        wrong += wrong_ways(random_text(random, "\n", size));
        wrong += wrong_ways(random_text(random, "\x01", size));
        for (std::size_t round = 0; round < rounds; ++round) {
            wrong += wrong_ways(random_text(random, "abcdefgh\n\"\\", size));
            wrong += wrong_ways(random_text(random, "abcdefghijklmnop\t\x1f\x7f\xc3", size));
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("every byte behind a backslash, and every byte alone, is taken by the rule at every place of a group") {
    std::size_t wrong = 0;
    for (std::size_t at = 0; at < group_size; ++at) {
        for (int byte = 0; byte < 256; ++byte) {
            std::string group(group_size, 'a');
            group[at] = static_cast<char>(byte);
            wrong += taken_well(group) ? 0U : 1U;
            if (at != 0) group[at - 1] = '\\';
            wrong += taken_well(group) ? 0U : 1U;
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("runs of backslashes of any length at any place are taken by the rule") {
    std::size_t wrong = 0;
    for (std::size_t from = 0; from <= group_size; ++from) {
        for (std::size_t to = from; to <= group_size; ++to) {
            for (const char next : {'n', '"', 'u', '\\'}) {
                std::string group(group_size, 'a');
                std::fill(group.begin() + static_cast<std::ptrdiff_t>(from),
                          group.begin() + static_cast<std::ptrdiff_t>(to), '\\');
                if (to < group_size) group[to] = next;
                wrong += taken_well(group) ? 0U : 1U;
            }
        }
    }
    CHECK(wrong == 0);
}

TEST_CASE("groups of any mixture are taken by the rule") {
    std::mt19937 random(20261123);
    std::size_t wrong = 0;
    for (int round = 0; round < 20'000; ++round) {
        // Without what ends a group, with it, and with escapes that are left.
        wrong += taken_well(random_text(random, "abcde\\\\n", group_size).replace(0, 1, "x")) ? 0U : 1U;
        wrong += taken_well(random_text(random, "nrtb\\/\\abcdefghij", group_size)) ? 0U : 1U;
        wrong += taken_well(random_text(random, "nrtb\\abcdefghijklm\xc3op\"qrs", group_size)) ? 0U : 1U;
        wrong += taken_well(random_text(random, "nntt\\\\nnttfu0\n\"", group_size)) ? 0U : 1U;
    }
    CHECK(wrong == 0);
}
