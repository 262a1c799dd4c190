// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/compress/compression.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/compress/summary_step.hpp"
#include "acta/history/episode_id.hpp"
#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/history/summary_access.hpp"

// A history of any type as a compression sees it, and the summarizer.
namespace acta::inline ACTA_ABI::compress_detail {

/// A step that is being summarised, as it stands in its history.
struct EpisodeText {
    EpisodeId id{};
    std::size_t step = 0;  ///< Its place in the history, from 0.
    std::string text{};
    SummaryStep values{};
};

/// A step that waits for a summary.
struct WaitingStep {
    EpisodeId id{};
    std::size_t failures = 0;
    std::optional<std::size_t> tokens{};
};
struct WaitingSteps {
    std::vector<WaitingStep> steps{};  ///< Oldest first.
    std::size_t unsummarised = 0;      ///< All finished steps without a summary.
    std::size_t scanned = 0;
};

/// A history as a compression sees it. Each call holds the history's lock, and is short.
class CompressionTarget {
public:
    CompressionTarget() = default;
    CompressionTarget(const CompressionTarget&) = delete;
    CompressionTarget& operator=(const CompressionTarget&) = delete;
    virtual ~CompressionTarget() = default;

    /// The steps that are old enough, and that no other compression has taken.
    virtual WaitingSteps waiting(const CompressionOptions& options) = 0;
    /// The step in full, unless it is gone, has a summary by now or got another result.
    virtual std::optional<EpisodeText> text(EpisodeId id) = 0;
    virtual void set_tokens(EpisodeId id, std::size_t tokens) = 0;
    /// Takes the first steps of the list that still wait, up to `limit`, and leaves only these in it. Each is stored or
    /// released afterwards.
    virtual void take(std::vector<EpisodeId>& ids, std::size_t limit) = 0;
    /// Gives the step its summary, unless it is gone, has one by now or got another result.
    virtual bool store(EpisodeId id, std::string summary) = 0;
    virtual void release(EpisodeId id, bool failed) = 0;
};

/// Does the work of a compression, from choosing the steps to the report. Independent of the type of the history.
[[nodiscard]] CompressionReport run_compression(CompressionTarget& target, const AnySummarizer& summarizer,
                                                const CompressionOptions& options);

/// A history of any type, as a compression sees it. `WithLock` calls a function with the history, under its lock.
template <class WithLock>
class HistoryTarget final : public CompressionTarget {
public:
    explicit HistoryTarget(WithLock with_lock) : with_lock_(std::move(with_lock)) {}

    WaitingSteps waiting(const CompressionOptions& options) override {
        return with_lock_([&](auto& history) { return scan(history, options); });
    }
    std::optional<EpisodeText> text(EpisodeId id) override {
        return with_lock_([id](auto& history) -> std::optional<EpisodeText> {
            const std::optional<std::size_t> i = find(history, id);
            if (!i || !Access::waits(history, *i)) return std::nullopt;
            return EpisodeText{id, *i, history[*i].format(), summary_step(history[*i])};
        });
    }
    void set_tokens(EpisodeId id, std::size_t tokens) override {
        with_lock_([=](auto& history) {
            if (const std::optional<std::size_t> i = find(history, id)) Access::steps(history)[*i].tokens = tokens;
        });
    }
    void take(std::vector<EpisodeId>& ids, std::size_t limit) override {
        with_lock_([&](auto& history) {
            std::size_t taken = 0;
            for (const EpisodeId id : ids) {
                if (taken == limit) break;
                const std::optional<std::size_t> i = find(history, id);
                if (!i || !Access::waits(history, *i)) continue;
                if (!std::exchange(Access::steps(history)[*i].taken.value, true)) ids[taken++] = id;
            }
            ids.resize(taken);
        });
    }
    bool store(EpisodeId id, std::string summary) override {
        return with_lock_([&](auto& history) {
            const std::optional<std::size_t> i = find(history, id);
            if (!i) return false;
            Access::steps(history)[*i].taken.value = false;
            const bool stored = Access::waits(history, *i) && history.set_summary(id, std::move(summary));
            advance(history, max_attempts_);
            return stored;
        });
    }
    void release(EpisodeId id, bool failed) override {
        with_lock_([=, this](auto& history) {
            const std::optional<std::size_t> i = find(history, id);
            if (!i) return;
            auto& step = Access::steps(history)[*i];
            step.taken.value = false;
            if (failed) ++step.failures;
            advance(history, max_attempts_);
        });
    }

private:
    using Access = history_extension::SummaryAccess;

    template <class History>
    WaitingSteps scan(History& history, const CompressionOptions& options) {
        max_attempts_ = options.max_attempts;
        auto& steps = Access::steps(history);
        std::size_t& first = Access::first_waiting(history);
        if (options.retry_given_up) {
            for (auto& step : steps) step.failures = is_given_up(step, max_attempts_) ? 0 : step.failures;
            first = 0;
        }
        const std::size_t begin = first;
        advance(history, max_attempts_);
        const std::size_t end = steps.size() - std::min(steps.size(), options.keep_recent);
        WaitingSteps out;
        out.unsummarised = Access::unsummarised(history);
        out.scanned = std::max(begin, end) - begin;
        for (std::size_t i = first; i < end; ++i) {
            const auto& step = steps[i];
            if (Access::waits(history, i) && !step.taken.value && !is_given_up(step, max_attempts_))
                out.steps.push_back({step.id, step.failures, step.tokens});
        }
        return out;
    }

    [[nodiscard]] static bool is_given_up(const auto& step, std::size_t max_attempts) noexcept {
        return max_attempts != 0 && step.failures >= max_attempts;
    }

    /// Moves the mark over steps that do not wait, or not any more.
    template <class History>
    static void advance(History& history, std::size_t max_attempts) noexcept {
        const auto& steps = Access::steps(history);
        std::size_t& first = Access::first_waiting(history);
        while (first < steps.size() && (!Access::waits(history, first) || is_given_up(steps[first], max_attempts)))
            ++first;
    }

    template <class History>
    [[nodiscard]] static std::optional<std::size_t> find(History& history, EpisodeId id) {
        const auto& steps = Access::steps(history);
        const auto found = std::ranges::lower_bound(steps, id.step, {}, [](const auto& step) { return step.id.step; });
        if (found == steps.end() || found->id != id) return std::nullopt;
        return static_cast<std::size_t>(found - steps.begin());
    }

    WithLock with_lock_;
    std::size_t max_attempts_ = 0;
};

template <class P>
[[nodiscard]] CompressionReport compress(EpisodicActionHistory<P>& history, const AnySummarizer& summarizer,
                                         const CompressionOptions& options) {
    std::mutex mutex;  // the threads of the compression format and change the steps
    HistoryTarget target([&](const auto& use) {
        const std::lock_guard lock(mutex);
        return use(history);
    });
    return run_compression(target, summarizer, options);
}
template <class P>
[[nodiscard]] CompressionReport compress(SharedHistory<P>& history, const AnySummarizer& summarizer,
                                         const CompressionOptions& options) {
    HistoryTarget target([&history](const auto& use) { return history.with_lock(use); });
    return run_compression(target, summarizer, options);
}

#if defined(ACTA_COMPILED)  // which has these instances
extern template CompressionReport compress(EpisodicActionHistory<>& history, const AnySummarizer& summarizer,
                                           const CompressionOptions& options);
extern template CompressionReport compress(SharedHistory<>& history, const AnySummarizer& summarizer,
                                           const CompressionOptions& options);
#endif

template <class S>
constexpr void require_summarizer() {
    constexpr bool is_summarizer = Summarizer<std::remove_reference_t<S>>;
    static_assert(
        is_summarizer,
        "acta: a summarizer is called with (std::string_view text, const acta::SummaryRequest&) and returns the "
        "summary as a std::string");
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

}  // namespace acta::inline ACTA_ABI::compress_detail
