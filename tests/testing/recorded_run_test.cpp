// SPDX-License-Identifier: MIT
#include "acta/testing/recorded_run.hpp"

#include <algorithm>
#include <atomic>
#include <filesystem>
#include <functional>
#include <optional>
#include <stdexcept>
#include <string>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/base/file.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/interop/trajectory.hpp"
#include "acta/json/json.hpp"
#include "acta/prompt/messages.hpp"
#include "support/catch.hpp"
#include "support/messages_random.hpp"
#include "support/paths.hpp"
#include "support/steps.hpp"

namespace {

using acta::testing::first_divergence;
using acta::testing::NotRecorded;
using acta::testing::RecordedSkills;
using acta::testing::recording_of;
using acta::testing::RunDivergence;
using acta::testing::RunRecording;
using History = acta::EpisodicActionHistory<>;
using Catch::Matchers::Equals;
using Catch::Matchers::Message;

std::string text_of(const std::optional<RunDivergence>& divergence) {
    return divergence ? to_string(*divergence) : "equal";
}
std::string replayed(const History& record) { return text_of(acta::testing::replay(record).divergence); }

/// Tools that read depths, one of which fails.
acta::SkillRegistry depths(int pier, std::atomic<int>* calls = nullptr) {
    acta::SkillRegistry out;
    out.add(
        "depth", "The depth of the water.",
        [pier, calls](const std::string& place) {
            if (calls != nullptr) ++*calls;
            if (place == "lock") throw std::runtime_error("the lock is closed");
            return place == "pier" ? pier : 6;
        },
        acta::param("place"));
    return out;
}

/// A run of three steps, the first with two calls, and two answers.
History record_of_depths() {
    acta::ScriptedChatModel model;
    acta::ChatCompletion both;
    both.message.content = "Both.";
    both.message.tool_calls = {{"a", {"depth", {{"place", "pier"}}}}, {"b", {"depth", {{"place", "lock"}}}}};
    both.usage = acta::TokenUsage{.prompt_tokens = 100, .completion_tokens = 20, .cached_tokens = 5};
    both.model = "deep-1";
    model.reply(both).reply_call("depth", {{"place", "mole"}}).reply("Four.").reply_call("depth", {{"place", "pier"}});
    model.reply("Still four.");
    History history = asked_to("How deep is it?");
    REQUIRE(acta::run_agent(model, depths(4), history).end == acta::RunEnd::answered);
    history.register_message(acta::ChatMessage::user("And now?"));
    REQUIRE(acta::run_agent(model, depths(4), history).end == acta::RunEnd::answered);
    return history;
}

}  // namespace

TEST_CASE("a run is made again from its record, with its tokens") {
    const History record = record_of_depths();
    const acta::testing::ReplayedRun again = acta::testing::replay(record);
    CHECK(text_of(again.divergence) == "equal");
    REQUIRE(again.history.size() == 3);
    CHECK(again.history[0].action == record[0].action);
    CHECK(again.history[0].tool_results == record[0].tool_results);
    CHECK(again.history[0].result == record[0].result);
    CHECK(again.history[0].metrics->prompt_tokens == 100);
    CHECK(again.history[0].metrics->completion_tokens == 20);
    CHECK(again.history[0].metrics->cached_tokens == 5);
    CHECK(again.history[0].metrics->model == "deep-1");
    CHECK(again.history.answer()->content == "Still four.");
    CHECK(acta::to_messages(again.history) == acta::to_messages(record));
}

TEST_CASE("tools that return the same make the same run, and one that does not ends it at its step") {
    const History record = record_of_depths();
    std::atomic<int> calls = 0;
    acta::testing::ReplayedRun again = acta::testing::replay(record, depths(4, &calls));
    CHECK(text_of(again.divergence) == "equal");
    CHECK(calls == 4);

    again = acta::testing::replay(record, depths(5, &calls));
    CHECK(again.divergence == RunDivergence{0, "/results/0/outputs", 4, 5});
    CHECK(text_of(again.divergence) == "step 1: /results/0/outputs: expected 4, found 5");
    CHECK(again.history.size() == 1);
    CHECK(calls == 6);

    again = acta::testing::replay(record, {});
    CHECK(text_of(again.divergence)
              .starts_with(R"(step 1: /results/0: expected {"outputs":4,"status":"success"}, found {"reason":)"));
}

TEST_CASE("an agent has its answers and results from a record") {
    const History record = record_of_depths();
    const RunRecording model = recording_of(record);
    const RunRecording same = model;
    CHECK(model.size() == 5);
    CHECK(model.unused() == 5);
    History again = asked_to("How deep is it?");
    std::string streamed;
    acta::RunOptions options{.instructions = "Be brief."};
    options.on_text = [&](std::string_view text) { streamed += text; };
    const acta::RunResult run = acta::run_agent(same, RecordedSkills(model), again, options);
    CHECK(run.answer == "Four.");
    CHECK(run.usage.prompt_tokens == 100);
    CHECK(streamed == "Both.Four.");
    CHECK(model.unused() == 2);
    CHECK(
        text_of(first_divergence(record, again)) ==
        R"(step 3: expected {"messages":[{"role":"assistant","content":"Four."},{"role":"user","content":"And now?"}],"thoughts"..., found nothing)");
    again.register_message(acta::ChatMessage::user("And now?"));
    CHECK(acta::run_agent(model, RecordedSkills(model), again).answer == "Still four.");
    CHECK(text_of(first_divergence(record, again)) == "equal");
    CHECK(text_of(first_divergence(again, record)) == "equal");
    CHECK(model.unused() == 0);
    CHECK_THROWS_MATCHES(model({}, {}), NotRecorded,
                         Message("the record has 5 answers, and the model was asked for another one"));
}

TEST_CASE("a call that is not in the record fails, and the model says so") {
    const History record = record_of_depths();
    const RunRecording model = recording_of(record);
    const RecordedSkills skills(model);
    CHECK(skills.names() == std::vector<std::string>{"depth"});
    const auto call = [&](const char* place) { return skills.call("depth", {{"place", place}}); };
    const auto text = [](const acta::ActionResult& result) { return to_string(result); };
    CHECK_THAT(text(call("pier")), contains_text("the record has no result of depth(place='pier') there"));

    const RunRecording other = recording_of(record);
    const RecordedSkills tools(other);
    static_cast<void>(other({}, {}));
    CHECK(tools.call("depth", {{"place", "lock"}}) == record[0].tool_results[1].result);  // in any order
    const std::string missing =
        "the record has no result of depth(place='mole') in step 1, but these calls: depth(place='pier')";
    const acta::ActionResult refused = tools.call("depth", {{"place", "mole"}});
    CHECK_THAT(text(refused), contains_text(missing));
    CHECK_THAT(std::get<acta::ActionErrorResult>(refused).error->exception_type, ends_with_text("NotRecorded"));
    CHECK_THROWS_MATCHES(other({}, {}), NotRecorded, Message(missing));

    History again = asked_to("How deep is it?");
    acta::RunOptions options;
    options.approve = [](const acta::AssistantToolCall&) {
        acta::Approval out = acta::Approval::yes();
        out.arguments = acta::JsonObject{{"place", "quay"}};
        return out;
    };
    const RunRecording third = recording_of(record);
    const acta::RunResult run = acta::run_agent(third, RecordedSkills(third), again, options);
    CHECK(run.end == acta::RunEnd::failed);
    CHECK_THAT(to_string(run), contains_text("no result of depth(place='quay') in step 1"));
    CHECK(text_of(first_divergence(record, again)) ==
          R"(step 1: /calls/0/arguments/place: expected "pier", found "quay")");
}

TEST_CASE("the first divergence is where two runs differ") {
    struct Row {
        std::function<void(History&)> change;
        const char* difference;
    };
    const auto build = [](const std::function<void(History&)>& change) {
        History out = asked_to("How deep?");
        out.register_action({.thoughts = "Look.", .use_tool = {"depth", {{"a/b", 1}, {"c", "d"}}}});
        out.register_result(acta::ActionSuccessResult{.outputs = {1, 2}});
        change(out);
        return out;
    };
    const std::function<void(History&)> nothing = [](History&) {};
    const auto redo = [](std::string thoughts, acta::AssistantFunctionCall call, acta::ActionResult result) {
        return [=](History& history) {
            history.rewind(1);
            history.register_action({.thoughts = thoughts, .use_tool = call});
            history.register_result(result);
        };
    };
    const acta::ActionSuccessResult right{.outputs = {1, 2}};
    const acta::AssistantFunctionCall call{"depth", {{"a/b", 1}, {"c", "d"}}};
    const auto with = [&](const acta::Json& outputs) {
        return redo("Look.", call, acta::ActionSuccessResult{.outputs = outputs});
    };
    const Row rows[] = {
        {with(4), "step 1: /results/0/outputs: expected [1,2], found 4"},
        {with(acta::Json::object()), "step 1: /results/0/outputs: expected [1,2], found {}"},
        {redo("Look!", {"depth", {{"a/b", 1}, {"c", "d"}}}, right),
         R"(step 1: /thoughts: expected "Look.", found "Look!")"},
        {redo("Look.", {"width", {{"a/b", 1}, {"c", "d"}}}, right),
         R"(step 1: /calls/0/name: expected "depth", found "width")"},
        {redo("Look.", {"depth", {{"c", "d"}, {"a/b", 2}}}, right),
         "step 1: /calls/0/arguments/a~1b: expected 1, found 2"},
        {redo("Look.", {"depth", {{"a/b", 1}}}, right), R"(step 1: /calls/0/arguments/c: expected "d", found nothing)"},
        {redo("Look.", {"depth", {{"c", "d"}, {"a/b", 1}, {"e", 1}}}, right),
         "step 1: /calls/0/arguments/e: expected nothing, found 1"},
        {redo("Look.", {"depth", {{"c", "d"}, {"a/b", 1}}}, right), "equal"},
        {redo("Look.", {"depth", {{"a/b", 1}, {"c", "d"}}}, acta::ActionSuccessResult{.outputs = {1, 3}}),
         "step 1: /results/0/outputs/1: expected 2, found 3"},
        {redo("Look.", {"depth", {{"a/b", 1}, {"c", "d"}}}, acta::ActionInterruptedByHuman{"no"}),
         R"(step 1: /results/0: expected {"outputs":[1,2],"status":"success"}, found {"feedback":"no","status":"interrupted_by_human"})"},
        {[](History& history) { history.rewind(1); },
         R"(step 1: expected {"messages":[{"role":"user","content":"How deep?"}],"thoughts":"Look.","calls":[{"name":"depth","arg..., found nothing)"},
        {[](History& history) { history.append_user_feedback("Hm."); },
         R"(step 2: /pending_feedback/0: expected nothing, found "Hm.")"},
        {[](History& history) { history.register_answer("Two."); },
         R"(step 2: /messages/0: expected nothing, found {"role":"assistant","content":"Two."})"},
    };
    const History expected = build(nothing);
    for (const std::size_t bytes : {98U, 99U}) {  // with its quotes 100 or 101, of which 100 are shown
        const std::string thoughts(bytes, 'x');
        CHECK(text_of(first_divergence(expected, build(redo(thoughts, {"depth", {{"a/b", 1}, {"c", "d"}}}, right)))) ==
              "step 1: /thoughts: expected \"Look.\", found \"" + thoughts + (bytes == 98 ? "\"" : "..."));
    }
    History open = asked_to("How deep?");
    open.register_action(expected[0].action);
    CHECK(text_of(first_divergence(open, expected)) ==
          R"(step 1: /results/0: expected null, found {"outputs":[1,2],"status":"success"})");
    CHECK(text_of(first_divergence(build(with(4)), expected)) == "step 1: /results/0/outputs: expected 4, found [1,2]");
    CHECK(text_of(first_divergence(build(with(acta::Json::object())), expected)) ==
          "step 1: /results/0/outputs: expected {}, found [1,2]");
    for (const Row& row : rows) {
        CAPTURE(row.difference);
        CHECK(text_of(first_divergence(expected, build(row.change))) == row.difference);
    }
}

TEST_CASE("what the loop itself would not do is in a run that is made again") {
    SECTION("a step, or an answer, before anyone said anything") {
        History step;
        step.register_action({.thoughts = "Look.", .use_tool = {"depth", {}}});
        step.register_result(acta::ActionSuccessResult{.outputs = 4});
        CHECK(replayed(step) == "equal");
        step.register_answer("Four.");
        CHECK(replayed(step) == "equal");
        History answer;
        answer.register_answer("Hello.");
        CHECK(replayed(answer) == "equal");
        answer.register_answer("Is anyone there?");
        answer.register_message(acta::ChatMessage::user("Yes."));
        CHECK(replayed(answer) == "equal");
        answer.register_answer("Good.");
        CHECK(replayed(answer) == "equal");
    }
    SECTION("answers in a row, and empty ones") {
        History history = asked_to("How deep?");
        for (const char* const text : {"One.", "", "", "Two.", " "}) history.register_answer(text);
        history.register_message(acta::ChatMessage::user("So?"));
        history.register_answer("");
        CHECK(replayed(history) == "equal");
    }
    SECTION("messages within a run") {
        History history = asked_to("How deep?");
        history.register_action({.thoughts = "Look.", .use_tool = {"depth", {}}});
        history.register_message(acta::ChatMessage::user("Quickly!"));
        history.register_result(acta::ActionSuccessResult{.outputs = 4});
        history.register_message(acta::ChatMessage::system("It is noon."));
        history.register_answer("Four.");
        history.append_user_feedback("Thanks.");
        CHECK(replayed(history) == "equal");
    }
    SECTION("one result for several calls") {
        History history = asked_to("How deep?");
        acta::ActionProposal<> proposal;
        acta::set_calls(proposal, {{"depth", {}}, {"width", {}}});
        history.register_action(std::move(proposal));
        history.register_result(acta::ActionErrorResult{.reason = "The boat sank."});
        CHECK(replayed(history) == "equal");
    }
    SECTION("calls that have no result stay open") {
        History history = asked_to("How deep?");
        acta::ActionProposal<> proposal;
        acta::set_calls(proposal, {{"depth", {}}, {"width", {}}});
        history.register_action(std::move(proposal));
        history.register_result("call_1", acta::ActionSuccessResult{.outputs = 4});
        const acta::testing::ReplayedRun again = acta::testing::replay(history);
        CHECK(text_of(again.divergence) == "equal");
        CHECK(again.history.open_calls().size() == 1);
        acta::SkillRegistry wider;
        wider.add("width", "The width of the river.", [] { return 5; });
        CHECK(text_of(acta::testing::replay(history, wider).divergence) ==
              "step 1: /results/1/outputs: expected 4, found 5");
        history.register_message(acta::ChatMessage::user("Quickly!"));
        history.append_user_feedback("Please.");
        CHECK(replayed(history) == "equal");
    }
    SECTION("an answer that was cut off, and calls that did not run for it") {
        acta::ScriptedChatModel model;
        acta::ChatCompletion cut;
        cut.message.content = "It is";
        cut.finish_reason = "length";
        model.reply(cut);
        cut.message.tool_calls = {{"a", {"depth", {{"place", "pi"}}}}};
        model.reply(cut).reply("Four.");
        History history = asked_to("How deep?");
        CHECK(acta::run_agent(model, depths(4), history).end == acta::RunEnd::truncated);
        history.register_message(acta::ChatMessage::user("Well?"));
        CHECK(acta::run_agent(model, depths(4), history).end == acta::RunEnd::answered);
        CHECK(replayed(history) == "equal");
    }
}

TEST_CASE("a record without answers is refused") {
    CHECK_THROWS_MATCHES(recording_of(History()), acta::testing::RecordingError,
                         Message("the record has neither a step nor an answer of a model"));
    CHECK_THROWS_MATCHES(acta::testing::replay(asked_to("How deep?")), acta::testing::RecordingError,
                         Message("the record has neither a step nor an answer of a model"));
}

TEST_CASE("random histories are made again as they were") {
    RandomHistories random(20261129);
    std::size_t made = 0;
    for (int i = 0; i < 4000; ++i) {
        const History record = random.with_conversation(random.history());
        // A loop makes no step without a call, and neither a step nor an answer after an open step.
        const auto is_made = [&](const acta::Episode<>& step) {
            return !step.action.use_tool.name.empty() && (step.result || &step == &record.episodes().back());
        };
        if (record.size() == 0 || !std::ranges::all_of(record.episodes(), is_made)) continue;
        const auto is_late_answer = [&](const acta::ConversationMessage& said) {
            return said.message.role == acta::ChatRole::assistant && said.before == record.size();
        };
        if (!record.episodes().back().result && std::ranges::any_of(record.messages(), is_late_answer)) continue;
        ++made;
        CAPTURE(i, acta::dump(record));
        CHECK(replayed(record) == "equal");
    }
    CHECK(made > 1000);
}

TEST_CASE("runs of every format are made again as they were") {
    std::size_t made = 0;
    const auto check = [&made](const History& record) {
        try {
            CHECK(replayed(record) == "equal");
            ++made;
        } catch (const acta::testing::RecordingError&) {
            CHECK(record.size() == 0);
        }
    };
    for (const auto& file : std::filesystem::directory_iterator(paths::source("tests/data/cases/trajectory"))) {
        const acta::Json test = acta::parse<acta::Json>(acta::base::read_file(file.path()));
        const acta::Json& input = test["input"];
        const std::string text = input.is_string() ? input.get<std::string>() : acta::dump(input);
        CAPTURE(file.path().filename().string());
        try {
            check(acta::parse_trajectory(text, {.lenient = true}).history);
        } catch (const acta::ValidationError&) {
        }
    }
    CHECK(made > 25);
}

TEST_CASE("long runs of other agents are made again as they were") {
    std::size_t made = 0;
    for (const char* const folder : {"swe-agent", "openhands"}) {
        if (!std::filesystem::exists(paths::shared_data(folder))) continue;
        for (const auto& file : std::filesystem::directory_iterator(paths::shared_data(folder))) {
            CAPTURE(file.path().filename().string());
            CHECK(replayed(acta::load_trajectory(file.path()).history) == "equal");
            ++made;
        }
    }
    if (made == 0) ACTA_SKIP("no runs in the shared data folder");
}
