// SPDX-License-Identifier: MIT
#include <cstdint>
#include <string>
#include <vector>

#include "acta/interop/trajectory.hpp"
#include "support/bounds.hpp"
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

std::string output(const acta::ActionResult& result) {
    return std::get<acta::ActionSuccessResult>(result).outputs.get<std::string>();
}

const std::string task = R"({"role": "user", "content": "Task."})";

std::string openai_call(const std::string& id, const std::string& arguments) {
    return R"({"role": "assistant", "content": null, "tool_calls": [{"id": ")" + id +
           R"(", "type": "function", "function": {"name": "f", "arguments": )" + arguments + "}}]}";
}

}  // namespace

TEST_CASE("a report has at most as many notes as there may be issues, and a last one counts the others") {
    std::string text = "[" + task;
    for (int i = 0; i < 500; ++i) text += "," + task + ",5";
    text += "]";
    const acta::Trajectory run = lenient(text);
    below_at_above("notes of a run that was read", 100, [](std::size_t count) {
        std::string some = "[" + task;
        for (std::size_t i = 0; i < count; ++i) some += "," + task + ",5";
        return !lenient(some + "]").report.back().message.ends_with(" more note");
    });
    REQUIRE(run.report.size() == 101);
    CHECK(run.report.back() ==
          acta::TrajectoryNote{acta::TrajectoryNoteKind::kept, std::nullopt, {}, "400 more notes"});
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
