// SPDX-License-Identifier: MIT
#pragma once

#include <sqlite3.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <string>
#include <string_view>
#include <thread>

#include "acta/store/detail/rules.hpp"
#include "acta/store/sqlite/detail/views.hpp"
#include "acta/store/sqlite/options.hpp"
#include "acta/store/store_error.hpp"

namespace acta::inline ACTA_ABI::sqlite_detail {

/// What an error is about.
struct Subject {
    std::string name{};          ///< The file.
    std::string_view history{};  ///< The id of the history in use; empty if there is none.
};

/// A prepared statement. It is reset when it goes out of scope, and kept by the connection.
class Statement {
public:
    Statement(sqlite3* connection, sqlite3_stmt* statement, const Subject& subject)
        : connection_(connection), statement_(statement), subject_(subject) {}
    Statement(const Statement&) = delete;
    Statement& operator=(const Statement&) = delete;
    ~Statement() {
        sqlite3_reset(statement_);
        sqlite3_clear_bindings(statement_);
    }

    /// Binds the next parameter. A text must live until the statement is done.
    Statement& bind(std::string_view text) {
        // A null pointer would be NULL.
        const char* const data = text.data() == nullptr ? "" : text.data();
        return done(sqlite3_bind_text64(statement_, ++bound_, data, text.size(), SQLITE_STATIC, SQLITE_UTF8));
    }
    Statement& bind(std::int64_t value) { return done(sqlite3_bind_int64(statement_, ++bound_, value)); }
    Statement& bind(std::uint64_t value) { return bind(static_cast<std::int64_t>(value)); }

    /// Returns whether there is another row.
    bool step() {
        const int code = sqlite3_step(statement_);
        if (code == SQLITE_ROW) return true;
        if (code != SQLITE_DONE) fail(connection_, subject_);
        return false;
    }
    /// Runs to the end, and the statement can be bound again.
    void run() {
        while (step()) {
        }
        sqlite3_reset(statement_);
        bound_ = 0;
    }

    [[nodiscard]] std::string text(int column) const {
        const auto* const data = reinterpret_cast<const char*>(sqlite3_column_text(statement_, column));
        if (data == nullptr && sqlite3_errcode(connection_) == SQLITE_NOMEM) throw std::bad_alloc();
        if (data == nullptr) return {};
        return {data, static_cast<std::size_t>(sqlite3_column_bytes(statement_, column))};
    }
    [[nodiscard]] std::int64_t integer(int column) const { return sqlite3_column_int64(statement_, column); }
    [[nodiscard]] std::uint64_t number(int column) const { return static_cast<std::uint64_t>(integer(column)); }
    [[nodiscard]] bool is_null(int column) const { return sqlite3_column_type(statement_, column) == SQLITE_NULL; }

    /// Throws what the connection says.
    [[noreturn]] static void fail(sqlite3* connection, const Subject& subject) {
        const int code = sqlite3_extended_errcode(connection);
        const std::string history =
            subject.history.empty() ? "" : ", history " + store_detail::quoted_id(subject.history);
        throw StoreError(subject.name + history + ": " + sqlite3_errmsg(connection) + " (" + sqlite3_errstr(code) +
                         ", " + std::to_string(code) + ")");
    }

private:
    Statement& done(int code) {
        if (code != SQLITE_OK) fail(connection_, subject_);
        return *this;
    }

    sqlite3* connection_;
    sqlite3_stmt* statement_;
    const Subject& subject_;
    int bound_ = 0;
};

/// A connection.
class Database {
public:
    Database(const std::filesystem::path& file, const sqlite::Options& options)
        : subject_{"sqlite '" + file.string() + "'"}, busy_timeout_(options.busy_timeout) {
        sqlite3* raw = nullptr;
        const int code = sqlite3_open_v2(
            file.string().c_str(), &raw,
            SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
        connection_.reset(raw);
        if (raw == nullptr) throw std::bad_alloc();
        if (code != SQLITE_OK) fail();
        sqlite3_busy_timeout(raw, static_cast<int>(options.busy_timeout.count()));
        prepare_file();
        execute("PRAGMA foreign_keys=ON");
        execute(options.synchronous == sqlite::Synchronous::full ? "PRAGMA synchronous=FULL"
                                                                 : "PRAGMA synchronous=NORMAL");
    }

    /// Returns the statement of an SQL text, which must live as long as the program.
    [[nodiscard]] Statement statement(const char* sql) {
        auto& kept = statements_[sql];
        if (!kept) {
            sqlite3_stmt* raw = nullptr;
            if (sqlite3_prepare_v3(connection_.get(), sql, -1, SQLITE_PREPARE_PERSISTENT, &raw, nullptr) != SQLITE_OK)
                fail();
            kept.reset(raw);
        }
        return Statement(connection_.get(), kept.get(), subject_);
    }
    void execute(const char* sql) {
        if (sqlite3_exec(connection_.get(), sql, nullptr, nullptr, nullptr) != SQLITE_OK) fail();
    }
    [[nodiscard]] bool is_in_transaction() const noexcept { return sqlite3_get_autocommit(connection_.get()) == 0; }
    [[nodiscard]] sqlite3* get() const noexcept { return connection_.get(); }
    [[nodiscard]] const std::string& name() const noexcept { return subject_.name; }
    void set_history(std::string_view id) noexcept { subject_.history = id; }
    [[noreturn]] void fail() const { Statement::fail(connection_.get(), subject_); }

private:
    struct Close {
        void operator()(sqlite3* connection) const noexcept { sqlite3_close_v2(connection); }
    };
    struct Finalize {
        void operator()(sqlite3_stmt* statement) const noexcept { sqlite3_finalize(statement); }
    };

    static constexpr std::int64_t application_id = 0x41435441;  // "ACTA"
    static constexpr std::int64_t layout = 1;

    [[nodiscard]] std::int64_t pragma(const char* sql) {
        Statement query = statement(sql);
        return query.step() ? query.integer(0) : 0;
    }
    [[nodiscard]] bool is_ready();
    [[nodiscard]] bool tables_are_there();
    void use_write_ahead_log();
    void prepare_file();

    Subject subject_;
    std::chrono::milliseconds busy_timeout_;
    std::unique_ptr<sqlite3, Close> connection_{};
    std::map<const char*, std::unique_ptr<sqlite3_stmt, Finalize>> statements_{};  // closed before the connection
};

/// Uses a connection for a history, alone. Errors name it meanwhile.
class Use {
public:
    Use(std::mutex& mutex, Database& database, std::string_view id) : lock_(mutex), database_(database) {
        database.set_history(id);
    }
    Use(const Use&) = delete;
    Use& operator=(const Use&) = delete;
    ~Use() { database_.set_history({}); }

private:
    std::lock_guard<std::mutex> lock_;
    Database& database_;
};

/// A transaction, which writes unless it begins otherwise. What is not committed is taken back.
class Transaction {
public:
    explicit Transaction(Database& database, const char* begin = "BEGIN IMMEDIATE") : database_(database) {
        try {
            database.execute(begin);
        } catch (...) {
            roll_back();  // it may have begun nevertheless
            throw;
        }
    }
    Transaction(const Transaction&) = delete;
    Transaction& operator=(const Transaction&) = delete;
    ~Transaction() { roll_back(); }

    void commit() { database_.execute("COMMIT"); }

private:
    void roll_back() noexcept {
        // An error may have ended it already.
        if (database_.is_in_transaction()) sqlite3_exec(database_.get(), "ROLLBACK", nullptr, nullptr, nullptr);
    }

    Database& database_;
};

/// Returns whether the tables are there. Throws if they are of another application, or of a newer acta.
inline bool Database::tables_are_there() {
    const std::int64_t application = pragma("PRAGMA application_id");
    const std::int64_t found = pragma("PRAGMA user_version");
    if (application == application_id && found == layout) return true;
    if (application == application_id && found > layout)
        throw StoreTooNew(name() + ": its layout " + std::to_string(found) + " is newer than this acta");
    if (application != 0 || found != 0 || pragma("SELECT count(*) FROM sqlite_master") != 0)
        throw StoreError(name() + ": it is the database of another application");
    return false;
}

/// As `tables_are_there`, all of it at one moment, since another process may be making them.
inline bool Database::is_ready() {
    const Transaction reading(*this, "BEGIN");
    return tables_are_there();
}

/// A file keeps this mode. SQLite does not wait for others that change it at the same time, so this does.
inline void Database::use_write_ahead_log() {
    const auto end = std::chrono::steady_clock::now() + busy_timeout_;
    constexpr auto pause = std::chrono::milliseconds(5);
    for (;;) {
        const int result = sqlite3_exec(connection_.get(), "PRAGMA journal_mode=WAL", nullptr, nullptr, nullptr);
        if (result == SQLITE_OK) return;
        if ((result & 0xFF) != SQLITE_BUSY || std::chrono::steady_clock::now() >= end) fail();
        std::this_thread::sleep_for(pause);
    }
}

inline void Database::prepare_file() {
    const bool was_ready = is_ready();  // else it is not changed
    use_write_ahead_log();
    if (was_ready) return;
    Transaction transaction(*this);
    if (tables_are_there()) return;  // another process was faster
    execute(R"(
CREATE TABLE history(
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 255),
  forked_from TEXT NOT NULL DEFAULT '',
  head INTEGER NOT NULL DEFAULT 0,
  snapshot INTEGER NOT NULL DEFAULT 0,
  type TEXT NOT NULL DEFAULT '',
  labels TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(labels)),
  created_us INTEGER NOT NULL,
  updated_us INTEGER NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  holder TEXT,
  lease_until_us INTEGER,
  erased_us INTEGER
) STRICT;
CREATE TABLE record(
  history INTEGER NOT NULL REFERENCES history(key),
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  format INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  call_id TEXT NOT NULL DEFAULT '',
  body TEXT NOT NULL,
  UNIQUE(history, seq)
) STRICT;
PRAGMA application_id=0x41435441;
PRAGMA user_version=1;
)");
    execute(views);
    transaction.commit();
}

}  // namespace acta::inline ACTA_ABI::sqlite_detail
