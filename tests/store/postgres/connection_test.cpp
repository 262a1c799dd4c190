// SPDX-License-Identifier: MIT
// Connections that break, and how many there are.
#include <chrono>
#include <cstdint>
#include <future>
#include <optional>
#include <string>
#include <thread>
#include <vector>

#include "acta/store/postgres/store.hpp"
#include "store/postgres/proxy.hpp"
#include "store/postgres/server.hpp"
#include "support/catch.hpp"

namespace {

namespace pg = acta::postgres;
using Clock = std::chrono::steady_clock;

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
    store.create("silent");
    proxy.next(Cut::silent);
    const Clock::time_point begin = Clock::now();
    CHECK_THAT(connection_fault([&] { store.append("silent", {}, note("a")); }),
               contains_text("no answer within 400 ms: what was asked for may be done or not"));
    CHECK_THAT(connection_fault([&] { store.append("silent", {}, note("a")); }),
               contains_text("no connection within 400 ms"));
    CHECK(Clock::now() - begin < std::chrono::seconds(3));
    proxy.next(Cut::none);
    CHECK(store.append("silent", {}, note("a")).position.version == 1);
    CHECK(bodies(store, "silent") == note("a")[0].body);
}

/// Somebody else has locked the row: the server is silent about this history.
void check_lock(const PostgresServer& server) {
    pg::Store store(server.address(), {.connections = 1, .timeout = std::chrono::milliseconds(400)});
    store.create("locked");
    const std::unique_ptr<PGconn, void (*)(PGconn*)> other(PQconnectdb(server.address().c_str()), PQfinish);
    PQclear(PQexec(other.get(), "BEGIN; SELECT 1 FROM acta.history WHERE id = 'locked' FOR UPDATE"));
    CHECK_THAT(connection_fault([&] { store.append("locked", {}, note("a")); }), contains_text("no answer within"));
    CHECK(store.find("locked")->position.version == 0);
    PQclear(PQexec(other.get(), "ROLLBACK"));
    CHECK(store.append("locked", {}, note("a")).position.version == 1);  // by the first or the second try
    CHECK(bodies(store, "locked") == note("a")[0].body);
}

/// One connection, which somebody has for a while.
void check_pool(const PostgresServer& server) {
    acta::postgres_detail::Pool pool(server.address(), {.connections = 1, .timeout = std::chrono::milliseconds(400)});
    const auto hold = [&pool](std::promise<void>& has_it, std::chrono::milliseconds time) {
        pool.call(acta::postgres_detail::Repeat::no, [&](auto&, const auto&) {
            has_it.set_value();
            std::this_thread::sleep_for(time);
        });
    };
    const auto ask = [&pool] {
        pool.call(acta::postgres_detail::Repeat::no,
                  [](acta::postgres_detail::Connection& connection, const acta::postgres_detail::Deadline& deadline) {
                      connection.execute("SELECT 1", deadline);
                  });
    };
    for (const int time : {50, 700}) {
        std::promise<void> has_it;
        auto holder = std::async(std::launch::async, [&] { hold(has_it, std::chrono::milliseconds(time)); });
        has_it.get_future().wait();
        const std::string fault = connection_fault(ask);
        if (time == 50)
            CHECK(fault == "nothing was thrown");
        else
            CHECK(fault == "postgres 'postgres': none of its 1 connections became free within 400 ms");
        holder.get();
    }
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
    check_silence(server);
    check_lock(server);
    check_pool(server);
}
