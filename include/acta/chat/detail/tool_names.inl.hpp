// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "acta/chat/tool_names.hpp"

namespace acta::inline ACTA_ABI {

namespace chat_detail {

[[nodiscard]] ACTA_INLINE bool is_legal_in_tool_name(char c) noexcept {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_' || c == '-';
}

[[nodiscard]] ACTA_INLINE std::string legal_tool_name(std::string_view name) {
    std::string out;
    for (const char c : name) {
        if (out.size() == ToolNames::max_length) break;
        const bool continues = (static_cast<unsigned char>(c) & 0xC0U) == 0x80U;  // one `_` for each character
        if (!continues) out += is_legal_in_tool_name(c) ? c : '_';
    }
    return out.empty() ? "_" : out;
}

}  // namespace chat_detail

ACTA_INLINE ToolNames::ToolNames(std::span<const std::string> skills) {
    for (const std::string& skill : skills) {
        if (is_legal(skill)) add(skill, skill);
    }
    for (const std::string& skill : skills) {
        if (!tools_.contains(skill)) add(skill, unused(chat_detail::legal_tool_name(skill)));
    }
}

ACTA_INLINE bool ToolNames::is_legal(std::string_view name) noexcept {
    return !name.empty() && name.size() <= max_length &&
           std::all_of(name.begin(), name.end(), chat_detail::is_legal_in_tool_name);
}

ACTA_INLINE const std::string* ToolNames::find_tool(std::string_view skill) const {
    const auto found = tools_.find(skill);
    return found == tools_.end() ? nullptr : &found->second;
}

ACTA_INLINE const std::string* ToolNames::find_skill(std::string_view tool) const {
    const auto found = skills_.find(tool);
    return found == skills_.end() ? nullptr : &found->second;
}

ACTA_INLINE AssistantFunctionCall ToolNames::to_skill(AssistantFunctionCall call) const {
    if (const std::string* const skill = find_skill(call.name)) call.name = *skill;
    return call;
}

ACTA_INLINE AssistantFunctionCall ToolNames::to_tool(AssistantFunctionCall call) const {
    if (const std::string* const tool = find_tool(call.name)) call.name = *tool;
    return call;
}

ACTA_INLINE std::string ToolNames::unused(const std::string& name) const {
    std::string out = name;
    for (std::size_t n = 2; skills_.contains(out); ++n) {
        const std::string number = "_" + std::to_string(n);
        out = name.substr(0, max_length - number.size()) + number;
    }
    return out;
}

ACTA_INLINE void ToolNames::add(const std::string& skill, const std::string& tool) {
    tools_.emplace(skill, tool);
    skills_.emplace(tool, skill);
}

}  // namespace acta::inline ACTA_ABI
