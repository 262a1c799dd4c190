// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "acta/store/history_store.hpp"
#include "acta/version.hpp"

/// Histories in a PostgreSQL database. Needs libpq, and a server of version 13 or newer (target `acta::postgres`).
namespace acta::inline ACTA_ABI::postgres {

/// Options of a store.
struct Options {
    std::size_t connections = 8;  ///< How many connections it has at most, at least 1. Each is opened when needed.
    /// How long a statement may take at most: waiting for a free connection, connecting if there is none, and waiting
    /// for the answer. Most calls are one statement, `read` one for each thousand records.
    std::chrono::milliseconds timeout{10'000};
    /// Whether statements are prepared, so that the server does not plan each append again. Switch it off behind a
    /// transaction pooler that does not keep track of prepared statements (PgBouncer before 1.21).
    bool prepared_statements = true;
    /// The schema of the tables, so that one database may have several stores. 1 to 63 bytes.
    std::string schema = "acta";
};

}  // namespace acta::inline ACTA_ABI::postgres

namespace acta::inline ACTA_ABI::postgres_detail {
class Pool;
}

namespace acta::inline ACTA_ABI::postgres {

/// Histories in a database, for any number of machines.
///
/// The tables (docs/reference/store.md, "PostgreSQL") are made when the first store is opened. A call that finds its
/// connection closed takes another one, so that a restart of the server is only a delay. If the connection is lost
/// while an answer is awaited, `append`, and what only reads, is repeated: nothing is stored twice. Any other member
/// throws `StoreError`, and may have taken effect or not, as when `timeout` has passed.
///
/// No connection is used by two processes: a process that forks opens a store of its own in the child.
///
/// @code{.cpp}
/// #include <acta/store/stored_history.hpp>
/// void work() {
///     acta::postgres::Store store("host=db.example.org dbname=agents user=agent sslmode=verify-full");
///     auto run = acta::StoredHistory<>::open_or_create(store, "task-42");
///     run.register_message(acta::ChatMessage::user("When is high water in Brest?"));
/// }
/// @endcode
class Store : public HistoryStore {
public:
    /// Connects, and creates the tables if they do not exist. The connection string is one of libpq, as keywords and
    /// values or as a URI; what it leaves out comes from the environment (`PGHOST`, `PGPASSWORD`, `~/.pgpass`, …), as
    /// with any program that uses libpq. Throws `StoreError` if there is no connection, or if the schema is there and
    /// is not acta's, and `StoreTooNew` if a newer acta has made it. No error shows a password.
    explicit Store(const std::string& connection, const Options& options = {});
    ~Store() override;

    HistoryInfo create(std::string_view id, std::string_view type = {}, const JsonObject& labels = {}) override;
    [[nodiscard]] std::optional<HistoryInfo> find(std::string_view id) override;
    Appended append(std::string_view id, Position at, std::span<const NewRecord> records) override;
    void read(std::string_view id, RecordRange range, const std::function<bool(const Record&)>& each) override;
    [[nodiscard]] std::vector<HistoryInfo> list(const HistoryQuery& query = {}) override;
    HistoryInfo fork(std::string_view id, std::uint64_t at, std::string_view new_id) override;
    Lease acquire(std::string_view id, std::string_view holder, std::chrono::microseconds time) override;
    Lease renew(std::string_view id, const Lease& lease, std::chrono::microseconds time) override;
    void release(std::string_view id, const Lease& lease) override;
    void erase(std::string_view id) override;

private:
    std::unique_ptr<postgres_detail::Pool> pool_;
};

}  // namespace acta::inline ACTA_ABI::postgres

#ifndef ACTA_COMPILED
#include "acta/store/postgres/detail/store.inl.hpp"
#endif
