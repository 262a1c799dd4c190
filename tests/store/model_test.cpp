// SPDX-License-Identifier: MIT
#include "acta/store/memory_store.hpp"
#include "store/store_model.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

TEST_CASE("what a stored history has been through is what a plain one has, and what the store has") {
    acta::MemoryStore store;
    store_model::run([&]() -> acta::HistoryStore& { return store; }, 11, test_size(4000, 100'000), test_size(10, 1));
}
