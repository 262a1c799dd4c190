// SPDX-License-Identifier: MIT
#include "acta/compress/prompt.hpp"

#include <map>
#include <memory>
#include <string>
#include <vector>

#include "support/catch.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;

void add_step(History& history, const std::string& tool, acta::ActionResult result) {
    const std::string number = std::to_string(history.size() + 1);
    acta::ActionProposal<> proposal;
    proposal.thoughts = "Thought " + number + ".";
    proposal.use_tool.name = tool;
    proposal.use_tool.arguments = acta::JsonObject{{"n", history.size() + 1}};
    history.register_action(std::move(proposal));
    history.register_result(std::move(result));
}

void add_step(History& history, const std::string& output = "done") {
    acta::ActionSuccessResult result;
    result.outputs = output;
    add_step(history, "work", std::move(result));
}

History history_of(std::size_t steps, const std::string& output = "done") {
    History history;
    for (std::size_t i = 0; i < steps; ++i) add_step(history, output);
    return history;
}

void summarise(History& history, std::size_t first, std::size_t last) {
    for (std::size_t i = first; i < last; ++i)
        history.set_summary(history.id(i), "Summary of step " + std::to_string(i + 1) + ".");
}

const std::string heading(acta::progress_heading);

std::size_t length(std::string_view text) { return text.size(); }

/// A prompt that counts a byte as a token, so that budgets can be said exactly.
acta::PromptOptions bytes() {
    acta::PromptOptions options;
    options.count_tokens = &length;
    options.max_tokens = acta::no_limit;
    options.max_full_tokens = acta::no_limit;
    options.slack = 0;
    return options;
}

}  // namespace

TEST_CASE("a prompt without steps is empty") {
    const History history;
    CHECK(acta::Prompt().text(history) == acta::PromptText{});
    CHECK(acta::Prompt().messages(history) == acta::PromptMessages{});
}

TEST_CASE("older steps stand by their summaries, the newest four in full") {
    History history = history_of(6);
    summarise(history, 0, 1);
    const acta::PromptText prompt = acta::Prompt().text(history);
    const auto full = [](int n) {
        const std::string number = std::to_string(n);
        return "* Step " + number + ": Executed `work(n=" + number + ")`\n  - **Reasoning:** \"Thought " + number +
               ".\"\n  - **Status:** `success`\n  - **Output:** done";
    };
    CHECK(prompt.text ==
          "## Progress on your Task so far\nHere is a summary of the steps that you have executed so "
          "far, use this as your consideration for determining the next action!\n* Step 1: Summary of "
          "step 1.\n\n" +
              full(2) + "\n\n" + full(3) + "\n\n" + full(4) + "\n\n" + full(5) + "\n\n" + full(6));
    CHECK(prompt.report.full.steps == 4);
    CHECK(prompt.report.older.steps == 2);
    CHECK(prompt.report.omitted == acta::PromptCount{});
    CHECK(prompt.report.first_step == 0);
    CHECK(prompt.report.tokens > prompt.report.full.tokens + prompt.report.older.tokens);
}

TEST_CASE("messages are what the model said and what came of it") {
    History history;
    add_step(history);
    summarise(history, 0, 1);
    add_step(history, "a\nb");
    add_step(history, "work", acta::ActionErrorResult{"no such file", {}});
    add_step(history, "work", acta::ActionInterruptedByHuman{"Not that one."});
    acta::ActionProposal<> open;
    open.thoughts = "Look.";
    open.use_tool.name = "look";
    open.raw_message.emplace().content = "I look around.";
    history.register_action(open);

    const acta::PromptMessages prompt = acta::Prompt().messages(history);
    using acta::ChatMessage;
    const std::vector<ChatMessage> wanted = {
        ChatMessage::system(heading + "* Step 1: Summary of step 1."),
        ChatMessage::assistant("Thought 2.\n\nwork(n=2)"),
        ChatMessage::user("work returned: ```\na\nb\n```"),
        ChatMessage::assistant("Thought 3.\n\nwork(n=3)"),
        ChatMessage::user("work raised an error: ```\nno such file\n```"),
        ChatMessage::assistant("Thought 4.\n\nwork(n=4)"),
        ChatMessage::user("Not that one."),
        ChatMessage::assistant("I look around."),
    };
    CHECK(prompt.messages == wanted);
}

TEST_CASE("results of parallel calls are told apart, also while some are missing") {
    History history;
    acta::ActionProposal<> proposal;
    proposal.thoughts = "Both.";
    proposal.use_tools = {{"ask", {{"who", "Ann"}}}, {"ask", {{"who", "Bob"}}}};
    history.register_action(proposal);
    acta::ActionSuccessResult second;
    second.outputs = "no";
    history.register_result("call_0_1", second);
    const acta::PromptMessages open = acta::Prompt().messages(history);
    REQUIRE(open.messages.size() == 2);
    CHECK(open.messages[0].content == "Both.\n\nask(who='Ann')\nask(who='Bob')");
    CHECK(open.messages[1].content == "ask (2 of 2) returned: `no`");
    acta::ActionSuccessResult first;
    first.outputs = "yes";
    history.register_result("call_0_0", first);
    CHECK(acta::Prompt().messages(history).messages[1].content ==
          "ask (1 of 2) returned: `yes`\n\nask (2 of 2) returned: `no`");
}

TEST_CASE("a step that only says something is answered where there is something to say") {
    acta::ActionProposal<> proposal;
    proposal.thoughts = "I am done.";
    acta::ActionSuccessResult reply;
    const auto messages = [&proposal](acta::ActionResult result) {
        History history;
        history.register_action(proposal);
        history.register_result(std::move(result));
        return acta::Prompt().messages(history).messages;
    };
    using acta::ChatMessage;
    CHECK(messages(reply) == std::vector<ChatMessage>{ChatMessage::assistant("I am done.")});
    reply.outputs = "";
    CHECK(messages(reply).size() == 1);
    reply.outputs = "Thanks.";
    CHECK(messages(reply).back() == ChatMessage::user("Thanks."));
    CHECK(messages(acta::ActionErrorResult{"cut", {}}).back() == ChatMessage::user("raised an error: ```\ncut\n```"));
}

TEST_CASE("feedback stands at the end, and only when it is given") {
    History history = history_of(1);
    history.append_user_feedback("Be quick.");
    history.append_user_feedback("And kind.");
    const acta::Prompt prompt;
    CHECK(prompt.messages(history).messages.size() == 2);
    CHECK(prompt.messages(history).report.pending_feedback == 2);
    const std::string before = prompt.text(history).text;

    const std::vector<std::string> feedback = history.take_pending_feedback();
    const acta::PromptMessages messages = prompt.messages(history, feedback);
    CHECK(messages.messages.back() == acta::ChatMessage::user("Be quick.\n\nAnd kind."));
    CHECK(messages.report.pending_feedback == 0);
    CHECK(prompt.text(history, feedback).text == before + "\n\n## Feedback of the user\nBe quick.\n\nAnd kind.");
    CHECK(prompt.text(History(), feedback).text == "## Feedback of the user\nBe quick.\n\nAnd kind.");
}

TEST_CASE("building changes nothing and gives the same again") {
    const History history = history_of(9);
    const History copy = history;
    const acta::Prompt prompt;
    CHECK(prompt.text(history) == prompt.text(history));
    CHECK(prompt.messages(history) == prompt.messages(copy));
    CHECK(history == copy);
}

TEST_CASE("the newest lines are kept within the budget, and what is left out is counted") {
    History history = history_of(12);
    summarise(history, 0, 8);
    acta::PromptOptions options = bytes();
    const std::size_t line = std::string("* Step 8: Summary of step 8.").size();
    options.max_tokens = 3 * line + line / 2;
    const acta::PromptText prompt = acta::Prompt(options).text(history);
    CHECK(prompt.report.older == acta::PromptCount{3, 3 * line, 3 * line});
    CHECK(prompt.report.first_step == 5);
    CHECK(prompt.report.omitted == acta::PromptCount{5, 5 * line, 5 * line});
    CHECK(prompt.report.unmeasured_steps == 0);
    CHECK(prompt.text.rfind(heading + "* Step 6: Summary of step 6.\n\n* Step 7", 0) == 0);

    options.measure_omitted = 2;
    const acta::PromptReport report = acta::Prompt(options).text(history).report;
    CHECK(report.omitted == acta::PromptCount{5, 2 * line, 2 * line});
    CHECK(report.unmeasured_steps == 3);

    options.max_tokens = 0;
    CHECK(acta::Prompt(options).text(history).report.older.steps == 0);
    CHECK(acta::Prompt(options).text(history).report.omitted.steps == 8);
}

TEST_CASE("full steps have a budget of their own, and never crowd out the summaries") {
    History history = history_of(8, std::string(1000, 'x'));
    summarise(history, 0, 6);
    acta::PromptOptions options = bytes();
    options.max_full_tokens = 1500;  // one step
    options.max_tokens = 300;
    const acta::PromptReport report = acta::Prompt(options).text(history).report;
    CHECK(report.full.steps == 1);
    CHECK(report.full.tokens <= 1500);
    // Step 7 has no summary and is cut to half of the budget; the summaries before it have the rest.
    CHECK(report.older.steps == 7);
    CHECK(report.older.tokens <= 300);
    CHECK(report.cut_texts == 1);
    CHECK(report.omitted.characters > 1000);
}

TEST_CASE("the newest step is cut to fit, never left out") {
    const History history = history_of(1, std::string(5000, 'x'));
    acta::PromptOptions options = bytes();
    options.max_full_tokens = 400;
    const acta::PromptText text = acta::Prompt(options).text(history);
    CHECK(text.report.full.steps == 1);
    CHECK(text.report.full.tokens <= 400);
    CHECK(text.report.cut_texts == 1);
    CHECK_THAT(text.text, contains_text("* Step 1: Executed `work(n=1)`"));
    CHECK_THAT(text.text, contains_text(" characters left out) ..."));
    // Nothing is lost from the count.
    CHECK(text.report.full.characters + text.report.omitted.characters > 5000);

    const acta::PromptMessages messages = acta::Prompt(options).messages(history);
    REQUIRE(messages.messages.size() == 2);
    CHECK(messages.messages[0].content == "Thought 1.\n\nwork(n=1)");
    CHECK(messages.messages[0].content.size() + messages.messages[1].content.size() <= 400);
}

TEST_CASE("outputs are cut between characters, with a note of how much is left out") {
    std::string output;
    for (int i = 0; i < 300; ++i) output += "\xC3\xBC\xE2\x82\xAC";  // u umlaut, euro sign
    History history = history_of(1, output);
    acta::PromptOptions options;
    options.full_output = acta::OutputLimit{.characters = 101};
    const acta::PromptText prompt = acta::Prompt(options).text(history);
    CHECK(acta::utf8::is_valid(prompt.text));
    CHECK_THAT(prompt.text, ends_with_text("\xE2\x82\xAC\xC3\xBC... (499 characters left out)"));
    CHECK(prompt.report.omitted.characters == 499);
    CHECK(prompt.report.omitted.steps == 0);
    CHECK(prompt.report.cut_texts == 1);

    options.full_output = acta::OutputLimit{.characters = 101, .tail = 2};
    CHECK_THAT(acta::Prompt(options).text(history).text,
               ends_with_text("\xC3\xBC... (499 characters left out) ...\xC3\xBC\xE2\x82\xAC"));
    // A cut that would save nothing is none.
    options.full_output = acta::OutputLimit{.characters = 598};
    CHECK(acta::Prompt(options).text(history).report.cut_texts == 0);
    // The limit of older outputs is another one.
    options.full_output.reset();
    options.older_output = acta::OutputLimit{.characters = 10};
    CHECK(acta::Prompt(options).text(history).report.cut_texts == 0);
    options.full_message_count = 0;
    CHECK(acta::Prompt(options).text(history).report.cut_texts == 1);
}

TEST_CASE("errors, other values and parallel results are cut too, and what a person said is not") {
    const std::string text(500, 'e');
    History history;
    acta::ActionErrorResult error{text, {}};
    error.error.emplace().repr = text;
    add_step(history, "work", error);
    add_step(history, "work", acta::ActionInterruptedByHuman{text});
    acta::ActionSuccessResult list;
    list.outputs = acta::JsonArray(200, 1);
    add_step(history, "work", list);
    acta::ActionProposal<> proposal;
    proposal.use_tools = {{"one", {}}, {"two", {}}};
    history.register_action(proposal);
    acta::ActionSuccessResult small;
    small.outputs = "small";
    history.register_result("call_3_0", error);
    history.register_result("call_3_1", small);

    acta::PromptOptions options;
    options.full_output = acta::OutputLimit{.characters = 100};
    const acta::PromptText prompt = acta::Prompt(options).text(history);
    CHECK(prompt.report.cut_texts == 5);
    CHECK(prompt.text.find(text) != std::string::npos);
    CHECK_THAT(prompt.text, contains_text("[1, 1, 1"));
    CHECK_THAT(prompt.text, contains_text("small"));

    options.keep_output = acta::calls_tool({"one"});
    CHECK(acta::Prompt(options).text(history).report.cut_texts == 3);
}

TEST_CASE("older steps are kept by tool or by predicate") {
    History history;
    for (int i = 0; i < 6; ++i) add_step(history, i % 2 == 0 ? "look" : "edit", acta::ActionSuccessResult{});
    acta::PromptOptions options = bytes();
    options.full_message_count = 1;
    options.keep = acta::calls_tool({"edit", "submit"});
    const acta::PromptText edits = acta::Prompt(options).text(history);
    CHECK(edits.report.older.steps == 2);
    CHECK(edits.report.omitted.steps == 3);
    CHECK(edits.report.omitted.characters > 0);
    CHECK(edits.text.find("look(") == std::string::npos);
    CHECK_THAT(edits.text, contains_text("* Step 2:"));
    options.keep = acta::calls_other_tool({"edit"});
    CHECK(acta::Prompt(options).text(history).report.omitted.steps == 2);
    // What is not kept is measured only as far as all that is left out.
    options.measure_omitted = 1;
    const acta::Prompt few(options);
    CHECK(few.options().measure_omitted == 1);
    CHECK(few.text(history).report.unmeasured_steps == 1);
    CHECK(few.text(history).report.omitted.steps == 2);
    options.measure_omitted = 256;
    options.keep = [&history](const acta::PromptStep& step) {
        return step.status == "success" && step.summary == nullptr &&
               history[step.index].action.use_tool == step.calls[0] && step.index >= 4;
    };
    CHECK(acta::Prompt(options).text(history).report.older.steps == 1);
}

TEST_CASE("adding a step changes only the tail while nothing new was compressed") {
    History history = history_of(10);
    summarise(history, 0, 6);
    acta::PromptOptions options;
    options.max_tokens = acta::no_limit;
    const acta::Prompt prompt(options);
    std::string before = prompt.text(history).text;
    for (int i = 0; i < 20; ++i) {
        add_step(history, "output " + std::to_string(i) + "\nmore");
        const std::string now = prompt.text(history).text;
        CHECK(now.size() > before.size());
        CHECK(now.rfind(before, 0) == 0);
        before = now;
    }
    // A new summary changes its line and leaves what stands before.
    const std::string unchanged = before.substr(0, before.find("* Step 7:"));
    summarise(history, 6, 8);
    CHECK(prompt.text(history).text.rfind(unchanged + "* Step 7: Summary of step 7.\n\n* Step 8: Sum", 0) == 0);
}

TEST_CASE("messages are only appended to between strides") {
    History history = history_of(4);
    acta::PromptOptions options;
    options.max_tokens = acta::no_limit;
    options.max_full_tokens = acta::no_limit;
    std::map<std::size_t, int> changes;  // by stride
    for (const std::size_t stride : {std::size_t{1}, std::size_t{5}}) {
        options.full_stride = stride;
        const acta::Prompt prompt(options);
        History grown = history;
        acta::PromptMessages before = prompt.messages(grown);
        for (int i = 0; i < 20; ++i) {
            add_step(grown);
            const acta::PromptMessages now = prompt.messages(grown);
            CHECK(now.report.full.steps >= 4);
            CHECK(now.report.full.steps < 4 + stride);
            CHECK(now.report.omitted.steps == 0);
            const bool appended = std::equal(before.messages.begin(), before.messages.end(), now.messages.begin());
            if (!appended) {
                ++changes[stride];
                // What stood in the first message stays its beginning.
                if (before.report.older.steps != 0)
                    CHECK(now.messages[0].content.rfind(before.messages[0].content, 0) == 0);
            }
            before = now;
        }
    }
    CHECK(changes[1] == 20);
    CHECK(changes[5] == 4);
}

TEST_CASE("where the budget forces lines out they go many at a time") {
    acta::PromptOptions options = bytes();
    options.full_message_count = 0;
    const std::size_t line = std::string("* Step 100: Summary of step 100.").size();
    options.max_tokens = 40 * line;
    for (const double slack : {0.0, 0.5}) {
        options.slack = slack;
        const acta::Prompt prompt(options);
        History history = history_of(100);
        summarise(history, 0, 100);
        std::size_t first = prompt.text(history).report.first_step;
        int moves = 0;
        for (int i = 0; i < 200; ++i) {
            add_step(history);
            summarise(history, history.size() - 1, history.size());
            const acta::PromptReport report = prompt.text(history).report;
            CHECK(report.first_step >= first);
            moves += report.first_step != first ? 1 : 0;
            first = report.first_step;
            CHECK(report.older.tokens <= options.max_tokens);
            CHECK(report.older.steps >= (slack == 0.0 ? 40U : 20U));
            CHECK(report.older.steps + report.omitted.steps == history.size());
        }
        if (slack == 0.0)
            CHECK(moves == 200);
        else
            CHECK(moves <= 25);
    }
}

TEST_CASE("building looks at what is shown, not at the whole history") {
    std::vector<std::size_t> counted;
    for (const std::size_t steps : {std::size_t{600}, std::size_t{20000}}) {
        History history = history_of(steps);
        for (std::size_t i = 0; i < steps; ++i) history.set_summary(history.id(i), "A summary of constant length.");
        const auto calls = std::make_shared<std::size_t>(0);
        acta::PromptOptions options;
        options.count_tokens = [calls](std::string_view text) {
            ++*calls;
            return text.size() / 4;
        };
        options.slack = 0;
        const acta::PromptReport report = acta::Prompt(options).text(history).report;
        CHECK(report.omitted.steps + report.older.steps + 4 == steps);
        CHECK(report.unmeasured_steps == report.omitted.steps - 256);
        counted.push_back(*calls);
    }
    CHECK(counted[0] <= 400);
    // Longer numbers make longer lines, so that fewer fit.
    CHECK(counted[1] <= counted[0]);
}

TEST_CASE("budgets too small for anything leave everything out, and say so") {
    const History history = history_of(3, std::string(300, 'x'));
    acta::PromptOptions options = bytes();
    options.max_tokens = 5;
    options.max_full_tokens = 5;
    const acta::PromptText prompt = acta::Prompt(options).text(history);
    CHECK(prompt.text.empty());
    CHECK(prompt.report.omitted.steps == 3);
    CHECK(prompt.report.omitted.characters > 900);
    CHECK(prompt.report.first_step == 3);
    CHECK(prompt.report.cut_texts == 0);
}

TEST_CASE("a prompt shows what it is of any proposal") {
    acta::EpisodicActionHistory<acta::ActionProposal<acta::Json>> history;
    acta::ActionProposal<acta::Json> proposal;
    proposal.thoughts = acta::JsonArray{1, "two"};
    proposal.use_tool.name = "count";
    history.register_action(proposal);
    CHECK_THAT(acta::Prompt().text(history).text, contains_text("[1, 'two']"));
    CHECK_THAT(acta::Prompt().text(history).text, contains_text("did_not_finish"));
}
