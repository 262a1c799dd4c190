// SPDX-License-Identifier: MIT
#include <cstddef>
#include <string>
#include <variant>
#include <vector>

#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

// Events of the three streams that are not what they should be: what is shown of them, and the answer that they make.
namespace {

using acta::Json;

const acta::openai::ChatCodec streams_chat({.base_url = "http://h", .api_key = ""});
const acta::openai::ResponsesCodec streams_responses({.api_key = ""});
const acta::anthropic::ChatCodec streams_anthropic({.api_key = ""});

/// What is shown of a stream, ` => `, and `member` of the body that it makes; or the error up to its details.
std::string outcome_of(const acta::HttpChatCodec& codec, const std::vector<std::string>& events, const char* member) {
    std::string out;
    acta::ChatOptions options;
    options.on_event = [&](const acta::ChatDelta& delta) {
        if (const auto* const text = std::get_if<acta::TextDelta>(&delta)) out += "'" + text->text + "' ";
        if (const auto* const thought = std::get_if<acta::ReasoningDelta>(&delta)) out += "(" + thought->text + ") ";
        if (const auto* const call = std::get_if<acta::CallDelta>(&delta))
            out += std::to_string(call->index) + ":" + call->id + ":" + call->name + ":" + call->arguments + " ";
    };
    acta::ChatReplyReader reader = codec.reader(codecs::question(), options);
    try {
        static_cast<void>(reader.feed(codecs::events(events)));
        return out + "=> " + reader.finish().body.at(Json::json_pointer(member)).dump();
    } catch (const acta::ChatModelError& error) {
        const std::string what = error.what();
        return "error: " + what.substr(0, what.find("; it begins with"));
    }
}

struct StreamRow {
    std::vector<std::string> events;
    std::string outcome;
};

std::string start_of(const std::string& block, const std::string& index = "0") {
    return R"({"type":"content_block_start","index":)" + index + R"(,"content_block":)" + block + "}";
}
std::string delta_of(const std::string& delta, const std::string& index = "0") {
    return R"({"type":"content_block_delta","index":)" + index + R"(,"delta":)" + delta + "}";
}
std::string stop_for(const std::string& delta, const std::string& more = "") {
    return R"({"type":"message_delta","delta":)" + delta + more + "}";
}
const std::string text_block = R"({"type":"text","text":""})";
const std::string call_block = R"({"type":"tool_use","id":"a","name":"f","input":{}})";
const std::string bad_reply = "error: the answer is not a completion: ";

std::string text_delta(const std::string& text) { return delta_of(R"({"type":"text_delta","text":)" + text + "}"); }
std::string input_delta(const std::string& text) {
    return delta_of(R"({"type":"input_json_delta","partial_json":)" + text + "}");
}

}  // namespace

TEST_CASE("blocks and deltas of an Anthropic stream that are not what they should be") {
    const std::string no_block = bad_reply + "a part of the stream has no block";
    const std::string of_none = bad_reply + "a part of the stream belongs to no block";
    const std::string cite = R"({"type":"citations_delta","citation":{"n":)";
    const std::vector<StreamRow> rows{
        // Blocks.
        {{R"({"type":"content_block_start"})"}, no_block},
        {{start_of("null")}, no_block},
        {{start_of("[]")}, no_block},
        {{start_of("\"x\"")}, no_block},
        {{start_of("{}")}, bad_reply + "content.0: Unable to extract tag using discriminator 'type'"},
        {{R"({"type":"ping"})", R"({"x":1})", R"({"type":null})", R"({"type":3})"}, "=> []"},
        {{start_of(R"({"type":"text","text":"A"})")}, R"('A' => [{"type":"text","text":"A"}])"},
        {{start_of(R"({"type":"text","text":null})"), text_delta("\"A\"")}, R"('A' => [{"type":"text","text":"A"}])"},
        {{start_of(R"({"type":"text","text":3})")}, R"(=> [{"type":"text","text":3}])"},
        {{start_of(R"({"type":"x","text":"A"})")}, R"(=> [{"type":"x","text":"A"}])"},
        {{start_of(R"({"type":"thinking","thinking":"H"})")}, R"((H) => [{"type":"thinking","thinking":"H"}])"},
        {{start_of(R"({"type":"x","thinking":"H"})")}, R"(=> [{"type":"x","thinking":"H"}])"},
        {{start_of(R"({"type":"thinking","thinking":null})")}, R"(=> [{"type":"thinking","thinking":null}])"},
        {{start_of(R"({"type":"tool_use","id":null,"name":3})")},
         bad_reply + "content.0.id: Input should be a valid string"},
        // Deltas without their block, and without what they bring.
        {{start_of(text_block), R"({"type":"content_block_delta","index":0})"}, of_none},
        {{start_of(text_block), delta_of("null")}, of_none},
        {{start_of(text_block), delta_of("3"), delta_of("{}"), delta_of(R"({"type":"x","text":"A"})")},
         "=> [" + text_block + "]"},
        {{text_delta("\"A\"")}, R"('A' => [{"type":"text","text":"A"}])"},
        {{delta_of(R"({"type":"thinking_delta","thinking":"H"})")}, R"((H) => [{"type":"thinking","thinking":"H"}])"},
        {{input_delta("\"1\"")}, of_none},
        {{delta_of(R"({"type":"signature_delta","signature":"s"})")}, of_none},
        {{delta_of(cite + "1}}")}, of_none},
        {{start_of(text_block), text_delta("null"), text_delta("3")}, "=> [" + text_block + "]"},
        {{start_of(R"({"type":"thinking"})"), delta_of(R"({"type":"thinking_delta"})")},
         R"(=> [{"type":"thinking","thinking":""}])"},
        {{start_of(R"({"type":"thinking","signature":null})"),
          delta_of(R"({"type":"signature_delta","signature":"s"})"),
          delta_of(R"({"type":"signature_delta","signature":"t"})")},
         R"(=> [{"type":"thinking","signature":"st"}])"},
        // Citations.
        {{start_of(R"({"type":"text","text":"","citations":null})"), delta_of(cite + "1}}"), delta_of(cite + "2}}")},
         R"(=> [{"type":"text","text":"","citations":[{"n":1},{"n":2}]}])"},
        {{start_of(R"({"type":"text","text":"","citations":"x"})"), delta_of(cite + "1}}"), delta_of(cite + "2}}")},
         R"(=> [{"type":"text","text":"","citations":[{"n":1},{"n":2}]}])"},
        {{start_of(R"({"type":"text","text":"","citations":[0]})"), delta_of(cite + "1}}"), delta_of(cite + "2}}")},
         R"(=> [{"type":"text","text":"","citations":[0,{"n":1},{"n":2}]}])"},
        {{start_of(text_block), delta_of(R"({"type":"citations_delta","citation":null})")}, "=> [" + text_block + "]"},
        // Input.
        {{start_of(call_block), input_delta("\"\""), input_delta("null"), input_delta("3"), input_delta("\" \"")},
         "0:a:f: 0:a:f:  => [" + call_block + "]"},
        {{start_of(call_block), input_delta("\"{\""), input_delta("\"}\"")},
         R"(0:a:f: 0:a:f:{ 0:a:f:} => [{"type":"tool_use","id":"a","name":"f","input":"{}"}])"},
        {{start_of(call_block), input_delta("\"{1\"")},
         R"(0:a:f: 0:a:f:{1 => [{"type":"tool_use","id":"a","name":"f","input":"{1"}])"},
        {{start_of(R"({"type":"server_tool_use","id":"s"})"), input_delta(R"("{\"q\":1}")")},
         R"(=> [{"type":"server_tool_use","id":"s","input":{"q":1}}])"},
        {{start_of(R"({"type":"server_tool_use","id":"s"})"), start_of(call_block, "1"), start_of(text_block, "2"),
          start_of(R"({"type":"tool_use","id":"b","name":"g"})", "3")},
         R"(0:a:f: 1:b:g: => [{"type":"server_tool_use","id":"s"},)" + call_block + "," + text_block +
             R"(,{"type":"tool_use","id":"b","name":"g"}])"},
        // Texts with another block between them are lines.
        {{start_of(R"({"type":"x"})"), start_of(R"({"type":"text","text":"A"})", "1"), start_of(R"({"type":"y"})", "2"),
          start_of(R"({"type":"text","text":""})", "3"), start_of(R"({"type":"text","text":"B"})", "4"),
          start_of(R"({"type":"text","text":"C"})", "5")},
         "'A' '\nB' 'C' "
         R"(=> [{"type":"x"},{"type":"text","text":"A"},{"type":"y"},{"type":"text","text":""},{"type":"text","text":"B"},{"type":"text","text":"C"}])"},
    };
    for (const StreamRow& row : rows) {
        std::vector<std::string> events = row.events;
        events.emplace_back(R"({"type":"message_stop"})");
        CAPTURE(codecs::events(row.events));
        CHECK(outcome_of(streams_anthropic, events, "/content") == row.outcome);
    }
    below_at_above(10'000, [](std::size_t blocks) {
        std::vector<std::string> events(blocks, start_of(R"({"type":"x"})"));
        events.emplace_back(R"({"type":"message_stop"})");
        const std::string out = outcome_of(streams_anthropic, events, "/content/0");
        if (out == R"(=> {"type":"x"})") return true;
        CHECK(out == bad_reply + "it has more than 10000 blocks");
        return false;
    });
}

TEST_CASE("the message of an Anthropic stream is what its first and last events say") {
    const std::string no_message = bad_reply + "the stream has no message";
    const std::string early = "error: the stream of the answer ended too early";
    const std::string first =
        R"({"type":"message_start","message":{"id":"m","stop_reason":null,"usage":{"input_tokens":7}}})";
    const std::string end = stop_for(R"({"stop_reason":"end_turn"})");
    const std::string last = R"({"type":"message_stop"})";
    for (const StreamRow& row : std::vector<StreamRow>{
             {{R"({"type":"message_start"})"}, no_message},
             {{R"({"type":"message_start","message":"x"})"}, no_message},
             {{R"({"type":"message_start","message":[]})"}, no_message},
             {{first}, early},
             {{first, stop_for(R"({"stop_reason":null})")}, early},
             {{first, stop_for(R"({"stop_reason":""})")}, early},
             {{first, stop_for("null"), stop_for("[1]"), stop_for("3")}, early},
             {{first, R"({"type":"message_delta"})"}, early},
             {{end}, R"(=> {"stop_reason":"end_turn","content":[]})"},
             {{first, end, stop_for(R"({"stop_reason":null,"id":"n"})"), R"({"type":"message_delta"})"},
              R"(=> {"id":"n","stop_reason":"end_turn","usage":{"input_tokens":7},"content":[]})"},
             {{first, stop_for("null", R"(,"usage":{"output_tokens":2})"), last},
              R"(=> {"id":"m","stop_reason":null,"usage":{"input_tokens":7,"output_tokens":2},"content":[]})"},
             {{first, stop_for("{}", R"(,"usage":null)"), last},
              R"(=> {"id":"m","stop_reason":null,"usage":{"input_tokens":7},"content":[]})"},
             {{last}, R"(=> {"content":[]})"},
         }) {
        CAPTURE(codecs::events(row.events));
        CHECK(outcome_of(streams_anthropic, row.events, "") == row.outcome);
    }
}

TEST_CASE("members of a chunk that are not what they should be") {
    const std::string no_calls = bad_reply + "the tool calls of a part of the stream are not a list";
    const std::string no_call = bad_reply + "a tool call of a part of the stream is not an object";
    const std::string no_delta = bad_reply + "the delta of a part of the stream is not an object";
    const std::string no_content = bad_reply + "the content of a part of the stream is neither a text nor a list";
    const std::string no_index = bad_reply + "the index of a tool call is not a number";
    const auto delta = [](const std::string& members) { return R"({"choices":[{"delta":)" + members + "}]}"; };
    const auto calls = [&](const std::string& list) { return delta(R"({"tool_calls":)" + list + "}"); };
    const std::string f = R"({"index":0,"id":"a","function":{"name":"f","arguments":)";
    const auto made_call = [](const std::string& arguments, const std::string& more = "") {
        return R"(=> {"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":")" + arguments +
               "\"}" + more + "}]}";
    };
    for (
        const StreamRow& row : std::vector<StreamRow>{
            {{R"({"choices":null})", R"({"choices":[]})", R"({"choices":[{}]})", R"({"choices":[{"delta":null}]})"},
             "=> {}"},
            {{delta("[1]")}, no_delta},
            {{delta("3")}, no_delta},
            // The whole message in place of a delta.
            {{R"({"choices":[{"message":{"content":"A"}}]})"}, R"('A' => {"content":"A"})"},
            {{R"({"choices":[{"delta":null,"message":{"content":"A"}}]})"}, R"('A' => {"content":"A"})"},
            {{R"({"choices":[{"delta":{},"message":{"content":"A"}}]})"}, R"('A' => {"content":"A"})"},
            {{R"({"choices":[{"delta":{"content":"B"},"message":{"content":"A"}}]})"}, R"('B' => {"content":"B"})"},
            {{delta(R"({"content":"B"})"), R"({"choices":[{"delta":{},"message":{"content":"A"}}]})"},
             R"('B' => {"content":"B"})"},
            {{R"({"choices":[{"message":null}]})"}, "=> {}"},
            {{R"({"choices":[{"message":"x"}]})"}, no_delta},
            // Which choice it is.
            {{R"({"choices":[{"index":null,"delta":{"content":"A"}},{"index":0.0,"delta":{"content":"B"}}]})",
              R"({"choices":[{"index":1,"delta":{"content":"C"}},{"index":"0","delta":{"content":"D"}},{"index":[],"delta":{"content":"x"}}]})",
              R"({"choices":[{"index":-1,"delta":{"content":"E"}},{"index":0.5,"delta":{"content":"F"}}]})"},
             R"('A' 'B' 'D' => {"content":"ABD"})"},
            // Content.
            {{delta(R"({"content":null})"), delta(R"({"content":""})"), delta(R"({"content":[]})")},
             R"(=> {"content":""})"},
            {{delta(R"({"content":3})")}, no_content},
            {{delta(R"({"content":[3]})")}, bad_reply + "choices[0].message.content.0: Input should be an object"},
            {{delta(R"({"content":["A",{"type":"output_text","text":"B"},{"type":"text","text":null}]})")},
             R"('A' 'B' => {"content":[{"type":"text","text":"AB"},{"type":"text","text":null}]})"},
            {{delta(R"({"content":[{"type":"text","text":"A","x":1},{"type":"text","text":"B"}]})"),
              delta(R"({"content":[{"type":"image"},{"type":"text","text":"C"}]})"), delta(R"({"content":"D"})")},
             R"('B' 'C' 'D' => {"content":[{"type":"text","text":"A","x":1},{"type":"text","text":"B"},)"
             R"({"type":"image"},{"type":"text","text":"CD"}]})"},
            {{delta(R"({"content":{"type":"thinking","thinking":["H",{"text":"m"}]}})")},
             R"((Hm) => {"content":"","reasoning_content":"Hm"})"},
            {{delta(R"({"content":{"type":"reasoning_text","text":"H"},"reasoning_content":"m"})")},
             R"((H) (m) => {"content":"","reasoning_content":"Hm"})"},
            {{delta(R"({"refusal":"No"})"), delta(R"({"refusal":"."})")}, R"('No' '.' => {"refusal":"No."})"},
            {{delta(R"({"content":"A"})"), delta(R"({"refusal":"No."})")}, R"('A' => {"content":"A","refusal":"No."})"},
            {{delta(R"({"refusal":null})"), delta(R"({"refusal":""})"), delta(R"({"refusal":3})")},
             R"(=> {"refusal":3})"},
            // Thoughts.
            {{delta(R"({"reasoning_content":"","reasoning":null,"thinking":"H"})")},
             R"((H) => {"reasoning_content":"","thinking":"H"})"},
            {{delta(R"({"reasoning":"H","thinking":"no"})")}, R"((H) => {"reasoning":"H","thinking":"no"})"},
            {{delta(R"({"reasoning":{"x":"no","summary":"H"}})"), delta(R"({"reasoning":3})")},
             R"((H) => {"reasoning":3})"},
            {{delta(R"({"reasoning_details":{"x":1}})")}, R"(=> {"reasoning_details":{"x":1}})"},
            {{delta(R"({"reasoning_details":[3,{"text":"a"},{"text":"b"},{"index":null,"text":"c"}]})")},
             R"(=> {"reasoning_details":[3,{"text":"a"},{"text":"b"},{"index":null,"text":"c"}]})"},
            {{delta(R"({"reasoning_details":[{"index":0,"type":"x","summary":"a","data":"d","format":"e"}]})"),
              delta(R"({"reasoning_details":[{"index":0,"type":"x","summary":"b","data":"f","format":"g"}]})"),
              delta(
                  R"({"reasoning_details":[{"index":0,"type":"y","summary":"b"},{"index":"0","type":"y","text":"t"}]})")},
             R"(=> {"reasoning_details":[{"index":0,"type":"x","summary":"ab","data":"df","format":"g"},)"
             R"({"index":"0","type":"y","summary":"b","text":"t"}]})"},
            // Calls.
            {{calls("null"), calls("[]")}, "=> {}"},
            {{calls("3")}, no_calls},
            {{calls("\"x\"")}, no_calls},
            {{calls("[[]]")}, no_call},
            {{calls("[null]")}, no_call},
            {{calls(R"([{"index":true}])")}, no_index},
            {{calls(R"([{"index":[]}])")}, no_index},
            {{calls("[{}]")}, R"(0::: => {"tool_calls":[]})"},
            {{calls(R"([{"function":{"arguments":"{}"}}])")},
             R"(0:::{} => {"tool_calls":[{"type":"function","function":{"name":"","arguments":"{}"}}]})"},
            {{calls(R"([{"id":"a"},{"id":"b","function":{}}])")},
             R"(0:a:: 1:b:: => {"tool_calls":[{"id":"a","type":"function","function":{"name":"","arguments":""}},)"
             R"({"id":"b","type":"function","function":{"name":"","arguments":""}}]})"},
            {{calls(f + "\"{}\"}}")}, "0:a:f:{} " + made_call("{}")},
            {{calls("[" + f + "null}}]")}, "0:a:f: " + made_call("")},
            {{calls("[" + f + "[1]}}]")}, "0:a:f:[1] " + made_call("[1]")},
            {{calls("[" + f + R"("{}","x":1,"y":null},"z":{"google":2}}])")},
             R"(0:a:f:{} => {"tool_calls":[{"id":"a","type":"function","function":{"name":"f","arguments":"{}","x":1},)"
             R"("z":{"google":2}}]})"},
            {{calls(R"([{"id":"a","name":"f","arguments":"{}","function":null,"z":2}])")},
             "0:a:f:{} " + made_call("{}", ",\"z\":2")},
            {{calls(R"([{"id":"a","name":"f","arguments":"{}","function":"x"}])")}, "0:a:f:{} " + made_call("{}")},
            {{delta(R"({"function_call":null})"), delta(R"({"content":"A"})")}, R"('A' => {"content":"A"})"},
            {{delta(R"({"function_call":{}})"), delta(R"({"content":"A"})")}, R"(0::: 'A' => {"content":"A"})"},
            {{delta(R"({"function_call":3})")}, no_calls},
            {{delta(R"({"function_call":{"name":"f","arguments":{"x":1}}})")},
             R"(0::f:{"x":1} => {"function_call":{"name":"f","arguments":"{\"x\":1}"}})"},
        }) {
        std::vector<std::string> events = row.events;
        events.emplace_back("[DONE]");
        CAPTURE(codecs::events(row.events));
        CHECK(outcome_of(streams_chat, events, "/choices/0/message") == row.outcome);
    }
    // Other members of the chunks, and of the choice.
    for (const StreamRow& row : std::vector<StreamRow>{
             {{R"({"object":"chat.completion.chunk","id":"a"})", R"({"object":"chat.completion.chunk","id":"b"})"},
              R"(=> {"object":"chat.completion","id":"b","choices":[{"index":0,"message":{}}]})"},
             {{R"({"object":"x"})"}, R"(=> {"object":"x","choices":[{"index":0,"message":{}}]})"},
             {{R"({"object":null})"}, R"(=> {"choices":[{"index":0,"message":{}}]})"},
             {{R"({"object":3,"usage":3})"}, R"(=> {"object":3,"usage":3,"choices":[{"index":0,"message":{}}]})"},
             {{R"({"choices":[{"finish_reason":"stop","x":[1]}]})", R"({"choices":[{"finish_reason":"","x":[2]}]})",
               R"({"choices":[{"finish_reason":null,"x":null}]})"},
              R"(=> {"choices":[{"finish_reason":"stop","x":[2],"index":0,"message":{}}]})"},
         }) {
        std::vector<std::string> events = row.events;
        events.emplace_back("[DONE]");
        CAPTURE(codecs::events(row.events));
        CHECK(outcome_of(streams_chat, events, "") == row.outcome);
    }
}

TEST_CASE("items and parts of a stream of the Responses API that are not what they should be") {
    const std::string no_item = bad_reply + "an item of the stream is not an object";
    const std::string no_response = bad_reply + "the last part of the stream has no response";
    const auto added = [](const std::string& item, const std::string& more = R"(,"output_index":0)") {
        return R"({"type":"response.output_item.added","item":)" + item + more + "}";
    };
    const auto done = [](const std::string& item) {
        return R"({"type":"response.output_item.done","output_index":0,"item":)" + item + "}";
    };
    const auto event = [](const std::string& type, const std::string& more) {
        return R"({"type":"response.)" + type + R"(","output_index":0)" + more + "}";
    };
    const auto text = [&](const std::string& value, const std::string& more = "") {
        return event("output_text.delta", R"(,"delta":)" + value + more);
    };
    const auto input = [&](const std::string& value) {
        return event("function_call_arguments.delta", R"(,"delta":)" + value);
    };
    const std::string call = R"({"type":"function_call","call_id":"a","name":"f","arguments":)";
    const auto message = [](const std::string& content) {
        return R"(=> [{"type":"message","role":"assistant","content":)" + content + "}]";
    };
    const auto output_text = [](const std::string& value) {
        return R"({"type":"output_text","text":")" + value + "\"}";
    };
    for (const StreamRow& row : std::vector<StreamRow>{
             {{R"({"type":"x","item":{"type":"y"}})", R"({"type":null})", "{}"}, "=> []"},
             {{added("null")}, no_item},
             {{added("[]")}, no_item},
             {{R"({"type":"response.output_item.done"})"}, no_item},
             {{R"({"type":"response.completed"})"}, no_response},
             {{R"({"type":"response.completed","response":null})"}, no_response},
             {{R"({"type":"response.incomplete","response":[]})"}, no_response},
             {{R"({"type":"response.cancelled","response":3})"}, no_response},
             // What an item had before stays, where the whole one has nothing.
             {{added(R"({"type":"message"})"), text("\"A\""), done(R"({"type":"message","content":[]})")},
              R"('A' => [{"type":"message","content":[)" + output_text("A") + "]}]"},
             {{text("\"A\""), done(R"({"type":"message","content":null,"id":"m"})")},
              R"('A' => [{"type":"message","content":[)" + output_text("A") + R"(],"id":"m"}])"},
             {{text("\"A\""), done(R"({"type":"message","content":""})")},
              R"('A' => [{"type":"message","content":[)" + output_text("A") + "]}]"},
             {{text("\"A\""), done(R"({"type":"message","content":"B"})")},
              R"('A' => [{"type":"message","content":"B"}])"},
             {{text("\"A\""), done(R"({"type":"message","content":[3,4]})")},
              bad_reply + "output.0.content.0: Input should be an object"},
             {{added(call + "\"\"}"), input("\"{}\""), done(call + "\"\"}")}, "0:a:f:{} => [" + call + "\"{}\"}]"},
             {{added(call + "null}"), input("\"{}\""), done(R"({"type":"function_call","call_id":"a","name":"f"})")},
              "0:a:f:{} => [" + call + "\"{}\"}]"},
             {{added(call + "\"\"}"), input("\"{\""), done(call + R"("{\"x\":1}"})")},
              "0:a:f:{ => [" + call + R"("{\"x\":1}"}])"},
             // Arguments.
             {{added(call + "{}}"), input("null"), input("\"\""), input("3")}, "=> [" + call + "\"\"}]"},
             {{added(call + "\"\"}"), event("function_call_arguments.done", R"(,"arguments":"{}")")},
              "0:a:f:{} => [" + call + "\"{}\"}]"},
             {{added(call + "\"\"}"), input("\"{}\""), event("function_call_arguments.done", R"(,"arguments":"{1}")")},
              "0:a:f:{} => [" + call + "\"{}\"}]"},
             {{added(call + "\"\"}"), event("function_call_arguments.done", "")}, "=> [" + call + "\"\"}]"},
             {{added(R"({"type":"x"})"), added(call + "\"\"}", R"(,"output_index":1)"),
               added(R"({"type":"function_call","call_id":"b","name":"g"})", R"(,"output_index":2)"),
               R"({"type":"response.function_call_arguments.delta","output_index":2,"delta":"{}"})"},
              R"(1:b:g:{} => [{"type":"x"},)" + call +
                  R"(""},{"type":"function_call","call_id":"b","name":"g","arguments":"{}"}])"},
             // Texts.
             {{text("null"), text("3"), text("\"\"")}, "=> []"},
             {{added(R"({"type":"message","role":"x"})"), text("\"A\"")},
              R"('A' => [{"type":"message","role":"x","content":[)" + output_text("A") + "]}]"},
             {{text("\"A\"", R"(,"content_index":-1)"), text("\"B\"", R"(,"content_index":"x")")},
              "'A' 'B' " + message("[" + output_text("AB") + "]")},
             {{text("\"A\"", R"(,"content_index":0)"), text("\"B\"", R"(,"content_index":1)"),
               text("\"C\"", R"(,"content_index":9)"), text("\"D\"", R"(,"content_index":0)")},
              "'A' 'B' 'C' 'D' " +
                  message("[" + output_text("AD") + "," + output_text("B") + "," + output_text("C") + "]")},
             {{text("\"A\"", R"(,"content_index":0)"), event("output_text.done", R"(,"text":"A!","content_index":0)"),
               event("output_text.done", R"(,"text":"B","content_index":1)"),
               event("output_text.done", R"(,"text":"","content_index":2)")},
              "'A' 'B' " + message("[" + output_text("A") + "," + output_text("B") + "]")},
             {{added(R"({"type":"message","role":"assistant","content":[{"type":"refusal","refusal":""}]})"),
               text("\"A\"")},
              "'A' " + message(R"([{"type":"refusal","refusal":"","text":null}])")},
             {{event("refusal.delta", R"(,"delta":"No.")"), event("refusal.done", R"(,"refusal":"No!")")},
              "'No.' " + message(R"([{"type":"refusal","refusal":"No."}])")},
             {{event("refusal.done", R"(,"refusal":"No.","text":"x")")},
              "'No.' " + message(R"([{"type":"refusal","refusal":"No."}])")},
             {{event("reasoning_text.delta", R"(,"delta":"H")"),
               event("reasoning_summary_text.delta", R"(,"delta":"m")"), event("reasoning_text.done", R"(,"text":"H")"),
               event("reasoning_text.delta", "")},
              "(H) (m) => []"},
             // Which item it is.
             {{R"({"type":"response.output_text.delta","item_id":"m","delta":"A"})",
               R"({"type":"response.output_text.delta","item_id":"n","delta":"B"})",
               R"({"type":"response.output_item.done","item":{"type":"message","id":"m"}})",
               R"({"type":"response.output_item.done","item_id":"n","item":{"type":"message","id":"o"}})"},
              "'A' '\nB' "
              R"(=> [{"type":"message","id":"m","content":[)" +
                  output_text("A") + R"(]},{"type":"message","id":"o","content":[)" + output_text("B") + "]}]"},
             {{R"({"type":"response.output_text.delta","output_index":1,"item_id":"m","delta":"A"})",
               R"({"type":"response.output_text.delta","output_index":"1","delta":"B"})",
               R"({"type":"response.output_text.delta","item_id":"m","delta":"C"})"},
              "'A' 'B' 'C' " + message("[" + output_text("ABC") + "]")},
             {{R"({"type":"response.output_item.added","item":{"type":"x","id":"1"}})",
               added(R"({"type":"y"})", R"(,"output_index":1)"), added(R"({"type":"z"})", ""),
               added(R"({"type":"z"})", "")},
              R"(=> [{"type":"x","id":"1"},{"type":"y"},{"type":"z"},{"type":"z"}])"},
         }) {
        std::vector<std::string> events = row.events;
        events.emplace_back(R"({"type":"response.completed","response":{"status":"completed","output":[]}})");
        CAPTURE(codecs::events(row.events));
        CHECK(outcome_of(streams_responses, events, "/output") == row.outcome);
    }
    // The items of the last event are those of the answer, if it has any.
    const std::string last = R"({"type":"response.completed","response":)";
    const std::string one = added(R"({"type":"x"})");
    for (const StreamRow& row : std::vector<StreamRow>{
             {{one, last + R"({"output":[{"type":"y"}]}})"}, R"(=> {"output":[{"type":"y"}]})"},
             {{one, last + R"({"output":[]}})"}, R"(=> {"output":[{"type":"x"}]})"},
             {{one, last + R"({"output":null}})"}, R"(=> {"output":[{"type":"x"}]})"},
             {{one, last + "{}}"}, R"(=> {"output":[{"type":"x"}]})"},
             {{last + R"({"output":[]}})"}, R"(=> {"output":[]})"},
             {{last + "{}}"}, bad_reply + "it has no output"},
             {{one, "[DONE]"}, R"(=> {"status":"completed","output":[{"type":"x"}]})"},
             {{"[DONE]"}, bad_reply + "the stream has no response"},
             {{one}, "error: the stream of the answer ended too early"},
         }) {
        CAPTURE(codecs::events(row.events));
        CHECK(outcome_of(streams_responses, row.events, "") == row.outcome);
    }
}

TEST_CASE("arguments with a list are one object until it ends, in whatever pieces they come") {
    const acta::openai::ChatCodec codec({.base_url = "http://h", .api_key = ""});
    const std::string begin = R"({"choices":[{"delta":{"tool_calls":[{"index":0,)";
    const acta::ChatReply reply = codecs::read(
        codec, codecs::events({begin + R"("id":"a","function":{"name":"f","arguments":"{\"x\":[1],\"y\":"}}]}}]})",
                               begin + R"("function":{"arguments":"{\"z\":2}}"}}]},"finish_reason":"tool_calls"}]})",
                               "[DONE]"}));
    const auto& calls = reply.completion.message.tool_calls;
    REQUIRE((calls && calls->size() == 1));
    CHECK(acta::dump(acta::Json(calls->front().function.arguments)) == R"({"x":[1],"y":{"z":2}})");
}
