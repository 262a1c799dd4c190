// SPDX-License-Identifier: MIT
#include "provider/http/socket_server.hpp"  // first: it is what keeps this file from Windows

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <string>

#include "example.hpp"
#include "support/catch.hpp"

#ifdef EXAMPLES_HAVE_ASIO
namespace {

/// Lets three at a time pass, together.
class Barrier {
public:
    /// Returns whether the others came too.
    bool meet() {
        std::unique_lock lock(mutex_);
        const std::size_t round = come_++ / 3;
        changed_.notify_all();
        return changed_.wait_for(lock, std::chrono::seconds(10), [&] { return come_ >= 3 * (round + 1); });
    }

private:
    std::mutex mutex_{};
    std::condition_variable changed_{};
    std::size_t come_ = 0;
};

/// The port that a request asks about.
std::string port_of(const std::string& body) {
    for (const char* const port : {"Brest", "Dover", "Cork"}) {
        if (body.find("at " + std::string(port) + "?") != std::string::npos) return port;
    }
    return "nowhere";
}

/// A model that calls the gauge and then says what it has read there.
std::string reply_to(const std::string& body) {
    const std::size_t result = body.rfind(R"("role":"tool")");
    if (result != std::string::npos) {
        const std::size_t from = body.find(R"("content":")", result) + 11;
        return R"({"choices":[{"message":{"content":"It is )" + body.substr(from, body.find('"', from) - from) +
               R"( m deep at )" + port_of(body) + R"(."},"finish_reason":"stop"}]})";
    }
    return R"({"choices":[{"message":{"tool_calls":[{"id":"c1","type":"function","function":{"name":"gauge",)"
           R"("arguments":"{\"port\":\")" +
           port_of(body) + R"(\"}"}}]},"finish_reason":"tool_calls"}]})";
}

}  // namespace

TEST_CASE("Three agents in one thread have their requests under way at the same time") {
    Barrier barrier;
    faulty::Server server([&](faulty::Connection& connection) {
        const std::string body = connection.read().body;
        connection.answer(barrier.meet() ? "200 OK" : "500 Alone", reply_to(body));
    });
    const example::Run run = example::run("event_loop", server.url() + " m1");
    CHECK(run.err.empty());
    CHECK(run.code == 0);
    CHECK(server.connections() == 6);  // two rounds, each of which met
    CHECK_THAT(run.out, contains_text("How deep is it at Brest? answered\n  It is 4.5 m deep at Brest.\n"));
    CHECK_THAT(run.out, contains_text("How deep is it at Dover? answered\n  It is 4.5 m deep at Dover.\n"));
    CHECK_THAT(run.out, contains_text("How deep is it at Cork? answered\n  It is 4.4 m deep at Cork.\n"));
}

TEST_CASE("A request that gets no answer fails its own agent, with what happened") {
    const auto [misbehave, error] = GENERATE(table<std::string, std::string>({
        {"", "failed: Empty reply from server"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\n{\"choices\":[", "failed: "},
        {"HTTP/1.1 503 Busy\r\nRetry-After: 0\r\n\r\n{\"error\":{\"message\":\"busy\"}}", "busy"},
        {"HTTP/1.1 200 OK\r\n\r\n<html>", "failed: "},
        {"SSH-2.0-OpenSSH_9.2\r\n\r\n", "failed: Received HTTP/0.9 when not allowed"},
        {"\r\n\r\n", "failed: "},
        {"HTTP/1.1 \r\n\r\n", "failed: "},
        {"HTTP/1.1 200\r\n:\r\nx\r\n: \r\n\r\n", "failed: "},
        {"HTTP/1.1 200 OK\r\nX: " + std::string(70000, 'x'), "failed: "},
    }));
    INFO(misbehave.substr(0, 60));
    faulty::Server server([&, wrong = misbehave](faulty::Connection& connection) {
        const std::string body = connection.read().body;
        if (port_of(body) != "Dover") {
            connection.answer(reply_to(body));
            return;
        }
        connection.send(wrong);
    });
    const example::Run run = example::run("event_loop", server.url());
    CHECK(run.err.empty());
    CHECK(run.code == 1);
    const std::size_t dover = run.out.find("How deep is it at Dover? failed");
    REQUIRE(dover != std::string::npos);
    CHECK_THAT(run.out.substr(dover, run.out.find('\n', dover) - dover), contains_text(error));
    CHECK_THAT(run.out, contains_text("It is 4.5 m deep at Brest."));
    CHECK_THAT(run.out, contains_text("It is 4.4 m deep at Cork."));
}

TEST_CASE("A request that fails for a while is repeated by the event loop") {
    std::atomic<int> asked = 0;  // by one of the agents
    faulty::Server server([&](faulty::Connection& connection) {
        for (std::string body = connection.read().body; !body.empty(); body = connection.read().body) {
            const int attempt = port_of(body) == "Dover" ? ++asked : 3;
            if (attempt == 1)
                connection.answer("429 Too Many Requests", R"({"error":{"message":"busy"}})", "Retry-After: 0\r\n");
            else if (attempt == 2)
                return;  // in the middle of the exchange
            else
                connection.answer(reply_to(body));
        }
    });
    const example::Run run = example::run("event_loop", server.url());
    CHECK(run.code == 0);
    CHECK(asked == 4);
    CHECK_THAT(run.out, contains_text("It is 4.5 m deep at Dover."));
}

TEST_CASE("An address that the event loop cannot use is an error that says why") {
    int closed = 0;
    {
        const faulty::Server server([](faulty::Connection&) {});
        closed = server.port();
    }
    const example::Run nobody = example::run("event_loop", "http://127.0.0.1:" + std::to_string(closed) + "/v1");
    CHECK(nobody.code == 1);
    CHECK_THAT(nobody.out, contains_text("at Cork? failed: Failed to connect to 127.0.0.1 port "));

    const example::Run no_url = example::run("event_loop", "harbour");
    CHECK(no_url.code == 1);
    CHECK_THAT(no_url.err, contains_text("the base URL is not valid"));
    CHECK(example::run("event_loop").code == 2);
}
#endif
