// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/file.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "acta/base/json_value.hpp"
#include "support/paths.hpp"
#include "support/temp_folder.hpp"

// A server of the chat API that others wrote: the npm package @copilotkit/aimock, installed once into the build folder.
namespace aimock {

namespace fs = std::filesystem;

inline constexpr const char* package = "@copilotkit/aimock@1.43.0";

inline fs::path folder() { return fs::path(paths::build()) / "aimock"; }

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

/// Installs the package unless it is there; returns why it cannot be used. Test programs wait for one another here.
inline std::optional<std::string> problem() {
    if (std::system("command -v npm >/dev/null 2>&1 && command -v node >/dev/null 2>&1") != 0) return "there is no npm";
    // What its package.json asks for; Debian 12 has an older one.
    if (std::system("node -e 'const [a, b] = process.versions.node.split(\".\"); "
                    "process.exit(a > 20 || (a == 20 && b >= 15) ? 0 : 1)'") != 0)
        return "node is older than 20.15";
    fs::create_directories(folder());
    const int lock = ::open((folder() / "lock").c_str(), O_CREAT | O_RDWR | O_CLOEXEC, 0600);
    if (lock < 0 || ::flock(lock, LOCK_EX) != 0) throw std::runtime_error("no lock in " + folder().string());
    std::optional<std::string> why;
    const fs::path done = folder() / "installed";
    if (read_file(done) != package) {
        const std::string command = "cd '" + folder().string() +
                                    "' && npm install --prefix . --no-audit --no-fund --no-save --ignore-scripts "
                                    "--fetch-retries=1 --fetch-timeout=60000 " +
                                    package;
        why = failure_of(command, folder() / "install.log");
        if (!why) std::ofstream(done) << package;
    }
    ::close(lock);
    if (why) why = "npm cannot install " + std::string(package) + ": " + *why;
    return why;
}

/// A program in the background, which ends with this object, and with this process at the latest: the shell around it
/// waits for the other end of its standard input.
class Background {
public:
    explicit Background(const std::string& command) {
        int ends[2] = {};
        if (::pipe(ends) != 0) throw std::runtime_error("no pipe");
        ::fcntl(ends[1], F_SETFD, FD_CLOEXEC);
        const std::string script =
            command + " & program=$!; cat >/dev/null; { kill $program; wait $program; } 2>/dev/null";
        const char* const words[] = {"sh", "-c", script.c_str(), nullptr};
        ::posix_spawn_file_actions_t actions;
        ::posix_spawn_file_actions_init(&actions);
        ::posix_spawn_file_actions_adddup2(&actions, ends[0], 0);
        ::posix_spawn_file_actions_addclose(&actions, ends[0]);
        const int failed = ::posix_spawnp(&shell_, "sh", &actions, nullptr, const_cast<char* const*>(words), environ);
        ::posix_spawn_file_actions_destroy(&actions);
        ::close(ends[0]);
        input_ = ends[1];
        if (failed != 0) throw std::runtime_error("no shell");
    }
    Background(const Background&) = delete;
    Background& operator=(const Background&) = delete;
    ~Background() {
        ::close(input_);
        if (shell_ > 0) ::waitpid(shell_, nullptr, 0);
    }

private:
    ::pid_t shell_ = -1;
    int input_ = -1;
};

/// The rest of the line of `log` that begins with these words, once it is there.
inline std::string wait_for(const fs::path& log, const std::string& words) {
    constexpr int tries = 1200;
    for (int i = 0; i < tries; ++i) {
        std::this_thread::sleep_for(std::chrono::milliseconds(50));
        const std::string text = read_file(log);
        const std::size_t at = text.find(words);
        const std::size_t end = text.find('\n', at);
        if (at == std::string::npos || end == std::string::npos) continue;
        return text.substr(at + words.size(), end - at - words.size());
    }
    throw std::runtime_error("a server does not start: " + read_file(log));
}

/// The server, on a free port of this machine.
class Server {
public:
    /// With fixtures as the package has them, and a key that it wants, or none.
    explicit Server(const acta::Json& fixtures, const std::string& key = {}) {
        ::setenv("NO_PROXY", "127.0.0.1,localhost", 1);
        ::setenv("no_proxy", "127.0.0.1,localhost", 1);
        write_file(folder_ / "fixtures.json", fixtures.dump());
        const std::string log = (folder_ / "log").string();
        // Without the first, a fixture of one turn also answers in others.
        program_.emplace("AIMOCK_STRICT_TURN_INDEX=1 " + (key.empty() ? "" : "AIMOCK_API_KEYS='" + key + "' ") +
                         "node '" + (folder() / "node_modules/.bin/llmock").string() + "' --port 0 --fixtures '" +
                         (folder_ / "fixtures.json").string() + "' >'" + log + "' 2>&1");
        root_ = wait_for(log, "listening on ");
    }

    /// `http://127.0.0.1:<port>`
    [[nodiscard]] const std::string& root() const noexcept { return root_; }
    [[nodiscard]] std::string url() const { return root_ + "/v1"; }

private:
    TempFolder folder_{};
    std::optional<Background> program_{};
    std::string root_{};
};

}  // namespace aimock
