// SPDX-License-Identifier: MIT
#include "acta/prompt/prompt.hpp"

#include <map>
#include <string>
#include <vector>

#include "prompt/prompts.hpp"
#include "support/catch.hpp"

using namespace prompts;

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

TEST_CASE("results of parallel calls are distinguished, also while some are missing") {
    History history;
    acta::ActionProposal<> proposal;
    proposal.thoughts = "Both.";
    acta::set_calls(proposal, {{"ask", {{"who", "Ann"}}}, {"ask", {{"who", "Bob"}}}});
    history.register_action(proposal);
    acta::ActionSuccessResult second;
    second.outputs = "no";
    history.register_result("call_1", second);
    const acta::PromptMessages open = acta::Prompt().messages(history);
    REQUIRE(open.messages.size() == 2);
    CHECK(open.messages[0].content == "Both.\n\nask(who='Ann')\nask(who='Bob')");
    CHECK(open.messages[1].content == "ask (2 of 2) returned: `no`");
    acta::ActionSuccessResult first;
    first.outputs = "yes";
    history.register_result("call_0", first);
    CHECK(acta::Prompt().messages(history).messages[1].content ==
          "ask (1 of 2) returned: `yes`\n\nask (2 of 2) returned: `no`");
}

TEST_CASE("results of a record are told by their ids, in whatever order they are there") {
    const auto answer = [](const std::vector<std::string>& ids) {
        acta::HistoryRecord<acta::ActionProposal<>> record;
        acta::Episode<>& episode = record.episodes.emplace_back();
        acta::set_calls(episode.action, {{"ask", {}}, {"tell", {}}, {"ask", {}}});
        for (const std::string& id : ids)
            episode.tool_results.push_back({id, acta::ActionSuccessResult{.outputs = "of " + id}});
        return acta::Prompt().messages(History(std::move(record))).messages.back().content;
    };
    const auto row = [](const std::string& name, int place, const std::string& id) {
        return name + " (" + std::to_string(place) + " of 3) returned: `of " + id + "`";
    };
    const std::string first = row("ask", 1, "call_0");
    const std::string second = row("tell", 2, "call_1");
    const std::string third = row("ask", 3, "call_2");
    CHECK(answer({"call_0", "call_1", "call_2"}) == first + "\n\n" + second + "\n\n" + third);
    CHECK(answer({"call_2", "call_1", "call_0"}) == third + "\n\n" + second + "\n\n" + first);
    CHECK(answer({"call_1", "call_0"}) == second + "\n\n" + first);
    CHECK(answer({"call_1", "x"}) == second + "\n\nx returned: `of x`");
    CHECK(answer({"x", "call_0"}) == "x returned: `of x`\n\n" + first);
    CHECK(answer({"x"}) == "x returned: `of x`");
}

TEST_CASE("a step that only says something is answered where there is something to say") {
    acta::ActionProposal<> proposal;
    proposal.thoughts = "I am done.";
    acta::ActionSuccessResult reply;
    const auto messages = [&proposal](acta::ActionResult result) {
        acta::HistoryRecord<acta::ActionProposal<>> record;
        record.episodes.emplace_back();
        record.episodes.back().action = proposal;
        record.episodes.back().result = std::move(result);
        record.cursor = 1;
        return acta::Prompt().messages(History(std::move(record))).messages;
    };
    using acta::ChatMessage;
    CHECK(messages(reply) == std::vector<ChatMessage>{ChatMessage::assistant("I am done.")});
    reply.outputs = "";
    CHECK(messages(reply).size() == 1);
    reply.outputs = "Thanks.";
    CHECK(messages(reply).back() == ChatMessage::user("Thanks."));
    CHECK(messages(acta::ActionErrorResult{"cut", {}}).back() == ChatMessage::user("raised an error: ```\ncut\n```"));
}

TEST_CASE("feedback that waits stands at the end, and in the conversation once it was taken") {
    History history = history_of(1);
    const acta::Prompt prompt;
    const std::string before = prompt.text(history).text;
    history.append_user_feedback("Be quick.");
    history.append_user_feedback("And kind.");
    const acta::PromptMessages messages = prompt.messages(history);
    REQUIRE(messages.messages.size() == 4);
    CHECK(messages.messages[2] == acta::ChatMessage::user("Be quick."));
    CHECK(messages.messages[3] == acta::ChatMessage::user("And kind."));
    CHECK(messages.report.pending_feedback == 2);
    CHECK(prompt.text(history).text == before + "\n\n## Feedback of the user\nBe quick.\n\nAnd kind.");
    History nothing;
    nothing.append_user_feedback("Be quick.");
    CHECK(prompt.text(nothing).text == "## Feedback of the user\nBe quick.");

    static_cast<void>(history.take_pending_feedback());
    CHECK(prompt.messages(history).messages == messages.messages);
    CHECK(prompt.messages(history).report.pending_feedback == 0);
    CHECK(prompt.messages(history).report.shown_messages == 2);
    CHECK(prompt.text(history).text == before + "\n\n* User: Be quick.\n\n* User: And kind.");
}

TEST_CASE("building changes nothing and returns the same again") {
    const History history = history_of(9);
    const History copy = history;
    const acta::Prompt prompt;
    CHECK(prompt.text(history) == prompt.text(history));
    CHECK(prompt.messages(history) == prompt.messages(copy));
    CHECK(history == copy);
}

TEST_CASE("older steps are kept by tool or by predicate") {
    History history;
    for (int i = 0; i < 6; ++i) add_step(history, i % 2 == 0 ? "look" : "edit", acta::ActionSuccessResult{});
    acta::PromptOptions options = bytes();
    options.keep_recent = 1;
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
    History longer = history;
    for (int i = 0; i < 300; ++i) add_step(longer, "edit", acta::ActionSuccessResult{});
    const acta::Prompt looks(options);
    CHECK(looks.options().keep_recent == 1);
    CHECK(looks.text(longer).report.omitted.steps == 302);
    CHECK(looks.text(longer).report.unmeasured_steps == 46);
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

TEST_CASE("a prompt shows what it is of any proposal") {
    acta::EpisodicActionHistory<acta::ActionProposal<acta::Json>> history;
    acta::ActionProposal<acta::Json> proposal;
    proposal.thoughts = acta::JsonArray{1, "two"};
    proposal.use_tool.name = "count";
    history.register_action(proposal);
    CHECK_THAT(acta::Prompt().text(history).text, contains_text("[1, 'two']"));
    CHECK_THAT(acta::Prompt().text(history).text, contains_text("did_not_finish"));
}

TEST_CASE("binary outputs are a placeholder in prompts, and stay whole in the history") {
    History history;
    acta::ActionSuccessResult image;
    image.outputs = acta::JsonArray{
        acta::JsonObject{{"type", "image"}, {"data", std::string(200000, 'A')}, {"mimeType", "image/png"}}};
    add_step(history, "screenshot", image);
    add_step(history, "screenshot", image);
    acta::PromptOptions options;
    options.keep_recent = 1;
    const acta::Prompt prompt(options);
    CHECK(prompt.text(history).text.size() < 1000);
    CHECK(prompt.text(history).report.cut_texts == 0);
    const acta::PromptMessages messages = prompt.messages(history);
    CHECK_THAT(messages.messages[0].content, contains_text("'data': '<image/png, 150000 bytes>'"));
    CHECK_THAT(messages.messages[2].content, contains_text("'data': '<image/png, 150000 bytes>'"));
    CHECK(history[0].format().size() < 1000);
    CHECK(history[0].result == acta::ActionResult(image));
}
