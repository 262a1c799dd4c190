// SPDX-License-Identifier: MIT
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"

#include <functional>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "support/catch.hpp"

namespace {

using acta::ChatMessage;
using acta::ContentPart;
using acta::Json;
namespace openai = acta::openai;

std::string sent(const ChatMessage& message, openai::SendReasoning reasoning = openai::SendReasoning::with_calls) {
    const acta::JsonArray wire = openai::to_wire(std::span(&message, 1), reasoning);
    return acta::dump(wire.at(0));
}

}  // namespace

TEST_CASE("messages of the API come back as they were") {
    // Members in acta's order, and nothing that is null: then the text is the same.
    const std::string text =
        R"([{"role":"developer","content":"Be brief.","name":"boss"},)"
        R"({"role":"user","content":[{"type":"text","text":"What is this?"},)"
        R"({"type":"image_url","image_url":{"url":"data:image/png;base64,iVBORw0KGgo=","detail":"low"}},)"
        R"({"type":"image_url","image_url":{"url":"https://example.org/a.png"}},)"
        R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"mp3"}},)"
        R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}},)"
        R"({"type":"file","file":{"file_id":"file-1"}},{"type":"video_url","video_url":{"url":"https://example.org/v"}}]},)"
        R"({"role":"assistant","content":null,"reasoning_content":"Hm.","tool_calls":[{"id":"c1","type":"function",)"
        R"("function":{"name":"look","arguments":"{\"at\":[1,2.0]}"},"extra_content":{"google":{"thought_signature":"s"}}}],)"
        R"("reasoning_details":[{"type":"reasoning.encrypted","data":"x"}]},)"
        R"({"role":"tool","content":"a tide table","tool_call_id":"c1"},)"
        R"({"role":"assistant","content":null,"function_call":{"name":"g","arguments":"{}"}},)"
        R"({"role":"function","content":"7","name":"g"},)"
        R"({"role":"assistant","content":null,"refusal":"No."},)"
        R"({"role":"assistant","content":[{"type":"refusal","refusal":"Not that."}],"annotations":[{"type":"url_citation"}],)"
        R"("audio":{"id":"audio_1"}}])";
    const std::vector<ChatMessage> messages = openai::from_wire(acta::parse<Json>(text));
    CHECK(acta::dump(openai::to_wire(messages)) == text);
    CHECK(acta::parse<std::vector<ChatMessage>>(acta::dump(messages)) == messages);

    CHECK(messages[0].role == acta::ChatRole::system);
    CHECK(messages[1].content ==
          "What is this?\n<image/png, 8 bytes>\n<image, https://example.org/a.png>\n<audio/mpeg, 3 bytes>\n"
          "<application/pdf, 3 bytes>\n{\"type\":\"file\",\"file\":{\"file_id\":\"file-1\"}}\n"
          R"({"type":"video_url","video_url":{"url":"https://example.org/v"}})");
    CHECK(acta::to_string(messages[2].tool_calls.at(0)) == "look(at=[1, 2.0])");
    CHECK(messages[5].role == acta::ChatRole::tool);
    CHECK(messages[6].content == "No.");
    CHECK(messages[7].content == "Not that.");
}

TEST_CASE("reasoning is sent back as the server wants it") {
    ChatMessage plain = ChatMessage::assistant("a");
    plain.reasoning_content = "r";
    ChatMessage calling = ChatMessage::assistant("a", {{"c", {"f", {}}}});
    calling.reasoning_content = "r";
    const auto sends = [](const ChatMessage& message, openai::SendReasoning reasoning) {
        return sent(message, reasoning).find(R"("reasoning_content":"r")") != std::string::npos;
    };
    CHECK_FALSE(sends(plain, openai::SendReasoning::never));
    CHECK_FALSE(sends(calling, openai::SendReasoning::never));
    CHECK_FALSE(sends(plain, openai::SendReasoning::with_calls));
    CHECK(sends(calling, openai::SendReasoning::with_calls));
    CHECK(sends(plain, openai::SendReasoning::always));
    const auto named = acta::parse<ChatMessage>(R"({"role":"assistant","content":"a","reasoning":"r"})");
    CHECK(sent(named, openai::SendReasoning::never) == R"({"role":"assistant","content":"a"})");
}

TEST_CASE("what other APIs have is sent in the form of this one, or as text") {
    const std::string image = R"({"type":"image_url","image_url":{"url":"data:image/png;base64,AAAA"}})";
    ChatMessage message = ChatMessage::tool("c1", "no", true);
    message.extra = {{"anthropic", acta::JsonObject{{"content", 1}}}};
    CHECK(sent(message) == R"({"role":"tool","content":"Action failed: 'no'","tool_call_id":"c1"})");
    ChatMessage picture = message;
    picture.parts = {{.type = "image", .media_type = "image/png", .data = "AAAA"}};
    CHECK(acta::dump(openai::to_wire(std::vector{picture})) ==
          R"([{"role":"tool","content":[{"type":"text","text":"Action failed: "},{"type":"text",)"
          R"("text":"\n<image/png, 3 bytes>, in the next message of the user\n"}],"tool_call_id":"c1"},)"
          R"({"role":"user","content":[{"type":"text","text":"From the result of the call c1"},)" +
              image + "]}]");
    picture.role = acta::ChatRole::assistant;
    CHECK_THAT(sent(picture), contains_text(R"({"type":"text","text":"<image/png, 3 bytes>"}])"));
    message.content = "The action did not finish; it has no result.";
    CHECK(sent(message) == R"({"role":"tool","content":")" + message.content + R"(","tool_call_id":"c1"})");
}

TEST_CASE("images, audio and files of results follow in a message of the user, behind all results of the step") {
    ChatMessage first = ChatMessage::tool("c1", "");
    first.parts = {{.text = "Seen:"}, {.type = "image", .media_type = "image/png", .data = "AAAA"}, {.text = "Done."}};
    ChatMessage second = ChatMessage::tool("c2", "");
    second.parts = {{.type = "audio", .media_type = "audio/wav", .data = "AAAA"},
                    {.type = "file", .media_type = "application/pdf", .data = "AAAA", .name = "a.pdf"},
                    {.type = "image", .url = "images/a.png"}};
    const Json wire(openai::to_wire(std::vector{ChatMessage::assistant("", {{"c1", {"f", {}}}, {"c2", {"g", {}}}}),
                                                first, second, ChatMessage::user("Well?")}));
    REQUIRE(wire.size() == 5);
    for (const std::size_t i : {1U, 2U}) {
        for (const Json& part : wire[i]["content"]) CHECK(part["type"] == "text");
    }
    CHECK_THAT(wire[1]["content"][1]["text"].get<std::string>(), contains_text("in the next message of the user"));
    CHECK(wire[3]["role"] == "user");
    std::string types;
    for (const Json& part : wire[3]["content"]) types += part["type"].get<std::string>() + " ";
    CHECK(types == "text image_url text input_audio file ");
    CHECK(wire[4]["content"] == "Well?");
    const std::vector<ChatMessage> read = openai::from_wire(wire);
    REQUIRE(read.size() == 4);
    CHECK(read[1].parts == first.parts);
    CHECK(read[1].content == acta::parts_text(first.parts));
    CHECK(read[2].parts[1] == second.parts[1]);
    // What only looks like it stays a message of the user.
    Json other = wire;
    other[3]["content"][0]["text"] = "From the result of the call c3";
    CHECK(openai::from_wire(other).size() == 5);
    const auto messages_with = [&wire](const std::function<void(Json&)>& change) {
        Json changed = wire;
        change(changed);
        return openai::from_wire(changed).size();
    };
    CHECK(messages_with([](Json& one) { one[3]["content"].erase(0); }) == 5);  // no text before the first part
    CHECK(messages_with([](Json& one) { one[3]["content"][1]["image_url"]["url"] = "https://h/x.png"; }) == 5);
    CHECK(messages_with([](Json& one) { one[3]["content"][2]["text"] = "And more."; }) == 5);
    CHECK(messages_with([](Json& one) { one[3]["role"] = "assistant"; }) == 5);
    CHECK(messages_with([](Json& one) { one[3]["content"] = "From the result of the call c1"; }) == 5);
    CHECK(messages_with([](Json& one) { one[2]["role"] = "user"; }) == 5);      // the result is not directly before it
    CHECK(messages_with([](Json& one) { one[1]["content"] = "Seen."; }) == 5);  // the result has no line for it
    CHECK(messages_with([](Json& one) { one[3]["content"].erase(3); }) == 4);
}

TEST_CASE("two results of one call are one, for every API") {
    ChatMessage third = ChatMessage::tool("c1", "", true);
    third.parts = {{.text = "three"}};
    third.content = "three";
    const std::vector<ChatMessage> messages{ChatMessage::user("?"),
                                            ChatMessage::assistant("", {{"c1", {"f", {}}}, {"c2", {"g", {}}}}),
                                            ChatMessage::tool("c1", "one"),
                                            ChatMessage::tool("c2", "two"),
                                            ChatMessage::tool("c1", "again"),
                                            third,
                                            ChatMessage::assistant("", {{"c1", {"f", {}}}}),
                                            ChatMessage::tool("c1", "later")};
    const Json chat(openai::to_wire(messages));
    REQUIRE(chat.size() == 6);
    std::string text;
    for (const Json& part : chat[2]["content"]) text += part["text"];
    CHECK(text == "Action failed: one\nagain\nthree");
    CHECK(chat[3]["content"] == "two");
    CHECK(chat[5]["content"] == "later");
    CHECK(openai::responses::to_wire(messages).size() == 7);
    const Json request(acta::anthropic::to_wire(messages));
    CHECK(request["messages"][2]["content"].size() == 2);
    CHECK(request["messages"][2]["content"][0]["is_error"] == true);
}

TEST_CASE("ids that the API refuses are shortened, each to another one, and still name their calls") {
    const std::string start(50, 'x');
    const std::vector<ChatMessage> messages{
        ChatMessage::assistant("", {{start + "1", {"f", {}}}, {start + "2", {"g", {}}}}),
        ChatMessage::tool(start + "1", "1"), ChatMessage::tool(start + "2", "2")};
    const std::vector<ChatMessage> read = openai::from_wire(Json(openai::to_wire(messages)));
    CHECK(read[0].tool_calls[0].id.size() == 40);
    CHECK(read[0].tool_calls[0].id != read[0].tool_calls[1].id);
    CHECK(read[1].tool_call_id == read[0].tool_calls[0].id);
    CHECK(read[2].tool_call_id == read[0].tool_calls[1].id);
}

TEST_CASE("what is no list of messages is refused with its place") {
    const auto where = [](const char* text) {
        try {
            static_cast<void>(openai::from_wire(acta::parse<Json>(text)));
            return std::string("read");
        } catch (const acta::ValidationError& error) {
            return error.issues().front().pointer() + " " + error.issues().front().type;
        }
    };
    CHECK(where("{}") == " list_type");
    CHECK(where(R"([{"role":"user","content":"x"},5])") == "/1 model_type");
    CHECK(where(R"([{"role":"user"}])") == "/0/content missing");
    CHECK(where(R"([{"role":"user","content":[{"text":"x"}]}])") == "/0/content/0 value_error");
    CHECK(where(R"([{"role":"assistant","tool_calls":[{"id":"c1","function":{"name":"f","arguments":"{\"a\":"}}]}])") ==
          "/0/tool_calls/0/function/arguments json_invalid");
    CHECK(where(R"([{"role":"assistant","tool_calls":[{"id":"c1","type":"custom","function":{"name":"f"}}]}])") ==
          "/0/tool_calls/0/type literal_error");
    CHECK_THROWS_AS(sent(ChatMessage::user("\xFF")), acta::EncodeError);
}
