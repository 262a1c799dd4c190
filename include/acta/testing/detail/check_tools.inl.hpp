// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <optional>
#include <thread>

#include "acta/base/stop_token.hpp"
#include "acta/testing/detail/check_tools.hpp"

namespace acta::inline ACTA_ABI::testing_detail {

ACTA_INLINE void expect(bool holds, std::string_view what) {
    if (!holds) throw CheckFailed(std::string(what));
}

ACTA_INLINE std::string fresh_id() {
    static std::atomic<int> count{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return "check-" + std::to_string(now) + "-" + std::to_string(++count);
}

ACTA_INLINE NewRecord record_of(std::string_view text, RecordKind kind) {
    return {kind, {}, "{\"text\":\"" + std::string(text) + "\"}"};
}

ACTA_INLINE Records numbered(std::uint64_t count) {
    Records out;
    for (std::uint64_t i = 1; i <= count; ++i) out.push_back(record_of(std::to_string(i)));
    return out;
}

ACTA_INLINE std::string filled(HistoryStore& store, std::uint64_t count, const JsonObject& labels) {
    std::string id = fresh_id();
    store.create(id, {}, labels);
    store.append(id, {}, numbered(count));
    return id;
}

ACTA_INLINE std::vector<Record> all(HistoryStore& store, std::string_view id, RecordRange range) {
    std::vector<Record> out;
    store.read(id, range, [&out](const Record& record) {
        out.push_back(record);
        return true;
    });
    return out;
}

ACTA_INLINE HistoryInfo info_of(HistoryStore& store, std::string_view id) {
    std::optional<HistoryInfo> info = store.find(id);
    if (!info) throw CheckFailed("a history that was made is not found");
    return *std::move(info);
}

ACTA_INLINE void expect_records(HistoryStore& store, std::string_view id, const Records& wanted,
                                std::string_view what) {
    const std::vector<Record> found = all(store, id);
    expect(found.size() == wanted.size(), std::string(what) + ": there are " + std::to_string(found.size()) +
                                              " records, and not " + std::to_string(wanted.size()));
    for (std::size_t i = 0; i < wanted.size(); ++i) {
        const std::string which = std::string(what) + ": record " + std::to_string(i + 1);
        expect_equal(found[i].seq, i + 1, which + ": its number");
        expect_equal(found[i].kind, wanted[i].kind, which + ": its kind");
        expect_equal(found[i].call_id, wanted[i].call_id, which + ": its call");
        expect_equal(found[i].body, wanted[i].body, which + ": its body");
    }
}

ACTA_INLINE void in_threads(int count, const std::function<void(int)>& work) {
    std::mutex mutex;
    std::string failure;
    std::atomic<bool> may_begin{false};  // when all threads are there, since starting one takes longer than most work
    {
        std::vector<jthread> threads;
        try {
            for (int number = 0; number < count; ++number) {
                threads.emplace_back([&, number] {
                    while (!may_begin) std::this_thread::yield();
                    try {
                        work(number);
                    } catch (const std::exception& error) {
                        const std::lock_guard lock(mutex);
                        failure = error.what();
                    }
                });
            }
        } catch (...) {
            may_begin = true;
            throw;
        }
        may_begin = true;
    }
    expect(failure.empty(), "one of several threads at once failed: " + failure);
}

}  // namespace acta::inline ACTA_ABI::testing_detail
