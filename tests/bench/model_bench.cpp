// SPDX-License-Identifier: MIT
// Reading and writing a history of 26 MB, next to nlohmann_json with hand-written hooks.
//
//     cmake --workflow --preset bench
//     build/bench/tests/bench/acta_bench --summary                       # the table of ratios and memory, 1 minute
//     build/bench/tests/bench/acta_bench --benchmark_filter='^model/'    # Google Benchmark's own figures
//
// Without CMake:
//
//     g++ -std=c++20 -O2 -DNDEBUG -Iinclude tests/bench/*.cpp -lbenchmark -lpthread -o /tmp/acta_bench
#include <benchmark/benchmark.h>

#include <cstdint>
#include <string>

#include "works.hpp"

namespace {

void run(benchmark::State& state, const bench::Work& work) {
    for ([[maybe_unused]] auto _ : state) work.run();
    state.SetBytesProcessed(static_cast<std::int64_t>(state.iterations()) *
                            static_cast<std::int64_t>(bench::document().size()));
}

[[maybe_unused]] const bool registered = [] {
    for (const bench::Work& work : bench::works)
        benchmark::RegisterBenchmark((std::string("model/") + work.name).c_str(), run, work)
            ->Unit(benchmark::kMillisecond);
    return true;
}();

}  // namespace
