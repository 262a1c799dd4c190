// SPDX-License-Identifier: MIT
#include <random>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

using acta::Json;

/// The message of the only issue of a text that is not JSON.
std::string refusal(const std::string& text) {
    try {
        static_cast<void>(acta::parse<std::string>(text));
        return "was read";
    } catch (const acta::ValidationError& error) {
        REQUIRE(error.issues().size() == 1);
        CHECK(error.issues()[0].type == "json_invalid");
        return error.issues()[0].message;
    }
}

/// acta and nlohmann agree on `text` as a string, as a value that is kept, skipped and used as a key.
void check_against_nlohmann(const std::string& text) {
    CAPTURE(text.size(), text.substr(0, 80));
    const bool good = nlohmann::json::accept(text);
    if (!good) {
        CHECK_THROWS_AS(acta::parse<std::string>(text), acta::ValidationError);
        CHECK_THROWS_AS(acta::parse<Json>("[" + text + "]"), acta::ValidationError);
        CHECK_THROWS_AS(acta::parse<Json>("{" + text + ":1}"), acta::ValidationError);
        CHECK_THROWS_AS(acta::parse<std::tuple<>>("[" + text + "]"), acta::ValidationError);
        return;
    }
    const auto expected = nlohmann::json::parse(text).get<std::string>();
    CHECK(acta::parse<std::string>(text) == expected);
    CHECK(acta::parse<Json>("[" + text + ", 1]") == Json::parse("[" + text + ",1]"));
    CHECK((acta::parse<std::map<std::string, int>>("{" + text + ": 1}")) == std::map<std::string, int>{{expected, 1}});
    CHECK(acta::parse<Json>("{" + text + ": 1}") == Json::parse("{" + text + ": 1}"));
    CHECK(acta::parse<std::string>(acta::dump(expected)) == expected);
    CHECK(acta::dump(expected) == Json(expected).dump());
    CHECK(acta::dump(Json{{expected, expected}}) == (Json{{expected, expected}}.dump()));
}

}  // namespace

TEST_CASE("every escape is read") {
    CHECK(acta::parse<std::string>(R"("\"\\\/\b\f\n\r\t")") == "\"\\/\b\f\n\r\t");
    CHECK(acta::parse<std::string>(R"("\u0041\u00e9\u4EAC\u0000x")") == std::string("A\u00e9\u4eac\0x", 8));
    CHECK(acta::parse<std::string>(R"("\ud83d\ude80 \uD834\uDD1E")") == "\U0001F680 \U0001D11E");
    CHECK(acta::parse<std::string>(R"("\ud800\udc00 \udbff\udfff")") == "\U00010000 \U0010FFFF");
    CHECK((acta::parse<std::map<std::string, int>>(R"({"a\u0062\n": 1})")) == std::map<std::string, int>{{"ab\n", 1}});
}

TEST_CASE("control characters stand in no string, DEL and NUL by escape do") {
    for (char c = 0; c < 0x20; ++c) {
        CAPTURE(static_cast<int>(c));
        CHECK_THAT(refusal("\"a" + std::string(1, c) + "\""), contains_text("control character"));
        const std::string raw(1, c);
        CHECK(acta::parse<std::string>(acta::dump(raw)) == raw);
    }
    CHECK(acta::parse<std::string>("\"\x7f\"") == "\x7f");
}

TEST_CASE("a special character at every place of strings around block sizes is read and written") {
    const std::vector<std::string> specials{"\\n",    "\\\"",   "\\\\",       "\\u00e9", "\\ud83d\\ude80",
                                            "\u00e9", "\u4eac", "\U0001F680", "\\u0000", "\x7f",
                                            "\xff",   "\n",     "\\q"};
    for (const std::size_t size : {1U, 7U, 8U, 9U, 15U, 16U, 17U, 31U, 32U, 33U, 48U}) {
        for (const std::string& special : specials) {
            for (std::size_t at = 0; at <= size; ++at) {
                std::string text(size, 'a');
                text.insert(at, special);
                check_against_nlohmann('"' + text + '"');
            }
        }
    }
}

TEST_CASE("a special character around the size of the buffer, and of what is written at once, is read and written") {
    struct Special {
        const char* text;
        const char* meaning;
        const char* written;
    };
    constexpr Special specials[] = {{"\\n", "\n", "\\n"},
                                    {"\\ud83d\\ude80", "\U0001F680", "\U0001F680"},
                                    {"\U0001F680", "\U0001F680", "\U0001F680"},
                                    {"\u00e9", "\u00e9", "\u00e9"},
                                    {"\\u00e9", "\u00e9", "\u00e9"}};
    // nlohmann takes far longer for each than acta.
    const std::size_t step = test_size(27, 3);
    for (const std::size_t around : {1024U, 16384U}) {
        for (const Special& special : specials) {
            for (const bool early : {false, true}) {
                for (std::size_t size = around - 40; size <= around + 40; ++size) {
                    std::string text(size, 'a');
                    std::string meaning = text;
                    if (early) {
                        text.insert(1, "\\t");
                        meaning.insert(1, "\t");
                    }
                    const auto with = [](const std::string& start, const char* end) {
                        return start + end + "end" + end;
                    };
                    const std::string read = '"' + with(text, special.text) + '"';
                    const std::string written = '"' + with(text, special.written) + '"';
                    meaning = with(meaning, special.meaning);
                    INFO(special.text << " behind " << text.size());
                    CHECK((acta::parse<std::string>(read) == meaning));
                    CHECK((acta::parse<Json>('[' + read + ']')[0] == meaning));
                    CHECK(acta::parse<std::map<std::string, int>>('{' + read + ":1}").contains(meaning));
                    CHECK((acta::dump(meaning) == written));
                    CHECK((acta::dump(Json{{meaning, meaning}}) == '{' + written + ':' + written + '}'));
                    if ((size - (around - 40)) % step == 0) check_against_nlohmann(read);
                }
            }
        }
    }
}

TEST_CASE("a text whose first escape comes late, with much behind it, is read") {
    const std::string start(9'000, 'a');
    const std::string end(50'000, 'b');
    CHECK((acta::parse<std::string>('"' + start + "\\n" + end + '"') == start + '\n' + end));
}

TEST_CASE("strings of any mixture are read and written as nlohmann does") {
    std::mt19937 random(20240917);
    const std::vector<std::string> parts{
        "a",      "bcdefgh",      std::string(30, 'x'), "\\n",  "\\\"", "\\\\", "\\/", "\\u0001", "\\ud83d\\ude80",
        "\u00e9", "\u4eac\u4eac", "\U0001F680",         "\x7f", " ",    "{",    "'",   "\\u20AC"};
    for (int round = 0; round < 400; ++round) {
        std::string text;
        const std::size_t count = random() % 60;
        for (std::size_t i = 0; i < count; ++i) text += parts[random() % parts.size()];
        if (round % 8 == 0) text += std::string(1, static_cast<char>(random() % 256));
        check_against_nlohmann('"' + text + '"');
    }
}

TEST_CASE("large strings of one kind of character are read and written") {
    for (const char* unit : {"a", "\\n", "\\\\", "\u00e9", "\U0001F680", "\\ud83d\\ude80", "a\\u0000", "\\u0001"}) {
        std::string text = "\"";
        while (text.size() < 100000) text += unit;
        check_against_nlohmann(text + '"');
    }
}
