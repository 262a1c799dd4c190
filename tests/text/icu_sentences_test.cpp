// SPDX-License-Identifier: MIT
// Empty unless the build has ICU: acta::icu is chosen, never found by chance.
#if ACTA_HAS_ICU

#include "acta/text/icu_sentences.hpp"

#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/text/chunks.hpp"
#include "support/catch.hpp"
#include "text/data.hpp"

using acta::IcuSentenceSplitter;

static_assert(acta::SentenceSplitter<IcuSentenceSplitter>);

namespace {

using Views = std::vector<std::string_view>;

}  // namespace

TEST_CASE("ICU: English, with and without abbreviations") {
    const IcuSentenceSplitter splitter;
    CHECK(splitter("").empty());
    CHECK(splitter("Mr. Fox left. \"Why?\" Nobody knew.") == Views{"Mr. Fox left. ", "\"Why?\" ", "Nobody knew."});
    CHECK(IcuSentenceSplitter("en")("Mr. Fox left.") == Views{"Mr. ", "Fox left."});
    CHECK(splitter("Pi is 3.14. See https://a.example/b.c now. Read a.pdf.") ==
          Views{"Pi is 3.14. ", "See https://a.example/b.c now. ", "Read a.pdf."});
    CHECK(splitter("One\nTwo\n") == Views{"One\n", "Two\n"});
}

TEST_CASE("ICU: Chinese, Japanese, Russian") {
    CHECK(IcuSentenceSplitter("zh")("\u4F60\u597D\u3002\u518D\u89C1\uFF01") ==
          Views{"\u4F60\u597D\u3002", "\u518D\u89C1\uFF01"});
    CHECK(IcuSentenceSplitter("ja")("\u300C\u306F\u3044\u3002\u300D\u305D\u3046\u3002") ==
          Views{"\u300C\u306F\u3044\u3002\u300D", "\u305D\u3046\u3002"});
    CHECK(IcuSentenceSplitter("ru")("Да. Нет? Всё.") == Views{"Да. ", "Нет? ", "Всё."});
}

TEST_CASE("ICU: lists and code blocks are lines") {
    CHECK(IcuSentenceSplitter()("- one\n- two\n```\na();\n```\n") ==
          Views{"- one\n", "- two\n", "```\n", "a();\n", "```\n"});
}

TEST_CASE("ICU: pieces join to the text, whatever the bytes") {
    const IcuSentenceSplitter splitter;
    std::mt19937 random(5);
    const std::vector<std::string> parts = {"a",      "B",          ". ",       "? ",   "\n",  "\u3002",
                                            "\u00E9", "\U0001F600", "\xE3\x80", "\xF0", "\x80"};
    for (int round = 0; round < 500; ++round) {
        std::string text;
        for (std::size_t n = random() % 40; n > 0; --n) text += parts[random() % parts.size()];
        std::string joined;
        for (const auto piece : splitter(text)) {
            REQUIRE_FALSE(piece.empty());
            if (acta::utf8::is_valid(text)) REQUIRE(acta::utf8::is_valid(piece));
            joined += piece;
        }
        REQUIRE(joined == text);
    }
}

TEST_CASE("ICU: a splitter for chunks") {
    const std::string text = acta_test::sample("russian.txt");
    std::string joined;
    for (const auto& chunk : acta::split_into_chunks(text, {.max_tokens = 80, .splitter = IcuSentenceSplitter("ru")})) {
        CHECK(chunk.tokens <= 80);
        joined += chunk.text;
    }
    CHECK(joined == text);
}

#endif
