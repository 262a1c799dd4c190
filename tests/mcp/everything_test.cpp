// SPDX-License-Identifier: MIT
#include <unistd.h>

#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/mcp/client.hpp"
#include "mcp/common.hpp"
#include "support/catch.hpp"
#include "support/npm.hpp"

// The test server of the protocol's own project, from npm, which speaks 2025-11-25.
namespace {

namespace mcp = acta::mcp;
using acta::JsonObject;
using mcp_tests::has;

struct Call {
    std::string tool{};
    JsonObject arguments{};
    std::string part{};  // of the result as JSON
};

const std::vector<Call> calls{
    {"echo", {{"message", "tide"}}, R"("Echo: tide")"},
    {"get-annotated-message", {{"messageType", "error"}, {"includeImage", true}}, R"("annotations":{")"},
    {"get-env", {}, "ACTA_TEST_HARBOUR"},
    {"get-resource-links", {{"count", 2}}, R"("type":"resource_link")"},
    {"get-resource-reference", {{"resourceType", "Blob"}, {"resourceId", 2}}, R"("blob":")"},
    {"get-structured-content", {{"location", "Chicago"}}, R"("structuredContent":{"temperature":)"},
    {"get-sum", {{"a", 2}, {"b", 3}}, "The sum of 2 and 3 is 5."},
    {"get-tiny-image", {}, R"("mimeType":"image/png")"},
    {"gzip-file-as-resource",
     {{"name", "a.gz"}, {"data", "data:text/plain,abc"}, {"outputType", "resource"}},
     R"("mimeType":"application/gzip")"},
    {"toggle-simulated-logging", {}, "simulated"},
    {"toggle-subscriber-updates", {}, "simulated"},
    {"trigger-long-running-operation", {{"duration", 0.2}, {"steps", 2}}, "Long running operation completed"},
    {"trigger-elicitation-request", {}, R"(legacyTitledEnum\": \"pet-1)"},
    {"trigger-url-elicitation", {{"url", "https://example.org/"}}, "User completed the URL elicitation flow."},
    {"trigger-url-elicitation", {{"url", "https://example.org/2"}, {"errorPath", true}}, "example.org/2"},
};

}  // namespace

TEST_CASE("all tools of the protocol's own test server can be called") {
    const std::string name = "mcp_everything";
    if (const auto why = npm::problem(name, "@modelcontextprotocol/server-everything@2026.8.31", "20.0"))
        ACTA_SKIP(*why);
    std::vector<std::string> asked;
    mcp::ClientOptions options{.environment = {{"ACTA_TEST_HARBOUR", "Brest"}}};
    options.on_input = [&](const mcp::InputRequest& request) {
        asked.push_back(request.mode);
        return mcp::InputAnswer{mcp::InputAnswer::Action::accept, {{"name", "Ada"}}};
    };
    const std::string script =
        (npm::folder(name) / "node_modules/@modelcontextprotocol/server-everything/dist/index.js").string();
    const mcp::Client client = mcp::Client::stdio({"node", script, "stdio"}, options);
    CHECK(client.server().version == "2025-11-25");
    // Some tools are there once the server knows the client, so that a list that came earlier may lack them.
    CHECK(mcp_tests::eventually([&] { return client.list_tools().size() == 14; }));
    for (const Call& one : calls) {
        INFO(one.tool);
        int progress = 0;
        const mcp::CallToolResult result =
            client.call_tool(one.tool, one.arguments, {.on_progress = [&](const acta::SkillProgress&) { ++progress; }});
        CHECK_FALSE(result.is_error);
        CHECK(has(acta::dump(result), one.part));
        CHECK((progress > 0) == (one.tool == "trigger-long-running-operation"));
    }
    // The last call is answered with an error that has a URL; repeated, it asks for the same one by a request.
    CHECK(asked == std::vector<std::string>{"form", "url", "url", "url"});
    CHECK(client.resources().size() >= 7);
    CHECK(client.resource_templates().size() == 2);
    CHECK(client.read_resource("demo://resource/dynamic/text/1").size() == 1);
    CHECK(client.prompts().size() == 4);
    CHECK(client.get_prompt("args-prompt", {{"city", "Brest"}}).messages.size() == 1);
    CHECK(client.complete({.prompt = "completable-prompt", .argument = "department", .value = "E"}).values ==
          std::vector<std::string>{"Engineering"});
}
