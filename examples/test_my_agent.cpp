// SPDX-License-Identifier: MIT
// The tests of an agent, on recordings: they need neither a network nor a key. With a test framework, each of the
// functions is one of its test cases, and `check` its own.
//
//   test_my_agent FOLDER             tests the agent on the recordings in FOLDER, as in examples/test_my_agent
//   test_my_agent FOLDER --record    asks the model, and replaces the recordings: to be reviewed with the change

#include <acta/acta.hpp>
#include <acta/agent/run.hpp>
#include <acta/chat/chat_model.hpp>
#include <acta/testing/golden_run.hpp>
#include <acta/testing/recorded_model.hpp>
#include <acta/testing/recorded_run.hpp>
#include <acta/testing/trajectory_match.hpp>
#include <exception>
#include <filesystem>
#include <iostream>
#include <string>

namespace {

namespace fs = std::filesystem;
using History = acta::EpisodicActionHistory<>;
using acta::testing::RecordedChatModel;
using acta::testing::RecordingMode;

// The agent ----------------------------------------------------------------------------------------------------------

acta::SkillRegistry harbour_skills(double pier = 4.2) {
    acta::SkillRegistry skills;
    skills.add(
        "high_water", "When high water is.", [](const std::string& port) { return port + ": 12:15"; },
        acta::param("port", "The name of the port."));
    skills.add(
        "depth", "The depth of the water at high water, in metres.",
        [pier](const std::string& place) { return place == "pier" ? pier : 2.1; },
        acta::param("place", "Where.", acta::one_of("pier", "lock")));
    return skills;
}

acta::RunResult ask_pilot(const acta::AnyChatModel& model, const acta::SkillRegistry& skills, History& history,
                          const std::string& question) {
    history.register_message(acta::ChatMessage::user(question));
    return acta::run_agent(model, skills, history,
                           {.instructions = "You are a pilot. Look things up before you answer, briefly."});
}

// Its tests ----------------------------------------------------------------------------------------------------------

const std::string question = "Can the Marie, which draws 3 m, leave Brest from the pier today?";

/// Stands for the model that is asked where the recording is made, such as acta::openai::ChatModel.
acta::AnyChatModel live_model() {
    acta::ScriptedChatModel model;
    acta::ChatCompletion both;
    both.message.content = "I need the time and the depth.";
    both.message.tool_calls = {{"call_a", {"high_water", {{"port", "Brest"}}}},
                               {"call_b", {"depth", {{"place", "pier"}}}}};
    both.usage = acta::TokenUsage{.prompt_tokens = 210, .completion_tokens = 41};
    model.reply(both).reply("Yes: at 12:15 there are 4.2 m at the pier.");
    return model;
}

int failures = 0;

template <class Condition>
void check(const std::string& what, const Condition& condition) {
    const bool holds = static_cast<bool>(condition);
    std::cout << (holds ? "passed: " : "FAILED: ") << what << "\n";
    if constexpr (requires { std::cout << condition.message; })
        if (!holds) std::cout << condition.message << "\n";
    if (!holds) ++failures;
}

/// The model's answers are those of the recording. That they still fit is tested: a request with other instructions,
/// tools or results is not in it.
void test_recorded_answers(const fs::path& folder, RecordingMode mode) {
    const fs::path file = folder / "pilot.jsonl";
    const RecordedChatModel model =
        mode == RecordingMode::replay ? RecordedChatModel(file) : RecordedChatModel(live_model(), file, {.mode = mode});
    History history;
    const acta::RunResult run = ask_pilot(model, harbour_skills(), history, question);
    check("the pilot answers: " + to_string(run), run.end == acta::RunEnd::answered);
    check("with the time and the depth", run.answer.find("12:15") != std::string::npos);
    check("it looks up both", acta::testing::trajectory_match(
                                  history, {{"depth", {{"place", "pier"}}}, {"high_water", {{"port", "Brest"}}}},
                                  {.order = acta::testing::TrajectoryOrder::unordered}));
    check("in one step of two calls", history.size() == 1);
    check("with 251 tokens", run.usage.prompt_tokens + run.usage.completion_tokens == 251);
    check("as before (ACTA_UPDATE_GOLDEN=1 accepts a change)",
          acta::testing::golden_run(history, folder / "pilot.golden.json"));
    if (mode != RecordingMode::replay) acta::save(history, folder / "pilot.run.json");
}

/// A run that happened, such as one that a customer complained about, is made again with the tools of today.
void test_recorded_run(const fs::path& folder) {
    const auto record = acta::load<History>(folder / "pilot.run.json");
    check("the tools return what they did", !acta::testing::replay(record, harbour_skills()).divergence);
    const auto changed = acta::testing::replay(record, harbour_skills(4.5)).divergence;
    check("a tool that returns something else is noticed: " + (changed ? to_string(*changed) : "it is not"),
          changed && changed->path == "/results/1/outputs");

    const acta::testing::RunRecording model = acta::testing::recording_of(record);
    History again;
    ask_pilot(model, acta::testing::RecordedSkills(model), again, question);
    check("the agent does the same without its tools", !acta::testing::first_divergence(record, again));
}

}  // namespace

int main(int argc, char** argv) {
    const bool records = argc == 3 && std::string(argv[2]) == "--record";
    if (argc != 2 && !records) {
        std::cerr << "usage: test_my_agent FOLDER [--record]\n";
        return 2;
    }
    try {
        test_recorded_answers(argv[1], records ? RecordingMode::record : RecordingMode::replay);
        test_recorded_run(argv[1]);
    } catch (const std::exception& error) {
        check(error.what(), false);
    }
    return failures == 0 ? 0 : 1;
}
