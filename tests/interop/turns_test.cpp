// SPDX-License-Identifier: MIT
#include <algorithm>
#include <string>
#include <vector>

#include "acta/interop/atif/atif.hpp"
#include "acta/interop/autogpt/autogpt.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "support/catch.hpp"

// A history of several turns, with all that can happen in them, through every format.
namespace {

using acta::ChatMessage;
using acta::Json;
using History = acta::EpisodicActionHistory<>;

acta::AssistantChatMessage said(std::string text, std::vector<acta::AssistantToolCall> calls) {
    acta::AssistantChatMessage out;
    out.content = std::move(text);
    out.tool_calls = std::move(calls);
    return out;
}

History turns() {
    History history;
    history.register_message(ChatMessage::system("You look after boats."));
    ChatMessage task = ChatMessage::user("Which boats are out?\n<image/png, 3 bytes>");
    task.parts = {{.text = "Which boats are out?"}, {.type = "image", .media_type = "image/png", .data = "AAAA"}};
    history.register_message(task);
    history.register_action(acta::proposal_from(said(
        "I ask both harbours.", {{"a", {"ask", {{"harbour", "Kiel"}}}}, {"b", {"ask", {{"harbour", "Lorient"}}}}})));
    history.register_result("b", acta::ActionErrorResult{"no answer", {}});
    history.register_result("a", acta::ActionSuccessResult{.outputs = "the Marie"});
    history.append_user_feedback("Lorient has moved.");
    static_cast<void>(history.take_pending_feedback());
    history.register_action(acta::proposal_from(said("Then I call.", {{"c", {"call", {{"number", 7}}}}})));
    history.register_result(acta::ActionInterruptedByHuman{"Not at night."});
    history.register_answer("The Marie is out; Lorient does not answer.");
    history.register_message(ChatMessage::user("And tomorrow?"));
    history.register_action(acta::proposal_from(said("", {{"d", {"forecast", {}}}})));
    history.register_result(acta::ActionSuccessResult{.outputs = acta::JsonArray{4, "bft"}});
    history.register_answer("All stay in.");
    return history;
}

/// What every format of others must keep: what was said and called, and what came of it, in order.
std::string essence(const History& history) {
    std::string out;
    for (const ChatMessage& message : acta::to_messages(history)) {
        out += std::string(acta::to_string(message.role)) + " " + message.content + " " + message.tool_call_id +
               (message.is_error ? " failed" : "");
        for (const acta::AssistantToolCall& call : message.tool_calls)
            out += " " + call.id + " " + acta::to_string(call);
        for (const acta::ContentPart& part : message.parts) out += " " + part.media_type + " " + part.data;
        out += "\n";
    }
    return out;
}

}  // namespace

TEST_CASE("a history of several turns comes back from acta's JSON, from both providers and from ATIF") {
    const History history = turns();
    REQUIRE(history.size() == 3);
    REQUIRE(history.messages().size() == 6);
    CHECK(acta::parse<History>(acta::dump(history)) == history);
    CHECK(acta::atif::to_history(acta::atif::to_document(history)) == history);
    CHECK(acta::parse_trajectory(acta::dump(acta::atif::to_document(history))).history == history);

    const std::vector<ChatMessage> messages = acta::to_messages(history);
    const auto read = [](const std::vector<ChatMessage>& list) { return acta::history_from_messages(list); };
    CHECK(essence(read(messages)) == essence(history));
    CHECK(essence(read(acta::openai::from_wire(Json(acta::openai::to_wire(messages))))) == essence(history));
    CHECK(essence(read(acta::openai::responses::from_wire(Json(acta::openai::responses::to_wire(messages))))) ==
          essence(history));
    CHECK(essence(read(acta::anthropic::from_wire(Json(acta::anthropic::to_wire(messages))))) == essence(history));
    // Logs of requests are runs.
    CHECK(essence(acta::parse_trajectory(acta::dump(acta::openai::to_wire(messages))).history) == essence(history));
    CHECK(essence(acta::parse_trajectory(acta::dump(acta::anthropic::to_wire(messages))).history) == essence(history));
}

TEST_CASE("the steps of several turns come back from AutoGPT's state, and what was said is passed over by it") {
    const History history = turns();
    const History back = acta::autogpt::plain_history(acta::autogpt::read(acta::autogpt::to_document(history)).history);
    REQUIRE(back.size() == history.size());
    for (std::size_t i = 0; i < back.size(); ++i) {
        CHECK(back[i].result == history[i].result);
        CHECK(std::ranges::equal(back[i].action.get_tools(), history[i].action.get_tools()));
    }
    CHECK(std::ranges::equal(back.messages(), history.messages()));
}

TEST_CASE("copies of several turns are equal, and rewinding drops what was said after the steps that go") {
    const History history = turns();
    History copy = history;
    CHECK(copy == history);
    copy.rewind(1);
    CHECK(copy != history);
    CHECK(copy.size() == 2);
    REQUIRE(copy.messages().size() == 5);  // the question stays, the answer to it goes
    CHECK(copy.messages().back().message == ChatMessage::user("And tomorrow?"));
    copy.rewind(1);
    CHECK(copy.messages().back().message == ChatMessage::user("Lorient has moved."));
    History other = turns();
    other.register_message(ChatMessage::user("Thanks."));
    CHECK(other != history);
}
