// SPDX-License-Identifier: MIT
#include <string>
#include <string_view>
#include <vector>

#include "acta/chat/extension.hpp"
#include "acta/chat/message.hpp"
#include "acta/json/codec.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"

// What a client writes of a message into a request: nothing that only acta reads.
namespace {

using acta::ChatMessage;

/// Marks what passes through it.
class MarkingHooks : public acta::chat_extension::MessageHooks {
public:
    explicit MarkingHooks(bool reasoning) : reasoning_(reasoning) {}
    std::string_view id(const std::string& id) override { return id_ = "id:" + id; }
    std::string_view name(const std::string& name) override { return name_ = "name:" + name; }
    void part(acta::codec::Encoder& e, const acta::ContentPart& part, const ChatMessage&) override {
        e.text("part:" + part.text);
    }
    bool sends_reasoning(const ChatMessage&) override { return reasoning_; }

private:
    bool reasoning_;
    std::string id_{};
    std::string name_{};
};

/// A message as it is sent.
struct SentMessage {
    ChatMessage message{};
    bool reasoning = false;
};

}  // namespace

template <>
struct acta::Describe<SentMessage> {
    static constexpr bool custom_codec = true;
    static void decode(codec::Decoder&, SentMessage&) {}
    static void encode(codec::Encoder& e, const SentMessage& sent) {
        MarkingHooks hooks(sent.reasoning);
        chat_extension::write_message(e, sent.message, hooks);
    }
};

TEST_CASE("a message is written into a request without what only acta reads") {
    struct Row {
        const char* message;
        const char* sent;
        bool reasoning = false;
    };
    constexpr Row rows[] = {
        {R"({"role":"user","content":"a","name":"Ann","extra":{"anthropic":{"k":1}}})",
         R"({"role":"user","content":"a","name":"Ann"})"},
        {R"({"role":"developer","content":"a"})", R"({"role":"developer","content":"a"})"},
        {R"({"role":"system","content":"a"})", R"({"role":"system","content":"a"})"},
        {R"({"role":"function","content":"a","name":"f"})", R"({"role":"function","content":"a","name":"f"})"},
        {R"({"role":"user","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}]})",
         R"({"role":"user","content":["part:a","part:b"]})"},
        {R"({"role":"tool","content":"a","tool_call_id":"c"})",
         R"({"role":"tool","content":"a","tool_call_id":"id:c"})"},
        {R"({"role":"tool","content":"a","tool_call_id":"c","is_error":true})",
         R"({"role":"tool","content":"Action failed: 'a'","tool_call_id":"id:c"})"},
        {R"({"role":"tool","content":"Action failed: 'a'","tool_call_id":"c","is_error":true})",
         R"({"role":"tool","content":"Action failed: 'a'","tool_call_id":"id:c"})"},
        {R"({"role":"tool","content":[{"type":"text","text":"a"},{"type":"text","text":"b"}],"is_error":true})",
         R"({"role":"tool","content":["part:Action failed: ","part:a","part:b"]})"},
        {R"({"role":"tool","content":[{"type":"text","text":"Action failed: 'a'"}],"is_error":true})",
         R"({"role":"tool","content":["part:Action failed: 'a'"]})"},
        {R"({"role":"tool","content":[{"type":"text","text":"a"}]})", R"({"role":"tool","content":["part:a"]})"},
        {R"({"role":"assistant","content":"a","tool_calls":[{"id":"c","x":1,"function":{"name":"f","arguments":"{}"}}]})",
         R"({"role":"assistant","content":"a","tool_calls":[{"id":"id:c","type":"function","function":{"name":"name:f","arguments":"{}"},"x":1}]})"},
        {R"({"role":"assistant","content":null,"function_call":{"name":"f","arguments":{"a":1}}})",
         R"({"role":"assistant","content":null,"function_call":{"name":"name:f","arguments":"{\"a\":1}"}})"},
        {R"({"role":"assistant","content":null,"refusal":"no"})",
         R"({"role":"assistant","content":null,"refusal":"no"})"},
        {R"({"role":"assistant","content":"a","reasoning":"hm"})", R"({"role":"assistant","content":"a"})"},
        {R"({"role":"assistant","content":"a","reasoning_content":"hm"})", R"({"role":"assistant","content":"a"})"},
        {R"({"role":"assistant","content":"a","reasoning":"hm"})",
         R"({"role":"assistant","content":"a","reasoning":"hm"})", true},
        {R"({"role":"assistant","content":"a","reasoning_content":"hm"})",
         R"({"role":"assistant","content":"a","reasoning_content":"hm"})", true},
        {R"({"role":"assistant","content":"a","reasoning_content":"hm","reasoning":"ha"})",
         R"({"role":"assistant","content":"a","reasoning_content":"hm","reasoning":"ha"})", true},
    };
    for (const Row& row : rows) {
        INFO(row.message);
        CHECK(acta::dump(SentMessage{acta::parse<ChatMessage>(row.message), row.reasoning}) == row.sent);
    }
}

TEST_CASE("what is kept of calls is written with them only if there are as many") {
    auto message = acta::parse<ChatMessage>(
        R"({"role":"assistant","content":"a","tool_calls":[{"id":"c","x":1,"function":{"name":"f"}},{"id":"d","function":{"name":"f"}}]})");
    message.extra["openai"]["tool_calls"][1] = 5;
    message.extra["openai"]["tool_calls"][0]["id"] = "other";
    CHECK(
        acta::dump(SentMessage{message}) ==
        R"({"role":"assistant","content":"a","tool_calls":[{"id":"id:c","type":"function","function":{"name":"name:f","arguments":"{}"},"x":1},{"id":"id:d","type":"function","function":{"name":"name:f","arguments":"{}"}}]})");
    message.tool_calls.pop_back();
    CHECK(
        acta::dump(SentMessage{message}) ==
        R"({"role":"assistant","content":"a","tool_calls":[{"id":"id:c","type":"function","function":{"name":"name:f","arguments":"{}"}}]})");
    // The deprecated form has one call without an id.
    auto old = acta::parse<ChatMessage>(R"({"role":"assistant","function_call":{"name":"f","arguments":"{}"}})");
    const std::string call = R"({"role":"assistant","content":null,"tool_calls":[{)";
    const std::string function = R"("type":"function","function":{"name":"name:f","arguments":"{}"}}]})";
    old.tool_calls.front().id = "c";
    CHECK(acta::dump(SentMessage{old}) == call + R"("id":"id:c",)" + function);
    old.tool_calls.front().id.clear();
    old.extra = {};
    CHECK(acta::dump(SentMessage{old}) == call + function);
}

TEST_CASE("text that is not UTF-8 is refused with its place in a message") {
    const auto place = [](const ChatMessage& message) {
        try {
            return acta::dump(message);
        } catch (const acta::EncodeError& error) {
            return error.pointer();
        }
    };
    const std::string bad = "\xFF";
    ChatMessage message;
    message.parts = {{.text = "a"}, {.text = bad}};
    CHECK(place(message) == "/content/1/text");
    CHECK(place(ChatMessage::user(bad)) == "/content");
    CHECK(place(ChatMessage::tool(bad, "")) == "/tool_call_id");
    CHECK(place(ChatMessage::assistant("", {{"a", {"f", {}}}, {bad, {"f", {}}}})) == "/tool_calls/1/id");
    CHECK(place(ChatMessage::assistant("", {{"a", {bad, {}}}})) == "/tool_calls/0/function/name");
    message = ChatMessage::assistant("a");
    message.reasoning_content = bad;
    CHECK(place(message) == "/reasoning_content");
    message.reasoning_content.reset();
    message.extra = {{"openai", {{"k", bad}}}};
    CHECK(place(message) == "/k");
    message.extra = {{"anthropic", {{"k", bad}}}};
    CHECK(place(message) == "/extra/anthropic/k");
    message.extra = {{"openai", {{"function_call", true}}}};
    message.tool_calls = {{"", {bad, {}}}};
    CHECK(place(message) == "/function_call/name");
}
