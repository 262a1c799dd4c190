// SPDX-License-Identifier: MIT
#include <fstream>
#include <sstream>

#include "acta/interop/anthropic/history.hpp"
#include "acta/interop/openai/history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/messages_rules.hpp"
#include "support/paths.hpp"

// Real messages, from others (the shared data; NOTICE.md there says from whom).
namespace {

std::string content_of(const std::string& name) {
    std::ifstream file(paths::shared_data(name), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str();
}

}  // namespace

TEST_CASE("OpenHands' messages with tool calls are read as a history") {
    const std::string text = content_of("openhands/function_calling_messages.json");
    if (text.empty()) ACTA_SKIP("no shared data: openhands/function_calling_messages.json");
    const auto messages = acta::parse<std::vector<acta::OpenAIMessage>>(text);
    const auto read = acta::history_from_openai_messages(messages);
    CHECK(read.history.size() == 6);
    REQUIRE(read.context.size() == 2);
    CHECK(read.context[0].message.role == acta::ChatRole::system);
    CHECK(read.context[1].message.role == acta::ChatRole::user);
    std::vector<std::string> tools;
    for (const auto& episode : read.history) {
        tools.push_back(episode.action.use_tool.name);
        REQUIRE(episode.result);
        CHECK(acta::is_success(*episode.result));
        CHECK(episode.action.use_tool.arguments.size() > 0);
    }
    CHECK(tools == std::vector<std::string>{"str_replace_editor", "terminal", "str_replace_editor",
                                            "str_replace_editor", "terminal", "finish"});
    // Written again, it has the same calls with their ids, and the same results, text for text.
    acta::HistoryMessagesOptions options;
    options.context = read.context;
    const acta::Json original = acta::Json::parse(text);
    const acta::Json again = acta::Json::parse(acta::dump(acta::to_openai_messages(read.history, options)));
    CHECK(rules::openai(again) == rules::Broken{});
    REQUIRE(again.size() == original.size());
    for (std::size_t i = 0; i < again.size(); ++i) {
        INFO("message " << i);
        CHECK(again[i]["role"] == original[i]["role"]);
        const bool says = original[i]["content"] != acta::Json("");
        CHECK(again[i]["content"] == (says ? original[i]["content"] : acta::Json(nullptr)));
        if (original[i].contains("tool_call_id")) {
            CHECK(again[i]["tool_call_id"] == original[i]["tool_call_id"]);
        }
        if (!original[i].contains("tool_calls")) continue;
        const acta::Json& before = original[i]["tool_calls"][0];
        const acta::Json& after = again[i]["tool_calls"][0];
        CHECK(after["id"] == before["id"]);
        CHECK(after["function"]["name"] == before["function"]["name"]);
        CHECK(acta::Json::parse(after["function"]["arguments"].get<std::string>()) ==
              acta::Json::parse(before["function"]["arguments"].get<std::string>()));
    }
    const auto anthropic = acta::to_anthropic_messages(read.history, options);
    CHECK(rules::anthropic(acta::Json::parse(acta::dump(anthropic))) == rules::Broken{});
    CHECK(acta::history_from_anthropic_messages(anthropic).history == read.history);
}

TEST_CASE("OpenHands' completion log is read: its messages and the message of the response") {
    const std::string text = content_of("openhands/completion_log.json");
    if (text.empty()) ACTA_SKIP("no shared data: openhands/completion_log.json");
    const acta::Json log = acta::Json::parse(text);
    const auto read =
        acta::history_from_openai_messages(acta::validate<std::vector<acta::OpenAIMessage>>(log.at("messages")));
    CHECK(read.history.empty());
    REQUIRE(read.context.size() == 2);
    CHECK(read.context[1].message.content == log["messages"][1]["content"][0]["text"].get<std::string>());
    for (const acta::Json& choice : log.at("response").at("choices")) {
        const auto proposal =
            acta::proposal_from_openai_message(acta::validate<acta::OpenAIAssistantMessage>(choice.at("message")));
        CHECK(proposal.thoughts == choice["message"]["content"].get<std::string>());
        CHECK(proposal.use_tool.name == "str_replace_editor");
        CHECK(proposal.use_tool.arguments.find("command")->second == acta::Json("create"));
        CHECK(proposal.raw_message->tool_calls->at(0).id == "toolu_01AaHKJphyeTw3GFp4Xgiekv");
    }
}

TEST_CASE("the calls in SWE-agent's trajectories are OpenAI's") {
    std::size_t calls = 0;
    for (const char* const name : {"swe-agent/function_calling_simple.traj", "swe-agent/marshmallow-1867.traj"}) {
        const std::string text = content_of(name);
        if (text.empty()) ACTA_SKIP("no shared data: swe-agent");
        const acta::Json trajectory = acta::Json::parse(text);
        for (const acta::Json& message : trajectory.at("history")) {
            if (message.at("role") != acta::Json("assistant") || !message.contains("tool_calls")) continue;
            const auto proposal =
                acta::proposal_from_openai_message(acta::validate<acta::OpenAIAssistantMessage>(message));
            CHECK(proposal.use_tool.name == message["tool_calls"][0]["function"]["name"].get<std::string>());
            ++calls;
        }
    }
    CHECK(calls > 0);
}
