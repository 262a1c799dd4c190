// SPDX-License-Identifier: MIT
#include "acta/provider/openai/codec.hpp"

#include "acta/schema/schema.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

namespace {

using acta::ChatMessage;
using acta::ChatOptions;
using acta::Json;
namespace openai = acta::openai;

openai::ChatCodec codec_of(openai::Options settings = {}) {
    settings.base_url = "http://localhost/v1";
    settings.api_key = "";
    return openai::ChatCodec(settings);
}

std::string body(const std::vector<ChatMessage>& messages, const ChatOptions& options = {},
                 const openai::Options& settings = {}) {
    return codec_of(settings).request(messages, options).body;
}
std::string body(const char* question, const ChatOptions& options = {}, const openai::Options& settings = {}) {
    return body(std::vector{ChatMessage::user(question)}, options, settings);
}
const ChatOptions streaming{.on_text = [](std::string_view) {}};

acta::ChatCompletion completion(const std::string& text) { return codecs::read(codec_of(), text).completion; }

std::string message_of(const std::string& message) { return R"({"choices":[{"message":)" + message + "}]}"; }

std::string fault(const std::string& text) {
    const acta::ChatModelError error = codecs::failure(codec_of(), text);
    CHECK(error.fault() == acta::ChatModelFault::reply);
    return error.what();
}

}  // namespace

TEST_CASE("a request says what was asked, and leaves the rest to the server") {
    CHECK(body("Hello") == R"({"messages":[{"role":"user","content":"Hello"}]})");
    CHECK(body({ChatMessage::system("Be brief."), ChatMessage::user("Hi")}) ==
          R"({"messages":[{"role":"system","content":"Be brief."},{"role":"user","content":"Hi"}]})");
    CHECK(body({ChatMessage::tool("a", "3", true)}) ==
          R"({"messages":[{"role":"tool","content":"Action failed: '3'","tool_call_id":"a"}]})");
    const openai::Options settings{
        .model = "m", .temperature = 0.5, .max_tokens = 10, .extra = {{"seed", 7}, {"temperature", 1}}};
    CHECK(body("x", {}, settings) ==
          R"({"model":"m","messages":[{"role":"user","content":"x"}],"temperature":1,"max_tokens":10,"seed":7})");
    CHECK(body("x", {.model = "n", .temperature = 0.0, .max_tokens = 5}, {.model = "m", .max_tokens = 10}) ==
          R"({"model":"n","messages":[{"role":"user","content":"x"}],"temperature":0.0,"max_tokens":5})");
    CHECK(body("x", streaming) ==
          R"({"messages":[{"role":"user","content":"x"}],"stream":true,"stream_options":{"include_usage":true}})");
    CHECK(body("x", streaming, {.stream_usage = false}) ==
          R"({"messages":[{"role":"user","content":"x"}],"stream":true})");
}

TEST_CASE("a schema is sent as strict where it is") {
    const auto is_strict = [](const Json& schema) {
        ChatOptions options;
        options.response_schema = schema;
        return Json::parse(body("x", options))["response_format"]["json_schema"]["strict"] == true;
    };
    const auto strict = [&](const char* text) { return is_strict(Json::parse(text)); };
    CHECK(strict(
        R"({"type":"object","properties":{"a":{"type":"string"}},"required":["a"],"additionalProperties":false})"));
    CHECK(strict(
        R"({"type":"object","properties":{"default":{"type":"string"}},"required":["default"],"additionalProperties":false})"));
    CHECK(strict(R"({"type":"object","additionalProperties":false})"));
    CHECK_FALSE(strict(R"({"type":"object"})"));
    CHECK_FALSE(strict(R"({"type":"object","additionalProperties":true})"));
    CHECK_FALSE(strict(R"({"type":"object","properties":{"a":{}},"additionalProperties":false})"));
    CHECK_FALSE(strict(
        R"({"type":"object","properties":{"a":{"type":"integer","default":1}},"required":["a"],"additionalProperties":false})"));
    CHECK_FALSE(strict(
        R"({"type":"object","properties":{"a":{"items":{"type":"object"}}},"required":["a"],"additionalProperties":false})"));
    CHECK_FALSE(strict(R"({"$defs":{"X":{"type":"object"}},"type":"object","additionalProperties":false})"));
    for (const char* const good :
         {R"({"type":"string"})", R"({"type":["object","null"]})", R"({"properties":{},"additionalProperties":false})",
          R"({"anyOf":[{"type":"string"},{"type":"null"}]})", R"({"x":{"type":"object"}})",
          R"({"enum":[{"default":1}]})", R"({"$defs":{"X":{"type":"string"}},"$ref":"#/$defs/X"})", "true", "[]"}) {
        CAPTURE(good);
        CHECK(strict(good));
    }
    for (const char* const bad :
         {R"({"properties":{}})", R"({"type":"object","additionalProperties":null})",
          R"({"properties":{"a":{}},"required":["a","b"],"additionalProperties":false})",
          R"({"properties":{"a":{}},"required":[],"additionalProperties":false})", R"({"default":null})",
          R"({"anyOf":[{"type":"string"},{"type":"object"}]})", R"({"items":{"type":"string","default":""}})",
          R"({"items":[{"type":"string"},{"default":1}]})", R"([{"type":"object"}])"}) {
        CAPTURE(bad);
        CHECK_FALSE(strict(bad));
    }
    CHECK_FALSE(is_strict(acta::schema<acta::TokenUsage>()));
    CHECK(is_strict(acta::schema<acta::TokenUsage>({.dialect = acta::SchemaDialect::openai_strict})));
}

TEST_CASE("what cannot be sent is refused here") { CHECK_THROWS_AS(body("\xFF"), acta::EncodeError); }

TEST_CASE("an answer is read, whatever server wrote it") {
    const acta::ChatCompletion one = completion(
        R"({"id":"x","model":"m","choices":[{"index":0,"finish_reason":"stop","message":{"role":"assistant","content":"Hi",
            "refusal":null,"annotations":[]},"logprobs":null}],"usage":{"prompt_tokens":2,"completion_tokens":1,
            "total_tokens":3,"prompt_tokens_details":{"cached_tokens":0}},"service_tier":"default"})");
    CHECK(one.message.content == "Hi");
    CHECK_FALSE(one.message.tool_calls);
    CHECK(one.message.extra.empty());
    CHECK(one.usage == acta::TokenUsage{.prompt_tokens = 2, .completion_tokens = 1, .cached_tokens = 0});
    CHECK(one.finish_reason == "stop");
    CHECK(one.model == "m");

    CHECK(completion(message_of(R"({"content":null})")).message.content.empty());
    CHECK(completion(message_of("{}")).message.content.empty());
    CHECK(completion(message_of(R"({"content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})"))
              .message.content == "ab");
    const acta::ChatCompletion refused = completion(message_of(R"({"content":null,"refusal":"No."})"));
    CHECK(refused.message.content == "No.");
    CHECK(refused.finish_reason == "refusal");
    CHECK_FALSE(completion(message_of("{}")).usage);
    const std::string usage = R"(,"usage":{"prompt_tokens":18446744073709551615,"completion_tokens":"many"}})";
    std::string odd = message_of("{}");
    odd.pop_back();
    CHECK(completion(odd + usage).usage == acta::TokenUsage{0, 0});
}

TEST_CASE("tool calls are read with arguments in a text, as an object, or without any") {
    const auto call = [](const std::string& rest) {
        const acta::ChatCompletion read =
            completion(message_of(R"({"content":null,"tool_calls":[{"id":"i","function":{"name":"f")" + rest + "}}]}"));
        return to_string(read.message.tool_calls.value().at(0));
    };
    CHECK(call(R"(,"arguments":"{\"b\":1,\"a\":[true]}")") == "f(b=1, a=[True])");
    CHECK(call(R"(,"arguments":{"b":1})") == "f(b=1)");
    CHECK(call(R"(,"arguments":"")") == "f()");
    CHECK(call(R"(,"arguments":null)") == "f()");
    CHECK(call("") == "f()");
    const acta::ChatCompletion nameless =
        completion(message_of(R"({"tool_calls":[{"function":{"name":"f"}},{"id":"","function":{"name":"g"}}]})"));
    CHECK(nameless.message.tool_calls->at(0).id == "call_0");
    CHECK(nameless.message.tool_calls->at(1).id == "call_1");
}

TEST_CASE("what is not a completion is an error that says what is wrong") {
    const std::string start = "the answer is not a completion: ";
    CHECK_THAT(fault("<html>"), starts_with_text(start + "Invalid JSON: "));
    CHECK_THAT(fault("<html>\n\x01\xFF"), contains_text("it begins with \"<html>  \xEF\xBF\xBD\""));
    CHECK(fault("[]") == start + "it has no choices; it begins with \"[]\"");
    CHECK_THAT(fault(R"({"choices":7})"), starts_with_text(start + "it has no choices"));
    CHECK_THAT(fault(R"({"choices":[]})"), starts_with_text(start + "it has no choices"));
    CHECK_THAT(fault(R"({"choices":[1]})"), starts_with_text(start + "choices[0] has no message"));
    CHECK_THAT(fault(message_of("3")), starts_with_text(start + "choices[0] has no message"));
    CHECK_THAT(
        fault(message_of(R"({"content":3})")),
        starts_with_text(start + "choices[0].message.content: Input should be a string or a list of content parts"));
    CHECK_THAT(fault(message_of(R"({"tool_calls":3})")),
               starts_with_text(start + "choices[0].message.tool_calls: Input should be a valid array"));
    CHECK_THAT(fault(message_of(R"({"tool_calls":[{"function":{"name":"f"}},{"id":"x"}]})")),
               starts_with_text(start + "choices[0].message.tool_calls.1.function: Field required"));
    CHECK_THAT(fault(std::string(100000, '[')), contains_text("Invalid JSON"));
}

TEST_CASE("what servers say of errors is read in all its forms") {
    const auto said = [](const char* text) {
        const acta::ChatModelError error = codecs::failure(codec_of(), text, 400);
        const std::string what = error.what();
        const std::size_t begin = what.find('"');
        const std::string message =
            begin == std::string::npos ? "" : what.substr(begin + 1, what.rfind('"') - begin - 1);
        return message + "|" + error.type() + "|" + error.code();
    };
    CHECK(said(R"({"error":{"message":"Bad key","type":"auth","param":null,"code":"invalid_api_key"}})") ==
          "Bad key|auth|invalid_api_key");
    CHECK(said(R"({"error":{"message":"Slow down","code":429}})") == "Slow down||429");
    CHECK(said(R"({"error":{"message":"x","code":null}})") == "x||");
    CHECK(said(R"({"error":"model not found"})") == "model not found||");
    CHECK(said(R"({"object":"error","message":"too long","type":"BadRequestError","code":400})") ==
          "too long|BadRequestError|400");
    CHECK(said(R"({"detail":"Not Found"})") == "Not Found||");
    CHECK(said("<h1>502</h1>") == "<h1>502</h1>||");
    CHECK(said("") == "||");
}
