// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <deque>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "acta/action/result.hpp"
#include "acta/chat/binary_placeholder.hpp"
#include "acta/compress/detail/extractive/text.hpp"
#include "acta/compress/summary_step.hpp"
#include "acta/pysyntax/repr.hpp"

// The parts of a step as texts, and its calls in few words.
namespace acta::inline ACTA_ABI::compress_detail {

/// The outcome of a step, or of one of its calls.
struct BodyPart {
    std::string_view label{};  ///< The id of the call, where there are several.
    std::string_view text{};
};

/// A step as texts, with placeholders for binary content. Views point into the texts that are kept here: it is neither
/// copied nor moved.
class StepText {
public:
    StepText() = default;
    StepText(const StepText&) = delete;
    StepText& operator=(const StepText&) = delete;
    ~StepText() = default;

    std::string_view calls{};  ///< As acta prints them.
    std::string_view thoughts{};
    std::string_view status{};
    std::vector<BodyPart> body{};  ///< Output, reason and error, feedback or results of calls.
    bool failed = false;           ///< Whether all of the body says what went wrong, or is what a person said.

    void read(const SummaryStep& step) {
        std::string printed;
        for (const AssistantFunctionCall& call : step.calls) {
            if (!printed.empty()) printed += '\n';
            append_shown_call(printed, call.name, call.arguments);
        }
        calls = keep(std::move(printed));
        thoughts = keep(hide_binary(step.thoughts));
        status = to_string(acta::status(step.result));
        if (!step.tool_results.empty())
            read_results(step.tool_results);
        else if (step.result)
            read_result(*step.result);
    }

private:
    std::string_view keep(std::string text) { return kept_.emplace_back(std::move(text)); }

    void read_result(const ActionResult& result) {
        if (const auto* const success = std::get_if<ActionSuccessResult>(&result)) {
            body.push_back({{}, keep(shown_text(success->outputs))});
            return;
        }
        failed = true;
        if (const auto* const human = std::get_if<ActionInterruptedByHuman>(&result)) {
            body.push_back({{}, keep(hide_binary(human->feedback))});
            return;
        }
        const auto& error = std::get<ActionErrorResult>(result);
        const std::string_view repr = error.error ? keep(hide_binary(error.error->repr)) : std::string_view();
        const std::string_view reason = keep(hide_binary(error.reason));
        // What an exception says stands in its repr, as a rule.
        if (repr.empty() || repr.find(reason) == std::string_view::npos) body.push_back({{}, reason});
        if (!repr.empty()) body.push_back({{}, repr});
    }

    void read_results(const std::vector<ToolResult>& results) {
        for (const ToolResult& one : results) {
            const std::string_view label = results.size() > 1 ? std::string_view(one.tool_call_id) : std::string_view();
            const auto* const success = std::get_if<ActionSuccessResult>(&one.result);
            body.push_back({label, keep(success != nullptr ? shown_text(success->outputs) : to_string(one.result))});
        }
    }

    std::deque<std::string> kept_{};  // a deque, so that views into its texts stay valid
};

/// How much of the calls is shown.
struct CallLimits {
    std::size_t calls = 4;
    std::size_t arguments = 8;
    std::size_t value_bytes = 120;
};

/// A call with its arguments as Python spells them.
struct CallText {
    std::string_view name{};
    std::vector<std::pair<std::string, std::string>> arguments{};
};

/// The first calls of a step, as many as are ever shown. Of a long text only the beginning is spelled out.
[[nodiscard]] inline std::vector<CallText> call_texts(const std::vector<AssistantFunctionCall>& calls) {
    constexpr std::size_t longest_value = 4096;
    std::vector<CallText> out;
    for (const AssistantFunctionCall& call : calls) {
        if (out.size() == CallLimits{}.calls) break;
        CallText& text = out.emplace_back();
        text.name = call.name;
        const std::optional<JsonObject> shown = without_binary(call.arguments);
        for (const auto& [name, value] : shown ? *shown : call.arguments) {
            const auto* const long_text = value.template get_ptr<const std::string*>();
            const bool cut = long_text != nullptr && long_text->size() > longest_value;
            text.arguments.emplace_back(
                name, cut ? python_repr(utf8::prefix(*long_text, longest_value)) : python_repr(value));
        }
    }
    return out;
}

/// The argument that says most about the purpose of a call: one with a telling name, else the first.
[[nodiscard]] inline std::size_t main_argument(const CallText& call) {
    constexpr std::array<std::string_view, 16> names = {
        "path", "file", "file_name", "filename", "file_path", "url",  "query", "command",
        "cmd",  "code", "search",    "name",     "input",     "text", "id",    "directory"};
    for (const std::string_view name : names) {
        for (std::size_t i = 0; i < call.arguments.size(); ++i) {
            if (call.arguments[i].first == name) return i;
        }
    }
    return 0;
}

/// A value in little more than `max_bytes` bytes; a quoted one stays quoted.
[[nodiscard]] inline std::string short_value(std::string_view value, std::size_t max_bytes) {
    if (value.size() <= max_bytes) return one_line(value);
    std::string out = shorten(one_line(utf8::prefix(value, max_bytes * 2)), max_bytes);
    if (value.front() == '\'' || value.front() == '"') out += value.front();
    return out;
}

[[nodiscard]] inline std::string short_call(const CallText& call, const CallLimits& limits) {
    std::string out = shorten(one_line(utf8::prefix(call.name, 256)), 64);
    out += '(';
    const std::size_t main = main_argument(call);
    std::size_t shown = 0;
    for (std::size_t i = 0; i < call.arguments.size(); ++i) {
        // The main argument has its place among those shown, wherever it stands.
        const std::size_t left = limits.arguments - shown;
        if (left == 0 || (left == 1 && main > i)) continue;
        if (shown++ > 0) out += ", ";
        out += shorten(one_line(utf8::prefix(call.arguments[i].first, 128)), 32);
        out += '=';
        out += short_value(call.arguments[i].second, limits.value_bytes);
    }
    if (shown < call.arguments.size()) out += shown > 0 ? ", \xE2\x80\xA6" : ellipsis;
    return out + ')';
}

/// The calls of a step in few words: the first of `all`, and how many more there are.
[[nodiscard]] inline std::string short_calls(const std::vector<CallText>& calls, std::size_t all,
                                             const CallLimits& limits) {
    std::string out;
    const std::size_t shown = std::min(calls.size(), limits.calls);
    for (std::size_t i = 0; i < shown; ++i) {
        if (i > 0) out += ", ";
        out += short_call(calls[i], limits);
    }
    if (all > shown) out += " and " + std::to_string(all - shown) + " more";
    return out;
}

}  // namespace acta::inline ACTA_ABI::compress_detail
