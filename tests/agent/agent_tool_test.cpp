// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cmath>
#include <condition_variable>
#include <future>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

// Agents as tools of another agent.
namespace {

using acta::ChatMessage;
using acta::RunEnd;
using acta::RunOptions;
using acta::RunResult;
using acta::ScriptedChatModel;
using History = acta::EpisodicActionHistory<>;

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
    History history = asked_to("Lead.");
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
    CHECK(acta::dump(asked_to("Lead.")).find("sub_runs") == std::string::npos);
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
    History history = asked_to("Lead.");
    CHECK(acta::run_agent(lead, skills, history).answer == "Sorry.");
    CHECK_THAT(acta::to_string(*history[0].result), contains_text("did not answer: failed: no connection"));
    CHECK(history.sub_runs().size() == 1);
    CHECK_THAT(acta::to_string(skills.call("reader", {})), contains_text("task: Field required"));
}

TEST_CASE("an agent that is a tool may be called by what is not a run") {
    struct Request : acta::OuterRun {
        Request() : OuterRun(Kind::request) {}
    } request;
    ScriptedChatModel reader;
    reader.reply("Noon.");
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("reader", "Reads.", reader, {}));
    const acta::ActionResult result = skills.call("reader", {{"task", "When?"}}, {.outer = &request});
    CHECK(acta::to_string(result) == "Noon.");
}

TEST_CASE("an agent that is a tool has the deadline of its call, if that is the earlier one") {
    using Clock = std::chrono::steady_clock;
    const Clock::time_point soon = Clock::now() + std::chrono::hours(1);
    const Clock::time_point later = soon + std::chrono::hours(1);
    for (const auto& [own, given] : std::vector<std::pair<std::optional<Clock::time_point>, Clock::time_point>>{
             {std::nullopt, soon}, {later, soon}, {soon, later}}) {
        std::optional<Clock::time_point> seen;
        const auto reader = [&](std::span<const ChatMessage>, const acta::ChatOptions& chat) {
            seen = chat.until.deadline;
            return used("Noon.", 1);
        };
        acta::SkillRegistry skills;
        skills.add(acta::agent_tool("reader", "Reads.", reader, {}, RunOptions{.until = {.deadline = own}}));
        static_cast<void>(skills.call("reader", {{"task", "When?"}}, {.until = {.deadline = given}}));
        CHECK(seen == soon);
    }
}

TEST_CASE("an agent that is a tool has the functions of the run around it that it has not itself") {
    struct Observer : acta::Observer {
        void on_event(const acta::Event&) override { ++events; }
        int events = 0;
    };
    for (const bool has_own : {false, true}) {
        Observer outer_observer;
        Observer inner_observer;
        std::string used_by_inner;
        const auto options = [&](const std::string& of, Observer& observer) {
            RunOptions out;
            out.observer = &observer;
            out.price = [&, of](const acta::ChatCompletion& one) {
                if (one.usage->prompt_tokens == 7) used_by_inner += of + " price ";
                return 0.0;
            };
            out.approve = [&, of](const acta::AssistantToolCall& call) {
                if (call.function.name == "remove") used_by_inner += of + " approve ";
                return acta::Approval::yes();
            };
            out.on_event = acta::on([&, of](const acta::RequestCompleted& one) {
                if (one.completion.usage->prompt_tokens == 7) used_by_inner += of + " event ";
            });
            return out;
        };
        int removed = 0;
        acta::ChatCompletion removing = used("", 7);
        removing.message.tool_calls = {{"c", {"remove", {}}}};
        ScriptedChatModel reader;
        reader.reply(removing).reply(used("Removed.", 8));
        acta::SkillRegistry skills;
        skills.add(acta::agent_tool("reader", "Reads.", reader, file_skills(removed),
                                    has_own ? options("own", inner_observer) : RunOptions()));
        ScriptedChatModel lead;
        lead.reply(leading({"reader"})).reply(used("Done.", 1));
        History history = asked_to("Lead.");
        CHECK(acta::run_agent(lead, skills, history, options("outer", outer_observer)).answer == "Done.");
        CHECK(removed == 1);
        CHECK(used_by_inner == (has_own ? "own price own event own approve " : "outer price outer approve "));
        CHECK(outer_observer.events > 0);
        CHECK((inner_observer.events > 0) == has_own);
    }
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
    History history = asked_to("Lead.");
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
    History stopped = asked_to("Lead.");
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
        History history = asked_to("Lead.");
        RunOptions options{.parallel = acta::CallOverlap::all, .price = acta::TokenPrices{.prompt = 1e6}};
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
    History history = asked_to("Lead.");
    const RunResult run = acta::run_agent(lead, skills, history, {.limits = {.tokens = 1000}});
    CHECK(run.usage.estimated);
    CHECK(run.usage.completion_tokens > 0);
    // Not where nothing needs them.
    reader.reply("One two three.");
    lead.reply(leading({"reader"})).reply(used("Done.", 1));
    History unlimited = asked_to("Lead.");
    CHECK_FALSE(acta::run_agent(lead, skills, unlimited).usage.estimated);
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
    History history = asked_to("Lead.");
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
        History history = asked_to("Lead.");
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

namespace {

/// Notices calls that happen at the same time.
class Alone {
public:
    /// Returns a function that calls this one.
    template <class Result, class... Arguments>
    auto operator()(Result (*function)(Arguments...)) {
        return [this, function](Arguments... arguments) {
            if (inside_.exchange(true)) shared_ = true;
            ++calls_;
            std::this_thread::sleep_for(std::chrono::microseconds(200));
            inside_ = false;
            return function(arguments...);
        };
    }
    [[nodiscard]] bool was_shared() const { return shared_; }
    [[nodiscard]] int calls() const { return calls_; }

private:
    std::atomic<bool> inside_{false};
    std::atomic<bool> shared_{false};
    std::atomic<int> calls_{0};
};

/// Calls `work` twice for each run, then answers; its stream has a part.
acta::ChatCompletion work_twice(std::span<const ChatMessage> messages, const acta::ChatOptions& chat) {
    if (chat.on_text) chat.on_text("W");
    if (chat.on_event) chat.on_event(acta::TextDelta{"W"});
    acta::ChatCompletion out = used("", 1);
    if (messages.size() > 5) {
        out.message.content = "Done.";
        return out;
    }
    out.message.tool_calls = {{"", {"work", {}}}};
    return out;
}

/// Options all functions of which are of these.
RunOptions watched(Alone& alone) {
    RunOptions out;
    out.price = alone(+[](const acta::ChatCompletion&) { return 0.5; });
    out.approve = alone(+[](const acta::AssistantToolCall&) { return acta::Approval::yes(); });
    out.on_event = alone(+[](const acta::RunEvent&) {});
    out.on_text = alone(+[](std::string_view) {});
    out.prepare = alone(+[](acta::AskModel&) {});
    out.on_answer = alone(+[](const acta::AssistantChatMessage&) { return std::optional<std::string>(); });
    out.chat.on_event = alone(+[](const acta::ChatDelta&) {});
    return out;
}

}  // namespace

TEST_CASE("no two functions of the options are called at once, whatever agents work at the same time") {
    Alone outer;
    Alone inner;
    acta::SkillRegistry working;
    working.add("work", "Works.", [] { return 1; });
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("plain", "Has no functions of its own.", work_twice, working));
    skills.add(acta::agent_tool("watched", "Has functions of its own.", work_twice, working, watched(inner)));
    ScriptedChatModel lead;
    acta::ChatCompletion calls = leading({"plain", "watched"});
    for (int i = 0; i < 4; ++i) {
        acta::AssistantToolCall one = (*calls.message.tool_calls)[static_cast<std::size_t>(i % 2)];
        one.id += std::to_string(i);
        calls.message.tool_calls->push_back(one);
    }
    lead.reply(calls).reply("Done.");
    History history = asked_to("Lead.");
    RunOptions options = watched(outer);
    options.parallel = acta::CallOverlap::all;
    CHECK(acta::run_agent(lead, skills, history, options).answer == "Done.");
    CHECK(history.sub_runs().size() == 6);
    CHECK_FALSE(outer.was_shared());
    CHECK_FALSE(inner.was_shared());
    CHECK(outer.calls() > 100);
    CHECK(inner.calls() > 50);
}

TEST_CASE("the runs of tools end with the run around them, and what happened is kept") {
    // The first request of the agent is made when a function of the run around it fails, or the run is left.
    for (const bool is_left : {false, true}) {
        std::promise<void> is_asked;
        std::shared_future<void> asked = is_asked.get_future().share();
        std::atomic<int> requests{0};
        const auto waiting = [&](std::span<const ChatMessage>, const acta::ChatOptions& chat) {
            if (++requests == 1) is_asked.set_value();
            for (int i = 0; i < 20'000 && !chat.until.stop.stop_requested(); ++i)
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
            acta::ChatCompletion out = used("", 1);
            out.message.tool_calls = {{"", {"work", {}}}};
            return out;
        };
        int worked = 0;
        acta::SkillRegistry working;
        working.add("work", "Works.", [&worked] { return ++worked; });
        acta::SkillRegistry skills;
        skills.add(acta::agent_tool("reader", "Reads.", waiting, working));
        skills.add(
            "writer", "Writes.", [&](const std::string&) { asked.wait(); }, "task");
        History history = asked_to("Lead.");
        RunOptions options{.parallel = acta::CallOverlap::all};
        options.on_event = acta::on([](const acta::CallCompleted& done) {
            if (done.call.function.name == "writer") throw std::runtime_error("no space for the log");
        });
        if (!is_left) {
            ScriptedChatModel lead;
            lead.reply(leading({"reader", "writer"}));
            CHECK_THROWS_WITH(acta::run_agent(lead, skills, history, options), "no space for the log");
        } else {
            acta::AgentRun run(skills, history);
            run.next();
            run.give(leading({"reader"}));
            const acta::PendingCall call = std::get<acta::RunCalls>(run.next()).calls.front();
            std::thread thread([&] { run.give(call.call.id, run.call(call)); });
            asked.wait();
            CHECK(run.leave().end == RunEnd::stopped);
            thread.join();
        }
        CHECK(requests == 1);
        CHECK(worked == 0);
        REQUIRE(history.sub_runs().size() == 1);
        const auto inner = acta::parse<History>(acta::dump(history.sub_runs()[0].history));
        CHECK(inner.size() == 1);
        CHECK(inner.runs().size() == (is_left ? 1 : 0));  // none if an exception ended it
        CHECK(history.open_calls().empty());
    }
}

TEST_CASE("the run of a tool that fails by one of its functions is kept") {
    acta::SkillRegistry working;
    int worked = 0;
    working.add("work", "Works.", [&worked] { return ++worked; });
    RunOptions options;
    options.on_event = acta::on([](const acta::StepCompleted&) { throw std::runtime_error("no space for the log"); });
    acta::SkillRegistry skills;
    skills.add(acta::agent_tool("reader", "Reads.", work_twice, working, options));
    ScriptedChatModel lead;
    lead.reply(leading({"reader"})).reply("Done.");
    History history = asked_to("Lead.");
    CHECK(acta::run_agent(lead, skills, history).answer == "Done.");
    CHECK_THAT(acta::to_string(*history[0].result), contains_text("no space for the log"));
    CHECK(worked == 1);
    REQUIRE(history.sub_runs().size() == 1);
    CHECK(acta::parse<History>(acta::dump(history.sub_runs()[0].history)).size() == 1);
}
