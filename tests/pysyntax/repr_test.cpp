// SPDX-License-Identifier: MIT
#include "acta/pysyntax/repr.hpp"

#include <bit>
#include <cmath>
#include <cstdint>
#include <fstream>
#include <limits>
#include <random>
#include <string>

#include "pysyntax/python3.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/sizes.hpp"

using acta::Json;
using acta::python_repr;
using acta::python_str;

TEST_CASE("repr and str are those of the golden vectors") {
    std::ifstream file(paths::golden("python_repr.json"));
    REQUIRE(file);
    const Json rows = Json::parse(file);
    REQUIRE(rows.size() == 60);
    for (const Json& row : rows) {
        CHECK(python_repr(row["value"]) == row["repr"].get<std::string>());
        CHECK(python_str(row["value"]) == row["str"].get<std::string>());
    }
}

TEST_CASE("repr quotes a string as Python does") {
    CHECK(python_repr("") == "''");
    CHECK(python_repr("it") == "'it'");
    CHECK(python_repr("it's") == R"("it's")");
    CHECK(python_repr(R"(a "b")") == R"('a "b"')");
    CHECK(python_repr(R"(it's "b")") == R"('it\'s "b"')");
    CHECK(python_repr(R"(a\b)") == R"('a\\b')");
    CHECK(python_repr(std::string("\0\x01\x1f\x7f\t\n\r\v", 8)) == R"('\x00\x01\x1f\x7f\t\n\r\x0b')");
}

TEST_CASE("repr escapes what does not print") {
    CHECK(python_repr("caf\u00e9 \u5317 \U0001F680") == "'caf\u00e9 \u5317 \U0001F680'");
    CHECK(python_repr("\u0085\u00a0\u00ad\u2028\ufeff\ue000") == R"('\x85\xa0\xad\u2028\ufeff\ue000')");
    CHECK(python_repr("\U0010FFFF\U000E0001") == R"('\U0010ffff\U000e0001')");
    // New in Unicode 15, so unassigned in 14: U+1FAE8.
    CHECK(python_repr("\U0001FAE8") == R"('\U0001fae8')");
}

TEST_CASE("repr shows bytes that are not UTF-8 as surrogateescape does") {
    CHECK(python_repr("a\xffz") == R"('a\udcffz')");
    CHECK(python_repr("\xed\xa0\x80") == R"('\udced\udca0\udc80')");
    CHECK(python_repr("\xe5\x8c") == R"('\udce5\udc8c')");
    const Json value(std::string("\xc3"));
    CHECK(python_repr(value) == R"('\udcc3')");
    CHECK(python_str(value) == "\xc3");
}

TEST_CASE("repr writes the numbers at the edges") {
    CHECK(python_repr(Json(std::numeric_limits<std::int64_t>::min())) == "-9223372036854775808");
    CHECK(python_repr(Json(std::numeric_limits<std::uint64_t>::max())) == "18446744073709551615");
    CHECK(python_repr(Json(1.0)) == "1.0");
    CHECK(python_repr(Json(-0.0)) == "-0.0");
    CHECK(python_repr(Json(0.0001)) == "0.0001");
    CHECK(python_repr(Json(0.00001)) == "1e-05");
    CHECK(python_repr(Json(-1.25e-7)) == "-1.25e-07");
    CHECK(python_repr(Json(0x1p-44)) == "5.684341886080802e-14");  // rounded up, not to nearest
    CHECK(python_repr(Json(1e15)) == "1000000000000000.0");
    CHECK(python_repr(Json(1e16)) == "1e+16");
    CHECK(python_repr(Json(1.5e16)) == "1.5e+16");
    CHECK(python_repr(Json(-1.5e16)) == "-1.5e+16");
    CHECK(python_repr(Json(1234567890123456.7)) == "1234567890123456.8");
    CHECK(python_repr(Json(1e300)) == "1e+300");
    CHECK(python_repr(Json(5e-324)) == "5e-324");
    CHECK(python_repr(Json(std::numeric_limits<double>::infinity())) == "inf");
    CHECK(python_repr(Json(-std::numeric_limits<double>::infinity())) == "-inf");
    CHECK(python_repr(Json(std::numeric_limits<double>::quiet_NaN())) == "nan");
}

TEST_CASE("repr writes containers, in the order of their keys") {
    Json value = Json::object();
    value["z"] = Json::array({1, nullptr, true});
    value["a"] = Json::object();
    value["it's"] = Json::array();
    CHECK(python_repr(value) == R"({'z': [1, None, True], 'a': {}, "it's": []})");
    CHECK(python_str(value) == python_repr(value));
    CHECK(python_repr(Json::array({Json::array({Json::array()}), 2})) == "[[[]], 2]");
    CHECK(python_repr(Json::binary({0x61, 0x00, 0x27})) == R"(b"a\x00'")");
}

TEST_CASE("repr appends to what is there already") {
    std::string out = "x=";
    acta::append_python_repr(out, "a");
    acta::append_python_repr(out, Json(1));
    acta::append_python_str(out, Json("b"));
    acta::append_python_str(out, "c");
    CHECK(out == "x='a'1bc");
    CHECK(python_str("it's") == "it's");
}

TEST_CASE("repr of a value nested 100000 deep needs no deep stack") {
    constexpr std::size_t depth = 100'000;
    Json value = 1;
    for (std::size_t i = 0; i < depth; ++i) {
        Json outer = i % 2 == 0 ? Json::array() : Json::object();
        if (outer.is_array()) {
            outer.push_back(std::move(value));
        } else {
            outer["k"] = std::move(value);
        }
        value = std::move(outer);
    }
    const std::string text = python_repr(value);
    CHECK(text.size() == 1 + depth * 2 + depth / 2 * 5);
    CHECK(text.substr(0, 14) == "{'k': [{'k': [");
}

TEST_CASE("repr of a megabyte keeps all of it") {
    std::string text;
    while (text.size() < 1'000'000) text += "plain words, a tab\t and caf\u00e9; ";
    const std::string printed = python_repr(text);
    CHECK(printed.size() > text.size());
    CHECK(printed.find('\t') == std::string::npos);
}

TEST_CASE("floats print as python3 prints them") {
    std::mt19937_64 random(20240611);
    std::string input;
    std::string expected;
    const auto add = [&](double value) {
        if (!std::isfinite(value)) return;
        input += std::to_string(std::bit_cast<std::uint64_t>(value)) + "\n";
        expected += python_repr(Json(value)) + "\n";
    };
    for (int exponent = -1074; exponent < 1024; ++exponent) {
        add(std::ldexp(1.0, exponent));
        add(std::nextafter(std::ldexp(1.0, exponent), 0.0));
    }
    const std::size_t rounds = test_size(6'000, 20'000);
    for (std::size_t i = 0; i < rounds; ++i) {
        add(std::bit_cast<double>(random()));
        add(static_cast<double>(random() % 100'000) / 1000);
        add(static_cast<double>(random() >> (random() % 64)));
    }
    const auto answer = python3::run(R"(
import struct, sys
for line in open(sys.argv[1]):
    print(repr(struct.unpack("<d", struct.pack("<Q", int(line)))[0]))
)",
                                     input);
    if (!answer) ACTA_SKIP("there is no python3");
    CHECK(*answer == expected);
}
