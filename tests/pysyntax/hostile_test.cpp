// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/pysyntax/call.hpp"
#include "acta/pysyntax/detail/literal_reader.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

using acta::CallOptions;
using acta::CallSyntaxError;
using acta::Json;

namespace {

std::string repeat(std::string_view unit, std::size_t size) {
    std::string out;
    while (out.size() < size) out += unit;
    return out;
}

/// The bytes scanned by one reading of `text`, whether it succeeds or not.
template <class Function>
std::size_t work(Function&& read) {
    const std::size_t before = acta::pysyntax_detail::scanned_bytes;
    try {
        read(CallOptions{});
    } catch (const CallSyntaxError& error) {
        CHECK(std::string_view(error.what()).size() < 2000);
    }
    return acta::pysyntax_detail::scanned_bytes - before;
}

/// The most bytes that any of the readers scans.
std::size_t most_work(const std::string& text) {
    static const std::vector<std::string> names = {"a", "b"};
    std::size_t most = 0;
    most = std::max(most, work([&](const CallOptions& o) { (void)acta::parse_call(text, o); }));
    most = std::max(most, work([&](const CallOptions& o) { (void)acta::parse_calls(text, o); }));
    static const std::vector<std::string> known = {"f", "g", "a-b", "functions.a"};
    most = std::max(most, work([&](const CallOptions& o) { (void)acta::parse_calls(text, known, o); }));
    most = std::max(most, work([&](const CallOptions& o) { (void)acta::parse_arguments("f", text, o); }));
    most = std::max(most, work([&](const CallOptions& o) { (void)acta::parse_arguments("f", names, text, o); }));
    return std::max(most, work([&](const CallOptions& o) { (void)acta::parse_literal(text, o); }));
}

/// Every byte may be scanned by a search, by a search back, and by a few attempts to read (see call.inl.hpp).
constexpr std::size_t times = 6;

}  // namespace

TEST_CASE("a long run of one thing is read or refused in linear time") {
    const std::size_t size = test_size(8'000, 100'000);
    for (const std::string_view unit :
         {"(", "[", "{",  "'", "\"",   "\\",           "9",  "#",      "a",   ".",  "-",
          "_", ",", "\n", " ", "\xff", "\xe5\x8c\x97", "''", "\"\"\"", "\\'", "()", "[]"}) {
        for (const std::string_view before :
             {"", "f(", "f(a=", "f(a='", "f(a='''", "f(a=[", "f(a=r\"", "f(a=1.", "f(#"}) {
            const std::string text = std::string(before) + repeat(unit, before == "f(a=" ? 10 * size : size);
            INFO(before << unit << "...");
            CHECK(most_work(text) <= times * text.size());
        }
    }
    const std::string nul = "f(a=" + std::string(10 * size, '\0');
    CHECK(most_work(nul) <= times * nul.size());
}

TEST_CASE("calls that repeat many times are read or refused in linear time") {
    const std::size_t times_of_unit = test_size(800, 20'000);
    for (const std::string_view unit :
         {"f(",          "f('",        "f(\"",          "f('''",      "f(\"\"\"", "f(#",       "f(#\n",     "f([",
          "f({'a':",     "f(a=",       "f(a='x' ",      "f(r'\\",     "f(b'",     "f(f'",      "f(1,",      "f(a=1",
          "f(x)",        "f(a=1) ",    "g(a=1) ",       "g(a='f(') ", "f('','\"", "f('\",'\"", "f(\"',\"'", "f(0,#",
          "f ",          "f (",        "f (a=",         "f (a=1) ",   "(f ",      "a.",        "a.(",       "f.f(",
          "def f(a=1) ", "[f(),",      "\n[f(1),",      "`[f(x)]",    "f(-",      "f(-(",      "f(a=\\\n",  "f('\\''",
          "f(\"\\\"'",   "f(a#\n",     "f(a#",          "f(r#",       "f(a=b#",   "f(set#",    "f(set(#",   "a ( f ",
          "   (",        "f(set(",     "f(\xff",        "f('\xff'",   "a-",       "a-(",       "-f(",       "f().",
          "f().f(",      ").",         ")  .f(",        "1-f(",       "p(f(",     "p(f(1) ",   "[f(1),f(",  "[f(1),p(",
          "p('f(",       "functions.", "default_api.f("}) {
        const std::string text = repeat(unit, times_of_unit * unit.size());
        INFO(unit);
        CHECK(most_work(text) <= times * text.size());
        const std::string in_list = "[" + text;
        CHECK(most_work(in_list) <= times * in_list.size());
        const std::string on_one_comment = text + "\n" + repeat("1,", 5 * times_of_unit / 2) + "x)";
        CHECK(most_work(on_one_comment) <= times * on_one_comment.size());
    }
}

TEST_CASE("random units, repeated, are read or refused in linear time") {
    static constexpr std::string_view pieces[] = {"f",  "f(",  "f(",     "(",  ")", "[",  "]",  "{",  "}",   "'",
                                                  "\"", "'''", "\"\"\"", "\\", "#", "\n", "\r", ",",  "=",   ":",
                                                  "0",  "a",   " ",      "r",  "b", "-",  ".",  "p(", "-f(", ").f("};
    std::mt19937_64 random(3);
    const std::size_t units = test_size(250, 1500);
    for (std::size_t i = 0; i < units; ++i) {
        std::string unit;
        for (std::size_t n = 1 + random() % 9; n != 0; --n) unit += pieces[random() % std::size(pieces)];
        const std::string text = "f(" + repeat(unit, 8'000);
        INFO(unit);
        CHECK(most_work(text) <= times * text.size());
    }
}

TEST_CASE("a call cut anywhere is an error or a call, never a crash") {
    const std::string text =
        "Sure: f(a='it\\'s', b=[1, -2.5e3, (None,), {'k': \"\"\"x\ny\"\"\", 'l': {1, 2}}], c=set(), "
        "\u00e9='\\u5317\u4eac') ok";
    for (std::size_t end = 0; end <= text.size(); ++end) {
        const std::string cut = text.substr(0, end);
        (void)most_work(cut);
        const bool closed = end > text.rfind(')');
        if (closed) {
            CHECK(acta::parse_call(cut).call.arguments.size() == 4);
        } else {
            CHECK_THROWS_AS(acta::parse_call(cut), CallSyntaxError);
        }
    }
}

TEST_CASE("random bytes in a call are an error or a call, never a crash") {
    const std::string text =
        "[f(a='it\\'s', b=[1, -2.5e3, (None,), {'k': \"\"\"x\ny\"\"\"}], c=0x1F), g(r'\\', b=true)]";
    std::mt19937_64 random(5);
    const std::size_t calls = test_size(2500, 5000);
    for (std::size_t i = 0; i < calls; ++i) {
        std::string damaged = text;
        for (std::size_t n = 1 + random() % 4; n != 0; --n)
            damaged[random() % damaged.size()] = static_cast<char>(random());
        CHECK(most_work(damaged) <= times * damaged.size());
    }
}

TEST_CASE("many keys, keywords and set items are distinguished quickly") {
    std::string dict = "f(d={";
    std::string keywords = "f(";
    std::string set = "f(s={";
    const std::size_t count = test_size(25'000, 100'000);
    for (std::size_t i = 0; i < count; ++i) {
        const std::string n = std::to_string(i);
        dict.append("'").append(n).append("': 1,");
        keywords.append("k").append(n).append("=1,");
        set.append(n).append(",").append(n).append(".0,");
    }
    CHECK(acta::parse_call(dict + "})").call.arguments["d"].size() == count);
    CHECK(acta::parse_call(keywords + ")").call.arguments.size() == count);
    CHECK(acta::parse_call(set + "})").call.arguments["s"].size() == count);
    CHECK_THROWS_AS(acta::parse_call(keywords + "k7=1)"), CallSyntaxError);
}

TEST_CASE("a great number of calls is read, or none of them") {
    const std::size_t calls = test_size(25'000, 100'000);
    const std::string never_closed = repeat("f(", 200'000);
    CHECK_THROWS_AS(acta::parse_arguments("f", never_closed), CallSyntaxError);
    CHECK_THROWS_AS(acta::parse_call(never_closed), CallSyntaxError);
    const std::string others = repeat("g(a='x') ", 9 * calls);
    CHECK_FALSE(acta::parse_arguments("f", others));
    CHECK(acta::parse_arguments("f", others + "f(a=1)"));
    CHECK(acta::parse_calls("[" + repeat("f(a=1), ", 8 * calls) + "]").size() == calls);
    CHECK(acta::parse_calls(repeat("f(a=1)\n", 7 * calls)).size() == calls);
}
