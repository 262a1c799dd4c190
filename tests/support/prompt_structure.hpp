// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "acta/acta.hpp"

// What looks like acta's own lines in a prompt.
namespace prompts {

/// The lines of a text that begin a step or a part of one, or a message, wherever a program may see a line.
inline std::vector<std::string> structure(std::string_view text) {
    std::vector<std::string> out;
    while (!text.empty()) {
        const std::size_t next = std::min(acta::unicode::next_line(text), text.size());
        std::string_view line = text.substr(0, next);
        text.remove_prefix(next);
        line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size()));
        for (const char* const own : {"### ", "* Step", "* User", "- **Status", "9. Executed"}) {
            if (line.starts_with(own)) out.emplace_back(line.substr(0, line.find(':')));
        }
    }
    return out;
}

/// A history whose texts are all `hostile`, wherever one can be.
inline acta::EpisodicActionHistory<> history_of(const std::string& hostile) {
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user(hostile));
    history.register_action({.thoughts = hostile, .use_tool = {hostile, {{hostile, hostile}}}});
    history.register_result(acta::ActionErrorResult{hostile, acta::ErrorInfo::make(hostile, hostile)});
    history.register_action({.thoughts = hostile, .use_tool = {"f", {}}});
    history.register_result(acta::ActionInterruptedByHuman{hostile});
    history.register_action({.thoughts = hostile, .use_tool = {"g", {}}});
    history.register_result(acta::ActionSuccessResult{"fine"});
    return history;
}

inline std::vector<std::string> all_structure(const acta::EpisodicActionHistory<>& history) {
    std::string text = history.fmt_paragraph() + "\n" + history.fmt_list() + "\n";
    text += acta::Prompt({.max_full_tokens = 100'000}).text(history).text + "\n";
    text += acta::Prompt({.keep_recent = 1}).text(history).text;
    return structure(text);
}

}  // namespace prompts
