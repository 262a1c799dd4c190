// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/utility.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::http_detail {
struct Unescaped;
}  // namespace acta::inline ACTA_ABI::http_detail

// HTTP requests and responses as values. Nothing here does I/O or needs libcurl; `http::send`, which does, is in
// acta/provider/http/curl.hpp.
namespace acta::inline ACTA_ABI::http {

/// The reason why a request got no response.
enum class Fault {
    configuration,  ///< The request cannot be sent as it is.
    connection,     ///< No connection, or one that broke.
    security,       ///< The server's certificate is not trusted, or there is no TLS that both sides accept.
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

/// An `http` or `https` URL, taken apart. Only spellings that all programs read alike are accepted: no user and
/// password, blanks, backslashes or percent-encoding before the path.
struct Url {
    std::string scheme{};  ///< `http` or `https`.
    /// In lower case, IPv6 addresses in brackets. An IPv4 address in any notation of `inet_aton` has its four numbers.
    std::string host{};
    std::string port{};   ///< Digits; empty if there is none.
    std::string path{};   ///< From its first slash on; empty if there is none. Percent-encoding is kept.
    std::string query{};  ///< The text after `?`, without the fragment.

    /// Parses a URL; its fragment is dropped. Returns nothing if the text is not such a URL.
    [[nodiscard]] static std::optional<Url> parse(std::string_view text);
    /// Returns why `parse` refuses the text, such as `it has a blank at byte 21` (the first one is 0), or nothing if it
    /// does not. Shows no part of the text, which may hold a key.
    [[nodiscard]] static std::string problem(std::string_view text);
    /// Returns whether the text has a blank or a control character, which no URL has.
    [[nodiscard]] static bool has_blank(std::string_view text) noexcept;
    /// Returns whether the text is a URL with a user's name or a password, as `https://name:password@host/`.
    [[nodiscard]] static bool has_credentials(std::string_view text) noexcept;

    /// Returns the whole URL, with or without its query.
    [[nodiscard]] std::string text(bool with_query = true) const;
};

/// Returns a variable of the environment, or nothing if it is not set.
[[nodiscard]] std::optional<std::string> environment(const char* name);

/// Returns whether the host of a URL (in lower case, IPv6 addresses in brackets) is this machine: a loopback address,
/// or a name below `localhost` (RFC 6761, section 6.3).
[[nodiscard]] bool is_this_machine(std::string_view host);

/// Reads a `Retry-After` header (RFC 9110, section 10.2.3): seconds, or a date in any of its three forms. A date is
/// measured from `date`, the response's own `Date` header, as our clock may be wrong; without one, from `now`. A date
/// in the past results in 0, more than ten years in ten years, and anything else in nothing.
[[nodiscard]] std::optional<std::chrono::milliseconds> parse_retry_after(std::string_view value, std::string_view date,
                                                                         std::time_t now);

/// A request.
struct Request {
    /// `POST`, `GET`, `DELETE` and the like: letters of ASCII. One other than `POST` is sent without a body if that is
    /// empty.
    std::string method{"POST"};
    std::string url{};                   ///< Absolute, with the scheme `http` or `https`.
    std::vector<std::string> headers{};  ///< Lines of the form `Name: value`, or `Name;` for an empty value.
    std::string body{};                  ///< The content.
    std::string ca_file{};               ///< PEM file of trusted certificates; empty for the system's.
    /// The URL of a proxy; empty for none. If not set, that of the environment (`https_proxy`, `http_proxy`,
    /// `all_proxy`, `no_proxy`), but none for this machine (`is_this_machine`).
    std::optional<std::string> proxy{};
    /// Time to look up the name, connect and shake hands, from 1 ms to one day: values outside are clamped. A server
    /// that takes longer is an `Error` with `Fault::connection`.
    std::chrono::milliseconds connect_timeout{10000};
    /// For the whole request. Must be set: the default is in the past. A sink may move it, if it refers to the request.
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
    renewed,   ///< As `optional`, and the two seconds start again.
    nothing  ///< The response is complete; its end is awaited for half a second, so that the connection can be reused.
};

/// Called by a transport when the headers have arrived, if it can tell, and whenever a part of the body has. May move
/// the text out of `Reply::body`. Not called again after returning `Demand::nothing`.
using Sink = std::function<Demand(Reply& reply)>;

/// Sends a request and returns the response, whatever its status. The sink is called by the thread that asks; a
/// transport that cannot hand on parts may ignore it, and the answer then comes in one piece. The transport keeps the
/// deadline, the stop and the limit of the request, decodes the body (`Content-Encoding`), does not follow redirects,
/// and throws `Error`, `Timeout`, `Cancelled`, and whatever the sink throws.
using Transport = std::function<Reply(const Request& request, const Sink& sink)>;

// Keys are removed from every text that leaves a client, including those echoed by a server.

/// Texts that must not be shown.
class Secrets {
public:
    /// Shorter texts (`none`, `x`) are not treated as secrets in errors: hiding them would garble unrelated text. In
    /// bytes.
    static constexpr std::size_t shortest_in_errors = 4;
    /// The same for answers, which may be about short keys of local servers, such as `lm-studio`. In bytes.
    static constexpr std::size_t shortest_in_answers = 16;

    /// Returns the secrets of a request: those of its URL, of the headers that hold one, and of its proxy and the
    /// proxies that the environment names.
    [[nodiscard]] static Secrets of(const Request& request);
    /// Returns whether a header is likely to hold a secret: by its name, or because its value names a scheme of
    /// authentication.
    [[nodiscard]] static bool is_secret_header(std::string_view name, std::string_view value);

    /// Adds a secret, unless it is too short to be one.
    void add(std::string_view secret);
    /// Adds the value of a header: all of it, what is after its scheme, the values of parameters and cookies, except
    /// for parameters that hold no secret (`realm`, `SignedHeaders`), and of `Basic` the user and the password, as
    /// `add_url` does.
    void add_header(std::string_view value);
    /// Adds the query of a URL: all of it, and each of its values, as they are and percent-decoded.
    void add_query(std::string_view query);
    /// Adds what a URL holds besides its address: user and password, query and fragment. The name of a user is only a
    /// secret without a password, or if it is as long as a token (16 bytes).
    void add_url(std::string_view url);

    /// Returns `text` with `***` in place of each secret of at least `shortest` bytes, also if it is escaped as in
    /// JSON, a URL or HTML, or is part of a word in base64.
    [[nodiscard]] std::string hide(std::string text, std::size_t shortest = shortest_in_errors) const;
    /// Hides secrets in every text of a value, including keys. Recurses as deep as the value, whose depth its reader
    /// has limited.
    void hide_in(Json& value, std::size_t shortest) const;

    /// Returns how many bytes at the end of `text` may be the beginning of a secret, in any form that `hide` finds.
    [[nodiscard]] std::size_t beginning_at_end(std::string_view text, std::size_t shortest) const {
        return text.size() - find(text, shortest, true).open;
    }

private:
    friend class SecretFilter;
    struct Found {
        std::vector<std::pair<std::size_t, std::size_t>> ranges{};
        std::size_t open = 0;  // where what may be the beginning of a secret begins; the end if there is none
    };

    [[nodiscard]] std::size_t longest() const noexcept { return secrets_.empty() ? 0 : secrets_.front().size(); }
    [[nodiscard]] Found find(std::string_view text, std::size_t shortest, bool at_end) const;
    [[nodiscard]] std::size_t prefix_at_end(std::string_view text, std::size_t shortest) const noexcept;
    [[nodiscard]] std::size_t open_in(const http_detail::Unescaped& in, std::size_t shortest, int times) const;
    [[nodiscard]] std::size_t base64_at_end(std::string_view text, std::size_t shortest) const;
    void add_decoded(std::string_view text);
    void add_user(std::string_view user);
    void add_parameters(std::string_view text, bool has_scheme);

    std::vector<std::string> secrets_{};  // the longest first
};

/// Removes secrets from a text that arrives in parts: a possible beginning of one, in any form that `Secrets::hide`
/// finds, is held back. Linear in the text, whatever its parts are.
class SecretFilter {
public:
    /// Adds a part and returns the text that can be shown now. The secrets must outlive the filter.
    [[nodiscard]] std::string add(std::string_view piece, const Secrets& secrets);
    /// Returns the text that was held back, at the end.
    [[nodiscard]] std::string rest();

private:
    [[nodiscard]] std::string cut(std::size_t end, std::vector<std::pair<std::size_t, std::size_t>> ranges);

    const Secrets* secrets_ = nullptr;
    std::string pending_{};
    std::size_t before_ = 0;  // bytes at its beginning that were shown
    std::size_t enough_ = 0;  // bytes of it before it is looked at again
};

// Server-sent events: https://html.spec.whatwg.org/multipage/server-sent-events.html

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
    /// Calls `callback(data)` for each event with data, which may be empty, that ends in `bytes`; `event()` is its name
    /// during the call. Lines end with LF, CR or both.
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
    [[nodiscard]] std::string rest();
    /// Returns the name of the event (`event:`) whose data was returned last; empty if it has none.
    [[nodiscard]] const std::string& event() const noexcept { return event_; }
    /// Returns the last identifier (`id:`) of an event that has ended, with or without data; empty if there was none.
    /// A stream that breaks is continued after it by the header `Last-Event-ID`.
    [[nodiscard]] const std::string& last_event_id() const noexcept { return last_id_; }
    /// Returns how long to wait before such a request (`retry:`), as the stream said last; nothing if it did not.
    [[nodiscard]] std::optional<std::chrono::milliseconds> retry() const noexcept { return retry_; }

private:
    /// Returns whether the line ended an event with data.
    bool take_line();

    std::string line_{};
    std::string data_{};
    std::string name_{};   // of the event being read
    std::string event_{};  // of the one that ended last
    std::string id_{};     // of the event being read, or before it
    std::string last_id_{};
    std::optional<std::chrono::milliseconds> retry_{};
    bool has_data_ = false;
    bool after_cr_ = false;
    bool first_ = true;
};

}  // namespace acta::inline ACTA_ABI::http

#ifndef ACTA_COMPILED
#include "acta/provider/http/detail/http.inl.hpp"
#include "acta/provider/http/detail/secrets.inl.hpp"
#endif
