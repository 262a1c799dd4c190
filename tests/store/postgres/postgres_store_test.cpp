// SPDX-License-Identifier: MIT
#include "acta/store/postgres/store.hpp"

#include <memory>
#include <random>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/store/stored_history.hpp"
#include "acta/testing/store_conformance.hpp"
#include "history/random_changes.hpp"
#include "store/postgres/server.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

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

    std::mt19937 random(12);
    for (std::size_t round = 0; round < test_size(2, 50); ++round) {
        const std::string id = "run" + std::to_string(round);
        pg::Store store(server.address());
        PgRun stored = PgRun::open(store, id);
        for (int i = 0; i < 100; ++i)
            stored.with_lock([&](auto& history) { return random_changes::try_change(history, random); });
        pg::Store other(server.address());
        CHECK(acta::dump(PgRun::open(other, id).snapshot()) == acta::dump(stored.snapshot()));
    }
}
