// SPDX-License-Identifier: MIT
#include "acta/pysyntax/call.hpp"

#include <cmath>
#include <cstdint>
#include <limits>
#include <string>
#include <string_view>

#include "acta/pysyntax/repr.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

using acta::CallSyntaxError;
using acta::Json;
using acta::parse_literal;

namespace {

/// The literal as it prints, which differs for 1 and 1.0 and keeps the order of keys.
std::string repr_of(std::string_view text) { return acta::python_repr(parse_literal(text)); }

std::string literal_error(std::string_view text) {
    try {
        (void)parse_literal(text);
    } catch (const CallSyntaxError& error) {
        const std::string what = error.what();
        return what.substr(0, what.find(" at line "));
    }
    return "no error";
}

std::size_t offset_of_error(std::string_view text) {
    try {
        (void)parse_literal(text);
    } catch (const CallSyntaxError& error) {
        return error.offset();
    }
    return std::string_view::npos;
}

}  // namespace

TEST_CASE("words are read as Python's and as JSON's") {
    CHECK(repr_of("None") == "None");
    CHECK(repr_of("[True, False, null, true, false]") == "[True, False, None, True, False]");
    CHECK(literal_error("none") == "'none' is a name, not a literal");
    CHECK(literal_error("NaN") == "'NaN' is a name, not a literal");
    CHECK(literal_error("...") == "'.' does not begin a literal");
    const std::string shown(40, 'x');
    CHECK(literal_error(shown) == "'" + shown + "' is a name, not a literal");
    CHECK(literal_error(shown + "x") == "'" + shown + "...' is a name, not a literal");
    CHECK(literal_error(std::string(1000, 'x')) == "'" + shown + "...' is a name, not a literal");
}

TEST_CASE("only an escape of four digits and the next one are a pair, and only if they are its halves") {
    CHECK(repr_of(R"('\ud83d\ude00')") == "'\xF0\x9F\x98\x80'");
    for (const std::string text : {R"('\u0041\ude00')", R"('\ud83d\u0041')", R"('\ud83d\ud83d')", R"('\ude00\ud83d')",
                                   R"('\ud83d--de00')", R"('\ud83d\Ude00')", R"('\U0000d83d\ude00')", R"('\ud83d')"}) {
        INFO(text);
        CHECK_THAT(literal_error(text), starts_with_text("half of a surrogate pair is not a character"));
    }
}

TEST_CASE("a comma is missing before whatever begins a value") {
    for (const std::string value : {"'a'", "\"a\"", "b'a'", "None", "x", "(1)", "[1]", "{1}", "1"}) {
        INFO(value);
        CHECK_THAT(literal_error("[{} " + value + "]"), starts_with_text("a comma is missing"));
    }
    CHECK_THAT(literal_error("[{} $]"), !contains_text("a comma is missing"));
}

TEST_CASE("integers are read in every base") {
    CHECK(repr_of("[0, 00, 0_0, 7, 1_000]") == "[0, 0, 0, 7, 1000]");
    CHECK(repr_of("[0x1F, 0X_ff, 0o17, 0O7, 0b101, 0B1_0]") == "[31, 255, 15, 7, 5, 2]");
    CHECK(repr_of("0x000000000000000000000000000001") == "1");
    CHECK(repr_of("[18446744073709551615, -9223372036854775808]") == "[18446744073709551615, -9223372036854775808]");
    CHECK(repr_of("0xFFFFFFFFFFFFFFFF") == "18446744073709551615");
}

TEST_CASE("integers out of range are refused, never rounded") {
    const std::string range = "the integer is outside the range -2^63 to 2^64-1";
    CHECK(literal_error("18446744073709551616") == range);
    CHECK(literal_error("-9223372036854775809") == range);
    CHECK(literal_error("0x10000000000000000") == range);
    CHECK(literal_error(std::string(5000, '9')) == range);
}

TEST_CASE("numbers that Python refuses are refused") {
    for (const char* text : {"0777", "01",   "0_7",  "1__0",  "1_",    "0x",      "0xg", "0b12",   "0o8",  "0x1_", "1e",
                             "1e+",  "1._5", "1e_5", "1.2.3", "12abc", "1\u00e9", "0b",  "1_000_", "1e5_", "."}) {
        INFO(text);
        CHECK_THROWS_AS(parse_literal(text), CallSyntaxError);
    }
    CHECK(literal_error("0777") == "an integer cannot begin with 0 (an octal one begins with 0o)");
    CHECK(literal_error("1j") == "complex numbers have no counterpart in JSON");
    CHECK(literal_error("0777.5J") == "complex numbers have no counterpart in JSON");
    CHECK_THROWS_AS(parse_literal("1+2j"), CallSyntaxError);
}

TEST_CASE("floats are read, infinities and all") {
    CHECK(repr_of("[1.5, .5, 5., 0e0, 1e3, 1_0.2_5e-1_0, 0777.5, 09.]") ==
          "[1.5, 0.5, 5.0, 0.0, 1000.0, 1.025e-09, 777.5, 9.0]");
    CHECK(repr_of("[1e400, -1e400, 1e-400, -1e-400, -0.0]") == "[inf, -inf, 0.0, -0.0, -0.0]");
    CHECK(repr_of("[1e99999999999999999999, 0e99999999999999999999, 1e-99999999999999999999]") == "[inf, 0.0, 0.0]");
    CHECK(repr_of("1" + std::string(400, '0') + ".0") == "inf");
    CHECK(repr_of("1" + std::string(400, '0') + "e-400") == "1.0");
    CHECK(repr_of("0." + std::string(400, '0') + "1e401") == "1.0");
    CHECK(repr_of("0." + std::string(400, '0') + "1") == "0.0");
    CHECK(repr_of("4.9406564584124654e-324") == "5e-324");
    CHECK(repr_of("1.7976931348623157e308") == "1.7976931348623157e+308");
}

TEST_CASE("a sign precedes numbers only") {
    CHECK(repr_of("[-1, +1, - 1, -\n1, -(1), -((1.5)), (-1), +0x10]") == "[-1, 1, -1, -1, -1, -1.5, -1, 16]");
    CHECK(repr_of("-0") == "0");
    for (const char* text :
         {"--1", "-+1", "-(-1)", "-True", "-'a'", "-[1]", "-None", "~1", "not 1", "-(1,)", "-", "-("}) {
        INFO(text);
        CHECK_THROWS_AS(parse_literal(text), CallSyntaxError);
    }
}

TEST_CASE("strings are read with every prefix and quote") {
    CHECK(repr_of(R"(['a', "a", '''a''', """a""", r'a', R"a", u'a', U"a"])") ==
          "['a', 'a', 'a', 'a', 'a', 'a', 'a', 'a']");
    CHECK(repr_of(R"(['', "", '''''', """""", '"', "'", """a"b""c"""])") == R"(['', '', '', '', '"', "'", 'a"b""c'])");
    CHECK(repr_of(R"(r'C:\dir\'')") == R"("C:\\dir\\'")");
    CHECK(repr_of("'a' \"b\"'''c'''r'\\d'") == R"('abc\\d')");
    CHECK(repr_of("('x'\n 'y' # z\n 'z')") == "'xyz'");
    CHECK(repr_of("'''a\r\nb\rc\nd'''") == R"('a\nb\nc\nd')");
    CHECK(repr_of("'\u2028\u0085'") == R"('\u2028\x85')");
}

TEST_CASE("escapes are read as Python reads them") {
    CHECK(repr_of(R"('\a\b\f\n\r\t\v\\\'\"')") == R"('\x07\x08\x0c\n\r\t\x0b\\\'"')");
    CHECK(repr_of(R"('\x41\101\0\7\1011\777\u00e9\U0001F680')") == "'AA\\x00\\x07A1\u01ff\u00e9\U0001F680'");
    CHECK(repr_of("'a\\\nb\\\r\nc\\\rd'") == "'abcd'");
    CHECK(repr_of(R"('\q\8\%\ ')") == R"('\\q\\8\\%\\ ')");
    CHECK(repr_of("r'a\\\nb'") == R"('a\\\nb')");
}

TEST_CASE("a pair of surrogates is one character, as in JSON") {
    CHECK(repr_of(R"('\ud83d\ude00')") == "'\U0001F600'");
    CHECK(repr_of(R"("a\uD83D\uDE00b\udbff\udfff")") == "'a\U0001F600b\\U0010ffff'");
    CHECK(repr_of(R"('\ud800\udc00')") == "'\U00010000'");
    CHECK(repr_of(R"(r'\ud83d\ude00')") == R"('\\ud83d\\ude00')");
    CHECK(parse_literal(R"({"x": "\ud83d\ude00"})") == Json::parse(R"({"x": "\ud83d\ude00"})"));
}

TEST_CASE("strings that cannot be read are refused with the reason") {
    CHECK(literal_error("'a") == "the string is not closed before the line ends");
    CHECK(literal_error("'a\nb'") == "the string is not closed before the line ends");
    CHECK(literal_error("'''a'") == "the string is never closed");
    CHECK(literal_error("'a\\") == "the string is not closed before the line ends");
    CHECK(literal_error("'\\x4'") == "the escape needs 2 hexadecimal digits");
    CHECK(literal_error("'\\u123'") == "the escape needs 4 hexadecimal digits");
    CHECK(literal_error("'\\U0011ffff'") == "the escape is beyond the last character, \\U0010ffff");
    CHECK(literal_error("'\\N{DASH}'") == "\\N{...} escapes are not supported");
    for (const char* half :
         {"'\\ud83d'", "'\\ude80'", "'\\ud83d\\ud83d'", "'\\ude80\\ud83d'", "'\\ud83d\\u0041'", "'\\ud83dx'",
          "'\\ud83d\\U0000de80'", "'\\ud83d' '\\ude80'", "'\\ud83d\\ude8'", "'\\ud83d\\u'"}) {
        INFO(half);
        CHECK(literal_error(half) == "half of a surrogate pair is not a character");
    }
    for (const char* bytes : {"b'a'", "B'a'", "rb'a'", "bR'a'", "'a' b'b'"}) {
        CHECK(literal_error(bytes) == "bytes have no counterpart in JSON");
    }
    for (const char* formatted : {"f'a'", "F'a'", "rf'a'", "fR'''{a}'''"}) {
        CHECK(literal_error(formatted) == "an f-string is not a literal");
    }
    CHECK(literal_error("ur'a'") == "'ur' is not a string prefix");
    CHECK(literal_error("x'a'") == "'x' is not a string prefix");
}

TEST_CASE("containers are read, with blanks and comments anywhere") {
    CHECK(repr_of("[]") == "[]");
    CHECK(repr_of("()") == "[]");
    CHECK(repr_of("{}") == "{}");
    CHECK(repr_of("[1,\n 2, # two\n\t(3,), ((4)), (5, 6),\f]") == "[1, 2, [3], 4, [5, 6]]");
    CHECK(repr_of("{'a': 1, 'b': [], 'a': 2,}") == "{'a': 2, 'b': []}");
    CHECK(repr_of("{'a' 'b': 1, ('c'): 2}") == "{'ab': 1, 'c': 2}");
    CHECK(repr_of(" \t\n# first\n[1]\n  # last\n") == "[1]");
    CHECK(repr_of("1,") == "[1]");
    CHECK(repr_of("1, 'a', # c") == "[1, 'a']");
    CHECK(repr_of("[1, \\\n2]") == "[1, 2]");
    CHECK(repr_of(R"({"a": true, "b": {"c": null}})") == "{'a': True, 'b': {'c': None}}");
}

TEST_CASE("sets keep the order of the source and drop what Python holds equal") {
    CHECK(repr_of("{3, 1, 2, 1}") == "[3, 1, 2]");
    CHECK(repr_of("{1, 1.0, True, 'a', 'a', None, None}") == "[1, 'a', None]");
    CHECK(repr_of("{0.0, -0.0, False}") == "[0.0]");
    CHECK(repr_of("{1.5, 1.5, 2.5}") == "[1.5, 2.5]");
    CHECK(repr_of("{(1, 'a'), (1.0, 'a'), ('1', 'a')}") == "[[1, 'a'], ['1', 'a']]");
    CHECK(repr_of("{((1,), 2), ((1, 2),)}") == "[[[1], 2], [[1, 2]]]");
    CHECK(repr_of("{9007199254740993, 9007199254740992.0}") == "[9007199254740993, 9007199254740992.0]");
    CHECK(repr_of("{18446744073709551615, 18446744073709551616.0, -1, -1.0}") ==
          "[18446744073709551615, 1.8446744073709552e+19, -1]");
    CHECK(repr_of("[set(), set ( )]") == "[[], []]");
    CHECK(literal_error("{[1]}") == "a set cannot hold a list, dict or set");
    CHECK(literal_error("{1, (2, {})}") == "a set cannot hold a list, dict or set");
    CHECK(literal_error("{set()}") == "a set cannot hold a list, dict or set");
    CHECK_THROWS_AS(parse_literal("set([1])"), CallSyntaxError);
    CHECK_THROWS_AS(parse_literal("set"), CallSyntaxError);
}

TEST_CASE("keys have to be strings") {
    for (const char* text : {"{1: 2}", "{None: 1}", "{('a',): 1}", "{'a': 1, 2: 3}", "{[1]: 2}", "{1.5: 'x'}"}) {
        INFO(text);
        CHECK(literal_error(text) == "a key must be a string");
    }
}

TEST_CASE("anything but a literal is refused where it begins") {
    for (const char* text : {"",
                             " ",
                             "a",
                             "1+1",
                             "1 2",
                             "[1 2]",
                             "[1,,2]",
                             "[,]",
                             "(,)",
                             "{,}",
                             "{'a'}x",
                             "{'a': }",
                             "{'a': 1 'b': 2}",
                             "{'a', 'b': 1}",
                             "{'a': 1, 'b'}",
                             "[1",
                             "(1",
                             "{1",
                             "{'a'",
                             "{'a':",
                             "[1)",
                             "f(1)",
                             "a.b",
                             "'a'.upper()",
                             "'a'[0]",
                             "[*[1]]",
                             "{**{}}",
                             "[x for x in []]",
                             "1 if True else 2",
                             "lambda: 1",
                             "a=1",
                             "1;2",
                             "1\n2",
                             "1 == 1",
                             "`a`",
                             "$",
                             "\\",
                             "1,,",
                             ",",
                             "'a' \\ 'b'",
                             "[1]]",
                             "'a'\n'b'",
                             "1\n,2"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_literal(text), CallSyntaxError);
    }
    CHECK(literal_error("1+1") == "only literals are read, nothing is evaluated");
    CHECK(literal_error("[1 if x else 2]") == "only literals are read, nothing is evaluated");
    CHECK(literal_error("[1 2]") == "a comma is missing");
    CHECK(literal_error("[1)") == "']' is expected, not ')'");
    CHECK(literal_error("[1, [2") == "'[' is never closed");
    CHECK(literal_error("{'a': 1, 'b'}") == "a colon is missing after the key");
    CHECK(offset_of_error("[1, [2") == 4);
    CHECK(offset_of_error("[1, x]") == 4);
    CHECK(offset_of_error("[1, 'a\\xzz']") == 6);
}

TEST_CASE("bytes that are not text are refused with their place") {
    CHECK(literal_error("'a\xff'") == "a byte that is not UTF-8");
    CHECK(offset_of_error("'a\xff'") == 2);
    CHECK(literal_error("[1, \xc3]") == "a byte that is not UTF-8");
    CHECK(literal_error("[1, # \xc3\n]") == "a byte that is not UTF-8");
    CHECK(literal_error(std::string("'a\0b'", 5)) == "a NUL byte");
    CHECK(literal_error(std::string("[\0]", 3)) == "a NUL byte");
    CHECK(literal_error(std::string("[1 # \0\n]", 8)) == "a NUL byte");
    CHECK(literal_error("[\u00a0 1]") == "an invisible character");
    CHECK(literal_error("\ufeff1") == "an invisible character");
}

TEST_CASE("brackets of any kind nest as deep as the limit and no deeper") {
    const auto nested = [](std::size_t depth, char open, char close) {
        return std::string(depth, open) + "1" + std::string(depth, close);
    };
    const auto is_read = [&](std::size_t depth, acta::CallOptions options) {
        try {
            return parse_literal(nested(depth, '[', ']'), options).is_array();
        } catch (const CallSyntaxError&) {
            return false;
        }
    };
    below_at_above("nesting of a literal or call in Python's syntax", 128,
                   [&](std::size_t depth) { return is_read(depth, {}); });
    below_at_above("nesting of a literal or call in Python's syntax, whatever the options", 500,
                   [&](std::size_t depth) { return is_read(depth, {.max_depth = 1'000'000}); });
    CHECK(literal_error(nested(129, '[', ']')) == "brackets nest deeper than 128");
    CHECK(literal_error(nested(129, '(', ')')) == "brackets nest deeper than 128");
    CHECK(literal_error("-" + nested(129, '(', ')')) == "brackets nest deeper than 128");
    CHECK_THROWS_AS(parse_literal("[[]]", {.max_depth = 1}), CallSyntaxError);
    CHECK_NOTHROW(parse_literal("[]", {.max_depth = 1}));
    CHECK_THROWS_AS(parse_literal("[]", {.max_depth = 0}), CallSyntaxError);
}
