// SPDX-License-Identifier: MIT
#pragma once

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <stdexcept>
#include <string>
#include <vector>

#include "acta/base/json_value.hpp"
#include "support/paths.hpp"

// The texts of tests/data/text and the files of others that they are counted with.
namespace acta_test {

inline std::filesystem::path text_data() { return paths::source("tests/data/text"); }

inline std::string read(const std::filesystem::path& path) {
    std::ifstream in(path, std::ios::binary);
    if (!in) throw std::runtime_error("cannot read " + path.string());
    return {std::istreambuf_iterator<char>(in), std::istreambuf_iterator<char>()};
}

inline std::string sample(const std::string& name) { return read(text_data() / "samples" / name); }

inline std::vector<std::string> sample_names() {
    std::vector<std::string> names;
    for (const auto& entry : std::filesystem::directory_iterator(text_data() / "samples")) {
        names.push_back(entry.path().filename().string());
    }
    std::sort(names.begin(), names.end());
    return names;
}

/// Where a row of token_counts.json has its file.
inline std::filesystem::path counted_file(const acta::Json& row) {
    const auto name = row.at("file").get<std::string>();
    return (row.at("origin") == "samples" ? text_data() : std::filesystem::path(paths::shared_data())) / name;
}

}  // namespace acta_test
