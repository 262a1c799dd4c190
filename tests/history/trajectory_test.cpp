// SPDX-License-Identifier: MIT
#include <filesystem>
#include <string>

#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/swe_agent.hpp"
#include "support/temp_folder.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;

const std::filesystem::path folder_of_data(paths::shared_data("swe-agent"));

void check_saved_and_loaded(const History& history) {
    const TempFolder folder;
    for (const int indent : {0, 2}) {
        acta::save(history, folder / "history.json", {.indent = indent});
        const auto loaded = acta::load<History>(folder / "history.json");
        CHECK(loaded == history);
        CHECK(loaded.fmt_paragraph() == history.fmt_paragraph());
        CHECK(acta::dump(loaded) == acta::dump(history));
    }
    // Other readers see the same document.
    CHECK(acta::Json::parse(acta::dump(history)) == acta::to_json_value(history));
    CHECK(acta::validate<History>(acta::to_json_value(history)) == history);
}

}  // namespace

TEST_CASE("a trajectory of function calls is saved and loaded as a history") {
    const auto file = folder_of_data / "function_calling_simple.traj";
    if (!std::filesystem::exists(file)) ACTA_SKIP("swe-agent is not in the shared data folder");
    const History history = history_of_trajectory(acta::load<acta::Json>(file));
    REQUIRE(history.size() == 5);
    CHECK(acta::to_string(history[0].action.use_tool) == "find_file(file_name='missing_colon.py')");
    CHECK(history.tool_call_ids(0) == std::vector<std::string>{"call_PbWErNIge3YTrli3fiVvmIid"});
    CHECK(acta::dump(history).find("\\r\\n") != std::string::npos);
    check_saved_and_loaded(history);
}

TEST_CASE("a trajectory with steps and states is saved and loaded as a history") {
    const auto file = folder_of_data / "marshmallow-1867.traj";
    if (!std::filesystem::exists(file)) ACTA_SKIP("swe-agent is not in the shared data folder");
    const History history = history_of_trajectory(acta::load<acta::Json>(file));
    REQUIRE(history.size() == 11);
    CHECK(history[0].action.use_tool.name == "create");
    CHECK(history.with_tool("edit").begin() != history.with_tool("edit").end());
    check_saved_and_loaded(history);
}
