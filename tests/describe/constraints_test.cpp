// SPDX-License-Identifier: MIT
#include "acta/describe/constraints.hpp"

#include <compare>
#include <cstdint>
#include <limits>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "support/issues.hpp"

namespace {

struct Search {
    int limit = 10;
    std::optional<double> score{};
    std::string query = "x";
    std::vector<int> pages{1};
    std::string mode = "fast";
    std::optional<std::string> region{};
    unsigned old = 0;
};

struct Limits {
    std::map<std::string, int> counts{{"a", 1}};
    acta::JsonObject extra{{"a", 1}};
    std::optional<acta::OrderedMap<int>> order{};
};

enum class Mood { fine, quoted };

struct Feeling {
    Mood mood = Mood::fine;
    std::string word = "it's";
};

/// Lists and maps that are left out when they are empty.
struct Sparse {
    std::vector<int> list{7};
    std::map<std::string, int> map{{"a", 1}};
    acta::JsonObject object{{"a", 1}};
    std::string text{};
    friend bool operator==(const Sparse&, const Sparse&) = default;
};

/// A user's own scalar: written as text, refused where the text is none.
class Version {
public:
    Version() = default;
    explicit Version(const std::string& text) {
        const auto point = text.find('.');
        if (point == std::string::npos) throw std::invalid_argument("a version has a point: " + text);
        major_ = std::stoi(text.substr(0, point));
        minor_ = std::stoi(text.substr(point + 1));
    }
    [[nodiscard]] std::string text() const { return std::to_string(major_) + "." + std::to_string(minor_); }
    friend bool operator==(const Version&, const Version&) = default;

private:
    int major_ = 0;
    int minor_ = 0;
};

struct Package {
    Version version{};
    std::vector<Version> others{};
    std::optional<Version> latest{};
};

/// Numbers with bounds that a double cannot hold.
struct Amounts {
    std::int64_t low = 0;
    std::int64_t high = 0;
    std::optional<std::int64_t> negative{};
    std::uint64_t large = 18446744073709551614U;
    std::uint64_t beyond = 0;
    std::int64_t least = std::numeric_limits<std::int64_t>::min();
    std::uint64_t unsigned_negative = 0;
    std::int64_t half = 0;
    double real = 0;
    double huge = 1;
};

/// Values with numbers of any size.
struct Kept {
    acta::Json value{};
    acta::JsonObject object{};
    std::optional<acta::JsonObject> maybe{};
    acta::Json other{};
};

/// One whose conversion may say what it repaired.
struct Percent {
    int value = 0;
};
struct Progress {
    std::vector<Percent> steps{};
};

}  // namespace

template <>
struct acta::Describe<Search> {
    static constexpr auto fields =
        acta::fields(acta::defaulted("limit", &Search::limit, "How many.", acta::range(1, 50)),
                     acta::defaulted("score", &Search::score, "", acta::at_least(0.5), acta::at_most(2.5)),
                     acta::defaulted("query", &Search::query, "", acta::length(1, 5)),
                     acta::defaulted("pages", &Search::pages, "", acta::length(1, 2)),
                     acta::defaulted("mode", &Search::mode, "", acta::one_of("fast", "full")),
                     acta::defaulted("region", &Search::region, "", acta::one_of("eu")),
                     acta::defaulted("old", &Search::old, "", acta::deprecated));
};
template <>
struct acta::Describe<Kept> {
    static constexpr auto fields = acta::fields(acta::defaulted("value", &Kept::value, "", acta::keep_large_numbers),
                                                acta::defaulted("object", &Kept::object, "", acta::keep_large_numbers),
                                                acta::defaulted("maybe", &Kept::maybe, "", acta::keep_large_numbers),
                                                acta::defaulted("other", &Kept::other));
};
template <>
struct acta::Describe<Amounts> {
    static constexpr auto fields = acta::fields(
        acta::defaulted("low", &Amounts::low, "", acta::at_most(9007199254740992.0)),
        acta::defaulted("high", &Amounts::high, "", acta::at_most(9007199254740993)),
        acta::defaulted("negative", &Amounts::negative, "", acta::at_least(-9007199254740993)),
        acta::defaulted("large", &Amounts::large, "", acta::at_least(18446744073709551614U)),
        acta::defaulted("beyond", &Amounts::beyond, "", acta::at_least(18446744073709551616.0)),
        acta::defaulted("least", &Amounts::least, "", acta::at_most(std::numeric_limits<std::int64_t>::min())),
        acta::defaulted("unsigned_negative", &Amounts::unsigned_negative, "", acta::at_least(-5)),
        acta::defaulted("half", &Amounts::half, "", acta::range(-0.5, 0.5)),
        acta::defaulted("real", &Amounts::real, "", acta::at_most(9007199254740993)),
        acta::defaulted("huge", &Amounts::huge, "", acta::range(0.00000125, 1e300)));
};
template <>
struct acta::Describe<Limits> {
    static constexpr auto fields = acta::fields(acta::defaulted("counts", &Limits::counts, "", acta::length(1, 2)),
                                                acta::optional_field("extra", &Limits::extra, "", acta::non_empty),
                                                acta::defaulted("order", &Limits::order, "", acta::length(0, 1)));
};
template <>
struct acta::Describe<Mood> {
    static constexpr auto values = acta::values<Mood>({{"fine", Mood::fine}, {"it's \"fine\"", Mood::quoted}});
};
template <>
struct acta::Describe<Feeling> {
    static constexpr auto fields = acta::fields(
        acta::defaulted("mood", &Feeling::mood),
        acta::defaulted("word", &Feeling::word, "", acta::one_of("it's", "a\\b")), acta::literal("kind", "it's"));
};
template <>
struct acta::Describe<Sparse> {
    static constexpr auto fields =
        acta::fields(acta::omit_if_empty("list", &Sparse::list), acta::omit_if_empty("map", &Sparse::map),
                     acta::omit_if_empty("object", &Sparse::object), acta::omit_if_empty("text", &Sparse::text));
};
template <>
struct acta::Describe<Version> {
    using representation = std::string;
    static Version from_representation(const std::string& text) { return Version(text); }
    static std::string to_representation(const Version& value) { return value.text(); }
};
template <>
struct acta::Describe<Package> {
    static constexpr auto fields =
        acta::fields(acta::required("version", &Package::version), acta::defaulted("others", &Package::others),
                     acta::defaulted("latest", &Package::latest));
};
template <>
struct acta::Describe<Percent> {
    using representation = int;
    template <class Notes>
    static Percent from_representation(int value, const Notes& notes) {
        if (value > 100) notes.warn("percent_cut", "More than all");
        return {value > 100 ? 100 : value};
    }
    static int to_representation(const Percent& percent) { return percent.value; }
};
template <>
struct acta::Describe<Progress> {
    static constexpr auto fields = acta::fields(acta::required("steps", &Progress::steps));
};

TEST_CASE("a bound is compared exactly, and spelled without an exponent") {
    using acta::NumberBound;
    constexpr auto least = std::numeric_limits<std::int64_t>::min();
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    CHECK(NumberBound(-0x1p63).json() == acta::Json(least));
    CHECK(NumberBound(-0x1p63).compare(least) == std::partial_ordering::equivalent);
    CHECK(NumberBound(-0x1.8p63).json().is_number_float());
    CHECK(NumberBound(-0x1.8p63).compare(least) == std::partial_ordering::greater);
    CHECK(NumberBound(0x1p63).json() == acta::Json(std::uint64_t{1} << 63));
    CHECK(NumberBound(0x1p64).json().is_number_float());
    CHECK(NumberBound(0x1p64).compare(most) == std::partial_ordering::less);
    CHECK(NumberBound(-0.0).json().is_number_integer());
    CHECK(NumberBound(-3.0).compare(-3) == std::partial_ordering::equivalent);
    CHECK(NumberBound(-1).compare(std::uint64_t{5}) == std::partial_ordering::greater);
    CHECK(NumberBound(-1).compare(most) == std::partial_ordering::greater);
    CHECK(NumberBound(most).compare(-1) == std::partial_ordering::less);
    CHECK(NumberBound(2.5).compare(2) == std::partial_ordering::less);
    CHECK(NumberBound(2.5).compare(3) == std::partial_ordering::greater);
    CHECK(NumberBound(std::numeric_limits<double>::quiet_NaN()).compare(3) == std::partial_ordering::unordered);
    const auto text = [](double value) { return NumberBound(value).text(true); };
    CHECK(text(0.5) == "0.5");
    CHECK(text(-0.05) == "-0.05");
    CHECK(text(1.25) == "1.25");
    CHECK(text(123.25) == "123.25");
    CHECK(text(12) == "12");
    CHECK(text(1200) == "1200");
    CHECK(text(1e21) == "1" + std::string(21, '0'));
    CHECK(text(std::numeric_limits<double>::infinity()) == "inf");
    CHECK(text(-std::numeric_limits<double>::infinity()) == "-inf");
    CHECK(text(std::numeric_limits<double>::quiet_NaN()) == "nan");
    CHECK(NumberBound(most).text(false) == "18446744073709551615");
    CHECK(NumberBound(least).text(false) == "-9223372036854775808");
    CHECK(NumberBound(2.5).text(false) == "2.5");
}

TEST_CASE("numbers out of range are issues with the bound") {
    CHECK(faults<Search>(R"({"limit":1,"score":0.5})").empty());
    CHECK(faults<Search>(R"({"limit":50,"score":2.5})").empty());
    CHECK(faults<Search>(R"({"limit":0,"score":2.6})") ==
          Faults{"/limit greater_than_equal", "/score less_than_equal"});
    CHECK(issues_of<Search>(R"({"limit":51})")[0].message == "Input should be less than or equal to 50");
    CHECK(issues_of<Search>(R"({"score":0})")[0].message == "Input should be greater than or equal to 0.5");
    CHECK(faults<Search>(R"({"score":null})").empty());
    CHECK(faults<Search>(R"({"limit":"51"})") == Faults{"/limit less_than_equal"});
    CHECK(faults<Search>(R"({"limit":"x"})") == Faults{"/limit int_parsing"});
}

TEST_CASE("bounds of integers are exact beyond 2^53") {
    CHECK(acta::parse<Amounts>(R"({"low":9007199254740992})").low == 9007199254740992);
    CHECK(issues_of<Amounts>(R"({"low":9007199254740993})")[0].message ==
          "Input should be less than or equal to 9007199254740992");
    CHECK(faults<Amounts>(R"({"high":9007199254740993,"negative":-9007199254740993})").empty());
    CHECK(issues_of<Amounts>(R"({"high":9007199254740994})")[0].message ==
          "Input should be less than or equal to 9007199254740993");
    CHECK(issues_of<Amounts>(R"({"negative":-9007199254740994})")[0].message ==
          "Input should be greater than or equal to -9007199254740993");
    CHECK(faults<Amounts>(R"({"large":18446744073709551615})").empty());
    CHECK(faults<Amounts>(R"({"large":18446744073709551613})") == Faults{"/large greater_than_equal"});
    CHECK(issues_of<Amounts>(R"({"large":0})")[0].message ==
          "Input should be greater than or equal to 18446744073709551614");
    CHECK(faults<Amounts>(R"({"beyond":18446744073709551615})") == Faults{"/beyond greater_than_equal"});
    CHECK(faults<Amounts>(R"({"least":-9223372036854775808})").empty());
    CHECK(faults<Amounts>(R"({"least":-9223372036854775807})") == Faults{"/least less_than_equal"});
    CHECK(faults<Amounts>(R"({"unsigned_negative":0})").empty());
    CHECK(faults<Amounts>(R"({"half":9007199254740993})") == Faults{"/half less_than_equal"});
    CHECK(faults<Amounts>(R"({"half":0})").empty());
    // A float is compared with the nearest double, and the message has the digits of that.
    CHECK(issues_of<Amounts>(R"({"real":9007199254740994})")[0].message ==
          "Input should be less than or equal to 9007199254740992");
    CHECK(issues_of<Amounts>(R"({"huge":1e301})")[0].message ==
          "Input should be less than or equal to 1" + std::string(300, '0'));
    CHECK(issues_of<Amounts>(R"({"huge":0})")[0].message == "Input should be greater than or equal to 0.00000125");
    const acta::Json properties = acta::schema<Amounts>().at("properties");
    CHECK(properties.at("low").at("maximum").dump() == "9007199254740992");
    CHECK(properties.at("high").at("maximum").dump() == "9007199254740993");
    CHECK(properties.at("negative").at("anyOf")[0].at("minimum").dump() == "-9007199254740993");
    CHECK(properties.at("large").at("minimum").dump() == "18446744073709551614");
    CHECK(properties.at("least").at("maximum").dump() == "-9223372036854775808");
    CHECK(properties.at("half").at("maximum").dump() == "0.5");
    CHECK(properties.at("huge").at("maximum") == 1e300);
}

TEST_CASE("a member may keep numbers that a JSON value cannot hold, and no other member does") {
    const auto read = acta::parse<Kept>(R"({"value":[18446744073709551616,-1e400,7],"object":{"n":1)" +
                                        std::string(400, '0') + R"(},"maybe":{"n":-9223372036854775809}})");
    CHECK(acta::dump(read) == R"({"value":[1.8446744073709552e+19,"-1e400",7],"object":{"n":"1)" +
                                  std::string(400, '0') + R"("},"maybe":{"n":-9.223372036854776e+18},"other":null})");
    CHECK(faults<Kept>(R"({"value":1e400,"other":1e400})") == Faults{"/other finite_number"});
    CHECK(faults<Kept>(R"({"object":[1e400],"other":[18446744073709551616]})") ==
          Faults{"/object dict_type", "/other/0 int_parsing_size"});
    acta::ParseOptions keep;
    keep.keep_large_numbers = true;
    CHECK(acta::parse<Kept>(R"({"other":[18446744073709551616]})", keep).other[0] == 0x1p64);
    CHECK_FALSE(acta::schema<Kept>().at("properties").at("value").contains("keep_large_numbers"));
}

TEST_CASE("NaN is within no range") {
    CHECK(faults<Search>(R"({"score":"nan"})") == Faults{"/score greater_than_equal", "/score less_than_equal"});
}

TEST_CASE("lengths are counted in code points and elements") {
    CHECK(faults<Search>(R"({"query":"\u00e9\ud83d\ude80\u4eacab"})").empty());
    CHECK(faults<Search>(R"({"query":"","pages":[]})") == Faults{"/query string_too_short", "/pages too_short"});
    CHECK(issues_of<Search>(R"({"query":""})")[0].message == "String should have at least 1 character");
    CHECK(issues_of<Search>(R"({"query":"abcdef"})")[0].message == "String should have at most 5 characters");
    CHECK(issues_of<Search>(R"({"pages":[1,2,3]})")[0].message ==
          "List should have at most 2 items after validation, not 3");
    CHECK(issues_of<Search>(R"({"pages":[]})")[0].message ==
          "List should have at least 1 item after validation, not 0");
}

TEST_CASE("a list that is too long is one issue, whatever its elements are") {
    CHECK(faults<Search>(R"({"pages":["x",2,3]})") == Faults{"/pages too_long"});
    CHECK(issues_of<Search>(R"({"pages":[1,"a",3,"b"]})")[0].message ==
          "List should have at most 2 items after validation, not 4");
    CHECK(faults<Search>(R"({"pages":["x",1]})") == Faults{"/pages/0 int_parsing"});
    CHECK(faults<Search>(R"({"limit":0,"pages":["x",2,3],"mode":1})") ==
          Faults{"/limit greater_than_equal", "/pages too_long", "/mode literal_error"});
}

TEST_CASE("the length of a map is that of a dictionary") {
    CHECK(issues_of<Limits>(R"({"counts":{}})")[0].message ==
          "Dictionary should have at least 1 item after validation, not 0");
    CHECK(issues_of<Limits>(R"({"counts":{"a":1,"b":2,"c":3}})")[0].message ==
          "Dictionary should have at most 2 items after validation, not 3");
    CHECK(faults<Limits>(R"({"counts":{"a":1,"b":2,"b":3},"order":{"a":1}})").empty());
    CHECK(faults<Limits>(R"({"extra":{},"order":{"a":1,"b":2}})") == Faults{"/extra too_short", "/order too_long"});
    // Unlike those of a list, its elements come first.
    CHECK(faults<Limits>(R"({"counts":{"a":"x","b":2,"c":3}})") == Faults{"/counts/a int_parsing"});
    const acta::Json properties = acta::schema<Limits>().at("properties");
    CHECK(properties.at("counts").at("minProperties") == 1);
    CHECK(properties.at("counts").at("maxProperties") == 2);
    CHECK_FALSE(properties.at("counts").contains("minItems"));
    CHECK(properties.at("extra").at("minProperties") == 1);
    CHECK(properties.at("order").at("anyOf")[0].at("maxProperties") == 1);
}

TEST_CASE("what is expected is listed in Python's quotes") {
    CHECK(issues_of<Feeling>(R"({"mood":"x"})")[0].message == "Input should be 'fine' or 'it\\'s \"fine\"'");
    CHECK(issues_of<Feeling>(R"({"word":"x"})")[0].message == "Input should be \"it's\" or 'a\\\\b'");
    CHECK(issues_of<Feeling>(R"({"kind":1})")[0].message == "Input should be \"it's\"");
    CHECK(acta::parse<Feeling>(R"({"mood":"it's \"fine\"","kind":"it's"})").mood == Mood::quoted);
}

TEST_CASE("null is an empty list where an empty one is left out") {
    const Sparse empty{{}, {}, {}, {}};
    CHECK(acta::parse<Sparse>(R"({"list":null,"map":null,"object":null})") == empty);
    CHECK(acta::parse<Sparse>(R"({"list":null,"map":null,"object":null})", {.strictness = acta::Strictness::strict}) ==
          empty);
    CHECK(acta::parse<Sparse>(R"({"map":{"a":1},"list":null,"map":null,"object":{"x":2},"object":null})") == empty);
    CHECK(acta::validate<Sparse>(acta::Json::parse(R"({"list":null,"map":null,"object":null})")) == empty);
    CHECK(acta::dump(empty) == "{}");
    CHECK(faults<Sparse>(R"({"list":false,"text":null})") == Faults{"/list list_type", "/text string_type"});
    CHECK(faults<Search>(R"({"pages":null})") == Faults{"/pages list_type"});  // one that is always written
}

TEST_CASE("a text that is none of those allowed is a literal_error") {
    CHECK(issues_of<Search>(R"({"mode":"slow"})")[0].message == "Input should be 'fast' or 'full'");
    CHECK(faults<Search>(R"({"mode":7,"region":"us"})") == Faults{"/mode literal_error", "/region literal_error"});
    CHECK(acta::parse<Search>(R"({"region":"eu"})").region == "eu");
    CHECK_FALSE(acta::parse<Search>(R"({"region":null})").region);
}

TEST_CASE("constraints stand in the schema as pydantic writes them") {
    const acta::Json expected = acta::Json::parse(R"({
        "properties": {
            "limit": {"maximum": 50, "minimum": 1, "type": "integer", "default": 10, "description": "How many.", "title": "Limit"},
            "score": {"anyOf": [{"maximum": 2.5, "minimum": 0.5, "type": "number"}, {"type": "null"}], "default": null, "title": "Score"},
            "query": {"maxLength": 5, "minLength": 1, "type": "string", "default": "x", "title": "Query"},
            "pages": {"items": {"type": "integer"}, "maxItems": 2, "minItems": 1, "type": "array", "default": [1], "title": "Pages"},
            "mode": {"enum": ["fast", "full"], "type": "string", "default": "fast", "title": "Mode"},
            "region": {"anyOf": [{"const": "eu", "type": "string"}, {"type": "null"}], "default": null, "title": "Region"},
            "old": {"deprecated": true, "type": "integer", "default": 0, "title": "Old"}},
        "title": "Search", "type": "object"})");
    CHECK(nlohmann::json(acta::schema<Search>()).dump(1) == nlohmann::json(expected).dump(1));
}

TEST_CASE("a scalar of one's own is written as its representation") {
    const std::string text = R"({"version":"1.2","others":["3.4"],"latest":null})";
    const auto package = acta::parse<Package>(text);
    CHECK(package.version == Version("1.2"));
    CHECK(acta::dump(package) == text);
    CHECK(acta::schema<Version>() == acta::Json({{"type", "string"}}));
}

TEST_CASE("what a conversion throws is an issue at its place") {
    const auto issues = issues_of<Package>(R"({"version":"12","others":["1.0","x",7],"latest":"a.b"})");
    REQUIRE(issues.size() == 4);
    CHECK(issues[0].type == "value_error");
    CHECK(issues[0].message == "Value error, a version has a point: 12");
    CHECK(issues[1].pointer() == "/others/1");
    CHECK(issues[1].input == "\"x\"");
    CHECK(issues[2].pointer() == "/others/2");
    CHECK(issues[2].type == "string_type");
    CHECK(issues[3].pointer() == "/latest");
    CHECK(issues[3].line == 1);
    CHECK(issues[3].column == 49);
}

TEST_CASE("what a conversion repaired is a warning at its place") {
    std::vector<acta::Issue> warnings;
    const auto progress = acta::parse<Progress>("{\"steps\": [5,\n 120]}", {.warnings = &warnings});
    CHECK(progress.steps[1].value == 100);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].type == "percent_cut");
    CHECK(warnings[0].message == "More than all");
    CHECK(warnings[0].pointer() == "/steps/1");
    CHECK(warnings[0].input == "120");
    CHECK(warnings[0].line == 2);
    CHECK(warnings[0].column == 2);
    CHECK(acta::parse<Progress>(R"({"steps":[120]})").steps[0].value == 100);  // nobody asked
}
