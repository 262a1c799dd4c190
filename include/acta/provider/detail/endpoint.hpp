// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/retry.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/provider/http/secrets.hpp"
#include "acta/provider/http/url.hpp"
#include "acta/version.hpp"

// The options of a client, checked once and prepared for requests.
namespace acta::inline ACTA_ABI::provider_detail {

/// The destination of requests.
struct Endpoint {
    std::string url{};
    std::string shown_url{};  ///< Without a query, which may hold a key.
    std::string host{};
    std::vector<std::string> headers{};
    http::Secrets secrets{};
};

/// The options that all clients have, and what differs in their use.
struct Settings {
    std::string base_url{};
    std::string path{};  ///< Of the requests, below the base URL.
    std::string model{};
    std::optional<std::string> api_key{};
    const char* key_variable = "";  ///< The key's place in the environment.
    const char* key_header = "";    ///< The name of the header with the key.
    std::string_view key_prefix{};  ///< Before the key in it.
    const char* options_name = "";  ///< Of the class, for messages.
    std::vector<std::pair<std::string, std::string>> own_headers{};
    std::vector<std::pair<std::string, std::string>> headers{};
    JsonObject extra{};
    std::chrono::milliseconds connect_timeout{};
    std::chrono::milliseconds timeout{};
    std::size_t max_response_bytes = 0;
    RetryOptions retry{};
    std::string ca_file{};
};

/// Takes over the members that all options have.
template <class Options>
[[nodiscard]] Settings settings_of(const Options& options) {
    Settings out;
    out.base_url = options.base_url;
    out.model = options.model;
    out.api_key = options.api_key;
    out.headers = options.headers;
    out.extra = options.extra;
    out.connect_timeout = options.connect_timeout;
    out.timeout = options.timeout;
    out.max_response_bytes = options.max_response_bytes;
    out.retry = options.retry;
    out.ca_file = options.ca_file;
    return out;
}

[[nodiscard]] inline std::string lower_case(std::string text) {
    for (char& c : text) {
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    }
    return text;
}

/// Returns a header line. Refuses anything longer than one line (RFC 9110, section 5), without showing the value.
[[nodiscard]] inline std::string header_line(const std::string& name, const std::string& value) {
    constexpr std::string_view letters =
        "!#$%&'*+-.^_`|~0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";
    if (name.empty() || name.find_first_not_of(letters) != std::string::npos)
        throw ChatModelError::configuration("the name of a header contains a character that is not allowed");
    const auto bad = [](char c) { return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F; };
    const auto found = std::find_if(value.begin(), value.end(), bad);
    if (found != value.end()) {
        throw ChatModelError::configuration("the value of the header " + name + " has a control character at byte " +
                                            std::to_string(found - value.begin()) + ", which is not allowed");
    }
    return value.find_first_not_of(" \t") == std::string::npos ? name + ";" : name + ": " + value;
}

/// Returns whether a header of this name, in lower case, is likely to hold a secret.
[[nodiscard]] inline bool is_secret_header(const std::string& lower_name) {
    for (const char* part : {"auth", "key", "token", "secret", "cookie"}) {
        if (lower_name.find(part) != std::string::npos) return true;
    }
    return false;
}

/// Returns the host of a URL; empty if it is not valid.
[[nodiscard]] inline std::string host_of(const std::string& url) {
    const std::optional<http::Url> read = http::Url::parse(url);
    return read ? read->host() : std::string();
}

/// Sets the destination of requests, and returns the scheme.
[[nodiscard]] inline std::string set_url(Endpoint& endpoint, const Settings& options) {
    std::optional<http::Url> url = http::Url::parse(options.base_url);
    // The URL is not shown, since it may contain a key.
    if (!url)
        throw ChatModelError::configuration(
            "the base URL is not valid: it must begin with http:// or https:// and have a host");
    std::string scheme = url->scheme();
    if (scheme != "http" && scheme != "https")
        throw ChatModelError::configuration("the base URL must begin with http:// or https://");
    if (url->has_credentials())
        throw ChatModelError::configuration("the base URL has a user or a password in it; give a header instead");
    std::string path = url->path();
    while (path.ends_with('/')) path.pop_back();
    if (!path.ends_with(options.path)) path += options.path;
    url->set_path(path);
    url->drop_fragment();
    endpoint.host = url->host();
    endpoint.url = url->text();
    url->drop_query();
    endpoint.shown_url = url->text();
    return scheme;
}

inline void add_extra_headers(Endpoint& endpoint, const Settings& options, bool& authorized) {
    for (const auto& [name, value] : options.headers) {
        const std::string lower = lower_case(name);
        for (const char* own : {"content-length", "transfer-encoding", "content-type", "host", "expect"}) {
            if (lower == own)
                throw ChatModelError::configuration("the header " + name + " is set by the client itself");
        }
        endpoint.headers.push_back(header_line(name, value));
        if (lower == "authorization" || lower == lower_case(options.key_header)) authorized = true;
        if (!is_secret_header(lower)) continue;
        endpoint.secrets.add(value);
        endpoint.secrets.add(std::string_view(value).substr(value.find_last_of(' ') + 1));  // after "Bearer"
    }
}

inline void add_key(Endpoint& endpoint, const Settings& options, const std::string& scheme) {
    std::optional<std::string> key = options.api_key;
    if (!key) {
        key = http::environment(options.key_variable);
        if (key && !key->empty() && scheme == "http" && !http::is_this_machine(endpoint.host)) {
            throw ChatModelError::configuration(
                std::string("the key of ") + options.key_variable + " does not go to " + endpoint.shown_url +
                ", over plain http: give it as " + options.options_name +
                "::api_key where it is meant for that server, or an empty text where the server needs none");
        }
    }
    if (!key || key->empty()) return;
    const auto bad = [](char c) {
        return static_cast<unsigned char>(c) <= 0x20 || static_cast<unsigned char>(c) > 0x7E;
    };
    const auto found = std::find_if(key->begin(), key->end(), bad);
    if (found != key->end()) {
        throw ChatModelError::configuration("the API key has a blank, a line break or another character at byte " +
                                            std::to_string(found - key->begin()) + " that is not allowed in a key");
    }
    endpoint.secrets.add(*key);
    endpoint.headers.push_back(header_line(options.key_header, std::string(options.key_prefix) + *key));
}

/// Checks the options. Throws `ChatModelError` of fault `configuration`, which contains no secret.
[[nodiscard]] inline Endpoint make_endpoint(const Settings& options) {
    Endpoint endpoint;
    const std::string scheme = set_url(endpoint, options);
    endpoint.headers = {"Content-Type: application/json", "Accept: application/json, text/event-stream",
                        std::string("User-Agent: acta/") + version};
    bool authorized = false;
    add_extra_headers(endpoint, options, authorized);
    if (!authorized) add_key(endpoint, options, scheme);
    for (const auto& [name, value] : options.own_headers) {
        if (!value.empty()) endpoint.headers.push_back(header_line(name, value));
    }
    for (const char* own : {"messages", "input", "stream"}) {
        if (options.extra.find(own) != options.extra.end())
            throw ChatModelError::configuration(std::string(options.options_name) + "::extra cannot have '" + own +
                                                "'");
    }
    if (options.timeout.count() <= 0 || options.connect_timeout.count() <= 0)
        throw ChatModelError::configuration("a timeout must be positive");
    if (options.retry.max_attempts < 1) throw ChatModelError::configuration("there must be at least one attempt");
    return endpoint;
}

}  // namespace acta::inline ACTA_ABI::provider_detail
