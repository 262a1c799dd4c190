// SPDX-License-Identifier: MIT
#include "acta/chat/chat_model.hpp"
#include "acta/base/stop_token.hpp"

#include <stdexcept>
#include <thread>

#include "acta/json/json.hpp"
#include "support/catch.hpp"

namespace {

using acta::ChatCompletion;
using acta::ChatMessage;
using acta::ChatOptions;
using acta::ScriptedChatModel;

ChatCompletion echo(std::span<const ChatMessage> messages, const ChatOptions&) {
    ChatCompletion completion;
    completion.message.content = messages.back().content;
    return completion;
}

std::string ask(const ScriptedChatModel& model, const std::string& text) {
    const std::vector<ChatMessage> messages{ChatMessage::user(text)};
    return model(messages, {}).message.content;
}

}  // namespace

TEST_CASE("a chat model is whatever can be called with messages and options") {
    STATIC_REQUIRE(acta::ChatModel<decltype(&echo)>);
    STATIC_REQUIRE(acta::ChatModel<ScriptedChatModel>);
    STATIC_REQUIRE(acta::ChatModel<const ScriptedChatModel>);
    STATIC_REQUIRE(acta::ChatModel<acta::AnyChatModel>);
    STATIC_REQUIRE(!acta::ChatModel<std::string>);
    STATIC_REQUIRE(!acta::ChatModel<int (*)(int)>);

    const acta::AnyChatModel any = echo;
    const acta::ChatModelRef ref = any;
    const std::vector<ChatMessage> messages{ChatMessage::system("a"), ChatMessage::user("b")};
    CHECK(any(messages, {}).message.content == "b");
    CHECK(ref(messages, {}).message.content == "b");
}

TEST_CASE("a scripted model answers in order and keeps what it was asked") {
    ScriptedChatModel model{"one", "two"};
    model.reply_call("search", {{"query", "tides"}});
    model.fail(std::runtime_error("no network"));
    model.reply_by([](std::span<const ChatMessage> messages, const ChatOptions&) {
        ChatCompletion completion;
        completion.message.content = std::to_string(messages.size());
        return completion;
    });
    CHECK(model.remaining() == 5);
    CHECK(ask(model, "a") == "one");
    CHECK(ask(model, "b") == "two");
    const ChatCompletion call = model(std::vector<ChatMessage>{}, {.temperature = 0.5});
    REQUIRE(call.message.tool_calls);
    CHECK(to_string(call.message.tool_calls->at(0)) == "search(query='tides')");
    CHECK(call.finish_reason == "tool_calls");
    CHECK_THROWS_AS(ask(model, "c"), std::runtime_error);
    CHECK(ask(model, "d") == "1");
    CHECK_THROWS_AS(ask(model, "e"), acta::ScriptEnded);

    const std::vector<acta::ChatRequest> requests = model.requests();
    REQUIRE(requests.size() == 6);
    CHECK(requests[1].messages == std::vector<ChatMessage>{ChatMessage::user("b")});
    CHECK(requests[2].options.temperature == 0.5);
}

TEST_CASE("copies of a scripted model share the script") {
    const ScriptedChatModel model{"one", "two"};
    const ScriptedChatModel copy = model;
    CHECK(ask(copy, "a") == "one");
    CHECK(ask(model, "b") == "two");
    CHECK(copy.requests().size() == 2);
}

TEST_CASE("threads may ask a scripted model") {
    ScriptedChatModel model;
    for (int i = 0; i < 80; ++i) model.reply("yes");
    {
        std::vector<acta::jthread> threads;
        for (int i = 0; i < 8; ++i) {
            threads.emplace_back([&model] {
                for (int j = 0; j < 10; ++j) static_cast<void>(ask(model, "?"));
            });
        }
    }
    CHECK(model.remaining() == 0);
    CHECK(model.requests().size() == 80);
}

TEST_CASE("completions and tools are read and written") {
    ChatCompletion completion;
    completion.message.content = "yes";
    completion.usage = acta::TokenUsage{.prompt_tokens = 3, .completion_tokens = 1};
    CHECK(acta::parse<ChatCompletion>(acta::dump(completion)) == completion);
    const acta::ToolDefinition tool{"f", "", acta::JsonObject{{"type", "object"}}};
    CHECK(acta::dump(tool) == R"({"name":"f","description":"","parameters":{"type":"object"}})");
    CHECK(acta::parse<acta::ToolDefinition>(acta::dump(tool)) == tool);
}

TEST_CASE("a scripted model streams its replies") {
    acta::ScriptedChatModel model{"High water\nis at noon. ", ""};
    acta::ChatCompletion both;
    both.message.reasoning_content = "Look it up.";
    both.message.content = "I look.";
    both.message.tool_calls = {{"a", {"tides", {{"port", "Brest"}}}}, {"b", {"depth", {}}}};
    model.reply(both).reply_by([](std::span<const ChatMessage>, const acta::ChatOptions&) {
        return acta::ChatCompletion{.message = {.content = "not streamed"}};
    });
    std::vector<std::string> texts;
    std::vector<acta::ChatDelta> parts;
    acta::ChatOptions options;
    options.on_text = [&texts](std::string_view text) { texts.emplace_back(text); };
    options.on_event = [&parts](const acta::ChatDelta& part) { parts.push_back(part); };
    const std::vector<ChatMessage> messages{ChatMessage::user("When?")};
    (void)model(messages, options);
    (void)model(messages, options);
    const std::vector<std::string> words{"High ", "water\n", "is ", "at ", "noon. "};
    CHECK(texts == words);
    CHECK(parts.size() == words.size());
    texts.clear();
    parts.clear();
    CHECK(model(messages, options) == both);
    CHECK(parts == std::vector<acta::ChatDelta>{acta::ReasoningDelta{"Look "}, acta::ReasoningDelta{"it "},
                                                acta::ReasoningDelta{"up."}, acta::TextDelta{"I "},
                                                acta::TextDelta{"look."},
                                                acta::CallDelta{0, "a", "tides", R"({"port":"Brest"})"},
                                                acta::CallDelta{1, "b", "depth", "{}"}});
    texts.clear();
    (void)model(messages, options);
    CHECK(texts.empty());
    model.reply("one two");
    options.on_text = [](std::string_view) { throw std::runtime_error("the screen is gone"); };
    CHECK_THROWS_AS(model(messages, options), std::runtime_error);
}
