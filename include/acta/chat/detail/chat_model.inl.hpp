// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <deque>
#include <exception>
#include <mutex>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI::chat_detail {

ACTA_INLINE std::string_view answer_json(const ChatCompletion& completion) {
    const auto refuse = [](const std::string& why) {
        throw ChatModelError("the answer cannot be read: " + why, {.fault = ChatModelFault::reply});
    };
    const std::string& reason = completion.finish_reason;
    if (reason == "length" || reason == "max_tokens") refuse("it was truncated at the token limit");
    if (reason == "content_filter") refuse("a content filter of the server truncated it");
    std::string_view text = completion.message.content;
    if (reason == "refusal") refuse("the model refuses, \"" + utf8::replace_invalid(text.substr(0, 1000)) + "\"");
    // Servers that do not enforce the schema let models wrap the JSON as they would in a chat.
    constexpr const char* blanks = " \t\r\n";
    text.remove_prefix(std::min(text.find_first_not_of(blanks), text.size()));
    if (text.starts_with("```")) {
        text.remove_prefix(std::min(text.find('\n'), text.size()));
        text = text.substr(0, text.rfind("```"));
    }
    return text;
}

ACTA_INLINE void ask_again(std::vector<ChatMessage>& messages, const ChatCompletion& completion,
                           const ValidationError& error) {
    messages.push_back(completion.message);
    messages.push_back(ChatMessage::user("That answer cannot be used: " + std::string(base::what_of(error)) +
                                         "\nAnswer again, with the JSON alone."));
}

}  // namespace acta::inline ACTA_ABI::chat_detail

namespace acta::inline ACTA_ABI::chat_detail {

ACTA_INLINE void add_completion(ScopedEvent& watch, const ChatCompletion& completion) {
    if (!completion.model.empty()) watch.add({{"model", completion.model}});
    if (!completion.finish_reason.empty()) watch.add({{"finish_reason", completion.finish_reason}});
    if (!completion.usage) return;
    watch.add({{"prompt_tokens", completion.usage->prompt_tokens},
               {"completion_tokens", completion.usage->completion_tokens}});
}

ACTA_INLINE ChatCompletion ask_observed(const ChatModelRef& model, Observer* observer,
                                        std::span<const ChatMessage> messages, const ChatOptions& options) {
    ScopedEvent watch(observer, event_names::chat_model);
    if (!watch) return model(messages, options);
    watch.add({{"messages", messages.size()}, {"tools", options.tools.size()}});
    try {
        ChatCompletion completion = model(messages, options);
        add_completion(watch, completion);
        return completion;
    } catch (const std::exception& error) {
        watch.fail(base::what_of(error));
        throw;
    }
}

}  // namespace acta::inline ACTA_ABI::chat_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE ToolChoice ToolChoice::tool(std::string name) {
    ToolChoice out(named);
    out.name = std::move(name);
    return out;
}

struct ScriptedChatModel::State {
    std::mutex mutex{};
    std::deque<AnyChatModel> script{};
    std::vector<ChatRequest> requests{};
};

ACTA_INLINE ScriptedChatModel::ScriptedChatModel() : state_(std::make_shared<State>()) {}

ACTA_INLINE ScriptedChatModel::ScriptedChatModel(std::initializer_list<std::string> replies) : ScriptedChatModel() {
    for (const std::string& text : replies) reply(text);
}

ACTA_INLINE ScriptedChatModel& ScriptedChatModel::reply(std::string text) {
    ChatCompletion completion;
    completion.message.content = std::move(text);
    completion.finish_reason = "stop";
    return reply(std::move(completion));
}

ACTA_INLINE ScriptedChatModel& ScriptedChatModel::reply(ChatCompletion completion) {
    return reply_by(
        [completion = std::move(completion)](std::span<const ChatMessage>, const ChatOptions&) { return completion; });
}

ACTA_INLINE ScriptedChatModel& ScriptedChatModel::reply_call(std::string name, JsonObject arguments) {
    ChatCompletion completion;
    AssistantToolCall call;
    call.id = "call_" + std::to_string(remaining());
    call.function = {std::move(name), std::move(arguments)};
    completion.message.tool_calls.emplace().push_back(std::move(call));
    completion.finish_reason = "tool_calls";
    return reply(std::move(completion));
}

ACTA_INLINE ScriptedChatModel& ScriptedChatModel::reply_by(AnyChatModel function) {
    const std::lock_guard lock(state_->mutex);
    state_->script.push_back(std::move(function));
    return *this;
}

ACTA_INLINE ChatCompletion ScriptedChatModel::operator()(std::span<const ChatMessage> messages,
                                                         const ChatOptions& options) const {
    AnyChatModel next;
    {
        const std::lock_guard lock(state_->mutex);
        state_->requests.push_back({{messages.begin(), messages.end()}, options});
        if (state_->script.empty()) {
            throw ScriptEnded("the script of the model ended before request " +
                              std::to_string(state_->requests.size()));
        }
        next = std::move(state_->script.front());
        state_->script.pop_front();
    }
    return next(messages, options);
}

ACTA_INLINE std::vector<ChatRequest> ScriptedChatModel::requests() const {
    const std::lock_guard lock(state_->mutex);
    return state_->requests;
}

ACTA_INLINE std::size_t ScriptedChatModel::remaining() const {
    const std::lock_guard lock(state_->mutex);
    return state_->script.size();
}

}  // namespace acta::inline ACTA_ABI
