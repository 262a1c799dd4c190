// SPDX-License-Identifier: MIT
#include "acta/provider/openai/server_traits.hpp"

#include <string>
#include <utility>
#include <vector>

#include "acta/chat/extension.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// What servers of chat completions get that refuse a part of what OpenAI's API takes.
namespace {

using acta::ChatMessage;
using acta::ChatOptions;
using acta::Json;
using acta::openai::SendReasoning;
using acta::openai::ServerTraits;
namespace openai = acta::openai;
using Messages = std::vector<ChatMessage>;

const std::string deepseek_server = "https://api.deepseek.com";
const std::string kimi_server = "https://api.moonshot.ai/v1";
const std::string qwen_server = "https://dashscope-intl.aliyuncs.com/compatible-mode/v1";
const std::string unknown_server = "http://localhost:8080/v1";

Json chat_body(const openai::Options& options, std::span<const ChatMessage> messages, const ChatOptions& chat = {}) {
    openai::Options own = options;
    own.model = "m";
    own.api_key = "k";
    return Json::parse(openai::ChatCodec(own).request(messages, chat).body);
}
Json sent_to(const std::string& base, std::span<const ChatMessage> messages) {
    return chat_body({.base_url = base}, messages)["messages"];
}

ChatMessage thoughtful(std::string text, const char* reasoning, std::vector<acta::AssistantToolCall> calls = {}) {
    ChatMessage out = ChatMessage::assistant(std::move(text), std::move(calls));
    if (reasoning != nullptr) out.reasoning_content = reasoning;
    return out;
}

std::vector<std::string> roles_of(const Json& messages) {
    std::vector<std::string> out;
    for (const Json& one : messages) out.push_back(one["role"].get<std::string>());
    return out;
}

acta::ContentPart small_picture() { return {.type = "image", .media_type = "image/png", .data = "iVBORw0KGgo="}; }

}  // namespace

TEST_CASE("servers are known by their hosts") {
    CHECK(openai::server_traits("api.mistral.ai").has_short_ids);
    CHECK(openai::server_traits("API.Mistral.AI.").has_short_ids);
    CHECK(openai::server_traits("mistral.ai").has_short_ids);
    CHECK(openai::server_traits("api.openai.com").max_tokens_key == "max_completion_tokens");
    for (const char* const host : {"api.openai.com", "x.openai.azure.com"})
        CHECK(openai::server_traits(host).max_description == acta::chat_extension::max_openai_description);
    for (const char* const other : {"", "localhost", "notmistral.ai", "mistral.ai.example.org", "openai.com", "ai"}) {
        INFO(other);
        CHECK(openai::server_traits(other) == ServerTraits());
    }
    for (const openai::KnownServer& server : openai::known_servers()) {
        INFO(server.host);
        CHECK(server.traits != ServerTraits());
        CHECK(openai::server_traits(server.host) == server.traits);
        CHECK(openai::server_traits("x." + std::string(server.host)) == server.traits);
    }
}

TEST_CASE("DeepSeek and Kimi get the reasoning of all answers of a turn with calls") {
    const Messages talk{ChatMessage::user("Hello."),     thoughtful("Hello!", "a greeting"),
                        ChatMessage::user("How deep?"),  thoughtful("", "first", {{"c1", {"f", {}}}}),
                        ChatMessage::tool("c1", "4 m"),  thoughtful("", nullptr, {{"c2", {"f", {}}}}),
                        ChatMessage::tool("c2", "4 m"),  ChatMessage::system("Be brief."),
                        thoughtful("4 m.", "last"),      thoughtful("Really.", " "),
                        ChatMessage::user("Thank you."), thoughtful("Welcome.", "polite")};
    for (const auto& [base, none] : {std::pair(deepseek_server, ""), std::pair(kimi_server, "(no reasoning)")}) {
        INFO(base);
        const Json messages = sent_to(base, talk);
        REQUIRE(messages.size() == talk.size());
        CHECK_FALSE(messages[1].contains("reasoning_content"));
        CHECK(messages[3]["reasoning_content"] == "first");
        CHECK(messages[5]["reasoning_content"] == none);
        CHECK(messages[8]["reasoning_content"] == "last");
        CHECK(messages[9]["reasoning_content"] == none);
        CHECK_FALSE(messages[11].contains("reasoning_content"));
    }
    // The member has this name, whatever another server called it.
    ChatMessage named = thoughtful("", "why", {{"c1", {"f", {}}}});
    named.extra["openai"] = {{"reasoning", "why"}};
    const Json other = sent_to(kimi_server, Messages{ChatMessage::user("?"), named, ChatMessage::tool("c1", "1")});
    CHECK(other[1]["reasoning_content"] == "why");
    CHECK_FALSE(other[1].contains("reasoning"));
    // An option decides against it.
    const openai::Options never{.base_url = kimi_server, .send_reasoning = SendReasoning::never};
    CHECK_FALSE(chat_body(never, talk)["messages"][3].contains("reasoning_content"));
}

TEST_CASE("templates that want the system's message at the beginning get one there") {
    ChatMessage with_parts = ChatMessage::system("b");
    with_parts.parts = {{.text = "b"}};
    ChatMessage asks_with_parts = ChatMessage::user("Look.");
    asks_with_parts.parts = {{.text = "Look."}, small_picture()};
    const Messages talk{ChatMessage::system("a"),
                        with_parts,
                        ChatMessage::system("c"),
                        ChatMessage::user("?"),
                        ChatMessage::assistant("", {{"c1", {"f", {}}}, {"c2", {"f", {}}}}),
                        ChatMessage::tool("c1", "1"),
                        ChatMessage::system("between results"),
                        ChatMessage::tool("c2", "2"),
                        ChatMessage::system("d"),
                        ChatMessage::assistant("e"),
                        ChatMessage::system(" "),
                        ChatMessage::system("f"),
                        asks_with_parts,
                        ChatMessage::assistant("g"),
                        ChatMessage::system("at the end")};
    const Json messages = sent_to(qwen_server, talk);
    CHECK(roles_of(messages) == std::vector<std::string>{"system", "user", "assistant", "tool", "tool", "user",
                                                         "assistant", "user", "assistant", "user"});
    std::string instructions;
    for (const Json& part : messages[0]["content"]) instructions += part["text"].get<std::string>();
    CHECK(instructions == "a\n\nb\n\nc");
    CHECK(messages[5]["content"] == "between results\n\nd");
    CHECK(messages[7]["content"][0]["text"] == "f\n\n");
    CHECK(messages[7]["content"][1]["text"] == "Look.");
    CHECK(messages[9]["content"] == "at the end");
    CHECK(sent_to(qwen_server, Messages{ChatMessage::system("a"), ChatMessage::system("b")}) ==
          Json::parse(R"([{"role":"system","content":"a\n\nb"}])"));
}

TEST_CASE("a blank message of the system, and members of parts that a server does not take, are left out") {
    const Messages blank{ChatMessage::system(" "), ChatMessage::user("?"), ChatMessage::system("\n")};
    CHECK(roles_of(sent_to(deepseek_server, blank)) == std::vector<std::string>{"user"});
    CHECK(roles_of(sent_to(unknown_server, blank)) == std::vector<std::string>{"system", "user", "system"});
    ChatMessage parts = ChatMessage::user("a");
    parts.parts = {{.text = "a", .extra = {{"openai", acta::JsonObject{{"x", 1}}}}}, small_picture()};
    parts.parts[1].extra = {{"openai", acta::JsonObject{{"y", 2}}}};
    const Json all = chat_body({.base_url = unknown_server, .server = ServerTraits{}}, Messages{parts})["messages"];
    CHECK(all[0]["content"][0].dump() == R"({"type":"text","text":"a","x":1})");
    CHECK(all[0]["content"][1]["y"] == 2);
    const Json some = chat_body({.base_url = unknown_server, .server = ServerTraits{.takes_other_members = false}},
                                Messages{parts})["messages"];
    CHECK(some[0]["content"][0].dump() == R"({"type":"text","text":"a"})");
    CHECK(some[0]["content"][1].dump() ==
          R"({"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo="}})");
}
