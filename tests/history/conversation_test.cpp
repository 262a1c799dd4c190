// SPDX-License-Identifier: MIT
#include "acta/history/episode.hpp"

#include <string>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/issues.hpp"

namespace {

using Talk = acta::EpisodicActionHistory<>;

acta::ActionProposal<> calling(const std::string& tool) {
    acta::ActionProposal<> proposal;
    proposal.use_tool.name = tool;
    return proposal;
}

acta::ActionResult returned(const std::string& outputs = "ok") {
    acta::ActionSuccessResult result;
    result.outputs = outputs;
    return result;
}

}  // namespace

TEST_CASE("what was said stands between the steps, and an answer ends a turn") {
    Talk history;
    history.register_message(acta::ChatMessage::system("Be brief."));
    history.register_message(acta::ChatMessage::user("When is high tide?"));
    CHECK(history.answer() == nullptr);
    history.register_action(calling("search"));
    history.register_message(acta::ChatMessage::user("In Oslo."));
    CHECK_THROWS_AS(history.register_answer("At noon."), acta::HistoryError);
    history.register_result(returned("at noon"));
    history.register_answer("At noon.");
    REQUIRE(history.answer() != nullptr);
    CHECK(history.answer()->content == "At noon.");
    CHECK(history.size() == 1);
    std::string places;
    for (const acta::ConversationMessage& one : history.messages())
        places += std::to_string(one.before) + std::string(to_string(one.message.role)) + " ";
    CHECK(places == "0system 0user 1user 1assistant ");

    history.append_user_feedback("And tomorrow?");
    CHECK(history.answer() == nullptr);
    CHECK(history.take_pending_feedback() == std::vector<std::string>{"And tomorrow?"});
    CHECK(history.messages().back() == acta::ConversationMessage{1, acta::ChatMessage::user("And tomorrow?")});
    history.register_action(calling("search"));
    history.register_result(returned("at one"));
    CHECK(history.answer() == nullptr);
    history.register_answer("At one.");

    const std::string text = acta::dump(history);
    CHECK(acta::parse<Talk>(text) == history);
    CHECK(acta::dump(acta::parse<Talk>(text)) == text);
    CHECK_THAT(history.fmt_paragraph(), starts_with_text("### System\nBe brief.\n\n\n### User\nWhen is high tide?\n\n\n"
                                                         "### Step 1: Executed"));
    CHECK_THAT(history.fmt_paragraph(), contains_text("### User\nIn Oslo.\n\n\n### Assistant\nAt noon.\n"));
}

TEST_CASE("feedback begins a conversation, and where there is none nothing is said") {
    Talk history;
    CHECK(history.take_pending_feedback().empty());
    CHECK(history.messages().empty());
    history.append_user_feedback("One.");
    history.append_user_feedback("Two.");
    CHECK(history.take_pending_feedback().size() == 2);
    REQUIRE(history.messages().size() == 2);
    CHECK(history.messages()[0].message == acta::ChatMessage::user("One."));
    history.apply_together({});
    CHECK(history.messages().size() == 2);
}

TEST_CASE("arguments of an open call can be changed until it has its result") {
    Talk history;
    acta::ActionProposal<> proposal;
    acta::set_calls(proposal, {{"a", {{"n", 1}}}, {"a", {{"n", 2}}}});
    CHECK_THROWS_AS(history.set_arguments("call_0", {}), acta::HistoryError);
    history.register_action(proposal);
    history.set_arguments("call_0", {{"n", 3}});
    history.set_arguments("call_1", {{"n", 4}});
    CHECK(acta::to_string(history[0].action.use_tool) == "a(n=3)");
    CHECK(acta::to_string(history[0].action.use_tools[0]) == "a(n=3)");
    CHECK(acta::to_string(history[0].action.use_tools[1]) == "a(n=4)");
    history.register_result("call_0", acta::ActionSuccessResult{1});
    const auto code = [&](const char* id) {
        try {
            history.set_arguments(id, {});
        } catch (const acta::HistoryError& error) {
            return error.code();
        }
        return acta::HistoryErrorCode::no_call;
    };
    CHECK(code("call_0") == acta::HistoryErrorCode::result_already_set);
    CHECK(code("call_2") == acta::HistoryErrorCode::unknown_tool_call);
    CHECK(acta::to_string(history[0].action.use_tools[0]) == "a(n=3)");
    history.set_arguments(acta::CallIdentity{"call_1", 0, ""}, {{"n", 5}});
    CHECK(acta::to_string(history[0].action.use_tools[1]) == "a(n=5)");
    CHECK_THROWS_AS(history.set_arguments(acta::CallIdentity{"call_1", 1, ""}, {}), acta::HistoryError);
    acta::SharedHistory<> shared;
    shared.lock()->register_action({.thoughts = "", .use_tool = {"a", {{"n", 1}}}});
    shared.lock()->set_arguments("call_0", {{"n", 2}});
    CHECK(acta::to_string(shared.lock()->at(0).action.use_tool) == "a(n=2)");
}

TEST_CASE("rewinding drops what was said after the steps that go") {
    Talk history;
    history.register_message(acta::ChatMessage::user("one"));
    for (int i = 0; i < 3; ++i) {
        history.register_action(calling("f"));
        history.register_result(returned(""));
        history.register_message(acta::ChatMessage::user("after " + std::to_string(i)));
    }
    const auto said = [&history] {
        std::string out;
        for (const acta::ConversationMessage& one : history.messages()) out += one.message.content + ";";
        return out;
    };
    history.rewind();
    CHECK(said() == "one;after 0;after 1;after 2;");
    history.register_action(calling("f"));
    history.register_message(acta::ChatMessage::user("open"));
    history.rewind();
    CHECK(said() == "one;after 0;after 1;after 2;");
    history.rewind(2);
    CHECK(said() == "one;after 0;");
    CHECK(history.messages().back().before == 1);

    // A restored cursor may point at an open step in the middle.
    auto restored = acta::parse<Talk>(
        R"({"episodes":[{"action":{"thoughts":"","use_tool":{"name":"a","arguments":{}}},"result":null},)"
        R"({"action":{"thoughts":"","use_tool":{"name":"b","arguments":{}}},"result":null}],"cursor":0,"conversation":[)"
        R"({"before":2,"message":{"role":"user","content":"z"}},{"before":1,"message":{"role":"user","content":"y"}},)"
        R"({"before":0,"message":{"role":"user","content":"x"}}]})");
    restored.register_message(acta::ChatMessage::user("behind a"));
    CHECK(restored.messages()[2] == acta::ConversationMessage{1, acta::ChatMessage::user("behind a")});
    restored.rewind();
    REQUIRE(restored.messages().size() == 2);
    CHECK(restored.messages()[1] == acta::ConversationMessage{1, acta::ChatMessage::user("z")});
}

TEST_CASE("what belongs to a step is not said between steps") {
    Talk history;
    const auto code_of = [](const auto& function) {
        try {
            function();
        } catch (const acta::HistoryError& error) {
            return error.code();
        }
        return acta::HistoryErrorCode::negative_rewind;
    };
    CHECK(code_of([&] { history.register_message(acta::ChatMessage::tool("c", "x")); }) ==
          acta::HistoryErrorCode::not_conversation);
    CHECK(code_of([&] {
              history.register_message(acta::ChatMessage::assistant("", {{"c", {"f", {}}}}));
          }) == acta::HistoryErrorCode::not_conversation);
    CHECK(code_of([&] {
              acta::AssistantChatMessage answer;
              answer.tool_calls = {{"c", {"f", {}}}};
              history.register_answer(answer);
          }) == acta::HistoryErrorCode::not_conversation);
    CHECK(code_of([&] { history.register_action({.thoughts = "I am done.", .use_tool = {}}); }) ==
          acta::HistoryErrorCode::no_call);
    history.register_action(calling("f"));
    CHECK(code_of([&] { history.register_answer("x"); }) == acta::HistoryErrorCode::step_open);
    CHECK(history.messages().empty());
    CHECK(history.size() == 1);

    const std::string start = R"({"episodes":[],"cursor":0,"conversation":[)";
    CHECK(faults<Talk>(start + R"({"before":0,"message":{"role":"tool","content":"x"}}]})") == Faults{" value_error"});
    CHECK(faults<Talk>(start + R"({"before":-1,"message":{"role":"user","content":"x"}}]})") ==
          Faults{"/conversation/0/before int_parsing_size"});
    acta::ParseOptions options;
    std::vector<acta::Issue> warnings;
    options.warnings = &warnings;
    const auto moved = acta::parse<Talk>(start + R"({"before":7,"message":{"role":"user","content":"x"}}]})", options);
    CHECK(moved.messages().front().before == 0);
    REQUIRE(warnings.size() == 1);
    CHECK(warnings[0].type == "conversation_repaired");
}
