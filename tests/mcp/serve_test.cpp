// SPDX-License-Identifier: MIT
#include "acta/mcp/serve.hpp"

#include <atomic>
#include <chrono>
#include <cstdio>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/client.hpp"
#include "mcp/common.hpp"
#include "mcp/pipes.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

namespace {

namespace mcp = acta::mcp;
using acta::SkillContext;
using mcp_tests::has;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// A server that is served over two pipes, in a thread.
class Served {
public:
    explicit Served(const mcp::Server& server, mcp::StdioOptions options = {}) {
        options.input = in_.read_end();
        options.output = out_.write_end();
        thread_ = std::thread([this, &server, options] {
            mcp::serve_stdio(server, options);
            out_.close_write_end();
        });
    }
    Served(const Served&) = delete;
    Served& operator=(const Served&) = delete;
    ~Served() {
        close_input();
        join();
    }
    void write(const std::string& text) const { CHECK(in_.write(text)); }
    /// The next line; empty at the end, or after ten seconds.
    std::string line() {
        for (;;) {
            if (const std::size_t end = read_.find('\n'); end != std::string::npos) {
                std::string out = read_.substr(0, end);
                read_.erase(0, end + 1);
                return out;
            }
            const std::string more = out_.read();
            if (more.empty()) return "";
            read_ += more;
        }
    }
    /// Waits for something to be there to read.
    [[nodiscard]] bool has_output() const { return out_.has_output(); }
    std::string ask(const std::string& text) {
        write(text + "\n");
        return line();
    }
    void close_input() { in_.close_write_end(); }
    void close_output() { out_.close_read_end(); }
    /// Waits for the end of the serving.
    void join() {
        if (thread_.joinable()) thread_.join();
    }

private:
    mcp_tests::TestPipe in_{};
    mcp_tests::TestPipe out_{};
    std::string read_{};
    std::thread thread_{};
};

const std::string ping = R"({"jsonrpc": "2.0", "id": 1, "method": "ping"})";
const std::string pong = R"({"jsonrpc":"2.0","id":1,"result":{}})";

mcp::Server server_of(const acta::SkillRegistry& skills, mcp::ServerOptions options = {}) {
    return mcp::Server(skills, std::move(options));
}

}  // namespace

TEST_CASE("messages are served a line each, whatever comes between them") {
    const mcp::Server server = server_of({}, {.max_message_bytes = 1000});
    Served served(server);
    CHECK(served.ask(ping) == pong);
    CHECK(served.ask("\n \n" + ping + "\r") == pong);
    CHECK(has(served.ask("{"), R"({"jsonrpc":"2.0","error":{"code":-32700)"));
    CHECK(has(served.ask("[" + ping + "]"), R"("code":-32600)"));
    CHECK(has(served.ask(R"({"jsonrpc": "2.0", "id": 5})"), R"("id":5,"error":{"code":-32600)"));
    CHECK(has(served.ask(std::string(5000, 'x')), "the message is larger than 1000 bytes"));
    CHECK(served.ask(ping) == pong);
    served.write(ping.substr(0, 10));
    CHECK(served.ask(ping.substr(10)) == pong);
    CHECK(
        has(served.ask(
                R"({"jsonrpc": "2.0", "id": 2, "method": "initialize", "params": {"protocolVersion": "2025-03-26"}})"),
            R"("protocolVersion":"2025-03-26")"));
    CHECK(served.ask("[" + ping + "]") == pong);
    served.write(ping);  // without a line's end
    served.close_input();
    CHECK(served.line() == pong);
    CHECK(served.line().empty());
}

TEST_CASE("calls run at the same time, and are cancelled and bounded") {
    std::atomic<int> running{0};
    acta::SkillRegistry skills;
    skills.add("wait", "Waits.", [&](SkillContext& context) {
        ++running;
        while (!context.should_stop()) std::this_thread::sleep_for(milliseconds(2));
        return "stopped";
    });
    skills.add("work", "Takes a while.", [] {
        std::this_thread::sleep_for(milliseconds(100));
        return "done";
    });
    const mcp::Server server = server_of(skills);
    Served served(server, {.finish_timeout = seconds(20), .max_calls = 2});
    static_cast<void>(served.ask(R"({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}})"));
    const auto call = [](const std::string& tool, int id) {
        return R"({"jsonrpc": "2.0", "id": )" + std::to_string(id) +
               R"(, "method": "tools/call", "params": {"name": ")" + tool + "\"}}\n";
    };
    served.write(call("wait", 1) + call("wait", 2));
    CHECK(mcp_tests::eventually([&] { return running == 2; }));
    served.write(call("wait", 3));
    CHECK(has(served.line(), R"("id":3,"error":{"code":-32603,"message":"There are too many requests)"));
    served.write(R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})"
                 "\n");
    CHECK(mcp_tests::eventually([&] {
        served.write(call("work", 4));
        return has(served.line(), "done");
    }));
    // What is under way when the input ends is finished.
    served.write(R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 2}})"
                 "\n" +
                 call("work", 5));
    served.close_input();
    CHECK(has(served.line(), R"("id":5,"result")"));
    CHECK(served.line().empty());
    // What takes longer is stopped, and not answered.
    Served brief(server, {.finish_timeout = milliseconds(1)});
    static_cast<void>(brief.ask(R"({"jsonrpc": "2.0", "id": 0, "method": "initialize", "params": {}})"));
    brief.write(call("wait", 1));
    CHECK(mcp_tests::eventually([&] { return running == 3; }));
    brief.close_input();
    CHECK(brief.line().empty());
}

TEST_CASE("a server over standard streams works on as many requests as it may") {
    below_at_above("requests that a server of MCP works on at the same time over its standard streams", 3,
                   [](std::size_t count) {
                       std::atomic<bool> is_over{false};
                       acta::SkillRegistry skills;
                       skills.add("wait", "Waits.", [&](SkillContext& context) {
                           while (!is_over && !context.should_stop()) std::this_thread::sleep_for(milliseconds(2));
                           return "done";
                       });
                       const mcp::Server server = server_of(skills);
                       Served served(server, {.finish_timeout = seconds(20), .max_calls = 3});
                       static_cast<void>(served.ask(R"({"jsonrpc": "2.0", "id": 0, "method": "initialize"})"));
                       for (std::size_t i = 0; i < count; ++i)
                           served.write(R"({"jsonrpc": "2.0", "id": )" + std::to_string(i) +
                                        R"(, "method": "tools/call", "params": {"name": "wait"}})"
                                        "\n");
                       served.write(R"({"jsonrpc": "2.0", "method": "sail"})"
                                    "\n" +
                                    std::string("{\n"));  // is answered when all others are read
                       const bool is_taken = has(served.line(), "-32700");
                       is_over = true;
                       return is_taken;
                   });
}

TEST_CASE("a line to a server over standard streams is as long as it may be") {
    below_at_above(1000, [](std::size_t bytes) {
        const mcp::Server server = server_of({}, {.max_message_bytes = 1000});
        Served served(server);
        std::string line = ping;
        line.resize(bytes, ' ');
        return served.ask(line) == pong;
    });
}

TEST_CASE("a client that listens does not delay the end of its server") {
    const mcp::Server server = server_of({});
    const auto before = std::chrono::steady_clock::now();
    {
        Served served(server, {.finish_timeout = seconds(20)});
        CHECK(has(served.ask(R"({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {)"
                             R"("notifications": {"toolsListChanged": true}, "_meta": {)"
                             R"("io.modelcontextprotocol/protocolVersion": "2026-07-28", )"
                             R"("io.modelcontextprotocol/clientCapabilities": {}}}})"),
                  "notifications/subscriptions/acknowledged"));
    }
    CHECK(std::chrono::steady_clock::now() - before < seconds(10));
}

TEST_CASE("a client that does not read does not keep a server from ending") {
    acta::SkillRegistry skills;
    skills.add("long", "Returns a long text.", [] { return std::string(1'000'000, 'x'); });
    const mcp::Server server = server_of(skills);
    for (const bool is_stopped : {true, false}) {
        acta::stop_source stop;
        Served served(server, {.finish_timeout = milliseconds(10), .until = {.stop = stop.get_token()}});
        served.write(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "long", "_meta": {)"
                     R"("io.modelcontextprotocol/protocolVersion": "2026-07-28",)"
                     R"("io.modelcontextprotocol/clientCapabilities": {}}}})"
                     "\n");
        CHECK(served.has_output());
        if (is_stopped)
            stop.request_stop();
        else
            served.close_input();
    }
}

TEST_CASE("what a program prints while it serves its standard output goes to its error output") {
    acta::SkillRegistry skills;
    skills.add("print", "Prints.", [] {
        std::printf("noise");
        std::fflush(stdout);
        return "done";
    });
    const mcp::Server server = server_of(skills);
    mcp_tests::TestPipe in;
    mcp_tests::TestPipe out;
    mcp_tests::TestPipe errors;
    CHECK(in.write(R"({"jsonrpc": "2.0", "id": 1, "method": "tools/call", "params": {"name": "print", "_meta": {)"
                   R"("io.modelcontextprotocol/protocolVersion": "2026-07-28",)"
                   R"("io.modelcontextprotocol/clientCapabilities": {}}}})"
                   "\n"));
    in.close_write_end();
    std::fflush(stdout);
    {
        const mcp_tests::Replaced output(1, out.write_end());
        const mcp_tests::Replaced error_output(2, errors.write_end());
        mcp::serve_stdio(server, {.input = in.read_end(), .finish_timeout = seconds(20)});
        std::printf("after");  // the standard output is itself again
        std::fflush(stdout);
    }
    out.close_write_end();
    const std::string text = out.read();
    CHECK_THAT(text, starts_with_text("{"));
    CHECK(has(text, "done"));
    CHECK_THAT(text + out.read(), ends_with_text("}\nafter"));
    CHECK_FALSE(has(text, "noise"));
    CHECK(errors.read() == "noise");
}

TEST_CASE("a stop or a deadline ends the serving, and so does an output that is not read, while the input is open") {
    const mcp::Server server = server_of({});
    acta::stop_source stop;
    Served stopped(server, {.until = {.stop = stop.get_token()}});
    CHECK(stopped.ask(ping) == pong);
    stop.request_stop();
    stopped.join();
    CHECK(stopped.line().empty());
    Served late(server, {.until = {.deadline = acta::deadline_in(milliseconds(50))}});
    late.join();
    CHECK(late.line().empty());
    Served unread(server);
    CHECK(unread.ask(ping) == pong);
    unread.close_output();
    unread.write(ping + "\n");
    unread.join();
}

TEST_CASE("acta's client calls the tools of the example server, in every revision") {
    for (const std::string version : {"", "2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"}) {
        INFO(version);
        mcp::ClientOptions options{.version = version, .trust_hints = true};
        options.on_input = [](const mcp::InputRequest& request) {
            CHECK(request.message == "How long is your boat, in metres?");
            return mcp::InputAnswer{mcp::InputAnswer::Action::accept, {{"metres", 9.5}}};
        };
        const mcp::Client client = mcp::Client::stdio({paths::example("mcp_server")}, options);
        CHECK(client.server().version == (version.empty() ? "2026-07-28" : version));
        CHECK(client.server().instructions == "Heights are in metres.");
        acta::SkillRegistry skills;
        skills.add(client.tools());
        CHECK(skills.at("heights").hints().read_only == true);
        CHECK(acta::to_string(skills.call("heights", {{"port", "Brest"}})) == "[1.1, 6.4, 1.3, 6.2]");
        CHECK(has(acta::to_string(skills.call("heights", {{"port", "Calais"}})), "no table for Calais"));
        CHECK(acta::to_string(skills.call("book", {{"port", "Dover"}})) == "A berth of 9.5 m in Dover is booked.");
        CHECK(client.read_resource("harbour://ports").at(0).text == R"(["Brest", "Dover"])");
    }
    const mcp::Client nobody = mcp::Client::stdio({paths::example("mcp_server")});
    CHECK(mcp_tests::text_of(nobody.call_tool("book", {{"port", "Dover"}})) ==
          "A berth can only be booked by a person.");
}
