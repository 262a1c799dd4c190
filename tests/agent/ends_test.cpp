// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <limits>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/base/retry.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "agent/driver.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

// A run says the truth about how it ended, and its limits hold.
namespace {

using acta::Approval;
using acta::ChatMessage;
using acta::RunEnd;
using acta::RunOptions;
using acta::RunResult;
using acta::ScriptedChatModel;
using History = acta::EpisodicActionHistory<>;

/// An answer with this finish reason.
acta::ChatCompletion finished(std::string text, std::string reason) {
    acta::ChatCompletion out;
    out.message.content = std::move(text);
    out.finish_reason = std::move(reason);
    return out;
}

acta::ChatCompletion working(std::vector<acta::AssistantToolCall> calls, std::string reason = "tool_calls") {
    acta::ChatCompletion out;
    out.message.tool_calls = std::move(calls);
    out.finish_reason = std::move(reason);
    return out;
}

/// A model that calls `work` in each answer.
acta::AnyChatModel always_working() {
    return [n = 0](std::span<const ChatMessage>, const acta::ChatOptions&) mutable {
        return working({{"c", {"work", {{"n", ++n}}}}});
    };
}

/// Counts the calls of its skill `work`.
class Works {
public:
    Works() {
        skills_.add(
            "work", "Works.", [this](int n) { return ++count_, n; }, acta::param("n", "A number.", 0));
    }
    Works(const Works&) = delete;
    Works& operator=(const Works&) = delete;
    ~Works() = default;

    [[nodiscard]] const acta::SkillRegistry& skills() const { return skills_; }
    [[nodiscard]] int count() const { return count_; }

private:
    acta::SkillRegistry skills_{};
    std::atomic<int> count_ = 0;
};

std::string call_result(const History& history, std::size_t i) {
    const auto& results = history[0].tool_results;  // none of a step with one call
    return acta::to_string(results.empty() ? *history[0].result : results.at(i).result);
}

}  // namespace

TEST_CASE("an answer that was cut off or refused is not an answer") {
    const std::vector<std::pair<std::string, RunEnd>> ends{{"stop", RunEnd::answered},
                                                           {"", RunEnd::answered},
                                                           {"something_new", RunEnd::answered},
                                                           {"length", RunEnd::truncated},
                                                           {"max_tokens", RunEnd::truncated},
                                                           {"incomplete", RunEnd::truncated},
                                                           {"MAX_TOKENS", RunEnd::truncated},
                                                           {"refusal", RunEnd::refused},
                                                           {"content_filter", RunEnd::refused},
                                                           {"SAFETY", RunEnd::refused},
                                                           {"error", RunEnd::failed}};
    for (const auto& [reason, end] : ends) {
        INFO(reason);
        ScriptedChatModel model;
        model.reply(finished("High water is", reason)).reply("At noon.");
        History history = asked_to("Work.");
        const RunResult run = driven::run_agent(model, {}, history);
        CHECK(run.end == end);
        CHECK(run.finish_reason == reason);
        CHECK(run.answer == "High water is");
        CHECK(run.error.has_value() == (end == RunEnd::failed));
        const bool is_incomplete = end != RunEnd::answered;
        CHECK(history.messages().back().metrics->finish_reason == (is_incomplete ? reason : ""));
        CHECK(acta::parse<History>(acta::dump(history)) == history);
        // The next run says the same, except that it goes on after a failure.
        const RunResult again = driven::run_agent(model, {}, history);
        CHECK(again.end == (end == RunEnd::failed ? RunEnd::answered : end));
        CHECK(model.remaining() == (end == RunEnd::failed ? 0 : 1));
    }
}

TEST_CASE("the record knows how each run ended") {
    Works works;
    ScriptedChatModel model;
    model.reply(working({{"a", {"work", {}}}})).fail(std::runtime_error("the connection was lost"));
    History history = asked_to("Work.");
    CHECK(acta::dump(history).find("runs") == std::string::npos);
    RunOptions options{.price = [](const acta::ChatCompletion&) { return 0.5; }};
    int changes = 0;
    std::string saved;
    options.on_event = acta::on([&](const acta::HistoryChanged&) { ++changes, saved = acta::dump(history); });
    CHECK(driven::run_agent(model, works.skills(), history, options).end == RunEnd::failed);
    REQUIRE(history.runs().size() == 1);
    const acta::RunRecord& failed = history.runs()[0];
    CHECK(acta::to_string(failed) == "failed: the connection was lost");
    CHECK(failed.after == 1);
    CHECK(failed.requests == 2);
    CHECK(failed.cost_usd == 0.5);
    CHECK(failed.usage.estimated);
    CHECK(failed.seconds > 0);
    CHECK(changes == 3);  // the step, the result, the end
    CHECK(saved == acta::dump(history));
    model.reply(finished("Done", "length"));
    CHECK(driven::run_agent(model, works.skills(), history).end == RunEnd::truncated);
    REQUIRE(history.runs().size() == 2);
    CHECK(history.runs()[1].end == "truncated");
    CHECK(history.runs()[1].finish_reason == "length");
    CHECK_FALSE(history.runs()[1].cost_usd.has_value());
    // A run that did nothing is not noted.
    CHECK(driven::run_agent(model, works.skills(), history).end == RunEnd::truncated);
    CHECK(history.runs().size() == 2);
    CHECK(acta::parse<History>(acta::dump(history)) == history);
    const History copy = history;
    CHECK(copy.runs().size() == 2);
    history.rewind(1);
    CHECK(history.runs().empty());
}

TEST_CASE("empty answers count in a row") {
    Works works;
    for (const bool native : {true, false}) {
        ScriptedChatModel model{" ", native ? "No." : "work(x=tides)", " ", "Done."};
        History history = asked_to("Work.");
        RunOptions options{.native_calls = native};
        options.on_answer = [](const acta::AssistantChatMessage& answer) {
            return answer.content == "No." ? std::optional<std::string>("Another one.") : std::nullopt;
        };
        CHECK(driven::run_agent(model, works.skills(), history, options).answer == "Done.");
        CHECK(model.requests().size() == 4);
    }
}

TEST_CASE("the calls of an answer that was cut off never run") {
    for (const std::string reason : {"length", "max_tokens", "incomplete", "content_filter", "error"}) {
        INFO(reason);
        Works works;
        ScriptedChatModel model;
        model.reply(working({{"a", {"work", {}}}, {"b", {"work", {{"n", 2}}}}}, reason)).reply("Sorry.");
        History history = asked_to("Work.");
        RunOptions options;
        options.approve = [](const acta::AssistantToolCall&) -> Approval { throw std::runtime_error("asked"); };
        const RunResult run = driven::run_agent(model, works.skills(), history, options);
        CHECK(works.count() == 0);
        CHECK_THAT(call_result(history, 0), contains_text("did not run: the answer with it was cut off"));
        CHECK_THAT(call_result(history, 1), contains_text(reason));
        const bool goes_on = reason != "content_filter" && reason != "error";
        CHECK(run.answer == (goes_on ? "Sorry." : ""));
        CHECK(run.requests == (goes_on ? 2 : 1));
        if (reason == "content_filter") CHECK(run.end == RunEnd::refused);
        if (reason == "error") CHECK(run.end == RunEnd::failed);
    }
    // Those in its text neither.
    Works works;
    ScriptedChatModel model;
    model.reply(finished("work(n=1)\nwork(n=", "length"));
    History history = asked_to("Work.");
    CHECK(driven::run_agent(model, works.skills(), history, {.native_calls = false}).end == RunEnd::truncated);
    CHECK(works.count() == 0);
}

TEST_CASE("calls beyond the limit of a step have an error as their result") {
    Works works;
    std::vector<acta::AssistantToolCall> calls;
    for (int i = 0; i < 130; ++i) calls.push_back({"c" + std::to_string(i), {"work", {{"n", i}}}});
    ScriptedChatModel model;
    model.reply(working(calls)).reply("Done.");
    History history = asked_to("Work.");
    CHECK(driven::run_agent(model, works.skills(), history).answer == "Done.");
    CHECK(works.count() == 128);
    CHECK(call_result(history, 127) == "127");
    CHECK_THAT(call_result(history, 128), contains_text("at most 128 calls"));
    Works few;
    model.reply(working({{"a", {"work", {}}}, {"b", {"work", {}}}})).reply("Done.");
    History other = asked_to("Work.");
    CHECK(driven::run_agent(model, few.skills(), other, {.limits = {.calls_per_step = 1}}).answer == "Done.");
    CHECK(few.count() == 1);
}

TEST_CASE("a limit that cannot be checked is refused before the first request") {
    ScriptedChatModel model{"Done."};
    History history = asked_to("Work.");
    CHECK_THROWS_WITH(driven::run_agent(model, {}, history, {.limits = {.cost_usd = 1}}),
                      contains_text("without a price"));
    const auto price = [](const acta::ChatCompletion&) { return 0.0; };
    CHECK_THROWS_WITH(
        driven::run_agent(model, {}, history,
                          {.limits = {.cost_usd = std::numeric_limits<double>::quiet_NaN()}, .price = price}),
        contains_text("not a number"));
    CHECK(model.requests().empty());
}

TEST_CASE("a price that is not a number ends a run whose cost is limited") {
    Works works;
    History history = asked_to("Work.");
    RunOptions options{.limits = {.requests = 10, .cost_usd = 1}};
    options.price = [](const acta::ChatCompletion&) { return std::numeric_limits<double>::quiet_NaN(); };
    const RunResult run = driven::run_agent(always_working(), works.skills(), history, options);
    CHECK(run.end == RunEnd::failed);
    CHECK(run.requests == 1);
    CHECK_THAT(run.error->message, contains_text("price of a completion is not a number"));
    CHECK(run.cost_usd == 0);
    CHECK(acta::parse<History>(acta::dump(history)) == history);
}

TEST_CASE("tokens that a model does not report are counted where a limit needs them") {
    Works works;
    History history = asked_to("Work.");
    RunOptions options{.instructions = "12345", .limits = {.requests = 10, .tokens = 200}};
    options.budget.count_tokens = [](std::string_view text) { return text.size(); };
    const RunResult run = driven::run_agent(always_working(), works.skills(), history, options);
    CHECK(run.end == RunEnd::max_tokens);
    CHECK(run.usage.estimated);
    CHECK(run.usage.prompt_tokens >= 5);
    CHECK(run.usage.completion_tokens == static_cast<std::int64_t>(run.requests * std::string("work(n=1)").size()));
    // By prices too, which need no function.
    History priced = asked_to("Work.");
    RunOptions cost{.limits = {.requests = 10, .cost_usd = 0.001},
                    .price = acta::TokenPrices{.prompt = 1, .completion = 1e6}};
    CHECK(driven::run_agent(always_working(), works.skills(), priced, cost).end == RunEnd::max_cost);
    // Nowhere else.
    const std::vector<std::pair<acta::TokenUsage, bool>> reported{
        {{}, true}, {{.prompt_tokens = 1}, false}, {{.completion_tokens = 1}, false}};
    for (const auto& [usage, is_counted] : reported) {
        acta::ChatCompletion answer;
        answer.message.content = "Done.";
        answer.usage = usage;
        ScriptedChatModel reporting;
        reporting.reply(answer);
        History asked = asked_to("Work.");
        const RunResult one = driven::run_agent(reporting, {}, asked, {.limits = {.tokens = 200}});
        CHECK(one.usage.estimated == is_counted);
        CHECK((one.usage == usage) == !is_counted);
    }
    ScriptedChatModel model{"Done."};
    History other = asked_to("Work.");
    CHECK(driven::run_agent(model, {}, other).usage == acta::TokenUsage());
    CHECK(acta::parse<acta::TokenUsage>(acta::dump(run.usage)) == run.usage);
    CHECK(acta::dump(acta::TokenUsage()).find("estimated") == std::string::npos);
}

TEST_CASE("a call without a name is answered with an error") {
    for (const bool first : {true, false}) {
        Works works;
        ScriptedChatModel model;
        acta::AssistantToolCall nameless{"a", {"", {{"n", 1}}}};
        acta::AssistantToolCall named{"b", {"work", {{"n", 1}}}};
        model.reply(working(first ? std::vector{nameless} : std::vector{named, nameless})).reply("Done.");
        History history = asked_to("Work.");
        CHECK(driven::run_agent(model, works.skills(), history).answer == "Done.");
        CHECK_THAT(call_result(history, first ? 0 : 1), contains_text("not found"));
        CHECK(acta::parse<History>(acta::dump(history)) == history);
    }
}

TEST_CASE("an agent whose calls are all refused is stuck") {
    Works works;
    History history = asked_to("Work.");
    RunOptions options;
    options.approve = [](const acta::AssistantToolCall&) { return Approval::no("No."); };
    const RunResult run = driven::run_agent(always_working(), works.skills(), history, options);
    CHECK(run.end == RunEnd::stuck);
    CHECK(run.requests == 5);
    CHECK(acta::to_string(run) == "stuck: steps 1 to 5: all calls were refused");
    // Not while the user says something, nor if something runs.
    history.register_message(ChatMessage::user("Try something else."));
    CHECK(driven::run_agent(always_working(), works.skills(), history, options).requests == 5);
    options.stuck.refused = 0;
    options.limits.requests = 7;
    CHECK(driven::run_agent(always_working(), works.skills(), history, options).end == RunEnd::max_steps);
}

TEST_CASE("a second run on a shared history is refused while one uses it") {
    acta::SharedHistory<> history;
    history.lock()->register_message(ChatMessage::user("Work."));
    Works works;
    ScriptedChatModel model;
    model.reply(working({{"a", {"work", {}}}})).reply("Done.");
    RunOptions options;
    int refused = 0;
    options.on_event = acta::on([&](const acta::CallStarted&) {
        try {
            static_cast<void>(driven::run_agent(model, works.skills(), history));
        } catch (const acta::HistoryError& error) {
            CHECK(error.code() == acta::HistoryErrorCode::run_active);
            ++refused;
        }
        history.lock()->append_user_feedback("Faster!");
    });
    CHECK(driven::run_agent(model, works.skills(), history, options).answer == "Done.");
    CHECK(refused == 1);
    CHECK(works.count() == 1);
    CHECK(driven::run_agent(model, works.skills(), history).answer == "Done.");
    {
        acta::AgentRun waiting(works.skills(), history);
        CHECK_THROWS_AS(acta::AgentRun(works.skills(), history), acta::HistoryError);
    }
    acta::AgentRun(works.skills(), history).next();
}

TEST_CASE("a call that overran its time has an error as its result, with its output") {
    bool is_begun = false;
    acta::SkillRegistry skills;
    skills.add("sleep", "Sleeps, whatever the deadline says.", [&is_begun](acta::SkillContext& context) {
        is_begun = true;
        while (!context.is_late()) std::this_thread::sleep_for(std::chrono::milliseconds(1));
        return "slept well";
    });
    const auto run = [&](std::chrono::milliseconds time) {
        ScriptedChatModel model;
        model.reply(working({{"a", {"sleep", {}}}})).reply("Done.");
        History history = asked_to("Work.");
        RunOptions options;
        options.call_timeout = time;
        CHECK(driven::run_agent(model, skills, history, options).answer == "Done.");
        return *history[0].result;
    };
    std::chrono::milliseconds time(5);
    acta::ActionResult result = run(time);
    // On a busy machine the time may have passed before the skill is called.
    while (!is_begun && time < std::chrono::seconds(10)) result = run(time *= 4);
    const auto* const error = std::get_if<acta::ActionErrorResult>(&result);
    REQUIRE(error != nullptr);
    CHECK(error->error->exception_type == "Timeout");
    CHECK(error->reason == "the deadline has passed; the call returned after it: slept well");
}

TEST_CASE("a call may take all the time there is, and has none left where its time is 0 or less") {
    using Duration = std::chrono::steady_clock::duration;
    acta::SkillRegistry skills;
    skills.add("work", "Works.", [] { return "worked"; });
    const auto result = [&](auto time) {
        ScriptedChatModel model;
        model.reply(working({{"a", {"work", {}}}})).reply("Done.");
        History history = asked_to("Work.");
        RunOptions options;
        options.call_timeout = time;
        CHECK(driven::run_agent(model, skills, history, options).answer == "Done.");
        return acta::to_string(*history[0].result);
    };
    CHECK(result(Duration::max()) == "worked");
    CHECK(result(std::chrono::milliseconds::max()) == "worked");  // as of all other options
    CHECK(result(std::chrono::hours::max()) == "worked");
    CHECK_THAT(result(std::chrono::milliseconds::min()), contains_text("the deadline has passed"));
    for (const Duration time : {Duration(0), Duration(-1), Duration::min()})
        CHECK_THAT(result(time), contains_text("the deadline has passed"));
}

TEST_CASE("the waits between repetitions of a call may have any length") {
    using std::chrono::milliseconds;
    std::vector<std::chrono::nanoseconds> waits;
    acta::base::retry_clock().jitter = [] { return 0.0; };
    acta::base::retry_clock().wait = [&](std::chrono::nanoseconds time, const acta::stop_token&) {
        waits.push_back(time);
    };
    const auto run = [&](acta::SkillLimits limits, std::optional<milliseconds> after = {}) {
        waits.clear();
        int tried = 0;
        acta::SkillRegistry skills;
        skills.add("work", "Works.", [&]() -> std::string {
            if (++tried <= 2) throw acta::RetrySkill("busy", after);
            return "worked";
        });
        ScriptedChatModel model;
        model.reply(working({{"a", {"work", {}}}})).reply("Done.");
        History history = asked_to("Work.");
        RunOptions options;
        limits.max_retries = 2;
        options.limits.tools["work"] = limits;
        options.until.deadline = std::chrono::steady_clock::time_point::max();
        CHECK(driven::run_agent(model, skills, history, options).answer == "Done.");
        return std::get_if<acta::ActionSuccessResult>(&*history[0].result) != nullptr;
    };
    using Waits = std::vector<std::chrono::nanoseconds>;
    constexpr auto longest = milliseconds::max();
    constexpr auto shortest = milliseconds::min();
    CHECK(run({.max_delay = longest}));
    CHECK(waits == Waits{milliseconds(250), milliseconds(500)});
    CHECK(run({.first_delay = longest}));
    CHECK(waits == Waits{milliseconds(10'000), milliseconds(10'000)});
    CHECK(run({.first_delay = shortest, .max_delay = shortest}));
    CHECK(waits == Waits{milliseconds(0), milliseconds(0)});
    CHECK(run({.first_delay = milliseconds(0)}, milliseconds(-5)));
    CHECK(waits == Waits{milliseconds(0), milliseconds(0)});
    CHECK_FALSE(run({}, longest));
    CHECK(waits.empty());
    // A wait beyond every deadline.
    CHECK_FALSE(run({.first_delay = longest, .max_delay = longest, .max_retry_after = longest}, longest));
    CHECK(waits.empty());
    acta::base::retry_clock() = {};
}

TEST_CASE("no model is asked for a summary when a limit is reached") {
    Works works;
    int summaries = 0;
    const auto summarize = [&](std::string_view, const acta::SummaryRequest&) {
        ++summaries;
        return std::string("A summary.");
    };
    int asked = 0;
    const auto model = [&](std::span<const ChatMessage>, const acta::ChatOptions&) {
        if (++asked == 4) throw acta::ChatModelError("too long", {.fault = acta::ChatModelFault::context_too_long});
        acta::ChatCompletion out = working({{"", {"work", {}}}});
        out.usage = acta::TokenUsage{.prompt_tokens = 100, .completion_tokens = 0};
        return out;
    };
    RunOptions options{.summarizer = summarize, .limits = {.tokens = 200}, .stuck = {.same_result = 0}};
    options.compression.keep_recent = 1;
    options.compression.trigger.episodes = 1;
    History history = asked_to("Work.");
    RunResult run = driven::run_agent(model, works.skills(), history, options);
    CHECK(run.end == RunEnd::max_tokens);
    CHECK(run.usage.prompt_tokens == 200);
    CHECK(summaries == 0);
    // Nor after a last request that was too long.
    asked = 0;
    options.compression.keep_recent = 100;
    options.compression.trigger = {};
    options.limits = {.requests = 4};
    history = asked_to("Work.");
    run = driven::run_agent(model, works.skills(), history, options);
    CHECK(run.end == RunEnd::max_steps);
    CHECK(run.requests == 4);
    CHECK(summaries == 0);
}

TEST_CASE("a compression of many steps asks for no more summaries when its own requests reach a limit") {
    Works works;
    for (const bool by_cost : {false, true}) {
        for (const std::size_t steps_before : {40U, 400U}) {  // in the prompt all, and most of them no longer
            History history = asked_to("Work.");
            for (std::size_t i = 0; i < steps_before; ++i) {
                history.register_action({.thoughts = "Look.", .use_tool = {"work", {{"n", i}}}});
                history.register_result(acta::ActionSuccessResult{.outputs = std::string(2000, 'x')});
            }
            int summaries = 0;
            const auto summarize = [&](std::string_view, const acta::SummaryRequest& request) {
                ++summaries;
                acta::ChatCompletion out;
                out.usage = acta::TokenUsage{.prompt_tokens = 90, .completion_tokens = 10};
                request.on_completion(out);
                return std::string("A summary.");
            };
            RunOptions options{.summarizer = summarize};
            if (by_cost) {
                options.price = [](const acta::ChatCompletion&) { return 1.0; };
                options.limits.cost_usd = 5;
            } else {
                options.limits.tokens = 500;
            }
            options.compression.max_parallel = 1;
            const auto model = [](std::span<const ChatMessage>, const acta::ChatOptions&) {
                acta::ChatCompletion out = working({{"", {"work", {}}}});
                out.usage = acta::TokenUsage{.prompt_tokens = 100, .completion_tokens = 0};
                return out;
            };
            const RunResult run = driven::run_agent(model, works.skills(), history, options);
            CHECK(run.end == (by_cost ? RunEnd::max_cost : RunEnd::max_tokens));
            CHECK(run.requests == 1);
            CHECK(summaries == 4);
            CHECK(run.usage.prompt_tokens + run.usage.completion_tokens == 500);
            CHECK(run.cost_usd == (by_cost ? 5 : 0));
            std::size_t kept = 0;  // what was paid for is kept
            for (const auto& step : history) kept += step.summary ? 1 : 0;
            CHECK(kept + (history.rolling_summary() != nullptr ? 1 : 0) == 4);
        }
    }
}
