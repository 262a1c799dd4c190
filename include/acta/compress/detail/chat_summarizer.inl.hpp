// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/duration.hpp"
#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/detail/summary_text.hpp"
#include "acta/text/chunks.hpp"
#include "acta/text/tokens.hpp"

// The words in which a model is asked for a summary.
namespace acta::inline ACTA_ABI::compress_detail {

/// The text with a blank before every third quotation mark in a row, so that it cannot end the quotation that contains
/// it.
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

/// Counts the tokens of a text as it will be in the prompt.
[[nodiscard]] inline std::size_t quoted_tokens(const AnyTokenCounter& counter, std::string_view text) {
    return text.find("\"\"\"") == std::string_view::npos ? counter(text) : counter(break_quotes(text));
}

[[nodiscard]] inline std::string system_prompt(std::string_view instruction) {
    return "The user is going to give you a text enclosed in triple quotes. " + std::string(instruction);
}

/// The reminder for the model after an unusable answer.
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

/// The instruction of a request, in words. Throws `SummaryError` for a question together with an instruction.
[[nodiscard]] inline std::string instruction_of(const SummaryRequest& request) {
    if (!request.question || request.question->empty()) {
        return request.instruction.empty() ? std::string(text_instruction) : request.instruction;
    }
    if (!request.instruction.empty() && request.instruction != episode_instruction) {
        throw SummaryError("a summary answers a question or follows an instruction, not both");
    }
    return question_instruction(*request.question);
}

// Summaries of texts that are longer than the window of a model: chunk by chunk, then together.

/// Asks one question: a text of at most `ChunkedWork::limit` tokens, the instruction, and the most tokens of the
/// answer.
using AskFunction = std::function<std::string(std::string_view, const std::string&, std::size_t)>;

/// The tokens of a question besides its words: the roles of two messages, and the quotation marks.
inline constexpr std::size_t around = 12;

/// The most tokens of a text in one question: the window minus the answer, and minus 50 for the words around the text;
/// a longer instruction counts in full. Throws `SummaryError` if fewer than 32 are left.
[[nodiscard]] inline std::size_t chunk_limit(std::size_t window_tokens, std::size_t max_tokens,
                                             std::string_view instruction, const AnyTokenCounter& counter) {
    constexpr std::size_t least = 32;
    const std::size_t words =
        std::max(counter(system_prompt(instruction)), counter(system_prompt(combine_instruction)));
    const std::size_t beside = std::max<std::size_t>(50, words + around);
    if (window_tokens < beside + least || window_tokens - beside - least < max_tokens) {
        throw SummaryError("a window of " + std::to_string(window_tokens) +
                           " tokens is too small: the instruction takes " + std::to_string(beside) + ", the summary " +
                           std::to_string(max_tokens) + ", and the text needs " + std::to_string(least));
    }
    return window_tokens - beside - max_tokens;
}

/// Summarises one text with questions that each fit the window.
class ChunkedWork {
public:
    std::string instruction{};
    std::size_t max_tokens = 500;
    std::size_t limit = 0;  ///< Of a text in one question, in tokens.
    std::size_t overlap_tokens = 0;
    AnySentenceSplitter splitter{};
    AnyTokenCounter count_tokens{};
    stop_token stop{};
    AskFunction ask{};

    [[nodiscard]] TextSummary run(std::string_view text) const {
        if (unicode::is_blank(text)) throw SummaryError("No content");
        if (max_tokens == 0) throw SummaryError("a summary of at most 0 tokens holds nothing");
        ChunkOptions options{limit, overlap_tokens, splitter, {}};
        options.count_tokens = [this](std::string_view part) { return quoted_tokens(count_tokens, part); };
        TextSummary out;
        const std::vector<TextChunk> chunks = split_into_chunks(text, options);
        const std::size_t of_part = chunks.size() == 1 ? max_tokens : part_tokens();
        for (const TextChunk& chunk : chunks) {
            if (unicode::is_blank(chunk.text)) continue;
            out.parts.push_back({asked(chunk.text, instruction, of_part), std::string(chunk.text)});
        }
        out.summary = combined(out.parts);
        return out;
    }

private:
    // Two partial summaries always fit into one question, so that each round of combining at least halves their number.
    [[nodiscard]] std::size_t part_tokens() const {
        return std::min(max_tokens, std::max<std::size_t>((limit - 8) / 2, 1));
    }

    [[nodiscard]] std::string asked(std::string_view text, const std::string& what, std::size_t most) const {
        if (stop.stop_requested()) throw SummaryError("stopped before there was a summary");
        std::string summary = ask(text, what, most);
        if (unicode::is_blank(summary)) throw SummaryError("the summarizer returned an empty summary");
        if (const std::size_t tokens = count_tokens(summary); tokens > most) {
            throw SummaryError("the summarizer returned a summary of " + std::to_string(tokens) +
                               " tokens, and at most " + std::to_string(most) + " were asked for");
        }
        return summary;
    }

    [[nodiscard]] std::string combined(const std::vector<PartialSummary>& parts) const {
        if (parts.size() == 1) return parts.front().summary;
        std::vector<std::string> left;
        left.reserve(parts.size());
        for (const PartialSummary& part : parts) left.push_back(part.summary);
        for (;;) {
            std::vector<std::string> groups;
            std::vector<std::size_t> sizes;
            for (std::size_t at = 0; at < left.size(); at += sizes.back()) {
                sizes.push_back(group_size(left, at));
                groups.push_back(joined(left, at, sizes.back()));
            }
            if (groups.size() == 1) return asked(groups.front(), std::string(combine_instruction), max_tokens);
            if (groups.size() == left.size()) {
                throw SummaryError("not two of the partial summaries fit together in " + std::to_string(limit) +
                                   " tokens");
            }
            for (std::size_t i = 0; i < groups.size(); ++i) {
                if (sizes[i] > 1) groups[i] = asked(groups[i], std::string(combine_instruction), part_tokens());
            }
            left = std::move(groups);
        }
    }

    [[nodiscard]] static std::string joined(const std::vector<std::string>& all, std::size_t first, std::size_t count) {
        std::string out;
        for (std::size_t i = first; i < first + count; ++i) {
            if (i > first) out += "\n\n";
            out += all[i];
        }
        return out;
    }

    // As many as fit from `first` on. The sum of their counts is a first estimate; the joined text decides.
    [[nodiscard]] std::size_t group_size(const std::vector<std::string>& all, std::size_t first) const {
        std::size_t count = 1;
        std::size_t tokens = quoted_tokens(count_tokens, all[first]);
        while (first + count < all.size()) {
            tokens += 2 + quoted_tokens(count_tokens, all[first + count]);
            if (tokens > limit) break;
            ++count;
        }
        while (count > 1 && quoted_tokens(count_tokens, joined(all, first, count)) > limit) --count;
        return count;
    }
};

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
    request.until = options.until;
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
    work.stop = options.until.stop;
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

}  // namespace acta::inline ACTA_ABI::compress_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE TextSummary summarize_text(std::string_view text, const AnySummarizer& summarizer,
                                       const SummarizeTextOptions& options) {
    return compress_detail::summarize_in_window(text, summarizer, options, 8192);
}

ACTA_INLINE TextSummary summarize_text(std::string_view text, const ChatSummarizer& summarizer,
                                       const SummarizeTextOptions& options) {
    return compress_detail::summarize_in_window(text, AnySummarizer(std::cref(summarizer)), options,
                                                summarizer.options().window_tokens);
}

namespace compress_detail {

/// A question that failed: why, how often the model sent it, and whether it may be repeated.
struct ModelFailure {
    std::string reason{};
    std::size_t requests = 1;
    bool may_repeat = true;
};

/// Describes the exception that is being handled. One that repeating cannot help (no memory) is thrown on.
[[nodiscard]] ACTA_INLINE ModelFailure current_model_failure(const RetryOptions& retry) {
    try {
        throw;
    } catch (const std::bad_alloc&) {
        throw;
    } catch (const std::logic_error& error) {
        return {base::what_of(error), 1, retry.retry_if && retry.retry_if(error)};
    } catch (const ChatModelError& error) {
        const auto requests = static_cast<std::size_t>(std::max(error.attempts(), 1));
        return {base::what_of(error), requests, !retry.retry_if || retry.retry_if(error)};
    } catch (const std::exception& error) {
        return {base::what_of(error), 1, !retry.retry_if || retry.retry_if(error)};
    } catch (...) {
        return {"an exception that is not a std::exception", 1, true};
    }
}

}  // namespace compress_detail

ACTA_INLINE ChatSummarizer::ChatSummarizer(AnyChatModel model, ChatSummarizerOptions options)
    : model_(std::move(model)), options_(std::move(options)) {
    if (!model_) throw Error("a chat summarizer needs a model");
}

ACTA_INLINE TextSummary ChatSummarizer::summarize(std::string_view text, const SummaryRequest& request) const {
    compress_detail::ChunkedWork work;
    work.instruction = compress_detail::instruction_of(request);
    work.max_tokens = request.max_tokens;
    work.limit = compress_detail::chunk_limit(options_.window_tokens, request.max_tokens, work.instruction,
                                              options_.count_tokens);
    work.overlap_tokens = options_.overlap_tokens;
    work.splitter = options_.splitter;
    work.count_tokens = options_.count_tokens;
    work.ask = [&](std::string_view part, const std::string& instruction, std::size_t max_tokens) {
        return ask(part, instruction, max_tokens, request);
    };
    return work.run(text);
}

ACTA_INLINE std::string ChatSummarizer::ask(std::string_view text, const std::string& instruction,
                                            std::size_t max_tokens, const SummaryRequest& request) const {
    std::string system = compress_detail::system_prompt(instruction);
    std::string problem;
    for (int turn = 0; turn < 2; ++turn) {
        const ChatCompletion completion =
            complete(compress_detail::summary_messages(system, text), max_tokens, request);
        if (request.on_completion) request.on_completion(completion);
        std::string answer = utf8::replace_invalid(ascii::trim(completion.message.content));
        if (request.one_line) answer = compress_detail::one_line(answer);
        problem = problem_of(answer, completion, max_tokens);
        if (problem.empty()) return answer;
        if (turn == 0) add_reminder(system, text, max_tokens);
    }
    throw SummaryError("the model was asked twice, and its answer " + problem);
}

// Does nothing if the request would then exceed the window.
ACTA_INLINE void ChatSummarizer::add_reminder(std::string& system, std::string_view text,
                                              std::size_t max_tokens) const {
    const std::string longer = system + compress_detail::reminder(max_tokens);
    const std::size_t tokens = options_.count_tokens(longer) +
                               compress_detail::quoted_tokens(options_.count_tokens, text) + compress_detail::around +
                               max_tokens;
    if (tokens <= options_.window_tokens) system = longer;
}

ACTA_INLINE std::string ChatSummarizer::problem_of(std::string_view answer, const ChatCompletion& completion,
                                                   std::size_t max_tokens) const {
    if (unicode::is_blank(answer)) return "is empty";
    const std::size_t tokens = options_.count_tokens(answer);
    if (tokens <= max_tokens && completion.finish() != FinishReason::length) return {};
    const std::string asked = ", and at most " + std::to_string(max_tokens) + " were asked for";
    return (tokens > max_tokens ? "has " : "was cut off after ") + std::to_string(tokens) + " tokens" + asked;
}

// One answer. Failed questions are repeated, as long as all requests, the model's own retries included, are fewer than
// `max_attempts`.
ACTA_INLINE ChatCompletion ChatSummarizer::complete(const std::vector<ChatMessage>& messages, std::size_t max_tokens,
                                                    const SummaryRequest& request) const {
    const auto most = static_cast<std::size_t>(std::max(options_.retry.max_attempts, 1));
    std::size_t requests = 0;
    std::string reason;
    for (int repetition = 1;; ++repetition) {
        throw_if_over(request, reason);
        ChatOptions options = chat_options(max_tokens, request);
        options.max_attempts = most - requests;
        bool may_repeat = true;
        std::exception_ptr error;
        try {
            return model_(messages, options);
        } catch (...) {
            error = std::current_exception();
            compress_detail::ModelFailure failure = compress_detail::current_model_failure(options_.retry);
            reason = std::move(failure.reason);
            requests += failure.requests;
            may_repeat = failure.may_repeat;
        }
        throw_if_over(request, reason);
        if (!may_repeat || requests >= most) {
            throw SummaryError("the model failed" +
                               (requests == 1 ? ": " : " " + std::to_string(requests) + " times, at last: ") + reason);
        }
        wait_before(repetition, request, reason, error, requests);
    }
}

ACTA_INLINE ChatOptions ChatSummarizer::chat_options(std::size_t max_tokens, const SummaryRequest& request) const {
    ChatOptions options;
    options.model = options_.model;
    options.temperature = options_.temperature;
    options.max_tokens = static_cast<std::int64_t>(max_tokens);
    options.until = request.until;
    const auto call_timeout = options_.retry.call_timeout.value_or(std::chrono::milliseconds(60'000));
    if (call_timeout.count() > 0)
        options.until = options.until.not_after(base::saturated_sum(base::retry_now(), call_timeout));
    return options;
}

ACTA_INLINE void ChatSummarizer::wait_before(int repetition, const SummaryRequest& request, const std::string& failure,
                                             const std::exception_ptr& error, std::size_t requests) const {
    const auto delay = base::back_off(options_.retry, repetition);
    if (request.until.deadline && base::saturated_sum(base::retry_now(), delay) >= *request.until.deadline)
        throw SummaryError("there was no time to ask the model again, which failed: " + failure);
    if (options_.retry.on_retry) {
        const auto report = [&](const std::exception& one) {
            options_.retry.on_retry({one, static_cast<int>(requests), delay});
        };
        try {
            std::rethrow_exception(error);
        } catch (const std::exception& one) {
            report(one);
        } catch (...) {
            report(std::runtime_error(failure));
        }
    }
    base::retry_wait(delay, request.until.stop);
}

ACTA_INLINE void ChatSummarizer::throw_if_over(const SummaryRequest& request, const std::string& failure) const {
    const std::string why = failure.empty() ? std::string() : "; the model failed before: " + failure;
    if (request.until.is_cancelled()) throw SummaryError("stopped before there was a summary" + why);
    if (request.until.deadline && base::retry_now() >= *request.until.deadline)
        throw SummaryError("the deadline passed before there was a summary" + why);
}

}  // namespace acta::inline ACTA_ABI
