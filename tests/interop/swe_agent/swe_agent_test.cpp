// SPDX-License-Identifier: MIT
#include "acta/interop/swe_agent/swe_agent.hpp"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <utility>
#include <vector>

#include "support/catch.hpp"
#include "support/issues.hpp"
#include "support/paths.hpp"
#include "support/swe_agent.hpp"

namespace {

acta::EpisodicActionHistory<> read(const std::string& text) {
    return acta::swe_agent::to_history(acta::parse<acta::swe_agent::Document>(text));
}

Faults swe_faults(const std::string& text) {
    Faults out;
    try {
        static_cast<void>(read(text));
    } catch (const acta::ValidationError& error) {
        for (const acta::Issue& issue : error.issues()) out.push_back(issue.pointer() + " " + issue.type);
    }
    return out;
}

const std::filesystem::path folder_of_data(paths::shared_data("swe-agent"));

std::string output(const acta::Episode<>& episode) {
    return std::get<acta::ActionSuccessResult>(*episode.result).outputs.get<std::string>();
}

std::string call(const std::string& id, const std::string& arguments) {
    return R"({"role": "assistant", "content": "c", "thought": "t", "action": "a", "tool_calls": [{"type": "function", "id": ")" +
           id + R"(", "function": {"name": "f", "arguments": )" + arguments + "}}]}";
}

}  // namespace

TEST_CASE("a demonstration of function calls is read from its messages") {
    const auto file = folder_of_data / "function_calling_simple.traj";
    if (!std::filesystem::exists(file)) ACTA_SKIP("swe-agent is not in the shared data folder");
    const acta::EpisodicActionHistory<> read = acta::swe_agent::to_history(acta::load<acta::swe_agent::Document>(file));
    REQUIRE(read.size() == 5);
    CHECK(acta::to_string(read[0].action.use_tool) == "find_file(file_name='missing_colon.py')");
    CHECK(read.tool_call_ids(0) == std::vector<std::string>{"call_PbWErNIge3YTrli3fiVvmIid"});
    CHECK_THAT(read[0].action.thoughts, starts_with_text("The `SyntaxError` in"));
    CHECK_THAT(output(read[3]), starts_with_text("8.2\n(Open file:"));
    REQUIRE(read.messages().size() == 2);
    CHECK(read.messages()[0].message.role == acta::ChatRole::system);
    CHECK(read.messages()[1].message.role == acta::ChatRole::user);
    CHECK(read.cursor() == 5);
    CHECK(read.pending_feedback().empty());
}

TEST_CASE("a run is read from its steps and its messages") {
    const auto file = folder_of_data / "marshmallow-1867.traj";
    if (!std::filesystem::exists(file)) ACTA_SKIP("swe-agent is not in the shared data folder");
    const acta::EpisodicActionHistory<> read = acta::swe_agent::to_history(acta::load<acta::swe_agent::Document>(file));
    REQUIRE(read.size() == 11);
    // Calls with their names and arguments, but outputs without the prompt that the model saw.
    CHECK(acta::to_string(read[0].action.use_tool) == "create(filename='reproduce.py')");
    CHECK(output(read[0]) == "[File: reproduce.py (1 lines total)]\r\n1:");
    CHECK(output(read[2]) == "344");
    CHECK(output(read[9]).empty());
    CHECK(read.tool_call_ids(10) == std::vector<std::string>{"call_submit"});
    // The calls are those of the messages.
    const auto messages = history_of_trajectory(acta::load<acta::Json>(file));
    REQUIRE(messages.size() == 11);
    for (std::size_t i = 0; i < 11; ++i) {
        CHECK(read[i].action.use_tool == messages[i].action.use_tool);
        CHECK(read[i].action.thoughts == messages[i].action.thoughts);
    }
}

TEST_CASE("steps alone are commands") {
    const acta::EpisodicActionHistory<> history = read(R"({"environment": "main", "trajectory": [
        {"action": " open \"a b.py\" 3\n", "observation": "text", "response": "I open it.\n```\nopen\n```", "thought": "I open it."},
        {"action": "ls", "observation": "", "response": null, "thought": null, "state": {"open_file": "n/a"}},
        {"action": "", "observation": null, "response": "What now?"}], "info": {"exit_status": "submitted"}})");
    REQUIRE(history.size() == 2);
    CHECK(acta::to_string(history[0].action.use_tool) == "open(command=' open \"a b.py\" 3\\n')");
    CHECK(history[0].action.thoughts == "I open it.");
    CHECK(history[0].action.raw_message->content == "I open it.\n```\nopen\n```");
    CHECK(output(history[1]).empty());
    REQUIRE(history.answer() != nullptr);
    CHECK(*history.answer() == acta::ChatMessage::assistant("What now?"));
}

TEST_CASE("messages of a model without function calls are commands and what they printed") {
    const acta::EpisodicActionHistory<> history = read(R"({"history": [
        {"role": "system", "content": "Be."},
        {"role": "assistant", "content": "demo", "action": "ls", "is_demo": true},
        {"role": "user", "content": "demo output", "is_demo": true},
        {"role": "user", "content": [{"type": "text", "text": "Fix"}, {"type": "text", "text": "it."}]},
        {"role": "assistant", "content": "I list.\n```ls -F```", "thought": "I list.", "action": "ls -F", "agent": "main"},
        {"role": "user", "content": "a.py", "message_type": "observation"},
        {"role": "user", "content": "Go on."},
        {"role": "assistant", "content": "I think.", "thought": "I think.", "action": "", "tool_calls": null}]})");
    REQUIRE(history.size() == 1);
    CHECK(history[0].action.use_tool.name == "ls");
    CHECK(output(history[0]) == "a.py");
    const std::vector<acta::ConversationMessage> said = {{0, acta::ChatMessage::system("Be.")},
                                                         {0, acta::ChatMessage::user("Fix\nit.")},
                                                         {1, acta::ChatMessage::user("Go on.")},
                                                         {1, acta::ChatMessage::assistant("I think.")}};
    CHECK(std::ranges::equal(history.messages(), said));
}

TEST_CASE("several calls of one message have a result each") {
    const std::string both = R"({"role": "assistant", "content": "both", "tool_calls": [
        {"id": "x", "type": "function", "function": {"name": "f", "arguments": {"n": 1}}},
        {"id": "y", "type": "function", "function": {"name": "g", "arguments": ""}}]})";
    const std::string y = R"({"role": "tool", "content": "Y", "tool_call_ids": ["y"]})";
    const std::string x = R"({"role": "tool", "content": "X", "tool_call_ids": ["x"]})";
    const acta::EpisodicActionHistory<> history = read("{\"history\": [" + both + "," + y + "," + x + "]}");
    REQUIRE(history.size() == 1);
    CHECK(history[0].action.use_tools.size() == 2);
    CHECK(acta::python_str(std::get<acta::ActionSuccessResult>(*history[0].result).outputs) == "['X', 'Y']");
    const acta::EpisodicActionHistory<> half = read("{\"history\": [" + both + "," + y + "]}");
    CHECK(!half[0].result);
    CHECK(half[0].tool_results.size() == 1);
    acta::EpisodicActionHistory<> resumed = half;
    resumed.register_result("x", acta::ActionSuccessResult{});
    CHECK(resumed.cursor() == 1);
}

TEST_CASE("steps that differ from the messages count") {
    const acta::EpisodicActionHistory<> history = read(
        R"({"trajectory": [{"action": "one", "observation": "1"}, {"action": "two", "observation": "2"}], "history": [
        {"role": "user", "content": "Task."}, )" +
        call("c", "{}") + "]}");
    REQUIRE(history.size() == 2);
    CHECK(history[1].action.use_tool.name == "two");
    REQUIRE(history.messages().size() == 1);
    CHECK(history.messages()[0].before == 0);
}

TEST_CASE("an answer without a command is said, and so is what it was answered") {
    const acta::EpisodicActionHistory<> history = read(R"({"history": [
        {"role": "assistant", "content": "Hm.", "thought": "Hm.", "action": ""},
        {"role": "user", "content": "Your output had no command."},
        {"role": "assistant", "content": "ls", "action": "ls"}, {"role": "user", "content": "a.py"},
        {"role": "user", "content": "Well done."}]})");
    REQUIRE(history.size() == 1);
    CHECK(output(history[0]) == "a.py");
    CHECK(history.pending_feedback().empty());
    const std::vector<acta::ConversationMessage> said = {{0, acta::ChatMessage::assistant("Hm.")},
                                                         {0, acta::ChatMessage::user("Your output had no command.")},
                                                         {1, acta::ChatMessage::user("Well done.")}};
    CHECK(std::ranges::equal(history.messages(), said));
}

TEST_CASE("trajectories that do not fit are refused with their place") {
    CHECK(swe_faults("{}") == Faults{"/trajectory missing"});
    CHECK(swe_faults("[]") == Faults{" model_type"});
    CHECK(swe_faults(R"({"trajectory": [{"observation": 3}], "history": [{"role": "robot"}]})") ==
          Faults{"/trajectory/0/action missing", "/trajectory/0/observation string_type", "/history/0/role enum"});
    CHECK(swe_faults("{\"history\": [" + call("c", R"("{\"a\": ")") + "," + call("d", R"("3")") + "]}") ==
          Faults{"/history/0/tool_calls/0/function/arguments json_invalid",
                 "/history/1/tool_calls/0/function/arguments dict_type"});
    try {
        static_cast<void>(read("{\"history\": [" + call("c7", R"("{\"a\": ")") + "]}"));
        FAIL();
    } catch (const acta::ValidationError& error) {
        CHECK_THAT(error.what(), contains_text("history.0.tool_calls.0.function.arguments"));
        CHECK_THAT(error.what(), contains_text("The arguments of call 'c7' of f are not a JSON object: Invalid JSON"));
    }
    CHECK(swe_faults(R"({"history": [{"role": "tool", "content": "r", "tool_call_ids": ["c"]}]})") ==
          Faults{"/history/0/tool_call_ids/0 tool_call_unknown"});
    CHECK(swe_faults("{\"history\": [" + call("c", "{}") + R"(,
        {"role": "tool", "content": "r", "tool_call_ids": ["c"]}, {"role": "tool", "content": "r", "tool_call_ids": ["c"]},
        {"role": "tool", "content": "r"}]})") ==
          Faults{"/history/2/tool_call_ids/0 tool_call_answered", "/history/3/tool_call_ids missing"});
}

TEST_CASE("several calls of one message stay, and so do their results, beside a step") {
    const acta::EpisodicActionHistory<> history =
        read(R"({"trajectory": [{"action": "both", "observation": "X\nY"}], "history": [
        {"role": "assistant", "content": "both", "action": "both", "tool_calls": [
            {"id": "x", "type": "function", "function": {"name": "f", "arguments": {"n": 1}}},
            {"id": "y", "type": "function", "function": {"name": "g", "arguments": ""}}]},
        {"role": "tool", "content": "X", "tool_call_ids": ["x"]}, {"role": "tool", "content": "Y", "tool_call_ids": ["y"]}]})");
    REQUIRE(history.size() == 1);
    CHECK(history[0].action.use_tools.size() == 2);
    CHECK(history[0].tool_results.size() == 2);
}

TEST_CASE("messages and steps of random runs are aligned as well as any alignment could be") {
    using Keys = std::vector<std::pair<std::string, std::string>>;  // actions and thoughts
    std::uint32_t random = 5;
    const auto next = [&random](std::uint32_t below) {
        random = random * 1664525U + 1013904223U;
        return (random >> 8) % below;
    };
    const auto keys = [&] {
        Keys out(1 + next(6));
        for (auto& [action, thought] : out) {
            action = std::string(1, static_cast<char>('a' + next(3)));
            thought = std::string(1, static_cast<char>('t' + next(2)));
        }
        return out;
    };
    for (int i = 0; i < 150; ++i) {
        const Keys messages = keys();
        const Keys steps = keys();
        const auto fit = [&](std::size_t m, std::size_t s) {
            return messages[m].first != steps[s].first ? 0 : messages[m].second == steps[s].second ? 3 : 2;
        };
        const std::function<int(std::size_t, std::size_t)> best = [&](std::size_t m, std::size_t s) -> int {
            if (m == messages.size() || s == steps.size()) return 0;
            const int both = fit(m, s) == 0 ? 0 : fit(m, s) + best(m + 1, s + 1);
            return std::max({both, best(m + 1, s), best(m, s + 1)});
        };
        acta::Json run = {{"trajectory", acta::Json::array()}, {"history", acta::Json::array()}};
        for (std::size_t s = 0; s < steps.size(); ++s)
            run["trajectory"].push_back({{"action", steps[s].first},
                                         {"thought", steps[s].second},
                                         {"observation", "step " + std::to_string(s)}});
        for (std::size_t m = 0; m < messages.size(); ++m)
            run["history"].push_back({{"role", "assistant"},
                                      {"content", "message " + std::to_string(m)},
                                      {"action", messages[m].first},
                                      {"thought", messages[m].second}});
        INFO(run.dump());
        const acta::EpisodicActionHistory<> history = read(run.dump());
        int found = 0;
        std::size_t m = 0;
        std::size_t s = 0;
        for (std::size_t at = 0; at < history.size(); ++at) {
            const bool has_message = history[at].action.raw_message.has_value();
            if (has_message) CHECK(history[at].action.raw_message->content == "message " + std::to_string(m++));
            if (history[at].result) CHECK(output(history[at]) == "step " + std::to_string(s++));
            if (has_message && history[at].result) found += fit(m - 1, s - 1);
        }
        CHECK(found == best(0, 0));
        CHECK(s == steps.size());
        CHECK((m == messages.size() || found == 0));  // without any action in both only the steps count
    }
}

TEST_CASE("long lists that differ are aligned all the same") {
    const auto run = [](int count) {
        std::string steps;
        std::string messages;
        for (int i = 0; i < count; ++i) {
            const std::string n = std::to_string(i);
            steps += R"({"action": "a)" + n + R"(", "observation": "o)" + n + R"("},)";
            if (i % 3 == 0) continue;
            messages += R"({"role": "assistant", "content": "c", "action": "a)" + n +
                        R"(", "tool_calls": [{"type": "function", "id": "i", "function": {"name": "f)" + n +
                        R"(", "arguments": {}}}]},)";
        }
        steps.back() = ']';
        messages.back() = ']';
        return read("{\"trajectory\": [" + steps + ", \"history\": [" + messages + "}");
    };
    for (const int count : {30, 4000}) {  // by the table, and beyond it
        const acta::EpisodicActionHistory<> history = run(count);
        REQUIRE(history.size() == static_cast<std::size_t>(count));
        bool same = true;
        for (std::size_t i = 0; i < history.size(); ++i) {
            const std::string name = (i % 3 == 0 ? "a" : "f") + std::to_string(i);
            same = same && history[i].action.use_tool.name == name && output(history[i]) == "o" + std::to_string(i);
        }
        CHECK(same);
    }
}

TEST_CASE(
    "an output that ends with SWE-agent's words on a command that was stopped is an error, a file that has them is "
    "not") {
    const auto fails = [](const std::string& command, const std::string& observation) {
        const acta::Json step = {{"action", command}, {"observation", observation}};
        const acta::Json message = {{"role", "assistant"}, {"content", "c"}, {"action", command}};
        const acta::Json prompted = {
            {"role", "user"}, {"content", observation + "\n(Open file: n/a)\n(Current directory: /repo)\nbash-$"}};
        const auto steps = read(acta::Json{{"trajectory", {step}}}.dump());
        const auto messages = read(acta::Json{{"history", {message, prompted}}}.dump());
        CHECK(acta::is_error(*steps[0].result) == acta::is_error(*messages[0].result));
        return acta::is_error(*steps[0].result);
    };
    for (const char* const words :
         {"\nEXECUTION TIMED OUT", "\nEXECUTION TIMED OUT AND INTERRUPT FAILED. RESTARTING PROCESS.",
          "\nEXECUTION TIMED OUT BECAUSE THE COMMAND WAS RUNNING FOR MORE THAN 25 SECONDS.",
          "\nEXECUTION TIMED OUT BECAUSE NO OUTPUT WAS PRODUCED FOR MORE THAN 25 SECONDS.\nPLEASE REFINE YOUR RUNNING "
          "COMMAND SO IT WILL PRODUCE OUTPUT IN THE SPECIFIED TIME FRAME.",
          "\nCOMMAND FAILED TO EXECUTE. RESTARTING PROCESS.", "COMMAND FAILED TO EXECUTE. RESTARTING PROCESS.",
          "\nBROKEN PIPE ERROR. RESTARTING PROCESS.", "\nEXECUTION FAILED OR COMMAND MALFORMED",
          "\nCOMMAND PRODUCED TOO MANY NON-UNICODE CHARACTERS. PLEASE TRY ANOTHER COMMAND.\nIF YOU WANT TO VIEW BINARY "
          "FILES, PLEASE USE `xxd` OR `hexdump` INSTEAD.\n",
          "\r\nEXECUTION TIMED OUT\r\n"}) {
        INFO(words);
        CHECK(fails("pytest tests", words));
        CHECK(fails("pytest tests", std::string("collecting 12 items") + words));
        CHECK_FALSE(fails("cat run.log", std::string("04:12") + words + "\n04:13 restarted"));
    }
    CHECK(fails("./run.sh", "bash: ./run.sh: Permission denied"));
    CHECK(fails("echo 1 > /etc/tide", "0\n/bin/bash: line 3: /etc/tide: Permission denied"));
    CHECK(fails("python run.py", "sh: 1: /usr/bin/python: Permission denied"));
    CHECK_FALSE(fails("cat log", "bash: ./run.sh: Permission denied"));
    CHECK_FALSE(fails("cat log", "log: ./log: Permission denied"));
    CHECK_FALSE(fails("./all.sh ./run.sh", "one\nbash: ./run.sh: Permission denied\nthree"));
    CHECK_FALSE(fails("cat log", "12: ERROR: EXECUTION TIMED OUT"));
    CHECK_FALSE(fails("cat notes.md", "EXECUTION TIMED OUT is what it says after 25 seconds."));
    CHECK_FALSE(fails("cat notes.md", "It says:\nEXECUTION TIMED OUT after 25 seconds."));
}
