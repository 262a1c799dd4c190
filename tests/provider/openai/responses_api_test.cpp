// SPDX-License-Identifier: MIT
#include "support/catch.hpp"

#if defined(ACTA_HAS_CLIENT) && !defined(_WIN32)
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "provider/codec.hpp"
#include "provider/http/socket_server.hpp"

namespace {

using acta::ChatMessage;
using acta::ChatOptions;
using acta::Json;

acta::openai::ResponsesCodec responses_codec(acta::openai::Options own = {}) {
    own.api_key = "";
    return acta::openai::ResponsesCodec(own);
}

Json responses_request(const std::vector<ChatMessage>& messages, const ChatOptions& chat = {},
                       const acta::openai::Options& own = {}) {
    return codecs::request(responses_codec(own), messages, chat);
}

acta::ChatCompletion responses_answer(const char* body) { return codecs::read(responses_codec(), body).completion; }

}  // namespace

TEST_CASE("an answer of the Responses API is one message with all of its items") {
    const acta::ChatCompletion one = responses_answer(
        R"({"status":"completed","model":"gpt-5","output":[
            {"type":"reasoning","id":"r","summary":[],"encrypted_content":"gAAAA"},
            {"type":"message","role":"assistant","content":[{"type":"output_text","text":"I look.","annotations":[]}]},
            {"type":"function_call","call_id":"c1","name":"search","arguments":"{\"q\":\"tides\"}"}],
            "usage":{"input_tokens":30,"input_tokens_details":{"cached_tokens":20},"output_tokens":9,
                     "output_tokens_details":{"reasoning_tokens":5}}})");
    CHECK(one.message.content == "I look.");
    CHECK(to_string(one.message.tool_calls->front()) == "search(q='tides')");
    CHECK(one.finish_reason == "tool_calls");
    CHECK(one.usage ==
          acta::TokenUsage{.prompt_tokens = 30, .completion_tokens = 9, .cached_tokens = 20, .reasoning_tokens = 5});
    const std::string back =
        responses_request({ChatMessage::user("?"), one.message, ChatMessage::tool("c1", "high")}).dump();
    CHECK_THAT(back, contains_text(R"("encrypted_content":"gAAAA")"));
    CHECK(responses_answer(R"({"status":"incomplete","incomplete_details":{"reason":"max_output_tokens"},"output":[]})")
              .finish_reason == "length");
    CHECK_THROWS_WITH(
        responses_answer(R"({"status":"failed","error":{"code":"server_error","message":"It fell over"}})"),
        contains_text("It fell over"));
    CHECK_THROWS_WITH(responses_answer(R"({"status":"completed"})"), contains_text("it has no output"));
    CHECK_THROWS_WITH(responses_answer(R"({"output":[3]})"), contains_text("the answer is not a completion: "));
}

TEST_CASE("a stream of the Responses API ends with the whole answer") {
    std::string text;
    acta::ChatReplyReader reader =
        responses_codec().reader(codecs::question(), {.on_text = [&](std::string_view part) { text += part; }});
    using acta::http::Demand;
    const auto add = [&](const char* event) { return reader.feed(codecs::events({event})); };
    CHECK(add(R"({"type":"response.created","response":{"output":[]}})") == Demand::more);
    CHECK(add(R"({"type":"response.output_text.delta","delta":"At "})") == Demand::more);
    CHECK(text == "At ");
    CHECK(add(R"({"type":"response.function_call_arguments.delta","output_index":1,"delta":"{"})") == Demand::more);
    CHECK(add(R"({"type":"response.completed","response":{"status":"completed","output":[)"
              R"({"type":"message","role":"assistant","content":[{"type":"output_text","text":"At noon."}]}]}})") ==
          Demand::nothing);
    CHECK(reader.finish().completion.message.content == "At noon.");
    CHECK_THROWS_AS(codecs::read(responses_codec(), codecs::events({R"({"type":"response.completed"})"})),
                    acta::ChatModelError);
}

#else

TEST_CASE("the Responses API's client is tested where it is") { ACTA_SKIP("there is no client"); }

#endif
