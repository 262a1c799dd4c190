// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <set>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"

// What the two APIs require of a list of messages, as checks over its JSON. They know nothing of how acta makes one.

namespace rules {

using Broken = std::vector<std::string>;

inline bool blank(const acta::Json& text) {
    return text.get_ref<const std::string&>().find_first_not_of(" \t\r\n\f\v") == std::string::npos;
}

/// Text, or a list of parts that have a type.
inline bool is_content(const acta::Json& content) {
    return content.is_string() ||
           (content.is_array() && std::all_of(content.begin(), content.end(), [](const auto& part) {
                return part.is_object() && part.contains("type");
            }));
}

/// OpenAI: API reference, chat completions. What is broken, none where all is well.
inline Broken openai(const acta::Json& messages) {
    Broken broken;
    std::set<std::string> ids;
    std::vector<std::string> open;  // calls that wait for their tool message
    for (const acta::Json& message : messages) {
        const auto role = message.at("role").get<std::string>();
        if (role == "tool") {
            const auto id = message.at("tool_call_id").get<std::string>();
            const auto found = std::find(open.begin(), open.end(), id);
            if (found == open.end())
                broken.push_back("tool message without a call before it: " + id);
            else
                open.erase(found);
            if (!is_content(message.at("content"))) broken.push_back("tool content that is neither text nor parts");
            continue;
        }
        if (!open.empty()) broken.push_back("call without a tool message right after it: " + open.front());
        open.clear();
        if (role == "user" || role == "system" || role == "developer") {
            if (!is_content(message.at("content"))) broken.push_back(role + " content that is neither text nor parts");
            continue;
        }
        if (role != "assistant") broken.push_back("role " + role);
        const bool calls = message.contains("tool_calls");
        if (message.at("content").is_null() && !calls) broken.push_back("an assistant that says nothing");
        if (!calls) continue;
        if (message["tool_calls"].empty()) broken.push_back("an empty list of calls");
        for (const acta::Json& call : message["tool_calls"]) {
            const auto id = call.at("id").get<std::string>();
            if (id.empty() || id.size() > 40) broken.push_back("id of a length that is refused: " + id);
            if (!ids.insert(id).second) broken.push_back("id again: " + id);
            if (call.at("type") != acta::Json("function")) broken.push_back("type of call");
            if (call.at("function").at("name").get<std::string>().empty()) broken.push_back("call without a name");
            const auto arguments = call.at("function").at("arguments").get<std::string>();
            if (!acta::Json::parse(arguments, nullptr, false).is_object()) broken.push_back("arguments " + arguments);
            open.push_back(id);
        }
    }
    if (!open.empty()) broken.push_back("call without a tool message at the end: " + open.front());
    return broken;
}

inline void anthropic_block(const acta::Json& block, bool assistant, std::set<std::string>& ids,
                            std::vector<std::string>& calls, Broken& broken) {
    const auto type = block.at("type").get<std::string>();
    if (type == "text" && blank(block.at("text"))) broken.push_back("blank text");
    if (type == "tool_use") {
        if (!assistant) broken.push_back("a user who calls");
        const auto id = block.at("id").get<std::string>();
        const char* const legal = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-";
        if (id.empty() || id.find_first_not_of(legal) != std::string::npos) broken.push_back("id " + id);
        if (!ids.insert(id).second) broken.push_back("id again: " + id);
        if (!block.at("input").is_object()) broken.push_back("input is not an object");
        calls.push_back(id);
    }
    if (type == "tool_result") {
        if (assistant) broken.push_back("an assistant with a result");
        if (!block.value("is_error", false)) return;
        const bool text = block.contains("content") && block["content"].is_string() && !blank(block["content"]);
        if (!text) broken.push_back("an error without text");
    }
}

/// Anthropic: Messages API, guide "Tool use".
inline Broken anthropic(const acta::Json& request) {
    Broken broken;
    std::set<std::string> ids;
    std::vector<std::string> open;
    std::string last;
    for (const acta::Json& message : request.at("messages")) {
        const auto role = message.at("role").get<std::string>();
        if (last.empty() && role != "user") broken.push_back("the first message is not the user's");
        if (role == last) broken.push_back("roles do not alternate");
        last = role;
        acta::Json content = message.at("content");
        if (content.is_string()) {
            acta::Json block = acta::JsonObject{{"type", "text"}, {"text", content}};
            content = acta::JsonArray{std::move(block)};
        }
        if (content.empty()) broken.push_back("a message without content");
        std::vector<std::string> calls;
        std::vector<std::string> answered;
        bool other = false;
        for (const acta::Json& block : content) {
            anthropic_block(block, role == "assistant", ids, calls, broken);
            const bool result = block.at("type") == acta::Json("tool_result");
            if (result && other) broken.push_back("a result after other content");
            if (result) answered.push_back(block.at("tool_use_id").get<std::string>());
            other = other || !result;
        }
        if (role == "user") {
            std::sort(open.begin(), open.end());
            std::sort(answered.begin(), answered.end());
            if (open != answered) broken.push_back("calls and results that do not fit");
        }
        open = calls;
    }
    if (!open.empty()) broken.push_back("calls without results at the end");
    return broken;
}

}  // namespace rules
