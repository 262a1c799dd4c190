// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/ascii.hpp"
#include "acta/json/dump.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/detail/call_ids.hpp"
#include "acta/provider/detail/wire_writer.hpp"

namespace acta::inline ACTA_ABI {

namespace anthropic_detail {

using provider_detail::add_extra;
using provider_detail::own_extra;
using provider_detail::put_text;

inline constexpr std::string_view provider = "anthropic";
/// The API refuses messages without any block.
inline constexpr std::string_view no_text = "(no text)";
/// The user's first message if there is none: the API requires one.
inline constexpr std::string_view opening = "Continue with your task.";

[[nodiscard]] ACTA_INLINE JsonObject block_of(std::string_view type) {
    JsonObject out;
    base::put(out, "type", base::text_json(type));
    return out;
}
[[nodiscard]] ACTA_INLINE JsonObject text_block(std::string_view text) {
    JsonObject out = block_of("text");
    put_text(out, "text", text);
    return out;
}

[[nodiscard]] ACTA_INLINE bool is_address(std::string_view url) noexcept {
    return url.starts_with("https://") || url.starts_with("http://");
}

/// Returns the `source` of an image or document; nothing if the API cannot access the content.
[[nodiscard]] ACTA_INLINE std::optional<JsonObject> source_of(const ContentPart& part) {
    if (!part.data.empty() && !part.media_type.empty()) {
        JsonObject out = block_of("base64");
        put_text(out, "media_type", part.media_type);
        put_text(out, "data", part.data);
        return out;
    }
    if (part.type == "file" && !part.text.empty()) {
        JsonObject out = block_of("text");
        put_text(out, "media_type", "text/plain");
        put_text(out, "data", part.text);
        return out;
    }
    if (!is_address(part.url)) return std::nullopt;
    JsonObject out = block_of("url");
    put_text(out, "url", part.url);
    return out;
}

/// Returns a part as a block; nothing for blank text, which the API refuses.
[[nodiscard]] ACTA_INLINE std::optional<JsonObject> block_of(const ContentPart& part) {
    const Json::object_t* const own = own_extra(part.extra, provider);
    JsonObject out;
    if (part.type == "image" || part.type == "file") {
        out = block_of(part.type == "image" ? "image" : "document");
        if (std::optional<JsonObject> source = source_of(part)) base::put(out, "source", Json(*std::move(source)));
        if (!part.name.empty() && part.type == "file") put_text(out, "title", part.name);
        add_extra(out, own);
        if (base::find_key(out, "source") != nullptr) return out;
    } else if (part.type != "text" && own != nullptr) {
        out = block_of(part.type);
        add_extra(out, own);
        return out;
    }
    const std::string text = to_string(part);
    if (ascii::is_blank(text)) return std::nullopt;
    out = text_block(text);
    if (part.type == "text") add_extra(out, own);
    return out;
}

/// Collects the messages of a request.
class Writer {
public:
    void add(const ChatMessage& message) {
        switch (message.role) {
            case ChatRole::system: return add_system(message);
            case ChatRole::user: return add_user(message);
            case ChatRole::assistant: return add_assistant(message);
            case ChatRole::tool: return add_result(message);
        }
    }

    [[nodiscard]] JsonObject take() {
        JsonObject out;
        if (!system_.empty()) base::put(out, "system", Json(std::move(system_)));
        if (!system_text_.empty()) put_text(out, "system", system_text_);
        JsonArray messages;
        for (Message& one : messages_) messages.push_back(one.take());
        base::put(out, "messages", Json(std::move(messages)));
        return out;
    }

private:
    struct Message {
        bool is_user = false;
        JsonArray blocks{};
        bool is_text = false;  // one block, a plain text, which may be written as text

        [[nodiscard]] Json take() {
            JsonObject out;
            put_text(out, "role", is_user ? "user" : "assistant");
            if (is_text && blocks.size() == 1)
                base::put(out, "content", *base::find_key(base::object_of(blocks.front()), "text"));
            else
                base::put(out, "content", Json(std::move(blocks)));
            return Json(std::move(out));
        }
    };

    void add_block(bool is_user, JsonObject block, bool is_text = false) {
        if (messages_.empty() && !is_user) add_block(true, text_block(opening), true);
        if (messages_.empty() || messages_.back().is_user != is_user) messages_.push_back({is_user, {}, is_text});
        messages_.back().blocks.emplace_back(std::move(block));
    }

    void add_system(const ChatMessage& message) {
        if (message.parts.empty() && ascii::is_blank(message.content)) return;
        if (message.parts.empty() && system_.empty()) {
            if (!system_text_.empty()) system_text_ += "\n\n";
            system_text_ += message.content;
            return;
        }
        if (!system_text_.empty()) system_.emplace_back(text_block(std::exchange(system_text_, {})));
        if (message.parts.empty()) system_.emplace_back(text_block(message.content));
        for (const ContentPart& part : message.parts) {
            if (std::optional<JsonObject> block = block_of(part)) system_.emplace_back(*std::move(block));
        }
    }

    void add_user(const ChatMessage& message) {
        if (message.parts.empty() && !ascii::is_blank(message.content))
            add_block(true, text_block(message.content), true);
        for (const ContentPart& part : message.parts) {
            if (std::optional<JsonObject> block = block_of(part)) add_block(true, *std::move(block));
        }
    }

    void add_result(const ChatMessage& message) {
        JsonObject block = block_of("tool_result");
        put_text(block, "tool_use_id", ids_.of(message.tool_call_id));
        JsonArray content;
        for (const ContentPart& part : message.parts) {
            if (std::optional<JsonObject> one = block_of(part)) content.emplace_back(*std::move(one));
        }
        if (!content.empty())
            base::put(block, "content", Json(std::move(content)));
        else if (!message.content.empty())
            put_text(block, "content", message.content);
        if (message.is_error) base::put(block, "is_error", Json(true));
        add_extra(block, own_extra(message.extra, provider));
        add_block(true, std::move(block));
    }

    [[nodiscard]] JsonObject call_block(const AssistantToolCall& call) {
        JsonObject block = block_of("tool_use");
        put_text(block, "id", ids_.of(call.id));
        put_text(block, "name", call.function.name);
        base::put(block, "input", Json(call.function.arguments));
        return block;
    }

    void add_assistant(const ChatMessage& message) {
        const std::size_t before = messages_.empty() ? 0 : messages_.back().blocks.size();
        const std::size_t count = messages_.size();
        std::size_t next = 0;
        const Json::object_t* const own = own_extra(message.extra, provider);
        const Json* const kept = own == nullptr ? nullptr : base::find_key(*own, "content");
        if (kept != nullptr && kept->is_array())
            add_kept(base::array_of(*kept), message, next);
        else
            add_words(message);
        for (; next < message.tool_calls.size(); ++next) add_block(false, call_block(message.tool_calls[next]));
        const bool added = messages_.size() != count || (count != 0 && messages_.back().blocks.size() != before);
        if (!added) add_block(false, text_block(no_text), true);
    }

    void add_words(const ChatMessage& message) {
        if (message.parts.empty() && !ascii::is_blank(message.content))
            add_block(false, text_block(message.content), true);
        for (const ContentPart& part : message.parts) {
            if (std::optional<JsonObject> block = block_of(part)) add_block(false, *std::move(block));
        }
    }

    /// Adds the blocks as the API returned them. A call has only its place, and a text equal to the message's is empty.
    void add_kept(const JsonArray& kept, const ChatMessage& message, std::size_t& next) {
        for (const Json& one : kept) {
            if (!one.is_object()) continue;
            const Json::object_t& members = base::object_of(one);
            const Json* const type = base::find_key(members, "type");
            if (type != nullptr && base::is_text(*type, "tool_use")) {
                if (next == message.tool_calls.size()) continue;
                JsonObject block = call_block(message.tool_calls[next++]);
                add_extra(block, &members);
                add_block(false, std::move(block));
            } else if (type != nullptr && base::is_text(*type, "text") && base::find_key(members, "text") == nullptr) {
                if (!ascii::is_blank(message.content)) add_block(false, text_block(message.content));
            } else {
                add_block(false, JsonObject(members));
            }
        }
    }

    JsonArray system_{};
    std::string system_text_{};
    std::vector<Message> messages_{};
    provider_detail::WireIds ids_{128, true};
};

}  // namespace anthropic_detail

ACTA_INLINE JsonObject anthropic::to_wire(std::span<const ChatMessage> messages) {
    anthropic_detail::Writer writer;
    for (const ChatMessage& message : messages) writer.add(message);
    return writer.take();
}

}  // namespace acta::inline ACTA_ABI
