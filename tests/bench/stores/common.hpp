// SPDX-License-Identifier: MIT
#pragma once

#include <unistd.h>

#include <chrono>
#include <cstddef>
#include <cstdint>
#include <cstdio>
#include <filesystem>
#include <string>
#include <vector>

#include "acta/store/history_store.hpp"
#include "acta/store/sqlite/store.hpp"

#include "../timing.hpp"

// Measurements for the tables of stores: elapsed time, since most of it is waiting for the disk.
namespace bench {

/// Returns the elapsed seconds of `run`.
template <class Run>
double elapsed_seconds(const Run& run) {
    const auto start = std::chrono::steady_clock::now();
    run();
    return std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
}

/// A folder for the files, which goes with it.
struct Folder {
    explicit Folder(const std::filesystem::path& parent)
        : path(parent / ("acta_bench_stores_" + std::to_string(::getpid()))) {
        std::filesystem::create_directories(path);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path, ignored);
    }
    std::filesystem::path path;
};

/// Bytes of a database on the disk, with its journal.
inline double bytes_on_disk(const std::filesystem::path& file) {
    double out = 0;
    for (const char* end : {"", "-wal"}) {
        std::error_code none;
        const auto size = std::filesystem::file_size(file.string() + end, none);
        if (!none) out += static_cast<double>(size);
    }
    return out;
}

/// The n-th record: JSON of 200 to 1 800 bytes, 1 000 on average.
inline acta::NewRecord record(std::uint64_t n) {
    const std::uint64_t mixed = (n + 1) * 0x9E3779B97F4A7C15U;
    const std::string head = "{\"n\":" + std::to_string(n) + ",\"text\":\"";
    const std::size_t size = 200 + static_cast<std::size_t>((mixed >> 40U) % 1601);
    return {acta::RecordKind::note, {}, head + std::string(size - head.size() - 2, 'x') + "\"}"};
}

/// Appends records one by one, and knows how many bytes they had.
class Writer {
public:
    explicit Writer(std::string id) : id_(std::move(id)) {}

    void append(acta::HistoryStore& store, std::size_t count) {
        for (std::size_t i = 0; i < count; ++i) {
            const acta::NewRecord one = record(at_.version);
            at_ = store.append(id_, at_, {&one, 1}).position;
            bytes_ += static_cast<double>(one.body.size());
        }
    }
    /// Seconds of an append: the median of `blocks`, which a busy moment of the machine does not move.
    double seconds_of_append(acta::HistoryStore& store, std::size_t blocks, std::size_t block) {
        std::vector<double> seconds;
        for (std::size_t i = 0; i < blocks; ++i)
            seconds.push_back(elapsed_seconds([&] { append(store, block); }) / static_cast<double>(block));
        return median(seconds);
    }
    [[nodiscard]] const std::string& id() const noexcept { return id_; }
    [[nodiscard]] std::uint64_t size() const noexcept { return at_.version; }
    [[nodiscard]] double bytes() const noexcept { return bytes_; }

private:
    std::string id_;
    acta::Position at_{};
    double bytes_ = 0;
};

// The tables, each printed by a source of its own.

/// A history that grows to `most` records.
void print_growth(const std::filesystem::path& folder, std::size_t most);
/// Histories of up to `most` steps, as they are opened, beside their JSON.
void print_opening(const std::filesystem::path& folder, std::size_t most);
/// Appends beside `write` and `fdatasync` of the same bytes.
void print_appends(const std::filesystem::path& folder, std::size_t rounds);
/// Steps as records, and as checkpoints of the whole state.
void print_checkpoints(const std::filesystem::path& folder, std::size_t steps);

/// Appends beside rows that libpq inserts. Only where acta::postgres is there.
void print_postgres(std::size_t rounds);

}  // namespace bench
