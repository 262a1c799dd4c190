// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/store/record.hpp"
#include "acta/store/store_error.hpp"

namespace acta::inline ACTA_ABI {

/// What came of appending records.
struct Appended {
    Position position{};         ///< The history after them.
    bool already_there = false;  ///< The same records stood there: an answer was lost, and they were sent again.

    friend bool operator==(const Appended&, const Appended&) = default;
};

/// Which records to read, both ends included.
struct RecordRange {
    std::uint64_t first = 1;                                         ///< From this number on.
    std::uint64_t last = std::numeric_limits<std::uint64_t>::max();  ///< Up to this number.
};

/// Keeps histories as sequences of records (docs/reference/store.md, "Stores"). Every member may be called by several
/// threads at once. Each throws `StoreError`, in particular `StoreGone` for an erased history and `StoreNotFound` for
/// one that never was, and has changed nothing then.
///
/// `MemoryStore` keeps them while the program runs; acta::sqlite and acta::postgres keep them for longer. A store of
/// your own derives from this class and can be held to what every store guarantees
/// (`acta/testing/store_conformance.hpp`).
class HistoryStore {
public:
    HistoryStore() = default;
    HistoryStore(const HistoryStore&) = delete;
    HistoryStore& operator=(const HistoryStore&) = delete;
    virtual ~HistoryStore() = default;

    /// Makes an empty history. Throws `StoreExists` if there is one, and `StoreError` if the id is not valid UTF-8 of 1
    /// to 255 bytes without control characters and '/'.
    virtual HistoryInfo create(std::string_view id, std::string_view type = {}, const JsonObject& labels = {}) = 0;
    /// Returns what is known of a history; nothing if there is none. Throws `StoreGone`.
    [[nodiscard]] virtual std::optional<HistoryInfo> find(std::string_view id) = 0;

    /// Appends all of the records, or none; when it returns, they last. `at` is where the writer believes the history
    /// to be. Throws `StoreConflict` if the version is another, unless the very same records stand there already, and
    /// `LeaseLost` if the epoch is another.
    virtual Appended append(std::string_view id, Position at, std::span<const NewRecord> records) = 0;
    /// Calls `each` with the records of a range in order, until it returns false. They are those of one moment.
    virtual void read(std::string_view id, RecordRange range, const std::function<bool(const Record&)>& each) = 0;

    /// Returns the histories that a query asks for, by ascending id (of its bytes), without those that were erased.
    [[nodiscard]] virtual std::vector<HistoryInfo> list(const HistoryQuery& query = {}) = 0;

    /// Copies the first `at` records of a history into a new one, which from then on has nothing to do with it.
    /// Throws `StoreExists`, and `StoreError` if there are not so many.
    virtual HistoryInfo fork(std::string_view id, std::uint64_t at, std::string_view new_id) = 0;

    /// Makes `holder` the only writer of a history for some time, unless somebody else is: then it throws `LeaseLost`.
    /// From then on the epoch is another, and whoever wrote before is refused.
    virtual Lease acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) = 0;
    /// Prolongs a lease: it then lasts `time` from now. Throws `LeaseLost` if it is not the last that was acquired.
    virtual Lease renew(std::string_view id, const Lease& lease, std::chrono::microseconds time) = 0;
    /// Ends a lease, if it is still the last that was acquired.
    virtual void release(std::string_view id, const Lease& lease) = 0;

    /// Deletes the records of a history and leaves a mark, so that its id is not used again and whoever still writes is
    /// refused. Erasing it once more changes nothing.
    virtual void erase(std::string_view id) = 0;
};

/// Erases the histories that a query asks for, and returns how many, with those that others erase at the same moment.
std::size_t prune(HistoryStore& store, HistoryQuery query);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/store/detail/history_store.inl.hpp"
#endif
