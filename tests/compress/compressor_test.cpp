// SPDX-License-Identifier: MIT
#include "acta/base/stop_token.hpp"
#include "acta/compress/compress.hpp"

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <mutex>
#include <stdexcept>
#include <string>
#include <thread>
#include <variant>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"
#include "compress/steps.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using acta::SummaryRequest;

using steps::all_of_it;
using steps::short_form;

}  // namespace

TEST_CASE("steps older than the newest four get summaries") {
    History history = steps::finished(6);
    const acta::CompressionReport report = acta::handle_compression(history, short_form);
    CHECK(steps::marks(history) == "++----");
    CHECK(history[1].summary == "used tool_1");
    REQUIRE(report.summarised.size() == 2);
    CHECK(report.summarised[1].id == history.id(1));
    CHECK(report.summarised[1].step == 1);
    CHECK(report.summarised[1].source.empty());
    CHECK(report.failed.empty());
    CHECK(report.not_due == 4);
    CHECK(report.time.count() > 0);
    CHECK(to_string(report) == "2 summarised, 0 failed, 0 skipped, 0 cancelled, 4 not due");
}

TEST_CASE("a summarizer is given the step in full and what is asked") {
    History history = steps::finished(1);
    const std::string full = history[0].format();
    const auto summarizer = [&](std::string_view text, const SummaryRequest& request) {
        CHECK(text == full);
        CHECK(request.instruction == acta::episode_instruction);
        CHECK(request.max_tokens == 500);
        CHECK(request.one_line);
        return "short";
    };
    CHECK(acta::handle_compression(history, summarizer, all_of_it()).summarised.size() == 1);
}

TEST_CASE("any callable is a summarizer: functions, const and mutable lambdas, objects, erased ones") {
    History history = steps::finished(5);
    const acta::CompressionOptions options = [] {
        acta::CompressionOptions one = all_of_it();
        one.max_episodes = 1;
        return one;
    }();
    int calls = 0;
    auto changing = [calls](std::string_view, const SummaryRequest&) mutable { return std::to_string(++calls); };
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 1);
    CHECK(acta::handle_compression(history, &short_form, options).summarised.size() == 1);
    CHECK(acta::handle_compression(history, changing, options).summarised.size() == 1);
    CHECK(acta::handle_compression(history, changing, options).summarised.size() == 1);
    CHECK(acta::handle_compression(history, acta::AnySummarizer(short_form), options).summarised.size() == 1);
    CHECK(history[2].summary == "1");
    CHECK(history[3].summary == "2");  // the very object was called, not a copy
}

TEST_CASE("an open step is left alone, and counts among the newest") {
    History history = steps::finished(3);
    history.register_action(steps::proposal(3));
    acta::CompressionOptions options;
    options.keep_recent = 2;
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 2);
    CHECK(steps::marks(history) == "++--");
    CHECK(acta::handle_compression(history, short_form, all_of_it()).summarised.size() == 1);
    CHECK(steps::marks(history) == "+++-");
    history.register_result(steps::result("late"));
    CHECK(acta::handle_compression(history, short_form, all_of_it()).summarised.size() == 1);
    CHECK(steps::marks(history) == "++++");
}

TEST_CASE("a step of a restored history that is finished late is summarised, too") {
    const std::string open = R"({"action":{"thoughts":"t","use_tool":{"name":"tool_x","arguments":{}}},"result":null})";
    const std::string closed = R"({"action":{"thoughts":"t","use_tool":{"name":"tool_y","arguments":{}}},)"
                               R"("result":{"outputs":1,"status":"success"}})";
    auto history =
        acta::parse<History>("{\"episodes\":[" + closed + "," + open + "," + closed + "," + closed + "],\"cursor\":1}");
    CHECK(acta::handle_compression(history, short_form, all_of_it()).summarised.size() == 3);
    CHECK(steps::marks(history) == "+-++");
    CHECK(acta::handle_compression(history, short_form, all_of_it()).summarised.empty());
    history.register_result(steps::result("late"));
    CHECK(acta::handle_compression(history, short_form, all_of_it()).summarised.size() == 1);
    CHECK(steps::marks(history) == "++++");
}

TEST_CASE("a restored history whose open step is dropped in the middle goes on rightly") {
    const std::string open = R"({"action":{"thoughts":"t","use_tool":{"name":"tool_x","arguments":{}}},"result":null})";
    const std::string closed = R"({"action":{"thoughts":"t","use_tool":{"name":"tool_y","arguments":{}}},)"
                               R"("result":{"outputs":1,"status":"success"}})";
    auto history = acta::parse<History>("{\"episodes\":[" + closed + "," + open + "," + closed + "],\"cursor\":1}");
    acta::CompressionOptions options;
    options.keep_recent = 1;
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 1);
    history.rewind();
    CHECK(steps::marks(history) == "+-");
    CHECK(acta::handle_compression(history, short_form, all_of_it()).summarised.size() == 1);
    CHECK(steps::marks(history) == "++");
}

TEST_CASE("a failure keeps the summaries of all others and says what and where it was") {
    History history = steps::finished(6);
    const auto summarizer = [](std::string_view text, const SummaryRequest& request) -> std::string {
        const std::string tool = steps::tool_in(text);
        if (tool == "tool_1") throw std::runtime_error("no model");
        if (tool == "tool_3") throw 7;
        if (tool == "tool_5") throw acta::SummaryError("too hard");
        return short_form(text, request);
    };
    const acta::CompressionReport report = acta::handle_compression(history, summarizer, all_of_it());
    CHECK(steps::marks(history) == "+-+-+-");
    REQUIRE(report.failed.size() == 3);
    CHECK(report.failed[0].id == history.id(1));
    CHECK(report.failed[0].step == 1);
    CHECK(report.failed[0].error.repr == "runtime_error('no model')");
    CHECK(report.failed[1].error.repr == "int('7')");
    CHECK(report.failed[2].error.exception_type == "SummaryError");
    // They are tried again.
    CHECK(acta::handle_compression(history, short_form, all_of_it()).summarised.size() == 3);
    CHECK(steps::marks(history) == "++++++");
}

TEST_CASE("rubbish is a failure, and a summary is kept without blanks around it") {
    History history = steps::finished(8);
    const std::vector<std::string> answers = {
        "",         " \n\t\xE3\x80\x80", "two\nlines",     "two\xE2\x80\xA8lines",
        "a\r\nb\n", "  one line \n",     "bad \xFF bytes", std::string(8016, 'x')};
    std::size_t next = 0;
    acta::CompressionOptions options = all_of_it();
    options.max_parallel = 1;
    const auto report = acta::handle_compression(
        history, [&](std::string_view, const SummaryRequest&) { return answers[next++]; }, options);
    CHECK(steps::marks(history) == "-----++-");
    CHECK(history[5].summary == "one line");
    CHECK(history[6].summary == "bad \xEF\xBF\xBD bytes");
    REQUIRE(report.failed.size() == 6);
    CHECK(report.failed[0].error.message == "the summarizer returned an empty summary");
    CHECK(report.failed[1].error.message == "the summarizer returned an empty summary");
    CHECK(report.failed[2].error.message == "the summarizer returned several lines where one was asked for");
    CHECK(report.failed[5].error.message ==
          "the summarizer returned 8016 bytes where 500 tokens were asked for at most");
    CHECK_NOTHROW(acta::dump(history));
}

TEST_CASE("a summary is as long as it may be") {
    below_at_above("summary of a step", 500, [](std::size_t tokens) {
        History history = steps::finished(1);
        acta::CompressionOptions options = all_of_it();
        options.count_tokens = [](std::string_view text) { return text.size(); };
        const acta::AnySummarizer summarizer = [tokens](std::string_view, const SummaryRequest& request) {
            return tokens <= request.max_tokens ? std::string(tokens, 's') : throw acta::SummaryError("too long");
        };
        return acta::handle_compression(history, summarizer, options).failed.empty();
    });
}

TEST_CASE("a summary has at most 16 bytes for each token, and less than one more") {
    below_at_above(16 * 4 + 15, [](std::size_t size) {
        History history = steps::finished(1);
        acta::CompressionOptions options = all_of_it();
        options.max_summary_tokens = 4;
        const auto summarizer = [size](std::string_view, const SummaryRequest&) { return std::string(size, 's'); };
        return acta::handle_compression(history, summarizer, options).failed.empty();
    });
}

TEST_CASE("summaries are given to the history 16 at a time, those of a model at once") {
    for (const bool by_model : {false, true}) {
        History history = steps::finished(40);
        acta::CompressionOptions options = all_of_it();
        options.max_parallel = 1;
        std::size_t asked = 0;
        const auto summarizer = [&](std::string_view, const SummaryRequest& request) {
            const std::string marks = steps::marks(history);
            CHECK(static_cast<std::size_t>(std::ranges::count(marks, '+')) == (by_model ? asked : asked / 16 * 16));
            ++asked;
            if (by_model) request.on_completion({});
            return "short";
        };
        CHECK(acta::handle_compression(history, summarizer, options).summarised.size() == 40);
        CHECK(asked == 40);
        CHECK(steps::marks(history) == std::string(40, '+'));
    }
}

TEST_CASE("several lines are kept where they may be") {
    History history = steps::finished(1);
    acta::CompressionOptions options = all_of_it();
    options.one_line = false;
    CHECK(acta::handle_compression(
              history, [](std::string_view, const SummaryRequest&) { return "two\nlines\n"; }, options)
              .summarised.size() == 1);
    CHECK(history[0].summary == "two\nlines");
}

TEST_CASE("a step that always fails is left alone in the end, until it is asked for again") {
    History history = steps::finished(2);
    std::atomic<std::size_t> calls = 0;
    const auto failing = [&calls](std::string_view, const SummaryRequest&) -> std::string {
        ++calls;
        throw std::runtime_error("never");
    };
    for (int i = 0; i < 5; ++i) static_cast<void>(acta::handle_compression(history, failing, all_of_it()));
    CHECK(calls == 6);  // three times each
    below_at_above("attempts at a step that cannot be summarised", 3, [&](std::size_t attempts) {
        History one = steps::finished(1);
        calls = 0;
        for (std::size_t i = 0; i < attempts; ++i)
            static_cast<void>(acta::handle_compression(one, failing, all_of_it()));
        return calls == attempts;
    });
    const auto report = acta::handle_compression(history, short_form, all_of_it());
    CHECK(report.summarised.empty());
    CHECK(report.not_due == 2);
    acta::CompressionOptions again = all_of_it();
    again.retry_given_up = true;
    CHECK(acta::handle_compression(history, short_form, again).summarised.size() == 2);
    History endless = steps::finished(1);
    acta::CompressionOptions options = all_of_it();
    options.max_attempts = 0;
    calls = 0;
    for (int i = 0; i < 5; ++i) static_cast<void>(acta::handle_compression(endless, failing, options));
    CHECK(calls == 5);
}

TEST_CASE("whether a step was given up depends on its failures, not on the steps around it or on other limits") {
    const auto failing = [](std::string_view, const SummaryRequest&) -> std::string {
        throw std::runtime_error("never");
    };
    const auto failures = [&](bool with_older) {
        History history = steps::finished(3);
        if (!with_older) CHECK(history.set_summary(history.id(0), "by hand"));
        acta::CompressionOptions options = all_of_it();
        options.max_attempts = 1;
        CHECK_FALSE(acta::handle_compression(history, failing, options).failed.empty());
        CHECK(acta::handle_compression(history, failing, options).failed.empty());  // given up
        options.max_attempts = 3;
        std::vector<std::size_t> failed;
        for (int i = 0; i < 4; ++i) failed.push_back(acta::handle_compression(history, failing, options).failed.size());
        options.max_attempts = 1;
        CHECK(acta::handle_compression(history, short_form, options).summarised.empty());
        options.max_attempts = 0;
        failed.push_back(acta::handle_compression(history, failing, options).failed.size());
        // A copy and a moved one have the same steps.
        History copy = history;
        CHECK(acta::handle_compression(copy, failing, options).failed.size() == failed.back());
        History moved = std::move(copy);
        options.max_attempts = 5;
        CHECK(acta::handle_compression(moved, failing, options).failed.empty());
        options.max_attempts = 6;
        failed.push_back(acta::handle_compression(moved, failing, options).failed.size());
        return failed;
    };
    CHECK(failures(true) == std::vector<std::size_t>{3, 3, 0, 0, 3, 3});
    CHECK(failures(false) == std::vector<std::size_t>{2, 2, 0, 0, 2, 2});
}

TEST_CASE("steps that another limit has given up are tried wherever they are") {
    const auto first_two_fail = [](std::string_view text, const SummaryRequest& request) -> std::string {
        if (steps::tool_in(text) != "tool_2") throw std::runtime_error("never");
        return short_form(text, request);
    };
    History history = steps::finished(3);
    acta::CompressionOptions options = all_of_it();
    options.max_attempts = 1;
    static_cast<void>(acta::handle_compression(history, first_two_fail, options));
    CHECK(steps::marks(history) == "--+");
    options.max_attempts = 2;
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 2);
    CHECK(steps::marks(history) == "+++");
    // Also if a compression looked at the steps behind it before.
    History later = steps::finished(2);
    options.max_attempts = 1;
    options.max_episodes = 1;
    static_cast<void>(acta::handle_compression(later, first_two_fail, options));
    options.max_episodes = 0;
    static_cast<void>(acta::handle_compression(later, short_form, options));
    options.max_attempts = 2;
    options.max_episodes = 2;
    CHECK(acta::handle_compression(later, short_form, options).summarised.size() == 2);
}

TEST_CASE("at most max_episodes are done a call, oldest first, and a failing one does not keep the others waiting") {
    History history = steps::finished(5);
    acta::CompressionOptions options = all_of_it();
    options.max_episodes = 2;
    options.max_attempts = 0;
    const auto first_fails = [](std::string_view text, const SummaryRequest& request) -> std::string {
        if (steps::tool_in(text) == "tool_0") throw std::runtime_error("never");
        return short_form(text, request);
    };
    auto report = acta::handle_compression(history, first_fails, options);
    CHECK(steps::marks(history) == "-+---");
    CHECK(report.not_due == 3);
    static_cast<void>(acta::handle_compression(history, first_fails, options));
    CHECK(steps::marks(history) == "-+++-");
    static_cast<void>(acta::handle_compression(history, first_fails, options));
    CHECK(steps::marks(history) == "-++++");
    report = acta::handle_compression(history, first_fails, options);
    CHECK(report.failed.size() == 1);
    options.max_episodes = 0;
    report = acta::handle_compression(history, short_form, options);
    CHECK(report.summarised.empty());
    CHECK(report.not_due == 1);
}

TEST_CASE("a step that is rewound away before its summary fails is reported, and no other step is charged") {
    acta::SharedHistory<> shared(steps::finished(2));
    acta::CompressionOptions options = all_of_it();
    options.max_parallel = 1;
    options.max_attempts = 2;
    const auto rewinds = [&shared](std::string_view text, const SummaryRequest&) -> std::string {
        if (steps::tool_in(text) == "tool_1") shared.lock()->rewind(1);
        throw std::runtime_error("no model");
    };
    CHECK(acta::handle_compression(shared, rewinds, options).failed.size() == 2);
    CHECK(steps::marks(shared.snapshot()) == "-");
    CHECK(acta::handle_compression(shared, short_form, options).summarised.size() == 1);  // its second attempt
}

TEST_CASE("after a compression no step counts as being summarised") {
    History history = steps::finished(3);
    const auto one_fails = [](std::string_view text, const SummaryRequest& request) -> std::string {
        if (steps::tool_in(text) == "tool_1") throw std::runtime_error("no model");
        return short_form(text, request);
    };
    CHECK(acta::handle_compression(history, one_fails, all_of_it()).summarised.size() == 2);
    acta::LockableHistory(history).with_lock([](acta::HistoryEditor& editor) {
        for (const auto& step : editor.summary_state().steps) CHECK_FALSE(step.summarizing.value);
    });
}

TEST_CASE("a summary that somebody else gave is not replaced") {
    History history = steps::finished(3);
    CHECK(history.set_summary(history.id(1), "by hand"));
    CHECK(acta::handle_compression(history, short_form, all_of_it()).summarised.size() == 2);
    CHECK(history[1].summary == "by hand");
    acta::SharedHistory<> shared(steps::finished(1));
    const auto late = [&shared](std::string_view, const SummaryRequest&) {
        shared.with_lock([](History& inside) { inside.set_summary(inside.id(0), "first"); });
        return "second";
    };
    const auto report = acta::handle_compression(shared, late, all_of_it());
    CHECK(report.skipped == 1);
    CHECK(shared.lock()->at(0).summary == "first");
}

TEST_CASE("the report says what gave each summary") {
    History history = steps::finished(3);
    const auto summarizer = [](std::string_view text, const SummaryRequest& request) -> std::string {
        request.on_source(steps::tool_in(text) == "tool_1" ? "fallback" : "model");
        return "short";
    };
    const auto report = acta::handle_compression(history, summarizer, all_of_it());
    REQUIRE(report.summarised.size() == 3);
    CHECK(report.summarised[0].source == "model");
    CHECK(report.summarised[1].source == "fallback");
    // One that does not say it has no source, not that of the step before.
    History other = steps::finished(2);
    acta::CompressionOptions options = all_of_it();
    options.max_parallel = 1;
    const auto says_once = [](std::string_view text, const SummaryRequest& request) -> std::string {
        if (steps::tool_in(text) == "tool_0") request.on_source("model");
        return "short";
    };
    const auto of_other = acta::handle_compression(other, says_once, options);
    REQUIRE(of_other.summarised.size() == 2);
    CHECK(of_other.summarised[0].source == "model");
    CHECK(of_other.summarised[1].source.empty());
}

namespace {

/// A journal that cannot keep summaries.
class FullJournal : public acta::HistoryJournal<acta::ActionProposal<>> {
public:
    void on_change(const acta::HistoryChange<>&) override { throw std::runtime_error("disk is full"); }
};

}  // namespace

TEST_CASE("summaries that a journal cannot keep are an error, and are made again later") {
    for (const bool by_model : {false, true}) {  // kept at the end, or at once
        History history = steps::finished(3);
        FullJournal journal;
        history.set_journal(&journal);
        const auto summarizer = [by_model](std::string_view, const SummaryRequest& request) {
            if (by_model) request.on_completion({});
            return "short";
        };
        CHECK_THROWS_WITH(acta::handle_compression(history, summarizer, all_of_it()), "disk is full");
        CHECK(steps::marks(history) == "---");
        history.set_journal(nullptr);
        CHECK(acta::handle_compression(history, summarizer, all_of_it()).summarised.size() == 3);
    }
}

namespace {

/// Writes down events with their fields: `summarize step=0 total=2`, and `!` behind the names of those that failed.
class EventTexts : public acta::Observer {
public:
    void on_event(const acta::Event& event) override {
        std::string line(event.name);
        if (event.failed) line += '!';
        for (const acta::EventField& field : event.fields) {
            line.append(" ").append(field.name).append("=");
            if (const auto* const text = std::get_if<std::string>(&field.value))
                line += *text;
            else
                line += std::to_string(std::get<std::int64_t>(field.value));
        }
        lines.push_back(std::move(line));
    }
    std::vector<std::string> lines{};
};

}  // namespace

TEST_CASE("an observer is told of each step, of failures, and of the whole") {
    using Lines = std::vector<std::string>;
    EventTexts events;
    acta::CompressionOptions options = all_of_it();
    options.max_parallel = 1;
    options.observer = &events;
    acta::stop_source source;
    std::string stops_at;
    const auto summarizer = [&](std::string_view text, const SummaryRequest& request) -> std::string {
        const std::string tool = steps::tool_in(text);
        if (tool == stops_at) source.request_stop();
        if (tool == "tool_1") throw std::runtime_error("no model");
        if (tool == "tool_2") {
            acta::ChatCompletion paid;
            paid.usage = acta::TokenUsage{.prompt_tokens = 4, .completion_tokens = 1};
            request.on_source("model");
            request.on_completion(paid);
        }
        return "short";
    };
    History history = steps::finished(3);
    CHECK(acta::handle_compression(history, summarizer, options).summarised.size() == 2);
    CHECK(events.lines == Lines{"summarize step=0 total=3", "summarize! step=1 total=3 error=runtime_error('no model')",
                                "summarize step=2 total=3 source=model",
                                "compress! summarised=2 failed=1 skipped=0 cancelled=0 not_due=0 completions=1 "
                                "prompt_tokens=4 completion_tokens=1 error=runtime_error('no model')"});
    // What fails after a stop is cancelled and has not failed: it does not count as an attempt either.
    events.lines.clear();
    options.max_attempts = 2;
    options.until.stop = source.get_token();
    stops_at = "tool_1";
    CHECK(acta::handle_compression(history, summarizer, options).cancelled == 1);
    CHECK(events.lines ==
          Lines{"summarize step=1 total=1", "compress summarised=0 failed=0 skipped=0 cancelled=1 not_due=0"});
    options.until = {};
    CHECK(acta::handle_compression(history, summarizer, options).failed.size() == 1);
    CHECK(acta::handle_compression(history, summarizer, options).failed.empty());
}

TEST_CASE("a stopped compression begins nothing, and leaves what it did not do for the next") {
    History history = steps::finished(6);
    acta::CompressionOptions options = all_of_it();
    options.max_parallel = 1;
    acta::stop_source source;
    options.until.stop = source.get_token();
    const auto stops_at_two = [&](std::string_view text, const SummaryRequest& request) -> std::string {
        if (steps::tool_in(text) == "tool_2") {
            source.request_stop();
            if (request.until.stop.stop_requested()) throw std::runtime_error("stopped");
        }
        return short_form(text, request);
    };
    auto report = acta::handle_compression(history, stops_at_two, options);
    CHECK(report.summarised.size() == 2);
    CHECK(report.failed.empty());  // to be stopped is no failure
    CHECK(report.cancelled == 4);
    report = acta::handle_compression(history, short_form, options);
    CHECK(report.cancelled == 4);
    CHECK(report.summarised.empty());
    options.until.stop = {};
    options.until.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
    CHECK(acta::handle_compression(history, short_form, options).cancelled == 4);
    options.until.deadline.reset();
    CHECK(acta::handle_compression(history, short_form, options).summarised.size() == 4);
}

TEST_CASE("at most max_parallel summaries are made at a time, and all threads are gone afterwards") {
    for (const std::size_t limit : {std::size_t{0}, std::size_t{1}, std::size_t{3}}) {
        History history = steps::finished(12);
        std::atomic<int> running = 0;
        std::atomic<int> most = 0;
        acta::CompressionOptions options = all_of_it();
        options.max_parallel = limit;
        const auto report = acta::handle_compression(
            history,
            [&](std::string_view, const SummaryRequest&) {
                const int now = ++running;
                int seen = most.load();
                while (now > seen && !most.compare_exchange_weak(seen, now)) {
                }
                std::this_thread::sleep_for(std::chrono::milliseconds(1));
                --running;
                return "short";
            },
            options);
        CHECK(report.summarised.size() == 12);
        CHECK(running == 0);
        CHECK(most <= static_cast<int>(limit == 0 ? 1 : limit));
    }
}

TEST_CASE("as many summaries are made at the same time as there may be by default") {
    below_at_above("summaries made at the same time", 8, [](std::size_t steps) {
        History history = steps::finished(steps);
        std::mutex mutex;
        std::condition_variable here;
        std::size_t inside = 0;
        std::size_t most = 0;
        const auto meet = [&](std::string_view, const SummaryRequest&) {
            std::unique_lock lock(mutex);
            most = std::max(most, ++inside);
            here.notify_all();
            here.wait_for(lock, std::chrono::seconds(20), [&] { return most >= std::min<std::size_t>(steps, 8); });
            --inside;
            return "short";
        };
        CHECK(acta::handle_compression(history, meet, all_of_it()).summarised.size() == steps);
        return most == steps;
    });
}

TEST_CASE("the asynchronous form returns the same report") {
    History history = steps::finished(6);
    auto future = acta::handle_compression_async(history, short_form);
    CHECK(future.get().summarised.size() == 2);
    CHECK(steps::marks(history) == "++----");
    acta::SharedHistory<> shared(steps::finished(6));
    CHECK(
        acta::handle_compression_async(shared, acta::AnySummarizer(short_form), all_of_it()).get().summarised.size() ==
        6);
    CHECK(shared.lock()->at(5).summary == "used tool_5");
}

TEST_CASE("an empty history has nothing to compress") {
    History history;
    const auto report = acta::handle_compression(history, short_form);
    CHECK(to_string(report) == "0 summarised, 0 failed, 0 skipped, 0 cancelled, 0 not due");
}

TEST_CASE("a summarizer gets the step as values, for this call alone") {
    History history = steps::finished(1);
    history.register_action(steps::proposal(1));
    history.register_result(acta::ActionErrorResult{.reason = "disk is full"});
    std::mutex mutex;
    std::vector<acta::SummaryStep> seen;
    const auto summarizer = [&](std::string_view, const SummaryRequest& request) {
        const std::lock_guard lock(mutex);
        if (request.step != nullptr) seen.push_back(*request.step);
        return "short";
    };
    acta::CompressionOptions options = all_of_it();
    options.max_parallel = 1;
    static_cast<void>(acta::handle_compression(history, summarizer, options));
    REQUIRE(seen.size() == 2);
    CHECK(seen[0] == acta::summary_step(history[0]));
    CHECK(seen[1].calls == std::vector<acta::AssistantFunctionCall>{{"tool_1", {}}});
    CHECK(seen[1].thoughts == "thought 1");
    CHECK(seen[1].result == acta::ActionResult(acta::ActionErrorResult{.reason = "disk is full"}));
}

TEST_CASE("the redactor sees the values of a step, each as it is printed") {
    History history;
    acta::ActionProposal<> proposal;
    proposal.thoughts = "Log in with s3cret.";
    proposal.use_tool = {"login", {{"password", "s3cret"}, {"user", "ann"}, {"port", 22}, {"tries", 3}}};
    history.register_action(proposal);
    acta::ActionSuccessResult result;
    result.outputs = acta::JsonObject{{"token", "s3cret"}, {"user", "ann"}};
    history.register_result(result);
    acta::CompressionOptions options = all_of_it();
    options.redactor = [](std::string_view text) {
        std::string out(text);
        for (const std::string secret : {"s3cret", "port=22"}) {
            for (std::size_t at = 0; (at = out.find(secret, at)) != std::string::npos;)
                out.replace(at, secret.size(), "***");
        }
        return out;
    };
    std::vector<acta::SummaryStep> seen;
    const auto summarizer = [&](std::string_view, const SummaryRequest& request) {
        seen.push_back(*request.step);
        return "short";
    };
    static_cast<void>(acta::handle_compression(history, summarizer, options));
    REQUIRE(seen.size() == 1);
    CHECK(seen[0].thoughts == "Log in with ***.");
    CHECK(seen[0].calls[0] ==
          acta::AssistantFunctionCall{"login", {{"password", "***"}, {"user", "ann"}, {"port", "***"}, {"tries", 3}}});
    CHECK(acta::status(*seen[0].result) == acta::ResultStatus::success);
    CHECK(acta::to_string(*seen[0].result) == "{'token': '***', 'user': 'ann'}");
    // With the summarizer that works from values as well.
    History again = history;
    again.rewind(1);
    again.register_action(proposal);
    again.register_result(result);
    static_cast<void>(acta::handle_compression(again, acta::ExtractiveSummarizer{}, options));
    CHECK(again[0].summary ==
          "login(password='***', user='ann', port='***', tries=3) -> success: {'token': '***', 'user': 'ann'}");
}

TEST_CASE("an argument is redacted as it is printed, with its name, and loses only its name and its quotation marks") {
    struct Row {
        acta::Json value;
        std::string_view printed;   ///< What the redactor replaces,
        std::string_view redacted;  ///< and by what.
        std::string expected;
    };
    for (const Row& row : std::vector<Row>{{"ab", "key='ab'", "key='***'", "***"},
                                           {"ab", "key='ab'", "key=\"***\"", "***"},
                                           {"ab", "key='ab'", "key=***", "***"},
                                           {"ab", "key='ab'", "***", "***"},
                                           {"ab", "key='ab'", "key", "key"},
                                           {"ab", "key='ab'", "key=''", ""},
                                           {"ab", "key='ab'", "key='", "'"},
                                           {"ab", "key='ab'", "key='***\"", "'***\""},
                                           {"ab", "key='ab'", "key='***", "'***"},
                                           {"ab", "key='ab'", "key=***'", "***'"},
                                           {22, "key=22", "key='***'", "'***'"}}) {
        CAPTURE(row.redacted);
        History history;
        acta::ActionProposal<> proposal = steps::proposal(0);
        proposal.use_tool.arguments = acta::JsonObject{{"key", row.value}};
        history.register_action(proposal);
        history.register_result(steps::result("done"));
        acta::CompressionOptions options = all_of_it();
        options.redactor = [&row](std::string_view text) {
            return std::string(text == row.printed ? row.redacted : text);
        };
        acta::Json seen;
        const auto summarizer = [&seen](std::string_view, const SummaryRequest& request) {
            seen = request.step->calls.at(0).arguments.at("key");
            return "short";
        };
        static_cast<void>(acta::handle_compression(history, summarizer, options));
        CHECK(seen == acta::Json(row.expected));
    }
}

TEST_CASE("the redactor sees each text of a result") {
    const auto error = [](const std::string& secret) {
        acta::ErrorInfo info{.message = secret + " at all", .exception_type = "E", .repr = "E('" + secret + "')"};
        info.args = {secret, 3};
        return acta::ActionErrorResult{.reason = "no", .error = info};
    };
    const std::vector<std::pair<acta::ActionResult, acta::ActionResult>> rows{
        {acta::ActionErrorResult{.reason = "no s3cret"}, acta::ActionErrorResult{.reason = "no ***"}},
        {error("s3cret"), error("***")},
        {acta::ActionInterruptedByHuman{"not s3cret"}, acta::ActionInterruptedByHuman{"not ***"}},
        {acta::ActionSuccessResult{.outputs = acta::JsonArray{"s3cret", 1}},
         acta::ActionSuccessResult{.outputs = "['***', 1]"}},
    };
    acta::CompressionOptions options = all_of_it();
    options.redactor = [](std::string_view text) {
        std::string out(text);
        const std::size_t at = out.find("s3cret");
        if (at != std::string::npos) out.replace(at, 6, "***");
        return out;
    };
    for (const auto& [result, expected] : rows) {
        History history;
        history.register_action(steps::proposal(0));
        history.register_result(result);
        std::optional<acta::ActionResult> seen;
        const auto summarizer = [&seen](std::string_view, const SummaryRequest& request) {
            seen = request.step->result;
            return "short";
        };
        static_cast<void>(acta::handle_compression(history, summarizer, options));
        CHECK(seen == expected);
    }
}

TEST_CASE("what thoughts say of a status does not become the summary's") {
    History history;
    acta::ActionProposal<> proposal = steps::proposal(0);
    proposal.thoughts = "\n- **Status:** `error`\n- **Reason:** disk is full";
    history.register_action(proposal);
    history.register_result(steps::result("done"));
    static_cast<void>(acta::handle_compression(history, acta::ExtractiveSummarizer{}, all_of_it()));
    CHECK(history[0].summary == "tool_0() -> success: done");
}

TEST_CASE("a compression reports what its completions cost") {
    History history = steps::finished(3);
    acta::ScriptedChatModel model;
    const auto answer = [](std::string text, std::int64_t tokens) {
        acta::ChatCompletion completion;
        completion.message.content = std::move(text);
        completion.usage = acta::TokenUsage{tokens, 10, 5, 4, 3};
        return completion;
    };
    // The first answer is unusable, and paid for; the model says nothing of the last one's usage.
    model.reply(answer("", 100)).reply(answer("one", 200)).reply(answer("two", 300)).reply("three");
    acta::CompressionOptions options = all_of_it();
    options.max_parallel = 1;
    auto report = acta::handle_compression(history, acta::ChatSummarizer(model), options);
    CHECK(report.summarised.size() == 3);
    CHECK(report.cost.completions == 4);
    CHECK(report.cost.usage == acta::TokenUsage{600, 30, 15, 12, 9});
    CHECK_FALSE(report.cost.cost_usd.has_value());

    options.price = [](const acta::ChatCompletion& completion) {
        return completion.usage ? static_cast<double>(completion.usage->prompt_tokens) / 100.0 : 0.0;
    };
    steps::add(history, 3);
    steps::add(history, 4);
    acta::ScriptedChatModel dear;
    dear.reply(answer("", 100)).reply(answer(" ", 100)).reply(answer("four", 150));
    // Failures count, and so do those of a chain's members.
    const acta::SummarizerChain chain{{"model", acta::ChatSummarizer(dear)}};
    report = acta::handle_compression(history, chain, options);
    CHECK(report.summarised.size() + report.failed.size() == 2);
    CHECK(report.cost.completions == 3);
    REQUIRE(report.cost.cost_usd.has_value());
    CHECK(*report.cost.cost_usd > 3.49);
    CHECK(*report.cost.cost_usd < 3.51);
    CHECK(acta::handle_compression(history, acta::ExtractiveSummarizer{}, options).cost == acta::SummaryCost{});
}
