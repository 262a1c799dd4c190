// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "acta/chat/message.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/text/tokens.hpp"

// The words in which a model is asked for a summary.
namespace acta::inline ACTA_ABI::compress_detail {

/// The text with a blank before every third quotation mark in a row, so that it cannot end the quotation that it stands
/// in.
[[nodiscard]] inline std::string break_quotes(std::string_view text) {
    std::string out;
    out.reserve(text.size());
    std::size_t marks = 0;
    for (const char c : text) {
        marks = c == '"' ? marks + 1 : 0;
        if (marks == 3) {
            out += ' ';
            marks = 1;
        }
        out += c;
    }
    return out;
}

/// Counts the tokens of a text as it will stand in the prompt.
[[nodiscard]] inline std::size_t quoted_tokens(const AnyTokenCounter& counter, std::string_view text) {
    return text.find("\"\"\"") == std::string_view::npos ? counter(text) : counter(break_quotes(text));
}

[[nodiscard]] inline std::string system_prompt(std::string_view instruction) {
    return "The user is going to give you a text enclosed in triple quotes. " + std::string(instruction);
}

/// What the model is told after an unusable answer.
[[nodiscard]] inline std::string reminder(std::size_t max_tokens) {
    return " Your last answer was empty or too long. Answer with text, in at most " + std::to_string(max_tokens) +
           " tokens.";
}

[[nodiscard]] inline std::vector<ChatMessage> summary_messages(std::string system, std::string_view text) {
    return {ChatMessage::system(std::move(system)), ChatMessage::user("\"\"\"" + break_quotes(text) + "\"\"\"")};
}

[[nodiscard]] inline std::string question_instruction(std::string_view question) {
    return "Answer this question from the text alone: \"" + std::string(question) +
           "\" If the text does not answer it, say so, and in few words what the text is about instead.";
}

/// The instruction of a request, in words. Throws `SummaryError` for a question beside an instruction.
[[nodiscard]] inline std::string instruction_of(const SummaryRequest& request) {
    if (!request.question || request.question->empty()) {
        return request.instruction.empty() ? std::string(text_instruction) : request.instruction;
    }
    if (!request.instruction.empty() && request.instruction != episode_instruction) {
        throw SummaryError("a summary answers a question or follows an instruction, not both");
    }
    return question_instruction(*request.question);
}

}  // namespace acta::inline ACTA_ABI::compress_detail
