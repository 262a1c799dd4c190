// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <exception>
#include <memory>
#include <new>
#include <optional>
#include <string>
#include <utility>

#include "acta/base/duration.hpp"
#include "acta/base/retry.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/provider/detail/api.hpp"
#include "acta/provider/http_chat_model.hpp"

// The definitions of acta/provider/http_chat_model.hpp.
namespace acta::inline ACTA_ABI {

namespace provider_detail {
[[nodiscard]] ChatModelFailure failure_of(http::Fault fault);
[[noreturn]] void rethrow_clean(const http::Secrets& secrets);
}  // namespace provider_detail

ACTA_INLINE HttpChatModel::HttpChatModel(HttpChatCodec codec) : HttpChatModel(std::move(codec), {}) {}

ACTA_INLINE HttpChatModel::HttpChatModel(HttpChatCodec codec, const http::Transport& otherwise)
    : codec_(std::move(codec)), transport_(codec_.state_->transport ? codec_.state_->transport : otherwise) {
    if (!transport_) throw ChatModelError::configuration("the options have no transport");
}

/// Returns the failure that a transport reports.
[[nodiscard]] ACTA_INLINE ChatModelFailure provider_detail::failure_of(http::Fault fault) {
    ChatModelFailure failure;
    switch (fault) {
        case http::Fault::configuration: failure.fault = ChatModelFault::configuration; break;
        case http::Fault::security: failure.fault = ChatModelFault::security; break;
        case http::Fault::not_http: failure.fault = ChatModelFault::reply; break;
        case http::Fault::too_large: failure.fault = ChatModelFault::too_large; break;
        case http::Fault::connection:
        case http::Fault::other: failure.fault = ChatModelFault::connection; break;
    }
    failure.is_transient = fault == http::Fault::connection;
    return failure;
}

/// Throws the exception that is being handled without the secrets in its texts: as `ChatModelError`, unless it is a
/// `Timeout`, a `Cancelled`, a lack of memory, or nothing with a text.
ACTA_INLINE void provider_detail::rethrow_clean(const http::Secrets& secrets) {
    const auto clean = [&secrets](const std::exception& error) { return secrets.hide(std::string(error.what())); };
    const auto failed = [&secrets](std::string text) {
        return ChatModelError("the transport failed: " + quoted_text(secrets.hide(std::move(text))),
                              failure_of(http::Fault::other));
    };
    try {
        throw;
    } catch (const ChatModelError& error) {
        ChatModelFailure failure = error.failure();
        for (std::string* const text : {&failure.code, &failure.type, &failure.request_id})
            *text = secrets.hide(std::move(*text));
        throw ChatModelError(clean(error), std::move(failure));
    } catch (const http::Error& error) {
        throw ChatModelError(quoted_text(clean(error)), failure_of(error.fault()));
    } catch (const Timeout& error) {
        throw Timeout(clean(error));
    } catch (const Cancelled& error) {
        throw Cancelled(clean(error));
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::exception& error) {
        throw failed(error.what());
    } catch (const std::string& text) {
        throw failed(text);
    } catch (const char* text) {
        throw failed(text);
    }
}

/// Sends a request and returns the answer. Throws what callbacks throw, and otherwise nothing with a secret.
ACTA_INLINE ChatReply HttpChatModel::ask(const http::Request& request, ChatReplyReader& reader) const {
    bool begun = false;
    const auto feed = [&](http::Reply& reply) {
        if (!std::exchange(begun, true)) reader.begin(reply.status, reply.headers);
        return reader.feed(std::exchange(reply.body, {}));
    };
    try {
        http::Reply reply = transport_(request, feed);
        reader.rethrow_callback();  // which a transport may have swallowed
        static_cast<void>(feed(reply));
        return reader.finish();
    } catch (...) {
        reader.rethrow_callback();
        provider_detail::rethrow_clean(codec_.state_->secrets);
    }
}

ACTA_INLINE ChatReply HttpChatModel::complete(std::span<const ChatMessage> messages, const ChatOptions& options) const {
    const provider_detail::CodecState& state = *codec_.state_;
    const auto names = std::make_shared<const ToolNames>(provider_detail::tool_names(messages, options));
    http::Request request = codec_.request(messages, options, *names, false);
    const auto deadline = request.deadline;
    bool plain = false;
    for (int attempt = 1;; ++attempt) {
        const auto call_timeout = state.retry.call_timeout.value_or(std::chrono::milliseconds(0));
        if (call_timeout.count() > 0) request.deadline = std::min(deadline, deadline_in(call_timeout));
        ChatReplyReader reader = codec_.reader(names, options);
        try {
            ChatReply reply = ask(request, reader);
            reply.attempts = attempt;
            return reply;
        } catch (const ChatModelError& error) {
            if (reader.in_callback()) throw;  // it is the program's own
            ChatModelFailure failure = error.failure();
            failure.attempts = attempt;
            std::string message = "no answer from " + url() + ": " + error.what();
            if (attempt > 1) message += " (attempt " + std::to_string(attempt) + ")";
            const ChatModelError clean(state.secrets.hide(std::move(message)), std::move(failure));
            if (options.max_attempts && static_cast<std::size_t>(attempt) >= *options.max_attempts) throw clean;
            if (!plain && !reader.has_shown() && state.api->may_be_plain(clean)) {
                plain = true;
                request.body = state.api->request_body(messages, options, *names, true);
            } else {
                wait_to_retry(clean, attempt, reader.has_shown(), deadline, options);
            }
        }
    }
}

/// Waits for the next attempt, or throws the error if there must be none.
ACTA_INLINE void HttpChatModel::wait_to_retry(const ChatModelError& error, int attempt, bool has_shown,
                                              std::chrono::steady_clock::time_point deadline,
                                              const ChatOptions& options) const {
    const RetryOptions& retry = codec_.state_->retry;
    const bool may_restart = options.on_event && options.restart;  // someone is notified of it
    const bool repeatable =
        (!has_shown || may_restart) && (retry.retry_if ? retry.retry_if(error) : error.is_transient());
    const auto delay = repeatable ? base::retry_delay(retry, attempt, error.retry_after()) : std::nullopt;
    if (!delay || base::saturated_sum(base::retry_now(), *delay) >= deadline) throw error;
    if (retry.on_retry) retry.on_retry({error, attempt, *delay});
    if (has_shown) options.on_event(AnswerRestarted{});
    base::retry_wait(*delay, options.until.stop);
    if (options.until.is_cancelled()) throw Cancelled();
}

}  // namespace acta::inline ACTA_ABI
