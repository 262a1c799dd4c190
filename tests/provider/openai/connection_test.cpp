// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "faulty_model.hpp"

namespace {

using acta::ChatModelFault;
namespace openai = acta::openai;
using faulty::always;
using faulty::answer;
using faulty::Connection;
using faulty::failure;
using faulty::options_for;
using faulty::Server;
using std::chrono::milliseconds;

}  // namespace

TEST_CASE("a request is one POST with the key, and connections are used again") {
    std::mutex mutex;
    std::vector<faulty::Request> requests;
    const Server server([&](Connection& connection) {
        for (faulty::Request one = connection.read(); !one.head.empty(); one = connection.read()) {
            {
                const std::lock_guard lock(mutex);
                requests.push_back(one);
            }
            connection.answer("200 OK", answer("yes"), "X-Request-Id: r1\r\n");
        }
    });
    const openai::ChatModel model(options_for(server));
    for (int i = 0; i < 5; ++i) CHECK(model.complete("?").completion.message.content == "yes");
    CHECK(model.complete("?").request_id == "r1");
    const std::lock_guard lock(mutex);
    CHECK(server.connections() == 1);
    REQUIRE(requests.size() == 6);
    CHECK_THAT(requests[0].head, starts_with_text("POST /v1/chat/completions HTTP/1.1\r\n"));
    CHECK_THAT(requests[0].head, contains_text("Authorization: Bearer " + faulty::key + "\r\n"));
    CHECK_THAT(requests[0].head, contains_text("Content-Type: application/json\r\n"));
    CHECK(requests[0].head.find("Expect:") == std::string::npos);
    CHECK(requests[0].body == R"({"model":"m","messages":[{"role":"user","content":"?"}]})");
}

TEST_CASE("threads may share a model") {
    const Server server(always([](const Connection& c) { return c.answer(answer("yes")); }));
    const openai::ChatModel model(options_for(server));
    std::atomic<int> good{0};
    {
        std::vector<acta::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&] {
                for (int j = 0; j < 10; ++j) {
                    if (model.complete("?").completion.message.content == "yes") ++good;
                }
            });
        }
    }
    CHECK(good == 80);
    CHECK(server.connections() == 8);
}

TEST_CASE("redirects are not followed") {
    const Server elsewhere(always([](const Connection& c) { return c.answer(answer("stolen")); }));
    const std::string target = elsewhere.url();
    const Server server(always(
        [&](const Connection& c) { return c.answer("307 Temporary Redirect", "", "Location: " + target + "\r\n"); }));
    const auto error = failure(options_for(server, 3));
    CHECK(error->status() == 307);
    CHECK(error->attempts() == 1);
    CHECK_THAT(error->what(), contains_text("redirects are not followed"));
    CHECK(elsewhere.connections() == 0);
}

TEST_CASE("a body without end is cut at the limit") {
    const Server server([](Connection& c) {
        c.read();
        c.send("HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nConnection: close\r\n\r\n");
        const std::string blanks(65536, ' ');
        while (c.send(blanks)) {
        }
    });
    openai::Options options = options_for(server, 3);
    options.max_response_bytes = 1'000'000;
    const auto error = failure(options);
    CHECK(error->fault() == ChatModelFault::too_large);
    CHECK(error->attempts() == 1);
    CHECK_THAT(error->what(), contains_text("larger than 1000000 bytes"));
}

TEST_CASE("answers of the wrong length are broken connections or no JSON") {
    const Server too_short([](Connection& c) {
        c.read();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: 500\r\n\r\n" + answer("yes"));
    });
    const auto broken = failure(options_for(too_short, 2));
    CHECK(broken->fault() == ChatModelFault::connection);
    CHECK(broken->is_transient());
    CHECK(broken->attempts() == 2);
    const Server too_long(always([](const Connection& c) {
        return c.send("HTTP/1.1 200 OK\r\nContent-Length: 20\r\nConnection: close\r\n\r\n" + answer("yes"));
    }));
    CHECK(failure(options_for(too_long, 2))->fault() == ChatModelFault::reply);
    const Server no_number([](Connection& c) {
        c.read();
        c.send("HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n" + answer("yes"));
    });
    CHECK(failure(options_for(no_number, 2))->fault() == ChatModelFault::reply);
    const Server no_http([](Connection& c) {
        c.read();
        c.send("220 mail.example ESMTP\r\n");
    });
    CHECK(failure(options_for(no_http, 2))->fault() == ChatModelFault::reply);
}

TEST_CASE("a server that is not there is a connection that fails") {
    std::string gone;
    {
        const Server server([](Connection&) {});
        gone = server.url();
    }
    const auto refused = failure(
        {.base_url = gone, .api_key = faulty::key, .retry = {.max_attempts = 3, .first_delay = milliseconds(1)}});
    CHECK(refused->fault() == ChatModelFault::connection);
    CHECK(refused->attempts() == 3);
    CHECK_THAT(refused->what(), contains_text("(attempt 3)"));
}

namespace {

/// A server that answers everything, with the heads of what it was asked.
class Recorder {
public:
    explicit Recorder(const std::string& text)
        : server_([this, text](Connection& c) {
              for (faulty::Request one = c.read(); !one.head.empty(); one = c.read()) {
                  {
                      const std::lock_guard lock(mutex_);
                      heads_ += one.head;
                  }
                  c.answer(answer(text));
              }
          }) {}

    [[nodiscard]] std::string url(const std::string& host = "127.0.0.1") const {
        return "http://" + host + ":" + std::to_string(server_.port());
    }
    [[nodiscard]] std::string heads() {
        const std::lock_guard lock(mutex_);
        return heads_;
    }

private:
    std::mutex mutex_{};
    std::string heads_{};
    const Server server_;  // last, so that its threads end first
};

class ProxyEnvironment {
public:
    explicit ProxyEnvironment(const std::string& url) {
        for (const char* const name : names) ::setenv(name, url.c_str(), 1);
    }
    ProxyEnvironment(const ProxyEnvironment&) = delete;
    ProxyEnvironment& operator=(const ProxyEnvironment&) = delete;
    ~ProxyEnvironment() {
        for (const char* const name : names) ::unsetenv(name);
    }

private:
    static constexpr const char* names[] = {"http_proxy", "all_proxy", "ALL_PROXY", "https_proxy"};
};

}  // namespace

TEST_CASE("no proxy of the environment sees a request to this machine") {
    Recorder proxy("proxy");
    Recorder server("direct");
    const ProxyEnvironment environment(proxy.url());
    ::setenv("OPENAI_API_KEY", faulty::key.c_str(), 1);
    for (const char* const host : {"127.0.0.1", "localhost", "127.1"}) {
        CAPTURE(host);
        CHECK(openai::ChatModel({.base_url = server.url(host)}).complete("?").completion.message.content == "direct");
        CHECK(openai::ChatModel({.base_url = server.url(host), .api_key = "sk-own"})
                  .complete("?")
                  .completion.message.content == "direct");
    }
    CHECK(proxy.heads().empty());
    CHECK_THAT(server.heads(), contains_text(faulty::key));
    // A proxy that was asked for reads what goes over plain http: not the key of the environment.
    CHECK_THROWS_WITH(openai::ChatModel({.base_url = server.url(), .proxy = proxy.url()}),
                      contains_text("OPENAI_API_KEY") && contains_text("proxy"));
    ::unsetenv("OPENAI_API_KEY");
}

TEST_CASE("a key that would go over plain http goes to no proxy of the environment, but to one that was asked for") {
    Recorder proxy("through");
    const ProxyEnvironment environment(proxy.url());
    openai::Options options{
        .base_url = "http://model.invalid/v1", .api_key = faulty::key, .retry = {.max_attempts = 1}};
    CHECK(failure(options)->fault() == ChatModelFault::connection);
    options.api_key = "";
    CHECK(openai::ChatModel(options).complete("?").completion.message.content == "through");
    CHECK_THAT(proxy.heads(), starts_with_text("POST http://model.invalid/v1/chat/completions HTTP/1.1\r\n"));
    const std::size_t without_key = proxy.heads().size();
    options.headers = {{"X-Api-Key", faulty::key}};
    CHECK(failure(options)->fault() == ChatModelFault::connection);
    CHECK(proxy.heads().size() == without_key);
    options.proxy = proxy.url();
    CHECK(openai::ChatModel(options).complete("?").completion.message.content == "through");
    CHECK_THAT(proxy.heads(), contains_text(faulty::key));
    options.headers.clear();
    options.proxy = "";
    CHECK(failure(options)->fault() == ChatModelFault::connection);
    // The proxy's own password is a secret.
    options.proxy = "http://me:pass-word@proxy.invalid:1";
    const std::string said = failure(options)->what();
    CHECK(said.find("pass-word") == std::string::npos);
}

#else

TEST_CASE("a model is asked with libcurl") { ACTA_SKIP("libcurl is not there"); }

#endif
