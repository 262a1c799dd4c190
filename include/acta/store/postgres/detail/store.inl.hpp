// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/store/history_store.hpp"
#include "acta/store/postgres/detail/connection.hpp"
#include "acta/store/postgres/store.hpp"

// The tables.
namespace acta::inline ACTA_ABI::postgres_detail {

inline constexpr std::int64_t layout = 2;

// `labels_text` has labels as they were written, `labels` is what they are found by: jsonb reorders keys. No index
// has `head`, `updated` or anything else that an append changes, so that the server need not change an index for it (a
// HOT update), and pages have space for the row's next version.
inline constexpr const char* tables = R"(
CREATE TABLE acta.meta(
  application text PRIMARY KEY CHECK (application = 'acta'),
  version integer NOT NULL
);
CREATE TABLE acta.history(
  key bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
  id text COLLATE "C" NOT NULL UNIQUE CHECK (octet_length(id) BETWEEN 1 AND 255),
  forked_from text NOT NULL DEFAULT '',
  head bigint NOT NULL DEFAULT 0,
  snapshot bigint NOT NULL DEFAULT 0,
  type text NOT NULL DEFAULT '',
  labels_text text NOT NULL DEFAULT '{}',
  labels jsonb GENERATED ALWAYS AS (labels_text::jsonb) STORED,
  created timestamptz NOT NULL DEFAULT now(),
  updated timestamptz NOT NULL DEFAULT now(),
  epoch bigint NOT NULL DEFAULT 0,
  holder text,
  lease_until timestamptz,
  erased timestamptz
) WITH (fillfactor = 70);
CREATE INDEX history_labels ON acta.history USING gin(labels jsonb_path_ops) WHERE erased IS NULL;
CREATE TABLE acta.record(
  history bigint NOT NULL REFERENCES acta.history(key),
  seq bigint NOT NULL,
  kind text NOT NULL,
  format integer NOT NULL,
  at timestamptz NOT NULL,
  call_id text NOT NULL DEFAULT '',
  body text NOT NULL,
  token text NOT NULL DEFAULT '',
  checksum bigint,
  PRIMARY KEY (history, seq)
);
INSERT INTO acta.meta(application, version) VALUES ('acta', 2);
)";

// From layout 1, whose records have neither token nor checksum.
inline constexpr const char* migration = R"(
ALTER TABLE acta.record ADD COLUMN token text NOT NULL DEFAULT '', ADD COLUMN checksum bigint;
UPDATE acta.meta SET version = 2;
)";

/// What is in the database under the schema's name.
enum class Found { nothing, empty_schema, older_layout, store };

/// Throws if the schema is not acta's, or a newer acta's.
[[nodiscard]] inline Found look(Connection& connection, const Target& target, const std::string& schema,
                                const Deadline& deadline) {
    const auto refuse = [&] {
        throw StoreError(target.message("the schema '" + schema + "' is there and is not acta's"));
    };
    const Rows there = connection.run(
        "SELECT (SELECT pg_catalog.count(*) FROM pg_catalog.pg_class c WHERE c.relnamespace = n.oid), "
        "(SELECT pg_catalog.count(*) FROM pg_catalog.pg_class c JOIN pg_catalog.pg_attribute a ON a.attrelid = c.oid "
        "WHERE c.relnamespace = n.oid AND c.relname = 'meta' AND a.attname IN ('application', 'version')) "
        "FROM pg_catalog.pg_namespace n WHERE n.nspname = $1",
        Parameters().add(schema), deadline);
    if (there.empty()) return Found::nothing;
    if (there.integer(0, 0) == 0) return Found::empty_schema;
    if (there.integer(0, 1) != 2) refuse();
    const Rows meta = connection.run("SELECT application::pg_catalog.text, version FROM acta.meta", {}, deadline);
    if (meta.size() != 1 || meta.text(0, 0) != "acta") refuse();
    const std::int64_t version = meta.integer(0, 1);
    if (version > layout)
        throw StoreTooNew(target.message("its layout " + std::to_string(version) + " is newer than this acta"));
    return version < layout ? Found::older_layout : Found::store;
}

/// Makes the tables unless they are there, which a role that may only read and write them can find out too.
inline void prepare_layout(Connection& connection, const Target& target, const std::string& schema,
                           const Deadline& deadline) {
    if (look(connection, target, schema, deadline) == Found::store) return;
    Transaction transaction(connection, deadline);
    // Any number of programs may open the first store at once.
    static_cast<void>(
        connection.run("SELECT pg_catalog.pg_advisory_xact_lock(pg_catalog.hashtextextended('acta ' || $1, 0))",
                       Parameters().add(schema), deadline));
    connection.execute("SET LOCAL search_path = pg_catalog", deadline);  // what is made refers to nothing else
    const Found found = look(connection, target, schema, deadline);
    if (found == Found::older_layout) {
        connection.execute(migration, deadline);
    } else if (found != Found::store) {
        if (found == Found::nothing) connection.execute("CREATE SCHEMA " + connection.schema(), deadline);
        connection.execute(tables, deadline);
    }
    transaction.commit();
}

}  // namespace acta::inline ACTA_ABI::postgres_detail

namespace acta::inline ACTA_ABI {

namespace postgres_detail {

/// A row of `history`.
struct Row {
    bool erased = false;
    HistoryInfo info{};
};

/// A time in microseconds since 1970.
[[nodiscard]] inline std::string sql_time(const std::string& time) {
    return "(extract(epoch FROM " + time + ") * 1000000)::bigint";
}
/// The columns that `row_of` reads.
[[nodiscard]] inline std::string sql_columns() {
    return "id, head, epoch, snapshot, type, labels_text, forked_from, " + sql_time("created") + ", " +
           sql_time("updated") + ", holder, " + sql_time("lease_until") + ", erased IS NOT NULL";
}

[[nodiscard]] inline Row row_of(const Rows& rows, int row) {
    Row out;
    out.erased = rows.boolean(row, 11);
    HistoryInfo& info = out.info;
    info.id = rows.text(row, 0);
    info.position = {rows.number(row, 1), rows.number(row, 2)};
    info.snapshot = rows.number(row, 3);
    info.type = rows.text(row, 4);
    info.forked_from = rows.text(row, 6);
    info.created = store_detail::timestamp_of(rows.integer(row, 7));
    info.updated = store_detail::timestamp_of(rows.integer(row, 8));
    if (!rows.is_null(row, 9))
        info.lease = {rows.text(row, 9), info.position.epoch, store_detail::timestamp_of(rows.integer(row, 10))};
    store_detail::complete(info, rows.text(row, 5));
    return out;
}

/// The condition that a row's numbers are possible. A row that does not meet it is refused by `require_row`.
inline constexpr const char* sql_possible = "epoch >= 0 AND snapshot BETWEEN 0 AND head";

/// A row, and what the server's clock says.
struct RowNow {
    Row row{};
    Timestamp now{};
};
[[nodiscard]] inline std::optional<RowNow> find_row(Pool& pool, std::string_view id) {
    static const std::string sql = "SELECT " + sql_columns() + ", " + sql_time("pg_catalog.clock_timestamp()") +
                                   " FROM acta.history WHERE id = $1";
    return pool.call(Repeat::yes, [&](Connection& connection, const Deadline& deadline) -> std::optional<RowNow> {
        const Rows rows = connection.run(sql.c_str(), Parameters().add(id), deadline);
        if (rows.empty()) return std::nullopt;
        return RowNow{row_of(rows, 0), store_detail::timestamp_of(rows.integer(0, 12))};
    });
}
/// Throws if the history does not exist or was erased.
[[nodiscard]] inline RowNow require_row(Pool& pool, std::string_view id) {
    std::optional<RowNow> found = find_row(pool, id);
    if (!found) store_detail::throw_not_found(id);
    if (found->row.erased) store_detail::throw_gone(id);
    store_detail::require_readable(found->row.info);
    return *std::move(found);
}
/// Throws if the id is, or was, that of a history.
inline void require_new(Pool& pool, std::string_view id) {
    const std::optional<RowNow> found = find_row(pool, id);
    if (!found) return;
    if (found->row.erased) store_detail::throw_gone(id);
    store_detail::throw_exists(id);
}

/// Calls `act` until it returns a value, at most ten times. After each failure `why` throws the error that explains it;
/// if it does not throw, another client has changed the history in between.
template <class Act, class Why>
auto retry_change(const Pool& pool, std::string_view id, const Act& act, const Why& why) {
    constexpr int most = 10;
    for (int i = 0; i < most; ++i) {
        if (auto done = act()) return *std::move(done);
        why();
    }
    throw StoreError(pool.target().message("history " + store_detail::quoted_id(id) +
                                           ": other clients changed it during each of 10 attempts"));
}

}  // namespace postgres_detail

namespace postgres {

ACTA_INLINE Store::Store(const std::string& connection, const Options& options)
    : pool_(std::make_unique<postgres_detail::Pool>(connection, options)) {
    pool_->connect();
    pool_->call(postgres_detail::Repeat::no,
                [&](postgres_detail::Connection& first, const postgres_detail::Deadline& deadline) {
                    postgres_detail::prepare_layout(first, pool_->target(), options.schema, deadline);
                });
}
ACTA_INLINE Store::~Store() = default;

ACTA_INLINE HistoryInfo Store::create(std::string_view id, std::string_view type, const JsonObject& labels) {
    store_detail::require_id(id);
    store_detail::require_labels(id, labels);
    static const std::string sql =
        "INSERT INTO acta.history(id, type, labels_text) VALUES($1, $2, $3) ON CONFLICT (id) DO NOTHING RETURNING " +
        postgres_detail::sql_columns();
    const auto made = [&]() -> std::optional<HistoryInfo> {
        const postgres_detail::Rows rows =
            postgres_detail::run(*pool_, postgres_detail::Repeat::no, sql.c_str(),
                                 postgres_detail::Parameters().add(id).add(type).add(dump(labels)));
        if (rows.empty()) return std::nullopt;
        return postgres_detail::row_of(rows, 0).info;
    };
    return postgres_detail::retry_change(*pool_, id, made, [&] { postgres_detail::require_new(*pool_, id); });
}

ACTA_INLINE std::optional<HistoryInfo> Store::find(std::string_view id) {
    store_detail::require_id(id);
    std::optional<postgres_detail::RowNow> found = postgres_detail::find_row(*pool_, id);
    if (!found) return std::nullopt;
    if (found->row.erased) store_detail::throw_gone(id);
    store_detail::require_readable(found->row.info);
    return std::move(found->row.info);
}

// One statement, so that there is one round trip, and no transaction that the server would have to end.
ACTA_INLINE Appended Store::append(std::string_view id, Position at, std::span<const NewRecord> records) {
    store_detail::require_id(id);
    store_detail::require_records(id, records);
    const postgres_detail::Columns columns(records);
    const std::string token =
        records.empty() || records.front().token.empty() ? new_token() : std::string(records.front().token);
    const Position after = {at.version + records.size(), at.epoch};
    const auto parameters = postgres_detail::Parameters()
                                .add(id)
                                .add(at.version)
                                .add(at.epoch)
                                .add(std::uint64_t{records.size()})
                                .add(store_detail::newest_snapshot(records, at.version + 1, 0))
                                .add(std::int64_t{record_format})
                                .add(columns.kinds)
                                .add(columns.calls)
                                .add(columns.bodies)
                                .add(columns.checksums)
                                .add(token);
    bool is_there = false;
    const auto appended = [&]() -> std::optional<Appended> {
        if (is_there) return Appended{after, true};
        const postgres_detail::Rows rows = postgres_detail::run(
            *pool_, postgres_detail::Repeat::yes,
            "WITH appended AS (UPDATE acta.history SET head = head + $4, snapshot = greatest(snapshot, $5), "
            "updated = pg_catalog.clock_timestamp() WHERE id = $1 AND head = $2 AND epoch = $3 AND erased IS NULL "
            "RETURNING key, updated), "
            "stored AS (INSERT INTO acta.record(history, seq, kind, format, at, call_id, body, checksum, token) "
            "SELECT a.key, $2 + n.number, n.kind, $6, a.updated, n.call_id, n.body, n.checksum::bigint, $11 "
            "FROM appended a, "
            "ROWS FROM (pg_catalog.unnest($7), pg_catalog.unnest($8), pg_catalog.unnest($9), pg_catalog.unnest($10)) "
            "WITH ORDINALITY AS n(kind, call_id, body, checksum, number)) SELECT key FROM appended",
            parameters);
        if (rows.empty()) return std::nullopt;
        return Appended{after, false};
    };
    return postgres_detail::retry_change(*pool_, id, appended, [&] {
        const Position found = postgres_detail::require_row(*pool_, id).row.info.position;
        store_detail::require_epoch(id, at.epoch, found.epoch);
        if (found.version == at.version) return;  // another client has just created it
        is_there = at.version < found.version && postgres_detail::has_token(*pool_, id, at.version, token);
        if (!is_there) store_detail::throw_conflict(id, at.version, found.version);
    });
}

// In pages, without a connection while the records are used. Records never change, so that those up to the version at
// the beginning are those of one moment.
ACTA_INLINE void Store::read(std::string_view id, RecordRange range, const std::function<bool(const Record&)>& each) {
    store_detail::require_id(id);
    std::optional<store_detail::ReadingOrder> order;
    do {
        const postgres_detail::Page page =
            postgres_detail::page(*pool_, id, order ? order->next() : std::max<std::uint64_t>(range.first, 1),
                                  order ? order->end() : range.last);
        if (!order) order.emplace(id, range.first, range.last, page.version);
        if (page.records.empty() && !order->is_done()) order->throw_missing();
        for (const Record& record : page.records) {
            if (order->is_done()) return;  // it was appended since this began
            order->pass(record.seq);
            if (!each(record)) return;
        }
    } while (!order->is_done());
}

// The server compares labels loosely (a label that is an object may have more members), so that they are compared
// again.
ACTA_INLINE std::vector<HistoryInfo> Store::list(const HistoryQuery& query) {
    constexpr std::size_t most_rows = 10'000;
    std::optional<std::int64_t> before;
    if (query.updated_before && query.updated_before->instant())
        before = query.updated_before->instant()->time_since_epoch().count();
    const std::string labels = dump(query.labels);
    std::string after = query.after;
    // No id has more characters after the prefix than 64.
    static const std::string sql =
        "SELECT " + postgres_detail::sql_columns() +
        " FROM acta.history WHERE erased IS NULL AND id >= $1 AND id <= $1 || "
        "pg_catalog.repeat(pg_catalog.chr(1114111), 64) AND pg_catalog.starts_with(id, $1) AND id > $2 AND "
        "labels @> $3::pg_catalog.jsonb AND ($4::bigint IS NULL OR "
        "updated < pg_catalog.timestamptz 'epoch' + $4 * interval '1 microsecond') ORDER BY id LIMIT $5";
    std::vector<HistoryInfo> out;
    for (bool has_more = true; has_more && out.size() < query.limit;) {
        const std::size_t wanted = std::min(query.limit - out.size(), most_rows);
        const postgres_detail::Rows rows = postgres_detail::run(*pool_, postgres_detail::Repeat::yes, sql.c_str(),
                                                                postgres_detail::Parameters()
                                                                    .add(query.id_prefix)
                                                                    .add(after)
                                                                    .add(labels)
                                                                    .add(before)
                                                                    .add(std::uint64_t{wanted}));
        has_more = static_cast<std::size_t>(rows.size()) == wanted;
        for (int row = 0; row < rows.size(); ++row) {
            HistoryInfo info = postgres_detail::row_of(rows, row).info;
            after = info.id;
            if (store_detail::has_labels(info, query.labels)) out.push_back(std::move(info));
        }
    }
    return out;
}

ACTA_INLINE HistoryInfo Store::fork(std::string_view id, std::uint64_t at, std::string_view new_id) {
    store_detail::require_id(id);
    store_detail::require_id(new_id);
    static const std::string sql =
        std::string("WITH parent AS (SELECT * FROM acta.history WHERE id = $1 AND head >= $2 AND erased IS NULL AND ") +
        postgres_detail::sql_possible +
        "), "
        "child AS (INSERT INTO acta.history(id, forked_from, head, snapshot, type, labels_text) "
        "SELECT $3, p.id || '@' || $2, $2, (SELECT coalesce(pg_catalog.max(seq), 0) FROM acta.record r WHERE "
        "r.history = p.key AND r.seq <= $2 AND r.kind = 'snapshot'), p.type, p.labels_text FROM parent p "
        "ON CONFLICT (id) DO NOTHING RETURNING *), "
        "copied AS (INSERT INTO acta.record(history, seq, kind, format, at, call_id, body, checksum) "
        "SELECT c.key, r.seq, r.kind, r.format, r.at, r.call_id, r.body, r.checksum FROM child c, parent p, "
        "acta.record r "
        "WHERE r.history = p.key AND r.seq <= $2) "
        "SELECT " +
        postgres_detail::sql_columns() + " FROM child";
    const auto made = [&]() -> std::optional<HistoryInfo> {
        const postgres_detail::Rows rows =
            postgres_detail::run(*pool_, postgres_detail::Repeat::no, sql.c_str(),
                                 postgres_detail::Parameters().add(id).add(at).add(new_id));
        if (rows.empty()) return std::nullopt;
        return postgres_detail::row_of(rows, 0).info;
    };
    return postgres_detail::retry_change(*pool_, id, made, [&] {
        const postgres_detail::RowNow parent = postgres_detail::require_row(*pool_, id);
        store_detail::require_version(id, at, parent.row.info.position.version);
        postgres_detail::require_new(*pool_, new_id);
    });
}

ACTA_INLINE Lease Store::acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) {
    store_detail::require_id(id);
    static const std::string sql =
        "UPDATE acta.history SET epoch = epoch + 1, holder = $2, "
        "lease_until = pg_catalog.clock_timestamp() + $3 * interval '1 microsecond' WHERE id = $1 AND "
        "erased IS NULL AND (holder IS NULL OR holder = $2 OR lease_until <= pg_catalog.clock_timestamp()) AND " +
        std::string(postgres_detail::sql_possible) + " RETURNING epoch, " + postgres_detail::sql_time("lease_until");
    const auto acquired = [&]() -> std::optional<Lease> {
        const postgres_detail::Rows rows =
            postgres_detail::run(*pool_, postgres_detail::Repeat::no, sql.c_str(),
                                 postgres_detail::Parameters().add(id).add(holder).add(
                                     std::int64_t{store_detail::lease_time(time).count()}));
        if (rows.empty()) return std::nullopt;
        return Lease{std::string(holder), rows.number(0, 0), store_detail::timestamp_of(rows.integer(0, 1))};
    };
    return postgres_detail::retry_change(*pool_, id, acquired, [&] {
        const postgres_detail::RowNow found = postgres_detail::require_row(*pool_, id);
        store_detail::require_free(found.row.info, holder, found.now);
    });
}

ACTA_INLINE Lease Store::renew(std::string_view id, const Lease& lease, std::chrono::microseconds time) {
    store_detail::require_id(id);
    static const std::string sql =
        "UPDATE acta.history SET lease_until = pg_catalog.clock_timestamp() + $3 * interval '1 microsecond' WHERE "
        "id = $1 AND "
        "epoch = $2 AND holder IS NOT NULL AND erased IS NULL AND " +
        std::string(postgres_detail::sql_possible) + " RETURNING holder, " + postgres_detail::sql_time("lease_until");
    const auto renewed = [&]() -> std::optional<Lease> {
        const postgres_detail::Rows rows =
            postgres_detail::run(*pool_, postgres_detail::Repeat::no, sql.c_str(),
                                 postgres_detail::Parameters()
                                     .add(id)
                                     .add(lease.epoch)
                                     .add(std::int64_t{store_detail::lease_time(time).count()}));
        if (rows.empty()) return std::nullopt;
        return Lease{rows.text(0, 0), lease.epoch, store_detail::timestamp_of(rows.integer(0, 1))};
    };
    return postgres_detail::retry_change(*pool_, id, renewed, [&] {
        const postgres_detail::RowNow found = postgres_detail::require_row(*pool_, id);
        store_detail::require_epoch(id, lease.epoch, found.row.info.position.epoch);
        if (!found.row.info.lease) store_detail::throw_lost(id, "the lease was released");
    });
}

ACTA_INLINE void Store::release(std::string_view id, const Lease& lease) {
    store_detail::require_id(id);
    static const std::string sql =
        "UPDATE acta.history SET holder = NULL, lease_until = NULL WHERE id = $1 AND epoch = $2 AND erased IS NULL "
        "AND " +
        std::string(postgres_detail::sql_possible) + " RETURNING key";
    const postgres_detail::Rows rows = postgres_detail::run(*pool_, postgres_detail::Repeat::no, sql.c_str(),
                                                            postgres_detail::Parameters().add(id).add(lease.epoch));
    if (rows.empty()) static_cast<void>(postgres_detail::require_row(*pool_, id));
}

// In two statements: the second one sees the records that were appended until the first one had its row.
ACTA_INLINE void Store::erase(std::string_view id) {
    store_detail::require_id(id);
    const bool is_there = pool_->call(postgres_detail::Repeat::no, [&](postgres_detail::Connection& connection,
                                                                       const postgres_detail::Deadline& deadline) {
        postgres_detail::Transaction transaction(connection, deadline);
        const postgres_detail::Rows rows = connection.run(
            "UPDATE acta.history SET erased = coalesce(erased, pg_catalog.clock_timestamp()), head = 0, snapshot = 0, "
            "type = '', labels_text = '{}', forked_from = '', holder = NULL, lease_until = NULL WHERE id = $1 "
            "RETURNING key",
            postgres_detail::Parameters().add(id), deadline);
        if (!rows.empty()) {
            static_cast<void>(connection.run("DELETE FROM acta.record WHERE history = $1",
                                             postgres_detail::Parameters().add(rows.integer(0, 0)), deadline));
        }
        transaction.commit();
        return !rows.empty();
    });
    if (!is_there) store_detail::throw_not_found(id);
}

}  // namespace postgres

}  // namespace acta::inline ACTA_ABI
