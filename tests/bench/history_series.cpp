// SPDX-License-Identifier: MIT
// What an agent does with its history at every step, and what is done with all of it.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <iterator>
#include <memory>

#include "acta/compress/compress.hpp"
#include "acta/prompt/prompt.hpp"
#include "generate.hpp"
#include "series.hpp"

namespace {

using History = acta::EpisodicActionHistory<>;
using Steps = std::vector<acta::Episode<>>;

constexpr std::size_t at_once = 100;  // operations that take too little time to be measured one by one

std::shared_ptr<History> steps(std::size_t n) { return std::make_shared<History>(bench::short_history(n)); }
Steps copies(const History& history) { return {history.begin(), history.end()}; }
acta::Episode<> next_step() {
    bench::Random random(7);
    return bench::short_step(random);
}
void add(History& history, acta::Episode<> step) {
    history.register_action(std::move(step.action));
    history.register_result(*std::move(step.result));
}

std::string summarise(std::string_view, const acta::SummaryRequest&) { return "read src/tides.py: two tides"; }

acta::CompressionReport compress(History& history) {
    acta::CompressionOptions options;
    options.max_parallel = 1;
    return acta::handle_compression(history, summarise, options);
}
std::shared_ptr<History> summarised(std::size_t n) {
    auto history = steps(n);
    (void)compress(*history);
    return history;
}

// --- One step -------------------------------------------------------------------------------------------------------

bench::Job append(std::size_t n) {
    const auto all = std::make_shared<const Steps>(copies(*steps(n)));
    const auto run = [all] {
        History history;
        for (const auto& step : *all) add(history, step);
        return history.size() == all->size();
    };
    const auto other = [all] {
        Steps vector;
        for (const auto& step : *all) vector.push_back(step);
        benchmark::DoNotOptimize(vector.data());
    };
    return {static_cast<double>(n), run, other};
}

bench::Job rewind_and_append(std::size_t n) {
    const auto run = [history = steps(n), n, step = next_step()] {
        for (std::size_t i = 0; i < at_once; ++i) {
            history->rewind(1);
            add(*history, step);
        }
        return history->size() == n;
    };
    return {at_once, run};
}

bench::Job find_by_id(std::size_t n) {
    const auto history = steps(n);
    std::vector<acta::EpisodeId> ids;
    for (std::size_t i = 0; i < at_once; ++i) ids.push_back(history->id(i * 7919 % n));
    const auto run = [history, ids] {
        return std::ranges::all_of(ids, [&](const auto& id) { return history->set_summary(id, "short"); });
    };
    return {at_once, run};
}

acta::ActionProposal<> parallel(std::size_t calls) {
    acta::ActionProposal<> action;
    action.use_tool.name = "read_file";
    action.use_tools.assign(calls, action.use_tool);
    return action;
}

bench::Job result_by_id(std::size_t calls) {
    const auto action = parallel(calls);
    const auto run = [action, calls] {
        History history;
        history.register_action(action);
        for (const std::string& id : history.tool_call_ids(0))
            history.register_result(id, acta::ActionSuccessResult{.outputs = "done"});
        return history[0].result && history[0].tool_results.size() == calls;
    };
    return {static_cast<double>(calls), run};
}

bench::Job shown_calls(std::size_t calls) {
    auto history = std::make_shared<History>();
    history->register_action(parallel(calls));
    for (const std::string& id : history->tool_call_ids(0))
        history->register_result(id, acta::ActionSuccessResult{.outputs = "done"});
    acta::PromptOptions options;
    options.max_full_tokens = acta::no_limit;
    const auto run = [history, prompt = acta::Prompt(std::move(options))] {
        return prompt.messages(*history).messages.size() == 2;
    };
    return {static_cast<double>(calls), run};
}

bench::Job last_in_full(std::size_t n) {
    const auto run = [history = steps(n)] { return !history->episodes().back().format().empty(); };
    return {1, run};
}

template <class Build>
bench::Job prompt(std::size_t n, acta::PromptOptions options, const Build& build) {
    const auto run = [history = summarised(n), prompt = acta::Prompt(std::move(options)), build] {
        return build(prompt, *history).report.full.steps > 0;
    };
    return {1, run};
}
constexpr auto text = [](const acta::Prompt& prompt, const History& history) { return prompt.text(history); };
constexpr auto messages = [](const acta::Prompt& prompt, const History& history) { return prompt.messages(history); };

bench::Job one_more(std::size_t n) {
    const auto run = [history = summarised(n), n, prompt = acta::Prompt(), step = next_step()] {
        add(*history, step);
        const std::size_t done = compress(*history).summarised.size();
        const bool good = !prompt.text(*history).text.empty();
        history->rewind(1);
        return good && done <= 1 && history->size() == n;
    };
    return {1, run};
}

// --- All of it ------------------------------------------------------------------------------------------------------

bench::Job copy(std::size_t n) {
    const auto history = steps(n);
    const auto run = [history] { return History(*history).size() == history->size(); };
    const auto other = [all = copies(*history)] { benchmark::DoNotOptimize(Steps(all).data()); };
    return {static_cast<double>(n), run, other};
}

bench::Job compare(std::size_t n) {
    const auto run = [a = steps(n), b = steps(n)] { return *a == *b; };
    return {static_cast<double>(n), run};
}

bench::Job filter(std::size_t n) {
    const auto run = [history = steps(n), n] {
        const auto found = std::ranges::distance(history->with_status(acta::ResultStatus::error));
        return static_cast<std::size_t>(found) <= n;
    };
    return {static_cast<double>(n), run};
}

/// What formatting has to beat: the same text put together from pieces that are there already.
std::function<void()> concatenation(std::vector<std::string> pieces) {
    return [pieces = std::move(pieces)] {
        std::string out;
        for (const std::string& piece : pieces) out += piece;
        benchmark::DoNotOptimize(out.data());
    };
}

bench::Job list(std::size_t n) {
    const auto history = steps(n);
    std::vector<std::string> pieces;
    for (std::size_t i = 0; i < n; ++i)
        pieces.push_back(std::to_string(i + 1) + ". " + to_string((*history)[i]) + "\n");
    const auto run = [history, n] { return history->fmt_list().size() > n; };
    return {static_cast<double>(n), run, concatenation(std::move(pieces))};
}

bench::Job paragraph(std::size_t n) {
    const auto history = steps(n);
    std::vector<std::string> pieces;
    for (std::size_t i = 0; i < n; ++i)
        pieces.push_back("### Step " + std::to_string(i + 1) + ": " + (*history)[i].format() + "\n\n\n");
    const auto run = [history, n] { return history->fmt_paragraph().size() > n; };
    return {static_cast<double>(n), run, concatenation(std::move(pieces))};
}

acta::PromptOptions everything() {
    acta::PromptOptions options;
    options.max_tokens = acta::no_limit;
    return options;
}

bench::Job whole_text(std::size_t n) {
    bench::Job job = prompt(n, everything(), [n](const acta::Prompt& prompt, const History& history) {
        acta::PromptText out = prompt.text(history);
        if (out.report.full.steps + out.report.older.steps != n) out.report.full.steps = 0;  // not all of it
        return out;
    });
    job.units = static_cast<double>(n);
    return job;
}
bench::Job whole_messages(std::size_t n) {
    acta::PromptOptions options = everything();
    options.keep_recent = n;
    options.max_full_tokens = acta::no_limit;
    bench::Job job = prompt(n, std::move(options), messages);
    job.units = static_cast<double>(n);
    return job;
}

bench::Job compress_all(std::size_t n) {
    const auto fresh = steps(n);
    const auto run = [fresh, n] {
        History history = *fresh;
        return compress(history).summarised.size() + 4 >= n;
    };
    return {static_cast<double>(n), run};
}

const bool added =
    bench::add_section(
        {10,
         "History: one step",
         "steps in the history",
         {10, 1'000, 10'000, 100'000},
         {
             {"action and result registered", "steps", append, "`std::vector` of the same"},
             {"rewound and registered again", "steps", rewind_and_append},
             {"found by id, summary set", "steps", find_by_id},
             {"newest step in full (`fmt_paragraph` continues by appending it)", "texts", last_in_full},
             {"prompt within the usual budgets, text", "prompts", [](auto n) { return prompt(n, {}, text); }},
             {"the same as messages", "prompts", [](auto n) { return prompt(n, {}, messages); }},
             {"step added, compressed, next prompt, step taken back", "rounds", one_more},
         }}) &&
    bench::add_section({11,
                        "History: all of it",
                        "steps in the history",
                        {10, 1'000, 10'000, 100'000},
                        {
                            {"copied", "steps", copy, "`std::vector`"},
                            {"compared with an equal one", "steps", compare},
                            {"filtered by status", "steps", filter},
                            {"`fmt_list`", "steps", list, "appending the finished lines"},
                            {"`fmt_paragraph`", "steps", paragraph, "appending the finished paragraphs"},
                            {"prompt of all steps, text", "steps", whole_text},
                            {"prompt of all steps in full, messages", "steps", whole_messages},
                            {"compressed, the summarizer for nothing", "steps", compress_all},
                        }}) &&
    bench::add_section({12,
                        "Parallel calls of one step",
                        "calls",
                        {10, 100, 1'000, 10'000},
                        {
                            {"results registered by id", "results", result_by_id},
                            {"shown in a prompt's messages", "results", shown_calls},
                        }});

}  // namespace
