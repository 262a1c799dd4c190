// SPDX-License-Identifier: MIT
#include "acta/compress/chat_summarizer.hpp"
#include "acta/base/stop_token.hpp"

#include <algorithm>
#include <chrono>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "support/catch.hpp"

namespace {

using std::chrono_literals::operator""ms;
using std::chrono_literals::operator""s;
using acta::ChatCompletion;
using acta::ChatMessage;
using acta::ChatOptions;
using acta::ChatSummarizer;
using acta::ChatSummarizerOptions;
using acta::ScriptedChatModel;
using acta::SummaryError;
using acta::SummaryRequest;
using TimePoint = std::chrono::steady_clock::time_point;

/// A clock that moves only when somebody waits.
struct FakeTime {
    TimePoint time{std::chrono::hours(1)};
    std::vector<std::chrono::nanoseconds> waits{};

    explicit FakeTime(double jitter = 1.0) {
        acta::base::retry_clock() = {.now = [this] { return time; },
                                     .wait =
                                         [this](std::chrono::nanoseconds delay, const acta::stop_token&) {
                                             waits.push_back(delay);
                                             time += delay;
                                         },
                                     .jitter = [jitter] { return jitter; }};
    }
    FakeTime(const FakeTime&) = delete;
    FakeTime& operator=(const FakeTime&) = delete;
    ~FakeTime() { acta::base::retry_clock() = {}; }
};

ChatCompletion completion(std::string text, std::string finish_reason = "stop") {
    ChatCompletion out;
    out.message.content = std::move(text);
    out.finish_reason = std::move(finish_reason);
    return out;
}

std::size_t question_tokens(std::span<const ChatMessage> messages) {
    std::size_t tokens = 12;
    for (const ChatMessage& message : messages) tokens += acta::EstimateTokens{}(message.content);
    return tokens;
}

std::string sentences(std::size_t count) {
    std::string text;
    for (std::size_t i = 0; i < count; ++i) text += "The tide rose to mark " + std::to_string(i) + ". ";
    return text;
}

}  // namespace

TEST_CASE("the model is asked in the words of the reference") {
    const ScriptedChatModel model{"  done\n"};
    CHECK(ChatSummarizer(model)("some text") == "done");
    REQUIRE(model.requests().size() == 1);
    const std::vector<ChatMessage> messages = model.requests()[0].messages;
    REQUIRE(messages.size() == 2);
    CHECK(messages[0] ==
          ChatMessage::system("The user is going to give you a text enclosed in triple quotes. The text represents an "
                              "action, the reason for its execution, and its result. Condense the action taken and its "
                              "result into one line. Preserve any specific factual information gathered by the "
                              "action."));
    CHECK(messages[1] == ChatMessage::user("\"\"\"some text\"\"\""));
    CHECK(model.requests()[0].options.max_tokens == 500);
}

TEST_CASE("a text cannot end the quotation it stands in") {
    const ScriptedChatModel model{"done"};
    CHECK(ChatSummarizer(model)("a\"\"\"b\"\"\"\"\"\"\"c\"\"") == "done");
    const std::string asked = model.requests()[0].messages[1].content;
    CHECK(asked == "\"\"\"a\"\" \"b\"\" \"\" \"\" \"c\"\"\"\"\"");
    CHECK(asked.find("\"\"\"", 3) >= asked.size() - 5);
}

TEST_CASE("what else the model reads follows the options") {
    FakeTime fake;
    ChatSummarizerOptions options;
    options.model = "small";
    options.temperature = 0.5;
    options.retry.call_timeout = 10s;
    const ScriptedChatModel model{"a", "b"};
    const ChatSummarizer summarizer(model, options);
    SummaryRequest request;
    request.max_tokens = 70;
    CHECK(summarizer("text", request) == "a");
    request.until.deadline = fake.time + 3s;
    CHECK(summarizer("text", request) == "b");
    const ChatOptions first = model.requests()[0].options;
    CHECK(first.model == "small");
    CHECK(first.temperature == 0.5);
    CHECK(first.max_tokens == 70);
    CHECK(first.until.deadline == fake.time + 10s);
    CHECK(model.requests()[1].options.until.deadline == fake.time + 3s);
}

TEST_CASE("an answer of several lines becomes one where one is asked for") {
    const ScriptedChatModel model{"one\n\ntwo\xE2\x80\xA8three", "one\ntwo"};
    SummaryRequest request;
    request.one_line = true;
    CHECK(ChatSummarizer(model)("text", request) == "one two three");
    request.one_line = false;
    CHECK(ChatSummarizer(model)("text", request) == "one\ntwo");
}

TEST_CASE("an empty answer is asked for once more") {
    const ScriptedChatModel model{" \n", "better"};
    CHECK(ChatSummarizer(model)("text") == "better");
    CHECK(model.requests()[1].messages[0].content.find("Your last answer was empty or too long.") != std::string::npos);
    CHECK(model.requests()[1].messages[1].content == "\"\"\"text\"\"\"");
    const ScriptedChatModel stubborn{"", "  "};
    CHECK_THROWS_WITH(ChatSummarizer(stubborn)("text"), "the model was asked twice, and its answer is empty");
    ScriptedChatModel caller;
    caller.reply_call("search", {{"q", "x"}}).reply("text after all");
    CHECK(ChatSummarizer(caller)("text") == "text after all");
}

TEST_CASE("an answer longer than asked is asked for once more") {
    SummaryRequest request;
    request.max_tokens = 10;
    const std::string too_long = sentences(5);
    const ScriptedChatModel model{too_long, "short"};
    CHECK(ChatSummarizer(model)("text", request) == "short");
    const ScriptedChatModel stubborn{too_long, too_long, "never asked"};
    CHECK_THROWS_WITH(ChatSummarizer(stubborn)("text", request),
                      contains_text("tokens, and at most 10 were asked for"));
    CHECK(stubborn.remaining() == 1);
    ScriptedChatModel cut;
    cut.reply(completion("half an ans", "length")).reply(completion("half an", "length"));
    CHECK_THROWS_WITH(ChatSummarizer(cut)("text", request), contains_text("its answer was cut off after"));
}

TEST_CASE("an answer that is no UTF-8 is repaired") {
    const ScriptedChatModel model{"a\xFF"};
    CHECK(ChatSummarizer(model)("text") == "a\xEF\xBF\xBD");
}

TEST_CASE("a model that fails is asked again, after longer and longer waits") {
    FakeTime fake;
    ChatSummarizerOptions options;
    options.retry.max_attempts = 5;
    options.retry.max_delay = 3s;
    ScriptedChatModel model;
    for (int i = 0; i < 4; ++i) model.fail(std::runtime_error("no network"));
    model.reply("at last");
    std::string reported;
    options.retry.on_retry = [&reported](const acta::RetryEvent& event) {
        reported += std::to_string(event.attempt) + ": " + event.error.what() + ", " +
                    std::to_string(event.delay / 1ms) + " ms\n";
    };
    CHECK(ChatSummarizer(model, options)("text") == "at last");
    CHECK(fake.waits == std::vector<std::chrono::nanoseconds>{500ms, 1s, 2s, 3s});
    CHECK(reported ==
          "1: no network, 500 ms\n2: no network, 1000 ms\n3: no network, 2000 ms\n4: no network, 3000 ms\n");
}

TEST_CASE("the waits are spread between a half and the whole") {
    FakeTime fake(0.0);
    ScriptedChatModel model;
    model.fail(std::runtime_error("x")).reply("ok");
    CHECK(ChatSummarizer(model)("text") == "ok");
    CHECK(fake.waits == std::vector<std::chrono::nanoseconds>{250ms});
    acta::base::retry_clock() = {};
    for (int i = 0; i < 1000; ++i) {
        const auto wait = acta::base::back_off({}, 2);
        CHECK((wait >= 500ms && wait < 1s));
    }
    CHECK(acta::base::jitter() != acta::base::jitter());
    acta::RetryOptions many;
    many.max_delay = std::chrono::hours(24);
    CHECK(acta::base::back_off(many, 100000) <= std::chrono::hours(24));
}

TEST_CASE("times of any length bound the attempts and the waits") {
    using std::chrono::milliseconds;
    constexpr auto longest = milliseconds::max();
    constexpr auto shortest = milliseconds::min();
    const auto deadline = [](milliseconds call_timeout) {
        const FakeTime fake;
        const ScriptedChatModel model{"ok"};
        CHECK(ChatSummarizer(model, {.retry = {.call_timeout = call_timeout}})("text") == "ok");
        return model.requests().at(0).options.until.deadline;
    };
    CHECK(deadline(longest) == TimePoint::max());
    CHECK(deadline(milliseconds(1)) == TimePoint(std::chrono::hours(1)) + milliseconds(1));
    CHECK_FALSE(deadline(milliseconds(0)));
    CHECK_FALSE(deadline(shortest));

    const auto waits = [](acta::RetryOptions retry) {
        FakeTime fake;
        ScriptedChatModel model;
        model.fail(std::runtime_error("x")).reply("ok");
        CHECK(ChatSummarizer(model, {.retry = std::move(retry)})("text") == "ok");
        return fake.waits;
    };
    using Waits = std::vector<std::chrono::nanoseconds>;
    CHECK(waits({.max_delay = longest}) == Waits{500ms});
    CHECK(waits({.first_delay = longest}) == Waits{20s});
    CHECK(waits({.first_delay = shortest, .max_delay = shortest}) == Waits{0s});

    const FakeTime fake;
    ScriptedChatModel model;
    model.fail(std::runtime_error("x"));
    const ChatSummarizer patient(model, {.retry = {.first_delay = longest, .max_delay = longest}});
    const auto late = [&] {
        static_cast<void>(patient("text", {.until = {.deadline = fake.time + std::chrono::hours(1)}}));
    };
    CHECK_THROWS_WITH(late(), "there was no time to ask the model again, which failed: x");
    CHECK(fake.waits.empty());
}

TEST_CASE("a model that keeps failing is an error that tells the last failure") {
    FakeTime fake;
    ScriptedChatModel model;
    model.fail(std::runtime_error("one")).fail(std::runtime_error("two")).fail(std::runtime_error("three"));
    CHECK_THROWS_WITH(ChatSummarizer(model)("text"), "the model failed 3 times, at last: three");
    CHECK_THROWS_AS(ChatSummarizer(model)("text"), SummaryError);  // the script has ended

    ChatSummarizerOptions once;
    once.retry.max_attempts = 0;
    ScriptedChatModel second;
    second.fail(std::runtime_error("one"));
    CHECK_THROWS_WITH(ChatSummarizer(second, once)("text"), "the model failed: one");
    ScriptedChatModel third;
    third.fail(7);
    CHECK_THROWS_WITH(ChatSummarizer(third, once)("text"),
                      "the model failed: an exception that is not a std::exception");
}

namespace {

/// A server that is always busy, behind a client that repeats failed requests by itself.
struct BusyModel {
    std::size_t own_attempts = 1;
    bool keeps_budget = true;  ///< Whether it follows `ChatOptions::max_attempts`.
    std::shared_ptr<std::size_t> requests = std::make_shared<std::size_t>(0);

    ChatCompletion operator()(std::span<const ChatMessage>, const ChatOptions& options) const {
        std::size_t attempts = own_attempts;
        if (keeps_budget && options.max_attempts) attempts = std::min(attempts, *options.max_attempts);
        *requests += attempts;
        throw acta::ChatModelError("busy", {.fault = acta::ChatModelFault::status,
                                            .status = 503,
                                            .is_transient = true,
                                            .attempts = static_cast<int>(attempts)});
    }
};

}  // namespace

TEST_CASE("the attempts of a model that retries by itself are not multiplied") {
    FakeTime fake;
    const auto requests_of = [](const BusyModel& model) {
        CHECK_THROWS_WITH(ChatSummarizer(model)("text"), "the model failed 3 times, at last: busy");
        return *model.requests;
    };
    CHECK(requests_of({.own_attempts = 3}) == 3);
    CHECK(requests_of({.own_attempts = 3, .keeps_budget = false}) == 3);
    CHECK(fake.waits.empty());
    CHECK(requests_of({.own_attempts = 1}) == 3);
    CHECK(requests_of({.own_attempts = 2}) == 3);  // two, and one that the budget leaves
    CHECK(requests_of({.own_attempts = 7}) == 3);
    // One that does not say how often it was asked counts once each time.
    std::size_t asked = 0;
    const auto plain = [&asked](std::span<const ChatMessage>, const ChatOptions&) -> ChatCompletion {
        ++asked;
        throw std::runtime_error("busy");
    };
    CHECK_THROWS_WITH(ChatSummarizer(plain)("text"), "the model failed 3 times, at last: busy");
    CHECK(asked == 3);
}

TEST_CASE("what cannot pass is not tried again") {
    FakeTime fake;
    ScriptedChatModel mistake;
    mistake.fail(std::invalid_argument("no such model")).reply("never");
    CHECK_THROWS_WITH(ChatSummarizer(mistake)("text"), "the model failed: no such model");
    CHECK(mistake.remaining() == 1);
    ChatSummarizerOptions options;
    options.retry.retry_if = [](const std::exception& error) { return std::string(error.what()) != "wrong key"; };
    ScriptedChatModel model;
    model.fail(std::runtime_error("busy")).fail(std::runtime_error("wrong key")).reply("never");
    CHECK_THROWS_WITH(ChatSummarizer(model, options)("text"), "the model failed 2 times, at last: wrong key");
    CHECK(fake.waits.size() == 1);
    // The caller's own rule decides of each kind of error.
    for (const bool repeats : {false, true}) {
        options.retry.retry_if = [repeats](const std::exception&) { return repeats; };
        ScriptedChatModel kinds;
        kinds.fail(std::invalid_argument("a mistake")).reply("text");
        ScriptedChatModel busy;
        busy.fail(acta::ChatModelError("busy", {.fault = acta::ChatModelFault::status, .status = 503})).reply("text");
        for (const ScriptedChatModel* const one : {&kinds, &busy}) {
            if (repeats)
                CHECK(ChatSummarizer(*one, options)("text") == "text");
            else
                CHECK_THROWS_AS(ChatSummarizer(*one, options)("text"), SummaryError);
        }
    }
    // What is thrown is reported before it is tried again, also if it is not an exception of the standard library.
    std::vector<std::string> reported;
    options.retry.retry_if = nullptr;
    options.retry.on_retry = [&reported](const acta::RetryEvent& event) { reported.emplace_back(event.error.what()); };
    ScriptedChatModel odd;
    odd.fail(7).fail(std::runtime_error("busy")).reply("text");
    CHECK(ChatSummarizer(odd, options)("text") == "text");
    CHECK(reported == std::vector<std::string>{"an exception that is not a std::exception", "busy"});
    // Nor is it tried again without memory, and that is reported as what it is.
    ScriptedChatModel full;
    full.fail(std::bad_alloc()).reply("never");
    CHECK_THROWS_AS(ChatSummarizer(full)("text"), std::bad_alloc);
    CHECK(full.remaining() == 1);
}

TEST_CASE("a deadline ends the attempts, and no wait goes beyond it") {
    FakeTime fake;
    SummaryRequest request;
    request.until.deadline = fake.time + 600ms;
    ScriptedChatModel model;
    model.fail(std::runtime_error("one")).fail(std::runtime_error("two")).reply("never");
    CHECK_THROWS_WITH(ChatSummarizer(model)("text", request),
                      "there was no time to ask the model again, which failed: two");
    CHECK(fake.waits.size() == 1);
    request.until.deadline = fake.time;
    CHECK_THROWS_WITH(ChatSummarizer(model)("text", request), "the deadline passed before there was a summary");
    CHECK(model.remaining() == 1);
}

TEST_CASE("a stop ends the work before, between and during the attempts") {
    acta::stop_source source;
    SummaryRequest request;
    request.until.stop = source.get_token();
    ScriptedChatModel model;
    model.reply_by([&source](std::span<const ChatMessage>, const ChatOptions& options) -> ChatCompletion {
        source.request_stop();
        if (options.until.stop.stop_requested()) throw std::runtime_error("given up");
        return {};
    });
    model.reply("never");
    CHECK_THROWS_WITH(ChatSummarizer(model)("text", request),
                      "stopped before there was a summary; the model failed before: given up");
    CHECK_THROWS_WITH(ChatSummarizer(model)("text", request), "stopped before there was a summary");
    CHECK(model.remaining() == 1);

    // The wait between two attempts, which is longer than any test may take, is cut short.
    acta::stop_source later;
    request.until.stop = later.get_token();
    ChatSummarizerOptions patient;
    patient.retry.first_delay = patient.retry.max_delay = std::chrono::hours(2);
    ScriptedChatModel failing;
    failing.fail(std::runtime_error("busy")).reply("never");
    const acta::jthread stopper([&later, &failing] {
        while (failing.remaining() == 2) std::this_thread::yield();
        later.request_stop();
    });
    CHECK_THROWS_WITH(ChatSummarizer(failing, patient)("text", request),
                      "stopped before there was a summary; the model failed before: busy");
    CHECK(failing.remaining() == 1);
}

TEST_CASE("a question takes the place of an instruction") {
    const ScriptedChatModel model{"in Norway", "x", "y"};
    SummaryRequest request;
    request.question = "Where is the keeper?";
    CHECK(ChatSummarizer(model)("text", request) == "in Norway");
    CHECK(model.requests()[0].messages[0].content.find("\"Where is the keeper?\"") != std::string::npos);
    request.instruction = "Translate it.";
    CHECK_THROWS_WITH(ChatSummarizer(model)("text", request),
                      "a summary answers a question or follows an instruction, not both");
    request.question.reset();
    CHECK(ChatSummarizer(model)("text", request) == "x");
    CHECK(model.requests()[1].messages[0].content ==
          "The user is going to give you a text enclosed in triple quotes. Translate it.");
    request.instruction.clear();
    CHECK(ChatSummarizer(model)("text", request) == "y");
}

TEST_CASE("a text longer than the window is asked in chunks, and no question exceeds the window") {
    constexpr std::size_t window = 900;
    std::vector<std::string> texts;
    std::size_t asked = 0;
    std::size_t combining = 0;
    const auto model = [&](std::span<const ChatMessage> messages, const ChatOptions& options) {
        ++asked;
        CHECK(question_tokens(messages) + static_cast<std::size_t>(options.max_tokens.value_or(0)) <= window);
        const bool combines =
            messages[0].content.find("Combine these partial summaries into one.") != std::string::npos;
        if (combines)
            ++combining;
        else
            texts.push_back(messages[1].content.substr(3, messages[1].content.size() - 6));
        // As long as it may be: the worst for those that must be combined.
        const auto most = static_cast<std::size_t>(options.max_tokens.value_or(0));
        return completion(sentences(most / 9));
    };
    ChatSummarizerOptions options;
    options.window_tokens = window;
    const std::string text = sentences(4000);
    const acta::TextSummary summary = ChatSummarizer(model, options).summarize(text);
    CHECK_FALSE(summary.summary.empty());
    REQUIRE(summary.parts.size() > 50);
    CHECK(summary.parts.size() == texts.size());
    CHECK(combining > 1);             // in more than one round
    CHECK(asked < 2 * texts.size());  // each round leaves at most half
    std::string whole;
    for (const acta::PartialSummary& part : summary.parts) {
        whole += part.text;
        CHECK_FALSE(part.summary.empty());
    }
    CHECK(whole == text);
}

TEST_CASE("the second question does not exceed the window either") {
    ChatSummarizerOptions options;
    options.window_tokens = 900;
    SummaryRequest request;
    request.instruction = "Summarise it.";
    std::vector<std::size_t> sizes;
    const auto model = [&](std::span<const ChatMessage> messages, const ChatOptions&) {
        sizes.push_back(question_tokens(messages));
        return completion(sizes.size() % 2 == 1 ? "" : "fine");
    };
    // Texts about as long as one question may be.
    for (std::size_t count = 30; count < 46; ++count) {
        CHECK(ChatSummarizer(model, options)(sentences(count), request) == "fine");
    }
    for (const std::size_t size : sizes) CHECK(size + 500 <= 900);
}

TEST_CASE("the reminder is given if the second question fits the window with it") {
    // 60 tokens of words without the reminder and 70 with it, 12 around the text, the text and the answer.
    const auto is_reminded = [](std::size_t text_tokens, std::size_t window) {
        ChatSummarizerOptions options;
        options.window_tokens = window;
        options.count_tokens = [text_tokens](std::string_view text) -> std::size_t {
            if (text.find("Your last answer was") != std::string_view::npos) return 70;
            return text == "text" ? text_tokens : text.starts_with("The user is going") ? 60 : 1;
        };
        SummaryRequest request;
        request.max_tokens = 20;
        const ScriptedChatModel model{"", "better"};
        CHECK(ChatSummarizer(model, options)("text", request) == "better");
        return model.requests()[1].messages[0].content.find("Your last answer was") != std::string::npos;
    };
    CHECK(is_reminded(100, 70 + 12 + 100 + 20));
    CHECK_FALSE(is_reminded(100, 70 + 12 + 100 + 20 - 1));
    CHECK_FALSE(is_reminded(100, 60 + 12 + 100 + 20));
}

TEST_CASE("an answer of as many tokens as asked for is taken") {
    SummaryRequest request;
    request.max_tokens = 20;
    ChatSummarizerOptions options;
    options.count_tokens = [](std::string_view text) -> std::size_t {
        return text.find_first_not_of('y') == std::string_view::npos ? text.size() : 1;
    };
    const auto answer = [&](std::size_t size) -> std::string {
        const ScriptedChatModel model{std::string(size, 'y'), std::string(size, 'y')};
        try {
            return ChatSummarizer(model, options)("text", request);
        } catch (const SummaryError& error) {
            return error.what();
        }
    };
    CHECK(answer(20) == std::string(20, 'y'));
    CHECK(answer(21) == "the model was asked twice, and its answer has 21 tokens, and at most 20 were asked for");
    ScriptedChatModel cut;
    cut.reply(completion("yyy", "length")).reply(completion("yyyy", "length"));
    CHECK_THROWS_WITH(ChatSummarizer(cut, options)("text", request),
                      "the model was asked twice, and its answer was cut off after 4 tokens, and at most 20 were "
                      "asked for");
}

TEST_CASE("a window that holds no text is an error that says what it takes") {
    ChatSummarizerOptions options;
    options.window_tokens = 560;
    const ScriptedChatModel model{"never"};
    CHECK_THROWS_WITH(ChatSummarizer(model, options)("text"), starts_with_text("a window of 560 tokens is too small"));
    options.count_tokens = [](std::string_view text) { return text.size(); };
    const ScriptedChatModel asked{"short"};
    options.window_tokens = 9000;
    SummaryRequest long_one{.instruction = "Say " + std::string(2000, 'x')};
    static_cast<void>(ChatSummarizer(asked, options)("text", long_one));
    const std::size_t system = asked.requests()[0].messages.front().content.size();
    options.window_tokens = 2000;
    CHECK_THROWS_WITH(ChatSummarizer(model, options)("text", long_one),
                      contains_text("the instruction takes " + std::to_string(system + 12) + ", "));
    SummaryRequest request;
    request.max_tokens = static_cast<std::size_t>(-1);
    CHECK_THROWS_WITH(ChatSummarizer(model)("text", request), starts_with_text("a window of 8192 tokens is too small"));
    CHECK(model.remaining() == 1);
}

TEST_CASE("a blank text, no model and a bound of nothing are errors") {
    const ScriptedChatModel model{"never"};
    CHECK_THROWS_WITH(ChatSummarizer(model)(" \n\xE3\x80\x80"), "No content");
    SummaryRequest request;
    request.max_tokens = 0;
    CHECK_THROWS_AS(ChatSummarizer(model)("text", request), SummaryError);
    CHECK_THROWS_AS(ChatSummarizer(acta::AnyChatModel{}), acta::Error);
    CHECK(model.remaining() == 1);
}

TEST_CASE("threads may share a chat summarizer") {
    const auto model = [](std::span<const ChatMessage> messages, const ChatOptions&) {
        return completion(messages[1].content.substr(3, 1));
    };
    const ChatSummarizer summarizer(model);
    std::vector<acta::jthread> threads;
    std::vector<int> right(4, 0);
    for (std::size_t i = 0; i < right.size(); ++i) {
        threads.emplace_back([&, i] {
            const std::string letter(1, static_cast<char>('a' + i));
            for (int n = 0; n < 50; ++n) right[i] += summarizer(letter + " text") == letter ? 1 : 0;
        });
    }
    threads.clear();
    CHECK(right == std::vector<int>(4, 50));
}
