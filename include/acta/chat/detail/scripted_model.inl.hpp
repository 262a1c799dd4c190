// SPDX-License-Identifier: MIT
#pragma once

#include <deque>
#include <mutex>

#include "acta/chat/scripted_model.hpp"

namespace acta::inline ACTA_ABI {

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
