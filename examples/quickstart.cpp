// SPDX-License-Identifier: MIT

#include <acta/acta.hpp>
#include <iostream>
#include <stdexcept>

int main() {
    acta::EpisodicActionHistory<> history;

    // What the agent proposes, and the result.
    history.register_action({.thoughts = "Find the figures.", .use_tool = {"web_search", {{"query", "tides"}}}});
    history.register_result(acta::ActionSuccessResult{.outputs = "3 results"});

    // A failure is also a result.
    history.register_action(
        {.thoughts = "Open the first.", .use_tool = {"read_page", {{"number", 1}, {"raw", false}}}});
    try {
        throw std::runtime_error("connection timed out");
    } catch (const std::exception& error) {
        history.register_result(acta::ActionErrorResult::from_exception(error));
    }
    std::cout << history << "\n\n" << history.fmt_paragraph();

    // JSON as pydantic writes it, and back; acta::save and acta::load do the same with files.
    const std::string text = acta::dump(history);
    const bool equal = acta::parse<acta::EpisodicActionHistory<>>(text) == history;
    std::cout << "\n" << text << "\n" << (equal ? "read back: equal" : "read back: different") << "\n\n";

    // The schema to show to a model.
    std::cout << acta::schema<acta::AssistantFunctionCall>() << "\n";
    return equal ? 0 : 1;
}
