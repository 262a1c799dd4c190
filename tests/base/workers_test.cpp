// SPDX-License-Identifier: MIT
#include "acta/base/workers.hpp"

#include <atomic>
#include <chrono>
#include <condition_variable>
#include <cstddef>
#include <mutex>
#include <set>
#include <thread>
#include <vector>

#include "support/catch.hpp"

namespace {

using acta::base::Workers;
using namespace std::chrono_literals;

/// Waits until a number of threads are here.
class Meeting {
public:
    explicit Meeting(std::size_t wanted) : wanted_(wanted) {}
    /// Returns whether all came.
    bool come() {
        std::unique_lock lock(mutex_);
        ++here_;
        all_.notify_all();
        return all_.wait_for(lock, 20s, [this] { return here_ >= wanted_; });
    }

private:
    std::mutex mutex_{};
    std::condition_variable all_{};
    std::size_t wanted_;
    std::size_t here_ = 0;
};

}  // namespace

TEST_CASE("workers do each piece of work once") {
    Workers workers;
    for (const std::size_t count : {0U, 1U, 2U, 3U, 64U, 1000U}) {
        for (const std::size_t most : {0U, 1U, 2U, 8U, 100U}) {
            std::vector<std::atomic<int>> done(count);
            workers.run(count, most, [&](std::size_t i) { ++done[i]; });
            bool once = true;
            for (const std::atomic<int>& one : done) once = once && one == 1;
            CHECK(once);
        }
    }
}

TEST_CASE("workers work at the same time, and not more than allowed") {
    Workers workers;
    for (int round = 0; round < 3; ++round) {
        Meeting all(4);
        std::atomic<int> met{0};
        workers.run(4, 4, [&](std::size_t) { met += all.come() ? 1 : 0; });
        CHECK(met == 4);
        std::atomic<int> now{0};
        std::atomic<int> most{0};
        workers.run(200, 3, [&](std::size_t) {
            const int busy = ++now;
            int before = most;
            while (busy > before && !most.compare_exchange_weak(before, busy)) {
            }
            std::this_thread::yield();
            --now;
        });
        CHECK(most <= 3);
    }
}

TEST_CASE("workers keep their threads, and one piece of work needs none") {
    Workers workers;
    std::mutex mutex;
    std::set<std::thread::id> seen;
    const auto note = [&] {
        const std::lock_guard lock(mutex);
        seen.insert(std::this_thread::get_id());
    };
    for (int i = 0; i < 20; ++i) workers.run(1, 8, [&](std::size_t) { note(); });
    workers.run(20, 1, [&](std::size_t) { note(); });
    CHECK(seen == std::set<std::thread::id>{std::this_thread::get_id()});
    for (int i = 0; i < 50; ++i) {
        Meeting all(3);
        workers.run(3, 3, [&](std::size_t) {
            note();
            static_cast<void>(all.come());
        });
    }
    CHECK(seen.size() == 3);
}

TEST_CASE("workers that have nothing to do end, however often they were called") {
    for (int round = 0; round < 200; ++round) {
        Workers workers;
        std::atomic<std::size_t> sum{0};
        for (std::size_t i = 1; i < 6; ++i) workers.run(i, 8, [&](std::size_t n) { sum += n; });
        CHECK(sum == 0 + 1 + 3 + 6 + 10);
    }
}

TEST_CASE("work may use workers of its own") {
    Workers workers;
    std::atomic<int> done{0};
    workers.run(4, 4, [&](std::size_t) {
        Workers inner;
        inner.run(4, 4, [&](std::size_t) { ++done; });
    });
    CHECK(done == 16);
}
