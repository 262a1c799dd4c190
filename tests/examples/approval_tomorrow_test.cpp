// SPDX-License-Identifier: MIT
#include <string>

#include "example.hpp"
#include "support/catch.hpp"

#if defined(EXAMPLES_HAVE_SQLITE)
namespace {

/// Asks, decides with these words, and continues, each time in a program of its own.
std::string decided(const std::string& words) {
    const example::TemporaryFolder folder;
    const auto run = [&](const std::string& arguments) {
        const example::Run done = example::run("approval_tomorrow", arguments, folder.path());
        CHECK(done.code == 0);
        CHECK(done.err.empty());
        return done.out;
    };
    const std::string waiting = "waiting\n  send_letter(to='the harbour master')\n";
    CHECK(run("ask runs.db") == waiting);
    CHECK(run("continue runs.db") == waiting);  // nobody has decided
    CHECK(run("decide runs.db " + words).empty());
    return run("continue runs.db");
}

}  // namespace

TEST_CASE("A run waits for a person, who decides in another program, and a third one continues it") {
    CHECK(decided("yes") == "answered\nThe outcome: sent to the harbour master\n");
    CHECK_THAT(decided("no 'Not before Monday.'"), contains_text("Not before Monday."));
    CHECK(example::run("approval_tomorrow").code == 2);
}
#endif
