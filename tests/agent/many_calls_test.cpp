// SPDX-License-Identifier: MIT
#include <cstddef>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"
#include "support/steps.hpp"

// Steps of very many calls, whose time is in proportion to them.
namespace {

using acta::ChatMessage;
using History = acta::EpisodicActionHistory<>;

acta::ChatCompletion calling(const std::string& tool, std::size_t times) {
    acta::ChatCompletion out;
    out.message.tool_calls.emplace();
    for (std::size_t i = 0; i < times; ++i)
        out.message.tool_calls->push_back({"id_" + std::to_string(i), {tool, {{"task", "Go."}}}});
    return out;
}

acta::SkillRegistry working() {
    acta::SkillRegistry skills;
    skills.add(
        "work", "Works.", [](const std::string& task) { return task; }, "task");
    return skills;
}

/// Lets the model ask for as many calls, and returns them.
std::vector<acta::PendingCall> begin_step(acta::AgentRun& run, std::size_t calls) {
    run.next();
    run.give(calling("work", calls));
    return std::get<acta::RunCalls>(run.next()).calls;
}

}  // namespace

TEST_CASE("a run of a step with a hundred thousand calls takes linear time") {
    const std::size_t calls = test_size(20'000, 100'000);
    const acta::SkillRegistry skills = working();
    acta::RunOptions options{.limits = {.calls_per_step = calls}};
    for (const bool by_hand : {false, true}) {
        History history = asked_to("Work.");
        if (!by_hand) {
            acta::ScriptedChatModel model;
            model.reply(calling("work", calls)).reply("Done.");
            CHECK(acta::run_agent(model, skills, history, options).answer == "Done.");
        } else {
            acta::AgentRun run(skills, history, options);
            const auto to_run = begin_step(run, calls);
            for (const acta::PendingCall& one : to_run) run.give(one.call.id, run.call(one));
            CHECK(std::holds_alternative<acta::AskModel>(run.next()));
        }
        CHECK(history[0].tool_results.size() == calls);
        CHECK(history.open_calls().empty());
    }
}

TEST_CASE("results of many calls may come in any order, with a look at the run after each") {
    const std::size_t calls = test_size(4000, 100'000);
    const acta::SkillRegistry skills = working();
    History history = asked_to("Work.");
    acta::AgentRun run(skills, history, {.limits = {.calls_per_step = calls}});
    const auto to_run = begin_step(run, calls);
    for (std::size_t i = calls; i-- > 0;) {  // the last one first
        run.give(to_run[i].call.id, run.call(to_run[i]));
        const auto* const left = std::get_if<acta::RunCalls>(&run.next());
        if (i != 0) {
            REQUIRE(left != nullptr);
            REQUIRE(left->calls.size() == i);
            REQUIRE(left->calls.back() == to_run[i - 1]);
        }
    }
    CHECK(std::holds_alternative<acta::AskModel>(run.next()));
    for (std::size_t i = 0; i < calls; ++i) REQUIRE(history[0].tool_results[i].tool_call_id == to_run[i].call.id);
}

TEST_CASE("the calls that are left are shown, whichever have their results") {
    const std::size_t calls = 60;
    const acta::SkillRegistry skills = working();
    for (const std::size_t stride : {1U, 7U, 13U, 59U}) {
        for (const std::size_t at_once : {1U, 2U, 12U}) {
            History history = asked_to("Work.");
            acta::AgentRun run(skills, history, {.limits = {.calls_per_step = calls}});
            std::vector<acta::PendingCall> left = begin_step(run, calls);
            while (!left.empty()) {
                for (std::size_t i = 0; i < at_once && !left.empty(); ++i) {
                    const auto one = left.begin() + static_cast<std::ptrdiff_t>(stride % left.size());
                    run.give(one->call.id, run.call(*one));
                    left.erase(one);
                }
                const auto* const shown = std::get_if<acta::RunCalls>(&run.next());
                REQUIRE((shown != nullptr) == !left.empty());
                if (shown != nullptr) REQUIRE(shown->calls == left);
            }
            CHECK(history[0].tool_results.size() == calls);
        }
    }
}

TEST_CASE("a step left with many open calls is continued in linear time") {
    const std::size_t calls = test_size(20'000, 100'000);
    const acta::SkillRegistry skills = working();
    History history = asked_to("Work.");
    {
        acta::AgentRun run(skills, history, {.limits = {.calls_per_step = calls}});
        const auto to_run = begin_step(run, calls);
        for (std::size_t i = 0; i < calls / 2; ++i) run.give(to_run[i].call.id, run.call(to_run[i]));
    }
    acta::ScriptedChatModel model{"Done."};
    CHECK(acta::run_agent(model, skills, history, {.limits = {.calls_per_step = calls}}).answer == "Done.");
    CHECK(history[0].tool_results.size() == calls);
}

TEST_CASE("a step of many runs of agents takes linear time") {
    const std::size_t calls = test_size(1000, 20'000);
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("work", "Works.",
                                [](std::span<const ChatMessage>, const acta::ChatOptions&) {
                                    acta::ChatCompletion out;
                                    out.message.content = "Done.";
                                    return out;
                                },
                                {}));
    acta::ScriptedChatModel model;
    model.reply(calling("work", calls)).reply("Done.");
    History history = asked_to("Work.");
    CHECK(acta::run_agent(model, skills, history, {.limits = {.calls_per_step = calls}}).answer == "Done.");
    CHECK(history.sub_runs().size() == calls);
}
