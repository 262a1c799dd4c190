// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "acta/interop/anthropic/detail/messages.inl.hpp"
#include "acta/interop/anthropic/history.hpp"
#include "acta/interop/detail/history_reader.inl.hpp"

namespace acta::inline v0::interop_detail {

// Writing ----------------------------------------------------------------------------------------------------

/// The parts of a message of the context as blocks, or its text; nothing of blank text.
[[nodiscard]] ACTA_INLINE std::vector<JsonObject> anthropic_parts(const ContextMessage& message) {
    std::vector<JsonObject> out;
    for (const JsonObject& one : message.parts) {
        if (std::optional<JsonObject> part = anthropic_part(one)) out.push_back(*std::move(part));
    }
    if (message.parts.empty() && !ascii::is_blank(message.message.content))
        out.push_back(text_block(message.message.content));
    return out;
}

/// Puts messages together so that roles alternate.
class AnthropicWriter {
public:
    explicit AnthropicWriter(const std::string& opening) : opening_(opening) {}

    AnthropicMessages out{};

    void user(AnthropicContentBlock block) {
        if (out.messages.empty() || !std::holds_alternative<AnthropicUserMessage>(out.messages.back()))
            out.messages.emplace_back(AnthropicUserMessage{std::vector<AnthropicContentBlock>()});
        auto& message = std::get<AnthropicUserMessage>(out.messages.back());
        std::get<std::vector<AnthropicContentBlock>>(message.content).push_back(std::move(block));
    }
    /// Nothing of blank text: the API refuses it.
    void user_text(const std::string& text) {
        if (!ascii::is_blank(text)) user(anthropic_text(text));
    }

    /// `kept` are the blocks to write instead of `text`, or null. A message before this one that called nothing becomes
    /// its first text, as the API itself would combine the two.
    void assistant(const std::string& text, const std::vector<JsonObject>* kept,
                   const std::vector<AssistantToolCall>& calls) {
        if (out.messages.empty()) user_text(opening_);
        if (out.messages.empty()) user_text(HistoryMessagesOptions{}.opening);
        if (!std::holds_alternative<AnthropicAssistantMessage>(out.messages.back())) {
            talk_ = text;
            out.messages.emplace_back(anthropic_message(text, kept, calls));
            return;
        }
        std::vector<JsonObject> blocks{text_block(talk_)};
        if (kept != nullptr) blocks.insert(blocks.end(), kept->begin(), kept->end());
        if (ascii::is_blank(talk_))
            talk_ = text;
        else if (!ascii::is_blank(text))
            talk_ += "\n\n" + text;
        out.messages.back() = anthropic_message(talk_, kept == nullptr ? nullptr : &blocks, calls);
    }

    void context(const ContextMessage& message) {
        const std::vector<JsonObject> parts = anthropic_parts(message);
        if (message.message.role == ChatRole::assistant)
            assistant(message.message.content, message.parts.empty() ? nullptr : &parts, {});
        else if (message.message.role == ChatRole::system)
            system(parts);
        else
            for (const JsonObject& part : parts) user(validate<AnthropicContentBlock>(Json(part)));
    }

private:
    /// Instructions are one text as long as all of their parts are plain text.
    void system(const std::vector<JsonObject>& parts) {
        if (parts.empty()) return;
        if (!out.system) out.system.emplace(std::in_place_type<std::string>);
        auto* const text = std::get_if<std::string>(&*out.system);
        if (text != nullptr && are_plain_text(parts)) {
            for (const JsonObject& part : parts) {
                if (!text->empty()) *text += "\n\n";
                *text += *text_of_block(part);
            }
            return;
        }
        if (text != nullptr) {
            std::vector<AnthropicContentBlock> blocks;
            if (!text->empty()) blocks.push_back(anthropic_text(std::move(*text)));
            out.system->emplace<std::vector<AnthropicContentBlock>>(std::move(blocks));
        }
        auto& blocks = std::get<std::vector<AnthropicContentBlock>>(*out.system);
        for (const JsonObject& part : parts) blocks.push_back(validate<AnthropicContentBlock>(Json(part)));
    }

    const std::string& opening_;
    std::string talk_{};  // the text of the newest message of the assistant
};

[[nodiscard]] ACTA_INLINE AnthropicContentBlock tool_result_block(CallAnswer answer, const std::string& id) {
    AnthropicToolResultBlock block;
    block.tool_use_id = id;
    block.is_error = answer.is_error;
    const auto parts = answer.outputs != nullptr ? anthropic_output_parts(*answer.outputs) : std::nullopt;
    if (parts)
        block.content.emplace(*parts);
    else if (!answer.text.empty())
        block.content.emplace(std::move(answer.text));
    return block;
}

/// "Tool use", "Handling results": each `tool_use` is answered by a `tool_result` in the user's message right after it,
/// where these blocks come first. Roles alternate, the user first.
ACTA_INLINE AnthropicMessages anthropic_messages(const std::vector<MessageStep>& steps,
                                                 std::span<const std::string> pending,
                                                 const HistoryMessagesOptions& options) {
    AnthropicWriter writer(options.opening);
    const std::vector<const ContextMessage*> context = ordered_context(options.context);
    auto next = context.begin();
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (; next != context.end() && (*next)->step <= i; ++next) writer.context(**next);
        writer.assistant(steps[i].text, steps[i].blocks, steps[i].calls);
        StepAnswers answers = answers_of(steps[i], true);
        for (std::size_t c = 0; c < answers.calls.size(); ++c)
            writer.user(tool_result_block(std::move(answers.calls[c]), steps[i].calls[c].id));
        if (answers.said) writer.user_text(*answers.said);
        for (const std::string& feedback : answers.feedback) writer.user_text(feedback);
    }
    for (; next != context.end(); ++next) writer.context(**next);
    for (const std::string& feedback : pending) writer.user_text(feedback);
    return std::move(writer.out);
}

// Reading ----------------------------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE ReadAnswer read_anthropic_answer(const AnthropicToolResultBlock& block) {
    if (!block.content) return read_answer({}, block.is_error);
    if (const auto* const text = std::get_if<std::string>(&*block.content)) return read_answer(*text, block.is_error);
    return read_block_answer(std::get<std::vector<JsonObject>>(*block.content), block.is_error);
}

/// Blocks as a message of the context: one plain text is a text, anything else stays in parts.
[[nodiscard]] ACTA_INLINE ContextMessage anthropic_context(ChatRole role,
                                                           std::span<const AnthropicContentBlock> blocks) {
    ContextMessage out;
    out.message.role = role;
    for (const AnthropicContentBlock& block : blocks) {
        Json part = to_json_value(block);
        out.parts.emplace_back(std::move(part.get_ref<Json::object_t&>()));
    }
    out.message.content = parts_text(out.parts);
    if (out.parts.size() == 1 && are_plain_text(out.parts)) out.parts.clear();
    return out;
}
[[nodiscard]] ACTA_INLINE ContextMessage anthropic_context(ChatRole role, std::string text) {
    ContextMessage out;
    out.message.role = role;
    out.message.content = std::move(text);
    return out;
}

ACTA_INLINE void read_anthropic_user(HistoryReader& reader, const AnthropicContent& content, ChatRole role,
                                     const std::vector<LocElement>& loc) {
    if (const auto* const text = std::get_if<std::string>(&content)) {
        reader.context(anthropic_context(role, *text));
        return;
    }
    const auto& blocks = std::get<std::vector<AnthropicContentBlock>>(content);
    for (std::size_t i = 0; i < blocks.size(); ++i) {
        if (const auto* const result = std::get_if<AnthropicToolResultBlock>(&blocks[i]))
            reader.answer(result->tool_use_id, read_anthropic_answer(*result), extend_path(loc, i, "tool_use_id"));
        else
            reader.context(anthropic_context(role, std::span(&blocks[i], 1)));
    }
}

/// An answer without calls as a message of the context, as it came.
[[nodiscard]] ACTA_INLINE ContextMessage read_anthropic_talk(const AnthropicContent& content) {
    ContextMessage out;
    if (const auto* const text = std::get_if<std::string>(&content))
        out = anthropic_context(ChatRole::assistant, *text);
    else
        out = anthropic_context(ChatRole::assistant, std::get<std::vector<AnthropicContentBlock>>(content));
    if (out.parts.empty() && out.message.content == no_text) out.message.content.clear();
    return out;
}

ACTA_INLINE void read_anthropic_messages(HistoryReader& reader, const AnthropicMessages& request) {
    if (request.system) read_anthropic_user(reader, *request.system, ChatRole::system, {"system"});
    for (std::size_t i = 0; i < request.messages.size(); ++i) {
        const auto loc = extend_path({"messages"}, i);
        if (const auto* const said = std::get_if<AnthropicAssistantMessage>(&request.messages[i])) {
            ReadAssistant read = read_anthropic_assistant(*said, loc, reader.issues);
            ContextMessage talk = read.message.tool_calls ? ContextMessage() : read_anthropic_talk(said->content);
            reader.assistant(std::move(read), std::move(talk));
        } else {
            read_anthropic_user(reader, std::get<AnthropicUserMessage>(request.messages[i]).content, ChatRole::user,
                                extend_path(loc, "content"));
        }
    }
}

}  // namespace acta::inline v0::interop_detail
