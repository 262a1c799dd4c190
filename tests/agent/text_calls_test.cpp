// SPDX-License-Identifier: MIT
#include <cstddef>
#include <cstdint>
#include <random>
#include <string>
#include <utility>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "agent/driver.hpp"
#include "support/catch.hpp"
#include "support/steps.hpp"

// Models without native calls.
namespace {

using acta::ChatMessage;
using acta::RunEnd;
using acta::RunOptions;
using acta::ScriptedChatModel;
using History = acta::EpisodicActionHistory<>;

acta::SkillRegistry search_skills() {
    acta::SkillRegistry skills;
    skills.add(
        "search", "Looks for pages.",
        [](const std::string& query, int limit) { return query + " " + std::to_string(limit); },
        acta::param("query", "What to look for."), acta::param("limit", "How many.", 10));
    return skills;
}

const RunOptions in_text{.instructions = "Be brief.", .native_calls = false};

}  // namespace

TEST_CASE("a model without native calls is told of the tools and calls them in its text") {
    const ScriptedChatModel model{"I will look.\n```python\nsearch('tides', limit=3)\n```", "At noon."};
    History history = asked_to("Find the tides.");
    const acta::RunResult run = driven::run_agent(model, search_skills(), history, in_text);
    CHECK(run.answer == "At noon.");
    REQUIRE(history.size() == 1);
    CHECK(acta::to_string(history[0].action.use_tool) == "search(query='tides', limit=3)");
    CHECK(acta::to_string(*history[0].result) == "tides 3");
    const std::vector<acta::ChatRequest> requests = model.requests();
    CHECK(requests[0].options.tools.empty());
    const std::string& told = requests[0].messages.front().content;
    CHECK_THAT(told, starts_with_text("Be brief.\n\nYou have tools."));
    CHECK_THAT(told, contains_text("`search`: Looks for pages."));
    CHECK_THAT(told, contains_text(R"("query":{)"));
    // The result is what the user says.
    for (const ChatMessage& message : requests[1].messages) {
        CHECK(message.tool_calls.empty());
        CHECK(message.role != acta::ChatRole::tool);
    }
    CHECK(requests[1].messages.back().role == acta::ChatRole::user);
    CHECK_THAT(requests[1].messages.back().content, contains_text("tides 3"));
}

TEST_CASE("several calls in a text are one step") {
    const ScriptedChatModel model{"[search(query='a'), search(query='b', limit=1)]", "Both."};
    History history = asked_to("Find the tides.");
    CHECK(driven::run_agent(model, search_skills(), history, in_text).answer == "Both.");
    REQUIRE(history[0].tool_results.size() == 2);
    CHECK(acta::to_string(history[0].tool_results[1].result) == "b 1");
}

TEST_CASE("a call in a text that cannot be read is answered with what is wrong") {
    const ScriptedChatModel model{"search(query=tides)", "search(1, 2, 3)", "search(query='tides')", "Done."};
    History history = asked_to("Find the tides.");
    const acta::RunResult run = driven::run_agent(model, search_skills(), history, in_text);
    CHECK(run.answer == "Done.");
    CHECK(run.requests == 4);
    CHECK(history.size() == 1);
    const std::vector<acta::ChatRequest> requests = model.requests();
    CHECK(requests[1].messages[2] == ChatMessage::assistant("search(query=tides)"));
    CHECK_THAT(requests[1].messages[3].content,
               starts_with_text("The call cannot be read: 'tides' is a name, not a literal"));
    CHECK_THAT(requests[2].messages.back().content, contains_text("the skill takes only 2 arguments"));
}

TEST_CASE("a step has the tokens of the answers before it whose calls could not be read") {
    const auto answer = [](std::string text, std::int64_t tokens) {
        acta::ChatCompletion out;
        out.message.content = std::move(text);
        out.usage = acta::TokenUsage{.prompt_tokens = tokens, .completion_tokens = 1};
        return out;
    };
    ScriptedChatModel model;
    model.reply(answer("search(query=tides)", 10)).reply(answer("", 200)).reply(answer("search(query='tides')", 3000));
    model.reply("Done.");
    History history = asked_to("Find the tides.");
    CHECK(driven::run_agent(model, search_skills(), history, in_text).answer == "Done.");
    REQUIRE(history[0].metrics);
    CHECK(history[0].metrics->prompt_tokens == 3210);
    CHECK(history[0].metrics->completion_tokens == 3);
}

TEST_CASE("text that calls no tool is the answer") {
    const ScriptedChatModel model{"Use print(x) for that."};
    History history = asked_to("Find the tides.");
    CHECK(driven::run_agent(model, search_skills(), history, in_text).answer == "Use print(x) for that.");
}

TEST_CASE("a call that the prose of a model without native calls only mentions does not run") {
    const std::vector<std::string> answers{"I used `search(query='tides')` and found nothing.",
                                           "With search(query='tides') I found that high water is at noon.",
                                           "The call was: search(query='tides')",
                                           "search(query='tides') found nothing.",
                                           "search(query='a') and search(query='b') found nothing.",
                                           "I would need search(query=tides) for that."};
    for (const std::string& answer : answers) {
        INFO(answer);
        const ScriptedChatModel model{answer, "Done."};
        History history = asked_to("Find the tides.");
        CHECK(driven::run_agent(model, search_skills(), history, in_text).answer == answer);
        CHECK(history.empty());
    }
}

TEST_CASE("a call of a model without native calls runs where it stands alone") {
    const std::vector<std::pair<std::string, std::size_t>> answers{
        {"search(query='tides')", 1},
        {"I will look.\n\n  search(query='tides')  \n", 1},
        {"I will look:\n`search(query='tides')`", 1},
        {"- search(query='a')\n- search(query='b')", 2},
        {"[search(query='a'),\n search(query='b')]", 2},
        {"search(query='a'), search(query='b')", 2},
        {"```\nI try search(query='tides') now\n```", 1},
        {"x = search(query='tides')", 1},
        {"print(default_api.search(query='tides'))", 1},
        {"<tool_call>search(query='tides')</tool_call>", 1},
        {"search(\n    query='''high\n\nwater''',\n    limit=3\n)", 1},
        {"I used search(query='before') before.\nsearch(query='now')", 1},
        {"```\nsearch(query='a')\n``` ```\nThen search(query='b') found nothing.", 1}};
    for (const auto& [text, count] : answers) {
        INFO(text);
        const ScriptedChatModel model{text, "Done."};
        History history = asked_to("Find the tides.");
        CHECK(driven::run_agent(model, search_skills(), history, in_text).answer == "Done.");
        REQUIRE(history.size() == 1);
        CHECK(acta::get_tools(history[0].action).size() == count);
    }
}

TEST_CASE("the calls of a text run that are alone on their lines or in a code block, and no others") {
    std::mt19937 random(1);
    for (int round = 0; round < 200; ++round) {
        std::string text;
        std::vector<std::int64_t> runs;
        bool in_block = false;
        int n = 100;
        const auto call = [&](bool is_meant) {
            if (is_meant || in_block) runs.push_back(++n);
            const std::string number = std::to_string(is_meant || in_block ? n : 1);
            return n % 2 == 0 ? "search('tides', " + number + ")" : "search(limit=" + number + ", query='tides')";
        };
        for (std::size_t lines = 1 + random() % 7; lines != 0; --lines) {
            switch (random() % 9) {
                case 0: text += "I look (at it)."; break;
                case 1: text += "I used " + call(false) + " before."; break;
                case 2: text += call(false) + " is good."; break;
                case 3: text += " - " + call(true) + " "; break;
                case 4: text += "x = print(functions." + call(true) + ")"; break;
                case 5: {
                    const std::string first = call(true);
                    text += first + ", " + call(true);
                    break;
                }
                case 6: text += in_block ? "" : "```" + call(true) + "```"; break;
                case 7: text += "<b>" + call(true) + "</b>"; break;
                default: text += "```", in_block = !in_block; break;
            }
            if (lines != 1) text += "\n";
        }
        INFO(text);
        const ScriptedChatModel model{text, "Done."};
        History history = asked_to("Find the tides.");
        CHECK(driven::run_agent(model, search_skills(), history, in_text).answer ==
              (runs.empty() && text != "" ? text : "Done."));
        std::vector<std::int64_t> ran;
        if (!history.empty())
            for (const acta::AssistantFunctionCall& one : acta::get_tools(history[0].action))
                ran.push_back(one.arguments.at("limit").get<std::int64_t>());
        CHECK(ran == runs);
    }
}

TEST_CASE("a call that is meant but unreadable is answered with the reason, beside calls that are mentioned") {
    const ScriptedChatModel model{"I used search(query='a') before.\nsearch(query=b)", "Done."};
    History history = asked_to("Find the tides.");
    CHECK(driven::run_agent(model, search_skills(), history, in_text).answer == "Done.");
    CHECK(history.empty());
    CHECK_THAT(model.requests().back().messages.back().content, starts_with_text("The call cannot be read:"));
}

TEST_CASE("the requests of a long run in text have messages of the system at the beginning only") {
    acta::SkillRegistry skills;
    skills.add(
        "out", "O.", [](int i) { return std::string(1500, static_cast<char>('a' + i % 26)); }, acta::param("i"));
    int n = 0;
    int late = 0;
    const acta::AnyChatModel model = [&](std::span<const ChatMessage> messages, const acta::ChatOptions&) {
        for (std::size_t i = 1; i < messages.size(); ++i) late += messages[i].role == acta::ChatRole::system ? 1 : 0;
        acta::ChatCompletion out;
        out.message.content = n < 30 ? "out(i=" + std::to_string(n) + ")" : "Done.";
        ++n;
        return out;
    };
    History history = asked_to("Find the tides.");
    acta::RunOptions options = in_text;
    options.limits.requests = 60;
    CHECK(driven::run_agent(model, skills, history, options).answer == "Done.");
    CHECK(n == 31);
    CHECK(late == 0);
}
