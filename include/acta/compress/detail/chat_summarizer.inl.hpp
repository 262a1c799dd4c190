// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <new>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/ascii.hpp"
#include "acta/base/error.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/utf8.hpp"
#include "acta/chat/chat_model_error.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/compress/detail/chunked_work.hpp"
#include "acta/compress/detail/summary_prompt.hpp"
#include "acta/compress/detail/summary_text.hpp"

namespace acta::inline ACTA_ABI {

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
        return {error.what(), 1, retry.retry_if && retry.retry_if(error)};
    } catch (const ChatModelError& error) {
        const auto requests = static_cast<std::size_t>(std::max(error.attempts(), 1));
        return {error.what(), requests, !retry.retry_if || retry.retry_if(error)};
    } catch (const std::exception& error) {
        return {error.what(), 1, !retry.retry_if || retry.retry_if(error)};
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
    work.stop = request.stop;
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

// If the window has room for it.
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
    if (tokens <= max_tokens && completion.finish_reason != "length") return {};
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
        try {
            return model_(messages, options);
        } catch (...) {
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
        wait_before(repetition, request, reason);
    }
}

ACTA_INLINE ChatOptions ChatSummarizer::chat_options(std::size_t max_tokens, const SummaryRequest& request) const {
    ChatOptions options;
    options.model = options_.model;
    options.temperature = options_.temperature;
    options.max_tokens = static_cast<std::int64_t>(max_tokens);
    options.stop = request.stop;
    options.deadline = request.deadline;
    const auto call_timeout = options_.retry.call_timeout.value_or(std::chrono::milliseconds(60'000));
    if (call_timeout.count() > 0) {
        const auto end = base::now(options_.retry) + call_timeout;
        options.deadline = request.deadline ? std::min(*request.deadline, end) : end;
    }
    return options;
}

ACTA_INLINE void ChatSummarizer::wait_before(int repetition, const SummaryRequest& request,
                                             const std::string& failure) const {
    const auto delay = base::back_off(options_.retry, repetition);
    if (request.deadline && base::now(options_.retry) + delay >= *request.deadline)
        throw SummaryError("there was no time to ask the model again, which failed: " + failure);
    if (options_.retry.sleep)
        options_.retry.sleep(delay, request.stop);
    else
        base::wait(delay, request.stop);
}

ACTA_INLINE void ChatSummarizer::throw_if_over(const SummaryRequest& request, const std::string& failure) const {
    const std::string why = failure.empty() ? std::string() : "; the model failed before: " + failure;
    if (request.stop.stop_requested()) throw SummaryError("stopped before there was a summary" + why);
    if (request.deadline && base::now(options_.retry) >= *request.deadline)
        throw SummaryError("the deadline passed before there was a summary" + why);
}

}  // namespace acta::inline ACTA_ABI
