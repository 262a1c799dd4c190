// SPDX-License-Identifier: MIT
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "support/catch.hpp"

namespace {

using acta::ToolDefinition;
using acta::ToolList;

std::vector<std::string> names_of(const ToolList& list) {
    std::vector<std::string> out;
    for (const ToolDefinition& tool : list) out.push_back(tool.name);
    return out;
}
using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a list of tools is made of tools, and equal to them") {
    const ToolList empty;
    CHECK(empty.empty());
    CHECK(empty.size() == 0);
    CHECK(empty.begin() == empty.end());
    CHECK(empty == ToolList(std::vector<ToolDefinition>()));
    const std::vector<ToolDefinition> two{{"a", "A.", acta::JsonObject()}, {"b", "B.", acta::JsonObject()}};
    const ToolList list = two;
    CHECK(list == two);
    CHECK(list.size() == 2);
    CHECK(list.front().name == "a");
    CHECK(list.back().name == "b");
    CHECK(list[1].description == "B.");
    CHECK(list.all() == two);
    const std::span<const ToolDefinition> seen(list);
    CHECK(seen.size() == 2);
    acta::ChatOptions options{.tools = {{"a", "A.", acta::JsonObject()}, {"b", "B.", acta::JsonObject()}}};
    CHECK(options.tools == list);
    CHECK_FALSE(options.tools.is_same(list));
    options.tools = {{.name = "c"}};
    CHECK(names_of(options.tools) == Names{"c"});
    options.tools = {};
    CHECK(options.tools == empty);
}

TEST_CASE("a copy of a list of tools shares them until one of the two is changed") {
    ToolList list{{.name = "a"}, {.name = "b"}};
    const ToolList copy = list;
    CHECK(copy.is_same(list));
    CHECK(&copy.front() == &std::as_const(list).front());
    list.push_back({.name = "c"});
    CHECK_FALSE(copy.is_same(list));
    CHECK(names_of(copy) == Names{"a", "b"});
    CHECK(names_of(list) == Names{"a", "b", "c"});
    ToolList other = list;
    CHECK(erase_if(other, [](const ToolDefinition& tool) { return tool.name == "b"; }) == 1);
    CHECK(names_of(other) == Names{"a", "c"});
    CHECK(names_of(list) == Names{"a", "b", "c"});
    other = list;
    other.clear();
    CHECK(other.empty());
    CHECK(list.size() == 3);
    other = list;
    CHECK(other.is_same(list));
    for (ToolDefinition& tool : other) tool.name += "!";
    other[1].description = "B";
    other.front().name = "first";
    other.back().name = "last";
    CHECK(names_of(other) == Names{"first", "b!", "last"});
    CHECK(names_of(list) == Names{"a", "b", "c"});
    CHECK(list[1].description.empty());
    ToolList none;
    CHECK(none.begin() == none.end());
    CHECK(erase_if(none, [](const ToolDefinition&) { return true; }) == 0);
    none.push_back({.name = "d"});
    CHECK(names_of(none) == Names{"d"});
    const ToolList moved = std::move(none);
    CHECK(names_of(moved) == Names{"d"});
}
