// SPDX-License-Identifier: MIT
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// What servers of the Responses API, and gateways in Anthropic's form, write.
namespace {

using acta::ChatModelFault;
using acta::Json;

const acta::openai::ResponsesCodec& items_codec() {
    static const acta::openai::ResponsesCodec codec({.api_key = ""});
    return codec;
}
const acta::anthropic::ChatCodec& blocks_codec() {
    static const acta::anthropic::ChatCodec codec({.api_key = ""});
    return codec;
}

acta::ChatCompletion response(const std::string& output, const std::string& more = R"("status":"completed")") {
    return codecs::read(items_codec(), "{" + more + ",\"output\":" + output + "}").completion;
}
std::string said(const char* text) {
    return std::string(R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":")") + text +
           "\"}]}";
}

}  // namespace

TEST_CASE("several messages of a response are one answer, whatever is between them") {
    const std::string output =
        "[" + said("Let me look.") + R"(,{"type":"mcp_list_tools","tools":[]},)" +
        R"({"type":"local_shell_call_output","output":"x"},{"type":"new_thing","x":1},)" + said("It is dry.") +
        R"(,{"type":"function_call","call_id":"a","name":"f","arguments":"{}"},)" + said("So.") + "]";
    const acta::ChatCompletion one = response(output);
    CHECK(one.message.content == "Let me look.\nIt is dry.\nSo.");
    CHECK(one.message.tool_calls->size() == 1);
    CHECK(one.finish_reason == "tool_calls");
    CHECK(response("[" + said("Wet.") + "," + said("") + "]").message.content == "Wet.");
    // All of it goes back as it came.
    const Json back = codecs::request(items_codec(), {acta::ChatMessage::user("?"), one.message});
    Json wanted = Json::parse(output);
    wanted.insert(wanted.begin(), Json::parse(R"({"role":"user","content":"?"})"));
    CHECK(nlohmann::json::parse(back["input"].dump()) == nlohmann::json::parse(wanted.dump()));
}

TEST_CASE("arguments of a response that cannot be read are kept, and those that were cut off are not empty") {
    const auto call = [](const std::string& rest, const std::string& more) {
        const acta::ChatCompletion one =
            response(R"([{"type":"function_call","call_id":"a","name":"f")" + rest + "}]", more);
        return to_string(one.message.tool_calls->front());
    };
    const std::string done = R"("status":"completed")";
    const std::string cut = R"("status":"incomplete","incomplete_details":{"reason":"max_output_tokens"})";
    CHECK(call(R"(,"arguments":"{\"x")", done) == "f(unreadable_arguments='{\"x')");
    CHECK(call(R"(,"arguments":"[1]")", done) == "f(unreadable_arguments='[1]')");
    CHECK(call(R"(,"arguments":{"x":1})", done) == "f(x=1)");
    CHECK(call("", done) == "f()");
    CHECK(call("", cut) == "f(unreadable_arguments='')");
    CHECK(call(R"(,"arguments":"","status":"incomplete")", done) == "f(unreadable_arguments='')");
    CHECK(call(R"(,"arguments":"{}","status":"completed")", cut) == "f()");
    for (const char* const blank : {"null", "{}", "\"\"", "\" \""}) {
        CAPTURE(blank);
        CHECK(call(R"(,"arguments":)" + std::string(blank), done) == "f()");
        CHECK(call(R"(,"arguments":)" + std::string(blank), cut) == "f(unreadable_arguments='')");
    }
    for (const auto& [full, wanted] :
         {std::pair(R"({"x":1})", "f(x=1)"), std::pair(R"("{\"x\":1}")", "f(x=1)"),
          std::pair("[]", "f(unreadable_arguments='[]')"), std::pair("3", "f(unreadable_arguments='3')")}) {
        CAPTURE(full);
        CHECK(call(R"(,"arguments":)" + std::string(full), done) == wanted);
        CHECK(call(R"(,"arguments":)" + std::string(full), cut) == wanted);
        CHECK(call(R"(,"status":"incomplete","arguments":)" + std::string(full), done) == wanted);
    }
    // Only the last item of an answer can be cut off.
    const std::string blank_call = R"({"type":"function_call","call_id":"a","name":"f","arguments":""})";
    CHECK(to_string(response("[" + blank_call + "," + said("x") + "]", cut).message.tool_calls->front()) == "f()");
    const auto id = [](const std::string& members) {
        return response(R"([{"type":"function_call","name":"f","arguments":"{}")" + members + "}]")
            .message.tool_calls->front()
            .id;
    };
    CHECK(id(R"(,"call_id":"a","id":"i")") == "a");
    CHECK(id(R"(,"call_id":"","id":"i")") == "i");
    CHECK(id(R"(,"call_id":null,"id":7)") == "7");
    CHECK(id(R"(,"id":"i")") == "i");
}

TEST_CASE("the states of a response are told apart") {
    CHECK(response("[]", R"("status":"incomplete","incomplete_details":{"reason":"content_filter"})").finish_reason ==
          "content_filter");
    CHECK(response("[]", R"("status":"incomplete")").finish_reason == "incomplete");
    CHECK(response("[" + said("x") + "]", R"("model":"m")").finish_reason == "stop");
    CHECK(response(R"([{"type":"message","role":"assistant","content":[{"type":"refusal","refusal":"No."}]}])")
              .finish_reason == "refusal");
    const std::string refused =
        R"({"type":"message","content":[{"type":"output_text","text":"a"},{"type":"refusal"}]})";
    const std::string calling = R"({"type":"function_call","call_id":"a","name":"f","arguments":"{}"})";
    const std::string incomplete = R"("status":"incomplete")";
    const std::string completed = R"("status":"completed")";
    for (const auto& [items, more, finish] : std::vector<std::tuple<std::string, std::string, std::string>>{
             {"", incomplete + R"(,"incomplete_details":null)", "incomplete"},
             {"", incomplete + R"(,"incomplete_details":"x")", "incomplete"},
             {"", incomplete + R"(,"incomplete_details":{"reason":""})", "incomplete"},
             {"", incomplete + R"(,"incomplete_details":{"reason":null})", "incomplete"},
             {"", completed + R"(,"incomplete_details":{"reason":"max_output_tokens"})", "length"},
             {said("x"), R"("status":null)", "stop"},
             {said("x") + "," + refused, completed, "refusal"},
             {refused + "," + calling, completed, "refusal"},
             {said("x") + "," + calling, completed, "tool_calls"},
             {calling, incomplete, "incomplete"},
             {R"({"type":"message","content":"refusal"})", completed, "stop"},
             {R"({"type":"x","content":null},{"type":"refusal"})", completed, "stop"},
         }) {
        CAPTURE(items, more);
        CHECK(response("[" + items + "]", more).finish_reason == finish);
    }
    for (const char* const output : {"null", "{}", "\"x\"", "3"})
        CHECK_THAT(
            codecs::failure(items_codec(), R"({"status":"completed","output":)" + std::string(output) + "}").what(),
            contains_text("it has no output"));
    for (const char* const status : {"cancelled", "canceled", "queued", "in_progress"}) {
        const acta::ChatModelError error =
            codecs::failure(items_codec(), std::string(R"({"output":[],"status":")") + status + "\"}");
        CHECK(error.fault() == ChatModelFault::reply);
        CHECK_THAT(error.what(), contains_text(std::string("its status is ") + status));
    }
    const acta::ChatModelError failed = codecs::failure(
        items_codec(), R"({"status":"failed","error":{"code":"rate_limit_exceeded","message":"Slow"},"output":[]})");
    CHECK(failed.is_transient());
    CHECK_FALSE(codecs::failure(items_codec(),
                                R"({"status":"failed","error":{"code":"invalid_prompt","message":"No"},"output":[]})")
                    .is_transient());
    CHECK(codecs::failure(items_codec(), R"({"status":"failed","error":null,"output":[]})").fault() ==
          ChatModelFault::status);
}

TEST_CASE("a stream of a response is what its events say, where the last one says nothing") {
    const std::string last = R"({"type":"response.completed","response":{"status":"completed"}})";
    const auto text = [&](std::vector<std::string> events) {
        events.push_back(last);
        const std::string stream = codecs::events(events);
        const std::string shown = codecs::shown(items_codec(), stream);
        CHECK(codecs::read(items_codec(), stream).completion.message.content == shown);
        return shown;
    };
    CHECK(text({R"({"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"It "})",
                R"({"type":"response.output_text.delta","output_index":0,"content_index":0,"delta":"is."})",
                R"({"type":"response.output_text.done","output_index":0,"content_index":0,"text":"It is."})"}) ==
          "It is.");
    CHECK(text({R"({"type":"response.output_text.done","item_id":"m","content_index":0,"text":"It is."})"}) ==
          "It is.");
    CHECK(text({R"({"type":"response.output_item.done","output_index":0,"item":)" + said("It is.") + "}"}) == "It is.");
    CHECK(text({R"({"type":"response.output_text.delta","output_index":0,"delta":"One."})",
                R"({"type":"response.output_text.delta","output_index":2,"delta":"Two."})"}) == "One.\nTwo.");
    const acta::ChatCompletion call =
        codecs::read(
            items_codec(),
            codecs::events(
                {R"({"type":"response.output_item.added","output_index":0,"item":{"type":"function_call","id":"f","call_id":"a","name":"g"}})",
                 R"({"type":"response.function_call_arguments.done","item_id":"f","arguments":"{\"x\":1}"})", last}))
            .completion;
    CHECK(to_string(call.message.tool_calls->front()) == "g(x=1)");
    CHECK(codecs::failure(items_codec(), codecs::events({"[DONE]"})).fault() == ChatModelFault::reply);
}

TEST_CASE("blocks of Anthropic's form are told apart by whatever index they have") {
    const auto text = [](const std::vector<std::string>& events) {
        return codecs::shown(blocks_codec(), codecs::events(events) + codecs::events({R"({"type":"message_stop"})"}));
    };
    const std::string start = R"({"type":"content_block_start","index":)";
    const std::string delta = R"({"type":"content_block_delta","index":)";
    CHECK(text({start + R"("1","content_block":{"type":"text","text":""}})",
                delta + R"(1.0,"delta":{"type":"text_delta","text":"Dry."}})"}) == "Dry.");
    CHECK(text({start + R"(0,"content_block":{"type":"text","text":""}})",
                delta + R"(0,"delta":{"type":"text_delta","text":"A"}})",
                start + R"(0,"content_block":{"type":"text","text":""}})",
                delta + R"(0,"delta":{"type":"text_delta","text":"B"}})"}) == "AB");
    CHECK(text({delta + R"(0,"delta":{"type":"text_delta","text":"Dry."}})"}) == "Dry.");
    CHECK(text({start + R"(0,"content_block":{"type":"text","text":"One."}})",
                start + R"(1,"content_block":{"type":"server_tool_use","id":"s","name":"x","input":{}}})",
                start + R"(2,"content_block":{"type":"text","text":"Two."}})"}) == "One.\nTwo.");
}

TEST_CASE("a call of Anthropic's form that was cut off is not one without arguments") {
    const auto call = [](const std::string& input, const std::string& reason, bool is_last = true) {
        const acta::ChatCompletion one =
            codecs::read(blocks_codec(), R"({"content":[{"type":"tool_use","id":"a","name":"f")" + input + "}" +
                                             (is_last ? "" : R"(,{"type":"text","text":"x"})") +
                                             R"(],"stop_reason":")" + reason + "\"}")
                .completion;
        return to_string(one.message.tool_calls->front());
    };
    CHECK(call(R"(,"input":{})", "tool_use") == "f()");
    CHECK(call("", "tool_use") == "f()");
    CHECK(call(R"(,"input":{})", "max_tokens") == "f(unreadable_arguments='')");
    CHECK(call(R"(,"input":{})", "refusal") == "f(unreadable_arguments='')");
    CHECK(call(R"(,"input":{})", "max_tokens", false) == "f()");
    CHECK(call(R"(,"input":{"x":1})", "max_tokens") == "f(x=1)");
    CHECK(call(R"(,"input":"{\"x\":1}")", "tool_use") == "f(x=1)");
    for (const char* const blank : {"null", "\"\"", "\" \\n\"", "{}"}) {
        CAPTURE(blank);
        CHECK(call(R"(,"input":)" + std::string(blank), "tool_use") == "f()");
        CHECK(call(R"(,"input":)" + std::string(blank), "max_tokens") == "f(unreadable_arguments='')");
    }
    for (const auto& [full, wanted] :
         {std::pair("\"{}\"", "f()"), std::pair(R"("{\"x\":1}")", "f(x=1)"),
          std::pair("\"{\"", "f(unreadable_arguments='{')"), std::pair("[1]", "f(unreadable_arguments='[1]')"),
          std::pair("3", "f(unreadable_arguments='3')")}) {
        CAPTURE(full);
        CHECK(call(R"(,"input":)" + std::string(full), "tool_use") == wanted);
        CHECK(call(R"(,"input":)" + std::string(full), "max_tokens") == wanted);
    }
    const auto id = [](const std::string& value) {
        return codecs::read(blocks_codec(), R"({"content":[{"type":"tool_use","name":"f","id":)" + value + "}]}")
            .completion.message.tool_calls->front()
            .id;
    };
    CHECK(id("\"a\"") == "a");
    CHECK(id("7") == "7");
    CHECK(id("7.0") == "7");
    for (const char* const content : {"null", "{}", "\"x\"", "3"})
        CHECK_THAT(
            codecs::failure(blocks_codec(), R"({"stop_reason":"end_turn","content":)" + std::string(content) + "}")
                .what(),
            contains_text("it has no content"));
}
