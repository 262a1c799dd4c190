// SPDX-License-Identifier: MIT
#include <chrono>
#include <string>
#include <vector>

#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"

// Sessions and logs of other programs, beyond the cases in tests/data/cases/.

namespace {

using acta::TrajectoryFormat;

std::string output_of(const acta::Episode<>& step) {
    return std::get<acta::ActionSuccessResult>(*step.result).outputs.get<std::string>();
}

/// The notes of a kind, each as its message.
std::vector<std::string> messages_in(const acta::Trajectory& run) {
    std::vector<std::string> out;
    for (const acta::TrajectoryNote& note : run.report) out.push_back(note.message);
    return out;
}

std::string refusal(const std::string& text, bool lenient = false) {
    try {
        static_cast<void>(acta::parse_trajectory(text, {.lenient = lenient}));
    } catch (const acta::ValidationError& error) {
        return error.issues().front().pointer() + " " + error.issues().front().type;
    }
    return "none";
}

/// A line of Claude Code with a message whose content is `content`.
std::string claude(const std::string& uuid, const std::string& parent, const std::string& type,
                   const std::string& content, const std::string& more = {}) {
    return R"({"parentUuid": )" + (parent.empty() ? "null" : '"' + parent + '"') + R"(, "uuid": ")" + uuid +
           R"(", "type": ")" + type + "\"" + more + R"(, "message": {"role": ")" + type + R"(", "content": )" +
           content + "}}\n";
}
std::string claude_call(const std::string& id, const std::string& name, const std::string& input = "{}") {
    return R"([{"type": "tool_use", "id": ")" + id + R"(", "name": ")" + name + R"(", "input": )" + input + "}]";
}
std::string claude_result(const std::string& id, const std::string& text) {
    return R"([{"type": "tool_result", "tool_use_id": ")" + id + R"(", "content": ")" + text + "\"}]";
}

}  // namespace

TEST_CASE("a session of Claude Code continues after a line that was lost in its middle") {
    const std::string text =
        claude("u1", "", "user", R"("Count.")") + claude("a1", "u1", "assistant", claude_call("t1", "Bash")) +
        claude("u2", "a1", "user", claude_result("t1", "38 lines")) + "{\"parentUuid\": \"u2\", \"uu\n" +
        claude("a3", "a2", "assistant", R"([{"type": "text", "text": "38 stations."}])");
    CHECK(refusal(text) == "/3 json_invalid");
    const acta::Trajectory run = acta::parse_trajectory(text, {.lenient = true});
    REQUIRE(run.history.size() == 1);
    CHECK(output_of(run.history[0]) == "38 lines");
    CHECK(run.history.messages().size() == 2);
    CHECK(run.report.size() == 1);
    // A first line that was torn is noted as well.
    const acta::Trajectory late = acta::parse_trajectory(
        "pe\": \"user\"}\n" + claude("u1", "u0", "user", R"("Hi.")") + claude("u2", "u1", "user", R"("There?")"),
        {.lenient = true});
    CHECK(late.history.messages().size() == 2);
    CHECK(late.report.size() == 1);
    CHECK(refusal("no\nJSON\n{}\nat all", true) == " json_invalid");
}

namespace {

const std::string side = R"(, "isSidechain": true)";

std::string of_agent(const std::string& id) { return side + R"(, "agentId": ")" + id + '"'; }

std::string task(const std::string& id, const std::string& prompt, const std::string& name = "Task") {
    return claude_call(id, name, R"({"prompt": ")" + prompt + "\"}");
}
std::string says(const std::string& text) { return R"([{"type": "text", "text": ")" + text + "\"}]"; }

/// The runs of subagents, each as the step, the call, and what was said in it; those within it are in brackets.
std::string sub_runs_of(const acta::EpisodicActionHistory<>& history) {
    std::string out;
    for (const acta::SubRun& run : history.sub_runs()) {
        const auto inner = acta::parse<acta::EpisodicActionHistory<>>(acta::dump(run.history));
        out += std::to_string(run.step) + ' ' + run.tool_call_id + ':';
        for (const acta::ConversationMessage& said : inner.messages()) out += ' ' + said.message.content;
        for (std::size_t i = 0; i < inner.size(); ++i) out += ' ' + inner[i].action.use_tool.name;
        if (!inner.sub_runs().empty()) out += " [" + sub_runs_of(inner) + ']';
        out += ';';
    }
    return out;
}

}  // namespace

TEST_CASE("subagents of Claude Code are runs of the calls that began them") {
    const std::string text =
        claude("u1", "", "user", R"("Test.")") +
        claude("a1", "u1", "assistant",
               R"([{"type": "tool_use", "id": "t1", "name": "Task", "input": {"prompt": "One."}},)"
               R"({"type": "tool_use", "id": "t2", "name": "Task", "input": {"prompt": "Two."}}])") +
        claude("s1", "", "user", R"("Two.")", of_agent("y")) +
        claude("s2", "", "user", R"("Changed.")", of_agent("x")) +
        claude("s3", "s1", "assistant", claude_call("t9", "Grep"), of_agent("y")) +
        claude("u2", "a1", "user", claude_result("t1", "1"), R"(, "toolUseResult": {"agentId": "x"})") +
        claude("u3", "a1", "user", claude_result("t2", "2"));
    const acta::Trajectory run = acta::parse_trajectory(text);
    REQUIRE(run.history.size() == 1);
    CHECK(run.history[0].tool_results.size() == 2);
    CHECK(sub_runs_of(run.with_sub_runs()) == "0 t1: Changed.;0 t2: Two. Grep;");
    CHECK(messages_in(run) == std::vector<std::string>{"A subagent's run of 2 lines, which call 't2' of Task began",
                                                       "A subagent's run of 1 line, which call 't1' of Task began"});
    CHECK(run.report[0].kind == acta::TrajectoryNoteKind::kept);
    CHECK(run.report[0].step == 0U);
    CHECK(acta::parse<acta::EpisodicActionHistory<>>(acta::dump(run.history)) == run.history);
    // The stream of the SDK has no tree, and names the call instead.
    const acta::Trajectory stream = acta::parse_trajectory(
        R"({"type": "system", "subtype": "init", "session_id": "s"}
{"type": "assistant", "message": {"id": "m", "role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "Task", "input": {"prompt": "Go."}}]}, "parent_tool_use_id": null}
{"type": "assistant", "message": {"id": "n", "role": "assistant", "content": [{"type": "text", "text": "Inside."}]}, "parent_tool_use_id": "t"}
{"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "ok"}]}, "parent_tool_use_id": null}
{"type": "result", "subtype": "success", "result": "Done."})");
    REQUIRE(stream.history.size() == 1);
    CHECK(output_of(stream.history[0]) == "ok");
    CHECK(stream.history.messages().empty());
    CHECK(sub_runs_of(stream.with_sub_runs()) == "0 t: Inside.;");
    CHECK(messages_in(stream).back() == "A subagent's run of 1 line, which call 't' of Task began");
}

TEST_CASE("a subagent of Claude Code belongs to a call by each of the links that files have") {
    const std::string begin = claude("u1", "", "user", R"("Test.")");
    const auto read = [&](const std::string& lines) {
        return sub_runs_of(acta::parse_trajectory(begin + lines).with_sub_runs());
    };
    const std::string two = claude("a1", "u1", "assistant", task("t1", "Same.")) +
                            claude("a2", "a1", "assistant", task("t2", "Same.", "Agent"));
    // The line of the call is the parent of the first line.
    CHECK(read(two + claude("s1", "a2", "user", R"("Other words.")", side)) == "0 t2: Other words.;");
    CHECK(read(two + claude("s1", "", "user", R"("Words.")", side + R"(, "sourceToolUseID": "t2")")) ==
          "0 t2: Words.;");
    CHECK(read(two + claude("s1", "", "user", R"("Words.")", side + R"(, "sourceToolAssistantUUID": "a2")")) ==
          "0 t2: Words.;");
    // The same prompt twice: in order, unless a result names a subagent.
    const std::string same = claude("s1", "", "user", R"("Same.")", of_agent("x")) +
                             claude("s2", "", "user", R"("Same.")", of_agent("y")) +
                             claude("s3", "s1", "assistant", says("X"), of_agent("x")) +
                             claude("s4", "s2", "assistant", says("Y"), of_agent("y"));
    CHECK(read(two + same) == "0 t1: Same. X;0 t2: Same. Y;");
    CHECK(read(two + same +
               claude("u2", "a2", "user", claude_result("t2", "Done. agentId: x (for resuming to continue)"))) ==
          "0 t1: Same. Y;0 t2: Same. X;");
    // One subagent and one call are left. A search with a prompt begins none, and no subagent begins before its call.
    const std::string one = claude("a1", "u1", "assistant", task("t1", "First."));
    CHECK(read(one + claude("s1", "", "user", R"("Torn")", side)) == "0 t1: Torn;");
    CHECK(read(claude("s1", "", "user", R"("Warmup")", of_agent("w")) + one) == "");
    CHECK(read(claude("a1", "u1", "assistant", task("t1", "First.", "WebFetch")) +
               claude("s1", "", "user", R"("Warmup")", of_agent("w"))) == "");
    CHECK(read(one + claude("s1", "", "user", R"("Warmup")", of_agent("w")) +
               claude("u2", "a1", "user", claude_result("t1", "ok"), R"(, "toolUseResult": {"agentId": "x"})")) == "");
}

TEST_CASE("subagents of Claude Code that began others have their runs") {
    const std::string text = claude("u1", "", "user", R"("Test.")") +
                             claude("a1", "u1", "assistant", task("t1", "Outer.")) +
                             claude("s1", "", "user", R"("Outer.")", of_agent("x")) +
                             claude("s2", "s1", "assistant", task("t2", "Inner."), of_agent("x")) +
                             claude("s3", "", "user", R"("Inner.")", of_agent("y")) +
                             claude("s4", "s3", "assistant", says("Found."), of_agent("y")) +
                             claude("s5", "s2", "user", claude_result("t2", "Found."), of_agent("x")) +
                             claude("s6", "s5", "assistant", says("It is there."), of_agent("x")) +
                             claude("u2", "a1", "user", claude_result("t1", "It is there."));
    const std::string expected = "Outer. It is there. Task [0 t2: Inner. Found.;]";
    const acta::Trajectory run = acta::parse_trajectory(text);
    CHECK(sub_runs_of(run.with_sub_runs()) == "0 t1: " + expected + ";");
    CHECK(run.report.size() == 2);
    // In the file of the outer one that is the run.
    const std::string own = text.substr(text.find(R"({"parentUuid": null, "uuid": "s1")"));
    CHECK(sub_runs_of(acta::parse_trajectory(own.substr(0, own.find(R"({"parentUuid": "a1")"))).with_sub_runs()) ==
          "0 t2: Inner. Found.;");
    // An agent that asks for itself is in no run.
    const acta::Trajectory circle = acta::parse_trajectory(
        claude("u1", "", "user", R"("Test.")") + claude("s1", "", "user", R"("Again.")", of_agent("x")) +
        claude("s2", "s1", "assistant", task("t2", "Again."), of_agent("x")));
    CHECK(circle.sub_runs.empty());
    CHECK(messages_in(circle) == std::vector<std::string>{"A subagent's run of 2 lines, of no known call"});
    // A chain of a thousand is cut where its JSON could not be read any more.
    std::string deep = claude("u1", "", "user", R"("Test.")") + claude("a0", "u1", "assistant", task("t0", "0"));
    for (int i = 0; i < 1000; ++i) {
        const std::string n = std::to_string(i);
        const std::string next = std::to_string(i + 1);
        deep += claude("s" + n, "", "user", '"' + n + '"', of_agent("g" + n)) +
                claude("b" + n, "s" + n, "assistant", task("t" + next, next), of_agent("g" + n));
    }
    const acta::Trajectory cut = acta::parse_trajectory(deep);
    CHECK(acta::parse<acta::EpisodicActionHistory<>>(acta::dump(cut.history)) == cut.history);
    CHECK(cut.report.size() > 100);
}

TEST_CASE("subagents of Claude Code are read from the progress that a session reports") {
    const auto progress = [](const std::string& uuid, const std::string& agent, const std::string& call,
                             const std::string& type, const std::string& content) {
        return R"({"type": "progress", "parentUuid": "a1", "uuid": "p)" + uuid + R"(", "parentToolUseID": ")" + call +
               R"(", "data": {"type": "agent_progress", "agentId": ")" + agent + R"(", "message": {"uuid": ")" + uuid +
               R"(", "type": ")" + type + R"(", "message": {"role": ")" + type + R"(", "content": )" + content +
               "}}}}\n";
    };
    const acta::Trajectory run = acta::parse_trajectory(
        claude("u1", "", "user", R"("Test.")") + claude("a1", "u1", "assistant", task("t1", "One.")) +
        claude("a2", "a1", "assistant", task("t2", "Two.")) + progress("s1", "x", "t1", "user", R"("One.")") +
        progress("s2", "y", "t2", "user", R"("Two.")") + progress("s3", "x", "t1", "assistant", says("1")) +
        progress("s4", "y", "t2", "assistant", claude_call("k", "Grep")) +
        progress("s5", "y", "t2", "user", claude_result("k", "none")) +
        claude("u2", "a1", "user", claude_result("t1", "1")) + claude("u3", "a2", "user", claude_result("t2", "2")));
    CHECK(run.history.size() == 1);
    CHECK(sub_runs_of(run.with_sub_runs()) == "0 t1: One. 1;0 t2: Two. Grep;");
}

TEST_CASE("a document with several runs gives all of them, or the first with a note of how many there are") {
    const auto row = [](const std::string& command) {
        return R"({"instance_id": "i", "history": [{"id": 1, "source": "agent", "action": "run", "args": {"command": ")" +
               command +
               R"("}}, {"id": 2, "source": "agent", "cause": 1, "observation": "run", "content": "ok", "extras": {"metadata": {"exit_code": 0}}}], "metrics": {"accumulated_cost": 0.5}, "error": null})";
    };
    const std::string lines = row("make") + "\n" + row("ls") + "\n" + row("pwd") + "\n";
    const std::vector<acta::Trajectory> all = acta::parse_trajectories(lines);
    REQUIRE(all.size() == 3);
    CHECK(all[1].history[0].action.use_tool.arguments.at("command") == "ls");
    CHECK(all[1].report[0].loc == std::vector<acta::LocElement>{std::size_t{1}, std::string("metrics")});
    const acta::Trajectory first = acta::parse_trajectory(lines);
    CHECK(first.history == all[0].history);
    CHECK(first.report.back().message == "The document has 3 runs: only the first one is read");
    CHECK(acta::parse_trajectories("[" + row("make") + "," + row("ls") + "]").size() == 2);
    CHECK(acta::parse_trajectories(row("make")).size() == 1);
    // A row of a run that ended before its first event.
    CHECK(acta::parse_trajectories(lines + R"({"instance_id": "j", "history": [], "error": "no image"})").size() == 4);
    try {
        static_cast<void>(acta::parse_trajectories(lines + R"({"episodes": 3})"));
        FAIL();
    } catch (const acta::ValidationError& error) {
        CHECK(error.issues().front().pointer() == "/3/episodes");
    }
}

TEST_CASE("documents of other tools are not taken for messages or histories") {
    for (
        const char* const text : {
            R"({"cursor": 3, "items": [{"id": 1}]})",
            R"({"items": []})",
            R"([{"role": "model", "parts": [{"text": "Hello"}]}, {"role": "user", "parts": [{"text": "Hi"}]}])",
            R"([{"role": "user", "parts": [{"type": "text", "text": "Hi"}]}])",
            R"([{"role": "assistant", "content": [{"type": "tool-call", "toolCallId": "c", "toolName": "f", "input": {}}]}])",
            R"([{"role": "assistant", "content": [{"toolUse": {"toolUseId": "c", "name": "f", "input": {}}}]}])",
            R"([{"from": "human", "value": "Hi"}, {"from": "gpt", "value": "Hello"}])",
            R"([{"role": "admin", "name": "Ann"}, {"role": "editor", "name": "Bo"}])",
            R"({"agent": "a", "steps": 3})",
            R"({"history": [{"command": "ls"}, {"command": "pwd"}]})",
            R"({"messages": [{"id": 1, "text": "Hi", "user": "u"}]})",
        }) {
        INFO(text);
        CHECK(refusal(text) == " trajectory_unknown");
        CHECK(refusal(text, true) == " trajectory_unknown");
    }
    try {
        static_cast<void>(acta::parse_trajectory("{}"));
        FAIL();
    } catch (const acta::ValidationError& error) {
        CHECK(
            error.issues().front().message ==
            "Document is in none of the known formats: ATIF trajectory, Claude Code session, Codex session, OpenHands "
            "events, mini-swe-agent trajectory, goose session, LlamaIndex messages, LangChain messages, OpenAI "
            "response "
            "items, AutoGPT history, acta history, SWE-agent trajectory, Anthropic messages, OpenAI messages");
    }
}

TEST_CASE("lines of Claude Code without parents are in order, and a result without a parent follows its call") {
    for (const std::string parent : {"", "null, "}) {
        std::string text =
            claude("u1", "", "user", R"("List.")") + claude("a1", "", "assistant", claude_call("t1", "ls")) +
            claude("u2", "", "user", claude_result("t1", "a.txt")) + claude("u3", "", "user", R"("And?")") +
            claude("a2", "", "assistant", R"([{"type": "text", "text": "One."}])");
        if (parent.empty()) {
            for (std::size_t at = text.find(R"("parentUuid": null, )"); at != std::string::npos;
                 at = text.find(R"("parentUuid": null, )"))
                text.erase(at, 20);
        }
        const acta::Trajectory run = acta::parse_trajectory(text);
        REQUIRE(run.history.size() == 1);
        CHECK(output_of(run.history[0]) == "a.txt");
        CHECK(run.history.messages().size() == 3);
        CHECK(run.report.empty());
    }
    // Others of its lines have parents.
    const acta::Trajectory run = acta::parse_trajectory(
        claude("u1", "", "user", R"("List.")") + claude("a1", "u1", "assistant", claude_call("t1", "ls")) +
        claude("u2", "", "user", claude_result("t1", "a.txt")) +
        claude("a2", "u2", "assistant", R"([{"type": "text", "text": "One."}])"));
    CHECK(run.history.size() == 1);
    CHECK(run.history.messages().size() == 2);
    // The file of a subagent.
    const acta::Trajectory agent = acta::parse_trajectory(
        claude("u1", "", "user", R"("List.")", side) + claude("a1", "", "assistant", claude_call("t1", "ls"), side) +
        claude("u2", "", "user", claude_result("t1", "a.txt"), side) +
        claude("a2", "", "assistant", R"([{"type": "text", "text": "One."}])", side));
    CHECK(agent.history.size() == 1);
    CHECK(agent.history.messages().size() == 2);
}
