// SPDX-License-Identifier: MIT
#pragma once

#include <filesystem>

#include "support/temp_folder.hpp"

/// A folder with the file of a store, which goes with the test.
struct TemporaryFolder : TempFolder {
    [[nodiscard]] std::filesystem::path file(const char* name = "runs.db") const { return *this / name; }
};
