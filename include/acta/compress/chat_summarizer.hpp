// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/base/retry.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/compress/text_summary.hpp"
#include "acta/text/sentences.hpp"
#include "acta/text/tokens.hpp"

namespace acta::inline ACTA_ABI {

/// Options of `ChatSummarizer`.
struct ChatSummarizerOptions {
    std::size_t window_tokens = 8192;     ///< The model's window, for a question and its answer, by `count_tokens`.
    std::size_t overlap_tokens = 0;       ///< Tokens that two neighbouring chunks share.
    std::optional<std::string> model{};   ///< Passed on in `ChatOptions`.
    std::optional<double> temperature{};  ///< Passed on in `ChatOptions`.
    AnyTokenCounter count_tokens{};  ///< The default estimates: leave some room in the window, or use the model's own.
    AnySentenceSplitter splitter{};  ///< Finds where a long text may be split.
    /// How often a failed question is repeated. Requests that a model makes by itself (`ChatModelFailure::attempts`)
    /// count, so that `max_attempts` is the most in all, whatever is stacked.
    RetryOptions retry{};
};

/// A summarizer that asks a model, in the reference's words (docs/reference/compress.md, "Summarizers"). A text longer
/// than the window is split into chunks at sentences, and their summaries are combined, in as many rounds as needed: no
/// question exceeds the window. A question is repeated when the model fails (`ChatSummarizerOptions::retry`), and once
/// when the answer is empty, cut off or longer than asked for. Line breaks become blanks if one line is asked for.
///
/// Copies share the model, which is called by several threads at once. Throws `SummaryError` if there is no answer or
/// no usable one, for a blank text (`No content`), a question beside an instruction, a window that is too small, and
/// when it is stopped or the deadline passes.
///
/// @code{.cpp}
/// auto model = [](std::span<const acta::ChatMessage>, const acta::ChatOptions&) {   // or an acta::openai::ChatModel
///     return acta::ChatCompletion{.message = {.content = "The harbour opens at six."}};
/// };
/// acta::ChatSummarizer summarize(model, {.window_tokens = 16384});
/// std::string summary = summarize("Long text ...");
/// @endcode
class ChatSummarizer {
public:
    /// Throws `Error` if the model is empty.
    explicit ChatSummarizer(AnyChatModel model, ChatSummarizerOptions options = {});

    /// Returns the summary of a text.
    [[nodiscard]] std::string operator()(std::string_view text, const SummaryRequest& request = {}) const {
        return summarize(text, request).summary;
    }

    /// Returns the summary together with those of the chunks.
    [[nodiscard]] TextSummary summarize(std::string_view text, const SummaryRequest& request = {}) const;

    /// The options that it was made with.
    [[nodiscard]] const ChatSummarizerOptions& options() const noexcept { return options_; }

private:
    [[nodiscard]] std::string ask(std::string_view text, const std::string& instruction, std::size_t max_tokens,
                                  const SummaryRequest& request) const;
    void add_reminder(std::string& system, std::string_view text, std::size_t max_tokens) const;
    [[nodiscard]] std::string problem_of(std::string_view answer, const ChatCompletion& completion,
                                         std::size_t max_tokens) const;
    [[nodiscard]] ChatCompletion complete(const std::vector<ChatMessage>& messages, std::size_t max_tokens,
                                          const SummaryRequest& request) const;
    [[nodiscard]] ChatOptions chat_options(std::size_t max_tokens, const SummaryRequest& request) const;
    void wait_before(int repetition, const SummaryRequest& request, const std::string& failure) const;
    void throw_if_over(const SummaryRequest& request, const std::string& failure) const;

    AnyChatModel model_;
    ChatSummarizerOptions options_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/compress/detail/chat_summarizer.inl.hpp"
#endif
