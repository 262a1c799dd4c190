// SPDX-License-Identifier: MIT
#include "acta/compress/rolling_summary.hpp"

#include <stdexcept>
#include <string>
#include <vector>

#include "acta/chat/chat_model.hpp"
#include "acta/compress/chat_summarizer.hpp"
#include "acta/compress/compress.hpp"
#include "acta/compress/extractive.hpp"
#include "acta/json/json.hpp"
#include "compress/steps.hpp"
#include "measure/long_run.hpp"
#include "support/bounds.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"
#include "support/sizes.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using acta::SummaryRequest;

/// Options for a prompt of about twenty lines of summaries.
acta::RollingSummaryOptions small() {
    acta::RollingSummaryOptions options;
    options.prompt.max_tokens = 200;
    options.prompt.keep_recent = 2;
    options.prompt.slack = 0;
    return options;
}

History summarised(std::size_t steps) {
    History history = steps::finished(steps);
    for (std::size_t i = 0; i < steps; ++i) history.set_summary(history.id(i), "summary of step " + std::to_string(i));
    return history;
}

std::string prompt_of(const History& history, const acta::RollingSummaryOptions& options) {
    return acta::Prompt(options.prompt).text(history).text;
}

}  // namespace

TEST_CASE("steps that leave the prompt are condensed, one batch after another") {
    History history = summarised(100);
    std::vector<std::string> texts;
    const auto summarizer = [&](std::string_view text, const SummaryRequest& request) {
        CHECK(request.instruction == acta::rolling_instruction);
        CHECK(request.one_line);
        CHECK(request.max_tokens == 300);
        texts.emplace_back(text);
        return "so far " + std::to_string(texts.size());
    };
    const acta::RollingSummaryOptions options = small();
    CHECK_THAT(prompt_of(history, options), contains_text("earlier steps are not shown"));
    const auto report = acta::update_rolling_summary(history, summarizer, options);
    CHECK_FALSE(report.error.has_value());
    REQUIRE(history.rolling_summary() != nullptr);
    CHECK(history.rolling_summary()->first == 0);
    CHECK(report.steps == static_cast<std::size_t>(history.rolling_summary()->last) + 1);
    CHECK(report.steps > 64);
    CHECK(report.time.count() > 0);
    REQUIRE(texts.size() == 3);
    CHECK(texts[0].rfind("* Step 1: summary of step 0\n* Step 2: summary of step 1\n", 0) == 0);
    CHECK(texts[1].rfind("so far 1\n\n* Step 33: summary of step 32\n", 0) == 0);
    CHECK(texts[2].rfind("so far 2\n\n* Step 65: ", 0) == 0);
    const std::string prompt = prompt_of(history, options);
    CHECK(prompt.find("not shown") == std::string::npos);
    CHECK(acta::Prompt(options.prompt).messages(history).report.hidden_steps == 0);
    CHECK_THAT(prompt, contains_text("* Steps 1-" + std::to_string(report.steps) + ": so far 3"));

    // Nothing left, so nothing is asked.
    CHECK(acta::update_rolling_summary(history, summarizer, options).steps == 0);
    CHECK(texts.size() == 3);
    // A few more steps cost one more question of those steps alone.
    for (std::size_t i = 100; i < 110; ++i) {
        steps::add(history, i);
        history.set_summary(history.id(i), "summary of step " + std::to_string(i));
    }
    const auto more = acta::update_rolling_summary(history, summarizer, options);
    CHECK(more.steps > 5);
    CHECK(more.steps < 15);
    REQUIRE(texts.size() == 4);
    CHECK(texts[3].rfind("so far 3\n\n* Step ", 0) == 0);
    CHECK(history.rolling_summary()->first == 0);
    // It is kept with the history.
    CHECK(*lvalue(acta::parse<History>(acta::dump(history))).rolling_summary() == *history.rolling_summary());
}

TEST_CASE("a history that fits its prompt has no rolling summary") {
    History history = summarised(10);
    const auto never = [](std::string_view, const SummaryRequest&) -> std::string { throw std::logic_error("asked"); };
    const auto report = acta::update_rolling_summary(history, never);
    CHECK(report.steps == 0);
    CHECK_FALSE(report.error.has_value());
    CHECK(history.rolling_summary() == nullptr);
}

TEST_CASE("a failure keeps what was condensed before it, and is in the report") {
    History history = summarised(100);
    int calls = 0;
    const auto second_fails = [&calls](std::string_view, const SummaryRequest&) -> std::string {
        if (++calls == 2) throw std::runtime_error("no network");
        return "so far";
    };
    const acta::RollingSummaryOptions options = small();
    auto report = acta::update_rolling_summary(history, second_fails, options);
    REQUIRE(report.error.has_value());
    CHECK(report.error->message == "no network");
    CHECK(report.steps == 32);
    CHECK(history.rolling_summary()->last == 31);
    CHECK_THAT(prompt_of(history, options), contains_text("* Steps 1-32: so far"));
    CHECK_THAT(prompt_of(history, options), contains_text("earlier steps are not shown"));
    report = acta::update_rolling_summary(history, second_fails, options);
    CHECK_FALSE(report.error.has_value());
    CHECK(prompt_of(history, options).find("not shown") == std::string::npos);
    // An unusable text is also a failure.
    History other = summarised(100);
    report = acta::update_rolling_summary(
        other, [](std::string_view, const SummaryRequest&) { return " "; }, options);
    CHECK(report.error->message == "the summarizer returned an empty summary");
    CHECK(other.rolling_summary() == nullptr);
}

TEST_CASE("a stop and a deadline end it") {
    History history = summarised(100);
    acta::RollingSummaryOptions options = small();
    acta::stop_source source;
    options.until.stop = source.get_token();
    const auto stops = [&source](std::string_view, const SummaryRequest& request) {
        source.request_stop();
        return request.until.stop.stop_requested() ? "so far" : "";
    };
    CHECK(acta::update_rolling_summary(history, stops, options).steps == 32);
    CHECK(acta::update_rolling_summary(history, stops, options).steps == 0);
    options.until.stop = {};
    options.until.deadline = std::chrono::steady_clock::now() - std::chrono::seconds(1);
    CHECK(acta::update_rolling_summary(history, stops, options).steps == 0);
}

TEST_CASE("a rolling summary is not stored if its steps are rewound away meanwhile") {
    acta::SharedHistory<> shared(summarised(100));
    const auto rewinds = [&shared](std::string_view, const SummaryRequest&) {
        shared.lock()->rewind(90);
        return "of steps that are gone";
    };
    const auto report = acta::update_rolling_summary(shared, rewinds, small());
    CHECK(report.skipped);
    CHECK(report.steps == 0);
    CHECK(lvalue(shared.snapshot()).rolling_summary() == nullptr);
    CHECK(acta::update_rolling_summary(shared, acta::ExtractiveSummarizer{}, small()).steps == 0);
}

TEST_CASE("what two updates do at the same time is stored once") {
    acta::SharedHistory<> shared(summarised(60));
    const acta::RollingSummaryOptions options = small();
    bool first = true;
    const auto races = [&](std::string_view, const SummaryRequest&) {
        if (std::exchange(first, false)) {
            acta::RollingSummaryReport inner =
                acta::update_rolling_summary(shared, acta::ExtractiveSummarizer{}, options);
            CHECK(inner.steps > 0);
        }
        return "so far";
    };
    static_cast<void>(acta::update_rolling_summary(shared, races, options));
    CHECK(prompt_of(shared.snapshot(), options).find("not shown") == std::string::npos);
}

TEST_CASE("the redactor sees what is read of the steps and what is stored") {
    History history;
    for (std::size_t i = 0; i < 60; ++i) {
        acta::ActionProposal<> proposal = steps::proposal(i);
        proposal.thoughts = "IMPORTANT: the password is s3cret";
        proposal.use_tool.arguments = acta::JsonObject{{"password", "s3cret"}};
        history.register_action(std::move(proposal));
        history.register_result(steps::result("/home/s3cret/notes.txt has " + std::to_string(i)));
    }
    acta::RollingSummaryOptions options = small();
    options.redactor = [](std::string_view text) {
        std::string out(text);
        for (std::size_t at = 0; (at = out.find("s3cret", at)) != std::string::npos;) out.replace(at, 6, "***");
        return out;
    };
    const auto summarizer = [](std::string_view text, const SummaryRequest&) {
        CHECK(text.find("s3cret") == std::string_view::npos);
        return "s3cret";
    };
    static_cast<void>(acta::update_rolling_summary(history, summarizer, options));
    REQUIRE(history.rolling_summary() != nullptr);
    CHECK(acta::dump(*history.rolling_summary()).find("s3cret") == std::string::npos);
    CHECK_THAT(to_string(*history.rolling_summary()), contains_text("*** (kept: IMPORTANT: the password is ***"));
}

TEST_CASE("steps that a filter refuses leave without a trace") {
    History history = summarised(60);
    acta::RollingSummaryOptions options = small();
    options.prompt.keep = [](const acta::PromptStep& step) { return step.index != 2; };
    std::string all;
    const auto summarizer = [&all](std::string_view text, const SummaryRequest&) {
        all += text;
        return "so far";
    };
    static_cast<void>(acta::update_rolling_summary(history, summarizer, options));
    CHECK(all.find("* Step 3:") == std::string::npos);
    CHECK_THAT(all, contains_text("* Step 4: summary of step 3"));
    CHECK(prompt_of(history, options).find("not shown") == std::string::npos);
    // If nothing else leaves, the summary stays as it is.
    History refused = summarised(120);
    refused.set_rolling_summary({.text = "so far", .first = 0, .last = 9});
    options.prompt.keep = [](const acta::PromptStep& step) { return step.index < 10 || step.index >= 60; };
    all.clear();
    static_cast<void>(acta::update_rolling_summary(refused, summarizer, options));
    CHECK_THAT(all, starts_with_text("so far\n\n* Step 61: summary of step 60\n"));
}

TEST_CASE("what was said after the steps that leave stays, and a step or a message is condensed to 60 tokens") {
    History history;
    history.register_message(
        acta::ChatMessage::user("Note the depths of the harbour, pier by pier: " + std::string(4000, 'd')));
    for (std::size_t i = 0; i < 40; ++i) {
        acta::ActionProposal<> proposal = steps::proposal(i);
        history.register_action(std::move(proposal));
        std::string output;
        for (int line = 0; line < 40; ++line) output += "Pier " + std::to_string(line) + " is deep. ";
        history.register_result(steps::result(output));
    }
    history.register_message(acta::ChatMessage::user("Late words."));
    std::string all;
    const auto summarizer = [&all](std::string_view text, const SummaryRequest&) {
        all.append(text).append("\n");
        return "so far";
    };
    static_cast<void>(acta::update_rolling_summary(history, summarizer, small()));
    CHECK(all.find("Late words.") == std::string::npos);
    std::size_t lines = 0;
    for (std::size_t at = all.find("* "); at != std::string::npos; at = all.find("\n* ", at + 1)) {
        const std::size_t end = std::min(all.find('\n', at + 1), all.size());
        CHECK(acta::EstimateTokens{}(all.substr(at, end - at)) <= 60 + 8);  // with the words before it
        ++lines;
    }
    CHECK(lines > 30);
}

namespace {

/// The summary of steps with these outputs. A byte counts as a token.
acta::RollingSummary rolled(const std::vector<std::string>& outputs, acta::RollingSummaryOptions options = {}) {
    options.prompt.max_tokens = 0;
    options.prompt.keep_recent = 1;
    if (outputs.size() > 32) throw std::logic_error("more than one batch");
    History history;
    for (std::size_t i = 0; i <= outputs.size(); ++i) {
        acta::ActionProposal<> proposal;
        proposal.use_tool.name = "work";
        history.register_action(std::move(proposal));
        history.register_result(steps::result(i < outputs.size() ? outputs[i] : ""));
    }
    const auto condense = [](std::string_view, const SummaryRequest&) { return "Things were done."; };
    CHECK(acta::update_rolling_summary(history, condense, options).steps == outputs.size());
    return *history.rolling_summary();
}

acta::RollingSummaryOptions rolled_by_bytes() {
    acta::RollingSummaryOptions options;
    options.count_tokens = [](std::string_view text) { return text.size(); };
    return options;
}

/// So many names of nine bytes, from `name_1000 + first` on.
std::string names(std::size_t first, std::size_t count, const std::string& end = " ") {
    std::string out;
    for (std::size_t i = first; i < first + count; ++i) out += "name_" + std::to_string(1000 + i) + end;
    return out;
}

}  // namespace

TEST_CASE("facts and marked sentences of a rolling summary are as long as they may be") {
    const auto kept = [](const std::string& fact) {  // in two steps
        const acta::RollingSummary summary = rolled({"See " + fact + " .", "And " + fact + " ."});
        return summary.facts.size() == 1 && summary.facts[0] == acta::RememberedFact{fact, 2, false};
    };
    for (const char* const fact : {"/a", "x://y", "a12", "a_b", "123", "12%"}) CHECK(kept(fact));
    for (const char* const fact : {"a1", "12", "word"}) CHECK_FALSE(kept(fact));
    below_at_above(160, [&](std::size_t size) { return kept("/" + std::string(size - 1, 'a')); });
    const auto marked = [](std::size_t size) {
        const std::vector<acta::RememberedFact> facts = rolled({"NOTE: " + std::string(size - 6, 'x')}).facts;
        return facts.empty() ? std::string() : facts.at(0).text;
    };
    below_at_above(400, [&](std::size_t size) { return !marked(size).empty(); });
    below_at_above(240, [&](std::size_t size) { return marked(size) == "NOTE: " + std::string(size - 6, 'x'); });
    CHECK(marked(241) == "NOTE: " + std::string(234, 'x') + "\xE2\x80\xA6");
    // What the text says already, and the names of tools, are not facts.
    acta::RollingSummaryOptions all = rolled_by_bytes();
    all.is_marked = [](std::string_view sentence) { return sentence.starts_with("Things"); };
    CHECK(rolled({"Things were done."}, all).facts.empty());
    all.is_marked = nullptr;
    CHECK(rolled({"NOTE: a"}, all).facts.empty());
    CHECK_FALSE(kept("work"));
    // What was marked once stays so.
    all.is_marked = [](std::string_view sentence) { return sentence == "a_b"; };
    CHECK(rolled({"a_b", "See a_b ."}, all).facts ==
          std::vector<acta::RememberedFact>{acta::RememberedFact{"a_b", 3, true}});
}

TEST_CASE("a rolling summary has at most 16 bytes for each token, and less than one more") {
    below_at_above(16 * 4 + 15, [](std::size_t size) {
        History history = summarised(60);
        acta::RollingSummaryOptions options = small();
        options.max_tokens = 4;
        const auto summarizer = [size](std::string_view, const SummaryRequest&) { return std::string(size, 's'); };
        return !acta::update_rolling_summary(history, summarizer, options).error;
    });
}

TEST_CASE("of a step 24 facts are kept, those that came up before first") {
    CHECK(rolled({names(0, 24)}).candidates.size() == 24);
    CHECK(rolled({names(0, 30)}).candidates.size() == 24);
    const acta::RollingSummary known = rolled({names(29, 1), names(0, 30)});
    CHECK(known.candidates.size() == 23);
    REQUIRE(known.facts.size() == 1);
    CHECK(known.facts[0] == acta::RememberedFact{"name_1029", 2, false});
    // Paths and addresses come before names, names before numbers.
    const acta::RollingSummary ranked = rolled({"1234 " + names(0, 22) + " a_b /c"});
    REQUIRE(ranked.candidates.size() == 24);
    CHECK(ranked.candidates.front().text == "/c");
    CHECK(ranked.candidates.back().text == "a_b");
    CHECK(rolled({"1234 " + names(0, 22) + " x://y"}).candidates.back().text == "1234");
}

TEST_CASE("500 tokens of facts are shown, 350 of them marked sentences at most") {
    const acta::RollingSummaryOptions bytes = rolled_by_bytes();
    std::vector<std::string> twice;
    for (int round = 0; round < 2; ++round) {
        for (std::size_t i = 0; i < 60; i += 20) twice.push_back(names(i, 20));
    }
    const acta::RollingSummary repeated = rolled(twice, bytes);  // ten tokens each
    CHECK(repeated.facts.size() == 50);
    CHECK(repeated.facts.back().text == "name_1049");
    CHECK(repeated.candidates.size() == 10);
    std::string notes;
    for (int i = 10; i < 50; ++i) notes += "NOTE: x" + std::to_string(i) + "\n";
    twice.push_back(notes);
    const acta::RollingSummary both = rolled(twice, bytes);
    CHECK(std::ranges::count(both.facts, true, &acta::RememberedFact::marked) == 35);
    CHECK(both.facts.size() == 50);
}

TEST_CASE("facts are shown up to the last token, those that came up most often first, and names before numbers") {
    const acta::RollingSummaryOptions bytes = rolled_by_bytes();
    below_at_above(9, [&bytes](std::size_t size) {  // 49 of ten tokens, and one more
        const std::string last = std::string(size - 2, 'a') + "_b";
        std::vector<std::string> twice;
        for (int round = 0; round < 2; ++round) {
            for (const std::size_t i : {0U, 20U}) twice.push_back(names(i, 20));
            twice.push_back(names(40, 9) + last);
        }
        const std::vector<acta::RememberedFact> facts = rolled(twice, bytes).facts;
        CHECK(facts.size() >= 49);
        return facts.size() == 50;
    });
    below_at_above(9, [&bytes](std::size_t size) {  // the same with 350 of marked sentences
        std::string notes;
        for (int i = 10; i < 44; ++i) notes += "NOTE: x" + std::to_string(i) + "\n";
        notes += "NOTE: " + std::string(size - 6, 'z');
        const std::vector<acta::RememberedFact> facts = rolled({notes}, bytes).facts;
        CHECK(facts.size() >= 34);
        return facts.size() == 35;
    });
    acta::RollingSummaryOptions one = bytes;
    one.count_tokens = [](std::string_view) { return std::size_t{499}; };
    const auto first = [&one](const std::vector<std::string>& outputs) {
        return rolled(outputs, one).facts.at(0).text;
    };
    CHECK(first({"a_b 1234", "a_b 1234"}) == "a_b");
    CHECK(first({"1234 a_b", "1234 a_b"}) == "a_b");
    CHECK(first({"1234 a_b", "1234 a_b", "1234"}) == "1234");
    CHECK(first({"a_b 1234", "a_b 1234", "1234"}) == "1234");
    CHECK(first({"a_b c_d", "c_d a_b", "c_d"}) == "c_d");
}

TEST_CASE("256 facts that are not shown are remembered, half of them such as came up again") {
    acta::RollingSummaryOptions none = rolled_by_bytes();
    none.count_tokens = [](std::string_view) { return std::size_t{1000}; };      // no fact is shown
    const auto remembered = [&none](std::size_t repeated, std::size_t single) {  // steps of 16 names each
        std::vector<std::string> outputs;
        for (std::size_t i = 0; i < 2 * repeated; ++i) outputs.push_back(names(i % repeated * 16, 16));
        for (std::size_t i = 0; i < single; ++i) outputs.push_back(names(1000 + i * 16, 16));
        const acta::RollingSummary summary = rolled(outputs, none);
        CHECK(summary.facts.empty());
        std::string out;
        for (const bool again : {true, false}) {
            std::size_t count = 0;
            std::string first;
            std::string last;
            for (const acta::RememberedFact& fact : summary.candidates) {
                if ((fact.steps > 1) != again) continue;
                if (count++ == 0) first = fact.text.substr(5);
                last = fact.text.substr(5);
            }
            out += std::to_string(count) + " from " + first + " to " + last + "\n";
        }
        return out;
    };
    CHECK(remembered(8, 8) == "128 from 1000 to 1127\n128 from 2000 to 2127\n");
    CHECK(remembered(8, 10) == "128 from 1000 to 1127\n128 from 2032 to 2159\n");   // the latest
    CHECK(remembered(10, 10) == "128 from 1000 to 1127\n128 from 2032 to 2159\n");  // the oldest of those again
    CHECK(remembered(12, 5) == "176 from 1000 to 1175\n80 from 2000 to 2079\n");
    CHECK(remembered(4, 14) == "64 from 1000 to 1063\n192 from 2032 to 2223\n");
}

TEST_CASE("sentences are marked by the word they begin with") {
    for (const char* const marked :
         {"IMPORTANT: the key is red", "- **Note:** see below", "> remember : this", "TODO: x",
          "* Key finding: it leaks", "`Decision`: go", "\xE9\x87\x8D\xE8\xA6\x81: x", "\xE6\xB3\xA8\xE6\x84\x8F",
          "- \xE8\xAE\xB0\xE4\xBD\x8F", "lesson learned :"})
        CHECK(acta::is_marked_sentence(marked));
    for (const char* const plain :
         {"", "  ", "importantly: x", "This is important: x", "notes: x", "error: disk is full", "important",
          "http://x", "a note: x", "lesson learned  :", ":", "* :", " _ : x"})
        CHECK_FALSE(acta::is_marked_sentence(plain));
}

TEST_CASE("marked sentences, feedback and repeated facts are kept word for word") {
    History history;
    for (std::size_t i = 0; i < 200; ++i) {
        acta::ActionProposal<> proposal = steps::proposal(i);
        if (i == 3) proposal.thoughts = "I look. Note: the tide turns at noon. Then on.";
        if (i == 5 || i == 30) proposal.use_tool.arguments = acta::JsonObject{{"path", "data/tides_2024.csv"}};
        history.register_action(std::move(proposal));
        if (i == 7)
            history.register_result(acta::ActionInterruptedByHuman{.feedback = "Never write to the live server."});
        else
            history.register_result(steps::result("output " + std::to_string(i)));
    }
    acta::RollingSummaryOptions options = small();
    const auto forgetful = [](std::string_view, const SummaryRequest&) { return "Things were done."; };
    static_cast<void>(acta::update_rolling_summary(history, forgetful, options));
    const std::string prompt = prompt_of(history, options);
    CHECK_THAT(prompt, contains_text("Note: the tide turns at noon."));
    CHECK_THAT(prompt, contains_text("Never write to the live server."));
    CHECK_THAT(prompt, contains_text("data/tides_2024.csv"));
    CHECK(history.rolling_summary()->candidates.size() <= 256);
    // The rule can be replaced.
    History again = history;
    again.clear_rolling_summary();
    options.is_marked = [](std::string_view sentence) { return sentence == "output 9"; };
    static_cast<void>(acta::update_rolling_summary(again, forgetful, options));
    CHECK_THAT(prompt_of(again, options), contains_text("output 9"));
    CHECK(prompt_of(again, options).find("noon") == std::string::npos);
}

TEST_CASE("what was said between the steps is condensed with them") {
    History history;
    history.register_message(acta::ChatMessage::system("You watch the tides."));
    history.register_message(acta::ChatMessage::user("Read the logs. data:image/png;base64," + std::string(4000, 'A')));
    for (std::size_t i = 0; i < 100; ++i) {
        steps::add(history, i);
        history.set_summary(history.id(i), "summary of step " + std::to_string(i));
        if (i == 1) history.register_message(acta::ChatMessage::user("Skip the password: tide99."));
        if (i == 40) {
            history.register_answer(acta::AssistantChatMessage{.content = "Forty are read. NOTE: the fifth is empty."});
            history.register_message(acta::ChatMessage::user("Then the others."));
        }
    }
    acta::RollingSummaryOptions options = small();
    options.prompt.max_tokens = 60;
    options.redactor = [](std::string_view text) { return acta::mask_secrets(text); };
    std::vector<std::string> texts;
    const auto summarizer = [&](std::string_view text, const SummaryRequest&) {
        texts.emplace_back(text);
        return std::string("Logs were read.");
    };
    static_cast<void>(acta::update_rolling_summary(history, summarizer, options));
    REQUIRE(texts.size() > 1);
    CHECK_THAT(texts[0], starts_with_text("* User: Read the logs. <image/png, 3000 bytes>\n* Step 1: "));
    CHECK_THAT(texts[0], contains_text("* Step 2: summary of step 1\n* User: Skip the password: [secret]\n* Step 3: "));
    CHECK_THAT(texts[1], contains_text("* Step 41: summary of step 40\n* Assistant: Forty are read. NOTE: the fifth is "
                                       "empty.\n* User: Then the others.\n* Step 42: "));
    // A person's words and marked sentences are kept; messages that are not shown are in the summary.
    const acta::PromptText prompt = acta::Prompt(options.prompt).text(history);
    CHECK_THAT(prompt.text, contains_text("Skip the password: [secret]"));
    CHECK_THAT(prompt.text, contains_text("NOTE: the fifth is empty."));
    CHECK_THAT(prompt.text, !contains_text("not shown"));
    CHECK(prompt.report.hidden_messages == 0);
    CHECK(prompt.report.rolling_messages + prompt.report.shown_messages == history.messages().size());
    CHECK(prompt.report.rolling_messages > 0);
}

TEST_CASE("in a long run the prompt stays bounded, and marked and repeated facts of the first steps survive") {
    const std::size_t steps_of_run = test_size(500, 1000);
    History history;
    acta_measure::LongRun run;
    acta::RollingSummaryOptions options;
    std::size_t most = 0;
    while (history.size() < steps_of_run) {
        run.step(history);
        if (history.size() % 10 != 0) continue;
        static_cast<void>(acta::handle_compression(history, acta::ExtractiveSummarizer{}));
        CHECK_FALSE(acta::update_rolling_summary(history, acta::ExtractiveSummarizer{}, options).error.has_value());
        most = std::max(most, acta::Prompt(options.prompt).text(history).report.tokens);
    }
    const acta::PromptText prompt = acta::Prompt(options.prompt).text(history);
    CHECK(most <= 1024 + 4096 + 1024 + 60);
    CHECK(prompt.report.hidden_steps == 0);
    REQUIRE(run.marked.size() == 2);
    REQUIRE(run.repeated.size() == 6);
    CHECK(acta_measure::LongRun::percent(run.marked, prompt.text) == 100.0);
    CHECK(acta_measure::LongRun::percent(run.repeated, prompt.text) == 100.0);
    // Without it nothing of them is left.
    history.clear_rolling_summary();
    const std::string without = acta::Prompt(options.prompt).text(history).text;
    CHECK(acta_measure::LongRun::percent(run.marked, without) == 0.0);
    CHECK(acta_measure::LongRun::percent(run.repeated, without) == 0.0);
}
