// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <condition_variable>
#include <cstddef>
#include <functional>
#include <mutex>
#include <thread>
#include <vector>

#include "acta/version.hpp"

namespace acta::inline ACTA_ABI::base {

/// Threads that run one work after another, each on several of them. They are started when they are needed for the
/// first time, and end with this object. Works do not overlap.
class Workers {
public:
    Workers() = default;
    Workers(const Workers&) = delete;
    Workers& operator=(const Workers&) = delete;
    /// Waits for the threads, which have nothing to do.
    ~Workers();

    /// Calls `work` with each index below `count`, on this thread and at most `max_parallel - 1` others, and waits for
    /// the end. `work` must not throw. If the system has no more threads, the existing ones do all of the work.
    void run(std::size_t count, std::size_t max_parallel, const std::function<void(std::size_t)>& work);

private:
    void help();
    void summon();
    void live();

    std::mutex mutex_{};
    std::condition_variable wake_{};
    std::condition_variable done_{};
    std::vector<std::thread> threads_{};
    const std::function<void(std::size_t)>* work_ = nullptr;
    std::size_t count_ = 0;
    std::atomic<std::size_t> next_{0};
    std::size_t left_ = 0;    // threads that may still be summoned
    std::size_t idle_ = 0;    // threads that wait, without those in `called_`
    std::size_t called_ = 0;  // threads that were woken, and have not noticed it yet
    std::size_t busy_ = 0;    // threads that work
    bool is_over_ = false;
};

}  // namespace acta::inline ACTA_ABI::base

#ifndef ACTA_COMPILED
#include "acta/base/detail/workers.inl.hpp"
#endif
