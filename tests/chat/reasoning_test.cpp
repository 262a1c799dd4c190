// SPDX-License-Identifier: MIT
#include "acta/chat/message.hpp"

#include <string>
#include <string_view>

#include "acta/json/json.hpp"
#include "acta/schema/schema.hpp"
#include "support/catch.hpp"

TEST_CASE("a think block at the start of a text is split from the answer") {
    const auto check = [](std::string_view text, std::string_view reasoning, std::string_view answer) {
        INFO(text);
        const acta::SplitReasoning parts = acta::split_reasoning(text);
        CHECK(std::string(parts.reasoning) == std::string(reasoning));
        CHECK(std::string(parts.answer) == std::string(answer));
    };
    check("<think>\nHm.\n</think>\n\nNoon.\n", "Hm.", "Noon.\n");
    check(" \n<think>a <b> c</think>d", "a <b> c", "d");
    check("<think>\n\n</think>\n\nNoon.", "", "Noon.");
    check("<think>all</think>", "all", "");
    check("<think>one</think><think>two</think>x", "one", "<think>two</think>x");
    // Not at the start, or never closed: part of the answer.
    for (const char* const text : {"", " ", "Noon.", "I <think>x</think> so.", "<think>cut off", "<think"})
        check(text, "", text);
}

TEST_CASE("a think block that the prompt opened is split from the answer") {
    const auto check = [](std::string_view text, std::string_view reasoning, std::string_view answer) {
        INFO(text);
        const acta::SplitReasoning parts = acta::split_reasoning(text);
        CHECK(std::string(parts.reasoning) == std::string(reasoning));
        CHECK(std::string(parts.answer) == std::string(answer));
    };
    check("why</think>answer", "why", "answer");
    check("\nOkay, noon.\n</think>\n\nNoon.\n", "Okay, noon.", "Noon.\n");
    check("</think>\n\nNoon.", "", "Noon.");
    check("why</think>", "why", "");
    for (const char* const text : {"The tag `</think>` ends it.", "Write \"</think>\" behind it.", "why</think"})
        check(text, "", text);

    acta::AssistantChatMessage message;
    message.content = "why</think>answer";
    acta::take_reasoning(message);
    CHECK(message.reasoning_content == "why");
    CHECK(message.content == "answer");
    // The server has split it already.
    message.content = "Close it with </think>.";
    acta::take_reasoning(message, "Hm.");
    CHECK(message.reasoning_content == "Hm.");
    CHECK(message.content == "Close it with </think>.");
}

TEST_CASE("the reasoning of a message is collected from its field and its content") {
    acta::AssistantChatMessage message;
    message.content = "<think>b</think>\nNoon.";
    acta::take_reasoning(message, "a");
    CHECK(message.content == "Noon.");
    CHECK(message.reasoning_content == "a\nb");
    message = {};
    message.content = "Noon.";
    acta::take_reasoning(message, "");
    CHECK_FALSE(message.reasoning_content);
    acta::take_reasoning(message, "a");
    CHECK(message.reasoning_content == "a");
    CHECK(message.content == "Noon.");
}

TEST_CASE("reasoning is written when set and in no schema") {
    acta::AssistantChatMessage message;
    message.content = "Noon.";
    CHECK(acta::dump(message) == R"({"role":"assistant","content":"Noon.","tool_calls":null})");
    message.reasoning_content = "Hm.";
    const std::string text = R"({"role":"assistant","content":"Noon.","tool_calls":null,"reasoning_content":"Hm."})";
    CHECK(acta::dump(message) == text);
    CHECK(acta::parse<acta::AssistantChatMessage>(text) == message);
    CHECK_THAT(acta::dump(acta::schema<acta::AssistantChatMessage>()), !contains_text("reasoning_content"));
}
