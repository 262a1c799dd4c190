// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/mcp/transport.hpp"
#include "acta/provider/http/http.hpp"

namespace acta::inline ACTA_ABI::mcp {

/// What a server wants before it answers (RFC 6750, section 3; RFC 9728, section 5.1).
struct Challenge {
    int status = 0;                   ///< 401: a token, or another one; 403: one that allows more.
    std::string resource_metadata{};  ///< The URL of a document that names the servers which give tokens.
    std::string scope{};              ///< What the token must allow.
    std::string error{};              ///< Such as `invalid_token` or `insufficient_scope`.

    friend bool operator==(const Challenge&, const Challenge&) = default;
};

/// Returns what the value of a header `WWW-Authenticate` says about tokens; nothing if it does not.
[[nodiscard]] std::optional<Challenge> parse_challenge(std::string_view header, int status);

/// Returns a token (`Authorization: Bearer`) for a server: for each request with null, and once more with the server's
/// words if it refuses that one. An empty text is none. A function without a parameter will do.
class TokenSource {
public:
    TokenSource() = default;
    /// A function of a challenge, or of nothing.
    template <class F>
        requires(std::is_invocable_r_v<std::string, F&, const Challenge*> || std::is_invocable_r_v<std::string, F&>)
    TokenSource(F function) {  // NOLINT(google-explicit-constructor)
        if constexpr (std::is_invocable_r_v<std::string, F&, const Challenge*>)
            function_ = std::move(function);
        else
            function_ = [function = std::move(function)](const Challenge*) mutable { return function(); };
    }

    /// Returns whether there is a function.
    explicit operator bool() const noexcept { return static_cast<bool>(function_); }
    /// Returns a token.
    [[nodiscard]] std::string operator()(const Challenge* challenge) const { return function_(challenge); }

private:
    std::function<std::string(const Challenge*)> function_{};
};

/// How a server is reached over HTTP.
struct HttpOptions {
    std::string url{};                                 ///< Of its endpoint.
    http::Transport transport{};                       ///< What sends requests, such as `http::send`.
    TokenSource token{};                               ///< Sent to this server alone.
    std::vector<std::string> headers{};                ///< Of every request, as in `http::Request`.
    std::string ca_file{};                             ///< As in `http::Request`.
    std::optional<std::string> proxy{};                ///< As in `http::Request`.
    std::chrono::milliseconds connect_timeout{10000};  ///< As in `http::Request`.
};

/// A server that is reached over HTTP ("Streamable HTTP"). Has no thread of its own.
class HttpTransport : public Transport {
public:
    /// Connects to nothing yet. Throws `ConnectionError` if the options are not usable: no transport, a URL that is
    /// none, or a token, or a header `Authorization`, for one of another machine that is not `https`.
    HttpTransport(HttpOptions options, std::string name, std::size_t max_bytes);

    void open(OnMessage on_notice) override;
    [[nodiscard]] Response exchange(const Outgoing& request, const Patience& patience,
                                    const OnMessage& on_message) override;
    void send(const Outgoing& message, const Patience& patience) override;
    void listen(const std::vector<std::string>& headers, const Until& until, const std::function<void()>& on_open,
                const OnMessage& on_message) override;
    [[nodiscard]] bool is_process() const noexcept override { return false; }
    [[nodiscard]] bool is_open() const override { return true; }
    void close() noexcept override;

private:
    class Stream;
    [[nodiscard]] static bool is_authorization(std::string_view header);
    [[nodiscard]] http::Request request(std::string method, const Outgoing& message, bool has_session) const;
    [[nodiscard]] http::Reply ask(http::Request& request, Stream& stream);
    [[nodiscard]] std::string session() const;
    void resume(const Outgoing& message, Stream& stream);
    [[nodiscard]] std::string called() const { return "the server '" + name_ + "'"; }

    HttpOptions options_;
    std::string name_;
    std::size_t max_bytes_;
    http::Secrets secrets_{};  // those of every request
    mutable std::mutex mutex_{};
    std::string session_{};
    std::string version_{};  // a header of the session, for its end
};

}  // namespace acta::inline ACTA_ABI::mcp

#ifndef ACTA_COMPILED
#include "acta/mcp/detail/http_transport.inl.hpp"
#endif
