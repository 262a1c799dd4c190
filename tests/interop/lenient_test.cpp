// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <vector>

#include "acta/interop/trajectory.hpp"
#include "support/catch.hpp"
#include "support/issues.hpp"
#include "support/lvalue.hpp"

namespace {

using acta::Json;
using acta::TrajectoryFormat;

acta::Trajectory lenient(const std::string& text) { return acta::parse_trajectory(text, {.lenient = true}); }

Faults strict_faults(const std::string& text) {
    Faults out;
    try {
        static_cast<void>(acta::parse_trajectory(text));
    } catch (const acta::ValidationError& error) {
        for (const acta::Issue& issue : error.issues()) out.push_back(issue.pointer() + " " + issue.type);
    }
    return out;
}

Faults notes_of(const acta::Trajectory& run) {
    Faults out;
    for (const acta::TrajectoryNote& note : run.report) {
        acta::Issue at;
        at.loc = note.loc;
        std::string line = std::string(acta::to_string(note.kind)) + " " + at.pointer();
        if (note.step) line += " step " + std::to_string(*note.step);
        out.push_back(line);
    }
    return out;
}

std::string reason(const acta::ActionResult& result) { return std::get<acta::ActionErrorResult>(result).reason; }
std::string output(const acta::ActionResult& result) {
    return std::get<acta::ActionSuccessResult>(result).outputs.get<std::string>();
}

const std::string task = R"({"role": "user", "content": "Task."})";

std::string openai_call(const std::string& id, const std::string& arguments) {
    return R"({"role": "assistant", "content": null, "tool_calls": [{"id": ")" + id +
           R"(", "type": "function", "function": {"name": "f", "arguments": )" + arguments + "}}]}";
}

}  // namespace

TEST_CASE("a malformed call is kept whole, with an error result") {
    const std::string broken = R"("{\"x\": 1")";
    const std::string text = "[" + task + "," + openai_call("a", broken) +
                             R"(, {"role": "tool", "tool_call_id": "a", "content": "Invalid JSON, try again."},)" +
                             openai_call("b", R"("{\"x\": 1}")") +
                             R"(, {"role": "tool", "tool_call_id": "b", "content": "done"}])";
    CHECK(strict_faults(text) == Faults{"/1/tool_calls/0/function/arguments json_invalid"});
    const acta::Trajectory run = lenient(text);
    CHECK(run.format == TrajectoryFormat::openai);
    REQUIRE(run.history.size() == 2);
    CHECK(run.history[0].action.use_tool.arguments == acta::JsonObject{{"raw_arguments", "{\"x\": 1"}});
    CHECK(reason(*run.history[0].result) == "Invalid JSON, try again.");
    CHECK(output(*run.history[1].result) == "done");
    CHECK(notes_of(run) == Faults{"kept /1/tool_calls/0/function/arguments step 0"});
    CHECK(run.history.messages().size() == 1);

    // Without a result it has one that says why; with others it is one of several.
    const acta::Trajectory alone = lenient("[" + task + "," + openai_call("a", "[1]") + "]");
    CHECK(reason(*alone.history[0].result) == "The arguments are not a JSON object.");
    CHECK(alone.history.cursor() == 1);
    const acta::Trajectory both = lenient("[" + task + R"(, {"role": "assistant", "content": "", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{"}},
        {"id": "b", "type": "function", "function": {"name": "g", "arguments": "{}"}}]},
        {"role": "tool", "tool_call_id": "b", "content": "fine"}, {"role": "tool", "tool_call_id": "a", "content": "bad"}])");
    REQUIRE(both.history[0].tool_results.size() == 2);
    CHECK(reason(both.history[0].tool_results[0].result) == "bad");
    CHECK(output(both.history[0].tool_results[1].result) == "fine");
    CHECK(acta::is_error(*both.history[0].result));
}

TEST_CASE("custom calls, calls without a function and results without ids are kept") {
    const std::string text = "[" + task + R"(, {"role": "assistant", "content": null, "tool_calls": [
        {"id": "c", "type": "custom", "custom": {"name": "patch", "input": "*** Begin"}},
        {"id": "w", "type": "web_search", "query": "tides"}]},
        {"role": "tool", "tool_name": "web_search", "content": "3 hits"}, {"role": "tool", "content": "patched"},
        {"role": "tool", "content": "too many"}])";
    CHECK(!strict_faults(text).empty());
    const acta::Trajectory run = lenient(text);
    REQUIRE(run.history.size() == 1);
    const auto calls = acta::get_tools(run.history[0].action);
    REQUIRE(calls.size() == 2);
    CHECK(acta::to_string(calls[0]) == "patch(input='*** Begin')");
    CHECK(calls[1].name == "web_search");
    CHECK(calls[1].arguments.at("query") == "tides");
    REQUIRE(run.history[0].tool_results.size() == 2);
    CHECK(output(run.history[0].tool_results[0].result) == "patched");
    CHECK(output(run.history[0].tool_results[1].result) == "3 hits");
    CHECK(notes_of(run) == Faults{"changed /1/tool_calls/0 step 0", "kept /1/tool_calls/1 step 0",
                                  "changed /2/tool_call_id step 0", "changed /3/tool_call_id step 0",
                                  "kept /4 step 0"});
    REQUIRE(run.history.messages().size() == 2);
    CHECK(run.history.messages()[1].message == acta::ChatMessage::system("too many"));
}

TEST_CASE("a result without an id is that of the tool that it names, and takes no call that another result names") {
    const auto calls = [](const std::string& ids) {
        const auto call = [](const std::string& id, const char* name) {
            return R"({)" + (id.empty() ? "" : "\"id\": \"" + id + "\", ") + R"("function": {"name": ")" + name +
                   R"(", "arguments": "{}"}})";
        };
        return R"({"role": "assistant", "tool_calls": [)" + call(ids.substr(0, ids.size() / 2), "f") + ", " +
               call(ids.substr(ids.size() / 2), "g") + "]}";
    };
    const acta::Trajectory by_name =
        lenient("[" + calls("") + R"(, {"role": "tool", "tool_name": "g", "content": "from g"}])");
    REQUIRE(by_name.history[0].tool_results.size() == 1);
    CHECK(by_name.history[0].tool_results[0].tool_call_id == by_name.history.tool_call_ids(0)[1]);

    const acta::Trajectory later = lenient("[" + calls("ab") +
                                           R"(, {"role": "tool", "content": "from b"},
                                               {"role": "tool", "tool_call_id": "a", "content": "from a"}])");
    REQUIRE(later.history[0].tool_results.size() == 2);
    CHECK(output(later.history[0].tool_results[0].result) == "from a");
    CHECK(output(later.history[0].tool_results[1].result) == "from b");
    CHECK(later.history.messages().empty());
    CHECK(notes_of(later) == Faults{"changed /1/tool_call_id step 0"});
}

TEST_CASE("what is no message at all is kept, and refused by the strict reader with its place") {
    const std::string text = "[" + task + ", 5]";
    CHECK(strict_faults(text) == Faults{"/1 model_type"});
    const acta::Trajectory run = lenient(text);
    REQUIRE(run.history.messages().size() == 2);
    CHECK(run.history.messages()[1].message == acta::ChatMessage::system("5"));
    CHECK(notes_of(run) == Faults{"kept /1"});
}

TEST_CASE("a report has at most as many notes as there may be issues, and a last one counts the others") {
    std::string text = "[" + task;
    for (int i = 0; i < 5000; ++i) text += "," + task + ",5";
    text += "]";
    const acta::Trajectory run = lenient(text);
    REQUIRE(run.report.size() == 101);
    CHECK(run.report.back() ==
          acta::TrajectoryNote{acta::TrajectoryNoteKind::kept, std::nullopt, {}, "4900 more notes"});
    acta::TrajectoryOptions three{.lenient = true};
    three.parse.max_issues = 3;
    CHECK(acta::parse_trajectory(text, three).report.size() == 4);
    // Pieces in a row that cannot be read are one step.
    std::string atif = R"({"schema_version":"ATIF-v1.7","session_id":"","agent":{"name":"a","version":"1"},"steps":[)";
    std::string swe = R"({"info":{},"history":[],"trajectory":[)";
    for (int i = 0; i < 1000; ++i) {
        atif += "1,";
        swe += "1,";
    }
    const acta::Trajectory read = lenient(atif + R"({"step_id":1,"source":"user","message":"go"}]})");
    CHECK(read.history.messages().size() == 2);
    CHECK(lenient(swe + R"({"action":"ls","observation":"","response":""}]})").history.size() <= 2);
    // Lines that are not JSON, and the rows of an evaluation together.
    std::string lines = R"({"role": "user", "content": "go"})";
    for (int i = 0; i < 300; ++i)
        lines += "\n" + std::string(i % 2 == 0 ? "{" : R"({"role": "user", "content": "go"})");
    CHECK(acta::parse_trajectory(lines, three).report.size() == 4);
    std::string rows;
    for (int i = 0; i < 10; ++i) rows += "{\"messages\": " + text + "}\n";
    std::size_t notes = 0;
    for (const acta::Trajectory& one : acta::parse_trajectories(rows, three)) notes += one.report.size();
    CHECK(notes <= 4 + 9 * 2);
}

TEST_CASE("messages that cannot be read are messages of the system") {
    const acta::Trajectory run = lenient(
        R"({"messages": [{"role": "user", "content": 3}, {"role": "robot", "content": "beep"},
            {"role": "assistant", "tool_calls": [{"id": 4, "function": {"arguments": null}}], "content": {"a": 1}},
            {"role": "tool", "tool_call_id": "other", "content": {"n": 1}}, {"role": "tool", "tool_call_id": "", "content": null}]})");
    CHECK(run.format == TrajectoryFormat::openai);
    REQUIRE(run.history.size() == 1);
    CHECK(run.history[0].action.use_tool.name == "unknown");
    CHECK(output(*run.history[0].result).empty());
    REQUIRE(run.history.messages().size() == 3);
    CHECK(run.history.messages()[0].message.content == "3");
    CHECK(run.history.messages()[1].message == acta::ChatMessage::system(R"({"role":"robot","content":"beep"})"));
    CHECK(run.history.messages()[2].message == acta::ChatMessage::system(R"({"n":1})"));
    CHECK(notes_of(run) == Faults{"changed /messages/0/content", "kept /messages/1",
                                  "changed /messages/2/tool_calls/0/function/name step 0", "kept /messages/3 step 0"});
}

TEST_CASE("Anthropic's messages are also repaired") {
    const std::string text = "[" + task + R"(, {"role": "assistant", "content": [{"type": "text", "text": "Look."},
        {"type": "tool_use", "id": "a", "name": "f", "input": "{\"x\": "}, {"type": "tool_use", "id": "b", "name": "g"}]},
        {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "bad", "is_error": true},
            {"type": "tool_result", "content": "good"}, {"type": "tool_result", "tool_use_id": "z", "content": "lost"}]},
        {"role": "critic", "content": "Hm."}])";
    CHECK(!strict_faults(text).empty());
    const acta::Trajectory run = lenient(text);
    CHECK(run.format == TrajectoryFormat::anthropic);
    REQUIRE(run.history.size() == 1);
    const auto calls = acta::get_tools(run.history[0].action);
    CHECK(calls[0].arguments == acta::JsonObject{{"raw_arguments", "{\"x\": "}});
    REQUIRE(run.history[0].tool_results.size() == 2);
    CHECK(reason(run.history[0].tool_results[0].result) == "bad");
    CHECK(output(run.history[0].tool_results[1].result) == "good");
    CHECK(notes_of(run) == Faults{"kept /1/content/1/input step 0", "changed /2/content/1/tool_use_id step 0",
                                  "kept /2/content/2 step 0", "kept /3 step 0"});
}

TEST_CASE("SWE-agent's runs are also repaired") {
    const std::string text = R"({"history": [)" + task +
                             R"(, {"role": "assistant", "content": "c", "action": "ls", "tool_calls": [
        {"id": "a", "type": "function", "function": {"name": "f", "arguments": "{"}}]},
        {"role": "tool", "content": "bad call", "tool_call_ids": ["a"]}, {"role": "tool", "content": "lost", "tool_call_ids": ["z"]}],
        "trajectory": [{"action": "ls", "observation": "bad call, again"}, {"observation": 3}]})";
    CHECK(!strict_faults(text).empty());
    const acta::Trajectory run = lenient(text);
    CHECK(run.format == TrajectoryFormat::swe_agent);
    REQUIRE(run.history.size() == 1);
    CHECK(run.history[0].action.use_tool.arguments == acta::JsonObject{{"raw_arguments", "{"}});
    CHECK(reason(*run.history[0].result) == "bad call, again");
    CHECK(run.history.messages().back().message == acta::ChatMessage::assistant(R"({"observation":3})"));
    CHECK(notes_of(run) == Faults{"kept /trajectory/1", "kept /history/1/tool_calls/0/function/arguments step 0",
                                  "kept /history/3 step 0"});
}

TEST_CASE("ATIF's documents are also repaired") {
    const std::string text = R"({"schema_version": "ATIF-v2.0", "agent": {"name": "a"}, "steps": [
        {"step_id": 4, "source": "user", "message": [{"type": "video", "url": "v"}], "metrics": {}},
        {"step_id": 2, "source": "agent", "message": "m", "llm_call_count": 0, "metrics": {"prompt_tokens": 3}, "tool_calls": [
            {"tool_call_id": "a", "function_name": "f", "arguments": "{\"x\": "},
            {"tool_call_id": "a", "function_name": "g", "arguments": "{\"y\": 1}"}],
         "observation": {"results": [{"source_call_id": "a", "content": "bad"}, {"source_call_id": "z", "content": {"n": 1}}]}},
        {"step_id": 3, "source": "robot", "message": "beep"}]})";
    CHECK(!strict_faults(text).empty());
    const acta::Trajectory run = lenient(text);
    CHECK(run.format == TrajectoryFormat::atif);
    REQUIRE(run.history.size() == 1);
    const auto calls = acta::get_tools(run.history[0].action);
    CHECK(calls[0].arguments == acta::JsonObject{{"raw_arguments", "{\"x\": "}});
    CHECK(calls[1].arguments == acta::JsonObject{{"y", 1}});
    REQUIRE(run.history[0].tool_results.size() == 2);
    CHECK(reason(run.history[0].tool_results[0].result) == "bad");
    CHECK(output(run.history[0].tool_results[1].result) == R"({"n":1})");
    REQUIRE(run.history.messages().size() == 2);
    CHECK(run.history.messages()[0].message == acta::ChatMessage::user(R"({"type":"video","url":"v"})"));
    CHECK(run.history.messages()[1].message.role == acta::ChatRole::system);
    CHECK(run.report.size() == 10);
}

TEST_CASE("a run that needs no repair is read as the strict reader reads it, without notes") {
    const std::string text = "[" + task + "," + openai_call("a", R"("{\"x\": 1}")") +
                             R"(, {"role": "tool", "tool_call_id": "a", "content": "done"}])";
    CHECK(lenient(text) == acta::parse_trajectory(text));
    CHECK(lenient(text).report.empty());
    CHECK_THROWS_AS(lenient("[1]"), acta::ValidationError);
    CHECK_THROWS_AS(lenient("{"), acta::ValidationError);
}

TEST_CASE("JSON lines are messages, a line each") {
    const std::string lines = task + "\n\n" + openai_call("a", R"("{}")") + "\r\n" +
                              R"({"role": "tool", "tool_call_id": "a", "content": "done"})" + "\n";
    const acta::Trajectory run = acta::parse_trajectory(lines);
    CHECK(run.format == TrajectoryFormat::openai);
    REQUIRE(run.history.size() == 1);
    CHECK(output(*run.history[0].result) == "done");
    CHECK(run.report.empty());

    CHECK(strict_faults(lines + R"({"role": "us)") == Faults{"/3 json_invalid"});
    CHECK(strict_faults(lines + R"({"role": "user"})") == Faults{"/3/content missing"});
    const acta::Trajectory cut = lenient(lines + R"({"role": "us)");
    CHECK(cut.history == run.history);
    CHECK(notes_of(cut) == Faults{"dropped /3"});
    // One line alone, and a mark of the byte order before the first.
    CHECK(lvalue(acta::parse_trajectory(task + "\n")).history.messages().size() == 1);
    CHECK(acta::parse_trajectory("\xEF\xBB\xBF" + lines).history == run.history);
    CHECK(lvalue(acta::parse_trajectory("\xEF\xBB\xBF[" + task + "]")).history.messages().size() == 1);
    const acta::Trajectory session =
        acta::parse_trajectory(R"({"type": "user", "message": {"role": "user", "content": "Task."}, "uuid": "1"})");
    CHECK(session.history.messages().size() == 1);
    CHECK(strict_faults("{\n\"episodes\": [1,]}") == Faults{" json_invalid"});
    CHECK(strict_faults("{\"a\": 1}\n{\"a\": 2}") == Faults{" trajectory_unknown"});
}

TEST_CASE("a session of Claude Code has lines without a message") {
    const acta::Trajectory run = acta::parse_trajectory(
        R"({"type": "summary", "summary": "x"}
{"type": "user", "message": {"role": "user", "content": "Task."}, "uuid": "1"}
{"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": [{"type": "text", "text": "Look."}]}}
{"type": "assistant", "message": {"id": "m1", "role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "ls", "input": {}}]}}
{"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "a.txt"}]}}
)");
    CHECK(run.format == TrajectoryFormat::claude_code);
    REQUIRE(run.history.size() == 1);
    CHECK(run.history[0].action.raw_message->content == "Look.");
    CHECK(output(*run.history[0].result) == "a.txt");
    CHECK(notes_of(run) == Faults{"dropped /0"});
}

TEST_CASE("the events of OpenHands are read in both generations") {
    const std::string now =
        R"({"kind": "SystemPromptEvent", "source": "agent", "system_prompt": {"type": "text", "text": "Be."}, "tools": []}
{"kind": "MessageEvent", "source": "user", "llm_message": {"role": "user", "content": [{"type": "text", "text": "Task.", "cache_prompt": false}]}}
{"kind": "ConversationStateUpdateEvent", "key": "agent_status", "value": "running"}
{"kind": "ActionEvent", "source": "agent", "thought": [{"type": "text", "text": "Both."}], "tool_name": "ls", "tool_call_id": "a", "tool_call": {"id": "a", "name": "ls", "arguments": "{\"path\": \".\"}", "origin": "completion"}, "llm_response_id": "r1"}
{"kind": "ActionEvent", "source": "agent", "thought": [], "tool_name": "rm", "tool_call_id": "b", "tool_call": {"id": "b", "type": "function", "function": {"name": "rm", "arguments": "{}"}}, "llm_response_id": "r1"}
{"kind": "ObservationEvent", "source": "environment", "tool_name": "ls", "tool_call_id": "a", "observation": {"kind": "LsObservation", "content": [{"type": "text", "text": "a.txt"}], "is_error": false}}
{"kind": "UserRejectObservation", "tool_name": "rm", "tool_call_id": "b", "rejection_reason": "Keep it."}
{"kind": "ActionEvent", "source": "agent", "thought": [], "tool_name": "cat", "tool_call_id": "c", "action": {"path": "x"}, "tool_call": {"id": "c", "name": "cat"}, "llm_response_id": "r2"}
{"kind": "AgentErrorEvent", "source": "agent", "tool_name": "cat", "tool_call_id": "c", "error": "no such tool"}
{"kind": "ActionEvent", "source": "agent", "thought": [], "tool_name": "cat", "tool_call_id": "d", "action": {"path": "x"}, "tool_call": {"id": "d", "name": "cat"}, "llm_response_id": "r3"}
{"kind": "ObservationEvent", "tool_name": "cat", "tool_call_id": "d", "observation": {"output": "no file", "is_error": true}}
)";
    for (const acta::Trajectory& run : {acta::parse_trajectory(now), lenient(now)}) {
        CHECK(run.format == TrajectoryFormat::openhands);
        REQUIRE(run.history.size() == 3);
        CHECK(run.history[0].action.thoughts == "Both.");
        CHECK(acta::to_string(acta::get_tools(run.history[0].action)[0]) == "ls(path='.')");
        CHECK(run.history.tool_call_ids(0) == std::vector<std::string>{"a", "b"});
        REQUIRE(run.history[0].tool_results.size() == 2);
        CHECK(output(run.history[0].tool_results[0].result) == "a.txt");
        CHECK(std::get<acta::ActionInterruptedByHuman>(run.history[0].tool_results[1].result).feedback == "Keep it.");
        CHECK(reason(*run.history[1].result) == "no such tool");
        CHECK(acta::to_string(run.history[1].action.use_tool) == "cat(path='x')");
        CHECK(reason(*run.history[2].result) == "no file");
        REQUIRE(run.history.messages().size() == 2);
        CHECK(run.history.messages()[0].message == acta::ChatMessage::system("Be."));
        CHECK(run.history.messages()[1].message == acta::ChatMessage::user("Task."));
        CHECK(notes_of(run) == Faults{"dropped /2"});
    }

    const acta::Trajectory old = acta::parse_trajectory(R"([
        {"id": 0, "source": "agent", "action": "system", "args": {"content": "Be."}},
        {"id": 1, "source": "user", "action": "message", "args": {"content": "Task."}},
        {"id": 2, "source": "environment", "observation": "agent_state_changed", "content": ""},
        {"id": 3, "source": "agent", "action": "run", "args": {"command": "ls", "thought": "Look."}},
        {"id": 4, "source": "agent", "observation": "run", "cause": 3, "content": "a.txt", "extras": {}},
        {"id": 5, "source": "agent", "action": "read", "args": {"path": "x"}, "tool_call_metadata": {"function_name": "view",
            "tool_call_id": "t", "total_calls_in_response": 1, "model_response": {"id": "r", "choices": [{"message": {
                "content": "I read.", "tool_calls": [{"id": "t", "function": {"name": "view", "arguments": "{\"p\": 1}"}}]}}]}}},
        {"id": 6, "source": "agent", "observation": "error", "content": "no file", "tool_call_metadata": {"tool_call_id": "t"}}])");
    CHECK(old.format == TrajectoryFormat::openhands);
    REQUIRE(old.history.size() == 2);
    CHECK(acta::to_string(old.history[0]) == "Executed `run(command='ls')`: a.txt");
    CHECK(old.history[0].action.thoughts == "Look.");
    CHECK(acta::to_string(old.history[1].action.use_tool) == "view(p=1)");
    CHECK(old.history[1].action.thoughts == "I read.");
    CHECK(reason(*old.history[1].result) == "no file");
    CHECK(old.history.messages().size() == 2);
    CHECK(notes_of(old) == Faults{"dropped /2"});
}

TEST_CASE("a state file of AutoGPT is a run") {
    const acta::Trajectory run = acta::parse_trajectory(R"({"task": "t", "history": {"episodes": [
        {"action": {"thoughts": {"text": "Look.", "reasoning": "r", "mood": 1}, "command": {"name": "ls", "args": {}}},
         "result": {"outputs": "a.txt", "status": "success"}}], "cursor": 1}})");
    CHECK(run.format == TrajectoryFormat::autogpt);
    REQUIRE(run.history.size() == 1);
    CHECK(run.history[0].action.thoughts == "Look.");
    CHECK(notes_of(run) == Faults{"dropped /history/episodes/0/action/thoughts/mood step 0"});
}

TEST_CASE("damaged documents are repaired or refused, nothing else") {
    const std::string whole[] = {
        "[" + task + "," + openai_call("a", R"("{\"x\": 1}")") +
            R"(, {"role": "tool", "tool_call_id": "a", "content": "r"}])",
        "[" + task +
            R"(, {"role": "assistant", "content": [{"type": "tool_use", "id": "a", "name": "f", "input": {"x": 1}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "a", "content": "r"}]}])",
        R"({"trajectory": [{"action": "ls", "observation": "a"}], "history": [{"role": "assistant", "action": "ls",
            "tool_calls": [{"id": "c", "function": {"name": "f", "arguments": "{}"}}]},
            {"role": "tool", "content": "a", "tool_call_ids": ["c"]}]})",
        R"({"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, "steps": [
            {"step_id": 1, "source": "user", "message": "t"}, {"step_id": 2, "source": "agent", "message": "m", "tool_calls": [
            {"tool_call_id": "a", "function_name": "f", "arguments": {"x": 1}}],
            "observation": {"results": [{"source_call_id": "a", "content": "bad"}]}}]})",
        R"([{"id": 3, "source": "agent", "action": "run", "args": {"command": "ls", "thought": "Look."}},
            {"id": 4, "source": "agent", "observation": "run", "cause": 3, "content": "a.txt", "extras": {}}])",
        R"({"task": "t", "history": {"episodes": [{"action": {"thoughts": {"text": "Look."}, "command": {"name": "ls",
            "args": {}}}, "result": {"outputs": "a.txt", "status": "success"}}], "cursor": 1}})"};
    std::uint32_t random = 11;
    const auto next = [&random](std::size_t below) {
        random = random * 1664525U + 1013904223U;
        return static_cast<std::size_t>(random >> 8) % below;
    };
    const std::string pieces[] = {"null", "{}", "[]", "\"x\"", "-1", "true", "[1, \"y\"]"};
    int repaired = 0;
    int broken = 0;
    for (const std::string& text : whole) {
        const Json good = Json::parse(text);
        for (int i = 0; i < 300; ++i) {
            // Another value somewhere in the document.
            Json document = good;
            Json* at = &document;
            for (std::size_t depth = 1 + next(8); depth > 0 && at->is_structured() && !at->empty(); --depth)
                at = &*std::next(at->begin(), static_cast<std::ptrdiff_t>(next(at->size())));
            *at = Json::parse(pieces[next(std::size(pieces))]);
            const std::string damaged = document.dump();
            bool strict = true;
            try {
                static_cast<void>(acta::parse_trajectory(damaged));
            } catch (const acta::ValidationError&) {
                strict = false;
            }
            try {
                static_cast<void>(lenient(damaged));
                if (!strict) ++repaired;
            } catch (const acta::ValidationError&) {
                CHECK(!strict);
                ++broken;
            }
        }
    }
    INFO(repaired << " repaired, " << broken << " broken");
    CHECK(repaired > 200);
}

TEST_CASE("what is kept as text is not a blank one") {
    for (const char* const content : {"", R"(,"content":null)", R"(,"content":"")", R"(,"content":" ")",
                                      R"(,"content":[])", R"(,"content":[{"type":"text","text":""}])"}) {
        CAPTURE(content);
        const acta::Trajectory anthropic =
            lenient(R"({"messages":[{"role":"user","content":"Go."},{"role":"user","content":[
                {"type":"tool_result","tool_use_id":"gone","is_error":true)" +
                    std::string(content) + "}]}]}");
        CHECK_THAT(anthropic.history.messages().back().message.content, contains_text(R"("tool_use_id":"gone")"));
        const acta::Trajectory openai =
            lenient("[" + task + R"(,{"role":"tool","tool_call_id":"gone")" + std::string(content) + "}]");
        CHECK_THAT(openai.history.messages().back().message.content, contains_text(R"("tool_call_id":"gone")"));
    }
    const acta::Trajectory run = lenient(
        R"({"system":"s","messages":[{"role":"user","content":[null,{"type":"text","text":"a"}]},{"role":"x","content":null}]})");
    CHECK_THAT(run.history.messages()[1].message.content, contains_text("null"));
    CHECK_THAT(run.history.messages().back().message.content, contains_text(R"("role":"x")"));
}

TEST_CASE("half of a surrogate pair is read as U+FFFD, with a note, in lines and in whole documents") {
    const auto said = [](const std::string& content) { return R"({"role": "user", "content": ")" + content + "\"}"; };
    const std::string list = "[" + task + ",\n" + said(R"(a \ud83d b \\ud83d \uDE00 \ud83d\ude00)") + "]";
    for (const bool is_lenient : {false, true}) {
        const acta::Trajectory run = acta::parse_trajectory(list, {.lenient = is_lenient});
        REQUIRE(run.history.messages().size() == 2);
        CHECK(run.history.messages()[1].message.content == "a \xEF\xBF\xBD b \\ud83d \xEF\xBF\xBD \xF0\x9F\x98\x80");
        CHECK(notes_of(run) == Faults{"changed "});
        CHECK(run.report[0].message == "2 halves of surrogate pairs are read as U+FFFD, the first in line 2");
        const acta::Trajectory lines = acta::parse_trajectory(
            task + "\n" + said("x") + "\n\n" + said(R"(\udc00)") + "\n" + said(R"(\ud83d)"), {.lenient = is_lenient});
        CHECK(lines.history.messages().size() == 4);
        CHECK(notes_of(lines) == Faults{"changed /2", "changed /3"});
        CHECK(lines.report[0].message == "Half of a surrogate pair is read as U+FFFD, in line 4");
        // In the arguments of a call, which are JSON in a text, and in a key.
        const acta::Trajectory call = acta::parse_trajectory(
            "[" + openai_call("a", R"("{\"x\": \"\\ud83d \\\\ud83d \\ud83d\\ude00\", \"\\udc00\": 1}")") + "]",
            {.lenient = is_lenient});
        REQUIRE(call.history.size() == 1);
        CHECK(call.history[0].action.use_tool.arguments ==
              acta::JsonObject{{"x", "\xEF\xBF\xBD \\ud83d \xF0\x9F\x98\x80"}, {"\xEF\xBF\xBD", 1}});
        CHECK(notes_of(call) == Faults{"changed "});
        const acta::Trajectory steps = acta::parse_trajectory(
            R"({"trajectory": [{"action": "ls", "observation": "a \ud83d"}]})", {.lenient = is_lenient});
        CHECK(output(*steps.history[0].result) == "a \xEF\xBF\xBD");
        CHECK(notes_of(steps) == Faults{"changed "});
    }
    // acta writes none itself.
    const std::string own =
        R"({"episodes": [{"action": {"thoughts": "\ud83d", "use_tool": {"name": "f", "arguments": {}}}, "result": null}]})";
    CHECK(strict_faults(own) == Faults{" json_invalid"});
    CHECK(strict_faults("[" + own + "]") == Faults{" json_invalid"});
    CHECK(notes_of(lenient(own)) == Faults{"changed "});
    CHECK(strict_faults(R"([{"role": "user", "content": "\ud83"}])") == Faults{" json_invalid"});
}
