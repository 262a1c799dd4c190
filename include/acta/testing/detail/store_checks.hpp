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
#include "acta/testing/store_conformance.hpp"

// What the checks of stores are made of.
namespace acta::inline ACTA_ABI::testing_detail {

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
/// Expects an error of class E, or derived from it, that names the history.
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
ACTA_INLINE std::string fresh_id() {
    static std::atomic<int> count{0};
    const auto now = std::chrono::system_clock::now().time_since_epoch().count();
    return "check-" + std::to_string(now) + "-" + std::to_string(++count);
}

/// Returns a value that is nested deeper than a document may be.
ACTA_INLINE Json too_deep() {
    Json out = 1;
    for (int i = 0; i < 200; ++i) {
        Json around = Json::array();
        around.get_ref<JsonArray&>().push_back(std::move(out));
        out = std::move(around);
    }
    return out;
}

ACTA_INLINE NewRecord record_of(std::string_view text, RecordKind kind = RecordKind::note) {
    return {kind, {}, "{\"text\":\"" + std::string(text) + "\"}"};
}

/// Returns the records that `filled` appends.
ACTA_INLINE Records numbered(std::uint64_t count) {
    Records out;
    for (std::uint64_t i = 1; i <= count; ++i) out.push_back(record_of(std::to_string(i)));
    return out;
}

/// Makes a history with `count` records, and returns its id.
ACTA_INLINE std::string filled(HistoryStore& store, std::uint64_t count, const JsonObject& labels = {}) {
    std::string id = fresh_id();
    store.create(id, {}, labels);
    store.append(id, {}, numbered(count));
    return id;
}

ACTA_INLINE std::vector<Record> all(HistoryStore& store, std::string_view id, RecordRange range = {}) {
    std::vector<Record> out;
    store.read(id, range, [&out](const Record& record) {
        out.push_back(record);
        return true;
    });
    return out;
}

/// Returns what is known of a history, which must be there.
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

/// Calls `work` with the number of each thread at once, and returns when all are done. Fails if one of them throws.
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
