// SPDX-License-Identifier: MIT
#include <acta/acta.hpp>
#include <cstdlib>
#include <iterator>
#include <sstream>
#include <string>
#include <vector>

#include "example.hpp"
#include "support/catch.hpp"
#include "support/paths.hpp"

#if !defined(_WIN32)
#include "support/on_terminal.hpp"
#endif

namespace {

const std::string trajectory = "'" + paths::source("tests/data/examples/replay_run.txt") + "' ";

/// The numbers of a row of the table of sizes.
std::vector<int> row(const std::string& out, const std::string& name) {
    const std::size_t begin = out.find("\n" + name + " ");
    if (begin == std::string::npos) return {};
    std::istringstream in(out.substr(begin + 1 + name.size(), out.find('\n', begin + 1) - begin - 1 - name.size()));
    return {std::istream_iterator<int>(in), {}};
}

}  // namespace

TEST_CASE("Replay prints sizes and the prompt of a run of another agent") {
    // With all steps in full nothing depends on the words of summaries.
    const example::Run run = example::run("replay", "--messages --full 9 " + trajectory);
    CHECK(run.code == 0);
    CHECK(run.err.empty());
    CHECK(run.out == example::read_file(paths::source("tests/data/examples/replay.txt")));
}

TEST_CASE("Replay compresses, with a line for each step where there is no terminal") {
    const example::Run run = example::run("replay", trajectory);
    CHECK(run.code == 0);
    CHECK(run.err == "1 of 1 steps compressed\n");
    CHECK_THAT(run.out, starts_with_text("ATIF trajectory: 5 steps, 4 other messages, 0 messages of feedback waiting\n"
                                         "Compressed: 1 summarised, 0 failed, 0 skipped, 0 cancelled, 4 not due\n"));
    const std::vector<int> before = row(run.out, "before, all steps in full");
    const std::vector<int> lines = row(run.out, "  older steps as lines");
    const std::vector<int> full = row(run.out, "  steps in full");
    REQUIRE(before.size() == 3);
    REQUIRE(lines.size() == 3);
    REQUIRE(full.size() == 3);
    CHECK(before[0] == 5);
    CHECK(lines[0] == 1);
    CHECK(full[0] == 4);
    CHECK(lines[1] + full[1] < before[1]);
    CHECK(row(run.out, "left out of it") == std::vector<int>{0, 0, 0});
    const std::string prompt = example::section(run.out + "\n=== ", "The prompt");
    CHECK_THAT(prompt, starts_with_text("## Progress on your Task so far\n"));
    CHECK_THAT(prompt, contains_text("08:10"));
    CHECK_THAT(prompt, contains_text("* Step 3: Executed `list_files(path='/data/harbour')`\n  - **Reasoning:**"));
    CHECK_THAT(prompt, ends_with_text("\n* User: And on the day after?\n"));

    CHECK(example::run("replay", "--quiet " + trajectory).err.empty());
    const example::Run small = example::run("replay", "--full=2 --max-tokens 40 --summary-tokens 12 " + trajectory);
    CHECK(small.code == 0);
    CHECK_THAT(small.out, contains_text("3 summarised"));
    const std::vector<int> left_out = row(small.out, "left out of it");
    REQUIRE(left_out.size() == 3);
    CHECK(left_out[0] > 0);
    CHECK(left_out[1] > left_out[0]);
}

TEST_CASE("Replay cuts outputs and says so") {
    const example::Run run = example::run("replay", "--quiet --output-characters 20 --full 9 " + trajectory);
    CHECK(run.code == 0);
    CHECK_THAT(run.out, contains_text("low 01:55 0.9 m"));
    CHECK_THAT(run.out, contains_text(" characters left out)"));
    CHECK_THAT(run.out, contains_text("\n(1 text cut)\n"));
}

TEST_CASE("Replay saves what it compressed, and reads it again whatever its name is") {
    const example::TemporaryFolder folder;
    const example::Run first = example::run("replay", "--quiet --save a.dat --atif b.dat " + trajectory, folder.path());
    REQUIRE(first.code == 0);
    const auto history = acta::load<acta::EpisodicActionHistory<>>(folder.path() / "a.dat");
    REQUIRE(history.size() == 5);
    CHECK(history[0].summary);
    CHECK(history.messages().size() == 4);
    const std::string prompt = first.out.substr(first.out.find("=== The prompt"));
    for (const std::string name : {"a.dat", "b.dat"}) {
        const example::Run again = example::run("replay", "--quiet " + name, folder.path());
        CHECK(again.code == 0);
        CHECK_THAT(again.out, starts_with_text(name == "a.dat" ? "acta history: 5 steps, 4 other messages, 0 messages"
                                                               : "ATIF trajectory: 5 steps, 4 other messages, 0 mess"));
        CHECK_THAT(again.out, contains_text("Compressed: 0 summarised, 0 failed"));
        CHECK(again.out.substr(again.out.find("=== The prompt")) == prompt);
    }
}

TEST_CASE("Replay says what is wrong with a file") {
    const example::TemporaryFolder folder;
    folder.write("empty.json", "");
    folder.write("other.json", R"({"name": "no trajectory"})");
    folder.write("broken.json", "{\n  \"episodes\": [}\n");
    folder.write("history.json", R"({"episodes": [{"action": {"thoughts": "t"}}], "cursor": 1})");
    folder.write("repaired.json", R"({"episodes": [], "cursor": 5})");
    const auto error = [&folder](const std::string& arguments, int code = 1) {
        const example::Run run = example::run("replay", arguments, folder.path());
        CHECK(run.code == code);
        CHECK(run.out.empty());
        return run.err;
    };
    CHECK(error("missing.json") == "replay: Cannot read 'missing.json': No such file or directory\n");
    CHECK(error(".") == "replay: Cannot read '.': Is a directory\n");
    CHECK_THAT(error("empty.json"),
               starts_with_text("replay: 1 validation error for Trajectory in file 'empty.json'\n  Invalid JSON"));
    CHECK_THAT(error("other.json"),
               contains_text("Document is in none of the known formats: ATIF trajectory, Claude Code"));
    CHECK_THAT(error("broken.json"), contains_text("line 2 column 16"));
    CHECK_THAT(error("history.json"), contains_text("\nepisodes.0.action.use_tool\n  Field required"));
    const example::Run repaired = example::run("replay", "repaired.json", folder.path());
    CHECK(repaired.code == 0);
    CHECK_THAT(repaired.err, contains_text("replay: Cursor 5 is outside of the history"));
    const example::Run unwritable =
        example::run("replay", "--quiet --save no/such/a.json repaired.json", folder.path());
    CHECK(unwritable.code == 1);
    CHECK_THAT(unwritable.err, contains_text("Cannot write 'no/such/a.json"));
}

TEST_CASE("Replay says what is wrong with its arguments") {
    for (const std::string arguments : {"", "a b", "--nonsense a", "--full x a", "--full -1 a", "--summary-tokens 0 a",
                                        "--max-tokens", "--full= a", "--output-characters 0 a"}) {
        INFO(arguments);
        const example::Run run = example::run("replay", arguments);
        CHECK(run.code == 2);
        CHECK_THAT(run.err, contains_text("Usage: replay [options] FILE"));
    }
    CHECK_THAT(example::run("replay", "--full x a").err,
               starts_with_text("replay: --full wants a number from 0, not 'x'"));
    const example::Run help = example::run("replay", "--help");
    CHECK(help.code == 0);
    CHECK_THAT(help.out, starts_with_text("Usage: replay [options] FILE\n"));
    CHECK_THAT(example::run("replay", "-- --help").err, contains_text("Cannot read '--help'"));
}

#if !defined(_WIN32)

TEST_CASE("Replay shows a bar on a terminal") {
    if (paths::python().empty()) ACTA_SKIP("no python3");
    const OnTerminal run = run_on_terminal("", "'" + paths::example("replay") + "' --full 0 " + trajectory);
    INFO(run.seen);
    REQUIRE(run.code == 0);
    CHECK_THAT(run.seen, contains_text("\r[########................................"
                                       "] 1 of 5 steps compressed"));
    CHECK_THAT(run.seen, contains_text("\r[" + std::string(40, '#') + "] 5 of 5 steps compressed\r\n"));
}

#endif
