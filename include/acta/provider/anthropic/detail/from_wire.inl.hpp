// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/base/utf8.hpp"
#include "acta/json/dump.hpp"
#include "acta/json/parse.hpp"
#include "acta/provider/anthropic/detail/to_wire.inl.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/detail/wire_reader.hpp"

namespace acta::inline ACTA_ABI {

namespace anthropic_detail {

using provider_detail::Place;

/// Reads messages and collects their issues.
class Reader : private provider_detail::WireReader {
public:
    std::vector<ChatMessage> messages{};

    void read_request(const Json& request) {
        const Place root;
        if (request.is_array()) return read_list(request, root);
        if (!request.is_object()) return refuse(root, "model_type", "Input should be an object", request);
        const Json::object_t& members = base::object_of(request);
        if (base::find_key(members, "role") != nullptr) return read_message(request, root);
        if (const Json* const system = base::find_key(members, "system"); system != nullptr && !system->is_null())
            read_said(ChatRole::system, *system, {&root, "system"});
        const Json* const list = base::find_key(members, "messages");
        if (list == nullptr) return refuse({&root, "messages"}, "missing", "Field required", request);
        read_list(*list, {&root, "messages"});
    }

    void throw_if_any() { WireReader::throw_if_any("AnthropicMessages"); }

private:
    void read_list(const Json& list, const Place& place) {
        if (!list.is_array()) return refuse(place, "list_type", "Input should be a valid array", list);
        std::size_t i = 0;
        for (const Json& message : list) read_message(message, {&place, i++});
    }

    void read_message(const Json& message, const Place& place) {
        if (!message.is_object()) return refuse(place, "model_type", "Input should be an object", message);
        const Json::object_t& members = base::object_of(message);
        const Json* const role = base::find_key(members, "role");
        const Json* const content = base::find_key(members, "content");
        if (content == nullptr) refuse({&place, "content"}, "missing", "Field required", message);
        if (role == nullptr) return refuse({&place, "role"}, "missing", "Field required", message);
        const bool is_user = base::is_text(*role, "user");
        if (!is_user && !base::is_text(*role, "assistant"))
            return refuse({&place, "role"}, "enum", "Input should be 'user' or 'assistant'", *role);
        if (content == nullptr) return;
        if (is_user)
            read_said(ChatRole::user, *content, {&place, "content"});
        else
            read_answer(*content, {&place, "content"});
    }

    /// Reads a message of the system or the user: its blocks are parts, except the results of calls.
    void read_said(ChatRole role, const Json& content, const Place& place) {
        ChatMessage said;
        said.role = role;
        if (content.is_string()) {
            said.content = base::text_of(content);
            messages.push_back(std::move(said));
            return;
        }
        if (!content.is_array()) return refuse(place, "list_type", "Input should be a valid string or array", content);
        bool has_results = false;
        std::size_t i = 0;
        for (const Json& block : content) {
            const Place at{&place, i++};
            const std::string_view type = type_of(block, at);
            if (role == ChatRole::user && type == "tool_result") {
                has_results = true;
                read_result(JsonObject(base::object_of(block)), at);
            } else if (!type.empty()) {
                said.parts.push_back(read_content_part(JsonObject(base::object_of(block)), provider));
            }
        }
        if (said.parts.empty() && has_results) return;
        said.content = parts_text(said.parts);
        // Beside results, a text is a message as if it were alone.
        const bool is_text =
            said.parts.size() == 1 && said.parts.front().type == "text" && said.parts.front().extra.empty();
        if (has_results && is_text) said.parts.clear();
        messages.push_back(std::move(said));
    }

    void read_result(JsonObject block, const Place& place) {
        ChatMessage result;
        result.role = ChatRole::tool;
        block.erase("type");
        result.tool_call_id = take_text(block, "tool_use_id", place);
        if (const auto error = block.find("is_error"); error != block.end() && error->second.is_boolean()) {
            result.is_error = base::boolean_of(error->second);
            block.erase(error);
        }
        if (const auto content = block.find("content"); content != block.end()) {
            read_result_content(content->second, {&place, "content"}, result);
            block.erase(content);
        }
        if (!block.empty()) base::put(result.extra, provider, Json(std::move(block)));
        messages.push_back(std::move(result));
    }

    void read_result_content(const Json& content, const Place& place, ChatMessage& result) {
        if (content.is_null()) return;
        if (content.is_string()) {
            result.content = base::text_of(content);
            return;
        }
        if (!content.is_array()) return refuse(place, "list_type", "Input should be a valid string or array", content);
        std::size_t i = 0;
        for (const Json& block : content) {
            const std::string_view type = type_of(block, {&place, i++});
            if (!type.empty()) result.parts.push_back(read_content_part(JsonObject(base::object_of(block)), provider));
        }
        result.content = parts_text(result.parts);
    }

    void read_answer(const Json& content, const Place& place) {
        ChatMessage answer;
        answer.role = ChatRole::assistant;
        if (content.is_string()) {
            answer.content = base::text_of(content);
        } else if (!content.is_array()) {
            return refuse(place, "list_type", "Input should be a valid string or array", content);
        } else {
            read_blocks(content, place, answer);
        }
        if (answer.content == no_text && answer.tool_calls.empty() && answer.extra.empty()) answer.content.clear();
        messages.push_back(std::move(answer));
    }

    /// Calls become calls, texts the content. The blocks are kept unless they are just one text followed by calls.
    void read_blocks(const Json& content, const Place& place, ChatMessage& answer) {
        JsonArray kept;
        std::vector<ContentPart> texts;
        std::size_t plain_texts = 0;
        bool is_plain = true;
        std::size_t i = 0;
        for (const Json& block : content) {
            const Place at{&place, i++};
            const std::string_view type = type_of(block, at);
            if (type.empty()) continue;
            if (type == "tool_use") {
                JsonObject rest = read_call(JsonObject(base::object_of(block)), at, answer);
                is_plain = is_plain && rest.size() == 1;
                kept.emplace_back(std::move(rest));
                continue;
            }
            ContentPart part = read_content_part(JsonObject(base::object_of(block)), provider);
            const bool is_text = part.type == "text" && part.extra.empty();
            is_plain = is_plain && is_text && plain_texts == 0 && answer.tool_calls.empty();
            if (is_text) ++plain_texts;
            kept.push_back(block);
            // Adjacent texts are joined; a block between them begins a new line.
            if (part.type == "text")
                texts.push_back(std::move(part));
            else if (!texts.empty() && texts.back().type == "text")
                texts.push_back({.type = "break"});
        }
        answer.content = text_of(texts);
        if (is_plain) return;
        if (plain_texts == 1) mark_text(kept, answer.content);
        JsonObject own;
        base::put(own, "content", Json(std::move(kept)));
        base::put(answer.extra, provider, Json(std::move(own)));
    }

    [[nodiscard]] static std::string text_of(const std::vector<ContentPart>& texts) {
        std::string out;
        bool broken = false;
        for (const ContentPart& part : texts) {
            if (part.type == "break") {
                broken = true;
                continue;
            }
            if (broken && !out.empty() && !part.text.empty()) out += '\n';
            broken = false;
            out += part.text;
        }
        return out;
    }

    /// Avoids keeping the text that is the content twice.
    static void mark_text(JsonArray& kept, std::string_view content) {
        for (Json& block : kept) {
            auto& members = block.get_ref<Json::object_t&>();
            const Json* const text = base::find_key(members, "text");
            if (members.size() == 2 && text != nullptr && base::is_text(*text, content)) members.erase("text");
        }
    }

    /// Adds a call; returns the other members of the block, with its type.
    [[nodiscard]] JsonObject read_call(JsonObject block, const Place& place, ChatMessage& answer) {
        AssistantToolCall call;
        call.id = take_text(block, "id", place);
        call.function.name = take_text(block, "name", place);
        if (const auto input = block.find("input"); input == block.end()) {
            refuse({&place, "input"}, "missing", "Field required", Json(block));
        } else {
            read_arguments(input->second, {&place, "input"}, call);
            block.erase(input);
        }
        answer.tool_calls.push_back(std::move(call));
        return block;
    }
};

}  // namespace anthropic_detail

ACTA_INLINE std::vector<ChatMessage> anthropic::from_wire(const Json& request) {
    anthropic_detail::Reader reader;
    reader.read_request(request);
    reader.throw_if_any();
    return std::move(reader.messages);
}

}  // namespace acta::inline ACTA_ABI
