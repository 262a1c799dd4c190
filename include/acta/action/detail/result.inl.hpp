// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>

#include "acta/action/result.hpp"
#include "acta/chat/binary_placeholder.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::string fenced(std::string_view text) {
    constexpr std::string_view fence = "```";
    std::string out = "```\n";
    for (std::size_t at = text.find(fence); at != std::string_view::npos; at = text.find(fence)) {
        out.append(text.substr(0, at)).append("\\```");
        text.remove_prefix(at + fence.size());
    }
    return out.append(text).append("\n```");
}

ACTA_INLINE std::string to_string(const ActionSuccessResult& result) {
    std::string text = shown_text(result.outputs);
    if (text.find('\n') != std::string::npos) return fenced(text);
    return text;
}

ACTA_INLINE std::string to_string(const ActionErrorResult& result) {
    return "Action failed: '" + hide_binary(result.reason) + "'";
}

ACTA_INLINE std::string to_string(const ActionInterruptedByHuman& result) {
    return "The user interrupted the action with the following feedback: \"" + hide_binary(result.feedback) + "\"";
}

}  // namespace acta::inline ACTA_ABI
