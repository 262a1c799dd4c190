// SPDX-License-Identifier: MIT
#include "../../examples/chat_agent/answer.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "acta/chat/scripted_model.hpp"
#include "support/catch.hpp"

// The loop of examples/chat_agent over a scripted model: no server is needed.
namespace {

using acta::ChatMessage;
using acta::ChatRole;
using chat_agent::History;

acta::SkillRegistry tides() {
    acta::SkillRegistry skills;
    skills.add(
        "tide", "The next high tide.", [](const std::string& place) { return "at six in " + place; },
        acta::param("place", "A harbour."));
    return skills;
}

acta::ChatCompletion both() {
    acta::ChatCompletion out;
    out.message.content = "I ask twice.";
    out.message.tool_calls = {{"a", {"tide", {{"place", "Kiel"}}}}, {"b", {"tides", {}}}};
    return out;
}

std::vector<std::string> roles(const std::vector<ChatMessage>& messages) {
    std::vector<std::string> out;
    for (const ChatMessage& message : messages) out.emplace_back(acta::to_string(message.role));
    return out;
}

}  // namespace

TEST_CASE("the loop of the chat agent runs over a scripted model, turn after turn") {
    acta::ScriptedChatModel model;
    model.reply(both()).reply("At six.").reply("At noon.");
    History history;
    int saved = 0;
    const auto save = [&saved] { ++saved; };
    chat_agent::begin(history, "When is high tide?");
    CHECK(chat_agent::answer(model, tides(), history, save) == "At six.");
    CHECK(saved == 3);
    REQUIRE(history.size() == 1);
    CHECK(acta::to_string(history[0].tool_results[0].result) == "at six in Kiel");
    CHECK(acta::is_error(history[0].tool_results[1].result));
    chat_agent::begin(history, "And low tide?");
    CHECK(chat_agent::answer(model, tides(), history, save) == "At noon.");

    const std::vector<acta::ChatRequest> requests = model.requests();
    REQUIRE(requests.size() == 3);
    CHECK(requests[0].options.tools.size() == 1);
    CHECK(roles(requests[0].messages) == std::vector<std::string>{"system", "user"});
    CHECK(roles(requests[1].messages) == std::vector<std::string>{"system", "user", "assistant", "tool", "tool"});
    CHECK(requests[1].messages[3] == ChatMessage::tool("a", "at six in Kiel"));
    CHECK(requests[1].messages[4].is_error);
    CHECK(roles(requests[2].messages) ==
          std::vector<std::string>{"system", "user", "assistant", "tool", "tool", "assistant", "user"});
    CHECK(requests[2].messages.back() == ChatMessage::user("And low tide?"));
}

TEST_CASE("a run of the chat agent that ended early is gone on with") {
    acta::ScriptedChatModel model;
    model.reply(both()).fail(std::runtime_error("no connection")).reply("At six.");
    History history;
    const auto save = [] {};
    chat_agent::begin(history, "When?");
    CHECK_THROWS_AS(chat_agent::answer(model, tides(), history, save), std::runtime_error);
    chat_agent::begin(history, "When?");
    CHECK(history.messages().size() == 2);
    CHECK(chat_agent::answer(model, tides(), history, save) == "At six.");

    chat_agent::begin(history, "And then?");
    chat_agent::begin(history, "When?");  // asked and answered before: asked again
    CHECK(history.messages().size() == 5);

    History open;
    chat_agent::begin(open, "When?");
    open.register_action({.thoughts = "", .use_tool = {"tide", {{"place", "Kiel"}}}});
    chat_agent::begin(open, "When?");
    CHECK(acta::is_error(*open[0].result));
    acta::ScriptedChatModel endless;
    for (int i = 0; i < 3; ++i) endless.reply_call("tide", {{"place", "Kiel"}});
    CHECK_THROWS_WITH(chat_agent::answer(endless, tides(), open, save, 2), "no answer after 2 steps");
    CHECK(open.size() == 3);
}
