// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>

#include "acta/base/process.hpp"
#include "acta/mcp/http.hpp"
#include "acta/skill/registry.hpp"
#include "mcp/common.hpp"
#include "mcp/resources.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

// The faults of a server over HTTP: the one of client_test.cpp (server.py), in a process that is not the client's.
namespace {

namespace mcp = acta::mcp;
using mcp_tests::eventually;
using mcp_tests::has;
using mcp_tests::Resources;
using mcp_tests::text_of;
using mcp_tests::thrown;
using std::chrono::milliseconds;

/// The server, ended with this object.
class HttpProcess {
public:
    explicit HttpProcess(const std::string& era = "2026") : process_(options(era)) {
        REQUIRE(eventually([&] { return has(port(), "\n"); }));
    }
    [[nodiscard]] mcp::Client client(mcp::ClientOptions options = {}) const {
        options.name = "sea";
        std::string url = "http://127.0.0.1:" + port();
        url.pop_back();
        return mcp::Client::http(url + "/mcp", std::move(options));
    }
    [[nodiscard]] std::string errors() const { return process_.errors(); }

private:
    acta::ProcessOptions options(const std::string& era) {
        acta::ProcessOptions out;
        out.command = {paths::python(), paths::source("tests/mcp/server.py"), era, "http"};
        out.on_output = [this](std::string_view text) {
            const std::lock_guard lock(mutex_);
            port_ += text;
        };
        return out;
    }
    [[nodiscard]] std::string port() const {
        const std::lock_guard lock(mutex_);
        return port_;
    }

    mutable std::mutex mutex_{};
    std::string port_{};
    acta::ChildProcess process_;
};

std::string http_fault(const mcp::Client& client, const std::string& kind, mcp::CallOptions options = {}) {
    return text_of(client.call_tool("fault", {{"kind", kind}}, options));
}

/// Plays all faults of a server that goes on after them.
void play_faults(const std::string& era) {
    INFO(era);
    const HttpProcess server(era);
    const mcp::Client client = server.client({.max_message_bytes = 1'000'000});
    static_cast<void>(client.list_tools());
    const auto broken = [&](const std::string& kind) {
        return thrown<mcp::ConnectionError>([&] { http_fault(client, kind); });
    };
    const auto late = [&](const std::string& kind) {
        return thrown<acta::Timeout>(
            [&] { http_fault(client, kind, {.until = {.deadline = acta::deadline_in(milliseconds(100))}}); });
    };
    CHECK(has(broken("cut"), "the server 'sea' did not answer tools/call: its reply ended before that"));
    CHECK(has(broken("gone"), "the server 'sea': "));
    CHECK(broken("status") == "the server 'sea' answered tools/call with status 503: overloaded");
    CHECK(has(broken("long"), "a message is larger than 1000000 bytes"));
    CHECK(late("hang") == "the server 'sea' did not answer tools/call in time");
    CHECK(late("garbage") == "the server 'sea' did not answer tools/call in time");
    CHECK(late("late") == "the server 'sea' did not answer tools/call in time");
    if (era == "2025") CHECK(eventually([&] { return has(server.errors(), "cancelled "); }));
    for (const std::string kind : {"before", "unknown"}) CHECK(http_fault(client, kind) == "well");
    CHECK(http_fault(client, "twice") == "first");
    if (era == "2025") CHECK(http_fault(client, "ping") == "{}");
    int reports = 0;
    CHECK(http_fault(client, "flood", {.on_progress = [&](const acta::SkillProgress&) { ++reports; }}) == "well");
    CHECK(reports == 20'000);
    CHECK(has(thrown<mcp::ProtocolError>([&] { http_fault(client, "no result"); }), "that is not valid"));
    CHECK(has(thrown<mcp::RequestError>([&] { http_fault(client, "error"); }), "error -32603: as asked"));
    CHECK(text_of(client.call_tool("echo", {{"text", "tide"}})) == "tide");
}

/// Lets a server die during a call, and calls another tool of it.
void play_death(const std::string& kind) {
    const HttpProcess server;
    acta::SkillRegistry skills;
    skills.add(server.client().tools({.allow = {"fault", "echo"}}));
    CHECK(has(acta::to_string(skills.call("fault", {{"kind", kind}})), "The outcome of the call is unknown."));
    CHECK(has(acta::to_string(skills.call("echo", {{"text", "tide"}})), "the server 'sea': "));
}

}  // namespace

// Connections are kept for later requests (`http::send`), so that what is left is looked at from the second round on.

TEST_CASE("a fault of a server over HTTP ends the call with an error that says what came, and nothing is left") {
    play_faults("2025");
    const Resources before;
    play_faults("2026");
    const Resources after;
    CHECK(after.threads == before.threads);
    CHECK(after.descriptors <= before.descriptors);
    CHECK_FALSE(Resources::has_children());
}

TEST_CASE("a server over HTTP that dies during a call leaves its outcome unknown, and nothing behind") {
    play_death("exit");
    const Resources before;
    for (const std::string kind : {"kill", "exit", "kill", "exit"}) play_death(kind);
    const Resources after;
    CHECK(after.threads == before.threads);
    CHECK(after.descriptors < before.descriptors + 4);  // less than one for each server
    CHECK_FALSE(Resources::has_children());
}

TEST_CASE("an endless message over HTTP takes no memory") {
    const HttpProcess server;
    const mcp::Client client = server.client({.max_message_bytes = 1'000'000});
    static_cast<void>(client.list_tools());
    const std::size_t before = Resources::kilobytes();
    CHECK_THROWS_AS(http_fault(client, "long"), mcp::ConnectionError);
    CHECK(Resources::kilobytes() < before + 20'000);
}
