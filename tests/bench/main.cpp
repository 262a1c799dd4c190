// SPDX-License-Identifier: MIT
// acta_bench [--only=PART] [--rounds=N]    tables, in Markdown; PART of the title of a table (`History`), or `Reading`
// acta_bench --benchmark_...               Google Benchmark's own figures of the same, with its options
//
// Without CMake:
//
//     g++ -std=c++20 -O2 -DNDEBUG -Iinclude -DACTA_SOURCE_DIR='"."' tests/bench/*.cpp -lbenchmark -lpthread
#include <benchmark/benchmark.h>

#include <algorithm>
#include <charconv>
#include <cstdio>
#include <string>
#include <string_view>
#include <system_error>

#include "generate.hpp"
#include "series.hpp"
#include "summary.hpp"
#include "works.hpp"

namespace {

struct Arguments {
    std::string only;
    int rounds = 0;  // as many as usual
    bool google = false;
    bool good = true;
};

bool read_rounds(std::string_view text, int& rounds) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), rounds);
    return error == std::errc() && end == text.data() + text.size() && rounds > 0;
}

Arguments arguments(int argc, char** argv) {
    Arguments out;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with("--only="))
            out.only = argument.substr(7);
        else if (argument.starts_with("--rounds="))
            out.good = read_rounds(argument.substr(9), out.rounds) && out.good;
        else if (argument.starts_with("--benchmark_"))
            out.google = true;
        else
            out.good = false;
    }
    return out;
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
    std::fprintf(stderr, "history: %s\n", text.c_str());
    return good;
}

int run_google(int argc, char** argv) {
    bench::register_works();
    bench::register_sections();
    benchmark::Initialize(&argc, argv);
    benchmark::RunSpecifiedBenchmarks();
    return 0;
}

}  // namespace

int main(int argc, char** argv) {
    const Arguments asked = arguments(argc, argv);
    if (!asked.good) {
        std::fprintf(stderr, "use: %s [--only=PART] [--rounds=N] | --benchmark_...\n", argv[0]);
        return 2;
    }
    if (!describe_document() || !bench::works_agree()) return 1;
    if (asked.google) return run_google(argc, argv);
    constexpr int usual_rounds = 11;  // for ratios that can be compared
    constexpr int usual_series_rounds = 3;
    bool good = true;
    if (std::string_view("Reading and writing").find(asked.only) != std::string_view::npos)
        good = bench::print_summary(asked.rounds > 0 ? asked.rounds : usual_rounds);
    good = bench::print_sections(asked.only, asked.rounds > 0 ? asked.rounds : usual_series_rounds) && good;
    return good ? 0 : 3;
}
