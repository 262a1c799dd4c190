// SPDX-License-Identifier: MIT
#include "acta/mcp/server.hpp"

#include <atomic>
#include <chrono>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/json_rpc.hpp"
#include "mcp/common.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;
using acta::SkillContext;
using mcp_tests::has;
using mcp_tests::thrown;
using std::chrono::milliseconds;
using std::chrono::seconds;

const std::string io = "io.modelcontextprotocol/";

/// A client that writes its messages by itself.
class Peer {
public:
    explicit Peer(const mcp::Server& server)
        : session_(server, [this](const mcp::Message& message) { note(message, pushed_); }) {}

    /// What is sent because of a message, a line each.
    std::string send(const std::string& text, const acta::stop_token& stop = {}) {
        std::vector<std::string> sent;
        session_.handle(
            mcp::parse_message(text), [&](const mcp::Message& message) { note(message, sent); }, stop);
        return joined(sent);
    }
    /// The response to a request of 2025, without what every message has.
    std::string ask(const std::string& method, const std::string& params = "{}") {
        return send(R"({"jsonrpc": "2.0", "id": 1, "method": ")" + method + R"(", "params": )" + params + "}");
    }
    /// The same for one of 2026.
    std::string ask_2026(const std::string& method, const std::string& params = "{}",
                         const std::string& capabilities = "{}", const std::string& meta = "") {
        Json all = acta::parse<Json>(params);
        all["_meta"] = acta::parse<Json>("{\"" + io + "protocolVersion\": \"2026-07-28\", \"" + io +
                                         "clientCapabilities\": " + capabilities + meta + "}");
        return ask(method, acta::dump(all));
    }
    void begin(const std::string& version = "2025-11-25", const std::string& capabilities = "{}") {
        static_cast<void>(
            ask("initialize", R"({"protocolVersion": ")" + version + R"(", "capabilities": )" + capabilities + "}"));
    }
    [[nodiscard]] std::string pushed() const {
        const std::lock_guard lock(mutex_);
        return joined(pushed_);
    }
    std::function<void(const mcp::Message&)> on_message{};

private:
    static std::string joined(const std::vector<std::string>& all) {
        std::string out;
        for (const std::string& one : all) out += (out.empty() ? "" : "\n") + one;
        return out;
    }
    void note(const mcp::Message& message, std::vector<std::string>& to) {
        if (on_message) on_message(message);
        std::string text = mcp::to_text(message);
        for (const std::string& part :
             {std::string(R"("jsonrpc":"2.0",)"), std::string(R"("id":1,)"),
              std::string(R"(,"_meta":{"io.modelcontextprotocol/serverInfo":{"name":"harbour","version":"1.2"}})"),
              std::string(R"("resultType":"complete",)"), std::string(R"(,"resultType":"complete")")})
            if (const std::size_t at = text.find(part); at != std::string::npos) text.erase(at, part.size());
        const std::lock_guard lock(mutex_);
        to.push_back(text);
    }

    mutable std::mutex mutex_{};
    std::vector<std::string> pushed_{};
    mcp::ServerSession session_;
};

mcp::ServerContext& client_of(const SkillContext& context) { return *mcp::ServerContext::of(context); }
mcp::InputRequest form(const std::string& message) {
    return {.message = message,
            .requested_schema = acta::parse<JsonObject>(
                R"({"type": "object", "properties": {"name": {"type": "string"}}, "required": ["name"]})")};
}

acta::SkillRegistry skills() {
    acta::SkillRegistry out;
    out.add(
        "add", "Adds two numbers.", {.read_only = true}, [](int a, int b) { return a + b; }, "a", "b");
    out.add("greet", "Greets a person.", [](SkillContext& context) {
        const mcp::InputAnswer first = client_of(context).elicit("first", form("First name?"));
        const mcp::InputAnswer last = client_of(context).elicit("last", form("Last name?"));
        return acta::dump(first) + acta::dump(last);
    });
    out.add("wait", "Waits for the end.", [](SkillContext& context) {
        context.report_progress({.done = 1});  // it has begun
        while (!context.should_stop()) std::this_thread::sleep_for(milliseconds(5));
        return "stopped";
    });
    out.add("work", "Reports its progress.", [](SkillContext& context) {
        for (const double done : {1.0, 2.5, 2.0, 4.0}) context.report_progress({.done = done, .total = 4});
        for (const char* const level : {"debug", "info", "error"})
            client_of(context).log({.level = level, .logger = "l", .data = 1});
        return "done";
    });
    return out;
}

mcp::Server harbour(mcp::ServerOptions options = {}) {
    options.name = "harbour";
    options.version = "1.2";
    mcp::Server out(skills(), std::move(options));
    out.add_resource({.uri = "file:///a", .name = "a"},
                     [](const std::string& uri, const JsonObject&, mcp::ServerContext&) {
                         return std::vector<mcp::ResourceContents>{{uri, "abc", {}, {}}};
                     });
    out.add_resource({.uri = "file:///none", .name = "none"},
                     [](const std::string&, const JsonObject&, mcp::ServerContext&) {
                         return std::vector<mcp::ResourceContents>();
                     });
    out.add_resource_template({.uri_template = "file:///{port}/tides/{+rest}", .name = "tides"},
                              [](const std::string& uri, const JsonObject& variables, mcp::ServerContext&) {
                                  return std::vector<mcp::ResourceContents>{{uri, acta::dump(variables), {}, {}}};
                              });
    out.add_prompt({.name = "greet", .arguments = {{.name = "who", .required = true}, {.name = "how"}}},
                   [](const JsonObject& given, mcp::ServerContext& client) {
                       std::string who = given.at("who").get<std::string>();
                       if (who == "ask") who = acta::dump(client.elicit("who", form("Who?")));
                       return mcp::PromptResult{"", {{"user", mcp::TextContent{"Greet " + who, {}}}}, {}};
                   });
    return out;
}

}  // namespace

TEST_CASE("a server says what it is, in the way of either era") {
    const mcp::Server server = harbour({.instructions = "Be brief."});
    Peer peer(server);
    const std::string capabilities =
        R"("capabilities":{"tools":{"listChanged":true},"logging":{},"prompts":{"listChanged":true},)"
        R"("resources":{"subscribe":true,"listChanged":true}})";
    CHECK(peer.ask_2026("server/discover") == R"({"result":{"supportedVersions":["2026-07-28"],)" + capabilities +
                                                  R"(,"instructions":"Be brief.","ttlMs":0,"cacheScope":"private"}})");
    for (const std::string version : {"2025-11-25", "2025-06-18", "2025-03-26", "2024-11-05"})
        CHECK(Peer(server).ask("initialize", R"({"protocolVersion": ")" + version + "\"}") ==
              R"({"result":{"protocolVersion":")" + version + "\"," + capabilities +
                  R"(,"serverInfo":{"name":"harbour","version":"1.2"},"instructions":"Be brief."}})");
    for (const std::string version : {R"("2026-07-28")", R"("1900-01-01")", "7", "null"})
        CHECK(has(Peer(server).ask("initialize", R"({"protocolVersion": )" + version + "}"),
                  R"("protocolVersion":"2025-11-25")"));
    const mcp::Server bare(acta::SkillRegistry{}, {.name = "harbour", .version = "1.2"});
    CHECK(has(Peer(bare).ask_2026("server/discover"),
              R"("capabilities":{"tools":{"listChanged":true},"logging":{}},"ttlMs")"));
}

TEST_CASE("a request without what its era wants is refused") {
    const mcp::Server server = harbour();
    Peer peer(server);
    const std::string version = "\"" + io + "protocolVersion\": \"2026-07-28\"";
    const std::string capabilities = "\"" + io + "clientCapabilities\": {}";
    const auto with = [&](const std::string& method, const std::string& meta) {
        return peer.ask(method, "{\"_meta\": {" + meta + "}}");
    };
    CHECK(with("server/discover", "") ==
          R"({"error":{"code":-32602,"message":"_meta must have )" + io + R"(protocolVersion, which is a text"}})");
    CHECK(with("tools/list", version) == R"({"error":{"code":-32602,"message":"_meta must have )" + io +
                                             R"(clientCapabilities, which is an object"}})");
    CHECK(has(with("tools/list", version + ", \"" + io + "clientCapabilities\": 1"), "-32602"));
    CHECK(has(with("tools/list", "\"" + io + "protocolVersion\": 7, " + capabilities), "-32602"));
    CHECK(with("tools/list", "\"" + io + "protocolVersion\": \"v9\", " + capabilities) ==
          R"({"error":{"code":-32022,"message":"Unsupported protocol version","data":{"supported":["2026-07-28"],)"
          R"("requested":"v9"}}})");
    CHECK(with("tools/list", "") == R"({"error":{"code":-32602,"message":"A session begins with initialize; without )"
                                    R"(one, _meta must have )" +
                                        io + R"(protocolVersion"}})");
    CHECK(peer.ask("ping") == R"({"result":{}})");
    for (const std::string method : {"initialize", "ping", "logging/setLevel", "resources/subscribe",
                                     "resources/unsubscribe", "completion/complete", "sail"})
        CHECK(peer.ask_2026(method) == R"({"error":{"code":-32601,"message":"Method not found: )" + method + "\"}}");
    peer.begin();
    for (const std::string method : {"server/discover", "subscriptions/listen"}) CHECK(has(peer.ask(method), "-32602"));
    CHECK(has(peer.ask("sail"), "-32601"));
}

TEST_CASE("skills are tools") {
    const mcp::Server server = harbour();
    Peer peer(server);
    peer.begin();
    const std::string listed = peer.ask("tools/list");
    CHECK(has(listed, R"({"result":{"tools":[{"name":"add","description":"Adds two numbers.","inputSchema":{)"));
    CHECK(has(listed, R"("annotations":{"readOnlyHint":true},"outputSchema":{"type":"object","properties":{"result":)"
                      R"({"type":"integer"}},"required":["result"]}})"));
    const std::string stateless = peer.ask_2026("tools/list");
    CHECK(has(stateless, R"("annotations":{"readOnlyHint":true},"outputSchema":{"type":"integer"}})"));
    CHECK(has(stateless, R"("ttlMs":0,"cacheScope":"private")"));
    CHECK(listed.find("outputSchema", listed.find("outputSchema") + 1) == std::string::npos);  // others return texts
    CHECK(peer.ask("tools/call", R"({"name": "add", "arguments": {"a": 1, "b": 2}})") ==
          R"({"result":{"content":[{"type":"text","text":"3"}],"structuredContent":{"result":3},"isError":false}})");
    CHECK(peer.ask_2026("tools/call", R"({"name": "add", "arguments": {"a": 1, "b": 2}})") ==
          R"({"result":{"content":[{"type":"text","text":"3"}],"structuredContent":3,"isError":false}})");
    CHECK(has(peer.ask("tools/call", R"({"name": "add", "arguments": {"a": 1}})"),
              R"("text":"the arguments of add do not fit: b: Field required"}],"isError":true)"));
    CHECK(has(peer.ask("tools/call", R"({"name": "add"})"), R"("isError":true)"));
    CHECK(peer.ask("tools/call", R"({"name": "sail"})") ==
          R"({"error":{"code":-32602,"message":"Unknown tool: sail"}})");
    CHECK(has(peer.ask("tools/call"), "-32602"));
}

TEST_CASE("lists have pages") {
    const mcp::Server server = harbour({.page_size = 3});
    Peer peer(server);
    peer.begin();
    const std::string first = peer.ask("tools/list");
    CHECK(has(first, R"("nextCursor":"3")"));
    const std::string second = peer.ask("tools/list", R"({"cursor": "3"})");
    CHECK(has(second, R"("name":"work")"));
    CHECK_FALSE(has(second, "nextCursor"));
    CHECK(has(peer.ask("tools/list", R"({"cursor": null})"), R"("name":"add")"));
    for (const std::string cursor : {R"("")", R"("0")", R"("-1")", R"("5")", R"("x")", "3", "{}"})
        CHECK(peer.ask("tools/list", R"({"cursor": )" + cursor + "}") ==
              R"({"error":{"code":-32602,"message":"Unknown cursor"}})");
}

TEST_CASE("an answer has as many members of a list as it may") {
    below_at_above("members of a list in one answer of a server of MCP", 5, [](std::size_t count) {
        acta::SkillRegistry many;
        for (std::size_t i = 0; i < count; ++i) many.add("t" + std::to_string(i), "Does nothing.", [] { return 0; });
        const mcp::Server server(many, {.page_size = 5});
        Peer peer(server);
        peer.begin();
        return !has(peer.ask("tools/list"), "nextCursor");
    });
}

TEST_CASE("a completion has as many values as it may") {
    below_at_above("values of a completion of a server of MCP", 100, [](std::size_t count) {
        mcp::Server server = harbour();
        server.set_completion([&](const mcp::CompletionRequest&) {
            return mcp::Completion{std::vector<std::string>(count, "v"), {}, false, {}};
        });
        Peer peer(server);
        peer.begin();
        return !has(peer.ask("completion/complete", R"({"ref": {"type": "ref/resource", "uri": "u"},
                        "argument": {"name": "who", "value": ""}})"),
                    R"("hasMore":true)");
    });
}

TEST_CASE("resources are read by their URI, or by a form of it") {
    const mcp::Server server = harbour();
    Peer peer(server);
    peer.begin();
    CHECK(has(peer.ask("resources/list"), R"("resources":[{"uri":"file:///a","name":"a"},{"uri":"file:///none")"));
    CHECK(has(peer.ask("resources/templates/list"), R"("uriTemplate":"file:///{port}/tides/{+rest}")"));
    const auto read = [&](const std::string& uri) { return peer.ask("resources/read", R"({"uri": ")" + uri + "\"}"); };
    CHECK(read("file:///a") == R"({"result":{"contents":[{"uri":"file:///a","text":"abc"}]}})");
    CHECK(has(read("file:///brest/tides/2026/08"), R"({\"port\":\"brest\",\"rest\":\"2026/08\"})"));
    for (const std::string uri :
         {"file:///b", "file:///none", "file:///x/y/tides/1", "file:////tides/1", "file:///brest/tides/", ""})
        CHECK(read(uri) == R"({"error":{"code":-32002,"message":"Resource not found","data":{"uri":")" + uri + "\"}}}");
    CHECK(has(peer.ask_2026("resources/read", R"({"uri": "file:///b"})"), R"("code":-32602)"));
    mcp::Server other;
    const mcp::ReadResource none = [](const std::string&, const JsonObject&, mcp::ServerContext&) {
        return std::vector<mcp::ResourceContents>();
    };
    for (const std::string wrong : {"a{b", "a{}", "a{b,c}", "a{?b}", "a{b*}"})
        CHECK(has(thrown<mcp::Error>([&] { other.add_resource_template({.uri_template = wrong}, none); }),
                  "an expression that is not {name} or {+name}"));
}

TEST_CASE("prompts are made of texts") {
    const mcp::Server server = harbour();
    Peer peer(server);
    peer.begin();
    CHECK(has(peer.ask("prompts/list"), R"("arguments":[{"name":"who","required":true},{"name":"how")"));
    CHECK(peer.ask("prompts/get", R"({"name": "greet", "arguments": {"who": "Ada"}})") ==
          R"({"result":{"messages":[{"role":"user","content":{"type":"text","text":"Greet Ada"}}]}})");
    CHECK(has(peer.ask("prompts/get", R"({"name": "greet"})"), "The prompt needs the argument 'who'"));
    CHECK(has(peer.ask("prompts/get", R"({"name": "greet", "arguments": {"who": 7}})"),
              "The argument 'who' must be a text"));
    CHECK(has(peer.ask("prompts/get", R"({"name": "sing"})"), "Unknown prompt: sing"));
}

TEST_CASE("arguments are completed, at most a hundred") {
    mcp::Server server = harbour();
    server.set_completion([](const mcp::CompletionRequest& request) {
        mcp::Completion out;
        out.values.assign(request.value == "many" ? 101 : 1, request.prompt + request.uri_template + "/" +
                                                                 request.argument + "=" + request.value +
                                                                 acta::dump(request.context));
        return out;
    });
    Peer peer(server);
    peer.begin();
    CHECK(peer.ask("completion/complete", R"({"ref": {"type": "ref/prompt", "name": "greet"},
        "argument": {"name": "who", "value": "A"}, "context": {"arguments": {"how": "h"}}})") ==
          R"({"result":{"completion":{"values":["greet/who=A{\"how\":\"h\"}"],"hasMore":false}}})");
    const std::string many = peer.ask("completion/complete", R"({"ref": {"type": "ref/resource", "uri": "u"},
        "argument": {"name": "who", "value": "many"}})");
    CHECK(has(many, R"("total":101,"hasMore":true)"));
    CHECK(has(peer.ask("completion/complete"), "-32602"));
}

TEST_CASE("a client of 2026 answers in a second request, with the state of the first one") {
    const mcp::Server server = harbour();
    Peer peer(server);
    const std::string can = R"({"elicitation": {"form": {}}})";
    const auto call = [&](const std::string& more) {
        return acta::parse<Json>(peer.ask_2026("tools/call", R"({"name": "greet")" + more + "}", can));
    };
    const Json first = call("")["result"];
    CHECK(first["resultType"] == "input_required");
    CHECK(first["inputRequests"]["first"]["params"]["message"] == "First name?");
    CHECK_FALSE(first["inputRequests"].contains("last"));
    const auto responses = [](const std::string& key, const std::string& value) {
        return R"(, "inputResponses": {")" + key + R"(": {"action": "accept", "content": {"name": ")" + value + "\"}}}";
    };
    const auto state = [](const Json& of) { return R"(, "requestState": )" + of["requestState"].dump(); };
    const Json second = call(responses("first", "Ada") + state(first))["result"];
    CHECK(second["inputRequests"].contains("last"));
    CHECK(second["requestState"] != first["requestState"]);
    const Json third = call(responses("last", "Byron") + state(second))["result"];
    CHECK(third["content"][0]["text"].get<std::string>() ==
          R"({"action":"accept","content":{"name":"Ada"}}{"action":"accept","content":{"name":"Byron"}})");
    // Without the state, the answers that came count.
    CHECK(call(responses("first", "Ada"))["result"]["inputRequests"].contains("last"));
    // What does not fit is asked again.
    for (const std::string wrong : {"7", "null", "{}", R"({"action": "yes"})", R"({"action": "accept"})",
                                    R"({"action": "accept", "content": {"name": 7}})"})
        CHECK(call(R"(, "inputResponses": {"other": 1, "first": )" + wrong + "}")["result"]["inputRequests"].contains(
            "first"));
    CHECK(call(R"(, "inputResponses": {"first": {"action": "decline"}})")["result"]["inputRequests"].contains("last"));
    // A state that is not the server's, or of another request.
    const auto code = [&](const Json& answer) { return answer["error"].value("code", 0); };
    Json tampered = first;
    tampered["requestState"] = first["requestState"].get<std::string>() + "-TAMPERED";
    CHECK(code(call(state(tampered))) == -32602);
    std::string flipped = first["requestState"].get<std::string>();
    flipped.back() = ' ';
    tampered["requestState"] = flipped;
    CHECK(code(call(state(tampered))) == -32602);
    for (const std::string wrong : {R"("")", "7", R"("x")"})
        CHECK(code(call(R"(, "requestState": )" + wrong)) == -32602);
    CHECK(code(call(R"(, "arguments": {"a": 1})" + state(first))) == -32602);
    CHECK(code(acta::parse<Json>(peer.ask_2026(
              "prompts/get", R"({"name": "greet", "arguments": {"who": "x"})" + state(first) + "}", can))) == -32602);
    Peer elsewhere(harbour());
    CHECK(has(elsewhere.ask_2026("tools/call", R"({"name": "greet")" + state(first) + "}", can),
              "requestState is not one of this server"));
    const mcp::Server same = harbour({.state_key = "k", .state_lifetime = seconds(-1)});
    Peer late(same);
    const Json old = acta::parse<Json>(late.ask_2026("tools/call", R"({"name": "greet"})", can))["result"];
    CHECK(has(late.ask_2026("tools/call", R"({"name": "greet")" + state(old) + "}", can), "requestState is too old"));
    // Prompts ask in the same way.
    CHECK(has(peer.ask_2026("prompts/get", R"({"name": "greet", "arguments": {"who": "ask"}})", can),
              R"("inputRequests":{"who":)"));
}

TEST_CASE("a client is asked for what it offers alone") {
    const mcp::Server server = harbour();
    Peer peer(server);
    CHECK(peer.ask_2026("tools/call", R"({"name": "greet"})") ==
          R"({"error":{"code":-32021,"message":"the client does not offer elicitation","data":{"requiredCapabilities":)"
          R"({"elicitation":{}}}}})");
    CHECK(has(peer.ask_2026("tools/call", R"({"name": "greet"})", R"({"elicitation": {"url": {}}})"), "-32021"));
    CHECK(has(peer.ask_2026("tools/call", R"({"name": "greet"})", R"({"elicitation": {}})"), "input_required"));
    peer.begin();
    CHECK(has(peer.ask("tools/call", R"({"name": "greet"})"), R"("isError":true)"));
}

TEST_CASE("before 2026 a client is asked while the call waits") {
    const mcp::Server server = harbour({.ask_timeout = seconds(10)});
    Peer peer(server);
    peer.begin("2025-11-25", R"({"elicitation": {}})");
    std::vector<acta::jthread> threads;
    std::string outcome = R"("result": {"action": "accept", "content": {"name": "Ada"}})";
    peer.on_message = [&](const mcp::Message& message) {
        const auto* const request = std::get_if<mcp::Request>(&message);
        if (request == nullptr) return;
        CHECK(request->method == "elicitation/create");
        threads.emplace_back([&peer, id = mcp::to_string(request->id), outcome] {
            static_cast<void>(peer.send(R"({"jsonrpc": "2.0", "id": )" + id + ", " + outcome + "}"));
        });
    };
    CHECK(has(peer.ask("tools/call", R"({"name": "greet"})"), R"({\"name\":\"Ada\"}}{\"action\")"));
    outcome = R"("error": {"code": -1, "message": "busy"})";
    CHECK(has(peer.ask("tools/call", R"({"name": "greet"})"),
              "the client answered elicitation/create with error -1: busy"));
    outcome = R"("result": {"action": "accept", "content": {}})";
    CHECK(has(peer.ask("tools/call", R"({"name": "greet"})"), "with what does not fit the question"));
    const mcp::Server hasty = harbour({.ask_timeout = milliseconds(50)});
    Peer silent(hasty);
    silent.begin("2025-11-25", R"({"elicitation": {}})");
    CHECK(has(silent.ask("tools/call", R"({"name": "greet"})"), "the client did not answer in time"));
}

TEST_CASE("progress and reports reach a client that wants them") {
    const mcp::Server server = harbour();
    Peer peer(server);
    const std::string call = R"({"name": "work"})";
    CHECK(peer.ask_2026("tools/call", call, "{}", R"(, "progressToken": "t")") ==
          R"({"method":"notifications/progress","params":{"progressToken":"t","progress":1,"total":4}})"
          "\n"
          R"({"method":"notifications/progress","params":{"progressToken":"t","progress":2.5,"total":4}})"
          "\n"
          R"({"method":"notifications/progress","params":{"progressToken":"t","progress":4,"total":4}})"
          "\n"
          R"({"result":{"content":[{"type":"text","text":"done"}],"isError":false}})");
    CHECK(peer.ask_2026("tools/call", call) ==
          R"({"result":{"content":[{"type":"text","text":"done"}],"isError":false}})");
    CHECK(has(peer.ask_2026("tools/call", call, "{}", ", \"" + io + "logLevel\": \"warning\""),
              R"({"method":"notifications/message","params":{"level":"error","logger":"l","data":1}})"));
    peer.begin();
    CHECK(has(peer.ask("tools/call", call), R"("level":"debug")"));
    CHECK(peer.ask("logging/setLevel", R"({"level": "info"})") == R"({"result":{}})");
    CHECK(has(peer.ask("logging/setLevel", R"({"level": "loud"})"), "-32602"));
    const std::string reported = peer.ask("tools/call", call);
    CHECK_FALSE(has(reported, R"("level":"debug")"));
    CHECK(has(reported, R"("level":"info")"));
}

TEST_CASE("a request that is cancelled ends, and is not answered") {
    const mcp::Server server = harbour();
    Peer peer(server);
    peer.begin();
    std::string answer = "none";
    std::atomic<int> begun{0};
    peer.on_message = [&](const mcp::Message& message) {
        if (std::holds_alternative<mcp::Notification>(message)) ++begun;
    };
    const std::string token = R"("_meta": {"progressToken": 1})";
    const auto is_only_progress = [&] { return !has(answer, "result") && !has(answer, "error"); };
    {
        acta::jthread call([&] { answer = peer.ask("tools/call", R"({"name": "wait", )" + token + "}"); });
        CHECK(mcp_tests::eventually([&] { return begun == 1; }));
        CHECK(has(peer.ask("ping"), "There is a request of the same id already"));
        static_cast<void>(
            peer.send(R"({"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}})"));
    }
    CHECK(is_only_progress());
    acta::stop_source stop;
    {
        acta::jthread call([&] {
            answer = peer.send(
                R"({"jsonrpc": "2.0", "id": "w", "method": "tools/call", "params": {"name": "wait", )" + token + "}}",
                stop.get_token());
        });
        CHECK(mcp_tests::eventually([&] { return begun == 2; }));
        stop.request_stop();
    }
    CHECK(is_only_progress());
}

TEST_CASE("clients learn of changes that they want to know") {
    mcp::Server server = harbour();
    Peer session(server);
    session.begin();
    static_cast<void>(session.ask("resources/subscribe", R"({"uri": "file:///a"})"));
    Peer listener(server);
    acta::stop_source stop;
    std::atomic<bool> is_acknowledged{false};
    listener.on_message = [&](const mcp::Message& message) {
        if (has(mcp::to_text(message), "acknowledged")) is_acknowledged = true;
    };
    std::string heard;
    acta::jthread listening([&] {
        heard = listener.send(R"({"jsonrpc": "2.0", "id": "l", "method": "subscriptions/listen", "params": {
            "notifications": {"toolsListChanged": true, "resourceSubscriptions": ["file:///b"], "promptsListChanged": 1},
            "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities": {}}}})",
                              stop.get_token());
    });
    CHECK(mcp_tests::eventually([&] { return is_acknowledged.load(); }));
    server.set_skills(skills());
    server.report({mcp::Change::Kind::resource, "file:///a"});
    server.report({mcp::Change::Kind::resource, "file:///b"});
    server.report({mcp::Change::Kind::prompts, ""});
    stop.request_stop();
    listening.join();
    const std::string about = R"("_meta":{"io.modelcontextprotocol/subscriptionId":"l"})";
    CHECK(heard == R"({"method":"notifications/subscriptions/acknowledged","params":{)" + about +
                       R"(,"notifications":{"toolsListChanged":true,"resourceSubscriptions":["file:///b"]}}})"
                       "\n"
                       R"({"method":"notifications/tools/list_changed","params":{)" +
                       about +
                       "}}\n"
                       R"({"method":"notifications/resources/updated","params":{)" +
                       about + R"(,"uri":"file:///b"}})");
    static_cast<void>(session.ask("resources/unsubscribe", R"({"uri": "file:///a"})"));
    server.report({mcp::Change::Kind::resource, "file:///a"});
    CHECK(session.pushed() == R"({"method":"notifications/tools/list_changed"})"
                              "\n"
                              R"({"method":"notifications/resources/updated","params":{"uri":"file:///a"}})"
                              "\n"
                              R"({"method":"notifications/prompts/list_changed"})");
}

TEST_CASE("a client learns of changes of as many resources as it may") {
    below_at_above(
        "resources of whose changes a session, or a request, of a client of MCP learns", 1000, [](std::size_t count) {
            const mcp::Server server = harbour();
            Peer session(server);
            session.begin();
            std::string last;
            for (std::size_t i = 0; i < count; ++i)
                last = session.ask("resources/subscribe", R"({"uri": "file:///)" + std::to_string(i) + "\"}");
            const bool is_granted = last == R"({"result":{}})";
            if (!is_granted) {
                CHECK(has(last, "There are more than 1000 subscriptions"));
                // A second subscription to a resource counts once, and ending it allows another.
                for (const std::string what : {"subscribe", "unsubscribe", "subscribe"})
                    CHECK(session.ask("resources/" + what, R"({"uri": "file:///7"})") == R"({"result":{}})");
            }
            return is_granted;
        });
}

TEST_CASE("a function that is called otherwise has no client") {
    CHECK(mcp::ServerContext::of(SkillContext()) == nullptr);
}
