// SPDX-License-Identifier: MIT
#include "acta/history/history.hpp"

#include <chrono>
#include <numeric>
#include <ranges>
#include <stdexcept>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "support/catch.hpp"
#include "support/lvalue.hpp"
#include "support/steps.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using Code = acta::HistoryErrorCode;

/// Steps `a`, `b`, ... all finished.
History finished(std::size_t steps) {
    History history;
    for (std::size_t i = 0; i < steps; ++i) {
        history.register_action(act(std::string(1, static_cast<char>('a' + i))));
        history.register_result(done());
    }
    return history;
}

std::string tools(const History& history) {
    std::string out;
    for (const auto& episode : history) out += episode.action.use_tool.name;
    return out;
}

template <class Do>
void check_error(const Do& act_so, Code code, const std::string& message) {
    try {
        act_so();
        FAIL("nothing was thrown");
    } catch (const acta::HistoryError& error) {
        CHECK(error.code() == code);
        CHECK(std::string(error.what()) == message);
    }
}

History restored(const std::string& text, std::vector<acta::Issue>* warnings = nullptr) {
    return acta::parse<History>(text, {.warnings = warnings});
}

/// The JSON of steps that are open (`-`) or finished, with a cursor.
std::string saved(const std::string& steps, const std::string& cursor) {
    std::string episodes;
    for (const char step : steps) {
        if (!episodes.empty()) episodes += ',';
        episodes += R"({"action":{"thoughts":"t","use_tool":{"name":"x","arguments":{}}},"result":)";
        episodes += step == '-' ? "null}" : R"({"outputs":1,"status":"success"}})";
    }
    return R"({"episodes":[)" + episodes + R"(],"cursor":)" + cursor + "}";
}

}  // namespace

TEST_CASE("a history begins empty, with nothing open") {
    const History history;
    CHECK(history.empty());
    CHECK(history.size() == 0);
    CHECK(history.cursor() == 0);
    CHECK(history.current_episode() == nullptr);
    CHECK(history.fmt_list().empty());
    CHECK(history.fmt_paragraph().empty());
    CHECK(acta::dump(history) == R"({"episodes":[],"cursor":0})");
    CHECK_THROWS_AS(history.at(0), std::out_of_range);
}

TEST_CASE("an action opens a step and a result closes it") {
    History history;
    history.register_action(act("a"));
    REQUIRE(history.current_episode() != nullptr);
    CHECK(history.current_episode() == &history[0]);
    CHECK(history.current_episode()->action.use_tool.name == "a");
    CHECK_FALSE(history.current_episode()->result);
    CHECK(history.cursor() == 0);
    history.register_result(done("7"));
    CHECK(history.current_episode() == nullptr);
    CHECK(history.cursor() == 1);
    CHECK(acta::status(*history.at(0).result) == acta::ResultStatus::success);
}

TEST_CASE("what does not fit is refused with its message") {  // that it changes nothing, random_history_test says
    History history;
    for (int i = 0; i < 2; ++i) {
        const char* const message = "Cannot register result for cycle without action";
        check_error([&] { history.register_result(done()); }, Code::no_action, message);
        check_error([&] { history.register_result("call_0", done()); }, Code::no_action, message);
        check_error([&] { history.close_open_episode(done()); }, Code::no_action, message);
        history = finished(2);
    }
    history.register_action(act("b"));
    check_error([&] { history.register_action(act("c")); }, Code::action_already_set,
                "Action for current cycle already set");
    for (const std::int64_t steps : {std::int64_t{-1}, std::numeric_limits<std::int64_t>::min()})
        check_error([&] { history.rewind(steps); }, Code::negative_rewind, "Cannot rewind a negative number of steps");
}

TEST_CASE("a result for a finished step, which only a restored cursor stands on, is refused") {
    History history = restored(saved("++", "1"));
    CHECK(history.cursor() == 1);
    check_error([&] { history.register_result(done()); }, Code::result_already_set,
                "Result for current cycle already set");
    check_error([&] { history.register_result("call_0", done()); }, Code::result_already_set,
                "Result for current cycle already set");
    // A new action is appended at the end.
    history.register_action(act("z"));
    CHECK(history.size() == 3);
    CHECK(history.cursor() == 2);
    CHECK(history.current_episode()->action.use_tool.name == "z");
}

TEST_CASE("rewind drops the open step, and finished ones before it") {
    struct Row {
        bool open;
        int steps;
        const char* left;
    };
    for (const Row& row :
         {Row{true, 0, "abc"}, Row{true, 1, "ab"}, Row{true, 2, "a"}, Row{true, 3, ""}, Row{true, 99, ""},
          Row{false, 0, "abc"}, Row{false, 1, "ab"}, Row{false, 3, ""}, Row{false, 4, ""}}) {
        CAPTURE(row.open, row.steps);
        History history = finished(3);
        if (row.open) history.register_action(act("open"));
        history.rewind(row.steps);
        CHECK(tools(history) == row.left);
        CHECK(history.cursor() == history.size());
        CHECK(history.current_episode() == nullptr);
        history.register_action(act("next"));
        CHECK(history.current_episode() == &history.episodes().back());
    }
    History empty;
    empty.rewind();
    empty.rewind(5);
    CHECK(empty.empty());
    empty.rewind(std::numeric_limits<std::int64_t>::max());
    CHECK(empty.cursor() == 0);
}

TEST_CASE("a cursor outside is set to the first unfinished step, or the end, with a warning") {
    struct Row {
        const char* steps;
        const char* cursor;
        std::size_t repaired;
    };
    for (const Row& row : {Row{"", "1", 0}, Row{"", "-1", 0}, Row{"++", "3", 2}, Row{"++", "-1", 2}, Row{"+-", "3", 1},
                           Row{"-+", "-7", 0}, Row{"+-+", "4", 1}, Row{"++", "9223372036854775807", 2},
                           Row{"++", "-9223372036854775808", 2}}) {
        CAPTURE(row.steps, row.cursor);
        std::vector<acta::Issue> warnings;
        const History history = restored(saved(row.steps, row.cursor), &warnings);
        CHECK(history.cursor() == row.repaired);
        REQUIRE(warnings.size() == 1);
        CHECK(warnings[0].type == "cursor_repaired");
        CHECK(warnings[0].message == "Cursor " + std::string(row.cursor) +
                                         " is outside of the history and was set to " + std::to_string(row.repaired));
    }
}

TEST_CASE("a cursor inside is kept, without a warning") {
    for (const char* cursor : {"0", "1", "2"}) {
        std::vector<acta::Issue> warnings;
        CHECK(std::to_string(restored(saved("++", cursor), &warnings).cursor()) == cursor);
        CHECK(warnings.empty());
        CHECK(acta::dump(restored(saved("++", cursor))).find("\"cursor\":" + std::string(cursor)) != std::string::npos);
    }
    CHECK(restored(R"({"episodes":[]})").cursor() == 0);
    CHECK(restored("{}").empty());
}

TEST_CASE("an open step is restored, and can be given its result or closed") {
    History history = finished(1);
    history.register_action(act("open"));
    const auto text = acta::dump(history);
    History again = restored(text);
    CHECK(again == history);
    REQUIRE(again.current_episode() != nullptr);
    CHECK(again.current_episode()->action.use_tool.name == "open");
    again.register_result(done("late"));
    CHECK(again.cursor() == 2);

    History closed = restored(text);
    acta::ActionInterruptedByHuman why;
    why.feedback = "the run was cut";
    closed.close_open_episode(why);
    CHECK(closed.current_episode() == nullptr);
    CHECK(acta::status(*closed[1].result) == acta::ResultStatus::interrupted_by_human);
    closed.register_action(act("next"));
    CHECK(tools(closed).ends_with("next"));

    History dropped = restored(text);
    dropped.rewind();
    CHECK(tools(dropped) == "a");
}

TEST_CASE("an unfinished step behind the cursor is closed, too") {
    History history = restored(saved("+-", "2"));
    CHECK(history.current_episode() == nullptr);
    history.close_open_episode(done());
    CHECK(history[1].result);
    CHECK_THROWS_AS(history.close_open_episode(done()), acta::HistoryError);
}

TEST_CASE("feedback waits until it is taken, and is saved meanwhile") {
    History history;
    CHECK(history.pending_feedback().empty());
    CHECK(history.take_pending_feedback().empty());
    history.append_user_feedback("first");
    history.append_user_feedback("second");
    CHECK(acta::dump(history) == R"({"episodes":[],"cursor":0,"pending_user_feedback":["first","second"]})");
    History again = restored(acta::dump(history));
    CHECK(again == history);
    CHECK(again.take_pending_feedback() == std::vector<std::string>{"first", "second"});
    CHECK(again.pending_feedback().empty());
    CHECK(again != history);
    // From then on it is what the user said.
    CHECK(acta::dump(again) ==
          R"({"episodes":[],"cursor":0,"conversation":[{"before":0,"message":{"role":"user","content":"first"}},)"
          R"({"before":0,"message":{"role":"user","content":"second"}}]})");
}

TEST_CASE("steps are looked at by index, iteration, span and view") {
    History history = finished(4);
    acta::ActionErrorResult error;
    error.reason = "no";
    history.register_action(act("b"));
    history.register_result(error);
    history.register_action(act("open"));
    CHECK(std::accumulate(history.begin(), history.end(), std::string(), [](const std::string& sum, const auto& one) {
              return sum + one.action.use_tool.name;
          }) == "abcdbopen");
    CHECK(history.episodes().first(2).size() == 2);
    CHECK(history.episodes().last(2)[0].action.use_tool.name == "b");
    CHECK(history.episodes().subspan(1, 2)[1].action.use_tool.name == "c");
    CHECK_THROWS_WITH(history.at(6), "there is no step at index 6: the history has 6 steps");
    History one;
    one.register_action(act("a"));
    CHECK_THROWS_WITH(one.at(1), "there is no step at index 1: the history has 1 step");
    CHECK_THROWS_AS(history.id(6), std::out_of_range);
    CHECK_THROWS_AS(history.set_metrics(6, {}), std::out_of_range);
    CHECK_THROWS_AS(history.tool_call_ids(6), std::out_of_range);
    const auto count = [](auto view) { return std::ranges::distance(view); };
    CHECK(count(history.with_status(acta::ResultStatus::success)) == 4);
    CHECK(count(history.with_status(acta::ResultStatus::error)) == 1);
    CHECK(count(history.with_status(acta::ResultStatus::did_not_finish)) == 1);
    CHECK(count(history.with_status(acta::ResultStatus::interrupted_by_human)) == 0);
    CHECK(count(history.with_tool("b")) == 2);
    CHECK(count(history.with_tool("nothing")) == 0);
    for (const auto& episode : history.with_status(acta::ResultStatus::error))
        CHECK(episode.action.use_tool.name == "b");
}

TEST_CASE("the steps since a moment are those that began then or later, as far as their time is known") {
    History history = finished(4);
    const std::chrono::sys_time<std::chrono::microseconds> noon = std::chrono::sys_days{std::chrono::days(20'000)};
    const auto set_begin = [&](std::size_t step, acta::Timestamp begin) {
        acta::StepMetrics metrics;
        metrics.started_at = begin;
        history.set_metrics(step, metrics);
    };
    set_begin(0, acta::Timestamp::utc(noon - std::chrono::microseconds(1)));
    set_begin(1, acta::Timestamp::utc(noon));
    acta::Timestamp elsewhere = acta::Timestamp::utc(noon);
    elsewhere.offset = std::chrono::hours(2);  // two hours earlier
    set_begin(2, elsewhere);
    CHECK(std::ranges::distance(history.since(noon)) == 1);
    CHECK(&*history.since(noon).begin() == &history[1]);
    CHECK(std::ranges::distance(history.since(noon - std::chrono::hours(3))) == 3);
    elsewhere.offset.reset();  // a time of no known zone is no moment
    set_begin(1, elsewhere);
    CHECK(std::ranges::empty(history.since(noon)));
    history.set_metrics(2, acta::StepMetrics{.prompt_tokens = 1});  // it is not known when it began
    CHECK(std::ranges::distance(history.since({})) == 1);
}

TEST_CASE("a range of the steps of a tool keeps the name that it was asked for") {
    History history = finished(3);
    history.register_action(act("a tool whose name is too long to be kept inside of a string"));
    auto by_name = [&history] {
        const std::string name = "a tool whose name is too long to be kept inside of a string";
        return history.with_tool(name);
    }();
    CHECK(std::ranges::distance(by_name) == 1);
    CHECK(std::ranges::distance(history.with_tool(std::string("a") + " tool whose name is too long")) == 0);
}

TEST_CASE("a status prints as the record names it") {
    CHECK(to_string(acta::ResultStatus::success) == "success");
    CHECK(to_string(acta::ResultStatus::error) == "error");
    CHECK(to_string(acta::ResultStatus::interrupted_by_human) == "interrupted_by_human");
    CHECK(to_string(acta::ResultStatus::did_not_finish) == "did_not_finish");
    CHECK(acta::status(acta::ActionResult(acta::ActionInterruptedByHuman{})) ==
          acta::ResultStatus::interrupted_by_human);
    CHECK(lvalue(finished(1))[0].status() == acta::ResultStatus::success);
}

TEST_CASE("identities are never given twice and reach the step they were given for") {
    History history = finished(3);
    const acta::EpisodeId first = history.id(0);
    const acta::EpisodeId last = history.id(2);
    CHECK(first != last);
    history.rewind(1);
    history.register_action(act("new"));
    history.register_result(done());
    CHECK(history.id(2) != last);
    CHECK_FALSE(history.set_summary(last, "of a step that is gone"));
    CHECK_FALSE(history[2].summary);
    CHECK(history.set_summary(first, "one line"));
    CHECK(history[0].summary == "one line");
    CHECK_THROWS_AS(history.id(3), std::out_of_range);
}

TEST_CASE("lists that are null are empty in a history") {
    const History history = restored(
        R"({"episodes":[{"action":{"thoughts":"t","use_tool":{"name":"x","arguments":{}},"use_tools":null},)"
        R"("result":{"outputs":1,"status":"success"},"tool_call_ids":null,"tool_results":null,"metrics":null}],)"
        R"("cursor":1,"pending_user_feedback":null})");
    CHECK(history[0].action.use_tools.empty());
    CHECK(history[0].tool_results.empty());
    CHECK(history.pending_feedback().empty());
    CHECK(acta::dump(history).find("null,") == std::string::npos);
}

TEST_CASE("a new result drops the summary that was made before it") {
    // The reference also summarises unfinished steps.
    History history =
        restored(R"({"episodes":[{"action":{"thoughts":"t","use_tool":{"name":"deploy","arguments":{}}},"result":null,)"
                 R"("summary":"deploy did not finish"}],"cursor":0})");
    const acta::EpisodeId open = history.id(0);
    history.register_result(done());
    CHECK_FALSE(history[0].summary);
    CHECK_FALSE(history.set_summary(open, "deploy did not finish"));
    CHECK(history.set_summary(history.id(0), "deployed"));

    acta::ActionProposal<> two = act("a");
    acta::set_calls(two, {{"a", {}}, {"b", {}}});
    for (const bool at_once : {true, false}) {
        history.register_action(two);
        CHECK(history.set_summary(history.id(history.cursor()), "nothing yet"));
        if (at_once)
            history.register_results(std::vector<acta::ToolResult>{{"call_0", done()}});
        else
            history.register_result("call_0", done());
        CHECK_FALSE(history.current_episode()->summary);
        history.rewind();
    }
}

TEST_CASE("a summary of one attempt does not reach another one in a history that was restored") {
    History history = finished(2);
    history.register_action(act("deploy"));
    const History snapshot = history;
    history.register_result(done("first"));
    const acta::EpisodeId first = history.id(2);
    history = snapshot;
    history.register_result(done("second"));
    CHECK_FALSE(history.set_summary(first, "the first attempt"));
    CHECK_FALSE(history[2].summary);
    CHECK(history.set_summary(history.id(2), "the second attempt"));
    CHECK(history[2].summary == "the second attempt");
}

TEST_CASE("a history is a value: copies are equal and live on their own") {
    History history = finished(2);
    history.register_action(act("open"));
    History copy = history;
    CHECK(copy == history);
    copy.register_result(done());
    CHECK(copy != history);
    CHECK(history.current_episode() != nullptr);
    History moved = std::move(copy);
    CHECK(moved.size() == 3);
    // Neither identities nor marks are compared.
    History other = finished(3);
    other.rewind(1);
    other.register_action(act("open"));
    CHECK(other == history);
    CHECK(other.id(2) != history.id(2));
    other = history;
    CHECK(other.id(2) == history.id(2));
}

TEST_CASE("metrics of a step are written when they are set") {
    History history = finished(1);
    CHECK(acta::dump(history).find("metrics") == std::string::npos);
    acta::StepMetrics metrics;
    metrics.prompt_tokens = 12;
    metrics.cost_usd = 0.25;
    history.set_metrics(0, metrics);
    CHECK(acta::dump(history).find(R"("metrics":{"started_at":null,"finished_at":null,"prompt_tokens":12,)"
                                   R"("completion_tokens":null,"cost_usd":0.25}})") != std::string::npos);
    CHECK(restored(acta::dump(history)) == history);
    CHECK_THROWS_AS(history.set_metrics(1, metrics), std::out_of_range);
}

TEST_CASE("records are equal if all of their members are") {
    using Record = acta::HistoryRecord<acta::ActionProposal<>>;
    const std::vector<void (*)(Record&)> changes{
        [](Record&) {},
        [](Record& one) { one.episodes.emplace_back(); },
        [](Record& one) { one.cursor = 1; },
        [](Record& one) { one.pending_user_feedback = {"Stop."}; },
        [](Record& one) { one.rolling_summary = acta::RollingSummary{.text = "Looked."}; },
        [](Record& one) {
            one.conversation = {{0, acta::ChatMessage::user("Go."), std::nullopt}};
        },
        [](Record& one) { one.runs = {{.end = "failed"}}; },
        [](Record& one) {
            one.sub_runs = {{0, "call_0", {}}};
        }};
    for (std::size_t i = 0; i < changes.size(); ++i) {
        for (std::size_t j = 0; j < changes.size(); ++j) {
            Record a;
            Record b;
            changes[i](a);
            changes[j](b);
            CHECK((a == b) == (i == j));
        }
    }
}

TEST_CASE("ids of calls that are not one for each call, all different, are refused") {
    using Ids = std::vector<std::string>;
    acta::ActionProposal<> two = act("a");
    acta::set_calls(two, {{"a", {}}, {"b", {}}});
    for (const Ids& ids : {Ids{"x"}, Ids{"x", "y", "z"}, Ids{"x", "x"}, Ids{"x", ""}}) {
        History history;
        CHECK_THROWS_WITH(history.apply(acta::ActionRegistered<acta::ActionProposal<>>{two, std::nullopt, ids}),
                          "The step needs one id for each of its calls, all different");
        CHECK(history.empty());
    }
    History history;
    history.apply(acta::ActionRegistered<acta::ActionProposal<>>{two, std::nullopt, {"x", "y"}});
    history.apply(acta::CallResultsRegistered{{{"y", done()}, {"x", done()}}});
    CHECK(history.tool_call_ids(0) == Ids{"x", "y"});
    CHECK_THROWS_AS(history.apply(acta::ActionRegistered<acta::ActionProposal<>>{act("a"), std::nullopt, {"x", "y"}}),
                    acta::HistoryError);
    history.apply(acta::ActionRegistered<acta::ActionProposal<>>{act("a"), std::nullopt, {"x"}});
    CHECK(history.tool_call_ids(1) == Ids{"x"});
}

TEST_CASE("steps are equal if all of their members are") {
    using Step = acta::Episode<acta::ActionProposal<>>;
    const auto with = [](auto change) {
        Step step{.action = {.thoughts = "so", .use_tool = {"a", {}}}, .summary = "short"};
        step.result = acta::ActionSuccessResult{.outputs = 1};
        step.tool_call_ids = {"x"};
        step.tool_results = {{"x", acta::ActionSuccessResult{.outputs = 1}}};
        step.metrics = acta::StepMetrics{.prompt_tokens = 1};
        change(step);
        return step;
    };
    const std::vector<Step> steps{
        with([](Step&) {}),
        with([](Step& one) { one.action.thoughts = "not so"; }),
        with([](Step& one) { one.result.reset(); }),
        with([](Step& one) { one.result = acta::ActionSuccessResult{.outputs = 2}; }),
        with([](Step& one) { one.summary.reset(); }),
        with([](Step& one) { one.summary = "long"; }),
        with([](Step& one) { one.tool_call_ids.clear(); }),
        with([](Step& one) { one.tool_call_ids = {"y"}; }),
        with([](Step& one) { one.tool_results.clear(); }),
        with([](Step& one) { one.tool_results[0].tool_call_id = "y"; }),
        with([](Step& one) { one.metrics.reset(); }),
        with([](Step& one) { one.metrics->prompt_tokens = 2; }),
    };
    for (std::size_t i = 0; i < steps.size(); ++i) {
        for (std::size_t j = 0; j < steps.size(); ++j) CHECK((steps[i] == steps[j]) == (i == j));
    }
}
