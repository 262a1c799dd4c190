// SPDX-License-Identifier: MIT
#include <cstdint>
#include <memory>
#include <stdexcept>
#include <string>
#include <variant>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/json/json.hpp"
#include "acta/observe/observer.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

// What other components use of messages and models.
namespace {

using acta::ChatMessage;
using acta::Json;
using acta::JsonObject;
namespace extension = acta::chat_extension;

}  // namespace

TEST_CASE("arguments that are not an object are kept as a text, and found again") {
    const auto kept = [](Json arguments) {
        extension::keep_if_unreadable(arguments);
        return arguments.dump();
    };
    for (const char* const same :
         {"null", "{}", R"({"a":1})", R"("")", R"(" \n")", R"("{\"a\":1}")", R"("{\"n\":100000000000000000000}")"})
        CHECK(kept(Json::parse(same)) == same);
    CHECK(kept(5) == R"({"unreadable_arguments":"5"})");
    CHECK(kept({1, 2}) == R"({"unreadable_arguments":"[1,2]"})");
    CHECK(kept("{'a': 1}") == R"({"unreadable_arguments":"{'a': 1}"})");
    CHECK(kept("[1]") == R"({"unreadable_arguments":"[1]"})");

    Json message = Json::parse(R"({"tool_calls":[{"function":{"name":"f","arguments":"x"}},{"function":{"name":"f"}},
                                                  {"function":5},{"id":"c"},7,{"function":{"arguments":"{}"}}]})");
    extension::keep_unreadable_arguments(message);
    CHECK(message == Json::parse(R"({"tool_calls":[{"function":{"name":"f","arguments":{"unreadable_arguments":"x"}}},
                         {"function":{"name":"f"}},{"function":5},{"id":"c"},7,{"function":{"arguments":"{}"}}]})"));
    for (const char* const other :
         {"[]", "{}", R"({"tool_calls":5})", R"({"tool_calls":{"a":{"function":{"arguments":"x"}}}})"}) {
        Json value = Json::parse(other);
        extension::keep_unreadable_arguments(value);
        CHECK(value == Json::parse(other));
    }

    CHECK(*extension::unreadable_arguments(extension::unreadable("x")) == "x");
    CHECK(extension::unreadable_reason(extension::unreadable("x")) == nullptr);
    CHECK(*extension::unreadable_arguments(extension::unreadable("x", "why")) == "x");
    CHECK(*extension::unreadable_reason(extension::unreadable("x", "why")) == "why");
    for (const JsonObject& none :
         {JsonObject(), JsonObject{{"a", "x"}}, JsonObject{{"unreadable_arguments", 5}},
          JsonObject{{"unreadable_arguments", "x"}, {"a", "x"}},
          JsonObject{{"unreadable_arguments", "x"}, {"reason", 5}}, JsonObject{{"a", "x"}, {"reason", "why"}},
          JsonObject{{"unreadable_arguments", "x"}, {"reason", "why"}, {"a", 1}}})
        CHECK(extension::unreadable_arguments(none) == nullptr);
}

TEST_CASE("a description that is too long is cut at a character, with dots") {
    CHECK(extension::cut_description("abcdef", 0) == "abcdef");
    CHECK(extension::cut_description("abcdef", 5) == "ab...");
    CHECK(extension::cut_description("a\u4eacdef", 6) == "a...");
    CHECK(extension::cut_description("a\u4eacdef", 7) == "a\u4eacdef");
    below_at_above(6, [](std::size_t size) {
        const std::string text(size, 'x');
        return extension::cut_description(text, 6) == text;
    });
}

TEST_CASE("what was written of a run's messages is used for the same ones, and as long as they begin alike") {
    struct State : extension::KeptState {};
    const std::vector<ChatMessage> messages(4);
    extension::KeptRequest kept;
    const auto written = [&](std::size_t count, std::size_t now) {
        std::size_t before = 99;
        const bool used = kept.use(messages.data(), count, [&](extension::KeptRequest::Written& one) {
            before = one.count;
            one = {std::make_shared<State>(), now};
        });
        return used ? static_cast<int>(before) : -1;
    };
    CHECK(written(0, 0) == -1);
    kept.set(messages.data(), 2, 0);
    CHECK(written(3, 0) == -1);
    CHECK_FALSE(kept.use(messages.data() + 1, 2, [](auto&) {}));
    CHECK(written(2, 2) == 0);
    CHECK(written(2, 2) == 2);
    kept.set(messages.data(), 3, 2);
    CHECK(written(3, 3) == 2);
    kept.set(messages.data(), 4, 2);
    CHECK(written(4, 4) == 0);  // the third is another
    kept.set(nullptr, 0, 4);
    CHECK(written(4, 4) == -1);
    CHECK_FALSE(kept.use(nullptr, 0, [](auto&) {}));
    kept.set(messages.data(), 4, 4);
    CHECK(written(4, 4) == 0);
}

TEST_CASE("an instruction is put before that of the system, in its text and its parts") {
    const auto instructed = [](std::vector<ChatMessage> messages, const std::string& text = "JSON") {
        extension::add_instruction(messages, text);
        return acta::dump(messages);
    };
    const auto user = ChatMessage::user("?");
    auto parts = ChatMessage::system("ab");
    parts.parts = {{.text = "a"}, {.text = "b"}};
    CHECK(instructed({user}, "") == R"([{"role":"user","content":"?"}])");
    CHECK(instructed({}) == R"([{"role":"system","content":"JSON"}])");
    CHECK(instructed({user}) == R"([{"role":"system","content":"JSON"},{"role":"user","content":"?"}])");
    CHECK(instructed({ChatMessage::system("a"), user}) ==
          R"([{"role":"system","content":"JSON\n\na"},{"role":"user","content":"?"}])");
    CHECK(instructed({parts}) ==
          R"([{"role":"system","content":[{"type":"text","text":"JSON\n\n"},{"type":"text","text":"a"},)"
          R"({"type":"text","text":"b"}]}])");
    extension::prepend_text(parts, "x");
    CHECK(parts.content == "xab");
}

TEST_CASE("words for the end of an answer become OpenAI's, but for those that say more") {
    for (const auto& [word, wanted] :
         std::vector<std::pair<std::string, std::string>>{{"end_turn", "stop"},
                                                          {"STOP", "stop"},
                                                          {"stop_sequence", "stop"},
                                                          {"eos", "stop"},
                                                          {"eos_token", "stop"},
                                                          {"MAX_TOKENS", "length"},
                                                          {"max_output_tokens", "length"},
                                                          {"model_length", "length"},
                                                          {"model_context_window_exceeded", "length"},
                                                          {"tool_use", "tool_calls"},
                                                          {"tool_call", "tool_calls"},
                                                          {"SAFETY", "content_filter"}})
        CHECK(extension::finish_word(word) == wanted);
    for (const std::string word : {"", "other", "incomplete", "function_call", "image_safety", "recitation",
                                   "blocklist", "prohibited_content", "SPII", "refusal", "refused", "pause_turn",
                                   "error", "failed", "cancelled", "malformed_function_call", "unexpected_tool_call"})
        CHECK(extension::finish_word(word) == word);
}

TEST_CASE("an observed model reports its requests, and no words of them") {
    struct Seen : acta::Observer {
        void on_event(const acta::Event& event) override {
            std::string text(event.name);
            if (event.failed) text += " failed";
            for (const acta::EventField& field : event.fields) {
                text.append(" ").append(field.name).append("=");
                const auto* const words = std::get_if<std::string>(&field.value);
                text += words == nullptr ? std::to_string(std::get<std::int64_t>(field.value)) : *words;
            }
            events.push_back(text);
        }
        std::vector<std::string> events{};
    };
    Seen seen;
    acta::ScriptedChatModel script{"words"};
    script.reply({.message = {.content = "words"},
                  .usage = acta::TokenUsage{.prompt_tokens = 3, .completion_tokens = 4},
                  .finish_reason = "length",
                  .model = "m"});
    script.reply(acta::ChatCompletion()).fail(std::runtime_error("no network"));
    const auto model = acta::observed(script, seen);
    const std::vector<ChatMessage> messages(2);
    const acta::ChatOptions options{.tools = {{"a"}, {"b"}, {"c"}}};
    for (int i = 0; i < 3; ++i) static_cast<void>(model(messages, options));
    CHECK_THROWS_WITH(model(messages, options), "no network");
    CHECK(seen.events ==
          std::vector<std::string>{
              "chat_model messages=2 tools=3 finish_reason=stop",
              "chat_model messages=2 tools=3 model=m finish_reason=length prompt_tokens=3 completion_tokens=4",
              "chat_model messages=2 tools=3", "chat_model failed messages=2 tools=3 error=no network"});
    CHECK(model.model().requests().size() == 4);
}

TEST_CASE("tokens are added up, also where only one side knows them") {
    acta::TokenUsage sum{.prompt_tokens = 1, .completion_tokens = 2};
    sum += acta::TokenUsage{3, 4, 5, 6, 7, true};
    CHECK(sum == acta::TokenUsage{4, 6, 5, 6, 7, true});
    sum += acta::TokenUsage{10, 20, 30, 40, 50, false};
    CHECK(sum == acta::TokenUsage{14, 26, 35, 46, 57, true});
    sum += acta::TokenUsage{.prompt_tokens = INT64_MAX};
    CHECK(sum.prompt_tokens == INT64_MAX);
    CHECK(acta::dump(sum) == R"({"prompt_tokens":9223372036854775807,"completion_tokens":26,"cached_tokens":35,)"
                             R"("cache_write_tokens":46,"reasoning_tokens":57,"estimated":true})");
    CHECK(acta::dump(acta::TokenUsage()) == R"({"prompt_tokens":0,"completion_tokens":0})");
}

TEST_CASE("an answer of the model and its message are the same") {
    ChatMessage message = ChatMessage::assistant("ab", {{"c", {"f", {{"a", 1}}}}});
    message.reasoning_content = "Hm.";
    message.extra = {{"anthropic", {{"k", 1}}}};
    message.parts = {{.text = "a"}, {.text = "b"}};
    const acta::AssistantChatMessage answer = acta::to_assistant_message(message);
    CHECK(acta::dump(answer) ==
          R"({"role":"assistant","content":"ab","tool_calls":[{"id":"c","type":"function","function":{"name":"f",)"
          R"("arguments":{"a":1}}}],"reasoning_content":"Hm.","extra":{"anthropic":{"k":1},)"
          R"("parts":[{"type":"text","text":"a"},{"type":"text","text":"b"}]}})");
    CHECK(ChatMessage(answer) == message);
    CHECK_FALSE(acta::to_assistant_message(ChatMessage::assistant("a")).tool_calls);
    CHECK(ChatMessage(acta::to_assistant_message(ChatMessage::assistant("a"))) == ChatMessage::assistant("a"));
}

TEST_CASE("a typed question has its schema in one place, and in the first refusal only") {
    acta::ChatOptions options;
    extension::TypedQuestion api(JsonObject{{"type", "object"}}, options);
    CHECK(api.instruction().empty());
    CHECK(options.response_schema == Json{{"type", "object"}});
    CHECK(api.refusal("a: b") ==
          "That answer cannot be used: a: b\nAnswer again, with JSON alone, of this schema: "
          "{\"type\":\"object\"}");
    CHECK(api.refusal("c") == "That answer cannot be used: c\nAnswer again, with JSON alone.");
    options.schema_in_text = true;
    extension::TypedQuestion text(JsonObject{{"type", "array"}}, options);
    CHECK(text.instruction() == "Answer with JSON alone, of this schema: {\"type\":\"object\"}");
    CHECK_FALSE(options.response_schema);
    CHECK(text.refusal("c") == "That answer cannot be used: c\nAnswer again, with JSON alone.");
}
