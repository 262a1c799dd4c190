// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <functional>
#include <string>
#include <string_view>

#include "acta/base/unicode.hpp"
#include "acta/compress/detail/chunked_work.hpp"
#include "acta/compress/detail/summary_prompt.hpp"
#include "acta/compress/detail/summary_text.hpp"
#include "acta/compress/summarize_text.hpp"

namespace acta::inline ACTA_ABI {

namespace compress_detail {

[[nodiscard]] ACTA_INLINE SummaryRequest request_of(const SummarizeTextOptions& options) {
    if (options.question && options.instruction) {
        throw SummaryError("`question` and `instruction` exclude each other");
    }
    SummaryRequest request;
    request.instruction = options.instruction.value_or(std::string(text_instruction));
    if (options.question) {
        if (unicode::is_blank(*options.question)) throw SummaryError("the question is blank");
        request.instruction.clear();
        request.question = options.question;
    }
    request.one_line = options.one_line;
    request.stop = options.stop;
    request.deadline = options.deadline;
    return request;
}

[[nodiscard]] ACTA_INLINE TextSummary summarize_in_window(std::string_view text, const AnySummarizer& summarizer,
                                                          const SummarizeTextOptions& options,
                                                          std::size_t default_window) {
    const SummaryRequest request = request_of(options);
    const auto redacted = [&options](std::string_view whole) {
        return options.redactor ? options.redactor(whole) : std::string(whole);
    };
    ChunkedWork work;
    work.instruction = instruction_of(request);
    work.max_tokens = std::min<std::size_t>(options.max_tokens, 500);
    work.limit = chunk_limit(options.window_tokens == 0 ? default_window : options.window_tokens, work.max_tokens,
                             work.instruction, options.count_tokens);
    work.overlap_tokens = options.overlap_tokens;
    work.splitter = options.splitter;
    work.count_tokens = options.count_tokens;
    work.stop = options.stop;
    work.ask = [&](std::string_view part, const std::string& instruction, std::size_t max_tokens) {
        SummaryRequest one = request;
        one.max_tokens = max_tokens;
        if (instruction == combine_instruction) {
            one.instruction = instruction;
            one.question.reset();
        }
        return redacted(summarizer(part, one));
    };
    return work.run(redacted(text));
}

}  // namespace compress_detail

ACTA_INLINE TextSummary summarize_text(std::string_view text, const AnySummarizer& summarizer,
                                       const SummarizeTextOptions& options) {
    return compress_detail::summarize_in_window(text, summarizer, options, 8192);
}

ACTA_INLINE TextSummary summarize_text(std::string_view text, const ChatSummarizer& summarizer,
                                       const SummarizeTextOptions& options) {
    return compress_detail::summarize_in_window(text, AnySummarizer(std::cref(summarizer)), options,
                                                summarizer.options().window_tokens);
}

}  // namespace acta::inline ACTA_ABI
