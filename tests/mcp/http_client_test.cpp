// SPDX-License-Identifier: MIT
#include "acta/mcp/http.hpp"

#include <atomic>
#include <chrono>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/client.hpp"
#include "mcp/common.hpp"
#include "provider/http/socket_server.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

// Clients of servers over HTTP, which answer as each test wants.
namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;
using faulty::Connection;
using mcp_tests::eventually;
using mcp_tests::has;
using mcp_tests::text_of;
using mcp_tests::thrown;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// A request that a server got.
struct Got {
    std::string line{};  // such as `POST /mcp`
    std::string head{};
    Json message{};

    [[nodiscard]] std::string method() const {
        return message.is_object() && message.contains("method") ? message["method"].get<std::string>() : "";
    }
    /// The value of a header; `-` if it is not there.
    [[nodiscard]] std::string header(const std::string& name) const {
        const std::size_t at = head.find("\r\n" + name + ":");
        if (at == std::string::npos) return "-";
        const std::size_t from = head.find_first_not_of(' ', at + 3 + name.size());
        return head.substr(from, head.find("\r\n", from) - from);
    }
};

/// Whether the connection of this thread is closed after the answer.
thread_local bool is_last = false;

/// A server whose answers to requests are given by a function.
class HttpServer {
public:
    explicit HttpServer(std::function<void(Connection&, const Got&)> answer)
        : answer_(std::move(answer)), server_([this](Connection& connection) { serve(connection); }) {}

    [[nodiscard]] mcp::Client client(mcp::ClientOptions options = {}) const {
        options.name = "sea";
        return mcp::Client::http(url(), std::move(options));
    }
    [[nodiscard]] std::string url() const { return "http://127.0.0.1:" + std::to_string(server_.port()) + "/mcp"; }
    [[nodiscard]] std::vector<Got> got() const {
        const std::lock_guard lock(mutex_);
        return got_;
    }
    /// The methods of the messages, and GET and DELETE.
    [[nodiscard]] std::string log() const {
        std::string out;
        for (const Got& one : got()) {
            const std::string method = one.method();
            out += (out.empty() ? "" : " ") + (method.empty() ? one.line.substr(0, one.line.find(' ')) : method);
        }
        return out;
    }

private:
    void serve(Connection& connection) {
        for (;;) {
            const faulty::Request request = connection.read();
            if (request.head.empty()) return;
            Got got{request.head.substr(0, request.head.find(" HTTP")), request.head,
                    request.body.empty() ? Json() : acta::parse<Json>(request.body)};
            {
                const std::lock_guard lock(mutex_);
                got_.push_back(got);
            }
            is_last = false;
            answer_(connection, got);
            if (is_last) return;
        }
    }

    std::function<void(Connection&, const Got&)> answer_;
    mutable std::mutex mutex_{};
    std::vector<Got> got_{};
    faulty::Server server_;
};

std::string response(const Json& id, const std::string& result) {
    return R"({"jsonrpc": "2.0", "id": )" + id.dump() + R"(, "result": )" + result + "}";
}
std::string failure(const Json& id, int code, const std::string& more = "") {
    return R"({"jsonrpc": "2.0", "id": )" + id.dump() + R"(, "error": {"code": )" + std::to_string(code) +
           R"(, "message": "no")" + more + "}}";
}
constexpr std::string_view tools = R"({"tools": [{"name": "t", "inputSchema": {"type": "object"}}]})";

/// Sends the head of an event stream, which ends with the connection.
void begin_stream(const Connection& connection, const std::string& headers = "") {
    is_last = true;
    connection.send("HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n" + headers + "Connection: close\r\n\r\n");
}
std::string event(const std::string& data) { return "data: " + data + "\n\n"; }

/// Answers what does not matter to a test in the way of 2026; returns whether it did.
bool answers_2026(const Connection& connection, const Got& got, std::string_view listed = tools) {
    const std::string method = got.method();
    if (method == "server/discover")
        return connection.answer(response(got.message["id"], R"({"supportedVersions": ["2026-07-28"], "capabilities":
            {"tools": {}, "resources": {}, "prompts": {}}})"));
    if (method == "tools/list") return connection.answer(response(got.message["id"], std::string(listed)));
    return false;
}
/// The same in the way of 2025, with a session.
bool answers_2025(const Connection& connection, const Got& got, const std::string& version = "2025-11-25") {
    const std::string method = got.method();
    if (method == "server/discover") return connection.answer("400 Bad Request", "");
    if (method == "initialize")
        return connection.answer(
            "200 OK",
            response(got.message["id"], R"({"protocolVersion": ")" + version + R"(", "capabilities": {"tools": {}}})"),
            "Mcp-Session-Id: s-1\r\n");
    if (method == "tools/list") return connection.answer(response(got.message["id"], std::string(tools)));
    if (method.starts_with("notifications/") || got.line.starts_with("DELETE"))
        return connection.answer("202 Accepted", "");
    if (got.line.starts_with("GET")) return connection.answer("405 Method Not Allowed", "");
    if (method.empty()) return connection.answer("202 Accepted", "");  // a response
    return false;
}
/// Answers of a server, without one: each call of `answer` gets a request and its message, and returns the reply to it.
/// Messages but `x` are answered in the way of 2026, or of 2025 if they are of that era.
struct Replies {
    std::function<acta::http::Reply(const acta::http::Request&, const Json&, const acta::http::Sink&)> answer{};
    std::vector<acta::http::Request> got{};  // those that `answer` got

    [[nodiscard]] mcp::Client client(mcp::ClientOptions options = {}) {
        options.name = "sea";
        if (options.version.empty()) options.version = "2026-07-28";
        options.transport = [this](const acta::http::Request& request, const acta::http::Sink& sink) {
            const Json message = request.body.empty() ? Json() : acta::parse<Json>(request.body);
            const std::string method = message.value("method", request.method);
            if (method == "server/discover")
                return json(message, R"({"supportedVersions": ["2026-07-28"], "capabilities": {"tools": {}}})");
            if (method == "initialize")
                return json(message, R"({"protocolVersion": "2025-11-25"})", {{"mcp-session-id", "s-1"}});
            if (method == "notifications/initialized" || method == "DELETE") return acta::http::Reply{.status = 202};
            got.push_back(request);
            return answer(request, message, sink);
        };
        return mcp::Client::over_http("http://localhost:1/", std::move(options));
    }
    static acta::http::Reply json(const Json& message, const std::string& result,
                                  std::vector<std::pair<std::string, std::string>> headers = {}) {
        headers.emplace_back("content-type", "application/json");
        return {.status = 200, .headers = std::move(headers), .body = response(message["id"], result)};
    }
    /// The values of a header of the requests, each `-` if it is not there.
    [[nodiscard]] std::string headers(const std::string& name) const {
        std::string out;
        for (const acta::http::Request& one : got) {
            std::string value = "-";
            for (const std::string& line : one.headers)
                if (line.starts_with(name + ": ")) value = line.substr(name.size() + 2);
            out += (out.empty() ? "" : ",") + value;
        }
        return out;
    }
};
std::string text(const std::string& said) { return R"({"content": [{"type": "text", "text": ")" + said + R"("}]})"; }

}  // namespace

TEST_CASE("a request to a stateless server has its headers, and no session") {
    const HttpServer server([](Connection& connection, const Got& got) {
        if (got.method() == "tools/call")
            connection.answer("200 OK", response(got.message["id"], text("well")), "Mcp-Session-Id: s-1\r\n");
        else
            answers_2026(connection, got);
    });
    const mcp::Client client = server.client({.headers = {"X-Mine: 1"}});
    CHECK(text_of(client.call_tool("t")) == "well");
    CHECK(text_of(client.call_tool("t")) == "well");
    CHECK(server.log() == "server/discover tools/list tools/call tools/call");
    const Got call = server.got().back();
    CHECK(call.line == "POST /mcp");
    CHECK(call.header("Accept") == "application/json, text/event-stream");
    CHECK(call.header("Content-Type") == "application/json");
    CHECK(call.header("MCP-Protocol-Version") == "2026-07-28");
    CHECK(call.header("Mcp-Method") == "tools/call");
    CHECK(call.header("Mcp-Name") == "t");
    CHECK(call.header("X-Mine") == "1");
    CHECK(call.header("Mcp-Session-Id") == "-");
    CHECK(call.header("Authorization") == "-");
}

TEST_CASE("a session has its id and its revision on all requests, and is ended") {
    const HttpServer server([](Connection& connection, const Got& got) {
        if (got.method() == "tools/call")
            connection.answer(response(got.message["id"], text("well")));
        else
            answers_2025(connection, got);
    });
    {
        const mcp::Client client = server.client();
        CHECK(text_of(client.call_tool("t")) == "well");
    }
    CHECK(server.log() == "server/discover initialize notifications/initialized tools/list tools/call DELETE");
    const std::vector<Got> got = server.got();
    CHECK(got[1].header("Mcp-Session-Id") == "-");
    CHECK(got[1].header("MCP-Protocol-Version") == "-");
    for (std::size_t i = 2; i < got.size(); ++i) {
        INFO(got[i].head);
        CHECK(got[i].header("Mcp-Session-Id") == "s-1");
        CHECK(got[i].header("MCP-Protocol-Version") == "2025-11-25");
        CHECK(got[i].header("Mcp-Method") == "-");
    }
}

TEST_CASE("what answers the first question decides on the era") {
    std::string status;
    std::string body;
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (got.method() == "server/discover")
            connection.answer(status, body);
        else
            answers_2025(connection, got);
    });
    const auto with = [&](const std::string& new_status, const std::string& new_body) {
        status = new_status;
        body = new_body;
        try {
            return server.client().server().version;
        } catch (const acta::Error& error) {
            return std::string(error.what());
        }
    };
    for (const std::string refusal : {"400 Bad Request", "404 Not Found", "405 Method Not Allowed"}) {
        CHECK(with(refusal, "") == "2025-11-25");
        CHECK(with(refusal, "<html>") == "2025-11-25");
        CHECK(with(refusal, failure(nullptr, -32601)) == "2025-11-25");
    }
    CHECK(with("200 OK", response(1, "{}")) == "2025-11-25");
    CHECK(with("200 OK", failure(1, -32601)) == "2025-11-25");
    CHECK(with("400 Bad Request", failure(1, -32020)) == "2026-07-28");
    CHECK(with("400 Bad Request", failure(nullptr, -32021)) == "2026-07-28");
    CHECK(with("400 Bad Request", failure(1, -32022, R"(, "data": {"supported": ["2025-06-18"]})")) == "2025-11-25");
    CHECK(has(server.log(), "server/discover initialize notifications/initialized DELETE server/discover"));
    CHECK(with("401 Unauthorized", "who?") == "the server 'sea' answered server/discover with status 401: who?");
    CHECK(with("403 Forbidden", "") == "the server 'sea' answered server/discover with status 403");
    CHECK(with("500 Internal Server Error", "") == "the server 'sea' answered server/discover with status 500");
    CHECK(has(with("200 OK", "<html>"),
              "did not answer server/discover: its reply ended before that; it sent what is "
              "not a message: <html>"));
    CHECK(has(thrown<mcp::ConnectionError>(
                  [] { static_cast<void>(mcp::Client::http("http://127.0.0.1:1/", {.name = "sea"}).server()); }),
              "the server 'sea': "));
}

TEST_CASE("a stream brings progress and requests before the response") {
    std::atomic<bool> is_answered{false};
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (got.message.contains("result")) is_answered = true;
        if (got.method() != "tools/call") {
            answers_2025(connection, got);
            return;
        }
        begin_stream(connection);
        connection.send(": a comment\n\nid: 1\ndata:\n\n");
        connection.send(event(R"({"jsonrpc": "2.0", "id": "p", "method": "ping"})"));
        eventually([&] { return is_answered.load(); });
        connection.send(event(
            R"([{"jsonrpc": "2.0", "method": "notifications/progress", "params": {"progressToken": )" +
            got.message["id"].dump() + R"(, "progress": 1}},)" + response(got.message["id"], text("well")) + "]"));
        connection.wait_for_end();
    });
    const mcp::Client client = server.client();
    int progress = 0;
    CHECK(text_of(client.call_tool("t", {}, {.on_progress = [&](const acta::SkillProgress&) { ++progress; }})) ==
          "well");
    CHECK(progress == 1);
    CHECK(is_answered);
}

TEST_CASE("before 2026 a stream that breaks is continued after its last event") {
    for (const std::string length : {"", "Content-Length: 1000\r\n"}) {  // the second one ends too early
        INFO(length);
        Json id;
        const HttpServer server([&](Connection& connection, const Got& got) {
            if (got.line.starts_with("GET")) {
                begin_stream(connection, length);
                if (got.header("Last-Event-ID") == "e1") {
                    connection.send("id: e2\nretry: 10\ndata:\n\n");
                } else {
                    connection.send(event(response(id, text("well"))));
                    connection.wait_for_end();
                }
            } else if (got.method() == "tools/call") {
                id = got.message["id"];
                begin_stream(connection, length);
                connection.send("id: e1\nretry: 20\ndata:\n\n");
            } else {
                answers_2025(connection, got);
            }
        });
        const mcp::Client client = server.client();
        CHECK(text_of(client.call_tool("t")) == "well");
        const std::vector<Got> got = server.got();
        REQUIRE(got.size() == 7);
        CHECK(got[5].line == "GET /mcp");
        CHECK(got[5].header("Accept") == "text/event-stream");
        CHECK(got[5].header("Mcp-Session-Id") == "s-1");
        CHECK(got[5].header("Last-Event-ID") == "e1");
        CHECK(got[6].header("Last-Event-ID") == "e2");
    }
}

TEST_CASE("a stream that cannot be continued is a broken connection") {
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (got.method() == "tools/call") {
            begin_stream(connection);
            connection.send("id: e1\nretry: 1\ndata:\n\n");
        } else {
            answers_2025(connection, got);
        }
    });
    const mcp::Client client = server.client();
    CHECK(thrown<mcp::ConnectionError>([&] { static_cast<void>(client.call_tool("t")); }) ==
          "the server 'sea' did not continue a stream that broke: status 405");
    const HttpServer endless([&](Connection& connection, const Got& got) {
        if (got.method() == "tools/call" || got.line.starts_with("GET")) {
            begin_stream(connection);
            connection.send("id: e1\nretry: 1\ndata:\n\n");
        } else {
            answers_2025(connection, got);
        }
    });
    CHECK(thrown<acta::Timeout>([&] {
              const mcp::Client of_it = endless.client();
              static_cast<void>(of_it.list_tools());
              static_cast<void>(
                  of_it.call_tool("t", {}, {.until = {.deadline = acta::deadline_in(milliseconds(200))}}));
          }) == "the server 'sea' did not answer tools/call in time");
}

TEST_CASE("a token is sent to its server, and another one if that is refused") {
    std::string challenge = R"(Bearer realm="x", error="invalid_token", scope="a b", resource_metadata="https://m/")";
    std::string status = "401 Unauthorized";
    std::atomic<int> refusals{1};
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (got.method() == "tools/call" && refusals-- > 0)
            connection.answer(status, "bad token token-of-the-harbour-1",
                              challenge.empty() ? "" : "WWW-Authenticate: " + challenge + "\r\n");
        else if (got.method() == "tools/call")
            connection.answer(response(got.message["id"], text("you sent token-of-the-harbour-2")));
        else
            answers_2026(connection, got);
    });
    std::vector<mcp::Challenge> challenges;
    const mcp::Client client = server.client({.token = [&](const mcp::Challenge* of) {
        if (of == nullptr) return std::string("token-of-the-harbour-1");
        challenges.push_back(*of);
        return std::string("token-of-the-harbour-2");
    }});
    CHECK(text_of(client.call_tool("t")) == "you sent ***");
    CHECK(challenges == std::vector<mcp::Challenge>{{401, "https://m/", "a b", "invalid_token"}});
    CHECK(server.got().at(2).header("Authorization") == "Bearer token-of-the-harbour-1");
    CHECK(server.got().back().header("Authorization") == "Bearer token-of-the-harbour-2");
    // Once only, and what the server repeats of a token is hidden.
    refusals = 2;
    CHECK(thrown<mcp::StatusError>([&] { static_cast<void>(client.call_tool("t")); }) ==
          "the server 'sea' answered tools/call with status 401: bad token ***");
    CHECK(challenges.size() == 2);
    // A status 403 without such a header is not about the token.
    status = "403 Forbidden";
    challenge.clear();
    refusals = 1;
    CHECK(thrown<mcp::StatusError>([&] { static_cast<void>(client.call_tool("t")); }) ==
          "the server 'sea' answered tools/call with status 403: bad token ***");
    CHECK(challenges.size() == 2);
}

TEST_CASE("a token is not sent over plain http to another machine") {
    const auto with = [](const std::string& url, bool has_token) {
        return thrown<mcp::ConnectionError>([&] {
            mcp::ClientOptions options{.name = "sea"};
            if (has_token) options.token = [] { return std::string("t"); };
            static_cast<void>(mcp::Client::http(url, options));
        });
    };
    CHECK(with("http://example.org/mcp", true) ==
          "the server 'sea' would get its token over plain http: its URL must begin with https://");
    CHECK(with("http://example.org/mcp", false) == "nothing");
    CHECK(with("https://example.org/mcp", true) == "nothing");
    CHECK(with("http://localhost:1/mcp", true) == "nothing");
    CHECK(with("http://[::1]:1/mcp", true) == "nothing");
    const auto with_header = [](const std::string& header) {
        return thrown<mcp::ConnectionError>([&] {
            static_cast<void>(mcp::Client::http("http://example.org/mcp", {.name = "sea", .headers = {header}}));
        });
    };
    CHECK(has(with_header("authorization: Bearer t"), "would get its token over plain http"));
    CHECK(has(with_header("AUTHORIZATION:t"), "would get its token over plain http"));
    for (const std::string none : {"X-Region: west", "Authorization:", "Authorizatio: t", "X-Authorization: t"})
        CHECK(with_header(none) == "nothing");
    CHECK(with("example.org", false) ==
          "the server 'sea' has a URL that is not valid: it must begin with http:// or https://");
    CHECK(has(thrown<mcp::ConnectionError>(
                  [] { static_cast<void>(mcp::Client::over_http("https://example.org/", {.name = "sea"})); }),
              "has no transport"));
}

TEST_CASE("what a server wants for a token is read from its header") {
    const auto read = [](std::string_view text) {
        const std::optional<mcp::Challenge> out = mcp::parse_challenge(text, 403);
        if (out) CHECK(out->status == 403);
        return out ? out->error + "|" + out->scope + "|" + out->resource_metadata : "none";
    };
    const std::vector<std::pair<std::string, std::string>> rows{
        {"", "none"},
        {R"(Basic realm="x")", "none"},
        {"Bear", "none"},
        {R"(BearerX error="e")", "none"},
        {R"(XBearer error="e")", "none"},
        {"Bearer", "||"},
        {"Bearer ", "||"},
        {"Basic, Bearer", "||"},
        {"bearer error=invalid_token", "invalid_token||"},
        {"BEARER error=e,scope=s", "e|s|"},
        {"Bearer error=e scope=s", "e|s|"},
        {"Bearer  error=e ,  scope=s ", "e|s|"},
        {R"(Bearer scope="a \"b\"", error="e", resource_metadata="https://m/?a=b,c")", "e|a \"b\"|https://m/?a=b,c"},
        {R"(Bearer scope="a\\b", error="e")", "e|a\\b|"},
        {R"(Bearer scope="", error="e")", "e||"},
        {R"(Bearer error="e)", "e||"},
        {R"(Bearer error="e\)", "e\\||"},
        {R"(Bearer error=")", "||"},
        {"Bearer error", "||"},
        {"Bearer error=", "||"},
        {R"(Bearer realm="x", errors="y", error="e", resource="z")", "e||"},
        {R"(Basic realm="x", Bearer error="e")", "e||"},
        {R"(Basic realm="x",Bearer error="e")", "e||"},
        {R"(Basic error="x", Digest scope="y", Bearer error="e")", "e||"},
        {R"(Bearer error="e", Digest realm="y", scope="z")", "e||"},
        {R"(Bearer scope="s", Basic error="z", error="y")", "|s|"},
    };
    for (const auto& [header, wanted] : rows) {
        INFO(header);
        CHECK(read(header) == wanted);
    }
}

TEST_CASE("a request is sent once more where another token may help") {
    struct Row {
        int status;
        std::string challenge;
        std::vector<std::string> tokens;  // those that the source returns; none has no source
        std::string sent;
        std::string heard;  // what the source was told
    };
    const std::string words = R"(Bearer error="e", scope="s")";
    const std::vector<Row> rows{
        {401, words, {"t1", "t2"}, "Bearer t1,Bearer t2", "401 e s;"},
        {403, words, {"t1", "t2"}, "Bearer t1,Bearer t2", "403 e s;"},
        {401, "", {"t1", "t2"}, "Bearer t1,Bearer t2", "401  ;"},
        {401, "Basic realm=x", {"t1", "t2"}, "Bearer t1,Bearer t2", "401  ;"},
        {403, "", {"t1", "t2"}, "Bearer t1", ""},
        {403, "Basic realm=x", {"t1", "t2"}, "Bearer t1", ""},
        {401, words, {"", "t2"}, "-,Bearer t2", "401 e s;"},
        {401, words, {"t1", ""}, "Bearer t1", "401 e s;"},
        {401, words, {}, "-", ""},
        {403, words, {}, "-", ""},
        {400, words, {"t1", "t2"}, "Bearer t1", ""},
        {402, words, {"t1", "t2"}, "Bearer t1", ""},
        {404, words, {"t1", "t2"}, "Bearer t1", ""},
    };
    for (const Row& row : rows) {
        INFO(row.status << " " << row.challenge << " " << row.sent);
        Replies replies;
        replies.answer = [&](const acta::http::Request&, const Json&, const acta::http::Sink&) {
            acta::http::Reply out{.status = row.status};
            if (!row.challenge.empty()) out.headers.emplace_back("www-authenticate", row.challenge);
            return out;
        };
        std::string heard;
        mcp::ClientOptions options;
        if (!row.tokens.empty())
            options.token = [&](const mcp::Challenge* of) {
                if (of != nullptr) heard += std::to_string(of->status) + " " + of->error + " " + of->scope + ";";
                return row.tokens[of == nullptr ? 0 : 1];
            };
        const mcp::Client client = replies.client(options);
        CHECK(thrown<mcp::StatusError>([&] { static_cast<void>(client.request("x")); }) ==
              "the server 'sea' answered x with status " + std::to_string(row.status));
        CHECK(replies.headers("Authorization") == row.sent);
        CHECK(heard == row.heard);
    }
}

TEST_CASE("what a server says instead of an answer is shown in part") {
    const std::string many(300, 'y');
    for (const bool is_status : {true, false}) {
        Replies replies;
        replies.answer = [&](const acta::http::Request&, const Json&, const acta::http::Sink&) {
            return acta::http::Reply{.status = is_status ? 500 : 200, .body = many};
        };
        const mcp::Client client = replies.client();
        CHECK(thrown<mcp::ConnectionError>([&] { static_cast<void>(client.request("x")); }) ==
              (is_status ? "the server 'sea' answered x with status 500: "
                         : "the server 'sea' did not answer x: its reply ended before that; it sent what is not a "
                           "message: ") +
                  many.substr(0, 200));
    }
}

TEST_CASE("a blank reply is an error, and a secret of a header is not shown") {
    Replies replies;
    acta::http::Reply reply{.status = 200, .body = " \r\n\t"};
    replies.answer = [&](const acta::http::Request&, const Json&, const acta::http::Sink&) { return reply; };
    const mcp::Client client = replies.client({.headers = {"Authorization: Bearer token-of-the-harbour"}});
    const auto why = [&] { return thrown<mcp::ConnectionError>([&] { static_cast<void>(client.request("x")); }); };
    CHECK(why() == "the server 'sea' did not answer x: its reply ended before that");
    reply = {.status = 500, .body = "no token-of-the-harbour"};
    CHECK(why() == "the server 'sea' answered x with status 500: no ***");
}

TEST_CASE("only a session whose id can be a header is kept") {
    for (const auto& [id, is_kept] : std::vector<std::pair<std::string, bool>>{
             {"!~", true}, {"s-1", true}, {"a b", false}, {"a\x7F", false}, {"\xC3\xA9", false}, {"a\t", false}}) {
        INFO(id);
        std::string seen;
        mcp::ClientOptions options{.version = "2025-11-25"};
        options.transport = [&, id = id](const acta::http::Request& request, const acta::http::Sink&) {
            if (request.method == "DELETE") return acta::http::Reply{.status = 200};
            const Json message = acta::parse<Json>(request.body);
            for (const std::string& line : request.headers)
                if (line.starts_with("Mcp-Session-Id: ")) seen = line.substr(16);
            return Replies::json(message.contains("id") ? message : Json{{"id", 0}},
                                 R"({"protocolVersion": "2025-11-25"})", {{"mcp-session-id", id}});
        };
        static_cast<void>(mcp::Client::over_http("http://localhost:1/", options).server());
        CHECK(seen == (is_kept ? id : ""));
    }
}

TEST_CASE("a notification that is refused ends the beginning of a session") {
    mcp::ClientOptions options{.name = "sea", .version = "2025-11-25"};
    options.transport = [](const acta::http::Request& request, const acta::http::Sink&) {
        const Json message = acta::parse<Json>(request.body);
        if (!message.contains("id")) return acta::http::Reply{.status = 503};
        return Replies::json(message, R"({"protocolVersion": "2025-11-25"})");
    };
    const mcp::Client client = mcp::Client::over_http("http://localhost:1/", options);
    CHECK(thrown<mcp::StatusError>([&] { static_cast<void>(client.server()); }) ==
          "the server 'sea' refused a message with status 503");
}

TEST_CASE("a session that cannot be found is begun again once") {
    const auto requests = [](const std::string& version, int status) {
        Replies replies;
        replies.answer = [&](const acta::http::Request&, const Json&, const acta::http::Sink&) {
            return acta::http::Reply{.status = replies.got.size() < 5 ? status : 418};
        };
        const mcp::Client client = replies.client({.version = version});
        CHECK(thrown<mcp::StatusError>([&] { static_cast<void>(client.request("x")); }) ==
              "the server 'sea' answered x with status " + std::to_string(status));
        return replies.got.size();
    };
    CHECK(requests("2025-11-25", 404) == 2);
    CHECK(requests("2025-11-25", 405) == 1);
    CHECK(requests("2025-11-25", 400) == 1);
    CHECK(requests("2026-07-28", 404) == 1);
}

TEST_CASE("a message over HTTP is as large as it may be") {
    constexpr std::size_t limit = 1000;
    for (const bool is_stream : {false, true}) {
        INFO(is_stream);
        below_at_above(limit, [&](std::size_t bytes) {
            Replies replies;
            replies.answer = [&](const acta::http::Request&, const Json& message, const acta::http::Sink& sink) {
                acta::http::Reply out{.status = 200};
                out.headers.emplace_back("content-type", is_stream ? "text/event-stream" : "application/json");
                out.body = (is_stream ? "data: " : "") + response(message["id"], "{}");
                out.body.insert(out.body.size() - 1, bytes - out.body.size(), ' ');
                sink(out);
                if (is_stream) out.body = "\n\n";
                sink(out);
                return out;
            };
            const mcp::Client client = replies.client({.max_message_bytes = limit});
            const std::string error = thrown<mcp::ConnectionError>([&] { static_cast<void>(client.request("x")); });
            if (error != "nothing") CHECK(error == "the server 'sea': a message is larger than 1000 bytes");
            return error == "nothing";
        });
    }
}

TEST_CASE("a skill is called once more if it may be, and its connection broke") {
    struct Row {
        int status;  // 0: no answer at all
        std::string hints;
        int calls;
        std::string outcome;
    };
    const std::string unknown = " The outcome of the call is unknown.";
    for (const Row& row :
         {Row{500, "{}", 1, unknown}, Row{0, "{}", 1, unknown}, Row{500, R"({"idempotentHint": true})", 2, unknown},
          Row{0, R"({"readOnlyHint": true})", 2, unknown},
          Row{400, R"({"readOnlyHint": true})", 1, "answered tools/call with status 400"},
          Row{499, "{}", 1, "answered tools/call with status 499"}}) {
        INFO(row.status << " " << row.hints);
        int calls = 0;
        Replies replies;
        replies.answer = [&](const acta::http::Request&, const Json& message, const acta::http::Sink&) {
            if (message["method"] == "tools/list")
                return Replies::json(
                    message, R"({"tools": [{"name": "t", "inputSchema": {}, "annotations": )" + row.hints + "}]}");
            ++calls;
            if (row.status == 0) throw acta::http::Error(acta::http::Fault::connection, "broke");
            return acta::http::Reply{.status = row.status};
        };
        acta::SkillRegistry skills;
        skills.add(replies.client({.trust_hints = true}).tools());
        const std::string said = acta::to_string(skills.call("t", {}));
        CHECK(has(said, row.outcome));
        CHECK(has(said, unknown) == (row.outcome == unknown));
        CHECK(calls == row.calls);
    }
}

TEST_CASE("listening ends when it is stopped, and when its time is over") {
    for (const bool is_stopped : {true, false}) {
        int requests = 0;
        mcp::HttpTransport transport({.url = "http://localhost:1/",
                                      .transport =
                                          [&](const acta::http::Request&, const acta::http::Sink&) {
                                              if (++requests > 1) return acta::http::Reply{.status = 405};
                                              if (is_stopped) throw acta::Cancelled();
                                              throw acta::Timeout();
                                          }},
                                     "sea", 1000);
        transport.listen({}, {}, {}, {});
        CHECK(requests == 1);
    }
}

TEST_CASE("each stream of a session is open once") {
    int opened = 0;
    std::vector<std::string> last;
    mcp::HttpTransport transport(
        {.url = "http://localhost:1/",
         .transport =
             [&](const acta::http::Request& request, const acta::http::Sink& sink) {
                 const bool has_last = request.headers.back().starts_with("Last-Event-ID: ");
                 last.push_back(has_last ? request.headers.back().substr(15) : "-");
                 CHECK(request.method == "GET");
                 acta::http::Reply out{.status = 200};
                 if (last.size() == 4) return out;  // which is none
                 out.headers.emplace_back("content-type", "text/event-stream; charset=utf-8");
                 for (const std::string& part : {std::string("retry: 0\n"), "id: " + std::to_string(last.size()) + "\n",
                                                 "data: {}\n\n" + event(R"({"jsonrpc": "2.0", "method": "m"})")}) {
                     out.body = part;
                     // A response is one to nothing that was asked here.
                     if (part.starts_with("id: ")) out.body = event(response(7, "{}")) + part;
                     if (last.size() != 2) sink(out);  // the second one breaks before it has begun
                 }
                 if (last.size() == 2) throw acta::http::Error(acta::http::Fault::connection, "broke");
                 return out;
             }},
        "sea", 1000);
    int messages = 0;
    transport.listen(
        {}, {}, [&] { ++opened; }, [&](const mcp::Message&) { ++messages; });
    CHECK(last == std::vector<std::string>{"-", "1", "1", "3"});
    CHECK(opened == 2);
    CHECK(messages == 2);
}

TEST_CASE("a session that the server has ended is followed by another one") {
    std::atomic<int> sessions{0};
    std::atomic<bool> is_lost{false};
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (got.method() == "initialize") ++sessions;
        if (got.method() == "tools/call" && is_lost.exchange(false))
            connection.answer("404 Not Found", "");
        else if (got.method() == "tools/call")
            connection.answer(response(got.message["id"], text("well")));
        else
            answers_2025(connection, got);
    });
    const mcp::Client client = server.client();
    CHECK(text_of(client.call_tool("t")) == "well");
    is_lost = true;
    CHECK(text_of(client.call_tool("t")) == "well");
    CHECK(sessions == 2);
    // It is known of which era the server is.
    CHECK(server.log() ==
          "server/discover initialize notifications/initialized tools/list tools/call tools/call "
          "initialize notifications/initialized tools/call");
}

TEST_CASE("a call whose headers were those of another schema is repeated with the new ones") {
    std::atomic<bool> is_changed{false};
    const HttpServer server([&](Connection& connection, const Got& got) {
        const std::string header = is_changed ? R"(, "x-mcp-header": "A")" : "";
        const std::string listed = R"({"tools": [{"name": "t", "inputSchema": {"type": "object", "properties":
            {"a": {"type": "string")" +
                                   header + "}}}}]}";
        if (got.method() == "tools/call" && is_changed && got.header("Mcp-Param-A") != "x")
            connection.answer("400 Bad Request", failure(got.message["id"], -32020));
        else if (got.method() == "tools/call")
            connection.answer(response(got.message["id"], text("well")));
        else
            answers_2026(connection, got, listed);
    });
    const mcp::Client client = server.client();
    CHECK(text_of(client.call_tool("t", {{"a", "x"}})) == "well");
    is_changed = true;
    CHECK(text_of(client.call_tool("t", {{"a", "x"}})) == "well");
    CHECK(server.log() == "server/discover tools/list tools/call tools/call tools/list tools/call");
    CHECK(thrown<mcp::RequestError>([&] {
              static_cast<void>(client.call_tool("t", {{"a", "y"}}));
          }) == "the server 'sea' answered tools/call with error -32020: no");
}

TEST_CASE("a tool whose headers are not valid is not offered over HTTP") {
    const HttpServer server([](Connection& connection, const Got& got) {
        answers_2026(connection, got, R"({"tools": [
            {"name": "bad", "inputSchema": {"properties": {"a": {"type": "number", "x-mcp-header": "A"}}}},
            {"name": "good", "inputSchema": {"properties": {"a": {"type": "string", "x-mcp-header": "A"}}}}]})");
    });
    const std::vector<mcp::Tool> listed = server.client().list_tools();
    REQUIRE(listed.size() == 1);
    CHECK(listed[0].name == "good");
}

TEST_CASE("a message that is too large ends the request") {
    const std::string large(200'000, 'x');
    std::atomic<int> kind{0};
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (got.method() != "tools/call") {
            answers_2026(connection, got);
            return;
        }
        if (kind == 0) {
            connection.answer(response(got.message["id"], text(large)));
            return;
        }
        begin_stream(connection);
        for (int i = 0; i < 100 && kind == 1; ++i)
            connection.send(event("[]") + ": " + std::string(9000, 'x') + "\n\n");
        connection.send(kind == 1 ? event(response(got.message["id"], text("well"))) : "data: " + large);
        connection.wait_for_end();
    });
    const mcp::Client client = server.client({.request_timeout = seconds(5), .max_message_bytes = 100'000});
    const auto call = [&] { return thrown<mcp::ConnectionError>([&] { static_cast<void>(client.call_tool("t")); }); };
    CHECK(call() == "the server 'sea': a message is larger than 100000 bytes");
    kind = 1;  // a long stream of small messages is none
    CHECK(call() == "nothing");
    kind = 2;
    CHECK(call() == "the server 'sea': a message is larger than 100000 bytes");
}

TEST_CASE("a request that takes too long is cancelled in the way of its era") {
    for (const bool is_2026 : {true, false}) {
        INFO(is_2026);
        const HttpServer server([&](Connection& connection, const Got& got) {
            if (got.method() == "tools/call") {
                begin_stream(connection);
                connection.wait_for_end();
            } else if (is_2026) {
                answers_2026(connection, got);
            } else {
                answers_2025(connection, got);
            }
        });
        const mcp::Client client = server.client();
        static_cast<void>(client.list_tools());
        CHECK(thrown<acta::Timeout>([&] {
                  static_cast<void>(
                      client.call_tool("t", {}, {.until = {.deadline = acta::deadline_in(milliseconds(100))}}));
              }) == "the server 'sea' did not answer tools/call in time");
        CHECK(has(server.log(), "notifications/cancelled") != is_2026);
        acta::stop_source stop;
        acta::jthread soon([&] {
            std::this_thread::sleep_for(milliseconds(100));
            stop.request_stop();
        });
        CHECK_THROWS_AS(client.call_tool("t", {}, {.until = {.stop = stop.get_token()}}), acta::Cancelled);
    }
}

TEST_CASE("a stateless server's stream that breaks is a lost request") {
    std::atomic<int> calls{0};
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (got.method() != "tools/call") {
            answers_2026(connection, got);
            return;
        }
        ++calls;
        connection.send(
            "HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\nContent-Length: 17\r\n\r\n"
            "id: 1\ndata: {}\n\n\n");
    });
    acta::SkillRegistry skills;
    const mcp::Client client = server.client();
    CHECK(has(thrown<mcp::ConnectionError>([&] { static_cast<void>(client.call_tool("t")); }),
              "the server 'sea' did not answer tools/call: its reply ended before that"));
    skills.add(client.tools());
    CHECK(has(acta::to_string(skills.call("t", {})), "The outcome of the call is unknown."));
    CHECK(calls == 2);
    CHECK_FALSE(has(server.log(), "GET"));
}

TEST_CASE("a list is kept as long as its server says") {
    std::string more = R"(, "ttlMs": 60000, "cacheScope": "private")";
    const HttpServer server([&](Connection& connection, const Got& got) {
        answers_2026(connection, got, R"({"tools": [{"name": "t", "inputSchema": {"type": "object"}}])" + more + "}");
    });
    const auto lists = [&](const mcp::ClientOptions& options) {
        const mcp::Client client = server.client(options);
        const std::size_t before = server.got().size();
        for (int i = 0; i < 3; ++i) CHECK(client.list_tools().size() == 1);
        return server.got().size() - before - 1;
    };
    mcp::ClientOptions with_token;
    with_token.token = [] { return std::string("token-of-the-harbour"); };
    CHECK(lists({}) == 1);
    CHECK(lists(with_token) == 3);
    more = R"(, "ttlMs": 60000, "cacheScope": "public")";
    CHECK(lists(with_token) == 1);
    for (const std::string none : {"", R"(, "ttlMs": 0)", R"(, "ttlMs": -5)", R"(, "ttlMs": "soon")"}) {
        more = none;
        CHECK(lists({}) == 3);
    }
    more = R"(, "ttlMs": 1)";
    const mcp::Client client = server.client();
    static_cast<void>(client.list_tools());
    std::this_thread::sleep_for(milliseconds(20));
    const std::size_t before = server.got().size();
    static_cast<void>(client.list_tools());
    CHECK(server.got().size() == before + 1);
}

TEST_CASE("a list ends, whatever its server says") {
    const HttpServer server([](Connection& connection, const Got& got) {
        answers_2026(connection, got, R"({"tools": [], "nextCursor": "again"})");
    });
    CHECK(thrown<mcp::ProtocolError>([&] { static_cast<void>(server.client().list_tools()); }) ==
          "the server 'sea' has a list of more than 1000 pages");
    CHECK(server.got().back().message["params"]["cursor"] == "again");
    const HttpServer many([](Connection& connection, const Got& got) {
        answers_2026(connection, got, R"({"tools": [{"name": "a", "inputSchema": {}}, {"name": "b", "inputSchema": {}},
            {"name": "c", "inputSchema": {}}], "nextCursor": "again"})");
    });
    CHECK(many.client({.max_tools = 5}).list_tools().size() == 5);
}

TEST_CASE("before 2026 a server may ask a person outside of the call's stream") {
    std::mutex mutex;
    std::optional<Json> said;
    const auto answer = [&] {
        const std::lock_guard lock(mutex);
        return said;
    };
    std::atomic<bool> is_called{false};
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (got.line.starts_with("GET")) {
            begin_stream(connection);
            eventually([&] { return is_called.load(); });
            connection.send(event(R"({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", )"
                                  R"("params": {"message": "Who?", "requestedSchema": {"type": "object"}}})"));
            connection.wait_for_end();
        } else if (got.method() == "tools/call") {
            is_called = true;
            begin_stream(connection);
            for (int i = 0; i < 100 && !answer(); ++i) {
                connection.send(": wait\n\n");
                std::this_thread::sleep_for(milliseconds(50));
            }
            connection.send(event(response(got.message["id"], text(answer() ? answer()->at("action") : "none"))));
            connection.wait_for_end();
        } else {
            if (got.message.contains("result")) {
                const std::lock_guard lock(mutex);
                said = got.message["result"];
            }
            answers_2025(connection, got);
        }
    });
    mcp::ClientOptions options;
    options.on_input = [](const mcp::InputRequest&) { return mcp::InputAnswer{mcp::InputAnswer::Action::decline, {}}; };
    const mcp::Client client = server.client(options);
    CHECK(text_of(client.call_tool("t")) == "decline");
}

TEST_CASE("the time in which a person is asked moves the deadline of the request") {
    mcp::AskedTime asked;
    const mcp::Patience patience{.timeout = std::chrono::hours(1), .asked = &asked};
    const mcp::AnswerDeadline deadline(patience);
    const auto before = deadline.end();
    {
        const std::shared_ptr<void> one = asked.asking();
        const std::shared_ptr<void> other = asked.asking();
        std::this_thread::sleep_for(milliseconds(20));
        CHECK(deadline.end() >= before + milliseconds(20));
    }
    const auto after = deadline.end();
    CHECK(after >= before + milliseconds(20));
    std::this_thread::sleep_for(milliseconds(5));
    CHECK(deadline.end() == after);

    // Over HTTP, while the rest of a stream is awaited.
    bool has_moved = false;
    mcp::ClientOptions options{.version = "2025-11-25"};
    options.on_input = [](const mcp::InputRequest&) {
        std::this_thread::sleep_for(milliseconds(20));
        return mcp::InputAnswer{mcp::InputAnswer::Action::decline, {}};
    };
    options.transport = [&](const acta::http::Request& request, const acta::http::Sink& sink) {
        acta::http::Reply reply{.status = 200, .headers = {{"content-type", "text/event-stream"}}};
        if (request.method != "POST") return acta::http::Reply{.status = 405};
        const Json message = acta::parse<Json>(request.body);
        if (!message.contains("id") || !message.contains("method")) return acta::http::Reply{.status = 202};
        if (message["method"] == "tools/call") {
            const auto first = request.deadline;
            reply.body =
                event(R"({"jsonrpc": "2.0", "id": "q", "method": "elicitation/create", "params": {"message": "?"}})");
            sink(reply);
            has_moved = request.deadline >= first + milliseconds(20);
        }
        reply.body = event(response(
            message["id"], message["method"] == "initialize" ? R"({"protocolVersion": "2025-11-25"})" : text("well")));
        sink(reply);
        return reply;
    };
    const mcp::Client client = mcp::Client::over_http("http://localhost:1/", options);
    CHECK(text_of(client.call_tool("t")) == "well");
    CHECK(has_moved);
}

TEST_CASE("changes of a session come on a stream of their own, if there is one") {
    std::atomic<bool> has_stream{true};
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (got.line.starts_with("GET") && has_stream) {
            begin_stream(connection);
            connection.send(event(R"({"jsonrpc": "2.0", "method": "notifications/tools/list_changed"})"));
            connection.wait_for_end();
        } else {
            answers_2025(connection, got);
        }
    });
    int changes = 0;
    acta::stop_source stop;
    CHECK(server.client().listen({.tools = true},
                                 [&](const mcp::Change&) {
                                     ++changes;
                                     stop.request_stop();
                                 },
                                 {.stop = stop.get_token(), .deadline = acta::deadline_in(seconds(10))}));
    CHECK(changes == 1);
    has_stream = false;
    CHECK_FALSE(server.client().listen({.tools = true}, {}, {.deadline = acta::deadline_in(seconds(10))}));
}

TEST_CASE("a stream that ends at once again and again is asked for less often") {
    std::mutex mutex;
    std::vector<std::chrono::steady_clock::time_point> asked;
    acta::stop_source stop;
    const HttpServer server([&](Connection& connection, const Got& got) {
        if (!got.line.starts_with("GET")) {
            answers_2025(connection, got);
            return;
        }
        begin_stream(connection);
        connection.send("retry: 0\nid: 1\ndata:\n\n");
        const std::lock_guard lock(mutex);
        asked.push_back(std::chrono::steady_clock::now());
        if (asked.size() == 6) stop.request_stop();
    });
    static_cast<void>(server.client().listen({.tools = true}, {}, {.stop = stop.get_token()}));
    const std::lock_guard lock(mutex);
    REQUIRE(asked.size() >= 6);
    CHECK(asked[5] - asked[0] >= milliseconds(10 + 20 + 40 + 80 + 160));
}
