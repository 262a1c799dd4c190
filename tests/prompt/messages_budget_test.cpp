// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/prompt/detail/step_text.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/provider/anthropic/wire.hpp"
#include "acta/provider/openai/wire.hpp"
#include "prompt/prompts.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/messages_random.hpp"
#include "support/messages_rules.hpp"
#include "support/sizes.hpp"

// A history as messages, within budgets.
namespace {

using acta::ChatMessage;
using acta::ChatRole;
using Messages = std::vector<ChatMessage>;
using Run = acta::EpisodicActionHistory<>;

Messages within(const Run& run, acta::PromptOptions budget) {
    return acta::to_messages(run, {.budget = std::move(budget)});
}

std::size_t tokens_of(const Messages& messages) {
    const acta::AnyTokenCounter count;
    std::size_t tokens = 0;
    for (const ChatMessage& message : messages) tokens += count(acta::dump(message));
    return tokens;
}

bool keeps_rules(const Messages& messages) {
    return rules::openai(acta::Json(acta::openai::to_wire(messages))).empty() &&
           rules::anthropic(acta::Json(acta::anthropic::to_wire(messages))).empty();
}

/// `* Step 4: ...` of all lines, in order.
std::string said(const Messages& messages) {
    std::string out;
    for (const ChatMessage& message : messages)
        out += std::string(acta::to_string(message.role)) + ": " + message.content + "\n";
    return out;
}

/// A text of so many characters.
std::string text_of(std::size_t characters) {
    std::string out;
    while (out.size() < characters) out += "The tide is low at noon. ";
    out.resize(characters);
    return out;
}

/// A step with so many characters in its argument and its output.
void add(Run& run, std::size_t argument, std::size_t output) {
    acta::ActionProposal<> proposal;
    proposal.thoughts = "Thought " + std::to_string(run.size() + 1) + ".";
    proposal.use_tool = {"write", {{"path", "a.txt"}, {"content", text_of(argument)}}};
    run.register_action(std::move(proposal));
    run.register_result(acta::ActionSuccessResult{.outputs = text_of(output)});
}

Run task() {
    Run run;
    run.register_message(ChatMessage::system("You are an agent."));
    run.register_message(ChatMessage::user("Write the file."));
    return run;
}

}  // namespace

TEST_CASE("60 steps with arguments of 20 KB, most of them summarised, fit into 32 000 tokens") {
    Run run = task();
    for (std::size_t i = 0; i < 60; ++i) add(run, 20000, 100);
    for (std::size_t i = 0; i < 56; ++i)
        run.set_summary(run.id(i), "Wrote the file for the " + std::to_string(i + 1) + ". time.");
    CHECK(acta::dump(acta::to_messages(run)).size() > 1200000);
    acta::PromptOptions budget;
    budget.max_tokens = 4000;
    budget.max_full_tokens = 24000;
    const Messages messages = within(run, budget);
    CHECK(tokens_of(messages) < 32000);
    CHECK(keeps_rules(messages));
    CHECK(messages[0].role == ChatRole::system);
    CHECK(messages[1] == ChatMessage::user("Write the file."));
    REQUIRE(messages.size() == 3 + 2 * 4);  // all 56 summaries in one message, and four steps with their answers
    CHECK_THAT(messages[2].content, contains_text("\n* Step 1: Wrote the file for the 1. time.\n\n* Step 2:"));
    CHECK_THAT(messages[2].content, contains_text("* Step 56: Wrote"));
    CHECK(messages[3].tool_calls[0].function.arguments.find("content")->second == acta::Json(text_of(20000)));
    // A limit for the texts of full steps leaves space for more of them.
    budget.full_output = acta::OutputLimit{.characters = 500};
    budget.keep_recent = 20;
    const Messages limited = within(run, budget);
    CHECK(tokens_of(limited) < 32000);
    CHECK(std::ranges::count(limited, ChatRole::tool, &ChatMessage::role) == 20);
    CHECK_THAT(acta::dump(limited), contains_text("noon. ... (19500 characters left out)"));
}

TEST_CASE("the newest step is cut to fit, its output, its arguments and its reasoning, and the user sees by how much") {
    Run run = task();
    add(run, 100, 2000000);
    acta::PromptOptions budget;
    budget.max_full_tokens = 2000;
    Messages messages = within(run, budget);
    REQUIRE(messages.size() == 4);
    CHECK(tokens_of(messages) < 2200);
    CHECK_THAT(messages[3].content, contains_text(" characters left out) ..."));
    CHECK(messages[2].tool_calls[0].function.arguments.find("content")->second == acta::Json(text_of(100)));

    const std::size_t large = test_size(200000, 2000000);
    add(run, large, large);
    messages = within(run, budget);
    CHECK(tokens_of(messages) < 3000);
    CHECK(keeps_rules(messages));
    CHECK_THAT(acta::dump(messages.end()[-2]), contains_text(" characters left out)"));
    CHECK_THAT(messages.back().content, contains_text(" characters left out) ..."));

    acta::ActionProposal<> proposal{"", {"f", {}}};
    proposal.raw_message.emplace().reasoning_content = std::string(large, 'r');
    run.register_action(std::move(proposal));
    messages = within(run, budget);
    CHECK(tokens_of(messages) < 3000);
    CHECK_THAT(*messages.end()[-2].reasoning_content, contains_text(" characters left out) ..."));
}

TEST_CASE("the texts of a tool's message with parts are cut, and its content with them") {
    const std::string image = R"({"type":"image","data":"AAAA","mimeType":"image/png"})";
    const auto cut = [&image](std::size_t first, std::size_t second) {
        const std::string text = R"({"content":[{"type":"text","text":")" + std::string(first, 'a') + R"("},)" + image +
                                 R"(,{"type":"text","text":")" + std::string(second, 'b') + R"("}],"isError":false})";
        Run run;
        run.register_action({.thoughts = "", .use_tool = {"f", {{"x", 1}}}});
        run.register_result(acta::ActionSuccessResult{.outputs = acta::Json::parse(text)});
        acta::PromptOptions budget;
        budget.full_output = acta::OutputLimit{.characters = 50};
        return within(run, budget).back();
    };
    const std::string a50(50, 'a');
    const std::string b50(50, 'b');
    const std::string note = "... (50 characters left out)";
    struct Row {
        std::size_t first;
        std::size_t second;
        std::string expected;
    };
    for (const Row& row : {Row{50, 50, a50 + "\n<image/png, 3 bytes>\n" + b50},
                           Row{100, 50, a50 + note + "\n<image/png, 3 bytes>\n" + b50},
                           Row{50, 100, a50 + "\n<image/png, 3 bytes>\n" + b50 + note},
                           Row{100, 100, a50 + note + "\n<image/png, 3 bytes>\n" + b50 + note}}) {
        const ChatMessage message = cut(row.first, row.second);
        CHECK(message.content == row.expected);
        CHECK(message.content == acta::parts_text(message.parts));
        CHECK(message.parts.size() == 3);
    }
}

TEST_CASE("of parts only texts are cut, and of messages only answers of tools") {
    const acta::AnyTokenCounter count = &prompts::length;
    acta::PromptReport report;
    const std::string words(100, 'w');
    ChatMessage tool = ChatMessage::tool("a", words);
    tool.parts = {{.type = "file", .text = words}, {.text = words.substr(0, 50)}};
    const std::vector<ChatMessage> kept{ChatMessage::assistant(words), tool, ChatMessage::user(words)};
    Messages step = kept;
    acta::prompt_detail::limit_messages(step, acta::OutputLimit{.characters = 50}, {count, report});
    CHECK(step == kept);
    CHECK(report.cut_texts == 0);
    step[1].parts.clear();
    acta::prompt_detail::limit_messages(step, acta::OutputLimit{.characters = 50}, {count, report});
    CHECK(step[1].content == words.substr(0, 50) + "... (50 characters left out)");
    CHECK(report.cut_texts == 1);
}

TEST_CASE("arguments are cut to 65536 characters at most and to 16 at least") {
    const auto length = [](std::size_t budget) {
        Run run;
        run.register_action({.thoughts = "", .use_tool = {"write", {{"text", std::string(300'000, 'x')}}}});
        acta::PromptOptions options = prompts::bytes();
        options.max_full_tokens = budget;
        const acta::Json text = within(run, options).front().tool_calls.at(0).function.arguments.at("text");
        return std::ranges::count(text.get<std::string>(), 'x');
    };
    CHECK(length(299'000) == 65536);
    CHECK(length(270'000) == 65536);
    CHECK(length(260'000) == 32768);
    CHECK(length(200) == 16);
    CHECK(length(1) == 16);
}

TEST_CASE("a message that is cut keeps its calls, a quarter of its reasoning and its words as far as they fit") {
    const acta::AnyTokenCounter count = &prompts::length;
    const auto fitted = [&count](ChatMessage message, std::size_t budget) {
        acta::PromptReport report;
        acta::prompt_detail::fit_message(message, budget, {count, report});
        return message;
    };
    ChatMessage said = ChatMessage::assistant(std::string(1000, 'w'));
    said.reasoning_content = std::string(1000, 'r');
    CHECK(fitted(said, 2000) == said);
    const ChatMessage part = fitted(said, 1000);
    CHECK(part.reasoning_content->size() <= 250);
    CHECK(part.reasoning_content->size() > 200);
    CHECK(part.content.size() + part.reasoning_content->size() <= 1000);
    CHECK(part.content.size() + part.reasoning_content->size() > 850);
    // Without words there is nothing to cut of them; an answer without text says that it is left out.
    ChatMessage silent = ChatMessage::assistant("");
    silent.reasoning_content = said.reasoning_content;
    CHECK(fitted(silent, 100).content.empty());
    CHECK(fitted(said, 20).content.empty());
    CHECK(fitted(ChatMessage::tool("a", std::string(1000, 'w')), 20).content == "(left out)");
    CHECK(fitted(ChatMessage::user(std::string(1000, 'w')), 20).content.empty());
}

TEST_CASE("arguments that take half of the budget of a message, or that no token counts, are not cut") {
    const auto size_of = [](std::size_t argument, std::size_t budget, const acta::AnyTokenCounter& count) {
        acta::PromptReport report;
        ChatMessage said = ChatMessage::assistant(std::string(500'000, 'w'));
        said.tool_calls = {{"a", {"f", {{"text", std::string(argument, 'x')}}}}};
        acta::prompt_detail::fit_message(said, budget, {count, report});
        const acta::Json text = said.tool_calls[0].function.arguments.at("text");
        return text.get<std::string>().size();
    };
    const acta::AnyTokenCounter bytes = &prompts::length;
    const std::size_t names = std::string(R"({"text":""})").size();
    below_at_above(500 - names, [&](std::size_t size) { return size_of(size, 1000, bytes) == size; });
    CHECK(size_of(100'000, 300'000, bytes) == 100'000);
}

TEST_CASE("a word behind the newest step does not hide it") {
    Run run = task();
    add(run, 100, 2000000);
    run.append_user_feedback("Faster.");
    static_cast<void>(run.take_pending_feedback());
    acta::PromptOptions budget;
    budget.max_full_tokens = 2000;
    const Messages messages = within(run, budget);
    REQUIRE(messages.size() == 5);
    CHECK(messages[3].role == ChatRole::tool);
    CHECK_THAT(messages[3].content, contains_text(" characters left out) ..."));
    CHECK(messages[4] == ChatMessage::user("Faster."));
    CHECK(tokens_of(messages) < 2200);
    // But a long answer does.
    run.register_answer(text_of(8000));
    CHECK(std::ranges::count(within(run, budget), ChatRole::tool, &ChatMessage::role) == 0);
}

TEST_CASE("the rules of the APIs hold for the messages of every history within any budget") {
    for (std::uint32_t seed = 0; seed < 300; ++seed) {
        RandomHistories random(seed);
        const Run run = random.with_conversation(random.history());
        acta::PromptOptions budget;
        budget.max_tokens = random.below(100);
        budget.max_full_tokens = random.below(200);
        budget.keep_recent = random.below(6);
        budget.full_stride = 1 + random.below(3);
        if (random.chance(50)) budget.full_output = acta::OutputLimit{.characters = random.below(30)};
        const Messages messages = within(run, budget);
        INFO("seed " << seed << "\n" << acta::dump(run) << "\n" << acta::dump(messages));
        CHECK(keeps_rules(messages));
        CHECK(acta::dump(acta::history_from_messages(messages)).size() < 100000);
    }
}

TEST_CASE("with budgets that are never used up, messages are those without any") {
    for (std::uint32_t seed = 0; seed < 100; ++seed) {
        RandomHistories random(seed);
        const Run run = random.with_conversation(random.history());
        acta::PromptOptions budget = prompts::bytes();
        budget.keep_recent = acta::no_limit;
        INFO("seed " << seed << "\n" << acta::dump(run));
        bool is_silent = false;  // a step without a word is a line of text within a budget
        for (const auto& episode : run) is_silent = is_silent || !acta::has_tool_call(episode.action);
        if (!is_silent) {
            CHECK(within(run, budget) == acta::to_messages(run));
        }
    }
}

TEST_CASE("instructions and what began the newest turn are always shown, and older turns while they fit") {
    Run run = task();
    for (int i = 0; i < 3; ++i) add(run, 10, 10);
    run.register_answer("It is written.");
    run.register_message(ChatMessage::user("Write it again."));
    for (int i = 0; i < 6; ++i) add(run, 10, 10);
    acta::PromptOptions budget;
    budget.keep_recent = 2;
    CHECK(said(within(run, budget)).find("user: Write the file.\nuser: ## Progress") != std::string::npos);
    const std::string all = said(within(run, budget));
    CHECK_THAT(all, contains_text("assistant: It is written.\nuser: Write it again.\nuser: * Step 4:"));
    budget.max_tokens = 0;
    CHECK_THAT(said(within(run, budget)),
               starts_with_text("system: You are an agent.\nuser: Write it again.\n"
                                "user: ## Progress on your Task so far\nHere is a summary of the steps that you have "
                                "executed so far, use this as "
                                "your consideration for determining the next action!\n7 earlier steps and 2 messages "
                                "are not shown\nassistant: Thought 8."));
    // Behind an answer the turn is over, but it is still what the answer was given to.
    run.register_answer("Done.");
    CHECK_THAT(said(within(run, budget)), contains_text("user: Write it again.\n"));
    CHECK_THAT(said(within(run, budget)), contains_text("assistant: Done.\n"));
}

TEST_CASE("a conversation without steps is shown from its end, and the newest message is cut to fit") {
    Run run = task();
    for (int i = 0; i < 30; ++i) {
        run.register_answer("Answer " + std::to_string(i) + ".");
        run.register_message(ChatMessage::user("Question " + std::to_string(i) + "?"));
    }
    acta::PromptOptions budget;
    budget.max_full_tokens = 40;
    budget.max_tokens = 40;
    const Messages some = within(run, budget);
    CHECK(some.front() == ChatMessage::system("You are an agent."));
    CHECK(some.back() == ChatMessage::user("Question 29?"));
    CHECK(some.size() > 8);
    CHECK(some.size() < 30);
    CHECK_THAT(some[1].content, contains_text("earlier messages are not shown"));
    run.register_answer(std::string(100000, 'x'));
    const Messages cut = within(run, budget);
    CHECK_THAT(cut.back().content, contains_text(" characters left out) ...xxx"));
    CHECK(tokens_of(cut) < 400);
}

TEST_CASE("parts that are no text count, and a message that is cut loses them") {
    Run run;
    ChatMessage shown = ChatMessage::user("Look: <image/png, 3 bytes>");
    shown.parts = {{.text = "Look:"}, {.type = "image", .media_type = "image/png", .data = "AAAA"}};
    run.register_message(ChatMessage::user("Hi."));
    run.register_answer("Hello.");
    run.register_message(ChatMessage::user("See."));
    run.register_answer("I see.");
    run.register_message(ChatMessage::assistant("One more."));
    run.register_message(ChatMessage::user("Now."));
    add(run, 5, 5);
    run.register_message(shown);
    acta::PromptOptions budget;
    CHECK(within(run, budget).back() == shown);
    budget.max_full_tokens = 900;
    CHECK(within(run, budget).back() == ChatMessage::user(shown.content));
}

TEST_CASE("each request begins as the one before, until a step leaves") {
    Run run = task();
    acta::PromptOptions budget;
    budget.max_tokens = 100000;
    budget.max_full_tokens = 100000;
    budget.keep_recent = 8;
    budget.full_stride = 8;
    Messages before;
    std::size_t kept = 0;
    for (int i = 0; i < 50; ++i) {
        add(run, 50, 50);
        Messages now = within(run, budget);
        const auto differ = std::ranges::mismatch(before, now);
        if (differ.in1 == before.end()) {
            ++kept;
        } else {
            // The steps that left are lines behind all lines that there were.
            CHECK(differ.in1 - before.begin() == 2);
            const bool is_line = before[2].tool_calls.empty();
            CHECK((!is_line || now[2].content.starts_with(before[2].content)));
        }
        before = std::move(now);
    }
    CHECK(kept == 45);
}
