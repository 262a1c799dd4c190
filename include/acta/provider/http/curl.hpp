// SPDX-License-Identifier: MIT
#pragma once

#include "acta/provider/http/http.hpp"

// Needs libcurl: link acta::client.

namespace acta::inline ACTA_ABI::http {

/// Sends the request over libcurl and returns the response, whatever its status: the default `Transport`. Only `http`
/// and `https` are allowed, redirects are not followed, TLS certificates are verified, and proxies are taken from the
/// environment. Connections are kept open for the next request of the same thread. They are never shared with another
/// process: a child made by `fork` opens its own, and programs started by `exec` inherit none, except the pair of
/// sockets with which libcurl wakes a waiting thread. If the process forks during a request, the request continues in
/// the parent and throws in the child. Throws `Error`, `Timeout` at the deadline, `Cancelled` when a stop is requested,
/// and the exceptions of the sink.
[[nodiscard]] Reply send(const Request& request, const Sink& sink = {});

}  // namespace acta::inline ACTA_ABI::http

#ifndef ACTA_COMPILED
#include "acta/provider/http/detail/curl.inl.hpp"
#endif
