// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <memory>
#include <random>
#include <string>
#include <thread>
#include <vector>

#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// A codec keeps the text of the tools of a request for the next one. What it sends must be the same.
namespace {

using acta::ChatMessage;
using acta::Json;
using acta::ToolDefinition;
using acta::ToolList;

/// Makes codecs of one kind that have sent nothing yet.
std::unique_ptr<acta::HttpChatCodec> new_codec(std::size_t kind) {
    if (kind == 0)
        return std::make_unique<acta::openai::ChatCodec>(
            acta::openai::Options{.base_url = "http://h", .model = "m", .api_key = ""});
    if (kind == 1)
        return std::make_unique<acta::openai::ResponsesCodec>(acta::openai::Options{.model = "m", .api_key = ""});
    if (kind == 2)
        return std::make_unique<acta::openai::ChatCodec>(
            acta::openai::Options{.model = "m", .api_key = "", .extra = {{"tools", Json::array()}}});
    return std::make_unique<acta::anthropic::ChatCodec>(
        acta::anthropic::Options{.model = "m", .api_key = "", .cache = kind == 3});
}
constexpr std::size_t kinds = 5;

ToolDefinition tool_named(const std::string& name) {
    return {name, "Looks at \"" + name + "\".",
            Json::parse(R"({"type": "object", "properties": {"x": {"type": "integer", "default": 1}}})")};
}

/// Names that are legal, that are not, and that become others.
std::string random_name(std::mt19937& random) {
    static const std::vector<std::string> names{"look", "web.search", "web_search", "web_search_2", "1st", "-", "a b"};
    return names[random() % names.size()];
}

std::vector<ChatMessage> random_messages(std::mt19937& random) {
    std::vector<ChatMessage> out;
    if (random() % 3 == 0) out.push_back(ChatMessage::system("Be brief."));
    out.push_back(ChatMessage::user("?"));
    for (std::size_t i = random() % 4; i > 0; --i) {
        const std::string id = "c" + std::to_string(i);
        out.push_back(ChatMessage::assistant("", {{id, {random_name(random), {{"x", 1}}}}}));
        out.push_back(ChatMessage::tool(id, "1"));
    }
    return out;
}

}  // namespace

TEST_CASE("requests of a codec that has sent others are those of a new one") {
    std::mt19937 random(7);
    for (std::size_t kind = 0; kind < kinds; ++kind) {
        const auto used = new_codec(kind);
        ToolList tools;
        for (int i = 0; i < 300; ++i) {
            CAPTURE(kind, i);
            if (random() % 3 == 0) {
                std::vector<ToolDefinition> others;
                for (std::size_t n = random() % 4; n > 0; --n) {
                    const ToolDefinition one = tool_named(random_name(random));
                    if (std::ranges::find(others, one) == others.end()) others.push_back(one);
                }
                tools = others;
            } else if (random() % 5 == 0) {
                tools = std::vector<ToolDefinition>(tools.all());  // equal, but another list
            } else if (random() % 5 == 0 && !tools.empty()) {
                tools.push_back(tool_named("more" + std::to_string(i)));
            }
            acta::ChatOptions options{.tools = tools};
            if (!tools.empty() && random() % 4 == 0) options.tool_choice = acta::ToolChoice::tool(tools.front().name);
            const std::vector<ChatMessage> messages = random_messages(random);
            const std::string body = used->request(messages, options).body;
            REQUIRE(body == new_codec(kind)->request(messages, options).body);
            REQUIRE(Json::accept(body));
        }
    }
}

TEST_CASE("answers to requests with kept tools have the names of these tools") {
    const acta::openai::ChatCodec codec({.base_url = "http://h", .model = "m", .api_key = ""});
    const auto called = [&](const std::vector<std::string>& tools, const std::string& name) {
        acta::ChatOptions options;
        for (const std::string& one : tools) options.tools.push_back(tool_named(one));
        const std::string body = R"({"choices": [{"message": {"tool_calls": [{"id": "c", "function": {"name": ")" +
                                 name + R"(", "arguments": "{}"}}]}}]})";
        return codecs::read(codec, body, options).completion.message.tool_calls->front().function.name;
    };
    CHECK(called({"web.search"}, "web_search") == "web.search");
    CHECK(called({"web_search", "web.search"}, "web_search") == "web_search");
    CHECK(called({"web_search", "web.search"}, "web_search_2") == "web.search");
    CHECK(called({"web.search"}, "web_search") == "web.search");
    CHECK(called({}, "web_search") == "web_search");
}

TEST_CASE("threads that share a codec may send other tools") {
    const acta::openai::ChatCodec codec({.base_url = "http://h", .model = "m", .api_key = ""});
    std::vector<std::thread> threads;
    std::vector<std::size_t> wrong(4);
    for (std::size_t t = 0; t < wrong.size(); ++t) {
        threads.emplace_back([&, t] {
            const std::string name = "tool_" + std::to_string(t % 2);
            const acta::ChatOptions options{.tools = {tool_named(name)}};
            for (int i = 0; i < 100; ++i) {
                const Json body = codecs::request(codec, codecs::question(), options);
                if (body["tools"][0]["function"]["name"] != name) ++wrong[t];
            }
        });
    }
    for (std::thread& one : threads) one.join();
    CHECK(wrong == std::vector<std::size_t>(4));
}

TEST_CASE("a schema that cannot be written is found in its place") {
    const acta::openai::ChatCodec codec({.base_url = "http://h", .model = "m", .api_key = ""});
    acta::ChatOptions options{.tools = {tool_named("a"), tool_named("b")}};
    ToolDefinition bad = tool_named("c");
    bad.description = "\xFF";
    options.tools.push_back(bad);
    try {
        static_cast<void>(codec.request(codecs::question(), options));
        FAIL("written");
    } catch (const acta::EncodeError& error) {
        CHECK_THAT(error.what(), contains_text("/tools/2/function/description"));
    }
}
