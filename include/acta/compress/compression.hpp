// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <functional>
#include <limits>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "acta/action/error_info.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/history/episode_id.hpp"
#include "acta/observe/observer.hpp"
#include "acta/text/tokens.hpp"

// The options and the report of a compression (docs/reference/compress.md, "Compression").
namespace acta::inline ACTA_ABI {

/// How much must wait for a summary before a compression begins. Finished steps without a summary wait, if they are
/// older than the newest `keep_recent`. With both members set, reaching one of them is enough; with none, a compression
/// always begins.
struct CompressionTrigger {
    std::size_t episodes = 0;  ///< Steps; 0 for none.
    std::size_t tokens = 0;    ///< Tokens of their texts; 0 for none. Each text is counted once in its history's life.

    /// Whether so much is enough.
    [[nodiscard]] bool reached(std::size_t waiting_episodes, std::size_t waiting_tokens) const noexcept;
};

/// The progress of a compression.
struct CompressionProgress {
    std::size_t done = 0;        ///< Steps dealt with, whatever the outcome.
    std::size_t total = 0;       ///< Steps that this compression takes on.
    std::size_t summarised = 0;  ///< Steps that have their summary.
    std::size_t failed = 0;      ///< Steps whose summary failed.
};

/// What one completion cost, in US dollars.
using CompletionPrice = std::function<double(const ChatCompletion&)>;

/// What a compression asked of models.
struct SummaryCost {
    std::size_t completions = 0;       ///< Answers of models, unusable ones included.
    TokenUsage usage{};                ///< Tokens of those answers whose model states its usage.
    std::optional<double> cost_usd{};  ///< US dollars, where a price is known (`CompressionOptions::price`).

    /// Adds a completion. The price may be empty.
    void add(const ChatCompletion& completion, const CompletionPrice& price);

    friend bool operator==(const SummaryCost&, const SummaryCost&) = default;
};

/// Options of `handle_compression`.
struct CompressionOptions {
    std::size_t keep_recent = 4;  ///< The newest steps, an open one among them, keep their full text.
    std::size_t max_episodes = std::numeric_limits<std::size_t>::max();  ///< The most steps that one call summarises.
    CompressionTrigger trigger{};                                        ///< When there is enough to do.
    AnyTokenCounter count_tokens{};                                      ///< For the trigger.
    std::size_t max_parallel = 8;  ///< Calls of the summarizer at the same time; 0 is taken as 1.
    /// After so many failures, counted over all calls, a step is given up and stays without a summary; 0 for no limit.
    /// This keeps a text that no summarizer can handle from being sent, and paid for, at each call.
    std::size_t max_attempts = 3;
    bool retry_given_up = false;  ///< Whether steps that were given up are tried again, as if for the first time.
    std::string instruction{episode_instruction};  ///< For summarizers that ask a model.
    std::size_t max_summary_tokens = 500;          ///< The longest summary.
    bool one_line = true;                          ///< Whether a summary of several lines is a failure.
    /// Cancels the compression: nothing more begins, and summarizers that run see it in their request.
    stop_token stop{};
    std::optional<std::chrono::steady_clock::time_point> deadline{};  ///< Also cancels it.
    /// Called after each step, by one thread at a time. An exception from it ends the compression, which throws it.
    std::function<void(const CompressionProgress&)> progress{};
    /// Sees the text and the values of each step before a summarizer does, each summary before the history, and the
    /// texts of errors. Called by several threads.
    Redactor redactor{};
    /// The price of a completion, from its usage and model. Called by one thread at a time; must not throw. Without it
    /// the report has tokens, but no money.
    CompletionPrice price{};
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
    /// Steps that were scanned to find those that are due, from the oldest one that waits, and once more per attempt.
    std::size_t scanned = 0;
    SummaryCost cost{};                ///< Of all steps, those that failed included.
    std::chrono::nanoseconds time{0};  ///< How long it took.

    friend bool operator==(const CompressionReport&, const CompressionReport&) = default;
};

/// Returns `3 summarised, 1 failed, 0 skipped, 0 cancelled, 4 not due`.
[[nodiscard]] std::string to_string(const CompressionReport& report);

/// Prints `to_string(report)`.
inline std::ostream& operator<<(std::ostream& out, const CompressionReport& report) { return out << to_string(report); }

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/compress/detail/compression.inl.hpp"
#endif
