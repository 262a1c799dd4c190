// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "acta/base/unicode.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/prompt/prompt.hpp"
#include "prompt/prompts.hpp"
#include "support/catch.hpp"

using namespace prompts;

// What the report of a prompt says is what the prompt has, counted anew from its text.
namespace {

/// The words that the histories below are made of, in letters that nothing else has: Q of steps, Z of their summaries,
/// J of messages, X of feedback and K of the rolling summary. A counter of letters counts joined texts as it counts
/// them apart.
std::size_t count_of(std::string_view text, std::string_view letters) {
    return static_cast<std::size_t>(
        std::ranges::count_if(text, [letters](char c) { return letters.find(c) != std::string_view::npos; }));
}
std::size_t own_letters(std::string_view text) { return count_of(text, "QZJXK"); }

History random_history(std::mt19937& random) {
    const auto word = [&random](char letter) { return std::string(1 + random() % 40, letter); };
    History history;
    const std::size_t steps = random() % 14;
    if (random() % 3 != 0) history.register_message(acta::ChatMessage::system(word('J')));
    if (random() % 3 != 0) history.register_message(acta::ChatMessage::user(word('J')));
    for (std::size_t i = 0; i < steps; ++i) {
        add_step(history, word('Q') + "\n" + word('Q'));
        if (random() % 2 == 0) history.set_summary(history.id(i), word('Z'));
        if (random() % 4 == 0) history.register_message(acta::ChatMessage::user(word('J')));
    }
    if (steps > 3 && random() % 3 == 0)
        history.set_rolling_summary({.text = word('K'), .first = 0, .last = static_cast<std::int64_t>(random() % 3)});
    if (random() % 3 == 0) history.append_user_feedback(word('X'));
    if (random() % 6 == 0) history.append_user_feedback(word('X'));
    return history;
}

acta::PromptOptions random_options(std::mt19937& random) {
    acta::PromptOptions options;
    options.count_tokens = &own_letters;
    const auto budget = [&random] { return random() % 3 == 0 ? acta::no_limit : random() % 200; };
    options.max_tokens = budget();
    options.max_full_tokens = budget();
    options.max_rolling_tokens = budget();
    options.keep_recent = random() % 6;
    options.full_stride = 1 + random() % 4;
    options.slack = random() % 2 == 0 ? 0 : 0.5;
    options.show_rolling_summary = random() % 4 != 0;
    return options;
}

void check_sums(const acta::PromptReport& report, const History& history) {
    CHECK(report.full.steps + report.older.steps + report.rolling.steps + report.omitted.steps == history.size());
    CHECK(report.shown_messages + report.hidden_messages + report.rolling_messages == history.messages().size());
    CHECK(report.hidden_steps <= report.omitted.steps);
    CHECK(report.first_step <= history.size());
    CHECK(report.unmeasured_steps == 0);
}

}  // namespace

TEST_CASE("the report of a prompt adds up, and counts the tokens that the prompt has") {
    std::mt19937 random(7);
    for (int round = 0; round < 400; ++round) {
        CAPTURE(round);
        const History history = random_history(random);
        const acta::PromptOptions options = random_options(random);
        const acta::Prompt prompt(options);
        const acta::PromptText shown = prompt.text(history);
        const acta::PromptReport& report = shown.report;
        INFO(shown.text);
        check_sums(report, history);
        CHECK(report.tokens == own_letters(shown.text));
        CHECK(report.pending_feedback == history.pending_feedback().size());
        CHECK(report.rolling.tokens == count_of(shown.text, "K"));
        CHECK(report.full.tokens + report.older.tokens == count_of(shown.text, "QZ"));
        // No line, no message and no summary takes more than its budget has.
        CHECK(report.rolling.tokens <= options.max_rolling_tokens);
        CHECK(report.older.tokens <= options.max_tokens);
        // What is left out of the texts of steps is counted, where nothing has a summary instead.
        const acta::PromptMessages messages = prompt.messages(history);
        std::size_t tokens = 0;
        for (const acta::ChatMessage& one : messages.messages) tokens += own_letters(one.content);
        CHECK(messages.report.tokens == tokens);
        check_sums(messages.report, history);
        const acta::PromptMessages native = acta::prompt_extension::native_prompt(history, options);
        tokens = 0;
        for (const acta::ChatMessage& one : native.messages) tokens += own_letters(one.content);
        CHECK(native.report.tokens == tokens);
    }
}

TEST_CASE("every option of a prompt arrives") {
    acta::PromptOptions options;
    auto& [max_tokens, max_full_tokens, keep_recent, full_stride, slack, show_rolling_summary, max_rolling_tokens,
           older_output, full_output, keep, keep_output, count_tokens] = options;
    count_tokens = &length;
    History history = history_of(9, std::string(300, 'x'));
    history.set_rolling_summary({.text = "Both were done.", .first = 0, .last = 1});
    const auto of = [&] { return acta::Prompt(options).text(history); };
    max_tokens = max_full_tokens = acta::no_limit;
    slack = 0;
    keep_recent = 3;
    CHECK(of().report.full.steps == 3);
    full_stride = 4;  // six older steps: two more, since four leave at a time
    CHECK(of().report.full.steps == 5);
    CHECK_THAT(of().text, contains_text("* Steps 1-2: Both were done."));
    max_rolling_tokens = 20;
    CHECK(of().text.find("Both were done.") == std::string::npos);
    show_rolling_summary = false;
    CHECK(of().report.rolling.steps == 0);
    CHECK(of().report.older.steps == 4);
    older_output = acta::OutputLimit{.characters = 50};
    full_output = acta::OutputLimit{.characters = 100};
    const auto lengths = [&] {  // of the outputs
        std::string out;
        const std::string text = of().text;
        for (std::size_t at = 0; (at = text.find('x', at)) != std::string::npos;) {
            const std::size_t end = std::min(text.find_first_not_of('x', at), text.size());
            if (end - at > 3) out += std::to_string(end - at) + " ";
            at = end;
        }
        return out;
    };
    CHECK(lengths() == "50 50 50 50 100 100 100 100 100 ");
    keep = [](const acta::PromptStep& step) { return step.index != 1; };
    CHECK(lengths() == "50 50 50 100 100 100 100 100 ");
    keep_output = [](const acta::PromptStep& step) { return step.index == 0 || step.index == 8; };
    CHECK(lengths() == "300 50 50 100 100 100 100 300 ");
    keep_output = {};
    max_full_tokens = 800;
    const std::size_t full = of().report.full.steps;
    CHECK(full < 5);
    CHECK(of().report.full.tokens <= 800);
    max_tokens = 400;
    const std::size_t older = of().report.older.steps;
    CHECK(older < 9 - full);
    CHECK(of().report.older.tokens <= 400);
    // With slack, some of the budget stays unused after lines were dropped.
    std::size_t dense = 0;
    std::size_t loose = 0;
    for (int i = 0; i < 12; ++i) {
        add_step(history, std::string(300, 'x'));
        slack = 0;
        dense += of().report.older.steps;
        slack = 0.5;
        loose += of().report.older.steps;
    }
    CHECK(loose < dense);
}

TEST_CASE("characters are counted as tokens are") {
    std::mt19937 random(8);
    for (int round = 0; round < 150; ++round) {
        CAPTURE(round);
        const History history = random_history(random);
        acta::PromptOptions options = random_options(random);
        options.count_tokens = [](std::string_view text) { return acta::utf8::count_code_points(text); };
        if (options.max_tokens < 200) options.max_tokens *= 5;
        if (options.max_full_tokens < 200) options.max_full_tokens *= 5;
        const acta::PromptReport text = acta::Prompt(options).text(history).report;
        const acta::PromptReport native = acta::prompt_extension::native_prompt(history, options).report;
        for (const acta::PromptReport& report : {text, native}) {
            for (const acta::PromptCount& one : {report.full, report.older, report.rolling, report.omitted})
                CHECK(one.characters == one.tokens);
        }
    }
}

TEST_CASE("a text that is cut to fit keeps two thirds from its beginning") {
    for (const std::size_t budget : {300U, 600U, 1200U, 2400U}) {
        const History history = history_of(1, std::string(3000, 'x') + std::string(3000, 'y'));
        acta::PromptOptions options = bytes();
        options.max_full_tokens = budget;
        const std::string text = acta::Prompt(options).text(history).text;
        const std::size_t end = text.find("xxx... (");
        REQUIRE(end != std::string::npos);
        const std::size_t head = end + 3 - text.find("* Step 1");  // with the call and the thoughts
        const std::size_t tail = count_of(text, "y") - count_of(text.substr(0, text.find("yyy")), "y");
        CHECK(tail > 20);
        CHECK(head >= 2 * tail);
        CHECK(head <= 2 * tail + 2);
    }
}

TEST_CASE("arguments that are cut to fit are as long as a power of two that fits") {
    std::size_t before = 0;
    for (const std::size_t budget : {1000U, 2000U, 4000U, 8000U, 16'000U}) {
        History history;
        history.register_action({.thoughts = "", .use_tool = {"write", {{"text", std::string(40'000, 'x')}}}});
        acta::PromptOptions options = bytes();
        options.max_full_tokens = budget;
        const acta::PromptMessages native = acta::prompt_extension::native_prompt(history, options);
        const acta::Json& text = native.messages.front().tool_calls.at(0).function.arguments.at("text");
        const std::size_t length = count_of(text.get<std::string>(), "x");
        CHECK((length & (length - 1)) == 0);
        if (before != 0) CHECK(length == 2 * before);
        CHECK(length < budget / 4);
        CHECK(2 * length + 60 > budget / 4);
        CHECK(native.report.cut_texts > 0);
        before = length;
    }
}

TEST_CASE("an image counts a thousand tokens") {
    History history;
    acta::ChatMessage message = acta::ChatMessage::user("See.");
    history.register_message(message);
    message.parts = {{.text = "See."}, {.type = "image", .media_type = "image/png", .data = "AAAA"}};
    History with_image;
    with_image.register_message(message);
    const auto tokens = [](const History& of) {
        return acta::prompt_extension::native_prompt(of, bytes()).report.tokens;
    };
    CHECK(tokens(with_image) == tokens(history) + 1000);
}
