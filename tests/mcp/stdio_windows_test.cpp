// SPDX-License-Identifier: MIT
#include <filesystem>
#include <string>

#include "acta/mcp/client.hpp"
#include "acta/mcp/servers.hpp"
#include "mcp/common.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

namespace mcp = acta::mcp;

TEST_CASE("a server that a script of Windows starts, as npx does, is called and ended") {
    const TempFolder folder;
    const auto name = std::u8string(u8"häfen 港");
    std::filesystem::create_directory(folder.path() / name);
    const std::string program = std::filesystem::absolute(paths::example("mcp_server.exe")).string();
    write_file(folder.path() / name / "server.cmd", "@echo off\r\n\"" + program + "\" %*\r\n");
    const auto path = (folder.path() / name).u8string();
    const mcp::Client client = mcp::connect({.name = "harbour",
                                             .command = "./server",
                                             .args = {"-y", "@org/server@latest", "a b"},
                                             .cwd = std::string(path.begin(), path.end())});
    CHECK(mcp_tests::text_of(client.call_tool("heights", {{"port", "Brest"}})) == "[1.1,6.4,1.3,6.2]");
    CHECK(client.read_resource("harbour://ports").at(0).text == R"(["Brest", "Dover"])");
}

TEST_CASE("a server of Windows that ends is an error with its status and its last words") {
    const mcp::Client client = mcp::Client::stdio({"cmd", "/d", "/c", "echo no tides>&2& exit 7"}, {.name = "none"});
    const std::string error = mcp_tests::thrown<mcp::ConnectionError>([&] { static_cast<void>(client.server()); });
    CHECK_THAT(error, contains_text("the server 'none' (cmd)"));
    CHECK_THAT(error, contains_text("no tides"));
}
