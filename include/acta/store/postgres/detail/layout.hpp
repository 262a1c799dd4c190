// SPDX-License-Identifier: MIT
#pragma once

#include <cstdint>
#include <string>

#include "acta/store/postgres/detail/connection.hpp"
#include "acta/store/postgres/detail/views.hpp"
#include "acta/store/store_error.hpp"

// The tables.
namespace acta::inline ACTA_ABI::postgres_detail {

inline constexpr std::int64_t layout = 1;

// `labels_text` has labels as they were written, `labels` is what they are found by: jsonb orders keys anew. No index has
// `head`, `updated` or what else an append changes, so that the server need not change an index for it (a HOT update),
// and pages have room for the row's next version.
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
  PRIMARY KEY (history, seq)
);
INSERT INTO acta.meta(application, version) VALUES ('acta', 1);
)";

/// What is in the database under the schema's name.
enum class Found { nothing, empty_schema, store };

/// Throws if the schema is somebody else's, or a newer acta's.
[[nodiscard]] inline Found look(Connection& connection, const Target& target, const std::string& schema,
                                const Deadline& deadline) {
    const auto refuse = [&] {
        throw StoreError(target.message("the schema '" + schema + "' is there and is not acta's"));
    };
    const Rows there = connection.run(
        "SELECT (SELECT count(*) FROM pg_class c WHERE c.relnamespace = n.oid), "
        "(SELECT count(*) FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid WHERE c.relnamespace = n.oid AND "
        "c.relname = 'meta' AND a.attname IN ('application', 'version')) FROM pg_namespace n WHERE n.nspname = $1",
        Parameters().add(schema), deadline);
    if (there.empty()) return Found::nothing;
    if (there.integer(0, 0) == 0) return Found::empty_schema;
    if (there.integer(0, 1) != 2) refuse();
    const Rows meta = connection.run("SELECT application::text, version FROM acta.meta", {}, deadline);
    if (meta.size() != 1 || meta.text(0, 0) != "acta") refuse();
    const std::int64_t version = meta.integer(0, 1);
    if (version > layout)
        throw StoreTooNew(target.message("its layout " + std::to_string(version) + " is newer than this acta"));
    return Found::store;
}

/// Makes the tables unless they are there, which a role that may only read and write them can find out too.
inline void prepare_layout(Connection& connection, const Target& target, const std::string& schema,
                           const Deadline& deadline) {
    if (look(connection, target, schema, deadline) == Found::store) return;
    Transaction transaction(connection, deadline);
    // Any number of programs may open the first store at once.
    static_cast<void>(connection.run("SELECT pg_advisory_xact_lock(hashtextextended('acta ' || $1, 0))",
                                     Parameters().add(schema), deadline));
    const Found found = look(connection, target, schema, deadline);
    if (found != Found::store) {
        if (found == Found::nothing) connection.execute("CREATE SCHEMA " + connection.schema(), deadline);
        connection.execute(tables, deadline);
        connection.execute(views, deadline);
    }
    transaction.commit();
}

}  // namespace acta::inline ACTA_ABI::postgres_detail
