// SPDX-License-Identifier: MIT
// Names that a program may well have at its global namespace, and acta inside of its functions: g++ warns of a local
// name that hides a global one (-Wshadow), and a consumer gets no warnings.
struct Item {
    int count = 0;
};
struct Record {};
struct Value {};
struct Result {};
struct Step {};
struct Traits {};
struct Plain {};
struct Node {};
struct Field {};

#include <string>
#include <vector>

#include "acta/acta.hpp"
#include "support/catch.hpp"

template <>
struct acta::Describe<Item> {
    static constexpr auto fields = acta::fields(acta::required("count", &Item::count));
};

TEST_CASE("a program's types may have the names that acta uses for types inside of functions") {
    CHECK(acta::dump(acta::parse<std::vector<Item>>(R"([{"count":2}])")) == R"([{"count":2}])");
    CHECK(acta::schema<Item>()["required"][0] == "count");
    acta::SkillRegistry skills;
    skills.add(
        "double", "Doubles.", [](Item item) { return item.count * 2; }, "item");
    acta::ActionProposal<> proposal;
    proposal.use_tool = {"double", {{"item", {{"count", 4}}}}};
    CHECK(acta::to_string(acta::execute(proposal, skills).front().result) == "8");
}
