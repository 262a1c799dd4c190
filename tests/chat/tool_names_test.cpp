// SPDX-License-Identifier: MIT
#include <map>
#include <string>
#include <vector>

#include "acta/chat/message.hpp"
#include "support/catch.hpp"

TEST_CASE("names are legal everywhere, and every one is another") {
    const std::string longer(80, 'x');
    const std::vector<std::string> skills{"a b",          "a_b",
                                          "a.b",          longer,
                                          longer + "y",   "\xD0\xBF\xD0\xBE",
                                          "\xE5\x8C\x97", "a_b_2",
                                          "\xFF",         std::string("\0", 1)};
    const acta::ToolNames names(skills);
    CHECK(names.size() == skills.size());
    std::map<std::string, std::string> seen;
    for (const std::string& skill : skills) {
        INFO(skill);
        const std::string* const tool = names.find_tool(skill);
        REQUIRE(tool != nullptr);
        CHECK(acta::ToolNames::is_legal(*tool));
        CHECK(seen.emplace(*tool, skill).second);
        REQUIRE(names.find_skill(*tool) != nullptr);
        CHECK(*names.find_skill(*tool) == skill);
    }
    CHECK(*names.find_tool("a_b") == "a_b");  // a legal name keeps itself, whatever comes before it
    CHECK(*names.find_tool("a b") == "a_b_3");
    CHECK(*names.find_tool("\xD0\xBF\xD0\xBE") == "__");
    CHECK(names.find_tool(longer)->size() == 64);
    CHECK(names.find_tool(longer + "y")->ends_with("_2"));
    CHECK(acta::ToolNames(skills) == names);
    CHECK_FALSE(acta::ToolNames::is_legal(""));
    CHECK_FALSE(acta::ToolNames::is_legal(std::string(65, 'a')));
    CHECK(acta::ToolNames::is_legal(std::string(64, '_')));
    CHECK_FALSE(acta::ToolNames::is_legal(std::string(64, '-')));
    CHECK_FALSE(acta::ToolNames::is_legal("21st_builder"));
}

TEST_CASE("names that begin with a digit or a dash get a letter before it") {
    const std::vector<std::string> skills{"21st_builder", "tool_21st_builder", "-x", "9", std::string(70, '7')};
    const acta::ToolNames names(skills);
    CHECK(*names.find_tool("21st_builder") == "tool_21st_builder_2");
    CHECK(*names.find_tool("-x") == "tool_-x");
    CHECK(*names.find_tool("9") == "tool_9");
    CHECK(*names.find_tool(skills.back()) == "tool_" + std::string(59, '7'));
    for (const std::string& skill : skills) CHECK(acta::ToolNames::is_legal(*names.find_tool(skill)));
    CHECK(names.to_skill({"tool_9", {}}).name == "9");
}
