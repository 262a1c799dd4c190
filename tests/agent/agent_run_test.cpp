// SPDX-License-Identifier: MIT
#include <stdexcept>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/skill/execute.hpp"
#include "agent/by_hand.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

// A run that is driven by hand.
namespace {

using acta::AgentRun;
using acta::AgentStep;
using acta::Approval;
using acta::AskModel;
using acta::AwaitDecisions;
using acta::ChatMessage;
using acta::RunCalls;
using acta::RunEnd;
using acta::RunOptions;
using acta::RunResult;
using by_hand::echoing;
using by_hand::next;
using by_hand::success;
using History = acta::EpisodicActionHistory<>;

acta::ChatCompletion answer(std::string text) {
    acta::ChatCompletion out;
    out.message.content = std::move(text);
    return out;
}

std::vector<std::string> ids_of(const RunCalls& calls) {
    std::vector<std::string> out;
    for (const acta::PendingCall& one : calls.calls) {
        CHECK(one.identity.tool_call_id == one.call.id);
        out.push_back(one.call.id);
    }
    return out;
}

using Ids = std::vector<std::string>;

}  // namespace

TEST_CASE("a run that is driven by hand says what it needs, and has given things in the record at once") {
    const acta::SkillRegistry skills = by_hand::echo_skills();
    History history = asked_to("Go.");
    AgentRun run(skills, history, {.instructions = "Be brief."});
    const AskModel& asked = next<AskModel>(run);
    CHECK(asked.messages == std::vector{ChatMessage::system("Be brief."), ChatMessage::user("Go.")});
    CHECK(asked.options.tools == acta::tools(skills));
    CHECK(&next<AskModel>(run) == &asked);  // until it is answered
    run.give(echoing({"a", "b", "c"}));
    CHECK(history.size() == 1);
    const RunCalls& calls = next<RunCalls>(run);
    CHECK(ids_of(calls) == Ids{"a", "b", "c"});
    CHECK(calls.calls[1].identity.step == 0);
    run.give("c", success("elsewhere"));
    CHECK(history[0].tool_results.size() == 1);
    run.give("a", run.call(calls.calls[0]));  // `calls` is valid until `next`
    CHECK(ids_of(next<RunCalls>(run)) == Ids{"b"});
    run.give("b", run.call(next<RunCalls>(run).calls[0]));
    CHECK(history[0].result.has_value());
    CHECK(next<AskModel>(run).messages.size() == 6);
    run.give(answer("Done."));
    REQUIRE(history.answer() != nullptr);
    const RunResult& result = next<RunResult>(run);
    CHECK(result.end == RunEnd::answered);
    CHECK(result.answer == "Done.");
    CHECK(result.requests == 2);
    CHECK(result.steps == 1);
    CHECK(acta::to_string(history[0].tool_results[0].result) == "of a");
    CHECK(acta::to_string(history[0].tool_results[2].result) == "elsewhere");
    CHECK(&next<RunResult>(run) == &result);
    CHECK(run.leave() == result);
}

TEST_CASE("a program may change the steps of a run's history only if that is shared") {
    const acta::SkillRegistry skills = by_hand::echo_skills();
    const auto step_of_another = [](auto& history) {
        history.register_action({.use_tool = {"echo", {{"text", "here"}}}});
        history.register_result(success("here"));
    };
    History history = asked_to("Go.");
    AgentRun run(skills, history);
    static_cast<void>(next<AskModel>(run));
    step_of_another(history);
    CHECK_THROWS_MATCHES(run.next(), acta::HistoryError,
                         Catch::Matchers::Message("the steps of the history were changed while a run uses it"));
    acta::SharedHistory<> shared(asked_to("Go."));
    AgentRun other(skills, shared);
    static_cast<void>(next<AskModel>(other));
    step_of_another(shared);
    static_cast<void>(next<AskModel>(other));
    other.give(answer("Done."));
    CHECK(next<RunResult>(other).end == RunEnd::answered);
}

TEST_CASE("an answer to what was not asked is refused and changes nothing") {
    const acta::SkillRegistry skills = by_hand::echo_skills();
    History history = asked_to("Go.");
    AgentRun run(skills, history);
    CHECK_THROWS_WITH(run.give(answer("Early.")), contains_text("has not asked the model"));
    CHECK_THROWS_AS(run.fail(std::runtime_error("early")), acta::Error);
    CHECK_THROWS_AS(run.give("a", success("early")), acta::Error);
    static_cast<void>(next<AskModel>(run));
    CHECK_THROWS_WITH(run.give("a", success("no step")), contains_text("has no call 'a'"));
    CHECK_THROWS_AS(run.decide("a", Approval::yes()), acta::Error);
    CHECK_THROWS_AS(run.begin("a"), acta::Error);
    run.give(echoing({"a", "b"}));
    CHECK_THROWS_WITH(run.give("a", success("too early")), contains_text("cannot run before next() has returned it"));
    CHECK_THROWS_AS(run.give(answer("Twice.")), acta::Error);
    const acta::PendingCall first = next<RunCalls>(run).calls[0];
    CHECK_THROWS_WITH(run.give("x", success("unknown")), contains_text("has no call 'x'"));
    CHECK_THROWS_WITH(run.decide("a", Approval::yes()), contains_text("no decision on the call 'a' is awaited"));
    CHECK(run.begin("a").tool_call_id == "a");
    CHECK_THROWS_WITH(run.call(first), contains_text("the call 'a' has begun"));
    run.give("a", success("1"));
    CHECK_THROWS_WITH(run.give("a", success("2")), contains_text("has its result"));
    CHECK_THROWS_AS(run.call(first), acta::Error);
    CHECK(ids_of(next<RunCalls>(run)) == Ids{"b"});
    CHECK(acta::to_string(history[0].tool_results[0].result) == "1");
    run.give("b", success("2"));
    static_cast<void>(next<AskModel>(run));
    CHECK_THROWS_AS(run.give("b", success("3")), acta::Error);
    run.give(answer("Done."));
    const History before = history;
    static_cast<void>(next<RunResult>(run));
    CHECK_THROWS_WITH(run.give(answer("More.")), contains_text("the run is over"));
    CHECK_THROWS_AS(run.fail(std::runtime_error("late")), acta::Error);
    CHECK_THROWS_AS(run.give("a", success("late")), acta::Error);
    CHECK_THROWS_AS(run.decide("a", Approval::yes()), acta::Error);
    CHECK(history == before);
    CHECK(next<RunResult>(run).end == RunEnd::answered);
}

TEST_CASE("a model that fails ends a run that is driven by hand") {
    const acta::SkillRegistry skills;
    History history = asked_to("Go.");
    AgentRun run(skills, history);
    static_cast<void>(next<AskModel>(run));
    run.fail(std::runtime_error("no connection"));
    CHECK(next<RunResult>(run).end == RunEnd::failed);
    CHECK(next<RunResult>(run).error->message == "no connection");
}

TEST_CASE("a run notices that the steps of its history were changed by somebody else") {
    const acta::SkillRegistry skills = by_hand::echo_skills();
    History history = asked_to("Go.");
    AgentRun run(skills, history);
    static_cast<void>(next<AskModel>(run));
    run.give(echoing({"a"}));
    static_cast<void>(next<RunCalls>(run));
    history.rewind();
    CHECK_THROWS_WITH(run.next(), contains_text("the steps of the history were changed"));
    CHECK_THROWS_AS(run.next(), acta::HistoryError);
}

TEST_CASE("a call that waits for a decision does not hold up the others") {
    const acta::SkillRegistry skills = by_hand::echo_skills();
    History history = asked_to("Go.");
    RunOptions options;
    std::vector<std::string> asked;
    options.approve = [&](const acta::AssistantToolCall& call) {
        asked.push_back(call.id);
        return call.id == "b" ? Approval::yes() : Approval::later();
    };
    AgentRun run(skills, history, options);
    static_cast<void>(next<AskModel>(run));
    run.give(echoing({"a", "b", "c"}));
    CHECK(ids_of(next<RunCalls>(run)) == Ids{"b"});
    run.give("b", run.call(next<RunCalls>(run).calls[0]));
    const AwaitDecisions& awaited = next<AwaitDecisions>(run);
    REQUIRE(awaited.calls.size() == 2);
    CHECK(awaited.calls[0].id == "a");
    CHECK_THROWS_WITH(run.give("a", success("x")), contains_text("a decision on the call 'a' is awaited"));
    run.decide("c", Approval::no("Not that."));
    CHECK(next<AwaitDecisions>(run).calls.size() == 1);
    run.decide("a", Approval::later());
    CHECK(next<AwaitDecisions>(run).calls.size() == 1);
    run.decide("a", Approval::with({{"text", "changed"}}));
    CHECK_THROWS_AS(run.decide("a", Approval::no("Too late.")), acta::Error);
    run.give("a", run.call(next<RunCalls>(run).calls[0]));
    CHECK(std::holds_alternative<AskModel>(run.next()));
    CHECK(asked == Ids{"a", "b", "c"});
    CHECK(acta::to_string(history[0].tool_results[0].result) == "changed");
    run.give(echoing({"d"}));
    CHECK(next<AwaitDecisions>(run).calls.size() == 1);
    CHECK(run.leave().end == RunEnd::waiting);
    CHECK_THROWS_WITH(run.decide("d", Approval::no("Too late.")),
                      contains_text("no decision on the call 'd' is awaited"));
    CHECK(history.open_calls().size() == 1);
    CHECK_THAT(acta::to_string(history[0].tool_results[2].result), contains_text("Not that."));
}

TEST_CASE("a stop leaves calls open that have not begun, and waits for the others") {
    const acta::SkillRegistry skills = by_hand::echo_skills();
    acta::stop_source source;
    History history = asked_to("Go.");
    AgentRun run(skills, history, {.until = {.stop = source.get_token()}});
    static_cast<void>(next<AskModel>(run));
    run.give(echoing({"a", "b"}));
    const RunCalls calls = next<RunCalls>(run);
    CHECK(run.begin("a").tool_call_id == "a");
    source.request_stop();
    run.give("b", run.call(calls.calls[1]));  // does not run, so that it has no result
    CHECK(ids_of(next<RunCalls>(run)) == Ids{"a"});
    run.give("a", success("late"));
    CHECK(next<RunResult>(run).end == RunEnd::stopped);
    CHECK(history[0].tool_results.size() == 1);
    AgentRun other(skills, history);
    CHECK(ids_of(next<RunCalls>(other)) == Ids{"b"});
}

TEST_CASE("a call that has not begun when its run is over does not run") {
    int ran = 0;
    acta::SkillRegistry skills;
    skills.add(
        "echo", "Repeats.", [&ran](const std::string& text) { return ++ran, text; }, acta::param("text", "What."));
    History history = asked_to("Go.");
    AgentRun run(skills, history);
    static_cast<void>(next<AskModel>(run));
    run.give(echoing({"a", "b"}));
    const RunCalls calls = next<RunCalls>(run);
    CHECK(run.leave().end == RunEnd::stopped);
    CHECK_THROWS_AS(run.begin("a"), acta::Cancelled);
    CHECK_FALSE(acta::is_success(run.call(calls.calls[1])));
    run.give("b", success("elsewhere"));
    CHECK(ran == 0);
    CHECK(history.open_calls().size() == 2);
}

TEST_CASE("what a function of the options throws is thrown by next, and no other is called") {
    const acta::SkillRegistry skills = by_hand::echo_skills();
    History history = asked_to("Go.");
    RunOptions options;
    int begun = 0;
    int results = 0;
    options.on_event = acta::on(
        [&](const acta::CallStarted&) {
            ++begun;
            throw std::runtime_error("the screen is gone");
        },
        [&](const acta::CallCompleted&) { ++results; });
    AgentRun run(skills, history, options);
    static_cast<void>(next<AskModel>(run));
    run.give(echoing({"a", "b"}));
    const RunCalls calls = next<RunCalls>(run);
    for (const acta::PendingCall& one : calls.calls) run.give(one.call.id, run.call(one));
    CHECK(begun == 1);
    CHECK(results == 0);
    CHECK(history[0].tool_results.empty());
    CHECK_THROWS_WITH(run.next(), "the screen is gone");
    CHECK_THROWS_WITH(run.next(), "the screen is gone");
}
