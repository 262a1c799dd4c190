// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/chat/tool_names.hpp"
#include "acta/json/dump.hpp"
#include "acta/provider/detail/request_tools.hpp"
#include "acta/provider/openai/options.hpp"
#include "acta/provider/openai/wire.hpp"

namespace acta::inline ACTA_ABI::openai_detail {

/// Returns whether a schema obeys OpenAI's rules for strict answers as far as they can be checked here: every object is
/// closed, every key is required, and there are no defaults
/// (https://platform.openai.com/docs/guides/structured-outputs#supported-schemas).
[[nodiscard]] inline bool is_strict_schema(const Json& schema) {
    if (schema.is_array()) {
        for (const Json& one : schema) {
            if (!is_strict_schema(one)) return false;
        }
        return true;
    }
    if (!schema.is_object()) return true;
    const auto properties = schema.find("properties");
    const auto type = schema.find("type");
    const bool is_object = properties != schema.end() || (type != schema.end() && *type == Json("object"));
    if (is_object) {
        const auto closed = schema.find("additionalProperties");
        const auto required = schema.find("required");
        const std::size_t keys = properties == schema.end() ? 0 : properties->size();
        if (closed == schema.end() || *closed != Json(false)) return false;
        if ((required == schema.end() ? 0 : required->size()) != keys) return false;
    }
    for (const auto& [key, value] : schema.items()) {
        if (key == "default") return false;
        if (key == "properties" || key == "$defs") {
            for (const auto& [name, one] : value.items()) {
                if (!is_strict_schema(one)) return false;
            }
        } else if (key == "items" || key == "anyOf") {
            if (!is_strict_schema(value)) return false;
        }
    }
    return true;
}

[[nodiscard]] inline JsonObject tool_entry(const ToolDefinition& tool, const ToolNames& names) {
    JsonObject function;
    function.emplace("name", *names.find_tool(tool.name));
    if (!tool.description.empty()) function.emplace("description", tool.description);
    function["parameters"] = tool.parameters;
    JsonObject entry;
    entry.emplace("type", "function");
    entry.emplace("function", std::move(function));
    return entry;
}

[[nodiscard]] inline JsonObject response_format(const Json& schema) {
    JsonObject json_schema;
    json_schema.emplace("name", "answer");
    json_schema["schema"] = schema;
    json_schema.emplace("strict", is_strict_schema(schema));
    JsonObject format;
    format.emplace("type", "json_schema");
    format.emplace("json_schema", std::move(json_schema));
    return format;
}

inline void add_tools(JsonObject& body, const ChatOptions& options, const ToolNames& names) {
    if (options.tools.empty()) return;
    JsonArray tools;
    for (const ToolDefinition& tool : options.tools) tools.emplace_back(tool_entry(tool, names));
    body.emplace("tools", std::move(tools));
    if (options.tool_choice != ToolChoice::automatic)
        body.emplace("tool_choice", options.tool_choice == ToolChoice::none ? "none" : "required");
}

/// Returns the body of a request (https://platform.openai.com/docs/api-reference/chat/create). Throws `EncodeError`
/// if a text is not valid UTF-8. `names` has every name of a tool in the messages and the options.
[[nodiscard]] inline std::string request_body(const openai::Options& settings, const std::string& max_tokens_key,
                                              openai::SendReasoning reasoning, std::span<const ChatMessage> messages,
                                              const ChatOptions& options, const ToolNames& names) {
    JsonObject body;
    const std::string& model = options.model ? *options.model : settings.model;
    if (!model.empty()) body.emplace("model", model);
    body.emplace("messages", openai::to_wire(provider_detail::Renamed(messages, names).messages(), reasoning));
    if (const auto temperature = options.temperature ? options.temperature : settings.temperature)
        body.emplace("temperature", *temperature);
    if (const auto max_tokens = options.max_tokens ? options.max_tokens : settings.max_tokens)
        body.emplace(max_tokens_key, *max_tokens);
    add_tools(body, options, names);
    if (options.response_schema) body.emplace("response_format", response_format(*options.response_schema));
    if (options.on_text) {
        body.emplace("stream", true);
        if (settings.stream_usage) body.emplace("stream_options", JsonObject{{"include_usage", true}});
    }
    for (const auto& [key, value] : settings.extra) body[key] = value;
    return dump(body);
}

}  // namespace acta::inline ACTA_ABI::openai_detail
