// SPDX-License-Identifier: MIT
#include "acta/base/gathering.hpp"

#include <algorithm>
#include <atomic>
#include <numeric>
#include <thread>
#include <vector>

#include "support/at_once.hpp"
#include "support/catch.hpp"

TEST_CASE("what threads add is handed over once, by one thread at a time") {
    acta::base::Gathering<int> all;
    std::vector<int> seen;  // without a lock
    std::vector<std::thread> threads;
    for (int t = 0; t < 8; ++t) {
        threads.emplace_back([&, t] {
            for (int i = 0; i < 500; ++i)
                all.add(500 * t + i,
                        [&](const std::vector<int>& now) { seen.insert(seen.end(), now.begin(), now.end()); });
        });
    }
    for (std::thread& one : threads) one.join();
    std::vector<int> expected(4000);
    std::iota(expected.begin(), expected.end(), 0);
    std::sort(seen.begin(), seen.end());
    CHECK(seen == expected);
}

TEST_CASE("what is added while values are handed over is handed over together") {
    acta::base::Gathering<int> all;
    std::vector<std::vector<int>> calls;
    const auto take = [&](const std::vector<int>& now) {
        calls.push_back(now);
        if (now.front() != 0) return;
        std::thread([&] {
            for (const int i : {1, 2, 3}) all.add(i, [](const std::vector<int>&) { FAIL("another thread takes it"); });
        }).join();
    };
    all.expect(1);
    all.arrived();
    all.add(0, take);
    CHECK(calls == std::vector<std::vector<int>>{{0}, {1, 2, 3}});
    all.expect(4 * 500);  // in threads
    std::atomic<int> taken{0};
    at_once(4, [&](std::size_t) {
        for (int i = 0; i < 500; ++i) {
            all.arrived();
            all.add(i, [&](const std::vector<int>& now) { taken += static_cast<int>(now.size()); });
        }
    });
    CHECK(taken == 4 * 500);
    all.expect(5);  // of which none comes
    all.add(4, take);
    CHECK(calls.size() == 3);
}
