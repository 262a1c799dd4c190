// SPDX-License-Identifier: MIT
#include <acta/acta.hpp>
#include <string>

#include "example.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#if !defined(_WIN32)

namespace {

// Runs a program on a terminal of its own with standard input closed, as a workflow does, presses i when it says that
// one may, types a line, and checks that the terminal is left as it was.
constexpr const char* press_key = R"(
import os, pty, select, signal, sys, termios, time

signal.alarm(60)
go, let_go = os.pipe()
pid, terminal = pty.fork()
if pid == 0:
    os.read(go, 1)  # not before the terminal was looked at
    os.close(0)
    os.execv(sys.argv[1], sys.argv[1:])
before = termios.tcgetattr(terminal)
os.write(let_go, b"x")
seen = b""
typed = 0
while True:
    try:
        data = os.read(terminal, 4096)
    except OSError:
        break
    if not data:
        break
    seen += data
    if typed == 0 and b"Step 1:" in seen:
        os.write(terminal, b"xi")
        typed = 1
    if typed == 1 and b"Feedback (" in seen:
        os.write(terminal, "Lass das, grüße\n".encode())
        typed = 2
        before_again = termios.tcgetattr(terminal)
status = os.waitpid(pid, 0)[1]
sys.stdout.buffer.write(seen)
sys.exit(0 if status == 0 and typed == 2 and before_again == before else 1)
)";

}  // namespace

TEST_CASE("A key of the terminal interrupts explore") {
    const std::string python = paths::python();
    if (python.empty()) ACTA_SKIP("no python3");
    const example::TemporaryFolder folder;
    folder.write("press_key.py", press_key);
    folder.write("tree/a.txt", "a\n");
    const std::string program = paths::example("explore");
    const std::string command =
        "cd '" + folder.path().string() + "' && '" + python + "' press_key.py '" + program +
        "' --pause 300 --save h.json --question 'what are the largest files' tree >out 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    INFO(example::read_file(folder.path() / "out"));
    REQUIRE(status == 0);
    const auto history = acta::load<acta::EpisodicActionHistory<>>(folder.path() / "h.json");
    REQUIRE(history.size() == 1);
    CHECK(*history[0].result ==
          acta::ActionResult(acta::ActionInterruptedByHuman{.feedback = "Lass das, gr\xC3\xBC\xC3\x9F"
                                                                        "e"}));
}

#endif
