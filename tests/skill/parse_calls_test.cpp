// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/pysyntax/call.hpp"
#include "acta/skill/registry.hpp"
#include "support/catch.hpp"

TEST_CASE("the calls of a registry's skills are read from a text") {
    acta::SkillRegistry registry;
    registry.add(
        "get-weather", "Says what the weather is like.", [](const std::string& city) { return city; }, "city");
    registry.add("json", "Makes JSON.", [] { return 1; });
    const std::vector<acta::ParsedCall> calls = acta::parse_calls(
        "```tool_code\nprint(default_api.get-weather(city='Paris'))\nx.get(city='P').json()\n```", registry);
    REQUIRE(calls.size() == 1);
    CHECK(calls[0].call.name == "get-weather");
    CHECK(registry.contains(calls[0].call.name));
    CHECK(acta::parse_calls("set-weather(city='Paris')", registry).empty());
}
