// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstdint>
#include <exception>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/testing/store_conformance.hpp"

namespace acta::inline ACTA_ABI {

namespace testing_detail {

using testing::CheckedStore;
using testing::CheckFailed;
using Records = std::vector<NewRecord>;

ACTA_INLINE void expect(bool holds, std::string_view what) {
    if (!holds) throw CheckFailed(std::string(what));
}
template <class A, class B>
void expect_equal(const A& found, const B& wanted, std::string_view what) {
    if (!(found == wanted)) throw CheckFailed(std::string(what) + " is not what was expected");
}
/// Expects an exception of a class, and of no class derived from it.
template <class E, class Do>
void expect_throw(const Do& act, std::string_view what) {
    try {
        act();
    } catch (const E& error) {
        expect(std::string_view(error.what()).find("history '") != std::string_view::npos,
               std::string(what) + ": the error does not name the history: " + error.what());
        return;
    } catch (const std::exception& error) {
        throw CheckFailed(std::string(what) + ": another error was thrown: " + error.what());
    }
    throw CheckFailed(std::string(what) + ": nothing was thrown");
}

/// Returns an id that no other check has.
[[nodiscard]] ACTA_INLINE std::string fresh_id() {
    static std::atomic<int> count{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return "check-" + std::to_string(now) + "-" + std::to_string(++count);
}
[[nodiscard]] ACTA_INLINE NewRecord record_of(std::string_view text, RecordKind kind = RecordKind::note) {
    return {kind, {}, "{\"text\":\"" + std::string(text) + "\"}"};
}
[[nodiscard]] ACTA_INLINE std::vector<Record> all(HistoryStore& store, std::string_view id, RecordRange range = {}) {
    std::vector<Record> out;
    store.read(id, range, [&out](const Record& record) {
        out.push_back(record);
        return true;
    });
    return out;
}
/// Makes a history with so many records.
[[nodiscard]] ACTA_INLINE std::string filled(HistoryStore& store, std::uint64_t count, const JsonObject& labels = {}) {
    std::string id = fresh_id();
    store.create(id, {}, labels);
    Records records;
    for (std::uint64_t i = 1; i <= count; ++i) records.push_back(record_of(std::to_string(i)));
    store.append(id, {}, records);
    return id;
}
ACTA_INLINE void expect_records(HistoryStore& store, std::string_view id, const Records& wanted,
                                std::string_view what) {
    const std::vector<Record> found = all(store, id);
    expect(found.size() == wanted.size(), std::string(what) + ": there are " + std::to_string(found.size()) +
                                              " records, and not " + std::to_string(wanted.size()));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        expect_equal(found[i].seq, i + 1, what);
        expect_equal(NewRecord(found[i].kind, found[i].call_id, found[i].body), wanted[i], what);
        expect_equal(found[i].format, record_format, what);
    }
}

ACTA_INLINE void keeps_what_was_appended(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    const HistoryInfo made = store.create(id, "ActionProposal", {{"team", "tides"}, {"try", 3}});
    expect_equal(made.position, Position{}, "the position of a new history");
    Records wanted;
    for (int kind = 0; kind <= static_cast<int>(RecordKind::snapshot); ++kind)
        wanted.push_back(
            {static_cast<RecordKind>(kind), kind % 2 == 0 ? "" : "call_1", "{\"n\":1.50,\"b\":1,\"a\":2}"});
    wanted.push_back(record_of("\\u0000 caf\xC3\xA9 \xF0\x9F\x8C\x8A \\ud83d \\\\ '\\\" %s $1"));
    wanted.push_back(record_of(std::string(1'000'000, 'x')));
    const Appended done = store.append(id, {}, std::span(wanted).first(3));
    expect_equal(done, Appended{{3, 0}, false}, "the answer to an append");
    expect_equal(store.append(id, done.position, std::span(wanted).subspan(3)).position.version, wanted.size(),
                 "the version after appending");
    expect_records(store, id, wanted, "what was appended");
    const std::optional<HistoryInfo> info = store.find(id);
    expect(info.has_value(), "the history is not found");
    expect_equal(info->type, "ActionProposal", "the type");
    expect_equal(info->labels, JsonObject{{"team", "tides"}, {"try", 3}}, "the labels");
    expect_equal(info->snapshot, std::uint64_t{13}, "the number of the newest snapshot");
    expect(!info->lease && info->forked_from.empty(), "a new history has a lease or a parent");
    expect(info->created.instant() <= info->updated.instant(), "it was updated before it was created");
    expect(!store.find(fresh_id()), "a history is found that nobody made");
}

ACTA_INLINE void keeps_it_for_others(const CheckedStore& checked) {
    if (!checked.open_again) return;
    const std::string id = filled(checked.store, 5);
    const Lease lease = checked.store.acquire(id, "a", std::chrono::minutes(1));
    const auto other = checked.open_again();
    expect_records(*other, id, {record_of("1"), record_of("2"), record_of("3"), record_of("4"), record_of("5")},
                   "what another process reads");
    expect_equal(other->find(id)->lease, std::optional(lease), "the lease that another process sees");
    expect_throw<LeaseLost>([&] { other->append(id, {5, 0}, Records{record_of("6")}); }, "appending without the lease");
}

ACTA_INLINE void appends_all_or_nothing(const CheckedStore& checked) {
    const std::string id = filled(checked.store, 2);
    const Records three = {record_of("a"), record_of("b"), record_of("c")};
    expect_throw<StoreConflict>([&] { checked.store.append(id, {1, 0}, three); }, "appending at an old version");
    expect_throw<StoreConflict>([&] { checked.store.append(id, {3, 0}, three); }, "appending at a future version");
    expect_throw<LeaseLost>([&] { checked.store.append(id, {2, 1}, three); }, "appending with a future epoch");
    expect_records(checked.store, id, {record_of("1"), record_of("2")}, "after what was refused");
    expect_equal(checked.store.append(id, {2, 0}, Records{}).position, Position{2, 0}, "appending nothing");
}

ACTA_INLINE void tells_a_writer_that_is_behind(const CheckedStore& checked) {
    const std::string id = filled(checked.store, 7);
    try {
        checked.store.append(id, {4, 0}, Records{record_of("other")});
    } catch (const StoreConflict& conflict) {
        expect_equal(conflict.expected(), std::uint64_t{4}, "the expected version");
        expect_equal(conflict.found(), std::uint64_t{7}, "the version found");
        return;
    }
    throw CheckFailed("a writer that is behind was not refused");
}

ACTA_INLINE void stores_a_repeated_append_once(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    const Records two = {record_of("a", RecordKind::feedback), record_of("b")};
    expect(!store.append(id, {2, 0}, two).already_there, "new records were there already");
    expect_equal(store.append(id, {2, 0}, two), Appended{{4, 0}, true}, "the answer to a repeated append");
    store.append(id, {4, 0}, Records{record_of("c")});
    expect_equal(store.append(id, {2, 0}, two), Appended{{4, 0}, true}, "the answer when more came after it");
    Records other = two;
    other[1].kind = RecordKind::message;
    expect_throw<StoreConflict>([&] { store.append(id, {2, 0}, other); }, "the same place with another kind");
    other = two;
    other[0].call_id = "call_0";
    expect_throw<StoreConflict>([&] { store.append(id, {2, 0}, other); }, "the same place with another call");
    other = {two[0], two[1], record_of("d")};
    expect_throw<StoreConflict>([&] { store.append(id, {2, 0}, other); }, "the same and something else");
    expect_records(store, id, {record_of("1"), record_of("2"), two[0], two[1], record_of("c")}, "after repetitions");
}

ACTA_INLINE void reads_ranges(const CheckedStore& checked) {
    const std::string id = filled(checked.store, 20);
    const std::vector<Record> some = all(checked.store, id, {5, 8});
    expect(some.size() == 4 && some.front().seq == 5 && some.back().seq == 8, "a range has other records");
    expect(all(checked.store, id, {19}).size() == 2, "the newest records are others");
    expect(all(checked.store, id, {21}).empty() && all(checked.store, id, {8, 5}).empty(), "an empty range is not");
    int count = 0;
    checked.store.read(id, {}, [&count](const Record&) { return ++count < 3; });
    expect(count == 3, "reading does not end when it is told to");
    struct Stop {};
    try {
        checked.store.read(id, {}, [](const Record&) -> bool { throw Stop(); });
        throw CheckFailed("an exception of the caller is lost");
    } catch (const Stop&) {
    }
    checked.store.append(id, {20, 0}, Records{record_of("after the exception")});
    checked.store.read(id, {1, 2}, [&](const Record& record) {
        return checked.store.find(id)->position.version == 21 && record.seq == 1;  // the store may be used meanwhile
    });
}

ACTA_INLINE void lets_one_write_by_lease(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const Lease first = store.acquire(id, "first", std::chrono::minutes(1));
    expect_equal(first.epoch, std::uint64_t{1}, "the epoch of the first lease");
    expect_throw<LeaseLost>([&] { store.append(id, {1, 0}, Records{record_of("x")}); }, "writing without the lease");
    expect_throw<LeaseLost>([&] { store.acquire(id, "second", std::chrono::minutes(1)); }, "a second lease");
    store.append(id, {1, 1}, Records{record_of("2")});
    const Lease longer = store.renew(id, first, std::chrono::minutes(2));
    expect(longer.epoch == 1 && longer.until.instant() > first.until.instant(), "a renewed lease is not longer");
    expect_equal(store.find(id)->lease, std::optional(longer), "the lease that is stated");
    store.release(id, longer);
    expect(!store.find(id)->lease, "a released lease is still there");
    expect_throw<LeaseLost>([&] { store.renew(id, longer, std::chrono::minutes(1)); }, "renewing a released lease");
    const Lease second = store.acquire(id, "second", std::chrono::milliseconds(20));
    expect_throw<LeaseLost>([&] { store.append(id, {2, 1}, Records{record_of("x")}); }, "writing after the lease");
    expect_throw<LeaseLost>([&] { store.renew(id, first, std::chrono::minutes(1)); }, "renewing an old lease");
    store.release(id, first);
    expect(store.find(id)->lease.has_value(), "an old lease released a new one");
    std::this_thread::sleep_for(std::chrono::milliseconds(40));
    const Lease third = store.acquire(id, "third", std::chrono::minutes(1));
    expect_throw<LeaseLost>([&] { store.append(id, {2, second.epoch}, Records{record_of("x")}); }, "an expired lease");
    store.append(id, {2, third.epoch}, Records{record_of("3")});
    expect_equal(store.acquire(id, "third", std::chrono::minutes(1)).epoch, third.epoch + 1,
                 "the epoch, started again");
    expect_records(store, id, {record_of("1"), record_of("2"), record_of("3")}, "after the leases");
}

ACTA_INLINE void forks_are_on_their_own(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 3, {{"team", "a"}});
    store.append(id, {3, 0}, Records{record_of("s", RecordKind::snapshot), record_of("5")});
    static_cast<void>(store.acquire(id, "parent", std::chrono::minutes(1)));
    const std::string fork = fresh_id();
    const HistoryInfo info = store.fork(id, 4, fork);
    expect_equal(info.id, fork, "the id of a fork");
    expect_equal(info.position, Position{4, 0}, "the position of a fork");
    expect_equal(info.snapshot, std::uint64_t{4}, "the snapshot of a fork");
    expect_equal(info.forked_from, id + "@4", "the parent of a fork");
    expect(!info.lease, "a fork has its parent's lease");
    expect_equal(info.labels, JsonObject{{"team", "a"}}, "the labels of a fork");
    expect_equal(store.find(fork), std::optional(info), "what is known of a fork");
    store.append(fork, {4, 0}, Records{record_of("f")});
    store.append(id, {5, 1}, Records{record_of("6")});
    const Records shared = {record_of("1"), record_of("2"), record_of("3"), record_of("s", RecordKind::snapshot)};
    Records wanted = shared;
    wanted.push_back(record_of("f"));
    expect_records(store, fork, wanted, "a fork after a change of its parent");
    expect_throw<StoreExists>([&] { store.fork(id, 2, fork); }, "a fork to an id that is there");
    expect_throw<StoreError>([&] { store.fork(id, 7, fresh_id()); }, "a fork at a version that is not there");
    const std::string early = fresh_id();
    expect_equal(store.fork(id, 0, early).position, Position{}, "a fork at the beginning");
    expect_equal(store.fork(id, 3, fresh_id()).snapshot, std::uint64_t{0}, "the snapshot of a fork before it");
    store.erase(id);
    expect_records(store, fork, wanted, "a fork after its parent was erased");
}

ACTA_INLINE void what_is_erased_is_gone(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    store.erase(id);
    store.erase(id);
    const auto gone = [&](const auto& act, std::string_view what) { expect_throw<StoreGone>(act, what); };
    gone([&] { store.append(id, {2, 0}, Records{record_of("late")}); }, "a late append");
    gone([&] { static_cast<void>(all(store, id)); }, "reading what is erased");
    gone([&] { static_cast<void>(store.find(id)); }, "finding what is erased");
    gone([&] { store.create(id); }, "creating it again");
    gone([&] { store.fork(id, 1, fresh_id()); }, "a fork of it");
    gone([&] { static_cast<void>(store.acquire(id, "a", std::chrono::minutes(1))); }, "a lease of it");
    const std::string other = filled(store, 1);
    gone([&] { store.fork(other, 1, id); }, "a fork to its id");
    expect(store.list({.id_prefix = id}).empty(), "what is erased is listed");
}

ACTA_INLINE void what_never_was_is_not_found(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    const auto missing = [&](const auto& act, std::string_view what) { expect_throw<StoreNotFound>(act, what); };
    missing([&] { store.append(id, {}, Records{record_of("1")}); }, "appending to no history");
    missing([&] { static_cast<void>(all(store, id)); }, "reading no history");
    missing([&] { store.fork(id, 0, fresh_id()); }, "a fork of no history");
    missing([&] { store.erase(id); }, "erasing no history");
    missing([&] { static_cast<void>(store.acquire(id, "a", std::chrono::minutes(1))); }, "a lease of no history");
    store.create(id);
    expect_throw<StoreExists>([&] { store.create(id); }, "creating it twice");
}

ACTA_INLINE void refuses_bad_ids(const CheckedStore& checked) {
    const std::array<std::string, 6> bad = {
        "", std::string(300, 'i'), "a/b", "line\nbreak", std::string("nul\0", 4), "\xFF\xFE"};
    for (const std::string& id : bad) {
        expect_throw<StoreError>([&] { checked.store.create(id); }, "creating a bad id");
        expect_throw<StoreError>([&] { static_cast<void>(checked.store.find(id)); }, "finding a bad id");
    }
    const std::string longest = fresh_id() + std::string(255, 'i');
    checked.store.create(longest.substr(0, 255));
    checked.store.create(fresh_id() + " 'quoted\" %_ \xE6\xBD\xAE;--");
}

ACTA_INLINE void lists_by_query(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string prefix = fresh_id() + "%_";
    for (const char* const name : {"b", "a", "c", "B"})
        store.create(prefix + name, {}, {{"team", name == std::string_view("c") ? "x" : "y"}, {"n", Json{{"k", 1}}}});
    const auto names = [&](HistoryQuery query) {
        std::string out;
        query.id_prefix = prefix;
        for (const HistoryInfo& info : store.list(query)) out += info.id.substr(prefix.size());
        return out;
    };
    expect_equal(names({}), "Babc", "all, by the bytes of their ids");
    expect_equal(names({.limit = 2}), "Ba", "the first page");
    expect_equal(names({.limit = 2, .after = prefix + "a"}), "bc", "the second page");
    expect_equal(names({.labels = {{"team", "y"}}}), "Bab", "those with a label");
    expect_equal(names({.labels = {{"team", "y"}, {"n", Json{{"k", 1}}}}}), "Bab", "those with two labels");
    expect_equal(names({.labels = {{"team", "y"}, {"n", 1}}}), "", "those with another value");
    expect_equal(names({.labels = {{"team's \"", nullptr}}}), "", "those with a strange label");
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    const Timestamp now = Timestamp::now();
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    store.append(prefix + "b", {}, Records{record_of("1")});
    expect_equal(names({.updated_before = now}), "Bac", "those not used since");
    HistoryQuery old{.id_prefix = prefix, .labels = {}, .updated_before = now, .limit = 1, .after = {}};
    expect_equal(prune(store, old), std::size_t{3}, "how many were pruned");
    expect_equal(names({}), "b", "those left");
}

ACTA_INLINE void writers_do_not_lose_records(const CheckedStore& checked) {
    constexpr int writers = 4;
    constexpr int each = 25;
    const std::string id = filled(checked.store, 0);
    std::atomic<int> failures{0};
    {
        std::vector<jthread> threads;
        for (int writer = 0; writer < writers; ++writer) {
            threads.emplace_back([&, writer] {
                try {
                    Position at;
                    for (int i = 0; i < each;) {
                        const Records one = {record_of(std::to_string(writer) + "." + std::to_string(i))};
                        try {
                            at = checked.store.append(id, at, one).position;
                            ++i;
                        } catch (const StoreConflict& conflict) {
                            at.version = conflict.found();
                        }
                    }
                } catch (const std::exception&) {
                    ++failures;
                }
            });
        }
    }
    expect(failures == 0, "a writer failed otherwise than by a conflict");
    const std::vector<Record> found = all(checked.store, id);
    expect_equal(found.size(), std::size_t{writers} * each, "how many records there are");
    std::array<int, writers> next{};
    for (std::size_t i = 0; i < found.size(); ++i) {
        expect_equal(found[i].seq, i + 1, "the number of a record");
        int writer = 0;
        while (
            writer < writers &&
            found[i].body !=
                record_of(std::to_string(writer) + "." + std::to_string(next[static_cast<std::size_t>(writer)])).body)
            ++writer;
        expect(writer < writers, "a record is there twice, or in another order");
        ++next[static_cast<std::size_t>(writer)];
    }
}

}  // namespace testing_detail

ACTA_INLINE std::span<const testing::StoreCheck> testing::store_checks() {
    static constexpr std::array<StoreCheck, 13> checks = {{
        {"what is appended is kept as it is", testing_detail::keeps_what_was_appended},
        {"what is appended is there for other processes", testing_detail::keeps_it_for_others},
        {"an append is all of its records or none", testing_detail::appends_all_or_nothing},
        {"a writer that is behind is told so", testing_detail::tells_a_writer_that_is_behind},
        {"an append that is repeated is stored once", testing_detail::stores_a_repeated_append_once},
        {"ranges of records are read", testing_detail::reads_ranges},
        {"who has the lease writes, and nobody else", testing_detail::lets_one_write_by_lease},
        {"forks are histories of their own", testing_detail::forks_are_on_their_own},
        {"what is erased is gone", testing_detail::what_is_erased_is_gone},
        {"what never was is not found", testing_detail::what_never_was_is_not_found},
        {"bad ids are refused", testing_detail::refuses_bad_ids},
        {"histories are listed and pruned by a query", testing_detail::lists_by_query},
        {"several writers lose no record", testing_detail::writers_do_not_lose_records},
    }};
    return checks;
}

}  // namespace acta::inline ACTA_ABI
