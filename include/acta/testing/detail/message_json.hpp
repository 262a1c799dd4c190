// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include "acta/base/json_value.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/json.hpp"

// Messages in the form in which they are compared: without what differs between two equal runs.
namespace acta::inline ACTA_ABI::testing_detail {

[[nodiscard]] ACTA_INLINE bool is_sorted(const Json& value) {
    if (value.is_array()) return std::ranges::all_of(base::array_of(value), is_sorted);
    if (!value.is_object()) return true;
    const Json::object_t& members = base::object_of(value);
    return std::ranges::is_sorted(members, {}, &Json::object_t::value_type::first) &&
           std::ranges::all_of(members, is_sorted, &Json::object_t::value_type::second);
}

/// Returns a value with the keys of its objects in alphabetical order.
[[nodiscard]] ACTA_INLINE Json sorted(Json value) { return is_sorted(value) ? value : Json(nlohmann::json(value)); }

/// Returns which call of the message of the assistant before it a message of a tool answers; nothing if none.
[[nodiscard]] ACTA_INLINE std::optional<std::size_t> answered_call(std::span<const ChatMessage> messages,
                                                                   std::size_t at) {
    for (std::size_t i = at; i-- > 0;) {
        const std::vector<AssistantToolCall>& calls = messages[i].tool_calls;
        for (std::size_t k = 0; k < calls.size(); ++k)
            if (calls[k].id == messages[at].tool_call_id) return k;
        if (!calls.empty()) return std::nullopt;
    }
    return std::nullopt;
}

[[nodiscard]] ACTA_INLINE Json message_json(std::span<const ChatMessage> messages, std::size_t at) {
    const ChatMessage& message = messages[at];
    Json out = base::new_object();
    base::put(out, "role", base::text_json(to_string(message.role)));
    if (!message.content.empty()) base::put(out, "content", base::text_json(message.content));
    if (!message.parts.empty()) base::put(out, "parts", to_json_value(message.parts));
    if (message.reasoning_content) base::put(out, "reasoning_content", base::text_json(*message.reasoning_content));
    if (!message.tool_calls.empty()) {
        JsonArray calls;
        for (const AssistantToolCall& call : message.tool_calls) {
            Json one = base::new_object();
            base::put(one, "name", base::text_json(call.function.name));
            base::put(one, "arguments", sorted(Json(call.function.arguments)));
            calls.push_back(std::move(one));
        }
        base::put(out, "calls", Json(std::move(calls)));
    }
    if (message.role == ChatRole::tool) {
        const std::optional<std::size_t> call = answered_call(messages, at);
        base::put(out, "call", call ? Json(*call) : Json());
        if (message.is_error) base::put(out, "is_error", Json(true));
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::testing_detail
