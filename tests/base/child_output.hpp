// SPDX-License-Identifier: MIT
#pragma once

#include <atomic>
#include <chrono>
#include <mutex>
#include <string>
#include <string_view>
#include <thread>
#include <utility>
#include <vector>

#include "acta/base/process.hpp"

/// What a process writes, and whether it has ended.
class ChildOutput {
public:
    [[nodiscard]] acta::ProcessOptions of(std::vector<std::string> command) {
        acta::ProcessOptions options;
        options.command = std::move(command);
        options.on_output = [this](std::string_view text) { add(text); };
        options.on_end = [this] { ++ends; };
        return options;
    }

    [[nodiscard]] std::string text() const {
        const std::lock_guard lock(mutex_);
        return text_;
    }
    /// Waits for a part of the output.
    [[nodiscard]] bool has(const std::string& part) const {
        return eventually([&] { return text().find(part) != std::string::npos; });
    }
    template <class Condition>
    static bool eventually(const Condition& condition) {
        for (int i = 0; i < 2000; ++i) {
            if (condition()) return true;
            std::this_thread::sleep_for(std::chrono::milliseconds(5));
        }
        return false;
    }

    std::atomic<int> ends{0};

private:
    void add(std::string_view text) {
        const std::lock_guard lock(mutex_);
        text_ += text;
    }

    mutable std::mutex mutex_{};
    std::string text_{};
};

inline std::string start_error_of(acta::ProcessOptions options) {
    try {
        const acta::ChildProcess process(std::move(options));
    } catch (const acta::ProcessError& error) {
        return error.what();
    }
    return "";
}
