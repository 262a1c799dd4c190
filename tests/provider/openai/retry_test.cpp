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
#include "acta/provider/openai/chat_model.hpp"
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

TEST_CASE("an attempt that takes longer than its own limit is repeated, and a call that does ends with Timeout") {
    std::atomic<int> asked{0};
    std::atomic<int> silent{1};
    const Server server([&](Connection& c) {
        while (!c.read().head.empty()) {
            if (++asked > silent) c.answer(answer("at last"));
        }
    });
    openai::Options options = options_for(server, 1000);  // a slow machine may need more than two
    options.retry.max_delay = milliseconds(1);
    options.retry.call_timeout = milliseconds(200);
    const acta::ChatReply reply = openai::ChatModel(options).complete("?");
    CHECK(reply.completion.message.content == "at last");
    CHECK(reply.attempts >= 2);
    silent = 1'000'000;
    options.retry.max_attempts = 2;
    options.retry.call_timeout = milliseconds(20);
    const auto failed = failure(options);
    CHECK(failed->fault() == ChatModelFault::connection);
    CHECK(failed->is_transient());
    CHECK(failed->attempts() == 2);
    options.retry.max_attempts = 1000;
    options.timeout = milliseconds(10);
    CHECK_THROWS_AS(openai::ChatModel(options).complete("?"), acta::Timeout);
}

TEST_CASE("times of any length bound the attempts, the waits and the answer") {
    constexpr milliseconds longest = milliseconds::max();
    std::atomic<int> asked{0};
    const Server server(always([&](const Connection& c) {
        return ++asked % 2 == 1 ? c.answer("429 Too Many Requests", "{}") : c.answer(answer("yes"));
    }));
    std::optional<std::chrono::nanoseconds> waited;
    openai::Options options = options_for(server, 2);
    options.retry.on_retry = [&waited](const acta::RetryEvent& event) { waited = event.delay; };
    options.timeout = longest;
    options.connect_timeout = longest;
    options.retry.max_delay = longest;
    options.retry.max_retry_after = longest;
    options.retry.call_timeout = longest;
    CHECK(openai::ChatModel(options).complete("?").attempts == 2);
    CHECK(waited <= milliseconds(1));
    for (const milliseconds none : {milliseconds(0), milliseconds(-1), milliseconds::min()}) {
        options.retry.call_timeout = none;
        CHECK(openai::ChatModel(options).complete("?").attempts == 2);
    }
    options.retry.call_timeout.reset();
    options.retry.first_delay = milliseconds::min();
    CHECK(openai::ChatModel(options).complete("?").attempts == 2);
    CHECK(waited == milliseconds(0));
    waited.reset();
    options.retry.first_delay = longest;
    CHECK(failure(options, {.until = {.deadline = acta::deadline_in(std::chrono::hours(1))}})->attempts() == 1);
    CHECK_FALSE(waited);
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

#else

TEST_CASE("failures of a model are met with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
