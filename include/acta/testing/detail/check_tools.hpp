// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <cstdint>
#include <exception>
#include <functional>
#include <string>
#include <string_view>
#include <vector>

#include "acta/store/history_store.hpp"
#include "acta/testing/store_conformance.hpp"

// What the checks of stores are made of.
namespace acta::inline ACTA_ABI::testing_detail {

using testing::CheckedStore;
using testing::CheckFailed;
using Records = std::vector<NewRecord>;

void expect(bool holds, std::string_view what);
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
[[nodiscard]] std::string fresh_id();
[[nodiscard]] NewRecord record_of(std::string_view text, RecordKind kind = RecordKind::note);
/// Returns the records that `filled` appends.
[[nodiscard]] Records numbered(std::uint64_t count);
/// Makes a history with so many records, and returns its id.
[[nodiscard]] std::string filled(HistoryStore& store, std::uint64_t count, const JsonObject& labels = {});

[[nodiscard]] std::vector<Record> all(HistoryStore& store, std::string_view id, RecordRange range = {});
/// Returns what is known of a history, which must be there.
[[nodiscard]] HistoryInfo info_of(HistoryStore& store, std::string_view id);
void expect_records(HistoryStore& store, std::string_view id, const Records& wanted, std::string_view what);

/// Calls `work` with the number of each thread at once, and returns when all are done. Fails if one of them throws.
void in_threads(int count, const std::function<void(int)>& work);

}  // namespace acta::inline ACTA_ABI::testing_detail

#ifndef ACTA_COMPILED
#include "acta/testing/detail/check_tools.inl.hpp"
#endif
