// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <cstdint>
#include <map>
#include <memory>
#include <mutex>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utility.hpp"
#include "acta/mcp/detail/server.inl.hpp"
#include "acta/mcp/detail/wire.hpp"
#include "acta/mcp/http_server.hpp"
#include "acta/provider/http/http.hpp"

namespace acta::inline ACTA_ABI::mcp::server_detail {

using Headers = std::vector<std::pair<std::string, std::string>>;

/// Returns the value of a header; nothing if there is none.
[[nodiscard]] ACTA_INLINE std::optional<std::string> header_of(const HttpCall& call, std::string_view name) {
    for (const auto& [key, value] : call.headers)
        if (std::ranges::equal(key, name, {}, ascii::to_lower, ascii::to_lower)) return value;
    return std::nullopt;
}

/// Returns the text that a header value stands for; nothing if it is not valid.
[[nodiscard]] ACTA_INLINE std::optional<std::string> decoded_header(std::string_view value) {
    constexpr std::string_view begin = "=?base64?";
    if (!value.starts_with(begin) || !value.ends_with("?=")) {
        if (!std::ranges::all_of(value, [](char c) { return (c >= ' ' && c <= '~') || c == '\t'; }))
            return std::nullopt;
        return std::string(value);
    }
    value = value.substr(begin.size(), value.size() - begin.size() - 2);
    std::string out;
    if (!value.empty() && !base::append_base64(value, out)) return std::nullopt;
    return out;
}

/// Returns whether a text is this number, however both are written.
[[nodiscard]] ACTA_INLINE bool is_number(const std::string& text, const Json& number) {
    try {
        const Json read = parse<Json>(text);
        return read.is_number() && base::whole_number(read) == base::whole_number(number);
    } catch (const ValidationError&) {
        return false;
    }
}

/// Returns what headers of a request of 2026 say otherwise than its body; nothing if they agree.
[[nodiscard]] ACTA_INLINE std::optional<ErrorObject> header_fault(const HttpCall& call, const Request& request,
                                                                  const Offer& offer) {
    const auto fault = [](std::string_view name, std::string_view what) {
        return ErrorObject{error_code::header_mismatch, base::concat({"Header mismatch: ", name, " ", what}),
                           std::nullopt};
    };
    const auto differs = [&](std::string_view name, std::string_view wanted) -> std::optional<ErrorObject> {
        const std::optional<std::string> value = header_of(call, name);
        if (!value) return fault(name, "is missing");
        const std::optional<std::string> text = decoded_header(*value);
        if (!text) return fault(name, "is not valid");
        if (*text != wanted) return fault(name, "is not what the body says");
        return std::nullopt;
    };
    const JsonObject& params = request.params;
    const JsonObject meta = mcp_detail::object_member(params, "_meta");
    const std::string version = base::text_member(Json(meta), mcp_detail::version_key);
    if (auto wrong = differs("MCP-Protocol-Version", version)) return wrong;
    if (auto wrong = differs("Mcp-Method", request.method)) return wrong;
    const std::string_view key = mcp_detail::named_by(request.method);
    if (key.empty()) return std::nullopt;
    const std::string name = base::text_member(params, key);
    if (auto wrong = differs("Mcp-Name", name)) return wrong;
    if (request.method != "tools/call") return std::nullopt;
    const std::string* const skill = offer.names.find_skill(name);
    if (skill == nullptr) return std::nullopt;
    std::vector<HeaderParameter> parameters;
    try {
        const Json schema = offer.skills.at(*skill).schema();
        parameters = header_parameters(JsonObject(base::object_of(schema)));
    } catch (const mcp::Error&) {  // a client does not call such a tool
    }
    for (const HeaderParameter& one : parameters) {
        const Json* const value = mcp_detail::argument_at(params, one);
        const std::optional<std::string> wanted = value == nullptr ? std::nullopt : mcp_detail::header_text(*value);
        const std::string header = "Mcp-Param-" + one.name;
        const std::optional<std::string> given = header_of(call, header);
        if (!wanted && !given) continue;
        if (!wanted) return fault(header, "is not what the body says");
        if (!given) return fault(header, "is missing");
        const std::optional<std::string> text = decoded_header(*given);
        if (!text) return fault(header, "is not valid");
        if (*text != *wanted && !(value->is_number() && is_number(*text, *value)))
            return fault(header, "is not what the body says");
    }
    return std::nullopt;
}

/// The answer to a request: one message, or a stream of them.
class Reply {
public:
    Reply(HttpAnswer& answer, const stop_token& stop) : answer_(answer), linked_(stop, End{&gone_}) {}

    [[nodiscard]] stop_token stop() const { return gone_.get_token(); }
    [[nodiscard]] bool has_begun() const {
        const std::lock_guard lock(mutex_);
        return has_begun_;
    }

    /// Sends a whole answer, unless something was sent.
    void whole(int status, std::string_view body, Headers headers = {}) {
        const std::lock_guard lock(mutex_);
        if (std::exchange(has_begun_, true)) return;
        if (!body.empty()) headers.emplace_back("Content-Type", "application/json");
        headers.emplace_back("Content-Length", std::to_string(body.size()));
        answer_.begin(status, headers);
        if (!body.empty()) put(body);
    }
    void whole(int status, const Response& response, Headers headers = {}) {
        whole(status, to_text(response), std::move(headers));
    }
    /// Sends a message of a stream, which begins with the first one.
    void event(const Message& message) {
        const std::lock_guard lock(mutex_);
        begin_stream();
        put(base::concat({"data: ", to_text(message), "\n\n"}));
    }
    void open_stream() {
        const std::lock_guard lock(mutex_);
        begin_stream();
    }
    /// Keeps a stream from being closed because nothing comes.
    void comment() {
        const std::unique_lock lock(mutex_, std::try_to_lock);
        if (lock.owns_lock() && is_stream_) put(":\n\n");  // else something is being sent
    }
    /// Sends nothing more: the answer is no longer there.
    void finish() {
        const std::lock_guard lock(mutex_);
        is_gone_ = true;
    }
    /// Ends it, as if the client had gone.
    void end() { gone_.request_stop(); }

private:
    struct End {
        stop_source* source;
        void operator()() const noexcept { source->request_stop(); }
    };
    void begin_stream() {
        if (std::exchange(has_begun_, true)) return;
        is_stream_ = true;
        answer_.begin(200, {{"Content-Type", "text/event-stream"},
                            {"Cache-Control", "no-cache, no-transform"},
                            {"X-Accel-Buffering", "no"}});
    }
    void put(std::string_view text) {
        if (!is_gone_ && !answer_.write(text)) {
            is_gone_ = true;
            gone_.request_stop();
        }
    }

    HttpAnswer& answer_;
    mutable std::mutex mutex_{};
    stop_source gone_{};
    stop_callback<End> linked_;
    bool has_begun_ = false;
    bool is_stream_ = false;
    bool is_gone_ = false;
};

/// A session of a client before 2026, and its stream for what belongs to no answer.
struct HttpSession {
    HttpSession(const Server& server, std::string of)
        : caller(std::move(of)), session(server, [this](const Message& message) {
              const std::lock_guard lock(mutex);
              if (stream != nullptr) stream->event(message);
          }) {}

    const std::string caller;
    std::mutex mutex{};
    Reply* stream = nullptr;  // guarded by `mutex`
    std::atomic<bool> has_stream{false};
    std::atomic<bool> has_ended{false};
    std::chrono::steady_clock::time_point used{};
    ServerSession session;  // last, as it uses the others
};

class HttpState {
public:
    HttpState(Server server, HttpServerOptions options) : server_(std::move(server)), options_(std::move(options)) {}

    void handle(const HttpCall& call, HttpAnswer& answer) {
        const auto reply = std::make_shared<Reply>(answer, call.stop);
        const std::shared_ptr<void> finish(reply.get(), [](Reply* of) { of->finish(); });
        const Listed listed(*this, reply);
        respond(call, *reply);
        if (!reply->has_begun()) reply->open_stream();  // a request that was cancelled has no response
    }

    void close() noexcept {
        std::map<std::string, std::shared_ptr<HttpSession>> ended;
        std::unique_lock lock(mutex_);
        is_closing_ = true;
        ended = std::move(sessions_);
        sessions_.clear();
        for (const auto& one : replies_) one->end();
        changed_.notify_all();
        changed_.wait(lock, [this] { return replies_.empty(); });
    }

private:
    void respond(const HttpCall& call, Reply& reply) {
        if (!is_welcome(call))
            return reply.whole(403, failure(error_code::invalid_request, "The origin is not allowed"));
        if (call.method == "POST") return post(call, reply);
        const std::optional<std::string> id = header_of(call, "mcp-session-id");
        const std::shared_ptr<HttpSession> session = id ? find(*id, call) : nullptr;
        if ((call.method == "GET" || call.method == "DELETE") && id && session == nullptr)
            return reply.whole(404, failure(error_code::invalid_request, "Unknown session"));
        if (call.method == "GET" && session != nullptr) return stream(*session, reply);
        if (call.method == "DELETE" && session != nullptr) {
            remove(*id);
            return reply.whole(200, "");
        }
        reply.whole(405, "", {{"Allow", "POST, GET, DELETE"}});
    }

    [[nodiscard]] static Response failure(int code, std::string message) {
        return {std::nullopt, ErrorObject{code, std::move(message), std::nullopt}};
    }

    /// Returns whether a page of another origin may not have sent the request (DNS rebinding).
    [[nodiscard]] bool is_welcome(const HttpCall& call) const {
        const auto host_of = [](const std::string& text) {
            const std::optional<http::Url> url =
                http::Url::parse(text.find("://") == std::string::npos ? "http://" + text : text);
            return url ? url->host : "";
        };
        const auto is_one_of = [](const std::vector<std::string>& all, const std::string& text) {
            return std::ranges::find(all, text) != all.end();
        };
        if (const auto host = header_of(call, "host"))
            if (!http::is_this_machine(host_of(*host)) && !is_one_of(options_.hosts, host_of(*host))) return false;
        if (const auto origin = header_of(call, "origin"))
            if (!http::is_this_machine(host_of(*origin)) && !is_one_of(options_.origins, *origin)) return false;
        return true;
    }

    void post(const HttpCall& call, Reply& reply) {
        const std::optional<std::string> id = header_of(call, "mcp-session-id");
        const std::string version = header_of(call, "mcp-protocol-version").value_or("");
        std::vector<Message> messages;
        try {
            Json value = mcp_detail::parse_json(call.body, server_.options().max_message_bytes);
            const std::shared_ptr<HttpSession> session = id ? find(*id, call) : nullptr;
            const bool is_batch = value.is_array() && session != nullptr && session->session.version() == "2025-03-26";
            if (is_batch)
                for (Json& one : value.get_ref<JsonArray&>()) messages.push_back(message_of(std::move(one)));
            else
                messages.push_back(message_of(std::move(value)));
        } catch (const MessageError& error) {
            return reply.whole(400, error.answer());
        }
        if (messages.empty()) return reply.whole(400, failure(error_code::invalid_request, "The batch is empty"));
        if (is_of_2026(messages.front(), id.has_value(), version))
            return stateless(call, std::move(messages.front()), reply);
        if (id) {
            const std::shared_ptr<HttpSession> session = find(*id, call);
            if (session == nullptr) return reply.whole(404, failure(error_code::invalid_request, "Unknown session"));
            if (!version.empty() &&
                (std::ranges::find(versions, version) == versions.end() || mcp::is_stateless(version)))
                return reply.whole(400, failure(error_code::invalid_request, "Unsupported protocol version"));
            return in_session(call, *session, std::move(messages), reply);
        }
        const auto* const request = std::get_if<Request>(&messages.front());
        if (request == nullptr || request->method != "initialize")
            return reply.whole(400, failure(error_code::invalid_request, "A session begins with initialize"));
        initialize(call, std::move(messages), reply);
    }

    [[nodiscard]] static bool is_of_2026(const Message& message, bool has_session, const std::string& version) {
        if (const auto* const request = std::get_if<Request>(&message)) {
            const JsonObject meta = mcp_detail::object_member(request->params, "_meta");
            if (base::find_key(meta, mcp_detail::version_key) != nullptr) return true;
        }
        return !has_session && !version.empty() &&
               (mcp::is_stateless(version) || std::ranges::find(versions, version) == versions.end());
    }

    void stateless(const HttpCall& call, Message message, Reply& reply) {
        if (!std::holds_alternative<Request>(message)) return reply.whole(202, "");
        const auto& request = std::get<Request>(message);
        const std::optional<ErrorObject> fault = stateless_fault(request);
        if (fault) return reply.whole(400, Response{request.id, *fault});
        ServerSession client(server_);
        Arrival arrival{.is_stateless = true, .caller = call.caller};
        arrival.check = [&call](const Request& of, const Offer& offer) { return header_fault(call, of, offer); };
        const Send send = [&](const Message& sent) {
            const auto* const response = std::get_if<Response>(&sent);
            if (response == nullptr || reply.has_begun()) return reply.event(sent);
            reply.whole(status_of(*response), *response);
        };
        take(*client.state_, std::move(message), send, reply.stop(), arrival);
    }
    [[nodiscard]] static int status_of(const Response& response) {
        const auto* const error = std::get_if<ErrorObject>(&response.outcome);
        if (error == nullptr) return 200;
        switch (error->code) {
            case error_code::method_not_found: return 404;
            case error_code::parse_error:
            case error_code::invalid_request:
            case error_code::header_mismatch:
            case error_code::missing_capability:
            case error_code::unsupported_version: return 400;
            default: return 200;
        }
    }

    void initialize(const HttpCall& call, std::vector<Message> messages, Reply& reply) {
        const auto session = std::make_shared<HttpSession>(server_, call.caller);
        const std::string id = random_id();
        const Send send = [&](const Message& sent) {
            const auto& response = std::get<Response>(sent);
            if (std::holds_alternative<ErrorObject>(response.outcome)) return reply.whole(200, response);
            keep(id, session);
            reply.whole(200, response, {{"Mcp-Session-Id", id}});
        };
        take(*session->session.state_, std::move(messages.front()), send, reply.stop(),
             Arrival{.is_stateless = false, .caller = call.caller});
    }

    void in_session(const HttpCall& call, HttpSession& session, std::vector<Message> messages, Reply& reply) {
        const auto requests =
            std::ranges::count_if(messages, [](const Message& one) { return std::holds_alternative<Request>(one); });
        const Arrival arrival{.is_stateless = false, .caller = call.caller};
        if (requests == 0) {
            for (Message& one : messages) take(*session.session.state_, std::move(one), {}, {}, arrival);
            return reply.whole(202, "");
        }
        const Send send = [&](const Message& sent) {
            const auto* const response = std::get_if<Response>(&sent);
            if (response == nullptr || requests > 1 || reply.has_begun()) return reply.event(sent);
            reply.whole(200, *response);
        };
        for (Message& one : messages) take(*session.session.state_, std::move(one), send, reply.stop(), arrival);
    }

    /// Sends what belongs to no answer, until the client closes the stream.
    void stream(HttpSession& session, Reply& reply) {
        std::unique_lock lock(session.mutex);
        if (session.stream != nullptr)
            return reply.whole(409, failure(error_code::invalid_request, "The session has a stream already"));
        session.stream = &reply;
        session.has_stream = true;
        lock.unlock();
        const std::shared_ptr<void> leave(&session, [](HttpSession* of) {
            const std::lock_guard leaving(of->mutex);
            of->stream = nullptr;
            of->has_stream = false;
        });
        reply.open_stream();
        std::unique_lock all(mutex_);
        base::wait_until(changed_, all, reply.stop(), std::chrono::steady_clock::time_point::max(),
                         [&] { return is_closing_ || session.has_ended; });
    }

    /// An answer that is under way.
    class Listed {
    public:
        Listed(HttpState& state, std::shared_ptr<Reply> reply) : state_(state), reply_(std::move(reply)) {
            const std::lock_guard lock(state_.mutex_);
            state_.replies_.push_back(reply_);
            if (!state_.keeping_.joinable())
                state_.keeping_ = jthread([of = &state_](const stop_token& stop) { of->keep_open(stop); });
        }
        Listed(const Listed&) = delete;
        Listed& operator=(const Listed&) = delete;
        ~Listed() {
            const std::lock_guard lock(state_.mutex_);
            std::erase(state_.replies_, reply_);
            state_.changed_.notify_all();
        }

    private:
        HttpState& state_;
        std::shared_ptr<Reply> reply_;
    };

    /// Writes comments to streams, which proxies would close if nothing came.
    void keep_open(const stop_token& stop) {
        std::unique_lock lock(mutex_);
        for (;;) {
            base::wait_until(changed_, lock, stop, std::chrono::steady_clock::now() + keep_alive, [] { return false; });
            if (stop.stop_requested()) return;
            const std::vector<std::shared_ptr<Reply>> all = replies_;
            lock.unlock();  // a client that reads slowly must not stop the others
            for (const auto& one : all) one->comment();
            lock.lock();
        }
    }

    // Sessions.

    [[nodiscard]] static std::string random_id() {
        constexpr std::string_view digits = "0123456789abcdef";
        std::string out;
        for (const char byte : random_bytes(16)) {
            out += digits[static_cast<unsigned char>(byte) >> 4U];
            out += digits[static_cast<unsigned char>(byte) & 0xFU];
        }
        return out;
    }
    /// Returns a session; null if there is none, or it is another caller's.
    [[nodiscard]] std::shared_ptr<HttpSession> find(const std::string& id, const HttpCall& call) {
        const std::lock_guard lock(mutex_);
        const auto found = sessions_.find(id);
        if (found == sessions_.end() || found->second->caller != call.caller) return nullptr;
        found->second->used = std::chrono::steady_clock::now();
        return found->second;
    }
    /// Keeps a session, and ends those that were not used for too long, or the one that was not used for longest.
    void keep(const std::string& id, const std::shared_ptr<HttpSession>& session) {
        std::vector<std::shared_ptr<HttpSession>> ended;
        const std::lock_guard lock(mutex_);
        const auto now = std::chrono::steady_clock::now();
        const std::chrono::nanoseconds longest = server_.options().session_lifetime;
        for (auto one = sessions_.begin(); one != sessions_.end();) {
            const bool is_old = !one->second->has_stream && now - one->second->used > longest;
            if (is_old) ended.push_back(one->second);
            one = is_old ? sessions_.erase(one) : std::next(one);
        }
        if (sessions_.size() >= std::max<std::size_t>(server_.options().max_sessions, 1)) {
            const auto oldest =
                std::ranges::min_element(sessions_, {}, [](const auto& one) { return one.second->used; });
            oldest->second->has_ended = true;
            ended.push_back(oldest->second);
            sessions_.erase(oldest);
        }
        session->used = now;
        sessions_.emplace(id, session);
        changed_.notify_all();
    }
    void remove(const std::string& id) {
        std::shared_ptr<HttpSession> ended;
        const std::lock_guard lock(mutex_);
        const auto found = sessions_.find(id);
        if (found == sessions_.end()) return;
        ended = found->second;
        ended->has_ended = true;
        sessions_.erase(found);
        changed_.notify_all();
    }

    static constexpr std::chrono::seconds keep_alive{15};

    const Server server_;
    const HttpServerOptions options_;
    std::mutex mutex_{};
    condition_variable_any changed_{};
    std::map<std::string, std::shared_ptr<HttpSession>> sessions_{};
    std::vector<std::shared_ptr<Reply>> replies_{};
    bool is_closing_ = false;
    jthread keeping_{};
};

}  // namespace acta::inline ACTA_ABI::mcp::server_detail

namespace acta::inline ACTA_ABI::mcp {

ACTA_INLINE HttpServer::HttpServer(const Server& server, HttpServerOptions options)
    : state_(std::make_shared<server_detail::HttpState>(server, std::move(options))) {}
ACTA_INLINE HttpServer::~HttpServer() { close(); }
ACTA_INLINE void HttpServer::handle(const HttpCall& call, HttpAnswer& answer) { state_->handle(call, answer); }
ACTA_INLINE void HttpServer::close() noexcept { state_->close(); }

}  // namespace acta::inline ACTA_ABI::mcp
