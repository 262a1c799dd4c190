// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/prompt/detail/step_text.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"
#include "support/messages_random.hpp"
#include "support/messages_rules.hpp"
#include "support/sizes.hpp"
#include "support/thoughts.hpp"

// A history as a list of messages: the rules of the APIs hold for every list, and it is read back as it was.
namespace {

using acta::ChatMessage;
using Messages = std::vector<ChatMessage>;
using Run = acta::EpisodicActionHistory<>;

/// How many are made at random for a test.
std::uint32_t histories() { return static_cast<std::uint32_t>(test_size(200, 400)); }

acta::Json openai_of(const Messages& messages) { return acta::Json(acta::openai::to_wire(messages)); }
acta::Json anthropic_of(const Messages& messages) { return acta::Json(acta::anthropic::to_wire(messages)); }

void check_rules(const Messages& messages) {
    CHECK(rules::openai(openai_of(messages)) == rules::Broken{});
    CHECK(rules::anthropic(anthropic_of(messages)) == rules::Broken{});
}

/// The calls of the steps that have any, and what came of each and of the step: what must survive. The ids may be
/// others.
std::vector<std::string> exported(const Run& run) {
    std::vector<std::string> out;
    for (std::size_t i = 0; i < run.size(); ++i) {
        if (!acta::has_tool_call(run[i].action)) continue;
        std::string step = acta::dump(run[i].result);
        for (const auto& call : run[i].action.get_tools()) step += " " + acta::dump(call);
        const std::vector<std::string> ids = run.tool_call_ids(i);
        for (const auto& one : run[i].tool_results) {
            const auto place = std::find(ids.begin(), ids.end(), one.tool_call_id) - ids.begin();
            step += " " + std::to_string(place) + ": " + acta::dump(one.result);
        }
        out.push_back(std::move(step));
    }
    return out;
}

std::vector<std::string> said_in(const Messages& messages) {
    std::vector<std::string> out;
    for (const ChatMessage& message : messages) out.push_back(message.content);
    return out;
}

/// A step of an older document that calls nothing.
Run wordy(const std::string& words, std::optional<acta::ActionResult> result) {
    acta::HistoryRecord<acta::ActionProposal<>> record;
    record.episodes.emplace_back().action.thoughts = words;
    record.episodes.back().result = std::move(result);
    return Run(record);
}

Run finished(const acta::Json& outputs) {
    Run run;
    run.register_action({.thoughts = "", .use_tool = {"f", {}}});
    acta::ActionSuccessResult success;
    success.outputs = outputs;
    run.register_result(success);
    return run;
}

}  // namespace

TEST_CASE("the rules of the APIs hold for the messages of every history, and it is read back the same") {
    for (std::uint32_t seed = 0; seed < histories(); ++seed) {
        RandomHistories random(seed);
        const Run run = random.with_conversation(random.history());
        const Messages messages = acta::to_messages(run);
        INFO("seed " << seed << "\n" << acta::dump(run) << "\n" << acta::dump(messages));
        check_rules(messages);
        const Run back = acta::history_from_messages(messages);
        CHECK(exported(back) == exported(run));
        CHECK(acta::to_messages(back) == messages);
        const bool open = !back.empty() && !back.episodes().back().result;
        CHECK(back.cursor() == back.size() - (open ? 1U : 0U));
        // The same through the JSON of the messages and through each API.
        CHECK(acta::history_from_messages(acta::parse<Messages>(acta::dump(messages))) == back);
        CHECK(exported(acta::history_from_messages(acta::openai::from_wire(openai_of(messages)))) == exported(run));
        CHECK(exported(acta::history_from_messages(acta::anthropic::from_wire(anthropic_of(messages)))) ==
              exported(run));
    }
}

TEST_CASE("a damaged list is refused, or what was read of it keeps the rules again") {
    std::size_t refused = 0;
    std::size_t read = 0;
    for (std::uint32_t seed = 0; seed < histories(); ++seed) {
        RandomHistories random(seed);
        acta::Json list = openai_of(acta::to_messages(random.history()));
        if (list.empty()) continue;
        // A message is lost, or comes twice, or has lost a key; or the text itself is damaged.
        const std::size_t at = random.below(list.size());
        const std::size_t way = random.below(4);
        if (way == 0) list.erase(at);
        if (way == 1) list.push_back(acta::Json(list[at]));
        if (way == 2) list[at].erase(list[at].begin());
        std::string text = list.dump();
        if (way == 3) text[random.below(text.size())] = "\"{}[]:,1x"[random.below(9)];
        INFO("seed " << seed << "\n" << text);
        try {
            check_rules(acta::to_messages(acta::history_from_messages(acta::parse<Messages>(text))));
            ++read;
        } catch (const acta::ValidationError& error) {
            CHECK_FALSE(error.issues().empty());
            ++refused;
        }
    }
    CHECK(refused > histories() / 8);
    CHECK(read > histories() / 8);
}

TEST_CASE("the rules find what breaks them") {
    Run run;
    run.register_action({.thoughts = "a", .use_tool = {"f", {}}});
    run.register_result(acta::ActionErrorResult{"no", {}});
    acta::Json openai = openai_of(acta::to_messages(run));
    acta::Json anthropic = anthropic_of(acta::to_messages(run));
    REQUIRE(openai.size() == 2);
    REQUIRE(anthropic["messages"].size() == 3);
    acta::Json twice = openai;
    twice.push_back(openai[1]);
    CHECK(rules::openai(twice).size() == 1);
    openai.erase(1);
    CHECK(rules::openai(openai).size() == 1);
    anthropic["messages"][2]["content"][0]["content"] = " ";
    CHECK(rules::anthropic(anthropic) == rules::Broken{"an error without text"});
    anthropic["messages"].erase(2);
    CHECK(rules::anthropic(anthropic) == rules::Broken{"calls without results at the end"});
}

TEST_CASE("a step closed as a whole says its result once") {
    Run run;
    acta::ActionProposal<> proposal;
    acta::set_calls(proposal, {{"a", {}}, {"b", {}}, {"c", {}}});
    run.register_action(proposal);
    run.register_result("call_1", acta::ActionSuccessResult{.outputs = "second"});
    run.close_open_episode(acta::ActionErrorResult{"cut", {}});
    CHECK(said_in(acta::to_messages(run)) ==
          std::vector<std::string>{"", "Result of the step as a whole: Action failed: 'cut'", "second",
                                   "See the result of the step as a whole."});
}

TEST_CASE("a single call that was answered by its id is read back as answered as a whole") {
    Run run;
    run.register_action({.thoughts = "", .use_tool = {"f", {}}});
    run.register_result("call_0", acta::ActionSuccessResult{.outputs = "x"});
    const Run back = acta::history_from_messages(acta::to_messages(run));
    CHECK(back[0].tool_results.empty());
    CHECK(acta::to_string(*back[0].result) == "x");
}

TEST_CASE("an interruption is an answer, and its feedback is said by the user behind all answers") {
    Run run;
    acta::ActionProposal<> proposal;
    acta::set_calls(proposal, {{"a", {}}, {"b", {}}});
    run.register_action(proposal);
    run.register_result("call_0", acta::ActionInterruptedByHuman{"Not this one."});
    run.register_result("call_1", acta::ActionSuccessResult{.outputs = 5});
    run.append_user_feedback("Well?");
    const Messages messages = acta::to_messages(run);
    CHECK(said_in(messages) == std::vector<std::string>{"", "The user interrupted the action; their feedback follows.",
                                                        "5", "Not this one.", "Well?"});
    CHECK(messages[1].is_error);
    CHECK(messages[3].role == acta::ChatRole::user);
    const Run back = acta::history_from_messages(messages);
    CHECK(exported(back) == exported(run));
    REQUIRE(back.messages().size() == 1);  // whether it was taken is not in the list
    CHECK(back.messages()[0] == acta::ConversationMessage{1, ChatMessage::user("Well?")});
}

TEST_CASE("structured thoughts are said as the model said them, else by their summary") {
    acta::EpisodicActionHistory<acta::ActionProposal<Plan>> history;
    acta::ActionProposal<Plan> proposal;
    proposal.thoughts.text = "the plan";
    proposal.use_tool = {"f", {}};
    history.register_action(proposal);
    history.register_result(acta::ActionSuccessResult{.outputs = 1});
    proposal.raw_message.emplace().content = "raw words";
    history.register_action(proposal);
    const Run read = acta::history_from_messages(acta::to_messages(history));
    CHECK(read[0].action.thoughts == "the plan");
    CHECK(read[1].action.thoughts == "raw words");
    CHECK(acta::to_string(*read[0].result) == "1");
}

TEST_CASE("thoughts that were changed are said as they are, and what the provider wants back stays") {
    Run run;
    acta::ActionProposal<> proposal{"Look.", {"f", {}}};
    proposal.raw_message.emplace().content = "Loook.";
    proposal.raw_message->reasoning_content = "Hm.";
    proposal.raw_message->extra = {{"parts", acta::JsonArray{acta::JsonObject{{"type", "text"}, {"text", "Loook."}}}},
                                   {"anthropic", acta::JsonObject{{"id", "m1"}}}};
    run.register_action(proposal);
    const ChatMessage said = acta::to_messages(run).front();
    CHECK(said.content == "Look.");
    CHECK(said.parts.empty());
    CHECK(said.reasoning_content == "Hm.");
    CHECK(acta::dump(said.extra) == R"({"anthropic":{"id":"m1"}})");
}

TEST_CASE("an empty history has no messages, and no messages are an empty history") {
    CHECK(acta::to_messages(Run()).empty());
    CHECK(acta::history_from_messages(Messages()).empty());
    CHECK(acta::to_messages(wordy("", {})).empty());
}

TEST_CASE("a step that calls nothing is its words, and its result is said by the user") {
    const std::string words = "What is your user id?";
    CHECK(acta::to_messages(wordy(words, {})) == Messages{ChatMessage::assistant(words)});
    CHECK(acta::to_messages(wordy(words, acta::ActionSuccessResult{.outputs = "asked"})) ==
          Messages{ChatMessage::assistant("What is your user id?"),
                   ChatMessage::user("Result of the step as a whole: asked")});
}

TEST_CASE("ids that repeat are made different, call and answer alike, in no time that grows with their square") {
    Run run;
    for (const char* const id : {"a", "a", "a_2"}) {
        acta::AssistantChatMessage message;
        message.tool_calls = {{id, {"f", {}}}};
        run.register_action(acta::proposal_from(message));
        run.register_result(acta::ActionSuccessResult{.outputs = id});
    }
    const Messages messages = acta::to_messages(run);
    std::vector<std::string> ids;
    for (const ChatMessage& message : messages)
        ids.push_back(message.tool_calls.empty() ? message.tool_call_id : message.tool_calls[0].id);
    CHECK(ids == std::vector<std::string>{"a", "a", "a_2", "a_2", "a_2_2", "a_2_2"});
    check_rules(messages);
    // Counted in ids: with a search from the start for each, this would be 10^10 steps and never end.
    acta::prompt_detail::CallIds many;
    Messages step{ChatMessage::assistant("", {{"call", {}}}), ChatMessage::tool("call", "")};
    for (int i = 0; i < 100000; ++i) {
        step[0].tool_calls[0].id = "call";
        many.make_unique(step);
    }
    CHECK(step[1].tool_call_id == "call_100000");
}

namespace {

/// A proposal that does not keep the model's message.
struct BareProposal {
    std::string thoughts{};
    acta::AssistantFunctionCall use_tool{};
    std::vector<acta::AssistantFunctionCall> use_tools{};
};

}  // namespace

template <>
struct acta::Describe<BareProposal> {
    static constexpr auto fields = acta::fields(acta::required("thoughts", &BareProposal::thoughts),
                                                acta::required("use_tool", &BareProposal::use_tool),
                                                acta::omit_if_empty("use_tools", &BareProposal::use_tools));
};

TEST_CASE("the ids of parallel calls are stored where those of the model's message are not unique, or not kept") {
    const auto list = [](const std::vector<std::string>& ids) {
        Messages out{ChatMessage::assistant("Go on.")};
        for (const std::string& id : ids) out[0].tool_calls.push_back({id, {"f", {}}});
        for (const std::string& id : ids) out.push_back(ChatMessage::tool(id, "done"));
        return out;
    };
    using Ids = std::vector<std::string>;
    const auto stored = [&]<class P>(std::in_place_type_t<P>, const Ids& ids) {
        const auto history = acta::history_from_messages<P>(list(ids));
        return Ids(history[0].tool_call_ids);
    };
    constexpr std::in_place_type_t<acta::ActionProposal<>> usual{};
    constexpr std::in_place_type_t<BareProposal> bare{};
    CHECK(stored(usual, {"a", "b"}).empty());
    CHECK(stored(usual, {"a", "a"}) == Ids{"call_0", "call_1"});
    CHECK(stored(usual, {"a", ""}) == Ids{"call_0", "call_1"});
    CHECK(stored(usual, {"a"}).empty());
    CHECK(stored(bare, {"a", "b"}) == Ids{"a", "b"});
    CHECK(stored(bare, {"a"}).empty());
}

TEST_CASE("the result of a step as a whole may have the words of another answer") {
    const auto result = [](const std::string& text, bool is_error) {
        Messages list{ChatMessage::assistant("")};
        list[0].tool_calls = {{"a", {"f", {}}}, {"b", {"g", {}}}};
        list.push_back(ChatMessage::tool("a", "Result of the step as a whole: " + text, is_error));
        list.push_back(ChatMessage::tool("b", "See the result of the step as a whole.", is_error));
        return lvalue(acta::history_from_messages(list))[0].result;
    };
    for (const char* const text :
         {"See the result of the step as a whole.", "The action did not finish; it has no result.",
          "Result of the step as a whole: done"}) {
        INFO(text);
        CHECK((result(text, false) == acta::ActionResult(acta::ActionSuccessResult{.outputs = text})));
        CHECK((result(text, true) == acta::ActionResult(acta::ActionErrorResult{text, {}})));
    }
    CHECK((result("5", false) == acta::ActionResult(acta::ActionSuccessResult{.outputs = 5})));
}

TEST_CASE("parallel calls of which one has no name are all said") {
    acta::HistoryRecord<acta::ActionProposal<>> record;
    acta::set_calls(record.episodes.emplace_back().action, {{"", {}}, {"g", {}}});
    const Messages messages = acta::to_messages(Run(std::move(record)));
    REQUIRE(messages.size() == 3);
    CHECK(messages[0].tool_calls.size() == 2);
}

TEST_CASE("outputs of any kind come back from the text of a tool message") {
    for (const char* const text :
         {"null", "true", "42", "1.5", "\"42\"", "\"words\"", "\"\\\"42\\\"\"", "[1,{\"a\":null}]", "{}", "[]", "\"\"",
          R"([{"type":"text","text":"alone"}])", R"([{"type":"text","text":"a"},{"type":"text","text":"b"}])",
          R"([{"type":"text","text":"a"},5])", R"({"content":[{"type":"text","text":"a"}],"isError":false})"}) {
        INFO(text);
        const Run run = finished(acta::Json::parse(text));
        CHECK(lvalue(acta::history_from_messages(acta::to_messages(run)))[0].result == run[0].result);
    }
}

TEST_CASE("images in the results of tools are parts of their messages") {
    const std::string png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJ";
    const std::string mcp = R"({"content":[{"type":"text","text":"The page:"},{"type":"image","data":")" + png +
                            R"(","mimeType":"image/png"}],"isError":false})";
    const std::string block = R"([{"type":"text","text":"The page:"},{"type":"image","source":{"type":"base64",)"
                              R"("media_type":"image/png","data":")" +
                              png + R"("}}])";
    const std::string part = R"([{"type":"text","text":"The page:"},{"type":"image_url","image_url":{"url":)"
                             R"("data:image/png;base64,)" +
                             png + R"("}}])";
    for (const std::string& outputs : {mcp, block, part}) {
        INFO(outputs);
        const Messages messages = acta::to_messages(finished(acta::Json::parse(outputs)));
        REQUIRE(messages[1].parts.size() == 2);
        CHECK(messages[1].content == "The page:\n<image/png, 33 bytes>");
        // OpenAI refuses an image in a result.
        CHECK(openai_of(messages)[2]["content"][1] == acta::Json::parse(part)[1]);
        CHECK(acta::openai::from_wire(openai_of(messages))[1].parts == messages[1].parts);
        CHECK(anthropic_of(messages)["messages"][2]["content"][0]["content"].dump() == block);
        const Run back = acta::history_from_messages(messages);
        CHECK(std::get<acta::ActionSuccessResult>(*back[0].result).outputs.dump() == part);
        CHECK(acta::to_messages(back) == messages);
    }
    // A resource beside an image is text; binary content that is no part of a message is a placeholder.
    const std::string more =
        R"({"content":[{"type":"image","data":")" + png +
        R"(","mimeType":"image/png"},{"type":"resource","resource":{"uri":"a:b"}}],"isError":false})";
    CHECK(acta::to_messages(finished(acta::Json::parse(more)))[1].parts[1].type == "text");
    const Messages other =
        acta::to_messages(finished(acta::Json::parse(R"({"shot":"data:image/png;base64,)" + png + R"("})")));
    CHECK(other[1].content == R"({"shot":"<image/png, 33 bytes>"})");
    // Data that is not base64 is no image that an API would take.
    const std::string bad = R"({"type":"image","data":"hello"})";
    const std::string bad_audio = R"([{"type":"input_audio","input_audio":{"data":"hello","format":"wav"}}])";
    const std::string bad_url = R"([{"type":"image_url","image_url":{"url":"data:image/png;base64,hello"}}])";
    for (const std::string& outputs : {"[" + bad + "]", bad_audio, bad_url}) {
        const Messages texts = acta::to_messages(finished(acta::Json::parse(outputs)));
        CHECK(texts[1].parts.empty());
        CHECK(texts[1].content == outputs);
    }
    const Messages beside =
        acta::to_messages(finished(acta::Json::parse(R"({"content":[{"type":"image","data":")" + png +
                                                     R"(","mimeType":"image/png"},)" + bad + R"(],"isError":false})")));
    REQUIRE(beside[1].parts.size() == 2);
    CHECK(beside[1].parts[0].type == "image");
    CHECK(beside[1].parts[1].type == "text");
    CHECK(beside[1].parts[1].text.find("hello") != std::string::npos);
}

TEST_CASE("texts beside an image keep what else they have, and other parts become texts") {
    const std::string image = R"({"type":"image","data":"AAAA","mimeType":"image/png"})";
    const std::string text = R"({"type":"text","text":"See.","annotations":{"priority":1}})";
    const auto parts = [](const std::string& content, const std::string& more = R"(,"isError":false)") {
        return acta::to_messages(finished(acta::Json::parse(R"({"content":)" + content + more + "}")))[1].parts;
    };
    const std::vector<acta::ContentPart> both = parts("[" + text + "," + image + R"(,{"type":"link","uri":"a:b"}])");
    REQUIRE(both.size() == 3);
    CHECK(both[0].text == "See.");
    CHECK_FALSE(both[0].extra.empty());
    CHECK(both[1].type == "image");
    CHECK(both[2].type == "text");
    CHECK(both[2].extra.empty());
    CHECK_THAT(both[2].text, contains_text("a:b"));
    // Without media, or without the flag of a tool's result, it is JSON as any other.
    CHECK(parts("[" + text + "]").empty());
    CHECK(parts("[" + image + "]", "").empty());
    CHECK(parts("{}").empty());
    // In a list, each part must be a text or media.
    const auto of_list = [](const std::string& list) {
        return acta::to_messages(finished(acta::Json::parse("[" + list + "]")))[1].parts.size();
    };
    const std::string plain = R"({"type":"text","text":"See."})";
    CHECK(of_list(image) == 1);
    CHECK(of_list(plain) == 0);
    CHECK(of_list(plain + "," + plain) == 2);
    CHECK(of_list(plain + "," + image) == 2);
    CHECK(of_list(text + "," + image) == 0);
    CHECK(of_list(image + R"(,{"type":"link","uri":"a:b"})") == 0);
    CHECK(of_list(image + ",5") == 0);
    // Media of each type, with content of any sort.
    for (const char* const media : {R"({"type":"image_url","image_url":{"url":"https://a.b/c"}})",
                                    R"({"type":"input_audio","input_audio":{"data":"AAAA","format":"wav"}})",
                                    R"({"type":"file","file":{"file_id":"f1"}})"})
        CHECK(of_list(media) == 1);
    CHECK(of_list(R"({"type":"image"})") == 0);
}

TEST_CASE("texts in a message after an interruption are its feedback, and what is left stays as it was said") {
    using acta::ContentPart;
    const ContentPart image{.type = "image", .media_type = "image/png", .data = "AAAA"};
    const auto text = [](const std::string& of) { return ContentPart{.text = of}; };
    struct Row {
        std::size_t interrupted;
        std::vector<ContentPart> parts;
        std::string feedback;  // of all calls
        std::size_t left;      // parts of the message that is left
        std::string content;   // its content, empty if no message is left
    };
    ContentPart marked = text("a");
    marked.extra = {{"openai", {{"x", 1}}}};
    for (const Row& row : std::vector<Row>{{1, {}, "whole|", 0, ""},
                                           {1, {text("a")}, "a|", 0, ""},
                                           {1, {text("a"), text("b")}, "a|", 0, "b"},
                                           {1, {text("a"), text("b"), text("c")}, "a|", 2, "bc"},
                                           {1, {text("a"), image}, "a|", 1, "<image/png, 3 bytes>"},
                                           {1, {text("a"), text("b"), image}, "a|", 2, "b\n<image/png, 3 bytes>"},
                                           {1, {image, text("a")}, "|", 2, "<image/png, 3 bytes>\na"},
                                           {1, {marked}, "|", 1, "a"},
                                           {2, {}, "whole||", 0, ""},
                                           {2, {text("a"), text("b")}, "a|b|", 0, ""},
                                           {2, {text("a"), text("b"), text("c")}, "a|b|", 0, "c"},
                                           {2, {text("a")}, "a||", 0, ""}}) {
        INFO(row.interrupted << ", " << row.parts.size() << " parts, " << row.content);
        Messages messages{ChatMessage::assistant("")};
        for (std::size_t c = 0; c < row.interrupted; ++c) {
            messages[0].tool_calls.push_back({"call_" + std::to_string(c), {"f", {}}});
            messages.push_back(ChatMessage::tool("call_" + std::to_string(c),
                                                 "The user interrupted the action; their feedback follows."));
        }
        messages.push_back(ChatMessage::user("whole"));
        messages.back().parts = row.parts;
        if (!row.parts.empty()) messages.back().content = acta::parts_text(row.parts);
        const Run run = acta::history_from_messages(messages);
        REQUIRE(run.size() == 1);
        std::string feedback;
        const auto add = [&feedback](const acta::ActionResult& result) {
            feedback += std::get<acta::ActionInterruptedByHuman>(result).feedback + "|";
        };
        if (row.interrupted == 1) add(*run[0].result);
        for (const acta::ToolResult& one : run[0].tool_results) add(one.result);
        CHECK(feedback == row.feedback);
        REQUIRE(run.messages().size() == (row.content.empty() ? 0U : 1U));
        if (row.content.empty()) continue;
        const ChatMessage& left = run.messages()[0].message;
        CHECK(left.content == row.content);
        CHECK(left.parts ==
              std::vector<ContentPart>(row.parts.end() - static_cast<std::ptrdiff_t>(row.left), row.parts.end()));
    }
}

TEST_CASE("what belongs to no call is refused with its place") {
    const auto issues_of = [](const char* text) {
        std::string out;
        try {
            static_cast<void>(acta::history_from_messages(acta::parse<Messages>(text)));
        } catch (const acta::ValidationError& error) {
            for (const acta::Issue& issue : error.issues())
                out += acta::dump(issue.loc) + " " + issue.type + ": " + issue.message + "\n";
        }
        return out;
    };
    CHECK(
        issues_of(R"([{"role":"tool","tool_call_id":"x","content":"1"},
        {"role":"assistant","tool_calls":[{"id":"a","function":{"name":"f","arguments":{}}}]},
        {"role":"tool","tool_call_id":"a","content":"1"},{"role":"tool","tool_call_id":"a","content":"2"},
        {"role":"assistant","content":"Done."},{"role":"tool","tool_call_id":"a","content":"3"}])") ==
        "[0,\"tool_call_id\"] tool_call_unknown: No call with id 'x' in the assistant's message before this result\n"
        "[3,\"tool_call_id\"] tool_call_answered: Call 'a' has its result already\n"
        "[5,\"tool_call_id\"] tool_call_unknown: No call with id 'a' in the assistant's message before this result\n");
}

TEST_CASE("results of parallel calls are exported from parts of histories, and from joined ones") {
    const auto paid = [](const std::string& what, std::size_t steps) {
        Run run;
        for (std::size_t i = 0; i < steps; ++i) {
            acta::ActionProposal<> proposal;
            acta::set_calls(proposal, {{"book", {}}, {"pay", {}}});  // the model gave them no ids
            run.register_action(proposal);
            for (const std::string& id : run.tool_call_ids(i))
                run.register_result(id, acta::ActionSuccessResult{what + " " + std::to_string(i) + " " + id});
        }
        return run;
    };
    const Run first = paid("first", 3);
    acta::HistoryRecord<acta::ActionProposal<>> record;
    for (const auto& episode : first.episodes().last(2)) record.episodes.push_back(episode);
    record.episodes.push_back(lvalue(paid("second", 1))[0]);
    record.cursor = 3;
    std::string said;
    for (const std::string& text : said_in(acta::to_messages(Run(record)))) said += text + "\n";
    CHECK(said ==
          "\nfirst 1 call_0\nfirst 1 call_1\n\nfirst 2 call_0\nfirst 2 call_1\n\nsecond 0 call_0\nsecond 0 call_1\n");
}

TEST_CASE("outputs that are not UTF-8 are an error that names its place") {
    CHECK_THROWS_AS(acta::to_messages(finished(acta::JsonArray{acta::Json("\xFF")})), acta::EncodeError);
}
