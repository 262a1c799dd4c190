// SPDX-License-Identifier: MIT
#include "acta/store/postgres/store.hpp"

#include <memory>
#include <string>

#include "acta/json/json.hpp"
#include "acta/store/stored_history.hpp"
#include "acta/testing/store_conformance.hpp"
#include "store/postgres/server.hpp"
#include "store/store_content.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"

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

/// Changes a body, or removes a record, as another program would.
auto damage_in(const PostgresServer& server, const std::string& schema) {
    std::string quoted = "\"";
    for (const char c : schema) quoted += c == '"' ? "\"\"" : std::string(1, c);
    quoted += "\".";
    return [&server, quoted](const std::string& id, std::uint64_t seq, const std::string& body) {
        const std::string row = " WHERE seq = " + std::to_string(seq) + " AND history = (SELECT key FROM " + quoted +
                                "history WHERE id = '" + id + "')";
        server.sql(body.empty() ? "DELETE FROM " + quoted + "record" + row
                                : "UPDATE " + quoted + "record SET body = '" + body + "'" + row);
    };
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
            CHECK_NOTHROW(check.run({store, again, damage_in(server, options.empty() ? "acta" : own.schema)}));
        }
        check_messages_of_ids(store);
    }
}

TEST_CASE("what acta has not written to PostgreSQL is an error with its place") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    pg::Store store(server.address());
    PgRun::open_or_create(store, "task").append_user_feedback("a");
    server.sql("UPDATE acta.history SET labels_text = '[1]' WHERE id = 'task'");
    CHECK_THAT(store_fault([&] { static_cast<void>(store.find("task")); }),
               contains_text("history 'task': its labels cannot be read: "));
    server.sql("UPDATE acta.history SET labels_text = '{}'");
    server.sql("UPDATE acta.record SET kind = 'dream'");
    CHECK(store_fault([&] { static_cast<void>(PgRun::open_or_create(store, "task")); }) ==
          "history 'task', record 1: this acta does not know its kind 'dream'");
    server.sql("UPDATE acta.record SET kind = 'feedback', format = 2");
    CHECK_THROWS_AS(PgRun::open_or_create(store, "task"), acta::StoreTooNew);
}

TEST_CASE("a store in PostgreSQL of the first layout is changed to this one") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    {
        pg::Store store(server.address());
        PgRun::open_or_create(store, "task").append_user_feedback("a");
    }
    server.sql("ALTER TABLE acta.record DROP COLUMN token, DROP COLUMN checksum; UPDATE acta.meta SET version = 1");
    pg::Store store(server.address());
    auto run = PgRun::open_or_create(store, "task");
    run.append_user_feedback("b");
    CHECK(PgRun::open_or_create(store, "task").position().version == 2);
    CHECK(server.sql("SELECT count(checksum) FROM acta.record") == "1");
}

TEST_CASE("an entry in PostgreSQL that cannot be is an error of that history alone, whatever is done with it") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    pg::Store store(server.address());
    for (const char* id : {"epoch", "fine", "head", "labels", "snapshot"})
        PgRun::open_or_create(store, id).append_user_feedback("a");
    const acta::Lease lease = store.acquire("snapshot", "a", std::chrono::minutes(1));
    server.sql(
        "UPDATE acta.history SET epoch = -1 WHERE id = 'epoch'; "
        "UPDATE acta.history SET head = -1 WHERE id = 'head'; "
        "UPDATE acta.history SET labels_text = '[]' WHERE id = 'labels'; "
        "UPDATE acta.history SET snapshot = 7 WHERE id = 'snapshot'");
    const auto pass = [](const acta::Record&) { return true; };
    CHECK_NOTHROW(store.read("fine", {}, pass));
    CHECK(store.fork("fine", 1, "fork").position.version == 1);
    CHECK_THAT(store_fault([&] { store.read("snapshot", {}, pass); }),
               contains_text("history 'snapshot': it has 1 records, and its newest snapshot is said to be record 7"));
    for (const char* id : {"epoch", "head", "labels", "snapshot"}) {
        INFO(id);
        CHECK_THROWS_AS(store.find(id), acta::StoreCorrupt);
        for (const std::uint64_t first : {1U, 2U, 9U})
            CHECK_THROWS_AS(store.read(id, {first}, pass), acta::StoreCorrupt);
        CHECK_THROWS_AS(PgRun::open_or_create(store, id), acta::StoreCorrupt);
    }
    for (const char* id : {"head", "snapshot"}) {
        INFO(id);
        CHECK_THROWS_AS(store.fork(id, 0, "another"), acta::StoreCorrupt);
        CHECK_THROWS_AS(store.acquire(id, "a", std::chrono::minutes(1)), acta::StoreCorrupt);
    }
    CHECK_THROWS_AS(store.renew("snapshot", lease, std::chrono::minutes(1)), acta::StoreCorrupt);
    CHECK_THROWS_AS(store.release("snapshot", lease), acta::StoreCorrupt);
    CHECK(store.list({.id_prefix = "snap"}).at(0).unreadable.starts_with("it has 1 records"));
    CHECK_NOTHROW(store.erase("snapshot"));
}

TEST_CASE("functions of the search path do not stand in for those of PostgreSQL") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    server.sql(
        "CREATE SCHEMA evil; "
        "CREATE FUNCTION evil.starts_with(text, text) RETURNS boolean LANGUAGE sql AS 'SELECT false'; "
        "CREATE FUNCTION evil.octet_length(text) RETURNS integer LANGUAGE sql AS 'SELECT 5000000'; "
        "CREATE FUNCTION evil.clock_timestamp() RETURNS timestamptz LANGUAGE sql AS $$SELECT timestamptz "
        "'1999-01-01'$$; "
        "CREATE FUNCTION evil.strpos(text, text) RETURNS integer LANGUAGE sql AS 'SELECT 0'; "
        "CREATE FUNCTION evil.repeat(text, integer) RETURNS text LANGUAGE sql AS $$SELECT ''$$");
    pg::Store store(server.address() + " options='-c search_path=evil,pg_catalog'");
    auto run = PgRun::open_or_create(store, "task");
    for (int i = 0; i < 3; ++i) run.append_user_feedback("a");
    CHECK(store.list({.id_prefix = "ta"}).size() == 1);
    CHECK(acta::to_string(store.find("task")->updated) > "2000");
    CHECK(lvalue(PgRun::open_or_create(store, "task").snapshot()).pending_feedback().size() == 3);
    const acta::Lease lease = store.acquire("task", "a", std::chrono::microseconds::max());
    CHECK(lease.until.instant() > acta::Timestamp::now().instant());
}
