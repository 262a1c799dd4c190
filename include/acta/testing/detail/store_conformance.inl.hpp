// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <limits>
#include <memory>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <thread>
#include <vector>

#include "acta/base/stop_token.hpp"
#include "acta/store/history_store.hpp"
#include "acta/store/stored_history.hpp"
#include "acta/testing/detail/store_checks.hpp"
#include "acta/testing/store_conformance.hpp"

// Forks, and histories that were erased.
namespace acta::inline ACTA_ABI::testing_detail {

ACTA_INLINE void a_fork_has_what_its_parent_had(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    store.create(id, "ActionProposal", {{"team", "a"}});
    const Records records = {
        record_of("1"), {RecordKind::call, "call_1", "{}"}, record_of("s", RecordKind::snapshot), record_of("4")};
    store.append(id, {}, records);
    static_cast<void>(store.acquire(id, "parent", std::chrono::minutes(1)));
    const std::string fork = fresh_id();
    const HistoryInfo info = store.fork(id, 3, fork);
    expect_equal(info.id, fork, "the id of a fork");
    expect_equal(info.type, "ActionProposal", "the type of a fork");
    expect_equal(info.labels, JsonObject{{"team", "a"}}, "the labels of a fork");
    expect_equal(info.position, Position{3, 0}, "the position of a fork");
    expect_equal(info.snapshot, std::uint64_t{3}, "the snapshot of a fork");
    expect_equal(info.forked_from, id + "@3", "the parent of a fork");
    expect(!info.lease, "a fork has its parent's lease");
    expect_equal(store.find(fork), std::optional(info), "what is known of a fork");
    expect(all(store, fork) == all(store, id, {1, 3}), "a fork has other records than its parent");
}

ACTA_INLINE void a_fork_may_be_at_any_version(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    store.append(id, {2, 0}, Records{record_of("s", RecordKind::snapshot), record_of("4")});
    const Records records = {record_of("1"), record_of("2"), record_of("s", RecordKind::snapshot), record_of("4")};
    for (std::size_t at = 0; at <= records.size(); ++at) {
        const std::string fork = fresh_id();
        const HistoryInfo info = store.fork(id, at, fork);
        expect_equal(info.position, Position{at, 0}, "the position of a fork");
        expect_equal(info.snapshot, at >= 3 ? std::uint64_t{3} : std::uint64_t{0}, "the snapshot of a fork");
        const Records wanted(records.begin(), records.begin() + static_cast<std::ptrdiff_t>(at));
        expect_records(store, fork, wanted, "a fork at version " + std::to_string(at));
    }
}

ACTA_INLINE void forks_are_on_their_own(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 3);
    const std::string fork = fresh_id();
    store.fork(id, 3, fork);
    store.append(fork, {3, 0}, Records{record_of("of the fork")});
    store.append(id, {3, 0}, Records{record_of("4"), record_of("5")});
    expect_records(store, id, numbered(5), "a parent after a change of its fork");
    Records wanted = numbered(3);
    wanted.push_back(record_of("of the fork"));
    expect_records(store, fork, wanted, "a fork after a change of its parent");
    static_cast<void>(store.acquire(id, "parent", std::chrono::minutes(1)));
    store.append(fork, {4, 0}, Records{});
    store.erase(id);
    expect_records(store, fork, wanted, "a fork after its parent was erased");
    const std::string other = fresh_id();
    store.fork(fork, 4, other);
    store.erase(other);
    expect_records(store, fork, wanted, "a parent after its fork was erased");
}

ACTA_INLINE void forks_of_forks_are_forks(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 3);
    const std::string child = fresh_id();
    const std::string grandchild = fresh_id();
    store.fork(id, 2, child);
    store.append(child, {2, 0}, Records{record_of("3")});
    expect_equal(store.fork(child, 3, grandchild).forked_from, child + "@3", "the parent of a fork of a fork");
    store.append(grandchild, {3, 0}, Records{record_of("4")});
    store.erase(child);
    expect_records(store, grandchild, numbered(4), "a fork of a fork");
    expect_records(store, id, numbered(3), "the parent of a fork that was erased");
}

ACTA_INLINE void a_fork_that_cannot_be_is_refused(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 3);
    const std::string taken = filled(store, 1);
    const std::string free = fresh_id();
    expect_throw<StoreExists>([&] { store.fork(id, 2, taken); }, "a fork to an id that is there");
    expect_throw<StoreExists>([&] { store.fork(id, 2, id); }, "a fork to itself");
    expect_throw<StoreError>([&] { store.fork(id, 4, free); }, "a fork at a version that does not exist");
    expect_throw<StoreError>([&] { store.fork(id, ~std::uint64_t{0}, free); }, "a fork at the largest version");
    expect(!store.find(free), "a fork that was refused is there");
    expect_records(store, id, numbered(3), "a history after forks that were refused");
    expect_records(store, taken, numbered(1), "another history after forks that were refused");
}

ACTA_INLINE void what_is_erased_is_gone(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    const Lease lease = store.acquire(id, "a", std::chrono::minutes(1));
    store.erase(id);
    const auto gone = [](const auto& act, std::string_view what) { expect_throw<StoreGone>(act, what); };
    gone([&] { static_cast<void>(store.find(id)); }, "finding what is erased");
    gone([&] { static_cast<void>(all(store, id)); }, "reading what is erased");
    gone([&] { store.append(id, {2, lease.epoch}, Records{record_of("3")}); }, "a late append");
    gone([&] { store.append(id, {0, lease.epoch}, numbered(2)); }, "a late repetition");
    gone([&] { store.append(id, {}, Records{record_of("1")}); }, "an append at the beginning");
    gone([&] { store.fork(id, 1, fresh_id()); }, "a fork of it");
    gone([&] { static_cast<void>(store.acquire(id, "a", std::chrono::minutes(1))); }, "a lease of it");
    gone([&] { static_cast<void>(store.renew(id, lease, std::chrono::minutes(1))); }, "renewing its lease");
    gone([&] { store.release(id, lease); }, "releasing its lease");
    expect(store.list({.id_prefix = id}).empty(), "what is erased is listed");
}

ACTA_INLINE void an_erased_id_is_not_used_again(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    const std::string other = filled(store, 1);
    store.erase(id);
    store.erase(id);
    expect_throw<StoreGone>([&] { store.create(id); }, "making what was erased");
    expect_throw<StoreGone>([&] { store.fork(other, 1, id); }, "a fork to an id that was erased");
    expect_throw<StoreGone>([&] { static_cast<void>(store.find(id)); }, "finding what was erased twice");
    expect_records(store, other, numbered(1), "another history after one was erased");
}

// One writer by a lease.

ACTA_INLINE void a_lease_shuts_others_out(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const Lease lease = store.acquire(id, "first 'one'", std::chrono::minutes(1));
    expect_equal(lease.holder, "first 'one'", "the holder of a lease");
    expect_equal(lease.epoch, std::uint64_t{1}, "the epoch of the first lease");
    expect_equal(info_of(store, id).lease, std::optional(lease), "the lease that is known");
    expect_equal(info_of(store, id).position, Position{1, 1}, "the position after a lease");
    expect_throw<LeaseLost>([&] { store.append(id, {1, 0}, Records{record_of("x")}); }, "writing without the lease");
    expect_throw<LeaseLost>([&] { store.append(id, {1, 2}, Records{record_of("x")}); }, "writing by a later lease");
    expect_throw<LeaseLost>([&] { store.acquire(id, "second", std::chrono::minutes(1)); }, "a second lease");
    expect_equal(info_of(store, id).lease, std::optional(lease), "the lease after a second was refused");
    expect_equal(store.append(id, {1, 1}, Records{record_of("2")}).position, Position{2, 1}, "writing by the lease");
    expect_records(store, id, numbered(2), "after a lease");
}

ACTA_INLINE void a_holder_may_begin_again(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const Lease first = store.acquire(id, "a", std::chrono::minutes(1));
    const Lease second = store.acquire(id, "a", std::chrono::minutes(1));
    expect_equal(second.epoch, first.epoch + 1, "the epoch of a holder that begins again");
    expect_throw<LeaseLost>(
        [&] {
            store.append(id, {1, first.epoch}, Records{record_of("x")});
        },
        "writing by the lease before");
    store.append(id, {1, second.epoch}, Records{record_of("2")});
}

ACTA_INLINE void a_lease_is_renewed(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const Lease lease = store.acquire(id, "a", std::chrono::minutes(1));
    const Lease longer = store.renew(id, lease, std::chrono::minutes(2));
    expect(longer.epoch == lease.epoch && longer.holder == "a", "a renewed lease is another one");
    expect(longer.until.instant() > lease.until.instant(), "a renewed lease is not longer");
    expect_equal(info_of(store, id).lease, std::optional(longer), "the renewed lease that is known");
    const Lease shorter = store.renew(id, longer, std::chrono::seconds(30));
    expect(shorter.until.instant() < longer.until.instant(), "a lease does not last from now on");
    const Lease longest = store.renew(id, lease, std::chrono::microseconds::max());
    expect(longest.until.instant() > longer.until.instant(), "the longest lease is not longer than two minutes");
    expect_equal(info_of(store, id).lease, std::optional(longest), "the longest lease");
    store.append(id, {1, lease.epoch}, Records{record_of("2")});
    static_cast<void>(store.renew(id, lease, std::chrono::microseconds::min()));
    const Lease next = store.acquire(id, "b", std::chrono::minutes(1));
    expect_equal(next.epoch, lease.epoch + 1, "the epoch after the shortest lease");
}

ACTA_INLINE void a_released_lease_is_over(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const Lease first = store.acquire(id, "a", std::chrono::minutes(1));
    store.release(id, first);
    store.release(id, first);
    expect(!info_of(store, id).lease, "a released lease is still there");
    expect_throw<LeaseLost>([&] { store.renew(id, first, std::chrono::minutes(1)); }, "renewing a released lease");
    const Lease second = store.acquire(id, "b", std::chrono::minutes(1));
    expect_equal(second.epoch, first.epoch + 1, "the epoch of the next lease");
}

ACTA_INLINE void a_former_holder_is_refused(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const Lease first = store.acquire(id, "a", std::chrono::minutes(1));
    store.release(id, first);
    const Lease second = store.acquire(id, "b", std::chrono::minutes(1));
    expect_throw<LeaseLost>(
        [&] {
            store.append(id, {1, first.epoch}, Records{record_of("x")});
        },
        "writing by a former holder");
    expect_throw<LeaseLost>([&] { store.renew(id, first, std::chrono::minutes(1)); }, "renewing by a former holder");
    store.release(id, first);
    expect_equal(info_of(store, id).lease, std::optional(second), "the lease after a former holder released its own");
    store.append(id, {1, second.epoch}, Records{record_of("2")});
    expect_records(store, id, numbered(2), "after a former holder");
}

ACTA_INLINE void an_expired_lease_can_be_taken(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const Lease first = store.acquire(id, "a", std::chrono::milliseconds(10));
    std::this_thread::sleep_for(std::chrono::milliseconds(25));
    store.append(id, {1, first.epoch}, Records{record_of("2")});  // not yet taken
    const Lease second = store.acquire(id, "b", std::chrono::minutes(1));
    expect_equal(second.epoch, first.epoch + 1, "the epoch after a lease that expired");
    expect_throw<LeaseLost>(
        [&] {
            store.append(id, {2, first.epoch}, Records{record_of("x")});
        },
        "writing by a lease that expired and was taken");
    store.append(id, {2, second.epoch}, Records{record_of("3")});
    expect_records(store, id, numbered(3), "after a lease that expired");
}

ACTA_INLINE void the_stores_clock_decides(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const auto updated = [&] { return *info_of(store, id).updated.instant(); };
    const auto before = updated();
    const Lease lease = store.acquire(id, "a", std::chrono::hours(1));
    store.append(id, {1, lease.epoch}, numbered(1));
    expect(lease.until.instant().has_value(), "the end of a lease has no time zone");
    const auto acquired = *lease.until.instant() - std::chrono::hours(1);
    expect(before <= acquired && acquired <= updated(), "a lease and a record are by other clocks");
}

ACTA_INLINE void one_of_two_acquires(const CheckedStore& checked) {
    const std::unique_ptr<HistoryStore> other = checked.open_again ? checked.open_again() : nullptr;
    for (int round = 0; round < 4; ++round) {
        const std::string id = filled(checked.store, 0);
        std::atomic<int> winners{0};
        in_threads(2, [&](int number) {
            HistoryStore& store = number == 1 && other ? *other : checked.store;
            try {
                static_cast<void>(store.acquire(id, "holder " + std::to_string(number), std::chrono::minutes(1)));
                ++winners;
            } catch (const LeaseLost&) {  // NOLINT(bugprone-empty-catch): the other one has it
            }
        });
        expect(winners == 1, "of two that acquire a lease at once, " + std::to_string(winners) + " have it");
        expect_equal(info_of(checked.store, id).position.epoch, std::uint64_t{1}, "the epoch after one acquisition");
    }
}

// Where a writer believes a history to be, and what is known of one.

ACTA_INLINE void a_writer_that_is_behind_is_told(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 7);
    const auto expect_conflict = [&](std::uint64_t at, const Records& records, std::string_view what) {
        try {
            store.append(id, {at, 0}, records);
        } catch (const StoreConflict& conflict) {
            expect_equal(conflict.expected(), at, "the expected version");
            expect_equal(conflict.found(), std::uint64_t{7}, "the version found");
            return;
        }
        throw CheckFailed(std::string(what) + ": it was not refused");
    };
    expect_conflict(4, {record_of("other")}, "a writer that is behind");
    expect_conflict(6, {record_of("other")}, "a writer that is one behind");
    expect_conflict(8, {record_of("other")}, "a writer from the future");
    expect_conflict(std::numeric_limits<std::uint64_t>::max(), {record_of("7")}, "a writer at the largest version");
    expect_conflict(4, {}, "a writer that is behind and appends nothing");
    expect_records(store, id, numbered(7), "after conflicts");
    store.append(id, {7, 0}, Records{record_of("8")});
    expect_records(store, id, numbered(8), "the writer that knows where it is");
}

ACTA_INLINE void writers_at_once_lose_no_record(const CheckedStore& checked) {
    constexpr int writers = 4;
    constexpr int each = 10;
    constexpr int most_attempts = 5000;
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 0);
    const auto text = [](int writer, int i) { return std::to_string(writer) + "." + std::to_string(i); };
    in_threads(writers, [&](int writer) {
        Position at;
        int attempts = 0;
        for (int i = 0; i < each;) {
            expect(++attempts <= most_attempts, "a writer that follows the errors does not get through");
            try {
                at = store.append(id, at, Records{record_of(text(writer, i))}).position;
                ++i;
            } catch (const StoreConflict& conflict) {
                at.version = conflict.found();
            }
        }
    });
    const std::vector<Record> found = all(store, id);
    expect_equal(found.size(), std::size_t{writers} * each, "how many records there are");
    std::array<int, writers> next{};
    for (std::size_t i = 0; i < found.size(); ++i) {
        expect_equal(found[i].seq, i + 1, "the number of a record");
        std::size_t writer = 0;
        while (writer < next.size() && found[i].body != record_of(text(static_cast<int>(writer), next[writer])).body)
            ++writer;
        expect(writer < next.size(), "a record is there twice, or in another order");
        ++next[writer];
    }
}

/// Returns the records as those of one append.
ACTA_INLINE Records with_token(Records records, const std::string& token = new_token()) {
    for (NewRecord& one : records) one.token = token;
    return records;
}

ACTA_INLINE void a_repeated_append_is_stored_once(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    const Records two = with_token({record_of("3", RecordKind::feedback), record_of("4")});
    expect(!store.append(id, {2, 0}, two).already_there, "new records were there already");
    expect_equal(store.append(id, {2, 0}, two), Appended{{4, 0}, true}, "the answer to a repeated append");
    store.append(id, {4, 0}, with_token({record_of("5")}));
    expect_equal(store.append(id, {2, 0}, two), Appended{{4, 0}, true}, "the answer when more came after it");
    expect_records(store, id, {record_of("1"), record_of("2"), two[0], two[1], record_of("5")}, "after repetitions");
}

ACTA_INLINE void equal_records_are_not_a_repetition(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    const Records two = with_token({{RecordKind::call, "call_1", "{}", {}}, record_of("4")});
    store.append(id, {2, 0}, two);
    const auto refused = [&](std::uint64_t version, const Records& records, std::string_view what) {
        expect_throw<StoreConflict>([&] { store.append(id, {version, 0}, records); }, what);
    };
    refused(2, with_token(two), "equal records of another append");
    refused(2, with_token({two[0]}), "an equal record of another append");
    refused(2, with_token(two, ""), "equal records without a token");
    refused(0, numbered(2), "equal records without a token, which were stored without one");
    expect_records(store, id, {record_of("1"), record_of("2"), two[0], two[1]}, "after other appends");
}

ACTA_INLINE void equal_changes_of_two_writers_are_two(const CheckedStore& checked) {
    const std::string id = fresh_id();
    auto one = StoredHistory<>::open_or_create(checked.store, id);
    auto two = StoredHistory<>::open_or_create(checked.store, id);
    one.append_user_feedback("faster");
    expect_throw<StoreConflict>([&] { two.append_user_feedback("faster"); },
                                "an equal change by a writer that is behind");
    expect_equal(two.refresh(), std::size_t{1}, "the number of records that a writer had missed");
    two.append_user_feedback("faster");
    expect_equal(info_of(checked.store, id).position.version, std::uint64_t{2}, "the number of equal changes");
}

ACTA_INLINE void a_repetition_by_a_former_writer_is_refused(const CheckedStore& checked) {
    const std::string id = filled(checked.store, 0);
    const Records two = with_token(numbered(2));
    checked.store.append(id, {}, two);
    static_cast<void>(checked.store.acquire(id, "a", std::chrono::minutes(1)));
    expect_throw<LeaseLost>([&] { checked.store.append(id, {}, two); }, "a repetition with an old epoch");
    expect_equal(checked.store.append(id, {0, 1}, two), Appended{{2, 1}, true}, "a repetition with the new epoch");
}

// What could not be read back, and what was damaged.

ACTA_INLINE void labels_that_cannot_be_read_back_are_refused(const CheckedStore& checked) {
    const Json deep = too_deep();
    for (const Json& label : {Json(std::numeric_limits<double>::quiet_NaN()), Json("\xFF"), Json(std::string(1, '\0')),
                              Json{{std::string("a\0", 2), 1}}, deep}) {
        const std::string id = fresh_id();
        expect_throw<StoreError>([&] { checked.store.create(id, {}, {{"label", label}}); }, "a label of no use");
        expect(!checked.store.find(id), "a history was made although its labels were refused");
    }
}

ACTA_INLINE void records_that_not_all_stores_take_are_refused(const CheckedStore& checked) {
    const std::string id = filled(checked.store, 1);
    const auto refused = [&](const NewRecord& record, std::string_view what) {
        const Records records = {record_of("fine"), record};
        expect_throw<StoreError>([&] { checked.store.append(id, {1, 0}, records); }, what);
    };
    refused({RecordKind::call, std::string("call\0", 5), "{}", {}}, "a call id with U+0000");
    refused({RecordKind::call, "call\xFF", "{}", {}}, "a call id that is not UTF-8");
    refused({RecordKind::note, {}, "{\"text\":\"\xFF\"}", {}}, "a body that is not UTF-8");
    refused({RecordKind::note, {}, std::string("{\0}", 3), {}}, "a body with a zero byte");
    expect_records(checked.store, id, numbered(1), "after records that were refused");
}

ACTA_INLINE void what_cannot_be_read_back_is_refused(const CheckedStore& checked) {
    const std::string id = fresh_id();
    auto run = StoredHistory<ActionProposal<Json>>::open_or_create(checked.store, id);
    const auto refused = [&](const auto& change, std::string_view what) {
        try {
            change();
        } catch (const EncodeError&) {
            expect_equal(run.snapshot(), StoredHistory<ActionProposal<Json>>::open(checked.store, id).snapshot(), what);
            return;
        }
        throw CheckFailed(std::string(what) + ": nothing was thrown");
    };
    ActionProposal<Json> step;
    step.use_tool.name = "measure";
    step.thoughts = {{"depth", std::numeric_limits<double>::infinity()}};
    refused([&] { run.register_action(step); }, "thoughts with a number that is not finite");
    const Json deep = too_deep();
    step.thoughts = "Measure it.";
    step.use_tool.arguments = {{"where", deep}};
    refused([&] { run.register_action(step); }, "arguments that are nested too deeply");
    step.use_tool.arguments = {};
    run.register_action(step);
    refused([&] { run.register_result(ActionSuccessResult{.outputs = deep}); }, "an output that is nested too deeply");
    refused([&] { run.register_result(ActionSuccessResult{.outputs = "\xFF"}); }, "an output that is not UTF-8");
    run.register_result(ActionSuccessResult{.outputs = 3});
}

/// Expects that reading the record throws `StoreCorrupt` with its number.
ACTA_INLINE void expect_corrupt(HistoryStore& store, std::string_view id, std::uint64_t seq, std::string_view what) {
    try {
        static_cast<void>(all(store, id));
    } catch (const StoreCorrupt& error) {
        expect_equal(error.seq(), seq, std::string(what) + ": the number of the record");
        expect_throw<StoreCorrupt>([&] { throw StoreCorrupt(error); }, what);
        return;
    }
    throw CheckFailed(std::string(what) + ": nothing was thrown");
}

ACTA_INLINE void a_missing_record_is_noticed(const CheckedStore& checked) {
    if (!checked.damage) return;
    for (const std::uint64_t seq : {std::uint64_t{1}, std::uint64_t{2}, std::uint64_t{3}}) {
        const std::string id = filled(checked.store, 3);
        checked.damage(id, seq, {});
        expect_corrupt(checked.store, id, seq, "record " + std::to_string(seq) + " of 3 is missing");
        expect_throw<StoreCorrupt>([&] { static_cast<void>(StoredHistory<>::open_or_create(checked.store, id)); },
                                   "opening without a record");
    }
    const std::string id = filled(checked.store, 2);
    checked.damage(id, 1, {});
    checked.damage(id, 2, {});
    expect_corrupt(checked.store, id, 1, "all records are missing");
    expect(!checked.store.list({.id_prefix = id}).empty(), "a history that cannot be read is not in the list");
}

ACTA_INLINE void a_changed_record_is_noticed(const CheckedStore& checked) {
    if (!checked.damage) return;
    const std::string id = filled(checked.store, 3);
    checked.damage(id, 2, record_of("x").body);
    expect_corrupt(checked.store, id, 2, "record 2 has another body");
    const std::vector<Record> last = all(checked.store, id, {.first = 3});
    expect(last.size() == 1 && last[0].body == record_of("3").body, "the records after a changed one cannot be read");
}

ACTA_INLINE void the_newest_snapshot_is_known(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 3);
    expect_equal(info_of(store, id).snapshot, std::uint64_t{0}, "the snapshot of a history without one");
    const NewRecord snapshot = record_of("s", RecordKind::snapshot);
    store.append(id, {3, 0}, Records{record_of("4"), snapshot, record_of("6")});
    expect_equal(info_of(store, id).snapshot, std::uint64_t{5}, "the number of the snapshot");
    store.append(id, {6, 0}, numbered(2));
    expect_equal(info_of(store, id).snapshot, std::uint64_t{5}, "the number of the snapshot, later");
    store.append(id, {8, 0}, Records{snapshot, snapshot});
    expect_equal(info_of(store, id).snapshot, std::uint64_t{10}, "the number of the newest snapshot");
    const std::vector<Record> rest = all(store, id, {.first = 10});
    expect(rest.size() == 1 && rest[0].kind == RecordKind::snapshot, "reading does not begin at the snapshot");
}

ACTA_INLINE void type_and_labels_are_kept(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    const JsonObject labels = {{"try", 3},
                               {"team", "tides 'n' \"ports\" caf\xC3\xA9"},
                               {"where", Json{{"deep", Json::array({1, nullptr, true, Json{{"x", 1.5}}})}}}};
    const HistoryInfo made = store.create(id, "Action'Proposal", labels);
    store.append(id, {}, numbered(2));
    for (const HistoryInfo& info : {made, info_of(store, id)}) {
        expect_equal(info.id, id, "the id");
        expect_equal(info.type, "Action'Proposal", "the type");
        expect_equal(info.labels, labels, "the labels");
        expect(!info.lease && info.forked_from.empty(), "a new history has a lease or a parent");
    }
    expect_equal(made.position, Position{}, "the position of a new history");
    expect(info_of(store, filled(store, 0)).labels.empty(), "a history without labels has some");
}

ACTA_INLINE void updated_moves_and_created_does_not(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 0);
    const HistoryInfo made = info_of(store, id);
    expect(made.created.instant() && made.created.instant() <= made.updated.instant(), "it was updated before made");
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    store.append(id, made.position, numbered(1));
    const HistoryInfo later = info_of(store, id);
    expect(later.created == made.created, "`created` has moved");
    expect(later.updated.instant() > made.updated.instant(), "`updated` has not moved");
    const std::vector<Record> found = all(store, id);
    expect(found.size() == 1, "one record was appended, and there are " + std::to_string(found.size()));
    expect_equal(found[0].at.instant(), later.updated.instant(), "the time of the newest record");
}

// What is refused, and what is listed.

ACTA_INLINE void what_never_was_is_not_found(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    const Lease lease{"a", 0, Timestamp::now()};
    const auto missing = [](const auto& act, std::string_view what) { expect_throw<StoreNotFound>(act, what); };
    expect(!store.find(id), "a history is found that was not created");
    missing([&] { store.append(id, {}, Records{record_of("1")}); }, "appending to no history");
    missing([&] { store.append(id, {}, Records{}); }, "appending nothing to no history");
    missing([&] { static_cast<void>(all(store, id)); }, "reading no history");
    missing([&] { store.fork(id, 0, fresh_id()); }, "a fork of no history");
    missing([&] { static_cast<void>(store.acquire(id, "a", std::chrono::minutes(1))); }, "a lease of no history");
    missing([&] { static_cast<void>(store.renew(id, lease, std::chrono::minutes(1))); }, "renewing none");
    missing([&] { store.release(id, lease); }, "releasing a lease of no history");
    missing([&] { store.erase(id); }, "erasing no history");
    expect(!store.find(id), "a refused call has created a history");
}

ACTA_INLINE void a_history_is_made_once(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2, {{"team", "a"}});
    const HistoryInfo before = info_of(store, id);
    expect_throw<StoreExists>([&] { store.create(id, "Other", {{"team", "b"}}); }, "creating it twice");
    expect_equal(info_of(store, id), before, "what is known of a history that was to be made twice");
}

ACTA_INLINE void bad_ids_are_refused(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 1);
    const std::array<std::string, 10> bad_ids = {
        "",     std::string(256, 'i'), "a/b",      "line\nbreak", std::string("nul\0", 4),
        "\x1f", "delete\x7f",          "\xFF\xFE", "caf\xC3",     "\xED\xA0\x80 surrogate"};
    for (const std::string& bad : bad_ids) {
        const auto refused = [](const auto& act, std::string_view what) { expect_throw<StoreError>(act, what); };
        refused([&] { store.create(bad); }, "making a bad id");
        refused([&] { static_cast<void>(store.find(bad)); }, "finding a bad id");
        refused([&] { store.append(bad, {}, Records{}); }, "appending to a bad id");
        refused([&] { static_cast<void>(all(store, bad)); }, "reading a bad id");
        refused([&] { store.fork(bad, 0, fresh_id()); }, "a fork of a bad id");
        refused([&] { store.fork(id, 0, bad); }, "a fork to a bad id");
        refused([&] { static_cast<void>(store.acquire(bad, "a", std::chrono::minutes(1))); }, "a lease of a bad id");
        refused([&] { static_cast<void>(store.renew(bad, {}, std::chrono::minutes(1))); }, "renewing a bad id");
        refused([&] { store.release(bad, {}); }, "releasing a bad id");
        refused([&] { store.erase(bad); }, "erasing a bad id");
    }
}

ACTA_INLINE void unusual_ids_are_ids(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string unique = fresh_id();
    const std::string longest = (unique + std::string(255, 'i')).substr(0, 255);
    const std::array<std::string, 5> ids = {longest, unique + " 'quoted\" %_ \xE6\xBD\xAE;--", unique + " ",
                                            unique + "\\x00$1{}", unique + "\xF0\x9F\x8C\x8A"};
    for (const std::string& id : ids) {
        store.create(id);
        store.append(id, {}, Records{record_of("1")});
        expect_equal(info_of(store, id).id, id, "an unusual id");
        expect_records(store, id, numbered(1), "a history with an unusual id");
    }
    expect(!store.find(unique), "an id is found that only begins as another");
}

/// Makes histories whose ids begin with a prefix that none other has, and lists them.
struct Listed {
    explicit Listed(HistoryStore& to_use) : store(to_use) {}

    void make(std::initializer_list<const char*> names, const JsonObject& labels = {}) const {
        for (const char* const name : names) store.create(prefix + name, {}, labels);
    }
    [[nodiscard]] std::string names(HistoryQuery query = {}) const {
        std::string out;
        query.id_prefix = prefix + query.id_prefix;
        for (const HistoryInfo& info : store.list(query)) out += info.id.substr(prefix.size()) + " ";
        return out;
    }

    HistoryStore& store;
    std::string prefix = fresh_id() + "-";
};

ACTA_INLINE void histories_are_listed_by_their_bytes(const CheckedStore& checked) {
    const Listed listed(checked.store);
    listed.make({"b", "a", "\xC3\xA9", "B", "a b", "ab", "~", "_"});
    expect_equal(listed.names(), "B _ a a b ab b ~ \xC3\xA9 ", "all, by the bytes of their ids");
    const std::vector<HistoryInfo> found = checked.store.list({.id_prefix = listed.prefix});
    expect(!found.empty() && found[0] == info_of(checked.store, listed.prefix + "B"), "what a list says of a history");
}

ACTA_INLINE void a_prefix_is_not_a_pattern(const CheckedStore& checked) {
    const Listed listed(checked.store);
    listed.make({"x%_1", "x%_2", "xab1", "X%_1", "x\\%", "x'\""});
    expect_equal(listed.names({.id_prefix = "x%_"}), "x%_1 x%_2 ", "a prefix with the signs of a pattern");
    expect_equal(listed.names({.id_prefix = "x\\"}), "x\\% ", "a prefix with a backslash");
    expect_equal(listed.names({.id_prefix = "x'\""}), "x'\" ", "a prefix with quotes");
    expect_equal(listed.names({.id_prefix = "x%_1"}), "x%_1 ", "a prefix that is all of an id");
    expect_equal(listed.names({.id_prefix = "nothing"}), "", "a prefix that no id has");
}

ACTA_INLINE void lists_come_in_pages(const CheckedStore& checked) {
    const Listed listed(checked.store);
    listed.make({"a", "b", "c", "d", "e"});
    checked.store.erase(listed.prefix + "c");
    const auto after = [&](const char* name) { return listed.prefix + name; };
    expect_equal(listed.names({.limit = 2}), "a b ", "the first page");
    expect_equal(listed.names({.limit = 2, .after = after("b")}), "d e ", "the second page");
    expect_equal(listed.names({.limit = 2, .after = after("e")}), "", "the page after the last");
    expect_equal(listed.names({.limit = 1, .after = after("c")}), "d ", "the page after one that was erased");
    expect_equal(listed.names({.limit = 100, .after = after("aa")}), "b d e ",
                 "the page after an id that does not exist");
    expect_equal(listed.names({.limit = 0}), "", "a page of none");
}

ACTA_INLINE void histories_are_listed_by_labels(const CheckedStore& checked) {
    const Listed listed(checked.store);
    const Json deep{{"k", Json::array({1, Json{{"x", nullptr}}})}};
    listed.make({"a"}, {{"team", "y"}, {"n", 1}});
    listed.make({"b"}, {{"team", "y"}, {"n", "1"}});
    listed.make({"c"}, {{"team", "x"}, {"n", deep}});
    listed.make({"d"});
    expect_equal(listed.names({.labels = {{"team", "y"}}}), "a b ", "those with a label");
    expect_equal(listed.names({.labels = {{"team", "y"}, {"n", 1}}}), "a ", "those with two labels");
    expect_equal(listed.names({.labels = {{"n", "1"}}}), "b ", "those with a text, and not a number");
    expect_equal(listed.names({.labels = {{"n", deep}}}), "c ", "those with an object as a label");
    expect_equal(listed.names({.labels = {{"n", Json{{"k", Json::array({1})}}}}}), "", "those with a part of a label");
    expect_equal(listed.names({.labels = {{"team's \"", nullptr}}}), "", "those with a label that none has");
    expect_equal(listed.names({.labels = {{"n", "1"}}, .limit = 1}), "b ", "a page, to which others do not count");
    expect_equal(listed.names({.labels = {{"team", "y"}}, .limit = 1, .after = listed.prefix + "a"}), "b ",
                 "a page of those with a label");
}

ACTA_INLINE void old_histories_are_listed_and_pruned(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const Listed listed(store);
    listed.make({"a", "b", "c"}, {{"keep", false}});
    listed.make({"d"}, {{"keep", true}});
    std::this_thread::sleep_for(std::chrono::milliseconds(2));
    store.append(listed.prefix + "b", {}, numbered(1));
    const Timestamp used = info_of(store, listed.prefix + "b").updated;  // by the store's clock
    HistoryQuery old{.id_prefix = {}, .labels = {{"keep", false}}, .updated_before = used, .limit = 1, .after = {}};
    expect_equal(listed.names({.updated_before = used}), "a c d ", "those not used since");
    expect_equal(listed.names(old), "a ", "the first of those to prune");
    old.id_prefix = listed.prefix;
    expect_equal(prune(store, old), std::size_t{2}, "how many were pruned");
    expect_equal(prune(store, old), std::size_t{0}, "how many were pruned again");
    expect_equal(listed.names(), "b d ", "those left");
    expect_throw<StoreGone>([&] { static_cast<void>(store.find(listed.prefix + "a")); }, "finding what was pruned");
}

// Records that last, whole and in order.

ACTA_INLINE void others_have_the_records(const CheckedStore& checked) {
    if (!checked.open_again) return;
    const std::string id = filled(checked.store, 5);
    const auto other = checked.open_again();
    expect_records(*other, id, numbered(5), "what another process reads");
    checked.store.append(id, {5, 0}, Records{record_of("6")});
    expect_records(*other, id, numbered(6), "what it reads later");
    other->append(id, {6, 0}, Records{record_of("7")});
    expect_records(checked.store, id, numbered(7), "what another process has appended");
}

ACTA_INLINE void others_know_the_same(const CheckedStore& checked) {
    if (!checked.open_again) return;
    const std::string id = filled(checked.store, 1, {{"team", "tides"}});
    const Lease lease = checked.store.acquire(id, "a", std::chrono::minutes(1));
    const auto other = checked.open_again();
    expect_equal(info_of(*other, id), info_of(checked.store, id), "what another process knows of a history");
    expect_equal(info_of(*other, id).lease, std::optional(lease), "the lease that another process sees");
    expect_throw<LeaseLost>([&] { other->append(id, {1, 0}, Records{record_of("2")}); }, "appending without the lease");
    checked.store.erase(id);
    expect_throw<StoreGone>([&] { static_cast<void>(other->find(id)); }, "what another process has erased");
}

ACTA_INLINE void an_append_that_fails_changes_nothing(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    const HistoryInfo before = info_of(store, id);
    const Records three = {record_of("a"), record_of("b"), record_of("s", RecordKind::snapshot)};
    expect_throw<StoreConflict>([&] { store.append(id, {1, 0}, three); }, "appending at an old version");
    expect_throw<StoreConflict>([&] { store.append(id, {3, 0}, three); }, "appending at a future version");
    expect_throw<LeaseLost>([&] { store.append(id, {2, 1}, three); }, "appending with a future epoch");
    expect_records(store, id, numbered(2), "after what was refused");
    expect_equal(info_of(store, id), before, "what is known after what was refused");
}

ACTA_INLINE void an_append_is_seen_whole(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 0);
    std::atomic<bool> done{false};
    in_threads(2, [&](int number) {
        if (number == 0) {
            const Records three = {record_of("a"), record_of("b"), record_of("c")};
            try {
                for (std::uint64_t version = 0; version < 60; version += 3) store.append(id, {version, 0}, three);
            } catch (...) {
                done = true;
                throw;
            }
            done = true;
            return;
        }
        while (!done) {
            expect(all(store, id).size() % 3 == 0, "a part of an append was read");
            expect(info_of(store, id).position.version % 3 == 0, "a part of an append was counted");
        }
    });
    expect_equal(info_of(store, id).position.version, std::uint64_t{60}, "the version after 20 appends of 3 records");
}

ACTA_INLINE void a_reader_sees_one_moment(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 20);
    std::uint64_t newest = 0;
    store.read(id, {}, [&](const Record& record) {
        if (record.seq % 5 == 1) {
            const Position at = info_of(store, id).position;  // the store may be used within a reader
            store.append(id, at, Records{record_of(std::to_string(at.version + 1))});
        }
        newest = record.seq;
        return true;
    });
    expect_equal(newest, std::uint64_t{20}, "the last record of a moment before others were appended");
    expect_records(store, id, numbered(24), "after appending while reading");
}

ACTA_INLINE void records_are_numbered_in_order(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    store.create(id);
    const Records wanted = numbered(40);
    std::size_t from = 0;
    for (const std::size_t count : {1U, 2U, 0U, 30U, 7U}) {
        const Appended done = store.append(id, {from, 0}, std::span(wanted).subspan(from, count));
        from += count;
        expect_equal(done, Appended{{from, 0}, false}, "the answer to an append");
        expect_equal(info_of(store, id).position, Position{from, 0}, "the position after an append");
    }
    expect_records(store, id, wanted, "what was appended in parts");
}

ACTA_INLINE void ranges_are_read(const CheckedStore& checked) {
    const std::string id = filled(checked.store, 20);
    const auto numbers = [&](RecordRange range) {
        std::string out;
        for (const Record& record : all(checked.store, id, range)) out += std::to_string(record.seq) + " ";
        return out;
    };
    expect_equal(numbers({5, 8}), "5 6 7 8 ", "a range in the middle");
    expect_equal(numbers({7, 7}), "7 ", "a range of one record");
    expect_equal(numbers({0, 2}), "1 2 ", "a range from 0");
    expect_equal(numbers({19}), "19 20 ", "the newest records");
    expect_equal(numbers({19, 100}), "19 20 ", "a range beyond the end");
    expect_equal(numbers({21}), "", "a range after the end");
    expect_equal(numbers({8, 5}), "", "a range that ends before it begins");
    expect_equal(numbers({0, 0}), "", "a range before the first record");
    constexpr std::uint64_t most = std::numeric_limits<std::uint64_t>::max();
    expect_equal(numbers({most, most}), "", "a range at the largest number");
}

ACTA_INLINE void reading_ends_when_told(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 20);
    int count = 0;
    store.read(id, {}, [&count](const Record&) { return ++count < 3; });
    expect(count == 3, "reading does not end when the reader returns false");
    struct Stop {};
    bool thrown = false;
    try {
        store.read(id, {}, [](const Record&) -> bool { throw Stop(); });
    } catch (const Stop&) {
        thrown = true;
    }
    expect(thrown, "an exception of the caller is lost");
    store.append(id, {20, 0}, Records{record_of("21")});
    expect_records(store, id, numbered(21), "after an exception of the caller");
}

ACTA_INLINE void changes_are_there_in_order(const CheckedStore& checked) {
    const std::string id = fresh_id();
    auto run = StoredHistory<>::open_or_create(checked.store, id);
    const auto expect_kinds = [&](std::string_view wanted, std::string_view what) {
        std::string found;
        for (const Record& record : all(checked.store, id)) found += std::string(to_string(record.kind)) + " ";
        expect(found == wanted, std::string(what) + ": there is " + found);
    };
    run.register_action({.thoughts = "Look.", .use_tool = {"look", {}}});
    expect_kinds("action ", "an action before its calls");
    static_cast<void>(run.begin_call("call_0"));
    expect_kinds("action call ", "a call before its effect");
    run.register_result("call_0", ActionSuccessResult{.outputs = 1});
    expect_kinds("action call call_result ", "a result");
    expect(StoredHistory<>::open_or_create(checked.store, id).snapshot() == run.snapshot(),
           "the history, opened again");
}

ACTA_INLINE void bodies_are_kept_by_their_bytes(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    store.create(id);
    const Records wanted = {
        {RecordKind::note, {}, R"({"b":1,"a":2,"n":1.50,"e":1E2,"big":123456789012345678901234567890,"b2": [ ] })"},
        {RecordKind::note, {}, R"({"b":1,"b":2})"},  // twice the same key
        record_of(R"(\u0000)"),
        record_of(R"(\ud83d alone, \ude00 alone)"),
        record_of(R"(\\u0000 \\ \/ \" \u00e9 \ud83c\udf0a)"),
        record_of("caf\xC3\xA9 \xF0\x9F\x8C\x8A \xE2\x80\xA8 \x7F"),
        record_of("' '' $1 ? :a %s --; ) {}"),
        {RecordKind::call, "call 'one' \"two\" \xC3\xA9 \\ %s", "{}"},
        record_of(""),
    };
    store.append(id, {}, wanted);
    expect_records(store, id, wanted, "texts of every kind");
}

ACTA_INLINE void long_bodies_are_kept(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    store.create(id);
    std::string text;
    while (text.size() < 1'000'000) text += "a long text, '\\u0000' \xC3\xA9, ";
    const Records wanted = {record_of("before"), record_of(text), record_of("after")};
    store.append(id, {}, wanted);
    expect_records(store, id, wanted, "a body of a megabyte");
}

ACTA_INLINE void each_kind_and_format_is_kept(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = fresh_id();
    const HistoryInfo made = store.create(id);
    Records wanted;
    for (int kind = 0; kind <= static_cast<int>(RecordKind::snapshot); ++kind)
        wanted.push_back({static_cast<RecordKind>(kind), kind % 2 == 0 ? "" : "call_1", "{}"});
    store.append(id, {}, wanted);
    expect_records(store, id, wanted, "records of each kind");
    for (const Record& record : all(store, id)) {
        expect_equal(record.format, record_format, "the format of a record");
        expect(record.at.instant() >= made.created.instant(), "a record is older than its history");
    }
}

}  // namespace acta::inline ACTA_ABI::testing_detail

namespace acta::inline ACTA_ABI {

ACTA_INLINE std::span<const testing::StoreCheck> testing::store_checks() {
    static constexpr auto checks = std::to_array<StoreCheck>({
        {"durable", "what was appended is there for another process", testing_detail::others_have_the_records},
        {"durable", "labels, leases and erasures are there for another process", testing_detail::others_know_the_same},
        {"atomic", "an append that fails changes nothing", testing_detail::an_append_that_fails_changes_nothing},
        {"atomic", "a reader sees all records of an append, or none", testing_detail::an_append_is_seen_whole},
        {"atomic", "a reader sees the records of one moment", testing_detail::a_reader_sees_one_moment},
        {"ordered", "records are numbered in the order in which they were appended",
         testing_detail::records_are_numbered_in_order},
        {"ordered", "ranges of records are read in order", testing_detail::ranges_are_read},
        {"ordered", "reading ends when the reader says so, or throws", testing_detail::reading_ends_when_told},
        {"ordered", "an action is there before its call, and a call before its result",
         testing_detail::changes_are_there_in_order},
        {"optimistic", "a writer that is behind is refused, and changes nothing",
         testing_detail::a_writer_that_is_behind_is_told},
        {"optimistic", "equal changes of two writers are two", testing_detail::equal_changes_of_two_writers_are_two},
        {"optimistic", "several writers at once lose no record", testing_detail::writers_at_once_lose_no_record},
        {"one writer", "only the holder of the lease writes", testing_detail::a_lease_shuts_others_out},
        {"one writer", "a holder may acquire its lease again, and its old self is refused",
         testing_detail::a_holder_may_begin_again},
        {"one writer", "a renewed lease lasts from now on", testing_detail::a_lease_is_renewed},
        {"one writer", "a released lease is over", testing_detail::a_released_lease_is_over},
        {"one writer", "a former holder can neither write, renew nor release",
         testing_detail::a_former_holder_is_refused},
        {"one writer", "a lease that has expired can be taken", testing_detail::an_expired_lease_can_be_taken},
        {"one writer", "leases and records are by the store's clock", testing_detail::the_stores_clock_decides},
        {"one writer", "of two that acquire a lease at once one has it", testing_detail::one_of_two_acquires},
        {"bounded", "the newest snapshot is known, and reading can begin there",
         testing_detail::the_newest_snapshot_is_known},
        {"forks", "a fork has the records, type and labels of its parent, and no lease",
         testing_detail::a_fork_has_what_its_parent_had},
        {"forks", "a fork may be at any version", testing_detail::a_fork_may_be_at_any_version},
        {"forks", "a fork and its parent have nothing to do with each other", testing_detail::forks_are_on_their_own},
        {"forks", "a fork can be forked", testing_detail::forks_of_forks_are_forks},
        {"forks", "a fork to an id that is there, or at no version, is refused",
         testing_detail::a_fork_that_cannot_be_is_refused},
        {"gone is gone", "what is erased is gone for every member", testing_detail::what_is_erased_is_gone},
        {"gone is gone", "an id that was erased is not used again", testing_detail::an_erased_id_is_not_used_again},
        {"lost answers", "an append that is repeated is stored once", testing_detail::a_repeated_append_is_stored_once},
        {"lost answers", "other records at the same place are not a repetition",
         testing_detail::equal_records_are_not_a_repetition},
        {"lost answers", "a repetition by a former writer is refused",
         testing_detail::a_repetition_by_a_former_writer_is_refused},
        {"formats", "each kind of record is kept, with its format and time",
         testing_detail::each_kind_and_format_is_kept},
        {"formats", "bodies are kept byte for byte", testing_detail::bodies_are_kept_by_their_bytes},
        {"formats", "long bodies are kept", testing_detail::long_bodies_are_kept},
        {"formats", "type and labels are kept", testing_detail::type_and_labels_are_kept},
        {"formats", "the time of the last append is known", testing_detail::updated_moves_and_created_does_not},
        {"nothing silent", "labels that could not be read back are refused",
         testing_detail::labels_that_cannot_be_read_back_are_refused},
        {"nothing silent", "records that not all stores take are refused",
         testing_detail::records_that_not_all_stores_take_are_refused},
        {"nothing silent", "a change that could not be read back is not made",
         testing_detail::what_cannot_be_read_back_is_refused},
        {"nothing silent", "a record that is missing is noticed", testing_detail::a_missing_record_is_noticed},
        {"nothing silent", "a record that was changed is noticed", testing_detail::a_changed_record_is_noticed},
        {"nothing silent", "what never was is not found", testing_detail::what_never_was_is_not_found},
        {"nothing silent", "a history is made once", testing_detail::a_history_is_made_once},
        {"nothing silent", "ids that are none are refused by every member", testing_detail::bad_ids_are_refused},
        {"nothing silent", "unusual ids are ids", testing_detail::unusual_ids_are_ids},
        {"listing", "histories are listed in the order of their bytes",
         testing_detail::histories_are_listed_by_their_bytes},
        {"listing", "a prefix is not a pattern", testing_detail::a_prefix_is_not_a_pattern},
        {"listing", "lists come in pages", testing_detail::lists_come_in_pages},
        {"listing", "histories are listed by labels", testing_detail::histories_are_listed_by_labels},
        {"listing", "histories are listed and pruned by their last use",
         testing_detail::old_histories_are_listed_and_pruned},
    });
    return checks;
}

}  // namespace acta::inline ACTA_ABI
