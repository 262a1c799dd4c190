// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstddef>
#include <random>
#include <string>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/chat/extension.hpp"
#include "acta/prompt/messages.hpp"
#include "acta/prompt/prompt.hpp"
#include "prompt/prompts.hpp"
#include "support/catch.hpp"

using namespace prompts;

// The prompts of a run, which keep what finished steps look like from one request to the next.
namespace {

using acta::prompt_extension::PromptSeries;

/// Changes a history in one of the ways in which a run and its surroundings do.
void change(History& history, std::mt19937& random) {
    const auto any_step = [&] { return random() % history.size(); };
    const std::string text = "text " + std::to_string(random() % 1000) + std::string(random() % 400, 'x');
    switch (random() % 12) {
        case 0: history.register_message(acta::ChatMessage::user(text)); return;
        case 1: history.append_user_feedback(text); return;
        case 2: history.rewind(static_cast<std::int64_t>(random() % 3)); return;
        case 3:
        case 4:
            if (history.size() > history.open_calls().size())
                history.set_summary(history.id(any_step()), "Summary " + text.substr(0, 20));
            return;
        case 5:
            if (history.cursor() > 3)
                history.set_rolling_summary({.text = "Both " + text.substr(0, 20), .first = 0, .last = 1});
            return;
        default: break;
    }
    if (history.open_calls().empty()) {
        history.register_action({.thoughts = text, .use_tool = {"look", {{"at", text}}}});
    } else {
        if (random() % 3 == 0)
            history.register_result(acta::ActionErrorResult{.reason = text});
        else
            history.register_result(acta::ActionSuccessResult{.outputs = text});
    }
}

/// A series whose messages stay in place.
class KeptPrompt {
public:
    explicit KeptPrompt(bool native) : series(native) {}

    /// Returns the next prompt.
    acta::PromptMessages build(const History& history, const acta::PromptOptions& options,
                               const std::string& instruction = {}) {
        const std::vector<acta::ChatMessage> before = messages;
        const auto update = series.update(messages, history, options, instruction);
        // Those that are called the same are the same.
        REQUIRE(update.same <= std::min(before.size(), messages.size()));
        CHECK(std::equal(before.begin(), before.begin() + static_cast<std::ptrdiff_t>(update.same), messages.begin()));
        same = update.same;
        return {messages, update.report};
    }

    PromptSeries series;
    std::vector<acta::ChatMessage> messages{};
    std::size_t same = 0;
};

/// A series measures no omitted steps.
acta::PromptMessages unmeasured(acta::PromptMessages prompt, const acta::PromptMessages& of_series) {
    CHECK(of_series.report.omitted.characters <= prompt.report.omitted.characters);
    prompt.report.unmeasured_steps = of_series.report.unmeasured_steps;
    prompt.report.omitted.characters = of_series.report.omitted.characters;
    prompt.report.omitted.tokens = of_series.report.omitted.tokens;
    return prompt;
}

}  // namespace

TEST_CASE("prompts of a series are the same as each made anew, however the history changes") {
    std::mt19937 random(42);
    for (int round = 0; round < 6; ++round) {
        acta::PromptOptions options = bytes();
        options.max_tokens = 600;
        options.max_full_tokens = round % 2 == 0 ? 1500 : 400;
        options.full_output = acta::OutputLimit{.characters = 100};
        options.older_output = acta::OutputLimit{.characters = 50};
        options.keep_output = [](const acta::PromptStep& step) {
            return step.index % 3 == 0 && step.summary == nullptr;
        };
        History history;
        KeptPrompt native(true);
        KeptPrompt text(false);
        for (int i = 0; i < 150; ++i) {
            change(history, random);
            CAPTURE(round, i);
            // Another history with the same identities may follow, as a copy or a saved one that is restored.
            if (random() % 10 == 0) history = History(history);
            const std::string instruction = round < 3 ? "" : "Be brief.";
            acta::PromptMessages anew = acta::prompt_extension::native_prompt(history, options);
            acta::chat_extension::add_instruction(anew.messages, instruction);
            REQUIRE(native.build(history, options, instruction) == anew);
            const acta::PromptMessages shown = text.build(history, options, instruction);
            anew = unmeasured(acta::Prompt(options).messages(history), shown);
            acta::chat_extension::add_instruction(anew.messages, instruction);
            REQUIRE(shown == anew);
            if (random() % 2 == 0)
                REQUIRE(native.series.report_hidden(history, options) ==
                        PromptSeries().report_hidden(history, options));
            REQUIRE(native.series.count_hidden(history, options) ==
                    acta::prompt_extension::native_prompt(history, options).report.hidden_steps);
        }
    }
}

TEST_CASE("an instruction is put before the first message, of the system or not, once") {
    using acta::ChatMessage;
    const auto prompt = [](const std::vector<ChatMessage>& said, const std::string& instruction) {
        History history;
        for (const ChatMessage& one : said) history.register_message(one);
        KeptPrompt native(true);
        const std::vector<ChatMessage> first = native.build(history, bytes(), instruction).messages;
        CHECK(native.build(history, bytes(), instruction).messages == first);
        CHECK(native.same == first.size());
        return first;
    };
    const ChatMessage one = ChatMessage::system("One.");
    const ChatMessage two = ChatMessage::system("Two.");
    const ChatMessage user = ChatMessage::user("Hi.");
    const ChatMessage both = ChatMessage::system("Be brief.\n\nOne.");
    const ChatMessage brief = ChatMessage::system("Be brief.");
    using Messages = std::vector<ChatMessage>;
    CHECK(prompt({one, two, user}, "Be brief.") == Messages{both, two, user});
    CHECK(prompt({one, user, two}, "Be brief.") == Messages{both, user, two});
    CHECK(prompt({user, one}, "Be brief.") == Messages{brief, user, one});
    CHECK(prompt({}, "Be brief.") == Messages{brief});
    CHECK(prompt({one, user}, "") == Messages{one, user});
    CHECK(prompt({}, "").empty());
}

TEST_CASE("a series measures nothing of the steps that it hides") {
    acta::PromptOptions options = bytes();
    options.max_tokens = 0;
    options.keep_recent = 1;
    const History history = history_of(5);
    for (const bool native : {false, true}) {
        KeptPrompt series(native);
        for (const acta::PromptReport& report :
             {series.build(history, options).report, series.series.report_hidden(history, options)}) {
            CHECK(report.hidden_steps == 4);
            CHECK(report.omitted == acta::PromptCount{4, 0, 0});
            CHECK(report.unmeasured_steps == 4);
        }
        CHECK(series.series.count_hidden(history, options) == 4);
    }
}

TEST_CASE("lines that eight prompts did not show are still known, and those that nine did not show are not") {
    std::size_t counted = 0;
    // What is counted when lines return after this many other prompts, or after reports of such.
    const auto again = [&counted](int others, bool reports) {
        acta::PromptOptions options = bytes();
        options.count_tokens = [&counted](std::string_view text) { return ++counted, text.size(); };
        options.keep_recent = 1;
        const History history = history_of(30);
        KeptPrompt series(true);
        static_cast<void>(series.build(history, options));
        acta::PromptOptions without_lines = options;
        without_lines.max_tokens = 0;
        for (int i = 0; i < others; ++i) {
            if (reports)
                static_cast<void>(series.series.count_hidden(history, without_lines));
            else
                static_cast<void>(series.build(history, without_lines));
        }
        counted = 0;
        static_cast<void>(series.build(history, options));
        return counted;
    };
    const std::size_t known = again(0, false);
    CHECK(known < 10);
    for (const bool reports : {false, true}) {
        CHECK(again(8, reports) == known);
        CHECK(again(9, reports) == known + 29);
    }
}

TEST_CASE("the messages of steps stay in place until one leaves the full part") {
    acta::PromptOptions options = bytes();
    options.max_tokens = options.max_full_tokens = options.keep_recent = 100'000;
    History history = history_of(5);
    KeptPrompt whole(true);
    options.keep_recent = 3;
    KeptPrompt part(true);
    for (int i = 0; i < 5; ++i) {
        history.register_action({.thoughts = "More.", .use_tool = {"look", {{"at", i}}}});
        history.register_result(acta::ActionSuccessResult{.outputs = "It is there."});
        history.set_summary(history.id(history.size() - 1), "It was there.");
        options.keep_recent = 100'000;
        const std::size_t before = whole.messages.size();
        static_cast<void>(whole.build(history, options));
        CHECK(whole.same == before);
        options.keep_recent = 3;
        options.full_stride = 100;
        const std::size_t shown = part.messages.size();
        static_cast<void>(part.build(history, options));
        CHECK(part.same == (i == 0 ? 0 : shown));
    }
    history.register_message(acta::ChatMessage::user("Thanks."));
    const std::size_t before = whole.messages.size();
    options.keep_recent = 100'000;
    static_cast<void>(whole.build(history, options));
    CHECK(whole.same == before);
    history.rewind(2);
    static_cast<void>(whole.build(history, options));
    CHECK(whole.same < before);
}

TEST_CASE("a series counts the tokens of new steps alone") {
    std::size_t counted = 0;
    acta::PromptOptions options;
    options.max_tokens = options.max_full_tokens = 100'000;
    options.count_tokens = [&counted](std::string_view text) { return ++counted, text.size(); };
    History history = history_of(10);
    KeptPrompt series(true);
    static_cast<void>(series.build(history, options));
    for (const std::size_t more : {20U, 40U}) {
        for (std::size_t i = 0; i < more; ++i) {
            history.register_action({.thoughts = "More.", .use_tool = {"look", {}}});
            history.register_result(acta::ActionSuccessResult{.outputs = "It is there."});
            counted = 0;
            static_cast<void>(series.build(history, options));
            CHECK(counted <= 20);  // the new step, the one that became a line, and the heading
        }
    }
    // All of them, if each prompt is made anew.
    counted = 0;
    static_cast<void>(acta::prompt_extension::native_prompt(history, options));
    CHECK(counted > history.size());
}

TEST_CASE("a series that reports what all forms hide counts the tokens of new steps alone") {
    std::size_t counted = 0;
    acta::PromptOptions options;
    options.max_tokens = 2000;
    options.max_full_tokens = 3000;
    options.count_tokens = [&counted](std::string_view text) { return counted += text.size(), text.size(); };
    History history = history_of(100);
    KeptPrompt series(true);
    const auto work = [&] {
        counted = 0;
        static_cast<void>(series.build(history, options));
        static_cast<void>(series.series.report_hidden(history, options));
        return counted;
    };
    const std::size_t first = work();
    REQUIRE(series.series.report_hidden(history, options).hidden_steps > 0);
    for (int i = 0; i < 5; ++i) {
        history.register_action({.thoughts = "More.", .use_tool = {"look", {}}});
        history.register_result(acta::ActionSuccessResult{.outputs = "It is there."});
        CHECK(work() * 4 < first);
    }
}
