// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"

namespace acta::inline ACTA_ABI {

/// A history for several threads. Each call locks it; `with_lock` makes several calls one. It cannot be copied or
/// moved, since other threads refer to it: `snapshot()` returns a copy of the history.
///
/// A thread that holds the lock must not take it again, in `with_lock` or an observer: that throws `Error`.
template <class P>
class SharedHistory {
public:
    /// The history inside.
    using History = EpisodicActionHistory<P>;

    SharedHistory() = default;
    /// A shared history that begins as `history`.
    explicit SharedHistory(History history) : history_(std::move(history)) {}
    SharedHistory(const SharedHistory&) = delete;
    SharedHistory& operator=(const SharedHistory&) = delete;
    ~SharedHistory() = default;

    /// Calls `function` with the history, while no other thread uses it, and returns what it returns. Keep it short,
    /// and return values: a span or reference into the history must not outlive the lock.
    ///
    /// @code{.cpp}
    /// acta::SharedHistory<> shared;
    /// const std::size_t step = shared.with_lock([](acta::EpisodicActionHistory<>& history) {
    ///     history.register_action({.thoughts = "Look at the folder.", .use_tool = {"list_folder", {}}});
    ///     return history.cursor();
    /// });
    /// shared.register_result(acta::ActionSuccessResult{.outputs = "a.txt"});
    /// @endcode
    template <class Function>
    auto with_lock(Function&& function) {
        require_value<std::invoke_result_t<Function, History&>>();
        const Locked locked(*this);
        const CompletionNotice notice{history_};
        return std::invoke(std::forward<Function>(function), history_);
    }
    /// As above, for reading.
    template <class Function>
    auto with_lock(Function&& function) const {
        require_value<std::invoke_result_t<Function, const History&>>();
        const Locked locked(*this);
        return std::invoke(std::forward<Function>(function), history_);
    }

    /// Returns a copy of the history as it is now, without its observer.
    [[nodiscard]] History snapshot() const {
        return with_lock([](const History& history) { return history; });
    }

    // The members of `EpisodicActionHistory`, each under the lock.

    /// See `EpisodicActionHistory::register_action`.
    void register_action(P action, std::optional<StepMetrics> metrics = std::nullopt) {
        with_lock([&](History& history) { history.register_action(std::move(action), std::move(metrics)); });
    }
    /// See `EpisodicActionHistory::register_result`.
    void register_result(ActionResult result) {
        with_lock([&](History& history) { history.register_result(std::move(result)); });
    }
    /// See `EpisodicActionHistory::register_result`.
    void register_result(std::string_view tool_call_id, ActionResult result) {
        with_lock([&](History& history) { history.register_result(tool_call_id, std::move(result)); });
    }
    /// See `EpisodicActionHistory::register_results`.
    void register_results(std::vector<ToolResult> executed) {
        with_lock([&](History& history) { history.register_results(std::move(executed)); });
    }
    template <AnyJsonValue J>
    void register_result(const J&) = delete;  // acta: read JSON first: use acta::validate<acta::ActionResult>(json)
    template <AnyJsonValue J>
    void register_result(std::string_view, const J&) = delete;  // acta: use acta::validate<acta::ActionResult>(json)
    /// See `EpisodicActionHistory::set_arguments`.
    void set_arguments(std::string_view tool_call_id, JsonObject arguments) {
        with_lock([&](History& history) { history.set_arguments(tool_call_id, std::move(arguments)); });
    }
    /// See `EpisodicActionHistory::open_calls`.
    [[nodiscard]] std::vector<OpenCall> open_calls() const {
        return with_lock([](const History& history) { return history.open_calls(); });
    }
    /// See `EpisodicActionHistory::decide`.
    void decide(std::string_view tool_call_id, const CallDecision& decision) {
        with_lock([&](History& history) { history.decide(tool_call_id, decision); });
    }
    /// See `EpisodicActionHistory::begin_call`.
    CallIdentity begin_call(std::string_view tool_call_id) {
        return with_lock([&](History& history) { return history.begin_call(tool_call_id); });
    }
    /// See `EpisodicActionHistory::close_open_episode`.
    void close_open_episode(ActionResult result) {
        with_lock([&](History& history) { history.close_open_episode(std::move(result)); });
    }
    template <AnyJsonValue J>
    void close_open_episode(const J&) = delete;  // acta: use acta::validate<acta::ActionResult>(json)
    /// See `EpisodicActionHistory::rewind`.
    void rewind(std::int64_t steps = 0) {
        with_lock([&](History& history) { history.rewind(steps); });
    }
    /// See `EpisodicActionHistory::register_message`.
    void register_message(ChatMessage message) {
        with_lock([&](History& history) { history.register_message(std::move(message)); });
    }
    /// See `EpisodicActionHistory::register_answer`.
    void register_answer(AssistantChatMessage answer, std::optional<StepMetrics> metrics = std::nullopt) {
        with_lock([&](History& history) { history.register_answer(std::move(answer), std::move(metrics)); });
    }
    /// See `EpisodicActionHistory::register_answer`.
    void register_answer(std::string text) {
        with_lock([&](History& history) { history.register_answer(std::move(text)); });
    }
    /// Returns a copy of the answer, or nothing; see `EpisodicActionHistory::answer`.
    [[nodiscard]] std::optional<ChatMessage> answer() const {
        return with_lock([](const History& history) {
            const ChatMessage* const answer = history.answer();
            return answer == nullptr ? std::nullopt : std::optional(*answer);
        });
    }
    /// Returns a copy of the messages; see `EpisodicActionHistory::messages`.
    [[nodiscard]] std::vector<ConversationMessage> messages() const {
        return with_lock([](const History& history) { return history.record().conversation; });
    }
    /// See `EpisodicActionHistory::append_user_feedback`.
    void append_user_feedback(std::string feedback) {
        with_lock([&](History& history) { history.append_user_feedback(std::move(feedback)); });
    }
    /// See `EpisodicActionHistory::take_pending_feedback`.
    std::vector<std::string> take_pending_feedback() {
        return with_lock([](History& history) { return history.take_pending_feedback(); });
    }
    /// See `EpisodicActionHistory::set_summary`.
    bool set_summary(EpisodeId id, std::string summary) {
        return with_lock([&](History& history) { return history.set_summary(id, std::move(summary)); });
    }
    /// See `EpisodicActionHistory::set_metrics`.
    void set_metrics(std::size_t i, StepMetrics metrics) {
        with_lock([&](History& history) { history.set_metrics(i, std::move(metrics)); });
    }
    /// Sets the observer, which gets its events while the lock is held.
    void set_observer(Observer* observer) {
        with_lock([&](History& history) { history.set_observer(observer); });
    }
    /// See `EpisodicActionHistory::tool_call_ids`.
    [[nodiscard]] std::vector<std::string> tool_call_ids(std::size_t step) const {
        return with_lock([&](const History& history) { return history.tool_call_ids(step); });
    }
    /// See `EpisodicActionHistory::id`.
    [[nodiscard]] EpisodeId id(std::size_t i) const {
        return with_lock([&](const History& history) { return history.id(i); });
    }
    /// Returns a copy of the step at `i`. Throws `std::out_of_range`.
    [[nodiscard]] Episode<P> at(std::size_t i) const {
        return with_lock([&](const History& history) { return history.at(i); });
    }
    /// Returns the number of steps.
    [[nodiscard]] std::size_t size() const {
        return with_lock([](const History& history) { return history.size(); });
    }
    /// Returns whether there are no steps.
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// See `EpisodicActionHistory::fmt_list`.
    [[nodiscard]] std::string fmt_list() const {
        return with_lock([](const History& history) { return history.fmt_list(); });
    }
    /// See `EpisodicActionHistory::fmt_paragraph`.
    [[nodiscard]] std::string fmt_paragraph() const {
        return with_lock([](const History& history) { return history.fmt_paragraph(); });
    }

private:
    // Holds the lock, and records the thread: a mutex that a thread locks twice would just hang.
    class Locked {
    public:
        explicit Locked(const SharedHistory& shared) : shared_(shared) {
            if (shared_.holder_.load(std::memory_order_relaxed) == std::this_thread::get_id())
                throw Error("this thread holds the lock of the shared history already");
            shared_.mutex_.lock();
            shared_.holder_.store(std::this_thread::get_id(), std::memory_order_relaxed);
        }
        Locked(const Locked&) = delete;
        Locked& operator=(const Locked&) = delete;
        ~Locked() {
            shared_.holder_.store(std::thread::id(), std::memory_order_relaxed);
            shared_.mutex_.unlock();
        }

    private:
        const SharedHistory& shared_;
    };

    // Notifies the journal when the function has returned or thrown.
    struct CompletionNotice {
        const History& history;
        ~CompletionNotice() {
            if (history.journal() != nullptr) history.journal()->changes_complete(history);
        }
    };

    template <class Result>
    static constexpr void require_value() {
        static_assert(!std::is_reference_v<Result> && !std::is_pointer_v<Result>,
                      "acta: with_lock returns values: what a reference or pointer refers to may change once the "
                      "lock is released");
    }

    History history_{};
    mutable std::mutex mutex_{};
    mutable std::atomic<std::thread::id> holder_{};
};

/// Returns the sums over the steps of a history and its answers. Linear.
template <class P>
[[nodiscard]] MetricsTotals totals(const SharedHistory<P>& history) {
    return history.with_lock([](const EpisodicActionHistory<P>& inside) { return totals(inside); });
}

/// Returns `fmt_list()`.
template <class P>
[[nodiscard]] std::string to_string(const SharedHistory<P>& history) {
    return history.fmt_list();
}

}  // namespace acta::inline ACTA_ABI

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template class SharedHistory<ActionProposal<>>;
}  // namespace acta::inline ACTA_ABI
#endif
