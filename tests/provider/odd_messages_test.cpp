// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/codec.hpp"
#include "acta/provider/openai/wire.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// Messages with members that no API takes are written without them.
namespace {

using acta::ChatMessage;
using acta::Json;

const acta::openai::ChatCodec odd_chat({.base_url = "http://h", .api_key = ""});
const acta::openai::ResponsesCodec odd_responses({.api_key = ""});
const acta::anthropic::ChatCodec odd_anthropic({.api_key = ""});

std::string anthropic_again(const std::string& content) {
    const Json request =
        Json::parse(R"([{"role":"user","content":"?"},{"role":"assistant","content":)" + content + "}]");
    return acta::dump(acta::anthropic::to_wire(acta::anthropic::from_wire(request))["messages"][1]["content"]);
}

}  // namespace

TEST_CASE("a block of text without a text is not sent to Anthropic") {
    for (const char* const odd : {"null", "5", "[]", "{}", "true"}) {
        CAPTURE(odd);
        CHECK(anthropic_again(R"([{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":)" +
                              std::string(odd) + R"(},{"type":"text","text":"a"}])") ==
              R"([{"type":"thinking","thinking":"t","signature":"s"},{"type":"text","text":"a"}])");
        CHECK(anthropic_again(R"([{"type":"text","text":)" + std::string(odd) + "}]") == "\"(no text)\"");
        CHECK(anthropic_again(R"([{"type":"thinking","thinking":)" + std::string(odd) +
                              R"(,"signature":"s"},{"type":"text","text":"a"}])")
                  .find("thinking") == std::string::npos);
        CHECK(anthropic_again(R"([{"type":"redacted_thinking","data":)" + std::string(odd) +
                              R"(},{"type":"text","text":"a"}])")
                  .find("thinking") == std::string::npos);
    }
}

TEST_CASE("a part of text without a text is sent to the other APIs as an empty one") {
    const Json items = Json::parse(
        R"([{"type":"message","role":"assistant","content":[{"type":"output_text","text":null},{"type":"output_text","text":"a"}]}])");
    const std::string sent = acta::dump(acta::openai::responses::to_wire(acta::openai::responses::from_wire(items)));
    CHECK_THAT(sent, contains_text(R"({"type":"output_text","text":""})"));
    for (const char* const odd : {"null", "5", "[]"}) {
        const Json messages = Json::parse(R"([{"role":"user","content":[{"type":"text","text":)" + std::string(odd) +
                                          R"(},{"type":"text","text":"a"}]}])");
        CHECK(acta::dump(acta::openai::to_wire(acta::openai::from_wire(messages))) ==
              R"([{"role":"user","content":[{"type":"text","text":""},{"type":"text","text":"a"}]}])");
    }
}

TEST_CASE("ids of calls keep their letters, digits, underscores and dashes for Anthropic") {
    const auto sent = [](const std::string& id) {
        const std::vector<ChatMessage> messages{ChatMessage::user("?"), ChatMessage::assistant("", {{id, {"f", {}}}}),
                                                ChatMessage::tool(id, "x")};
        const Json wire(acta::anthropic::to_wire(messages)["messages"]);
        CHECK(wire[2]["content"][0]["tool_use_id"] == wire[1]["content"][0]["id"]);
        return wire[1]["content"][0]["id"].get<std::string>();
    };
    CHECK(sent("azAZ09_-") == "azAZ09_-");
    CHECK(sent("a`{@[/:.z") == "a_______z");
}

TEST_CASE("bytes of a text file in the alphabet for URLs are read too") {
    ChatMessage message = ChatMessage::user("");
    message.parts = {{.type = "file", .media_type = "text/csv", .data = "ZDtjY0F-ZHo_WkA-QEBaOz9B"}};
    const Json content(acta::anthropic::to_wire(std::vector{message})["messages"][0]["content"]);
    CHECK(content[0]["source"]["data"] == "d;ccA~dz?Z@>@@Z;?A");
}

TEST_CASE("instructions in parts are sent without a content beside them") {
    ChatMessage system = ChatMessage::system("");
    system.parts = {{.text = "Be brief."}};
    CHECK_THAT(acta::dump(acta::anthropic::to_wire(std::vector{system, ChatMessage::user("?")})["system"]),
               contains_text("Be brief."));
}

TEST_CASE("a blank result is said to have no text where a server wants one, and a blank failure only that it failed") {
    const acta::openai::ChatCodec codec(
        {.base_url = "http://h", .api_key = "", .server = acta::openai::ServerTraits{.takes_empty_content = false}});
    const auto sent = [&codec](bool is_error) {
        const std::vector<ChatMessage> messages{ChatMessage::user("?"), ChatMessage::assistant("", {{"a", {"f", {}}}}),
                                                ChatMessage::tool("a", " ", is_error)};
        return codecs::request(codec, messages)["messages"][2]["content"].get<std::string>();
    };
    CHECK(sent(false) == "(no text)");
    CHECK(sent(true) == "Action failed: ''");
}

TEST_CASE("a call without a name has one in requests and in completions") {
    const std::vector<ChatMessage> messages{ChatMessage::user("?"), ChatMessage::assistant("", {{"a", {"", {}}}}),
                                            ChatMessage::tool("a", "x")};
    for (const std::string& sent :
         {acta::dump(acta::openai::to_wire(messages)), acta::dump(acta::openai::responses::to_wire(messages)),
          acta::dump(acta::anthropic::to_wire(messages)), odd_chat.request(messages).body,
          odd_responses.request(messages).body, odd_anthropic.request(messages).body}) {
        CHECK_THAT(sent, contains_text(R"("name":"tool_without_name")"));
        CHECK(sent.find(R"("name":"")") == std::string::npos);
    }
    for (const acta::ChatReply& reply :
         {codecs::read(
              odd_chat,
              R"({"choices":[{"message":{"tool_calls":[{"id":"a","function":{"name":"","arguments":"{}"}}]}}]})"),
          codecs::read(odd_responses,
                       R"({"output":[{"type":"function_call","call_id":"a","name":"","arguments":"{}"}]})"),
          codecs::read(odd_anthropic, R"({"content":[{"type":"tool_use","id":"a","name":"","input":{}}]})")})
        CHECK(reply.completion.message.tool_calls->front().function.name == "tool_without_name");
}
