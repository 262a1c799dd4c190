// SPDX-License-Identifier: MIT
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "acta/interop/anthropic/history.hpp"
#include "acta/interop/openai/history.hpp"
#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/messages_rules.hpp"
#include "support/paths.hpp"

// Runs in which the assistant talks with a user between its calls: written again, a list is the list that was read,
// message for message. The original is compared, not what acta reads from its own list.
namespace {

using acta::Json;

/// A message as far as the API cares: no nulls, the arguments of calls as values, no empty text beside calls, and none
/// of the members that frameworks add.
Json canonical(const Json& message) {
    Json out = acta::JsonObject();
    out["role"] = message.at("role");
    const bool calls = message.contains("tool_calls") && !message["tool_calls"].is_null();
    const bool says = message.contains("content") && !message["content"].is_null() && message["content"] != Json("");
    if (says || !calls) out["content"] = says ? message["content"] : Json("");
    if (calls) {
        Json list = acta::JsonArray();
        for (const Json& call : message["tool_calls"]) {
            Json one = acta::JsonObject();
            one["id"] = call.at("id");
            one["name"] = call.at("function").at("name");
            one["arguments"] = Json::parse(call["function"].at("arguments").get<std::string>());
            list.push_back(std::move(one));
        }
        out["tool_calls"] = std::move(list);
    }
    if (message.contains("tool_call_id")) out["tool_call_id"] = message["tool_call_id"];
    return out;
}

/// Reads a list of OpenAI's messages, writes it and compares both, message for message.
acta::MessageHistory<> check_openai(const Json& original) {
    const auto read = acta::history_from_openai_messages(acta::validate<std::vector<acta::OpenAIMessage>>(original));
    acta::HistoryMessagesOptions options;
    options.context = read.context;
    const Json again = acta::to_json_value(acta::to_openai_messages(read.history, options));
    CHECK(rules::openai(again) == rules::Broken{});
    REQUIRE(again.size() == original.size());
    for (std::size_t i = 0; i < original.size(); ++i) {
        INFO("message " << i);
        CHECK(canonical(again[i]).dump() == canonical(original[i]).dump());
    }
    return read;
}

/// The same of a request of Anthropic's, whose texts are all blocks.
acta::MessageHistory<> check_anthropic(const std::string& original) {
    const auto read = acta::history_from_anthropic_messages(acta::parse<acta::AnthropicMessages>(original));
    acta::HistoryMessagesOptions options;
    options.context = read.context;
    const auto again = acta::to_anthropic_messages(read.history, options);
    CHECK(rules::anthropic(acta::to_json_value(again)) == rules::Broken{});
    CHECK(acta::dump(again) == Json::parse(original).dump());
    return read;
}

Json shared_data(const std::string& name) {
    const std::ifstream file(paths::shared_data(name), std::ios::binary);
    std::ostringstream text;
    text << file.rdbuf();
    return text.str().empty() ? Json() : Json::parse(text.str());
}

const char* const airline = R"([
    {"role": "system", "content": "You are an airline agent. Ask before you change a booking."},
    {"role": "user", "content": "Hi! I'd like to cancel my flight."},
    {"role": "assistant", "content": "Gladly. What is your user id?", "tool_calls": null, "function_call": null},
    {"role": "user", "content": "mia_li_3668"},
    {"role": "assistant", "content": null, "tool_calls": [{"id": "call_a", "type": "function",
        "function": {"name": "get_user_details", "arguments": "{\"user_id\": \"mia_li_3668\"}"}}]},
    {"role": "tool", "tool_call_id": "call_a", "name": "get_user_details",
        "content": "{\"name\": \"Mia\", \"reservations\": [\"NO6JO3\"]}"},
    {"role": "assistant", "content": "Is it NO6JO3?"},
    {"role": "assistant", "content": "It leaves tomorrow."},
    {"role": "user", "content": "Result of the step as a"},
    {"role": "user", "content": "Yes."},
    {"role": "assistant", "content": "One moment.", "tool_calls": [
        {"id": "call_b", "type": "function",
            "function": {"name": "cancel", "arguments": "{\"reservation_id\": \"NO6JO3\"}"}},
        {"id": "call_c", "type": "function", "function": {"name": "refund", "arguments": "{\"amount\": 80.5}"}}]},
    {"role": "tool", "tool_call_id": "call_b", "name": "cancel", "content": "Error: too late"},
    {"role": "tool", "tool_call_id": "call_c", "name": "refund", "content": "80.5"},
    {"role": "assistant", "content": "It is too late to cancel.\nYou got a refund."},
    {"role": "user", "content": "The action did not finish; it has no result."},
    {"role": "assistant", "content": "Can I do anything else?"},
    {"role": "user", "content": "###STOP###"}])";

}  // namespace

TEST_CASE("a conversation between calls is written as it was read") {
    const acta::MessageHistory<> read = check_openai(Json::parse(airline));
    REQUIRE(read.history.size() == 2);
    CHECK(read.history[0].action.use_tool.name == "get_user_details");
    CHECK(read.history[1].tool_results.size() == 2);
    CHECK(acta::is_success(*read.history[1].result));
    CHECK(read.history.cursor() == 2);
    REQUIRE(read.context.size() == 11);
    CHECK(read.context[2] == acta::ContextMessage{0, acta::ChatMessage::assistant("Gladly. What is your user id?")});
    CHECK(read.context[4] == acta::ContextMessage{1, acta::ChatMessage::assistant("Is it NO6JO3?")});
    CHECK(read.context[10] == acta::ContextMessage{2, acta::ChatMessage::assistant("Can I do anything else?")});
    REQUIRE(read.history.pending_feedback().size() == 1);
    CHECK(read.history.pending_feedback()[0] == "###STOP###");
}

TEST_CASE("a conversation stays one wherever it is cut") {
    const Json whole = Json::parse(airline);
    for (const std::size_t length : {2U, 3U, 4U, 6U, 7U, 8U, 10U, 13U, 14U, 16U}) {
        INFO("the first " << length);
        Json part = acta::JsonArray();
        for (std::size_t i = 0; i < length; ++i) part.push_back(whole[i]);
        static_cast<void>(check_openai(part));
    }
}

TEST_CASE("a conversation without any call is context alone") {
    const acta::MessageHistory<> read = check_openai(Json::parse(
        R"([{"role":"user","content":"Hi"},{"role":"assistant","content":"Hello."},{"role":"user","content":"Bye"}])"));
    CHECK(read.history.empty());
    CHECK(read.context.size() == 3);
}

TEST_CASE("answers of Anthropic's assistant without a call are written as they were read") {
    const acta::MessageHistory<> read = check_anthropic(R"({"system":"Be brief.","messages":[
        {"role":"user","content":[{"type":"text","text":"Cancel my flight."}]},
        {"role":"assistant","content":[{"type":"thinking","thinking":"Which?","signature":"c2ln"},
            {"type":"text","text":"Which one?"}]},
        {"role":"user","content":[{"type":"text","text":"NO6JO3"},{"type":"text","text":"please"}]},
        {"role":"assistant","content":[{"type":"tool_use","id":"t1","name":"cancel","input":{"id":"NO6JO3"}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"too late","is_error":true},
            {"type":"text","text":"Well?"}]},
        {"role":"assistant","content":[{"type":"text","text":"It is too late."}]},
        {"role":"user","content":[{"type":"text","text":"Bye."}]}]})");
    CHECK(read.history.size() == 1);
    CHECK(read.context.size() == 7);
}

TEST_CASE("an answer without a call and the message after it are one for Anthropic, as its API has it") {
    acta::EpisodicActionHistory<> history;
    history.register_action({.thoughts = "Let me look.", .use_tool = {"look", {}}});
    acta::HistoryMessagesOptions options;
    options.context = {{0, acta::ChatMessage::user("Hi")}, {0, acta::ChatMessage::assistant("Hello.")}};
    const Json request = acta::to_json_value(acta::to_anthropic_messages(history, options));
    CHECK(rules::anthropic(request) == rules::Broken{});
    CHECK(request["messages"][1].dump() ==
          R"({"role":"assistant","content":[{"type":"text","text":"Hello.\n\nLet me look."},)"
          R"({"type":"tool_use","id":"call_0","name":"look","input":{}}]})");
}

TEST_CASE("a step that neither calls anything nor has a result is its text alone") {
    acta::EpisodicActionHistory<> history;
    history.register_action({.thoughts = "What is your user id?", .use_tool = {}});
    history.append_user_feedback("mia_li_3668");
    CHECK(acta::dump(acta::to_openai_messages(history)) ==
          R"([{"role":"assistant","content":"What is your user id?"},{"role":"user","content":"mia_li_3668"}])");
    history.register_result(acta::ActionSuccessResult{.outputs = "asked"});
    const auto messages = acta::to_openai_messages(history);
    REQUIRE(messages.size() == 3);
    CHECK(acta::history_from_openai_messages(messages).history[0].result == history[0].result);
}

TEST_CASE("real lists of messages are written as they were read") {
    // An id that a model repeats in a later step is written with a number, so that each call has one result.
    const auto make_ids_distinct = [](Json& messages) {
        std::map<std::string, int> seen;
        const auto numbered = [&seen](const std::string& id) {
            return seen[id] < 2 ? id : id + "_" + std::to_string(seen[id]);
        };
        for (Json& message : messages) {
            if (message.contains("tool_calls") && message["tool_calls"].is_array()) {
                for (Json& call : message["tool_calls"]) {
                    const auto id = call["id"].get<std::string>();
                    ++seen[id];
                    call["id"] = numbered(id);
                }
            }
            if (message.contains("tool_call_id")) message["tool_call_id"] = numbered(message["tool_call_id"]);
        }
    };
    std::size_t lists = 0;
    if (const Json messages = shared_data("openhands/function_calling_messages.json"); !messages.is_null()) {
        CHECK(check_openai(messages).history.size() == 6);
        ++lists;
    }
    if (const Json log = shared_data("openhands/completion_log.json"); !log.is_null()) {
        CHECK(check_openai(log.at("messages")).context.size() == 2);
        ++lists;
    }
    for (const char* const name : {"swe-agent/function_calling_simple.traj", "swe-agent/marshmallow-1867.traj"}) {
        Json run = shared_data(name);
        if (run.is_null()) continue;
        for (Json& message : run.at("history")) {  // SWE-agent has another name for the call that a tool answers
            if (message.contains("tool_call_ids")) message["tool_call_id"] = message["tool_call_ids"].at(0);
        }
        make_ids_distinct(run["history"]);
        CHECK(check_openai(run["history"]).history.size() > 3);
        ++lists;
    }
    if (lists == 0) ACTA_SKIP("no shared data");
}
