// SPDX-License-Identifier: MIT
#include "acta/history/stuck.hpp"

#include <cstdint>
#include <optional>
#include <sstream>
#include <string>
#include <utility>
#include <vector>

#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/noise.hpp"
#include "support/recorded.hpp"
#include "support/steps.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using acta::Stuck;
using acta::StuckOptions;
using acta::StuckPattern;

acta::ActionResult interrupted() { return acta::ActionInterruptedByHuman{"stop"}; }

void add(History& history, const std::string& tool, acta::ActionResult result, const std::string& thoughts = "so") {
    acta::ActionProposal<> proposal;
    proposal.thoughts = thoughts;
    proposal.use_tool = {tool, {{"path", "a"}}};
    history.register_action(std::move(proposal));
    history.register_result(std::move(result));
}

/// A step that calls nothing: documents of others have such.
void say(History& history, const std::string& words, std::optional<acta::ActionResult> result) {
    acta::HistoryRecord<acta::ActionProposal<>> record = history.record();
    record.episodes.emplace_back();
    record.episodes.back().action.thoughts = words;
    record.cursor = static_cast<std::int64_t>(record.episodes.size()) - (result ? 0 : 1);
    record.episodes.back().result = std::move(result);
    history = History(std::move(record));
}

/// Steps by letters: `a` and `b` succeed always in one way, `n` with other outputs each time, `e` fails with other
/// reasons each time, `f` always with one, `t` is talk, `h` is interrupted by a human, `c` condenses; of two calls both
/// are interrupted in `q`, and one in `p`. `u` is a message of the user, `m` one of the system.
History of(const std::string& steps) {
    History history;
    int number = 0;
    for (const char step : steps) {
        const std::string other = std::to_string(++number);
        if (step == 'n') add(history, "n", done(other));
        if (step == 'e') add(history, "e", failed(other));
        if (step == 'f') add(history, "f", failed("always"));
        if (step == 't') say(history, "I shall begin.", done(""));
        if (step == 'h') add(history, "a", interrupted());
        if (step == 'm') history.register_message(acta::ChatMessage::system("It is noon."));
        if (step == 'u') history.register_message(acta::ChatMessage::user("Go on."));
        if (step == 'p' || step == 'q') {
            acta::ActionProposal<> proposal;
            acta::set_calls(proposal, {{"a", {}}, {"b", {}}});
            history.register_action(std::move(proposal));
            history.register_results(
                {{"call_0", interrupted()}, {"call_1", step == 'q' ? interrupted() : done(other)}});
        }
        if (step == 'c') add(history, "condensation", done("ok"));
        if (step == 'a' || step == 'b') add(history, std::string(1, step), done("ok"), "thoughts " + other);
    }
    return history;
}

/// `same_result 1 4` or nothing.
std::string found(const History& history, const StuckOptions& options = {}) {
    const std::optional<Stuck> stuck = acta::stuck(history, options);
    if (!stuck) return "";
    return std::string(to_string(stuck->pattern)) + " " + std::to_string(stuck->first) + " " +
           std::to_string(stuck->count);
}

}  // namespace

TEST_CASE("an agent that gets on is not stuck") {
    for (const char* steps : {"", "a", "aaa", "baaa", "aaab",
                              "ababab"
                              "n",
                              "nnnnnnnn", "ee", "aeea", "tt", "tta", "ababa", "abaabb", "aabbaabb", "ccccccccc",
                              "ccccccccca", "nenenene"}) {
        CAPTURE(steps);
        CHECK(found(of(steps)).empty());
    }
}

TEST_CASE("each pattern is found with its steps") {
    CHECK(found(of("aaaa")) == "same_result 0 4");
    CHECK(found(of("bnaaaaaa")) == "same_result 2 6");
    CHECK(found(of("eee")) == "same_error 0 3");
    CHECK(found(of("aeeee")) == "same_error 1 4");
    CHECK(found(of("afff")) == "same_error 1 3");
    CHECK(found(of("ttt")) == "monologue 0 3");
    CHECK(found(of("attt")) == "monologue 1 3");
    CHECK(found(of("ababab")) == "alternating 0 6");
    CHECK(found(of("naabababab")) == "alternating 2 8");
    CHECK(found(of("afafaf")) == "alternating 0 6");
    CHECK(found(of("acccccccccc")) == "condensation 1 10");
}

TEST_CASE("an agent whose calls are all refused is stuck, unless the user says something") {
    const std::vector<std::pair<const char*, const char*>> rows{{"hhhhh", "refused 0 5"},
                                                                {"hhhh", ""},
                                                                {"ahhhhhh", "refused 1 6"},
                                                                {"hhhhha", ""},
                                                                {"qqqqq", "refused 0 5"},
                                                                {"hqhqh", "refused 0 5"},
                                                                {"hhphhhhh", "refused 3 5"},
                                                                {"hhphhhh", ""},
                                                                {"hhuhhh", ""},
                                                                {"huhhhhh", "refused 1 5"},
                                                                {"uhhhhh", "refused 0 5"},
                                                                {"hhhhhu", ""},
                                                                {"huhhmhhh", "refused 1 5"},
                                                                {"hhhuhhmhh", ""},
                                                                {"aaahaaa", ""},
                                                                {"aahaaaa", "same_result 3 4"},
                                                                {"ffhff", ""},
                                                                {"fhfff", "same_error 2 3"},
                                                                {"abahbab", ""},
                                                                {"abhababab", "alternating 3 6"},
                                                                {"ccccchccccc", ""},
                                                                {"tthtt", ""}};
    for (const auto& [steps, wanted] : rows) {
        CAPTURE(steps);
        CHECK(found(of(steps)) == wanted);
    }
    CHECK(found(of("hh"), {.refused = 2}) == "refused 0 2");
    CHECK(found(of("h"), {.refused = 1}) == "refused 0 1");
    CHECK(found(of("hhhhhh"), {.refused = 0}).empty());
    // With steps before an interruption.
    CHECK(found(of("ffhff"), {.since_human = false}).empty());
    CHECK(found(of("ccccchccccc"), {.condensation = 5, .since_human = false}) == "condensation 6 5");
    History open = of("hhhhh");
    open.register_action({.thoughts = "", .use_tool = {"a", {}}});
    CHECK(found(open) == "refused 0 5");
    open.append_user_feedback("Well.");
    CHECK(found(open).empty());
}

TEST_CASE("thresholds can be changed, and patterns switched off") {
    CHECK(found(of("aa"), {.same_result = 2}) == "same_result 0 2");
    CHECK(found(of("a"), {.same_result = 1}).empty());
    CHECK(found(of("aaaaaaaa"), {.same_result = 0}).empty());
    CHECK(found(of("ffff"), {.same_error = 0}) == "same_result 0 4");
    CHECK(found(of("tttt"), {.monologue = 0}) == "same_result 0 4");
    CHECK(found(of("abababab"), {.alternating = 0}).empty());
    CHECK(found(of("aba"), {.alternating = 3}) == "alternating 0 3");
    CHECK(found(of("ab"), {.alternating = 2}).empty());
    CHECK(found(of("cc"), {.condensation = 2}) == "condensation 0 2");
    CHECK(found(of(std::string(20, 'c')), {.condensation = 0}).empty());
}

TEST_CASE("other thoughts do not make another action") {
    CHECK(found(of("aaaa")) == "same_result 0 4");
    // Talk is its words.
    History talk;
    for (int i = 0; i < 6; ++i) say(talk, "words " + std::to_string(i), done(""));
    CHECK(found(talk).empty());
}

TEST_CASE("arguments and results make the difference") {
    History history = of("aaa");
    acta::ActionProposal<> proposal;
    proposal.use_tool = {"a", {{"path", "b"}}};
    history.register_action(proposal);
    history.register_result(done("ok"));
    CHECK(found(history).empty());
    history.rewind(1);
    add(history, "a", done("other"));
    CHECK(found(history).empty());
    history.rewind(1);
    add(history, "a", done("ok"));
    CHECK(found(history) == "same_result 0 4");
}

TEST_CASE("a step with a call does not count as a monologue, whatever its words") {
    History history;
    add(history, "a", done(""), "I shall begin.");
    for (int i = 0; i < 2; ++i) say(history, "I shall begin.", done(""));
    CHECK(found(history).empty());
    say(history, "I shall begin.", done(""));
    CHECK(found(history) == "monologue 1 3");
}

TEST_CASE("a monologue ends with an answer") {
    for (const acta::ActionResult& answer : {done("What?"), failed("no"), interrupted()}) {
        History history = of("tt");
        say(history, "I shall begin.", answer);
        CHECK(found(history).empty());
    }
    History waiting = of("tt");
    say(waiting, "I shall begin.", std::nullopt);
    CHECK(found(waiting) == "monologue 0 3");
}

TEST_CASE("answers that repeat without a word of the user are a monologue") {
    History history = of("a");
    history.register_answer("I shall begin.");
    history.register_answer("I shall begin.");
    CHECK(found(history).empty());
    history.register_answer("I shall begin.");
    CHECK(found(history) == "monologue 1 0");
    CHECK(found(history, {.monologue = 4}).empty());
    CHECK(found(history, {.monologue = 0}).empty());
    History twice;  // two are the least that repeat
    twice.register_answer("At noon.");
    CHECK(found(twice, {.monologue = 1}).empty());
    twice.register_answer("At noon.");
    CHECK(found(twice, {.monologue = 1}) == "monologue 0 0");
    CHECK(found(twice, {.monologue = 2}) == "monologue 0 0");
    CHECK(found(twice, {.monologue = 3}).empty());
    history.register_message(acta::ChatMessage::user("Then do."));
    CHECK(found(history).empty());
    history.register_answer("I shall begin.");
    CHECK(found(history).empty());
    History other = of("a");
    for (const char* const text : {"one", "two", "two"}) other.register_answer(text);
    CHECK(found(other).empty());
}

TEST_CASE("an open step does not hide what was before it") {
    History history = of("aaaa");
    acta::ActionProposal<> proposal;
    proposal.use_tool = {"b", {}};
    history.register_action(proposal);
    CHECK(found(history) == "same_result 0 4");
    CHECK(found(History()).empty());
}

TEST_CASE("a human starts the count anew") {
    CHECK(found(of("hhhh")).empty());
    CHECK(found(of("aahaa")).empty());
    CHECK(found(of("haaaa")) == "same_result 1 4");
    CHECK(found(of("hhhh"), {.since_human = false}) == "same_result 0 4");
    History history = of("aaaa");
    history.append_user_feedback("Look elsewhere.");
    CHECK(found(history).empty());
    CHECK(found(history, {.since_human = false}) == "same_result 0 4");
    CHECK(history.take_pending_feedback().size() == 1);
    CHECK(found(history) == "same_result 0 4");
}

TEST_CASE("other tools can be those that condense") {
    CHECK(found(of("aaaa"), {.condensation_tools = {"a"}}).empty());
    CHECK(found(of("baaaa"), {.condensation = 4, .condensation_tools = {"a"}}) == "condensation 1 4");
}

TEST_CASE("parallel calls are compared as a whole") {
    History history;
    acta::ActionProposal<> both;
    acta::set_calls(both, {{"a", {}}, {"b", {}}});
    for (int i = 0; i < 4; ++i) {
        history.register_action(both);
        history.register_result("call_0", done("x"));
        history.register_result("call_1", done("y"));
    }
    CHECK(found(history) == "same_result 0 4");
    CHECK_FALSE(acta::stuck(history.episodes().first(3)));
}

TEST_CASE("how an agent is stuck can be printed") {
    std::ostringstream out;
    out << Stuck{StuckPattern::same_result, 2, 4};
    CHECK(out.str() == "steps 3 to 6: the same calls had the same result");
    CHECK(to_string(Stuck{StuckPattern::same_error, 0, 3}) == "steps 1 to 3: the same calls failed");
    CHECK(to_string(Stuck{StuckPattern::monologue, 0, 3}) == "steps 1 to 3: the same was said, and nobody answered");
    CHECK(to_string(Stuck{StuckPattern::alternating, 0, 6}) == "steps 1 to 6: two steps alternated");
    CHECK(to_string(Stuck{StuckPattern::condensation, 2, 0}) ==
          "after step 2: the context was condensed, and nothing else was done");
    CHECK(to_string(Stuck{StuckPattern::condensation, 2, 1}) ==
          "step 3: the context was condensed, and nothing else was done");
}

TEST_CASE("random steps are stuck where they were recorded to be") {
    Noise noise(1);
    const auto judged = [&noise] {
        const std::string letters = noise.one_of(parts_of("ab|fe|af|tau|hqpu|ca|abnhft"));
        std::string steps;
        for (std::size_t i = 3 + noise.below(12); i > 0; --i) {
            const char letter = letters[noise.below(letters.size())];
            const std::size_t more = noise.below(2);
            steps.append(1 + more * noise.below(4), letter);
        }
        StuckOptions options;
        if (noise.chance(3)) options.same_result = noise.below(5);
        if (noise.chance(3)) options.same_error = noise.below(5);
        if (noise.chance(3)) options.alternating = noise.below(7);
        if (noise.chance(2)) options.condensation = noise.below(5);
        if (noise.chance(3)) options.refused = noise.below(4);
        if (noise.chance(3)) options.monologue = noise.below(4);
        options.since_human = !noise.chance(3);
        History history = of(steps);
        if (noise.chance(6)) history.append_user_feedback("Go on.");
        return steps + " " + found(history, options);
    };
    check_recorded("tests/history/stuck.txt", results(judged, 40, 20, 50));
}
