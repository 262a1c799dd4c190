// SPDX-License-Identifier: MIT
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <mutex>
#include <span>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"

// Agents as tools of another agent.
namespace {

using acta::ChatMessage;
using acta::RunEnd;
using acta::RunOptions;
using acta::RunResult;
using acta::ScriptedChatModel;
using History = acta::EpisodicActionHistory<>;

History told_to_lead() {
    History history;
    history.register_message(ChatMessage::user("Lead."));
    return history;
}

acta::ChatCompletion used(std::string text, std::int64_t tokens) {
    acta::ChatCompletion out;
    out.message.content = std::move(text);
    out.usage = acta::TokenUsage{.prompt_tokens = tokens, .completion_tokens = 0};
    return out;
}

acta::ChatCompletion leading(const std::vector<std::string>& tools) {
    acta::ChatCompletion out = used("", 1);
    out.message.tool_calls.emplace();
    for (const std::string& name : tools)
        out.message.tool_calls->push_back({"to_" + name, {name, {{"task", "Ask " + name + "."}}}});
    return out;
}

acta::SkillRegistry file_skills(int& removed) {
    acta::SkillRegistry skills;
    skills.add("remove", "Removes a file.", [&removed] { return ++removed; });
    return skills;
}

}  // namespace

TEST_CASE("agents are tools of an agent, and their runs are kept in its step") {
    ScriptedChatModel reader;
    reader.reply(used("Noon.", 10));
    ScriptedChatModel writer;
    writer.reply(used("A tale.", 100));
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("reader", "Reads.", reader, {}, {.instructions = "You read."}))
        .add(acta::agent_tool("writer", "Writes.", writer, {}));
    ScriptedChatModel lead;
    lead.reply(leading({"reader", "writer"})).reply(used("Done.", 1000));
    History history = told_to_lead();
    const RunOptions options{.price = acta::TokenPrices{.prompt = 1e6}};
    const RunResult run = acta::run_agent(lead, skills, history, options);
    CHECK(run.answer == "Done.");
    CHECK(run.usage.prompt_tokens == 1111);
    CHECK(run.cost_usd == 1111);
    CHECK(run.requests == 2);
    CHECK(reader.requests()[0].messages ==
          std::vector{ChatMessage::system("You read."), ChatMessage::user("Ask reader.")});
    CHECK(acta::to_string(history[0].tool_results[1].result) == "A tale.");
    REQUIRE(history.sub_runs().size() == 2);
    for (const acta::SubRun& one : history.sub_runs()) {
        const auto inner = acta::parse<History>(acta::dump(one.history));
        CHECK(inner.answer()->content == (one.tool_call_id == "to_reader" ? "Noon." : "A tale."));
        CHECK(inner.runs().size() == 1);
        CHECK(one.step == 0);
    }
    CHECK(acta::parse<History>(acta::dump(history)) == history);
    CHECK(acta::dump(told_to_lead()).find("sub_runs") == std::string::npos);
    history.rewind(1);
    CHECK(history.sub_runs().empty());
}

TEST_CASE("an agent that does not answer is an error of the call") {
    ScriptedChatModel reader;
    reader.fail(std::runtime_error("no connection"));
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("reader", "Reads.", reader, {}));
    ScriptedChatModel lead;
    lead.reply(leading({"reader"})).reply("Sorry.");
    History history = told_to_lead();
    CHECK(acta::run_agent(lead, skills, history).answer == "Sorry.");
    CHECK_THAT(acta::to_string(*history[0].result), contains_text("did not answer: failed: no connection"));
    CHECK(history.sub_runs().size() == 1);
    CHECK_THAT(acta::to_string(skills.call("reader", {})), contains_text("task: Field required"));
}

TEST_CASE("the limits of a run are those of the agents that it calls") {
    acta::stop_source source;
    int removed = 0;
    ScriptedChatModel reader;
    reader.reply(used("", 60)).reply(used("Late.", 60));
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("reader", "Reads.", reader, {}));
    ScriptedChatModel lead;
    lead.reply(leading({"reader"})).reply("Done.");
    History history = told_to_lead();
    const RunResult run = acta::run_agent(lead, skills, history, {.limits = {.tokens = 50}});
    CHECK(run.end == RunEnd::max_tokens);
    CHECK(run.usage.prompt_tokens == 61);
    CHECK_THAT(acta::to_string(*history[0].result), contains_text("max_tokens"));
    // A stop.
    acta::SkillRegistry stopping;
    stopping.add(acta::agent_tool(
        "reader", "Reads.",
        [&](std::span<const ChatMessage>, const acta::ChatOptions& chat) -> acta::ChatCompletion {
            source.request_stop();
            CHECK(chat.until.stop.stop_requested());
            throw acta::Cancelled();
        },
        file_skills(removed)));
    ScriptedChatModel other;
    other.reply(leading({"reader"}));
    History stopped = told_to_lead();
    CHECK(acta::run_agent(other, stopping, stopped, {.until = {.stop = source.get_token()}}).end == RunEnd::stopped);
}

TEST_CASE("agents that work at the same time share what is left of the limits of the run around them") {
    for (const bool by_cost : {false, true}) {
        // Each agent could use all of it alone. All of them ask once, and then at most once more.
        std::mutex mutex;
        std::condition_variable all_here;
        int asked = 0;
        const auto working = [&](std::span<const ChatMessage>, const acta::ChatOptions&) {
            std::unique_lock lock(mutex);
            ++asked;
            all_here.notify_all();
            all_here.wait_for(lock, std::chrono::seconds(20), [&asked] { return asked >= 3; });
            acta::ChatCompletion out = used("", 30);
            out.message.tool_calls = {{"w", {"work", {}}}};
            return out;
        };
        acta::SkillRegistry work;
        work.add("work", "Works.", [] { return "worked"; });
        acta::SkillRegistry inner;
        inner.add(acta::agent_tool("deep", "Digs.", working, work));
        ScriptedChatModel middle;
        middle.reply(leading({"deep"}));
        acta::SkillRegistry skills;
        skills.add(acta::agent_tool("reader", "Reads.", working, work))
            .add(acta::agent_tool("writer", "Writes.", working, work))
            .add(acta::agent_tool("middle", "Has another.", middle, inner));
        ScriptedChatModel lead;
        lead.reply(leading({"reader", "writer", "middle"}));
        History history = told_to_lead();
        RunOptions options{.price = acta::TokenPrices{.prompt = 1e6}};
        if (by_cost)
            options.limits.cost_usd = 100;
        else
            options.limits.tokens = 100;
        const RunResult run = acta::run_agent(lead, skills, history, options);
        CHECK(run.end == (by_cost ? RunEnd::max_cost : RunEnd::max_tokens));
        // Of the leader and the agent in the middle, and 30 for each request of the others.
        CHECK(run.usage.prompt_tokens == 2 + 30 * asked);
        CHECK(run.cost_usd == static_cast<double>(run.usage.prompt_tokens));
        CHECK(asked >= 4);
        CHECK(asked <= 6);
        CHECK(history.sub_runs().size() == 3);
    }
}

TEST_CASE("the tokens of an agent are counted if the run around it limits them") {
    ScriptedChatModel reader;
    reader.reply("One two three.");
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("reader", "Reads.", reader, {}));
    ScriptedChatModel lead;
    lead.reply(leading({"reader"})).reply(used("Done.", 1));
    History history = told_to_lead();
    const RunResult run = acta::run_agent(lead, skills, history, {.limits = {.tokens = 1000}});
    CHECK(run.usage.estimated);
    CHECK(run.usage.completion_tokens > 0);
}

TEST_CASE("a price that is not a number, of an agent, ends the run whose cost is limited") {
    ScriptedChatModel reader;
    reader.reply(used("", 1)).reply(used("Noon.", 1));
    acta::SkillRegistry skills;
    RunOptions own;
    own.price = [](const acta::ChatCompletion&) { return std::nan(""); };
    skills.add(acta::agent_tool("reader", "Reads.", reader, {}, own));
    ScriptedChatModel lead;
    lead.reply(leading({"reader"})).reply(used("Done.", 1));
    History history = told_to_lead();
    const RunResult run =
        acta::run_agent(lead, skills, history, {.limits = {.cost_usd = 100}, .price = acta::TokenPrices{.prompt = 1}});
    CHECK(run.end == RunEnd::failed);
    CHECK_THAT(run.error->message, contains_text("limits.cost_usd cannot be checked"));
}

TEST_CASE("a person is asked about the calls of agents that are tools") {
    int removed = 0;
    std::vector<std::string> asked;
    for (const bool later : {false, true}) {
        ScriptedChatModel reader;
        reader.reply_call("remove", {}).reply("Tried.");
        acta::SkillRegistry skills;
        skills.add(acta::agent_tool("reader", "Reads.", reader, file_skills(removed)));
        ScriptedChatModel lead;
        lead.reply(leading({"reader"})).reply("Done.");
        History history = told_to_lead();
        RunOptions options;
        options.approve = [&](const acta::AssistantToolCall& call) {
            asked.push_back(call.function.name);
            if (call.function.name == "reader") return acta::Approval::yes();
            return later ? acta::Approval::later() : acta::Approval::no("Not that.");
        };
        CHECK(acta::run_agent(lead, skills, history, options).answer == "Done.");
        const auto inner = acta::parse<History>(acta::dump(history.sub_runs()[0].history));
        CHECK_THAT(acta::to_string(*inner[0].result), contains_text(later ? "No decision on this" : "Not that."));
    }
    CHECK(removed == 0);
    CHECK(asked == std::vector<std::string>{"reader", "remove", "reader", "remove"});
}
