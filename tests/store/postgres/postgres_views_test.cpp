// SPDX-License-Identifier: MIT
// The views of the tables in PostgreSQL.
#include <random>
#include <string>

#include "acta/store/postgres/store.hpp"
#include "store/postgres/server.hpp"
#include "store/views.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/sizes.hpp"

TEST_CASE("views of the tables in PostgreSQL show each step and each call") {
    if (!PostgresServer::missing().empty()) ACTA_SKIP(PostgresServer::missing());
    const PostgresServer server;
    acta::postgres::Store store(server.address());
    const views::Sql sql = [&server](const std::string& query) { return server.sql(query); };
    const std::string definition = read_file(paths::source("docs/sql/postgres.sql"));
    server.sql(definition);
    server.sql(definition);  // replaces them
    const acta::postgres::Store again(server.address());
    views::write_run(store, "run");
    views::check_views(sql, "acta.", "run");
    // The escaped backslash before u0000 stays; each U+0000 is shown as U+FFFD.
    CHECK(server.sql("SELECT arguments FROM acta.call WHERE seq = 1") == R"({"path":"\\u0000 \ufffd\ufffd\\\ufffd"})");
    CHECK(server.sql("SELECT arguments::json->>'path' FROM acta.call WHERE seq = 1") ==
          "\\u0000 \xEF\xBF\xBD\xEF\xBF\xBD\\\xEF\xBF\xBD");
    CHECK(server.sql("SELECT strpos(body, '\\u0000\\u0000') > 0 FROM acta.record WHERE seq = 1") ==
          "t");  // it is stored
    std::mt19937 random(31);
    for (std::size_t round = 0; round < test_size(6, 200); ++round)
        views::check_random(store, sql, "acta.", random, "random " + std::to_string(round));
}
