// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <string>

#include "acta/interop/detail/json_edits.hpp"
#include "acta/interop/trajectory_report.hpp"

// Sessions of Claude Code: JSON lines, each of which wraps a message of Anthropic's API.
namespace acta::inline ACTA_ABI::interop_detail {

[[nodiscard]] inline bool is_claude_code_line(const Json& line) {
    const Json* const message = json_member(line, "message");
    return message != nullptr && !string_member(*message, "role").empty();
}
/// Returns whether a list has lines of a session.
[[nodiscard]] inline bool is_claude_code(const Json& lines) { return std::ranges::any_of(lines, is_claude_code_line); }

/// Returns the messages of a session. Lines of one message, which share its id, are joined.
[[nodiscard]] inline Json claude_code_messages(const Json& lines, TrajectoryReport& report) {
    Json messages = Json::array();
    std::string last;
    for (std::size_t i = 0; i < lines.size(); ++i) {
        const Json* const message = json_member(lines[i], "message");
        if (!is_claude_code_line(lines[i])) {
            report.push_back({TrajectoryNoteKind::dropped, {}, {i}, "The line has no message"});
            continue;
        }
        const std::string id = string_member(*message, "id");
        const Json* const more = json_member(*message, "content");
        if (!id.empty() && id == last && more != nullptr && more->is_array() && messages.back()["content"].is_array()) {
            for (const Json& block : *more) messages.back()["content"].push_back(block);
            continue;
        }
        last = id;
        messages.push_back(*message);
        messages.back().erase("id");
    }
    return messages;
}

}  // namespace acta::inline ACTA_ABI::interop_detail
