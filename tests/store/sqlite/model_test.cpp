// SPDX-License-Identifier: MIT
#include <memory>

#include "acta/store/sqlite/store.hpp"
#include "store/sqlite/folder.hpp"
#include "store/store_model.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

TEST_CASE("what a history in SQLite has been through is there each time the file is opened") {
    const TemporaryFolder folder;
    std::unique_ptr<acta::sqlite::Store> store;
    const auto open = [&]() -> acta::HistoryStore& {
        store.reset();
        store = std::make_unique<acta::sqlite::Store>(
            folder.file(), acta::sqlite::Options{.synchronous = acta::sqlite::Synchronous::normal});
        return *store;
    };
    store_model::run(open, 12, test_size(600, 5000), test_size(10, 1));
}
