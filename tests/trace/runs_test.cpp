// SPDX-License-Identifier: MIT
#include <atomic>
#include <chrono>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <variant>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/history/shared_history.hpp"
#include "acta/json/json.hpp"
#include "acta/trace/tracer.hpp"
#include "support/catch.hpp"
#include "trace/traced_run.hpp"

// Runs that end otherwise, several of them, and traces of other programs.
namespace {

using acta::ChatMessage;
using acta::trace::Span;
using acta::trace::spans_of;
using acta::trace::TraceOptions;
using acta::trace::TraceParent;
using acta::trace::Tracer;
using traced::completion;
using traced::History;
using traced::Spans;
using traced::text;

acta::trace::SpanSink into(Spans& spans) {
    return [&spans](Span span) { spans.push_back(std::move(span)); };
}

std::vector<std::string> names(const Spans& spans) {
    std::vector<std::string> out;
    for (const Span& one : spans) out.push_back(one.name + (one.is_error ? " !" + text(one, "error.type") : ""));
    return out;
}

void ask(History& history) { history.register_message(ChatMessage::user("When?")); }

using Names = std::vector<std::string>;

}  // namespace

TEST_CASE("a model that fails is an error of its request and of the run") {
    History history;
    ask(history);
    acta::ScriptedChatModel model;
    model.reply(completion("", {{"c1", {"search", {{"query", "a"}}}}}));
    model.fail(acta::ChatModelError("the server is busy with diary.txt",
                                    {.fault = acta::ChatModelFault::status, .status = 503}));
    Spans live;
    acta::RunOptions options;
    options.on_event = Tracer(into(live), {.record_id = "1"});
    CHECK(acta::run_agent(model, traced::skills(), history, options).end == acta::RunEnd::failed);
    const Names expected{"chat", "execute_tool search", "chat !ChatModelError", "invoke_agent !ChatModelError"};
    CHECK(names(live) == expected);
    CHECK(names(spans_of(history, {.record_id = "1"})) == expected);
    CHECK(text(live[2], "http.response.status_code") == "503");
    CHECK(live[2].error_message.empty());  // which is content
    CHECK(text(live[3], "acta.run.end") == "failed");
    CHECK(spans_of(history, {.content = true})[2].error_message == "the server is busy with diary.txt");
}

TEST_CASE("a run that an exception ends has its spans when the next one begins, or the tracer is gone") {
    Spans live;
    {
        acta::RunOptions options;
        const Tracer tracer(into(live));
        options.on_event = tracer;
        options.on_answer = [](const acta::AssistantChatMessage&) -> std::optional<std::string> {
            throw std::runtime_error("no");
        };
        for (int i = 0; i < 2; ++i) {
            acta::ScriptedChatModel model{"At noon."};
            History history;
            ask(history);
            CHECK_THROWS_AS(acta::run_agent(model, acta::SkillRegistry(), history, options), std::runtime_error);
        }
        CHECK(names(live) == Names{"chat", "invoke_agent !_OTHER", "chat"});
        CHECK(tracer.position());
    }
    CHECK(names(live) == Names{"chat", "invoke_agent !_OTHER", "chat", "invoke_agent !_OTHER"});
    CHECK(live[0].trace_id != live[2].trace_id);
}

TEST_CASE("a sink that throws ends the run, and does not break the tracer") {
    Spans live;
    bool is_full = true;
    acta::RunOptions options;
    options.on_event = Tracer([&](Span span) {
        if (is_full) throw std::runtime_error("full");
        live.push_back(std::move(span));
    });
    History history;
    ask(history);
    acta::ScriptedChatModel model{"At noon.", "At noon."};
    CHECK_THROWS_AS(acta::run_agent(model, acta::SkillRegistry(), history, options), std::runtime_error);
    is_full = false;
    CHECK(acta::run_agent(model, acta::SkillRegistry(), history, options).end == acta::RunEnd::answered);
    CHECK(!live.empty());
    CHECK_THROWS_AS(Tracer({}), acta::Error);
}

TEST_CASE("each run is a trace of its own, and keeps its identifiers when others follow") {
    History history;
    Spans live;
    const TraceOptions options{.record_id = "tides/7"};
    acta::RunOptions run;
    run.on_event = Tracer(into(live), options);
    Spans before;
    for (int i = 0; i < 3; ++i) {
        history.register_message(ChatMessage::user("Question " + std::to_string(i)));
        acta::ScriptedChatModel model;
        if (i == 1) model.reply(completion("", {{"c1", {"search", {{"query", "a"}}}}}));
        model.reply(completion("Answer " + std::to_string(i)));
        acta::run_agent(model, traced::skills(), history, run);
        const Spans recorded = spans_of(history, options);
        REQUIRE(recorded.size() == live.size());
        for (std::size_t k = 0; k < recorded.size(); ++k) {
            CHECK(recorded[k].name == live[k].name);
            CHECK(recorded[k].trace_id == live[k].trace_id);
            CHECK(recorded[k].span_id == live[k].span_id);
        }
        CHECK(Spans(recorded.begin(), recorded.begin() + static_cast<std::ptrdiff_t>(before.size())) == before);
        before = recorded;
    }
    std::set<std::string> traces;
    for (const Span& one : live) traces.insert(one.trace_id);
    CHECK(traces.size() == 3);
    // Another record has other identifiers; without a name for it they come from its beginning.
    CHECK(spans_of(history).front().trace_id != live.front().trace_id);
    CHECK(spans_of(history) == spans_of(history));
    // They are the same in every version of acta, so that a record that is read again has its old ones.
    CHECK(live.front().trace_id == "23f1d7b81a2ab628d06a64a1fb8e7781");
    CHECK(live.front().span_id == "59682f8c287f7968");
    CHECK(live.back().span_id == "9fe7f22468b1a24e");
    CHECK(spans_of(history, {.record_id = "tides/7", .runs_before = 1}).front().trace_id ==
          spans_of(history, options)[2].trace_id);
}

TEST_CASE("steps after the last run, and those of a program's own loop, are a run that has not ended") {
    History history;
    CHECK(spans_of(history).empty());
    ask(history);
    CHECK(spans_of(history).empty());
    history.register_message(ChatMessage::assistant("From another program."));
    CHECK(spans_of(history).empty());  // no model was asked for it
    {
        History answered = history;
        answered.register_answer({.content = "Noon."}, acta::StepMetrics{});
        CHECK(names(spans_of(answered)) == Names{"chat", "invoke_agent"});
        answered.register_message(ChatMessage::user("Thanks."));
        CHECK(names(spans_of(answered)) == Names{"chat", "invoke_agent"});
        answered.register_run({.end = "answered", .requests = 1, .cost_usd = 0.5});
        CHECK(text(spans_of(answered).back(), "acta.run.cost_usd") == "0.500000");
    }
    history.register_action({.thoughts = "I look.", .use_tool = {"search", {{"query", "a"}}}});
    Spans spans = spans_of(history);
    CHECK(names(spans) == Names{"chat", "invoke_agent"});  // the call has no result yet
    CHECK(text(spans.back(), "acta.run.end").empty());
    history.register_result(acta::ActionErrorResult{.reason = "no"});
    spans = spans_of(history, {.content = true});
    CHECK(names(spans) == Names{"chat", "execute_tool search !_OTHER", "invoke_agent"});
    CHECK(spans[1].error_message == "no");
    CHECK(text(spans[1], "gen_ai.tool.call.result") == R"({"error":"no"})");
    CHECK(spans[0].start == acta::trace::Time());  // nothing is known of its time
}

namespace {

/// A step, with a time and with a result.
void take_step(History& history, const std::string& tool, const std::string& query) {
    history.register_action({.use_tool = {tool, {{"query", query}}}}, acta::StepMetrics{});
    history.register_result(acta::ActionSuccessResult{.outputs = 1});
}

}  // namespace

TEST_CASE("each run has its own steps and answers, also with fewer requests in its record than it made") {
    History history;
    ask(history);
    take_step(history, "search", "a");
    history.register_answer({.content = "Noon."}, acta::StepMetrics{});
    ask(history);
    take_step(history, "fail", "b");
    history.register_run({.end = "failed", .after = 2, .requests = 1});
    take_step(history, "remove", "c");
    history.register_run({.end = "answered", .after = 3, .requests = 1, .usage = {.estimated = true}});
    const Spans spans = spans_of(history);
    CHECK(names(spans) == Names{"chat", "execute_tool search", "chat", "chat", "execute_tool fail",
                                "invoke_agent !_OTHER", "chat", "execute_tool remove", "invoke_agent"});
    REQUIRE(spans.size() == 9);
    CHECK(text(spans[5], "acta.usage.estimated").empty());
    CHECK(text(spans[8], "acta.usage.estimated") == "true");
    CHECK(text(spans[1], "acta.time.shared_with_step") == "true");
}

TEST_CASE("records without a name are told apart by their first step and its time") {
    const auto trace = [](const std::vector<std::string>& queries) {
        History history;
        for (const std::string& query : queries) take_step(history, "search", query);
        return spans_of(history).front().trace_id;
    };
    CHECK(trace({"a"}) == trace({"a"}));
    CHECK(trace({"a"}) != trace({"b"}));
    CHECK(trace({"a", "c"}) != trace({"b", "c"}));
    CHECK(trace({"a", "b"}) == trace({"a", "c"}));
    const auto trace_at = [](int seconds) {
        History history;
        const auto noon = *acta::parse_timestamp("2026-02-28T12:00:00Z");
        history.register_action({.use_tool = {"search", {}}},
                                acta::StepMetrics{.started_at = noon + std::chrono::seconds(seconds)});
        return spans_of(history).front().trace_id;
    };
    CHECK(trace_at(1) == trace_at(1));
    CHECK(trace_at(1) != trace_at(2));
}

TEST_CASE("the reason for the end of an answer is one of the conventions', or the server's word") {
    struct Row {
        std::string finish;
        bool has_calls;
        std::string reason;
    };
    for (const Row& row : std::vector<Row>{{"stop", false, "stop"},
                                           {"stop", true, "tool_call"},
                                           {"end_turn", false, "stop"},
                                           {"tool_calls", true, "tool_call"},
                                           {"tool_use", true, "tool_call"},
                                           {"tool_calls", false, "stop"},
                                           {"", false, "stop"},
                                           {"", true, "tool_call"},
                                           {"length", true, "length"},
                                           {"max_tokens", false, "length"},
                                           {"content_filter", false, "content_filter"},
                                           {"error", false, "error"},
                                           {"at low water", false, "at low water"},
                                           {"at low water", true, "at low water"}}) {
        CAPTURE(row.finish, row.has_calls);
        History history;
        const acta::StepMetrics metrics{.finish_reason = row.finish};
        if (row.has_calls)
            history.register_action({.use_tool = {"search", {}}}, metrics);
        else
            history.register_answer({.content = "Noon."}, metrics);
        CHECK(text(spans_of(history).front(), "gen_ai.response.finish_reasons") == row.reason);
    }
}

TEST_CASE("a run that answered has a reason for its end, and tokens are estimated where they are said to be") {
    for (const bool answered : {false, true}) {
        Spans live;
        const Tracer tracer(into(live), {.record_id = "1"});
        acta::ChatCompletion answer = completion("");
        answer.usage->estimated = answered;
        tracer(acta::RequestStarted{1, acta::AskModel()});
        tracer(acta::RequestCompleted{1, answer});
        const acta::RunResult end{.end = answered ? acta::RunEnd::answered : acta::RunEnd::stopped};
        tracer(acta::RunCompleted{end});
        REQUIRE(names(live) == Names{"chat", "invoke_agent"});
        CHECK(text(live[0], "acta.usage.estimated") == (answered ? "true" : ""));
        CHECK(text(live[1], "gen_ai.response.finish_reasons") == (answered ? "stop" : ""));
    }
}

TEST_CASE("the times of a record are those of its steps") {
    History history;
    ask(history);
    const auto noon = *acta::parse_timestamp("2026-02-28T12:00:00Z");
    const auto at = [&](int seconds) { return noon + std::chrono::seconds(seconds); };
    const auto time = [&](int seconds) { return acta::trace::Time(*at(seconds).instant()); };
    history.register_action({.use_tool = {"search", {}}}, acta::StepMetrics{.started_at = at(0), .finished_at = at(5)});
    history.register_result(acta::ActionSuccessResult{.outputs = 1});
    history.register_action({.use_tool = {"search", {}}});
    history.register_result(acta::ActionSuccessResult{.outputs = 1});
    const auto first_end = *history[0].metrics->finished_at;
    const Spans spans = spans_of(history);
    REQUIRE(spans.size() == 5);
    CHECK(spans[0].start == time(0));
    CHECK(spans[0].end == acta::trace::Time(*first_end.instant()));
    CHECK(spans[1].end == spans[0].end);
    CHECK(spans[2].start == spans[0].end);  // unknown: after the one before it
    CHECK(spans[4].start == time(0));
    CHECK(spans[4].end >= spans[3].end);
    // Where the time of the first request is unknown, it is that of the earliest one that is known.
    History late;
    ask(late);
    late.register_action({.use_tool = {"search", {}}});
    late.register_result(acta::ActionSuccessResult{.outputs = 1});
    for (const int begin : {9, 7, 8}) {
        late.register_action({.use_tool = {"search", {}}}, acta::StepMetrics{.started_at = at(begin)});
        late.register_result(acta::ActionSuccessResult{.outputs = 1});
    }
    CHECK(spans_of(late)[0].start == time(7));
}

TEST_CASE("a run is within the span of the caller, and passes its position on to tools") {
    const auto parent = TraceParent::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01", "vendor=1");
    Spans live;
    const Tracer tracer(into(live), {.parent = parent, .record_id = "1"});
    std::string within;
    acta::SkillRegistry skills;
    skills.add("look", "Looks.", [&](acta::SkillContext& context) {
        within = tracer.position(context.tool_call_id())->text();
        return tracer.position()->text();
    });
    acta::ScriptedChatModel model;
    model.reply(completion("", {{"c1", {"look", {}}}})).reply("Seen.");
    History history;
    ask(history);
    acta::RunOptions options;
    options.on_event = tracer;
    CHECK_FALSE(tracer.position());
    acta::run_agent(model, skills, history, options);
    CHECK_FALSE(tracer.position());
    REQUIRE(names(live) == Names{"chat", "execute_tool look", "chat", "invoke_agent"});
    CHECK(within == "00-0af7651916cd43dd8448eb211c80319c-" + live[1].span_id + "-01");
    CHECK(std::get<acta::ActionSuccessResult>(*history[0].result).outputs ==
          "00-0af7651916cd43dd8448eb211c80319c-" + live[3].span_id + "-01");
    CHECK(live[3].parent_id == "b7ad6b7169203331");
    CHECK(live[3].has_remote_parent);
    CHECK_FALSE(live[1].has_remote_parent);
    CHECK(live[1].trace_state == "vendor=1");
    CHECK(spans_of(history, {.parent = parent, .record_id = "1"}).back().span_id == live[3].span_id);
}

TEST_CASE("a trace that is not recorded has no spans, but its position is passed on") {
    const auto parent = TraceParent::parse("00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-00");
    Spans live;
    const Tracer tracer(into(live), {.parent = parent});
    std::string within;
    acta::SkillRegistry skills;
    skills.add("look", "Looks.", [&] { return within = tracer.position()->text(); });
    acta::ScriptedChatModel model;
    model.reply(completion("", {{"c1", {"look", {}}}})).reply("Seen.");
    History history;
    ask(history);
    acta::RunOptions options;
    options.on_event = tracer;
    acta::run_agent(model, skills, history, options);
    CHECK(live.empty());
    CHECK_THAT(within, ends_with_text("-00"));
    CHECK(spans_of(history, {.parent = parent}).empty());
}

TEST_CASE("calls at the same time are traced, also of agents that call the same agent") {
    Spans live;
    acta::RunOptions options;
    options.on_event = Tracer(into(live), {.record_id = "1"});
    acta::SkillRegistry skills;
    const auto reader = [](std::span<const ChatMessage>, const acta::ChatOptions&) { return completion("12 m"); };
    skills.add(acta::agent_tool("reader", "Reads.", reader, {}));
    acta::ScriptedChatModel model;
    std::vector<acta::AssistantToolCall> calls;
    for (int i = 0; i < 20; ++i) calls.push_back({"c" + std::to_string(i), {"reader", {{"task", "?"}}}});
    model.reply(completion("", std::move(calls))).reply("Done.");
    History history;
    ask(history);
    options.parallel = acta::CallOverlap::all;
    acta::run_agent(model, skills, history, options);
    REQUIRE(live.size() == 1 + 20 * 3 + 2);
    std::map<std::string, const Span*> by_id;
    for (const Span& one : live) by_id[one.span_id] = &one;
    REQUIRE(by_id.size() == live.size());
    for (const Span& one : live) {
        if (one.name == "chat" && one.parent_id != live.back().span_id)
            CHECK(by_id.at(one.parent_id)->name == "invoke_agent reader");
        if (one.name == "invoke_agent reader") CHECK(by_id.at(one.parent_id)->name == "execute_tool reader");
    }
    std::set<std::string> recorded;
    for (const Span& one : spans_of(history, {.record_id = "1"})) recorded.insert(one.span_id);
    CHECK(recorded.size() == live.size());
    for (const std::string& id : recorded) CHECK(by_id.contains(id));
}

TEST_CASE("events that no run has are no spans, and a call of a tool that was not offered is one") {
    Spans live;
    const Tracer tracer(into(live), {.content = true, .record_id = "1"});
    const acta::AssistantToolCall call{"c1", {"nothing", {}}};
    const acta::ActionResult result = acta::ActionSuccessResult{.outputs = 1};
    const acta::ChatCompletion answer = completion("At noon.");
    const acta::RunError error;
    acta::AskModel request;
    request.messages = {ChatMessage::user("When?"), ChatMessage::assistant("Soon."), ChatMessage::user("Now?"),
                        ChatMessage::assistant("No.")};
    request.options.tools = std::vector<acta::ToolDefinition>{{.name = "other", .description = "Does something."}};
    tracer(acta::RequestStarted{1, request});
    tracer(acta::RequestCompleted{1, answer});
    tracer(acta::RequestCompleted{1, answer});
    tracer(acta::RequestFailed{1, error, false});
    const acta::RunEvent inner = acta::RequestCompleted{1, answer};
    tracer(acta::SubRunEvent{call, inner});
    CHECK(names(live) == Names{"chat"});
    tracer(acta::CallStarted{call});
    tracer(acta::SubRunEvent{call, inner});
    CHECK(names(live) == Names{"chat"});
    tracer(acta::CallCompleted{call, result});
    CHECK(names(live) == Names{"chat", "execute_tool nothing"});
    CHECK(text(live.back(), "gen_ai.tool.description").empty());
    const acta::RunResult end{.end = acta::RunEnd::answered, .answer = "At noon."};
    tracer(acta::RunCompleted{end});
    CHECK(names(live) == Names{"chat", "execute_tool nothing", "invoke_agent"});
    CHECK(text(live.back(), "gen_ai.input.messages") ==
          R"([{"role":"user","parts":[{"type":"text","content":"Now?"}]}])");
}

TEST_CASE("a call without a result when the run ends is one that did not finish, and its late result is no run") {
    Spans live;
    acta::RunOptions options;
    options.on_event = Tracer(into(live));
    History history;
    ask(history);
    acta::SkillRegistry skills = traced::skills();
    acta::AgentRun run(skills, history, options);
    REQUIRE(std::holds_alternative<acta::AskModel>(run.next()));
    run.give(completion("", {{"c1", {"search", {{"query", "a"}}}}}));
    REQUIRE(std::holds_alternative<acta::RunCalls>(run.next()));
    run.begin("c1");
    run.leave();
    REQUIRE(names(live) == Names{"chat", "execute_tool search", "invoke_agent"});
    CHECK(text(live[1], "acta.result.status") == "did_not_finish");
    CHECK(text(live[2], "acta.run.end") == "stopped");
    run.give("c1", acta::ActionSuccessResult{.outputs = 1});
    CHECK(live.size() == 3);
}

TEST_CASE("a shared history is read under its lock") {
    acta::SharedHistory<> history;
    history.register_action({.use_tool = {"search", {}}});
    history.register_result(acta::ActionSuccessResult{.outputs = 1});
    CHECK(spans_of(history).size() == 3);
}

TEST_CASE("the record of an agent that is a tool must be a history") {
    acta::HistoryRecord<acta::ActionProposal<>> record;
    record.episodes.resize(1);
    record.episodes[0].action.use_tool = {"reader", {}};
    record.episodes[0].result = acta::ActionSuccessResult{.outputs = 1};
    record.cursor = 1;
    record.sub_runs.push_back({.step = 0, .tool_call_id = "call_0", .history = {{"episodes", 3}}});
    const History history(std::move(record));
    CHECK_THROWS_AS(spans_of(history), acta::ValidationError);
}
