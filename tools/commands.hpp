// SPDX-License-Identifier: MIT
#pragma once

// The subcommands. Each adds itself to the command line, and returns what runs it.

#include <CLI/CLI.hpp>
#include <algorithm>
#include <functional>
#include <initializer_list>
#include <string>
#include <vector>

#include "output.hpp"

namespace tools {

/// Refuses everything but whole numbers from 1 up.
[[nodiscard]] inline CLI::Validator counted_from_one() {
    const auto check = [](const std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        const bool fine = digits && text.find_first_not_of('0') != std::string::npos;
        return fine ? std::string() : "'" + text + "' is not a whole number from 1 up";
    };
    return {check, std::string()};
}

/// Refuses everything but some words, and names them.
[[nodiscard]] inline CLI::Validator one_of(std::initializer_list<const char*> words) {
    std::string list;
    for (const char* const word : words) list.append(list.empty() ? "" : ", ").append(word);
    const auto check = [list, all = std::vector<std::string>(words.begin(), words.end())](const std::string& text) {
        const bool fine = std::find(all.begin(), all.end(), text) != all.end();
        return fine ? std::string() : "'" + text + "' is not one of " + list;
    };
    return {check, std::string()};
}

/// A subcommand that can be run once the command line has been read.
struct Command {
    CLI::App* app = nullptr;
    std::function<Exit()> run{};
};

[[nodiscard]] Command add_show(CLI::App& app);
[[nodiscard]] Command add_html(CLI::App& app);
[[nodiscard]] Command add_convert(CLI::App& app);
[[nodiscard]] Command add_trace(CLI::App& app);
[[nodiscard]] Command add_diff(CLI::App& app);
[[nodiscard]] Command add_replay(CLI::App& app);
[[nodiscard]] Command add_validate(CLI::App& app);
[[nodiscard]] Command add_list(CLI::App& app);
[[nodiscard]] Command add_tail(CLI::App& app);
[[nodiscard]] Command add_fork(CLI::App& app);
[[nodiscard]] Command add_prune(CLI::App& app);

}  // namespace tools
