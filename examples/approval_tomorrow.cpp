// SPDX-License-Identifier: MIT
// A run that waits for a person until tomorrow: one program asks, a second one decides, a third one continues.
//
//   approval_tomorrow ask runs.db        the agent wants to send a letter, and the run ends, waiting
//   approval_tomorrow decide runs.db no "Not before Monday."
//   approval_tomorrow continue runs.db   the agent continues with the decision

#include <acta/agent/run.hpp>
#include <acta/store/sqlite/store.hpp>
#include <acta/store/stored_history.hpp>
#include <iostream>
#include <span>
#include <string>
#include <vector>

namespace {

/// Plays a model, so that the example needs none: it wants to send a letter, and reports the outcome.
acta::ChatCompletion model(std::span<const acta::ChatMessage> messages, const acta::ChatOptions&) {
    acta::ChatCompletion out;
    if (messages.size() == 1)
        out.message.tool_calls = {{"c1", {"send_letter", {{"to", "the harbour master"}}}}};
    else
        out.message.content = "The outcome: " + messages.back().content;
    return out;
}

int run(acta::StoredHistory<>& history) {
    acta::SkillRegistry skills;
    skills.add(
        "send_letter", "Sends a letter.", [](const std::string& to) { return "sent to " + to; },
        acta::param("to", "Whom to."));
    acta::RunOptions options;
    options.approve = [](const acta::AssistantToolCall&) { return acta::Approval::later(); };
    const acta::RunResult result = acta::run_agent(model, skills, history, options);
    std::cout << result << "\n";
    for (const acta::AssistantToolCall& call : result.waiting) std::cout << "  " << call.function << "\n";
    if (!result.answer.empty()) std::cout << result.answer << "\n";
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const std::vector<std::string> words(argv + 1, argv + argc);
    if (words.size() < 2) {
        std::cerr << "usage: approval_tomorrow ask|continue FILE, or approval_tomorrow decide FILE yes|no [FEEDBACK]\n";
        return 2;
    }
    try {
        acta::sqlite::Store store(words[1]);
        auto history = acta::StoredHistory<>::open_or_create(store, "letter");
        if (words[0] == "ask" && history.messages().empty())
            history.register_message(acta::ChatMessage::user("Write to the harbour master."));
        if (words[0] != "decide") return run(history);
        for (const acta::OpenCall& open : history.open_calls()) {
            history.decide(open.call.id, {.approved = words.size() > 2 && words[2] == "yes",
                                          .by = "Eve",
                                          .feedback = words.size() > 3 ? words[3] : ""});
        }
        return 0;
    } catch (const acta::Error& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
}
