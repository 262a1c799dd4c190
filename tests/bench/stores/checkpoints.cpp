// SPDX-License-Identifier: MIT
// The same steps as records of acta, and in the tables of LangGraph's SqliteSaver, filled as it fills them: after each
// step what the step wrote, and the whole state, each in a transaction of its own, by the default `synchronous=FULL`.
#include <sqlite3.h>

#include <cstdio>
#include <memory>
#include <stdexcept>
#include <string>

#include "common.hpp"

namespace bench {

namespace {

constexpr std::size_t action_bytes = 500;
constexpr std::size_t result_bytes = 1500;

std::string text_of(std::size_t step, std::size_t size) {
    const std::string head = "{\"n\":" + std::to_string(step) + ",\"text\":\"";
    return head + std::string(size - head.size() - 2, 'x') + "\"}";
}

/// A connection and the two statements.
class Checkpoints {
public:
    explicit Checkpoints(const std::filesystem::path& file) {
        sqlite3* raw = nullptr;
        check(sqlite3_open(file.c_str(), &raw));
        connection_.reset(raw);
        check(sqlite3_exec(raw, R"(
PRAGMA journal_mode=WAL;
CREATE TABLE checkpoints(
  thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
  parent_checkpoint_id TEXT, type TEXT, checkpoint BLOB, metadata BLOB,
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id));
CREATE TABLE writes(
  thread_id TEXT NOT NULL, checkpoint_ns TEXT NOT NULL DEFAULT '', checkpoint_id TEXT NOT NULL,
  task_id TEXT NOT NULL, task_path TEXT NOT NULL DEFAULT '', idx INTEGER NOT NULL, channel TEXT NOT NULL,
  type TEXT, value BLOB,
  PRIMARY KEY (thread_id, checkpoint_ns, checkpoint_id, task_id, idx));)",
                           nullptr, nullptr, nullptr));
        checkpoint_ = prepare("INSERT INTO checkpoints VALUES('task', '', ?1, ?2, 'msgpack', ?3, ?4)");
        write_ = prepare("INSERT INTO writes VALUES('task', '', ?1, ?2, '', 0, 'messages', 'msgpack', ?3)");
    }

    /// Adds a step to the state, and stores it.
    void add(std::size_t step, const std::string& messages) {
        const std::string id = identity(step);
        run(write_.get(), {identity(step == 0 ? 0 : step - 1), identity(step + 1'000'000), messages});
        state_ += messages;
        run(checkpoint_.get(),
            {id, step == 0 ? std::string() : identity(step - 1), state_, "{\"source\":\"loop\",\"parents\":{}}"});
    }

private:
    struct Close {
        void operator()(sqlite3* connection) const noexcept { sqlite3_close_v2(connection); }
        void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
    };
    using Prepared = std::unique_ptr<sqlite3_stmt, Close>;

    static void check(int code) {
        if (code != SQLITE_OK && code != SQLITE_DONE) throw std::runtime_error(sqlite3_errstr(code));
    }
    /// As long as the UUIDs that it uses.
    static std::string identity(std::size_t n) {
        char out[48];
        std::snprintf(out, sizeof out, "%08zx-0000-6000-8000-000000000000", n);
        return out;
    }
    Prepared prepare(const char* sql) {
        sqlite3_stmt* raw = nullptr;
        check(sqlite3_prepare_v2(connection_.get(), sql, -1, &raw, nullptr));
        return Prepared(raw);
    }
    static void run(sqlite3_stmt* statement, std::initializer_list<std::string> texts) {
        int column = 0;
        for (const std::string& text : texts)
            check(sqlite3_bind_blob(statement, ++column, text.data(), static_cast<int>(text.size()), SQLITE_STATIC));
        check(sqlite3_step(statement));
        check(sqlite3_reset(statement));
    }

    std::unique_ptr<sqlite3, Close> connection_{};
    Prepared checkpoint_{};
    Prepared write_{};
    std::string state_{};
};

void print_row(const char* name, double seconds, double bytes, std::size_t steps) {
    std::printf("| %s | %.1f | %.0f | %.1f | %.2f |\n", name, seconds, static_cast<double>(steps) / seconds,
                bytes / 1e6, bytes / static_cast<double>(steps * (action_bytes + result_bytes)));
}

}  // namespace

void print_checkpoints(const std::filesystem::path& folder, std::size_t steps) {
    std::printf("\n### %zu steps of 2 KB in SQLite\n\n", steps);
    std::printf("| | seconds | steps a second | MB on the disk | of the content |\n|---|---|---|---|---|\n");
    const auto records = folder / "records.db";
    const double acta_seconds = elapsed_seconds([&] {
        acta::sqlite::Store store(records);
        Writer writer("task");
        store.create("task");
        for (std::size_t step = 0; step < steps; ++step) {
            writer.append(store, {acta::RecordKind::action, {}, text_of(step, action_bytes)});
            writer.append(store, {acta::RecordKind::result, {}, text_of(step, result_bytes)});
        }
    });
    print_row("acta: an action and a result each, `Synchronous::full`", acta_seconds, bytes_on_disk(records), steps);
    const auto whole = folder / "checkpoints.db";
    const double seconds = elapsed_seconds([&] {
        Checkpoints checkpoints(whole);
        for (std::size_t step = 0; step < steps; ++step)
            checkpoints.add(step, text_of(step, action_bytes) + text_of(step, result_bytes));
    });
    print_row("the whole state after each step, LangGraph's tables", seconds, bytes_on_disk(whole), steps);
    std::printf("\nRecords take %.1f times less time and %.0f times less of the disk.\n", seconds / acta_seconds,
                bytes_on_disk(whole) / bytes_on_disk(records));
    std::filesystem::remove(whole);
}

}  // namespace bench
