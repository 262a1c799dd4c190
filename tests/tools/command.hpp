// SPDX-License-Identifier: MIT
#pragma once

#include <sys/wait.h>

#include <acta/history/history.hpp>
#include <acta/json/json.hpp>
#include <cstdlib>
#include <filesystem>
#include <string>
#include <string_view>

#include "support/paths.hpp"
#include "support/temp_folder.hpp"

// Runs the built command and keeps what it prints.
namespace command {

/// The outcome of a run.
struct Outcome {
    int code = -1;
    std::string out{};
    std::string err{};
};

/// Runs a line of the shell.
inline Outcome shell(const std::string& line) {
    const TempFolder folder;
    const std::string out = (folder / "out").string();
    const std::string err = (folder / "err").string();
    const int status = std::system(("{ " + line + "; } >'" + out + "' 2>'" + err + "' </dev/null").c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out), read_file(err)};
}

/// Runs `acta` with words of the shell, which may redirect its standard input.
inline Outcome acta(const std::string& words) {
    return shell("unset PAGER COLUMNS; '" + paths::build() + "/tools/acta' " + words);
}

/// Returns a path as a word of the shell.
inline std::string word(const std::filesystem::path& path) { return "'" + path.string() + "'"; }

/// The sample of a run, an ATIF document of five steps.
inline std::string sample() { return word(paths::source("tests/data/examples/replay_run.txt")); }

/// Adds a finished step.
template <class History>
void add_step(History& history, const std::string& day, bool fails = false) {
    history.register_action({.thoughts = "Look at " + day + ".", .use_tool = {"tides", {{"day", day}}}});
    if (fails)
        history.register_result(::acta::ActionErrorResult{"no such day"});
    else
        history.register_result(::acta::ActionSuccessResult{.outputs = "12:00"});
}

/// A run of three steps, the second of which failed.
inline ::acta::EpisodicActionHistory<> three_days() {
    ::acta::EpisodicActionHistory<> history;
    history.register_message(::acta::ChatMessage::user("When is high tide?"));
    add_step(history, "monday");
    add_step(history, "tuesday", true);
    add_step(history, "wednesday");
    return history;
}

/// Whatever a terminal could take for a command, and what hides or turns text.
inline const std::string evil =
    "\x1b]0;owned\x07\x1b[2J\r\u202E\xC2\x9B"
    "1m\u2028\x7f";

/// Whether a text has something of that.
inline bool has_controls(std::string_view text) {
    for (const char c : text) {
        if ((static_cast<unsigned char>(c) < 0x20 && c != '\n' && c != '\t') || c == '\x7f') return true;
    }
    for (const std::string_view bad : {"\u202E", "\u2028", "\u2066", "\xC2\x9B"}) {
        if (text.find(bad) != std::string_view::npos) return true;
    }
    return false;
}

}  // namespace command
