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

#include "acta/base/sha256.hpp"
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
    CHECK(has(peer.ask("tools/list", R"({"cursor": "1"})"), R"("tools":[{"name":"greet")"));
    CHECK(peer.ask("tools/list", R"({"cursor": "4"})") == R"({"result":{"tools":[]}})");
    for (const std::string cursor : {R"("")", R"("0")", R"("-1")", R"("5")", R"("x")", "3", "{}"})
        CHECK(peer.ask("tools/list", R"({"cursor": )" + cursor + "}") ==
              R"({"error":{"code":-32602,"message":"Unknown cursor"}})");
}

TEST_CASE("a page has one member at least") {
    const mcp::Server server = harbour({.page_size = 0});
    Peer peer(server);
    peer.begin();
    CHECK(has(peer.ask("tools/list"), R"("nextCursor":"1")"));
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
}

TEST_CASE("a form of a URI is matched as a whole, and read from its start") {
    const mcp::ReadResource shown = [](const std::string& uri, const JsonObject& variables, mcp::ServerContext&) {
        return std::vector<mcp::ResourceContents>{{uri, acta::dump(variables), {}, {}}};
    };
    struct Row {
        std::string form;
        std::vector<std::pair<std::string, std::string>> matched;
        std::vector<std::string> others;
    };
    const std::vector<Row> rows{
        {"x:a", {{"x:a", "{}"}}, {"x:", "x:ab", "y:a", ""}},
        {"x:{a}", {{"x:b", R"({"a":"b"})"}, {"x:b:c", R"({"a":"b:c"})"}}, {"x:", "x:b/", "x:/b", "x:b/c", "x"}},
        {"{a}", {{"b", R"({"a":"b"})"}}, {"", "b/c"}},
        {"x:{a}/{b_1}", {{"x:c/d", R"({"a":"c","b_1":"d"})"}}, {"x:c", "x:c/", "x:/d", "x:c/d/e", "x:c/d/"}},
        {"x:{a}-{b}.txt",
         {{"x:c-d.txt", R"({"a":"c","b":"d"})"}, {"x:c-d-e.txt", R"({"a":"c","b":"d-e"})"}},
         {"x:c-d.txt.txt", "x:c-.txt", "x:-d.txt", "x:c-d", "x:c/e-d.txt", "x:c-d/e.txt"}},
        {"x:{+a}", {{"x:b/c", R"({"a":"b/c"})"}, {"x:/", R"({"a":"/"})"}}, {"x:"}},
        {"x:{+a}/{b}", {{"x:c/d/e", R"({"a":"c/d","b":"e"})"}}, {"x:c", "x:c/d/", "x:/e"}},
        {"x:{+a}.txt", {{"x:b/c.txt", R"({"a":"b/c"})"}, {"x:b.txt.txt", R"({"a":"b.txt"})"}}, {"x:.txt", "x:b"}},
        {"x:{a}{+b}", {{"x:c/d", R"({"a":"c","b":"/d"})"}}, {"x:c", "x:/d"}},
    };
    for (const Row& row : rows) {
        mcp::Server server;
        server.add_resource_template({.uri_template = row.form}, shown);
        Peer peer(server);
        peer.begin();
        const auto read = [&](const std::string& uri) {
            const Json out = acta::parse<Json>(peer.ask("resources/read", R"({"uri": ")" + uri + "\"}"));
            return out.contains("result") ? out["result"]["contents"][0]["text"].get<std::string>() : "none";
        };
        for (const auto& [uri, variables] : row.matched) {
            INFO(row.form << " " << uri);
            CHECK(read(uri) == variables);
        }
        for (const std::string& uri : row.others) {
            INFO(row.form << " " << uri);
            CHECK(read(uri) == "none");
        }
    }
    mcp::Server other;
    for (const auto& [form, wrong] : std::vector<std::pair<std::string, std::string>>{{"a{b", "{b"},
                                                                                      {"a{}", "{}"},
                                                                                      {"a{+}c", "{+}"},
                                                                                      {"{a}/{b,c}/d", "{b,c}"},
                                                                                      {"a{?b}c", "{?b}"},
                                                                                      {"a{b*}", "{b*}"},
                                                                                      {"a{b c}", "{b c}"},
                                                                                      {"a{++b}", "{++b}"}})
        CHECK(thrown<mcp::Error>([&, &form = form] { other.add_resource_template({.uri_template = form}, shown); }) ==
              "a template of URIs has an expression that is not {name} or {+name}: " + wrong);
}

TEST_CASE("a server offers what it has") {
    const mcp::ReadResource none = [](const std::string&, const JsonObject&, mcp::ServerContext&) {
        return std::vector<mcp::ResourceContents>();
    };
    const std::vector<std::string> all{"resources/list",      "resources/templates/list", "resources/read",
                                       "resources/subscribe", "resources/unsubscribe",    "prompts/list",
                                       "prompts/get",         "completion/complete"};
    const auto offered = [&](const std::function<void(mcp::Server&)>& add) {
        mcp::Server server;
        add(server);
        Peer peer(server);
        const Json begun = acta::parse<Json>(peer.ask("initialize", R"({"protocolVersion": "2025-11-25"})"));
        std::string out;
        for (const auto& [name, value] : begun["result"]["capabilities"].get_ref<const Json::object_t&>())
            out += name + " ";
        CHECK(acta::parse<Json>(peer.ask_2026("server/discover"))["result"]["capabilities"] ==
              begun["result"]["capabilities"]);
        for (const std::string& method : all)
            if (!has(peer.ask(method), "-32601")) out += "+";
        return out;
    };
    CHECK(offered([](mcp::Server&) {}) == "tools logging ");
    CHECK(offered([&](mcp::Server& of) { of.add_resource({.uri = "a:b"}, none); }) == "tools logging resources +++++");
    CHECK(offered([&](mcp::Server& of) { of.add_resource_template({.uri_template = "a:{b}"}, none); }) ==
          "tools logging resources +++++");
    CHECK(offered([](mcp::Server& of) { of.add_prompt({.name = "p"}, {}); }) == "tools logging prompts ++");
    CHECK(offered([](mcp::Server& of) {
              of.set_completion([](const mcp::CompletionRequest&) { return mcp::Completion(); });
          }) == "tools logging completions +");
}

TEST_CASE("what is added once more replaces what was there") {
    mcp::Server server = harbour();
    const auto read = [&](const std::string& uri, const JsonObject&, mcp::ServerContext&) {
        return std::vector<mcp::ResourceContents>{{uri, "new", {}, {}}};
    };
    server.add_resource({.uri = "file:///a", .name = "b"}, read);
    server.add_prompt({.name = "greet"}, [](const JsonObject&, mcp::ServerContext&) { return mcp::PromptResult(); });
    Peer peer(server);
    peer.begin();
    CHECK(has(peer.ask("resources/list"), R"([{"uri":"file:///none","name":"none"},{"uri":"file:///a","name":"b"}])"));
    CHECK(has(peer.ask("resources/read", R"({"uri": "file:///a"})"), R"("text":"new")"));
    CHECK(has(peer.ask("prompts/list"), R"("prompts":[{"name":"greet"}])"));
    CHECK(has(peer.ask("prompts/get", R"({"name": "greet"})"), R"("messages":[])"));
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
    CHECK(has(peer.ask("prompts/get", R"({"name": "greet", "arguments": {"who": "Ada", "how": 7}})"),
              "The argument 'how' must be a text"));
    CHECK(has(peer.ask("prompts/get", R"({"name": "greet", "arguments": {"who": "Ada", "how": "", "other": 7}})"),
              "Greet Ada"));
    CHECK(has(peer.ask("prompts/get", R"({"name": "sing"})"), "Unknown prompt: sing"));
    // Names that are not known are shown in part.
    const std::string part(200, 'y');
    const std::string name = R"({"name": ")" + part + "yy\"}";
    CHECK(has(peer.ask("prompts/get", name), "Unknown prompt: " + part + "\""));
    CHECK(has(peer.ask("tools/call", name), "Unknown tool: " + part + "\""));
    CHECK(has(peer.ask(part + "yy"), "Method not found: " + part + "\""));
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
    for (const std::string wrong :
         {R"({"ref": {"type": "ref/prompt"}, "argument": {"name": "who", "value": "A"}})",
          R"({"ref": {"type": "ref/prompt", "name": "greet"}, "argument": {"value": "A"}})",
          R"({"ref": {"type": "ref/prompt", "name": "greet"}})", R"({"argument": {"name": "who", "value": "A"}})"})
        CHECK(has(peer.ask("completion/complete", wrong), "ref and argument must say what is completed"));
    server.set_completion([](const mcp::CompletionRequest&) {
        return mcp::Completion{std::vector<std::string>(102, "v"), 500, false, {}};
    });
    CHECK(has(peer.ask("completion/complete", R"({"ref": {"name": "greet"}, "argument": {"name": "who"}})"),
              R"("total":500,"hasMore":true)"));
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

TEST_CASE("questions are put to a client that can show them, and take answers that fit") {
    struct Row {
        std::string method;
        std::string params;
        std::string capabilities;
        std::string good;  // an answer; empty if the client cannot be asked
        std::vector<std::string> bad;
    };
    const std::string accepted = R"({"action": "accept"})";
    const std::string page = R"({"mode": "url", "message": "Log in", "url": "https://x/"})";
    const std::string need = R"({"message": "?", "requestedSchema": {"required": ["n"]}})";
    const std::vector<Row> rows{
        {"roots/list", "{}", R"({"roots": {}})", R"({"roots": []})", {"{}", R"({"content": 1})", "[]", "null"}},
        {"roots/list", "{}", R"({"sampling": {}, "elicitation": {}})", "", {}},
        {"sampling/createMessage", "{}", R"({"sampling": {}})", R"({"content": {}})", {"{}", R"({"roots": []})", "7"}},
        {"sampling/createMessage", "{}", R"({"roots": {}, "elicitation": {}})", "", {}},
        {"elicitation/create",
         need,
         R"({"elicitation": {}})",
         R"({"action": "accept", "content": {"n": 1}})",
         {accepted, R"({"action": "maybe"})"}},
        {"elicitation/create", need, R"({"elicitation": {"form": {}}})", R"({"action": "decline"})", {}},
        {"elicitation/create", need, R"({"elicitation": {"url": {}}})", "", {}},
        {"elicitation/create", need, R"({"elicitation": 1})", R"({"action": "cancel"})", {}},
        {"elicitation/create", need, R"({"roots": {}, "sampling": {}})", "", {}},
        {"elicitation/create", page, R"({"elicitation": {"url": {}}})", accepted, {"{}"}},
        {"elicitation/create", page, R"({"elicitation": {"form": {}}})", "", {}},
        {"elicitation/create", page, R"({"elicitation": {}})", "", {}},
        {"elicitation/create", R"({"mode": "form", "message": "?"})", R"({"elicitation": {"form": {}}})", accepted, {}},
        {"elicitation/create", R"({"mode": "voice", "message": "?"})", R"({"elicitation": {"form": {}}})", "", {}},
        {"sing", "{}", R"({"roots": {}, "sampling": {}, "elicitation": {}})", "", {}},
    };
    for (const Row& row : rows) {
        INFO(row.method << " " << row.params << " " << row.capabilities);
        mcp::Server server;
        server.add_prompt({.name = "p"}, [&](const JsonObject&, mcp::ServerContext& client) {
            const JsonObject answer = client.ask({"k", row.method, acta::parse<JsonObject>(row.params)});
            return mcp::PromptResult{acta::dump(answer), {}, {}};
        });
        Peer peer(server);
        const auto get = [&](const std::string& more) {
            return peer.ask_2026("prompts/get", R"({"name": "p")" + more + "}", row.capabilities);
        };
        const auto with = [&](const std::string& answer) {
            return get(R"(, "inputResponses": {"k": )" + answer + "}");
        };
        if (row.good.empty()) {
            CHECK(has(get(""), row.method == "sing" ? "a client cannot be asked for 'sing'"
                                                    : R"("code":-32021,"message":"the client does not offer )"));
            continue;
        }
        CHECK(has(get(""), R"("resultType":"input_required")"));
        CHECK(acta::parse<Json>(acta::parse<Json>(with(row.good))["result"]["description"].get<std::string>()) ==
              acta::parse<Json>(row.good));
        for (const std::string& wrong : row.bad) {
            INFO(wrong);
            CHECK(has(with(wrong), R"("resultType":"input_required")"));
        }
    }
}

TEST_CASE("several questions are asked at once, those whose answers are known not again") {
    mcp::Server server;
    server.add_prompt({.name = "p"}, [&](const JsonObject&, mcp::ServerContext& client) {
        CHECK(client.client_offers("roots"));
        CHECK_FALSE(client.client_offers("sampling"));
        std::string out;
        for (const JsonObject& one : client.ask_all({{"a", "roots/list", {}}, {"b", "roots/list", {}}}))
            out += acta::dump(one);
        return mcp::PromptResult{out, {}, {}};
    });
    Peer peer(server);
    const auto get = [&](const std::string& more) {
        return acta::parse<Json>(
            peer.ask_2026("prompts/get", R"({"name": "p")" + more + "}", R"({"roots": {}})"))["result"];
    };
    const Json first = get("");
    CHECK(first["inputRequests"].size() == 2);
    const Json second = get(R"(, "inputResponses": {"b": {"roots": [2]}})");
    CHECK(second["inputRequests"].size() == 1);
    CHECK(second["inputRequests"].contains("a"));
    CHECK(get(R"(, "inputResponses": {"a": {"roots": [1]}}, "requestState": )" +
              second["requestState"].dump())["description"] == R"({"roots":[1]}{"roots":[2]})");
    // Before 2026 all are sent before the first answer. The second answer to one counts for nothing.
    std::vector<std::string> ids;
    Peer older(server);
    older.begin("2025-11-25", R"({"roots": {}})");
    older.on_message = [&](const mcp::Message& message) {
        const auto* const asked = std::get_if<mcp::Request>(&message);
        if (asked == nullptr) return;
        ids.push_back(mcp::to_string(asked->id));
        if (ids.size() != 2) return;
        for (const auto& [id, root] : {std::pair(ids[1], 2), std::pair(ids[0], 1), std::pair(ids[0], 3)})
            static_cast<void>(older.send(R"({"jsonrpc": "2.0", "id": )" + id + R"(, "result": {"roots": [)" +
                                         std::to_string(root) + "]}}"));
    };
    CHECK(has(older.ask("prompts/get", R"({"name": "p"})"), R"({\"roots\":[1]}{\"roots\":[2]})"));
}

TEST_CASE("a state is signed with the key of its server") {
    const mcp::Server server = harbour({.state_key = "k"});
    const mcp::Server same = harbour({.state_key = "k"});
    Peer peer(server);
    const std::string can = R"({"elicitation": {}})";
    const Json first = acta::parse<Json>(peer.ask_2026("tools/call", R"({"name": "greet"})", can))["result"];
    const auto state = first["requestState"].get<std::string>();
    CHECK(state.substr(0, 44) == acta::base::base64(acta::base::hmac_sha256("k", state.substr(44))));
    const std::string again = R"({"name": "greet", "requestState": )" + first["requestState"].dump() + "}";
    Peer other(same);
    CHECK(has(other.ask_2026("tools/call", again, can), "input_required"));
    // Before 2026 there is none.
    other.begin("2025-11-25");
    CHECK_FALSE(has(other.ask("tools/call", R"({"name": "greet", "requestState": "x"})"), "requestState"));
}

TEST_CASE("a skill may do without what a client does not offer") {
    acta::SkillRegistry all;
    all.add("greet", "Greets a person.", [](SkillContext& context) {
        try {
            return acta::dump(client_of(context).elicit("k", form("?")));
        } catch (const mcp::MissingCapability& missing) {
            return "without " + missing.capability();
        }
    });
    Peer peer(mcp::Server{all});
    CHECK(
        has(peer.ask_2026("tools/call", R"({"name": "greet"})"), R"("text":"without elicitation"}],"isError":false)"));
}

TEST_CASE("a state counts until its time is over") {
    const mcp::Server server = harbour({.state_key = "k", .state_lifetime = seconds(0)});
    Peer peer(server);
    const auto call = [&](const std::string& more) {
        return peer.ask_2026("tools/call", R"({"name": "greet")" + more + "}", R"({"elicitation": {}})");
    };
    CHECK(mcp_tests::eventually([&] {  // unless a second ends between both
        const Json state = acta::parse<Json>(call(""))["result"]["requestState"];
        return has(call(R"(, "requestState": )" + state.dump()), "input_required");
    }));
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

TEST_CASE("progress is written as the numbers that it is") {
    mcp::Server server;
    std::vector<acta::SkillProgress> reports;
    server.add_prompt({.name = "p"}, [&](const JsonObject&, mcp::ServerContext& client) {
        for (const acta::SkillProgress& one : reports) client.report_progress(one);
        return mcp::PromptResult();
    });
    Peer peer(server);
    const auto written = [&](std::vector<acta::SkillProgress> all) {
        reports = std::move(all);
        std::string out = peer.ask_2026("prompts/get", R"({"name": "p"})", "{}", R"(, "progressToken": 0)");
        std::string parts;
        for (const std::string start = R"("progressToken":0,)"; out.find(start) != std::string::npos;) {
            out.erase(0, out.find(start) + start.size());
            parts += out.substr(0, out.find('}')) + ";";
        }
        return parts;
    };
    CHECK(written({{.done = 0}, {.done = 0}, {.done = 0.5, .total = 1.5, .message = "m"}}) ==
          R"("progress":0;"progress":0.5,"total":1.5,"message":"m";)");
    CHECK(written({{.done = -1e300}, {.done = -9e15}, {.done = 9e15}, {.done = 1e300}}) ==
          R"("progress":-1e+300;"progress":-9000000000000000;"progress":9000000000000000;"progress":1e+300;)");
}

TEST_CASE("a report is sent from its level on") {
    const std::vector<std::string> levels{"debug", "info",     "notice", "warning",
                                          "error", "critical", "alert",  "emergency"};
    mcp::Server server;
    server.add_prompt({.name = "p"}, [&](const JsonObject&, mcp::ServerContext& client) {
        for (const std::string& one : levels) client.log({.level = one, .data = 1});
        client.log({.level = "loud", .data = 1});
        return mcp::PromptResult();
    });
    Peer peer(server);
    Peer session(server);
    session.begin();
    const auto count = [](const std::string& text) {
        std::size_t out = 0;
        for (std::size_t at = text.find("notifications/message"); at != std::string::npos;
             at = text.find("notifications/message", at + 1))
            ++out;
        return out;
    };
    const std::string get = R"({"name": "p"})";
    for (std::size_t i = 0; i < levels.size(); ++i) {
        INFO(levels[i]);
        CHECK(count(peer.ask_2026("prompts/get", get, "{}", ", \"" + io + "logLevel\": \"" + levels[i] + "\"")) ==
              levels.size() - i);
        CHECK(session.ask("logging/setLevel", R"({"level": ")" + levels[i] + "\"}") == R"({"result":{}})");
        CHECK(count(session.ask("prompts/get", get)) == levels.size() - i);
    }
    CHECK(count(peer.ask_2026("prompts/get", get)) == 0);
    CHECK(count(peer.ask_2026("prompts/get", get, "{}", ", \"" + io + "logLevel\": \"loud\"")) == 0);
}

TEST_CASE("what may be kept says for how long") {
    const mcp::Server server = harbour({.list_lifetime = milliseconds(1500)});
    Peer peer(server);
    for (const std::string method :
         {"server/discover", "tools/list", "prompts/list", "resources/list", "resources/templates/list"})
        CHECK(has(peer.ask_2026(method), R"("ttlMs":1500,"cacheScope":"private")"));
    CHECK(has(peer.ask_2026("resources/read", R"({"uri": "file:///a"})"), R"("ttlMs":1500)"));
    CHECK_FALSE(has(peer.ask_2026("tools/call", R"({"name": "add", "arguments": {"a": 1, "b": 2}})"), "ttlMs"));
    CHECK_FALSE(has(peer.ask_2026("prompts/get", R"({"name": "greet", "arguments": {"who": "Ada"}})"), "ttlMs"));
    peer.begin();
    CHECK_FALSE(has(peer.ask("tools/list"), "ttlMs"));
}

TEST_CASE("a request is cancelled by its id alone") {
    acta::SkillRegistry all;
    acta::stop_token stop;
    std::atomic<bool> is_running{false};
    all.add("wait", "Waits.", [&](SkillContext& context) {
        stop = context.stop_token();
        is_running = true;
        while (!context.should_stop()) std::this_thread::sleep_for(milliseconds(2));
        return "stopped";
    });
    const mcp::Server server(all);
    Peer peer(server);
    peer.begin();
    const acta::jthread call([&] { peer.ask("tools/call", R"({"name": "wait"})"); });
    CHECK(mcp_tests::eventually([&] { return is_running.load(); }));
    const auto notify = [&](const std::string& method, const std::string& params) {
        CHECK(peer.send(R"({"jsonrpc": "2.0", "method": ")" + method + R"(", "params": )" + params + "}").empty());
    };
    for (const std::string params :
         {"{}", R"({"requestId": "1"})", R"({"requestId": 2})", R"({"requestId": null})", R"({"progressToken": 1})"})
        notify("notifications/cancelled", params);
    for (const std::string method : {"notifications/progress", "notifications/initialized", "cancelled"})
        notify(method, R"({"requestId": 1})");
    CHECK_FALSE(stop.stop_requested());
    notify("notifications/cancelled", R"({"requestId": 1.0})");
    CHECK(stop.stop_requested());
}

TEST_CASE("a session that is closed takes no message") {
    const mcp::Server server = harbour();
    mcp::ServerSession session(server);
    const auto answers = [&] {
        int out = 0;
        session.handle(mcp::Request{1, "ping", {}}, [&](const mcp::Message&) { ++out; });
        return out;
    };
    CHECK(answers() == 1);
    session.close();
    CHECK(answers() == 0);
    session.close();
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
    below_at_above(1000, [](std::size_t count) {
        const mcp::Server server = harbour();
        Peer peer(server);
        acta::stop_source stop;
        std::string granted;
        peer.on_message = [&](const mcp::Message& message) {
            granted = mcp::to_text(message);
            stop.request_stop();
        };
        std::string uris = R"(7, null, "u:0")";
        for (std::size_t i = 1; i < count; ++i) uris += R"(, "u:)" + std::to_string(i) + '"';
        static_cast<void>(peer.send(R"({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
            "notifications": {"resourceSubscriptions": [)" +
                                        uris + R"(]}, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities": {}}}})",
                                    stop.get_token()));
        CHECK(has(granted, R"(["u:0","u:1")"));
        return has(granted, "\"u:" + std::to_string(count - 1) + "\"]");
    });
}

TEST_CASE("a client hears of what there is alone") {
    const auto granted = [](const mcp::Server& server, const std::string& asked) {
        Peer peer(server);
        acta::stop_source stop;
        std::string out;
        peer.on_message = [&](const mcp::Message& message) {
            const auto* const notification = std::get_if<mcp::Notification>(&message);
            if (notification != nullptr) out = acta::dump(notification->params.at("notifications"));
            stop.request_stop();
        };
        static_cast<void>(peer.send(R"({"jsonrpc": "2.0", "id": 1, "method": "subscriptions/listen", "params": {
            "notifications": )" + asked +
                                        R"(, "_meta": {"io.modelcontextprotocol/protocolVersion": "2026-07-28",
                      "io.modelcontextprotocol/clientCapabilities": {}}}})",
                                    stop.get_token()));
        return out;
    };
    const std::string all = R"({"toolsListChanged":true,"promptsListChanged":true,"resourcesListChanged":true,)"
                            R"("resourceSubscriptions":["a:b"]})";
    CHECK(granted(harbour(), all) == all);
    CHECK(granted(mcp::Server(), all) == R"({"toolsListChanged":true})");
    CHECK(granted(harbour(), R"({"toolsListChanged": false, "promptsListChanged": null, "resourcesListChanged": 1,
                                 "resourceSubscriptions": "a:b"})") == "{}");
    mcp::Server forms;
    forms.add_resource_template({.uri_template = "a:{b}"}, {});
    CHECK(granted(forms, all) ==
          R"({"toolsListChanged":true,"resourcesListChanged":true,"resourceSubscriptions":["a:b"]})");
}

TEST_CASE("a function that is called otherwise has no client") {
    CHECK(mcp::ServerContext::of(SkillContext()) == nullptr);
}
