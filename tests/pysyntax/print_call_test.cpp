// SPDX-License-Identifier: MIT
#include "acta/pysyntax/repr.hpp"

#include <bit>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <fstream>
#include <random>
#include <sstream>
#include <string>
#include <string_view>

#include "acta/pysyntax/call.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

using acta::Json;
using acta::JsonObject;
using acta::print_call;

namespace {

/// Random calls that are read from their printed text unchanged.
class Calls {
public:
    std::string name() {
        static constexpr std::string_view parts[] = {
            "f",  "fs",        "read_file",    "_x",       "for",         "None",        "set", "r",
            "b2", "caf\u00e9", "\u5317\u4eac", "\u03c0_1", "\u4eac_load", "get-weather", "x-2", "\u5317-\u4eac"};
        std::string out(parts[below(std::size(parts))]);
        while (below(3) == 0) out.append(".").append(parts[below(std::size(parts))]);
        return out;
    }

    JsonObject arguments() {
        static constexpr std::string_view keys[] = {"a", "b",   "query",  "lambda", "None", "True",         "r",
                                                    "f", "set", "\u00e9", "_",      "_1",   "\u30c6\u30b9", "for",
                                                    "is"};
        JsonObject out;
        for (std::size_t n = below(6); n != 0; --n) out[std::string(keys[below(std::size(keys))])] = value(0);
        return out;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }

    std::string text() {
        static constexpr std::string_view pieces[] = {
            "'",    "\"",    "\\",     "\n",     "\r",      "\t",     "```",        "f(a=1)",     "#",
            "{x}",  "word ", "\u00e9", "\u2028", "\u00a0",  "\u5317", "\U0001F680", "\U0010FFFF", "\u0301",
            "\x7f", "\x01",  ")",      "\\N{x}", "\\ud83d", "%s",     "\ufeff"};
        std::string out;
        for (std::size_t n = below(8); n != 0; --n) out += pieces[below(std::size(pieces))];
        if (below(8) == 0) out += '\0';
        return out;
    }

    double real() {
        const double any = std::bit_cast<double>(random_());
        return std::isfinite(any) && below(2) == 0 ? any : static_cast<double>(below(100'000)) / 100 - 500;
    }

    Json value(int depth) {
        switch (below(depth < 4 ? 9 : 7)) {
            case 0: return Json(nullptr);
            case 1: return Json(below(2) == 0);
            case 2: return Json(random_() >> below(64));
            case 3: return Json(static_cast<std::int64_t>(random_()) >> below(63));
            case 4: return Json(real());
            case 5:
            case 6: return Json(text());
            case 7: {
                Json out = Json::array();
                for (std::size_t n = below(4); n != 0; --n) out.push_back(value(depth + 1));
                return out;
            }
            default: {
                Json out = Json::object();
                for (std::size_t n = below(4); n != 0; --n) out[text()] = value(depth + 1);
                return out;
            }
        }
    }

    std::mt19937_64 random_{7};
};

}  // namespace

TEST_CASE("a call prints in Python's syntax") {
    CHECK(print_call("now", {}) == "now()");
    JsonObject arguments;
    arguments["query"] = "it's";
    arguments["limit"] = 3;
    arguments["deep"] = Json::array({nullptr, 1e16});
    CHECK(print_call("web.search", arguments) == R"(web.search(query="it's", limit=3, deep=[None, 1e+16]))");
    CHECK(print_call("any name\n", {{"no key", true}}) == "any name\n(no key=True)");
    std::string out = "> ";
    acta::append_call(out, "f", {});
    CHECK(out == "> f()");
}

TEST_CASE("calls print as the golden vectors show them") {
    std::ifstream file(paths::golden("formats.json"));
    REQUIRE(file);
    const Json rows = Json::parse(file);
    std::size_t calls = 0;
    for (const Json& row : rows) {
        for (std::size_t i = 0; i < row["episodes"].size(); ++i) {
            const Json& call = row["history"]["episodes"][i]["action"]["use_tool"];
            CHECK(print_call(call["name"].get<std::string>(), call["arguments"].get_ref<const Json::object_t&>()) ==
                  row["episodes"][i]["use_tool"].get<std::string>());
            ++calls;
        }
    }
    CHECK(calls == 31);
}

TEST_CASE("parsing a printed call returns it") {
    Calls calls;
    for (int i = 0; i < 3000; ++i) {
        const std::string name = calls.name();
        const JsonObject arguments = calls.arguments();
        const std::string text = print_call(name, arguments);
        INFO(text);
        const acta::ParsedCall found = acta::parse_call(text);
        REQUIRE(found.call.name == name);
        REQUIRE(found.positional.empty());
        REQUIRE(Json(found.call.arguments) == Json(arguments));
        REQUIRE(print_call(found.call.name, found.call.arguments) == text);  // the sign of zero, integers as integers
        REQUIRE(found.begin == 0);
        REQUIRE(found.end == text.size());
        const auto alone = acta::parse_arguments(name, "So: " + text + ".");
        REQUIRE(alone);
        REQUIRE(Json(*alone) == Json(arguments));
    }
}

TEST_CASE("a call is printed to a stream in one line, with escapes for what nobody sees in its names") {
    std::ostringstream out;
    out << acta::AssistantFunctionCall{"a\x1b[2J\n\u202Eb\u00E9", {{"k\r", "v\n"}}};
    CHECK(out.str() == "a\\x1b[2J\\n\\u202eb\u00E9(k\\r='v\\n')");
}
