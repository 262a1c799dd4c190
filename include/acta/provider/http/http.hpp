// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <chrono>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/provider/http/http_error.hpp"

// HTTP requests over libcurl, with limits on everything that a server could make endless.
namespace acta::inline ACTA_ABI::http {

/// A POST request. Only `http` and `https` are allowed, redirects are not followed, TLS certificates are verified, and
/// proxies are taken from the environment.
struct Request {
    std::string url{};                   ///< Absolute, with the scheme `http` or `https`.
    std::vector<std::string> headers{};  ///< Lines of the form `Name: value`, without line ends.
    std::string_view body{};             ///< Must outlive the request.
    std::string ca_file{};               ///< PEM file of trusted certificates; empty for the system's.
    /// Time to look up the name, connect and shake hands, from 1 ms to one day: values outside are clamped. A server
    /// that takes longer is an `Error` with `Fault::connection`.
    std::chrono::milliseconds connect_timeout{10000};
    /// For the whole request. Must be set: the default is in the past.
    std::chrono::steady_clock::time_point deadline{};
    stop_token stop{};  ///< Ends the request with `Cancelled`; the default never does.
    std::size_t max_bytes = std::size_t{16} * 1024 * 1024;  ///< Limit of the response body.
};

/// A response. Header names are in lower case.
struct Reply {
    int status = 0;  ///< The status code, such as 200. Set before a sink is called.
    /// Names and values, without blanks around them, in the order received. Those of interim responses are omitted.
    std::vector<std::pair<std::string, std::string>> headers{};
    std::string body{};  ///< The body, without the parts that the sink has taken out.

    /// Returns the value of the first header of this name, or an empty text. Linear in the number of headers.
    [[nodiscard]] std::string_view header(std::string_view name) const noexcept {
        for (const auto& [key, value] : headers) {
            if (key == name) return value;
        }
        return {};
    }
};

/// The part of the response body that a sink still needs.
enum class Demand {
    more,      ///< The response is incomplete.
    optional,  ///< The response is usable; the rest is awaited for two seconds more, and may fail.
    nothing  ///< The response is complete; its end is awaited for half a second, so that the connection can be reused.
};

/// Called by `post` whenever a part of the body has arrived. May move the text out of `Reply::body`. Not called again
/// after returning `Demand::nothing`.
using Sink = std::function<Demand(Reply& reply)>;

/// Sends the request and returns the response, whatever its status. Connections are kept open for the next request of
/// the same thread. They are never shared with another process: a child made by `fork` opens its own, and programs
/// started by `exec` inherit none, except the pair of sockets with which libcurl wakes a waiting thread. If the process
/// forks during a request, the request continues in the parent and throws in the child. Throws `Error`, `Timeout` at
/// the deadline, `Cancelled` when a stop is requested, and the exceptions of the sink.
[[nodiscard]] Reply post(const Request& request, const Sink& sink = {});

/// Sleeps until the time point. Throws `Cancelled` as soon as a stop is requested.
void sleep_until(std::chrono::steady_clock::time_point until, const stop_token& stop);

}  // namespace acta::inline ACTA_ABI::http

#ifndef ACTA_COMPILED
#include "acta/provider/http/detail/http.inl.hpp"
#endif
