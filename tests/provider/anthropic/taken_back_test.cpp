// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// What Anthropic's API sent, in a form in which it takes it back, and content that it does not take at all.
namespace {

using acta::ChatMessage;
using acta::ContentPart;
using acta::Json;
namespace anthropic = acta::anthropic;

/// The messages that are sent for these.
std::string sent_again(const std::string& messages) {
    return anthropic::to_wire(anthropic::from_wire(Json::parse(messages))).at("messages").dump();
}
std::string messages_sent(const std::vector<ChatMessage>& messages) {
    return Json(anthropic::to_wire(messages))["messages"].dump();
}
/// The blocks of a message of the user with one part.
Json block_for(const ContentPart& part) {
    ChatMessage message;
    message.parts = {part};
    const Json messages = Json(anthropic::to_wire(std::vector{message}))["messages"];
    REQUIRE(messages.size() == 1);
    REQUIRE(messages[0]["content"].size() == 1);
    return messages[0]["content"][0];
}

const std::string question_sent = R"({"role":"user","content":"?"},)";

}  // namespace

TEST_CASE("an answer that is the last message does not end in white space") {
    CHECK(messages_sent({ChatMessage::user("?"), ChatMessage::assistant("High at \n")}) ==
          "[" + question_sent + R"({"role":"assistant","content":"High at"}])");
    CHECK(sent_again("[" + question_sent +
                     R"({"role":"assistant","content":[{"type":"text","text":"a ","citations":[]},)"
                     R"({"type":"text","text":"First:\u00a0","citations":[]}]}])") ==
          "[" + question_sent +
              R"({"role":"assistant","content":[{"type":"text","text":"a ","citations":[]},)"
              R"({"type":"text","text":"First:","citations":[]}]}])");
    // What another message follows is unchanged.
    CHECK(messages_sent({ChatMessage::user("?"), ChatMessage::assistant("a "), ChatMessage::user("?")}) ==
          "[" + question_sent + R"({"role":"assistant","content":"a "},{"role":"user","content":"?"}])");
}

TEST_CASE("media types are those that the API knows") {
    for (const char* const type : {"image/jpg", "image/jpeg", "IMAGE/JPG", "image/pjpeg", "image/jpeg; q=1"}) {
        INFO(type);
        CHECK(block_for({.type = "image", .media_type = type, .data = "AAAA"}) ==
              Json::parse(R"({"type":"image","source":{"type":"base64","media_type":"image/jpeg","data":"AAAA"}})"));
    }
    // What it is decides about the block, not how it was attached.
    CHECK(block_for({.type = "file", .media_type = "image/png", .data = "AAAA", .name = "a.png"}) ==
          Json::parse(R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}})"));
    CHECK(block_for({.type = "image", .media_type = "application/pdf", .data = "AAAA"})["type"] == "document");
}

TEST_CASE("files of text are sent as text") {
    const std::string csv = "cG9ydCxtCkJyZXN0LDQK";  // port,m\nBrest,4\n
    for (const char* const type : {"text/csv", "text/plain; charset=utf-8", "text/markdown", "application/json",
                                   "application/ld+json", "application/xml", "application/x-yaml", "text/x-c++"}) {
        INFO(type);
        CHECK(block_for({.type = "file", .media_type = type, .data = csv, .name = "depths.csv"}) ==
              Json::parse(R"({"type":"document","source":{"type":"text","media_type":"text/plain",)"
                          R"("data":"port,m\nBrest,4\n"},"title":"depths.csv"})"));
    }
    CHECK(block_for({.type = "file", .media_type = "text/plain", .data = "w6Q"})["source"]["data"] == "\xC3\xA4");
    // Neither UTF-8 nor base64, and blank.
    for (const char* const data : {"/////w==", "???", "ICAg"}) {
        INFO(data);
        CHECK(block_for({.type = "file", .media_type = "text/csv", .data = data})["type"] == "text");
    }
}

TEST_CASE("a tool without parameters has a schema of an object") {
    const anthropic::ChatCodec codec({.model = "m", .api_key = "", .cache = false});
    const acta::ChatOptions options{.tools = {{.name = "now"}, {.name = "then", .parameters = nullptr}}};
    for (const Json& tool : codecs::request(codec, {ChatMessage::user("?")}, options)["tools"])
        CHECK(tool["input_schema"] == Json::parse(R"({"type":"object","properties":{}})"));
}
