// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/action/result.hpp"
#include "acta/base/ascii.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/history/history.hpp"
#include "acta/prompt/detail/step_source.hpp"
#include "acta/prompt/detail/truncate.hpp"

// The steps of a history as the lines and messages of a prompt.
namespace acta::inline ACTA_ABI::prompt_detail {

/// The outcome of a step, with long texts truncated. Copies only truncated texts.
class ShownResults {
public:
    ShownResults(const StepView& step, const OutputLimit* limit, const Omission& omission)
        : result_(step.result), results_(step.results) {
        if (limit == nullptr) return;
        if (!step.results.empty())
            truncate_calls(*limit, omission);
        else if (*step.result)
            truncate_result(*limit, omission);
    }
    ShownResults(const ShownResults&) = delete;
    ShownResults& operator=(const ShownResults&) = delete;
    ~ShownResults() = default;

    [[nodiscard]] const std::optional<ActionResult>& result() const { return *result_; }
    [[nodiscard]] std::span<const ToolResult> calls() const { return results_; }

private:
    void truncate_result(const OutputLimit& limit, const Omission& omission) {
        std::optional<ActionResult> shorter = limited_result(**result_, limit, omission);
        if (!shorter) return;
        own_result_.emplace(std::move(*shorter));
        result_ = &own_result_;
    }
    void truncate_calls(const OutputLimit& limit, const Omission& omission) {
        for (std::size_t i = 0; i < results_.size(); ++i) {
            std::optional<ActionResult> shorter = limited_result(results_[i].result, limit, omission);
            if (!shorter) continue;
            if (own_results_.empty()) {
                for (const ToolResult& one : results_) own_results_.push_back(one);
            }
            own_results_[i].result = std::move(*shorter);
        }
        if (!own_results_.empty()) results_ = own_results_;
    }

    const std::optional<ActionResult>* result_;
    std::span<const ToolResult> results_;
    std::optional<ActionResult> own_result_{};
    std::vector<ToolResult> own_results_{};
};

/// `* Step 3: <the step in full, indented by 2>`.
ACTA_INLINE std::string full_line(const StepSource& steps, std::size_t i, const OutputLimit* limit,
                                  const Omission& omission) {
    const StepView step = steps.view(i);
    const ShownResults shown(step, limit, omission);
    const std::string text = indent_text(format_step(step.calls, steps.thoughts(i), shown.result(), shown.calls()), 2);
    std::string line = "* Step " + std::to_string(i + 1) + ": ";
    return line.append(ascii::trim(text));
}

/// As `full_line`, or with the summary if the step has one.
ACTA_INLINE std::string older_line(const StepSource& steps, std::size_t i, const OutputLimit* limit,
                                   const Omission& omission) {
    const std::string* const summary = steps.view(i).summary;
    if (summary == nullptr) return full_line(steps, i, limit, omission);
    return "* Step " + std::to_string(i + 1) + ": " + *summary;
}

/// `* User: <what was said, indented by 2>`.
ACTA_INLINE std::string said_line(const ChatMessage& said) {
    std::string line = said.role == ChatRole::system ? "* System: "
                       : said.role == ChatRole::user ? "* User: "
                                                     : "* Assistant: ";
    return line.append(ascii::trim(indent_text(hide_binary(said.content), 2)));
}

// The words of the messages are the reference's (AutoGPT's ActionHistoryComponent), which returns results as user
// messages to models without native tool calls. A fence inside a fence is escaped, as in `to_string`.

/// Returns the model's words, with its calls if its own message does not show them.
ACTA_INLINE std::string assistant_text(const StepSource& steps, std::size_t i) {
    const StepView step = steps.view(i);
    const AssistantChatMessage* const raw = step.raw_message;
    const bool has_words = raw != nullptr && !raw->content.empty();
    std::string out = hide_binary(has_words ? raw->content : steps.thoughts(i));
    if (has_words && (!raw->tool_calls || raw->tool_calls->empty())) return out;
    const char* separator = out.empty() ? "" : "\n\n";
    for (const AssistantFunctionCall& call : step.calls) {
        if (call.name.empty()) continue;
        out += separator;
        append_shown_call(out, call.name, call.arguments);
        separator = "\n";
    }
    return out;
}

ACTA_INLINE std::string quoted_output(const std::string& text) {
    const bool fence = text.find_first_of("\n`") != std::string::npos;
    return fence ? fenced(text) : "`" + text + "`";
}

/// `tool` is empty if the model only said something; then there may be nothing to answer.
ACTA_INLINE std::string result_text(const std::string& tool, const ActionResult& result) {
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result); success != nullptr && tool.empty())
        return success->outputs.is_null() ? std::string() : shown_text(success->outputs);
    if (const auto* const success = std::get_if<ActionSuccessResult>(&result))
        return tool + " returned: " + quoted_output(shown_text(success->outputs));
    if (const auto* const error = std::get_if<ActionErrorResult>(&result))
        return (tool.empty() ? tool : tool + " ") + "raised an error: " + fenced(hide_binary(error->reason));
    return hide_binary(std::get<ActionInterruptedByHuman>(result).feedback);
}

/// Returns the outcome of step `i`, for the model; empty while it is open.
ACTA_INLINE std::string answer_text(const StepSource& steps, std::size_t i, const ShownResults& shown) {
    const StepView step = steps.view(i);
    if (shown.calls().empty()) {
        if (!shown.result()) return {};
        return result_text(step.calls.empty() ? std::string() : step.calls.front().name, *shown.result());
    }
    // A step that is still open may have only some of its results.
    const std::vector<std::string> ids = steps.call_ids(i);
    auto next = ids.begin();  // results are in the order of the calls
    std::string out;
    for (const ToolResult& one : shown.calls()) {
        auto found = std::find(next, ids.end(), one.tool_call_id);
        if (found == ids.end()) found = std::find(ids.begin(), next, one.tool_call_id);
        const bool known = found != ids.end() && *found == one.tool_call_id;
        const auto at = static_cast<std::size_t>(found - ids.begin());
        if (known) next = found + 1;
        std::string name = one.tool_call_id;
        if (known)
            name = step.calls[at].name + " (" + std::to_string(at + 1) + " of " + std::to_string(ids.size()) + ")";
        if (!out.empty()) out += "\n\n";
        out += result_text(name, one.result);
    }
    return out;
}

}  // namespace acta::inline ACTA_ABI::prompt_detail
