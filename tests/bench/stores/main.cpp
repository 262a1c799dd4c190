// SPDX-License-Identifier: MIT
// acta_bench_stores [--records=N] [--steps=N] [--folder=PATH]    tables of the stores, in Markdown
//
// N records (a million, or another power of ten from 100 000 on) and steps (2 000) are written to a folder in PATH (the
// system's for temporary files), which should be on the disk that is to be measured. It takes some 6 GB.
#include <charconv>
#include <cstdio>
#include <exception>
#include <string_view>
#include <system_error>

#include "common.hpp"

namespace {

bool read_number(std::string_view text, std::size_t& out) {
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    return error == std::errc() && end == text.data() + text.size();
}

}  // namespace

int main(int argc, char** argv) {
    std::size_t records = 1'000'000;
    std::size_t steps = 2000;
    std::filesystem::path parent = std::filesystem::temp_directory_path();
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        const bool good = (argument.starts_with("--records=") && read_number(argument.substr(10), records)) ||
                          (argument.starts_with("--steps=") && read_number(argument.substr(8), steps)) ||
                          argument.starts_with("--folder=");
        if (argument.starts_with("--folder=")) parent = argument.substr(9);
        if (!good || records < 100'000) {
            std::fprintf(stderr, "use: %s [--records=N] [--steps=N] [--folder=PATH]\n", argv[0]);
            return 2;
        }
    }
    try {
        const bench::Folder folder(parent);
        bench::print_appends(folder.path, 9);
        std::fflush(stdout);
        bench::print_checkpoints(folder.path, steps);
        std::fflush(stdout);
        bench::print_growth(folder.path, records);
        std::fflush(stdout);
        bench::print_opening(folder.path, records / 10);
#if defined(BENCH_HAS_POSTGRES)
        std::fflush(stdout);
        bench::print_postgres(15);
#endif
    } catch (const std::exception& error) {
        std::fprintf(stderr, "%s: %s\n", argv[0], error.what());
        return 1;
    }
    return 0;
}
