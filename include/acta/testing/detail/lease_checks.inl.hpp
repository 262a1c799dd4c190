// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <memory>
#include <optional>
#include <thread>

#include "acta/testing/detail/check_tools.hpp"
#include "acta/testing/detail/store_checks.hpp"

// One writer by a lease.
namespace acta::inline ACTA_ABI::testing_detail {

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
    store.append(id, {1, lease.epoch}, Records{record_of("2")});
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
    store.append(id, {1, first.epoch}, Records{record_of("2")});  // nobody has taken it yet
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
    expect(lease.until.instant().has_value(), "the end of a lease is of no known zone");
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

}  // namespace acta::inline ACTA_ABI::testing_detail
