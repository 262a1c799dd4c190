// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>

#include "support/paths.hpp"
#include "support/temp_folder.hpp"

// Packages of npm that tests run, each installed once into the build folder.
namespace npm {

namespace fs = std::filesystem;

/// Where the packages of this name are.
inline fs::path folder(const std::string& name) { return fs::path(paths::build()) / name; }

/// The last line that the command wrote, where it failed.
inline std::optional<std::string> failure_of(const std::string& command, const fs::path& log) {
    if (std::system((command + " >'" + log.string() + "' 2>&1 </dev/null").c_str()) == 0) return std::nullopt;
    std::ifstream in(log);
    std::string last = "no output";
    for (std::string line; std::getline(in, line);) {
        if (!line.empty()) last = line;
    }
    return last;
}

/// Installs packages into `folder(name)` unless they are there; returns why they cannot be used. `node` is the oldest
/// version that they run with, such as `20.15`. Test programs wait for one another here.
inline std::optional<std::string> problem(const std::string& name, const std::string& packages,
                                          const std::string& node) {
    if (std::system("command -v npm >/dev/null 2>&1 && command -v node >/dev/null 2>&1") != 0) return "there is no npm";
    const std::string is_older = "node -e 'const [a, b] = process.versions.node.split(\".\"), [c, d] = \"" + node +
                                 "\".split(\".\"); process.exit(+a > +c || (a == c && +b >= +d) ? 0 : 1)'";
    if (std::system(is_older.c_str()) != 0) return "node is older than " + node;
    const fs::path where = folder(name);
    fs::create_directories(where);
    const int lock = ::open((where / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (lock < 0 || ::flock(lock, LOCK_EX) != 0) throw std::runtime_error("no lock in " + where.string());
    std::optional<std::string> why;
    const fs::path done = where / "installed";
    if (read_file(done) != packages) {
        const std::string command = "cd '" + where.string() +
                                    "' && npm install --prefix . --no-audit --no-fund --no-save --ignore-scripts "
                                    "--fetch-retries=1 --fetch-timeout=60000 " +
                                    packages;
        why = failure_of(command, where / "install.log");
        if (!why) std::ofstream(done) << packages;
    }
    ::close(lock);
    if (why) why = "npm cannot install " + packages + ": " + *why;
    return why;
}

}  // namespace npm
