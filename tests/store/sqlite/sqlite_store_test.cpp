// SPDX-License-Identifier: MIT
#include "acta/store/sqlite/store.hpp"

#include <sqlite3.h>
#if !defined(_WIN32)
#include <sys/stat.h>
#endif

#include <chrono>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <memory>
#include <string>
#include <thread>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/store/stored_history.hpp"
#include "acta/testing/store_conformance.hpp"
#include "store/sqlite/folder.hpp"
#include "store/store_content.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"
#include "support/paths.hpp"

namespace {

namespace fs = std::filesystem;
using Stored = acta::StoredHistory<>;

using Folder = TemporaryFolder;

std::string fault(const fs::path& file) {
    try {
        const acta::sqlite::Store store(file);
        return "nothing was thrown";
    } catch (const acta::StoreError& error) {
        return error.what();
    }
}
void sql(const fs::path& file, const std::string& text) {
    sqlite3* raw = nullptr;
    REQUIRE(sqlite3_open(file.string().c_str(), &raw) == SQLITE_OK);
    CHECK(sqlite3_exec(raw, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(raw);
}

template <class Change>
std::string change_fault(const Change& change) {
    try {
        change();
        return "nothing was thrown";
    } catch (const acta::StoreError& error) {
        return error.what();
    }
}

/// Changes a body, or removes a record, as another program would.
auto damage_in(const fs::path& file) {
    return [file](const std::string& id, std::uint64_t seq, const std::string& body) {
        const std::string row =
            " WHERE seq = " + std::to_string(seq) + " AND history = (SELECT key FROM history WHERE id = '" + id + "')";
        sql(file, body.empty() ? "DELETE FROM record" + row : "UPDATE record SET body = '" + body + "'" + row);
    };
}

}  // namespace

TEST_CASE("the store in SQLite keeps the promises of a store") {
    const Folder folder;
    acta::sqlite::Store store(folder.file(), {.synchronous = acta::sqlite::Synchronous::normal});
    const auto again = [&] { return std::make_unique<acta::sqlite::Store>(folder.file()); };
    for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) {
        INFO(check.guarantee << ": " << check.name);
        CHECK_NOTHROW(check.run({store, again, damage_in(folder.file())}));
    }
    check_messages_of_ids(store);
}

TEST_CASE("a file that is no store is refused and stays as it is") {
    const Folder folder;
    std::ofstream(folder.file("text.db")) << std::string(2000, 'x');
    CHECK_THAT(fault(folder.file("text.db")), contains_text("file is not a database"));
    sql(folder.file("other.db"), "CREATE TABLE mine(a); INSERT INTO mine VALUES(1)");
    CHECK_THAT(fault(folder.file("other.db")), contains_text("it is the database of another application"));
    sql(folder.file("other.db"), "SELECT a FROM mine");
    sql(folder.file("early.db"), "PRAGMA application_id=1094931521");
    CHECK_THAT(fault(folder.file("early.db")), contains_text("it is the database of another application"));
    { const acta::sqlite::Store store(folder.file()); }
    sql(folder.file(), "PRAGMA user_version=3");
    CHECK_THAT(fault(folder.file()), contains_text("its layout 3 is newer than this acta"));
    CHECK_THAT(fault(folder.file("none/runs.db")), contains_text("No such file or directory"));
    CHECK_THAT(fault(folder / ""), contains_text("it is not a regular file"));
}

TEST_CASE("a record of an unknown kind or format is newer") {
    const Folder folder;
    acta::sqlite::Store store(folder.file());
    {
        Stored run = Stored::open_or_create(store, "task");
        run.append_user_feedback("a");
    }
    sql(folder.file(), "UPDATE record SET format = 2");
    CHECK_THROWS_AS(Stored::open_or_create(store, "task"), acta::StoreTooNew);
    sql(folder.file(), "UPDATE record SET format = 1, kind = 'dream'");
    CHECK_THROWS_AS(Stored::open_or_create(store, "task"), acta::StoreTooNew);
    sql(folder.file(), "UPDATE record SET kind = 'feedback'");
    CHECK(Stored::open_or_create(store, "task").position().version == 1);
}

TEST_CASE("a store waits for another process that writes, but not for ever") {
    const Folder folder;
    acta::sqlite::Store store(folder.file(), {.busy_timeout = std::chrono::milliseconds(30)});
    Stored run = Stored::open_or_create(store, "task");
    sqlite3* raw = nullptr;
    REQUIRE(sqlite3_open(folder.file().string().c_str(), &raw) == SQLITE_OK);
    REQUIRE(sqlite3_exec(raw, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
    try {
        run.append_user_feedback("a");
        FAIL("nothing was thrown");
    } catch (const acta::StoreError& error) {
        CHECK_THAT(std::string(error.what()), contains_text("database is locked"));
        CHECK_THAT(std::string(error.what()), contains_text("runs.db"));
    }
    CHECK(run.position().version == 0);
    sqlite3_exec(raw, "ROLLBACK", nullptr, nullptr, nullptr);
    sqlite3_close(raw);
    run.append_user_feedback("a");
    CHECK(run.position().version == 1);
}

TEST_CASE("a copy of the file is a store") {
    const Folder folder;
    acta::sqlite::Store store(folder.file());
    Stored run = Stored::open_or_create(store, "task");
    run.append_user_feedback("a");
    store.backup(folder.file("copy's.db"));
    run.append_user_feedback("b");
    acta::sqlite::Store copy(folder.file("copy's.db"));
    Stored copied = Stored::open_or_create(copy, "task");
    CHECK(copied.position().version == 1);
    copied.append_user_feedback("c");
    CHECK_THROWS_AS(store.backup(folder.file("copy's.db")), acta::StoreError);
}

TEST_CASE("names under which SQLite keeps nothing are refused, with advice") {
    for (const char* name : {"", ":memory:", "file::memory:?cache=shared", "file:runs.db?mode=memory", "file:"})
        CHECK_THAT(fault(name), contains_text("use acta::MemoryStore"));
    CHECK_THAT(fault("/dev/null"), contains_text("it is not a regular file"));
}

TEST_CASE("a file that is replaced, deleted or moved while it is open is not written on") {
    const Folder folder;
    const auto after = [&](const char* name, const auto& change) {
        acta::sqlite::Store store(folder.file(name));
        Stored run = Stored::open_or_create(store, "task");
        run.append_user_feedback("a");
        change(folder.file(name));
        CHECK_THAT(change_fault([&] { run.append_user_feedback("b"); }),
                   contains_text("the file was replaced, deleted or moved while it was open"));
        CHECK_THAT(change_fault([&] { static_cast<void>(store.find("task")); }), contains_text("was replaced"));
        CHECK(lvalue(run.snapshot()).pending_feedback().size() == 1);
    };
    after("deleted.db", [](const fs::path& file) { fs::remove(file); });
    after("moved.db", [&](const fs::path& file) { fs::rename(file, folder.file("elsewhere.db")); });
    after("replaced.db", [&](const fs::path& file) {
        { const acta::sqlite::Store other(folder.file("other.db")); }
        fs::rename(folder.file("other.db"), file);
    });
}

TEST_CASE("a backup that fails leaves nothing, and takes nothing's place") {
    const Folder folder;
    acta::sqlite::Store store(folder.file());
    Stored::open_or_create(store, "task").append_user_feedback("a");
    CHECK_THROWS_AS(store.backup(folder.file("none/copy.db")), acta::StoreError);
    CHECK_FALSE(fs::exists(folder.file("none")));
    std::ofstream(folder.file("mine.txt")) << "mine";
    CHECK_THAT(change_fault([&] { store.backup(folder.file("mine.txt")); }), contains_text("is there already"));
    CHECK(fs::file_size(folder.file("mine.txt")) == 4);
    sql(folder.file(), "UPDATE history SET id = id");  // the store itself still works
    CHECK_NOTHROW(store.backup(folder.file("copy.db")));
}

TEST_CASE("a file of the first layout is read, and has checksums from then on") {
    const Folder folder;
    {
        acta::sqlite::Store store(folder.file());
        Stored::open_or_create(store, "task").append_user_feedback("a");
    }
    sql(folder.file(), read_file(paths::source("docs/sql/sqlite.sql")));  // such files have views
    sql(folder.file(),
        "ALTER TABLE record DROP COLUMN token; ALTER TABLE record DROP COLUMN checksum; "
        "PRAGMA user_version=1");
    {
        acta::sqlite::Store reader(folder.file(), {.read_only = true});
        CHECK(lvalue(Stored::open_or_create(reader, "task").snapshot()).pending_feedback().size() == 1);
    }
    acta::sqlite::Store store(folder.file());
    Stored run = Stored::open_or_create(store, "task");
    run.append_user_feedback("b");
    CHECK(Stored::open_or_create(store, "task").position().version == 2);
    damage_in(folder.file())("task", 1, R"({"text":"x"})");  // which had no checksum
    CHECK_NOTHROW(Stored::open_or_create(store, "task"));
    damage_in(folder.file())("task", 2, R"({"text":"x"})");
    CHECK_THROWS_AS(Stored::open_or_create(store, "task"), acta::StoreCorrupt);
}

TEST_CASE("a reader changes nothing, leaves no files, and sees what a writer adds") {
    const Folder folder;
    CHECK_THROWS_AS(acta::sqlite::Store(folder.file(), {.read_only = true}), acta::StoreError);
    CHECK_FALSE(fs::exists(folder.file()));
    {
        acta::sqlite::Store store(folder.file());
        Stored::open_or_create(store, "task").append_user_feedback("a");
    }
    acta::sqlite::Store reader(folder.file(), {.read_only = true});
    CHECK(reader.find("task")->position.version == 1);
    CHECK_FALSE(fs::exists(folder.file().string() + "-wal"));
    CHECK_FALSE(fs::exists(folder.file().string() + "-shm"));
    CHECK_THROWS_AS(reader.create("other"), acta::StoreError);
    acta::sqlite::Store writer(folder.file());
    Stored::open_or_create(writer, "task").append_user_feedback("b");
    CHECK(reader.find("task")->position.version == 2);
}

TEST_CASE("a reader opens a file whatever characters are in its name") {
    const Folder folder;
#if defined(_WIN32)
    const fs::path file = folder.file("a#b%20c%.db");
#else
    const fs::path file = folder.file("a?b#c%20d%.db");
#endif
    {
        acta::sqlite::Store store(file);
        Stored::open_or_create(store, "task").append_user_feedback("a");
    }
    acta::sqlite::Store reader(file, {.read_only = true});
    CHECK(reader.find("task")->position.version == 1);
}

TEST_CASE("records are read 4 000 000 bytes or 1000 records at a time, without a lock while they are passed on") {
    const auto read_with_first = [](std::vector<std::size_t> sizes) {  // what is passed on before an erasure shows
        const Folder folder;
        acta::sqlite::Store store(folder.file());
        acta::sqlite::Store other(folder.file());
        store.create("task");
        std::vector<acta::NewRecord> records;
        for (const std::size_t size : sizes)
            records.push_back({acta::RecordKind::note, {}, R"({"text":")" + std::string(size - 11, 'x') + R"("})"});
        store.append("task", {}, records);
        std::size_t count = 0;
        CHECK_THROWS_AS(store.read("task", {},
                                   [&](const acta::Record&) {
                                       if (++count == 1) other.erase("task");
                                       return true;
                                   }),
                        acta::StoreGone);
        return count;
    };
    CHECK(read_with_first({4'000'000, 20, 20}) == 1);
    CHECK(read_with_first({3'999'999, 20, 20}) == 2);
    CHECK(read_with_first(std::vector<std::size_t>(1001, 20)) == 1000);
}

TEST_CASE("a history is created now") {
    const Folder folder;
    acta::sqlite::Store store(folder.file());
    const acta::Timestamp before = acta::Timestamp::now();
    const acta::HistoryInfo made = store.create("task");
    CHECK(made.created.local >= before.local);
    CHECK(made.created.local <= acta::Timestamp::now().local);
    CHECK(made.updated == made.created);
    CHECK(store.find("task")->created == made.created);
}

TEST_CASE("a head or a snapshot that cannot be is an error of that history alone") {
    const Folder folder;
    acta::sqlite::Store store(folder.file());
    for (const char* id : {"fine", "head", "snapshot"}) Stored::open_or_create(store, id).append_user_feedback("a");
    sql(folder.file(),
        "UPDATE history SET head = -1 WHERE id = 'head'; "
        "UPDATE history SET snapshot = 7 WHERE id = 'snapshot'");
    CHECK_THAT(change_fault([&] { static_cast<void>(store.find("head")); }),
               contains_text("history 'head': one of its numbers is below 0"));
    CHECK_THAT(change_fault([&] { static_cast<void>(Stored::open_or_create(store, "snapshot")); }),
               contains_text("history 'snapshot': it has 1 records, and its newest snapshot is said to be record 7"));
    const auto read_one = [](const acta::Record&) { return true; };
    for (const char* id : {"head", "snapshot"}) {
        CHECK_THROWS_AS(store.read(id, {}, read_one), acta::StoreCorrupt);
        CHECK_THROWS_AS(store.fork(id, 0, "fork"), acta::StoreCorrupt);
        CHECK_THROWS_AS(store.acquire(id, "a", std::chrono::minutes(1)), acta::StoreCorrupt);
    }
    const std::vector<acta::HistoryInfo> all = store.list();
    REQUIRE(all.size() == 3);
    CHECK(all[0].unreadable.empty());
    CHECK_THAT(all[1].unreadable, contains_text("below 0"));
    CHECK_NOTHROW(store.erase("head"));
    sql(folder.file(), "UPDATE history SET head = 2, snapshot = 1 WHERE id = 'snapshot'");
    CHECK_THROWS_AS(Stored::open_or_create(store, "snapshot"), acta::StoreCorrupt);
    sql(folder.file(), "UPDATE history SET head = 1 WHERE id = 'snapshot'");
    CHECK_THAT(change_fault([&] { static_cast<void>(Stored::open_or_create(store, "snapshot")); }),
               contains_text("record 1: it is not a snapshot, and the history says that it is"));
}

TEST_CASE("a lease may last longer than any calendar") {
    const Folder folder;
    acta::sqlite::Store store(folder.file());
    store.create("task");
    const acta::Lease lease = store.acquire("task", "a", std::chrono::microseconds::max());
    CHECK(lease.until.instant() > acta::Timestamp::now().instant());
    CHECK(store.renew("task", lease, std::chrono::microseconds::max()).until.instant() >= lease.until.instant());
}

namespace {

/// A file with a history "task" of one record, whose definitions are then changed.
fs::path changed_file(const Folder& folder, const char* name, const std::string& change) {
    const fs::path file = folder.file(name);
    {
        acta::sqlite::Store store(file);
        Stored::open_or_create(store, "task").append_user_feedback("a");
    }
    sql(file, change);
    return file;
}

std::string reading_fault(const fs::path& file) {
    for (const bool read_only : {true, false}) {
        try {
            acta::sqlite::Store store(file, {.read_only = read_only});
            for (const acta::HistoryInfo& info : store.list())
                static_cast<void>(Stored::open_or_create(store, info.id));
            return "nothing was thrown";
        } catch (const acta::StoreCorrupt& error) {
            CHECK(error.seq() == 0);  // it is not about a record
            if (!read_only) return error.what();
        }
    }
    return {};
}

}  // namespace

TEST_CASE("a file whose tables are not as acta defines them is refused, whatever they are instead") {
    const Folder folder;
    const std::string columns =
        "key, id, forked_from, head, snapshot, type, labels, created_us, updated_us, epoch, holder, "
        "lease_until_us, erased_us";
    int n = 0;
    for (const std::string& change :
         {std::string(
              "ALTER TABLE history RENAME TO old; CREATE VIEW history(" + columns +
              ") AS WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, 'h' || i, '', 0, 0, "
              "'', '{}', 0, 0, 0, NULL, NULL, NULL FROM n"),
          std::string(
              "ALTER TABLE record RENAME TO old; CREATE VIEW record AS SELECT history, seq, kind, format, at_us, "
              "call_id, hex(zeroblob(500000000)) AS body, token, checksum FROM old"),
          std::string("PRAGMA foreign_keys=OFF; DROP TABLE record"),
          std::string("ALTER TABLE record ADD COLUMN more TEXT AS (hex(zeroblob(100000000)))"),
          std::string("ALTER TABLE history ADD COLUMN more TEXT"),
          std::string("CREATE INDEX slow ON record(length(body))"),
          std::string("CREATE INDEX part ON record(body) WHERE length(body) > 1"),
          std::string("CREATE INDEX part ON record(body) WHERE kind > 'a'")}) {
        CAPTURE(change);
        const std::string said =
            reading_fault(changed_file(folder, ("f" + std::to_string(n++) + ".db").c_str(), change));
        CHECK_THAT(said, contains_text("acta"));
        CHECK_THAT(said, contains_text("defines it") || contains_text("is missing"));
    }
}

TEST_CASE("triggers of a file do not run, an index of columns is accepted, and views are left alone") {
    const Folder folder;
    const fs::path file =
        changed_file(folder, "runs.db",
                     "CREATE TRIGGER t AFTER INSERT ON record BEGIN DELETE FROM history; END; CREATE INDEX i ON "
                     "record(kind, at_us); CREATE VIEW step AS SELECT hex(zeroblob(1000000000)) AS history");
    acta::sqlite::Store store(file);
    Stored::open_or_create(store, "task").append_user_feedback("b");
    CHECK(store.list().size() == 1);
    sql(file, "DROP VIEW step");  // it is still there
}

TEST_CASE("a row with a number below 0 is corrupt") {
    const Folder folder;
    for (const std::string column : {"head", "epoch", "snapshot"})
        CHECK_THAT(reading_fault(changed_file(folder, column.c_str(), "UPDATE history SET " + column + " = -1")),
                   contains_text("history 'task': one of its numbers is below 0"));
    CHECK(reading_fault(changed_file(folder, "most", "UPDATE history SET epoch = 9223372036854775807")) ==
          "nothing was thrown");
}

#if !defined(_WIN32)
TEST_CASE("only its owner can read a new database, its backup and what is beside it") {
    const Folder folder;
    const ::mode_t mask = ::umask(0);
    {
        acta::sqlite::Store store(folder.file());
        Stored::open_or_create(store, "task").append_user_feedback("a");
        store.backup(folder.file("copy.db"));
        for (const char* const name : {"runs.db", "runs.db-wal", "runs.db-shm", "copy.db"}) {
            CAPTURE(name);
            CHECK(fs::status(folder.file(name)).permissions() == (fs::perms::owner_read | fs::perms::owner_write));
        }
    }
    ::umask(mask);
    fs::permissions(folder.file(), static_cast<fs::perms>(0644));
    { const acta::sqlite::Store store(folder.file()); }
    CHECK(fs::status(folder.file()).permissions() == static_cast<fs::perms>(0644));
}
#endif

TEST_CASE("a lease needs a holder's name") {
    const Folder folder;
    acta::sqlite::Store store(folder.file());
    store.create("task");
    CHECK_THAT(change_fault([&] { static_cast<void>(store.acquire("task", "", std::chrono::seconds(1))); }),
               contains_text("a lease needs a holder's name"));
}

TEST_CASE("a store may wait for any time for another process that writes") {
    using std::chrono::milliseconds;
    for (const milliseconds time : {milliseconds::min(), milliseconds(-1), milliseconds(0)}) {
        const Folder folder;
        acta::sqlite::Store store(folder.file(), {.busy_timeout = time});
        Stored run = Stored::open_or_create(store, "task");
        sqlite3* raw = nullptr;
        REQUIRE(sqlite3_open(folder.file().string().c_str(), &raw) == SQLITE_OK);
        REQUIRE(sqlite3_exec(raw, "BEGIN IMMEDIATE", nullptr, nullptr, nullptr) == SQLITE_OK);
        CHECK_THROWS_AS(run.append_user_feedback("a"), acta::StoreError);
        sqlite3_close(raw);
        run.append_user_feedback("a");
    }
    const Folder folder;
    sqlite3* raw = nullptr;
    REQUIRE(sqlite3_open(folder.file().string().c_str(), &raw) == SQLITE_OK);
    REQUIRE(sqlite3_exec(raw, "BEGIN EXCLUSIVE", nullptr, nullptr, nullptr) == SQLITE_OK);
    // It is also waited for while the file is made ready.
    const acta::jthread other([raw] {
        std::this_thread::sleep_for(milliseconds(30));
        sqlite3_close(raw);
    });
    acta::sqlite::Store store(folder.file(), {.busy_timeout = milliseconds::max()});
    Stored::open_or_create(store, "task").append_user_feedback("a");
    CHECK(store.find("task")->position.version == 1);
}
