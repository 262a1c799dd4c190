// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <initializer_list>
#include <iterator>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "acta/base/json_value.hpp"
#include "acta/base/unicode.hpp"
#include "acta/json/issue.hpp"

// Calls and results in forms of other libraries, which a reader of OpenAI's and Anthropic's messages would not see.
namespace acta::inline ACTA_ABI::interop_detail {

/// Returns whether a type, in any spelling, is that of a call or a result, such as `tool-call`.
inline bool names_call(std::string_view type) {
    std::string letters;
    for (const char c : type) {
        if (ascii::is_alnum(c)) letters += ascii::to_lower(c);
    }
    for (const std::string_view what : {"tool", "function"}) {
        for (std::size_t at = letters.find(what); at != std::string::npos; at = letters.find(what, at + 1)) {
            const std::string_view rest = std::string_view(letters).substr(at + what.size());
            constexpr std::string_view ends[] = {"call",    "use",        "result", "response",
                                                 "request", "invocation", "output", "return"};
            if (std::ranges::any_of(ends, [rest](std::string_view end) { return rest.starts_with(end); })) return true;
        }
    }
    return false;
}

/// Returns whether a type is one of the two APIs' content, which is read, or kept unchanged.
inline bool is_api_part(std::string_view type) {
    constexpr std::string_view types[] = {"text",
                                          "image",
                                          "image_url",
                                          "input_audio",
                                          "audio",
                                          "file",
                                          "document",
                                          "refusal",
                                          "thinking",
                                          "reasoning",
                                          "redacted_thinking",
                                          "input_text",
                                          "output_text",
                                          "input_image",
                                          "input_file",
                                          "video_url",
                                          "tool_use",
                                          "server_tool_use",
                                          "mcp_tool_use",
                                          "tool_reference",
                                          "tool_result",
                                          "search_result",
                                          "container_upload"};
    return type.ends_with("_tool_result") || std::ranges::find(types, type) != std::end(types);
}

/// Returns whether an object has a member of these names that is not null, nor empty.
inline bool has_content(const Json& object, std::initializer_list<const char*> keys) {
    return std::ranges::any_of(keys, [&object](const char* key) {
        const Json* const found = base::find_key(object, key);
        if (found == nullptr || found->is_null()) return false;
        return found->is_structured() ? !found->empty() : !base::text_member(object, key).empty();
    });
}

/// Returns whether a part of a message's content is a call or a result in a form that the two APIs do not have.
inline bool is_foreign_call(const Json& part) {
    const std::string type = base::text_member(part, "type");
    if (is_api_part(type)) return false;
    if (names_call(type)) return true;
    if (has_content(part, {"toolUse", "functionCall", "functionResponse", "toolCall", "toolResult", "tool_call",
                           "tool_calls", "function_call", "toolInvocation", "toolCallId", "tool_call_id", "toolUseId",
                           "tool_use_id", "call_id"}))
        return true;
    return has_content(part, {"name", "toolName", "tool_name", "tool"}) &&
           has_content(part, {"arguments", "args", "input", "parameters", "tool_input", "toolInput"});
}

/// Returns the place of a call or a result in a message that a reader of the two APIs would not see.
inline std::optional<Issue> foreign_call_in(const Json& message) {
    if (has_content(message, {"tool_calls"})) return std::nullopt;  // others repeat them
    for (const char* const key : {"content", "parts"}) {
        const Json* const parts = base::find_key(message, key);
        for (std::size_t i = 0; parts != nullptr && parts->is_array() && i < parts->size(); ++i) {
            if (!is_foreign_call((*parts)[i])) continue;
            const std::string type = base::text_member((*parts)[i], "type");
            return Issue{{std::string(key), i},
                         "",
                         "a call or a result in a form of another library" +
                             (type.empty() ? std::string() : " ('" + type + "')")};
        }
    }
    for (const char* const key : {"toolCalls", "tool_invocations", "toolInvocations", "function_calls", "functionCalls",
                                  "toolCall", "tool_call", "functionCall", "tool_uses", "toolUses", "toolUse",
                                  "tool_results", "toolResults", "toolResult"}) {
        if (has_content(message, {key}))
            return Issue{{std::string(key)}, "", "a call or a result in a form of another library"};
    }
    return std::nullopt;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
