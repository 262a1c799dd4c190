// SPDX-License-Identifier: MIT
#include "series.hpp"

#include <benchmark/benchmark.h>

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <limits>
#include <utility>

#include "memory.hpp"
#include "timing.hpp"

namespace bench {

namespace {

constexpr double long_enough = 0.01;   // of one measurement, in seconds
constexpr double long_already = 0.25;  // a run of that length is not repeated as often
// Of the cost of a unit, from the cheapest size but the first to the last: a square would be 100, where the sizes grow
// a hundredfold. Caches and page faults make it some 4.
constexpr double too_steep = 12;

std::vector<Section>& all() {
    static std::vector<Section> sections;
    return sections;
}

struct Cost {
    double seconds = std::numeric_limits<double>::infinity();  // of a unit, best of the rounds
    double times_as_fast = 0;                                  // as the other way; 0 without one
    double memory = 0;                                         // bytes of a unit
    bool good = true;
};

template <class Run>
std::size_t runs_for(const Run& run) {
    std::size_t runs = 1;
    const auto repeat = [&] {
        for (std::size_t i = 0; i < runs; ++i) run();
    };
    while (seconds_of(repeat) < long_enough) runs *= 2;
    return runs;
}

template <class Run>
double seconds_of_one(const Run& run, std::size_t runs) {
    const double seconds = seconds_of([&] {
        for (std::size_t i = 0; i < runs; ++i) run();
    });
    return seconds / static_cast<double>(runs);
}

Cost measure(const Job& job, int rounds) {
    Cost cost;
    const double first = seconds_of([&] { cost.good = job.run(); });
    if (first > long_already) rounds = std::min(rounds, 2);
    const std::size_t runs = runs_for(job.run);
    const std::size_t other_runs = job.other ? runs_for(job.other) : 0;
    std::vector<double> ratios;
    for (int round = 0; round < rounds; ++round) {
        const double own = seconds_of_one(job.run, runs);
        if (job.other) ratios.push_back(seconds_of_one(job.other, other_runs) / own);
        cost.seconds = std::min(cost.seconds, own / job.units);
    }
    if (!ratios.empty()) cost.times_as_fast = median(ratios);
    cost.memory = static_cast<double>(peak_memory([&] { cost.good = job.run() && cost.good; })) / job.units;
    return cost;
}

/// With three digits: `0.52`, `17.3 k`, `540 M`.
std::string rounded(double value) {
    constexpr const char* names[] = {"", " k", " M", " G"};
    std::size_t thousands = 0;
    for (; value >= 999.5 && thousands < 3; ++thousands) value /= 1000;
    char out[32];
    const int digits = value >= 99.95 ? 0 : value >= 9.995 ? 1 : 2;
    std::snprintf(out, sizeof out, "%.*f%s", digits, value, names[thousands]);
    return out;
}

std::string with_blanks(std::size_t value) {
    std::string out = std::to_string(value);
    for (std::size_t i = out.size(); i > 3; i -= 3) out.insert(i - 3, " ");
    return out;
}

void print_head(const Section& section) {
    const bool several = section.sizes.size() > 1;
    std::printf("\n### %s\n\n| | each second", section.title);
    for (const std::size_t size : section.sizes) {
        if (several)
            std::printf(" | %s %s", with_blanks(size).c_str(), size == section.sizes.front() ? section.sizes_of : "");
        else
            std::printf(" | ");
    }
    std::printf("%s | memory each | times as fast as |\n|---|---|", several ? " | cost grows" : "");
    for (std::size_t i = 0; i < section.sizes.size() + (several ? 3 : 2); ++i) std::printf("---|");
    std::printf("\n");
}

bool print_row(const Series& series, const Section& section, int rounds) {
    std::printf("| %s | %s |", series.name.c_str(), series.unit);
    double cheapest = std::numeric_limits<double>::infinity();
    bool good = true;
    Cost cost;
    for (std::size_t i = 0; i < section.sizes.size(); ++i) {
        cost = measure(series.prepare(section.sizes[i]), rounds);
        good = good && cost.good;
        if (i != 0)
            cheapest = std::min(cheapest, cost.seconds);  // the smallest may be too small for all there is to do
        std::printf(" %s |", rounded(1 / cost.seconds).c_str());
        std::fflush(stdout);
    }
    const double growth = cost.seconds / cheapest;
    const bool flat = section.sizes.size() < 2 || growth < too_steep;
    if (section.sizes.size() > 1) std::printf(" %.2f%s |", growth, flat ? "" : " TOO STEEP");
    std::printf(" %s |", rounded(cost.memory).c_str());
    if (cost.times_as_fast > 0) std::printf(" %.2f: %s", cost.times_as_fast, series.other);
    std::printf("%s |\n", good ? "" : " WRONG END");
    return good && flat;
}

}  // namespace

bool add_section(Section section) {
    all().push_back(std::move(section));
    return true;
}

std::vector<const Section*> sections(std::string_view part) {
    std::vector<const Section*> out;
    for (const Section& section : all()) {
        if (std::string_view(section.title).find(part) != std::string_view::npos) out.push_back(&section);
    }
    std::sort(out.begin(), out.end(), [](const auto* a, const auto* b) { return a->order < b->order; });
    return out;
}

bool print_sections(std::string_view part, int rounds) {
    bool good = true;
    for (const Section* const section : sections(part)) {
        print_head(*section);
        for (const Series& series : section->series) good = print_row(series, *section, rounds) && good;
    }
    return good;
}

void register_sections() {
    for (const Section* const section : sections("")) {
        for (const Series& series : section->series) {
            const auto run = [&series](benchmark::State& state) {
                const Job job = series.prepare(static_cast<std::size_t>(state.range(0)));
                for ([[maybe_unused]] auto _ : state) {
                    if (!job.run()) state.SkipWithError("not the end that is wanted");
                }
                state.counters[series.unit] =
                    benchmark::Counter(job.units, benchmark::Counter::kIsIterationInvariantRate);
            };
            auto* const one =
                benchmark::RegisterBenchmark((std::string(section->title) + "/" + series.name).c_str(), run);
            for (const std::size_t size : section->sizes) one->Arg(static_cast<std::int64_t>(size));
        }
    }
}

}  // namespace bench
