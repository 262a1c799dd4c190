// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/anthropic/chat_model.hpp"
#include "provider/codec.hpp"

namespace {

using acta::ChatMessage;
using acta::ChatOptions;
using acta::Json;
namespace anthropic = acta::anthropic;

anthropic::ChatCodec anthropic_codec(anthropic::Options own = {}) {
    own.api_key = "";
    return anthropic::ChatCodec(own);
}

Json request_to_anthropic(const std::vector<ChatMessage>& messages, const ChatOptions& chat = {},
                          const anthropic::Options& own = {}) {
    return codecs::request(anthropic_codec(own), messages, chat);
}

acta::ChatCompletion answer_of_anthropic(const char* body) { return codecs::read(anthropic_codec(), body).completion; }

}  // namespace

TEST_CASE("what the next request repeats is marked for the cache") {
    const Json marked = request_to_anthropic({ChatMessage::system("Be brief."), ChatMessage::user("Hi")});
    CHECK(marked["system"].dump() == R"([{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}])");
    CHECK(marked["messages"][0]["content"].dump() ==
          R"([{"type":"text","text":"Hi","cache_control":{"type":"ephemeral"}}])");
    ChatOptions chat;
    chat.tools = {{"a", "", Json::object()}, {"b", "", Json::object()}};
    const Json tools = request_to_anthropic({ChatMessage::user("Hi")}, chat)["tools"];
    CHECK_FALSE(tools[0].contains("cache_control"));
    CHECK(tools[1].contains("cache_control"));
    // The API takes four marks: those of the messages come first.
    std::vector<ChatMessage> own;
    for (int i = 0; i < 3; ++i) {
        ChatMessage message = ChatMessage::user("");
        message.parts = {acta::read_content_part(
            {{"type", "text"}, {"text", "x"}, {"cache_control", acta::JsonObject{{"type", "ephemeral"}}}},
            "anthropic")};
        own.push_back(message);
        own.push_back(ChatMessage::assistant("y"));
    }
    const std::string three = request_to_anthropic(own).dump();
    std::size_t marks = 0;
    for (std::size_t at = three.find("cache_control"); at != std::string::npos;
         at = three.find("cache_control", at + 1))
        ++marks;
    CHECK(marks == 3);
}

TEST_CASE("the API takes four marks, of which those that messages have come first") {
    const auto part = [](bool is_marked, int inner = 0) {
        Json block{{"type", "search_result"}, {"title", "x"}};
        const Json mark{{"type", "ephemeral"}};
        if (is_marked) block["cache_control"] = mark;
        for (int i = 0; i < inner; ++i)
            block["content"].push_back(Json{{"type", "text"}, {"text", "x"}, {"cache_control", mark}});
        return acta::read_content_part(acta::JsonObject(block.get_ref<Json::object_t&>()), "anthropic");
    };
    struct Row {
        std::vector<acta::ContentPart> system;  // none for a text
        std::vector<acta::ContentPart> user;
        std::vector<acta::ContentPart> result;
        std::string marked;  // the places of the marks that were added
    };
    const std::string both = "/system/0 /messages/2/content/0 ";
    for (const Row& row : std::vector<Row>{
             {{}, {}, {}, both},
             {{}, {part(true)}, {}, both},
             {{}, {part(true), part(true)}, {}, both},
             {{}, {part(true), part(true), part(true)}, {}, ""},
             {{}, {part(true), part(false), part(true)}, {part(false)}, both},
             {{}, {part(true)}, {part(true)}, both},
             {{}, {part(true)}, {part(true), part(true)}, ""},
             {{}, {part(false, 2)}, {}, both},
             {{}, {part(false, 3)}, {}, ""},
             {{}, {part(true, 2)}, {}, ""},
             {{part(true), part(false)}, {part(true)}, {}, "/system/1 /messages/2/content/0 "},
             {{part(true), part(false)}, {part(true), part(true)}, {}, ""},
             {{part(false), part(true)}, {}, {}, "/messages/2/content/0 "},
             {{part(true), part(true), part(true), part(false)}, {}, {}, ""},
             {{part(false, 2), part(false)}, {}, {}, "/system/1 /messages/2/content/0 "},
             {{part(true, 2), part(false)}, {}, {}, ""},
         }) {
        ChatMessage system = ChatMessage::system("s");
        system.parts = row.system;
        ChatMessage user = ChatMessage::user("u");
        user.parts = row.user;
        ChatMessage result = ChatMessage::tool("c", "r");
        result.parts = row.result;
        const std::vector<ChatMessage> messages{system, user, ChatMessage::assistant("a", {{"c", {"f", {}}}}), result};
        ChatOptions chat;
        chat.tools = {{"f", "", Json::object()}};
        const Json with = request_to_anthropic(messages, chat);
        const Json without = request_to_anthropic(messages, chat, {.cache = false});
        CAPTURE(with.dump());
        std::string marked;
        const auto add = [&marked](const Json& blocks, const Json& plain, const std::string& place) {
            for (std::size_t i = 0; blocks.is_array() && i < blocks.size(); ++i) {
                const bool was_marked = plain.is_array() && plain[i].contains("cache_control");
                if (blocks[i].contains("cache_control") && !was_marked) marked += place + std::to_string(i) + " ";
            }
        };
        CHECK(with["tools"] == without["tools"]);
        add(with["system"], without["system"], "/system/");
        for (std::size_t i = 0; i < with["messages"].size(); ++i)
            add(with["messages"][i]["content"], without["messages"][i]["content"],
                "/messages/" + std::to_string(i) + "/content/");
        CHECK(marked == row.marked);
    }
}

TEST_CASE("an answer of Anthropic is read, with thinking, calls and usage") {
    const acta::ChatCompletion one = answer_of_anthropic(
        R"({"id":"msg_1","type":"message","role":"assistant","model":"claude-x","content":[
            {"type":"thinking","thinking":"Hm.","signature":"s1"},{"type":"text","text":"I look."},
            {"type":"tool_use","id":"t1","name":"search","input":{"q":"tides"}}],
            "stop_reason":"tool_use","usage":{"input_tokens":10,"cache_creation_input_tokens":200,
            "cache_read_input_tokens":3000,"output_tokens":50}})");
    CHECK(one.message.content == "I look.");
    CHECK(to_string(one.message.tool_calls->front()) == "search(q='tides')");
    CHECK(one.finish_reason == "tool_calls");
    CHECK(one.model == "claude-x");
    CHECK(one.usage ==
          acta::TokenUsage{
              .prompt_tokens = 3210, .completion_tokens = 50, .cached_tokens = 3000, .cache_write_tokens = 200});
    // The signature is written back in its place.
    const Json back = request_to_anthropic({ChatMessage::user("?"), one.message, ChatMessage::tool("t1", "high")}, {},
                                           {.cache = false});
    CHECK(back["messages"][1]["content"][0].dump() == R"({"type":"thinking","thinking":"Hm.","signature":"s1"})");
    CHECK(answer_of_anthropic(R"({"content":[],"stop_reason":"end_turn"})").finish_reason == "stop");
    CHECK(answer_of_anthropic(R"({"content":[],"stop_reason":"max_tokens"})").finish_reason == "length");
    CHECK(answer_of_anthropic(R"({"content":[],"stop_reason":"refusal"})").finish_reason == "refusal");
    CHECK(answer_of_anthropic(R"({"content":[{"type":"tool_use","id":"t","name":"f","input":"{\"a"}]})")
              .message.tool_calls->front()
              .function.arguments.count("unreadable_arguments") == 1);
    CHECK_THROWS_WITH(answer_of_anthropic(R"({"x":1})"), contains_text("it has no content"));
    CHECK_THROWS_WITH(answer_of_anthropic(R"({"content":[{"text":"x"}]})"),
                      contains_text("the answer is not a completion: "));
}

TEST_CASE("a stream of Anthropic becomes the message that would have come without") {
    const std::string start = R"({"type":"message_start","message":{"id":"m","role":"assistant","model":"c",)"
                              R"("content":[],"stop_reason":null,"usage":{"input_tokens":7,"output_tokens":1}}})";
    std::vector<std::string> events{
        start,
        R"({"type":"ping"})",
        R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":""}})",
        R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"H"}})",
        R"({"type":"content_block_delta","index":0,"delta":{"type":"thinking_delta","thinking":"m."}})",
        R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}})",
        R"({"type":"content_block_stop","index":0})",
        R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})",
        R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"I "}})",
        R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"look."}})",
        R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"t","name":"f","input":{}}})",
        R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{\"a\""}})",
        R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":":1}"}})",
        R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":9}})"};
    std::string text;
    acta::ChatReplyReader reader =
        anthropic_codec().reader(codecs::question(), {.on_text = [&](std::string_view part) { text += part; }});
    CHECK(reader.feed(codecs::events(events)) == acta::http::Demand::renewed);
    CHECK(text == "I look.");
    CHECK(reader.feed(codecs::events({R"({"type":"message_stop"})"})) == acta::http::Demand::nothing);
    CHECK(reader.finish().body.dump() ==
          R"({"id":"m","role":"assistant","model":"c","content":[{"type":"thinking","thinking":"Hm.","signature":"s"},)"
          R"({"type":"text","text":"I look."},{"type":"tool_use","id":"t","name":"f","input":{"a":1}}],)"
          R"("stop_reason":"tool_use","usage":{"input_tokens":7,"output_tokens":9}})");
    const auto wrong = [](const char* event) { return codecs::failure(anthropic_codec(), codecs::events({event})); };
    CHECK_THAT(wrong(R"({"type":"content_block_delta","index":0,"delta":{}})").what(), contains_text("to no block"));
    CHECK_THAT(wrong("[]").what(), contains_text("is not an object"));
    CHECK_THAT(wrong(R"({"type":"message_start"})").what(), contains_text("has no message"));
}

#else

TEST_CASE("Anthropic's client is tested where it is") { ACTA_SKIP("there is no client"); }

#endif
