// SPDX-License-Identifier: MIT
#include "acta/base/json_value.hpp"

#include <string>
#include <utility>

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
