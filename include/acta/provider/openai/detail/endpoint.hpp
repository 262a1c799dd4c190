// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <algorithm>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/chat/chat_model_error.hpp"
#include "acta/provider/http/secrets.hpp"
#include "acta/provider/http/url.hpp"
#include "acta/provider/openai/options.hpp"
#include "acta/version.hpp"

// The options of a client, checked once and prepared for requests.
namespace acta::inline ACTA_ABI::openai_detail {

/// The destination of requests.
struct Endpoint {
    std::string url{};
    std::string shown_url{};  ///< Without a query, which may hold a key.
    std::string host{};
    std::vector<std::string> headers{};
    http::Secrets secrets{};
};

/// What a server wants, unless the options say otherwise.
struct HostRules {
    std::string_view max_tokens_key = "max_tokens";
    openai::SendReasoning reasoning = openai::SendReasoning::with_calls;
};

/// OpenAI's own models refuse `max_tokens` and ignore reasoning that is sent back; other servers have no other key, and
/// their models go on from the reasoning of the calls.
[[nodiscard]] inline HostRules rules_of(std::string_view host) noexcept {
    return host == "api.openai.com" ? HostRules{"max_completion_tokens", openai::SendReasoning::never} : HostRules{};
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

/// Sets the destination of requests, and returns the scheme.
[[nodiscard]] inline std::string set_url(Endpoint& endpoint, const std::string& base_url) {
    std::optional<http::Url> url = http::Url::parse(base_url);
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
    constexpr std::string_view end = "/chat/completions";
    if (!path.ends_with(end)) path += end;
    url->set_path(path);
    url->drop_fragment();
    endpoint.host = url->host();
    endpoint.url = url->text();
    url->drop_query();
    endpoint.shown_url = url->text();
    return scheme;
}

inline void add_extra_headers(Endpoint& endpoint, const openai::Options& options, bool& authorized) {
    for (const auto& [name, value] : options.headers) {
        const std::string lower = lower_case(name);
        for (const char* own : {"content-length", "transfer-encoding", "content-type", "host", "expect"}) {
            if (lower == own)
                throw ChatModelError::configuration("the header " + name + " is set by the client itself");
        }
        endpoint.headers.push_back(header_line(name, value));
        if (lower == "authorization") authorized = true;
        if (!is_secret_header(lower)) continue;
        endpoint.secrets.add(value);
        endpoint.secrets.add(std::string_view(value).substr(value.find_last_of(' ') + 1));  // after "Bearer"
    }
}

inline void add_key(Endpoint& endpoint, const openai::Options& options, const std::string& scheme) {
    std::optional<std::string> key = options.api_key;
    if (!key) {
        key = http::environment("OPENAI_API_KEY");
        if (key && !key->empty() && scheme == "http" && !http::is_this_machine(endpoint.host)) {
            throw ChatModelError::configuration(
                "the key of OPENAI_API_KEY does not go to " + endpoint.shown_url +
                ", over plain http: give it as openai::Options::api_key where it is meant for that "
                "server, or an empty text where the server needs none");
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
    endpoint.headers.push_back(header_line("Authorization", "Bearer " + *key));
}

/// Checks the options. Throws `ChatModelError` of fault `configuration`, which contains no secret.
[[nodiscard]] inline Endpoint make_endpoint(const openai::Options& options) {
    Endpoint endpoint;
    const std::string scheme = set_url(endpoint, options.base_url);
    endpoint.headers = {"Content-Type: application/json", "Accept: application/json, text/event-stream",
                        std::string("User-Agent: acta/") + version};
    bool authorized = false;
    add_extra_headers(endpoint, options, authorized);
    if (!authorized) add_key(endpoint, options, scheme);
    if (!options.organization.empty())
        endpoint.headers.push_back(header_line("OpenAI-Organization", options.organization));
    if (!options.project.empty()) endpoint.headers.push_back(header_line("OpenAI-Project", options.project));
    for (const char* own : {"messages", "stream"}) {
        if (options.extra.find(own) != options.extra.end())
            throw ChatModelError::configuration(std::string("openai::Options::extra cannot have '") + own + "'");
    }
    if (options.timeout.count() <= 0 || options.connect_timeout.count() <= 0)
        throw ChatModelError::configuration("a timeout must be positive");
    if (options.retry.max_attempts < 1) throw ChatModelError::configuration("there must be at least one attempt");
    return endpoint;
}

}  // namespace acta::inline ACTA_ABI::openai_detail
