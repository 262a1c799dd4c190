// SPDX-License-Identifier: MIT
#include "acta/skill/arguments_action.hpp"
#include "acta/base/stop_token.hpp"

#include <chrono>
#include <stdexcept>

#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/skill/declaration.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

namespace {

using acta::ArgumentsMode;
using acta::ArgumentsParsingAction;
using acta::ParsedArguments;
using acta::ScriptedChatModel;

acta::Skill search_skill() {
    acta::Skill skill;
    skill.name = "search";
    skill.description = "Looks for pages.";
    skill.parameters.emplace();
    skill.parameters->emplace("query", acta::Skill::Parameter{"string", "What.", {{"required", true}}});
    skill.parameters->emplace("limit", acta::Skill::Parameter{"integer", {}, {{"default", 3}}});
    skill.examples.push_back({"Look for tides", "search(query=\"tides\")"});
    return skill;
}

ArgumentsParsingAction asking(ArgumentsMode mode = ArgumentsMode::any) {
    return {.skill = search_skill(), .ask = "Two pages on tides", .mode = mode};
}

/// The arguments of a reply in a mode, or what is wrong with it.
std::string read(const std::string& reply, ArgumentsMode mode = ArgumentsMode::any) {
    acta::AssistantChatMessage message;
    message.content = reply;
    try {
        return acta::Json(acta::read_reply(search_skill(), message, mode)).dump();
    } catch (const acta::Error& error) {
        const std::string what = error.what();
        return what.substr(0, what.find('\n'));
    }
}

}  // namespace

TEST_CASE("arguments are read in whichever form they come") {
    const std::string good = R"({"query":"tides","limit":2})";
    CHECK(read("search(query='tides', limit=2)") == good);
    CHECK(read("Sure: `search('tides', 2)`.") == good);
    CHECK(read(R"({"query": "tides", "limit": 2})") == good);
    CHECK(read("```json\n{\"query\": \"tides\", \"limit\": 2}\n```") == good);
    CHECK(read("```json{\"query\": \"tides\", \"limit\": 2}```") == good);
    for (const std::string other : {"{\"query\": \"ports\"}", "search(query='ports')"}) {
        for (const std::string before : {"", "json", "json ", "```json", "```\n", "  "})
            CHECK(read(before + "{\"query\": \"tides\", \"limit\": 2} or " + other) == good);
    }
    CHECK(read("I say: {\"query\": \"tides\", \"limit\": 2} or search(query='ports')") == R"({"query":"ports"})");
    CHECK(read(R"(These {fit}: {"query": "tides", "limit": 2}.)") == good);
    CHECK(read(R"({"name": "search", "arguments": {"query": "tides", "limit": 2}})") == good);
    CHECK(read(R"({"name": "search", "arguments": "{\"query\": \"tides\", \"limit\": 2}"})") == good);
    CHECK(read(R"json({"query": "search(x=1)"})json") == R"json({"query":"search(x=1)"})json");
    // Of what is only called like a wrapper nothing is lost, for whoever says what is wrong with it.
    CHECK(read(R"({"name": "search", "arguments": 5})") == R"({"name":"search","arguments":5})");
    CHECK(read(R"({"name": "search", "arguments": [1], "args": {"query": "tides"}})") == R"({"query":"tides"})");
    CHECK(read("I cannot do that.") == "the reply does not call search");
    CHECK(read("") == "the reply does not call search");
    CHECK(read("search(query=tides)") == "'tides' is a name, not a literal at line 1, column 14");
    CHECK_THAT(read("{\"query\": }"), starts_with_text("the JSON object of the reply cannot be read: "));
    CHECK(read("{\"query\": ") == "the JSON object of the reply cannot be read: the JSON object is never closed");
}

TEST_CASE("nothing is read from inside of a call or an object that cannot be read") {
    CHECK(read(R"text(search(query=home, note='never call search(query="/")'))text") ==
          "'home' is a name, not a literal at line 1, column 14");
    CHECK(read(R"text(search(query=home, filter={"query": "/"}))text") ==
          "'home' is a name, not a literal at line 1, column 14");
    CHECK(read(R"text(search(query=home, note='{"query": "/"}'))text") ==
          "'home' is a name, not a literal at line 1, column 14");
    CHECK(read(R"text({"query": home, "note": "search(query='/')"})text").find("cannot be read") != std::string::npos);
    CHECK(read(R"text({"query": home, "note": "search(query='/')")text").find("never closed") != std::string::npos);
    const std::string good = R"({"query":"tides"})";
    CHECK(read(R"text(search(query=home) was wrong: {"query": "tides"})text") == good);
    CHECK(read(R"text({"query": home} was wrong: search(query='tides'))text") == good);
    CHECK(read(R"text(search(query=1 2, filter={"query": "/"}))text") == "a comma is missing at line 1, column 16");
    CHECK(read(R"text(search(query=1 2, filter={"query": "/"}) was wrong: {"query": "tides"})text") == good);
    CHECK(read(R"(Use {"query": "}"}.)") == R"({"query":"}"})");
    CHECK(read(R"(Use {"query": "\"}", "limit": {}}.)") == R"({"query":"\"}","limit":{}})");
}

TEST_CASE("a mode takes its form alone") {
    CHECK(read("search(query='x')", ArgumentsMode::json) ==
          "the reply has no JSON object with the arguments of search");
    CHECK(read(R"({"query": "x"})", ArgumentsMode::call_syntax) == "the reply does not call search");
    CHECK(read("search(query='x')", ArgumentsMode::tool_call) == "the reply has no tool call of search");
    acta::AssistantChatMessage message;
    message.tool_calls.emplace().push_back({"1", {"look", {}}});
    CHECK_THROWS_AS(acta::read_reply(search_skill(), message), acta::UnreadableReply);
    message.tool_calls->push_back({"2", {"search", {{"query", "x"}}}});
    CHECK(acta::read_reply(search_skill(), message).size() == 1);
    CHECK_THROWS_AS(acta::read_reply(search_skill(), message, ArgumentsMode::json), acta::UnreadableReply);
}

TEST_CASE("a hundred pieces of a reply are tried as objects, and no more") {
    below_at_above("objects of a reply that are tried as arguments", 100, [](std::size_t objects) {
        std::string reply;
        for (std::size_t i = 1; i < objects; ++i) reply += "{wrong} ";
        return read(reply + R"({"query": "x"})", ArgumentsMode::json) == R"({"query":"x"})";
    });
}

TEST_CASE("the model is asked in the words of the reference") {
    const ScriptedChatModel model{"search(query='tides', limit=2)"};
    const ParsedArguments parsed = asking().run(model);
    REQUIRE(parsed.arguments);
    CHECK(acta::Json(*parsed.arguments).dump() == R"({"query":"tides","limit":2})");
    CHECK(parsed.reply == "search(query='tides', limit=2)");
    CHECK(parsed.attempts.size() == 1);
    CHECK(!parsed.error);
    const auto request = model.requests().at(0);
    CHECK(request.messages ==
          std::vector<acta::ChatMessage>{
              acta::ChatMessage::system("You are a function parser."),
              acta::ChatMessage::system("You can convert spoken words into function parameters."),
              acta::ChatMessage::user(acta::arguments_prompt(search_skill(), "Two pages on tides"))});
    CHECK(request.options.tools.empty());
    STATIC_REQUIRE(std::same_as<acta::ArgumentsParingAction, ArgumentsParsingAction>);
}

TEST_CASE("a mode asks for its form with the skill's schema") {
    ScriptedChatModel model;
    model.reply_call("search", {{"query", "tides"}});
    model.reply("{\"query\": \"tides\"}");
    const ParsedArguments native = asking(ArgumentsMode::tool_call).run(model);
    const ParsedArguments json = asking(ArgumentsMode::json).run(model);
    CHECK(native.arguments == json.arguments);
    CHECK(native.reply == "search(query='tides')");
    const auto requests = model.requests();
    REQUIRE(requests[0].options.tools.size() == 1);
    CHECK(requests[0].options.tools[0] == acta::tool_definition(search_skill()));
    CHECK(requests[0].options.tool_choice == acta::ToolChoice::required);
    CHECK(*requests[1].options.response_schema == acta::Json(acta::call_schema(search_skill())));
    CHECK_THAT(requests[1].messages.back().content, contains_text(R"("required":["query"])"));
}

TEST_CASE("everything that is said can be replaced") {
    const ScriptedChatModel model{"?", "search()"};
    ArgumentsParsingAction action = asking();
    action.system_messages = {"Be brief."};
    action.make_prompt = [](const acta::Skill& skill, std::string_view ask) {
        return skill.name + "? " + std::string(ask);
    };
    action.make_retry_prompt = [](const acta::Skill&, std::string_view error) { return "No: " + std::string(error); };
    CHECK(action.run(model).arguments);
    const auto messages = model.requests().at(1).messages;
    CHECK(messages == std::vector<acta::ChatMessage>{acta::ChatMessage::system("Be brief."),
                                                     acta::ChatMessage::user("search? Two pages on tides"),
                                                     acta::ChatMessage::assistant("?"),
                                                     acta::ChatMessage::user("No: the reply does not call search")});
}

TEST_CASE("the model is asked again with the error, so often and no more") {
    ScriptedChatModel model{"search(query=tides)", "Sorry!", "search(query='tides')"};
    const ParsedArguments parsed = asking().run(model);
    REQUIRE(parsed.arguments);
    REQUIRE(parsed.attempts.size() == 3);
    CHECK(parsed.attempts[0].error->exception_type == "CallSyntaxError");
    CHECK(parsed.attempts[1].error->exception_type == "UnreadableReply");
    CHECK(parsed.attempts[1].message.content == "Sorry!");
    CHECK(!parsed.attempts[2].error);
    CHECK(model.requests()[1].messages.size() == 5);
    CHECK_THAT(model.requests()[1].messages.back().content,
               starts_with_text("That could not be used: 'tides' is a name, not a literal at line 1, column 14"));

    model.reply("a").reply("b").reply("c").reply("d");
    const ParsedArguments failed = asking().run(model);
    CHECK(!failed.arguments);
    CHECK(failed.attempts.size() == 3);
    CHECK(failed.reply == "c");
    CHECK(failed.error->message == "the reply does not call search");
    CHECK(model.remaining() == 1);
    ArgumentsParsingAction once = asking();
    once.max_attempts = 0;
    CHECK(once.run(model).attempts.size() == 1);
}

TEST_CASE("the model is asked again for the form of the mode") {
    const auto asked_for = [](ArgumentsMode mode) {
        ScriptedChatModel model{"?", "?", "?"};
        static_cast<void>(asking(mode).run(model));
        const std::string text = model.requests().at(1).messages.back().content;
        return text.substr(text.find('\n'));
    };
    CHECK(asked_for(ArgumentsMode::any) == "\nAnswer again, with the call of `search` alone.");
    CHECK(asked_for(ArgumentsMode::call_syntax) == "\nAnswer again, with the call of `search` alone.");
    CHECK(asked_for(ArgumentsMode::json) == "\nAnswer again, with the JSON object alone.");
    CHECK(asked_for(ArgumentsMode::tool_call) == "\nAnswer again, with a call of the function `search`.");
}

TEST_CASE("an observer gets how often the model was asked") {
    class Asked : public acta::Observer {
    public:
        void on_event(const acta::Event& event) override {
            if (event.name != acta::event_names::ask) return;
            for (const acta::EventField& field : event.fields)
                if (field.name == "attempts") attempts = std::get<std::int64_t>(field.value);
            failed = event.failed;
        }
        std::int64_t attempts = 0;
        bool failed = false;
    };
    Asked observer;
    ArgumentsParsingAction action = asking();
    action.observer = &observer;
    CHECK(action.run(ScriptedChatModel{"?", "search(query='tides')"}).arguments);
    CHECK(observer.attempts == 2);
    CHECK_FALSE(observer.failed);
    CHECK_FALSE(action.run(ScriptedChatModel{"?", "?", "?"}).arguments);
    CHECK(observer.attempts == 3);
    CHECK(observer.failed);
}

TEST_CASE("arguments that the function does not take are asked for again") {
    acta::SkillRegistry skills;
    skills.add(
        "search", "", [](const std::string& query, int limit) { return query + std::to_string(limit); }, "query",
        acta::param("limit", "", 3));
    ScriptedChatModel model{"search(query='tides', limit='two')", "search(query='tides', limit='2')"};
    const ParsedArguments parsed = asking().run(model, skills);
    REQUIRE(parsed.arguments);
    CHECK(parsed.attempts[0].error->exception_type == "InvalidArguments");
    CHECK(to_string(acta::SkillAction{search_skill(), *parsed.arguments}.run(skills)) == "tides2");

    ArgumentsParsingAction action = asking();
    action.check = [](const acta::JsonObject& arguments) {
        if (arguments.count("limit") == 0) throw std::invalid_argument("no limit");
    };
    model.reply("search('x')").reply("search('x', 1)");
    CHECK(action.run(model).attempts.at(0).error->message == "no limit");
    CHECK(asking().run(model, acta::SkillRegistry()).error->exception_type == "SkillNotFound");
}

TEST_CASE("a model that fails ends the asking, and what it threw is in the result") {
    ScriptedChatModel model;
    model.fail(std::runtime_error("no network"));
    const ParsedArguments parsed = asking().run(model);
    CHECK(!parsed.arguments);
    CHECK(parsed.attempts.size() == 1);
    CHECK(parsed.error->message == "no network");

    ArgumentsParsingAction late = asking();
    late.options.until.deadline = std::chrono::steady_clock::now();
    CHECK(late.run(model).error->exception_type == "Timeout");
    acta::stop_source stop;
    stop.request_stop();
    ArgumentsParsingAction stopped = asking();
    stopped.options.until.stop = stop.get_token();
    CHECK(stopped.run(model).error->exception_type == "Cancelled");
}

TEST_CASE("any model will do, a temporary one too") {
    const ParsedArguments parsed = asking().run([](std::span<const acta::ChatMessage>, const acta::ChatOptions&) {
        acta::ChatCompletion completion;
        completion.message.content = "search('x')";
        completion.usage = acta::TokenUsage{5, 2};
        return completion;
    });
    CHECK(parsed.arguments);
    CHECK(parsed.attempts[0].usage->prompt_tokens == 5);
}
