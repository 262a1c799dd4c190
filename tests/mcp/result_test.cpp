// SPDX-License-Identifier: MIT
#include "acta/mcp/result.hpp"

#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/issues.hpp"
#include "support/messages_random.hpp"

namespace {

std::string result_of(const std::string& text) {
    return acta::to_json_value(acta::mcp::to_action_result(acta::parse<acta::mcp::CallToolResult>(text))).dump();
}

acta::mcp::ContentBlock text_block(std::string text) {
    acta::mcp::TextContent block;
    block.text = std::move(text);
    return block;
}

}  // namespace

TEST_CASE("results of MCP tools become results") {
    CHECK(result_of(R"({"content":[{"type":"text","text":"sunny"}]})") == R"({"outputs":"sunny","status":"success"})");
    CHECK(result_of(R"({"content":[{"type":"text","text":"{\"t\": 22.5}"}],"structuredContent":{"t":22.5}})") ==
          R"({"outputs":{"t":22.5},"status":"success"})");
    CHECK(result_of(R"({"content":[{"type":"text","text":"[1]"}],"structuredContent":{"result":[1]}})") ==
          R"({"outputs":[1],"status":"success"})");
    CHECK(result_of(R"({"content":[{"type":"text","text":"a b"}],"structuredContent":{"result":"a b"}})") ==
          R"({"outputs":"a b","status":"success"})");
    CHECK(result_of(R"({"content":[],"isError":false})") == R"({"outputs":null,"status":"success"})");
    CHECK(result_of(R"({"content":[{"type":"text","text":"no such city"}],"isError":true})") ==
          R"({"reason":"no such city","error":null,"status":"error"})");
    CHECK_THAT(result_of(R"({"isError":true})"), contains_text("The tool failed and did not say why."));
    CHECK_THAT(
        result_of(R"({"content":[{"type":"text","text":"a"},{"type":"image","data":"aGk=","mimeType":"image/png"}],
                            "isError":true})"),
        starts_with_text(R"({"reason":"a\n<image/png, 2 bytes>","error":{"args":[{"content":[{"type":"text")"));
    CHECK_THAT(
        result_of(R"({"content":[{"type":"image","data":"hello","mimeType":"image/png"},
                            {"type":"resource","resource":{"uri":"a:b","blob":"hello"}}],"isError":true})"),
        starts_with_text(R"({"reason":"[image/png, not base64: hello]\n[resource a:b, [blob, not base64: hello]]")"));
}

TEST_CASE("every kind of content has words in the reason of an error") {
    const auto reason = [](const std::string& blocks) {
        const acta::ActionResult result = acta::mcp::to_action_result(
            acta::parse<acta::mcp::CallToolResult>(R"({"content":[)" + blocks + R"(],"isError":true})"));
        return std::get<acta::ActionErrorResult>(result).reason;
    };
    const std::vector<std::pair<std::string, std::string>> rows = {
        {R"({"type":"text","text":"a"},{"type":"text","text":"b"})", "a\nb"},
        {R"({"type":"text","text":""},{"type":"text","text":"b"})", "b"},
        {R"({"type":"image","data":"","mimeType":"image/png"})", "<image/png, 0 bytes>"},
        {R"({"type":"audio","data":"aGk=","mimeType":"audio/wav"})", "<audio/wav, 2 bytes>"},
        {R"({"type":"audio","data":"a b","mimeType":"audio/wav"})", "[audio/wav, not base64: a b]"},
        {R"({"type":"resource_link","uri":"u:v","name":"n"})", "[resource n, u:v]"},
        {R"({"type":"resource","resource":{"uri":"u:v","text":"in it"}})", "in it"},
        {R"({"type":"resource","resource":{"uri":"u:v","blob":"aGk="}})", "[resource u:v, <blob, 2 bytes>]"},
        {R"({"type":"resource","resource":{"uri":"u:v"}})", "[resource u:v]"},
        {R"({"type":"zap"})", "[content of an unknown type]"},
    };
    for (const auto& [blocks, words] : rows) {
        INFO(blocks);
        CHECK(reason(blocks) == words);
    }
}

TEST_CASE("an error of a tool is a reason alone where nothing else is said") {
    const auto read = [](const std::string& members) {
        const acta::ActionResult result =
            acta::mcp::to_action_result(acta::parse<acta::mcp::CallToolResult>(R"({"isError":true,)" + members + "}"));
        const auto& failure = std::get<acta::ActionErrorResult>(result);
        return failure.reason + (failure.error ? " " + failure.error->repr : "");
    };
    const std::string text = R"("content":[{"type":"text","text":"no"}])";
    CHECK(read(text) == "no");
    CHECK(read(text + R"(,"_meta":{"io.modelcontextprotocol/serverInfo":{}})") == "no");
    CHECK(read(text + R"(,"_meta":{"io.modelcontextprotocol/serverInfo":{},"k":1})") == "no McpToolError('no')");
    CHECK(read(text + R"(,"structuredContent":{"a":1})") == "no McpToolError('no')");
    CHECK(read(text + R"(,"later":1)") == "no McpToolError('no')");
    CHECK(read(R"("content":[{"type":"text","text":"no","later":1}])") == "no McpToolError('no')");
    CHECK(read(R"("structuredContent":{"a":1})") == R"~({"a":1} McpToolError('{"a":1}'))~");
}

TEST_CASE("every kind of content is kept as JSON") {
    const std::string text =
        R"({"content":[{"type":"text","text":"a","annotations":{"audience":["user"]}},)"
        R"({"type":"image","data":"aGk=","mimeType":"image/png"},{"type":"audio","data":"aGk=","mimeType":"audio/wav"},)"
        R"({"type":"resource_link","uri":"file:///x","name":"x","mimeType":"text/plain"},)"
        R"({"type":"resource","resource":{"uri":"file:///x","text":"in it","mimeType":"text/plain"}},)"
        R"({"type":"hologram","data":1}],"structuredContent":{"a":1},"isError":false,"_meta":{"k":"v"}})";
    const auto reply = acta::parse<acta::mcp::CallToolResult>(text);
    CHECK(reply == acta::parse<acta::mcp::CallToolResult>(acta::dump(reply)));
    const acta::ActionResult result = acta::mcp::to_action_result(reply);
    CHECK(acta::to_json_value(result)["outputs"].dump() == text);
    CHECK(acta::dump(acta::mcp::to_tool_result(result)) == text);
    std::string failed = text;
    failed.replace(failed.find("false"), 5, "true");
    const acta::ActionResult failure = acta::mcp::to_action_result(acta::parse<acta::mcp::CallToolResult>(failed));
    CHECK(acta::dump(acta::mcp::to_tool_result(failure)) == failed);
}

TEST_CASE("what is wrong with an MCP result is said with its place") {
    CHECK(
        faults<acta::mcp::CallToolResult>(
            R"({"content":[{"type":"image","data":"x"},{"type":"resource","resource":{"text":"x"}},{"type":"resource_link",
                  "uri":"x"}],"structuredContent":[1],"isError":"perhaps"})") ==
        Faults{"/content/0/mimeType missing", "/content/1/resource/uri missing", "/content/2/name missing",
               "/isError bool_parsing"});
    CHECK(faults<acta::mcp::CallToolResult>(
              R"({"content":[7,null,{"text":"x"},{"type":1},{"type":null},{"type":"text"},{"type":"of tomorrow"}]})") ==
          Faults{"/content/0 dict_type", "/content/1 dict_type", "/content/2 union_tag_not_found",
                 "/content/3 union_tag_invalid", "/content/4 union_tag_invalid", "/content/5/text missing"});
}

TEST_CASE("a result in _meta counts only where the content is an error and the result another") {
    const auto read = [](const std::string& kept) {
        return acta::mcp::to_action_result(acta::parse<acta::mcp::CallToolResult>(
            R"({"content":[{"type":"text","text":"said"}],"isError":true,"_meta":{"acta/result":)" + kept + "}}"));
    };
    CHECK(acta::status(read(R"({"status":"interrupted_by_human","feedback":"no"})")) ==
          acta::ResultStatus::interrupted_by_human);
    for (const char* const other : {R"({"status":"success","outputs":"other"})", R"({"status":"lost"})", "3"})
        CHECK(acta::to_string(read(other)) == "Action failed: 'said'");
}

TEST_CASE("any result survives the way through MCP") {
    for (std::uint32_t seed = 0; seed < 2000; ++seed) {
        RandomHistories random(seed);
        const acta::ActionResult result = random.result();
        const acta::mcp::CallToolResult sent = acta::mcp::to_tool_result(result);
        INFO(acta::dump(result) << "\n" << acta::dump(sent));
        CHECK(sent.is_error != acta::is_success(result));
        const auto received = acta::parse<acta::mcp::CallToolResult>(acta::dump(sent));
        CHECK(acta::mcp::to_action_result(received) == result);
        // And once more the same.
        CHECK(acta::dump(acta::mcp::to_tool_result(acta::mcp::to_action_result(received))) == acta::dump(sent));
    }
}

TEST_CASE("any MCP result survives the way to a result and back") {
    const std::vector<std::string> texts{"words", "[1,2]", "7", "null", "", R"({"a":1})", R"({"result":7})"};
    const std::vector<std::string> structured{R"({"a":1})", R"({"result":7})",    R"({"result":[1,2]})",
                                              "{}",         R"({"result":null})", R"({"result":{"a":1}})"};
    const std::vector<std::string> blocks{R"({"type":"image","data":"aGk=","mimeType":"image/png"})",
                                          R"({"type":"resource_link","uri":"u","name":"n"})",
                                          R"({"type":"text","text":"x","annotations":{}})", R"({"type":"zap"})"};
    for (std::uint32_t seed = 0; seed < 3000; ++seed) {
        RandomHistories random(seed);
        acta::mcp::CallToolResult sent;
        for (std::size_t i = random.below(3); i > 0; --i) {
            sent.content.push_back(text_block(texts[random.below(texts.size())]));
            if (random.chance(20))
                sent.content.back() = acta::parse<acta::mcp::ContentBlock>(blocks[random.below(blocks.size())]);
        }
        if (random.chance(60))
            sent.structured_content = acta::parse<acta::Json>(structured[random.below(structured.size())]);
        if (random.chance(20)) sent.meta = acta::JsonObject{{"progress", 1}};
        if (random.chance(10)) sent.extra.emplace_back("later", 1);
        sent.is_error = random.chance(30);
        const acta::ActionResult result = acta::mcp::to_action_result(sent);
        INFO(acta::dump(sent) << "\n" << acta::dump(result));
        CHECK(acta::mcp::to_tool_result(result) == sent);
    }
}

TEST_CASE("structured content may be any JSON, as version 2026-07-28 of the protocol allows") {
    CHECK(result_of(R"({"content":[{"type":"text","text":"[1, 2]"}],"structuredContent":[1,2]})") ==
          R"({"outputs":[1,2],"status":"success"})");
    CHECK(result_of(R"({"content":[{"type":"text","text":"7"}],"structuredContent":7,"resultType":"complete"})") ==
          R"({"outputs":7,"status":"success"})");
    CHECK(result_of(R"({"content":[{"type":"text","text":"x"}],"resultType":"complete"})") ==
          R"({"outputs":"x","status":"success"})");
    // Words beside the value, and a result that is not complete, are kept whole.
    for (const char* const text :
         {R"({"content":[{"type":"text","text":"Two."}],"structuredContent":[1,2],"isError":false})",
          R"({"content":[],"structuredContent":["a"],"isError":false})",
          R"({"content":[{"type":"text","text":"x"}],"isError":false,"resultType":"input_required"})"}) {
        INFO(text);
        const acta::ActionResult result = acta::mcp::to_action_result(acta::parse<acta::mcp::CallToolResult>(text));
        CHECK(acta::to_json_value(result)["outputs"].dump() == text);
        CHECK(acta::dump(acta::mcp::to_tool_result(result)) == text);
    }
    CHECK(acta::dump(acta::mcp::to_action_result(acta::parse<acta::mcp::CallToolResult>(
              R"({"structuredContent":null})"))) == R"({"outputs":null,"status":"success"})");
}

TEST_CASE("a result is written for the version of the client") {
    acta::ActionSuccessResult success;
    success.outputs = acta::JsonArray{1, 2};
    const acta::ActionResult list = success;
    const acta::mcp::CallToolResult old = acta::mcp::to_tool_result(list);
    CHECK(acta::dump(old) ==
          R"({"content":[{"type":"text","text":"[1,2]"}],"structuredContent":{"result":[1,2]},"isError":false})");
    const acta::mcp::CallToolResult now = acta::mcp::to_tool_result(list, acta::mcp::Version::v2026_07_28);
    CHECK(acta::dump(now) == R"({"content":[{"type":"text","text":"[1,2]"}],"structuredContent":[1,2],)"
                             R"("isError":false,"resultType":"complete"})");
    CHECK(acta::mcp::to_action_result(old) == list);
    CHECK(acta::mcp::to_action_result(now) == list);
    for (std::uint32_t seed = 0; seed < 500; ++seed) {
        RandomHistories random(seed);
        const acta::ActionResult result = random.result();
        CHECK(acta::mcp::to_action_result(acta::mcp::to_tool_result(result, acta::mcp::Version::v2026_07_28)) ==
              result);
    }
}

TEST_CASE("an image of an MCP tool is kept in the record and is a placeholder in words") {
    const std::string data(200000, 'A');
    const std::string text = R"({"content":[{"type":"image","data":")" + data +
                             R"(","mimeType":"image/png"},{"type":"audio","data":"AAAA","mimeType":"audio/wav"},)"
                             R"({"type":"resource","resource":{"uri":"file:///x","blob":"AAAA"}}],"isError":true})";
    const acta::ActionResult result = acta::mcp::to_action_result(acta::parse<acta::mcp::CallToolResult>(text));
    const auto& failure = std::get<acta::ActionErrorResult>(result);
    CHECK(failure.reason == "<image/png, 150000 bytes>\n<audio/wav, 3 bytes>\n[resource file:///x, <blob, 3 bytes>]");
    CHECK(acta::dump(acta::mcp::to_tool_result(result)) == text);
}

TEST_CASE("outputs that only look like an MCP result stay what they are") {
    for (const char* const text :
         {R"({"content":[{"type":"text","text":"a"}],"isError":false})", R"({"content":[]})", R"({"content":"words"})",
          R"({"content":[{"type":"image"}]})", R"({"result":1})", R"({"content":[{"type":"zap"}],"isError":false})"}) {
        acta::ActionSuccessResult success;
        success.outputs = acta::Json::parse(text);
        const acta::ActionResult result = success;
        INFO(text);
        CHECK(acta::mcp::to_action_result(acta::mcp::to_tool_result(result)) == result);
    }
}

TEST_CASE("an MCP result has the text of an error once, and gives the same result back") {
    const std::string long_text(2000, 'x');
    acta::ActionErrorResult failure{long_text, acta::ErrorInfo::make("Timeout", long_text)};
    failure.error->args.push_back(acta::Json("OSError('gone')"));
    const acta::ActionResult result = failure;
    const acta::mcp::CallToolResult sent = acta::mcp::to_tool_result(result);
    const std::string text = acta::dump(sent);
    CHECK(text.size() < 2300);
    CHECK_THAT(text, contains_text(R"x("acta/result":{"exception_type":"Timeout","causes":["OSError('gone')"]})x"));
    CHECK(acta::mcp::to_action_result(acta::parse<acta::mcp::CallToolResult>(text)) == result);
    // With other members, or as acta wrote them before, they are whole.
    failure.error->repr = "E()";
    const acta::ActionResult other = failure;
    CHECK(acta::mcp::to_action_result(acta::mcp::to_tool_result(other)) == other);
    acta::mcp::CallToolResult old = sent;
    old.meta->at("acta/result") = acta::to_json_value(result);
    CHECK(acta::mcp::to_action_result(old) == result);
}
