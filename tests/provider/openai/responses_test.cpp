// SPDX-License-Identifier: MIT
#include "acta/provider/openai/wire.hpp"

#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "support/catch.hpp"
#include "support/issues.hpp"

namespace {

using acta::ChatMessage;
using acta::Json;
using Messages = std::vector<ChatMessage>;
namespace responses = acta::openai::responses;

/// Everything that an input has, as the API reference has it.
const char* const conversation = R"([
    {"role": "developer", "content": "Be brief."},
    {"type": "message", "role": "user", "content": [{"type": "input_text", "text": "What is this?"},
        {"type": "input_image", "image_url": "data:image/png;base64,AAAA", "detail": "low"},
        {"type": "input_image", "file_id": "file-1", "detail": "auto"},
        {"type": "input_file", "filename": "a.pdf", "file_data": "data:application/pdf;base64,BBBB"},
        {"type": "input_file", "file_url": "https://example.org/b.pdf"},
        {"type": "input_file", "file_data": "CCCC"},
        {"type": "input_audio", "input_audio": {"data": "DDDD", "format": "mp3"}},
        {"type": "input_hologram", "depth": [1, {"a": null}]}]},
    {"type": "reasoning", "id": "rs_1", "summary": [{"type": "summary_text", "text": "Look it up."}],
        "encrypted_content": "gAAAA", "status": "completed"},
    {"type": "web_search_call", "id": "ws_1", "status": "completed", "action": {"type": "search", "query": "tides"}},
    {"type": "message", "id": "msg_1", "status": "completed", "role": "assistant", "phase": "commentary", "content": [
        {"type": "output_text", "text": "I look.", "annotations": [], "logprobs": []}]},
    {"type": "function_call", "id": "fc_1", "call_id": "c1", "name": "search", "arguments": "{\"q\":\"tides\"}",
        "status": "completed"},
    {"type": "custom_tool_call", "id": "ctc_1", "call_id": "c2", "name": "patch", "input": "*** Begin"},
    {"type": "function_call_output", "call_id": "c1", "output": "3 results", "id": "fco_1"},
    {"type": "custom_tool_call_output", "call_id": "c2", "output": [{"type": "input_text", "text": "done"},
        {"type": "input_image", "image_url": "https://example.org/c.png", "detail": "high"}]},
    {"type": "reasoning", "id": "rs_2", "summary": [], "encrypted_content": "gBBBB"},
    {"type": "computer_call", "id": "cu_1", "call_id": "c3", "action": {"type": "click", "x": 1, "y": 2}},
    {"type": "computer_call_output", "call_id": "c3", "output": {"type": "computer_screenshot", "image_url": "x"}},
    {"type": "message", "id": "msg_2", "role": "assistant", "content": [{"type": "output_text", "text": "Two.",
        "annotations": [{"type": "url_citation", "url": "https://example.org", "start_index": 0, "end_index": 3}]},
        {"type": "refusal", "refusal": "No more."}]},
    {"type": "item_reference", "id": "msg_0"},
    {"role": "assistant", "content": "And that is all."},
    {"role": "assistant", "content": "Really."},
    {"role": "user", "content": "Thanks."}])";

std::string sent(const Messages& messages) { return acta::dump(responses::to_wire(messages)); }

Faults faults(const char* text) {
    Faults out;
    try {
        static_cast<void>(responses::from_wire(Json::parse(text)));
    } catch (const acta::ValidationError& error) {
        for (const acta::Issue& issue : error.issues()) out.push_back(issue.pointer() + " " + issue.type);
    }
    return out;
}

}  // namespace

TEST_CASE("items of the Responses API come back as they were") {
    const Json original = Json::parse(conversation);
    const Messages messages = responses::from_wire(original);
    const acta::JsonArray again = responses::to_wire(messages);
    REQUIRE(again.size() == original.size());
    for (std::size_t i = 0; i < original.size(); ++i) {
        INFO("item " << i << ": " << again[i].dump());
        CHECK(nlohmann::json::parse(again[i].dump()) == nlohmann::json::parse(original[i].dump()));
    }
    // Also through the JSON of messages.
    CHECK(acta::dump(responses::to_wire(acta::parse<Messages>(acta::dump(messages)))) == acta::dump(again));
}

TEST_CASE("items are messages that every provider takes") {
    const Messages messages = responses::from_wire(Json::parse(conversation));
    REQUIRE(messages.size() == 12);
    CHECK(messages[0].role == acta::ChatRole::system);
    CHECK(messages[1].parts[1] ==
          acta::ContentPart{.type = "image",
                            .media_type = "image/png",
                            .data = "AAAA",
                            .extra = {{"openai_responses", acta::JsonObject{{"detail", "low"}}}}});
    CHECK(messages[1].parts[3].name == "a.pdf");
    CHECK(messages[1].parts[4].url == "https://example.org/b.pdf");
    CHECK(messages[1].parts[6].media_type == "audio/mpeg");
    CHECK(messages[2].content == "I look.");
    REQUIRE(messages[2].tool_calls.size() == 2);
    CHECK(messages[2].tool_calls[0] == acta::AssistantToolCall{"c1", {"search", {{"q", "tides"}}}});
    CHECK(messages[2].tool_calls[1] == acta::AssistantToolCall{"c2", {"patch", {{"input", "*** Begin"}}}});
    CHECK(messages[3].tool_call_id == "c1");
    CHECK(messages[3].content == "3 results");
    CHECK(messages[4].parts[1].url == "https://example.org/c.png");
    CHECK(messages[7].content == "Two.No more.");
    CHECK(messages[9] == ChatMessage::assistant("And that is all."));
    CHECK(messages[10] == ChatMessage::assistant("Really."));

    const std::string chat = acta::dump(acta::openai::to_wire(messages));
    const std::string anthropic = acta::dump(acta::anthropic::to_wire(messages));
    for (const char* const text : {"I look.", "3 results", "Two.", "And that is all.", "Thanks.", "AAAA", "c.png"}) {
        CHECK_THAT(chat, contains_text(text));
        CHECK_THAT(anthropic, contains_text(text));
    }
    CHECK_THAT(chat, !contains_text("gAAAA"));
    CHECK_THAT(anthropic, !contains_text("gAAAA"));
}

TEST_CASE("messages of others are sent as items") {
    ChatMessage shown = ChatMessage::user("");
    shown.parts = {{.text = "See."},
                   {.type = "image", .media_type = "image/png", .data = "AAAA"},
                   {.type = "file", .text = "high at six", .name = "tides.txt"},
                   {.type = "image", .url = "images/a.png"}};
    ChatMessage thought = ChatMessage::assistant("Look.", {{std::string(70, 'x'), {"f", {{"n", 1}}}}});
    thought.reasoning_content = "Hm.";
    thought.extra = {{"anthropic", acta::JsonObject{{"content", acta::JsonArray()}}}};
    const std::string id(64, 'x');
    CHECK(sent({ChatMessage::system("Be."), shown, thought, ChatMessage::tool(std::string(70, 'x'), "no", true)}) ==
          R"([{"role":"system","content":"Be."},{"role":"user","content":[{"type":"input_text","text":"See."},)"
          R"({"type":"input_image","image_url":"data:image/png;base64,AAAA"},)"
          R"({"type":"input_text","text":"high at six"},{"type":"input_text","text":"<image, images/a.png>"}]},)"
          R"({"role":"assistant","content":"Look."},{"type":"function_call","call_id":")" +
              id + R"(","name":"f","arguments":"{\"n\":1}"},{"type":"function_call_output","call_id":")" + id +
              R"(","output":"Action failed: 'no'"}])");
    CHECK(sent({ChatMessage::assistant("", {{"a", {"f", {}}}})}) ==
          R"([{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}])");
    ChatMessage failed = ChatMessage::tool("a", "", true);
    failed.parts = {{.type = "image", .media_type = "image/png", .data = "AAAA"}};
    CHECK(sent({failed}) == R"([{"type":"function_call_output","call_id":"a","output":[)"
                            R"({"type":"input_text","text":"Action failed: "},)"
                            R"({"type":"input_image","image_url":"data:image/png;base64,AAAA"}]}])");
}

TEST_CASE("a request and a response are read, too") {
    CHECK(responses::from_wire(Json::parse(R"({"model": "m", "instructions": "Be.", "input": "Hi."})")) ==
          Messages{ChatMessage::system("Be."), ChatMessage::user("Hi.")});
    const Messages answer = responses::from_wire(Json::parse(R"({"id": "resp_1", "output": [
        {"type": "message", "id": "m", "role": "assistant", "content": [{"type": "output_text", "text": "Yes."}]}]})"));
    REQUIRE(answer.size() == 1);
    CHECK(answer[0].content == "Yes.");
    // An answer that is changed is sent as it is now.
    ChatMessage changed = answer[0];
    changed.content = "No.";
    CHECK(sent({changed}) ==
          R"([{"type":"message","id":"m","role":"assistant","content":[{"type":"output_text","text":"No."}]}])");
}

TEST_CASE("what is no list of items is refused with its places, all at once") {
    CHECK(faults("3") == Faults{" model_type"});
    CHECK(faults("{}") == Faults{"/input missing"});
    CHECK(faults(R"([5, {"a": 1}, {"role": "robot", "content": ""}, {"role": "user"}, {"role": "user", "content": 3},
        {"type": "function_call", "name": 3, "arguments": "{"}, {"type": "function_call_output", "call_id": "a"},
        {"role": "user", "content": [{"text": "a"}]}, {"role": "assistant"}, {"role": "assistant", "content": 5},
        {"role": "assistant", "content": [5, {"type": "output_text"}, {"type": "output_text", "text": 3}]}])") ==
          Faults{"/0 dict_type", "/1 union_tag_not_found", "/2/role enum", "/3/content missing", "/4/content list_type",
                 "/5/call_id missing", "/5/name string_type", "/5/arguments json_invalid", "/6/output missing",
                 "/7/content/0 union_tag_not_found", "/8/content missing", "/9/content list_type",
                 "/10/content/0 dict_type"});
}
