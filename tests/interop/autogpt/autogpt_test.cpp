// SPDX-License-Identifier: MIT
#include "acta/interop/autogpt/autogpt.hpp"

#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <random>
#include <string>
#include <vector>

#include "support/catch.hpp"
#include "support/issues.hpp"
#include "support/lvalue.hpp"
#include "support/paths.hpp"
#include "support/sizes.hpp"
#include "support/temp_folder.hpp"

namespace {

using acta::Json;
using AssistantHistory = acta::EpisodicActionHistory<acta::autogpt::Proposal>;

acta::autogpt::Run run_of(const std::string& action, const std::string& result = "null") {
    return acta::autogpt::parse(R"([{"action": )" + action + R"(, "result": )" + result + "}]");
}

Faults autogpt_faults(const std::string& text) {
    Faults out;
    try {
        static_cast<void>(acta::autogpt::parse(text));
    } catch (const acta::ValidationError& error) {
        for (const acta::Issue& issue : error.issues()) out.push_back(issue.pointer() + " " + issue.type);
    }
    return out;
}

Faults notes_of(const acta::TrajectoryReport& report) {
    Faults out;
    for (const acta::TrajectoryNote& note : report) {
        acta::Issue at;
        at.loc = note.loc;
        out.push_back(std::string(acta::to_string(note.kind)) + " " + at.pointer());
    }
    return out;
}

}  // namespace

TEST_CASE("the thoughts of AutoGPT have its fields, and its text as summary") {
    acta::autogpt::AssistantThoughts thoughts;
    thoughts.observations = "o";
    CHECK(thoughts.summary() == "o");
    thoughts.reasoning = "r";
    CHECK(thoughts.summary() == "r");
    thoughts.text = "t";
    thoughts.plan = {"one"};
    CHECK(thoughts.summary() == "t");
    CHECK(acta::dump(thoughts) ==
          R"({"observations":"o","text":"t","reasoning":"r","self_criticism":"","plan":["one"],"speak":""})");
    CHECK(acta::parse<acta::autogpt::AssistantThoughts>(acta::dump(thoughts)) == thoughts);
    CHECK(
        acta::parse<acta::autogpt::AssistantThoughts>(R"({"observations": "o", "reasoning": "r", "self_criticism": "c",
        "plan": []})")
            .reasoning == "r");
}

TEST_CASE("calls of AutoGPT are read in the forms of all its versions") {
    const acta::AssistantFunctionCall call{"read_file", {{"path", "a.txt"}}};
    for (
        const char* const action :
        {R"({"name": "read_file", "args": {"path": "a.txt"}, "reasoning": "r"})",
         R"({"thoughts": {"reasoning": "r"}, "command": {"name": "read_file", "args": {"path": "a.txt"}}})",
         R"({"thoughts": {"reasoning": "r"}, "use_tool": {"name": "read_file", "args": {"path": "a.txt"}}})",
         R"({"thoughts": {"reasoning": "r"}, "use_tool": {"name": "read_file", "arguments": {"path": "a.txt"}},
              "use_tools": null, "raw_message": null})",
         R"({"thoughts": {"reasoning": "r"}, "use_tool": {"name": "read_file", "arguments": "{\"path\": \"a.txt\"}"}})",
         R"({"thoughts": {"reasoning": "r"}, "use_tools": [{"name": "read_file", "arguments": {"path": "a.txt"}}]})"}) {
        INFO(action);
        const acta::autogpt::Run run = run_of(action);
        REQUIRE(run.history.size() == 1);
        CHECK(run.history[0].action.use_tool == call);
        CHECK(run.history[0].action.thoughts.reasoning == "r");
        CHECK(!run.history[0].action.raw_message);
        CHECK(run.history.cursor() == 0);
        CHECK(run.report.empty());
        CHECK(acta::autogpt::is_run(Json::parse(std::string(R"([{"action": )") + action + "}]")));
    }
    CHECK(lvalue(run_of(R"({"thoughts": "text", "use_tool": {"name": "f", "arguments": null}})"))
              .history[0]
              .action.thoughts.text == "text");
}

TEST_CASE("thoughts of AutoGPT are read in the forms of all its versions") {
    const auto read = [](const std::string& text) {
        return run_of(R"({"use_tool": {"name": "f", "arguments": {}}, "thoughts": )" + text + "}");
    };
    const auto thoughts = [&](const std::string& text) { return lvalue(read(text)).history[0].action.thoughts; };
    const acta::autogpt::AssistantThoughts old =
        thoughts(R"({"text": "t", "reasoning": "r", "plan": "- one\n- two\n\n  * three\r\nfour ", "criticism": "c",
                     "speak": "s"})");
    CHECK(old.plan == std::vector<std::string>{"one", "two", "three", "four"});
    CHECK(old.self_criticism == "c");
    CHECK(old.speak == "s");
    CHECK(thoughts(R"({"plan": null, "text": null})") == acta::autogpt::AssistantThoughts{});
    CHECK(thoughts("null") == acta::autogpt::AssistantThoughts{});
    const acta::autogpt::Run odd = read(R"({"text": ["a", 1], "plan": ["one", {"two": 2}], "mood": "fine"})");
    CHECK(odd.history[0].action.thoughts.text == R"(["a",1])");
    CHECK(odd.history[0].action.thoughts.plan == std::vector<std::string>{"one", R"({"two":2})"});
    CHECK(notes_of(odd.report) == Faults{"dropped /0/action/thoughts/mood", "changed /0/action/thoughts/text",
                                         "changed /0/action/thoughts/plan/1"});
    CHECK(odd.report[0].step == 0);
}

TEST_CASE("raw messages, errors and results of AutoGPT are read in the forms of all its versions") {
    const std::string tail = R"(, "thoughts": {}, "use_tool": {"name": "f", "arguments": {}}})";
    const acta::autogpt::Run run = run_of(
        R"({"raw_message": {"role": "assistant", "content": null, "function_call": {"name": "f", "arguments": "{}"}})" +
            tail,
        R"~({"reason": "no", "error": "ValueError('no')", "status": "error"})~");
    REQUIRE(run.history[0].action.raw_message);
    CHECK(run.history[0].action.raw_message->content.empty());
    CHECK(run.history[0].action.raw_message->tool_calls->front().function.name == "f");
    CHECK(std::get<acta::ActionErrorResult>(*run.history[0].result).error->repr == "ValueError('no')");
    const acta::autogpt::Run other = run_of(
        R"({"raw_message": {"tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{\"a\": 1}"}}]})" + tail,
        R"({"reason": "no", "error": {"args": [3], "message": 3, "exception_type": "E"}, "status": "error"})");
    CHECK(other.history.tool_call_ids(0) == std::vector<std::string>{"c"});
    const acta::ErrorInfo error = *std::get<acta::ActionErrorResult>(*other.history[0].result).error;
    CHECK(error.message == "3");
    CHECK(error.repr == "3");
    CHECK(error.exception_type == "E");
}

TEST_CASE("outputs of parallel tools are given to their calls, errors too") {
    const std::string action = R"({"thoughts": {}, "use_tool": {"name": "a", "arguments": {}}, "use_tools": [
        {"name": "a", "arguments": {}}, {"name": "b", "arguments": {}}, {"name": "c", "arguments": {}}]})";
    const auto read = [&action](const std::string& outputs) {
        return run_of(action, R"({"outputs": )" + outputs + R"(, "status": "success"})").history;
    };
    const AssistantHistory some = read(R"({"c": 3, "a": null, "_errors": ["b: disk: full"]})");
    REQUIRE(some[0].tool_results.size() == 3);
    CHECK(some[0].tool_results[1].tool_call_id == some.tool_call_ids(0)[1]);
    CHECK(std::get<acta::ActionErrorResult>(some[0].tool_results[1].result).reason == "disk: full");
    CHECK(std::get<acta::ActionSuccessResult>(some[0].tool_results[2].result).outputs == 3);
    CHECK(acta::is_error(*some[0].result));
    // Written again, it is what it was.
    const Json again = acta::autogpt::to_document(some);
    CHECK(again["episodes"][0]["result"] ==
          Json::parse(R"({"outputs": {"a": null, "c": 3, "_errors": ["b: disk: full"]}, "status": "success"})"));
    CHECK(acta::autogpt::read(again).history == some);

    CHECK(lvalue(read(R"({"a": 1, "b": 2})"))[0].tool_results.size() == 2);
    CHECK(acta::is_success(*lvalue(read(R"({"a": 1, "b": 2})"))[0].result));
    CHECK(lvalue(read(R"({"a": 1, "other": 2})"))[0].tool_results.empty());
    CHECK(lvalue(read(R"({"a": 1, "_errors": ["what?"]})"))[0].tool_results.empty());
    CHECK(lvalue(read(R"({"a": 1, "_errors": [3]})"))[0].tool_results.empty());
    CHECK(lvalue(read(R"({"a": 1, "_errors": ["a: twice"]})"))[0].tool_results.empty());
    CHECK(lvalue(read("[1, 2, 3]"))[0].tool_results.empty());
    const AssistantHistory twice = run_of(R"({"thoughts": {}, "use_tool": {"name": "a", "arguments": {}}, "use_tools": [
        {"name": "a", "arguments": {}}, {"name": "a", "arguments": {}}]})",
                                          R"({"outputs": {"a": 1}, "status": "success"})")
                                       .history;
    CHECK(twice[0].tool_results.empty());
    CHECK(acta::is_success(*twice[0].result));
}

TEST_CASE("a state file keeps everything else") {
    const std::string text = R"({"agent_id": "a-1", "history": {"episodes": [{"action": {"thoughts": {"reasoning": "r"},
        "use_tool": {"name": "f", "arguments": {}}, "phase": 2}, "result": null}], "cursor": 0,
        "pending_user_feedback": ["go"]}, "config": {"big_brain": true}})";
    acta::autogpt::Run run = acta::autogpt::parse(text);
    CHECK(run.history_key == "history");
    CHECK(acta::dump(run.state) == R"({"agent_id":"a-1","config":{"big_brain":true}})");
    CHECK(run.history.pending_feedback().size() == 1);
    CHECK(notes_of(run.report) == Faults{"dropped /history/episodes/0/action/phase"});
    run.history.register_result(acta::ActionInterruptedByHuman{"stop"});
    const Json again = acta::autogpt::to_document(run);
    CHECK(again["config"]["big_brain"] == true);
    CHECK(again["history"]["cursor"] == 1);
    CHECK(again["history"]["episodes"][0]["result"]["feedback"] == "stop");
    CHECK(acta::autogpt::is_run(again));
    CHECK(acta::autogpt::read(again).history == run.history);
    CHECK(acta::autogpt::parse(R"({"event_history": {"episodes": [], "cursor": 0}})").history_key == "event_history");
    CHECK(!acta::autogpt::is_run(Json::parse(R"({"history": [], "info": {}})")));
    CHECK(!acta::autogpt::is_run(Json::parse("3")));
    CHECK(!acta::autogpt::is_run(acta::to_json_value(acta::EpisodicActionHistory<>())));
    CHECK(lvalue(acta::autogpt::plain_history(run.history))[0].action.thoughts == "r");
}

TEST_CASE("thoughts that are text are written as AutoGPT's") {
    acta::EpisodicActionHistory<> history;
    acta::ActionProposal<> proposal;
    proposal.thoughts = "Both.";
    proposal.use_tools = {{"one", {}}, {"two", {}}};
    proposal.use_tool = {};
    history.register_action(proposal);
    const Json document = acta::autogpt::to_document(history);
    const Json& action = document["episodes"][0]["action"];
    CHECK(action["thoughts"]["text"] == "Both.");
    CHECK(action["thoughts"]["reasoning"] == "Both.");
    CHECK(action["use_tool"]["name"] == "one");
    CHECK(document["episodes"][0]["result"].is_null());
    CHECK(lvalue(acta::autogpt::plain_history(acta::autogpt::read(document).history))[0].action.thoughts == "Both.");
    CHECK(acta::autogpt::to_document(acta::SharedHistory<>(history)) == document);
}

TEST_CASE("what is no run of AutoGPT is refused with its place") {
    CHECK(autogpt_faults("3") == Faults{" model_type"});
    CHECK(autogpt_faults("[") == Faults{" json_invalid"});
    CHECK(autogpt_faults(R"({"history": {"episodes": [{"action": {"thoughts": {}}}]}})") ==
          Faults{"/history/episodes/0/action/use_tool missing"});
    CHECK(autogpt_faults(R"({"history": {"episodes": [3, {"action": 3}]}})") ==
          Faults{"/history/episodes/0 model_type", "/history/episodes/1/action model_type"});
    CHECK(autogpt_faults(R"({"episodes": [{"action": {"command": {"name": "f", "args": "no json"}}}]})") ==
          Faults{"/episodes/0/action/use_tool/arguments dict_type"});
    CHECK(autogpt_faults(R"({"episodes": [{"action": {"command": 3}, "result": {"status": "lost"}}]})") ==
          Faults{"/episodes/0/action/use_tool model_type", "/episodes/0/result union_tag_invalid"});
}

// Beside AutoGPT's models ---------------------------------------------------------------------------------

namespace {

class RandomRuns {
public:
    explicit RandomRuns(std::uint32_t seed) : random_(seed) {}

    AssistantHistory history() {
        AssistantHistory history;
        for (std::size_t steps = below(6); steps > 0; --steps) {
            acta::autogpt::Proposal proposal = action();
            const std::size_t calls = proposal.get_tools().size();
            history.register_action(std::move(proposal));
            if (steps == 1 && below(2) == 0) break;
            if (calls == 1) {
                history.register_result(result());
            } else {
                for (const std::string& id : history.tool_call_ids(history.cursor()))
                    history.register_result(id, result());
            }
            if (below(3) == 0) history.set_summary(history.id(history.size() - 1), text());
        }
        if (below(3) == 0) history.append_user_feedback(text());
        return history;
    }

private:
    std::size_t below(std::size_t n) { return random_() % n; }
    std::string text() {
        static const std::vector<std::string> texts{"",       "plain", "two\nlines", "it's \"both\"",
                                                    "- item", "42",    "{}",         "h\xC3\xA4 \xF0\x9F\x99\x82"};
        return texts[below(texts.size())];
    }
    Json value() {
        switch (below(6)) {
            case 0: return nullptr;
            case 1: return static_cast<std::int64_t>(below(99)) - 50;
            case 2: return 0.25;
            case 3: return Json::parse(R"({"z": [1, true], "a": {}})");
            default: return text();
        }
    }
    acta::autogpt::Proposal action() {
        acta::autogpt::Proposal out;
        out.thoughts = {text(), text(), text(), text(), {text(), text()}, text()};
        const char* const names[] = {"read", "write", "ask"};
        const std::size_t calls = below(3) == 0 ? 2 + below(2) : 1;
        for (std::size_t i = 0; i < calls; ++i) {
            acta::AssistantFunctionCall call;
            call.name = names[below(4) == 0 ? below(3) : i];
            call.arguments.emplace("value", value());
            out.use_tools.push_back(std::move(call));
        }
        out.use_tool = acta::AssistantFunctionCall(out.use_tools.front());
        if (calls == 1) out.use_tools.clear();
        if (below(2) == 0) {
            out.raw_message.emplace().content = text();
            auto& raw = out.raw_message->tool_calls.emplace();
            for (const acta::AssistantFunctionCall& call : out.get_tools())
                raw.push_back({"id_" + std::to_string(raw.size()), call});
        }
        return out;
    }
    acta::ActionResult result() {
        switch (below(4)) {
            case 0: return acta::ActionInterruptedByHuman{text()};
            case 1: {
                acta::ActionErrorResult error{text(), {}};
                if (below(2) == 0) error.error = acta::ErrorInfo{{value()}, text(), "E", text()};
                return acta::ActionResult(std::in_place_type<acta::ActionErrorResult>, std::move(error));
            }
            default: {
                acta::ActionSuccessResult success;
                success.outputs = value();
                return success;
            }
        }
    }

    std::mt19937 random_;
};

std::vector<std::string> lines_of(const std::filesystem::path& file) {
    std::vector<std::string> out;
    std::ifstream in(file, std::ios::binary);
    for (std::string line; std::getline(in, line);) out.push_back(line);
    return out;
}

/// Runs the models; false where there are none.
bool run_models(const std::vector<std::string>& arguments) {
    std::string command = "'" + paths::python() + "' -W ignore '" + paths::source("tests/data/autogpt_models.py") + "'";
    for (const std::string& one : arguments) command += " '" + one + "'";
    const int status = std::system(command.c_str());
    if (status == 77 * 256 || status == 77) return false;
    REQUIRE(status == 0);
    return true;
}

}  // namespace

TEST_CASE("AutoGPT's models accept what acta writes, and acta reads what they write of it") {
    if (paths::python().empty()) ACTA_SKIP("no python3");
    const TempFolder folder;
    RandomRuns runs(20);
    std::vector<AssistantHistory> histories;
    std::string written;
    for (int i = 0; i < 60; ++i) {
        histories.push_back(runs.history());
        const Json document = acta::autogpt::to_document(histories.back());
        CHECK(acta::autogpt::read(document).history == histories.back());
        written += acta::dump(document) + "\n";
    }
    write_file(folder / "written", written);
    if (!run_models({"read", (folder / "written").string(), (folder / "again").string()}))
        ACTA_SKIP("python3 has no pydantic 2");
    const std::vector<std::string> again = lines_of(folder / "again");
    REQUIRE(again.size() == histories.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
        const acta::autogpt::Run run = acta::autogpt::parse(again[i]);
        const bool now = i % 2 == 1;  // the generations take turns
        CHECK(run.report.empty());
        REQUIRE(run.history.size() == histories[i].size());
        CHECK(run.history.cursor() == histories[i].cursor());
        for (std::size_t e = 0; e < run.history.size(); ++e) {
            const acta::Episode<acta::autogpt::Proposal>& before = histories[i][e];
            const acta::Episode<acta::autogpt::Proposal>& after = run.history[e];
            CHECK(after.action.use_tool == before.action.use_tool);
            CHECK(after.action.raw_message == before.action.raw_message);
            CHECK(after.action.thoughts.reasoning == before.action.thoughts.reasoning);
            CHECK(after.action.thoughts.plan == before.action.thoughts.plan);
            CHECK(after.summary == before.summary);
            CHECK(after.result.has_value() == before.result.has_value());
            if (before.tool_results.empty()) CHECK(after.result == before.result);
            if (now) {
                CHECK(after.action.use_tools == before.action.use_tools);
                CHECK(run.history.record().pending_user_feedback == histories[i].record().pending_user_feedback);
            } else {
                CHECK(after.action.thoughts == before.action.thoughts);
            }
        }
    }
}

TEST_CASE("acta reads what AutoGPT's models write, and writes the same") {
    if (paths::python().empty()) ACTA_SKIP("no python3");
    const std::size_t seeds = test_size(1, 3);
    for (std::size_t seed = 1; seed <= seeds; ++seed) {
        const TempFolder folder;
        if (!run_models({"make", std::to_string(seed), (folder / "made").string()}))
            ACTA_SKIP("python3 has no pydantic 2");
        std::string written;
        for (const std::string& line : lines_of(folder / "made")) {
            const Json made = Json::parse(line);
            const acta::autogpt::Run run = acta::autogpt::parse(made["state"].dump());
            CHECK(run.history_key == made["key"].get<std::string>());
            CHECK(run.report.empty());
            written += acta::dump(acta::autogpt::to_document(run)) + "\n";
        }
        write_file(folder / "written", written);
        CHECK(run_models({"check", (folder / "made").string(), (folder / "written").string()}));
    }
}
