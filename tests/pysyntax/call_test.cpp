// SPDX-License-Identifier: MIT
#include "acta/pysyntax/call.hpp"

#include <fstream>
#include <limits>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/pysyntax/detail/literal_reader.hpp"
#include "acta/pysyntax/repr.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

using acta::CallSyntaxError;
using acta::Json;
using acta::JsonObject;
using acta::parse_arguments;
using acta::parse_call;
using acta::parse_calls;
using acta::ParsedCall;

namespace {

Json golden() {
    std::ifstream file(paths::golden("calls.json"));
    REQUIRE(file);
    return Json::parse(file);
}

/// A golden value with its infinities.
Json with_floats(Json value) {
    if (value.is_object() && value.size() == 1 && value.contains("$float")) {
        return value["$float"] == "inf" ? std::numeric_limits<double>::infinity()
                                        : -std::numeric_limits<double>::infinity();
    }
    if (value.is_structured()) {
        for (Json& item : value) item = with_floats(item);
    }
    return value;
}

/// All calls of a text as they print, positional arguments as a list in front.
std::string read(std::string_view text) {
    std::string out;
    for (const ParsedCall& found : parse_calls(text)) {
        if (!out.empty()) out += " ";
        if (!found.positional.empty()) out += acta::python_repr(Json(found.positional));
        out += acta::print_call(found.call.name, found.call.arguments);
    }
    return out;
}

/// The same of known names alone.
std::string read(std::string_view text, const std::vector<std::string>& names) {
    std::string out;
    for (const ParsedCall& found : parse_calls(text, names)) {
        if (!out.empty()) out += " ";
        if (!found.positional.empty()) out += acta::python_repr(Json(found.positional));
        out += acta::print_call(found.call.name, found.call.arguments);
    }
    return out;
}

std::string arguments(std::string_view skill, std::string_view text) {
    const auto found = parse_arguments(skill, text);
    return found ? acta::python_repr(Json(*found)) : "not called";
}

std::string bound(std::string_view skill, const std::vector<std::string>& names, std::string_view text) {
    const auto found = parse_arguments(skill, names, text);
    return found ? acta::python_repr(Json(*found)) : "not called";
}

template <class Function>
std::string error_of(Function&& function) {
    try {
        function();
    } catch (const CallSyntaxError& error) {
        const std::string what = error.what();
        return what.substr(0, what.find('\n'));
    }
    return "no error";
}

}  // namespace

TEST_CASE("the golden calls are read") {
    const Json rows = golden();
    REQUIRE(rows["good"].size() == 120);
    for (const Json& row : rows["good"]) {
        const auto text = row["text"].get<std::string>();
        INFO(text);
        const auto found = parse_arguments(row["skill"].get<std::string>(), text);
        REQUIRE(found);
        CHECK(acta::python_repr(Json(*found)) == acta::python_repr(with_floats(row["arguments"])));
        CHECK(Json(parse_call(text).call.arguments) == Json(*found));
    }
}

TEST_CASE("the golden calls that are bad are refused, or not there") {
    const Json rows = golden();
    REQUIRE(rows["bad"].size() == 18);
    for (const Json& row : rows["bad"]) {
        const auto skill = row["skill"].get<std::string>();
        const auto text = row["text"].get<std::string>();
        INFO(text);
        if (row["why"] == "not called") {
            CHECK_FALSE(parse_arguments(skill, text));
        } else {
            CHECK_THROWS_AS(parse_arguments(skill, text), CallSyntaxError);
            CHECK_THROWS_AS(parse_call(text), CallSyntaxError);
            CHECK_THROWS_AS(parse_calls(text), CallSyntaxError);
        }
    }
}

TEST_CASE("the golden positional arguments are bound in order") {
    const Json rows = golden();
    REQUIRE(rows["positional"].size() == 18);
    for (const Json& row : rows["positional"]) {
        const auto skill = row["skill"].get<std::string>();
        const auto text = row["text"].get<std::string>();
        INFO(text);
        CHECK(bound(skill, row["parameters"].get<std::vector<std::string>>(), text) ==
              acta::python_repr(with_floats(row["arguments"])));
        CHECK_THROWS_AS(parse_arguments(skill, text), CallSyntaxError);
    }
}

TEST_CASE("the calls of the Berkeley leaderboard are all read") {
    std::ifstream file(paths::shared_data("bfcl/multi_turn_base.jsonl"));
    if (!file) ACTA_SKIP("bfcl/multi_turn_base.jsonl is not there");
    std::size_t calls = 0;
    std::size_t positional = 0;
    for (std::string line; std::getline(file, line);) {
        const Json row = Json::parse(line);
        for (const Json& turn : row["ground_truth"]) {
            for (const Json& item : turn) {
                const auto text = item.get<std::string>();
                INFO(text);
                const ParsedCall found = parse_call(text);
                CHECK(found.begin == 0);
                CHECK(found.end == text.size());
                ++calls;
                if (!found.positional.empty()) ++positional;
            }
        }
    }
    CHECK(calls == 1142);
    CHECK(positional == 40);
}

TEST_CASE("parse_call returns name, arguments and place") {
    const std::string text = "Sure: fs.read_file('a', 2, limit=3, to={'x': None},) and more";
    const ParsedCall found = parse_call(text);
    CHECK(found.call.name == "fs.read_file");
    CHECK(acta::python_repr(Json(found.positional)) == "['a', 2]");
    CHECK(acta::python_repr(Json(found.call.arguments)) == "{'limit': 3, 'to': {'x': None}}");
    CHECK(text.substr(found.begin, found.end - found.begin) == "fs.read_file('a', 2, limit=3, to={'x': None},)");
}

TEST_CASE("parse_call takes the first call that can be read") {
    CHECK(parse_call("print(x) then f(a=1) and g(b=2)").call.name == "f");
    CHECK(parse_call("It isn't print(it's) but search(q=1)").call.name == "search");
    CHECK(parse_call("on [0, 1) f(x[0, 1)) is search(q=1)").call.name == "search");
    CHECK(parse_call("1.search(q=1)").call.name == "search");
    CHECK(parse_call("...search(q=1)").call.name == "search");
    CHECK(parse_call("caf\u00e9.\u5317\u4eac(q=1)").call.name == "caf\u00e9.\u5317\u4eac");
    CHECK(error_of([] { (void)parse_call(""); }) == "there is no call in the text at line 1, column 1");
    CHECK(error_of([] { (void)parse_call("no call (really) here"); }) ==
          "there is no call in the text at line 1, column 1");
    CHECK(error_of([] { (void)parse_call("f(x)\ng(y)"); }) == "'x' is a name, not a literal at line 1, column 3");
    CHECK(error_of([] { (void)parse_call("def f(a=1): pass"); }) == "there is no call in the text at line 1, column 1");
    CHECK(parse_call("undef f(a=1)").call.name == "f");
}

TEST_CASE("what is inside of a call that cannot be read is not called") {
    for (const char* text :
         {"print(search(q='tides'))", "f(a=g())", "f(a=x, b=[g(1)])", "f(a=x, b='g(1)')",
          "f(a=x, b=\"\"\"\ng(1)\n\"\"\")", "f(a=g(1)", "f(a=x, b=\"\"\"\ng(1)", "f(a='g(1)", "f((1, x), g(1))"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_call(text), CallSyntaxError);
        CHECK_THROWS_AS(parse_calls(text), CallSyntaxError);
        CHECK(parse_call("h() " + std::string(text)).call.name == "h");
    }
    CHECK(parse_call("f(a='x\n) g(1)").call.name == "g");
    CHECK(read("f(a=g(1)) h(2)") == "[2]h()");
}

TEST_CASE("blanks before the parenthesis make a call where it cannot be prose") {
    CHECK(parse_call("search (q='x')").call.name == "search");
    CHECK(parse_call("Now search ( q = 'x' ).").call.name == "search");
    CHECK(parse_call("  search (1)\n").positional.size() == 1);
    CHECK(read("Figure (1) shows it, see the text (\"call f(a=1)\")") == "f(a=1)");
    CHECK(read("Figure (1) shows it") == "");
    CHECK(error_of([] { (void)parse_call("search (q=x)"); }) == "'x' is a name, not a literal at line 1, column 11");
}

TEST_CASE("keywords may be any identifiers, reserved words too") {
    CHECK(read("f(for=1, None=2, lambda=3, True=4, r=5, \u00e9=6)") ==
          "f(for=1, None=2, lambda=3, True=4, r=5, \u00e9=6)");
    CHECK(read("f(a\n=\n1, # one\n b = 2,)") == "f(a=1, b=2)");
    CHECK(read(R"(f(a=true, b={"c": null, "d": [false]}))") == "f(a=True, b={'c': None, 'd': [False]})");
}

TEST_CASE("arguments that Python refuses are refused") {
    for (const char* text :
         {"f(,)",    "f(a=1,,)", "f(a=1 b=2)", "f(a=1, 2)",        "f(a=1, a=1)", "f(*a)",    "f(*[1])", "f(**{})",
          "f(a:=1)", "f(a: 1)",  "f('a'=1)",   "f(1=2)",           "f(a.b=1)",    "f(a=g())", "f(a=1",   "f(",
          "f(a",     "f(a=",     "f(a=1]",     "f(x for x in [])", "f(a=print)",  "f(a=-'x')"}) {
        INFO(text);
        CHECK_THROWS_AS(parse_call(text), CallSyntaxError);
        CHECK_THROWS_AS(parse_arguments("f", text), CallSyntaxError);
    }
}

TEST_CASE("parse_calls reads every call of a text") {
    CHECK(read("") == "");
    CHECK(read("nothing (at all) to do.") == "");
    CHECK(read("f(a=1); g(b=2)\nh()") == "f(a=1) g(b=2) h()");
    CHECK(read("First ```python\nf(a=1)\n```, then `g('x', b=2)`.") == "f(a=1) ['x']g(b=2)");
    CHECK(read("The value f(x) and print(y): f(a=1)") == "f(a=1)");
    CHECK(read("f(a='g(b=1)')") == "f(a='g(b=1)')");
    CHECK(error_of([] { (void)parse_calls("The value f(x)"); }) == "'x' is a name, not a literal at line 1, column 13");
}

TEST_CASE("parse_calls reads a list of calls as a whole") {
    CHECK(read("[f(a=1), g(b=2)]") == "f(a=1) g(b=2)");
    CHECK(read("```\n[\n  f(a=1),  # one\n  fs.g (2),\n]\n```") == "f(a=1) [2]fs.g()");
    CHECK(read("Calls: `[f(a=1), g(b=2)]`.") == "f(a=1) g(b=2)");
    CHECK(read("[f()] and h()") == "f() h()");
    CHECK(error_of([] { (void)parse_calls("[f(a=1), g(b=x)]"); }) ==
          "'x' is a name, not a literal at line 1, column 14");
    CHECK(error_of([] { (void)parse_calls("[f(a=1), g(b="); }) == "a value is missing at line 1, column 14");
    CHECK(error_of([] { (void)parse_calls("[f(a=1), "); }) == "'[' is never closed at line 1, column 1");
    CHECK(error_of([] { (void)parse_calls("[f(a=1) g()]"); }) == "a comma is missing at line 1, column 9");
    CHECK(error_of([] { (void)parse_calls("[f(a=1), 2]"); }) == "a call is expected in the list at line 1, column 10");
}

// The doubles are those of CPython's float().
TEST_CASE("an integer of a call that is beyond 64 bits is the nearest double, in every base") {
    const std::pair<std::string, double> rows[] = {
        {"0o" + std::string(30, '7'), 0x1p+90},
        {"0b" + std::string(70, '1'), 0x1p+70},
        {"0o1" + std::string(25, '0') + "1", 0x1p+78},
        {"0b1010101010101010101010101010101010101010101010101010101010101010101010101010101010", 0x1.5555555555555p+81},
        {"0x1" + std::string(20, 'f'), 0x1p+81},
        {"0x" + std::string(13, '1') + "18000000", 0x1.1111111111112p+80},
        {std::string(30, '9'), 1e30},
    };
    for (const auto& [text, value] : rows) {
        INFO(text);
        const auto calls = parse_calls("f(a=" + text + ")");
        REQUIRE(calls.size() == 1);
        CHECK(calls[0].call.arguments.at("a") == acta::Json(value));
    }
}

TEST_CASE("a skill's call is found at identifier boundaries") {
    CHECK(arguments("f", "the_f(a=1)") == "not called");
    CHECK(arguments("f", "f2(a=1)") == "not called");
    CHECK(arguments("f", "\u00e9f(a=1)") == "not called");
    CHECK(arguments("f", "fs.f(a=1)") == "not called");
    CHECK(arguments("f", "f.g(a=1)") == "not called");
    CHECK(arguments("f", "f") == "not called");
    CHECK(arguments("f", "def f(a=1):") == "not called");
    CHECK(arguments("f", "f is (a=1)") == "not called");
    CHECK(arguments("", "(a=1)") == "not called");
    CHECK(arguments("fs.f", "fs.f(a=1)") == "{'a': 1}");
    CHECK(arguments("f", "1.f(a=1)") == "{'a': 1}");
    CHECK(arguments("f", "\u8bf7f(a=1)\u3002") == "{'a': 1}");
    CHECK(arguments("\u5317\u4eac", "\u5728\u5317\u4eac(a=1)") == "not called");
    CHECK(arguments("get-weather", "get-weather(a=1)") == "{'a': 1}");
    CHECK(arguments("f", "g(a=1), f(b=2), f(c=3)") == "{'b': 2}");
    CHECK(arguments("f", "a \"f(b=2)\" b") == "{'b': 2}");
    CHECK(arguments("f", "f (b=2)") == "{'b': 2}");
    CHECK(arguments("f", "f (see above)") == "not called");
}

TEST_CASE("later calls are tried where the first cannot be read") {
    CHECK(arguments("f", "f(x) or f(a=1)") == "{'a': 1}");
    CHECK(arguments("f", "print(f(a=1))") == "{'a': 1}");
    CHECK(arguments("f", "f('only by name') f(a=1)") == "{'a': 1}");
    CHECK(arguments("f", "f(a=1, a=2) f(a=3)") == "{'a': 3}");
    CHECK(error_of([] { (void)parse_arguments("f", "f(x) or f(y)"); }) ==
          "'x' is a name, not a literal at line 1, column 3");
    // What was read as a string of the first is an argument, not a call.
    CHECK_THROWS_AS(parse_arguments("f", "f(a='use f(b=1)', c=d)"), CallSyntaxError);
    CHECK_THROWS_AS(parse_arguments("f", "f(a='x f(a=1)"), CallSyntaxError);
    CHECK_THROWS_AS(parse_arguments("f", "f(a=\"\"\"x\nf(a=1)"), CallSyntaxError);
    CHECK_THROWS_AS(parse_arguments("f", "f(a=f'{f(1)} f(b=1)')"), CallSyntaxError);
    CHECK_THROWS_AS(parse_arguments("f", "f(f(a=1))"), CallSyntaxError);
    CHECK_THROWS_AS(parse_arguments("f", "f(a='x\nf(a=1)"), CallSyntaxError);
    // Neither is it where the first may be prose, and then nothing is called.
    CHECK(arguments("f", "f (a='x f(a=1)") == "not called");
    CHECK(arguments("f", "f (a='x f(a=1)\nf(a=2)") == "not called");
    CHECK(arguments("f", "f (a='x') f(a=2)") == "{'a': 'x'}");
}

TEST_CASE("positional arguments are bound by the parameters' order") {
    CHECK(bound("f", {"a", "b"}, "f(1, b=2)") == "{'a': 1, 'b': 2}");
    CHECK(bound("f", {"a", "b", "c"}, "f(1, c=3, b=2)") == "{'a': 1, 'c': 3, 'b': 2}");
    CHECK(bound("f", {"a"}, "f(other=2)") == "{'other': 2}");
    CHECK(bound("f", {"a"}, "f (1)") == "{'a': 1}");
    CHECK(bound("f", {}, "f()") == "{}");
    CHECK(error_of([] { (void)bound("f", {"a"}, "f(1, 2)"); }) ==
          "the skill takes only 1 argument at line 1, column 6");
    CHECK(error_of([] {
              (void)bound("f", {"a", "b"}, "f(1, b=2, a=3)");
          }) == "the argument 'a' is given by position and by keyword at line 1, column 11");
    CHECK(error_of([] {
              (void)bound("f", {"a", "a"}, "f(1, 2)");
          }) == "two parameters of the skill are called 'a' at line 1, column 6");
    CHECK(error_of([] { (void)parse_arguments("f", "f(1)"); }) ==
          "a positional argument needs the skill's parameters at line 1, column 3");
    CHECK(bound("f", {"a"}, "f(1, 2) f(3)") == "{'a': 3}");
}

TEST_CASE("a name may have hyphens, and is not called by a part of it") {
    CHECK(read("get-weather(city='Paris')") == "get-weather(city='Paris')");
    CHECK(parse_call("Now: get-weather-2(city='Paris').").call.name == "get-weather-2");
    CHECK(parse_call("1.get-weather(city='Paris')").call.name == "get-weather");
    CHECK(parse_call("so...my.get-weather(city='Paris')").call.name == "my.get-weather");
    CHECK(parse_call("caf\u00e9-au-lait.\u5317(q=1)").call.name == "caf\u00e9-au-lait.\u5317");
    CHECK(read("[get-weather(a=1), b-2.c(d=2)]") == "get-weather(a=1) b-2.c(d=2)");
    CHECK(arguments("weather", "get-weather(city='Paris')") == "not called");
    CHECK(arguments("weather", "-weather(city='Paris')") == "not called");
    CHECK(arguments("get-weather", "forget-get-weather(city='Paris')") == "not called");
    CHECK(arguments("get-weather", "functions.get-weather(city='Paris')") == "{'city': 'Paris'}");
    CHECK(bound("get-weather", {"city"}, "get-weather('Paris')") == "{'city': 'Paris'}");
    CHECK(error_of([] { (void)parse_calls("[a-b(c=1), d-(e=2)]"); }) ==
          "a call is expected in the list at line 1, column 12");
}

TEST_CASE("a name joined to a word by a dash, a slash or a colon is not called by its end") {
    for (const std::string text :
         {"get\u2010weather(a=1)", "get\u2011weather(a=1)", "get\u2012weather(a=1)", "get\u2013weather(a=1)",
          "github/weather(a=1)", "server:weather(a=1)", "server::weather(a=1)", "https://x/weather(a=1)",
          "v2/weather(a=1)", "Call github/weather(a=1).", "f\u00fcr/weather(a=1)", "github/weather (a=1)"}) {
        INFO(text);
        CHECK(error_of([&] { (void)parse_call(text); }) == "there is no call in the text at line 1, column 1");
        CHECK(read(text) == "");
        CHECK(arguments("weather", text) == "not called");
        CHECK(acta::parse_calls(text, std::vector<std::string>{"weather"}).empty());
    }
    // A known name is found with whatever joins its parts.
    for (const std::string name : {"github/weather", "server:weather", "get\u2011weather"}) {
        CHECK(arguments(name, name + "(a=1)") == "{'a': 1}");
        CHECK(acta::parse_calls("Now " + name + "(a=1)", std::vector<std::string>{name, "weather"}).at(0).call.name ==
              name);
    }
    // Nothing is joined to these.
    for (const std::string text :
         {"/weather(a=1)", "**Call**:weather(a=1)", "1:weather(a=1)", "Call: weather(a=1)", "\u8c03\u7528:weather(a=1)",
          "x \u2013 weather(a=1)", "\u2013weather(a=1)", "{'a':weather(a=1)}"}) {
        INFO(text);
        CHECK(read(text) == "weather(a=1)");
        CHECK(arguments("weather", text) == "{'a': 1}");
    }
}

TEST_CASE("an expression is not called by its end") {
    for (const char* text : {"-f(a=1)", "x - -f(a=1)", "1-f(a=1)", "2.5-f(a=1)", "-a.f(a=1)", "a-.f(a=1)", "--f(a=1)",
                             "x.-f(a=1)", "f-(a=1)", "'{}'.format(a=1)", "x[0].f(a=1)", "{}.f(a=1)", "(x).f(a=1)",
                             "(x) \\\n  .f(a=1)", "(x)\n .f(a=1)", "-f('g(a=1)', b)", "'a'.join(g(b=1))"}) {
        INFO(text);
        CHECK(error_of([&] { (void)parse_call(text); }) == "there is no call in the text at line 1, column 1");
        CHECK(read(text) == "");
        CHECK(arguments("f", text) == "not called");
    }
    CHECK(read("x.get(city='P').json()") == "x.get(city='P')");
    CHECK(read("x.get(city='P').json().items(a=f(1)) f(2)") == "x.get(city='P') [2]f()");
    CHECK(read("x.get(city='P').json(cls=X)") == "x.get(city='P')");
    CHECK(arguments("json", "x.get(city='P').json()") == "not called");
    CHECK(error_of([] { (void)parse_calls("x.get(city=P).json()"); }) ==
          "'P' is a name, not a literal at line 1, column 12");
    CHECK(read("(see above) f(a=1), (or not). g(b=2)") == "f(a=1) g(b=2)");
}

TEST_CASE("a skill is found in the namespace that models write before it") {
    CHECK(arguments("f", "functions.f(a=1)") == "{'a': 1}");
    CHECK(arguments("f", "print(default_api.f(a=1))") == "{'a': 1}");
    CHECK(arguments("f", "\u8bf7functions.f(a=1)") == "{'a': 1}");
    CHECK(bound("f", {"a"}, "default_api.f(1)") == "{'a': 1}");
    CHECK(arguments("functions.f", "functions.f(a=1)") == "{'a': 1}");
    CHECK(arguments("f", "my.functions.f(a=1)") == "not called");
    CHECK(arguments("f", "my_functions.f(a=1)") == "not called");
    CHECK(arguments("f", "-functions.f(a=1)") == "not called");
    CHECK(arguments("f", "functions.g.f(a=1)") == "not called");
    CHECK(arguments("f", "default_api.functions.f(a=1)") == "not called");
}

TEST_CASE("calls of known names are read, and no others") {
    const std::vector<std::string> names{"f", "get-weather", "weather", "web.search", "functions.g", "3d/view", "json"};
    CHECK(read("", names) == "");
    CHECK(read("f(a=1)", {}) == "");
    CHECK(read("f(a=1)", {""}) == "");
    CHECK(read("f(a=1) g(b=2)\nget-weather('P')", names) == "f(a=1) ['P']get-weather()");
    CHECK(read("set-weather(a=1) search(b=2) web.search(c=3) my.web.search(d=4)", names) == "web.search(c=3)");
    CHECK(read("functions.f(a=1) functions.g(b=2) default_api.g(c=3)", names) == "f(a=1) functions.g(b=2)");
    CHECK(read("3d/view(a=1) x3d/view(a=2)", names) == "3d/view(a=1)");
    CHECK(read("f(a='x').json()", names) == "f(a='x')");
    CHECK(read("x.get(a='x').json()", names) == "");
    CHECK(read("def f(a=1): pass", names) == "");
    CHECK(read("\u8bf7f(a=1)", names) == "f(a=1)");
    CHECK(read("f (see above), f (a=2)", names) == "f(a=2)");
    const std::string text = "x = default_api.f(a=1)";
    const std::vector<ParsedCall> calls = parse_calls(text, names);
    REQUIRE(calls.size() == 1);
    CHECK(text.substr(calls[0].begin, calls[0].end - calls[0].begin) == "default_api.f(a=1)");
}

TEST_CASE("calls of known names are found in others, but not in their strings") {
    const std::vector<std::string> names{"f", "g"};
    CHECK(read("print(default_api.f(a=1))", names) == "f(a=1)");
    CHECK(read("```tool_code\nprint(default_api.f(a=')'), default_api.g(b=2))\n```", names) == "f(a=')') g(b=2)");
    CHECK(read("x = str(json.loads(f(a=1))[0]) + g (b=2)", names) == "f(a=1) g(b=2)");
    CHECK(read("print('f(a=1)') note(text=\"\"\"\nf(a=1)\"\"\") g(b=1)", names) == "g(b=1)");
    CHECK(read("print(\"it's f(a=1)\", it's g(b=1))", names) == "g(b=1)");
    CHECK(read("print(f (see), g(b=1)) f(a=1)", names) == "g(b=1) f(a=1)");
    CHECK(read("He said: \"f(a=1)\"", names) == "f(a=1)");
    CHECK(read("print(f(a=x)) g(b=1)", names) == "g(b=1)");
    CHECK(read("f(a=g(b=1)) g(b=2)", names) == "g(b=2)");
    CHECK(read("print(x) value(s) never(closed f(a=1)", names) == "f(a=1)");
    CHECK(error_of([&] { (void)parse_calls("print(f(a=x))", names); }) ==
          "'x' is a name, not a literal at line 1, column 11");
    CHECK(read("print(x)", names) == "");
}

TEST_CASE("a list of calls of known names is read as a whole") {
    const std::vector<std::string> names{"f", "get-weather"};
    CHECK(read("[f(a=1), get-weather(b=2), functions.f(c=3)]", names) == "f(a=1) get-weather(b=2) f(c=3)");
    CHECK(error_of([&] { (void)parse_calls("[f(a=1), weather(b=2)]", names); }) ==
          "'weather' is not a known name at line 1, column 10");
    CHECK(error_of([&] { (void)parse_calls("[f(a=1), get-weather(b=x)]", names); }) ==
          "'x' is a name, not a literal at line 1, column 24");
    CHECK(error_of([&] { (void)parse_calls("[f(a=1), 2, f()]", names); }) ==
          "a call is expected in the list at line 1, column 10");
    CHECK(error_of([&] { (void)parse_calls("[f(a=1), f", names); }) ==
          "a call is expected in the list at line 1, column 10");
}

TEST_CASE("known names may be any range of texts, or something that has one") {
    struct Registry {
        [[nodiscard]] std::vector<std::string> names() const { return {"f"}; }
    };
    static_assert(acta::CallNames<Registry> && acta::CallNames<std::vector<std::string_view>>);
    static_assert(!acta::CallNames<std::string> && !acta::CallNames<acta::CallOptions>);
    CHECK(parse_calls("f(a=1) g(b=2)", Registry{}).size() == 1);
    const std::string_view views[] = {"g"};
    CHECK(parse_calls("f(a=1) g(b=2)", views).front().call.name == "g");
    CHECK_THROWS_AS(parse_calls("f(a=[[1]])", Registry{}, {.max_depth = 1}), CallSyntaxError);
}

TEST_CASE("a report of unreadable calls is bounded, and its last one counts the others") {
    std::string text;
    for (int i = 0; i < 1000; ++i) text += "f(a=$)\n";
    std::vector<acta::UnreadCall> unread;
    static_cast<void>(acta::parse_calls(text, {.lenient = true, .report = &unread}));
    below_at_above("calls of a text that could not be read", 100, [](std::size_t count) {
        std::string some;
        for (std::size_t i = 0; i < count; ++i) some += "f(a=$)\n";
        std::vector<acta::UnreadCall> found;
        static_cast<void>(acta::parse_calls(some, {.lenient = true, .report = &found}));
        return std::ranges::none_of(
            found, [](const auto& one) { return one.reason.ends_with("more calls") || one.reason == "1 more call"; });
    });
    REQUIRE(unread.size() == 101);
    CHECK(unread.back().reason == "900 more calls");
    CHECK(unread.back().begin == 700);
    CHECK(unread.back().end > 6900);
}

TEST_CASE("lenient reading keeps the calls that can be read and reports the others with their places") {
    std::vector<acta::UnreadCall> unread;
    const acta::CallOptions lenient{.lenient = true, .report = &unread};
    const auto names = [](const std::vector<ParsedCall>& calls) {
        std::string out;
        for (const ParsedCall& one : calls) out += one.call.name + " ";
        return out;
    };
    const std::string text = "[f(a=1), g(b=open('c, d')), 3, h(x='it's), i(c=2)]\nthen j(y=z) and k(d=4)";
    CHECK(names(parse_calls(text, lenient)) == "f i k ");
    REQUIRE(unread.size() == 4);
    CHECK(unread[0].reason == "'open' is a name, not a literal");
    CHECK(text.substr(unread[0].begin, unread[0].end - unread[0].begin) == "g(b=open('c, d'))");
    CHECK(text.substr(unread[0].offset, 4) == "open");
    CHECK(text.substr(unread[1].begin, 1) == "3");
    CHECK(text.substr(unread[3].begin, unread[3].end - unread[3].begin) == "j(y=z)");
    CHECK_THROWS_AS(parse_calls(text), CallSyntaxError);
    // What follows a call of a list that is never closed, for eight of them.
    for (const std::size_t unclosed : {1U, 8U, 9U}) {
        std::string list = "[";
        for (std::size_t i = 0; i < unclosed; ++i) list += "f(a=(1,\n";
        CHECK(names(parse_calls(list + "g(b=2)]", lenient)) == (unclosed < 9 ? "g " : ""));
    }
    // Known names in a list; others are reported.
    unread.clear();
    CHECK(names(parse_calls("[f(a=1), other(b=2), g(c=3)]", std::vector<std::string>{"f", "g"}, lenient)) == "f g ");
    CHECK(unread.size() == 1);
    // A list that is never closed keeps what it has.
    unread.clear();
    CHECK(names(parse_calls("[f(a=1), g(b=", lenient)) == "f ");
    CHECK(unread.size() == 1);
    // Nothing can be read: only a report takes the place of the exception.
    CHECK(parse_calls("f(a=b)", lenient).empty());
    CHECK_THROWS_AS(parse_calls("f(a=b)", {.lenient = true}), CallSyntaxError);
}

TEST_CASE("the calls of a list after one that is broken are kept, however that is broken") {
    const auto read = [](std::string_view text, bool known) {
        std::vector<acta::UnreadCall> unread;
        const acta::CallOptions lenient{.lenient = true, .report = &unread};
        const std::vector<std::string> names{"f", "g", "h", "bad", "write", "rm"};
        std::string out;
        for (const ParsedCall& one : known ? parse_calls(text, names, lenient) : parse_calls(text, lenient))
            out += one.call.name + " ";
        for (const acta::UnreadCall& one : unread) {
            out += "| " + std::string(text.substr(one.begin, one.end - one.begin)) + " ";
            CHECK(!one.reason.empty());
        }
        return out;
    };
    const std::string broken[] = {
        "bad(",         "bad(x=1",  "bad(x='a)", "bad(x=\"a)",   "bad(x=[1, 2)",  "bad(x={'k': 1)",   "bad(x=(1, 2)",
        "bad(x=1.2.3)", "bad(x=)",  "bad(x)",    "bad(x=1 y=2)", "bad(x='it's')", "bad(x=open('c'))", "bad",
        "bad(x=1))",    "bad)x=1)", ""};
    for (const bool known : {false, true}) {
        for (const std::string& one : broken) {
            INFO(one);
            CHECK(read("[f(), " + one + ", g(b=2)]", known) == "f g | " + one + " ");
            CHECK(read("[f(a='x'), " + one + ", g(b='y'), h(c='z')]", known) == "f g h | " + one + " ");
            CHECK(read("[\n  f(a='x'),\n  " + one + ",\n  g(b='y')\n]", known) == "f g | " + one + " ");
            CHECK(read("[f(a=1), " + one + ", " + one + ", g(b=2)]", known) == "f g | " + one + " | " + one + " ");
        }
        CHECK(read("[f(a=1) g(b=2)]", known) == "f g |  ");
        CHECK(read("[\n  f(a=1)\n  g(b=2)\n]", known) == "f g |  ");
        CHECK(read("[\n  bad(x=1\n  f(a=1),\n  g(b=2)\n]", known) == "f g | bad(x=1 ");
        // What is in the arguments of a call that is closed is not called.
        CHECK(read("[bad(f(a=1), x=open()), g(b=2)]", known) == "g | bad(f(a=1), x=open()) ");
        CHECK(read("[write(t='a), rm(p=1), b', x=open()), g(b=2)]", known) ==
              "g | write(t='a), rm(p=1), b', x=open()) ");
        CHECK(read("[write(t='don\\'t, rm(p='x'), ok'), g(b=2)]", known) == "g | write(t='don\\'t, rm(p='x'), ok') ");
    }
    // The text is read a few times, however many calls are never closed.
    std::string many = "[";
    for (int i = 0; i < 2000; ++i) many += "bad(x=[, ";
    const std::size_t before = acta::pysyntax_detail::scanned_bytes;
    static_cast<void>(read(many + "f(a=1)]", false));
    CHECK(acta::pysyntax_detail::scanned_bytes - before < 40 * many.size());
    CHECK_THROWS_AS(parse_calls("[f(a=1), bad(, g(b=2)]"), CallSyntaxError);
}

TEST_CASE("lenient reading takes leading zeros, and quotes over several lines") {
    const acta::CallOptions lenient{.lenient = true};
    const auto read = [&](std::string_view text) { return Json(parse_call(text, lenient).call.arguments).dump(); };
    CHECK(read("f(a=07, b=-007, c=00, d=0x1F, e=08.5)") == R"({"a":7,"b":-7,"c":0,"d":31,"e":8.5})");
    CHECK(read("f(a='cd /srv\nls', b=\"x\r\ny\")") == R"({"a":"cd /srv\nls","b":"x\ny"})");
    CHECK(read("f(a='say\nit's so', b=1)") == R"({"a":"say\nit's so","b":1})");
    CHECK(read("f(a='one\ntwo \\' three')") == R"({"a":"one\ntwo ' three"})");
    CHECK(parse_arguments("f", "f(a='x\ny')", lenient)->at("a") == "x\ny");
    CHECK(acta::parse_literal("['a\nb', 01]", lenient) == Json::parse(R"(["a\nb", 1])"));
    for (const char* const text : {"f(a=07)", "f(a='x\ny')"}) CHECK_THROWS_AS(parse_call(text), CallSyntaxError);
    CHECK_THROWS_AS(parse_call("f(a='never\nclosed", lenient), CallSyntaxError);
    CHECK(parse_call("f(a='x),\n  g(b='y')", lenient).call.name == "g");  // nor is the text of f
    // However many strings are not closed, the text after them is searched once.
    std::string many;
    for (int i = 0; i < 2000; ++i) many += "f(a='x\n";
    const std::size_t before = acta::pysyntax_detail::scanned_bytes;
    std::vector<acta::UnreadCall> unread;
    CHECK(parse_calls(many, {.lenient = true, .report = &unread}).empty());
    CHECK(acta::pysyntax_detail::scanned_bytes - before < 20 * many.size());
}

TEST_CASE("a number beyond a double is no argument of a call for a history") {
    CHECK_THROWS_AS(parse_calls("set_limit(value=1e999)"), CallSyntaxError);
    CHECK_THROWS_AS(parse_calls("f(a=[-1e400])", std::vector<std::string>{"f"}), CallSyntaxError);
    CHECK(parse_calls("f(a=1e308)").size() == 1);
}
