// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// Replies in which a value is of another type than the API's documentation says.
namespace {

using acta::Json;

struct ShapesCase {
    const acta::HttpChatCodec& codec;
    std::vector<const char*> events;  // one that is not streamed, or all of a stream
};

const acta::openai::ChatCodec shapes_chat({.base_url = "http://h", .api_key = ""});
const acta::openai::ResponsesCodec shapes_responses({.api_key = ""});
const acta::anthropic::ChatCodec shapes_anthropic({.api_key = ""});

std::vector<ShapesCase> shapes_cases() {
    return {
        {shapes_chat, {R"({"model":"m","choices":[{"index":0,"finish_reason":"tool_calls","message":{"role":"assistant",
            "content":[{"type":"text","text":"Hm."},{"type":"thinking","thinking":"so"}],"refusal":"",
            "reasoning_content":"why","tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}"}}]}}],
            "usage":{"prompt_tokens":1,"completion_tokens":2,"prompt_tokens_details":{"cached_tokens":1}}})"}},
        {shapes_chat,
         {R"({"id":"x","object":"chat.completion.chunk","model":"m","choices":[{"index":0,"delta":{"role":"assistant","reasoning_content":"why","content":"Hm."}}]})",
          R"({"choices":[{"index":0,"delta":{"content":[{"type":"text","text":"So."}],"reasoning_details":[{"index":0,"type":"reasoning.text","text":"x"}]}}]})",
          R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"id":"a","type":"function","function":{"name":"f","arguments":"{"}}]}}]})",
          R"({"choices":[{"index":0,"delta":{"tool_calls":[{"index":0,"function":{"arguments":"}"}}]}}]})",
          R"({"choices":[{"index":0,"delta":{},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":1}})"}},
        {shapes_responses,
         {R"({"status":"completed","model":"m","incomplete_details":{"reason":"max_output_tokens"},"output":[
            {"type":"reasoning","id":"r","summary":[{"type":"summary_text","text":"x"}]},
            {"type":"message","role":"assistant","content":[{"type":"output_text","text":"Hm.","annotations":[]},{"type":"refusal","refusal":"No."}]},
            {"type":"function_call","id":"i","call_id":"a","name":"f","arguments":"{}","status":"completed"}],
            "usage":{"input_tokens":1,"output_tokens":2,"output_tokens_details":{"reasoning_tokens":1}}})"}},
        {shapes_responses,
         {R"({"type":"response.output_item.added","output_index":0,"item":{"type":"message","id":"m","role":"assistant","content":[]}})",
          R"({"type":"response.output_text.delta","output_index":0,"item_id":"m","content_index":0,"delta":"Hm."})",
          R"({"type":"response.output_text.done","output_index":0,"item_id":"m","content_index":1,"text":"So."})",
          R"({"type":"response.reasoning_summary_text.delta","delta":"why"})",
          R"({"type":"response.output_item.added","output_index":1,"item":{"type":"function_call","id":"i","call_id":"a","name":"f","arguments":""}})",
          R"({"type":"response.function_call_arguments.delta","item_id":"i","output_index":1,"delta":"{"})",
          R"({"type":"response.function_call_arguments.delta","item_id":"i","output_index":1,"delta":"}"})",
          R"({"type":"response.completed","response":{"status":"completed","output":[]}})"}},
        {shapes_anthropic,
         {R"({"model":"m","stop_reason":"tool_use","content":[{"type":"thinking","thinking":"x","signature":"s"},
            {"type":"text","text":"Hm.","citations":[{"type":"char_location"}]},
            {"type":"tool_use","id":"a","name":"f","input":{}}],"usage":{"input_tokens":1,"output_tokens":2}})"}},
        {shapes_anthropic,
         {R"({"type":"message_start","message":{"role":"assistant","model":"m","content":[],"usage":{"input_tokens":1}}})",
          R"({"type":"content_block_start","index":0,"content_block":{"type":"thinking","thinking":"w"}})",
          R"({"type":"content_block_delta","index":0,"delta":{"type":"signature_delta","signature":"s"}})",
          R"({"type":"content_block_start","index":1,"content_block":{"type":"text","text":"H"}})",
          R"({"type":"content_block_delta","index":1,"delta":{"type":"text_delta","text":"m."}})",
          R"({"type":"content_block_delta","index":1,"delta":{"type":"citations_delta","citation":{"type":"char_location"}}})",
          R"({"type":"content_block_start","index":2,"content_block":{"type":"tool_use","id":"a","name":"f","input":{}}})",
          R"({"type":"content_block_delta","index":2,"delta":{"type":"input_json_delta","partial_json":"{}"}})",
          R"({"type":"message_delta","delta":{"stop_reason":"tool_use"},"usage":{"output_tokens":2}})"}}};
}

std::vector<Json::json_pointer> places_in(const Json& value, const Json::json_pointer& at) {
    std::vector<Json::json_pointer> out{at};
    if (!value.is_structured()) return out;
    for (const auto& [key, one] : value.items()) {
        const auto below = places_in(one, value.is_array() ? at / std::stoul(key) : at / key);
        out.insert(out.end(), below.begin(), below.end());
    }
    return out;
}

/// What a reply is read as, or the error.
std::string shape_outcome(const acta::HttpChatCodec& codec, const std::string& body) {
    acta::ChatOptions options;
    std::string out;
    options.on_event = [&out](const acta::ChatDelta& delta) { out += std::to_string(delta.index()); };
    try {
        const acta::ChatReply reply = codecs::read(codec, body, options);
        const acta::ChatCompletion& one = reply.completion;
        acta::AssistantChatMessage message = one.message;
        message.extra.clear();  // where a null of the server is kept
        out += acta::dump(message) + one.finish_reason + one.model + (one.usage ? acta::dump(*one.usage) : "");
        const std::vector<acta::ChatMessage> next{acta::ChatMessage::user("?"), one.message};
        static_cast<void>(codec.request(next));
    } catch (const acta::ChatModelError& error) {
        CHECK(std::string_view(error.what()).find('\n') == std::string_view::npos);
        out = "error " + std::to_string(static_cast<int>(error.fault()));
    }
    return out;
}

}  // namespace

TEST_CASE("a value of another type in a reply is an answer or an error, and null counts as missing") {
    const std::vector<Json> others{Json(), Json(7), Json("x"), Json::array({Json::object()})};
    for (const ShapesCase& one : shapes_cases()) {
        const bool is_stream = one.events.size() > 1;
        for (std::size_t changed = 0; changed < one.events.size(); ++changed) {
            std::vector<std::string> events(one.events.begin(), one.events.end());
            if (is_stream)
                events.emplace_back(&one.codec == &shapes_anthropic ? R"({"type":"message_stop"})" : "[DONE]");
            const auto outcome = [&](const Json& event) {
                events[changed] = event.dump();
                return shape_outcome(one.codec, is_stream ? codecs::events(events) : events[0]);
            };
            const Json good = Json::parse(events[changed]);
            for (const Json::json_pointer& place : places_in(good, Json::json_pointer())) {
                CAPTURE(one.events[changed], place.to_string());
                std::vector<std::string> outcomes;
                for (const Json& other : others) {
                    Json event = good;
                    event[place] = other;
                    outcomes.push_back(outcome(event));
                }
                if (place.empty() || !good[place.parent_pointer()].is_object()) continue;
                Json event = good;
                event[place.parent_pointer()].erase(place.back());
                CHECK(outcome(event) == outcomes[0]);
            }
        }
    }
}
