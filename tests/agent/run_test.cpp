// SPDX-License-Identifier: MIT
#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/skill/execute.hpp"

#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "agent/driver.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

namespace {

using acta::ChatMessage;
using acta::ChatRole;
using acta::RunEnd;
using acta::RunOptions;
using acta::ScriptedChatModel;
using History = acta::EpisodicActionHistory<>;

acta::SkillRegistry tide_skills() {
    acta::SkillRegistry skills;
    skills.add(
        "high_water", "When high water is.", [](const std::string& port) { return port + " 12:15"; },
        acta::param("port", "The port."));
    return skills;
}

acta::ChatCompletion completion(std::string text, std::int64_t prompt, std::int64_t answer) {
    acta::ChatCompletion out;
    out.message.content = std::move(text);
    out.usage = acta::TokenUsage{.prompt_tokens = prompt, .completion_tokens = answer, .cached_tokens = 1};
    out.model = "m-1";
    return out;
}

acta::ChatCompletion calling(std::string port, std::int64_t prompt, std::int64_t answer) {
    acta::ChatCompletion out = completion("Look.", prompt, answer);
    out.message.tool_calls = {{"c1", {"high_water", {{"port", std::move(port)}}}}};
    return out;
}

/// A model that calls the tool again and again, each time for another port.
acta::AnyChatModel restless() {
    return [n = 0](std::span<const ChatMessage>, const acta::ChatOptions&) mutable {
        return calling("port " + std::to_string(n++), 10, 2);
    };
}

}  // namespace

TEST_CASE("a run calls tools until the model answers") {
    ScriptedChatModel model;
    model.reply_call("high_water", {{"port", "Brest"}}).reply("At 12:15.");
    History history = asked_to("When is high water in Brest?");
    const acta::RunResult run = driven::run_agent(model, tide_skills(), history);
    CHECK(run.end == RunEnd::answered);
    CHECK(run.answer == "At 12:15.");
    CHECK(run.steps == 1);
    CHECK(run.requests == 2);
    CHECK_FALSE(run.error.has_value());
    CHECK(history.size() == 1);
    CHECK(acta::to_string(*history[0].result) == "Brest 12:15");
    REQUIRE(history.answer() != nullptr);
    CHECK(history.answer()->content == "At 12:15.");
    // The model sees what was asked, its call and the result, and the tools.
    const std::vector<acta::ChatRequest> requests = model.requests();
    REQUIRE(requests.size() == 2);
    CHECK(requests[0].messages == std::vector<ChatMessage>{ChatMessage::user("When is high water in Brest?")});
    REQUIRE(requests[1].messages.size() == 3);
    CHECK(requests[1].messages[2].content == "Brest 12:15");
    CHECK(requests[1].options.tools == acta::tools(tide_skills()));
}

TEST_CASE("instructions are one message at the beginning, and not in the history") {
    ScriptedChatModel model{"a", "b"};
    History history = asked_to("Hi!");
    const RunOptions options{.instructions = "Be brief."};
    static_cast<void>(driven::run_agent(model, {}, history, options));
    CHECK(model.requests().back().messages ==
          std::vector<ChatMessage>{ChatMessage::system("Be brief."), ChatMessage::user("Hi!")});
    CHECK(history.messages().size() == 2);
    History instructed;
    instructed.register_message(ChatMessage::system("You know tides."));
    instructed.register_message(ChatMessage::user("Hi!"));
    static_cast<void>(driven::run_agent(model, {}, instructed, options));
    CHECK(model.requests().back().messages ==
          std::vector<ChatMessage>{ChatMessage::system("Be brief.\n\nYou know tides."), ChatMessage::user("Hi!")});
}

TEST_CASE("there must be something to work on") {
    History history;
    CHECK_THROWS_WITH(driven::run_agent(ScriptedChatModel{"a"}, {}, history), contains_text("nothing to work on"));
    history.register_message(ChatMessage::system("Be brief."));
    CHECK_THROWS_AS(driven::run_agent(ScriptedChatModel{"a"}, {}, history), acta::Error);
    CHECK(history.messages().size() == 1);
}

TEST_CASE("a run ends at its limits, and the next one goes on from there") {
    const acta::SkillRegistry skills = tide_skills();
    const acta::AnyChatModel model = restless();
    History history = asked_to("Look at all ports.");
    acta::RunResult run = driven::run_agent(model, skills, history, {.limits = {.requests = 3}});
    CHECK(run.end == RunEnd::max_steps);
    CHECK(run.requests == 3);
    CHECK(run.steps == 3);
    run = driven::run_agent(model, skills, history, {.limits = {.tokens = 20, .count_history = false}});
    CHECK(run.end == RunEnd::max_tokens);
    CHECK(run.usage == acta::TokenUsage{.prompt_tokens = 20, .completion_tokens = 4, .cached_tokens = 2});
    const auto price = [](const acta::ChatCompletion& one) {
        return acta::TokenPrices{.prompt = 1e6, .completion = 2e6, .cached = 0}.cost(*one.usage);
    };
    run =
        driven::run_agent(model, skills, history, {.limits = {.cost_usd = 26, .count_history = false}, .price = price});
    CHECK(run.end == RunEnd::max_cost);
    CHECK(run.steps == 2);
    CHECK(run.cost_usd == 26);  // (9 + 2 * 2) each
    CHECK(history.size() == 7);
    CHECK(run.answer.empty());
}

TEST_CASE("a stop and a deadline end a run between requests") {
    acta::stop_source source;
    History history = asked_to("Go.");
    RunOptions options{.until = {.stop = source.get_token()}};
    options.on_event = acta::on([&](const acta::StepCompleted& done) {
        if (done.step == 1) source.request_stop();
    });
    CHECK(driven::run_agent(restless(), tide_skills(), history, options).end == RunEnd::stopped);
    CHECK(history.size() == 2);
    RunOptions late{.until = {.deadline = std::chrono::steady_clock::now()}};
    CHECK(driven::run_agent(restless(), tide_skills(), history, late).end == RunEnd::stopped);
    CHECK(history.size() == 2);
    // A model that is stopped throws.
    const auto stopped = [&](std::span<const ChatMessage>, const acta::ChatOptions& chat) -> acta::ChatCompletion {
        CHECK(chat.until.stop.stop_requested());
        throw acta::Cancelled();
    };
    acta::stop_source other;
    RunOptions during{.until = {.stop = other.get_token()}};
    const auto stops = [&](std::span<const ChatMessage> messages, const acta::ChatOptions& chat) {
        other.request_stop();
        return stopped(messages, chat);
    };
    const acta::RunResult run = driven::run_agent(stops, tide_skills(), history, during);
    CHECK(run.end == RunEnd::stopped);
    CHECK_FALSE(run.error.has_value());
}

TEST_CASE("an agent that repeats itself is stuck") {
    const auto model = [](std::span<const ChatMessage>, const acta::ChatOptions&) { return calling("Brest", 1, 1); };
    History history = asked_to("Go.");
    acta::RunResult run = driven::run_agent(model, tide_skills(), history);
    CHECK(run.end == RunEnd::stuck);
    REQUIRE(run.stuck.has_value());
    CHECK(acta::to_string(run) == "stuck: steps 1 to 4: the same calls had the same result");
    CHECK(run.stuck->pattern == acta::StuckPattern::same_result);
    CHECK(history.size() == 4);
    run = driven::run_agent(model, tide_skills(), history,
                            {.limits = {.requests = 2, .count_history = false}, .stuck = {.same_result = 0}});
    CHECK(run.end == RunEnd::max_steps);
}

TEST_CASE("a model that fails ends the run with its error") {
    ScriptedChatModel model;
    model.fail(std::runtime_error("no connection")).reply("At noon.");
    History history = asked_to("When?");
    const acta::RunResult run = driven::run_agent(model, {}, history);
    CHECK(run.end == RunEnd::failed);
    REQUIRE(run.error.has_value());
    CHECK(run.error->message == "no connection");
    CHECK(run.error->exception_type == "runtime_error");
    CHECK(acta::to_string(run) == "failed: no connection");
    CHECK(driven::run_agent(model, {}, history).answer == "At noon.");
}

TEST_CASE("a model that answers nothing is asked once more") {
    ScriptedChatModel model{" \n\t\u00A0", "At noon."};
    History history = asked_to("When?");
    CHECK(driven::run_agent(model, {}, history).answer == "At noon.");
    acta::ChatCompletion cut;
    cut.finish_reason = "length";
    ScriptedChatModel silent;
    silent.reply(cut).reply(cut);
    History other = asked_to("When?");
    const acta::RunResult run = driven::run_agent(silent, {}, other);
    CHECK(run.end == RunEnd::failed);
    CHECK(run.error->message == "the model answered nothing, twice (length)");
    CHECK(other.messages().size() == 1);
}

TEST_CASE("an answer with calls is a step with its words as thoughts") {
    ScriptedChatModel model;
    model.reply(calling("Brest", 5, 1)).reply("Done.");
    History history = asked_to("Go.");
    static_cast<void>(driven::run_agent(model, tide_skills(), history));
    CHECK(history[0].action.thoughts == "Look.");
    CHECK(history[0].action.raw_message->tool_calls->front().id == "c1");
}

TEST_CASE("what steps and answers took is in the history") {
    ScriptedChatModel model;
    model.reply(completion("", 7, 0)).reply(calling("Brest", 5, 1)).reply(completion("Done.", 20, 3));
    History history = asked_to("Go.");
    const acta::RunResult run = driven::run_agent(model, tide_skills(), history);
    REQUIRE(history[0].metrics.has_value());
    const acta::StepMetrics& step = *history[0].metrics;
    CHECK(step.prompt_tokens == 12);  // with those of the answer that was empty
    CHECK(step.completion_tokens == 1);
    CHECK(step.cached_tokens == 2);
    CHECK(step.model == "m-1");
    CHECK(step.started_at.has_value());
    CHECK(step.finished_at.has_value());
    const auto& answer = history.messages().back().metrics;
    REQUIRE(answer.has_value());
    CHECK(answer->prompt_tokens == 20);
    CHECK(answer->finished_at.has_value());
    const acta::MetricsTotals total = acta::totals(history);
    CHECK(total.steps == 1);
    CHECK(total.prompt_tokens == 32);
    CHECK(total.completion_tokens == 4);
    CHECK(total.cached_tokens == 3);
    CHECK(run.usage.prompt_tokens == 32);
    CHECK(run.time.count() > 0);
    CHECK(acta::parse<History>(acta::dump(history)) == history);
}

TEST_CASE("a request that is too long is repeated once, shorter") {
    History history = asked_to("Read all.");
    for (int i = 0; i < 30; ++i) {
        history.register_action({.thoughts = "Read.", .use_tool = {"read", {{"part", i}}}});
        history.register_result(acta::ActionSuccessResult{.outputs = "word " + std::string(4000, 'x')});
    }
    const auto size_of = [](std::span<const ChatMessage> messages) {
        std::size_t size = 0;
        for (const ChatMessage& message : messages) size += message.content.size();
        return size;
    };
    std::vector<std::size_t> sizes;
    const auto refuse = [&](std::span<const ChatMessage> messages, const acta::ChatOptions&) -> acta::ChatCompletion {
        sizes.push_back(size_of(messages));
        if (sizes.back() > 24'000)
            throw acta::ChatModelError("too long", {.fault = acta::ChatModelFault::context_too_long, .status = 400});
        return completion("All read.", 1, 1);
    };
    int changes = 0;
    RunOptions counting;
    counting.on_event = acta::on([&changes](const acta::HistoryChanged&) { ++changes; });
    const acta::RunResult run = driven::run_agent(refuse, {}, history, counting);
    CHECK(run.answer == "All read.");
    CHECK(changes == 2);  // the summaries, and the answer
    REQUIRE(sizes.size() == 2);
    CHECK(sizes[1] < sizes[0] / 2);
    CHECK(history[0].summary.has_value());
    // Not again and again.
    History other = asked_to(std::string(30'000, 'x'));
    sizes.clear();
    const acta::RunResult failed = driven::run_agent(refuse, {}, other);
    CHECK(failed.end == RunEnd::failed);
    CHECK(failed.error->message == "too long");
    CHECK(sizes.size() == 2);
}

TEST_CASE("after a request that is too long, each part of the next one has a fraction of what was asked") {
    History history = asked_to("Read all.");
    for (int i = 0; i < 40; ++i) {
        history.register_action({.thoughts = "Read.", .use_tool = {"read", {{"part", i}}}});
        history.register_result(acta::ActionSuccessResult{.outputs = std::string(300, 'x')});
    }
    history.set_rolling_summary({.text = std::string(3000, 'Q'), .first = 0, .last = 9});
    std::vector<std::string> asked;
    const auto model = [&](std::span<const ChatMessage> messages, const acta::ChatOptions&) {
        std::string all;
        for (const ChatMessage& message : messages) all += message.content;
        asked.push_back(std::move(all));
        if (asked.size() == 1) throw acta::ChatModelError("", {.fault = acta::ChatModelFault::context_too_long});
        return completion("All read.", 1, 1);
    };
    RunOptions options;
    options.summarizer = [](std::string_view, const acta::SummaryRequest&) { return std::string(100, 'S'); };
    options.budget.count_tokens = [](std::string_view text) { return text.size(); };
    options.budget.max_tokens = options.budget.max_rolling_tokens = 4000;
    CHECK(driven::run_agent(model, {}, history, options).answer == "All read.");
    REQUIRE(asked.size() == 2);
    const auto shown = [&](std::size_t request, char letter) {
        return static_cast<std::size_t>(std::ranges::count(asked[request], letter));
    };
    CHECK(shown(0, 'Q') == 3000);
    CHECK(shown(0, 'x') > 4 * 300);
    CHECK(shown(1, 'S') > 0);
    CHECK(shown(1, 'S') <= asked[0].size() / 8);
    CHECK(shown(1, 'Q') <= asked[0].size() / 8);
    CHECK(shown(1, 'x') > 0);
    CHECK(shown(1, 'x') <= asked[0].size() / 4);
    for (std::size_t i = 0; i < history.size(); ++i) CHECK(history[i].summary.has_value() == (i < 39));
}

TEST_CASE("text is passed on as it streams") {
    const auto model = [](std::span<const ChatMessage>, const acta::ChatOptions& chat) {
        for (const char* const part : {"At ", "noon."}) chat.on_text(part);
        return completion("At noon.", 1, 1);
    };
    History history = asked_to("When?");
    std::string text;
    RunOptions options;
    options.on_text = [&](std::string_view part) { text += part; };
    CHECK(driven::run_agent(model, {}, history, options).answer == "At noon.");
    CHECK(text == "At noon.");
    options.on_text = [](std::string_view) { throw std::runtime_error("the screen is gone"); };
    History other = asked_to("When?");
    CHECK_THROWS_WITH(driven::run_agent(model, {}, other, options), "the screen is gone");
    CHECK(other.messages().size() == 1);
}

TEST_CASE("a shared history can be watched and steered while it runs") {
    acta::SharedHistory<> history;
    history.lock()->register_message(ChatMessage::user("Go."));
    ScriptedChatModel model;
    model.reply_call("high_water", {{"port", "Brest"}}).reply("Done.");
    RunOptions options;
    options.on_event = acta::on([&](const acta::StepCompleted&) {
        CHECK(history.size() == 1);
        history.append_user_feedback("Faster!");
    });
    CHECK(driven::run_agent(model, tide_skills(), history, options).answer == "Done.");
    CHECK(model.requests().back().messages.back() == ChatMessage::user("Faster!"));
}

TEST_CASE("proposals may be of any type whose thoughts are made from text") {
    using Json = acta::EpisodicActionHistory<acta::ActionProposal<acta::Json>>;
    Json history;
    history.register_message(ChatMessage::user("Go."));
    ScriptedChatModel model;
    model.reply_call("high_water", {{"port", "Brest"}}).reply("Done.");
    CHECK(driven::run_agent(model, tide_skills(), history).answer == "Done.");
    CHECK(history[0].action.thoughts == "");
}

TEST_CASE("the ends of runs have names") {
    CHECK(acta::to_string(RunEnd::answered) == "answered");
    CHECK(acta::to_string(RunEnd::max_steps) == "max_steps");
    CHECK(acta::to_string(RunEnd::max_tokens) == "max_tokens");
    CHECK(acta::to_string(RunEnd::max_cost) == "max_cost");
    CHECK(acta::to_string(RunEnd::stopped) == "stopped");
    CHECK(acta::to_string(RunEnd::stuck) == "stuck");
    CHECK(acta::to_string(RunEnd::failed) == "failed");
}
