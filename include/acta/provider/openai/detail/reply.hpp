// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <iterator>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/chat/extension.hpp"
#include "acta/chat/reasoning.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"
#include "acta/provider/detail/server_reply.hpp"

namespace acta::inline ACTA_ABI::openai_detail {

using provider_detail::count_member;
using provider_detail::detail_count;
using provider_detail::member;
using provider_detail::text_member;
using provider_detail::throw_reply;

/// Removes empty lists from the server's additions to the message: OpenAI's has `annotations` in every answer.
inline void drop_empty(JsonObject& extra) {
    const auto own = extra.find("openai");
    if (own == extra.end() || !own->second.is_object()) return;
    auto& members = own->second.get_ref<Json::object_t&>();
    for (auto one = members.begin(); one != members.end();) {
        const bool is_empty = one->second.is_array() && one->second.empty();
        one = is_empty ? members.erase(one) : std::next(one);
    }
    if (members.empty()) extra.erase(own);
}

/// Returns the message of an answer. Throws `ChatModelError` (`reply`) if it is not one.
[[nodiscard]] inline AssistantChatMessage assistant_message(const Json& message, const ParseOptions& options) {
    Json said = message;
    base::assign(said, "role", base::text_json("assistant"));
    chat_extension::keep_unreadable_arguments(said);
    ChatMessage read;
    try {
        read = validate<ChatMessage>(said, options);
    } catch (const ValidationError& error) {
        throw_reply("choices[0].message.", error);
    }
    const auto is_text = [](const ContentPart& part) { return part.type == "text" && part.extra.empty(); };
    if (std::ranges::all_of(read.parts, is_text)) read.parts.clear();
    std::size_t i = 0;
    for (AssistantToolCall& call : read.tool_calls) {
        // A result names its call, so the call needs an id.
        if (call.id.empty()) call.id = "call_" + std::to_string(i);
        ++i;
    }
    drop_empty(read.extra);
    AssistantChatMessage out = to_assistant_message(std::move(read));
    take_reasoning(out, std::exchange(out.reasoning_content, std::nullopt));
    return out;
}

[[nodiscard]] inline std::optional<TokenUsage> token_usage(const Json& body) {
    const Json* const usage = member(body, "usage");
    if (usage == nullptr || !usage->is_object()) return std::nullopt;
    return TokenUsage{.prompt_tokens = count_member(*usage, "prompt_tokens"),
                      .completion_tokens = count_member(*usage, "completion_tokens"),
                      .cached_tokens = detail_count(*usage, "prompt_tokens_details", "cached_tokens"),
                      .reasoning_tokens = detail_count(*usage, "completion_tokens_details", "reasoning_tokens")};
}

/// Returns the completion in the body of an answer (https://platform.openai.com/docs/api-reference/chat/object). Throws
/// `ChatModelError` (`reply`) if there is none.
[[nodiscard]] inline ChatCompletion read_completion(const Json& body, const ParseOptions& options) {
    const Json* const choices = member(body, "choices");
    if (choices == nullptr || !choices->is_array() || choices->empty()) throw_reply("it has no choices");
    const Json& choice = choices->front();
    const Json* const message = member(choice, "message");
    if (message == nullptr || !message->is_object()) throw_reply("choices[0] has no message");
    ChatCompletion out;
    out.message = assistant_message(*message, options);
    out.usage = token_usage(body);
    out.finish_reason = text_member(choice, "finish_reason");
    if (!text_member(*message, "refusal").empty()) out.finish_reason = "refusal";
    out.model = text_member(body, "model");
    return out;
}

}  // namespace acta::inline ACTA_ABI::openai_detail
