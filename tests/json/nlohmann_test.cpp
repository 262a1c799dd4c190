// SPDX-License-Identifier: MIT
#include "acta/json/json.hpp"

#include <string>
#include <variant>
#include <vector>

#include "support/catch.hpp"

namespace app {

struct Item {
    std::string name{};
    int count = 1;

    friend bool operator==(const Item&, const Item&) = default;
};
enum class Size { small, large };
struct Box {
    std::vector<Item> items{};
    Size size = Size::small;
};

}  // namespace app

template <>
struct acta::Describe<app::Item> {
    static constexpr auto fields =
        acta::fields(acta::required("name", &app::Item::name), acta::defaulted("count", &app::Item::count));
};
template <>
struct acta::Describe<app::Size> {
    static constexpr auto values = acta::values<app::Size>({{"small", app::Size::small}, {"large", app::Size::large}});
};
template <>
struct acta::Describe<app::Box> {
    static constexpr auto fields =
        acta::fields(acta::required("items", &app::Box::items), acta::required("size", &app::Box::size));
};

TEMPLATE_TEST_CASE("described types convert to and from JSON values", "", nlohmann::json, nlohmann::ordered_json) {
    using J = TestType;
    const app::Item item{"a", 2};
    const J json = item;
    CHECK(json == J::parse(R"({"name":"a","count":2})"));
    CHECK(json.template get<app::Item>() == item);
    app::Item other;
    json.get_to(other);
    CHECK(other == item);
    const J size = app::Size::large;
    CHECK(size == "large");
    CHECK(size.template get<app::Size>() == app::Size::large);
    // Also in nlohmann's own containers.
    const std::vector<app::Item> list{{"a", 1}, {"b", 2}};
    const J many = list;
    CHECK(many.size() == 2);
    CHECK(many.template get<std::vector<app::Item>>() == list);
    const J holder{{"item", item}, {"rest", nullptr}};
    CHECK(holder["item"]["count"] == 2);
    using Choice = std::variant<app::Item, std::string>;
    const J chosen = Choice(item);
    CHECK(chosen == json);
    CHECK(std::get<std::string>(J("x").template get<Choice>()) == "x");
}

TEMPLATE_TEST_CASE("what does not fit is acta's error, with all issues", "", nlohmann::json, nlohmann::ordered_json) {
    using J = TestType;
    const J json = J::parse(R"({"items":[{"count":"x"}],"size":"big"})");
    try {
        static_cast<void>(json.template get<app::Box>());
        FAIL("was read");
    } catch (const acta::ValidationError& error) {
        REQUIRE(error.issues().size() == 3);
        CHECK(error.issues()[0].pointer() == "/items/0/name");
        CHECK(error.issues()[2].type == "enum");
        CHECK(error.issues()[0].line == 0);
    }
}

TEMPLATE_TEST_CASE("a value nested too deep is refused", "", nlohmann::json, nlohmann::ordered_json) {
    using J = TestType;
    J deep = J::array();
    for (int i = 0; i < 1000; ++i) {
        J outer = J::array();
        outer.push_back(std::move(deep));
        deep = std::move(outer);
    }
    J json = J::object();
    json["name"] = "x";
    json["other"] = std::move(deep);
    CHECK_THROWS_AS(json.template get<app::Item>(), acta::ValidationError);
}

TEST_CASE("a JSON value keeps its order where it can") {
    CHECK(acta::Json(app::Item{"a", 2}).dump() == R"({"name":"a","count":2})");
    CHECK(nlohmann::json(app::Item{"a", 2}).dump() == R"({"count":2,"name":"a"})");
    CHECK(acta::to_json_value(std::vector<app::Item>{{"a", 1}}).dump() == R"([{"name":"a","count":1}])");
}
