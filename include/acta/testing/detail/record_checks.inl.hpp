// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <span>

#include "acta/store/stored_history.hpp"
#include "acta/testing/detail/check_tools.hpp"
#include "acta/testing/detail/store_checks.hpp"

// Records that last, whole and in order.
namespace acta::inline ACTA_ABI::testing_detail {

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
            const Position at = info_of(store, id).position;  // the store may be used meanwhile
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
    expect(count == 3, "reading does not end when it is told to");
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
    auto run = StoredHistory<>::open(checked.store, id);
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
    expect(StoredHistory<>::open(checked.store, id).snapshot() == run.snapshot(), "the history, opened again");
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
        expect(record.at.instant() && record.at.instant() >= made.created.instant(),
               "a record is older than its history");
    }
}

}  // namespace acta::inline ACTA_ABI::testing_detail
