// SPDX-License-Identifier: MIT
#include "acta/provider/anthropic/wire.hpp"

#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/provider/openai/wire.hpp"
#include "support/catch.hpp"

namespace {

using acta::ChatMessage;
using acta::ContentPart;
using acta::Json;
namespace anthropic = acta::anthropic;

std::vector<ChatMessage> read(const std::string& text) { return anthropic::from_wire(acta::parse<Json>(text)); }
std::string sent(const std::vector<ChatMessage>& messages) { return acta::dump(anthropic::to_wire(messages)); }

// A request as the API's documents have it, members in acta's order.
const std::string conversation =
    R"({"system":[{"type":"text","text":"Be brief.","cache_control":{"type":"ephemeral"}}],"messages":[)"
    R"({"role":"user","content":[{"type":"text","text":"What is this?"},)"
    R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"iVBORw0KGgo="},"cache_control":{"type":"ephemeral"}},)"
    R"({"type":"image","source":{"type":"url","url":"https://example.org/a.png"}},)"
    R"({"type":"image","source":{"type":"file","file_id":"file_1"}},)"
    R"({"type":"document","source":{"type":"base64","media_type":"application/pdf","data":"AAAA"},"title":"Tides","citations":{"enabled":true}},)"
    R"({"type":"document","source":{"type":"text","media_type":"text/plain","data":"high at six"}},)"
    R"({"type":"search_result","source":"https://example.org","title":"Tides","content":[{"type":"text","text":"x"}]}]},)"
    R"({"role":"assistant","content":[{"type":"thinking","thinking":"Hm.","signature":"c2ln"},{"type":"redacted_thinking","data":"eA=="},)"
    R"({"type":"text","text":"I look."},{"type":"tool_use","id":"t1","name":"look","input":{"at":[1,2.0]},"caller":{"type":"direct"}},)"
    R"({"type":"tool_use","id":"t2","name":"ask","input":{}}]},)"
    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"a tide table","cache_control":{"type":"ephemeral"}},)"
    R"({"type":"tool_result","tool_use_id":"t2","content":[{"type":"text","text":"no"},)"
    R"({"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}],"is_error":true},)"
    R"({"type":"text","text":"Hurry."}]},)"
    R"({"role":"assistant","content":[{"type":"text","text":"Again."},{"type":"tool_use","id":"t3","name":"look","input":{}}]},)"
    R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"t3"}]},)"
    R"({"role":"assistant","content":[{"type":"server_tool_use","id":"s1","name":"web_search","input":{"query":"tides"}},)"
    R"({"type":"text","text":"High at "},{"type":"text","text":"six.","citations":[{"type":"web_search_result_location"}]}]},)"
    R"({"role":"user","content":"Thanks."}]})";

}  // namespace

TEST_CASE("a conversation of the API comes back as it was") {
    const std::vector<ChatMessage> messages = read(conversation);
    CHECK(sent(messages) == conversation);
    CHECK(acta::parse<std::vector<ChatMessage>>(acta::dump(messages)) == messages);

    REQUIRE(messages.size() == 10);
    CHECK(messages[0].role == acta::ChatRole::system);
    CHECK(messages[0].content == "Be brief.");
    CHECK_THAT(messages[1].content,
               starts_with_text("What is this?\n<image/png, 8 bytes>\n<image, https://example.org/a.png>\n"));
    CHECK(messages[2].content == "I look.");
    CHECK(acta::to_string(messages[2].tool_calls.at(0)) == "look(at=[1, 2.0])");
    CHECK(messages[3].content == "a tide table");
    CHECK(messages[4].is_error);
    CHECK(messages[4].content == "no\n<image/png, 3 bytes>");
    CHECK(messages[5] == ChatMessage::user("Hurry."));
    CHECK(messages[6].extra.empty());
    CHECK(messages[8].content == "High at six.");
    CHECK(read(R"([{"role":"assistant","content":[{"type":"server_tool_use","id":"s","name":"x","input":{}},)"
               R"({"type":"text","text":"One."},{"type":"server_tool_use","id":"t","name":"x","input":{}},)"
               R"({"type":"text","text":"Two."}]}])")
              .at(0)
              .content == "One.\nTwo.");
    const ChatMessage silent =
        read(R"([{"role":"user","content":[{"type":"tool_result","tool_use_id":"a","content":null}]}])").at(0);
    CHECK(silent == ChatMessage::tool("a", ""));
}

TEST_CASE("an answer keeps its blocks in the record of a step") {
    for (const ChatMessage& message : read(conversation)) {
        if (message.role != acta::ChatRole::assistant) continue;
        const acta::AssistantChatMessage answer = acta::to_assistant_message(message);
        CHECK(acta::parse<acta::AssistantChatMessage>(acta::dump(answer)) == answer);
        CHECK(ChatMessage(answer) == message);
        // A text that is the message's content is not there twice.
        CHECK(acta::dump(answer.extra).find("I look.") == std::string::npos);
    }
}

TEST_CASE("the same conversation can be sent to the other provider") {
    const std::vector<ChatMessage> messages = read(conversation);
    const std::vector<ChatMessage> other = acta::openai::from_wire(Json(acta::openai::to_wire(messages)));
    REQUIRE(other.size() == messages.size());
    for (std::size_t i = 0; i < messages.size(); ++i) {
        CHECK(other[i].role == messages[i].role);
        CHECK(other[i].tool_calls == messages[i].tool_calls);
        CHECK(other[i].tool_call_id == messages[i].tool_call_id);
    }
    CHECK(acta::dump(other).find("Hm.") == std::string::npos);  // thinking is for the model that thought
    CHECK(acta::dump(other).find("cache_control") == std::string::npos);
    CHECK(other[1].parts[1] == ContentPart{.type = "image", .media_type = "image/png", .data = "iVBORw0KGgo="});
    CHECK(other[1].parts[2] == ContentPart{.type = "image", .url = "https://example.org/a.png"});
    CHECK(other[1].parts[4] ==
          ContentPart{.type = "file", .media_type = "application/pdf", .data = "AAAA", .name = "Tides"});
    CHECK(other[1].parts[5] == ContentPart{.text = "high at six"});
    CHECK(other[4].parts.at(0) == ContentPart{.text = "Action failed: "});
    CHECK(other[4].parts.at(2).data == "AAAA");
    const std::vector<ChatMessage> back = anthropic::from_wire(Json(anthropic::to_wire(other)));
    CHECK(back[1].parts[4].name == "Tides");
}

TEST_CASE("roles alternate, and instructions stand apart wherever they were said") {
    CHECK(
        sent({ChatMessage::system("a"), ChatMessage::user("x"), ChatMessage::user("y"), ChatMessage::system("b")}) ==
        R"({"system":"a\n\nb","messages":[{"role":"user","content":[{"type":"text","text":"x"},{"type":"text","text":"y"}]}]})");
    CHECK(
        sent({ChatMessage::assistant("a"), ChatMessage::assistant("b", {{"c", {"f", {}}}}), ChatMessage::tool("c", ""),
              ChatMessage::user("x")}) ==
        R"({"messages":[{"role":"user","content":"Continue with your task."},)"
        R"({"role":"assistant","content":[{"type":"text","text":"a"},{"type":"text","text":"b"},{"type":"tool_use","id":"c","name":"f","input":{}}]},)"
        R"({"role":"user","content":[{"type":"tool_result","tool_use_id":"c"},{"type":"text","text":"x"}]}]})");
    CHECK(sent({}) == R"({"messages":[]})");
}

TEST_CASE("blank texts are left out, and an answer without any says so") {
    CHECK(
        sent({ChatMessage::user("x"), ChatMessage::assistant(" "), ChatMessage::user("\n"), ChatMessage::system("")}) ==
        R"x({"messages":[{"role":"user","content":"x"},{"role":"assistant","content":"(no text)"}]})x");
    CHECK(read(R"x([{"role":"assistant","content":"(no text)"}])x").front() == ChatMessage::assistant(""));
}

TEST_CASE("ids have the characters that the API allows, and still name their calls") {
    const std::vector<ChatMessage> messages = anthropic::from_wire(Json(anthropic::to_wire(std::vector{
        ChatMessage::user("x"), ChatMessage::assistant("", {{"a.b", {"f", {}}}, {"a b", {"g", {}}}, {"", {"h", {}}}}),
        ChatMessage::tool("a b", "2"), ChatMessage::tool("a.b", "1"), ChatMessage::tool("", "3")})));
    REQUIRE(messages.size() == 5);
    CHECK(messages[1].tool_calls[0].id == "a_b");
    CHECK(messages[1].tool_calls[1].id == "a_b_2");
    CHECK(messages[1].tool_calls[2].id == "call");
    CHECK(messages[2].tool_call_id == "a_b_2");
    CHECK(messages[3].tool_call_id == "a_b");
    CHECK(messages[4].tool_call_id == "call");
}

TEST_CASE("what a result kept of its block is written beside what it is now") {
    ChatMessage result = ChatMessage::tool("a", "1", true);
    result.extra["anthropic"] = {{"type", "x"}, {"tool_use_id", "b"}, {"content", "2"}, {"is_error", false}, {"y", 3}};
    CHECK(sent({result}) == R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a",)"
                            R"("content":"1","is_error":true,"y":3}]}]})");
    // A failure says something, unless what it kept does.
    struct Row {
        bool is_error;
        const char* content;
        const char* own;
        const char* wanted;
    };
    for (const Row& row : {
             Row{false, "", "{}", ""},
             Row{false, "x", "{}", R"(,"content":"x")"},
             Row{false, "", R"({"content":["a"],"is_error":true})", R"(,"content":["a"],"is_error":true)"},
             Row{false, "x", R"({"content":["a"],"is_error":1})", R"(,"content":"x","is_error":1)"},
             Row{true, "", "null", R"x(,"content":"(no text)","is_error":true)x"},
             Row{true, " ", "{}", R"x(,"content":"(no text)","is_error":true)x"},
             Row{true, "\n", R"({"y":3})", R"x(,"content":"(no text)","is_error":true,"y":3)x"},
             Row{true, "", R"({"content":["a"]})", R"(,"is_error":true,"content":["a"])"},
             Row{true, "x", R"({"content":["a"],"is_error":0})", R"(,"content":"x","is_error":true)"},
         }) {
        CAPTURE(row.content, row.own);
        ChatMessage one = ChatMessage::tool("a", row.content, row.is_error);
        one.extra["anthropic"] = Json::parse(row.own);
        CHECK(sent({one}) == R"({"messages":[{"role":"user","content":[{"type":"tool_result","tool_use_id":"a")" +
                                 std::string(row.wanted) + "}]}]}");
    }
    result.parts = {{.text = "p"}, {.text = " "}};
    CHECK_THAT(sent({result}), contains_text(R"("content":[{"type":"text","text":"p"}],"is_error":true,"y":3})"));
    result.parts = {{.text = " "}};
    CHECK_THAT(sent({result}), contains_text(R"("content":"1","is_error":true,"y":3})"));
}

TEST_CASE("a response is one message, and arguments may be text") {
    const std::vector<ChatMessage> messages = read(
        R"({"id":"msg_1","type":"message","role":"assistant","model":"m","stop_reason":"tool_use","content":[)"
        R"({"type":"tool_use","id":"t","name":"f","input":"{\"a\": 1}"},{"type":"tool_use","id":"u","name":"g","input":""}]})");
    REQUIRE(messages.size() == 1);
    CHECK(acta::to_string(messages[0].tool_calls.at(0)) == "f(a=1)");
    CHECK(acta::to_string(messages[0].tool_calls.at(1)) == "g()");
}

TEST_CASE("what is no conversation is refused with its places, all at once") {
    const auto faults_of = [](const char* text) {
        std::string out;
        try {
            static_cast<void>(read(text));
        } catch (const acta::ValidationError& error) {
            for (const acta::Issue& issue : error.issues()) out += issue.pointer() + " " + issue.type + ";";
        }
        return out;
    };
    CHECK(faults_of("5") == " model_type;");
    CHECK(faults_of("{}") == "/messages missing;");
    CHECK(
        faults_of(R"([5,{"role":"system","content":""},{"role":"user"},{"content":""},{"role":"user","content":5}])") ==
        "/0 model_type;/1/role enum;/2/content missing;/3/role missing;/4/content list_type;");
    CHECK(faults_of(R"([{"role":"user","content":[5,{"text":"x"},{"type":7},{"type":"tool_result"}]}])") ==
          "/0/content/0 dict_type;/0/content/1 union_tag_not_found;/0/content/2 union_tag_not_found;"
          "/0/content/3/tool_use_id missing;");
    CHECK(
        faults_of(
            R"([{"role":"assistant","content":[{"type":"tool_use","id":1,"name":"f"},)"
            R"({"type":"tool_use","id":"t","name":"f","input":"{\"a\":"},{"type":"tool_use","id":"t","name":"f","input":[]}]}])") ==
        "/0/content/0/id string_type;/0/content/0/input missing;/0/content/1/input json_invalid;"
        "/0/content/2/input dict_type;");
    CHECK(faults_of(R"({"messages":{}})") == "/messages list_type;");
    CHECK(faults_of(R"({"messages":null})") == "/messages list_type;");
    CHECK(faults_of(R"({"role":"user"})") == "/content missing;");
    CHECK(faults_of(R"({"system":5,"messages":[]})") == "/system list_type;");
    CHECK(faults_of(R"({"system":null,"messages":[]})").empty());
    CHECK(faults_of(R"({"system":[5,{"type":"tool_result"}],"messages":[3]})") ==
          "/system/0 dict_type;/messages/0 model_type;");
    CHECK(
        faults_of(
            R"([{"role":"assistant","content":null},{"role":"assistant","content":{}},)"
            R"({"role":3,"content":""},{"role":null,"content":""},{"role":"assistant","content":[[],{"type":""}]}])") ==
        "/0/content list_type;/1/content list_type;/2/role enum;/3/role enum;/4/content/0 dict_type;"
        "/4/content/1 union_tag_not_found;");
    const auto result_faults = [&](const std::string& members) {
        const std::string block = R"({"type":"tool_result",)" + members + "}";
        return faults_of((R"([{"role":"user","content":[)" + block + "]}]").c_str());
    };
    CHECK(result_faults(R"("tool_use_id":"a","content":5)") == "/0/content/0/content list_type;");
    CHECK(result_faults(R"("tool_use_id":"a","content":{})") == "/0/content/0/content list_type;");
    CHECK(result_faults(R"("tool_use_id":5,"content":["a",{}])") ==
          "/0/content/0/tool_use_id string_type;/0/content/0/content/0 dict_type;"
          "/0/content/0/content/1 union_tag_not_found;");
    CHECK(result_faults(R"("tool_use_id":"a","content":null,"is_error":5)").empty());
    CHECK(faults_of(R"([{"role":"assistant","content":[{"type":"tool_use","id":null,"name":3,"input":null},)"
                    R"({"type":"tool_use"}]}])") ==
          "/0/content/0/id string_type;/0/content/0/name string_type;/0/content/0/input dict_type;"
          "/0/content/1/id missing;/0/content/1/name missing;/0/content/1/input missing;");
    ChatMessage parts;
    parts.parts = {{.text = "a"}, {.text = "\xFF"}};
    CHECK_THROWS_WITH(sent({ChatMessage::user("?"), ChatMessage::assistant("!"), parts}),
                      contains_text("Text at '/messages/2/content/1/text'"));
}

TEST_CASE("the issues of a list of messages are bounded") {
    const acta::Json many = acta::parse<acta::Json>("[{}" + [] {
        std::string more;
        for (int i = 0; i < 1000; ++i) more += ",{}";
        return more;
    }() + "]");
    try {
        static_cast<void>(acta::anthropic::from_wire(many));
        FAIL("accepted");
    } catch (const acta::ValidationError& error) {
        CHECK(error.issues().size() == 100);
        CHECK(error.truncated());
    }
}

TEST_CASE("blocks of an answer are its text and its calls, and are kept if they are more") {
    const std::string text = R"({"type":"text","text":"A"})";
    const std::string call = R"({"type":"tool_use","id":"c","name":"f","input":{}})";
    const std::string thinking = R"({"type":"thinking","thinking":"H","signature":"s"})";
    const std::string kept = R"( {"anthropic":{"content":[)";
    struct Row {
        std::string content;
        std::string read;
    };
    for (const Row& row : {
             Row{"[" + text + "]", "A {}"},
             Row{"[" + text + "," + call + "]", "A {}"},
             Row{"[" + call + "," + call + "]", " {}"},
             Row{"[]", " {}"},
             Row{"[" + call + "," + text + "]", "A" + kept + R"({"type":"tool_use"},{"type":"text"}]}})"},
             Row{"[" + text + "," + call + "," + text + "]",
                 "AA" + kept + text + R"(,{"type":"tool_use"},)" + text + "]}}"},
             Row{"[" + text + "," + text + "]", "AA" + kept + text + "," + text + "]}}"},
             Row{"[" + thinking + "," + text + "]", "A" + kept + thinking + R"(,{"type":"text"}]}})"},
             Row{"[" + thinking + "," + call + "]", kept + thinking + R"(,{"type":"tool_use"}]}})"},
             Row{"[" + text + R"(,{"type":"x"},{"type":"y"},)" + text + "]",
                 "A\nA" + kept + text + R"(,{"type":"x"},{"type":"y"},)" + text + "]}}"},
             Row{R"([{"type":"x"},{"type":"text","text":"A","citations":[]}])",
                 "A" + kept + R"({"type":"x"},{"type":"text","text":"A","citations":[]}]}})"},
             Row{R"([{"type":"text","text":"A","citations":[]}])",
                 "A" + kept + R"({"type":"text","text":"A","citations":[]}]}})"},
             Row{R"([{"type":"text","text":"A","citations":[]},)" + text + "]",
                 "AA" + kept + R"({"type":"text","text":"A","citations":[]},)" + text + "]}}"},
             Row{R"([{"type":"tool_use","id":"c","name":"f","input":{},"x":1}])",
                 kept + R"({"type":"tool_use","x":1}]}})"},
             Row{R"x([{"type":"text","text":"(no text)"},{"type":"tool_use","id":"c","name":"f","input":{}}])x",
                 "(no text) {}"},
         }) {
        CAPTURE(row.content);
        const std::vector<ChatMessage> messages =
            read(R"([{"role":"user","content":"?"},{"role":"assistant","content":)" + row.content +
                 R"(},{"role":"user","content":"?"}])");
        CHECK(messages[1].content + " " + acta::dump(messages[1].extra) == row.read);
    }
    CHECK(read(R"x([{"role":"assistant","content":[{"type":"text","text":"(no text)"}]}])x").at(0).content.empty());
    CHECK(read(R"x([{"role":"assistant","content":"(no text) "}])x").at(0).content == "(no text) ");
}

TEST_CASE("blocks of the user are parts, except for the results of calls and a text beside them") {
    const auto messages_of = [](const std::string& blocks) {
        std::string out;
        for (const ChatMessage& message : read(R"([{"role":"user","content":[)" + blocks + "]}]")) {
            out += std::string(acta::to_string(message.role)) + ":" + message.content + ":" +
                   std::to_string(message.parts.size()) + (message.is_error ? "!" : "") +
                   (message.extra.empty() ? "" : acta::dump(message.extra)) + " ";
        }
        return out;
    };
    const std::string result = R"({"type":"tool_result","tool_use_id":"a","content":"r")";
    const std::string text = R"({"type":"text","text":"A"})";
    const std::string marked = R"({"type":"text","text":"A","cache_control":{}})";
    CHECK(messages_of(text) == "user:A:1 ");
    CHECK(messages_of("") == "user::0 ");
    CHECK(messages_of(result + "}") == "tool:r:0 ");
    CHECK(messages_of(result + "}," + text) == "tool:r:0 user:A:0 ");
    CHECK(messages_of(text + "," + result + "}") == "tool:r:0 user:A:0 ");
    CHECK(messages_of(result + "}," + marked) == "tool:r:0 user:A:1 ");
    CHECK(messages_of(result + "}," + text + "," + text) == "tool:r:0 user:AA:2 ");
    CHECK(messages_of(result + R"(},{"type":"x"})") == R"(tool:r:0 user:{"type":"x"}:1 )");
    CHECK(messages_of(result + R"(,"is_error":true})") == "tool:r:0! ");
    CHECK(messages_of(result + R"(,"is_error":false})") == "tool:r:0 ");
    CHECK(messages_of(result + R"(,"is_error":1,"x":2})") == R"(tool:r:0{"anthropic":{"is_error":1,"x":2}} )");
    CHECK(messages_of(R"({"type":"tool_result","tool_use_id":"a"})") == "tool::0 ");
    CHECK(messages_of(R"({"type":"tool_result","tool_use_id":"a","content":[]})") == "tool::0 ");
    CHECK(messages_of(R"({"type":"tool_result","tool_use_id":"a","content":[)" + text + "]}") == "tool:A:1 ");
}
