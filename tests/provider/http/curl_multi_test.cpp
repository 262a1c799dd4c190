// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <exception>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/provider/http/curl_multi.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/http/socket_server.hpp"

namespace {

using acta::http::CurlMulti;
using acta::http::Demand;
using acta::http::Fault;
using acta::http::Reply;
using faulty::Connection;
using faulty::Server;
using std::chrono::milliseconds;

acta::http::Request request_for(const std::string& url, std::string body = "{}",
                                milliseconds time = milliseconds(5000)) {
    return {.url = url, .body = std::move(body), .deadline = acta::deadline_in(time)};
}

/// The end of an exchange.
struct Ending {
    int calls = 0;
    std::exception_ptr failure{};
    Reply reply{};

    [[nodiscard]] auto done() {
        return [this](std::exception_ptr failed, Reply got) {
            ++calls;
            failure = std::move(failed);
            reply = std::move(got);
        };
    }
    template <class Exception>
    [[nodiscard]] std::optional<Exception> thrown() const {
        REQUIRE(calls == 1);
        REQUIRE(failure);
        try {
            std::rethrow_exception(failure);
        } catch (const Exception& error) {
            return error;
        }
        return std::nullopt;
    }
    [[nodiscard]] Fault fault() const { return thrown<acta::http::Error>()->fault(); }
};

void run(CurlMulti& http) {
    for (int i = 0; http.step(milliseconds(1000)) > 0; ++i) REQUIRE(i < 1000);
}

const std::string chunked = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n";

}  // namespace

TEST_CASE("several exchanges are under way at the same time in one thread") {
    std::vector<std::string> bodies;
    std::atomic<int> come = 0;
    const Server server([&](Connection& c) {
        for (faulty::Request one = c.read(); !one.head.empty(); one = c.read()) {
            if (one.body != "again") ++come;
            while (come < 3) std::this_thread::yield();  // each waits for the others
            c.answer("200 OK", one.body, "X-Ship: Argo\r\n");
        }
    });
    CurlMulti http;
    const auto thread = std::this_thread::get_id();
    for (const char* const body : {"one", "two", "three"}) {
        http.start(request_for(server.url(), body), {}, [&](const std::exception_ptr& failure, const Reply& reply) {
            CHECK_FALSE(failure);
            CHECK(reply.status == 200);
            CHECK(reply.header("x-ship") == "Argo");
            CHECK(std::this_thread::get_id() == thread);
            bodies.push_back(reply.body);
            if (reply.body != "one") return;
            // A callback may start the next exchange, which uses a connection again.
            http.start(request_for(server.url(), "again"), {},
                       [&](const std::exception_ptr&, const Reply& other) { bodies.push_back(other.body); });
        });
    }
    CHECK(bodies.empty());  // nothing is called by start
    run(http);
    CHECK(bodies.size() == 4);
    CHECK(std::count(bodies.begin(), bodies.end(), "again") == 1);
    CHECK(server.connections() == 3);
    CHECK(http.step() == 0);
}

TEST_CASE("a body arrives in parts, and what the sink leaves is in the response") {
    std::atomic<bool> seen = false;
    const Server server([&](Connection& c) {
        c.read();
        c.send(chunked + "\r\n3\r\none\r\n");
        while (!seen) std::this_thread::yield();
        c.send("3\r\ntwo\r\n0\r\n\r\n");
    });
    CurlMulti http;
    Ending end;
    std::string parts;
    http.start(
        request_for(server.url()),
        [&](Reply& reply) {
            CHECK(reply.status == 200);
            CHECK(reply.header("transfer-encoding") == "chunked");
            if (!seen) parts += std::exchange(reply.body, {}) + "|";
            seen = true;
            return Demand::more;
        },
        end.done());
    run(http);
    CHECK_FALSE(end.failure);
    CHECK(parts == "one|");
    CHECK(end.reply.body == "two");
}

TEST_CASE("a sink that needs no more ends the exchange before the server does") {
    const Server server([](Connection& c) {
        c.read();
        c.send(chunked + "\r\n4\r\ndone\r\n");
        c.wait_for_end();
    });
    CurlMulti http;
    Ending end;
    int calls = 0;
    http.start(
        request_for(server.url()), [&](Reply&) { return ++calls, Demand::nothing; }, end.done());
    run(http);
    CHECK(calls == 1);
    CHECK(end.calls == 1);
    CHECK_FALSE(end.failure);
    CHECK(end.reply.status == 200);
    CHECK(end.reply.body == "done");
}

TEST_CASE("an exchange that fails is reported once, by step") {
    CurlMulti http;
    Ending end;
    SECTION("no server") {
        std::string gone;
        {
            const Server server([](Connection&) {});
            gone = server.url();
        }
        http.start(request_for(gone), {}, end.done());
        run(http);
        CHECK(end.fault() == Fault::connection);
    }
    SECTION("in the middle of the body") {
        const Server server([](Connection& c) {
            c.read();
            c.send("HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\nhalf");
        });
        http.start(request_for(server.url()), {}, end.done());
        run(http);
        CHECK(end.fault() == Fault::connection);
        CHECK(end.reply.body.empty());
    }
    SECTION("the body is too large") {
        const Server server([](Connection& c) {
            c.read();
            c.answer(std::string(1000, 'x'));
        });
        auto request = request_for(server.url());
        request.max_bytes = 999;
        http.start(std::move(request), {}, end.done());
        run(http);
        CHECK(end.fault() == Fault::too_large);
    }
    SECTION("the deadline") {
        const Server server([](Connection& c) {
            c.read();
            c.send(chunked + "\r\n4\r\nhalf\r\n");
            c.wait_for_end();
        });
        http.start(request_for(server.url(), "", milliseconds(60)), {}, end.done());
        run(http);
        CHECK_THAT(end.thrown<acta::Timeout>()->what(), contains_text("4 bytes"));
    }
    SECTION("the deadline has passed already") {
        http.start({.url = "http://127.0.0.1:1"}, {}, end.done());
        CHECK(end.calls == 0);
        CHECK(http.step() == 0);
        CHECK(end.thrown<acta::Timeout>());
    }
    SECTION("a URL that libcurl cannot use") {
        for (const char* const url : {"", "ftp://127.0.0.1/", "http://a b/"}) {
            Ending bad;
            http.start(request_for(url), {}, bad.done());
            CHECK(bad.calls == 0);
            run(http);
            CHECK(bad.fault() != Fault::connection);
        }
    }
    SECTION("an exception of the sink") {
        const Server server([](Connection& c) {
            c.read();
            c.answer("text");
        });
        http.start(
            request_for(server.url()), [](Reply&) -> Demand { throw std::runtime_error("full"); }, end.done());
        run(http);
        CHECK(end.thrown<std::runtime_error>()->what() == std::string("full"));
    }
}

TEST_CASE("a stop ends its exchange, and no other, with Cancelled") {
    std::atomic<bool> begun = false;
    const Server server([&](Connection& c) {
        const std::string body = c.read().body;
        if (body == "quick") {
            c.answer(body);
            return;
        }
        begun = true;
        c.wait_for_end();
    });
    CurlMulti http;
    acta::stop_source stop;
    Ending stopped;
    Ending other;
    auto request = request_for(server.url(), "slow");
    request.stop = stop.get_token();
    http.start(request, {}, stopped.done());
    http.start(request_for(server.url(), "quick"), {}, other.done());
    SECTION("by another thread, during a wait") {
        std::thread stopper([&] {
            while (!begun) std::this_thread::yield();
            stop.request_stop();
        });
        while (http.step(milliseconds(10'000)) > 0) {
        }
        stopper.join();
    }
    SECTION("by the sink of another exchange") {
        http.start(request_for(server.url(), "quick"), [&](Reply&) { return stop.request_stop(), Demand::more; }, {});
        while (http.step(milliseconds(10'000)) > 0) {
        }
    }
    SECTION("before it has begun") {
        stop.request_stop();
        Ending late;
        http.start(request, {}, late.done());
        run(http);
        CHECK(late.thrown<acta::Cancelled>());
    }
    CHECK(stopped.thrown<acta::Cancelled>());
    CHECK(other.reply.body == "quick");
}

TEST_CASE("step waits no longer than it is asked to, and wake ends its wait") {
    CurlMulti http;
    CHECK(http.step() == 0);
    CHECK(http.step(milliseconds(1)) == 0);
    CHECK(http.step(milliseconds(-5)) == 0);
    http.wake();
    CHECK(http.step(milliseconds::max()) == 0);
    std::thread waker([&] { http.wake(); });
    CHECK(http.step(milliseconds(3'600'000)) == 0);
    waker.join();
}

TEST_CASE("what done throws is thrown by step, and the other exchanges continue") {
    const Server server([](Connection& c) {
        c.read();
        c.answer("text");
    });
    CurlMulti http;
    Ending end;
    int calls = 0;
    for (int i = 0; i < 2; ++i) {
        http.start(request_for("ftp://127.0.0.1/"), {}, [&](const std::exception_ptr&, const Reply&) {
            ++calls;
            CHECK_THROWS_AS(http.step(), acta::Error);
            CHECK_THROWS_AS(http.on_timer(), acta::Error);
            throw std::runtime_error("mine");
        });
    }
    http.start(request_for(server.url()), {}, end.done());
    CHECK_THROWS_WITH(http.step(), "mine");
    CHECK(calls == 1);
    CHECK_THROWS_WITH(http.step(), "mine");
    CHECK(calls == 2);
    run(http);
    CHECK(end.reply.body == "text");
}

TEST_CASE("the end of a CurlMulti ends its exchanges, and calls nothing") {
    std::atomic<int> come = 0;
    const Server server([&](Connection& c) {
        c.read();
        ++come;
        c.send(chunked + "\r\n4\r\nhalf\r\n");
        c.wait_for_end();
        --come;
    });
    acta::stop_source stop;
    auto request = request_for(server.url());
    request.stop = stop.get_token();
    auto http = std::make_unique<CurlMulti>();
    Ending end;
    SECTION("at any time") {
        for (int i = 0; i < 3; ++i) http->start(request, {}, end.done());
        while (come < 3) http->step(milliseconds(10));
        http.reset();
    }
    SECTION("in its first moment") {
        http->start(request, {}, end.done());
        http.reset();
    }
    SECTION("in a sink") {
        int calls = 0;
        const auto sink = [&](Reply&) {
            ++calls;
            http.reset();
            return Demand::more;
        };
        for (int i = 0; i < 3; ++i) http->start(request, sink, end.done());
        while (http) http->step(milliseconds(1000));
        CHECK(calls == 1);
    }
    SECTION("in done") {
        int calls = 0;
        for (int i = 0; i < 3; ++i) http->start(request, {}, end.done());
        for (int i = 0; i < 2; ++i) {
            http->start(request_for("ftp://127.0.0.1/"), {}, [&](const std::exception_ptr&, const Reply&) {
                ++calls;
                http.reset();
            });
        }
        CHECK(http->step() == 0);
        CHECK(calls == 1);
    }
    CHECK_FALSE(http);
    CHECK(end.calls == 0);
    stop.request_stop();                         // nothing of it listens any longer
    while (come > 0) std::this_thread::yield();  // the connections are closed
}

TEST_CASE("the end of a CurlMulti takes its timer out of an event loop, and ignores what that throws") {
    using Timers = std::vector<std::optional<milliseconds>>;
    Timers timers;
    bool throws = false;
    const auto looped = [&] {
        timers.clear();
        return std::make_unique<CurlMulti>(CurlMulti::Loop{[](int, bool, bool) {},
                                                           [&](std::optional<milliseconds> time) {
                                                               timers.push_back(time);
                                                               if (throws) throw std::runtime_error("no timer");
                                                           },
                                                           {}});
    };
    Ending end;
    auto http = looped();
    CHECK(timers.empty());
    http->start(request_for("http://127.0.0.1:1/"), {}, end.done());
    REQUIRE(timers.size() == 1);
    CHECK(timers.back().has_value());
    http.reset();
    CHECK(timers.size() == 2);
    CHECK_FALSE(timers.back().has_value());
    http = looped();
    http->start({.url = "http://127.0.0.1:1/"}, {}, end.done());  // whose deadline has passed
    CHECK(timers == Timers{milliseconds(0)});
    http.reset();
    http = looped();
    throws = true;
    http.reset();
    CHECK(timers == Timers{std::nullopt});
    CHECK(end.calls == 0);
}

TEST_CASE("a child process leaves the exchanges to its parent") {
#if defined(__SANITIZE_THREAD__)
    ACTA_SKIP("ThreadSanitizer does not follow a fork of a program with threads");
#endif
    std::atomic<bool> forked = false;
    const Server server([&](Connection& c) {
        c.read();
        c.send(chunked + "\r\n4\r\nhalf\r\n");
        while (!forked) std::this_thread::yield();
        c.send("0\r\n\r\n");
    });
    auto http = std::make_unique<CurlMulti>();
    Ending end;
    bool begun = false;
    http->start(
        request_for(server.url()), [&](Reply&) { return begun = true, Demand::more; }, end.done());
    while (!begun) http->step(milliseconds(100));
    int timers = 0;
    auto looped = std::make_unique<CurlMulti>(
        CurlMulti::Loop{[](int, bool, bool) {}, [&](std::optional<milliseconds>) { ++timers; }, {}});
    const ::pid_t child = ::fork();
    if (child == 0) {
        int code = 0;
        try {
            http->step();
            code = 1;
        } catch (const acta::http::Error&) {
        }
        try {
            http->start(request_for(server.url()), {}, {});
            code = 2;
        } catch (const acta::http::Error&) {
        }
        http.reset();
        looped.reset();
        if (timers != 0) code = 3;
        ::_exit(code);
    }
    int status = -1;
    ::waitpid(child, &status, 0);
    CHECK(status == 0);
    forked = true;
    run(*http);
    CHECK_FALSE(end.failure);
    CHECK(end.reply.body == "half");
}

namespace {

const std::vector<acta::ChatMessage> question{acta::ChatMessage::user("How deep is it?")};
const std::string key = "sk-do-not-show-me-0123456789";

acta::openai::ChatCodec codec_for(const Server& server) {
    return acta::openai::ChatCodec({.base_url = server.url(), .model = "m", .api_key = key});
}

std::string event(const std::string& text, const std::string& finish) {
    return R"(data: {"choices":[{"delta":{"content":")" + text + R"("},"finish_reason":)" + finish + "}]}\n\n";
}

}  // namespace

TEST_CASE("the parts of a model's answer are passed on as they arrive") {
    std::atomic<bool> seen = false;
    const Server server([&](Connection& c) {
        c.read();
        c.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n\r\n" + event("Four ", "null"));
        while (!seen) std::this_thread::yield();
        c.send(event("metres.", R"("stop")") + "data: [DONE]\n\n");
    });
    const auto codec = codec_for(server);
    std::string parts;
    acta::ChatOptions options;
    options.on_text = [&](std::string_view text) {
        parts += std::string(text) + "|";
        seen = true;
    };
    CurlMulti http;
    std::string answer;
    http.start(codec.request(question, options), codec.reader(question, options),
               [&](const std::exception_ptr& failure, const acta::ChatReply& reply) {
                   CHECK_FALSE(failure);
                   answer = reply.completion.message.content;
               });
    run(http);
    CHECK(parts == "Four |metres.|");
    CHECK(answer == "Four metres.");

    // An exception of a callback of the options reaches `done` unchanged.
    options.on_text = [](std::string_view) { throw std::domain_error(key); };
    http.start(codec.request(question, options), codec.reader(question, options),
               [&](const std::exception_ptr& failure, const acta::ChatReply& reply) {
                   CHECK(reply.completion.message.content.empty());
                   CHECK_THROWS_AS(std::rethrow_exception(failure), std::domain_error);
                   answer.clear();
               });
    run(http);
    CHECK(answer.empty());
}

TEST_CASE("errors of an exchange with a model are those of a model, without the key") {
    CurlMulti http;
    std::exception_ptr failure;
    const auto ask = [&](const acta::openai::ChatCodec& codec, const acta::ChatOptions& options = {}) {
        failure = nullptr;
        http.start(codec.request(question, options), codec.reader(question, options),
                   [&](std::exception_ptr error, const acta::ChatReply&) { failure = std::move(error); });
        run(http);
        REQUIRE(failure);
    };
    const auto fault = [&] {
        try {
            std::rethrow_exception(failure);
        } catch (const acta::ChatModelError& error) {
            CHECK(std::string(error.what()).find(key) == std::string::npos);
            return std::pair(error.fault(), error.is_transient());
        }
    };
    {
        const Server server([](Connection& c) {
            c.read();
            c.answer("<html>" + key);
        });
        ask(codec_for(server));
        CHECK(fault() == std::pair(acta::ChatModelFault::reply, false));
    }
    const Server server([](Connection& c) { c.read(); });
    ask(codec_for(server));
    CHECK(fault() == std::pair(acta::ChatModelFault::connection, true));
    acta::ChatOptions late;
    late.until.deadline = std::chrono::steady_clock::now();
    ask(codec_for(server), late);
    CHECK_THROWS_AS(std::rethrow_exception(failure), acta::Timeout);
    acta::stop_source stop;
    stop.request_stop();
    acta::ChatOptions stopped;
    stopped.until.stop = stop.get_token();
    ask(codec_for(server), stopped);
    CHECK_THROWS_AS(std::rethrow_exception(failure), acta::Cancelled);
}

#else

TEST_CASE("exchanges without blocking, with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
