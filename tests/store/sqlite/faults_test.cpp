// SPDX-License-Identifier: MIT
// A disk that is full or broken, at each access: a change is there or not, and the next one works.
#include <chrono>
#include <cstddef>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "acta/store/sqlite/store.hpp"
#include "acta/store/stored_history.hpp"
#include "store/sqlite/faulty_vfs.hpp"
#include "store/sqlite/folder.hpp"
#include "store/store_content.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

namespace {

namespace files = std::filesystem;
using Call = FaultyVfs::Call;
using FaultyRun = acta::StoredHistory<>;
using NewRecords = std::vector<acta::NewRecord>;

struct DiskFault {
    const char* name;
    Call call;
    int error;
    bool stays;
};
const std::vector<DiskFault> disk_faults = {
    // The first three are tried with every operation in all builds, the others only with one of them.
    {"the disk is full", Call::write, SQLITE_FULL, true},
    {"syncing fails", Call::sync, SQLITE_IOERR_FSYNC, true},
    {"reading fails", Call::read, SQLITE_IOERR_READ, true},
    {"the disk is full for a moment", Call::write, SQLITE_FULL, false},
    {"writing fails", Call::write, SQLITE_IOERR_WRITE, true},
    {"syncing fails once", Call::sync, SQLITE_IOERR_FSYNC, false},
    {"truncating fails", Call::truncate, SQLITE_IOERR_TRUNCATE, true},
    {"reading fails once", Call::read, SQLITE_IOERR_READ, false},
    {"there is no space for the index of the journal", Call::map, SQLITE_FULL, true},
    {"the index of the journal cannot be mapped", Call::map, SQLITE_IOERR_SHMMAP, false},
};

/// A file with a few histories, of which each try has a copy of its own.
class Template {
public:
    Template() {
        acta::sqlite::Store store(folder_.file());
        store.create("task", "ActionProposal", {{"team", "tides"}});
        NewRecords records(40, {acta::RecordKind::note, "call", std::string(900, 'x')});
        store.append("task", {}, records);
        store.create("other");
        store.append("other", {}, NewRecords{{acta::RecordKind::note, {}, "{}"}});
    }
    [[nodiscard]] files::path copy(const std::string& name) const {
        const files::path file = folder_ / (name + ".db");
        for (const char* end : {"", "-wal", "-shm"}) files::remove(file.string() + end);
        files::copy_file(folder_.file(), file, files::copy_options::overwrite_existing);
        return file;
    }

private:
    TemporaryFolder folder_{};
};

struct Operation {
    const char* name;
    std::function<void(acta::HistoryStore&)> run;
};
const std::vector<Operation> store_operations = {
    {"append",
     [](acta::HistoryStore& store) {
         const NewRecords records(6, {acta::RecordKind::snapshot, {}, std::string(3000, 'y')});
         store.append("task", {40, 0}, records);
     }},
    {"create",
     [](acta::HistoryStore& store) {
         store.create("new", "T", {{"a", 1}});
     }},
    {"fork", [](acta::HistoryStore& store) { store.fork("task", 30, "fork"); }},
    {"acquire", [](acta::HistoryStore& store) { store.acquire("task", "me", std::chrono::minutes(1)); }},
    {"erase", [](acta::HistoryStore& store) { store.erase("task"); }},
};

const acta::sqlite::Options short_wait{.busy_timeout = std::chrono::milliseconds(10)};

/// Returns the words of a `StoreError`; nothing if there is none.
std::string fault_of(const std::function<void()>& act) {
    try {
        act();
        return "";
    } catch (const acta::StoreError& error) {
        return error.what();
    }
}

std::string content_of(const files::path& file) {
    acta::sqlite::Store store(file);
    return content(store);
}

std::string content_after(const Template& made, const Operation& operation) {
    const files::path changed = made.copy("after");
    {
        acta::sqlite::Store store(changed);
        operation.run(store);
    }
    return content_of(changed);
}

/// A file without the record that `fail_each` appends to another history.
std::string without_addition(std::string text) {
    const std::size_t added = text.find("note  2\n");
    if (added != std::string::npos) text.erase(added, 8);
    const std::size_t line = text.find("other 2 ");
    if (line != std::string::npos) text[line + 6] = '1';
    return text;
}

/// Lets the n-th access fail, for each n. Returns how often the operation failed.
int fail_each(FaultyVfs& vfs, const Template& made, const DiskFault& fault, const Operation& operation) {
    INFO(operation.name << ", " << fault.name);
    const std::string before = content_of(made.copy("before"));
    const std::string after = content_after(made, operation);
    REQUIRE(before != after);
    int failed = 0;
    for (int n = 1;; ++n) {
        INFO("access " << n);
        const files::path file = made.copy("try");
        std::string error;
        bool reached = false;
        {
            acta::sqlite::Store store(file, short_wait);
            vfs.fail(fault.call, n, fault.error, fault.stays);
            error = fault_of([&] { operation.run(store); });
            reached = vfs.stop();
            CHECK((content(store) == (error.empty() ? after : before)));
            if (!error.empty()) {
                ++failed;
                CHECK_THAT(error, contains_text("try.db', history '"));
                acta::sqlite::Store second(file, short_wait);
                CHECK((content(second) == before));
                CHECK_NOTHROW(second.append("other", {1, 0}, NewRecords{{acta::RecordKind::note, {}, "2"}}));
                CHECK_NOTHROW(operation.run(store));
            }
        }
        if (!reached) return failed;
        CHECK((without_addition(content_of(file)) == after));
    }
}

}  // namespace

TEST_CASE("a disk that fails at any access leaves a change in SQLite whole or not there, and the next one works") {
    FaultyVfs vfs;
    const Template made;
    for (const DiskFault& fault : disk_faults) {
        // A connection maps the index when it is opened, and nothing is truncated until it is closed.
        if (fault.call == Call::map || fault.call == Call::truncate) continue;
        INFO(fault.name);
        const std::size_t first = static_cast<std::size_t>(&fault - disk_faults.data()) < 3 ? 0 : test_size(4, 0);
        int failed = 0;
        for (std::size_t i = first; i < store_operations.size(); ++i)
            failed += fail_each(vfs, made, fault, store_operations[i]);
        CHECK(failed > 0);
    }
}

TEST_CASE("an append to SQLite waits for the disk, if the options say so") {
    using acta::sqlite::Synchronous;
    FaultyVfs vfs;
    const Template made;
    for (const Synchronous waits : {Synchronous::full, Synchronous::normal}) {
        acta::sqlite::Options options = short_wait;
        auto& [synchronous, busy_timeout, read_only] = options;  // a new member is to be covered, too
        synchronous = waits;
        acta::sqlite::Store store(made.copy("waits"), options);
        store_operations[0].run(store);
        vfs.fail(FaultyVfs::Call::sync, 1, SQLITE_IOERR_FSYNC, true);
        const std::string error = fault_of([&] { store_operations[1].run(store); });
        vfs.stop();
        CHECK(error.empty() == (waits == Synchronous::normal));
    }
}

TEST_CASE("a stored history in SQLite is in memory what it is on a disk that fails") {
    FaultyVfs vfs;
    const Template made;
    for (const DiskFault& fault : disk_faults) {
        INFO(fault.name);
        for (int n = 1;; ++n) {
            INFO("access " << n);
            const files::path file = made.copy("try");
            acta::sqlite::Store store(file, short_wait);
            FaultyRun run = FaultyRun::open_or_create(store, "run");
            run.append_user_feedback("before");
            const auto before = run.snapshot();
            vfs.fail(fault.call, n, fault.error, fault.stays);
            const std::string error = fault_of([&] { run.append_user_feedback("after"); });
            const bool reached = vfs.stop();
            if (!error.empty()) {
                CHECK_THAT(error, contains_text("try.db', history 'run': "));
                CHECK(run.snapshot() == before);
                CHECK(run.position().version == 1);
                CHECK(FaultyRun::open_or_create(store, "run").snapshot() == before);
                run.append_user_feedback("after");
            }
            CHECK(run.position().version == 2);
            CHECK(run.take_pending_feedback() == std::vector<std::string>{"before", "after"});
            CHECK(FaultyRun::open_or_create(store, "run").snapshot() == run.snapshot());
            if (!reached) break;
        }
    }
}

TEST_CASE("a file that cannot be opened on a disk that fails can be opened later, with all that it had") {
    FaultyVfs vfs;
    const Template made;
    const files::path file = made.copy("old");
    const std::string before = content_of(file);
    for (const DiskFault& fault : disk_faults) {
        INFO(fault.name);
        int failed = 0;
        for (const bool is_new : {true, false}) {
            for (int n = 1;; ++n) {
                INFO("access " << n);
                const files::path tried = is_new ? file.string() + ".new" : made.copy("old").string();
                vfs.fail(fault.call, n, fault.error, fault.stays);
                const std::string error = fault_of([&] { const std::string found = content_of(tried); });
                const bool reached = vfs.stop();
                failed += error.empty() ? 0 : 1;
                if (!error.empty()) CHECK_THAT(error, contains_text(tried.filename().string()));
                CHECK(content_of(tried) == (is_new ? "" : before));
                for (const char* end : {"", "-wal", "-shm"}) files::remove(file.string() + ".new" + end);
                if (!reached) break;
            }
        }
        if (fault.call != Call::truncate) CHECK(failed > 0);  // that is the last a connection does, and needless
    }
}

TEST_CASE("memory that SQLite cannot get leaves a change whole or not there, and no transaction open") {
    const Template made;
    const std::string before = content_of(made.copy("before"));
    std::vector<Operation> operations = store_operations;
    operations.push_back({"read", [](acta::HistoryStore& store) { static_cast<void>(content(store)); }});
    for (const Operation& operation : operations) {
        INFO(operation.name);
        const std::string after = operation.name == std::string("read") ? before : content_after(made, operation);
        int failed = 0;
        for (sqlite3_int64 more = 0;; more += 512) {
            INFO(more << " bytes");
            const files::path file = made.copy("try");
            acta::sqlite::Store store(file, short_wait);
            sqlite3_hard_heap_limit64(sqlite3_memory_used() + more);
            const std::string error = fault_of([&] { operation.run(store); });
            sqlite3_hard_heap_limit64(0);
            const std::string& expected = error.empty() ? after : before;
            CHECK((content(store) == expected));
            if (error.empty()) break;
            ++failed;
            CHECK_THAT(error, contains_text("out of memory"));
            acta::sqlite::Store second(file, short_wait);
            CHECK((content(second) == expected));
            CHECK_NOTHROW(second.append("other", {1, 0}, NewRecords{{acta::RecordKind::note, {}, "2"}}));
        }
        CHECK(failed > 20);
    }
}

TEST_CASE("a file that cannot be opened for lack of memory can be opened later, with all that it had") {
    const Template made;
    const std::string before = content_of(made.copy("before"));
    for (const bool is_new : {true, false}) {
        int failed = 0;
        for (sqlite3_int64 more = 1;; more += 1024) {  // 0 would be no limit
            INFO(more << " bytes");
            files::path file = made.copy("old");
            if (is_new) {
                file += ".new";
                for (const char* end : {"", "-wal", "-shm"}) files::remove(file.string() + end);
            }
            bool is_open = false;
            sqlite3_hard_heap_limit64(sqlite3_memory_used() + more);
            try {
                const acta::sqlite::Store store(file, short_wait);
                is_open = true;
            } catch (const acta::StoreError& error) {
                CHECK_THAT(error.what(), contains_text("out of memory"));
            } catch (const std::bad_alloc&) {
            }
            sqlite3_hard_heap_limit64(0);
            CHECK(content_of(file) == (is_new ? "" : before));
            if (is_open) break;
            ++failed;
        }
        CHECK(failed > 20);
    }
}

TEST_CASE("a statement in SQLite that is interrupted at any instruction leaves no transaction open") {
    Interruptions interruptions;
    const Template made;
    const std::string before = content_of(made.copy("before"));
    for (const Operation& operation : store_operations) {
        INFO(operation.name);
        const std::string after = content_after(made, operation);
        acta::sqlite::Store store(made.copy("try"), short_wait);
        sqlite3* const connection = interruptions.connection();
        int failed = 0;
        for (int n = 1;; n += static_cast<int>(test_size(1 + static_cast<std::size_t>(n) / 20, 1))) {
            INFO("instruction " << n);
            interruptions.interrupt(n);
            const std::string error = fault_of([&] { operation.run(store); });
            const bool reached = interruptions.stop();
            CHECK(sqlite3_get_autocommit(connection) != 0);
            if (error.empty()) {
                CHECK(!reached);
                break;
            }
            ++failed;
            CHECK_THAT(error, contains_text("interrupted"));
            const std::string now = content(store);
            if (now == before) continue;
            CHECK((now == after));  // it was interrupted when the change was there
            break;
        }
        CHECK(failed > 20);
        CHECK((content(store) == after));
    }
}
