// SPDX-License-Identifier: MIT
// acta_bench [--summary[=<rounds>]] [--growth[=<rounds>]] [--benchmark_...]
// Without --summary and --growth the benchmarks run, and then both summaries follow, unless a filter was given.
#include <benchmark/benchmark.h>

#include <cstdio>
#include <cstdlib>
#include <string>
#include <string_view>

#include "generate.hpp"
#include "summary.hpp"
#include "works.hpp"

namespace {

/// The number behind `name`, `usual` where the argument is the name alone, 0 where it is another one.
int rounds_of(std::string_view argument, std::string_view name, int usual) {
    if (!argument.starts_with(name)) return 0;
    argument.remove_prefix(name.size());
    if (argument.empty()) return usual;
    return argument.front() == '=' ? std::atoi(std::string(argument.substr(1)).c_str()) : 0;
}

/// Says what the generated history is like; false where it is not what it should be.
bool describe_document() {
    bool good = true;
    std::string text = std::to_string(bench::document().size()) + " bytes";
    for (const bench::Share& share : bench::shares(bench::history())) {
        char part[96];
        std::snprintf(part, sizeof part, ", %s %.1f %% (%.4g)%s", share.name.c_str(), share.found, share.wanted,
                      share.good() ? "" : " WRONG");
        text += part;
        good = good && share.good();
    }
    benchmark::AddCustomContext("history", text);
    std::printf("history: %s\n", text.c_str());
    return good;
}

}  // namespace

int main(int argc, char** argv) {
    constexpr int usual_rounds = 15;
    constexpr int usual_growth_rounds = 5;
    int summary = 0;
    int growth = 0;
    bool filtered = false;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const int a = rounds_of(argument, "--summary", usual_rounds);
        const int b = rounds_of(argument, "--growth", usual_growth_rounds);
        filtered = filtered || argument.starts_with("--benchmark_filter") || argument.starts_with("--benchmark_list");
        if (a == 0 && b == 0) argv[kept++] = argv[i];
        summary += a;
        growth += b;
    }
    argc = kept;
    const bool only_summaries = summary != 0 || growth != 0;
    if (!only_summaries && !filtered) {
        summary = usual_rounds;
        growth = usual_growth_rounds;
    }
    benchmark::Initialize(&argc, argv);
    if (benchmark::ReportUnrecognizedArguments(argc, argv)) return 2;
    if (!describe_document() || !bench::works_agree()) return 1;
    if (!only_summaries) benchmark::RunSpecifiedBenchmarks();
    bool good = true;
    if (summary > 0) good = bench::print_summary(summary);
    if (growth > 0) good = bench::print_growth(growth) && good;
    return good ? 0 : 3;
}
