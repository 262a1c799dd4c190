// SPDX-License-Identifier: MIT
#pragma once

#include <sys/wait.h>

#include <cstdlib>
#include <string>

#include "support/paths.hpp"
#include "support/temp_folder.hpp"

/// What a program says on a terminal, and how it ends.
struct OnTerminal {
    int code = -1;
    std::string seen{};  ///< With `\r\n` for the end of a line, as a terminal gets it.
};

/// Runs a program on a terminal of its own of 40 columns. `command` are words of the shell: the program by its path,
/// and its arguments; `environment` are assignments for it. Needs python3 (`paths::python`).
inline OnTerminal run_on_terminal(const std::string& environment, const std::string& command) {
    constexpr const char* script = R"(
import fcntl, os, pty, signal, struct, sys, termios

signal.alarm(60)
go, let_go = os.pipe()
pid, terminal = pty.fork()
if pid == 0:
    os.read(go, 1)
    os.execv(sys.argv[1], sys.argv[1:])
fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 10, 40, 0, 0))
os.write(let_go, b"x")
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    if not data:
        break
    sys.stdout.buffer.write(data)
sys.exit(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]))
)";
    const TempFolder folder;
    write_file(folder / "run.py", script);
    const std::string line = environment + " '" + paths::python() + "' '" + (folder / "run.py").string() + "' " +
                             command + " >'" + (folder / "out").string() + "' 2>&1 </dev/null";
    const int status = std::system(line.c_str());
    return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(folder / "out")};
}
