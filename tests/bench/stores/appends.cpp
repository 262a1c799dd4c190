// SPDX-License-Identifier: MIT
#include <fcntl.h>
#include <unistd.h>

#include <cstdio>
#include <functional>
#include <vector>

#include "common.hpp"

namespace bench {

namespace {

constexpr std::size_t at_once = 500;  // so that SQLite's checkpoints are in every measurement

/// A file that is written by the system's own calls.
class PlainFile {
public:
    explicit PlainFile(const std::filesystem::path& file)
        : descriptor_(::open(file.c_str(), O_CREAT | O_WRONLY | O_APPEND, 0600)) {}
    PlainFile(const PlainFile&) = delete;
    PlainFile& operator=(const PlainFile&) = delete;
    ~PlainFile() { ::close(descriptor_); }

    /// Writes the same bodies as a `Writer`, one by one.
    void append(std::size_t count, bool sync) {
        for (std::size_t i = 0; i < count; ++i) {
            const acta::NewRecord one = record(written_++);
            const auto size = static_cast<ssize_t>(one.body.size());
            if (::write(descriptor_, one.body.data(), one.body.size()) != size) std::printf("WRONG END\n");
            if (sync && ::fdatasync(descriptor_) != 0) std::printf("WRONG END\n");
        }
    }

private:
    int descriptor_;
    std::uint64_t written_ = 0;
};

struct Way {
    const char* name;
    std::function<void()> append;
    std::vector<double> seconds{};
};

}  // namespace

void print_appends(const std::filesystem::path& folder, std::size_t rounds) {
    acta::sqlite::Store full(folder / "full.db");
    acta::sqlite::Store normal(folder / "normal.db", {.synchronous = acta::sqlite::Synchronous::normal});
    Writer full_writer("task");
    Writer normal_writer("task");
    full.create("task");
    normal.create("task");
    PlainFile synced(folder / "synced");
    PlainFile unsynced(folder / "unsynced");
    std::vector<Way> ways = {
        {"`write` and `fdatasync`", [&] { synced.append(at_once, true); }},
        {"`Synchronous::full`", [&] { full_writer.append(full, at_once); }},
        {"`Synchronous::normal`", [&] { normal_writer.append(normal, at_once); }},
        {"`write` alone", [&] { unsynced.append(at_once, false); }},
    };
    for (std::size_t round = 0; round <= rounds; ++round) {  // one after the other: what slows one slows all
        for (Way& way : ways) {
            const double seconds = elapsed_seconds(way.append) / static_cast<double>(at_once);
            if (round != 0) way.seconds.push_back(seconds);
        }
    }
    std::printf("\n### Appends to SQLite beside `write` and `fdatasync` of the same bytes\n\n");
    std::printf("| | appends a second | times as fast as `write` and `fdatasync` | wanted |\n|---|---|---|---|\n");
    for (const Way& way : ways) {
        std::vector<double> ratios;
        for (std::size_t i = 0; i < way.seconds.size(); ++i) ratios.push_back(ways[0].seconds[i] / way.seconds[i]);
        std::printf("| %s | %.0f | %.2f | %s |\n", way.name, 1 / median(way.seconds), median(ratios),
                    &way == &ways[1] ? "0.6" : "");
    }
}

}  // namespace bench
