// SPDX-License-Identifier: MIT
#include <memory>

#include "acta/store/postgres/store.hpp"
#include "store/postgres/server.hpp"
#include "store/store_model.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

TEST_CASE("what a history in PostgreSQL has been through is there each time the store is opened") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    std::unique_ptr<acta::postgres::Store> store;
    const auto open = [&]() -> acta::HistoryStore& {
        store.reset();
        store = std::make_unique<acta::postgres::Store>(server.address());
        return *store;
    };
    store_model::run(open, 13, test_size(400, 5000), test_size(10, 1));
}
