// SPDX-License-Identifier: MIT
#include "acta/testing/golden_run.hpp"

#include <cstdlib>
#include <string>
#include <utility>
#include <vector>

#include "acta/base/error.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/temp_folder.hpp"
#include "testing/environment.hpp"

namespace {

using acta::ChatMessage;
using acta::testing::golden_run;
using acta::testing::TrajectoryMatch;
using testing_tests::Variable;

acta::EpisodicActionHistory<> run_with(const std::string& query) {
    acta::EpisodicActionHistory<> history;
    history.register_message(ChatMessage::user("When is high water?"));
    history.register_action({.thoughts = "Look.", .use_tool = {"search", {{"query", query}}}});
    history.register_result(acta::ActionSuccessResult{.outputs = "12:15"});
    history.register_answer("At 12:15.");
    return history;
}

}  // namespace

TEST_CASE("a golden run is written once and compared from then on") {
    const TempFolder folder;
    const auto file = folder / "run.json";
    const Variable ci("CI", "");
    {
        const Variable update("ACTA_UPDATE_GOLDEN", "");
        const TrajectoryMatch match = golden_run(run_with("tides"), file);
        CHECK_FALSE(match);
        CHECK_THAT(match.message, contains_text("run.json does not exist\nACTA_UPDATE_GOLDEN=1 in the environment"));
        CHECK(folder.files() == 0);
    }
    {
        const Variable update("ACTA_UPDATE_GOLDEN", "1");
        CHECK_THAT(golden_run(run_with("tides"), file).message, ends_with_text("run.json has been written"));
        CHECK(acta::load<std::vector<ChatMessage>>(file) == acta::to_messages(run_with("tides")));
    }
    const Variable update("ACTA_UPDATE_GOLDEN", "0");
    const std::string written = read_file(file);
    CHECK(golden_run(run_with("tides"), file));
    CHECK(golden_run(acta::to_messages(run_with("tides")), file));
    const TrajectoryMatch match = golden_run(run_with("tide"), file);
    CHECK_FALSE(match);
    CHECK(match.step == 1);
    CHECK_THAT(match.message, contains_text("expected assistant: search(query='tides')") &&
                                  contains_text("\nACTA_UPDATE_GOLDEN=1 in the environment writes the run to "));
    CHECK(golden_run(run_with("tide"), file, {.arguments = acta::testing::ArgumentMatch::ignore}));
    CHECK(read_file(file) == written);
}

TEST_CASE("a golden run is updated only if it does not fit") {
    const TempFolder folder;
    const auto file = folder / "run.json";
    const Variable ci("CI", "false");
    const Variable update("ACTA_UPDATE_GOLDEN", "1");
    CHECK(golden_run(run_with("tides"), file));
    const std::string written = read_file(file);
    std::vector<ChatMessage> same = acta::to_messages(run_with("tides"));
    same.front().content = "Another text.";
    CHECK(golden_run(same, file));
    CHECK(read_file(file) == written);
    CHECK(golden_run(run_with("tide"), file));
    CHECK(read_file(file) != written);
    CHECK(golden_run(run_with("tide"), file));
}

TEST_CASE("CI updates no golden run") {
    const TempFolder folder;
    const auto file = folder / "run.json";
    const Variable update("ACTA_UPDATE_GOLDEN", "1");
    const Variable ci("CI", "true");
    const TrajectoryMatch match = golden_run(run_with("tides"), file);
    CHECK_FALSE(match);
    CHECK_THAT(match.message, ends_with_text("run.json is not updated"));
    CHECK(folder.files() == 0);
}

TEST_CASE("a golden run that cannot be read or written is an error") {
    const TempFolder folder;
    const Variable ci("CI", "");
    const Variable update("ACTA_UPDATE_GOLDEN", "1");
    write_file(folder / "run.json", "{}");
    CHECK_THROWS_AS(golden_run(run_with("tides"), folder / "run.json"), acta::ValidationError);
    CHECK_THROWS_AS(golden_run(run_with("tides"), folder.path()), acta::FileError);
    CHECK_THROWS_AS(golden_run(run_with("tides"), folder / "missing/run.json"), acta::FileError);
}
