// SPDX-License-Identifier: MIT
// The calls of a history, one by one, and what a history has as text.
#include <algorithm>
#include <sstream>
#include <string>
#include <vector>

#include "acta/action/action.hpp"
#include "acta/chat/message.hpp"
#include "acta/history/episode.hpp"
#include "acta/history/history.hpp"
#include "support/catch.hpp"

namespace {

using acta::ResultStatus;
using CallHistory = acta::EpisodicActionHistory<>;

acta::ActionProposal<> calling(std::vector<acta::AssistantFunctionCall> calls) {
    acta::ActionProposal<> action;
    acta::set_calls(action, std::move(calls));
    return action;
}

/// A step with one call, one with three of which one failed, and an open one that has one of two results.
CallHistory busy() {
    CallHistory history;
    history.register_action({.use_tool = {"read", {{"path", "a.txt"}}}});
    history.register_result(acta::ActionSuccessResult{.outputs = "text"});
    history.register_action(calling({{"read", {{"path", "b"}}}, {"write", {{"path", "c"}}}, {"read", {}}}));
    const std::vector<std::string> ids = history.tool_call_ids(1);
    history.register_result(ids[0], acta::ActionSuccessResult{.outputs = "b"});
    history.register_result(ids[1], acta::ActionErrorResult{.reason = "read-only"});
    history.register_result(ids[2], acta::ActionInterruptedByHuman{.feedback = "no"});
    history.register_action(calling({{"read", {{"path", "d"}}}, {"write", {{"path", "e"}}}}));
    history.register_result(history.tool_call_ids(2)[1], acta::ActionSuccessResult{.outputs = true});
    return history;
}

std::vector<std::string> lines(const std::vector<acta::RecordedCall>& calls) {
    std::vector<std::string> out;
    for (const acta::RecordedCall& one : calls) out.push_back(std::to_string(one.step) + " " + acta::to_string(one));
    return out;
}

template <class T>
std::string printed(const T& value) {
    std::ostringstream out;
    out << value;
    CHECK(out.str() == to_string(value));
    return out.str();
}

}  // namespace

TEST_CASE("the calls of all steps are one iteration, each with its own result") {
    const CallHistory history = busy();
    std::vector<std::string> seen;
    for (const auto& [call, id, result, step] : history.calls()) {
        const std::vector<std::string> ids = history.tool_call_ids(step);
        CHECK(std::ranges::count(ids, id) == 1);
        seen.push_back(call.name + (result == nullptr ? "?" : acta::is_success(*result) ? "+" : "-"));
    }
    CHECK(seen == std::vector<std::string>{"read+", "read+", "write-", "read-", "read?", "write+"});
    CHECK(lines(history.calls()).at(2) == "1 write(path='c'): Action failed: 'read-only'");
    CHECK(lines(history.calls()).at(4) == "2 read(path='d')");
    const CallHistory none;
    CHECK(none.calls().empty());
}

TEST_CASE("calls are found by tool and by the status of their own results") {
    const CallHistory history = busy();
    const auto count = [&](const acta::CallFilter& filter) { return history.calls(filter).size(); };
    CHECK(count({.tool = "read"}) == 4);
    CHECK(count({.tool = "write", .status = ResultStatus::error}) == 1);
    CHECK(count({.status = ResultStatus::success}) == 3);
    CHECK(count({.status = ResultStatus::interrupted_by_human}) == 1);
    CHECK(count({.status = ResultStatus::did_not_finish}) == 1);
    CHECK(count({.tool = "none"}) == 0);
    CHECK(lines(history.calls({.tool = "write"})) ==
          std::vector<std::string>{"1 write(path='c'): Action failed: 'read-only'", "2 write(path='e'): True"});
}

TEST_CASE("the calls of a step that is open have no result") {
    CallHistory history;
    for (const std::size_t calls : {1U, 2U}) {
        history = {};
        history.register_action(calling(std::vector<acta::AssistantFunctionCall>(calls, {"a", {}})));
        REQUIRE(history.calls().size() == calls);
        for (const acta::RecordedCall& one : history.calls()) {
            CHECK(one.result == nullptr);
            CHECK(one.status() == ResultStatus::did_not_finish);
        }
    }
}

TEST_CASE("the calls of a step with one result for all of them have that") {
    acta::Episode<acta::ActionProposal<>> step{.action = calling({{"a", {}}, {"b", {}}})};
    step.result = acta::ActionSuccessResult{.outputs = 1};
    const CallHistory history(acta::HistoryRecord<acta::ActionProposal<>>{.episodes = {step}, .cursor = 1});
    CHECK(lines(history.calls()) == std::vector<std::string>{"0 a(): 1", "0 b(): 1"});
}

TEST_CASE("what a history has can be printed") {
    CallHistory history = busy();
    CHECK(printed(history.calls()[0]) == "read(path='a.txt'): text");
    CHECK(printed(history.at(1).tool_results[1]) == history.tool_call_ids(1)[1] + ": Action failed: 'read-only'");
    CHECK(printed(history.open_calls()[0]) == "read(path='d')");
    CHECK(printed(acta::CallIdentity{"call_0", 2, "key"}) == "call_0 of step 2");
    CHECK(printed(acta::CallDecision{}) == "approved");
    CHECK(printed(acta::CallDecision{false, "Ann", "not this"}) == "refused by Ann: not this");
    CHECK(printed(acta::OpenCall{.call = {"c", {"f", {}}}, .decision = acta::CallDecision{true, "Ann", ""}}) ==
          "f() (approved by Ann)");
    CHECK(printed(acta::EpisodeId{3, 1}) == "3.1");
    CHECK(printed(acta::SubRun{2, "call_0", {}}) == "the run of call_0 of step 2");
    CHECK(printed(acta::RunRecord{.end = "failed", .error = acta::ErrorInfo::make("Timeout", "late")}) ==
          "failed: late");
    CHECK(printed(acta::RollingSummary{.text = "Looked.", .facts = {{.text = "a.txt"}}}) == "Looked. (kept: a.txt)");
    CHECK(printed(acta::RollingSummary{.facts = {{.text = "a.txt"}, {.text = "12:15"}, {.text = "b"}}}) ==
          "(kept: a.txt; 12:15; b)");
    acta::StepMetrics metrics;
    metrics.prompt_tokens = 800;
    metrics.completion_tokens = 40;
    metrics.model = "gpt-5";
    CHECK(printed(metrics) == "1 step, 800 tokens to the model, 40 from it (gpt-5)");
    CHECK(printed(acta::ConversationMessage{.message = acta::ChatMessage::user("Go.")}) == "user: Go.");
    CHECK(printed(acta::ChatMessage::assistant("I look.", {{"c", {"f", {{"a", 1}}}}, {"d", {"g", {}}}})) ==
          "assistant: I look. `f(a=1)`, `g()`");
    CHECK(printed(acta::ChatMessage::tool("c", "gone", true)) == "tool (c), error: gone");
}
