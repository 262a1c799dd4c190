// SPDX-License-Identifier: MIT
#pragma once

#include <fcntl.h>
#include <spawn.h>
#include <sys/wait.h>
#include <unistd.h>

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <optional>
#include <stdexcept>
#include <string>
#include <thread>

#include "acta/base/json_value.hpp"
#include "support/npm.hpp"
#include "support/temp_folder.hpp"

// A server of the chat API that others wrote: the npm package @copilotkit/aimock, installed once into the build folder.
namespace aimock {

namespace fs = std::filesystem;

inline constexpr const char* package = "@copilotkit/aimock@1.43.0";

inline fs::path folder() { return npm::folder("aimock"); }

/// Installs the package unless it is there; returns why it cannot be used.
inline std::optional<std::string> problem() {
    return npm::problem("aimock", package, "20.15");  // what its package.json asks for
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
