// SPDX-License-Identifier: MIT
#include "acta/chat/chat_model.hpp"

#include <string>

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
    acta::ScriptedChatModel model;
    CHECK_THROWS_AS(acta::ask<acta::TokenUsage>(model, "?"), acta::ScriptEnded);
}
