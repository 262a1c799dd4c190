// SPDX-License-Identifier: MIT
#include "acta/base/unicode.hpp"

#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <vector>

#include "pysyntax/python3.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace unicode = acta::unicode;
using unicode::CharClass;
using unicode::python_title;

namespace {

/// The code points that are characters: those below `all_below`, and a part of the others. In long builds all.
std::vector<char32_t> code_points(char32_t all_below) {
    const auto step = static_cast<char32_t>(test_size(97, 1));
    std::vector<char32_t> out;
    for (char32_t c = 0; c < 0x110000; c += c < all_below ? 1 : step) out.push_back(c);
    return out;
}

}  // namespace

TEST_CASE("characters have the classes of Unicode 16") {
    CHECK(unicode::char_class(U'a') == CharClass::lower);
    CHECK(unicode::char_class(U'Z') == CharClass::upper);
    CHECK(unicode::char_class(U'5') == CharClass::number);
    CHECK(unicode::char_class(U'_') == CharClass::other);
    CHECK(unicode::char_class(U'\n') == CharClass::space);
    CHECK(unicode::char_class(0xDF) == CharClass::lower);
    CHECK(unicode::char_class(0x100) == CharClass::upper);  // upper and lower alternate here
    CHECK(unicode::char_class(0x101) == CharClass::lower);
    CHECK(unicode::char_class(0x1C5) == CharClass::upper);  // title case
    CHECK(unicode::char_class(0x5317) == CharClass::letter);
    CHECK(unicode::char_class(0x301) == CharClass::mark);
    CHECK(unicode::char_class(0x661) == CharClass::number);
    CHECK(unicode::char_class(0x3000) == CharClass::space);
    CHECK(unicode::char_class(0x1C89) == CharClass::upper);  // new in Unicode 16
    CHECK(unicode::char_class(0x1F680) == CharClass::other);
    CHECK(unicode::char_class(0x10FFFF) == CharClass::other);
    CHECK(unicode::char_class(0x110000) == CharClass::other);
    CHECK(unicode::char_class(0xFFFFFFFF) == CharClass::other);
}

TEST_CASE("code points are written in the fewest bytes, and read back") {
    struct Row {
        char32_t code;
        std::string bytes;
    };
    for (const Row& row :
         {Row{0x7F, "\x7F"}, Row{0x80, "\xC2\x80"}, Row{0x7FF, "\xDF\xBF"}, Row{0x800, "\xE0\xA0\x80"},
          Row{0xFFFF, "\xEF\xBF\xBF"}, Row{0x10000, "\xF0\x90\x80\x80"}, Row{0x10FFFF, "\xF4\x8F\xBF\xBF"}}) {
        INFO(static_cast<std::uint32_t>(row.code));
        std::string out = "-";
        acta::utf8::append(out, row.code);
        CHECK(out == "-" + row.bytes);
        const unicode::Char read = unicode::char_at(out, 1);
        CHECK(read.code == row.code);
        CHECK(read.length == row.bytes.size());
        CHECK(acta::utf8::find_invalid(out) == out.size());
        CHECK(acta::utf8::find_invalid(out.substr(0, out.size() - 1)) == (row.bytes.size() == 1 ? out.size() - 1 : 1));
    }
    CHECK(unicode::char_at("a\xC3", 1).code == 0xFFFD);
    CHECK(unicode::char_at("a\xC3", 1).length == 1);
}

TEST_CASE("white space of Unicode is trimmed, and alone it is blank") {
    CHECK(unicode::trim(" \u00a0\u3000a b\u2028\n") == "a b");
    CHECK(unicode::trim("a").size() == 1);
    CHECK(unicode::trim("").empty());
    CHECK(unicode::trim(" \u3000 ").empty());
    CHECK(unicode::trim(" \xff ") == "\xff");
    CHECK(unicode::is_blank(""));
    CHECK(unicode::is_blank(" \t\u0085\u3000"));
    CHECK_FALSE(unicode::is_blank(" x"));
    CHECK_FALSE(unicode::is_blank("\u200b"));
    CHECK_FALSE(unicode::is_blank("\xc2"));
}

TEST_CASE("every character that ends a line is found, and no other") {
    std::vector<char32_t> found;
    for (const char32_t c : code_points(0x3000)) {
        std::string text = "ab";
        acta::utf8::append(text, c);
        const std::size_t behind = text.size();
        text += "\xC2\xA0\xE2\x80\x94z";  // two that begin with the same bytes as line ends
        const std::size_t next = unicode::next_line(text);
        if (next == std::string::npos) continue;
        found.push_back(c);
        CHECK(next == behind);
        CHECK(unicode::next_line(text, behind) == std::string::npos);
    }
    CHECK(found == std::vector<char32_t>{0x0A, 0x0B, 0x0C, 0x0D, 0x1C, 0x1D, 0x1E, 0x85, 0x2028, 0x2029});
    CHECK(unicode::next_line("a\r\nb") == 3);
    CHECK(unicode::next_line("a\n\rb", 2) == 3);
    CHECK(unicode::next_line("a\x85\xE2\x80") == std::string::npos);
    CHECK(unicode::next_line("") == std::string::npos);
}

TEST_CASE("a text in one line has blanks for line ends, tabs, what is hidden and what is not UTF-8") {
    CHECK(unicode::one_line("search_web (2)~") == "search_web (2)~");
    CHECK(unicode::one_line("a\tb\r\nc\x7F") == "a b  c ");
    CHECK(unicode::one_line("a\xE2\x80\xAE"
                            "b\xFF"
                            "c\xC3\xA4") == "a b c\xC3\xA4");
}

TEST_CASE("words get their titles as in Python") {
    CHECK(python_title("") == "");
    CHECK(python_title("session id") == "Session Id");
    CHECK(python_title("they're BILL's 3rd") == "They'Re Bill'S 3Rd");
    CHECK(python_title("gr\u00f6\u00dfe") == "Gr\u00f6\u00dfe");
    CHECK(python_title("\u00dftrasse \ufb01n \u01c6") == "Sstrasse Fin \u01c5");
    CHECK(python_title("\u039f\u0394\u039f\u03a3 \u03a3\u03a3 \u03a3") ==
          "\u039f\u03b4\u03bf\u03c2 \u03a3\u03c2 \u03a3");
    CHECK(python_title("\u0130\u0130") == "\u0130i\u0307");
    CHECK(python_title("a\xff"
                       "b\xc3") ==
          "A\xff"
          "B\xc3");
}

TEST_CASE("random words get their titles as in Python") {
    std::mt19937 random(17);
    const auto below = [&random](std::size_t n) { return random() % n; };
    static constexpr char32_t often[] = {U'_', U' ',  U'a',  U'B', U'\'', 0x3A3, 0x3C3,
                                         0xDF, 0x2B0, 0x301, 0xAD, 0x345, 0x130, 0x1C4};
    std::string input;
    std::string expected;
    const std::size_t words = test_size(5'000, 20'000);
    for (std::size_t i = 0; i < words; ++i) {
        std::string word;
        for (std::size_t n = 1 + below(8); n != 0; --n) {
            char32_t c = often[below(std::size(often))];
            if (below(2) == 0)
                c = static_cast<char32_t>(below(3) != 0 ? 0x20 + below(0x2FE0) : 0xA000 + below(0x15000));
            if (c != 0x7F && c != 0x85 && c != 0x2028 && c != 0x2029 && (c < 0xD800 || c >= 0xE000))
                acta::utf8::append(word, c);
        }
        input += word + "\n";
        expected += python_title(word) + "\n";
    }
    for (const char32_t c : code_points(0x20000)) {  // beyond, no character has a case
        if (c < 0x20 || (c >= 0xD800 && c < 0xE000)) continue;
        std::string one;
        acta::utf8::append(one, c);
        const std::string word = one + "a" + one;
        input += word + "\n";
        expected += python_title(word) + "\n";
    }
    const auto answer = python3::run(R"(
import sys, unicodedata
if unicodedata.unidata_version != "14.0.0": sys.exit(3)
text = open(sys.argv[1], encoding="utf-8", newline="\n").read()
sys.stdout.reconfigure(encoding="utf-8", newline="\n")
print("".join(line.title() + "\n" for line in text.split("\n")[:-1]), end="")
)",
                                     input);
    if (!answer) ACTA_SKIP("there is no python3 with Unicode 14.0");
    CHECK((*answer == expected));
}

TEST_CASE("the Unicode tables are those of CPython 3.11") {
    const std::vector<char32_t> asked = code_points(0x32000);  // beyond, but for a few, nothing is assigned
    std::string input;
    for (const char32_t c : asked) input += std::to_string(static_cast<std::uint32_t>(c)) + "\n";
    const auto answer = python3::run(R"(
import sys, unicodedata
if unicodedata.unidata_version != "14.0.0": sys.exit(3)
characters = (chr(int(line)) for line in open(sys.argv[1]))
print("".join(str(c.isprintable() + 2 * ("a" + c).isidentifier()) for c in characters))
)",
                                     input);
    if (!answer) ACTA_SKIP("there is no python3 with Unicode 14.0");
    REQUIRE(answer->size() == asked.size() + 1);
    std::size_t wrong = 0;
    for (std::size_t i = 0; i < asked.size(); ++i) {
        const int flags = (acta::unicode::is_python_printable(asked[i]) ? 1 : 0) +
                          (acta::unicode::is_python_identifier_part(asked[i]) ? 2 : 0);
        if ((*answer)[i] != static_cast<char>('0' + flags)) ++wrong;
    }
    CHECK(wrong == 0);
    CHECK_FALSE(acta::unicode::is_python_printable(0x110000));
    CHECK_FALSE(acta::unicode::is_python_identifier_part(0x110000));
}
