// SPDX-License-Identifier: MIT
#pragma once

#include <barrier>
#include <cstddef>
#include <thread>
#include <vector>

/// Calls `function(i)` with i from 0 on, each in a thread of its own. The threads wait for one another before they
/// begin, so that they run at the same time unless a lock prevents it. Returns when all have ended.
template <class Function>
void at_once(std::size_t threads, const Function& function) {
    std::barrier<> meeting(static_cast<std::ptrdiff_t>(threads));
    std::vector<std::thread> running;
    for (std::size_t i = 0; i < threads; ++i) {
        running.emplace_back([&, i] {
            meeting.arrive_and_wait();
            function(i);
        });
    }
    for (std::thread& one : running) one.join();
}
