// SPDX-License-Identifier: MIT
#include <libpq-fe.h>

#include <memory>
#include <stdexcept>

#include "acta/store/postgres/store.hpp"
#include "common.hpp"
#include "store/postgres/server.hpp"

namespace bench {
namespace {

/// Rows of a table that is like that of the records, each inserted by a prepared statement and committed.
class PlainRows {
public:
    explicit PlainRows(const std::string& address) : connection_(PQconnectdb(address.c_str()), PQfinish) {
        require(
            PQexec(connection_.get(),
                   "CREATE TABLE plain(history bigint, seq bigint, kind text NOT NULL, format integer NOT NULL, "
                   "at timestamptz NOT NULL, call_id text NOT NULL, body text NOT NULL, PRIMARY KEY (history, seq))"),
            PGRES_COMMAND_OK);
        require(PQprepare(connection_.get(), "row",
                          "INSERT INTO plain VALUES (1, $1::bigint, $2, 1, clock_timestamp(), '', $3)", 3, nullptr),
                PGRES_COMMAND_OK);
    }

    void append(std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const std::string seq = std::to_string(++size_);
            const acta::NewRecord one = record(size_);
            const char* const values[] = {seq.c_str(), "note", one.body.c_str()};
            require(PQexecPrepared(connection_.get(), "row", 3, values, nullptr, nullptr, 0), PGRES_COMMAND_OK);
        }
    }

private:
    void require(PGresult* result, ExecStatusType wanted) const {
        const std::unique_ptr<PGresult, void (*)(PGresult*)> owned(result, PQclear);
        if (PQresultStatus(result) != wanted) throw std::runtime_error(PQerrorMessage(connection_.get()));
    }

    std::unique_ptr<PGconn, void (*)(PGconn*)> connection_;
    std::uint64_t size_ = 0;
};

void print_rows(const char* server, bool is_durable, std::size_t rounds) {
    const PostgresServer own(is_durable);
    acta::postgres::Store store(own.address());
    Writer writer("history");
    store.create(writer.id());
    PlainRows rows(own.address());
    constexpr std::size_t block = 500;
    std::vector<double> plain;
    std::vector<double> acta;
    for (std::size_t i = 0; i < rounds; ++i) {  // in turn, so that both have the same disk
        plain.push_back(elapsed_seconds([&] { rows.append(block); }) / block);
        acta.push_back(elapsed_seconds([&] { writer.append(store, block); }) / block);
    }
    std::printf("| %s | %.0f | %.0f | %.2f | %s |\n", server, 1 / median(plain), 1 / median(acta),
                median(plain) / median(acta), is_durable ? "0.8" : "");
}

}  // namespace

void print_postgres(std::size_t rounds) {
    if (const std::string missing = PostgresServer::missing(); !missing.empty()) {
        std::fprintf(stderr, "no figures of PostgreSQL: %s\n", missing.c_str());
        return;
    }
    std::printf("\n### Appends to PostgreSQL beside a row inserted by libpq alone, one connection\n\n");
    std::printf(
        "| server | rows a second | appends a second | times as fast as rows | wanted |\n|---|---|---|---|---|\n");
    print_rows("waits for the disk", true, rounds);
    print_rows("`fsync=off`: what the statement itself costs", false, rounds);
}

}  // namespace bench
