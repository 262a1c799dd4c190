// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <atomic>
#include <chrono>
#include <future>
#include <optional>
#include <string>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "acta/skill/arguments_action.hpp"
#include "faulty_model.hpp"

namespace {

using acta::ChatModelFault;
namespace openai = acta::openai;
using faulty::always;
using faulty::answer;
using faulty::Connection;
using faulty::failure;
using faulty::key;
using faulty::options_for;
using faulty::Server;
using std::chrono::milliseconds;
using std::chrono::seconds;

}  // namespace

TEST_CASE("passing failures are tried again, at once on a new connection") {
    std::atomic<int> asked{0};
    const Server server([&](Connection& c) {
        while (!c.read().head.empty()) {
            const int n = ++asked;
            if (n == 1) return;  // without a word
            if (n == 2) {
                c.answer("503 Service Unavailable", "<h1>busy</h1>");
            } else if (n == 3) {
                c.answer("409 Conflict", R"({"error":"lock"})");
            } else {
                c.answer(answer("at last"));
            }
        }
    });
    std::vector<std::string> events;
    openai::Options options = options_for(server, 4);
    options.retry.on_retry = [&](const acta::RetryEvent& event) {
        const auto& error = dynamic_cast<const acta::ChatModelError&>(event.error);
        events.push_back(std::to_string(event.attempt) + ":" + std::to_string(error.status()));
    };
    const acta::ChatReply reply = openai::ChatModel(options).complete("?");
    CHECK(reply.completion.message.content == "at last");
    CHECK(reply.attempts == 4);
    CHECK(events == std::vector<std::string>{"1:0", "2:503", "3:409"});
}

TEST_CASE("a caller that repeats, too, bounds the requests of one call") {
    std::atomic<int> asked{0};
    const Server server(always([&](const Connection& c) {
        ++asked;
        return c.answer("503 Service Unavailable", "{}");
    }));
    acta::ChatOptions chat;
    chat.max_attempts = 2;
    CHECK(failure(options_for(server, 3), chat)->attempts() == 2);
    CHECK(asked == 2);
    // Three in all by default, whatever stands on what.
    asked = 0;
    openai::Options options = options_for(server);
    options.retry = {.first_delay = milliseconds(1)};
    const acta::ChatSummarizer summarizer(openai::ChatModel(options), {.retry = {.first_delay = milliseconds(1)}});
    CHECK_THROWS_AS(summarizer("A long day at sea, and nothing to be seen.", {}), acta::SummaryError);
    CHECK(asked == 3);
}

namespace {

/// A server that refuses each first request, with these headers, and answers each second one.
struct Refusing {
    std::atomic<int> asked{0};
    std::string header{};
    Server server{always([this](const Connection& c) {
        return ++asked % 2 == 1 ? c.answer("429 Too Many Requests", "{}", header) : c.answer(answer("yes"));
    })};
    std::optional<milliseconds> wished{};
    std::optional<std::chrono::nanoseconds> waited{};

    openai::Options options() {
        openai::Options out = options_for(server, 2);
        out.retry.on_retry = [this](const acta::RetryEvent& event) {
            wished = dynamic_cast<const acta::ChatModelError&>(event.error).retry_after();
            waited = event.delay;
        };
        return out;
    }
};

}  // namespace

TEST_CASE("Retry-After of no time leaves the usual wait, and too long a one is no retry") {
    Refusing refusing;
    openai::Options options = refusing.options();
    // "At once", or a time in the past, does not take away our own back-off.
    acta::base::retry_clock().jitter = [] { return 0.5; };
    for (const char* at_once : {"Retry-After: 0\r\n", "Retry-After: Sun, 06 Nov 1994 08:49:37 GMT\r\n"}) {
        refusing.header = at_once;
        CHECK(openai::ChatModel(options).complete("?").attempts == 2);
        CHECK(refusing.wished == seconds(0));
        CHECK(refusing.waited == std::chrono::microseconds(750));
    }
    acta::base::retry_clock() = {};

    refusing.header = "Retry-After: 3600\r\n";
    refusing.wished.reset();
    const auto error = failure(options);
    CHECK(error->retry_after() == std::chrono::hours(1));
    CHECK(error->attempts() == 1);
    CHECK_FALSE(refusing.wished);
    // Nor is there one where the time is over before.
    ++refusing.asked;
    refusing.header = "Retry-After: 50\r\n";
    options.timeout = seconds(40);
    CHECK(failure(options)->attempts() == 1);
}

TEST_CASE("times of any length bound the attempts, the waits and the answer") {
    constexpr milliseconds longest = milliseconds::max();
    Refusing refusing;
    openai::Options options = refusing.options();
    options.timeout = longest;
    options.connect_timeout = longest;
    options.retry.max_delay = longest;
    options.retry.max_retry_after = longest;
    options.retry.call_timeout = longest;
    CHECK(openai::ChatModel(options).complete("?").attempts == 2);
    CHECK(refusing.waited <= milliseconds(1));
    for (const milliseconds none : {milliseconds(0), milliseconds(-1), milliseconds::min()}) {
        options.retry.call_timeout = none;
        CHECK(openai::ChatModel(options).complete("?").attempts == 2);
    }
    options.retry.call_timeout.reset();
    options.retry.first_delay = milliseconds::min();
    CHECK(openai::ChatModel(options).complete("?").attempts == 2);
    CHECK(refusing.waited == milliseconds(0));
    refusing.waited.reset();
    options.retry.first_delay = longest;
    CHECK(failure(options, {.until = {.deadline = acta::deadline_in(std::chrono::hours(1))}})->attempts() == 1);
    CHECK_FALSE(refusing.waited);
}

TEST_CASE("a slow answer ends at the deadline, and at the client's own limit") {
    const Server server([](Connection& c) {
        c.read();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
        c.wait_for_end();
    });
    openai::Options options = options_for(server, 3);
    acta::ChatOptions chat;
    chat.until.deadline = std::chrono::steady_clock::now() + milliseconds(200);
    const openai::ChatModel model(options);
    CHECK_THROWS_AS(model.complete("?", chat), acta::Timeout);
    const auto connections = server.connections();
    CHECK(connections <= 1);
    CHECK_THROWS_AS(model.complete("?", chat), acta::Timeout);  // it has passed before
    CHECK(server.connections() == connections);
    options.timeout = milliseconds(200);
    CHECK_THROWS_AS(openai::ChatModel(options).complete("?"), acta::Timeout);
}

TEST_CASE("a server that is never reached is given up after the time for connecting") {
    // A backlog that is full takes no further connection, but does not refuse it.
    const int listener = ::socket(AF_INET, SOCK_STREAM, 0);
    ::sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* const any = reinterpret_cast<::sockaddr*>(&address);
    ::socklen_t size = sizeof address;
    REQUIRE(::bind(listener, any, size) == 0);
    REQUIRE(::listen(listener, 0) == 0);
    REQUIRE(::getsockname(listener, any, &size) == 0);
    std::vector<int> filling;
    for (int i = 0; i < 8; ++i) {
        filling.push_back(::socket(AF_INET, SOCK_STREAM | SOCK_NONBLOCK, 0));
        const int begun = ::connect(filling.back(), any, size);  // done or not, which does not matter
        static_cast<void>(begun);
    }
    const auto error = failure({.base_url = "http://127.0.0.1:" + std::to_string(ntohs(address.sin_port)),
                                .api_key = key,
                                .connect_timeout = milliseconds(200),
                                .retry = {.max_attempts = 2, .first_delay = milliseconds(1)}});
    CHECK(error->fault() == ChatModelFault::connection);
    CHECK(error->attempts() == 2);
    for (const int one : filling) ::close(one);
    ::close(listener);
}

TEST_CASE("a stop ends a call in the middle of an answer, and in a wait") {
    std::promise<void> half;
    const Server server([&](Connection& c) {
        c.read();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{");
        half.set_value();
        c.wait_for_end();
    });
    acta::stop_source source;
    acta::ChatOptions chat;
    chat.until.stop = source.get_token();
    const openai::ChatModel model(options_for(server));
    acta::jthread stopper([&] {
        half.get_future().wait();
        source.request_stop();
    });
    CHECK_THROWS_AS(model.complete("?", chat), acta::Cancelled);
    CHECK_THROWS_AS(model.complete("?", chat), acta::Cancelled);
    CHECK(server.connections() == 1);

    const Server busy(always([](const Connection& c) { return c.answer("429 Busy", "{}", "Retry-After: 50\r\n"); }));
    acta::stop_source other;
    openai::Options options = options_for(busy, 2);
    options.retry.on_retry = [&other](const acta::RetryEvent&) { other.request_stop(); };
    CHECK_THROWS_AS(openai::ChatModel(options).complete("?", {.until = {.stop = other.get_token()}}), acta::Cancelled);
}

TEST_CASE("what ends a call of the model is what ends an action that asks it") {
    STATIC_REQUIRE(acta::ChatModel<openai::ChatModel>);
    STATIC_REQUIRE(acta::ChatModel<const openai::ChatModel>);
    const Server server([](Connection& c) { c.wait_for_end(); });
    openai::Options options = options_for(server);
    options.timeout = milliseconds(100);
    acta::ArgumentsParsingAction action{.skill = {.name = "search"}, .ask = "find it"};
    const acta::ParsedArguments parsed = action.run(openai::ChatModel(options));
    CHECK_FALSE(parsed.arguments);
    REQUIRE(parsed.error);
    CHECK(parsed.error->exception_type == "Timeout");
}

#else

TEST_CASE("failures of a model are met with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
