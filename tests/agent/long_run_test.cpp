// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/text/tokens.hpp"
#include "agent/driver.hpp"
#include "support/catch.hpp"
#include "support/sizes.hpp"

// A long run: what the model is shown stays bounded, and what matters of the first steps stays in it.
namespace {

using acta::ChatMessage;
using History = acta::EpisodicActionHistory<>;

std::size_t tokens_of(std::span<const ChatMessage> messages) {
    const acta::EstimateTokens count;
    std::size_t out = 0;
    for (const ChatMessage& message : messages) {
        out += count(message.content);
        for (const acta::AssistantToolCall& call : message.tool_calls) out += count(acta::to_string(call));
    }
    return out;
}

}  // namespace

TEST_CASE("in a long run requests stay within their budget, and what matters of the first steps stays in them") {
    const std::size_t steps = test_size(120, 1000);
    acta::SkillRegistry skills;
    skills.add(
        "read", "Reads a part.",
        [](int part) {
            std::string out = part == 3 ? "IMPORTANT: the lock opens at six.\n" : "";
            if (part % 40 == 2) out += "The figures are in data/tides_2024.csv.\n";
            return out + "Part " + std::to_string(part) + " is about " +
                   std::string(3000, static_cast<char>('a' + part % 26)) + ".";
        },
        acta::param("part", "Which one."));
    std::vector<std::size_t> tokens;
    std::vector<ChatMessage> last;
    const auto model = [&](std::span<const ChatMessage> messages, const acta::ChatOptions&) {
        tokens.push_back(tokens_of(messages));
        last.assign(messages.begin(), messages.end());
        acta::ChatCompletion out;
        if (tokens.size() > steps)
            out.message.content = "All read.";
        else
            out.message.tool_calls = {{"c", {"read", {{"part", tokens.size()}}}}};
        return out;
    };
    History history;
    history.register_message(ChatMessage::user("Read all parts."));
    acta::RunOptions options{.limits = {.requests = steps + 1}};
    options.budget.max_tokens = 1500;
    options.budget.max_full_tokens = 4000;
    CHECK(driven::run_agent(model, skills, history, options).answer == "All read.");
    CHECK(history.size() == steps);
    CHECK(std::ranges::max(tokens) < 1500 + 4000 + options.budget.max_rolling_tokens + 300);
    std::string shown;
    for (const ChatMessage& message : last) shown += message.content + "\n";
    CHECK_THAT(shown, contains_text("Read all parts."));
    CHECK_THAT(shown, contains_text("the lock opens at six"));
    CHECK_THAT(shown, contains_text("data/tides_2024.csv"));
}
