// SPDX-License-Identifier: MIT
#pragma once

// Whatever the command prints, and how it ends. All text passes acta::terminal_text, or is JSON whose controls are
// escaped.

#include <sys/types.h>

#include <condition_variable>
#include <functional>
#include <mutex>
#include <optional>
#include <stdexcept>
#include <string>
#include <string_view>
#include <thread>

namespace tools {

/// The exit codes, which acta.1 and docs/command.md document.
enum class Exit {
    fine = 0,     ///< Also if the reader of the output stopped early.
    differs = 1,  ///< diff: the runs are not the same; validate: a run is not valid.
    usage = 2,    ///< The command line is wrong.
    input = 3,    ///< A file, a store or a history is not there or cannot be read.
    output = 4,   ///< The output cannot be written, or the collector does not take it.
    refused = 5   ///< The store refuses the change, or something else failed.
};

/// Ends the command with a message and an exit code.
class Failure : public std::runtime_error {
public:
    Failure(Exit code, const std::string& message) : std::runtime_error(message), code_(code) {}
    [[nodiscard]] Exit code() const noexcept { return code_; }

private:
    Exit code_;
};

/// The same for words of the command line that make no sense together.
class WrongArguments : public Failure {
public:
    explicit WrongArguments(const std::string& message) : Failure(Exit::usage, message) {}
};

/// The reader of the output, such as `head`, wants no more of it. Not an error.
struct ReaderGone {};

/// Takes the text of an output in pieces.
using Sink = std::function<void(std::string_view)>;

/// Returns a text without the passwords of connection strings: `postgres://user:***@host/`, `password=***`.
[[nodiscard]] std::string without_passwords(std::string_view text);

/// Returns JSON with `\u202e` in place of each character that could control a terminal or hide text. It means the same.
[[nodiscard]] std::string safe_json(std::string_view json);

/// Writes `acta: <message>` to standard error, safe for a terminal and without passwords.
void complain(std::string_view message);

/// When to use colour: `auto`, `always`, `never`.
[[nodiscard]] bool wants_colour(const std::string& when);
/// Whether standard output is a terminal.
[[nodiscard]] bool output_is_terminal();
/// The columns of the terminal, or 80.
[[nodiscard]] std::size_t terminal_width();

/// Standard output, or a pager in front of it. What is written is not changed.
class Output {
public:
    /// With `page`, text goes through $PAGER or less if standard output is a terminal.
    explicit Output(bool page = false);
    Output(const Output&) = delete;
    Output& operator=(const Output&) = delete;
    ~Output();

    /// Throws `Failure` (`output`) or `ReaderGone`.
    void write(std::string_view text);
    void flush();
    /// Writes what is left, and waits until the pager is closed. Throws as `write` does.
    void finish();

private:
    void start_pager(const std::string& pager);
    void wait_for_pager();

    std::string buffer_{};
    int fd_ = 1;
    ::pid_t pager_ = -1;
};

/// Writes JSON or a page to a file, which has the old content or all of the new one, or to standard output where `path`
/// is empty or `-`. There JSON is safe for a terminal. Throws `Failure` (`output`).
void write_result(const std::string& path, const std::function<void(const Sink&)>& write);

/// Says on standard error what takes longer than a second, if that is a terminal.
class Progress {
public:
    explicit Progress(std::string what);
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;
    ~Progress();

private:
    void run();

    std::string what_;
    std::mutex mutex_{};
    std::condition_variable ended_{};
    bool end_ = false;
    std::thread thread_{};
};

}  // namespace tools
