// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/interop/anthropic/history.hpp"
#include "acta/interop/mcp/result.hpp"
#include "acta/interop/openai/history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/messages_rules.hpp"

// Images, documents and other typed parts of messages: they stay what they are, and are converted where both APIs have
// them.
namespace {

using acta::Json;
using acta::MessageHistory;

MessageHistory<> from_openai(const std::string& text) {
    return acta::history_from_openai_messages(acta::parse<std::vector<acta::OpenAIMessage>>(text));
}
MessageHistory<> from_anthropic(const std::string& text) {
    return acta::history_from_anthropic_messages(acta::parse<acta::AnthropicMessages>(text));
}
std::string to_openai(const MessageHistory<>& read) {
    acta::HistoryMessagesOptions options;
    options.context = read.context;
    return acta::dump(acta::to_openai_messages(read.history, options));
}
std::string to_anthropic(const MessageHistory<>& read) {
    acta::HistoryMessagesOptions options;
    options.context = read.context;
    return acta::dump(acta::to_anthropic_messages(read.history, options));
}

const std::string png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";  // more than a mention of one

/// A run in which the user shows something, with the parts at both places where a message may be lost.
std::string openai_run(const std::string& parts) {
    return R"([{"role":"user","content":)" + parts +
           R"(},{"role":"assistant","content":null,"tool_calls":[{"id":"c1","type":"function","function":)"
           R"({"name":"look","arguments":"{}"}}]},{"role":"tool","content":"seen","tool_call_id":"c1"},)"
           R"({"role":"user","content":)" +
           parts + "}]";
}
std::string anthropic_run(const std::string& blocks) {
    return R"({"messages":[{"role":"user","content":)" + blocks +
           R"(},{"role":"assistant","content":[{"type":"tool_use","id":"c1","name":"look","input":{}}]},)"
           R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c1","content":"seen","is_error":false},)" +
           blocks.substr(1) + "}]}";
}

}  // namespace

TEST_CASE("typed parts of OpenAI's messages stay what they are") {
    const std::string parts =
        R"([{"type":"text","text":"What is this?"},{"type":"image_url","image_url":{"url":"data:image/png;base64,)" +
        png +
        R"(","detail":"low"}},{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},)"
        R"({"type":"file","file":{"file_id":"file-1"}},{"type":"hologram","data":[1,{"a":null}]},)"
        R"({"type":"text","text":"Hm?","cache_control":{"type":"ephemeral"}}])";
    const MessageHistory<> read = from_openai(openai_run(parts));
    CHECK(to_openai(read) == openai_run(parts));
    REQUIRE(read.context.size() == 2);  // what the user shows last is more than feedback in words
    CHECK(read.history.pending_feedback().empty());
    CHECK(read.context[1].step == 1);
    CHECK(read.context[0].parts.size() == 6);
    // As text they have placeholders.
    CHECK_THAT(read.context[0].message.content, !contains_text(png));
    CHECK_THAT(read.context[0].message.content, contains_text("<image/png, 33 bytes>"));
    CHECK_THAT(read.context[0].message.content, contains_text("<wav, 3 bytes>"));
}

TEST_CASE("typed parts of Anthropic's messages stay what they are") {
    const std::string blocks =
        R"([{"type":"text","text":"What is this?"},{"type":"image","source":{"type":"base64","media_type":"image/png",)"
        R"("data":")" +
        png +
        R"("}},{"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"},)"
        R"("title":"a.pdf"},{"type":"hologram","data":[1,{"a":null}]},)"
        R"({"type":"text","text":"Hm?","cache_control":{"type":"ephemeral"}}])";
    const MessageHistory<> read = from_anthropic(anthropic_run(blocks));
    CHECK(to_anthropic(read) == anthropic_run(blocks));
    CHECK(read.context.size() == 10);
    CHECK(rules::anthropic(Json::parse(to_anthropic(read))) == rules::Broken{});
}

TEST_CASE("images and documents are converted from one API to the other") {
    const std::string image = "data:image/png;base64," + png;
    const std::string openai =
        R"([{"type":"text","text":"Look."},{"type":"image_url","image_url":{"url":")" + image +
        R"("}},{"type":"image_url","image_url":{"url":"https://a/b.png"}},)"
        R"({"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;base64,AAAA"}}])";
    const std::string anthropic =
        R"([{"type":"text","text":"Look."},{"type":"image","source":{"type":"base64","media_type":"image/png","data":")" +
        png +
        R"("}},{"type":"image","source":{"type":"url","url":"https://a/b.png"}},{"type":"document","source":)"
        R"({"type":"base64","media_type":"application/pdf","data":"AAAA"},"title":"a.pdf"}])";
    CHECK(to_anthropic(from_openai(openai_run(openai))) == anthropic_run(anthropic));
    // Each of Anthropic's blocks is a message of its own for OpenAI.
    const std::string back = to_openai(from_anthropic(anthropic_run(anthropic)));
    CHECK_THAT(back, contains_text(R"([{"type":"image_url","image_url":{"url":")" + image + R"("}}])"));
    CHECK_THAT(back, contains_text(R"([{"type":"image_url","image_url":{"url":"https://a/b.png"}}])"));
    CHECK_THAT(back, contains_text(R"([{"type":"file","file":{"filename":"a.pdf","file_data":"data:application/pdf;)"
                                   R"(base64,AAAA"}}])"));
    CHECK(rules::openai(Json::parse(back)) == rules::Broken{});
}

TEST_CASE("what the other API has no part for is said in words, without its data") {
    const std::string openai = to_anthropic(from_openai(openai_run(
        R"([{"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}},{"type":"file","file":{"file_id":"f"}},)"
        R"({"type":"text","text":" "}])")));
    CHECK_THAT(openai, contains_text(R"({"type":"text","text":"{\"type\":\"input_audio\",\"input_audio\":{\"data\":)"
                                     R"(\"<wav, 3 bytes>\",\"format\":\"wav\"}}"})"));
    CHECK_THAT(openai, contains_text(R"(\"file_id\":\"f\")"));
    CHECK(rules::anthropic(Json::parse(openai)) == rules::Broken{});
    const std::string anthropic = to_openai(from_anthropic(
        R"({"messages":[{"role":"user","content":[{"type":"image","source":{"type":"file","file_id":"f"}},)"
        R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"words"}}]},{"role":"assistant",)"
        R"("content":[{"type":"thinking","thinking":"Hm.","signature":"s"},{"type":"text","text":"Yes."}]}]})"));
    CHECK(anthropic ==
          R"([{"role":"user","content":[{"type":"text","text":"{\"type\":\"image\",\"source\":{\"type\":\"file\",)"
          R"(\"file_id\":\"f\"}}"}]},{"role":"user","content":[{"type":"text","text":"words"}]},)"
          R"({"role":"assistant","content":[{"type":"text","text":"Yes."}]}])");
}

TEST_CASE("instructions keep their blocks") {
    const std::string system =
        R"({"system":[{"type":"text","text":"Be brief."},{"type":"text","text":"Long.","cache_control":)"
        R"({"type":"ephemeral"}}],"messages":[{"role":"user","content":[{"type":"text","text":"Hi"}]}]})";
    CHECK(to_anthropic(from_anthropic(system)) == system);
}

TEST_CASE("instructions in parts that are plain text are one text for Anthropic") {
    const MessageHistory<> read = from_openai(R"([{"role":"system","content":[{"type":"text","text":"Be brief."},)"
                                              R"({"type":"text","text":"Be kind."}]},{"role":"user","content":"Hi"}])");
    const std::string text = to_anthropic(read);
    CHECK(Json::parse(text)["system"] == "Be brief.\n\nBe kind.");
    CHECK(to_anthropic(from_anthropic(text)) == text);
}

TEST_CASE("a part without a type is refused when it is written") {
    acta::HistoryMessagesOptions options;
    options.context = {{0, acta::ChatMessage::user("x"), {{{"text", "x"}}}}};
    CHECK_THROWS_AS(acta::to_openai_messages(acta::EpisodicActionHistory<>(), options), acta::ValidationError);
    CHECK_THROWS_AS(acta::to_anthropic_messages(acta::EpisodicActionHistory<>(), options), acta::ValidationError);
}

TEST_CASE("images in the results of tools go where an API takes them, and are placeholders elsewhere") {
    const auto openai = [](const Json& outputs) {
        acta::EpisodicActionHistory<> history;
        history.register_action({.thoughts = "", .use_tool = {"shot", {}}});
        acta::ActionSuccessResult success;
        success.outputs = outputs;
        history.register_result(success);
        return std::pair(
            acta::to_json_value(acta::to_openai_messages(history))[1]["content"],
            acta::to_json_value(acta::to_anthropic_messages(history))["messages"][2]["content"][0]["content"]);
    };
    const Json mcp = acta::to_json_value(acta::parse<acta::McpCallToolResult>(
        R"({"content":[{"type":"text","text":"The page:"},{"type":"image","data":")" + png +
        R"(","mimeType":"image/png"}]})"));
    const Json block = Json::parse(
        R"([{"type":"text","text":"The page:"},{"type":"image","source":{"type":"base64","media_type":"image/png",)"
        R"("data":")" +
        png + R"("}}])");
    const Json part = Json::parse(
        R"([{"type":"text","text":"The page:"},{"type":"image_url","image_url":{"url":"data:image/png;base64,)" + png +
        R"("}}])");
    // Anthropic's API takes images, in whichever form the tool returned them.
    for (const Json& outputs : {mcp, block, part}) CHECK(openai(outputs).second == block);
    // OpenAI's takes text, but for servers that sent images themselves.
    CHECK(openai(part).first == part);
    for (const Json& outputs : {mcp, block}) {
        const std::string text = openai(outputs).first.get<std::string>();
        CHECK_THAT(text, contains_text("<image/png, 33 bytes>"));
        CHECK_THAT(text, !contains_text(png));
    }
}
