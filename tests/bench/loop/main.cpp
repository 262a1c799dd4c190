// SPDX-License-Identifier: MIT
// What a step of the loop takes, beside the same loop with libcurl and nlohmann/json alone (floor.hpp), on the same
// server.
//
//     acta_bench_loop [<rounds>]        prints a table; 5 rounds, of which the best counts; and one of a prompt cache
//     acta_bench_loop profile <row>     runs acta's side of the row that has this in its name, for a profiler
//     acta_bench_loop serve             prints the address of the server, and ends with its input, for peers.mjs
#include <cstddef>
#include <cstdlib>
#include <ctime>
#include <functional>
#include <iostream>
#include <limits>
#include <string>
#include <vector>

#include "acta/agent/run.hpp"
#include "acta/chat/chat_model.hpp"
#include "acta/json/json.hpp"
#include "acta/provider/openai/chat_model.hpp"
#include "floor.hpp"
#include "server.hpp"

#include "../../measure/prompt_cost.hpp"

namespace {

using Run = std::function<void()>;

std::string log_part(std::size_t part) {
    return "Part " + std::to_string(part) + ": high water at noon, the pump \"" + std::to_string(part % 7) +
           "\" ran.\n" + std::string(300, 'x');
}

struct Work {
    std::size_t steps = 400;
    std::size_t calls = 1;  ///< In each step.
    std::size_t tools = 1;  ///< One of them is called.
    bool is_whole = false;  ///< Whether each request has the whole history.
};

void add_tools(acta::SkillRegistry& skills, const Work& work) {
    skills.add("read_log", "Reads a part.", {.read_only = true}, log_part, acta::param("part", "Which one."));
    for (std::size_t i = 1; i < work.tools; ++i) {
        skills.add(
            "tool_" + std::to_string(i), "Looks up one of the tables of the harbour office by its name.",
            [](const std::string&, int, bool) { return 0; }, acta::param("table", "The name of the table."),
            acta::param("rows", "How many rows to return at most."),
            acta::param("sorted", "Whether the rows are sorted by time."));
    }
}

acta::openai::Options client(const bench::LoopServer& server, const Work& work) {
    return {.base_url = server.url(work.steps, work.calls), .model = "m", .api_key = ""};
}

/// Runs acta's loop once, from a new connection on.
void run_acta(const bench::LoopServer& server, const Work& work) {
    acta::SkillRegistry skills;
    add_tools(skills, work);
    acta::RunOptions options;
    options.limits.requests = work.steps + 1;
    if (work.is_whole) options.budget.max_full_tokens = options.budget.keep_recent = 100'000'000;
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("When did the pump run dry?"));
    const acta::RunResult result =
        acta::run_agent(acta::openai::ChatModel(client(server, work)), skills, history, options);
    if (result.end != acta::RunEnd::answered || history.size() != work.steps)
        throw std::runtime_error("acta's run ended otherwise, after " + std::to_string(history.size()) +
                                 " steps: " + to_string(result));
}

void run_floor(const bench::LoopServer& server, const Work& work, std::size_t shown) {
    acta::SkillRegistry skills;
    add_tools(skills, work);
    acta::ChatOptions options;
    options.tools = acta::tools(skills);
    const acta::openai::ChatCodec codec(client(server, work));
    const std::vector<acta::ChatMessage> one{acta::ChatMessage::user("?")};
    const auto body = nlohmann::ordered_json::parse(codec.request(one, options).body);
    const std::string url = server.url(work.steps, work.calls) + "/chat/completions";
    bench::FloorLoop floor(url, ",\"tools\":" + body["tools"].dump(), shown);
    if (floor.run(log_part) != work.steps) throw std::runtime_error("the floor's run ended otherwise");
}

struct Row {
    std::string name{};
    Work work{};
    std::size_t shown = 0;  ///< Steps in a request of the floor; 0 for all.
};

std::vector<Row> all_rows() {
    std::vector<Row> out;
    constexpr std::size_t shown_by_default = 33;  // about what the default budget shows of such steps
    for (const std::size_t steps : {std::size_t{100}, std::size_t{400}}) {
        const std::string n = std::to_string(steps) + " steps, ";
        out.push_back({n + "whole history", {.steps = steps, .is_whole = true}, 0});
        out.push_back({n + "as it comes", {.steps = steps}, shown_by_default});
    }
    for (const std::size_t tools : {std::size_t{10}, std::size_t{100}, std::size_t{1000}})
        out.push_back(
            {"50 steps, " + std::to_string(tools) + " tools", {.steps = 50, .tools = tools}, shown_by_default});
    out.push_back({"20 steps of 64 calls", {.steps = 20, .calls = 64}, 4});
    return out;
}

double milliseconds_a_step(const Row& row, const Run& run) {
    const std::clock_t start = std::clock();
    run();
    const double seconds = static_cast<double>(std::clock() - start) / CLOCKS_PER_SEC;
    return seconds * 1000 / static_cast<double>(row.work.steps);
}

void print_table(const bench::LoopServer& server, std::size_t rounds) {
    const std::vector<Row> rows = all_rows();
    constexpr double none = std::numeric_limits<double>::max();
    std::vector<double> acta_best(rows.size(), none);
    std::vector<double> floor_best(rows.size(), none);
    for (std::size_t round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < rows.size(); ++i) {
            const Row& row = rows[i];
            floor_best[i] =
                std::min(floor_best[i], milliseconds_a_step(row, [&] { run_floor(server, row.work, row.shown); }));
            acta_best[i] = std::min(acta_best[i], milliseconds_a_step(row, [&] { run_acta(server, row.work); }));
        }
    }
    std::cout << "| a run over HTTP | floor, ms a step | acta, ms a step | acta / floor |\n|---|---|---|---|\n";
    std::cout.precision(3);
    for (std::size_t i = 0; i < rows.size(); ++i) {
        std::cout << "| " << rows[i].name << " | " << floor_best[i] << " | " << acta_best[i] << " | "
                  << acta_best[i] / floor_best[i] << " |\n";
    }
}

/// What the requests of such steps cost with a prompt cache, which does not depend on the machine.
void print_prompt_cache() {
    constexpr std::size_t columns[] = {12, 50, 100, 400, 1000};
    acta_measure::Steps steps(50);
    for (std::size_t i = 0; i < steps.size(); ++i) {
        steps[i].action = {.thoughts = "I read on.", .use_tool = {"read_log", {{"part", i}}}};
        steps[i].result = acta::ActionSuccessResult{.outputs = log_part(i)};
    }
    const acta::PromptOptions usual = acta::RunOptions().budget;
    acta::PromptOptions one_leaves = usual;
    one_leaves.full_stride = 1;
    const auto by_default = acta_measure::play(steps, usual, columns);
    const auto whole = acta_measure::play(steps, acta_measure::all_in_full(usual), columns);
    const auto single = acta_measure::play(steps, one_leaves, columns);
    std::cout << "\n| price of all requests with a prompt cache, default budget |";
    for (const std::size_t count : columns) std::cout << ' ' << count << " steps |";
    std::cout << "\n|---|---|---|---|---|---|";
    const auto print = [&](const char* what, const auto& other) {
        std::cout << "\n| " << what << " |";
        for (std::size_t i = 0; i < std::size(columns); ++i)
            std::cout << ' ' << by_default[i].price() / other(i).price() << " |";
    };
    print("of that with all steps in full", [&](std::size_t i) { return whole[i]; });
    print("of that where steps leave one by one", [&](std::size_t i) { return single[i]; });
    std::cout << '\n';
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const bench::LoopServer server;
        const std::vector<std::string> arguments(argv + 1, argv + argc);
        if (arguments.size() == 2 && arguments[0] == "profile") {
            for (const Row& row : all_rows()) {
                if (row.name.find(arguments[1]) == std::string::npos) continue;
                for (int i = 0; i < 10; ++i) run_acta(server, row.work);
                return 0;
            }
            throw std::runtime_error("no row has '" + arguments[1] + "' in its name");
        }
        if (arguments == std::vector<std::string>{"serve"}) {
            std::cout << server.url(400, 1) << std::endl;
            while (std::cin.get() != std::char_traits<char>::eof()) {
            }
            return 0;
        }
        print_table(server, arguments.empty() ? 5 : std::stoul(arguments[0]));
        print_prompt_cache();
    } catch (const std::exception& error) {
        std::cerr << "acta_bench_loop: " << error.what() << '\n';
        return 1;
    }
}
