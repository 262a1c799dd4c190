// SPDX-License-Identifier: MIT
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <functional>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"

/// Several processes at one store, whichever it is.
namespace processes {

using Run = acta::StoredHistory<>;
/// Opens the store, in the process that uses it.
using Open = std::function<std::unique_ptr<acta::HistoryStore>()>;

/// Runs `work` in a child, which ends with 0 if it returns.
template <class Work>
pid_t start(const Work& work) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child != 0) return child;
    try {
        work();
        _exit(0);
    } catch (const std::exception& error) {
        std::fprintf(stderr, "a child failed: %s\n", error.what());
        _exit(1);
    }
}
inline int wait_for(pid_t child) {
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}
inline std::vector<std::string> feedback_of(const Run& run) {
    return run.with_lock([](const acta::EpisodicActionHistory<>& history) {
        return std::vector<std::string>(history.pending_feedback().begin(), history.pending_feedback().end());
    });
}

/// Eight processes write a history that all share, and one of their own: no record is lost, and none is there twice.
inline void check_writers(const Open& open, std::size_t each) {
    constexpr std::size_t writers = 8;
    std::vector<pid_t> children;
    for (std::size_t writer = 0; writer < writers; ++writer) {
        children.push_back(start([&] {
            const auto store = open();
            Run shared = Run::open_or_create(*store, "shared");
            Run own = Run::open_or_create(*store, "own " + std::to_string(writer));
            for (std::size_t i = 0; i < each;) {
                try {
                    shared.append_user_feedback(std::to_string(writer) + "." + std::to_string(i));
                    own.append_user_feedback(std::to_string(i++));
                } catch (const acta::StoreConflict&) {
                    shared.refresh();
                }
            }
        }));
    }
    for (const pid_t child : children) CHECK(wait_for(child) == 0);
    const auto store = open();
    std::vector<std::size_t> next(writers, 0);
    for (const std::string& text : feedback_of(Run::open_or_create(*store, "shared"))) {
        const auto writer = static_cast<std::size_t>(text[0] - '0');
        REQUIRE(text == std::to_string(writer) + "." + std::to_string(next[writer]++));
    }
    CHECK(next == std::vector<std::size_t>(writers, each));
    for (std::size_t writer = 0; writer < writers; ++writer)
        CHECK(Run::open_or_create(*store, "own " + std::to_string(writer)).position().version == each);
}

/// A process holds a lease, is stopped for longer than that, and goes on when another one has it.
inline void check_sleeper(const Open& open) {
    const auto by = [](const char* holder) {
        return acta::OpenOptions{.lease = acta::LeaseOptions{.holder = holder, .time = std::chrono::milliseconds(100)}};
    };
    const pid_t child = start([&] {
        const auto store = open();
        Run run = Run::open_or_create(*store, "task", by("sleeper"));
        run.append_user_feedback("in time");
        raise(SIGSTOP);
        try {
            run.append_user_feedback("late");
        } catch (const acta::LeaseLost&) {
            return;
        }
        _exit(3);
    });
    int status = 0;
    REQUIRE(waitpid(child, &status, WUNTRACED) == child);
    REQUIRE(WIFSTOPPED(status));
    const auto store = open();
    bool is_taken = false;
    for (int i = 0; i < 500 && !is_taken; ++i) {
        try {
            Run run = Run::open_or_create(*store, "task", by("other"));
            is_taken = true;
            CHECK(run.position() == acta::Position{1, 2});
            REQUIRE(kill(child, SIGCONT) == 0);
            CHECK(wait_for(child) == 0);
            run.append_user_feedback("other");
            CHECK(feedback_of(run) == std::vector<std::string>{"in time", "other"});
        } catch (const acta::LeaseLost&) {
            REQUIRE(!is_taken);
            std::this_thread::sleep_for(std::chrono::milliseconds(10));
        }
    }
    if (!is_taken) kill(child, SIGKILL);
    CHECK(is_taken);
}

}  // namespace processes
