// SPDX-License-Identifier: MIT
#include <algorithm>
#include <cstdio>
#include <vector>

#include "common.hpp"

namespace bench {

namespace {

using acta::sqlite::Store;
using acta::sqlite::Synchronous;

constexpr std::size_t rounds = 101;

/// What it takes to read a history of some length.
struct Reading {
    std::uint64_t length = 0;
    double newest = 0;  // seconds for the newest 20 steps, an action and a result each
};

Reading measure_reading(Store& store, Writer& writer) {
    Reading out{.length = writer.size()};
    std::vector<double> seconds;
    std::size_t found = 0;
    for (std::size_t i = 0; i < rounds; ++i) {
        seconds.push_back(elapsed_seconds([&] {
            store.read(writer.id(), {.first = writer.size() - 39}, [&found](const acta::Record& one) {
                found += one.body.size();
                return true;
            });
        }));
    }
    out.newest = median(seconds);
    if (found == 0) std::printf("WRONG END\n");
    return out;
}

struct Appending {
    double first = 0;
    double last = 0;
};

void print_reading(const std::vector<Reading>& readings) {
    std::printf("\n### A history in SQLite: reading\n\n| records in the history |");
    for (const Reading& one : readings) std::printf(" %llu |", static_cast<unsigned long long>(one.length));
    std::printf(" wanted |\n|---|");
    for (std::size_t i = 0; i <= readings.size(); ++i) std::printf("---|");
    std::printf("\n| newest 20 steps (40 records), ms |");
    for (const Reading& one : readings) std::printf(" %.3f |", 1e3 * one.newest);
    std::printf(" 1 |\n");
}

}  // namespace

void print_growth(const std::filesystem::path& folder, std::size_t most) {
    const auto file = folder / "growth.db";
    Store full(file);
    Store normal(file, {.synchronous = Synchronous::normal});
    Writer writer("task");
    full.create(writer.id());
    Appending of_full;
    Appending of_normal;
    std::vector<Reading> readings;
    of_full.first = writer.seconds_of_append(full, 4, 250);
    for (std::size_t length = 1000; length <= most; length *= 10) {
        if (length == 10'000) of_normal.first = writer.seconds_of_append(normal, 18, 500);
        if (length == most) {  // the last of all
            writer.append(normal, most - writer.size() - 10'000);
            of_normal.last = writer.seconds_of_append(normal, 18, 500);
            of_full.last = writer.seconds_of_append(full, 4, 250);
        }
        if (length > writer.size()) writer.append(normal, length - writer.size());
        readings.push_back(measure_reading(normal, writer));
    }
    const double ratio = bytes_on_disk(file) / writer.bytes();
    std::printf("\n### A history in SQLite: %llu records of 200 to 1 800 bytes, appended one by one\n\n",
                static_cast<unsigned long long>(writer.size()));
    std::printf(
        "| | first, appends a second | last | time of the last, of the first | wanted |\n|---|---|---|---|---|\n");
    std::printf("| `Synchronous::full`, 1 000 appends | %.0f | %.0f | %.2f | 1.1 |\n", 1 / of_full.first,
                1 / of_full.last, of_full.last / of_full.first);
    std::printf("| `Synchronous::normal`, 9 000 appends | %.0f | %.0f | %.2f | 1.1 |\n", 1 / of_normal.first,
                1 / of_normal.last, of_normal.last / of_normal.first);
    std::printf("\n%.0f MB of bodies take %.0f MB on the disk, journal included: %.3f times as much (wanted: 1.25).\n",
                writer.bytes() / 1e6, bytes_on_disk(file) / 1e6, ratio);
    print_reading(readings);
}

}  // namespace bench
