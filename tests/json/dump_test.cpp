// SPDX-License-Identifier: MIT
#include "acta/json/json.hpp"

#include <cmath>
#include <limits>
#include <map>
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

using acta::Json;

struct Inner {
    std::string text{};
    Json any{};
};
enum class Direction { up, down };
struct Outer {
    std::vector<Inner> list{};
    std::map<std::string, std::string> names{};
    acta::JsonObject object{};
};

/// The pointer of the `EncodeError` that writing throws, the same by every function.
template <class T>
std::string encode_pointer(const T& value) {
    const auto pointer = [](const auto& write) -> std::string {
        try {
            write();
        } catch (const acta::EncodeError& error) {
            CHECK(std::string(error.what()) ==
                  "Text at '" + error.pointer() + "' is not valid UTF-8 and cannot be written as JSON");
            return error.pointer();
        }
        return "was written";
    };
    const std::string compact = pointer([&] { static_cast<void>(acta::dump(value)); });
    CHECK(pointer([&] { static_cast<void>(acta::dump(value, {.indent = 2})); }) == compact);
    CHECK(pointer([&] { acta::dump_to(value, [](std::string_view) {}); }) == compact);
    return compact;
}

std::string in_pieces(const Json& value, const acta::DumpOptions& options = {}) {
    std::string out;
    acta::dump_to(
        value, [&out](std::string_view piece) { out += piece; }, options);
    return out;
}

}  // namespace

template <>
struct acta::Describe<Direction> {
    static constexpr auto values = acta::values<Direction>({{"up", Direction::up}, {"down", Direction::down}});
};
template <>
struct acta::Describe<Inner> {
    static constexpr auto fields =
        acta::fields(acta::required("text", &Inner::text), acta::defaulted("any", &Inner::any));
};
template <>
struct acta::Describe<Outer> {
    static constexpr auto fields =
        acta::fields(acta::required("list", &Outer::list), acta::required("names", &Outer::names),
                     acta::required("object", &Outer::object));
};

TEST_CASE("text is escaped as pydantic does") {
    std::string all;
    for (char c = 0; c < 0x20; ++c) all += c;
    CHECK(acta::dump(all + "\"\\/\x7f\u00e9\u2028\U0001F680") ==
          "\"\\u0000\\u0001\\u0002\\u0003\\u0004\\u0005\\u0006\\u0007\\b\\t\\n\\u000b\\f\\r\\u000e\\u000f\\u0010\\u0011"
          "\\u0012"
          "\\u0013\\u0014\\u0015\\u0016\\u0017\\u0018\\u0019\\u001a\\u001b\\u001c\\u001d\\u001e\\u001f\\\"\\\\/"
          "\x7f\u00e9\u2028"
          "\U0001F680\"");
}

TEST_CASE("reals are written with the fewest digits that read back the same") {
    for (const auto& [value, text] :
         std::vector<std::pair<double, std::string>>{{0.0, "0.0"},
                                                     {-0.0, "-0.0"},
                                                     {1.0, "1.0"},
                                                     {-2.5, "-2.5"},
                                                     {0.1, "0.1"},
                                                     {1.0 / 3, "0.3333333333333333"},
                                                     {100.0, "100.0"},
                                                     {1e15, "1000000000000000.0"},
                                                     {1234567890123456.7, "1234567890123456.8"},
                                                     {1e-5, "0.00001"},
                                                     {1.5e-5, "0.000015"},
                                                     {1e-6, "1e-6"},
                                                     {1.25e-7, "1.25e-7"},
                                                     {5e-324, "5e-324"},
                                                     {0x1p-44, "5.684341886080802e-14"},  // rounded up, not to nearest
                                                     {-1.5e16, "-1.5e+16"},
                                                     {1e300, "1e+300"},
                                                     {123456.789, "123456.789"}}) {
        CHECK(acta::dump(value) == text);
        CHECK(acta::dump(Json(value)) == text);
    }
    std::mt19937_64 random(7);
    const std::size_t rounds = test_size(8000, 20000);
    for (std::size_t i = 0; i < rounds; ++i) {
        double value = 0;
        const std::uint64_t bits = random();
        std::memcpy(&value, &bits, sizeof value);
        if (!std::isfinite(value)) continue;
        const std::string text = acta::dump(value);
        CHECK(acta::parse<double>(text) == value);
        CHECK(acta::parse<Json>(text).is_number_float());
        CHECK(text.size() <= 25);
    }
}

TEST_CASE("a number that is not finite is null in text, and kept in a value") {
    const std::vector<double> odd{std::nan(""), HUGE_VAL, -HUGE_VAL};
    CHECK(acta::dump(odd) == "[null,null,null]");
    CHECK(acta::dump(Json(odd)) == "[null,null,null]");
    CHECK(std::isinf(acta::to_json_value(odd)[1].get<double>()));
}

TEST_CASE("indented text has a line for every entry, and nothing in what is empty") {
    const Json value = Json::parse(R"({"a":[1,{"b":null}],"c":{},"d":[],"e":[[]],"f":"x"})");
    for (const int indent : {1, 2, 4}) CHECK(acta::dump(value, {.indent = indent}) == value.dump(indent));
    CHECK(acta::dump(value, {.indent = 0}) == value.dump());
    CHECK(acta::dump(std::vector<std::vector<int>>{{1, 2}, {}}, {.indent = 2}) ==
          "[\n  [\n    1,\n    2\n  ],\n  []\n]");
}

TEST_CASE("text in pieces is the same text, and no piece is large") {
    Json value = Json::parse(R"({"text":"","list":[]})");
    std::string large;
    for (int i = 0; i < 20000; ++i) large += i % 7 == 0 ? "\n" : i % 5 == 0 ? "\u4eac" : "plain ";
    value["text"] = large;
    for (int i = 0; i < 5000; ++i) value["list"].push_back(i * 0.5);
    CHECK(in_pieces(value) == value.dump());
    CHECK(in_pieces(value, {.indent = 3}) == acta::dump(value, {.indent = 3}));
    std::size_t largest = 0;
    acta::dump_to(value, [&largest](std::string_view piece) { largest = std::max(largest, piece.size()); });
    CHECK(largest <= 16384);
    CHECK(in_pieces(Json("")) == "\"\"");
}

TEST_CASE("what a sink throws comes out") {
    CHECK_THROWS_AS(acta::dump_to(1, [](std::string_view) { throw 7; }), int);
}

TEST_CASE("text that is not UTF-8 is refused with the path to it") {
    Outer outer;
    outer.list.resize(2);
    CHECK(encode_pointer(outer) == "was written");
    outer.list[1].text = "a\xff";
    CHECK(encode_pointer(outer) == "/list/1/text");
    outer.list[1].text = "good";
    outer.list[1].any = Json::parse(R"({"a/b":[1,{"c":"x"}]})");
    outer.list[1].any["a/b"][1]["c"] = "\xc3";
    CHECK(encode_pointer(outer) == "/list/1/any/a~1b/1/c");
    outer.list[1].any = nullptr;
    outer.names["k"] = "\x80";
    CHECK(encode_pointer(outer) == "/names/k");
    outer.names.clear();
    outer.object["deep"] = Json::parse("[[]]");
    outer.object["deep"][0].push_back("\xed\xa0\x80");
    CHECK(encode_pointer(outer) == "/object/deep/0/0");
    CHECK(encode_pointer(std::string("\xff")).empty());
}

TEST_CASE("a key that is not UTF-8 is refused, too") {
    CHECK_THROWS_AS(acta::dump(std::map<std::string, int>{{"\xff", 1}}), acta::EncodeError);
    acta::JsonObject object;
    object["\xff"] = 1;
    CHECK_THROWS_AS(acta::dump(object), acta::EncodeError);
    CHECK_THROWS_AS(acta::dump(Json(object)), acta::EncodeError);
}

TEST_CASE("bad bytes can be replaced") {
    const acta::DumpOptions replace{.invalid_utf8 = acta::InvalidUtf8::replace};
    CHECK(acta::dump(std::string("a\xff\xc3z"), replace) == "\"a\uFFFD\uFFFDz\"");
    CHECK(acta::dump(Json{{"k\xff", std::vector<std::string>{"\xe4\xba"}}}, replace) ==
          "{\"k\uFFFD\":[\"\uFFFD\uFFFD\"]}");
    const std::string bad(50000, '\xff');
    CHECK(acta::dump(bad, replace).size() == 150002);
    CHECK(acta::parse<std::string>(acta::dump(bad, replace)).size() == 150000);
}

TEST_CASE("bytes of a Json that JSON does not know are null") {
    CHECK(acta::dump(Json::binary({1, 2})) == "null");
    CHECK(acta::dump(Json(Json::value_t::discarded)) == "null");
}

TEST_CASE("a value nested as deep as can be read is written without recursion") {
    std::string text(20000, '[');
    text.append(20000, ']');
    CHECK(acta::dump(acta::parse<Json>(text, {.max_depth = 20000})) == text);
}

TEST_CASE("an enum with a value that has no name is refused with its place") {
    CHECK(acta::dump(std::vector<Direction>{Direction::up}) == R"(["up"])");
    try {
        static_cast<void>(acta::dump(std::vector<Direction>{Direction::up, static_cast<Direction>(7)}));
        FAIL("was written");
    } catch (const acta::EncodeError& error) {
        CHECK(error.pointer() == "/1");
        CHECK(std::string(error.what()) ==
              "Enum at '/1' has a value that its description does not name and cannot be written as JSON");
    }
    CHECK_THROWS_AS(acta::to_json_value(static_cast<Direction>(7)), acta::EncodeError);
}
