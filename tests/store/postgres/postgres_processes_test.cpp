// SPDX-License-Identifier: MIT
// Several processes at one database, and a server that is restarted under them.
#include <array>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <thread>
#include <vector>

#include "acta/store/postgres/store.hpp"
#include "store/postgres/server.hpp"
#include "store/processes.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

namespace pg = acta::postgres;
/// Histories are erased while somebody appends to them: no record is left behind.
void check_erasures(const PostgresServer& server) {
    pg::Store store(server.address());
    for (std::size_t round = 0; round < test_size(40, 1000); ++round) {
        const std::string id = "erased " + std::to_string(round);
        store.create(id);
        std::atomic<bool> has_begun{false};
        std::thread writer([&] {
            const std::vector<acta::NewRecord> notes(3, {acta::RecordKind::note, {}, "{}"});
            try {
                for (acta::Position at;; has_begun = true) at = store.append(id, at, notes).position;
            } catch (const acta::StoreGone&) {
            }
        });
        while (!has_begun) std::this_thread::yield();
        store.erase(id);
        writer.join();
    }
    CHECK(server.sql(
              "SELECT count(*) FROM acta.record r JOIN acta.history h ON h.key = r.history WHERE erased IS NOT NULL") ==
          "0");
    CHECK(server.sql("SELECT count(*) FROM acta.history WHERE erased IS NOT NULL") ==
          std::to_string(test_size(40, 1000)));
}

/// Threads append, each to a history of its own, while the server is stopped and started again. They notice nothing.
void check_restarts(PostgresServer& server) {
    constexpr std::size_t writers = 4;
    pg::Store store(server.address(), {.connections = 3, .timeout = std::chrono::minutes(2)});
    std::atomic<bool> is_done{false};
    std::array<std::atomic<std::uint64_t>, writers> acknowledged{};
    std::array<std::string, writers> faults{};
    std::array<std::atomic<bool>, writers> has_ended{};
    std::vector<std::thread> threads;
    for (std::size_t writer = 0; writer < writers; ++writer) {
        store.create("restart " + std::to_string(writer));
        threads.emplace_back([&, writer] {
            try {
                for (acta::Position at; !is_done; acknowledged[writer] = at.version) {
                    const std::vector<acta::NewRecord> next = {
                        {acta::RecordKind::note, {}, std::to_string(at.version + 1)}};
                    at = store.append("restart " + std::to_string(writer), at, next).position;
                }
            } catch (const std::exception& error) {
                faults[writer] = error.what();
            }
            has_ended[writer] = true;
        });
    }
    for (std::size_t round = 0; round < test_size(3, 30); ++round) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        server.stop(round % 3 == 2 ? SIGQUIT : SIGINT);
        std::this_thread::sleep_for(std::chrono::milliseconds(20));
        server.start();
    }
    std::array<std::uint64_t, writers> before{};
    for (std::size_t writer = 0; writer < writers; ++writer) before[writer] = acknowledged[writer];
    for (std::size_t writer = 0; writer < writers; ++writer) {
        while (acknowledged[writer] == before[writer] && !has_ended[writer])
            std::this_thread::sleep_for(std::chrono::milliseconds(1));
    }
    is_done = true;
    for (std::thread& one : threads) one.join();
    for (std::size_t writer = 0; writer < writers; ++writer) {
        CHECK(faults[writer].empty());
        CHECK(acknowledged[writer] > before[writer]);
        std::uint64_t count = 0;
        store.read("restart " + std::to_string(writer), {}, [&](const acta::Record& record) {
            if (record.body != std::to_string(++count)) FAIL(record.body << " is at " << count);
            return true;
        });
        CHECK(count == acknowledged[writer]);
    }
}

}  // namespace

TEST_CASE("processes that write to PostgreSQL lose no record, write none twice, and sleepers are refused") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    const auto open = [&server] {
        return std::make_unique<pg::Store>(server.address(), pg::Options{.timeout = std::chrono::minutes(2)});
    };
    processes::check_writers(open, test_size(15, 1000));
    processes::check_sleeper(open);
    check_erasures(server);
}

TEST_CASE("a restart of PostgreSQL is a delay for who writes") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    PostgresServer server;
    check_restarts(server);
}

TEST_CASE("a child process does not use the store in PostgreSQL of its parent, and does not end its connections") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    pg::Store store(server.address(), {.connections = 1});
    store.create("task");
    const std::string before = server.sql("SELECT min(pid) FROM pg_stat_activity WHERE application_name = 'acta'");
    const int status = processes::wait_for(processes::start([&] {
        std::string fault;
        try {
            static_cast<void>(store.find("task"));
        } catch (const acta::StoreError& error) {
            fault = error.what();
        }
        std::destroy_at(&store);  // which must not end the parent's connection; the child ends without destructors
        if (fault.find("before fork()") == std::string::npos) throw std::runtime_error("the child used it");
    }));
    CHECK(status == 0);
    CHECK(store.find("task").has_value());
    CHECK(server.sql("SELECT min(pid) FROM pg_stat_activity WHERE application_name = 'acta'") == before);
}
