// SPDX-License-Identifier: MIT
#pragma once

#include <cstddef>
#include <string>
#include <utility>
#include <vector>

#include "acta/history/history.hpp"
#include "acta/json/timestamp.hpp"
#include "acta/view/html.hpp"

// The runs that the tests of views show.
namespace runs {

using History = acta::EpisodicActionHistory<>;

inline std::string page_of(const History& history, const acta::HtmlOptions& options = {}) {
    std::string out;
    acta::to_html(
        history, [&out](std::string_view piece) { out += piece; }, options);
    return out;
}

inline acta::StepMetrics metrics(int second, int took_ms, int in, int out) {
    const auto start = acta::parse_timestamp("2024-05-01T10:00:00Z").value() + std::chrono::seconds(second);
    return {.started_at = start,
            .finished_at = start + std::chrono::milliseconds(took_ms),
            .prompt_tokens = in,
            .completion_tokens = out,
            .cost_usd = 0.0001 * in / 100,
            .model = "tide-1"};
}

/// A run with everything that a page shows: 6 steps, of which step 2 failed, step 4 has parallel calls, one of which
/// failed, and step 5 was interrupted; a summary; 4 messages.
inline History tides() {
    History history;
    history.register_message(acta::ChatMessage::system("You are an agent who knows the sea."));
    history.register_message(acta::ChatMessage::user("When is high water at Brest tomorrow?"));
    history.register_action(
        {.thoughts = "Search for the figures.", .use_tool = {"web_search", {{"query", "tides Brest"}}}},
        metrics(0, 1200, 900, 40));
    history.register_result(acta::ActionSuccessResult{.outputs = {{"hits", {"shom.fr", "maree.info"}}, {"count", 2}}});
    history.set_summary(history.id(0), "Found two sites with tide tables.");
    history.register_action({.thoughts = "Open the first.", .use_tool = {"fetch", {{"url", "https://shom.fr"}}}},
                            metrics(2, 30'000, 1000, 35));
    acta::ErrorInfo timeout = acta::ErrorInfo::make("Timeout", "no answer within 30 s");
    timeout.args.emplace_back("ConnectionError('port 443')");
    history.register_result(acta::ActionErrorResult{"no answer within 30 s", timeout});
    history.register_action({.thoughts = "Then the other one.", .use_tool = {"fetch", {{"url", "https://maree.info"}}}},
                            metrics(33, 800, 1100, 30));
    std::string table;
    for (int hour = 0; hour < 60; ++hour) table += "line " + std::to_string(hour) + ": 04:12 high 6.9 m\n";
    history.register_result(acta::ActionSuccessResult{.outputs = table});
    acta::ActionProposal<> both{.thoughts = "Compare with the harbour."};
    acta::set_calls(both, {{"read_file", {{"path", "harbour.txt"}}}, {"read_file", {{"path", "brest.csv"}}}});
    history.register_action(both, metrics(35, 100, 1500, 60));
    history.register_result("call_0", acta::ActionSuccessResult{.outputs = "high water 04:12"});
    history.register_result("call_1", acta::ActionErrorResult{.reason = "no such file: brest.csv"});
    history.register_action({.thoughts = "Tell the harbour master.", .use_tool = {"send_mail", {{"to", "master"}}}},
                            metrics(36, 5000, 1700, 50));
    history.register_result(acta::ActionInterruptedByHuman{.feedback = "Do not write to anybody."});
    history.register_message(acta::ChatMessage::user("Just tell me."));
    history.register_action({.thoughts = "Look once more.", .use_tool = {"read_file", {{"path", "harbour.txt"}}}},
                            metrics(50, 60, 1800, 20));
    history.register_result(acta::ActionSuccessResult{.outputs = "high water 04:12"});
    history.register_answer("High water is at 04:12, at 6.9 m.");
    return history;
}

/// A run of so many steps, of which every tenth failed and the third of every ten is slow, with so many bytes in each
/// output.
inline History counting(std::size_t steps, std::size_t bytes) {
    History history;
    history.register_message(acta::ChatMessage::user("Count."));
    for (std::size_t i = 1; i <= steps; ++i) {
        history.register_action(
            {.thoughts = "Now number " + std::to_string(i) + ".",
             .use_tool = {i % 3 == 0 ? "count_on" : "count", {{"number", i}}}},
            metrics(static_cast<int>(i), i % 10 == 3 ? 900 : 20, static_cast<int>(500 + i % 700), 20));
        if (i % 10 == 0) {
            history.register_result(acta::ActionErrorResult{.reason = "number " + std::to_string(i) + " is round"});
        } else {
            std::string output = "needle" + std::to_string(i) + " ";
            while (output.size() < bytes) output += "lorem ipsum dolor sit amet, \"consectetur\" adipiscing elit\n";
            history.register_result(acta::ActionSuccessResult{.outputs = std::move(output)});
        }
    }
    return history;
}

/// A run of 90 steps that all fail with long errors.
inline History failing() {
    History history;
    history.register_message(acta::ChatMessage::user("Build it."));
    for (int i = 0; i < 90; ++i) {
        history.register_action({.thoughts = "Once more.",
                                 .use_tool = {"build_everything_from_the_start", {{"path", std::string(300, 'x')}}}});
        history.register_result(
            acta::ActionErrorResult{.reason = "/usr/include/" + std::string(600, 'y') + ": no such member"});
    }
    return history;
}

/// A run whose last request failed, with a text that is no friend of the page.
inline History lost() {
    History history = counting(20, 20);
    acta::RunRecord run{.end = "failed", .after = history.size()};
    run.error = acta::ErrorInfo::make("ChatModelError", "the connection was lost \xE2\x80\xAE<b>");
    history.register_run(std::move(run));
    return history;
}

/// A run with an answer in Markdown.
inline History markdown() {
    History history;
    history.register_message(acta::ChatMessage::user("Build it."));
    history.register_answer(
        "# Done\n\nI built **all** of it:\n\n1. `make` in *src*\n2. tests, see [the log](javascript:alert)\n\n- "
        "one\n"
        "- two <img src=x>\n\n```cpp\nint main() { return 0; }\n```\n\n> quoted\n\nLast: snake_case_name and 2 * 3 * "
        "4.");
    return history;
}

/// A run of `tides` whose parallel calls were agents: the first with an agent of its own, the second failed; and a call
/// whose agent left something else than a history.
inline History crew() {
    History surveyor;
    surveyor.register_message(acta::ChatMessage::user("Read the gauge of the harbour."));
    surveyor.register_action({.thoughts = "The gauge knows.", .use_tool = {"read_gauge", {{"station", "Brest"}}}},
                             metrics(20, 400, 300, 12));
    surveyor.register_result(acta::ActionSuccessResult{.outputs = "6.9 m at 04:12, deepwater"});
    surveyor.register_answer("The gauge says **6.9 m**.");
    History pilot;
    pilot.register_message(acta::ChatMessage::user("When can a ship of 6 m enter?"));
    pilot.register_action({.thoughts = "Ask the surveyor.", .use_tool = {"surveyor", {{"question", "How deep?"}}}},
                          metrics(19, 2500, 500, 30));
    pilot.register_sub_run(pilot.tool_call_ids(0)[0], acta::to_json_value(surveyor));
    pilot.register_result(acta::ActionSuccessResult{.outputs = "The gauge says 6.9 m."});
    pilot.register_action({.thoughts = "Ask the master.", .use_tool = {"radio", {{"channel", 12}}}},
                          metrics(23, 900, 560, 20));
    pilot.register_result(acta::ActionErrorResult{.reason = "nobody answers on channel 12"});
    pilot.register_answer("From 03:30 to 05:00.");
    History weather;
    weather.register_message(acta::ChatMessage::user("What is the wind?"));
    weather.register_action({.thoughts = "Ask the station.", .use_tool = {"station", {{"port", "Brest"}}}},
                            metrics(19, 30'000, 200, 10));
    weather.register_result(acta::ActionErrorResult{.reason = "no answer within 30 s"});
    acta::RunRecord lost{.end = "failed", .after = 1};
    lost.error = acta::ErrorInfo::make("ChatModelError", "the connection was lost");
    weather.register_run(lost);
    History history;
    history.register_message(acta::ChatMessage::user("May the ship enter tonight?"));
    acta::ActionProposal<> both{.thoughts = "Ask the pilot and the weather office."};
    acta::set_calls(both, {{"pilot", {{"question", "When can a ship of 6 m enter?"}}},
                           {"weather_office", {{"question", "What is the wind?"}}}});
    history.register_action(both, metrics(18, 31'000, 900, 60));
    history.register_sub_run("call_0", acta::to_json_value(pilot));
    history.register_sub_run("call_1", acta::to_json_value(weather));
    history.register_result("call_0", acta::ActionSuccessResult{.outputs = "From 03:30 to 05:00."});
    history.register_result("call_1", acta::ActionErrorResult{.reason = "AgentFailed: the connection was lost"});
    history.register_action({.thoughts = "Ask the harbour's own program.", .use_tool = {"other", {}}});
    history.register_sub_run(history.tool_call_ids(1)[0], acta::Json{{"form", "of another program"}});
    history.register_result(acta::ActionSuccessResult{.outputs = "go ahead"});
    history.register_answer("From 03:30 to 05:00, if the wind allows.");
    return history;
}

/// A run of one step, whose call has so many runs: the first of each 150 has so many steps, the others have one.
inline History many_runs(std::size_t count, std::size_t steps) {
    History history;
    history.register_action({.thoughts = "All at once.", .use_tool = {"swarm", {}}});
    history.register_result(acta::ActionSuccessResult{.outputs = "done"});
    auto record = history.record();
    const acta::Json large = acta::to_json_value(counting(steps, 100));
    const acta::Json small = acta::to_json_value(counting(1, 100));
    for (std::size_t i = 0; i < count; ++i)
        record.sub_runs.push_back({0, history.tool_call_ids(0)[0], i % 150 == 0 ? large : small});
    return History(std::move(record));
}

/// Texts that try to run, to load, to hide or to leave their place.
inline std::vector<std::string> hostile_texts() {
    return {"</script><script>document.body.dataset.hacked='a'</script>",
            "<!--<script>",
            "<img src=x onerror=\"document.body.dataset.hacked='b'\">",
            "<svg/onload=alert(1)>",
            "javascript:alert(1)",
            "[link](javascript:alert(1))",
            "\"></pre><iframe src='https://example.org/'></iframe>",
            "line\xE2\x80\xA8separator\xE2\x80\xA9paragraph",
            "user\xE2\x80\xAEgnp.exe\xE2\x80\xAC",
            "\x1b[2J\x1b[31mred\x1b]0;title\x07",
            "\x1b]8;;https://example.org/\x1b\\click\x1b]8;;\x1b\\",
            "bell\x07 back\x08 return\rover \xC2\x9B"
            "31m",
            std::string("nul\0byte", 8),
            "zero\xE2\x80\x8Bwidth \xEF\xBB\xBF bom",
            "{{constructor.constructor('alert(1)')()}}",
            "${alert(1)}",
            "@data@ @script@ @style@"};
}

/// A run with one of them at each place where there may be text.
inline History hostile() {
    History history;
    for (const std::string& text : hostile_texts()) {
        history.register_message(acta::ChatMessage::user(text));
        history.register_action({.thoughts = text, .use_tool = {text, {{text, text}}}});
        history.register_result(acta::ActionErrorResult{.reason = text, .error = acta::ErrorInfo::make(text, text)});
        history.set_summary(history.id(history.size() - 1), text);
        history.register_action({.thoughts = text, .use_tool = {"echo", {{"text", text}}}});
        history.register_result(acta::ActionSuccessResult{.outputs = {{text, text}}});
    }
    history.register_message(acta::ChatMessage::user("lines of windows\r\nend so\r\n"));
    history.register_action({.thoughts = "Within.", .use_tool = {"agent", {}}});
    History within;
    for (const std::string& text : hostile_texts()) {
        within.register_message(acta::ChatMessage::user(text));
        within.register_action({.thoughts = text, .use_tool = {text, {{text, text}}}});
        within.register_result(acta::ActionErrorResult{.reason = text});
        within.register_answer(text);
    }
    acta::RunRecord ended{.end = "failed", .after = within.size()};
    ended.error = acta::ErrorInfo::make("Error", hostile_texts().front());
    within.register_message(acta::ChatMessage::user("More."));
    within.register_run(ended);
    history.register_sub_run(history.tool_call_ids(history.size() - 1)[0], acta::to_json_value(within));
    history.register_result(acta::ActionSuccessResult{.outputs = "ok"});
    history.append_user_feedback(hostile_texts().front());
    std::string answer = hostile_texts().front();
    for (const std::string& text : hostile_texts())
        answer.append("\n# ").append(text).append("\n- ").append(text).append("\n> ").append(text).append(
            "\n**" + text + "** `" + text + "`");
    history.register_answer(answer);
    return history;
}

}  // namespace runs
