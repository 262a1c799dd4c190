// SPDX-License-Identifier: MIT
#include "acta/chat/message.hpp"

#include <sstream>
#include <string>

#include "acta/json/json.hpp"
#include "support/issues.hpp"

TEST_CASE("a call prints in Python's syntax with its arguments in order") {
    acta::AssistantFunctionCall call{"search",
                                     {{"query", "it's"}, {"limit", 3}, {"deep", acta::Json::parse("[true,null,1.0]")}}};
    CHECK(acta::to_string(call) == R"(search(query="it's", limit=3, deep=[True, None, 1.0]))");
    std::ostringstream out;
    out << call << " " << acta::AssistantToolCall{"id", call};
    CHECK(out.str() == acta::to_string(call) + " " + acta::to_string(call));
    CHECK(acta::to_string(acta::AssistantFunctionCall{"f", {}}) == "f()");
}

TEST_CASE("the order of arguments survives a round trip") {
    const std::string text = R"({"name":"f","arguments":{"z":1,"a":{"y":2,"b":3}}})";
    CHECK(acta::dump(acta::parse<acta::AssistantFunctionCall>(text)) == text);
    CHECK(acta::dump(acta::AssistantFunctionCall{}) == R"({"name":"","arguments":{}})");
}

TEST_CASE("arguments are an object and nothing else") {
    CHECK(faults<acta::AssistantFunctionCall>(R"({"name":"f","arguments":null})") == Faults{"/arguments dict_type"});
    CHECK(faults<acta::AssistantFunctionCall>(R"({"name":"f","arguments":[]})") == Faults{"/arguments dict_type"});
    CHECK(faults<acta::AssistantFunctionCall>(R"({"name":"f","arguments":"{}"})") == Faults{"/arguments dict_type"});
}

TEST_CASE("a tool call must be of type function") {
    const std::string text = R"({"id":"c1","type":"function","function":{"name":"f","arguments":{}}})";
    CHECK(acta::dump(acta::parse<acta::AssistantToolCall>(text)) == text);
    CHECK(faults<acta::AssistantToolCall>(R"({"id":"c1","function":{"name":"f","arguments":{}}})") ==
          Faults{"/type missing"});
    CHECK(faults<acta::AssistantToolCall>(R"({"id":"c1","type":"x","function":{}})") ==
          Faults{"/type literal_error", "/function/name missing", "/function/arguments missing"});
}

TEST_CASE("chat messages are made, written and read by role") {
    CHECK(acta::dump(acta::ChatMessage::user("hi")) == R"({"role":"user","content":"hi"})");
    CHECK(acta::dump(acta::ChatMessage::system("hi")) == R"({"role":"system","content":"hi"})");
    CHECK(
        acta::dump(acta::ChatMessage::assistant("", {{"c", {"f", {{"a", 1}}}}})) ==
        R"({"role":"assistant","content":null,"tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"{\"a\":1}"}}]})");
    CHECK(acta::dump(acta::ChatMessage::tool("c", "7", true)) ==
          R"({"role":"tool","content":"7","tool_call_id":"c","is_error":true})");
    for (const char* role : {"system", "user", "assistant", "tool"}) {
        const std::string text = R"({"role":")" + std::string(role) + R"(","content":""})";
        CHECK(acta::dump(acta::parse<acta::ChatMessage>(text)) == text);
    }
    CHECK(acta::parse<acta::ChatRole>("\"developer\"") == acta::ChatRole::system);
    CHECK(acta::dump(acta::parse<acta::ChatRole>("\"function\"")) == "\"tool\"");
    const auto issues = issues_of<acta::ChatMessage>(R"({"role":"human","content":"x"})");
    REQUIRE(issues.size() == 1);
    CHECK(issues[0].type == "enum");
    CHECK(issues[0].message == "Input should be 'system', 'user', 'assistant', 'tool', 'developer' or 'function'");
}

TEST_CASE("content and arguments of a wrong kind are issues with their places") {
    CHECK(faults<acta::ChatMessage>(R"({"role":"user","content":3})") == Faults{"/content content_type"});
    CHECK(faults<acta::ChatMessage>(R"({"role":"user","content":[{"type":"text","text":"a"},3]})") ==
          Faults{"/content/1 dict_type"});
    CHECK(
        faults<acta::ChatMessage>(R"({"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":[1]}}]})") ==
        Faults{"/tool_calls/0/function/arguments arguments_type"});
    CHECK(faults<acta::ChatMessage>(
              R"({"role":"assistant","tool_calls":[{"function":{"name":"f","arguments":"{\"a\": }"}}]})") ==
          Faults{"/tool_calls/0/function/arguments json_invalid"});
}

TEST_CASE("a message of the assistant has a fixed role") {
    CHECK(acta::dump(acta::AssistantChatMessage{}) == R"({"role":"assistant","content":"","tool_calls":null})");
    CHECK(acta::parse<acta::AssistantChatMessage>("{}") == acta::AssistantChatMessage{});
    CHECK(faults<acta::AssistantChatMessage>(R"({"role":"user"})") == Faults{"/role literal_error"});
}

TEST_CASE("every message comes back from its JSON") {
    acta::ChatMessage message = acta::ChatMessage::assistant("a", {{"c", {"f", {{"x", nullptr}}}}, {"", {"g", {}}}});
    message.reasoning_content = "";
    message.extra = {{"anthropic", acta::JsonObject{{"content", acta::JsonArray{1}}}},
                     {"openai", acta::JsonObject{{"audio", acta::JsonObject{{"id", "a"}}}}}};
    CHECK(acta::parse<acta::ChatMessage>(acta::dump(message)) == message);
    CHECK(acta::validate<acta::ChatMessage>(acta::to_json_value(message)) == message);
    acta::ChatMessage parts;
    parts.parts = {{.text = "a"},
                   {.type = "image", .url = "images/a.png", .name = "a"},
                   {.type = "image", .media_type = "image/png", .url = "https://example.org"},
                   {.type = "audio", .media_type = "audio/x;y", .data = "AAAA"},
                   {.type = "audio", .url = "a.wav"},
                   {.type = "file", .text = "t", .media_type = "text/plain", .name = "n"},
                   {.type = "file", .url = "u"},
                   {.text = "b", .extra = {{"anthropic", acta::JsonObject{{"cache_control", 1}}}}}};
    parts.content = acta::parts_text(parts.parts);
    CHECK(acta::parse<acta::ChatMessage>(acta::dump(parts)) == parts);
}

TEST_CASE("the text of parts joins what stands together") {
    const std::vector<acta::ContentPart> parts{
        {.text = "a"},
        {.text = "b"},
        {.type = "image", .media_type = "image/png", .data = "AAAA"},
        {.text = "c"},
        {.type = "image", .url = "data:image/png,x;base64," + std::string(40, 'A')}};
    CHECK(acta::parts_text(parts) == "ab\n<image/png, 3 bytes>\nc\n<image, <image/png,x, 30 bytes>>");
    CHECK(acta::parts_text({}).empty());
}

TEST_CASE("a part that is a call, as gateways leave it in the content, is read as the call, once") {
    const auto read = [](const std::string& more) {
        return acta::parse<acta::ChatMessage>(
            R"({"role": "assistant", "content": [{"type": "text", "text": "I sound."},
                {"type": "tool_use", "id": "u1", "name": "depth", "input": {"at": "bow"}}])" +
            more + "}");
    };
    const acta::AssistantToolCall call{"u1", {"depth", {{"at", "bow"}}}};
    const acta::ChatMessage alone = read("");
    CHECK(alone.content == "I sound.");
    CHECK(alone.parts.size() == 1);
    CHECK(alone.tool_calls == std::vector{call});
    CHECK(read(R"(, "tool_calls": [{"id": "u1", "type": "function", "function": {"name": "depth",
        "arguments": "{\"at\":\"bow\"}"}}])") == alone);
    const acta::ChatMessage two =
        read(R"(, "tool_calls": [{"id": "u2", "type": "function", "function": {"name": "depth",
        "arguments": "{}"}}])");
    CHECK(two.tool_calls == std::vector{acta::AssistantToolCall{"u2", {"depth", {}}}, call});
    // What is no call stays a part, and so does what a user sends.
    const acta::ChatMessage odd =
        acta::parse<acta::ChatMessage>(R"({"role": "assistant", "content": [{"type": "tool_use", "name": "depth"}]})");
    CHECK(odd.tool_calls.empty());
    CHECK(odd.parts.size() == 1);
    const acta::ChatMessage user = acta::parse<acta::ChatMessage>(
        R"({"role": "user", "content": [{"type": "tool_use", "id": "u1", "name": "depth", "input": {}}]})");
    CHECK(user.tool_calls.empty());
}

TEST_CASE("a part whose text, address or file is of another type comes back as it was written") {
    for (const char* const text :
         {R"({"type":"text","text":[]})", R"({"type":"text","text":null})", R"({"type":"text","text":{"a":1}})",
          R"({"type":"refusal","refusal":5})", R"({"type":"image_url","image_url":5})",
          R"({"type":"image_url","image_url":[]})", R"({"type":"file","file":"x"})", R"({"type":"file","file":{}})",
          R"({"type":"input_audio","input_audio":7})", R"({"type":"image","source":3})"}) {
        CAPTURE(text);
        const auto part = acta::parse<acta::ContentPart>(text);
        const std::string written = acta::dump(part);
        CHECK(acta::parse<acta::ContentPart>(written) == part);
        CHECK(acta::dump(acta::parse<acta::ContentPart>(written)) == written);
    }
    CHECK(acta::dump(acta::parse<acta::ContentPart>(R"({"type":"text","text":[]})")) == R"({"type":"text","text":[]})");
}
