// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <charconv>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <ctime>
#include <functional>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/utility.hpp"
#include "acta/provider/http/detail/curl.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::http {

/// The reason why a request got no response.
enum class Fault {
    configuration,  ///< The request cannot be sent as it is.
    connection,     ///< No connection, or one that broke.
    security,       ///< The server's certificate is not trusted, or the server refused the TLS handshake.
    not_http,       ///< The server does not speak HTTP.
    too_large,      ///< The body or the headers exceed their limit.
    other
};

/// A request without a complete response.
class Error : public acta::Error {
public:
    /// Makes an error of this kind whose `what()` is `message`.
    Error(Fault fault, const std::string& message) : acta::Error(message), fault_(fault) {}

    /// Returns why there is no response.
    [[nodiscard]] Fault fault() const noexcept { return fault_; }

private:
    Fault fault_;
};

}  // namespace acta::inline ACTA_ABI::http

// Needs libcurl: link acta::client.

#if !defined(_WIN32)
#include <arpa/inet.h>
#include <netinet/in.h>
#endif

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

// Keys are removed from every text that leaves a client, including those echoed by a server.
namespace acta::inline ACTA_ABI::http {

/// Texts that must not be shown.
class Secrets {
public:
    /// Shorter texts (`none`, `x`) are not treated as secrets in errors: hiding them would garble unrelated text. In
    /// bytes.
    static constexpr std::size_t shortest_in_errors = 4;
    /// The same for answers, which may be about short keys of local servers, such as `lm-studio`. In bytes.
    static constexpr std::size_t shortest_in_answers = 16;

    /// Adds a secret, unless it is too short to be one.
    void add(std::string_view secret) {
        if (secret.size() >= shortest_in_errors) secrets_.emplace_back(secret);
        // Longest first, so that a secret contained in another does not leave a part of it.
        std::sort(secrets_.begin(), secrets_.end(),
                  [](const std::string& a, const std::string& b) { return a.size() > b.size(); });
    }

    /// Returns `text` with `***` in place of each secret of at least `shortest` bytes.
    [[nodiscard]] std::string hide(std::string text, std::size_t shortest = shortest_in_errors) const {
        for (const std::string& secret : secrets_) {
            if (secret.size() < shortest) continue;
            std::size_t at = text.find(secret);
            if (at == std::string::npos) continue;
            std::string out;
            std::size_t from = 0;
            for (; at != std::string::npos; at = text.find(secret, from)) {
                out.append(text, from, at - from).append(mask);
                from = at + secret.size();
            }
            text = out.append(text, from);
        }
        return text;
    }
    /// Hides secrets in every text of a value, including keys. Recurses as deep as the value, whose depth its reader
    /// has limited.
    void hide_in(Json& value, std::size_t shortest) const {
        if (longest() < shortest) return;
        if (value.is_string()) {
            auto& text = value.get_ref<std::string&>();
            text = hide(std::move(text), shortest);
        } else if (value.is_array()) {
            for (Json& one : value) hide_in(one, shortest);
        } else if (value.is_object()) {
            JsonObject clean;
            base::entries(clean).reserve(value.size());
            for (auto& [key, one] : value.get_ref<Json::object_t&>()) {
                hide_in(one, shortest);
                base::entries(clean).emplace_back(hide(key, shortest), std::move(one));
            }
            base::drop_repeated_keys(clean);
            value = std::move(clean);
        }
    }

    /// Returns how many bytes at the end of `text` may be the beginning of a secret.
    [[nodiscard]] std::size_t beginning_at_end(std::string_view text, std::size_t shortest) const {
        std::size_t longest_found = 0;
        for (const std::string& secret : secrets_) {
            if (secret.size() < shortest) continue;
            for (std::size_t n = std::min(secret.size() - 1, text.size()); n > longest_found; --n) {
                if (text.ends_with(std::string_view(secret).substr(0, n))) longest_found = n;
            }
        }
        return longest_found;
    }

private:
    static constexpr const char* mask = "***";
    [[nodiscard]] std::size_t longest() const noexcept { return secrets_.empty() ? 0 : secrets_.front().size(); }

    std::vector<std::string> secrets_{};
};

/// Removes secrets from a text that arrives in parts: a possible beginning of one is held back.
class SecretFilter {
public:
    /// `secrets` must outlive the filter.
    explicit SecretFilter(const Secrets& secrets) : secrets_(secrets) {}

    /// Adds a part and returns the text that can be shown now.
    [[nodiscard]] std::string add(std::string_view piece) {
        pending_ += piece;
        pending_ = secrets_.hide(std::move(pending_), Secrets::shortest_in_answers);
        const std::size_t held = secrets_.beginning_at_end(pending_, Secrets::shortest_in_answers);
        std::string out = pending_.substr(0, pending_.size() - held);
        pending_.erase(0, out.size());
        return out;
    }
    /// Returns the text that was held back, at the end.
    [[nodiscard]] std::string rest() { return std::exchange(pending_, {}); }

private:
    const Secrets& secrets_;
    std::string pending_{};
};

}  // namespace acta::inline ACTA_ABI::http

// Needs libcurl: link acta::client.

namespace acta::inline ACTA_ABI::http {

/// Reads a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date in any of its three forms. A date is
/// measured from `date`, the response's own `Date` header, as our clock may be wrong; without one, from `now`. A date
/// in the past results in 0, more than ten years in ten years, and anything else in nothing.
[[nodiscard]] inline std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value,
                                                                                std::string_view date,
                                                                                std::time_t now) {
    using std::chrono::seconds;
    constexpr std::int64_t longest = std::int64_t{10} * 365 * 24 * 3600;
    if (value.empty()) return std::nullopt;
    std::int64_t count = 0;
    const auto [end, error] = std::from_chars(value.data(), value.data() + value.size(), count);
    if (value.find_first_not_of("0123456789") == std::string_view::npos)
        return seconds(error == std::errc() && count < longest ? count : longest);
    const std::time_t wanted = curl_getdate(std::string(value).c_str(), nullptr);
    if (wanted < 0) return std::nullopt;
    const std::time_t sent = date.empty() ? std::time_t{-1} : curl_getdate(std::string(date).c_str(), nullptr);
    count = static_cast<std::int64_t>(wanted) - static_cast<std::int64_t>(sent < 0 ? now : sent);
    return seconds(count < 0 ? 0 : count < longest ? count : longest);
}

}  // namespace acta::inline ACTA_ABI::http

// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html
namespace acta::inline ACTA_ABI::http {

/// Splits a stream of server-sent events, which may arrive in any parts. Linear time; memory for one event.
///
/// @code{.cpp}
/// #include <cassert>
/// acta::http::EventStreamReader events;
/// std::string data;
/// events.add("data: one\n\ndata: two\n\n", [&](std::string_view event) { data += event; });
/// assert(data == "onetwo");
/// @endcode
class EventStreamReader {
public:
    /// Calls `callback(data)` for each event with data that ends in `bytes`. Lines end with LF, CR or both.
    template <class Callback>
    void add(std::string_view bytes, const Callback& callback) {
        if (after_cr_ && !bytes.empty()) {
            if (bytes.front() == '\n') bytes.remove_prefix(1);
            after_cr_ = false;
        }
        while (!bytes.empty()) {
            const std::size_t end = bytes.find_first_of("\r\n");
            line_.append(bytes.substr(0, end));
            if (end == std::string_view::npos) return;
            const bool cr = bytes[end] == '\r';
            bytes.remove_prefix(end + 1);
            if (cr && bytes.empty()) after_cr_ = true;
            if (cr && !bytes.empty() && bytes.front() == '\n') bytes.remove_prefix(1);
            if (take_line()) callback(std::string_view(std::exchange(data_, {})));
        }
    }
    /// Returns the data of an event not terminated by an empty line: some servers close the connection first.
    [[nodiscard]] std::string rest() {
        if (!line_.empty()) static_cast<void>(take_line());
        static_cast<void>(take_line());
        has_data_ = false;
        return std::exchange(data_, {});
    }

private:
    /// Returns whether the line ended an event with data.
    bool take_line() {
        std::string line = std::exchange(line_, {});
        std::string_view text = line;
        if (std::exchange(first_, false) && text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
        if (text.empty()) return std::exchange(has_data_, false);
        const std::size_t colon = text.find(':');
        if (text.substr(0, colon) != "data") return false;  // a comment, or a field of no use here
        std::string_view value = colon == std::string_view::npos ? std::string_view() : text.substr(colon + 1);
        if (value.starts_with(' ')) value.remove_prefix(1);
        if (has_data_) data_ += '\n';
        data_ += value;
        has_data_ = true;
        return false;
    }

    std::string line_{};
    std::string data_{};
    bool has_data_ = false;
    bool after_cr_ = false;
    bool first_ = true;
};

}  // namespace acta::inline ACTA_ABI::http

// Needs libcurl: link acta::client.

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
