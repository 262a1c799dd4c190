// SPDX-License-Identifier: MIT
#pragma once

#include <cstdio>
#include <filesystem>
#include <fstream>
#include <optional>
#include <random>
#include <string>
#include <string_view>

#include "support/paths.hpp"

// Asks the machine's python3, for tests that compare acta with it.
namespace python3 {

/// A folder of its own for the files of one question.
class Folder {
public:
    Folder()
        : path_(std::filesystem::temp_directory_path() / ("acta_python_" + std::to_string(std::random_device{}()))) {
        std::filesystem::create_directories(path_);
    }
    Folder(const Folder&) = delete;
    Folder& operator=(const Folder&) = delete;
    ~Folder() {
        std::error_code ignored;
        std::filesystem::remove_all(path_, ignored);
    }

    [[nodiscard]] std::string write(const std::string& name, std::string_view text) const {
        const auto file = path_ / name;
        std::ofstream(file, std::ios::binary).write(text.data(), static_cast<std::streamsize>(text.size()));
        return file.string();
    }

private:
    std::filesystem::path path_;
};

/// What `script` prints, with `input` in the file that is its first argument; nothing where python3 is missing or
/// the script ends itself with another exit code than 0.
inline std::optional<std::string> run(std::string_view script, std::string_view input = {}) {
#if defined(_WIN32)
    (void)script, (void)input;
    return std::nullopt;
#else
    const std::string python = paths::python();
    if (python.empty()) return std::nullopt;
    const Folder folder;
    const std::string command =
        "'" + python + "' -W ignore '" + folder.write("script.py", script) + "' '" + folder.write("input", input) + "'";
    std::FILE* const pipe = ::popen(command.c_str(), "r");
    if (pipe == nullptr) return std::nullopt;
    std::string out;
    char buffer[4096];
    while (const std::size_t n = std::fread(buffer, 1, sizeof buffer, pipe)) out.append(buffer, n);
    if (::pclose(pipe) != 0) return std::nullopt;
    return out;
#endif
}

}  // namespace python3
