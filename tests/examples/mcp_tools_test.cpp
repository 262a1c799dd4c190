// SPDX-License-Identifier: MIT
#include <acta/acta.hpp>
#include <cstdlib>
#include <string>

#include "example.hpp"
#include "support/catch.hpp"

#if !defined(_WIN32)
#include <acta/mcp/http_server.hpp>

#include "mcp/http_shim.hpp"
#include "provider/openai/aimock.hpp"
#include "support/paths.hpp"

TEST_CASE("an agent uses the tools of a server that it starts and of one over HTTP, and asks before it does") {
    if (!example::fs::exists(paths::example("mcp_tools"))) ACTA_SKIP("mcp_tools was built without libcurl");
    if (const auto why = aimock::problem()) ACTA_SKIP(*why);
    const std::string key = "sk-example-0123456789";
    ::setenv("OPENAI_API_KEY", key.c_str(), 1);
    const aimock::Server model(acta::Json::parse(R"({"fixtures": [
        {"match": {"turnIndex": 0}, "response": {"content": "I look both up.",
            "toolCalls": [{"id": "c0", "name": "heights", "arguments": {"port": "Brest"}},
                          {"id": "c1", "name": "rain", "arguments": {"place": "Brest"}}]}},
        {"match": {"turnIndex": 1, "toolResultContains": "rain in Brest"}, "response": {
            "toolCalls": [{"id": "c2", "name": "book", "arguments": {"port": "Brest"}}]}},
        {"match": {"turnIndex": 2}, "response": {"content": "At 6.4 m, in the rain."}}
    ]})"),
                               key);
    acta::SkillRegistry skills;
    skills.add(
        "rain", "Whether it rains.", {.read_only = true}, [](const std::string& place) { return "rain in " + place; },
        "place");
    acta::mcp::HttpServer http(acta::mcp::Server(skills, {.name = "weather"}));
    const mcp_tests::HttpShim shim(http);
    const example::TemporaryFolder folder;
    folder.write("mcp.json", R"({"mcpServers": {"harbour": {"command": ")" + paths::example("mcp_server") +
                                 R"("}, "weather": {"type": "http", "url": ")" + shim.url() +
                                 R"("}, "off": {"command": "/no/such/program", "disabled": true}}})");
    folder.write("replies", "y\ny\nNo boats.\n");
    const example::Run run =
        example::run("mcp_tools", "mcp.json " + model.url() + " gpt-4 'When is high water?' <replies", folder.path());
    INFO(run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, contains_text("heights(port='Brest')\nMay it? Say y, or what to do instead: "));
    CHECK_THAT(run.out, contains_text("rain(place='Brest')\nMay it?"));
    CHECK_THAT(run.out, contains_text("book(port='Brest')\nMay it?"));
    CHECK_THAT(run.out, ends_with_text("At 6.4 m, in the rain.\n"));

    folder.write("mcp.json", R"({"mcpServers": {"harbour": {"command": "/no/such/program"}}})");
    const example::Run missing =
        example::run("mcp_tools", "mcp.json " + model.url() + " gpt-4 'When?' </dev/null", folder.path());
    CHECK(missing.code == 1);
    CHECK_THAT(missing.err, starts_with_text("the server 'harbour' was not started: "));
}
#endif
