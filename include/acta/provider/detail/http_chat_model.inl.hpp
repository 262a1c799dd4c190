// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <ctime>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/retry.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/http/http.hpp"
#include "acta/provider/http_chat_model.hpp"

// The definitions of acta/provider/http_chat_model.hpp.
namespace acta::inline ACTA_ABI {

struct HttpChatModel::State {
    provider_detail::Settings settings{};  // without the key and everything that may contain one
    provider_detail::Endpoint endpoint{};
    std::shared_ptr<const provider_detail::Api> api{};
};

ACTA_INLINE HttpChatModel::HttpChatModel(provider_detail::Settings settings,
                                         std::shared_ptr<const provider_detail::Api> api) {
    auto state = std::make_shared<State>();
    state->endpoint = provider_detail::make_endpoint(settings);
    settings.api_key.reset();
    settings.headers.clear();
    settings.extra.clear();
    state->settings = std::move(settings);
    state->api = std::move(api);
    state_ = std::move(state);
}

ACTA_INLINE const std::string& HttpChatModel::model() const noexcept { return state_->settings.model; }

ACTA_INLINE const std::string& HttpChatModel::url() const noexcept { return state_->endpoint.shown_url; }

/// One request and its answer.
class HttpChatModel::Attempt {
public:
    using OnText = std::function<void(std::string_view)>;

    Attempt(const State& state, const OnText& on_text)
        : state_(state), on_text_(on_text), filter_(state.endpoint.secrets), answer_(state.api->new_stream()) {}

    /// Throws `ChatModelError`, whose text may contain secrets.
    [[nodiscard]] ChatReply run(const http::Request& request);
    /// Returns whether the caller has seen a part of the answer.
    [[nodiscard]] bool has_shown() const noexcept { return shown_; }
    /// Returns whether the callback threw.
    [[nodiscard]] bool is_callbacks_fault() const noexcept { return in_callback_; }

private:
    [[nodiscard]] http::Demand on_data(http::Reply& reply);
    void on_event(std::string_view data);
    void show(std::string_view text);
    void call_back(std::string_view text);
    void hide_secrets(Json& value) const { state_.endpoint.secrets.hide_in(value, http::Secrets::shortest_in_answers); }
    [[nodiscard]] Json body_of(const http::Reply& reply);
    [[nodiscard]] http::Reply post(const http::Request& request);
    [[noreturn]] void throw_status(const http::Reply& reply) const;
    void check_error(const Json& body) const;
    /// Returns a text of the server for display: secrets are removed first, then it is truncated.
    [[nodiscard]] std::string shown(std::string_view text) const {
        return provider_detail::quoted_text(state_.endpoint.secrets.hide(std::string(text)));
    }
    [[nodiscard]] static std::string_view request_id(const http::Reply& reply) {
        const std::string_view id = reply.header("x-request-id");
        return id.empty() ? reply.header("request-id") : id;
    }
    [[nodiscard]] ParseOptions parsing() const { return {.max_bytes = state_.settings.max_response_bytes}; }
    [[nodiscard]] static bool is_stream(const http::Reply& reply) {
        return reply.status >= 200 && reply.status <= 299 &&
               provider_detail::lower_case(std::string(reply.header("content-type"))).starts_with("text/event-stream");
    }

    const State& state_;
    const OnText& on_text_;
    http::SecretFilter filter_;
    http::EventStreamReader events_{};
    std::unique_ptr<provider_detail::StreamedBody> answer_;
    bool streams_ = false;
    bool done_ = false;
    bool shown_ = false;
    bool in_callback_ = false;
};

inline http::Reply HttpChatModel::Attempt::post(const http::Request& request) {
    using http::Fault;
    const http::Sink sink = [this](http::Reply& reply) { return on_data(reply); };
    try {
        return http::post(request, on_text_ ? sink : http::Sink());
    } catch (const http::Error& error) {
        ChatModelFailure failure;
        switch (error.fault()) {
            case http::Fault::configuration: failure.fault = ChatModelFault::configuration; break;
            case http::Fault::security: failure.fault = ChatModelFault::security; break;
            case http::Fault::not_http: failure.fault = ChatModelFault::reply; break;
            case http::Fault::too_large: failure.fault = ChatModelFault::too_large; break;
            case http::Fault::connection:
            case http::Fault::other: failure.fault = ChatModelFault::connection; break;
        }
        failure.is_transient = error.fault() == http::Fault::connection;
        throw ChatModelError(error.what(), std::move(failure));
    }
}

inline ChatReply HttpChatModel::Attempt::run(const http::Request& request) {
    const http::Reply reply = post(request);
    if (reply.status < 200 || reply.status > 299) throw_status(reply);
    ChatReply out;
    out.body = body_of(reply);
    out.completion = state_.api->read(out.body, parsing());
    out.request_id = shown(request_id(reply));
    return out;
}

inline Json HttpChatModel::Attempt::body_of(const http::Reply& reply) {
    if (!streams_) {
        Json body = provider_detail::read_body(reply.body, parsing(), state_.endpoint.secrets);
        check_error(body);
        hide_secrets(body);
        // The server did not stream: the answer is one part.
        if (on_text_) show(state_.api->read(body, parsing()).message.content);
        return body;
    }
    const std::string last = events_.rest();
    if (!last.empty()) on_event(last);
    if (!done_ && !answer_->is_finished()) {
        throw ChatModelError("the stream of the answer ended too early",
                             {.fault = ChatModelFault::connection, .is_transient = true});
    }
    const std::string rest = filter_.rest();
    if (!rest.empty()) call_back(rest);
    Json body = answer_->take();
    hide_secrets(body);
    return body;
}

inline http::Demand HttpChatModel::Attempt::on_data(http::Reply& reply) {
    if (!streams_) streams_ = is_stream(reply);
    if (!streams_) return http::Demand::more;
    const std::string bytes = std::exchange(reply.body, {});
    events_.add(bytes, [this](std::string_view data) { on_event(data); });
    if (done_) return http::Demand::nothing;
    // Some servers send neither [DONE] nor the end of the stream; the usage may still follow.
    return answer_->is_finished() ? http::Demand::optional : http::Demand::more;
}

inline void HttpChatModel::Attempt::on_event(std::string_view data) {
    if (done_) return;
    if (data == "[DONE]") {
        done_ = true;
        return;
    }
    const Json chunk = provider_detail::read_body(data, parsing(), state_.endpoint.secrets);
    check_error(chunk);
    show(answer_->add(chunk));
    done_ = answer_->is_complete();
}

inline void HttpChatModel::Attempt::show(std::string_view text) {
    const std::string clean = filter_.add(text);
    if (!clean.empty()) call_back(clean);
}

inline void HttpChatModel::Attempt::call_back(std::string_view text) {
    shown_ = true;
    in_callback_ = true;
    on_text_(text);
    in_callback_ = false;
}

/// Some gateways send errors with status 200, and streams can fail after they have begun.
inline void HttpChatModel::Attempt::check_error(const Json& body) const {
    const Json* const error = provider_detail::member(body, "error");
    const bool is_event = provider_detail::text_member(body, "type") == "error";  // of the Responses API
    if (error == nullptr && !is_event) return;
    const provider_detail::ServerError said = provider_detail::server_error(body);
    ChatModelFailure failure{.fault = ChatModelFault::status, .code = shown(said.code), .type = shown(said.type)};
    const Json* const code = error == nullptr ? nullptr : provider_detail::member(*error, "code");
    if (code != nullptr && code->is_number_integer()) {
        const std::int64_t status = base::integer_of(*code);
        if (status >= 400 && status <= 599) failure.status = static_cast<int>(status);
    }
    failure.is_transient = provider_detail::is_transient_status(failure.status);
    provider_detail::mark_context_too_long(failure, said);
    throw ChatModelError("the server says \"" + shown(said.message) + "\"", std::move(failure));
}

inline void HttpChatModel::Attempt::throw_status(const http::Reply& reply) const {
    const provider_detail::ServerError said =
        provider_detail::server_error_text(reply.body, parsing(), state_.endpoint.secrets);
    ChatModelFailure failure{.fault = ChatModelFault::status, .status = reply.status};
    failure.code = shown(said.code);
    failure.type = shown(said.type);
    failure.request_id = shown(request_id(reply));
    failure.is_transient = provider_detail::is_transient_status(reply.status);
    provider_detail::mark_context_too_long(failure, said);
    failure.retry_after =
        http::parse_retry_after(reply.header("retry-after"), reply.header("date"), std::time(nullptr));
    std::string message = "status " + std::to_string(reply.status);
    if (!said.message.empty()) message += ", \"" + shown(said.message) + "\"";
    if (!said.type.empty()) message += ", type " + failure.type;
    if (!said.code.empty()) message += ", code " + failure.code;
    if (reply.status >= 300 && reply.status < 400) {
        message += "; it redirects to \"" + shown(reply.header("location")) +
                   "\", and redirects are not followed, as the key is for this server alone";
    }
    throw ChatModelError(message, std::move(failure));
}

ACTA_INLINE ChatReply HttpChatModel::complete(std::span<const ChatMessage> messages, const ChatOptions& options) const {
    const auto now = std::chrono::steady_clock::now();
    const provider_detail::Settings& settings = state_->settings;
    if (messages.empty()) throw ChatModelError::configuration("there are no messages to send");
    const ToolNames names = provider_detail::tool_names(messages, options);
    const std::string body = state_->api->request_body(messages, options, names);
    http::Request request;
    request.url = state_->endpoint.url;
    request.headers = state_->endpoint.headers;
    request.body = body;
    request.ca_file = settings.ca_file;
    request.connect_timeout = settings.connect_timeout;
    request.deadline = now + std::min(settings.timeout, std::chrono::milliseconds(std::chrono::hours(24 * 365)));
    if (options.deadline) request.deadline = std::min(request.deadline, *options.deadline);
    request.stop = options.stop;
    request.max_bytes = settings.max_response_bytes;

    const auto deadline = request.deadline;
    for (int attempt = 1;; ++attempt) {
        const auto call_timeout = settings.retry.call_timeout.value_or(std::chrono::milliseconds(0));
        if (call_timeout.count() > 0)
            request.deadline = std::min(deadline, std::chrono::steady_clock::now() + call_timeout);
        Attempt one(*state_, options.on_text);
        try {
            ChatReply reply = one.run(request);
            reply.attempts = attempt;
            if (auto& calls = reply.completion.message.tool_calls) {
                for (AssistantToolCall& call : *calls) call.function = names.to_skill(std::move(call.function));
            }
            return reply;
        } catch (const ChatModelError& error) {
            if (one.is_callbacks_fault()) throw;
            ChatModelFailure failure = error.failure();
            failure.attempts = attempt;
            std::string message = "no answer from " + url() + ": " + error.what();
            if (attempt > 1) message += " (attempt " + std::to_string(attempt) + ")";
            const ChatModelError clean(state_->endpoint.secrets.hide(std::move(message)), std::move(failure));
            if (options.max_attempts && static_cast<std::size_t>(attempt) >= *options.max_attempts) throw clean;
            wait_to_retry(clean, attempt, one.has_shown(), deadline, options);
        }
    }
}

/// Waits for the next attempt, or throws the error if there is to be none.
ACTA_INLINE void HttpChatModel::wait_to_retry(const ChatModelError& error, int attempt, bool has_shown,
                                              std::chrono::steady_clock::time_point deadline,
                                              const ChatOptions& options) const {
    const RetryOptions& retry = state_->settings.retry;
    const bool may_repeat = !options.max_attempts || static_cast<std::size_t>(attempt) < *options.max_attempts;
    const bool repeatable = may_repeat && !has_shown && (retry.retry_if ? retry.retry_if(error) : error.is_transient());
    const auto delay = repeatable ? base::retry_delay(retry, attempt, error.retry_after()) : std::nullopt;
    if (!delay || base::now(retry) + *delay >= deadline) throw error;
    if (retry.on_retry) retry.on_retry({error, attempt, *delay});
    if (retry.sleep) {
        retry.sleep(*delay, options.stop);
    } else {
        http::sleep_until(std::chrono::steady_clock::now() + std::chrono::ceil<std::chrono::milliseconds>(*delay),
                          options.stop);
    }
}

}  // namespace acta::inline ACTA_ABI
