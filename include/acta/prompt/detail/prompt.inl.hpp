// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <iterator>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/prompt/detail/builder.inl.hpp"
#include "acta/prompt/prompt.hpp"

namespace acta::inline ACTA_ABI::prompt_detail {

ACTA_INLINE void append_line(std::string& out, std::string_view line) {
    if (!out.ends_with('\n')) out += "\n\n";
    out += line;
}

ACTA_INLINE PromptText build_text(const PromptOptions& options, const StepSource& steps) {
    PromptBuilder builder(options, steps, PromptForm::text);
    PromptText out;
    for (const PromptPiece& piece : builder.build()) {
        if (out.text.empty()) {
            out.text = progress_heading;
            builder.report.tokens += options.count_tokens(progress_heading);
        }
        append_line(out.text, piece.text);
    }
    std::string feedback;
    for (const std::string& one : steps.pending) feedback.append(feedback.empty() ? "" : "\n\n").append(one);
    if (!steps.pending.empty()) {
        if (!out.text.empty()) out.text += "\n\n";
        out.text.append(feedback_heading).append(feedback);
        builder.report.tokens += options.count_tokens(feedback_heading) + options.count_tokens(feedback);
    }
    out.report = builder.report;
    return out;
}

ACTA_INLINE PromptMessages build_messages(const PromptOptions& options, const StepSource& steps, PromptForm form) {
    PromptBuilder builder(options, steps, form);
    PromptMessages out;
    CallIds ids;
    bool has_heading = false;
    bool is_open = false;  // whether the last message takes more lines
    for (PromptPiece& piece : builder.build()) {
        if (!piece.messages.empty()) {
            if (form == PromptForm::native) ids.make_unique(piece.messages);
            out.messages.insert(out.messages.end(), std::make_move_iterator(piece.messages.begin()),
                                std::make_move_iterator(piece.messages.end()));
            is_open = false;
            continue;
        }
        if (!std::exchange(is_open, true)) {
            // Some APIs put all instructions first, but lines must stay in place.
            out.messages.push_back(form == PromptForm::native ? ChatMessage::user({}) : ChatMessage::system({}));
            if (!std::exchange(has_heading, true)) {
                out.messages.back().content = progress_heading;
                builder.report.tokens += options.count_tokens(progress_heading);
            }
        }
        std::string& text = out.messages.back().content;
        if (text.empty())
            text = std::move(piece.text);
        else
            append_line(text, piece.text);
    }
    for (const std::string& one : steps.pending) {
        builder.report.tokens += options.count_tokens(one);
        out.messages.push_back(ChatMessage::user(one));
    }
    out.report = builder.report;
    return out;
}

ACTA_INLINE std::vector<ChatMessage> whole_messages(const StepSource& steps) {
    std::vector<ChatMessage> out;
    CallIds ids;
    std::size_t m = 0;
    for (std::size_t i = 0; i <= steps.size; ++i) {
        for (; m < steps.said.size() && steps.said[m].before <= i; ++m) out.push_back(steps.said[m].message);
        if (i == steps.size) break;
        std::vector<ChatMessage> step = native_step(steps, i);
        ids.make_unique(step);
        out.insert(out.end(), std::make_move_iterator(step.begin()), std::make_move_iterator(step.end()));
    }
    for (const std::string& one : steps.pending) out.push_back(ChatMessage::user(one));
    return out;
}

}  // namespace acta::inline ACTA_ABI::prompt_detail
