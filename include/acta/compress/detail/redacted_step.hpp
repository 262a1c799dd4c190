// SPDX-License-Identifier: MIT
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <variant>

#include "acta/action/error_info.hpp"
#include "acta/action/result.hpp"
#include "acta/compress/summary_step.hpp"
#include "acta/observe/redactor.hpp"
#include "acta/pysyntax/repr.hpp"

namespace acta::inline ACTA_ABI::compress_detail {

/// Passes the values of a step through a redactor, each as it would be printed: a pattern such as `password='...'` must
/// also be found in an argument. A value that changes becomes a text.
class StepRedaction {
public:
    explicit StepRedaction(const Redactor& redactor) : redactor_(redactor) {}

    void apply(SummaryStep& step) const {
        for (AssistantFunctionCall& call : step.calls) {
            text(call.name);
            for (auto& [name, value] : call.arguments) argument(name, value);
        }
        text(step.thoughts);
        if (step.result) result(*step.result);
        for (ToolResult& one : step.tool_results) result(one.result);
    }

private:
    void text(std::string& value) const { value = redactor_(value); }

    void printed(Json& value) const {
        const std::string before = python_str(value);
        if (std::string after = redactor_(before); after != before) value = std::move(after);
    }

    void argument(const std::string& name, Json& value) const {
        printed(value);
        const std::string before = name + "=" + python_repr(value);
        const std::string after = redactor_(before);
        if (after == before) return;
        std::string_view left = after;
        if (left.starts_with(name + "=")) left.remove_prefix(name.size() + 1);
        const bool quoted = left.size() > 1 && (left.front() == '\'' || left.front() == '"') &&
                            left.front() == left.back() && value.is_string();
        value = std::string(quoted ? left.substr(1, left.size() - 2) : left);
    }

    void result(ActionResult& value) const {
        if (auto* const success = std::get_if<ActionSuccessResult>(&value)) {
            printed(success->outputs);
        } else if (auto* const error = std::get_if<ActionErrorResult>(&value)) {
            text(error->reason);
            if (!error->error) return;
            text(error->error->message);
            text(error->error->repr);
            for (Json& arg : error->error->args) printed(arg);
        } else {
            text(std::get<ActionInterruptedByHuman>(value).feedback);
        }
    }

    const Redactor& redactor_;
};

}  // namespace acta::inline ACTA_ABI::compress_detail
