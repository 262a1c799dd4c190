// SPDX-License-Identifier: MIT
#include "acta/mcp/servers.hpp"

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/http/http.hpp"
#include "mcp/common.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"

namespace {

namespace mcp = acta::mcp;
using mcp_tests::has;
using mcp_tests::thrown;

std::string refusal(const std::string& servers) {
    return thrown<acta::ValidationError>(
        [&] { static_cast<void>(mcp::parse_servers(R"({"mcpServers": {)" + servers + "}}")); });
}

}  // namespace

TEST_CASE("the servers of a file are read as other programs write them") {
    const std::vector<mcp::ServerEntry> servers = mcp::parse_servers(R"({"inputs": [], "mcpServers": {
        "files": {"command": "npx", "args": ["-y", "files", "/srv"], "env": {"B": "1", "A": "2"}, "cwd": "/tmp"},
        "search": {"type": "http", "url": "https://example.org/mcp", "headers": {"X-Key": "k"}, "timeout": 5},
        "plain": {"url": "http://localhost:1/"},
        "stream": {"type": "streamable-http", "url": "http://localhost:2/"},
        "old": {"type": "sse", "url": "http://localhost:3/", "disabled": true},
        "typed": {"type": "stdio", "command": "x"}}})");
    REQUIRE(servers.size() == 6);
    CHECK(servers[0] == mcp::ServerEntry{.name = "files",
                                         .command = "npx",
                                         .args = {"-y", "files", "/srv"},
                                         .env = {{"B", "1"}, {"A", "2"}},
                                         .cwd = "/tmp"});
    CHECK(servers[1].headers.at("X-Key") == "k");
    CHECK(servers[2].name == "plain");
    CHECK(servers[4].disabled);
    CHECK(mcp::parse_servers(R"({"mcpServers": {}})").empty());
}

TEST_CASE("what is wrong in a file of servers is said with its place") {
    CHECK(has(refusal(R"("a": {"type": "sse", "url": "u"})"),
              "mcpServers.a.type\n  Value error, the type must be stdio or "
              "http, not 'sse'"));
    CHECK(has(refusal(R"("a": {})"), "mcpServers.a.url\n  Value error, there is neither a command nor a URL"));
    CHECK(has(refusal(R"("a": {"type": "http", "command": "x"})"), "mcpServers.a.url"));
    CHECK(has(refusal(R"("a": {"type": "stdio", "url": "u"})"), "mcpServers.a.command"));
    CHECK(has(refusal(R"("a": {"command": 7}, "b": {"command": "x", "args": "y"})"),
              "mcpServers.a.command\n  Input should be a valid string"));
    CHECK(has(refusal(R"("a": {"command": "x", "env": {"A": 1}})"), "mcpServers.a.env.A"));
    CHECK(has(thrown<acta::ValidationError>([] { static_cast<void>(mcp::parse_servers("{}")); }), "mcpServers"));
    const TempFolder folder;
    const std::filesystem::path file = folder.path() / "mcp.json";
    CHECK(has(thrown<acta::FileError>([&] { static_cast<void>(mcp::load_servers(file)); }), "mcp.json"));
    std::ofstream(file) << R"({"mcpServers": {"a": {"command": "x"}}})";
    CHECK(mcp::load_servers(file).at(0).name == "a");
}

TEST_CASE("an entry is connected as it says") {
    std::vector<std::string> headers;
    mcp::ClientOptions options{.version = "2026-07-28"};
    options.transport = [&](const acta::http::Request& request, const acta::http::Sink&) {
        headers = request.headers;
        return acta::http::Reply{
            .status = 200,
            .headers = {{"content-type", "application/json"}},
            .body = R"({"jsonrpc": "2.0", "id": 1, "result": {"supportedVersions": ["2026-07-28"]}})"};
    };
    const mcp::Client search =
        mcp::connect({.name = "search", .url = "http://localhost:1/", .headers = {{"X-Key", "k"}}}, options);
    CHECK(search.name() == "search");
    CHECK(search.server().version == "2026-07-28");
    CHECK(std::find(headers.begin(), headers.end(), "X-Key: k") != headers.end());
    const mcp::Client missing = mcp::connect({.name = "files", .command = "/no/such/program", .cwd = "/"});
    CHECK(has(thrown<mcp::ConnectionError>([&] { static_cast<void>(missing.server()); }),
              "the server 'files' was not started"));
}

TEST_CASE("tools of several servers have different names") {
    const auto server = [](const std::string& name, const std::string& tools) {
        mcp::ClientOptions options{.name = name, .version = "2026-07-28"};
        options.transport = [tools](const acta::http::Request& request, const acta::http::Sink&) {
            const acta::Json message = acta::parse<acta::Json>(request.body);
            const bool is_list = message["method"] == "tools/list";
            return acta::http::Reply{
                .status = 200,
                .headers = {{"content-type", "application/json"}},
                .body = R"({"jsonrpc": "2.0", "id": )" + message["id"].dump() + R"(, "result": )" +
                        (is_list ? R"({"tools": [)" + tools + "]}" : R"({"supportedVersions": ["2026-07-28"],
                                                            "capabilities": {"tools": {}}})") +
                        "}"};
        };
        return mcp::Client::over_http("http://localhost:1/", options);
    };
    const std::string read = R"({"name": "read", "inputSchema": {}})";
    std::vector<mcp::Client> servers;
    servers.push_back(server("a", read + R"(, {"name": "list", "inputSchema": {}})"));
    servers.push_back(server("b", read));
    acta::SkillRegistry skills;
    skills.add(mcp::tools(servers));
    CHECK(skills.names() == std::vector<std::string>{"a_read", "list", "b_read"});
}
