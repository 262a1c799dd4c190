// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/json/dump.hpp"
#include "acta/store/detail/rules.hpp"
#include "acta/store/sqlite/detail/database.hpp"
#include "acta/store/sqlite/store.hpp"

namespace acta::inline ACTA_ABI {

namespace sqlite_detail {

[[nodiscard]] inline std::int64_t microseconds(const Timestamp& at) {
    return at.instant().value_or(std::chrono::sys_time<std::chrono::microseconds>()).time_since_epoch().count();
}
/// A row of `history`.
struct Row {
    std::int64_t key = 0;
    bool erased = false;
    HistoryInfo info{};
};

#define ACTA_SQLITE_COLUMNS                                                                                       \
    "key, id, head, epoch, snapshot, type, labels, forked_from, created_us, updated_us, holder, lease_until_us, " \
    "erased_us"

[[nodiscard]] inline Row row_of(const Statement& query) {
    Row row;
    row.key = query.integer(0);
    row.erased = !query.is_null(12);
    HistoryInfo& info = row.info;
    info.id = query.text(1);
    info.position = {query.number(2), query.number(3)};
    info.snapshot = query.number(4);
    info.type = query.text(5);
    info.labels = store_detail::labels_of(query.text(6), info.id);
    info.forked_from = query.text(7);
    info.created = store_detail::timestamp_of(query.integer(8));
    info.updated = store_detail::timestamp_of(query.integer(9));
    if (!query.is_null(10))
        info.lease = {query.text(10), info.position.epoch, store_detail::timestamp_of(query.integer(11))};
    return row;
}

[[nodiscard]] inline std::optional<Row> find_row(Database& database, std::string_view id) {
    store_detail::require_id(id);
    Statement query = database.statement("SELECT " ACTA_SQLITE_COLUMNS " FROM history WHERE id = ?");
    if (!query.bind(id).step()) return std::nullopt;
    return row_of(query);
}
/// Throws if there is no such history, or none any more.
[[nodiscard]] inline Row require_row(Database& database, std::string_view id) {
    std::optional<Row> row = find_row(database, id);
    if (!row) store_detail::throw_not_found(id);
    if (row->erased) store_detail::throw_gone(id);
    return *std::move(row);
}

inline void insert_history(Database& database, const HistoryInfo& info) {
    if (const std::optional<Row> row = find_row(database, info.id)) {
        if (row->erased) store_detail::throw_gone(info.id);
        store_detail::throw_exists(info.id);
    }
    const std::string labels = dump(info.labels);
    database
        .statement(
            "INSERT INTO history(id, head, snapshot, type, labels, forked_from, created_us, updated_us) "
            "VALUES(?, ?, ?, ?, ?, ?, ?, ?)")
        .bind(info.id)
        .bind(info.position.version)
        .bind(info.snapshot)
        .bind(info.type)
        .bind(labels)
        .bind(info.forked_from)
        .bind(microseconds(info.created))
        .bind(microseconds(info.updated))
        .run();
}

[[nodiscard]] inline Record record_of(const Statement& query, std::string_view id) {
    Record out;
    out.seq = query.number(0);
    out.kind = store_detail::kind_of_name(query.text(1), id, out.seq);
    out.format = static_cast<int>(query.integer(2));
    out.at = store_detail::timestamp_of(query.integer(3));
    out.call_id = query.text(4);
    out.body = query.text(5);
    return out;
}

/// Returns records from `first` to `last`, as many as make a page.
[[nodiscard]] inline std::vector<Record> page(Database& database, std::string_view id, std::int64_t key,
                                              std::uint64_t first, std::uint64_t last) {
    constexpr std::size_t most_records = 1000;
    constexpr std::size_t most_bytes = 4'000'000;
    Statement query = database.statement(
        "SELECT seq, kind, format, at_us, call_id, body FROM record WHERE history = ? AND seq BETWEEN ? AND ? ORDER BY "
        "seq");
    query.bind(key).bind(first).bind(last);
    std::vector<Record> out;
    std::size_t bytes = 0;
    while (out.size() < most_records && bytes < most_bytes && query.step()) {
        out.push_back(record_of(query, id));
        bytes += out.back().body.size();
    }
    return out;
}

/// Returns whether the records stand at a place already.
[[nodiscard]] inline bool are_there(Database& database, std::int64_t key, std::uint64_t version,
                                    std::span<const NewRecord> records) {
    std::uint64_t seq = version;
    for (const NewRecord& wanted : records) {
        Statement query = database.statement(
            "SELECT 1 FROM record WHERE history = ? AND seq = ? AND kind = ? AND call_id = ? AND body = ?");
        query.bind(key).bind(++seq).bind(to_string(wanted.kind)).bind(wanted.call_id).bind(wanted.body);
        if (!query.step()) return false;
    }
    return !records.empty();
}

}  // namespace sqlite_detail

namespace sqlite {

ACTA_INLINE Store::Store(const std::filesystem::path& file, const Options& options)
    : database_(std::make_unique<sqlite_detail::Database>(file, options)) {}
ACTA_INLINE Store::~Store() = default;

ACTA_INLINE HistoryInfo Store::create(std::string_view id, std::string_view type, const JsonObject& labels) {
    const sqlite_detail::Use use(mutex_, *database_, id);
    store_detail::require_id(id);
    HistoryInfo info;
    info.id = id;
    info.type = type;
    info.labels = labels;
    info.created = info.updated = Timestamp::now();
    sqlite_detail::Transaction transaction(*database_);
    sqlite_detail::insert_history(*database_, info);
    transaction.commit();
    return info;
}

ACTA_INLINE std::optional<HistoryInfo> Store::find(std::string_view id) {
    const sqlite_detail::Use use(mutex_, *database_, id);
    std::optional<sqlite_detail::Row> row = sqlite_detail::find_row(*database_, id);
    if (!row) return std::nullopt;
    if (row->erased) store_detail::throw_gone(id);
    return std::move(row->info);
}

ACTA_INLINE Appended Store::append(std::string_view id, Position at, std::span<const NewRecord> records) {
    const sqlite_detail::Use use(mutex_, *database_, id);
    store_detail::require_id(id);
    const std::int64_t now = sqlite_detail::microseconds(Timestamp::now());
    sqlite_detail::Transaction transaction(*database_);
    std::optional<std::int64_t> key;
    {
        sqlite_detail::Statement update = database_->statement(
            "UPDATE history SET head = head + ?, updated_us = ?, snapshot = max(snapshot, ?) "
            "WHERE id = ? AND head = ? AND epoch = ? AND erased_us IS NULL RETURNING key");
        update.bind(records.size())
            .bind(now)
            .bind(store_detail::newest_snapshot(records, at.version + 1, 0))
            .bind(id)
            .bind(at.version)
            .bind(at.epoch);
        if (update.step()) key = update.integer(0);
        while (update.step()) {
        }
    }
    if (!key) {
        const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
        store_detail::require_epoch(id, at.epoch, row.info.position.epoch);
        if (!sqlite_detail::are_there(*database_, row.key, at.version, records))
            store_detail::throw_conflict(id, at.version, row.info.position.version);
        return {{at.version + records.size(), at.epoch}, true};
    }
    sqlite_detail::Statement insert = database_->statement(
        "INSERT INTO record(history, seq, kind, format, at_us, call_id, body) VALUES(?, ?, ?, ?, ?, ?, ?)");
    std::uint64_t seq = at.version;
    for (const NewRecord& one : records) {
        insert.bind(*key).bind(++seq).bind(to_string(one.kind)).bind(std::int64_t{record_format});
        insert.bind(now).bind(one.call_id).bind(one.body).run();
    }
    transaction.commit();
    return {{seq, at.epoch}, false};
}

// In pages, without the lock while the records are used. Records never change, so that those up to the version at the
// beginning are those of one moment.
ACTA_INLINE void Store::read(std::string_view id, RecordRange range, const std::function<bool(const Record&)>& each) {
    std::uint64_t next = std::max<std::uint64_t>(range.first, 1);
    std::optional<std::uint64_t> end;
    for (;;) {
        std::vector<Record> records;
        {
            const sqlite_detail::Use use(mutex_, *database_, id);
            const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
            if (!end) end = std::min(range.last, row.info.position.version);
            if (next <= *end) records = sqlite_detail::page(*database_, id, row.key, next, *end);
        }
        if (records.empty()) return;
        for (const Record& record : records) {
            if (!each(record)) return;
        }
        next = records.back().seq + 1;
    }
}

ACTA_INLINE std::vector<HistoryInfo> Store::list(const HistoryQuery& query) {
    const std::lock_guard lock(mutex_);
    constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
    const std::int64_t before = query.updated_before ? sqlite_detail::microseconds(*query.updated_before) : never;
    sqlite_detail::Statement rows = database_->statement(
        "SELECT " ACTA_SQLITE_COLUMNS
        " FROM history WHERE erased_us IS NULL AND id >= ?1 AND substr(CAST(id AS BLOB), 1, ?2) = CAST(?1 AS BLOB) "
        "AND id > ?3 AND updated_us < ?4 ORDER BY id");
    rows.bind(query.id_prefix).bind(query.id_prefix.size()).bind(query.after).bind(before);
    std::vector<HistoryInfo> out;
    while (out.size() < query.limit && rows.step()) {
        HistoryInfo info = std::move(sqlite_detail::row_of(rows).info);
        if (store_detail::has_labels(info, query.labels)) out.push_back(std::move(info));
    }
    return out;
}

ACTA_INLINE HistoryInfo Store::fork(std::string_view id, std::uint64_t at, std::string_view new_id) {
    const sqlite_detail::Use use(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
    store_detail::require_version(id, at, row.info.position.version);
    HistoryInfo info = row.info;
    info.id = new_id;
    info.forked_from = std::string(id) + "@" + std::to_string(at);
    info.position = {at, 0};
    info.created = info.updated = Timestamp::now();
    info.lease.reset();
    {
        sqlite_detail::Statement newest = database_->statement(
            "SELECT coalesce(max(seq), 0) FROM record WHERE history = ? AND seq <= ? AND kind = 'snapshot'");
        newest.bind(row.key).bind(at).step();
        info.snapshot = newest.number(0);
    }
    sqlite_detail::insert_history(*database_, info);
    database_
        ->statement(
            "INSERT INTO record(history, seq, kind, format, at_us, call_id, body) SELECT (SELECT key FROM history "
            "WHERE id = ?), seq, kind, format, at_us, call_id, body FROM record WHERE history = ? AND seq <= ?")
        .bind(new_id)
        .bind(row.key)
        .bind(at)
        .run();
    transaction.commit();
    return info;
}

ACTA_INLINE Lease Store::acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) {
    const sqlite_detail::Use use(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
    const Timestamp now = Timestamp::now();
    store_detail::require_free(row.info, holder, now);
    const Lease lease{std::string(holder), row.info.position.epoch + 1, now + time};
    database_->statement("UPDATE history SET epoch = ?, holder = ?, lease_until_us = ? WHERE key = ?")
        .bind(lease.epoch)
        .bind(lease.holder)
        .bind(sqlite_detail::microseconds(lease.until))
        .bind(row.key)
        .run();
    transaction.commit();
    return lease;
}

ACTA_INLINE Lease Store::renew(std::string_view id, const Lease& lease, std::chrono::microseconds time) {
    const sqlite_detail::Use use(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
    store_detail::require_epoch(id, lease.epoch, row.info.position.epoch);
    if (!row.info.lease) store_detail::throw_lost(id, "the lease was released");
    Lease longer = *row.info.lease;
    longer.until = Timestamp::now() + time;
    database_->statement("UPDATE history SET lease_until_us = ? WHERE key = ?")
        .bind(sqlite_detail::microseconds(longer.until))
        .bind(row.key)
        .run();
    transaction.commit();
    return longer;
}

ACTA_INLINE void Store::release(std::string_view id, const Lease& lease) {
    const sqlite_detail::Use use(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const sqlite_detail::Row row = sqlite_detail::require_row(*database_, id);
    database_->statement("UPDATE history SET holder = NULL, lease_until_us = NULL WHERE key = ? AND epoch = ?")
        .bind(row.key)
        .bind(lease.epoch)
        .run();
    transaction.commit();
}

ACTA_INLINE void Store::erase(std::string_view id) {
    const sqlite_detail::Use use(mutex_, *database_, id);
    sqlite_detail::Transaction transaction(*database_);
    const std::optional<sqlite_detail::Row> row = sqlite_detail::find_row(*database_, id);
    if (!row) store_detail::throw_not_found(id);
    database_->statement("DELETE FROM record WHERE history = ?").bind(row->key).run();
    database_
        ->statement(
            "UPDATE history SET erased_us = coalesce(erased_us, ?), head = 0, snapshot = 0, type = '', labels = '{}', "
            "forked_from = '', holder = NULL, lease_until_us = NULL WHERE key = ?")
        .bind(sqlite_detail::microseconds(Timestamp::now()))
        .bind(row->key)
        .run();
    transaction.commit();
}

#undef ACTA_SQLITE_COLUMNS

ACTA_INLINE void Store::backup(const std::filesystem::path& file) {
    const std::lock_guard lock(mutex_);
    const std::string target = file.string();
    database_->statement("VACUUM INTO ?").bind(target).run();
}

}  // namespace sqlite

}  // namespace acta::inline ACTA_ABI
