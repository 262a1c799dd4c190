// SPDX-License-Identifier: MIT
// What a run refers to may be moved, or end before it.
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/compress/compress.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/skill/registry.hpp"
#include "acta/store/memory_store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

namespace {

using acta::AgentRun;
using acta::ChatMessage;
using acta::EpisodicActionHistory;

acta::SkillRegistry skills_of(const std::string& answer) {
    acta::SkillRegistry skills;
    skills.add("tides", "When high water is.", [answer] { return answer; });
    return skills;
}

acta::ChatCompletion call_of_tides() {
    acta::ChatCompletion out;
    out.message.tool_calls = {{.id = "a", .function = {.name = "tides"}}};
    return out;
}

acta::ChatCompletion answer(std::string text) { return {.message = {.content = std::move(text)}}; }

/// Runs the calls of a run.
void run_calls(AgentRun& run) {
    const auto calls = std::get<acta::RunCalls>(run.next()).calls;
    for (const acta::PendingCall& call : calls) run.give(call.call.id, run.call(call));
}

struct Agent {
    explicit Agent(const std::string& name) : history(asked_to("When is high water?")), run(skills_of(name), history) {}

    EpisodicActionHistory<> history;
    AgentRun run;
};

constexpr const char* gone = "the history is gone";

}  // namespace

TEST_CASE("a run keeps a registry that was a temporary") {
    EpisodicActionHistory<> history = asked_to("When is high water?");
    AgentRun run(skills_of("12:15"), history);
    CHECK(std::get<acta::AskModel>(run.next()).options.tools.size() == 1);
    run.give(call_of_tides());
    run_calls(run);
    CHECK(acta::to_string(*history.at(0).result) == "12:15");
}

TEST_CASE("a skill that is added after the beginning of a run is not one of the run") {
    EpisodicActionHistory<> history = asked_to("When is high water?");
    acta::SkillRegistry skills = skills_of("12:15");
    AgentRun run(skills, history);
    skills.add("late", "Comes late.", [] { return 1; });
    CHECK(std::get<acta::AskModel>(run.next()).options.tools.size() == 1);
}

TEST_CASE("histories and their runs may be in a vector that grows") {
    std::vector<Agent> agents;
    for (const char* name : {"a", "b", "c", "d", "e"}) {
        agents.emplace_back(name);
        for (Agent& agent : agents) (void)agent.run.next();
        agents.back().run.give(call_of_tides());
    }
    for (Agent& agent : agents) {
        run_calls(agent.run);
        (void)agent.run.next();
        agent.run.give(answer("done"));
        CHECK(std::get<acta::RunResult>(agent.run.next()).answer == "done");
    }
    CHECK(acta::to_string(*agents[0].history.at(0).result) == "a");
    CHECK(acta::to_string(*agents[4].history.at(0).result) == "e");
    CHECK(agents[0].history.answer()->content == "done");
}

TEST_CASE("a run follows a history that is moved, at each of its states") {
    std::optional<EpisodicActionHistory<>> first = asked_to("When is high water?");
    std::optional<AgentRun> run(std::in_place, skills_of("12:15"), *first);
    auto second = std::make_unique<EpisodicActionHistory<>>(*std::move(first));
    first.reset();
    REQUIRE(std::holds_alternative<acta::AskModel>(run->next()));

    EpisodicActionHistory<> third = *second;  // a copy, which the run does not follow
    second.reset();
    run->give(answer("lost"));
    CHECK_THROWS_WITH(run->next(), contains_text(gone));

    run.emplace(skills_of("12:15"), third);
    (void)run->next();
    run->give(call_of_tides());
    (void)run->next();
    EpisodicActionHistory<> fourth;
    fourth = std::move(third);
    run_calls(*run);
    (void)run->next();
    EpisodicActionHistory<> fifth = asked_to("When is high water?");
    std::swap(fourth, fifth);
    run->give(answer("At 12:15."));
    CHECK(std::get<acta::RunResult>(run->next()).answer == "At 12:15.");
    CHECK(fifth.size() == 1);
    CHECK(fifth.answer()->content == "At 12:15.");
    CHECK(fourth.empty());
    CHECK(fifth.runs().size() == 1);
}

TEST_CASE("a run whose history is gone says so, and changes nothing") {
    auto history = std::make_unique<EpisodicActionHistory<>>(asked_to("When is high water?"));
    AgentRun run(skills_of("12:15"), *history);
    (void)run.next();
    run.give(call_of_tides());
    const auto calls = std::get<acta::RunCalls>(run.next()).calls;
    EpisodicActionHistory<> other;

    SECTION("it was destroyed") { history.reset(); }
    SECTION("another one was assigned to it") { *history = other; }
    SECTION("another one was moved to it") { *history = asked_to("When is high water?"); }
    SECTION("it became a shared one") {
        const acta::SharedHistory<> shared(std::move(*history));
        CHECK_THROWS_WITH(run.give("a", acta::ActionSuccessResult{}), contains_text(gone));
        CHECK_FALSE(shared.at(0).result);
    }
    CHECK_THROWS_WITH(run.call(calls.front()), contains_text(gone));
    CHECK_THROWS_WITH(run.give("a", acta::ActionSuccessResult{}), contains_text(gone));
    CHECK_THROWS_WITH(run.next(), contains_text(gone));
    CHECK_THROWS_WITH(run.leave(), contains_text(gone));
    if (history) CHECK(history->size() == 0);
}

TEST_CASE("a run whose history is gone before its first request says so") {
    std::optional<AgentRun> run;
    {
        EpisodicActionHistory<> history = asked_to("When is high water?");
        run.emplace(skills_of("12:15"), history);
    }
    CHECK_THROWS_WITH(run->next(), contains_text(gone));
}

TEST_CASE("the outcome of a run that is over stays when its history is gone") {
    std::optional<AgentRun> run;
    {
        EpisodicActionHistory<> history = asked_to("When is high water?");
        run.emplace(skills_of("12:15"), history);
        (void)run->next();
        run->give(answer("At 12:15."));
        (void)run->next();
    }
    CHECK(std::get<acta::RunResult>(run->next()).answer == "At 12:15.");
    CHECK(run->leave().answer == "At 12:15.");
}

TEST_CASE("a run whose shared history is gone says so") {
    auto history = std::make_unique<acta::SharedHistory<>>(asked_to("When is high water?"));
    AgentRun run(skills_of("12:15"), *history);
    (void)run.next();
    history.reset();
    run.give(answer("lost"));
    CHECK_THROWS_WITH(run.next(), contains_text(gone));
}

TEST_CASE("a run whose history in a store is gone says so, and another object continues it") {
    acta::MemoryStore store;
    std::optional<AgentRun> run;
    {
        auto history = acta::StoredHistory<>::create(store, "task");
        history.register_message(ChatMessage::user("When is high water?"));
        run.emplace(skills_of("12:15"), history);
        (void)run->next();
        run->give(call_of_tides());
        (void)run->next();
    }
    CHECK_THROWS_WITH(run->give("a", acta::ActionSuccessResult{}), contains_text(gone));
    CHECK_THROWS_WITH(run->next(), contains_text(gone));
    auto again = acta::StoredHistory<>::open(store, "task");
    CHECK(again.resume(skills_of("12:15")).size() == 1);
}

TEST_CASE("a compression in another thread follows a history that is moved") {
    EpisodicActionHistory<> history;
    for (int i = 0; i < 20; ++i) {
        history.register_action({.thoughts = "Look.", .use_tool = {"tides", {}}});
        history.register_result(acta::ActionSuccessResult{.outputs = "12:15"});
    }
    auto summarize = [](std::string_view, const acta::SummaryRequest&) { return std::string("It was looked up."); };
    auto report = acta::handle_compression_async(history, summarize, {.keep_recent = 4});
    const EpisodicActionHistory<> moved = std::move(history);
    CHECK(report.get().summarised.size() == 16);
    CHECK(moved.at(15).summary);
    CHECK_FALSE(moved.at(16).summary);
}
