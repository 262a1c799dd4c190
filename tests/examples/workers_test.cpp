// SPDX-License-Identifier: MIT
#include "example.hpp"
#include "support/catch.hpp"

#if defined(EXAMPLES_HAVE_POSTGRES) && !defined(_WIN32)
#include "store/postgres/server.hpp"

TEST_CASE("When a worker is killed another one takes its task over, and no charge is made twice") {
    if (const std::string missing = PostgresServer::missing(); !missing.empty()) ACTA_SKIP(missing);
    const PostgresServer server;
    const example::Run run = example::run("workers", "'" + server.address() + "'");
    INFO(run.out << run.err);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, contains_text("worker 1 was killed\n"));
    CHECK_THAT(run.out, contains_text("worker 2: takes over "));
    CHECK_THAT(run.out, contains_text("\n4 tasks, 24 charges, each made once, by 2"));
    const example::Run nothing = example::run("workers", "'host=127.0.0.1 port=1 dbname=x'");
    CHECK(nothing.code == 2);
    CHECK_THAT(nothing.err, starts_with_text("workers: postgres 'x': "));
}
#else
TEST_CASE("Workers need PostgreSQL") { ACTA_SKIP("built without libpq"); }
#endif
