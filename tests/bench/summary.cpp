// SPDX-License-Identifier: MIT
#include "summary.hpp"

#include <array>
#include <cstddef>
#include <cstdio>
#include <string>
#include <vector>

#include "memory.hpp"
#include "timing.hpp"
#include "works.hpp"

namespace bench {

namespace {

using Times = std::array<std::vector<double>, work_count>;

Times measure(int rounds) {
    Times times;
    for (const Work& work : works) work.run();  // once to warm up
    for (int round = 0; round < rounds; ++round) {
        for (std::size_t i = 0; i < work_count; ++i) times[i].push_back(seconds_of(works[i].run));
    }
    return times;
}

/// Of each round the ratio, then their median: what slows a round down slows both.
double ratio(const std::vector<double>& baseline, const std::vector<double>& own) {
    std::vector<double> ratios;
    for (std::size_t i = 0; i < own.size(); ++i) ratios.push_back(baseline[i] / own[i]);
    return median(ratios);
}

std::string demand(double wanted, double hoped, bool met) {
    if (wanted == 0) return "";
    char out[64];
    if (hoped == 0)
        std::snprintf(out, sizeof out, "%.4g %s", wanted, met ? "ok" : "MISSED");
    else
        std::snprintf(out, sizeof out, "%.4g/%.4g %s", wanted, hoped, met ? "ok" : "MISSED");
    return out;
}

}  // namespace

bool print_summary(int rounds) {
    const double bytes = static_cast<double>(document().size());
    std::printf("\nmedians of %d rounds, processor time; ratio to nlohmann_json's work of the same kind\n", rounds);
    std::printf("%-22s %9s %9s %8s %-15s %8s %s\n", "", "ms", "MB/s", "ratio", "wanted/hoped", "memory", "wanted");
    const Times times = measure(rounds);
    bool good = true;
    for (std::size_t i = 0; i < work_count; ++i) {
        const Work& work = works[i];
        const double seconds = median(times[i]);
        const double speed = ratio(times[work.baseline], times[i]);
        const double memory = static_cast<double>(peak_memory(work.run)) / bytes;
        const bool fast = speed >= work.wanted_ratio;
        const bool small = work.wanted_memory == 0 || memory <= work.wanted_memory;
        std::printf("%-22s %9.2f %9.1f %8.2f %-15s %8.3f %s\n", work.name, 1e3 * seconds, bytes / 1e6 / seconds, speed,
                    demand(work.wanted_ratio, work.hoped_ratio, fast).c_str(), memory,
                    demand(work.wanted_memory, 0, small).c_str());
        good = good && fast && small;
    }
    return good;
}

}  // namespace bench
