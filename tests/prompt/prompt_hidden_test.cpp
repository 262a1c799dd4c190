// SPDX-License-Identifier: MIT
// What a prompt says of the steps that it does not show.
#include <string>

#include "acta/json/json.hpp"
#include "acta/prompt/prompt.hpp"
#include "prompt/prompts.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"

using namespace prompts;

namespace {

/// A budget of so many lines of summaries, of steps with two digits.
acta::PromptOptions lines(std::size_t count) {
    acta::PromptOptions options = bytes();
    options.keep_recent = 0;
    options.max_tokens = count * std::string("* Step 10: Summary of step 10.").size() + 5;
    return options;
}

History summarised(std::size_t steps) {
    History history = history_of(steps);
    summarise(history, 0, steps);
    return history;
}

std::string line(std::size_t step) {
    const std::string number = std::to_string(step);
    return "* Step " + number + ": Summary of step " + number + ".";
}

}  // namespace

TEST_CASE("a line says how many steps are not shown") {
    std::string output;
    for (int i = 0; i < 60; ++i) output += "line " + std::to_string(i) + " of the output of a long test\n";
    const History history = history_of(50, output);
    const acta::PromptText prompt = acta::Prompt().text(history);
    const std::string said = std::to_string(prompt.report.hidden_steps) + " earlier steps are not shown";
    CHECK(prompt.report.hidden_steps > 40);
    CHECK(prompt.report.hidden_steps == prompt.report.omitted.steps);
    CHECK(prompt.report.first_hidden == 0);
    CHECK(prompt.text.rfind(heading + said + "\n\n* Step ", 0) == 0);
    const acta::PromptMessages messages = acta::Prompt().messages(history);
    CHECK(messages.messages[0].content.rfind(heading + said, 0) == 0);
    // All are there, or one is not.
    CHECK(acta::Prompt(lines(12)).text(summarised(12)).text.find("not shown") == std::string::npos);
    const acta::PromptReport one = acta::Prompt(lines(11)).text(summarised(12)).report;
    CHECK(one.hidden_steps == 1);
    CHECK(acta::Prompt(lines(11)).text(summarised(12)).text ==
          heading + "1 earlier step is not shown\n\n" + line(2) + [] {
              std::string rest;
              for (std::size_t i = 3; i <= 12; ++i) rest += "\n\n" + line(i);
              return rest;
          }());
}

TEST_CASE("binary content is no text of a prompt") {
    const std::string url = "data:image/png;base64," + std::string(200'000, 'A');
    History history;
    for (int i = 0; i < 6; ++i) {
        acta::ActionProposal<> proposal;
        proposal.thoughts = "Look at " + url;
        proposal.use_tool = {"show", {{"image", url}}};
        history.register_action(proposal);
        switch (i % 3) {
            case 0: history.register_result(acta::ActionErrorResult{"cannot read " + url, {}}); break;
            case 1: history.register_result(acta::ActionInterruptedByHuman{"use " + url}); break;
            default: history.register_result(acta::ActionSuccessResult{url});
        }
    }
    const acta::PromptText text = acta::Prompt(bytes()).text(history);
    CHECK(text.text.size() < 5000);
    CHECK(text.report.cut_texts == 0);
    CHECK_THAT(text.text, contains_text("show(image='<image/png, 150000 bytes>')"));
    std::size_t size = 0;
    for (const acta::ChatMessage& one : acta::Prompt(bytes()).messages(history).messages) size += one.content.size();
    CHECK(size < 5000);
}

TEST_CASE("if no older step fits, only the line for hidden steps is shown") {
    acta::PromptOptions options = bytes();
    options.max_tokens = 0;
    options.keep_recent = 1;
    const acta::PromptMessages messages = acta::Prompt(options).messages(summarised(9));
    CHECK(messages.messages[0] == acta::ChatMessage::system(heading + "8 earlier steps are not shown"));
    CHECK(messages.report.tokens ==
          heading.size() + std::string("8 earlier steps are not shown").size() + messages.report.full.tokens);
}

TEST_CASE("steps that a filter refuses are not announced") {
    acta::PromptOptions options = lines(20);
    options.keep = [](const acta::PromptStep& step) { return step.index > 3; };
    const acta::PromptText prompt = acta::Prompt(options).text(summarised(12));
    CHECK(prompt.report.hidden_steps == 0);
    CHECK(prompt.report.omitted.steps == 4);
    CHECK(prompt.text.find("not shown") == std::string::npos);
}

TEST_CASE("a rolling summary stands for the steps that left, and the others keep their lines") {
    History history = summarised(50);
    history.set_rolling_summary(
        {"The harbour was surveyed.", 0, 41, {{"tide.csv", 3, false}, {"IMPORTANT: go", 1, true}}});
    acta::PromptOptions options = lines(6);
    const acta::Prompt prompt(options);
    const std::string rolling = "* Steps 1-42: The harbour was surveyed. (kept: tide.csv; IMPORTANT: go)";
    const acta::PromptText text = prompt.text(history);
    CHECK_THAT(text.text, starts_with_text(heading + rolling + "\n\n2 earlier steps are not shown\n\n" + line(45)));
    CHECK(text.report.rolling == acta::PromptCount{42, rolling.size(), rolling.size()});
    CHECK(text.report.first_hidden == 42);
    CHECK(text.report.hidden_steps == 2);
    CHECK(text.report.omitted.steps == 2);
    CHECK(text.report.older.steps + text.report.rolling.steps + text.report.omitted.steps == 50);
    CHECK(prompt.messages(history).messages[0].content.find(rolling) != std::string::npos);

    // A step for which it stands has no line of its own.
    options.max_tokens = acta::no_limit;
    const acta::PromptText all = acta::Prompt(options).text(history);
    CHECK(all.report.hidden_steps == 0);
    CHECK(all.text.find(line(42)) == std::string::npos);
    CHECK_THAT(all.text, contains_text(rolling + "\n\n" + line(43)));
    options.show_rolling_summary = false;
    CHECK(acta::Prompt(options).text(history).report.older.steps == 50);
    options.show_rolling_summary = true;
    options.keep_recent = 50;
    CHECK(acta::Prompt(options).text(history).report.rolling == acta::PromptCount{});
    // Steps before those for which it stands are also counted.
    history.set_rolling_summary({"The harbour was surveyed.", 2, 43, {}});
    options = lines(6);
    const acta::PromptReport later = acta::Prompt(options).text(history).report;
    CHECK(later.omitted.steps == 2);
    CHECK(later.omitted.characters == 2 * line(1).size());
    CHECK_THAT(acta::Prompt(options).text(history).text, contains_text("2 earlier steps are not shown"));
}

TEST_CASE("a rolling summary of several lines is indented, and one without a word stands for its steps unseen") {
    History history = summarised(5);
    acta::PromptOptions options = bytes();
    options.keep_recent = 0;
    history.set_rolling_summary({"One.\nTwo.", 0, 2, {}, {}});
    CHECK(acta::Prompt(options).text(history).text ==
          heading + "* Steps 1-3: One.\n  Two.\n\n" + line(4) + "\n\n" + line(5));
    history.set_rolling_summary({"", 0, 2, {}, {}});
    const acta::PromptText blank = acta::Prompt(options).text(history);
    CHECK(blank.text == heading + line(4) + "\n\n" + line(5));
    CHECK(blank.report.rolling == acta::PromptCount{3, 0, 0});
    CHECK(blank.report.hidden_steps == 0);
    CHECK(blank.report.omitted.steps == 0);
}

TEST_CASE("a rolling summary that is too long is cut") {
    History history = summarised(50);
    history.set_rolling_summary({std::string(5000, 'r'), 0, 40, {}, {}});
    acta::PromptOptions options = lines(6);
    options.max_rolling_tokens = 300;
    const acta::PromptReport report = acta::Prompt(options).text(history).report;
    CHECK(report.rolling.steps == 41);
    CHECK(report.rolling.tokens <= 300);
    CHECK(report.cut_texts == 1);
    below_at_above("rolling summary in a prompt", 1024, [&](std::size_t tokens) {
        const std::string line = "* Steps 1-41: ";
        history.set_rolling_summary({std::string(tokens - line.size(), 'r'), 0, 40, {}, {}});
        acta::PromptOptions defaults;
        defaults.count_tokens = options.count_tokens;
        return acta::Prompt(defaults).text(history).report.cut_texts == 0;
    });
    options.max_rolling_tokens = 0;
    CHECK(acta::Prompt(options).text(history).report.rolling.steps == 0);
    CHECK(acta::Prompt(options).text(history).report.omitted.steps == 44);
}

TEST_CASE("a rolling summary belongs to the steps of its history") {
    History history = summarised(6);
    CHECK(history.rolling_summary() == nullptr);
    const std::string before = acta::dump(history);
    CHECK(before.find("rolling") == std::string::npos);
    const acta::RollingSummary summary{"text", 0, 3, {{"fact", 2, true}}, {{"perhaps", 1, false}}};
    history.set_rolling_summary(summary);
    REQUIRE(history.rolling_summary() != nullptr);
    CHECK(*history.rolling_summary() == summary);
    const History read = acta::parse<History>(acta::dump(history));
    CHECK(read == history);
    CHECK(*read.rolling_summary() == summary);
    CHECK_FALSE(acta::parse<History>(before) == history);

    CHECK_THROWS_AS(history.set_rolling_summary({"", 0, 6, {}, {}}), std::out_of_range);
    CHECK_THROWS_AS(history.set_rolling_summary({"", -1, 2, {}, {}}), std::out_of_range);
    CHECK_THROWS_AS(history.set_rolling_summary({"", 3, 2, {}, {}}), std::out_of_range);
    CHECK(*history.rolling_summary() == summary);
    history.rewind(2);
    CHECK(history.rolling_summary() != nullptr);
    history.rewind(1);  // step 4, for which it stood
    CHECK(history.rolling_summary() == nullptr);
    // One that stands for steps that are not there is not read.
    acta::HistoryRecord<acta::ActionProposal<>> record = history.record();
    record.rolling_summary = summary;
    CHECK(lvalue(History(std::move(record))).rolling_summary() == nullptr);
    history.set_rolling_summary({"", 0, 1, {}, {}});
    history.clear_rolling_summary();
    CHECK(history.rolling_summary() == nullptr);
}
