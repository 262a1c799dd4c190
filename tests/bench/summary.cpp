// SPDX-License-Identifier: MIT
#include "summary.hpp"

#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <string>
#include <vector>

#include "memory.hpp"
#include "timing.hpp"
#include "works.hpp"

namespace bench {

namespace {

#if defined(ACTA_NO_SIMD)
constexpr bool portable = true;
#else
constexpr bool portable = false;
#endif

using Times = std::array<std::vector<double>, work_count>;

Times measure(int rounds) {
    Times times;
    for (int round = -1; round < rounds; ++round) {  // once to warm up
        for (std::size_t i = 0; i < work_count; ++i) {
            const double seconds = seconds_of(works[i].run);
            works[i].destroy();
            if (round >= 0) times[i].push_back(seconds);
        }
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
        std::snprintf(out, sizeof out, "%.4g%s", wanted, met ? "" : " MISSED");
    else
        std::snprintf(out, sizeof out, "%.4g, better %.4g%s", wanted, hoped, met ? "" : " MISSED");
    return out;
}

}  // namespace

bool print_summary(int rounds) {
    const double bytes = static_cast<double>(document().size());
    std::printf("\n### Reading and writing a history of %.0f MB%s\n\n", bytes / 1e6,
                portable ? ", `ACTA_NO_SIMD`" : "");
    std::printf("| | ms | MB/s | times as fast as nlohmann_json | wanted | memory added, of the size | wanted |\n");
    std::printf("|---|---|---|---|---|---|---|\n");
    const Times times = measure(rounds);
    bool good = true;
    for (std::size_t i = 0; i < work_count; ++i) {
        const Work& work = works[i];
        const double seconds = median(times[i]);
        const double speed = ratio(times[work.baseline], times[i]);
        const double memory = static_cast<double>(peak_memory(work.run)) / bytes;
        work.destroy();
        const bool fast = portable || speed >= work.wanted_ratio;  // the wanted ratio applies only with SIMD
        const bool small = work.wanted_memory == 0 || memory <= work.wanted_memory;
        std::printf("| %s | %.1f | %.0f | %.2f | %s | %.3f | %s |\n", work.name, 1e3 * seconds, bytes / 1e6 / seconds,
                    speed, demand(portable ? 0 : work.wanted_ratio, work.hoped_ratio, fast).c_str(), memory,
                    demand(work.wanted_memory, 0, small).c_str());
        good = good && fast && small;
    }
    return good;
}

void register_works() {
    for (const Work& work : works) {
        const auto run = [&work](benchmark::State& state) {
            for ([[maybe_unused]] auto _ : state) {
                work.run();
                state.PauseTiming();
                work.destroy();
                state.ResumeTiming();
            }
            state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                                    static_cast<std::int64_t>(document().size()));
        };
        benchmark::RegisterBenchmark((std::string("model/") + work.name).c_str(), run)->Unit(benchmark::kMillisecond);
    }
}

}  // namespace bench
