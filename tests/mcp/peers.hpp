// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <future>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/process.hpp"
#include "support/catch.hpp"

// Programs of others, which run while tests talk to them.
namespace mcp_tests {

/// A program in the background, which ends with its input, and so with this object at the latest.
class PeerProcess {
public:
    struct Outcome {
        int code = -1;
        std::string out{};
        std::string errors{};
    };

    explicit PeerProcess(std::vector<std::string> command,
                         std::vector<std::pair<std::string, std::string>> environment = {})
        : child_({.command = std::move(command),
                  .environment = std::move(environment),
                  .on_output = [this](std::string_view text) { take(text); },
                  .on_end = [this] { end_.set_value(); }}) {}

    /// The first line that it prints, within a minute.
    std::string first_line() {
        std::future<std::string> line = line_.get_future();
        if (line.wait_for(std::chrono::minutes(1)) == std::future_status::ready) return line.get();
        FAIL("the program says nothing: " + child_.errors());
        return "";
    }
    /// What came of it, when it has ended, within a minute.
    Outcome outcome() {
        child_.close_input();
        if (end_.get_future().wait_for(std::chrono::minutes(1)) != std::future_status::ready)
            FAIL("the program does not end: " + child_.errors());
        const int code = child_.end().code;
        return {code, out_, child_.errors()};
    }

private:
    void take(std::string_view text) {
        const bool had_line = out_.find('\n') != std::string::npos;
        out_ += text;
        if (const std::size_t end = out_.find('\n'); !had_line && end != std::string::npos)
            line_.set_value(out_.substr(0, end));
    }

    std::string out_{};
    std::promise<std::string> line_{};
    std::promise<void> end_{};
    acta::ChildProcess child_;
};

}  // namespace mcp_tests
