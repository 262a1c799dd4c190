// SPDX-License-Identifier: MIT

#include <acta/acta.hpp>
#include <iostream>
#include <stdexcept>

int main() {
    acta::EpisodicActionHistory<> history;

    // What the agent proposes, and what came of it.
    history.register_action({.thoughts = "Find the figures.", .use_tool = {"web_search", {{"query", "tides"}, {"limit", 3}}}});
    history.register_result(acta::ActionSuccessResult{.outputs = {"tides.org", "Tide tables", "Moon"}});

    // A failure is a result like any other.
    history.register_action({.thoughts = "Read the first.", .use_tool = {"read_page", {{"url", "tides.org"}}}});
    try {
        throw std::runtime_error("Connection timed out");
    } catch (const std::exception& error) {
        history.register_result(acta::ActionErrorResult::from_exception(error));
    }

    std::cout << history << "\n\n" << history.fmt_paragraph() << "\n";

    // To JSON, as pydantic writes it, and back; acta::save and acta::load do it with files.
    const std::string text = acta::dump(history);
    const auto again = acta::parse<acta::EpisodicActionHistory<>>(text);
    std::cout << text << "\n" << (again == history ? "equal" : "not equal") << "\n\n";

    // What a model has to be shown, so that it answers with a proposal.
    std::cout << acta::schema<acta::AssistantFunctionCall>() << "\n";
}
