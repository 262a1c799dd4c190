// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/codec.hpp"
#include "acta/provider/openai/wire.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"
#include "support/deep.hpp"

// What a server adds to an answer is within the limits of a record.
namespace {

using acta::Json;

const acta::openai::ChatCodec limits_chat({.base_url = "http://h", .api_key = ""});
const acta::openai::ResponsesCodec limits_responses({.api_key = ""});
const acta::anthropic::ChatCodec limits_anthropic({.api_key = ""});

/// Whether a history with the message can be read again, and within another one.
void check_recorded(const acta::AssistantChatMessage& message) {
    acta::EpisodicActionHistory<> history;
    if (!message.tool_calls) {
        history.register_message(message);
    } else {
        history.register_action(acta::proposal_from(message));
        CHECK(history[0].action.raw_message == message);
    }
    const std::string text = acta::dump(history);
    CHECK(acta::parse<acta::EpisodicActionHistory<>>(text) == history);
    Json inner = Json::parse(text);
    for (int i = 0; i < 3; ++i) inner = Json{{"sub_runs", Json::array({Json{{"history", inner}}})}};
    CHECK_NOTHROW(acta::parse<Json>(inner.dump()));
}

std::string notes_of(const acta::JsonObject& extra) {
    std::string out;
    for (const std::string& one : acta::chat_extension::not_recorded(extra)) out += one + "\n";
    return out;
}

struct LimitsCase {
    const acta::HttpChatCodec& codec;
    const char* body;
    std::vector<const char*> events;
};

std::vector<LimitsCase> limits_cases() {
    return {
        {limits_chat,
         R"({"choices":[{"finish_reason":"tool_calls","message":{"role":"assistant","content":[{"type":"text","text":"Hm."},
            {"type":"image_url","image_url":{"url":"https://h/i.png"}}],"annotations":[{"type":"url_citation"}],
            "reasoning_details":[{"type":"reasoning.text","text":"x"}],
            "tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}}],"usage":{}})",
         {R"({"choices":[{"index":0,"delta":{"content":"Hm.","reasoning_details":[{"index":0,"type":"reasoning.text"}]}}]})",
          R"({"choices":[{"index":0,"delta":{"content":[{"type":"x"}],"tool_calls":[{"index":0,"id":"a","function":{"name":"f","arguments":"{}"}}]}}]})",
          R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})"}},
        {limits_responses,
         R"({"status":"completed","output":[{"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"x"}]},
            {"type":"web_search_call","id":"w","action":{"type":"search"}},
            {"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hm.","annotations":[{"type":"url_citation"}]}]},
            {"type":"function_call","call_id":"a","name":"f","arguments":"{}"}]})",
         {R"({"type":"response.output_item.done","output_index":0,"item":{"type":"reasoning","id":"r","summary":[{"type":"summary_text"}]}})",
          R"({"type":"response.output_item.done","output_index":1,"item":{"type":"function_call","call_id":"a","name":"f","arguments":"{}"}})",
          R"({"type":"response.completed","response":{"status":"completed"}})"}},
        {limits_anthropic,
         R"({"stop_reason":"tool_use","content":[{"type":"thinking","thinking":"x","signature":"s"},
            {"type":"text","text":"Hm.","citations":[{"type":"char_location"}]},
            {"type":"server_tool_use","id":"s","name":"web_search","input":{"q":"x"}},
            {"type":"tool_use","id":"a","name":"f","input":{}}]})",
         {R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"x"}})",
          R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":""}})",
          R"({"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{"type":"char_location"}}})",
          R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}})",
          R"({"type":"message_stop"})"}}};
}

}  // namespace

TEST_CASE("a member of an answer that is nested too deeply is omitted, with a note, wherever a server adds it") {
    for (const LimitsCase& one : limits_cases()) {
        std::size_t noted = 0;
        const Json body = Json::parse(one.body);
        for (const deep::Place& place : deep::objects_of(body)) {
            CAPTURE(place.path.to_string());
            const acta::ChatReply reply = codecs::read(one.codec, deep::with_deep_member(body, place).dump());
            CHECK_THAT(reply.body.dump(), contains_text("deep-inside"));
            check_recorded(reply.completion.message);
            noted += notes_of(reply.completion.message.extra).empty() ? 0U : 1U;
        }
        CHECK(noted >= 3);
        for (std::size_t changed = 0; changed < one.events.size(); ++changed) {
            const Json event = Json::parse(one.events[changed]);
            for (const deep::Place& place : deep::objects_of(event)) {
                CAPTURE(changed, place.path.to_string());
                std::vector<std::string> events(one.events.begin(), one.events.end());
                events[changed] = deep::with_deep_member(event, place).dump();
                events.emplace_back("[DONE]");
                acta::ChatOptions options;
                options.on_event = [](const acta::ChatDelta&) {};
                check_recorded(codecs::read(one.codec, codecs::events(events), options).completion.message);
            }
        }
    }
}

TEST_CASE("only the member that is too deep is omitted, and the note says where it was") {
    const std::string deep = deep::nested(115).dump();
    const auto extra = [](const acta::HttpChatCodec& codec, const std::string& body) {
        return codecs::read(codec, body).completion.message.extra;
    };
    acta::JsonObject own =
        extra(limits_anthropic, R"({"content":[{"type":"thinking","thinking":"x","signature":"s","y":)" + deep +
                                    R"(},{"type":"text","text":"a"}]})");
    CHECK(own["anthropic"].dump() ==
          R"({"content":[{"type":"thinking","thinking":"x","signature":"s"},{"type":"text"}]})");
    CHECK(notes_of(own) == "anthropic.content[0].y: Input should be nested at most 100 levels deep\n");
    own = extra(limits_chat, R"({"choices":[{"message":{"content":"a","b":1,"c":)" + deep + "}}]}");
    CHECK(own["openai"].dump() == R"({"b":1})");
    CHECK(notes_of(own) == "openai.c: Input should be nested at most 100 levels deep\n");
    own = extra(limits_chat, R"({"choices":[{"message":{"content":"a","tool_calls":[{"id":"a","z":)" + deep +
                                 R"(,"w":2,"function":{"name":"f","arguments":"{}"}}]}}]})");
    CHECK(own["openai"].dump() == R"({"tool_calls":[{"w":2}]})");
    // Up to the limit everything is kept, and nothing is noted.
    const std::string most = deep::nested(98).dump();
    own = extra(limits_chat, R"({"choices":[{"message":{"content":"a","c":)" + most + "}}]}");
    CHECK(own["openai"]["c"].dump() == most);
    CHECK(own.size() == 1);
    // No API gets the notes.
    acta::ChatMessage said = acta::ChatMessage::assistant("a");
    said.extra["acta"] = Json{{"not_recorded", {"openai.c: x"}}};
    const std::vector<acta::ChatMessage> messages{acta::ChatMessage::user("?"), said};
    CHECK(acta::dump(acta::openai::to_wire(messages)).find("not_recorded") == std::string::npos);
    CHECK(acta::dump(acta::openai::responses::to_wire(messages)).find("not_recorded") == std::string::npos);
    CHECK(acta::dump(acta::anthropic::to_wire(messages)).find("not_recorded") == std::string::npos);
}

TEST_CASE("messages that are read from a request are ones that a record can have") {
    const auto check = [](const auto& read, const Json& request) {
        for (const deep::Place& place : deep::objects_of(request)) {
            CAPTURE(place.path.to_string());
            std::vector<acta::ChatMessage> messages = read(deep::with_deep_member(request, place));
            for (const acta::ChatMessage& one : messages) CHECK(acta::chat_extension::is_recordable(one));
            acta::EpisodicActionHistory<> history;
            for (acta::ChatMessage& one : messages) history.register_message(std::move(one));
            CHECK(acta::parse<acta::EpisodicActionHistory<>>(acta::dump(history)) == history);
        }
    };
    check(
        [](const Json& in) { return acta::openai::from_wire(in); },
        Json::parse(
            R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"image_url","image_url":{"url":"https://h"}}]}])"));
    check([](const Json& in) { return acta::openai::responses::from_wire(in); },
          Json::parse(
              R"([{"role":"user","content":[{"type":"input_text","text":"a"}]},{"type":"item_reference","id":"x"}])"));
    check(
        [](const Json& in) { return acta::anthropic::from_wire(in); },
        Json::parse(
            R"([{"role":"user","content":[{"type":"text","text":"a"},{"type":"image","source":{"type":"url","url":"https://h"}}]}])"));
}
