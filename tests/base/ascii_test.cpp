// SPDX-License-Identifier: MIT
#include "acta/base/unicode.hpp"

#include <cctype>
#include <string>
#include <string_view>

#include "support/catch.hpp"

namespace ascii = acta::ascii;

TEST_CASE("the classes are those of the C locale, for every byte") {
    for (int i = 0; i < 256; ++i) {
        const char c = static_cast<char>(static_cast<unsigned char>(i));
        INFO(i);
        const bool plain = i < 128;
        CHECK(ascii::is_space(c) == (plain && std::isspace(i) != 0));
        CHECK(ascii::is_digit(c) == (plain && std::isdigit(i) != 0));
        CHECK(ascii::is_alpha(c) == (plain && std::isalpha(i) != 0));
        CHECK(ascii::is_alnum(c) == (plain && std::isalnum(i) != 0));
        CHECK(ascii::is_lower(c) == (plain && std::islower(i) != 0));
        CHECK(ascii::is_upper(c) == (plain && std::isupper(i) != 0));
        CHECK(ascii::to_lower(c) == (plain ? static_cast<char>(std::tolower(i)) : c));
        CHECK(ascii::to_upper(c) == (plain ? static_cast<char>(std::toupper(i)) : c));
        CHECK((ascii::hex_value(c) >= 0) == (plain && std::isxdigit(i) != 0));
    }
    CHECK(ascii::hex_value('9') == 9);
    CHECK(ascii::hex_value('f') == 15);
    CHECK(ascii::hex_value('A') == 10);
}

TEST_CASE("percent signs stand for bytes only before two hexadecimal digits") {
    CHECK(ascii::percent_decoded("a%20b%2Cc%2c%C3%A4") == "a b,c,ä");
    CHECK(ascii::percent_decoded("100%").append(ascii::percent_decoded("%4")) == "100%%4");
    CHECK(ascii::percent_decoded("%zz%%41%254") == "%zz%A%4");
    CHECK(ascii::percent_decoded("%4z%z4%41%7") == "%4z%z4A%7");
    CHECK(ascii::percent_decoded("").empty());
}

TEST_CASE("trimming removes ASCII white space at both ends and nothing else") {
    CHECK(ascii::trim(" \t\n\v\f\r a b \r\n") == "a b");
    CHECK(ascii::trim("") == "");
    CHECK(ascii::trim(" \n") == "");
    CHECK(ascii::trim("\xC2\xA0x") == "\xC2\xA0x");
}

TEST_CASE("blank is two things: to ASCII and to Unicode") {
    CHECK(ascii::is_blank(""));
    CHECK(ascii::is_blank(" \t\v"));
    CHECK_FALSE(ascii::is_blank("\xE3\x80\x80"));  // U+3000, ideographic space
    CHECK(acta::unicode::is_blank(" \xE3\x80\x80\xC2\x85"));
    CHECK(acta::unicode::is_blank(""));
    CHECK_FALSE(acta::unicode::is_blank(" \xC3\xA4"));
    CHECK_FALSE(acta::unicode::is_blank("\xFF"));
}

TEST_CASE("texts are compared without regard to the case of ASCII letters") {
    CHECK(ascii::equals_ignoring_case("Retry-After", "retry-aFTER"));
    CHECK_FALSE(ascii::equals_ignoring_case("a", "ab"));
    CHECK_FALSE(ascii::equals_ignoring_case("\xC3\xA4", "\xC3\x84"));  // of letters beyond ASCII it knows nothing
}

TEST_CASE("a text may be cut between code points only") {
    const std::string_view text = "a\xC3\xA4\xF0\x9F\x98\x80";
    std::string cuts;
    for (std::size_t i = 0; i <= text.size() + 1; ++i) cuts += acta::utf8::is_boundary(text, i) ? '|' : '.';
    CHECK(cuts == "||.|...||");
    CHECK(acta::utf8::is_boundary("\x80\x80", 1));  // part of no sequence
    CHECK(acta::utf8::count_code_points(text) == 3);
    CHECK(acta::utf8::is_continuation('\x80'));
    CHECK(acta::utf8::is_continuation('\xBF'));
    CHECK_FALSE(acta::utf8::is_continuation('\xC2'));
    CHECK_FALSE(acta::utf8::is_continuation('a'));
    CHECK(acta::utf8::prefix(text, 3) == "a\xC3\xA4");
    CHECK(acta::utf8::prefix(text, 2) == "a");
    CHECK(acta::utf8::prefix(text, 6) == "a\xC3\xA4");
    CHECK(acta::utf8::prefix("\x80\x80", 1).empty());
}
