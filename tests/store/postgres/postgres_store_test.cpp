// SPDX-License-Identifier: MIT
#include "acta/store/postgres/store.hpp"

#include <memory>
#include <string>

#include "acta/json/json.hpp"
#include "acta/store/stored_history.hpp"
#include "acta/testing/store_conformance.hpp"
#include "store/postgres/server.hpp"
#include "support/catch.hpp"

namespace {

namespace pg = acta::postgres;
using PgRun = acta::StoredHistory<>;

template <class Do>
std::string store_fault(const Do& act) {
    try {
        act();
        return "nothing was thrown";
    } catch (const acta::StoreError& error) {
        return error.what();
    }
}

}  // namespace

TEST_CASE("the store in PostgreSQL keeps the promises of a store") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    const std::string strict = " options='-c default_transaction_isolation=serializable'";
    for (const std::string& options : {std::string(), strict}) {
        const pg::Options own{.connections = 5, .prepared_statements = options.empty(), .schema = "a \"schema\""};
        pg::Store store(server.address() + options, options.empty() ? pg::Options() : own);
        const auto again = [&] {
            return std::make_unique<pg::Store>(server.address() + options, options.empty() ? pg::Options() : own);
        };
        for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) {
            INFO(check.name << options);
            CHECK_NOTHROW(check.run({store, again}));
        }
    }
}

TEST_CASE("what acta has not written to PostgreSQL is an error with its place") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    pg::Store store(server.address());
    PgRun::open(store, "task").append_user_feedback("a");
    server.sql("UPDATE acta.history SET labels_text = '[1]' WHERE id = 'task'");
    CHECK_THAT(store_fault([&] { static_cast<void>(store.find("task")); }),
               contains_text("history 'task': its labels cannot be read: "));
    server.sql("UPDATE acta.history SET labels_text = '{}'");
    server.sql("UPDATE acta.record SET kind = 'dream'");
    CHECK(store_fault([&] { static_cast<void>(PgRun::open(store, "task")); }) ==
          "history 'task', record 1: this acta does not know its kind 'dream'");
    server.sql("UPDATE acta.record SET kind = 'feedback', format = 2");
    CHECK_THROWS_AS(PgRun::open(store, "task"), acta::StoreTooNew);
}
