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

TEST_CASE("calls and messages of the assistant have a fixed form") {
    for (const char* const arguments : {"null", "[]", "\"{}\""})
        CHECK(faults<acta::AssistantFunctionCall>(R"({"name":"f","arguments":)" + std::string(arguments) + "}") ==
              Faults{"/arguments dict_type"});
    CHECK(acta::dump(acta::AssistantChatMessage{}) == R"({"role":"assistant","content":"","tool_calls":null})");
    CHECK(acta::parse<acta::AssistantChatMessage>("{}") == acta::AssistantChatMessage{});
    CHECK(faults<acta::AssistantChatMessage>(R"({"role":"user"})") == Faults{"/role literal_error"});
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
    CHECK(acta::parts_text(std::vector<acta::ContentPart>{parts[2], {.text = ""}}) == "<image/png, 3 bytes>");
}
