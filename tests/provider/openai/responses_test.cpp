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
    CHECK(faults(R"({"input": 5})") == Faults{"/input list_type"});
    CHECK(faults(R"({"input": null})") == Faults{"/input list_type"});
    CHECK(faults(R"({"input": [], "output": {}})") == Faults{"/output list_type"});
    CHECK(faults(R"({"instructions": 5, "input": []})").empty());
    CHECK(faults(R"([{"type": null}, {"type": 3}, {"type": ""}, {"role": 3, "content": ""}, [],
        {"type": "custom_tool_call", "call_id": "a", "name": "f"},
        {"type": "function_call", "call_id": null, "arguments": []},
        {"type": "function_call", "call_id": "a", "name": "f", "arguments": null},
        {"type": "function_call_output", "output": {}},
        {"type": "custom_tool_call_output", "call_id": 3, "output": [5]},
        {"role": "user", "content": null}, {"role": "assistant", "content": null},
        {"role": "assistant", "content": [{"type": null}, {"type": ""}]}])") ==
          Faults{"/0 union_tag_not_found", "/1 union_tag_not_found", "/2 union_tag_not_found", "/3/role enum",
                 "/4 dict_type", "/5/input missing", "/6/call_id string_type", "/6/name missing",
                 "/6/arguments dict_type", "/7/arguments dict_type", "/8/call_id missing", "/8/output list_type",
                 "/9/call_id string_type", "/9/output/0 dict_type", "/10/content list_type", "/11/content list_type",
                 "/12/content/0 union_tag_not_found", "/12/content/1 union_tag_not_found"});
}

TEST_CASE("a text that is the content of the answer is kept once, if it is the only one") {
    const auto kept = [](const std::string& items) {
        const Messages messages = responses::from_wire(Json::parse(R"({"output":[)" + items + "]}"));
        return messages.at(0).content + " " + acta::dump(messages.at(0).extra);
    };
    const auto said = [](const std::string& text) {
        return R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":)" + text + "}]}";
    };
    const std::string call = R"({"type":"function_call","call_id":"a","name":"f","arguments":"{}","status":"x"})";
    const auto own = [](const std::string& items) { return R"({"openai_responses":{"items":[)" + items + "]}}"; };
    const std::string without = R"({"type":"message","role":"assistant","content":[{"type":"output_text"}]})";
    const std::string kept_call = R"({"type":"function_call","status":"x"})";
    CHECK(kept(said("\"A\"")) == "A " + own(without));
    CHECK(kept(said("\"A\"") + "," + call) == "A " + own(without + "," + kept_call));
    CHECK(kept(said("\"A\"") + "," + call + "," + said("\"\"")) ==
          "A " + own(said("\"A\"") + "," + kept_call + "," + said("\"\"")));
    CHECK(kept(said("\"A\"") + "," + call + "," + said("\"B\"")) ==
          "A\nB " + own(said("\"A\"") + "," + kept_call + "," + said("\"B\"")));
    CHECK(kept(R"({"role":"assistant","content":"A","id":"m"})") == "A " + own(R"({"role":"assistant","id":"m"})"));
    CHECK(kept(R"({"role":"assistant","content":"A"})") == "A {}");
    CHECK(kept(call + R"(,{"role":"assistant","content":"A"})") == "A " + own(kept_call + R"(,{"role":"assistant"})"));
    CHECK(kept(said("null")) == " " + own(said("null")));
    CHECK(kept(R"({"type":"x","content":"A"},)" + said("\"A\"")) ==
          "A " + own(R"({"type":"x","content":"A"},)" + without));
    CHECK(kept(R"({"type":"x","content":[3,{"type":"text","text":"A"}]},)" + said("\"A\"")) ==
          "A " + own(R"({"type":"x","content":[3,{"type":"text","text":"A"}]},)" + without));
    const std::string refusing =
        R"({"role":"assistant","content":[{"type":"output_text","text":"A"},{"type":"refusal","refusal":"B"}]})";
    CHECK(kept(refusing) == "AB " + own(refusing));
}

TEST_CASE("the items that an answer kept are written with what the message has now") {
    const auto written = [](const std::string& items, const std::vector<acta::AssistantToolCall>& calls = {}) {
        ChatMessage message = ChatMessage::assistant("now", calls);
        message.extra["openai_responses"] = {{"items", Json::parse(items)}};
        return sent({message});
    };
    const std::string now = R"([{"role":"assistant","content":"now"}])";
    CHECK(written("null") == now);
    CHECK(written("{}") == now);
    CHECK(written("[]") == "[]");
    CHECK(written(R"([3,null,{"type":"x"}])") == R"([{"type":"x"}])");
    CHECK(written(R"([{"role":"assistant"}])") == now);
    CHECK(written(R"([{"role":"assistant","content":"old"}])") == R"([{"role":"assistant","content":"old"}])");
    CHECK(written(R"([{"type":"message"}])") == R"([{"type":"message"}])");
    CHECK(written(R"([{"content":[3,{"type":"x"},{"type":"output_text"},{"type":"output_text","text":"old"},)"
                  R"({"type":"output_text","text":5}]}])") ==
          R"([{"content":[3,{"type":"x"},{"type":"output_text","text":"now"},{"type":"output_text","text":"old"},)"
          R"({"type":"output_text","text":""}]}])");
    // Calls keep their positions among the items; one that was removed is left out, and a new one is appended.
    const std::string f = R"({"type":"function_call","call_id":"a","name":"f","arguments":"{}")";
    const std::string place = R"({"type":"function_call","call_id":"old","name":"old","arguments":"old","x":1})";
    CHECK(written("[" + place + "]") == "[]");
    CHECK(written("[" + place + R"(,{"type":"y"}])", {{"a", {"f", {}}}}) == "[" + f + R"(,"x":1},{"type":"y"}])");
    CHECK(written(R"([{"type":"y"}])", {{"a", {"f", {}}}}) == R"([{"type":"y"},)" + f + "}]");
    const auto custom = [&](const acta::JsonObject& arguments) {
        const std::string out =
            written(R"([{"type":"custom_tool_call","input":"old","arguments":"y"}])", {{"a", {"f", arguments}}});
        return Json::parse(out).at(0);
    };
    CHECK(custom({{"input", "x"}}).dump() ==
          R"({"type":"custom_tool_call","call_id":"a","name":"f","input":"x","arguments":"y"})");
    CHECK(custom({{"input", 5}})["input"] == R"({"input":5})");
    CHECK(custom({{"other", "x"}})["input"] == R"({"other":"x"})");
    // Messages that are none of the model.
    ChatMessage user = ChatMessage::user("u");
    user.extra["openai_responses"] = {{"role", "x"}, {"content", "y"}, {"z", 1}};
    CHECK(sent({user}) == R"([{"role":"developer","content":"u","z":1}])");
    user.extra["openai_responses"] = {{"item", {{"type", "x"}}}};
    CHECK(sent({user}) == R"([{"type":"x"}])");
    user.extra["openai_responses"] = Json::array({1});
    CHECK(sent({user}) == R"([{"role":"user","content":"u"}])");
    ChatMessage result = ChatMessage::tool("a", "r");
    result.extra["openai_responses"] = {{"type", "x"}, {"call_id", "y"}, {"output", "z"}, {"item", 1}};
    CHECK(sent({result}) == R"([{"type":"function_call_output","call_id":"a","output":"r","item":1}])");
    result.extra["openai_responses"] = {{"type", "custom_tool_call_output"}};
    CHECK(sent({result}) == R"([{"type":"custom_tool_call_output","call_id":"a","output":"r"}])");
}
