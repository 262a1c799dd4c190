// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "acta/describe/describe.hpp"
#include "acta/json/json.hpp"
#include "acta/mcp/client.hpp"
#include "acta/version.hpp"

// The file in which programs list the servers that they use (`mcp.json`).
namespace acta::inline ACTA_ABI::mcp {

/// A server of such a file.
struct ServerEntry {
    std::string name{};                 ///< The key of the entry.
    std::string type{};                 ///< `stdio`, `http` or `streamable-http`; may be empty.
    std::string command{};              ///< The program, of a server that is started.
    std::vector<std::string> args{};    ///< Its arguments.
    OrderedMap<std::string> env{};      ///< Variables that it has besides those of this process.
    std::string cwd{};                  ///< Where it is started.
    std::string url{};                  ///< Of a server over HTTP.
    OrderedMap<std::string> headers{};  ///< Of each request to it.
    bool disabled = false;              ///< Whether it is not used. Then its other members may be anything.

    friend bool operator==(const ServerEntry&, const ServerEntry&) = default;
};

/// Reads the servers of a file `{"mcpServers": {name: {…}}}`, in its order, those that are disabled too. Throws
/// `ValidationError` with the place of what is wrong: a server with neither a command nor a URL, or of another type.
[[nodiscard]] std::vector<ServerEntry> parse_servers(std::string_view text);
/// The same for a file. Throws `FileError` too.
[[nodiscard]] std::vector<ServerEntry> load_servers(const std::filesystem::path& path);
/// Returns a client of a server. One over HTTP needs `ClientOptions::transport`, such as `http::send`.
[[nodiscard]] Client connect(const ServerEntry& server, ClientOptions options = {});

/// Returns the tools of several servers for one registry. A tool whose name another server's has too gets the name of
/// its server before it, as in `files_read`.
[[nodiscard]] std::vector<RunTimeTool> tools(const std::vector<Client>& servers, const CallOptions& options = {});

}  // namespace acta::inline ACTA_ABI::mcp

template <>
struct acta::Describe<acta::mcp::ServerEntry> {
    using T = acta::mcp::ServerEntry;
    static constexpr std::string_view name = "ServerEntry";
    static constexpr auto fields = acta::fields(
        omit_if_empty("type", &T::type), omit_if_empty("command", &T::command), omit_if_empty("args", &T::args),
        omit_if_empty("env", &T::env), omit_if_empty("cwd", &T::cwd), omit_if_empty("url", &T::url),
        omit_if_empty("headers", &T::headers), defaulted("disabled", &T::disabled));
};

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/servers.inl.hpp"
#endif
