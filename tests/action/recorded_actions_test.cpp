// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/messages_random.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"

// Results and proposals made at random, as they were when last looked at (CONTRIBUTING.md, "What a change needs").

TEST_CASE("text from elsewhere is contained and fenced as was recorded") {
    const auto parts = parts_of(
        "#|# |- **|- |**|* |*|12|1|. Executed|. "
        "Execute|Executed|\n|\r\n|\r|\x0B|\x0C|\x1C|\xC2\x85|\xE2\x80\xA8|\xE2\x80|"
        " |\t|  \t|x|`|``|```|````|\\|\xE6\x97\xA5");
    Noise noise(1);
    const auto made = [&] {
        const std::string text = noise.text(parts, 8);
        return acta::contained(text) + "|" + acta::fenced(text);
    };
    check_recorded("tests/action/contained.txt", results(made, 40, 20, 100));
}

TEST_CASE("results and errors are shown and shortened as was recorded") {
    RandomHistories random(2);
    const auto made = [&] {
        acta::ActionResult result = random.result();
        auto* const failure = std::get_if<acta::ActionErrorResult>(&result);
        if (failure != nullptr && failure->error && random.chance(70)) {  // as a tool's error is made
            failure->error = acta::ErrorInfo::make("Lost", random.chance(80) ? failure->reason : random.text());
            if (random.chance(30)) failure->error->args.push_back(random.json());
            if (random.chance(10)) failure->error->args.insert(failure->error->args.begin(), random.json());
        }
        std::string out = acta::to_string(result) + "|" + acta::dump(result);
        if (failure == nullptr) return out;
        const auto shortened = acta::action_extension::shortened(*failure);
        if (!shortened) return out + "|whole";
        CHECK(acta::action_extension::lengthened(failure->reason, *shortened) == *failure->error);
        return out + "|" + acta::action_extension::kind_of(*shortened);
    };
    check_recorded("tests/action/results.txt", results(made, 40, 20, 50));
}

TEST_CASE("calls have the ids of the message if it has one of its own for each") {
    const auto ids_of = [](const std::vector<std::string>& said, std::size_t calls) {
        acta::AssistantChatMessage message;
        message.tool_calls.emplace();
        for (const std::string& id : said) message.tool_calls->push_back({id, {}});
        return acta::call_ids(calls, &message);
    };
    using Ids = std::vector<std::string>;
    CHECK(ids_of({"b", "a"}, 2) == Ids{"b", "a"});
    CHECK(ids_of({"b", "a", "b"}, 3) == Ids{"call_0", "call_1", "call_2"});
    CHECK(ids_of({"b", ""}, 2) == Ids{"call_0", "call_1"});
    CHECK(ids_of({"b"}, 2) == Ids{"call_0", "call_1"});
    CHECK(ids_of({"b", "a"}, 1) == Ids{"call_0"});
    CHECK(ids_of({}, 0).empty());
    const acta::AssistantChatMessage none;
    CHECK(acta::call_ids(1, &none) == Ids{"call_0"});
    CHECK(acta::call_ids(1, nullptr) == Ids{"call_0"});
}

TEST_CASE("a model's message becomes a proposal") {
    acta::AssistantChatMessage message{.content = "Look\xFF."};
    CHECK(acta::proposal_from(message).use_tool == acta::AssistantFunctionCall{});
    message.tool_calls = {{"c1", {"search", {{"query", "tides"}}}}};
    auto proposal = acta::proposal_from(message);
    CHECK(proposal.thoughts == "Look\xEF\xBF\xBD.");
    CHECK(proposal.use_tool == message.tool_calls->front().function);
    CHECK(proposal.use_tools.empty());
    CHECK(acta::has_tool_call(proposal));
    CHECK(acta::call_ids(proposal) == std::vector<std::string>{"c1"});
    message.tool_calls->push_back({"c2", {"", {}}});
    proposal = acta::proposal_from(message);
    CHECK(proposal.use_tools.size() == 2);
    REQUIRE(proposal.raw_message);
    CHECK(proposal.raw_message->tool_calls == message.tool_calls);
}

TEST_CASE("proposals and results differ in each of their members") {
    const auto differ = [](auto value, const auto& change) {
        auto other = value;
        CHECK(other == value);
        change(other);
        CHECK_FALSE(other == value);
        CHECK_FALSE(value == other);
    };
    acta::ActionProposal<> proposal{"t", {"f", {{"a", 1}}}};
    proposal.use_tools = {{"f", {}}, {"g", {}}};
    proposal.raw_message.emplace();
    differ(proposal, [](auto& one) { one.thoughts = "u"; });
    differ(proposal, [](auto& one) { one.use_tool.arguments.begin()->second = 2; });
    differ(proposal, [](auto& one) { one.use_tools.pop_back(); });
    differ(proposal, [](auto& one) { one.raw_message->content = "x"; });
    differ(proposal, [](auto& one) { one.raw_message.reset(); });
    differ(acta::ActionSuccessResult{.outputs = 1}, [](auto& one) { one.outputs = 2; });
    differ(acta::ActionErrorResult{.reason = "r"}, [](auto& one) { one.error.emplace(); });
    differ(acta::ToolResult{"a", acta::ActionSuccessResult{}}, [](auto& one) { one.tool_call_id = "b"; });
}

TEST_CASE("decisions and calls are printed with what is known of them") {
    CHECK(acta::to_string(acta::CallDecision{}) == "approved");
    CHECK(acta::to_string(acta::CallDecision{.approved = false, .by = "Ann"}) == "refused by Ann");
    CHECK(acta::to_string(acta::CallDecision{.approved = false, .feedback = "not this"}) == "refused: not this");
    CHECK(acta::to_string(acta::CallDecision{.by = "Ann", .feedback = "well"}) == "approved by Ann: well");
    CHECK(acta::to_string(acta::CallIdentity{"call_0", 2, "k"}) == "call_0 of step 2");
}
