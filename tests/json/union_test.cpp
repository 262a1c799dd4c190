// SPDX-License-Identifier: MIT
#include <cstdint>
#include <optional>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "support/issues.hpp"

namespace {

struct Cat {
    int lives = 9;
    friend bool operator==(const Cat&, const Cat&) = default;
};
struct Dog {
    std::string name{};
    friend bool operator==(const Dog&, const Dog&) = default;
};
struct Fish {
    int depth = 0;
    std::optional<int> fins{};
    friend bool operator==(const Fish&, const Fish&) = default;
};
using Pet = std::variant<Cat, Dog, Fish>;
template <int N>
struct Tagged {
    int value = 0;
};

struct Cage {
    std::variant<Cat, Dog> pet{};
};
struct Point {
    double x = 0, y = 0;
    friend bool operator==(const Point&, const Point&) = default;
};
struct Circle {
    double x = 0, y = 0, r = 0;
    friend bool operator==(const Circle&, const Circle&) = default;
};
struct Label {
    std::string label{};
    friend bool operator==(const Label&, const Label&) = default;
};

/// In JSON a word.
struct Tide {
    bool high = false;
    friend bool operator==(const Tide&, const Tide&) = default;
};

struct Leaf {
    int size = 0;
};
struct Node;
using Tree = std::variant<Leaf, Node>;
struct Node {
    std::vector<Tree> children{};
};

}  // namespace

template <int N>
struct acta::Describe<Tagged<N>> {
    static constexpr std::string_view tags[3] = {"a", "it's", "q\"'\\ \n"};
    static constexpr auto fields =
        acta::fields(acta::literal("kind", tags[N]), acta::defaulted("value", &Tagged<N>::value));
};
template <>
struct acta::Describe<Cat> {
    static constexpr auto fields = acta::fields(acta::required("lives", &Cat::lives), acta::literal("kind", "cat"));
};
template <>
struct acta::Describe<Dog> {
    static constexpr auto fields = acta::fields(acta::required("name", &Dog::name), acta::literal("kind", "dog"));
};
template <>
struct acta::Describe<Fish> {
    static constexpr auto fields = acta::fields(acta::literal("kind", "fish"), acta::defaulted("depth", &Fish::depth),
                                                acta::required("fins", &Fish::fins));
};
template <>
struct acta::Describe<Cage> {
    static constexpr auto fields = acta::fields(acta::required("pet", &Cage::pet));
};
template <>
struct acta::Describe<Point> {
    static constexpr auto fields = acta::fields(acta::required("x", &Point::x), acta::required("y", &Point::y));
};
template <>
struct acta::Describe<Circle> {
    static constexpr auto fields =
        acta::fields(acta::required("x", &Circle::x), acta::required("y", &Circle::y), acta::required("r", &Circle::r));
};
template <>
struct acta::Describe<Label> {
    static constexpr auto fields = acta::fields(acta::required("label", &Label::label));
};
template <>
struct acta::Describe<Tide> {
    using representation = std::string;
    static Tide from_representation(const std::string& text) {
        if (text.empty()) throw std::invalid_argument("the word is missing");
        return {text == "high"};
    }
    static std::string to_representation(const Tide& tide) { return tide.high ? "high" : "low"; }
};
template <>
struct acta::Describe<Leaf> {
    static constexpr auto fields = acta::fields(acta::literal("type", "leaf"), acta::required("size", &Leaf::size));
};
template <>
struct acta::Describe<Node> {
    static constexpr auto fields =
        acta::fields(acta::literal("type", "node"), acta::required("children", &Node::children));
};

TEST_CASE("a tagged variant is recognised by its fixed field, wherever that stands") {
    CHECK(acta::parse<Pet>(R"({"kind":"dog","name":"Rex"})") == Pet(Dog{"Rex"}));
    CHECK(acta::parse<Pet>(R"({"name":"Rex","kind":"dog"})") == Pet(Dog{"Rex"}));
    CHECK(acta::parse<Pet>(R"({"other":[1,{"kind":"cat"}],"name":"Rex","k\u0069nd":"d\u006fg"})") == Pet(Dog{"Rex"}));
    CHECK(acta::parse<Pet>(R"({"fins":2,"lives":3,"kind":"cat"})") == Pet(Cat{3}));
    CHECK(acta::parse<Pet>(R"({"lives":3,"fins":2,"kind":"fish"})") == Pet(Fish{0, 2}));
    CHECK(acta::dump(Pet(Fish{1, {}})) == R"({"kind":"fish","depth":1,"fins":null})");
}

TEST_CASE("of a repeated tag the last counts") {
    CHECK(acta::parse<Pet>(R"({"kind":"cat","name":"Rex","kind":"dog","lives":1})") == Pet(Dog{"Rex"}));
    CHECK(acta::parse<Pet>(R"({"kind":"dog","name":"Rex","lives":1,"kind":"cat"})") == Pet(Cat{1}));
    CHECK(faults<Pet>(R"({"kind":"dog","name":"Rex","kind":"cow"})") == Faults{" union_tag_invalid"});
    CHECK(acta::parse<Pet>(R"({"kind":"cow","name":"Rex","kind":"dog"})") == Pet(Dog{"Rex"}));
}

TEST_CASE("without a tag the first member whose required keys are all there is meant") {
    CHECK(acta::parse<Pet>(R"({"name":"Rex"})") == Pet(Dog{"Rex"}));
    CHECK(acta::parse<Pet>(R"({"name":"Rex","lives":2})") == Pet(Cat{2}));
    CHECK(acta::parse<Pet>(R"({"fins":null})") == Pet(Fish{}));
    CHECK(faults<Pet>(R"({"name":7})") == Faults{"/name string_type"});
    CHECK(faults<Pet>(R"({"depth":7})") == Faults{" union_tag_not_found"});
    CHECK(faults<Pet>("{}") == Faults{" union_tag_not_found"});
}

TEST_CASE("tags are spelt as in Python") {
    const std::string expected =
        "' found using 'kind' does not match any of the expected tags: 'a', \"it's\", 'q\"\\'\\\\ \\n'";
    using Odd = std::variant<Tagged<0>, Tagged<1>, Tagged<2>>;
    const auto message = [](const std::string& tag) { return issues_of<Odd>(R"({"kind":)" + tag + "}")[0].message; };
    CHECK(message("\"it's it\"") == "Input tag 'it's it" + expected);
    CHECK(message("null") == "Input tag 'None" + expected);
    CHECK(message("true") == "Input tag 'True" + expected);
    CHECK(message("1.0") == "Input tag '1.0" + expected);
    CHECK(message("1e30") == "Input tag '1e+30" + expected);
    CHECK(message(R"([1,"a",{"b":null}])") == "Input tag '[1, 'a', {'b': None}]" + expected);
    CHECK(message("1000000000000000000000") == "Input tag '1e+21" + expected);
}

TEST_CASE("a tag that is none is an issue at the variant itself, with pydantic's words") {
    const auto issues = issues_of<std::vector<Pet>>(R"([{"name":"Rex"}, {"kind":"cow","lives":1}])");
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].pointer() == "/1");
    CHECK(issues[0].type == "union_tag_invalid");
    CHECK(issues[0].message ==
          "Input tag 'cow' found using 'kind' does not match any of the expected tags: 'cat', 'dog', 'fish'");
    CHECK(issues_of<Pet>("{}")[0].message == "Unable to extract tag using discriminator 'kind'");
    CHECK(faults<Pet>(R"({"kind":null})") == Faults{" union_tag_invalid"});
    CHECK(faults<Pet>(R"({"kind":["dog"],"name":"x"})") == Faults{" union_tag_invalid"});
    CHECK(faults<Pet>("[]") == Faults{" dict_type"});
    CHECK(faults<Pet>("null") == Faults{" dict_type"});
}

TEST_CASE("issues of the chosen member come without the tag in their way") {
    CHECK(faults<Cage>(R"({"pet":{"kind":"dog","name":1}})") == Faults{"/pet/name string_type"});
    CHECK(faults<Cage>(R"({"pet":{"name":1,"kind":"dog"}})") == Faults{"/pet/name string_type"});
    CHECK(faults<Cage>(R"({"pet":{"kind":"dog"}})") == Faults{"/pet/name missing"});
    for (const char* const other : {"\"cow\"", "7", "[\"cat\"]"}) {
        const auto issues = issues_of<Cat>(std::string(R"({"lives":1,"kind":)") + other + "}");
        REQUIRE(issues.size() == 1);
        CHECK(issues[0].pointer() == "/kind");
        CHECK(issues[0].type == "literal_error");
        CHECK(issues[0].message == "Input should be 'cat'");
    }
    CHECK(faults<std::vector<Pet>>(R"([{"kind":"cat","lives":"x"},{"kind":"dog"},{"lives":[],"kind":"cat"}])") ==
          Faults{"/0/lives int_parsing", "/1/name missing", "/2/lives int_type"});
}

TEST_CASE("a wrong guess leaves no issue behind, not even at the limit") {
    const acta::ParseOptions one{.max_issues = 1};
    CHECK(acta::parse<Pet>(R"({"lives":"x","name":"Rex","kind":"dog"})", one) == Pet(Dog{"Rex"}));
    CHECK(faults<Pet>(R"({"lives":"x","name":1,"kind":"dog"})", one) == Faults{"/name string_type"});
    std::vector<acta::Issue> warnings;
    static_cast<void>(acta::parse<Pet>(R"({"lives":"x","name":"Rex","kind":"dog"})", {.warnings = &warnings}));
    CHECK(warnings.empty());
}

TEST_CASE("an untagged variant takes the member that suits the kind of value best") {
    using Mixed = std::variant<int, double, std::string, bool, std::vector<int>, Point>;
    CHECK(acta::parse<Mixed>("1") == Mixed(1));
    CHECK(acta::parse<Mixed>("1.5") == Mixed(1.5));
    CHECK(acta::parse<Mixed>("\"1\"") == Mixed(std::string("1")));
    CHECK(acta::parse<Mixed>("true") == Mixed(true));
    CHECK(acta::parse<Mixed>("[1, 2]") == Mixed(std::vector<int>{1, 2}));
    CHECK(acta::parse<Mixed>(R"({"x":1,"y":2})") == Mixed(Point{1, 2}));
    CHECK(acta::parse<std::variant<int, std::string>>("\"7\"") == std::variant<int, std::string>("7"));
    CHECK(acta::parse<std::variant<std::string, int>>("7") == std::variant<std::string, int>(7));
    CHECK(acta::parse<std::variant<double, std::string>>("7") == std::variant<double, std::string>(7.0));
}

TEST_CASE("a scalar is taken as it is where a member allows, else as the first member that can convert it") {
    // As pydantic 2.13 has it.
    using BoolFloat = std::variant<bool, double>;
    using FloatBool = std::variant<double, bool>;
    using IntBoolFloat = std::variant<int, bool, double>;
    using BoolInt = std::variant<bool, int>;
    CHECK(acta::parse<BoolFloat>("\"4.0\"") == BoolFloat(4.0));
    CHECK(acta::parse<BoolFloat>("\"1\"") == BoolFloat(true));
    CHECK(acta::parse<BoolFloat>("1") == BoolFloat(1.0));
    CHECK(acta::parse<FloatBool>("\"true\"") == FloatBool(true));
    CHECK(acta::parse<FloatBool>("\"1\"") == FloatBool(1.0));
    CHECK(acta::parse<IntBoolFloat>("\"true\"") == IntBoolFloat(true));
    CHECK(acta::parse<IntBoolFloat>("\"4.0\"") == IntBoolFloat(4));
    CHECK(acta::parse<IntBoolFloat>("\"4.5\"") == IntBoolFloat(4.5));
    CHECK(acta::parse<BoolInt>("1e3") == BoolInt(1000));
    CHECK(acta::parse<BoolInt>("1.0") == BoolInt(true));
    CHECK(acta::parse<std::variant<std::int8_t, std::int64_t>>("300") ==
          std::variant<std::int8_t, std::int64_t>(std::int64_t{300}));
    using Large = std::variant<double, std::uint64_t>;
    CHECK(acta::parse<Large>("18446744073709551615") == Large(std::uint64_t{18446744073709551615U}));
    CHECK(acta::parse<Large>("9223372036854775808") == Large(std::uint64_t{9223372036854775808U}));
    CHECK(faults<BoolFloat>("\"x\"") == Faults{" bool_parsing", " float_parsing"});
    CHECK(faults<BoolInt>("1.5") == Faults{" bool_type", " int_from_float"});
    CHECK(acta::parse<BoolFloat>("\"4.0\"", {.max_issues = 1}) == BoolFloat(4.0));
}

TEST_CASE("a scalar of one's own suits as what represents it") {
    using Either = std::variant<std::vector<int>, Tide>;
    CHECK(acta::parse<Either>("\"high\"") == Either(Tide{true}));
    CHECK(acta::parse<Either>("[1]") == Either(std::vector<int>{1}));
    CHECK(acta::dump(Either(Tide{})) == "\"low\"");
    CHECK(faults<Tide>("\"\"") == Faults{" value_error"});
    CHECK(issues_of<Tide>("\"\"")[0].message == "Value error, the word is missing");
    CHECK(faults<Tide>("1") == Faults{" string_type"});  // and nothing is made of it
}

TEST_CASE("among structs the first whose required keys are all there is meant") {
    using Shape = std::variant<Circle, Point, Label>;
    CHECK(acta::parse<Shape>(R"({"x":1,"y":2})") == Shape(Point{1, 2}));
    CHECK(acta::parse<Shape>(R"({"r":3,"x":1,"y":2})") == Shape(Circle{1, 2, 3}));
    CHECK(acta::parse<Shape>(R"({"x":1,"label":"a"})") == Shape(Label{"a"}));
    CHECK(faults<Shape>(R"({"x":"a","y":2})") == Faults{"/x float_parsing"});
    CHECK(faults<Shape>(R"({"x":1})") == Faults{"/y missing", "/r missing"});
}

TEST_CASE("among lists the first that can be read is meant") {
    using Lists = std::variant<std::vector<int>, std::vector<std::string>>;
    CHECK(acta::parse<Lists>(R"([1, 2])") == Lists(std::vector<int>{1, 2}));
    CHECK(acta::parse<Lists>(R"(["a"])") == Lists(std::vector<std::string>{"a"}));
    CHECK(faults<Lists>(R"(["a", 1])") == Faults{"/0 int_parsing"});
    // A try that ends at the limit of issues is one that failed.
    CHECK(acta::parse<Lists>(R"(["a"])", {.max_issues = 1}) == Lists(std::vector<std::string>{"a"}));
}

TEST_CASE("what suits no member is said by each of them") {
    CHECK(faults<std::variant<std::string, std::vector<int>>>("1") == Faults{" string_type", " list_type"});
    using Nested = std::variant<std::variant<int, bool>, std::string>;
    CHECK(faults<Nested>("[]") == Faults{" int_type", " bool_type", " string_type"});
    CHECK(acta::parse<Nested>("true") == Nested(true));
    CHECK(acta::parse<Nested>("\"7\"") == Nested(std::string("7")));
}

TEST_CASE("a variant may hold nothing, null or any JSON") {
    CHECK_FALSE(acta::parse<std::optional<Pet>>("null"));
    CHECK(acta::parse<std::optional<Pet>>(R"({"name":"a"})") == Pet(Dog{"a"}));
    using Any = std::variant<Label, acta::Json>;
    CHECK(std::holds_alternative<Label>(acta::parse<Any>(R"({"label":"a"})")));
    CHECK(std::get<acta::Json>(acta::parse<Any>("[1]")) == acta::Json::parse("[1]"));
    CHECK(faults<Any>(R"({"x":1})") == Faults{"/label missing"});  // chosen before it is read
}

TEST_CASE("variants inside variants are read in one pass each, and keep their issues' way") {
    std::string text;
    for (int i = 0; i < 20; ++i) text += R"({"children":[{"size":1,"type":"leaf"},)";
    text += R"({"size":"x","type":"leaf"})";
    for (int i = 0; i < 20; ++i) text += R"(],"type":"node"})";
    const auto issues = issues_of<Tree>(text);
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].type == "int_parsing");
    CHECK(issues[0].loc.size() == 41);
    const std::string good = R"({"type":"node","children":[{"type":"leaf","size":1},{"type":"node","children":[]}]})";
    CHECK(acta::dump(acta::parse<Tree>(good)) == good);
}

TEST_CASE("a repeated key of a struct takes its first value's issues along, and no other's") {
    CHECK(faults<Circle>(R"({"x": 1, "y": "?", "x": 2, "r": 3})") == Faults{"/y float_parsing"});
    CHECK(faults<Circle>(R"({"r": "?", "y": "?", "x": 1, "x": 2, "r": 3})") == Faults{"/y float_parsing"});
    CHECK(faults<Circle>(R"({"y": "?", "x": 1, "x": "?", "y": 2, "y": [], "r": 3})") ==
          Faults{"/x float_parsing", "/y float_type"});
}
