// SPDX-License-Identifier: MIT
// Connections that break, and how many there are.
#include "acta/store/postgres/store.hpp"

#include <chrono>
#include <csignal>
#include <cstdint>
#include <functional>
#include <future>
#include <optional>
#include <sstream>
#include <string>
#include <thread>
#include <vector>

#include "acta/store/postgres/detail/connection.hpp"
#include "acta/store/stored_history.hpp"
#include "store/postgres/proxy.hpp"
#include "store/postgres/server.hpp"
#include "support/catch.hpp"

namespace {

namespace pg = acta::postgres;

std::vector<acta::NewRecord> note(const std::string& text) {
    return {{acta::RecordKind::note, {}, "{\"text\":\"" + text + "\"}"}};
}
std::string bodies(acta::HistoryStore& store, const std::string& id) {
    std::string out;
    store.read(id, {}, [&](const acta::Record& record) {
        out += record.body;
        return true;
    });
    return out;
}
template <class Do>
std::string connection_fault(const Do& act) {
    try {
        act();
        return "nothing was thrown";
    } catch (const acta::StoreError& error) {
        return error.what();
    }
}

/// Does it, and again where a machine is too busy to do it within the time of the store.
template <class Do>
auto eventually(const Do& act) {
    for (int tries = 1;; ++tries) {
        try {
            return act();
        } catch (const acta::StoreError&) {
            if (tries == 100) throw;
        }
    }
}

void check_cuts(const PostgresServer& server, const pg::Options& options) {
    Proxy proxy(server.port());
    pg::Store store(PostgresServer::address_at(proxy.port()), options);
    const std::string id = options.prepared_statements ? "cut prepared" : "cut";
    store.create(id);
    std::uint64_t version = 0;
    std::string wanted;
    for (const Cut cut : {Cut::before, Cut::during, Cut::after, Cut::after, Cut::before}) {
        const std::string text = std::to_string(version);
        proxy.next(cut);
        const acta::Appended done = store.append(id, {version, 0}, note(text));
        CHECK(proxy.has_cut());
        CHECK(done.position.version == ++version);
        if (cut != Cut::during) CHECK(done.already_there == (cut == Cut::after));
        wanted += note(text)[0].body;
        CHECK(bodies(store, id) == wanted);
    }
    for (const Cut cut : {Cut::before, Cut::during, Cut::after}) {  // what only reads is repeated
        proxy.next(cut);
        CHECK(bodies(store, id) == wanted);
        proxy.next(cut);
        CHECK(store.find(id)->position.version == version);
    }
    // What else changes something is not; the caller learns that it may be done.
    const std::string other = id + " other";
    store.create(other + " before");  // the statement is prepared
    proxy.next(Cut::after);
    CHECK_THAT(connection_fault([&] { store.create(other); }), contains_text("the connection was lost"));
    CHECK(store.find(other));
    proxy.next(Cut::before);
    CHECK_THAT(connection_fault([&] { store.fork(id, 1, other + " fork"); }), contains_text("the connection was lost"));
    CHECK_FALSE(store.find(other + " fork"));
    proxy.next(Cut::during);
    CHECK_THAT(connection_fault([&] { store.erase(other); }), contains_text("the connection was lost"));
    store.erase(other);  // no transaction was left that would be in the way
}

void check_round_trips(const PostgresServer& server, const pg::Options& options) {
    Proxy proxy(server.port());
    pg::Store store(PostgresServer::address_at(proxy.port()), options);
    const std::string id = options.prepared_statements ? "trips prepared" : "trips";
    store.create(id);
    store.append(id, {0, 0}, note("prepares the statement"));
    const int before = proxy.round_trips();
    for (std::uint64_t i = 1; i <= 10; ++i) store.append(id, {i, 0}, note("one more"));
    CHECK(proxy.round_trips() - before == 10);
    const std::vector<acta::NewRecord> many(500, note("one of many")[0]);
    store.append(id, {11, 0}, many);
    CHECK(proxy.round_trips() - before == 11);
    store.read(id, {1, 5}, [](const acta::Record&) { return true; });
    if (!options.prepared_statements) CHECK(proxy.round_trips() - before == 12);
}

void check_silence(const PostgresServer& server) {
    Proxy proxy(server.port());
    pg::Store store(PostgresServer::address_at(proxy.port()),
                    {.connections = 2, .timeout = std::chrono::milliseconds(400)});
    pg::Store(server.address()).create("silent");
    eventually([&] { return store.find("silent"); });
    proxy.next(Cut::silent);
    CHECK_THAT(connection_fault([&] { store.append("silent", {}, note("a")); }),
               contains_text("no answer within 400 ms: what was asked for may be done or not"));
    CHECK_THAT(connection_fault([&] { store.append("silent", {}, note("a")); }),
               contains_text("no connection within 400 ms"));
    proxy.next(Cut::none);
    CHECK(eventually([&] { return store.append("silent", {}, note("a")); }).position.version == 1);
    CHECK(eventually([&] { return bodies(store, "silent"); }) == note("a")[0].body);
}

/// Somebody else has locked the row: the server is silent about this history.
void check_lock(const PostgresServer& server) {
    pg::Store store(server.address(), {.connections = 1, .timeout = std::chrono::milliseconds(400)});
    pg::Store patient(server.address());
    patient.create("locked");
    eventually([&] { return store.find("locked"); });
    const std::unique_ptr<PGconn, void (*)(PGconn*)> other(PQconnectdb(server.address().c_str()), PQfinish);
    PQclear(PQexec(other.get(), "BEGIN; SELECT 1 FROM acta.history WHERE id = 'locked' FOR UPDATE"));
    std::vector<acta::NewRecord> one = note("a");
    one.front().token = acta::new_token();
    CHECK_THAT(connection_fault([&] { store.append("locked", {}, one); }), contains_text("no answer within"));
    CHECK(patient.find("locked")->position.version == 0);
    PQclear(PQexec(other.get(), "ROLLBACK"));
    CHECK(eventually([&] { return store.append("locked", {}, one); }).position.version == 1);
    CHECK(bodies(patient, "locked") == note("a")[0].body);
}

/// One connection, which somebody has until `asked` has its answer, or until it waits for that.
void check_pool(const PostgresServer& server) {
    using acta::postgres_detail::Connection;
    using acta::postgres_detail::Deadline;
    using acta::postgres_detail::Pool;
    using acta::postgres_detail::Repeat;
    const auto asking = [](Pool& pool, const std::function<void(std::promise<void>&, std::future<void>)>& ask) {
        std::promise<void> has_it;
        std::promise<void> may_go;
        auto holder = std::async(std::launch::async, [&] {
            try {
                pool.call(Repeat::no, [&](auto&, const auto&) {
                    has_it.set_value();
                    may_go.get_future().wait();
                });
            } catch (const acta::StoreError&) {
                static_cast<void>(connection_fault([&] { has_it.set_exception(std::current_exception()); }));
                throw;
            }
        });
        has_it.get_future().get();
        ask(may_go, std::move(holder));
    };
    const auto select = [](Pool& pool) {
        pool.call(Repeat::no,
                  [](Connection& connection, const Deadline& deadline) { connection.execute("SELECT 1", deadline); });
    };
    Pool impatient(server.address(), {.connections = 1, .timeout = std::chrono::milliseconds(400)});
    asking(impatient, [&](std::promise<void>& may_go, std::future<void> holder) {
        CHECK(connection_fault([&] { select(impatient); }) ==
              "postgres 'postgres': none of its 1 connections became free within 400 ms");
        may_go.set_value();
        static_cast<void>(connection_fault([&] { holder.get(); }));  // it has had it for longer than its own time
    });
    Pool none(server.address(), {.connections = 0});
    select(none);  // it has one nevertheless
    Pool patient(server.address(), {.connections = 1, .timeout = std::chrono::minutes(2)});
    asking(patient, [&](std::promise<void>& may_go, std::future<void> holder) {
        auto other = std::async(std::launch::async, [&] { return connection_fault([&] { select(patient); }); });
        may_go.set_value();
        CHECK(other.get() == "nothing was thrown");
        holder.get();
    });
    // Who waits may make another connection for one that was lost.
    std::promise<void> has_one;
    std::promise<void> may_lose;
    auto loser = std::async(std::launch::async, [&] {
        return connection_fault([&] {
            patient.call(Repeat::no, [&](Connection& connection, const Deadline& deadline) {
                has_one.set_value();
                may_lose.get_future().wait();
                connection.execute("SELECT pg_terminate_backend(pg_backend_pid())", deadline);
            });
        });
    });
    has_one.get_future().get();
    auto waiter = std::async(std::launch::async, [&] { return connection_fault([&] { select(patient); }); });
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
    may_lose.set_value();
    CHECK_THAT(loser.get(), !contains_text("nothing was thrown"));
    CHECK(waiter.get() == "nothing was thrown");
}

/// What only reads is asked three times.
void check_losses(const PostgresServer& server) {
    using acta::postgres_detail::ConnectionLost;
    using acta::postgres_detail::Repeat;
    acta::postgres_detail::Pool pool(server.address(), {});
    for (const Repeat repeat : {Repeat::no, Repeat::yes}) {
        int asked = 0;
        const auto loses = [&asked](auto&, const auto&) {
            ++asked;
            throw ConnectionLost("lost");
        };
        CHECK_THROWS_AS(pool.call(repeat, loses), ConnectionLost);
        CHECK(asked == (repeat == Repeat::yes ? 3 : 1));
    }
}

/// Makes the tables, and a role that may use them.
void create_role(const PostgresServer& server, const std::string& role, const std::string& options) {
    const pg::Store made(server.address());
    server.sql("CREATE ROLE " + role + " LOGIN " + options + "; GRANT USAGE ON SCHEMA acta TO " + role +
               "; GRANT ALL ON ALL TABLES IN SCHEMA acta TO " + role);
}

/// Waits until the server has no connections but those that ask.
void await_end_of_connections(const PostgresServer& server) {
    std::string left = "?";
    for (int tries = 0; left != "0" && tries < 1000; ++tries) {
        if (tries > 0) std::this_thread::sleep_for(std::chrono::milliseconds(10));
        left = server.sql("SELECT count(*) FROM pg_stat_activity WHERE client_port > 0 AND pid <> pg_backend_pid()");
    }
    CHECK(left == "0");
}

/// A connection that the server has closed while nobody used it is not used.
void check_idle(const PostgresServer& server) {
    await_end_of_connections(server);
    {
        pg::Store store(server.address());
        store.create("idle 0");
        for (const char* const id : {"idle 1", "idle 2"}) {
            std::istringstream pids(server.sql(
                "SELECT string_agg(pid::text, ' ') FROM (SELECT pid FROM pg_stat_activity WHERE client_port > 0 AND "
                "pid <> pg_backend_pid() OFFSET 0) AS other WHERE pg_terminate_backend(pid)"));
            int ended = 0;
            for (pid_t pid = 0; pids >> pid; ++ended)
                for (int tries = 0; kill(pid, 0) == 0 && tries < 1000; ++tries)
                    std::this_thread::sleep_for(std::chrono::milliseconds(10));
            CHECK(ended == 1);
            CHECK(connection_fault([&] { store.create(id); }) == "nothing was thrown");
        }
    }
    await_end_of_connections(server);  // who closes a store closes its connections
}

void check_versions(const PostgresServer& server) {
    const auto fault_of = [&](std::string version) {
        std::string own = server.sql("SHOW server_version");
        own = own.substr(0, own.find(' '));
        version.resize(own.size(), ' ');
        const std::string name("server_version\0", 15);
        const Proxy proxy(server.port(), name + own, name + version);
        return connection_fault([&] { const pg::Store store(PostgresServer::address_at(proxy.port())); });
    };
    CHECK(fault_of("12.9") == "postgres 'postgres': the server is older than PostgreSQL 13");
    CHECK(fault_of("13.0") == "nothing was thrown");
}

void check_times(const PostgresServer& server) {
    using std::chrono::milliseconds;
    pg::Store(server.address()).create("in any time");
    const auto find = [&](milliseconds time) {
        return pg::Store(server.address(), {.timeout = time}).find("in any time").has_value();
    };
    CHECK(find(milliseconds::max()));
    for (const milliseconds none : {milliseconds(0), milliseconds(-1), milliseconds::min()})
        CHECK_THAT(connection_fault([&] { static_cast<void>(find(none)); }), contains_text("no connection within"));
}

void check_options(const PostgresServer& server) {
    pg::Options options;
    auto& [connections, timeout, prepared_statements, schema] = options;  // a new member is to be covered, too
    connections = 1;
    timeout = std::chrono::milliseconds(300);
    schema = "other";
    using acta::postgres_detail::Pool;
    using acta::postgres_detail::Repeat;
    for (const bool is_prepared : {true, false}) {
        prepared_statements = is_prepared;
        eventually([&] { return pg::Store(server.address(), options).find("task"); });
        Pool pool(server.address(), options);
        std::string prepared;
        std::string second;
        for (int tries = 0; second.empty() && tries < 100; ++tries) {
            static_cast<void>(connection_fault([&] {  // it has it for longer than its own time
                pool.call(Repeat::no, [&](auto& connection, const auto& deadline) {
                    static_cast<void>(connection.run("SELECT 1", {}, deadline));
                    const auto rows = connection.run(
                        "SELECT count(*) FROM pg_prepared_statements WHERE statement = 'SELECT 1'", {}, deadline);
                    prepared = rows.text(0, 0);
                    second = connection_fault([&] { pool.call(Repeat::no, [](auto&, const auto&) {}); });
                });
            }));
        }
        CHECK(prepared == (is_prepared ? "1" : "0"));
        CHECK(second == "postgres 'postgres': none of its 1 connections became free within 300 ms");
    }
    CHECK(server.sql("SELECT string_agg(DISTINCT schemaname, ',') FROM pg_tables WHERE tablename = 'record'") ==
          "other");
}

}  // namespace

TEST_CASE("an append to PostgreSQL is one round trip, and stored once when its answer is lost") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    for (const bool prepared : {true, false}) {
        check_round_trips(server, {.prepared_statements = prepared});
        check_cuts(server, {.prepared_statements = prepared});
    }
    CHECK(server.sql("SELECT count(*) FROM pg_stat_activity WHERE state LIKE 'idle in transaction%'") == "0");
}

TEST_CASE("a call of a store in PostgreSQL ends in time") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    check_times(server);
    check_silence(server);
    check_lock(server);
    check_pool(server);
    check_losses(server);
    check_idle(server);
    check_versions(server);
}

TEST_CASE("the error of a failed connection names each address once") {
    const std::string fault =
        connection_fault([] { const pg::Store store("host=127.0.0.1,127.0.0.1 port=1,2 user=nobody dbname=none"); });
    CHECK_THAT(fault, contains_text("127.0.0.1"));
    for (const char* const port : {"port 1 ", "port 2 "}) {
        const std::size_t at = fault.find(port);
        REQUIRE(at != std::string::npos);
        CHECK(fault.find(port, at + 1) == std::string::npos);
    }
}

TEST_CASE("clients that share connections of a pooler never run each other's statements") {
    if (!PostgresServer::pooler_missing().empty()) ACTA_SKIP(PostgresServer::pooler_missing());
    PostgresServer server;
    const std::string address = PostgresServer::address_at(server.start_pooler(2));
    { const pg::Store made(server.address()); }
    // With prepared statements each call does what it says, or is refused, opening included.
    for (int round = 0; round < 5; ++round) {
        const std::string id = "history " + std::to_string(round);
        const auto use = [&](const auto& work) {
            try {
                pg::Store store(address);
                work(store);
            } catch (const acta::StoreError&) {
            }
        };
        use([&](pg::Store& store) {
            store.create(id);
            store.append(id, {}, note("a"));
            static_cast<void>(store.list());
        });
        use([&](pg::Store& store) {
            static_cast<void>(store.list());
            static_cast<void>(store.find(id));
            store.release(id, {});
        });
    }
    // Without them everything works, in several threads too.
    pg::Store store(address, {.prepared_statements = false});
    std::vector<std::future<void>> writers;
    for (int writer = 0; writer < 4; ++writer) {
        writers.push_back(std::async(std::launch::async, [&store, writer] {
            auto run = acta::StoredHistory<>::open_or_create(store, "writer " + std::to_string(writer));
            for (int i = 0; i < 25; ++i) run.append_user_feedback(std::to_string(i));
        }));
    }
    for (std::future<void>& writer : writers) writer.get();
    CHECK(server.sql("SELECT min(head), max(head) FROM acta.history WHERE id LIKE 'writer%'") == "25|25");
}

TEST_CASE("each option of a store in PostgreSQL arrives, and a prepared statement is named for its text") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    check_options(server);
    namespace detail = acta::postgres_detail;
    const detail::Target target(server.address());
    const detail::Deadline deadline(std::chrono::seconds(20));
    const auto names = [&](const std::vector<const char*>& statements) {
        detail::Connection connection(target, {}, deadline);
        for (const char* sql : statements) static_cast<void>(connection.run(sql, {}, deadline));
        const detail::Rows rows = connection.run(
            "SELECT string_agg(name || statement, ',' ORDER BY statement) FROM pg_prepared_statements "
            "WHERE statement LIKE 'SELECT _'",
            {}, deadline);
        return rows.text(0, 0);
    };
    CHECK(names({"SELECT 1", "SELECT 2"}) == names({"SELECT 2", "SELECT 1"}));
}

TEST_CASE("a server that refuses a password is not asked again") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    create_role(server, "guarded", "PASSWORD 'right'");
    pg::Store store(server.address("guarded") + " password=right", {.timeout = std::chrono::seconds(20)});
    CHECK_FALSE(store.find("task"));
    server.sql("ALTER ROLE guarded PASSWORD 'other'");
    server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'guarded'");
    std::string fault;
    eventually([&] {
        try {
            return !store.find("task");
        } catch (const acta::StoreError& error) {
            fault = error.what();
            return true;
        }
    });
    CHECK_THAT(fault, contains_text("FATAL:  password authentication failed for user \"guarded\" (28P01)"));
    const auto refusals = [&] {
        const std::string log = server.log_text();
        std::size_t count = 0;
        for (std::size_t at = 0; (at = log.find("FATAL:  password authentication failed", at)) != log.npos; ++at)
            ++count;
        return count;
    };
    const std::size_t before = refusals();
    CHECK_THAT(connection_fault([&] { static_cast<void>(store.find("task")); }), contains_text("28P01"));
    CHECK(refusals() == before + 1);
}

TEST_CASE("a server that has too many connections is asked until the time is up") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    create_role(server, "crowded", "");
    pg::Store store(server.address("crowded"), {.connections = 1, .timeout = std::chrono::minutes(2)});
    CHECK_FALSE(store.find("task"));
    server.sql("ALTER ROLE crowded CONNECTION LIMIT 0");
    server.sql("SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE usename = 'crowded'");
    auto found = std::async(std::launch::async,
                            [&] { return connection_fault([&] { static_cast<void>(store.find("task")); }); });
    while (server.log_text().find("too many connections for role \"crowded\"") == std::string::npos &&
           found.wait_for(std::chrono::milliseconds(10)) == std::future_status::timeout) {
    }
    server.sql("ALTER ROLE crowded CONNECTION LIMIT -1");
    CHECK(found.get() == "nothing was thrown");
}
