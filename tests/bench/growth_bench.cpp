// SPDX-License-Identifier: MIT
// Inputs that could make reading or writing slow out of proportion: each at several sizes, the time per
// byte next to that of the smallest. Caches make large values dearer a byte; a square would show as 10
// for every tenfold size.
//
//     build/bench/tests/bench/acta_bench --growth                          # the table
//     build/bench/tests/bench/acta_bench --benchmark_filter='^growth/'     # Google Benchmark's own figures
#include <benchmark/benchmark.h>

#include <array>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <map>
#include <string>
#include <vector>

#include "acta/model/model.hpp"
#include "memory.hpp"
#include "summary.hpp"
#include "timing.hpp"

namespace {
/// A struct that knows nothing of what the documents below hold.
struct Stranger {
    int known = 0;
};
}  // namespace

template <>
struct acta::Describe<Stranger> {
    static constexpr auto fields = acta::fields(acta::defaulted("known", &Stranger::known));
};

namespace {

using acta::Json;

acta::ParseOptions limits(std::size_t depth, std::size_t issues) {
    acta::ParseOptions options;
    options.max_depth = depth;
    options.max_issues = issues;
    return options;
}

/// Reads what must be refused with so many issues.
template <class T>
bool refuses(const std::string& text, const acta::ParseOptions& options, std::size_t issues) {
    try {
        benchmark::DoNotOptimize(acta::parse<T>(text, options));
    } catch (const acta::ValidationError& error) {
        return error.issues().size() == issues;
    }
    return false;
}

std::string object_of(std::size_t keys) {
    std::string out = "{";
    for (std::size_t i = 0; i < keys; ++i) {
        if (i != 0) out += ',';
        out += "\"key" + std::to_string(i * 7919 % keys) + "\":" + std::to_string(i);
    }
    return out + "}";
}
std::string same_keys(std::size_t keys) {
    std::string out = "{";
    for (std::size_t i = 0; i < keys; ++i) {
        if (i != 0) out += ',';
        out += "\"key" + std::to_string(i % 2) + "\":" + std::to_string(i);
    }
    return out + "}";
}
std::string arrays(std::size_t depth) { return std::string(depth, '[') + std::string(depth, ']'); }
std::string arrays_in_record(std::size_t depth) { return R"({"unknown":)" + arrays(depth) + "}"; }
std::string plain_string(std::size_t size) { return '"' + std::string(size, 'x') + '"'; }
std::string escaped_string(std::size_t size) {
    std::string out = "\"";
    while (out.size() < size) out += R"(line\n\"quoted\" \u00e9 🚀 )";
    return out + '"';
}
std::string list_of(std::size_t items, const char* item) {
    std::string out = "[";
    for (std::size_t i = 0; i < items; ++i) {
        if (i != 0) out += ',';
        out += item;
    }
    return out + "]";
}
std::string words(std::size_t items) { return list_of(items, "\"x\""); }
std::string objects(std::size_t items) { return list_of(items, R"({"a":1})"); }

template <class T>
bool reads(const std::string& text, std::size_t) {
    benchmark::DoNotOptimize(acta::parse<T>(text));
    return true;
}
bool reads_deep(const std::string& text, std::size_t depth) {
    const auto value = acta::parse<Json>(text, limits(depth, 100));
    return value.is_array();
}
bool skips_deep(const std::string& text, std::size_t depth) {
    return acta::parse<Stranger>(text, limits(depth + 1, 100)).known == 0;
}
bool refuses_deep(const std::string& text, std::size_t) { return refuses<Json>(text, {}, 1); }
bool finds_issues(const std::string& text, std::size_t n) {
    return refuses<std::vector<int>>(text, limits(128, n + 1), n);
}
bool stops_at_limit(const std::string& text, std::size_t) { return refuses<std::vector<int>>(text, {}, 100); }
bool writes(const std::string& text, std::size_t) {
    static std::string known;
    static Json value;
    if (known != text) {
        value = acta::parse<Json>(text);
        known = text;
    }
    benchmark::DoNotOptimize(acta::dump(value).size());
    return true;
}

struct Growth {
    const char* name;
    std::string (*make)(std::size_t n);
    bool (*run)(const std::string& text, std::size_t n);  // false: not the end that is wanted
    std::array<std::size_t, 4> sizes;
};

constexpr std::array<std::size_t, 4> thousands{1'000, 10'000, 100'000, 1'000'000};
constexpr std::array<std::size_t, 4> strings{50'000, 500'000, 5'000'000, 50'000'000};
constexpr std::array<std::size_t, 4> issues{100, 1'000, 10'000, 100'000};

constexpr std::array<Growth, 14> growths{{
    {"object, Json", object_of, reads<Json>, thousands},
    {"object, std::map", object_of, reads<std::map<std::string, int>>, thousands},
    {"object of 2 keys, Json", same_keys, reads<Json>, thousands},
    {"object, written", object_of, writes, thousands},
    {"list of objects, Json", objects, reads<Json>, thousands},
    {"deep array, refused", arrays, refuses_deep, thousands},
    {"deep array, Json", arrays, reads_deep, thousands},
    {"deep array, skipped", arrays_in_record, skips_deep, thousands},
    {"string", plain_string, reads<std::string>, strings},
    {"string with escapes", escaped_string, reads<std::string>, strings},
    {"string, written", plain_string, writes, strings},
    {"string with escapes, written", escaped_string, writes, strings},
    {"issues", words, finds_issues, issues},
    {"issues, stopped at 100", words, stops_at_limit, thousands},
}};

void run(benchmark::State& state, const Growth& growth) {
    const auto n = static_cast<std::size_t>(state.range(0));
    const std::string text = growth.make(n);
    for ([[maybe_unused]] auto _ : state) {
        if (!growth.run(text, n)) state.SkipWithError("not the end that is wanted");
    }
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) * static_cast<std::int64_t>(text.size()));
}

[[maybe_unused]] const bool registered = [] {
    for (const Growth& growth : growths) {
        auto* const one = benchmark::RegisterBenchmark((std::string("growth/") + growth.name).c_str(), run, growth);
        for (const std::size_t n : growth.sizes) one->Arg(static_cast<std::int64_t>(n));
    }
    return true;
}();

struct Cost {
    double nanoseconds;  // per byte
    double memory;       // per byte
    bool good;
};

Cost measure(const Growth& growth, std::size_t n, int rounds) {
    constexpr double long_enough = 0.02;
    const std::string text = growth.make(n);
    const auto size = static_cast<double>(text.size());
    Cost cost{};
    cost.good = growth.run(text, n);  // once to warm up
    std::size_t times = 1;
    while (bench::seconds_of([&] {
               for (std::size_t i = 0; i < times; ++i) growth.run(text, n);
           }) < long_enough)
        times *= 2;
    std::vector<double> seconds;
    for (int round = 0; round < rounds; ++round) {
        seconds.push_back(bench::seconds_of([&] {
            for (std::size_t i = 0; i < times; ++i) growth.run(text, n);
        }));
    }
    cost.nanoseconds = 1e9 * bench::median(seconds) / static_cast<double>(times) / size;
    cost.memory = static_cast<double>(bench::peak_memory([&] { growth.run(text, n); })) / size;
    return cost;
}

}  // namespace

bool bench::print_growth(int rounds) {
    // Three tenfold steps: a square would be 1000; caches, page faults and the sorting of keys are some 10 at worst.
    constexpr double too_steep = 30;
    std::printf("\nns per byte (and bytes of memory per byte) at growing sizes; the last next to the first\n");
    bool good = true;
    for (const Growth& growth : growths) {
        std::printf("%-29s", growth.name);
        double first = 0;
        Cost cost{};
        bool ends_well = true;
        for (const std::size_t n : growth.sizes) {
            cost = measure(growth, n, rounds);
            if (first == 0) first = cost.nanoseconds;
            ends_well = ends_well && cost.good;
            std::printf(" %8zu:%7.3f (%5.1f)", n, cost.nanoseconds, cost.memory);
        }
        const double steepness = cost.nanoseconds / first;
        std::printf("  x %.2f%s%s\n", steepness, steepness < too_steep ? "" : " TOO STEEP",
                    ends_well ? "" : " WRONG END");
        std::fflush(stdout);
        good = good && ends_well && steepness < too_steep;
    }
    return good;
}
