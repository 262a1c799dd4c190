// SPDX-License-Identifier: MIT
// Integers beyond 64 bits in the arguments of a model's calls: the nearest double, and the call is not lost.
#include <string>
#include <vector>

#include "acta/provider/anthropic/codec.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/codec.hpp"
#include "acta/provider/openai/wire.hpp"
#include "acta/skill/registry.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

namespace {

const std::string wei = R"({"amount": 1000000000000000000000, "unread": [123456789012345678901234567890, 1e999]})";

/// The text in a JSON text.
std::string quoted(const std::string& text) { return acta::Json(text).dump(); }

std::string paid(const acta::ChatMessage& message) {
    acta::SkillRegistry skills;
    skills.add(
        "pay", "Pays.", [](double amount) { return amount == 1e21 ? "paid" : "?"; }, "amount");
    REQUIRE(message.tool_calls.size() == 1);
    const acta::AssistantFunctionCall& call = message.tool_calls.front().function;
    CHECK(acta::dump(call.arguments) == R"({"amount":1e+21,"unread":[1.2345678901234568e+29,"1e999"]})");
    return acta::to_string(skills.call(call.name, call.arguments, {.unknown_arguments = acta::UnknownKeys::ignore}));
}

std::string paid(const acta::HttpChatCodec& codec, const std::string& body) {
    return paid(acta::ChatMessage(codecs::read(codec, body).completion.message));
}

}  // namespace

TEST_CASE("OpenAI: arguments with integers beyond 64 bits") {
    const acta::openai::ChatCodec codec({.base_url = "http://localhost/v1", .model = "m"});
    CHECK(paid(codec,
               R"({"choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function",
                   "function":{"name":"pay","arguments":)" +
                   quoted(wei) + R"(}}]},"finish_reason":"tool_calls"}]})") == "paid");
    CHECK(paid(codec,
               R"({"choices":[{"message":{"role":"assistant","content":"","tool_calls":[{"id":"c","type":"function",
                   "function":{"name":"pay","arguments":)" +
                   wei + R"(}}]},"finish_reason":"tool_calls"}]})") == "paid");
    CHECK(paid(codec,
               codecs::events(
                   {R"({"choices":[{"delta":{"tool_calls":[{"index":0,"id":"a","function":{"name":"pay","arguments":)" +
                        quoted(wei.substr(0, 20)) + "}}]}}]}",
                    R"({"choices":[{"delta":{"tool_calls":[{"index":0,"function":{"arguments":)" +
                        quoted(wei.substr(20)) + R"(}}]},"finish_reason":"tool_calls"}]})",
                    "[DONE]"})) == "paid");
}

TEST_CASE("Responses: arguments with integers beyond 64 bits") {
    const acta::openai::ResponsesCodec codec({.base_url = "http://localhost/v1", .model = "m"});
    const std::string item =
        R"({"type":"function_call","id":"f","call_id":"c","name":"pay","arguments":)" + quoted(wei) + "}";
    CHECK(paid(codec, R"({"id":"r","status":"completed","output":[)" + item + "]}") == "paid");
}

TEST_CASE("Anthropic: arguments with integers beyond 64 bits") {
    const acta::anthropic::ChatCodec codec({.model = "m", .api_key = "k"});
    CHECK(
        paid(
            codec,
            R"({"role":"assistant","stop_reason":"tool_use","content":[{"type":"tool_use","id":"c","name":"pay","input":)" +
                wei + "}]}") == "paid");
    CHECK(
        paid(
            codec,
            codecs::events(
                {R"({"type":"content_block_start","index":0,"content_block":{"type":"tool_use","id":"c","name":"pay","input":{}}})",
                 R"({"type":"content_block_delta","index":0,"delta":{"type":"input_json_delta","partial_json":)" +
                     quoted(wei) + "}}",
                 R"({"type":"content_block_stop","index":0})",
                 R"({"type":"message_delta","delta":{"stop_reason":"tool_use"}})", R"({"type":"message_stop"})"})) ==
        "paid");
}
