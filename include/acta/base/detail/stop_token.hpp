// SPDX-License-Identifier: MIT
#pragma once

#include "acta/version.hpp"

#if !defined(__cpp_lib_jthread) || defined(ACTA_NO_STD_STOP_TOKEN)

#include <atomic>
#include <chrono>
#include <concepts>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <memory>
#include <mutex>
#include <thread>
#include <type_traits>
#include <utility>

#include "acta/base/duration.hpp"
#include "acta/version.hpp"

// The parts of <stop_token>, std::jthread and the stoppable waits of std::condition_variable_any that acta uses, for
// standard libraries without them. Names and semantics are those of [thread.stoptoken] in the C++20 standard.
namespace acta::inline ACTA_ABI {

namespace base_detail {

/// A function registered for a stop; `stop_callback` derives from it.
class StopCallback {
public:
    explicit StopCallback(void (*invoke)(StopCallback&) noexcept) noexcept : invoke_(invoke) {}
    StopCallback(const StopCallback&) = delete;
    StopCallback& operator=(const StopCallback&) = delete;

protected:
    ~StopCallback() = default;

private:
    friend class StopState;
    void (*invoke_)(StopCallback&) noexcept;
    StopCallback* next_ = nullptr;
    bool waiting_ = false;
};

/// The state that the sources, tokens and callbacks of one stop share.
class StopState {
public:
    [[nodiscard]] bool stop_requested() const noexcept { return requested_.load(std::memory_order_acquire); }
    [[nodiscard]] bool stop_possible() const noexcept {
        return stop_requested() || sources_.load(std::memory_order_acquire) != 0;
    }
    void add_source() noexcept { sources_.fetch_add(1, std::memory_order_relaxed); }
    void remove_source() noexcept { sources_.fetch_sub(1, std::memory_order_acq_rel); }

    /// Runs the callbacks on this thread; returns false if a stop was requested before.
    bool request_stop() noexcept {
        std::unique_lock lock(mutex_);
        if (stop_requested()) return false;
        requested_.store(true, std::memory_order_release);
        requester_ = std::this_thread::get_id();
        while (first_ != nullptr) {
            StopCallback* const callback = first_;
            first_ = callback->next_;
            callback->waiting_ = false;
            running_ = callback;
            lock.unlock();
            callback->invoke_(*callback);  // which may destroy it
            lock.lock();
            running_ = nullptr;
            finished_.notify_all();
        }
        return true;
    }

    /// Registers a callback, or runs it at once if a stop was requested.
    void add(StopCallback& callback) noexcept {
        {
            const std::lock_guard lock(mutex_);
            if (!stop_requested()) {
                callback.next_ = first_;
                callback.waiting_ = true;
                first_ = &callback;
                return;
            }
        }
        callback.invoke_(callback);
    }

    /// Removes a callback. If another thread is running it, waits for its end.
    void remove(StopCallback& callback) noexcept {
        std::unique_lock lock(mutex_);
        if (callback.waiting_) {
            StopCallback** link = &first_;
            while (*link != &callback) link = &(*link)->next_;
            *link = callback.next_;
        } else if (running_ == &callback && requester_ != std::this_thread::get_id()) {
            finished_.wait(lock, [&] { return running_ != &callback; });
        }
    }

private:
    std::atomic<bool> requested_{false};
    std::atomic<std::size_t> sources_{0};
    std::mutex mutex_{};
    std::condition_variable finished_{};  // a callback
    std::thread::id requester_{};
    StopCallback* first_ = nullptr;
    const StopCallback* running_ = nullptr;
};

}  // namespace base_detail

struct nostopstate_t {
    explicit nostopstate_t() = default;
};
inline constexpr nostopstate_t nostopstate{};

class stop_token {
public:
    stop_token() noexcept = default;

    void swap(stop_token& other) noexcept { state_.swap(other.state_); }
    [[nodiscard]] bool stop_requested() const noexcept { return state_ != nullptr && state_->stop_requested(); }
    [[nodiscard]] bool stop_possible() const noexcept { return state_ != nullptr && state_->stop_possible(); }
    [[nodiscard]] friend bool operator==(const stop_token& a, const stop_token& b) noexcept {
        return a.state_ == b.state_;
    }

private:
    friend class stop_source;
    template <class Callback>
    friend class stop_callback;
    explicit stop_token(std::shared_ptr<base_detail::StopState> state) noexcept : state_(std::move(state)) {}

    std::shared_ptr<base_detail::StopState> state_{};
};

class stop_source {
public:
    stop_source() : stop_source(std::make_shared<base_detail::StopState>()) {}
    explicit stop_source(nostopstate_t) noexcept {}
    stop_source(const stop_source& other) noexcept : stop_source(other.state_) {}
    stop_source(stop_source&& other) noexcept : state_(std::move(other.state_)) {}
    stop_source& operator=(stop_source other) noexcept {
        swap(other);
        return *this;
    }
    ~stop_source() {
        if (state_ != nullptr) state_->remove_source();
    }

    void swap(stop_source& other) noexcept { state_.swap(other.state_); }
    [[nodiscard]] stop_token get_token() const noexcept { return stop_token(state_); }
    [[nodiscard]] bool stop_possible() const noexcept { return state_ != nullptr; }
    [[nodiscard]] bool stop_requested() const noexcept { return state_ != nullptr && state_->stop_requested(); }
    bool request_stop() const noexcept { return state_ != nullptr && state_->request_stop(); }
    [[nodiscard]] friend bool operator==(const stop_source& a, const stop_source& b) noexcept {
        return a.state_ == b.state_;
    }

private:
    explicit stop_source(std::shared_ptr<base_detail::StopState> state) noexcept : state_(std::move(state)) {
        if (state_ != nullptr) state_->add_source();
    }

    std::shared_ptr<base_detail::StopState> state_{};
};

template <class Callback>
class stop_callback : base_detail::StopCallback {
    static_assert(std::invocable<Callback>, "acta: a stop callback is called without arguments");

public:
    using callback_type = Callback;

    template <class Function>
        requires std::constructible_from<Callback, Function>
    explicit stop_callback(const stop_token& token, Function&& function)
        : stop_callback(token.state_, std::forward<Function>(function)) {}
    template <class Function>
        requires std::constructible_from<Callback, Function>
    explicit stop_callback(stop_token&& token, Function&& function)
        : stop_callback(std::move(token.state_), std::forward<Function>(function)) {}
    stop_callback(const stop_callback&) = delete;
    stop_callback& operator=(const stop_callback&) = delete;
    ~stop_callback() {
        if (state_ != nullptr) state_->remove(*this);
    }

private:
    template <class Function>
    stop_callback(std::shared_ptr<base_detail::StopState> state, Function&& function)
        : StopCallback([](StopCallback& self) noexcept {
              std::forward<Callback>(static_cast<stop_callback&>(self).function_)();
          }),
          function_(std::forward<Function>(function)),
          state_(std::move(state)) {
        if (state_ != nullptr) state_->add(*this);
    }

    Callback function_;
    std::shared_ptr<base_detail::StopState> state_;
};
template <class Callback>
stop_callback(stop_token, Callback) -> stop_callback<Callback>;

class jthread {
public:
    using id = std::thread::id;

    jthread() noexcept : source_(nostopstate) {}
    template <class Function, class... Arguments>
        requires(!std::same_as<std::remove_cvref_t<Function>, jthread>)
    explicit jthread(Function&& function, Arguments&&... arguments)
        : thread_(start(source_, std::forward<Function>(function), std::forward<Arguments>(arguments)...)) {}
    jthread(jthread&& other) noexcept = default;
    jthread& operator=(jthread&& other) noexcept {
        jthread taken(std::move(other));
        swap(taken);
        return *this;
    }
    ~jthread() {
        if (!joinable()) return;
        request_stop();
        join();
    }

    void swap(jthread& other) noexcept {
        source_.swap(other.source_);
        thread_.swap(other.thread_);
    }
    [[nodiscard]] bool joinable() const noexcept { return thread_.joinable(); }
    void join() { thread_.join(); }
    void detach() { thread_.detach(); }
    [[nodiscard]] id get_id() const noexcept { return thread_.get_id(); }
    [[nodiscard]] stop_source get_stop_source() const noexcept { return source_; }
    [[nodiscard]] stop_token get_stop_token() const noexcept { return source_.get_token(); }
    bool request_stop() noexcept { return source_.request_stop(); }

private:
    template <class Function, class... Arguments>
    static std::thread start(const stop_source& source, Function&& function, Arguments&&... arguments) {
        if constexpr (std::invocable<std::decay_t<Function>, stop_token, std::decay_t<Arguments>...>)
            return std::thread(std::forward<Function>(function), source.get_token(),
                               std::forward<Arguments>(arguments)...);
        else
            return std::thread(std::forward<Function>(function), std::forward<Arguments>(arguments)...);
    }

    stop_source source_{};
    std::thread thread_{};
};

class condition_variable_any {
public:
    condition_variable_any() = default;
    condition_variable_any(const condition_variable_any&) = delete;
    condition_variable_any& operator=(const condition_variable_any&) = delete;

    // Under the mutex: otherwise a notification could fall between a waiter's last check and its wait.
    void notify_one() noexcept {
        const std::lock_guard own(mutex_);
        changed_.notify_one();
    }
    void notify_all() noexcept {
        const std::lock_guard own(mutex_);
        changed_.notify_all();
    }

    template <class Lock, class Predicate>
    void wait(Lock& lock, Predicate is_done) {
        wait(lock, stop_token(), std::move(is_done));
    }
    /// Returns the result of `is_done` at the end.
    template <class Lock, class Predicate>
    bool wait(Lock& lock, const stop_token& stop, Predicate is_done) {
        return wait_with(lock, stop, is_done, [this](std::unique_lock<std::mutex>& own) {
            changed_.wait(own);
            return true;
        });
    }
    template <class Lock, class Clock, class Duration, class Predicate>
    bool wait_until(Lock& lock, const stop_token& stop, const std::chrono::time_point<Clock, Duration>& time,
                    Predicate is_done) {
        return wait_with(lock, stop, is_done, [&](std::unique_lock<std::mutex>& own) {
            return changed_.wait_until(own, time) == std::cv_status::no_timeout;
        });
    }
    template <class Lock, class Rep, class Period, class Predicate>
    bool wait_for(Lock& lock, const stop_token& stop, const std::chrono::duration<Rep, Period>& time,
                  Predicate is_done) {
        const auto end = base::saturated_sum(std::chrono::steady_clock::now(), time);
        return wait_until(lock, stop, end, std::move(is_done));
    }

private:
    template <class Lock, class Predicate, class Wait>
    bool wait_with(Lock& lock, const stop_token& stop, Predicate& is_done, const Wait& wait_once) {
        const stop_callback wake(stop, [this] { notify_all(); });
        bool on_time = true;
        while (!is_done()) {
            if (!on_time) return false;
            std::unique_lock own(mutex_);
            if (stop.stop_requested()) return false;
            lock.unlock();
            on_time = wait_once(own);
            own.unlock();
            lock.lock();
        }
        return true;
    }

    std::mutex mutex_{};
    std::condition_variable changed_{};
};

}  // namespace acta::inline ACTA_ABI

#endif
