// SPDX-License-Identifier: MIT
// Opening a store in PostgreSQL: whose tables these are, who may do what, and what errors show.
#include "acta/store/postgres/store.hpp"

#include <cstdint>
#include <cstdlib>
#include <future>
#include <limits>
#include <memory>
#include <stdexcept>
#include <string>
#include <vector>

#include "acta/store/postgres/detail/connection.hpp"
#include "acta/store/stored_history.hpp"
#include "store/postgres/server.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

namespace {

namespace pg = acta::postgres;

std::string opening_fault(const std::string& address, const std::string& schema = "acta") {
    try {
        const pg::Store store(address, {.timeout = std::chrono::seconds(5), .schema = schema});
        return "nothing was thrown";
    } catch (const acta::StoreTooNew& error) {
        return std::string("too new: ") + error.what();
    } catch (const acta::StoreError& error) {
        return error.what();
    }
}
template <class Do>
std::string fault_of(const Do& act) {
    try {
        act();
        return "nothing was thrown";
    } catch (const acta::StoreError& error) {
        return error.what();
    }
}

void check_schemas(const PostgresServer& server) {
    const std::string columns =
        "SELECT string_agg(table_name || '.' || column_name, ' ') FROM information_schema.columns ";
    server.sql("CREATE SCHEMA other; CREATE TABLE other.meta(a int); INSERT INTO other.meta VALUES(1)");
    CHECK(opening_fault(server.address(), "other") ==
          "postgres 'postgres': the schema 'other' is there and is not acta's");
    CHECK(server.sql(columns + "WHERE table_schema = 'other'") == "meta.a");
    server.sql(
        "CREATE SCHEMA like_it; CREATE TABLE like_it.meta(application text, version int); "
        "INSERT INTO like_it.meta VALUES('bacta', 1)");
    CHECK_THAT(opening_fault(server.address(), "like_it"), ends_with_text("is there and is not acta's"));
    server.sql("CREATE SCHEMA empty");
    CHECK(opening_fault(server.address(), "empty") == "nothing was thrown");
    CHECK(opening_fault(server.address(), "empty") == "nothing was thrown");

    CHECK_THAT(opening_fault(server.address(), ""), contains_text("the name of a schema has 1 to 63 bytes"));
    CHECK_THAT(opening_fault(server.address(), std::string(64, 's')), contains_text("has 1 to 63 bytes"));
    server.sql("UPDATE empty.meta SET version = 3");
    CHECK(opening_fault(server.address(), "empty") ==
          "too new: postgres 'postgres': its layout 3 is newer than this acta");

    pg::Store one(server.address(), {.schema = "one"});
    pg::Store two(server.address(), {.schema = "two; DROP SCHEMA \"one\" CASCADE"});
    one.create("task");
    CHECK_FALSE(two.find("task"));
    CHECK(one.find("task"));
    CHECK_THAT(opening_fault("host=127.0.0.1 port=" + std::to_string(server.port()) + " user=acta dbname=none"),
               contains_text("database \"none\" does not exist"));
    server.sql("CREATE DATABASE latin ENCODING 'LATIN1' TEMPLATE template0 LOCALE 'C'");
    CHECK_THAT(opening_fault("host=127.0.0.1 port=" + std::to_string(server.port()) + " user=acta dbname=latin"),
               contains_text("the database's encoding is LATIN1, not UTF8"));
}

void check_many_at_once(const PostgresServer& server) {
    std::vector<std::future<std::string>> openings;
    for (int i = 0; i < 8; ++i)
        openings.push_back(std::async(std::launch::async, [&] { return opening_fault(server.address(), "at once"); }));
    for (auto& one : openings) CHECK(one.get() == "nothing was thrown");
    CHECK(server.sql("SELECT count(*) FROM \"at once\".meta") == "1");
}

void check_roles(const PostgresServer& server) {
    const std::vector<acta::NewRecord> one = {{acta::RecordKind::note, {}, "{}"}};
    server.sql("CREATE ROLE writer LOGIN; CREATE ROLE reader LOGIN; CREATE ROLE nobody LOGIN");
    CHECK_THAT(opening_fault(server.address("writer")), contains_text("permission denied for database"));
    { const pg::Store store(server.address()); }
    server.sql(read_file(paths::source("docs/sql/postgres.sql")));
    CHECK_THAT(opening_fault(server.address("nobody")), contains_text("permission denied for schema acta"));
    server.sql(
        "GRANT USAGE ON SCHEMA acta TO writer, reader; GRANT SELECT ON ALL TABLES IN SCHEMA acta TO writer, reader; "
        "GRANT INSERT, UPDATE ON acta.history TO writer; GRANT INSERT, DELETE ON acta.record TO writer");
    pg::Store writer(server.address("writer"));
    writer.create("task");
    writer.append("task", {}, one);
    writer.fork("task", 1, "fork");
    writer.release("task", writer.acquire("task", "a", std::chrono::minutes(1)));
    writer.erase("fork");
    pg::Store reader(server.address("reader"));
    CHECK(reader.find("task")->position.version == 1);
    CHECK(reader.list().size() == 1);
    reader.read("task", {}, [](const acta::Record&) { return true; });
    CHECK(
        fault_of([&] {
            reader.append("task", {1, 1}, one);
        }) ==
        "postgres 'postgres': permission denied for table history (42501); the role needs USAGE on the schema, SELECT "
        "on its tables, INSERT and UPDATE on history, INSERT on record, DELETE on record to erase a history, and to "
        "make "
        "or change the schema the rights of its owner");
    CHECK(reader.find("task")->position.version == 1);
    CHECK(server.sql("SELECT (SELECT count(*) FROM acta.step) + (SELECT count(*) FROM acta.call)", "reader") == "0");
}

void check_values(const PostgresServer& server) {
    pg::Store store(server.address());
    store.create("values");
    const std::vector<acta::NewRecord> nul = {{acta::RecordKind::note, {}, std::string("{\"a\":\"\0\"}", 9)}};
    CHECK_THAT(fault_of([&] { store.append("values", {}, nul); }), contains_text("its body is not JSON in UTF-8"));
    const std::vector<acta::NewRecord> broken = {{acta::RecordKind::note, "\xFF", "{}"}};
    CHECK_THAT(fault_of([&] { store.append("values", {}, broken); }),
               contains_text("its call id is not UTF-8 without U+0000"));
    CHECK(store.find("values")->position.version == 0);
    constexpr auto most = std::numeric_limits<std::uint64_t>::max();
    CHECK_THROWS_AS(store.append("values", {most, 0}, std::vector<acta::NewRecord>(1)), acta::StoreConflict);
    store.read("values", {most - 1, most},
               [](const acta::Record&) -> bool { throw std::logic_error("none is there"); });
    CHECK_THROWS_AS(store.fork("values", most, "far"), acta::StoreError);
    CHECK_THAT(fault_of([&] {
                   store.create("labels", "", {{"a", std::string("\0", 1)}});
               }),
               contains_text("have U+0000 in a text"));
    CHECK_FALSE(store.find("labels"));
    store.create("labels", "", {{"zebra", 1}, {"a", 1.50}, {"\xC3\xA9", "'\"\\"}});
    CHECK(acta::dump(store.find("labels")->labels) == "{\"zebra\":1,\"a\":1.5,\"\xC3\xA9\":\"'\\\"\\\\\"}");
    CHECK(store.list({.labels = {{"\xC3\xA9", "'\"\\"}}}).size() == 1);
    CHECK(server.sql("SELECT id FROM acta.history WHERE labels @> '{\"zebra\": 1}'") == "labels");

    auto run = acta::StoredHistory<>::open_or_create(store, "newer");
    run.append_user_feedback("a");
    const auto open = [&] { static_cast<void>(acta::StoredHistory<>::open_or_create(store, "newer")); };
    server.sql("UPDATE acta.record SET format = 2");
    CHECK_THROWS_AS(open(), acta::StoreTooNew);
    server.sql("UPDATE acta.record SET format = 1, kind = 'dream'");
    CHECK_THROWS_AS(open(), acta::StoreTooNew);
}

/// A page ends after 1000 records, and after 4 MB; others may append and erase meanwhile.
void check_pages(const PostgresServer& server) {
    pg::Store store(server.address(), {.connections = 1});
    store.create("pages");
    std::vector<acta::NewRecord> records(2500, acta::NewRecord{acta::RecordKind::note, {}, "1"});
    for (std::size_t i = 2000; i < 2400; ++i) records[i].body = '"' + std::string(30'000, 'x') + '"';
    store.append("pages", {}, records);
    std::uint64_t count = 0;
    store.read("pages", {}, [&](const acta::Record& record) {
        if (record.seq != ++count || record.body != records[count - 1].body) FAIL(record.seq << " is another");
        if (count == 1) store.append("pages", {2500, 0}, std::vector<acta::NewRecord>(1, records[0]));
        return true;
    });
    CHECK(count == 2500);  // those of the moment at which it began
    CHECK(acta::postgres_detail::page(*std::make_unique<acta::postgres_detail::Pool>(server.address(), pg::Options()),
                                      "pages", 2001, 2501)
              .records.size() == 134);
    CHECK_THROWS_AS(store.read("pages", {},
                               [&](const acta::Record&) {
                                   store.erase("pages");
                                   return true;
                               }),
                    acta::StoreGone);
    CHECK(server.sql(
              "SELECT count(*) FROM acta.record r JOIN acta.history h ON h.key = r.history WHERE id = 'pages'") == "0");
}

void check_passwords(const PostgresServer& server) {
    const std::string port = std::to_string(server.port());
    const std::string place = "host=127.0.0.1 port=" + port + " dbname=postgres user=guarded password=";
    const std::string uri = "postgresql://guarded:";
    server.sql("CREATE ROLE guarded LOGIN PASSWORD 'pass@word 1'");
    server.sql("CREATE SCHEMA guarded AUTHORIZATION guarded");
    CHECK(opening_fault(place + "'pass@word 1'", "guarded") == "nothing was thrown");
    CHECK(opening_fault(uri + "pass%40word%201@127.0.0.1:" + port + "/postgres", "guarded") == "nothing was thrown");
    REQUIRE(setenv("PGPASSWORD", "pass@word 1", 1) == 0);
    CHECK(opening_fault(server.address("guarded"), "guarded") == "nothing was thrown");
    REQUIRE(unsetenv("PGPASSWORD") == 0);
    CHECK_THAT(opening_fault(server.address("guarded"), "guarded"), contains_text("no password supplied"));

    // Other texts with these characters are no URIs, and what libpq says is whole.
    const std::string nobody = "host=127.0.0.1 port=1 user=guarded password='x://a@b/c@d'";
    CHECK_THAT(opening_fault(nobody, "guarded"),
               contains_text(": connection to server at \"127.0.0.1\", port 1 failed"));

    for (const std::string& address : {
             place + "hunter2",
             place + "'hunter2",
             place + "one hunter2",
             place + "one hunter2=three",
             place + "hunter2 host=127.0.0.1 port=hunter2",
             place + "hunter2 host=hunter2",
             place + "hunter2 sslmode=hunter2",
             "host=127.0.0.1 port=" + port + " dbname=postgresql://guarded:hunter2@127.0.0.1/postgres",
             "host=127.0.0.1 port=" + port + " dbname='password=hunter2'",
             uri + "hunter2@127.0.0.1:" + port + "/postgres",
             uri + "one@hunter2@127.0.0.1:" + port + "/postgres",
             uri + "hunter2/three@127.0.0.1:" + port + "/postgres",
             uri + "one?hunter2@127.0.0.1:" + port + "/postgres",
             uri + "one#hunter2@127.0.0.1:" + port + "/postgres",
             uri + "one hunter2@127.0.0.1:" + port + "/postgres",
             uri + "%hunter2@127.0.0.1:" + port + "/postgres",
             uri + "hunter2@127.0.0.1:" + port + "/postgres?what=hunter2",
             uri + "hunter2@[127.0.0.1:" + port + "/postgres",
         }) {
        const std::string fault = opening_fault(address, "guarded");
        INFO(address << " -> " << fault);
        CHECK(fault != "nothing was thrown");
        CHECK_THAT(fault, starts_with_text("postgres"));
        CHECK(fault.find("hunter2") == std::string::npos);
    }
}

}  // namespace

TEST_CASE("a store in PostgreSQL is opened by those who may") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    check_roles(server);
    check_schemas(server);
    check_many_at_once(server);
    check_passwords(server);
}

TEST_CASE("a store in PostgreSQL keeps what it is given, or says why not") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    check_values(server);
    check_pages(server);
}
