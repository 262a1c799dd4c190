// SPDX-License-Identifier: MIT
// Files that were cut, torn or changed by others, or may not be written.
#include <sys/wait.h>
#include <unistd.h>

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <filesystem>
#include <fstream>
#include <functional>
#include <iterator>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/store/sqlite/store.hpp"
#include "acta/store/stored_history.hpp"
#include "store/sqlite/faulty_vfs.hpp"
#include "store/sqlite/folder.hpp"
#include "store/store_content.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"
#include "support/temp_folder.hpp"

namespace {

namespace disk_files = std::filesystem;

std::string bytes_of(const disk_files::path& file) {
    std::ifstream in(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}
void write_bytes(const disk_files::path& file, std::string_view bytes) {
    std::ofstream(file, std::ios::binary).write(bytes.data(), static_cast<std::streamsize>(bytes.size()));
}
void run_sql(const disk_files::path& file, const std::string& text) {
    sqlite3* raw = nullptr;
    REQUIRE(sqlite3_open(file.string().c_str(), &raw) == SQLITE_OK);
    CHECK(sqlite3_exec(raw, text.c_str(), nullptr, nullptr, nullptr) == SQLITE_OK);
    sqlite3_close(raw);
}
/// Returns the words of a `StoreError`; nothing if there is none.
std::string store_fault(const std::function<void()>& act) {
    try {
        act();
        return "";
    } catch (const acta::StoreError& error) {
        return error.what();
    }
}
acta::NewRecord numbered_record(std::uint64_t n) {
    return {acta::RecordKind::feedback, {}, "{\"text\":\"" + std::to_string(n) + std::string(500, 'x') + "\"}"};
}
void append_numbered(acta::HistoryStore& store, std::uint64_t from, std::uint64_t to) {
    for (std::uint64_t n = from; n < to; ++n) {
        const std::vector<acta::NewRecord> one = {numbered_record(n + 1)};
        store.append("task", {n, 0}, one);
    }
}
/// Returns how many records there are, all of which are as they were appended.
std::uint64_t whole_records(acta::HistoryStore& store) {
    std::uint64_t count = 0;
    store.read("task", {}, [&count](const acta::Record& record) {
        REQUIRE(record.seq == ++count);
        REQUIRE(record.body == numbered_record(count).body);
        return true;
    });
    REQUIRE(store.find("task")->position.version == count);
    return count;
}

constexpr std::uint64_t in_file = 20;
constexpr std::uint64_t in_all = 50;

/// A file with 20 records, and the journal with 30 more that a killed program leaves.
struct Left {
    Left() {
        {
            acta::sqlite::Store store(folder.file());
            store.create("task");
            append_numbered(store, 0, in_file);
        }
        acta::sqlite::Store store(folder.file(), {.synchronous = acta::sqlite::Synchronous::normal});
        append_numbered(store, in_file, in_all);
        database = bytes_of(folder.file());
        journal = bytes_of(folder.file().string() + "-wal");
    }
    /// Returns a file with this journal, and what was made of it removed.
    [[nodiscard]] disk_files::path with_journal(std::string_view bytes) const {
        const disk_files::path file = folder.file("left.db");
        for (const char* end : {"", "-wal", "-shm"}) disk_files::remove(file.string() + end);
        write_bytes(file, database);
        write_bytes(file.string() + "-wal", bytes);
        return file;
    }

    TemporaryFolder folder{};
    std::string database{};
    std::string journal{};
};

/// Runs `act` as somebody whom permissions bind, in a process of its own. Returns what it returned, or nothing if that
/// cannot be.
std::optional<std::string> as_nobody(const std::function<std::string()>& act) {
    int ends[2];
    REQUIRE(pipe(ends) == 0);
    const pid_t child = fork();
    REQUIRE(child >= 0);
    if (child == 0) {
        constexpr uid_t nobody = 65534;
        if (geteuid() == 0 && seteuid(nobody) != 0) _exit(1);
        std::string out;
        try {
            out = act();
        } catch (const std::exception& error) {
            out = std::string("unexpected: ") + error.what();
        }
        const bool written = write(ends[1], out.data(), out.size()) == static_cast<ssize_t>(out.size());
        _exit(written ? 0 : 1);
    }
    close(ends[1]);
    std::string out;
    char part[512];
    for (ssize_t got = 0; (got = read(ends[0], part, sizeof part)) > 0;)
        out.append(part, static_cast<std::size_t>(got));
    close(ends[0]);
    int status = 0;
    REQUIRE(waitpid(child, &status, 0) == child);
    return status == 0 ? std::optional(out) : std::nullopt;
}

}  // namespace

TEST_CASE("a journal that was cut anywhere leaves the records before the cut, and writing goes on") {
    const FaultyVfs vfs;  // which does not wait for the disk
    const Left left;
    REQUIRE(left.journal.size() > 100'000);
    std::uint64_t before = in_file;
    for (std::size_t length = 0; length <= left.journal.size(); length += test_size(1777, 97)) {
        acta::sqlite::Store store(left.with_journal(left.journal.substr(0, length)));
        const std::uint64_t found = whole_records(store);
        CHECK(found >= before);
        before = found;
        append_numbered(store, found, found + 1);
        CHECK(whole_records(store) == found + 1);
    }
    acta::sqlite::Store store(left.with_journal(left.journal));
    CHECK(whole_records(store) == in_all);
    CHECK(before > in_all - 3);
}

TEST_CASE("a journal with a wrong byte leaves the records before it") {
    const FaultyVfs vfs;  // which does not wait for the disk
    const Left left;
    std::mt19937 random(5);
    std::uint64_t fewest = in_all;
    for (std::size_t round = 0; round < test_size(60, 2000); ++round) {
        std::string journal = left.journal;
        char& byte = journal[random() % journal.size()];
        byte = static_cast<char>(byte ^ (1 << random() % 8));
        acta::sqlite::Store store(left.with_journal(journal));
        const std::uint64_t found = whole_records(store);
        CHECK(found >= in_file);
        fewest = std::min(fewest, found);
    }
    CHECK(fewest < in_all);
}

TEST_CASE("a file that was cut is an error, or has all that it had") {
    const FaultyVfs vfs;  // which does not wait for the disk
    const Left left;
    std::size_t errors = 0;
    const auto open = [](const disk_files::path& file) {
        acta::sqlite::Store store(file);
        return acta::StoredHistory<>::open_or_create(store, "task").snapshot();
    };
    const auto whole = open(left.with_journal(""));
    REQUIRE(whole.pending_feedback().size() == in_file);
    // SQLite takes a file of one byte for a new one. It has no sums of its pages: where one was cut, bodies are no
    // JSON.
    for (std::size_t length = 2; length <= left.database.size(); length += test_size(1111, 53)) {
        INFO(length << " bytes");
        const disk_files::path file = left.with_journal("");
        write_bytes(file, std::string_view(left.database).substr(0, length));
        bool is_whole = false;
        const std::string error = store_fault([&] { is_whole = open(file) == whole; });
        CHECK(is_whole == error.empty());
        errors += error.empty() ? 0 : 1;
        if (!error.empty()) CHECK((error.find("left.db'") != error.npos || error.find("history 'task'") != error.npos));
    }
    CHECK(errors > 10);
}

TEST_CASE("a row whose labels are no object is an error that names the history, and others are there") {
    const TemporaryFolder folder;
    acta::sqlite::Store store(folder.file());
    store.create("task", {}, {{"team", "tides"}});
    store.create("other");
    for (const char* labels : {"[1]", "3", "null", "\"text\""}) {
        run_sql(folder.file(), "UPDATE history SET labels = '" + std::string(labels) + "' WHERE id = 'task'");
        for (const std::string& error : {store_fault([&] { static_cast<void>(store.find("task")); }), store_fault([&] {
                                             static_cast<void>(acta::StoredHistory<>::open_or_create(store, "task"));
                                         })})
            CHECK_THAT(error, contains_text("history 'task': its labels cannot be read: "));
        CHECK(store.find("other").has_value());
        const std::vector<acta::HistoryInfo> all = store.list();
        REQUIRE(all.size() == 2);
        CHECK(all[0].unreadable.empty());
        CHECK_THAT(all[1].unreadable, contains_text("its labels cannot be read: "));
    }
    CHECK_NOTHROW(store.erase("other"));
}

TEST_CASE("a body that is no JSON, or no text, is an error with its place") {
    const TemporaryFolder folder;
    acta::sqlite::Store store(folder.file());
    {
        auto run = acta::StoredHistory<>::open_or_create(store, "task");
        run.append_user_feedback("a");
        run.append_user_feedback("b");
    }
    const auto open = [&] { static_cast<void>(acta::StoredHistory<>::open_or_create(store, "task")); };
    run_sql(folder.file(), "UPDATE record SET body = '{\"text\": \"x\"}' WHERE seq = 2");
    CHECK_THAT(store_fault(open), contains_text("history 'task', record 2 (feedback): its checksum does not fit"));
    run_sql(folder.file(), "UPDATE record SET checksum = NULL, body = '{\"text\": ' WHERE seq = 2");
    CHECK_THAT(store_fault(open), contains_text("history 'task', record 2 (feedback): "));
    run_sql(folder.file(), "UPDATE record SET body = '' WHERE seq = 2");
    CHECK_THAT(store_fault(open), contains_text("history 'task', record 2 (feedback): "));
    run_sql(folder.file(), "UPDATE record SET body = '{\"text\": \"' || CAST(x'ff' AS TEXT) || '\"}' WHERE seq = 2");
    CHECK_THAT(store_fault(open), contains_text("history 'task', record 2 (feedback): "));
    run_sql(folder.file(), "UPDATE record SET body = '{\"text\": \"b\"}', kind = 'dream' WHERE seq = 2");
    CHECK_THAT(store_fault(open), contains_text("history 'task', record 2: this acta does not know its kind 'dream'"));
}

TEST_CASE("a file that may not be written can be read, and says what it is when it is written") {
    const TemporaryFolder folder;
    {
        acta::sqlite::Store store(folder.file());
        store.create("task");
        append_numbered(store, 0, 3);
    }
    disk_files::permissions(folder / "", disk_files::perms::all);
    disk_files::permissions(folder.file(), static_cast<disk_files::perms>(0444));
    const auto said = as_nobody([&] {
        return store_fault([&] {
            acta::sqlite::Store store(folder.file());
            if (whole_records(store) != 3) return;
            append_numbered(store, 3, 4);
        });
    });
    if (!said) ACTA_SKIP("no other user to be");
    CHECK_THAT(*said, contains_text("runs.db', history 'task': attempt to write a readonly database"));
    CHECK_THAT(*said, ends_with_text("; this process needs the right to write the file, its -wal and -shm files, and "
                                     "their folder"));
    disk_files::permissions(folder.file(), disk_files::perms::all);
    acta::sqlite::Store store(folder.file());
    CHECK(whole_records(store) == 3);
}

TEST_CASE("a folder that may not be written is an error that names the file, and nothing is made") {
    const TemporaryFolder folder;
    {
        acta::sqlite::Store store(folder.file());
        store.create("task");
        append_numbered(store, 0, 3);
    }
    disk_files::permissions(folder / "", static_cast<disk_files::perms>(0555));
    for (const char* name : {"runs.db", "new.db"}) {
        const auto said = as_nobody([&] {
            return store_fault([&] {
                acta::sqlite::Store store(folder.file(name));
                append_numbered(store, 3, 4);
            });
        });
        if (!said) ACTA_SKIP("no other user to be");
        CHECK_THAT(*said, contains_text(std::string(name) + "'"));
        CHECK_THAT(*said, !contains_text("unexpected"));
        if (name == std::string("new.db")) CHECK_THAT(*said, !contains_text("needs the right"));
    }
    disk_files::permissions(folder / "", disk_files::perms::all);
    CHECK_FALSE(disk_files::exists(folder.file("new.db")));
    acta::sqlite::Store store(folder.file());
    CHECK(whole_records(store) == 3);
}

TEST_CASE("a bit that is flipped anywhere in the file never changes a body without an error") {
    const TemporaryFolder folder;
    const std::string text(700, 'x');
    std::vector<std::string> bodies;
    {
        acta::sqlite::Store store(folder.file());
        auto run = acta::StoredHistory<>::open_or_create(store, "task");
        for (int i = 0; i < 40; ++i) run.append_user_feedback(std::to_string(i) + text);
        store.read("task", {}, [&](const acta::Record& record) {
            bodies.push_back(record.body);
            return true;
        });
    }
    const std::string whole = read_file(folder.file());
    std::mt19937_64 random(7);
    std::size_t refused = 0;
    std::size_t unchanged = 0;
    for (std::size_t round = 0; round < test_size(150, 20'000); ++round) {
        std::string damaged = whole;
        const std::size_t bit = random() % (8 * damaged.size());
        damaged[bit / 8] = static_cast<char>(static_cast<unsigned char>(damaged[bit / 8]) ^ (1U << (bit % 8)));
        write_file(folder.file("flipped.db"), damaged);
        INFO("bit " << bit);
        std::vector<std::string> found;
        try {
            acta::sqlite::Store store(folder.file("flipped.db"));
            static_cast<void>(acta::StoredHistory<>::open_or_create(store, "task"));
            store.read("task", {}, [&](const acta::Record& record) {
                found.push_back(record.body);
                return true;
            });
        } catch (const acta::StoreError&) {
            ++refused;
            continue;
        }
        if (found == bodies)
            ++unchanged;
        else
            CHECK(found.empty());  // no history of this id any more: its id was hit
    }
    CHECK(refused > 0);
    CHECK(unchanged > 0);
}

TEST_CASE("an entry of the index that points to another record does not give that record its number") {
    const TemporaryFolder folder;
    {
        acta::sqlite::Store store(folder.file());
        auto run = acta::StoredHistory<>::open_or_create(store, "task");
        for (int i = 0; i < 40; ++i) run.append_user_feedback(std::to_string(i));
    }
    std::string file = read_file(folder.file());
    // An entry of the index: a header of 4 bytes, the history (1, in the header), the number of the record, and its
    // row.
    const std::size_t entry = file.find("\x04\x09\x01\x01\x0b\x0b");
    REQUIRE(entry != std::string::npos);
    file[entry + 5] = 3;
    write_file(folder.file(), file);
    acta::sqlite::Store store(folder.file());
    CHECK_THROWS_AS(acta::StoredHistory<>::open(store, "task"), acta::StoreCorrupt);
}

TEST_CASE("a file is restored from a backup as the documentation says") {
    const TemporaryFolder folder;
    {
        acta::sqlite::Store store(folder.file());
        auto run = acta::StoredHistory<>::open_or_create(store, "task");
        run.append_user_feedback("kept");
        store.backup(folder.file("backup.db"));
        run.append_user_feedback("lost");
    }
    // Every program has ended. What a crash may have left beside the file belongs to the old one.
    for (const char* rest : {"-wal", "-shm"}) std::filesystem::remove(folder.file().string() + rest);
    std::filesystem::rename(folder.file("backup.db"), folder.file());
    acta::sqlite::Store store(folder.file());
    auto run = acta::StoredHistory<>::open_or_create(store, "task");
    CHECK(run.position().version == 1);
    run.append_user_feedback("and on");
    CHECK(run.position().version == 2);
}
