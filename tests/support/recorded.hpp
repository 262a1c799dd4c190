// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <sstream>
#include <string>

#include "support/catch.hpp"
#include "support/paths.hpp"

/// Compares a text, line by line, with a recorded file of the repository, and writes it to the folder that ACTA_RECORD
/// names, if it is set (CONTRIBUTING.md, "What a change needs").
inline void check_recorded(const std::string& name, const std::string& now) {
    if (const char* const folder = std::getenv("ACTA_RECORD"))
        std::ofstream(std::filesystem::path(folder) / std::filesystem::path(name).filename()) << now;
    std::ifstream recorded(paths::source(name));
    REQUIRE(recorded);
    std::istringstream lines(now);
    std::string line;
    for (std::string wanted; std::getline(recorded, wanted);) {
        REQUIRE(std::getline(lines, line));
        CHECK(line == wanted);
    }
    CHECK_FALSE(std::getline(lines, line));
}
