// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <optional>

#include "acta/testing/detail/check_tools.hpp"
#include "acta/testing/detail/store_checks.hpp"

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
    expect_throw<StoreError>([&] { store.fork(id, 4, free); }, "a fork at a version that is not there");
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

}  // namespace acta::inline ACTA_ABI::testing_detail
