// SPDX-License-Identifier: MIT
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/rolling_summary.hpp"
#include "acta/observe/observer.hpp"
#include "compress/steps.hpp"
#include "support/catch.hpp"

// Every option with a value that is not its default, and where it arrives. A new member does not compile before it is
// covered here.
namespace {

using acta::SummaryRequest;
using Clock = std::chrono::steady_clock;

/// A summarizer that keeps what it was asked, and pays 5 tokens each time.
class Asked {
public:
    explicit Asked(std::string answer) : answer_(std::move(answer)) {}

    auto summarizer() {
        return [this](std::string_view text, const SummaryRequest& request) {
            const std::lock_guard lock(mutex_);
            texts.emplace_back(text);
            requests.push_back(request);
            if (stops_at == requests.size()) {
                stop.request_stop();
                CHECK(request.until.stop.stop_requested());
            }
            if (!fails_at.empty() && fails_at == steps::tool_in(text)) throw std::runtime_error("no secret");
            acta::ChatCompletion paid;
            paid.usage = acta::TokenUsage{.prompt_tokens = 4, .completion_tokens = 1};
            if (request.on_completion) request.on_completion(paid);
            return answer_;
        };
    }
    std::vector<std::string> texts{};
    std::vector<SummaryRequest> requests{};
    acta::stop_source stop{};
    std::size_t stops_at = 0;  // the number of the request, from 1
    std::string fails_at{};

private:
    std::string answer_;
    std::mutex mutex_{};
};

class EventNames : public acta::Observer {
public:
    void on_event(const acta::Event& event) override {
        ++counts[std::string(event.name)];
        if (event.name == acta::event_names::summarize) totals.push_back(std::get<std::int64_t>(*event.find("total")));
    }
    std::map<std::string, int> counts{};
    std::vector<std::int64_t> totals{};
};

std::string without_secret(std::string_view text) {
    std::string out(text);
    for (std::size_t at = 0; (at = out.find("secret", at)) != std::string::npos;) out.replace(at, 6, "***");
    return out;
}
double price_of(const acta::ChatCompletion& one) { return static_cast<double>(one.usage->prompt_tokens); }

}  // namespace

TEST_CASE("every option of a compression arrives") {
    acta::CompressionOptions options;
    auto& [keep_recent, max_episodes, trigger, count_tokens, max_parallel, max_attempts, retry_given_up, instruction,
           max_summary_tokens, one_line, until, redactor, price, on_cost, observer] = options;
    acta::EpisodicActionHistory<> history;
    for (std::size_t i = 0; i < 7; ++i) {
        history.register_action(steps::proposal(i));
        history.register_result(steps::result("secret " + std::to_string(i)));
    }
    Asked asked("two\nsecrets");
    keep_recent = 2;  // five wait
    max_episodes = 3;
    trigger.tokens = 50;
    std::size_t counted = 0;
    count_tokens = [&counted](std::string_view) { return ++counted, std::size_t{10}; };
    max_parallel = 1;
    max_attempts = 2;
    instruction = "In short.";
    max_summary_tokens = 77;
    one_line = false;
    until = {asked.stop.get_token(), Clock::now() + std::chrono::hours(1)};
    redactor = without_secret;
    price = price_of;
    acta::SummaryCost paid;
    on_cost = [&paid](const acta::SummaryCost& one) { paid.add(one); };
    EventNames events;
    observer = &events;

    asked.fails_at = "tool_1";
    const acta::CompressionReport report = acta::handle_compression(history, asked.summarizer(), options);
    CHECK(counted == 5);
    CHECK(steps::marks(history) == "+-+----");
    REQUIRE(report.failed.size() == 1);
    CHECK(report.failed[0].error.message == "no ***");
    CHECK(history[0].summary == "two\n***s");
    CHECK(report.not_due == 4);
    REQUIRE(asked.requests.size() == 3);
    for (std::size_t i = 0; i < 3; ++i) {
        const SummaryRequest& one = asked.requests[i];
        CHECK(one.instruction == "In short.");
        CHECK(one.max_tokens == 77);
        CHECK_FALSE(one.one_line);
        CHECK(one.until.deadline == until.deadline);
        CHECK(steps::tool_in(asked.texts[i]) == "tool_" + std::to_string(i));  // one at a time, so in order
        CHECK_THAT(asked.texts[i], contains_text("*** " + std::to_string(i)));
    }
    CHECK(events.totals == std::vector<std::int64_t>{3, 3, 3});
    const acta::TokenUsage usage{.prompt_tokens = 8, .completion_tokens = 2};
    CHECK(report.cost == acta::SummaryCost{.completions = 2, .usage = usage, .cost_usd = 8});
    CHECK(paid == report.cost);
    CHECK(events.counts[std::string(acta::event_names::compress)] == 1);
    CHECK(events.counts[std::string(acta::event_names::summarize)] == 3);

    // Three wait, which are too few for the trigger.
    CHECK(acta::handle_compression(history, asked.summarizer(), options).not_due == 5);
    trigger = {.episodes = 3};
    CHECK(acta::handle_compression(history, asked.summarizer(), options).summarised.size() == 2);
    CHECK(steps::marks(history) == "+-+++--");
    // The step that has failed twice is given up, until it is asked for.
    trigger = {};
    asked.fails_at.clear();
    CHECK(acta::handle_compression(history, asked.summarizer(), options).summarised.empty());
    retry_given_up = true;
    CHECK(acta::handle_compression(history, asked.summarizer(), options).summarised.size() == 1);
    CHECK(steps::marks(history) == "+++++--");
    keep_recent = 0;
    asked.stops_at = asked.requests.size() + 1;
    CHECK(acta::handle_compression(history, asked.summarizer(), options).cancelled == 1);
}

TEST_CASE("every option of a rolling summary arrives") {
    acta::RollingSummaryOptions options;
    auto& [prompt, max_tokens, instruction, is_marked, count_tokens, until, redactor, price, on_cost] = options;
    acta::EpisodicActionHistory<> history;
    for (std::size_t i = 0; i < 4; ++i) {
        history.register_action(steps::proposal(i));
        history.register_result(steps::result("Keep secret " + std::to_string(i) + ". The rest."));
    }
    Asked asked("condensed");
    prompt.max_tokens = 0;  // shows no older step
    prompt.keep_recent = 2;
    max_tokens = 60;
    instruction = "Very short.";
    is_marked = [](std::string_view sentence) { return sentence.find("***") != std::string_view::npos; };
    std::size_t counted = 0;
    count_tokens = [&counted](std::string_view text) { return ++counted, text.size() / 4; };
    until = {asked.stop.get_token(), Clock::now() + std::chrono::hours(1)};
    redactor = without_secret;
    price = price_of;
    acta::SummaryCost paid;
    on_cost = [&paid](const acta::SummaryCost& one) { paid.add(one); };

    const acta::RollingSummaryReport report = acta::update_rolling_summary(history, asked.summarizer(), options);
    INFO((report.error ? report.error->message : ""));
    REQUIRE(report.steps == 2);
    CHECK_FALSE(report.error);
    CHECK(counted > 0);
    REQUIRE(asked.requests.size() == 1);
    CHECK(asked.requests[0].instruction == "Very short.");
    CHECK(asked.requests[0].max_tokens <= 60);
    CHECK(asked.requests[0].until.deadline == until.deadline);
    CHECK(asked.texts[0].find("secret") == std::string::npos);
    const std::string text = to_string(*history.rolling_summary());
    CHECK(text.find("secret") == std::string::npos);
    CHECK_THAT(text, contains_text("Keep *** 0."));
    CHECK_THAT(text, contains_text("Keep *** 1."));
    CHECK_THAT(text, contains_text("condensed"));
    CHECK(report.cost ==
          acta::SummaryCost{.completions = 1, .usage = {.prompt_tokens = 4, .completion_tokens = 1}, .cost_usd = 4});
    CHECK(paid == report.cost);
    for (std::size_t i = 4; i < 6; ++i) steps::add(history, i);
    asked.stops_at = 2;
    static_cast<void>(acta::update_rolling_summary(history, asked.summarizer(), options));
    CHECK(asked.requests.size() == 2);
}

TEST_CASE("every option of the summary of a text arrives") {
    acta::SummarizeTextOptions options;
    auto& [question, instruction, max_tokens, one_line, window_tokens, overlap_tokens, count_tokens, splitter, until,
           redactor] = options;
    std::string text;
    for (int i = 0; i < 200; ++i) text += "secret " + std::to_string(100 + i) + "|";  // each is a sentence of 11 bytes
    Asked asked("part");
    max_tokens = 50;
    one_line = true;
    window_tokens = 850;
    overlap_tokens = 11;
    std::size_t counted = 0;
    count_tokens = [&counted](std::string_view one) { return ++counted, one.size(); };
    splitter = [](std::string_view of) {
        std::vector<std::string_view> out;
        while (!of.empty()) {
            const std::size_t end = of.find('|') + 1;
            out.push_back(of.substr(0, end));
            of.remove_prefix(end);
        }
        return out;
    };
    until = {asked.stop.get_token(), Clock::now() + std::chrono::hours(1)};
    redactor = without_secret;
    for (const bool is_question : {true, false}) {
        INFO(is_question);
        question = is_question ? std::optional<std::string>("Why?") : std::nullopt;
        instruction = is_question ? std::nullopt : std::optional<std::string>("In short.");
        asked.texts.clear();
        asked.requests.clear();
        const acta::TextSummary summary = acta::summarize_text(text, asked.summarizer(), options);
        CHECK(summary.summary == "part");
        CHECK(counted > 0);
        REQUIRE(asked.texts.size() > 2);
        for (std::size_t i = 0; i < asked.texts.size(); ++i) {
            const bool is_last = i + 1 == asked.texts.size();  // of the summaries of the chunks
            const SummaryRequest& one = asked.requests[i];
            CHECK(one.max_tokens == 50);
            CHECK(one.one_line == true);
            CHECK(one.until.deadline == until.deadline);
            if (is_last) continue;
            CHECK((one.question == question));
            if (!is_question) CHECK(one.instruction == "In short.");
            CHECK(asked.texts[i].size() <= 850 - 50);
            CHECK(asked.texts[i].find("secret") == std::string::npos);
            CHECK(asked.texts[i].back() == '|');
            if (i != 0) CHECK(asked.texts[i].substr(0, 8) == asked.texts[i - 1].substr(asked.texts[i - 1].size() - 8));
        }
    }
    asked.stops_at = asked.requests.size() + 1;
    CHECK_THROWS_WITH(acta::summarize_text(text, asked.summarizer(), options), "stopped before there was a summary");
}

TEST_CASE("every option of a chat summarizer arrives") {
    acta::ChatSummarizerOptions options;
    auto& [window_tokens, overlap_tokens, model, temperature, count_tokens, splitter, retry] = options;
    window_tokens = 700;
    overlap_tokens = 5;
    model = "small";
    temperature = 0.5;
    std::size_t counted = 0;
    count_tokens = [&counted](std::string_view one) { return ++counted, one.size() / 4; };
    std::size_t split = 0;
    splitter = [&split](std::string_view of) { return ++split, std::vector<std::string_view>{of}; };
    retry.max_attempts = 1;
    const acta::ScriptedChatModel answers{"short"};
    const acta::ChatSummarizer summarizer(answers, options);
    CHECK(summarizer(std::string(100, 'a'), {}) == "short");
    CHECK(answers.requests()[0].options.model == "small");
    CHECK(answers.requests()[0].options.temperature == 0.5);
    CHECK(counted > 0);
    CHECK(split == 0);  // it fits
    acta::ScriptedChatModel fails;
    fails.fail(acta::ChatModelError("no", {.is_transient = true})).reply("late");
    CHECK_THROWS(acta::ChatSummarizer(fails, options)("text", SummaryRequest()));
    CHECK(fails.remaining() == 1);
    std::size_t longest = 0;
    const auto model_of_parts = [&longest](std::span<const acta::ChatMessage> messages, const acta::ChatOptions&) {
        longest = std::max(longest, messages.back().content.size() / 4);
        acta::ChatCompletion out;
        out.message.content = "short";
        return out;
    };
    CHECK(acta::ChatSummarizer(model_of_parts, options)(std::string(8000, 'a'), {}) == "short");
    CHECK(split == 1);
    CHECK(longest > 100);
    CHECK(longest <= 700);
}
