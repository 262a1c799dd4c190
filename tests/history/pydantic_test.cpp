// SPDX-License-Identifier: MIT
#include <cstdlib>
#include <stdexcept>
#include <string>

#include "acta/history/history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

// What acta saves, pydantic reads into models of its own (tests/data/history_models.py), and the other way round.
namespace {

using History = acta::EpisodicActionHistory<>;

void add(History& history, acta::ActionProposal<> action, acta::ActionResult result) {
    history.register_action(std::move(action));
    history.register_result(std::move(result));
}

acta::ActionProposal<> act(const std::string& tool, acta::JsonObject arguments) {
    acta::ActionProposal<> proposal;
    proposal.thoughts = "It's \"time\"\n\u4eac \U0001F680";
    proposal.use_tool = {tool, std::move(arguments)};
    return proposal;
}

History example() {
    History history;
    acta::ActionSuccessResult success;
    success.outputs =
        acta::Json::parse(R"({"z":[1,2.5,-0.0,1e-7,true,null],"a":"\u2028\u0000","n":18446744073709551615})");
    auto first =
        act("read_file",
            {{"path", "a\\b's"}, {"limit", -3}, {"ratio", 0.1}, {"deep", acta::Json::parse(R"({"y":[],"x":{}})")}});
    first.raw_message.emplace();
    first.raw_message->tool_calls.emplace();
    first.raw_message->tool_calls->push_back({"call-1", acta::AssistantFunctionCall(first.use_tool)});
    add(history, std::move(first), success);
    CHECK(history.set_summary(history.id(0), "one \"line\""));
    add(history, act("fail", {}), acta::ActionErrorResult::from_exception(std::runtime_error("no\tsuch \xff file")));
    acta::ActionErrorResult plain;
    plain.reason = "plain";
    add(history, act("fail", {}), plain);
    acta::ActionInterruptedByHuman interrupted;
    interrupted.feedback = "stop";
    add(history, act("long", {{"on", true}, {"none", nullptr}}), interrupted);
    history.register_action(act("finish", {}));
    return history;
}

const std::string facts =
    R"(read_file(path="a\\b's", limit=-3, ratio=0.1, deep={'y': [], 'x': {}}) Success "one \"line\"")"
    "\n"
    "fail() Failure null\n"
    "fail() Failure null\n"
    "long(on=True, none=None) Interruption null\n"
    "finish() NoneType null\n"
    "cursor 4";

}  // namespace

TEST_CASE("pydantic reads what acta saves, and acta what pydantic writes of it") {
    const std::string python = paths::python();
    if (python.empty()) ACTA_SKIP("no python3");
    const TempFolder folder;
    const History history = example();
    acta::save(history, folder / "saved.json");
    const std::string command = "'" + python + "' -W ignore '" + paths::source("tests/data/history_models.py") + "' '" +
                                (folder / "saved.json").string() + "' '" + (folder / "facts").string() + "' '" +
                                (folder / "again.json").string() + "'";
    const int status = std::system(command.c_str());
    if (status == 77 * 256 || status == 77) ACTA_SKIP("python3 has no pydantic");
    REQUIRE(status == 0);
    CHECK(read_file(folder / "facts") == facts);
    const auto again = acta::load<History>(folder / "again.json");
    CHECK(again == history);
    CHECK(acta::dump(again) == read_file(folder / "saved.json"));
    // Field by field in the same order, with the same values.
    CHECK(acta::Json::parse(read_file(folder / "again.json")).dump() ==
          acta::Json::parse(read_file(folder / "saved.json")).dump());
}
