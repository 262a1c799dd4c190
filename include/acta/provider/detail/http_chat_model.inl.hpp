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

ACTA_INLINE HttpChatModel::HttpChatModel(HttpChatCodec codec) : HttpChatModel(std::move(codec), nullptr) {}

ACTA_INLINE HttpChatModel::HttpChatModel(HttpChatCodec codec,
                                         http::Reply (*otherwise)(const http::Request& request, const http::Sink& sink))
    : codec_(std::move(codec)), transport_(codec_.state_->transport ? codec_.state_->transport : otherwise) {
    if (!transport_) throw ChatModelError::configuration("the options have no transport");
}

ACTA_INLINE ChatCompletion HttpChatModel::operator()(std::span<const ChatMessage> messages,
                                                     const ChatOptions& options) const {
    return complete(messages, options).completion;
}

ACTA_INLINE ChatReply HttpChatModel::complete(std::string_view question, const ChatOptions& options) const {
    const ChatMessage message = ChatMessage::user(std::string(question));
    return complete(std::span(&message, 1), options);
}

/// Sends a request and returns the answer. Throws what callbacks throw, and otherwise nothing with a secret. `deadline`
/// is that of the call: an attempt that takes longer than it may is a connection that failed.
ACTA_INLINE ChatReply HttpChatModel::ask(const http::Request& request, ChatReplyReader& reader,
                                         std::chrono::steady_clock::time_point deadline) const {
    std::exception_ptr failure;
    http::Reply reply;
    try {
        reply = transport_(request, [&](http::Reply& part) { return reader.take(part); });
    } catch (const Timeout& late) {
        failure = request.deadline < deadline
                      ? std::make_exception_ptr(http::Error(http::Fault::connection, late.what()))
                      : std::current_exception();
    } catch (...) {
        failure = std::current_exception();
    }
    return reader.finish(failure, std::move(reply));
}

ACTA_INLINE ChatReply HttpChatModel::complete(std::span<const ChatMessage> messages, const ChatOptions& options) const {
    const provider_detail::CodecState& state = *codec_.state_;
    const auto tools = state.tools_of(messages, options);
    http::Request request = codec_.request(messages, options, tools);
    const auto deadline = request.deadline;
    bool plain = false;
    for (int attempt = 1;; ++attempt) {
        const auto call_timeout = state.retry.call_timeout.value_or(std::chrono::milliseconds(0));
        if (call_timeout.count() > 0) request.deadline = std::min(deadline, deadline_in(call_timeout));
        ChatReplyReader reader = codec_.reader(tools, options);
        try {
            ChatReply reply = ask(request, reader, deadline);
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
                request.body = state.api->request_body(messages, options, tools, true);
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
