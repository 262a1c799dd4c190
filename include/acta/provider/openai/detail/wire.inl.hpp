// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"
#include "acta/provider/detail/call_ids.hpp"
#include "acta/provider/detail/wire_writer.hpp"
#include "acta/provider/openai/wire.hpp"

namespace acta::inline ACTA_ABI {

namespace openai_detail {

inline constexpr std::string_view provider = "openai";

[[nodiscard]] ACTA_INLINE JsonObject only_own(const JsonObject& extra) {
    JsonObject out;
    if (const Json* const own = base::find_key(extra, provider)) base::put(out, provider, *own);
    return out;
}

/// Returns whether the API has a form for the part.
[[nodiscard]] ACTA_INLINE bool takes(const ContentPart& part) {
    const Json::object_t* const own = provider_detail::own_extra(part.extra, provider);
    const auto has = [own](std::string_view key) { return own != nullptr && base::find_key(*own, key) != nullptr; };
    const bool has_data = !part.data.empty() && !part.media_type.empty();
    if (part.type == "text" || part.type == "refusal") return true;
    if (part.type == "image")
        return has_data || has("image_url") || part.url.starts_with("https://") || part.url.starts_with("http://") ||
               part.url.starts_with("data:");
    if (part.type == "audio") return (has_data && part.media_type.starts_with("audio/")) || has("input_audio");
    if (part.type == "file") return has_data || has("file");
    return own != nullptr;
}

[[nodiscard]] ACTA_INLINE ContentPart sent_part(const ContentPart& part) {
    if (!takes(part)) return {.text = to_string(part)};
    ContentPart out = part;
    out.extra = only_own(part.extra);
    if (part.type == "text" || part.type == "refusal" || part.data.empty()) return out;
    // Clears members without a place in the form, so that the part is written in it.
    out.text.clear();
    out.url.clear();
    if (part.type != "file") out.name.clear();
    return out;
}

/// The API refuses longer ids of calls: "Expected a string with maximum length 40".
inline constexpr std::size_t longest_id = 40;

/// Returns the message without members unknown to the API.
[[nodiscard]] ACTA_INLINE ChatMessage sent_message(const ChatMessage& message, openai::SendReasoning reasoning,
                                                   provider_detail::WireIds& ids) {
    using openai::SendReasoning;
    ChatMessage out;
    out.role = message.role;
    out.content = provider_detail::result_text(message);
    for (const ContentPart& part : provider_detail::result_parts(message)) out.parts.push_back(sent_part(part));
    out.tool_calls = message.tool_calls;
    for (AssistantToolCall& call : out.tool_calls) {
        if (!call.id.empty()) call.id = ids.of(call.id);
    }
    if (!message.tool_call_id.empty()) out.tool_call_id = ids.of(message.tool_call_id);
    out.extra = only_own(message.extra);
    if (reasoning == SendReasoning::always || (reasoning == SendReasoning::with_calls && !message.tool_calls.empty())) {
        out.reasoning_content = message.reasoning_content;
    } else if (const auto own = out.extra.find(std::string(provider));
               own != out.extra.end() && own->second.is_object()) {
        own->second.erase("reasoning");
    }
    return out;
}

}  // namespace openai_detail

ACTA_INLINE JsonArray openai::to_wire(std::span<const ChatMessage> messages, SendReasoning reasoning) {
    JsonArray out;
    out.reserve(messages.size());
    provider_detail::WireIds ids(openai_detail::longest_id, false);
    for (const ChatMessage& message : messages)
        out.push_back(to_json_value(openai_detail::sent_message(message, reasoning, ids)));
    return out;
}

ACTA_INLINE std::vector<ChatMessage> openai::from_wire(const Json& messages) {
    return validate<std::vector<ChatMessage>>(messages);
}

}  // namespace acta::inline ACTA_ABI
