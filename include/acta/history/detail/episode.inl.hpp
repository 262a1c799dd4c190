// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <utility>
#include <variant>

#include "acta/chat/binary_placeholder.hpp"
#include "acta/history/episode.hpp"

namespace acta::inline ACTA_ABI {

namespace history_detail {

ACTA_INLINE void append_executed(std::string& out, std::span<const AssistantFunctionCall> calls) {
    out += "Executed ";
    std::string_view separator;
    for (const AssistantFunctionCall& call : calls) {
        out.append(separator).append("`");
        append_shown_call(out, call.name, call.arguments);
        out += '`';
        separator = ", ";
    }
}

ACTA_INLINE void append_line(std::string& out, std::span<const AssistantFunctionCall> calls,
                             const std::optional<ActionResult>& result) {
    append_executed(out, calls);
    if (!result)
        out += '.';
    else
        out.append(": ").append(to_string(*result));
}

/// Behind a label: a text of one line as it is, one of several lines indented on lines of its own.
ACTA_INLINE void append_indented(std::string& out, const std::string& text) {
    if (text.find('\n') == std::string::npos)
        out += text;
    else
        (out += '\n') += indent_text(text);
}

ACTA_INLINE void append_labelled(std::string& out, std::string_view label, std::string_view text) {
    append_shown_text(out.append("- **").append(label).append(":** "), text);
    out += '\n';
}

ACTA_INLINE void append_result_lines(std::string& out, const ActionResult& result) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
        out += "- **Output:** ";
        append_indented(out, to_string(*success));
    } else if (const auto* const error = std::get_if<ActionErrorResult>(&result)) {
        append_labelled(out, "Reason", error->reason);
        if (error->error) append_labelled(out, "Error", to_string(*error->error));
    } else {
        append_labelled(out, "Feedback", std::get<ActionInterruptedByHuman>(result).feedback);
    }
}

ACTA_INLINE void append_tool_results(std::string& out, std::span<const ToolResult> results) {
    for (const ToolResult& one : results) {
        out.append("- **Result of `").append(one.tool_call_id).append("`:** ");
        append_indented(out, to_string(one.result));
        out += '\n';
    }
}

ACTA_INLINE bool all_different(std::vector<std::string_view> ids) {
    std::sort(ids.begin(), ids.end());
    return std::adjacent_find(ids.begin(), ids.end()) == ids.end();
}

/// Returns whether each result is that of one of these calls.
ACTA_INLINE bool name_all(const std::vector<std::string>& ids, std::span<const ToolResult> results) {
    std::vector<std::string_view> sorted(ids.begin(), ids.end());
    std::sort(sorted.begin(), sorted.end());
    return std::all_of(results.begin(), results.end(), [&](const ToolResult& one) {
        return std::binary_search(sorted.begin(), sorted.end(), std::string_view(one.tool_call_id));
    });
}

/// Returns the part before the index of an id `call_<step>_<index>`, with its last `_`; empty for other ids.
ACTA_INLINE std::string_view positional_prefix(std::string_view id) {
    constexpr std::string_view begin = "call_";
    const std::size_t mark = id.rfind('_');
    if (!id.starts_with(begin) || mark < begin.size() || mark == std::string_view::npos) return {};
    const auto is_digit = [](char c) { return c >= '0' && c <= '9'; };
    const std::string_view step = id.substr(begin.size(), mark - begin.size());
    const std::string_view index = id.substr(mark + 1);
    const bool numbers = !step.empty() && !index.empty() && std::all_of(step.begin(), step.end(), is_digit) &&
                         std::all_of(index.begin(), index.end(), is_digit);
    return numbers ? id.substr(0, mark + 1) : std::string_view();
}

ACTA_INLINE std::vector<std::string> step_call_ids(std::vector<std::string> of_action,
                                                   const std::vector<std::string>& stored,
                                                   std::span<const ToolResult> results) {
    const std::size_t calls = of_action.size();
    if (stored.size() == calls && all_different({stored.begin(), stored.end()})) return stored;
    if (results.empty() || name_all(of_action, results)) return of_action;
    // Results that are complete stand in the order of the calls.
    std::vector<std::string_view> named;
    for (const ToolResult& one : results) named.emplace_back(one.tool_call_id);
    if (named.size() == calls && all_different(named)) return {named.begin(), named.end()};
    // Earlier versions of acta named calls by the index of their step.
    const std::string prefix(positional_prefix(named.front()));
    if (prefix.empty()) return of_action;
    std::vector<std::string> by_position;
    by_position.reserve(calls);
    for (std::size_t i = 0; i < calls; ++i) by_position.push_back(prefix + std::to_string(i));
    return name_all(by_position, results) ? by_position : of_action;
}

ACTA_INLINE bool are_of_message(const std::vector<std::string>& ids, const AssistantChatMessage* message) {
    if (message == nullptr || !message->tool_calls) return false;
    return std::equal(ids.begin(), ids.end(), message->tool_calls->begin(), message->tool_calls->end(),
                      [](const std::string& id, const AssistantToolCall& call) { return id == call.id; });
}

}  // namespace history_detail

ACTA_INLINE std::string indent_text(std::string_view text, std::size_t width) {
    const std::string blanks(width, ' ');
    std::string out = blanks;
    for (std::size_t end = text.find('\n'); end != std::string_view::npos; end = text.find('\n')) {
        out.append(text.substr(0, end + 1)).append(blanks);
        text.remove_prefix(end + 1);
    }
    return out.append(text);
}

ACTA_INLINE std::string format_step(std::span<const AssistantFunctionCall> calls, const std::string& thoughts,
                                    const std::optional<ActionResult>& result,
                                    std::span<const ToolResult> tool_results) {
    std::string out;
    out.reserve(thoughts.size() + 256);  // most steps need no more
    history_detail::append_executed(out, calls);
    out.append("\n- **Reasoning:** \"");
    append_shown_text(out, thoughts);
    out.append("\"\n- **Status:** `").append(to_string(status(result))).append("`\n");
    if (!tool_results.empty())
        history_detail::append_tool_results(out, tool_results);
    else if (result)
        history_detail::append_result_lines(out, *result);
    return out;
}

ACTA_INLINE ActionResult joined_result(std::span<const ToolResult> results) {
    JsonArray outputs;
    for (const ToolResult& one : results) {
        const auto* const success = std::get_if<ActionSuccessResult>(&one.result);
        if (success == nullptr) return one.result;
        outputs.push_back(success->outputs);
    }
    ActionSuccessResult all;
    all.outputs = std::move(outputs);
    return all;
}

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI {
namespace history_detail {

ACTA_INLINE bool equal_results(const std::optional<ActionResult>& a, const std::optional<ActionResult>& b) {
    if (!a || !b) return a.has_value() == b.has_value();
    const auto* const success = std::get_if<ActionSuccessResult>(&*a);
    const auto* const other = std::get_if<ActionSuccessResult>(&*b);
    return success != nullptr && other != nullptr ? *success == *other : *a == *b;
}

}  // namespace history_detail
}  // namespace acta::inline ACTA_ABI
