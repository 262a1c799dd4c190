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

/// A function as a tool: beside its `type` in the Responses API, one level deeper in chat completions.
[[nodiscard]] inline JsonObject function_of(const ToolDefinition& tool, const ToolNames& names) {
    JsonObject function;
    function.emplace("name", *names.find_tool(tool.name));
    if (!tool.description.empty()) function.emplace("description", tool.description);
    function["parameters"] = tool.parameters;
    return function;
}
/// The schema of an answer, in the same places.
[[nodiscard]] inline JsonObject schema_of_answer(const Json& schema) {
    JsonObject out;
    out.emplace("name", "answer");
    out["schema"] = schema;
    out.emplace("strict", is_strict_schema(schema));
    return out;
}
/// Returns `{"type": type, key: members}`, or without a key an object of the type with these members.
[[nodiscard]] inline JsonObject of_type(const char* type, const char* key, JsonObject members) {
    JsonObject out;
    out.emplace("type", type);
    if (key != nullptr)
        out.emplace(key, std::move(members));
    else
        for (auto& [name, value] : members) out.emplace(name, std::move(value));
    return out;
}

/// Adds the tools, each as `entry` has it.
template <class Entry>
void add_tools(JsonObject& body, const ChatOptions& options, const Entry& entry) {
    if (options.tools.empty()) return;
    JsonArray tools;
    for (const ToolDefinition& tool : options.tools) tools.emplace_back(entry(tool));
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
    add_tools(body, options,
              [&](const ToolDefinition& tool) { return of_type("function", "function", function_of(tool, names)); });
    if (options.response_schema)
        body.emplace("response_format",
                     of_type("json_schema", "json_schema", schema_of_answer(*options.response_schema)));
    if (options.on_text) {
        body.emplace("stream", true);
        if (settings.stream_usage) body.emplace("stream_options", JsonObject{{"include_usage", true}});
    }
    for (const auto& [key, value] : settings.extra) body[key] = value;
    return dump(body);
}

}  // namespace acta::inline ACTA_ABI::openai_detail
