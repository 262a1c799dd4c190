// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <random>
#include <string>
#include <string_view>
#include <vector>

#include "acta/json/json.hpp"
#include "acta/store/stored_history.hpp"
#include "history/random_changes.hpp"
#include "support/catch.hpp"

/// What the views of a database show, whichever it is. `sql` runs a query: values are divided by '|', rows by '\n'.
namespace views {

using Run = acta::StoredHistory<>;
using Sql = std::function<std::string(const std::string&)>;

inline acta::StepMetrics took(std::string_view begin, std::string_view end, std::int64_t prompt,
                              std::int64_t completion) {
    return {.started_at = acta::parse<acta::Timestamp>('"' + std::string(begin) + '"'),
            .finished_at = acta::parse<acta::Timestamp>('"' + std::string(end) + '"'),
            .prompt_tokens = prompt,
            .completion_tokens = completion,
            .cost_usd = 0.25};
}

/// Writes a run with what the views must know: one call and several, ids of the model and ids by place, results of
/// calls and of steps, changed arguments, metrics that come later, rewinds, and text that PostgreSQL's JSON cannot
/// hold.
inline void write_run(acta::HistoryStore& store, const std::string& id) {
    Run run = Run::open_or_create(store, id);
    const auto call = [](const char* name, acta::JsonObject arguments = {}) {
        return acta::AssistantFunctionCall{name, std::move(arguments)};
    };
    const auto several = [&](std::vector<acta::AssistantFunctionCall> calls) {
        acta::ActionProposal<> out;
        acta::set_calls(out, std::move(calls));
        return out;
    };
    const acta::ActionErrorResult timeout{.reason = "late",
                                          .error = acta::ErrorInfo{.message = "late", .exception_type = "Timeout"}};

    // 1: U+0000, and an escaped backslash before u0000, which is none; the path is written in text that has both
    run.register_action({.use_tool = call("read", {{"path", std::string("\\u0000 \0\0\\\0", 11)}})},
                        took("2026-03-01T10:00:00Z", "2026-03-01T10:00:02.5Z", 100, 20));
    run.register_result(acta::ActionSuccessResult{.outputs = std::string("\0", 1)});

    acta::ActionProposal<> parallel = several({call("fetch", {{"url", "a"}}), call("fetch", {{"url", "b"}})});
    parallel.raw_message = acta::AssistantChatMessage{
        .tool_calls = std::vector<acta::AssistantToolCall>{{.id = "x1", .function = {.name = "fetch"}},
                                                           {.id = "x2", .function = {.name = "fetch"}}}};
    run.register_action(parallel, took("2026-03-01T11:00:00+01:00", "2026-03-01T11:00:01+01:00", 200, 30));
    run.register_result("x2", timeout);
    run.register_result("x1", acta::ActionSuccessResult{.outputs = 1});
    run.set_metrics(1, took("2026-03-01T10:00:00Z", "2026-03-01T10:01:00Z", 250, 30));

    run.register_action(several({call("list"), call("write", {{"path", "a"}}), call("write", {{"path", "b"}})}));
    run.set_arguments("call_2", {{"path", "c"}});
    run.register_result("call_0", acta::ActionSuccessResult{.outputs = 1});
    run.register_result(acta::ActionInterruptedByHuman{.feedback = "stop"});

    run.rewind(1);
    run.rewind(0);
    run.register_action({.use_tool = call("open")});
    run.rewind(1);  // the open step and the second one
    run.register_action({.use_tool = call("write", {{"path", "d"}})});
    run.register_result(acta::ActionErrorResult{.reason = "no"});
    run.set_metrics(0,
                    took("2026-03-01T10:00:00Z", "2026-03-01T10:00:09Z", 999, 999));  // of a step long past: left out
    run.register_action({.use_tool = call("last")});
}

inline void check_views(const Sql& sql, const std::string& schema, const std::string& id) {
    const std::string where = " WHERE history = '" + id + "' ";
    CHECK(
        sql("SELECT step, seq, tools, prompt_tokens, completion_tokens, cost_usd, CASE WHEN rewound THEN 'rewound' END "
            "FROM " +
            schema + "step" + where + "ORDER BY seq") ==
        "0|1|read|100|20|0.25|\n"
        "1|3|fetch, fetch|250|30|0.25|rewound\n"
        "2|7|list, write, write||||rewound\n"
        "2|13|open||||rewound\n"
        "1|15|write||||\n"
        "2|18|last||||");
    CHECK(sql("SELECT CAST(seconds * 1000 AS integer) FROM " + schema + "step" + where + "ORDER BY seq") ==
          "2500\n60000\n\n\n\n");
    CHECK(sql("SELECT seq, place, tool, result, error_type FROM " + schema + "call" + where + "ORDER BY seq, place") ==
          "1|0|read|success|\n"
          "3|0|fetch|success|\n3|1|fetch|error|Timeout\n"
          "7|0|list|success|\n7|1|write|interrupted|\n7|2|write|interrupted|\n"
          "13|0|open||\n"
          "15|0|write|error|\n"
          "18|0|last||");
    CHECK(sql("SELECT arguments FROM " + schema + "call" + where + "AND seq > 1 ORDER BY seq, place") ==
          R"({"url":"a"}
{"url":"b"}
{}
{"path":"a"}
{"path":"c"}
{}
{"path":"d"}
{})");
    CHECK(sql("SELECT count(*) FROM " + schema + "call" + where + "AND seconds >= 0 AND seconds < 60") == "7");
    CHECK(sql("SELECT tool, count(*), sum(CASE WHEN result = 'error' THEN 1 ELSE 0 END) AS errors FROM " + schema +
              "call" + where + "GROUP BY tool HAVING count(*) > 1 ORDER BY errors DESC, tool DESC") ==
          "write|3|1\nfetch|2|1");
    CHECK(sql("SELECT sum(prompt_tokens + completion_tokens), sum(CASE WHEN rewound THEN 1 ELSE 0 END) FROM " + schema +
              "step" + where) == "400|3");
    CHECK(sql("SELECT count(*) FROM " + schema + "step" + where + "AND CAST(at AS text) LIKE '20%'") == "6");
}

/// Compares what the views show of a history that has been through much with the history.
inline void check_random(acta::HistoryStore& store, const Sql& sql, const std::string& schema, std::mt19937& random,
                         const std::string& id) {
    Run run = Run::open_or_create(store, id);
    std::string steps;
    std::string calls;
    for (int i = 0; i < 120; ++i)
        run.with_lock([&](auto& history) { return random_changes::try_change(history, random); });
    const acta::EpisodicActionHistory<> history = run.snapshot();
    for (std::size_t i = 0; i < history.size(); ++i) {
        const auto& step = history.at(i);
        const std::vector<std::string> ids = acta::call_ids(step.action);
        const auto tools = step.action.get_tools();
        steps += (steps.empty() ? "" : "\n") + std::to_string(i) + '|';
        for (std::size_t one = 0; one < tools.size(); ++one) {
            std::optional<acta::ActionResult> result = step.result;
            for (const acta::ToolResult& own : step.tool_results) {
                if (own.tool_call_id == ids[one]) result = own.result;
            }
            std::string status(result ? acta::to_string(acta::status(*result)) : "");
            if (status.starts_with("interrupted")) status = "interrupted";
            steps += (one == 0 ? "" : ", ") + tools[one].name;
            calls += (calls.empty() ? "" : "\n") + std::to_string(i) + '|' + tools[one].name + '|' +
                     acta::dump(tools[one].arguments) + '|' + status;
        }
    }
    const std::string where = " WHERE s.history = '" + id + "' AND NOT s.rewound ORDER BY s.seq";
    CHECK(sql("SELECT step, tools FROM " + schema + "step s" + where) == steps);
    CHECK(sql("SELECT s.step, c.tool, c.arguments, c.result FROM " + schema + "step s JOIN " + schema +
              "call c ON c.history = s.history AND c.seq = s.seq" + where + ", c.place") == calls);
}

}  // namespace views
