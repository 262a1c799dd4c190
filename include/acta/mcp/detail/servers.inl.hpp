// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/file.hpp"
#include "acta/json/json.hpp"
#include "acta/mcp/servers.hpp"

namespace acta::inline ACTA_ABI {

namespace mcp_detail {

struct ServersFile {
    OrderedMap<mcp::ServerEntry> servers{};
};

}  // namespace mcp_detail

template <>
struct Describe<mcp_detail::ServersFile> {
    static constexpr std::string_view name = "ServersFile";
    static constexpr auto fields = acta::fields(required("mcpServers", &mcp_detail::ServersFile::servers));
};

namespace mcp {

ACTA_INLINE std::vector<ServerEntry> parse_servers(std::string_view text) {
    auto file = parse<mcp_detail::ServersFile>(text);
    std::vector<ServerEntry> out;
    std::vector<Issue> issues;
    for (auto& [name, entry] : file.servers) {
        entry.name = name;
        const auto fault_at = [&, key = name](std::string member, std::string message) {
            issues.push_back({{std::string("mcpServers"), key, std::move(member)}, "value_error", std::move(message)});
        };
        const bool is_http =
            entry.type == "http" || entry.type == "streamable-http" || (entry.type.empty() && entry.command.empty());
        if (entry.disabled) {
            // Another program may know its type.
        } else if (!is_http && entry.type != "stdio" && !entry.type.empty()) {
            fault_at("type", "Value error, the type must be stdio or http, not '" + entry.type + "'");
        } else if (is_http && entry.url.empty()) {
            fault_at("url", "Value error, there is neither a command nor a URL");
        } else if (!is_http && entry.command.empty()) {
            fault_at("command", "Value error, a server of type stdio needs a command");
        }
        out.push_back(std::move(entry));
    }
    if (!issues.empty()) throw ValidationError("ServersFile", std::move(issues));
    return out;
}

ACTA_INLINE std::vector<ServerEntry> load_servers(const std::filesystem::path& path) {
    return parse_servers(base::read_file(path));
}

ACTA_INLINE Client connect(const ServerEntry& server, ClientOptions options) {
    options.name = server.name;
    if (server.type != "stdio" && (!server.type.empty() || server.command.empty())) {
        for (const auto& [name, value] : server.headers) options.headers.push_back(name + ": " + value);
        return Client::over_http(server.url, std::move(options));
    }
    for (const auto& variable : server.env) options.environment.push_back(variable);
    options.folder = std::u8string(server.cwd.begin(), server.cwd.end());  // on Windows too it is UTF-8
    std::vector<std::string> command{server.command};
    command.insert(command.end(), server.args.begin(), server.args.end());
    return Client::stdio(std::move(command), std::move(options));
}

ACTA_INLINE std::vector<RunTimeTool> tools(const std::vector<Client>& servers, const CallOptions& options) {
    std::vector<std::vector<RunTimeTool>> all;
    std::map<std::string, int> names;
    for (const Client& one : servers) {
        all.push_back(one.tools({}, options));
        for (const RunTimeTool& tool : all.back()) ++names[tool.definition.name];
    }
    std::vector<RunTimeTool> out;
    for (std::size_t i = 0; i < all.size(); ++i) {
        for (RunTimeTool& tool : all[i]) {
            std::string& name = tool.definition.name;
            if (names[name] > 1) name = servers[i].name() + "_" + name;
            out.push_back(std::move(tool));
        }
    }
    return out;
}

}  // namespace mcp
}  // namespace acta::inline ACTA_ABI
