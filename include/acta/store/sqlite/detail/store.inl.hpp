// SPDX-License-Identifier: MIT
#pragma once

#include <sqlite3.h>
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <limits>
#include <map>
#include <memory>
#include <mutex>
#include <new>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <system_error>
#include <thread>
#include <utility>
#include <vector>

#if !defined(_WIN32)
#include <fcntl.h>
#include <unistd.h>
#endif

#include "acta/base/stop_token.hpp"
#include "acta/base/unicode.hpp"
#include "acta/json/json.hpp"
#include "acta/store/history_store.hpp"
#include "acta/store/sqlite/store.hpp"

namespace acta::inline ACTA_ABI::sqlite_detail {

/// The tables. A file whose tables are defined in another way is refused: the definition of a table can hold
/// expressions, which a query would run. acta does not read views, so that those of a file do nothing.
inline constexpr const char* own_tables[] = {R"(CREATE TABLE history(
  key INTEGER PRIMARY KEY,
  id TEXT NOT NULL UNIQUE CHECK (length(CAST(id AS BLOB)) BETWEEN 1 AND 255),
  forked_from TEXT NOT NULL DEFAULT '',
  head INTEGER NOT NULL DEFAULT 0,
  snapshot INTEGER NOT NULL DEFAULT 0,
  type TEXT NOT NULL DEFAULT '',
  labels TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(labels)),
  created_us INTEGER NOT NULL, updated_us INTEGER NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  holder TEXT, lease_until_us INTEGER, erased_us INTEGER
) STRICT)",
                                             R"(CREATE TABLE record(
  history INTEGER NOT NULL REFERENCES history(key),
  seq INTEGER NOT NULL,
  kind TEXT NOT NULL,
  format INTEGER NOT NULL,
  at_us INTEGER NOT NULL,
  call_id TEXT NOT NULL DEFAULT '',
  body TEXT NOT NULL,
  token TEXT NOT NULL DEFAULT '',
  checksum INTEGER,
  UNIQUE(history, seq)
) STRICT)"};
/// The columns of `record` that the first layout does not have. SQLite adds columns before the constraints, so that a
/// file that was changed to this layout has them in the same place.
inline constexpr std::string_view newer_columns = " token TEXT NOT NULL DEFAULT '', checksum INTEGER,";

/// Returns a definition with one blank for each run of blanks.
[[nodiscard]] inline std::string with_single_blanks(std::string_view sql) {
    std::string out;
    for (const char c : sql) {
        if (!ascii::is_space(c)) {
            out += c;
        } else if (!out.ends_with(' ')) {
            out += ' ';
        }
    }
    return out;
}

/// Returns whether a table is defined by acta, in this layout or the first.
[[nodiscard]] inline bool is_own_table(std::string_view sql, const char* own, bool first_layout) {
    std::string expected = with_single_blanks(own);
    if (const std::size_t at = expected.find(newer_columns); first_layout && at != std::string::npos)
        expected.erase(at, newer_columns.size());
    return with_single_blanks(sql) == expected;
}

/// Returns whether an index has only columns: neither expressions nor a condition.
[[nodiscard]] inline bool is_plain_index(std::string_view sql) {
    return sql.empty() || (sql.find('(', sql.find('(') + 1) == std::string_view::npos &&
                           ascii::is_blank(sql.substr(sql.find(')') + 1)));
}

/// What an error is about.
struct Subject {
    std::string name{};          ///< The file.
    std::string_view history{};  ///< The id of the history in use; empty if there is none.
};

/// Another process is using the file; the same may succeed later.
class Busy : public StoreError {
public:
    using StoreError::StoreError;
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
        std::string text = subject.name + history + ": " + sqlite3_errmsg(connection) + " (" + sqlite3_errstr(code) +
                           ", " + std::to_string(code) + ")";
        const int kind = code & 0xFF;
        if (kind == SQLITE_BUSY || kind == SQLITE_LOCKED) throw Busy(text);
        if (kind == SQLITE_READONLY)
            text += "; this process needs the right to write the file, its -wal and -shm files, and their folder";
        if (const int reason = sqlite3_system_errno(connection); kind == SQLITE_CANTOPEN && reason != 0)
            text += "; " + std::generic_category().message(reason);
        throw StoreError(text);
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
        : file_(file),
          options_(options),
          subject_{"sqlite '" + file.string() + "'"},
          process_(store_detail::this_process()) {
        require_file();
        open();
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
    /// Throws `StoreError` if the file is no longer the one at its path: what is written to it would be lost. Also in a
    /// process that has inherited the connection, which SQLite does not allow.
    void require_same_file() {
        if (process_ != store_detail::this_process())
            throw StoreError(name() + ": it was opened before fork(): the child has to open a store of its own");
        int has_moved = 0;
        sqlite3_file_control(get(), "main", SQLITE_FCNTL_HAS_MOVED, &has_moved);
        if (has_moved != 0)
            throw StoreError(name() + ": the file was replaced, deleted or moved while it was open: open it again");
        if (is_immutable_ && has_changed()) open();
    }
    /// Returns whether records have a token and a checksum, which those of a file that cannot be changed may not.
    [[nodiscard]] bool has_checksums() const noexcept { return has_checksums_; }
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
    static constexpr std::int64_t layout = 2;

    [[nodiscard]] std::int64_t pragma(const char* sql) {
        Statement query = statement(sql);
        return query.step() ? query.integer(0) : 0;
    }
    /// What the file is.
    enum class Found { nothing, older_layout, this_layout, other };

    void require_file() const;
    void open();
    void open_connection(int flags, const char* parameters);
    void open_for_reading();
    [[nodiscard]] bool write_ahead_log_is_there() const;
    [[nodiscard]] bool has_changed() const;
    [[nodiscard]] Found look();
    [[nodiscard]] Found look_at_one_moment();
    void require_own_tables(Found found);
    void protect() const;
    [[noreturn]] void refuse_other() const;
    void use_write_ahead_log();
    void prepare_file();
    void prepare_once();
    void make_tables();
    void migrate();

    std::filesystem::path file_;
    sqlite::Options options_;
    Subject subject_;
    std::int64_t process_;
    bool has_checksums_ = true;
    bool is_immutable_ = false;  // opened as a file that does not change
    std::filesystem::file_time_type changed_at_{};
    std::unique_ptr<sqlite3, Close> connection_{};
    std::map<const char*, std::unique_ptr<sqlite3_stmt, Finalize>> statements_{};  // closed before the connection
};

/// Locks the connection for work on one history, which errors then name.
class ConnectionLock {
public:
    ConnectionLock(std::mutex& mutex, Database& database, std::string_view id) : lock_(mutex), database_(database) {
        database.require_same_file();
        database.set_history(id);
    }
    ConnectionLock(const ConnectionLock&) = delete;
    ConnectionLock& operator=(const ConnectionLock&) = delete;
    ~ConnectionLock() { database_.set_history({}); }

private:
    std::lock_guard<std::mutex> lock_;
    Database& database_;
};

/// A transaction, which writes unless it begins otherwise. What is not committed is taken back.
class Transaction {
public:
    explicit Transaction(Database& database, const char* begin = "BEGIN IMMEDIATE")
        : database_(database), rollback_(database.statement("ROLLBACK")) {
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

    void commit() {
        database_.require_same_file();
        database_.execute("COMMIT");
    }

private:
    void roll_back() noexcept {
        if (!database_.is_in_transaction()) return;  // an error may have ended it already
        try {
            rollback_.run();
        } catch (const std::exception&) {  // NOLINT(bugprone-empty-catch): the next transaction tries it again
        }
    }

    Database& database_;
    Statement rollback_;  // prepared first: after a change that failed for lack of memory that may fail too
};

/// Makes an empty file that only its owner can read, as what is in it may be private; SQLite gives the files beside it
/// the same mode. Does nothing if it is there, or cannot be made, which SQLite then reports.
inline void make_private_file([[maybe_unused]] const std::filesystem::path& file) noexcept {
#if !defined(_WIN32)
    const int made = ::open(file.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (made >= 0) ::close(made);
#endif
}

/// Throws `StoreError` if the file is temporary or in memory.
inline void Database::require_file() const {
    const std::string path = file_.string();
    const bool is_memory = path.empty() || path == ":memory:" ||
                           (path.starts_with("file:") &&
                            (path.find(":memory:") != std::string::npos ||
                             path.find("mode=memory") != std::string::npos || path.size() == 5 || path[5] == '?'));
    if (is_memory)
        throw StoreError(
            name() +
            ": SQLite would keep this in memory or in a temporary file: name a file, or use acta::MemoryStore");
    std::error_code error;
    const auto kind = std::filesystem::status(file_, error).type();
    if (kind != std::filesystem::file_type::regular && std::filesystem::exists(std::filesystem::file_status(kind)))
        throw StoreError(name() + ": it is not a regular file");
}

inline void Database::open() {
    statements_.clear();
    if (options_.read_only) return open_for_reading();
    make_private_file(file_);
    open_connection(SQLITE_OPEN_READWRITE | SQLITE_OPEN_CREATE, "");
    prepare_file();
    execute("PRAGMA foreign_keys=ON");
    execute(options_.synchronous == sqlite::Synchronous::full ? "PRAGMA synchronous=FULL"
                                                              : "PRAGMA synchronous=NORMAL");
    statements_.clear();  // a pragma has expired them; to prepare them again (`Transaction`) takes memory
}

/// Opens the file by its name, or by a URI with parameters if there are any.
inline void Database::open_connection(int flags, const char* parameters) {
    std::string target = file_.string();
    if (*parameters != '\0') {
        flags |= SQLITE_OPEN_URI;
        std::string uri = "file:";
        for (const char c : target) {
            if (c == '?' || c == '#' || c == '%')
                uri += c == '?' ? "%3f" : c == '#' ? "%23" : "%25";
            else
                uri += c;
        }
        target = uri + parameters;
    }
    sqlite3* raw = nullptr;
    const int code =
        sqlite3_open_v2(target.c_str(), &raw, flags | SQLITE_OPEN_NOMUTEX | SQLITE_OPEN_EXRESCODE, nullptr);
    connection_.reset(raw);
    if (raw == nullptr) throw std::bad_alloc();
    // First of all, since everything after it may have to wait.
    sqlite3_busy_timeout(raw, static_cast<int>(std::clamp<std::int64_t>(options_.busy_timeout.count(), 0,
                                                                        std::numeric_limits<int>::max())));
    if (code != SQLITE_OK) fail();
    protect();
}

/// A reader leaves no files behind. Without a write-ahead log no process has the file open, so that it is read as one
/// that does not change: SQLite needs no other file then. Otherwise the files are there, and are used without changing
/// them.
inline void Database::open_for_reading() {
    std::error_code error;
    changed_at_ = std::filesystem::last_write_time(file_, error);
    is_immutable_ = !write_ahead_log_is_there();
    open_connection(SQLITE_OPEN_READONLY, is_immutable_ ? "?immutable=1" : "?readonly_shm=1");
    const Found found = look_at_one_moment();
    if (found == Found::other) refuse_other();
    if (found == Found::nothing) throw StoreError(name() + ": there are no histories in it");
    has_checksums_ = found == Found::this_layout;
}

inline bool Database::write_ahead_log_is_there() const {
    std::filesystem::path log = file_;
    log += "-wal";
    std::error_code error;
    return std::filesystem::exists(log, error);
}

/// Returns whether another process has begun to write since the file was opened.
inline bool Database::has_changed() const {
    std::error_code error;
    return write_ahead_log_is_there() || std::filesystem::last_write_time(file_, error) != changed_at_;
}

/// Returns what the file is. Throws if it was made by a newer acta.
inline Database::Found Database::look() {
    const std::int64_t application = pragma("PRAGMA application_id");
    const std::int64_t found = pragma("PRAGMA user_version");
    if (application == application_id && found > layout)
        throw StoreTooNew(name() + ": its layout " + std::to_string(found) + " is newer than this acta");
    if (application == application_id && found > 0) {
        const Found out = found == layout ? Found::this_layout : Found::older_layout;
        require_own_tables(out);
        return out;
    }
    if (application != 0 || found != 0 || pragma("SELECT count(*) FROM sqlite_master") != 0) return Found::other;
    return Found::nothing;
}

/// Throws `StoreCorrupt` if what acta reads and writes is not what it made.
inline void Database::require_own_tables(Found found) {
    const bool first_layout = found == Found::older_layout;
    std::size_t tables = 0;
    Statement query = statement("SELECT type, name, tbl_name, sql FROM sqlite_master");
    while (query.step()) {
        const std::string type = query.text(0);
        const std::string name_in_file = query.text(1);
        const std::string of = query.text(2);
        const std::string sql = query.text(3);
        const bool is_history = ascii::equals_ignoring_case(of, "history");
        if (!is_history && !ascii::equals_ignoring_case(of, "record")) continue;
        if (type == "trigger" || (type == "index" && is_plain_index(sql))) continue;  // triggers are switched off
        if (type != "table" || !is_own_table(sql, own_tables[is_history ? 0 : 1], first_layout))
            throw StoreCorrupt(
                name() + ": the " + type + " " + store_detail::quoted_id(name_in_file) + " is not as acta defines it",
                0);
        ++tables;
    }
    if (tables != 2) throw StoreCorrupt(name() + ": one of acta's tables is missing", 0);
}

/// The function that checks labels in the definition of `history`. SQLite's own counts as unsafe before 3.42, and a
/// schema that is not trusted may not use it.
inline void check_labels(sqlite3_context* context, int /*count*/, sqlite3_value** values) noexcept {
    const auto* const text = reinterpret_cast<const char*>(sqlite3_value_text(values[0]));
    if (text == nullptr) return;
    try {
        static_cast<void>(
            parse<Json>(std::string_view(text, static_cast<std::size_t>(sqlite3_value_bytes(values[0])))));
        sqlite3_result_int(context, 1);
    } catch (const ValidationError&) {
        sqlite3_result_int(context, 0);
    } catch (...) {
        sqlite3_result_error_nomem(context);
    }
}

/// A file may come from anybody: what is in it must not run functions with effects, change the file's own tables of
/// SQLite, or make values larger than any that acta writes.
inline void Database::protect() const {
    constexpr int largest = 600'000'000;  // a record is at most ParseOptions::max_bytes
    sqlite3_db_config(get(), SQLITE_DBCONFIG_DEFENSIVE, 1, nullptr);
    sqlite3_db_config(get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0, nullptr);
    sqlite3_db_config(get(), SQLITE_DBCONFIG_ENABLE_TRIGGER, 0, nullptr);
    if (sqlite3_create_function_v2(get(), "json_valid", 1, SQLITE_UTF8 | SQLITE_DETERMINISTIC | SQLITE_INNOCUOUS,
                                   nullptr, check_labels, nullptr, nullptr, nullptr) != SQLITE_OK)
        fail();
    sqlite3_limit(get(), SQLITE_LIMIT_LENGTH, largest);
    sqlite3_limit(get(), SQLITE_LIMIT_SQL_LENGTH, 1'000'000);
    sqlite3_limit(get(), SQLITE_LIMIT_TRIGGER_DEPTH, 1);
    sqlite3_limit(get(), SQLITE_LIMIT_WORKER_THREADS, 0);
}

inline Database::Found Database::look_at_one_moment() {
    const Transaction reading(*this, "BEGIN");
    return look();
}

inline void Database::refuse_other() const { throw StoreError(name() + ": it is the database of another application"); }

/// A file keeps this mode. SQLite does not wait for others that change it at the same time, so `prepare_file` does.
inline void Database::use_write_ahead_log() { execute("PRAGMA journal_mode=WAL"); }

/// Any number of processes may open a new file at once: each waits for the others as long as for a lock.
inline void Database::prepare_file() {
    const auto end = deadline_in(options_.busy_timeout);
    constexpr auto pause = std::chrono::milliseconds(5);
    for (;;) {
        try {
            return prepare_once();
        } catch (const Busy&) {
            if (std::chrono::steady_clock::now() >= end) throw;
        }
        std::this_thread::sleep_for(pause);
    }
}

inline void Database::prepare_once() {
    // Most files are ready, and need not be locked to find that out. The state of any other file is decided under the
    // lock: another process may be creating it.
    if (look_at_one_moment() != Found::this_layout) {
        Transaction transaction(*this);
        const Found found = look();
        if (found == Found::other) refuse_other();
        if (found == Found::nothing) make_tables();
        if (found == Found::older_layout) migrate();
        transaction.commit();
    }
    use_write_ahead_log();
}

inline void Database::make_tables() {
    for (const char* const table : own_tables) execute(table);
    execute("PRAGMA application_id=0x41435441; PRAGMA user_version=2");
}

/// From layout 1, whose records have neither token nor checksum.
inline void Database::migrate() {
    execute(R"(
ALTER TABLE record ADD COLUMN token TEXT NOT NULL DEFAULT '';
ALTER TABLE record ADD COLUMN checksum INTEGER;
PRAGMA user_version=2;
)");
}

}  // namespace acta::inline ACTA_ABI::sqlite_detail

namespace acta::inline ACTA_ABI {

namespace sqlite_detail {

[[nodiscard]] inline std::int64_t microseconds(const Timestamp& at) {
    return at.instant().value_or(std::chrono::sys_time<std::chrono::microseconds>()).time_since_epoch().count();
}
/// A row of `history`.
struct Row {
    std::int64_t key = 0;
    bool erased = false;
    HistoryInfo info{};
};

#define ACTA_SQLITE_COLUMNS                                                                                       \
    "key, id, head, epoch, snapshot, type, labels, forked_from, created_us, updated_us, holder, lease_until_us, " \
    "erased_us"

#define ACTA_SQLITE_RECORD "r.seq, r.kind, r.format, r.at_us, r.call_id, r.body"
// Joined with itself, as SQLite takes `seq` from the index otherwise: if an entry of a damaged index points to another
// record, that record would be returned with the number of the entry.
#define ACTA_SQLITE_RECORDS \
    " FROM record i CROSS JOIN record r ON r.rowid = i.rowid AND r.history = i.history WHERE i.history = ?"

[[nodiscard]] inline Row row_of(const Statement& query) {
    Row row;
    row.key = query.integer(0);
    row.erased = !query.is_null(12);
    HistoryInfo& info = row.info;
    info.id = query.text(1);
    info.position = {query.number(2), query.number(3)};
    info.snapshot = query.number(4);
    info.type = query.text(5);
    info.forked_from = query.text(7);
    info.created = store_detail::timestamp_of(query.integer(8));
    info.updated = store_detail::timestamp_of(query.integer(9));
    if (!query.is_null(10))
        info.lease = {query.text(10), info.position.epoch, store_detail::timestamp_of(query.integer(11))};
    store_detail::complete(info, query.text(6));
    return row;
}

[[nodiscard]] inline std::optional<Row> find_row(Database& database, std::string_view id) {
    store_detail::require_id(id);
    Statement query = database.statement("SELECT " ACTA_SQLITE_COLUMNS " FROM history WHERE id = ?");
    if (!query.bind(id).step()) return std::nullopt;
    return row_of(query);
}
/// Throws if the history does not exist, was erased, or has an entry that cannot be read.
[[nodiscard]] inline Row require_row(Database& database, std::string_view id) {
    std::optional<Row> row = find_row(database, id);
    if (!row) store_detail::throw_not_found(id);
    if (row->erased) store_detail::throw_gone(id);
    store_detail::require_readable(row->info);
    return *std::move(row);
}

inline void insert_history(Database& database, const HistoryInfo& info) {
    if (const std::optional<Row> row = find_row(database, info.id)) {
        if (row->erased) store_detail::throw_gone(info.id);
        store_detail::throw_exists(info.id);
    }
    const std::string labels = dump(info.labels);
    database
        .statement(
            "INSERT INTO history(id, head, snapshot, type, labels, forked_from, created_us, updated_us) "
            "VALUES(?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(info.id)
        .bind(info.position.version)
        .bind(info.snapshot)
        .bind(info.type)
        .bind(labels)
        .bind(info.forked_from)
        .bind(microseconds(info.created))
        .bind(microseconds(info.updated))
        .run();
}

[[nodiscard]] inline Record record_of(const Statement& query, std::string_view id) {
    Record out;
    out.seq = query.number(0);
    out.kind = store_detail::kind_of_name(query.text(1), id, out.seq);
    out.format = static_cast<int>(query.integer(2));
    out.at = store_detail::timestamp_of(query.integer(3));
    out.call_id = query.text(4);
    out.body = query.text(5);
    store_detail::require_checksum(out, query.is_null(6) ? std::nullopt : std::optional(query.integer(6)), id);
    return out;
}

/// Returns records from `first` to `last`, as many as make a page.
[[nodiscard]] inline std::vector<Record> page(Database& database, std::string_view id, std::int64_t key,
                                              std::uint64_t first, std::uint64_t last) {
    constexpr std::size_t most_records = 1000;
    constexpr std::size_t most_bytes = 4'000'000;
    Statement query =
        database.statement(database.has_checksums() ? "SELECT " ACTA_SQLITE_RECORD ", r.checksum" ACTA_SQLITE_RECORDS
                                                      " AND i.seq BETWEEN ? AND ? ORDER BY i.seq"
                                                    : "SELECT " ACTA_SQLITE_RECORD ", NULL" ACTA_SQLITE_RECORDS
                                                      " AND i.seq BETWEEN ? AND ? ORDER BY i.seq");
    query.bind(key).bind(first).bind(last);
    std::vector<Record> out;
    std::size_t bytes = 0;
    while (out.size() < most_records && bytes < most_bytes && query.step()) {
        out.push_back(record_of(query, id));
        bytes += out.back().body.size();
    }
    return out;
}

/// Returns whether the record after `version` was stored by this append.
[[nodiscard]] inline bool has_token(Database& database, std::int64_t key, std::uint64_t version,
                                    std::span<const NewRecord> records) {
    if (records.empty() || records.front().token.empty()) return false;
    Statement query = database.statement("SELECT 1 FROM record WHERE history = ? AND seq = ? AND token = ?");
    return query.bind(key).bind(version + 1).bind(records.front().token).step();
}

}  // namespace sqlite_detail

namespace sqlite {

ACTA_INLINE Store::Store(const std::filesystem::path& file, const Options& options)
    : database_(std::make_unique<sqlite_detail::Database>(file, options)) {}
ACTA_INLINE Store::~Store() = default;

ACTA_INLINE HistoryInfo Store::create(std::string_view id, std::string_view type, const JsonObject& labels) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, id);
    store_detail::require_id(id);
    store_detail::require_labels(id, labels);
    HistoryInfo info;
    info.id = id;
    info.type = type;
    info.labels = labels;
    info.created = info.updated = Timestamp::now();
    sqlite_detail::Transaction transaction(*database_);
    sqlite_detail::insert_history(*database_, info);
    transaction.commit();
    return info;
}

ACTA_INLINE std::optional<HistoryInfo> Store::find(std::string_view id) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, id);
    std::optional<sqlite_detail::Row> row = sqlite_detail::find_row(*database_, id);
    if (!row) return std::nullopt;
    if (row->erased) store_detail::throw_gone(id);
    store_detail::require_readable(row->info);
    return std::move(row->info);
}

ACTA_INLINE Appended Store::append(std::string_view id, Position at, std::span<const NewRecord> records) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, id);
    store_detail::require_id(id);
    store_detail::require_records(id, records);
    const std::int64_t now = sqlite_detail::microseconds(Timestamp::now());
    sqlite_detail::Transaction transaction(*database_);
    std::optional<std::int64_t> key;
    {
        sqlite_detail::Statement update = database_->statement(
            "UPDATE history SET head = head + ?, updated_us = ?, snapshot = max(snapshot, ?) "
            "WHERE id = ? AND head = ? AND epoch = ? AND erased_us IS NULL RETURNING key");
        update.bind(records.size())
            .bind(now)
            .bind(store_detail::newest_snapshot(records, at.version + 1, 0))
            .bind(id)
            .bind(at.version)
            .bind(at.epoch);
        if (update.step()) key = update.integer(0);
        while (update.step()) {
        }
    }
    if (!key) {
        const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
        store_detail::require_epoch(id, at.epoch, row.info.position.epoch);
        if (!sqlite_detail::has_token(*database_, row.key, at.version, records))
            store_detail::throw_conflict(id, at.version, row.info.position.version);
        return {{at.version + records.size(), at.epoch}, true};
    }
    sqlite_detail::Statement insert = database_->statement(
        "INSERT INTO record(history, seq, kind, format, at_us, call_id, body, token, checksum) VALUES(?, ?, ?, ?, ?, "
        "?, "
        "?, ?, ?)");
    std::uint64_t seq = at.version;
    for (const NewRecord& one : records) {
        const std::string_view kind = to_string(one.kind);
        insert.bind(*key).bind(++seq).bind(kind).bind(std::int64_t{record_format}).bind(now);
        insert.bind(one.call_id).bind(one.body).bind(one.token);
        insert.bind(std::int64_t{store_detail::checksum(kind, one.call_id, one.body)}).run();
    }
    transaction.commit();
    return {{seq, at.epoch}, false};
}

// In pages, without the lock while the records are used. Records never change, so that those up to the version at the
// beginning are those of one moment.
ACTA_INLINE void Store::read(std::string_view id, RecordRange range, const std::function<bool(const Record&)>& each) {
    std::optional<store_detail::ReadingOrder> order;
    for (;;) {
        std::vector<Record> records;
        {
            const sqlite_detail::ConnectionLock lock(mutex_, *database_, id);
            const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
            if (!order) order.emplace(id, range.first, range.last, row.info.position.version);
            if (order->is_done()) return;
            records = sqlite_detail::page(*database_, id, row.key, order->next(), order->end());
        }
        if (records.empty()) order->throw_missing();
        for (const Record& record : records) {
            order->pass(record.seq);
            if (!each(record)) return;
        }
    }
}

ACTA_INLINE std::vector<HistoryInfo> Store::list(const HistoryQuery& query) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, {});
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    const std::int64_t before = query.updated_before ? sqlite_detail::microseconds(*query.updated_before) : never;
    sqlite_detail::Statement rows = database_->statement(
        "SELECT " ACTA_SQLITE_COLUMNS
        " FROM history WHERE erased_us IS NULL AND id >= ?1 AND substr(CAST(id AS BLOB), 1, ?2) = CAST(?1 AS BLOB) "
        "AND id > ?3 AND updated_us < ?4 ORDER BY id");
    rows.bind(query.id_prefix).bind(query.id_prefix.size()).bind(query.after).bind(before);
    std::vector<HistoryInfo> out;
    std::optional<std::string> last;
    while (out.size() < query.limit && rows.step()) {
        HistoryInfo info = std::move(sqlite_detail::row_of(rows).info);
        // The pages of a damaged index may lead back to each other.
        if (last && info.id <= *last) throw StoreCorrupt(database_->name() + ": its index of histories is damaged", 0);
        last = info.id;
        if (store_detail::has_labels(info, query.labels)) out.push_back(std::move(info));
    }
    return out;
}

ACTA_INLINE HistoryInfo Store::fork(std::string_view id, std::uint64_t at, std::string_view new_id) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
    store_detail::require_version(id, at, row.info.position.version);
    HistoryInfo info = row.info;
    info.id = new_id;
    info.forked_from = std::string(id) + "@" + std::to_string(at);
    info.position = {at, 0};
    info.created = info.updated = Timestamp::now();
    info.lease.reset();
    {
        sqlite_detail::Statement newest = database_->statement(
            "SELECT coalesce(max(seq), 0) FROM record WHERE history = ? AND seq <= ? AND kind = 'snapshot'");
        newest.bind(row.key).bind(at).step();
        info.snapshot = newest.number(0);
    }
    sqlite_detail::insert_history(*database_, info);
    database_
        ->statement(
            "INSERT INTO record(history, seq, kind, format, at_us, call_id, body, checksum) SELECT (SELECT key FROM "
            "history WHERE id = ?), " ACTA_SQLITE_RECORD ", r.checksum" ACTA_SQLITE_RECORDS " AND i.seq <= ?")
        .bind(new_id)
        .bind(row.key)
        .bind(at)
        .run();
    transaction.commit();
    return info;
}

ACTA_INLINE Lease Store::acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
    const Timestamp now = Timestamp::now();
    store_detail::require_free(row.info, holder, now);
    const Lease lease{std::string(holder), row.info.position.epoch + 1, now + store_detail::lease_time(time)};
    database_->statement("UPDATE history SET epoch = ?, holder = ?, lease_until_us = ? WHERE key = ?")
        .bind(lease.epoch)
        .bind(lease.holder)
        .bind(sqlite_detail::microseconds(lease.until))
        .bind(row.key)
        .run();
    transaction.commit();
    return lease;
}

ACTA_INLINE Lease Store::renew(std::string_view id, const Lease& lease, std::chrono::microseconds time) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
    store_detail::require_epoch(id, lease.epoch, row.info.position.epoch);
    if (!row.info.lease) store_detail::throw_lost(id, "the lease was released");
    Lease longer = *row.info.lease;
    longer.until = Timestamp::now() + store_detail::lease_time(time);
    database_->statement("UPDATE history SET lease_until_us = ? WHERE key = ?")
        .bind(sqlite_detail::microseconds(longer.until))
        .bind(row.key)
        .run();
    transaction.commit();
    return longer;
}

ACTA_INLINE void Store::release(std::string_view id, const Lease& lease) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
    database_->statement("UPDATE history SET holder = NULL, lease_until_us = NULL WHERE key = ? AND epoch = ?")
        .bind(row.key)
        .bind(lease.epoch)
        .run();
    transaction.commit();
}

ACTA_INLINE void Store::erase(std::string_view id) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const std::optional<sqlite_detail::Row> row = sqlite_detail::find_row(*database_, id);
    if (!row) store_detail::throw_not_found(id);
    database_->statement("DELETE FROM record WHERE history = ?").bind(row->key).run();
    database_
        ->statement(
            "UPDATE history SET erased_us = coalesce(erased_us, ?), head = 0, snapshot = 0, type = '', labels = '{}', "
            "forked_from = '', holder = NULL, lease_until_us = NULL WHERE key = ?")
        .bind(sqlite_detail::microseconds(Timestamp::now()))
        .bind(row->key)
        .run();
    transaction.commit();
}

#undef ACTA_SQLITE_COLUMNS
#undef ACTA_SQLITE_RECORD
#undef ACTA_SQLITE_RECORDS

ACTA_INLINE void Store::backup(const std::filesystem::path& file) {
    const sqlite_detail::ConnectionLock lock(mutex_, *database_, {});
    std::error_code error;
    if (std::filesystem::exists(std::filesystem::symlink_status(file, error)))
        throw StoreError(database_->name() + ": the backup '" + file.string() + "' is there already");
    const std::string target = file.string();
    sqlite_detail::make_private_file(file);
    // VACUUM prefers SQLite's own json_valid, which is unsafe before 3.42; it checks no rows.
    const auto trust = [this](int on) {
        sqlite3_db_config(database_->get(), SQLITE_DBCONFIG_TRUSTED_SCHEMA, on, nullptr);
    };
    try {
        trust(1);
        database_->statement("VACUUM INTO ?").bind(target).run();
        trust(0);
    } catch (...) {
        trust(0);
        std::filesystem::remove(file, error);  // what was written until then is not a backup
        std::filesystem::remove(file.string() + "-journal", error);
        throw;
    }
}

}  // namespace sqlite

}  // namespace acta::inline ACTA_ABI
