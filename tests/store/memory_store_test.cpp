// SPDX-License-Identifier: MIT
#include "acta/store/memory_store.hpp"

#include <string>

#include "acta/testing/store_conformance.hpp"
#include "store/store_content.hpp"
#include "support/catch.hpp"

TEST_CASE("MemoryStore keeps the promises of a store") {
    acta::MemoryStore store;
    for (const acta::testing::StoreCheck& check : acta::testing::store_checks()) {
        INFO(check.guarantee << ": " << check.name);
        CHECK_NOTHROW(check.run({store}));
    }
    check_messages_of_ids(store);
}
