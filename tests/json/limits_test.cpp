// SPDX-License-Identifier: MIT
#include <cmath>
#include <map>
#include <optional>
#include <string>
#include <tuple>
#include <vector>

#include "acta/json/detail/decode.hpp"
#include "acta/json/detail/text_reader.hpp"
#include "acta/json/json.hpp"
#include "support/bounds.hpp"
#include "support/issues.hpp"
#include "support/sizes.hpp"

// Nothing may crash, recurse without bound or take time quadratic in its size. Steps are counted, not seconds.
namespace {

using acta::Json;

std::string nested(std::size_t depth, const std::string& open = "[", const std::string& close = "]") {
    std::string text;
    for (std::size_t i = 0; i < depth; ++i) text += open;
    for (std::size_t i = 0; i < depth; ++i) text += close;
    return text;
}

/// A value of lists `depth` deep, made without recursion.
Json nested_value(std::size_t depth) {
    Json value = acta::JsonArray();
    for (std::size_t i = 1; i < depth; ++i) {
        acta::JsonArray outer;
        outer.push_back(std::move(value));
        value = std::move(outer);
    }
    return value;
}

struct List;
struct List {
    std::vector<List> children{};
};
struct Pair {
    int a = 0;
};

/// How many bytes a reader looked at to read `text` as a `T`, by the same steps as `acta::parse`.
template <class T>
std::size_t steps(const std::string& text, const acta::ParseOptions& options = {}) {
    T out{};
    acta::json_detail::JsonTextReader reader(text, options.max_depth);
    acta::json_detail::Decoder d(reader, options);
    acta::json_detail::decode_value(d, out);
    reader.finish();
    return reader.steps();
}

std::string object_of(std::size_t keys, std::size_t distinct) {
    std::string text = "{";
    for (std::size_t i = 0; i < keys; ++i) {
        if (i != 0) text += ',';
        text += "\"k" + std::to_string(i % distinct) + "\":" + std::to_string(i);
    }
    return text + "}";
}

}  // namespace

template <>
struct acta::Describe<List> {
    static constexpr auto fields = acta::fields(acta::required("children", &List::children));
};
template <>
struct acta::Describe<Pair> {
    static constexpr auto fields = acta::fields(acta::required("a", &Pair::a));
};

TEST_CASE("the limit of depth is exact, in text and in memory") {
    for (const std::size_t limit : {2U, 5U, 128U}) {
        const acta::ParseOptions options{.max_depth = limit};
        CHECK_NOTHROW(acta::parse<Json>(nested(limit), options));
        CHECK_NOTHROW(acta::parse<Json>(std::string("{\"a\":") + nested(limit - 1) + "}", options));
        CHECK_NOTHROW(acta::validate<Json>(nested_value(limit), options));
        const auto issues = issues_of<Json>(nested(limit + 1), options);
        REQUIRE(issues.size() == 1);
        CHECK(issues[0].type == "json_invalid");
        CHECK_THAT(issues[0].message,
                   contains_text("recursion limit exceeded at line 1 column " + std::to_string(limit + 1)));
        CHECK_THROWS_AS(acta::validate<Json>(nested_value(limit + 1), options), acta::ValidationError);
        // Also where the value is passed over.
        CHECK_THROWS_AS(acta::parse<Pair>("{\"a\":1,\"b\":" + nested(limit) + "}", options), acta::ValidationError);
    }
    below_at_above("nesting of a JSON document", 128,
                   [](std::size_t depth) { return issues_of<Json>(nested(depth)).empty(); });
    CHECK_NOTHROW(acta::parse<Json>("1", {.max_depth = 0}));
    CHECK_THROWS_AS(acta::parse<Json>("[]", {.max_depth = 0}), acta::ValidationError);
}

TEST_CASE("the limit of a document's size is exact") {
    below_at_above("size of a JSON document", 20, [](std::size_t bytes) {
        return issues_of<Json>('"' + std::string(bytes - 2, 'x') + '"', {.max_bytes = 20}).empty();
    });
}

TEST_CASE("structs that hold themselves are read up to the limit of depth") {
    std::string text = R"({"children":[]})";
    for (int i = 0; i < 63; ++i) text = R"({"children":[)" + text + "]}";
    CHECK_NOTHROW(acta::parse<List>(text));
    CHECK_NOTHROW(acta::dump(acta::parse<List>(text)));
    CHECK_THROWS_AS(acta::parse<List>(R"({"children":[)" + text + "]}"), acta::ValidationError);
}

TEST_CASE("a million brackets are refused at the limit, wherever they stand") {
    constexpr std::size_t million = 1000000;
    const std::string deep = nested(million);
    const std::string objects = nested(million, "{\"a\":", "}");
    for (const std::string& text : {deep, objects, std::string(million, '['), "{\"b\":" + deep + "}"}) {
        CHECK(issues_of<Json>(text).size() == 1);
        CHECK(issues_of<Pair>(text).size() == 1);
        CHECK(issues_of<List>(text).size() == 1);
        CHECK(issues_of<std::vector<int>>(text).size() == 1);
    }
}

TEST_CASE("with a limit of a million, nesting that deep is passed over without recursion") {
    const std::string text = "{\"b\":" + nested(1000000) + ",\"a\":1}";
    CHECK(acta::parse<Pair>(text, {.max_depth = 2000000}).a == 1);
}

TEST_CASE("every byte is looked at once, whatever the number of keys") {
    for (const std::size_t keys : {std::size_t{100}, std::size_t{10000}, test_size(30000, 100000)}) {
        const std::string text = object_of(keys, keys);
        CHECK(steps<Json>(text) == text.size());
        CHECK(steps<acta::OrderedMap<int>>(text) == text.size());
        const std::string holder = "{\"a\":1,\"rest\":" + text + "}";
        CHECK(steps<Pair>(holder) == holder.size());
    }
}

TEST_CASE("a key that is expected is taken where it comes next, and otherwise nothing is read") {
    acta::json_detail::Container container;
    const auto begin = [&container](acta::json_detail::JsonTextReader& reader) {
        container = {};
        reader.peek();
        reader.enter(container);
    };
    for (const std::string text : {R"({"ab":1,"c":2})", "{ \n\"ab\"\r:1\t, \"c\" :2}"}) {
        CAPTURE(text);
        acta::json_detail::JsonTextReader reader(text, 1);
        begin(reader);
        CHECK_FALSE(reader.take_key(container, "a"));
        CHECK_FALSE(reader.take_key(container, "abc"));
        CHECK_FALSE(reader.take_key(container, "ac"));
        REQUIRE(reader.take_key(container, "ab"));
        reader.peek();
        CHECK(reader.read_number().integer == 1);
        CHECK_FALSE(reader.take_key(container, "ab"));
        REQUIRE(reader.take_key(container, "c"));
        reader.peek();
        CHECK(reader.read_number().integer == 2);
        CHECK_FALSE(reader.take_key(container, "c"));
    }
    for (const std::string text :
         {"{", "{\"a", "{\"a\"", "{\"a\" ", "{\"a\",", "{a\":1}", "{,\"a\":1}", "{\"a\\\":1}"}) {
        CAPTURE(text);
        acta::json_detail::JsonTextReader reader(text, 1);
        begin(reader);
        CHECK_FALSE(reader.take_key(container, "a"));
        CHECK(reader.steps() == 1);
    }
    const std::string shortest = "{\"a\":";
    acta::json_detail::JsonTextReader reader(shortest, 1);
    begin(reader);
    CHECK(reader.take_key(container, "a"));
}

TEST_CASE("how many elements a list has is estimated from the size of those that were read") {
    const std::string text = "[11" + [] {
        std::string more;
        for (int i = 1; i < 100; ++i) more += ",11";
        return more;
    }() + "]";
    acta::json_detail::JsonTextReader reader(text, 1);
    acta::json_detail::Container container;
    reader.peek();
    reader.enter(container);
    CHECK(reader.expected_elements(container, 0) == 1);
    for (int i = 0; i < 10; ++i) {
        REQUIRE(reader.next_element(container));
        reader.peek();
        reader.read_number();
    }
    CHECK(reader.expected_elements(container, 10) == 104);  // 3 % and one more than the 100.3 that fit
}

TEST_CASE("a great number of distinct keys of one object is read") {
    const std::size_t keys = test_size(60000, 1000000);
    const std::string text = object_of(keys, keys);
    const auto value = acta::parse<acta::JsonObject>(text);
    CHECK(value.size() == keys);
    CHECK(acta::dump(value) == text);
    const std::size_t some = test_size(30000, 100000);
    const std::string fewer = object_of(some, some);
    CHECK(acta::parse<acta::OrderedMap<int>>(fewer).size() == some);
    CHECK(acta::parse<std::map<std::string, int>>(fewer).size() == some);
}

TEST_CASE("any number of repeats of a key is one entry") {
    const std::size_t repeats = 3 * test_size(8333, 33333) + 1;
    const auto from_the_end = [repeats](std::size_t n) { return std::to_string(repeats - n); };
    const std::string text = object_of(repeats, 1);
    const std::string last = "{\"k0\":" + from_the_end(1) + "}";
    CHECK(acta::dump(acta::parse<acta::JsonObject>(text)) == last);
    CHECK(acta::dump(acta::parse<Json>(text)) == last);
    CHECK(acta::dump(acta::parse<acta::OrderedMap<int>>(text)) == last);
    const std::string several = object_of(repeats, 3);
    CHECK(acta::dump(acta::parse<Json>(several)) ==
          "{\"k0\":" + from_the_end(1) + ",\"k1\":" + from_the_end(3) + ",\"k2\":" + from_the_end(2) + "}");
    std::string fields = "{\"a\":0";
    for (std::size_t i = 0; i < repeats; ++i) fields += ",\"a\":\"x\"";
    CHECK(issues_of<Pair>(fields + "}", {.max_issues = 1000000}).size() == 1);
    CHECK(acta::parse<Pair>(fields + ",\"a\":5}", {.max_issues = 1000000}).a == 5);
}

TEST_CASE("a great number of issues is collected where that many are wanted") {
    const std::size_t count = test_size(30000, 100000);
    std::string text = "[\"x\"";
    for (std::size_t i = 1; i < count; ++i) text += ",\n\"x\"";
    const auto issues = issues_of<std::vector<int>>(text + "]", {.max_issues = 1000000});
    REQUIRE(issues.size() == count);
    CHECK(issues.back().line == count);
    CHECK(issues.back().column == 1);
    CHECK(issues.back().pointer() == "/" + std::to_string(count - 1));
}

TEST_CASE("a string of tens of megabytes is read in one pass") {
    std::string text(50000000, 'x');
    text.front() = text.back() = '"';
    CHECK(acta::parse<std::string>(text).size() == text.size() - 2);
    CHECK(steps<std::string>(text) == text.size());
    text[text.size() / 2] = '\\';
    text[text.size() / 2 + 1] = 'n';
    CHECK(acta::parse<std::string>(text).size() == text.size() - 3);
}

TEST_CASE("white space of any length is passed over") {
    const std::string space(1000000, ' ');
    CHECK(acta::parse<int>(space + "7" + space) == 7);
    CHECK(acta::parse<std::vector<int>>("[" + space + "\n\t\r1" + space + "," + space + "2]") ==
          std::vector<int>{1, 2});
}

TEST_CASE("what a value has that no record can have is named with its place") {
    CHECK_FALSE(acta::content_fault(acta::Json{{"a", {1, 2.5, "x", nullptr, acta::Json::object()}}}));
    const auto fault = [](const acta::Json& value) {
        const std::optional<acta::Issue> found = acta::content_fault(value);
        return found ? found->type + " " + found->pointer() : "";
    };
    CHECK(fault(acta::Json{{"a/b", {1, std::nan("")}}}) == "finite_number /a~1b/1");
    CHECK(fault(acta::Json(HUGE_VAL)) == "finite_number ");
    below_at_above("nesting of arguments, outputs, labels and the extra of messages in a record", 100,
                   [&](std::size_t depth) { return fault(nested_value(depth)).empty(); });
    CHECK_THAT(fault(acta::Json{{"x", nested_value(100)}}), starts_with_text("recursion_limit /x/0/0"));
    std::string controls(acta::max_content_bytes / 6 - 1, '\x01');  // six bytes each
    below_at_above("JSON of an argument list, an output or what one provider keeps in extra, in a record",
                   acta::max_content_bytes, [&](std::size_t bytes) {
                       controls.resize(acta::max_content_bytes / 6 - 1);
                       controls.append(bytes - 6 * controls.size() - 4, 'x');  // quotes, and what separates it
                       return fault(controls).empty();
                   });
    CHECK(fault(acta::Json{{"x", controls}}) == "too_large ");
}
