// SPDX-License-Identifier: MIT
#pragma once

#include <chrono>
#include <cstddef>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "acta/base/callback.hpp"
#include "acta/base/duration.hpp"
#include "acta/base/error.hpp"
#include "acta/base/stop_token.hpp"
#include "acta/version.hpp"

namespace acta::inline ACTA_ABI {

/// A child process could not be started, or no longer takes input; `what()` names the program.
class ProcessError : public Error {
public:
    using Error::Error;
};

/// How a child process is started, and ended.
struct ProcessOptions {
    /// The program, which is searched for in `PATH` unless its name has a slash, and its arguments. No shell reads
    /// them. On Windows the file may have the ending .com, .exe, .bat or .cmd; the latter two are scripts that cmd.exe
    /// runs, whose arguments must not have a percent sign or a line break. All texts are UTF-8.
    std::vector<std::string> command{};
    /// Whether the child has the variables of this process. On Windows it always has `SystemRoot`.
    bool inherit_environment = true;
    /// Variables that the child has besides, or instead of those of the same name.
    std::vector<std::pair<std::string, std::string>> environment{};
    std::filesystem::path folder{};  ///< Where it is started; that of this process if empty.
    /// How long it may take to end after its input was closed; then it is asked to (SIGTERM; on Windows CTRL_BREAK, if
    /// this process has a console).
    TimeLimit close_timeout = std::chrono::seconds(2);
    /// How long it may take to end after that; then it is ended (SIGKILL, or the end of its job).
    TimeLimit terminate_timeout = std::chrono::seconds(2);
    std::size_t max_errors = std::size_t{8} * 1024;  ///< How many bytes of its error output are kept, the last ones.
    /// Receives what the child writes to its standard output, as it comes, in a thread of its own, or in that of
    /// `ChildProcess::read`. While it runs, nothing more is read. Must not throw, and must not end the process.
    Callback<void(std::string_view)> on_output{};
    /// Called once in that thread, when the child has ended and all of its output was read. Where a process that the
    /// child has started holds the output open, half a second after the last of it.
    Callback<void()> on_end{};
};

/// How a process has ended.
struct ExitStatus {
    int code = 0;    ///< What it returned; -1 if the system does not say. On Windows 137 if it had to be ended.
    int signal = 0;  ///< The number of the signal that ended it, or 0; 0 on Windows.

    friend bool operator==(const ExitStatus&, const ExitStatus&) = default;
};

/// Returns `status 1` or `signal 9`.
[[nodiscard]] std::string to_string(ExitStatus status);

namespace base {
class ProcessState;
}

/// A child process whose standard streams are pipes. It inherits no other descriptor or handle, and leads a process
/// group of its own, on Windows a job, which is ended with it. Both of its outputs are read by one thread, which ends
/// with this object. Members may be called from several threads, but not from the callbacks of the options.
///
/// @code{.cpp}
/// #include <acta/base/process.hpp>
/// #include <iostream>
/// acta::ChildProcess cat({.command = {"cat"}, .on_output = [](std::string_view text) { std::cout << text; }});
/// cat.write("tides\n");
/// cat.end();  // closes the input, which ends it
/// @endcode
class ChildProcess {
public:
    /// Starts a process. Throws `ProcessError`.
    explicit ChildProcess(ProcessOptions options);
    ChildProcess(const ChildProcess&) = delete;
    ChildProcess& operator=(const ChildProcess&) = delete;
    /// Ends the process, as `end` does. In a child of this process that was made by `fork`, it leaves it alone.
    ~ChildProcess();

    /// Writes to the process's standard input, and returns whether all was written before `until` was over. Throws
    /// `ProcessError` if the process no longer reads.
    bool write(std::string_view text, const Until& until = {});
    /// Reads what the process writes in this thread, unless another one does: waits at most `longest` for it (0 to 1
    /// hour), and passes on what has come. Returns whether something has. An answer that comes soon is had earlier in
    /// this way than from the thread of this object, which begins to read again `longest` after the last such call.
    bool read(std::chrono::milliseconds longest);
    /// Closes the process's standard input, once a `write` that is under way has ended. May be repeated.
    void close_input() noexcept;
    /// Closes the input, waits, sends SIGTERM (CTRL_BREAK) to the group, waits, and sends SIGKILL to what is left of it
    /// (ends its job). Returns when nothing is left, and how the process ended. May be repeated.
    ExitStatus end() noexcept;

    /// Returns how the process has ended; nothing while it runs.
    [[nodiscard]] std::optional<ExitStatus> exit_status() const;
    /// Returns the last `ProcessOptions::max_errors` bytes that the process has written to its error output.
    [[nodiscard]] std::string errors() const;
    /// Returns the number of the process.
    [[nodiscard]] int id() const noexcept;

private:
    std::unique_ptr<base::ProcessState> state_;
};

}  // namespace acta::inline ACTA_ABI

#ifndef ACTA_COMPILED
#include "acta/base/detail/process.inl.hpp"
#endif
