// SPDX-License-Identifier: MIT
// Unions of scalars beside pydantic itself, on random documents.
#include <array>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "pysyntax/python3.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

constexpr std::string_view script = R"(
import sys
try:
    import pydantic
    from pydantic import TypeAdapter, ValidationError
except ImportError:
    sys.exit(1)
if int(pydantic.VERSION.split('.')[0]) < 2 or int(pydantic.VERSION.split('.')[1]) < 11:
    sys.exit(1)
from typing import Optional, Union
b, i, f, s = bool, int, float, str
unions = [Union[b, i], Union[i, b], Union[b, f], Union[f, b], Union[i, f], Union[f, i],
          Union[b, i, f], Union[b, f, i], Union[i, b, f], Union[i, f, b], Union[f, b, i], Union[f, i, b],
          Union[s, i], Union[i, s], Union[b, s, f], Union[f, i, s, b], Union[list[int], b, f]]
adapters = [TypeAdapter(u) for u in unions]
writers = {t: TypeAdapter(t) for t in (b, i, f, s, list)}
def say(adapter, text, strict):
    try:
        value = adapter.validate_json(text, strict=strict)
        return type(value).__name__ + ' ' + writers[type(value)].dump_json(value).decode()
    except ValidationError as error:
        return ' '.join(e['type'] for e in error.errors())
out = []
for line in open(sys.argv[1], encoding='utf-8'):
    for adapter in adapters:
        for strict in (False, True):
            out.append(say(adapter, line.rstrip('\n'), strict))
sys.stdout.buffer.write(('\n'.join(out) + '\n').encode())
)";

template <class T>
constexpr std::string_view python_name() {
    if constexpr (std::is_same_v<T, bool>)
        return "bool ";
    else if constexpr (std::is_same_v<T, long long>)
        return "int ";
    else if constexpr (std::is_same_v<T, double>)
        return "float ";
    else if constexpr (std::is_same_v<T, std::string>)
        return "str ";
    else
        return "list ";
}

template <class Union>
std::string say(const std::string& text, acta::Strictness strictness) {
    try {
        const auto value = acta::parse<Union>(text, {.strictness = strictness});
        return std::visit([]<class T>(const T& v) { return std::string(python_name<T>()) + acta::dump(v); }, value);
    } catch (const acta::ValidationError& error) {
        std::string out;
        for (const acta::Issue& issue : error.issues()) out += (out.empty() ? "" : " ") + issue.type;
        return out;
    }
}

using B = bool;
using I = long long;
using F = double;
using S = std::string;
template <class... T>
using U = std::variant<T...>;
using Say = std::string (*)(const std::string&, acta::Strictness);
constexpr std::array<Say, 17> unions{say<U<B, I>>,
                                     say<U<I, B>>,
                                     say<U<B, F>>,
                                     say<U<F, B>>,
                                     say<U<I, F>>,
                                     say<U<F, I>>,
                                     say<U<B, I, F>>,
                                     say<U<B, F, I>>,
                                     say<U<I, B, F>>,
                                     say<U<I, F, B>>,
                                     say<U<F, B, I>>,
                                     say<U<F, I, B>>,
                                     say<U<S, I>>,
                                     say<U<I, S>>,
                                     say<U<B, S, F>>,
                                     say<U<F, I, S, B>>,
                                     say<U<std::vector<int>, B, F>>};

/// A random scalar, or something that is none. Numbers keep within 2^53: beyond it acta refuses, on purpose, what
/// pydantic rounds or reads as an integer of any size.
std::string document(std::mt19937& random) {
    const auto pick = [&random](const auto& choices) { return std::string(choices[random() % std::size(choices)]); };
    static constexpr std::string_view fixed[] = {
        "true", "false", "null", "[]",    "[1]",     "{}",     "0",       "1",       "-0",
        "1.0",  "0.0",   "1e0",  "1e3",   "-1E-2",   "4.0",    "1.5",     "\"\"",    "\" \"",
        "0e5",  "2.0",   "-1",   "10e-1", "\"1e3\"", "\"-0\"", "\"NaN\"", "\"inf\"", "\"-Infinity\""};
    static constexpr std::string_view words[] = {
        "true", "True", "FALSE", "t",   "f",   "y",   "n",   "yes", "no",  "on",   "off",  "maybe", "1",
        "0",    "2",    "1.0",   "4.0", "0.0", "1e2", "-3",  "+7",  "1_0", "1__0", "1_.5", "1e_5",  "na_n",
        "_1",   "0x1",  "nan",   "INF", ".5",  "5.",  "-.0", "1.",  "007", "1e",   "e1",   "--1",   "12.50"};
    switch (random() % 5) {
        case 0: return pick(fixed);
        case 1: return std::to_string(static_cast<long long>(random()) * (random() % 2 == 0 ? 1 : -1000));
        case 2:
            return std::to_string(static_cast<int>(random() % 2000) - 1000) + "." + std::to_string(random() % 3 * 5);
        case 3:
            return std::to_string(random() % 100) + (random() % 2 == 0 ? "e" : ".0e") + std::to_string(random() % 9);
        default: {
            std::string text = pick(words);
            if (random() % 4 == 0) text = " " + text;
            if (random() % 4 == 0) text += "\\n";
            return '"' + text + '"';
        }
    }
}

}  // namespace

TEST_CASE("unions of scalars are read as pydantic reads them") {
    const unsigned seed = std::random_device{}();
    std::mt19937 random(seed);
    std::vector<std::string> documents;
    std::string input;
    const std::size_t count = test_size(400, 1500);
    for (std::size_t i = 0; i < count; ++i) input += documents.emplace_back(document(random)) + '\n';
    const std::optional<std::string> answer = python3::run(script, input);
    if (!answer) ACTA_SKIP("python3 with pydantic 2.11 or newer is missing");

    std::size_t at = 0;
    for (const std::string& text : documents) {
        for (std::size_t u = 0; u < unions.size(); ++u) {
            for (const auto strictness : {acta::Strictness::lax, acta::Strictness::strict}) {
                const std::size_t end = answer->find('\n', at);
                REQUIRE(end != std::string::npos);
                const std::string expected = answer->substr(at, end - at);
                at = end + 1;
                const std::string found = unions[u](text, strictness);
                if (found != expected) {
                    INFO("seed " << seed << ", union " << u << ", strict " << (strictness == acta::Strictness::strict));
                    INFO(text);
                    CHECK(found == expected);
                }
            }
        }
    }
    CHECK(at == answer->size());
}
