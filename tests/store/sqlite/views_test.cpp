// SPDX-License-Identifier: MIT
// The views of the tables in SQLite.
#include "store/views.hpp"

#include <sqlite3.h>

#include <memory>
#include <random>
#include <string>

#include "acta/store/sqlite/store.hpp"
#include "store/sqlite/folder.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/sizes.hpp"

TEST_CASE("views of the tables in SQLite show each step and each call") {
    const TemporaryFolder folder;
    acta::sqlite::Store store(folder.file(), {.synchronous = acta::sqlite::Synchronous::normal});
    sqlite3* raw = nullptr;
    REQUIRE(sqlite3_open(folder.file().string().c_str(), &raw) == SQLITE_OK);
    const std::unique_ptr<sqlite3, int (*)(sqlite3*)> connection(raw, sqlite3_close);
    const views::Sql sql = [raw](const std::string& query) {
        std::string out;
        bool is_first = true;
        const auto add = [&](int columns, char** values) {
            if (!is_first) out += '\n';
            is_first = false;
            for (int i = 0; i < columns; ++i)
                out += (i > 0 ? "|" : "") + std::string(values[i] == nullptr ? "" : values[i]);
        };
        const auto call = [](void* to, int columns, char** values, char**) {
            (*static_cast<decltype(add)*>(to))(columns, values);
            return 0;
        };
        auto to = add;
        char* error = nullptr;
        if (sqlite3_exec(raw, query.c_str(), call, &to, &error) != SQLITE_OK) out = error;
        sqlite3_free(error);
        return out;
    };
    const std::string definition = read_file(paths::source("docs/sql/sqlite.sql"));
    REQUIRE(sql(definition).empty());
    views::write_run(store, "run");
    views::check_views(sql, "", "run");
    CHECK(sql(definition).empty());  // replaces them
    CHECK(sql("SELECT arguments FROM call WHERE seq = 1") == R"({"path":"\\u0000 \u0000\u0000\\\u0000"})");
    std::mt19937 random(31);
    for (std::size_t round = 0; round < test_size(6, 200); ++round)
        views::check_random(store, sql, "", random, "random " + std::to_string(round));
}
