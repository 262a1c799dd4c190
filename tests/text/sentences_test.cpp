// SPDX-License-Identifier: MIT
#include "acta/text/chunks.hpp"

#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"
#include "text/data.hpp"

using acta::AnySentenceSplitter;
using acta::CodeBlocks;
using acta::RuleSentenceSplitter;

static_assert(acta::SentenceSplitter<RuleSentenceSplitter>);
static_assert(acta::SentenceSplitter<AnySentenceSplitter>);
static_assert(!acta::SentenceSplitter<std::string>);

namespace {

using Pieces = std::vector<std::string>;

Pieces split(std::string_view text, RuleSentenceSplitter splitter = {}) {
    Pieces out;
    for (const std::string_view piece : splitter(text)) out.emplace_back(piece);
    return out;
}

// Pieces, with a bar where the text is to be cut.
void cuts(std::string_view marked, RuleSentenceSplitter splitter = {}) {
    std::string text;
    Pieces expected(1);
    for (const char c : marked) {
        if (c == '|') {
            expected.emplace_back();
        } else {
            text += c;
            expected.back() += c;
        }
    }
    CHECK(split(text, splitter) == expected);
}

void check_whole(std::string_view text, const std::vector<std::string_view>& pieces) {
    std::size_t at = 0;
    for (const std::string_view piece : pieces) {
        REQUIRE_FALSE(piece.empty());
        REQUIRE(piece.data() == text.data() + at);
        at += piece.size();
    }
    REQUIRE(at == text.size());
}

}  // namespace

TEST_CASE("English sentences") {
    CHECK(split("").empty());
    cuts("One. |Two! |Three? |Four");
    cuts("She left. |\"Why?\" he asked. |(Nobody knew.) |Then: silence.");
    cuts("He said \"No.\" |Then he left.");
    cuts("Wait... what? |Really?! |Yes.");
    cuts("It ended... |Then it began again\u2026 |And again.");
    cuts("The one, e.g. this, i.e. that, etc. and so on. |Next.");
    cuts("They sold apples, pears, etc. |The rest was left.");
    cuts("**Note.** |Read this. |*Then* go on.");
    cuts("no capitals here. none there. |Here is one.");
    cuts("  Leading space. |Trailing space.  ");
    cuts(" \n ");
}

TEST_CASE("abbreviations, initials and acronyms end no sentence, unless one begins after them") {
    cuts("Dr. Ellen and Mr. Fox met Prof. Lee. |They talked.");
    cuts("See Fig. 3 and No. 7, p. 12. |Is that clear? |No. |It is not.");
    cuts("J. R. R. Tolkien wrote it. |A. A. Milne did not.");
    cuts("He lives in the U.S. and works. |She left the U.S. |The end.");
    cuts("Acme Inc. Limited sells them. |It was Acme Inc. |They closed.");
    cuts("It was 5 p.m. |The sun set.");
    cuts("\u201CDr. Who\u201D vs. Dr. No. |The end.");
    cuts("Jan. 5 was cold. |In jan. |Nothing.");
}

TEST_CASE("URLs, decimals, versions and file names stay whole") {
    cuts("See https://example.com/a.b?c=d!e. |Next.");
    cuts("Pi is 3.14159. |Version 2.1.0 is out. |Python 3.11.7 too.");
    cuts("Open report.pdf and read .gitignore. |Then run ./a.out now.");
    cuts("Mail a.b@c.example. |Node.js is fine. |If (a!=b) stop.");
    cuts("Use `x = a. B` here. |Done.");
    cuts("An open `tick. |Still split.");
}

TEST_CASE("Chinese and Japanese sentences") {
    cuts("\u4F60\u597D\u3002|\u4ED6\u8BF4\uFF1A\u201C\u597D\uFF01\u201D|\u7136\u540E\u8D70\u4E86\u3002");
    cuts("\u5565\uFF1F\uFF01|\u4E0D\u77E5\u9053\u2026\u2026\u771F\u7684\u3002|\u5BF9\u3002");
    cuts("\u300C\u3055\u3073\u3057\u3044\u3002|\u305D\u3046\u304B\u3002\u300D|\u5F7C\u306F\u8A00\u3063\u305F\u3002");
    cuts("\u5024\u306F\uFF11\uFF0E\uFF15\u3067\u3059\uFF0E|\u6B21\u3002");
    cuts("\u7248\u672C2.1\u5DF2\u53D1\u5E03\u3002|OK. |\u597D\u7684\u3002");
    CHECK(RuleSentenceSplitter{}(acta_test::sample("chinese.txt")).size() == 16);
    CHECK(RuleSentenceSplitter{}(acta_test::sample("japanese.txt")).size() == 21);
}

TEST_CASE("Russian sentences") {
    cuts("Это А. С. Пушкин. |Он писал, т. е. сочинял, и т. д. |Конец.");
    cuts("Было в 1912 г. |Потом он жил в г. Москва на ул. Садовой. |Всё.");
    cuts("См. рис. 3 на стр. 12. |«Да!» |Нет?");
    cuts("Билет стоит 350 руб., а вход 200. |Вот так... или нет. |Да.");
    CHECK(RuleSentenceSplitter{}(acta_test::sample("russian.txt")).size() == 16);
}

TEST_CASE("other scripts have their stops") {
    cuts("\u092F\u0939 \u0918\u0930 \u0939\u0948\u0964 |\u0935\u0939 \u0939\u0948\u0964");
    cuts("\u0647\u0644 \u0647\u0630\u0627 \u0628\u064A\u062A\u061F |\u0646\u0639\u0645.");
    cuts("\u00BFQu\u00E9? |\u00A1Nada! |Bien.");
}

TEST_CASE("lines and paragraphs") {
    cuts("One\n|Two\r\n|Three\r|Four\u2029|Five");
    cuts("\n\nA title\n\n\n|A sentence. |More.\n \n|End.");
    const RuleSentenceSplitter wrapped{.lines_end_sentences = false};
    cuts("A sentence over\ntwo lines. |And\nanother.\n|Third.\n\n|A title\n\n|Text by Dr.\nFox. |End.", wrapped);
    cuts("Text:\n|- one\n|- two\n|# Head\n|> quote\n", wrapped);
    cuts("It ended.\nnot really.\n|Yes.", wrapped);
}

TEST_CASE("lists") {
    cuts(
        "Steps:\n|1. Stop the motor. |Then wait.\n|2. Start it.\n|3.1. Look.\n|a) One.\n|- Dr. No. |Two.\n|  * Nested. "
        "|Yes.");
    cuts("10) Ten. |1999. |End.");
}

TEST_CASE("code blocks") {
    const std::string text = "Do this. Then:\n```cpp\nint a = 1. ;\n\nf(); // Yes. No.\n```\n\nDone. End.";
    CHECK(split(text) ==
          Pieces{"Do this. ", "Then:\n", "```cpp\nint a = 1. ;\n\nf(); // Yes. No.\n```\n\n", "Done. ", "End."});
    CHECK(split(text, {.code_blocks = CodeBlocks::lines}) == Pieces{"Do this. ", "Then:\n", "```cpp\n",
                                                                    "int a = 1. ;\n\n", "f(); // Yes. No.\n", "```\n\n",
                                                                    "Done. ", "End."});
    CHECK(split("~~~~\na. B\n~~~\n```\n~~~~~ \nEnd. Yes.") ==
          Pieces{"~~~~\na. B\n~~~\n```\n~~~~~ \n", "End. ", "Yes."});
    CHECK(split("```\nnever. Closed.\nMore.") == Pieces{"```\nnever. Closed.\nMore."});
    CHECK(split("```x``` is inline. Yes.") == Pieces{"```x``` is inline. ", "Yes."});
    CHECK(split("1. Item:\n   ```\n   a. B\n   ```\n2. Next.") ==
          Pieces{"1. Item:\n", "   ```\n   a. B\n   ```\n", "2. Next."});
}

TEST_CASE("any bytes: pieces join to the text and cut no character") {
    std::mt19937 random(31);
    const std::vector<std::string> parts = {
        "a",    "B",    ".",    "!",    "?",      " ",      "\n",     "\r\n",   "```",        "`",
        "~~~",  "- ",   "1. ",  "Dr.",  "\u3002", "\u300D", "\u2026", "\u00E9", "\U0001F600", "\xE3\x80",
        "\xF0", "\x80", "\xC2", "\xE2", "\"",     ")",      "U.S.",   "\u2028", "\u0301"};
    for (int round = 0; round < 3000; ++round) {
        std::string text;
        for (std::size_t n = random() % 60; n > 0; --n) text += parts[random() % parts.size()];
        for (const bool lines : {true, false}) {
            const RuleSentenceSplitter splitter{.code_blocks = lines ? CodeBlocks::lines : CodeBlocks::whole,
                                                .lines_end_sentences = lines};
            const auto pieces = splitter(text);
            check_whole(text, pieces);
            if (!acta::utf8::is_valid(text)) continue;
            for (const auto piece : pieces) REQUIRE(acta::utf8::is_valid(piece));
        }
    }
}

TEST_CASE("hostile texts are split, however long they are") {
    const std::size_t size = test_size(150'000, 1'000'000);
    for (const std::string_view part :
         {".", ". ", ".\"", "`", "` ", "``x`", "a.", "A. ", "\n", "\u3002", "```\n", "~~~a\n", "(", ".(", "\xE3"}) {
        std::string text;
        while (text.size() < size) text += part;
        check_whole(text, RuleSentenceSplitter{}(text));
        check_whole(text, RuleSentenceSplitter{.lines_end_sentences = false}(text));
    }
}

TEST_CASE("any splitter fits") {
    const AnySentenceSplitter halves = [](std::string_view text) {
        return std::vector{text.substr(0, text.size() / 2), text.substr(text.size() / 2)};
    };
    CHECK(halves("abcd") == std::vector<std::string_view>{"ab", "cd"});
    CHECK(AnySentenceSplitter{}("One. Two.") == std::vector<std::string_view>{"One. ", "Two."});
}
