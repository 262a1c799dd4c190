// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <string_view>
#include <vector>

#include "prompt/prompts.hpp"
#include "support/catch.hpp"

// What was said between the steps, in prompts for models without native tool calls.
namespace {

using acta::ChatMessage;
using prompts::add_step;
using prompts::bytes;
using prompts::heading;
using prompts::History;

History two_turns() {
    History history;
    history.register_message(ChatMessage::system("You are an agent."));
    history.register_message(ChatMessage::user("Find the tides."));
    add_step(history);
    history.register_answer("They are\nhigh.");
    history.register_message(ChatMessage::user("And now?"));
    add_step(history);
    return history;
}

std::string step(int number) {
    const std::string n = std::to_string(number);
    return "* Step " + n + ": Executed `work(n=" + n + ")`\n  - **Reasoning:** \"Thought " + n +
           ".\"\n  - **Status:** `success`\n  - **Output:** done";
}

}  // namespace

TEST_CASE("what was said stands between the steps of a prompt as text") {
    const acta::PromptText prompt = acta::Prompt(bytes()).text(two_turns());
    CHECK(prompt.text == heading + "* System: You are an agent.\n\n* User: Find the tides.\n\n" + step(1) +
                             "\n\n* Assistant: They are\n  high.\n\n* User: And now?\n\n" + step(2));
    CHECK(prompt.report.shown_messages == 4);
    CHECK(prompt.report.hidden_messages == 0);
    CHECK(prompt.report.full.steps == 2);
    CHECK(prompt.report.tokens == prompt.text.size() - 5 * std::string_view("\n\n").size());
}

TEST_CASE("what was said stands between the messages of a prompt as it was said, and lines between it in order") {
    acta::PromptOptions options = bytes();
    options.keep_recent = 1;
    const acta::PromptMessages prompt = acta::Prompt(options).messages(two_turns());
    REQUIRE(prompt.messages.size() == 7);
    CHECK(prompt.messages[0] == ChatMessage::system("You are an agent."));
    CHECK(prompt.messages[1] == ChatMessage::user("Find the tides."));
    CHECK(prompt.messages[2] == ChatMessage::user(heading + step(1)));
    CHECK(prompt.messages[3] == ChatMessage::assistant("They are\nhigh."));
    CHECK(prompt.messages[4] == ChatMessage::user("And now?"));
    CHECK(prompt.messages[5] == ChatMessage::assistant("Thought 2.\n\nwork(n=2)"));
    CHECK(prompt.messages[6] == ChatMessage::user("work returned: `done`"));
}

TEST_CASE("messages of the system are at the beginning of a prompt only") {
    History history = two_turns();
    history.register_message(ChatMessage::system("Be brief."));
    add_step(history);
    acta::PromptOptions options = bytes();
    options.keep_recent = 1;
    const std::vector<ChatMessage> messages = acta::Prompt(options).messages(history).messages;
    REQUIRE(messages.size() > 3);
    CHECK(messages[0] == ChatMessage::system("You are an agent."));
    CHECK(std::ranges::count(messages, acta::ChatRole::system, &ChatMessage::role) == 1);
    CHECK(std::ranges::count(messages, ChatMessage::user("Be brief.")) == 1);

    // Lines with which the prompt begins are of the system, lines after instructions are not.
    History plain;
    for (int i = 0; i < 3; ++i) add_step(plain);
    CHECK(acta::Prompt(options).messages(plain).messages[0] ==
          ChatMessage::system(heading + step(1) + "\n\n" + step(2)));
    History instructed;
    instructed.register_message(ChatMessage::system("You are an agent."));
    for (int i = 0; i < 3; ++i) add_step(instructed);
    CHECK(acta::Prompt(options).messages(instructed).messages[1] ==
          ChatMessage::user(heading + step(1) + "\n\n" + step(2)));
}

TEST_CASE("messages that do not fit are counted in the line of what is not shown") {
    acta::PromptOptions options = bytes();
    options.keep_recent = 1;
    options.max_tokens = 0;
    acta::PromptText prompt = acta::Prompt(options).text(two_turns());
    // The newest step may take what was said right before it.
    CHECK(prompt.text == heading +
                             "* System: You are an agent.\n\n1 earlier step and 1 message are not shown\n\n"
                             "* Assistant: They are\n  high.\n\n* User: And now?\n\n" +
                             step(2));
    CHECK(prompt.report.hidden_messages == 1);
    CHECK(prompt.report.shown_messages == 3);
    options.max_full_tokens = step(2).size();
    prompt = acta::Prompt(options).text(two_turns());
    CHECK(prompt.text ==
          heading +
              "* System: You are an agent.\n\n1 earlier step and 2 messages are not shown\n\n* User: And now?\n\n" +
              step(2));
    History talk;
    talk.register_message(ChatMessage::user("Hi."));
    talk.register_answer("Hello.");
    talk.register_message(ChatMessage::user("Bye."));
    options.max_full_tokens = 0;
    CHECK(acta::Prompt(options).text(talk).text == heading + "2 earlier messages are not shown\n\n* User: Bye.");
}

TEST_CASE("the rolling summary stands behind what began the turn, and messages of its steps are shown while they fit") {
    History history;
    history.register_message(ChatMessage::user("Find the tides."));
    for (int i = 0; i < 3; ++i) add_step(history);
    history.append_user_feedback("Faster.");
    static_cast<void>(history.take_pending_feedback());
    for (int i = 0; i < 3; ++i) add_step(history);
    history.set_rolling_summary(acta::RollingSummary{.text = "Looked at tables.", .first = 0, .last = 4});
    acta::PromptOptions options = bytes();
    options.keep_recent = 1;
    CHECK(acta::Prompt(options).text(history).text ==
          heading + "* User: Find the tides.\n\n* User: Faster.\n\n* Steps 1-5: Looked at tables.\n\n" + step(6));
    options.max_tokens = 5;
    CHECK(acta::Prompt(options).text(history).text ==
          heading + "* User: Find the tides.\n\n* Steps 1-5: Looked at tables.\n\n" + step(6));
    CHECK(acta::Prompt(options).text(history).report.rolling_messages == 1);
    CHECK(acta::Prompt(options).text(history).report.hidden_messages == 0);
}
