// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/callback.hpp"
#include "acta/base/duration.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/mcp/http_transport.hpp"
#include "acta/mcp/protocol.hpp"
#include "acta/mcp/result.hpp"
#include "acta/mcp/stdio_transport.hpp"
#include "acta/mcp/transport.hpp"
#include "acta/mcp/values.hpp"
#include "acta/observe/observer.hpp"
#include "acta/skill/registry.hpp"
#include "acta/version.hpp"

// The tools, resources and prompts of a server of the Model Context Protocol (docs/mcp.md).
namespace acta::inline ACTA_ABI::mcp {

/// How a client is connected to a server, and what it takes from it.
struct ClientOptions {
    /// The name of the server: in errors, and where tools of several servers have the same name. By default the name of
    /// its program, or of its host.
    std::string name{};
    Implementation client{"acta", std::string(acta::version)};  ///< What the server learns about this program.
    /// The one revision to speak, such as `2025-11-25`. If empty, the newest one that the server speaks.
    std::string version{};
    /// Asks a person for what a server wants to know (elicitation), in a thread that waits for the server: that of a
    /// call, or with a server of 2025 over HTTP one of the client. Without it servers learn that they cannot ask.
    Callback<InputAnswer(const InputRequest&)> on_input{};
    /// Receives what the server reports, in any thread, which may be the one that reads from it: it must not use the
    /// client.
    Callback<void(const LogMessage&)> on_log{};
    std::string log_level{};  ///< The least level of these reports, such as `info`; empty for the server's choice.
    /// Whether what the server says about its tools (`ToolAnnotations`) is believed. If not, each is taken for one that
    /// may destroy something.
    bool trust_hints = false;
    Observer* observer = nullptr;  ///< Gets an event `mcp_warning` for what is omitted from a list; may be null.

    TimeLimit start_timeout = std::chrono::seconds(30);    ///< To start and to agree on a revision.
    TimeLimit probe_timeout = std::chrono::seconds(10);    ///< Of it, for a process to say that it speaks 2026-07-28.
    TimeLimit request_timeout = std::chrono::seconds(60);  ///< Of a request, without the time of `on_input`.
    std::size_t max_message_bytes = std::size_t{16} * 1024 * 1024;  ///< Of a message of the server.
    std::size_t max_tools = 1000;                                   ///< The first ones of a server.

    bool inherit_environment = true;                                 ///< As in `ProcessOptions`.
    std::vector<std::pair<std::string, std::string>> environment{};  ///< As in `ProcessOptions`.
    std::filesystem::path folder{};                                  ///< As in `ProcessOptions`.
    TimeLimit close_timeout = std::chrono::seconds(2);               ///< As in `ProcessOptions`.
    TimeLimit terminate_timeout = std::chrono::seconds(2);           ///< As in `ProcessOptions`.

    TokenSource token{};                               ///< As in `HttpOptions`.
    std::vector<std::string> headers{};                ///< As in `HttpOptions`.
    http::Transport transport{};                       ///< As in `HttpOptions`; `http::send` with `Client::http`.
    std::string ca_file{};                             ///< As in `HttpOptions`.
    std::optional<std::string> proxy{};                ///< As in `HttpOptions`.
    std::chrono::milliseconds connect_timeout{10000};  ///< As in `HttpOptions`.
};

/// Options of one request.
struct CallOptions {
    Until until{};                                       ///< Ends it as a `Timeout`, or as `Cancelled`.
    Callback<void(const SkillProgress&)> on_progress{};  ///< Receives how far it is, in the thread that waits for it.
};

/// Which tools of a server are taken, and under which names.
struct ToolOptions {
    std::vector<std::string> allow{};  ///< Names, in which `*` stands for any text; all tools if empty.
    std::vector<std::string> deny{};   ///< The same for those that are omitted.
    std::string prefix{};              ///< Put before each name.
};

namespace client_detail {
class State;
}

/// A client of one server, which is connected when it is first used, and again when the connection broke. Its tools
/// share the connection, which ends with the last of them and of the client. Several threads may use one.
///
/// Members throw `ConnectionError`, `ProtocolError`, `RequestError`, `Timeout` and `Cancelled`.
///
/// @code{.cpp}
/// #include <acta/mcp/client.hpp>
/// void add_files(acta::SkillRegistry& skills) {
///     const acta::mcp::Client files = acta::mcp::Client::stdio({"mcp-server-files", "/srv/data"}, {.name = "files"});
///     skills.add(files.tools({.deny = {"delete_*"}}));
/// }
/// @endcode
class Client {
public:
    /// A server that is a program, started with these arguments, without a shell.
    [[nodiscard]] static Client stdio(std::vector<std::string> command, ClientOptions options = {});
    /// A server that is reached over HTTP. Defined in acta/mcp/http.hpp, which needs libcurl (`acta::client`).
    [[nodiscard]] static Client http(std::string url, ClientOptions options = {});
    /// The same with any transport: `ClientOptions::transport`.
    [[nodiscard]] static Client over_http(std::string url, ClientOptions options);
    /// A server that is reached in some other way.
    explicit Client(std::unique_ptr<Transport> transport, ClientOptions options = {});

    /// Returns the name of the server.
    [[nodiscard]] const std::string& name() const noexcept;
    /// Returns what the server says about itself.
    [[nodiscard]] ServerInfo server(const CallOptions& options = {}) const;

    /// Returns the tools of the server, without those that cannot be called: not described as the protocol has it, or
    /// with headers that are not valid, or that run as tasks alone.
    [[nodiscard]] std::vector<Tool> list_tools(const CallOptions& options = {}) const;
    /// Returns them for a registry. Results are those of `to_action_result`.
    [[nodiscard]] std::vector<RunTimeTool> tools(const ToolOptions& which = {}, const CallOptions& options = {}) const;
    /// Calls a tool. Throws `InvalidArguments` if the arguments do not fit its schema, where null counts as a missing
    /// one that is optional, and `ProtocolError` if the result does not fit.
    [[nodiscard]] CallToolResult call_tool(std::string_view name, JsonObject arguments = {},
                                           const CallOptions& options = {}) const;

    /// Returns the resources of the server; none if it has no such capability.
    [[nodiscard]] std::vector<Resource> resources(const CallOptions& options = {}) const;
    /// Returns the templates of further resources; none if it has no such capability.
    [[nodiscard]] std::vector<ResourceTemplate> resource_templates(const CallOptions& options = {}) const;
    /// Returns the contents of a resource, which may be several, or none. For an unknown resource, the code of the
    /// `RequestError` is `invalid_params`, or before 2026 `resource_not_found`.
    [[nodiscard]] std::vector<ResourceContents> read_resource(std::string_view uri,
                                                              const CallOptions& options = {}) const;

    /// Returns the prompts of the server; none if it has no such capability.
    [[nodiscard]] std::vector<Prompt> prompts(const CallOptions& options = {}) const;
    /// Returns the messages of a prompt. Arguments are texts by name.
    [[nodiscard]] PromptResult get_prompt(std::string_view name, JsonObject arguments = {},
                                          const CallOptions& options = {}) const;
    /// Returns values for an argument.
    [[nodiscard]] Completion complete(const CompletionRequest& request, const CallOptions& options = {}) const;

    /// Passes on changes until `until` is over, in this thread. Returns false if the server does not report any.
    bool listen(const Subscription& what, const Callback<void(const Change&)>& on_change, const Until& until) const;

    /// Sends a request of any method and returns its result.
    [[nodiscard]] Json request(std::string method, JsonObject params = {}, const CallOptions& options = {}) const;

    /// Ends the connection. A later request opens it again.
    void close() noexcept;

private:
    std::shared_ptr<client_detail::State> state_;
};

}  // namespace acta::inline ACTA_ABI::mcp

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/client.inl.hpp"
#endif
