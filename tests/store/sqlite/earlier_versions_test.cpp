// SPDX-License-Identifier: MIT
#include <filesystem>
#include <fstream>
#include <string>

#include "acta/json/json.hpp"
#include "acta/store/sqlite/store.hpp"
#include "acta/store/stored_history.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

TEST_CASE("a database of an earlier version is read and written on") {
    const TempFolder folder;
    const std::string file = (folder.path() / "runs.db").string();
    std::filesystem::copy_file(paths::source("tests/data/store/layout_2.db"), file);
    std::filesystem::permissions(file, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    std::ifstream expected_file(paths::source("tests/data/store/layout_2.json"));
    const acta::Json expected = acta::Json::parse(expected_file);
    acta::sqlite::Store store(file);
    for (const char* const id : {"task", "open call"}) {
        INFO(id);
        CHECK(acta::dump(acta::read_history(store, id)) == expected[id].dump());
        auto history = acta::StoredHistory<>::open(store, id);
        history.append_user_feedback("And tomorrow?");
    }
    const acta::EpisodicActionHistory<> history = acta::read_history(store, "task");
    CHECK(history.pending_feedback().back() == "And tomorrow?");
}
