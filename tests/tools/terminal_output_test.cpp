// SPDX-License-Identifier: MIT
#include <acta/json/json.hpp>
#include <string>

#include "command.hpp"
#include "support/catch.hpp"
#include "support/on_terminal.hpp"

namespace {

/// Runs `acta` with these words in a terminal, in an environment that is given as words of the shell.
command::Outcome in_a_terminal(const std::string& environment, const std::string& words) {
    OnTerminal run = run_on_terminal("unset PAGER LESS NO_COLOR; TERM=xterm " + environment,
                                     "'" + paths::build() + "/tools/acta' " + words);
    std::erase(run.seen, '\r');
    return {run.code, run.seen, {}};
}

}  // namespace

TEST_CASE("In a terminal a run has colours, its width, and a pager") {
    if (paths::python().empty()) ACTA_SKIP("no python3");
    const TempFolder folder;
    auto history = command::three_days();
    history.register_answer("It is high tide at twelve on each of these days.");
    acta::save(history, folder / "run.json");
    const std::string show = "show " + command::word(folder / "run.json");

    const command::Outcome plain = in_a_terminal("PAGER=", show);
    CHECK(plain.code == 0);
    CHECK_THAT(plain.out, contains_text("\x1b[31mERROR\x1b[0m"));
    CHECK_THAT(plain.out, contains_text("  It is high tide at twelve on each of\n  these days.\n"));
    CHECK_THAT(in_a_terminal("PAGER= NO_COLOR=1", show).out, !contains_text("\x1b"));
    CHECK_THAT(in_a_terminal("PAGER= TERM=dumb", show).out, !contains_text("\x1b"));

    CHECK_THAT(in_a_terminal("PAGER='sed s/^/paged:/'", show).out, contains_text("paged:  Look at monday.\n"));
    CHECK_THAT(in_a_terminal("PAGER='sed s/^/paged:/'", show + " --no-pager").out, !contains_text("paged:"));
    const command::Outcome early = in_a_terminal("PAGER='head -n 1'", show);
    CHECK(early.code == 0);
    CHECK_THAT(early.out, !contains_text("monday"));
    const command::Outcome none = in_a_terminal("PAGER=/no/such/pager", show);
    CHECK(none.code == 4);
    CHECK_THAT(none.out, contains_text("acta: the pager '/no/such/pager' cannot be run"));
}

TEST_CASE("What takes longer than a second says so in a terminal, and leaves nothing behind") {
    if (paths::python().empty()) ACTA_SKIP("no python3");
    const TempFolder folder;
    acta::save(command::three_days(), folder / "run.json");
    const std::string program = "'" + paths::build() + "/tools/acta'";
    write_file(folder / "slow.sh",
               "{ sleep 1.3; cat " + command::word(folder / "run.json") + "; } | " + program + " show - --errors");
    const OnTerminal run =
        run_on_terminal("unset PAGER; TERM=xterm PAGER=", "/bin/sh " + command::word(folder / "slow.sh"));
    CHECK(run.code == 0);
    CHECK_THAT(run.seen, starts_with_text("\rreading - … 1 s\r\x1b[K"));
    CHECK_THAT(run.seen, contains_text("no such day"));
}
