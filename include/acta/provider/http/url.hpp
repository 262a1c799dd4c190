// SPDX-License-Identifier: MIT
#pragma once

// Needs libcurl: link acta::client.

#include <algorithm>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#if !defined(_WIN32)
#include <arpa/inet.h>
#include <netinet/in.h>
#endif

#include "acta/provider/http/detail/curl.hpp"

namespace acta::inline ACTA_ABI::http_detail {

/// Returns whether the text is an IPv4 address of the loopback network, 127.0.0.0/8 (RFC 1122, section 3.2.1.3).
[[nodiscard]] inline bool is_loopback_ipv4(const std::string& text) {
    ::in_addr address{};
    if (::inet_pton(AF_INET, text.c_str(), &address) != 1) return false;
    return reinterpret_cast<const unsigned char*>(&address)[0] == 127;
}

/// Returns whether the text is `::1` in any spelling, or a loopback IPv4 address mapped to IPv6.
[[nodiscard]] inline bool is_loopback_ipv6(const std::string& text) {
    ::in6_addr address{};
    if (::inet_pton(AF_INET6, text.c_str(), &address) != 1) return false;
    const auto* const bytes = reinterpret_cast<const unsigned char*>(&address);
    constexpr unsigned char loopback[16] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1};
    constexpr unsigned char mapped[13] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF, 127};
    return std::equal(loopback, loopback + 16, bytes) || std::equal(mapped, mapped + 13, bytes);
}

}  // namespace acta::inline ACTA_ABI::http_detail

namespace acta::inline ACTA_ABI::http {

/// A URL, parsed by libcurl, so that there can be no disagreement about its host. Every function may throw
/// `std::bad_alloc`.
class Url {
public:
    /// Parses a URL. Returns nothing if the text is not an absolute URL.
    [[nodiscard]] static std::optional<Url> parse(const std::string& text) {
        Url url;
        if (text.find('\0') != std::string::npos ||
            curl_url_set(url.parts_.get(), CURLUPART_URL, text.c_str(), 0) != CURLUE_OK)
            return std::nullopt;
        return url;
    }

    /// Returns the whole URL, reassembled from its parts: its spelling may differ from the parsed text.
    [[nodiscard]] std::string text() const { return get(CURLUPART_URL); }
    /// Returns the scheme in lower case, such as `https`.
    [[nodiscard]] std::string scheme() const { return get(CURLUPART_SCHEME); }
    /// Returns the path, from its first slash on, without query and fragment. Percent-encoding is kept.
    [[nodiscard]] std::string path() const { return get(CURLUPART_PATH); }
    /// Returns the host in lower case, IPv6 addresses in brackets.
    [[nodiscard]] std::string host() const {
        std::string out = get(CURLUPART_HOST);
        for (char& c : out) {
            if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        }
        return out;
    }
    /// Returns whether the URL holds a user's name or a password, as `https://name:password@host/` does.
    [[nodiscard]] bool has_credentials() const {
        return !get(CURLUPART_USER).empty() || !get(CURLUPART_PASSWORD).empty();
    }

    /// Replaces the path by `path`, which is used unchanged: characters that need percent-encoding must have it.
    void set_path(const std::string& path) { set(CURLUPART_PATH, path.c_str()); }
    /// Removes the query, if any: `?` and the text after it, up to the fragment.
    void drop_query() { set(CURLUPART_QUERY, nullptr); }
    /// Removes the fragment, if any: `#` and the text after it.
    void drop_fragment() { set(CURLUPART_FRAGMENT, nullptr); }

private:
    Url() : parts_(curl_url()) {
        if (parts_ == nullptr) throw std::bad_alloc();
    }
    [[nodiscard]] std::string get(CURLUPart part) const {
        char* text = nullptr;
        if (curl_url_get(parts_.get(), part, &text, 0) != CURLUE_OK) return {};
        const std::unique_ptr<char, void (*)(void*)> owner(text, &curl_free);
        return text;
    }
    void set(CURLUPart part, const char* text) {
        if (curl_url_set(parts_.get(), part, text, 0) != CURLUE_OK) throw std::bad_alloc();
    }

    struct Close {
        void operator()(CURLU* parts) const noexcept { curl_url_cleanup(parts); }
    };
    std::unique_ptr<CURLU, Close> parts_;
};

/// Returns a variable of the environment, or nothing if it is not set.
[[nodiscard]] inline std::optional<std::string> environment(const char* name) {
    const std::unique_ptr<char, void (*)(void*)> value(curl_getenv(name), &curl_free);
    if (value == nullptr) return std::nullopt;
    return std::string(value.get());
}

/// Returns whether the host of a URL (in lower case, IPv6 addresses in brackets) is this machine: a loopback address,
/// or a name below `localhost` (RFC 6761, section 6.3).
[[nodiscard]] inline bool is_this_machine(std::string host) {
    if (host.size() > 2 && host.front() == '[' && host.back() == ']')
        return http_detail::is_loopback_ipv6(host.substr(1, host.size() - 2));
    if (host.ends_with('.')) host.pop_back();
    return host == "localhost" || host.ends_with(".localhost") || http_detail::is_loopback_ipv4(host);
}

}  // namespace acta::inline ACTA_ABI::http
