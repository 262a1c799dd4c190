// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>

#include "acta/base/duration.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/mcp/server.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::mcp {

/// How a server serves its standard streams.
struct StdioOptions {
    int input = 0;   ///< The descriptor that messages are read from.
    int output = 1;  ///< The one that they are written to.
    /// How long what is under way may take when the input has ended; then it is stopped.
    TimeLimit finish_timeout = std::chrono::seconds(1);
    std::size_t max_calls = 100;  ///< Requests that are worked on at the same time; others are refused.
    Until until{};                ///< Ends the serving.
};

/// Serves one client over this process's standard streams, a message a line, until the input ends. Messages are read in
/// this thread, and each request is worked on in one of its own. While it serves, what the program writes to its
/// standard output goes to its error output instead, since the output belongs to the protocol.
///
/// @code{.cpp}
/// #include <acta/mcp/serve.hpp>
/// int serve() {
///     acta::SkillRegistry skills;
///     skills.add("add", "Adds two numbers.", [](int a, int b) { return a + b; }, "a", "b");
///     const acta::mcp::Server server(skills, {.name = "adder", .version = "1.0"});
///     acta::mcp::serve_stdio(server);
///     return 0;
/// }
/// @endcode
void serve_stdio(const Server& server, const StdioOptions& options = {});

}  // namespace acta::inline ACTA_ABI::mcp

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/serve.inl.hpp"
#endif
