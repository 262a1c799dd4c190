// SPDX-License-Identifier: MIT
#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "agent/driver.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

namespace {

using acta::Approval;
using acta::ChatMessage;
using acta::RunEnd;
using acta::RunOptions;
using acta::ScriptedChatModel;
using History = acta::EpisodicActionHistory<>;
using Calls = std::vector<acta::AssistantToolCall>;

/// A model that makes these calls, and then answers.
ScriptedChatModel model_of(Calls calls) {
    acta::ChatCompletion first;
    first.message.tool_calls = std::move(calls);
    ScriptedChatModel model;
    model.reply(std::move(first)).reply("Done.");
    return model;
}

acta::AssistantToolCall call(std::string id, std::string name, acta::JsonObject arguments = {}) {
    return {std::move(id), {std::move(name), std::move(arguments)}};
}

std::string result(const History& history, std::size_t i) {
    return acta::to_string(history[0].tool_results.at(i).result);
}

/// Two calls, of which the first one ends when `is_recorded` says that the second one's result is.
acta::SkillRegistry slow_and_quick(const std::atomic<bool>& is_recorded) {
    acta::SkillRegistry skills;
    skills.add("slow", "Waits.", [&is_recorded](acta::SkillContext& context) {
        while (!is_recorded) {
            context.check();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
        return "slow";
    });
    skills.add("quick", "Does not.", [] { return "quick"; });
    return skills;
}

}  // namespace

TEST_CASE("results of parallel calls are registered as they come, and stand in the order of the calls") {
    const ScriptedChatModel model = model_of({call("a", "slow"), call("b", "quick")});
    History history = asked_to("Go.");
    std::vector<std::string> events;
    std::atomic<bool> is_recorded = false;
    RunOptions options{.parallel = acta::CallOverlap::all};
    options.call_timeout = std::chrono::seconds(30);  // ends a run that records no result before all are there
    options.on_event =
        acta::on([&](const acta::CallStarted& begun) { events.push_back("+" + begun.call.id); },
                 [&](const acta::CallCompleted& done) {
                     events.push_back("-" + done.call.id + " " + acta::to_string(done.result));
                     if (done.call.id == "b") is_recorded = true;
                     CHECK(std::ranges::any_of(history[0].tool_results, [&](const acta::ToolResult& known) {
                         return known.tool_call_id == done.call.id;
                     }));
                 },
                 [&](const acta::StepCompleted& done) { events.push_back("step " + std::to_string(done.step)); });
    CHECK(driven::run_agent(model, slow_and_quick(is_recorded), history, options).end == RunEnd::answered);
    REQUIRE(events.size() == 5);
    CHECK(std::ranges::find(events, "-b quick") < std::ranges::find(events, "-a slow"));
    CHECK(events.back() == "step 0");
    CHECK(result(history, 0) == "slow");
    CHECK(result(history, 1) == "quick");
    CHECK(model.requests().back().messages.size() == 4);
}

TEST_CASE("a call that hangs has an error as its result") {
    acta::SkillRegistry skills;
    skills.add("hangs", "Never ends.", [](acta::SkillContext& context) {
        while (true) {
            context.check();
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
        }
    });
    const ScriptedChatModel model = model_of({call("a", "hangs")});
    History history = asked_to("Go.");
    RunOptions options;
    options.call_timeout = std::chrono::milliseconds(20);
    CHECK(driven::run_agent(model, skills, history, options).end == RunEnd::answered);
    REQUIRE(history[0].result);
    CHECK_THAT(acta::to_string(*history[0].result), contains_text("deadline has passed"));
}

TEST_CASE("a call that throws or is unknown has an error as its result") {
    acta::SkillRegistry skills;
    skills.add("throws", "Fails.", []() -> int { throw std::runtime_error("broken"); });
    skills.add(
        "adds", "Adds one.", [](int n) { return n + 1; }, acta::param("n", "A number."));
    const ScriptedChatModel model =
        model_of({call("a", "throws"), call("b", "add"), call("c", "adds", {{"n", "many"}}),
                  call("d", "adds", {{"unreadable_arguments", R"({"n": 1)"}}), call("e", "adds", {{"n", 1}})});
    History history = asked_to("Go.");
    CHECK(driven::run_agent(model, skills, history).end == RunEnd::answered);
    CHECK(result(history, 0) == "Action failed: 'broken'");
    CHECK_THAT(result(history, 1), contains_text("add not found"));
    CHECK_THAT(result(history, 2), contains_text("the arguments of adds do not fit: n: "));
    CHECK_THAT(result(history, 3), contains_text("the arguments of adds are not a JSON object: Invalid JSON: EOF"));
    CHECK(result(history, 4) == "2");
}

TEST_CASE("a tool that returns ten megabytes is kept whole and shown in part") {
    acta::SkillRegistry skills;
    skills.add("read", "Reads.", [] { return std::string(10'000'000, 'x'); });
    const ScriptedChatModel model = model_of({call("a", "read")});
    History history = asked_to("Go.");
    CHECK(driven::run_agent(model, skills, history).end == RunEnd::answered);
    CHECK(acta::to_string(*history[0].result).size() == 10'000'000);
    CHECK(model.requests().back().messages.back().content.size() < 20'000);
}

TEST_CASE("a stop cancels the calls that run and leaves the others open") {
    acta::SkillRegistry skills;
    acta::stop_source source;
    skills.add("stop", "Stops the run.", [&](acta::SkillContext& context) {
        source.request_stop();
        context.check();
    });
    std::atomic<int> ran = 0;
    skills.add("count", "Counts.", [&] { return ++ran; });
    History history = asked_to("Go.");
    const ScriptedChatModel model = model_of({call("a", "stop"), call("b", "count")});
    const RunOptions options{.max_parallel = 1, .until = {.stop = source.get_token()}};
    CHECK(driven::run_agent(model, skills, history, options).end == RunEnd::stopped);
    CHECK(ran == 0);
    REQUIRE(history[0].tool_results.size() == 1);
    CHECK_THAT(result(history, 0), contains_text("cancelled"));
    CHECK_FALSE(history[0].result.has_value());
    CHECK(driven::run_agent(model, skills, history).answer == "Done.");
    CHECK(ran == 1);
}

TEST_CASE("each call is approved, changed or refused before it runs") {
    acta::SkillRegistry skills;
    std::vector<std::string> removed;
    skills.add(
        "remove", "Removes a file.", [&](const std::string& path) { removed.push_back(path); },
        acta::param("path", "The file."));
    const ScriptedChatModel model =
        model_of({call("a", "remove", {{"path", "a"}}), call("b", "remove", {{"path", "/"}}),
                  call("c", "remove", {{"path", "c"}}), call("d", "erase")});
    History history = asked_to("Go.");
    std::vector<std::string> questions;
    RunOptions options{.max_parallel = 1};
    options.approve = [&](const acta::AssistantToolCall& one) {
        questions.push_back(one.id);
        CHECK(removed.empty());
        if (one.id == "b") return Approval::no("Not the root.");
        if (one.id == "c") return Approval::with({{"path", "c.bak"}});
        return Approval::yes();
    };
    CHECK(driven::run_agent(model, skills, history, options).end == RunEnd::answered);
    CHECK(questions == std::vector<std::string>{"a", "b", "c"});  // a tool that there is not is not asked about
    CHECK(removed == std::vector<std::string>{"a", "c.bak"});
    CHECK_THAT(result(history, 1), contains_text("Not the root."));
    CHECK(acta::to_string(history[0].action.use_tools[2]) == "remove(path='c.bak')");
    // The model is told what ran, and what was said.
    const std::vector<ChatMessage> shown = model.requests().back().messages;
    CHECK(acta::to_string(shown[1].tool_calls[2].function) == "remove(path='c.bak')");
    CHECK(shown.back() == ChatMessage::user("Not the root."));
    CHECK(acta::status(*history[0].result) == acta::ResultStatus::interrupted_by_human);
}

TEST_CASE("tools report their progress") {
    acta::SkillRegistry skills;
    skills.add("work", "Works.", [](acta::SkillContext& context) {
        context.report_progress({.done = 1, .total = 2, .message = "half"});
        return "worked";
    });
    const ScriptedChatModel model = model_of({call("a", "work"), call("b", "work")});
    History history = asked_to("Go.");
    std::vector<std::string> reports;
    RunOptions options;
    options.on_event =
        acta::on([&](const acta::CallProgressed& one) { reports.push_back(one.call.id + " " + one.progress.message); });
    static_cast<void>(driven::run_agent(model, skills, history, options));
    std::ranges::sort(reports);
    CHECK(reports == std::vector<std::string>{"a half", "b half"});
    // An exception ends the run, and the call as it would have ended.
    const ScriptedChatModel again = model_of({call("a", "work")});
    History other = asked_to("Go.");
    options.on_event = acta::on([](const acta::CallProgressed&) { throw std::runtime_error("the screen is gone"); });
    CHECK_THROWS_WITH(driven::run_agent(again, skills, other, options), "the screen is gone");
    CHECK(acta::to_string(*other[0].result) == "worked");
}

TEST_CASE("no two functions of the options are called at once") {
    acta::SkillRegistry skills;
    skills.add("work", "Works.", [](acta::SkillContext& context) {
        for (int i = 0; i < 20; ++i) context.report_progress({.done = static_cast<double>(i)});
    });
    Calls calls;
    for (int i = 0; i < 16; ++i) calls.push_back(call("c" + std::to_string(i), "work"));
    const ScriptedChatModel model = model_of(calls);
    History history = asked_to("Go.");
    int inside = 0;
    int calls_seen = 0;
    const auto visit = [&] {
        CHECK(++inside == 1);
        ++calls_seen;
        --inside;
    };
    RunOptions options;
    options.on_event =
        acta::on([&](const acta::CallStarted&) { visit(); }, [&](const acta::CallCompleted&) { visit(); },
                 [&](const acta::CallProgressed&) { visit(); });
    CHECK(driven::run_agent(model, skills, history, options).end == RunEnd::answered);
    CHECK(calls_seen == 16 * 22);
}

namespace {

/// What is kept of a run can be saved and loaded, whatever the model said.
void check_kept(const History& history) {
    CHECK(acta::parse<History>(acta::dump(history, {.round_trip = true})) == history);
}

}  // namespace

TEST_CASE("words of a model that are not UTF-8 are recorded with replacement characters") {
    acta::SkillRegistry skills;
    skills.add(
        "echo", "Repeats.", [](const std::string& text) { return text; }, "text");
    acta::ChatCompletion first;
    first.message.content = "I\xFF see";
    first.message.reasoning_content = "\xC3";
    first.message.tool_calls = {call(std::string("a\0\xFF", 3), "echo", {{"text", "b\xFE"}}),
                                call("c\xFF", "ec\xFFho", {{"\xFF", "x"}})};
    ScriptedChatModel model;
    model.reply(std::move(first)).reply("Done\xFF.");
    History history = asked_to("Go.");
    RunOptions options;
    options.approve = [](const acta::AssistantToolCall& one) {
        return one.function.name == "echo" ? Approval::yes() : Approval::no("no\xFF!");
    };
    const acta::RunResult done = driven::run_agent(model, skills, history, options);
    CHECK(done.answer == "Done\uFFFD.");
    CHECK(history[0].action.thoughts == "I\uFFFD see");
    CHECK(history[0].tool_results.at(0).tool_call_id == "a\uFFFD\uFFFD");
    CHECK(result(history, 0) == "b\uFFFD");
    check_kept(history);
}

TEST_CASE("a refusal in words that are not UTF-8 is recorded with replacement characters") {
    acta::SkillRegistry skills;
    skills.add(
        "echo", "Repeats.", [](const std::string& text) { return text; }, "text");
    ScriptedChatModel model = model_of({call("a", "echo", {{"text", "b"}})});
    History history = asked_to("Go.");
    RunOptions options;
    options.approve = [](const acta::AssistantToolCall&) { return Approval::no("\xFF"); };
    driven::run_agent(model, skills, history, options);
    CHECK_THAT(acta::to_string(*history[0].result), contains_text("\uFFFD"));
    check_kept(history);
}

TEST_CASE("arguments that no record can have are an error of that call alone") {
    acta::SkillRegistry skills;
    skills.add(
        "keep", "Keeps.", [](const acta::Json& x) { return x.dump().size(); }, "x");
    acta::Json deep = 1;
    for (int i = 0; i < 122; ++i) deep = acta::Json::array({std::move(deep)});
    ScriptedChatModel model = model_of(
        {call("a", "keep", {{"x", deep}}), call("b", "keep", {{"x", HUGE_VAL}}), call("c", "keep", {{"x", 1}})});
    History history = asked_to("Go.");
    driven::run_agent(model, skills, history);
    CHECK_THAT(result(history, 0), contains_text("Input should be nested at most 100 levels deep"));
    CHECK_THAT(result(history, 1), contains_text("x: Input should be a finite number"));
    CHECK(result(history, 2) == "1");
    check_kept(history);
}
