// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/json/dump.hpp"
#include "acta/provider/detail/call_ids.hpp"
#include "acta/provider/detail/wire_writer.hpp"
#include "acta/provider/openai/responses.hpp"

namespace acta::inline ACTA_ABI {

namespace openai_responses_detail {

using provider_detail::add_extra;
using provider_detail::own_extra;
using provider_detail::put_text;

inline constexpr std::string_view provider = "openai_responses";
/// The argument of a call of a custom tool, whose input is a text.
inline constexpr const char* custom_input = "input";

[[nodiscard]] ACTA_INLINE bool is_type(const Json::object_t& item, std::string_view type) {
    const Json* const found = base::find_key(item, "type");
    return found != nullptr && base::is_text(*found, type);
}

// Parts ------------------------------------------------------------------------------------------------------

[[nodiscard]] ACTA_INLINE std::string data_url(const ContentPart& part) {
    return "data:" + part.media_type + ";base64," + part.data;
}

/// Returns a part in the form of the API.
[[nodiscard]] ACTA_INLINE JsonObject sent_part(const ContentPart& part) {
    const Json::object_t* const own = own_extra(part.extra, provider);
    const auto has = [own](std::string_view key) { return own != nullptr && base::find_key(*own, key) != nullptr; };
    const bool has_data = !part.data.empty() && !part.media_type.empty();
    const bool has_address = part.url.starts_with("https://") || part.url.starts_with("http://");
    JsonObject out;
    if (part.type == "image" && (has_data || has_address || has("file_id"))) {
        put_text(out, "type", "input_image");
        if (has_data || has_address) put_text(out, "image_url", has_data ? data_url(part) : part.url);
    } else if (part.type == "file" && (has_data || has_address || has("file_id") || has("file_data"))) {
        put_text(out, "type", "input_file");
        if (!part.name.empty()) put_text(out, "filename", part.name);
        if (has_data)
            put_text(out, "file_data", data_url(part));
        else if (has_address)
            put_text(out, "file_url", part.url);
    } else if (part.type == "audio" && has_data) {
        ContentPart audio = part;
        audio.extra = {};
        out = Describe<ContentPart>::to_representation(audio);
    } else if (part.type != "text" && part.type != "image" && part.type != "file" && own != nullptr) {
        put_text(out, "type", part.type);
    } else {
        put_text(out, "type", "input_text");
        put_text(out, "text", to_string(part));
        if (part.type != "text") return out;
    }
    add_extra(out, own);
    return out;
}

[[nodiscard]] ACTA_INLINE Json sent_content(const ChatMessage& message) {
    if (message.parts.empty()) return base::text_json(message.content);
    JsonArray out;
    for (const ContentPart& part : provider_detail::result_parts(message)) out.emplace_back(sent_part(part));
    return out;
}

// Writing ----------------------------------------------------------------------------------------------------

/// The API refuses longer ids of calls: "Expected a string with maximum length 64".
inline constexpr std::size_t longest_id = 64;

class Writer {
public:
    JsonArray items{};

    void add(const ChatMessage& message) {
        if (message.role == ChatRole::assistant) return add_answer(message);
        const Json::object_t* const own = own_extra(message.extra, provider);
        JsonObject item;
        if (message.role == ChatRole::tool) {
            put_text(item, "type",
                     own != nullptr && is_type(*own, "custom_tool_call_output") ? "custom_tool_call_output"
                                                                                : "function_call_output");
            put_text(item, "call_id", ids_.of(message.tool_call_id));
            base::put(
                item, "output",
                message.parts.empty() ? base::text_json(provider_detail::result_text(message)) : sent_content(message));
        } else if (const Json* const whole = own == nullptr ? nullptr : base::find_key(*own, "item")) {
            items.push_back(*whole);
            return;
        } else {
            const bool is_developer = own != nullptr && base::find_key(*own, "role") != nullptr;
            put_text(item, "role", is_developer ? "developer" : to_string(message.role));
            base::put(item, "content", sent_content(message));
        }
        add_extra(item, own);
        items.emplace_back(std::move(item));
    }

private:
    [[nodiscard]] JsonObject call_item(const AssistantToolCall& call, const Json::object_t* kept) {
        JsonObject item;
        const bool is_custom = kept != nullptr && is_type(*kept, "custom_tool_call");
        put_text(item, "type", is_custom ? "custom_tool_call" : "function_call");
        put_text(item, "call_id", ids_.of(call.id));
        put_text(item, "name", call.function.name);
        const auto input = call.function.arguments.find(custom_input);
        if (is_custom && input != call.function.arguments.end() && input->second.is_string())
            base::put(item, "input", input->second);
        else
            put_text(item, is_custom ? "input" : "arguments", dump(call.function.arguments));
        add_extra(item, kept);
        return item;
    }

    void add_words(const ChatMessage& message) {
        if (message.content.empty()) return;
        JsonObject item;
        put_text(item, "role", "assistant");
        put_text(item, "content", message.content);
        items.emplace_back(std::move(item));
    }

    void add_answer(const ChatMessage& message) {
        std::size_t next = 0;
        const Json::object_t* const own = own_extra(message.extra, provider);
        const Json* const kept = own == nullptr ? nullptr : base::find_key(*own, "items");
        if (kept != nullptr && kept->is_array())
            add_kept(base::array_of(*kept), message, next);
        else
            add_words(message);
        for (; next < message.tool_calls.size(); ++next)
            items.emplace_back(call_item(message.tool_calls[next], nullptr));
    }

    /// Adds the items as the API returned them. A call has only its place, and a text equal to the message's is empty.
    void add_kept(const JsonArray& kept, const ChatMessage& message, std::size_t& next) {
        for (const Json& one : kept) {
            if (!one.is_object()) continue;
            const Json::object_t& members = base::object_of(one);
            if (is_type(members, "function_call") || is_type(members, "custom_tool_call")) {
                if (next < message.tool_calls.size())
                    items.emplace_back(call_item(message.tool_calls[next++], &members));
                continue;
            }
            Json item = one;
            const auto content = item.find("content");
            if (content != item.end() && content->is_array()) {
                for (Json& part : *content) {
                    if (part.is_object() && is_type(base::object_of(part), "output_text") && !part.contains("text"))
                        part["text"] = message.content;
                }
            } else if (content == item.end() && base::find_key(members, "role") != nullptr) {
                item["content"] = message.content;
            }
            items.push_back(std::move(item));
        }
    }

    provider_detail::WireIds ids_{longest_id, false};
};

}  // namespace openai_responses_detail

ACTA_INLINE JsonArray openai::responses::to_wire(std::span<const ChatMessage> messages) {
    openai_responses_detail::Writer writer;
    for (const ChatMessage& message : messages) writer.add(message);
    return std::move(writer.items);
}

}  // namespace acta::inline ACTA_ABI
