// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cctype>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/unicode.hpp"
#include "acta/json/json.hpp"
#include "support/messages_rules.hpp"

// What APIs and servers require of a request, as checks over its JSON. They know nothing of how acta makes one.

namespace validators {

using acta::Json;
using rules::Broken;

inline std::string text(const Json& value, const char* key) { return value.value(key, std::string()); }
inline bool is_blank(const Json& value) {
    return value.is_string() && acta::unicode::is_blank(value.get_ref<const std::string&>());
}
inline bool is_alnum(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0; }

/// A name that OpenAI, Anthropic, Gemini and Kimi take.
inline bool is_tool_name(const std::string& name) {
    return !name.empty() && name.size() <= 64 &&
           std::ranges::all_of(name, [](char c) { return is_alnum(c) || c == '_' || c == '-'; }) &&
           name.front() != '-' && std::isdigit(static_cast<unsigned char>(name.front())) == 0;
}

/// A tool of a request: its name, its description and the schema of its arguments.
inline void tool(const Json& one, const char* schema, std::size_t max_description, std::set<std::string>& names,
                 Broken& broken) {
    const std::string name = text(one, "name");
    if (!is_tool_name(name)) broken.push_back("name of a tool: " + name);
    if (!names.insert(name).second) broken.push_back("name of a tool again: " + name);
    if (max_description != 0 && text(one, "description").size() > max_description)
        broken.push_back("long description of " + name);
    const Json parameters = one.value(schema, Json());
    if (!parameters.is_object() || text(parameters, "type") != "object" || !parameters.contains("properties"))
        broken.push_back("schema of " + name + ": " + parameters.dump());
}

// Chat completions.

/// The rules of a server, beside those of OpenAI's API.
struct ChatRules {
    std::string_view host{};
    bool nine = false;          ///< Ids have nine letters and digits.
    bool ordered = false;       ///< No user after a tool; the last message is not the assistant's, unless as a prefix.
    bool system_first = false;  ///< One message of the system, the first.
    bool not_empty = false;     ///< Messages have content.
    bool strict_members = false;  ///< No members beside those of OpenAI's API.
    bool turns = false;           ///< Reasoning of all answers of turns with calls.
    bool some = false;            ///< That reasoning is not empty.
    std::size_t max_description = 0;
};
inline constexpr ChatRules chat_rules[] = {
    {.host = "localhost"},
    {.host = "api.openai.com", .max_description = 1024},
    {.host = "openai.azure.com", .max_description = 1024},
    {.host = "mistral.ai",
     .nine = true,
     .ordered = true,
     .system_first = true,
     .not_empty = true,
     .strict_members = true},
    {.host = "deepseek.com", .not_empty = true, .turns = true},
    {.host = "moonshot.ai", .not_empty = true, .turns = true, .some = true},
    {.host = "moonshot.cn", .not_empty = true, .turns = true, .some = true},
    {.host = "kimi.com", .not_empty = true, .turns = true, .some = true},
    {.host = "aliyuncs.com", .system_first = true},
};

inline void chat_order(const Json& messages, const ChatRules& rules, Broken& broken) {
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const std::string role = text(messages[i], "role");
        if (rules.system_first && i != 0 && role == "system") broken.push_back("system message that is not the first");
        if (rules.ordered && i != 0 && role == "user" && messages[i - 1]["role"] == "tool")
            broken.push_back("user after tool");
        if (rules.ordered && i == 0 && role == "assistant") broken.emplace_back("assistant at the beginning");
        const bool is_end = i + 1 == messages.size() && role == "assistant" && !messages[i].contains("tool_calls");
        if (rules.ordered && is_end && !messages[i].value("prefix", false)) broken.push_back("assistant at the end");
    }
}

inline void chat_content(const Json& message, const ChatRules& rules, Broken& broken) {
    const std::string role = text(message, "role");
    const Json& content = message.at("content");
    const bool calls = message.contains("tool_calls");
    if (content.is_array()) {
        for (const Json& part : content) {
            const std::string type = text(part, "type");
            if (role != "user" && type != "text" && type != "refusal") broken.push_back(role + " with " + type);
            if (rules.not_empty && type == "text" && is_blank(part["text"]))
                broken.push_back(role + " with a blank part");
        }
        if (rules.not_empty && content.empty()) broken.push_back(role + " without parts");
    } else if (rules.not_empty && !(calls && content.is_null()) && (content.is_null() || is_blank(content))) {
        broken.push_back(role + " without content");
    }
    if (!rules.strict_members) return;
    static const std::set<std::string> known{"role", "content", "tool_calls", "tool_call_id", "name", "prefix"};
    for (const auto& [key, value] : message.items()) {
        if (!known.contains(key)) broken.push_back("member " + key);
    }
}

/// The reasoning of a turn, which ends with the user's next message; `sent` has the conversation that was sent, so that
/// messages of acta's own are not the user's.
inline void chat_reasoning(const Json& messages, const ChatRules& rules, Broken& broken) {
    for (const Json& message : messages) {
        if (!rules.turns || !message.contains("tool_calls")) continue;
        if (!message.contains("reasoning_content"))
            broken.emplace_back("call without reasoning");
        else if (rules.some && is_blank(message["reasoning_content"]))
            broken.emplace_back("call with empty reasoning");
    }
}

inline Broken openai_chat(const Json& body, const ChatRules& rules) {
    const Json& messages = body.at("messages");
    Broken broken = rules::openai(messages);
    chat_order(messages, rules, broken);
    chat_reasoning(messages, rules, broken);
    for (const Json& message : messages) {
        chat_content(message, rules, broken);
        for (const Json& call : message.value("tool_calls", Json::array())) {
            const std::string id = text(call, "id");
            if (rules.nine && (id.size() != 9 || !std::ranges::all_of(id, is_alnum))) broken.push_back("id " + id);
            if (!is_tool_name(text(call["function"], "name"))) broken.push_back("name in " + call.dump());
        }
    }
    std::set<std::string> names;
    for (const Json& one : body.value("tools", Json::array()))
        tool(one["function"], "parameters", rules.max_description, names, broken);
    return broken;
}

// The Responses API.

inline bool is_of_model(const Json& item) {
    const std::string type = text(item, "type");
    if (type.empty() || type == "message") return text(item, "role") == "assistant";
    return !type.ends_with("_output");
}

inline Broken openai_responses(const Json& body, std::size_t max_description) {
    Broken broken;
    const Json& input = body.at("input");
    std::set<std::string> ids;
    std::set<std::string> open;
    for (std::size_t i = 0; i < input.size(); ++i) {
        const Json& item = input[i];
        const std::string type = text(item, "type");
        const std::string id = text(item, "call_id");
        if (type == "reasoning") {
            if (text(item, "encrypted_content").empty()) broken.push_back("reasoning that is nowhere: " + item.dump());
            if (i + 1 == input.size() || !is_of_model(input[i + 1])) broken.push_back("reasoning without a follower");
        } else if (type == "function_call") {
            if (id.empty() || id.size() > 64) broken.push_back("id " + id);
            if (!ids.insert(id).second) broken.push_back("id again: " + id);
            if (!is_tool_name(text(item, "name"))) broken.push_back("name in " + item.dump());
            if (!Json::parse(text(item, "arguments"), nullptr, false).is_object()) broken.push_back("arguments");
            open.insert(id);
        } else if (type == "function_call_output") {
            if (open.erase(id) == 0) broken.push_back("result of no call: " + id);
            if (!rules::is_content(item.at("output"))) broken.push_back("output " + item.dump());
        } else if (type.empty() || type == "message") {
            if (!rules::is_content(item.at("content"))) broken.push_back("content " + item.dump());
            if (text(item, "role") == "user" && !open.empty())
                broken.push_back("call without a result: " + *open.begin());
        }
    }
    if (!open.empty()) broken.push_back("call without a result: " + *open.begin());
    std::set<std::string> names;
    for (const Json& one : body.value("tools", Json::array())) tool(one, "parameters", max_description, names, broken);
    return broken;
}

// Anthropic.

inline void anthropic_source(const Json& block, Broken& broken) {
    const Json& source = block.at("source");
    const std::string kind = text(source, "type");
    const std::string media = text(source, "media_type");
    static const std::set<std::string> images{"image/jpeg", "image/png", "image/gif", "image/webp"};
    const bool is_image = text(block, "type") == "image";
    if (kind == "base64" && !(is_image ? images.contains(media) : media == "application/pdf"))
        broken.push_back("media type in " + block.dump());
    if (kind == "text" && (is_image || media != "text/plain" || is_blank(source.at("data"))))
        broken.push_back("text in " + block.dump());
}

inline void anthropic_blocks(const Json& blocks, const std::set<std::string>& types, std::size_t& marks,
                             Broken& broken) {
    for (const Json& block : blocks) {
        const std::string type = text(block, "type");
        if (!types.contains(type)) broken.push_back("block " + type);
        if (type == "text" && is_blank(block.at("text"))) broken.emplace_back("blank text");
        if (type == "image" || type == "document") anthropic_source(block, broken);
        if (type == "tool_use" && !is_tool_name(text(block, "name"))) broken.push_back("name in " + block.dump());
        if (block.contains("cache_control")) ++marks;
        const Json content = block.value("content", Json());
        if (content.is_array()) anthropic_blocks(content, {"text", "image", "document"}, marks, broken);
    }
}

inline Broken anthropic(const Json& body) {
    Broken broken = rules::anthropic(body);
    std::size_t marks = 0;
    const Json system = body.value("system", Json());
    if (is_blank(system)) broken.emplace_back("blank system");
    if (system.is_array()) anthropic_blocks(system, {"text"}, marks, broken);
    static const std::set<std::string> of_user{"text", "image", "document", "tool_result"};
    static const std::set<std::string> of_assistant{"text",     "thinking",     "redacted_thinking",
                                                    "tool_use", "mcp_tool_use", "mcp_tool_result"};
    const Json& messages = body.at("messages");
    if (messages.empty()) broken.emplace_back("no messages");
    for (std::size_t i = 0; i < messages.size(); ++i) {
        const bool is_user = messages[i]["role"] == "user";
        const bool is_last = i + 1 == messages.size();
        Json content = messages[i]["content"];
        if (content.is_string()) {
            if (is_blank(content)) broken.emplace_back("blank message");
            content = Json::array({{{"type", "text"}, {"text", content}}});
        }
        anthropic_blocks(content, is_user ? of_user : of_assistant, marks, broken);
        if (is_user || content.empty()) continue;
        const Json& end = content.back();
        if (text(end, "type").ends_with("thinking")) broken.emplace_back("thinking at the end of an answer");
        const std::string words = text(end, "text");
        if (is_last && !words.empty() && !words.ends_with(acta::unicode::trim(words)))
            broken.emplace_back("white space at the end");
    }
    if (marks > 4) broken.push_back(std::to_string(marks) + " cache marks");
    std::set<std::string> names;
    for (const Json& one : body.value("tools", Json::array())) tool(one, "input_schema", 0, names, broken);
    return broken;
}

}  // namespace validators
