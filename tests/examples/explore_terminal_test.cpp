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

// Runs a program on a terminal, where it waits for a key before each step, and kills it at the third.
constexpr const char* kill_it = R"(
import os, pty, signal, sys

signal.alarm(60)
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[1], sys.argv[1:])
seen = b""
while b"Step 3:" not in seen:
    seen += os.read(terminal, 4096)
os.kill(pid, signal.SIGKILL)
sys.exit(0 if os.WIFSIGNALED(os.waitpid(pid, 0)[1]) else 1)
)";

}  // namespace

TEST_CASE("A run of explore that was killed goes on where it was") {
    const std::string python = paths::python();
    if (python.empty()) ACTA_SKIP("no python3");
    const example::TemporaryFolder folder;
    folder.write("kill_it.py", kill_it);
    folder.write("tree/notes.txt", "first\nsecond\n");
    const std::string command = "cd '" + folder.path().string() + "' && '" + python + "' kill_it.py '" +
                                paths::example("explore") +
                                "' --pause 300 --run kept --save h.json tree >out 2>&1 </dev/null";
    const int status = std::system(command.c_str());
    INFO(example::read_file(folder.path() / "out"));
    REQUIRE(status == 0);
    CHECK_FALSE(example::fs::exists(folder.path() / "h.json"));
    const auto load = [&folder](const char* name) {
        return acta::load<acta::EpisodicActionHistory<>>(folder.path() / name);
    };
    const example::Run other = example::run("explore", "--run kept --question 'what is in here' tree", folder.path());
    CHECK_THAT(other.out, !contains_text("Continuing"));  // with another run
    const example::Run run = example::run("explore", "--run kept --save h.json tree", folder.path());
    CHECK(run.code == 0);
#if defined(EXAMPLES_HAVE_SQLITE)
    CHECK_THAT(run.out, contains_text("\nContinuing a run after 3 steps.\n"));
#endif
    const example::Run whole = example::run("explore", "--run kept --save whole.json tree", folder.path());
    CHECK_THAT(whole.out, !contains_text("Continuing"));  // with one that is finished
    const auto resumed = load("h.json");
    const auto anew = load("whole.json");
    REQUIRE(resumed.size() == anew.size());
    for (std::size_t i = 0; i < anew.size(); ++i) CHECK(resumed[i].action.use_tool == anew[i].action.use_tool);
    CHECK(resumed.messages().size() == anew.messages().size());
}

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
