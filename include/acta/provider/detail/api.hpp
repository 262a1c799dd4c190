// SPDX-License-Identifier: MIT
#pragma once

#include <memory>
#include <span>
#include <string>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/tool_names.hpp"
#include "acta/json/options.hpp"

// What differs between the APIs of providers; the rest is acta/provider/http_chat_model.hpp.
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

/// An API.
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

}  // namespace acta::inline ACTA_ABI::provider_detail
