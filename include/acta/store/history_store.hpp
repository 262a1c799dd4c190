// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
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

#include "acta/base/error.hpp"
#include "acta/base/json_value.hpp"
#include "acta/json/timestamp.hpp"

namespace acta::inline ACTA_ABI {

/// What a record of a stored history says.
enum class RecordKind {
    action,          ///< A step was opened.
    call,            ///< A call of the open step begins: from here on it may have had its effect.
    call_result,     ///< A call of the open step has its result.
    result,          ///< A step has its result.
    message,         ///< A message or an answer.
    feedback,        ///< The user's feedback waits.
    feedback_taken,  ///< All feedback that waits became messages.
    summary,         ///< A step has a summary, or the steps that left the prompts have one.
    metrics,         ///< A step has other metrics.
    rewind,          ///< Steps were dropped.
    decision,        ///< A call was approved or refused, or has other arguments.
    run,             ///< A run on the history has ended.
    sub_run,         ///< A call of the open step was the run of another agent.
    note,            ///< Something for people, not part of the history.
    snapshot         ///< The whole history as it is here, so that reading can begin here.
};

/// Returns the name of the enumerator, as it is stored.
[[nodiscard]] std::string_view to_string(RecordKind kind) noexcept;

/// A record to be appended.
struct NewRecord {
    RecordKind kind = RecordKind::note;  ///< What it says.
    std::string call_id{};               ///< The id of the call in its step, of records of calls; else empty.
    std::string body{};                  ///< JSON, in UTF-8.
    /// Distinguishes an append from all others: the same in all records of an append, and sent again only when its
    /// answer was lost (`HistoryStore::append`). `new_token()` makes one. Not part of the record that is read.
    std::string token{};

    friend bool operator==(const NewRecord&, const NewRecord&) = default;
};

/// The format of the bodies that this acta writes. A store keeps it with each record.
inline constexpr int record_format = 1;

/// A record in a store.
struct Record {
    std::uint64_t seq = 0;               ///< Its number in its history, from 1.
    RecordKind kind = RecordKind::note;  ///< What it says.
    int format = record_format;          ///< The format of its body.
    Timestamp at{};                      ///< When it was appended, by the store's clock.
    std::string call_id{};               ///< As in `NewRecord`.
    std::string body{};                  ///< As in `NewRecord`.

    friend bool operator==(const Record&, const Record&) = default;
};

/// Where a writer believes a history to be.
struct Position {
    std::uint64_t version = 0;  ///< The number of records.
    std::uint64_t epoch = 0;    ///< How often the lease has changed hands.

    friend bool operator==(const Position&, const Position&) = default;
};

/// Who may write a history, and until when.
struct Lease {
    std::string holder{};     ///< A name for people and logs, such as host and process.
    std::uint64_t epoch = 0;  ///< The epoch that came with it.
    Timestamp until{};        ///< By the store's clock.

    friend bool operator==(const Lease&, const Lease&) = default;
};

/// What a store knows of a history besides its records.
struct HistoryInfo {
    std::string id{};              ///< 1 to 255 bytes of UTF-8.
    Position position{};           ///< Its newest record, and the epoch.
    std::uint64_t snapshot = 0;    ///< The number of its newest snapshot; 0 without one.
    std::string type{};            ///< The title of the proposals' schema.
    JsonObject labels{};           ///< What its owner wants to find it by.
    std::string forked_from{};     ///< `<id>@<version>` of a fork; else empty.
    Timestamp created{};           ///< When it was created.
    Timestamp updated{};           ///< When a record was last appended.
    std::optional<Lease> lease{};  ///< The lease, which may have expired.
    /// Why the store's entry of the history cannot be read, in a list; else empty. What is known of it is above.
    std::string unreadable{};

    friend bool operator==(const HistoryInfo&, const HistoryInfo&) = default;
};

/// Which histories to list. Every condition must hold.
struct HistoryQuery {
    std::string id_prefix{};                    ///< How their ids begin.
    JsonObject labels{};                        ///< Labels that they have, with these values.
    std::optional<Timestamp> updated_before{};  ///< They were last updated before.
    std::size_t limit = 100;                    ///< The most histories to return.
    std::string after{};                        ///< The last id of the page before; the first page without it.
};

/// A store cannot do what was asked. `what()` names the store, the history and the reason. Nothing was changed, unless
/// a derived class says otherwise.
class StoreError : public Error {
public:
    using Error::Error;
};

/// There is no history of this id.
class StoreNotFound : public StoreError {
public:
    using StoreError::StoreError;
};

/// There is a history of this id already, so that it cannot be made.
class StoreExists : public StoreError {
public:
    using StoreError::StoreError;
};

/// The history was erased.
class StoreGone : public StoreError {
public:
    using StoreError::StoreError;
};

/// Another writer has appended in the meantime: the version is not the one that the writer expected.
class StoreConflict : public StoreError {
public:
    /// An error whose `what()` is `message`.
    StoreConflict(const std::string& message, std::uint64_t expected, std::uint64_t found)
        : StoreError(message), expected_(expected), found_(found) {}

    /// Returns the version that the writer expected.
    [[nodiscard]] std::uint64_t expected() const noexcept { return expected_; }
    /// Returns the version that the history has.
    [[nodiscard]] std::uint64_t found() const noexcept { return found_; }

private:
    std::uint64_t expected_;
    std::uint64_t found_;
};

/// The lease belongs to another holder, or has expired.
class LeaseLost : public StoreError {
public:
    using StoreError::StoreError;
};

/// The store, or a record in it, was written by a newer acta.
class StoreTooNew : public StoreError {
public:
    using StoreError::StoreError;
};

/// A record cannot be read, is missing, or is not the one that was stored. `what()` has its history, its number and the
/// path in its body.
class StoreCorrupt : public StoreError {
public:
    /// An error whose `what()` is `message`.
    StoreCorrupt(const std::string& message, std::uint64_t seq) : StoreError(message), seq_(seq) {}

    /// Returns the number of the record; 0 if it is the store's entry of the history.
    [[nodiscard]] std::uint64_t seq() const noexcept { return seq_; }

private:
    std::uint64_t seq_;
};

}  // namespace acta::inline ACTA_ABI

// Checks and errors that all stores share, so that their messages are the same.
namespace acta::inline ACTA_ABI::store_detail {

/// Returns the id in quotes, shortened if it is long.
[[nodiscard]] std::string quoted_id(std::string_view id);

/// Throws `StoreError` if `id` is not valid.
void require_id(std::string_view id);
[[noreturn]] void throw_not_found(std::string_view id);
[[noreturn]] void throw_exists(std::string_view id);
[[noreturn]] void throw_gone(std::string_view id);
[[noreturn]] void throw_conflict(std::string_view id, std::uint64_t expected, std::uint64_t found);
[[noreturn]] void throw_lost(std::string_view id, const std::string& why);
/// Throws `LeaseLost` if the epochs differ.
void require_epoch(std::string_view id, std::uint64_t epoch, std::uint64_t found);
/// Throws `StoreError` if the history has fewer records than `at`.
void require_version(std::string_view id, std::uint64_t at, std::uint64_t found);

/// Throws `LeaseLost` if another holder has the lease.
void require_free(const HistoryInfo& info, std::string_view holder, const Timestamp& now);

/// Returns the kind with this name. Throws `StoreTooNew` for one that this acta does not know.
[[nodiscard]] RecordKind kind_of_name(std::string_view name, std::string_view id, std::uint64_t seq);
/// Reads the labels of an entry from their text, and compares its numbers. What is wrong is noted in
/// `HistoryInfo::unreadable`.
void complete(HistoryInfo& info, std::string_view labels);
/// Throws `StoreCorrupt` if the store's entry of a history cannot be read.
void require_readable(const HistoryInfo& info);
/// Throws `StoreError` for labels that could not be read back or that not every store takes: they are UTF-8 without
/// U+0000, at most `max_content_depth` deep, and their numbers are finite.
void require_labels(std::string_view id, const JsonObject& labels);
/// Throws `StoreError` for records that could not be read back or that not every store takes.
void require_records(std::string_view id, std::span<const NewRecord> records);
/// Returns the longest of a lease's times that is not beyond all calendars.
[[nodiscard]] std::chrono::microseconds lease_time(std::chrono::microseconds time) noexcept;

/// Returns the CRC-32C (RFC 3720, appendix B.4) of a record: of its kind, its call id and its body, joined by newlines.
[[nodiscard]] std::uint32_t checksum(std::string_view kind, std::string_view call_id, std::string_view body) noexcept;
/// Throws `StoreCorrupt` if a record is not the one that was stored. Records of older stores have no checksum.
void require_checksum(const Record& record, std::optional<std::int64_t> stored, std::string_view id);

/// Returns the number of this process; 0 on Windows, which has no fork(). Only the process that opened a connection may
/// use it.
[[nodiscard]] std::int64_t this_process() noexcept;

/// What is read of a history: each record once, in order, up to the last.
class ReadingOrder {
public:
    /// Records from `first` on, up to the smaller of `last` and `head`, which the history has.
    ReadingOrder(std::string_view id, std::uint64_t first, std::uint64_t last, std::uint64_t head)
        : id_(id), next_(std::max<std::uint64_t>(first, 1)), end_(std::min(last, head)) {}

    /// Returns the number of the next record.
    [[nodiscard]] std::uint64_t next() const noexcept { return next_; }
    /// Returns the number of the last record.
    [[nodiscard]] std::uint64_t end() const noexcept { return end_; }
    /// Returns whether all records were read.
    [[nodiscard]] bool is_done() const noexcept { return next_ > end_; }
    /// Advances by a record. Throws `StoreCorrupt` if it is not the next one.
    void pass(std::uint64_t seq) {
        if (seq != next_) throw_missing();
        ++next_;
    }
    /// Throws `StoreCorrupt` for the next record, which is missing.
    [[noreturn]] void throw_missing() const;

private:
    std::string_view id_;
    std::uint64_t next_;
    std::uint64_t end_;
};

/// Returns the time `microseconds` after the beginning of 1970.
[[nodiscard]] Timestamp timestamp_of(std::int64_t microseconds);
/// Returns whether a history has all of these labels, with these values.
[[nodiscard]] bool has_labels(const HistoryInfo& info, const JsonObject& labels);
/// Returns the number of the last snapshot among records that begin at `first`; `before` without one.
[[nodiscard]] std::uint64_t newest_snapshot(std::span<const NewRecord> records, std::uint64_t first,
                                            std::uint64_t before) noexcept;

}  // namespace acta::inline ACTA_ABI::store_detail

namespace acta::inline ACTA_ABI {

/// The result of appending records.
struct Appended {
    Position position{};         ///< The history after them.
    bool already_there = false;  ///< This append was stored before: it was repeated because its answer was lost.

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
    /// to 255 bytes without control characters and '/', or if the labels could not be read back (text that is not UTF-8
    /// or has U+0000, numbers that are not finite, nesting deeper than `max_content_depth`).
    virtual HistoryInfo create(std::string_view id, std::string_view type = {}, const JsonObject& labels = {}) = 0;
    /// Returns what is known of a history; nothing if there is none. Throws `StoreGone`.
    [[nodiscard]] virtual std::optional<HistoryInfo> find(std::string_view id) = 0;

    /// Appends all of the records, or none; when it returns, they last. `at` is where the writer believes the history
    /// to be. Throws `StoreConflict` if the version is another, unless the first record there has the token of these,
    /// which is not empty: then this append was stored before, and nothing is stored now (`already_there`). Throws
    /// `LeaseLost` if the epoch is another, and `StoreError` for a call id or a body that is not UTF-8, a call id with
    /// U+0000, and a body that is longer than `ParseOptions::max_bytes`.
    virtual Appended append(std::string_view id, Position at, std::span<const NewRecord> records) = 0;
    /// Calls `each` with the records of a range in order, until it returns false. They are those of one moment. Throws
    /// `StoreCorrupt` if one of them is missing or is not what was stored.
    virtual void read(std::string_view id, RecordRange range, const std::function<bool(const Record&)>& each) = 0;

    /// Returns the histories that a query asks for, by ascending id (of its bytes), without those that were erased. One
    /// whose entry cannot be read is among them (`HistoryInfo::unreadable`), unless the query asks for labels.
    [[nodiscard]] virtual std::vector<HistoryInfo> list(const HistoryQuery& query = {}) = 0;

    /// Copies the first `at` records of a history into a new, independent one.
    /// Throws `StoreExists`, and `StoreError` if it has fewer.
    virtual HistoryInfo fork(std::string_view id, std::uint64_t at, std::string_view new_id) = 0;

    /// Makes `holder` the only writer of a history for some time. Throws `LeaseLost` if there is another one.
    /// From then on the epoch is another, and earlier writers are refused.
    virtual Lease acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) = 0;
    /// Prolongs a lease: it then lasts `time` from now. Throws `LeaseLost` if it is not the last that was acquired.
    virtual Lease renew(std::string_view id, const Lease& lease, std::chrono::microseconds time) = 0;
    /// Ends a lease, if it is still the last that was acquired.
    virtual void release(std::string_view id, const Lease& lease) = 0;

    /// Deletes the records of a history and leaves a mark, so that its id is not used again and other writers are
    /// refused. Erasing it once more changes nothing.
    virtual void erase(std::string_view id) = 0;
};

/// Returns a token for an append: 128 random bits as text.
[[nodiscard]] std::string new_token();

/// Erases the histories that a query asks for, and returns how many, with those that others erase at the same moment.
std::size_t prune(HistoryStore& store, HistoryQuery query);

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/store/detail/history_store.inl.hpp"
#endif
