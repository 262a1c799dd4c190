// SPDX-License-Identifier: MIT
// What several threads may do with one run at the same time; to be run under ThreadSanitizer.
#include <atomic>
#include <cstddef>
#include <string>
#include <vector>

#include "acta/agent/agent_run.hpp"
#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "agent/by_hand.hpp"
#include "support/at_once.hpp"
#include "support/catch.hpp"

namespace {

/// Counts events, and notes whether two came at the same time.
struct Listener {
    std::atomic<int> inside{0};
    std::atomic<int> together{0};
    int events = 0;  // without a lock

    [[nodiscard]] auto function() {
        return [this](const acta::RunEvent&) {
            if (++inside > 1) ++together;
            ++events;
            --inside;
        };
    }
};

}  // namespace

TEST_CASE("threads begin, run and answer the calls of a step at the same time") {
    const acta::SkillRegistry skills = by_hand::echo_skills();
    for (int round = 0; round < 10; ++round) {
        acta::EpisodicActionHistory<> history;
        history.register_message(acta::ChatMessage::user("Go."));
        Listener listener;
        acta::RunOptions options;
        options.on_event = listener.function();
        options.limits.calls_per_step = 64;
        options.approve = [](const acta::AssistantToolCall& call) {
            return call.id.ends_with('7') ? acta::Approval::later() : acta::Approval::yes();
        };
        acta::AgentRun run(skills, history, options);
        static_cast<void>(by_hand::next<acta::AskModel>(run));
        std::vector<std::string> ids;
        for (int i = 0; i < 40; ++i) ids.push_back("c" + std::to_string(i));
        run.give(by_hand::echoing(ids));
        const std::vector<acta::PendingCall> calls = by_hand::next<acta::RunCalls>(run).calls;
        REQUIRE(calls.size() == 36);
        std::atomic<int> refused{0};
        at_once(4, [&](std::size_t thread) {
            for (std::size_t i = thread; i < calls.size(); i += 4) {
                const std::string& id = calls[i].call.id;
                if (i % 3 == 0) {
                    static_cast<void>(run.begin(id));
                    run.give(id, by_hand::success("by hand"));
                } else {
                    run.give(id, run.call(calls[i]));
                }
                try {
                    run.give(id, by_hand::success("again"));
                } catch (const acta::Error&) {
                    ++refused;
                }
            }
            if (thread == 0) {
                for (const std::string id : {"c7", "c17", "c27", "c37"}) run.decide(id, acta::Approval::no("not now"));
            }
        });
        CHECK(refused == 36);
        static_cast<void>(by_hand::next<acta::AskModel>(run));
        CHECK(history[0].tool_results.size() == 40);
        CHECK(acta::to_string(history[0].tool_results[1].result) == "of c1");
        CHECK_THAT(acta::to_string(history[0].tool_results[7].result), contains_text("not now"));
        CHECK(listener.together == 0);
        CHECK(listener.events > 80);
    }
}

TEST_CASE("agents that are tools of one run work at the same time, and its functions are called one at a time") {
    acta::ScriptedChatModel lead;
    acta::SkillRegistry skills;
    acta::ChatCompletion asks;
    asks.message.tool_calls.emplace();
    const acta::SkillRegistry inner = by_hand::echo_skills();
    for (int i = 0; i < 4; ++i) {
        const std::string name = "agent_" + std::to_string(i);
        acta::ScriptedChatModel model;
        acta::ChatCompletion echo = by_hand::echoing({"a", "b"});
        echo.usage = acta::TokenUsage{.prompt_tokens = 10, .completion_tokens = 0};
        for (int step = 0; step < 3; ++step) model.reply(echo);
        model.reply("Done.");
        skills.add(acta::agent_tool(name, "Works.", model, inner));
        asks.message.tool_calls->push_back({"to_" + name, {name, {{"task", "Work."}}}});
    }
    lead.reply(asks).reply("All done.");
    Listener listener;
    std::atomic<int> approved{0};
    acta::RunOptions options;
    options.parallel = acta::CallOverlap::all;
    options.on_event = listener.function();
    options.price = acta::TokenPrices{.prompt = 1e6};
    options.approve = [&](const acta::AssistantToolCall&) {
        if (++listener.inside > 1) ++listener.together;
        ++approved;
        --listener.inside;
        return acta::Approval::yes();
    };
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("Lead."));
    const acta::RunResult result = acta::run_agent(lead, skills, history, options);
    CHECK(result.answer == "All done.");
    CHECK(result.usage.prompt_tokens >= 4 * 3 * 10);
    CHECK(result.cost_usd >= 4 * 3 * 10);
    CHECK(history.sub_runs().size() == 4);
    CHECK(approved == 4 + 4 * 3 * 2);
    CHECK(listener.together == 0);
}
