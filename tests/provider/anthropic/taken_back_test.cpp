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

TEST_CASE("blank texts are omitted wherever they are") {
    const std::string thinking = R"({"type":"thinking","thinking":"","signature":"c2ln"})";
    CHECK(
        sent_again("[" + question_sent + R"({"role":"assistant","content":[{"type":"text","text":"\n\n"},)" + thinking +
                   R"(,{"type":"text","text":"\u00a0\u3000"},{"type":"text","text":"I look."},)"
                   R"({"type":"tool_use","id":"t","name":"f","input":{}},{"type":"text","text":" ","citations":[]}]},)"
                   R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[)"
                   R"({"type":"text","text":""},{"type":"text","text":"12:15"}]},{"type":"text","text":" "}]}])") ==
        "[" + question_sent + R"({"role":"assistant","content":[)" + thinking +
            R"(,{"type":"text","text":"I look."},{"type":"tool_use","id":"t","name":"f","input":{}}]},)"
            R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t","content":[)"
            R"({"type":"text","text":"12:15"}]}]}])");
    // In what a server's tool said; a failed call says something.
    CHECK(sent_again("[" + question_sent +
                     R"({"role":"assistant","content":[{"type":"mcp_tool_use","id":"m","name":"f","input":{}},)"
                     R"({"type":"mcp_tool_result","tool_use_id":"m","content":[{"type":"text","text":" "}]},)"
                     R"({"type":"text","text":"Done."}]}])") ==
          "[" + question_sent +
              R"({"role":"assistant","content":[{"type":"mcp_tool_use","id":"m","name":"f","input":{}},)"
              R"({"type":"mcp_tool_result","tool_use_id":"m","content":[]},{"type":"text","text":"Done."}]}])");
    CHECK(
        messages_sent({ChatMessage::user("?"), ChatMessage::assistant("", {{"c", {"f", {}}}, {"d", {"f", {}}}}),
                       ChatMessage::tool("c", " \n"), ChatMessage::tool("d", " ", true)}) ==
        "[" + question_sent +
            R"({"role":"assistant","content":[{"type":"tool_use","id":"c","name":"f","input":{}},)"
            R"({"type":"tool_use","id":"d","name":"f","input":{}}]},{"role":"user","content":[)"
            R"x({"type":"tool_result","tool_use_id":"c","content":" \n"},{"type":"tool_result","tool_use_id":"d","content":"(no text)","is_error":true}]}])x");
}

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

TEST_CASE("an answer does not end in thinking, which the API refuses") {
    const std::string thinking = R"({"type":"thinking","thinking":"Hm.","signature":"c2ln"})";
    const std::string redacted = R"({"type":"redacted_thinking","data":"eA=="})";
    const auto answer = [](const std::string& blocks) { return R"({"role":"assistant","content":[)" + blocks + "]}"; };
    const std::string user = "[" + question_sent.substr(0, question_sent.size() - 1) + "]";
    const std::string text = R"({"type":"text","text":"I look."})";
    CHECK(sent_again("[" + question_sent + answer(thinking) + "]") == user);
    CHECK(sent_again("[" + question_sent + answer(thinking + "," + redacted) + "]") == user);
    CHECK(sent_again("[" + question_sent + answer(R"({"type":"text","text":"\n"},)" + thinking) + "]") == user);
    CHECK(sent_again("[" + question_sent + answer(thinking + "," + text + "," + thinking) + "]") ==
          "[" + question_sent + answer(thinking + "," + text) + "]");
    const std::string rest = question_sent + answer(thinking + "," + text);
    CHECK(sent_again("[" + question_sent + answer(thinking) + "," + rest + "]") ==
          "[" + question_sent + R"x({"role":"assistant","content":"(no text)"},)x" + rest + "]");
    // After a pause the last answer has the blocks of a server's tool, which stay.
    const std::string paused = thinking + R"(,{"type":"server_tool_use","id":"s","name":"web_search","input":{}},)" +
                               R"({"type":"web_search_tool_result","tool_use_id":"s","content":[]})";
    CHECK(sent_again("[" + question_sent + answer(paused + "," + thinking) + "]") ==
          "[" + question_sent + answer(paused) + "]");
}

TEST_CASE("ids of calls are used once, and results belong to the calls of the last answer") {
    const Json messages = Json(anthropic::to_wire(std::vector{
        ChatMessage::user("?"), ChatMessage::assistant("", {{"call_0", {"f", {}}}, {"call_0", {"g", {}}}}),
        ChatMessage::tool("call_0", "f1"), ChatMessage::tool("call_0", "g1"), ChatMessage::tool("call_0", "more"),
        ChatMessage::assistant("", {{"call_0", {"f", {}}}}), ChatMessage::tool("call_0", "f2"),
        ChatMessage::assistant("", {{"call_0_2", {"f", {}}}}), ChatMessage::tool("call_0_2", "f3")}))["messages"];
    CHECK(messages[1]["content"][0]["id"] == "call_0");
    CHECK(messages[1]["content"][1]["id"] == "call_0_2");
    REQUIRE(messages[2]["content"].size() == 2);
    CHECK(messages[2]["content"][0]["tool_use_id"] == "call_0");
    CHECK(messages[2]["content"][0]["content"] == "f1");
    CHECK(messages[2]["content"][1]["tool_use_id"] == "call_0_2");
    CHECK(messages[2]["content"][1]["content"] == "g1\nmore");
    CHECK(messages[3]["content"][0]["id"] == "call_0_3");
    CHECK(messages[4]["content"][0]["tool_use_id"] == "call_0_3");
    CHECK(messages[5]["content"][0]["id"] == "call_0_2_2");
    CHECK(messages[6]["content"][0]["tool_use_id"] == "call_0_2_2");
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

TEST_CASE("for content of another type there is a text that says so") {
    for (const char* const type :
         {"image/svg+xml", "image/bmp", "image/heic", "application/zip", "application/octet-stream",
          "application/vnd.openxmlformats-officedocument.wordprocessingml.document", "application/msword"}) {
        INFO(type);
        CHECK(
            block_for({.type = "file", .media_type = type, .data = "AAAA", .name = "plan.x"}) ==
            Json{{"type", "text"},
                 {"text", "<" + std::string(type) + ", 3 bytes> 'plan.x': content of this type cannot be shown here"}});
    }
    CHECK(block_for({.type = "image", .media_type = "image/svg+xml", .url = "https://example.org/a.svg"})["text"] ==
          "<image/svg+xml, https://example.org/a.svg>: content of this type cannot be shown here");
    CHECK(block_for({.type = "file", .media_type = "text/csv", .url = "https://example.org/a.csv"})["type"] == "text");
    CHECK(block_for({.type = "file", .url = "https://example.org/a"})["type"] == "document");
}

TEST_CASE("a tool without parameters has a schema of an object") {
    const anthropic::ChatCodec codec({.model = "m", .api_key = "", .cache = false});
    const acta::ChatOptions options{.tools = {{.name = "now"}, {.name = "then", .parameters = nullptr}}};
    for (const Json& tool : codecs::request(codec, {ChatMessage::user("?")}, options)["tools"])
        CHECK(tool["input_schema"] == Json::parse(R"({"type":"object","properties":{}})"));
}
