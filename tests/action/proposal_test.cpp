// SPDX-License-Identifier: MIT
#include "acta/action/action.hpp"

#include <string>
#include <type_traits>
#include <variant>

#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "support/issues.hpp"
#include "support/thoughts.hpp"

namespace {

/// A proposal of one's own, with fewer members and one more.
struct Step {
    std::string thoughts{};
    acta::AssistantFunctionCall use_tool{};
    int risk = 0;

    friend bool operator==(const Step&, const Step&) = default;
};

/// One that derives.
struct Rated : acta::ActionProposal<std::string> {
    double score = 0;

    friend bool operator==(const Rated&, const Rated&) = default;
};

}  // namespace

template <>
struct acta::Describe<Step> {
    static constexpr auto fields =
        acta::fields(acta::required("thoughts", &Step::thoughts), acta::required("use_tool", &Step::use_tool),
                     acta::defaulted("risk", &Step::risk));
};
template <>
struct acta::Describe<Rated> {
    static constexpr auto fields =
        acta::fields(acta::Describe<acta::ActionProposal<>>::fields, acta::required("score", &Rated::score));
};

TEST_CASE("get_tools returns the parallel calls, else the one call") {
    acta::ActionProposal<> proposal;
    proposal.use_tool.name = "one";
    REQUIRE(proposal.get_tools().size() == 1);
    CHECK(&proposal.get_tools()[0] == &proposal.use_tool);
    proposal.use_tools.resize(2);
    CHECK(proposal.get_tools().data() == proposal.use_tools.data());
    CHECK(acta::get_tools(proposal).size() == 2);
}

TEST_CASE("calls that are null are none") {
    // As current AutoGPT writes a step of one call.
    const auto proposal = acta::parse<acta::ActionProposal<>>(
        R"({"thoughts":"t","use_tool":{"name":"f","arguments":{}},"use_tools":null,"raw_message":null})");
    CHECK(proposal.use_tools.empty());
    CHECK_FALSE(proposal.raw_message);
    CHECK(acta::dump(proposal) == R"({"thoughts":"t","use_tool":{"name":"f","arguments":{}}})");
}

TEST_CASE("with several calls the first is use_tool, too") {
    acta::ActionProposal<> proposal;
    acta::set_calls(proposal, {{"a", {{"n", 1}}}, {"b", {}}});
    CHECK(proposal.use_tool == acta::AssistantFunctionCall{"a", {{"n", 1}}});
    CHECK(proposal.use_tools.size() == 2);
    acta::set_calls(proposal, {{"c", {}}});
    CHECK(proposal.use_tool.name == "c");
    CHECK(proposal.use_tools.empty());
    acta::set_calls(proposal, {});
    CHECK(proposal == acta::ActionProposal<>());
}

TEST_CASE("a proposal's name says of what its thoughts are") {
    CHECK(acta::schema<acta::ActionProposal<>>()["title"] == "ActionProposal");
    CHECK(acta::schema<acta::ActionProposal<Plan>>()["title"] == "ActionProposal[Plan]");
    // The titles of pydantic 2.13, with every standard library.
    using Either = acta::ActionProposal<std::variant<std::string, Plan>>;
    CHECK(acta::schema<Either>()["title"] == "ActionProposal[Union[str, Plan]]");
    const acta::Json schema = acta::schema<acta::Episode<Either>>();
    CHECK(schema["title"] == "Episode[ActionProposal[Union[str, Plan]]]");
    CHECK(schema["$defs"].contains("ActionProposal_Union_str__Plan__"));
    CHECK(schema["properties"]["action"]["$ref"] == "#/$defs/ActionProposal_Union_str__Plan__");
    try {
        static_cast<void>(acta::parse<acta::EpisodicActionHistory<Either>>("[]"));
        FAIL("was read");
    } catch (const acta::ValidationError& error) {
        CHECK(error.title() == "EpisodicActionHistory[ActionProposal[Union[str, Plan]]]");
    }
}

TEST_CASE("a proposal is written with its raw message, and its parallel calls when there are any") {
    acta::ActionProposal<> proposal;
    proposal.thoughts = "t";
    proposal.use_tool = {"f", {{"b", 1}, {"a", 2}}};
    CHECK(acta::dump(proposal) == R"({"thoughts":"t","use_tool":{"name":"f","arguments":{"b":1,"a":2}}})");
    CHECK(acta::parse<acta::ActionProposal<>>(
              R"({"thoughts":"t","use_tool":{"name":"f","arguments":{"b":1,"a":2}},"raw_message":null})") == proposal);
    proposal.use_tools.resize(1);
    proposal.raw_message.emplace();
    CHECK(
        acta::dump(proposal) ==
        R"({"thoughts":"t","use_tool":{"name":"f","arguments":{"b":1,"a":2}},"use_tools":[{"name":"","arguments":{}}],)"
        R"("raw_message":{"role":"assistant","content":"","tool_calls":null}})");
    CHECK(acta::parse<acta::ActionProposal<>>(acta::dump(proposal)) == proposal);
}

TEST_CASE("neither raw message nor parallel calls stand in a schema") {
    const std::string schema = acta::schema<acta::EpisodicActionHistory<>>().dump();
    CHECK(schema.find("raw_message") == std::string::npos);
    CHECK(schema.find("use_tools") == std::string::npos);
    CHECK(schema.find("AssistantChatMessage") == std::string::npos);
    CHECK(schema.find("pending_user_feedback") == std::string::npos);
}

TEST_CASE("a struct of one's own serves as proposal of a history") {
    acta::EpisodicActionHistory<Step> history;
    history.register_action({.thoughts = "why", .use_tool = {"dig", {{"depth", 3}}}, .risk = 2});
    CHECK(history.fmt_list() == "1. Executed `dig(depth=3)`.");
    CHECK(history.tool_call_ids(0) == std::vector<std::string>{"call_0"});
    history.register_result(acta::ActionSuccessResult{.outputs = 1});
    const auto again = acta::parse<acta::EpisodicActionHistory<Step>>(acta::dump(history));
    CHECK(again == history);
    CHECK(again[0].action.risk == 2);
    CHECK(acta::schema<acta::EpisodicActionHistory<Step>>()["$defs"].contains("Step"));
}

TEST_CASE("a derived proposal serves as well") {
    Rated rated;
    rated.thoughts = "why";
    rated.use_tool.name = "dig";
    rated.score = 0.5;
    acta::EpisodicActionHistory<Rated> history;
    history.register_action(rated);
    CHECK(acta::dump(history) ==
          R"({"episodes":[{"action":{"thoughts":"why","use_tool":{"name":"dig","arguments":{}},"score":0.5},)"
          R"("result":null,"summary":null}],"cursor":0})");
    CHECK(acta::parse<acta::EpisodicActionHistory<Rated>>(acta::dump(history)) == history);
    CHECK(faults<Rated>(R"({"thoughts":"t","use_tool":{"name":"n"}})") ==
          Faults{"/use_tool/arguments missing", "/score missing"});
}

TEST_CASE("thoughts are text, a model with a summary, a variant or any JSON") {
    static_assert(acta::ModelWithSummary<Plan>);
    static_assert(!acta::ModelWithSummary<Step>);
    CHECK(acta::thoughts_text(std::string("x")) == "x");
    CHECK(acta::thoughts_text(Plan{"short", {"long"}}) == "short");
    CHECK(acta::thoughts_text(std::variant<std::string, Plan>(Plan{"short", {}})) == "short");
    CHECK(acta::thoughts_text(acta::Json("x")) == "x");
    CHECK(acta::thoughts_text(acta::Json::parse("[1,null]")) == "[1, None]");
}

#if defined(__cpp_deduction_guides) && __cpp_deduction_guides >= 201907L
TEST_CASE("the type of thoughts is deduced") {
    const acta::ActionProposal text{.thoughts = "x"};
    static_assert(std::is_same_v<decltype(text), const acta::ActionProposal<std::string>>);
    const acta::ActionProposal called{.thoughts = "x", .use_tool = {"f", {}}};
    static_assert(std::is_same_v<decltype(called), const acta::ActionProposal<std::string>>);
    const acta::ActionProposal structured{.thoughts = Plan{"a", {}}, .use_tool = {"f", {}}};
    static_assert(std::is_same_v<decltype(structured), const acta::ActionProposal<Plan>>);
    CHECK(text.thoughts == "x");
    CHECK(called.use_tool.name == "f");
    CHECK(structured.thoughts.text == "a");
}
#endif
