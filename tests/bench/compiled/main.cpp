// SPDX-License-Identifier: MIT
// acta_bench_compiled HEADER_ONLY COMPILED: how fast acta reads and writes JSON with the headers alone and with
// acta::compiled, in turns in one process. The arguments are the two builds of codec.cpp.
#include <dlfcn.h>

#include <array>
#include <cstddef>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "acta/json/json.hpp"
#include "compiled/codec.hpp"
#include "generate.hpp"
#include "timing.hpp"

namespace {

class Build {
public:
    explicit Build(const std::string& path) : library_(::dlopen(path.c_str(), RTLD_NOW | RTLD_LOCAL)) {
        if (library_ == nullptr) throw std::runtime_error(::dlerror());
        prepare_ = reinterpret_cast<decltype(prepare_)>(::dlsym(library_, "acta_bench_prepare"));
        run_ = reinterpret_cast<decltype(run_)>(::dlsym(library_, "acta_bench_run"));
        if (prepare_ == nullptr || run_ == nullptr) throw std::runtime_error(path + " has not the functions");
    }

    void prepare(const std::string& history) const { prepare_(history.data(), history.size()); }
    /// Returns MB per second.
    [[nodiscard]] double speed(int work) const {
        std::size_t bytes = 0;
        const double seconds = bench::seconds_of([&] { bytes = run_(work); });
        return static_cast<double>(bytes) / seconds / 1e6;
    }

private:
    void* library_;
    void (*prepare_)(const char*, std::size_t) = nullptr;
    std::size_t (*run_)(int) = nullptr;
};

}  // namespace

int main(int argc, char** argv) {
    if (argc != 3) {
        std::fputs("use: acta_bench_compiled HEADER_ONLY COMPILED\n", stderr);
        return 2;
    }
    const Build header_only(argv[1]);
    const Build compiled(argv[2]);
    const std::string history = acta::dump(bench::history());
    header_only.prepare(history);
    compiled.prepare(history);
    constexpr std::array works{"read a history", "write a history", "read structs", "write structs"};
    constexpr int rounds = 21;
    std::puts("| | header-only: MB/s | acta::compiled: MB/s | ratio |\n|---|---|---|---|");
    for (int work = 0; work < static_cast<int>(works.size()); ++work) {
        std::vector<double> first;
        std::vector<double> second;
        std::vector<double> ratios;
        for (int round = 0; round < rounds; ++round) {
            const bool turned = round % 2 != 0;  // who comes second may find a faster or slower machine
            const double early = (turned ? compiled : header_only).speed(work);
            const double late = (turned ? header_only : compiled).speed(work);
            first.push_back(turned ? late : early);
            second.push_back(turned ? early : late);
            ratios.push_back(second.back() / first.back());
        }
        std::printf("| %s | %.0f | %.0f | %.2f |\n", works[static_cast<std::size_t>(work)], bench::median(first),
                    bench::median(second), bench::median(ratios));
    }
}
