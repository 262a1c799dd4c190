// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/mcp/http.hpp"
#include "acta/mcp/http_server.hpp"
#include "mcp/common.hpp"
#include "mcp/http_shim.hpp"
#include "mcp/peers.hpp"
#include "support/catch.hpp"
#include "support/npm.hpp"
#include "support/paths.hpp"

// Clients and servers of the protocol's TypeScript SDK, from npm (peers/client.mjs, peers/server.mjs).
namespace {

namespace mcp = acta::mcp;
using acta::Json;
using acta::JsonObject;
using mcp_tests::eventually;
using mcp_tests::has;
using mcp_tests::PeerProcess;
using mcp_tests::text_of;
using mcp_tests::thrown;
using std::chrono::milliseconds;
using std::chrono::seconds;

/// Why the SDK cannot be used.
std::optional<std::string> problem() {
    return npm::problem("mcp_typescript",
                        "@modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0 "
                        "@modelcontextprotocol/node@2.1.2",
                        "20.0");
}

/// The command that runs a script with the SDK.
std::vector<std::string> script(const std::string& name, const std::vector<std::string>& arguments = {}) {
    std::vector<std::string> out{"node", paths::source("tests/mcp/peers/" + name),
                                 npm::folder("mcp_typescript").string()};
    out.insert(out.end(), arguments.begin(), arguments.end());
    return out;
}

// --- A server of the SDK.

mcp::ClientOptions options_of(const std::string& version) {
    mcp::ClientOptions out{.version = version};
    out.on_input = [](const mcp::InputRequest& request) {
        if (request.url == "https://example.org/pay") return mcp::InputAnswer{mcp::InputAnswer::Action::accept};
        CHECK(request.message == "How long?");
        return mcp::InputAnswer{mcp::InputAnswer::Action::accept, {{"metres", 9.5}}};
    };
    return out;
}

bool reports_changes(const mcp::Client& client) {
    std::atomic<int> changes{0};
    acta::stop_source stop;
    const acta::jthread changing([&](const acta::stop_token& until) {
        while (!until.stop_requested()) {
            static_cast<void>(client.call_tool("change"));
            std::this_thread::sleep_for(milliseconds(20));
        }
    });
    const bool listened = client.listen({.tools = true},
                                        [&](const mcp::Change&) {
                                            ++changes;
                                            stop.request_stop();
                                        },
                                        {.stop = stop.get_token(), .deadline = acta::deadline_in(seconds(10))});
    return listened && changes > 0;
}

void use_all(const mcp::Client& client, const std::string& version, bool can_ask = true) {
    INFO(version);
    CHECK(client.server().version == (version.empty() ? "2026-07-28" : version));
    CHECK(client.server().server.name == "typescript");
    CHECK(client.server().instructions == "Heights are in metres.");
    CHECK(client.list_tools().size() == 7);
    const mcp::CallToolResult heights = client.call_tool("heights", {{"port", "Brest"}});
    CHECK_FALSE(heights.is_error);
    CHECK(heights.structured_content == Json{{"heights", {1.1, 6.4, 1.3, 6.2}}});
    const mcp::CallToolResult failed = client.call_tool("heights", {{"port", "Orléans "}});
    CHECK(failed.is_error);
    CHECK(text_of(failed) == "no table for Orléans ");
    CHECK_THROWS_AS(client.call_tool("heights", {{"port", "Brest"}, {"unit", "miles"}}), acta::InvalidArguments);
    CHECK(has(thrown<mcp::RequestError>([&] { static_cast<void>(client.call_tool("sail")); }), "sail"));
    int progress = 0;
    CHECK(text_of(client.call_tool("count", {}, {.on_progress = [&](const acta::SkillProgress&) { ++progress; }})) ==
          "counted");
    CHECK(progress == 3);
    const mcp::CallToolResult booked = client.call_tool("book");
    CHECK(booked.is_error == !can_ask);
    if (can_ask) CHECK(text_of(booked) == "a berth of 9.5 m, flag white");
    if (can_ask && (version.empty() || version == "2025-11-25")) {
        CHECK(text_of(client.call_tool("pay")) == "accept");
    } else {  // which have no such mode
        CHECK(has(text_of(client.call_tool("pay")), "did not declare the required capability"));
    }
    const auto stopped = [&] {
        const Json count = client.call_tool("stopped").structured_content.value();
        return client.server().version == "2026-07-28" ? count : count["result"];
    };
    const Json before = stopped();
    CHECK(before.is_number());
    // A call that is cancelled before the server has begun with it is not counted.
    CHECK(eventually([&] {
        CHECK_THROWS_AS(client.call_tool("wait", {}, {.until = {.deadline = acta::deadline_in(milliseconds(50))}}),
                        acta::Timeout);
        return stopped() != before;
    }));
    CHECK(client.resources().at(0).uri == "harbour://ports");
    CHECK(client.resource_templates().at(0).uri_template == "harbour://ports/{name}");
    CHECK(client.read_resource("harbour://ports").at(0).text == R"(["Brest"])");
    CHECK(client.read_resource("harbour://ports/Brest").at(0).blob == "QnJlc3Q=");
    CHECK_THROWS_AS(client.read_resource("harbour://boats"), mcp::RequestError);
    CHECK(client.prompts().at(0).arguments.at(0).required);
    CHECK(std::get<mcp::TextContent>(client.get_prompt("warn", {{"port", "Brest"}}).messages.at(0).content).text ==
          "Mind the tide in Brest");
    CHECK_THROWS_AS(client.get_prompt("warn"), mcp::RequestError);
    CHECK(client.complete({.prompt = "warn", .argument = "port", .value = "D"}).values ==
          std::vector<std::string>{"Dover"});
    if (can_ask) CHECK(reports_changes(client));
}

// --- A client of the SDK.

JsonObject call(const std::string& tool, const JsonObject& arguments = {}) {
    return {{"do", "callTool"}, {"with", {{"name", tool}, {"arguments", arguments}}}};
}

/// What the client prints, when it makes these requests.
Json answers_of(const std::string& version, const std::string& target, const acta::JsonArray& requests) {
    const PeerProcess::Outcome outcome =
        PeerProcess(script("client.mjs", {version, target, acta::dump(requests)})).outcome();
    INFO(outcome.errors);
    REQUIRE(outcome.code == 0);
    return acta::parse<Json>(outcome.out);
}

/// What came of a request, in words.
std::string words(const Json& answer) {
    if (answer.contains("error")) return "failed: " + acta::dump(answer["error"]["code"]);
    const Json& result = answer["result"];
    if (!result.contains("content")) return acta::dump(result);
    return (result.value("isError", false) ? "error: " : "") + result["content"][0]["text"].get<std::string>();
}

/// The requests that the example server can answer too.
acta::JsonArray common_requests() {
    return {{{"do", "listTools"}},
            call("heights", {{"port", "Brest"}}),
            call("heights", {{"port", "Calais"}}),
            call("heights"),
            call("sail"),
            call("book", {{"port", "Dover"}}),
            {{"do", "listResources"}},
            {{"do", "readResource"}, {"with", {{"uri", "harbour://ports"}}}},
            {{"do", "readResource"}, {"with", {{"uri", "harbour://boats"}}}}};
}

void check_common(const Json& said, const std::string& version) {
    CHECK(said["version"] == (version == "legacy" ? "2025-11-25" : "2026-07-28"));
    CHECK(said["server"]["name"] == "harbour");
    CHECK(said["instructions"] == "Heights are in metres.");
    const Json& answers = said["answers"];
    CHECK(answers[0]["result"]["tools"][0]["name"] == "heights");
    CHECK(answers[0]["result"]["tools"][0]["annotations"]["readOnlyHint"] == true);
    CHECK(words(answers[1]) == "[1.1,6.4,1.3,6.2]");
    const Json heights{1.1, 6.4, 1.3, 6.2};
    CHECK(answers[1]["result"]["structuredContent"] == (version == "legacy" ? Json{{"result", heights}} : heights));
    CHECK(words(answers[2]) == "error: no table for Calais");
    CHECK(words(answers[3]) == "error: the arguments of heights do not fit: port: Field required");
    CHECK(words(answers[4]) == "failed: -32602");
    CHECK(words(answers[5]) == "A berth of 7 m in Dover is booked.");
    CHECK(answers[6]["result"]["resources"][0]["uri"] == "harbour://ports");
    CHECK(answers[7]["result"]["contents"][0]["text"] == R"(["Brest", "Dover"])");
    CHECK(words(answers[8]) == "failed: -32602");  // which the client also makes of an older -32002
}

void use_example(const std::string& version) {
    INFO(version);
    check_common(answers_of(version, paths::example("mcp_server"), common_requests()), version);
}

/// What the example server has, and more.
class Harbour {
public:
    Harbour() : server({}, {.name = "harbour", .instructions = "Heights are in metres."}), http(server) {
        acta::SkillRegistry skills;
        skills.add(
            "heights", "The heights of a day.", {.read_only = true},
            [](const std::string& port) {
                if (port != "Brest") throw std::out_of_range("no table for " + port);
                return std::vector<double>{1.1, 6.4, 1.3, 6.2};
            },
            "port");
        skills.add(
            "book", "Asks a person.",
            [](const std::string& port, acta::SkillContext& context) {
                const mcp::InputAnswer answer = mcp::ServerContext::of(context)->elicit(
                    "length", {.message = "How long is your boat, in metres?",
                               .requested_schema = acta::parse<JsonObject>(
                                   R"({"type": "object", "properties": {"metres": {"type": "number"}}})")});
                return "A berth of " + acta::dump(answer.content.at("metres")) + " m in " + port + " is booked.";
            },
            "port");
        skills.add("count", "Reports its progress.", [](acta::SkillContext& context) {
            for (int i = 1; i < 4; ++i) context.report_progress({.done = static_cast<double>(i)});
            return "counted";
        });
        skills.add("wait", "Waits until it is cancelled.", [this](acta::SkillContext& context) {
            while (!context.should_stop()) std::this_thread::sleep_for(milliseconds(2));
            ++stopped;
            return "stopped";
        });
        skills.add("change", "Says that the tools have changed.", [this] {
            server.report({mcp::Change::Kind::tools, ""});
            return "changed";
        });
        skills.add({"moor", "Has a header.", acta::parse<Json>(R"({"type": "object", "properties": {
                        "quay": {"type": "string", "x-mcp-header": "Quay"},
                        "boats": {"type": "integer", "x-mcp-header": "Boats"}}})")},
                   [](const JsonObject& arguments, acta::SkillContext&) -> acta::ActionResult {
                       return acta::ActionSuccessResult{.outputs = acta::dump(arguments)};
                   });
        server.set_skills(skills);
        server.add_resource({.uri = "harbour://ports", .name = "ports"}, [](const std::string& uri, const JsonObject&,
                                                                            mcp::ServerContext&) {
            return std::vector<mcp::ResourceContents>{{.uri = uri, .text = R"(["Brest", "Dover"])"}};
        });
        server.add_resource_template(
            {.uri_template = "harbour://ports/{name}", .name = "port"},
            [](const std::string& uri, const JsonObject& names, mcp::ServerContext&) {
                return std::vector<mcp::ResourceContents>{{.uri = uri, .text = names.at("name").get<std::string>()}};
            });
        server.add_prompt(
            {.name = "warn", .description = "Warns of the tide.", .arguments = {{.name = "port", .required = true}}},
            [](const JsonObject& arguments, mcp::ServerContext&) {
                return mcp::PromptResult{
                    .messages = {
                        {"user", mcp::TextContent{"Mind the tide in " + acta::dump(arguments.at("port")), {}}}}};
            });
        server.set_completion(
            [](const mcp::CompletionRequest& request) { return mcp::Completion{.values = {request.value + "over"}}; });
    }
    std::atomic<int> stopped{0};
    mcp::Server server;
    mcp::HttpServer http;
};

void use_all_over_http(const std::string& version) {
    INFO(version);
    Harbour harbour;
    const mcp_tests::HttpShim shim(harbour.http);
    acta::JsonArray requests = common_requests();
    const std::size_t first = requests.size();
    requests.insert(
        requests.end(),
        {call("count"),
         call("change"),
         {{"do", "changed"}},
         {{"do", "readResource"}, {"with", {{"uri", "harbour://ports/Brest"}}}},
         {{"do", "listPrompts"}},
         {{"do", "getPrompt"}, {"with", {{"name", "warn"}, {"arguments", {{"port", "Brest"}}}}}},
         {{"do", "complete"},
          {"with",
           {{"ref", {{"type", "ref/prompt"}, {"name", "warn"}}}, {"argument", {{"name", "port"}, {"value", "D"}}}}}}});
    requests.push_back(call("moor", {{"quay", " Orléans"}, {"boats", 42}}));
    JsonObject cancelled = call("wait");
    cancelled["within"] = 200;
    requests.push_back(cancelled);
    const Json said = answers_of(version, shim.url(), requests);
    check_common(said, version);
    const auto answer = [&](std::size_t i) -> const Json& { return said["answers"][first + i]; };
    CHECK(words(answer(0)) == "counted");
    CHECK(answer(0)["progress"] == 3);
    CHECK(words(answer(1)) == "changed");
    CHECK(answer(2)["result"]["changes"] == true);
    CHECK(answer(3)["result"]["contents"][0]["text"] == "Brest");
    CHECK(answer(4)["result"]["prompts"][0]["arguments"][0]["required"] == true);
    CHECK(answer(5)["result"]["messages"][0]["content"]["text"] == R"(Mind the tide in "Brest")");
    CHECK(answer(6)["result"]["completion"]["values"] == Json{"Dover"});
    CHECK(words(answer(7)) == R"({"quay":" Orléans","boats":42})");
    CHECK(words(answer(8)) == R"(failed: "REQUEST_TIMEOUT")");
    CHECK(eventually([&] { return harbour.stopped == 1; }));
}

}  // namespace

TEST_CASE("acta's client uses a server of the TypeScript SDK over its standard streams") {
    if (const auto why = problem()) ACTA_SKIP(*why);
    for (const std::string version : {"", "2025-11-25"})
        use_all(mcp::Client::stdio(script("server.mjs"), options_of(version)), version);
}

TEST_CASE("acta's client uses a server of the TypeScript SDK over HTTP") {
    if (const auto why = problem()) ACTA_SKIP(*why);
    PeerProcess server(script("server.mjs", {"http"}));
    const std::string url = "http://127.0.0.1:" + server.first_line();
    for (const std::string version : {"", "2025-11-25", "2025-06-18", "2025-03-26"})
        use_all(mcp::Client::http(url + "/mcp", options_of(version)), version);
    use_all(mcp::Client::http(url + "/stateless", options_of("")), "");
    // Without a session nothing can be asked, nor reported.
    use_all(mcp::Client::http(url + "/stateless", options_of("2025-11-25")), "2025-11-25", false);
}

TEST_CASE("acta's client uses a server of the TypeScript SDK in older revisions", "[full]") {
    if (const auto why = problem()) ACTA_SKIP(*why);
    for (const std::string version : {"2025-06-18", "2025-03-26", "2024-11-05"})
        use_all(mcp::Client::stdio(script("server.mjs"), options_of(version)), version);
}

TEST_CASE("a client of the TypeScript SDK uses the example server") {
    if (const auto why = problem()) ACTA_SKIP(*why);
    for (const std::string version : {"legacy", "auto"}) use_example(version);
}

TEST_CASE("a client of the TypeScript SDK uses a server over HTTP") {
    if (const auto why = problem()) ACTA_SKIP(*why);
    for (const std::string version : {"legacy", "auto"}) use_all_over_http(version);
}

TEST_CASE("a client of the TypeScript SDK uses servers in one revision of 2026 alone", "[full]") {
    if (const auto why = problem()) ACTA_SKIP(*why);
    use_example("2026-07-28");
    use_all_over_http("2026-07-28");
}
