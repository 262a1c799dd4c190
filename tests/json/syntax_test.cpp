// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <string_view>
#include <tuple>

#include "acta/json/json.hpp"
#include "support/issues.hpp"

// What is not JSON, with the words of pydantic's reader and the place.
namespace {

struct Broken {
    const char* text;
    const char* message;
};

struct Berth {
    int depth = 0;
    int length = 0;
};

constexpr Broken broken[] = {
    {"", "EOF while parsing a value at line 1 column 1"},
    {" ", "EOF while parsing a value at line 1 column 2"},
    {"{", "EOF while parsing an object at line 1 column 2"},
    {"[", "EOF while parsing a list at line 1 column 2"},
    {"[1", "EOF while parsing a list at line 1 column 3"},
    {"[1,", "EOF while parsing a value at line 1 column 4"},
    {"[1,]", "trailing comma at line 1 column 4"},
    {"[,]", "expected value at line 1 column 2"},
    {"[1 2]", "expected `,` or `]` at line 1 column 4"},
    {"[1,,2]", "expected value at line 1 column 4"},
    {"{\"a\"", "EOF while parsing an object at line 1 column 5"},
    {"{\"a\":", "EOF while parsing a value at line 1 column 6"},
    {"{\"a\":1", "EOF while parsing an object at line 1 column 7"},
    {"{\"a\":1,", "EOF while parsing an object at line 1 column 8"},
    {"{\"a\":1,}", "trailing comma at line 1 column 8"},
    {"{,}", "key must be a string at line 1 column 2"},
    {"{\"a\" 1}", "expected `:` at line 1 column 6"},
    {"{\"a\":1 \"b\":2}", "expected `,` or `}` at line 1 column 8"},
    {"{a:1}", "key must be a string at line 1 column 2"},
    {"{1:1}", "key must be a string at line 1 column 2"},
    {"{\"a\":1}}", "trailing characters at line 1 column 8"},
    {"1 2", "trailing characters at line 1 column 3"},
    {"]", "expected value at line 1 column 1"},
    {"}", "expected value at line 1 column 1"},
    {":", "expected value at line 1 column 1"},
    {"nul", "expected ident at line 1 column 1"},
    {"nulx", "expected ident at line 1 column 1"},
    {"tru", "expected ident at line 1 column 1"},
    {"fals", "expected ident at line 1 column 1"},
    {"truefalse", "trailing characters at line 1 column 5"},
    {"NaN", "expected value at line 1 column 1"},
    {"Infinity", "expected value at line 1 column 1"},
    {"-Infinity", "invalid number at line 1 column 2"},
    {"-", "EOF while parsing a value at line 1 column 2"},
    {"-a", "invalid number at line 1 column 2"},
    {"01", "invalid number at line 1 column 2"},
    {"-01", "invalid number at line 1 column 3"},
    {"1.", "EOF while parsing a value at line 1 column 3"},
    {"1.a", "invalid number at line 1 column 3"},
    {".5", "expected value at line 1 column 1"},
    {"+1", "expected value at line 1 column 1"},
    {"1e", "EOF while parsing a value at line 1 column 3"},
    {"1e+", "EOF while parsing a value at line 1 column 4"},
    {"1ea", "invalid number at line 1 column 3"},
    {"1E-", "EOF while parsing a value at line 1 column 4"},
    {"0x1", "trailing characters at line 1 column 2"},
    {"--1", "invalid number at line 1 column 2"},
    {"'a'", "expected value at line 1 column 1"},
    {"/**/1", "expected value at line 1 column 1"},
    {"\"", "EOF while parsing a string at line 1 column 2"},
    {"\"a", "EOF while parsing a string at line 1 column 3"},
    {"\"\\", "EOF while parsing a string at line 1 column 3"},
    {"\"\\\"", "EOF while parsing a string at line 1 column 4"},
    {"\"\\x\"", "invalid escape at line 1 column 2"},
    {"\"\\x", "invalid escape at line 1 column 2"},
    {"\"\\u", "EOF while parsing a string at line 1 column 4"},
    {"\"\\u12", "EOF while parsing a string at line 1 column 6"},
    {"\"\\u12g4\"", "invalid escape at line 1 column 6"},
    {"\"\\ud800\"", "lone leading surrogate in hex escape at line 1 column 2"},
    {"\"\\ud800x\"", "lone leading surrogate in hex escape at line 1 column 2"},
    {"\"\\ud800xudc00\"", "lone leading surrogate in hex escape at line 1 column 2"},
    {"\"\\ud800\\n\"", "lone leading surrogate in hex escape at line 1 column 2"},
    {"\"\\ud800\\u0041\"", "lone leading surrogate in hex escape at line 1 column 2"},
    {"\"\\ud800\\ue000\"", "lone leading surrogate in hex escape at line 1 column 2"},
    {"\"\\udc00\"", "lone trailing surrogate in hex escape at line 1 column 2"},
    {"\"\\ud800\\", "lone leading surrogate in hex escape at line 1 column 2"},
    {"\"\\ud800\\u", "EOF while parsing a string at line 1 column 10"},
    {"\"a\tb\"", "control character (\\u0000-\\u001F) found while parsing a string at line 1 column 3"},
    {"\"a\\tb\n\"", "control character (\\u0000-\\u001F) found while parsing a string at line 1 column 6"},
    {"\"\xff\"", "invalid unicode code point at line 1 column 2"},
    {"\"a\xe4\xba\"", "invalid unicode code point at line 1 column 3"},
    {"\"\\n\xff\"", "invalid unicode code point at line 1 column 4"},
    {"[\"a\"\n, nope]", "expected ident at line 2 column 3"},
    {"{\"\xe4\xba\xac\": \"\xe4\xba\xac\", x}", "key must be a string at line 1 column 12"},
    {"\xef\xbb\xbf{}", "expected value at line 1 column 1"},
    {"[[[", "EOF while parsing a list at line 1 column 4"},
    {"{\"a\":[{\"b\":", "EOF while parsing a value at line 1 column 12"},
    {"[1]\n\n  x", "trailing characters at line 3 column 3"},
    {"[tru]", "expected ident at line 1 column 2"},
    {"{\"a\":nul}", "expected ident at line 1 column 6"},
    {"[1.]", "invalid number at line 1 column 4"},
    {"[-]", "invalid number at line 1 column 3"},
    {"[\"\\ud800\"]", "lone leading surrogate in hex escape at line 1 column 3"},
    {"{\"\\q\":1}", "invalid escape at line 1 column 3"},
    {"{\"a\x01\":1}", "control character (\\u0000-\\u001F) found while parsing a string at line 1 column 4"},
};

}  // namespace

template <>
struct acta::Describe<Berth> {
    static constexpr auto fields =
        acta::fields(acta::required("depth", &Berth::depth), acta::required("length", &Berth::length));
};

TEST_CASE("text that is not JSON is one issue, with what is wrong and its place") {
    for (const Broken& one : broken) {
        INFO(one.text);
        const auto issues = issues_of<acta::Json>(one.text);
        REQUIRE(issues.size() == 1);
        CHECK(issues[0].type == "json_invalid");
        CHECK(issues[0].loc.empty());
        CHECK(issues[0].message == "Invalid JSON: " + std::string(one.message));
        // The same where the value is kept, passed over, or of a described type.
        const std::string inside = "[\n" + std::string(one.text) + "\n]";
        const auto kept = issues_of<acta::Json>(inside);
        const auto skipped = issues_of<std::tuple<>>(inside);
        if (kept.empty()) continue;  // an empty list
        REQUIRE(skipped.size() == 1);
        CHECK(skipped[0] == kept[0]);
    }
}

TEST_CASE("an escape has four hexadecimal digits, and no characters beside them in ASCII") {
    const std::string digits = "0123456789abcdefABCDEF";
    for (std::size_t at = 0; at < 4; ++at) {
        for (int c = 0x20; c < 0x80; ++c) {
            std::string text = "\"\\u0041\"";
            text[3 + at] = static_cast<char>(c);
            INFO(text);
            const auto digit = digits.find(static_cast<char>(c));
            if (digit == std::string::npos) {
                CHECK_THROWS_AS(acta::parse<acta::Json>(text), acta::ValidationError);
                continue;
            }
            const std::size_t value = digit < 16 ? digit : digit - 6;
            const std::size_t shift = 4 * (3 - at);
            const auto code = static_cast<char32_t>((0x41 & ~(std::size_t{15} << shift)) | value << shift);
            std::string expected;
            acta::utf8::append(expected, code);
            CHECK(acta::parse<std::string>(text) == expected);
        }
    }
}

TEST_CASE("a text ends where it ends, whatever follows it in memory") {
    for (const std::string text : {R"({"a":[1,-20.5e+3,true,false,null],"\u00e9":"\ud83d\ude80 \n \u4eac"})",
                                   "\"\\ud800\\udc00\"", "[\"abc\\\\\"]"}) {
        for (std::size_t size = 0; size < text.size(); ++size) {
            INFO(text.substr(0, size));
            const std::string copy = text.substr(0, size);
            const auto whole = issues_of<acta::Json>(copy);
            REQUIRE(whole.size() == 1);
            for (const char next : {'0', 'u', '"', ']', '\\'}) {
                const std::string longer = copy + next + text;
                try {
                    static_cast<void>(acta::parse<acta::Json>(std::string_view(longer).substr(0, size)));
                    FAIL("was read");
                } catch (const acta::ValidationError& error) {
                    CHECK(error.issues()[0] == whole[0]);
                }
            }
        }
    }
}

TEST_CASE("an object whose keys are expected ends where its text ends, although they follow in memory") {
    const std::string text = R"( { "depth" : 12 , "length" : 80 } )";
    const std::size_t end = text.rfind('}');
    for (std::size_t size = 0; size < text.size(); ++size) {
        INFO(text.substr(0, size));
        const auto whole = issues_of<Berth>(text.substr(0, size));
        CHECK(whole.size() == (size <= end ? 1 : 0));
        try {
            static_cast<void>(acta::parse<Berth>(std::string_view(text).substr(0, size)));
            CHECK(whole.empty());
        } catch (const acta::ValidationError& error) {
            REQUIRE_FALSE(whole.empty());
            CHECK(error.issues()[0] == whole[0]);
        }
    }
}

TEST_CASE("a byte that is not UTF-8 is found at each place of a long text with escapes") {
    const std::string text = std::string("\\n") + std::string(150, 'a') + "\\n" + std::string(150, 'b');
    for (std::size_t at = 0; at <= text.size(); ++at) {
        if (at != 0 && text[at - 1] == '\\') continue;
        CAPTURE(at);
        const std::string bad = '"' + std::string(text).insert(at, "\xFF") + '"';
        REQUIRE(issues_of<std::string>(bad).size() == 1);
        REQUIRE(issues_of<acta::Json>('[' + bad + ']').size() == 1);
        REQUIRE(issues_of<std::tuple<>>('[' + bad + ']').front().type == "json_invalid");
    }
}

TEST_CASE("numbers that fit nowhere are issues with their paths, in what is kept as in what is read") {
    const auto where = [](const std::string& text) {
        std::string out;
        for (const acta::Issue& issue : issues_of<acta::Json>(text))
            out += issue.pointer() + "=" + issue.input + ":" + std::to_string(issue.column) + " ";
        return out;
    };
    CHECK(where("1e999") == "=1e999:1 ");
    CHECK(where("[1e999]") == "/0=1e999:2 ");
    CHECK(where(R"({"a":[1,{"b":2,"c":[3,1e999]}],"d":1e999})") == "/a/1/c/1=1e999:23 /d=1e999:36 ");
    CHECK(where("[[[]],[{},[1,1e999]]]") == "/1/1/1=1e999:14 ");
    CHECK(where(R"([{"a":1,"b":{"c":1e999}}])") == "/0/b/c=1e999:18 ");
    CHECK(where(R"({"a":1e999,"a":1})") == "/a=1e999:6 ");
}
