// SPDX-License-Identifier: MIT
#include "acta/pysyntax/call.hpp"

#include <string>

#include "support/catch.hpp"

using acta::CallSyntaxError;

TEST_CASE("a call error says where it is") {
    const CallSyntaxError error("a value is missing", "one\ntwo f(a=)\nthree", 10);
    CHECK(error.offset() == 10);
    CHECK(error.line() == 2);
    CHECK(error.column() == 7);
    CHECK(std::string(error.what()) == "a value is missing at line 2, column 7\n  two f(a=)\n        ^");
    CHECK_THROWS_AS(throw error, acta::Error);
}

TEST_CASE("a call error counts code points, and lines with any ending") {
    const std::string text = "\u5317\u4eac\r\n\rcaf\u00e9 \U0001F680 x";
    const CallSyntaxError error("e", text, text.size() - 1);
    CHECK(error.line() == 3);
    CHECK(error.column() == 8);
    CHECK(std::string(error.what()) == "e at line 3, column 8\n  caf\u00e9 \U0001F680 x\n         ^");
}

TEST_CASE("a call error at the end of a text, or beyond it") {
    const CallSyntaxError at_end("e", "f(", 2);
    CHECK(at_end.column() == 3);
    CHECK(std::string(at_end.what()) == "e at line 1, column 3\n  f(\n    ^");
    CHECK(CallSyntaxError("e", "f(", 99).offset() == 2);
    CHECK(std::string(CallSyntaxError("e", "", 0).what()) == "e at line 1, column 1\n  \n  ^");
    const CallSyntaxError after_newline("e", "f(\n", 3);
    CHECK(after_newline.line() == 2);
    CHECK(after_newline.column() == 1);
}

TEST_CASE("a call error shows text that would not print as something that does") {
    const std::string text("\t\x01\0\xff\u2028x", 8);
    const std::string what = CallSyntaxError("e", text, text.size() - 1).what();
    CHECK(what == "e at line 1, column 6\n   \uFFFD\uFFFD\uFFFD\uFFFDx\n       ^");
}

TEST_CASE("a call error counts characters, of however many bytes, in a long line") {
    for (const std::string character : {"a", "\u00E4", "\u20AC", "\U0001F600"}) {
        std::string sixty;
        for (int i = 0; i < 60; ++i) sixty += character;
        const std::string text = sixty + sixty + "!";
        CHECK(std::string(CallSyntaxError("e", text, 2 * sixty.size()).what()) ==
              "e at line 1, column 121\n  ..." + sixty + "!\n" + std::string(65, ' ') + "^");
    }
}

TEST_CASE("a call error is short however long the line is") {
    const std::string text = std::string(500'000, 'a') + "!" + std::string(500'000, 'b');
    const CallSyntaxError error("e", text, 500'000);
    CHECK(error.column() == 500'001);
    const std::string sixty_a(60, 'a');
    const std::string rest(59, 'b');
    CHECK(std::string(error.what()) ==
          "e at line 1, column 500001\n  ..." + sixty_a + "!" + rest + "...\n" + std::string(65, ' ') + "^");
}
