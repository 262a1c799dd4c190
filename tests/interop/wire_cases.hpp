// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "support/messages_rules.hpp"

// The cases of the kind `wire`: messages of one API, as acta writes them for another.

namespace wire_cases {

using acta::Json;

/// What a request says, in the order of its messages.
struct Request {
    Json document{};
    rules::Broken broken{};
    std::vector<std::string> roles{};
    Json calls = Json::array();
    std::vector<std::pair<std::string, std::string>> results{};  ///< Id and text.
    std::vector<std::string> images{};                           ///< The role of the message of each.
    std::vector<std::string> texts{};
};

inline std::string read_content(Request& out, const std::string& role, const Json& content);

inline void read_part(Request& out, const std::string& role, const Json& part, std::string& text) {
    const std::string type = part.at("type").get<std::string>();
    if (type == "text") text += part.at("text").get<std::string>();
    if (type == "image" || type == "image_url") out.images.push_back(role);
    if (type == "tool_use")
        out.calls.push_back({{"id", part["id"]}, {"name", part["name"]}, {"arguments", part["input"]}});
    if (type == "tool_result") {
        const std::string said = part.contains("content") ? read_content(out, "tool", part["content"]) : "";
        out.results.emplace_back(part.at("tool_use_id").get<std::string>(), said);
    }
}

/// Returns the text of a content, which is null, a text or a list of parts.
inline std::string read_content(Request& out, const std::string& role, const Json& content) {
    std::string text;
    if (content.is_string()) text = content.get<std::string>();
    if (content.is_array()) {
        for (const Json& part : content) read_part(out, role, part, text);
    }
    if (!text.empty()) out.texts.push_back(text);
    return text;
}

inline void read_message(Request& out, const Json& message) {
    const std::string role = message.at("role").get<std::string>();
    out.roles.push_back(role);
    const std::string text = message.contains("content") ? read_content(out, role, message["content"]) : "";
    if (role == "tool") out.results.emplace_back(message.at("tool_call_id").get<std::string>(), text);
    for (const Json& call : message.value("tool_calls", Json::array())) {
        const Json& function = call.at("function");
        out.calls.push_back({{"id", call["id"]},
                             {"name", function["name"]},
                             {"arguments", acta::parse<Json>(function["arguments"].get<std::string>())}});
    }
}

/// Returns what acta sends to `input.to` for the messages of `input.from`.
inline Json document_of(const Json& input) {
    const auto messages = input["from"] == "anthropic" ? acta::anthropic::from_wire({{"messages", input["messages"]}})
                                                       : acta::openai::from_wire(input["messages"]);
    if (input["to"] == "anthropic") return acta::anthropic::to_wire(messages);
    return acta::openai::to_wire(messages);
}
/// Returns what that says.
inline Request request_of(const Json& input) {
    Request out;
    out.document = document_of(input);
    const bool anthropic = input["to"] == "anthropic";
    out.broken = anthropic ? rules::anthropic(out.document) : rules::openai(out.document);
    if (anthropic && out.document.contains("system")) read_content(out, "system", out.document["system"]);
    for (const Json& message : anthropic ? out.document["messages"] : out.document) read_message(out, message);
    return out;
}

}  // namespace wire_cases
