// SPDX-License-Identifier: MIT
#include <cstddef>
#include <initializer_list>
#include <string>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/history/history_view.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"
#include "support/steps.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using Code = acta::HistoryErrorCode;

acta::AssistantFunctionCall call(const std::string& name) {
    acta::AssistantFunctionCall out;
    out.name = name;
    return out;
}

/// Three calls at once; with ids of the model where wanted.
acta::ActionProposal<> three_calls(bool with_ids) {
    acta::ActionProposal<> proposal;
    proposal.thoughts = "all at once";
    for (const char* name : {"a", "b", "c"}) proposal.use_tools.push_back(call(name));
    proposal.use_tool = call("a");
    if (with_ids) {
        acta::AssistantChatMessage message;
        message.tool_calls.emplace();
        for (const auto& one : proposal.use_tools) message.tool_calls->push_back({"id-" + one.name, one});
        proposal.raw_message = std::move(message);
    }
    return proposal;
}

Code code_of(History& history, const std::string& id) {
    try {
        history.register_result(id, done(0));
    } catch (const acta::HistoryError& error) {
        return error.code();
    }
    FAIL("nothing was thrown");
    return Code::no_action;
}

}  // namespace

TEST_CASE("the first of parallel calls is the step's call, also where the proposal had none or another one") {
    for (const char* name : {"", "z"}) {
        acta::ActionProposal<> proposal = three_calls(false);
        proposal.use_tool = call(name);
        History history;
        history.register_action(proposal);
        CHECK(history[0].action == three_calls(false));
        acta::SharedHistory<> shared;
        shared.lock()->register_action(proposal);
        CHECK(lvalue(shared.snapshot())[0].action == three_calls(false));
    }
    History history;
    acta::ActionProposal<> one;
    one.use_tool = call("z");
    history.register_action(one);
    CHECK(history[0].action == one);
}

TEST_CASE("ids of calls are those of the raw message, else made of the index of the call") {
    History history;
    history.register_action(three_calls(true));
    CHECK(history.tool_call_ids(0) == std::vector<std::string>{"id-a", "id-b", "id-c"});
    history.rewind();
    history.register_action(three_calls(false));
    CHECK(history.tool_call_ids(0) == std::vector<std::string>{"call_0", "call_1", "call_2"});
    history.register_result(done(1));
    acta::ActionProposal<> one;
    one.use_tool = call("x");
    history.register_action(one);
    CHECK(history.tool_call_ids(1) == std::vector<std::string>{"call_0"});
    CHECK_THROWS_AS(history.tool_call_ids(2), std::out_of_range);
}

TEST_CASE("a raw message with another number of calls does not name them") {
    History history;
    auto proposal = three_calls(true);
    proposal.raw_message->tool_calls->pop_back();
    history.register_action(proposal);
    CHECK(history.tool_call_ids(0).front() == "call_0");
}

TEST_CASE("the step is finished with the last result, in whatever order they come") {
    History history;
    history.register_action(three_calls(true));
    history.register_result("id-c", done(3));
    history.register_result("id-a", done("one"));
    REQUIRE(history.current_episode() != nullptr);
    CHECK(history[0].tool_results[0].tool_call_id == "id-a");
    CHECK(history[0].tool_results[1].tool_call_id == "id-c");
    CHECK_FALSE(history[0].result);
    history.register_result("id-b", done(nullptr));
    CHECK(history.current_episode() == nullptr);
    CHECK(history.cursor() == 1);
    CHECK(std::get<acta::ActionSuccessResult>(*history[0].result).outputs == acta::Json::parse(R"(["one",null,3])"));
}

TEST_CASE("an unknown id, and one that has its result, are refused and change nothing") {
    History history;
    history.register_action(three_calls(true));
    history.register_result("id-b", done(1));
    const History before = history;
    CHECK(code_of(history, "id-x") == Code::unknown_tool_call);
    CHECK(code_of(history, "") == Code::unknown_tool_call);
    CHECK(code_of(history, "id-b") == Code::result_already_set);
    CHECK(history == before);
    CHECK_THROWS_WITH(history.register_result("id-x", done(1)), "The open step has no call with id 'id-x'");
    CHECK_THROWS_WITH(history.register_result("id-b", done(1)), "Result for call 'id-b' already set");
}

TEST_CASE("a step of one call takes its result by id, too, as if it were given without") {
    acta::ActionProposal<> proposal;
    proposal.use_tool = call("x");
    for (const bool with_id : {true, false}) {
        if (with_id) proposal.raw_message.emplace().tool_calls.emplace().push_back({"id-x", proposal.use_tool});
        History by_id;
        by_id.register_action(proposal);
        const History open = by_id;
        CHECK(code_of(by_id, "call_1") == Code::unknown_tool_call);
        CHECK(by_id == open);
        by_id.register_result(with_id ? "id-x" : "call_0", done(5));
        CHECK(by_id.current_episode() == nullptr);
        CHECK(std::get<acta::ActionSuccessResult>(*by_id[0].result).outputs == 5);
        History plain = open;
        plain.register_result(done(5));
        CHECK(by_id == plain);
        proposal.raw_message.reset();
    }
}

TEST_CASE("a step of several calls prints all of them, and a line for each result") {
    History history;
    history.register_action(three_calls(true));
    CHECK(acta::to_string(history[0]) == "Executed `a()`, `b()`, `c()`.");
    history.register_result("id-b", failed("no"));
    CHECK(history[0].format() ==
          "Executed `a()`, `b()`, `c()`\n"
          "- **Reasoning:** \"all at once\"\n"
          "- **Status:** `did_not_finish`\n"
          "- **Result of `id-b`:** Action failed: 'no'\n");
    history.register_result("id-a", done("x"));
    history.register_result("id-c", done("two\nlines"));
    CHECK(history[0].format() ==
          "Executed `a()`, `b()`, `c()`\n"
          "- **Reasoning:** \"all at once\"\n"
          "- **Status:** `error`\n"
          "- **Result of `id-a`:** x\n"
          "- **Result of `id-b`:** Action failed: 'no'\n"
          "- **Result of `id-c`:** \n    ```\n    two\n    lines\n    ```\n");
    CHECK(acta::to_string(history[0]) == "Executed `a()`, `b()`, `c()`: Action failed: 'no'");
}

TEST_CASE("calls that the model gave one id get ids of their own, so that the step can be finished") {
    History history;
    auto proposal = three_calls(true);
    for (auto& one : *proposal.raw_message->tool_calls) one.id = "same";
    history.register_action(proposal);
    CHECK(history.tool_call_ids(0) == std::vector<std::string>{"call_0", "call_1", "call_2"});
    for (const std::string& id : history.tool_call_ids(0)) history.register_result(id, done(1));
    CHECK(history.current_episode() == nullptr);
}

namespace {

/// Its outputs, by call: what each of the results says, or `-` where the step has none of a call.
std::string by_call(const acta::Episode<acta::ActionProposal<>>& episode) {
    std::string out;
    for (const std::string& id : acta::call_ids(episode)) {
        std::string one = "-";
        for (const acta::ToolResult& result : episode.tool_results) {
            if (result.tool_call_id == id) one = acta::to_string(result.result);
        }
        out += (out.empty() ? "" : " ") + one;
    }
    return out;
}

void finish_open_step(History& history, const std::string& output) {
    for (const std::string& id : history.tool_call_ids(history.cursor())) history.register_result(id, done(output));
}

}  // namespace

TEST_CASE("results keep their calls where a part of a history becomes another one, and where two are joined") {
    History first;
    first.register_action(three_calls(false));
    finish_open_step(first, "old");
    first.register_action(three_calls(false));
    finish_open_step(first, "paid");
    first.register_action(three_calls(false));
    first.register_result(first.tool_call_ids(2)[1], done("half"));

    acta::HistoryRecord<acta::ActionProposal<>> part;
    for (const auto& episode : first.episodes().subspan(1)) part.episodes.push_back(episode);
    part.cursor = 1;
    History second(part);
    CHECK(by_call(second[0]) == "paid paid paid");
    CHECK(by_call(second[1]) == "- half -");
    second.register_result(second.tool_call_ids(1)[2], done("rest"));
    second.register_result(second.tool_call_ids(1)[0], done("rest"));
    CHECK(by_call(second[1]) == "rest half rest");

    acta::HistoryRecord<acta::ActionProposal<>> joined = first.record();
    joined.episodes.pop_back();
    for (const auto& episode : second) joined.episodes.push_back(episode);
    joined.cursor = 4;
    const History both = acta::parse<History>(acta::dump(History(joined)));
    CHECK(by_call(both[1]) == "paid paid paid");
    CHECK(by_call(both[3]) == "rest half rest");
}

TEST_CASE("ids of parallel calls are written where they are not the raw message's") {
    History history;
    history.register_action(three_calls(true));
    CHECK(acta::dump(history).find("tool_call_ids") == std::string::npos);
    history.rewind();
    history.register_action(three_calls(false));
    CHECK(acta::dump(history).find(R"("tool_call_ids":["call_0","call_1","call_2"])") != std::string::npos);
    CHECK(acta::parse<History>(acta::dump(history)) == history);
    // They stay whatever becomes of the proposal.
    acta::HistoryRecord<acta::ActionProposal<>> record = history.record();
    record.episodes[0].action.raw_message = three_calls(true).raw_message;
    CHECK(History(record).tool_call_ids(0) == history.tool_call_ids(0));
    // A step of one call has its result without an id.
    History single;
    acta::ActionProposal<> one;
    one.use_tool = call("x");
    single.register_action(one);
    CHECK(acta::dump(single).find("tool_call_ids") == std::string::npos);
}

TEST_CASE("results of documents without ids of calls are found by what they are called") {
    acta::Episode<acta::ActionProposal<>> episode;
    episode.action = three_calls(false);
    // By the index of the step, as they were once.
    episode.tool_results = {{"call_7_0", done("a")}, {"call_7_2", done("c")}};
    CHECK(by_call(episode) == "a - c");
    // Of whatever name, where all are there.
    episode.tool_results = {{"x", done("a")}, {"y", done("b")}, {"z", done("c")}};
    CHECK(by_call(episode) == "a b c");
    // No name that could be a call's.
    for (const char* id : {"x", "call_7_3", "call__0", "call_a_0", "call_7_", "call_7", "_0", ""}) {
        CAPTURE(id);
        episode.tool_results = {{id, done("a")}};
        CHECK(acta::call_ids(episode) == std::vector<std::string>{"call_0", "call_1", "call_2"});
    }
    // Ids that cannot be those of the calls are not used.
    episode.tool_results.clear();
    for (const std::vector<std::string>& ids :
         {std::vector<std::string>{"a", "b"}, std::vector<std::string>{"a", "a", "b"}}) {
        episode.tool_call_ids = ids;
        CHECK(acta::call_ids(episode).front() == "call_0");
    }
    episode.tool_call_ids = {"a", "b", "c"};
    CHECK(acta::call_ids(episode).front() == "a");
}

TEST_CASE("empty ids of the raw message are not used") {
    acta::ActionProposal<> proposal = three_calls(true);
    (*proposal.raw_message->tool_calls)[1].id.clear();
    CHECK(acta::call_ids(proposal) == std::vector<std::string>{"call_0", "call_1", "call_2"});
}

TEST_CASE("results of several calls are registered at once, all or none") {
    const auto of = [](std::initializer_list<const char*> ids) {
        std::vector<acta::ToolResult> out;
        for (const char* id : ids) out.push_back({id, done(id)});
        return out;
    };
    History history;
    history.register_action(three_calls(true));
    history.register_results(of({}));
    history.register_results(of({"id-c"}));
    CHECK(by_call(history[0]) == "- - id-c");
    const History before = history;
    CHECK_THROWS_AS(history.register_results(of({"id-a", "id-x"})), acta::HistoryError);
    CHECK(history == before);
    CHECK_THROWS_AS(history.register_results(of({"id-a", "id-b", "id-c"})), acta::HistoryError);
    CHECK_THROWS_AS(history.register_results(of({"id-a", "id-a"})), acta::HistoryError);
    CHECK(history == before);
    const std::vector<acta::ToolResult> rest = of({"id-b", "id-a"});
    history.register_results(rest);
    CHECK(rest == of({"id-b", "id-a"}));
    CHECK(by_call(history[0]) == "id-a id-b id-c");
    CHECK(history.current_episode() == nullptr);
    CHECK_THROWS_AS(history.register_results(rest), acta::HistoryError);

    acta::SharedHistory<> shared;
    shared.lock()->register_action(three_calls(false));
    shared.lock()->register_results(of({"call_0", "call_1", "call_2"}));
    CHECK(by_call(shared.lock()->at(0)) == "call_0 call_1 call_2");
}

TEST_CASE("results that come before those of many earlier calls are in their places whenever the step is looked at") {
    constexpr std::size_t calls = 300;
    const auto prepared = [] {
        acta::ActionProposal<> proposal{.thoughts = "Look at all of them.", .use_tool = {"look", {{"at", 0}}}};
        for (std::size_t i = 0; i < calls; ++i) proposal.use_tools.push_back({"look", {{"at", i}}});
        History history;
        history.register_action(proposal);
        return history;
    };
    History history = prepared();
    const std::vector<std::string> ids = history.tool_call_ids(0);
    const auto give = [&](History& to, std::size_t first, std::size_t end) {
        for (std::size_t i = end; i-- > first;) to.register_result(ids[i], done(ids[i]));
    };
    const auto check = [&](const History& looked_at, std::size_t first) {
        const auto& results = looked_at[0].tool_results;
        REQUIRE(results.size() == calls - first);
        for (std::size_t i = first; i < calls; ++i) {
            REQUIRE(results[i - first].tool_call_id == ids[i]);
            REQUIRE(results[i - first].result == acta::ActionResult(done(ids[i])));
        }
    };
    give(history, 150, calls);
    CHECK(code_of(history, ids[200]) == Code::result_already_set);
    CHECK(code_of(history, ids[299]) == Code::result_already_set);
    History copy = history;
    give(copy, 120, 150);
    History moved = std::move(copy);
    check(moved, 120);
    CHECK(acta::parse<History>(acta::dump(history)) == history);
    check(history, 150);
    give(history, 40, 150);
    CHECK(history.open_calls().size() == 40);
    CHECK(acta::HistoryView(history).step(0).results.size() == calls - 40);
    give(history, 0, 40);
    check(history, 0);
    CHECK(history.cursor() == 1);
    CHECK(acta::to_string(*history[0].result).starts_with("['" + ids[0] + "', '" + ids[1] + "', "));
    // All at once, the last one first.
    std::vector<acta::ToolResult> all;
    for (std::size_t i = calls; i-- > 0;) all.push_back({ids[i], done(ids[i])});
    History at_once = prepared();
    at_once.register_results(all);
    CHECK(at_once[0].tool_results == history[0].tool_results);
    // A step with late results is taken back, or gets its result as a whole.
    give(moved, 20, 120);
    History whole = moved;
    give(moved, 10, 20);
    moved.rewind();
    CHECK(moved.empty());
    moved.register_action({.thoughts = "Again.", .use_tool = {"look", {}}});
    moved.register_result(done(1));
    CHECK(moved.size() == 1);
    give(whole, 10, 20);
    whole.register_result(acta::ActionErrorResult{.reason = "Enough."});
    check(whole, 10);
}
