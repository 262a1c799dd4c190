// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <concepts>
#include <cstddef>
#include <exception>
#include <functional>
#include <future>
#include <initializer_list>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/base/callback.hpp"
#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/utility.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history_view.hpp"
#include "acta/observe/observer.hpp"
#include "acta/text/tokens.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// A step as a summarizer sees it: values instead of the text that `Episode::format()` makes of them, in which an
/// output could pass for a status.
struct SummaryStep {
    std::vector<AssistantFunctionCall> calls{};  ///< In the order of the proposal.
    std::string thoughts{};                      ///< As text; the summary of structured thoughts.
    std::optional<ActionResult> result{};        ///< Empty while the step has not finished.
    std::vector<ToolResult> tool_results{};      ///< Of parallel calls.

    friend bool operator==(const SummaryStep&, const SummaryStep&) = default;
};

/// Copies what a summarizer needs of the step at `i`, which must be less than `history.size()`.
[[nodiscard]] SummaryStep summary_step(const HistoryView& history, std::size_t i);

/// Copies what a summarizer needs of a step, whatever the type of its proposal.
///
/// @code{.cpp}
/// acta::Episode<> episode;
/// episode.action.use_tool = {"read_file", {{"path", "a.txt"}}};
/// episode.result = acta::ActionSuccessResult{.outputs = "one line"};
///
/// acta::SummaryStep step = acta::summary_step(episode);
/// std::string tool = step.calls.front().name;   // read_file
/// @endcode
template <class P>
[[nodiscard]] SummaryStep summary_step(const Episode<P>& episode) {
    return summary_step(HistoryView(std::span<const Episode<P>>(&episode, 1)), 0);
}

/// A part of a text, and its summary.
struct PartialSummary {
    std::string summary{};  ///< The summary of the part.
    std::string text{};     ///< The part itself.

    friend bool operator==(const PartialSummary&, const PartialSummary&) = default;
};

/// The summary of a text, and the summaries of the parts from which it was made. A text that is summarised at once is
/// its own only part.
struct TextSummary {
    std::string summary{};                ///< The summary of the whole text.
    std::vector<PartialSummary> parts{};  ///< In the order of the text.

    friend bool operator==(const TextSummary&, const TextSummary&) = default;
};

// What acta asks of a summarizer. ExtractiveSummarizer (no model) and ChatSummarizer (any ChatModel) come with it; a
// lambda is enough for your own (docs/reference/compress.md, "Summarizers").

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
    Until until{};                                 ///< Cancels the work.
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
    template <class S>
        requires(!std::derived_from<std::decay_t<S>, AnySummarizer> && base::WithoutConversions<std::decay_t<S>> &&
                 !Summarizer<std::decay_t<S>>)
    AnySummarizer(S&&) = delete;  // acta: a summarizer takes (std::string_view, const acta::SummaryRequest&)

    /// Calls the summarizer.
    std::string operator()(std::string_view text, const SummaryRequest& request) const { return call_(text, request); }

private:
    std::function<std::string(std::string_view, const SummaryRequest&)> call_;
};

/// A summarizer and its name in reports.
struct NamedSummarizer {
    std::string name;          ///< Not empty, and unique in its chain.
    AnySummarizer summarizer;  ///< The summarizer.
};

/// Several summarizers in one: each is asked only if all before it failed, so that a history is compressed even when no
/// model answers. It reports through `SummaryRequest::on_source` which one made the summary; a chain in a chain is
/// named `outer/inner`. An empty summary, or one of several lines where one was asked for, counts as a failure.
///
/// A deadline that has passed skips none of them: it ends the waiting for a model, while one that waits for nothing
/// (`ExtractiveSummarizer`) can still help. A stop ends the whole chain.
///
/// @code{.cpp}
/// auto model = [](std::string_view, const acta::SummaryRequest&) -> std::string {   // or an acta::ChatSummarizer
///     throw acta::SummaryError("no network");
/// };
/// auto first_words = [](std::string_view text, const acta::SummaryRequest&) {
///     return std::string(text.substr(0, 80));
/// };
/// acta::SummarizerChain summarize{{"model", model}, {"first words", first_words}};
/// std::string summary = summarize("Long text ...");
/// @endcode
class SummarizerChain {
public:
    SummarizerChain() = default;
    /// Throws as `add`.
    SummarizerChain(std::initializer_list<NamedSummarizer> summarizers) {
        for (const NamedSummarizer& one : summarizers) add(one.name, one.summarizer);
    }

    /// Appends a summarizer, to be asked after all others. Throws `Error` if the name is empty or already in the chain.
    SummarizerChain& add(std::string name, AnySummarizer summarizer);

    /// The number of summarizers.
    [[nodiscard]] std::size_t size() const noexcept { return summarizers_.size(); }

    /// Returns the first summary that does not fail. Throws `SummaryError` with the errors of all if there is none, if
    /// it was stopped, or if the chain is empty.
    [[nodiscard]] std::string operator()(std::string_view text, const SummaryRequest& request = {}) const;

private:
    std::vector<NamedSummarizer> summarizers_;
};

// The options and the report of a compression (docs/reference/compress.md, "Compression").

/// How much must wait for a summary before a compression begins. Finished steps without a summary wait, if they are
/// older than the newest `keep_recent`. With both members set, reaching one of them is enough; with none, a compression
/// always begins.
struct CompressionTrigger {
    std::size_t episodes = 0;  ///< Steps; 0 for none.
    std::size_t tokens = 0;    ///< Tokens of their texts; 0 for none. Each text is counted once in its history's life.

    /// Whether so much is enough.
    [[nodiscard]] bool reached(std::size_t waiting_episodes, std::size_t waiting_tokens) const noexcept;
};

/// What one completion cost, in US dollars: a function, such as `TokenPrices`, or empty.
///
/// @code{.cpp}
/// acta::CompletionPrice price = acta::TokenPrices{.prompt = 3, .completion = 15};
/// price = [](const acta::ChatCompletion& completion) { return completion.model == "small" ? 0.01 : 0.1; };
/// @endcode
using CompletionPrice = Callback<double(const ChatCompletion&)>;

/// What a compression asked of models.
struct SummaryCost {
    std::size_t completions = 0;       ///< Answers of models, unusable ones included.
    TokenUsage usage{};                ///< Tokens of those answers whose model states its usage.
    std::optional<double> cost_usd{};  ///< US dollars, where a price is known (`CompressionOptions::price`).

    /// Adds a completion. The price may be empty.
    void add(const ChatCompletion& completion, const CompletionPrice& price);
    /// Adds what others cost.
    void add(const SummaryCost& other);

    friend bool operator==(const SummaryCost&, const SummaryCost&) = default;
};

/// Options of `handle_compression`.
struct CompressionOptions {
    std::size_t keep_recent = 4;  ///< The newest steps, an open one among them, keep their full text.
    std::size_t max_episodes = std::numeric_limits<std::size_t>::max();  ///< The most steps that one call summarises.
    CompressionTrigger trigger{};                                        ///< When there is enough to do.
    AnyTokenCounter count_tokens{};                                      ///< For the trigger.
    std::size_t max_parallel = 8;  ///< Calls of the summarizer at the same time; 0 is taken as 1.
    /// After this many failures, counted over all calls, a step is given up and stays without a summary; 0 for no
    /// limit. This keeps a text that no summarizer can handle from being sent, and paid for, at each call.
    std::size_t max_attempts = 3;
    bool retry_given_up = false;  ///< Whether steps that were given up are tried again, as if for the first time.
    std::string instruction{episode_instruction};  ///< For summarizers that ask a model.
    std::size_t max_summary_tokens = 500;          ///< The longest summary.
    bool one_line = true;                          ///< Whether a summary of several lines is a failure.
    /// Cancels the compression: nothing more begins, and summarizers that run see it in their request.
    Until until{};
    /// Sees the text and the values of each step before a summarizer does, each summary before the history, and the
    /// texts of errors. Called by several threads.
    Redactor redactor{};
    /// The price of a completion, from its usage and model. Called by one thread at a time; must not throw. Without it
    /// the report has tokens, but no money.
    CompletionPrice price{};
    /// Called with what each completion cost, as soon as it is known, by one thread at a time. A limit of cost may end
    /// the compression by it, through `until`. Must not throw.
    Callback<void(const SummaryCost&)> on_cost{};
    Observer* observer = nullptr;  ///< Gets an event for the compression (`compress`) and each step (`summarize`).
};

/// A step that got its summary.
struct SummarisedEpisode {
    EpisodeId id{};        ///< The identity of the step.
    std::size_t step = 0;  ///< Its index, from 0, when its text was taken.
    std::string source{};  ///< The summarizer that made it, if known (`SummaryRequest::on_source`).

    friend bool operator==(const SummarisedEpisode&, const SummarisedEpisode&) = default;
};

/// A step whose summary failed, and why.
struct FailedEpisode {
    EpisodeId id{};        ///< The identity of the step.
    std::size_t step = 0;  ///< Its index, from 0, when its text was taken.
    ErrorInfo error{};     ///< What went wrong.

    friend bool operator==(const FailedEpisode&, const FailedEpisode&) = default;
};

/// The outcome of a compression.
struct CompressionReport {
    std::vector<SummarisedEpisode> summarised{};  ///< Oldest first.
    std::vector<FailedEpisode> failed{};          ///< Oldest first. They wait again, until `max_attempts`.
    /// Steps that were rewound away, replaced or given a summary otherwise in the meantime.
    std::size_t skipped = 0;
    std::size_t cancelled = 0;  ///< Steps left undone by a stop or the deadline. They wait again.
    /// Finished steps without a summary that were left alone: too recent, beyond `max_episodes`, given up, or because
    /// the trigger was not reached.
    std::size_t not_due = 0;
    SummaryCost cost{};                ///< Of all steps, those that failed included.
    std::chrono::nanoseconds time{0};  ///< How long it took.

    friend bool operator==(const CompressionReport&, const CompressionReport&) = default;
};

/// Returns `3 summarised, 1 failed, 0 skipped, 0 cancelled, 4 not due`.
[[nodiscard]] std::string to_string(const CompressionReport& report);

/// Prints `to_string(report)`.
inline std::ostream& operator<<(std::ostream& out, const CompressionReport& report) { return out << to_string(report); }

}  // namespace acta::inline ACTA_ABI

namespace acta::inline ACTA_ABI::compress_detail {

template <class S>
constexpr void require_summarizer() {
    constexpr bool is_summarizer = Summarizer<std::remove_reference_t<S>>;
    static_assert(
        is_summarizer,
        "acta: a summarizer is called with (std::string_view text, const acta::SummaryRequest&) and returns the "
        "summary as a std::string");
}

/// What a compression cannot change: a history that is temporary or const, or something else.
template <class H>
concept NotCompressible = !std::convertible_to<H, const LockableHistory&> &&
                          (!std::is_lvalue_reference_v<H> || !std::constructible_from<LockableHistory, H>);

template <class H>
constexpr void require_history() {
    constexpr bool is_history = std::constructible_from<LockableHistory, std::remove_cvref_t<H>&>;
    static_assert(is_history, "acta: the history comes first, then the summarizer, then options");
    constexpr bool can_be_changed = !is_history || !NotCompressible<H>;
    static_assert(can_be_changed,
                  "acta: summaries are written to the history: keep it in a variable that is not const");
}

/// Refers to the summarizer instead of copying it, so that its state can be inspected afterwards.
template <class S>
[[nodiscard]] AnySummarizer summarizer_ref(S& summarizer) {
    require_summarizer<S>();
    if constexpr (Summarizer<S>)
        return AnySummarizer(std::ref(summarizer));
    else
        std::terminate();  // does not compile
}
[[nodiscard]] inline AnySummarizer summarizer_ref(const AnySummarizer& summarizer) { return summarizer; }

/// Runs `handle_compression` in a thread of its own.
[[nodiscard]] std::future<CompressionReport> start_compression(LockableHistory history, AnySummarizer summarizer,
                                                               CompressionOptions options);

}  // namespace acta::inline ACTA_ABI::compress_detail

namespace acta::inline ACTA_ABI {

/// The overload that does the work of those below, for a history of any type.
CompressionReport handle_compression(const LockableHistory& history, const AnySummarizer& summarizer,
                                     const CompressionOptions& options = {});

/// Summarises the finished steps that have no summary and are older than the newest `keep_recent`, several at a time
/// (docs/reference/compress.md, "Compression"). An exception from the summarizer and an unusable summary (empty,
/// several lines where one was asked for, much too long) fail that one step: they are in the report and are not thrown.
/// No other thread may use the history during the call; for a `SharedHistory` there is an overload.
///
/// Linear in the steps from the oldest one that waits for a summary: those before it are not looked at again.
/// Throws what `options.count_tokens` throws.
///
/// @code{.cpp}
/// acta::EpisodicActionHistory<> history;
/// auto summarize = [](std::string_view text, const acta::SummaryRequest&) {   // or acta::ExtractiveSummarizer{}
///     return std::string(text.substr(0, text.find('\n')));
/// };
/// acta::CompressionOptions options;
/// options.keep_recent = 2;
/// acta::CompressionReport report = acta::handle_compression(history, summarize, options);
/// std::string outcome = acta::to_string(report);   // 0 summarised, 0 failed, 0 skipped, 0 cancelled, 0 not due
/// @endcode
template <class P, class S>
CompressionReport handle_compression(EpisodicActionHistory<P>& history, S&& summarizer,
                                     const CompressionOptions& options = {}) {
    return handle_compression(LockableHistory(history), compress_detail::summarizer_ref(summarizer), options);
}

/// As above, while other threads keep using the history: it is locked to take a text and to store a summary, never
/// while a summarizer runs. A summary only reaches the very step it was made of: if that was rewound away, replaced by
/// a restored history, finished again or given a summary in the meantime, the step is skipped. Throws `Error` when
/// called from within `with_lock`.
template <class P, class S>
CompressionReport handle_compression(SharedHistory<P>& history, S&& summarizer,
                                     const CompressionOptions& options = {}) {
    return handle_compression(LockableHistory(history), compress_detail::summarizer_ref(summarizer), options);
}

/// Does not compile, and says what the arguments are.
template <compress_detail::NotCompressible H, class S>
CompressionReport handle_compression(H&&, S&&, const CompressionOptions& = {}) {
    compress_detail::require_history<H>();
    std::terminate();  // does not compile
}

/// Runs `handle_compression` in a thread of its own. The future holds the report or the exception. Its destructor waits
/// for the end, as that of `std::async` does: keep it as long as the compression should run beside other work, and
/// cancel with `options.until`. The summarizer is moved or copied (pass `std::ref(summarizer)` to refer to it). The
/// history must outlive the future, and must not be used until the future is ready, except that it may be moved; a
/// `SharedHistory` may be used.
///
/// @code{.cpp}
/// acta::SharedHistory<> history;
/// auto summarize = [](std::string_view text, const acta::SummaryRequest&) {   // or acta::ExtractiveSummarizer{}
///     return std::string(text.substr(0, text.find('\n')));
/// };
/// std::future<acta::CompressionReport> report = acta::handle_compression_async(history, summarize);
/// history.lock()->append_user_feedback("Hurry up.");   // the agent keeps running
/// std::size_t summarised = report.get().summarised.size();
/// @endcode
template <class P, class S>
[[nodiscard]] std::future<CompressionReport> handle_compression_async(EpisodicActionHistory<P>& history, S&& summarizer,
                                                                      CompressionOptions options = {}) {
    compress_detail::require_summarizer<S>();
    return compress_detail::start_compression(LockableHistory(history), AnySummarizer(std::forward<S>(summarizer)),
                                              std::move(options));
}
/// As above, for a history that other threads use at the same time.
template <class P, class S>
[[nodiscard]] std::future<CompressionReport> handle_compression_async(SharedHistory<P>& history, S&& summarizer,
                                                                      CompressionOptions options = {}) {
    compress_detail::require_summarizer<S>();
    return compress_detail::start_compression(LockableHistory(history), AnySummarizer(std::forward<S>(summarizer)),
                                              std::move(options));
}

/// Does not compile, and says what the arguments are.
template <compress_detail::NotCompressible H, class S>
std::future<CompressionReport> handle_compression_async(H&&, S&&, const CompressionOptions& = {}) {
    compress_detail::require_history<H>();
    std::terminate();  // does not compile
}

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/compress/detail/compress.inl.hpp"
#endif
