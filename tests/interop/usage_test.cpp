// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>

#include "acta/history/history.hpp"
#include "acta/interop/trajectory.hpp"
#include "support/catch.hpp"

// What files of other programs say of tokens and times; provider/usage_test.cpp has the words of servers.
namespace {

/// The totals of a run of mini-SWE-agent whose answer has this usage.
acta::MetricsTotals totals_of(const std::string& usage) {
    const std::string text = R"({"info": {"mini_version": "2.0.0"}, "messages": [{"role": "user", "content": "?"},
        {"role": "assistant", "content": "Noon.", "extra": {"response": {"usage": )" +
                             usage + "}}}]}";
    return acta::totals(acta::parse_trajectory(text).history);
}

std::string line(int number, const std::string& time, const std::string& usage) {
    const std::string n = std::to_string(number);
    return R"({"type": "assistant", "uuid": "a)" + n + R"(", "parentUuid": ")" +
           (number == 1 ? std::string("u0") : "a" + std::to_string(number - 1)) +
           R"(", "sessionId": "s", "timestamp": ")" + time +
           R"(", "message": {"id": "m", "role": "assistant", "model": "q", "content": [{"type": "text", "text": "t)" +
           n + R"("}], "usage": )" + usage + "}}\n";
}

}  // namespace

TEST_CASE("files report tokens in the words of their servers") {
    CHECK(totals_of(R"({"prompt_tokens": 1000, "completion_tokens": 9, "prompt_cache_hit_tokens": 960,
        "prompt_cache_miss_tokens": 40})")
              .cached_tokens == 960);
    CHECK(totals_of(R"({"prompt_tokens": 1000, "completion_tokens": 9, "cached_tokens": 960})").cached_tokens == 960);
    const acta::MetricsTotals beside = totals_of(R"({"prompt_tokens": 21, "completion_tokens": 9, "total_tokens": 90,
        "completion_tokens_details": {"reasoning_tokens": 60}})");
    CHECK(beside.completion_tokens == 69);
    CHECK(beside.reasoning_tokens == 60);
    CHECK(totals_of(R"({"prompt_tokens": 21, "completion_tokens": 69, "total_tokens": 90,
        "completion_tokens_details": {"reasoning_tokens": 60}})")
              .completion_tokens == 69);
    const std::string langchain = R"([{"type": "human", "data": {"content": "?"}}, {"type": "ai", "data": {"content":
        "Noon.", "response_metadata": {"model_name": "q", "token_usage": {"prompt_tokens": 1000, "completion_tokens": 9,
        "prompt_cache_hit_tokens": 960}}}}])";
    const acta::MetricsTotals totals = acta::totals(acta::parse_trajectory(langchain).history);
    CHECK(totals.prompt_tokens == 1000);
    CHECK(totals.cached_tokens == 960);
}

TEST_CASE("a later line of an answer replaces its counts, but not by 0, and times that go back are no duration") {
    const std::string question = R"({"type": "user", "uuid": "u0", "parentUuid": null, "sessionId": "s",
        "timestamp": "2026-05-01T10:00:00Z", "message": {"role": "user", "content": "?"}})";
    std::string one_line;
    for (const char c : question) one_line += c == '\n' ? ' ' : c;
    const std::string text =
        one_line + "\n" +
        line(1, "2026-05-01T10:00:09Z", R"({"input_tokens": 1500, "output_tokens": 1, "cache_read_input_tokens": 7})") +
        line(2, "2026-05-01T09:59:59Z", R"({"input_tokens": 0, "output_tokens": 12, "cache_read_input_tokens": 0})");
    const acta::MetricsTotals totals = acta::totals(acta::parse_trajectory(text).history);
    CHECK(totals.prompt_tokens == 1507);
    CHECK(totals.completion_tokens == 12);
    CHECK(totals.cached_tokens == 7);
    CHECK(totals.time.count() == 0);
}
