// SPDX-License-Identifier: MIT
// Several processes at one file, some of which are killed.
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <random>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/store/sqlite/store.hpp"
#include "acta/store/stored_history.hpp"
#include "store/sqlite/folder.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

using StoredRun = acta::StoredHistory<>;

/// Runs `work` in a child, which ends with 0 if it returns.
template <class Work>
pid_t start(const Work& work) {
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child != 0) return child;
    try {
        work();
        _exit(0);
    } catch (...) {
        _exit(1);
    }
}
int wait_for(pid_t child) {
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return status;
}
std::vector<std::string> feedback_of(const StoredRun& run) {
    return run.with_lock([](const acta::EpisodicActionHistory<>& history) {
        return std::vector<std::string>(history.pending_feedback().begin(), history.pending_feedback().end());
    });
}

}  // namespace

TEST_CASE("a program that is killed loses nothing that was acknowledged") {
    const TemporaryFolder folder;
    { const acta::sqlite::Store store(folder.file()); }
    std::mt19937 random(3);
    const std::size_t rounds = test_size(12, 1000);
    std::uint64_t written = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::string id = "run" + std::to_string(round);
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        const pid_t child = start([&] {
            acta::sqlite::Store store(folder.file());
            StoredRun run = StoredRun::open(store, id);
            for (std::uint64_t n = 1;; ++n) {
                run.append_user_feedback(std::to_string(n));
                if (write(ends[1], &n, sizeof n) != sizeof n) return;
            }
        });
        close(ends[1]);
        std::this_thread::sleep_for(std::chrono::microseconds(random() % 40'000));
        REQUIRE(kill(child, SIGKILL) == 0);
        wait_for(child);
        std::uint64_t acknowledged = 0;
        while (read(ends[0], &acknowledged, sizeof acknowledged) == sizeof acknowledged) ++written;
        close(ends[0]);
        acta::sqlite::Store store(folder.file());
        const StoredRun run = StoredRun::open(store, id);
        const std::uint64_t found = run.position().version;
        CHECK(found >= acknowledged);
        CHECK(found <= acknowledged + 1);  // it may have been killed between the append and its telling us
        const std::vector<std::string> feedback = feedback_of(run);
        REQUIRE(feedback.size() == found);
        for (std::size_t i = 0; i < feedback.size(); ++i) REQUIRE(feedback[i] == std::to_string(i + 1));
    }
    CHECK(written > 0);
}

TEST_CASE("processes that write one history lose no record and write none twice") {
    const TemporaryFolder folder;
    constexpr int writers = 8;
    const std::size_t each = test_size(15, 1000);
    { const acta::sqlite::Store store(folder.file()); }
    std::vector<pid_t> children;
    for (int writer = 0; writer < writers; ++writer) {
        children.push_back(start([&] {
            acta::sqlite::Store store(folder.file(), {.synchronous = acta::sqlite::Synchronous::normal,
                                                      .busy_timeout = std::chrono::minutes(2)});
            StoredRun shared = StoredRun::open(store, "shared");
            StoredRun own = StoredRun::open(store, "own " + std::to_string(writer));
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
    acta::sqlite::Store store(folder.file());
    std::vector<std::size_t> next(writers, 0);
    for (const std::string& text : feedback_of(StoredRun::open(store, "shared"))) {
        const auto writer = static_cast<std::size_t>(text[0] - '0');
        REQUIRE(text == std::to_string(writer) + "." + std::to_string(next[writer]++));
    }
    CHECK(next == std::vector<std::size_t>(writers, each));
    for (int writer = 0; writer < writers; ++writer)
        CHECK(StoredRun::open(store, "own " + std::to_string(writer)).position().version == each);
}

TEST_CASE("a process that slept longer than its lease is refused") {
    const TemporaryFolder folder;
    acta::sqlite::Store store(folder.file());
    store.create("task");
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = start([&] {
        acta::sqlite::Store own(folder.file());
        const acta::Lease lease = own.acquire("task", "sleeper", std::chrono::milliseconds(50));
        const char ready = 'r';
        if (write(ends[1], &ready, 1) != 1) _exit(2);
        raise(SIGSTOP);
        try {
            const std::vector<acta::NewRecord> late = {{acta::RecordKind::note, {}, "{}"}};
            own.append("task", {0, lease.epoch}, late);
        } catch (const acta::LeaseLost&) {
            return;
        }
        _exit(3);
    });
    char ready = 0;
    REQUIRE(read(ends[0], &ready, 1) == 1);
    std::this_thread::sleep_for(std::chrono::milliseconds(80));
    const acta::Lease lease = store.acquire("task", "other", std::chrono::minutes(1));
    CHECK(lease.epoch == 2);
    int status = 0;
    REQUIRE(waitpid(child, &status, WUNTRACED) == child);
    REQUIRE(kill(child, SIGCONT) == 0);
    CHECK(wait_for(child) == 0);
    CHECK(store.find("task")->position == acta::Position{0, 2});
    close(ends[0]);
    close(ends[1]);
}
