// SPDX-License-Identifier: MIT
#include <string>
#include <utility>
#include <vector>

#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// What servers of chat completions write beside what OpenAI's documentation says.
namespace {

using acta::ChatReply;
using acta::Json;

const acta::openai::ChatCodec& servers_codec() {
    static const acta::openai::ChatCodec codec({.base_url = "http://h/v1", .api_key = ""});
    return codec;
}

std::string calls_in(const acta::ChatCompletion& completion) {
    std::string out;
    for (const acta::AssistantToolCall& call :
         completion.message.tool_calls.value_or(std::vector<acta::AssistantToolCall>()))
        out += call.id + ":" + to_string(call) + " ";
    return out;
}

/// The calls of a stream whose events have these lists of parts.
std::string calls(const std::vector<std::string>& parts, const std::string& finish = "tool_calls") {
    std::vector<std::string> events;
    for (const std::string& part : parts)
        events.push_back(R"({"choices":[{"index":0,"delta":{"tool_calls":)" + part + "}}]}");
    events.push_back(R"({"choices":[{"index":0,"delta":{},"finish_reason":")" + finish + "\"}]}");
    return calls_in(codecs::read(servers_codec(), codecs::events(events)).completion);
}

/// The calls of an answer that is not streamed.
std::string whole_calls(const std::string& list, const std::string& finish = "tool_calls") {
    return calls_in(codecs::read(servers_codec(), R"({"choices":[{"message":{"content":null,"tool_calls":)" + list +
                                                      R"(},"finish_reason":")" + finish + "\"}]}")
                        .completion);
}

/// The completion of a stream with these deltas.
ChatReply streamed(const std::vector<std::string>& deltas, const acta::ChatOptions& options = {}) {
    std::vector<std::string> events;
    for (const std::string& delta : deltas) events.push_back(R"({"choices":[{"index":0,"delta":)" + delta + "}]}");
    events.emplace_back(R"({"choices":[{"index":0,"delta":{},"finish_reason":"stop"}]})");
    return codecs::read(servers_codec(), codecs::events(events), options);
}

}  // namespace

TEST_CASE("parts of a streamed call belong together, whatever of index, id and name they repeat") {
    const std::string wanted = "a:f(x=1) ";
    const std::string begin = R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}])";
    CHECK(calls({begin, R"([{"index":0,"function":{"arguments":":1}"}}])"}) == wanted);
    CHECK(calls({begin, R"([{"index":0,"id":null,"function":{"name":null,"arguments":":1}"}}])"}) == wanted);
    CHECK(calls({begin, R"([{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}])"}) == wanted);
    CHECK(calls({begin, R"([{"index":0,"id":"","function":{"name":"f","arguments":":1}"}}])"}) == wanted);
    CHECK(calls({begin, R"([{"id":"a","function":{"arguments":":1}"}}])"}) == wanted);
    CHECK(calls({begin, R"([{"function":{"arguments":":1}"}}])"}) == wanted);
    CHECK(calls({begin, R"([{"index":0.0,"function":{"arguments":":1}"}}])"}) == wanted);
    CHECK(calls({begin, R"([{"index":"0","function":{"arguments":":1}"}}])"}) == wanted);
    CHECK(calls({begin, R"([{"index":0,"id":"a","function":{"name":"f","arguments":":1}"}}])",
                 R"([{"index":0,"id":"a","function":{"name":"f","arguments":""}}])"}) == wanted);
    CHECK(calls({R"([{"function":{"name":"f"}}])", R"([{"id":"a","function":{"arguments":"{\"x\":1}"}}])"}) == wanted);
    CHECK(calls({R"([{"index":1,"id":"a","function":{"name":"f","arguments":{"x":1}}}])"}) == wanted);
    CHECK(calls({R"([{"index":0,"id":"a","function":{"name":"f","arguments":{}}}])",
                 R"([{"index":0,"function":{"arguments":"{\"x\":1}"}}])"}) == wanted);
    CHECK(calls({R"([{"index":0,"id":"a","type":null,"function":{"name":"f","arguments":"  "}}])",
                 R"([{"index":0,"function":{"arguments":{"x":1}}}])",
                 R"([{"index":0,"function":{"arguments":""}}])"}) == wanted);
}

TEST_CASE("a part of a streamed call begins another one if it has another id, or a name after complete arguments") {
    const std::string f = R"({"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}})";
    CHECK(calls({"[" + f + "]", R"([{"index":0,"id":"b","function":{"name":"f","arguments":"{}"}}])"}) ==
          "a:f(x=1) b:f() ");
    CHECK(calls({"[" + f + R"(,{"index":0,"id":"b","function":{"name":"g","arguments":"{\"y\":2}"}}])"}) ==
          "a:f(x=1) b:g(y=2) ");
    CHECK(calls({"[" + f + "]", R"([{"index":0,"function":{"name":"g","arguments":"{\"y\":"}}])",
                 R"([{"index":0,"function":{"arguments":"2}"}}])"}) == "a:f(x=1) call_1:g(y=2) ");
    for (const std::string name : {"f", "g"}) {
        CAPTURE(name);
        CHECK(calls({"[" + f + "]", R"([{"index":0,"function":{"name":")" + name + R"("}}])",
                     R"([{"index":0,"function":{"arguments":"{\"y\":2}"}}])"}) == "a:f(x=1) call_1:" + name + "(y=2) ");
        CHECK(calls({"[" + f + "]", R"([{"index":0,"id":"a","function":{"name":")" + name + R"("}}])"}) ==
              "a:" + name + "(x=1) ");
    }
    // Calls whose parts alternate.
    CHECK(calls({R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\""}}])",
                 R"([{"index":0,"id":"b","function":{"name":"g","arguments":"{\"y\""}}])",
                 R"([{"index":0,"id":"a","function":{"arguments":":1}"}}])",
                 R"([{"index":0,"id":"b","function":{"arguments":":2}"}}])"}) == "a:f(x=1) b:g(y=2) ");
    CHECK(calls({R"([{"id":7,"function":{"name":"f"}}])", R"([{"id":8,"function":{"name":"f"}}])"}) == "7:f() 8:f() ");
    // A brace in a text does not complete anything.
    CHECK(calls({R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"}\\\"}\""}}])",
                 R"([{"index":0,"function":{"name":"f","arguments":"}"}}])"}) == "a:f(x='}\"}') ");
}

TEST_CASE("whole calls without index and id are separate calls") {
    const std::string f = R"({"function":{"name":"f","arguments":"{\"x\":1}"}})";
    CHECK(calls({"[" + f + "," + f + "]"}) == "call_0:f(x=1) call_1:f(x=1) ");
    CHECK(calls({"[" + f + "]", "[" + f + "]"}) == "call_0:f(x=1) call_1:f(x=1) ");
    CHECK(calls({R"([{"function":{"name":"f"}},{"function":{"name":"f"}}])"}) == "call_0:f() call_1:f() ");
    CHECK(calls({R"([{"function":{"name":"f"}}])", R"([{"function":{"name":"g"}}])"}) == "call_0:f() call_1:g() ");
    CHECK(calls({R"([{"name":"f","arguments":{"x":1}}])"}) == "call_0:f(x=1) ");
    const std::string quoted = R"({"function":{"name":"f","arguments":"{\"x\":\"\\\"}\"}"}})";
    CHECK(calls({"[" + quoted + "]", "[" + f + "]"}) == "call_0:f(x='\"}') call_1:f(x=1) ");
    CHECK(calls({R"([{"function":{"name":"f"}},{"id":"call_0","function":{"name":"g"}}])"}) ==
          "call_1:f() call_0:g() ");
}

TEST_CASE("calls that are not streamed are read with null, numbers and objects in them") {
    CHECK(whole_calls(R"([{"id":7.0,"type":null,"index":"0","function":{"name":"f","arguments":{"x":1}}}])") ==
          "7:f(x=1) ");
    CHECK(whole_calls(R"([{"id":null,"type":"","function":{"name":"f","arguments":null}}])") == "call_0:f() ");
    CHECK(whole_calls(R"({"id":"a","function":{"name":"f","arguments":"{\"x\":1}"}})") == "a:f(x=1) ");
    CHECK(whole_calls(R"([{"id":"a","name":"f","arguments":"{\"x\":1}"}])") == "a:f(x=1) ");
    CHECK(whole_calls("null").empty());
    CHECK(whole_calls("[]").empty());
    for (const auto& [call, wanted] : {
             std::pair(R"({"id":{},"function":{"name":"f"}})", "call_0:f() "),
             std::pair(R"({"id":true,"function":{"name":"f"}})", "call_0:f() "),
             std::pair(R"({"id":1.5,"function":{"name":"f"}})", "1.5:f() "),
             std::pair(R"({"id":"a","type":"custom","function":{"name":"f","arguments":""}})", "a:f() "),
             std::pair(R"({"id":"a","name":"f"})", "a:f() "),
             std::pair(R"({"id":"a","name":"f","arguments":null,"function":null})", "a:f() "),
             std::pair(R"({"id":"a","function":{"name":"f"},"name":"g","arguments":"{\"x\":1}"})", "a:f() "),
             std::pair(R"({"id":"a","function":{"name":"f","arguments":[]}})", "a:f(unreadable_arguments='[]') "),
             std::pair(R"({"id":"a","function":{"name":"f","arguments":3}})", "a:f(unreadable_arguments='3') "),
         }) {
        CAPTURE(call);
        CHECK(whole_calls("[" + std::string(call) + "]") == wanted);
    }
    for (const char* const call : {"3", "null", "[]", "{}", R"({"id":"a","arguments":"{}"})",
                                   R"({"id":"a","function":3})", R"({"id":"a","function":{"name":3}})"}) {
        CAPTURE(call);
        CHECK(
            codecs::failure(servers_codec(), R"({"choices":[{"message":{"tool_calls":[)" + std::string(call) + "]}}]}")
                .fault() == acta::ChatModelFault::reply);
    }
}

TEST_CASE("a call that the end of an answer cut off is not one without arguments") {
    const std::string cut = "f(unreadable_arguments='') ";
    CHECK(whole_calls(R"([{"id":"a","function":{"name":"f","arguments":""}}])", "length") == "a:" + cut);
    CHECK(whole_calls(R"([{"id":"a","function":{"name":"f"}}])", "max_tokens") == "a:" + cut);
    CHECK(whole_calls(R"([{"id":"a","function":{"name":"f","arguments":{}}}])", "content_filter") == "a:" + cut);
    CHECK(whole_calls(R"([{"id":"a","function":{"name":"f","arguments":"{}"}}])", "length") == "a:f() ");
    for (const char* const blank : {"null", "\" \\n\""})
        CHECK(whole_calls(R"([{"id":"a","function":{"name":"f","arguments":)" + std::string(blank) + "}}]", "length") ==
              "a:" + cut);
    CHECK(whole_calls(R"([{"id":"a","function":{"name":"f","arguments":{"x":1}}}])", "length") == "a:f(x=1) ");
    CHECK(whole_calls(R"([{"id":"a","function":{"name":"f","arguments":[]}}])", "length") ==
          "a:f(unreadable_arguments='[]') ");
    CHECK(whole_calls(R"([{"id":"a","function":{"name":"f","arguments":""}}])", "stop") == "a:f() ");
    CHECK(whole_calls(R"([{"id":"a","function":{"name":"g"}},{"id":"b","function":{"name":"f"}}])", "length") ==
          "a:g() b:" + cut);
    CHECK(calls({R"([{"index":0,"id":"a","function":{"name":"f","arguments":" "}}])"}, "length") == "a:" + cut);
    CHECK(calls({R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x"}}])"}, "length") ==
          "a:f(unreadable_arguments='{\"x') ");
}

TEST_CASE("the deprecated function_call of a stream is put together, too") {
    const ChatReply reply =
        streamed({R"({"function_call":{"name":"f","arguments":""}})", R"({"function_call":{"arguments":"{\"x\""}})",
                  R"({"function_call":{"arguments":":1}"}})"});
    CHECK(calls_in(reply.completion) == "call_0:f(x=1) ");
}

TEST_CASE("content in parts is text and reasoning, streamed or not") {
    std::string shown;
    const acta::ChatOptions options{.on_text = [&](std::string_view text) { shown += text; }};
    const ChatReply reply =
        streamed({R"({"content":[{"type":"thinking","thinking":"H"},{"type":"text","text":"It "}]})",
                  R"({"content":[{"type":"reasoning","text":"m."},"is "]})",
                  R"({"content":{"type":"text","text":"dr"}})", R"({"content":"y."})"},
                 options);
    CHECK(reply.completion.message.content == "It is dry.");
    CHECK(shown == "It is dry.");
    CHECK(reply.completion.message.reasoning_content == "Hm.");
    CHECK(streamed({R"({"content":[{"type":"x"}]})"}).body.dump() ==
          R"({"choices":[{"finish_reason":"stop","index":0,"message":{"content":[{"type":"x"}]}}]})");
    const auto whole = [](const std::string& content) {
        return codecs::read(servers_codec(), R"({"choices":[{"message":{"content":)" + content + "}}]}")
            .completion.message;
    };
    CHECK(whole(R"(["It is ",{"type":"text","text":"dry."}])").content == "It is dry.");
    CHECK(whole(R"({"type":"text","text":"dry."})").content == "dry.");
    CHECK(whole(R"([{"text":"dry."},{"type":null,"text":"So."}])").content == "dry.So.");
    const acta::AssistantChatMessage unknown = whole(R"([{"type":"","x":1}])");
    CHECK(acta::ChatMessage(unknown).parts.at(0).type == "unknown");
    CHECK(whole(R"([{"type":"thinking","thinking":"Hm."}])").reasoning_content == "Hm.");
    CHECK(whole(R"([{"type":"thinking","thinking":"Hm."}])").content.empty());
}

TEST_CASE("what the model thinks is read under all of its names") {
    for (const char* const name : {"reasoning_content", "reasoning", "thinking"}) {
        INFO(name);
        const std::string member = std::string("{\"") + name + "\":\"Hm.\",\"content\":\"x\"}";
        CHECK(streamed({member}).completion.message.reasoning_content == "Hm.");
        CHECK(codecs::read(servers_codec(), R"({"choices":[{"message":)" + member + "}]}")
                  .completion.message.reasoning_content == "Hm.");
    }
}

TEST_CASE("members of a message that are not what they should be are text and reasoning, or left out") {
    for (const auto& [members, wanted] : {
             std::pair(R"("reasoning_content":null)", "|none|{}"),
             std::pair(R"("reasoning_content":{"text":"H"})", "|H|{}"),
             std::pair(R"("reasoning_content":["H",{"text":"m"},3])", "|Hm|{}"),
             std::pair(R"("reasoning_content":3)", "|none|{}"),
             std::pair(R"("reasoning_content":"","thinking":"T")", R"(|T|{"openai":{"thinking":"T"}})"),
             std::pair(R"("reasoning_content":"C","thinking":"T")", R"(|C|{"openai":{"thinking":"T"}})"),
             std::pair(R"("reasoning":"R","thinking":"T")", R"(|R|{"openai":{"reasoning":"R","thinking":"T"}})"),
             std::pair(R"("reasoning":"","thinking":"T")", R"(|T|{"openai":{"reasoning":"","thinking":"T"}})"),
             std::pair(R"("content":[{"type":"thinking","thinking":"A"},"a"],"thinking":"T")",
                       R"(a|A|{"openai":{"thinking":"T"}})"),
             std::pair(R"("content":[{"type":"reasoning","text":"A"},"a"],"reasoning_content":"C")", "a|C|{}"),
             std::pair(R"("content":[{"type":"reasoning_text","text":"A"},"a"],"reasoning_content":"")", "a|A|{}"),
             std::pair(R"("content":{"text":"a"},"role":"user")", "a|none|{}"),
             std::pair(R"("content":"a","annotations":[],"audio":null,"x":{},"y":[[]],"z":[])",
                       R"(a|none|{"openai":{"x":{},"y":[[]]}})"),
             std::pair(R"("content":"a","refusal":null,"annotations":[])", "a|none|{}"),
         }) {
        CAPTURE(members);
        const acta::AssistantChatMessage one =
            codecs::read(servers_codec(), R"({"choices":[{"message":{)" + std::string(members) + "}}]}")
                .completion.message;
        CHECK(one.content + "|" + one.reasoning_content.value_or("none") + "|" + acta::dump(one.extra) == wanted);
    }
    const auto parts = [](const std::string& content) {
        return acta::ChatMessage(
                   codecs::read(servers_codec(), R"({"choices":[{"message":{"content":)" + content + "}}]}")
                       .completion.message)
            .parts;
    };
    CHECK(parts(R"([{"text":null}])").at(0).type == "unknown");
    CHECK(parts(R"({"x":1})").at(0).type == "unknown");
    CHECK(parts(R"(["a",{"type":"text","text":"b"}])").empty());
    CHECK(parts(R"(["a",{"type":"text","text":"b","x":1}])").size() == 2);
    for (const char* const content : {"3", "true", "[3]", "[null]"})
        CHECK(codecs::failure(servers_codec(), R"({"choices":[{"message":{"content":)" + std::string(content) + "}}]}")
                  .fault() == acta::ChatModelFault::reply);
}

TEST_CASE("blocks of reasoning are joined by their index, and go back whole") {
    const ChatReply reply = streamed(
        {R"({"reasoning_details":[{"type":"reasoning.text","text":"a","index":0,"signature":null}]})",
         R"({"reasoning_details":[{"type":"reasoning.text","text":"b","index":0},{"type":"reasoning.encrypted","data":"x","index":1}]})",
         R"({"reasoning_details":[{"type":"reasoning.text","signature":"s","index":0}],"tool_calls":[{"id":"c","function":{"name":"f"}}]})"});
    const Json details = reply.completion.message.extra.at("openai").at("reasoning_details");
    CHECK(details.dump() == R"([{"type":"reasoning.text","text":"ab","index":0,"signature":"s"},)"
                            R"({"type":"reasoning.encrypted","data":"x","index":1}])");
    const Json back = codecs::request(
        servers_codec(), {acta::ChatMessage::user("?"), reply.completion.message, acta::ChatMessage::tool("c", "1")});
    CHECK(back["messages"][1]["reasoning_details"] == details);
}

TEST_CASE("an empty reason to finish is none, and the words of servers are OpenAI's") {
    const auto finish = [](const std::string& word) {
        return codecs::read(servers_codec(),
                            R"({"choices":[{"message":{"content":"x"},"finish_reason":)" + word + "}]}")
            .completion.finish_reason;
    };
    CHECK(finish("null").empty());
    CHECK(finish("\"\"").empty());
    CHECK(finish("\"MAX_TOKENS\"") == "length");
    CHECK(finish("\"RECITATION\"") == "RECITATION");  // says more than OpenAI's word
    CHECK(finish("\"pause\"") == "pause");
    acta::ChatReplyReader reader = servers_codec().reader(codecs::question());
    using acta::http::Demand;
    const auto feed = [&](const std::string& rest) {
        return reader.feed(codecs::events({R"({"choices":[{"index":0,)" + rest + "}]}"}));
    };
    CHECK(feed(R"("delta":{"content":"a"},"finish_reason":"")") == Demand::more);
    CHECK(feed(R"("delta":{"content":"b"},"finish_reason":"stop")") == Demand::renewed);
    CHECK(feed(R"("delta":{},"finish_reason":"stop")") == Demand::optional);
    CHECK(feed(R"("delta":{"content":"c"},"finish_reason":null)") == Demand::renewed);
    CHECK(reader.finish().completion.message.content == "abc");
}

TEST_CASE("an answer that comes as one event is read, and shown") {
    const std::string event =
        R"({"choices":[{"index":0,"message":{"role":"assistant","content":"Dry."},"finish_reason":"stop"}]})";
    CHECK(codecs::shown(servers_codec(), codecs::events({event})) == "Dry.");
    // After parts it is what they were.
    const std::string part = R"({"choices":[{"index":0,"delta":{"content":"Wet."}}]})";
    CHECK(codecs::shown(servers_codec(), codecs::events({part, event})) == "Wet.");
}

TEST_CASE("a stream is recognised by its bytes, and so is an answer that is none") {
    const std::string event = R"({"choices":[{"index":0,"delta":{"content":"Dry."},"finish_reason":"stop"}]})";
    for (const char* const before :
         {"", "\n\n", "\xEF\xBB\xBF", ": waiting\n\n", "id: 1\n", "event: chunk\n", "retry: 5\n\n"})
        CHECK(codecs::shown(servers_codec(), before + codecs::events({event})) == "Dry.");
    // What the header says counts for an answer that begins with neither.
    const auto read_as = [](const char* type, const std::string& body) {
        acta::ChatReplyReader reader = servers_codec().reader(codecs::question());
        reader.begin(200, std::vector<std::pair<std::string, std::string>>{{"content-type", type}});
        try {
            static_cast<void>(reader.feed(body));
            return reader.finish().completion.message.content;
        } catch (const acta::ChatModelError& error) {
            return std::string(error.what()).substr(0, 40);
        }
    };
    const std::string plain = R"({"choices":[{"message":{"content":"Dry."},"finish_reason":"stop"}]})";
    const std::string none = "the answer is not a completion: Invalid ";
    CHECK(read_as("text/event-stream", plain) == "Dry.");
    CHECK(read_as("text/event-stream", " \n" + plain) == "Dry.");
    CHECK(read_as("text/event-stream", "x-field: 1\n" + codecs::events({event})) == "Dry.");
    CHECK(read_as("Text/Event-Stream; charset=utf-8", "x-field: 1\n" + codecs::events({event})) == "Dry.");
    CHECK(read_as("application/json", "x-field: 1\n" + codecs::events({event})) == none);
    CHECK(read_as("application/json", codecs::events({event})) == "Dry.");
    CHECK(read_as("text/event-stream", "<html>") == none);
    CHECK(read_as("text/event-stream", " ") == "the stream of the answer ended too early");
    CHECK(read_as("application/json", " ") == none);
}

TEST_CASE("halves of a character in two parts are one, and a half alone is replaced") {
    const auto text = [](const std::vector<std::string>& parts) {
        std::vector<std::string> events;
        for (const std::string& part : parts)
            events.push_back(R"({"choices":[{"index":0,"delta":{"content":")" + part + "\"}}]}");
        events.emplace_back("[DONE]");
        const std::string stream = codecs::events(events);
        const std::string shown = codecs::shown(servers_codec(), stream);
        CHECK(codecs::read(servers_codec(), stream).completion.message.content == shown);
        return shown;
    };
    CHECK(text({R"(a\ud83c)", R"(\udf1e)"}) == "a\xF0\x9F\x8C\x9E");
    CHECK(text({R"(\uD83C)", "", R"(\uDF1Eb\ud83d)", R"(\ude00)"}) ==
          "\xF0\x9F\x8C\x9E"
          "b\xF0\x9F\x98\x80");
    CHECK(text({R"(a\ud83cb)", R"(\udf1e)"}) ==
          "a\xEF\xBF\xBD"
          "b\xEF\xBF\xBD");
    CHECK(text({R"(a\ud83c)"}) == "a\xEF\xBF\xBD");
    CHECK(text({R"(\\ud83c\ud83c)", R"(\udf1e)"}) == "\\ud83c\xF0\x9F\x8C\x9E");
    CHECK(text({R"(\udf1e)", R"(\ud83c)"}) == "\xEF\xBF\xBD\xEF\xBF\xBD");
    CHECK(text({R"(\ud83c\ud83c)", R"(\udf1e\udf1e)"}) == "\xEF\xBF\xBD\xF0\x9F\x8C\x9E\xEF\xBF\xBD");
    CHECK(text({R"(\ud800)", R"(\udc00\udbff)", R"(\udfff)"}) == "\xF0\x90\x80\x80\xF4\x8F\xBF\xBF");
    // The noncharacter that stands for halves while they are read is itself, where no half is behind it.
    for (const char* const rest :
         {"", "ab", "abcdef", "\xF4\x80\xA0\x80", "\xF4\x81\x80\x80", "\xF3\xBF\xBF\xBF", "\xF4\x8F\xBF\xBF"}) {
        const std::string odd = std::string("\xEF\xB7\x90") + rest;
        CHECK(text({odd + "z"}) == odd + "z");
        CHECK(text({R"(\ud83c)" + odd}) == "\xEF\xBF\xBD" + odd);
    }
    CHECK(calls({R"([{"index":0,"id":"a","function":{"name":"f","arguments":"{\"x\":\"\ud83c"}}])",
                 R"([{"index":0,"function":{"arguments":"\udf1e\"}"}}])"}) == "a:f(x='\xF0\x9F\x8C\x9E') ");
}

TEST_CASE("a whole object after a whole object is the arguments of another call") {
    const std::string first = R"([{"index":0,"id":"t","function":{"name":"glob","arguments":""}}])";
    const std::string a = R"([{"index":0,"function":{"name":"","arguments":"{\"p\":1}"}}])";
    const std::string b = R"([{"index":0,"function":{"arguments":" {\"p\":2}"}}])";
    const std::string wanted = "t:glob(p=1) call_1:glob(p=2) ";
    CHECK(calls({first, a, b}) == wanted);
    CHECK(calls({first, a, b, b}) == wanted + "call_2:glob(p=2) ");
    // As an object, without an index, and in pieces.
    CHECK(calls({first, a, R"([{"function":{"arguments":{"p":2}}}])"}) == wanted);
    CHECK(calls({first, a, R"([{"index":0,"function":{"arguments":"{\"p\""}}])",
                 R"([{"index":0,"function":{"arguments":":2}"}}])"}) == wanted);
    // An object inside of the arguments is no new one, nor is what follows an empty one.
    CHECK(calls({first, R"([{"index":0,"function":{"arguments":"{\"p\":"}}])",
                 R"([{"index":0,"function":{"arguments":"{\"a\":1}"}}])",
                 R"([{"index":0,"function":{"arguments":"}"}}])"}) == "t:glob(p={'a': 1}) ");
    const std::string empty = R"([{"index":0,"function":{"arguments":"{}"}}])";
    const std::string blank = R"([{"index":0,"function":{"arguments":""}}])";
    CHECK(calls({first, empty, a}) == "t:glob(p=1) ");
    CHECK(calls({first, empty, blank}) == "t:glob() ");
    CHECK(calls({first, a, blank}) == "t:glob(p=1) ");
}

TEST_CASE("a good answer is not lost for numbers that cannot be read") {
    for (const char* const odd :
         {"NaN", "nan", "-nan", "Infinity", "-Infinity", "inf", "1e999", "-1e999", "123456789012345678901234567890",
          "-123456789012345678901234567890", "1e-999", "123456789012345678901234567890.5e4000"}) {
        INFO(odd);
        const std::string other(odd);
        const acta::ChatReply whole = codecs::read(
            servers_codec(), R"({"choices": [{"message": {"content": "NaN, 1e999 \" NaN."}, "finish_reason":
            "stop", "logprobs": [{"logprob":)" +
                                 other + "}, " + other + R"(]}], "created": )" + other + "}");
        CHECK(whole.completion.message.content == "NaN, 1e999 \" NaN.");
        CHECK(whole.completion.finish_reason == "stop");
        const acta::ChatReply streamed = codecs::read(
            servers_codec(),
            codecs::events(
                {R"({"choices": [{"delta": {"content": "At noon"}, "logprobs": {"top": )" + other + "}}]}",
                 R"({"choices": [{"delta": {"content": "."}, "finish_reason": "stop"}], "usage": {"prompt_tokens": )" +
                     other + R"(, "completion_tokens": 5}})",
                 "[DONE]"}));
        CHECK(streamed.completion.message.content == "At noon.");
        CHECK(streamed.completion.usage->completion_tokens == 5);
    }
    CHECK(codecs::read(servers_codec(),
                       R"({"choices": [{"message": {"content": "x"}}], "big": 123456789012345678901234567890})")
              .body["big"] == acta::Json(123456789012345678901234567890.0));
    // Nor are the words of an error.
    const acta::ChatModelError busy = codecs::failure(
        servers_codec(), R"({"error": {"message": "Slow down.", "type": "rate_limit_error", "load": NaN}})", 429);
    CHECK(busy.failure().type == "rate_limit_error");
    CHECK_THAT(busy.what(), contains_text("\"Slow down.\""));
    // What is not JSON for another reason stays an error, which shows the text as it came.
    for (const char* const bad :
         {R"({"choices": NaN, })", R"({"choices": 1e5x})", R"({"choices": None})", R"({"choices": 01e999})",
          R"({"choices": "NaN)", R"({"choices": "\)", "{NaN: 1}", R"({"choices": +1e999})"}) {
        INFO(bad);
        CHECK(codecs::failure(servers_codec(), bad).fault() == acta::ChatModelFault::reply);
    }
}

TEST_CASE("data that is not JSON before the answer is skipped") {
    const std::string answer = R"({"choices": [{"delta": {"content": "At noon."}, "finish_reason": "stop"}]})";
    for (const char* const odd : {": OPENROUTER PROCESSING", "ping", "keep-alive", "\"ping\"", "1700000000"}) {
        INFO(odd);
        CHECK(codecs::read(servers_codec(), codecs::events({odd, answer, "[DONE]"})).completion.message.content ==
              "At noon.");
        CHECK(codecs::read(servers_codec(),
                           codecs::events({R"({"choices": [{"delta": {"role": "assistant", "content": ""}}]})", odd,
                                           odd, answer, "[DONE]"}))
                  .completion.message.content == "At noon.");
    }
    // A stream that has nothing else is none.
    const acta::ChatModelError error =
        codecs::failure(servers_codec(), codecs::events({"Internal Server Error", "[DONE]"}));
    CHECK(error.fault() == acta::ChatModelFault::reply);
    CHECK_THAT(error.what(), contains_text("Internal Server Error"));
    CHECK(codecs::failure(servers_codec(), codecs::events({"{\"choices\": [", "[DONE]"})).fault() ==
          acta::ChatModelFault::reply);
    // After a part of the answer, it may be one.
    CHECK(codecs::failure(servers_codec(),
                          codecs::events({R"({"choices": [{"delta": {"content": "At"}}]})", "ping", answer}))
              .fault() == acta::ChatModelFault::reply);
    // An answer without a text ends well.
    CHECK(codecs::read(servers_codec(),
                       codecs::events({R"({"choices": [{"delta": {}, "finish_reason": "stop"}]})", "ping", "[DONE]"}))
              .completion.finish_reason == "stop");
}
