// SPDX-License-Identifier: MIT
// Two agents are the tools of a third, whose answer is a described type. The models are scripted, so that the example
// needs none; acta::openai::ChatModel, acta::anthropic::ChatModel or any callable takes their place.

#include <acta/agent/run.hpp>
#include <iostream>
#include <string>

struct Report {
    std::string port{};
    std::string high_water{};
    std::string advice{};
};
template <>
struct acta::Describe<Report> {
    static constexpr auto fields =
        acta::fields(acta::required("port", &Report::port), acta::required("high_water", &Report::high_water),
                     acta::required("advice", &Report::advice, "One sentence for a sailor."));
};

int main() {
    acta::ScriptedChatModel researcher_model;
    researcher_model.reply_call("tide_table", {{"port", "Brest"}}).reply("High water in Brest is at 12:15.");
    acta::ScriptedChatModel critic_model{"Say until when the lock is open."};
    acta::ScriptedChatModel lead_model;
    lead_model.reply_call("researcher", {{"task", "When is high water in Brest?"}})
        .reply_call("critic", {{"task", "Judge: leave at 12:15."}})
        .reply("Leave by 12:15.")  // not the type that was asked for
        .reply(R"({"port": "Brest", "high_water": "12:15", "advice": "Leave by 12:15, before the lock closes."})");

    acta::SkillRegistry tables;
    tables.add(
        "tide_table", "The tides of a port.", [](const std::string& port) { return port + ": 12:15"; },
        acta::param("port", "The port."));
    acta::SkillRegistry team;
    team.add(acta::agent_tool("researcher", "Looks up facts.", researcher_model, tables));
    team.add(acta::agent_tool("critic", "Judges a draft.", critic_model, {}, {.instructions = "Be strict."}));

    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("When should I leave Brest?"));
    const auto run = acta::run_agent<Report>(lead_model, team, history);
    std::cout << history << "\n" << run << " after " << run.requests << " requests\n";
    if (!run.value) return 1;
    std::cout << run.value->port << ", " << run.value->high_water << ": " << run.value->advice << "\n";
    return 0;
}
