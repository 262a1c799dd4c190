// SPDX-License-Identifier: MIT
#include <acta/json/json.hpp>
#include <acta/observe/observer.hpp>
#include <string>
#include <utility>
#include <vector>

#include "command.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"

using command::Outcome;
using command::word;

TEST_CASE("The command shows a run of another agent") {
    const Outcome shown = command::acta("show " + command::sample());
    CHECK(shown.code == 0);
    CHECK(shown.err.empty());
    CHECK_THAT(shown.out, contains_text("replay_run.txt (ATIF trajectory)\n\nSystem\n"));
    CHECK_THAT(shown.out, contains_text("Step 1  210 tokens to the model, 18 from it, 0.0004 USD\n"));
    CHECK_THAT(shown.out, contains_text("  > tides(day='2026-03-02')\n    low 01:55 0.9 m\n"));
    CHECK_THAT(shown.out, ends_with_text("\n5 steps, 210 tokens to the model, 18 from it, 0.0004 USD\n"));
    CHECK(command::acta("show - <" + command::sample()).out.size() > 1000);
}

TEST_CASE("The command recognises every format that acta reads by its content") {
    const TempFolder folder;
    const std::pair<std::string, std::string> samples[] = {
        {"acta history", R"({"episodes": [{"action": {"thoughts": "t", "use_tool": {"name": "ls", "arguments": {}}},
                                           "result": {"outputs": "a.txt", "status": "success"}}], "cursor": 1})"},
        {"acta history",
         R"({"episodes": [{"action": {"thoughts": {"guess": "g", "sure": 0.5}, "use_tool": {"name": "ls",
                         "arguments": {}}}, "result": {"outputs": "a.txt", "status": "success"}}], "cursor": 1})"},
        {"OpenAI response items", R"([{"type": "function_call", "call_id": "c", "name": "ls", "arguments": "{}"},
                                      {"type": "function_call_output", "call_id": "c", "output": "a.txt"}])"},
        {"SWE-agent", R"({"trajectory": [{"action": "ls", "observation": "a.txt"}]})"},
        {"OpenAI", R"([{"role": "assistant", "content": null, "tool_calls": [{"id": "c", "type": "function",
                        "function": {"name": "ls", "arguments": "{}"}}]},
                       {"role": "tool", "tool_call_id": "c", "content": "a.txt"}])"},
        {"Anthropic", R"({"messages": [
            {"role": "assistant", "content": [{"type": "tool_use", "id": "c", "name": "ls", "input": {}}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "c", "content": "a.txt"}]}]})"},
        {"Claude Code",
         R"({"type": "user", "message": {"role": "user", "content": "Look."}, "uuid": "1"}
{"type": "assistant", "message": {"id": "m", "role": "assistant", "content": [{"type": "tool_use", "id": "t", "name": "ls", "input": {}}]}}
{"type": "user", "message": {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "a.txt"}]}})"},
        {"AutoGPT", R"({"agent_id": "a", "history": {"episodes": [{"action": {"thoughts": {"reasoning": "r"},
                        "use_tool": {"name": "ls", "arguments": {}}}, "result": {"outputs": "a.txt", "status": "success"}}],
                        "cursor": 1}})"},
        {"OpenHands",
         R"({"kind": "ActionEvent", "source": "agent", "thought": [], "tool_name": "ls", "tool_call_id": "a", "tool_call": {"id": "a", "name": "ls", "arguments": "{}"}, "llm_response_id": "r"}
{"kind": "ObservationEvent", "source": "environment", "tool_name": "ls", "tool_call_id": "a", "observation": {"kind": "LsObservation", "content": [{"type": "text", "text": "a.txt"}], "is_error": false}})"},
    };
    for (const auto& [format, text] : samples) {
        CAPTURE(format);
        write_file(folder / "run", text);
        const Outcome shown = command::acta("show " + word(folder / "run"));
        CHECK(shown.code == 0);
        CHECK_THAT(shown.out, contains_text("(" + format));
        CHECK_THAT(shown.out, contains_text("    a.txt\n\n1 step"));
    }
}

TEST_CASE("The command shows one step, or the errors, alone") {
    const TempFolder folder;
    acta::save(command::three_days(), folder / "run.json");
    const std::string run = word(folder / "run.json");
    const Outcome errors = command::acta("show --errors " + run);
    CHECK_THAT(errors.out,
               contains_text("Step 2  ERROR\n  Look at tuesday.\n  > tides(day='tuesday')\n  ! no such day\n"));
    CHECK_THAT(errors.out, !contains_text("monday"));
    const Outcome step = command::acta("show --step 3 " + run);
    CHECK_THAT(step.out, contains_text("Step 3\n  Look at wednesday.\n"));
    CHECK_THAT(step.out, !contains_text("tuesday"));
    const Outcome beyond = command::acta("show --step 4 " + run);
    CHECK(beyond.code == 2);
    CHECK_THAT(beyond.err, contains_text("has 3 steps: there is no step 4"));
    CHECK(command::acta("show --step 0 " + run).code == 2);
    CHECK(command::acta("show --step 1 --errors " + run).code == 2);
}

TEST_CASE("The command shows a run as JSON") {
    const TempFolder folder;
    acta::save(command::three_days(), folder / "run.json");
    const std::string run = word(folder / "run.json");
    CHECK(acta::parse<acta::EpisodicActionHistory<>>(command::acta("show --json " + run).out) == command::three_days());
    CHECK(acta::parse<acta::Episode<>>(command::acta("show --json --step 1 " + run).out) ==
          lvalue(command::three_days())[0]);
    CHECK(acta::parse<std::vector<acta::Episode<>>>(command::acta("show --json --errors " + run).out).size() == 1);
}

TEST_CASE("The command uses colour where it is asked to, and a pager only in a terminal") {
    const TempFolder folder;
    acta::save(command::three_days(), folder / "run.json");
    const std::string run = word(folder / "run.json");
    CHECK_THAT(command::acta("show --color always --errors " + run).out, contains_text("\x1b[31mERROR\x1b[0m"));
    CHECK_FALSE(command::has_controls(command::acta("show " + run).out));
    CHECK(command::acta("show --color sometimes " + run).code == 2);
}

TEST_CASE("What cannot be read is an error that says what to do") {
    const TempFolder folder;
    const Outcome missing = command::acta("show " + word(folder / "nothing.json"));
    CHECK(missing.code == 3);
    CHECK(missing.out.empty());
    CHECK_THAT(missing.err, starts_with_text("acta: Cannot read '"));
    CHECK_THAT(missing.err, contains_text("No such file or directory"));

    write_file(folder / "text.txt", "hello");
    const Outcome text = command::acta("show " + word(folder / "text.txt"));
    CHECK(text.code == 3);
    CHECK_THAT(text.err, contains_text("Invalid JSON"));

    write_file(folder / "other.json", R"({"unknown": 1})");
    const Outcome other = command::acta("show " + word(folder / "other.json"));
    CHECK(other.code == 3);
    CHECK_THAT(other.err, contains_text("Document is in none of the known formats: ATIF"));

    write_file(folder / "utf16.json", std::string("\xFF\xFE{\0}\0", 6));
    const Outcome utf16 = command::acta("show " + word(folder / "utf16.json"));
    CHECK(utf16.code == 3);
    CHECK_THAT(utf16.err, contains_text("is UTF-16: JSON files are UTF-8"));
    write_file(folder / "mark.json", "\xEF\xBB\xBF{\"episodes\": []}");
    CHECK(command::acta("show " + word(folder / "mark.json")).code == 0);

    write_file(folder / "calls.json", R"([{"role": "assistant", "content": null, "tool_calls": [
        {"id": "c1", "type": "function", "function": {"name": "f", "arguments": "{\"a\": "}}]}])");
    const Outcome strict = command::acta("show " + word(folder / "calls.json"));
    CHECK(strict.code == 3);
    CHECK_THAT(strict.err, contains_text("--lenient keeps what can be read"));
    const Outcome lenient = command::acta("show --lenient " + word(folder / "calls.json"));
    CHECK(lenient.code == 0);
    CHECK_THAT(lenient.out, contains_text("f(raw_arguments="));
    CHECK_THAT(lenient.err, contains_text("kept"));
    CHECK(command::acta("show " + word(folder / "")).code == 3);
}

TEST_CASE("A command line that is wrong is refused, with advice") {
    for (const std::string words : {"shw x", "show", "show --nothing x", "show a b", "convert x", "tail x"}) {
        CAPTURE(words);
        const Outcome outcome = command::acta(words);
        CHECK(outcome.code == 2);
        CHECK(outcome.out.empty());
        CHECK_THAT(outcome.err, starts_with_text("acta: "));
        CHECK_THAT(outcome.err, contains_text("--help` lists its options"));
    }
    CHECK_THAT(command::acta("--version").out, starts_with_text("acta "));
    const Outcome bare = command::acta("");
    CHECK(bare.code == 2);
    CHECK(bare.out.empty());
    CHECK_THAT(bare.err, contains_text("a command is missing"));
    CHECK_THAT(bare.err, contains_text("\n  show  "));
}

TEST_CASE("A misspelt command or option is named, with the one that it may have been meant to be") {
    const std::pair<std::string, std::string> slips[] = {
        {"shwo run.json", "there is no command 'shwo': did you mean show?"},
        {"val run.json", "there is no command 'val': did you mean validate?"},
        {"swim run.json", "there is no command 'swim'\n"},
        {"show --lenint run.json", "there is no option --lenint: did you mean --lenient?"},
        {"show run.json --colur=never", "there is no option --colur: did you mean --color?"},
        {"list --labl a=b runs.db", "there is no option --labl: did you mean --label?"},
        {"show --zzz", "there is no option --zzz\n"},
        {"show first.json second.json third.json", "the argument 'second.json' is one too many"},
        {"help shwo", "there is no command 'shwo': did you mean show?"},
        {"follow runs.db", "there is no command 'follow': did you mean tail -f?"},
        {"cat run.json", "there is no command 'cat': did you mean show?"},
        {"ls runs.db", "there is no command 'ls': did you mean list?"},
        {"help ls", "there is no command 'ls': did you mean list?"},
        {"convert --format atif run.json", "there is no option --format: did you mean --to?"},
        {"sqlite:runs.db#x", "there is no command 'sqlite:runs.db#x': did you mean show sqlite:runs.db#x?"},
        {"show run.json '\x1b[2J'", "is one too many"}};
    for (const auto& [words, message] : slips) {
        CAPTURE(words);
        const Outcome outcome = command::acta(words);
        CHECK(outcome.code == 2);
        CHECK_THAT(outcome.err, contains_text(message));
        CHECK_FALSE(command::has_controls(outcome.err));
    }
}

TEST_CASE("acta help prints what --help prints") {
    CHECK(command::acta("help").out == command::acta("--help").out);
    for (const std::string name : {"show", "validate", "prune", "help"}) {
        CAPTURE(name);
        const Outcome help = command::acta("help " + name);
        CHECK(help.code == 0);
        CHECK(help.out == command::acta(name + " --help").out);
    }
}

TEST_CASE("The command validates a file, and prints each issue with its place") {
    const TempFolder folder;
    acta::save(command::three_days(), folder / "run.json");
    const Outcome good = command::acta("validate " + word(folder / "run.json"));
    CHECK(good.code == 0);
    CHECK_THAT(good.out, ends_with_text("run.json: acta history, 3 steps: valid\n"));
    std::string steps;
    for (int i = 0; i < 150; ++i)
        steps += R"({"action": {"thoughts": "x", "use_tool": {"name": "f", "arguments": {}}}},)";
    steps.pop_back();
    write_file(folder / "bad.json", "{\"episodes\": [" + steps + "]}");
    const Outcome bad = command::acta("validate " + word(folder / "bad.json"));
    CHECK(bad.code == 1);
    CHECK_THAT(bad.out, contains_text("bad.json: 150 issues\n"));
    CHECK_THAT(bad.out, contains_text("\n  Field required at /episodes/149/result (line 1, column "));
    auto record = lvalue(command::three_days()).record();
    record.sub_runs = {{1, "x", acta::to_json_value(command::three_days())}};
    acta::save(acta::EpisodicActionHistory<>(record), folder / "run.json");
    CHECK_THAT(command::acta("validate " + word(folder / "run.json")).out,
               ends_with_text("run.json: acta history, 3 steps, 1 subagent: valid\n"));
    record.sub_runs = {{1, "x", acta::Json{{"episodes", 7}}}};
    acta::save(acta::EpisodicActionHistory<>(std::move(record)), folder / "run.json");
    const Outcome within = command::acta("validate " + word(folder / "run.json"));
    CHECK(within.code == 1);
    CHECK_THAT(within.out, contains_text("run.json: 1 issue\n  Input should be a valid array at "
                                         "/sub_runs/0/history/episodes"));
    write_file(folder / "other.json", "{\"theme\": \"\\u001b[2J\"}");
    const Outcome other = command::acta("validate " + word(folder / "other.json"));
    CHECK(other.code == 1);
    CHECK_THAT(other.out, contains_text("none of the known formats"));
    CHECK_FALSE(command::has_controls(other.out));
    CHECK(command::acta("validate " + word(folder / "none.json")).code == 3);
    CHECK(command::acta("validate").code == 2);
}

TEST_CASE("The command calls a file valid if nothing of it was dropped, and lists what was not read as it was") {
    const TempFolder folder;
    const std::string file = word(folder / "log.json");
    const auto validate = [&](const std::string& text) {
        write_file(folder / "log.json", text);
        return command::acta("validate " + file);
    };
    const std::string asked = R"([{"role": "user", "content": "When?"}])";
    const Outcome dropped = validate(R"({"messages": )" + asked + R"(, "response": {"error": "overloaded"}})");
    CHECK(dropped.code == 1);
    CHECK_THAT(dropped.out, contains_text("log.json: OpenAI messages, 0 steps: readable, but 1 piece dropped\n"
                                          "  dropped at /response: The response beside the request"));
    CHECK_THAT(dropped.out, !contains_text("valid"));
    const Outcome changed = validate(R"([{"role": "user", "content": "When \ud83d?"}])");
    CHECK(changed.code == 0);
    CHECK_THAT(changed.out, contains_text("log.json: OpenAI messages, 0 steps: valid\n  changed: Half of a"));
    const Outcome whole = validate(R"({"messages": )" + asked + R"(, "response": "At noon."})");
    CHECK(whole.code == 0);
    CHECK_THAT(whole.out, ends_with_text("log.json: OpenAI messages, 0 steps: valid\n"));
    // Several runs, and a text that could control the terminal.
    const Outcome rows = validate(R"({"messages": )" + asked + R"(, "response": {}})" + "\n" + R"({"messages": )" +
                                  asked + R"(, "response": 3})" + "\n");
    CHECK(rows.code == 1);
    CHECK_THAT(rows.out, contains_text("2 runs, 0 steps: readable, but 2 pieces dropped\n"));
    CHECK_THAT(rows.out, contains_text("dropped at /1/response: "));
    const Outcome line = validate(
        "{\"type\": \"user\", \"message\": {\"role\": \"user\", \"content\": \"Hi.\"}}\n"
        "{\"type\": \"\\u001b[2J\"}\n");
    CHECK(line.code == 1);
    CHECK_FALSE(command::has_controls(line.out));
    const Outcome foreign = validate(R"([{"role": "assistant", "content": "x", "toolCalls": [{"name": "f"}]}])");
    CHECK(foreign.code == 1);
    CHECK_THAT(foreign.out, contains_text("At /0/toolCalls is a call or a result in a form of another library"));
}

TEST_CASE("The command validates several files, and its exit code is that of the worst") {
    const TempFolder folder;
    acta::save(command::three_days(), folder / "good.json");
    write_file(folder / "bad.json", R"({"episodes": 7})");
    const std::string good = word(folder / "good.json");
    const std::string bad = word(folder / "bad.json");
    const std::string none = word(folder / "none.json");
    CHECK(command::acta("validate " + good + " " + good).code == 0);
    const Outcome issues = command::acta("validate " + bad + " " + good);
    CHECK(issues.code == 1);
    CHECK_THAT(issues.out, contains_text("bad.json: 1 issue\n"));
    CHECK_THAT(issues.out, ends_with_text("good.json: acta history, 3 steps: valid\n"));
    const Outcome unreadable = command::acta("validate " + none + " " + bad + " " + good);
    CHECK(unreadable.code == 3);
    CHECK_THAT(unreadable.err, contains_text("none.json"));
    CHECK(unreadable.out == issues.out);
    CHECK(command::acta("validate " + good + " - <" + good).code == 0);
    CHECK(command::acta("validate - - <" + good).code == 2);
    CHECK(command::acta("validate " + good + " " + bad + " >/dev/full").code == 4);
}

TEST_CASE("Each subcommand has help with an example") {
    for (const std::string name : {"show", "html", "convert", "diff", "validate", "list", "tail", "fork", "prune"}) {
        CAPTURE(name);
        const Outcome help = command::acta(name + " --help");
        CHECK(help.code == 0);
        CHECK_THAT(help.out, contains_text("Usage: acta " + name));
        CHECK_THAT(help.out, contains_text("Example:\n  acta " + name));
        CHECK_THAT(command::acta("--help").out, contains_text("\n  " + name + " "));
    }
    CHECK(command::acta("--help >/dev/full").code == 4);
}

TEST_CASE("Output that cannot be written is an error, and a reader that stops early is none") {
    const Outcome full = command::acta("show " + command::sample() + " >/dev/full");
    CHECK(full.code == 4);
    CHECK(full.err == "acta: cannot write standard output: No space left on device\n");
    CHECK(command::acta("convert --to acta -o /dev/full " + command::sample()).code == 4);

    // More than a pipe takes.
    const TempFolder folder;
    auto history = command::three_days();
    for (int i = 0; i < 3000; ++i) command::add_step(history, std::string(60, 'x'));
    acta::save(history, folder / "long.json");
    const Outcome head = command::acta("show " + word(folder / "long.json") + " | head -n 1");
    CHECK_THAT(head.out, contains_text("long.json (acta"));
    CHECK(head.err.empty());
}

TEST_CASE("Nothing of a hostile run reaches the terminal as a command") {
    const TempFolder folder;
    acta::EpisodicActionHistory<> history;
    const std::string& evil = command::evil;
    history.register_message(acta::ChatMessage::user(evil));
    history.register_action({.thoughts = evil, .use_tool = {"f" + evil, {{"a" + evil, evil}}}});
    history.register_result(acta::ActionErrorResult{evil, acta::ErrorInfo::make(evil, evil)});
    command::add_step(history, evil);
    const std::filesystem::path file = folder / "evil\x1b[2J\u202E.json";
    const std::filesystem::path other = folder / "other\x1b[2J.json";
    acta::save(history, file);
    history.rewind(1);
    acta::save(history, other);
    write_file(folder / "bad\x1b[2J.json", "{\"a\x1b[2J\u202E\": ");
    for (const std::string& words :
         {"show " + word(file), "show --all " + word(file), "show --json " + word(file), "show --errors " + word(file),
          "diff " + word(file) + " " + word(other), "convert --to openai " + word(file),
          "convert --to anthropic " + word(file), "convert --to atif " + word(file), "convert --to acta " + word(file),
          "show " + word(folder / "bad\x1b[2J.json"), "show " + word(folder / "none\x1b[2J.json"),
          "list " + word(folder / "none\x1b[2J.db"), std::string("show --\x1b[2J x"), std::string("\x1b[2J")}) {
        CAPTURE(words);
        const Outcome outcome = command::acta(words);
        CHECK(outcome.out.size() + outcome.err.size() > 0);
        CHECK_FALSE(command::has_controls(outcome.out));
        CHECK_FALSE(command::has_controls(outcome.err));
    }
    CHECK(acta::parse<acta::EpisodicActionHistory<>>(command::acta("convert --to acta " + word(other)).out) == history);
}

TEST_CASE("No password of a connection string is printed") {
    for (const std::string words :
         {"show 'postgres://me:tide-99@127.0.0.1:1/db'", "show 'postgres://me:tide-99@127.0.0.1:1/db#x'",
          "show 'postgres://me:ti/d@e-99@127.0.0.1:1/db'", "list 'postgres:host=127.0.0.1 port=1 password=tide-99'",
          "show a b 'postgresql://me:tide-99@127.0.0.1:1/db'",
          "list 'postgres://127.0.0.1:1/db?password=tide-99&user=me'"}) {
        CAPTURE(words);
        const Outcome outcome = command::acta(words);
        CHECK(outcome.code >= 2);
        CHECK_THAT(outcome.err, starts_with_text("acta: "));
        CHECK_THAT(outcome.err, !contains_text("e-99"));
        CHECK(outcome.out.empty());
    }
}
