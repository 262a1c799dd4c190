// SPDX-License-Identifier: MIT
#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <random>
#include <string>
#include <system_error>

#if !defined(_WIN32)
#include <sys/wait.h>

#include "support/paths.hpp"
#endif

// Runs the built examples and keeps what they print.
namespace example {

namespace fs = std::filesystem;

/// A folder that lives as long as a test.
class TemporaryFolder {
public:
    TemporaryFolder() : path_(fs::temp_directory_path() / ("acta_example_" + std::to_string(std::random_device{}()))) {
        fs::create_directories(path_);
        path_ = fs::canonical(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder() {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    [[nodiscard]] const fs::path& path() const noexcept { return path_; }

    /// Writes a file, and makes its folders.
    void write(const fs::path& name, const std::string& text) const {
        fs::create_directories((path_ / name).parent_path());
        std::ofstream(path_ / name, std::ios::binary) << text;
    }

private:
    fs::path path_;
};

inline std::string read_file(const fs::path& path) {
    std::ifstream in(path, std::ios::binary);
    return {std::istreambuf_iterator<char>(in), {}};
}

struct Run {
    int code = -1;
    std::string out{};
    std::string err{};
};

/// Runs an example in a folder. `arguments` are words of the shell, `environment` is such as `NAME=value`.
inline Run run(const std::string& name, const std::string& arguments = {}, const fs::path& where = fs::current_path(),
               const std::string& environment = {}) {
    const TemporaryFolder folder;
    const std::string out = (folder.path() / "out").string();
    const std::string err = (folder.path() / "err").string();
    const std::string program = paths::example(name);
    const std::string command = "cd '" + where.string() + "' && " + environment + " '" + program + "' " + arguments +
                                " >'" + out + "' 2>'" + err + "'";
    int code = std::system(command.c_str());
#if !defined(_WIN32)
    code = WIFEXITED(code) ? WEXITSTATUS(code) : -1;
#endif
    return {code, read_file(out), read_file(err)};
}

/// The same text with other words for what differs from run to run.
inline std::string replaced(std::string text, const std::string& from, const std::string& to) {
    for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size()))
        text.replace(at, from.size(), to);
    return text;
}

/// The part between two headings of the form `=== heading`.
inline std::string section(const std::string& text, const std::string& heading) {
    const std::size_t begin = text.find("=== " + heading + "\n\n");
    if (begin == std::string::npos) return {};
    const std::size_t first = begin + heading.size() + 6;
    return text.substr(first, text.find("\n=== ", first) - first);
}

}  // namespace example
