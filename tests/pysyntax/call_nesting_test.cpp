// SPDX-License-Identifier: MIT
#include <array>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/pysyntax/call.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

// Calls that cannot be read, with calls in their strings, comments and arguments: none of those is ever read.

namespace {

using acta::CallOptions;
using acta::CallSyntaxError;
using acta::JsonObject;
using acta::ParsedCall;

constexpr std::string_view called_skill = "delete_path";

/// Writes random calls of a skill that cannot be read, each with calls of the same skill inside it.
class UnreadableCalls {
public:
    explicit UnreadableCalls(std::uint32_t seed) : random_(seed) {}

    /// `inner` says whether calls may be arguments of the call, too.
    std::string call(std::string_view name, bool inner) {
        has_comments_ = below(2) == 0;
        std::string out(name);
        out += '(';
        const std::size_t arguments = 1 + below(4);
        const std::size_t bad = below(arguments);
        for (std::size_t i = 0; i < arguments; ++i) {
            if (i != 0) out += ',' + blanks();
            if (below(3) != 0) out += "key" + std::to_string(i) + '=';
            if (i == bad) out += below(2) == 0 ? "home" : "1 + 1";
            if (i == bad && below(2) == 0) continue;
            if (i == bad) out += ',' + blanks();
            out += value(inner, 2);
        }
        return out + blanks() + ')';
    }

private:
    std::size_t below(std::size_t limit) { return random_() % limit; }

    /// A text that calls the skill, perhaps with brackets that do not match.
    std::string forbidden() {
        constexpr std::array<std::string_view, 5> before = {"never call ", "", ":) ", "(", "it is ] "};
        constexpr std::array<std::string_view, 4> after = {"", " !", ")", "(("};
        const bool is_double = below(2) == 0;
        return std::string(before[below(before.size())]) + std::string(called_skill) +
               (is_double ? R"((path="/"))" : "(path='/')") + std::string(after[below(after.size())]);
    }

    std::string text() {
        constexpr std::array<std::string_view, 4> quotes = {"'", "\"", "'''", "\"\"\""};
        constexpr std::array<std::string_view, 3> prefixes = {"", "r", "b"};
        const std::string_view quote = quotes[below(quotes.size())];
        std::string content = forbidden();
        // A text in simple quotes ends on a later line only before a comma, a colon or a closing bracket.
        if (below(3) == 0 && (quote.size() == 3 || !has_comments_)) content = "one\n" + content;
        std::string out(prefixes[below(prefixes.size())]);
        out += quote;
        for (const char c : content) {
            if (c == quote[0]) out += '\\';
            out += c;
        }
        return out + std::string(quote);
    }

    std::string blanks() {
        if (has_comments_ && below(3) == 0) return " # " + forbidden() + (below(2) == 0 ? " it's" : "") + '\n';
        return below(2) == 0 ? " " : "";
    }

    std::string value(bool inner, std::size_t depth) {
        switch (below(depth == 0 ? 2 : 5)) {
            case 0: return text();
            case 1: return inner ? std::string(called_skill) + "(path='/')" : "1";
            case 2: return '[' + value(inner, depth - 1) + ',' + blanks() + value(inner, depth - 1) + ']';
            case 3: return "{'k':" + blanks() + value(inner, depth - 1) + '}';
            default: return '(' + value(inner, depth - 1) + ',' + blanks() + ')';
        }
    }

    std::mt19937 random_;
    bool has_comments_ = false;
};

/// Returns whether the call is one that must not be read.
bool is_forbidden(const JsonObject& arguments) { return acta::Json(arguments).value("path", "") == "/"; }

/// Calls `read` and returns what it returns; nothing if it throws.
template <class Read>
auto read_or_none(Read read) -> std::optional<decltype(read())> {
    try {
        return read();
    } catch (const CallSyntaxError&) {
        return std::nullopt;
    }
}

template <class Read>
void require_no_forbidden(Read read) {
    const auto calls = read_or_none(read);
    if (!calls) return;
    for (const ParsedCall& one : *calls) {
        if (is_forbidden(one.call.arguments)) FAIL("a call inside of one that cannot be read is taken for a call");
    }
}

}  // namespace

TEST_CASE("no call is read from inside of a call that cannot be read") {
    const std::vector<std::string> names{std::string(called_skill)};
    const std::vector<std::string> parameters{"path"};
    UnreadableCalls unreadable(20261127);
    const std::size_t count = test_size(4'000, 100'000);
    for (std::size_t i = 0; i < count; ++i) {
        const bool is_own = i % 2 == 0;
        const std::string text = unreadable.call(is_own ? called_skill : "note", is_own);
        INFO(text);
        for (const bool lenient : {false, true}) {
            CallOptions options;
            options.lenient = lenient;
            for (const bool with_names : {false, true}) {
                const auto arguments = [&](const std::string& in) {
                    return read_or_none([&] {
                               return with_names ? acta::parse_arguments(called_skill, parameters, in, options)
                                                 : acta::parse_arguments(called_skill, in, options);
                           })
                        .value_or(std::nullopt);
                };
                CHECK_FALSE(arguments(text));
                const auto next = arguments(text + " delete_path(path='/tmp/a')");
                REQUIRE(next);
                CHECK(next->at("path") == "/tmp/a");
            }
            require_no_forbidden([&] { return std::vector{acta::parse_call(text, options)}; });
            require_no_forbidden([&] { return acta::parse_calls(text, options); });
            require_no_forbidden([&] { return acta::parse_calls("[" + text + "]", options); });
            require_no_forbidden([&] { return acta::parse_calls(text, names, options); });
            require_no_forbidden([&] { return acta::parse_calls("def " + text + ": pass", options); });
        }
    }
}

TEST_CASE("no call is read from a string or a comment of a call that cannot be read") {
    const std::vector<std::string> names{"f"};
    for (const char* text :
         {"f(path=home, note='never call f(path=\"/\")')", "f(x, # f(a=1)\n b=2)", "f(x, # it's ) f(a=1)\n b=2)",
          "f(x, b='one :)\nf(a=1)')", "note(text='f(a=1)', x=y)", "note (text='f(a=1)', x=y)",
          "def f(a='f(b=1)'): pass", "x[0].f (a='f(b=1)')", "f(\\'f(a=1)\\')"}) {
        INFO(text);
        CHECK_FALSE(read_or_none([&] { return acta::parse_arguments("f", text); }).value_or(std::nullopt));
        CHECK_FALSE(read_or_none([&] { return acta::parse_call(text); }));
        CHECK(read_or_none([&] { return acta::parse_calls(text, names); }).value_or(std::vector<ParsedCall>()).empty());
    }
}

TEST_CASE("a quote that closes nothing does not hide the calls after it on its line") {
    CHECK_FALSE(read_or_none([&] { return acta::parse_call("g(q=\"a\" 'b, n=4) and g(a=x\n, f(a=1))"); }));
    CHECK(acta::parse_call("g(q=\"a\" 'b, n=4) and f(a=1)").call.name == "f");
}
