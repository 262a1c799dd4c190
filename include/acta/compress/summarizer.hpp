// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <concepts>
#include <cstddef>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>

#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/compress/summary_step.hpp"

// What acta asks of a summarizer. ExtractiveSummarizer (no model) and ChatSummarizer (any ChatModel) come with it; a
// lambda is enough for your own (docs/reference/compress.md, "Summarizers").
namespace acta::inline ACTA_ABI {

/// A summary could not be made: the text has no content, no model answered, or the answer was unusable.
class SummaryError : public Error {
public:
    using Error::Error;
};

/// The instruction for the summary of one step (the reference's words).
inline constexpr std::string_view episode_instruction =
    "The text represents an action, the reason for its execution, and its result. Condense the action taken and its "
    "result into one line. Preserve any specific factual information gathered by the action.";

/// The instruction for a text when there is no other.
inline constexpr std::string_view text_instruction =
    "Give a clear and short summary of the text, or describe what it is where it cannot be summarised.";

/// The instruction for the summaries of the parts of a text.
inline constexpr std::string_view combine_instruction =
    "The text consists of multiple partial summaries. Combine these partial summaries into one.";

/// What a summary should be like.
struct SummaryRequest {
    std::string instruction{episode_instruction};  ///< For a model; a summarizer without one may ignore it.
    std::optional<std::string> question{};         ///< The question that the summary answers; excludes an instruction.
    std::size_t max_tokens = 500;                  ///< The longest summary allowed, at least 1.
    bool one_line = false;                         ///< Whether the summary must have no line break.
    stop_token stop{};                             ///< Cancels the work.
    std::optional<std::chrono::steady_clock::time_point> deadline{};  ///< Also cancels it.
    /// The step that the text shows, where it shows one. Valid during the call only; null for any other text.
    const SummaryStep* step = nullptr;
    /// A summarizer that chooses among several calls it with the name of the one that made the summary, before it
    /// returns; the report of a compression holds the name. May be empty.
    std::function<void(std::string_view)> on_source{};
    /// A summarizer that asks a model calls it with each completion, good or not, so that its cost can be added up. May
    /// be empty.
    std::function<void(const ChatCompletion&)> on_completion{};
};

/// A callable that takes a text and a request and returns the summary, or throws why there is none.
/// `handle_compression` calls it from several threads at once: state that it changes needs a lock of its own.
template <class S>
concept Summarizer = std::is_invocable_r_v<std::string, S&, std::string_view, const SummaryRequest&>;

/// Holds any `Summarizer`. Copies share the one that they hold.
class AnySummarizer {
public:
    /// Implicit, so that a lambda can be passed where a summarizer is expected.
    template <class S>
        requires(!std::same_as<std::remove_cvref_t<S>, AnySummarizer> && Summarizer<std::decay_t<S>>)
    AnySummarizer(S&& summarizer)  // NOLINT(google-explicit-constructor)
        : call_([held = std::make_shared<std::decay_t<S>>(std::forward<S>(summarizer))](
                    std::string_view text, const SummaryRequest& request) -> std::string {
              return std::invoke(*held, text, request);
          }) {}

    /// Calls the summarizer.
    std::string operator()(std::string_view text, const SummaryRequest& request) const { return call_(text, request); }

private:
    std::function<std::string(std::string_view, const SummaryRequest&)> call_;
};

}  // namespace acta::inline ACTA_ABI
