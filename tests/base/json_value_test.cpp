// SPDX-License-Identifier: MIT
#include "acta/base/json_value.hpp"

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/callback.hpp"
#include "acta/base/text_places.hpp"
#include "acta/base/utility.hpp"
#include "support/catch.hpp"

using acta::Json;
namespace base = acta::base;

TEST_CASE("members of a value are found where it is an object, and are none elsewhere") {
    Json call = {{"name", "search"}, {"limit", 3}, {"cursor", nullptr}};
    REQUIRE(base::find_key(std::as_const(call), "limit") != nullptr);
    CHECK(base::find_key(std::as_const(call), "limit")->get<int>() == 3);
    CHECK(base::find_key(std::as_const(call), "cursor")->is_null());
    CHECK(base::find_key(std::as_const(call), "Name") == nullptr);
    for (const Json& other : {Json(), Json("name"), Json(1), Json::array({"name"}), Json::object()}) {
        CAPTURE(other.dump());
        CHECK(base::find_key(other, "name") == nullptr);
        CHECK(base::text_member(other, "name").empty());
    }
}

TEST_CASE("a member that was found can be changed") {
    Json call = {{"name", "search"}};
    *base::find_key(call, "name") = "find";
    CHECK(call == Json{{"name", "find"}});
    CHECK(base::find_key(call, "limit") == nullptr);
    CHECK(call.size() == 1);
}

TEST_CASE("a member that is a text is copied, and any other is an empty text") {
    const Json call = {{"name", std::string("a\0b", 3)}, {"limit", 3}, {"cursor", nullptr}, {"ids", {"x"}}};
    CHECK(base::text_member(call, "name") == std::string("a\0b", 3));
    for (const char* const key : {"limit", "cursor", "ids", "missing", ""}) {
        CAPTURE(key);
        CHECK(base::text_member(call, key).empty());
    }
}

TEST_CASE("a repeated key has its first place and its last value, however many keys there are") {
    for (const std::size_t keys : {1U, 2U, 6U, 7U, 60U}) {
        CAPTURE(keys);
        Json::object_t object;
        for (std::size_t i = 0; i < 2 * keys; ++i) base::put(object, std::string(keys - i % keys, 'k'), i);
        base::drop_repeated_keys(object);
        Json::object_t expected;
        for (std::size_t i = 0; i < keys; ++i) base::put(expected, std::string(keys - i, 'k'), keys + i);
        CHECK(object == expected);
    }
}

TEST_CASE("equal optional values are both empty, or have equal values") {
    const std::optional<int> none;
    CHECK(base::equal(none, none));
    CHECK(base::equal(std::optional(1), std::optional(1)));
    CHECK_FALSE(base::equal(std::optional(1), std::optional(2)));
    CHECK_FALSE(base::equal(std::optional(1), none));
    CHECK_FALSE(base::equal(none, std::optional(1)));
}

TEST_CASE("a callback that is empty does nothing and returns a default value") {
    const acta::Callback<int(int)> none;
    CHECK(none(3) == 0);
    const acta::Callback<int(int)> twice = [](int n) { return 2 * n; };
    CHECK(twice(3) == 6);
}

TEST_CASE("the place of a text in a list is that of the first element with it") {
    const std::vector<std::optional<std::string>> list{"b", std::nullopt, "a", "b", "c", "a"};
    const base::TextPlaces places(
        list, [](const std::optional<std::string>& one) -> std::optional<std::string_view> { return one; });
    CHECK(places.find("a") == 2);
    CHECK(places.find("b") == 0);
    CHECK(places.find("c") == 4);
    for (const char* const other : {"", "aa", "d"}) CHECK_FALSE(places.find(other));
    CHECK_FALSE(base::TextPlaces().find(""));
}
