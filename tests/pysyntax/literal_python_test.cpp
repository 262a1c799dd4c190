// SPDX-License-Identifier: MIT
#include <cstddef>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/pysyntax/call.hpp"
#include "acta/pysyntax/repr.hpp"
#include "pysyntax/python3.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

using acta::Json;

namespace {

/// Random literals, some of them damaged.
class Literals {
public:
    std::string next() {
        std::vector<std::string> characters;
        add(characters, value(0));
        for (std::size_t n = pick(3) == 0 ? 1 + pick(2) : 0; n != 0 && !characters.empty(); --n) damage(characters);
        std::string out;
        for (const std::string& c : characters) out += c;
        return out;
    }

private:
    std::size_t pick(std::size_t n) { return random_() % n; }

    template <std::size_t N>
    std::string one_of(const std::string_view (&choices)[N]) {
        return std::string(choices[pick(N)]);
    }

    /// Splits `text` into code points, so that damage leaves UTF-8.
    static void add(std::vector<std::string>& out, std::string_view text) {
        for (const char c : text) {
            if (acta::utf8::is_continuation(c) && !out.empty()) {
                out.back() += c;
            } else {
                out.emplace_back(1, c);
            }
        }
    }

    void damage(std::vector<std::string>& text) {
        static constexpr std::string_view syntax = "()[]{},:'\"\\#+-.0123456789_eExXoObBjJrRuUnNftTs=* \n\r";
        const std::size_t at = pick(text.size());
        const std::string c(1, syntax[pick(syntax.size())]);
        const auto place = text.begin() + static_cast<std::ptrdiff_t>(at);
        switch (pick(3)) {
            case 0: text.erase(place); break;
            case 1: *place = c; break;
            default: text.insert(place, c);
        }
    }

    std::string blank() {
        static constexpr std::string_view blanks[] = {"", "", "", "", " ", "  ", "\t", "\f", "\\\n", "\\\r\n"};
        return one_of(blanks);
    }

    std::string inner_blank() {
        static constexpr std::string_view blanks[] = {"\n", "\r\n", "\r", " # it's [\n", "#\"\"\"\n"};
        return pick(6) == 0 ? one_of(blanks) : blank();
    }

    std::string digits() {
        std::string out(1, static_cast<char>('0' + pick(10)));
        while (pick(2) == 0) {
            if (pick(6) == 0) out += '_';
            out += static_cast<char>('0' + pick(10));
        }
        return out;
    }

    std::string number() {
        static constexpr std::string_view odd[] = {"0",
                                                   "00",
                                                   "0_0",
                                                   "18446744073709551615",
                                                   "18446744073709551616",
                                                   "9223372036854775808",
                                                   "1e400",
                                                   "1e308",
                                                   "1.8e308",
                                                   "1e16",
                                                   "0x_F",
                                                   "0XFFFFFFFFFFFFFFFF",
                                                   "0o7_7",
                                                   "0b1",
                                                   "5.",
                                                   ".5",
                                                   "0e0",
                                                   "1e-400",
                                                   "0.1e1_0",
                                                   "1j",
                                                   "2.5e-324",
                                                   "0b2",
                                                   "1_",
                                                   "0x",
                                                   "00.5",
                                                   "1e",
                                                   "0777",
                                                   "1..2"};
        switch (pick(5)) {
            case 0: return one_of(odd);
            case 1: return digits() + "." + digits();
            case 2: return digits() + (pick(2) == 0 ? "e" : "E-") + digits();
            default: return digits();
        }
    }

    std::string signs() {
        static constexpr std::string_view signs[] = {"-", "+", "- ", "--", "-(", "+\\\n", "~"};
        const std::string sign = one_of(signs);
        return sign + number() + (sign.back() == '(' ? ")" : "");
    }

    std::string string() {
        static constexpr std::string_view prefixes[] = {"", "", "", "", "", "r", "R", "u", "U", "b", "f", "rb", "ur"};
        static constexpr std::string_view quotes[] = {"'", "\"", "'''", "\"\"\""};
        static constexpr std::string_view pieces[] = {
            "a",          "word",   " ",      "\\n", "\\\\",  "\\'",     "\\\"",    "\\x41",       "\\x4",
            "\\101",      "\\7",    "\\0",    "\\8", "\\777", "\\u00e9", "\\ud83d", "\\U0001F680", "\\U00110000",
            "\\N{DASH}",  "\\\n",   "\\\r\n", "\\q", "'",     "\"",      "\u00e9",  "\u5317",      "\u2028",
            "\U0001F680", "\u00a0", "#",      "\t",  "\n",    "\r\n",    "\r",      "{x}",         "%s",
            "[",          "a",      "b",      "c",   "d",     "e",       "f",       "\\a"};
        const std::string quote = one_of(quotes);
        std::string out = one_of(prefixes) + quote;
        for (std::size_t n = pick(6); n != 0; --n) out += one_of(pieces);
        return out + quote;
    }

    std::string atom() {
        static constexpr std::string_view words[] = {"None", "True", "False", "set()", "set ( )",
                                                     "x",    "f(1)", "...",   "NaN"};
        switch (pick(8)) {
            case 0: return one_of(words);
            case 1: return signs();
            case 2:
            case 3: return number();
            case 4: return string() + blank() + string();
            default: return string();
        }
    }

    std::string value(int depth) {
        const std::string blank_before = depth == 0 ? "" : inner_blank();
        const std::string blank_after = depth == 0 ? blank() : inner_blank();
        return blank_before + (depth < 4 && pick(2) == 0 ? container(depth) : atom()) + blank_after;
    }

    std::string container(int depth) {
        static constexpr std::string_view brackets[] = {"[]", "()", "{}", "{:"};
        const std::string kind = one_of(brackets);
        std::string out(1, kind[0]);
        const std::size_t size = pick(4);
        for (std::size_t i = 0; i < size; ++i) {
            if (kind == "{:") out += (pick(8) == 0 ? value(depth + 1) : inner_blank() + string()) + ":";
            if (kind == "{}" && pick(2) == 0) {
                static constexpr std::string_view equal[] = {"1",    "1.0",   "True", "0",
                                                             "-0.0", "False", "(1,)", "(1.0,)"};
                out += one_of(equal);
            } else {
                out += value(depth + 1);
            }
            if (i + 1 != size || pick(3) == 0) out += ",";
        }
        return out + (kind == "{:" ? '}' : kind[1]);
    }

    std::mt19937_64 random_{11};
};

// Prints for each text what acta should print, or null where it should refuse: ast.literal_eval decides, and what
// JSON cannot hold is refused on top, even where a later item of the same key takes its place. Sets are rebuilt from
// the tree, which alone keeps their order.
constexpr std::string_view script = R"py(
import ast, json, sys

class Refused(Exception): pass

class Set(list):
    __hash__ = None

def build(node):
    if isinstance(node, ast.Expression): return build(node.body)
    if isinstance(node, ast.Constant): return check(node.value)
    if isinstance(node, ast.Tuple): return tuple(map(build, node.elts))
    if isinstance(node, ast.List): return list(map(build, node.elts))
    if isinstance(node, ast.Set): return Set(dict.fromkeys(map(build, node.elts)))
    if isinstance(node, ast.Call): return Set()
    if isinstance(node, ast.Dict): return dict(zip(map(key, node.keys), map(build, node.values)))
    if isinstance(node, ast.UnaryOp):
        value = build(node.operand)
        return check(-value if isinstance(node.op, ast.USub) else +value)
    raise Refused

def key(node):
    value = build(node)
    if not isinstance(value, str): raise Refused
    return value

def check(value):
    if value is None or isinstance(value, (bool, float)): return value
    if isinstance(value, int):
        if not -2**63 <= value < 2**64: raise Refused
        return value
    if isinstance(value, str):
        if any(0xD800 <= ord(c) < 0xE000 for c in value): raise Refused
        return value
    if isinstance(value, (list, tuple)): return [check(item) for item in value]
    if isinstance(value, dict): return {k: check(item) for k, item in value.items()}
    raise Refused

def read(text):
    for text in (text, text.strip()):  # acta minds no indentation around a literal
        try:
            ast.literal_eval(text)
            return repr(check(build(ast.parse(text.lstrip(" \t"), mode="eval"))))
        except (Refused, ValueError, TypeError, SyntaxError):
            pass

texts = json.load(open(sys.argv[1], encoding="utf-8"))
json.dump([read(text) for text in texts], sys.stdout)
)py";

}  // namespace

TEST_CASE("random literals are read as ast.literal_eval reads them") {
    Literals literals;
    Json texts = Json::array();
    const std::size_t count = test_size(4000, 8000);
    for (std::size_t i = 0; i < count; ++i) texts.push_back(literals.next());
    const auto answer = python3::run(script, texts.dump());
    if (!answer) ACTA_SKIP("there is no python3");
    const Json expected = Json::parse(*answer);
    REQUIRE(expected.size() == texts.size());
    std::size_t read = 0;
    for (std::size_t i = 0; i < texts.size(); ++i) {
        const auto& text = texts[i].get_ref<const std::string&>();
        Json printed;
        try {
            printed = acta::python_repr(acta::parse_literal(text));
            ++read;
        } catch (const acta::CallSyntaxError& error) {
            UNSCOPED_INFO(error.what());
        }
        INFO(text);
        CHECK(printed == expected[i]);
    }
    CHECK(read > count / 4);
}
