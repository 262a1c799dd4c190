// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstddef>
#include <exception>
#include <functional>
#include <mutex>
#include <thread>

#include "acta/base/workers.hpp"

namespace acta::inline ACTA_ABI::base {

ACTA_INLINE Workers::~Workers() {
    {
        const std::lock_guard lock(mutex_);
        is_over_ = true;
    }
    wake_.notify_all();
    for (std::thread& one : threads_) one.join();
}

ACTA_INLINE void Workers::run(std::size_t count, std::size_t max_parallel,
                              const std::function<void(std::size_t)>& work) {
    const std::size_t wanted = std::min(std::max<std::size_t>(max_parallel, 1), count);
    if (wanted <= 1) {
        for (std::size_t i = 0; i < count; ++i) work(i);
        return;
    }
    work_ = &work;  // No other thread works now; the first that is summoned sees this by the lock.
    count_ = count;
    next_ = 0;
    left_ = wanted - 1;
    help();
    std::unique_lock lock(mutex_);
    left_ = 0;
    idle_ += called_;  // which find nothing to do
    busy_ -= called_;
    called_ = 0;
    done_.wait(lock, [this] { return busy_ == 0; });
}

/// Does what is left of the work. Each thread that begins summons the next one, so that work that takes no time wakes
/// few.
ACTA_INLINE void Workers::help() {
    bool is_first = true;
    for (std::size_t i = next_++; i < count_; i = next_++) {
        if (is_first && i + 1 < count_) summon();
        is_first = false;
        (*work_)(i);
    }
}

/// Makes one more thread work, if there may be one.
ACTA_INLINE void Workers::summon() {
    const std::lock_guard lock(mutex_);
    if (left_ == 0) return;
    --left_;
    if (idle_ != 0) {
        --idle_;
        ++called_;
        ++busy_;
        wake_.notify_one();
        return;
    }
    try {
        threads_.emplace_back([this] { live(); });
        ++busy_;
    } catch (const std::exception&) {
        left_ = 0;
    }
}

/// What a thread does: the work that it was started for, and that for which it is woken.
ACTA_INLINE void Workers::live() {
    for (;;) {
        help();
        std::unique_lock lock(mutex_);
        if (--busy_ == 0) done_.notify_one();
        ++idle_;
        wake_.wait(lock, [this] { return called_ != 0 || is_over_; });
        if (called_ == 0) return;
        --called_;
    }
}

}  // namespace acta::inline ACTA_ABI::base
