// SPDX-License-Identifier: MIT
#include <acta/json/json.hpp>
#include <fstream>
#include <string>

#include "command.hpp"
#include "support/catch.hpp"

using command::Outcome;
using command::word;

TEST_CASE("a run that is the same when it is made again has exit code 0") {
    const Outcome sample = command::acta("replay " + command::sample());
    CHECK(sample.code == 0);
    CHECK(sample.out == "The run is the same: 5 steps from 6 answers of the model\n");
    CHECK(sample.err.empty());

    const TempFolder folder;
    auto history = command::three_days();
    history.register_answer("At noon.");
    acta::save(history, folder / "run.json");
    CHECK(command::acta("replay " + word(folder / "run.json")).out ==
          "The run is the same: 3 steps from 4 answers of the model\n");
    const Outcome quiet = command::acta("replay -q " + word(folder / "run.json"));
    CHECK(quiet.code == 0);
    CHECK(quiet.out.empty());
}

TEST_CASE("where a run differs when it is made again is printed, safely, with exit code 1") {
    const TempFolder folder;
    acta::Json record = acta::to_json_value(command::three_days());
    record["episodes"][1]["action"]["use_tool"]["name"] = "";  // which no run leaves as it is
    record["episodes"][1]["action"]["thoughts"] = "Look \x1b[2J.";
    std::ofstream(folder / "run.json") << record.dump();
    const Outcome outcome = command::acta("replay " + word(folder / "run.json"));
    CHECK(outcome.code == 1);
    CHECK_THAT(outcome.out, starts_with_text("step 2: /calls/0/name: expected \"\", found \""));
    const Outcome quiet = command::acta("replay --quiet " + word(folder / "run.json"));
    CHECK(quiet.code == 1);
    CHECK(quiet.out.empty());
}

TEST_CASE("a run that cannot be made again has an exit code of 2 or more") {
    const TempFolder folder;
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("When is high tide?"));
    acta::save(history, folder / "run.json");
    const Outcome outcome = command::acta("replay " + word(folder / "run.json"));
    CHECK(outcome.code == 3);
    CHECK_THAT(outcome.err, contains_text("run.json: the record has neither a step nor an answer of a model"));
    CHECK(command::acta("replay " + word(folder / "none.json")).code == 3);
    CHECK(command::acta("replay").code == 2);
}
