// SPDX-License-Identifier: MIT
// Several processes at one file, some of which are killed.
#include <unistd.h>
#include <stdexcept>

#include <chrono>
#include <csignal>
#include <cstdint>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/store/sqlite/store.hpp"
#include "store/processes.hpp"
#include "store/sqlite/folder.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

TEST_CASE("a program that is killed loses nothing that was acknowledged") {
    const TemporaryFolder folder;
    { const acta::sqlite::Store store(folder.file()); }
    std::mt19937 random(3);
    const std::size_t rounds = test_size(300, 1000);
    const std::size_t longest = test_size(8'000, 40'000);  // microseconds that a child lives
    std::uint64_t written = 0;
    for (std::size_t round = 0; round < rounds; ++round) {
        const std::string id = "run" + std::to_string(round);
        int ends[2];
        REQUIRE(pipe(ends) == 0);
        const pid_t child = processes::start([&] {
            acta::sqlite::Store store(folder.file());
            processes::Run run = processes::Run::open_or_create(store, id);
            for (std::uint64_t n = 1;; ++n) {
                run.append_user_feedback(std::to_string(n));
                if (write(ends[1], &n, sizeof n) != sizeof n) return;
            }
        });
        close(ends[1]);
        std::uint64_t acknowledged = 0;
        if (round == 0) {  // at least one lives long enough
            REQUIRE(read(ends[0], &acknowledged, sizeof acknowledged) == sizeof acknowledged);
            ++written;
        }
        std::this_thread::sleep_for(std::chrono::microseconds(random() % longest));
        REQUIRE(kill(child, SIGKILL) == 0);
        processes::wait_for(child);
        while (read(ends[0], &acknowledged, sizeof acknowledged) == sizeof acknowledged) ++written;
        close(ends[0]);
        acta::sqlite::Store store(folder.file());
        const processes::Run run = processes::Run::open_or_create(store, id);
        const std::uint64_t found = run.position().version;
        CHECK(found >= acknowledged);
        CHECK(found <= acknowledged + 1);  // it may have been killed between the append and its telling us
        const std::vector<std::string> feedback = processes::feedback_of(run);
        REQUIRE(feedback.size() == found);
        for (std::size_t i = 0; i < feedback.size(); ++i) REQUIRE(feedback[i] == std::to_string(i + 1));
    }
    CHECK(written > 0);
}

TEST_CASE("processes may make the same file at the same time") {
    for (std::size_t round = 0; round < test_size(20, 300); ++round) {
        const TemporaryFolder folder;
        std::vector<pid_t> children;
        for (int i = 0; i < 8; ++i)
            children.push_back(processes::start([&folder] { const acta::sqlite::Store store(folder.file()); }));
        for (const pid_t child : children) CHECK(processes::wait_for(child) == 0);
    }
}

TEST_CASE("processes that write one history lose no record and write none twice") {
    const TemporaryFolder folder;
    const auto open = [&folder] {
        return std::make_unique<acta::sqlite::Store>(
            folder.file(), acta::sqlite::Options{.synchronous = acta::sqlite::Synchronous::normal,
                                                 .busy_timeout = std::chrono::minutes(2)});
    };
    processes::check_writers(open, test_size(15, 1000));
}

TEST_CASE("a process that slept longer than its lease is refused") {
    const TemporaryFolder folder;
    processes::check_sleeper([&folder] { return std::make_unique<acta::sqlite::Store>(folder.file()); });
}

TEST_CASE("a child process does not use the store of its parent") {
    const TemporaryFolder folder;
    acta::sqlite::Store store(folder.file());
    store.create("task");
    const int status = processes::wait_for(processes::start([&] {
        try {
            static_cast<void>(store.find("task"));
        } catch (const acta::StoreError& error) {
            if (std::string(error.what()).find("before fork()") != std::string::npos) return;
        }
        throw std::runtime_error("the child used it");
    }));
    CHECK(status == 0);
    CHECK(store.find("task").has_value());
}
