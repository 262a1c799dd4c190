// SPDX-License-Identifier: MIT
// What a step takes in a run that is traced or replayed, beside the same step without, and what a recording takes.
//
//     acta_bench_runs [<rounds>]                          prints the tables; 201 rounds, of which the median counts
//     acta_bench_runs profile untraced|traced|content|scripted|replayed    runs one of them alone, for a profiler
#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <ctime>
#include <exception>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <set>
#include <stdexcept>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "../memory.hpp"
#include "../timing.hpp"
#include "acta/agent/run.hpp"
#include "acta/json/json.hpp"
#include "acta/testing/recorded_model.hpp"
#include "acta/trace/exporter.hpp"

namespace {

using acta::testing::RecordedChatModel;

constexpr std::size_t steps = 9;  // of a run, before its answer

double seconds_by(clockid_t clock) {
    ::timespec time{};
    ::clock_gettime(clock, &time);
    return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_nsec) / 1e9;
}

/// The tides of a port and a day: a text of its own of `hours` lines, of some 25 bytes each.
std::string tides(const std::string& port, std::size_t day, std::size_t hours) {
    std::string out = port + ", day " + std::to_string(day) + "\n";
    for (std::size_t hour = 0; hour < hours; ++hour) {
        const std::size_t height = (hour * 7919 + day * 104'729) % 9973;
        out += std::to_string(hour) + ":00  " + std::to_string(height) + " mm, rising\n";
    }
    return out;
}

acta::SkillRegistry skills(std::size_t hours = 12) {
    acta::SkillRegistry out;
    out.add(
        "tides", "The tides of a port.",
        [hours](const std::string& port, std::size_t day) { return tides(port, day, hours); },
        acta::param("port", "The name of the port."), acta::param("day", "The number of the day."));
    return out;
}

acta::ScriptedChatModel script(std::size_t task) {
    acta::ScriptedChatModel out;
    for (std::size_t i = 0; i < steps; ++i) out.reply_call("tides", {{"port", "Brest"}, {"day", task * steps + i}});
    return out.reply("At 12:15.");
}

/// Runs the agent, and returns the seconds that a step takes in this thread.
double step_of(acta::AnyChatModel model, const acta::SkillRegistry& tools, const acta::RunOptions& options = {},
               std::size_t task = 0) {
    acta::EpisodicActionHistory<> history;
    history.register_message(acta::ChatMessage::user("When is high water in week " + std::to_string(task) + "?"));
    const double begin = seconds_by(CLOCK_THREAD_CPUTIME_ID);
    const acta::RunResult result = acta::run_agent(model, tools, history, options);
    const double seconds = seconds_by(CLOCK_THREAD_CPUTIME_ID) - begin;
    if (result.end != acta::RunEnd::answered || history.size() != steps) throw std::runtime_error("not the wanted end");
    return seconds / (steps + 1);
}

acta::http::Reply take(const acta::http::Request&, const acta::http::Sink&) {
    acta::http::Reply reply;
    reply.status = 200;
    return reply;
}

acta::RunOptions traced(const acta::trace::Exporter& exporter, bool content) {
    acta::RunOptions options;
    options.on_event =
        acta::trace::Tracer(exporter.sink(), {.agent_name = "pilot", .provider = "openai", .content = content});
    return options;
}

/// Two ways to do the same, in alternation.
struct Pair {
    std::vector<double> floor{};
    std::vector<double> acta{};
    std::vector<double> ratios{};

    void add(double of_floor, double of_acta) {
        floor.push_back(of_floor);
        acta.push_back(of_acta);
        ratios.push_back(of_acta / of_floor);
    }
    void print(const char* name, const char* aim) const {
        std::printf("| %s | %.1f | %.1f | %.2f | %s |", name, bench::median(floor) * 1e6, bench::median(acta) * 1e6,
                    bench::median(ratios), aim);
    }
};

void print_traces(int rounds) {
    const acta::SkillRegistry tools = skills();
    std::printf("| a step | untraced, µs | traced, µs | traced / untraced | aim | with the exporter's thread, µs |\n");
    std::printf("|---|---|---|---|---|---|\n");
    for (const bool content : {false, true}) {
        Pair pair;
        std::vector<double> all;
        acta::trace::Exporter exporter(take, {.max_queue = 1'000'000, .max_queue_bytes = std::size_t{1} << 30U});
        for (int i = 0; i < rounds; ++i) {
            const double floor = step_of(script(0), tools);
            const acta::RunOptions options = traced(exporter, content);
            const double others = seconds_by(CLOCK_PROCESS_CPUTIME_ID) - seconds_by(CLOCK_THREAD_CPUTIME_ID);
            const double own = step_of(script(0), tools, options);
            if (!exporter.flush(std::chrono::minutes(1))) throw std::runtime_error("the exporter is slow");
            const double end = seconds_by(CLOCK_PROCESS_CPUTIME_ID) - seconds_by(CLOCK_THREAD_CPUTIME_ID);
            pair.add(floor, own);
            all.push_back(own + (end - others) / (steps + 1));
        }
        if (exporter.counts().lost() != 0) throw std::runtime_error("spans were lost");
        pair.print(content ? "with content" : "names, counts and times", content ? "" : "1.1");
        std::printf(" %.1f |\n", bench::median(all) * 1e6);
    }
}

std::filesystem::path record(std::size_t requests, const acta::SkillRegistry& tools) {
    const auto file =
        std::filesystem::temp_directory_path() / ("acta_bench_runs_" + std::to_string(requests) + ".jsonl");
    std::filesystem::remove(file);
    for (std::size_t task = 0; task < requests / (steps + 1); ++task)
        step_of(RecordedChatModel(script(task), file, {.mode = acta::testing::RecordingMode::fill}), tools, {}, task);
    return file;
}

/// Adds the texts of a value to a set.
void gather(const acta::Json& value, std::set<std::string>& out) {
    if (value.is_string()) out.insert(value.get<std::string>());
    if (!value.is_structured()) return;
    for (const acta::Json& one : value) gather(one, out);
}

/// Returns the bytes of the texts in the parts and answers of a recording, each distinct one once.
std::size_t distinct_text(const std::filesystem::path& file) {
    std::ifstream in(file);
    std::set<std::string> texts;
    for (std::string line; std::getline(in, line);) {
        const acta::Json one = acta::parse<acta::Json>(line);
        for (const char* const member : {"part", "answer"})
            if (one.contains(member)) gather(one.at(member), texts);
    }
    std::size_t out = 0;
    for (const std::string& text : texts) out += text.size();
    return out;
}

void print_recordings(int rounds) {
    const acta::SkillRegistry tools = skills();
    std::printf("\n| a step, from a recording | scripted, µs | replayed, µs | replayed / scripted | aim |\n");
    std::printf("|---|---|---|---|---|\n");
    for (const std::size_t requests : {std::size_t{10}, std::size_t{1000}}) {
        const std::filesystem::path file = record(requests, tools);
        const RecordedChatModel recorded(file);
        Pair pair;
        const std::size_t tasks = requests / (steps + 1);
        for (int i = 0; i < rounds; ++i) {
            const std::size_t task = static_cast<std::size_t>(i) % tasks;
            pair.add(step_of(script(task), tools, {}, task), step_of(recorded, tools, {}, task));
        }
        pair.print(("of " + std::to_string(requests) + " requests").c_str(), "1.3");
        std::printf("\n");
    }
}

void print_memory() {
    std::printf("\n| a recording | distinct text, kB | file | memory | most while it is read | aim |\n");
    std::printf("|---|---|---|---|---|---|\n");
    for (const auto& [requests, hours] : {std::pair<std::size_t, std::size_t>{10, 12}, {1000, 12}, {1000, 150}}) {
        const std::filesystem::path file = record(requests, skills(hours));
        const auto text = static_cast<double>(distinct_text(file));
        bench::start_counting();
        const RecordedChatModel recorded(file);
        const auto kept = static_cast<double>(bench::counted_now());
        const auto most = static_cast<double>(bench::stop_counting());
        std::printf("| of %zu requests, results of %.1f kB | %.1f | %.2f | %.2f | %.2f | 1.2 |\n", recorded.size(),
                    static_cast<double>(tides("Brest", 1, hours).size()) / 1000, text / 1000,
                    static_cast<double>(std::filesystem::file_size(file)) / text, kept / text, most / text);
        std::filesystem::remove(file);
    }
}

void profile(std::string_view what) {
    const acta::SkillRegistry tools = skills();
    acta::trace::Exporter exporter(take);
    const std::filesystem::path file = record(1000, tools);
    const RecordedChatModel recorded(file);
    for (int i = 0; i < 20'000; ++i) {
        if (what == "replayed") step_of(recorded, tools);
        if (what == "scripted" || what == "untraced") step_of(script(0), tools);
        if (what == "traced" || what == "content") step_of(script(0), tools, traced(exporter, what == "content"));
    }
}

}  // namespace

int main(int argc, char** argv) {
    try {
        const std::string first = argc > 1 ? argv[1] : "201";
        if (first == "profile") {
            profile(argc > 2 ? argv[2] : "");
            return 0;
        }
        const int rounds = std::max(std::atoi(first.c_str()), 1);
        print_traces(rounds);
        print_recordings(rounds);
        print_memory();
    } catch (const std::exception& error) {
        std::cerr << error.what() << "\n";
        return 1;
    }
    return 0;
}
