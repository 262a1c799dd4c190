// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cstdint>
#include <functional>
#include <map>
#include <optional>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/base/retry.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/describe/describe.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

// Typed answers, guardrails, prepared requests, limits of tools.
namespace agent_test {

struct TideReport {
    std::string port{};
    int minutes = 0;
};

}  // namespace agent_test

template <>
struct acta::Describe<agent_test::TideReport> {
    using T = agent_test::TideReport;
    static constexpr auto fields = acta::fields(required("port", &T::port), required("minutes", &T::minutes));
};

namespace {

using acta::ChatMessage;
using acta::RunEnd;
using acta::RunOptions;
using acta::ScriptedChatModel;
using agent_test::TideReport;
using History = acta::EpisodicActionHistory<>;

acta::ChatCompletion port_calls(int count) {
    acta::ChatCompletion out;
    out.message.tool_calls.emplace();
    for (int i = 0; i < count; ++i) out.message.tool_calls->push_back({"c" + std::to_string(i), {"port", {{"n", i}}}});
    return out;
}

acta::SkillRegistry port_skills(std::atomic<int>& ran) {
    acta::SkillRegistry skills;
    skills.add(
        "port", "Looks at a port.", [&ran](int n) { return ++ran, n; }, acta::param("n", "Which."));
    return skills;
}

}  // namespace

TEST_CASE("an answer of a described type is validated, and asked for again with the issues") {
    std::atomic<int> ran = 0;
    const acta::SkillRegistry skills = port_skills(ran);
    ScriptedChatModel model;
    model.reply("At noon.")
        .reply(R"({"port": "Brest"})")
        .reply(port_calls(1))
        .reply("```json\n{\"port\": \"Brest\", \"minutes\": 735}\n```");
    History history = asked_to("When is high water in Brest?");
    const auto run = acta::run_agent<TideReport>(model, skills, history);
    CHECK(run.end == RunEnd::answered);
    REQUIRE(run.value.has_value());
    CHECK(run.value->port == "Brest");
    CHECK(run.value->minutes == 735);
    CHECK(run.requests == 4);
    CHECK(ran == 1);
    const std::vector<acta::ChatRequest> requests = model.requests();
    for (const acta::ChatRequest& one : requests) {
        REQUIRE(one.options.response_schema.has_value());
        CHECK_THAT(acta::dump(*one.options.response_schema), contains_text("minutes"));
    }
    CHECK_THAT(requests[2].messages.back().content, contains_text("minutes"));
    CHECK_THAT(requests[2].messages.back().content, contains_text("Field required"));
    // The record has what was said.
    CHECK(history.messages().size() == 6);
    // The answer is there: nobody is asked.
    const auto again = acta::run_agent<TideReport>(model, skills, history);
    CHECK(again.value->minutes == 735);
    CHECK(again.requests == 0);
}

TEST_CASE("a run whose answers do not fit fails after so many of them, and can go on") {
    ScriptedChatModel model{"1", "2", "3", R"({"port": "Brest", "minutes": 1})"};
    History history = asked_to("When is high water in Brest?");
    const auto run = acta::run_agent<TideReport>(model, {}, history);
    CHECK(run.end == RunEnd::failed);
    CHECK(run.requests == 3);
    CHECK(run.error->exception_type == "AnswerRefused");
    CHECK_FALSE(run.value.has_value());
    CHECK(run.answer.empty());
    CHECK(acta::run_agent<TideReport>(model, {}, history).value->minutes == 1);
    ScriptedChatModel once{"1", "2"};
    History other = asked_to("When is high water in Brest?");
    CHECK(acta::run_agent<TideReport>(once, {}, other, {.max_answer_attempts = 0}).requests == 1);
}

TEST_CASE("an answer that was cut off has no value") {
    ScriptedChatModel model;
    acta::ChatCompletion cut;
    cut.message.content = R"({"port": "Brest", "minutes": 1})";
    cut.finish_reason = "length";
    model.reply(cut);
    History history = asked_to("When is high water in Brest?");
    const auto run = acta::run_agent<TideReport>(model, {}, history);
    CHECK(run.end == RunEnd::truncated);
    CHECK_FALSE(run.value.has_value());
}

TEST_CASE("a model without native calls is told the schema of its answer") {
    ScriptedChatModel model{R"({"port": "Brest", "minutes": 1})"};
    acta::SharedHistory<> history(asked_to("When is high water in Brest?"));
    const auto run =
        acta::run_agent<TideReport>(model, {}, history, {.instructions = "Be brief.", .native_calls = false});
    CHECK(run.value->minutes == 1);
    const acta::ChatRequest request = model.requests().front();
    CHECK_FALSE(request.options.response_schema.has_value());
    CHECK_THAT(request.messages.front().content, starts_with_text("Be brief.\n\nAnswer with JSON alone"));
}

TEST_CASE("an answer is accepted or refused with feedback") {
    ScriptedChatModel model{"5 ft", "1.5 m"};
    History history = asked_to("When is high water in Brest?");
    RunOptions options;
    std::vector<std::string> seen;
    options.on_answer = [&](const acta::AssistantChatMessage& answer) -> std::optional<std::string> {
        seen.push_back(answer.content);
        if (answer.content.ends_with("ft")) return "In metres, please.\xFF";
        return std::nullopt;
    };
    const acta::RunResult run = acta::run_agent(model, {}, history, options);
    CHECK(run.answer == "1.5 m");
    CHECK(seen == std::vector<std::string>{"5 ft", "1.5 m"});
    CHECK(model.requests().back().messages.back() == ChatMessage::user("In metres, please.\uFFFD"));
    CHECK(acta::parse<History>(acta::dump(history)) == history);
    // Also of a typed answer, after it was read; and what it throws is thrown.
    ScriptedChatModel typed{R"({"port": "Brest", "minutes": -1})", R"({"port": "Brest", "minutes": 1})"};
    History other = asked_to("When is high water in Brest?");
    options.on_answer = [](const acta::AssistantChatMessage& answer) -> std::optional<std::string> {
        if (answer.content.find("-1") != std::string::npos) return "Not below zero.";
        return std::nullopt;
    };
    CHECK(acta::run_agent<TideReport>(typed, {}, other, options).value->minutes == 1);
    ScriptedChatModel last{"At noon."};
    History third = asked_to("When is high water in Brest?");
    options.on_answer = [](const acta::AssistantChatMessage&) -> std::optional<std::string> {
        throw std::runtime_error("no judge");
    };
    CHECK_THROWS_WITH(acta::run_agent(last, {}, third, options), "no judge");
    CHECK(third.answer()->content == "At noon.");
}

TEST_CASE("each request is prepared before it is made") {
    std::atomic<int> ran = 0;
    const acta::SkillRegistry skills = port_skills(ran);
    ScriptedChatModel model;
    model.reply(port_calls(1)).reply(port_calls(1)).reply("Done.");
    History history = asked_to("When is high water in Brest?");
    RunOptions options{.instructions = "Be brief."};
    int prepared = 0;
    options.prepare = [&](acta::AskModel& request) {
        CHECK(request.messages.front().content == "Be brief.");
        request.messages.front().content += " Round " + std::to_string(++prepared) + ".";
        request.options.model = "m-" + std::to_string(prepared);
        if (prepared == 2) request.options.tools.clear();
    };
    CHECK(acta::run_agent(model, skills, history, options).answer == "Done.");
    CHECK(prepared == 3);
    CHECK(model.requests()[1].messages.front().content == "Be brief. Round 2.");
    CHECK(model.requests()[1].options.model == "m-2");
    CHECK(ran == 1);  // the second round had no such tool
    CHECK_THAT(acta::to_string(*history[1].result), contains_text("is not available"));
}

namespace {
/// The clock of repetitions, which does not wait.
class WaitsNoted {
public:
    WaitsNoted() {
        acta::base::retry_clock().jitter = [] { return 0.0; };
        acta::base::retry_clock().wait = [this](std::chrono::nanoseconds time, const acta::stop_token&) {
            waits.push_back(std::chrono::duration_cast<std::chrono::milliseconds>(time).count());
            if (on_wait) on_wait();
        };
    }
    ~WaitsNoted() { acta::base::retry_clock() = {}; }
    WaitsNoted(const WaitsNoted&) = delete;
    WaitsNoted& operator=(const WaitsNoted&) = delete;

    std::vector<std::int64_t> waits{};  // in milliseconds
    std::function<void()> on_wait{};
};

/// Runs a tool that fails with this error, and returns what it returned.
std::string result_of_busy(const RunOptions& options, const acta::RetrySkill& error) {
    acta::SkillRegistry skills;
    skills.add("busy", "Is busy.", [&error]() -> std::string { throw error; });
    ScriptedChatModel model;
    model.reply_call("busy", {}).reply("Done.");
    History history = asked_to("When is high water in Brest?");
    acta::run_agent(model, skills, history, options);
    return history[0].result ? acta::to_string(*history[0].result) : "open";
}
}  // namespace

TEST_CASE("a call that is retried waits longer each time, and as long as its skill asks for") {
    WaitsNoted clock;
    RunOptions options;
    options.limits.tools["busy"].max_retries = 4;
    CHECK_THAT(result_of_busy(options, acta::RetrySkill("busy")), contains_text("busy"));
    CHECK(clock.waits == std::vector<std::int64_t>{250, 500, 1000, 2000});
    clock.waits.clear();
    options.limits.tools["busy"] = {.max_retries = 2, .max_delay = std::chrono::milliseconds(600)};
    CHECK_THAT(result_of_busy(options, acta::RetrySkill("busy", std::chrono::seconds(3))), contains_text("busy"));
    CHECK(clock.waits == std::vector<std::int64_t>{3000, 3000});
    clock.waits.clear();
    CHECK_THAT(result_of_busy(options, acta::RetrySkill("busy", std::chrono::hours(3))), contains_text("busy"));
    CHECK(clock.waits.empty());  // longer than `max_retry_after`
}

TEST_CASE("no call waits for its repetition beyond a deadline or a stop") {
    WaitsNoted clock;
    RunOptions options;
    options.limits.tools["busy"].max_retries = 100;
    options.limits.tools["busy"].first_delay = std::chrono::seconds(4);
    options.call_timeout = std::chrono::seconds(1);
    CHECK_THAT(result_of_busy(options, acta::RetrySkill("busy")), contains_text("busy"));
    CHECK(clock.waits.empty());
    options.call_timeout = {};
    options.until.deadline = acta::deadline_in(std::chrono::seconds(1));
    CHECK_THAT(result_of_busy(options, acta::RetrySkill("busy")), contains_text("busy"));
    CHECK(clock.waits.empty());
    options.until.deadline = {};
    acta::stop_source source;
    options.until.stop = source.get_token();
    clock.on_wait = [&source] { source.request_stop(); };
    CHECK_THAT(result_of_busy(options, acta::RetrySkill("busy")), contains_text("busy"));
    CHECK(clock.waits.size() == 1);
}

namespace mylib {
class RetrySkill : public std::runtime_error {
    using std::runtime_error::runtime_error;
};
class Busy : public acta::RetrySkill {
    using acta::RetrySkill::RetrySkill;
};
}  // namespace mylib

TEST_CASE("a call is retried for the exception that was thrown, not for its name or a result") {
    const WaitsNoted clock;
    const auto tries = [](const std::function<acta::ActionResult()>& function) {
        int tried = 0;
        acta::SkillRegistry skills;
        skills.add("pay", "Pays.", [&]() -> acta::ActionResult {
            ++tried;
            return function();
        });
        ScriptedChatModel model;
        model.reply_call("pay", {}).reply("Done.");
        History history = asked_to("When is high water in Brest?");
        RunOptions options;
        options.limits.tools["pay"].max_retries = 2;
        CHECK(acta::run_agent(model, skills, history, options).answer == "Done.");
        return tried;
    };
    CHECK(tries([]() -> acta::ActionResult { throw mylib::RetrySkill("card declined"); }) == 1);
    CHECK(tries([]() -> acta::ActionResult {
              acta::ActionErrorResult declined{.reason = "card declined"};
              declined.error = acta::ErrorInfo{
                  .args = {"card declined", 60000}, .message = "card declined", .exception_type = "RetrySkill"};
              return declined;
          }) == 1);
    CHECK(tries([]() -> acta::ActionResult { throw mylib::Busy("busy"); }) == 3);
    CHECK(clock.waits == std::vector<std::int64_t>{250, 500});
}

TEST_CASE("an attempt at a call returns beside its result whether it may be repeated") {
    acta::SkillRegistry skills;
    skills.add("busy", "Is busy.", []() -> std::string { throw acta::RetrySkill("busy", std::chrono::seconds(3)); });
    skills.add("fine", "Works.", [] { return 1; });
    const acta::SkillRunOptions in_thread{.until = {.deadline = acta::deadline_in(std::chrono::minutes(1))}};
    for (const acta::SkillRunOptions& options : {acta::SkillRunOptions(), in_thread}) {
        const acta::SkillOutcome busy = skills.attempt({"busy", {}}, options);
        REQUIRE(busy.retry);
        CHECK(busy.retry->after == std::chrono::seconds(3));
        const auto& error = std::get<acta::ActionErrorResult>(busy.result);
        CHECK(error.reason == "busy");
        CHECK(error.error->exception_type == "RetrySkill");
        CHECK(error.error->args == std::vector<acta::Json>{"busy"});
        CHECK_FALSE(skills.attempt({"fine", {}}, options).retry);
        CHECK_FALSE(skills.attempt({"missing", {}}, options).retry);
    }
}

TEST_CASE("prices simply are the price of a run") {
    ScriptedChatModel model;
    acta::ChatCompletion answer;
    answer.message.content = "Done.";
    answer.usage = acta::TokenUsage{.prompt_tokens = 10, .completion_tokens = 1};
    model.reply(answer);
    History history = asked_to("When is high water in Brest?");
    const RunOptions options{.price = acta::TokenPrices{.prompt = 1e6, .completion = 2e6}};
    CHECK(acta::run_agent(model, {}, history, options).cost_usd == 12);
}

TEST_CASE("the error of a run has the faults of the last answer, not what the model reads") {
    ScriptedChatModel model{"1", R"({"port": "Brest"})"};
    History history = asked_to("When is high water in Brest?");
    const auto run = acta::run_agent<TideReport>(model, {}, history, {.max_answer_attempts = 2});
    CHECK_THAT(run.error->message, contains_text("Field required"));
    CHECK_FALSE(contains_text("Answer again").match(run.error->message));
    CHECK_FALSE(contains_text("\"minutes\"").match(run.error->message));  // as in the schema
    CHECK(history.runs().back().error->message == run.error->message);
    // The schema is repeated once, as for `ask`.
    REQUIRE(history.messages().size() == 5);
    CHECK_THAT(history.messages()[2].message.content, contains_text("\"minutes\""));
    CHECK_FALSE(contains_text("\"minutes\"").match(history.messages()[4].message.content));
}

TEST_CASE("ask and a run of a type send and read the same") {
    for (const bool in_text : {false, true}) {
        ScriptedChatModel asked{"1", "It is {\"port\": \"Brest\", \"minutes\": 735}."};
        acta::ChatOptions options;
        options.schema_in_text = in_text;
        const std::string question = "When is high water in Brest?";
        CHECK(acta::ask<TideReport>(asked, question, options).minutes == 735);
        const std::vector<acta::ChatRequest> by_ask = asked.requests();
        ScriptedChatModel other{"1", "It is {\"port\": \"Brest\", \"minutes\": 735}."};
        History history = asked_to("When is high water in Brest?");
        CHECK(acta::run_agent<TideReport>(other, {}, history, {.chat = options}).value->minutes == 735);
        const std::vector<acta::ChatRequest> by_run = other.requests();
        REQUIRE(by_ask.size() == by_run.size());
        for (std::size_t i = 0; i < by_ask.size(); ++i) {
            CHECK(by_ask[i].messages == by_run[i].messages);
            CHECK(by_ask[i].options.response_schema == by_run[i].options.response_schema);
        }
    }
}

TEST_CASE("a type whose schema servers do not enforce is reported before the first request") {
    std::vector<std::string> events;
    RunOptions options;
    options.on_event = acta::on([&](const acta::SchemaNotStrict& one) { events.push_back(one.reason); },
                                [&](const acta::RequestStarted&) { events.emplace_back("request"); });
    ScriptedChatModel model{R"({"brest": 735})", R"({"port": "Brest", "minutes": 735})"};
    History history = asked_to("When is high water in Brest?");
    CHECK(acta::run_agent<std::map<std::string, int>>(model, {}, history, options).value->at("brest") == 735);
    REQUIRE(events.size() == 2);
    CHECK_THAT(events[0], contains_text("named keys"));
    events.clear();
    History other = asked_to("When is high water in Brest?");
    CHECK(acta::run_agent<TideReport>(model, {}, other, options).value->minutes == 735);
    CHECK(events == std::vector<std::string>{"request"});
}
