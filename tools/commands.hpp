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

/// Refuses what is no number from 1 on, and says so.
[[nodiscard]] inline CLI::Validator counted_from_one() {
    const auto check = [](const std::string& text) {
        const bool digits = !text.empty() && text.find_first_not_of("0123456789") == std::string::npos;
        const bool fine = digits && text.find_first_not_of('0') != std::string::npos;
        return fine ? std::string() : "'" + text + "' is no number from 1 on";
    };
    return {check, std::string()};
}

/// Refuses what is none of some words, and names them.
[[nodiscard]] inline CLI::Validator one_of(std::initializer_list<const char*> words) {
    std::string list;
    for (const char* const word : words) list.append(list.empty() ? "" : ", ").append(word);
    const auto check = [list, all = std::vector<std::string>(words.begin(), words.end())](const std::string& text) {
        const bool fine = std::find(all.begin(), all.end(), text) != all.end();
        return fine ? std::string() : "'" + text + "' is none of " + list;
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
[[nodiscard]] Command add_diff(CLI::App& app);
[[nodiscard]] Command add_list(CLI::App& app);
[[nodiscard]] Command add_tail(CLI::App& app);
[[nodiscard]] Command add_fork(CLI::App& app);
[[nodiscard]] Command add_prune(CLI::App& app);

}  // namespace tools
