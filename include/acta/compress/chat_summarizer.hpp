// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <exception>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/base/retry.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/compress/compress.hpp"
#include "acta/observe/observer.hpp"
#include "acta/text/chunks.hpp"
#include "acta/text/tokens.hpp"

namespace acta::inline ACTA_ABI {

/// Options of `ChatSummarizer`.
struct ChatSummarizerOptions {
    std::size_t window_tokens = 8192;     ///< The model's window, for a question and its answer, by `count_tokens`.
    std::size_t overlap_tokens = 0;       ///< Tokens that two neighbouring chunks share.
    std::optional<std::string> model{};   ///< Passed on in `ChatOptions`.
    std::optional<double> temperature{};  ///< Passed on in `ChatOptions`.
    AnyTokenCounter count_tokens{};  ///< The default estimates: leave a margin in the window, or use the model's own.
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
/// no usable one, for a blank text (`No content`), a question together with an instruction, a window that is too small,
/// and when it is stopped or the deadline passes.
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
    template <class M>
        requires(!std::derived_from<std::decay_t<M>, ChatSummarizer> && base::WithoutConversions<std::decay_t<M>> &&
                 !ChatModel<std::decay_t<M>>)
    explicit ChatSummarizer(M&&, const ChatSummarizerOptions& = {}) = delete;  // acta: the first argument is a model

    /// Returns the `summary` of `summarize`, and throws the same.
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
    void wait_before(int repetition, const SummaryRequest& request, const std::string& failure,
                     const std::exception_ptr& error, std::size_t requests) const;
    void throw_if_over(const SummaryRequest& request, const std::string& failure) const;

    AnyChatModel model_;
    ChatSummarizerOptions options_;
};

/// Options of `summarize_text`.
struct SummarizeTextOptions {
    std::optional<std::string> question{};     ///< The question that the summary answers; excludes an instruction.
    std::optional<std::string> instruction{};  ///< What to do with the text; `text_instruction` without it.
    std::size_t max_tokens = 500;              ///< The longest summary; more than 500 is taken as 500, 0 is an error.
    bool one_line = false;                     ///< Whether the summary must have no line break.
    /// The most tokens of a question with its answer; 0 takes the window of the `ChatSummarizer`, or 8192 for any other
    /// summarizer. A chunk has at most 550 less (and less again for an instruction of more than about 40).
    std::size_t window_tokens = 0;
    std::size_t overlap_tokens = 0;  ///< Tokens that two neighbouring chunks share.
    AnyTokenCounter count_tokens{};  ///< An estimate by default.
    AnySentenceSplitter splitter{};  ///< Finds where the text may be split.
    Until until{};                   ///< Cancels the work.
    Redactor redactor{};             ///< Sees the text before the summarizer does, and each summary before anyone else.
};

/// Summarises a text of any length (docs/reference/compress.md, "Summaries of any text"). A text of more tokens than
/// the window minus 550 is split at sentences into chunks of about equal length; each is summarised by itself, and then
/// the summaries together, in as many rounds as needed for each to fit the window. Returns the summary, and that of
/// each chunk beside the chunk.
///
/// Throws `SummaryError` for a blank text (`No content`), a question together with an instruction, a window that is too
/// small and a summary that is empty or longer than asked for; and what the summarizer throws.
///
/// @code{.cpp}
/// acta::SummarizeTextOptions options;
/// options.question = "Which port does the server use?";
/// auto model = [](std::span<const acta::ChatMessage>, const acta::ChatOptions&) {   // or a summarizer
///     return acta::ChatCompletion{.message = {.content = "8080"}};
/// };
/// acta::TextSummary answer = acta::summarize_text("The server listens on port 8080.", model, options);
/// std::string port = answer.summary;
/// @endcode
[[nodiscard]] TextSummary summarize_text(std::string_view text, const AnySummarizer& summarizer,
                                         const SummarizeTextOptions& options = {});

/// As above, in the window of the chat summarizer.
[[nodiscard]] TextSummary summarize_text(std::string_view text, const ChatSummarizer& summarizer,
                                         const SummarizeTextOptions& options = {});

/// As above, with a model that is asked in the words of `ChatSummarizer`.
template <class M>
    requires(ChatModel<std::remove_reference_t<M>> && !Summarizer<std::remove_reference_t<M>>)
[[nodiscard]] TextSummary summarize_text(std::string_view text, M&& model, const SummarizeTextOptions& options = {}) {
    ChatSummarizerOptions chat;
    if (options.window_tokens != 0) chat.window_tokens = options.window_tokens;
    chat.count_tokens = options.count_tokens;
    chat.splitter = options.splitter;
    const ChatSummarizer summarizer(AnyChatModel(std::ref(model)), std::move(chat));
    return summarize_text(text, summarizer, options);
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/compress/detail/chat_summarizer.inl.hpp"
#endif
