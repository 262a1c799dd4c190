// SPDX-License-Identifier: MIT
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"
#include "support/messages_rules.hpp"
#include "support/paths.hpp"

// Runs in which the assistant talks with a user between its calls: read as a history and written again, a list is the
// list that was read, message for message. The original is compared, not what acta reads from its own list.
namespace {

using acta::Json;
using Run = acta::EpisodicActionHistory<>;

/// A message as far as the API cares: no nulls, no empty text beside calls, the arguments of calls as values, and keys
/// in any order.
std::string canonical(const Json& message) {
    nlohmann::json out = nlohmann::json::parse(message.dump());
    if (out.contains("tool_calls") && out["content"] == "") out["content"] = nullptr;
    for (const char* const key : {"content", "tool_calls", "function_call"}) {
        if (out.contains(key) && out[key].is_null()) out.erase(key);
    }
    if (!out.contains("tool_calls")) return out.dump();
    for (auto& call : out["tool_calls"])
        call["function"]["arguments"] = nlohmann::json::parse(call["function"]["arguments"].get<std::string>());
    return out.dump();
}

/// Reads a list of OpenAI's messages, writes it and compares both, message for message.
Run check_openai(const Json& original) {
    Run read = acta::history_from_messages(acta::openai::from_wire(original));
    const Json again(acta::openai::to_wire(acta::to_messages(read)));
    CHECK(rules::openai(again) == rules::Broken{});
    REQUIRE(again.size() == original.size());
    for (std::size_t i = 0; i < original.size(); ++i) {
        INFO("message " << i);
        CHECK(canonical(again[i]) == canonical(original[i]));
    }
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
    {"role": "tool", "tool_call_id": "call_a",
        "content": "{\"name\": \"Mia\", \"reservations\": [\"NO6JO3\"]}"},
    {"role": "assistant", "content": "Is it NO6JO3?"},
    {"role": "assistant", "content": "It leaves tomorrow."},
    {"role": "user", "content": "Result of the step as a"},
    {"role": "user", "content": [{"type": "text", "text": "Yes."}, {"type": "image_url", "image_url":
        {"url": "https://example.org/ticket.png", "detail": "low"}}]},
    {"role": "assistant", "content": "One moment.", "reasoning_content": "Two at once.", "tool_calls": [
        {"id": "call_b", "type": "function",
            "function": {"name": "cancel", "arguments": "{\"reservation_id\": \"NO6JO3\"}"}},
        {"id": "call_c", "type": "function", "function": {"name": "refund", "arguments": "{\"amount\": 80.5}"}}]},
    {"role": "tool", "tool_call_id": "call_b", "content": "Error: too late"},
    {"role": "tool", "tool_call_id": "call_c", "content": "80.5"},
    {"role": "assistant", "content": "It is too late to cancel.\nYou got a refund."},
    {"role": "user", "content": "The action did not finish; it has no result."},
    {"role": "assistant", "content": "Can I do anything else?"},
    {"role": "user", "content": "###STOP###"}])";

}  // namespace

TEST_CASE("a conversation between calls is written as it was read") {
    const Run read = check_openai(Json::parse(airline));
    REQUIRE(read.size() == 2);
    CHECK(read[0].action.use_tool.name == "get_user_details");
    CHECK(read[1].tool_results.size() == 2);
    CHECK(acta::is_success(*read[1].result));
    CHECK(read.cursor() == 2);
    CHECK(read.pending_feedback().empty());
    REQUIRE(read.messages().size() == 12);
    using acta::ChatMessage;
    CHECK(read.messages()[2] == acta::ConversationMessage{0, ChatMessage::assistant("Gladly. What is your user id?")});
    CHECK(read.messages()[4] == acta::ConversationMessage{1, ChatMessage::assistant("Is it NO6JO3?")});
    CHECK(read.messages()[10] == acta::ConversationMessage{2, ChatMessage::assistant("Can I do anything else?")});
    CHECK(acta::parse<Run>(acta::dump(read)) == read);
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

TEST_CASE("a conversation of OpenAI's can be sent to Anthropic, and comes back as the same history") {
    const Run read = check_openai(Json::parse(airline));
    const Json request(acta::anthropic::to_wire(acta::to_messages(read)));
    CHECK(rules::anthropic(request) == rules::Broken{});
    const Run back = acta::history_from_messages(acta::anthropic::from_wire(request));
    REQUIRE(back.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(back[i].result == read[i].result);
        CHECK(std::ranges::equal(back[i].action.get_tools(), read[i].action.get_tools()));
    }
    const std::string sent = request.dump();
    for (const auto& said : read.messages()) {
        INFO(said.message.content);
        CHECK_THAT(sent, contains_text(
                             acta::dump(said.message.content.substr(0, said.message.content.find('\n'))).substr(1, 4)));
    }
    CHECK_THAT(sent,
               contains_text(R"({"type":"image","source":{"type":"url","url":"https://example.org/ticket.png"}})"));
}

TEST_CASE("a conversation of Anthropic's is written as it was read") {
    const std::string original = Json::parse(R"({"system":"Be brief.","messages":[
        {"role":"user","content":"Cancel my flight."},
        {"role":"assistant","content":[{"type":"thinking","thinking":"Which?","signature":"c2ln"},
            {"type":"text","text":"Which one?"}]},
        {"role":"user","content":[{"type":"text","text":"NO6JO3"},{"type":"text","text":"please"}]},
        {"role":"assistant","content":[{"type":"redacted_thinking","data":"AAAA"},
            {"type":"tool_use","id":"t1","name":"cancel","input":{"id":"NO6JO3"}}]},
        {"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"too late","is_error":true},
            {"type":"text","text":"Well?"}]},
        {"role":"assistant","content":"It is too late."},
        {"role":"user","content":"Bye."}]})")
                                     .dump();
    const Run read = acta::history_from_messages(acta::anthropic::from_wire(Json::parse(original)));
    CHECK(read.size() == 1);
    CHECK(std::get<acta::ActionErrorResult>(*read[0].result).reason == "too late");
    CHECK(read.messages().size() == 7);
    const Json again(acta::anthropic::to_wire(acta::to_messages(read)));
    CHECK(rules::anthropic(again) == rules::Broken{});
    CHECK(again.dump() == original);
    CHECK(acta::parse<Run>(acta::dump(read)) == read);
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
    // What frameworks add to the message of a tool is no part of the result.
    const auto drop_names = [](Json& messages) {
        for (Json& message : messages) {
            if (message.at("role") != Json("tool")) continue;
            Json kept = acta::JsonObject();
            for (const char* const key : {"role", "content", "tool_call_id"}) kept[key] = message.at(key);
            message = std::move(kept);
        }
    };
    std::size_t lists = 0;
    if (Json messages = shared_data("openhands/function_calling_messages.json"); !messages.is_null()) {
        drop_names(messages);
        CHECK(check_openai(messages).size() == 6);
        ++lists;
    }
    if (const Json log = shared_data("openhands/completion_log.json"); !log.is_null()) {
        CHECK(lvalue(check_openai(log.at("messages"))).messages().size() == 2);
        ++lists;
    }
    for (const char* const name : {"swe-agent/function_calling_simple.traj", "swe-agent/marshmallow-1867.traj"}) {
        Json run = shared_data(name);
        if (run.is_null()) continue;
        for (Json& message : run.at("history")) {  // SWE-agent has another name for the call that a tool answers
            if (message.contains("tool_call_ids")) message["tool_call_id"] = message["tool_call_ids"].at(0);
        }
        make_ids_distinct(run["history"]);
        drop_names(run["history"]);
        CHECK(check_openai(run["history"]).size() > 3);
        ++lists;
    }
    if (lists == 0) ACTA_SKIP("no shared data");
}
