// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>
#include <utility>

#include "acta/compress/detail/compressor.inl.hpp"
#include "acta/compress/detail/redacted_step.hpp"
#include "acta/compress/detail/rolling_facts.hpp"
#include "acta/compress/detail/rolling_run.hpp"
#include "acta/compress/detail/summary_text.hpp"

namespace acta::inline ACTA_ABI::compress_detail {

ACTA_INLINE RollingSummary RollingRun::condense(RollingBatch& batch) {
    RollingFacts facts(batch.before ? &*batch.before : nullptr, options_);
    for (LeavingStep& step : batch.steps) {
        if (options_.redactor) StepRedaction(options_.redactor).apply(step.values);
        facts.add(step.values);
    }
    for (LeavingMessage& said : batch.said) {
        if (options_.redactor) said.text = options_.redactor(said.text);
        facts.add(said.text, said.role == ChatRole::user);
    }
    RollingSummary out;
    out.first = static_cast<std::int64_t>(batch.first);
    out.last = static_cast<std::int64_t>(batch.last);
    if (!batch.steps.empty() || !batch.said.empty())
        out.text = ask(text_of(batch));
    else if (batch.before)
        out.text = batch.before->text;
    facts.store(out);
    return out;
}

// The summary so far, then a line for each step and each message.
ACTA_INLINE std::string RollingRun::text_of(const RollingBatch& batch) const {
    std::string out = batch.before ? batch.before->text : std::string();
    if (!out.empty()) out += '\n';
    const auto add = [&out](const std::string& line) {
        if (!out.empty()) out += '\n';
        out.append("* ").append(line);
    };
    auto said = batch.said.begin();
    for (const LeavingStep& step : batch.steps) {
        for (; said != batch.said.end() && said->before <= step.index; ++said) add(line_of(*said));
        add("Step " + std::to_string(step.index + 1) + ": " + line_of(step));
    }
    for (; said != batch.said.end(); ++said) add(line_of(*said));
    return out;
}

ACTA_INLINE std::string RollingRun::line_of(const LeavingMessage& said) const {
    SummaryRequest request;
    request.max_tokens = 60;
    request.one_line = true;
    const std::string_view role = said.role == ChatRole::user     ? "User: "
                                  : said.role == ChatRole::system ? "System: "
                                                                  : "Assistant: ";
    return std::string(role) + ExtractiveSummarizer{}(said.text, request);
}

ACTA_INLINE std::string RollingRun::line_of(const LeavingStep& step) const {
    if (step.summary) return options_.redactor ? options_.redactor(*step.summary) : *step.summary;
    SummaryRequest request;
    request.step = &step.values;
    request.max_tokens = 60;
    return ExtractiveSummarizer{}(std::string_view(), request);
}

ACTA_INLINE std::string RollingRun::ask(const std::string& text) {
    CompressionOptions checks;
    checks.redactor = options_.redactor;
    checks.max_summary_tokens = options_.max_tokens;
    SummaryRequest request;
    request.instruction = options_.instruction;
    request.max_tokens = options_.max_tokens;
    request.one_line = true;
    request.stop = options_.stop;
    request.deadline = options_.deadline;
    request.on_completion = [this](const ChatCompletion& completion) { report.cost.add(completion, options_.price); };
    return checked_summary(summarizer_(text, request), checks);
}

ACTA_INLINE bool RollingRun::is_over() const {
    return options_.stop.stop_requested() ||
           (options_.deadline && std::chrono::steady_clock::now() >= *options_.deadline);
}

ACTA_INLINE ErrorInfo RollingRun::error() const {
    ErrorOptions options;
    options.redactor = options_.redactor;
    return ErrorInfo::from_exception(std::current_exception(), options);
}

#if defined(ACTA_COMPILED)
template RollingSummaryReport roll(EpisodicActionHistory<>& history, const AnySummarizer& summarizer,
                                   const RollingSummaryOptions& options);
template RollingSummaryReport roll(SharedHistory<>& history, const AnySummarizer& summarizer,
                                   const RollingSummaryOptions& options);
#endif

}  // namespace acta::inline ACTA_ABI::compress_detail
