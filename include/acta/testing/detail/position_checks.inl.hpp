// SPDX-License-Identifier: MIT
#pragma once

#include <array>
#include <limits>
#include <span>
#include <thread>

#include "acta/testing/detail/check_tools.hpp"
#include "acta/testing/detail/store_checks.hpp"

// Where a writer believes a history to be, and what is known of one.
namespace acta::inline ACTA_ABI::testing_detail {

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
            expect(++attempts <= most_attempts, "a writer that does as it is told does not get through");
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

ACTA_INLINE void a_repeated_append_is_stored_once(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    const Records two = {record_of("3", RecordKind::feedback), record_of("4")};
    expect(!store.append(id, {2, 0}, two).already_there, "new records were there already");
    expect_equal(store.append(id, {2, 0}, two), Appended{{4, 0}, true}, "the answer to a repeated append");
    store.append(id, {4, 0}, Records{record_of("5")});
    expect_equal(store.append(id, {2, 0}, two), Appended{{4, 0}, true}, "the answer when more came after it");
    expect_equal(store.append(id, {2, 0}, std::span(two).first(1)), Appended{{3, 0}, true}, "a part of it, repeated");
    expect_records(store, id, {record_of("1"), record_of("2"), two[0], two[1], record_of("5")}, "after repetitions");
}

ACTA_INLINE void other_records_are_no_repetition(const CheckedStore& checked) {
    HistoryStore& store = checked.store;
    const std::string id = filled(store, 2);
    const Records two = {{RecordKind::call, "call_1", "{}"}, record_of("4")};
    store.append(id, {2, 0}, two);
    const auto refused = [&](const Records& records, std::string_view what) {
        expect_throw<StoreConflict>([&] { store.append(id, {2, 0}, records); }, what);
    };
    refused({two[0], two[1], record_of("5")}, "the same records and one more");
    refused({two[0], record_of("x")}, "the same place with another body");
    refused({{RecordKind::note, "call_1", "{}"}, two[1]}, "the same place with another kind");
    refused({{RecordKind::call, "call_2", "{}"}, two[1]}, "the same place with another call");
    refused({{RecordKind::call, "call_1", "{ }"}, two[1]}, "the same place with other bytes");
    refused({two[1], two[0]}, "the same records in another order");
    expect_records(store, id, {record_of("1"), record_of("2"), two[0], two[1]}, "after what is no repetition");
}

ACTA_INLINE void a_repetition_by_a_former_writer_is_refused(const CheckedStore& checked) {
    const std::string id = filled(checked.store, 2);
    static_cast<void>(checked.store.acquire(id, "a", std::chrono::minutes(1)));
    expect_throw<LeaseLost>([&] { checked.store.append(id, {}, numbered(2)); }, "a repetition with an old epoch");
    expect_equal(checked.store.append(id, {0, 1}, numbered(2)), Appended{{2, 1}, true},
                 "a repetition with the new epoch");
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

}  // namespace acta::inline ACTA_ABI::testing_detail
