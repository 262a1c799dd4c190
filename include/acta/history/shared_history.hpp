// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <functional>
#include <memory>
#include <mutex>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <thread>
#include <type_traits>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"

namespace acta::inline ACTA_ABI {

/// A history for several threads: `lock` gives one of them the use of it, for a call or for a scope. It cannot be
/// copied or moved, since other threads refer to it: `snapshot()` returns a copy of the history.
///
/// It has the members that change a history (`ChangeMembers`), and those that read it as a whole, each of which locks.
/// Functions that take a `HistoryView` take it too (`to_messages(shared)`), and hold the lock until they return; for
/// everything else there is `*shared.lock()`.
///
/// A thread that holds the lock must not take it again, in `with_lock` or an observer: that throws `Error`.
template <class P>
class SharedHistory : public ChangeMembers<SharedHistory<P>, P> {
    // Holds the lock, and records the thread: a mutex that a thread locks twice would just hang.
    class Holder {
    public:
        explicit Holder(const SharedHistory& shared) : shared_(shared) {
            if (shared_.holder_.load(std::memory_order_relaxed) == std::this_thread::get_id())
                throw Error("this thread holds the lock of the shared history already");
            shared_.mutex_.lock();
            shared_.holder_.store(std::this_thread::get_id(), std::memory_order_relaxed);
        }
        Holder(const Holder&) = delete;
        Holder& operator=(const Holder&) = delete;
        ~Holder() {
            shared_.holder_.store(std::thread::id(), std::memory_order_relaxed);
            shared_.mutex_.unlock();
        }

    private:
        const SharedHistory& shared_;
    };

public:
    /// The history inside.
    using History = EpisodicActionHistory<P>;
    /// Says to the compiler that values of this type cannot be described, since they are locked.
    using locked_value = History;

    /// The use of the history until the end of its scope. What a member of the history returns by reference, span or
    /// pointer must not be used after it.
    class Lock {
    public:
        Lock(const Lock&) = delete;
        Lock& operator=(const Lock&) = delete;
        ~Lock() {
            if (history_.journal() != nullptr) history_.journal()->changes_complete(history_);
        }

        /// Returns the history.
        [[nodiscard]] History& operator*() const noexcept { return history_; }
        /// Calls a member of the history.
        [[nodiscard]] History* operator->() const noexcept { return &history_; }

    private:
        friend class SharedHistory;
        explicit Lock(SharedHistory& shared) : holder_(shared), history_(shared.history_) {}

        Holder holder_;  // released last
        History& history_;
    };
    /// The same, for reading.
    class ReadLock {
    public:
        ReadLock(const ReadLock&) = delete;
        ReadLock& operator=(const ReadLock&) = delete;
        ~ReadLock() = default;

        /// Returns the history.
        [[nodiscard]] const History& operator*() const noexcept { return history_; }
        /// Calls a member of the history.
        [[nodiscard]] const History* operator->() const noexcept { return &history_; }

    private:
        friend class SharedHistory;
        explicit ReadLock(const SharedHistory& shared) : holder_(shared), history_(shared.history_) {}

        Holder holder_;
        const History& history_;
    };

    SharedHistory() { location_->object = this; }
    /// A shared history that begins as `history`.
    explicit SharedHistory(History history) : history_(std::move(history)) {
        history_.location_.end();
        location_->object = this;
    }
    SharedHistory(const SharedHistory&) = delete;
    SharedHistory& operator=(const SharedHistory&) = delete;
    ~SharedHistory() { location_->object = nullptr; }

    /// Waits until no other thread uses the history, and locks it.
    ///
    /// @code{.cpp}
    /// acta::SharedHistory<> shared;
    /// shared.lock()->append_user_feedback("Only text files.");   // for one call
    /// {
    ///     const auto history = shared.lock();                     // for a scope
    ///     history->register_action({.thoughts = "Look at the folder.", .use_tool = {"list_folder", {}}});
    ///     history->register_result(acta::ActionSuccessResult{.outputs = "a.txt"});
    /// }
    /// assert(shared.snapshot().size() == 1);
    /// @endcode
    [[nodiscard]] Lock lock() { return Lock(*this); }
    /// As above, for reading.
    [[nodiscard]] ReadLock lock() const { return ReadLock(*this); }

    /// Calls `function` with the history, locked, and returns what it returns: a value, which no other thread changes.
    template <class Function>
    auto with_lock(Function&& function) {
        require_value<std::invoke_result_t<Function, History&>>();
        const Lock history = lock();
        return std::invoke(std::forward<Function>(function), *history);
    }
    /// As above, for reading.
    template <class Function>
    auto with_lock(Function&& function) const {
        require_value<std::invoke_result_t<Function, const History&>>();
        const ReadLock history = lock();
        return std::invoke(std::forward<Function>(function), *history);
    }

    /// Returns a copy of the history as it is now, without its observer.
    [[nodiscard]] History snapshot() const { return *lock(); }

    /// See `EpisodicActionHistory::apply`.
    void apply(HistoryChange<P> change) { lock()->apply(std::move(change)); }
    /// See `EpisodicActionHistory::apply_together`.
    void apply_together(std::vector<HistoryChange<P>> changes) { lock()->apply_together(std::move(changes)); }
    /// See `EpisodicActionHistory::close_open_episode`.
    void close_open_episode(ActionResult result) { lock()->close_open_episode(std::move(result)); }
    /// See `EpisodicActionHistory::register_answer`.
    void register_answer(AssistantChatMessage answer, std::optional<StepMetrics> metrics = std::nullopt) {
        lock()->register_answer(std::move(answer), std::move(metrics));
    }
    /// See `EpisodicActionHistory::register_answer`.
    void register_answer(std::string text) { lock()->register_answer(std::move(text)); }
    /// See `EpisodicActionHistory::begin_call`.
    CallIdentity begin_call(std::string_view tool_call_id) { return lock()->begin_call(tool_call_id); }
    /// See `EpisodicActionHistory::begin_call`.
    CallIdentity begin_call(const CallIdentity& call) { return lock()->begin_call(call); }
    /// See `EpisodicActionHistory::take_pending_feedback`.
    std::vector<std::string> take_pending_feedback() { return lock()->take_pending_feedback(); }
    /// See `EpisodicActionHistory::set_summary`.
    bool set_summary(EpisodeId id, std::string summary) { return lock()->set_summary(id, std::move(summary)); }

    /// Returns the number of steps.
    [[nodiscard]] std::size_t size() const { return lock()->size(); }
    /// Returns whether it has no steps.
    [[nodiscard]] bool empty() const { return size() == 0; }
    /// Returns a copy of the step at `i`. Throws `std::out_of_range`.
    [[nodiscard]] Episode<P> at(std::size_t i) const { return lock()->at(i); }
    /// See `EpisodicActionHistory::open_calls`.
    [[nodiscard]] std::vector<OpenCall> open_calls() const { return lock()->open_calls(); }
    /// Returns a copy of the messages; see `EpisodicActionHistory::messages`.
    [[nodiscard]] std::vector<ConversationMessage> messages() const { return lock()->record().conversation; }
    /// Returns a copy of the answer, or nothing; see `EpisodicActionHistory::answer`.
    [[nodiscard]] std::optional<ChatMessage> answer() const {
        const ReadLock history = lock();
        return history->answer() == nullptr ? std::nullopt : std::optional(*history->answer());
    }
    /// See `EpisodicActionHistory::fmt_list`.
    [[nodiscard]] std::string fmt_list() const { return lock()->fmt_list(); }
    /// See `EpisodicActionHistory::fmt_paragraph`.
    [[nodiscard]] std::string fmt_paragraph() const { return lock()->fmt_paragraph(); }
    /// Prints `fmt_list()`.
    friend std::ostream& operator<<(std::ostream& out, const SharedHistory& history) {
        return out << history.fmt_list();
    }

private:
    friend class LockableHistory;

    template <class Result>
    static constexpr void require_value() {
        static_assert(!std::is_reference_v<Result> && !std::is_pointer_v<Result>,
                      "acta: with_lock returns values: what a reference or pointer refers to may change once the "
                      "lock is released");
    }

    History history_{};
    mutable std::mutex mutex_{};
    mutable std::atomic<std::thread::id> holder_{};
    const std::shared_ptr<history_detail::Location<SharedHistory>> location_ =
        std::make_shared<history_detail::Location<SharedHistory>>();
};

}  // namespace acta::inline ACTA_ABI

#if defined(ACTA_COMPILED)  // which has these instances
namespace acta::inline ACTA_ABI {
extern template class ChangeMembers<SharedHistory<>, ActionProposal<>>;
extern template class SharedHistory<ActionProposal<>>;
}  // namespace acta::inline ACTA_ABI
#endif
