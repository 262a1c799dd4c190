// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "support/catch.hpp"

// Models without native calls.
namespace {

using acta::ChatMessage;
using acta::RunEnd;
using acta::RunOptions;
using acta::ScriptedChatModel;
using History = acta::EpisodicActionHistory<>;

acta::SkillRegistry search_skills() {
    acta::SkillRegistry skills;
    skills.add(
        "search", "Looks for pages.",
        [](const std::string& query, int limit) { return query + " " + std::to_string(limit); },
        acta::param("query", "What to look for."), acta::param("limit", "How many.", 10));
    return skills;
}

History asked_for_tides() {
    History history;
    history.register_message(ChatMessage::user("Find the tides."));
    return history;
}

const RunOptions in_text{.instructions = "Be brief.", .native_calls = false};

}  // namespace

TEST_CASE("a model without native calls is told of the tools and calls them in its text") {
    const ScriptedChatModel model{"I will look.\n```python\nsearch('tides', limit=3)\n```", "At noon."};
    History history = asked_for_tides();
    const acta::RunResult run = acta::run_agent(model, search_skills(), history, in_text);
    CHECK(run.answer == "At noon.");
    REQUIRE(history.size() == 1);
    CHECK(acta::to_string(history[0].action.use_tool) == "search(query='tides', limit=3)");
    CHECK(acta::to_string(*history[0].result) == "tides 3");
    const std::vector<acta::ChatRequest> requests = model.requests();
    CHECK(requests[0].options.tools.empty());
    const std::string& told = requests[0].messages.front().content;
    CHECK_THAT(told, starts_with_text("Be brief.\n\nYou have tools."));
    CHECK_THAT(told, contains_text("`search`: Looks for pages."));
    CHECK_THAT(told, contains_text(R"("query":{)"));
    // The result is what the user says.
    for (const ChatMessage& message : requests[1].messages) {
        CHECK(message.tool_calls.empty());
        CHECK(message.role != acta::ChatRole::tool);
    }
    CHECK(requests[1].messages.back().role == acta::ChatRole::user);
    CHECK_THAT(requests[1].messages.back().content, contains_text("tides 3"));
}

TEST_CASE("several calls in a text are one step") {
    const ScriptedChatModel model{"[search(query='a'), search(query='b', limit=1)]", "Both."};
    History history = asked_for_tides();
    CHECK(acta::run_agent(model, search_skills(), history, in_text).answer == "Both.");
    REQUIRE(history[0].tool_results.size() == 2);
    CHECK(acta::to_string(history[0].tool_results[1].result) == "b 1");
}

TEST_CASE("a call in a text that cannot be read is answered with what is wrong") {
    const ScriptedChatModel model{"search(query=tides)", "search(1, 2, 3)", "search(query='tides')", "Done."};
    History history = asked_for_tides();
    const acta::RunResult run = acta::run_agent(model, search_skills(), history, in_text);
    CHECK(run.answer == "Done.");
    CHECK(run.requests == 4);
    CHECK(history.size() == 1);
    const std::vector<acta::ChatRequest> requests = model.requests();
    CHECK(requests[1].messages[2] == ChatMessage::assistant("search(query=tides)"));
    CHECK_THAT(requests[1].messages[3].content,
               starts_with_text("The call cannot be read: 'tides' is a name, not a literal"));
    CHECK_THAT(requests[2].messages.back().content, contains_text("the skill takes only 2 arguments"));
}

TEST_CASE("text that calls no tool is the answer") {
    const ScriptedChatModel model{"Use print(x) for that."};
    History history = asked_for_tides();
    CHECK(acta::run_agent(model, search_skills(), history, in_text).answer == "Use print(x) for that.");
}
