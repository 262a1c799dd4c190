// SPDX-License-Identifier: MIT
#include "acta/history/episode.hpp"

#include <chrono>
#include <cstdint>
#include <limits>
#include <string>
#include <utility>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using namespace std::chrono_literals;

acta::ChatCompletion completion(std::int64_t prompt, std::int64_t answer) {
    acta::ChatCompletion out;
    out.usage = acta::TokenUsage{prompt, answer};
    return out;
}

acta::ActionProposal<> act() {
    acta::ActionProposal<> proposal;
    proposal.use_tool.name = "a";
    return proposal;
}

}  // namespace

TEST_CASE("a step without metrics needs no memory for them") {
#if defined(__GNUC__) && !defined(__clang__)  // with clang, nlohmann_json 3.11.2 has larger objects
    if (sizeof(void*) == 8 && sizeof(std::string) == 32) CHECK(sizeof(acta::Episode<>) <= 520);
#endif
    CHECK(sizeof(acta::Episode<>::metrics) == sizeof(void*));
}

TEST_CASE("metrics are filled from completions and the clock") {
    const acta::Timestamp before = acta::Timestamp::now();
    acta::StepMetrics metrics = acta::StepMetrics::start();
    metrics.add(completion(100, 20));
    metrics.add(completion(10, 2), {.prompt = 2, .completion = 10});
    metrics.add(acta::ChatCompletion());
    CHECK(metrics.prompt_tokens == 110);
    CHECK(metrics.completion_tokens == 22);
    CHECK(*metrics.cost_usd == Approx(40e-6));
    History history;
    history.register_action(act(), metrics);
    CHECK_FALSE(history[0].metrics->finished_at);
    CHECK_FALSE(history[0].metrics->duration());
    history.register_result(acta::ActionSuccessResult{1});
    const acta::StepMetrics& kept = *history[0].metrics;
    CHECK(kept.started_at == metrics.started_at);
    CHECK(*kept.started_at->instant() >= *before.instant());
    CHECK(*kept.duration() >= 0us);
    CHECK(acta::parse<History>(acta::dump(history)) == history);
}

TEST_CASE("a model that does not state its usage leaves tokens unknown") {
    acta::StepMetrics metrics;
    metrics.add(acta::ChatCompletion(), {.prompt = 1, .completion = 1});
    CHECK(metrics == acta::StepMetrics());
}

TEST_CASE("the end of a step is noted with its last result, where it has a start") {
    acta::ActionProposal<> both = act();
    acta::set_calls(both, {{"a", {}}, {"b", {}}});
    acta::SharedHistory<> shared;
    shared.lock()->register_action(both, acta::StepMetrics::start());
    shared.lock()->register_result("call_0", acta::ActionSuccessResult{1});
    CHECK_FALSE(shared.lock()->at(0).metrics->finished_at);
    shared.lock()->register_result("call_1", acta::ActionSuccessResult{1});
    CHECK(shared.lock()->at(0).metrics->finished_at);
    // One that is there stays, and without metrics or start there is none.
    acta::StepMetrics metrics = acta::StepMetrics::start();
    metrics.finished_at = *metrics.started_at + 5s;
    shared.lock()->register_action(act(), metrics);
    shared.lock()->register_result(acta::ActionSuccessResult{1});
    CHECK(shared.lock()->at(1).metrics == metrics);
    shared.lock()->register_action(act());
    shared.lock()->register_result(acta::ActionSuccessResult{1});
    CHECK_FALSE(shared.lock()->at(2).metrics);
    shared.lock()->register_action(act(), acta::StepMetrics{});
    shared.lock()->register_result(acta::ActionSuccessResult{1});
    CHECK(shared.lock()->at(3).metrics == acta::StepMetrics{});
}

TEST_CASE("the metrics of a history have totals") {
    History history;
    CHECK(acta::totals(history) == acta::MetricsTotals());
    const acta::Timestamp start = acta::Timestamp::utc({});
    for (int i = 0; i < 4; ++i) {
        acta::StepMetrics metrics;
        if (i < 3) metrics.add(completion(10, i));
        if (i < 2) metrics.cost_usd = 0.5;
        if (i != 1) metrics.started_at = start;
        metrics.finished_at = start + 1500ms;
        history.register_action(act(), metrics);
        history.register_result(acta::ActionSuccessResult{1});
    }
    history.register_action(act());
    const acta::MetricsTotals all = acta::totals(history);
    CHECK(all.steps == 5);
    CHECK(all.steps_with_tokens == 3);
    CHECK(all.steps_with_cost == 2);
    CHECK(all.prompt_tokens == 30);
    CHECK(all.completion_tokens == 3);
    CHECK(all.cost_usd == Approx(1));
    CHECK(all.time == 4500ms);
    CHECK(acta::totals(history.episodes().first(1)).prompt_tokens == 10);
}

TEST_CASE("cached, written and reasoning tokens are counted, priced and written where they are known") {
    acta::ChatCompletion one = completion(1000, 100);
    one.model = "m-1";
    one.usage->cached_tokens = 600;
    one.usage->cache_write_tokens = 200;
    one.usage->reasoning_tokens = 40;
    acta::StepMetrics metrics;
    metrics.add(one, {.prompt = 1e6, .completion = 1e6, .cached = 1e5, .cache_write = 2e6});
    CHECK(*metrics.cost_usd == Approx(200 + 60 + 400 + 100));
    metrics.add(completion(10, 1));
    CHECK(acta::dump(metrics) == R"({"started_at":null,"finished_at":null,"prompt_tokens":1010,)"
                                 R"("completion_tokens":101,"cost_usd":760.0,"cached_tokens":600,)"
                                 R"("cache_write_tokens":200,"reasoning_tokens":40,"model":"m-1"})");
    CHECK(acta::parse<acta::StepMetrics>(acta::dump(metrics)) == metrics);
    CHECK(acta::dump(acta::StepMetrics()).find("cached") == std::string::npos);
    CHECK(acta::dump(*completion(1, 2).usage) == R"({"prompt_tokens":1,"completion_tokens":2})");
    acta::MetricsTotals total;
    total.add(metrics);
    total.add(metrics);
    CHECK(total.cached_tokens == 1200);
    CHECK(total.cache_write_tokens == 400);
    CHECK(total.reasoning_tokens == 80);
}

TEST_CASE("totals are told in one line, without what is not known") {
    acta::MetricsTotals total{.steps = 1};
    CHECK(acta::to_string(total) == "1 step");
    CHECK(acta::to_string(acta::MetricsTotals{.steps = 2, .steps_with_cost = 1}) == "2 steps, 0.0000 USD");
    total = {.steps = 6,
             .steps_with_tokens = 6,
             .steps_with_cost = 2,
             .prompt_tokens = 1200,
             .completion_tokens = 90,
             .cached_tokens = 800,
             .reasoning_tokens = 20,
             .cost_usd = 0.015,
             .time = 12'540ms};
    CHECK(acta::to_string(total) ==
          "6 steps in 12.5 s, 1200 tokens to the model (800 cached), 90 from it (20 reasoning), 0.0150 USD");
}

TEST_CASE("times are in the units that a person would use") {
    constexpr std::int64_t hour = 3'600'000;
    const std::vector<std::pair<std::int64_t, const char*>> rows{{0, "0 ms"},
                                                                 {999, "999 ms"},
                                                                 {1000, "1.0 s"},
                                                                 {59'949, "59.9 s"},
                                                                 {60'000, "1 min"},
                                                                 {61'000, "1 min 1 s"},
                                                                 {hour - 1, "59 min 59 s"},
                                                                 {hour, "1 h"},
                                                                 {hour + 60'000, "1 h 1 min"},
                                                                 {48 * hour - 1, "47 h 59 min"},
                                                                 {48 * hour, "2 days"},
                                                                 {49 * hour, "2 days 1 h"}};
    for (const auto& [ms, text] : rows)
        CHECK(acta::history_detail::duration_text(std::chrono::milliseconds(ms)) == text);
}

TEST_CASE("steps whose tokens are known in part count as known") {
    acta::MetricsTotals total;
    total.add(acta::StepMetrics{.prompt_tokens = 1});
    total.add(acta::StepMetrics{.completion_tokens = 2});
    total.add(acta::StepMetrics{.cached_tokens = 3});
    CHECK(total ==
          acta::MetricsTotals{
              .steps = 3, .steps_with_tokens = 2, .prompt_tokens = 1, .completion_tokens = 2, .cached_tokens = 3});
}

TEST_CASE("what answers took is in the totals of a history") {
    History history;
    acta::StepMetrics step;
    step.add(completion(10, 1));
    history.register_action(act(), step);
    history.register_result(acta::ActionSuccessResult{1});
    acta::StepMetrics answer;
    answer.add(completion(20, 2));
    acta::AssistantChatMessage said;
    said.content = "Done.";
    history.register_answer(said, answer);
    CHECK(history.messages().back().metrics == answer);
    CHECK(acta::parse<History>(acta::dump(history)) == history);
    const acta::MetricsTotals total = acta::totals(history);
    CHECK(total.steps == 1);
    CHECK(total.steps_with_tokens == 2);
    CHECK(total.prompt_tokens == 30);
    acta::SharedHistory<> shared(history);
    shared.lock()->register_message(acta::ChatMessage::user("And?"));
    shared.lock()->register_answer(said, answer);
    CHECK(shared.lock()->messages().back().metrics == answer);
}

TEST_CASE("sums beyond the largest number stay at it") {
    constexpr std::int64_t most = std::numeric_limits<std::int64_t>::max();
    acta::StepMetrics step;
    step.add(completion(most, 1));
    step.add(completion(1, 1));
    CHECK(step.prompt_tokens == most);
    acta::MetricsTotals all;
    all.add(step);
    all.add(step);
    CHECK(all.prompt_tokens == most);
    CHECK(all.completion_tokens == 4);
}

TEST_CASE("a time without a zone has no duration with one that has") {
    acta::StepMetrics metrics;
    metrics.started_at = acta::Timestamp{};
    metrics.finished_at = acta::Timestamp::utc({});
    CHECK_FALSE(metrics.duration());
    metrics.started_at = acta::Timestamp::utc({});
    CHECK(metrics.duration() == 0us);
}

TEST_CASE("a clock that is set back during a step makes no time negative") {
    History history;
    acta::StepMetrics metrics = acta::StepMetrics::start();
    *metrics.started_at += 1h;  // as if the clock had been set back since
    history.register_action(act(), metrics);
    history.register_result(acta::ActionSuccessResult{1});
    const auto took = history[0].metrics->duration();
    REQUIRE(took);
    CHECK(*took >= 0us);
    CHECK(*took < 30min);
    *metrics.started_at -= 2h;  // and forward
    history.register_action(act(), metrics);
    history.register_result(acta::ActionSuccessResult{1});
    CHECK(*history[1].metrics->duration() < 30min);
    CHECK(acta::parse<History>(acta::dump(history)) == history);
}

TEST_CASE("times of others that go back are no duration") {
    acta::StepMetrics back;
    back.started_at = acta::parse<acta::Timestamp>("\"2026-05-01T10:00:09Z\"");
    back.finished_at = acta::parse<acta::Timestamp>("\"2026-05-01T09:59:59Z\"");
    CHECK_FALSE(back.duration());
    acta::MetricsTotals total;
    total.add(back);
    CHECK(total.time == 0us);
    back.finished_at = back.started_at;
    CHECK(back.duration() == 0us);
    // A step of another program that ends here has the system's time, whatever its start says.
    History history;
    back.finished_at.reset();
    *back.started_at += 100000h;
    history.register_action(act(), back);
    history.register_result(acta::ActionSuccessResult{1});
    CHECK(history[0].metrics->finished_at);
    CHECK_FALSE(history[0].metrics->duration());
}

TEST_CASE("what cached tokens cost is never less than nothing") {
    const acta::TokenPrices prices{.prompt = 2, .completion = 0, .cached = 1};
    CHECK(prices.cost({.prompt_tokens = 40, .cached_tokens = 960}) == Approx(960e-6));
}
