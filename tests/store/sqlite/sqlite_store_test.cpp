// SPDX-License-Identifier: MIT
#include "acta/store/sqlite/store.hpp"

#include <sqlite3.h>

#include <filesystem>
#include <fstream>
#include <memory>
#include <string>

#include "acta/store/stored_history.hpp"
#include "acta/testing/store_conformance.hpp"
#include "store/sqlite/folder.hpp"
#include "support/catch.hpp"

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

}  // namespace

TEST_CASE("the store in SQLite keeps the promises of a store") {
    const Folder folder;
    acta::sqlite::Store store(folder.file(), {.synchronous = acta::sqlite::Synchronous::normal});
    const auto again = [&] { return std::make_unique<acta::sqlite::Store>(folder.file()); };
    for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) {
        INFO(check.guarantee << ": " << check.name);
        CHECK_NOTHROW(check.run({store, again}));
    }
}

TEST_CASE("a file that is no store is refused and stays as it is") {
    const Folder folder;
    std::ofstream(folder.file("text.db")) << std::string(2000, 'x');
    CHECK_THAT(fault(folder.file("text.db")), contains_text("file is not a database"));
    sql(folder.file("other.db"), "CREATE TABLE mine(a); INSERT INTO mine VALUES(1)");
    CHECK_THAT(fault(folder.file("other.db")), contains_text("it is the database of another application"));
    sql(folder.file("other.db"), "SELECT a FROM mine");
    { const acta::sqlite::Store store(folder.file()); }
    sql(folder.file(), "PRAGMA user_version=2");
    CHECK_THAT(fault(folder.file()), contains_text("its layout 2 is newer than this acta"));
    CHECK_THAT(fault(folder.file("none/runs.db")), contains_text("unable to open database file"));
    CHECK_THAT(fault(folder / ""), contains_text("unable to open database file"));
}

TEST_CASE("a record of an unknown kind or format is newer") {
    const Folder folder;
    acta::sqlite::Store store(folder.file());
    {
        Stored run = Stored::open(store, "task");
        run.append_user_feedback("a");
    }
    sql(folder.file(), "UPDATE record SET format = 2");
    CHECK_THROWS_AS(Stored::open(store, "task"), acta::StoreTooNew);
    sql(folder.file(), "UPDATE record SET format = 1, kind = 'dream'");
    CHECK_THROWS_AS(Stored::open(store, "task"), acta::StoreTooNew);
    sql(folder.file(), "UPDATE record SET kind = 'feedback'");
    CHECK(Stored::open(store, "task").position().version == 1);
}

TEST_CASE("a store waits for another process that writes, but not for ever") {
    const Folder folder;
    acta::sqlite::Store store(folder.file(), {.busy_timeout = std::chrono::milliseconds(30)});
    Stored run = Stored::open(store, "task");
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
    Stored run = Stored::open(store, "task");
    run.append_user_feedback("a");
    store.backup(folder.file("copy's.db"));
    run.append_user_feedback("b");
    acta::sqlite::Store copy(folder.file("copy's.db"));
    Stored copied = Stored::open(copy, "task");
    CHECK(copied.position().version == 1);
    copied.append_user_feedback("c");
    CHECK_THROWS_AS(store.backup(folder.file("copy's.db")), acta::StoreError);
}
