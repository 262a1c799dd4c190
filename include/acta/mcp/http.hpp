// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>

#include "acta/mcp/client.hpp"
#include "acta/provider/http/curl.hpp"
#include "acta/version.hpp"

// Servers that are reached over HTTP. Needs libcurl: link acta::client.
namespace acta::inline ACTA_ABI::mcp {

inline Client Client::http(std::string url, ClientOptions options) {
    if (!options.transport) options.transport = acta::http::send;
    return over_http(std::move(url), std::move(options));
}

}  // namespace acta::inline ACTA_ABI::mcp
