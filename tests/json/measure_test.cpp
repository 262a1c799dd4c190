// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

/// The text in pieces, which needs no measure.
std::string in_pieces(const std::vector<acta::Json>& values) {
    std::string out;
    acta::dump_to(values, [&out](std::string_view piece) { out += piece; });
    return out;
}

std::vector<acta::Json> alike(std::size_t count) {
    std::vector<acta::Json> values;
    for (std::size_t i = 0; i < count; ++i)
        values.emplace_back(
            acta::JsonObject{{"text", std::string(40 + i * 7 % 50, 'x') + "\n\"\x01"}, {"n", i}, {"real", 0.5}});
    return values;
}

double waste(const std::string& text) {
    return static_cast<double>(text.capacity()) / static_cast<double>(text.size());
}

}  // namespace

TEST_CASE("a small document is written into memory of its size") {
    const std::string text = acta::dump(std::vector<std::string>{"a\nb", "\x02", std::string(500, '"')});
    CHECK(text.capacity() - text.size() <= 16);
}

TEST_CASE("a list of many elements, of which some are measured, is written whole and with little to spare") {
    for (const std::size_t count : {1023U, 1024U, 1025U, 5000U, 20'000U}) {
        const std::vector<acta::Json> values = alike(count);
        const std::string text = acta::dump(values);
        CHECK(text == in_pieces(values));
        CHECK(waste(text) < 1.15);
    }
}

TEST_CASE("a giant among many small elements does not spoil the text, measured or not") {
    const std::size_t giant = test_size(2'000'000, 10'000'000);
    for (const std::size_t place : {0U, 600U, 601U, 602U, 603U, 604U, 605U, 606U, 607U, 4999U}) {
        std::vector<acta::Json> values = alike(5000);
        values[place] = std::string(giant, 'g');
        const std::string text = acta::dump(values);
        CHECK(text == in_pieces(values));
        CHECK(waste(text) < 2.1);  // a string doubles where the giant was not foreseen
    }
}

TEST_CASE("lists inside of a measured list are counted in full") {
    std::vector<std::vector<std::vector<int>>> values(2000, std::vector<std::vector<int>>(3, std::vector<int>(10, 7)));
    values.back().assign(2000, std::vector<int>(3, -1));
    const std::string text = acta::dump(values);
    std::string pieces;
    acta::dump_to(values, [&pieces](std::string_view piece) { pieces += piece; });
    CHECK(text == pieces);
    CHECK(waste(text) < 2.1);
}
