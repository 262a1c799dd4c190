// SPDX-License-Identifier: MIT
#include "acta/mcp/http_server.hpp"

#include <atomic>
#include <chrono>
#include <memory>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/http.hpp"
#include "mcp/common.hpp"
#include "mcp/http_shim.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

// A server over HTTP: what it answers to single requests, and to acta's client.
namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;
using acta::SkillContext;
using mcp_tests::eventually;
using mcp_tests::has;
using mcp_tests::text_of;
using mcp_tests::thrown;
using std::chrono::milliseconds;
using std::chrono::seconds;

using Headers = std::vector<std::pair<std::string, std::string>>;

/// An answer.
struct Kept {
    [[nodiscard]] std::string header(const std::string& name) const {
        for (const auto& [key, value] : headers)
            if (key == name) return value;
        return "";
    }
    int status = 0;
    Headers headers{};
    std::string body{};
};

class Keeper : public mcp::HttpAnswer {
public:
    void begin(int status, const Headers& headers) override {
        kept.status = status;
        kept.headers = headers;
    }
    bool write(std::string_view piece) override {
        kept.body += piece;
        return true;
    }
    Kept kept{};
};

const Headers modern{{"host", "localhost:80"}, {"MCP-Protocol-Version", "2026-07-28"}};
const std::string meta = R"("_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
    "io.modelcontextprotocol/clientCapabilities": {}})";

std::string request(const std::string& method, const std::string& params = meta) {
    return R"({"jsonrpc": "2.0", "id": 1, "method": ")" + method + R"(", "params": {)" + params + "}}";
}
Headers plus(Headers headers, const std::string& name, const std::string& value) {
    headers.emplace_back(name, value);
    return headers;
}

acta::SkillRegistry skills() {
    acta::SkillRegistry out;
    out.add(
        "echo", "Returns a text.", [](const std::string& text) { return text; }, "text");
    out.add("count", "Reports progress.", [](SkillContext& context) {
        for (int i = 1; i < 4; ++i) context.report_progress({.done = static_cast<double>(i)});
        return "counted";
    });
    out.add("ask", "Asks a person.", [](SkillContext& context) {
        return acta::dump(mcp::ServerContext::of(context)->elicit(
            "who", {.message = "Who?",
                    .requested_schema =
                        acta::parse<JsonObject>(R"({"type": "object", "properties": {"name": {"type": "string"}}})")}));
    });
    out.add(
        {"query", "Has a header.",
         acta::parse<Json>(R"({"type": "object", "properties": {"region": {"type": "string", "x-mcp-header": "Region"},
                 "count": {"type": "integer", "x-mcp-header": "Count"}}})")},
        [](const JsonObject& arguments, SkillContext&) -> acta::ActionResult {
            return acta::ActionSuccessResult{.outputs = acta::dump(arguments)};
        });
    return out;
}

class Harbour {
public:
    explicit Harbour(mcp::HttpServerOptions options = {}, mcp::ServerOptions of_server = {})
        : server(skills(), std::move(of_server)), http(server, std::move(options)) {}

    Kept answer(const std::string& method, const Headers& headers, const std::string& body = "",
                const std::string& caller = "") {
        Keeper out;
        http.handle({method, headers, body, caller, {}}, out);
        return out.kept;
    }
    Kept post(const Headers& headers, const std::string& body) { return answer("POST", headers, body); }
    /// Begins a session, and returns its id.
    std::string begin(const std::string& version = "2025-11-25") {
        const Kept out = post({}, request("initialize", R"("protocolVersion": ")" + version + "\""));
        CHECK(out.status == 200);
        return out.header("Mcp-Session-Id");
    }

    mcp::Server server;
    mcp::HttpServer http;
};

}  // namespace

TEST_CASE("a request of 2026 must have headers that agree with it") {
    Harbour harbour;
    const auto code = [&](const Headers& headers, const std::string& body) {
        const Kept out = harbour.post(headers, body);
        const Json said = acta::parse<Json>(out.body);
        return std::to_string(out.status) + " " +
               (said.contains("error") ? said["error"]["code"].dump() : std::string("fine"));
    };
    const Headers listing = plus(modern, "mcp-method", "tools/list");
    CHECK(code(listing, request("tools/list")) == "200 fine");
    CHECK(code(modern, request("tools/list")) == "400 -32020");
    CHECK(code(plus(modern, "Mcp-Method", "tools/call"), request("tools/list")) == "400 -32020");
    CHECK(code({{"Mcp-Method", "tools/list"}}, request("tools/list")) == "400 -32020");
    CHECK(code(plus({{"MCP-Protocol-Version", "2025-11-25"}}, "Mcp-Method", "tools/list"), request("tools/list")) ==
          "400 -32020");
    CHECK(code(listing, request("tools/list", "")) == "400 -32602");
    CHECK(code(plus(modern, "Mcp-Method", "sail"), request("sail")) == "404 -32601");
    CHECK(code(plus(modern, "Mcp-Method", "initialize"), request("initialize")) == "404 -32601");
    std::string other = request("tools/list");
    other.replace(other.find("2026-07-28"), 10, "v999.0.0  ");
    CHECK(code(plus({{"MCP-Protocol-Version", "v999.0.0  "}}, "Mcp-Method", "tools/list"), other) == "400 -32022");
    CHECK(code(listing, "{") == "400 -32700");
    CHECK(code(listing, "[]") == "400 -32600");
    CHECK(code(listing, R"({"jsonrpc": "2.0"})") == "400 -32600");

    const Headers calling = plus(modern, "Mcp-Method", "tools/call");
    const auto call = [&](const Headers& headers, const std::string& name, const std::string& arguments) {
        return code(headers,
                    request("tools/call", R"("name": ")" + name + R"(", "arguments": )" + arguments + ", " + meta));
    };
    CHECK(call(calling, "query", "{}") == "400 -32020");
    const Headers named = plus(calling, "Mcp-Name", "query");
    CHECK(call(named, "query", "{}") == "200 fine");
    CHECK(call(plus(calling, "Mcp-Name", "=?base64?cXVlcnk=?="), "query", "{}") == "200 fine");
    CHECK(call(plus(calling, "Mcp-Name", "=?base64?cXVlcnk?="), "query", "{}") == "400 -32020");
    CHECK(call(plus(calling, "Mcp-Name", "=?base64?c!?="), "query", "{}") == "400 -32020");
    CHECK(call(named, "echo", "{}") == "400 -32020");
    CHECK(call(plus(calling, "Mcp-Name", "sail"), "sail", "{}") == "200 -32602");
    CHECK(call(named, "query", R"({"region": "a"})") == "400 -32020");
    CHECK(call(plus(named, "Mcp-Param-Region", "a"), "query", R"({"region": "a"})") == "200 fine");
    CHECK(call(plus(named, "mcp-param-region", "b"), "query", R"({"region": "a"})") == "400 -32020");
    CHECK(call(plus(named, "Mcp-Param-Region", "a"), "query", "{}") == "400 -32020");
    CHECK(call(plus(named, "Mcp-Param-Region", "=?base64?w6k=?="), "query", R"({"region": "\u00e9"})") == "200 fine");
    CHECK(call(plus(named, "Mcp-Param-Region", "\xC3\xA9"), "query", R"({"region": "\u00e9"})") == "400 -32020");
    CHECK(call(named, "query", R"({"region": null})") == "200 fine");
    for (const std::string number : {"42", "42.0", "4.2e1"})
        CHECK(call(plus(named, "Mcp-Param-Count", number), "query", R"({"count": 42})") == "200 fine");
    for (const std::string number : {"43", "x", "", "\"42\""})
        CHECK(call(plus(named, "Mcp-Param-Count", number), "query", R"({"count": 42})") == "400 -32020");
}

TEST_CASE("an answer is JSON, or a stream if something precedes it") {
    Harbour harbour;
    const Headers headers = plus(plus(modern, "Mcp-Method", "tools/call"), "Mcp-Name", "count");
    const Kept whole = harbour.post(headers, request("tools/call", R"("name": "count", )" + meta));
    CHECK(whole.status == 200);
    CHECK(whole.header("Content-Type") == "application/json");
    CHECK(whole.header("Content-Length") == std::to_string(whole.body.size()));
    std::string with_token = request("tools/call", R"("name": "count", )" + meta);
    with_token.insert(with_token.find("\"_meta\": {") + 10, R"("progressToken": 5, )");
    const Kept stream = harbour.post(headers, with_token);
    CHECK(stream.status == 200);
    CHECK(stream.header("Content-Type") == "text/event-stream");
    CHECK(stream.header("X-Accel-Buffering") == "no");
    CHECK(stream.header("Content-Length").empty());
    CHECK(has(stream.body, "data: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/progress\""));
    CHECK(has(stream.body, "\n\ndata: {\"jsonrpc\":\"2.0\",\"id\":1,\"result\""));
    CHECK(stream.body.ends_with("\n\n"));
    const Kept note = harbour.post(modern, R"({"jsonrpc": "2.0", "method": "notifications/cancelled"})");
    CHECK(note.status == 202);
    CHECK(note.body.empty());
}

TEST_CASE("a session of 2025 has an id, until it is deleted") {
    Harbour harbour;
    const std::string id = harbour.begin();
    CHECK(id.size() == 32);
    CHECK(harbour.begin() != id);
    const Headers headers{{"Mcp-Session-Id", id}, {"MCP-Protocol-Version", "2025-11-25"}};
    CHECK(harbour.post(headers, R"({"jsonrpc": "2.0", "method": "notifications/initialized"})").status == 202);
    CHECK(harbour.post(headers, R"({"jsonrpc": "2.0", "id": "x", "result": {}})").status == 202);
    const Kept listed = harbour.post(headers, request("tools/list", ""));
    CHECK(listed.status == 200);
    CHECK_FALSE(has(listed.body, "resultType"));
    CHECK(harbour.post({{"Mcp-Session-Id", id}}, request("tools/list", "")).status == 200);
    CHECK(harbour.post({{"Mcp-Session-Id", id}, {"MCP-Protocol-Version", "1.0"}}, request("tools/list", "")).status ==
          400);
    CHECK(harbour.post({{"Mcp-Session-Id", "x"}}, request("tools/list", "")).status == 404);
    CHECK(harbour.post({}, request("tools/list", "")).status == 400);
    CHECK(harbour.post({{"MCP-Protocol-Version", "2025-11-25"}}, request("tools/list", "")).status == 400);
    CHECK(harbour.post(headers, "[" + request("ping", "") + "]").status == 400);
    CHECK(harbour.answer("GET", {}).status == 405);
    CHECK(harbour.answer("GET", {{"Mcp-Session-Id", "x"}}).status == 404);
    CHECK(harbour.answer("PUT", headers).status == 405);
    CHECK(harbour.answer("DELETE", {}).status == 405);
    CHECK(harbour.answer("DELETE", {{"Mcp-Session-Id", "x"}}).status == 404);
    CHECK(harbour.answer("DELETE", headers).status == 200);
    CHECK(harbour.post(headers, request("tools/list", "")).status == 404);
    const std::string older = harbour.begin("2025-03-26");
    const Kept batch =
        harbour.post({{"Mcp-Session-Id", older}},
                     "[" + request("ping", "") + "," + R"({"jsonrpc": "2.0", "id": 2, "method": "ping"}])");
    CHECK(batch.header("Content-Type") == "text/event-stream");
    CHECK(has(batch.body, R"("id":2)"));
    CHECK(harbour.post({{"Mcp-Session-Id", older}}, "[]").status == 400);
}

TEST_CASE("a message without a session is taken as its revision has it") {
    Harbour harbour;
    const auto said = [&](const Headers& headers, const std::string& body) {
        const Kept out = harbour.post(headers, body);
        return std::to_string(out.status) + " " +
               (out.body.empty() ? "" : acta::parse<Json>(out.body)["error"]["message"].get<std::string>());
    };
    const auto of = [](const std::string& version) { return Headers{{"MCP-Protocol-Version", version}}; };
    const std::string begins = "400 A session begins with initialize";
    const std::string needs = "400 _meta must have io.modelcontextprotocol/protocolVersion, which is a text";
    for (const std::string version : {"2025-11-25", "2025-06-18", "2025-03-26"})
        CHECK(said(of(version), request("tools/list", "")) == begins);
    CHECK(said({}, request("tools/list", "")) == begins);
    CHECK(said(of(""), request("tools/list", "")) == begins);
    CHECK(said({}, R"({"jsonrpc": "2.0", "method": "initialize"})") == begins);
    CHECK(said(of("2026-07-28"), request("tools/list", "")) == needs);
    CHECK(said(of("2031-01-01"), request("tools/list", "")) == needs);
    CHECK(said(of("2026-07-28"), R"({"jsonrpc": "2.0", "method": "m"})") == "202 ");
    const std::string id = harbour.begin();
    for (const std::string version : {"2026-07-28", "2031-01-01"})
        CHECK(said(plus(of(version), "Mcp-Session-Id", id), request("ping", "")) == "400 Unsupported protocol version");
    CHECK(said(plus(of("2025-03-26"), "Mcp-Session-Id", "x"), request("ping", "")) == "404 Unknown session");
    CHECK(said(plus(of("2025-03-26"), "Mcp-Session-Id", id), "[]") ==
          "400 the message is a batch, which this version does not have");
}

TEST_CASE("a session has one stream, which ends with it") {
    class Open : public Keeper {
    public:
        void begin(int status, const Headers& headers) override {
            Keeper::begin(status, headers);
            is_open = true;
        }
        std::atomic<bool> is_open{false};
    };
    Harbour harbour;
    const Headers headers{{"Mcp-Session-Id", harbour.begin()}};
    for (const bool is_last : {false, true}) {
        acta::stop_source stop;
        Open first;
        acta::jthread stream([&] { harbour.http.handle({"GET", headers, "", "", stop.get_token()}, first); });
        CHECK(eventually([&] { return first.is_open.load(); }));
        CHECK(first.kept.status == 200);
        const Kept second = harbour.answer("GET", headers);
        CHECK(second.status == 409);
        CHECK(has(second.body, "The session has a stream already"));
        if (is_last)
            CHECK(harbour.answer("DELETE", headers).status == 200);
        else
            stop.request_stop();  // the client closes it
        stream.join();
    }
}

TEST_CASE("a server over HTTP that is closed stops what is under way") {
    std::atomic<bool> is_running{false};
    std::atomic<bool> is_stopped{false};
    acta::SkillRegistry waiting;
    waiting.add("wait", "Waits.", [&](SkillContext& context) {
        is_running = true;
        while (!context.should_stop()) std::this_thread::sleep_for(milliseconds(2));
        is_stopped = true;
        return "stopped";
    });
    Harbour harbour;
    harbour.server.set_skills(waiting);
    acta::stop_source stop;
    Keeper out;
    const mcp::HttpCall call{"POST", plus(plus(modern, "Mcp-Method", "tools/call"), "Mcp-Name", "wait"),
                             request("tools/call", R"("name": "wait", )" + meta), "", stop.get_token()};
    acta::jthread calling([&] { harbour.http.handle(call, out); });
    CHECK(eventually([&] { return is_running.load(); }));
    harbour.http.close();
    CHECK(is_stopped);
    stop.request_stop();
}

TEST_CASE("nothing is written to a client that has gone, whose call is stopped") {
    class Gone : public Keeper {
    public:
        bool write(std::string_view piece) override {
            ++writes;
            return Keeper::write(piece) && writes < 2;
        }
        int writes = 0;
    };
    bool is_stopped = false;
    acta::SkillRegistry reporting;
    reporting.add("report", "Reports its progress.", [&](SkillContext& context) {
        for (int i = 1; i < 5; ++i) {
            CHECK(context.should_stop() == (i > 2));
            context.report_progress({.done = static_cast<double>(i)});
        }
        is_stopped = context.should_stop();
    });
    Harbour harbour;
    harbour.server.set_skills(reporting);
    std::string body = request("tools/call", R"("name": "report", )" + meta);
    body.insert(body.find("\"_meta\": {") + 10, R"("progressToken": 5, )");
    Gone gone;
    harbour.http.handle({"POST", plus(plus(modern, "Mcp-Method", "tools/call"), "Mcp-Name", "report"), body, "", {}},
                        gone);
    CHECK(is_stopped);
    CHECK(gone.writes == 2);
    CHECK_FALSE(has(gone.kept.body, "result"));
}

TEST_CASE("a session is that of the caller who began it") {
    Harbour harbour;
    const std::string begin = request("initialize", R"("protocolVersion": "2025-11-25")");
    const Headers headers{{"Mcp-Session-Id", harbour.answer("POST", {}, begin, "ada").header("Mcp-Session-Id")}};
    const std::string ping = request("ping", "");
    CHECK(harbour.answer("POST", headers, ping, "ada").status == 200);
    for (const std::string other : {"bob", ""}) {
        CHECK(harbour.answer("POST", headers, ping, other).status == 404);
        CHECK(harbour.answer("GET", headers, "", other).status == 404);
        CHECK(harbour.answer("DELETE", headers, "", other).status == 404);
    }
    CHECK(harbour.answer("DELETE", headers, "", "ada").status == 200);
}

TEST_CASE("sessions are bounded in number and time") {
    Harbour harbour({}, {.max_sessions = 2});
    const std::string first = harbour.begin();
    const std::string second = harbour.begin();
    CHECK(harbour.post({{"Mcp-Session-Id", first}}, request("ping", "")).status == 200);
    const std::string third = harbour.begin();
    CHECK(harbour.post({{"Mcp-Session-Id", first}}, request("ping", "")).status == 200);
    CHECK(harbour.post({{"Mcp-Session-Id", second}}, request("ping", "")).status == 404);
    CHECK(harbour.post({{"Mcp-Session-Id", third}}, request("ping", "")).status == 200);
    Harbour brief({}, {.session_lifetime = milliseconds(0)});
    const std::string old = brief.begin();
    std::this_thread::sleep_for(milliseconds(2));
    static_cast<void>(brief.begin());
    CHECK(brief.post({{"Mcp-Session-Id", old}}, request("ping", "")).status == 404);
}

TEST_CASE("a server over HTTP has as many sessions, and takes as long a message, as it may") {
    below_at_above("sessions of a server of MCP over HTTP; the oldest one ends for another", 3, [](std::size_t count) {
        Harbour harbour({}, {.max_sessions = 3});
        const std::string first = harbour.begin();
        for (std::size_t i = 1; i < count; ++i) static_cast<void>(harbour.begin());
        return harbour.post({{"Mcp-Session-Id", first}}, request("ping", "")).status == 200;
    });
    below_at_above("message to a server of MCP", 500, [](std::size_t bytes) {
        Harbour harbour({}, {.max_message_bytes = 500});
        std::string body = request("initialize", R"("protocolVersion": "2025-11-25")");
        body.resize(bytes, ' ');
        return harbour.post({}, body).status == 200;
    });
}

TEST_CASE("pages of other origins are refused") {
    Harbour harbour({.hosts = {"harbour.example.org"}, .origins = {"https://app.example.org"}});
    const auto status = [&](const Headers& headers) {
        return harbour.post(headers, request("initialize", R"("protocolVersion": "2025-11-25")")).status;
    };
    CHECK(status({}) == 200);
    for (const std::string host : {"localhost", "localhost:8080", "127.0.0.1:1", "[::1]:80", "harbour.example.org:443"})
        CHECK(status({{"Host", host}}) == 200);
    for (const std::string host : {"evil.example.com", "localhost.example.com", "", "harbour.example.org.evil.com"})
        CHECK(status({{"Host", host}}) == 403);
    for (const std::string origin : {"http://localhost:3000", "http://127.0.0.1", "https://app.example.org"})
        CHECK(status({{"Origin", origin}}) == 200);
    for (const std::string origin : {"http://evil.example.com", "null", "http://app.example.org"})
        CHECK(status({{"Origin", origin}}) == 403);
}

TEST_CASE("acta's client and server understand each other over HTTP, in every revision") {
    Harbour harbour;
    const mcp_tests::HttpShim shim(harbour.http);
    for (const std::string version : {"", "2025-11-25", "2025-06-18", "2025-03-26"}) {
        INFO(version);
        mcp::ClientOptions options{.version = version};
        options.on_input = [](const mcp::InputRequest&) {
            return mcp::InputAnswer{mcp::InputAnswer::Action::accept, {{"name", "Ada"}}};
        };
        const mcp::Client client = mcp::Client::http(shim.url(), options);
        CHECK(client.server().version == (version.empty() ? "2026-07-28" : version));
        CHECK(client.list_tools().size() == 4);
        CHECK(text_of(client.call_tool("echo", {{"text", "tide"}})) == "tide");
        CHECK(text_of(client.call_tool("query", {{"region", " \xC3\xA9"}, {"count", -7}})) ==
              "{\"region\":\" \xC3\xA9\",\"count\":-7}");
        int progress = 0;
        CHECK(text_of(client.call_tool("count", {},
                                       {.on_progress = [&](const acta::SkillProgress&) { ++progress; }})) == "counted");
        CHECK(progress == 3);
        CHECK(text_of(client.call_tool("ask")) == R"({"action":"accept","content":{"name":"Ada"}})");
        int changes = 0;
        acta::stop_source stop;
        acta::jthread changing([&](const acta::stop_token& until) {
            while (!until.stop_requested()) {
                harbour.server.report({mcp::Change::Kind::tools, ""});
                std::this_thread::sleep_for(milliseconds(20));
            }
        });
        CHECK(client.listen({.tools = true},
                            [&](const mcp::Change&) {
                                if (++changes == 2) stop.request_stop();
                            },
                            {.stop = stop.get_token(), .deadline = acta::deadline_in(seconds(10))}));
        CHECK(changes >= 2);
    }
}

TEST_CASE("a request that is cancelled has an answer without a response") {
    std::atomic<bool> is_called{false};
    acta::SkillRegistry waiting;
    waiting.add("wait", "Waits.", [&](SkillContext& context) {
        is_called = true;
        while (!context.should_stop()) std::this_thread::sleep_for(milliseconds(2));
        return "stopped";
    });
    Harbour harbour;
    harbour.server.set_skills(waiting);
    const Headers session{{"Mcp-Session-Id", harbour.begin()}};
    Kept kept;
    {
        acta::jthread call([&] { kept = harbour.post(session, request("tools/call", R"("name": "wait")")); });
        CHECK(eventually([&] { return is_called.load(); }));
        CHECK(
            harbour
                .post(session, R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})")
                .status == 202);
    }
    CHECK(kept.status == 200);
    CHECK(kept.header("Content-Type") == "text/event-stream");
    CHECK(kept.body.empty());
}

TEST_CASE("a client that hangs up ends its call") {
    std::atomic<bool> is_stopped{false};
    acta::SkillRegistry waiting;
    waiting.add("wait", "Waits.", [&](SkillContext& context) {
        while (!context.should_stop()) std::this_thread::sleep_for(milliseconds(5));
        is_stopped = true;
        return "stopped";
    });
    Harbour harbour;
    harbour.server.set_skills(waiting);
    const mcp_tests::HttpShim shim(harbour.http);
    const mcp::Client client = mcp::Client::http(shim.url());
    static_cast<void>(client.list_tools());
    CHECK_THROWS_AS(client.call_tool("wait", {}, {.until = {.deadline = acta::deadline_in(milliseconds(100))}}),
                    acta::Timeout);
    CHECK(eventually([&] { return is_stopped.load(); }));
}
