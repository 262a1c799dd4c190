// SPDX-License-Identifier: MIT
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/openai/codec.hpp"
#include "provider/codec.hpp"
#include "support/catch.hpp"

// Reasoning of the Responses API in the next request.
namespace {

using acta::ChatMessage;
using acta::Json;
namespace openai = acta::openai;

const std::string reasoning_item = R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"abc"})";
const std::string noon_item = R"({"type":"message","id":"msg_1","role":"assistant","status":"completed",)"
                              R"("content":[{"type":"output_text","text":"Noon.","annotations":[]}]})";

openai::ResponsesCodec codec_keeping(const acta::JsonObject& extra = {}) {
    return openai::ResponsesCodec({.base_url = "http://localhost/v1", .model = "o3", .api_key = "", .extra = extra});
}
/// The answer with these items.
ChatMessage answer_of_items(const std::string& items) {
    return codecs::read(codec_keeping(), R"({"id":"r","status":"completed","output":[)" + items + "]}")
        .completion.message;
}
/// The types of the items that are sent after the user's first message; the role of those without a type.
std::vector<std::string> types_sent(const std::vector<ChatMessage>& answers,
                                    const openai::ResponsesCodec& by = codec_keeping()) {
    std::vector<ChatMessage> messages{ChatMessage::user("x")};
    messages.insert(messages.end(), answers.begin(), answers.end());
    std::vector<std::string> out;
    const Json input = codecs::request(by, messages)["input"];
    for (std::size_t i = 1; i < input.size(); ++i)
        out.push_back(input[i].value("type", input[i].value("role", std::string())));
    return out;
}
using ItemTypes = std::vector<std::string>;

}  // namespace

TEST_CASE("reasoning without reasoning_item content goes back only to a server that keeps it") {
    for (
        const char* const reasoning :
        {R"({"type":"reasoning","id":"rs_1","summary":[]})",
         R"({"type":"reasoning","id":"rs_1","summary":[{"type":"summary_text","text":"Hm."}],"encrypted_content":null})",
         R"({"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":""})"}) {
        INFO(reasoning);
        const ChatMessage message = answer_of_items(std::string(reasoning) + "," + noon_item);
        CHECK(types_sent({message}) == ItemTypes{"message"});
        CHECK(types_sent({message}, codec_keeping({{"store", false}})) == ItemTypes{"message"});
        CHECK(types_sent({message}, codec_keeping({{"store", true}})) == ItemTypes{"reasoning", "message"});
    }
    CHECK(types_sent({answer_of_items(reasoning_item + "," + noon_item)}) == ItemTypes{"reasoning", "message"});
}

TEST_CASE("reasoning goes back with the item that follows it") {
    const ChatMessage user = ChatMessage::user("Go on.");
    const std::string call = R"({"type":"function_call","call_id":"c1","name":"f","arguments":"{}"})";
    const std::string search = R"({"type":"web_search_call","id":"ws_1","status":"completed"})";
    for (const openai::ResponsesCodec& by : {codec_keeping(), codec_keeping({{"store", true}})}) {
        CHECK(types_sent({answer_of_items(reasoning_item)}, by).empty());
        CHECK(types_sent({answer_of_items(reasoning_item), user}, by) == ItemTypes{"user"});
        CHECK(types_sent({answer_of_items(reasoning_item + "," + reasoning_item), user}, by) == ItemTypes{"user"});
        CHECK(types_sent({answer_of_items(noon_item + "," + reasoning_item), user}, by) ==
              ItemTypes{"message", "user"});
        CHECK(types_sent({answer_of_items(reasoning_item + "," + reasoning_item + "," + noon_item), user}, by) ==
              ItemTypes{"reasoning", "reasoning", "message", "user"});
        CHECK(types_sent({answer_of_items(reasoning_item + "," + call), ChatMessage::tool("c1", "1")}, by) ==
              ItemTypes{"reasoning", "function_call", "function_call_output"});
        CHECK(types_sent({answer_of_items(reasoning_item + "," + search)}, by) ==
              ItemTypes{"reasoning", "web_search_call"});
    }
    // Two answers in a row: their items are those of one response.
    const std::vector<ChatMessage> split =
        openai::responses::from_wire(Json::parse("[" + noon_item + "," + reasoning_item + "," + noon_item + "]"));
    REQUIRE(split.size() == 2);
    CHECK(types_sent(split) == ItemTypes{"message", "reasoning", "message"});
}
