// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && defined(ACTA_TEST_HAS_ASIO) && !defined(_WIN32)
#define ASIO_STANDALONE
#include <asio.hpp>
#include <atomic>
#include <chrono>
#include <exception>
#include <map>
#include <memory>
#include <optional>
#include <stdexcept>
#include <string>
#include <system_error>
#include <thread>
#include <utility>

#include "acta/base/stop_token.hpp"
#include "acta/provider/http/curl_multi.hpp"
#include "provider/http/socket_server.hpp"

namespace {

using acta::http::CurlMulti;
using faulty::Connection;
using faulty::Server;
using std::chrono::milliseconds;

/// Exchanges in an event loop of Asio.
class Driver {
public:
    explicit Driver(asio::io_context& loop)
        : loop_(loop),
          timer_(loop),
          http_(std::make_unique<CurlMulti>(
              CurlMulti::Loop{[this](int fd, bool readable, bool writable) { watch(fd, readable, writable); },
                              [this](std::optional<milliseconds> time) { set_timer(time); },
                              [this] {
                                  asio::post(loop_, [this] {
                                      if (http_) http_->on_timer();
                                  });
                              }})) {}

    [[nodiscard]] CurlMulti& http() { return *http_; }
    void end() { http_.reset(); }
    [[nodiscard]] std::size_t watched() const { return sockets_.size(); }
    bool fails = false;  // to watch

private:
    using Descriptor = asio::posix::stream_descriptor;

    void watch(int socket, bool readable, bool writable) {
        if (fails) throw std::runtime_error("cannot watch");
        std::shared_ptr<Descriptor>& watched = sockets_[socket];
        if (watched) watched->release();  // ends what waits; the socket is libcurl's
        if (!readable && !writable) {
            sockets_.erase(socket);
            return;
        }
        watched = std::make_shared<Descriptor>(loop_, socket);
        if (readable) wait(watched, Descriptor::wait_read);
        if (writable) wait(watched, Descriptor::wait_write);
    }
    /// Asio waits once, so this is repeated until the socket is watched for something else.
    void wait(const std::shared_ptr<Descriptor>& watched, Descriptor::wait_type what) {
        watched->async_wait(what, [this, watched, what](std::error_code) {
            if (watched->is_open()) http_->on_ready(watched->native_handle());
            if (watched->is_open()) wait(watched, what);
        });
    }
    void set_timer(std::optional<milliseconds> time) {
        timer_.cancel();
        if (!time) return;
        timer_.expires_after(*time);
        timer_.async_wait([this](std::error_code error) {
            if (!error && http_) http_->on_timer();
        });
    }

    asio::io_context& loop_;
    asio::steady_timer timer_;
    std::map<int, std::shared_ptr<Descriptor>> sockets_{};
    std::unique_ptr<CurlMulti> http_;
};

acta::http::Request asking(const std::string& url, std::string body = "{}", milliseconds time = milliseconds(5000)) {
    return {.url = url, .body = std::move(body), .deadline = acta::deadline_in(time)};
}

}  // namespace

TEST_CASE("an event loop drives several exchanges at the same time, and ends when they have ended") {
    std::atomic<int> come = 0;
    const Server server([&](Connection& c) {
        for (faulty::Request one = c.read(); !one.head.empty(); one = c.read()) {
            if (one.body != "again") ++come;
            while (come < 3) std::this_thread::yield();
            c.send("HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhalf \r\n");
            c.send("1\r\n" + one.body.substr(0, 1) + "\r\n0\r\n\r\n");
        }
    });
    asio::io_context loop;
    Driver driver(loop);
    std::string bodies;
    for (const char* const body : {"x", "y", "z"}) {
        driver.http().start(
            asking(server.url(), body), {}, [&](const std::exception_ptr& failure, const acta::http::Reply& reply) {
                CHECK_FALSE(failure);
                bodies += reply.body + ".";
                if (reply.body != "half x") return;
                driver.http().start(
                    asking(server.url("http"), "again"), {},
                    [&](const std::exception_ptr&, const acta::http::Reply& other) { bodies += other.body + "."; });
            });
    }
    CHECK(bodies.empty());
    loop.run();
    CHECK(bodies.size() == 28);
    for (const char* const body : {"half x.", "half y.", "half z.", "half a."}) CHECK_THAT(bodies, contains_text(body));
    CHECK(server.connections() == 3);
    CHECK(driver.watched() == 0);
    // The loop continues with the next exchange, on a connection that was kept.
    loop.restart();
    driver.http().start(asking(server.url(), "more"), {},
                        [&](const std::exception_ptr&, const acta::http::Reply& reply) { bodies = reply.body; });
    loop.run();
    CHECK(bodies == "half m");
    CHECK(server.connections() == 3);
}

TEST_CASE("an exchange in an event loop ends at its deadline and at a stop") {
    std::atomic<int> begun = 0;
    const Server server([&](Connection& c) {
        c.read();
        ++begun;
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        c.wait_for_end();
    });
    asio::io_context loop;
    Driver driver(loop);
    int calls = 0;
    std::exception_ptr failure;
    const auto done = [&](std::exception_ptr error, const acta::http::Reply&) {
        ++calls;
        failure = std::move(error);
    };
    SECTION("the deadline") {
        driver.http().start(asking(server.url(), "", milliseconds(50)), {}, done);
        loop.run();
        CHECK_THROWS_AS(std::rethrow_exception(failure), acta::Timeout);
    }
    SECTION("a stop by another thread") {
        acta::stop_source stop;
        auto request = asking(server.url());
        request.stop = stop.get_token();
        std::thread stopper([&] {
            while (begun == 0) std::this_thread::yield();
            stop.request_stop();
        });
        driver.http().start(request, {}, done);
        loop.run();
        stopper.join();
        CHECK_THROWS_AS(std::rethrow_exception(failure), acta::Cancelled);
    }
    CHECK(calls == 1);
    CHECK(driver.watched() == 0);
}

TEST_CASE("what done and the event loop throw is thrown by the function that the event loop calls") {
    const Server server([](Connection& c) {
        c.read();
        c.answer("text");
    });
    asio::io_context loop;
    Driver driver(loop);
    int calls = 0;
    for (int i = 0; i < 2; ++i) {
        driver.http().start(asking("ftp://127.0.0.1/"), {}, [&](const std::exception_ptr&, const acta::http::Reply&) {
            ++calls;
            throw std::runtime_error("mine");
        });
    }
    CHECK_THROWS_WITH(loop.run(), "mine");
    CHECK(calls == 1);
    CHECK_THROWS_WITH(loop.run(), "mine");  // the timer was set for the other one
    CHECK(calls == 2);
    driver.http().start(asking(server.url()), {},
                        [&](const std::exception_ptr&, const acta::http::Reply&) { ++calls; });
    driver.fails = true;
    loop.restart();
    CHECK_THROWS_WITH(loop.run(), "cannot watch");
    driver.end();
    CHECK(calls == 2);
    CHECK_THROWS_AS(CurlMulti(CurlMulti::Loop{}), acta::Error);
}

TEST_CASE("the end of a CurlMulti takes its sockets out of the event loop") {
    const Server server([](Connection& c) {
        c.read();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nhalf");
        c.wait_for_end();
    });
    asio::io_context loop;
    Driver driver(loop);
    int calls = 0;
    for (int i = 0; i < 3; ++i) {
        driver.http().start(
            asking(server.url()),
            [&](acta::http::Reply&) {
                ++calls;
                driver.end();
                CHECK(driver.watched() == 0);
                return acta::http::Demand::more;
            },
            [&](const std::exception_ptr&, const acta::http::Reply&) { ++calls; });
    }
    loop.run();
    CHECK(calls == 1);
}

#else

TEST_CASE("exchanges in an event loop") { ACTA_SKIP("libcurl or Asio is not there"); }

#endif
