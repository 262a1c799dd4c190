// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/compress/compression.hpp"
#include "acta/compress/detail/compression_run.hpp"
#include "acta/compress/detail/compression_target.hpp"
#include "acta/compress/summarizer.hpp"
#include "acta/compress/summary_step.hpp"
#include "acta/history/episode_id.hpp"
#include "acta/history/history.hpp"
#include "acta/history/summary_access.hpp"

// The part of a compression that depends on the type of the history.
namespace acta::inline v0::compress_detail {

/// The operations of a compression on a history, each under the lock that protects it.
struct HistorySteps {
    using Access = history_extension::SummaryAccess;

    /// Scans the steps that became old enough since the last time; returns their number.
    template <class P>
    static std::size_t scan(EpisodicActionHistory<P>& history, const CompressionOptions& options) {
        auto& queue = Access::queue(history);
        queue.count_tokens(options.trigger.tokens != 0);
        if (options.retry_given_up) queue.retry_given_up();
        const std::size_t end = history.size() - std::min(history.size(), options.keep_recent);
        const std::size_t from = queue.mark;
        for (; queue.mark < end; ++queue.mark) {
            if (Access::waits(history, queue.mark)) queue.add(history.id(queue.mark));
        }
        return queue.mark - from;
    }

    /// A step whose tokens are not counted yet, or nothing.
    template <class P>
    static std::optional<EpisodeText> next_uncounted(EpisodicActionHistory<P>& history) {
        while (const std::optional<EpisodeId> id = Access::queue(history).next_uncounted()) {
            if (std::optional<EpisodeText> found = text(history, *id)) return found;
        }
        return std::nullopt;
    }

    /// Takes the steps that are due.
    template <class P>
    static std::vector<EpisodeId> take(EpisodicActionHistory<P>& history, const CompressionOptions& options,
                                       std::size_t& unsummarised) {
        auto& queue = Access::queue(history);
        unsummarised = queue.unsummarised;
        const std::size_t end = history.size() - std::min(history.size(), options.keep_recent);
        if (end == 0) return {};
        const EpisodeId limit{history.id(end - 1).step + 1, 0};
        const auto [episodes, tokens] = queue.load(limit);
        if (!options.trigger.reached(episodes, tokens)) return {};
        return queue.take(options.max_episodes, limit);
    }

    /// The step in full, unless it is gone, has a summary by now or got another result.
    template <class P>
    static std::optional<EpisodeText> text(const EpisodicActionHistory<P>& history, EpisodeId id) {
        const std::optional<std::size_t> i = index(history, id);
        if (!i || !Access::waits(history, *i)) return std::nullopt;
        return EpisodeText{id, *i, history[*i].format(), summary_step(history[*i])};
    }

    /// Gives the step its summary, unless it is gone, has one by now or got another result.
    template <class P>
    static bool apply(EpisodicActionHistory<P>& history, EpisodeId id, std::string summary) {
        const std::optional<std::size_t> i = index(history, id);
        return i && Access::waits(history, *i) && history.set_summary(id, std::move(summary));
    }

    template <class P>
    static auto& queue(EpisodicActionHistory<P>& history) noexcept {
        return Access::queue(history);
    }

private:
    template <class P>
    static std::optional<std::size_t> index(const EpisodicActionHistory<P>& history, EpisodeId id) {
        const std::vector<EpisodeId>& ids = Access::ids(history);
        const auto found = std::ranges::lower_bound(ids, id.step, {}, &EpisodeId::step);
        if (found == ids.end() || *found != id) return std::nullopt;
        return static_cast<std::size_t>(found - ids.begin());
    }
};

/// A history of any type, as a compression sees it. `WithLock` calls a function with the history, under its lock.
template <class WithLock>
class HistoryTarget final : public CompressionTarget {
public:
    explicit HistoryTarget(WithLock with_lock) : with_lock_(std::move(with_lock)) {}

    std::size_t scan(const CompressionOptions& options) override {
        return with_lock_([&](auto& history) { return HistorySteps::scan(history, options); });
    }
    std::optional<EpisodeText> next_uncounted() override {
        return with_lock_([](auto& history) { return HistorySteps::next_uncounted(history); });
    }
    void set_tokens(EpisodeId id, std::size_t tokens) override {
        with_lock_([&](auto& history) { HistorySteps::queue(history).set_tokens(id, tokens); });
    }
    std::vector<EpisodeId> take(const CompressionOptions& options, std::size_t& unsummarised) override {
        return with_lock_([&](auto& history) { return HistorySteps::take(history, options, unsummarised); });
    }
    std::optional<EpisodeText> text(EpisodeId id) override {
        return with_lock_([&](auto& history) { return HistorySteps::text(history, id); });
    }
    void count_again() noexcept override {
        with_lock_([](auto& history) { HistorySteps::queue(history).count_tokens(false); });
    }
    bool apply(EpisodeId id, std::string summary) override {
        return with_lock_([&](auto& history) { return HistorySteps::apply(history, id, std::move(summary)); });
    }
    void failed(EpisodeId id, std::size_t max_attempts) override {
        with_lock_([&](auto& history) { HistorySteps::queue(history).failed(id, max_attempts); });
    }
    void give_back(EpisodeId id) override {
        with_lock_([&](auto& history) { HistorySteps::queue(history).give_back(id); });
    }

private:
    WithLock with_lock_;
};

/// Compresses the history that `with_lock` protects.
template <class WithLock>
[[nodiscard]] CompressionReport compress(WithLock with_lock, const AnySummarizer& summarizer,
                                         const CompressionOptions& options) {
    HistoryTarget<WithLock> target(std::move(with_lock));
    return CompressionRun(target, summarizer, options).run();
}

}  // namespace acta::inline v0::compress_detail
