// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/anthropic/chat_model.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "provider/openai/aimock.hpp"

// The three clients against one server that others wrote: the same questions have the same answers.
namespace {

using acta::ChatMessage;
using acta::Json;

const std::string clients_key = "sk-clients-0123456789abcdef";

const char* const shared_answers = R"({"fixtures": [
    {"match": {"userMessage": "hello"}, "response": {"content": "Hello there, friend of the sea and of long tables.",
     "usage": {"prompt_tokens": 9, "completion_tokens": 4, "input_tokens": 9, "output_tokens": 4}}},
    {"match": {"userMessage": "weather", "hasToolResult": false},
     "response": {"content": "I look.", "toolCalls": [
        {"id": "call_a", "name": "get_weather", "arguments": {"city": "Oslo", "days": 2}},
        {"id": "call_b", "name": "get_weather", "arguments": {"city": "Bergen"}}]}},
    {"match": {"userMessage": "weather", "toolCallId": "call_b"}, "response": {"content": "Rain in both."}},
    {"match": {"userMessage": "think"}, "response": {"reasoning": "Hm, high at six.", "content": "At six."}}
]})";

/// A server, and the options for it of any client.
class Mocked {
public:
    Mocked() : problem_(aimock::problem()) {
        if (!problem_) server_ = std::make_unique<aimock::Server>(Json::parse(shared_answers), clients_key);
    }
    [[nodiscard]] const std::optional<std::string>& problem() const noexcept { return problem_; }
    template <class Options>
    [[nodiscard]] Options options() const {
        return {.base_url = server_->url(), .model = "a-model", .api_key = clients_key};
    }

    /// Calls `use` with a model of each provider.
    template <class Use>
    void each(const Use& use) const {
        use(acta::openai::ChatModel(options<acta::openai::Options>()), "chat completions");
        use(acta::openai::ResponsesModel(options<acta::openai::Options>()), "responses");
        use(acta::anthropic::ChatModel(options<acta::anthropic::Options>()), "messages");
    }

private:
    std::optional<std::string> problem_;
    std::unique_ptr<aimock::Server> server_{};
};

acta::ChatOptions with_tools() {
    acta::ChatOptions options;
    options.tools = {
        {"get_weather", "The weather.", Json::parse(R"({"type":"object","properties":{"city":{"type":"string"}}})")}};
    return options;
}

}  // namespace

TEST_CASE("aimock: every client has the same answer, streamed and not, with its usage") {
    const Mocked mock;
    if (mock.problem()) ACTA_SKIP(*mock.problem());
    mock.each([](const auto& model, const char* name) {
        INFO(name);
        const acta::ChatReply whole = model.complete("hello");
        CHECK(whole.completion.message.content == "Hello there, friend of the sea and of long tables.");
        CHECK(whole.completion.finish_reason == "stop");
        CHECK(whole.completion.usage->prompt_tokens == 9);
        CHECK(whole.completion.usage->completion_tokens == 4);
        std::string text;
        std::size_t parts = 0;
        const acta::ChatReply streamed = model.complete("hello", {.on_text = [&](std::string_view part) {
                                                            text += part;
                                                            ++parts;
                                                        }});
        CHECK(text == whole.completion.message.content);
        CHECK(parts > 1);
        CHECK(streamed.completion.message.content == text);
        CHECK(streamed.completion.usage == whole.completion.usage);
        CHECK(streamed.completion.finish_reason == "stop");
    });
}

TEST_CASE("aimock: every client calls tools in parallel and is told their results") {
    const Mocked mock;
    if (mock.problem()) ACTA_SKIP(*mock.problem());
    for (const bool streams : {false, true}) {
        mock.each([&](const auto& model, const char* name) {
            INFO(name << (streams ? ", streamed" : ""));
            acta::ChatOptions options = with_tools();
            if (streams) options.on_text = [](std::string_view) {};
            std::vector<ChatMessage> messages{ChatMessage::user("weather")};
            const acta::ChatCompletion asked = model(messages, options);
            CHECK(asked.message.content == "I look.");
            CHECK(asked.finish_reason == "tool_calls");
            REQUIRE(asked.message.tool_calls.has_value());
            REQUIRE(asked.message.tool_calls->size() == 2);
            CHECK(to_string(asked.message.tool_calls->at(0)) == "get_weather(city='Oslo', days=2)");
            CHECK(asked.message.tool_calls->at(1).id == "call_b");
            messages.push_back(asked.message);
            messages.push_back(ChatMessage::tool("call_a", "rain"));
            messages.push_back(ChatMessage::tool("call_b", "rain", true));
            CHECK(model(messages, options).message.content == "Rain in both.");
        });
    }
}

TEST_CASE("aimock: what a model thought is kept apart from its answer, and comes back to it") {
    const Mocked mock;
    if (mock.problem()) ACTA_SKIP(*mock.problem());
    for (const bool streams : {false, true}) {
        mock.each([&](const auto& model, const char* name) {
            INFO(name << (streams ? ", streamed" : ""));
            std::string shown;
            acta::ChatOptions options;
            if (streams) options.on_text = [&](std::string_view part) { shown += part; };
            const acta::ChatCompletion said = model(std::vector{ChatMessage::user("think")}, options);
            CHECK(said.message.content == "At six.");
            if (streams) CHECK(shown == "At six.");
            CHECK_THAT(acta::dump(said.message), contains_text("Hm, high at six."));
            const std::vector<ChatMessage> next{ChatMessage::user("think"), said.message, ChatMessage::user("hello")};
            CHECK_THAT(model(next, {}).message.content, starts_with_text("Hello there"));
        });
    }
}

#else

TEST_CASE("the clients are tested where they are") { ACTA_SKIP("there is no client"); }

#endif
