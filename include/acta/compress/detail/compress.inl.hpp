// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <future>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/base/workers.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/detail/summary_text.hpp"
#include "acta/history/episode.hpp"
#include "acta/observe/observer.hpp"

namespace acta::inline ACTA_ABI {

ACTA_INLINE SummaryStep summary_step(const HistoryView& history, std::size_t i) {
    const StepView step = history.step(i);
    return {{step.calls.begin(), step.calls.end()},
            history.thoughts(i),
            *step.result,
            {step.results.begin(), step.results.end()}};
}

namespace compress_detail {

/// Asks one summarizer; returns what is wrong with it or its summary, empty for nothing.
[[nodiscard]] ACTA_INLINE std::string failure_of(const NamedSummarizer& one, std::string_view text,
                                                 const SummaryRequest& request, std::string& summary) {
    try {
        summary = one.summarizer(text, request);
    } catch (const std::exception& error) {
        return base::what_of(error);
    } catch (...) {
        return "an exception that is not a std::exception";
    }
    if (unicode::is_blank(summary)) return "returned an empty summary";
    if (request.one_line && has_line_break(summary)) return "returned several lines";
    return {};
}

}  // namespace compress_detail

ACTA_INLINE SummarizerChain& SummarizerChain::add(std::string name, AnySummarizer summarizer) {
    if (name.empty()) throw Error("a summarizer of a chain needs a name");
    for (const NamedSummarizer& one : summarizers_) {
        if (one.name == name) throw Error("the chain already has a summarizer named `" + name + "`");
    }
    summarizers_.push_back({std::move(name), std::move(summarizer)});
    return *this;
}

ACTA_INLINE std::string SummarizerChain::operator()(std::string_view text, const SummaryRequest& request) const {
    if (summarizers_.empty()) throw SummaryError("the chain has no summarizers");
    std::string failures;
    for (const NamedSummarizer& one : summarizers_) {
        if (request.until.is_cancelled()) break;
        std::string inner;
        SummaryRequest its = request;
        its.on_source = [&inner](std::string_view name) { inner = name; };
        std::string summary;
        const std::string failure = compress_detail::failure_of(one, text, its, summary);
        if (failure.empty()) {
            if (request.on_source) request.on_source(inner.empty() ? one.name : one.name + "/" + inner);
            return summary;
        }
        failures += (failures.empty() ? "" : "; ") + one.name + ": " + failure;
    }
    if (request.until.is_cancelled())
        throw SummaryError("stopped before there was a summary" + (failures.empty() ? "" : "; " + failures));
    throw SummaryError("no summarizer of the chain made a summary; " + failures);
}

ACTA_INLINE void SummaryCost::add(const ChatCompletion& completion, const CompletionPrice& price) {
    ++completions;
    if (completion.usage) usage += *completion.usage;
    if (price) cost_usd = cost_usd.value_or(0.0) + price(completion);
}

ACTA_INLINE void SummaryCost::add(const SummaryCost& other) {
    completions += other.completions;
    usage += other.usage;
    if (other.cost_usd) cost_usd = cost_usd.value_or(0.0) + *other.cost_usd;
}

ACTA_INLINE std::string to_string(const CompressionReport& report) {
    return std::to_string(report.summarised.size()) + " summarised, " + std::to_string(report.failed.size()) +
           " failed, " + std::to_string(report.skipped) + " skipped, " + std::to_string(report.cancelled) +
           " cancelled, " + std::to_string(report.not_due) + " not due";
}

ACTA_INLINE bool CompressionTrigger::reached(std::size_t waiting_episodes, std::size_t waiting_tokens) const noexcept {
    if (episodes == 0 && tokens == 0) return true;
    return (episodes != 0 && waiting_episodes >= episodes) || (tokens != 0 && waiting_tokens >= tokens);
}

namespace compress_detail {

/// A summary as it may be stored: redacted, valid UTF-8, trimmed. Throws `SummaryError` if it is empty, has several
/// lines where one was asked for, or is longer than any text within the limit of tokens.
[[nodiscard]] inline std::string checked_summary(std::string given, const CompressionOptions& options) {
    constexpr std::size_t bytes_per_token = 16;  // natural text has about 4
    if (options.redactor) given = options.redactor(given);
    std::string text = utf8::is_valid(given) ? std::move(given) : utf8::replace_invalid(given);
    const std::string_view summary = ascii::trim(text);
    if (unicode::is_blank(summary)) throw SummaryError("the summarizer returned an empty summary");
    if (options.one_line && has_line_break(summary))
        throw SummaryError("the summarizer returned several lines where one was asked for");
    if (summary.size() / bytes_per_token > options.max_summary_tokens) {
        throw SummaryError("the summarizer returned " + std::to_string(summary.size()) + " bytes where " +
                           std::to_string(options.max_summary_tokens) + " tokens were asked for at most");
    }
    if (summary.size() == text.size()) return text;
    return std::string(summary);
}

/// Adds what a completion cost, as the options of a compression say.
template <class Options>
void add_cost(SummaryCost& sum, const ChatCompletion& completion, const Options& options) {
    SummaryCost one;
    one.add(completion, options.price);
    sum.add(one);
    if (options.on_cost) options.on_cost(one);
}

/// A step that is being summarised, as it is in its history.
struct EpisodeText {
    EpisodeId id{};
    std::size_t step = 0;  ///< Its index.
    std::string text{};
    SummaryStep values{};
};

/// A summary that the history does not have yet, and what it took.
struct MadeSummary {
    SummarisedEpisode episode{};
    std::string text{};
    SummaryCost cost{};
    bool is_applied = false;  ///< The history has it now.
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
};

/// The steps of a history as a compression changes them. Each call holds the history's lock, and is short.
class CompressedSteps {
public:
    CompressedSteps(const LockableHistory& history, const CompressionOptions& options)
        : history_(history), options_(options) {}

    /// Returns the steps that are old enough, and that no other compression has taken.
    [[nodiscard]] WaitingSteps waiting() const {
        return history_.with_lock([this](HistoryEditor& history) { return scan(history); });
    }
    /// Returns the step in full, unless it is gone, has a summary by now or got another result.
    [[nodiscard]] std::optional<EpisodeText> text(EpisodeId id) const {
        return history_.with_lock([id](HistoryEditor& history) -> std::optional<EpisodeText> {
            const std::optional<std::size_t> i = find(history, id);
            const HistoryView view = history.view();
            if (!i || !waits(view, *i)) return std::nullopt;
            return EpisodeText{id, *i, view.text(*i), summary_step(view, *i)};
        });
    }
    void set_tokens(EpisodeId id, std::size_t tokens) const {
        history_.with_lock([=](HistoryEditor& history) {
            if (const std::optional<std::size_t> i = find(history, id))
                history.summary_state().steps[*i].tokens = tokens;
        });
    }
    /// Takes the first steps of the list that still wait, up to `limit`, and leaves only these in it. Each is stored or
    /// released afterwards.
    void take(std::vector<EpisodeId>& ids, std::size_t limit) const {
        history_.with_lock([&](HistoryEditor& history) {
            std::size_t taken = 0;
            for (const EpisodeId id : ids) {
                if (taken == limit) break;
                const std::optional<std::size_t> i = find(history, id);
                if (!i || !waits(history.view(), *i)) continue;
                if (!std::exchange(history.summary_state().steps[*i].summarizing.value, true)) ids[taken++] = id;
            }
            ids.resize(taken);
        });
    }
    /// Gives steps their summaries, together, except those that are gone, have one by now or got another result.
    void store(std::span<MadeSummary> made) const {
        history_.with_lock([&](HistoryEditor& history) {
            std::vector<HistoryChange<>> changes;
            for (MadeSummary& one : made) {
                const std::optional<std::size_t> i = find(history, one.episode.id);
                if (!i) continue;
                history.summary_state().steps[*i].summarizing.value = false;
                one.is_applied = waits(history.view(), *i);
                if (one.is_applied) changes.emplace_back(SummarySet{*i, std::move(one.text)});
            }
            history.apply_together(std::move(changes));
            advance(history);
        });
    }
    void release(EpisodeId id, bool failed) const {
        history_.with_lock([=, this](HistoryEditor& history) {
            const std::optional<std::size_t> i = find(history, id);
            if (!i) return;
            auto& step = history.summary_state().steps[*i];
            step.summarizing.value = false;
            if (failed) ++step.failures;
            advance(history);
        });
    }

private:
    [[nodiscard]] WaitingSteps scan(HistoryEditor& history) const {
        auto [steps, first, fewest_failures, unsummarised] = history.summary_state();
        if (options_.retry_given_up) {
            for (auto& step : steps) step.failures = is_given_up(step) ? 0 : step.failures;
            first = 0;
        }
        // Another compression had a lower limit.
        if (fewest_failures != 0 && !is_given_up(fewest_failures)) first = 0;
        if (first == 0) fewest_failures = 0;
        advance(history);
        const HistoryView view = history.view();
        const std::size_t end = steps.size() - std::min(steps.size(), options_.keep_recent);
        WaitingSteps out;
        out.unsummarised = unsummarised;
        for (std::size_t i = first; i < end; ++i) {
            const auto& step = steps[i];
            if (waits(view, i) && !step.summarizing.value && !is_given_up(step))
                out.steps.push_back({step.id, step.failures, step.tokens});
        }
        return out;
    }

    [[nodiscard]] bool is_given_up(const HistoryEditor::StepState& step) const noexcept {
        return is_given_up(step.failures);
    }
    [[nodiscard]] bool is_given_up(std::uint32_t failures) const noexcept {
        return options_.max_attempts != 0 && failures >= options_.max_attempts;
    }
    [[nodiscard]] static bool waits(const HistoryView& history, std::size_t i) {
        const StepView step = history.step(i);
        return step.result->has_value() && step.summary == nullptr;
    }
    /// Moves the mark over steps that do not wait, or no longer wait.
    void advance(HistoryEditor& history) const {
        const HistoryView view = history.view();
        auto [steps, first, fewest_failures, unsummarised] = history.summary_state();
        for (; first < steps.size(); ++first) {
            if (!waits(view, first)) continue;
            if (!is_given_up(steps[first])) return;
            const std::uint32_t failures = steps[first].failures;
            fewest_failures = fewest_failures == 0 ? failures : std::min(fewest_failures, failures);
        }
    }
    [[nodiscard]] static std::optional<std::size_t> find(HistoryEditor& history, EpisodeId id) {
        return history.view().find(id);
    }

    const LockableHistory& history_;
    const CompressionOptions& options_;
};

/// One compression, from choosing the steps to the report. For one use.
class CompressionRun {
public:
    CompressionRun(const LockableHistory& history, const AnySummarizer& summarizer, const CompressionOptions& options)
        : steps_(history, options), summarizer_(summarizer), options_(options) {}

    [[nodiscard]] CompressionReport run() {
        ScopedEvent watch(options_.observer, event_names::compress);
        const auto start = std::chrono::steady_clock::now();
        const stop_callback stopped(options_.until.stop, [this] { stop_.request_stop(); });
        choose();
        const std::size_t begun = summarise_all();
        try {
            keep_made();
        } catch (...) {
            if (!fatal_) fatal_ = std::current_exception();
        }
        for (std::size_t i = fatal_ ? 0 : begun; i < ids_.size(); ++i) steps_.release(ids_[i], false);
        if (fatal_) std::rethrow_exception(fatal_);
        report_.cancelled += ids_.size() - begun;
        const auto older = [](const auto& a, const auto& b) { return a.id < b.id; };
        std::sort(report_.summarised.begin(), report_.summarised.end(), older);
        std::sort(report_.failed.begin(), report_.failed.end(), older);
        report_.time = std::chrono::steady_clock::now() - start;
        if (watch) add_report(watch);
        return std::move(report_);
    }

private:
    /// Finds the steps to summarise.
    void choose() {
        WaitingSteps waiting = steps_.waiting();
        std::vector<WaitingStep>& steps = waiting.steps;
        const std::size_t tokens = options_.trigger.tokens == 0 ? 0 : count_tokens(steps);
        if (options_.trigger.reached(steps.size(), tokens)) {
            // Those that failed come last, so that they do not keep the others waiting.
            std::stable_sort(steps.begin(), steps.end(),
                             [](const auto& a, const auto& b) { return a.failures < b.failures; });
            for (const WaitingStep& one : steps) ids_.push_back(one.id);
            // The limit is applied there: since the scan another compression may have taken the oldest of them.
            steps_.take(ids_, options_.max_episodes);
        }
        report_.not_due = waiting.unsummarised - ids_.size();
    }

    /// Returns the tokens of the steps that wait. Counts those that no compression has counted, outside of the lock.
    std::size_t count_tokens(std::vector<WaitingStep>& steps) {
        std::size_t sum = 0;
        for (WaitingStep& one : steps) {
            if (!one.tokens && !ended()) {
                const std::optional<EpisodeText> full = steps_.text(one.id);
                if (!full) continue;
                one.tokens = options_.count_tokens(full->text);
                steps_.set_tokens(one.id, *one.tokens);
            }
            sum += one.tokens.value_or(0);
        }
        return sum;
    }

    /// Returns how many steps were begun: all, unless it was cancelled.
    std::size_t summarise_all() {
        const std::size_t wanted = std::min(std::max<std::size_t>(options_.max_parallel, 1), ids_.size());
        base::Workers().run(wanted, wanted, [this](std::size_t) { work(); });
        return std::min(next_.load(), ids_.size());
    }

    void work() noexcept {
        try {
            Asking asking;
            prepare(asking);
            while (!ended()) {
                const std::size_t i = next_++;
                if (i >= ids_.size()) return;
                summarise(ids_[i], asking);
            }
        } catch (...) {
            const std::lock_guard lock(mutex_);
            if (!fatal_) fatal_ = std::current_exception();
            stop_.request_stop();
        }
    }

    /// The request for a step, and what the summarizer reports about its answer. One for each thread, which uses it for
    /// all of its steps.
    struct Asking {
        SummaryRequest request{};
        std::string source{};
        SummaryCost cost{};
    };

    void summarise(EpisodeId id, Asking& asking) {
        std::optional<EpisodeText> episode = steps_.text(id);
        if (!episode) return note([this] { ++report_.skipped; });
        ScopedEvent watch(options_.observer, event_names::summarize, EventLevel::debug);
        if (watch) watch.add({{"step", episode->step}, {"total", ids_.size()}});
        asking.source.clear();
        asking.cost = {};
        std::exception_ptr problem;
        std::string summary;
        try {
            summary = ask(*episode, asking.request);
        } catch (...) {
            problem = std::current_exception();
        }
        if (watch && !asking.source.empty()) watch.add({{"source", asking.source}});
        SummarisedEpisode done{id, episode->step, asking.source};
        if (problem) return give_up(done, problem, asking.cost, watch);
        bool is_urgent = asking.cost.completions != 0;  // what a model has made must not be lost
        {
            const std::lock_guard lock(mutex_);
            made_.push_back({std::move(done), std::move(summary), asking.cost});
            is_urgent = is_urgent || made_.size() >= most_made;
        }
        if (is_urgent) keep_made();
    }

    /// Gives the history the summaries that were made, those of other threads included, in one change.
    void keep_made() {
        const std::lock_guard keeping(keep_mutex_);
        std::vector<MadeSummary> made;
        {
            const std::lock_guard lock(mutex_);
            made.swap(made_);
        }
        if (made.empty()) return;
        steps_.store(made);
        for (MadeSummary& one : made) {
            note([&] {
                report_.cost.add(one.cost);
                if (one.is_applied)
                    report_.summarised.push_back(std::move(one.episode));
                else
                    ++report_.skipped;
            });
        }
    }

    /// Fills in what is the same for all steps.
    void prepare(Asking& asking) {
        SummaryRequest& request = asking.request;
        request.instruction = options_.instruction;
        request.max_tokens = options_.max_summary_tokens;
        request.one_line = options_.one_line;
        request.until = {stop_.get_token(), options_.until.deadline};
        request.on_source = [&asking](std::string_view name) { asking.source = name; };
        request.on_completion = [this, &asking](const ChatCompletion& completion) {
            const std::lock_guard lock(price_mutex_);
            compress_detail::add_cost(asking.cost, completion, options_);
        };
    }
    [[nodiscard]] std::string ask(EpisodeText& episode, SummaryRequest& request) const {
        if (options_.redactor) {
            episode.text = options_.redactor(episode.text);
            StepRedaction(options_.redactor).apply(episode.values);
        }
        request.step = &episode.values;
        return checked_summary(summarizer_(episode.text, request), options_);
    }

    /// There is no summary. Having been cancelled on the way is not a failure.
    void give_up(const SummarisedEpisode& episode, const std::exception_ptr& problem, const SummaryCost& cost,
                 ScopedEvent& watch) {
        FailedEpisode failed{episode.id, episode.step, ErrorInfo::from_exception(problem, error_options())};
        const bool cancelled = ended();
        if (watch && !cancelled) watch.fail(failed.error.repr);
        steps_.release(episode.id, !cancelled);
        note([&] {
            report_.cost.add(cost);
            if (cancelled)
                ++report_.cancelled;
            else
                report_.failed.push_back(std::move(failed));
        });
    }

    /// Enters the outcome of a step in the report.
    template <class Change>
    void note(const Change& change) {
        const std::lock_guard lock(mutex_);
        change();
    }

    void add_report(ScopedEvent& watch) const {
        watch.add({{"summarised", report_.summarised.size()},
                   {"failed", report_.failed.size()},
                   {"skipped", report_.skipped},
                   {"cancelled", report_.cancelled},
                   {"not_due", report_.not_due}});
        if (report_.cost.completions != 0) {
            watch.add({{"completions", report_.cost.completions},
                       {"prompt_tokens", report_.cost.usage.prompt_tokens},
                       {"completion_tokens", report_.cost.usage.completion_tokens}});
        }
        if (!report_.failed.empty()) watch.fail(report_.failed.front().error.repr);
    }

    [[nodiscard]] ErrorOptions error_options() const {
        ErrorOptions out;
        out.redactor = options_.redactor;
        return out;
    }
    [[nodiscard]] bool ended() const { return stop_.stop_requested() || options_.until.is_late(); }

    static constexpr std::size_t most_made = 16;  // summaries that cost nothing, and may be lost

    CompressedSteps steps_;
    const AnySummarizer& summarizer_;
    const CompressionOptions& options_;
    stop_source stop_{};
    std::vector<EpisodeId> ids_{};
    std::atomic<std::size_t> next_{0};
    std::mutex price_mutex_{};
    std::mutex keep_mutex_{};
    std::mutex mutex_{};               // guards what follows while threads run
    std::vector<MadeSummary> made_{};  // at most `most_made`
    CompressionReport report_{};
    std::exception_ptr fatal_{};
};

}  // namespace compress_detail

ACTA_INLINE CompressionReport handle_compression(const LockableHistory& history, const AnySummarizer& summarizer,
                                                 const CompressionOptions& options) {
    return compress_detail::CompressionRun(history, summarizer, options).run();
}

ACTA_INLINE std::future<CompressionReport> compress_detail::start_compression(LockableHistory history,
                                                                              AnySummarizer summarizer,
                                                                              CompressionOptions options) {
    return std::async(std::launch::async,
                      [lockable = std::move(history), any = std::move(summarizer), given = std::move(options)] {
                          return handle_compression(lockable, any, given);
                      });
}

}  // namespace acta::inline ACTA_ABI
