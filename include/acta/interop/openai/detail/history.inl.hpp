// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/interop/detail/history_reader.inl.hpp"
#include "acta/interop/openai/detail/messages.inl.hpp"
#include "acta/interop/openai/history.hpp"

namespace acta::inline v0::interop_detail {

// Writing ----------------------------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE OpenAIContent openai_content(const std::vector<JsonObject>& parts) {
    OpenAIContent content(std::in_place_type<std::vector<OpenAIContentPart>>);
    auto& out = std::get<std::vector<OpenAIContentPart>>(content);
    for (const JsonObject& part : parts) out.push_back(validate<OpenAIContentPart>(Json(part)));
    return content;
}

/// The content of a message of the context: its parts where it has any that the API takes, else its text.
[[nodiscard]] ACTA_INLINE OpenAIContent openai_content(const ContextMessage& message) {
    std::vector<JsonObject> parts;
    for (const JsonObject& one : message.parts) {
        if (std::optional<JsonObject> part = openai_part(one)) parts.push_back(*std::move(part));
    }
    if (parts.empty()) return OpenAIContent(std::in_place_type<std::string>, message.message.content);
    return openai_content(parts);
}

[[nodiscard]] ACTA_INLINE OpenAIMessage openai_context(const ContextMessage& message, SendReasoning reasoning) {
    switch (message.message.role) {
        case ChatRole::system: return OpenAISystemMessage{openai_content(message)};
        case ChatRole::assistant: {
            OpenAIAssistantMessage out;
            out.content = openai_content(message);
            if (reasoning == SendReasoning::always) out.reasoning_content = message.reasoning_content;
            return out;
        }
        default: return OpenAIUserMessage{openai_content(message)};
    }
}
[[nodiscard]] ACTA_INLINE OpenAIMessage openai_user(std::string text) {
    return OpenAIUserMessage{OpenAIContent(std::in_place_type<std::string>, std::move(text))};
}

[[nodiscard]] ACTA_INLINE OpenAIMessage openai_answer(CallAnswer answer, const std::string& id) {
    OpenAIToolMessage out;
    out.tool_call_id = id;
    const auto parts = answer.outputs != nullptr ? openai_output_parts(*answer.outputs) : std::nullopt;
    if (parts)
        out.content = openai_content(*parts);
    else
        out.content = std::move(answer.text);
    return out;
}

/// API reference, "Chat": an assistant's message with `tool_calls` is followed at once by one `tool` message for each
/// `tool_call_id`, before anything else.
ACTA_INLINE std::vector<OpenAIMessage> openai_messages(const std::vector<MessageStep>& steps,
                                                       std::span<const std::string> pending,
                                                       const HistoryMessagesOptions& options) {
    std::vector<OpenAIMessage> out;
    const std::vector<const ContextMessage*> context = ordered_context(options.context);
    auto next = context.begin();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (; next != context.end() && (*next)->step <= i; ++next)
            out.push_back(openai_context(**next, options.reasoning));
        out.emplace_back(openai_message(steps[i].text, steps[i].reasoning, steps[i].calls));
        StepAnswers answers = answers_of(steps[i], false);
        for (std::size_t c = 0; c < answers.calls.size(); ++c)
            out.push_back(openai_answer(std::move(answers.calls[c]), steps[i].calls[c].id));
        if (answers.said) out.push_back(openai_user(*std::move(answers.said)));
        for (std::string& feedback : answers.feedback) out.push_back(openai_user(std::move(feedback)));
    }
    for (; next != context.end(); ++next) out.push_back(openai_context(**next, options.reasoning));
    for (const std::string& feedback : pending) out.push_back(openai_user(feedback));
    return out;
}

// Reading ----------------------------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE std::vector<JsonObject> openai_parts(const std::vector<OpenAIContentPart>& parts) {
    std::vector<JsonObject> out;
    for (const OpenAIContentPart& part : parts) {
        Json object = to_json_value(part);
        out.emplace_back(std::move(object.get_ref<Json::object_t&>()));
    }
    return out;
}

[[nodiscard]] ACTA_INLINE ReadAnswer read_openai_answer(const std::optional<OpenAIContent>& content) {
    if (!content) return read_answer({}, false);
    if (const auto* const text = std::get_if<std::string>(&*content)) return read_answer(*text, false);
    return read_block_answer(openai_parts(std::get<std::vector<OpenAIContentPart>>(*content)), false);
}

[[nodiscard]] ACTA_INLINE ContextMessage read_openai_context(ChatRole role, const OpenAIContent& content) {
    ContextMessage out;
    out.message.role = role;
    if (const auto* const text = std::get_if<std::string>(&content)) {
        out.message.content = *text;
        return out;
    }
    out.parts = openai_parts(std::get<std::vector<OpenAIContentPart>>(content));
    out.message.content = parts_text(out.parts);
    return out;
}

/// An answer without calls as a message of the context, exactly as it came.
[[nodiscard]] ACTA_INLINE ContextMessage read_openai_talk(const OpenAIAssistantMessage& message) {
    const OpenAIContent none;
    ContextMessage out = read_openai_context(ChatRole::assistant, message.content ? *message.content : none);
    if (out.message.content.empty() && message.refusal) {
        out.message.content = *message.refusal;
        OpenAIContentPart refusal;
        refusal.type = "refusal";
        refusal.refusal = message.refusal;
        out.parts = openai_parts({refusal});
    }
    out.reasoning_content = openai_reasoning(message);
    return out;
}

ACTA_INLINE void read_openai_message(HistoryReader& reader, const OpenAIMessage& message, std::size_t i) {
    const std::vector<LocElement> loc{i};
    if (const auto* const said = std::get_if<OpenAIAssistantMessage>(&message)) {
        ReadAssistant read{read_openai_assistant(*said, loc, reader.issues)};
        ContextMessage talk = read.message.tool_calls ? ContextMessage() : read_openai_talk(*said);
        reader.assistant(std::move(read), std::move(talk));
    } else if (const auto* const tool = std::get_if<OpenAIToolMessage>(&message)) {
        reader.answer(tool->tool_call_id, read_openai_answer(tool->content), extend_path(loc, "tool_call_id"));
    } else if (const auto* const function = std::get_if<OpenAIFunctionMessage>(&message)) {
        reader.answer({}, read_openai_answer(function->content), extend_path(loc, "name"));
    } else if (const auto* const user = std::get_if<OpenAIUserMessage>(&message)) {
        reader.context(read_openai_context(ChatRole::user, user->content));
    } else if (const auto* const system = std::get_if<OpenAISystemMessage>(&message)) {
        reader.context(read_openai_context(ChatRole::system, system->content));
    } else {
        reader.context(read_openai_context(ChatRole::system, std::get<OpenAIDeveloperMessage>(message).content));
    }
}

}  // namespace acta::inline v0::interop_detail
