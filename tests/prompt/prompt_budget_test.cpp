// SPDX-License-Identifier: MIT
#include "acta/prompt/prompt.hpp"

#include <algorithm>
#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/prompt/detail/step_text.hpp"
#include "acta/prompt/messages.hpp"
#include "prompt/prompts.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"

using namespace prompts;

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
    CHECK(prompt.text.rfind(heading + "5 earlier steps are not shown\n\n* Step 6: Summary of step 6.\n\n* Step 7", 0) ==
          0);

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
    // Older outputs have a limit of their own.
    options.full_output.reset();
    options.older_output = acta::OutputLimit{.characters = 10};
    CHECK(acta::Prompt(options).text(history).report.cut_texts == 0);
    options.keep_recent = 0;
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
    history.register_result("call_0", error);
    history.register_result("call_1", small);

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

TEST_CASE("a word behind the newest step hides it if it takes more than half") {
    for (const std::size_t budget : {1000U, 1001U}) {
        below_at_above(budget - budget / 2, [budget](std::size_t size) {
            History history = history_of(1, std::string(5000, 'x'));
            history.register_answer(std::string(size, 'a'));
            acta::PromptOptions options = bytes();
            options.max_full_tokens = budget;
            const acta::PromptReport report = acta::prompt_extension::native_prompt(history, options).report;
            return report.full.steps == 1 && report.shown_messages == 1;
        });
    }
}

TEST_CASE("only the newest message or step is cut to fit, and not a message before it") {
    History history = history_of(1);
    history.register_answer(std::string(5000, 'a'));
    history.register_answer("Done.");
    acta::PromptOptions options = bytes();
    options.max_full_tokens = 1000;
    options.max_tokens = 0;
    const acta::PromptReport report = acta::prompt_extension::native_prompt(history, options).report;
    CHECK(report.shown_messages == 1);
    CHECK(report.hidden_messages == 1);
    CHECK(report.hidden_steps == 1);
    CHECK(report.cut_texts == 0);
}

TEST_CASE("slack is from none to nine tenths of the budget") {
    acta::PromptOptions options = bytes();
    options.keep_recent = 0;
    options.max_tokens = 40 * std::string("* Step 100: Summary of step 100.").size();
    History history = history_of(100);
    std::size_t none = 0;
    std::size_t most = 0;
    for (int i = 0; i < 30; ++i) {
        add_step(history);
        summarise(history, 0, history.size());
        const auto first = [&](double slack) {
            options.slack = slack;
            return acta::Prompt(options).text(history).report.first_step;
        };
        for (const double too_much : {0.91, 1.0, 2.0, 1e9}) CHECK(first(too_much) == first(0.9));
        for (const double too_little : {-0.1, -2.0}) CHECK(first(too_little) == first(0.0));
        none += first(0.0);
        most += first(0.9);
    }
    CHECK(most > none + 30);
}

TEST_CASE("a text is truncated where the note is shorter than what it replaces") {
    using acta::prompt_detail::truncate;
    // The note has 27 bytes with a number of two digits, and four more if a tail follows.
    struct Row {
        std::size_t head;
        std::size_t tail;
        std::size_t note;
    };
    for (const Row& row : {Row{0, 0, 28}, Row{5, 0, 28}, Row{5, 1, 32}, Row{0, 3, 32}}) {
        below_at_above(row.head + row.tail + row.note,
                       [&](std::size_t size) { return !truncate(std::string(size, 'x'), row.head, row.tail); });
        const auto cut = truncate(std::string(90, 'x'), row.head, row.tail);
        REQUIRE(cut);
        const std::string number = std::to_string(90 - row.head - row.tail);
        CHECK(cut->text == std::string(row.head, 'x') + "... (" + number + " characters left out)" +
                               (row.tail == 0 ? "" : " ..." + std::string(row.tail, 'x')));
        CHECK(cut->left_out.size() == 90 - row.head - row.tail);
    }
    for (const std::size_t head : {90U, 91U, 50U}) CHECK_FALSE(truncate(std::string(90, 'x'), head, 40));
    // Characters count, not bytes.
    std::string wide;
    for (int i = 0; i < 40; ++i) wide += "\xE2\x82\xAC";
    CHECK(truncate(wide, 2, 1)->text == "\xE2\x82\xAC\xE2\x82\xAC... (37 characters left out) ...\xE2\x82\xAC");
    CHECK_FALSE(truncate(wide, 20, 20));
    CHECK_FALSE(truncate(wide, 60, 50));
}

TEST_CASE("a text that is cut to fit keeps twelve characters at least, or nothing") {
    const acta::AnyTokenCounter count = [](std::string_view text) {
        return static_cast<std::size_t>(std::ranges::count(text, 'x'));
    };
    const auto fitted = [&count](std::size_t max_tokens) {
        acta::PromptReport report;
        std::string text(1000, 'x');
        const std::size_t left = acta::prompt_detail::fit_text(text, 1000, max_tokens, {count, report});
        CHECK(left == count(text));
        CHECK(report.cut_texts == (text.empty() || text.size() == 1000 ? 0U : 1U));
        CHECK(report.omitted.characters == (report.cut_texts == 0 ? 0 : 1000 - left));
        CHECK(report.omitted.tokens == report.omitted.characters);
        return text;
    };
    CHECK(fitted(1000).size() == 1000);
    CHECK(fitted(12) == "xxxxxxxx... (988 characters left out) ...xxxx");
    CHECK(fitted(11).empty());
    CHECK(fitted(0).empty());
}

TEST_CASE("where the budget forces lines out they go many at a time") {
    acta::PromptOptions options = bytes();
    options.keep_recent = 0;
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
