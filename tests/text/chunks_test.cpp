// SPDX-License-Identifier: MIT
#include "acta/text/chunks.hpp"

#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "support/catch.hpp"
#include "text/data.hpp"

using acta::ChunkOptions;
using acta::split_into_chunks;
using acta::TextChunk;

namespace {

std::string joined(const std::vector<TextChunk>& chunks) {
    std::string out;
    for (const TextChunk& chunk : chunks) out += chunk.text.substr(chunk.overlap);
    return out;
}

// What must hold for any text and any options.
void check(std::string_view text, const ChunkOptions& options) {
    const auto chunks = split_into_chunks(text, options);
    CHECK(joined(chunks) == text);
    const bool valid = acta::utf8::is_valid(text);
    std::size_t covered = 0;
    for (const TextChunk& chunk : chunks) {
        CHECK_FALSE(chunk.text.empty());
        CHECK(chunk.tokens <= options.max_tokens);
        CHECK(chunk.tokens == options.count_tokens(chunk.text));
        CHECK(chunk.text.data() == text.data() + chunk.offset);
        CHECK(chunk.overlap < chunk.text.size());
        CHECK(chunk.offset + chunk.overlap == covered);
        if (chunk.overlap > 0)
            CHECK(options.count_tokens(chunk.text.substr(0, chunk.overlap)) <= options.overlap_tokens + 1);
        if (valid) CHECK(acta::utf8::is_valid(chunk.text));
        covered = chunk.offset + chunk.text.size();
    }
}

std::string repeat(std::string_view text, std::size_t n) {
    std::string out;
    for (std::size_t i = 0; i < n; ++i) out += text;
    return out;
}

std::size_t words(std::string_view text) {
    std::size_t n = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] != ' ' && (i == 0 || text[i - 1] == ' ')) ++n;
    }
    return n;
}

std::size_t bytes(std::string_view text) { return text.size(); }

}  // namespace

TEST_CASE("a text that fits is one chunk") {
    const auto chunks = split_into_chunks("Two words. And three more.", {.max_tokens = 100});
    REQUIRE(chunks.size() == 1);
    CHECK(chunks[0] ==
          TextChunk{"Two words. And three more.", acta::EstimateTokens{}("Two words. And three more."), 0, 0});
    CHECK(split_into_chunks("", {.max_tokens = 1}).empty());
}

TEST_CASE("chunks are cut at sentences and about equal") {
    const std::string text = repeat("One two three four. ", 10);  // 40 words
    const auto chunks = split_into_chunks(text, {.max_tokens = 30, .count_tokens = words});
    REQUIRE(chunks.size() == 2);  // 20 and 20 rather than 30 and 10
    CHECK(chunks[0].tokens == 20);
    CHECK(chunks[1].tokens == 20);
    CHECK(chunks[0].text == repeat("One two three four. ", 5));
}

TEST_CASE("there are as few chunks as the sentences allow") {
    // Shares of 7 would not fit: 6 + 6 goes over 10, so that three chunks are needed.
    const std::string text = "A b c d e f. A b c d e f. A b c d e f. ";
    const auto chunks = split_into_chunks(text, {.max_tokens = 10, .count_tokens = words});
    CHECK(chunks.size() == 3);
    const auto data = acta_test::sample("english.txt");
    const std::size_t all = acta::EstimateTokens{}(data);
    const auto parts = split_into_chunks(data, {.max_tokens = 100});
    CHECK(parts.size() == (all + 99) / 100);
    for (const auto& part : parts) CHECK(part.tokens > all / parts.size() / 2);
}

TEST_CASE("an overlap repeats whole sentences where they fit, else words") {
    const std::string text = repeat("One two three. ", 20);
    const auto chunks = split_into_chunks(text, {.max_tokens = 15, .overlap_tokens = 6, .count_tokens = words});
    REQUIRE(chunks.size() > 2);
    CHECK(chunks[0].overlap == 0);
    CHECK(chunks[1].text.substr(0, chunks[1].overlap) == "One two three. One two three. ");

    const auto cut = split_into_chunks("One two three four five six. Seven eight nine ten eleven twelve.",
                                       {.max_tokens = 8, .overlap_tokens = 2, .count_tokens = words});
    REQUIRE(cut.size() == 2);
    CHECK(cut[1].text == "six. Seven eight nine ten eleven twelve.");
}

TEST_CASE("a long sentence is cut at words, a long word at code points") {
    const std::string sentence = repeat("word ", 100);
    for (const auto& chunk : split_into_chunks(sentence, {.max_tokens = 12, .count_tokens = words})) {
        CHECK(chunk.text.substr(0, 4) == "word");
        CHECK(chunk.text.back() == ' ');
    }
    const std::string word = repeat("\u6F22\u5B57", 500);
    check(word, {.max_tokens = 7, .count_tokens = bytes});
    for (const auto& chunk : split_into_chunks(word, {.max_tokens = 7, .count_tokens = bytes}))
        CHECK(chunk.tokens % 3 == 0);
}

TEST_CASE("an overlap that not even one character fits is left out") {
    // Three bytes a character, each a token: two of them make none.
    const std::string text = repeat("\u6F22\u5B57\u3002", 20);
    for (const auto& chunk : split_into_chunks(text, {.max_tokens = 9, .overlap_tokens = 2, .count_tokens = bytes}))
        CHECK(chunk.overlap == 0);
    check(text, {.max_tokens = 9, .overlap_tokens = 2, .count_tokens = bytes});
}

TEST_CASE("what cannot be done is an error") {
    CHECK_THROWS_AS(split_into_chunks("text", {}), acta::Error);
    CHECK_THROWS_WITH(split_into_chunks("a\u6F22", {.max_tokens = 2, .count_tokens = bytes}),
                      contains_text("byte 1 has 3 tokens"));
    const auto loses = [](std::string_view text) { return std::vector{text.substr(0, text.size() / 2)}; };
    CHECK_THROWS_WITH(split_into_chunks(repeat("word ", 100), {.max_tokens = 9, .splitter = loses}),
                      contains_text("left out"));
    const auto tears = [](std::string_view text) { return std::vector{text.substr(0, 1), text.substr(1)}; };
    CHECK_THROWS_AS(split_into_chunks(repeat("\u6F22", 100), {.max_tokens = 9, .splitter = tears}), acta::Error);
}

TEST_CASE("a counter that counts more for the whole than for its parts is obeyed") {
    const auto square = [](std::string_view text) { return words(text) * words(text) / 4 + 1; };
    check(repeat("One two three. ", 50), {.max_tokens = 30, .count_tokens = square});
    check(repeat("One two three. ", 50), {.max_tokens = 30, .overlap_tokens = 10, .count_tokens = words});
}

TEST_CASE("all files keep the limit, with and without overlap") {
    for (const auto& name : acta_test::sample_names()) {
        const std::string text = acta_test::sample(name);
        for (const std::size_t max : {std::size_t{5}, std::size_t{40}, std::size_t{130}}) {
            check(text, {.max_tokens = max});
            check(text, {.max_tokens = max, .overlap_tokens = max / 5});
        }
    }
}

TEST_CASE("random texts: nothing is lost and no chunk is too long") {
    std::mt19937 random(20240611);
    const auto below = [&random](std::size_t n) { return static_cast<std::size_t>(random() % n); };
    const std::vector<std::string> parts = {"word",   " ",      ". ",         "\n",           "\n\n", "```\n",
                                            "\u6F22", "\u3002", "Dr. ",       "3.14",         "? ",   "\xF0",
                                            "\x80",   "\u00E9", "\U0001F600", "longlonglong", "- ",   "X"};
    for (int round = 0; round < 300; ++round) {
        std::string text;
        for (std::size_t n = below(120); n > 0; --n) text += parts[below(parts.size())];
        const std::size_t max = 4 + below(30);
        check(text, {.max_tokens = max, .overlap_tokens = below(max)});
        check(text, {.max_tokens = max, .count_tokens = bytes});
        check(text, {.max_tokens = max, .splitter = acta::RuleSentenceSplitter{.lines_end_sentences = false}});
    }
}

TEST_CASE("the counter sees each byte a bounded number of times") {
    const std::string prose = repeat(acta_test::sample("english.txt"), 40);
    const std::vector<std::string> texts = {prose,
                                            std::string(100000, 'a'),
                                            repeat("a ", 50000),
                                            repeat("A. ", 30000),
                                            repeat("\u6F22", 40000),
                                            repeat("x\n", 50000)};
    for (const std::string& text : texts) {
        for (const std::size_t max : {std::size_t{50}, std::size_t{1000}}) {
            std::size_t seen = 0;
            const auto counting = [&seen](std::string_view part) {
                seen += part.size();
                return acta::EstimateTokens{}(part);
            };
            (void)split_into_chunks(text, {.max_tokens = max, .overlap_tokens = max / 10, .count_tokens = counting});
            CHECK(seen <= 8 * text.size());
        }
    }
}
