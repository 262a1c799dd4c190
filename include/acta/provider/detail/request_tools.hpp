// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <set>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/tool_names.hpp"

// The names of tools in a request, which every API restricts in the same way.
namespace acta::inline ACTA_ABI::provider_detail {

/// Returns the names of all tools of a request, including those of earlier calls, in a form that the API accepts.
[[nodiscard]] inline ToolNames tool_names(std::span<const ChatMessage> messages, const ChatOptions& options) {
    std::vector<std::string> names;
    std::set<std::string_view> known;
    const auto add = [&](const std::string& name) {
        if (known.insert(name).second) names.push_back(name);
    };
    for (const ToolDefinition& tool : options.tools) add(tool.name);
    for (const ChatMessage& message : messages) {
        for (const AssistantToolCall& call : message.tool_calls) add(call.function.name);
    }
    return ToolNames(names);
}

/// The messages of a request with the names of tools that the API accepts.
class Renamed {
public:
    Renamed(std::span<const ChatMessage> messages, const ToolNames& names) : messages_(messages) {
        const auto is_legal = [](const AssistantToolCall& call) { return ToolNames::is_legal(call.function.name); };
        if (std::ranges::all_of(messages, [&](const ChatMessage& message) {
                return std::ranges::all_of(message.tool_calls, is_legal);
            }))
            return;
        changed_.assign(messages.begin(), messages.end());
        for (ChatMessage& message : changed_) {
            for (AssistantToolCall& call : message.tool_calls) call.function = names.to_tool(std::move(call.function));
        }
        messages_ = changed_;
    }
    Renamed(const Renamed&) = delete;
    Renamed& operator=(const Renamed&) = delete;
    ~Renamed() = default;

    [[nodiscard]] std::span<const ChatMessage> messages() const noexcept { return messages_; }

private:
    std::vector<ChatMessage> changed_{};
    std::span<const ChatMessage> messages_;
};

}  // namespace acta::inline ACTA_ABI::provider_detail
