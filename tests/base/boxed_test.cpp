// SPDX-License-Identifier: MIT
#include "acta/base/utility.hpp"

#include <optional>
#include <stdexcept>
#include <string>
#include <utility>

#include "support/catch.hpp"

namespace {

using Text = acta::Boxed<std::string>;

/// Throws when it is copied.
struct Uncopyable {
    Uncopyable() = default;
    Uncopyable(const Uncopyable& other) : armed(other.armed) {
        if (armed) throw std::runtime_error("no copy");
    }
    Uncopyable& operator=(const Uncopyable&) = default;
    bool armed = false;
};

}  // namespace

TEST_CASE("a boxed value is used as an optional one, in the size of a pointer") {
    STATIC_REQUIRE(sizeof(Text) == sizeof(void*));
    Text text;
    CHECK_FALSE(text);
    CHECK(text == std::nullopt);
    CHECK(text.value_or("none") == "none");
    CHECK_THROWS_AS(text.value(), std::bad_optional_access);
    CHECK_THROWS_AS(std::as_const(text).value(), std::bad_optional_access);
    text = std::string("low");
    REQUIRE(text.has_value());
    CHECK(*text == "low");
    CHECK(text->size() == 3);
    CHECK(text.value_or("none") == "low");
    CHECK(text == std::string("low"));
    text.emplace(2, 'x');
    CHECK(text.value() == "xx");
    text = std::nullopt;
    CHECK_FALSE(text.has_value());
    text = std::string("high");
    text.reset();
    CHECK_FALSE(text);
}

TEST_CASE("copies of a boxed value are values of their own, and a move leaves nothing behind") {
    Text one = std::string("low");
    Text other = one;
    CHECK(other == one);
    *other += "er";
    CHECK(*one == "low");
    CHECK(other != one);
    one = other;
    CHECK(*one == "lower");
    const Text& same = one;
    one = same;
    CHECK(*one == "lower");
    const Text moved = std::move(one);
    CHECK(*moved == "lower");
    CHECK(*Text(std::string("high")) == "high");
    CHECK(Text() == Text());
    CHECK(Text() != moved);
}

TEST_CASE("a boxed value and an optional one convert to each other") {
    const Text text = std::optional<std::string>("low");
    const std::optional<std::string> copy = text;
    CHECK(copy == "low");
    const Text empty = std::optional<std::string>();
    CHECK_FALSE(empty);
    const std::optional<std::string> none = empty;
    CHECK_FALSE(none);
}

TEST_CASE("a copy that throws leaves a boxed value as it was") {
    acta::Boxed<Uncopyable> from;
    from.emplace().armed = true;
    acta::Boxed<Uncopyable> to;
    to.emplace();
    CHECK_THROWS_AS(to = from, std::runtime_error);
    REQUIRE(to);
    CHECK_FALSE(to->armed);
    CHECK_THROWS_AS(to.emplace(*from), std::runtime_error);
    CHECK(to);
}
