// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/mcp/server.hpp"
#include "acta/version.hpp"

// A server of the Model Context Protocol for any HTTP server of the program ("Streamable HTTP"), without I/O.
namespace acta::inline ACTA_ABI::mcp {

/// A request that an HTTP server got.
struct HttpCall {
    std::string method{};  ///< Such as `POST`.
    std::vector<std::pair<std::string, std::string>>
        headers{};       ///< Names, in any case, and values without blanks around.
    std::string body{};  ///< All of it.
    /// Who sends it, if that is known: a client cannot use a session of another one, nor the state of its requests.
    std::string caller{};
    stop_token stop{};  ///< Requested when the client has closed the connection.
};

/// Sends the answer to a request. The members are called by one thread at a time, but by several.
class HttpAnswer {
public:
    HttpAnswer() = default;
    HttpAnswer(const HttpAnswer&) = delete;
    HttpAnswer& operator=(const HttpAnswer&) = delete;
    virtual ~HttpAnswer() = default;
    /// Sends the status and the headers. Called once, first.
    virtual void begin(int status, const std::vector<std::pair<std::string, std::string>>& headers) = 0;
    /// Sends a piece of the body at once, and returns whether the client is still there. If the headers have no
    /// `Content-Length`, the body ends when `HttpServer::handle` returns.
    virtual bool write(std::string_view piece) = 0;
};

/// From where requests are accepted, besides this machine.
struct HttpServerOptions {
    std::vector<std::string> hosts{};    ///< Values of `Host`, without a port.
    std::vector<std::string> origins{};  ///< Values of `Origin`, such as `https://example.org`.
};

namespace server_detail {
class HttpState;
}

/// Answers the requests of HTTP for a server. Several threads may use it.
class HttpServer {
public:
    /// Serves this server.
    explicit HttpServer(const Server& server, HttpServerOptions options = {});
    ~HttpServer();
    HttpServer(const HttpServer&) = delete;
    HttpServer& operator=(const HttpServer&) = delete;

    /// Answers a request, in this thread: a stream stays open until its end, `HttpCall::stop`, or `close`. Throws what
    /// `answer` throws.
    void handle(const HttpCall& call, HttpAnswer& answer);
    /// Ends all streams and sessions.
    void close() noexcept;

private:
    std::shared_ptr<server_detail::HttpState> state_;
};

}  // namespace acta::inline ACTA_ABI::mcp

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/http_server.inl.hpp"
#endif
