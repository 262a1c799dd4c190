// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <utility>
#include <vector>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::base {

/// Hands over what several threads add, so that what comes together is handed over together. For work that takes a
/// while and can be done for many values at once, such as waiting for a disk.
template <class T>
class Gathering {
public:
    /// How long the first of several values waits for those that are expected.
    static constexpr std::chrono::milliseconds longest_wait{2};

    /// Sets how many values are expected soon. No other thread may use the object at the same time.
    void expect(std::size_t count) noexcept { expected_ = count; }

    /// An expected value has come, or will not come.
    void arrived() {
        const std::lock_guard lock(mutex_);
        if (expected_ != 0 && --expected_ == 0) all_arrived_.notify_all();
    }

    /// Adds a value. If another thread is handing over values, it takes this one along, and the function returns at
    /// once; else it calls `take` with a vector of all values, until there are no more. `take` must not throw.
    template <class Take>
    void add(T value, const Take& take) {
        std::unique_lock lock(mutex_);
        values_.push_back(std::move(value));
        if (std::exchange(is_taking_, true)) return;
        while (!values_.empty()) {
            all_arrived_.wait_for(lock, longest_wait, [this] { return expected_ == 0; });
            std::vector<T> now = std::exchange(values_, {});
            lock.unlock();
            take(std::move(now));
            lock.lock();
        }
        is_taking_ = false;
    }

private:
    std::mutex mutex_{};
    std::condition_variable all_arrived_{};
    std::vector<T> values_{};
    std::size_t expected_ = 0;
    bool is_taking_ = false;
};

}  // namespace acta::inline ACTA_ABI::base
