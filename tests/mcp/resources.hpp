// SPDX-License-Identifier: MIT
#pragma once

#include <sys/wait.h>

#include <cstddef>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>

namespace mcp_tests {

inline std::size_t entries_of(const char* folder) {
    return static_cast<std::size_t>(std::distance(std::filesystem::directory_iterator(folder), {}));
}
/// How many threads, open descriptors and children this process has, and how much memory.
struct Resources {
    std::size_t threads = entries_of("/proc/self/task");
    std::size_t descriptors = entries_of("/proc/self/fd");

    static bool has_children() { return ::waitpid(-1, nullptr, WNOHANG) >= 0; }
    static std::size_t kilobytes() {
        std::ifstream in("/proc/self/status");
        for (std::string word; in >> word;) {
            std::size_t value = 0;
            if (word == "VmRSS:" && in >> value) return value;
        }
        return 0;
    }
    friend bool operator==(const Resources&, const Resources&) = default;
};

}  // namespace mcp_tests
