// SPDX-License-Identifier: MIT
#include "acta/chat/chat_model.hpp"

#include <string>
#include <utility>
#include <vector>

#include "acta/history/episode.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

namespace {

std::string failure_of(acta::ChatCompletion completion) {
    acta::ScriptedChatModel model;
    model.reply(std::move(completion));
    try {
        static_cast<void>(acta::ask<acta::TokenUsage>(model, "?"));
        return "answered";
    } catch (const acta::ChatModelError& error) {
        CHECK(error.fault() == acta::ChatModelFault::reply);
        return error.what();
    }
}

acta::ChatCompletion ended_by(std::string reason) {
    acta::ChatCompletion completion;
    completion.message.content = "{}";
    completion.finish_reason = std::move(reason);
    return completion;
}

}  // namespace

TEST_CASE("an answer that does not fit is asked for again, with what is wrong with it") {
    const acta::ScriptedChatModel model{R"({"prompt_tokens": "many"})", "```json\n{\"prompt_tokens\": 3}\n```"};
    CHECK(acta::ask<acta::TokenUsage>(model, "How many?").prompt_tokens == 3);
    const auto requests = model.requests();
    REQUIRE(requests.size() == 2);
    CHECK(requests[0].options.response_schema.value().dump().find("prompt_tokens") != std::string::npos);
    REQUIRE(requests[1].messages.size() == 3);
    CHECK(requests[1].messages[1] == acta::ChatMessage::assistant(R"({"prompt_tokens": "many"})"));
    CHECK_THAT(requests[1].messages[2].content, contains_text("prompt_tokens"));
    CHECK_THAT(requests[1].messages[2].content, contains_text("valid integer"));
}

TEST_CASE("at most so many answers are asked for, and the schema of the options is kept") {
    acta::ScriptedChatModel model{"1", "2", "3"};
    acta::ChatOptions options;
    options.response_schema = acta::Json(acta::JsonObject{{"type", "object"}});
    CHECK_THROWS_AS(acta::ask<acta::TokenUsage>(model, "?", options, 3), acta::ValidationError);
    CHECK(model.remaining() == 0);
    CHECK(model.requests().front().options.response_schema == options.response_schema);
    model.reply("x");
    CHECK_THROWS_AS(acta::ask<acta::TokenUsage>(model, "?", {}, 1), acta::ValidationError);
}

TEST_CASE("an answer that was cut off or refused is not asked for again") {
    CHECK_THAT(failure_of(ended_by("length")), contains_text("truncated at the token limit"));
    CHECK_THAT(failure_of(ended_by("MAX_TOKENS")), contains_text("truncated at the token limit"));
    CHECK_THAT(failure_of(ended_by("RECITATION")), contains_text("content filter"));
    CHECK_THAT(failure_of(ended_by("content_filter")), contains_text("content filter"));
    CHECK_THAT(failure_of(ended_by("refusal")), contains_text("the model refuses, \"{}\""));
    acta::ChatCompletion refusal = ended_by("refusal");
    refusal.message.content = std::string(1001, 'x');
    CHECK_THAT(failure_of(refusal), ends_with_text("refuses, \"" + std::string(1000, 'x') + '"'));
    acta::ScriptedChatModel model;
    CHECK_THROWS_AS(acta::ask<acta::TokenUsage>(model, "?"), acta::ScriptEnded);
}

TEST_CASE("a JSON object in prose is the answer if there are no others") {
    const auto read = [](const std::string& text) {
        const acta::ScriptedChatModel model{text, R"({"prompt_tokens": -1})"};
        return acta::ask<acta::TokenUsage>(model, "?").prompt_tokens;
    };
    for (const char* text : {
             "Here it is: {\"prompt_tokens\": 3}",
             "{\"prompt_tokens\": 3}\nI hope this helps.",
             "<think>Braces {as here} and [1], [2]...</think>\n{\"prompt_tokens\": 3}",
             "Sure!\n```json\n{\"prompt_tokens\": 3}\n```\nAnything else?",
             "```json\n{\"prompt_tokens\": 3}\n```\nAs \"wanted\" (see [1]).",
             "It is {\"prompt_tokens\": 3, \"prompt_tokens_of\": {\"a\": [{}]}}.",
             "  \n{\"prompt_tokens\": 3, \"note\": \"} {\"}",
             "As {\"prompt_tokens\": 3, \"a\\\"}\": \"\\\\\"}.",
             "\t\r\n```\n{\"prompt_tokens\": 3}```",
         }) {
        INFO(text);
        CHECK(read(text) == 3);
    }
    for (const std::string& text : {
             std::string("{\"prompt_tokens\": 3} or {\"prompt_tokens\": 4}"),
             std::string("It is {\"prompt_tokens\": 3"),
             std::string("I call f({'prompt_tokens': 3})"),
             std::string("Either [{\"prompt_tokens\": 3}] or nothing"),
             std::string(200'000, '{'),
             std::string("[1]"),
         }) {
        INFO(text.substr(0, 100));
        CHECK(read(text) == -1);
    }
    below_at_above(
        98, [&](std::size_t brackets) { return read(std::string(brackets, '[') + " {\"prompt_tokens\": 3}") == 3; });
}

TEST_CASE("the model reads the schema after the first answer that does not fit, once") {
    const acta::ScriptedChatModel model{"1", "2", R"({"prompt_tokens": 3})"};
    CHECK(acta::ask<acta::TokenUsage>(model, "?", {}, 3).prompt_tokens == 3);
    const auto requests = model.requests();
    const std::string schema = acta::dump(*requests[0].options.response_schema);
    CHECK_THAT(requests[1].messages.back().content, contains_text(schema));
    CHECK_FALSE(contains_text(schema).match(requests[2].messages.back().content));
    CHECK_THAT(requests[2].messages.back().content, contains_text("Answer again, with JSON alone."));
}

TEST_CASE("the schema is in the text for models that have no response_schema") {
    const acta::ScriptedChatModel model{"1", R"({"prompt_tokens": 3})", R"({"prompt_tokens": 4})"};
    acta::ChatOptions options;
    options.schema_in_text = true;
    CHECK(acta::ask<acta::TokenUsage>(model, "?", options).prompt_tokens == 3);
    const auto system = acta::ChatMessage::system("Be brief.");
    const std::vector<acta::ChatMessage> messages{system, acta::ChatMessage::user("?")};
    CHECK(acta::ask<acta::TokenUsage>(model, messages, options).prompt_tokens == 4);
    const auto requests = model.requests();
    for (const acta::ChatRequest& one : requests) CHECK_FALSE(one.options.response_schema);
    REQUIRE(requests[0].messages.size() == 2);
    CHECK(requests[0].messages[0].role == acta::ChatRole::system);
    CHECK_THAT(requests[0].messages[0].content, starts_with_text("Answer with JSON alone, of this schema: {"));
    CHECK_FALSE(contains_text("schema").match(requests[1].messages.back().content));  // it is at the beginning
    REQUIRE(requests[2].messages.size() == 2);
    CHECK_THAT(requests[2].messages[0].content, starts_with_text("Answer with JSON alone"));
    CHECK(requests[2].messages[0].content.ends_with("\n\nBe brief."));
}

TEST_CASE("a refusal says how a date with a time is written") {
    const acta::ScriptedChatModel model{R"({"started_at": "noon"})", "{}"};
    (void)acta::ask<acta::StepMetrics>(model, "?");
    CHECK_THAT(model.requests()[1].messages.back().content,
               contains_text("A date with a time is written as in 2026-11-27T12:15:00Z."));
}
