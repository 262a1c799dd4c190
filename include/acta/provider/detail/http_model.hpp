// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <memory>
#include <span>
#include <string>
#include <string_view>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/chat/tool_names.hpp"
#include "acta/json/options.hpp"
#include "acta/provider/chat_reply.hpp"
#include "acta/provider/detail/endpoint.hpp"

// The client that all providers have in common: one request after another until there is an answer.
namespace acta::inline ACTA_ABI::provider_detail {

/// Assembles the events of a stream into the body that would have come without streaming.
class StreamedBody {
public:
    StreamedBody() = default;
    StreamedBody(const StreamedBody&) = delete;
    StreamedBody& operator=(const StreamedBody&) = delete;
    virtual ~StreamedBody() = default;

    /// Adds an event and returns the new part of the text. Throws `ChatModelError` (`reply`).
    virtual std::string add(const Json& event) = 0;
    /// Returns whether the answer is there; more may follow, such as its usage.
    [[nodiscard]] virtual bool is_finished() const noexcept = 0;
    /// Returns whether nothing follows.
    [[nodiscard]] virtual bool is_complete() const noexcept { return false; }
    /// Returns the body of the answer.
    [[nodiscard]] virtual Json take() = 0;
};

/// What differs between the APIs.
class Api {
public:
    Api() = default;
    Api(const Api&) = delete;
    Api& operator=(const Api&) = delete;
    virtual ~Api() = default;

    /// Returns the body of a request. `names` has every name of a tool in the messages and the options.
    [[nodiscard]] virtual std::string request_body(std::span<const ChatMessage> messages, const ChatOptions& options,
                                                   const ToolNames& names) const = 0;
    /// Returns the completion in the body of an answer. Throws `ChatModelError` (`reply`) if there is none.
    [[nodiscard]] virtual ChatCompletion read(const Json& body, const ParseOptions& options) const = 0;
    [[nodiscard]] virtual std::unique_ptr<StreamedBody> new_stream() const = 0;
};

/// A model behind an API. Copies share its state.
class HttpModel {
public:
    /// Throws `ChatModelError` (`configuration`) if the settings cannot be used.
    HttpModel(Settings settings, std::shared_ptr<const Api> api);

    [[nodiscard]] ChatReply complete(std::span<const ChatMessage> messages, const ChatOptions& options) const;
    [[nodiscard]] const std::string& model() const noexcept;
    [[nodiscard]] const std::string& url() const noexcept;

private:
    struct State;
    class Attempt;

    void wait_to_retry(const ChatModelError& error, int attempt, bool has_shown,
                       std::chrono::steady_clock::time_point deadline, const ChatOptions& options) const;

    std::shared_ptr<const State> state_;
};

}  // namespace acta::inline ACTA_ABI::provider_detail

#ifndef ACTA_COMPILED
#include "acta/provider/detail/http_model.inl.hpp"
#endif
