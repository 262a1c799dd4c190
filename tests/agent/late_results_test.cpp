// SPDX-License-Identifier: MIT
#include <set>
#include <string>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "agent/by_hand.hpp"
#include "support/catch.hpp"

// Results, decisions and beginnings of calls that come when their step is over.
namespace {

using acta::AgentRun;
using acta::Approval;
using acta::AskModel;
using acta::AwaitDecisions;
using acta::ChatMessage;
using acta::RunCalls;
using acta::RunEnd;
using acta::RunOptions;
using acta::RunResult;
using History = acta::EpisodicActionHistory<>;

using by_hand::echo_skills;
using by_hand::echoing;
using by_hand::next;
using by_hand::success;

/// A history whose open step has a call that one run has begun and left, and the run.
struct LeftRun {
    acta::SkillRegistry skills = echo_skills();
    acta::SharedHistory<> history{};
    std::string id{};
    AgentRun run;

    explicit LeftRun(const std::vector<std::string>& ids, RunOptions options = {}) : run(prepared(), history, options) {
        static_cast<void>(next<AskModel>(run));
        run.give(echoing(ids));
        id = next<RunCalls>(run).calls.front().call.id;
        static_cast<void>(run.begin(id));
        CHECK(run.leave().end == RunEnd::stopped);
    }

private:
    const acta::SkillRegistry& prepared() {
        history.register_message(ChatMessage::user("Go."));
        return skills;
    }
};

std::string text_of(const acta::SharedHistory<>& history, std::size_t step) {
    return acta::to_string(*history.at(step).result);
}

}  // namespace

TEST_CASE("ids of calls that an answer numbers anew are other ones in each step") {
    const acta::SkillRegistry skills = echo_skills();
    for (const bool native : {true, false}) {
        History history;
        history.register_message(ChatMessage::user("Go."));
        std::set<std::string> ids;
        for (int times = 0; times < 2; ++times) {  // also in a second run
            AgentRun run(skills, history, {.native_calls = native});
            for (int i = 0; i < 3; ++i) {
                static_cast<void>(next<AskModel>(run));
                acta::ChatCompletion completion;
                if (native)
                    completion = i == 1 ? echoing({"", ""}) : echoing({"call_0", "call_1"});
                else
                    completion.message.content = "echo(text='" + std::to_string(ids.size()) + "')";
                run.give(completion);
                for (const acta::PendingCall& one : next<RunCalls>(run).calls) {
                    CHECK(one.call.id == one.identity.tool_call_id);
                    CHECK(ids.insert(one.call.id).second);
                    run.give(one.call.id, run.call(one));
                }
            }
        }
        CHECK(ids.size() == (native ? 12 : 6));
        CHECK(ids.contains("call_0"));
        CHECK(history.tool_call_ids(0).front() == "call_0");
        CHECK(acta::parse<History>(acta::dump(history)) == history);
        for (const ChatMessage& said : acta::to_messages(history)) {
            for (const acta::AssistantToolCall& call : said.tool_calls) CHECK(ids.contains(call.id));
        }
    }
}

TEST_CASE("ids that a server makes are kept, unless a call before has them") {
    const acta::SkillRegistry skills = echo_skills();
    History history;
    history.register_message(ChatMessage::user("Go."));
    AgentRun run(skills, history);
    static_cast<void>(next<AskModel>(run));
    run.give(echoing({"call_7", "call_abc", "call_99999999999999999999"}));
    for (const acta::PendingCall& one : next<RunCalls>(run).calls) run.give(one.call.id, run.call(one));
    CHECK(history.tool_call_ids(0) == std::vector<std::string>{"call_7", "call_abc", "call_99999999999999999999"});
    CHECK(history[0].tool_call_ids.empty());
    static_cast<void>(next<AskModel>(run));
    run.give(echoing({"call_abc", "call_8"}));
    CHECK(history.tool_call_ids(1) == std::vector<std::string>{"call_0", "call_8"});
    CHECK_THROWS_AS(run.give("call_abc", success("late")), acta::Error);
}

TEST_CASE("a result that comes when its step is over does not go into another one") {
    for (const std::string wanted : {"call_0", "the_id_of_the_server"}) {
        LeftRun left({wanted});
        // Another run closes the step, and opens one with a call of the same id.
        RunOptions options;
        options.rerun = [](const acta::AssistantToolCall&) { return false; };
        AgentRun run(left.skills, left.history, options);
        static_cast<void>(next<AskModel>(run));
        run.give(echoing({wanted}));
        const acta::PendingCall call = next<RunCalls>(run).calls.front();
        CHECK(call.identity.step == 1);
        CHECK_THROWS_AS(left.run.give(left.id, success("late")), acta::Error);
        CHECK_THROWS_AS(left.run.decide(left.id, Approval::no("late")), acta::Error);
        CHECK_THROWS_AS(left.run.begin(left.id), acta::Error);
        CHECK_FALSE(left.history.at(1).result.has_value());
        run.give(call.call.id, success("right"));
        static_cast<void>(next<AskModel>(run));
        CHECK(text_of(left.history, 1) == "right");
        CHECK_THROWS_AS(left.run.give(left.id, success("late")), acta::Error);
        CHECK_THROWS_AS(run.give(call.call.id, success("late")), acta::Error);
        run.give(echoing({wanted}));
        static_cast<void>(next<RunCalls>(run));
        CHECK_THROWS_AS(left.run.give(left.id, success("late")), acta::Error);
        run.leave();
        CHECK(text_of(left.history, 0).find("late") == std::string::npos);
    }
}

TEST_CASE("a result that comes after its step was taken back changes nothing") {
    LeftRun left({"same"});
    left.history.rewind();
    left.history.register_action({.thoughts = "Again.", .use_tool = {"echo", {{"text", "x"}}}});
    CHECK_THROWS_AS(left.run.give(left.id, success("late")), acta::HistoryError);
    CHECK_FALSE(left.history.at(0).result.has_value());
    CHECK(left.run.leave().end == RunEnd::stopped);
}

TEST_CASE("the result of a run that left is that of its call, and the next run continues without it") {
    LeftRun left({"a", "b"});
    RunOptions options;
    options.rerun = [](const acta::AssistantToolCall&) { return true; };
    AgentRun run(left.skills, left.history, options);
    const std::vector<acta::PendingCall> calls = next<RunCalls>(run).calls;
    REQUIRE(calls.size() == 2);
    left.run.give("a", success("of the first run"));
    CHECK_THROWS_AS(run.call(calls[0]), acta::HistoryError);
    CHECK_THROWS_AS(run.give("a", success("of the second")), acta::Error);
    run.give("b", run.call(calls[1]));
    static_cast<void>(next<AskModel>(run));
    CHECK(text_of(left.history, 0) == "['of the first run', 'of b']");

    LeftRun other({"a"});
    AgentRun second(other.skills, other.history, options);
    static_cast<void>(second.begin(next<RunCalls>(second).calls.front().call.id));
    other.run.give("a", success("of the first run"));
    CHECK_THROWS_AS(second.give("a", success("of the second")), acta::HistoryError);
    static_cast<void>(next<AskModel>(second));
    CHECK(text_of(other.history, 0) == "of the first run");
}

TEST_CASE("the result of a call that began in a certain step is not taken by another one") {
    History history;
    history.register_action({.thoughts = "One.", .use_tool = {"echo", {}}});
    const acta::CallIdentity first = history.begin_call("call_0");
    history.register_result(first, success("one"));
    history.register_action({.thoughts = "Two.", .use_tool = {"echo", {}}});
    const History before = history;
    CHECK_THROWS_AS(history.register_result(first, success("late")), acta::HistoryError);
    CHECK(history == before);
    history.register_result(history.begin_call("call_0"), success("two"));
    CHECK(acta::to_string(*history[1].result) == "two");
}
