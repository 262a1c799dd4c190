// SPDX-License-Identifier: MIT
#pragma once

#include "acta/chat/reasoning.hpp"

namespace acta::inline ACTA_ABI {

namespace chat_detail {

inline constexpr std::string_view think_tag = "<think>";
inline constexpr std::string_view white_space = " \t\r\n\f\v";

[[nodiscard]] ACTA_INLINE std::string_view strip_white_space(std::string_view text) noexcept {
    const std::size_t first = text.find_first_not_of(white_space);
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(white_space) - first + 1);
}

/// Returns whether the text between two others is in quotes.
[[nodiscard]] ACTA_INLINE bool is_quoted(std::string_view before, std::string_view behind) noexcept {
    return !before.empty() && !behind.empty() && before.back() == behind.front() &&
           std::string_view("`'\"").find(before.back()) != std::string_view::npos;
}

}  // namespace chat_detail

ACTA_INLINE SplitReasoning split_reasoning(std::string_view text) noexcept {
    constexpr std::string_view closing = "</think>";
    const std::size_t end = text.find(closing);
    if (end == std::string_view::npos) return {{}, text};
    std::string_view reasoning = chat_detail::strip_white_space(text.substr(0, end));
    const std::string_view rest = text.substr(end + closing.size());
    if (reasoning.starts_with(chat_detail::think_tag))
        reasoning = chat_detail::strip_white_space(reasoning.substr(chat_detail::think_tag.size()));
    else if (reasoning.find(chat_detail::think_tag) != std::string_view::npos ||
             chat_detail::is_quoted(reasoning, rest))
        return {{}, text};
    const std::size_t answer = rest.find_first_not_of(chat_detail::white_space);
    return {reasoning, answer == std::string_view::npos ? std::string_view() : rest.substr(answer)};
}

ACTA_INLINE void take_reasoning(AssistantChatMessage& message, std::optional<std::string> field) {
    std::string reasoning = field ? *std::move(field) : std::string();
    const bool has_opening = chat_detail::strip_white_space(message.content).starts_with(chat_detail::think_tag);
    const SplitReasoning parts = split_reasoning(message.content);
    if (parts.answer.size() != message.content.size() && (reasoning.empty() || has_opening)) {
        if (!reasoning.empty() && !parts.reasoning.empty()) reasoning += '\n';
        reasoning += parts.reasoning;
        message.content = std::string(parts.answer);
    }
    if (!reasoning.empty()) message.reasoning_content = std::move(reasoning);
}

}  // namespace acta::inline ACTA_ABI
