// SPDX-License-Identifier: MIT
#include "acta/describe/pattern.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <iterator>
#include <random>
#include <regex>
#include <string>
#include <utility>
#include <variant>

#include "acta/acta.hpp"
#include "acta/describe/describe.hpp"
#include "support/at_once.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/issues.hpp"

namespace {

struct Code {
    std::string code{};
};
struct Evil {
    std::string text{};
};
struct Slow {
    std::string text{};
};
struct Broken {
    std::string text{};
};
struct Sugar {
    std::string query{};
    int limit = 10;
    bool deep = false;
};
struct OnlyDefaults {
    int a = 1;
};

}  // namespace

template <>
struct acta::Describe<Code> {
    static constexpr auto fields =
        acta::fields(acta::required("code", &Code::code, "A code.", acta::pattern("^[A-Z]{2}-[0-9]+$")));
};
template <>
struct acta::Describe<Evil> {
    static constexpr auto fields = acta::fields(acta::required("text", &Evil::text, "", acta::pattern("^(a+)+$")));
};
template <>
struct acta::Describe<Slow> {
    static constexpr auto fields =
        acta::fields(acta::required("text", &Slow::text, "", acta::pattern("(a?){1000}(a?){1000}b")));
};
template <>
struct acta::Describe<Broken> {
    static constexpr auto fields = acta::fields(acta::required("text", &Broken::text, "", acta::pattern("(")));
};
ACTA_DESCRIBE(Sugar, (query), (limit, deep));
ACTA_DESCRIBE(OnlyDefaults, (), (a));

TEST_CASE("a pattern is checked on reading and shown in the schema") {
    CHECK(acta::parse<Code>(R"({"code":"AB-17"})").code == "AB-17");
    try {
        static_cast<void>(acta::parse<Code>(R"({"code":"AB-17x"})"));
        FAIL("accepted");
    } catch (const acta::ValidationError& error) {
        REQUIRE(error.issues().size() == 1);
        CHECK(error.issues()[0].type == "string_pattern_mismatch");
        CHECK(error.issues()[0].message == "String should match pattern '^[A-Z]{2}-[0-9]+$'");
    }
    CHECK(acta::schema<Code>()["properties"]["code"]["pattern"] == "^[A-Z]{2}-[0-9]+$");
}

TEST_CASE("matching a pattern takes time linear in the text") {
    const std::string text(20'000, 'a');
    CHECK(acta::parse<Evil>("{\"text\":\"" + text + "\"}").text == text);
    CHECK_THROWS_AS(acta::parse<Evil>("{\"text\":\"" + text + "b\"}"), acta::ValidationError);
    for (const char* const pattern :
         {"[a-z]+@[a-z]+", "(a*)*b", "(a|a)*b", "(a|aa)+$b", "(.*)(.*)(.*)(.*)[^a]", "a.{20}b", "(a?){30}a{30}b"})
        CHECK_FALSE(acta::describe_detail::contains_match(text, pattern, nullptr));
    below_at_above("text checked against a pattern", acta::describe_extension::max_pattern_text, [](std::size_t bytes) {
        return issues_of<Evil>('"' + std::string(bytes, 'a') + '"').front().type != "string_too_long" &&
               issues_of<Evil>("{\"text\":\"" + std::string(bytes, 'a') + "\"}").empty();
    });
    const auto issues =
        issues_of<Evil>("{\"text\":\"" + std::string(acta::describe_extension::max_pattern_text + 1, 'a') + "\"}");
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].type == "string_too_long");
    CHECK_THAT(issues[0].message,
               contains_text("at most " + std::to_string(acta::describe_extension::max_pattern_text) + " bytes"));
}

TEST_CASE("the matching of a pattern asks whether to continue each 1 000 steps") {
    const acta::describe_extension::PatternMatcher matcher("^a*$");
    const auto asked = [&matcher](std::size_t characters) {
        int out = 0;
        const std::function<void()> check = [&out] { ++out; };
        CHECK(matcher.matches(std::string(characters, 'a'), &check));
        return out;
    };
    CHECK(asked(100) == 0);
    CHECK(asked(2000) >= 2);
    CHECK(asked(20'000) >= 20);
}

TEST_CASE("a deadline ends the matching of a pattern") {
    acta::SkillRegistry registry;
    registry.add("search", "Searches.", [](const Slow& arguments) { return arguments.text; });
    const acta::JsonObject arguments{{"text", std::string(1'000'000, 'a')}};
    acta::SkillRunOptions options;
    options.until.deadline = acta::deadline_in(std::chrono::milliseconds(50));
    const auto start = std::chrono::steady_clock::now();
    const acta::ActionResult result = registry.call("search", arguments, options);
    CHECK(std::chrono::steady_clock::now() - start < std::chrono::seconds(2));
    REQUIRE(std::holds_alternative<acta::ActionErrorResult>(result));
    CHECK(std::get<acta::ActionErrorResult>(result).error->exception_type == "Timeout");
}

TEST_CASE("patterns have ECMAScript's grammar") {
    struct Row {
        const char* pattern;
        const char* match;
        const char* no_match;
    };
    const Row rows[] = {
        {"^a$", "a", "ab"},
        {"b", "abc", "ac"},
        {"^(?:foo|ba[rz]|)$", "baz", "fo"},
        {"^(?:foo|ba[rz]|)$", "", "bar "},
        {"^a{3}$", "aaa", "aa"},
        {"^a{2,}$", "aaaaa", "a"},
        {"^a{2,3}$", "aaa", "aaaa"},
        {"^a{0,2}$", "", "aaa"},
        {"^(ab){1,2}?c$", "ababc", "abababc"},
        {"^a*?b+?c??$", "aabbc", "aac"},
        {"^((a|b)*c)*$", "abcbac", "abca"},
        {"^[^a-c]$", "d", "b"},
        {"^[]$|^x$", "x", "]"},
        {"^[^]$", "\n", ""},
        {"^[a\\-z]+$", "a-z", "b"},
        {"^[a-]+$", "-a", "b"},
        {"^[\\w.-]+$", "a_1.-", "a b"},
        {"^\\d+\\.\\d{2}$", "12.50", "12,50"},
        {"^\\D\\S\\W$", "ab!", "1b!"},
        {"^\\s+$", "\t \xC2\xA0\xE2\x80\xA8\xEF\xBB\xBF", "x"},
        {"\\bcat\\b", "a cat!", "cats"},
        {"\\Bat", "cat", "at"},
        {"^.$", "\xF0\x9F\x98\x80", "\n"},
        {"^.$", "\xC3\xA9", "\xE2\x80\xA8"},
        {"^[\xC3\xA0-\xC3\xBC]+$", "\xC3\xA9\xC3\xA0", "e"},
        {"^\\u00e9\\x41\\u{1F600}\\uD83D\\uDE00\\cJ\\0?$",
         "\xC3\xA9"
         "A\xF0\x9F\x98\x80\xF0\x9F\x98\x80\n",
         "e"},
        {"^[[:alpha:]_][[:alnum:]_]*$", "a_1", "1a"},
        {"^(?<year>\\d{4})-(?<month>\\d\\d)$", "2026-11", "26-11"},
        {"^\\/\\^\\$\\.\\*\\+\\?\\(\\)\\[\\]\\{\\}\\|\\\\$", "/^$.*+?()[]{}|\\", "/"},
        {"a^b|c$d|e", "e", "ab"},
        {"(^|,)x(,|$)", "y,x", "yx"},
        {"^(a||b)*$", "abba", "abc"},
        {"}]", "}]", "}"},
        {"^(){2}a+$", "aa", "b"},
        {"^a?b*$", "abb", "aab"},
        {"^a+?$", "aa", "b"},
        {"^a{0}b$", "b", "ab"},
        {"^a{10}$", "aaaaaaaaaa", "aaaaaaaaa"},
        {"^\\cA\\ca\\cZ$", "\x01\x01\x1A", "A"},
        {"^\\t\\n\\v\\f\\r$", "\t\n\v\f\r", "tnvfr"},
        {"^[\\b]$", "\b", "b"},
        {"^\\s$", "\xE2\x80\x8A", "\xE2\x80\x8B"},
        {"^\\s$", "\xE1\x9A\x80", "\x1F"},
        {"^\\w+$", "azAZ09_", "\xC3\xA9"},
        {"^[^\\s\\d]$", "a", "7"},
        {"x\\b$", "x", "xy"},
        {"^\\b", "x", ""},
        {"\\Bx\\B", "axa", "ax"},
    };
    for (const Row& row : rows) {
        CAPTURE(row.pattern);
        CHECK(acta::describe_detail::contains_match(row.match, row.pattern, nullptr));
        CHECK_FALSE(acta::describe_detail::contains_match(row.no_match, row.pattern, nullptr));
    }
}

TEST_CASE("patterns match what std::regex matches") {
    std::mt19937 random(51);
    const auto below = [&random](std::size_t n) {
        return std::uniform_int_distribution<std::size_t>(0, n - 1)(random);
    };
    static constexpr const char* pieces[] = {"a",        "b",   "[ab]", "[^a]", ".", "(a|b)",
                                             "(?:ab|c)", "\\w", "\\b",  "^",    "$"};
#if defined(_LIBCPP_VERSION)  // whose search does not find what matches nothing at the end of a text
    constexpr std::size_t known = std::size(pieces) - 1;
#else
    constexpr std::size_t known = std::size(pieces);
#endif
    static constexpr const char* repeats[] = {"", "", "", "*", "+", "?", "{2}", "{1,2}", "*?"};
    for (int round = 0; round < 400; ++round) {
        std::string pattern;
        for (std::size_t i = below(5) + 1; i > 0; --i) {
            const std::size_t piece = below(known);
            pattern += pieces[piece];
            if (piece < 8) pattern += repeats[below(std::size(repeats))];
            if (below(6) == 0) pattern += '|';
        }
        const std::regex expected(pattern);
        for (int i = 0; i < 5; ++i) {
            std::string text;
            for (std::size_t n = below(7); n > 0; --n) text += "abc- "[below(5)];
            CAPTURE(pattern, text);
            CHECK(acta::describe_detail::contains_match(text, pattern, nullptr) == std::regex_search(text, expected));
        }
    }
}

TEST_CASE("a pattern that cannot be used is refused when it is described to a model, and says where") {
    CHECK_THROWS_AS(acta::parse<Broken>(R"({"text":"x"})"), acta::SchemaError);
    CHECK_THROWS_AS(acta::schema<Broken>(), acta::SchemaError);
    const std::pair<std::string, const char*> rows[] = {
        {"(", "no ')'"},
        {")", "no '('"},
        {"a(?=b)", "look-around"},
        {"a(?!b)", "look-around"},
        {"(?<!a)b", "look-around"},
        {"(?<=a)b", "look-around"},
        {"(a)\\1", "back-references"},
        {"(?<n>a)\\k<n>", "back-references"},
        {"*a", "nothing to repeat"},
        {"a**", "without a group"},
        {"^*", "cannot be repeated"},
        {"a{2", "'\\{'"},
        {"{", "'\\{'"},
        {"a{3,2}", "wrong order"},
        {"a{1001}", "1000 repetitions"},
        {"((a{100}){100}){100}", "too long"},
        {"((((){1000}){1000}){1000}){1000}(((a{9}){9}){9}){99}", "too long"},
        {"[b-a]", "wrong order"},
        {"[a", "ends too early"},
        {"[\\d-x]", "each side"},
        {"[[:nope:]]", "unknown class"},
        {"\\", "backslash"},
        {"\\q", "unknown escape"},
        {"\\c", "needs a letter"},
        {"\\c1", "needs a letter"},
        {"\\01", "octal"},
        {"a{,2}", "write '\\{' for a brace"},
        {"a{2,", "write '\\{' for a brace"},
        {"a{2x}", "write '\\{' for a brace"},
        {"\\B?", "cannot be repeated"},
        {"$+", "cannot be repeated"},
        {"a+{2}", "without a group"},
        {"\\x4", "2 hexadecimal"},
        {"\\xg1", "2 hexadecimal"},
        {"\\p{L}", "unknown escape"},
        {"\\u12", "4 hexadecimal"},
        {"\\u{110000}", "too large"},
        {"(?<n", "ends too early"},
        {"(?>a)", "kind of group"},
        {"\xFF", "UTF-8"},
        {std::string(10'000, '('), "nested deeper"},
        {std::string(10'001, 'a'), "too long"},
    };
    const auto is_taken = [](const std::string& pattern) {
        try {
            acta::describe_detail::check_pattern(pattern);
            return true;
        } catch (const acta::SchemaError&) {
            return false;
        }
    };
    below_at_above("states of a pattern", 10'000, [&](std::size_t states) {
        return is_taken(std::string(states - 1, 'a'));  // and the one at the end
    });
    below_at_above("repetitions in a pattern", 1000,
                   [&](std::size_t count) { return is_taken("a{" + std::to_string(count) + "}"); });
    below_at_above("nesting of the groups of a pattern", 100, [&](std::size_t depth) {
        return is_taken(std::string(depth, '(') + "a" + std::string(depth, ')'));
    });
    for (const auto& [pattern, message] : rows) {
        CAPTURE(pattern.substr(0, 40));
        CHECK_THROWS_WITH(acta::describe_detail::check_pattern(pattern),
                          contains_text(message) && contains_text("at byte"));
    }
}

TEST_CASE("the macro describes required and defaulted members by their names") {
    CHECK(acta::dump(acta::parse<Sugar>(R"({"query":"x","deep":true})")) == R"({"query":"x","limit":10,"deep":true})");
    CHECK_THROWS_AS(acta::parse<Sugar>("{}"), acta::ValidationError);
    CHECK(acta::dump(acta::parse<OnlyDefaults>("{}")) == R"({"a":1})");
}

TEST_CASE("threads that use new patterns at the same time get each its own") {
    std::atomic<int> wrong{0};
    at_once(4, [&](std::size_t thread) {
        for (std::size_t i = 0; i < 400; ++i) {
            const std::string text = "t" + std::to_string(thread % 2) + "n" + std::to_string((i * 37) % 400);
            if (!acta::describe_detail::contains_match(text, "^" + text + "$", nullptr)) ++wrong;
        }
    });
    CHECK(wrong == 0);
}
