// SPDX-License-Identifier: MIT
#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <random>
#include <string>
#include <vector>

#include "acta/json/detail/writers.hpp"
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

/// What is counted for a value of a small document: its text, a byte for what separates it, and at most one more.
std::size_t count_by_rule(const acta::Json& value) {
    if (value.is_null() || value.is_boolean()) return 6;
    if (!value.is_structured()) return acta::dump(value).size() + 1;
    std::size_t size = 3;
    for (const auto& [key, one] : value.items())
        size += count_by_rule(one) + (value.is_object() ? acta::dump(key).size() + 1 : 0);
    return size;
}

acta::Json random_value(std::mt19937_64& random, int levels) {
    switch (random() % (levels == 0 ? 6 : 8)) {
        case 0: return nullptr;
        case 1: return random() % 2 == 0;
        case 2: return random() >> random() % 64;
        case 3: return -static_cast<std::int64_t>(random() >> (1 + random() % 63));
        case 4: return static_cast<double>(random() % 100'000) / 64.0;
        case 5: {
            std::string text;
            for (std::size_t i = random() % 40; i != 0; --i) text += static_cast<char>(random() % 128);
            return text;
        }
        case 6: {
            acta::Json out = acta::JsonArray();
            for (std::size_t i = random() % 5; i != 0; --i) out.push_back(random_value(random, levels - 1));
            return out;
        }
        default: {
            acta::Json out = acta::JsonObject();
            for (std::size_t i = random() % 5; i != 0; --i)
                out["k\n" + std::to_string(random() % 100)] = random_value(random, levels - 1);
            return out;
        }
    }
}

template <class T>
std::size_t measured(const T& value) {
    acta::json_detail::Measure measure;
    const acta::DumpOptions options;
    acta::json_detail::Encoder e(measure, options);
    acta::json_detail::encode_value(e, value);
    return measure.size();
}

}  // namespace

TEST_CASE("each value of a small document is measured, and written into memory of that size") {
    std::mt19937_64 random(20261128);
    for (int i = 0; i < 2000; ++i) {
        const acta::Json value = random_value(random, 4);
        CHECK(measured(value) == 1 + count_by_rule(value));
        const std::string text = acta::dump(value);
        CHECK(text == value.dump());
        std::string reserved;
        reserved.reserve(measured(value));
        CHECK(text.capacity() == reserved.capacity());
    }
    for (const std::uint64_t power : {1ULL, 10ULL, 100ULL, 10'000'000'000'000'000'000ULL}) {
        for (const std::uint64_t number : {power - 1, power, power + 1})
            CHECK(measured(number) == std::to_string(number).size() + 2);
    }
    CHECK(measured(std::int64_t{-9}) == 4);
    CHECK(measured(std::int64_t{0}) == 3);
    CHECK(measured(std::numeric_limits<std::int64_t>::min()) == 22);
    CHECK(measured(std::optional<int>()) == 6);
    CHECK(measured(true) == 7);
    CHECK(measured(HUGE_VAL) == 6);
    acta::json_detail::Measure measure;
    const std::size_t before = measure.size();
    measure.raw("[1,2]");
    CHECK(measure.size() == before + 6);
}

TEST_CASE("a list of many elements, of which some are measured, is written whole and with little to spare") {
    for (const std::size_t count : {1023U, 1024U, 1025U, 5000U, 20'000U}) {
        const std::vector<acta::Json> values = alike(count);
        const std::string text = acta::dump(values);
        CHECK(text == in_pieces(values));
        CHECK(waste(text) < 1.15);
    }
}

TEST_CASE("of the parts of a document the first are measured, and then one in eight") {
    acta::json_detail::Sampling parts(3);
    std::string measured_parts;
    for (int i = 0; i < 18; ++i) {
        const bool takes = parts.takes_next();
        if (takes) parts.measured(10);
        measured_parts += takes ? '|' : '.';
    }
    CHECK(measured_parts == "|||.....|.......|.");
    CHECK(parts.rest() == 13 * 11 + 13 * 11 / 16);
    parts.measured(64 * 1024 + 1);  // much larger than usual
    CHECK(parts.rest() == 13 * 11 + 13 * 11 / 16);
    parts.measured(64 * 1024);
    CHECK(parts.rest() == 13 * 10932 + 13 * 10932 / 16);
    CHECK(acta::json_detail::Sampling(3).rest() == 0);
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
