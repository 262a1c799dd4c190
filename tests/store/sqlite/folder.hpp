// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>
#include <random>
#include <string>

/// A folder for temporary files, which goes with the test.
struct TemporaryFolder {
    TemporaryFolder()
        : path(std::filesystem::temp_directory_path() / ("acta_store_" + std::to_string(std::random_device()()))) {
        std::filesystem::create_directory(path);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() { std::filesystem::remove_all(path); }

    [[nodiscard]] std::filesystem::path file(const char* name = "runs.db") const { return path / name; }

    std::filesystem::path path;
};
