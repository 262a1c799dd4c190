// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/mcp/detail/wire.hpp"
#include "acta/mcp/http_transport.hpp"

namespace acta::inline ACTA_ABI::mcp {

/// What arrives in answer to one message: a response, and messages before it.
class HttpTransport::Stream {
public:
    using Clock = std::chrono::steady_clock;

    /// Without `wanted`, no response ends it.
    Stream(const HttpTransport& of, std::optional<RequestId> wanted, const Patience& patience,
           const OnMessage& on_message)
        : wanted_(std::move(wanted)),
          patience_(patience),
          max_bytes_(of.max_bytes_),
          on_message_(on_message),
          deadline_(patience),
          secrets_(of.secrets_) {
        secrets_.add(of.session());
    }

    std::function<void()> on_open{};  // called when a stream begins
    std::optional<Response> response{};
    std::string garbage{};  // the last that was not a message

    /// Takes part in a request, whose deadline it sets. The token is not shown, nor are those of earlier requests.
    void join(http::Request& request, const std::string& token) {
        secrets_.add(token);
        events_ = {};
        is_new_ = true;
        since_event_ = 0;
        request.max_bytes = static_cast<std::size_t>(-1);  // a stream may last for days; what is held is limited here
        request.stop = patience_.until.stop;
        request_ = &request;
        move_deadline();
    }
    /// Takes what has arrived.
    http::Demand operator()(http::Reply& reply) {
        if (!is_stream(reply)) {
            if (reply.body.size() > max_bytes_) throw_too_large();
            return http::Demand::more;
        }
        if (std::exchange(is_new_, false) && on_open) on_open();
        const std::string body = std::exchange(reply.body, {});
        since_event_ += body.size();
        events_.add(body, [&](std::string_view data) {
            since_event_ = 0;
            take(data);
        });
        if (since_event_ > max_bytes_) throw_too_large();
        move_deadline();
        last_id_ = events_.last_event_id().empty() ? last_id_ : events_.last_event_id();
        if (events_.retry()) retry_ = *events_.retry();
        return response ? http::Demand::nothing : http::Demand::more;
    }
    /// Takes a JSON text: a message, or several.
    void take(std::string_view text) {
        if (text.find_first_not_of(" \t\r\n") == std::string_view::npos) return;
        try {
            Json value = mcp_detail::parse_json(text, max_bytes_);
            secrets_.hide_in(value, http::Secrets::shortest_in_answers);
            if (!value.is_array()) return take_message(message_of(std::move(value)));
            for (const Json& one : base::array_of(value)) take_message(message_of(one));
        } catch (const MessageError&) {
            garbage = secrets_.hide(std::string(utf8::prefix(text, 200)));
        }
    }

    [[nodiscard]] static bool is_stream(const http::Reply& reply) {
        return reply.status / 100 == 2 && reply.header("content-type").starts_with("text/event-stream");
    }
    /// Returns whether the rest can be asked for.
    [[nodiscard]] bool can_resume() const noexcept { return !response && !last_id_.empty(); }
    [[nodiscard]] const std::string& last_id() const noexcept { return last_id_; }
    /// Waits before the rest is asked for, as long as the server wants, and longer each time if nothing comes. Throws
    /// `Timeout` and `Cancelled`.
    void wait() {
        pause_ = std::min<std::chrono::milliseconds>(2 * pause_, std::chrono::seconds(1));
        std::mutex mutex;
        std::unique_lock lock(mutex);
        condition_variable_any never;
        const auto moment = base::saturated_sum(Clock::now(), std::max(retry_, pause_));
        base::wait_until(never, lock, patience_.until.stop, std::min(moment, deadline_.end()), [] { return false; });
        deadline_.check();
    }
    [[nodiscard]] std::string hidden(std::string text) const { return secrets_.hide(std::move(text)); }

private:
    static constexpr std::chrono::milliseconds shortest_pause{5};

    [[noreturn]] void throw_too_large() const {
        throw http::Error(http::Fault::too_large, "a message is larger than " + std::to_string(max_bytes_) + " bytes");
    }
    void take_message(Message message) {
        pause_ = shortest_pause;
        if (auto* const answer = std::get_if<Response>(&message)) {
            // An error may be for a request whose id the server could not read.
            if (wanted_ && !response && (!answer->id || *answer->id == *wanted_)) {
                response = std::move(*answer);
                response->id = wanted_;
            }
            return;
        }
        on_message_(std::move(message));
    }
    /// A person may have been asked since the request was sent.
    void move_deadline() const {
        request_->deadline = std::min(deadline_.end(), Clock::now() + std::chrono::hours(24 * 365));
    }

    std::optional<RequestId> wanted_;
    const Patience& patience_;
    std::size_t max_bytes_;
    const OnMessage& on_message_;
    AnswerDeadline deadline_;
    http::Request* request_ = nullptr;
    http::Secrets secrets_;
    http::EventStreamReader events_{};
    bool is_new_ = true;
    std::size_t since_event_ = 0;  // bytes that belong to no whole event
    std::string last_id_{};
    std::chrono::milliseconds retry_{1000};
    std::chrono::milliseconds pause_{shortest_pause};
};

ACTA_INLINE std::optional<Challenge> parse_challenge(std::string_view header, int status) {
    constexpr std::string_view scheme = "bearer";
    const auto starts_with_scheme = [&](std::string_view text) {
        return text.size() >= scheme.size() &&
               std::ranges::equal(text.substr(0, scheme.size()), scheme, {}, ascii::to_lower) &&
               (text.size() == scheme.size() || text[scheme.size()] == ' ');
    };
    const auto skip = [&](std::string_view of) {
        header.remove_prefix(std::min(header.find_first_not_of(of), header.size()));
    };
    // Other schemes may precede it, with parameters of their own.
    while (!starts_with_scheme(header)) {
        const std::size_t next = header.find_first_of(", ");
        if (next == std::string_view::npos) return std::nullopt;
        header.remove_prefix(next + 1);
    }
    header.remove_prefix(scheme.size());
    Challenge out{.status = status};
    for (skip(" ,"); !header.empty(); skip(" ,")) {
        const std::size_t equals = header.find('=');
        const std::string_view name = header.substr(0, equals);
        if (equals == std::string_view::npos || name.find(' ') != std::string_view::npos) break;
        header.remove_prefix(equals + 1);
        std::string value;
        if (header.starts_with('"')) {
            std::size_t i = 1;
            for (; i < header.size() && header[i] != '"'; ++i) {
                if (header[i] == '\\' && i + 1 < header.size()) ++i;
                value += header[i];
            }
            header.remove_prefix(std::min(i + 1, header.size()));
        } else {
            const std::size_t end = std::min(header.find_first_of(", "), header.size());
            value = header.substr(0, end);
            header.remove_prefix(end);
        }
        if (name == "resource_metadata")
            out.resource_metadata = std::move(value);
        else if (name == "scope")
            out.scope = std::move(value);
        else if (name == "error")
            out.error = std::move(value);
    }
    return out;
}

ACTA_INLINE bool HttpTransport::is_authorization(std::string_view header) {
    constexpr std::string_view name = "authorization:";
    return header.size() > name.size() && std::ranges::equal(header.substr(0, name.size()), name, {}, ascii::to_lower);
}

ACTA_INLINE HttpTransport::HttpTransport(HttpOptions options, std::string name, std::size_t max_bytes)
    : options_(std::move(options)), name_(std::move(name)), max_bytes_(max_bytes) {
    const std::optional<http::Url> url = http::Url::parse(options_.url);
    if (!url) throw ConnectionError(called() + " has a URL that is not valid: " + http::Url::problem(options_.url));
    if (!options_.transport)
        throw ConnectionError(called() +
                              " is reached over HTTP, and has no transport "
                              "(include acta/mcp/http.hpp, or set ClientOptions::transport)");
    const bool has_token = options_.token || std::ranges::any_of(options_.headers, is_authorization);
    if (has_token && url->scheme != "https" && !http::is_this_machine(url->host))
        throw ConnectionError(called() + " would get its token over plain http: its URL must begin with https://");
    http::Request request;
    request.url = options_.url;
    request.headers = options_.headers;
    request.proxy = options_.proxy;
    secrets_ = http::Secrets::of(request);
}

ACTA_INLINE void HttpTransport::open(OnMessage) {
    const std::lock_guard lock(mutex_);
    session_.clear();
}

ACTA_INLINE std::string HttpTransport::session() const {
    const std::lock_guard lock(mutex_);
    return session_;
}

ACTA_INLINE http::Request HttpTransport::request(std::string method, const Outgoing& message, bool has_session) const {
    http::Request out;
    out.url = options_.url;
    out.headers = options_.headers;
    if (method == "POST") {
        out.headers.emplace_back("Content-Type: application/json");
        out.body = to_text(message.message);
    }
    out.headers.emplace_back(method == "POST" ? "Accept: application/json, text/event-stream"
                                              : "Accept: text/event-stream");
    out.headers.insert(out.headers.end(), message.headers.begin(), message.headers.end());
    if (has_session) out.headers.push_back("Mcp-Session-Id: " + session());
    out.method = std::move(method);
    out.ca_file = options_.ca_file;
    out.proxy = options_.proxy;
    out.connect_timeout = options_.connect_timeout;
    return out;
}

/// Sends a request with a token, and once more with another one if the server refuses that.
ACTA_INLINE http::Reply HttpTransport::ask(http::Request& request, Stream& stream) {
    const std::vector<std::string> headers = request.headers;
    std::string token = options_.token ? options_.token(nullptr) : "";
    for (bool is_second = false;; is_second = true) {
        request.headers = headers;
        if (!token.empty()) request.headers.push_back("Authorization: Bearer " + token);
        stream.join(request, token);
        http::Reply reply;
        try {
            reply = options_.transport(request, [&](http::Reply& part) { return stream(part); });
            if (Stream::is_stream(reply)) stream(reply);  // of a transport that does not hand on parts
        } catch (const http::Error& error) {
            throw ConnectionError(called() + ": " + stream.hidden(error.what()));
        }
        if ((reply.status != 401 && reply.status != 403) || !options_.token || is_second) return reply;
        std::optional<Challenge> challenge = parse_challenge(reply.header("www-authenticate"), reply.status);
        if (!challenge && reply.status == 403) return reply;
        if (!challenge) challenge = Challenge{.status = reply.status};
        token = options_.token(&*challenge);
        if (token.empty()) return reply;
    }
}

ACTA_INLINE Response HttpTransport::exchange(const Outgoing& out, const Patience& patience,
                                             const OnMessage& on_message) {
    const auto& message = std::get<Request>(out.message);
    const bool has_session = !out.is_stateless && !session().empty();
    if (has_session && !out.headers.empty()) {
        const std::lock_guard lock(mutex_);
        version_ = out.headers.front();
    }
    Stream stream(*this, message.id, patience, on_message);
    http::Request request = this->request("POST", out, has_session);
    http::Reply reply;
    try {
        reply = ask(request, stream);
    } catch (const ConnectionError&) {
        if (out.is_stateless || !stream.can_resume()) throw;
        reply.status = 200;  // a stream that broke
    }
    if (!stream.response && !Stream::is_stream(reply)) stream.take(reply.body);
    if (message.method == "initialize" && stream.response) {
        const std::string_view id = reply.header("mcp-session-id");
        const std::lock_guard lock(mutex_);
        if (std::ranges::all_of(id, [](char c) { return c > ' ' && c <= '~'; })) session_ = id;
    }
    if (!stream.response && reply.status / 100 == 2 && !out.is_stateless && stream.can_resume()) resume(out, stream);
    if (stream.response) return *std::move(stream.response);
    if (reply.status / 100 != 2) {
        const std::string body = stream.hidden(std::string(utf8::prefix(reply.body, 200)));
        throw StatusError(reply.status, base::concat({called(), " answered ", message.method, " with status ",
                                                      std::to_string(reply.status), body.empty() ? "" : ": ", body}));
    }
    throw ConnectionError(
        base::concat({called(), " did not answer ", message.method, ": its reply ended before that",
                      stream.garbage.empty() ? "" : "; it sent what is not a message: ", stream.garbage}));
}

/// Asks for the rest of a stream that has ended before its response.
ACTA_INLINE void HttpTransport::resume(const Outgoing& message, Stream& stream) {
    while (stream.can_resume()) {
        stream.wait();
        http::Request request = this->request("GET", message, !session().empty());
        request.headers.push_back("Last-Event-ID: " + stream.last_id());
        http::Reply reply;
        try {
            reply = ask(request, stream);
        } catch (const ConnectionError&) {
            continue;  // the server may be back before the deadline
        }
        if (reply.status / 100 != 2)
            throw StatusError(reply.status, called() + " did not continue a stream that broke: status " +
                                                std::to_string(reply.status));
    }
}

ACTA_INLINE void HttpTransport::send(const Outgoing& out, const Patience& patience) {
    const OnMessage none = [](const Message&) {};
    Stream stream(*this, std::nullopt, patience, none);
    http::Request request = this->request("POST", out, !out.is_stateless && !session().empty());
    const http::Reply reply = ask(request, stream);
    if (reply.status / 100 != 2)
        throw StatusError(reply.status, called() + " refused a message with status " + std::to_string(reply.status));
}

ACTA_INLINE void HttpTransport::listen(const std::vector<std::string>& headers, const Until& until,
                                       const std::function<void()>& on_open, const OnMessage& on_message) {
    const Patience patience{.until = until};
    const Outgoing nothing{.headers = headers};
    Stream stream(*this, std::nullopt, patience, on_message);
    stream.on_open = on_open;
    for (bool is_first = true;; is_first = false) {
        try {
            if (!is_first) stream.wait();
            http::Request request = this->request("GET", nothing, !session().empty());
            if (!stream.last_id().empty()) request.headers.push_back("Last-Event-ID: " + stream.last_id());
            if (!Stream::is_stream(ask(request, stream))) return;
        } catch (const ConnectionError&) {  // the server may be back
        } catch (const Timeout&) {
            return;
        } catch (const Cancelled&) {
            return;
        }
    }
}

ACTA_INLINE void HttpTransport::close() noexcept {
    const std::string ended = session();
    if (ended.empty()) return;
    try {
        const Patience patience{.timeout = std::chrono::seconds(2)};
        const OnMessage none = [](const Message&) {};
        Stream stream(*this, std::nullopt, patience, none);
        Outgoing nothing;
        {
            const std::lock_guard lock(mutex_);
            if (!version_.empty()) nothing.headers.push_back(version_);
        }
        http::Request request = this->request("DELETE", nothing, true);
        static_cast<void>(ask(request, stream));
    } catch (...) {  // the server forgets it some time
    }
    open({});
}

}  // namespace acta::inline ACTA_ABI::mcp
