// SPDX-License-Identifier: MIT
// What would the agent have done if a tool had returned something else? A stored run is forked, a result is changed,
// and the agent continues from there, with its model and its tools. The run that happened stays as it is.

#include <acta/acta.hpp>
#include <acta/agent/run.hpp>
#include <acta/chat/chat_model.hpp>
#include <acta/store/memory_store.hpp>
#include <acta/store/stored_history.hpp>
#include <acta/testing/recorded_run.hpp>
#include <cstddef>
#include <cstdint>
#include <iostream>
#include <span>
#include <string>

namespace {

using History = acta::StoredHistory<>;

acta::SkillRegistry harbour_skills() {
    acta::SkillRegistry skills;
    skills.add(
        "depth", "The depth of the water, in metres.", [](const std::string&) { return 4; },
        acta::param("place", "Where."));
    skills.add(
        "open_lock", "Opens the lock for a ship.", [](const std::string& ship) { return "open for the " + ship; },
        acta::param("ship", "The ship."));
    skills.add(
        "order_tug", "Orders a tug for a ship.", [](const std::string& ship) { return "a tug for the " + ship; },
        acta::param("ship", "The ship."));
    return skills;
}

/// Stands for a model, and decides by the depth that it has read.
acta::ChatCompletion pilot(std::span<const acta::ChatMessage> messages, const acta::ChatOptions&) {
    acta::ChatCompletion out;
    const acta::ChatMessage& last = messages.back();
    if (last.role == acta::ChatRole::user)
        out.message.tool_calls = {{"", {"depth", {{"place", "lock"}}}}};
    else if (last.content == "4")
        out.message.tool_calls = {{"", {"open_lock", {{"ship", "Marie"}}}}};
    else if (last.content == "2")
        out.message.tool_calls = {{"", {"order_tug", {{"ship", "Marie"}}}}};
    else
        out.message.content = "Done: " + last.content + ".";
    return out;
}

/// Drops what follows a step, and gives that step another result.
void change_result(History& history, std::size_t step, const acta::ActionResult& result) {
    const acta::ActionProposal<> action = history.at(step).action;
    history.rewind(static_cast<std::int64_t>(history.size() - step));
    history.register_action(action);
    history.register_result(result);
}

}  // namespace

int main() {
    acta::MemoryStore store;  // or an acta::SqliteStore, in which the run has been for a week
    History run = History::create(store, "marie");
    run.register_message(acta::ChatMessage::user("Let the Marie in."));
    std::cout << "It was 4 m deep: " << acta::run_agent(pilot, harbour_skills(), run).answer << "\n";

    History other = History::open(store, run.fork("marie-at-low-water").id);
    change_result(other, 0, acta::ActionSuccessResult{.outputs = 2});
    std::cout << "Had it been 2 m: " << acta::run_agent(pilot, harbour_skills(), other).answer << "\n";

    const auto difference = acta::testing::first_divergence(run, other);
    std::cout << "The first difference: " << (difference ? to_string(*difference) : "none") << "\n";
    return difference ? 0 : 1;
}
